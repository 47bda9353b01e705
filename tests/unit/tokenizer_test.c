/*
 * tokenizer_test.c: both tokenizers on a small vocabulary against what the references make of the
 * same texts (tokenizing.h), long and bad texts, and sections that are refused or damaged.
 */
#include <math.h>

#include "base/alloc.h"
#include "model/tokenizer.h"

#include "tap.h"
#include "tokenizing.h"

static const struct unigram_source source = {
	TOKENIZING_PIECES,
	tokenizing_pieces,
	tokenizing_scores,
	TOKENIZING_FIRST,
	TOKENIZING_LAST,
	TOKENIZING_UNKNOWN,
	TOKENIZING_PAD,
};

static struct buf section[3];              /* by kind */
static struct tokenizer tokenizer[3];

static void
build(void)
{
	struct err err = ERR_INIT;

	for (int kind = 1; kind < 3; kind++)
		buf_init(&section[kind], 1 << 24);
	ok(wordpiece_build(tokenizing_vocab, sizeof(tokenizing_vocab) - 1,
	       &section[TOKENIZER_WORDPIECE], &err) == 0,
	    "the vocabulary is built %s", err.msg);
	ok(unigram_build(&source, &section[TOKENIZER_UNIGRAM], &err) == 0,
	    "the pieces are built %s", err.msg);
	for (int kind = 1; kind < 3; kind++)
		ok(tokenizer_open(&tokenizer[kind], kind, section[kind].data, section[kind].len,
		       1000, &err) == 0,
		    "and opened %s", err.msg);
	is_int(tokenizer[1].first, 2, "[CLS]");
	is_int(tokenizer[1].last, 3, "[SEP]");
	is_int(tokenizer[1].unknown, 1, "[UNK]");
	is_int(tokenizer[2].last, TOKENIZING_LAST, "</s>");
	is_int(tokenizer[2].n_ids, TOKENIZING_PIECES, "as many ids as pieces");
}

static void
golden(const struct tokenizer *t, const struct tokenizing_case *cases, size_t n)
{
	struct token_list out = { 0 };

	for (size_t i = 0; i < n; i++) {
		const struct tokenizing_case *c = &cases[i];
		/* of its very size, for the sanitizers */
		char *text = xmalloc(c->len + (c->len == 0));

		memcpy(text, c->text, c->len);
		out.n = 0;
		tokenizer_encode(t, text, c->len, &out);
		bool same = out.n == c->n &&
		    (c->n == 0 || memcmp(out.ids, c->ids, c->n * sizeof(*c->ids)) == 0);
		if (!ok(same, "case %zu: %zu bytes, %u ids", i, c->len, c->n))
			for (size_t j = 0; j < out.n; j++)
				tap_note("got %u", out.ids[j]);
		free(text);
	}
	free(out.ids);
}

/* The ids of text as a list of numbers. */
static const char *
ids(const struct tokenizer *t, const char *text, size_t len)
{
	static char s[1000];
	struct token_list out = { 0 };
	size_t n = 0;

	s[0] = '\0';
	tokenizer_encode(t, text, len, &out);
	for (size_t i = 0; i < out.n && n < sizeof(s) - 20; i++)
		n += (size_t)snprintf(s + n, sizeof(s) - n, "%s%u", i > 0 ? " " : "", out.ids[i]);
	free(out.ids);
	return s;
}

/* Bad UTF-8 is U+FFFD byte by byte: nothing for WordPiece, a space for unigram. */
static void
bad_text(void)
{
	static const struct { const char *text; size_t len; } cases[] = {
		{ "a\xff" "b", 3 }, { "a\xc3", 2 }, { "\xe4\xb8", 2 }, { "a\xed\xa0\x80" "b", 5 }, { "a\xf4\x90\x80\x80", 5 }, { "\xc0\x80" "b", 3 }, { "\x80\x80\x80", 3 },
		{ "\xe0\x80\x80", 3 }, { "\xf0\x9f\x98", 3 },
	};
	static const char *const wordpiece[] = { "28 55", "28", "", "28 55", "28", "29", "", "",
		"" };
	static const char *const unigram[] = { "6 9 6 10", "6 9", "", "6 9 6 10", "6 9", "6 10", "",
		"", "" };

	is_str(ids(&tokenizer[1], "ab", 2), "28 55", "a and ##b");
	for (size_t i = 0; i < NELEM(cases); i++) {
		is_str(ids(&tokenizer[1], cases[i].text, cases[i].len), wordpiece[i],
		    "WordPiece of bad UTF-8 %zu", i);
		is_str(ids(&tokenizer[2], cases[i].text, cases[i].len), unigram[i],
		    "unigram of bad UTF-8 %zu", i);
	}
}

