/*
 * pam.c: a record is a "memory", with the type that comes nearest to its own. A hash stands beside
 * each text, of its form without case and blanks (base/normal.h). Only names that the document
 * defines are referred to in it, as its validator wants: a session only when it is known when it
 * was, a fact that ended another only when it is in the part.
 */
#include "transfer/export_parts.h"

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "base/normal.h"
#include "facts/subject.h"
#include "json/json.h"

#define PLATFORM "mem"

struct made_in { char *session; char id[ID_TEXT]; };

struct document {
	struct exporter e;
	struct arena arena;                    /* of a record */
	struct buf text;
	struct made_in *made;                  /* which records come from which session */
	size_t n, cap;
	bool first;                            /* of the list at hand */
};

static int
end_item(struct document *d)
{
	buf_addc(d->e.out, '\n');
	return exporter_end_record(&d->e);
}

static void
begin_item(struct document *d)
{
	if (!d->first)
		buf_addc(d->e.out, ',');
	d->first = false;
	json_open(d->e.out);
}

/* ---- memories ---- */

static const char *
type_of(const struct fact *f)
{
	static const char *const roots[N_FACT_ROOTS] = { [ROOT_FACTS] = "fact",
		[ROOT_PREFERENCES] = "preference", [ROOT_SKILLS] = "skill",
		[ROOT_RULES] = "instruction", [ROOT_CONTEXT] = "context" };

	if (f->head.type != RECORD_FACT)
		return "custom";
	return f->kind == FACT_PREFERENCE ? "preference" : f->kind == FACT_TODO ? "goal"
						       : roots[f->category];
}

static void
put_text(struct document *d, const char *text, size_t len)
{
	char digits[8 + 2 * SHA256_BYTES];
	uint8_t sum[SHA256_BYTES];

	json_strn(d->e.out, "content", text, len);
	buf_reset(&d->text);
	normal_text(&d->text, text, len);
	sha256(d->text.data, d->text.len, sum);
	memcpy(digits, "sha256:", 7);
	for (int i = 0; i < SHA256_BYTES; i++)
		snprintf(digits + 7 + 2 * i, 3, "%02x", sum[i]);
	json_str(d->e.out, "content_hash", digits);
}

/* Those tags that its grammar takes: small letters, digits, hyphens. */
static void
put_tags(struct document *d, const char *tags)
{
	struct err ignored = ERR_INIT;
	const struct json *list;

	json_array_open(d->e.out, "tags");
	if (*tags != '\0' && json_parse(tags, strlen(tags), &d->arena, &list, &ignored) == 0 &&
	    list->kind == JSON_ARRAY)
		for (size_t i = 0; i < list->len; i++) {
			const char *tag =
			    list->u.items[i].kind == JSON_STRING ? list->u.items[i].u.string : "";
			size_t n = strspn(tag, "abcdefghijklmnopqrstuvwxyz0123456789_-");

			if (n == 0 || tag[n] != '\0' || !ascii_is_alnum(tag[0]))
				continue;
			json_item(d->e.out, tag, n);
		}
	json_array_close(d->e.out);
}

/* The fact that ended it, when it is written, too; else NULL. */
static int
ended_by(struct document *d, const struct fact *f, const char **id)
{
	const struct fact *by = NULL;

	*id = NULL;
	if (f->head.type != RECORD_FACT || *f->superseded_by == '\0')
		return 0;
	if (records_find(d->e.s, &d->e.who, f->superseded_by, &d->arena, &by, d->e.err) != 0)
		return -1;
	if (by != NULL && part_takes(d->e.o, by))
		*id = arena_strdup(&d->arena, by->head.id);
	return 0;
}

static void
put_times(struct document *d, const struct fact *f, const char *by)
{
	bool is_fact = f->head.type == RECORD_FACT;
	int64_t from = is_fact ? f->valid_from_us : TIME_NONE,
		to = is_fact ? f->valid_to_us : TIME_NONE;

	json_object_open(d->e.out, "temporal");
	json_time(d->e.out, "created_at",
	    f->head.time_us != TIME_NONE ? f->head.time_us : f->head.stored_us);
	if (from != TIME_NONE)
		json_time(d->e.out, "valid_from", from);
	if (to != TIME_NONE && (from == TIME_NONE || from <= to))
		json_time(d->e.out, "valid_until", to);
	if (by != NULL)
		json_str(d->e.out, "superseded_by", by);
	json_close(d->e.out);
}

