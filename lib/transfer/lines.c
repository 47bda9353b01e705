/*
 * lines.c: writes the records that only an export has, and those of the other programs as an export
 * has them.
 */
#include "transfer/lines.h"

#include "base/alloc.h"
#include "base/base64.h"
#include "facts/fact_record.h"
#include "json/json.h"
#include "records/record.h"
#include "transfer/export.h"

#define AT(type, member) offsetof(struct type, member)

const struct field place_fields[] = {
	FIELD("place_hash", BYTES, 0, AT(message, place), .high = PLACE_BYTES),
	FIELD_END
};

const struct field told_fields[] = {
	FIELD("told", TIME, 0, AT(session, told_us)),
	FIELD("again", FLAG, 0, AT(session, again)),
	FIELD_END
};

const struct field step_fields[] = {
	FIELD("id", ID, FIELD_MUST, AT(step_given, id)),
	FIELD_OF_USER,
	FIELD("time", TIME, FIELD_MUST | FIELD_SHOWN, AT(step_given, step.time_us)),
	FIELD("agent", NAME, 0, AT(step_given, step.agent)),
	FIELD("did", WORD, FIELD_MUST, AT(step_given, step.did), .high = STEP_UNDO + 1,
	    .names = step_names),
	FIELD("why", TEXT, 0, AT(step_given, step.why)),
	FIELD("undoes", ID, 0, AT(step_given, undoes)),
	FIELD_END
};

const struct field access_fields[] = {
	FIELD("id", ID, FIELD_MUST, AT(access_given, id)),
	FIELD_OF_USER,
	FIELD("accessed", TIME, FIELD_MUST | FIELD_SHOWN, AT(access_given, accessed_us)),
	FIELD("accesses", INT, FIELD_SHOWN, AT(access_given, n_accesses), .high = (int64_t)1 << 52,
	    .other = 1),
	FIELD_END
};

const struct field category_fields[] = {
	FIELD("id", ID, FIELD_MUST, AT(category, id)),
	FIELD_OF_USER,
	FIELD("time", TIME, FIELD_MUST | FIELD_SHOWN, AT(category, updated_us)),
	FIELD("root", WORD, FIELD_MUST, AT(category, root), .high = N_FACT_ROOTS,
	    .names = fact_root_names),
	FIELD("name", NAME, 0, AT(category, name)),
	FIELD("keywords", LIST, 0, AT(category, keywords)),
	FIELD("hand", WORD, 0, AT(category, hand), .high = N_HANDS, .names = category_hands),
	FIELD("created", TIME, FIELD_MUST | FIELD_SHOWN, AT(category, created_us)),
	FIELD_END
};

static const char *const kinds[] = { [VECTOR_MESSAGE] = "message", [VECTOR_FACT] = "fact",
	[VECTOR_SUMMARY] = "summary", [VECTOR_REFLECTION] = "reflection" };

const struct field member_fields[] = {
	FIELD("id", ID, FIELD_MUST, AT(member_given, id)),
	FIELD_OF_USER,
	FIELD("kind", WORD, FIELD_MUST, AT(member_given, kind), .high = NELEM(kinds),
	    .names = kinds),
	FIELD("category", ID, FIELD_MUST, AT(member_given, category)),
	FIELD_END
};

const struct field profile_fields[] = {
	FIELD_OF_USER,
	FIELD("time", TIME, FIELD_MUST | FIELD_SHOWN, AT(about, updated_us)),
	FIELD("field", WORD, FIELD_MUST, AT(about, field), .high = N_ABOUT_FIELDS,
	    .names = about_fields),
	FIELD("value", TEXT, FIELD_MUST, AT(about, value)),
	FIELD_END
};

const struct field vectors_fields[] = {
	FIELD("id", ID, FIELD_MUST, AT(vectors_given, id)),
	FIELD_OF_USER,
	FIELD("kind", WORD, FIELD_MUST, AT(vectors_given, kind), .high = NELEM(kinds),
	    .names = kinds),
	FIELD("model", BYTES, FIELD_MUST, AT(vectors_given, model), .high = SHA256_BYTES),
	FIELD("of", BYTES, FIELD_MUST, AT(vectors_given, of), .high = SHA256_BYTES),
	FIELD_END
};

const struct field news_fields[] = {
	FIELD("name", NAME, FIELD_SHOWN, AT(news_head, name)),
	FIELD("user", TEXT, FIELD_MUST, AT(news_head, user)),
	FIELD("for", ID, 0, AT(news_head, for_store)),
	FIELD("since", INT, FIELD_SHOWN, AT(news_head, since), .high = (int64_t)1 << 52),
	FIELD_END
};

/* Puts one more member into the object that was written last. */
static void
reopen(struct buf *out)
{
	out->len--;                            /* its "}" */
}

