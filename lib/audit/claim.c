/*
 * claim.c: a record is cut into sentences. Their clauses as claims of their own found no fault that
 * the sentences did not.
 */
#include "audit/claim.h"

#include <ctype.h>
#include <strings.h>

#include "audit/first_person.h"
#include "statement/weigh.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "facts/subject.h"
#include "statement/clause.h"
#include "statement/merge_guard.h"
#include "statement/stance.h"
#include "time/timewords.h"

#define SPANS_MOST  8

/* ---- times ---- */

/* Whether four digits stand in a span: "spring 2024". */
static bool
has_year(const char *text, size_t start, size_t end)
{
	size_t n = 0;

	for (size_t i = start; i < end && n < 4; i++)
		n = isdigit((unsigned char)text[i]) ? n + 1 : 0;
	return n == 4;
}

static void
read_times(struct claim *c, const struct memory_item *r)
{
	/* a file of notes is written again for each of them: its time says little of one */
	int64_t time_us = r->line > 0 ? TIME_NONE : r->time_us;
	struct time_span spans[SPANS_MOST];
	size_t n = timewords_find(c->said, c->said_len,
	    time_us != TIME_NONE ? time_us : clock_now_us(), spans, NELEM(spans));

	c->from_us = c->to_us = TIME_NONE;
	for (size_t i = 0; i < n; i++) {
		/* "last year": of when, is not known without a time */
		if (spans[i].from_us == TIME_NONE || (time_us == TIME_NONE &&
		    spans[i].year == 0 && !has_year(c->said, spans[i].start, spans[i].end)))
			continue;
		if (c->from_us == TIME_NONE || spans[i].from_us < c->from_us)
			c->from_us = spans[i].from_us;
		if (c->to_us == TIME_NONE || spans[i].to_us > c->to_us)
			c->to_us = spans[i].to_us;
	}
}

/* Whether it is past, or ended; what it denies ("no longer likes tea") can still be denied. */
static bool
is_done(const struct said *s)
{
	return (s->stance & (weigh_denies(s) ? STANCE_PAST : STANCE_PAST | STANCE_ENDED)) != 0;
}

/* Reads what the user would say as words, and whom it is about. */
static void
read_words(struct claim *c, struct arena *a)
{
	static _Thread_local struct said s;
	size_t n;
	FREED char *plain = merge_guard_plain(c->said, c->said_len, &n);

	said_read(&s, c->said, c->said_len);
	c->words = said_keep(&s, a);
	c->plain = hash64(plain, n, 0);
	c->done = is_done(&s);
}

/* ---- records ---- */

struct cutting {
	struct claims *out;
	struct memories *m;
	const char *owner;
	size_t record, from;       /* the byte behind the sentence that was taken last */
	bool before;               /* that one was about the user */
};

/*
 * What the record is listed under, put before a text that does not have it: in a graph's entity
 * "tidal" stands "uses Redis".
 */
static const char *
with_entity(const struct cutting *k, const char *text, size_t *len)
{
	const struct memory_item *r = &k->m->items[k->record];
	bool capital = *len > 1 && isupper((unsigned char)text[0]) &&
	    islower((unsigned char)text[1]);

	if (text != r->content + r->label || *r->about == '\0' ||
	    strcmp(r->form, "mcp") != 0 || *len == 0 ||
	    strncasecmp(text, r->about, strlen(r->about)) == 0)
		return text;
	const char *whole = arena_printf(&k->m->arena, "%s %c%.*s", r->about,
	    capital ? tolower((unsigned char)text[0]) : text[0], (int)*len - 1, text + 1);
	*len = strlen(whole);
	return whole;
}

static void
add_claim(struct cutting *k, const char *text, size_t len)
{
	const struct memory_item *r = &k->m->items[k->record];
	struct claim c = { .record = k->record, .text = text, .text_len = len };
	struct reading_by by = { "", "", r->time_us, NULL };
	struct first_person how = { k->owner, k->before };
	struct reading read;
	size_t full = len;
	const char *named = with_entity(k, text, &full);

	c.user = first_person(&how, named, full, &k->m->arena, &c.said, &c.said_len);
	k->before = c.user;
	reading_of(c.said, c.said_len, &by, &read);
	c.about = arena_strdup(&k->m->arena, read.about);
	if (read.single && read.polarity == POLARITY_HOLDS)
		c.slot = hash64(read.slot, strlen(read.slot),
		    hash64(read.about, strlen(read.about), 0));
	read_times(&c, r);
	read_words(&c, &k->m->arena);
	*xpush(k->out->c, k->out->n, k->out->cap) = c;
}

static int
take_sentence(void *arg, const struct clause *c)
{
	struct cutting *k = arg;
	const struct memory_item *r = &k->m->items[k->record];

	if (c->sentence_len == 0 || c->sentence < k->from)
		return 0;
	k->from = c->sentence + c->sentence_len;
	add_claim(k, r->content + r->label + c->sentence, c->sentence_len);
	return 0;
}

static int
by_start(const void *x, const void *y)
{
	const struct memory_item *a = *(struct memory_item *const *)x,
				 *b = *(struct memory_item *const *)y;
	size_t n = fact_label_maybe(a->content, a->len), m = fact_label_maybe(b->content, b->len);

	return n != m ? (n > m) - (n < m) : strncasecmp(a->content, b->content, n);
}

/*
 * Finds the labels of records that do not say themselves whose they are: paths, and what stands
 * before the colon of two records or more, "Ann: ...", "Ann: ...". It is no word of what they say.
 */
static void
read_labels(struct memories *m)
{
	FREED struct memory_item **all = xreallocarray(NULL, m->n + 1, sizeof(*all));

	for (size_t i = 0; i < m->n; i++)
		all[i] = &m->items[i];
	if (m->n > 1)
		qsort(all, m->n, sizeof(struct memory_item *), by_start);
	for (size_t i = 0; i < m->n; i++) {
		struct memory_item *r = all[i];
		size_t n = fact_label_maybe(r->content, r->len);
		bool path = fact_label_is_path(r->content, n);
		bool again = (i > 0 && by_start(&all[i - 1], &r) == 0) ||
		    (i + 1 < m->n && by_start(&r, &all[i + 1]) == 0);

		if (r->label > 0 || n == 0 || (!path && !again))
			continue;
		r->label = n;
		*(path ? &r->project : &r->whose) = arena_strndup(&m->arena, r->content, n - 2);
	}
}

void
claims_read(struct claims *out, struct memories *m, const char *owner, bool labels)
{
	struct cutting k = { .out = out, .m = m, .owner = owner };

	if (labels)
		read_labels(m);
	for (k.record = 0; k.record < m->n; k.record++) {
		const struct memory_item *r = &m->items[k.record];
		size_t n = out->n;

		k.from = 0;
		if (k.record == 0 || strcmp(r->form, "claude") != 0)
			k.before = false;
		clauses_each(r->content + r->label, r->len - r->label, take_sentence, &k);
		if (out->n == n)
			add_claim(&k, r->content + r->label, r->len - r->label);
	}
}
