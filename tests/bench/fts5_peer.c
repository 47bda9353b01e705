/*
 * fts5_peer.c: the peer of the quality tables: SQLite's own FTS5 and bm25(), a table a
 * conversation, asked the OR of the question's words.
 *
 *	fts5_peer [-t porter|unicode61|trigram|pairs|chars] [-q FIELD] [-s STOPWORDS] MESSAGES QUERIES
 *
 * MESSAGES and QUERIES are the NDJSON of the labelled sets (gzip or not): conv?, id, text,
 * speaker?, caption? and conv?, query, evidence, category?. What is indexed is `NAME said, "TEXT"
 * and shared CAPTION`, without a name the text. The words of a question are its runs of letters,
 * digits and "_", lower case, each once, without the stop words (one a line in STOPWORDS). With
 * trigram they are cut to every three characters, with pairs and chars the text and the question
 * are, so that Chinese can be matched at all. Prints score records as mem-eval does, with the same
 * code for the measures.
 */
#include <sqlite3.h>

#include <errno.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "eval/score.h"
#include "json/json.h"
#include "json/ndjson.h"

#define N_HITS 10

enum how { HOW_WORDS, HOW_TRIGRAMS, HOW_PAIRS, HOW_CHARS };

static const struct variant {
	const char *name, *tokenize;
	enum how how;
} variants[] = {
	{ "porter", "porter unicode61", HOW_WORDS },
	{ "unicode61", "unicode61", HOW_WORDS },
	{ "trigram", "trigram", HOW_TRIGRAMS },
	{ "pairs", "unicode61", HOW_PAIRS },
	{ "chars", "unicode61", HOW_CHARS },
};

struct record { const char *conv; const struct json *v; };
struct records { struct record *items; size_t n, cap; };
struct list { const char **items; size_t n, cap; };

static struct arena arena = ARENA_INIT;
static struct list stop;
static const struct variant *variant = &variants[0];
static const char *query_field = "query";

static void
die(const char *what, const char *why)
{
	fprintf(stderr, "fts5_peer: %s: %s\n", what, why);
	exit(1);
}

static void
list_add(struct list *l, const char *s)
{
	xgrow(&l->items, &l->cap, l->n + 1, sizeof *l->items);
	l->items[l->n++] = s;
}

static bool
list_has(const struct list *l, const char *s)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (strcmp(l->items[i], s) == 0)
			return true;
	return false;
}

static void
read_records(const char *path, struct records *to)
{
	struct err err = ERR_INIT;
	const struct json *v;
	const char *line, *conv;
	struct ndjson *r;
	size_t len;
	int got;

	if (ndjson_open(path, 0, &r, &err) < 0)
		die(path, err.msg);
	while ((got = ndjson_next(r, &line, &len, &err)) > 0) {
		if (json_parse(line, len, &arena, &v, &err) < 0)
			die(path, err.msg);
		conv = json_get_string(v, "conv", NULL);
		xgrow(&to->items, &to->cap, to->n + 1, sizeof *to->items);
		to->items[to->n++] = (struct record){ conv ? conv : "", v };
	}
	if (got < 0)
		die(path, err.msg);
	ndjson_close(r);
}

static void
read_stop(const char *path)
{
	struct err err = ERR_INIT;
	const char *line;
	struct ndjson *r;
	size_t len;

	if (ndjson_open(path, 0, &r, &err) < 0)
		die(path, err.msg);
	while (ndjson_next(r, &line, &len, &err) > 0)
		list_add(&stop, arena_strndup(&arena, line, len));
	ndjson_close(r);
}

/*
 * A letter or digit, near enough: all beyond ASCII but blanks, general and CJK punctuation, and the
 * full-width forms of ASCII's.
 */
static bool
is_word(uint32_t c)
{
	if (c < 0x80)
		return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    c == '_';
	return !(c < 0xaa || c == 0xd7 || c == 0xf7 ||
	    (c >= 0xab && c <= 0xbf && c != 0xb5 && c != 0xba) || (c >= 0x2000 && c <= 0x206f) ||
	    (c >= 0x2190 && c <= 0x2bff) || (c >= 0x3000 && c <= 0x303f) ||
	    (c >= 0xff00 && c <= 0xff0f) || (c >= 0xff1a && c <= 0xff20) ||
	    (c >= 0xff3b && c <= 0xff40) || (c >= 0xff5b && c <= 0xff65));
}

