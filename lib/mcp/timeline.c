/* timeline.c: the turns around a message, those nearest to it first, as far as the budget goes. */
#include "base/alloc.h"
#include "calls/calls.h"
#include "mcp/memory_parts.h"

#define AROUND 5
#define BUDGET 2000
#define CALLED_BYTES 600                   /* of what the calls of a turn did */

struct turns {
	const struct message **list;       /* [n], oldest first */
	size_t n, cap;
	struct arena *a;
};

static int
keep_turn(void *arg, const struct message *m)
{
	struct turns *t = arg;

	struct message *copy = context_keep(m, t->a);

	*xpush(t->list, t->n, t->cap) = copy;
	if (calls_alone(m->content, m->content_len, m->tool_calls)) {
		copy->content = calls_said(m->tool_calls, CALLED_BYTES, t->a);
		copy->content_len = strlen(copy->content);
	}
	return 0;
}

/* Finds the message that id names; of a fact, note or summary, its first source. */
static int
find(struct memory *m, const char *id, struct arena *a, const struct message **out,
	struct err *err)
{
	const struct fact *f;

	*out = NULL;
	if (memory_open(m, false, err) != 0)
		return -1;
	if (m->store != NULL && messages_find(m->store, &m->who, id, a, out, err) != 0)
		return -1;
	if (m->store != NULL && *out == NULL) {
		if (records_find(m->store, &m->who, id, a, &f, err) != 0)
			return -1;
		if (f != NULL && f->head.n_sources > 0 &&
		    messages_find(m->store, &m->who, f->head.sources[0].id, a, out, err) != 0)
			return -1;
	}
	return *out != NULL ? 0
			    : err_set(err, ERR_NOINPUT, "there is no message of the id '%.100s'",
				  id);
}

/* The message itself comes first; then those next to it, by turns before and after. */
static void
add_turns(struct context *c, const struct turns *t, int64_t row)
{
	size_t at = 0;

	while (at < t->n && t->list[at]->row != row)
		at++;
	if (at < t->n)
		memory_add(c, t->list[at]);
	for (size_t i = 1; i <= t->n; i++) {
		if (i <= at)
			memory_add(c, t->list[at - i]);
		if (at + i < t->n)
			memory_add(c, t->list[at + i]);
	}
}

int
timeline_tool(void *arg, const struct mcp_call *call, struct err *err)
{
	struct memory *m = arg;
	struct context_limits limits = { .budget = (uint64_t)memory_int(call->args, "budget",
						 BUDGET),
		.twins = true, .ids = true };
	struct turns t = { .a = call->arena };
	const struct message *v;
	LOCAL(context) c;

	context_init(&c, &limits);
	int rc = find(m, memory_text(call->args, "id"), call->arena, &v, err);
	if (rc == 0)
		rc = messages_around(m->store, &m->who, v->row,
		    (int)memory_int(call->args, "before", AROUND),
		    (int)memory_int(call->args, "after", AROUND), keep_turn, &t, err);
	if (rc == 0) {
		add_turns(&c, &t, v->row);
		memory_block(&c, "The turns have no text.\n", call->text);
		memory_record(&c, call->structured);
		json_str(call->structured, "id", v->id);
		json_str(call->structured, "session", v->session);
		json_close(call->structured);
	}
	free(t.list);
	return rc;
}
