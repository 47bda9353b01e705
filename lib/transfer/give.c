/*
 * give.c: one function a kind of record.
 */
#include "transfer/import_parts.h"

#include "base/alloc.h"
#include "base/conf.h"

void
giver_init(struct giver *g, struct store *s)
{
	memset(g, 0, sizeof(*g));
	g->s = s;
	buf_init(&g->have, conf_caps.output_bytes);
	buf_init(&g->given, conf_caps.output_bytes);
	buf_init(&g->why, conf_caps.output_bytes);
	buf_init(&g->agent, conf_caps.output_bytes);
}

void
giver_release(struct giver *g)
{
	free(g->user);
	free(g->session);
	buf_release(&g->have);
	buf_release(&g->given);
	buf_release(&g->why);
	buf_release(&g->agent);
	arena_release(&g->arena);
	bereft_release(&g->bereft);
	free(g->vectors_user);
	vectors_in_free(g->vectors);
}

int
giver_end(struct giver *g, bool well, struct err *err)
{
	struct vectors_in *v = g->vectors;

	g->vectors = NULL;
	if (well)
		return vectors_in_close(v, err);
	vectors_in_free(v);
	return 0;
}

/* ---- sessions and messages ---- */

static void
remember(char **to, const char *text)
{
	if (*to != NULL && text != NULL && strcmp(*to, text) == 0)
		return;
	free(*to);
	*to = text != NULL ? xstrdup(text) : NULL;
}

static int
give_session(struct giver *g, const struct scope *who, const struct given *v, enum give_did *did,
	struct err *err)
{
	bool told;

	if (sessions_give(g->s, who, &v->session, did, &told, err) != 0)
		return -1;
	remember(&g->session, told ? v->session.id : NULL);
	return 0;
}

static int
give_message(struct giver *g, const struct scope *who, struct given *v, enum give_did *did,
	struct err *err)
{
	struct message *m = &v->message;
	enum put_did put;

	m->in_given_session = g->session != NULL && strcmp(g->session, m->session) == 0;
	if (messages_put(g->s, who, m, &put, err) != 0)
		return -1;
	*did = put == PUT_STORED		    ? GIVEN_STORED
	    : put == PUT_PRUNED			    ? GIVEN_BURIED
	    : put == PUT_TAKEN || m->differs ? GIVEN_DIFFERS
						    : GIVEN_SAME;
	return 0;
}

/* ---- records ---- */

/* It is made with the first record that it left: of those that stay away no trace is wanted. */
static int
give_step(struct giver *g, const struct scope *who, const struct given *v, enum give_did *did,
	struct err *err)
{
	bool known;

	buf_reset(&g->why);
	buf_adds(&g->why, v->step.step.why);
	buf_reset(&g->agent);
	buf_adds(&g->agent, v->step.step.agent);
	g->step = v->step;
	g->step.step.why = g->why.data;
	g->step.step.agent = g->agent.data;
	if (steps_give(g->s, who, &g->step, false, &known, err) != 0) {
		g->step.id[0] = '\0';
		return -1;
	}
	*did = known ? GIVEN_SAME : GIVEN_STORED;
	return 0;
}

/* Whether both are one, NULL: it is gone. */
static bool
is_same(struct giver *g, const char *user, const struct fact *have, const struct fact *given)
{
	if (have == NULL || given == NULL)
		return have == given;
	buf_reset(&g->have);
	buf_reset(&g->given);
	line_record(&g->have, user, have, NULL);
	line_record(&g->given, user, given, NULL);
	return g->have.len == g->given.len &&
	    memcmp(g->have.data, g->given.data, g->have.len) == 0;
}

/* The step of this run, for records that come without one. */
static int
own_step(struct giver *g, const struct scope *who, struct err *err)
{
	uint8_t ulid[ID_BYTES];
	bool known;

	if (g->user != NULL && strcmp(g->user, who->user) == 0)
		return 0;
	memset(&g->own, 0, sizeof(g->own));
	id_make(ulid);
	id_format(ulid, g->own.id);
	g->own.step.did = STEP_STORE;
	g->own.step.why = "imported";
	g->own.step.time_us = clock_now_us();
	if (steps_give(g->s, who, &g->own, true, &known, err) != 0)
		return -1;
	remember(&g->user, who->user);
	return 0;
}

static int
give_bare(struct giver *g, const struct scope *who, struct fact *f, enum give_did *did,
	struct err *err)
{
	const struct fact *have;

	arena_reset(&g->arena);
	if (records_find(g->s, who, f->head.id, &g->arena, &have, err) != 0)
		return -1;
	if (have != NULL) {
		*did = is_same(g, who->user, have, f) ? GIVEN_SAME : GIVEN_DIFFERS;
		return 0;
	}
	if (own_step(g, who, err) != 0)
		return -1;
	return changes_give(g->s, who, &g->own, f->head.id, f, did, &g->arena, &have, err);
}

