/*
 * page_charts.c: bars, which are boxes of a share of their row's width, so that they fit any
 * window; and columns of days, which are drawn.
 */
#include <math.h>

#include "report/page.h"

#define DAYS_MOST   92
#define DAYS_WIDTH  600
#define DAYS_HEIGHT 90

void
page_value(struct buf *b, const struct page_line *l)
{
	char time[TIME_TEXT];

	if (strcmp(l->unit, "time") == 0)
		buf_adds(b, l->time_us == TIME_NONE ? "-" : time_format_second(l->time_us, time));
	else if (isnan(l->value))
		buf_adds(b, "-");
	else if (strcmp(l->unit, "share") == 0)
		buf_addf(b, "%.1f %%", 100 * l->value);
	else if (strcmp(l->unit, "ms") == 0)
		buf_addf(b, "%.2f ms", l->value);
	else if (strcmp(l->unit, "bytes") == 0)
		buf_add_size(b, (int64_t)l->value);
	else if (floor(l->value) == l->value)
		buf_addf(b, "%.0f", l->value);
	else
		buf_addf(b, "%.3f", l->value);
}

static bool
has_prefix(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

static void
open_bar(struct buf *out, const char *name, const char *shown, double share)
{
	buf_adds(out, "<div class=\"bar\"><span title=\"");
	page_text(out, name);
	buf_adds(out, "\">");
	page_text(out, shown);
	buf_addf(out, "</span><div><i style=\"width:%.1f%%\"></i></div><b>", 100 * share);
}

/* The part of name that begins before the last n slashes; name itself where there are fewer. */
static const char *
last_parts(const char *name, size_t n)
{
	const char *p = name + strlen(name);

	for (; p > name; p--)
		if (p[-1] == '/' && n-- == 0)
			return p;
	return name;
}

/*
 * What is shown of row i: of a path as many of its last parts as tell it from the other rows that
 * are shown, since the first ones are the same for most.
 */
static const char *
name_shown(const struct shares *t, size_t i)
{
	const char *name = t->rows[i].name, *shown = name;
	bool alone = *name != '/';

	for (size_t n = 0; !alone && (n == 0 || shown > name); n++) {
		shown = last_parts(name, n);
		alone = *shown != '\0';
		for (size_t k = 0; k < MIN(t->n, (size_t)PAGE_NAMES); k++)
			alone &= k == i || strcmp(shown, last_parts(t->rows[k].name, n)) != 0;
	}
	return shown;
}

void
page_shares(struct buf *out, const char *title, const struct shares *t)
{
	int64_t rest = 0, most;

	if (t->n == 0)
		return;
	for (size_t i = PAGE_NAMES; i < t->n; i++)
		rest += t->rows[i].n;
	most = MAX(MAX(rest, t->rows[0].n), 1);
	buf_addf(out, "<section>\n<h2>%s</h2>\n", title);
	for (size_t i = 0; i < MIN(t->n, (size_t)PAGE_NAMES); i++) {
		open_bar(out, t->rows[i].name, name_shown(t, i),
		    (double)t->rows[i].n / (double)most);
		page_count(out, t->rows[i].n);
		buf_adds(out, "</b></div>\n");
	}
	if (rest > 0) {
		char name[40];

		snprintf(name, sizeof(name), "%zu more", t->n - PAGE_NAMES);
		open_bar(out, name, name, (double)rest / (double)most);
		page_count(out, rest);
		buf_adds(out, "</b></div>\n");
	}
	buf_adds(out, "</section>\n");
}

void
page_bars(struct buf *out, const struct page *p, bool alone, const char *title, const char *prefix)
{
	size_t start = out->len;
	double most = 0;
	bool any = false;

	for (size_t i = 0; i < p->n_lines; i++)
		if (has_prefix(p->lines[i].name, prefix) && isfinite(p->lines[i].value))
			most = MAX(most, p->lines[i].value);
	buf_addf(out, alone ? "<section>\n<h2>%s</h2>\n" : "<h3>%s</h3>\n", title);
	for (size_t i = 0; i < p->n_lines; i++) {
		const struct page_line *l = &p->lines[i];

		if (!has_prefix(l->name, prefix) || !isfinite(l->value))
			continue;
		open_bar(out, l->name + strlen(prefix), l->name + strlen(prefix),
		    most > 0 ? l->value / most : 0);
		page_value(out, l);
		buf_adds(out, "</b></div>\n");
		any = true;
	}
	if (!any)
		out->len = start;
	else if (alone)
		buf_adds(out, "</section>\n");
}

static double
day_value(const struct page_day *d, enum page_of of)
{
	switch (of) {
	case PAGE_SEARCHES: return (double)d->n;
	case PAGE_TOKENS: return (double)d->tokens;
	case PAGE_CALLS: return (double)d->calls;
	default: return d->n > 0 ? stats_percentile(d->us, d->n, 95) / 1e3 : 0;
	}
}

void
page_days(struct buf *out, const struct page *p, const char *title, const char *unit,
	enum page_of of)
{
	size_t first = p->n_days, last = 0;
	double most = 0, width;
	int64_t n;
	char day[TIME_TEXT];

	for (size_t i = 0; i < p->n_days; i++)
		if (day_value(&p->days[i], of) > 0) {
			first = MIN(first, i);
			last = i;
			most = MAX(most, day_value(&p->days[i], of));
		}
	if (first == p->n_days)
		return;
	while (p->days[last].day - p->days[first].day >= DAYS_MOST)
		first++;
	n = p->days[last].day - p->days[first].day + 1;
	width = MIN((double)DAYS_WIDTH / (double)n, 40);
	buf_addf(out,
	    "<h3>%s</h3>\n<div class=\"days\"><svg role=\"img\" aria-label=\"%s\" "
	    "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
	    "<text x=\"0\" y=\"10\">%.6g%s</text>\n",
	    title, title, DAYS_WIDTH, DAYS_HEIGHT + 32, DAYS_WIDTH, DAYS_HEIGHT + 32, most, unit);
	for (size_t i = first; i <= last; i++) {
		double v = day_value(&p->days[i], of), h = v / most * DAYS_HEIGHT;

		if (v > 0)
			buf_addf(out,
			    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">"
			    "<title>%s: %.6g%s</title></rect>\n",
			    (double)(p->days[i].day - p->days[first].day) * width,
			    16 + DAYS_HEIGHT - h, MAX(width - 2, .5), h,
			    time_format_day(p->days[i].day * US_PER_DAY, day), v, unit);
	}
	buf_addf(out, "<text x=\"0\" y=\"%d\">%s</text>", DAYS_HEIGHT + 29,
	    time_format_day(p->days[first].day * US_PER_DAY, day));
	if (n > 1)
		buf_addf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"end\">%s</text>",
		    MAX((double)n * width, 140), DAYS_HEIGHT + 29,
		    time_format_day(p->days[last].day * US_PER_DAY, day));
	buf_adds(out, "\n</svg></div>\n");
}
