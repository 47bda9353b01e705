/*
 * ingest_store.c: puts a load into the store. The store is locked while rows are put, but not while
 * lines are read, parsed and cleaned.
 */
#include "base/alloc.h"
#include "ingest/ingest_load.h"

#include "base/hash.h"
#include "records/record.h"

/*
 * Whether the store holds a message with the same id of ours, as when a record comes back that mem
 * once printed: it is known by that id, whatever else in it changed.
 */
static int
is_known(struct storer *t, const struct scope *who, struct message *m, bool *known, struct err *err)
{
	const struct message *found = NULL;

	*known = m->differs = false;
	if (m->id[0] == '\0')
		return 0;
	arena_reset(&t->found);
	if (messages_find(t->s, who, m->id, &t->found, &found, err) != 0)
		return -1;
	*known = found != NULL;
	m->differs = found != NULL &&
	    (found->content_len != m->content_len ||
		memcmp(found->content, m->content, m->content_len) != 0);
	return 0;
}

/* Of two with the same id. A copy has the time of its turn, too, as nothing in it is new. */
static bool
is_copy(const struct message *a, const struct message *b)
{
	return a->role == b->role && a->time_us == b->time_us &&
	    a->content_len == b->content_len &&
	    memcmp(a->content, b->content, a->content_len) == 0;
}

/*
 * Looks in all sessions for the message, of which another may have it. *repeats: it has, and is
 * noted. This is not asked of each message, as PostgreSQL has an index of ids within their session
 * only, and looks into every session.
 */
static int
find_repeated(struct storer *t, const struct scope *who, const struct message *m, bool *repeats,
	struct err *err)
{
	const struct message *found = NULL;
	LOCAL(buf) id = buf_of(SIZE_MAX / 4);

	buf_addf(&id, "source:%s", m->source_id);
	arena_reset(&t->found);
	int rc = messages_find(t->s, who, id.data, &t->found, &found, err);
	/* several have it, as earlier versions stored each */
	if (rc != 0 && err->code == ERR_DATA) {
		err_clear(err);
		rc = 0;
	}
	*repeats = found != NULL && strcmp(found->session, m->session) != 0 &&
	    is_copy(found, m);
	if (*repeats) {
		buf_reset(&t->goes_on);
		buf_adds(&t->goes_on, found->session);
	}
	return rc;
}

/*
 * Whether the session with which that of the message goes on has it, or had it until it was
 * forgotten there.
 */
static int
has_repeated(struct storer *t, const struct scope *who, const struct message *m, bool *repeats,
	struct err *err)
{
	const struct message *found = NULL;
	struct message other = *m;

	other.session = t->goes_on.data;
	other.id[0] = '\0';
	if (messages_known(t->s, who, &other, repeats, err) != 0)
		return -1;
	if (!*repeats || other.id[0] == '\0')
		return 0;
	arena_reset(&t->found);
	if (messages_find(t->s, who, other.id, &t->found, &found, err) != 0)
		return -1;
	*repeats = found != NULL && is_copy(found, m);
	return 0;
}

/*
 * Whether a message is a turn of the session with which its own goes on. Such a session begins with
 * these turns: once one is its own, all that follow are. One that was forgotten, which the store
 * refuses, tells nothing of those that follow.
 */
static int
repeats_other(struct storer *t, const struct scope *who, const struct message *m, bool *repeats,
	struct err *err)
{
	uint64_t key = hash64(m->session, strlen(m->session),
	    hash64(who->user, strlen(who->user), 0));

	*repeats = false;
	if (t->going != key) {
		t->going = key;
		t->own = false;
		buf_reset(&t->goes_on);
	}
	if (t->own)
		return 0;
	if (t->goes_on.len > 0 && has_repeated(t, who, m, repeats, err) != 0)
		return -1;
	if (!*repeats && find_repeated(t, who, m, repeats, err) != 0)
		return -1;
	if (!*repeats) {
		struct message here = *m;
		bool known;

		here.id[0] = '\0';
		if (messages_known(t->s, who, &here, &known, err) != 0)
			return -1;
		t->own = !known || here.id[0] != '\0';
	}
	return 0;
}

static int
put_message(struct storer *t, struct item *it, int64_t now_us, struct err *err)
{
	static const uint8_t fates[] = { [PUT_STORED] = FATE_STORED,
		[PUT_DUPLICATE] = FATE_DUPLICATE,
		[PUT_PRUNED] = FATE_PRUNED };
	struct scope who = { it->user, NULL, NULL, NULL };
	enum put_did did = PUT_DUPLICATE;
	bool known;

	it->message.stored_us = now_us;
	if (is_known(t, &who, &it->message, &known, err) != 0 ||
	    (!known && it->repeats && repeats_other(t, &who, &it->message, &known, err) != 0) ||
	    (!known && messages_put(t->s, &who, &it->message, &did, err) != 0))
		return -1;
	it->fate = fates[did];
	return 0;
}

