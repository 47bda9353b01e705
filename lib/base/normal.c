/*
 * normal.c: characters are made small, taken apart, their marks put in order, and composed again.
 */
#include "base/normal.h"

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/order.h"
#include "base/utf8.h"
#include "gen/normal.h"

/* Hangul syllables are composed by arithmetic: chapter 3.12 of the Unicode Standard. */
#define S_BASE  0xac00u
#define L_BASE  0x1100u
#define V_BASE  0x1161u
#define T_BASE  0x11a7u
#define N_L     19u
#define N_V     21u
#define N_T     28u
#define N_S     (N_L * N_V * N_T)

struct chars { uint32_t *at; size_t n, cap; };

static void
push(struct chars *c, uint32_t cp)
{
	*xpush(c->at, c->n, c->cap) = cp;
}

/* ---- the tables ---- */

/* A row of a table begins with its character. */
static int
by_range(const void *x, const void *y)
{
	const uint32_t *cp = x;
	const struct normal_classes *k = y;

	return (*cp > k->hi) - (*cp < k->lo);
}

#define FIND(table, cp, order) bsearch(&(cp), table, NELEM(table), sizeof((table)[0]), order)

static uint32_t
lower_of(uint32_t cp)
{
	if (cp < 0x80)
		return (uint32_t)(uint8_t)ascii_lower((char)cp);
	const struct normal_lower *l = FIND(normal_lower, cp, by_uint32);
	return l != NULL ? l->to : cp;
}

/* The order of a mark among others behind a letter; 0: it is none. */
static uint32_t
rank_of(uint32_t cp)
{
	const struct normal_classes *k = NULL;

	if (cp >= 0x300)
		k = FIND(normal_classes, cp, by_range);
	return k != NULL ? k->rank : 0;
}

/* What both compose; 0: nothing. */
static uint32_t
composed_of(uint32_t a, uint32_t b)
{
	size_t lo = 0, hi = NELEM(normal_pairs);

	if (a - L_BASE < N_L && b - V_BASE < N_V)
		return S_BASE + ((a - L_BASE) * N_V + b - V_BASE) * N_T;
	if (a - S_BASE < N_S && (a - S_BASE) % N_T == 0 && b - T_BASE < N_T && b > T_BASE)
		return a + b - T_BASE;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		const struct normal_splits *p = &normal_splits[normal_pairs[mid].split];

		if (p->first == a && p->second == b)
			return p->of;
		if (p->first < a || (p->first == a && p->second < b))
			lo = mid + 1;
		else
			hi = mid;
	}
	return 0;
}

/* ---- steps ---- */

static bool
is_letter_with_case(uint32_t cp)
{
	if (lower_of(cp) != cp || cp == 0x130 || (cp >= 'a' && cp <= 'z'))
		return true;
	for (size_t i = 0; i < NELEM(normal_lower); i++)
		if (normal_lower[i].to == cp)
			return true;
	return false;
}

/* What may stand in a word: marks, apostrophes and the like. */
static bool
is_passed_over(uint32_t cp)
{
	return rank_of(cp) != 0 || (cp < 0x80 && cp != 0 && strchr("'.:^`", (int)cp) != NULL) ||
	    cp == 0xa8 || cp == 0xad || cp == 0xb7 || cp == 0x2018 || cp == 0x2019;
}

/* A capital sigma at i: at the end of a word it has another form. */
static bool
ends_word(const struct chars *c, size_t i)
{
	size_t before = i, after = i + 1;

	while (before > 0 && is_passed_over(c->at[before - 1]))
		before--;
	while (after < c->n && is_passed_over(c->at[after]))
		after++;
	return before > 0 && is_letter_with_case(c->at[before - 1]) &&
	    !(after < c->n && is_letter_with_case(c->at[after]));
}

static void
put_apart(struct chars *to, uint32_t cp)
{
	const struct normal_splits *s;

	if (cp - S_BASE < N_S) {
		push(to, L_BASE + (cp - S_BASE) / (N_V * N_T));
		push(to, V_BASE + (cp - S_BASE) % (N_V * N_T) / N_T);
		if ((cp - S_BASE) % N_T != 0)
			push(to, T_BASE + (cp - S_BASE) % N_T);
		return;
	}
	if (cp < 0xc0 || (s = FIND(normal_splits, cp, by_uint32)) == NULL) {
		push(to, cp);
		return;
	}
	put_apart(to, s->first);
	if (s->second != 0)
		put_apart(to, s->second);
}

/* Marks behind a letter, in the order of their ranks; equal ones stay as they are. */
static void
put_in_order(struct chars *c)
{
	for (size_t i = 1; i < c->n; i++) {
		uint32_t cp = c->at[i], rank = rank_of(cp);
		size_t to = i;

		while (rank != 0 && to > 0 && rank_of(c->at[to - 1]) > rank) {
			c->at[to] = c->at[to - 1];
			to--;
		}
		c->at[to] = cp;
	}
}

static void
compose(struct chars *c)
{
	size_t n = 0, starter = 0;
	uint32_t last = 0;                     /* rank of the one before, of those that stay */
	bool has_starter = false;

	for (size_t i = 0; i < c->n; i++) {
		uint32_t cp = c->at[i], rank = rank_of(cp), both = 0;
		bool beside = n == starter + 1;

		if (has_starter && (beside || (last != 0 && last < rank)))
			both = composed_of(c->at[starter], cp);
		if (both != 0) {
			c->at[starter] = both;
			continue;
		}
		if (rank == 0) {
			starter = n;
			has_starter = true;
		}
		last = rank;
		c->at[n++] = cp;
	}
	c->n = n;
}

static bool
is_blank(uint32_t c)
{
	return (c >= 9 && c <= 13) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 ||
	    c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
	    c == 0x202f || c == 0x205f || c == 0x3000;
}

void
normal_text(struct buf *out, const char *text, size_t len)
{
	struct chars read = { NULL, 0, 0 }, apart = { NULL, 0, 0 };
	const char *p = text, *end = text + len;
	bool blank = false, any = false;
	char bytes[4];

	while (p < end) {
		uint32_t cp;

		p += utf8_next(p, end, &cp);
		push(&read, cp);
	}
	for (size_t i = 0; i < read.n; i++) {
		uint32_t cp = read.at[i];

		if (cp == 0x130) {             /* a small i, and its dot as a mark */
			push(&apart, 'i');
			push(&apart, 0x307);
		} else {
			bool is_last = cp == 0x3a3 && ends_word(&read, i);

			put_apart(&apart, is_last ? 0x3c2 : lower_of(cp));
		}
	}
	put_in_order(&apart);
	compose(&apart);
	for (size_t i = 0; i < apart.n; i++) {
		if (is_blank(apart.at[i])) {
			blank = any;
			continue;
		}
		if (blank)
			buf_addc(out, ' ');
		blank = false;
		any = true;
		buf_add(out, bytes, utf8_encode(apart.at[i], bytes));
	}
	free(read.at);
	free(apart.at);
}
