/*
 * index_read.c: what ranking reads of a user's index: posting lists, terms, cards, texts, names and
 * sessions.
 */
#include "store/sql/column.h"
#include "store/index/segments.h"

int
index_list(struct index *x, const char *term, size_t len, struct posting_list *list,
	struct err *err)
{
	for (size_t i = 0; i < x->n_segments; i++) {
		const struct mapped *m = x->maps[i];
		size_t at = list->n;
		if (segment_find(&x->segments[i], term, len, list, err) < 0)
			return -1;
		for (; at < list->n; at++) {
			struct posting *p = &list->items[at];
			while (p->doc >= m->doc + m->n)
				m++;
			p->doc = m->turn + (p->doc - m->doc);
		}
	}
	return 0;
}

int
index_terms(struct index *x, const char *prefix, size_t len,
	void (*fn)(void *arg, const char *term, size_t len, uint32_t df), void *arg,
	struct err *err)
{
	for (size_t i = 0; i < x->n_segments; i++)
		if (segment_terms(&x->segments[i], prefix, len, fn, arg, err) < 0)
			return -1;
	return 0;
}

int
index_cards(struct index *x, const uint32_t *turns, size_t n, struct card *out, struct err *err)
{
	struct cards_walk walk = { .store = x->store, .hi = user_hi(x->user) };
	struct cards cards = { .n = 0 };
	int64_t have = -1;
	uint32_t run = 0;

	if (db_gathers(x->store->db) && index_want_cards(x, turns, n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		int64_t row = corpus_row_near(&x->corpus, turns[i], &run),
			turn = row & (TURNS_MAX - 1);
		int64_t id = row - turn + turn / CARDS_A_PAGE;
		size_t at = (size_t)(turn % CARDS_A_PAGE);
		if (id != have) {
			if (cards_next(&walk, id, &cards, err) < 0)
				return -1;
			have = id;
		}
		if (at < cards.n)
			cards_get(&cards, at, &out[i]);
		else
			out[i] = (struct card){ .time_us = TIME_NONE };
	}
	cards_end(&walk);
	return 0;
}

int
index_said(struct index *x, uint32_t from, uint32_t n, struct card_said *out, struct err *err)
{
	struct cards_walk walk = { .store = x->store, .hi = user_hi(x->user) };
	struct cards cards = { .n = 0 };
	struct index_wants pages = { .cards_from = from, .cards_to = from + n };
	uint32_t run = 0;

	if (index_want(x, &pages, err) < 0)
		return -1;
	while (n > 0) {
		int64_t row = corpus_row_near(&x->corpus, from, &run), turn = row & (TURNS_MAX - 1);
		const struct corpus_run *r = &x->corpus.runs[run];
		size_t at = (size_t)(turn % CARDS_A_PAGE),
		       here =
			   MIN(MIN(CARDS_A_PAGE - at, (size_t)n), (size_t)(r->first + r->n - from)),
		       known;
		if (cards_next(&walk, row - turn + turn / CARDS_A_PAGE, &cards, err) < 0)
			return -1;
		known = at < cards.n ? MIN(cards.n - at, here) : 0;
		cards_said(&cards, at, known, out);
		for (size_t i = known; i < here; i++)
			out[i] = (struct card_said){ TIME_NONE, 0, 0 };
		out += here;
		from += (uint32_t)here;
		n -= (uint32_t)here;
	}
	cards_end(&walk);
	return 0;
}

int
index_text(struct index *x, uint32_t turn, const char **text, size_t *len, struct err *err)
{
	struct db_stmt *q = stmt_start(x->store, STMT_MESSAGE_TEXT, ARGS(corpus_row(&x->corpus,
	    turn), ROWS_OF(x->user)), err);
	int got;

	*text = "";
	*len = 0;
	if ((got = db_row(q, err)) < 0)
		return -1;
	if (got > 0) {
		*text = column_peek(q, 0);
		*len = (size_t)db_column_bytes(q, 0);
	}
	return 0;
}

int
index_want_speakers(struct index *x, const struct index_word *words, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++)
		if (stmt_want(x->store, STMT_LABELS_BY_WORD, ARGS(x->user, LABEL_SPEAKER,
		    BLOB(words[i].text, words[i].len), INDEX_SPEAKERS), err) < 0)
			return -1;
	return stmt_want(x->store, STMT_LABEL_NEXT, ARGS(x->user, LABEL_SPEAKER), err) < 0 ? -1 :
	    stmt_want(x->store, STMT_SEGMENTS, ARGS(x->user), err);
}

int
index_speakers(struct index *x, const struct index_word *words, size_t n, struct arena *a,
	struct index_speaker **out, size_t *n_out, int64_t *n_all,
	       struct err *err)
{
	struct db_stmt *q;
	int got = 0;

	*out = NULL;
	*n_out = 0;
	*n_all = 0;
	if (index_want_speakers(x, words, n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		q = stmt_start(x->store, STMT_LABELS_BY_WORD, ARGS(x->user, LABEL_SPEAKER,
		    BLOB(words[i].text, words[i].len), INDEX_SPEAKERS), err);
		while ((got = db_row(q, err)) > 0) {
			int64_t no = db_column_int(q, 0);
			if (no > UINT16_MAX)
				continue;
			if (*out == NULL)
				*out = arena_alloc(a, n * INDEX_SPEAKERS * sizeof(**out));
			(*out)[(*n_out)++] = (struct index_speaker){ i, (uint16_t)no, column_text(q,
			    1, a) };
		}
		if (got < 0)
			return -1;
	}
	if (*n_out == 0)
		return 0;
	if (stmt_number(x->store, STMT_LABEL_NEXT, ARGS(x->user, LABEL_SPEAKER), n_all, err) < 0)
		return -1;
	--*n_all;
	return 0;
}

static enum label_kind
label_kind(char kind)
{
	return kind == 'a' ? LABEL_AGENT : kind == 'p' ? LABEL_PROJECT : LABEL_SPEAKER;
}

int
index_labels(struct index *x, char kind, size_t most, struct arena *a,
	struct index_speaker **out, size_t *n, struct err *err)
{
	struct db_stmt *q = stmt_start(x->store, STMT_LABELS, ARGS(x->user, label_kind(kind),
	    most), err);
	int got;

	*out = arena_alloc(a, most * sizeof(**out));
	*n = 0;
	while ((got = db_row(q, err)) > 0 && *n < most)
		if (db_column_int(q, 0) <= UINT16_MAX)
			(*out)[(*n)++] = (struct index_speaker){ 0,
				(uint16_t)db_column_int(q, 0), column_text(q, 1, a) };
	return got < 0 ? -1 : 0;
}

int
index_label(struct index *x, char kind, const char *text, int64_t *no, struct err *err)
{
	*no = label_number(x->store, x->user, label_kind(kind), text, false, err);
	return *no < 0 ? -1 : 0;
}

int
index_session(struct index *x, const char *name, uint32_t *from, uint32_t *to, struct err *err)
{
	struct session_parts parts;
	const struct corpus *c = &x->corpus;

	*from = *to = 0;
	if (session_parts(x->store, x->user, name, &parts, err) < 0)
		return -1;
	for (size_t i = 0; i < parts.n; i++)
		for (uint32_t r = 0; r < c->n_runs; r++)
			if (c->runs[r].row >> TURN_BITS == parts.id[i]) {
				if (*from == *to)
					*from = c->runs[r].first;
				*to = c->runs[r].first + c->runs[r].n;
			}
	return 0;
}