/*
 * One piece a gram of n characters of each run; a run that is shorter stays whole when keep_short.
 */
static void
add_grams(struct list *to, const char *s, const char *end, int n, bool keep_short)
{
	const char *from = s, *at = s;
	uint32_t c;
	int in = 0;

	while (at < end) {
		at += utf8_decode(at, end, &c);
		if (++in < n)
			continue;
		list_add(to, arena_strndup(&arena, from, (size_t)(at - from)));
		from += utf8_decode(from, end, &c);
	}
	if (in < n && keep_short)
		list_add(to, arena_strndup(&arena, s, (size_t)(end - s)));
}

/* The pieces of a text as the variant wants them, in order, repeated as they are. */
static void
pieces(const char *s, size_t len, struct list *to)
{
	const char *end = s + len, *start = NULL;
	uint32_t c = 0;
	size_t step = 0;

	for (; s <= end; s += step) {
		step = s < end ? MAX(utf8_decode(s, end, &c), 1) : 1;
		if (s < end && is_word(c)) {
			if (!start)
				start = s;
			continue;
		}
		if (start && variant->how == HOW_WORDS)
			list_add(to, arena_strndup(&arena, start, (size_t)(s - start)));
		else if (start)
			add_grams(to, start, s,
			    variant->how == HOW_TRIGRAMS    ? 3
				: variant->how == HOW_PAIRS ? 2
							    : 1,
			    variant->how == HOW_PAIRS);
		start = NULL;
	}
}

static void
lower(char *s)
{
	for (; *s; s++)
		if (*s >= 'A' && *s <= 'Z')
			*s = (char)(*s - 'A' + 'a');
}

static const char *
indexed_text(const struct json *m)
{
	const char *name = json_get_string(m, "speaker", NULL),
		   *caption = json_get_string(m, "caption", NULL);
	const char *text = json_get_string(m, "text", NULL);
	struct list l = { NULL, 0, 0 };
	struct buf b;
	size_t i;

	if (!text)
		text = "";
	if (name && *name)
		text = caption
		    ? arena_printf(&arena, "%s said, \"%s\" and shared %s", name, text, caption)
		    : arena_printf(&arena, "%s said, \"%s\"", name, text);
	if (variant->how != HOW_PAIRS && variant->how != HOW_CHARS)
		return text;
	buf_init(&b, 1 << 24);
	pieces(text, strlen(text), &l);
	for (i = 0; i < l.n; i++)
		buf_addf(&b, "%s ", l.items[i]);
	text = arena_strdup(&arena, b.data);
	buf_release(&b);
	free(l.items);
	return text;
}

/* "word" OR "word" ...; false when the question has no word left. */
static bool
match_text(const char *question, struct buf *out)
{
	struct list all = { NULL, 0, 0 }, once = { NULL, 0, 0 };
	char *copy = arena_strdup(&arena, question);
	bool is_any;
	size_t i;

	lower(copy);
	pieces(copy, strlen(copy), &all);
	for (i = 0; i < all.n; i++)
		if (!list_has(&stop, all.items[i]) && !list_has(&once, all.items[i]))
			list_add(&once, all.items[i]);
	buf_reset(out);
	for (i = 0; i < once.n; i++)
		buf_addf(out, "%s\"%s\"", i ? " OR " : "", once.items[i]);
	is_any = once.n > 0;
	free(all.items);
	free(once.items);
	return is_any;
}

static void
check(sqlite3 *db, int rc)
{
	if (rc != SQLITE_OK && rc != SQLITE_DONE && rc != SQLITE_ROW)
		die("sqlite", sqlite3_errmsg(db));
}

