/*
 * part.h: what of a memory goes out, and what is taken out of its texts. Private to lib/transfer.
 */
#ifndef TRANSFER_PART_H
#define TRANSFER_PART_H

#include "clean/clean_text.h"
#include "store/records.h"
#include "transfer/export.h"

/* Whether a part is asked for, or all of a user. */
bool part_is(const struct export_options *o);
/* Whether a message of the filter goes out. */
bool part_has(const struct export_options *o, const struct message *m);
/* Whether a record goes out that is in the scope's agent and project. */
bool part_takes(const struct export_options *o, const struct fact *f);

/* on false: texts stay as they are. What it returns is in the arena, or what was given. */
struct redactor { bool on; struct cleaner cleaner; struct arena arena; };
void redactor_init(struct redactor *r, bool on);
void redactor_release(struct redactor *r);
/* len may be NULL */
const char *redact_text(struct redactor *r, const char *text, size_t *len);
/* JSON text, or ""; what is no JSON becomes "". */
const char *redact_json(struct redactor *r, const char *text);

#endif
