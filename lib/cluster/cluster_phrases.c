/*
 * cluster_phrases.c: texts are read into the words that people wrote. What is no such word, as a
 * path, a number, code or a function word, ends a phrase. Characters of Chinese and Kanji are words
 * of their own, which phrases put together; Hiragana, in which Japanese writes its endings, ends
 * one.
 */
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "base/span.h"
#include "base/utf8.h"
#include "cluster/cluster_phrases_parts.h"
#include "cluster/cluster_words.h"
#include "lexicon/lex.h"
#include "lexicon/unicode.h"
#include "statement/speech.h"
#include "text/words.h"

#define TEXT_BYTES 16384               /* what is read of a text */
#define SHORT_NAME 3                   /* bytes of a name by which friends call somebody */

struct cluster_phrases *
cluster_phrases_new(void)
{
	struct cluster_phrases *p = xcalloc(1, sizeof(*p));

	xgrow(&p->starts, &p->cap_starts, 1, sizeof(*p->starts));
	p->starts[0] = 0;
	return p;
}

void
cluster_phrases_free(struct cluster_phrases *p)
{
	if (p == NULL)
		return;
	arena_release(&p->texts);
	arena_release(&p->shown);
	free(p->words);
	keyed_release(&p->places);
	free(p->said);
	free(p->names);
	free(p->shorts);
	free(p->starts);
	free(p->groups);
	free(p->langs);
	free(p);
}

/* ---- words ---- */

static uint32_t
stem_of(const char *text, size_t len)
{
	char folded[3 * WORDS_TERM_BYTES + 1];
	size_t n = words_fold(text, MIN(len, WORDS_TERM_BYTES), folded);

	return (uint32_t)hash64(folded, words_stem(folded, n), 0);
}

/* The number of a word. */
static uint32_t
find_word(struct cluster_phrases *p, const char *text, size_t len)
{
	struct keyed_slot *at = keyed_at(&p->places, hash64(text, len, 0));
	size_t capitals = 0;
	enum unicode_class cls;
	uint32_t cp;

	if (at->value != 0)
		return (uint32_t)at->value - 1;
	xgrow(&p->words, &p->cap_words, p->n_words + 1, sizeof(*p->words));
	struct phrase_word *w = &p->words[p->n_words];
	*w = (struct phrase_word){ .text = arena_strndup(&p->texts, text, len),
		.len = (uint32_t)len,
		.stem = stem_of(text, len) };
	for (size_t i = 0; i < len;) {
		i += unicode_next(text + i, text + len, &cp, &cls);
		capitals += cls == UNICODE_UPPER;
		w->capital = w->capital || (capitals == 1 && cls == UNICODE_UPPER);
	}
	w->acronym = capitals > 1;
	at->value = ++p->n_words;
	return (uint32_t)p->n_words - 1;
}

static void
say(struct cluster_phrases *p, uint32_t what)
{
	uint32_t last = p->n_said > p->starts[p->n] ? p->said[p->n_said - 1] : SAID_BEFORE_VERB;

	/* of two breaks the later one counts, and a link is one between two words only */
	if (what < SAID_WORD && p->n_said > p->starts[p->n] &&
	    (last < SAID_WORD || p->words[last - SAID_WORD].link))
		p->n_said--;
	*xpush(p->said, p->n_said, p->cap_said) = what;
}

/* A sign ends a phrase, and some a sentence. */
static void
say_sign(struct cluster_phrases *p, char sign)
{
	if (strchr(".!?", sign) != NULL)
		say(p, SAID_BEFORE_VERB);
	else if (p->n_said > p->starts[p->n] && p->said[p->n_said - 1] >= SAID_WORD)
		say(p, SAID_BREAK);
}

/* "it's" and "I'll" are no nouns; a genitive is one. */
static bool
is_contraction(const char *text, size_t len)
{
	const char *tick = memchr(text, '\'', len);

	return tick != NULL && (len < 5 || tick + 2 != text + len || tick[1] != 's');
}

