/*
 * task_parts.h: what task.c, which hears what a text says of a task, asks of its words. Private to
 * lib/statement.
 */
#pragma once

#include "statement/task.h"

#define TASK_TABLE  "schema/cues/todo.txt"
#define TASK_HEDGES "schema/cues/ends.txt"

struct heard {                             /* a text, or a part of it */
	const char *text;
	size_t n;
	struct task_word w[TASK_WORDS];
	struct cue_text cues;
};

void task_hear(struct heard *h, const char *text, size_t len);
/* Whether both name the same: another ending is none. */
bool task_same(const struct task_word *a, const struct task_word *b);
bool task_has(const struct task_word *w, size_t n, const struct task_word *x);
/* Whether a word in [from, to) has a cue of a class. */
bool task_has_cue(const struct heard *h, size_t from, size_t to, const char *class);
/*
 * Whether a row of the table, of those whose name begins so, has the verb, and what begins at the
 * word as a form of it.
 */
bool task_in_row(const struct heard *h, const struct task_word *verb, const struct task_word *w,
	const char *row);
/* Whether nothing stands behind word i that says something else than the verb: 预订, 订. */
bool task_is_last(const struct heard *h, size_t i, const struct task *t);
/* Whether word i of a clause says the verb done. */
bool task_done_form(const struct task *t, const struct task_word *verb, const struct heard *h,
	size_t i);
