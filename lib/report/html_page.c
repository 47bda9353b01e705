/*
 * html_page.c: the page that mem-stats writes, to be read from the top:
 *
 *	how much there is, and the year, a square a day
 *	a field that searches all below, where scripts run
 *	what is open and what is to be decided
 *	topics, projects, people, agents: a bar each, which leads to its sessions
 *	sessions by month, the newest first; with texts each opens
 *	facts; what agents were told; what needs doing; all figures
 *
 * Nothing is allowed to run or to be loaded but the one style and the one script, by their hashes:
 * what is stored could not do anything even if it came through as markup.
 */
#include "report/html_page.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/conf.h"
#include "base/embedded.h"
#include "base/hash.h"
#include "base/write.h"
#include "calls/calls.h"
#include "report/page.h"

#define SHOWN       12             /* sessions of the newest months, which are open */
#define LINE_BYTES  140            /* of a title */
#define STEP        13             /* from a day to the next in the year */
#define TURN_BYTES  3000           /* of a turn that are shown */
#define TOOL_BYTES  300            /* of what a tool printed */
#define TEXT_BYTES  (6u << 20)     /* of turns on the page: those of the newest sessions */

/* ---- the head ---- */

static void
put_file(struct buf *out, const char *name)
{
	const struct embedded *file = embedded_find(name);

	buf_add(out, file->text, file->len);
}

/* What a content policy calls the file. */
static void
put_hash(struct buf *out, const char *name)
{
	const struct embedded *file = embedded_find(name);
	uint8_t hash[SHA256_BYTES];

	sha256(file->text, file->len, hash);
	buf_adds(out, "'sha256-");
	base64_encode(out, hash, sizeof(hash));
	buf_adds(out, "'");
}

static void
put_title(struct buf *out, const struct scope *who)
{
	bool named = strcmp(who->user, "default") != 0;

	buf_adds(out, named ? "The memory of " : "What is remembered");
	if (named)
		page_text(out, who->user);
}

static void
put_head(struct buf *out, const struct scope *who)
{
	buf_adds(out,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	    "base-uri 'none'; form-action 'none'; style-src ");
	put_hash(out, "schema/page/style.css");
	buf_adds(out, "; script-src ");
	put_hash(out, "schema/page/filter.js");
	buf_adds(out, "\">\n<title>");
	put_title(out, who);
	buf_adds(out, "</title>\n<style>");
	put_file(out, "schema/page/style.css");
	buf_adds(out, "</style>\n</head>\n<body>\n<main>\n<header>\n<h1>");
	put_title(out, who);
	buf_adds(out, "</h1>\n");
}

/* A figure that leads to its section; section "": to none. */
static void
put_tile(struct buf *out, int64_t n, const char *one, const char *many, const char *section)
{
	if (n == 0)
		return;
	buf_addf(out, *section != '\0' ? "<a href=\"#%s\"><b>" : "<a><b>", section);
	buf_add_count(out, n);
	buf_addf(out, "</b> %s</a>\n", n == 1 ? one : many);
}

static void
put_counts(const struct page *p, const struct page_counts *known, struct buf *out,
	int64_t since_us)
{
	char time[TIME_TEXT];

	buf_adds(out, "<nav>\n");
	put_tile(out, (int64_t)page_figure(p, "messages"), "turn", "turns", "year");
	put_tile(out, p->n_sessions_all, "session", "sessions", "sessions");
	put_tile(out, p->n_people, "person", "people", "people");
	put_tile(out, (int64_t)page_figure(p, "facts"), "fact", "facts", "facts");
	put_tile(out, p->n_recalls, "recall", "recalls", "told");
	put_tile(out, (int64_t)known->n_open, "open", "open", "open");
	put_tile(out, (int64_t)known->n_decide, "to decide", "to decide", "decide");
	buf_adds(out, "</nav>\n<p class=\"soft\">");
	for (size_t i = 0; i < p->n_lines; i++)
		if (strcmp(p->lines[i].name, "messages.oldest") == 0) {
			buf_adds(out, "Since ");
			page_date(out, p->lines[i].time_us);
			buf_adds(out, "; ");
		}
	buf_adds(out, "made on ");
	page_date(out, clock_now_us());
	buf_addf(out, " at %.5s", time_format_local(clock_now_us(), time) + 11);
	if (since_us != TIME_NONE) {
		buf_adds(out, "; searches, recalls and calls since ");
		page_date(out, since_us);
	}
	buf_adds(out, "</p>\n</header>\n");
}

