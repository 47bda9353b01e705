/*
 * audit.c: all claims are compared with each other and heard by the transcripts first; then each
 * kind of finding is taken from what is known.
 */
#include "audit/audit.h"

#include "audit/compare.h"
#include "audit/credentials.h"
#include "audit/first_person.h"
#include "base/alloc.h"
#include "base/conf.h"
#include "model/model.h"
#include "statement/cues.h"
#include "statement/stance.h"

const char *const finding_kind_names[] = { "secret", "duplicate", "contradiction", "stale",
	"unsupported", "supported", "doubtful" };

struct audit {
	struct memories *m;
	const struct audit_want *want;
	finding_fn *fn;
	void *arg;
	struct audit_counts *counts;
	struct model *model;               /* NULL: words alone */
	struct arena arena;
	struct claims claims;
	struct testimony *heard;           /* [claims.n]; NULL: there are no transcripts */
	struct compared_list compared;
	bool *faulty;                      /* [m->n]: it was found, or repeats another */
	bool stopped;
};

/* ---- findings ---- */

static size_t
number_of(const struct audit *a, const struct memory_item *r)
{
	return (size_t)(r - a->m->items);
}

static void
add_evidence(struct finding *f, const struct evidence *e)
{
	for (size_t i = 0; i < f->n_evidence; i++)
		if (e->id != NULL && strcmp(f->evidence[i].id, e->id) == 0)
			return;
	if (e->id != NULL && f->n_evidence < FINDING_EVIDENCE)
		f->evidence[f->n_evidence++] = *e;
}

static void
report(struct audit *a, const struct finding *f)
{
	for (size_t i = 0; i < f->n_records; i++)
		a->faulty[number_of(a, f->records[i])] = true;
	if (a->stopped || (a->want->kinds & 1u << f->kind) == 0)
		return;
	a->counts->found[f->kind]++;
	a->stopped = a->fn(a->arg, f) != 0;
}

static struct finding
finding_of(const struct audit *a, enum finding_kind kind, const struct claim *c, const char *why)
{
	return (struct finding){ .kind = kind, .records = { &a->m->items[c->record] },
		.n_records = 1, .why = why };
}

/* ---- secrets ---- */

static void
find_secrets(struct audit *a)
{
	for (size_t i = 0; i < a->m->n; i++) {
		struct memory_item *r = &a->m->items[i];
		struct finding f = { .kind = FINDING_SECRET, .records = { r }, .n_records = 1 };
		size_t len = strlen(r->id);
		const char *in_id = credentials_hide(&r->id, &len, &a->m->arena);
		const char *form = credentials_hide(&r->content, &r->len, &a->m->arena);

		if (form == NULL && (form = in_id) == NULL)
			continue;
		f.why = arena_printf(&a->arena, "it holds a secret: %.*s", (int)strcspn(form, "]"),
		    form);
		report(a, &f);
	}
}

/* ---- pairs ---- */

/* Which claim of a pair is the newer: by the times of records, else by those of turns. */
static int
newer_of(const struct audit *a, const struct compared *p)
{
	int by_time = compare_times(a->m, &a->claims.c[p->a], &a->claims.c[p->b]);

	if (by_time != 0 || a->heard == NULL)
		return by_time;
	const struct testimony *x = &a->heard[p->a];
	const struct testimony *y = &a->heard[p->b];
	if (!x->supported || !y->supported || x->for_it.time_us == TIME_NONE ||
	    y->for_it.time_us == TIME_NONE)
		return 0;
	return (x->for_it.time_us > y->for_it.time_us) - (x->for_it.time_us < y->for_it.time_us);
}

static void
find_pairs(struct audit *a, bool same)
{
	for (size_t i = 0; i < a->compared.n; i++) {
		const struct compared *p = &a->compared.pairs[i];
		const struct claim *x = &a->claims.c[p->a], *y = &a->claims.c[p->b];
		enum finding_kind kind = same ? FINDING_DUPLICATE : FINDING_CONTRADICTION;
		struct finding f = finding_of(a, kind, x, p->why);
		int newer = newer_of(a, p);

		if (p->same != same)
			continue;
		f.records[f.n_records++] = &a->m->items[y->record];
		if (!same && newer != 0)
			f.newer = f.records[newer < 0 ? 1 : 0];
		if (a->heard != NULL) {
			add_evidence(&f, &a->heard[p->a].for_it);
			add_evidence(&f, &a->heard[p->b].for_it);
		}
		if (!same) {
			report(a, &f);
			continue;
		}
		/* the first of them may have other faults */
		bool before = a->faulty[x->record];
		report(a, &f);
		a->faulty[x->record] = before;
	}
}

