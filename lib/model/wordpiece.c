/*
 * wordpiece.c: the tokenizer of uncased BERT, as the Python package tokenizers does it
 * (BertNormalizer, BertPreTokenizer, WordPiece).
 *
 * A text is read once. For each code point a table, made from the reference, tells what it adds to
 * the current word: itself, other letters (lower case, without accents, Hangul as jamo), nothing,
 * the end of the word, or a word of its own. A word of at most 100 code points is divided from the
 * left into the longest pieces of the vocabulary; all but the first have names that begin with
 * "##". A word that cannot be divided, or is longer, is one unknown token. A piece "##ing" stands
 * in the trie as it is spelt: no word begins with "##", because # is a word of its own, so inner
 * pieces are searched from the unit after "##".
 */
#include "base/ascii.h"
#include "model/tokenizer_parts.h"
#include "gen/wordpiece.h"

/* What becomes of a code point: the low four bits of its value; above them is its text, from 1. */
enum { LETTER, NOTHING, SPACE, WORD, HANGUL /* its jamo */ };
enum { WORD_CHARS = 100, WORD_BYTES = 4 * WORD_CHARS };

struct word {
	uint32_t n_bytes, n_chars;             /* n_chars goes on counting when bytes is full */
	uint8_t bytes[WORD_BYTES + 4];
};

void
wordpiece_open(struct tokenizer *t)
{
	struct trie trie = tokenizer_trie(t);
	uint32_t at = trie_root(&trie);

	t->count[COUNT_INSIDE] =
	    trie_step(&trie, &at, '#') && trie_step(&trie, &at, '#') ? at : TRIE_LEAF;
}

/* Divides the word into pieces and empties it. */
static void
end_word(const struct tokenizer *t, struct word *w, struct token_list *out)
{
	struct trie trie = tokenizer_trie(t);
	uint32_t n = w->n_bytes, at = trie_root(&trie), seen = 0, end;
	size_t first = out->n;

	if (w->n_chars == 0)
		return;
	token_room(out, n + 1);
	if (w->n_chars > WORD_CHARS)
		seen = n;
	for (uint32_t i = seen; i < n; i = end, at = t->count[COUNT_INSIDE]) {
		uint32_t last = 0, id;

		end = i;
		for (uint32_t j = i; j < n && trie_step(&trie, &at, w->bytes[j]); ) {
			j++;
			if ((at & (TRIE_LEAF | TRIE_VALUE)) != 0) {
				last = at;
				end = j;
			}
		}
		id = end > i ? trie_number(&trie, last) : TRIE_NONE;
		if (id >= t->n_ids)
			break;
		out->ids[out->n++] = id;
		seen = end;
	}
	if (seen < n || w->n_chars > WORD_CHARS) {
		out->n = first;
		out->ids[out->n++] = t->unknown;
	}
	w->n_bytes = w->n_chars = 0;
}

static void
append_byte(struct word *w, uint8_t c)
{
	if (w->n_chars++ < WORD_CHARS)
		w->bytes[w->n_bytes++] = c;
}

static void
append_bytes(struct word *w, const void *s, uint32_t n, uint32_t n_chars)
{
	w->n_chars += n_chars;
	if (w->n_chars > WORD_CHARS)
		return;
	memcpy(w->bytes + w->n_bytes, s, n);
	w->n_bytes += n;
}

static void
append_code_point(struct word *w, uint32_t cp)
{
	char s[4];

	append_bytes(w, s, (uint32_t)utf8_encode(cp, s), 1);
}

static void
append_hangul(struct word *w, uint32_t cp)
{
	uint32_t n = cp - 0xac00;

	append_code_point(w, 0x1100 + n / 588);
	append_code_point(w, 0x1161 + n / 28 % 21);
	if (n % 28 != 0)
		append_code_point(w, 0x11a7 + n % 28);
}

/* Appends what the table gives for a code point. */
static void
append_output(struct word *w, uint32_t number)
{
	const uint8_t *s = wordpiece_pool + wordpiece_at[number];
	uint32_t n = wordpiece_at[number + 1] - wordpiece_at[number];

	append_bytes(w, s, n, (uint32_t)utf8_count((const char *)s, n));
}

