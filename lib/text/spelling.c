/*
 * spelling.c: compares a word with stems.
 *
 * The vocabulary has stems, the question a whole word, and an error in the word's ending keeps the
 * stemmer from finding the stem: "paintign" is not changed. So the word is compared with the stem
 * followed by any ending that stemming removes. One table of edit distances (optimal string
 * alignment: F. Damerau, 1964) is computed between the stem and every beginning of the word, and
 * what is left of the word must be an ending, or nearly one.
 *
 * Most terms are rejected by their length and by letters that the word lacks: an edit adds at most
 * one.
 */
#include "text/spelling.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "math/real.h"
#include "text/words.h"

#define NONE         99
/* characters; errors in shorter stems are judged more strictly */
#define SURE_STEM    5
/* most letters that a term may have and the word lacks */
#define OTHER_LETTERS 2
/* weight of the logarithm of the document count relative to likeness */
#define OF_FREQUENCY 0.02f

/* Lengths are stored because each ending is compared with the rest of many words. */
#define ENDING(text) { sizeof(text) - 1, text }
static const struct ending { uint8_t len; char text[7];
} endings[] = {
	ENDING(""), ENDING("e"), ENDING("s"), ENDING("es"), ENDING("ed"), ENDING("d"),
	ENDING("er"), ENDING("ers"), ENDING("or"), ENDING("ing"), ENDING("ings"), ENDING("ly"),
	ENDING("y"), ENDING("ion"), ENDING("ions"), ENDING("al"), ENDING("ment"), ENDING("ments"),
	ENDING("able"), ENDING("ation"), ENDING("ations"), ENDING("ful"), ENDING("ness"),
	ENDING("ity"), ENDING("ive"), ENDING("ance"), ENDING("ence"), ENDING("ies"), ENDING("ied"),
	ENDING("est"), ENDING("ally"), ENDING("ous"), ENDING("ously"),
};
#undef ENDING

static inline uint32_t
letter_bit(uint32_t cp)
{
	return 1u << (cp - 'a' < 26 ? cp - 'a' : 26 + cp % 6);
}

/* Computes the n + 1 trigrams of n code points with two spaces before them and one behind. */
static void
trigrams_of(const uint32_t *p, unsigned n, uint64_t *out)
{
	uint64_t t = (uint64_t)' ' << 21 | ' ';

	for (unsigned i = 0; i < n + 1; i++)
		out[i] = t = (t << 21 | (i < n ? p[i] : ' ')) & INT64_MAX;
}

#define HASH_LEAST 7                       /* digits of a commit's name, as git shortens it */

bool
spelling_is_hash(const char *word, size_t len)
{
	bool figure = false, letter = false;

	for (size_t i = 0; i < len; i++) {
		char c = ascii_lower(word[i]);

		if (!ascii_is_digit(c) && (c < 'a' || c > 'f'))
			return false;
		figure |= ascii_is_digit(c);
		letter |= !ascii_is_digit(c);
	}
	return len >= HASH_LEAST && figure && letter;
}

bool
spelling_start(struct spelling *s, const char *word, size_t len)
{
	char folded[3 * 8 * SPELLING_CHARS + 1];
	const char *p = folded, *end;

	memset(s, 0, sizeof(*s));
	if (len > 8 * SPELLING_CHARS)
		return false;
	end = folded + words_fold(word, len, folded);
	while (p < end) {
		uint32_t cp;
		size_t k = utf8_decode(p, end, &cp);

		if (k == 0 || s->n == SPELLING_CHARS) {
			s->n = 0;
			return false;
		}
		p += k;
		s->points[s->n++] = cp;
		s->letters |= letter_bit(cp);
		s->starts[s->n] = s->letters;
	}
	if (s->n < 3)
		s->n = 0;
	s->hash = spelling_is_hash(word, len);
	trigrams_of(s->points, s->n, s->trigrams);
	return s->n > 0;
}

static int
edits_allowed(unsigned n)
{
	return n <= 3 ? 0 : n <= 7 ? 1 : 2;
}

/*
 * The edits needed to make the rest of a word an ending: 0 when it is one, 1 when one edit makes it
 * one of three letters or more, else NONE.
 */
