/*
 * tokenizer: the first bytes change a section of a small tokenizer, the rest is the text. The first
 * byte says which kind and how many bytes are changed, each by two bytes of where and one of what;
 * 0 leaves the section whole, and the text must then come out the same in two halves that a space
 * parts.
 */
#include "fuzz.h"

#include "../unit/tokenizing.h"
#include "base/alloc.h"
#include "model/tokenizer.h"

static struct buf section[3];

static void
build(void)
{
	static const struct unigram_source source = {
		TOKENIZING_PIECES,
		tokenizing_pieces,
		tokenizing_scores,
		TOKENIZING_FIRST,
		TOKENIZING_LAST,
		TOKENIZING_UNKNOWN,
		TOKENIZING_PAD,
	};

	for (int kind = 1; kind < 3; kind++)
		buf_init(&section[kind], 1 << 24);
	PROMISE(wordpiece_build(tokenizing_vocab, sizeof(tokenizing_vocab) - 1,
		    &section[TOKENIZER_WORDPIECE], NULL) == 0);
	PROMISE(unigram_build(&source, &section[TOKENIZER_UNIGRAM], NULL) == 0);
}

static void
encode(const struct tokenizer *t, const char *text, size_t len, struct token_list *out)
{
	tokenizer_encode(t, text, len, out);
	for (size_t i = 0; i < out->n; i++)
		PROMISE(out->ids[i] < t->n_ids);
}

/* The text before and after the space at its middle, each alone, against both in one. */
static void
in_halves(const struct tokenizer *t, char *text, size_t len)
{
	struct token_list whole = { 0 }, parts = { 0 };

	if (len > 0) {
		text[len / 2] = ' ';
		encode(t, text, len, &whole);
		encode(t, text, len / 2, &parts);
		encode(t, text + len / 2, len - len / 2, &parts);
		PROMISE(whole.n == parts.n &&
		    (whole.n == 0 ||
			memcmp(whole.ids, parts.ids, whole.n * sizeof(*whole.ids)) == 0));
	}
	free(whole.ids);
	free(parts.ids);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct token_list out = { 0 };
	struct tokenizer t;
	size_t n_changes, kind;

	if (section[1].data == NULL)
		build();
	if (size < 1 || size < 1 + 3 * (size_t)(data[0] >> 1))
		return 0;
	kind = 1 + (data[0] & 1);
	n_changes = data[0] >> 1;
	char *copy = xmemdup(section[kind].data, section[kind].len);
	char *text = text_of(data + 1 + 3 * n_changes, size - 1 - 3 * n_changes, 0);
	size_t len = size - 1 - 3 * n_changes;
	for (size_t i = 0; i < n_changes; i++)
		copy[(data[1 + 3 * i] | (size_t)data[2 + 3 * i] << 8) % section[kind].len] =
		    (char)data[3 + 3 * i];
	if (tokenizer_open(&t, (enum tokenizer_kind)kind, copy, section[kind].len, 1000, NULL) ==
	    0) {
		encode(&t, text, len, &out);
		if (n_changes == 0)
			in_halves(&t, text, len);
	} else {
		PROMISE(n_changes > 0);
	}
	free(out.ids);
	free(text);
	free(copy);
	return 0;
}
