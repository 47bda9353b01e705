/*
 * summaries_tool.c: ROUGE-1 recall of summaries against those that people wrote.
 *
 *	summaries_tool REFERENCES MESSAGES NAME=SUMMARIES ...
 *
 * REFERENCES {conv, session, summary}, MESSAGES and SUMMARIES records of mem, whose user is the
 * conversation. Peers are the first, the last and random turns, written as mem-summarize writes a
 * line ("- NAME: TEXT") and cut to its own number of tokens. ROUGE-1 recall (Lin 2004): of the
 * words of the reference, runs of ASCII letters and digits in lower case, how many are in the
 * summary, each as often as it is there; no stemming, no stop words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "json/json.h"
#include "text/tokens.h"

#define WORDS_MOST  20000
#define RANDOM_RUNS 20

struct entry { char *conv, *session, *text; int64_t turn; };
struct entries { struct entry *items; size_t n, cap; };

static void
fail(const char *what, const struct err *err)
{
	fprintf(stderr, "summaries_tool: %s: %s\n", what, err->msg);
	exit(1);
}

static char *
text_of(const struct json *v, const char *key, const char *or_key)
{
	const char *s = json_get_string(v, key, NULL);

	if (s == NULL && or_key != NULL)
		s = json_get_string(v, or_key, NULL);
	return xstrdup(s != NULL ? s : "");
}

/* A message's text is its line. */
static void
read_all(const char *path, struct entries *out)
{
	struct err err = ERR_INIT;
	struct arena a = ARENA_INIT;
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	if (f == NULL) {
		err_set(&err, ERR_NOINPUT, "cannot be opened");
		fail(path, &err);
	}
	while ((len = getline(&line, &cap, f)) > 0) {
		const struct json *v;
		struct entry e;
		arena_reset(&a);
		if (json_parse(line, (size_t)len, &a, &v, &err) < 0)
			fail(path, &err);
		e = (struct entry){ text_of(v, "conv", "user"), text_of(v, "session", NULL),
			text_of(v, "summary", "content"), (int64_t)json_get_number(v, "turn", 0) };
		if (json_get(v, "role") != NULL) {
			char *name = text_of(v, "name", NULL);
			size_t size = strlen(name) + strlen(e.text) + sizeof("- : \n");
			char *text = xmalloc(size);
			snprintf(text, size, "- %s: %s\n", name, e.text);
			free(e.text);
			free(name);
			e.text = text;
		}
		xgrow(&out->items, &out->cap, out->n + 1, sizeof(*out->items));
		out->items[out->n++] = e;
	}
	free(line);
	fclose(f);
	arena_release(&a);
}

static const struct entry *
find(const struct entries *in, const struct entry *as)
{
	for (size_t i = 0; i < in->n; i++)
		if (strcmp(in->items[i].conv, as->conv) == 0 &&
		    strcmp(in->items[i].session, as->session) == 0)
			return &in->items[i];
	return NULL;
}

/* ---- ROUGE ---- */

static size_t
split(char *text, char **words)
{
	size_t n = 0;

	for (char *p = text; *p != '\0' && n < WORDS_MOST;) {
		char *from;
		while (*p != '\0' && !((*p | 32) >= 'a' && (*p | 32) <= 'z') &&
		    !(*p >= '0' && *p <= '9'))
			p++;
		if (*p == '\0')
			break;
		for (from = p; ((*p | 32) >= 'a' && (*p | 32) <= 'z') || (*p >= '0' && *p <= '9');
		     p++)
			*p = *p >= 'A' && *p <= 'Z' ? (char)(*p | 32) : *p;
		words[n++] = from;
		if (*p != '\0')
			*p++ = '\0';
	}
	return n;
}

static int
by_word(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static double
rouge(const char *reference, const char *summary, size_t len)
{
	char *a = xstrdup(reference), *b = xstrndup(summary, len),
	     **x = xcalloc(WORDS_MOST, sizeof(*x)), **y = xcalloc(WORDS_MOST, sizeof(*y));
	size_t n = split(a, x), m = split(b, y), hits = 0;

	qsort(x, n, sizeof(*x), by_word);
	qsort(y, m, sizeof(*y), by_word);
	for (size_t i = 0, k = 0; i < n && k < m;) {
		int c = strcmp(x[i], y[k]);
		hits += c == 0;
		i += c <= 0;
		k += c >= 0;
	}
	free(a);
	free(b);
	free(x);
	free(y);
	return n > 0 ? (double)hits / (double)n : 0;
}

/* ---- peers ---- */

static uint32_t random_state;

static uint32_t
random_below(uint32_t n)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)random_state * n) >> 32);
}