static void
put_year(const struct page *p, struct buf *out)
{
	int64_t n = 0, n_days = 0;

	for (int i = 0; i < PAGE_DAYS; i++) {
		n += p->year[i];
		n_days += p->year[i] > 0;
	}
	if (n == 0)
		return;
	buf_adds(out, "<section id=\"year\">\n<h2>The year <small>");
	page_some(out, n, "turn");
	buf_adds(out, " on ");
	page_some(out, n_days, "day");
	buf_addf(out,
	    "</small></h2>\n<div class=\"wide\"><svg class=\"year\" role=\"img\" "
	    "aria-label=\"Turns a day\" viewBox=\"0 -15 %d %d\">\n",
	    PAGE_WEEKS * STEP, 7 * STEP + 15);
	page_year(out, p, STEP, true);
	buf_adds(out, "</svg></div>\n</section>\n");
}

/* ---- sessions ---- */

/* day: of the turn before */
struct turns { struct buf *out; struct arena arena; size_t most; int64_t n; char day[11]; };

static int
put_turn(void *arg, const struct message *m)
{
	struct turns *t = arg;
	bool called = calls_alone(m->content, m->content_len, m->tool_calls);
	const char *text = called ? calls_said(m->tool_calls, TURN_BYTES, &t->arena) : m->content;
	char time[TIME_TEXT];

	if (t->out->len > t->most)
		return 1;
	buf_addf(t->out, "<div class=\"t %s\"><small><b>",
	    called ? "tool" : role_names[m->role]);
	page_text(t->out, message_by(m));
	buf_adds(t->out, "</b>");
	if (m->time_us != TIME_NONE) {
		time_format_local(m->time_us, time);
		if (strncmp(t->day, time, 10) != 0)
			buf_addf(t->out, " %.10s", time);
		snprintf(t->day, sizeof(t->day), "%.10s", time);
		buf_addf(t->out, " %.5s", time + 11);
	}
	buf_adds(t->out, "</small>");
	page_clip(t->out, text, called ? strlen(text) : m->content_len,
	    m->role == ROLE_TOOL ? TOOL_BYTES : TURN_BYTES);
	buf_adds(t->out, "</div>\n");
	arena_reset(&t->arena);
	t->n++;
	return 0;
}

static void
put_keys(struct buf *out, const struct page *p, const struct page_session *v)
{
	int agent = page_row(&p->agents, v->agent), project = page_row(&p->projects, v->project);

	buf_adds(out, " data-k=\"");
	if (agent >= 0)
		buf_addf(out, "a%d ", agent);
	if (project >= 0)
		buf_addf(out, "p%d ", project);
	for (unsigned i = 0; i < PAGE_NAMES; i++) {
		if (v->people & 1u << i)
			buf_addf(out, "w%u ", i);
		if (v->topics & 1u << i)
			buf_addf(out, "t%u ", i);
	}
	buf_adds(out, "\"");
}

/* Prints how a session is listed: its title, and when, where and with whom it was. */
static void
put_line(struct buf *out, const struct page *p, const struct page_session *v)
{
	const char *const words[] = { v->agent, path_base(v->project) };

	buf_adds(out, "<b>");
	page_clip(out, v->title, strlen(v->title), LINE_BYTES);
	buf_adds(out, "</b><small>");
	if (v->time_us != TIME_NONE)
		page_date(out, v->time_us);
	for (size_t i = 0; i < NELEM(words); i++)
		if (*words[i] != '\0') {
			buf_adds(out, " \302\267 ");
			page_text(out, words[i]);
		}
	for (size_t i = 0, n = 0; i <= PAGE_NAMES; i++)
		if (v->people & 1u << i) {
			buf_adds(out, n++ == 0 ? " \302\267 " : ", ");
			page_text(out, i < PAGE_NAMES ? p->people.rows[i].name : "others");
		}
	buf_adds(out, " \302\267 ");
	page_some(out, v->n, "turn");
	buf_adds(out, "</small>");
}

