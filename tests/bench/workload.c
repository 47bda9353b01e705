/*
 * workload.c: what the speed tables are measured with, made from chat lines and long messages, the
 * same at every run.
 *
 *	workload lines N FILE               N message records, the lines of FILE; when they run out, again in new sessions, a tenth of the words replaced
 *	workload pieces N BYTES FILE        the same of pieces of BYTES bytes, cut from the texts of FILE one after the other
 *	workload spread N BYTES SESSIONS FILE   pieces in SESSIONS sessions that take turns
 *	workload questions N RECORDS        N different lines of the records that end in "?" and have 4 to 12 words, evenly spread, one a line
 *	workload bytes RECORDS              bytes of the records' contents
 *	workload table DB RECORDS           the peer's table: FTS5, porter, of the records' contents
 *	workload commands SEARCH MEMDB SQLITE3 PEERDB QUESTIONS     a file for timeit: mem-search and the peer in turns
 */
#include <sqlite3.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "json/json.h"
#include "json/ndjson.h"

struct text { const char *conv, *id, *ts, *name, *text; size_t len; };

static struct arena arena = ARENA_INIT;
static struct text *texts;
static size_t n_texts, cap_texts;
/* of all texts, for replacing: common ones come up as often as they are */
static const char **words;
static size_t n_words, cap_words;
static uint64_t random_state = 20240501;
/* pieces of a log between a user and an assistant, who take turns */
static bool is_cut;

static void
die(const char *what, const char *why)
{
	fprintf(stderr, "workload: %s: %s\n", what, why);
	exit(1);
}

static size_t
random_below(size_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (size_t)((random_state >> 33) % n);
}

static const char *
string_or(const struct json *v, const char *key, const char *otherwise)
{
	const char *s = json_get_string(v, key, NULL);

	return s ? arena_strdup(&arena, s) : otherwise;
}

/* Calls fn with each record of a file; what fn keeps it copies. */
static void
each_record(const char *path, void (*fn)(const struct json *v))
{
	struct arena line_arena = ARENA_INIT;
	struct err err = ERR_INIT;
	const struct json *v;
	const char *line;
	struct ndjson *r;
	size_t len;
	int got;

	if (ndjson_open(path, 0, &r, &err) < 0)
		die(path, err.msg);
	while ((got = ndjson_next(r, &line, &len, &err)) > 0) {
		if (json_parse(line, len, &line_arena, &v, &err) < 0)
			die(path, err.msg);
		fn(v);
		arena_reset(&line_arena);
	}
	if (got < 0)
		die(path, err.msg);
	ndjson_close(r);
	arena_release(&line_arena);
}

static void
add_text(const char *conv, const char *id, const char *ts, const char *name, const char *text,
	size_t len)
{
	xgrow(&texts, &cap_texts, n_texts + 1, sizeof *texts);
	texts[n_texts++] = (struct text){ conv, id, ts, name, text, len };
}

static void
take_line(const struct json *v)
{
	const char *text = string_or(v, "text", "");

	add_text(string_or(v, "conv", ""), string_or(v, "id", ""), string_or(v, "ts", NULL),
	    string_or(v, "speaker", NULL), text, strlen(text));
}

/* The texts as one, cut anew every n_bytes. */
static void
cut(size_t n_bytes)
{
	struct text *from = texts;
	size_t n_from = n_texts, i, at, len, n = 0;
	struct buf b;

	is_cut = true;
	texts = NULL;
	n_texts = cap_texts = 0;
	buf_init(&b, 1u << 30);
	for (i = 0; i < n_from; i++)
		buf_addf(&b, "%s\n", from[i].text);
	for (at = 0; at + n_bytes <= b.len; at += len) {
		len = utf8_clip(b.data + at, b.len - at, n_bytes);
		add_text(arena_printf(&arena, "log-%zu", n / 200), arena_printf(&arena, "%zu", n),
		    NULL, NULL, arena_strndup(&arena, b.data + at, len), len);
		n++;
	}
	buf_release(&b);
	free(from);
}

static void
take_words(void)
{
	const char *s, *end;
	size_t i, n;

	for (i = 0; i < n_texts; i++)
		for (s = texts[i].text, end = s + texts[i].len; s < end; s += n + 1) {
			n = strcspn(s, " \n");
			if (n == 0)
				continue;
			xgrow(&words, &cap_words, n_words + 1, sizeof *words);
			words[n_words++] = s;
		}
}

/* A tenth of the words of t replaced by words from anywhere; white space as it is. */
static void
replaced(const struct text *t, struct buf *out)
{
	const char *s = t->text, *end = s + t->len, *w;
	size_t n;

	buf_reset(out);
	while (s < end) {
		n = strcspn(s, " \n");
		if (n && random_below(10) == 0) {
			w = words[random_below(n_words)];
			buf_add(out, w, strcspn(w, " \n"));
		} else {
			buf_add(out, s, n);
		}
		s += n;
		if (s < end)
			buf_addc(out, *s++);
	}
}

static void
print_records(size_t n, size_t n_sessions)
{
	struct buf line, content;
	const struct text *t;
	size_t i, copy;

	if (n_texts == 0)
		die("messages", "there are none");
	if (n > n_texts)
		take_words();
	buf_init(&line, 1 << 24);
	buf_init(&content, 1 << 24);
	for (i = 0; i < n; i++) {
		t = &texts[i % n_texts];
		copy = i / n_texts;
		buf_reset(&line);
		json_open(&line);
		json_str(&line, "type", "message");
		json_str(&line, "session",
		    n_sessions ? arena_printf(&arena, "s%zu", i % n_sessions)
			: copy ? arena_printf(&arena, "%s/%zu", t->conv, copy)
			       : t->conv);
		json_str(&line, "source_id", n_sessions ? arena_printf(&arena, "%zu", i) : t->id);
		json_str(&line, "role", is_cut && i % 2 ? "assistant" : "user");
		json_str(&line, "name", t->name);
		json_str(&line, "time", t->ts);
		if (copy) {
			replaced(t, &content);
			json_strn(&line, "content", content.data, content.len);
		} else {
			json_strn(&line, "content", t->text, t->len);
		}
		json_close(&line);
		puts(line.data);
	}
	buf_release(&line);
	buf_release(&content);
}

