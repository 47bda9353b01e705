/*
 * ingest_batch.c: the lock on the store is held while rows are put and not while lines are read, parsed and cleaned.
 *
 * A table of sessions, by the hash of user and name, gives each message its place in its session in this input, which is what a message
 * without an id is known by.
 */
#include "base/alloc.h"
#include "base/caps.h"
#include "base/conf.h"
#include "verb/ingest_batch.h"
#include "verb/places.h"
#include "verb/record.h"

#define BATCH_BYTES (8u << 20)             /* of text gathered */

struct item {
	bool is_session, differs;
	const char *user;
	const char *name;          /* of the input */
	uint64_t line;
	struct message message;
	struct session session;
};

struct batch {
	struct store *s;
	const struct ingest_options *o;
	const struct ingest_out *out;
	struct ingest_counts *counts;
	struct arena arena, found;
	struct item *items;
	size_t n_items, cap_items, n_bytes;
	int64_t since_us;          /* first record of the batch */
	struct input_state *inputs;        /* how far files were read, one each */
	size_t n_inputs, cap_inputs;
	struct buf printed;
	struct places seen;        /* of a dry run: what the store would have by now */
	struct buf differing;      /* the input whose records are counted there */
	uint64_t n_differing;
	struct places places;      /* of sessions */
	uint64_t last_key, n_bad_first;    /* session last seen in this input; bad lines before any */
	uint32_t input;
	const char *input_name;            /* in the arena; NULL until it is asked for */
	char *name;
};

struct batch *
batch_new(struct store *s, const struct ingest_options *o, const struct ingest_out *out, struct ingest_counts *counts)
{
	struct batch *b = xcalloc(1, sizeof(*b));

	b->s = s;
	b->o = o;
	b->out = out;
	b->counts = counts;
	buf_init(&b->printed, conf_caps.output_bytes);
	buf_init(&b->differing, conf_caps.output_bytes);
	return b;
}

void
batch_free(struct batch *b)
{
	if (b == NULL)
		return;
	arena_release(&b->arena);
	arena_release(&b->found);
	buf_release(&b->printed);
	buf_release(&b->differing);
	places_release(&b->seen);
	places_release(&b->places);
	free(b->items);
	free(b->inputs);
	free(b->name);
	free(b);
}

/* ---- places in sessions ---- */

static uint64_t
place_key(const char *user, const char *session)
{
	return hash64(session, strlen(session), hash64(user, strlen(user), 0));
}

static struct place *
place_of(struct batch *b, uint64_t key)
{
	struct place *p = places_at(&b->places, key);

	if (p->input != b->input) {
		p->input = b->input;
		p->next = 0;
	}
	return p;
}

static uint64_t
take_place(struct batch *b, const char *user, const char *session)
{
	struct place *p = place_of(b, place_key(user, session));

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
	b->input_name = NULL;
}

void
batch_add_bad(struct batch *b)
{
	if (b->last_key == 0)
		b->n_bad_first++;
	else
		place_of(b, b->last_key)->next++;
}

/* ---- gathering ---- */

/* A copy that lives as long as the batch; one before it is used again when it is the same, as names mostly are. */
static const char *
keep(struct batch *b, const char *s, const char *before)
{
	size_t len;

	if (s == NULL || s[0] == '\0')
		return "";
	if (before != NULL && strcmp(s, before) == 0)
		return before;
	len = strlen(s);
	b->n_bytes += len;
	return arena_strndup(&b->arena, s, len);
}

static void
keep_message(struct batch *b, struct item *it, const struct item *before, const struct message *m)
{
	const struct message *old = before != NULL && !before->is_session ? &before->message : NULL;
	struct message *to = &it->message;

	*to = *m;
	to->session = keep(b, m->session, old != NULL ? old->session : NULL);
	to->name = keep(b, m->name, NULL);
	to->content = arena_strndup(&b->arena, m->content, m->content_len);
	to->agent = keep(b, m->agent, old != NULL ? old->agent : NULL);
	to->project = keep(b, m->project, old != NULL ? old->project : NULL);
	to->source_id = keep(b, m->source_id, NULL);
	to->tool_calls = keep(b, m->tool_calls, NULL);
	to->tool_call_id = keep(b, m->tool_call_id, NULL);
	to->extra = keep(b, m->extra, NULL);
	b->n_bytes += m->content_len;
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
	const struct item *before;
	struct item *it;
	uint64_t place = 0;

	if (r->kind != RECORD_SESSION)
		place = take_place(b, r->user, r->message.session);
	if (r->kind == RECORD_EMPTY) {
		b->counts->empty++;
		return;
	}
	if (b->n_items == 0)
		b->since_us = clock_mono_us();
	xgrow(&b->items, &b->cap_items, b->n_items + 1, sizeof(*b->items));
	before = b->n_items > 0 ? &b->items[b->n_items - 1] : NULL;
	it = &b->items[b->n_items++];
	if (b->input_name == NULL)
		b->input_name = arena_strdup(&b->arena, b->name);
	it->is_session = r->kind == RECORD_SESSION;
	it->differs = false;
	it->name = b->input_name;
	it->line = line;
	it->user = keep(b, r->user, before != NULL ? before->user : NULL);
	if (it->is_session) {
		keep_session(b, it, &r->session);
		return;
	}
	keep_message(b, it, before, &r->message);
	if (r->message.id[0] != '\0' && r->has_turn)
		place = r->turn;
	it->message.position = place;
}