static int
put_session(struct buf *out, const struct page *p, size_t i, struct store *s,
	const struct scope *who, size_t text_end, struct err *err)
{
	const struct page_session *v = &p->sessions[i];
	struct message_filter all = MESSAGE_FILTER_ANY;
	struct turns t = { .out = out, .arena = ARENA_INIT, .most = text_end };
	struct scope in = *who;
	bool opens = out->len < text_end;
	int rc = 0;

	buf_addf(out, "<%s class=\"i s\" id=\"s%zu\"", opens ? "details" : "div", i);
	put_keys(out, p, v);
	buf_adds(out, opens ? "><summary>" : ">");
	put_line(out, p, v);
	buf_adds(out, opens ? "</summary>\n" : "");
	in.session = v->id;
	if (opens)
		rc = messages_each(s, &in, &all, put_turn, &t, err);
	if (opens && (t.n < v->n || out->len > text_end)) {
		buf_adds(out, "<p class=\"soft\">");
		page_some(out, t.n, "turn");
		buf_adds(out, " of it; all that are kept: <code>mem list -s '");
		page_text(out, v->id);
		buf_adds(out, "'</code></p>\n");
	}
	buf_addf(out, "</%s>\n", opens ? "details" : "div");
	arena_release(&t.arena);
	return rc;
}

/* How many of the sessions from the one at on are of its month, of which *name is filled. */
static size_t
month_of(const struct page *p, size_t at, struct buf *name)
{
	size_t n = 0;
	LOCAL(buf) other = buf_of(64);

	buf_reset(name);
	for (struct buf *to = name; at + n < p->n_sessions; to = &other, n++) {
		buf_reset(&other);
		if (p->sessions[at + n].time_us != TIME_NONE)
			page_month(to, p->sessions[at + n].time_us);
		else
			buf_adds(to, "Of no time");
		if (to == &other && strcmp(name->data, other.data) != 0)
			break;
	}
	return n;
}

static int
put_sessions(const struct page *p, struct buf *out, struct store *s, const struct scope *who,
	bool with_text, struct err *err)
{
	int64_t rest = p->n_sessions_all - (int64_t)p->n_sessions;
	size_t text_end = with_text ? out->len + TEXT_BYTES : 0, n;
	int rc = 0;

	if (p->n_sessions == 0)
		return 0;
	LOCAL(buf) name = buf_of(64);
	buf_adds(out, "<section id=\"sessions\" class=\"g\">\n<h2>Sessions</h2>\n");
	for (size_t at = 0; at < p->n_sessions && rc == 0; at += n) {
		n = month_of(p, at, &name);
		buf_addf(out, "<details class=\"g\"%s><summary>%s <small>%zu</small></summary>\n",
		    at < SHOWN ? " open" : "", name.data, n);
		for (size_t i = at; i < at + n && rc == 0; i++)
			rc = put_session(out, p, i, s, who, text_end, err);
		buf_adds(out, "</details>\n");
	}
	if (rest > 0) {
		buf_adds(out, "<p class=\"soft\">and ");
		page_some(out, rest, "older session");
		buf_adds(out, " with ");
		page_some(out, p->n_turns_rest, "turn");
		buf_adds(out, "</p>\n");
	}
	buf_adds(out, "</section>\n");
	return rc;
}

/* ---- the rest ---- */

