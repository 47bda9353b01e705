/*
 * model_record.h: a model as a record (SPEC 3).
 */
#ifndef EMBED_MODEL_RECORD_H
#define EMBED_MODEL_RECORD_H

#include "base/buf.h"
#include "model/modelfile.h"

/* "none", "said" */
const char *model_speaker_name(enum model_speaker s);
const char *model_identifiers_name(enum model_identifiers i);

/* The keys of a record "model", type first, into an object that is open. */
void model_record_keys(struct buf *out, const struct modelfile *f, const char *path);

#endif
