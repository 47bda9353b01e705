/*
 * page_charts.c: bars, which are boxes of a share of their row's width, so that they fit any
 * window; and columns of days, which are drawn.
 */
#include "report/page.h"

#define DAYS_MOST   92
#define DAYS_WIDTH  600
#define DAYS_HEIGHT 90

static void
put_bar(struct buf *out, const char *name, const char *shown, int64_t n, int64_t most, char kind,
	size_t row)
{
	bool leads = kind != '\0' && row < PAGE_NAMES;

	if (leads)
		buf_addf(out, "<a class=\"bar\" href=\"#sessions\" data-k=\"%c%zu\" title=\"", kind,
		    row);
	else
		buf_adds(out, "<div class=\"bar\" title=\"");
	page_text(out, name);
	buf_adds(out, "\"><span>");
	page_text(out, shown);
	buf_adds(out, "</span><b>");
	buf_add_count(out, n);
	buf_addf(out, "</b><svg><rect width=\"%.1f%%\" height=\"100%%\" rx=\"2\"/></svg></%s>\n",
	    100 * (double)n / (double)most, leads ? "a" : "div");
}

void
page_shares(struct buf *out, const char *id, const char *title, const struct shares *t,
	char kind)
{
	int64_t rest = 0, most;
	size_t shown = MIN(t->n, (size_t)PAGE_NAMES);

	if (t->n == 0)
		return;
	for (size_t i = shown; i < t->n; i++)
		rest += t->rows[i].n;
	most = MAX(t->rows[0].n, 1);
	buf_addf(out, "<section id=\"%s\">\n<h2>%s</h2>\n<div>\n", id, title);
	for (size_t i = 0; i < shown; i++)
		put_bar(out, t->rows[i].name, page_name(t, i), t->rows[i].n, most,
		    t->rows[i].key < 0 ? '\0' : kind, i);
	if (rest > 0) {
		/* of people the rest comes as one row */
		if (t->rows[PAGE_NAMES].key < 0)
			buf_adds(out, "<div class=\"bar soft\"><span>others</span><b>");
		else
			buf_addf(out, "<div class=\"bar soft\"><span>%zu more</span><b>",
			    t->n - PAGE_NAMES);
		buf_add_count(out, rest);
		buf_adds(out, "</b></div>\n");
	}
	buf_adds(out, "</div>\n</section>\n");
}

static double
day_value(const struct page_day *d, enum page_of of)
{
	switch (of) {
	case PAGE_SEARCHES: return (double)d->searches;
	case PAGE_TOKENS: return (double)d->tokens;
	default: return (double)d->calls;
	}
}

void
page_days(struct buf *out, const struct page *p, const char *title, enum page_of of)
{
	size_t first = p->n_days, last = 0;
	double most = 0, width;
	char day[TIME_TEXT];

	for (size_t i = 0; i < p->n_days; i++)
		if (day_value(&p->days[i], of) > 0) {
			first = MIN(first, i);
			last = i;
			most = MAX(most, day_value(&p->days[i], of));
		}
	if (first >= last)
		return;
	while (p->days[last].day - p->days[first].day >= DAYS_MOST)
		first++;
	int64_t n = p->days[last].day - p->days[first].day + 1;
	width = MIN((double)DAYS_WIDTH / (double)n, 40);
	buf_addf(out,
	    "<h3>%s</h3>\n<div class=\"days\"><svg role=\"img\" aria-label=\"%s\" "
	    "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
	    "<text x=\"0\" y=\"10\">%.6g</text>\n",
	    title, title, DAYS_WIDTH, DAYS_HEIGHT + 32, DAYS_WIDTH, DAYS_HEIGHT + 32, most);
	for (size_t i = first; i <= last; i++) {
		double v = day_value(&p->days[i], of), h = v / most * DAYS_HEIGHT;

		if (v > 0)
			buf_addf(out,
			    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">"
			    "<title>%s: %.6g</title></rect>\n",
			    (double)(p->days[i].day - p->days[first].day) * width,
			    16 + DAYS_HEIGHT - h, MAX(width - 2, .5), h,
			    time_format_day(p->days[i].day * US_PER_DAY, day), v);
	}
	buf_addf(out, "<text x=\"0\" y=\"%d\">%s</text>", DAYS_HEIGHT + 29,
	    time_format_day(p->days[first].day * US_PER_DAY, day));
	buf_addf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"end\">%s</text>",
	    MAX((double)n * width, 140), DAYS_HEIGHT + 29,
	    time_format_day(p->days[last].day * US_PER_DAY, day));
	buf_adds(out, "\n</svg></div>\n");
}
