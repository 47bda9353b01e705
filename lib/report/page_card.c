/*
 * page_card.c: a picture for a profile page: one number, where it came from, the year, the longest
 * session. It names the user and the programs that mem knows, and shows no other name and no text.
 */
#include "base/embedded.h"
#include "hook/host.h"
#include "ingest/ingest_from.h"
#include "report/html_page.h"
#include "report/page.h"

#define WIDTH   800
#define HEIGHT  400
#define LEFT    40
#define SOURCES_HEIGHT 56          /* of the bar of programs, where any is known */
#define INSIDE  (WIDTH - 2 * LEFT)
#define STEP    13.6               /* from a day to the next */
#define LETTER  8.7                /* about the width of one at 15 pixels */
#define ELSEWHERE "elsewhere"
#define SOURCES 4                  /* that have a colour; the rest is one more */

/* ---- where it came from ---- */

struct source { const char *name; int64_t n; };

/* Whether it is a program that mem can read or answer, and no name that somebody gave. */
static bool
is_known(const char *name, const struct buf *formats, struct arena *a)
{
	return host_find(name) != NULL ||
	    strstr(formats->data, arena_printf(a, "\n%s\n", name)) != NULL;
}

/* The programs with most turns, and behind them, where there are others, all of these as one. */
static size_t
read_sources(struct page *p, int64_t n_all, struct source out[SOURCES + 1])
{
	size_t n = 0;
	LOCAL(buf) formats = buf_of(4096);

	buf_addc(&formats, '\n');
	from_names(&formats, "\n");
	buf_addc(&formats, '\n');
	for (size_t i = 0; i < p->programs.n && n < SOURCES; i++) {
		const struct share *v = &p->programs.rows[i];
		const struct host *h = host_find(v->name);

		if (!is_known(v->name, &formats, &p->arena))
			continue;
		out[n++] = (struct source){ h != NULL ? h->title : v->name, v->n };
		n_all -= v->n;
	}
	if (n > 0 && n_all > 0)
		out[n++] = (struct source){ ELSEWHERE, n_all };
	return n;
}

static void
put_sources(struct buf *out, const struct source *v, size_t n)
{
	double sum = 0, x = LEFT, label = LEFT;
	char share[16];

	for (size_t i = 0; i < n; i++)
		sum += (double)v[i].n;
	buf_addf(out,
	    "<clipPath id=\"c\"><rect x=\"%d\" y=\"186\" width=\"%d\" height=\"12\" rx=\"6\"/>"
	    "</clipPath>\n", LEFT, INSIDE);
	for (size_t i = 0; i < n; i++) {
		double width = (double)v[i].n / sum * INSIDE;
		size_t colour = strcmp(v[i].name, ELSEWHERE) == 0 ? SOURCES : i;

		snprintf(share, sizeof(share), "%.0f%%", 100 * (double)v[i].n / sum);
		buf_addf(out,
		    "<rect class=\"c%zu\" clip-path=\"url(#c)\" x=\"%.1f\" y=\"186\" "
		    "width=\"%.1f\" height=\"12\"/>"
		    "<circle class=\"c%zu\" cx=\"%.0f\" cy=\"220\" r=\"5\"/>"
		    "<text x=\"%.0f\" y=\"225\"><tspan class=\"v\">%s</tspan> ",
		    colour, x, MAX(width - 2, 1), colour, label + 5, label + 16, share);
		page_text(out, v[i].name);
		buf_adds(out, "</text>\n");
		x += width;
		label += 44 + LETTER * (double)(strlen(share) + strlen(v[i].name));
	}
}

/* ---- all of it ---- */

static void
put_head(struct buf *out, const struct page *p, const struct scope *who)
{
	int64_t oldest = TIME_NONE;

	for (size_t i = 0; i < p->n_lines; i++)
		if (strcmp(p->lines[i].name, "messages.oldest") == 0)
			oldest = p->lines[i].time_us;
	buf_addf(out,
	    "<text class=\"w\" x=\"%d\" y=\"46\"><tspan class=\"m\">mem</tspan> remembers", LEFT);
	if (strcmp(who->user, "default") != 0) {
		buf_adds(out, " for ");
		page_text(out, who->user);
	}
	buf_addf(out, "</text>\n<text class=\"n\" x=\"%d\" y=\"131\">", LEFT - 4);
	buf_add_count(out, (int64_t)page_figure(p, "messages"));
	buf_addf(out, "</text>\n<text class=\"w\" x=\"%d\" y=\"165\">turn%s of ", LEFT,
	    page_figure(p, "messages") == 1 ? "" : "s");
	page_some(out, p->n_sessions_all, "session");
	if (oldest != TIME_NONE) {
		buf_adds(out, " since ");
		page_month(out, oldest);
	}
	buf_adds(out, "</text>\n");
}

/* A figure at the right of the large one. */
static void
put_beside(struct buf *out, int y, int64_t n, const char *one, const char *what, int64_t time_us)
{
	buf_addf(out, "<text class=\"v w\" x=\"%d\" y=\"%d\" text-anchor=\"end\">",
	    WIDTH - LEFT, y);
	page_some(out, n, one);
	buf_addf(out, "</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s", WIDTH - LEFT,
	    y + 20, what);
	if (time_us != TIME_NONE) {
		buf_adds(out, ", ");
		page_month(out, time_us);
	}
	buf_adds(out, "</text>\n");
}

int
html_card_write(struct store *s, const struct scope *who, struct buf *out, struct err *err)
{
	LOCAL(page) p = { .n_lines = 0 };
	struct source sources[SOURCES + 1];
	int64_t n_days = 0;
	int height;

	if (page_read(&p, s, who, TIME_NONE, false, err) < 0)
		return -1;
	size_t n = read_sources(&p, (int64_t)page_figure(&p, "messages"), sources);
	height = n > 0 ? HEIGHT : HEIGHT - SOURCES_HEIGHT;
	buf_addf(out,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
	    "viewBox=\"0 0 %d %d\" role=\"img\">\n<title>What mem remembers</title>\n",
	    WIDTH, height, WIDTH, height);
	buf_addf(out, "<style>\n%s</style>\n", embedded_find("schema/page/card.css")->text);
	buf_addf(out,
	    "<rect class=\"p\" x=\".5\" y=\".5\" width=\"%d\" height=\"%d\" rx=\"14\"/>\n",
	    WIDTH - 1, height - 1);
	put_head(out, &p, who);
	for (int i = 0; i < PAGE_DAYS; i++)
		n_days += p.year[i] > 0;
	put_beside(out, 74, n_days, "day", "of the last year", TIME_NONE);
	if (p.longest > 0)
		put_beside(out, 138, p.longest, "turn", "the longest thread", p.longest_us);
	put_sources(out, sources, n);
	buf_addf(out, "<g class=\"year\" transform=\"translate(%d %d)\">\n", LEFT,
	    height - 128);
	page_year(out, &p, STEP, false);
	buf_adds(out, "</g>\n");
	buf_adds(out, "</svg>\n");
	return 0;
}
