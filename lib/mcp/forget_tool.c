/*
 * forget_tool.c: removes for good what was said, with all that was made of it. Dry unless it is
 * told not to be: then it only says what would go.
 */
#include "base/conf.h"
#include "context/context_text.h"
#include "facts/forget.h"
#include "hook/hook_forget.h"
#include "mcp/memory_parts.h"

struct told { struct buf *text; struct buf list; bool dry; };

static void
put(void *arg, enum forget_what what, const char *id, const char *session)
{
	static const char *const kinds[] = { "session", "message", "record", "made" };
	struct told *t = arg;
	const char *name = id != NULL ? id : session;
	LOCAL(buf) quoted = buf_of(6 * strlen(name) + 3);
	LOCAL(buf) scratch = buf_of(6 * strlen(name) + 3);

	json_object_open(&t->list, NULL);
	json_str(&t->list, "kind", kinds[what]);
	json_str(&t->list, "id", id);
	json_str(&t->list, "session", session);
	json_close(&t->list);
	buf_addf(t->text, "%s: %s ", t->dry ? "would go" : "forgotten", kinds[what]);
	json_write_string(&quoted, name, strlen(name));
	context_clean(t->text, quoted.data, quoted.len, CONTEXT_ONE_LINE, &scratch);
	buf_addc(t->text, '\n');
}

static const char *const *
texts_of(const struct json *list, size_t *n, struct arena *a)
{
	const char **out;

	*n = list != NULL ? list->len : 0;
	out = arena_alloc(a, (*n + 1) * sizeof(*out));
	for (size_t i = 0; i < *n; i++)
		out[i] = list->u.items[i].u.string;
	return out;
}

static void
write_result(const struct told *t, const struct forget_counts *n, const struct mcp_call *call)
{
	struct buf *out = call->structured;

	buf_addf(call->text, "%s: %lld message%s, of these %lld whole session%s, %lld record%s, "
			     "and %lld made of them.\n",
	    t->dry ? "would go" : "forgotten", (long long)n->n_messages, PLURAL(n->n_messages),
	    (long long)n->n_sessions, PLURAL(n->n_sessions), (long long)n->n_records,
	    PLURAL(n->n_records), (long long)n->n_made);
	json_open(out);
	json_bool(out, "dry", t->dry);
	json_int(out, "sessions", n->n_sessions);
	json_int(out, "messages", n->n_messages);
	json_int(out, "records", n->n_records);
	json_int(out, "made", n->n_made);
	json_array(out, "removed", &t->list);
	json_close(out);
}

/* Cancelled before it is begun, nothing goes; else all goes. */
static int
forget(struct store *s, struct forget *f, const struct mcp_call *call, struct told *t,
	struct err *err)
{
	struct forget_counts n;

	if (mcp_progress(call, 1, 3, "looking for what goes"))
		return 0;
	if ((t->dry ? forget_plan(s, f, err) : forget_do(s, f, err)) != 0)
		return -1;
	forget_tell(f, put, t, &n);
	write_result(t, &n, call);
	mcp_progress(call, 2, 3, t->dry ? "counted" : "removed");
	if (t->dry)
		return 0;
	return hook_forget(s, NULL, NULL, err) < 0 ? -1 : store_settle(s, err);
}

int
forget_tool(void *arg, const struct mcp_call *call, struct err *err)
{
	const struct json *dry = json_get(call->args, "dry");
	struct memory *m = arg;
	struct forget_want want = { .filter = MESSAGE_FILTER_ANY };
	struct told t = { .text = call->text, .dry = dry == NULL || dry->kind == JSON_TRUE };
	struct scope who = m->who;

	who.session = NULL;
	want.ids = texts_of(json_get(call->args, "ids"), &want.n_ids, call->arena);
	want.sessions = texts_of(json_get(call->args, "sessions"), &want.n_sessions, call->arena);
	if (want.n_ids + want.n_sessions == 0)
		return err_set(err, ERR_DATA, "what is to be forgotten? Give ids or sessions");
	if (memory_open(m, !t.dry, err) != 0)
		return -1;
	if (m->store == NULL)
		return err_set(err, ERR_NOINPUT, "the memory is empty");
	buf_init(&t.list, conf_caps.output_bytes);
	hook_forget_with(m->store, NULL);
	struct forget *f = forget_new(&who, &want);
	int rc = forget(m->store, f, call, &t, err);
	forget_free(f);
	buf_release(&t.list);
	if (!t.dry)
		memory_close(m);               /* nor is it left in what a search keeps */
	return rc;
}