static void
say_word(struct cluster_phrases *p, const char *text, size_t len, unsigned lang)
{
	char folded[3 * WORDS_TERM_BYTES + 1];
	size_t n = words_fold(text, MIN(len, WORDS_TERM_BYTES), folded);
	uint32_t last = p->n_said > p->starts[p->n] ? p->said[p->n_said - 1] : SAID_BREAK, word;
	bool link = lex_word(folded, n, LEX_NOUN_LINK, LEX_IN(lang), NULL);

	if (link && last >= SAID_WORD) {
		word = find_word(p, text, len);
		p->words[word].link = true;
		say(p, SAID_WORD + word);
	} else if (link || words_is_stop(folded, n) || utf8_count(text, len) < 2 ||
	    is_contraction(text, len) ||
	    lex_word(folded, n, LEX_MONTH, LEX_ANY, NULL) ||
	    cluster_word_of(folded, n, lang) != CLUSTER_WORD_PLAIN) {
		say(p, lex_word(folded, n, LEX_SUBJECT, LEX_IN(lang), NULL) ||
			    lex_word(folded, n, LEX_BE, LEX_IN(lang), NULL) ||
			    lex_word(folded, n, LEX_AUXILIARY, LEX_IN(lang), NULL)
			? SAID_BEFORE_VERB
			: SAID_BREAK);
	} else {
		say(p, SAID_WORD + find_word(p, text, utf8_clip(text, len, WORDS_TERM_BYTES)));
	}
}

/* ---- reading ---- */

enum sign { SIGN_NONE, SIGN_LETTER, SIGN_HAN, SIGN_ENDING /* Hiragana */ };

static enum sign
sign_of(uint32_t cp, enum unicode_class cls)
{
	if (cp >= 0x3041 && cp <= 0x309f)
		return SIGN_ENDING;
	/* Katakana and Hangul stand in words as letters do */
	if (cls == UNICODE_CJK)
		return (cp >= 0x30a0 && cp <= 0x30ff) || (cp >= 0xac00 && cp <= 0xd7ff)
		    ? SIGN_LETTER
		    : SIGN_HAN;
	return cls == UNICODE_SEP || cls == UNICODE_EMOJI ? SIGN_NONE : SIGN_LETTER;
}

/* Whether what stands between blanks is no word: a path, an address, an identifier, a number. */
static bool
is_machine(const char *s, size_t len)
{
	size_t digits = 0, letters = 0;

	for (size_t i = 0; i < len; i++) {
		digits += ascii_is_digit(s[i]);
		letters += ascii_is_letter(s[i]);
		if (strchr("/\\_@=<>{}|~^$#*+", s[i]) != NULL && i + 1 < len && i > 0 &&
		    (s[i] != '*' || s[i - 1] != '*'))
			return true;
		if (i > 0 && i + 1 < len && strchr(".:(", s[i]) != NULL &&
		    (unsigned char)s[i + 1] > ' ' && strchr(".:)*\"'", s[i + 1]) == NULL)
			return true;
		if (i > 0 && s[i] >= 'A' && s[i] <= 'Z' && s[0] >= 'a' && s[0] <= 'z')
			return true;           /* camelCase */
	}
	return len > 0 && (s[0] == '@' || s[0] == '/' || s[0] == '$' || s[0] == '#' ||
		s[0] == '<' || digits >= MAX(letters, 1));
}

/* The words between two blanks. */
static void
read_piece(struct cluster_phrases *p, const char *s, size_t len, unsigned lang)
{
	const char *end = s + len, *word = NULL;
	enum unicode_class cls;
	bool kana = false, was_kana = false;
	uint32_t cp;

	for (const char *at = s; at < end;) {
		size_t n = unicode_next(at, end, &cp, &cls);
		enum sign sign = sign_of(cp, cls);
		kana = cp >= 0x30a0 && cp <= 0x30ff;
		/* a word goes on over a hyphen or an apostrophe, not from Latin to Kana */
		bool joins = word != NULL && at + n < end && (*at == '-' || *at == '\'') &&
		    (unsigned char)at[n] > ' ' && strchr("-'\".,;:!?", at[n]) == NULL;
		if (word != NULL && !joins && (sign != SIGN_LETTER || kana != was_kana)) {
			say_word(p, word, (size_t)(at - word), lang);
			word = NULL;
		}
		if (sign == SIGN_LETTER && word == NULL)
			word = at;
		else if (sign == SIGN_HAN && lex_word(at, n, LEX_GRAMMAR_SIGN, LEX_ANY, NULL))
			say(p, SAID_BREAK);
		else if (sign == SIGN_HAN) {
			uint32_t w = find_word(p, at, n);
			p->words[w].unspaced = true;
			say(p, SAID_WORD + w);
		} else if (sign != SIGN_LETTER && !joins) {
			say_sign(p, *at);
		}
		was_kana = kana;
		at += n;
	}
	if (word != NULL)
		say_word(p, word, (size_t)(end - word), lang);
}

