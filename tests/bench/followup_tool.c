/*
 * followup_tool.c: learns the weights of follow-up questions from labelled ones, and measures what
 * comes of them.
 *
 *	followup_tool learn SET ... [-- SET ...] >lib/followup/followup_weights.c          on stderr, for each set: fitted, and with this set left out
 *	followup_tool measure STOPS SET ...                            with the weights that are built in; STOPS: a file of stop words, a word a line
 *	followup_tool print SET ...                                    each question, what came out, and what a person made of it
 *
 * A SET is NDJSON: query, rewrite (by a person), history [{role, text}], answer where there is one.
 * A question needs what was said before it when the rewrite has other words; new words are those of
 * the rewrite, no stop words, that the question lacks. Questions without a history teach and count
 * nothing.
 *
 * Learnt are two logistic regressions for each kind of script, by Newton's method: sets weigh
 * alike, and in the first one needing and whole questions as well. A rewrite, asked after the same
 * history, is one more whole question, of little weight where a set has whole ones of its own.
 * Histories with titles count a second time without. Words behind long answers have weights of
 * their own, held near those for all others; sets after "--" teach only these (as built in: the
 * topics of TREC iKAT 2023), and where there are no others the general weights stay as they are
 * built in. In Chinese, where hardly any whole question is among them, so does what another talk
 * was rewritten to: a question about something else.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/err.h"
#include "followup/followup.h"
#include "followup/followup_parts.h"
#include "json/json.h"
#include "json/ndjson.h"

#define MOST       128               /* features of either */
#define MOST_SAID  512
#define SET_WEIGHT 500.0           /* of all questions of a set */
#define OF_REWRITE 0.03            /* of rewrites beside a set's own whole questions */
#define ELSEWHERE_STEP 101        /* from an item to one of another talk */
/* words that are meant behind long answers: a set with fewer weighs less */
#define LONG_LEAST 200.0
#define FEW_WHOLE  30              /* a set with fewer has none of its own */
#define L2_NEED    2.0
#define L2_TERM    5.0

struct item {
	const struct json *history;
	const char *query, *rewrite, *answer;      /* answer: NULL when there is none */
	size_t query_len, rewrite_len, answer_len;
	bool needs;
};

struct set {
	const char *name;
	struct item *items;
	size_t n, cap;
	struct arena arena;
};

/* What one training row came from. */
enum copy { AS_IT_IS, UNTITLED, REWRITE, ELSEWHERE /* the rewrite of another talk */, N_COPIES };
struct row { float x[MOST]; double y, w; unsigned set; int script; enum copy copy; };
struct rows { struct row *r; size_t n, cap; };

_Static_assert((int)N_NEEDS <= MOST && (int)N_TERM_FEATURES <= MOST, "more features");

static struct followup_weights learnt;
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
	followup_read(t, a, said, n, &learnt);
	if (copy >= REWRITE)
		conversation_add(t, CONVERSATION_USER, asked->rewrite, asked->rewrite_len);
	else
		conversation_add(t, CONVERSATION_USER, it->query, it->query_len);
	return true;
}

/* ---- logistic regression ---- */

/* Solves a x = b for a symmetric, positive a [n][n], by Cholesky, in place; x in b. */
static void
solve(double *a, double *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			double s = a[i * n + j];

			for (size_t k = 0; k < j; k++)
				s -= a[i * n + k] * a[j * n + k];
			a[i * n + j] = i == j ? sqrt(MAX(s, 1e-12)) : s / a[j * n + j];
		}
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < i; k++)
			b[i] -= a[i * n + k] * b[k];
		b[i] /= a[i * n + i];
	}
	for (size_t i = n; i-- > 0; ) {
		for (size_t k = i + 1; k < n; k++)
			b[i] -= a[k * n + i] * b[k];
		b[i] /= a[i * n + i];
	}
}

static double
probability(const float *w, const float *x, size_t n)
{
	double s = 0;

	for (size_t i = 0; i < n; i++)
		s += (double)w[i] * (double)x[i];
	return 1 / (1 + exp(-s));
}

