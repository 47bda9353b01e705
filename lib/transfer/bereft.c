/*
 * bereft.c: what was made elsewhere of a turn that was removed here comes with the words of the
 * turn. The store that made it has not heard, and would remove it when it does. So it is removed
 * here: a summary with any of its turns, a fact or note when it rests on nothing else. A protected
 * one stays. That is decided by what the record is in the end, when all of its steps have come; and
 * its own tombstone tells the other store. What rests on something else, too, stays until the store
 * that made it has judged by the words of the turn, which are not known here any more.
 */
#include "transfer/import_parts.h"

#include "base/alloc.h"
#include "facts/important.h"
#include "store/sync.h"

struct bereft_record { char *user; char id[ID_TEXT]; };

void
bereft_release(struct bereft *b)
{
	for (size_t i = 0; i < b->n; i++)
		free(b->at[i].user);
	free(b->at);
	*b = (struct bereft){ NULL, 0, 0 };
}

int
bereft_look(struct bereft *b, struct store *s, const char *user, const struct record_head *h,
	struct err *err)
{
	const struct scope who = { user, NULL, NULL, NULL };
	size_t n;

	if (sources_gone(s, &who, h, &n, err) != 0)
		return -1;
	if (n == 0)
		return 0;
	xgrow(&b->at, &b->cap, b->n + 1, sizeof(*b->at));
	b->at[b->n].user = xstrdup(user);
	memcpy(b->at[b->n++].id, h->id, ID_TEXT);
	return 0;
}

/* Whether it is not protected, or only as a mark of a message. */
static bool
is_free(const struct fact *f)
{
	return !f->head.guarded || important_is_mark(f);
}

/* Whether the record, as it is now, goes with its sources. */
static int
goes(struct store *s, const struct scope *who, const char *id, bool *does, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	const struct fact *f;
	size_t n = 0;
	int rc = records_find(s, who, id, &a, &f, err);

	*does = false;
	if (rc == 0 && f != NULL && is_free(f))
		rc = sources_gone(s, who, &f->head, &n, err);
	if (rc == 0 && n > 0)
		*does = f->head.type == RECORD_SUMMARY || n == f->head.n_sources;
	return rc;
}

/* Removes those of one user. */
static int
remove_of(struct bereft *b, struct store *s, const struct scope *who, int64_t *n_gone,
	struct err *err)
{
	FREED const char **ids = xreallocarray(NULL, b->n + 1, sizeof(*ids));
	struct forget_want want = { .ids = ids };
	bool does;
	int rc = 0;

	for (size_t i = 0; i < b->n && rc == 0; i++)
		if (strcmp(b->at[i].user, who->user) == 0 &&
		    (rc = goes(s, who, b->at[i].id, &does, err)) == 0 && does)
			ids[want.n_ids++] = b->at[i].id;
	struct forget *f = forget_new(who, &want);
	if (rc == 0 && want.n_ids > 0 && (rc = forget_now(s, f, err)) == 0) {
		struct forget_counts n = forget_count(f);
		*n_gone += n.n_records + n.n_made;
	}
	forget_free(f);
	return rc;
}

int
bereft_remove(struct bereft *b, struct arrival *a, int64_t *n_gone, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < b->n && rc == 0; i++) {
		const struct scope who = { b->at[i].user, NULL, NULL, NULL };
		bool again = false;

		for (size_t k = 0; k < i && !again; k++)
			again = strcmp(b->at[k].user, who.user) == 0;
		if (again)
			continue;
		if (store_begin_user(a->s, who.user, err) != 0)
			return -1;
		peers_leave(a->s);
		rc = remove_of(b, a->s, &who, n_gone, err);
		if (rc == 0 && a->on)
			rc = peers_meet(a->s, &who, a->head.store, a->name, err);
		rc = store_end(a->s, rc, err);
	}
	bereft_release(b);
	return rc;
}
