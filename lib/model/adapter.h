/*
 * adapter.h: what a model's weights become for a question that a memory is asked.
 *
 * A published encoder was trained on questions to encyclopaedias and forums. A question to a
 * memory, often long and in other words than the turn that answers it, lands elsewhere. So the
 * matrices get corrections of low rank (LoRA: Hu et al., 2021, arXiv:2106.09685), learnt on
 * questions alone against the vectors of turns as the published model makes them: stored vectors
 * keep their meaning, and nothing is embedded again. What all turns have in common counts less in
 * such a question, so its cosines are lower and farther apart: scale and offset (struct model_line)
 * bring them to the level of the published model, which all thresholds are for.
 *
 * A file of schema/adapters/ is for one set of published weights. Little endian, R ranks:
 *
 *	"memlora1" | SHA-256 of the published weights 32 | first layer u32 | layers u32 | R u32 |
 *	scale float32 | offset float32
 *	then, for each layer from the first on, for qkv, attention, in and out (weights.h), which
 *	are matrices of K inputs and N outputs:
 *	down_scale [R] float32 | up_scale [R] float32 | down [R][K] int8 | up [R][N] int8
 */
#pragma once

#include "base/embedded.h"
#include "model/model.h"

/* Made by the build of schema/adapters/, as embedded_files are. */
extern const struct embedded adapter_files[];

struct adapter;

/* NULL: there is none for this model. m is borrowed. */
struct adapter *adapter_new(const struct modelfile *m);
/* The same from a file's bytes, which are borrowed. NULL: it is not for this model, or damaged. */
struct adapter *adapter_read(const struct modelfile *m, const char *bytes, size_t n);
void adapter_free(struct adapter *a);
/* The model's weights with the corrections. */
const struct weights *adapter_weights(const struct adapter *a);
struct model_line adapter_line(const struct adapter *a);
