/*
 * facts_tool.c: for the learner of the head that decides what is a fact (heads.py). Reads messages,
 * lines with session, project, role, talk and content, and writes a line for each clause: the
 * line's number, its start and length in bytes, its text, and the features that are not 0. Clauses
 * for which their author does not vouch are left out, as they are when facts are extracted.
 */
#include "base/buf.h"
#include "json/json.h"
#include "json/ndjson.h"
#include "statement/statement.h"

struct tool {
	struct statement_turn turn;
	struct reading_by by;
	struct voucher voucher;
	struct clause before;
	bool any, asks;            /* whether there is one before; whether the last turn asked */
	char session[64];
	uint64_t line;
};

static int
put(void *arg, const struct clause *c)
{
	struct tool *t = arg;
	float x[STATEMENT_FEATURES_MAX];
	size_t n;
	const char *const *names = statement_feature_names(&n);
	struct reading r;
	struct buf b;

	if (!statement_read(&t->turn, c, &t->voucher, &t->by, &r)) {
		t->before = *c;
		t->any = true;
		return 0;
	}
	buf_init(&b, 1 << 20);
	statement_features(&t->turn, c, t->any ? &t->before : NULL, x);
	buf_addf(&b, "{\"line\":%llu,\"start\":%zu,\"length\":%zu,\"text\":",
	    (unsigned long long)t->line, c->start, c->len);
	json_write_string(&b, t->turn.text + c->start, c->len);
	buf_addf(&b, ",\"x\":[");
	for (size_t i = 0, k = 0; i < n; i++)
		if (x[i] != 0)
			buf_addf(&b, "%s\"%s\"", k++ > 0 ? "," : "", names[i]);
	printf("%s]}\n", b.data);
	buf_release(&b);
	t->before = *c;
	t->any = true;
	return 0;
}

/* Whether the turn ends with a question mark. */
static bool
asks(const char *text, size_t len)
{
	while (len > 0 && strchr(" \n\"", text[len - 1]) != NULL)
		len--;
	return (len > 0 && text[len - 1] == '?') ||
	    (len >= 3 && memcmp(text + len - 3, "？", 3) == 0);
}

static int
read_line(void *arg, const struct ndjson_line *l, struct err *err)
{
	struct tool *t = arg;
	const struct json *v;
	const char *project, *session, *role;

	t->line = l->number;
	if (json_parse(l->text, l->len, l->arena, &v, err) != 0)
		return -1;
	project = json_get_string(v, "project", NULL);
	session = json_get_string(v, "session", NULL);
	t->turn.text = json_get_string(v, "content", &t->turn.len);
	if (session == NULL || t->turn.text == NULL)
		return err_set(err, ERR_DATA, "no session or no content");
	role = json_get_string(v, "role", NULL);
	t->turn.told = role != NULL && strcmp(role, "assistant") == 0;
	t->turn.project = project != NULL && *project != '\0';
	t->turn.talk = json_get_number(v, "talk", 0) > 0;
	t->turn.asked = t->asks && strncmp(t->session, session, sizeof(t->session) - 1) == 0;
	t->any = false;
	t->by = (struct reading_by){ .speaker = "", .project = t->turn.project ? project : "",
		.time_us = TIME_NONE };
	if (strncmp(t->session, session, sizeof(t->session) - 1) != 0)
		t->voucher.played = false;
	vouch_begin(&t->voucher, t->turn.text, t->turn.len, "", t->voucher.played);
	clauses_each(t->turn.text, t->turn.len, put, t);
	t->asks = asks(t->turn.text, t->turn.len);
	snprintf(t->session, sizeof(t->session), "%s", session);
	return 0;
}

static void
bad_line(void *arg, const struct ndjson_line *l, const char *why)
{
	(void)arg;
	fprintf(stderr, "%llu: %s\n", (unsigned long long)l->number, why);
}

int
main(void)
{
	struct tool t = { .any = false };
	struct err err = ERR_INIT;

	if (ndjson_each("-", &(struct ndjson_fn){ &t, read_line, bad_line, NULL }, &err) != 0) {
		fprintf(stderr, "%s\n", err.msg);
		return 1;
	}
	return 0;
}
