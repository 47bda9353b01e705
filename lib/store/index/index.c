/*
 * index.c: a user's segments seen as one corpus.
 *
 * Each segment numbers its own documents in the order of rows. Here the runs of all segments are
 * put in one order, which numbers the turns of the corpus; a list then comes from each segment with
 * its documents mapped run by run.
 */
#include "base/alloc.h"
#include "base/order.h"
#include "store/index/segments.h"

struct piece { int64_t row; uint32_t n, segment, doc; uint8_t kind; };

static void
clear(struct index *x)
{
	struct corpus *c = &x->corpus;

	for (size_t i = 0; i < x->n_segments; i++)
		free(x->maps[i]);
	free(x->maps);
	free(x->segments);
	free(c->runs);
	if (c->info != NULL)
		xbig_free(c->info, c->n_big);
	free(c->kind);
	free(c->session_words);
	free(c->talk);
	free(c->session_first);
	memset(c, 0, sizeof(*c));
	x->taken_as = 0;
	x->segments = NULL;
	x->maps = NULL;
	x->n_segments = 0;
}

void
index_free(struct index *x)
{
	if (x == NULL)
		return;
	index_end(x);
	clear(x);
	free(x->name);
	free(x);
}

void
index_end(struct index *x)
{
	if (x != NULL && x->open) {
		db_snapshot_end(x->store->db);
		x->open = false;
	}
}

uint64_t
index_stamp(const struct index *x)
{
	return x->stamp;
}

const struct corpus *
index_corpus(const struct index *x)
{
	return &x->corpus;
}

ORDER_BY(by_row, struct piece, row)

/* The runs of one segment as pieces, and where in its pages their info starts. */
static int
read_runs(struct index *x, size_t i, struct postings_run *runs, struct piece *pieces,
	size_t *n_pieces, uint64_t *info_at, struct err *err)
{
	struct segment *g = &x->segments[i];
	struct postings_source from = segment_source(g);
	uint32_t doc = 0;

	if (postings_runs(&g->meta, &from, runs, info_at, err) < 0)
		return -1;
	for (uint32_t k = 0; k < g->meta.n_runs; doc += runs[k++].n)
		pieces[(*n_pieces)++] =
		    (struct piece){ runs[k].row, runs[k].n, (uint32_t)i, doc, runs[k].kind };
	return 0;
}

static void
allocate(struct corpus *c, uint32_t n, size_t n_pieces)
{
	c->n = n;
	c->runs = xcalloc(n_pieces + 1, sizeof(*c->runs));
	c->n_big = ((size_t)n + 1) * sizeof(*c->info);
	c->info = xbig(c->n_big);
	c->kind = xcalloc(n_pieces + 1, 1);
	c->session_words = xcalloc(n_pieces + 1, sizeof(uint32_t));
	c->talk = xcalloc(n_pieces + 1, sizeof(*c->talk));
	c->session_first = xcalloc(n_pieces + 2, sizeof(uint32_t));
}

/* Makes the corpus of the pieces, which are in order of rows; n_mapped [n_segments] begin as 0. */
static int
lay_out(struct index *x, const struct piece *p, size_t n_pieces, size_t *n_mapped, struct err *err)
{
	struct corpus *c = &x->corpus;
	int64_t end = -1, last_session = -1;
	uint32_t at = 0;

	for (size_t i = 0; i < n_pieces; i++) {
		int64_t session = p[i].row >> TURN_BITS;
		if (p[i].row < end)
			return postings_damaged(err, "a message is indexed twice");
		if (session != last_session)
			c->session_first[c->n_sessions++] = at;
		if (c->n_runs > 0 && p[i].row == end && session == last_session)
			c->runs[c->n_runs - 1].n += p[i].n;
		else
			c->runs[c->n_runs++] = (struct corpus_run){ p[i].row, at, p[i].n };
		last_session = session;
		end = p[i].row + p[i].n;
		c->kind[c->n_sessions - 1] =
		    p[i].kind < N_SESSION_KINDS ? p[i].kind : SESSION_UNKNOWN;
		x->maps[p[i].segment][n_mapped[p[i].segment]++] =
		    (struct mapped){ p[i].doc, p[i].n, at };
		at += p[i].n;
	}
	c->session_first[c->n_sessions] = at;
	return 0;
}

/*
 * Reads the info of one segment's turns, each run straight into its place in the corpus; runs and
 * to [its runs] are scratch.
 */
static int
read_info(struct index *x, size_t i, uint64_t info_at, struct postings_run *runs, uint16_t **to,
	struct err *err)
{
	struct segment *g = &x->segments[i];
	struct postings_source from = segment_source(g);

	for (uint32_t k = 0; k < g->meta.n_runs; k++) {
		const struct mapped *m = &x->maps[i][k];
		runs[k].n = m->n;
		to[k] = x->corpus.info + m->turn;
	}
	return postings_info(&g->meta, &from, runs, info_at, to, err);
}

