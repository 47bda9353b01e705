/*
 * chunk_test.c: cutting messages. A chunk is written as [text] or, when it is code,
 * {language|text}, with / for a line's end.
 */
#include "tap.h"

#include "base/base.h"
#include "base/utf8.h"
#include "text/chunk.h"
#include "text/tokens.h"

struct list {
	const char *from;
	char text[2000];
	size_t len, n;
};

static int
list_chunk(void *arg, const struct chunk *c)
{
	struct list *l = arg;

	l->n++;
	l->len += (size_t)snprintf(l->text + l->len, sizeof(l->text) - l->len,
	    c->kind == CHUNK_CODE ? "{%s|%.*s}" : "[%s%.*s]", c->language, (int)c->len,
	    l->from + c->start);
	for (char *p = l->text; *p; p++)
		if (*p == '\n')
			*p = '/';
	return 0;
}

static const struct { const char *text, *want;
} cases[] = {
	{ "", "" },
	{ " \n\n\t\n", "" },
	{ "one line", "[one line]" },
	{ "\n  a\n\nb \n", "[a//b]" },
	{ "before\n```python\nx = 1\n\ny\n```\nafter",
	    "[before]{python|```python/x = 1//y/```}[after]" },
	{ "```\nno language\n```", "{|```/no language/```}" },
	{ "~~~ C++ extra\ncode\n~~~\n", "{c++|~~~ C++ extra/code/~~~}" },
	{ "```sh\nnever closed\n\ntext", "{sh|```sh/never closed//text}" },
	{ "````\n```\n````\nx", "{|````/```/````}[x]" }, /* a shorter fence inside */
	/* one indented by more than three beyond the first is code */
	{ "```\na\n    ```\nb\n```\nx", "{|```/a/    ```/b/```}[x]" },
	{ "```\n~~~\n```\nx", "{|```/~~~/```}[x]" }, /* another kind inside */
	{ "```\na\n``` b\n```\nx", "{|```/a/``` b/```}[x]" }, /* a closing fence has no info */
	{ "a ``` b\n``` `inline` ```\nc", "[a ``` b/``` `inline` ```/c]" },
	/* four spaces: indented code, not a fence */
	{ "text\n    ```\n    x\n", "[text/    ```/    x]" },
	{ "- item\n     ```js\n     x\n     ```\n- next",
	    "[- item]{js|```js/     x/     ```}[- next]" },
	{ "a\n```\n```\n```\nb\n```", "[a]{|```/```}{|```/b/```}" },
	{ "a\r\n\r\nb\r\n```c\r\nd\r\n```\r\ne", "[a\r/\r/b]{c|```c\r/d\r/```}[e]" },
	{ "``` "
	  "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
	  "\xc3\xa9\n",
	    "{\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3"
	    "\xa9|``` "
	    "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3"
	    "\xa9\xc3\xa9}" },
};

/* ---- what holds for every text ---- */

struct check {
	const char *text;
	size_t len, at;            /* the end of the last chunk */
	unsigned n, n_bad;
	size_t last_len;
	unsigned last_tokens;
};

static bool
only_space(const char *p, const char *end)
{
	for (; p < end; p++)
		if (*p != ' ' && (*p < '\t' || *p > '\r'))
			return false;
	return true;
}

static int
check_chunk(void *arg, const struct chunk *c)
{
	struct check *k = arg;

	k->n++;
	k->n_bad += c->len == 0 || c->start < k->at || c->start + c->len > k->len;
	k->n_bad += !only_space(k->text + k->at, k->text + c->start);
	k->n_bad += c->n_tokens != tokens_estimate(k->text + c->start, c->len);
	k->n_bad += c->kind == CHUNK_PROSE && c->n_tokens > CHUNK_TOKENS;
	k->n_bad += only_space(k->text + c->start, k->text + c->start + 1) ||
	    only_space(k->text + c->start + c->len - 1, k->text + c->start + c->len);
	k->n_bad += !utf8_valid(k->text + c->start, c->len);
	k->at = c->start + c->len;
	k->last_len = c->len;
	k->last_tokens = c->n_tokens;
	return 0;
}

