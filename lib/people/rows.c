/* rows.c: cells of a width each, and a last one that takes the rest of the terminal's line. */
#include "people/rows.h"

#include "calls/calls.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "facts/subject.h"
#include "json/json.h"
#include "records/handles.h"
#include "records/record.h"
#include "records/title.h"

#define FLUSH_BYTES     (32u << 10)
#define HOST_COLUMNS    12
#define CALLS_BYTES     600                /* of what the calls of a turn did */
#define STALE_COLUMNS   30                 /* the width of a reason */
#define DAY_COLUMNS     10
#define TIME_COLUMNS    16                 /* the width of 2026-05-07 06:58 */
/* the width of a session; it is more on a wide terminal */
#define SESSION_COLUMNS 8
#define WHO_COLUMNS     9
/* the width of the UUIDs that agents name their sessions with */
#define UUID_COLUMNS    36
/* the least width of the last column: what 80 columns leave beside a UUID */
#define REST_COLUMNS    16
#define LATER_INDENT    5                  /* of what was said later, below a number and its gap */
/* what a narrow terminal shows of the name of a session: enough of a UUID for -s */
#define NAME_COLUMNS    14
#define WIDE_COLUMNS    110                /* from here on whole UUIDs are shown */

/* Prints text on one line, cut or padded to columns, and two spaces after it. */
static void
cell(const char *text, int columns)
{
	print_cell(prog_out(), text, strlen(text), columns, 2);
}

/* Prints a time to the minute; blanks when there is none. */
static void
cell_time(int64_t us)
{
	char text[TIME_TEXT];

	time_format_local(us, text);
	if (text[0] != '\0') {
		text[10] = ' ';
		text[TIME_COLUMNS] = '\0';
	}
	cell(text, TIME_COLUMNS);
}

/* Prints text in the rest of the line that began at start. */
static void
last_cell(const char *text, size_t len, size_t start)
{
	print_line(prog_out(), text, len,
	    MAX(prog_columns() - print_columns(prog_out(), start), REST_COLUMNS));
}

static const struct { const char *head; size_t at; int columns; unsigned kinds; } counted[] = {
	{ "sessions", offsetof(struct name_count, sessions), 8, ~(1u << NAME_TOPIC) },
	{ "messages", offsetof(struct name_count, messages), 8, ~0u },
	{ "records", offsetof(struct name_count, records), 7, ~(1u << NAME_PERSON) },
};

/*
 * Begins a line with its number, by which "mem-show" and "-s" take what it is of, and the end of an
 * id that no other id has.
 */
static void
cell_number(struct rows *v, const char *name, bool is_id)
{
	handles_add(&v->handles, ++v->n, name);
	buf_addf(prog_out(), "%3zu  ", v->n);
	if (!is_id)
		return;
	const char *end = id_end(&v->ends, v->store, v->who, name);
	cell(end, (int)MAX(strlen(end), 5));
}

static void
cell_message(struct rows *v, const struct message *m)
{
	bool wide = prog_columns() >= WIDE_COLUMNS;

	cell_number(v, m->id, true);
	cell_time(m->time_us);
	cell(m->session, wide ? MIN(prog_columns() / 6, UUID_COLUMNS) : SESSION_COLUMNS);
	cell(message_by(m), WHO_COLUMNS);
}

void
rows_init(struct rows *v, struct store *s, const struct scope *who, bool all, struct err *err)
{
	*v = (struct rows){ .store = s, .who = who, .err = err, .all = all,
		.id_columns = SESSION_COLUMNS };
	buf_init(&v->handles, conf_caps.output_bytes);
}

void
rows_release(struct rows *v)
{
	id_ends_free(&v->ends);
	index_free(v->index);
	buf_release(&v->handles);
}

/* Ends a line; returns 1 when nobody reads any more. */
static int
end_line(const struct rows *v)
{
	buf_addc(prog_out(), '\n');
	return !v->gathered && prog_out()->len >= FLUSH_BYTES && prog_flush() != PROG_OUT_OK;
}

/* ---- one of each kind ---- */

int
row_message(void *arg, const struct message *m)
{
	struct rows *v = arg;
	size_t start = prog_out()->len;

	if (!prog_for_people()) {
		record_message(prog_out(), v->who->user, m);
		return end_line(v);
	}
	cell_message(v, m);
	if (calls_alone(m->content, m->content_len, m->tool_calls)) {
		LOCAL(arena) a = ARENA_INIT;
		const char *did = calls_said(m->tool_calls, CALLS_BYTES, &a);

		last_cell(did, strlen(did), start);
	} else {
		last_cell(m->content, m->content_len, start);
	}
	return end_line(v);
}

