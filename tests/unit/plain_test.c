/*
 * plain_test.c: marks of Markdown that go, and signs that are none.
 */
#include "tap.h"

#include <time.h>

#include "statement/plain.h"

static const char *
plain(const char *text)
{
	static struct buf b;

	if (b.data == NULL)
		buf_init(&b, 1000);
	buf_reset(&b);
	plain_add(&b, text, strlen(text));
	return b.data;
}

/* The processor time that a line of n marks takes of which none ends, the least of five. */
static clock_t
time_of(size_t n)
{
	clock_t least = 0;
	struct buf in, out;

	buf_init(&in, 4 * n + 1);
	buf_init(&out, 8 * n + 1);
	for (size_t i = 0; i < n; i++)
		buf_adds(&in, i % 2 == 0 ? "*a " : "[a ");
	for (int i = 0; i < 5; i++) {
		clock_t start = clock();

		buf_reset(&out);
		plain_add(&out, in.data, in.len);
		least = i == 0 ? clock() - start : MIN(least, clock() - start);
	}
	buf_release(&in);
	buf_release(&out);
	return least;
}

int
main(void)
{
	is_str(plain("We **decided:**\n*The kiln stays.*"), "We decided: The kiln stays.",
	    "bold and italic words are words");
	is_str(plain("## Kiln\n- first\n- second [log](https://a.org/x_(1))"),
	    "Kiln; first; second log", "a heading, items and a link are words");
	is_str(plain("`make kiln`"), "make kiln", "code around all is no code");
	is_str(plain("\\> see ([\\#4](https://a.org/4))"), "see (#4)",
	    "what is kept from being a mark is a sign");
	is_str(plain("2 ** 3 is 8, a*b and c*d, use `**kw` of *.c"),
	    "2 ** 3 is 8, a*b and c*d, use `**kw` of *.c", "stars that mark nothing stay");
	is_str(plain("C:\\[new] a[i](x y) [ ] -5"), "C:\\[new] a[i](x y) [ ] -5",
	    "paths, indexes and boxes stay as they are");
	is_str(plain("这是**重点**内容"), "这是重点内容", "bold words need no blanks in Chinese");
	is_str(plain("f(*args, **kwargs) has char **argv, **pp and **/x.c of a/**/b"),
	    "f(*args, **kwargs) has char **argv, **pp and **/x.c of a/**/b",
	    "stars of arguments, pointers and globs stay");
	is_str(plain("2**3**4, p < 0.01** and a[i](x), f[0](y)"),
	    "2**3**4, p < 0.01** and a[i](x), f[0](y)", "powers, footnotes and calls stay");
	is_str(plain("**the *kiln* stays** at **5** bars, **fired again"),
	    "the kiln stays at 5 bars, **fired again", "bold words in bold words are words");
	is_str(plain("> 5 is needed"), "> 5 is needed", "what is more than a number is no quote");
	is_str(plain("**"), "**", "nothing but marks stays");
	ok(time_of(40000) < 50 * time_of(4000),
	    "a line of marks takes time with its length, not its square");
	return tap_done();
}
