/*
 * prune_test.c: the plan against one made the slow way; facts by each policy against a model in
 * plain arrays; sessions and what is left of them; what another process did meanwhile.
 */
#include "storing.h"

#include <math.h>

#include "base/hash.h"
#include "facts/prune.h"
#include "store/records.h"
#include "store/vectors.h"

#define T0 (1700000000 * US_PER_S)
#define N  300

/* ---- the plan ---- */

static bool
goes_before(const struct prune_item *a, const struct prune_item *b, enum prune_policy policy)
{
	if (policy == PRUNE_LRU && a->used_us != b->used_us)
		return a->used_us < b->used_us;
	if (policy == PRUNE_LEAST_RELEVANT && a->worth != b->worth)
		return a->worth < b->worth;
	if (policy == PRUNE_LEAST_RELEVANT && a->relevance != b->relevance)
		return a->relevance < b->relevance;
	return a->row < b->row;
}

static void
test_plan(void)
{
	struct prune_item items[60];
	uint32_t order[60];
	bool right = true;

	for (uint64_t round = 0; round < 300; round++) {
		size_t n = hash64_mix(round) % 61, max = hash64_mix(round + 1000) % 70, got, want;
		enum prune_policy policy = (enum prune_policy)(round % 3);
		bool gone[60] = { false };
		for (size_t i = 0; i < n; i++) {
			uint64_t r = hash64_mix(round * 100 + i);
			items[i] = (struct prune_item){ (int64_t)i * 3, (int64_t)(r % 20),
				(double)(r >> 20 & 7) - 3, (r >> 40) % 5 == 0,
				(enum prunable_worth)((r >> 50) % 3) };
		}
		got = prune_plan(items, n, policy, max, order);
		for (want = 0; n - want > max; want++) {
			size_t first = n;
			for (size_t i = 0; i < n; i++)
				if (!gone[i] && !items[i].guarded &&
				    (first == n || goes_before(&items[i], &items[first], policy)))
					first = i;
			if (first == n)
				break;
			gone[first] = true;
			right = right && want < got && order[want] == first;
		}
		right = right && want == got;
	}
	ok(right, "300 plans are those of looking for the next one each time");
	ok(fabs(prune_decayed(.8, 90 * US_PER_DAY) - .4) < 1e-12 &&
		fabs(prune_decayed(.8, 180 * US_PER_DAY) - .2) < 1e-12,
	    "importance halves every 90 days");
	ok(prune_decayed(.8, -5) == .8, "what was used in the future is as important as ever");
}

/* ---- facts ---- */

struct model {
	int64_t row, used_us;
	bool guarded, gone;
	double relevance;
	char content[60];
} facts[N];

static struct fact
fact(const char *content)
{
	return (struct fact){ .head = { .type = RECORD_FACT,
				  .session = "",
				  .agent = "",
				  .project = "",
				  .time_us = TIME_NONE,
				  .stored_us = clock_now_us(),
				  .origin = ORIGIN_USER,
				  .trust = -1,
				  .source_id = "",
				  .content = content,
				  .content_len = strlen(content),
				  .tags = "",
				  .extra = "",
				  .retracted_us = TIME_NONE },
		.key = "",
		.bank = "General",
		.subcategory = "",
		.importance = .5,
		.confidence = 1,
		.valid_from_us = TIME_NONE,
		.valid_to_us = TIME_NONE,
		.superseded_by = "",
		.summarized = "" };
}

