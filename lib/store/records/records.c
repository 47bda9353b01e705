/*
 * records.c: stores facts, summaries and reflections. A record is a row of record, for a fact also
 * one of fact, and a row of record_source for each thing that it rests on. A change deletes these
 * rows and writes them anew: the step keeps what they were (steps.c), so nothing here needs to know
 * what differs.
 */
#include "store/records/rows.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/order.h"
#include "base/utf8.h"
#include "store/sql/column.h"
#include "store/write/tombstones.h"
#include "store/accounts/answers.h"
#include "store/write/writer.h"

#define TAKEN_MOST 1024                        /* ids tried before giving up */

const char *const fact_kind_names[] = { "fact", "preference", "todo", "decision", "entity" };
const char *const fact_root_names[] = { "facts", "preferences", "skills", "rules", "context" };
const char *const summary_kind_names[] = { "session", "consolidation" };

int fact_kind_parse(const char *s) { return text_index(s, fact_kind_names, N_FACT_KINDS); }
int fact_root_parse(const char *s) { return text_index(s, fact_root_names, N_FACT_ROOTS); }
int summary_kind_parse(const char *s) { return text_index(s, summary_kind_names, N_SUMMARY_KINDS); }

/* An id as its bytes, which are kept there, NULL for none; with any, another program's as text. */
static struct db_value
id_value(const char *id, bool any, uint8_t bytes[ID_BYTES])
{
	if (id != NULL && id_parse(id, strlen(id), bytes) == 0)
		return BLOB(bytes, ID_BYTES);
	return any ? value_text(id) : NONE;
}

int
rows_delete(struct store *s, int64_t row, struct err *err)
{
	static const enum stmt all[] = { STMT_SOURCES_DELETE, STMT_FACT_DELETE,
		STMT_RECORD_DELETE };
	int64_t user = row >> USER_SHIFT;

	return stmts_run(s, all, NELEM(all), ARGS(row, ROWS_OF(user)), err);
}

/* ---- writing ---- */

static int
check_record(const struct fact *f, struct err *err)
{
	const struct record_head *h = &f->head;
	const struct { const char *what, *text; } names[] = {
		{ "session", h->session }, { "source id", h->source_id }, { "key", f->key },
		{ "bank", f->bank }, { "subcategory", f->subcategory } };

	if (h->content_len == 0)
		return err_set(err, ERR_DATA, "a record without content");
	if (h->n_sources > RECORD_SOURCES_MAX)
		return err_set(err, ERR_DATA, "more than %d sources", RECORD_SOURCES_MAX);
	for (size_t i = 0; i < NELEM(names); i++)
		if (names[i].text != NULL && strlen(names[i].text) > conf_caps.id_bytes)
			return err_set(err, ERR_DATA, "%s is over %zu bytes", names[i].what,
			    conf_caps.id_bytes);
	return 0;
}


/*
 * A new record whose id is taken (another user's copy of it, a process before with the same
 * MEM_SEED) gets the next free one.
 */
static int
put_record(struct store *s, struct fact *f, int64_t agent, int64_t project, bool is_new,
	struct err *err)
{
	struct record_head *h = &f->head;
	const struct summary_keys *v = &f->summary;
	bool sums = h->type == RECORD_SUMMARY;
	uint8_t ulid[ID_BYTES];
	int rc;

	if (*h->id == '\0' || id_parse(h->id, strlen(h->id), ulid) < 0)
		id_make(ulid);
	for (int n = 0; ; n++) {
		rc = stmt_run(s, STMT_RECORD_PUT, ARGS(h->row, h->type, BLOB(ulid, ID_BYTES),
		    SOME(h->source_id), LABEL(agent), LABEL(project), SOME(h->session),
		    TIME(h->time_us), h->stored_us, h->origin, h->trust,
		    utf8_count(h->content, h->content_len), BLOB(h->sha256, SHA256_BYTES),
		    TEXT(h->content, h->content_len), SOME(h->tags), SOME(h->extra), h->guarded,
		    TIME(h->retracted_us), sums ? value_number(v->kind) : NONE,
		    TIME(sums ? v->first : TIME_NONE), TIME(sums ? v->last : TIME_NONE),
		    SOME(sums ? v->model : NULL), SOME(sums ? v->structured : NULL)), err);
		if (rc == 0 || !is_new || !db_was_taken(s->db) || n == TAKEN_MOST)
			break;
		err_clear(err);
		id_make(ulid);
	}
	id_format(ulid, h->id);
	return rc;
}

static int
put_fact(struct store *s, const struct fact *f, struct err *err)
{
	uint8_t by[ID_BYTES], summary[ID_BYTES];

	return stmt_run(s, STMT_FACT_PUT, ARGS(f->head.row, SOME(f->key), f->bank, f->category,
	    SOME(f->subcategory), f->kind, f->importance, f->confidence, TIME(f->valid_from_us),
	    TIME(f->valid_to_us), id_value(f->superseded_by, false, by),
	    id_value(f->summarized, false, summary)), err);
}

