/*
 * fulltext.c: a user's inverted lists as segments in the database: written once, merged as they
 * grow in number.
 *
 * A batch of messages becomes one segment in the transaction that stores them. When FAN segments of
 * one size class (powers of FAN) stand side by side they are merged into one of the next, so a user
 * with a million turns has some twenty segments and each posting is rewritten log_FAN(turns /
 * batch) times. No positions are kept: with them the lists would be three times as long, and a
 * search reads whole lists in milliseconds.
 */
#include "store/sql/handle.h"

#include "base/alloc.h"
#include "store/index/segments.h"

#define FAN 8

struct sink {
	struct store *store;
	int64_t user, no, first;               /* first: id of page 0 */
};

static int
sink_page(void *arg, uint32_t page, const void *data, size_t len, struct err *err)
{
	struct sink *k = arg;
	return stmt_run(k->store, STMT_PAGE_PUT, ARGS(k->first + page, BLOB(data, len)), err);
}

static int
sink_leaf(void *arg, const char *term, size_t len, uint32_t page, struct err *err)
{
	struct sink *k = arg;
	return stmt_run(k->store, STMT_LEAF_PUT, ARGS(k->user, k->no, BLOB(term, len), page), err);
}


static int
sink_open(struct store *s, int64_t user, struct sink *k, struct err *err)
{
	*k = (struct sink){ s, user, 0, 0 };
	if (stmt_number(s, STMT_SEGMENT_NEXT, ARGS(user), &k->no, err) < 0 ||
	    stmt_number(s, STMT_PAGE_LAST, ARGS(ROWS_OF(user)), &k->first, err) < 0)
		return -1;
	k->first++;
	return 0;
}

static int
put_segment(struct store *s, const struct sink *k, const struct postings_meta *m, struct err *err)
{
	return stmt_run(s, STMT_SEGMENT_PUT, ARGS(k->user, k->no, m->n_docs, m->n_runs,
	    m->n_doc_pages, m->n_pages, (int64_t)m->n_words, k->first), err);
}


/* Deletes the first n pages. */
static int
delete_pages(void *arg, uint32_t n, struct err *err)
{
	struct segment *g = arg;
	int64_t from = g->first + g->n_gone;

	g->n_gone = n;
	return stmt_run(g->store, STMT_PAGES_DELETE, ARGS(from, g->first + n - 1), err);
}

static int
delete_segment(struct store *s, struct segment *g, struct err *err)
{
	static const enum stmt all[] = { STMT_LEAVES_DELETE, STMT_SEGMENT_DELETE };

	return delete_pages(g, g->meta.n_pages, err) < 0
	    ? -1
	    : stmts_run(s, all, NELEM(all), ARGS(g->user, g->no), err);
}

static unsigned
class_of(uint32_t n_docs)
{
	unsigned class = 0;

	for (; n_docs >= FAN; n_docs /= FAN)
		class++;
	return class;
}

/*
 * A page that was read is deleted before the next is written, which takes its place in the file:
 * else it would be written as well, full of zeros.
 */
static int
merge_segments(struct store *s, struct segment **g, size_t n, const struct postings_edit *edit,
	struct err *err)
{
	FREED struct postings_part *parts = xcalloc(n, sizeof(*parts));
	struct postings_sink to = { sink_page, sink_leaf, NULL };
	struct postings_meta meta;
	struct sink k;