/* ---- one claim ---- */

/* Whether it speaks of something that was to come when it was written. */
static bool
is_plan(const struct claim *c)
{
	static const char *const classes[] = { "plan", "todo", "deadline" };

	for (size_t k = 0; k < NELEM(classes); k++)
		if (cues_has("schema/cues/statement.txt", classes[k], c->said, c->said_len))
			return true;
	return cues_has("schema/cues/audit.txt", NULL, c->said, c->said_len);
}

static void
find_stale(struct audit *a)
{
	size_t last = SIZE_MAX;    /* the record of the claim before, and whether that was found */
	bool found = false;

	for (size_t i = 0; i < a->claims.n; i++) {
		const struct claim *c = &a->claims.c[i];
		const struct memory_item *r = &a->m->items[c->record];
		const struct testimony *t = a->heard != NULL ? &a->heard[i] : NULL;
		char day[TIME_TEXT];
		struct finding f = finding_of(a, FINDING_STALE, c, NULL);

		if (c->record == last && found)
			continue;
		if (c->record != last)
			found = false;
		last = c->record;
		if (r->until_us != TIME_NONE && r->until_us <= a->want->now_us)
			f.why = arena_printf(&a->arena, "it says that it holds until %s",
			    time_format_day(r->until_us, day));
		else if (c->to_us != TIME_NONE && c->to_us <= a->want->now_us && !c->done &&
		    (r->time_us == TIME_NONE || r->line > 0 || c->to_us > r->time_us) &&
		    is_plan(c))
			f.why = arena_printf(&a->arena, "what it says is to come was over on %s",
			    time_format_day(c->to_us, day));
		else if (t != NULL && t->against.id != NULL)
			f.why = "a later turn says otherwise";
		if (f.why == NULL)
			continue;
		if (t != NULL) {
			add_evidence(&f, &t->for_it);
			add_evidence(&f, &t->against);
		}
		found = true;
		report(a, &f);
	}
}

static void
find_unsupported(struct audit *a)
{
	for (size_t i = 0; i < a->claims.n && a->heard != NULL; i++) {
		const struct claim *c = &a->claims.c[i];
		struct finding f = finding_of(a, FINDING_UNSUPPORTED, c,
		    "no turn stored here says so");

		if (a->heard[i].supported || a->faulty[c->record])
			continue;
		add_evidence(&f, &a->heard[i].against);
		report(a, &f);
	}
}

/* ---- the whole ---- */

static int
hear_all(struct audit *a, struct transcripts *t, struct err *err)
{
	a->heard = xcalloc(a->claims.n + 1, sizeof(*a->heard));
	for (size_t i = 0; i < a->claims.n; i++) {
		const struct claim *c = &a->claims.c[i];
		const struct memory_item *r = &a->m->items[c->record];
		struct evidence source;

		if (transcripts_source(t, r, &a->arena, &source, err) != 0 ||
		    transcripts_hear(t, c, &source, r->time_us, r->about, &a->arena,
			&a->heard[i], err) != 0)
			return -1;
		a->heard[i].supported |= r->given;
	}
	return 0;
}

/* Whether the scope has a message at all. */
static int
stop_at_once(void *arg, const struct message *m)
{
	(void)m;
	*(bool *)arg = true;
	return 1;
}

static int
has_messages(const struct audit_want *want, bool *any, struct err *err)
{
	struct message_filter f = MESSAGE_FILTER_ANY;

	*any = false;
	f.limit = 1;
	return want->store == NULL
	    ? 0
	    : messages_each(want->store, want->who, &f, stop_at_once, any, err);
}

/* Opens what is heard: the model, where one is wanted and found, and the transcripts, if any. */
static int
open_all(struct audit *a, struct transcripts **t, struct err *err)
{
	struct err none = ERR_INIT;

	*a->counts = (struct audit_counts){ .records = a->m->n };
	if (a->want->words || model_open(&a->model, conf_text("model"), &none) != 0)
		a->model = NULL;
	a->counts->vectors = a->model != NULL;
	a->faulty = xcalloc(a->m->n + 1, sizeof(*a->faulty));
	return has_messages(a->want, &a->counts->transcripts, err) != 0 ||
	    (a->counts->transcripts &&
		transcripts_open(a->want->store, a->want->who, a->model, t, err) != 0) ? -1 : 0;
}