/* Notes that the store does not take a record. Returns 0 then, and -1 for faults of other kinds. */
static int
note_refused(struct load *l, struct item *it, struct err *err)
{
	if (err->code != ERR_DATA)
		return -1;
	it->fate = FATE_REFUSED;
	it->why = arena_strdup(&l->arena, err->msg);
	err_clear(err);
	return 0;
}

/* Of a document nothing is stored when none of its sections is, as when all were forgotten. */
static int
put_session(struct storer *t, const struct scope *who, const struct session *v, struct err *err)
{
	int64_t n = 1;

	if (session_is_document(v) && sessions_count(t->s, who, v->id, &n, err) != 0)
		return -1;
	return n == 0 ? 0 : sessions_put(t->s, who, v, err);
}

static int
put_item(struct storer *t, struct load *l, struct item *it)
{
	struct scope who = { it->user, NULL, NULL, NULL };

	if ((it->is_session ? put_session(t, &who, &it->session, &l->err)
			    : put_message(t, it, l->now_us, &l->err)) == 0)
		return 0;
	return note_refused(l, it, &l->err);
}

/* What follows each other of one user is announced together. */
static int
expect_all(struct storer *t, struct load *l)
{
	FREED struct message **m = xreallocarray(NULL, l->n_items + 1, sizeof(*m));
	const char *user = "";
	size_t n = 0;
	int rc = 0;

	for (size_t i = 0; i <= l->n_items && rc == 0; i++) {
		bool ends = i == l->n_items || strcmp(l->items[i].user, user) != 0;
		struct scope who = { user, NULL, NULL, NULL };

		if (ends && n > 1)
			rc = messages_expect(t->s, &who, m, n, &l->err);
		if (i == l->n_items)
			break;
		n = ends ? 0 : n;
		user = l->items[i].user;
		if (!l->items[i].is_session && l->items[i].message.session != NULL)
			m[n++] = &l->items[i].message;
	}
	return rc;
}

/* NULL: there are several. */
static const char *
only_user(const struct storer *t, const struct load *l)
{
	for (size_t i = 0; i < l->n_items; i++)
		if (strcmp(l->items[i].user, t->o->user) != 0)
			return NULL;
	return t->o->user;
}

static int
put_all(struct storer *t, struct load *l)
{
	struct scope who = { t->o->user, NULL, NULL, NULL };

	if (store_begin_user(t->s, only_user(t, l), &l->err) != 0)
		return -1;
	int rc = expect_all(t, l);
	for (size_t i = 0; i < l->n_items && rc == 0; i++)
		rc = put_item(t, l, &l->items[i]);
	for (size_t i = 0; i < l->n_inputs && rc == 0; i++)
		rc = inputs_put(t->s, &who, &l->inputs[i], &l->err);
	return store_end(t->s, rc, &l->err);
}

/* ---- what would be stored ---- */

/*
 * What the store knows a message by: within its session its source id, or else its place, time,
 * role, words and calls of tools.
 */
static uint64_t
key_of(const struct item *it)
{
	const struct message *m = &it->message;
	uint64_t key =
	    hash64(m->session, strlen(m->session), hash64(it->user, strlen(it->user), 0));
	uint64_t place[] = { m->position, (uint64_t)(m->local ? m->written_us : m->time_us),
		(uint64_t)m->role };

	if (m->source_id[0] != '\0')
		return hash64(m->source_id, strlen(m->source_id), key);
	key = hash64(m->tool_calls, strlen(m->tool_calls), key + 1);
	return hash64(m->content, m->content_len, hash64(place, sizeof(place), key));
}

/* The same of one that may be another session's: by what a copy has instead of the session. */
static uint64_t
key_of_repeated(const struct item *it)
{
	const struct message *m = &it->message;
	uint64_t said[] = { (uint64_t)m->time_us, (uint64_t)m->role };
	uint64_t key = hash64(m->content, m->content_len, hash64(it->user, strlen(it->user), 2));

	return hash64(m->source_id, strlen(m->source_id), hash64(said, sizeof(said), key));
}

/* Whether the key was seen before; from now on it is. */
static bool
is_seen(struct storer *t, uint64_t key)
{
	struct keyed_slot *p = keyed_at(&t->seen, key);
	bool was = p->counted;

	p->counted = true;
	return was;
}

/* Whether the message came before in what was read, also with other words, which is noted. */
static bool
came_before(struct storer *t, struct item *it)
{
	struct message *m = &it->message;
	struct keyed_slot *p = keyed_at(&t->seen, key_of(it));
	uint64_t words = hash64(m->content, m->content_len, 1);
	bool was = p->counted;

	m->differs |= was && !m->id_of_words && p->value != words;
	p->value = was ? p->value : words;
	p->counted = true;
	return was;
}