void
batch_read(struct batch *b, const struct input_state *v)
{
	struct input_state *to = b->n_inputs > 0 ? &b->inputs[b->n_inputs - 1] : NULL;

	if (to == NULL || strcmp(to->path, v->path) != 0) {
		xgrow(&b->inputs, &b->cap_inputs, b->n_inputs + 1, sizeof(*b->inputs));
		to = &b->inputs[b->n_inputs++];
	}
	*to = *v;
	to->path = keep(b, v->path, NULL);
	to->state = keep(b, v->state, NULL);
}

bool
batch_is_empty(const struct batch *b)
{
	return b->n_items == 0;
}

int64_t
batch_ms_left(const struct batch *b)
{
	int64_t ms = (clock_mono_us() - b->since_us) / 1000;

	return b->n_items == 0 || ms >= b->o->batch_ms ? 0 : b->o->batch_ms - ms;
}

bool
batch_is_full(const struct batch *b)
{
	if (b->n_items == 0)
		return false;
	/* the clock is asked for every 16th record only */
	return (int64_t)b->n_items >= b->o->batch || b->n_bytes >= BATCH_BYTES || (b->n_items % 16 == 0 && batch_ms_left(b) == 0);
}

/* ---- storing ---- */

static void
print_message(struct batch *b, const struct item *it)
{
	if (b->out->records == NULL)
		return;
	record_message(&b->printed, it->user, &it->message);
	buf_addc(&b->printed, '\n');
}

static void
count_session(struct batch *b, const char *user, const char *session)
{
	struct place *p = place_of(b, place_key(user, session));

	b->counts->sessions += !p->counted;
	p->counted = true;
}

/* A record that went out of a store and comes back: known by its own id, whatever else changed. */
static int
is_known(struct batch *b, const struct scope *who, struct message *m, bool *known, struct err *err)
{
	const struct message *found = NULL;

	*known = m->differs = false;
	if (m->id[0] == '\0')
		return 0;
	arena_reset(&b->found);
	if (messages_find(b->s, who, m->id, &b->found, &found, err) != 0)
		return -1;
	*known = found != NULL;
	m->differs = found != NULL && (found->content_len != m->content_len || memcmp(found->content, m->content, m->content_len) != 0);
	return 0;
}

static void
count_duplicate(struct item *it, struct ingest_counts *c)
{
	c->duplicates++;
	c->differing += it->message.differs;
	it->differs = it->message.differs;
}

static int
put_message(struct batch *b, struct item *it, int64_t now_us, struct ingest_counts *c, struct err *err)
{
	struct scope who = { it->user, NULL, NULL, NULL };
	enum put_did did = PUT_DUPLICATE;
	bool known;

	it->message.stored_us = now_us;
	if (is_known(b, &who, &it->message, &known, err) != 0 || (!known && messages_put(b->s, &who, &it->message, &did, err) != 0))
		return -1;
	if (did == PUT_DUPLICATE)
		count_duplicate(it, c);
	c->pruned += did == PUT_PRUNED;
	if (did != PUT_STORED)
		return 0;
	c->messages++;
	count_session(b, it->user, it->message.session);
	print_message(b, it);
	return 0;
}

/* ---- what is said ---- */

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
refuse(struct batch *b, const struct item *it, struct ingest_counts *c, struct err *err)
{
	c->rejected++;
	tell(b, it, err->msg);
	err_clear(err);
}

void
batch_end(struct batch *b)
{
	char text[1200];

	if (b->n_differing > 1 && b->out->warn != NULL) {
		snprintf(text, sizeof(text), "%.1000s: %llu messages are stored with other words, which stay", b->differing.data,
		    (unsigned long long)b->n_differing);
		b->out->warn(b->out->arg, text);
	}
	b->n_differing = 0;
}

