/*
 * followup_tool.c: the features of labelled follow-up questions, for learning the weights, and a
 * measurement of what comes of them.
 *
 *	followup_tool features SET ...         rows for followup_learn.py: a question or a word each
 *	followup_tool measure STOPS SET ...    by the weights that are built in; STOPS: a file of
 *	                                       stop words, a word a line
 *	followup_tool print SET ...            each question, what came out, what a person made of it
 *
 * A SET is NDJSON: query, rewrite (by a person), history [{role, text}], dialog, answer where there
 * is one. A question needs what was said before it when the rewrite has other words; new words are
 * those of the rewrite, no stop words, that the question lacks. Questions without a history count
 * nothing. For learning, histories with titles come a second time without; a rewrite after the same
 * history, and one after that of another item, are whole questions.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/err.h"
#include "followup/followup.h"
#include "followup/followup_parts.h"
#include "json/json.h"
#include "json/ndjson.h"

#define MOST_SAID      512
#define ELSEWHERE_STEP 101        /* from an item to one of another talk */

struct item {
	const struct json *history;
	const char *query, *rewrite, *answer;      /* answer: NULL when there is none */
	size_t query_len, rewrite_len, answer_len;
	char group[24];                    /* the dialogue */
	bool needs;
};

struct set {
	const char *name;
	struct item *items;
	size_t n, cap;
	struct arena arena;
};

/* What one row to learn from came from. */
enum copy { AS_IT_IS, UNTITLED, REWRITE, ELSEWHERE /* the rewrite of another talk */, N_COPIES };

static char **stops;
static size_t n_stops, cap_stops;

static void
die(const char *what, const char *why)
{
	fprintf(stderr, "followup_tool: %s: %s\n", what, why);
	exit(1);
}

/*
 * ---- words, as the measurement has them: letters and digits in lower case, a character of Chinese
 * each ----
 */

struct bag { char **words; size_t n; };

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool
in_word(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	    c == '_' || c >= 0x80;
}

static struct bag
bag_of(const char *s, size_t len, struct arena *a)
{
	struct bag b = { arena_alloc(a, (len + 1) * sizeof(char *)), 0 };

	for (size_t i = 0, j; i < len; i = j) {
		unsigned char c = (unsigned char)s[i];

		j = i + 1;
		if (!in_word(c))
			continue;
		if (c >= 0xe0) {                   /* 0xe2 leads quotes and dashes */
			j = MIN(i + (c >= 0xf0 ? 4 : 3), len);
			if (c == 0xe2)
				continue;
		} else {
			while (j < len && in_word((unsigned char)s[j]) &&
			    (unsigned char)s[j] < 0xe0)
				j++;
		}
		char *w = arena_strndup(a, s + i, j - i);
		for (char *p = w; *p; p++)
			if (*p >= 'A' && *p <= 'Z')
				*p = (char)(*p + 32);
		b.words[b.n++] = w;
	}
	return b;
}

static struct bag
set_of(const char *s, size_t len, struct arena *a)
{
	struct bag b = bag_of(s, len, a);
	size_t n = 0;

	qsort(b.words, b.n, sizeof(*b.words), by_bytes);
	for (size_t i = 0; i < b.n; i++)
		if (n == 0 || strcmp(b.words[i], b.words[n - 1]) != 0)
			b.words[n++] = b.words[i];
	b.n = n;
	return b;
}

static bool
has(const struct bag *b, const char *w)
{
	return bsearch(&w, b->words, b->n, sizeof(*b->words), by_bytes) != NULL;
}

static bool
is_stop(const char *w)
{
	return bsearch(&w, stops, n_stops, sizeof(*stops), by_bytes) != NULL;
}

static bool
same_words(const struct item *it, struct arena *a)
{
	struct bag q = bag_of(it->query, it->query_len, a),
		   r = bag_of(it->rewrite, it->rewrite_len, a);

	for (size_t i = 0; i < q.n && i < r.n; i++)
		if (strcmp(q.words[i], r.words[i]) != 0)
			return false;
	return q.n == r.n;
}

/* ---- sets ---- */