/* A million bytes without a space, of n bytes s over and over. */
static char *
repeated(const char *s, size_t n)
{
	char *text = xmalloc(1000000);

	for (size_t i = 0; i < 1000000; i++)
		text[i] = s[i % n];
	return text;
}

static void
long_texts(void)
{
	struct token_list out = { 0 };
	char *text = repeated("a", 1);
	bool fours = true;

	tokenizer_encode(&tokenizer[1], text, 1000000, &out);
	is_int(out.n, 1, "a word of a million letters is one token");
	is_int(out.ids[0], tokenizer[1].unknown, "the unknown one");
	out.n = 0;
	tokenizer_encode(&tokenizer[2], text, 1000000, &out);
	is_int(out.n, 250001, "or a mark and 250,000 pieces aaaa");
	for (size_t i = 1; i < out.n; i++)
		fours = fours && strcmp(tokenizing_pieces[out.ids[i]], "aaaa") == 0;
	ok(fours, "which they are");
	free(text);

	text = repeated("\xf0\x9f\x98\x81", 4);
	out.n = 0;
	tokenizer_encode(&tokenizer[2], text, 1000000, &out);
	is_int(out.n, 2, "250,000 unknown characters are one token behind the mark");
	free(text);

	/* U+FDFA: 18 characters of 3 bytes */
	text = repeated("\xef\xb7\xba", 3);
	out.n = 0;
	tokenizer_encode(&tokenizer[2], text, 999999, &out);
	is_int(out.n, 1 + 333333 * 7, "a third of a million U+FDFA");
	out.n = 0;
	tokenizer_encode(&tokenizer[1], text, 999999, &out);
	is_int(out.n, 1, "for WordPiece one word");
	free(text);

	text = repeated("e\xcc\x81", 3);
	out.n = 0;
	tokenizer_encode(&tokenizer[2], text, 999999, &out);
	is_int(out.n, 1 + 333333, "e and an accent, composed each time");
	free(text);

	text = repeated("\x01\xcc\x81", 3);
	out.n = 0;
	tokenizer_encode(&tokenizer[1], text, 999999, &out);
	is_int(out.n, 0, "controls and accents alone are nothing");
	free(text);
	free(out.ids);
}

/* Lengths around what lies on the stack: as the same text cut in two words. */
static void
growing(void)
{
	struct token_list out = { 0 };
	char text[1200];
	bool right = true;

	for (size_t n = 500; n < 1200; n++) {
		memset(text, 'a', n);
		out.n = 0;
		tokenizer_encode(&tokenizer[2], text, n, &out);
		right = right && out.n == 1 + n / 4 + n % 4;
	}
	ok(right, "words of 500 to 1,200 letters");
	free(out.ids);
}

static void
appends(void)
{
	struct token_list out = { 0 };

	tokenizer_encode(&tokenizer[1], "a", 1, &out);
	tokenizer_encode(&tokenizer[1], "b", 1, &out);
	ok(out.n == 2 && out.ids[0] == 28 && out.ids[1] == 29,
	    "ids are added to those that are there");
	free(out.ids);
}

static void
refused(void)
{
	static const struct { const char *vocab, *why; } cases[] = {
		{ "", "nothing" }, { "[UNK]\n[CLS]\na\n", "no [SEP]" }, { "[UNK]\n[SEP]\na\n", "no [CLS]" }, { "[CLS]\n[SEP]\na\n", "no [UNK]" },
		{ "[UNK]\n[CLS]\n[SEP]\na\nb\na\n", "a token twice" }, { "[UNK]\n[CLS]\n[SEP]\n[SEP]\n", "[SEP] twice" },
	};
	struct unigram_source from = source;
	struct err err = ERR_INIT;
	float scores[TOKENIZING_PIECES];
	const char *pieces[TOKENIZING_PIECES];
	struct buf b;

	buf_init(&b, 1 << 20);
	for (size_t i = 0; i < NELEM(cases); i++) {
		err_clear(&err);
		ok(wordpiece_build(cases[i].vocab, strlen(cases[i].vocab), &b, &err) == -1 &&
			err.code == ERR_DATA,
		    "%s: %s", cases[i].why, err.msg);
	}
	ok(wordpiece_build("[UNK]\n[CLS]\n[SEP]\na\0b\n", 21, &b, &err) == -1, "a NUL in a token");
	char *long_line = xmalloc(5000);
	memset(long_line, 'x', 5000);
	ok(wordpiece_build(long_line, 5000, &b, &err) == -1, "a token of 5,000 bytes");
	free(long_line);
	from.unknown = TOKENIZING_PIECES;
	ok(unigram_build(&from, &b, &err) == -1 && err.code == ERR_DATA,
	    "a control symbol beyond the pieces");
	from = source;
	memcpy(scores, tokenizing_scores, sizeof(scores));
	scores[9] = NAN;
	from.scores = scores;
	ok(unigram_build(&from, &b, &err) == -1, "a score that is no number");
	from = source;
	memcpy(pieces, tokenizing_pieces, sizeof(pieces));
	pieces[9] = pieces[10];
	from.pieces = pieces;
	ok(unigram_build(&from, &b, &err) == -1, "a piece twice");
	pieces[9] = "";
	ok(unigram_build(&from, &b, &err) == -1, "an empty piece");
	buf_release(&b);
	buf_init(&b, 500);
	err_clear(&err);
	ok(unigram_build(&source, &b, &err) == -1 && err.code == ERR_DATA,
	    "no room for the section");
	buf_release(&b);
}