static unsigned
broken(const char *text, size_t len, struct check *k)
{
	*k = (struct check){ .text = text, .len = len };
	chunk_each(text, len, check_chunk, k);
	return k->n_bad + !only_space(text + k->at, text + len);
}

static char text[40000];

static void
check_random(void)
{
	static const char *const bits[] = { "word ", "sentence. ", "\n", "\n\n", "```\n", "```py\n",
		"~~~\n", "- item ", "\xe4\xb8\xad\xe6\x96\x87", "\xe3\x80\x82", "x", "    ",
		"a long run of words that goes on and on ", "\r\n", "\t", "why? " };
	struct check k;
	unsigned bad = 0, seed = 7, chunks = 0;

	for (unsigned round = 0; round < 1500; round++) {
		size_t len = 0, want = (seed >> 8) % 30000;

		while (len < want) {
			unsigned pick = (seed = seed * 1103515245u + 12345u) >> 16;
			const char *bit =
			    bits[round % 3 && pick % 40 ? pick % 2 * 12 : pick % NELEM(bits)];

			memcpy(text + len, bit, strlen(bit));
			len += strlen(bit);
		}
		bad += broken(text, len, &k);
		chunks += k.n;
	}
	is_int(bad, 0,
	    "1,500 random texts in %u chunks: all of it, in order, once, within the limit", chunks);
}

static void
check_sizes(void)
{
	struct check k;

	memset(text, 'a', sizeof(text));
	is_int(broken(text, 10000, &k), 0, "a word of 10,000 letters");
	is_int(k.n, 5, "is cut at the limit");
	for (size_t i = 0; i < 10000; i++)
		text[i] = i % 10 == 9 ? ' ' : 'a';
	is_int(broken(text, 10000, &k), 0, "a sentence of 1,000 words");
	ok(k.n >= 5 && k.n <= 6, "is cut at spaces");
	for (size_t i = 0; i < 10000; i++)
		text[i] = i % 100 == 98 ? '.' : i % 100 == 99 ? ' ' : 'a';
	is_int(broken(text, 10000, &k), 0, "a paragraph of 100 sentences");
	is_int(k.n, 5, "in five chunks");
	ok(k.last_len % 100 == 99, "each of whole sentences");
	memcpy(text, "```\n", 4);
	is_int(broken(text, 10000, &k), 0, "10,000 bytes of code");
	is_int(k.n, 1, "are one chunk");
	for (size_t i = 0; i < 2400; i++)
		memcpy(text + 3 * i, i % 12 == 11 ? "\xe3\x80\x82" : "\xe4\xb8\xad", 3);
	is_int(broken(text, 7200, &k), 0, "2,400 Chinese characters");
	is_int(k.n, 5, "in five chunks");
	is_int(k.last_tokens, 2400 - 4 * 492, "of whole sentences, 41 of 12 each");
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = "a\n\n"[i % 3];
	is_int(broken(text, sizeof(text), &k), 0, "13,000 paragraphs of one letter");
}

static int
stop_second(void *arg, const struct chunk *c)
{
	(void)c;
	return ++*(int *)arg == 2 ? 42 : 0;
}

int
main(void)
{
	int n = 0;

	for (size_t i = 0; i < NELEM(cases); i++) {
		struct list l = { .from = cases[i].text };

		chunk_each(cases[i].text, strlen(cases[i].text), list_chunk, &l);
		is_str(l.text, cases[i].want, "case %zu", i);
	}
	check_sizes();
	check_random();
	is_int(chunk_each("a\n```\n```\nb", 11, stop_second, &n), 42,
	    "a callback's value is handed on");
	is_int(n, 2, "and no chunk follows");
	return tap_done();
}
