/*
 * sessions_read.c: reads sessions. A session of over 2^20 turns has several rows, its parts: its
 * name, texts, agent and project are those of the first part, its turns those of all, and its times
 * the earliest creation and the latest update.
 */
#include "store/messages/read.h"

#include "store/sql/column.h"

#define PAGE_ROWS 128

static void
read_session(struct db_stmt *q, int64_t labels[2], struct arena *a, struct session *v)
{
	*v = (struct session){
		.id = column_text(q, 1, a),
		.title = column_text(q, 3, a),
		.system_prompt = column_text(q, 4, a),
		.metadata = column_text(q, 5, a),
		.created_us = column_time(q, 8),
		.updated_us = column_time(q, 9),
		.n_messages = db_column_int(q, 10),
		.told_us = column_time(q, 11),
	};
	labels[0] = db_column_int(q, 6);
	labels[1] = db_column_int(q, 7);
}

static int64_t
time_of(const struct session *v)
{
	return v->updated_us != TIME_NONE ? v->updated_us : v->created_us;
}

static int
session_labels(struct store *s, int64_t user, const int64_t labels[2], struct arena *a,
	struct session *v, struct err *err)
{
	v->agent = label_text(s, user, LABEL_AGENT, labels[0], a, err);
	v->project =
	    v->agent == NULL ? NULL : label_text(s, user, LABEL_PROJECT, labels[1], a, err);
	return v->project == NULL ? -1 : 0;
}

/* Whether a session with these labels (agent, project) is in the scope. */
static bool
in_scope(const struct scope_numbers *n, const int64_t labels[2])
{
	return (n->agent < 0 || labels[0] == 0 || labels[0] == n->agent) &&
	    (n->project < 0 || labels[1] == n->project);
}

/*
 * The session of that name, made of all its parts; *found false: there is none. *last: the part
 * that is the latest by time; last may be NULL.
 */
static int
read_whole(struct store *s, int64_t user, const char *name, int64_t labels[2], struct arena *a,
	struct session *v, bool *found, int64_t *last, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_SESSION_PARTS, ARGS(user, name), err);
	int64_t ignored[2], last_us = TIME_NONE;
	int got;

	*found = false;
	while ((got = db_row(q, err)) > 0) {
		struct session part;
		read_session(q, *found ? ignored : labels, a, &part);
		/* a later part has a larger number */
		if (last != NULL && time_of(&part) >= last_us) {
			*last = db_column_int(q, 0);
			last_us = time_of(&part);
		}
		if (!*found) {
			*v = part;
			*found = true;
			continue;
		}
		v->n_messages += part.n_messages;
		v->updated_us = MAX(v->updated_us, part.updated_us);
		if (part.created_us != TIME_NONE &&
		    (v->created_us == TIME_NONE || part.created_us < v->created_us))
			v->created_us = part.created_us;
	}
	return got;
}

int
sessions_each(struct store *s, const struct scope *who, session_fn *fn, void *arg, struct err *err)
{
	struct scope_numbers n;
	LOCAL(arena) a = ARENA_INIT;
	struct session page[PAGE_ROWS];
	int64_t labels[PAGE_ROWS][2], after = -1;
	size_t n_page = PAGE_ROWS;
	int got;
	bool found;

	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	while (n.user != 0 && n_page == PAGE_ROWS) {
		struct db_stmt *q = stmt_start(s, STMT_SESSIONS, ARGS(n.user, after, n.agent,
		    n.project, PAGE_ROWS), err);

		arena_reset(&a);
		for (n_page = 0; (got = db_row(q, err)) > 0; n_page++) {
			if (db_goes_on(s, after, db_column_int(q, 0), err) < 0)
				return -1;
			after = db_column_int(q, 0);
			read_session(q, labels[n_page], &a, &page[n_page]);
		}
		if (got < 0)
			return -1;
		for (size_t i = 0; i < n_page; i++) {
			if (page[i].n_messages >= TURNS_MAX &&
			    read_whole(s, n.user, page[i].id, labels[i], &a, &page[i], &found, NULL,
				err) < 0)
				return -1;
			if (session_labels(s, n.user, labels[i], &a, &page[i], err) < 0 ||
			    (got = fn(arg, &page[i])) < 0)
				return -1;
			if (got > 0)
				n.user = 0;
			if (n.user == 0)
				break;
		}
	}
	return 0;
}

