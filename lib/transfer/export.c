/*
 * export.c: walks a store in the order of export.h. The hash and the number of lines are kept while
 * they are written, so nothing is read twice.
 */
#include "transfer/export.h"

#include "base/alloc.h"
#include "clean/clean_text.h"
#include "store/transfer.h"
#include "transfer/lines.h"

struct exporter {
	struct store *s;
	const struct export_options *o;
	struct scope who;                  /* of the user at hand */
	struct buf *out;
	int (*ended)(void *arg);
	void *arg;
	struct err *err;
	struct sha256 sum;
	int64_t n_lines;
	size_t start;                      /* of the line at hand, in out */
	struct cleaner cleaner;
	struct arena clean;                /* of the line at hand */
	/* the session at hand goes out before its first message; NULL: it has */
	const struct session *session;
	/* the same of a step and its first record */
	const struct step_given *step;
};

/* Whether a part is asked for, or all of a user. */
static bool
is_part(const struct export_options *o)
{
	const struct message_filter *f = &o->filter;
	const char *const scope[] = { o->who.agent, o->who.project, o->who.session };

	for (size_t i = 0; i < NELEM(scope); i++)
		if (scope[i] != NULL && *scope[i] != '\0')
			return true;
	return f->role >= 0 || f->name != NULL || f->since_us != TIME_NONE ||
	    f->until_us != TIME_NONE || f->min_trust > 0;
}

/* ---- lines ---- */

static int
end_line(struct exporter *e)
{
	buf_addc(e->out, '\n');
	sha256_add(&e->sum, e->out->data + e->start, e->out->len - e->start);
	e->n_lines++;
	if (e->out->full)
		return err_set(e->err, ERR_DATA, "a record is over %llu bytes",
		    (unsigned long long)e->out->max);
	return e->ended(e->arg);
}

static struct buf *
begin_line(struct exporter *e)
{
	e->start = e->out->len;
	return e->out;
}

/* ---- secrets ---- */

static const char *
clean_text(struct exporter *e, const char *text, size_t *len)
{
	size_t n;

	if (text == NULL || !e->o->redact)
		return text;
	n = len != NULL ? *len : strlen(text);
	text = clean_secrets(&e->cleaner, text, &n, &e->clean);
	if (len == NULL)
		return arena_strndup(&e->clean, text, n);
	*len = n;
	return text;
}

/* JSON text; what is no JSON stays out. */
static const char *
clean_object(struct exporter *e, const char *text)
{
	const struct json *v;
	struct err ignored = ERR_INIT;

	if (text == NULL || *text == '\0' || !e->o->redact)
		return text;
	if (json_parse(text, strlen(text), &e->clean, &v, &ignored) != 0)
		return "";
	buf_reset(&e->cleaner.json);
	clean_json(&e->cleaner, v, &e->clean);
	return arena_strndup(&e->clean, e->cleaner.json.data, e->cleaner.json.len);
}

/* ---- sessions and messages ---- */

static int
put_session(struct exporter *e)
{
	struct session v = *e->session;

	e->session = NULL;
	v.title = clean_text(e, v.title, NULL);
	v.system_prompt = clean_text(e, v.system_prompt, NULL);
	v.metadata = clean_object(e, v.metadata);
	line_session(begin_line(e), e->who.user, &v);
	return end_line(e);
}

static int
put_message(void *arg, const struct message *given)
{
	struct exporter *e = arg;
	struct message m = *given;
	int rc;

	if (e->session != NULL && (rc = put_session(e)) != 0)
		return rc;
	arena_reset(&e->clean);
	if (e->o->redact) {
		m.content = clean_text(e, m.content, &m.content_len);
		sha256(m.content, m.content_len, m.sha256);
		m.tool_calls = clean_object(e, m.tool_calls);
		m.extra = clean_object(e, m.extra);
	}
	line_message(begin_line(e), e->who.user, &m);
	return end_line(e);
}

static int
walk_session(void *arg, const struct session *v, bool in_scope)
{
	struct exporter *e = arg;
	const char *wanted = e->o->who.session;
	struct scope in = e->who;
	int rc;

	if (wanted != NULL && *wanted != '\0' && strcmp(wanted, v->id) != 0)
		return 0;
	in.session = v->id;
	e->session = in_scope ? v : NULL;
	if (messages_in_order(e->s, &in, &e->o->filter, put_message, e, e->err) != 0)
		return -1;
	/* a session without messages that go out is told only of a whole memory */
	rc = e->session != NULL && !is_part(e->o) ? put_session(e) : 0;
	e->session = NULL;
	return rc;
}

/* ---- records ---- */

static int
put_step(struct exporter *e)
{
	const struct step_given *st = e->step;

	e->step = NULL;
	line_step(begin_line(e), e->who.user, st);
	return end_line(e);
}

static int
walk_step(void *arg, const struct step_given *st)
{
	struct exporter *e = arg;

	e->step = st;
	return is_part(e->o) ? 0 : put_step(e);
}

/* Whether the filter takes a record; of one that is gone only a whole memory tells. */
static bool
filter_takes(const struct exporter *e, const struct fact *f)
{
	const struct message_filter *w = &e->o->filter;
	const char *session = e->o->who.session;
	int64_t time_us = f->head.time_us;

	if (w->role >= 0 || w->name != NULL || f->head.trust < w->min_trust)
		return false;
	if (session != NULL && *session != '\0' && strcmp(session, f->head.session) != 0)
		return false;
	return (w->since_us == TIME_NONE || (time_us != TIME_NONE && time_us >= w->since_us)) &&
	    (w->until_us == TIME_NONE || (time_us != TIME_NONE && time_us < w->until_us));
}