static int
put_sources(struct store *s, const struct record_head *h, struct err *err)
{
	const struct record_source *v = h->sources;
	uint8_t ulid[ID_BYTES];

	for (size_t i = 0; i < h->n_sources; i++)
		if (stmt_run(s, STMT_SOURCE_PUT, ARGS(h->row, i, id_value(v[i].id, true, ulid),
		    v[i].start, v[i].length), err) < 0)
			return -1;
	return 0;
}

int
rows_put(struct store *s, int64_t user, struct fact *f, bool is_new, struct err *err)
{
	struct record_head *h = &f->head;
	int64_t agent, project;

	if (h->trust < 0)
		h->trust = origin_trust(h->origin);
	sha256(h->content, h->content_len, h->sha256);
	if ((agent = writer_label(s, user, LABEL_AGENT, h->agent, err)) < 0 ||
	    (project = writer_label(s, user, LABEL_PROJECT, h->project, err)) < 0)
		return -1;
	return put_record(s, f, agent, project, is_new, err) < 0 ||
		(h->type == RECORD_FACT && put_fact(s, f, err) < 0) || put_sources(s, h, err) < 0
	    ? -1
	    : 0;
}

static int
find_duplicate(struct store *s, int64_t user, struct record_head *h, struct err *err)
{
	struct db_stmt *q;
	int got;

	if (h->source_id == NULL || *h->source_id == '\0')
		return 0;
	q = stmt_start(s, STMT_RECORD_SOURCE_ID, ARGS(h->source_id, h->type, ROWS_OF(user)), err);
	if ((got = db_row(q, err)) <= 0)
		return got;
	h->row = db_column_int(q, 0);
	column_ulid(q, 1, h->id);
	h->stored_us = db_column_int(q, 2);
	db_reset(q);
	return 1;
}

int
records_known(struct store *s, const struct scope *who, struct record_head *h, struct err *err)
{
	int64_t user = writer_user(s, who->user, err);

	return user < 0 ? -1 : find_duplicate(s, user, h, err);
}

int
records_put(struct store *s, const struct scope *who, struct step *st, struct fact *f,
	enum put_did *did, struct err *err)
{
	struct record_head *h = &f->head;
	int64_t user;
	int got;

	if (check_record(f, err) < 0 || (user = writer_user(s, who->user, err)) < 0 ||
	    (got = find_duplicate(s, user, h, err)) < 0)
		return -1;
	*did = got > 0 ? PUT_DUPLICATE : PUT_STORED;
	if (got > 0)
		return 0;
	if (h->stored_us == 0)
		h->stored_us = clock_now_us();
	if (db_next_row(s, STMT_RECORD_NEXT, user, &h->row, err) < 0 ||
	    step_log(s, who, st, h->row, false, err) < 0)
		return -1;
	return rows_put(s, user, f, true, err);
}

int
records_change(struct store *s, const struct scope *who, struct step *st, const struct fact *f,
	struct err *err)
{
	int64_t user = writer_user(s, who->user, err), row = f->head.row;
	const struct fact *was;
	struct fact now = *f;
	LOCAL(arena) a = ARENA_INIT;

	if (user < 0 || check_record(f, err) < 0)
		return -1;
	if (records_by_row(s, who, row, TIME_NONE, &a, &was, err) < 0)
		return -1;
	if (was == NULL)
		return err_set(err, ERR_NOINPUT, "no record '%s'", f->head.id);
	now.head.stored_us = was->head.stored_us;
	memcpy(now.head.id, was->head.id, ID_TEXT);
	if (step_log(s, who, st, row, true, err) < 0 || rows_delete(s, row, err) < 0 ||
	    rows_put(s, user, &now, false, err) < 0)
		return -1;
	if (memcmp(now.head.sha256, was->head.sha256, SHA256_BYTES) != 0 &&
	    vectors_remove(s, who, (enum vector_kind)now.head.type, &row, 1, err) < 0)
		return -1;
	return 0;
}

/* ---- what goes for good ---- */

/* Puts tombstones, so that the records do not come back with an export that has them. */
static int
bury(struct store *s, int64_t user, const int64_t *rows, size_t n, struct err *err)
{
	uint8_t ulid[ID_BYTES] = { 0 }, key[TOMBSTONE_BYTES];

	s->buried |= n > 0;
	for (size_t i = 0; i < n; i++) {
		struct db_stmt *q =
		    stmt_start(s, STMT_RECORD_ID, ARGS(rows[i], ROWS_OF(user)), err);
		int got = db_row(q, err);

		if (got < 0)
			return -1;
		if (got > 0)
			column_copy(q, 0, ulid, ID_BYTES);
		db_reset(q);
		tombstone_record_key(ulid, key);
		if (got > 0 && tombstone_put(s, user, key, err) < 0)
			return -1;
	}
	return 0;
}

