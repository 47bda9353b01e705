/*
 * digest_test.c: what is picked, by hand; names, numbers and dates of texts; which facts belong
 * together.
 */
#include "tap.h"

#include <stdlib.h>

#include "rank/digest.h"
#include "statement/details.h"
#include "summary/consolidate_plan.h"
#include "summary/summary_loss.h"

/* ---- sentences ---- */

#define UNIT(t, turn) { t, sizeof(t) - 1, turn, 8, 1, 0 }

static void
digests(void)
{
	const struct digest_unit units[] = { UNIT("The harbour was closed.", 0),
		UNIT("Ships wait outside the harbour.", 1), UNIT("Cats sleep.", 2),
		UNIT("The harbour was closed.", 3) };
	struct digest_unit valued[] = { UNIT("Gulls eat fish.", 0), UNIT("Cats drink milk.", 0),
		UNIT("They sleep long.", 0) };
	uint32_t out[4];
	size_t n = digest_pick(units, 4, "", 0, 100, out);

	is_int(n == 3 && out[0] == 0 && out[1] == 1 && out[2] == 2, 1,
	    "what was said already comes last");
	is_int(digest_pick(units, 4, "", 0, 1000, out), 4, "all of it fits");
	is_int(out[3], 3, "in order");
	is_int(digest_pick(units, 4, "", 0, 10, out), 0, "nothing fits");
	is_int(digest_pick(units, 0, "", 0, 100, out), 0, "nothing to pick");
	n = digest_pick(units + 2, 2, "the harbour was closed", 22, 40, out);
	is_int(n == 1 && out[0] == 0, 1, "what is said anyway gains nothing");

	valued[1].value = 3;
	n = digest_pick(valued, 3, "", 0, 28, out);
	is_int(n == 1 && out[0] == 1, 1, "a unit of more value comes first");
	valued[1].value = 0;
	valued[2].value = 3;
	n = digest_pick(valued, 3, "", 0, 28, out);
	is_int(n == 1 && out[0] == 2, 1, "one without value is not picked");
	valued[0].value = 9;
	valued[0].later = 2;
	n = digest_pick(valued, 3, "", 0, 60, out);
	is_int(n == 2 && out[0] == 0 && out[1] == 2, 1, "a unit is picked with its later one");
	n = digest_pick(valued, 3, "", 0, 28, out);
	is_int(n == 1 && out[0] == 2, 1, "and not without it");
}

/* ---- details ---- */

static char found[512];

static int
add_detail(void *arg, const struct detail *d)
{
	const char *text = arg;
	size_t n = strlen(found);

	snprintf(found + n, sizeof(found) - n, "%s%c:%.*s", n > 0 ? "|" : "", "NnD"[d->kind],
	    (int)d -> len, text + d -> start);
	return 0;
}

static void
details(const char *text, const char *want)
{
	found[0] = '\0';
	details_each(text, strlen(text), add_detail, (void *)text);
	is_str(found, want, "%s", text);
}

static void
sets(void)
{
	struct term_set t = { NULL, 0, 0 };
	char word[16];
	int n = 0;

	term_set_add(&t, "Anna moved to New York", 22);
	is_int(term_set_has(&t, "york", 4), 1, "has a word");
	is_int(term_set_has(&t, "moving", 6), 1, "and its other forms");
	is_int(term_set_has(&t, "New Delhi", 9), 0, "not all of it");
	is_int(term_set_has(&t, "the Anna", 8), 1, "stop words do not count beside others");
	is_int(term_set_has(&t, "of", 2), 0, "but alone they do");
	is_int(term_set_has(&t, "", 0), 1, "nothing");
	for (int i = 0; i < 1000; i++) {
		snprintf(word, sizeof(word), "w%d", i);
		term_set_add(&t, word, strlen(word));
	}
	for (int i = 0; i < 2000; i++) {
		snprintf(word, sizeof(word), "w%d", i);
		n += term_set_has(&t, word, strlen(word));
	}
	is_int(n, 1000, "a thousand, and no others");
	is_int(term_set_first(&t, 77) && !term_set_first(&t, 77), 1, "once");
	term_set_release(&t);
}

