/*
 * ident.c: splits compounds into terms: identifiers, paths, addresses, versions, dates, hyphened
 * words, and every word that is not plain ASCII.
 *
 *	word         café             -> a word
 *	number       2,000  3.5       -> a number
 *	loose        long-term and/or -> words, each with its own position
 *	acronym      U.S.A.           -> usa
 *	identifier   the rest         -> the whole; then its segments, at the same position
 *
 * An identifier is split at / @ : first, then at - . and _, and last where the case or the kind of
 * character changes. A segment that is itself a compound gives its whole as well, and so do the
 * last segments of a path or a dotted name. One compound never gives the same term twice.
 */
#include "text/compound.h"

#include "base/hash.h"

/* a run with more pieces than this, all of them short, is noise: a hash, base64 */
#define MIN_PIECES 4

/* ---- what a stretch [i, j) of the folded bytes is ---- */

static bool
all_of(const struct compound *c, size_t i, size_t j, unsigned classes)
{
	for (; i < j; i++)
		if ((c->cls[i] & classes) == 0)
			return false;
	return true;
}

/* A quick test for cut_at: a run of bytes of one class is never cut, except in upper case. */
static inline bool
may_cut_at(const struct compound *c, size_t k)
{
	return c->cls[k] != c->cls[k - 1] || c->cls[k] == UPPER;
}

/*
 * Whether a word begins at k inside [i, j): lower case turns to upper, a run of upper case ends, or
 * letters turn to digits or back. Never inside a character (Æ is folded to "ae").
 */
static bool
cut_at(const struct compound *c, size_t i, size_t j, size_t k)
{
	unsigned before, now = c->cls[k], next;
	size_t n = k + 1;

	if (k <= i || k >= j || ((unsigned char)c->fold[k] & 0xc0) == 0x80 ||
	    c->at[k] == c->at[k - 1])
		return false;
	before = c->cls[k - 1];
	if ((before == DIGIT) != (now == DIGIT))
		return true;
	if (before == LOWER && now == UPPER)
		return true;
	if (before != UPPER || now != UPPER)
		return false;
	while (n < j && ((unsigned char)c->fold[n] & 0xc0) == 0x80)
		n++;
	next = n < j ? c->cls[n] : UPPER;
	if (next != LOWER)
		return false;
	return !(n + 1 == j && c->fold[n] == 's');     /* the plural "APIs" is not cut */
}

static size_t
count_cuts(const struct compound *c, size_t i, size_t j)
{
	size_t n = 0;

	for (size_t k = i + 1; k < j; k++)
		n += may_cut_at(c, k) && cut_at(c, i, j, k);
	return n;
}

static bool
is_plain_word(const struct compound *c, size_t i, size_t j)
{
	return j > i && all_of(c, i, j, LOWER | UPPER) && count_cuts(c, i, j) == 0;
}

/* ---- handing out ---- */

static void
emit_term(struct compound *c, enum word_kind kind, const struct term *t, size_t i, size_t j)
{
	for (size_t k = 0; k < c->n_terms; k++)
		if (c->terms[k] == t->hash)
			return;
	if (c->n_terms == COMPOUND_TERMS || t->len == 0)
		return;
	c->terms[c->n_terms++] = t->hash;
	scan_emit(c->s, kind, t, c->start + c->at[i], c->start + c->at[j]);
}

static void
emit(struct compound *c, enum word_kind kind, const char *term, size_t len, bool stop, size_t i,
	size_t j)
{
	struct term t = { term, MIN(len, WORDS_TERM_BYTES), 0, NULL, stop };

	t.hash = hash64(term, t.len, 0);
	emit_term(c, kind, &t, i, j);
}

/* Emits [i, j) as a word, stemmed when it is ASCII letters. */
static void
emit_word(struct compound *c, enum word_kind kind, size_t i, size_t j)
{
	char stem[WORDS_TERM_BYTES];
	bool ascii = true;

	for (size_t k = i; k < j; k++)
		ascii = ascii && c->fold[k] >= 'a' && c->fold[k] <= 'z';
	if (ascii) {
		struct term t = scan_stem(c->fold + i, j - i, stem);

		emit_term(c, kind, &t, i, j);
	} else {
		emit(c, kind, c->fold + i, j - i, words_is_stop(c->fold + i, j - i), i, j);
	}
}

/*
 * Emits [i, j) as a whole, exact except that joiners between letters are dropped, because people
 * omit them or write others: get_user_name, getUserName and get-user-name are one term, which a
 * question's words "get user name" find when they are joined. Digits with joiners only are a
 * number.
 */
