/*
 * named.c: an id that we make begins with its time, so those of one import differ in their last
 * characters only: people are shown the end of an id, and may type it.
 */
#include "records/named.h"

#include <strings.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/conf.h"
#include "base/order.h"
#include "base/utf8.h"
#include "records/filter.h"
#include "records/handles.h"
#include "records/list.h"
#include "records/project_name.h"
#include "records/title.h"
#include "store/names.h"
#include "store/records.h"

#define TOLD       5               /* ids or sessions that are named where more than one fits */
#define LIKE_LEAST 3               /* bytes of a text that is looked for in names and titles */
#define ENDS_MOST  20000           /* ids that are read for a list */
#define END_LEAST  5
#define END_LONG   10

static int
number_named(const struct scope *who, const char *text, struct arena *a, const char **id,
	struct err *err)
{
	const char *found = handles_find(text + 1, who->user, a);

	if (found == NULL)
		return err_set(err, ERR_NOINPUT,
		    "'%.20s': the last list on this terminal has no such line", text);
	*id = found;
	return 0;
}

static bool
is_number(const char *text)
{
	return text[0] == '@' && ascii_is_digit(text[1]) &&
	    text[1 + strspn(text + 1, "0123456789")] == '\0';
}

/* ---- the ends of ids ---- */

/* Whether the text may be the end of an id of ours. */
static bool
is_end(const char *text)
{
	size_t len = strlen(text);

	return len >= ID_LAST && len < ID_TEXT - 1 &&
	    strspn(text, "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz") == len;
}

static int
begins_one(struct store *s, const struct scope *who, const char *text, struct arena *a,
	const char **id, struct err *err)
{
	const struct message *m = NULL;
	const struct fact *f = NULL;
	int rc = strlen(text) < ID_FIRST ? 0 : messages_find(s, who, text, a, &m, err);

	if (rc == 0 && strlen(text) >= ID_FIRST && m == NULL)
		rc = records_find(s, who, text, a, &f, err);
	*id = m != NULL ? m->id : f != NULL ? f->head.id : NULL;
	return rc;
}

/* A whole name goes before a part of an id: who names a session does not mean a record of it. */
static int
no_session_too(struct store *s, const struct scope *who, const char *text, const char *told,
	struct err *err)
{
	const struct scope all = { who->user, NULL, NULL, NULL };
	const struct session *v = NULL;
	LOCAL(arena) a = ARENA_INIT;

	if (sessions_find(s, &all, text, &a, &v, err) != 0)
		return -1;
	return v == NULL ? 0
	    : err_set(err, ERR_DATA, "'%s' is the name of a session, and a part of the id of "
		"something else, %s: give the whole id, or the session by -s or as a record",
		text, told);
}

/* Appends the id and how its record begins. */
static int
tell_id(struct store *s, const struct scope *who, const char *id, struct buf *out, struct err *err)
{
	const struct message *m = NULL;
	const struct fact *f = NULL;
	LOCAL(arena) a = ARENA_INIT;
	int rc = messages_find(s, who, id, &a, &m, err);

	if (rc == 0 && m == NULL)
		rc = records_find(s, who, id, &a, &f, err);
	if (rc == 0) {
		const char *text = m != NULL ? m->content : f != NULL ? f->head.content : "";
		size_t len = strcspn(text, "\n");

		buf_addf(out, "%s%s (%.*s)", out->len > 0 ? ", " : "", id,
		    (int)utf8_clip(text, len, 40), text);
	}
	return rc;
}

int
id_named(struct store *s, const struct scope *who, const char *text, struct arena *a,
	const char **id, struct err *err)
{
	size_t len = strlen(text), n = 0, n_ids = 0;
	char (*ids)[ID_TEXT] = NULL;
	const char *begins;

	*id = text;
	if (is_number(text))
		return number_named(who, text, a, id, err);
	if (s == NULL || !is_end(text))
		return 0;
	if (begins_one(s, who, text, a, &begins, err) != 0)
		return -1;
	LOCAL(buf) told = buf_of(conf_caps.output_bytes);
	if (begins != NULL)
		return tell_id(s, who, begins, &told, err) != 0
		    ? -1
		    : no_session_too(s, who, text, told.data, err);
	int rc = ids_all(s, who, &ids, &n_ids, err);
	for (size_t i = 0; i < n_ids && rc == 0; i++) {
		if (strcasecmp(ids[i] + ID_TEXT - 1 - len, text) != 0)
			continue;
		if (n++ == 0)
			*id = arena_strdup(a, ids[i]);
		if (n <= TOLD)
			rc = tell_id(s, who, ids[i], &told, err);
	}
	if (rc == 0 && n > 0)
		rc = no_session_too(s, who, text, told.data, err);
	if (rc == 0 && n > 1)
		rc = err_set(err, ERR_DATA, "more than one id ends in '%s': %s%s", text, told.data,
		    n > TOLD ? " and others" : "");
	free(ids);
	return rc;
}

