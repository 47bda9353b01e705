/*
 * arrival.c: the mark moves only when all that is before it has come, in a transaction of its own
 * after all others. So a line that breaks at any byte leaves it where it was, and the next run
 * brings the same again, of which the most is known by then. So does a store that was brought back
 * from a backup, until the other one knows that what came from here is news here again.
 */
#include "transfer/import_parts.h"

#include "base/alloc.h"
#include "store/sync.h"

void
arrival_release(struct arrival *a)
{
	free(a->name);
	free(a->user);
	free(a->keys);
}

static struct scope
scope_of(const struct arrival *a)
{
	return (struct scope){ a->user, NULL, NULL, NULL };
}

int
arrival_begin(struct arrival *a, const struct news_head *head, struct err *err)
{
	char own[ID_TEXT];

	if (store_id(a->s, own, err) != 0)
		return -1;
	if (*head->for_store != '\0' && strcmp(head->for_store, own) != 0)
		return err_set(err, ERR_DATA, "it is what is new for another store, %s",
		    head->for_store);
	free(a->name);
	free(a->user);
	a->head = *head;
	a->head.name = a->name = xstrdup(head->name);
	a->head.user = a->user = xstrdup(head->user);
	struct scope who = scope_of(a);
	a->n_keys = 0;
	if (store_begin(a->s, err) != 0)
		return -1;
	a->on = store_end(a->s, peers_meet(a->s, &who, a->head.store, a->name, err), err) == 0;
	return a->on ? 0 : -1;
}

/* ---- what was removed there ---- */

struct named {
	struct arena arena;
	const char **ids, **sessions;
	size_t n_ids, cap_ids, n_sessions, cap_sessions;
};

static int
note(void *arg, const char *id, const char *session)
{
	struct named *v = arg;

	if (id != NULL) {
		*xpush(v->ids, v->n_ids, v->cap_ids) = arena_strdup(&v->arena, id);
	} else {
		*xpush(v->sessions, v->n_sessions, v->cap_sessions) =
		    arena_strdup(&v->arena, session);
	}
	return 0;
}

/* What is made of it here goes too, which the other store does not know. */
static int
remove_named(struct arrival *a, struct named *v, int64_t *n_gone, struct err *err)
{
	const struct forget_want want = { .ids = v->ids, .sessions = v->sessions,
		.n_ids = v->n_ids, .n_sessions = v->n_sessions };
	const struct scope who = scope_of(a);
	struct forget *f = forget_new(&who, &want);
	int rc = forget_now(a->s, f, err);

	if (rc == 0) {
		struct forget_counts n = forget_count(f);
		*n_gone += n.n_messages + n.n_records + n.n_made;
	}
	forget_free(f);
	return rc;
}

static int
bury_all(struct arrival *a, int64_t *n_gone, struct err *err)
{
	typedef const uint8_t (*keys_in)[TOMBSTONE_BYTES];
	const struct scope who = scope_of(a);
	struct named v = { .arena = ARENA_INIT };
	size_t n = 0;
	int rc = buried_each(a->s, &who, (keys_in)a->keys, a->n_keys, note, &v, err);
	/* of a session that was removed here already, too, what was said since counts */
	for (size_t i = 0; i < a->n_keys && rc == 0; i++) {
		enum give_did did;

		rc = tombstones_give(a->s, &who, a->keys[i], &did, err);
		if (rc == 0 && did == GIVEN_STORED)
			memmove(a->keys[n++], a->keys[i], TOMBSTONE_BYTES);
	}
	/* what goes besides is news for the other store */
	peers_leave(a->s);
	if (rc == 0 && v.n_ids + v.n_sessions > 0)
		rc = remove_named(a, &v, n_gone, err);
	if (rc == 0)
		rc = buried_bare(a->s, &who, (keys_in)a->keys, n, err);
	if (rc == 0)
		rc = peers_meet(a->s, &who, a->head.store, a->name, err);
	arena_release(&v.arena);
	free(v.ids);
	free(v.sessions);
	return rc;
}

int
arrival_bury(struct arrival *a, int64_t *n_gone, struct err *err)
{
	int rc;

	if (a->n_keys == 0)
		return 0;
	if (store_begin(a->s, err) != 0)
		return -1;
	if ((rc = bury_all(a, n_gone, err)) == 0)
		a->n_keys = 0;
	return store_end(a->s, rc, err);
}

/* ---- the end ---- */

int
arrival_end(struct arrival *a, bool all_taken, struct err *err)
{
	const struct scope who = scope_of(a);
	const struct news_head *h = &a->head;
	LOCAL(arena) arena = ARENA_INIT;
	const struct peer *p;
	bool gap, known, lost;
	int rc = 0;

	if (peers_find(a->s, &who, h->store, &arena, &p, err) != 0 || p == NULL ||
	    marks_known(a->s, &who, &h->has, &known, err) != 0)
		return -1;
	gap = h->since > p->got.no;
	/*
	 * What this store has lost was left out as it came from here: it comes after the mark. And
	 * what could not be stored comes again, so that it is told until it is here.
	 */
	struct mark got = gap || !known || !all_taken ? p->got : h->mark;
	/* it counts from an earlier number on than what came of it: it was brought back */
	lost = h->lost || h->mark.no < p->got.no;
	/* nothing is written when nothing is new */
	if (got.no != p->got.no || got.tag != p->got.tag || h->has.no != p->sent || lost) {
		if ((rc = store_begin(a->s, err)) == 0)
			rc = store_end(a->s, peers_settle(a->s, &who, h->store, &got, &h->has, lost,
			    err), err);
	}
	if (rc == 0 && gap)
		rc = err_set(err, ERR_DATA,
		    "it begins behind what came of '%s' before: the next run brings all", a->name);
	return rc;
}

void
arrival_leave(struct arrival *a)
{
	a->on = false;
	a->n_keys = 0;
	peers_leave(a->s);
}
