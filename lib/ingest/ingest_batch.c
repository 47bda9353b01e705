/*
 * ingest_batch.c: a batch is a ring of a few loads, each the records of one transaction. The caller
 * fills one load; the full ones wait for a thread that puts them into the store, which is the
 * thread's meanwhile. What became of each record is counted, reported and printed by the caller,
 * when it hands over the next load or waits. There are several loads because about one in eight
 * merges lists of the index, and then takes as long as three others.
 *
 *	caller   read, parse, clean; prepare some -> load A | load B ...                      | A: print; load C ...
 *	thread                                               A: prepare the rest, rows, commit | B: prepare the rest ...
 *
 * Both sides may prepare messages (cut chunks and terms). The caller does so as long as the thread
 * has another load waiting; everything else that the thread need not do is the caller's, because
 * the thread also waits for the disk.
 *
 * A load that is not full, because the input ends or pauses, is put by the caller itself, so a
 * single line starts no thread.
 *
 * A table of sessions, by the hash of user and name, gives each message its place in its session
 * within this input. A message without an id is known by that place.
 */
#include "base/alloc.h"
#include "base/conf.h"
#include "ingest/ingest_batch.h"
#include "ingest/ingest_notices.h"
#include "records/record.h"

#define BATCH_BYTES (8u << 20)             /* a load of this much text is full */
/* messages that the caller prepares before it looks again whether the thread waits */
#define STEP        32
/* how often a caller that waits for input looks whether the thread has put a load */
#define LOOK_MS     5

struct batch {
	struct storer storer;
	struct handover thread;                /* puts loads; the store is its while it has one */
	const struct ingest_options *o;
	const struct ingest_out *out;
	struct ingest_counts *counts;
	struct load loads[LOADS], *load;   /* the loads, and the one that is being filled */
	struct refusals refusals;
	struct notices notices;
	struct keyed places;     /* the next place in each session */
	struct buf printed;        /* the messages of a load that were stored, as text */
	/* key of the last session in this input; bad lines before the first session */
	uint64_t last_key, n_bad_first;
	uint32_t input;
	/* the input of the last item that came back, and what its items were until then */
	struct buf counted;
	bool some_new, some_known;
	char *name;
	bool repeats;              /* batch_repeats */
	bool mostly_new[LOADS];    /* [n % LOADS]: most messages of load n were new */
	uint64_t n_loads;
	/* a load could not be stored; the next call that can return it does */
	int failed;
	struct err err;
};

/* ---- places in sessions ---- */

static uint64_t
place_key(const char *user, const char *session)
{
	return hash64(session, strlen(session), hash64(user, strlen(user), 0));
}

static struct keyed_slot *
place_of(struct batch *b, uint64_t key)
{
	struct keyed_slot *p = keyed_at(&b->places, key);

	if (p->round != b->input) {
		p->round = b->input;
		p->value = 0;
	}
	return p;
}

static uint64_t
next_place(struct batch *b, const char *user, const char *session)
{
	struct keyed_slot *p = place_of(b, place_key(user, session));

	if (b->last_key == 0)
		p->value += b->n_bad_first;
	b->last_key = p->key;
	return p->value++;
}

void
batch_input(struct batch *b, const char *name)
{
	b->input++;
	b->last_key = 0;
	b->n_bad_first = 0;
	free(b->name);
	b->name = xstrdup(name);
	b->repeats = false;
	b->load->input_name = NULL;
}

void
batch_add_bad(struct batch *b)
{
	if (b->last_key == 0)
		b->n_bad_first++;
	else
		place_of(b, b->last_key)->value++;
}

void
batch_repeats(struct batch *b, bool repeats)
{
	b->repeats = repeats;
}

/* ---- units ---- */

void
batch_keep_units(struct batch *b, struct rejects *r)
{
	b->refusals.rejects = r;
}

void
batch_unit(struct batch *b, const char *unit, size_t len, bool compact)
{
	b->refusals.no++;
	b->refusals.text = unit;
	b->refusals.len = len;
	b->refusals.compact = compact;
}

bool
batch_unit_rejected(struct batch *b)
{
	for (size_t i = 0; i < NELEM(b->loads); i++)
		if (b->loads[i].unit != NULL && b->loads[i].unit->no == b->refusals.no)
			b->loads[i].unit->rejected = true;
	return b->refusals.written != b->refusals.no;
}

/* ---- gathering ---- */

/*
 * Copies a string into the load. A string equal to the one before it (as names mostly are) is not
 * copied again.
 */