static int
would_be_known(struct storer *t, struct item *it, bool *known, struct err *err)
{
	struct scope who = { it->user, NULL, NULL, NULL };

	*known = false;
	if (t->s != NULL && is_known(t, &who, &it->message, known, err) != 0)
		return -1;
	if (t->s != NULL && !*known && it->repeats &&
	    repeats_other(t, &who, &it->message, known, err) != 0)
		return -1;
	if (t->s != NULL && !*known && messages_known(t->s, &who, &it->message, known, err) != 0)
		return -1;
	*known |= came_before(t, it) || (it->repeats && is_seen(t, key_of_repeated(it))) ||
	    (it->message.id[0] != '\0' && is_seen(t, hash64(it->message.id, ID_TEXT, 1)));
	return 0;
}

/* Whether a session gets a title that it does not have. */
static int
has_new_title(struct storer *t, const struct item *it, bool *is_new, struct err *err)
{
	const struct session *v = &it->session, *found = NULL;
	struct scope who = { it->user, NULL, NULL, NULL };
	size_t len = strlen(v->title);

	*is_new = len > 0 &&
	    !is_seen(t, hash64(v->title, len, hash64(v->id, strlen(v->id),
		hash64(it->user, strlen(it->user), 3))));
	if (!*is_new || t->s == NULL)
		return 0;
	arena_reset(&t->found);
	if (sessions_find(t->s, &who, v->id, &t->found, &found, err) != 0)
		return -1;
	*is_new = found == NULL || strcmp(found->title, v->title) != 0;
	if (found == NULL) {
		bool buried;

		if (sessions_buried(t->s, &who, v->id, &buried, err) != 0)
			return -1;
		*is_new = !buried;
	}
	return 0;
}

static int
look_up_all(struct storer *t, struct load *l)
{
	for (size_t i = 0; i < l->n_items; i++) {
		struct item *it = &l->items[i];
		bool known;

		if (it->is_session) {
			if (has_new_title(t, it, &it->is_new, &l->err) != 0)
				return -1;
			continue;
		}
		if (would_be_known(t, it, &known, &l->err) != 0) {
			if (note_refused(l, it, &l->err) != 0)
				return -1;
			continue;
		}
		it->fate = known ? FATE_DUPLICATE : FATE_STORED;
		if (!known)
			it->message.id[0] = '\0';
	}
	return 0;
}

void
load_print(const struct load *l, struct buf *to)
{
	for (size_t i = 0; i < l->n_items; i++) {
		const struct item *it = &l->items[i];

		if (it->is_session ? !it->is_new : it->fate != FATE_STORED)
			continue;
		if (it->is_session)
			record_session(to, it->user, &it->session, NULL);
		else
			record_message(to, it->user, &it->message);
		buf_addc(to, '\n');
	}
}

void
load_prepare(struct load *l, size_t n)
{
	if (l->prepares && l->preparer == NULL)
		l->preparer = preparer_new();
	for (; l->prepares && l->n_prepared < n; l->n_prepared++) {
		struct item *it = &l->items[l->n_prepared];
		struct prepared *d;

		if (it->is_session)
			continue;
		if (preparer_n_terms(l->preparer) > LOAD_TERMS) {
			l->prepares = false;
			return;
		}
		it->message.prepared = d = prepare(l->preparer, it->message.content,
		    it->message.content_len, NULL, &l->arena);
		if (role_is_indexed(it->message.role))
			preparer_index(l->preparer, d);
	}
}

/*
 * Whether messages of different sessions alternate, so that rows are not in the order of the
 * messages. Equal names are mostly one string, so pointers are compared.
 */
static bool
has_alternating_sessions(const struct load *l)
{
	const char *session = NULL;
	size_t n = 0;

	for (size_t i = 0; i < l->n_items; i++) {
		if (l->items[i].is_session)
			continue;
		n += l->items[i].message.session != session;
		session = l->items[i].message.session;
	}
	return n > l->n_items / 16;
}

void
load_pack(struct load *l)
{
	if (l->n_prepared == l->n_items && l->preparer != NULL && !has_alternating_sessions(l))
		preparer_pack(l->preparer);
}

void
storer_put(void *storer, void *load)
{
	struct storer *t = storer;
	struct load *l = load;

	if (t->failed != 0) {
		l->rc = t->failed;
		l->err = t->err;
		return;
	}
	err_clear(&l->err);
	load_prepare(l, l->n_items);
	l->rc = t->o->dry_run ? look_up_all(t, l) : put_all(t, l);
	t->failed = l->rc;
	t->err = l->err;
	/* loads that wait to be taken back, or are empty, keep no large lexicon */
	if (l->preparer != NULL && preparer_n_terms(l->preparer) > LOAD_TERMS / 4) {
		preparer_free(l->preparer);
		l->preparer = NULL;
	}
}
