/*
 * secrets.c: one pass over the text, sixteen bytes a step where no secret can begin, stopping only
 * at a long run, at two dashes, and behind "bearer" or "basic". Signs, which are frequent, are
 * examined without stopping. secret_find.c decides whether there is a secret.
 */
#include "text/secrets.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "text/secret_find.h"
#include "text/secret_words.h"

/* the shortest word for a password */
#define LEAST_WORD 3

/* What a byte is to the pass. RUN_BYTE: part of a run; SIGN: secret_at_sign must be called. */
enum { RUN_BYTE = 1, SIGN = 2 };

#define LAST_BYTE(first, second, last) [last] = SIGN,

static const uint8_t kinds[256] = {
	SECRET_BYTE_TAILS(LAST_BYTE)
	[' '] = SIGN, [':'] = SIGN, ['='] = SIGN, ['+'] = SIGN, ['/'] = SIGN,
	['-'] = 1, ['_'] = 1, ['.'] = 1, ['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1,
	['5'] = 1, ['6'] = 1, ['7'] = 1, ['8'] = 1, ['9'] = 1,
	['a'] = 1, ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1, ['g'] = 1, ['h'] = 1,
	['i'] = 1, ['j'] = 1, ['k'] = 1, ['l'] = 1, ['m'] = 1, ['n'] = 1, ['o'] = 1, ['p'] = 1,
	['q'] = 1, ['r'] = 1, ['s'] = 1, ['t'] = 1, ['u'] = 1, ['v'] = 1, ['w'] = 1, ['x'] = 1,
	['y'] = 1, ['z'] = 1,
	['A'] = 1, ['B'] = 1, ['C'] = 1, ['D'] = 1, ['E'] = 1, ['F'] = 1, ['G'] = 1, ['H'] = 1,
	['I'] = 1, ['J'] = 1, ['K'] = 1, ['L'] = 1, ['M'] = 1, ['N'] = 1, ['O'] = 1, ['P'] = 1,
	['Q'] = 1, ['R'] = 1, ['S'] = 1, ['T'] = 1, ['U'] = 1, ['V'] = 1, ['W'] = 1, ['X'] = 1,
	['Y'] = 1, ['Z'] = 1,
};

#if defined(__SSE2__)
#define BLOCK 16

static inline __m128i
is_byte(__m128i v, char c)
{
	return _mm_cmpeq_epi8(v, _mm_set1_epi8(c));
}

static inline __m128i
is_in(__m128i v, char first, char last)
{
	__m128i from = _mm_sub_epi8(v, _mm_set1_epi8(first));

	return _mm_cmpeq_epi8(_mm_min_epu8(from, _mm_set1_epi8((char)(last - first))), from);
}

/*
 * Where v is the last of three bytes, of which b1 and b2 are those before it; all of them with the
 * bit set that tells small letters from large ones.
 */
static inline __m128i
three(__m128i v, __m128i b1, __m128i b2, int first, int second, int last)
{
	return _mm_and_si128(is_byte(v, (char)last),
	    _mm_and_si128(is_byte(b1, (char)second), is_byte(b2, (char)first)));
}

#define ADD_TAIL(first, second, last) \
	sign = _mm_or_si128(sign, \
	    three(low, b1, b2, (first) | 0x20, (second) | 0x20, (last) | 0x20));

static inline __m128i
load_block(const char *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/*
 * Whether the pass must stop in the block at p, because a secret may begin there: two dashes, a
 * space that follows "bearer" or "basic", or a run that reaches SECRET_RUN_BYTES, of which *run
 * bytes precede p. If not, sets *run to the bytes of the run that goes on into the next block, and
 * *signs to the places of signs, one bit each. Reads three bytes before p.
 */
static inline bool
may_begin_secret(const char *p, unsigned *run, unsigned *signs)
{
	const __m128i small = _mm_set1_epi8(0x20);
	__m128i v = load_block(p), dash = is_byte(v, '-'), low, word, sign, ends;
	__m128i b1 = _mm_or_si128(load_block(p - 1), small),
		b2 = _mm_or_si128(load_block(p - 2), small),
		b3 = _mm_or_si128(load_block(p - 3), small);
	unsigned others, dashes = (unsigned)_mm_movemask_epi8(dash);

	word = _mm_or_si128(is_in(_mm_or_si128(v, small), 'a', 'z'), is_in(v, '0', '9'));
	word =
	    _mm_or_si128(_mm_or_si128(word, dash), _mm_or_si128(is_byte(v, '.'), is_byte(v, '_')));
	sign = _mm_or_si128(_mm_or_si128(is_byte(v, ':'), is_byte(v, '=')),
	    _mm_or_si128(is_byte(v, '+'), is_byte(v, '/')));
	/* an option, a group of digits, and words for a password (see is_said) */
	sign = _mm_or_si128(sign, _mm_or_si128(_mm_and_si128(dash, is_byte(b1, ' ')),
				      _mm_and_si128(is_byte(v, ' '), is_in(b1, '0', '9'))));
	low = _mm_or_si128(v, small);
	SECRET_TAILS(ADD_TAIL)
	SECRET_BYTE_TAILS(ADD_TAIL)
	ends = _mm_or_si128(_mm_and_si128(_mm_and_si128(is_byte(b3, 'r'), is_byte(b2, 'e')),
				is_byte(b1, 'r')),
	    _mm_and_si128(_mm_and_si128(is_byte(b3, 's'), is_byte(b2, 'i')), is_byte(b1, 'c')));
	ends = _mm_and_si128(ends, is_byte(v, ' '));
	others = ~(unsigned)_mm_movemask_epi8(word) & 0xffff;
	if (others == 0 || *run + (unsigned)__builtin_ctz(others) >= SECRET_RUN_BYTES)
		return true;
	*run = (unsigned)__builtin_clz(others) - 16;
	*signs = (unsigned)_mm_movemask_epi8(sign);
	return _mm_movemask_epi8(ends) != 0 || (dashes & (dashes >> 1 | 1u << (BLOCK - 1))) != 0;
}

/*
 * Skips blocks in which no secret can begin, from *at on, which must not be inside a run, and
 * examines the signs in them; returns whether one belongs to a secret. *at becomes the place to go
 * on: the next block, or the start of the run that continues into it. No skipping is worth while
 * before *stop, which lies behind that block and a space that may follow it.
 */
static bool
skip_blocks(struct secret_finder *f, size_t *at, size_t *stop)
{
	size_t p = *at;
	unsigned run = 0, signs;

	*stop = 3;
	if (p < 3)
		return false;
	for (; f->len - p >= BLOCK && !may_begin_secret(f->text + p, &run, &signs); p += BLOCK)
		for (; signs != 0; signs &= signs - 1)
			if (secret_at_sign(f, p + (unsigned)__builtin_ctz(signs)))
				return true;
	*stop = p + BLOCK + 1;
	while (p > *at && kinds[(unsigned char)f->text[p - 1]] == RUN_BYTE)
		p--;
	*at = p;
	return false;
}
#else
static bool
skip_blocks(struct secret_finder *f, size_t *at, size_t *stop)
{
	(void)at;
	*stop = f->len;
	return false;
}
#endif

#define AS_BYTES(first, second, last)  { first, second, last },
#define OR_SECOND(first, second, last) | 1u << ((second) - 'a')

/*
 * Whether secret_said finds a secret at one of the bytes of a word [at, end) where it is called:
 * behind "ssw", "nha" and the like, the same as may_begin_secret looks for.
 */
static bool
said_in_word(struct secret_finder *f, size_t at, size_t end)
{
	static const char parts[][3] = { SECRET_TAILS(AS_BYTES) };
	const uint32_t seconds = 0 SECRET_TAILS(OR_SECOND);

	for (size_t i = at + 2; i < end; i++) {
		unsigned second = (unsigned)((f->text[i - 1] | 0x20) - 'a');

		/* most letters are the middle of none */
		if (second >= 26 || (seconds >> second & 1) == 0)
			continue;
		for (size_t k = 0; k < NELEM(parts); k++)
			if (second == (unsigned)(parts[k][1] - 'a') &&
			    (f->text[i] | 0x20) == parts[k][2] &&
			    (f->text[i - 2] | 0x20) == parts[k][0] && secret_at_sign(f, i))
				return true;
	}
	return false;
}

static bool
is_behind_digit(const char *text, size_t at)
{
	return at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9';
}

/* Finds the next secret from `at` on. */
static bool
find_next(struct secret_finder *f, size_t at)
{
	const char *text = f->text;
	size_t len = f->len, stop = 0;

	while (at < len) {
		/*
		 * behind "bearer " or "basic " no block is skipped, because the block would not see
		 * the word that precedes it
		 */
		if (at >= stop && !secret_may_follow_scheme(text, at) && skip_blocks(f, &at, &stop))
			return true;
		if (at >= len)
			break;
		unsigned kind = kinds[(unsigned char)text[at]];
		size_t end = at + 1;
		if (kind == RUN_BYTE) {
			while (end < len && kinds[(unsigned char)text[end]] == RUN_BYTE)
				end++;
			if ((end - at >= SECRET_RUN_BYTES || text[at] == '-' ||
				secret_may_follow_scheme(text, at)) &&
			    secret_in_run(f, at, end))
				return true;
			if (end - at >= LEAST_WORD && said_in_word(f, at, end))
				return true;
		} else if (kind == SIGN && (text[at] != ' ' || is_behind_digit(text, at)) &&
		    secret_at_sign(f, at)) {
			return true;
		}
		at = end;
	}
	return false;
}

unsigned
secrets_redact(const char *text, size_t len, struct buf *out)
{
	struct secret_finder f = { .text = text, .len = len };
	unsigned n = 0;

	buf_reset(out);
	while ((n > 0 && secret_other_half(&f)) || find_next(&f, f.done)) {
		buf_add(out, text + f.done, f.m.start - f.done);
		buf_addf(out, "[REDACTED:%s]", f.m.name);
		f.done = f.m.end;
		n++;
	}
	if (n > 0)
		buf_add(out, text + f.done, len - f.done);
	return n;
}
