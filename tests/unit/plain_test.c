/*
 * plain_test.c: marks of Markdown that go, and signs that are none.
 */
#include "tap.h"

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

int
main(void)
{
	is_str(plain("We **decided: **\n*The kiln stays.*"), "We decided: The kiln stays.",
	    "bold and italic words over two lines are words");
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
	is_str(plain("**"), "**", "nothing but marks stays");
	return tap_done();
}
