/*
 * embed_info.h: which model would embed, and how far it has come with a user's memory.
 */
#ifndef EMBED_EMBED_INFO_H
#define EMBED_EMBED_INFO_H

#include "base/buf.h"
#include "model/model.h"
#include "store/vectors.h"

struct embed_info {
	const struct modelfile *file;      /* NULL: a service makes the vectors */
	const char *path, *kernel, *user;  /* kernel: what computes its products */
	/* of a service: its name, and n_dims 0 as long as it made none; no centre */
	struct vector_model of;
	struct vectors_look look;
};

/*
 * Reads the store, writes nothing and asks no service; a store that is missing is an empty memory.
 * m NULL: of the service that is set. Borrows from m and user.
 */
int embed_info(const struct model *m, const char *db, const char *user, struct embed_info *v,
	struct err *err);

/* A record "model", with the keys that this adds at its end. */
void embed_info_record(struct buf *out, const struct embed_info *v);

#endif