/* Turns in an order, one after the other, cut to so many tokens. */
static double
turns(const char *reference, const struct entry *const *order, size_t n, unsigned tokens)
{
	char *text = xcalloc(1, 1);
	size_t len = 0;
	double r;

	for (size_t i = 0; i < n && tokens_estimate(text, len) <= tokens; i++) {
		size_t more = strlen(order[i]->text);
		text = xrealloc(text, len + more + 1);
		memcpy(text + len, order[i]->text, more + 1);
		len += more;
	}
	r = rouge(reference, text, tokens_clip(text, len, tokens));
	free(text);
	return r;
}

enum { OURS, FIRST, LAST, RANDOM, N_WAYS };

static void
measure(const struct entries *refs, const struct entries *messages, const struct entries *ours,
	const char *name)
{
	double sum[N_WAYS] = { 0 }, won = 0;
	size_t n = 0;

	for (size_t r = 0; r < refs->n; r++) {
		const struct entry *ref = &refs->items[r], *got = find(ours, ref),
				   **order = xcalloc(messages->n + 1, sizeof(*order)), *swap;
		size_t k = 0;
		unsigned tokens;
		double by_chance = 0, v[N_WAYS];
		for (size_t i = 0; i < messages->n; i++)
			if (strcmp(messages->items[i].conv, ref->conv) == 0 &&
			    strcmp(messages->items[i].session, ref->session) == 0)
				order[k++] = &messages->items[i];
		if (got != NULL && k > 0) {
			tokens = tokens_estimate(got->text, strlen(got->text));
			v[OURS] = rouge(ref->text, got->text, strlen(got->text));
			v[FIRST] = turns(ref->text, order, k, tokens);
			for (size_t i = 0; i < k / 2; i++) {
				swap = order[i];
				order[i] = order[k - 1 - i];
				order[k - 1 - i] = swap;
			}
			v[LAST] = turns(ref->text, order, k, tokens);
			for (int run = 0; run < RANDOM_RUNS; run++) {
				for (size_t i = k - 1; i > 0; i--) {
					size_t other = random_below((uint32_t)i + 1);
					swap = order[i];
					order[i] = order[other];
					order[other] = swap;
				}
				by_chance += turns(ref->text, order, k, tokens) / RANDOM_RUNS;
			}
			v[RANDOM] = by_chance;
			for (int i = 0; i < N_WAYS; i++)
				sum[i] += v[i];
			won += v[OURS] > v[FIRST] && v[OURS] > v[LAST] && v[OURS] > v[RANDOM];
			n++;
		}
		free(order);
	}
	printf("  %-26s %5zu  %6.3f  %6.3f  %6.3f  %6.3f  %5.0f %%\n", name, n,
	    sum[OURS] / (double)n, sum[FIRST] / (double)n, sum[LAST] / (double)n,
	    sum[RANDOM] / (double)n, 100 * won / (double)n);
	if (n == 0 || sum[OURS] <= sum[FIRST] || sum[OURS] <= sum[LAST] || sum[OURS] <= sum[RANDOM])
		exit(1);
}

int
main(int argc, char **argv)
{
	struct entries refs = { NULL, 0, 0 }, messages = { NULL, 0, 0 };

	/*
	 * by hand: of "the cat sat on the mat" the words the, cat, the are in it: 3 of 6; a third
	 * "the" counts for nothing
	 */
	if (argc < 4 || rouge("The cat sat on the mat.", "the, CAT the the dog", 20) != 0.5 ||
	    rouge("a b", "", 0) != 0) {
		fprintf(stderr, "usage: summaries_tool REFERENCES MESSAGES NAME=SUMMARIES ...\n");
		return 1;
	}
	read_all(argv[1], &refs);
	read_all(argv[2], &messages);
	for (int i = 3; i < argc; i++) {
		struct entries ours = { NULL, 0, 0 };
		char *path = strchr(argv[i], '=');
		if (path == NULL)
			return 1;
		*path++ = '\0';
		random_state = 1;
		read_all(path, &ours);
		measure(&refs, &messages, &ours, argv[i]);
	}
	return 0;
}