/* Prints in which program the session was held, where that is known. */
static void
put_host(const struct session *s)
{
	LOCAL(arena) a = ARENA_INIT;
	const struct json *about;
	const char *host;

	if (s->metadata != NULL && s->metadata[0] != '\0' &&
	    json_parse(s->metadata, strlen(s->metadata), &a, &about, NULL) == 0 &&
	    (host = json_get_string(about, "host", NULL)) != NULL) {
		print_line(prog_out(), host, strlen(host), HOST_COLUMNS);
		buf_adds(prog_out(), ": ");
	}
}

int
rows_measure(void *arg, const struct session *s)
{
	struct rows *v = arg;

	v->id_columns = MIN(MAX(v->id_columns, (int)strlen(s->id)),
	    prog_columns() >= WIDE_COLUMNS ? UUID_COLUMNS : NAME_COLUMNS);
	return 0;
}

int
row_session(void *arg, const struct session *s)
{
	struct rows *v = arg;
	LOCAL(arena) a = ARENA_INIT;
	size_t start = prog_out()->len;
	const char *title;
	int rc = session_title(v->store, v->who, s, &a, &title, v->err);

	if (rc == 0 && !prog_for_people()) {
		record_session(prog_out(), v->who->user, s, title);
	} else if (rc == 0) {
		cell_number(v, s->id, false);
		cell_time(s->updated_us);
		cell(s->id, v->id_columns);
		buf_addf(prog_out(), "%6lld  ", (long long)s->n_messages);
		put_host(s);
		last_cell(title, strlen(title), start);
	}
	return rc != 0 ? -1 : end_line(v);
}

int
row_chunk(void *arg, const struct message *of, const struct chunk *c, unsigned index)
{
	struct rows *v = arg;
	size_t start = prog_out()->len;

	if (!prog_for_people()) {
		record_chunk(prog_out(), v->who->user, of, c, index);
		return end_line(v);
	}
	cell_message(v, of);
	cell(c->kind == CHUNK_PROSE	 ? ""
		: c->language[0] != '\0' ? c->language
					 : "code",
	    WHO_COLUMNS);
	last_cell(of->content + c->start, c->len, start);
	return end_line(v);
}

int
row_metric(void *arg, const struct metric *m)
{
	const struct rows *v = arg;

	if (!prog_for_people()) {
		record_metric(prog_out(), v->who->user, m);
		return end_line(v);
	}
	cell_time(m->time_us);
	cell(m->program, SESSION_COLUMNS);
	cell(m->path, SESSION_COLUMNS);
	buf_addf(prog_out(), "%4lld likely %8.1f ms  %s", (long long)m->n_hits,
	    (double)m->us_all / 1000, m->flags);
	return end_line(v);
}

/* Why a fact is listed only where all are; "": it is listed always. */
static const char *
why_gone(const struct fact *f)
{
	return f->head.retracted_us != TIME_NONE			      ? "retracted"
	    : *f->summarized != '\0'					      ? "summed up"
	    : f->valid_to_us != TIME_NONE && f->valid_to_us <= clock_now_us() ? "ended"
									      : "";
}

/* Lines of what was said later; where lines are gathered the last first, as they are turned. */
static void
put_later(const struct rows *v, const struct decided *d)
{
	char day[TIME_TEXT];

	for (size_t k = 0; k < d->n; k++) {
		size_t start = prog_out()->len, i = v->gathered ? d->n - 1 - k : k;

		buf_addf(prog_out(), "%*s%s %s: ", LATER_INDENT, "",
		    i == 0 && d->ended ? "ended" : "said",
		    time_format_day_local(d->later[i].m->time_us, day));
		last_cell(d->later[i].text, d->later[i].len, start);
		buf_addc(prog_out(), '\n');
	}
}

/* Writes the record, and what was said later as a member that it does not have by itself. */
static void
put_record(struct rows *v, const struct fact *f, int64_t n_stale, const struct decided *d)
{
	struct fact told = *f;
	LOCAL(buf) extra = buf_of(conf_caps.output_bytes);

	json_open(&extra);
	decided_write(d, &extra);
	json_members(&extra, f->head.extra);
	json_close(&extra);
	if (d->n > 0)
		told.head.extra = extra.data;
	record_summary(prog_out(), v->who->user, &told, n_stale, NULL);
}

