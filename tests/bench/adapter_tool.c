/*
 * adapter_tool.c: the tokens of questions or turns, for tests/bench/adapter.py.
 *
 *	adapter_tool MODEL questions|turns <TEXTS >IDS
 *
 * TEXTS: one a line. IDS: a line of token ids for each, with the prefix of questions or passages
 * and the special tokens at both ends.
 */
#include "base/buf.h"
#include "model/modelfile.h"

#define IDS_MOST 128

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct token_list l = { NULL, 0, 0 };
	struct modelfile m;
	struct buf text;
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	if (argc != 3 || modelfile_open(&m, argv[1], &err) != 0) {
		fprintf(stderr, "adapter_tool: %s\n",
		    argc != 3 ? "a model, and questions or turns" : err.msg);
		return 1;
	}
	buf_init(&text, 1u << 24);
	while ((len = getline(&line, &cap, stdin)) > 0) {
		len -= line[len - 1] == '\n';
		buf_reset(&text);
		buf_adds(&text,
		    strcmp(argv[2], "turns") == 0 ? m.info.passage_prefix : m.info.query_prefix);
		buf_add(&text, line, (size_t)len);
		l.n = 0;
		tokenizer_encode(&m.tokenizer, text.data, text.len, &l);
		printf("%u", m.tokenizer.first);
		for (size_t i = 0; i < l.n && i < IDS_MOST - 2; i++)
			printf(" %u", l.ids[i]);
		printf(" %u\n", m.tokenizer.last);
	}
	buf_release(&text);
	free(line);
	free(l.ids);
	modelfile_close(&m);
	return 0;
}