int
words_forget(struct store *s, const struct scope *who, const struct record_words *w,
	struct err *err)
{
	int64_t user = writer_user(s, who->user, err);
	uint8_t key[TOMBSTONE_BYTES];

	tombstone_fact_key(w, key);
	return user < 0 ? -1 : tombstone_put(s, user, key, err);
}

int
words_forgotten(struct store *s, const struct scope *who, const struct record_words *w,
	bool back, bool *were, struct err *err)
{
	int64_t user = writer_user(s, who->user, err);
	/* what was of no project held in each */
	const struct record_words in[] = { *w, { "", w->text, w->len } };
	bool any, take = back || s->put.pruned_return;

	*were = false;
	if (user < 0 || writer_tombstones(s, user, &any, err) < 0)
		return -1;
	for (size_t i = 0; i < NELEM(in) && any && (take || !*were); i++) {
		uint8_t key[TOMBSTONE_BYTES];
		bool has;

		tombstone_fact_key(&in[i], key);
		if (tombstone_has(s, user, key, &has, err) < 0 ||
		    (has && take && tombstone_take(s, user, key, err) < 0))
			return -1;
		*were |= has;
	}
	*were &= back || !take;
	return 0;
}

static bool
is_record_of(void *arg, bool is_record, int64_t row)
{
	const struct numbers *of = arg;

	return is_record && bsearch(&row, of->at, of->n, sizeof(row), by_int64) != NULL;
}

/* Removes the records from the answers that handed them out. */
static int
leave_handed(struct store *s, int64_t user, const int64_t *rows, size_t n, struct err *err)
{
	struct numbers of = { xreallocarray(NULL, n, sizeof(*rows)), n, n };

	memcpy(of.at, rows, n * sizeof(*rows));
	qsort(of.at, n, sizeof(*rows), by_int64);
	int rc = handed_remove(s, user, is_record_of, &of, err);
	free(of.at);
	return rc;
}

int
records_remove(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	struct err *err)
{
	/* each removes all rows at once: one by one, most of the time went into starting them */
	static const enum stmt all[] = { STMT_FACT_UNEND, STMT_FACT_UNSUM, STMT_FACT_UNEND_WAS,
		STMT_FACT_UNSUM_WAS, STMT_RECORD_FORGET, STMT_FACT_FORGET, STMT_SOURCES_FORGET,
		STMT_ACCESS_DELETE, STMT_STEPS_FORGET, STMT_STEP_IDS_FORGET, STMT_CHANGES_FORGET,
		STMT_RECORDS_UNNAME, STMT_RECORDS_LEAVE, STMT_SOURCES_REMOVE, STMT_FACTS_REMOVE,
		STMT_RECORDS_REMOVE };
	static const enum vector_kind kinds[] = { VECTOR_FACT, VECTOR_SUMMARY, VECTOR_REFLECTION };
	int64_t user = writer_user(s, who->user, err);
	int rc = -1;

	if (user < 0)
		return -1;
	LOCAL(buf) list = buf_of(conf_caps.output_bytes);
	buf_addc(&list, '[');
	for (size_t i = 0; i < n; i++)
		if (rows[i] >> USER_SHIFT == user)
			buf_addf(&list, "%s%lld", list.len > 1 ? "," : "", (long long)rows[i]);
	buf_addc(&list, ']');
	if (list.full)
		err_set(err, ERR_DATA, "too many records at once");
	else if (bury(s, user, rows, n, err) == 0)
		rc = stmts_run(s, all, NELEM(all), ARGS(TEXT(list.data, list.len), ROWS_OF(user)),
		    err);
	if (rc == 0 && n > 0)
		rc = stmt_run(s, STMT_CATEGORIES_EMPTIED, ARGS(ROWS_OF(user)), err);
	if (rc == 0 && n > 0)
		rc = answers_drop_all(s, user, err);
	if (rc == 0 && n > 0)
		rc = leave_handed(s, user, rows, n, err);
	for (size_t i = 0; i < NELEM(kinds) && rc == 0; i++)
		rc = vectors_remove(s, who, kinds[i], rows, n, err);
	return rc;
}

static int
touch(struct store *s, int64_t user, const int64_t *rows, size_t n, struct err *err)
{
	int64_t now = clock_now_us(), change;

	if (change_log(s, user, CHANGE_ACCESS, 0, 0, &change, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (stmt_run(s, STMT_RECORD_TOUCH, ARGS(now, change, rows[i], ROWS_OF(user)),
		    err) < 0)
			return -1;
	return 0;
}

/* Fails in silence, as metrics_put does: the answer is out already. */
void
records_touch_soon(struct store *s, const struct scope *who, const int64_t *rows, size_t n)
{
	struct err ignored = ERR_INIT;
	int64_t user = n == 0 ? 0 : short_begin_user(s, who, &ignored);

	if (user > 0)
		db_short_end(s->db, touch(s, user, rows, n, &ignored), &ignored);
}
