/*
 * safetensors.h: finds the tensors of a BERT in a file of the safetensors format.
 */
#ifndef MODEL_SAFETENSORS_H
#define MODEL_SAFETENSORS_H

#include "model/source.h"

/*
 * Maps path into s, whose shapes are set and checked, and finds every tensor; each must have its
 * expected shape. ERR_NOINPUT, ERR_DATA.
 */
int safetensors_open(struct source *s, const char *path, struct err *err);

#endif
