/*
 * list.c: the listings of mem-list. All records stream out of the store, in its order.
 */
#include "records/list.h"

const char *const list_whats[] = { "messages", "sessions", "chunks", "facts", "summaries",
	"reflections", NULL };

int
list_what_parse(const char *s)
{
	int i;

	for (i = 0; list_whats[i] != NULL; i++)
		if (strcmp(s, list_whats[i]) == 0)
			return i;
	return -1;
}

/* ---- sessions ---- */

struct session_walk {
	const struct message_filter *f;
	const struct list_fn *fn;
	int64_t left;                      /* to hand out; -1: all */
};

static int
walk_session(void *arg, const struct session *v)
{
	struct session_walk *w = arg;
	int64_t first = v->created_us,
		last = v->updated_us != TIME_NONE ? v->updated_us : v->created_us;

	if (w->f->since_us != TIME_NONE && (last == TIME_NONE || last < w->f->since_us))
		return w->f->newest_first;     /* so are all that follow */
	if (first == TIME_NONE)
		first = last;
	if (w->f->until_us != TIME_NONE && (first == TIME_NONE || first >= w->f->until_us))
		return 0;
	return w->fn->session(w->fn->arg, v) != 0 || (w->left > 0 && --w->left == 0);
}

static int
list_sessions(struct store *s, const struct scope *who, const struct list_want *want,
	const struct list_fn *fn, struct err *err)
{
	const struct message_filter *f = &want->filter;
	struct session_walk w = { f, fn, f->limit > 0 ? f->limit : -1 };
	struct arena a = ARENA_INIT;
	const struct session *v;
	int rc;

	if (who->session == NULL || who->session[0] == '\0')
		return sessions_by_time(s, who, f->newest_first,
		    f->newest_first ? TIME_NONE : f->since_us, walk_session, &w, err);
	if ((rc = sessions_find(s, who, who->session, &a, &v, err)) == 0 && v != NULL)
		walk_session(&w, v);
	arena_release(&a);
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

int
list_walk(struct store *s, const struct scope *who, const struct list_want *want,
	const struct list_fn *fn, struct err *err)
{
	if (want->what == LIST_SESSIONS)
		return list_sessions(s, who, want, fn, err);
	if (want->what == LIST_CHUNKS)
		return list_chunks(s, who, want, fn, err);
	if (want->what >= LIST_FACTS)
		return list_records(s, who, want, fn, err);
	return messages_each(s, who, &want->filter, fn->message, fn->arg, err);
}