	if (sink_open(s, g[0]->user, &k, err) < 0)
		return -1;
	to.arg = &k;
	for (size_t i = 0; i < n; i++)
		parts[i] = (struct postings_part){ g[i]->meta, segment_source(g[i]), delete_pages };
	if (postings_merge(parts, n, edit, &to, &meta, err) < 0 ||
	    put_segment(s, &k, &meta, err) < 0)
		return -1;
	struct segment none = { .meta = meta,
		.user = k.user,
		.no = k.no,
		.first = k.first,
		.store = s };
	if (meta.n_docs == 0 && delete_segment(s, &none, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (delete_segment(s, g[i], err) < 0)
			return -1;
	return 0;
}

/* Merges the smallest size class that is full, and again while there is one. */
static int
merge_full_classes(struct store *s, int64_t user, struct err *err)
{
	for (;;) {
		struct segment *all, *in[FAN];
		size_t n, n_in = 0;
		int rc = 0;

		if (segments_of(s, user, &all, &n, err) < 0)
			return -1;
		for (unsigned class = 0; class < 12 && n_in < FAN; class++) {
			n_in = 0;
			for (size_t i = 0; i < n && n_in < FAN; i++)
				if (class_of(all[i].meta.n_docs) == class)
					in[n_in++] = &all[i];
		}
		if (n_in == FAN)
			rc = merge_segments(s, in, FAN, NULL, err);
		free(all);
		if (rc < 0 || n_in < FAN)
			return rc;
	}
}

int
fulltext_add(struct store *s, int64_t user, struct postings_builder *b,
	uint8_t (*kind_of)(void *, int64_t), void *kind_arg, struct err *err)
{
	struct postings_sink to = { sink_page, sink_leaf, NULL };
	struct postings_meta meta;
	struct sink k;

	if (sink_open(s, user, &k, err) < 0)
		return -1;
	to.arg = &k;
	if (postings_finish(b, kind_of, kind_arg, &to, &meta, err) < 0 ||
	    put_segment(s, &k, &meta, err) < 0)
		return -1;
	return merge_full_classes(s, user, err);
}

/* Whether the edit changes anything of the segment; 1: it does. */
static int
is_edited(struct segment *g, const struct postings_edit *e, struct err *err)
{
	struct postings_source from = segment_source(g);
	FREED struct postings_run *runs =
	    xreallocarray(NULL, (size_t)g->meta.n_runs + 1, sizeof(*runs));
	uint64_t info_at;
	int has = postings_runs(&g->meta, &from, runs, &info_at, err);

	for (size_t i = 0; i < g->meta.n_runs && has == 0; i++) {
		has = e->kind(e->arg, runs[i].row, runs[i].kind) != runs[i].kind;
		for (uint32_t at = 0; at < runs[i].n && has == 0; at++)
			has = e->drop(e->arg, runs[i].row + at);
	}
	return has;
}

int
fulltext_edit(struct store *s, int64_t user, const struct postings_edit *edit, struct err *err)
{
	struct segment *all;
	FREED struct segment **in = NULL;
	size_t n, n_in = 0;
	int rc = 0, has;

	if (segments_of(s, user, &all, &n, err) < 0)
		return -1;
	in = xcalloc(n + 1, sizeof(struct segment *));
	for (size_t i = 0; i < n && rc == 0; i++) {
		if ((has = is_edited(&all[i], edit, err)) < 0)
			rc = -1;
		else if (has > 0)
			in[n_in++] = &all[i];
	}
	if (rc == 0 && n_in > 0)
		rc = merge_segments(s, in, n_in, edit, err);
	free(all);
	return rc;
}

/* ---- reading ---- */

/*
 * One row of STMT_SEGMENTS. Memory is taken by its numbers before a page is read, so they may say
 * no more than the file can hold: a document takes two bytes of info, a run three, and all pages of
 * documents but the last are full ones, of which the whole file has room for so many. *left: how
 * many more there can be.
 */
static int
read_segment(struct store *s, struct db_stmt *q, int64_t user, int64_t *left, struct segment *out,
	struct err *err)
{
	int64_t docs = db_column_int(q, 1), runs = db_column_int(q, 2),
		doc_pages = db_column_int(q, 3), pages = db_column_int(q, 4),
		first = db_column_int(q, 6);

	*left -= MAX(doc_pages, 1) - 1;
	if (doc_pages < 0 || doc_pages > pages || pages > UINT32_MAX || *left < 0 || runs < 0 ||
	    runs > docs || docs > doc_pages * (POSTINGS_PAGE_BYTES / 2) || first < user_lo(user) ||
	    first > user_hi(user) - pages)
		return postings_damaged(err, "size of a segment");
	*out = (struct segment){
		.meta = { .n_docs = (uint32_t)docs,
		    .n_runs = (uint32_t)runs,
		    .n_doc_pages = (uint32_t)doc_pages,
		    .n_pages = (uint32_t)pages,
		    .n_words = (uint64_t)db_column_int(q, 5) },
		.user = user,
		.no = db_column_int(q, 0),
		.first = first,
		.store = s,
	};
	return 0;
}

int
segments_of(struct store *s, int64_t user, struct segment **out, size_t *n, struct err *err)
{
	int64_t left;
	size_t cap = 0;
	int got;

	*out = NULL;
	*n = 0;
	if (db_bytes(s->db, &left, err) < 0)
		return -1;
	left /= POSTINGS_PAGE_BYTES;
	struct db_stmt *q = stmt_start(s, STMT_SEGMENTS, ARGS(user), err);
	while ((got = db_row(q, err)) > 0) {
		if ((got = read_segment(s, q, user, &left, xpush(*out, *n, cap), err)) < 0)
			break;
	}
	db_reset(q);
	if (got < 0) {
		free(*out);
		*out = NULL;
		*n = 0;
	}
	return got;
}

static int
source_page(void *arg, uint32_t page, const uint8_t **data, size_t *len, struct err *err)
{
	struct segment *g = arg;
	int got;

	if (page >= g->meta.n_pages)
		return postings_damaged(err, "page of another segment");
	struct db_stmt *q = stmt_start(g->store, STMT_PAGE_GET, ARGS(g->first + page), err);
	if ((got = db_row(q, err)) < 0)
		return -1;
	if (got == 0)
		return postings_damaged(err, "a page is missing");
	*data = db_column_blob(q, 0);     /* lives until the statement is used again */
	*len = (size_t)db_column_bytes(q, 0);
	return 0;
}

struct postings_source
segment_source(struct segment *g)
{
	return (struct postings_source){ source_page, g };
}

/* What comes behind all terms with the prefix. */
static struct db_value
term_behind(const char *prefix, size_t len, char behind[WORDS_TERM_BYTES])
{
	len = MIN(len, WORDS_TERM_BYTES);
	*behind = '\xff';
	if (len > 0) {
		memcpy(behind, prefix, len);
		behind[len - 1]++;                 /* no byte of UTF-8 is 0xff */
	}
	return BLOB(behind, MAX(len, 1u));
}

int
segment_want(struct segment *g, const char *term, size_t len, struct err *err)
{
	return stmt_want(g->store, STMT_LEAF_FIND, ARGS(g->user, g->no, BLOB(term, len)), err);
}

int
segment_want_terms(struct segment *g, const char *prefix, size_t len, struct err *err)
{
	char behind[WORDS_TERM_BYTES];

	if (len > 0 && segment_want(g, prefix, len, err) < 0)
		return -1;
	return stmt_want(g->store, STMT_LEAVES_BETWEEN, ARGS(g->user, g->no,
	    BLOB(len > 0 ? prefix : "", len), term_behind(prefix, len, behind)), err);
}

int
segment_want_pages(struct segment *g, uint32_t first, uint32_t n, struct err *err)
{
	for (uint32_t i = first; i < first + n && i < g->meta.n_pages; i++)
		if (stmt_want(g->store, STMT_PAGE_GET, ARGS(g->first + i), err) < 0)
			return -1;
	return 0;
}

int
segment_leaf(struct segment *g, const char *term, size_t len, uint32_t *page, struct err *err)
{
	int64_t no;
	int got = stmt_number(g->store, STMT_LEAF_FIND, ARGS(g->user, g->no, BLOB(term, len)), &no,
	    err);

	if (got > 0)
		*page = (uint32_t)no;
	return got;
}

int
segment_find(struct segment *g, const char *term, size_t len, struct posting_list *list,
	struct err *err)
{
	struct postings_source from = segment_source(g);
	uint32_t leaf;
	int got = segment_leaf(g, term, len, &leaf, err);

	return got <= 0 ? got : postings_find(&g->meta, &from, leaf, term, len, list, err);
}

int
segment_leaves(struct segment *g, const char *prefix, size_t len, int (*fn)(void *arg,
	uint32_t page, struct err *err), void *arg, struct err *err)
{
	char behind[WORDS_TERM_BYTES];
	uint32_t leaf;
	int got = len == 0 ? 0 : segment_leaf(g, prefix, len, &leaf, err);

	if (got < 0 || (got > 0 && fn(arg, leaf, err) < 0))
		return -1;
	struct db_stmt *q = stmt_start(g->store, STMT_LEAVES_BETWEEN, ARGS(g->user, g->no,
	    BLOB(len > 0 ? prefix : "", len), term_behind(prefix, len, behind)), err);
	while ((got = db_row(q, err)) > 0)
		if (fn(arg, (uint32_t)db_column_int(q, 0), err) < 0) {
			db_reset(q);
			return -1;
		}
	return got;
}

struct leaf_reader { struct segment *segment; struct postings_source from; void (*fn)(void *arg,
	const char *term, size_t len, uint32_t df); void *arg; };

static int
read_leaf(void *arg, uint32_t page, struct err *err)
{
	struct leaf_reader *r = arg;

	return postings_leaf_terms(&r->segment->meta, &r->from, page, r->fn, r->arg, err);
}

int
segment_terms(struct segment *g, const char *prefix, size_t len, void (*fn)(void *arg,
	const char *term, size_t len, uint32_t df), void *arg, struct err *err)
{
	struct leaf_reader r = { g, segment_source(g), fn, arg };

	return segment_leaves(g, prefix, len, read_leaf, &r, err);
}
