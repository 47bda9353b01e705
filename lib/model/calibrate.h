/*
 * calibrate.h: two constants of a model, measured on varied text of ours: how alike unrelated texts
 * look to it, and where its vectors gather.
 */
#ifndef MODEL_CALIBRATE_H
#define MODEL_CALIBRATE_H

#include "model/modelfile.h"

struct calibration {
	/* mean cosine of one text as a question with another as a passage */
	float unrelated;
	/* of the mean of all passages: 0 (spread evenly) to 1 (all the same) */
	float length;
	/* the mean is to be taken off vectors before they are coded */
	bool centred;
	float *centre;                 /* [D] that mean, owned */
};

/*
 * Cost: some 700 short texts embedded; of the reference form, which is slow, an eighth of them.
 * ERR_DATA: the model makes nothing of them.
 */
int calibrate(const struct modelfile *f, struct calibration *c, struct err *err);
/*
 * The same of vectors [n][n_dims] that somebody else made of the texts, as questions and as
 * passages; a pair with a NULL is passed over.
 */
int calibrate_vectors(const float *const *query, const float *const *passage, size_t n,
	size_t n_dims, struct calibration *c, struct err *err);
/*
 * The texts: the line behind after, NULL the first one; *len its length. NULL: there are no more.
 */
const char *calibrate_line(const char *after, size_t *len);
void calibration_release(struct calibration *c);

#endif
