/*
 * salience_tool.c: prints the features of each piece of sessions, for tests/bench/salience.py.
 *
 *	salience_tool <MESSAGES >FEATURES
 *
 * MESSAGES: a JSON object a line with session, id, role, project and content, sessions one after
 * another. FEATURES: a JSON object a line with session, id, start and length in bytes, whether it
 * leans on the piece before, p, its tokens in quarters, its content words, and x, the features that
 * are not 0, by name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "json/json.h"
#include "summary/salience.h"
#include "text/tokens.h"
#include "text/words.h"

#define TURNS_MOST 10000

struct turn { const char *session, *id, *text; size_t len; bool by_user, project; };

static int
put_word(void *arg, const struct word *w)
{
	struct buf *b = arg;

	if (w->stop || w->kind == WORD_PART || w->kind == WORD_CHAR)
		return 0;
	if (b->data[b->len - 1] != '[')
		buf_addc(b, ',');
	json_write_string(b, w->term, w->len);
	return 0;
}

static int
put_piece(void *arg, const struct salience *s)
{
	const struct turn *t = arg;
	const char *const *names;
	size_t n = salience_features(&names);
	struct buf b;

	buf_init(&b, 1u << 20);
	json_open(&b);
	json_str(&b, "session", t->session);
	json_str(&b, "id", t->id);
	json_int(&b, "start", (int64_t)s->start);
	json_int(&b, "length", (int64_t)s->len);
	json_int(&b, "sentence", (int64_t)s->sentence);
	json_int(&b, "leans", s->leans);
	json_num(&b, "p", s->p);
	json_int(&b, "quarters", (int64_t)tokens_quarters(t->text + s->start, s->len));
	json_key(&b, "words");
	buf_addc(&b, '[');
	words_each(t->text + s->start, s->len, put_word, &b);
	buf_addc(&b, ']');
	json_key(&b, "x");
	json_open(&b);
	for (size_t i = 0; i < n; i++)
		if (s->x[i] > 0)
			json_num(&b, names[i], (double)s->x[i]);
	json_close(&b);
	json_close(&b);
	printf("%s\n", b.data);
	buf_release(&b);
	return 0;
}

static void
put_session(const struct turn *turns, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct salience_turn t = { turns[i].text, turns[i].len, i, n,
			turns[i].by_user,
			i > 0 && (strchr(turns[i - 1].text, '?') != NULL ||
			    strstr(turns[i - 1].text, "？") != NULL), turns[i].project };
		salience_each(&t, put_piece, (void *)&turns[i]);
	}
}

int
main(void)
{
	struct turn *turns = xcalloc(TURNS_MOST, sizeof(*turns));
	struct arena a = ARENA_INIT;
	char *line = NULL;
	size_t size = 0, n = 0;
	ssize_t len;

	while ((len = getline(&line, &size, stdin)) > 0 && n < TURNS_MOST) {
		struct err err = ERR_INIT;
		const struct json *v;
		const char *role;
		if (json_parse(line, (size_t)len, &a, &v, &err) < 0) {
			fprintf(stderr, "salience_tool: %s\n", err.msg);
			return 1;
		}
		role = json_get(v, "role")->u.string;
		if (strcmp(role, "user") != 0 && strcmp(role, "assistant") != 0)
			continue;
		turns[n] = (struct turn){ json_get(v, "session")->u.string,
			json_get(v, "id")->u.string, json_get(v, "content")->u.string,
			json_get(v, "content")->len, strcmp(role, "user") == 0,
			json_get_string(v, "project", NULL) != NULL };
		if (n > 0 && strcmp(turns[0].session, turns[n].session) != 0) {
			put_session(turns, n);
			turns[0] = turns[n];
			n = 0;
		}
		n++;
	}
	put_session(turns, n);
	free(turns);
	free(line);
	arena_release(&a);
	return 0;
}
