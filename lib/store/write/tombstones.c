/*
 * tombstones.c: key = SHA-256 (kind, session, 0, source), its first 16 bytes; kind 's' a session,
 * 'm' a message by its id there, 'h' by the hash that it has in place of one, 'p' that a session
 * has lost some of its messages, 'w' the words of a document's section in place of a session, 'c' a
 * message as 'm' or 'h' has it, but without its session; of a record SHA-256 ('r', id), and of a
 * message also ('i', id); 'f' the words of a record in a project.
 */
#include "store/write/tombstones.h"

#include "base/hash.h"
#include "store/write/writer.h"

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

enum tombstone_copy
tombstone_copy_key(const void *source, size_t len, bool is_text, uint8_t key[TOMBSTONE_BYTES])
{
	const size_t at_words = strlen(SECTION_ID) + SECTION_PLACE;
	const char *text = is_text ? source : "";
	bool is_uuid = is_text && len >= UUID_BYTES && id_is_uuid(text, UUID_BYTES) &&
	    (len == UUID_BYTES || text[UUID_BYTES] == ':');
	size_t digits = strspn(text, "0123456789abcdef");

	if (strncmp(text, SECTION_ID, strlen(SECTION_ID)) == 0 &&
	    len == at_words + 1 + SECTION_WORDS && text[at_words] == ':') {
		make_key("w", text + at_words + 1, NULL, 0, key);
		return COPY_SURE;
	}
	if (is_text && !is_uuid && (digits != TURN_ID || (digits < len && text[digits] != ':')))
		return COPY_NONE;
	make_key("c", "", source, len, key);
	return is_uuid ? COPY_SURE : COPY_LIKELY;
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

void
tombstone_fact_key(const struct record_words *w, uint8_t key[TOMBSTONE_BYTES])
{
	make_key("f", w->project, w->text, w->len, key);
}

int
session_span(struct store *s, int64_t user, const char *name, struct err *err)
{
	return stmt_run(s, STMT_SESSION_SPAN, ARGS(user, name), err);
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


int
tombstones_any(struct store *s, int64_t user, bool *any, struct err *err)
{
	return stmt_has(s, STMT_TOMBSTONES_ANY, ARGS(user), any, err);
}

int
tombstone_has(struct store *s, int64_t user, const uint8_t key[TOMBSTONE_BYTES], bool *has,
	struct err *err)
{
	return stmt_has(s, STMT_TOMBSTONE_HAS, ARGS(user, BLOB(key, TOMBSTONE_BYTES)), has, err);
}

int
tombstone_put(struct store *s, int64_t user, const uint8_t key[TOMBSTONE_BYTES], struct err *err)
{
	if (stmt_run(s, STMT_TOMBSTONE_PUT, ARGS(user, BLOB(key, TOMBSTONE_BYTES)), err) < 0)
		return -1;
	writer_buried(s, user);
	return db_changes(s->db) == 0 ? 0 : change_log_key(s, user, key, TOMBSTONE_BYTES, err);
}

int
tombstone_take(struct store *s, int64_t user, const uint8_t key[TOMBSTONE_BYTES], struct err *err)
{
	return stmt_run(s, STMT_TOMBSTONE_TAKE, ARGS(user, BLOB(key, TOMBSTONE_BYTES)), err);
}
