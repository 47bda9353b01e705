/*
 * gate.h: whether a prompt asks for something of the past: what was said or done before, what was
 * agreed, or what only somebody who knows the user can tell. Most prompts in the middle of work do
 * not, and then nothing is opened or searched.
 *
 * A logistic head (math/head.h, schema/heads/gate.txt) on classes of words (schema/cues/gate.txt)
 * and, where there is a model that it was learnt for, on the prompt's vector.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "statement/cues.h"

/* From this probability on a prompt counts as one that recalls. */
#define GATE_LEAST    0.5
/* What a question counts as at least (gate_is_question), so that a sure answer is told to it. */
#define GATE_QUESTION 0.54
#define GATE_FEATURES (2 * CUE_CLASSES + 32)

/*
 * Sets *p to the probability that the prompt recalls. Words decide where they are sure of it; else
 * a model is opened, where there is one that the head was learnt for. What is read is kept for the
 * next call. Cost: a millisecond, with a model that of embedding a question.
 */
int gate_ask(const char *prompt, size_t len, double *p, struct err *err);
/*
 * Whether a clause of the prompt is a question (rank/prompt.h) and there are some words of content.
 * What was said may answer it, though it does not say that it asks for that.
 */
bool gate_is_question(const char *prompt, size_t len);

/* Callbacks: a line of output, which returns other than 0 to stop; "stdin:3: why". */
struct gate_out {
	int (*line)(void *arg, const char *line, size_t len);
	void (*warn)(void *arg, const char *why);
	void *arg;
};
/*
 * Reads records with the key "prompt" from standard input and hands each out with "recalls" and "p"
 * added. ERR_DATA, at the end, when some line was none.
 */
int gate_filter(const struct gate_out *out, struct err *err);

/*
 * For learning: the features of a prompt and their names, [*n]; the names are borrowed from c's
 * texts and from the caller's arena.
 */
void gate_features(const struct cues *c, const char *prompt, size_t len, float x[GATE_FEATURES]);
size_t gate_names(const struct cues *c, const char *names[GATE_FEATURES], struct arena *a);
