/*
 * export_parts.h: how records are written one after the other: what export.c, of a whole memory,
 * news.c, of what is new in it, and the other forms share. Private to lib/transfer.
 */
#pragma once

#include "clean/clean_text.h"
#include "store/transfer.h"
#include "transfer/news.h"

/* ---- part.c ---- */
/* Whether a part is asked for, or all of a user. */
bool part_is(const struct export_options *o);
/* Whether a message of the filter goes out. */
bool part_has(const struct export_options *o, const struct message *m);
/* Whether a record goes out that is in the scope's agent and project. */
bool part_takes(const struct export_options *o, const struct fact *f);

/* on false: texts stay as they are. What it returns is in the arena, or what was given. */
struct redactor { bool on; struct cleaner cleaner; struct arena arena; };
/* len may be NULL */
const char *redact_text(struct redactor *r, const char *text, size_t *len);
/* JSON text, or ""; what is no JSON becomes "". */
const char *redact_json(struct redactor *r, const char *text);

/* ---- export.c ---- */
struct exporter {
	struct store *s;
	const struct export_options *o;
	struct scope who;                  /* of the user at hand */
	struct buf *out;
	int (*ended)(void *arg);
	void *arg;
	struct err *err;
	struct sha256 sum;
	int64_t n_lines;
	struct news_counts n;
	size_t start;                      /* of the line at hand, in out */
	struct redactor redact;
	/* the session at hand goes out before its first message; NULL: it has */
	const struct session *session;
	/* the same of a step and its first record */
	const struct step_given *step;
	struct vectors_out *vectors;       /* of the user at hand; NULL: none go out */
};

/* o, out and err are borrowed. */
void exporter_init(struct exporter *e, struct store *s, const struct export_options *o,
	struct buf *out, int (*ended)(void *arg), void *arg, struct err *err);
void exporter_release(struct exporter *e);

/* After each record, however it is written. What ended says is returned. */
int exporter_end_record(struct exporter *e);
/* Where the next line is written; and when it is. */
struct buf *exporter_line(struct exporter *e);
int exporter_end_line(struct exporter *e);
/* Adds to the text of a record what was said of it later, if the options ask for that. */
int exporter_later(struct exporter *e, const struct fact *f, struct arena *a, const char **text,
	struct buf *member);
/* The last line. */
int exporter_end(struct exporter *e);

/* A line each; arg is the exporter. */
int exporter_session(struct exporter *e);
int exporter_message(void *arg, const struct message *m);
int exporter_step(void *arg, const struct step_given *st);
int exporter_change(void *arg, const struct step_given *st, const char *id, const struct fact *f);
int exporter_access(void *arg, const struct access_given *v);
int exporter_tombstone(void *arg, const uint8_t key[TOMBSTONE_BYTES]);
int exporter_consent(struct exporter *e);
