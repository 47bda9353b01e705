/*
 * ingest_batch.c: a few loads. One is filled by the caller; those that were full wait to be put by
 * a thread, which has the store meanwhile. What comes of them is counted, told and printed by the
 * caller when it hands the next one over, or waits. Several, as one put in eight merges lists, and
 * takes as long as three others.
 *
 *	caller   read, parse, clean; prepare some -> load A | load B ...                          | A: print; load C ...
 *	thread                                               A: prepare the rest, rows, commit    | B: prepare the rest ...
 *
 * Either side may prepare: the caller does while the thread has a load to go on with after the one
 * at hand, and no longer. All else that the thread need not do is the caller's, as the thread waits
 * for the disk.
 *
 * A load that is not full (the input ends, or pauses) is put by the caller itself: a single line
 * starts no thread.
 *
 * A table of sessions, by the hash of user and name, gives each message its place in its session in
 * this input, which is what a message without an id is known by.
 */
#include "base/alloc.h"
#include "base/conf.h"
#include "ingest/ingest_batch.h"
#include "ingest/ingest_load.h"

#define BATCH_BYTES (8u << 20)             /* of text gathered */
/* messages that the caller prepares before it looks again how the thread is doing */
#define STEP        32
/* how often a caller that waits for input looks whether the thread is done */
#define LOOK_MS     5

struct batch {
	struct putter putter;
	const struct ingest_options *o;
	const struct ingest_out *out;
	struct ingest_counts *counts;
	struct load loads[LOADS], *load;   /* being filled */
	struct refusals refusals;
	/* the input whose records are counted there */
	struct notice { struct buf input; uint64_t n; } differing, timeless;
	struct seen places;      /* of sessions */
	struct buf printed;        /* a load's messages that were stored, as they are handed out */
	/* session last seen in this input; bad lines before any */
	uint64_t last_key, n_bad_first;
	uint32_t input;
	char *name;
	bool mostly_new[LOADS];    /* load n, at n % LOADS */
	uint64_t n_loads;
	/* a load under way was not stored: told by the next call that can */
	int failed;
	struct err err;
};

/* ---- places in sessions ---- */

static uint64_t
place_key(const char *user, const char *session)
{
	return hash64(session, strlen(session), hash64(user, strlen(user), 0));
}

static struct seen_key *
place_of(struct batch *b, uint64_t key)
{
	struct seen_key *p = seen_at(&b->places, key);

	if (p->input != b->input) {
		p->input = b->input;
		p->next = 0;
	}
	return p;
}

static uint64_t
take_place(struct batch *b, const char *user, const char *session)
{
	struct seen_key *p = place_of(b, place_key(user, session));

	if (b->last_key == 0)
		p->next += b->n_bad_first;
	b->last_key = p->key;
	return p->next++;
}

void
batch_input(struct batch *b, const char *name)
{
	b->input++;
	b->last_key = 0;
	b->n_bad_first = 0;
	free(b->name);
	b->name = xstrdup(name);
	b->load->input_name = NULL;
}