static const char *
copy_string(struct batch *b, const char *s, const char *before)
{
	if (s == NULL || s[0] == '\0')
		return "";
	if (before != NULL && strcmp(s, before) == 0)
		return before;
	size_t len = strlen(s);
	b->load->n_bytes += len;
	return arena_strndup(&b->load->arena, s, len);
}

/* Copies the texts of the fields; old: the same struct of the item before it, or NULL. */
static void
copy_texts(struct batch *b, const struct field *table, void *to, void *old)
{
	for (const struct field *f = table; f->key != NULL; f++) {
		const char **text = field_text(f, to);

		if (text != NULL && (f->how & FIELD_OUT) == 0)
			*text = copy_string(b, *text, old != NULL ? *field_text(f, old) : NULL);
	}
}

static void
copy_message(struct batch *b, struct item *it, struct item *before, const struct message *m)
{
	struct message *to = &it->message;
	struct load *l = b->load;

	*to = *m;
	copy_texts(b, message_fields, to,
	    before != NULL && !before->is_session ? &before->message : NULL);
	to->content = arena_strndup(&l->arena, m->content, m->content_len);
	to->was_source = copy_string(b, m->was_source, NULL);
	to->extra = copy_string(b, m->extra, NULL);
	l->n_bytes += m->content_len;
}

/*
 * Whether no other turn of any session can have its id and its time: the id is a UUID, or what a
 * tool gave under one.
 */
static bool
is_unique(const struct message *m)
{
	size_t len = strlen(m->source_id);

	return m->time_us != TIME_NONE && len >= UUID_BYTES &&
	    id_is_uuid(m->source_id, UUID_BYTES) &&
	    (len == UUID_BYTES || m->source_id[UUID_BYTES] == ':');
}

void
batch_add(struct batch *b, const struct record *r, uint64_t line)
{
	struct load *l = b->load;
	uint64_t place = 0;

	if (r->kind != RECORD_SESSION)
		place = next_place(b, r->user, r->message.session);
	if (r->kind == RECORD_EMPTY) {
		b->counts->empty++;
		return;
	}
	if (l->n_items == 0) {
		l->since_us = clock_mono_us();
		l->no = b->n_loads++;
		/*
		 * this is decided by a load that was certainly put already, so that what is stored
		 * does not depend on which thread was faster
		 */
		l->prepares = b->thread.has_thread && b->mostly_new[l->no % LOADS];
	}
	xgrow(&l->items, &l->cap_items, l->n_items + 1, sizeof(*l->items));
	struct item *before = l->n_items > 0 ? &l->items[l->n_items - 1] : NULL;
	struct item *it = &l->items[l->n_items++];
	if (l->input_name == NULL)
		l->input_name = arena_strdup(&l->arena, b->name);
	it->is_session = r->kind == RECORD_SESSION;
	it->is_new = false;
	it->fate = FATE_NONE;
	it->no_time = NULL;
	it->name = l->input_name;
	it->line = line;
	it->unit = refusals_unit(&b->refusals, l);
	it->user = copy_string(b, r->user, before != NULL ? before->user : NULL);
	if (it->is_session) {
		it->session = r->session;
		copy_texts(b, session_fields, &it->session, NULL);
		return;
	}
	if (r->no_time != NULL)
		it->no_time = copy_string(b, r->no_time, before != NULL ? before->no_time : NULL);
	copy_message(b, it, before, &r->message);
	if (r->message.id[0] != '\0' && r->has_turn)
		place = r->turn;
	it->message.position = place;
	it->repeats = b->repeats && is_unique(&it->message);
}

void
batch_read(struct batch *b, const struct input_state *v)
{
	struct load *l = b->load;
	struct input_state *to = l->n_inputs > 0 ? &l->inputs[l->n_inputs - 1] : NULL;

	if (to == NULL || strcmp(to->path, v->path) != 0)
		to = xpush(l->inputs, l->n_inputs, l->cap_inputs);
	*to = *v;
	to->path = copy_string(b, v->path, NULL);
	to->state = copy_string(b, v->state, NULL);
}

/* The milliseconds until the load is full by time; 0: it is, or it is empty. */
static int64_t
ms_left(const struct batch *b)
{
	int64_t ms = (clock_mono_us() - b->load->since_us) / 1000;

	return b->load->n_items == 0 || ms >= b->o->batch_ms ? 0 : b->o->batch_ms - ms;
}

