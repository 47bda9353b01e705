/*
 * html_page.c: the figures that mem-stats prints are collected by name; some become charts, all
 * become rows of tables. Figures of each day come from the metric rows and the ledger.
 *
 *	what needs doing
 *	the memory: table, bars of banks and categories
 *	searches: a column a day, bars of paths, stages
 *	models: a column a day
 */
#include "report/html_page.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "report/report.h"
#include "store/guard.h"

#define NAME_BYTES  96
#define BARS_MOST   40             /* bars in one chart; the rest is summed up in one bar */
#define DAYS_MOST   92
#define BAR_WIDTH   360
#define DAYS_WIDTH  640
#define DAYS_HEIGHT 120

struct line { char name[NAME_BYTES]; double value; int64_t time_us; char unit[16]; };
struct day { int64_t day; size_t n, n_none; uint32_t *us; size_t cap; int64_t calls, failed; };

struct page {
	struct buf *out;
	struct line *lines;
	size_t n, cap;
	struct day *days;              /* [n_days] by ascending day */
	size_t n_days, cap_days;
};

/* ---- text ---- */

static void
add_text(struct buf *b, const char *s)
{
	const char *end = s + strlen(s);

	while (s < end) {
		uint32_t cp;
		size_t n = MAX(utf8_decode(s, end, &cp), 1);

		switch (*s) {
		case '&': buf_adds(b, "&amp;"); break;
		case '<': buf_adds(b, "&lt;"); break;
		case '>': buf_adds(b, "&gt;"); break;
		case '"': buf_adds(b, "&quot;"); break;
		case '\'': buf_adds(b, "&#39;"); break;
		default:
			if (cp >= 0x20 && !utf8_unsafe(cp))
				buf_add(b, s, n);
		}
		s += n;
	}
}

static void
add_value(struct buf *b, const struct line *l)
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

/* ---- collecting ---- */

static int
collect_line(void *arg, const struct stats_line *v)
{
	struct page *p = arg;
	struct line *l;

	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->lines[i].name, v->name) == 0)
			/* figures of the memory and of the report overlap */
			return 0;
	xgrow(&p->lines, &p->cap, p->n + 1, sizeof(*p->lines));
	l = &p->lines[p->n++];
	*l = (struct line){ .value = v->value, .time_us = v->time_us };
	snprintf(l->name, sizeof(l->name), "%s", v->name);
	snprintf(l->unit, sizeof(l->unit), "%s", v->unit);
	return 0;
}

/* Finds or adds a day. Rows come in order of time, but from two sources. */
static struct day *
day_of(struct page *p, int64_t day)
{
	size_t at = p->n_days;

	while (at > 0 && p->days[at - 1].day >= day)
		if (p->days[--at].day == day)
			return &p->days[at];
	xgrow(&p->days, &p->cap_days, p->n_days + 1, sizeof(*p->days));
	memmove(p->days + at + 1, p->days + at, (p->n_days - at) * sizeof(*p->days));
	p->n_days++;
	p->days[at] = (struct day){ .day = day };
	return &p->days[at];
}

static int
collect_metric(void *arg, const struct metric *m)
{
	struct day *d;

	if (strcmp(m->path, STATS_JOB) == 0)
		return 0;
	d = day_of(arg, (m->time_us - (m->time_us < 0 ? US_PER_DAY - 1 : 0)) / US_PER_DAY);
	xgrow(&d->us, &d->cap, d->n + 1, sizeof(*d->us));
	d->us[d->n++] = (uint32_t)MAX(0, MIN(m->us_all, (int64_t)UINT32_MAX));
	d->n_none += m->n_hits == 0;
	return 0;
}

static int
collect_calls(void *arg, const struct ledger_row *r)
{
	struct day *d = day_of(arg, r->day);

	d->calls += r->n_calls;
	d->failed += r->n_failed;
	return 0;
}

/* ---- charts ---- */

