/*
 * words.c: the scanner of the tokenizer.
 *
 * Most of what people write is plain: lower-case ASCII words with spaces between. That path looks
 * up each byte once in a table, puts the word in lower case and finds its stem in a memo, in a few
 * nanoseconds a byte. Whatever is not plain (a joiner with a letter behind it, an upper-case letter
 * inside, a digit beside a letter, an accent) goes to scan_compound in ident.c. Scripts without
 * spaces and emoji are handled here.
 *
 * The memo is a hash table for each thread, in which a word has two adjacent places. It caches a
 * pure function, so entries from other texts do no harm. It is not a thread-local array, because
 * that would be filled with zeros at the start of every program.
 */
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <pthread.h>

#include "text/scan.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "lexicon/lex.h"
#include "lexicon/unicode.h"

#define MEMO_BYTES 16

struct memo {                      /* as large as a cache line */
	uint64_t word[2];          /* the word, padded with zeros; never empty */
	char stem[MEMO_BYTES];
	uint64_t hash;             /* of the stem */
	struct word_note note;
	uint8_t stem_len;
	bool stop;
	char unused[6];
};
_Static_assert(sizeof(struct memo) == 64, "a memo is a cache line");

/*
 * Small at first, since most programs read little text and the first use of each page of memory
 * costs time; large once enough words have come.
 */
#define MEMO_FIRST 1024u
#define MEMO_MOST  32768u

static _Thread_local struct {
	struct memo *slots;        /* NULL until the first word */
	void *block;               /* the allocation that slots are in */
	size_t n_slots;            /* a power of two */
	unsigned n_filled;
} memos;

static pthread_once_t memo_once = PTHREAD_ONCE_INIT;
static pthread_key_t memo_key;     /* frees a thread's memo when the thread ends */

static void
make_key(void)
{
	pthread_key_create(&memo_key, free);
}

static void
open_memos(size_t n_slots)
{
	pthread_once(&memo_once, make_key);
	free(memos.block);
	memos.block = xcalloc(n_slots + 1, sizeof(struct memo));
	uintptr_t at = ((uintptr_t)memos.block + sizeof(struct memo) - 1) &
	    ~(uintptr_t)(sizeof(struct memo) - 1);
	memos.slots = (struct memo *)at;
	memos.n_slots = n_slots;
	memos.n_filled = 0;
	pthread_setspecific(memo_key, memos.block);
}

#define L BYTE_LOWER
#define U BYTE_UPPER
#define D BYTE_DIGIT
#define H BYTE_HIGH
#define J BYTE_JOIN
#define B (BYTE_LEAD | BYTE_JOIN)
const uint8_t scan_bytes[256] = {
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, B, 0, 0, 0, J, 0, 0, 0, J, J, B, B, B,
	D, D, D, D, D, D, D, D, D, D, J, 0, 0, 0, 0, 0,
	J, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U,
	U, U, U, U, U, U, U, U, U, U, U, 0, 0, 0, 0, B,
	0, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L,
	L, L, L, L, L, L, L, L, L, L, L, 0, 0, 0, 0, 0,
	H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
	H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
	H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
	H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
	H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
	H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
	H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
	H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
};
#undef L
#undef U
#undef D
#undef H
#undef J
#undef B

static unsigned
byte_at(const char *p)
{
	return scan_bytes[(unsigned char)*p];
}

void
scan_emit(struct scan *s, enum word_kind kind, const struct term *t, const char *start,
	const char *end)
{
	struct word w;

	if (s->rc != 0)
		return;
	w.term = t->text;
	w.len = (uint16_t)t->len;
	w.kind = (uint8_t)kind;
	w.stop = t->stop;
	w.position = s->position;
	w.start = (uint32_t)(start - s->text);
	w.end = (uint32_t)(end - s->text);
	w.hash = t->hash;
	w.note = t->note;
	s->rc = s->fn(s->arg, &w);
}

/* Emits a term as it is, without a memo. */
static void
emit_exact(struct scan *s, enum word_kind kind, const char *term, size_t len, bool stop,
	const char *start, const char *end)
{
	struct term t = { term, len, hash64(term, len, 0), NULL, stop };

	scan_emit(s, kind, &t, start, end);
}

