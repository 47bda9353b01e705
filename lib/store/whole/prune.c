/* prune.c: removes facts (with their history), names and metrics for good. */
#include "store/prune.h"

#include "base/alloc.h"
#include "store/records.h"
#include "store/sql/column.h"
#include "store/vectors/slots.h"
#include "store/accounts/answers.h"

/* ---- facts ---- */

int
prunable_each(struct store *s, const struct scope *who, int64_t after, int64_t most,
	prunable_fn *fn, void *arg, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct db_stmt *q;
	int got = 0;

	if (user <= 0)
		return user < 0 ? -1 : 0;
	q = stmt_start(s, STMT_PRUNABLE, ARGS(MAX(user_lo(user), after + 1), user_hi(user), most,
	    clock_now_us()), err);
	while ((got = db_row(q, err)) > 0) {
		struct prunable f = {
			.row = db_column_int(q, 0),
			.guarded = db_column_int(q, 1) != 0,
			.importance = db_column_real(q, 2),
			.used_us = db_column_int(q, 3),
			.content = column_peek(q, 4),
			.len = (size_t)db_column_bytes(q, 4),
		};
		column_ulid(q, 5, f.id);
		f.worth = db_column_int(q, 6) != 0		? WORTH_ENDED
		    : db_column_int(q, 7) == ORIGIN_USER	? WORTH_OWN
								: WORTH_FOUND;
		if ((got = fn(arg, &f)) != 0)
			break;
	}
	db_reset(q);
	return got < 0 ? -1 : 0;
}

int
prunable_ids(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	char (*ids)[ID_TEXT], struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);

	if (user < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct db_stmt *q = stmt_start(s, STMT_PRUNABLE_ID, ARGS(rows[i], ROWS_OF(user)),
		    err);
		int got = db_row(q, err);

		ids[i][0] = '\0';
		if (got < 0)
			return -1;
		if (got > 0) {
			column_ulid(q, 0, ids[i]);
			db_reset(q);
		}
	}
	return 0;
}


static int
count_facts(struct store *s, int64_t user, struct facts_left *left, struct err *err)
{
	int64_t version = 0;

	if (db_version(s->db, &version, err) < 0)
		return -1;
	if (left->known && version == left->version)
		return 0;
	left->known = true;
	left->version = version;
	return stmt_number(s, STMT_FACTS_COUNT, ARGS(ROWS_OF(user)), &left->n,
	    err) < 0 ? -1 : 0;
}

int
facts_prune(struct store *s, const struct scope *who, const int64_t *rows, size_t n, int64_t max,
	struct facts_left *left, bool *removed, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err), guarded = 0;
	FREED int64_t *gone = xreallocarray(NULL, n + 1, sizeof(*gone));
	size_t n_gone = 0;
	int got;

	memset(removed, 0, n * sizeof(*removed));
	if (user < 0 || count_facts(s, user, left, err) < 0)
		return -1;
	for (size_t i = 0; i < n && left->n > max; i++) {
		if (rows[i] >> USER_SHIFT != user)
			continue;
		if ((got = stmt_number(s, STMT_FACT_GUARDED, ARGS(rows[i], ROWS_OF(user)),
		    &guarded, err)) < 0)
			return -1;
		removed[i] = got > 0 && guarded == 0;
		if (!removed[i])
			continue;
		gone[n_gone++] = rows[i];
		left->n--;
	}
	return records_remove(s, who, gone, n_gone, err);
}

/* ---- names ---- */

#define NAMES_SEEN 256

/*
 * Whether messages bear all names of a kind. The walk ends where the last name is seen for the
 * first time: of a few names mostly near its beginning. *all false: not known.
 */
static int
all_borne(struct store *s, int64_t user, enum label_kind kind, enum stmt bearers, bool *all,
	struct err *err)
{
	int64_t nos[NAMES_SEEN];
	struct db_stmt *q = stmt_start(s, STMT_LABEL_NUMBERS, ARGS(user, kind, NAMES_SEEN), err);
	size_t n = 0;
	int got;

	*all = false;
	while ((got = db_row(q, err)) > 0)
		nos[n++] = db_column_int(q, 0);
	if (got < 0 || n == NAMES_SEEN)
		return got;
	if (n > 0)
		q = stmt_start(s, bearers, ARGS(ROWS_OF(user)), err);
	while (n > 0 && (got = db_row(q, err)) > 0) {
		int64_t no = db_column_int(q, 0);

		for (size_t i = 0; i < n; i++)
			if (nos[i] == no) {
				nos[i] = nos[--n];
				break;
			}
	}
	db_reset(q);
	*all = n == 0;
	return got < 0 ? -1 : 0;
}

int
names_prune(struct store *s, const struct scope *who, struct err *err)
{
	static const struct { enum label_kind kind; enum stmt bearers, remove; } kinds[] = {
		{ LABEL_SPEAKER, STMT_SPEAKERS_BORNE, STMT_SPEAKERS_DELETE },
		{ LABEL_AGENT, STMT_AGENTS_BORNE, STMT_AGENTS_DELETE },
		{ LABEL_PROJECT, STMT_PROJECTS_BORNE, STMT_PROJECTS_DELETE },
	};
	int64_t user = user_number(s, who->user, false, err);

	if (user <= 0)
		return user < 0 ? -1 : 0;
	for (size_t i = 0; i < NELEM(kinds); i++) {
		bool all = false;

		/* across a network the database looks for itself */
		if (!db_is_far(s->db) &&
		    all_borne(s, user, kinds[i].kind, kinds[i].bearers, &all, err) < 0)
			return -1;
		if (!all && stmt_run(s, kinds[i].remove, ARGS(user, ROWS_OF(user)), err) < 0)
			return -1;
	}
	return stmt_run(s, STMT_PROJECTS_WAS_DELETE, ARGS(user), err);
}

/* ---- metrics ---- */

int
metrics_remove(struct store *s, const struct scope *who, int64_t before_us, int64_t *n,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);

	*n = 0;
	if (user <= 0)
		return user < 0 ? -1 : 0;
	if (stmt_run(s, STMT_METRICS_DROP, ARGS(user, before_us), err) < 0)
		return -1;
	*n = db_changes(s->db);
	return answers_drop_old(s, user, err);
}