static void
put_facts(const struct scope *who, size_t n, struct model *out)
{
	static const char *const words[] = { "boat sails wind", "boat engine oil", "garden roses",
		"chess opening" };
	struct step step = { .did = STEP_STORE, .why = "" };
	enum put_did did;

	must(store_begin(st, &err), "begin");
	for (size_t i = 0; i < n; i++) {
		struct fact f;
		uint64_t r = hash64_mix(i + 77);
		snprintf(out[i].content, sizeof(out[i].content), "%s x%zu", words[r % 4], i);
		clock_fix(T0 + (int64_t)i);
		f = fact(out[i].content);
		f.head.guarded = r >> 10 & 1 && i % 3 == 0;
		must(records_put(st, who, &step, &f, &did, &err), "put");
		out[i].row = f.head.row;
		out[i].guarded = f.head.guarded;
		out[i].used_us = T0 + (int64_t)i;
		out[i].gone = false;
		/* of the words said last: boat, sails, oil, wind; x% is no word that was said */
		out[i].relevance = r % 4 == 0 ? 3. / 4 : r % 4 == 1 ? 2. / 4 : 0;
		if (i % 4 == 1)
			out[i].used_us = T0 + 1000000 + (int64_t)(r % 5000);
	}
	must(store_commit(st, &err), "commit");
	for (size_t i = 1; i < n; i += 4) {
		clock_fix(out[i].used_us);
		records_touch_soon(st, who, &out[i].row, 1);
	}
	clock_fix(T0 + US_PER_DAY);
}

static size_t n_told;

static void
told_fact(void *arg, const char *id)
{
	(void)arg;
	(void)id;
	n_told++;
}

static void
told_session(void *arg, const char *name, int64_t n_messages, int64_t updated_us)
{
	(void)arg;
	(void)n_messages;
	(void)updated_us;
	see(name, strlen(name));
}

static const struct prune_fn fns = { told_fact, told_fact, told_session, NULL };

static int
is_row(void *arg, const struct prunable *f)
{
	int64_t **rows = arg;

	*(*rows)++ = f->row;
	return 0;
}

/* The facts of the store are those of the model. */
static bool
as_model(const struct scope *who, const struct model *m, size_t n)
{
	int64_t rows[N], *end = rows;
	size_t at = 0;

	if (prunable_each(st, who, 0, -1, is_row, &end, &err) != 0)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!m[i].gone && (rows + at == end || rows[at++] != m[i].row))
			return false;
	return rows + at == end;
}

static void
prune_model(struct model *m, size_t n, enum prune_policy policy, size_t max)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++)
		left += !m[i].gone;
	for (; left > max; left--) {
		size_t first = n;
		for (size_t i = 0; i < n; i++) {
			const struct prune_item a = { m[i].row, m[i].used_us, m[i].relevance,
				false, WORTH_OWN };
			const struct prune_item b = first < n ? (struct prune_item){ m[first].row,
				m[first].used_us, m[first].relevance, false,
				WORTH_OWN }
							      : a;
			if (!m[i].gone && !m[i].guarded &&
			    (first == n || goes_before(&a, &b, policy)))
				first = i;
		}
		if (first == n)
			return;
		m[first].gone = true;
	}
}

static void
test_facts(enum prune_policy policy)
{
	static const int64_t limits[] = { 299, 280, 280, 150, 60, 0 };
	struct prune_options o = { .policy = policy,
		.batch = 7,
		.sessions_before_us = TIME_NONE,
		.metrics_before_us = TIME_NONE };
	struct scope who = { prune_policies[policy], NULL, NULL, NULL };
	struct prune_counts counts;
	struct message m = message("said", "The boat: does it need sails, wind, oil?");

	put_facts(&who, N, facts);
	must(store_begin(st, &err), "begin");
	put(&who, &m);
	must(store_commit(st, &err), "commit");
	for (size_t i = 0; i < NELEM(limits); i++) {
		size_t before = 0;
		o.max = limits[i];
		o.force = false;
		must(prune(st, &who, &o, &fns, &counts, &err), "dry run");
		ok(as_model(&who, facts, N), "%s to %d: a dry run changes nothing",
		    prune_policies[policy], (int)o.max);
		for (size_t k = 0; k < N; k++)
			before += facts[k].gone;
		prune_model(facts, N, policy, (size_t)o.max);
		for (size_t k = 0; k < N; k++)
			before -= facts[k].gone;
		o.force = true;
		n_told = 0;
		must(prune(st, &who, &o, &fns, &counts, &err), "prune");
		ok(as_model(&who, facts, N) && n_told == (size_t)counts.n_removed &&
			n_told + before == 0,
		    "%s to %d: what is left is what the model says", prune_policies[policy],
		    (int)o.max);
	}
}

/* ---- relevance by vectors ---- */