static int
ending_cost(const uint32_t *rest, unsigned n)
{
	int best = NONE;

	for (size_t i = 0; i < NELEM(endings); i++) {
		const char *e = endings[i].text;
		unsigned m = endings[i].len, at = 0, back = 0, most = MIN(n, m);

		if (n > m + 1 || m > n + 1)
			continue;
		while (at < most && rest[at] == (unsigned char)e[at])
			at++;
		if (at == n && n == m)
			return 0;
		while (back < most - at && rest[n - 1 - back] == (unsigned char)e[m - 1 - back])
			back++;
		if (m < 3 || n < 2)
			continue;
		if (n - at - back <= 1 && m - at - back <= 1)
			best = 1;
		if (n == m && n - at - back == 2 && rest[at] == (unsigned char)e[at + 1] &&
		    rest[at + 1] == (unsigned char)e[at])
			best = 1;
	}
	return best;
}

/*
 * Returns the fewest edits between the word and the term with an ending; NONE when more than
 * allowed. *rest: characters of the ending. Beginnings whose lengths differ by more than `allowed`
 * need more edits than that, so only a band of the table is computed.
 */
static int
edits(const struct spelling *s, const uint32_t *term, unsigned m, int allowed, unsigned *rest)
{
	uint8_t rows[3][SPELLING_CHARS + 2], *before = rows[0], *last = rows[1], *now = rows[2],
					     *free_row;
	unsigned n = s->n, band = (unsigned)allowed;
	int best = NONE;

	/* one row for each character of the term; columns are beginnings of the word */
	for (unsigned i = 0; i <= n + 1; i++)
		last[i] = i <= band ? (uint8_t)i : NONE;
	for (unsigned j = 1; j <= m; j++) {
		unsigned from = j > band ? j - band : 1, to = MIN(n, j + band);
		int least = now[from - 1] = from == 1 && j <= band ? (uint8_t)j : NONE;

		for (unsigned i = from; i <= to; i++) {
			int cost = last[i - 1] + (s->points[i - 1] != term[j - 1]);

			cost = MIN(cost, last[i] + 1);
			cost = MIN(cost, now[i - 1] + 1);
			if (i > 1 && j > 1 && s->points[i - 1] == term[j - 2] &&
			    s->points[i - 2] == term[j - 1])
				cost = MIN(cost, before[i - 2] + 1);
			now[i] = (uint8_t)cost;
			least = MIN(least, cost);
		}
		if (least > allowed)
			return NONE;
		now[to + 1] = NONE;
		free_row = before;
		before = last;
		last = now;
		now = free_row;
	}
	for (unsigned i = MIN(n, m + band) + 1; i-- > (m > band ? m - band : 0); ) {
		/*
		 * in a short word, an error in or before an ending could make any word of any other
		 */
		if (last[i] > allowed || last[i] >= best ||
		    (n <= SURE_STEM && last[i] > 0 && i < n && s->points[n - 1] != 's'))
			continue;
		int cost = ending_cost(s->points + i, n - i);
		if (m < SURE_STEM && (cost > 0 || last[i] > 1))
			continue;
		cost += last[i];
		if (cost <= allowed && cost < best) {
			best = cost;
			*rest = n - i;
		}
	}
	return best;
}

static float
shared_trigrams(const struct spelling *s, const uint32_t *term, unsigned m)
{
	uint64_t of_term[SPELLING_CHARS + 1];
	unsigned n = s->n, shared = 0;

	trigrams_of(term, m, of_term);
	for (unsigned i = 0; i < n + 1; i++)
		for (unsigned j = 0; j < m + 1; j++)
			if (s->trigrams[i] == of_term[j]) {
				shared++;
				break;
			}
	return (float)shared / (float)(n + 1 + m + 1 - shared);
}

/*
 * Rejects most terms quickly: an ASCII term with another first letter, which no single edit
 * explains.
 */
static bool
starts_elsewhere(const struct spelling *s, const unsigned char *term, size_t len, int allowed)
{
	const uint32_t *w = s->points;

	if (len < 2 || term[0] >= 0x80 || term[0] == w[0])
		return false;
	return len > s->n + (size_t)allowed ||
	    !(term[1] == w[1] || term[0] == w[1] || term[1] == w[0]);
}

/*
 * Whether an ASCII term has too many letters that the word lacks and does not begin with the whole
 * word either. Rejects, without decoding, most terms that begin like the word.
 */
static bool
is_of_other_letters(const struct spelling *s, const char *term, size_t len)
{
	uint32_t letters = 0;
	size_t same = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)term[i];
		if (c >= 0x80)
			return false;
		letters |= letter_bit(c);
	}
	if ((unsigned)__builtin_popcount(letters & ~s->letters) <= OTHER_LETTERS)
		return false;
	while (same < len && same < s->n && (unsigned char)term[same] == s->points[same])
		same++;
	return same < s->n;
}

/*
 * Whether `allowed` edits may turn a term of m characters, with an ending, into the word. Each
 * letter that only the term has needs an edit, and so does each letter that only the word has
 * within the part that the term must cover, which is the term's length minus those edits. An i at
 * the end may stand for a y.
 */
