/*
 * list.c: the listings of mem-list. All records stream out of the store, in its order.
 */
#include "records/list.h"

#include "base/alloc.h"

const char *const list_whats[] = { "messages", "sessions", "chunks", "metrics", "facts",
	"summaries", "reflections", NULL };

int
list_what_parse(const char *s)
{
	for (int i = 0; list_whats[i] != NULL; i++)
		if (strcmp(s, list_whats[i]) == 0)
			return i;
	return -1;
}

/* ---- sessions ---- */

struct session_walk {
	const struct message_filter *f;
	const struct list_fn *fn;
	int64_t left;                      /* to hand out; -1: all */
	struct store *s;
	const struct scope *who;
	struct err *err;
};

static int
note_turn(void *arg, const struct message *m)
{
	(void)m;
	*(bool *)arg = true;
	return 1;
}

int
session_in_span(struct store *s, const struct scope *who, const struct session *v,
	int64_t since_us, int64_t until_us, bool *in, struct err *err)
{
	int64_t last = v->updated_us != TIME_NONE ? v->updated_us : v->created_us;
	int64_t first = v->created_us != TIME_NONE ? MIN(v->created_us, last) : last;
	const struct scope of = { who->user, who->agent, NULL, v->id };
	struct message_filter f = MESSAGE_FILTER_ANY;

	*in = (since_us == TIME_NONE || (last != TIME_NONE && last >= since_us)) &&
	    (until_us == TIME_NONE || (first != TIME_NONE && first < until_us));
	if (!*in || since_us == TIME_NONE || until_us == TIME_NONE || first >= since_us ||
	    last < until_us)
		return 0;
	*in = false;
	f.since_us = since_us;
	f.until_us = until_us;
	f.limit = 1;
	return messages_each(s, &of, &f, note_turn, in, err) < 0 ? -1 : 0;
}

static int
walk_session(void *arg, const struct session *v)
{
	struct session_walk *w = arg;
	struct session counted = *v;
	int64_t last = v->updated_us != TIME_NONE ? v->updated_us : v->created_us;
	bool in;

	if (w->f->since_us != TIME_NONE && (last == TIME_NONE || last < w->f->since_us))
		return w->f->newest_first;     /* so are all that follow */
	if (session_in_span(w->s, w->who, v, w->f->since_us, w->f->until_us, &in, w->err) != 0)
		return -1;
	if (!in)
		return 0;
	if (sessions_count(w->s, w->who, v->id, &counted.n_messages, w->err) != 0)
		return -1;
	return w->fn->session(w->fn->arg, &counted) != 0 || (w->left > 0 && --w->left == 0);
}

static int
list_sessions(struct store *s, const struct scope *who, const struct list_want *want,
	const struct list_fn *fn, struct err *err)
{
	const struct message_filter *f = &want->filter;
	struct session_walk w = { f, fn, f->limit > 0 ? f->limit : -1, s, who, err };
	LOCAL(arena) a = ARENA_INIT;
	const struct session *v;
	int rc;

	if (who->session == NULL || who->session[0] == '\0')
		return sessions_by_time(s, who, f->newest_first,
		    f->newest_first ? TIME_NONE : f->since_us, walk_session, &w, err);
	if ((rc = sessions_find(s, who, who->session, &a, &v, err)) == 0 && v != NULL)
		rc = walk_session(&w, v) < 0 ? -1 : 0;
	return rc;
}

/* ---- chunks ---- */

struct chunk_walk {
	struct store *s;
	const struct scope *who;
	const struct list_fn *fn;
	int64_t left;                      /* chunks still to be listed; -1: all */
	struct err *err;
	const struct message *of;
	unsigned index;
	bool stop;
};

static int
walk_chunk(void *arg, const struct chunk *c)
{
	struct chunk_walk *w = arg;

	if (w->fn->chunk(w->fn->arg, w->of, c, w->index++) != 0 || (w->left > 0 && --w->left == 0))
		w->stop = true;
	return w->stop;
}

static int
walk_message(void *arg, const struct message *m)
{
	struct chunk_walk *w = arg;

	w->of = m;
	w->index = 0;
	if (chunks_of(w->s, w->who, m, walk_chunk, w, w->err) != 0)
		return -1;
	return w->stop;
}

static int
list_chunks(struct store *s, const struct scope *who, const struct list_want *want,
	const struct list_fn *fn, struct err *err)
{
	struct message_filter f = want->filter;
	struct chunk_walk w = { s, who, fn, f.limit > 0 ? f.limit : -1, err, NULL, 0, false };

	f.limit = 0;
	return messages_each(s, who, &f, walk_message, &w, err);
}

/* ---- metrics ---- */

struct metric_walk {
	const struct message_filter *f;
	struct arena a;
	struct metric *all;
	size_t n, cap;
};