bool
batch_is_full(const struct batch *b)
{
	const struct load *l = b->load;

	if (l->n_items == 0)
		return false;
	/* the clock is read for every 16th record only */
	return (int64_t)l->n_items >= b->o->batch || l->n_bytes >= BATCH_BYTES ||
	    (l->n_items % 16 == 0 && ms_left(b) == 0);
}

/* ---- what came of a load ---- */

static void
count_session(struct batch *b, const char *user, const char *session)
{
	struct keyed_slot *p = place_of(b, place_key(user, session));

	b->counts->sessions += !p->counted;
	p->counted = true;
}

/* Counts the input whose items have all come back. */
static void
count_input(struct batch *b)
{
	b->counts->files_new += b->some_new;
	b->counts->files_known += b->some_known && !b->some_new;
	b->some_new = b->some_known = false;
}

void
batch_end(struct batch *b)
{
	notices_end(&b->notices);
	count_input(b);
}

static void
count_item(struct batch *b, const struct item *it)
{
	struct ingest_counts *c = b->counts;

	if (!it->is_session && it->message.role == ROLE_DOCUMENT && it->fate < FATE_PRUNED) {
		c->sections += it->fate == FATE_STORED;
		return;
	}
	if (strcmp(b->counted.data, it->name) != 0) {
		count_input(b);
		buf_reset(&b->counted);
		buf_adds(&b->counted, it->name);
	}
	b->some_new |= it->fate == FATE_STORED;
	b->some_known |= it->fate == FATE_DUPLICATE || it->fate == FATE_PRUNED;
	switch ((enum fate)it->fate) {
	case FATE_NONE:
		break;
	case FATE_STORED:
		c->messages++;
		count_session(b, it->user, it->message.session);
		if (it->no_time != NULL)
			notices_timeless(&b->notices, it);
		break;
	case FATE_DUPLICATE:
		c->duplicates++;
		c->differing += it->message.differs;
		if (it->message.differs)
			notices_differ(&b->notices, it);
		break;
	case FATE_PRUNED:
		c->pruned++;
		break;
	case FATE_REFUSED:
		c->rejected++;
		break;
	}
}

static void
empty_load(struct load *l)
{
	l->n_items = l->n_inputs = l->n_prepared = 0;
	l->n_bytes = 0;
	l->input_name = NULL;
	l->unit = NULL;
	arena_reset(&l->arena);
	if (l->preparer != NULL)
		preparer_clear(l->preparer);
}

static void
note_failure(struct batch *b, int rc, const struct err *err)
{
	if (b->failed == 0) {
		b->failed = rc;
		b->err = *err;
	}
}

static void
warn_refused(struct batch *b, struct load *l)
{
	struct err err = ERR_INIT;

	for (size_t i = 0; i < l->n_items; i++) {
		if (l->items[i].fate != FATE_REFUSED)
			continue;
		notice_of(b->out, &l->items[i], l->items[i].why);
		if (l->rc == 0 &&
		    refusals_add(&b->refusals, l->items[i].unit, &l->arena, &err) != 0)
			note_failure(b, -1, &err);
	}
}

/* Counts, reports and prints a load that was put, and empties it. */
static int
finish_load(struct batch *b, struct load *l)
{
	uint64_t had = b->counts->messages;

	warn_refused(b, l);
	if (l->rc == 0) {
		for (size_t i = 0; i < l->n_items; i++)
			count_item(b, &l->items[i]);
		if (b->out->records != NULL) {
			buf_reset(&b->printed);
			load_print(l, &b->printed);
			if (b->printed.len > 0)
				b->out->records(b->out->arg, b->printed.data, b->printed.len);
		}
		if (b->out->progress != NULL)
			b->out->progress(b->out->arg, b->counts);
		b->mostly_new[l->no % LOADS] = (b->counts->messages - had) * 2 >= l->n_items;
	} else {
		note_failure(b, l->rc, &l->err);
	}
	empty_load(l);
	return b->failed;
}

/* Finishes the loads that were put; with all it waits for those that are not. */
static int
finish_loads(struct batch *b, bool all)
{
	struct load *l;

	while ((l = handover_take(&b->thread, all)) != NULL)
		finish_load(b, l);
	return b->failed;
}

/* ---- the caller ---- */

struct batch *
batch_new(struct store *s, const struct ingest_options *o, const struct ingest_out *out,
	struct ingest_counts *counts)
{
	struct batch *b = xcalloc(1, sizeof(*b));