/* Direction i of 4, and a little of the next. */
static void
direction(float *v, unsigned i, float next)
{
	memset(v, 0, 4 * sizeof(*v));
	v[i % 4] = sqrtf(1 - next * next);
	v[(i + 1) % 4] = next;
}

struct wanted { struct vector_key keys[64]; size_t n; };

static int
want_all(void *arg, const struct vector_missing *m)
{
	struct wanted *w = arg;

	w->keys[w->n++] = m->key;
	return 0;
}

static void
test_vectors(void)
{
	const struct scope who = { "vectors", NULL, NULL, NULL };
	const struct vector_model model = { .name = "four", .sha256 = { 4 }, .n_dims = 4 };
	struct prune_options o = { .policy = PRUNE_LEAST_RELEVANT,
		.max = 3,
		.batch = 2,
		.sessions_before_us = TIME_NONE,
		.metrics_before_us = TIME_NONE,
		.force = true };
	struct prune_counts counts;
	struct message m = message("s", "none of these words");
	struct wanted w = { .n = 0 };
	float v[64][4];
	int64_t set;
	size_t n_put;

	put_facts(&who, 8, facts);
	must(store_begin(st, &err), "begin");
	put(&who, &m);
	must(vectors_set(st, &model, &set, &err), "set");
	must(store_commit(st, &err), "commit");
	must(vectors_missing(st, &who, set, 64, want_all, &w, &err), "missing");
	is_int((int64_t)w.n, 9, "eight facts and a message want vectors");
	/*
	 * the message lies in direction 0; facts 0 to 6 turn away from it, the last has no vector
	 * yet
	 */
	for (size_t i = 0; i < w.n; i++) {
		size_t k = 0;
		while (k < 8 && (w.keys[i].kind != VECTOR_FACT || facts[k].row != w.keys[i].row))
			k++;
		direction(v[i], 0, k == 8 ? 0 : .1f * (float)(k + 1));
		if (k == 7)
			w.keys[i].kind = VECTOR_SUMMARY;       /* of no record: passed over */
	}
	must(store_begin(st, &err), "begin");
	must(vectors_put(st, &who, set, w.keys, v[0], w.n, &n_put, &err), "put");
	must(store_commit(st, &err), "commit");
	is_int((int64_t)n_put, 8, "one is still to come");
	for (size_t k = 0; k < 8; k++)
		facts[k].relevance = k == 7 ? 1 : sqrt(1 - .01 * (double)((k + 1) * (k + 1)));
	prune_model(facts, 8, PRUNE_LEAST_RELEVANT, 3);
	must(prune(st, &who, &o, &fns, &counts, &err), "prune");
	ok(as_model(&who, facts, 8),
	    "those that lie farthest from what was said last go, not the one whose vector is to "
	    "come");
}

/* Decided before, carried out after something has changed. */
static void
test_meanwhile(void)
{
	const struct scope who = { "meanwhile", NULL, NULL, NULL };
	struct facts_left left = { false, 0, 0 };
	bool removed[5];
	int64_t rows[5];
	const struct fact *f;
	struct fact now;
	struct step step = { .did = STEP_EDIT, .why = "" };

	put_facts(&who, 20, facts);
	for (size_t i = 0; i < 5; i++)
		rows[i] = facts[i].row;
	must(records_by_row(st, &who, rows[1], TIME_NONE, &arena, &f, &err), "by row");
	now = *f;
	now.head.guarded = true;
	must(store_begin(st, &err), "begin");
	must(records_change(st, &who, &step, &now, &err), "change");
	must(records_remove(st, &who, &rows[2], 1, &err), "remove");
	must(store_commit(st, &err), "commit");
	must(store_begin(st, &err), "begin");
	must(facts_prune(st, &who, rows, 5, 17, &left, removed, &err), "facts_prune");
	must(store_commit(st, &err), "commit");
	ok(removed[0] != facts[0].guarded && !removed[1] && !removed[2],
	    "what is protected by now stays, what is gone is gone");
	ok(left.n == 17 && removed[0] + removed[3] + removed[4] == 2,
	    "and no more go than are too many");
	must(store_begin(st, &err), "begin");
	must(facts_prune(st, &bob, rows, 5, 0, &left, removed, &err), "facts_prune");
	must(store_commit(st, &err), "commit");
	ok(!removed[0] && !removed[3] && !removed[4], "nor what is another user's");
}

