/*
 * names_counted.c: rows are counted by the number of what they name, once for messages and once for
 * records; the numbers then get their names.
 */
#include "store/names.h"

#include "base/alloc.h"
#include "base/order.h"
#include "store/categories.h"
#include "store/sql/column.h"

const char *const name_kinds[] = { "project", "person", "agent", "topic", "user" };

struct counting {
	struct store *s;
	struct scope_numbers in;
	struct arena *a;
	struct name_count *all;
	int64_t *numbers;                  /* [n] of all */
	size_t n, cap, cap_numbers;
	struct err *err;
};

static struct name_count *
count_of(struct counting *c, int64_t number)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->numbers[i] == number)
			return &c->all[i];
	xgrow(&c->all, &c->cap, c->n + 1, sizeof(*c->all));
	xgrow(&c->numbers, &c->cap_numbers, c->n + 1, sizeof(*c->numbers));
	c->numbers[c->n] = number;
	c->all[c->n] = (struct name_count){ "", "", 0, 0, 0, TIME_NONE };
	return &c->all[c->n++];
}

/* Adds the rows of a statement: number, messages, sessions, records, time. */
static int
add_rows(struct counting *c, enum stmt which)
{
	struct db_stmt *q = stmt_start(c->s, which, ARGS(ROWS_OF(c->in.user), c->in.agent,
	    c->in.project), c->err);
	int got;

	while ((got = db_row(q, c->err)) > 0) {
		struct name_count *of = count_of(c, db_column_int(q, 0));
		int64_t last = column_time(q, 4);

		of->messages += db_column_int(q, 1);
		of->sessions += db_column_int(q, 2);
		of->records += db_column_int(q, 3);
		if (last != TIME_NONE && (of->last_us == TIME_NONE || last > of->last_us))
			of->last_us = last;
	}
	return got;
}

/* Names what was counted by the numbers of labels; what has none is left out. */
static int
name_labels(struct counting *c, enum label_kind kind)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->n; i++) {
		c->all[i].name = label_text(c->s, c->in.user, kind, c->numbers[i], c->a, c->err);
		if (c->all[i].name == NULL)
			return -1;
		if (*c->all[i].name != '\0')
			c->all[kept++] = c->all[i];
	}
	c->n = kept;
	return 0;
}

static int
name_topic(void *arg, const struct category *v)
{
	struct counting *c = arg;

	for (size_t i = 0; i < c->n; i++) {
		if (c->numbers[i] != v->row || v->hand == HAND_DROPPED)
			continue;
		c->all[i].id = arena_strdup(c->a, v->id);
		c->all[i].name = arena_strdup(c->a, v->name);
	}
	return 0;
}

static int
count_kind(struct counting *c, const struct scope *who, enum name_kind kind)
{
	static const enum stmt of_messages[] = { STMT_COUNT_PROJECTS, STMT_COUNT_PEOPLE,
		STMT_COUNT_AGENTS, STMT_COUNT_TOPICS, STMT_COUNT_ALL };
	static const enum stmt of_records[] = { STMT_COUNT_PROJECTS_OF, N_STMTS,
		STMT_COUNT_AGENTS_OF, N_STMTS, STMT_COUNT_ALL_OF };

	if (scope_numbers(c->s, who, &c->in, c->err) < 0)
		return -1;
	if (c->in.user == 0)
		return 0;
	if (add_rows(c, of_messages[kind]) < 0 ||
	    (of_records[kind] != N_STMTS && add_rows(c, of_records[kind]) < 0))
		return -1;
	switch (kind) {
	case NAME_TOPIC:
		return categories_each(c->s, who, name_topic, c, c->err);
	case NAME_USER:
		return 0;
	default:
		return name_labels(c, kind == NAME_PROJECT ? LABEL_PROJECT
			: kind == NAME_PERSON		   ? LABEL_SPEAKER
							   : LABEL_AGENT);
	}
}

/* A topic that was dropped, or whose name went with a member, is none that could be listed. */
static int
count_topics(struct counting *c, const struct scope *who)
{
	size_t n = 0;
	int rc = count_kind(c, who, NAME_TOPIC);

	for (size_t i = 0; i < c->n; i++)
		if (*c->all[i].name != '\0')
			c->all[n++] = c->all[i];
	c->n = n;
	return rc;
}

/* ---- users ---- */

/*
 * Each user is counted alone, as a user's rows are together. One of whom nothing is left, as all
 * was forgotten, is none.
 */
static int
count_users(struct counting *c)
{
	FREED const char **users = NULL;
	size_t n;
	int rc = users_all(c->s, c->a, &users, &n, c->err);

	for (size_t i = 0; i < n && rc == 0; i++) {
		const struct scope all = { users[i], NULL, NULL, NULL };
		struct counting one = { .s = c->s, .a = c->a, .err = c->err };

		rc = count_kind(&one, &all, NAME_USER);
		if (one.n > 0) {
			struct name_count *of = count_of(c, (int64_t)i + 1);
			*of = one.all[0];
			of->name = users[i];
		}
		free(one.all);
		free(one.numbers);
	}
	return rc;
}

ORDER_BY_TEXT(by_time, struct name_count, last_us, name)

int
names_counted(struct store *s, const struct scope *who, enum name_kind kind, struct arena *a,
	struct name_count **out, size_t *n, struct err *err)
{
	struct counting c = { .s = s, .a = a, .err = err };
	int rc = kind == NAME_USER ? count_users(&c)
	    : kind == NAME_TOPIC   ? count_topics(&c, who)
				   : count_kind(&c, who, kind);

	free(c.numbers);
	if (c.n > 0)
		qsort(c.all, c.n, sizeof(*c.all), by_time);
	*out = c.all;
	*n = c.n;
	return rc < 0 ? -1 : 0;
}

int
names_of_people(struct store *s, const struct scope *who, struct arena *a, const char ***out,
	size_t *n, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	size_t cap = 0;
	int got = 0;

	*out = NULL;
	*n = 0;
	if (user <= 0)
		return user < 0 ? -1 : 0;
	struct db_stmt *q = stmt_start(s, STMT_LABELS, ARGS(user, LABEL_SPEAKER, INT64_MAX), err);
	while ((got = db_row(q, err)) > 0) {
		*xpush(*out, *n, cap) = column_text(q, 1, a);
	}
	return got < 0 ? -1 : 0;
}
