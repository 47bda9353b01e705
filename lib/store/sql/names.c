/*
 * names.c: users, speakers, agents and projects as small numbers, so that a row number can carry
 * its user and a card its speaker.
 */
#include "store/sql/column.h"

#include <unistd.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "text/words.h"

/* agents and projects: a card has 16 bits for each, and they decide who sees what */
#define NARROWING_MAX 65535

/*
 * The number of 1 to most that q gives; 0 when it gives none. Rows are counted from a user's
 * number: another would reach into what is not the user's.
 */
static int64_t
number_of(struct store *s, struct db_stmt *q, int64_t most, struct err *err)
{
	int got = db_row(q, err);
	int64_t no = got > 0 ? db_column_int(q, 0) : got;

	if (got > 0)
		db_reset(q);
	if (got > 0 && (no < 1 || no > most))
		return err_set(err, ERR_IO,
		    "number of a name: store is " ERR_DAMAGED ": '%s'", store_path(s));
	return no;
}

static int
check_name(const char *what, const char *text, struct err *err)
{
	return strlen(text) <= conf_caps.id_bytes
	    ? 0
	    : err_set(err, ERR_DATA, "%s is over %llu bytes", what,
		  (unsigned long long)conf_caps.id_bytes);
}

int64_t
user_number(struct store *s, const char *name, bool make, struct err *err)
{
	int64_t no;

	if (name == NULL || *name == '\0')
		return err_set(err, ERR_USAGE, "no user given");
	if (check_name("name of the user", name, err) < 0)
		return -1;
	if (s->writes_for != NULL && strcmp(s->writes_for, name) != 0)
		return err_set(err, ERR_BUG, "a write for another user");
	/* it never gets another number */
	if (s->user != NULL && strcmp(s->user, name) == 0)
		return s->user_no;
	struct db_stmt *q = stmt_start(s, STMT_USER_GET, ARGS(name), err);
	db_want(q);                            /* every call on a user's data asks for it again */
	if ((no = number_of(s, q, USERS_MAX, err)) == 0 && make) {
		q = stmt_start(s, STMT_USER_PUT, ARGS(name), err);
		no = number_of(s, q, USERS_MAX, err);
	} else if (no > 0 && !s->writing && db_is_far(s->db)) {
		/* who writes may be about to take it back */
		free(s->user);
		s->user = xstrdup(name);
		s->user_no = no;
	}
	return no;
}

int
users_all(struct store *s, struct arena *a, const char ***out, size_t *n, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_USERS_NAMES, NO_ARGS, err);
	size_t cap = 0;
	int got;

	*out = NULL;
	*n = 0;
	while ((got = db_row(q, err)) > 0)
		*xpush(*out, *n, cap) = column_text(q, 0, a);
	return got;
}

/* ---- labels ---- */

struct first_word { char text[WORDS_TERM_BYTES]; int len; };

static int
on_word(void *arg, const struct word *w)
{
	struct first_word *first = arg;

	memcpy(first->text, w->term, w->len);
	first->len = w->len;
	return 1;
}

int
label_put(struct store *s, int64_t user, enum label_kind kind, int64_t no, const char *text,
	struct err *err)
{
	struct first_word first = { "", 0 };

	words_each(text, strlen(text), on_word, &first);
	return stmt_run(s, STMT_LABEL_PUT, ARGS(user, kind, no, text, BLOB(first.text, first.len)),
	    err);
}

int
label_rename(struct store *s, int64_t user, enum label_kind kind, int64_t no, const char *text,
	struct err *err)
{
	struct first_word first = { "", 0 };

	words_each(text, strlen(text), on_word, &first);
	return stmt_run(s, STMT_LABEL_RENAME, ARGS(text, BLOB(first.text, first.len), user, kind,
	    no), err);
}

