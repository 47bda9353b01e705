/* histories.c: mem-ingest's own reading (ingest/ingest.h), of all places of an agent at once. */
#include "setup/histories.h"

#include "base/clock.h"
#include "base/conf.h"
#include "json/json.h"

struct reading { struct history *h; struct arena arena; };

static void
see_record(struct reading *r, const char *line, size_t len)
{
	const struct json *v;
	const char *time;
	size_t n;
	int64_t us, end;

	arena_reset(&r->arena);
	if (json_parse(line, len, &r->arena, &v, NULL) != 0 ||
	    (time = json_get_string(v, "time", &n)) == NULL || time_parse(time, n, &us, &end) != 0)
		return;
	if (r->h->from == TIME_NONE || us < r->h->from)
		r->h->from = us;
	if (r->h->to == TIME_NONE || us > r->h->to)
		r->h->to = us;
}

static void
on_records(void *arg, const char *ndjson, size_t len)
{
	const char *end;

	for (; len > 0 && (end = memchr(ndjson, '\n', len)) != NULL;
	     len -= (size_t)(end + 1 - ndjson), ndjson = end + 1)
		see_record(arg, ndjson, (size_t)(end - ndjson));
}

static void
on_fault(void *arg, const char *text)
{
	struct reading *r = arg;

	if (r->h->unread++ == 0)
		snprintf(r->h->fault, sizeof(r->h->fault), "%.511s", text);
}

int
history_read(const struct agent *a, struct store *s, bool looks, const char *user,
	void (*progress)(void *arg, const struct ingest_counts *c),
	const volatile sig_atomic_t *stop, struct history *h, struct err *err)
{
	struct ingest_options o = {
		.user = user,
		.agent = "",
		.project = "",
		.session = "",
		.from = a->format,
		.keep_secrets = conf_bool("keep_secrets"),
		.dry_run = s == NULL || looks,
		.batch = conf_int("batch"),
		.batch_ms = conf_int("batch_ms"),
		.stop = stop,
	};
	struct reading r = { h, ARENA_INIT };
	struct ingest_out out = { on_records, on_fault, NULL, progress, &r };
	struct ingest_counts counts = { .messages = 0 };
	LOCAL(places) places = { NULL, 0, 0 };
	int worst = 0, rc = 0;

	*h = (struct history){ .from = TIME_NONE, .to = TIME_NONE };
	agent_histories(a, &places);
	if (places.n > 0)
		rc = ingest(s, &o, &out, places.paths, places.n, &counts, &worst, err);
	h->files = counts.files;
	h->sessions = counts.sessions;
	h->messages = counts.messages + counts.duplicates;
	h->new = s != NULL || looks ? counts.messages : 0;
	arena_release(&r.arena);
	return rc;
}