static void
read_stops(const char *path)
{
	struct err err = ERR_INIT;
	struct ndjson *in;
	const char *line;
	size_t len;

	if (ndjson_open(path, 0, &in, &err) != 0)
		die(path, err.msg);
	while (ndjson_next(in, &line, &len, &err) > 0) {
		xgrow(&stops, &cap_stops, n_stops + 1, sizeof(*stops));
		stops[n_stops++] = xstrndup(line, len);
	}
	ndjson_close(in);
	qsort(stops, n_stops, sizeof(*stops), by_bytes);
}

static void
read_set(struct set *s, const char *path)
{
	struct err err = ERR_INIT;
	struct arena a = ARENA_INIT;
	struct ndjson *in;
	const struct json *v;
	const char *line;
	size_t len;

	*s = (struct set){ .name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path };
	if (ndjson_open(path, 0, &in, &err) != 0)
		die(path, err.msg);
	while (ndjson_next(in, &line, &len, &err) > 0) {
		struct item it = { .needs = false };

		if (json_parse(line, len, &s->arena, &v, &err) != 0)
			die(path, err.msg);
		it.query = json_get_string(v, "query", &it.query_len);
		it.rewrite = json_get_string(v, "rewrite", &it.rewrite_len);
		it.answer = json_get_string(v, "answer", &it.answer_len);
		it.history = json_get(v, "history");
		const char *dialog = json_get_string(v, "dialog", NULL);

		if (dialog != NULL)
			snprintf(it.group, sizeof(it.group), "%s", dialog);
		else
			snprintf(it.group, sizeof(it.group), "%.0f",
			    json_get_number(v, "dialog", 0));
		if (it.query == NULL || it.rewrite == NULL || it.history == NULL ||
		    it.history->kind != JSON_ARRAY || it.history->len > MOST_SAID)
			die(path, "a line without query, rewrite or history");
		arena_reset(&a);
		it.needs = !same_words(&it, &a);
		xgrow(&s->items, &s->cap, s->n + 1, sizeof(*s->items));
		s->items[s->n++] = it;
	}
	if (err.code != 0)
		die(path, err.msg);
	ndjson_close(in);
	arena_release(&a);
}

static bool
is_han(const struct item *it)
{
	return it->query_len > 0 && (unsigned char)it->query[0] >= 0xe3;
}

static size_t
said_of(const struct item *it, bool titles, struct followup_said said[MOST_SAID])
{
	size_t n = 0;

	for (size_t i = 0; i < it->history->len; i++) {
		const struct json *h = &it->history->u.items[i];
		const char *role = json_get_string(h, "role", NULL),
			   *text = json_get_string(h, "text", &said[n].len);
		bool title;

		if (role == NULL || text == NULL)
			continue;
		title = strcmp(role, "title") == 0 || strcmp(role, "section") == 0;
		if (title && !titles)
			continue;
		said[n].role = title		? CONVERSATION_TITLE
		    : strcmp(role, "user") == 0 ? CONVERSATION_USER
						: CONVERSATION_OTHER;
		said[n++].text = text;
	}
	return n;
}

/*
 * The talk of an item with its question, or what asked made of its own, by the weights as learnt so
 * far; false: nothing was said before.
 */
static bool
build(struct conversation *t, struct arena *a, const struct item *it, const struct item *asked,
	enum copy copy)
{
	struct followup_said said[MOST_SAID];
	size_t n = said_of(it, copy != UNTITLED, said);

	if (n == 0 || (copy == UNTITLED && n == it->history->len))
		return false;
	followup_read(t, a, said, n);
	if (copy >= REWRITE)
		conversation_add(t, CONVERSATION_USER, asked->rewrite, asked->rewrite_len);
	else
		conversation_add(t, CONVERSATION_USER, it->query, it->query_len);
	return true;
}

/* ---- rows to learn from ---- */

static bool
is_in(const char *text, size_t len, const char *part, size_t n)
{
	for (size_t i = 0; i + n <= len; i++)
		if (memcmp(text + i, part, n) == 0)
			return true;
	return false;
}

/*
 * A word belongs into the question when the rewrite has it: its stem, of Chinese the very
 * characters.
 */
