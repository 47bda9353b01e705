/*
 * lines.c: writes the records that only an export has, and those of the other programs as an export
 * has them.
 */
#include "transfer/lines.h"

#include "facts/fact_record.h"
#include "json/json.h"
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

const struct field tombstone_fields[] = {
	FIELD_OF_USER,
	FIELD("key", BYTES, FIELD_MUST, 0, .high = TOMBSTONE_BYTES),
	FIELD_END
};

const struct field news_fields[] = {
	FIELD("name", NAME, FIELD_SHOWN, AT(news_head, name)),
	FIELD("user", TEXT, FIELD_MUST, AT(news_head, user)),
	FIELD("for", ID, 0, AT(news_head, for_store)),
	FIELD("since", INT, FIELD_SHOWN, AT(news_head, since), .high = (int64_t)1 << 52),
	FIELD_END
};

void
line_of(struct buf *out, const char *type, const struct field *table, const char *user,
	const void *from)
{
	json_record(out, type);
	fields_write(out, table, user, from);
	json_close(out);
}

void
line_reopen(struct buf *out)
{
	out->len--;                            /* its "}" */
}

void
line_add(struct buf *out, const struct field *table, const char *user, const void *from)
{
	line_reopen(out);
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
line_record(struct buf *out, const char *user, const struct fact *f, const char *step)
{
	struct fact own = *f;

	own.found_in = "";
	own.n_supersedes = 0;
	own.head.n_accesses = 0;
	fact_record(out, user, &own, NULL);
	line_reopen(out);
	json_str(out, "by_step", step);
	json_close(out);
}