static void
emit_whole(struct compound *c, size_t i, size_t j)
{
	char whole[WORDS_TERM_BYTES];
	size_t n = 0, first = i, last = j;

	if (c->fold[i] != '#' && all_of(c, i, j, DIGIT | JOINER)) {
		emit(c, WORD_NUMBER, c->fold + i, j - i, false, i, j);
		return;
	}
	/* joiners at both ends stay: __init__, .net */
	while (first < j && c->cls[first] == JOINER)
		first++;
	while (last > first && c->cls[last - 1] == JOINER)
		last--;
	for (size_t k = i; k < j && n < sizeof(whole); k++)
		if (!(c->cls[k] == JOINER && k > first && k < last &&
			((c->cls[k - 1] | c->cls[k + 1]) & (LOWER | UPPER))))
			whole[n++] = c->fold[k];
	emit(c, WORD_WHOLE, whole, n, false, i, j);
}

static bool
is_ordinal_ending(const struct compound *c, size_t i, size_t j)
{
	return j - i == 2 &&
	    (memcmp(c->fold + i, "st", 2) == 0 || memcmp(c->fold + i, "nd", 2) == 0 ||
		memcmp(c->fold + i, "rd", 2) == 0 || memcmp(c->fold + i, "th", 2) == 0);
}

/*
 * Splits a run without joiners into its pieces; when it has letters only, it also gives its stem as
 * a word.
 */
static void
split_run(struct compound *c, size_t i, size_t j)
{
	size_t cuts = count_cuts(c, i, j), from = i, before = i;

	if (all_of(c, i, j, LOWER | UPPER))
		emit_word(c, WORD_PART, i, j);
	if (cuts >= MIN_PIECES && (cuts + 1) * 5 > (j - i) * 2)
		return;
	for (size_t k = i + 1; k <= j; k++) {
		size_t to = k;

		if (k < j && !(may_cut_at(c, k) && cut_at(c, i, j, k)))
			continue;
		while (to > from && c->cls[to - 1] == PLUS)
			to--;
		if (to > from &&
		    !(from > i && c->cls[from - 1] == DIGIT && is_ordinal_ending(c, from, to)))
			emit_word(c, WORD_PART, from, to);
		if (from > before && before > i && c->cls[from] == DIGIT &&
		    c->cls[from - 1] != DIGIT)
			/* for inputPassword1, also password1 */
			emit_word(c, WORD_PART, before, to);
		before = from;
		from = k;
	}
}

/*
 * Emits the last segments of a path or a dotted name, which people quote without what precedes
 * them: css/a.min.css, classList.add, example.com.
 */
static void
emit_tails(struct compound *c, size_t i, size_t j, const char *joiners, size_t max_segments)
{
	size_t n = 1;

	for (size_t k = j; k-- > i + 1 && n <= max_segments;) {
		if (c->cls[k - 1] != JOINER || strchr(joiners, c->fold[k - 1]) == NULL)
			continue;
		if (n++ > 1 && (c->cls[k] & (LOWER | UPPER)))
			emit_whole(c, k, j);
	}
}

static const char *const joiners[] = { "/@:", "-", ".", "_" };         /* one string a level */

/*
 * Returns the first level, from `level` on, at which [i, j) has a joiner; the number of levels when
 * it has none.
 */
static unsigned
level_of(const struct compound *c, size_t i, size_t j, unsigned level)
{
	static const uint8_t
	    levels[256] = { ['/'] = 1, ['@'] = 1, [':'] = 1, ['-'] = 2, ['.'] = 4, ['_'] = 8 };
	unsigned has = 0;

	for (; i < j; i++)
		if (c->cls[i] == JOINER)
			has |= levels[(unsigned char)c->fold[i]];
	while (level < NELEM(joiners) && !(has >> level & 1))
		level++;
	return level;
}

/*
 * Splits [i, j) at the joiners of a level; a segment that is itself a compound also gives its
 * whole.
 */
static void
split(struct compound *c, size_t i, size_t j, unsigned level)
{
	size_t from = i;

	level = level_of(c, i, j, level);
	if (level == NELEM(joiners)) {
		split_run(c, i, j);
		return;
	}
	if (level == 0)
		emit_tails(c, i, j, joiners[level], 4);
	else if (level == 2)
		emit_tails(c, i, j, joiners[level], 2);
	for (size_t k = i; k <= j; k++) {
		if (k < j && !(c->cls[k] == JOINER && strchr(joiners[level], c->fold[k]) != NULL))
			continue;
		if (k > from) {
			if ((from > i || k < j) && !is_plain_word(c, from, k) &&
			    !all_of(c, from, k, DIGIT))
				emit_whole(c, from, k);
			split(c, from, k, level + 1);
		}
		from = k + 1;
	}
}

