/*
 * remember_plan_test.c: what becomes of a new fact, by what is known of those that are like it.
 * Times are small numbers; the words say nothing of themselves.
 */
#include "tap.h"

#include "base/arena.h"
#include "facts/remember_plan.h"

static struct arena arena;
static const struct record_source source = { "m", 0, 0 };

static struct fact
said(int64_t at, int64_t row)
{
	struct fact f = { .head = { .type = RECORD_FACT, .session = "", .agent = "", .project = "",
		.source_id = "", .content = "the gate is blue", .content_len = 16, .tags = "",
		.extra = "", .time_us = at, .row = row, .retracted_us = TIME_NONE,
		.sources = &source, .n_sources = 1 },
		.key = "", .bank = "", .subcategory = "", .found_in = "", .superseded_by = "",
		.summarized = "", .valid_from_us = TIME_NONE, .valid_to_us = TIME_NONE };

	snprintf(f.head.id, sizeof(f.head.id), "fact %d", (int)row);
	return f;
}

static struct plan
plan(struct fact *f, const struct plan_like *like, size_t n, size_t n_on_key)
{
	const struct plan_known known = { like, like + n, n, n_on_key, false };
	struct plan p;

	plan_fact(f, 100, &known, &arena, &p);
	return p;
}

/* The same where the key of the new one was named for it. */
static struct plan
plan_given(struct fact *f, const struct plan_like *like)
{
	const struct plan_known known = { like, NULL, 1, 0, true };
	struct plan p;

	plan_fact(f, 100, &known, &arena, &p);
	return p;
}

/* What becomes of a fact of time 5 beside one of the same words, of time 1, and another. */
static enum plan_verdict
repeated(const struct plan_like *other, bool on_key)
{
	struct fact f = said(5, 0), g = said(1, 1);
	const struct plan_like like[] = { { .row = 1, .same = true, .sim = 1, .fact = &g },
		*other };

	return plan(&f, like, on_key ? 1 : 2, on_key).verdict;
}

static void
test_repeated(void)
{
	struct fact x = said(3, 2), before = said(1, 0), taken = said(3, 2);
	struct fact f = said(2, 0), g = said(4, 1);
	struct fact with = said(1, 2);
	const struct plan_like same = { .row = 1, .same = true, .sim = 1, .fact = &g };
	const struct plan_like back[] = { same, { .row = 2, .fact = &x, .by.against = "no" } };

	is_int(repeated(&(struct plan_like){ .row = 2, .fact = &x }, false), PLAN_DUPLICATE,
	    "a fact that is said once more is a duplicate");
	ok(repeated(&(struct plan_like){ .row = 2, .fact = &x, .by.against = "no" }, false) !=
	    PLAN_DUPLICATE, "not where something against it was said between");
	ok(repeated(&(struct plan_like){ .row = 2, .fact = &x, .by.ends = true }, false) !=
	    PLAN_DUPLICATE, "nor where something that ends it was");
	ok(repeated(&(struct plan_like){ .row = 2, .fact = &x, .differs = true }, true) !=
	    PLAN_DUPLICATE, "nor where its key had another value");
	is_int(repeated(&(struct plan_like){ .row = 0, .fact = &before, .by.against = "no" },
	    false), PLAN_DUPLICATE, "what was said before both parts none");
	ok(repeated(&(struct plan_like){ .row = 2, .fact = &with, .by.against = "no" }, false) !=
	    PLAN_DUPLICATE, "but what was stored behind the first of one time does");
	ok(plan(&f, back, 2, 0).verdict != PLAN_DUPLICATE, "as between it and one of later");
	taken.head.retracted_us = 4;
	is_int(repeated(&(struct plan_like){ .row = 2, .fact = &taken, .by.against = "no" },
	    false), PLAN_DUPLICATE, "nor does what was taken back");
	f.valid_to_us = 3;
	ok(plan(&f, &same, 1, 0).verdict != PLAN_DUPLICATE,
	    "what was over before the other began is none");
	f = said(5, 0);
	g.valid_to_us = 5;
	ok(plan(&f, &same, 1, 0).verdict != PLAN_DUPLICATE, "nor is what is true again");
}

