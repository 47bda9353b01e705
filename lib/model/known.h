/*
 * known.h: what schema/models.txt says of a model by its name.
 */
#pragma once

#include "model/modelfile.h"

/*
 * Fills in licence, prefixes and speaker of info by its name; fields that the table does not give
 * stay as they are.
 */
void known_fill(struct model_info *info);

/* The same from a table in text, NUL-terminated. ERR_CONFIG names the line that is malformed. */
int known_fill_from(struct model_info *info, const char *text, struct err *err);