static void
memo_fill(struct memo *m, const uint64_t key[2], size_t len)
{
	char word[MEMO_BYTES + 1];

	memcpy(word, key, MEMO_BYTES);
	m->stop = words_is_stop(word, len);
	len = words_stem(word, len);
	memcpy(m->stem, word, MEMO_BYTES);
	m->stem_len = (uint8_t)len;
	m->hash = hash64(word, len, 0);
	m->note.epoch = 0;
	m->word[0] = key[0];
	m->word[1] = key[1];
}

static inline bool
memo_is(const struct memo *m, const uint64_t key[2])
{
	return ((m->word[0] ^ key[0]) | (m->word[1] ^ key[1])) == 0;
}

static struct memo *
memo_place(const uint64_t key[2])
{
	uint64_t h = (key[0] ^ (key[1] * 0x9e3779b97f4a7c15u)) * 0xbf58476d1ce4e5b9u;

	return &memos.slots[(h >> 40) & (memos.n_slots - 2)];
}

/* Stores a word that is in neither of its two places; the first place has the newer one. */
static struct memo *
memo_add(const uint64_t key[2], size_t len)
{
	if (memos.n_filled >= 2 * memos.n_slots && memos.n_slots < MEMO_MOST)
		open_memos(MEMO_MOST);
	struct memo *m = memo_place(key);
	memos.n_filled++;
	m[1] = m[0];
	memo_fill(m, key, len);
	return m;
}

/*
 * len is 1 to MEMO_BYTES. The result is valid until another text is scanned, which the callback of
 * a word may do.
 */
static inline struct memo *
memo_get(const uint64_t key[2], size_t len)
{
	struct memo *m = memo_place(key);

	return memo_is(m, key) ? m : memo_is(m + 1, key) ? m + 1 : memo_add(key, len);
}

struct term
scan_stem(const char *word, size_t len, char *out)
{
	uint64_t key[2] = { 0, 0 };

	if (len == 0 || len > MEMO_BYTES) {
		len = MIN(len, WORDS_TERM_BYTES);
		memmove(out, word, len);
		len = words_stem(out, len);
		return (struct term){ out, len, hash64(out, len, 0), NULL, false };
	}
	memcpy(key, word, len);
	struct memo *m = memo_get(key, len);
	memcpy(out, m->stem, MEMO_BYTES);
	return (struct term){ out, m->stem_len, m->hash, &m->note, m->stop };
}

/* Emits a plain word [p, q): ASCII letters only, in any case. */
static void
emit_plain(struct scan *s, const char *p, const char *q)
{
	char word[WORDS_TERM_BYTES];
	size_t len = MIN((size_t)(q - p), sizeof(word));

	for (size_t i = 0; i < len; i++)
		word[i] = (char)(p[i] | 0x20);
	struct term t = scan_stem(word, len, word);
	scan_emit(s, WORD_PLAIN, &t, p, q);
	s->position++;
}

/*
 * Whether the byte at q, which follows the run that begins at p, could continue the run. It may say
 * yes wrongly, since scan_compound examines it again, but never no.
 */
static bool
carries_on(const char *p, const char *q, const char *end)
{
	unsigned next = q + 1 < end ? byte_at(q + 1) : 0;

	switch (*q) {
	case '.': case '-': case '/': case '@':
		return (next & (BYTE_WORD | BYTE_HIGH)) != 0 ||
		    (next != 0 && (q[1] == '_' || (*q == '/' && q[1] == '.')));
	case ':':
		return (next & BYTE_DIGIT) != 0 || (next != 0 && (q[1] == ':' || q[1] == '/'));
	case '\'':
		return (next & (BYTE_WORD | BYTE_HIGH)) != 0;
	case ',':
		return (next & BYTE_DIGIT) != 0 && (byte_at(q - 1) & BYTE_DIGIT) != 0;
	case '+':
		return next != 0 && q[1] == '+';
	case '#':
		return q - p == 1;
	default:
		return true;
	}
}

#if defined(__SSE2__)
/*
 * Scans a word that ends within 16 bytes of p, as nearly all do, without a loop; returns the byte
 * behind it, or NULL when the word is not plain or not short. s->end must be farther away than
 * that.
 */