/* Handles a code point of two bytes or more; raw is its n bytes in the text. */
static void
append_other(const struct tokenizer *t, struct word *w, uint32_t cp, const char *raw, size_t n,
	struct token_list *out)
{
	uint32_t value = two_stage(wordpiece_index, wordpiece_value, cp), kind = value & 15;

	if (kind == WORD || kind == SPACE)
		end_word(t, w, out);
	if (value > 15)
		append_output(w, value >> 4);
	else if (kind == LETTER || kind == WORD)
		append_bytes(w, raw, (uint32_t)n, 1);
	else if (kind == HANGUL)
		append_hangul(w, cp);
	if (kind == WORD)
		end_word(t, w, out);
}

void
wordpiece_encode(const struct tokenizer *t, const char *text, size_t len, struct token_list *out)
{
	struct word w;

	w.n_bytes = w.n_chars = 0;
	for (const char *p = text, *end = text + len; p < end; ) {
		uint8_t c = (uint8_t)*p;

		if (c >= 0x80) {
			const char *raw = p;
			uint32_t cp;

			p = read_utf8(p, end, &cp);
			append_other(t, &w, cp, raw, (size_t)(p - raw), out);
			continue;
		}
		p++;
		switch (wordpiece_value[c]) {      /* ASCII is the table's first block */
		case LETTER:
			append_byte(&w, c);
			break;
		case NOTHING:
			break;
		case SPACE:
			end_word(t, &w, out);
			break;
		case WORD:
			end_word(t, &w, out);
			append_byte(&w, c);
			end_word(t, &w, out);
			break;
		default:                           /* a capital */
			append_byte(&w, c | 0x20);
		}
	}
	end_word(t, &w, out);
}

/* ---- at conversion ---- */

/* The length of the line without white space at its end. */
static size_t
line_len(const char *s, const char *end)
{
	while (end > s && ascii_is_space(end[-1]))
		end--;
	return (size_t)(end - s);
}

static int
special(uint32_t *id, const char *name, const struct trie_key *k)
{
	if (k->len != strlen(name) || memcmp(k->s, name, k->len) != 0)
		return 0;
	*id = k->number;
	return 1;
}

int
wordpiece_build(const char *vocab, size_t len, struct buf *out, struct err *err)
{
	struct tokenizer_head head = { .magic = TOKENIZER_MAGIC, .kind = TOKENIZER_WORDPIECE };
	FREED struct trie_key *keys = NULL;
	size_t cap = 0, start = out->len;
	uint32_t n = 0;
	int found = 0;

	for (const char *p = vocab, *end = vocab + len, *eol; p < end; p = eol + 1, head.n_ids++) {
		eol = memchr(p, '\n', (size_t)(end - p));
		if (eol == NULL)
			eol = end;
		size_t n_bytes = line_len(p, eol);
		if (n_bytes == 0)
			continue;
		if (n_bytes > TRIE_KEY_BYTES || head.n_ids >= TRIE_NUMBERS)
			return err_set(err, ERR_DATA,
			    "line %u of the vocabulary is too long, or one too many",
			    head.n_ids + 1);
		xgrow(&keys, &cap, n + 1, sizeof(*keys));
		keys[n] = (struct trie_key){ p, (uint32_t)n_bytes, head.n_ids };
		found += special(&head.first, "[CLS]", &keys[n]) +
		    special(&head.last, "[SEP]", &keys[n]) +
		    special(&head.unknown, "[UNK]", &keys[n]);
		n++;
	}
	if (found < 3)
		return err_set(err, ERR_DATA, "the vocabulary lacks [CLS], [SEP] or [UNK]");
	tokenizer_head_add(out, &head);
	if (trie_build(keys, n, out, &head.n_units, err) != 0)
		return -1;
	if (out->full)
		return err_set(err, ERR_DATA, "the vocabulary is too large");
	memcpy(out->data + start, &head, sizeof(head));
	return 0;
}