static void
test_ends(void)
{
	struct fact f = said(5, 0), g = said(1, 1), x = said(3, 2), later = said(7, 3), taken = x;
	const int64_t again[] = { 9 };
	const struct plan_like same = { .row = 1, .same = true, .sim = 1, .fact = &g,
		.of = { true, NULL } };
	const struct plan_like both[] = { same, { .row = 2, .fact = &x, .of = { true, NULL } } };
	const struct plan_like key[] = { same, { .row = 1, .fact = &g, .differs = true } };
	const struct plan_like twice = { .row = 2, .fact = &x, .of.against = "no",
		.again = again, .n_again = 1 };
	const struct plan_like by = { .row = 3, .fact = &later, .by = { true, NULL } };
	const struct plan_like against = { .row = 3, .fact = &later, .by.against = "no" };
	struct plan_like other = twice;
	struct plan p = plan(&f, both, 2, 0);

	ok(p.n_ended == 1 && p.ended[0].fact == &x && p.did == STEP_SUPERSEDE,
	    "a repetition ends what it is against, and not itself");
	f.head.n_sources = 0;
	ok(plan(&f, both, 2, 0).n_ended == 0, "but not where nothing tells when it was said");
	f = said(5, 0);
	p = plan(&f, key, 1, 1);
	ok(p.verdict == PLAN_DUPLICATE && p.n_ended == 0, "nor itself by its key");
	p = plan(&f, &twice, 1, 0);
	ok(p.n_ended == 1 && !p.ended[0].ends,
	    "what it speaks against is parted from what was said of that behind it");
	other.of.ends = true;
	p = plan(&f, &other, 1, 0);
	ok(p.n_ended == 1 && p.ended[0].ends, "and ends once, where it says that, too");
	other = (struct plan_like){ .row = 2, .fact = &x, .of.against = "no" };
	p = plan(&f, &other, 1, 0);
	ok(p.n_ended == 0 && p.verdict == PLAN_CONFLICT, "where nothing was, both stand");
	is_int(plan_given(&f, &other).n_ended, 0,
	    "also under a key that was named, which it has not");
	x.key = f.key = "color";
	is_int(plan_given(&f, &other).n_ended, 1, "one of that key ends");
	other = (struct plan_like){ .row = 2, .fact = &x, .of.ends = true };
	is_int(plan(&f, &other, 0, 1).n_ended, 1, "and one of the key of which it says so");
	taken.head.retracted_us = 6;
	other.fact = &taken;
	f = said(5, 0);
	is_int(plan(&f, &other, 1, 0).n_ended, 0, "what was taken back since does not end");
	f.valid_to_us = 6;
	plan(&f, &by, 1, 0);
	is_int(f.valid_to_us, 6, "what was over before stays so");
	is_int(plan(&f, &against, 1, 0).verdict, PLAN_STORED, "and nothing later is against it");
	f = said(5, 0);
	p = plan(&f, &by, 1, 0);
	ok(f.valid_to_us == 7 && strcmp(f.superseded_by, later.head.id) == 0,
	    "what was said later of it ends it");
	f = said(5, 0);
	f.head.guarded = true;
	p = plan(&f, &by, 1, 0);
	ok(f.valid_to_us == TIME_NONE && p.verdict == PLAN_CONFLICT, "but not what is protected");
	f = said(5, 0);
	f.head.trust = 1;
	p = plan(&f, &by, 1, 0);
	ok(f.valid_to_us == TIME_NONE && p.verdict == PLAN_CONFLICT,
	    "nor what deserves more trust");
}

static void
test_earlier(void)
{
	struct fact f = said(2, 0), m = said(6, 1);

	const struct record_source other = { "n", 0, 0 };
	const struct plan_like same = { .row = 1, .same = true, .sim = 1, .fact = &m };

	ok(!plan(&f, &same, 1, 0).earlier, "what rests on a known message alone is not earlier");
	f.head.sources = &other;
	ok(plan(&f, &same, 1, 0).earlier, "on another one it is");
	f.head.content = "blue is the gate";
	m.head.guarded = true;
	plan_earlier(&m, &f, &arena);
	ok(m.head.time_us == 2 && m.valid_from_us == 2, "a merged fact begins as the earlier one");
	is_str(m.head.content, "the gate is blue", "what is protected keeps its words");
	m.head.guarded = false;
	m.head.origin = ORIGIN_USER;
	f.head.origin = ORIGIN_DERIVED;
	plan_earlier(&m, &f, &arena);
	is_str(m.head.content, "the gate is blue", "and what is of another origin");
	f.head.origin = ORIGIN_USER;
	plan_earlier(&m, &f, &arena);
	is_str(m.head.content, "blue is the gate", "another one takes those of the earlier");
}

int
main(void)
{
	test_repeated();
	test_ends();
	test_earlier();
	arena_release(&arena);
	return tap_done();
}
