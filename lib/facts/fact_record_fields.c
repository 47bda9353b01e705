/*
 * fact_record_fields.c: writes facts, summaries, reflections and verdicts as JSON.
 */
#include "facts/fact_record.h"
#include "records/record.h"

#define TURNS_MOST ((int64_t)1 << 40)
#define AT(member) offsetof(struct fact, member)

const struct field fact_head[] = {
	FIELD("id", ID, FIELD_MUST, AT(head.id)),
	FIELD_OF_USER,
	FIELD("time", TIME, FIELD_SHOWN, AT(head.time_us)),
	FIELD("agent", NAME, 0, AT(head.agent)),
	FIELD("project", NAME, 0, AT(head.project)),
	FIELD("session", NAME, 0, AT(head.session)),
	FIELD("origin", WORD, FIELD_MUST, AT(head.origin), .high = ORIGIN_DERIVED + 1,
	    .names = origin_names),
	FIELD("trust", INT32, 0, AT(head.trust), .high = 3, .other = -1),
	FIELD_END
};

const struct field fact_text[] = {
	FIELD("source_id", NAME, 0, AT(head.source_id)),
	FIELD("content", CONTENT, 0, AT(head.content)),
	FIELD_END
};

const struct field fact_own[] = {
	FIELD("key", NAME, 0, AT(key)),
	FIELD("bank", NAME, FIELD_SHOWN, AT(bank)),
	FIELD("category", WORD, FIELD_MUST, AT(category), .high = N_FACT_ROOTS,
	    .names = fact_root_names),
	FIELD("subcategory", NAME, 0, AT(subcategory)),
	FIELD("kind", WORD, FIELD_MUST, AT(kind), .high = N_FACT_KINDS, .names = fact_kind_names),
	FIELD("importance", SHARE, 0, AT(importance)),
	FIELD("confidence", SHARE, 0, AT(confidence)),
	FIELD("valid_from", TIME, 0, AT(valid_from_us)),
	FIELD("valid_to", TIME, 0, AT(valid_to_us)),
	FIELD_END
};

const struct field fact_ended[] = {
	FIELD("superseded_by", RECORD, 0, AT(superseded_by)),
	FIELD("summarized", RECORD, 0, AT(summarized)),
	FIELD_END
};

const struct field fact_summary[] = {
	FIELD("kind", WORD, FIELD_MUST, AT(summary.kind), .high = N_SUMMARY_KINDS,
	    .names = summary_kind_names),
	FIELD("first", INT, 0, AT(summary.first), .high = TURNS_MOST, .other = TIME_NONE),
	FIELD("last", INT, 0, AT(summary.last), .high = TURNS_MOST, .other = TIME_NONE),
	FIELD("model", TEXT, 0, AT(summary.model)),
	FIELD("structured", OBJECT, 0, AT(summary.structured)),
	FIELD_END
};

const struct field fact_rest[] = {
	FIELD("tags", LIST, 0, AT(head.tags)),
	FIELD("protected", FLAG, 0, AT(head.guarded)),
	FIELD("retracted", TIME, 0, AT(head.retracted_us)),
	FIELD("accessed", TIME, FIELD_OUT, AT(head.accessed_us)),
	FIELD("accesses", INT, FIELD_OUT, AT(head.n_accesses)),
	FIELD("stored", TIME, FIELD_MUST, AT(head.stored_us)),
	FIELD_END
};

void
record_sources(struct buf *out, const struct record_head *h, const char *const *quotes)
{
	if (h->n_sources == 0)
		return;
	json_array_open(out, "sources");
	for (size_t i = 0; i < h->n_sources; i++) {
		json_object_open(out, NULL);
		json_str(out, "id", h->sources[i].id);
		if (h->sources[i].length > 0) {
			json_int(out, "start", h->sources[i].start);
			json_int(out, "length", h->sources[i].length);
		}
		if (quotes != NULL && quotes[i] != NULL)
			json_str(out, "quote", quotes[i]);
		json_close(out);
	}
	json_array_close(out);
}

void
fact_record(struct buf *out, const char *user, const struct fact *f, const char *const *quotes)
{
	static const char *const types[] = { [RECORD_FACT] = "fact", [RECORD_SUMMARY] = "summary",
		[RECORD_REFLECTION] = "reflection" };
	const struct record_head *h = &f->head;
	struct fact told = *f;

	if (h->type == RECORD_FACT && *f->subcategory == '\0')
		told.subcategory = f->found_in;
	if (h->n_accesses <= 0) {
		told.head.accessed_us = TIME_NONE;
		told.head.n_accesses = 0;
	}
	if (h->id[0] == '\0')
		told.head.stored_us = TIME_NONE;
	json_record(out, types[h->type]);
	fields_write(out, fact_head, user, &told);
	record_sources(out, h, quotes);
	fields_write(out, fact_text, user, &told);
	if (h->type == RECORD_FACT) {
		fields_write(out, fact_own, user, &told);
		if (f->n_supersedes > 0)
			json_strings(out, "supersedes", f->supersedes, f->n_supersedes);
		fields_write(out, fact_ended, user, &told);
	} else if (h->type == RECORD_SUMMARY) {
		fields_write(out, fact_summary, user, &told);
	}
	fields_write(out, fact_rest, user, &told);
	json_members(out, h->extra);
	json_close(out);
}

void
record_verdict(struct buf *out, const char *user, const struct verdict *v)
{
	json_record(out, "verdict");
	record_text(out, "id", v->id);
	json_str(out, "user", user);
	record_text(out, "session", v->session);
	json_str(out, "did", v->did);
	record_text(out, "of", v->of);
	record_text(out, "why", v->why);
	if (v->dry)
		json_bool(out, "dry", true);
	json_close(out);
}