/* What loading needs only for a while. */
struct loading {
	struct piece *pieces;
	struct postings_run *runs;
	uint16_t **to;
	uint64_t *info_at;
	size_t *n_mapped, n_pieces;
	uint32_t n;
};

static int
load_into(struct index *x, struct loading *l, struct err *err)
{
	for (size_t i = 0; i < x->n_segments; i++)
		if (read_runs(x, i, l->runs, l->pieces, &l->n_pieces, &l->info_at[i], err) < 0)
			return -1;
	if (l->n_pieces > 0)
		qsort(l->pieces, l->n_pieces, sizeof(*l->pieces), by_row);
	allocate(&x->corpus, l->n, l->n_pieces);
	if (lay_out(x, l->pieces, l->n_pieces, l->n_mapped, err) < 0)
		return -1;
	for (size_t i = 0; i < x->n_segments; i++)
		if (read_info(x, i, l->info_at[i], l->runs, l->to, err) < 0)
			return -1;
	corpus_measure(&x->corpus);
	return 0;
}

static int want_corpus(struct index *x, const struct index_word *words, size_t n, struct err *err);

static int
load_corpus(struct index *x, const struct index_word *words, size_t n_words, struct err *err)
{
	struct loading l = { .n = 0 };
	size_t n_runs = 0, max_runs = 0;

	if (x->user != 0 && segments_of(x->store, x->user, &x->segments, &x->n_segments, err) < 0)
		return -1;
	if (db_gathers(x->store->db) && want_corpus(x, words, n_words, err) < 0)
		return -1;
	x->maps = xcalloc(x->n_segments + 1, sizeof(*x->maps));
	for (size_t i = 0; i < x->n_segments; i++) {
		const struct postings_meta *m = &x->segments[i].meta;
		l.n += m->n_docs;
		n_runs += m->n_runs;
		max_runs = MAX(max_runs, (size_t)m->n_runs);
		x->maps[i] = xcalloc((size_t)m->n_runs + 1, sizeof(**x->maps));
	}
	l.pieces = xreallocarray(NULL, n_runs + 1, sizeof(*l.pieces));
	l.runs = xreallocarray(NULL, max_runs + 1, sizeof(*l.runs));
	l.to = xreallocarray(NULL, max_runs + 1, sizeof(*l.to));
	l.info_at = xcalloc(x->n_segments + 1, sizeof(*l.info_at));
	l.n_mapped = xcalloc(x->n_segments + 1, sizeof(*l.n_mapped));
	int rc = load_into(x, &l, err);
	free(l.pieces);
	free(l.runs);
	free(l.to);
	free(l.info_at);
	free(l.n_mapped);
	return rc;
}

size_t
index_words_place(const struct index_words *v, const char *text, size_t len)
{
	size_t i = 0;

	while (i < v->n && (v->of[i].len != len || memcmp(v->of[i].text, text, len) != 0))
		i++;
	return i;
}

bool
index_words_add(struct index_words *v, const char *text, size_t len)
{
	if (v->n < v->most && index_words_place(v, text, len) == v->n)
		v->of[v->n++] = (struct index_word){ arena_strndup(v->a, text, len), len };
	return v->n < v->most;
}

int
index_enter(struct store *s, const struct scope *who, struct index **out, struct err *err)
{
	struct index *x = *out;
	int64_t version, user;
	bool same;

	if (x == NULL) {
		x = *out = xcalloc(1, sizeof(*x));
		x->store = s;
		x->version = -1;
	}
	if (!db_has_snapshot(s->db)) {
		if (db_snapshot(s->db, err) < 0)
			return -1;
		x->open = true;
	}
	/* whether there are vectors is looked at in the same round */
	if (stmt_want(s, STMT_VSET_CURRENT, NO_ARGS, err) < 0)
		return -1;
	/* the first read starts the snapshot; the version is then its own */
	if ((user = user_number(s, who->user, false, err)) < 0)
		return -1;
	same = x->version >= 0 && strcmp(x->name, who->user) == 0 && x->commits == s->n_commits;
	if (same && db_version(s->db, &version, err) < 0)
		return -1;
	if (same && x->version == version)
		return 0;
	clear(x);
	free(x->name);
	x->name = xstrdup(who->user);
	x->user = user;
	x->version = -1;
	x->stamp++;
	return 0;
}

void
index_take_as(struct index *x, enum session_kind kind)
{
	struct corpus *c = &x->corpus;

	if (c->n_sessions == 0 || x->taken_as == (int)kind + 1)
		return;
	memset(c->kind, (int)kind, c->n_sessions);
	corpus_measure(c);
	x->taken_as = (int)kind + 1;
	x->stamp++;
}

/* ---- what will be read ---- */

/*
 * Declares all that the lists of words need, in three rounds: where the leaves of the words stand,
 * the leaves, and then the other pages of the lists.
 */
