/*
 * model_record.h: an embedding model as a record.
 */
#pragma once

#include "base/buf.h"
#include "model/modelfile.h"

/* "none", "said" */
const char *model_speaker_name(enum model_speaker s);
const char *model_identifiers_name(enum model_identifiers i);

/* Writes the keys of a record of type model, type first, into an object that is open. */
void model_record_keys(struct buf *out, const struct modelfile *f, const char *path);
