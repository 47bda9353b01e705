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
	if (t->owns && t->senses == NULL && t->len > 1) {
		t->len--;
		look_up(t);
	}
	return true;
}

bool
lex_is(const struct lex_token *t, enum lex class, unsigned langs, int *value)
{
	return has_sense(t->senses, t->n_senses, class, langs, value);
}

size_t
lex_phrase(const char *text, size_t len, const struct lex_token *t, enum lex class, unsigned langs,
	int *value)
{
	char key[LEX_BYTES];
	size_t n = t->len, found = lex_is(t, class, langs, value) ? t->end : 0;
	struct lex_token next = *t;

	if (t->more < 2)
		return found;
	memcpy(key, t->folded, n);
	for (unsigned k = 1; k < t->more; k++) {
		bool unspaced = next.unspaced;
		const unsigned char *p;

		if (!lex_next(text, len, next.end, &next) || next.len == 0 ||
		    n + next.len + 1 > sizeof(key))
			break;
		if (!unspaced || !next.unspaced)
			key[n++] = ' ';
		memcpy(key + n, next.folded, next.len);
		n += next.len;
		p = find(key, n);
		if (p != NULL && has_sense(p + 3 + p[0], p[2], class, langs, value))
			found = next.end;
	}
	return found;
}

/* ---- words at hand ---- */

bool
lex_word(const char *word, size_t len, enum lex class, unsigned langs, int *value)
{
	const unsigned char *p = find(word, len);

	return p != NULL && has_sense(p + 3 + p[0], p[2], class, langs, value);
}

/* ---- languages ---- */

unsigned
lex_langs(const char *word, size_t len, enum lex class)
{
	const unsigned char *p = find(word, len);
	unsigned langs = 0;

	for (size_t i = 0; p != NULL && i < p[2]; i++)
		if (p[3 + p[0] + SENSE * i] == class)
			langs |= LEX_IN(p[3 + p[0] + SENSE * i + 1]);
	return langs;
}

unsigned
lex_n_languages(void)
{
	return lex_n_langs;
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
	for (const struct lex_label *l = lex_labels; *l->text != '\0'; l++)
		if (l->class == class && l->lang == lang && l->value == value)
			return l->text;
	return NULL;
}
