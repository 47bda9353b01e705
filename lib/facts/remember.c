/*
 * remember.c: records are gathered into a batch and embedded outside the transaction, because a
 * model or service may be slow. Then one transaction compares each with what is known, decides and
 * stores. The decision itself is remember_plan.c.
 */
#include "facts/remember.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "base/off.h"
#include "base/span.h"
#include "base/utf8.h"
#include "facts/again.h"
#include "facts/alike.h"
#include "facts/fact_part.h"
#include "facts/made.h"
#include "records/ids.h"
#include "statement/merge_guard.h"

#define BATCH_MOST 64

struct item {
	struct fact f;
	const char *const *quotes;             /* [f.head.n_sources] */
	const char *unit;                      /* the input line, for reporting a refusal */
	size_t unit_len;
	uint64_t line;
	struct verdict verdict;
	bool refused;
};

struct remember {
	struct store *store;
	const struct scope *who;
	const struct fact_rules *rules;
	const struct remember_fn *fn;
	struct fact_reader *reader;
	struct neighbours *near_index;                   /* NULL: the store has no vectors */
	struct alike_texts *texts;
	struct item items[BATCH_MOST];
	size_t n;
	struct arena arena;                    /* reset after each batch */
	struct remember_counts counts;
	bool told_without; /* that facts are compared without vectors was reported */
	bool only_judges;
};

int
remember_open(struct store *s, const struct scope *who, const struct fact_rules *rules,
	const struct remember_fn *fn, struct remember **out, struct err *err)
{
	const char *off = rules->even_off ? NULL : off_why(who->project);
	struct remember *r;

	*out = NULL;
	if (off != NULL)
		return err_set(err, ERR_CONFIG, "%s", off);
	r = xcalloc(1, sizeof(*r));
	r->store = s;
	r->who = who;
	r->rules = rules;
	r->fn = fn;
	r->reader = fact_reader_new();
	r->texts = alike_texts_new();
	if (neighbours_open(s, who, &r->near_index, err) < 0) {
		remember_close(r);
		return -1;
	}
	*out = r;
	return 0;
}

void
remember_close(struct remember *r)
{
	if (r == NULL)
		return;
	neighbours_close(r->near_index);
	alike_texts_free(r->texts);
	fact_reader_free(r->reader);
	arena_release(&r->arena);
	free(r);
}

void
remember_only_judge(struct remember *r)
{
	r->only_judges = true;
}

bool
remember_is_full(const struct remember *r)
{
	return r->n == BATCH_MOST;
}

const struct remember_counts *
remember_counts(const struct remember *r)
{
	return &r->counts;
}

int
remember_add(struct remember *r, const char *text, size_t len, uint64_t line, struct err *err)
{
	struct item *i = &r->items[r->n];
	const struct json *v;
	const char *off;

	memset(i, 0, sizeof(*i));
	i->line = line;
	i->unit = text = arena_strndup(&r->arena, text, len);
	i->unit_len = len;
	if (len > 0 && *text == '{') {
		if (json_parse(text, len, &r->arena, &v, err) < 0 ||
		    fact_reader_record(r->reader, v, r->rules, &r->arena, &i->f, &i->quotes,
			err) < 0)
			return -1;
	} else {
		if (!utf8_valid(text, len))
			return err_set(err, ERR_DATA, "not UTF-8");
		if (fact_reader_text(r->reader, text, len, r->rules, &r->arena, &i->f,
			&i->quotes, err) < 0)
			return -1;
	}
	off = r->rules->even_off ? NULL : off_why(i->f.head.project);
	if (off != NULL)
		return err_set(err, ERR_CONFIG, "%s", off);
	r->n++;
	return 0;
}

static bool
is_task(const char *text, size_t len)
{
	return len > 6 && strchr("-*+", *text) != NULL && memcmp(text + 1, " [", 2) == 0 &&
	    strchr(" xX", text[3]) != NULL && memcmp(text + 4, "] ", 2) == 0;
}

size_t
remember_one(const struct remember *r, const char *text, size_t len)
{
	size_t n = len;

	if (*r->rules->key == '\0' && is_task(text, len))
		for (n = 1; n < len && (text[n - 1] != '\n' || !is_task(text + n, len - n)); n++)
			;
	return n;
}

/* ---- sources ---- */

/*
 * Finds the span of a quote in its message: where the source says it is, otherwise its first
 * occurrence. A start that was given must be the right one.
 */
static int
find_quote(const struct message *m, const char *quote, struct record_source *s, struct err *err)
{
	size_t len = strlen(quote), start = MIN((size_t)s->start, m->content_len);

	if (!span_begins(m->content + start, m->content_len - start, quote))
		start = span_find(m->content, m->content_len, quote);
	if (len == 0 || start == m->content_len)
		return err_set(err, ERR_DATA, "the quote is not in message '%s'", m->id);
	s->start = (int64_t)start;
	s->length = (int64_t)len;
	return 0;
}

