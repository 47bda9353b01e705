/*
 * cluster_edit.c: what a person does to subcategories by hand. Each is one transaction, and counts
 * as a run: one of mem-cluster that has begun before changes nothing then.
 */
#include "cluster/cluster_parts.h"

#include <strings.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/conf.h"
#include "base/utf8.h"
#include "clean/clean_text.h"
#include "records/named.h"

#define NAME_BYTES 200
#define TOLD       8               /* subcategories that are named */

struct editing {
	struct store *s;
	const struct scope *who;
	struct arena *arena;
	struct category *all;
	size_t n, cap;
};

static int
take_category(void *arg, const struct category *c)
{
	struct editing *e = arg;

	xgrow(&e->all, &e->cap, e->n + 1, sizeof(*e->all));
	e->all[e->n] = *c;
	e->all[e->n].name = arena_strdup(e->arena, c->name);
	e->all[e->n++].keywords = arena_strdup(e->arena, c->keywords);
	return 0;
}

/* ---- which one is meant ---- */

/*
 * How well a name, which may have its root before a slash, means the category: by its id or the
 * whole name, by words; 0: not at all.
 */
static int
fit_of(const struct category *c, const char *name)
{
	size_t len = strlen(name), root = strlen(fact_root_names[c->root]);

	if (strncasecmp(name, fact_root_names[c->root], root) == 0 && name[root] == '/')
		name += root + 1;
	if (len >= ID_FIRST && len < ID_TEXT && strncasecmp(c->id, name, len) == 0)
		return 3;
	if (c->hand == HAND_DROPPED)
		return 0;
	return *c->name == '\0'		     ? 0
	    : strcasecmp(c->name, name) == 0	     ? 2
	    : cluster_has_words(c->name, strlen(c->name), name) ? 1
								: 0;
}

/* Lists those that fit so well; 0: all that are seen. */
static void
tell_categories(const struct editing *e, const char *name, int fit, struct buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < e->n; i++) {
		const struct category *c = &e->all[i];
		if (fit > 0 ? fit_of(c, name) != fit : c->hand == HAND_DROPPED || *c->name == '\0')
			continue;
		if (n++ < TOLD)
			buf_addf(b, "%s'%.60s'", n > 1 ? ", " : "", c->name);
		if (n <= TOLD && fit > 0)
			buf_addf(b, " (%s)", c->id);
	}
	if (n > TOLD)
		buf_adds(b, " and others");
	if (n == 0)
		buf_adds(b, "none");
}

static struct category *
find_category(const struct editing *e, const char *name, struct err *err)
{
	struct category *found = NULL;
	size_t n = 0;
	int best = 1;

	for (size_t i = 0; i < e->n; i++) {
		int fit = fit_of(&e->all[i], name);
		n = fit > best ? 1 : n + (fit == best);
		found = fit >= best ? &e->all[i] : found;
		best = MAX(best, fit);
	}
	if (n == 1)
		return found;
	LOCAL(buf) told = buf_of(conf_caps.output_bytes);
	tell_categories(e, name, n > 1 ? best : 0, &told);
	if (n > 1)
		err_set(err, ERR_USAGE, "more than one subcategory is '%.100s': %s", name,
		    told.data);
	else
		err_set(err, ERR_NOINPUT, "there is no subcategory '%.100s', but %s", name,
		    told.data);
	return NULL;
}

/* ---- what is done ---- */

static bool
has_unsafe(const char *name)
{
	const char *end = name + strlen(name);
	bool unsafe = false;
	uint32_t cp;

	while (name < end && !unsafe) {
		name += utf8_next(name, end, &cp);
		/* what joins letters, or emoji, has its place in a name */
		unsafe = utf8_unsafe(cp) && cp != 0x200c && cp != 0x200d;
	}
	return unsafe;
}

