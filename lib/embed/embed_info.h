/*
 * embed_info.h: tells which model would embed, and how much of a user's memory has vectors of it.
 */
#pragma once

#include "base/buf.h"
#include "model/model.h"
#include "store/vectors.h"

struct embed_info {
	const struct modelfile *file;      /* NULL: a service makes the vectors */
	/* kernel: the instruction set that computes its matrix products */
	const char *path, *kernel, *user;
	/* of a service: its name; n_dims is 0 until it has made vectors, and there is no centre */
	struct vector_model of;
	struct vectors_look look;
};

/*
 * Reads the store; writes nothing and asks no service. A store that does not exist is an empty
 * memory. m NULL: tells about the configured service. Borrows from m and user.
 */
int embed_info(const struct model *m, const char *db, const char *user, struct embed_info *v,
	struct err *err);

/* Writes a record of type model, with the keys of struct embed_info at its end. */
void embed_info_record(struct buf *out, const struct embed_info *v);