static bool
is_boundary(const struct message *m, int64_t at)
{
	return at == (int64_t)m->content_len || ((unsigned char)m->content[at] & 0xc0) != 0x80;
}

/*
 * Checks a source against the store and completes it; h receives what it implies: trust, time,
 * place.
 */
static int
check_source(struct remember *r, struct record_source *s, const char *quote, struct record_head *h,
	struct err *err)
{
	const struct message *m;
	const struct fact *f;

	if (messages_find(r->store, r->who, s->id, &r->arena, &m, err) < 0)
		return -1;
	if (m == NULL) {
		if (records_find(r->store, r->who, s->id, &r->arena, &f, err) < 0)
			return -1;
		if (quote != NULL)
			return err_set(err, ERR_DATA,
			    "there is no message '%.100s' to look for a quote in", s->id);
		if (f == NULL)
			return err_set(err, ERR_DATA,
			    "it rests on '%.100s': there is no such message or record", s->id);
		s->id = f->head.id;
		h->trust = MIN(h->trust, f->head.trust);
		return 0;
	}
	s->id = m->id;
	h->trust = MIN(h->trust, m->trust);
	if (h->time_us == TIME_NONE)
		h->time_us = m->time_us;
	if (*h->session == '\0')
		h->session = m->session;
	if (quote != NULL)
		return find_quote(m, quote, s, err);
	if (s->start + s->length > (int64_t)m->content_len || !is_boundary(m, s->start) ||
	    !is_boundary(m, s->start + s->length))
		return err_set(err, ERR_DATA, "bytes %lld to %lld are no part of message '%s'",
		    (long long)s->start, (long long)(s->start + s->length), m->id);
	return 0;
}

static int
is_known(struct remember *r, const char *id, bool *known, struct err *err)
{
	struct id_found found;
	int rc = ids_find(r->store, r->who, (struct id_given){ id, false }, &r->arena, &found,
	    err);

	*known = rc == 0 && found.id != NULL;
	return rc;
}

static int
check_sources(struct remember *r, struct item *i, struct err *err)
{
	struct record_head *h = &i->f.head;
	struct record_source *own = arena_alloc(&r->arena, (h->n_sources + 1) * sizeof(*own));

	bool is_there = true;
	size_t n = 0;

	for (size_t k = 0; k < h->n_sources; k++) {
		own[n] = h->sources[k];
		/* what was stored already, elsewhere, had its sources checked there */
		if (*h->id != '\0' && is_known(r, own[n].id, &is_there, err) < 0)
			return -1;
		if (is_there && check_source(r, &own[n], i->quotes[k], h, err) < 0)
			return -1;
		n += is_there;
	}
	r->counts.bereft += n < h->n_sources;
	h->sources = own;
	h->n_sources = n;
	return 0;
}

/* ---- facts on one key ---- */

struct on_key {
	const struct alike_want *want;
	struct plan_like *items;
	size_t n, cap;
	struct arena *arena;
	struct err *err;
};

static int
add_on_key(void *arg, size_t i, const struct fact *f)
{
	struct on_key *k = arg;
	const struct alike_want *w = k->want;
	struct fact_subject subject;
	const struct fact *own;

	(void)i;
	if (records_by_row(w->store, w->who, f->head.row, TIME_NONE, k->arena, &own, k->err) < 0)
		return -1;
	if (own == NULL || made_key_guessed(&own->head, k->arena))
		return 0;
	if (fact_subject(w->store, w->who, own, k->arena, &subject, k->err) < 0)
		return -1;
	/* "ann:home" says itself whom it is about, whoever said it */
	if (strchr(own->key, ':') == NULL &&
	    !alike_may_concern(w->fact, &w->subject, own, &subject))
		return 0;
	return alike_judge(w, own, &subject, k->arena, xpush(k->items, k->n, k->cap), k->err);
}

/* Whether the fact's key is the one that was named for all that comes in. */
static bool
is_given(const struct remember *r, const struct fact *f, struct arena *a)
{
	const char *key = r->rules->key;

	return *key != '\0' && strcmp(f->key, fact_key_clean(key, a)) == 0;
}

/* ---- what was forgotten ---- */

/*
 * Whether a person forgot these words. Then no program brings them back, whether it found, made or
 * kept them, but the person may, and is told. Returns 1 when it is not to be stored.
 */