	b->storer = (struct storer){ .s = s, .o = o };
	buf_init(&b->storer.goes_on, SIZE_MAX / 4);
	handover_init(&b->thread, storer_put, &b->storer);
	b->o = o;
	b->out = out;
	b->counts = counts;
	b->load = &b->loads[0];
	for (size_t i = 0; i < LOADS; i++)
		b->mostly_new[i] = true;
	/* holds many records, but a load is bounded */
	buf_init(&b->printed, SIZE_MAX / 4);
	buf_init(&b->counted, conf_caps.output_bytes);
	notices_init(&b->notices, out);
	return b;
}

void
batch_free(struct batch *b)
{
	if (b == NULL)
		return;
	handover_release(&b->thread);
	arena_release(&b->storer.found);
	buf_release(&b->storer.goes_on);
	keyed_release(&b->storer.seen);
	for (size_t i = 0; i < NELEM(b->loads); i++) {
		arena_release(&b->loads[i].arena);
		preparer_free(b->loads[i].preparer);
		free(b->loads[i].items);
		free(b->loads[i].inputs);
	}
	buf_release(&b->printed);
	buf_release(&b->counted);
	notices_release(&b->notices);
	keyed_release(&b->places);
	free(b->name);
	free(b);
}

bool
batch_is_empty(const struct batch *b)
{
	return b->load->n_items == 0 && !handover_is_busy(&b->thread);
}

int64_t
batch_ms_left(struct batch *b)
{
	int64_t ms = ms_left(b);

	if (!handover_is_busy(&b->thread))
		return ms;
	/* a fault is returned by the next call that can */
	finish_loads(b, false);
	if (!handover_is_busy(&b->thread))
		return ms;
	return b->load->n_items == 0 ? LOOK_MS : MIN(ms, LOOK_MS);
}

static int
failure(const struct batch *b, struct err *err)
{
	if (b->failed != 0)
		*err = b->err;
	return b->failed;
}

int
batch_settle(struct batch *b, struct err *err)
{
	finish_loads(b, true);
	return failure(b, err);
}

int
batch_commit(struct batch *b, struct err *err)
{
	struct load *l = b->load;

	if (finish_loads(b, true) == 0 && (l->n_items > 0 || l->n_inputs > 0)) {
		l->now_us = clock_now_us();
		storer_put(&b->storer, l);
		finish_load(b, l);
	}
	return failure(b, err);
}

/*
 * Whether the ring and the memory for text have room for another load beside l and those that wait.
 */
static bool
has_room(const struct batch *b, const struct load *l)
{
	size_t n = 0, bytes = l->n_bytes;

	for (size_t i = 0; i < NELEM(b->loads); i++) {
		if (&b->loads[i] == l)
			continue;
		n += b->loads[i].n_items == 0;
		bytes += b->loads[i].n_bytes;
	}
	return n > 0 && (n == NELEM(b->loads) - 1 || bytes <= BATCH_BYTES);
}

/*
 * Whether the caller may prepare more of l. Where the thread is slow, loads wait, and what is
 * prepared of all of them together may take no more memory than what is prepared of one.
 */
static bool
has_room_for_terms(const struct batch *b, const struct load *l)
{
	size_t n = l->preparer == NULL ? 0 : preparer_n_terms(l->preparer);

	for (size_t i = 0; i < NELEM(b->loads); i++)
		if (&b->loads[i] != l && b->loads[i].n_items > 0)
			n += b->loads[i].n_ahead;
	return n <= LOAD_TERMS;
}

static struct load *
free_load(struct batch *b)
{
	for (size_t i = 0; i < NELEM(b->loads); i++)
		if (b->loads[i].n_items == 0)
			return &b->loads[i];
	return NULL;                           /* never reached: the caller made room */
}

int
batch_send(struct batch *b, struct err *err)
{
	struct load *l = b->load;

	if (b->o->dry_run || !handover_start(&b->thread))
		return batch_commit(b, err);
	while (l->prepares && l->n_prepared < l->n_items && has_room_for_terms(b, l) &&
	    handover_n_waiting(&b->thread) > 1)
		load_prepare(l, MIN(l->n_prepared + STEP, l->n_items));
	if (handover_n_waiting(&b->thread) > 1)
		load_pack(l);
	finish_loads(b, false);
	while (!has_room(b, l))
		finish_load(b, handover_take(&b->thread, true));
	if (b->failed != 0)
		return failure(b, err);
	l->now_us = clock_now_us();
	l->n_ahead = l->preparer == NULL ? 0 : preparer_n_terms(l->preparer);
	handover_give(&b->thread, l);
	b->load = free_load(b);
	return 0;
}
