/*
 * lex.c: a word is folded and hashed in one go and looked up in the table that lex.awk made. A
 * phrase is looked up whole, the longest that its first word may begin first.
 */
#include "lexicon/lex.h"

#include "base/ascii.h"
#include "lexicon/lex_parts.h"
#include "lexicon/unicode.h"

enum { SENSE = 3 };                        /* bytes: class, language, value */

static uint32_t
hash_of(const char *word, size_t len)
{
	uint32_t hash = 0;

	for (size_t i = 0; i < len; i++)
		hash = hash * 33 + (unsigned char)word[i];
	return hash;
}

/* The record of a word in the pool; NULL: there is none. */
static const unsigned char *
find(const char *word, size_t len)
{
	for (size_t slot = hash_of(word, len) % lex_n_slots; lex_slots[slot] != 0;
	     slot = slot + 1 == lex_n_slots ? 0 : slot + 1) {
		const unsigned char *p = lex_pool + 4 * (size_t)lex_slots[slot];

		if (p[0] == len && memcmp(p + 3, word, len) == 0)
			return p;
	}
	return NULL;
}

static bool
has_sense(const unsigned char *s, size_t n, enum lex class, unsigned langs, int *value)
{
	for (; n > 0; n--, s += SENSE)
		if (s[0] == class && (langs >> s[1] & 1)) {
			if (value != NULL)
				*value = (int8_t)s[2];
			return true;
		}
	return false;
}

/* One bit for each class from first to last that senses have. */
static uint64_t
bits_of(const unsigned char *s, size_t n, enum lex first, enum lex last, unsigned langs)
{
	uint64_t bits = 0;

	for (; n > 0; n--, s += SENSE)
		if (s[0] >= first && s[0] <= last && (langs >> s[1] & 1))
			bits |= (uint64_t)1 << (s[0] - first);
	return bits;
}

/* ---- words of a text ---- */

/* Bytes of an apostrophe, ' or one of its two printed forms, before a letter; 0: there is none. */
static size_t
apostrophe(const char *p, const char *end)
{
	size_t n = p == end ? 0
	    : *p == '\'' ? 1
	    : end - p > 3 && memcmp(p, "\xe2\x80\x99", 3) == 0 ? 3
	    : end - p > 2 && memcmp(p, "\xca\xbc", 2) == 0 ? 2
	    : 0;

	return n > 0 && p + n < end && (ascii_is_letter(p[n]) || (unsigned char)p[n] >= 0xc3)
	    ? n : 0;
}

static void
look_up(struct lex_token *t)
{
	const unsigned char *p = t->len > 0 ? find(t->folded, t->len) : NULL;

	t->senses = p != NULL && p[2] > 0 ? p + 3 + p[0] : NULL;
	t->n_senses = p != NULL ? p[2] : 0;
	t->more = p != NULL ? p[1] : 0;
}

/* The class of the character at p; *n: its bytes. */
static enum unicode_class
class_at(const char *p, const char *end, size_t *n)
{
	enum unicode_class cls;
	uint32_t cp;

	*n = unicode_next(p, end, &cp, &cls);
	return cls;
}

static const char *
read_digits(struct lex_token *t, const char *p, const char *end)
{
	t->figures = true;
	for (t->number = 0; p < end && ascii_is_digit(*p); p++) {
		t->number = MIN(t->number * 10 + (*p - '0'), 9999);
		t->n_digits = (uint8_t)MIN(t->n_digits + 1, 99);
		if (t->len < LEX_BYTES)
			t->folded[t->len++] = *p;
	}
	return p;
}

/*
 * Whether the apostrophe behind the word so far ends it: what stands before it is tied to the next
 * word, as in French. Writes what was read with 's, which is taken off.
 */
