/*
 * signals_tool.c: the signals of every turn that could answer a question, for
 * tests/bench/weights.py to learn from.
 *
 *	signals_tool DB KIND <QUESTIONS >OUT
 *
 * QUESTIONS are records {user, query, relevant, category?} as mem-eval takes them, a JSON value a
 * line. KIND: unknown, chat or assistant, and all sessions are scored as of that kind; "" leaves
 * each what it is. What is written, all in this machine's byte order:
 *
 *	{"signals":[names]}\n
 *	a question: {"user":.., "category":.., "n":candidates, "relevant":how many there are, "kind":of the profile}\n; n bytes: is it relevant; n row numbers as int64 (those of neighbours in
 *	a session differ by one); n times the signals as float32
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/conf.h"
#include "json/json.h"
#include "math/topk.h"
#include "search/search.h"

#define BEST   600
#define OTHERS 200

static struct err err = ERR_INIT;

static void
must(int rc)
{
	if (rc < 0) {
		fprintf(stderr, "signals_tool: %s\n", err.msg);
		exit(1);
	}
}

/* Rows of the relevant messages; returns how many ids there are, *n of them known. */
static size_t
relevant_rows(struct store *s, const struct scope *who, const struct json *ids, struct arena *a,
	int64_t *rows, size_t *n)
{
	const struct message *m;

	*n = 0;
	for (size_t i = 0; i < ids->len; i++) {
		must(messages_find(s, who, arena_printf(a, "source:%s", ids->u.items[i].u.string),
		    a, &m, &err));
		if (m != NULL)
			rows[(*n)++] = m->row;
	}
	return ids->len;
}

/*
 * Of many candidates the BEST by the built-in weights, some of the others, and those that are
 * relevant.
 */
static void
choose(const struct search_features *f, const bool *is, bool *keep)
{
	struct topk top;

	topk_init(&top, BEST);
	for (size_t i = 0; i < f->n; i++)
		topk_add(&top, profile_score(&profile_default, f->kinds[i], f->x + i * N_SIGNALS),
		    (int64_t)i);
	for (size_t i = 0; i < f->n; i++)
		keep[i] = is[i] || i % (f->n / OTHERS + 1) == 0;
	for (size_t i = 0; i < top.n; i++)
		keep[top.items[i].id] = true;
	topk_release(&top);
}

static void
write_question(const char *user, const char *category, const struct search_features *f,
	const bool *is, size_t n_ids)
{
	bool *keep = xcalloc(f->n + 1, sizeof(*keep));
	size_t n = 0;

	choose(f, is, keep);
	for (size_t i = 0; i < f->n; i++)
		n += keep[i];
	printf("{\"user\":\"%s\",\"category\":\"%s\",\"n\":%zu,\"relevant\":%zu,\"kind\":\"%s\"}\n",
	    user, category != NULL ? category : "", n, n_ids,
	    f->n > 0 ? profile_kind_names[f->kinds[0]] : "");
	for (size_t i = 0; i < f->n; i++)
		if (keep[i])
			putchar(is[i]);
	for (size_t i = 0; i < f->n; i++)
		if (keep[i])
			fwrite(&f->rows[i], sizeof(*f->rows), 1, stdout);
	for (size_t i = 0; i < f->n; i++)
		if (keep[i])
			fwrite(f->x + i * N_SIGNALS, sizeof(*f->x) * N_SIGNALS, 1, stdout);
	free(keep);
}

static void
ask(struct store *s, struct search *search, int kind, const struct json *v, struct arena *a)
{
	const struct json *ids = json_get(v, "relevant");
	const char *user = json_get_string(v, "user", NULL),
		   *category = json_get_string(v, "category", NULL);
	struct search_query q = { .strategy = "fused",
		.limit = 10,
		.filter = MESSAGE_FILTER_ANY,
		.now_us = clock_now_us(),
		.exact = true,
		.as_kind = kind >= 0,
		.kind = (enum session_kind)MAX(kind, 0) };
	struct scope who = { .user = user };
	struct search_features f;
	int64_t *rows;
	size_t n, n_ids;
	bool *is;

	q.text = json_get_string(v, "query", &q.len);
	if (user == NULL || q.text == NULL || ids == NULL || ids->kind != JSON_ARRAY ||
	    ids->len == 0)
		return;
	rows = xreallocarray(NULL, ids->len, sizeof(*rows));
	n_ids = relevant_rows(s, &who, ids, a, rows, &n);
	must(search_signals(search, &who, &q, &f, &err));
	is = xcalloc(f.n + 1, sizeof(*is));
	for (size_t i = 0; i < f.n; i++)
		for (size_t k = 0; k < n; k++)
			is[i] |= rows[k] == f.rows[i];
	write_question(user, category, &f, is, n_ids);
	free(is);
	free(rows);
}

int
main(int argc, char **argv)
{
	struct arena a = ARENA_INIT;
	struct search *search;
	struct store *s;
	const struct json *v;
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	int kind = -1;

	if (argc != 3) {
		fprintf(stderr, "usage: signals_tool DB KIND <QUESTIONS\n");
		return 64;
	}
	must(conf_load(&err));
	must(store_open(argv[1], STORE_READ, &s, &err));
	must(search_open(s, &search, &err));
	for (int k = 0; k < N_SESSION_KINDS; k++)
		kind = strcmp(profile_kind_names[k], argv[2]) == 0 ? k : kind;
	printf("{\"signals\":[");
	for (size_t i = 0; i < N_SIGNALS; i++)
		printf("%s\"%s\"", i > 0 ? "," : "", signals[i].name);
	printf("]}\n");
	while ((len = getline(&line, &cap, stdin)) > 0) {
		arena_reset(&a);
		must(json_parse(line, (size_t)len, &a, &v, &err));
		ask(s, search, kind, v, &a);
	}
	free(line);
	arena_release(&a);
	search_close(search);
	store_close(s);
	return 0;
}