/* ---- ends that are of one id alone ---- */

/* Orders ids by their ends. */
static int
by_end(const void *x, const void *y)
{
	const char *a = x, *b = y;

	for (size_t i = ID_TEXT - 1; i-- > 0;)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static size_t
common_end(const char *a, const char *b)
{
	size_t n = 0;

	while (n < ID_TEXT - 1 && a[ID_TEXT - 2 - n] == b[ID_TEXT - 2 - n])
		n++;
	return n;
}

const char *
id_end(struct id_ends *ends, struct store *s, const struct scope *who, const char *id)
{
	size_t low, n = END_LEAST;

	if (strlen(id) != ID_TEXT - 1)
		return id;
	if (!ends->read) {
		ends->read = true;
		if (ids_all(s, who, &ends->ids, &ends->n, NULL) != 0)
			ends->n = 0;
		if (ends->n <= ENDS_MOST)
			qsort(ends->ids, ends->n, sizeof(*ends->ids), by_end);
	}
	if (ends->n == 0)
		return id;
	if (ends->n > ENDS_MOST)
		return id + ID_TEXT - 1 - END_LONG;
	low = order_place(id, ends->ids, ends->n, sizeof(*ends->ids), by_end);
	if (low > 0)
		n = MAX(n, common_end(ends->ids[low - 1], id) + 1);
	low += low < ends->n && strcmp(ends->ids[low], id) == 0;
	if (low < ends->n)
		n = MAX(n, common_end(ends->ids[low], id) + 1);
	return id + ID_TEXT - 1 - MIN(n, ID_TEXT - 1);
}

void
id_ends_free(struct id_ends *ends)
{
	free(ends->ids);
	*ends = (struct id_ends){ NULL, 0, false };
}

/* ---- sessions ---- */

struct by_like {
	struct store *s;
	const struct scope *who;
	const char *text;
	enum { ALL, NAMES, TIMES, TITLES } by;
	int64_t from_us, to_us;        /* TIMES: the span that text names */
	size_t n;
	struct arena *a;
	const char *found;             /* the name of the first one */
	struct buf told, handles;      /* handles: "@N" will be the session there */
	struct err *err;
};

/* Whether each word of words is in the text, in letters of any case. */
static bool
has_words(const char *text, const char *words)
{
	for (size_t n; words += strspn(words, " "), *words != '\0'; words += n) {
		const char *p = text;

		n = strcspn(words, " ");
		while (*p != '\0' && strncasecmp(p, words, n) != 0)
			p++;
		if (*p == '\0')
			return false;
	}
	return true;
}

static int
is_like(void *arg, const struct session *v)
{
	LOCAL(arena) a = ARENA_INIT;
	struct by_like *b = arg;
	const char *title = "", *words = "";
	bool in = b->by != NAMES || strncmp(v->id, b->text, strlen(b->text)) == 0;
	int rc = 0;

	if (b->by == TIMES)
		rc = session_in_span(b->s, b->who, v, b->from_us, b->to_us, &in, b->err);
	if (rc != 0 || !in)
		return rc;
	if (b->by == TITLES)
		rc = session_words(b->s, b->who, v, &a, &words, b->err);
	if (rc == 0 && (b->by != TITLES || has_words(words, b->text))) {
		if (b->n < TOLD &&
		    (rc = session_title(b->s, b->who, v, &a, &title, b->err)) != 0)
			return -1;
		if (b->n++ == 0)
			b->found = arena_strdup(b->a, v->id);
		if (b->n <= TOLD) {
			/* turns that are there: those that were forgotten are not told */
			int64_t n;

			if (sessions_count(b->s, b->who, v->id, &n, NULL) != 0)
				n = v->n_messages;
			buf_adds(&b->told, b->n > 1 ? ", " : "");
			if (isatty(STDOUT_FILENO))
				buf_addf(&b->told, "@%zu ", b->n);
			buf_addf(&b->told, "%.100s (%.*s, %lld message%s)", v->id,
			    (int)utf8_clip(title, strlen(title), 40), title,
			    (long long)n, PLURAL(n));
			handles_add(&b->handles, b->n, v->id);
		}
	}
	return rc != 0 ? -1 : b->by == ALL && b->n > TOLD;
}

/* Finds what fits by names or titles; b->n: how many there are. */
static int
find_like(struct by_like *b)
{
	const struct scope in = { b->who->user, b->who->agent, b->who->project, NULL };

	b->n = 0;
	return sessions_by_time(b->s, &in, true, TIME_NONE, is_like, b, b->err);
}

/* Finds the session of a record that has a number: its own, or of a session the session. */
static int
session_of(struct store *s, const struct scope *who, const char *id, struct arena *a,
	const struct session **out, struct err *err)
{
	const struct message *m = NULL;
	const struct fact *f = NULL;

	if (sessions_find(s, who, id, a, out, err) != 0)
		return -1;
	if (*out != NULL)
		return 0;
	if (messages_find(s, who, id, a, &m, err) != 0 ||
	    (m == NULL && records_find(s, who, id, a, &f, err) != 0))
		return -1;
	const char *session = m != NULL ? m->session : f != NULL ? f->head.session : "";
	if (*session == '\0')
		return err_set(err, ERR_NOINPUT, "what that line shows is of no session");
	return sessions_find(s, who, session, a, out, err);
}

int
session_named(struct store *s, const struct scope *who, const char *name, struct arena *a,
	const struct session **out, struct err *err)
{
	const struct scope in = { who->user, who->agent, who->project, NULL };
	struct by_like b = { .s = s, .who = who, .text = name, .by = NAMES, .a = a, .err = err };
	const char *id = name;

	*out = NULL;
	if (s == NULL || sessions_find(s, &in, name, a, out, err) != 0)
		return s == NULL ? 0 : -1;
	if (*out != NULL)
		return 0;
	if (is_number(name) && number_named(who, name, a, &id, err) != 0)
		return -1;
	if (is_number(name))
		return session_of(s, &in, id, a, out, err);
	if (strlen(name) < LIKE_LEAST)
		return 0;
	buf_init(&b.told, conf_caps.output_bytes);
	buf_init(&b.handles, conf_caps.output_bytes);
	int rc = find_like(&b);
	if (rc == 0 && b.n == 0 &&
	    filter_words_of_time(name, clock_now_us(), &b.from_us, &b.to_us)) {
		b.by = TIMES;
		rc = find_like(&b);
	}
	if (rc == 0 && b.n == 0) {
		b.by = TITLES;
		rc = find_like(&b);
	}
	if (rc == 0 && b.n > 1)
		handles_keep(&b.handles, who->user);
	if (rc == 0 && b.n > 1)
		rc = err_set(err, ERR_DATA, "more than one session is '%.100s': %s%s", name,
		    b.told.data, b.n > TOLD ? " and others" : "");
	else if (rc == 0 && b.n == 1)
		rc = sessions_find(s, &in, b.found, a, out, err);
	buf_release(&b.told);
	buf_release(&b.handles);
	return rc;
}

static int
tell_sessions(struct store *s, const struct scope *who, scope_told_fn *tell, struct arena *a,
	struct err *err)
{
	struct by_like b = { .s = s, .who = who, .text = "", .by = ALL, .a = a, .err = err };

	buf_init(&b.told, conf_caps.output_bytes);
	buf_init(&b.handles, conf_caps.output_bytes);
	int rc = find_like(&b);
	if (rc == 0 && b.n == 0)
		buf_adds(&b.told, "there are none");
	if (rc == 0)
		tell(NULL, arena_printf(a, "there is no session '%.100s'%s%s%s", who->session,
		    b.n > 0 ? ": there are " : ": ", b.told.data, b.n > TOLD ? " and others" : ""));
	buf_release(&b.told);
	buf_release(&b.handles);
	return rc;
}

static int
on_any(void *arg, const struct session *v)
{
	(void)v;
	*(bool *)arg = true;
	return 1;
}

/* Tells that there is nothing of a user who was named, where there is of others. */
static int
tell_no_user(struct store *s, const struct scope *who, scope_told_fn *tell, struct arena *a,
	struct err *err)
{
	const struct scope all = { who->user, NULL, NULL, NULL };
	FREED struct name_count *users = NULL;
	bool any = false;
	size_t n = 0;
	int rc = 0;

	if (conf_origin("user", NULL) != CONF_OPTION)
		return 0;
	if (sessions_by_time(s, &all, true, TIME_NONE, on_any, &any, err) < 0 ||
	    (!any && names_counted(s, who, NAME_USER, a, &users, &n, err) != 0))
		rc = -1;
	for (size_t i = 0; i < n; i++)
		any |= strcmp(users[i].name, who->user) == 0;
	if (rc == 0 && !any && n > 0)
		tell(NULL, arena_printf(a, "there is nothing of user '%.100s' (mem-list users "
		    "shows of whom)", who->user));
	return rc;
}

int
scope_in(struct store *s, struct scope *who, scope_told_fn *no_project,
	scope_told_fn *no_session, struct arena *a, struct err *err)
{
	const struct session *v;

	if ((s != NULL && tell_no_user(s, who, no_project, a, err) != 0) ||
	    project_in(s, who, no_project, a, err) != 0)
		return -1;
	if (s == NULL || who->session == NULL || *who->session == '\0')
		return 0;
	if (session_named(s, who, who->session, a, &v, err) != 0)
		return -1;
	if (v == NULL)
		return tell_sessions(s, who, no_session, a, err);
	who->session = v->id;
	return 0;
}