static void
add_row(const struct row *r, const float *w, size_t n, double *g, double *h)
{
	double p = probability(w, r->x, n), v = r->w * (p * (1 - p) + 1e-6), e = r->w * (r->y - p);
	size_t at[MOST], m = 0;

	for (size_t k = 0; k < n; k++)
		if (r->x[k] != 0)
			at[m++] = k;
	for (size_t a = 0; a < m; a++) {
		double x = (double)r->x[at[a]];

		g[at[a]] += e * x;
		for (size_t b = 0; b <= a; b++)
			h[at[a] * n + at[b]] += v * x * (double)r->x[at[b]];
	}
}

/*
 * The weights of n features for one kind of script, set leave passed over (-1: none), held near
 * those given (NULL: small). The first feature is the bias, which is not held.
 */
static void
fit(const struct rows *rows, int script, int leave, size_t n, double l2, const float *near,
	float *w)
{
	static const float none[MOST];
	double *h = xcalloc(n * n, sizeof(*h)), g[MOST];

	near = near != NULL ? near : none;
	memcpy(w, near, n * sizeof(*w));
	for (int step = 0; step < 12; step++) {
		memset(h, 0, n * n * sizeof(*h));
		memset(g, 0, sizeof(g));
		for (size_t i = 0; i < rows->n; i++)
			if ((int)rows->r[i].set != leave && rows->r[i].script == script)
				add_row(&rows->r[i], w, n, g, h);
		for (size_t k = 0; k < n; k++) {
			g[k] -= k == 0 ? 0 : l2 * ((double)w[k] - (double)near[k]);
			h[k * n + k] += k == 0 ? 1e-6 : l2;
		}
		solve(h, g, n);
		for (size_t k = 0; k < n; k++)
			w[k] += (float)g[k];
	}
	free(h);
}

static struct row *
new_row(struct rows *rows, size_t set, int script, enum copy copy)
{
	struct row *r;

	xgrow(&rows->r, &rows->cap, rows->n + 1, sizeof(*rows->r));
	r = &rows->r[rows->n++];
	memset(r, 0, sizeof(*r));
	r->set = (unsigned)set;
	r->script = script;
	r->copy = copy;
	return r;
}

/* ---- does it need what was said? ---- */

static void
weigh_needs(struct rows *rows, unsigned set)
{
	double n[2] = { 0, 0 }, n_rewrites = 0;

	for (size_t i = 0; i < rows->n; i++) {
		if (rows->r[i].set != set)
			continue;
		if (rows->r[i].copy >= REWRITE)
			n_rewrites++;
		else
			n[rows->r[i].y > 0]++;
	}
	bool own = n[0] >= FEW_WHOLE;
	for (size_t i = 0; i < rows->n; i++) {
		struct row *r = &rows->r[i];

		if (r->set != set)
			continue;
		if (r->copy >= REWRITE)
			r->w = SET_WEIGHT * (own ? OF_REWRITE : 1) / n_rewrites;
		else if (r->y > 0)
			r->w = SET_WEIGHT * (own ? 1 + OF_REWRITE : 1) / n[1];
		else
			r->w = SET_WEIGHT * (own ? 1 : 0.3) / n[0];
	}
}

static void
learn_needs(const struct set *sets, size_t n_sets, struct rows *rows)
{
	struct arena a = ARENA_INIT;
	struct conversation t;
	struct lack l;

	for (size_t s = 0; s < n_sets; s++) {
		for (int copy = 0; copy < N_COPIES; copy++)
			for (size_t i = 0; i < sets[s].n; i++) {
				const struct item *it = &sets[s].items[i];
				float x[N_NEEDS];

				arena_reset(&a);
				if ((copy == REWRITE && !it->needs) ||
				    (copy == ELSEWHERE && !is_han(it)) ||
				    !build(&t, &a, it,
					copy == ELSEWHERE
					    ? &sets[s].items[(i + ELSEWHERE_STEP) % sets[s].n]
					    : it,
					(enum copy)copy))
					continue;
				need_features(&t, t.n - 1, &l, x);
				struct row *r = new_row(rows, s, l.han, (enum copy)copy);
				memcpy(r->x, x, sizeof(x));
				r->y = copy < REWRITE && it->needs;
			}
		weigh_needs(rows, (unsigned)s);
	}
	arena_release(&a);
}

/* ---- which words? ---- */

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
	const struct conversation_term *term, bool han)
{
	const struct conversation_turn *r = &rewrite->turns[0];

	if (han)
		return is_in(it->rewrite, it->rewrite_len, term->text, term->len);
	for (size_t i = 0; i < r->n; i++)
		if (rewrite->terms[r->words[i].term].hash == term->hash)
			return true;
	return false;
}