void
batch_add_bad(struct batch *b)
{
	if (b->last_key == 0)
		b->n_bad_first++;
	else
		place_of(b, b->last_key)->next++;
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
 * A copy that lives as long as the batch; one before it is used again when it is the same, as names
 * mostly are.
 */
static const char *
keep(struct batch *b, const char *s, const char *before)
{
	size_t len;

	if (s == NULL || s[0] == '\0')
		return "";
	if (before != NULL && strcmp(s, before) == 0)
		return before;
	len = strlen(s);
	b->load->n_bytes += len;
	return arena_strndup(&b->load->arena, s, len);
}

static void
keep_message(struct batch *b, struct item *it, const struct item *before, const struct message *m)
{
	const struct message *old = before != NULL && !before->is_session ? &before->message : NULL;
	struct message *to = &it->message;
	struct load *l = b->load;

	*to = *m;
	to->session = keep(b, m->session, old != NULL ? old->session : NULL);
	to->name = keep(b, m->name, NULL);
	to->content = arena_strndup(&l->arena, m->content, m->content_len);
	to->agent = keep(b, m->agent, old != NULL ? old->agent : NULL);
	to->project = keep(b, m->project, old != NULL ? old->project : NULL);
	to->source_id = keep(b, m->source_id, NULL);
	to->tool_calls = keep(b, m->tool_calls, NULL);
	to->tool_call_id = keep(b, m->tool_call_id, NULL);
	to->extra = keep(b, m->extra, NULL);
	l->n_bytes += m->content_len;
}

static void
keep_session(struct batch *b, struct item *it, const struct session *v)
{
	struct session *to = &it->session;

	*to = *v;
	to->id = keep(b, v->id, NULL);
	to->title = keep(b, v->title, NULL);
	to->system_prompt = keep(b, v->system_prompt, NULL);
	to->metadata = keep(b, v->metadata, NULL);
	to->agent = keep(b, v->agent, NULL);
	to->project = keep(b, v->project, NULL);
}

void
batch_add(struct batch *b, const struct record *r, uint64_t line)
{
	struct load *l = b->load;
	const struct item *before;
	struct item *it;
	uint64_t place = 0;

	if (r->kind != RECORD_SESSION)
		place = take_place(b, r->user, r->message.session);
	if (r->kind == RECORD_EMPTY) {
		b->counts->empty++;
		return;
	}
	if (l->n_items == 0) {
		l->since_us = clock_mono_us();
		l->no = b->n_loads++;
		/*
		 * by a load that was certainly taken: what is stored does not depend on who was
		 * faster
		 */
		l->prepares = b->putter.has_thread && b->mostly_new[l->no % LOADS];
	}
	xgrow(&l->items, &l->cap_items, l->n_items + 1, sizeof(*l->items));
	before = l->n_items > 0 ? &l->items[l->n_items - 1] : NULL;
	it = &l->items[l->n_items++];
	if (l->input_name == NULL)
		l->input_name = arena_strdup(&l->arena, b->name);
	it->is_session = r->kind == RECORD_SESSION;
	it->fate = FATE_NONE;
	it->no_time = NULL;
	it->name = l->input_name;
	it->line = line;
	it->unit = refusals_unit(&b->refusals, l);
	it->user = keep(b, r->user, before != NULL ? before->user : NULL);
	if (it->is_session) {
		keep_session(b, it, &r->session);
		return;
	}
	if (r->no_time != NULL)
		it->no_time = keep(b, r->no_time, before != NULL ? before->no_time : NULL);
	keep_message(b, it, before, &r->message);
	if (r->message.id[0] != '\0' && r->has_turn)
		place = r->turn;
	it->message.position = place;
}

void
batch_read(struct batch *b, const struct input_state *v)
{
	struct load *l = b->load;
	struct input_state *to = l->n_inputs > 0 ? &l->inputs[l->n_inputs - 1] : NULL;

	if (to == NULL || strcmp(to->path, v->path) != 0) {
		xgrow(&l->inputs, &l->cap_inputs, l->n_inputs + 1, sizeof(*l->inputs));
		to = &l->inputs[l->n_inputs++];
	}
	*to = *v;
	to->path = keep(b, v->path, NULL);
	to->state = keep(b, v->state, NULL);
}

/* The milliseconds until what is gathered is full by time. */
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
	/* the clock is asked for every 16th record only */
	return (int64_t)l->n_items >= b->o->batch || l->n_bytes >= BATCH_BYTES ||
	    (l->n_items % 16 == 0 && ms_left(b) == 0);
}

/* ---- what came of a load ---- */

static void
count_session(struct batch *b, const char *user, const char *session)
{
	struct seen_key *p = place_of(b, place_key(user, session));

	b->counts->sessions += !p->counted;
	p->counted = true;
}

static void
tell(const struct batch *b, const struct item *it, const char *why)
{
	char text[1200];

	if (b->out->warn == NULL)
		return;
	snprintf(text, sizeof(text), "%s:%llu: %s", it->name, (unsigned long long)it->line, why);
	b->out->warn(b->out->arg, text);
}

static void
end_notice(struct batch *b, struct notice *v, const char *what)
{
	char text[1200];

	if (v->n > 1 && b->out->warn != NULL) {
		snprintf(text, sizeof(text), "%.1000s: %llu messages %s", v->input.data,
		    (unsigned long long)v->n, what);
		b->out->warn(b->out->arg, text);
	}
	v->n = 0;
}

void
batch_end(struct batch *b)
{
	end_notice(b, &b->differing, "are stored with other words, which stay");
	end_notice(b, &b->timeless,
	    "have a date that is none, or may be two days: they have no time");
}

/* Of each input the first; the others are counted. */
static bool
is_first(struct batch *b, struct notice *v, const struct item *it)
{
	if (v->n > 0 && strcmp(v->input.data, it->name) != 0)
		batch_end(b);
	if (v->n++ > 0)
		return false;
	buf_reset(&v->input);
	buf_adds(&v->input, it->name);
	return true;
}

static void
tell_differing(struct batch *b, const struct item *it)
{
	const char *id = it->message.source_id;
	char text[200];

	if (!is_first(b, &b->differing, it))
		return;
	snprintf(text, sizeof(text), "'%.100s' is stored with other words, which stay",
	    id[0] != '\0' ? id : it->message.id);
	tell(b, it, text);
}

static void
tell_timeless(struct batch *b, const struct item *it)
{
	char text[200];

	if (!is_first(b, &b->timeless, it))
		return;
	snprintf(text, sizeof(text),
	    "'%.60s' is no date, or may be two days: it has no time (2026-05-12 is understood)",
	    it->no_time);
	tell(b, it, text);
}

