/*
 * compacted.c: the session is read once, oldest first, into parts of five kinds. The block takes
 * them by turns, so that no kind fills it alone, and tells them in the order in which they were
 * said. An assistant that works says "still" and "instead" all the time; so only what the user says
 * is told as decided or open. What he says in short is told whole: of "it broke. never again. back
 * to the old one" no sentence says it alone.
 */
#include "hook/compacted.h"

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "calls/calls.h"
#include "calls/outcome.h"
#include "hook/host_summary.h"
#include "hook/open_todo.h"
#include "statement/cues.h"
#include "statement/sentence.h"
#include "text/words.h"
#include "work/work.h"

#define LEAST_BYTES   12       /* of a sentence */
#define PART_BYTES    180      /* of one that is told */
#define WHOLE_BYTES   240      /* of a user's message that is told whole */
#define COMMAND_BYTES 120
#define ERROR_BYTES   80
#define PARTS_MOST    4000
#define CUES_MOST     32
#define OPEN_MOST     8        /* the newest todos, of which it is looked whether they are done */

enum part_kind { DECIDED, RAN, OPEN, NUMBER, ASKED, N_KINDS };

/* how many of a kind are taken before the next kind has its turn */
static const size_t turns[N_KINDS] = { 3, 3, 1, 1, 1 };

struct part {
	enum part_kind kind;
	const char *name;          /* what stands before it in the block */
	const char *text;          /* of a command: the line */
	size_t len;
	const char *call_id;       /* of a command; "" when its result is known */
	struct outcome outcome;
	const char *error;
	int trust;
	bool todo;                 /* the user says that it is to be done yet */
	bool told;
	struct todo_turn turn;     /* where he does */
};

struct compacted {
	const struct recall_want *want;
	struct host_summary summary;
	struct arena *a;
	struct part *parts;        /* [n], oldest first */
	size_t n, cap;
	struct store *store;
	struct recalled *r;
	bool looks;                /* commands that only look are told, too */
	size_t looked;             /* todos, of which it was looked whether they are done */
};

/* ---- sentences ---- */

static int
on_number(void *arg, const struct word *w)
{
	(void)arg;
	return w->kind == WORD_NUMBER;
}

/* What a sentence is told as; N_KINDS: it is not. What a user says is at least a wish. */
static enum part_kind
kind_of(const struct message *m, const char *text, size_t len)
{
	const struct cues *cues = cues_of("schema/cues/compacted.txt");
	struct cue found[CUES_MOST];
	size_t n = cues == NULL ? 0 : cues_find(cues, text, len, found, CUES_MOST, NULL);
	bool open = false;

	if (sentence_asks(text, len))
		return N_KINDS;
	for (size_t i = 0; i < MIN(n, (size_t)CUES_MOST); i++) {
		if ((int)found[i].class == cues_class(cues, "decision"))
			return DECIDED;
		open = true;
	}
	if (open)
		return OPEN;
	if (words_each(text, len, on_number, NULL) != 0)
		return NUMBER;
	return m->role == ROLE_USER ? ASKED : N_KINDS;
}

/* Whoever spoke in a channel is told by the name. */
static const char *
name_of(struct compacted *v, enum part_kind kind, const struct message *m)
{
	if (kind != DECIDED || m->role != ROLE_USER)
		return arena_strdup(v->a, message_by(m));
	return *m->name == '\0' ? "decided" : arena_printf(v->a, "decided, %s", m->name);
}

static struct part *
add_part(struct compacted *v, enum part_kind kind, const char *text, size_t len, size_t most)
{
	struct part *p;

	p = xpush(v->parts, v->n, v->cap);
	len = utf8_clip(text, len, most);
	*p = (struct part){ .kind = kind, .name = "ran", .text = arena_strndup(v->a, text, len),
		.len = len, .call_id = "", .error = "", .trust = 2 };
	return p;
}