static bool
belongs(const struct item *it, const struct conversation *rewrite,
	const struct conversation_term *term)
{
	const struct conversation_turn *r = &rewrite->turns[0];

	if ((unsigned char)term->text[0] >= 0xe3)
		return is_in(it->rewrite, it->rewrite_len, term->text, term->len);
	for (size_t i = 0; i < r->n; i++)
		if (rewrite->terms[r->words[i].term].hash == term->hash)
			return true;
	return false;
}

static void
put_row(const char *row, const struct set *s, size_t item, enum copy copy,
	enum followup_kind kind, bool y, const float *x, size_t n)
{
	printf("%s %.*s %zu %s %d %d %d", row, (int)strcspn(s->name, "."), s->name, item,
	    s->items[item].group, (int)copy, (int)kind, y);
	for (size_t i = 0; i < n; i++)
		printf(" %g", (double)x[i]);
	putchar('\n');
}

static void
put_rows(const struct set *s)
{
	struct arena a = ARENA_INIT;
	struct conversation t, rewrite;
	struct candidate *c;
	struct lack l;
	float x[N_NEEDS];

	for (size_t i = 0; i < s->n; i++)
		for (int copy = 0; copy < N_COPIES; copy++) {
			const struct item *it = &s->items[i],
					  *asked = copy == ELSEWHERE
				? &s->items[(i + ELSEWHERE_STEP) % s->n]
				: it;

			arena_reset(&a);
			if ((copy == REWRITE && !it->needs) ||
			    !build(&t, &a, it, asked, (enum copy)copy))
				continue;
			need_features(&t, t.n - 1, &l, x);
			put_row("need", s, i, (enum copy)copy, l.kind,
			    copy < REWRITE && it->needs, x, N_NEEDS);
			if (copy >= REWRITE || !it->needs)
				continue;
			conversation_start(&rewrite, &a);
			conversation_add(&rewrite, CONVERSATION_USER, it->rewrite, it->rewrite_len);
			for (size_t n = antecedents_find(&t, &l, &c), k = 0; k < n; k++)
				put_row("term", s, i, (enum copy)copy, l.kind,
				    belongs(it, &rewrite, &t.terms[c[k].term]), c[k].x,
				    N_TERM_FEATURES);
		}
	arena_release(&a);
}

static void
put_names(void)
{
#define X(id, name) printf("\t%s", name);
	printf("names\tneed");
	NEED_FEATURES(X)
	printf("\nnames\tterm");
	TERM_FEATURES(X)
#undef X
	for (int i = 0; i < TERM_LACKS * TERM_PLACES; i++)
		printf("\tlack %d place %d", i / TERM_PLACES, i % TERM_PLACES);
	putchar('\n');
}

/* ---- measuring what comes out ---- */

struct counts { double n[2], right[2], hits, said, good, n_changed; };

/* Words that are new against the question, and right. */
static void
count_words(struct counts *c, const struct item *it, const char *text, size_t len, bool han,
	struct arena *a)
{
	struct bag q = set_of(it->query, it->query_len, a),
		   r = set_of(it->rewrite, it->rewrite_len, a), o = set_of(text, len, a);

	for (size_t k = 0; k < r.n; k++)
		c->good += !has(&q, r.words[k]) && (han || !is_stop(r.words[k]));
	for (size_t k = 0; k < o.n; k++)
		if (!has(&q, o.words[k]) && (han || !is_stop(o.words[k]))) {
			c->said++;
			c->hits += has(&r, o.words[k]);
		}
}

static void
put_counts(const char *label, const struct counts *c)
{
	printf("  %-26s %5.0f %5.0f  %.3f  %.3f  %.3f  %.3f  %.3f  %.3f\n", label, c->n[1], c->n[0],
	    c->right[1] / c->n[1], c->right[0] / c->n[0],
	    (c->right[1] / c->n[1] + c->right[0] / c->n[0]) / 2, c->hits / MAX(c->said, 1),
	    c->hits / MAX(c->good, 1), c->n_changed / c->n[1]);
}