static void
take_question(const struct json *v)
{
	const char *s = json_get_string(v, "content", NULL), *p;
	size_t len = s ? strlen(s) : 0, n = 0;

	if (len < 2 || s[len - 1] != '?' || strpbrk(s, "\t\n\\"))
		return;
	for (p = s; *p; p += strspn(p, " ")) {
		n++;
		p += strcspn(p, " ");
	}
	if (n >= 4 && n <= 12)
		add_text("", "", NULL, NULL, arena_strdup(&arena, s), len);
}

static int
text_cmp(const void *pa, const void *pb)
{
	return strcmp(((const struct text *)pa)->text, ((const struct text *)pb)->text);
}

static void
print_questions(size_t n)
{
	size_t i, n_unique = 0;

	qsort(texts, n_texts, sizeof *texts, text_cmp);
	for (i = 0; i < n_texts; i++)
		if (n_unique == 0 || strcmp(texts[n_unique - 1].text, texts[i].text) != 0)
			texts[n_unique++] = texts[i];
	if (n_unique < n)
		die("questions", "too few");
	for (i = 0; i < n; i++)
		puts(texts[i * n_unique / n].text);
}

static size_t n_bytes_all;

static void
count_bytes(const struct json *v)
{
	size_t len = 0;

	json_get_string(v, "content", &len);
	n_bytes_all += len;
}

static sqlite3 *table;
static sqlite3_stmt *insert;

static void
insert_record(const struct json *v)
{
	sqlite3_bind_text(insert, 1, json_get_string(v, "content", NULL), -1, SQLITE_TRANSIENT);
	if (sqlite3_step(insert) != SQLITE_DONE)
		die("sqlite", sqlite3_errmsg(table));
	sqlite3_reset(insert);
}

static void
make_table(const char *path, const char *records)
{
	if (sqlite3_open(path, &table) != SQLITE_OK ||
	    sqlite3_exec(table,
		"CREATE VIRTUAL TABLE m USING fts5(content, tokenize = 'porter unicode61'); BEGIN",
		NULL, NULL, NULL) ||
	    sqlite3_prepare_v2(table, "INSERT INTO m VALUES (?)", -1, &insert, NULL))
		die(path, sqlite3_errmsg(table));
	each_record(records, insert_record);
	sqlite3_finalize(insert);
	if (sqlite3_exec(table, "INSERT INTO m (m) VALUES ('optimize'); COMMIT", NULL, NULL, NULL))
		die(path, sqlite3_errmsg(table));
	sqlite3_close(table);
}

/*
 * "word" OR "word" of the runs of ASCII letters and digits and of what is beyond ASCII, as
 * unicode61 sees them.
 */
static void
match_text(const char *s, struct buf *out)
{
	static const char is_in[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	size_t n;

	buf_reset(out);
	while (*s) {
		for (n = 0; s[n] && ((unsigned char)s[n] >= 0x80 || strchr(is_in, s[n])); n++)
			;
		if (n) {
			buf_adds(out, out->len ? " OR \"" : "\"");
			buf_add(out, s, n);
			buf_addc(out, '"');
		}
		s += MAX(n, 1);
	}
}

static void
print_commands(char **argv)
{
	FILE *f = fopen(argv[4], "re");
	char *line = NULL;
	size_t cap = 0;
	struct buf match;

	if (!f)
		die(argv[4], "cannot be read");
	buf_init(&match, 1 << 20);
	while (getline(&line, &cap, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		match_text(line, &match);
		printf("mem-search\t%s\t-d\t%s\t--\t%s\n", argv[0], argv[1], line);
		printf("fts5\t%s\t%s\tSELECT rowid, content FROM m WHERE m MATCH '%s' ORDER BY "
		       "rank LIMIT 10\n",
		    argv[2], argv[3], match.data);
	}
	buf_release(&match);
	free(line);
	fclose(f);
}

static size_t
number(const char *s)
{
	return (size_t)strtoul(s, NULL, 10);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "lines") == 0 && argc == 4) {
		each_record(argv[3], take_line);
		print_records(number(argv[2]), 0);
	} else if (strcmp(what, "pieces") == 0 && argc == 5) {
		each_record(argv[4], take_line);
		cut(number(argv[3]));
		print_records(number(argv[2]), 0);
	} else if (strcmp(what, "spread") == 0 && argc == 6) {
		each_record(argv[5], take_line);
		cut(number(argv[3]));
		print_records(number(argv[2]), number(argv[4]));
	} else if (strcmp(what, "questions") == 0 && argc == 4) {
		each_record(argv[3], take_question);
		print_questions(number(argv[2]));
	} else if (strcmp(what, "bytes") == 0 && argc == 3) {
		each_record(argv[2], count_bytes);
		printf("%zu\n", n_bytes_all);
	} else if (strcmp(what, "table") == 0 && argc == 4) {
		make_table(argv[2], argv[3]);
	} else if (strcmp(what, "commands") == 0 && argc == 7) {
		print_commands(argv + 2);
	} else {
		die("usage", "lines|pieces|spread|questions|bytes|table|commands ...");
	}
	free(texts);
	free(words);
	arena_release(&arena);
	return fflush(stdout) == EOF;
}
