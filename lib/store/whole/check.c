/*
 * check.c: is the store whole, and does what is derived agree with what was said?
 *
 * The full text is compared without sorting anything: each posting (row, term, counts) is hashed
 * and the hashes are summed, once over the lists and once over the words of the messages read
 * again. Addition does not care for order, so two walks in different orders give one number.
 */
#include "store/sql/column.h"
#include "store/vectors/slots.h"

#include <stdarg.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "store/driver.h"
#include "store/sql/message_columns.h"
#include "store/index/segments.h"
#include "store/sql/handle.h"
#include "store/write/writer.h"

int
check_tell(struct check *c, int level, const char *what, const char *fmt, ...)
{
	char text[512];
	struct check_finding f = { level, what, text };
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return c->fn(c->arg, &f) == 0 ? 0 : -1;
}

/*
 * What cannot be read is damaged, unless it is the machine that is at fault: no memory, no server,
 * a lock.
 */
static int
tell_unread(struct check *c, int level, const char *what, const struct err *unread)
{
	if (unread->code == ERR_BUSY || unread->code == ERR_UNAVAILABLE ||
	    strcmp(unread->msg, ERR_NO_MEMORY) == 0) {
		*c->err = *unread;
		return -1;
	}
	return check_tell(c, level, what, "%s", unread->msg);
}

struct orphans { struct check *check; int n; };

/* At most 20 are told. */
static int
tell_orphan(void *arg, const char *table)
{
	struct orphans *o = arg;

	return o->n++ < 20 ?
	    check_tell(o->check, 3, "references", "a row of %s is of something that is not there",
	    table) : 0;
}

static int
check_references(struct check *c)
{
	struct orphans o = { c, 0 };
	struct err unread = ERR_INIT;

	if (db_orphans(c->store->db, tell_orphan, &o, &unread) < 0) {
		if (unread.code == 0)
			return -1;
		/* what cannot be read is told already where it is damage, and of which table */
		return c->n_damaged > 0 ? 0 : tell_unread(c, 3, "references", &unread);
	}
	return o.n > 0 ? 0 : check_tell(c, 0, "references", "ok");
}

static int
tell_damage(void *arg, const char *table, bool base, const char *why)
{
	struct check *c = arg;

	c->n_damaged++;
	if (table == NULL)
		return check_tell(c, 2, "file", "%s", why);
	return check_tell(c, base ? 3 : 2, "file", "table %s: %s", table, why);
}

static int
check_file(struct check *c, bool quick)
{
	int64_t n;

	if (db_is_far(c->store->db))
		return check_tell(c, 0, "file",
		    "not looked at: the pages are the server's (pg_amcheck)");
	c->n_damaged = 0;
	db_compare_pages(c->store->db, !quick);
	int rc = damage_find(c->store, quick, tell_damage, c, c->err);
	/* what else is wrong with pages that differ is told by who reads them */
	db_compare_pages(c->store->db, false);
	if (rc < 0)
		return -1;
	if (c->n_damaged > 0)
		return 0;
	if (quick)
		return check_tell(c, 0, "file", "ok");
	if ((n = db_missing_sums(c->store->db)) < 0)
		return check_tell(c, 1, "file",
		    "pages have no sums, as it was damaged when it was brought "
		    "up to date: --repair gives it some");
	if (n == 0)
		return check_tell(c, 0, "file", "every page is as it was written");
	return check_tell(c, 0, "file",
	    "ok, but %lld pages have no sum: another program moved the log into the file",
	    (long long)n);
}

/* ---- what the lists say ---- */

struct sums { uint64_t postings, docs, n_docs; };

static uint64_t
posting_hash(int64_t row, uint64_t term, const struct posting *p)
{
	return hash64_mix(hash64_mix((uint64_t)row ^ term) + ((uint64_t)p->tf << 32 | p->head));
}

static uint64_t
doc_hash(int64_t row, uint16_t info)
{
	return hash64_mix((uint64_t)row * 31 + info);
}

static int
sum_terms(struct segment *g, const struct postings_source *from, const int64_t *rows,
	struct sums *sums, struct err *err)
{
	struct postings_cursor *cursor = postings_cursor_new(&g->meta, from);
	LOCAL(posting_list) list = { NULL, 0, 0 };
	const char *term;
	size_t len;
	uint32_t df;
	int got;

