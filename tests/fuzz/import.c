/*
 * import: any bytes as an export of another memory, into a store that is made anew now and then.
 */
#include "fuzz.h"

#include "store/store.h"
#include "transfer/import.h"

#define STORE     "fuzz-import.db"
#define RUNS_MOST 200

static void
on_fault(void *arg, const char *name, uint64_t line, const char *why)
{
	(void)arg;
	(void)name;
	(void)line;
	PROMISE(*why != '\0');
}

static struct store *
store(void)
{
	static struct store *s;
	static int runs;
	struct err err = ERR_INIT;

	if (s != NULL && runs++ < RUNS_MOST)
		return s;
	store_close(s);
	runs = 0;
	remove(STORE);
	remove(STORE "-wal");
	remove(STORE "-shm");
	if (store_open(STORE, STORE_CREATE, &s, &err) != 0) {
		fprintf(stderr, "%s\n", err.msg);
		abort();
	}
	return s;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned n = number_of(data, size);
	struct import_options o = { "default", n & 1, n & 2, n & 4 };
	struct import_fn fn = { .fault = on_fault };
	struct import *im = import_new(store(), &o);
	const struct import_counts *counts;
	struct err err = ERR_INIT;
	struct ndjson *in;
	int rc;

	file_of("fuzz-in.ndjson", data, size);
	rc = import_open("fuzz-in.ndjson", &in, &err);
	if (rc == 0)
		rc = import_file(im, in, "fuzz-in.ndjson", &fn, &err);
	/* whatever the lines say, it is the lines that are at fault */
	PROMISE(rc == 0 || (*err.msg != '\0' && err.code == ERR_DATA));
	counts = import_counts(im);
	PROMISE(counts->n_stored >= 0 && counts->n_same >= 0 && counts->n_bad >= 0);
	import_free(im);
	remove("fuzz-in.ndjson");
	return 0;
}
