/*
 * tokenize.c: our tokenizers as a filter, for tests/bench/tokenizers.py.
 *
 *	tokenize wordpiece VOCAB <TEXTS >IDS
 *	tokenize unigram PIECES <TEXTS >IDS
 *
 * TEXTS: each a 32-bit length and its bytes. IDS: for each text a 32-bit count and the ids. PIECES:
 * n first last unknown pad (32 bits each), n float32 scores, then n names with a NUL behind each.
 * Says on standard error what building and encoding took.
 */
#include "base/alloc.h"
#include "base/clock.h"
#include "model/tokenizer.h"

static void
die(const char *what)
{
	fprintf(stderr, "tokenize: %s\n", what);
	exit(1);
}

static void
read_all(FILE *f, struct buf *b)
{
	char part[65536];
	size_t n;

	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(b, part, n);
}

static int
build_unigram(const struct buf *in, struct buf *out, struct err *err)
{
	struct unigram_source from;
	const uint32_t *head = (const void *)in->data;
	const char **names, *p;
	int rc;

	if (in->len < 20)
		die("no pieces");
	from = (struct unigram_source){ .n_pieces = head[0],
		.first = head[1],
		.last = head[2],
		.unknown = head[3],
		.pad = head[4] };
	from.scores = (const float *)(head + 5);
	names = xreallocarray(NULL, from.n_pieces, sizeof(*names));
	p = (const char *)(from.scores + from.n_pieces);
	for (uint32_t i = 0; i < from.n_pieces; i++, p += strlen(p) + 1)
		names[i] = p;
	from.pieces = names;
	rc = unigram_build(&from, out, err);
	free(names);
	return rc;
}

int
main(int argc, char **argv)
{
	struct buf source, section, texts;
	struct token_list ids = { 0 };
	struct tokenizer t;
	struct err err = ERR_INIT;
	bool wordpiece = argc == 3 && strcmp(argv[1], "wordpiece") == 0;
	FILE *f = argc == 3 ? fopen(argv[2], "rb") : NULL;
	int64_t spent = 0, start = clock_mono_us();
	size_t n_ids = 0, n_bytes = 0;

	if (f == NULL || (!wordpiece && strcmp(argv[1], "unigram") != 0))
		die("usage: tokenize wordpiece|unigram FILE");
	buf_init(&source, 1 << 30);
	buf_init(&section, 1 << 30);
	buf_init(&texts, SIZE_MAX / 2);
	read_all(f, &source);
	read_all(stdin, &texts);
	if ((wordpiece ? wordpiece_build(source.data, source.len, &section, &err)
		       : build_unigram(&source, &section, &err)) != 0 ||
	    tokenizer_open(&t, wordpiece ? TOKENIZER_WORDPIECE : TOKENIZER_UNIGRAM, section.data,
		section.len, UINT32_MAX, &err) != 0)
		die(err.msg);
	fprintf(stderr, "%s: section of %zu bytes built in %lld ms\n", argv[1], section.len,
	    (long long)(clock_mono_us() - start) / 1000);
	for (size_t at = 0; at + 4 <= texts.len; ) {
		uint32_t len, n;

		memcpy(&len, texts.data + at, 4);
		at += 4;
		if (len > texts.len - at)
			die("a text is cut short");
		ids.n = 0;
		start = clock_mono_us();
		tokenizer_encode(&t, texts.data + at, len, &ids);
		spent += clock_mono_us() - start;
		at += len;
		n = (uint32_t)ids.n;
		n_ids += n;
		n_bytes += len;
		fwrite(&n, 4, 1, stdout);
		fwrite(ids.ids, 4, n, stdout);
	}
	fprintf(stderr, "%s: %zu ids, %zu bytes in %.1f ms: %.1f M ids/s, %.1f MB/s\n", argv[1],
	    n_ids, n_bytes, (double)spent / 1000, (double)n_ids / (double)spent,
	    (double)n_bytes / (double)spent);
	free(ids.ids);
	buf_release(&source);
	buf_release(&section);
	buf_release(&texts);
	fclose(f);
	return 0;
}
