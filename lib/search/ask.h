/*
 * ask.h: what programs that take questions share: the scope from settings and options, and the
 * questions from operands or standard input.
 */
#pragma once

#include "json/json.h"
#include "records/filter.h"
#include "search/search.h"

/*
 * Fills q from the settings strategy, limit, scope and min_score, the clock, and the filter's
 * words. strategy NULL: the setting. words->now replaces the clock. ERR_USAGE: an unknown strategy,
 * --scope session without a session in who, or what filter_parse says.
 */
int ask_options(const struct scope *who, const char *strategy, const struct filter_words *words,
	struct search_query *q, struct err *err);

/*
 * The turns of all sessions of who, likely to answer or not, that have the words of the text, by
 * BM25; *search is opened where it is NULL. The hits are borrowed from it until its next search.
 */
int ask_words(struct store *s, struct search **search, const struct scope *who, const char *text,
	size_t len, int64_t limit, struct search_result *out, struct err *err);

/*
 * Reads the key "now" of a query record, the moment at which the question was asked; *now_us is
 * unchanged when there is none. ERR_DATA.
 */
int ask_moment(const struct json *v, int64_t *now_us, struct err *err);

/* Sets ERR_USAGE with a list of the strategies. */
int ask_no_strategy(const char *name, struct err *err);

/* Whether questions come from standard input: there is no operand, or only "-". */
bool ask_is_piped(char *const *args, int n);

/*
 * Waits until standard input has something or has ended. Call it before ask_open: a program that
 * writes into our pipe may be creating the store right now, and the store exists when its first
 * line does.
 */
void ask_wait(void);

/* Opens the store for reading; *out is NULL when there is none, which means an empty memory. */
int ask_open(struct store **out, struct err *err);

/* Callbacks; a positive return value ends ask_each. */
struct ask_fn {
	/* gets the operands, joined by spaces */
	int (*text)(void *arg, const char *text, size_t len, struct err *err);
	/*
	 * gets a line, one that is no record as a query record; after ERR_DATA, which is reported
	 * to bad, the next line follows
	 */
	int (*record)(void *arg, const struct json *v, struct err *err);
	/* gets, for example, "stdin:3: no key 'query' with a text" */
	void (*bad)(void *arg, const char *why);
	void *arg;
};
/* ERR_USAGE: standard input is a terminal, where nobody is prompted. */
int ask_each(const struct ask_fn *fn, char *const *args, int n, struct err *err);