static int
look_forgotten(struct remember *r, struct item *i, struct err *err)
{
	const struct record_head *h = &i->f.head;
	bool own = h->origin == ORIGIN_USER || *i->unit != '{', were;
	struct record_words w = { .project = h->project };
	FREED char *plain = merge_guard_plain(h->content, h->content_len, &w.len);
	int rc;

	w.text = plain;
	rc = words_forgotten(r->store, r->who, &w, own, &were, err);
	if (rc != 0 || !were)
		return rc;
	if (!own)
		i->verdict = (struct verdict){ .did = "forgotten", .of = "", .why = "by the user" };
	else if (*i->verdict.why == '\0')
		i->verdict.why = "it was forgotten before";
	return !own;
}

/* ---- storing ---- */

/* Returns 1 when it is not stored: it was forgotten, or is known by its source id. */
static int
is_left_out(struct remember *r, struct item *i, struct err *err)
{
	int rc = look_forgotten(r, i, err);

	if (rc != 0 || (rc = records_known(r->store, r->who, &i->f.head, err)) <= 0)
		return rc;
	i->verdict = (struct verdict){ .did = "duplicate",
		.of = arena_strdup(&r->arena, i->f.head.id), .why = "the same source id" };
	return 1;
}

static int
put_new(struct remember *r, struct item *i, size_t number, struct step *step, struct err *err)
{
	enum put_did did;

	if (records_put(r->store, r->who, step, &i->f, &did, err) < 0)
		return -1;
	alike_texts_add(r->texts, &i->f);
	if (r->near_index == NULL)
		return 0;
	return neighbours_put(r->near_index, r->who, (enum vector_kind)i->f.head.type, number,
	    i->f.head.row, err);
}

/*
 * Parts what the new fact, written next, ends or speaks against from what was said of it once more
 * behind that: left [p->n_ended] is what stays.
 */
static int
part_all(struct remember *r, struct step *step, const struct plan *p, struct fact *f,
	struct fact *left, struct err *err)
{
	for (size_t k = 0; k < p->n_ended; k++) {
		const struct fact *g = p->ended[k].fact;
		struct fact rest;

		left[k] = *g;
		if (fact_part(r->store, r->who, step, p->cut_us, &left[k], &rest, &r->arena, err) <
		    0)
			return -1;
		if (rest.head.n_sources == 0)
			continue;
		alike_texts_add(r->texts, &rest);
		if (strcmp(f->superseded_by, g->head.id) == 0)
			f->superseded_by = arena_strdup(&r->arena, rest.head.id);
	}
	return 0;
}

/* Ends what the fact of this id ends. What a person has let hold again, no repetition ends. */
static int
end_all(struct remember *r, struct step *step, const struct plan *p, const char *id,
	struct fact *left, struct err *err)
{
	for (size_t k = 0; k < p->n_ended; k++) {
		const struct fact *g = p->ended[k].fact;
		bool by_hand = false;

		if (p->known &&
		    again_by_hand(r->store, r->who, g->head.row, &by_hand, err) < 0)
			return -1;
		if (p->ended[k].ends && !by_hand) {
			left[k].valid_to_us = p->cut_us;
			left[k].superseded_by = id;
		} else if (left[k].head.n_sources == g->head.n_sources) {
			continue;
		}
		if (records_change(r->store, r->who, step, &left[k], err) < 0)
			return -1;
	}
	return 0;
}

/* A duplicate: the fact that is there is said once more. */
static int
repeat(struct remember *r, struct item *i, struct step *step, struct plan *p, struct fact *left,
	struct err *err)
{
	bool by_hand = false;

	if (p->earlier &&
	    again_by_hand(r->store, r->who, p->merged.head.row, &by_hand, err) < 0)
		return -1;
	if (p->earlier && !by_hand) {
		plan_earlier(&p->merged, &i->f, &r->arena);
		p->changes = true;
		alike_texts_reset(r->texts);
	}
	i->f = p->merged;
	return part_all(r, step, p, &i->f, left, err) < 0 ||
		(p->changes && records_change(r->store, r->who, step, &i->f, err) < 0)
	    ? -1
	    : end_all(r, step, p, i->f.head.id, left, err);
}

static int
carry_out(struct remember *r, struct item *i, size_t number, struct plan *p, struct err *err)
{
	struct fact *left = arena_alloc(&r->arena, (p->n_ended + 1) * sizeof(*left));
	struct step step = { .did = p->did, .why = p->why };
	int rc;

	i->verdict = (struct verdict){ .did = plan_words[p->verdict], .of = p->of, .why = p->why };
	if (r->only_judges)
		return 0;
	if (p->verdict == PLAN_DUPLICATE)
		return repeat(r, i, &step, p, left, err);
	/* before anything is parted for it */
	if ((rc = is_left_out(r, i, err)) != 0)
		return MIN(rc, 0);
	if (part_all(r, &step, p, &i->f, left, err) < 0 ||
	    put_new(r, i, number, &step, err) < 0)
		return -1;
	return end_all(r, &step, p, i->f.head.id, left, err);
}