static void
add_term(struct rows *rows, size_t set, enum followup_kind kind, enum copy copy, const float *x,
	bool y)
{
	struct row *r = new_row(rows, set, (int)kind, copy);

	memcpy(r->x, x, N_TERM_FEATURES * sizeof(*x));
	r->y = y;
}

static void
learn_terms(const struct set *sets, size_t n_sets, size_t n_general, struct rows *rows)
{
	struct arena a = ARENA_INIT;
	struct conversation t, rewrite;
	struct lack l;
	struct candidate *c;
	float x[N_NEEDS];

	for (size_t s = 0; s < n_sets; s++) {
		size_t first = rows->n;

		for (int copy = 0; copy < REWRITE; copy++)
			for (size_t i = 0; i < sets[s].n; i++) {
				const struct item *it = &sets[s].items[i];

				arena_reset(&a);
				if (!it->needs || !build(&t, &a, it, it, (enum copy)copy))
					continue;
				need_features(&t, t.n - 1, &l, x);
				size_t n = term_features(&t, &l, &c);
				conversation_start(&rewrite, &a);
				conversation_add(&rewrite, CONVERSATION_USER, it->rewrite,
				    it->rewrite_len);
				for (size_t k = 0; k < n; k++) {
					bool y = belongs(it, &rewrite, &t.terms[c[k].term], l.han);
					enum followup_kind kind = followup_kind(&l);

					if (kind == FOLLOWUP_LENGTHY)
						add_term(rows, s, kind, (enum copy)copy, c[k].x, y);
					if (s >= n_general)
						continue;
					/* which teaches the general ones as any other does */
					memset(&c[k].x[TERM_LONG_TIMES], 0,
					    (TERM_PLACED - TERM_LONG_TIMES) * sizeof(float));
					add_term(rows, s, l.han ? FOLLOWUP_HAN : FOLLOWUP_SPACED,
					    (enum copy)copy, c[k].x, y);
				}
			}
		for (int kind = 0; kind < N_FOLLOWUP_KINDS; kind++) {
			double n_good = 0;

			for (size_t i = first; i < rows->n; i++)
				n_good += rows->r[i].script == kind ? rows->r[i].y : 0;
			for (size_t i = first; i < rows->n; i++)
				if (rows->r[i].script == kind)
					rows->r[i].w = SET_WEIGHT /
					    MAX(n_good, kind == FOLLOWUP_LENGTHY ? LONG_LEAST : 1);
		}
	}
	arena_release(&a);
}

/* ---- reports of learning ---- */

static void
report_needs(const struct rows *rows, unsigned set, const char *name, const float *w)
{
	double n[2] = { 0, 0 }, right[2] = { 0, 0 };

	for (size_t i = 0; i < rows->n; i++) {
		const struct row *r = &rows->r[i];

		if (r->set != set || r->copy != AS_IT_IS)
			continue;
		n[r->y > 0]++;
		right[r->y > 0] +=
		    (probability(w, r->x, N_NEEDS) >= (double)FOLLOWUP_NEEDED) == (r->y > 0);
	}
	fprintf(stderr, "%-22s need   n %4.0f + %4.0f  needing %.3f  whole %.3f  balanced %.3f\n",
	    name, n[1], n[0], right[1] / n[1], right[0] / n[0],
	    (right[1] / n[1] + right[0] / n[0]) / 2);
}

static void
report_terms(const struct rows *rows, unsigned set, int kind, const char *name, const float *w)
{
	fprintf(stderr, "%-22s words ", name);
	for (int at = 2; at <= 5; at++) {
		double hits = 0, said = 0, good = 0;

		for (size_t i = 0; i < rows->n; i++) {
			const struct row *r = &rows->r[i];
			bool yes;

			if (r->set != set || r->script != kind || r->copy != AS_IT_IS)
				continue;
			yes = probability(w, r->x, N_TERM_FEATURES) >= at / 10.0;
			hits += yes && r->y > 0;
			said += yes;
			good += r->y;
		}
		fprintf(stderr, " over .%d: P %.2f R %.2f", at, hits / MAX(said, 1),
		    hits / MAX(good, 1));
	}
	fputc('\n', stderr);
}

