/*
 * turns.c: an assistant's last words before the user goes on say, after calls of tools, what came
 * of them; so of several turns of an assistant in a row only the last one counts.
 */
#include "hook/turns.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "statement/sentence.h"
#include "statement/silence.h"
#include "statement/speech.h"
#include "text/words.h"

#define TURN_BYTES   600       /* of a turn that was not found itself */
#define TURNS_BEFORE 6         /* in which the question of a reply is looked for */
#define TURNS_AFTER  60
#define LAST_TURNS   4         /* of a session */
#define LAST_LOOKED  200
#define LAST_WORDS   3         /* of an exchange that says something of where work was left */
#define SAYS_WORDS   2         /* of a turn that says something, not "Good." */

/* ---- what a turn is ---- */

/* The bytes of a mark that ends a sentence there, 0: none; *asks: it is a question's. */
static size_t
end_mark(const char *p, const char *end, bool *asks)
{
	size_t n = sentence_mark(p, (size_t)(end - p), "? ! . 。 ！ ？");

	*asks = n > 0 && sentence_mark(p, n, "? ？") > 0;
	return n == 1 && p + 1 < end && !ascii_is_space(p[1]) ? 0 : n;
}

/* Whether a turn asks something, and whether it does nothing else. */
static bool
asks(const struct message *m, bool *only)
{
	const char *p = m->content, *end = p + m->content_len;
	bool any = false, question, open = false;

	*only = true;
	for (size_t n; p < end; p += n > 0 ? n : 1) {
		n = end_mark(p, end, &question);
		if (n == 0) {
			open |= !ascii_is_space(*p);
			continue;
		}
		any |= question;
		*only &= question || !open;
		open = false;
	}
	*only &= any && !open;
	return any;
}

static bool
is_spoken(const struct message *m)
{
	return m->role != ROLE_SYSTEM && m->role != ROLE_TOOL &&
	    speech_own(m->content, m->content_len) > 0;
}

/* Whether it is told now and was not before. */
static bool
add(const struct turns *t, const struct message *m)
{
	return m != NULL && !context_has(t->block, m) &&
	    context_add(t->block,
		&(struct context_piece){ m, 0, utf8_clip(m->content, m->content_len, TURN_BYTES),
		    false, false }, UINT64_MAX) == CONTEXT_IN;
}

/* ---- replies ---- */

struct reply {
	const struct turns *t;
	const struct message *of;
	bool wanted;               /* a reply is */
	bool asked;                /* of, or what it replies to, asks something */
	bool replied;              /* an assistant has spoken since */
	const struct message *said, *next;
};

/* Takes what comes after the turn; returns 1 when nothing more is wanted. */
static int
on_later(struct reply *v, const struct message *m)
{
	bool only, says = words_say(m->content, m->content_len, SAYS_WORDS);

	if (m->role == ROLE_ASSISTANT) {
		v->replied = true;
		if (v->wanted && (v->asked || !silence_of_talk(m->content, m->content_len)) &&
		    !v->t->leaves_out(v->t->arg, m))
			v->said = context_keep(m, v->t->arena);
		return 0;
	}
	if (v->said != NULL)
		v->asked |= asks(v->said, &only);
	/* where people talk, what the next one says is a reply */
	if (((v->asked && (!v->replied || (says && !(asks(m, &only) && only)))) ||
	    (says && !v->replied && v->wanted && strcmp(m->name, v->of->name) != 0)) &&
	    !v->t->leaves_out(v->t->arg, m))
		v->next = context_keep(m, v->t->arena);
	return 1;
}

static int
on_turn(void *arg, const struct message *m)
{
	struct reply *v = arg;
	bool only;

	if (!is_spoken(m) || m->row == v->of->row)
		return 0;
	if (m->row > v->of->row)
		return on_later(v, m);
	if (m->role != ROLE_ASSISTANT)
		v->asked = v->wanted || asks(m, &only);
	return 0;
}

static int
add_reply(const struct turns *t, const struct message *m, struct err *err)
{
	bool only, asked = asks(m, &only), assistant = m->role == ROLE_ASSISTANT;
	struct reply v = { .t = t, .of = m, .wanted = asked || m->role == ROLE_USER,
		.asked = asked, .replied = assistant };

	if (!v.wanted && !assistant)
		return 0;
	if (messages_around(t->store, &t->who, m->row, assistant ? TURNS_BEFORE : 0, TURNS_AFTER,
		on_turn, &v, err) < 0)
		return -1;
	add(t, v.said);
	add(t, v.next);
	return 0;
}

int
turns_add_replies(const struct turns *t, struct err *err)
{
	size_t n = t->block->n;

	for (size_t i = 0; i < n; i++) {
		const struct message *m = context_item(t->block, i);

		if (m->row > 0 && is_spoken(m) && add_reply(t, m, err) != 0)
			return -1;
	}
	return 0;
}

/* ---- the end of a session ---- */

struct last {
	const struct turns *t;
	size_t n, n_brief;
	const struct message *reply;           /* to the turn that comes next; NULL: none */
	const struct message *brief[2 * LAST_TURNS];
};

static void
add_last(struct last *v, const struct message *m)
{
	if (m != NULL && !v->t->leaves_out(v->t->arg, m))
		v->n += add(v->t, context_keep(m, v->t->arena));
}

/*
 * Of exchanges that say little, "git status" and "push", the very last is told, and others only
 * where there are no more that say something.
 */
static int
on_last(void *arg, const struct message *m)
{
	struct last *v = arg;

	if (!is_spoken(m))
		return 0;
	if (m->role == ROLE_ASSISTANT) {
		if (v->reply == NULL)
			v->reply = context_keep(m, v->t->arena);
		return 0;
	}
	if (v->n == 0 || words_say(m->content, m->content_len, LAST_WORDS)) {
		add_last(v, v->reply);
		add_last(v, m);
	} else if (v->n_brief < LAST_TURNS) {
		v->brief[v->n_brief++] = v->reply;
		v->brief[v->n_brief++] = context_keep(m, v->t->arena);
	}
	v->reply = NULL;
	return v->n >= LAST_TURNS;
}

int
turns_add_last(const struct turns *t, const char *session, struct err *err)
{
	struct message_filter f = MESSAGE_FILTER_ANY;
	struct scope who = t->who;
	struct last v = { .t = t };

	who.session = session;
	f.newest_first = true;
	f.limit = LAST_LOOKED;
	if (messages_each(t->store, &who, &f, on_last, &v, err) < 0)
		return -1;
	if (v.n < LAST_TURNS)
		add_last(&v, v.reply);
	for (size_t i = 0; i < v.n_brief && v.n < LAST_TURNS; i++)
		add_last(&v, v.brief[i]);
	return 0;
}