/*
 * Whether the compound is loose: plain words joined by hyphens, or by one slash. Upper case as in
 * "TCP/IP" makes it a name instead.
 */
static bool
is_loose(const struct compound *c)
{
	size_t from = 0, slashes = 0;

	if (c->in_code)
		return false;
	for (size_t k = 0; k <= c->len; k++) {
		if (k < c->len && c->cls[k] != JOINER)
			continue;
		if (!is_plain_word(c, from, k))
			return false;
		if (k < c->len && c->fold[k] != '-' && c->fold[k] != '/')
			return false;
		slashes += k < c->len && c->fold[k] == '/';
		from = k + 1;
	}
	return slashes == 0 || (slashes == 1 && !all_of(c, 0, c->len, UPPER | JOINER));
}

static void
hand_out_loose(struct compound *c)
{
	size_t from = 0;

	for (size_t k = 0; k <= c->len; k++) {
		if (k < c->len && c->cls[k] != JOINER)
			continue;
		c->n_terms = 0;
		emit_word(c, WORD_PLAIN, from, k);
		/* e-mail gives email, T-shirt gives tshirt */
		if (from == 0 && k == 1 && c->len > 2 && c->fold[1] == '-') {
			size_t to = 2;
			char joined[WORDS_TERM_BYTES];

			joined[0] = c->fold[0];
			while (to < c->len && to < sizeof(joined) && c->cls[to] != JOINER) {
				joined[to - 1] = c->fold[to];
				to++;
			}
			emit(c, WORD_PART, joined, words_stem(joined, to - 1), false, 0, to);
		}
		c->s->position++;
		from = k + 1;
	}
}

/* For single letters with dots ("u.s.a"), joins the letters in place; else returns false. */
static bool
close_acronym(struct compound *c)
{
	size_t n = 0;

	if (c->len < 3 || c->len % 2 == 0)
		return false;
	for (size_t k = 0; k < c->len; k++)
		if (k % 2 == 0 ? !(c->cls[k] & (LOWER | UPPER)) || (unsigned char)c->fold[k] >= 0x80
			       : c->fold[k] != '.')
			return false;
	for (size_t k = 0; k < c->len; k += 2)
		c->fold[n++] = c->fold[k];
	return true;
}

static bool
is_decimal(const struct compound *c)
{
	const char *dot = memchr(c->fold, '.', c->len);

	return all_of(c, 0, c->len, DIGIT | JOINER) &&
	    (dot == NULL ? all_of(c, 0, c->len, DIGIT)
			 : memchr(dot + 1, '.', (size_t)(c->fold + c->len - dot - 1)) == NULL &&
			memchr(c->fold, '-', c->len) == NULL &&
			memchr(c->fold, '/', c->len) == NULL &&
			memchr(c->fold, ':', c->len) == NULL &&
			memchr(c->fold, '@', c->len) == NULL &&
			memchr(c->fold, '_', c->len) == NULL);
}

static void
hand_out(struct compound *c)
{
	if (c->len == 0)
		return;
	c->n_terms = 0;
	if (is_plain_word(c, 0, c->len)) {
		emit_word(c, WORD_PLAIN, 0, c->len);
	} else if (c->fold[0] != '#' && is_decimal(c)) {
		emit(c, WORD_NUMBER, c->fold, c->len, false, 0, c->len);
	} else if (is_loose(c)) {
		hand_out_loose(c);
		return;
	} else if (close_acronym(c)) {
		/* "i.e." is a stop word, "U.S." is not */
		bool stop = c->cls[0] == LOWER && words_is_stop(c->fold, c->len / 2 + 1);

		emit(c, WORD_PLAIN, c->fold, c->len / 2 + 1, stop, 0, c->len);
	} else {
		emit_whole(c, 0, c->len);
		split(c, 0, c->len, 0);
	}
	c->s->position++;
}

const char *
scan_compound(struct scan *s, const char *p)
{
	struct compound c;

	c.s = s;
	c.in_code = p > s->text && p[-1] == '`';
	if (*p == '-' || *p == '/') {
		c.in_code = true;
		while (*p == '-' || *p == '/')
			p++;
	} else if (*p == '#' || *p == '.') {
		c.in_code = true;
	}
	const char *end = compound_read(&c, p, s->end);
	if (s->end - end >= 3 && memcmp(end, "://", 3) == 0) {
		if (!(end - p == 4 && memcmp(p, "http", 4) == 0) &&
		    !(end - p == 5 && memcmp(p, "https", 5) == 0))
			hand_out(&c);
		return end + 3;
	}
	hand_out(&c);
	return end > p ? end : p + 1;
}