static void
read_line(struct cluster_phrases *p, const char *s, size_t len, unsigned lang)
{
	const char *end = s + len;

	say(p, SAID_BEFORE_VERB);
	while (s < end) {
		const char *piece = s;
		if (*s == '`') {               /* code within a line */
			const char *close = memchr(s + 1, '`', (size_t)(end - s) - 1);
			s = close != NULL ? close + 1 : s + 1;
			say(p, SAID_BREAK);
			continue;
		}
		while (s < end && (unsigned char)*s > ' ' && *s != '`')
			s++;
		size_t n = (size_t)(s - piece);
		while (n > 0 && strchr(".,;:!?)*\"'", piece[n - 1]) != NULL)
			n--;
		while (n > 0 && strchr("(*\"'", *piece) != NULL) {
			piece++;
			n--;
		}
		if (is_machine(piece, n))
			say(p, SAID_BREAK);
		else
			read_piece(p, piece, (size_t)(s - piece), lang);
		while (s < end && (unsigned char)*s <= ' ')
			s++;
	}
}

static void
add_name(struct cluster_phrases *p, const char *name, size_t len)
{
	*xpush(p->names, p->n_names, p->cap_names) = stem_of(name, len);
}

/* The whole, "ann-of-green", its words, and how these may be shortened: "Mel" for "Melanie". */
static void
add_names(struct cluster_phrases *p, const char *name)
{
	size_t len = name != NULL ? strlen(name) : 0;
	struct lex_token t;

	if (len > 0)
		add_name(p, name, len);
	for (size_t at = 0; lex_next(name, len, at, &t); at = t.end) {
		add_name(p, name + t.start, t.end - t.start);
		for (size_t n = SHORT_NAME; n < t.end - t.start && t.capital; n++)
			*xpush(p->shorts, p->n_shorts, p->cap_shorts) =
			    stem_of(name + t.start, utf8_clip(name + t.start, t.end - t.start, n));
	}
}

void
cluster_phrases_add(struct cluster_phrases *p, const char *text, size_t len, const char *speaker,
	uint8_t group)
{
	const char *end = text + MIN(len, TEXT_BYTES);
	/* a short text is mostly in the language of the one before it */
	unsigned lang = lex_language_or(text, (size_t)(end - text),
	    p->n > 0 ? p->langs[p->n - 1] : LEX_EN);
	bool fenced = false;

	for (const char *s = text, *next; s < end; s = next) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		size_t n = (size_t)((newline != NULL ? newline : end) - s);
		next = newline != NULL ? newline + 1 : end;
		enum speech speech = speech_of_line(text, (size_t)(end - text), (size_t)(s - text),
		    (size_t)(s - text) + n);
		for (; n > 0 && (*s == ' ' || *s == '\t'); n--)
			s++;
		if (span_begins(s, n, "```"))
			fenced = !fenced;
		else if (!fenced && !span_begins(s, n, ">") && speech == SPEECH_OWN)
			read_line(p, s, n, lang);
		if (!fenced && speech == SPEECH_OVER)
			break;
	}
	say(p, SAID_BREAK);
	if (p->n == 0 || speaker != NULL)
		add_names(p, speaker);
	xgrow(&p->groups, &p->cap_groups, p->n + 1, sizeof(*p->groups));
	xgrow(&p->langs, &p->cap_langs, p->n + 1, sizeof(*p->langs));
	p->groups[p->n] = group;
	p->langs[p->n++] = (uint8_t)lang;
	xgrow(&p->starts, &p->cap_starts, p->n + 1, sizeof(*p->starts));
	p->starts[p->n] = (uint32_t)p->n_said;
}