static void
count_item(struct batch *b, const struct item *it)
{
	struct ingest_counts *c = b->counts;

	switch ((enum fate)it->fate) {
	case FATE_NONE:
		break;
	case FATE_STORED:
		c->messages++;
		count_session(b, it->user, it->message.session);
		if (it->no_time != NULL)
			tell_timeless(b, it);
		break;
	case FATE_DUPLICATE:
		c->duplicates++;
		c->differing += it->message.differs;
		if (it->message.differs)
			tell_differing(b, it);
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
empty(struct load *l)
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
fail(struct batch *b, int rc, const struct err *err)
{
	if (b->failed == 0) {
		b->failed = rc;
		b->err = *err;
	}
}

static void
tell_refused(struct batch *b, struct load *l)
{
	struct err err = ERR_INIT;

	for (size_t i = 0; i < l->n_items; i++) {
		if (l->items[i].fate != FATE_REFUSED)
			continue;
		tell(b, &l->items[i], l->items[i].why);
		if (l->rc == 0 &&
		    refusals_add(&b->refusals, l->items[i].unit, &l->arena, &err) != 0)
			fail(b, -1, &err);
	}
}

/* Counts, tells and hands out a load that was put, and empties it. */
static int
take(struct batch *b, struct load *l)
{
	uint64_t had = b->counts->messages;

	tell_refused(b, l);
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
		fail(b, l->rc, &l->err);
	}
	empty(l);
	return b->failed;
}

/* Takes what was put; what is under way is waited for when all. */
static int
take_put(struct batch *b, bool all)
{
	struct load *l;

	while ((l = putter_take(&b->putter, all)) != NULL)
		take(b, l);
	return b->failed;
}

/* ---- the caller ---- */

struct batch *
batch_new(struct store *s, const struct ingest_options *o, const struct ingest_out *out,
	struct ingest_counts *counts)
{
	struct batch *b = xcalloc(1, sizeof(*b));

	putter_init(&b->putter, s, o);
	b->o = o;
	b->out = out;
	b->counts = counts;
	b->load = &b->loads[0];
	for (size_t i = 0; i < LOADS; i++)
		b->mostly_new[i] = true;
	buf_init(&b->printed, SIZE_MAX / 4);           /* of many records; a load is bounded */
	buf_init(&b->differing.input, conf_caps.output_bytes);
	buf_init(&b->timeless.input, conf_caps.output_bytes);
	return b;
}

void
batch_free(struct batch *b)
{
	if (b == NULL)
		return;
	putter_release(&b->putter);
	for (size_t i = 0; i < NELEM(b->loads); i++) {
		arena_release(&b->loads[i].arena);
		preparer_free(b->loads[i].preparer);
		free(b->loads[i].items);
		free(b->loads[i].inputs);
	}
	buf_release(&b->printed);
	buf_release(&b->differing.input);
	buf_release(&b->timeless.input);
	seen_release(&b->places);
	free(b->name);
	free(b);
}

bool
batch_is_empty(const struct batch *b)
{
	return b->load->n_items == 0 && !putter_is_busy(&b->putter);
}

int64_t
batch_ms_left(struct batch *b)
{
	int64_t ms = ms_left(b);

	if (!putter_is_busy(&b->putter))
		return ms;
	take_put(b, false);                    /* a fault is told by the next call */
	if (!putter_is_busy(&b->putter))
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
	take_put(b, true);
	return failure(b, err);
}

int
batch_commit(struct batch *b, struct err *err)
{
	struct load *l = b->load;

	if (take_put(b, true) == 0 && (l->n_items > 0 || l->n_inputs > 0)) {
		l->now_us = clock_now_us();
		storer_put(&b->putter.storer, l);
		take(b, l);
	}
	return failure(b, err);
}

/* Room in the queue, and in memory, for l beside those that are under way. */
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

static struct load *
free_load(struct batch *b)
{
	for (size_t i = 0; i < NELEM(b->loads); i++)
		if (b->loads[i].n_items == 0)
			return &b->loads[i];
	return NULL;                           /* never: room was made */
}

int
batch_send(struct batch *b, struct err *err)
{
	struct load *l = b->load;

	if (b->o->dry_run || !putter_start(&b->putter))
		return batch_commit(b, err);
	while (l->prepares && l->n_prepared < l->n_items && putter_n_waiting(&b->putter) > 1)
		load_prepare(l, MIN(l->n_prepared + STEP, l->n_items));
	if (putter_n_waiting(&b->putter) > 1)
		load_pack(l);
	take_put(b, false);
	while (!has_room(b, l))
		take(b, putter_take(&b->putter, true));
	if (b->failed != 0)
		return failure(b, err);
	l->now_us = clock_now_us();
	putter_give(&b->putter, l);
	b->load = free_load(b);
	return 0;
}
