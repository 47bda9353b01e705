/* chunks_again.c: both lists of chunks are hashed, and the hashes compared. */
#include "records/chunks_again.h"

struct cutting {
	struct store *store;
	const struct scope *who;
	message_fn *fn;
	void *arg;
	size_t n;
	struct err *err;
};

static int
add_chunk(void *arg, const struct chunk *c)
{
	uint64_t *hash = arg;
	const uint64_t places[4] = { c->kind, c->start, c->len, c->n_tokens };

	*hash = hash64(places, sizeof(places), *hash);
	*hash = hash64(c->language, strlen(c->language), *hash);
	return 0;
}

static int
cut_again(void *arg, const struct message *m)
{
	struct cutting *k = arg;
	uint64_t stored = 0, today = 0;

	k->n++;
	if (chunks_of(k->store, k->who, m, add_chunk, &stored, k->err) < 0)
		return -1;
	chunk_each(m->content, m->content_len, add_chunk, &today);
	return stored == today ? 0 : k->fn(k->arg, m);
}

int
chunks_again(struct store *s, const struct scope *who, message_fn *fn, void *arg, size_t *n,
	struct err *err)
{
	struct cutting k = { s, who, fn, arg, 0, err };
	struct message_filter all = MESSAGE_FILTER_ANY;
	int rc = messages_each(s, who, &all, cut_again, &k, err);

	*n = k.n;
	return rc;
}