static bool
ends_at_tick(struct lex_token *t, const char *p, const char *end, size_t tick)
{
	size_t n;

	look_up(t);
	if (lex_is(t, LEX_TIED, LEX_ANY, NULL))
		return true;
	t->owns = (p[tick] | 32) == 's' &&
	    (p + tick + 1 == end || class_at(p + tick + 1, end, &n) == UNICODE_SEP ||
		class_at(p + tick + 1, end, &n) == UNICODE_CJK);
	return false;
}

bool
lex_next(const char *text, size_t len, size_t at, struct lex_token *t)
{
	const char *p = text + at, *end = text + len;
	enum unicode_class cls = UNICODE_SEP;
	size_t n = 0, out, tick;
	bool cut = false;

	while (p < end && ((cls = class_at(p, end, &n)) == UNICODE_SEP || cls == UNICODE_EMOJI ||
			      cls == UNICODE_MARK))
		p += n;
	memset(t, 0, offsetof(struct lex_token, folded));
	t->number = -1;
	t->start = t->end = (uint32_t)(p - text);
	if (p >= end)
		return false;
	t->capital = cls == UNICODE_UPPER;
	t->unspaced = cls == UNICODE_CJK;
	if (ascii_is_digit(*p))
		p = read_digits(t, p, end);
	while (p < end) {
		if (ascii_is_alnum(*p)) {
			t->figures |= ascii_is_digit(*p);
			if (t->len < LEX_BYTES)
				t->folded[t->len++] = ascii_lower(*p);
			else
				cut = true;
			p++;
			continue;
		}
		if ((tick = t->len > 0 ? apostrophe(p, end) : 0) > 0) {
			if (ends_at_tick(t, p, end, tick)) {
				p += tick;
				break;
			}
			t->tick = true;
			p += tick;
			continue;
		}
		if ((unsigned char)*p < 0x80)
			break;
		cls = class_at(p, end, &n);
		if (cls == UNICODE_SEP || cls == UNICODE_EMOJI ||
		    (cls == UNICODE_CJK && p > text + t->start))
			break;
		char folded[32];
		p += unicode_fold(p, end, folded, &out);
		if (t->len + out <= LEX_BYTES && out <= sizeof(folded)) {
			memcpy(t->folded + t->len, folded, out);
			t->len = (uint8_t)(t->len + out);
		} else {
			cut = true;
		}
		if (cls == UNICODE_CJK)
			break;
	}
	t->end = (uint32_t)(p - text);
	if (cut)
		t->len = 0;
	look_up(t);
	t->whole = t->len;
	if (t->owns && t->senses == NULL && t->len > 1) {
		uint8_t more = t->more;

		t->len--;
		look_up(t);
		t->more = MAX(t->more, more);
	}
	return true;
}

bool
lex_is(const struct lex_token *t, enum lex class, unsigned langs, int *value)
{
	return has_sense(t->senses, t->n_senses, class, langs, value);
}

uint64_t
lex_token_classes(const struct lex_token *t, enum lex first, enum lex last, unsigned langs)
{
	return bits_of(t->senses, t->n_senses, first, last, langs);
}

size_t
lex_matches(const char *text, size_t len, const struct lex_token *t,
	struct lex_match out[LEX_MATCHES])
{
	char key[LEX_BYTES];
	size_t n_key = t->whole, n = LEX_MATCHES;
	struct lex_token next = *t;

	if (t->senses != NULL)
		out[--n] = (struct lex_match){ t->end, t->n_senses, t->senses };
	memcpy(key, t->folded, n_key);
	for (unsigned k = 1; k < t->more; k++) {
		bool unspaced = next.unspaced;

		if (!lex_next(text, len, next.end, &next) || next.len == 0 ||
		    n_key + next.whole + 1 > sizeof(key))
			break;
		if (!unspaced || !next.unspaced)
			key[n_key++] = ' ';
		memcpy(key + n_key, next.folded, next.whole);
		n_key += next.whole;
		const unsigned char *p = find(key, n_key);
		if (p != NULL && p[2] > 0 && n > 0)
			out[--n] = (struct lex_match){ next.end, p[2], p + 3 + p[0] };
	}
	memmove(out, out + n, (LEX_MATCHES - n) * sizeof(*out));
	return LEX_MATCHES - n;
}