/* ---- sessions ---- */

static int
see_hit(void *arg, const struct session *v)
{
	(void)arg;
	see(v->id, strlen(v->id));
	return 0;
}

static const char *
sessions_of(const struct scope *who)
{
	see_nothing();
	return sessions_each(st, who, see_hit, NULL, &err) < 0 ? err.msg : seen;
}

static void
put_session(const struct scope *who, const char *name, int64_t day, int n)
{
	must(store_begin(st, &err), "begin");
	for (int i = 0; i < n; i++) {
		char text[60];
		struct message m;
		snprintf(text, sizeof(text), "%s%d about canary%s", name, i, name);
		m = message(name, text);
		m.position = (uint64_t)i;
		m.time_us = day == 0 ? TIME_NONE : T0 + day * US_PER_DAY + i;
		put(who, &m);
	}
	must(store_commit(st, &err), "commit");
}

static int
is_fine(void *arg, const struct check_finding *f)
{
	bool *fine = arg;

	if (f->level > 0) {
		tap_note("%s: %s", f->what, f->message);
		*fine = false;
	}
	return 0;
}

static void
test_sessions(void)
{
	const struct scope who = { "talker", NULL, NULL, NULL };
	struct prune_options o = { .max = -1,
		.batch = 10,
		.sessions_before_us = T0 + 5 * US_PER_DAY,
		.metrics_before_us = TIME_NONE };
	struct prune_counts counts;
	bool fine = true;
	struct message again;

	put_session(&who, "a", 1, 30);
	put_session(&who, "b", 9, 30);
	put_session(&who, "c", 2, 3);
	put_session(&who, "d", 0, 3);
	put_session(&who, "e", 3, 40);
	put_session(&bob, "a", 1, 3);
	see_nothing();
	must(prune(st, &who, &o, &fns, &counts, &err), "dry run");
	is_str(seen, "a c e", "a dry run tells which");
	is_str(sessions_of(&who), "a b c d e", "and removes none");
	o.force = true;
	see_nothing();
	must(prune(st, &who, &o, &fns, &counts, &err), "prune");
	is_str(seen, "a c e", "they are told");
	is_str(sessions_of(&who), "b d", "and gone; new ones and those without a time stay");
	is_int(counts.n_sessions, 3, "counted");
	ok(strstr(all_of(&who), "a0") == NULL && strstr(all_of(&who), "b0") != NULL &&
		strstr(all_of(&who), "d2") != NULL,
	    "and their messages");
	is_str(sessions_of(&bob), "a", "another user's of the same name stays");
	must(store_check(st, CHECK_DEEP, is_fine, &fine, &err), "check");
	ok(fine, "the store is in order, the index too");
	put_session(&who, "f", 20, 5);
	again = message("a", "canary comes back");
	must(store_begin(st, &err), "begin");
	put(&who, &again);
	must(store_commit(st, &err), "commit");
	is_str(sessions_of(&who), "b d f a", "numbers are given again");
	must(store_check(st, CHECK_DEEP, is_fine, &fine, &err), "check");
	ok(fine, "and all is in order");
	o.sessions_before_us = T0 + 1000 * US_PER_DAY;
	must(prune(st, &who, &o, &fns, &counts, &err), "prune all");
	is_str(sessions_of(&who), "d a", "all that have a time are gone");
	must(store_check(st, CHECK_DEEP, is_fine, &fine, &err), "check");
	ok(fine, "and all is in order again");
}

int
main(void)
{
	tmpdir_make();
	test_plan();
	must(store_open(PATH, STORE_CREATE, &st, &err), "create");
	for (int policy = 0; prune_policies[policy] != NULL; policy++)
		test_facts((enum prune_policy)policy);
	test_vectors();
	test_meanwhile();
	test_sessions();
	store_close(st);
	arena_release(&arena);
	tmpdir_remove((const char *const[]){ PATH, PATH "-wal", PATH "-shm", PATH ".lock", NULL });
	return tap_done();
}
