/*
 * list.c: what mem-list does. Messages stream out of the store. Sessions are sorted by time, which
 * the store does not do: their names and times are gathered first, and each record is fetched when
 * its turn comes, so a long system prompt is in memory once.
 */
#include "base/alloc.h"
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

struct place {
	const char *id;                    /* owned */
	/* of the newest message, else of its making, else TIME_NONE */
	int64_t time_us;
	size_t seq;                        /* order of the store, for those of the same time */
};

struct places {
	struct place *items;
	size_t n, cap;
	const struct message_filter *f;
};

static int
place_add(void *arg, const struct session *v)
{
	struct places *p = arg;
	int64_t first = v->created_us,
		last = v->updated_us != TIME_NONE ? v->updated_us : v->created_us;

	if (p->f->since_us != TIME_NONE && (last == TIME_NONE || last < p->f->since_us))
		return 0;
	if (first == TIME_NONE)
		first = last;
	if (p->f->until_us != TIME_NONE && (first == TIME_NONE || first >= p->f->until_us))
		return 0;
	xgrow(&p->items, &p->cap, p->n + 1, sizeof(*p->items));
	p->items[p->n] = (struct place){ xstrdup(v->id), last, p->n };
	p->n++;
	return 0;
}

/* Those without a time come first, as TIME_NONE is the smallest number. */
static int
place_order(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	if (a->time_us != b->time_us)
		return a->time_us < b->time_us ? -1 : 1;
	return a->seq < b->seq ? -1 : 1;
}

static int
list_sessions(struct store *s, const struct scope *who, const struct list_want *want,
	const struct list_fn *fn, struct err *err)
{
	struct places p = { NULL, 0, 0, &want->filter };
	struct arena a = ARENA_INIT;
	const struct session *v;
	size_t i;
	int rc = -1;

	if (who->session != NULL && who->session[0] != '\0') {
		if (sessions_find(s, who, who->session, &a, &v, err) != 0 ||
		    (v != NULL && place_add(&p, v) != 0))
			goto out;
	} else if (sessions_each(s, who, place_add, &p, err) != 0) {
		goto out;
	}
	if (p.n > 0)
		qsort(p.items, p.n, sizeof(*p.items), place_order);
	for (i = 0; i < p.n && (want->filter.limit == 0 || (int64_t)i < want->filter.limit); i++) {
		const char *id = p.items[want->filter.newest_first ? p.n - 1 - i : i].id;

		arena_reset(&a);
		if (sessions_find(s, who, id, &a, &v, err) != 0)
			goto out;
		if (v != NULL && fn->session(fn->arg, v) != 0)
			break;
	}
	rc = 0;
out:
	for (i = 0; i < p.n; i++)
		free((char *)p.items[i].id);
	free(p.items);
	arena_release(&a);
	return rc;
}

/* ---- chunks ---- */

struct chunk_walk {
	struct store *s;
	const struct scope *who;
	const struct list_fn *fn;
	int64_t left;                      /* to hand out; -1: all */
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