static int64_t
label_make(struct store *s, int64_t user, enum label_kind kind, const char *text, struct err *err)
{
	int64_t no = s->next_label[kind].user == user ? s->next_label[kind].no : 0;

	if (no == 0 && (no = number_of(s, stmt_start(s, STMT_LABEL_NEXT, ARGS(user, kind), err),
	    INT64_MAX - 1, err)) < 0)
		return -1;
	if (no > NARROWING_MAX && kind != LABEL_SPEAKER)
		return err_set(err, ERR_DATA, "more than %d different agents or projects",
		    NARROWING_MAX);
	if (label_put(s, user, kind, no, text, err) < 0)
		return -1;
	s->next_label[kind].user = user;
	s->next_label[kind].no = no + 1;
	return no;
}


int
labels_want(struct store *s, int64_t user, int64_t speaker, int64_t agent, int64_t project,
	struct err *err)
{
	const int64_t numbers[] = { [LABEL_SPEAKER] = speaker, [LABEL_AGENT] = agent,
		[LABEL_PROJECT] = project };

	for (size_t i = 0; i < NELEM(numbers) && db_gathers_next(s->db); i++)
		if (numbers[i] != 0 && stmt_want_next(s, STMT_LABEL_TEXT, ARGS(user, (int64_t)i,
		    numbers[i]), err) < 0)
			return -1;
	return 0;
}

int64_t
label_exactly(struct store *s, int64_t user, enum label_kind kind, const char *text,
	struct err *err)
{
	return check_name("name", text, err) < 0 ? -1
	    : number_of(s, stmt_start(s, STMT_LABEL_GET, ARGS(user, kind, text), err), INT64_MAX,
		  err);
}

int64_t
label_number(struct store *s, int64_t user, enum label_kind kind, const char *text, bool make,
	struct err *err)
{
	if (text == NULL || *text == '\0')
		return 0;
	int64_t no = label_exactly(s, user, kind, text, err);
	/* a directory that is there again is another project */
	if (no == 0 && kind == LABEL_PROJECT && (*text != '/' || access(text, F_OK) != 0) &&
	    (no = label_exactly(s, user, LABEL_PROJECT_WAS, text, err)) > 0)
		no &= (1 << PROJECT_BITS) - 1;
	if (no != 0 || !make)
		return no;
	return label_make(s, user, kind, text, err);
}

const char *
label_text(struct store *s, int64_t user, enum label_kind kind, int64_t no, struct arena *a,
	struct err *err)
{
	const char *text = "";

	return no != 0 && stmt_text(s, STMT_LABEL_TEXT, ARGS(user, kind, no), a, &text, err) < 0
	    ? NULL
	    : text;
}

static int
wanted_label(struct store *s, int64_t user, enum label_kind kind, const char *text, int64_t *out,
	struct err *err)
{
	*out = -1;
	if (text == NULL || *text == '\0')
		return 0;
	if ((*out = label_number(s, user, kind, text, false, err)) < 0)
		return -1;
	if (*out == 0)
		/* an unknown agent still sees what is shared */
		*out = kind == LABEL_AGENT ? NARROWING_MAX + 1 : -2;
	return 0;
}

int
scope_numbers(struct store *s, const struct scope *who, struct scope_numbers *n, struct err *err)
{
	*n = (struct scope_numbers){ 0, -1, -1 };
	if ((n->user = user_number(s, who->user, false, err)) < 0)
		return -1;
	if (n->user == 0)
		return 0;
	if (wanted_label(s, n->user, LABEL_AGENT, who->agent, &n->agent, err) < 0 ||
	    wanted_label(s, n->user, LABEL_PROJECT, who->project, &n->project, err) < 0)
		return -1;
	if (n->project == -2)
		n->user = 0;                   /* nothing can match */
	return 0;
}

int
session_parts(struct store *s, int64_t user, const char *name, struct session_parts *out,
	struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_SESSION_PARTS, ARGS(user, name), err);
	int got;

	out->n = 0;
	while ((got = db_row(q, err)) > 0)
		if (out->n < NELEM(out->id))
			out->id[out->n++] = db_column_int(q, 0);
	return got;
}