	while ((got = postings_next(cursor, &term, &len, &df, err)) > 0) {
		uint64_t h = hash64(term, len, 0);
		uint32_t leaf;
		list.n = 0;
		/* a search finds the term by the first terms of the leaves */
		if (segment_leaf(g, term, len, &leaf, err) <= 0 || leaf != postings_page(cursor)) {
			got = err_set(err, ERR_IO,
			    "a leaf of the lists is not where it is looked for");
			break;
		}
		if ((got = postings_list(cursor, &list, err)) < 0)
			break;
		for (size_t i = 0; i < list.n; i++)
			sums->postings += posting_hash(rows[list.items[i].doc], h, &list.items[i]);
	}
	postings_cursor_free(cursor);
	return got;
}

static int
sum_lists(struct segment *g, struct sums *sums, struct err *err)
{
	const struct postings_meta *m = &g->meta;
	struct postings_source from = segment_source(g);
	FREED struct postings_run *runs = xreallocarray(NULL, (size_t)m->n_runs + 1, sizeof(*runs));
	FREED uint16_t *info = xreallocarray(NULL, (size_t)m->n_docs + 1, sizeof(*info));
	FREED int64_t *rows = xreallocarray(NULL, (size_t)m->n_docs + 1, sizeof(*rows));
	size_t n = 0;
	int rc = postings_docs(m, &from, runs, info, err);

	for (uint32_t i = 0; rc == 0 && i < m->n_runs; i++)
		for (uint32_t k = 0; k < runs[i].n; k++, n++) {
			rows[n] = runs[i].row + k;
			sums->docs += doc_hash(rows[n], info[n]);
		}
	sums->n_docs += n;
	if (rc == 0)
		rc = sum_terms(g, &from, rows, sums, err);
	return rc;
}

static int
sum_index(struct store *s, struct sums *sums, struct err *err)
{
	struct numbers users = { NULL, 0, 0 };
	size_t n;
	int rc = stmt_each_number(s, STMT_USERS, NO_ARGS, &users, err);

	for (size_t u = 0; rc == 0 && u < users.n; u++) {
		struct segment *all;
		rc = segments_of(s, users.at[u], &all, &n, err);
		for (size_t i = 0; rc == 0 && i < n; i++)
			rc = sum_lists(&all[i], sums, err);
		free(all);
	}
	free(users.at);
	return rc;
}

/* ---- what the messages say ---- */

struct reader { struct preparer *preparer; struct arena arena; };

/* Adds the words of a message, as lists have them, to the sums; and its content's hash. */
static void
sum_words(struct reader *r, int64_t row, enum role role, const char *text, size_t len,
	uint8_t sum[SHA256_BYTES], struct sums *sums)
{
	arena_reset(&r->arena);
	if (preparer_n_terms(r->preparer) >= BATCH_TERMS)
		preparer_clear(r->preparer);
	const struct prepared *p = prepare(r->preparer, text, len, NULL, &r->arena);
	uint16_t info = postings_info_of(p->card.n_words, index_flags(&p->card), index_role(role));

	memcpy(sum, p->sha256, SHA256_BYTES);
	sums->n_docs++;
	sums->docs += doc_hash(row, info);
	for (const struct tally *t = p->terms; t < p->terms + p->n_terms; t++) {
		const struct lexicon_term *term = lexicon_term(p->lexicon, t->term);
		const struct posting posting = { 0, t->tf, t->head };

		sums->postings += posting_hash(row,
		    hash64(lexicon_text(p->lexicon, term), term->len, 0), &posting);
	}
}

struct contents {
	uint64_t n, n_bad;
	struct sums sums;
	uint64_t work;                     /* of the lists of work */
	bool deep;
};