static void
read_part(struct compacted *v, const struct message *m, const char *text, size_t len, size_t most)
{
	enum part_kind kind;
	struct part *p;

	while (len > 0 && (ascii_is_space(*text) || *text == '-' || *text == '*' || *text == '#')) {
		text++;
		len--;
	}
	len = ascii_end(text, len);
	if (len < LEAST_BYTES || v->n >= PARTS_MOST ||
	    host_summary_says(&v->summary, text, len))
		return;
	kind = kind_of(m, text, len);
	if (kind == N_KINDS)
		return;
	p = add_part(v, kind, text, len, most);
	p->name = name_of(v, kind, m);
	p->trust = m->trust;
	p->turn = (struct todo_turn){ m->row, m->turn, m->time_us, v->want->session, m->project };
	p->todo = kind == OPEN && m->role == ROLE_USER && todo_said(text, len);
}

/* Whether a message of the user is told whole; what is to be done stands for itself. */
static bool
is_whole(const struct message *m)
{
	return m->role == ROLE_USER && m->content_len <= WHOLE_BYTES &&
	    !sentence_asks(m->content, m->content_len) && strstr(m->content, "```") == NULL &&
	    !todo_said(m->content, m->content_len);
}

/* Sentences of lines; code in fences is passed over. */
static void
read_text(struct compacted *v, const struct message *m)
{
	const char *text = m->content;
	bool code = false;

	for (size_t at = 0, end; at < m->content_len; at = end + 1) {
		const char *nl = memchr(text + at, '\n', m->content_len - at);

		end = nl == NULL ? m->content_len : (size_t)(nl - text);
		if (end - at >= 3 && memcmp(text + at, "```", 3) == 0)
			code = !code;
		for (size_t stop; !code && at < end; at = stop) {
			stop = MAX(sentence_end(text, at, end), at + 1);
			read_part(v, m, text + at, stop - at, PART_BYTES);
		}
	}
}

/* ---- commands ---- */

static void
read_calls(struct compacted *v, const struct message *m)
{
	const struct call *calls;
	size_t n;

	calls_read(m->tool_calls, strlen(m->tool_calls), "", v->a, &calls, &n);
	for (size_t i = 0; i < n && v->n < PARTS_MOST; i++) {
		const char *line = calls[i].command;
		struct part *p;

		if (line == NULL || *line == '\0' || (!v->looks && work_only_looks(line)))
			continue;
		/* of a line that is run again, the last time counts */
		for (size_t k = 0; k < v->n; k++)
			if (v->parts[k].kind == RAN && strcmp(v->parts[k].text, line) == 0)
				v->parts[k].kind = N_KINDS;
		p = add_part(v, RAN, line, strcspn(line, "\n"), COMMAND_BYTES);
		p->call_id = calls[i].id;
		p->trust = m->trust;
	}
}

static void
read_result(struct compacted *v, const struct message *m)
{
	struct error_line line;

	for (size_t i = v->n; i-- > 0;) {
		struct part *p = &v->parts[i];

		if (*p->call_id == '\0' || strcmp(p->call_id, m->tool_call_id) != 0)
			continue;
		outcome_read(m->content, m->content_len, m->extra, &p->outcome);
		p->call_id = "";
		if (p->outcome.worked == WORKED_NO &&
		    errors_read(m->content, m->content_len, &p->outcome, v->a, &line, 1) > 0)
			p->error = arena_strndup(v->a, line.text,
			    utf8_clip(line.text, line.len, ERROR_BYTES));
		return;
	}
}

static int
on_turn(void *arg, const struct message *m)
{
	struct compacted *v = arg;

	if (m->role == ROLE_TOOL && *m->tool_call_id != '\0')
		read_result(v, m);
	else if (is_whole(m))
		read_part(v, m, m->content, m->content_len, WHOLE_BYTES);
	else if (m->role == ROLE_USER || m->role == ROLE_ASSISTANT)
		read_text(v, m);
	if (m->role == ROLE_ASSISTANT && *m->tool_calls != '\0')
		read_calls(v, m);
	return 0;
}

/* ---- the block ---- */

