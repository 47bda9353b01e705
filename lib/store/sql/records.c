/*
 * records.c: stores facts, summaries and reflections. A record is a row of record, for a fact also
 * one of fact, and a row of record_source for each thing that it rests on. A change deletes these
 * rows and writes them anew: the step keeps what they were (steps.c), so nothing here needs to know
 * what differs.
 */
#include "store/sql/rows.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/order.h"
#include "base/utf8.h"
#include "store/sql/changes.h"
#include "store/sql/column.h"
#include "store/sql/tombstones.h"

#define TAKEN_MOST 1024                        /* ids tried before giving up */

const char *const fact_kind_names[] = { "fact", "preference", "todo", "decision", "entity" };
const char *const fact_root_names[] = { "facts", "preferences", "skills", "rules", "context" };
const char *const summary_kind_names[] = { "session", "consolidation" };

int fact_kind_parse(const char *s) { return text_index(s, fact_kind_names, N_FACT_KINDS); }
int fact_root_parse(const char *s) { return text_index(s, fact_root_names, N_FACT_ROOTS); }
int summary_kind_parse(const char *s) { return text_index(s, summary_kind_names, N_SUMMARY_KINDS); }

/* ---- binding ---- */

/* Binds an id as its bytes, NULL for none; with any, an id of another program as text. */
static void
bind_id(struct db_stmt *q, int at, const char *id, bool any)
{
	uint8_t bytes[ID_BYTES];

	if (id != NULL && id_parse(id, strlen(id), bytes) == 0)
		db_bind_copy(q, at, bytes, sizeof(bytes));
	else if (any)
		db_bind_text(q, at, id, -1);
	else
		db_bind_null(q, at);
}

int
row_run(struct store *s, enum stmt which, int64_t row, int64_t fourth, struct err *err)
{
	struct db_stmt *q = stmt_of(s, which, err);
	int64_t user = row >> USER_SHIFT;
	int at = 1;

	if (q == NULL)
		return -1;
	/* statements with four parameters begin with the step */
	if (db_parameters(q) == 4)
		db_bind_int(q, at++, fourth);
	db_bind_int(q, at++, row);
	db_bind_int(q, at++, user_lo(user));
	db_bind_int(q, at, user_hi(user));
	return db_done(s->db, q, err, "write record");
}

int
rows_delete(struct store *s, int64_t row, struct err *err)
{
	return row_run(s, STMT_SOURCES_DELETE, row, 0, err) < 0 ||
		row_run(s, STMT_FACT_DELETE, row, 0, err) < 0 ||
		row_run(s, STMT_RECORD_DELETE, row, 0, err) < 0
	    ? -1
	    : 0;
}

/* ---- writing ---- */