/* One page of all messages: content hashes, and with deep their words. */
static int
read_contents(struct check *c, int64_t *after, struct reader *r, struct contents *to)
{
	struct db_stmt *q = stmt_start(c->store, STMT_ALL_MESSAGES, ARGS(*after, REBUILD_BATCH),
	    c->err);
	uint8_t sum[SHA256_BYTES];
	int got, n = 0;

	while ((got = db_row(q, c->err)) > 0) {
		const char *text = column_peek(q, MESSAGE_content);
		size_t len = (size_t)db_column_bytes(q, MESSAGE_content);
		enum role role = (enum role)db_column_int(q, MESSAGE_role);
		if (db_goes_on(c->store, *after, db_column_int(q, MESSAGE_id), c->err) < 0)
			return -1;
		*after = db_column_int(q, MESSAGE_id);
		n++;
		if (to->deep)
			work_sum_message(q, &r->arena, &to->work);
		if (!to->deep || !role_is_indexed(role))
			sha256(text, len, sum);
		else
			sum_words(r, *after, role, text, len, sum, &to->sums);
		to->n_bad += !column_is(q, MESSAGE_sha256, sum, SHA256_BYTES);
	}
	if (got < 0)
		return -1;
	to->n += (uint64_t)n;
	return n;
}

/* want: what the lists of work should add up to. */
static int
check_work(struct check *c, uint64_t want)
{
	uint64_t have = 0;

	if (work_sum_lists(c->store, &have, c->err) < 0)
		return tell_unread(c, 2, "work", c->err);
	if (have != want)
		return check_tell(c, 2, "work",
		    "lists of files, commands and errors differ from the messages (mem-check "
		    "--repair rebuilds them)");
	return check_tell(c, 0, "work", "lists are those of the messages");
}

static int
check_contents(struct check *c, bool deep)
{
	struct contents have = { .deep = deep };
	struct sums index = { 0, 0, 0 };
	struct reader r = { preparer_new(), ARENA_INIT };
	int64_t after = -1;
	int n;

	while ((n = read_contents(c, &after, &r, &have)) > 0)
		;
	preparer_free(r.preparer);
	arena_release(&r.arena);
	if (n < 0)
		return tell_unread(c, 3, "messages", c->err);
	if (have.n_bad > 0) {
		if (check_tell(c, 3, "messages", "%llu of %llu are not what was stored",
			(unsigned long long)have.n_bad, (unsigned long long)have.n) < 0)
			return -1;
	} else if (check_tell(c, 0, "messages", "%llu are as they were stored",
		       (unsigned long long)have.n) < 0) {
		return -1;
	}
	if (deep && check_work(c, have.work) < 0)
		return -1;
	if (sum_index(c->store, &index, c->err) < 0)
		return tell_unread(c, 2, "full text", c->err);
	if (!deep)
		return check_tell(c, 0, "full text", "lists of %llu turns hold together",
		    (unsigned long long)index.n_docs);
	if (index.n_docs != have.sums.n_docs || index.docs != have.sums.docs ||
	    index.postings != have.sums.postings)
		return check_tell(c, 2, "full text",
		    "lists differ from the words of the messages (mem-check --repair rebuilds "
		    "them)");
	return check_tell(c, 0, "full text", "lists are the words of %llu turns",
	    (unsigned long long)index.n_docs);
}

/* Facts and reflections: content hashes. */
static int
check_records(struct check *c)
{
	uint8_t sum[SHA256_BYTES];
	int64_t after = -1, n = 0, n_bad = 0;
	int got, here;

	do {
		struct db_stmt *q =
		    stmt_start(c->store, STMT_ALL_RECORDS, ARGS(after, REBUILD_BATCH), c->err);
		for (here = 0; (got = db_row(q, c->err)) > 0; here++) {
			int64_t row = db_column_int(q, 0);
			if ((got = db_goes_on(c->store, after, row, c->err)) < 0)
				break;
			after = row;
			sha256(column_peek(q, 2), (size_t)db_column_bytes(q, 2), sum);
			n_bad += !column_is(q, 1, sum, SHA256_BYTES);
		}
		n += here;
	} while (got == 0 && here > 0);
	if (got < 0)
		return tell_unread(c, 3, "records", c->err);
	if (n_bad > 0)
		return check_tell(c, 3, "records", "%lld of %lld are not what was stored",
		    (long long)n_bad, (long long)n);
	return n == 0 ? 0 :
	    check_tell(c, 0, "records", "%lld are as they were stored", (long long)n);
}

/* ---- counts ---- */