size_t
lex_match(const struct lex_match *matches, size_t n, enum lex class, unsigned langs, int *value)
{
	for (size_t i = 0; i < n; i++)
		if (has_sense(matches[i].senses, matches[i].n_senses, class, langs, value))
			return matches[i].end;
	return 0;
}

unsigned
lex_langs(const char *text, size_t len, const struct lex_token *t, enum lex first, enum lex last)
{
	struct lex_match m[LEX_MATCHES];
	size_t n = t->senses != NULL || t->more > 1 ? lex_matches(text, len, t, m) : 0;
	unsigned langs = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < m[i].n_senses; k++) {
			const unsigned char *s = m[i].senses + SENSE * k;
			if (s[0] >= first && s[0] <= last)
				langs |= LEX_IN(s[1]);
		}
	return langs;
}

uint64_t
lex_phrase_classes(const char *text, size_t len, const struct lex_token *t, enum lex first,
	enum lex last, unsigned langs)
{
	struct lex_match m[LEX_MATCHES];
	size_t n = lex_matches(text, len, t, m);
	uint64_t bits = 0;

	for (size_t i = 0; i < n; i++)
		bits |= bits_of(m[i].senses, m[i].n_senses, first, last, langs);
	return bits;
}

size_t
lex_phrase(const char *text, size_t len, const struct lex_token *t, enum lex class, unsigned langs,
	int *value)
{
	struct lex_match matches[LEX_MATCHES];

	if (t->more < 2)
		return lex_is(t, class, langs, value) ? t->end : 0;
	return lex_match(matches, lex_matches(text, len, t, matches), class, langs, value);
}

/* ---- words at hand ---- */

bool
lex_word(const char *word, size_t len, enum lex class, unsigned langs, int *value)
{
	const unsigned char *p = find(word, len);

	return p != NULL && has_sense(p + 3 + p[0], p[2], class, langs, value);
}

static const unsigned char *
find_stem(const char *stem, size_t len)
{
	char key[LEX_BYTES] = "~";

	if (len >= sizeof(key))
		return NULL;
	memcpy(key + 1, stem, len);
	return find(key, len + 1);
}

uint64_t
lex_classes(const char *word, size_t len, enum lex first, enum lex last, unsigned langs)
{
	const unsigned char *p = find(word, len);

	return p != NULL ? bits_of(p + 3 + p[0], p[2], first, last, langs) : 0;
}

uint64_t
lex_stem_classes(const char *stem, size_t len, enum lex first, enum lex last)
{
	const unsigned char *p = find_stem(stem, len);

	return p != NULL ? bits_of(p + 3 + p[0], p[2], first, last, LEX_ANY) : 0;
}

void
lex_each(enum lex class, lex_fn *fn, void *arg)
{
	for (size_t slot = 0; slot < lex_n_slots; slot++) {
		const unsigned char *p = lex_pool + 4 * (size_t)lex_slots[slot];

		for (size_t i = 0; lex_slots[slot] != 0 && i < p[2]; i++) {
			const unsigned char *s = p + 3 + p[0] + SENSE * i;
			if (s[0] == class)
				fn(arg, (const char *)p + 3, p[0], s[1], (int8_t)s[2]);
		}
	}
}

/* ---- languages ---- */

/* counted for any other word that a language has: it decides between those that are level */
#define KNOWN 1e-3f

/* What the first words of a text say of its language. */
struct heard {
	float score[LEX_LANGS];            /* a word that n languages have counts 1 / n */
	unsigned hits[LEX_LANGS];          /* function words */
	unsigned n_words, first;           /* first: languages in which it begins a question */
	unsigned n_unspaced, n_kana, n_hangul;
};

