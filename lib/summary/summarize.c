/*
 * summarize.c: summaries of sessions. A session has one summary, which is changed in place when it
 * is written again, so that its id stays and its steps show the earlier versions.
 *
 * The text is made outside any transaction, as a model may be asked. Inside, the session's summary
 * is read again: when another process has written it meanwhile, that one is kept.
 */
#include "summary/summarize.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "base/order.h"
#include "facts/fact_record.h"
#include "json/json.h"
#include "summary/summary_parts.h"
#include "summary/summary_topics.h"
#include "text/tokens.h"

/* a summary covers at most the newest so many messages of a session */
#define TURNS_MOST 2000
/* tokens of the shortest one, and what it grows by: a token for so many that were said */
#define ROOM_LEAST 200
#define ROOM_SHARE 25

/* ---- which sessions ---- */

/* row: its present summary, 0 for none */
struct wanted { const char *session, *agent, *project; int64_t row, last; };

struct sessions {
	struct arena names;
	struct wanted *items;
	size_t n, cap;
	int64_t n_messages;
	const struct scope *who;
};

static int
add_session(void *arg, const struct session *v)
{
	struct sessions *w = arg;

	if (w->who->session != NULL && w->who->session[0] != '\0' &&
	    strcmp(w->who->session, v->id) != 0)
		return 0;
	if (v->n_messages < w->n_messages)
		return 0;
	*xpush(w->items, w->n, w->cap) = (struct wanted){ arena_strdup(&w->names, v->id),
		arena_strdup(&w->names, v->agent != NULL ? v->agent : ""),
		arena_strdup(&w->names, v->project != NULL ? v->project : ""), 0, -1 };
	return 0;
}

ORDER_OF(by_name, struct wanted, strcmp(a->session, b->session))

static int
add_summary(void *arg, const struct fact *f)
{
	struct sessions *w = arg;
	struct wanted key = { f->head.session, "", "", 0, 0 },
		      *found =
			  w->n == 0 ? NULL : bsearch(&key, w->items, w->n, sizeof(key), by_name);

	if (found != NULL && f->summary.last >= found->last) {
		found->row = f->head.row;
		found->last = f->summary.last;
	}
	return 0;
}

static int
find_wanted(struct store *s, const struct scope *who, struct sessions *w, struct err *err)
{
	struct record_filter f = RECORD_FILTER_ANY(RECORD_SUMMARY);

	f.kind = SUMMARY_SESSION;
	if (sessions_each(s, who, add_session, w, err) < 0)
		return -1;
	if (w->n > 0)
		qsort(w->items, w->n, sizeof(*w->items), by_name);
	return records_each(s, who, &f, add_summary, w, err);
}

/* ---- reading the messages ---- */

struct talk {
	struct arena arena;
	struct summary_said *said;             /* newest first while they are read, then reversed */
	size_t n, cap;
	int64_t after, n_new, n_later, newest_us;      /* n_later: with those of tools */
	int64_t most;                          /* above 0: it only counts, up to so many */
};

static int
add_message(void *arg, const struct message *m)
{
	struct talk *t = arg;
	const char *speaker = message_by(m);

	if (t->most > 0 && m->turn <= t->after)
		return 1;
	t->n_later++;
	if ((m->role != ROLE_USER && m->role != ROLE_ASSISTANT) || m->content_len == 0)
		return 0;
	t->n_new += m->turn > t->after;
	if (t->most > 0)
		return t->n_new >= t->most;
	if (m->time_us != TIME_NONE && m->time_us > t->newest_us)
		t->newest_us = m->time_us;
	xgrow(&t->said, &t->cap, t->n + 1, sizeof(*t->said));
	t->said[t->n] =
	    (struct summary_said){ .text = arena_strndup(&t->arena, m->content, m->content_len),
		    .len = m->content_len,
		    .speaker = arena_strdup(&t->arena, speaker),
		    .turn = m->turn,
		    .time_us = m->time_us,
		    .trust = m->trust,
		    .is_user = m->role == ROLE_USER,
		    .of_project = *m->project != '\0' };
	memcpy(t->said[t->n++].id, m->id, ID_TEXT);
	return t->n == TURNS_MOST;
}

static int
read_talk(struct store *s, const struct scope *who, const char *session, struct talk *t,
	struct err *err)
{
	struct message_filter f = MESSAGE_FILTER_ANY;
	struct scope in = *who;

	in.session = session;
	f.newest_first = true;
	t->newest_us = TIME_NONE;
	if (messages_each(s, &in, &f, add_message, t, err) < 0)
		return -1;
	for (size_t i = 0, k = t->n; i + 1 < k; i++) {
		struct summary_said v = t->said[i];
		t->said[i] = t->said[--k];
		t->said[k] = v;
	}
	return 0;
}