/*
 * 1: v is the session of part id, whose time is the session's; 0: the session is not in the scope,
 * or another part of it is later; -1.
 */
static int
session_of_part(struct store *s, const struct scope_numbers *n, int64_t id, struct arena *a,
	struct session *v, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_SESSION_ROW, ARGS(n->user, id, n->agent,
	    n->project), err);
	int64_t labels[2], part, last = 0;
	bool found = true;
	int got;

	if ((got = db_row(q, err)) <= 0)
		return got;
	read_session(q, labels, a, v);
	part = db_column_int(q, 2);
	db_reset(q);
	if (part > 0 || v->n_messages >= TURNS_MAX) {
		if (read_whole(s, n->user, v->id, labels, a, v, &found, &last, err) < 0)
			return -1;
		if (!found || last != id || !in_scope(n, labels))
			return 0;
	}
	return session_labels(s, n->user, labels, a, v, err) < 0 ? -1 : 1;
}

int
sessions_by_time(struct store *s, const struct scope *who, bool newest_first, int64_t from_us,
	session_fn *fn, void *arg, struct err *err)
{
	struct scope_numbers n;
	LOCAL(arena) a = ARENA_INIT;
	struct sessions_walk w;
	struct session v;
	int rc = 1;

	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	if (n.user == 0)
		return 0;
	sessions_walk_init(&w, n.user, newest_first,
	    from_us != TIME_NONE || !newest_first ? from_us : INT64_MAX);
	while (rc > 0 && (rc = sessions_walk_next(s, &w, err)) > 0)
		for (size_t i = 0; i < w.n && rc > 0; i++) {
			int got;
			arena_reset(&a);
			if ((got = session_of_part(s, &n, w.ids[i], &a, &v, err)) > 0)
				got = fn(arg, &v);
			rc = got == 0 ? 1 : got < 0 ? -1 : 0;
		}
	return rc < 0 ? -1 : 0;
}

int
sessions_find(struct store *s, const struct scope *who, const char *id, struct arena *a,
	const struct session **out, struct err *err)
{
	int64_t labels[2] = { 0, 0 };
	struct scope_numbers n;
	struct session v, *whole;
	bool found;

	*out = NULL;
	if (scope_numbers(s, who, &n, err) < 0 ||
	    read_whole(s, n.user, id, labels, a, &v, &found, NULL, err) < 0)
		return -1;
	if (!found)
		return 0;
	if (session_labels(s, n.user, labels, a, &v, err) < 0)
		return -1;
	if (!in_scope(&n, labels))
		return 0;
	whole = arena_alloc(a, sizeof(*whole));
	*whole = v;
	*out = whole;
	return 0;
}

int
sessions_called(struct store *s, const struct scope *who, const char *name, bool *any,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);

	*any = false;
	return user < 0 ? -1 : stmt_has(s, STMT_SESSION_CALLED, ARGS(user, name), any, err);
}

int
sessions_count(struct store *s, const struct scope *who, const char *id, int64_t *n,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct session_parts parts;
	int got = 0;

	*n = 0;
	if (user <= 0)
		return user < 0 ? -1 : 0;
	if (session_parts(s, user, id, &parts, err) < 0)
		return -1;
	for (size_t i = 0; i < parts.n && got >= 0; i++) {
		int64_t here;

		got = stmt_number(s, STMT_SESSION_MESSAGES, ARGS(parts.id[i], ROWS_OF(user)),
		    &here, err);
		*n += here;
	}
	return got < 0 ? -1 : 0;
}