static int
name_it(struct editing *e, struct category *c, const char *name, struct err *err)
{
	struct cleaner clean;

	cleaner_init(&clean);
	name = clean_id(&clean, name, e->arena);
	cleaner_release(&clean);
	size_t len = strlen(name);
	name = ascii_trim(name, &len);
	name = arena_strndup(e->arena, name, len);
	if (len == 0 || len > NAME_BYTES || has_unsafe(name))
		return err_set(err, ERR_USAGE, "a name is one line of at most %d bytes, all of "
		    "which are seen", NAME_BYTES);
	for (size_t i = 0; i < e->n; i++)
		if (&e->all[i] != c && e->all[i].root == c->root &&
		    strcasecmp(e->all[i].name, name) == 0)
			return err_set(err, ERR_USAGE, "there is a subcategory '%.100s': --merge "
				"puts one into another", name);
	c->name = name;
	c->hand = HAND_NAMED;
	return 0;
}

/* Members, read before any is moved. */
struct moving { struct member { enum vector_kind kind; int64_t row; } *all; size_t n, cap; };

static int
take_member(void *arg, enum vector_kind kind, int64_t row, int64_t category)
{
	struct moving *m = arg;

	(void)category;
	*xpush(m->all, m->n, m->cap) = (struct member){ kind, row };
	return 0;
}

static int
put_all(struct editing *e, struct category *from, struct category *to, struct err *err)
{
	struct moving m = { NULL, 0, 0 };

	if (from == to || from->root != to->root)
		return err_set(err, ERR_USAGE, from == to
			? "'%.60s' and '%.60s' are one subcategory"
			: "'%.60s' and '%.60s' are not of one root", from->name, to->name);
	int rc = members_each(e->s, e->who, from->row, take_member, &m, err);
	for (size_t i = 0; i < m.n && rc == 0; i++)
		rc = member_put(e->s, e->who, m.all[i].kind, m.all[i].row, to->row, err);
	to->n_members += (int64_t)m.n;
	free(m.all);
	return rc == 0 ? category_remove(e->s, e->who, from->row, err) : rc;
}

/* The record of an id, and of which root it is. */
static int
find_record(struct editing *e, const char *id, struct member *out, enum fact_root *root,
	struct err *err)
{
	const struct message *m = NULL;
	const struct fact *f = NULL;

	if (id_named(e->s, e->who, id, e->arena, &id, err) != 0 ||
	    messages_find(e->s, e->who, id, e->arena, &m, err) != 0 ||
	    (m == NULL && records_find(e->s, e->who, id, e->arena, &f, err) != 0))
		return -1;
	if (m == NULL && (f == NULL || f->head.type == RECORD_SUMMARY))
		return err_set(err, f == NULL ? ERR_NOINPUT : ERR_USAGE,
		    f == NULL ? "no record '%.100s'"
			      : "summaries are in no subcategory: '%.100s'", id);
	*out = m != NULL ? (struct member){ VECTOR_MESSAGE, m->row }
			 : (struct member){ (enum vector_kind)f->head.type, f->head.row };
	*root = f != NULL && f->head.type == RECORD_FACT ? f->category : ROOT_CONTEXT;
	return 0;
}

struct search { struct member of; int64_t category; };

static int
note_category(void *arg, enum vector_kind kind, int64_t row, int64_t category)
{
	struct search *v = arg;

	if (kind != v->of.kind || row != v->of.row)
		return 0;
	v->category = category;
	return 1;
}

static int
put_one(struct editing *e, const char *id, struct category *to, struct err *err)
{
	struct search v = { .category = 0 };
	enum fact_root root = ROOT_CONTEXT;

	if (find_record(e, id, &v.of, &root, err) != 0)
		return -1;
	if (root != to->root)
		return err_set(err, ERR_USAGE, "'%.60s' is of %s, and what has that id of %s",
		    to->name, fact_root_names[to->root], fact_root_names[root]);
	if (members_each(e->s, e->who, 0, note_category, &v, err) != 0)
		return -1;
	to->n_members += v.category != to->row;
	return member_put(e->s, e->who, v.of.kind, v.of.row, to->row, err);
}