/* A line for people. */
static void
put_line(struct rows *v, const struct fact *f, int64_t n_stale, struct arena *a)
{
	size_t start = prog_out()->len;
	bool wide = prog_columns() >= WIDE_COLUMNS;
	/* since when a fact holds, else when it was said */
	int64_t us = f->head.type == RECORD_FACT && f->valid_from_us != TIME_NONE
	    ? f->valid_from_us
	    : f->head.time_us != TIME_NONE ? f->head.time_us
					   : f->head.stored_us;
	char day[TIME_TEXT];

	cell_number(v, f->head.id, true);
	cell(time_format_day_local(us, day), DAY_COLUMNS);
	if (f->head.type == RECORD_FACT) {
		cell(f->bank, wide ? SESSION_COLUMNS : WHO_COLUMNS);
		if (wide)
			cell(f->key, WHO_COLUMNS);
		if (v->all)
			cell(why_gone(f), WHO_COLUMNS);
	}
	if (f->head.type == RECORD_SUMMARY && f->summary.kind == SUMMARY_SESSION)
		cell(f->head.session, wide ? UUID_COLUMNS : NAME_COLUMNS);
	if (f->head.type == RECORD_SUMMARY)
		cell(n_stale > 0 ? "stale" : "", WHO_COLUMNS);
	const char *shown = fact_brief(f, a);
	last_cell(shown, strlen(shown), start);
}

int
row_record(void *arg, const struct fact *f)
{
	struct rows *v = arg;
	LOCAL(arena) a = ARENA_INIT;
	struct decided d;
	int64_t n_stale;
	int rc = -1;

	if (summary_stale(v->store, v->who, f, &n_stale, v->err) < 0 ||
	    decided_read(v->store, &v->index, v->who, f, &a, &d, v->err) < 0)
		return rc;
	if (!prog_for_people()) {
		put_record(v, f, n_stale, &d);
		rc = end_line(v);
	} else {
		if (v->gathered)
			put_later(v, &d);
		put_line(v, f, n_stale, &a);
		rc = end_line(v);
		if (!v->gathered)
			put_later(v, &d);
	}
	return rc;
}

int
row_stale(void *arg, const struct stale *of)
{
	struct rows *v = arg;
	const struct record_head *h = &of->was->head;
	size_t start = prog_out()->len;

	if (!prog_for_people()) {
		record_stale(prog_out(), v->who->user, of);
		return end_line(v);
	}
	cell_number(v, h->id, true);
	cell(h->type == RECORD_SUMMARY ? "summary" : "fact", WHO_COLUMNS);
	cell(of->why, STALE_COLUMNS);
	last_cell(h->content, h->content_len, start);
	return end_line(v);
}

void
row_text(struct rows *v, const char *id, int64_t time_us, const char *text, size_t len)
{
	size_t start = prog_out()->len;
	char day[TIME_TEXT];

	cell_number(v, id, true);
	cell(time_format_day_local(time_us, day), DAY_COLUMNS);
	last_cell(text, len, start);
}

static void
record_name(struct buf *out, const char *user, enum name_kind kind, const struct name_count *c)
{
	json_record(out, "name");
	json_str(out, "kind", name_kinds[kind]);
	record_text(out, "id", c->id);
	json_str(out, "user", kind == NAME_USER ? c->name : user);
	json_str(out, "name", c->name);
	json_time(out, "time", c->last_us);
	json_int(out, "sessions", c->sessions);
	json_int(out, "messages", c->messages);
	json_int(out, "records", c->records);
	json_close(out);
}

int
row_name(struct rows *v, enum name_kind kind, const struct name_count *c)
{
	struct buf *out = prog_out();

	if (!prog_for_people()) {
		record_name(out, v->who->user, kind, c);
		return end_line(v);
	}
	if (*c->id != '\0')
		cell_number(v, c->id, false);
	cell_time(c->last_us);
	for (size_t i = 0; i < NELEM(counted); i++)
		if (counted[i].kinds & 1u << kind)
			buf_addf(out, "%*lld  ", counted[i].columns,
			    (long long)*(const int64_t *)((const char *)c + counted[i].at));
	print_line(out, c->name, strlen(c->name), MAX(prog_columns() - 50, 30));
	return end_line(v);
}

void
row_heads(enum name_kind kind)
{
	if (kind == NAME_TOPIC)
		buf_adds(prog_out(), "     ");
	cell("last", TIME_COLUMNS);
	for (size_t i = 0; i < NELEM(counted); i++)
		if (counted[i].kinds & 1u << kind)
			buf_addf(prog_out(), "%*s  ", counted[i].columns, counted[i].head);
	buf_addf(prog_out(), "%s\n", name_kinds[kind]);
}