static bool
has_prefix(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Draws a bar for each figure whose name has the prefix. */
static void
put_bars(struct page *p, const char *title, const char *prefix)
{
	const struct line *found[BARS_MOST];
	size_t n = 0;
	double most = 0;

	for (size_t i = 0; i < p->n && n < BARS_MOST; i++)
		if (has_prefix(p->lines[i].name, prefix) && isfinite(p->lines[i].value)) {
			most = MAX(most, p->lines[i].value);
			found[n++] = &p->lines[i];
		}
	if (n == 0)
		return;
	buf_addf(p->out,
	    "<h3>%s</h3>\n<svg role=\"img\" aria-label=\"%s\" width=\"%d\" height=\"%zu\">\n",
	    title, title, BAR_WIDTH + 320, n * 22 + 4);
	for (size_t i = 0; i < n; i++) {
		size_t y = i * 22;
		buf_addf(p->out, "<text x=\"200\" y=\"%zu\" text-anchor=\"end\">", y + 15);
		add_text(p->out, found[i]->name + strlen(prefix));
		buf_addf(p->out,
		    "</text><rect x=\"210\" y=\"%zu\" width=\"%.1f\" height=\"16\"/><text "
		    "x=\"%.1f\" y=\"%zu\">",
		    y + 2, most > 0 ? found[i]->value / most * BAR_WIDTH : 0,
		    216 + (most > 0 ? found[i]->value / most * BAR_WIDTH : 0), y + 15);
		add_value(p->out, found[i]);
		buf_adds(p->out, "</text>\n");
	}
	buf_adds(p->out, "</svg>\n");
}

typedef double day_fn(const struct day *d);

static double day_searches(const struct day *d) { return (double)d->n; }
static double
day_p95(const struct day *d)
{
	return d->n > 0 ? stats_percentile(d->us, d->n, 95) / 1e3 : 0;
}
static double day_calls(const struct day *d) { return (double)d->calls; }

/* Draws a column for each day from the first with a value to the last. */
static void
put_days(struct page *p, const char *title, const char *unit, day_fn *fn)
{
	size_t first = p->n_days, last = 0;
	double most = 0, width;
	int64_t n;
	char day[TIME_TEXT];

	for (size_t i = 0; i < p->n_days; i++)
		if (fn(&p->days[i]) > 0) {
			first = MIN(first, i);
			last = i;
			most = MAX(most, fn(&p->days[i]));
		}
	if (first == p->n_days)
		return;
	while (p->days[last].day - p->days[first].day >= DAYS_MOST)
		first++;
	n = p->days[last].day - p->days[first].day + 1;
	width = MIN((double)DAYS_WIDTH / (double)n, 40);
	buf_addf(p->out,
	    "<h3>%s</h3>\n<svg role=\"img\" aria-label=\"%s\" width=\"%d\" height=\"%d\">\n<text "
	    "x=\"0\" y=\"12\">%.4g%s</text>\n",
	    title, title, DAYS_WIDTH + 20, DAYS_HEIGHT + 40, most, unit);
	for (size_t i = first; i <= last; i++) {
		double v = fn(&p->days[i]), h = v / most * DAYS_HEIGHT;
		if (v > 0)
			buf_addf(p->out,
			    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s: "
			    "%.4g%s</title></rect>\n",
			    (double)(p->days[i].day - p->days[first].day) * width,
			    18 + DAYS_HEIGHT - h, MAX(width - 1, .5), h,
			    time_format_day(p->days[i].day * US_PER_DAY, day), v, unit);
	}
	buf_addf(p->out, "<text x=\"0\" y=\"%d\">%s</text>", DAYS_HEIGHT + 34,
	    time_format_day(p->days[first].day * US_PER_DAY, day));
	if (n > 1)
		buf_addf(p->out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"end\">%s</text>",
		    MAX((double)n * width, 200), DAYS_HEIGHT + 34,
		    time_format_day(p->days[last].day * US_PER_DAY, day));
	buf_adds(p->out, "\n</svg>\n");
}

static bool
is_any(const char *name, const char *const *prefixes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (has_prefix(name, prefixes[i]))
			return true;
	return false;
}

/* Writes the figures whose names have one of the prefixes, or, with others, all that have none. */
static void
put_table(struct page *p, const char *const *prefixes, size_t n, bool others)
{
	buf_adds(p->out, "<table>\n");
	for (size_t i = 0; i < p->n; i++) {
		if (is_any(p->lines[i].name, prefixes, n) == others)
			continue;
		buf_adds(p->out, "<tr><td>");
		add_text(p->out, p->lines[i].name);
		buf_adds(p->out, "</td><td>");
		add_value(p->out, &p->lines[i]);
		buf_adds(p->out, "</td></tr>\n");
	}
	buf_adds(p->out, "</table>\n");
}

/* ---- the parts of the page ---- */

static int
put_trigger(void *arg, const struct trigger *t)
{
	struct page *p = arg;

	buf_adds(p->out, "<li><b>");
	add_text(p->out, t->name);
	buf_adds(p->out, "</b>: ");
	add_text(p->out, t->why);
	buf_adds(p->out, " <code>");
	add_text(p->out, t->run);
	buf_adds(p->out, "</code></li>\n");
	return 0;
}

static void
put_head(struct page *p, const struct scope *who, int64_t since_us)
{
	char time[TIME_TEXT];

	buf_adds(p->out,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
	    "'unsafe-inline'\">\n<title>mem: ");
	add_text(p->out, who->user);
	buf_adds(p->out,
	    "</title>\n<style>\nbody { font: 15px sans-serif; margin: 2em auto; max-width: 48em; "
	    "color: #222; background: #fff }\n"
	    "table { border-collapse: collapse } td { padding: .1em 1.5em .1em 0 } td + td { "
	    "text-align: right }\n"
	    "svg text { font: 12px sans-serif; fill: #222 } svg rect { fill: #37688f } code { "
	    "background: #eee; padding: 0 .3em }\n"
	    "@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } svg "
	    "text { fill: #ddd } svg rect { fill: #7fb2da } code { background: #333 } }\n"
	    "</style>\n</head>\n<body>\n<h1>The memory of ");
	add_text(p->out, who->user);
	buf_addf(p->out, "</h1>\n<p>%s", time_format_second(clock_now_us(), time));
	if (since_us != TIME_NONE)
		buf_addf(p->out, "; searches and calls since %s",
		    time_format_second(since_us, time));
	buf_adds(p->out, "</p>\n");
}

/* A heading is removed again when nothing follows it. */
struct heading { size_t start, end; };

static struct heading
heading(struct page *p, const char *text)
{
	size_t start = p->out->len;

	buf_addf(p->out, "<h2>%s</h2>\n", text);
	return (struct heading){ start, p->out->len };
}

static void
heading_end(struct page *p, const struct heading *at)
{
	if (p->out->len == at->end)
		p->out->len = at->start;
}

static int
put_body(struct page *p, struct store *s, const struct scope *who, int64_t since_us,
	struct err *err)
{
	static const char *const of_searches[] = { "searches" },
				 *const of_models[] = { "calls", "guard" },
				 *const no_memory[] = { "searches", "calls", "guard" };
	struct heading at;
	size_t n_due;

	buf_adds(p->out, "<h2>What needs doing</h2>\n<ul>\n");
	if (triggers_each(s, who, since_us, put_trigger, p, &n_due, err) < 0)
		return -1;
	buf_adds(p->out, n_due == 0 ? "<li>nothing</li>\n</ul>\n" : "</ul>\n");
	at = heading(p, "What is stored");
	put_table(p, no_memory, NELEM(no_memory), true);
	put_bars(p, "Facts by bank", "facts.bank.");
	put_bars(p, "Facts by category", "facts.category.");
	heading_end(p, &at);
	at = heading(p, "Searches");
	put_days(p, "Searches a day", "", day_searches);
	put_days(p, "Milliseconds that 95 of 100 searches of a day did not exceed", " ms", day_p95);
	put_bars(p, "Share of each way to search", "searches.path.");
	put_bars(p, "Searches by program", "searches.of.");
	put_table(p, of_searches, NELEM(of_searches), false);
	heading_end(p, &at);
	at = heading(p, "Models");
	put_days(p, "Calls a day", "", day_calls);
	put_bars(p, "Calls by program", "calls.of.");
	put_table(p, of_models, NELEM(of_models), false);
	heading_end(p, &at);
	buf_adds(p->out, "</body>\n</html>\n");
	return 0;
}

int
html_page_write(struct store *s, const struct scope *who, int64_t since_us, struct buf *out,
	struct err *err)
{
	struct page p = { .out = out };
	int rc = -1;

	if (report_each(s, who, since_us, collect_line, &p, err) < 0 ||
	    stats_each(s, who, since_us, collect_line, &p, err) < 0 ||
	    metrics_each(s, who, since_us, collect_metric, &p, err) < 0 ||
	    ledger_each(s, who, since_us, collect_calls, &p, err) < 0)
		goto out;
	put_head(&p, who, since_us);
	rc = put_body(&p, s, who, since_us, err);
out:
	for (size_t i = 0; i < p.n_days; i++)
		free(p.days[i].us);
	free(p.days);
	free(p.lines);
	return rc;
}

/* ---- the file ---- */

static int
write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

int
html_page_save(const char *path, const char *data, size_t len, struct err *err)
{
	struct buf temp;
	struct stat st;
	bool beside = stat(path, &st) != 0 || S_ISREG(st.st_mode);
	int fd, rc = -1;

	buf_init(&temp, 65536);
	buf_adds(&temp, path);
	if (beside)
		buf_addf(&temp, ".%ld", (long)getpid());
	fd = open(temp.data, O_WRONLY | O_CLOEXEC | (beside ? O_CREAT | O_EXCL : 0), 0600);
	if (fd < 0) {
		err_set_errno(err,
		    errno == EACCES || errno == EPERM	      ? ERR_PERM
			: errno == ENOENT || errno == ENOTDIR ? ERR_NOINPUT
							      : ERR_IO,
		    "cannot write '%s'", path);
	} else {
		rc = write_all(fd, data, len);
		if ((close(fd) != 0 || rc != 0 || (beside && rename(temp.data, path) != 0))) {
			rc = err_set_errno(err, ERR_IO, "cannot write '%s'", path);
			if (beside)
				unlink(temp.data);
		}
	}
	buf_release(&temp);
	return rc;
}