/* Lines may end in CR LF, may be empty, the last need not end; the ids count all of them. */
static void
vocabulary_lines(void)
{
	static const char vocab[] = "[UNK]\r\n\r\n[CLS]\r\n[SEP] \r\n\r\nab\r\n##c";
	struct err err = ERR_INIT;
	struct tokenizer t;
	struct buf b;

	buf_init(&b, 1 << 20);
	ok(wordpiece_build(vocab, sizeof(vocab) - 1, &b, &err) == 0, "CR LF and empty lines %s",
	    err.msg);
	ok(tokenizer_open(&t, TOKENIZER_WORDPIECE, b.data, b.len, 7, &err) == 0,
	    "as many ids as lines");
	is_str(ids(&t, "abc ab c", 8), "5 6 5 0", "the numbers of lines");
	ok(tokenizer_open(&t, TOKENIZER_WORDPIECE, b.data, b.len, 6, &err) == -1 &&
		err.code == ERR_DATA,
	    "more ids than the model has: %s", err.msg);
	buf_release(&b);
}

static void
cut_short(enum tokenizer_kind kind)
{
	const struct buf *b = &section[kind];
	struct tokenizer t;
	struct err err = ERR_INIT;
	bool all = true;

	for (size_t n = 0; n < b->len; n++) {
		void *part = xmemdup(b->data, n + (n == 0));

		all = all && tokenizer_open(&t, kind, part, n, 1000, &err) == -1 &&
		    err.code == ERR_DATA;
		free(part);
	}
	ok(all, "kind %d cut short anywhere is refused", kind);
	ok(tokenizer_open(&t, 3 - kind, b->data, b->len, 1000, &err) == -1,
	    "as the other kind, too");
}

/* Sections with bytes changed: refused, or every id that comes out is below n_ids. */
static void
damaged(enum tokenizer_kind kind, const struct tokenizing_case *cases, size_t n_cases)
{
	const struct buf *b = &section[kind];
	uint32_t seed = 1, n_open = 0;
	struct token_list out = { 0 };
	struct tokenizer t;
	bool within = true;

	for (int round = 0; round < 3000; round++) {
		uint8_t *copy = xmemdup(b->data, b->len);

		for (int n = 1 << (round % 10); n > 0; n--) {
			seed = seed * 1664525 + 1013904223;
			/*
			 * Half of the changes fall on the head and the first units, which all walks
			 * pass.
			 */
			size_t at = seed >> 31 ? (seed >> 8) % b->len : 8 + (seed >> 8) % 400;
			copy[at] = (uint8_t)(seed >> 20);
		}
		if (tokenizer_open(&t, kind, copy, b->len, 1000, NULL) == 0) {
			n_open++;
			for (size_t i = 0; i < n_cases; i++) {
				out.n = 0;
				tokenizer_encode(&t, cases[i].text, cases[i].len, &out);
				for (size_t j = 0; j < out.n; j++)
					within = within && out.ids[j] < t.n_ids && t.n_ids <= 1000;
			}
		}
		free(copy);
	}
	ok(within && n_open > 300, "kind %d: 3,000 damaged, %u opened, no id out of bounds", kind,
	    n_open);
	free(out.ids);
}

int
main(void)
{
	build();
	golden(&tokenizer[TOKENIZER_WORDPIECE], tokenizing_wordpiece, NELEM(tokenizing_wordpiece));
	golden(&tokenizer[TOKENIZER_UNIGRAM], tokenizing_unigram, NELEM(tokenizing_unigram));
	bad_text();
	long_texts();
	growing();
	appends();
	refused();
	vocabulary_lines();
	cut_short(TOKENIZER_WORDPIECE);
	cut_short(TOKENIZER_UNIGRAM);
	damaged(TOKENIZER_WORDPIECE, tokenizing_wordpiece, NELEM(tokenizing_wordpiece));
	damaged(TOKENIZER_UNIGRAM, tokenizing_unigram, NELEM(tokenizing_unigram));
	for (int kind = 1; kind < 3; kind++)
		buf_release(&section[kind]);
	return tap_done();
}
