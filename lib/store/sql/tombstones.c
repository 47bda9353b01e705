/*
 * tombstones.c: key = SHA-256 (kind, session, 0, source), its first 16 bytes; kind 's' a session,
 * 'm' a message by its id there, 'h' by the hash that it has in place of one, 'p' that a session
 * has lost some of its messages; of a record SHA-256 ('r', id), and of a message also ('i', id).
 */
#include "store/sql/tombstones.h"

#include "base/hash.h"
#include "store/sql/changes.h"

static void
make_key(const char *kind, const char *session, const void *source, size_t len,
	uint8_t key[TOMBSTONE_BYTES])
{
	struct sha256 h;
	uint8_t sum[SHA256_BYTES];

	sha256_init(&h);
	sha256_add(&h, kind, 1);
	sha256_add(&h, session, strlen(session) + 1);
	if (source != NULL)
		sha256_add(&h, source, len);
	sha256_end(&h, sum);
	memcpy(key, sum, TOMBSTONE_BYTES);
}

void
tombstone_key(const char *session, const void *source, size_t len, bool is_text,
	uint8_t key[TOMBSTONE_BYTES])
{
	make_key(source == NULL ? "s" : is_text ? "m" : "h", session, source, len, key);
}

void
tombstone_part_key(const char *session, uint8_t key[TOMBSTONE_BYTES])
{
	make_key("p", session, NULL, 0, key);
}

static void
make_id_key(uint8_t kind, const uint8_t ulid[ID_BYTES], uint8_t key[TOMBSTONE_BYTES])
{
	uint8_t text[1 + ID_BYTES] = { kind }, sum[SHA256_BYTES];

	memcpy(text + 1, ulid, ID_BYTES);
	sha256(text, sizeof(text), sum);
	memcpy(key, sum, TOMBSTONE_BYTES);
}

void
tombstone_record_key(const uint8_t ulid[ID_BYTES], uint8_t key[TOMBSTONE_BYTES])
{
	make_id_key('r', ulid, key);
}

void
tombstone_source_key(const uint8_t ulid[ID_BYTES], uint8_t key[TOMBSTONE_BYTES])
{
	make_id_key('i', ulid, key);
}

int
session_span(struct store *s, int64_t user, const char *name, struct err *err)
{
	struct db_stmt *q = stmt_bound(s, STMT_SESSION_SPAN, user, 0, 0, 0, err);

	if (q == NULL)
		return -1;
	db_bind_text(q, 2, name, -1);
	return db_done(s->db, q, err, "write session");
}

int
session_is_part(struct store *s, int64_t user, const char *name, bool *is, struct err *err)
{
	uint8_t key[TOMBSTONE_BYTES];
	bool any;

	*is = false;
	if (writer_tombstones(s, user, &any, err) < 0)
		return -1;
	if (!any)
		return 0;
	tombstone_part_key(name, key);
	return s->put.pruned_return ? tombstone_take(s, user, key, err)
				    : tombstone_has(s, user, key, is, err);
}

static struct db_stmt *
bound(struct store *s, enum stmt which, int64_t user, const uint8_t *key, struct err *err)
{
	struct db_stmt *q = stmt_of(s, which, err);

	if (q == NULL)
		return NULL;
	db_bind_int(q, 1, user);
	if (key != NULL)
		db_bind_blob(q, 2, key, TOMBSTONE_BYTES);
	return q;
}

static int
is_there(struct store *s, struct db_stmt *q, bool *there, struct err *err)
{
	int got = q == NULL ? -1 : db_row(s->db, q, err, "read tombstones");

	*there = got > 0;
	if (got > 0)
		db_reset(q);
	return got < 0 ? -1 : 0;
}

int
tombstones_any(struct store *s, int64_t user, bool *any, struct err *err)
{
	return is_there(s, bound(s, STMT_TOMBSTONES_ANY, user, NULL, err), any, err);
}

int
tombstone_has(struct store *s, int64_t user, const uint8_t key[TOMBSTONE_BYTES], bool *has,
	struct err *err)
{
	return is_there(s, bound(s, STMT_TOMBSTONE_HAS, user, key, err), has, err);
}

int
tombstone_put(struct store *s, int64_t user, const uint8_t key[TOMBSTONE_BYTES], struct err *err)
{
	struct db_stmt *q = bound(s, STMT_TOMBSTONE_PUT, user, key, err);

	if (q == NULL || db_done(s->db, q, err, "write tombstones") < 0)
		return -1;
	writer_buried(s, user);
	return db_changes(s->db) == 0 ? 0 : change_log_key(s, user, key, TOMBSTONE_BYTES, err);
}

int
tombstone_take(struct store *s, int64_t user, const uint8_t key[TOMBSTONE_BYTES], struct err *err)
{
	struct db_stmt *q = bound(s, STMT_TOMBSTONE_TAKE, user, key, err);

	return q == NULL ? -1 : db_done(s->db, q, err, "write tombstones");
}
