/*
 * search: any text as a question, to a small memory that is made at the start, with all strategies.
 */
#include "fuzz.h"

#include <math.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "ingest/ingest.h"
#include "search/search.h"

#define STORE "fuzz-search.db"

static const char said[] =
    "{\"session\":\"a\",\"role\":\"user\",\"name\":\"Nora\",\"time\":\"2024-05-01T10:00:00Z\","
    "\"content\":\"The ferry to Brek leaves at half past nine on weekdays.\"}\n"
    "{\"session\":\"a\",\"role\":\"assistant\",\"time\":\"2024-05-01T10:01:00Z\",\"content\":"
    "\"Then we need the tickets by Monday. parse_config() in src/main.c reads them.\"}\n"
    "{\"session\":\"b\",\"role\":\"user\",\"time\":\"2024-04-12T08:00:00Z\",\"content\":"
    "\"Wir haben die Heizung am Dienstag repariert, sie kostet 480 Euro.\"}\n"
    "{\"session\":\"b\",\"role\":\"user\",\"time\":\"2024-04-13T08:00:00Z\",\"content\":"
    "\"\xe6\x88\x91\xe4\xbb\xac\xe5\x9c\xa8\xe6\xb8\xaf\xe5\x8f\xa3\xe8\xa7\x81\xe9\x9d\xa2\"}\n"
    "{\"session\":\"b\",\"role\":\"tool\",\"content\":\"error: cannot open 'ferry.db': no such "
    "file\"}\n";

static struct search *
memory(void)
{
	static volatile sig_atomic_t stop;
	static struct store *s;
	static struct search *se;
	struct ingest_options o = { .user = "default", .agent = "", .project = "", .session = "",
		.from = "ndjson", .batch = 100, .stop = &stop };
	struct ingest_out out = { NULL, NULL, NULL, NULL, NULL };
	struct ingest_counts counts;
	char path[] = "fuzz-said.ndjson", *paths[] = { path };
	struct err err = ERR_INIT;
	int worst = 0;

	if (se != NULL)
		return se;
	memset(&counts, 0, sizeof(counts));
	remove(STORE);
	remove(STORE "-wal");
	remove(STORE "-shm");
	file_of(path, (const uint8_t *)said, sizeof(said) - 1);
	if (store_open(STORE, STORE_CREATE, &s, &err) != 0 ||
	    ingest(s, &o, &out, paths, 1, &counts, &worst, &err) != 0 || counts.messages != 5 ||
	    search_open(s, &se, &err) != 0) {
		fprintf(stderr, "%s\n", err.msg);
		abort();
	}
	return se;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned n = number_of(data, size), n_strategies = 0;
	struct scope who = { "default", "", "", n & 1024 ? "a" : "" };
	struct search_query q;
	struct search_result r;
	struct err err = ERR_INIT;
	char *text;
	int rc;

	setenv("MEM_MODEL", "none", 1);
	if (!utf8_valid((const char *)data, size) || memchr(data, '\0', size) != NULL)
		return 0;
	while (search_strategies[n_strategies] != NULL)
		n_strategies++;
	text = text_of(data, size, 0);
	memset(&q, 0, sizeof(q));
	q.text = text;
	q.len = size;
	q.strategy = search_strategies[n % n_strategies];
	q.limit = 1 + (n >> 4) % 8;
	q.scope = n & 2048 ? SEARCH_USER : SEARCH_AUTO;
	q.as_written = n & 4096;
	q.exact = n & 8192;
	q.now_us = 1716206400000000 + (int64_t)(n >> 16) * 86400000000;
	q.filter.since_us = q.filter.until_us = TIME_NONE;
	rc = search_run(memory(), &who, &q, &r, &err);
	PROMISE(rc == 0 || (*err.msg != '\0' && err.code != ERR_BUG));
	for (size_t i = 0; rc == 0 && i < r.n; i++) {
		PROMISE(!isnan(r.hits[i].score));
		PROMISE(isnan(r.hits[i].p) || (r.hits[i].p >= 0 && r.hits[i].p <= 1));
		PROMISE(r.hits[i].message != NULL);
		PROMISE(i == 0 || r.hits[i].row != r.hits[i - 1].row);
	}
	free(text);
	return 0;
}
