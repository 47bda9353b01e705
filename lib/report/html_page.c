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
#include <sys/stat.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/utf8.h"
#include "report/page.h"

#define STEP     13                /* from a day to the next in the year */
#define ID_SHOWN 12                /* bytes of the id of a session without a title */

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
put_due(struct store *s, const struct scope *who, int64_t since_us, struct buf *out,
	struct err *err)
{
	size_t n_due;

	buf_adds(out, "<section class=\"due\">\n<h2>What needs doing</h2>\n<ul>\n");
	if (triggers_each(s, who, since_us, false, put_trigger, out, &n_due, err) < 0)
		return -1;
	if (n_due == 0)
		buf_adds(out, "<li>nothing</li>\n");
	buf_adds(out, "</ul>\n<p class=\"soft\">Whether the store is sound was not looked at: "
		      "<code>mem-check</code></p>\n</section>\n");
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
	    " message%s on %lld day%s</p>\n<div class=\"wide\"><svg role=\"img\" "
	    "aria-label=\"Messages a day\" viewBox=\"0 0 %d %d\">\n",
	    n == 1 ? "" : "s", (long long)n_days, n_days == 1 ? "" : "s", PAGE_WEEKS * STEP,
	    7 * STEP + 16);
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
	/* a column of nothing is not shown */
	buf_addf(out, "<section class=\"sessions%s\">\n", p->agents.n == 0 ? " no-agents" : "");
	buf_addf(out,
	    "<h2>Sessions</h2>\n<input id=\"filter\" type=\"search\" "
	    "placeholder=\"filter: a word of a date, %sa project, a title\" ",
	    p->agents.n == 0 ? "" : "an agent, ");
	buf_adds(out,
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
	page_days(out, p, "Searches a day", "", PAGE_SEARCHES);
	page_days(out, p, "Tokens of recalls a day", "", PAGE_TOKENS);
	page_days(out, p, "Milliseconds that 95 of 100 searches of a day did not exceed", " ms",
	    PAGE_P95);
	page_bars(out, p, false, "Share of each way to search", "searches.path.");
	page_bars(out, p, false, "Searches by program", "searches.of.");
	page_days(out, p, "Calls of models a day", "", PAGE_CALLS);
	page_bars(out, p, false, "Calls of models by program", "calls.of.");
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
		page_value(out, &p->lines[i]);
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
	page_shares(out, "Agents", &p->agents);
	page_shares(out, "Projects", &p->projects);
	page_shares(out, "People", &p->people);
	page_shares(out, "Topics", &p->topics);
	page_bars(out, p, true, "Facts by bank", "facts.bank.");
	page_bars(out, p, true, "Facts by category", "facts.category.");
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

	/* the figures are all of one moment, and thousands of statements are one transaction */
	if (store_snapshot(s, err) < 0)
		return -1;
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
	store_snapshot_end(s);
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