static void
measure(const struct set *s, bool titles)
{
	struct arena a = ARENA_INIT;
	struct counts c = { .hits = 0 };
	char label[64];

	for (size_t i = 0; i < s->n; i++) {
		const struct item *it = &s->items[i];
		struct followup_said said[MOST_SAID];
		size_t n = said_of(it, titles, said);
		struct followup f;

		arena_reset(&a);
		if (n == 0)
			continue;
		followup_resolve(&a, said, n, it->query, it->query_len, 0.7, false, &f);
		c.n[it->needs]++;
		c.right[it->needs] += (f.need >= FOLLOWUP_NEEDED) == it->needs;
		if (!it->needs)
			continue;
		c.n_changed += f.changed;
		count_words(&c, it, f.text, f.len, is_han(it), &a);
	}
	snprintf(label, sizeof(label), "%.*s%s", (int)strcspn(s->name, "."), s->name,
	    titles ? "" : ", no titles");
	put_counts(label, &c);
	arena_release(&a);
}

/* ---- answers found: each question's own among all answers of the set, plain BM25 ---- */

struct terms { uint64_t t[4096]; double w[4096], weight; size_t n; bool once; };
struct doc { uint64_t *t; size_t n; };

static int
on_term(void *arg, const struct word *w)
{
	struct terms *t = arg;

	if (!w->stop && w->kind != WORD_PART && t->n < NELEM(t->t)) {
		uint64_t h = 14695981039346656037u;

		for (size_t i = 0; i < w->len; i++)
			h = (h ^ (unsigned char)w->term[i]) * 1099511628211u;
		for (size_t i = 0; i < t->n && t->once; i++)
			if (t->t[i] == h)
				return 0;
		t->w[t->n] = t->weight;
		t->t[t->n++] = h;
	}
	return 0;
}

static unsigned
count_in(const struct doc *d, uint64_t term)
{
	unsigned n = 0;

	for (size_t i = 0; i < d->n; i++)
		n += d->t[i] == term;
	return n;
}

/* From 1; 0 when the wanted one is not found. */
static size_t
rank_of(const struct doc *docs, size_t n, double mean, const struct terms *q, size_t wanted)
{
	double *score = xcalloc(n, sizeof(*score));
	unsigned *tf = xcalloc(n, sizeof(*tf));
	size_t rank = 1;

	for (size_t k = 0; k < q->n; k++) {
		double df = 0, idf;

		for (size_t d = 0; d < n; d++)
			df += (tf[d] = count_in(&docs[d], q->t[k])) > 0;
		idf = q->w[k] * log(1 + ((double)n - df + 0.5) / (df + 0.5));
		for (size_t d = 0; d < n; d++)
			score[d] += idf * tf[d] * 2.2 /
			    (tf[d] + 1.2 * (0.25 + 0.75 * (double)docs[d].n / mean));
	}
	for (size_t d = 0; d < n; d++)
		rank += score[d] > score[wanted] || (score[d] == score[wanted] && d < wanted);
	rank = score[wanted] > 0 ? rank : 0;
	free(score);
	free(tf);
	return rank;
}

enum variant { RAW, PREVIOUS, FIRST, RESOLVED, WEIGHED, HUMAN, N_VARIANTS };
#define ADDED_WEIGHT 1.5           /* the default of the setting rewrite_weight */

static void
ask_as(enum variant v, const struct item *it, const struct followup_said *said, size_t n,
	struct arena *a, struct terms *q)
{
	struct followup f;
	size_t k = 0;

	q->n = 0;
	q->once = true;
	q->weight = 1;
	words_each(v == HUMAN ? it->rewrite : it->query,
	    v == HUMAN ? it->rewrite_len : it->query_len, on_term, q);
	for (size_t i = 0; i < n; i++)
		if (said[i].role == CONVERSATION_USER)
			k = i;
	if (v == RESOLVED || v == WEIGHED)
		followup_resolve(a, said, n, it->query, it->query_len, 0.7, false, &f);
	if (v == RESOLVED)
		words_each(f.text, f.len, on_term, q);
	for (size_t i = 0; v == WEIGHED && i < f.n_added; i++) {
		q->weight = ADDED_WEIGHT * (0.5 + 0.5 * (double)f.added[i].p);
		words_each(f.added[i].text, f.added[i].len, on_term, q);
	}
	if ((v == PREVIOUS || v == FIRST) && n > 0)
		words_each(said[v == FIRST ? 0 : k].text, said[v == FIRST ? 0 : k].len, on_term, q);
}