/* Where it comes from. A session counts when it is known when it began. */
static int
put_provenance(struct document *d, const struct fact *f)
{
	const struct record_head *h = &f->head;
	const struct session *v = NULL;

	if (*h->session != '\0' &&
	    sessions_find(d->e.s, &d->e.who, h->session, &d->arena, &v, d->e.err) != 0)
		return -1;
	json_object_open(d->e.out, "provenance");
	json_str(d->e.out, "platform", PLATFORM);
	if (v != NULL && v->created_us != TIME_NONE) {
		json_str(d->e.out, "conversation_ref", v->id);
		xgrow(&d->made, &d->cap, d->n + 1, sizeof(*d->made));
		d->made[d->n].session = xstrdup(v->id);
		memcpy(d->made[d->n++].id, h->id, ID_TEXT);
	}
	if (h->n_sources > 0)
		json_str(d->e.out, "message_ref", h->sources[0].id);
	if (h->origin == ORIGIN_USER)
		json_str(d->e.out, "extraction_method", "explicit_user_input");
	json_close(d->e.out);
	return 0;
}

static void
put_metadata(struct document *d, const struct fact *f)
{
	json_object_open(d->e.out, "metadata");
	if (f->head.type == RECORD_FACT) {
		json_str(d->e.out, "bank", f->bank);
		json_str(d->e.out, "key", *f->key != '\0' ? f->key : NULL);
		json_str(d->e.out, "kind", fact_kind_names[f->kind]);
		json_num(d->e.out, "importance", f->importance);
	}
	json_str(d->e.out, "agent", *f->head.agent != '\0' ? f->head.agent : NULL);
	json_str(d->e.out, "project", *f->head.project != '\0' ? f->head.project : NULL);
	json_close(d->e.out);
}

static int
put_record(void *arg, const struct fact *f)
{
	struct document *d = arg;
	const char *by, *text;

	if (!part_takes(d->e.o, f))
		return 0;
	arena_reset(&d->arena);
	arena_reset(&d->e.redact.arena);
	if (ended_by(d, f, &by) != 0)
		return -1;
	text = fact_shown(f, &d->arena);
	if (exporter_later(&d->e, f, &d->arena, &text, NULL) != 0)
		return -1;
	size_t len = strlen(text);
	text = redact_text(&d->e.redact, text, &len);
	begin_item(d);
	json_str(d->e.out, "id", f->head.id);
	json_str(d->e.out, "type", type_of(f));
	if (f->head.type != RECORD_FACT)
		json_str(d->e.out, "custom_type",
		    f->head.type == RECORD_SUMMARY ? "summary" : "note");
	json_str(d->e.out, "status", f->head.retracted_us != TIME_NONE ? "retracted"
	    : by != NULL					     ? "superseded"
								     : "active");
	put_text(d, text, len);
	put_tags(d, f->head.tags);
	if (f->head.type == RECORD_FACT) {
		json_object_open(d->e.out, "confidence");
		json_num(d->e.out, "initial", f->confidence);
		json_num(d->e.out, "current", f->confidence);
		json_close(d->e.out);
	}
	put_times(d, f, f->head.retracted_us != TIME_NONE ? NULL : by);
	if (put_provenance(d, f) != 0)
		return -1;
	put_metadata(d, f);
	json_close(d->e.out);
	return end_item(d);
}

static int
put_field(void *arg, const struct about *v)
{
	struct document *d = arg;
	char *text = NULL;

	arena_reset(&d->arena);
	text = arena_printf(&d->arena, "%s: %s", about_meanings[v->field], v->value);
	begin_item(d);
	buf_addf(d->e.out, "\"id\":\"profile-%s\"", about_fields[v->field]);
	json_str(d->e.out, "type", "identity");
	put_text(d, text, strlen(text));
	json_object_open(d->e.out, "temporal");
	json_time(d->e.out, "created_at", v->updated_us);
	json_close(d->e.out);
	json_object_open(d->e.out, "provenance");
	json_str(d->e.out, "platform", PLATFORM);
	json_str(d->e.out, "extraction_method", "explicit_user_input");
	json_close(d->e.out);
	json_close(d->e.out);
	return end_item(d);
}

