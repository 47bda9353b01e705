/*
 * facts: N facts into the store MEM_DB, and what a test needs to know of them.
 *
 * usage: facts N [BATCH], with MEM_DB set. Fact i says "fact i ..."; every seventh is protected,
 * every fifth was looked at later, in an order of its own. A line for each: its id, whether it is
 * protected (0 or 1), and when it was used last, in microseconds. Deterministic, but for the ids.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/hash.h"
#include "store/records.h"

#define T0    (1700000000 * US_PER_S)
#define LATER (1710000000 * US_PER_S)

static struct err err;

static void
must(int rc)
{
	if (rc == 0)
		return;
	fprintf(stderr, "facts: %s\n", err.msg);
	exit(1);
}

struct used { int64_t row, us; };

static struct used
put(struct store *s, const struct scope *who, struct step *step, long i)
{
	static const char *const words[] = { "tea", "coffee", "the boat", "a bicycle", "mountains",
		"Python", "the garden", "chess" };
	char text[100];
	struct fact f = { .head = { .type = RECORD_FACT,
			      .session = "",
			      .agent = "",
			      .project = "",
			      .time_us = TIME_NONE,
			      .stored_us = T0 + i * US_PER_S,
			      .origin = ORIGIN_USER,
			      .trust = -1,
			      .source_id = "",
			      .content = text,
			      .tags = "",
			      .extra = "",
			      .retracted_us = TIME_NONE },
		.key = "",
		.bank = "General",
		.subcategory = "",
		.importance = .5,
		.confidence = 1,
		.valid_from_us = TIME_NONE,
		.valid_to_us = TIME_NONE,
		.superseded_by = "",
		.summarized = "" };
	enum put_did did;
	struct used u = { .us = f.head.stored_us };

	snprintf(text, sizeof(text), "fact %ld is about %s", i, words[(size_t)i % NELEM(words)]);
	f.head.content_len = strlen(text);
	f.head.guarded = i % 7 == 3;
	clock_fix(f.head.stored_us);
	must(records_put(s, who, step, &f, &did, &err));
	u.row = f.head.row;
	if (i % 5 == 2)
		u.us = LATER + (int64_t)(hash64_mix((uint64_t)i) % 1000000000);
	printf("%s %d %lld\n", f.head.id, f.head.guarded, (long long)u.us);
	return u;
}

/* As a search does it: with a handle for reading. */
static void
touch(const struct scope *who, const struct used *used, long n)
{
	struct store *s;

	must(store_open(conf_db(), STORE_READ, &s, &err));
	for (long i = 2; i < n; i += 5) {
		clock_fix(used[i].us);
		records_touch_soon(s, who, &used[i].row, 1);
	}
	store_close(s);
}

int
main(int argc, char **argv)
{
	const struct scope who = { "default", NULL, NULL, NULL };
	long n = argc > 1 ? strtol(argv[1], NULL, 10) : 0,
	     batch = argc > 2 ? strtol(argv[2], NULL, 10) : 10000;
	struct used *used = xcalloc((size_t)MAX(n, 0) + 1, sizeof(*used));
	struct store *s;

	must(conf_load(&err));
	must(store_open(conf_db(), STORE_CREATE, &s, &err));
	for (long i = 0; i < n; i += batch) {
		struct step step = { .did = STEP_STORE, .why = "" };
		must(store_begin(s, &err));
		for (long k = i; k < n && k < i + batch; k++)
			used[k] = put(s, &who, &step, k);
		must(store_commit(s, &err));
	}
	touch(&who, used, n);
	/* as the last one: so that all of it is in the file */
	store_close(s);
	free(used);
	return 0;
}