/* Of each input the first; the others are counted. */
static void
tell_differing(struct batch *b)
{
	char text[200];

	for (size_t i = 0; i < b->n_items; i++) {
		const struct item *it = &b->items[i];
		const char *id = it->message.source_id;

		if (it->is_session || !it->differs)
			continue;
		if (b->n_differing > 0 && strcmp(b->differing.data, it->name) != 0)
			batch_end(b);
		if (b->n_differing++ > 0)
			continue;
		buf_reset(&b->differing);
		buf_adds(&b->differing, it->name);
		snprintf(text, sizeof(text), "'%.100s' is stored with other words, which stay", id[0] != '\0' ? id : it->message.id);
		tell(b, it, text);
	}
}

static int
put_item(struct batch *b, struct item *it, int64_t now_us, struct ingest_counts *c, struct err *err)
{
	struct scope who = { it->user, NULL, NULL, NULL };

	if ((it->is_session ? sessions_put(b->s, &who, &it->session, err) : put_message(b, it, now_us, c, err)) == 0)
		return 0;
	if (err->code != ERR_DATA)
		return -1;
	refuse(b, it, c, err);
	return 0;
}

static int
store_items(struct batch *b, struct ingest_counts *c, struct err *err)
{
	struct scope who = { b->o->user, NULL, NULL, NULL };
	int64_t now_us = clock_now_us();

	if (store_begin(b->s, err) != 0)
		return -1;
	for (size_t i = 0; i < b->n_items; i++)
		if (put_item(b, &b->items[i], now_us, c, err) != 0)
			goto fail;
	for (size_t i = 0; i < b->n_inputs; i++)
		if (inputs_put(b->s, &who, &b->inputs[i], err) != 0)
			goto fail;
	return store_commit(b->s, err);
fail:
	store_rollback(b->s);
	return -1;
}

/* What a message is known by, as the store has it: within its session its source id, or its place, time, role and words. */
static uint64_t
key_of(const struct item *it)
{
	const struct message *m = &it->message;
	uint64_t key = place_key(it->user, m->session), place[] = { m->position, (uint64_t)m->time_us, (uint64_t)m->role };

	if (m->source_id[0] != '\0')
		return hash64(m->source_id, strlen(m->source_id), key);
	return hash64(m->content, m->content_len, hash64(place, sizeof(place), key + 1));
}

/* From now on it is. */
static bool
is_seen(struct batch *b, uint64_t key)
{
	struct place *p = places_at(&b->seen, key);
	bool was = p->counted;

	p->counted = true;
	return was;
}

static int
would_be_known(struct batch *b, struct item *it, bool *known, struct err *err)
{
	struct scope who = { it->user, NULL, NULL, NULL };

	*known = false;
	if (b->s != NULL && is_known(b, &who, &it->message, known, err) != 0)
		return -1;
	if (b->s != NULL && !*known && messages_known(b->s, &who, &it->message, known, err) != 0)
		return -1;
	*known |= is_seen(b, key_of(it)) || (it->message.id[0] != '\0' && is_seen(b, hash64(it->message.id, ID_TEXT, 1)));
	return 0;
}

/* What would be stored. */
static int
show_items(struct batch *b, struct ingest_counts *c, struct err *err)
{
	for (size_t i = 0; i < b->n_items; i++) {
		struct item *it = &b->items[i];
		bool known;

		if (it->is_session)
			continue;
		if (would_be_known(b, it, &known, err) != 0) {
			if (err->code != ERR_DATA)
				return -1;
			refuse(b, it, c, err);
			continue;
		}
		if (known) {
			count_duplicate(it, c);
			continue;
		}
		c->messages++;
		count_session(b, it->user, it->message.session);
		it->message.id[0] = '\0';
		print_message(b, it);
	}
	return 0;
}

int
batch_commit(struct batch *b, struct err *err)
{
	struct ingest_counts c = { 0 };
	uint64_t sessions = b->counts->sessions;
	int rc = 0;

	if (b->n_items == 0 && b->n_inputs == 0)
		return 0;
	buf_reset(&b->printed);
	rc = b->o->dry_run ? show_items(b, &c, err) : store_items(b, &c, err);
	if (rc == 0) {
		b->counts->messages += c.messages;
		b->counts->duplicates += c.duplicates;
		b->counts->differing += c.differing;
		b->counts->pruned += c.pruned;
		b->counts->rejected += c.rejected;
		tell_differing(b);
		if (b->out->records != NULL && b->printed.len > 0)
			b->out->records(b->out->arg, b->printed.data, b->printed.len);
		if (b->out->progress != NULL)
			b->out->progress(b->out->arg, b->counts);
	} else {
		b->counts->sessions = sessions;
	}
	b->n_items = b->n_inputs = 0;
	b->n_bytes = 0;
	b->input_name = NULL;
	arena_reset(&b->arena);
	return rc;
}
