/*
 * calibrate.h: measures two constants of a model on varied texts of ours: the mean cosine of
 * unrelated texts, and the mean of its vectors.
 */
#pragma once

#include "model/modelfile.h"

struct calibration {
	/* mean cosine of a text as a question with another text as a passage */
	float unrelated;
	/* length of the mean vector of all passages: 0 (spread evenly) to 1 (all equal) */
	float length;
	/* whether the mean is to be subtracted from vectors before they are coded */
	bool centred;
	float *centre;                 /* [D] the mean vector, owned */
};

/*
 * Measures a model file. Cost: embeds some 700 short texts; for the reference form, which is slow,
 * an eighth of them. ERR_DATA: the model reads none of them.
 */
int calibrate(const struct modelfile *f, struct calibration *c, struct err *err);
/*
 * The same from vectors [n][n_dims] of these texts that the caller made, as questions and as
 * passages; a pair with a NULL is skipped.
 */
int calibrate_vectors(const float *const *query, const float *const *passage, size_t n,
	size_t n_dims, struct calibration *c, struct err *err);
/*
 * Returns the line of the texts after the line at after, the first for NULL; *len its length. NULL:
 * it was the last.
 */
const char *calibrate_line(const char *after, size_t *len);
void calibration_release(struct calibration *c);