static int
check_record(const struct fact *f, struct err *err)
{
	const struct record_head *h = &f->head;
	const struct { const char *what, *text; } names[] = {
		{ "session", h->session }, { "source id", h->source_id }, { "key", f->key }, { "bank", f->bank }, { "subcategory", f->subcategory } };

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

/* In records of other types these stay NULL. */
static void
bind_summary(struct db_stmt *q, const struct fact *f)
{
	const struct summary_keys *v = &f->summary;

	if (f->head.type != RECORD_SUMMARY)
		return;
	db_bind_int(q, 19, v->kind);
	column_bind_time(q, 20, v->first);
	column_bind_time(q, 21, v->last);
	column_bind_text(q, 22, v->model);
	column_bind_text(q, 23, v->structured);
}

/*
 * A new record whose id is taken (another user's copy of it, a process before with the same
 * MEM_SEED) gets the next free one.
 */
static int
put_record(struct store *s, struct fact *f, int64_t agent, int64_t project, bool is_new,
	struct err *err)
{
	struct db_stmt *q = stmt_of(s, STMT_RECORD_PUT, err);
	struct record_head *h = &f->head;
	uint8_t ulid[ID_BYTES];
	int rc;

	if (q == NULL)
		return -1;
	if (*h->id == '\0' || id_parse(h->id, strlen(h->id), ulid) < 0)
		id_make(ulid);
	db_bind_int(q, 1, h->row);
	db_bind_int(q, 2, h->type);
	db_bind_blob(q, 3, ulid, sizeof(ulid));
	column_bind_text(q, 4, h->source_id);
	bind_label(q, 5, agent);
	bind_label(q, 6, project);
	column_bind_text(q, 7, h->session);
	column_bind_time(q, 8, h->time_us);
	db_bind_int(q, 9, h->stored_us);
	db_bind_int(q, 10, h->origin);
	db_bind_int(q, 11, h->trust);
	db_bind_int(q, 12, (int64_t)utf8_count(h->content, h->content_len));
	db_bind_blob(q, 13, h->sha256, SHA256_BYTES);
	db_bind_text(q, 14, h->content, (int)h->content_len);
	column_bind_text(q, 15, h->tags);
	column_bind_text(q, 16, h->extra);
	db_bind_int(q, 17, h->guarded);
	column_bind_time(q, 18, h->retracted_us);
	bind_summary(q, f);
	for (int n = 0; (rc = db_done(s->db, q, err, "write record")) < 0 && is_new &&
	    db_was_taken(s->db) && n < TAKEN_MOST; n++) {
		err_clear(err);
		id_make(ulid);
		db_bind_blob(q, 3, ulid, sizeof(ulid));
	}
	id_format(ulid, h->id);
	return rc;
}

static int
put_fact(struct store *s, const struct fact *f, struct err *err)
{
	struct db_stmt *q = stmt_of(s, STMT_FACT_PUT, err);

	if (q == NULL)
		return -1;
	db_bind_int(q, 1, f->head.row);
	column_bind_text(q, 2, f->key);
	db_bind_text(q, 3, f->bank, -1);
	db_bind_int(q, 4, f->category);
	column_bind_text(q, 5, f->subcategory);
	db_bind_int(q, 6, f->kind);
	db_bind_real(q, 7, f->importance);
	db_bind_real(q, 8, f->confidence);
	column_bind_time(q, 9, f->valid_from_us);
	column_bind_time(q, 10, f->valid_to_us);
	bind_id(q, 11, f->superseded_by, false);
	bind_id(q, 12, f->summarized, false);
	return db_done(s->db, q, err, "write record");
}

static int
put_sources(struct store *s, const struct record_head *h, struct err *err)
{
	for (size_t i = 0; i < h->n_sources; i++) {
		struct db_stmt *q = stmt_of(s, STMT_SOURCE_PUT, err);
		if (q == NULL)
			return -1;
		db_bind_int(q, 1, h->row);
		db_bind_int(q, 2, (int64_t)i);
		bind_id(q, 3, h->sources[i].id, true);
		db_bind_int(q, 4, h->sources[i].start);
		db_bind_int(q, 5, h->sources[i].length);
		if (db_done(s->db, q, err, "write record") < 0)
			return -1;
	}
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
	if ((q = stmt_of(s, STMT_RECORD_SOURCE_ID, err)) == NULL)
		return -1;
	db_bind_text(q, 1, h->source_id, -1);
	db_bind_int(q, 2, h->type);
	db_bind_int(q, 3, user_lo(user));
	db_bind_int(q, 4, user_hi(user));
	if ((got = db_row(s->db, q, err, "read record")) <= 0)
		return got;
	h->row = db_column_int(q, 0);
	column_ulid(q, 1, h->id);
	h->stored_us = db_column_int(q, 2);
	db_reset(q);
	return 1;
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
	struct arena a = ARENA_INIT;
	int rc = -1;

	if (user < 0 || check_record(f, err) < 0)
		return -1;
	if (records_by_row(s, who, row, TIME_NONE, &a, &was, err) < 0)
		goto out;
	if (was == NULL) {
		err_set(err, ERR_NOINPUT, "no record '%s'", f->head.id);
		goto out;
	}
	now.head.stored_us = was->head.stored_us;
	memcpy(now.head.id, was->head.id, ID_TEXT);
	if (step_log(s, who, st, row, true, err) < 0 || rows_delete(s, row, err) < 0 ||
	    rows_put(s, user, &now, false, err) < 0)
		goto out;
	if (memcmp(now.head.sha256, was->head.sha256, SHA256_BYTES) != 0 &&
	    vectors_remove(s, who, (enum vector_kind)now.head.type, &row, 1, err) < 0)
		goto out;
	rc = 0;
out:
	arena_release(&a);
	return rc;
}

/* ---- what goes for good ---- */

/*
 * Each statement removes all rows at once: one by one, most of the time went into starting
 * statements.
 */
static int
remove_rows(struct store *s, int64_t user, const char *rows, size_t len, struct err *err)
{
	static const enum stmt all[] = { STMT_FACT_UNEND, STMT_FACT_UNSUM,
		STMT_FACT_UNEND_WAS, STMT_FACT_UNSUM_WAS, STMT_RECORD_FORGET, STMT_FACT_FORGET,
		 STMT_SOURCES_FORGET, STMT_ACCESS_DELETE, STMT_STEPS_FORGET,
		STMT_STEP_IDS_FORGET, STMT_CHANGES_FORGET, STMT_RECORDS_UNNAME, STMT_RECORDS_LEAVE,
		STMT_SOURCES_REMOVE, STMT_FACTS_REMOVE, STMT_RECORDS_REMOVE };

	for (size_t i = 0; i < NELEM(all); i++) {
		struct db_stmt *q = stmt_of(s, all[i], err);
		if (q == NULL)
			return -1;
		db_bind_text(q, 1, rows, (int)len);
		db_bind_int(q, 2, user_lo(user));
		db_bind_int(q, 3, user_hi(user));
		if (db_done(s->db, q, err, "remove record") < 0)
			return -1;
	}
	return 0;
}

/* Puts tombstones, so that the records do not come back with an export that has them. */
static int
bury(struct store *s, int64_t user, const int64_t *rows, size_t n, struct err *err)
{
	uint8_t ulid[ID_BYTES] = { 0 }, key[TOMBSTONE_BYTES];

	s->buried |= n > 0;
	for (size_t i = 0; i < n; i++) {
		struct db_stmt *q =
		    stmt_bound(s, STMT_RECORD_ID, rows[i], user_lo(user), user_hi(user), 0, err);
		int got = q == NULL ? -1 : db_row(s->db, q, err, "read record");

		if (got < 0)
			return -1;
		if (got > 0 && db_column_bytes(q, 0) == ID_BYTES)
			memcpy(ulid, db_column_blob(q, 0), ID_BYTES);
		db_reset(q);
		tombstone_record_key(ulid, key);
		if (got > 0 && tombstone_put(s, user, key, err) < 0)
			return -1;
	}
	return 0;
}

struct numbers { int64_t *at; size_t n; };

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
	struct numbers of = { xreallocarray(NULL, n, sizeof(*rows)), n };
	int rc;

	memcpy(of.at, rows, n * sizeof(*rows));
	qsort(of.at, n, sizeof(*rows), by_int64);
	rc = handed_remove(s, user, is_record_of, &of, err);
	free(of.at);
	return rc;
}

