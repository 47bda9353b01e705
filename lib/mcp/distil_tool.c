/*
 * distil_tool.c: the agent that asks has a language model, so it can do itself what mem-extract
 * would ask one for. It is handed the next session that is not distilled, and gives back facts,
 * each with the turn and the words that it rests on. These are checked as those of any model are;
 * what is kept of them is the word of an assistant, as with remember, so that it ends no more.
 *
 * How far a session is distilled is kept as the files are that were read, under a name that no file
 * has. When a session goes, so does that.
 */
#include "base/alloc.h"
#include "base/conf.h"
#include "base/embedded.h"
#include "facts/extract.h"
#include "mcp/memory_parts.h"
#include "records/record.h"

#define BUDGET     4000
/* a session that had a turn so lately may still go on */
#define RUNNING_US (15 * 60 * (int64_t)1000000)
#define MADE       "agent"

/* ---- how far ---- */

static const char *
note_of(const char *session, struct arena *a)
{
	return arena_printf(a, "//distilled:%s", session);
}

static int
done_until(struct memory *m, const char *session, struct arena *a, int64_t *turn, struct err *err)
{
	const struct input_state *was;

	if (inputs_get(m->store, &m->who, note_of(session, a), a, &was, err) < 0)
		return -1;
	*turn = was != NULL ? (int64_t)was->offset : 0;
	return 0;
}

static int
set_done(struct memory *m, struct arena *a, struct err *err)
{
	const struct input_state now = { .path = note_of(m->handed, a),
		.offset = (uint64_t)m->handed_until, .state = "" };
	const struct session *there = NULL;

	if (store_begin_user(m->store, m->who.user, err) < 0)
		return -1;
	/* of a session that was forgotten meanwhile nothing is written, its name neither */
	int rc = sessions_find(m->store, &m->who, m->handed, a, &there, err);
	if (rc == 0 && there != NULL)
		rc = inputs_put(m->store, &m->who, &now, err);
	return store_end(m->store, rc, err);
}

/* ---- the next session ---- */

struct next {
	struct memory *m;
	struct context *c;
	struct arena *a;
	struct err *err;
	int64_t now_us, from, until;
	const char *session;               /* NULL: none yet */
	bool full;                         /* it has more than there is room for */
	int rc;
};

static int
take_turn(void *arg, const struct message *v)
{
	struct next *n = arg;

	struct context_piece whole = { .message = v, .len = v->content_len };

	if (v->turn < n->from || v->origin != ORIGIN_USER || v->content_len == 0)
		return 0;
	whole.message = context_keep(v, n->a);
	/* a turn alone that has no room is cut; others wait for the next time */
	if ((n->c->n > 0 ? context_add(n->c, &whole, UINT64_MAX)
			 : memory_add(n->c, whole.message)) == CONTEXT_FULL) {
		n->full = true;
		return 1;
	}
	n->until = v->turn + 1;
	return 0;
}

static int
take_session(void *arg, const struct session *v)
{
	struct next *n = arg;
	struct message_filter said = MESSAGE_FILTER_ANY;
	struct scope in = n->m->who;

	if (v->n_messages == 0 || session_is_document(v) ||
	    (v->updated_us != TIME_NONE && v->updated_us > n->now_us - RUNNING_US) ||
	    (n->m->who.session != NULL && strcmp(n->m->who.session, v->id) == 0))
		return 0;
	if ((n->rc = done_until(n->m, v->id, n->a, &n->from, n->err)) < 0)
		return 1;
	if (n->from >= v->n_messages)
		return 0;
	in.session = v->id;
	in.project = NULL;
	said.role = ROLE_USER;
	if ((n->rc = messages_each(n->m->store, &in, &said, take_turn, n, n->err)) < 0)
		return 1;
	if (n->c->n == 0)
		return 0;
	if (!n->full)
		n->until = v->n_messages;
	n->session = arena_strdup(n->a, v->id);
	return 1;
}

/* Fills c with what is to be distilled, and notes it as handed out. */
static int
hand_out(struct memory *m, const struct json *args, struct context *c, struct arena *a,
	struct err *err)
{
	struct next n = { .m = m, .c = c, .a = a, .err = err, .now_us = clock_now_us() };
	struct scope who;

	free(m->handed);
	m->handed = NULL;
	if (memory_here(m, args, a, &who, err) != 0)
		return -1;
	if (*who.project == '\0')
		who.project = NULL;
	who.session = NULL;
	if (m->store == NULL)
		return 0;
	if (sessions_by_time(m->store, &who, true, TIME_NONE, take_session, &n, err) < 0 ||
	    n.rc < 0)
		return -1;
	if (n.session != NULL) {
		m->handed = xstrdup(n.session);
		m->handed_until = n.until;
	}
	return 0;
}