static inline const char *
scan_short(struct scan *s, const char *p, bool *is_short)
{
	static const uint8_t masks[2 * MEMO_BYTES] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p),
		      low = _mm_or_si128(v, _mm_set1_epi8(0x20));
	const __m128i from = _mm_sub_epi8(low, _mm_set1_epi8('a')),
		      is = _mm_cmpeq_epi8(_mm_min_epu8(from, _mm_set1_epi8('z' - 'a')), from);
	unsigned others = ~(unsigned)_mm_movemask_epi8(is) & 0xffff, len, uppers;
	union { uint64_t key[2]; char stem[MEMO_BYTES]; } u;

	*is_short = others != 0;
	if (others == 0)
		return NULL;
	len = (unsigned)__builtin_ctz(others);
	/* bit 5 distinguishes the cases; none, the first, or all letters may be upper case */
	uppers = ~(unsigned)_mm_movemask_epi8(_mm_slli_epi16(v, 2)) & ((1u << len) - 1);
	if ((uppers > 1 && uppers != (1u << len) - 1) ||
	    (byte_at(p + len) != 0 && carries_on(p, p + len, s->end)))
		return NULL;
	_mm_storeu_si128((__m128i *)(void *)u.key,
	    _mm_and_si128(low,
		_mm_loadu_si128((const __m128i *)(const void *)(masks + MEMO_BYTES - len))));
	struct memo *m = memo_get(u.key, len);
	memcpy(u.stem, m->stem, MEMO_BYTES);
	struct word w = {
		.term = u.stem,
		.len = m->stem_len,
		.kind = WORD_PLAIN,
		.stop = m->stop,
		.position = s->position++,
		.start = (uint32_t)(p - s->text),
		.end = (uint32_t)(p - s->text) + len,
		.hash = m->hash,
		.note = &m->note,
	};
	s->rc = s->fn(s->arg, &w);
	return p + len;
}
#endif

static const char *
scan_letters(struct scan *s, const char *p)
{
	const char *end = s->end, *q = p + 1;

#if defined(__SSE2__)
	if (end - p > MEMO_BYTES) {
		bool is_short;

		q = scan_short(s, p, &is_short);
		if (is_short)
			return q != NULL ? q : scan_compound(s, p);
		q = p + 1;
	}
#endif
	while (q < end && (byte_at(q) & BYTE_LOWER))
		q++;
	if (q == p + 1 && (byte_at(p) & BYTE_UPPER))
		while (q < end && (byte_at(q) & BYTE_UPPER))
			q++;
	if (q < end && byte_at(q) != 0 && carries_on(p, q, end))
		return scan_compound(s, p);
	emit_plain(s, p, q);
	return q;
}

static const char *
scan_digits(struct scan *s, const char *p)
{
	const char *q = p + 1, *end = s->end;

	while (q < end && (byte_at(q) & BYTE_DIGIT))
		q++;
	if (q < end && byte_at(q) != 0 && carries_on(p, q, end))
		return scan_compound(s, p);
	emit_exact(s, WORD_NUMBER, p, MIN((size_t)(q - p), (size_t)WORDS_TERM_BYTES), false, p, q);
	s->position++;
	return q;
}

/*
 * Whether the byte at p, one of # . - / _, begins an identifier: "#480", ".env", "--dry-run",
 * "/usr/bin", "_name".
 */
static bool
leads(const struct scan *s, const char *p)
{
	unsigned before = p > s->text ? byte_at(p - 1) : 0;
	unsigned next = p + 1 < s->end ? byte_at(p + 1) : 0;

	switch (*p) {
	case '#':
		return (next & BYTE_DIGIT) && !(before & (BYTE_WORD | BYTE_HIGH));
	case '.':
		return (next & BYTE_LETTER) && before == 0;
	case '-':
		return before == 0 && next != 0 && p[1] == '-' && p + 2 < s->end &&
		    (byte_at(p + 2) & BYTE_LETTER);
	case '/':
		if (next != 0 && p[1] == '.')
			return before == 0 && p + 2 < s->end && (byte_at(p + 2) & BYTE_LETTER);
		return before == 0 && ((next & BYTE_WORD) || (next != 0 && p[1] == '_'));
	default:
		return (next & (BYTE_WORD | BYTE_HIGH)) != 0 || (next != 0 && p[1] == '_');
	}
}

/*
 * Folds one character of a script without spaces, with its marks, to out; returns the byte behind
 * it, NULL when there is none at p.
 */