int
records_remove(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	struct err *err)
{
	static const enum vector_kind kinds[] = { VECTOR_FACT, VECTOR_SUMMARY, VECTOR_REFLECTION };
	int64_t user = writer_user(s, who->user, err);
	struct buf list;
	int rc = -1;

	if (user < 0)
		return -1;
	buf_init(&list, conf_caps.output_bytes);
	buf_addc(&list, '[');
	for (size_t i = 0; i < n; i++)
		if (rows[i] >> USER_SHIFT == user)
			buf_addf(&list, "%s%lld", list.len > 1 ? "," : "", (long long)rows[i]);
	buf_addc(&list, ']');
	if (list.full)
		err_set(err, ERR_DATA, "too many records at once");
	else if (bury(s, user, rows, n, err) == 0)
		rc = remove_rows(s, user, list.data, list.len, err);
	if (rc == 0 && n > 0)
		rc = answers_drop_all(s, user, err);
	if (rc == 0 && n > 0)
		rc = leave_handed(s, user, rows, n, err);
	for (size_t i = 0; i < NELEM(kinds) && rc == 0; i++)
		rc = vectors_remove(s, who, kinds[i], rows, n, err);
	buf_release(&list);
	return rc;
}

static int
touch(struct store *s, int64_t user, const int64_t *rows, size_t n, struct err *err)
{
	int64_t now = clock_now_us(), change;

	if (change_log(s, user, CHANGE_ACCESS, 0, 0, &change, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct db_stmt *q =
		    stmt_bound(s, STMT_RECORD_TOUCH, now, change, rows[i], user_lo(user), err);
		if (q == NULL)
			return -1;
		db_bind_int(q, 5, user_hi(user));
		if (db_done(s->db, q, err, "write record") < 0)
			return -1;
	}
	return 0;
}

/* Fails in silence, as metrics_put does: the answer is out already. */
void
records_touch_soon(struct store *s, const struct scope *who, const int64_t *rows, size_t n)
{
	struct err ignored = ERR_INIT;
	int64_t user;

	if (n == 0 || db_read_only(s->db) ||
	    (user = user_number(s, who->user, false, &ignored)) <= 0 ||
	    db_short_begin(s->db, who->user, &ignored) < 0)
		return;
	db_short_end(s->db, touch(s, user, rows, n, &ignored), &ignored);
}
