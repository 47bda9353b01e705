/*
 * libpq.c: loads libpq.
 */
#include "store/postgres/libpq.h"

#include <dlfcn.h>
#include <pthread.h>

#include "base/alloc.h"
#include "base/system.h"

/* a question reads some megabytes, of which each row is a block of its own */
#define ROWS_BYTES ((size_t)12 << 20)
#define LEAST 140000                           /* pipelines came with version 14 */

struct libpq pq;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct err why = ERR_INIT;

static void
load(void)
{
	/* lazily: it brings two dozen libraries for what a connection seldom needs */
	void *lib = dlopen(SYSTEM_LIBRARY("libpq", "5"), RTLD_LAZY | RTLD_LOCAL);

	xheap_room(ROWS_BYTES);
	if (lib == NULL) {
		err_set(&why, ERR_CONFIG,
		    "a store on PostgreSQL needs libpq 5 (Debian: apt-get install libpq5): %s",
		    dlerror());
		return;
	}
	/* a pointer to a function is got through one to an object, as POSIX has it */
#define LOAD(result, name, arguments) \
	*(void **)&pq.name = dlsym(lib, "PQ" #name); \
	if (pq.name == NULL) \
		err_set(&why, ERR_CONFIG, "libpq 5 is too old: it has no PQ" #name);
	PG_FUNCTIONS(LOAD)
#undef LOAD
	if (why.code == 0 && pq.libVersion() < LEAST)
		err_set(&why, ERR_CONFIG, "libpq 5 is of version %d, 14 or later is needed",
		    pq.libVersion() / 10000);
}

int
libpq_load(struct err *err)
{
	pthread_once(&once, load);
	return why.code == 0 ? 0 : err_set(err, why.code, "%s", why.msg);
}