static int
give_record(struct giver *g, const struct scope *who, struct given *v, enum give_did *did,
	struct err *err)
{
	struct fact *f = v->kind == GIVEN_GONE ? NULL : &v->fact;
	char id[ID_TEXT];
	const struct fact *have;
	bool buried, known;

	if (records_buried(g->s, who, v->fact.head.id, &buried, err) != 0)
		return -1;
	if (buried) {
		*did = GIVEN_BURIED;
		return 0;
	}
	if (*v->step.id == '\0')
		return give_bare(g, who, f, did, err) != 0 ? -1
		    : f != NULL ? bereft_look(&g->bereft, g->s, who->user, &f->head, err) : 0;
	if (strcmp(v->step.id, g->step.id) != 0)
		return err_set(err, ERR_DATA,
		    "the step that made it is not before it (mem-export --now writes none)");
	memcpy(id, v->fact.head.id, ID_TEXT);
	if (g->step.step.row == 0 && steps_give(g->s, who, &g->step, true, &known, err) != 0)
		return -1;
	arena_reset(&g->arena);
	if (f != NULL && records_resolve(g->s, who, f, &g->arena, err) != 0)
		return -1;
	if (changes_give(g->s, who, &g->step, id, f, did, &g->arena, &have, err) != 0)
		return -1;
	if (*did == GIVEN_SAME && !is_same(g, who->user, have, f))
		*did = GIVEN_DIFFERS;
	return f != NULL ? bereft_look(&g->bereft, g->s, who->user, &f->head, err) : 0;
}

/* ---- vectors ---- */

static int
give_vectors(struct giver *g, const struct scope *who, const struct given *v, enum give_did *did,
	struct err *err)
{
	const struct vectors_given *w = &v->vectors;

	if (g->vectors != NULL &&
	    (strcmp(g->vectors_user, who->user) != 0 ||
		memcmp(g->vectors_model, w->model, SHA256_BYTES) != 0) &&
	    giver_end(g, true, err) != 0)
		return -1;
	if (g->vectors == NULL) {
		if (vectors_in_open(g->s, who, w->model, &g->vectors, err) != 0)
			return -1;
		remember(&g->vectors_user, who->user);
		memcpy(g->vectors_model, w->model, SHA256_BYTES);
	}
	return vectors_in_put(g->vectors, w, did, err);
}

struct known { const uint8_t *sha256; bool is; };

static int
is_known(void *arg, const struct vector_model *m)
{
	struct known *v = arg;

	v->is |= memcmp(m->sha256, v->sha256, SHA256_BYTES) == 0;
	return v->is;
}

static int
give_model(struct giver *g, const struct given *v, enum give_did *did, struct err *err)
{
	struct known known = { v->model.sha256, false };
	int64_t set;

	if (vectors_models(g->s, is_known, &known, err) != 0)
		return -1;
	*did = known.is ? GIVEN_SAME : GIVEN_STORED;
	return vectors_set(g->s, &v->model, &set, err);
}

/* ---- all ---- */

int
giver_put(struct giver *g, struct given *v, enum give_did *did, struct err *err)
{
	struct scope who = { v->user, NULL, NULL, NULL };

	*did = GIVEN_SAME;
	/* these may remove vectors, so that all that came before must be in its pages */
	if ((v->kind == GIVEN_RECORD || v->kind == GIVEN_GONE || v->kind == GIVEN_TOMBSTONE) &&
	    giver_end(g, true, err) != 0)
		return -1;
	switch (v->kind) {
	case GIVEN_SESSION:
		return give_session(g, &who, v, did, err);
	case GIVEN_MESSAGE:
		return give_message(g, &who, v, did, err);
	case GIVEN_STEP:
		return give_step(g, &who, v, did, err);
	case GIVEN_RECORD:
	case GIVEN_GONE:
		return give_record(g, &who, v, did, err);
	case GIVEN_ACCESS:
		return accesses_give(g->s, &who, &v->access, did, err);
	case GIVEN_CATEGORY:
		return categories_give(g->s, &who, &v->category, did, err);
	case GIVEN_MEMBER:
		return members_give(g->s, &who, &v->member, did, err);
	case GIVEN_PROFILE:
		return about_give(g->s, &who, &v->about, did, err);
	case GIVEN_CONSENT:
		return about_give_consent(g->s, &who, v->number != 0, v->time_us, did, err);
	case GIVEN_MODEL:
		return give_model(g, v, did, err);
	case GIVEN_VECTORS:
		return give_vectors(g, &who, v, did, err);
	case GIVEN_TOMBSTONE:
		return tombstones_give(g->s, &who, v->key, did, err);
	case GIVEN_HEAD:
	case GIVEN_END:
		break;
	}
	return 0;
}
