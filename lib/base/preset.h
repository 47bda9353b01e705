/*
 * preset.h: commands that people have who run a coding agent, and that answer a question once: the
 * names that the setting llm_command knows.
 */
#pragma once

#include <stdbool.h>

struct preset {
	const char *name;                      /* also of the program */
	/* the cheapest model that it has a lasting name for; "": the one that it is set to */
	const char *model;
	bool needs_model;                      /* there is no such one */
	bool system_in_text;                   /* it has no place of its own for what to do */
	const char *map;           /* of schema/llm/answers.jq, for what it prints */
	/*
	 * for sh, where $1 is the model, $2 what to do and $4 a file for it, which is removed; what
	 * to do it with is the standard input. It may use no tools, keep no session and run no
	 * hooks, as far as its options go.
	 */
	const char *command;
};

/* The row of that name; NULL: it is none, but a command of its own. */
const struct preset *preset_named(const char *name);
/* That of llm_command, unless an address was given as an option; NULL: none. */
const struct preset *preset_set(void);
/* The first row whose program is installed, in the order of the rows; NULL: none is. */
const struct preset *preset_at_hand(void);
/* Which language model is asked: chat_model, else that of the row; "": neither says. */
const char *preset_model(void);
