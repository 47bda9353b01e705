/*
 * week.c: sessions by their newest turn, then the facts that rules find in the turns of the span.
 */
#include "report/week.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/me.h"
#include "base/order.h"
#include "facts/extract.h"
#include "hook/open_todo.h"
#include "json/json.h"
#include "records/record.h"
#include "records/title.h"
#include "report/report.h"
#include "search/decided.h"
#include "search/search.h"
#include "statement/cues.h"
#include "statement/statement.h"
#include "store/records.h"

#define SESSIONS_MOST 40
#define TEXT_BYTES    300

const char *const week_part_names[N_WEEK_PARTS] = { "worked", "decided", "wanted",
	"done", "open", "missed" };

struct reader {
	struct store *s;
	const struct scope *who;
	int64_t since_us;
	struct arena *a, line;
	struct week *d;
	struct search *search;             /* of todos; NULL: none has asked yet */
	struct index *index;               /* of what was said later of decisions */
	struct extract *extract;
	struct buf json;
	size_t n_sessions;
	bool mail;                         /* the session that is looked at */
	struct err *err;
};

static struct week_item *
add(struct reader *r, enum week_part part, int64_t time_us, const char *text, size_t len)
{
	struct week *d = r->d;

	while (len > 0 && strchr(" \t\r\n-*", text[len - 1]) != NULL)
		len--;
	xgrow(&d->items, &d->cap, d->n + 1, sizeof(*d->items));
	d->items[d->n] = (struct week_item){ .part = part, .time_us = time_us, .id = "",
		.session = "", .project = "", .later = "",
		.text = arena_strndup(r->a, text, len), .len = len };
	return &d->items[d->n++];
}

static bool
is_in_span(const struct reader *r, int64_t us)
{
	return us != TIME_NONE && us >= r->since_us;
}

/* ---- sessions ---- */

static int
on_first(void *arg, const struct message *m)
{
	struct reader *r = arg;
	const struct json *extra;
	struct err none = ERR_INIT;

	r->mail = *m->extra != '\0' &&
	    json_parse(m->extra, strlen(m->extra), r->a, &extra, &none) == 0 &&
	    (json_get(extra, "subject") != NULL || json_get(extra, "to") != NULL);
	return 1;
}

/* Whether it begins with a mail: who gets an invoice has not worked on it. */
static int
is_mail(struct reader *r, const struct session *v)
{
	struct scope in = *r->who;
	struct message_filter first = MESSAGE_FILTER_ANY;

	in.session = v->id;
	first.limit = 1;
	r->mail = false;
	return messages_each(r->s, &in, &first, on_first, r, r->err) != 0 ? -1 : r->mail;
}

static int
see_session(void *arg, const struct session *v)
{
	struct reader *r = arg;
	int64_t us = v->updated_us != TIME_NONE ? v->updated_us : v->created_us;
	const char *title;
	int rc;

	if (us == TIME_NONE || us < r->since_us)
		return 1;
	if ((rc = is_mail(r, v)) != 0)
		return MIN(rc, 0);
	if (r->n_sessions == SESSIONS_MOST) {
		r->d->n_older++;
		return 0;
	}
	if (session_title(r->s, r->who, v, r->a, &title, r->err) != 0)
		return -1;
	r->n_sessions++;
	struct week_item *it = add(r, WEEK_WORKED, us, title, strlen(title));
	it->session = arena_strdup(r->a, v->id);
	it->project = arena_strdup(r->a, v->project != NULL ? v->project : "");
	return 0;
}

/* ---- what was said ---- */

static bool
is_told(const struct week *d, const char *text)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->items[i].part != WEEK_WORKED && strcmp(d->items[i].text, text) == 0)
			return true;
	return false;
}

/* Whether it says that something is decided, and not only what somebody wants. */
static bool
is_decision(const char *text, size_t len)
{
	enum reading_kind kind = READ_FACT;

	return cues_has("schema/cues/compacted.txt", "decision", text, len) ||
	    (statement_head(text, len, &kind) > 0 && kind == READ_DECISION);
}

struct by_hand { const struct fact *of; bool ended; };

static int
on_stored(void *arg, size_t i, const struct fact *f)
{
	struct by_hand *v = arg;

	(void)i;
	v->ended |= f->kind == FACT_TODO && strcmp(f->head.content, v->of->head.content) == 0 &&
	    (f->head.retracted_us != TIME_NONE || todo_ended(f));
	return 0;
}

