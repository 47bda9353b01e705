/*
 * fact_record.h: facts, summaries and reflections written as JSON records, and read from them.
 */
#pragma once

#include "json/json.h"
#include "records/fields.h"
#include "store/records.h"

/* ---- writing: keys stand in a fixed order, those that do not apply are left out ---- */

/*
 * Writes a record: type, id, user, time, agent, project, session, origin, trust, sources,
 * source_id, content; then of a fact key, bank, category, subcategory, kind, importance,
 * confidence, valid_from, valid_to, supersedes, superseded_by, summarized; of a summary kind,
 * first, last, model, structured; then tags, protected, retracted, accessed, accesses, stored and
 * the keys of extra. A record that is not stored yet (its id is "") has neither id nor stored.
 * quotes: the quoted text of each source, NULL where it has none; quotes itself may be NULL.
 */
void
fact_record(struct buf *out, const char *user, const struct fact *f, const char *const *quotes);

/* Of struct fact: what a record of any type begins with, and behind its sources; what a fact has
 * of its own, and behind those that it ended; what a summary has; and what ends them all. */
extern const struct field fact_head[], fact_text[], fact_own[], fact_ended[], fact_summary[],
	fact_rest[];

/*
 * Writes the member "sources": the id of each, with start, length and quote where it has them.
 * Writes nothing when there is no source.
 */
void record_sources(struct buf *out, const struct record_head *h, const char *const *quotes);

/*
 * What became of a record, or of a session. of and why are "" when there is none, of id and
 * session either may be NULL; dry: it is only what would be done; line: of the input, 0: none.
 */
struct verdict { const char *id, *session, *did, *of, *why; bool dry; uint64_t line; };
void record_verdict(struct buf *out, const char *user, const struct verdict *v);

/* ---- reading ---- */

/* Defaults for what a record does not say. A text "" and a number below 0 mean no default. */
struct fact_rules {
	const char *user, *agent, *project, *session;
	/*
	 * the type of plain text, and of records that have neither a type nor a key that only facts
	 * have
	 */
	enum record_type type;
	const char *key, *bank, *category, *kind, *valid_from, *valid_to;
	const struct record_source *sources;
	size_t n_sources;
	const char *tags;                  /* JSON array */
	double importance, confidence;
	bool guarded, keep_secrets;
	bool as_note;                      /* plain text is of that type, whatever it states */
	bool even_off;                     /* a person does it, also where memory is off */
	int64_t now_us;                    /* the time of texts that come without one */
};

/* Of facts or notes of that scope, of which nothing else is said. */
struct fact_rules fact_rules_of(const struct scope *who, enum record_type type);

struct fact_reader;

struct fact_reader *fact_reader_new(void);
void fact_reader_free(struct fact_reader *r);
unsigned fact_reader_redacted(const struct fact_reader *r);

/*
 * Reads a record from v, or makes one whose content is text. Context blocks that mem wrote, private
 * spans and secrets are taken out of the content. A bank or category that is not in its list is
 * replaced by the default; the key is folded by fact_key_clean. *quotes receives the quote that
 * came with each source, NULL where there was none. *out and *quotes borrow from v and a. ERR_DATA:
 * v is no such record, or nothing is left of its content.
 */
int fact_reader_record(struct fact_reader *r, const struct json *v, const struct fact_rules *rules,
	struct arena *a, struct fact *out, const char *const **quotes, struct err *err);
int fact_reader_text(struct fact_reader *r, const char *text, size_t len,
	const struct fact_rules *rules, struct arena *a, struct fact *out,
	const char *const **quotes,
	struct err *err);

/* Returns key in lower case, blanks replaced by "_"; allocated in a. */
const char *fact_key_clean(const char *key, struct arena *a);
/*
 * Returns the bank that name means, case ignored, as the setting banks spells it, or NULL. For the
 * name "" it is the default bank, the first of the setting.
 */
const char *fact_bank_named(const char *name, struct arena *a);
/* The same, but of a name that is unknown it is the default bank, which warn is told. */
const char *fact_bank_or_default(const char *name, void (*warn)(void *arg, const char *text),
	struct arena *a);
/* A tag as a record_filter takes it, in the arena; NULL for NULL. */
const char *fact_tag_filter(const char *tag, struct arena *a);
/* The category of a fact that names only its kind. */
enum fact_root fact_kind_root(enum fact_kind kind);