static const char *
read_char(const char *p, const char *end, char out[WORDS_TERM_BYTES / 2], size_t *len)
{
	enum unicode_class cls;
	char folded[16];
	uint32_t cp;
	size_t n, add;

	*len = 0;
	while (p < end) {
		unicode_next(p, end, &cp, &cls);
		if (cls != (*len == 0 ? UNICODE_CJK : UNICODE_KEPT) &&
		    (cls != UNICODE_MARK || *len == 0))
			break;
		n = unicode_fold(p, end, folded, &add);
		if (*len + add > WORDS_TERM_BYTES / 2)
			break;
		memcpy(out + *len, folded, add);
		*len += add;
		p += n;
	}
	return *len > 0 ? p : NULL;
}

/* Emits characters and pairs: c0 at position 0, c0c1 at 0, c1 at 1 ... */
static const char *
scan_chars(struct scan *s, const char *p)
{
	char pair[WORDS_TERM_BYTES];
	size_t first, second;
	const char *q = read_char(p, s->end, pair, &first), *next;

	if (q == NULL)
		return p + 1;
	while (s->rc == 0) {
		next = read_char(q, s->end, pair + first, &second);
		emit_exact(s, WORD_CHAR, pair, first, words_is_stop(pair, first), p, q);
		if (next != NULL)
			emit_exact(s, WORD_PAIR, pair, first + second,
			    words_is_stop(pair, first + second), p, next);
		s->position++;
		if (next == NULL)
			break;
		memmove(pair, pair + first, second);
		first = second;
		p = q;
		q = next;
	}
	return q;
}

/* Emits an emoji; two regional indicators are one flag. */
static const char *
scan_emoji(struct scan *s, const char *p, size_t n, uint32_t cp)
{
	enum unicode_class cls;
	uint32_t other;

	if (cp >= 0x1f1e6 && cp <= 0x1f1ff && p + n < s->end) {
		size_t m = unicode_next(p + n, s->end, &other, &cls);
		if (other >= 0x1f1e6 && other <= 0x1f1ff)
			n += m;
	}
	emit_exact(s, WORD_SYMBOL, p, n, false, p, p + n);
	s->position++;
	return p + n;
}

static const char *
scan_high(struct scan *s, const char *p)
{
	enum unicode_class cls;
	uint32_t cp;
	size_t n = unicode_next(p, s->end, &cp, &cls);

	switch (cls) {
	case UNICODE_LOWER: case UNICODE_UPPER: case UNICODE_DIGIT:
		return scan_compound(s, p);
	case UNICODE_CJK:
		return scan_chars(s, p);
	case UNICODE_EMOJI:
		return scan_emoji(s, p, n, cp);
	default:
		return p + n;
	}
}

int
words_each(const char *text, size_t len, word_fn *fn, void *arg)
{
	struct scan s = { text, text + MIN(len, UINT32_MAX), fn, arg, 0, 0 };
	const char *p = text;

	if (memos.slots == NULL)
		open_memos(MEMO_FIRST);
	while (p < s.end && s.rc == 0) {
		unsigned is = byte_at(p);

		if (is == 0)
			p++;
		else if (is & BYTE_LETTER)
			p = scan_letters(&s, p);
		else if (is & BYTE_DIGIT)
			p = scan_digits(&s, p);
		else if (is & BYTE_HIGH)
			p = scan_high(&s, p);
		else if ((is & BYTE_LEAD) && leads(&s, p))
			p = scan_compound(&s, p);
		else
			p++;
	}
	return s.rc;
}

struct saying { unsigned n, least; };

static int
count_content(void *arg, const struct word *w)
{
	struct saying *v = arg;

	if (w->kind != WORD_PART && w->kind != WORD_PAIR && w->kind != WORD_SYMBOL)
		v->n += w->kind == WORD_WHOLE || w->kind == WORD_NUMBER ? 2 : !w->stop;
	return v->n >= v->least;
}

bool
words_say(const char *text, size_t len, unsigned least)
{
	struct saying v = { 0, least };

	return words_each(text, len, count_content, &v) != 0;
}

size_t
words_fold(const char *text, size_t len, char *out)
{
	const char *p = text, *end = text + len;
	size_t n, at = 0;

	while (p < end) {
		if ((unsigned char)*p < 0x80) {
			out[at++] = (char)(byte_at(p) & BYTE_UPPER ? *p + 32 : *p);
			p++;
			continue;
		}
		p += unicode_fold(p, end, out + at, &n);
		at += n;
	}
	out[at] = '\0';
	return at;
}

bool
words_is_stop(const char *word, size_t len)
{
	return lex_word(word, len, LEX_STOP, LEX_ANY, NULL);
}