/* The words of a part; NULL: the summary has it. */
static const char *
text_of(const struct compacted *v, const struct part *p)
{
	if (p->kind != RAN)
		return p->text;
	if (host_summary_says(&v->summary, p->text, p->len))
		return NULL;
	return arena_printf(v->a, "%s%s%s%s", p->text,
	    p->outcome.worked == WORKED_YES      ? ": worked"
		: p->outcome.worked == WORKED_NO ? ": failed"
						 : "",
	    *p->error != '\0' ? ", " : "", p->error);
}

/* What stands before it. Of more todos than the newest nobody knows whether they are done. */
static const char *
name_of_part(struct compacted *v, const struct part *p)
{
	enum todo_state state = TODO_CLOSED;
	struct err err;

	if (p->todo && v->looked++ < OPEN_MOST &&
	    todo_later(v->store, &v->r->search, &v->want->who, p->text, p->len, &p->turn, &state,
		&err) == 0 && state == TODO_OPEN)
		return "open";
	return p->name;
}

/* Whether the block begins with the text, under whatever name. */
static bool
is_told(const struct context *c, const char *text)
{
	for (size_t i = 0; i < c->n; i++)
		if (strncmp(context_item(c, i)->content, text, strlen(text)) == 0)
			return true;
	return false;
}

/* Adds a line; false: there is no more room. */
static bool
tell_part(struct compacted *v, struct part *p, struct context *c)
{
	const char *text = text_of(v, p);
	struct message *m;

	if (text == NULL || is_told(c, text) || is_told(&v->r->block, text))
		return true;
	if (!p->told)
		p->name = name_of_part(v, p);
	m = arena_zalloc(v->a, sizeof(*m));
	*m = (struct message){ .session = "said",
		.role = ROLE_ASSISTANT,
		.name = p->name,
		.content = text,
		.content_len = strlen(text),
		.time_us = TIME_NONE,
		.trust = p->trust };
	if (hook_given_has(v->want->given, v->want->session, m))
		return true;
	enum context_did did =
	    context_add(c, &(struct context_piece){ m, 0, m->content_len, false, true },
		UINT64_MAX);
	p->told = did == CONTEXT_IN;
	return did != CONTEXT_FULL;
}

/* Chooses parts, the kinds by turns, the newest of each first, as far as the block c has room. */
static void
choose_parts(struct compacted *v, struct context *c)
{
	size_t at[N_KINDS];
	bool room = true, more = true;

	for (int k = 0; k < N_KINDS; k++)
		at[k] = v->n;
	while (room && more) {
		more = false;
		for (int k = 0; k < N_KINDS && room; k++)
			for (size_t left = turns[k]; left > 0 && at[k] > 0 && room;) {
				struct part *p = &v->parts[--at[k]];
				if ((int)p->kind != k)
					continue;
				more = true;
				left--;
				room = tell_part(v, p, c);
			}
	}
}

static void
tell_parts(struct compacted *v, struct context *c)
{
	LOCAL(context) chosen;

	context_init(&chosen, &c->limits);
	chosen.quarters = c->quarters;     /* what is in the block already */
	choose_parts(v, &chosen);
	for (size_t i = 0; i < v->n; i++)
		if (v->parts[i].told)
			tell_part(v, &v->parts[i], c);
}

int
compacted_fill(struct store *s, const struct recall_want *want, const char *transcript,
	bool looks, struct recalled *r, struct err *err)
{
	struct message_filter f = MESSAGE_FILTER_ANY;
	struct scope who = { .user = want->who.user, .session = want->session };
	struct compacted v = { .want = want, .store = s, .r = r, .a = &r->arena,
		.looks = looks };
	int rc;

	host_summary_read(transcript, &v.summary, v.a);
	rc = messages_each(s, &who, &f, on_turn, &v, err);
	if (rc >= 0)
		tell_parts(&v, &r->block);
	free(v.parts);
	return rc < 0 ? -1 : 0;
}

int
compacted_tell(struct store *s, const struct recall_want *want, const char *transcript,
	struct recalled *r, struct err *err)
{
	recall_begin(want, r);
	if (s == NULL || *want->session == '\0')
		return 0;
	if (compacted_fill(s, want, transcript, true, r, err) != 0)
		return -1;
	if (r->block.n > 0)
		r->why = "what the summary left out";
	return 0;
}
