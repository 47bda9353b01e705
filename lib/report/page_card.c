/*
 * page_card.c: a picture for a profile page: four figures and the year. It names nobody but the
 * user, and shows no other name and no text.
 */
#include "report/html_page.h"
#include "report/page.h"

#define WIDTH  480
#define HEIGHT 176
#define STEP   8

static void
put_figure(struct buf *out, int x, const char *what, int64_t n, const char *text)
{
	buf_addf(out, "<text class=\"n\" x=\"%d\" y=\"70\">", x);
	if (text != NULL)
		buf_adds(out, text);
	else
		page_count(out, n);
	buf_addf(out, "</text><text x=\"%d\" y=\"87\">%s</text>\n", x, what);
}

int
html_card_write(struct store *s, const struct scope *who, struct buf *out, struct err *err)
{
	struct page p = { .n_lines = 0 };
	char day[TIME_TEXT] = "-";
	int rc = -1;

	if (page_read(&p, s, who, TIME_NONE, false, err) < 0)
		goto out;
	for (size_t i = 0; i < p.n_lines; i++)
		if (strcmp(p.lines[i].name, "messages.oldest") == 0)
			time_format_day(p.lines[i].time_us, day);
	buf_addf(out,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
	    "viewBox=\"0 0 %d %d\" role=\"img\">\n<title>The memory of ",
	    WIDTH, HEIGHT, WIDTH, HEIGHT);
	page_text(out, who->user);
	buf_adds(out,
	    "</title>\n<style>\n"
	    "text { font: 11px system-ui, sans-serif; fill: #5c6a79 }\n"
	    ".t { font-size: 15px; font-weight: 600; fill: #1d2733 }\n"
	    ".n { font-size: 19px; font-weight: 600; fill: #1d2733 }\n"
	    ".p { fill: #fff; stroke: #d9dfe6 }\n"
	    ".l0 { fill: #e8edf2 } .l1 { fill: #b9dcf2 } .l2 { fill: #74b7de } "
	    ".l3 { fill: #3587bd } .l4 { fill: #15557f }\n"
	    "@media (prefers-color-scheme: dark) { text { fill: #93a1b1 } .t, .n { fill: #dfe6ee } "
	    ".p { fill: #1a2129; stroke: #2a333d } .l0 { fill: #232c36 } .l1 { fill: #1b4562 } "
	    ".l2 { fill: #24658f } .l3 { fill: #3c90c7 } .l4 { fill: #86c8f0 } }\n"
	    "</style>\n");
	buf_addf(out,
	    "<rect class=\"p\" x=\".5\" y=\".5\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n"
	    "<text class=\"t\" x=\"28\" y=\"32\">The memory of ",
	    WIDTH - 1, HEIGHT - 1);
	page_text(out, who->user);
	buf_adds(out, "</text>\n");
	put_figure(out, 28, "messages", (int64_t)page_figure(&p, "messages"), NULL);
	put_figure(out, 138, "sessions", p.n_sessions_all, NULL);
	put_figure(out, 248, "facts", (int64_t)page_figure(&p, "facts"), NULL);
	put_figure(out, 340, "since", 0, day);
	buf_adds(out, "<g transform=\"translate(28 103)\">\n");
	page_year(out, &p, STEP, false);
	buf_adds(out, "</g>\n</svg>\n");
	rc = 0;
out:
	page_release(&p);
	return rc;
}