static void
find_answers(const struct set *s, bool titles)
{
	static const char *const names[N_VARIANTS] = { "raw", "previous question added",
		"first turn or title added", "made whole by mem", "  added words weighed",
		"made whole by a person" };
	static struct terms q;
	struct arena a = ARENA_INIT, b = ARENA_INIT;
	struct doc *docs = xcalloc(s->n + 1, sizeof(*docs));
	double mean = 0, hits[N_VARIANTS] = { 0 }, mrr[N_VARIANTS] = { 0 };
	size_t n = 0, at = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->items[i].answer == NULL)
			continue;
		q.n = 0;
		q.once = false;
		words_each(s->items[i].answer, s->items[i].answer_len, on_term, &q);
		docs[n] = (struct doc){ arena_alloc(&a, (q.n + 1) * sizeof(*q.t)), q.n };
		memcpy(docs[n].t, q.t, q.n * sizeof(*q.t));
		mean += (double)docs[n++].n;
	}
	for (size_t i = 0; i < s->n && n > 0; i++) {
		struct followup_said said[MOST_SAID];
		size_t m = said_of(&s->items[i], titles, said);

		if (s->items[i].answer == NULL)
			continue;
		for (int v = 0; v < N_VARIANTS; v++) {
			arena_reset(&b);
			ask_as((enum variant)v, &s->items[i], said, m, &b, &q);
			size_t rank = rank_of(docs, n, mean / (double)n, &q, at);
			hits[v] += rank >= 1 && rank <= 10;
			mrr[v] += rank >= 1 && rank <= 10 ? 1 / (double)rank : 0;
		}
		at++;
	}
	for (int v = 0; v < N_VARIANTS && n > 0; v++)
		printf("    %-26s n %zu  hits@10 %.3f  MRR@10 %.3f\n", names[v], n,
		    hits[v] / (double)n, mrr[v] / (double)n);
	free(docs);
	arena_release(&a);
	arena_release(&b);
}

static void
print(const struct set *s)
{
	struct arena a = ARENA_INIT;

	for (size_t i = 0; i < s->n; i++) {
		const struct item *it = &s->items[i];
		struct followup_said said[MOST_SAID];
		struct followup f;

		arena_reset(&a);
		followup_resolve(&a, said, said_of(it, true, said), it->query, it->query_len, 0.7,
		    false, &f);
		printf("%s need %.2f confidence %.2f %s\n  asked  %.*s\n  mem    %.*s\n  person "
		       "%.*s\n",
		    it->needs ? "needs" : "whole", (double)f.need, f.confidence, f.reason,
		    (int)it->query_len, it->query, (int)f.len, f.text, (int)it->rewrite_len,
		    it->rewrite);
	}
	arena_release(&a);
}

int
main(int argc, char **argv)
{
	static struct set sets[16];
	size_t n = 0;
	int first = 2;

	if (argc >= 4 && strcmp(argv[1], "measure") == 0)
		read_stops(argv[first++]);
	else if (argc < 3 || (strcmp(argv[1], "features") != 0 && strcmp(argv[1], "print") != 0))
		die("usage", "features SET ... | measure STOPS SET ... | print SET ...");
	for (int i = first; i < argc && n < NELEM(sets); i++)
		read_set(&sets[n++], argv[i]);
	if (argv[1][0] == 'f')
		put_names();
	for (size_t s = 0; s < n && argv[1][0] == 'f'; s++)
		put_rows(&sets[s]);
	for (size_t s = 0; s < n && argv[1][0] == 'p'; s++)
		print(&sets[s]);
	for (size_t s = 0; s < n && argv[1][0] == 'm'; s++) {
		bool titled = sets[s].n > 0 && sets[s].items[0].history->len > 0 &&
		    json_get_string(&sets[s].items[0].history->u.items[0], "role", NULL)[0] == 't';

		measure(&sets[s], true);
		find_answers(&sets[s], true);
		if (!titled)
			continue;
		measure(&sets[s], false);
		find_answers(&sets[s], false);
	}
	return 0;
}
