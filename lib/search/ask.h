/*
 * ask.h: what programs that are asked share: where to look, from the settings and the words of
 * their options, and the questions, from operands or from the standard input.
 */
#ifndef SEARCH_ASK_H
#define SEARCH_ASK_H

#include "json/json.h"
#include "records/filter.h"
#include "search/search.h"

/*
 * Fills what q takes from the settings strategy, limit, scope and min_score, the clock, and the
 * filter's words. strategy NULL: the setting. words->now stands in for the clock. ERR_USAGE: no
 * such strategy, --scope session without a session in who, or what filter_parse says.
 */
int ask_options(const struct scope *who, const char *strategy, const struct filter_words *words,
	struct search_query *q, struct err *err);

/*
 * The moment that a question was asked at, where its record says so by "now"; *now_us stays where
 * it says nothing. ERR_DATA.
 */
int ask_moment(const struct json *v, int64_t *now_us, struct err *err);

/* ERR_USAGE, with the strategies that there are. */
int ask_no_strategy(const char *name, struct err *err);

/* Whether the questions come from the standard input: no operand, or "-" alone. */
bool ask_is_piped(char *const *args, int n);

/*
 * Until the standard input has something or has ended. Before ask_open: a program that writes to
 * ours may be making the store right now; it is there when its first line is.
 */
void ask_wait(void);

/* A store for reading; *out NULL when there is none, an empty memory. */
int ask_open(struct store **out, struct err *err);

/* A callback that returns a positive number ends it all. */
struct ask_fn {
	/* the operands, a space between them */
	int (*text)(void *arg, const char *text, size_t len, struct err *err);
	/* a line; after ERR_DATA, which is told, the rest goes on */
	int (*record)(void *arg, const struct json *v, struct err *err);
	/* "stdin:3: no key 'query' with a text" */
	void (*bad)(void *arg, const char *why);
	void *arg;
};
/* ERR_USAGE: the standard input is a terminal, and nobody is asked there. */
int ask_each(const struct ask_fn *fn, char *const *args, int n, struct err *err);

#endif