static int
want_lists(struct index *x, const struct index_word *words, size_t n, struct err *err)
{
	size_t n_all = n * x->n_segments;
	FREED uint32_t *leaf = xreallocarray(NULL, n_all + 1, sizeof(*leaf));
	uint32_t first, n_pages;
	int rc = 0, got;

	for (size_t k = 0; rc == 0 && k < n_all; k++)
		rc = segment_want(&x->segments[k % x->n_segments], words[k / x->n_segments].text,
		    words[k / x->n_segments].len, err);
	for (size_t k = 0; rc == 0 && k < n_all; k++) {
		size_t i = k % x->n_segments;
		leaf[k] = UINT32_MAX;
		if ((got = segment_leaf(&x->segments[i], words[k / x->n_segments].text,
		    words[k / x->n_segments].len, &leaf[k], err)) > 0)
			got = segment_want_pages(&x->segments[i], leaf[k], 1, err);
		rc = got;
	}
	for (size_t k = 0; rc == 0 && k < n_all; k++) {
		size_t i = k % x->n_segments;
		struct postings_source from = segment_source(&x->segments[i]);
		const struct index_word *w = &words[k / x->n_segments];
		if (leaf[k] != UINT32_MAX &&
		    (rc = postings_pages(&x->segments[i].meta, &from, leaf[k], w->text, w->len,
		    &first, &n_pages, err)) == 0)
			rc = segment_want_pages(&x->segments[i], first, n_pages, err);
	}
	return rc;
}

struct leaf_pages { struct index *x; size_t segment; };

static int
want_leaf(void *arg, uint32_t page, struct err *err)
{
	struct leaf_pages *l = arg;

	return segment_want_pages(&l->x->segments[l->segment], page, 1, err);
}

static int
want_terms(struct index *x, const struct index_word *prefixes, size_t n, struct err *err)
{
	int rc = 0;

	for (size_t k = 0; rc == 0 && k < n * x->n_segments; k++)
		rc = segment_want_terms(&x->segments[k % x->n_segments],
		    prefixes[k / x->n_segments].text, prefixes[k / x->n_segments].len, err);
	for (size_t k = 0; rc == 0 && k < n * x->n_segments; k++) {
		struct leaf_pages l = { x, k % x->n_segments };
		rc = segment_leaves(&x->segments[l.segment], prefixes[k / x->n_segments].text,
		    prefixes[k / x->n_segments].len, want_leaf, &l, err);
	}
	return rc;
}

int
index_want_cards(struct index *x, const uint32_t *turns, size_t n, struct err *err)
{
	uint32_t run = 0;
	int64_t last = -1;

	for (size_t i = 0; i < n; i++) {
		int64_t row = corpus_row_near(&x->corpus, turns[i], &run),
		    turn = row & (TURNS_MAX - 1), id = row - turn + turn / CARDS_A_PAGE;
		if (id != last && stmt_want(x->store, STMT_CARD_GET, ARGS(id), err) < 0)
			return -1;
		last = id;
	}
	return 0;
}

static int
want_named(struct index *x, const uint32_t *turns, size_t n, struct err *err)
{
	FREED struct card *cards = xreallocarray(NULL, n + 1, sizeof(*cards));
	int rc = index_cards(x, turns, n, cards, err);

	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = labels_want(x->store, x->user, cards[i].speaker, cards[i].agent,
		    cards[i].project, err);
	return rc;
}

int
index_want(struct index *x, const struct index_wants *w, struct err *err)
{
	if (!db_gathers(x->store->db))
		return 0;
	for (size_t i = 0; i < w->n_texts; i++)
		if (stmt_want(x->store, STMT_MESSAGE_TEXT, ARGS(corpus_row(&x->corpus,
		    w->texts[i]), ROWS_OF(x->user)), err) < 0)
			return -1;
	for (uint32_t turn = w->cards_from; turn < w->cards_to; turn++)
		if (index_want_cards(x, &turn, 1, err) < 0)
			return -1;
	if (want_named(x, w->named, w->n_named, err) < 0)
		return -1;
	return w->n_words > 0 && want_lists(x, w->words, w->n_words, err) < 0 ? -1 : want_terms(x,
	    w->prefixes, w->n_prefixes, err);
}

/* Declares the pages of documents, and in the same round where the leaves of words stand. */
static int
want_corpus(struct index *x, const struct index_word *words, size_t n, struct err *err)
{
	for (size_t i = 0; i < x->n_segments; i++) {
		struct segment *g = &x->segments[i];

		if (segment_want_pages(g, 0, g->meta.n_doc_pages, err) < 0)
			return -1;
		for (size_t k = 0; k < n; k++)
			if (segment_want(&x->segments[i], words[k].text, words[k].len, err) < 0)
				return -1;
	}
	return 0;
}

int
index_load(struct index *x, const struct index_word *words, size_t n, struct err *err)
{
	struct index_wants lists = { .words = words, .n_words = n };

	if (x->version < 0) {
		if (load_corpus(x, words, n, err) < 0 ||
		    db_version(x->store->db, &x->version, err) < 0) {
			clear(x);              /* it may be tried again */
			return -1;
		}
		x->commits = x->store->n_commits;
	}
	return index_want(x, &lists, err);
}