/* ---- the sessions that they come from ---- */

static int
by_session(const void *x, const void *y)
{
	const struct made_in *a = x, *b = y;
	int c = strcmp(a->session, b->session);

	return c != 0 ? c : strcmp(a->id, b->id);
}

static int
put_conversation(struct document *d, size_t at, size_t end)
{
	const struct session *v;

	arena_reset(&d->arena);
	arena_reset(&d->e.redact.arena);
	if (sessions_find(d->e.s, &d->e.who, d->made[at].session, &d->arena, &v, d->e.err) != 0)
		return -1;
	if (v == NULL || v->created_us == TIME_NONE)
		return 0;                      /* it went while this was written */
	begin_item(d);
	json_str(d->e.out, "id", v->id);
	json_str(d->e.out, "platform", PLATFORM);
	json_str(d->e.out, "title", redact_text(&d->e.redact, v->title, NULL));
	json_int(d->e.out, "message_count", v->n_messages);
	json_object_open(d->e.out, "temporal");
	json_time(d->e.out, "created_at", v->created_us);
	if (v->updated_us != TIME_NONE && v->updated_us >= v->created_us)
		json_time(d->e.out, "updated_at", v->updated_us);
	json_close(d->e.out);
	json_array_open(d->e.out, "derived_memories");
	for (size_t i = at; i < end; i++)
		json_item(d->e.out, d->made[i].id, strlen(d->made[i].id));
	json_array_close(d->e.out);
	json_close(d->e.out);
	return end_item(d);
}

static int
put_conversations(struct document *d)
{
	int rc = 0;

	if (d->n > 0)
		qsort(d->made, d->n, sizeof(*d->made), by_session);
	for (size_t at = 0, end; at < d->n && rc == 0; at = end) {
		for (end = at + 1; end < d->n &&
		     strcmp(d->made[end].session, d->made[at].session) == 0; end++)
			;
		rc = put_conversation(d, at, end);
	}
	return rc;
}

static int
put_document(struct document *d)
{
	int rc = 0;

	json_open(d->e.out);
	json_str(d->e.out, "schema", "portable-ai-memory");
	json_str(d->e.out, "schema_version", "1.0");
	json_str(d->e.out, "exported_by", "mem/" MEM_VERSION);
	json_object_open(d->e.out, "owner");
	json_str(d->e.out, "id", d->e.who.user);
	json_close(d->e.out);
	json_array_open(d->e.out, "memories");
	d->first = true;
	if (d->e.o->profile)
		rc = about_each(d->e.s, &d->e.who, put_field, d, d->e.err);
	for (int type = RECORD_FACT; type <= RECORD_REFLECTION && rc == 0; type++) {
		struct record_filter f = RECORD_FILTER_ANY((enum record_type)type);

		f.also = RECORDS_ALL;
		rc = records_each(d->e.s, &d->e.who, &f, put_record, d, d->e.err);
	}
	buf_adds(d->e.out, "],\"conversations_index\":[");
	d->first = true;
	if (rc == 0)
		rc = put_conversations(d);
	json_array_close(d->e.out);
	json_close(d->e.out);
	return rc == 0 ? end_item(d) : rc;
}

int
export_pam(struct store *s, const struct export_options *o, struct buf *out,
	int (*ended)(void *arg), void *arg, struct err *err)
{
	struct document d = { .n = 0 };

	exporter_init(&d.e, s, o, out, ended, arg, err);
	buf_init(&d.text, out->max);
	int rc = put_document(&d);
	for (size_t i = 0; i < d.n; i++)
		free(d.made[i].session);
	free(d.made);
	buf_release(&d.text);
	exporter_release(&d.e);
	arena_release(&d.arena);
	return rc < 0 ? -1 : 0;
}
