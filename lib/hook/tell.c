/* tell.c: the gate first, so that for most prompts nothing is opened. */
#include "hook/tell.h"

#include <math.h>

#include "base/conf.h"
#include "hook/compacted.h"
#include "hook/cure.h"
#include "hook/gate.h"
#include "hook/rules.h"
#include "rank/prompt.h"
#include "search/ask.h"
#include "text/tokens.h"
#include "text/words.h"

#define START_TOKENS 300       /* of what a session is told at its start */

/* Why nothing is looked for at a call of a tool; NULL: something may be known. */
static const char *
call_asks_nothing(const struct tell *t)
{
	if (t->who.project == NULL || *t->who.project == '\0')
		return "the host names no directory";
	if (*t->said->command == '\0' &&
	    (t->event == HOOK_POSTTOOL || *t->said->change.path == '\0'))
		return "the call changes no file and runs no command";
	return t->event == HOOK_POSTTOOL && t->said->outcome.worked == WORKED_YES
	    ? "the command worked" : NULL;
}

/* Of a call: how its command failed before; else what it goes against. */
static int
tell_call(struct store *s, const struct tell *t, const struct recall_want *want, struct recalled *r,
	struct err *err)
{
	if (*t->said->command == '\0') {
		recall_begin(want, r);
		r->why = "nothing is known against the change";
	} else if (cure_call(s, want, t->event, t->said, r, err) != 0) {
		return -1;
	}
	return s == NULL || r->block.n > 0 || t->event != HOOK_PRETOOL || !conf_bool("hook_rules")
	    ? 0 : rules_call(s, want, t->said, r, err);
}

/*
 * What a host's summary left out; what is open in the project, where a start says nothing, or
 * nothing that is known.
 */
static int
recall(struct store *s, const struct tell *t, const struct recall_want *want, bool pasted,
	struct recalled *r, struct err *err)
{
	int rc;

	if (t->event >= HOOK_PRETOOL)
		return tell_call(s, t, want, r, err);
	if (t->said->compacted && t->event == HOOK_START) {
		rc = compacted_tell(s, want, t->said->transcript, r, err);
		if (rc != 0 || r->block.n > 0)
			return rc;
		recalled_release(r);
	}
	if (pasted) {
		rc = cure_tell(s, want, r, err);
		if (rc != 0 || r->block.n > 0 || want->gate < GATE_LEAST)
			return rc;
		recalled_release(r);
	}
	if (want->gate < GATE_LEAST)
		return recall_start(s, want, r, err);
	rc = recall_prompt(s, want, r, err);
	if (rc == 0 && s != NULL)
		rc = cure_of_told(s, want, r, err);
	if (rc == 0 && t->event == HOOK_START && r->block.n == 0) {
		recalled_release(r);
		rc = recall_start(s, want, r, err);
	}
	return rc;
}

static int
look(const struct tell *t, struct hook_line *line, struct recalled *r, struct arena *a,
	struct err *err)
{
	struct hook_given given = { .compacted_us = TIME_NONE };
	struct recall_want want = { .who = t->who, .session = t->said->session, .given = &given,
		.prompt = t->said->prompt, .prompt_len = t->said->prompt_len,
		.tokens = (uint64_t)conf_int("hook_budget") };
	struct store *s = NULL;
	bool pasted;

	if (t->event >= HOOK_PRETOOL && (r->why = call_asks_nothing(t)) != NULL)
		return 0;
	if (t->event < HOOK_PRETOOL && want.prompt_len > 0) {
		if (gate_ask(want.prompt, want.prompt_len, &want.gate, err) != 0)
			return -1;
		line->gate = want.gate;
		if (t->event == HOOK_PROMPT && gate_is_question(want.prompt, want.prompt_len))
			want.gate = fmax(want.gate, GATE_QUESTION);
		want.of_asker = prompt_is_of_asker(want.prompt, want.prompt_len) &&
		    words_say(want.prompt, want.prompt_len, 1);
		if (t->event == HOOK_PROMPT && want.gate < GATE_LEAST && want.of_asker) {
			want.gate = GATE_QUESTION;
			want.stored_only = true;
		}
	}
	pasted = t->event == HOOK_PROMPT && cure_asked(want.prompt, want.prompt_len);
	if (want.gate < GATE_LEAST && t->event == HOOK_PROMPT && !pasted) {
		r->why = "the prompt asks for nothing of the past";
		return 0;
	}
	if (t->event == HOOK_START)
		want.tokens = MIN(want.tokens, START_TOKENS);
	hook_given_read(t->log, want.who.user, want.session, &given, a);
	if (t->said->compacted)
		given = (struct hook_given){ .compacted_us = clock_now_us() };
	return ask_open(&s, err) != 0 ? -1 : recall(s, t, &want, pasted, r, err);
}

void
tell(const struct tell *t, struct hook_line *line, struct buf *text, struct recalled *r,
	struct arena *a)
{
	struct err err = ERR_INIT;
	const struct message **given;
	int rc;

	*r = (struct recalled){ .p = line->p };
	rc = look(t, line, r, a, &err);
	line->p = r->p;
	line->did = "nothing";
	line->why = rc == 0 ? r->why : arena_strdup(a, err.msg);
	if (rc != 0 || r->block.n == 0)
		return;
	context_print(&r->block, text);
	given = arena_alloc(a, r->block.n * sizeof(*given));
	for (size_t i = 0; i < r->block.n; i++)
		given[i] = context_item(&r->block, i);
	line->did = "recalled";
	line->given = given;
	line->n_given = r->block.n;
	line->tokens = tokens_estimate(text->data, text->len);
}