static int
check_counts(struct check *c)
{
	static const struct {
		const char *what;
		enum stmt count;
		int level;
		const char *message;
	} rules[] = {
		{ "sessions", STMT_CHECK_PLACE, 3,
		    "messages that are not in the session of their row" },
		{ "sessions", STMT_CHECK_OWNER, 3, "sessions that are not their user's" },
		{ "sessions", STMT_CHECK_TURNS, 2, "sessions whose count of turns is too small" },
		{ "cards", STMT_CHECK_CARDS, 2, "turns without a card" },
		{ "chunks", STMT_CHECK_CHUNKS, 2, "chunks without a message" },
		{ "chunks", STMT_CHECK_CUT, 2, "messages whose chunks are missing" },
		{ "full text", STMT_CHECK_INDEX, 2, "more messages than indexed turns" },
		{ "vectors", STMT_CHECK_VSTRAYS, 2, "pages of vectors that are nobody's" },
		{ "records", STMT_CHECK_FACTS, 3,
		    "facts or reflections of which a part is missing, or that are nobody's" },
		{ "records", STMT_CHECK_NUMBERS, 3,
		    "users whose next record would take a number that is taken" },
		{ "records", STMT_CHECK_SOURCES, 3, "sources of no record" },
		{ "records", STMT_CHECK_ENDED, 1, "facts ended by one that is not here" },
		{ "steps", STMT_CHECK_CHANGES, 3,
		    "steps that lack what they need to be taken back" },
		{ "steps", STMT_CHECK_STEP_IDS, 3, "steps without a name, or names without a step" },
		{ "sessions", STMT_CHECK_MOVED, 3, "noted turns of messages that are not there" },
		{ "changes", STMT_CHECK_PEERS, 3,
		    "changes of stores that are not known, or a store without an id" },
		{ "changes", STMT_CHECK_ALIASES, 3, "other ids of messages that are not there" },
	};

	int n_bad = 0;

	for (size_t i = 0; i < NELEM(rules); i++) {
		int64_t n;

		if (stmt_number(c->store, rules[i].count, NO_ARGS, &n, c->err) < 0) {
			/* that nothing could be counted is no mere warning */
			if (tell_unread(c, rules[i].level == 1 ? 3 : rules[i].level, rules[i].what,
				c->err) < 0)
				return -1;
			n_bad++;
			continue;
		}
		n_bad += n != 0;
		if (n != 0 &&
		    check_tell(c, rules[i].level, rules[i].what, "%lld %s", (long long)n,
			rules[i].message) < 0)
			return -1;
	}
	return n_bad > 0 ? 0 : check_tell(c, 0, "counts", "ok");
}

static int
check_identity(struct check *c)
{
	char have[64], want[64];

	store_features(want, sizeof(want));
	if (store_meta_get(c->store, "features", have, sizeof(have), c->err) < 0)
		return tell_unread(c, 2, "store", c->err);
	if (strcmp(have, want) != 0)
		return check_tell(c, 2, "store",
		    "index was made by another version (%s, now %s): --repair rebuilds it", have,
		    want);
	return check_tell(c, 0, "store", "version %d, %s", STORE_VERSION, have);
}

/* A check that saw nothing has found nothing: it does not end as if all was well. */
static int
check_role(struct check *c)
{
	int some = db_sees_all(c->store, c->err);

	return some <= 0 ? some : tell_unread(c, 1, "role", c->err);
}

void
store_versions(struct buf *out)
{
	buf_addf(out, "store %d\n", STORE_VERSION);
	db_engine(out);
	buf_addc(out, '\n');
}

int
store_check(struct store *s, enum check_level level, check_fn *fn, void *arg, struct err *err)
{
	struct check c = { s, fn, arg, err, 0 };
	bool own = !db_has_snapshot(s->db);      /* else the caller has a snapshot open */
	int rc = -1;

	/* what a writer stores or merges between two looks would be damage */
	if (own && store_snapshot(s, err) < 0)
		return -1;
	if (check_role(&c) < 0 || check_identity(&c) < 0 ||
	    check_file(&c, level == CHECK_QUICK) < 0 || check_references(&c) < 0 ||
	    check_counts(&c) < 0)
		goto out;
	if (level != CHECK_QUICK &&
	    (check_contents(&c, level == CHECK_DEEP) < 0 || check_records(&c) < 0 ||
		vectors_check(&c) < 0))
		goto out;
	rc = 0;
out:
	if (own)
		store_snapshot_end(s);
	else
		db_reset_all(s->db);
	if (rc == 0)
		err_clear(err);        /* damage is a finding, not a failure of the check */
	return rc;
}