/* Counts messages after a turn, the newest first, up to most of them. */
static int
count_new(struct store *s, const struct scope *who, const char *session, int64_t after,
	int64_t most, int64_t *n, struct err *err)
{
	struct talk t = { .most = most };
	struct message_filter f = MESSAGE_FILTER_ANY;
	struct scope in = *who;
	int rc;

	in.session = session;
	f.newest_first = true;
	f.limit = most;
	/* no more are read than needed; where tools had the last word, more are */
	do {
		t = (struct talk){ .after = after, .most = most };
		rc = messages_each(s, &in, &f, add_message, &t, err);
	} while (rc == 0 && t.n_new < most && t.n_later == f.limit && (f.limit *= 8) > 0);
	*n = t.n_new;
	return rc;
}

/* The tokens that a summary may have: a long session takes more to say. */
static struct summary_room
room_of(const struct talk *t, const struct summarize_options *o)
{
	uint64_t quarters = 0;

	for (size_t i = 0; i < t->n; i++)
		quarters += tokens_quarters(t->said[i].text, t->said[i].len);
	return (struct summary_room){ (unsigned)MIN(o->session_tokens,
		ROOM_LEAST + quarters / 4 / ROOM_SHARE), UINT32_MAX };
}

/* ---- storing ---- */

struct newest { int64_t row, last; };

static int
note_newest(void *arg, const struct fact *f)
{
	struct newest *v = arg;

	if (f->summary.last >= v->last)
		*v = (struct newest){ f->head.row, f->summary.last };
	return 0;
}

/* Whether a message that was read has been forgotten since, as while a model was asked. */
static int
lost_any(struct store *s, const struct scope *who, const char *session, const struct talk *t,
	bool *lost, struct err *err)
{
	struct talk now = { .after = t->after };
	int rc = read_talk(s, who, session, &now, err);
	size_t k = 0;

	for (size_t i = 0; i < now.n && k < t->n; i++)
		k += strcmp(now.said[i].id, t->said[k].id) == 0;
	*lost = k < t->n;
	free(now.said);
	arena_release(&now.arena);
	return rc;
}

static int
put_summary(struct store *s, const struct scope *who, const struct wanted *w, const struct talk *t,
	const struct summary_made *made, struct fact *f, bool *stored, struct err *err)
{
	struct record_filter filter = RECORD_FILTER_ANY(RECORD_SUMMARY);
	struct newest now = { 0, -1 };
	struct scope in = *who;
	LOCAL(arena) a = ARENA_INIT;
	const struct fact *was;
	struct step step = { .did = w->row == 0 ? STEP_STORE : STEP_EDIT,
		.why = "summed up a session" };
	enum put_did did;
	bool lost;
	int rc = -1;

	*stored = false;
	in.session = w->session;
	filter.kind = SUMMARY_SESSION;
	if (records_each(s, &in, &filter, note_newest, &now, err) < 0)
		return -1;
	if (lost_any(s, who, w->session, t, &lost, err) < 0)
		return -1;
	if (lost || now.row != w->row || now.last != w->last)
		return 0;                      /* another process has written it meanwhile */
	*f = summary_record(made);
	f->head.session = w->session;
	f->head.agent = w->agent;
	f->head.project = w->project;
	f->head.time_us = t->newest_us;
	f->head.trust = made->trust;
	f->head.sources = made->sources;
	f->head.n_sources = made->n_sources;
	f->summary = (struct summary_keys){ SUMMARY_SESSION, t->said[0].turn,
		t->said[t->n - 1].turn, made->model, made->structured };
	*stored = true;
	if (w->row == 0)
		return records_put(s, who, &step, f, &did, err);
	if (records_by_row(s, who, w->row, TIME_NONE, &a, &was, err) == 0 && was != NULL) {
		memcpy(f->head.id, was->head.id, ID_TEXT);
		f->head.row = w->row;
		f->head.stored_us = was->head.stored_us;
		f->head.guarded = was->head.guarded;
		rc = records_change(s, who, &step, f, err);
	}
	return rc;
}

static int
sum_up_one(struct store *s, const struct scope *who, const struct wanted *w,
	const struct summarize_options *o, const struct summarize_fn *fn,
	struct summary_topics *topics, struct summarize_counts *counts, struct err *err)
{
	struct talk t = { .after = w->last };
	struct summary_made made;
	struct fact f;
	bool stored = false;
	int rc = -1;

	if (read_talk(s, who, w->session, &t, err) < 0)
		goto out;
	rc = 0;
	if (t.n_new < o->n_messages)
		goto out;
	if (!summary_make(SUMMARY_OF_SESSION, t.said, t.n,
		room_of(&t, o), o->llm, &t.arena, &made))
		goto out;
	if (made.model[0] == '\0' &&
	    (rc = summary_topics_find(topics, w->session, t.said, t.n, &t.arena, &made, err)) < 0)
		goto out;
	if ((rc = store_begin_user(s, who->user, err)) < 0)
		goto out;
	if ((rc = put_summary(s, who, w, &t, &made, &f, &stored, err)) < 0 || !stored) {
		store_rollback(s);
		goto out;
	}
	if ((rc = store_commit(s, err)) < 0)
		goto out;
	counts->n_made++;
	counts->n_by_model += made.model[0] != '\0';
	fn->made(fn->arg, &f, &made);
out:
	free(t.said);
	arena_release(&t.arena);
	return rc;
}

