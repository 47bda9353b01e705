/* mem-stats: count what is stored and how searches went */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/off.h"
#include "base/order.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "json/json.h"
#include "records/filter.h"
#include "report/calls.h"
#include "report/week.h"
#include "report/html_page.h"
#include "report/report.h"
#include "report/today.h"
#include "report/upkeep.h"
#include "work/missed.h"
#include "gen/programs.h"

#define NAME_COLUMNS 27

static const char *since, *html, *card;
static bool missed, show_pairs, today, calls, report, digest, triggers, status_if_none, with_text;

static const struct prog_opt opts[] = {
	PROG_OPTS_MEMORY,
	{ 0, "since", "TIME", OPT_TEXT, &since, NULL, 0, 0, "of searches and calls, only those from then on: 7d, 2026-05-07" },
	{ 0, "today", NULL, OPT_FLAG, &today, NULL, 0, 0, "sessions and recalls of today and of seven days, as 'mem' alone says" },
	{ 0, "calls", NULL, OPT_FLAG, &calls, NULL, 0, 0, "what models were asked and what it cost, by day, program and model" },
	{ 0, "report", NULL, OPT_FLAG, &report, NULL, 0, 0, "the week: searches, what is new, what models cost" },
	{ 0, "digest", NULL, OPT_FLAG, &digest, NULL, 0, 0, "the week in words: what was worked on, decided, done, left open, missed" },
	{ 0, "triggers", NULL, OPT_FLAG, &triggers, NULL, 0, 0, "what needs doing, each with the command for it" },
	{ 0, "missed", NULL, OPT_FLAG, &missed, NULL, 0, 0, "errors that came again and were cured again in the same way" },
	{ 0, "show", NULL, OPT_FLAG, &show_pairs, NULL, 0, 0, "with --missed: each of them" },
	{ 0, "html", "FILE", OPT_TEXT, &html, NULL, 0, 0, "a page to read: sessions, topics, people, facts, what was told; - for stdout" },
	{ 0, "with-text", NULL, OPT_FLAG, &with_text, NULL, 0, 0, "on the page sessions open, and show what was said" },
	{ 0, "card", "FILE", OPT_TEXT, &card, NULL, 0, 0, "a picture (SVG) for a profile page: how much, of what, and the year" },
	{ 'e', "exit-status", NULL, OPT_FLAG, &status_if_none, NULL, 0, 0, "with --triggers: exit 1 when nothing needs doing" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_STATS };

/* ---- output for people ---- */

static void
text_line(struct buf *out, const struct stats_line *l)
{
	print_cell(out, l->name, strlen(l->name), MAX(NAME_COLUMNS, (int)strlen(l->name)), 1);
	stats_value(out, l);
}

/* ---- output for programs ---- */

static void
record_stat(struct buf *out, const struct stats_line *l)
{
	json_record(out, "stat");
	json_str(out, "name", l->name);
	if (strcmp(l->unit, "time") == 0)
		json_time(out, "value", l->time_us);
	else
		json_num(out, "value", l->value);
	json_str(out, "unit", l->unit);
	json_close(out);
}

static int
put_line(void *arg, const struct stats_line *l)
{
	(void)arg;
	if (prog_for_people())
		text_line(prog_out(), l);
	else
		record_stat(prog_out(), l);
	buf_addc(prog_out(), '\n');
	/* there are few lines, and what the next one counts may take seconds */
	return prog_flush() != PROG_OUT_OK;
}

/* ---- today ---- */

static void
put_counts(const char *what, const int64_t n[2])
{
	print_cell(prog_out(), what, strlen(what), 10, 1);
	buf_add_count(prog_out(), n[0]);
	buf_adds(prog_out(), " today, ");
	buf_add_count(prog_out(), n[1]);
	buf_adds(prog_out(), " in seven days\n");
}

static void
text_today(const struct today *v)
{
	struct buf *out = prog_out();
	char day[TIME_TEXT];

	put_counts("sessions", v->n_sessions);
	put_counts("recalls", v->n_recalls);
	for (size_t i = 0; i < v->n; i++) {
		const char *project = path_base(v->newest[i].project);
		size_t start = out->len;

		buf_addf(out, "%s%-10s ", i == 0 ? "\n" : "",
		    time_format_day_local(v->newest[i].time_us, day));
		start += i == 0;
		print_cell(out, project, strlen(project), 12, 1);
		print_line(out, v->newest[i].title, strlen(v->newest[i].title),
		    prog_columns() - print_columns(out, start));
		buf_addc(out, '\n');
	}
	buf_adds(out, "\nmem search QUESTION     what was said about it\n"
	    "mem list sessions -n 9  the newest sessions\n"
	    "mem help                all programs\n");
}

static void
put_today(struct store *s, const struct scope *who, struct err *err)
{
	static const char *const names[] = { "today", "week" };
	LOCAL(arena) a = ARENA_INIT;
	struct today v;
	char name[40];
	const char *off = off_here();

	if (off != NULL)
		prog_caution("%s", off);
	if (today_read(s, who, &v, &a, err) == 0 && prog_for_people()) {
		text_today(&v);
	} else if (err->code == 0) {
		for (size_t i = 0; i < 4; i++) {
			const int64_t *n = i < 2 ? v.n_sessions : v.n_recalls;
			const struct stats_line l = { name, (double)n[i % 2], TIME_NONE, "count" };

			snprintf(name, sizeof(name), "%s.%s", i < 2 ? "sessions" : "recalls",
			    names[i % 2]);
			put_line(NULL, &l);
		}
	}
}

/* ---- the week in words ---- */

static void
text_digest(const struct week *d, int64_t since_us)
{
	static const char *const heads[] = { "Worked on", "Decided", "Wanted", "Done", "Left open",
		"Asked for in vain" };
	struct buf *out = prog_out();
	char day[TIME_TEXT];
	int part = -1;

	buf_addf(out, "Since %s\n", time_format_day_local(since_us, day));
	for (size_t i = 0; i < d->n; i++) {
		const struct week_item *it = &d->items[i];
		const char *project = path_base(it->project);

		if ((int)it->part != part)
			buf_addf(out, "\n%s\n", heads[it->part]);
		if (i == 0 && it->part == WEEK_WORKED && d->n_older > 0)
			buf_addf(out, "  %zu sessions before these\n", d->n_older);
		part = (int)it->part;
		size_t start = out->len;
		buf_addf(out, "  %s  ", time_format_day_local(it->time_us, day));
		if (*project != '\0')
			buf_addf(out, "%s: ", project);
		print_line(out, it->text, it->len, 240 - print_columns(out, start));
		if (*it->later != '\0') {
			buf_addc(out, ' ');
			print_line(out, it->later + 1, strlen(it->later + 1), 240);
		}
		buf_addc(out, '\n');
	}
	if (d->n_none > 0)
		buf_addf(out, "\n%zu of %zu searches found nothing that is likely to answer.\n",
		    d->n_none, d->n_searches);
	if (d->n == 0)
		buf_adds(out, "Nothing was said.\n");
}

static void
put_digest(struct store *s, const struct scope *who, int64_t since_us, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	struct buf *out = prog_out();
	struct week d;

	if (week_read(s, who, since_us, &a, &d, err) == 0 && prog_for_people()) {
		text_digest(&d, since_us);
	} else if (err->code == 0) {
		for (size_t i = 0; i < d.n; i++) {
			const struct week_item *it = &d.items[i];

			json_record(out, "digest");
			json_str(out, "part", week_part_names[it->part]);
			json_time(out, "time", it->time_us);
			if (*it->id != '\0')
				json_str(out, "id", it->id);
			if (*it->project != '\0')
				json_str(out, "project", it->project);
			if (*it->session != '\0')
				json_str(out, "session", it->session);
			json_strn(out, "text", it->text, it->len);
			if (*it->later != '\0')
				json_str(out, "later", it->later);
			json_end(out);
		}
		put_line(NULL, &(struct stats_line){ "sessions.older", (double)d.n_older,
			TIME_NONE, "count" });
		put_line(NULL, &(struct stats_line){ "searches.none", (double)d.n_none, TIME_NONE,
			"count" });
	}
	free(d.items);
}

/* ---- model calls ---- */

static int
put_calls(void *arg, const struct ledger_row *r)
{
	struct buf *out = prog_out();
	char day[TIME_TEXT];

	(void)arg;
	if (prog_for_people()) {
		buf_addf(out, "%s  %s%s", time_format_day(r->day * US_PER_DAY, day), r->program,
		    *r->model != '\0' ? ", " : "");
		print_line(out, r->model, strlen(r->model), 60);
		buf_addf(out,
		    ": %lld call%s, %lld failed, %lld not made, %lld + %lld tokens, %.4f\n",
		    (long long)r->n_calls, PLURAL(r->n_calls), (long long)r->n_failed,
		    (long long)r->n_stopped,
		    (long long)r->cost.tokens_in, (long long)r->cost.tokens_out,
		    (double)r->cost.micros / 1e6);
	} else {
		record_calls(out, conf_text("user"), r);
		buf_addc(out, '\n');
	}
	return 0;
}

/* ---- what the memory would have saved ---- */

struct saved { double *minutes; size_t n, cap; };

static void
text_missed(struct buf *out, const struct missed *m)
{
	char day[2][TIME_TEXT];
	LOCAL(buf) line = buf_of(conf_caps.output_bytes);

	work_lesson(&line, m->before);
	buf_addf(out, "%s, again on %s, %.0f minutes until it was cured again\n  ",
	    time_format_day_local(m->before->time_us, day[0]),
	    time_format_day_local(m->again->time_us, day[1]), m->minutes);
	print_line(out, line.data, line.len, prog_columns());
}

static void
record_missed(struct buf *out, const struct missed *m)
{
	LOCAL(buf) line = buf_of(conf_caps.output_bytes);

	work_lesson(&line, m->before);
	json_record(out, "missed");
	json_time(out, "time", m->again->time_us);
	json_str(out, "project", m->again->project);
	json_str(out, "session", m->again->session);
	json_str(out, "id", m->again->id);
	json_str(out, "of", m->again->did);
	json_str(out, "error", m->again->text);
	json_str(out, "cure", m->again->cure_id);
	json_num(out, "minutes", m->minutes);
	json_strn(out, "known", line.data, line.len);
	json_str(out, "before", m->before->id);
	json_str(out, "cured", m->before->cure_id);
	json_end(out);
}

static int
on_missed(void *arg, const struct missed *m, struct err *err)
{
	struct saved *v = arg;

	(void)err;
	*xpush(v->minutes, v->n, v->cap) = m->minutes;
	if (show_pairs && prog_for_people())
		text_missed(prog_out(), m);
	else if (show_pairs)
		record_missed(prog_out(), m);
	return 0;
}

static void
put_missed(struct store *s, const struct scope *who, struct err *err)
{
	struct saved v = { NULL, 0, 0 };
	int64_t n_sessions;

	if (missed_each(s, who, on_missed, &v, &n_sessions, err) == 0 && !show_pairs) {
		if (v.n > 0)
			qsort(v.minutes, v.n, sizeof(*v.minutes), by_double);
		put_line(NULL, &(struct stats_line){ "missed.sessions", (double)n_sessions,
			TIME_NONE, "count" });
		put_line(NULL, &(struct stats_line){ "missed.errors", (double)v.n, TIME_NONE,
			"count" });
		put_line(NULL, &(struct stats_line){ "missed.minutes",
			v.n > 0 ? v.minutes[v.n / 2] : NAN, TIME_NONE, "minutes" });
	}
	free(v.minutes);
}

/* ---- what needs doing ---- */

static void
record_trigger(struct buf *out, const struct trigger *t)
{
	json_record(out, "trigger");
	json_str(out, "user", conf_text("user"));
	json_str(out, "name", t->name);
	json_num(out, "value", t->value);
	json_num(out, "limit", t->limit);
	json_str(out, "unit", t->unit);
	json_str(out, "why", t->why);
	json_str(out, "run", t->run);
	json_end(out);
}

static int
put_trigger(void *arg, const struct trigger *t)
{
	const struct stats_line value = { t->name, t->value, TIME_NONE, t->unit },
				limit = { t->name, t->limit, TIME_NONE, t->unit };
	struct buf *out = prog_out();

	(void)arg;
	if (!prog_for_people()) {
		record_trigger(out, t);
		return 0;
	}
	buf_addf(out, "%s: %s (", t->name, t->why);
	stats_value(out, &value);
	if (t->limit > 0) {
		buf_adds(out, ", over ");
		stats_value(out, &limit);
	}
	buf_addf(out, ")\n    %s\n", t->run);
	return 0;
}

/* Writes the page or the card completely, or leaves the one that was there before. */
static int
put_page(struct store *s, const struct scope *who, int64_t since_us, struct err *err)
{
	const char *file = card != NULL ? card : html;
	LOCAL(buf) page = buf_of(conf_caps.output_bytes);
	int rc = card != NULL ? html_card_write(s, who, &page, err)
			  : html_page_write(s, who, since_us, with_text, &page, err);

	if (rc == 0 && strcmp(file, "-") == 0)
		buf_add(prog_out(), page.data, page.len);
	else if (rc == 0)
		rc = html_page_save(file, page.data, page.len, err);
	return rc;
}

static void
run(struct store *s, const struct scope *who, int64_t since_us, struct err *err)
{
	size_t n_due;

	if (html != NULL || card != NULL) {
		put_page(s, who, since_us, err);
	} else if (missed) {
		put_missed(s, who, err);
	} else if (today) {
		put_today(s, who, err);
	} else if (triggers) {
		if (triggers_each(s, who, since_us, true, put_trigger, NULL, &n_due, err) != 0)
			return;
		if (n_due == 0)
			prog_note("nothing needs doing");
		if (n_due == 0 && status_if_none)
			err->code = ERR_NOTFOUND;
	} else if (digest) {
		put_digest(s, who, since_us, err);
	} else if (report) {
		report_each(s, who, since_us, put_line, NULL, err);
	} else if (calls) {
		ledger_each(s, who, since_us, put_calls, NULL, err);
	} else if (stats_each(s, who, since_us, put_line, NULL, err) == 0 &&
	    upkeep_times(s, who, put_line, NULL, err) == 0) {
		calls_figures(s, who, since_us, put_line, NULL, err);
	}
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct store *s = NULL;
	int64_t since_us = TIME_NONE, end_us;
	int i = prog_start(&prog, argc, argv);
	struct scope who = { .user = conf_text("user") };

	if (i < argc)
		err_set(&err, ERR_USAGE, "takes no operand, not '%s'", argv[i]);
	else if (missed + today + calls + report + digest + triggers + (html != NULL) +
	    (card != NULL) > 1)
		err_set(&err, ERR_USAGE,
		    "one of --missed, --today, --calls, --report, --digest, --triggers, --html and "
		    "--card");
	else if (show_pairs && !missed)
		err_set(&err, ERR_USAGE, "--show goes with --missed");
	else if (with_text && html == NULL)
		err_set(&err, ERR_USAGE, "--with-text goes with --html");
	else if (status_if_none && !triggers)
		err_set(&err, ERR_USAGE, "-e goes with --triggers");
	else if (prog_unread(PROG_UNREAD_MS, &err) == 0 && since != NULL)
		filter_time("--since", since, clock_now_us(), &since_us, &end_us, &err);
	if (err.code != 0)
		return prog_end(&err);
	if (since == NULL && (report || digest || triggers))
		since_us = clock_now_us() - conf_int("report_days") * US_PER_DAY;
	if (store_open(conf_db(), STORE_READ, &s, &err) == 0) {
		run(s, &who, since_us, &err);
	} else {
		prog_empty(&err);
		if (err.code == 0 && status_if_none)
			err.code = ERR_NOTFOUND;
	}
	store_close(s);
	return prog_end(&err);
}