static int
put_record(struct exporter *e, const struct fact *given, const char *step)
{
	struct fact f = *given;

	arena_reset(&e->clean);
	if (e->o->redact) {
		f.head.content = clean_text(e, f.head.content, &f.head.content_len);
		f.head.extra = clean_object(e, f.head.extra);
		f.summary.structured = clean_object(e, f.summary.structured);
	}
	line_record(begin_line(e), e->who.user, &f, step);
	return end_line(e);
}

static int
walk_change(void *arg, const struct step_given *st, const char *id, const struct fact *f)
{
	struct exporter *e = arg;
	struct arena a = ARENA_INIT;
	const struct fact *now;
	int rc = 0;

	if (is_part(e->o)) {
		rc = records_find(e->s, &e->who, id, &a, &now, e->err);
		if (rc == 0 && (now == NULL || !filter_takes(e, now)))
			goto out;
	}
	if (rc == 0 && e->step != NULL)
		rc = put_step(e);
	if (rc == 0 && f == NULL) {
		line_gone(begin_line(e), e->who.user, id, st->id);
		rc = end_line(e);
	} else if (rc == 0) {
		rc = put_record(e, f, st->id);
	}
out:
	arena_release(&a);
	return rc;
}

static int
walk_now(void *arg, const struct fact *f)
{
	struct exporter *e = arg;

	return !is_part(e->o) || filter_takes(e, f) ? put_record(e, f, NULL) : 0;
}

static int
put_records(struct exporter *e)
{
	struct record_filter f = RECORD_FILTER_ANY(RECORD_FACT);
	int rc = 0;

	if (!e->o->now_only)
		return steps_in_order(e->s, &e->who, walk_step, walk_change, e, e->err);
	f.also = RECORDS_ALL;
	for (int type = RECORD_FACT; type <= RECORD_REFLECTION && rc == 0; type++) {
		f.type = (enum record_type)type;
		rc = records_each(e->s, &e->who, &f, walk_now, e, e->err);
	}
	return rc;
}

/* ---- the rest ---- */

static int
put_access(void *arg, const struct access_given *v)
{
	struct exporter *e = arg;

	line_access(begin_line(e), e->who.user, v);
	return end_line(e);
}

static int
put_category(void *arg, const struct category *c)
{
	struct exporter *e = arg;

	line_category(begin_line(e), e->who.user, c);
	return end_line(e);
}

static int
put_member(void *arg, const struct member_given *v)
{
	struct exporter *e = arg;

	line_member(begin_line(e), e->who.user, v);
	return end_line(e);
}

static int
put_profile(void *arg, const struct about *v)
{
	struct exporter *e = arg;

	line_profile(begin_line(e), e->who.user, v);
	return end_line(e);
}

static int
put_tombstone(void *arg, const uint8_t key[TOMBSTONE_BYTES])
{
	struct exporter *e = arg;

	line_tombstone(begin_line(e), e->who.user, key);
	return end_line(e);
}

static int
put_consent(struct exporter *e)
{
	int64_t since_us;
	bool yes;

	if (about_consent(e->s, &e->who, &yes, &since_us, e->err) != 0)
		return -1;
	if (since_us == TIME_NONE || since_us == 0)
		return 0;
	line_consent(begin_line(e), e->who.user, yes, since_us);
	return end_line(e);
}

static int
export_user(struct exporter *e)
{
	bool whole = !is_part(e->o);

	if (whole && (put_consent(e) != 0 || (e->o->profile &&
	    about_each(e->s, &e->who, put_profile, e, e->err) != 0)))
		return -1;
	if (sessions_in_order(e->s, &e->who, walk_session, e, e->err) != 0 || put_records(e) != 0)
		return -1;
	if (!whole)
		return 0;
	return accesses_in_order(e->s, &e->who, put_access, e, e->err) != 0 ||
	    categories_in_order(e->s, &e->who, put_category, e, e->err) != 0 ||
	    members_in_order(e->s, &e->who, put_member, e, e->err) != 0 ||
	    tombstones_in_order(e->s, &e->who, put_tombstone, e, e->err) != 0 ? -1 : 0;
}

/* ---- users ---- */

struct names { char **at; size_t n, cap; };

static int
keep_name(void *arg, const char *user)
{
	struct names *v = arg;

	xgrow(&v->at, &v->cap, v->n + 1, sizeof(*v->at));
	v->at[v->n++] = xstrdup(user);
	return 0;
}

static int
by_name(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

static int
export_users(struct exporter *e)
{
	struct names v = { NULL, 0, 0 };
	int rc = users_each(e->s, keep_name, &v, e->err);

	if (v.n > 0)
		qsort(v.at, v.n, sizeof(*v.at), by_name);
	for (size_t i = 0; i < v.n && rc == 0; i++) {
		e->who.user = v.at[i];
		rc = export_user(e);
	}
	for (size_t i = 0; i < v.n; i++)
		free(v.at[i]);
	free(v.at);
	return rc;
}

int
export_lines(struct store *s, const struct export_options *o, struct buf *out,
	int (*ended)(void *arg), void *arg, struct err *err)
{
	struct exporter e = { .s = s, .o = o, .who = o->who, .out = out, .ended = ended,
		.arg = arg, .err = err, .clean = ARENA_INIT };
	uint8_t sum[SHA256_BYTES];
	int rc;

	e.who.session = NULL;
	sha256_init(&e.sum);
	cleaner_init(&e.cleaner);
	line_head(begin_line(&e));
	if ((rc = end_line(&e)) == 0)
		rc = o->all_users ? export_users(&e) : export_user(&e);
	if (rc == 0) {
		sha256_end(&e.sum, sum);
		line_end(begin_line(&e), e.n_lines, sum);
		rc = end_line(&e);
	}
	cleaner_release(&e.cleaner);
	arena_release(&e.clean);
	return rc < 0 ? -1 : 0;
}