static int
change(struct editing *e, enum cluster_edit what, const char *a, const char *b,
	struct category *c, struct err *err)
{
	struct category *from;

	switch (what) {
	case CLUSTER_RENAME:
		return name_it(e, c, b, err);
	case CLUSTER_MERGE:
		if ((from = find_category(e, a, err)) == NULL || put_all(e, from, c, err) != 0)
			return -1;
		break;
	case CLUSTER_MOVE:
		if (put_one(e, a, c, err) != 0)
			return -1;
		break;
	case CLUSTER_DROP:
		c->hand = HAND_DROPPED;
		c->name = "";
		c->keywords = "[]";
		return 0;
	}
	/* also of one that was dropped: it is seen again, and the next run names it */
	c->hand = c->hand == HAND_NAMED ? HAND_NAMED : HAND_KEPT;
	return 0;
}

int
cluster_edit(struct store *s, const struct scope *who, enum cluster_edit what, const char *a,
	const char *b, struct arena *arena, const struct category **out, struct err *err)
{
	const struct scope all = { who->user, NULL, NULL, NULL };
	struct editing e = { s, &all, arena, NULL, 0, 0 };
	struct category_runs runs;
	struct category *c = NULL;
	int rc = -1;

	if (store_begin_user(s, who->user, err) != 0)
		return -1;
	if (categories_each(s, &all, take_category, &e, err) == 0 &&
	    categories_runs(s, &all, &runs, err) == 0 &&
	    (c = find_category(&e, what == CLUSTER_MERGE || what == CLUSTER_MOVE ? b : a, err)) !=
		NULL && change(&e, what, a, b, c, err) == 0) {
		c->updated_us = clock_now_us();
		rc = category_put(s, &all, c, err);
		if (rc == 0)
			rc = categories_ran(s, &all, runs.time_us, err);
	}
	if ((rc = store_end(s, rc, err)) == 0) {
		struct category *copy = arena_alloc(arena, sizeof(*copy));
		*copy = *c;
		*out = copy;
	}
	free(e.all);
	return rc;
}

/* ---- members ---- */

int
cluster_tell_member(struct store *s, const struct scope *who, struct cluster_member v, int64_t row,
	const struct cluster_fn *fn, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	const struct message *m = NULL;
	const struct fact *f = NULL;
	int rc = v.kind == VECTOR_MESSAGE
	    ? messages_by_rows(s, who, &row, 1, &a, &m, err)
	    : records_by_row(s, who, row, TIME_NONE, &a, &f, err);

	if (rc == 0 && (m != NULL || f != NULL)) {
		v.id = m != NULL ? m->id : f->head.id;
		v.text = m != NULL ? m->content : f->head.content;
		v.text_len = m != NULL ? m->content_len : f->head.content_len;
		fn->member(fn->arg, &v);
	}
	return rc;
}

int
cluster_members(struct store *s, const struct scope *who, const char *name,
	const struct cluster_fn *fn, struct err *err)
{
	const struct scope all = { who->user, NULL, NULL, NULL };
	LOCAL(arena) arena = ARENA_INIT;
	struct editing e = { s, &all, &arena, NULL, 0, 0 };
	struct moving members = { NULL, 0, 0 };
	const struct category *c = NULL;
	int rc = categories_each(s, &all, take_category, &e, err);

	if (rc == 0 && (c = find_category(&e, name, err)) == NULL)
		rc = -1;
	if (rc == 0)
		rc = members_each(s, &all, c->row, take_member, &members, err);
	for (size_t i = 0; i < members.n && rc == 0; i++)
		rc = cluster_tell_member(s, &all, (struct cluster_member){ .category = c,
		    .kind = members.all[i].kind }, members.all[i].row, fn, err);
	free(members.all);
	free(e.all);
	return rc;
}
