/*
 * change_log.c: the lines become one list, on which a jq program makes the changes in turn; jq
 * changes a value in place while nobody else holds it.
 */
#include "ingest/change_log.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/embedded.h"
#include "base/gz.h"
#include "json/json.h"

#define DOC_BYTES    (256u << 20)          /* the longest log: all of it is in memory */

struct result { change_log_fn *fn; void *arg; double lost; int rc; };

bool
change_log_is(const char *bytes, size_t len)
{
	static const char *const starts[] = { "{\"kind\":0,\"v\":{", "{\"kind\": 0, \"v\": {" };

	for (size_t i = 0; i < NELEM(starts); i++)
		if (len >= strlen(starts[i]) && memcmp(bytes, starts[i], strlen(starts[i])) == 0)
			return true;
	return false;
}

/* Makes a list of the lines. Returns how many are no JSON, but for a last one without an end. */
static unsigned
list_lines(const struct buf *text, struct buf *out)
{
	const char *p = text->data, *end = p + text->len;
	LOCAL(arena) a = ARENA_INIT;
	const struct json *v;
	unsigned bad = 0;

	json_array_open(out, NULL);
	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t len = stop != NULL ? (size_t)(stop - p) : (size_t)(end - p);
		bool blank = strspn(p, " \t\r\n") >= len;

		arena_reset(&a);
		if (!blank && json_parse(p, len, &a, &v, NULL) == 0) {
			buf_adds(out, out->len > 1 ? "," : "");
			buf_add(out, p, len);
		} else if (!blank && stop != NULL) {
			bad++;
		}
		p += len + 1;
	}
	json_array_close(out);
	return bad;
}

static int
give(void *arg, const struct json *v)
{
	struct result *r = arg;
	const struct json *doc = json_get(v, "doc"), *lost = json_get(v, "lost");

	r->lost = lost != NULL && lost->kind == JSON_NUMBER ? lost->u.number : 0;
	if (doc == NULL || doc->kind != JSON_OBJECT)
		return 0;
	LOCAL(buf) b = buf_of(DOC_BYTES);
	json_write(&b, doc);
	r->rc = r->fn(r->arg, b.data, b.len);
	return 0;
}

int
change_log_each(const char *path, change_log_fn *fn, void *arg, struct err *err)
{
	struct result r = { fn, arg, 0, 0 };
	struct jq_program *program = NULL;
	LOCAL(arena) a = ARENA_INIT;
	unsigned bad = 0;
	int rc;
	LOCAL(buf) text = buf_of(DOC_BYTES);
	LOCAL(buf) list = buf_of(SIZE_MAX / 4);

	if ((rc = gz_add_file(path, &text, err)) == 0 && text.full)
		rc = err_set(err, ERR_DATA, "'%s': a log of over %u MB", path, DOC_BYTES >> 20);
	const char *changes = embedded_find("schema/jq/changes.jq")->text;
	if (rc == 0 && (rc = jq_compile_text(changes, "changes", NULL, &program, err)) == 0) {
		bad = list_lines(&text, &list);
		rc = jq_run_buf(program, &list, &a, give, &r, err);
	}
	if (rc == 0 && bad + r.lost > 0)
		rc = err_set(err, ERR_DATA,
		    "'%s': %.0f of its changes cannot be made, and what they tell is missing", path,
		    bad + r.lost);
	jq_free(program);
	return rc != 0 ? rc : r.rc;
}