static int
keep_metric(void *arg, const struct metric *m)
{
	struct metric_walk *w = arg;

	if (w->f->until_us != TIME_NONE && m->time_us >= w->f->until_us)
		return 0;
	xgrow(&w->all, &w->cap, w->n + 1, sizeof(*w->all));
	w->all[w->n] = *m;
	w->all[w->n].program = arena_strdup(&w->a, m->program);
	w->all[w->n].path = arena_strdup(&w->a, m->path);
	w->all[w->n++].flags = arena_strdup(&w->a, m->flags);
	return 0;
}

static int
list_metrics(struct store *s, const struct scope *who, const struct list_want *want,
	const struct list_fn *fn, struct err *err)
{
	const struct message_filter *f = &want->filter;
	const struct scope user = { .user = who->user };
	struct metric_walk w = { .f = f };
	int rc = metrics_each(s, &user, f->since_us != TIME_NONE ? f->since_us : INT64_MIN,
	    keep_metric, &w, err);
	size_t n = f->limit > 0 ? MIN(w.n, (size_t)f->limit) : w.n;

	for (size_t i = 0; i < n && rc == 0; i++)
		if (fn->metric(fn->arg, &w.all[f->newest_first ? w.n - 1 - i : i]) != 0)
			break;
	free(w.all);
	arena_release(&w.a);
	return rc;
}

static int
list_records(struct store *s, const struct scope *who, const struct list_want *want,
	const struct list_fn *fn, struct err *err)
{
	static const enum record_type types[] = { [LIST_FACTS] = RECORD_FACT,
		[LIST_SUMMARIES] = RECORD_SUMMARY,
		[LIST_REFLECTIONS] = RECORD_REFLECTION };
	const struct message_filter *m = &want->filter;
	struct record_filter f = want->records;

	f.type = types[want->what];
	f.min_trust = m->min_trust;
	f.since_us = m->since_us;
	f.until_us = m->until_us;
	f.newest_first = m->newest_first;
	f.limit = m->limit;
	return records_each(s, who, &f, fn->record, fn->arg, err);
}

/* ---- the newest messages ---- */

/* The newest ones so far, [n] of at most `most`, the newest first. */
struct newest {
	struct store *s;
	const struct scope *who;
	struct message_filter f;           /* of the messages of one session */
	struct { int64_t time_us, row; } *at;
	size_t n, cap, most;
	struct err *err;
};

static int
see_newest(void *arg, const struct message *m)
{
	struct newest *w = arg;
	size_t i = w->n;

	while (i > 0 && (w->at[i - 1].time_us < m->time_us ||
	    (w->at[i - 1].time_us == m->time_us && w->at[i - 1].row < m->row)))
		i--;
	if (i == w->most)
		return 0;
	if (w->n < w->most) {
		w->n++;
		xgrow(&w->at, &w->cap, w->n, sizeof(*w->at));
	}
	memmove(w->at + i + 1, w->at + i, (w->n - 1 - i) * sizeof(*w->at));
	w->at[i].time_us = m->time_us;
	w->at[i].row = m->row;
	return 0;
}

static int
see_session(void *arg, const struct session *v)
{
	struct newest *w = arg;
	int64_t last = v->updated_us != TIME_NONE ? v->updated_us : v->created_us;
	struct scope in = *w->who;

	if (w->n == w->most && last < w->at[w->n - 1].time_us)
		return 1;
	in.session = v->id;
	return messages_each(w->s, &in, &w->f, see_newest, w, w->err);
}

/* The newest, whatever sessions they are of: of each session as many are looked at. */
static int
list_newest(struct store *s, const struct scope *who, const struct list_want *want,
	const struct list_fn *fn, struct err *err)
{
	struct newest w = { s, who, want->filter, NULL, 0, 0, (size_t)want->filter.limit, err };
	LOCAL(arena) a = ARENA_INIT;
	const struct message *m;
	int rc = sessions_by_time(s, who, true, TIME_NONE, see_session, &w, err);

	for (size_t i = 0; i < w.n && rc == 0; i++) {
		arena_reset(&a);
		rc = messages_by_rows(s, who, &w.at[i].row, 1, &a, &m, err);
		if (rc == 0 && m != NULL)
			rc = fn->message(fn->arg, m);
	}
	free(w.at);
	return rc < 0 ? -1 : 0;
}

int
list_walk(struct store *s, const struct scope *who, const struct list_want *want,
	const struct list_fn *fn, struct err *err)
{
	if (want->what == LIST_SESSIONS)
		return list_sessions(s, who, want, fn, err);
	if (want->what == LIST_CHUNKS)
		return list_chunks(s, who, want, fn, err);
	if (want->what == LIST_METRICS)
		return list_metrics(s, who, want, fn, err);
	if (want->what >= LIST_FACTS)
		return list_records(s, who, want, fn, err);
	if (want->filter.newest_first && want->filter.limit > 0 &&
	    (who->session == NULL || *who->session == '\0'))
		return list_newest(s, who, want, fn, err);
	return messages_each(s, who, &want->filter, fn->message, fn->arg, err);
}