static int
put_trigger(void *arg, const struct trigger *t)
{
	struct buf *out = arg;

	buf_adds(out, "<li>");
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

	buf_adds(out, "<section>\n<h2>What needs doing</h2>\n<ul>\n");
	if (triggers_each(s, who, since_us, false, put_trigger, out, &n_due, err) < 0)
		return -1;
	if (n_due == 0)
		buf_adds(out, "<li>nothing</li>\n");
	buf_adds(out, "</ul>\n<p class=\"soft\">Whether the store is sound was not looked at: "
		      "<code>mem-check</code></p>\n</section>\n");
	return 0;
}

static void
put_figures(const struct page *p, struct buf *out)
{
	buf_adds(out, "<section class=\"figures\">\n<details>\n<summary>All figures</summary>\n");
	page_days(out, p, "Searches a day", PAGE_SEARCHES);
	page_days(out, p, "Calls of models a day", PAGE_CALLS);
	buf_adds(out, "<table>\n");
	for (size_t i = 0; i < p->n_lines; i++) {
		buf_adds(out, "<tr><td>");
		page_text(out, p->lines[i].name);
		buf_adds(out, "</td><td>");
		stats_value(out, &p->lines[i]);
		buf_adds(out, "</td></tr>\n");
	}
	buf_adds(out, "</table>\n</details>\n</section>\n");
}

static void
put_charts(const struct page *p, struct buf *out)
{
	buf_adds(out, "<div class=\"cols\">\n<aside>\n");
	page_shares(out, "topics", "Topics", &p->topics, 't');
	page_shares(out, "projects", "Projects", &p->projects, 'p');
	page_shares(out, "people", "People", &p->people, 'w');
	page_shares(out, "agents", "Agents", &p->agents, 'a');
	buf_adds(out, "</aside>\n<div>\n");
}

int
html_page_write(struct store *s, const struct scope *who, int64_t since_us, bool with_text,
	struct buf *out, struct err *err)
{
	LOCAL(page) p = { .n_lines = 0 };
	struct page_counts counts = { 0, 0 };
	int rc = -1;
	LOCAL(buf) known = buf_of(conf_caps.output_bytes);

	/* the figures are all of one moment, and thousands of statements are one transaction */
	if (store_snapshot(s, err) < 0)
		return rc;
	if (page_read(&p, s, who, since_us, true, err) < 0 ||
	    page_known(s, who, &known, &counts, err) < 0)
		goto out;
	put_head(out, who);
	put_counts(&p, &counts, out, since_us);
	put_year(&p, out);
	buf_adds(out,
	    "<search hidden><input type=\"search\" placeholder=\"Search everything on this page\" "
	    "aria-label=\"Search\"><output></output><button type=\"button\">All</button>"
	    "</search>\n");
	put_charts(&p, out);
	buf_add(out, known.data, known.len);
	if (put_sessions(&p, out, s, who, with_text, err) < 0 || page_facts(s, who, out, err) < 0 ||
	    page_told(&p, s, who, with_text, out, err) < 0 ||
	    put_due(s, who, since_us, out, err) < 0)
		goto out;
	put_figures(&p, out);
	buf_adds(out,
	    "</div>\n</div>\n<footer class=\"soft\">Made by mem. Titles and facts are on it: it is "
	    "to be read by its owner. The picture of <code>mem stats --card</code> is for others."
	    "</footer>\n</main>\n<script>");
	put_file(out, "schema/page/filter.js");
	buf_adds(out, "</script>\n</body>\n</html>\n");
	rc = 0;
out:
	store_snapshot_end(s);
	return rc;
}

/* ---- the file ---- */

int
html_page_save(const char *path, const char *data, size_t len, struct err *err)
{
	struct stat st;
	bool beside = stat(path, &st) != 0 || S_ISREG(st.st_mode);
	int fd, rc = -1;
	LOCAL(buf) temp = buf_of(65536);

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
		rc = write_whole(fd, data, len);
		if ((close(fd) != 0 || rc != 0 || (beside && rename(temp.data, path) != 0))) {
			rc = err_set_errno(err, ERR_IO, "cannot write '%s'", path);
			if (beside)
				unlink(temp.data);
		}
	}
	return rc;
}