static void
hear_word(struct heard *h, const struct lex_token *t)
{
	unsigned has = 0, knows = 0, n = 0;

	for (size_t i = 0; i < t->n_senses; i++) {
		const unsigned char *s = t->senses + SENSE * i;
		has |= s[0] == LEX_FUNCTION ? LEX_IN(s[1]) : s[0] == LEX_STOP;
		h->first |= h->n_words == 0 && s[0] == LEX_FIRST ? LEX_IN(s[1]) : 0;
		knows |= LEX_IN(s[1]);
	}
	for (unsigned l = 0; l < lex_n_langs; l++)
		n += has >> l & 1;
	for (unsigned l = 0; l < lex_n_langs; l++) {
		h->hits[l] += has >> l & 1;
		h->score[l] += has >> l & 1 ? 1.0f / (float)n : 0;
		h->score[l] += knows >> l & 1 ? KNOWN : 0;
	}
	h->n_words += t->n_digits == 0;
}

/* Reads so many words; returns the language that has most of them, English where none has any. */
static unsigned
hear(struct heard *h, const char *text, size_t len, unsigned n_words)
{
	unsigned best = LEX_EN;
	struct lex_token t;

	*h = (struct heard){ .n_words = 0 };
	for (size_t at = 0; h->n_words < n_words && lex_next(text, len, at, &t); at = t.end) {
		const unsigned char *c = (const unsigned char *)text + t.start;
		h->n_unspaced += t.unspaced;
		h->n_kana += t.unspaced && c[0] == 0xe3 && c[1] >= 0x81 && c[1] <= 0x83;
		h->n_hangul += t.unspaced && c[0] >= 0xea && c[0] <= 0xed;
		hear_word(h, &t);
	}
	for (unsigned l = 1; l < lex_n_langs; l++)
		if (h->score[l] > h->score[best])
			best = l;
	return best;
}

unsigned
lex_language_or(const char *text, size_t len, unsigned other)
{
	enum { WORDS_READ = 64, HITS_LEAST = 2 };
	struct heard h;
	unsigned best = hear(&h, text, len, WORDS_READ);

	if (best == LEX_EN)
		return h.hits[best] > 0 ? best : other;
	return h.hits[best] >= HITS_LEAST || (h.first >> best & 1) ? best : other;
}

unsigned
lex_written_in(const char *text, size_t len, float least)
{
	/* one word in so many at least; and as good as the best is what has so much of its score */
	enum { WORDS_READ = 32, IN_WORDS = 6 };
	const float as_good = 2.0f / 3;
	struct heard h;
	unsigned best = hear(&h, text, len, WORDS_READ), langs = 0;

	if (h.n_unspaced > 1 && h.n_unspaced * 3 >= h.n_words * 2)
		return LEX_IN(lex_language(h.n_hangul * 2 > h.n_unspaced ? "ko"
			: h.n_kana * 7 > h.n_unspaced			 ? "ja"
									 : "zh"));
	if (h.n_unspaced > 0 || h.score[best] < least || h.hits[best] * IN_WORDS < h.n_words)
		return LEX_ANY;
	for (unsigned l = 0; l < lex_n_langs; l++)
		langs |= h.score[l] >= as_good * h.score[best] ? LEX_IN(l) : 0;
	return langs;
}

unsigned
lex_language_of(const char *text, size_t len)
{
	return lex_language_or(text, len, LEX_EN);
}

unsigned
lex_counting(unsigned lang)
{
	unsigned langs = LEX_IN(lang);

	for (const struct lex_label *l = lex_labels; *l->text != '\0'; l++)
		langs |= l->class == LEX_UNSPACED ? LEX_IN(l->lang) : 0;
	return langs;
}

unsigned
lex_language(const char *code)
{
	for (unsigned i = 0; i < lex_n_langs; i++)
		if (strcmp(lex_codes[i], code) == 0)
			return i;
	return LEX_EN;
}

const char *
lex_label(enum lex class, unsigned lang, int value)
{
	const struct lex_label *l = lex_labels;

	for (; *l->text != '\0'; l++)
		if (l->class == class && l->lang == lang && l->value == value)
			return l->text;
	return NULL;
}