static void
put_weights(const char *name, const float *const *w, int n_kinds, size_t n)
{
	printf("\t.%s = {\n", name);
	for (int s = 0; s < n_kinds; s++) {
		printf("\t\t{");
		for (size_t k = 0; k < n; k++)
			printf("%s%.2ff,", k % 16 ? " " : "\n\t\t\t", (double)w[s][k]);
		printf("\n\t\t},\n");
	}
	printf("\t},\n");
}

/* The script that most rows of a set have. */
static int
script_of(const struct rows *rows, unsigned set)
{
	long han = 0;

	for (size_t i = 0; i < rows->n; i++)
		if (rows->r[i].set == set)
			han += rows->r[i].script ? 1 : -1;
	return han > 0;
}

static void
learn(const struct set *sets, size_t n, size_t n_general)
{
	struct rows needs = { NULL, 0, 0 }, terms = { NULL, 0, 0 };
	float w[MOST];

	learnt = followup_weights;
	learn_needs(sets, n_general, &needs);
	for (int s = 0; s < 2 && n_general > 0; s++)
		fit(&needs, s, -1, N_NEEDS, L2_NEED, NULL, learnt.need[s]);
	learn_terms(sets, n, n_general, &terms);           /* which look at what was whole before */
	for (int s = 0; s < 2 && n_general > 0; s++)
		fit(&terms, s, -1, N_TERM_FEATURES, L2_TERM, NULL, learnt.term[s]);
	fit(&terms, FOLLOWUP_LENGTHY, -1, N_TERM_FEATURES, L2_TERM, learnt.term[FOLLOWUP_SPACED],
	    learnt.term[FOLLOWUP_LENGTHY]);
	for (unsigned s = 0; s < n_general; s++) {
		int script = script_of(&needs, s);

		report_needs(&needs, s, sets[s].name, learnt.need[script]);
		report_terms(&terms, s, script, "", learnt.term[script]);
		if (script == 1 || n_general < 2)
			continue;
		fit(&needs, script, (int)s, N_NEEDS, L2_NEED, NULL, w);
		report_needs(&needs, s, "  left out", w);
		fit(&terms, script, (int)s, N_TERM_FEATURES, L2_TERM, NULL, w);
		report_terms(&terms, s, script, "", w);
	}
	for (unsigned s = (unsigned)n_general; s < n; s++) {
		fit(&terms, FOLLOWUP_LENGTHY, (int)s, N_TERM_FEATURES, L2_TERM,
		    learnt.term[FOLLOWUP_SPACED], w);
		report_terms(&terms, s, FOLLOWUP_LENGTHY, sets[s].name,
		    learnt.term[FOLLOWUP_LENGTHY]);
		report_terms(&terms, s, FOLLOWUP_LENGTHY, "  left out", w);
		report_terms(&terms, s, FOLLOWUP_LENGTHY, "  as behind any",
		    learnt.term[FOLLOWUP_SPACED]);
	}
	printf("/*\n * followup_weights.c: made by tests/bench/followup_tool.c; see there.\n "
	       "*/\n#include \"followup/followup_parts.h\"\n\n"
	       "const struct followup_weights followup_weights = {\n");
	put_weights("need", (const float *[]){ learnt.need[0], learnt.need[1] }, 2, N_NEEDS);
	put_weights("term", (const float *[]){ learnt.term[0], learnt.term[1], learnt.term[2] },
	    N_FOLLOWUP_KINDS, N_TERM_FEATURES);
	printf("};\n");
	free(needs.r);
	free(terms.r);
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
		followup_resolve(&a, said, n, it->query, it->query_len, 0.7, &f);
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
		followup_resolve(a, said, n, it->query, it->query_len, 0.7, &f);
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
		    &f);
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
	size_t n = 0, n_general = NELEM(sets);
	int first = 2;

	if (argc >= 4 && strcmp(argv[1], "measure") == 0)
		read_stops(argv[first++]);
	else if (argc < 3 || (strcmp(argv[1], "learn") != 0 && strcmp(argv[1], "print") != 0))
		die("usage", "learn SET ... [-- SET ...] | measure STOPS SET ... | print SET ...");
	for (int i = first; i < argc && n < NELEM(sets); i++)
		if (strcmp(argv[i], "--") == 0)
			n_general = n;
		else
			read_set(&sets[n++], argv[i]);
	if (argv[1][0] == 'l')
		learn(sets, n, MIN(n, n_general));
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