static sqlite3 *
make_table(const struct records *messages, const char *conv)
{
	sqlite3_stmt *st;
	sqlite3 *db;
	char *sql;
	size_t i;

	if (sqlite3_open(":memory:", &db) != SQLITE_OK)
		die("sqlite", "no memory");
	sql = sqlite3_mprintf("CREATE VIRTUAL TABLE m USING fts5(t, tokenize = '%q'); BEGIN",
	    variant->tokenize);
	check(db, sqlite3_exec(db, sql, NULL, NULL, NULL));
	sqlite3_free(sql);
	check(db, sqlite3_prepare_v2(db, "INSERT INTO m (rowid, t) VALUES (?, ?)", -1, &st, NULL));
	for (i = 0; i < messages->n; i++) {
		if (strcmp(messages->items[i].conv, conv) != 0)
			continue;
		sqlite3_bind_int64(st, 1, (sqlite3_int64)i);
		sqlite3_bind_text(st, 2, indexed_text(messages->items[i].v), -1, SQLITE_TRANSIENT);
		check(db, sqlite3_step(st));
		sqlite3_reset(st);
	}
	sqlite3_finalize(st);
	check(db, sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
	return db;
}

static void
evidence_of(const struct json *question, struct list *to)
{
	const struct json *v = json_get(question, "evidence");
	size_t i;

	to->n = 0;
	for (i = 0; v && v->kind == JSON_ARRAY && i < v->len; i++)
		if (v->u.items[i].kind == JSON_STRING && !list_has(to, v->u.items[i].u.string))
			list_add(to, v->u.items[i].u.string);
}

static void
ask(sqlite3 *db, const struct records *messages, const struct json *question, struct scores *scores)
{
	const char *text = json_get_string(question, query_field, NULL), *id;
	struct list evidence = { NULL, 0, 0 };
	uint32_t found[N_HITS] = { 0 };
	int64_t start;
	sqlite3_stmt *st;
	struct buf match;
	size_t n = 0;

	evidence_of(question, &evidence);
	if (evidence.n == 0)
		goto out;
	buf_init(&match, 1 << 20);
	start = clock_mono_us();
	if (text && match_text(text, &match)) {
		check(db,
		    sqlite3_prepare_v2(db,
			"SELECT rowid FROM m WHERE m MATCH ? ORDER BY rank LIMIT 10", -1, &st,
			NULL));
		sqlite3_bind_text(st, 1, match.data, -1, SQLITE_STATIC);
		while (sqlite3_step(st) == SQLITE_ROW) {
			id = json_get_string(messages->items[sqlite3_column_int64(st, 0)].v, "id",
			    NULL);
			found[n++] = id && list_has(&evidence, id);
		}
		check(db, sqlite3_finalize(st));
	}
	scores_add(scores, json_get_string(question, "category", NULL), found, n, evidence.n,
	    (double)(clock_mono_us() - start) / 1000);
	buf_release(&match);
out:
	free(evidence.items);
}

struct printing { struct buf out; struct scores *scores; const char *strategy; };

static void
print_score(void *arg, const struct score *v)
{
	struct printing *p = arg;

	score_write(&p->out, p->scores, p->strategy, v);
}

static void
parse_options(int argc, char **argv)
{
	size_t i;
	int c;

	while ((c = getopt(argc, argv, "t:q:s:")) != -1)
		switch (c) {
		case 't':
			for (i = 0; i < NELEM(variants) && strcmp(variants[i].name, optarg) != 0;
			     i++)
				;
			if (i == NELEM(variants))
				die(optarg, "no such variant");
			variant = &variants[i];
			break;
		case 'q':
			query_field = optarg;
			break;
		case 's':
			read_stop(optarg);
			break;
		default:
			exit(64);
		}
	if (argc - optind != 2)
		die("usage", "fts5_peer [-t VARIANT] [-q FIELD] [-s STOPWORDS] MESSAGES QUERIES");
}

int
main(int argc, char **argv)
{
	static const unsigned k[] = { 1, 5, 10 };
	struct records messages = { NULL, 0, 0 }, queries = { NULL, 0, 0 };
	struct printing p;
	sqlite3 *db;
	size_t i, j;

	parse_options(argc, argv);
	read_records(argv[optind], &messages);
	read_records(argv[optind + 1], &queries);
	p.scores = scores_new(k, NELEM(k));
	p.strategy = arena_printf(&arena, "fts5 %s", variant->name);
	buf_init(&p.out, 1 << 24);
	for (i = 0; i < queries.n; i++) {
		if (!queries.items[i].conv)
			continue;      /* its conversation was done with an earlier question's */
		db = make_table(&messages, queries.items[i].conv);
		for (j = i; j < queries.n; j++)
			if (queries.items[j].conv &&
			    strcmp(queries.items[j].conv, queries.items[i].conv) == 0) {
				ask(db, &messages, queries.items[j].v, p.scores);
				if (j > i)
					queries.items[j].conv = NULL;
			}
		sqlite3_close(db);
	}
	scores_each(p.scores, print_score, &p);
	fputs(p.out.data, stdout);
	buf_release(&p.out);
	scores_free(p.scores);
	free(messages.items);
	free(queries.items);
	free(stop.items);
	arena_release(&arena);
	return fflush(stdout) == EOF;
}