static void
close_all(struct audit *a, struct transcripts *t)
{
	transcripts_close(t);
	model_close(a->model);
	free(a->claims.c);
	free(a->compared.pairs);
	free(a->heard);
	free(a->faulty);
	arena_release(&a->arena);
}

int
audit_run(struct memories *m, const struct audit_want *want, finding_fn *fn, void *arg,
	struct audit_counts *counts, struct err *err)
{
	struct audit a = { .m = m, .want = want, .fn = fn, .arg = arg, .counts = counts };
	struct transcripts *t = NULL;
	const char *owner = want->owner;
	int rc = -1;

	if (open_all(&a, &t, err) != 0)
		goto out;
	find_secrets(&a);
	if (*owner == '\0')
		owner = first_person_owner(m);
	claims_read(&a.claims, m, owner, true);
	if (t != NULL && hear_all(&a, t, err) != 0)
		goto out;
	compare_claims(m, &a.claims, &a.compared);
	find_pairs(&a, true);
	find_pairs(&a, false);
	find_stale(&a);
	find_unsupported(&a);
	rc = 0;
out:
	close_all(&a, t);
	return rc;
}

/* ---- an answer ---- */

/* Whether a sentence says something that can be looked up: no question, and not "Sure!". */
static bool
is_told(const struct claim *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->words->n && (c->words->stance & STANCE_ASKS) == 0; i++)
		n += c->words->w[i].content && !c->words->w[i].empty && !c->words->w[i].person;
	return n > 1;
}

static void
report_sentence(struct audit *a, const struct claim *c, const struct testimony *t)
{
	struct memory_item sentence = a->m->items[c->record];
	bool against = t->against.id != NULL, clash = t->clash.id != NULL && !against;
	struct finding f = { .n_records = 1, .records = { &sentence } };

	for (size_t i = 0; i < sentence.n_breaks; i++)
		sentence.line += sentence.content + sentence.len - sentence.breaks[i] <= c->text;
	sentence.content = c->text;
	sentence.len = c->text_len;
	credentials_hide(&sentence.content, &sentence.len, &a->arena);
	f.kind = against || clash   ? FINDING_CONTRADICTION
	    : t->named.id != NULL   ? FINDING_DOUBTFUL
	    : t->supported	    ? FINDING_SUPPORTED
				    : FINDING_UNSUPPORTED;
	f.why = against		 ? "a later turn says otherwise"
	    : clash		 ? t->clash_why
	    : t->named.id != NULL ? "it is stored, and a later turn names the same"
	    : t->supported	 ? "it is stored"
				 : "nothing that is stored says so";
	add_evidence(&f, clash ? &t->clash : &t->for_it);
	add_evidence(&f, against ? &t->against : &t->named);
	if ((a->want->kinds & 1u << f.kind) == 0)
		return;
	a->counts->found[f.kind]++;
	a->stopped = a->fn(a->arg, &f) != 0;
}

int
audit_answer(struct memories *m, const struct audit_want *want, finding_fn *fn, void *arg,
	struct audit_counts *counts, struct err *err)
{
	struct audit a = { .m = m, .want = want, .fn = fn, .arg = arg, .counts = counts };
	LOCAL(memories) known = { .n = 0 };
	struct transcripts *t = NULL;
	int rc = -1;

	if (open_all(&a, &t, err) != 0 ||
	    (want->store != NULL && t == NULL &&
		transcripts_open(want->store, want->who, a.model, &t, err) != 0) ||
	    (want->store != NULL && memories_of_store(&known, want->store, want->who, err) != 0))
		goto out;
	claims_read(&a.claims, m, want->owner, false);
	if (t != NULL)
		transcripts_be_strict(t, known.items, known.n);
	for (size_t i = 0; i < a.claims.n && !a.stopped; i++) {
		const struct claim *c = &a.claims.c[i];
		struct testimony heard = { .supported = false };

		if (!is_told(c))
			continue;
		if (t != NULL && transcripts_hear(t, c, &(struct evidence){ .id = NULL },
			want->now_us, m->items[c->record].about, &a.arena, &heard, err) != 0)
			goto out;
		report_sentence(&a, c, &heard);
	}
	rc = 0;
out:
	close_all(&a, t);
	return rc;
}

int
audit_contradictions(struct memories *m, const struct scope *who, finding_fn *fn, void *arg,
	struct err *err)
{
	const struct audit_want want = { .who = who, .owner = "", .words = true,
		.kinds = 1u << FINDING_CONTRADICTION, .now_us = clock_now_us() };
	struct audit_counts counts;

	return audit_run(m, &want, fn, arg, &counts, err);
}
