/*
 * ingest_refused.c: units of which the store refuses a record. That is known only when their load
 * is put, when reading is many units ahead; so, where rejects are kept, a load keeps its units.
 *
 * A unit may lie in two loads, as a document with many messages does, and both the reader and the
 * store may find fault with it. Loads are finished in the order of their units, so the number of
 * the last unit written is enough to write each only once.
 */
#include "ingest/ingest_load.h"

struct unit *
refusals_unit(const struct refusals *r, struct load *l)
{
	if (r->rejects == NULL)
		return NULL;
	if (l->unit == NULL || l->unit->no != r->no) {
		l->unit = arena_alloc(&l->arena, sizeof(*l->unit));
		*l->unit = (struct unit){ r->no, r->compact, false, r->len,
			arena_strndup(&l->arena, r->text, r->len) };
		l->n_bytes += r->len;
	}
	return l->unit;
}

int
refusals_add(struct refusals *r, const struct unit *u, struct arena *a, struct err *err)
{
	if (u == NULL || u->rejected || u->no == r->written)
		return 0;
	r->written = u->no;
	return rejects_add(r->rejects, u->text, u->len, u->compact, a, err);
}