int
summarize_sessions(struct store *s, const struct scope *who, const struct summarize_options *o,
	const struct summarize_fn *fn, struct summarize_counts *counts, struct err *err)
{
	struct sessions w = { .who = who, .n_messages = o->n_messages };
	struct summary_topics *topics;
	int rc = 0;

	if (o->n_messages == 0)
		return 0;
	topics = summary_topics_new(s, who);
	rc = find_wanted(s, who, &w, err);
	for (size_t i = 0; rc == 0 && i < w.n; i++) {
		int64_t n_new;
		counts->n_looked++;
		rc = count_new(s, who, w.items[i].session, w.items[i].last, o->n_messages, &n_new,
		    err);
		if (rc == 0 && n_new >= o->n_messages)
			rc = sum_up_one(s, who, &w.items[i], o, fn, topics, counts, err);
	}
	summary_topics_free(topics);
	free(w.items);
	arena_release(&w.names);
	return rc;
}

int
summarize_due(struct store *s, const struct scope *who, int64_t n_messages, int64_t *n,
	struct err *err)
{
	struct sessions w = { .who = who, .n_messages = n_messages };
	int rc = 0;

	*n = 0;
	if (n_messages > 0)
		rc = find_wanted(s, who, &w, err);
	for (size_t i = 0; rc == 0 && i < w.n; i++) {
		int64_t n_new;
		rc = count_new(s, who, w.items[i].session, w.items[i].last, n_messages, &n_new,
		    err);
		*n += rc == 0 && n_new >= n_messages;
	}
	free(w.items);
	arena_release(&w.names);
	return rc;
}

/* ---- staleness ---- */

static int
count_changed(struct store *s, const struct scope *who, const struct fact *f, int64_t *n,
	struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	int rc = 0;

	for (size_t i = 0; i < f->head.n_sources && rc == 0; i++) {
		const struct fact *of;
		arena_reset(&a);
		rc = records_find(s, who, f->head.sources[i].id, &a, &of, err);
		if (rc == 0)
			*n += of == NULL || of->head.retracted_us != TIME_NONE ||
			    strcmp(of->summarized, f->head.id) != 0 ||
			    (of->valid_to_us != TIME_NONE && of->valid_to_us <= clock_now_us());
	}
	return rc;
}

int
summary_stale(struct store *s, const struct scope *who, const struct fact *f, int64_t *n,
	struct err *err)
{
	*n = 0;
	if (f->head.type != RECORD_SUMMARY)
		return 0;
	if (f->summary.kind == SUMMARY_CONSOLIDATION)
		return count_changed(s, who, f, n, err);
	if (f->head.session[0] == '\0' || f->summary.last == TIME_NONE)
		return 0;
	return count_new(s, who, f->head.session, f->summary.last, INT64_MAX, n, err);
}

/* ---- the same again ---- */

int
summary_again(struct store *s, const struct scope *who, const struct fact *f,
	const struct summarize_options *o, struct arena *a, const struct fact **now,
	struct err *err)
{
	struct talk t = { .after = -1 };
	struct record_source *sources;
	struct summary_made made;
	struct fact *out;
	int rc = -1;

	*now = NULL;
	if (f->summary.kind == SUMMARY_CONSOLIDATION)
		return consolidation_again(s, who, f, o, a, now, err);
	if (read_talk(s, who, f->head.session, &t, err) < 0)
		goto out;
	rc = 0;
	if (!summary_make(SUMMARY_OF_SESSION, t.said, t.n, room_of(&t, o),
		f->summary.model[0] != '\0' ? o->llm : NULL, a, &made))
		goto out;
	summary_topics_keep(f->head.extra, t.said, t.n, a, &made);
	*now = out = arena_alloc(a, sizeof(*out));
	*out = *f;
	out->head.content = made.content;
	out->head.content_len = made.len;
	out->head.extra = made.extra;
	/* their ids are those of what was said, which goes here */
	sources = arena_alloc(a, (made.n_sources + 1) * sizeof(*sources));
	for (size_t k = 0; k < made.n_sources; k++) {
		sources[k] = made.sources[k];
		sources[k].id = arena_strdup(a, sources[k].id);
	}
	out->head.sources = sources;
	out->head.n_sources = made.n_sources;
	out->head.trust = made.trust;
	out->head.time_us = t.newest_us;
	out->summary = (struct summary_keys){ SUMMARY_SESSION, t.said[0].turn,
		t.said[t.n - 1].turn, made.model, made.structured };
out:
	free(t.said);
	arena_release(&t.arena);
	return rc;
}

void
record_summary(struct buf *out, const char *user, const struct fact *f, int64_t n_stale,
	const char *const *quotes)
{
	struct fact told = *f;
	LOCAL(buf) extra = buf_of(conf_caps.output_bytes);

	if (n_stale > 0) {
		json_open(&extra);
		json_int(&extra, "stale", n_stale);
		json_members(&extra, f->head.extra);
		json_close(&extra);
		told.head.extra = extra.data;
	}
	fact_record(out, user, &told, quotes);
}
