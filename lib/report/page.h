/*
 * page.h: what the page and the card show, read from the store once. Private to lib/report.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "base/buf.h"
#include "report/report.h"

#define PAGE_WEEKS     53
#define PAGE_DAYS      (PAGE_WEEKS * 7)
#define PAGE_SESSIONS  500         /* rows of the table; the rest is counted */
#define PAGE_NAMES     12          /* bars of a chart; the rest is one more */

/* Counts by name, the largest first when read. */
struct shares { struct share { const char *name; int64_t n; } *rows; size_t n, cap; };

struct page_session {
	const char *id, *agent, *project, *title;
	const char *opening;       /* of its first turn, NULL: not asked for */
	int64_t time_us, n;
};

/* One figure of stats.h, kept. */
struct page_line { const char *name, *unit; double value; int64_t time_us; };

/* Searches, recalls and calls of a day. */
struct page_day {
	int64_t day;               /* days since 1970 */
	size_t n;
	uint32_t *us;              /* [n] */
	size_t cap;
	int64_t recalls, tokens, calls;
};

struct page {
	struct arena arena;
	struct page_line *lines;
	size_t n_lines, cap_lines;
	struct page_day *days;     /* [n_days] by ascending day */
	size_t n_days, cap_days;
	/* messages of each day, in weeks from Monday on; year_from is the first of them */
	int64_t year_from, today;
	uint32_t year[PAGE_DAYS];
	struct shares agents, projects, people, topics;
	struct page_session *sessions;
	size_t n_sessions, cap_sessions;
	int64_t n_sessions_all, n_turns_rest;      /* turns of those that have no row */
	int64_t n_people;
	int64_t n_recalls, recall_tokens;
};

/*
 * Reads all of it; since_us limits searches, recalls and calls. with_text: how sessions begin. *p
 * must be zeros; page_release frees it, after an error too. Cost: that of report_each and
 * stats_each, 20 ns a turn, and 10 us a session.
 */
int page_read(struct page *p, struct store *s, const struct scope *who, int64_t since_us,
	bool with_text, struct err *err);
void page_release(struct page *p);

/* A figure of that name; 0: there is none. */
double page_figure(const struct page *p, const char *name);

/* ---- parts of the drawing ---- */

/* Appends text for HTML and XML: what could be markup is escaped, controls are left out. */
void page_text(struct buf *out, const char *s);
/* Appends 12,345. */
void page_count(struct buf *out, int64_t n);
/* Appends the squares of the year, "l0" to "l4" their classes, each step units wide. */
void page_year(struct buf *out, const struct page *p, int step, bool with_titles);

/* ---- charts ---- */

void page_value(struct buf *out, const struct page_line *l);
/* A section with a bar for each name; those that there is no room for are the last. */
void page_shares(struct buf *out, const char *title, const struct shares *t);
/* Bars of the figures whose name begins so; nothing where there are none. alone: as a section. */
void page_bars(struct buf *out, const struct page *p, bool alone, const char *title,
	const char *prefix);
/* A column for each day, from the first with a value to the last; nothing where there are none. */
enum page_of { PAGE_SEARCHES, PAGE_TOKENS, PAGE_P95, PAGE_CALLS };
void page_days(struct buf *out, const struct page *p, const char *title, const char *unit,
	enum page_of of);

#endif