static void
losses(void)
{
	struct summary_loss *l = summary_loss_new("- Anna pays 12 euros in Porto", 29);
	struct buf b;

	buf_init(&b, 4096);
	is_int(summary_loss_report(l, &b), 0, "nothing is lost");
	summary_loss_add(l, "So Anna pays 12 euros in Porto.", 31);
	is_int(summary_loss_report(l, &b), 0, "all is in it");
	is_int(b.len, 0, "nothing is printed");
	summary_loss_add(l, "But Bob pays 13 for Bob on 14 June 2024.", 40);
	summary_loss_decision(l, "we decided to wait", 18);
	is_int(summary_loss_report(l, &b), 4, "a name, a number, a date and a decision");
	is_str(b.data,
	    "{\"names\":[\"Bob\"],\"numbers\":[\"13\"],\"dates\":[\"14 June "
	    "2024\"],\"decisions\":[\"we decided to wait\"],"
	    "\"left_out\":{\"names\":1,\"numbers\":1,\"dates\":1,\"decisions\":1}}",
	    "the report");
	buf_reset(&b);
	for (int i = 100; i < 200; i++) {
		char text[16];
		snprintf(text, sizeof(text), "x %d", i);
		summary_loss_add(l, text, strlen(text));
	}
	is_int(summary_loss_report(l, &b), 104, "a hundred more");
	is_int(strstr(b.data, "\"139\"") == NULL && strstr(b.data, "\"138\"") != NULL, 1,
	    "forty are listed");
	summary_loss_free(l);
	buf_release(&b);
}

/* ---- groups ---- */

static void
groups(void)
{
	static const float x[] = { 1, 0 }, y[] = { 0, 1 }, near_x[] = { .8f, .6f };
	static const uint64_t tags[] = { 5, 6, 7 };
	struct groupable v[12];
	uint32_t group[12];

	for (size_t i = 0; i < NELEM(v); i++)
		v[i] = (struct groupable){ .key = "", .agent = "", .project = "", .vec = NULL };
	is_int(consolidate_plan(v, 12, 2, .7, BY_HYBRID, group), 0, "nothing in common");
	v[0].vec = v[2].vec = x;
	v[1].vec = y;
	v[4].vec = near_x;
	is_int(consolidate_plan(v, 12, 2, .7, BY_HYBRID, group), 1, "three near each other");
	is_int(group[0] == 1 && group[1] == 0 && group[2] == 1 && group[3] == 0 && group[4] == 1, 1,
	    "these");
	is_int(consolidate_plan(v, 12, 2, .9, BY_HYBRID, group), 0, "two are none");
	is_int(consolidate_plan(v, 12, 2, .7, BY_TAGS, group), 0, "by tags alone");
	v[2].project = "p";
	is_int(consolidate_plan(v, 12, 2, .7, BY_HYBRID, group), 0, "not of two projects");
	v[5].key = "pump.1";
	v[6].key = "pump/2";
	v[7].key = "pump";
	v[8].key = "pumps";
	is_int(consolidate_plan(v, 12, 2, .7, BY_TAGS, group), 1, "keys");
	is_int(group[5] == 1 && group[7] == 1 && group[8] == 0 && group[0] == 0, 1,
	    "of the same first part");
	is_int(consolidate_plan(v, 12, 2, .7, BY_EMBEDDINGS, group), 0, "keys do not count");
	for (size_t i = 0; i < 12; i++) {
		v[i].tags = tags + i % 3;
		v[i].n_tags = 1;
		v[i].key = "";
		v[i].project = "";
	}
	is_int(consolidate_plan(v, 12, 2, .7, BY_TAGS, group), 3, "tags");
	is_int(group[0] == group[3] && group[1] == group[4] && group[0] != group[1], 1,
	    "each its own");
	for (size_t i = 0; i < 12; i++)
		v[i].tags = tags;
	is_int(consolidate_plan(v, 12, 2, .7, BY_TAGS, group), 2, "eight at most");
	is_int(group[7] == 1 && group[8] == 2, 1, "the rest are another");
}

int
main(void)
{
	digests();
	details("I met Anna Lee in Porto. She paid $1,250 on 3 June 2024.",
	    "N:Anna Lee|N:Porto|n:$1,250|D:3 June 2024");
	details("We fixed PR #480 with getUserName yesterday",
	    "N:PR|n:#480|N:getUserName|D:yesterday");
	details("nothing here, nor Zed.", "N:Zed");
	details("", "");
	sets();
	losses();
	groups();
	return tap_done();
}
