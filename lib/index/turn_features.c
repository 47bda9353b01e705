/*
 * turn_features.c: computes cheap features of a turn from its words as they are tokenised.
 *
 * The word classes are those of the lexicon. They are stemmed as the index stems words and put into
 * a small hash table once in a process; each word of a turn then costs one look-up.
 */
#include "index/turn_features.h"

#include <pthread.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "lexicon/lex.h"

enum class {
	SECOND = 1, WHEN = 2, STRONG = 4, ALWAYS = 8, ASK = 16, NOW = 32, ON = 64
};

static const struct { unsigned class; enum lex of; } classes[] = {
	{ SECOND, LEX_TURN_SECOND }, { WHEN, LEX_TURN_WHEN }, { STRONG, LEX_TURN_STRONG },
	{ ALWAYS, LEX_TURN_ALWAYS }, { ASK, LEX_TURN_ASK }, { NOW, LEX_TURN_NOW },
	{ ON, LEX_TURN_ON },
};

#define N_SLOTS 1024

static struct slot { char term[14]; uint8_t len; uint8_t class; } slots[N_SLOTS];
/* one bit a slot: most look-ups end at an empty slot */
static uint64_t filled[N_SLOTS / 64];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static struct slot *
slot_of(const struct word *w)
{
	size_t at = w->hash & (N_SLOTS - 1);

	while (slots[at].len != 0 &&
	    (slots[at].len != w->len || memcmp(slots[at].term, w->term, w->len) != 0))
		at = (at + 1) & (N_SLOTS - 1);
	return &slots[at];
}

static int
learn_class(void *arg, const struct word *w)
{
	struct slot *s;

	if (w->len > sizeof(s->term))
		return 0;
	s = slot_of(w);
	memcpy(s->term, w->term, w->len);
	s->len = (uint8_t)w->len;
	filled[(s - slots) / 64] |= 1ull << (s - slots) % 64;
	s->class |= (uint8_t)*(unsigned *)arg;
	return 0;
}

/*
 * A Chinese class word of two characters is found as a pair; its single characters would be far too
 * common.
 */
static int
learn_class_pair(void *arg, const struct word *w)
{
	return w->kind == WORD_CHAR && w->end - w->start < *((unsigned *)arg + 1)
	    ? 0
	    : learn_class(arg, w);
}

static void
learn(void *arg, const char *word, size_t len, unsigned lang, int value)
{
	unsigned of[2] = { *(const unsigned *)arg, (unsigned)len };

	(void)lang;
	(void)value;
	words_each(word, len, learn_class_pair, of);
}

static void
fill(void)
{
	for (size_t i = 0; i < NELEM(classes); i++)
		lex_each(classes[i].of, learn, (void *)(uintptr_t)&classes[i].class);
}

void
card_start(struct card_maker *m, const char *text, size_t len)
{
	pthread_once(&once, fill);
	memset(m, 0, sizeof(*m));
	m->card.time_us = TIME_NONE;
	m->text = text;
	m->len = len;
	m->now_at = m->last_position = UINT32_MAX;
}

static void
count(uint8_t *n)
{
	if (*n < UINT8_MAX)
		(*n)++;
}

/* Whether a word has a capital without being the first of its sentence: mostly a name. */
static bool
inner_capital(const struct card_maker *m, uint32_t start)
{
	const char *p = m->text + start;

	if (*p < 'A' || *p > 'Z' || start < 2 || p[-1] != ' ')
		return false;
	for (p -= 2; p > m->text && *p == ' '; p--)
		;
	return strchr(".!?:\n\"*#->", *p) == NULL;
}

void
card_word(struct card_maker *m, const struct word *w)
{
	const struct slot *s;

	if (w->position != m->last_position) {
		m->last_position = w->position;
		if (m->card.n_words < UINT16_MAX)
			m->card.n_words++;
		if (inner_capital(m, w->start) &&
		    !(w->end - w->start == 1 && m->text[w->start] == 'I'))
			count(&m->card.capitals);
		if (w->kind == WORD_NUMBER)
			count(&m->card.numbers);
	}
	if (w->kind == WORD_WHOLE && memchr(m->text + w->start, '_', w->end - w->start) != NULL)
		m->card.flags |= CARD_CODE;
	if (w->len > sizeof(s->term) || (filled[w->hash % N_SLOTS / 64] >> w->hash % 64 & 1) == 0)
		return;
	s = slot_of(w);
	if (s->len == 0)
		return;
	m->seen |= s->class;
	if (s->class & SECOND)
		count(&m->card.second);
	if (s->class & NOW)
		m->now_at = w->position;
	if (s->class & ON && m->now_at != UINT32_MAX && w->position == m->now_at + 1)
		m->card.flags |= CARD_STANDING;
}

static bool
ends_in_question(const char *text, size_t len)
{
	while (len > 0 && strchr(" \t\r\n\"')]*_`", text[len - 1]) != NULL)
		len--;
	return len > 0 &&
	    (text[len - 1] == '?' || (len >= 3 && memcmp(text + len - 3, "\xef\xbc\x9f", 3) == 0));
}

void
card_end(struct card_maker *m)
{
	size_t n = utf8_count(m->text, m->len);

	m->card.n_chars = (uint16_t)MIN(n, UINT16_MAX);
	if (n > UINT16_MAX)
		m->card.flags |= CARD_LONG;
	if (ends_in_question(m->text, m->len))
		m->card.flags |= CARD_QUESTION;
	if (m->seen & WHEN)
		m->card.flags |= CARD_WHEN;
	if (m->seen & STRONG)
		m->card.flags |= CARD_STRONG;
	if ((m->seen & ALWAYS) && (m->seen & ASK))
		m->card.flags |= CARD_STANDING;
	if (m->len >= 8 && strstr(m->text, "://") != NULL)
		m->card.flags |= CARD_LINK;
	if (m->len >= 6 && strstr(m->text, "```") != NULL)
		m->card.flags |= CARD_CODE;
}

void
card_pack(const struct card *c, uint8_t out[CARD_BYTES])
{
	memset(out, 0, CARD_BYTES);
	put_le(out, (uint64_t)c->time_us, 8);
	put_le(out + 8, c->n_words, 2);
	put_le(out + 10, c->n_chars, 2);
	put_le(out + 12, c->speaker, 2);
	put_le(out + 14, c->agent, 2);
	put_le(out + 16, c->project, 2);
	out[18] = c->role;
	out[19] = c->trust;
	put_le(out + 20, c->flags, 2);
	out[23] = c->second;
	out[24] = c->capitals;
	out[25] = c->numbers;
}

void
card_unpack(const uint8_t in[CARD_BYTES], struct card *c)
{
	*c = (struct card){
		.time_us = (int64_t)get_le64(in),
		.n_words = (uint16_t)get_le16(in + 8),
		.n_chars = (uint16_t)get_le16(in + 10),
		.speaker = (uint16_t)get_le16(in + 12),
		.agent = (uint16_t)get_le16(in + 14),
		.project = (uint16_t)get_le16(in + 16),
		.role = in[18],
		.trust = in[19],
		.flags = (uint16_t)get_le16(in + 20),
		.second = in[23],
		.capitals = in[24],
		.numbers = in[25],
	};
}
