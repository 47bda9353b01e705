/*
 * adapter.h: what a model's weights become for a memory: for the questions that it is asked, and
 * for the passages that it keeps.
 *
 * A published encoder was trained on questions to encyclopaedias and forums. A question to a
 * memory, often long and in other words than the turn that answers it, lands elsewhere, and a turn,
 * short and said to somebody, is not written as a passage is. So the matrices get corrections of
 * low rank (LoRA: Hu et al., 2021, arXiv:2106.09685), learnt on questions to public histories.
 * Where a file has them for questions alone, passages stay as the published model makes them.
 *
 * Texts that have nothing to do with each other are farther apart by corrected weights. All
 * thresholds are for calibrated similarities (model_calibrate), so a file says what these are
 * counted from: for passages the cosine of unrelated ones, and for a question scale and offset
 * (struct model_line), by which its cosines with passages come to the level of passages among
 * themselves.
 *
 * A file of schema/adapters/ is for one set of published weights. Little endian, models of D
 * numbers:
 *
 *	"memlora2" | SHA-256 of the published weights 32 | SHA-256 of what is for passages 32 |
 *	layers u32 | first corrected layer u32 | rank of questions Q u32 |
 *	rank of passages P u32, 0: none | scale float32 | offset float32 | corrections of questions
 *	and where P > 0:
 *	cosine of unrelated passages float32 | centre [D] float32 (modelfile.h) |
 *	corrections of passages
 *
 * Corrections of rank R are, for each layer from the first on, for qkv, attention, in and out
 * (weights.h), which are matrices of K inputs and N outputs:
 *
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
/* The model's weights with the corrections for TEXT_QUERY or TEXT_PASSAGE. */
const struct weights *adapter_weights(const struct adapter *a, enum text_role role);
struct model_line adapter_line(const struct adapter *a);
/*
 * Where there are corrections for passages: gives m, which the adapter was made for, the cosine of
 * unrelated texts and the centre of the vectors that come of them, and a SHA-256 of its own, as
 * they are not to be compared with those of the published weights. The centre is the adapter's.
 */
void adapter_identify(const struct adapter *a, struct modelfile *m);