static bool
may_be_near(const struct spelling *s, const uint32_t *term, unsigned m, uint32_t letters,
	unsigned allowed)
{
	uint32_t of_end = term[m - 1] == 'i' ? letter_bit('i') | letter_bit('y') : 0;
	unsigned reach = m > allowed ? MIN(m - allowed, (unsigned)s->n) : 0;

	return (unsigned)__builtin_popcount(letters & ~(s->letters | of_end)) <= allowed &&
	    (unsigned)__builtin_popcount(s->starts[reach] & ~(letters | of_end)) <= allowed;
}

float
spelling_likeness(const struct spelling *s, const char *term, size_t len)
{
	uint32_t points[SPELLING_CHARS], letters = 0;
	const char *p = term, *end = term + len;
	unsigned m = 0, n = s->n, rest = 0, same = 0;
	int allowed = edits_allowed(n), cost;
	float best = 0;

	if (s->hash) {
		while (same < n && same < len && (unsigned char)term[same] == s->points[same])
			same++;
		return same == n && len > n && len <= 4 * SPELLING_CHARS &&
		    spelling_is_hash(term, len) ? 1 : 0;
	}
	if (n == 0 || len > 4 * SPELLING_CHARS ||
	    starts_elsewhere(s, (const unsigned char *)term, len, allowed) ||
	    is_of_other_letters(s, term, len))
		return 0;
	while (p < end) {
		uint32_t cp = (unsigned char)*p;
		size_t k = cp < 0x80 ? 1 : utf8_decode(p, end, &cp);

		if (k == 0 || m == SPELLING_CHARS)
			return 0;
		p += k;
		points[m++] = cp;
		letters |= letter_bit(cp);
	}
	while (same < m && same < n && points[same] == s->points[same])
		same++;
	if (same == n && m > n)                        /* the word may be cut short */
		best = 0.5f + 0.4f * (float)n / (float)m;
	if (m < 3 || (unsigned)__builtin_popcount(letters & ~s->letters) > OTHER_LETTERS)
		return best;
	if (m <= n + (unsigned)allowed && n <= m + (unsigned)allowed + 6 &&
	    may_be_near(s, points, m, letters, (unsigned)allowed)) {
		cost = edits(s, points, m, allowed, &rest);
		/* it may be the stem of a word that ends in y */
		if (points[m - 1] == 'i' && cost > 0) {
			points[m - 1] = 'y';
			cost = MIN(cost, edits(s, points, m, allowed, &rest));
			points[m - 1] = 'i';
		}
		if (cost <= allowed)
			best = MAX(best,
			    1 - (float)cost / (float)n - 0.01f * (float)rest -
				(same == 0 ? 0.05f : 0));
	}
	if (best == 0 && n >= 5 && same > 0) {
		float shared = shared_trigrams(s, points, m);
		if (shared >= 0.5f)
			best = 0.2f + 0.5f * shared;
	}
	return MAX(best, 0);
}

void
spelling_try(struct spelling *s, const char *term, size_t len, uint32_t df)
{
	float likeness = spelling_likeness(s, term, len);
	struct spelling_found *f = s->found;
	size_t least = 0;

	if (likeness <= 0 || words_is_stop(term, len))
		return;
	for (size_t i = 0; i < s->n_found; i++) {
		if (f[i].len == len && memcmp(f[i].term, term, len) == 0) {
			f[i].df += df;
			return;
		}
		if (f[i].likeness < f[least].likeness ||
		    (f[i].likeness == f[least].likeness && f[i].df < f[least].df))
			least = i;
	}
	if (s->n_found < SPELLING_FOUND)
		least = s->n_found++;
	else if (f[least].likeness > likeness ||
	    (f[least].likeness == likeness && f[least].df >= df))
		return;
	f[least] = (struct spelling_found){ .len = (uint8_t)len, .likeness = likeness, .df = df };
	memcpy(f[least].term, term, len);
}

static int
by_worth(const void *pa, const void *pb)
{
	const struct spelling_found *a = pa, *b = pb;

	if (a->worth != b->worth)
		return a->worth < b->worth ? 1 : -1;
	return a->len != b->len ? a->len - b->len : memcmp(a->term, b->term, a->len);
}

void
spelling_end(struct spelling *s)
{
	for (size_t i = 0; i < s->n_found; i++)
		s->found[i].worth = s->found[i].likeness +
		    OF_FREQUENCY * real_logf(1 + (float)s->found[i].df);
	qsort(s->found, s->n_found, sizeof(*s->found), by_worth);
}
