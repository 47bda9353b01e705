/*
 * fact_record.h: facts and reflections as records (SPEC 3), both ways.
 */
#ifndef FACTS_FACT_RECORD_H
#define FACTS_FACT_RECORD_H

#include "json/json.h"
#include "store/records.h"

/* ---- out: keys in a fixed order, those that do not apply left out ---- */

/*
 * type, id, user, time, agent, project, session, origin, trust, sources, source_id, content, then
 * of a fact key, bank, category, subcategory, kind, importance, confidence, valid_from, valid_to,
 * supersedes, superseded_by, summarized, of a summary kind, first, last, model, structured, then
 * tags, protected, retracted, accessed, accesses, stored and the keys of extra. One that is not
 * stored (id "") has no id and no stored. quotes: text of each source, NULL for none; NULL: no
 * quotes.
 */
void
fact_record(struct buf *out, const char *user, const struct fact *f, const char *const *quotes);

/*
 * The member sources: id, and start, length and quote where there are some; nothing where there is
 * no source.
 */
void record_sources(struct buf *out, const struct record_head *h, const char *const *quotes);

struct verdict { const char *id, *did, *of, *why; };           /* of and why: "" for none */
void record_verdict(struct buf *out, const char *user, const struct verdict *v);

/* ---- in ---- */

/*
 * What a record that does not say is taken to say. Texts "" for nothing, numbers below 0 as well.
 */
struct fact_rules {
	const char *user, *agent, *project, *session;
	/* of text, and of records without a type and without a key that only facts have */
	enum record_type type;
	const char *key, *bank, *category, *kind, *valid_from, *valid_to;
	const struct record_source *sources;
	size_t n_sources;
	const char *tags;                  /* JSON array */
	double importance, confidence;
	bool guarded, keep_secrets;
	int64_t now_us;                    /* when text without a time of its own was said */
};

struct fact_reader;

struct fact_reader *fact_reader_new(void);
void fact_reader_free(struct fact_reader *r);
unsigned fact_reader_redacted(const struct fact_reader *r);

/*
 * Reads v, or text as a whole. Content loses mem's own context blocks, private spans and secrets. A
 * bank or category that is not in its list becomes the default, a key is folded (fact_key_clean).
 * *quotes: for each source the quote that it was given with, NULL for none. *out and *quotes borrow
 * from v and a. ERR_DATA: it is no such record, or nothing is left of it.
 */
int fact_reader_record(struct fact_reader *r, const struct json *v, const struct fact_rules *rules,
	struct arena *a, struct fact *out, const char *const **quotes, struct err *err);
int fact_reader_text(struct fact_reader *r, const char *text, size_t len,
	const struct fact_rules *rules, struct arena *a, struct fact *out,
	const char *const **quotes,
	struct err *err);

/* Folded, blanks as "_". In the arena. */
const char *fact_key_clean(const char *key, struct arena *a);
/*
 * The bank of the setting banks that name is, case ignored; NULL: none. name "": the default, the
 * first of them.
 */
const char *fact_bank_named(const char *name, struct arena *a);
/* The category a fact of a kind has when it says none. */
enum fact_root fact_kind_root(enum fact_kind kind);

#endif
