/*
 * project_name.c: names that are exact are looked up; for others all are gathered, of sessions,
 * facts and notes.
 */
#include "records/project_name.h"

#include <errno.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/order.h"
#include "calls/calls.h"
#include "store/records.h"

#define NAMED_MOST 10                      /* named in an error */

struct projects {
	struct arena *a;
	const char **names;        /* [n], each once, by name */
	size_t n, cap;
	bool any;                  /* one was seen: for looking up an exact name */
};

static void
add(struct projects *p, const char *name)
{
	size_t low = order_place(&name, p->names, p->n, sizeof(*p->names), by_text);

	p->any = true;
	if (name[0] == '\0' || (low < p->n && strcmp(p->names[low], name) == 0))
		return;
	xgrow(&p->names, &p->cap, p->n + 1, sizeof(*p->names));
	memmove(p->names + low + 1, p->names + low, (p->n - low) * sizeof(*p->names));
	p->names[low] = arena_strdup(p->a, name);
	p->n++;
}

static int
on_session(void *arg, const struct session *v)
{
	add(arg, v->project);
	return 0;
}

static int
on_fact(void *arg, const struct fact *f)
{
	add(arg, f->head.project);
	return 0;
}

static int
on_any(void *arg, const struct session *v)
{
	(void)v;
	((struct projects *)arg)->any = true;
	return 1;
}

static int
on_any_fact(void *arg, const struct fact *f)
{
	(void)f;
	((struct projects *)arg)->any = true;
	return 1;
}

/* Calls fn with each fact and each note. */
static int
facts_each(struct store *s, const struct scope *who, fact_fn *fn, struct projects *p,
	struct err *err)
{
	const struct record_filter facts = RECORD_FILTER_ANY(RECORD_FACT),
				   notes = RECORD_FILTER_ANY(RECORD_REFLECTION);

	return records_each(s, who, &facts, fn, p, err) < 0 ||
		records_each(s, who, &notes, fn, p, err) < 0
	    ? -1
	    : 0;
}

/* Whether there is anything of exactly this project: 1 or 0, or -1. */
static int
is_there(struct store *s, const struct scope *who, const char *name, struct err *err)
{
	const struct scope in = { who->user, who->agent, name, NULL };
	struct projects p = { .any = false };

	if (sessions_by_time(s, &in, true, TIME_NONE, on_any, &p, err) < 0 ||
	    (!p.any && facts_each(s, &in, on_any_fact, &p, err) < 0))
		return -1;
	return p.any;
}

static const char *
lower(const char *text, struct arena *a)
{
	char *copy = arena_strdup(a, text);

	for (char *c = copy; *c != '\0'; c++)
		*c = ascii_lower(*c);
	return copy;
}

/*
 * Appends names, those that end in name's parts or with name NULL all, and returns how many.
 * loosely: letters of either case are the same.
 */
static size_t
list(const struct projects *p, const char *name, bool loosely, struct buf *out,
	const char **first)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		const char *path = path_join("", p->names[i], strlen(p->names[i]), p->a);

		if (name != NULL && !(loosely ? path_ends(lower(path, p->a), lower(name, p->a))
					     : path_ends(path, name)))
			continue;
		if (n == 0)
			*first = p->names[i];
		if (n++ < NAMED_MOST)
			buf_addf(out, "%s%.200s", n > 1 ? ", " : "", p->names[i]);
	}
	if (n > NAMED_MOST)
		buf_addf(out, " and %zu more", n - NAMED_MOST);
	return n;
}

/* Whether a project can be what the directory was before it was moved. */
static bool
may_have_been(const char *project, const char *directory)
{
	return path_is_absolute(project) && strcmp(path_base(project), path_base(directory)) == 0 &&
	    access(project, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

/* A directory of which there is nothing: tells whence it may have been moved. */
static bool
tell_moved(const struct projects *p, const char *directory, struct err *err)
{
	const char *was = NULL;
	size_t n = 0;

	for (size_t i = 0; i < p->n && access(directory, F_OK) == 0; i++)
		if (may_have_been(p->names[i], directory)) {
			was = p->names[i];
			n++;
		}
	if (n == 0)
		return false;
	err_set(err, ERR_NOINPUT,
	    "there is nothing of '%.300s', but of '%.300s'%s, which is gone: if it was moved, "
	    "mem-edit --move OLD NEW brings its memory along", directory, was,
	    n > 1 ? " and others" : "");
	return true;
}

/* Chooses among all. */
static int
choose(const struct projects *p, const char *name, const char **out, bool *moved,
	struct err *err)
{
	const char *end = path_join("", name, strlen(name), p->a);
	LOCAL(buf) names = buf_of(sizeof(err->msg) - 200);
	size_t n = list(p, end, false, &names, out);

	if (n == 0 && !path_is_absolute(name))
		n = list(p, end, true, &names, out);
	if (n > 1) {
		err_set(err, ERR_USAGE, "more than one project ends in '%.100s': %s", name,
		    names.data);
	} else if (n == 0 && (*moved = path_is_absolute(name) && tell_moved(p, name, err))) {
		*out = name;
	} else if (n == 0) {
		list(p, NULL, false, &names, out);
		err_set(err, ERR_NOINPUT, "there is no project '%.100s': there %s %s", name,
		    p->n == 1 ? "is" : "are", p->n > 0 ? names.data : "none");
		*out = name;
	}
	return n == 1 ? 0 : -1;
}

static int
find(struct store *s, const struct scope *who, const char *name, struct arena *a, const char **out,
	bool *moved, struct err *err)
{
	const struct scope all = { who->user, who->agent, NULL, NULL };
	struct projects p = { .a = a };
	int rc;

	*moved = false;
	*out = name;
	if (s == NULL || name == NULL || *name == '\0')
		return 0;
	if ((rc = is_there(s, who, name, err)) != 0)
		return rc > 0 ? 0 : -1;
	rc = sessions_each(s, &all, on_session, &p, err) < 0 ||
		facts_each(s, &all, on_fact, &p, err) < 0
	    ? -1
	    : choose(&p, name, out, moved, err);
	free(p.names);
	return rc;
}

int
project_find(struct store *s, const struct scope *who, const char *name, struct arena *a,
	const char **out, struct err *err)
{
	bool moved;

	return find(s, who, name, a, out, &moved, err);
}

int
project_in(struct store *s, struct scope *who, void (*warn)(void *arg, const char *text),
	struct arena *a, struct err *err)
{
	struct err none = ERR_INIT;
	bool moved;

	if (find(s, who, who->project, a, &who->project, &moved, &none) == 0)
		return 0;
	if (none.code != ERR_NOINPUT) {
		*err = none;
		return -1;
	}
	if (moved || !path_is_absolute(who->project))
		warn(NULL, none.msg);
	return 0;
}

int
project_of_new(struct store *s, struct scope *who, struct arena *a, struct err *err)
{
	struct err none = ERR_INIT;
	const char *given = who->project;
	bool moved;

	if (given == NULL || path_is_absolute(given) ||
	    find(s, who, given, a, &who->project, &moved, &none) == 0)
		return 0;
	who->project = given;
	if (none.code == ERR_NOINPUT || none.code == ERR_USAGE)
		return 0;
	*err = none;
	return -1;
}