/* Whether a todo of the message is closed: by what was said or stored later, or by hand. */
static int
is_closed(struct reader *r, const struct fact *f, const char *text, size_t len, bool *closed)
{
	struct by_hand v = { f, false };
	enum todo_state state = TODO_OPEN;
	const struct message *m;
	struct todo_turn said;

	if (messages_find(r->s, r->who, f->head.sources[0].id, r->a, &m, r->err) != 0)
		return -1;
	*closed = true;
	if (m == NULL)
		return 0;
	said = (struct todo_turn){ m->row, m->turn, m->time_us, m->session,
		m->project };
	if (records_of_messages(r->s, r->who, &m->row, 1, on_stored, &v, r->err) != 0)
		return -1;
	if (!v.ended &&
	    todo_later(r->s, &r->search, r->who, text, len, &said, &state, r->err) != 0)
		return -1;
	*closed = v.ended || state == TODO_CLOSED;
	return 0;
}

/* The quote is what was said; a fact's own text may be in other words. */
static int
see_fact(void *arg, const struct fact *f, const char *const *quotes)
{
	struct reader *r = arg;
	const char *text = quotes[0];
	size_t len = strlen(text);
	enum week_part part = is_decision(text, len) ? WEEK_DECIDED : WEEK_WANTED;
	bool closed = false;

	if ((f->kind != FACT_DECISION && f->kind != FACT_TODO) || len > TEXT_BYTES ||
	    is_told(r->d, text))
		return 0;
	if (f->kind == FACT_TODO && todo_said(text, len)) {
		if (is_closed(r, f, text, len, &closed) != 0)
			return -1;
		part = closed ? WEEK_DONE : WEEK_OPEN;
	} else if (f->kind != FACT_DECISION) {
		return 0;
	}
	struct week_item *it = add(r, part, f->head.time_us, text, len);
	it->id = arena_strdup(r->a, f->head.sources[0].id);
	it->session = arena_strdup(r->a, f->head.session);
	it->project = arena_strdup(r->a, f->head.project);
	return decided_add(r->s, &r->index, r->who, f, r->a, &it->later, r->err);
}

static int
see_message(void *arg, const struct message *m)
{
	struct reader *r = arg;
	const struct json *v;

	if (m->content_len == 0 || !me_speaks(m->name))
		return 0;
	arena_reset(&r->line);
	buf_reset(&r->json);
	record_message(&r->json, r->who->user, m);
	if (json_parse(r->json.data, r->json.len, &r->line, &v, r->err) != 0)
		return -1;
	return extract_message(r->extract, v, r->err) < 0 || r->err->code != 0 ? -1 : 0;
}

static int
read_said(struct reader *r)
{
	struct message_filter f = MESSAGE_FILTER_ANY;

	f.role = ROLE_USER;
	f.since_us = r->since_us;
	buf_init(&r->json, SIZE_MAX / 4);
	r->extract = extract_new(r->who->user, NULL, see_fact, r);
	int rc = messages_each(r->s, r->who, &f, see_message, r, r->err);
	if (rc == 0)
		rc = extract_flush(r->extract) != 0 ? -1 : 0;
	extract_free(r->extract);
	buf_release(&r->json);
	return rc;
}

/* ---- what was asked in vain ---- */

static int
see_note(void *arg, const struct fact *f)
{
	struct reader *r = arg;
	const struct record_head *h = &f->head;
	int64_t us = h->time_us != TIME_NONE ? h->time_us : h->stored_us;

	if (h->tags != NULL && strstr(h->tags, "\"missed\"") != NULL && is_in_span(r, us))
		add(r, WEEK_MISSED, us, h->content, MIN(h->content_len, (size_t)TEXT_BYTES))
		    ->id = arena_strdup(r->a, h->id);
	return 0;
}

static int
read_missed(struct reader *r)
{
	struct record_filter f = RECORD_FILTER_ANY(RECORD_REFLECTION);
	LOCAL(report) v = { .n_none = 0 };
	int rc = report_read(r->s, r->who, r->since_us, &v, r->err);

	r->d->n_searches = v.all.n;
	r->d->n_none = v.n_none;
	return rc == 0 ? records_each(r->s, r->who, &f, see_note, r, r->err) : -1;
}

ORDER_BY_TWO(by_part, struct week_item, part, time_us)

int
week_read(struct store *s, const struct scope *who, int64_t since_us, struct arena *a,
	struct week *out, struct err *err)
{
	struct reader r = { .s = s, .who = who, .since_us = since_us, .a = a, .d = out,
		.err = err };

	*out = (struct week){ .n = 0 };
	int rc = sessions_by_time(s, who, true, TIME_NONE, see_session, &r, err);
	if (rc == 0)
		rc = read_said(&r);
	if (rc == 0)
		rc = read_missed(&r);
	if (out->n > 0)
		qsort(out->items, out->n, sizeof(*out->items), by_part);
	search_close(r.search);
	index_free(r.index);
	arena_release(&r.line);
	return rc == 0 ? 0 : -1;
}
