/*
 * ndjson_each.c: the loop over the lines of an input that programs share. A bad line is reported
 * with its place and the next one comes; a fault of the input, or of what is done with a line, ends
 * it.
 */
#include "base/arena.h"
#include "json/ndjson.h"

static int
handle_line(const struct ndjson_fn *fn, int got, const struct ndjson_line *l, struct err *err)
{
	int rc;

	arena_reset(l->arena);
	if (got == NDJSON_TOO_LONG)
		rc = err_set(err, ERR_DATA, "the line is too long (setting line_bytes)");
	else
		rc = fn->line(fn->arg, l, err);
	if (rc >= 0 || err->code != ERR_DATA)
		return rc;
	if (fn->bad == NULL) {
		struct err why = *err;

		return err_set(err, ERR_DATA, "%s:%llu: %s", l->name, (unsigned long long)l->number,
		    why.msg);
	}
	fn->bad(fn->arg, l, err->msg);
	err_clear(err);
	return 0;
}

int
ndjson_each_of(struct ndjson *in, const struct ndjson_fn *fn, struct err *err)
{
	LOCAL(arena) arena = ARENA_INIT;
	struct ndjson_line l = { .arena = &arena };
	int got = 0, rc = 0;

	l.name = ndjson_name(in);
	while (rc == 0 && (got = ndjson_next(in, &l.text, &l.len, err)) > 0) {
		l.number = ndjson_line(in);
		rc = handle_line(fn, got, &l, err);
		if (rc == 0 && fn->idle != NULL && ndjson_would_block(in))
			rc = fn->idle(fn->arg, err);
	}
	ndjson_close(in);
	return rc < 0 || got < 0 ? -1 : 0;
}

int
ndjson_each(const char *path, const struct ndjson_fn *fn, struct err *err)
{
	struct ndjson *in;

	return ndjson_open(path, 0, &in, err) != 0 ? -1 : ndjson_each_of(in, fn, err);
}
