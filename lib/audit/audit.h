/*
 * audit.h: what is wrong with a memory: records that say the same, that contradict each other, that
 * hold no longer, that give away a secret, and that nothing in the transcripts stored here
 * supports. Or with an answer that was written from a memory. Nothing is stored.
 */
#pragma once

#include "audit/memories.h"
#include "audit/transcripts.h"

enum finding_kind {
	FINDING_SECRET,
	FINDING_DUPLICATE,
	FINDING_CONTRADICTION,
	FINDING_STALE,
	FINDING_UNSUPPORTED,
	FINDING_SUPPORTED,         /* of the sentences of an answer alone */
	FINDING_DOUBTFUL           /* of these, too: its thing was named since */
};
#define N_FINDING_KINDS 7
extern const char *const finding_kind_names[];         /* by enum finding_kind */

#define FINDING_EVIDENCE 4         /* most turns of one */

struct finding {
	enum finding_kind kind;
	const struct memory_item *records[2];        /* [n_records], the older first */
	size_t n_records;
	/* of a contradiction: which of the two was said later; NULL: not known */
	const struct memory_item *newer;
	const char *why;
	struct evidence evidence[FINDING_EVIDENCE];    /* turns [n_evidence] */
	size_t n_evidence;
};

/* Writes the record: type, kind, why, records, newer, evidence. */
void finding_record(struct buf *out, const struct finding *f);

struct audit_want {
	struct store *store;       /* whose transcripts are evidence; NULL: there are none */
	const struct scope *who;
	const char *owner;         /* what the user is called in the memory; "": it is found out */
	bool words;                /* by words alone, also where an embedding model is found */
	unsigned kinds;            /* bits of enum finding_kind that are wanted */
	int64_t now_us;
};

struct audit_counts {
	size_t records, found[N_FINDING_KINDS];
	bool transcripts;          /* there were any */
	bool vectors;              /* an embedding model sought the turns too */
};

/* f lives for the call. Returns 0 to go on; else the audit ends and returns 0. */
typedef int finding_fn(void *arg, const struct finding *f);

/*
 * Audits m, in whose records secrets are replaced by "[REDACTED:form]" before anything else. A
 * record is reported as unsupported only when nothing else is wrong with it. Cost: a search a
 * statement, some 3 milliseconds, and what compare.h and transcripts.h say.
 */
int audit_run(struct memories *m, const struct audit_want *want, finding_fn *fn, void *arg,
	struct audit_counts *counts, struct err *err);

/*
 * Of the sentences of an answer, read into m, each that says something: whether the turns, facts
 * and notes of the store contradict or support it, or have nothing of it. As audit_run; costs a
 * look at each fact and note besides.
 */
int audit_answer(struct memories *m, const struct audit_want *want, finding_fn *fn, void *arg,
	struct audit_counts *counts, struct err *err);

/* Of m only the pairs of which hardly both hold, by their words alone. */
int audit_contradictions(struct memories *m, const struct scope *who, finding_fn *fn, void *arg,
	struct err *err);