static int
compare_and_store(struct remember *r, struct item *i, size_t number, struct err *err)
{
	struct alike_want want = { .store = r->store,
		.who = r->who,
		.texts = r->texts,
		.near_index = r->near_index,
		.fact = &i->f,
		.number = number,
		.now_us = r->rules->now_us,
		.duplicate_sim = conf_real("duplicate_sim"),
		.duplicate_text = conf_real("duplicate_text") };
	struct on_key key = { .want = &want, .arena = &r->arena, .err = err };
	struct plan_known known;
	struct plan_like like[ALIKE_MOST];
	size_t n_like;
	struct plan p;
	int rc = -1;

	plan_read_begin(&i->f, r->rules->now_us);
	if (fact_subject(r->store, r->who, &i->f, &r->arena, &want.subject, err) < 0 ||
	    alike_find(&want, &r->arena, like, &n_like, err) < 0)
		return -1;
	if (*i->f.key != '\0' && !made_key_guessed(&i->f.head, &r->arena) &&
	    facts_of_keys(r->store, r->who, &i->f.key, 1, add_on_key, &key, err) < 0)
		goto out;
	known = (struct plan_known){ like, key.items, n_like, key.n,
		is_given(r, &i->f, &r->arena) };
	plan_fact(&i->f, r->rules->now_us, &known, &r->arena, &p);
	rc = carry_out(r, i, number, &p, err);
out:
	free(key.items);
	return rc;
}

static int
store_item(struct remember *r, struct item *i, size_t number, struct err *err)
{
	struct step step = { .did = STEP_STORE, .why = "" };
	int rc;

	if (check_sources(r, i, err) < 0)
		return -1;
	if (i->f.head.type == RECORD_FACT)
		return compare_and_store(r, i, number, err);
	i->verdict = (struct verdict){ .did = "stored", .of = "", .why = "" };
	rc = r->only_judges ? 0 : is_left_out(r, i, err);
	if (rc == 0 && !r->only_judges)
		rc = put_new(r, i, number, &step, err);
	return MIN(rc, 0);
}

static void
embed_items(struct remember *r)
{
	const char *texts[BATCH_MOST];
	size_t lens[BATCH_MOST];

	for (size_t i = 0; i < r->n; i++) {
		texts[i] = r->items[i].f.head.content;
		lens[i] = r->items[i].f.head.content_len;
	}
	if (r->near_index == NULL)
		return;
	neighbours_embed(r->near_index, texts, lens, r->n);
	if (neighbours_down(r->near_index) == NULL || r->told_without || r->fn->without == NULL)
		return;
	r->fn->without(r->fn->arg, neighbours_down(r->near_index));
	r->told_without = true;
}

static void
report_verdict(struct remember *r, struct item *i)
{
	static const struct { const char *did; size_t at; } counts[] = {
		{ "stored", offsetof(struct remember_counts, stored) }, { "duplicate", offsetof(struct remember_counts, duplicates) },
		{ "superseded", offsetof(struct remember_counts, superseded) }, { "conflict", offsetof(struct remember_counts, conflicts) },
		{ "forgotten", offsetof(struct remember_counts, forgotten) } };

	for (size_t k = 0; k < NELEM(counts); k++)
		if (strcmp(counts[k].did, i->verdict.did) == 0)
			++*(uint64_t *)((char *)&r->counts + counts[k].at);
	/* a duplicate was not stored: its verdict names the fact that was there, as "of" */
	i->verdict.id = *i->verdict.did == 'd' || i->f.head.row == 0 ? "" : i->f.head.id;
	i->verdict.line = i->line;
	r->fn->verdict(r->fn->arg, &i->verdict, &i->f);
}

int
remember_commit(struct remember *r, struct err *err)
{
	int rc = -1;

	if (r->n == 0)
		return 0;
	embed_items(r);
	alike_texts_reset(r->texts);
	if (!r->only_judges && store_begin_user(r->store, r->who->user, err) < 0)
		goto out;
	for (size_t k = 0; k < r->n; k++) {
		struct item *i = &r->items[k];
		if (store_item(r, i, k, err) == 0)
			continue;
		if (err->code != ERR_DATA) {
			if (!r->only_judges)
				store_rollback(r->store);
			goto out;
		}
		if (r->fn->bad != NULL)
			r->fn->bad(r->fn->arg, i->line, i->unit, i->unit_len, err->msg);
		r->counts.refused++;
		i->refused = true;
		err_clear(err);
	}
	if (!r->only_judges && store_commit(r->store, err) < 0)
		goto out;
	for (size_t k = 0; k < r->n; k++)
		if (!r->items[k].refused)
			report_verdict(r, &r->items[k]);
	rc = 0;
out:
	r->counts.redacted = fact_reader_redacted(r->reader);
	r->n = 0;
	arena_reset(&r->arena);
	return rc;
}