static void
write_block(struct context *c, struct buf *text)
{
	if (c->n == 0) {
		buf_adds(text, "No session here is left to be distilled.\n");
		return;
	}
	buf_adds(text, embedded_find("schema/prompts/distil.txt")->text);
	buf_addc(text, '\n');
	memory_block(c, "", text);
}

static struct context_limits
limits_of(const struct json *args)
{
	return (struct context_limits){ .budget = (uint64_t)memory_int(args, "budget", BUDGET),
		.twins = true, .ids = true };
}

/* ---- what comes back ---- */

struct back {
	struct memory *m;
	struct remember *r;
	struct memory_told *t;
	struct arena *a;
	int rc;
};

/* The fact as a record, with the trust of an assistant. */
static int
take_fact(void *arg, const struct fact *f, const char *const *quotes)
{
	struct back *b = arg;
	struct fact said = *f;
	struct err bad = ERR_INIT;

	said.head.origin = ORIGIN_ASSISTANT;
	said.head.trust = MIN(said.head.trust, origin_trust(ORIGIN_ASSISTANT));
	LOCAL(buf) record = buf_of(conf_caps.line_bytes);
	fact_record(&record, b->m->who.user, &said, quotes);
	if (remember_add(b->r, record.data, record.len, 0, &bad) != 0)
		memory_refuse(b->t, bad.msg);
	return 0;
}

/* Why a claim is refused; NULL: it stands, and was handed on to be stored. */
static const char *
check_claim(struct back *b, struct extract *e, const struct json *claim, struct err *err)
{
	const char *id = json_get_string(claim, "id", NULL);
	uint64_t before = extract_counts(e)->facts;
	const struct message *of;
	const struct json *v;
	struct err bad = ERR_INIT;

	if (messages_find(b->m->store, &b->m->who, id, b->a, &of, &bad) != 0)
		return arena_strdup(b->a, bad.msg);
	if (of == NULL)
		return arena_printf(b->a, "there is no message of the id '%.100s'", id);
	LOCAL(buf) line = buf_of(conf_caps.output_bytes);
	record_message(&line, b->m->who.user, of);
	int rc = json_parse(line.data, line.len, b->a, &v, err) == 0
	    ? extract_claimed(e, v, claim, MADE, err)
	    : -1;
	if (rc < 0)
		return arena_strdup(b->a, err->msg);
	return extract_counts(e)->facts > before
	    ? NULL
	    : arena_printf(b->a, "the user does not say so in %.100s: the quote is not there", id);
}

static int
add_claims(void *arg, const struct mcp_call *call, struct remember *r, struct memory_told *t,
	struct err *err)
{
	struct back b = { arg, r, t, call->arena, 0 };
	const struct json *facts = json_get(call->args, "facts");
	struct extract *e = extract_new(b.m->who.user, NULL, take_fact, &b);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < facts->len; i++) {
		struct err bad = ERR_INIT;
		const char *why = check_claim(&b, e, &facts->u.items[i], &bad);

		if (why != NULL)
			memory_refuse(t, why);
		if (remember_is_full(r))
			rc = remember_commit(r, err);
	}
	if (rc == 0)
		rc = remember_commit(r, err);
	if (rc == 0 && extract_counts(e)->reworded > 0)
		buf_addf(t->text, "%llu put into the words of their quotes\n",
		    (unsigned long long)extract_counts(e)->reworded);
	extract_free(e);
	return rc;
}

static int
take_back(struct memory *m, const struct mcp_call *call, struct err *err)
{
	const struct scope who = { .user = m->who.user, .agent = m->who.agent };
	struct fact_rules rules = fact_rules_of(&who, RECORD_FACT);

	rules.keep_secrets = conf_bool("keep_secrets");
	if (memory_remember(m, &rules, call, add_claims, m, err) < 0)
		return -1;
	if (m->handed == NULL)
		return 0;
	if (set_done(m, call->arena, err) < 0)
		return -1;
	buf_adds(call->text, "The session is done. Without facts, distil hands out the next.\n");
	free(m->handed);
	m->handed = NULL;
	return 0;
}

int
distil_tool(void *arg, const struct mcp_call *call, struct err *err)
{
	struct memory *m = arg;
	const struct context_limits limits = limits_of(call->args);
	LOCAL(context) c = { 0 };

	if (json_get(call->args, "facts") != NULL)
		return take_back(m, call, err);
	context_init(&c, &limits);
	int rc = hand_out(m, call->args, &c, call->arena, err);
	if (rc == 0) {
		write_block(&c, call->text);
		memory_record(&c, call->structured);
		if (m->handed != NULL)
			json_str(call->structured, "session", m->handed);
		json_close(call->structured);
	}
	return rc;
}

int
distil_prompt(void *arg, const struct json *args, struct buf *text, struct arena *a,
	struct err *err)
{
	const struct context_limits limits = limits_of(args);
	LOCAL(context) c;

	context_init(&c, &limits);
	int rc = hand_out(arg, args, &c, a, err);
	if (rc == 0)
		write_block(&c, text);
	return rc;
}
