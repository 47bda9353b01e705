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

/* Puts one more member into the object that was written last. */
static void
reopen(struct buf *out)
{
	out->len--;                            /* its "}" */
}

static void
add_head(struct buf *out, const char *type, const char *id, const char *user)
{
	json_record(out, type);
	json_str(out, "id", id);
	json_str(out, "user", user);
}

static void
hex_member(struct buf *out, const char *key, const uint8_t *bytes, size_t n)
{
	char hex[SHA256_TEXT];

	json_str(out, key, hex_format(bytes, n, hex));
}

void
line_head(struct buf *out, const struct news_head *h)
{
	char text[MARK_TEXT];

	add_head(out, "export", NULL, NULL);
	json_int(out, "v", EXPORT_VERSION);
	if (h != NULL) {
		json_str(out, "store", h->store);
		json_str(out, "name", h->name);
		json_str(out, "user", h->user);
		record_text(out, "for", h->for_store);
		json_int(out, "since", h->since);
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
	add_head(out, "exported", NULL, NULL);
	json_int(out, "records", n_lines);
	hex_member(out, "sha256", sum, SHA256_BYTES);
	json_close(out);
}

void
line_session(struct buf *out, const char *user, const struct session *v)
{
	add_head(out, "session", v->id, user);
	json_time(out, "time", v->updated_us);
	record_text(out, "agent", v->agent);
	record_text(out, "project", v->project);
	json_str(out, "session", v->id);
	record_text(out, "title", v->title);
	json_time(out, "created", v->created_us);
	json_time(out, "updated", v->updated_us);
	record_text(out, "system_prompt", v->system_prompt);
	if (v->metadata != NULL && *v->metadata != '\0')
		json_raw(out, "metadata", v->metadata, strlen(v->metadata));
	if (v->told_us != TIME_NONE)
		json_time(out, "told", v->told_us);
	if (v->again)
		json_bool(out, "again", true);
	json_close(out);
}

void
line_message(struct buf *out, const char *user, const struct message *m)
{
	record_message(out, user, m);
	if (*m->source_id != '\0')
		return;
	reopen(out);
	hex_member(out, "place_hash", m->place, PLACE_BYTES);
	json_close(out);
}

void
line_step(struct buf *out, const char *user, const struct step_given *st)
{
	add_head(out, "step", st->id, user);
	json_time(out, "time", st->step.time_us);
	record_text(out, "agent", st->step.agent);
	json_str(out, "did", step_names[st->step.did]);
	record_text(out, "why", st->step.why);
	record_text(out, "undoes", st->undoes);
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
	add_head(out, "gone", id, user);
	json_str(out, "by_step", step);
	json_close(out);
}

void
line_access(struct buf *out, const char *user, const struct access_given *v)
{
	add_head(out, "access", v->id, user);
	json_time(out, "accessed", v->accessed_us);
	json_int(out, "accesses", v->n_accesses);
	json_close(out);
}

void
line_category(struct buf *out, const char *user, const struct category *c)
{
	add_head(out, "category", c->id, user);
	json_time(out, "time", c->updated_us);
	json_str(out, "root", fact_root_names[c->root]);
	record_text(out, "name", c->name);
	json_raw(out, "keywords", c->keywords, strlen(c->keywords));
	json_time(out, "created", c->created_us);
	json_close(out);
}

static const char *const kinds[] = { [VECTOR_MESSAGE] = "message", [VECTOR_FACT] = "fact",
	[VECTOR_SUMMARY] = "summary", [VECTOR_REFLECTION] = "reflection" };

void
line_member(struct buf *out, const char *user, const struct member_given *v)
{
	add_head(out, "member", v->id, user);
	json_str(out, "kind", kinds[v->kind]);
	json_str(out, "category", v->category);
	json_close(out);
}

/* A key, and bytes of it in base64; key NULL: an element of an array. */
static void
bytes_member(struct buf *out, const char *key, const uint8_t *bytes, size_t n)
{
	struct buf b;

	buf_init(&b, out->max);
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
	add_head(out, "vector_set", NULL, NULL);
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
	struct buf parts;

	buf_init(&parts, out->max);
	json_array_open(&parts, NULL);
	for (size_t i = 0; i < v->n_parts; i++) {
		json_next(&parts);
		bytes_member(&parts, NULL, v->parts + i * v->part_bytes, v->part_bytes);
	}
	json_array_close(&parts);
	add_head(out, "vectors", v->id, user);
	json_str(out, "kind", kinds[v->kind]);
	hex_member(out, "model", v->model, SHA256_BYTES);
	hex_member(out, "of", v->of, SHA256_BYTES);
	json_raw(out, "parts", parts.data, parts.len);
	json_close(out);
	buf_release(&parts);
}

void
line_profile(struct buf *out, const char *user, const struct about *v)
{
	add_head(out, "profile", NULL, user);
	json_time(out, "time", v->updated_us);
	json_str(out, "field", about_fields[v->field]);
	json_str(out, "value", v->value);
	json_close(out);
}

void
line_consent(struct buf *out, const char *user, bool yes, int64_t since_us)
{
	add_head(out, "consent", NULL, user);
	json_time(out, "time", since_us);
	json_bool(out, "consent", yes);
	json_close(out);
}

void
line_tombstone(struct buf *out, const char *user, const uint8_t key[TOMBSTONE_BYTES])
{
	add_head(out, "tombstone", NULL, user);
	hex_member(out, "key", key, TOMBSTONE_BYTES);
	json_close(out);
}
