/* page.h: what the page and the card show, read from the store once. Private to lib/report. */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "report/report.h"

#define PAGE_WEEKS     53
#define PAGE_DAYS      (PAGE_WEEKS * 7)
#define PAGE_SESSIONS  500         /* that are listed; the rest is counted */
#define PAGE_NAMES     12          /* bars of a chart; the rest is one more */

/* Counts by name, the largest first when read; key: what of the store it is. */
struct share { const char *name; int64_t n, key; };
struct shares { struct share *rows; size_t n, cap; };

struct page_session {
	const char *id, *agent, *project, *title;
	int64_t time_us, n;
	int64_t number;            /* of the store, as in the rows of its messages */
	uint32_t people, topics;   /* bit i: row i of page.people, of page.topics */
};

/* Of a day of the person's zone. */
struct page_day {
	int64_t day;               /* days since 1970 */
	int64_t searches, recalls, tokens, calls;
};

/* What an agent was given. */
struct page_told {
	const char *host, *project;
	int64_t time_us, tokens;
	const char **ids;          /* [n] of messages and facts */
	size_t n;
};

struct page {
	struct arena arena;
	struct stats_line *lines;
	size_t n_lines, cap_lines;
	struct page_day *days;     /* [n_days] by ascending day */
	size_t n_days, cap_days;
	/* messages of each day, in weeks from Monday on; year_from is the first of them */
	int64_t year_from, today;
	int64_t day, day_from_us, day_end_us;      /* the day that was asked for last */
	uint32_t year[PAGE_DAYS];
	struct shares agents, projects, people, topics;
	struct shares programs;    /* the agents by whom turns came, and no names that users gave */
	struct page_session *sessions;
	size_t n_sessions, cap_sessions;
	int64_t n_sessions_all, n_turns_rest;      /* turns of those that are not listed */
	int64_t n_people;
	/* [65536] of each number of a speaker that of the person; NULL: nobody has two names */
	uint16_t *person;
	int64_t longest, longest_us;       /* turns of the longest session, and when it ended */
	struct page_told *told;    /* [n_told] by time */
	size_t n_told, cap_told;
	int64_t n_recalls, recall_tokens;
};

/*
 * Reads all of it; since_us limits searches, recalls and calls. titled: titles of sessions too. *p
 * must be zeros; page_release frees it, after an error too. Cost: that of report_each and
 * stats_each, 25 ns a turn, and 30 us a session that is listed.
 */
int page_read(struct page *p, struct store *s, const struct scope *who, int64_t since_us,
	bool titled, struct err *err);
void page_release(struct page *p);

/* A figure of that name; 0: there is none. */
double page_figure(const struct page *p, const char *name);
/* Which of the rows that have a bar is of that name; -1: none. */
int page_row(const struct shares *t, const char *name);

/* ---- parts of the drawing ---- */

/* Appends text for HTML and XML: what could be markup is escaped, controls are left out. */
void page_text(struct buf *out, const char *s);
/* The same, of at most most bytes, with "…" behind what was cut. */
void page_clip(struct buf *out, const char *s, size_t len, size_t most);
/* Appends "1 turn", "12,345 turns". */
void page_some(struct buf *out, int64_t n, const char *one);
/* Appends May 2026; "2 May 2026". */
void page_month(struct buf *out, int64_t time_us);
void page_date(struct buf *out, int64_t time_us);
/* Appends the year with its months, "l0" to "l4" the classes of days, each step units wide. */
void page_year(struct buf *out, const struct page *p, double step, bool with_titles);
/* What is shown of row i: of a path as many last parts as tell it from the other rows. */
const char *page_name(const struct shares *t, size_t i);

/* ---- charts ---- */

/* A section with a bar for each name; kind: what sessions of row i have, "p3", in data-k. */
void page_shares(struct buf *out, const char *id, const char *title, const struct shares *t,
	char kind);
/* A column for each day, from the first with a value to the last; nothing for one day alone. */
enum page_of { PAGE_SEARCHES, PAGE_TOKENS, PAGE_CALLS };
void page_days(struct buf *out, const struct page *p, const char *title, enum page_of of);

/* ---- what is known and what was told ---- */

/* Sections of what is open and of what contradicts, and how many there are; of the facts. */
struct page_counts { size_t n_open, n_decide; };
int page_known(struct store *s, const struct scope *who, struct buf *out,
	struct page_counts *counts, struct err *err);
int page_facts(struct store *s, const struct scope *who, struct buf *out, struct err *err);
/* A section of what agents were given; with_text: its words. */
int page_told(const struct page *p, struct store *s, const struct scope *who, bool with_text,
	struct buf *out, struct err *err);
