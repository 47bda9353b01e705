/*
 * html_page.c: the page that mem-stats writes: the figures of page_read.c as tiles, bars, columns
 * and tables.
 *
 *	tiles: messages, sessions, people, facts, since when; recalls and their tokens
 *	the year, a square a day
 *	agents, projects, people, topics, facts: a bar each
 *	what needs doing
 *	sessions: the newest, and a field that filters them
 *	searches and models: a column a day; all figures
 */
#include "report/html_page.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/utf8.h"
#include "report/page.h"

#define DAYS_MOST   92
#define DAYS_WIDTH  600
#define DAYS_HEIGHT 90
#define STEP        13             /* from a day to the next in the year */
#define ID_SHOWN    12             /* bytes of the id of a session without a title */

/* ---- figures ---- */

static void
add_value(struct buf *b, const struct page_line *l)
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

/* ---- charts ---- */

static bool
has_prefix(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

static void
open_bar(struct buf *out, const char *name, double share)
{
	buf_adds(out, "<div class=\"bar\"><span title=\"");
	page_text(out, name);
	buf_adds(out, "\">");
	page_text(out, name);
	buf_addf(out, "</span><div><i style=\"width:%.1f%%\"></i></div><b>", 100 * share);
}

/* Writes a bar for each name; what there is no room for is the last. */
static void
put_shares(struct buf *out, const char *title, const struct shares *t)
{
	int64_t rest = 0, most;

	if (t->n == 0)
		return;
	for (size_t i = PAGE_NAMES; i < t->n; i++)
		rest += t->rows[i].n;
	most = MAX(MAX(rest, t->rows[0].n), 1);
	buf_addf(out, "<section>\n<h2>%s</h2>\n", title);
	for (size_t i = 0; i < MIN(t->n, (size_t)PAGE_NAMES); i++) {
		open_bar(out, t->rows[i].name, (double)t->rows[i].n / (double)most);
		page_count(out, t->rows[i].n);
		buf_adds(out, "</b></div>\n");
	}
	if (rest > 0) {
		char name[40];

		snprintf(name, sizeof(name), "%zu more", t->n - PAGE_NAMES);
		open_bar(out, name, (double)rest / (double)most);
		page_count(out, rest);
		buf_adds(out, "</b></div>\n");
	}
	buf_adds(out, "</section>\n");
}

/* Writes a bar for each figure whose name has the prefix. */
static void
put_bars(struct page *p, struct buf *out, const char *tag, const char *title, const char *prefix)
{
	size_t start = out->len;
	double most = 0;
	bool any = false;

	for (size_t i = 0; i < p->n_lines; i++)
		if (has_prefix(p->lines[i].name, prefix) && isfinite(p->lines[i].value))
			most = MAX(most, p->lines[i].value);
	buf_addf(out, strcmp(tag, "h2") == 0 ? "<section>\n<h2>%s</h2>\n" : "<h3>%s</h3>\n", title);
	for (size_t i = 0; i < p->n_lines; i++) {
		const struct page_line *l = &p->lines[i];

		if (!has_prefix(l->name, prefix) || !isfinite(l->value))
			continue;
		open_bar(out, l->name + strlen(prefix), most > 0 ? l->value / most : 0);
		add_value(out, l);
		buf_adds(out, "</b></div>\n");
		any = true;
	}
	if (!any)
		out->len = start;
	else if (strcmp(tag, "h2") == 0)
		buf_adds(out, "</section>\n");
}

typedef double day_fn(const struct page_day *d);

static double day_searches(const struct page_day *d) { return (double)d->n; }
static double
day_p95(const struct page_day *d)
{
	return d->n > 0 ? stats_percentile(d->us, d->n, 95) / 1e3 : 0;
}
static double day_calls(const struct page_day *d) { return (double)d->calls; }
static double day_tokens(const struct page_day *d) { return (double)d->tokens; }

/* Draws a column for each day from the first with a value to the last. */
static void
put_days(struct page *p, struct buf *out, const char *title, const char *unit, day_fn *fn)
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
	buf_addf(out,
	    "<h3>%s</h3>\n<div class=\"days\"><svg role=\"img\" aria-label=\"%s\" width=\"%d\" "
	    "height=\"%d\" viewBox=\"0 0 %d %d\">\n<text x=\"0\" y=\"10\">%.6g%s</text>\n",
	    title, title, DAYS_WIDTH, DAYS_HEIGHT + 32, DAYS_WIDTH, DAYS_HEIGHT + 32, most, unit);
	for (size_t i = first; i <= last; i++) {
		double v = fn(&p->days[i]), h = v / most * DAYS_HEIGHT;

		if (v > 0)
			buf_addf(out,
			    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s: "
			    "%.6g%s</title></rect>\n",
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

/* ---- the parts of the page ---- */

static void
put_file(struct buf *out, const char *name)
{
	const struct embedded *file = embedded_find(name);

	buf_add(out, file->text, file->len);
}

static void
put_head(struct buf *out, const struct scope *who, int64_t since_us)
{
	char time[TIME_TEXT];

	buf_adds(out,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
	    "'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>mem: ");
	page_text(out, who->user);
	buf_adds(out, "</title>\n<style>\n");
	put_file(out, "schema/page/style.css");
	buf_adds(out, "</style>\n</head>\n<body>\n<main>\n<h1>The memory of ");
	page_text(out, who->user);
	buf_addf(out, "</h1>\n<p class=\"soft\">%s", time_format_second(clock_now_us(), time));
	if (since_us != TIME_NONE)
		buf_addf(out, "; searches, recalls and calls since %s",
		    time_format_second(since_us, time));
	buf_adds(out, "</p>\n");
}

static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug",
	"Sep", "Oct", "Nov", "Dec" };

static void
put_tile(struct buf *out, const char *what, int64_t n)
{
	buf_adds(out, "<div class=\"tile\"><b>");
	page_count(out, n);
	buf_addf(out, "</b><span>%s</span></div>\n", what);
}

static void
put_since(struct buf *out, int64_t time_us)
{
	char day[TIME_TEXT];
	struct civil c;

	time_civil(time_us, &c);
	buf_addf(out, "<div class=\"tile\" title=\"%s\"><b>%s %d</b><span>since</span></div>\n",
	    time_format_day(time_us, day), months[c.month - 1], c.year);
}

static void
put_tiles(struct page *p, struct buf *out)
{
	buf_adds(out, "<div class=\"tiles\">\n");
	put_tile(out, "messages", (int64_t)page_figure(p, "messages"));
	put_tile(out, "sessions", p->n_sessions_all);
	if (p->n_people > 0)
		put_tile(out, "people", p->n_people);
	put_tile(out, "facts", (int64_t)page_figure(p, "facts"));
	for (size_t i = 0; i < p->n_lines; i++)
		if (strcmp(p->lines[i].name, "messages.oldest") == 0)
			put_since(out, p->lines[i].time_us);
	if (p->n_recalls > 0) {
		put_tile(out, "recalls", p->n_recalls);
		put_tile(out, "tokens of them", p->recall_tokens);
	}
	buf_adds(out, "</div>\n");
}

static int
put_trigger(void *arg, const struct trigger *t)
{
	struct buf *out = arg;

	buf_adds(out, "<li><b>");
	page_text(out, t->name);
	buf_adds(out, "</b>: ");
	page_text(out, t->why);
	buf_adds(out, " <code>");
	page_text(out, t->run);
	buf_adds(out, "</code></li>\n");
	return 0;
}

static int
put_due(struct store *s, const struct scope *who, int64_t since_us, struct buf *out, struct err *err)
{
	size_t n_due;

	buf_adds(out, "<section class=\"due\">\n<h2>What needs doing</h2>\n<ul>\n");
	if (triggers_each(s, who, since_us, put_trigger, out, &n_due, err) < 0)
		return -1;
	buf_adds(out, n_due == 0 ? "<li>nothing</li>\n</ul>\n</section>\n" : "</ul>\n</section>\n");
	return 0;
}

static void
put_year(struct page *p, struct buf *out)
{
	int64_t n = 0, n_days = 0;
	int month = 0;
	struct civil day;

	for (int i = 0; i < PAGE_DAYS; i++) {
		n += p->year[i];
		n_days += p->year[i] > 0;
	}
	if (n == 0)
		return;
	buf_adds(out, "<section>\n<h2>The year</h2>\n<p class=\"soft\">");
	page_count(out, n);
	buf_addf(out,
	    " messages on %lld days</p>\n<div class=\"wide\"><svg role=\"img\" aria-label=\"Messages "
	    "a day\" viewBox=\"0 0 %d %d\">\n",
	    (long long)n_days, PAGE_WEEKS * STEP, 7 * STEP + 16);
	for (int week = 0; week < PAGE_WEEKS - 1; week++) {
		time_civil((p->year_from + 7 * week + 6) * US_PER_DAY, &day);
		if (day.month != month && day.day <= 7)
			buf_addf(out, "<text x=\"%d\" y=\"9\">%s</text>", week * STEP,
			    months[day.month - 1]);
		month = day.month;
	}
	buf_adds(out, "\n<g transform=\"translate(0 15)\">\n");
	page_year(out, p, STEP, true);
	buf_adds(out, "</g>\n</svg></div>\n</section>\n");
}

static void
put_session(struct buf *out, const struct page_session *v)
{
	char day[TIME_TEXT];

	buf_addf(out, "<tr><td>%s</td><td>",
	    v->time_us == TIME_NONE ? "" : time_format_day(v->time_us, day));
	page_text(out, v->agent);
	buf_adds(out, "</td><td>");
	page_text(out, v->project);
	buf_adds(out, "</td><td>");
	if (*v->title != '\0') {
		page_text(out, v->title);
	} else if (v->opening == NULL) {
		char id[ID_SHOWN + 1];

		snprintf(id, sizeof(id), "%.*s",
		    (int)utf8_clip(v->id, strlen(v->id), ID_SHOWN), v->id);
		page_text(out, id);
	}
	if (v->opening != NULL) {
		buf_adds(out, "<small>");
		page_text(out, v->opening);
		buf_adds(out, "</small>");
	}
	buf_adds(out, "</td><td>");
	page_count(out, v->n);
	buf_adds(out, "</td></tr>\n");
}

static void
put_sessions(struct page *p, struct buf *out)
{
	int64_t rest = p->n_sessions_all - (int64_t)p->n_sessions;

	if (p->n_sessions == 0)
		return;
	buf_adds(out,
	    "<section class=\"sessions\">\n<h2>Sessions</h2>\n<input id=\"filter\" type=\"search\" "
	    "placeholder=\"filter: a word of a date, an agent, a project, a title\" "
	    "aria-label=\"filter\" hidden>\n<table>\n<thead><tr><th>Date</th><th>Agent</th>"
	    "<th>Project</th><th>Title</th><th>Turns</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < p->n_sessions; i++)
		put_session(out, &p->sessions[i]);
	buf_adds(out, "</tbody>\n</table>\n");
	if (rest > 0) {
		buf_adds(out, "<p class=\"soft\">and ");
		page_count(out, rest);
		buf_adds(out, " older sessions with ");
		page_count(out, p->n_turns_rest);
		buf_adds(out, " turns</p>\n");
	}
	buf_adds(out, "</section>\n<script>\n");
	put_file(out, "schema/page/filter.js");
	buf_adds(out, "</script>\n");
}

static void
put_searches(struct page *p, struct buf *out)
{
	static const char open[] = "<section>\n<h2>Searches and recalls</h2>\n";
	size_t start = out->len;

	buf_adds(out, open);
	put_days(p, out, "Searches a day", "", day_searches);
	put_days(p, out, "Tokens of recalls a day", "", day_tokens);
	put_days(p, out, "Milliseconds that 95 of 100 searches of a day did not exceed", " ms",
	    day_p95);
	put_bars(p, out, "h3", "Share of each way to search", "searches.path.");
	put_bars(p, out, "h3", "Searches by program", "searches.of.");
	put_days(p, out, "Calls of models a day", "", day_calls);
	put_bars(p, out, "h3", "Calls of models by program", "calls.of.");
	if (out->len == start + sizeof(open) - 1)
		out->len = start;
	else
		buf_adds(out, "</section>\n");
}

static void
put_figures(struct page *p, struct buf *out)
{
	buf_adds(out, "<section>\n<details>\n<summary>All figures</summary>\n<table>\n");
	for (size_t i = 0; i < p->n_lines; i++) {
		buf_adds(out, "<tr><td>");
		page_text(out, p->lines[i].name);
		buf_adds(out, "</td><td>");
		add_value(out, &p->lines[i]);
		buf_adds(out, "</td></tr>\n");
	}
	buf_adds(out, "</table>\n</details>\n</section>\n");
}

static void
put_charts(struct page *p, struct buf *out)
{
	static const char open[] = "<div class=\"two\">\n";
	size_t start = out->len;

	buf_adds(out, open);
	put_shares(out, "Agents", &p->agents);
	put_shares(out, "Projects", &p->projects);
	put_shares(out, "People", &p->people);
	put_shares(out, "Topics", &p->topics);
	put_bars(p, out, "h2", "Facts by bank", "facts.bank.");
	put_bars(p, out, "h2", "Facts by category", "facts.category.");
	if (out->len == start + sizeof(open) - 1)
		out->len = start;
	else
		buf_adds(out, "</div>\n");
}

int
html_page_write(struct store *s, const struct scope *who, int64_t since_us, bool with_text,
	struct buf *out, struct err *err)
{
	struct page p = { .n_lines = 0 };
	int rc = -1;

	if (page_read(&p, s, who, since_us, with_text, err) < 0)
		goto out;
	put_head(out, who, since_us);
	put_tiles(&p, out);
	put_year(&p, out);
	put_charts(&p, out);
	if (put_due(s, who, since_us, out, err) < 0)
		goto out;
	put_sessions(&p, out);
	put_searches(&p, out);
	put_figures(&p, out);
	buf_adds(out, "</main>\n</body>\n</html>\n");
	rc = 0;
out:
	page_release(&p);
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