static void
hex_member(struct buf *out, const char *key, const uint8_t *bytes, size_t n)
{
	char hex[SHA256_TEXT];

	json_str(out, key, hex_format(bytes, n, hex));
}

void
line_of(struct buf *out, const char *type, const struct field *table, const char *user,
	const void *from)
{
	json_record(out, type);
	fields_write(out, table, user, from);
	json_close(out);
}

void
line_head(struct buf *out, const struct news_head *h)
{
	char text[MARK_TEXT];

	json_record(out, "export");
	json_int(out, "v", EXPORT_VERSION);
	if (h != NULL) {
		json_str(out, "store", h->store);
		fields_write(out, news_fields, NULL, h);
		json_str(out, "mark", mark_format(&h->mark, text));
		json_str(out, "has", mark_format(&h->has, text));
		if (h->lost)
			json_bool(out, "lost", true);
	}
	json_close(out);
}

void
line_end(struct buf *out, int64_t n_lines, const uint8_t sum[SHA256_BYTES])
{
	json_record(out, "exported");
	json_int(out, "records", n_lines);
	hex_member(out, "sha256", sum, SHA256_BYTES);
	json_close(out);
}

void
line_session(struct buf *out, const char *user, const struct session *v)
{
	line_of(out, "session", session_fields, user, v);
	reopen(out);
	fields_write(out, told_fields, user, v);
	json_close(out);
}

void
line_message(struct buf *out, const char *user, const struct message *m)
{
	record_message(out, user, m);
	if (*m->source_id != '\0')
		return;
	reopen(out);
	fields_write(out, place_fields, user, m);
	json_close(out);
}

void
line_record(struct buf *out, const char *user, const struct fact *f, const char *step)
{
	struct fact own = *f;

	own.found_in = "";
	own.n_supersedes = 0;
	own.head.n_accesses = 0;
	fact_record(out, user, &own, NULL);
	reopen(out);
	json_str(out, "by_step", step);
	json_close(out);
}

void
line_gone(struct buf *out, const char *user, const char *id, const char *step)
{
	json_record(out, "gone");
	json_str(out, "id", id);
	json_str(out, "user", user);
	json_str(out, "by_step", step);
	json_close(out);
}

/* A key, and bytes of it in base64; key NULL: an element of an array. */
static void
bytes_member(struct buf *out, const char *key, const uint8_t *bytes, size_t n)
{
	struct buf b = buf_of(out->max);

	buf_addc(&b, '"');
	base64_encode(&b, bytes, n);
	buf_addc(&b, '"');
	if (key != NULL)
		json_raw(out, key, b.data, b.len);
	else
		buf_add(out, b.data, b.len);
	buf_release(&b);
}

void
line_model(struct buf *out, const struct vector_model *m)
{
	json_record(out, "vector_set");
	json_str(out, "model", m->name);
	hex_member(out, "sha256", m->sha256, SHA256_BYTES);
	json_int(out, "dims", m->n_dims);
	json_num(out, "unrelated", (double)m->unrelated);
	if (m->centre != NULL) {
		uint8_t *bytes = xreallocarray(NULL, m->n_dims, 4);

		for (size_t i = 0; i < m->n_dims; i++) {
			uint32_t bits;

			memcpy(&bits, &m->centre[i], 4);
			for (int k = 0; k < 4; k++)
				bytes[4 * i + (size_t)k] = (uint8_t)(bits >> 8 * k);
		}
		bytes_member(out, "centre", bytes, 4 * (size_t)m->n_dims);
		free(bytes);
	}
	json_close(out);
}

void
line_vectors(struct buf *out, const char *user, const struct vectors_given *v)
{
	struct buf parts = buf_of(out->max);

	json_array_open(&parts, NULL);
	for (size_t i = 0; i < v->n_parts; i++) {
		json_next(&parts);
		bytes_member(&parts, NULL, v->parts + i * v->part_bytes, v->part_bytes);
	}
	json_array_close(&parts);
	line_of(out, "vectors", vectors_fields, user, v);
	reopen(out);
	json_raw(out, "parts", parts.data, parts.len);
	json_close(out);
	buf_release(&parts);
}

void
line_consent(struct buf *out, const char *user, bool yes, int64_t since_us)
{
	json_record(out, "consent");
	json_str(out, "user", user);
	json_time(out, "time", since_us);
	json_bool(out, "consent", yes);
	json_close(out);
}

void
line_tombstone(struct buf *out, const char *user, const uint8_t key[TOMBSTONE_BYTES])
{
	json_record(out, "tombstone");
	json_str(out, "user", user);
	hex_member(out, "key", key, TOMBSTONE_BYTES);
	json_close(out);
}
