/*
 * records_test.c: facts, summaries and reflections in a store; then 2,000 random steps (remember,
 * merge, supersede, edit, undo), after each of which the store says what a model in plain arrays
 * says, now and as of every step before.
 */
#include "storing.h"

#include "store/records.h"
#include "store/vectors.h"

#define T0 (1700000000 * US_PER_S)

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
step_begin(struct step *step, enum step_did did)
{
	*step = (struct step){ .did = did, .why = "" };
	must(store_begin(st, &err), "begin");
}

static enum put_did
put_fact(const struct scope *who, struct fact *f)
{
	struct step step;
	enum put_did did;

	step_begin(&step, STEP_STORE);
	must(records_put(st, who, &step, f, &did, &err), "records_put");
	must(store_commit(st, &err), "commit");
	return did;
}

static void
change_fact(const struct scope *who, enum step_did how, const struct fact *f)
{
	struct step step;

	step_begin(&step, how);
	must(records_change(st, who, &step, f, &err), "records_change");
	must(store_commit(st, &err), "commit");
}

static int
undo(const struct scope *who, int64_t which, struct step *out)
{
	int rc;

	must(store_begin(st, &err), "begin");
	rc = steps_undo(st, who, which, NULL, NULL, out, &err);
	if (rc == 0)
		must(store_commit(st, &err), "commit");
	else
		store_rollback(st);
	return rc;
}

static int
see_fact(void *arg, const struct fact *f)
{
	(void)arg;
	see(f->head.content, strcspn(f->head.content, " "));
	return n_seen == stop_after;
}

static const char *
all_facts(const struct scope *who, const struct record_filter *f)
{
	see_nothing();
	return records_each(st, who, f, see_fact, NULL, &err) < 0 ? err.msg : seen;
}

static const char *
holding(const struct scope *who, enum record_type type)
{
	struct record_filter f = RECORD_FILTER_ANY(type);

	return all_facts(who, &f);
}

static const struct fact *
get(const struct scope *who, const char *id)
{
	const struct fact *f;

	err_clear(&err);
	return records_find(st, who, id, &arena, &f, &err) < 0 ? NULL : f;
}

/* ---- single calls ---- */

static void
test_fields(void)
{
	static const struct record_source sources[] = { { "01ARZ3NDEKTSV4RRFFQ69G5FAV", 3, 9 },
		{ "elsewhere", 0, 0 } };
	struct fact f = fact("Ann lives in Lisbon"), g, back;
	const struct fact *got;
	char id[ID_TEXT];

	f.head.session = "s1";
	f.head.agent = "bot";
	f.head.project = "p";
	f.head.time_us = T0;
	f.head.source_id = "x-1";
	f.head.tags = "[\"home\"]";
	f.head.extra = "{\"colour\":1}";
	f.head.sources = sources;
	f.head.n_sources = NELEM(sources);
	f.head.guarded = true;
	f.key = "home";
	f.bank = "Personal";
	f.category = ROOT_CONTEXT;
	f.subcategory = "places";
	f.kind = FACT_DECISION;
	f.importance = .25;
	f.confidence = .75;
	f.valid_from_us = T0 - 5;
	f.valid_to_us = INT64_MAX - 1;
	is_int(put_fact(&ann, &f), PUT_STORED, "a fact is stored");
	got = get(&ann, f.head.id);
	if (!ok(got != NULL, "and found by its id"))
		return;
	is_str(got->head.content, "Ann lives in Lisbon", "content");
	is_str(got->head.session, "s1", "session");
	is_str(got->head.agent, "bot", "agent");
	is_str(got->head.project, "p", "project");
	is_int(got->head.time_us, T0, "time");
	is_int(got->head.trust, 3, "trust, by origin");
	is_str(got->head.tags, "[\"home\"]", "tags");
	is_str(got->head.extra, "{\"colour\":1}", "extra");
	is_int(got->head.n_sources, 2, "two sources");
	is_str(got->head.sources[0].id, "01ARZ3NDEKTSV4RRFFQ69G5FAV", "one of ours");
	is_int(got->head.sources[0].start, 3, "with its start");
	is_int(got->head.sources[0].length, 9, "and length");
	is_str(got->head.sources[1].id, "elsewhere", "one of elsewhere");
	ok(got->head.guarded, "protected");
	is_str(got->key, "home", "key");
	is_str(got->bank, "Personal", "bank");
	is_int(got->category, ROOT_CONTEXT, "category");
	is_str(got->subcategory, "places", "subcategory");
	is_int(got->kind, FACT_DECISION, "kind");
	ok(got->importance == .25 && got->confidence == .75, "importance and confidence");
	is_int(got->valid_from_us, T0 - 5, "valid from");
	is_int(got->valid_to_us, INT64_MAX - 1, "valid to");
	back = *got;
	memcpy(id, got->head.id, sizeof(id));

	g = fact("something else");
	g.head.source_id = "x-1";
	is_int(put_fact(&ann, &g), PUT_DUPLICATE, "its source id again is a duplicate");
	is_str(g.head.id, f.head.id, "of that record");
	ok(get(&ann, "source:x-1") != NULL, "found by its source id");
	ok(get(&bob, "source:x-1") == NULL && get(&bob, id) == NULL, "not by another user");
	ok(get(&ann, "0123") == NULL, "four characters are no prefix");
	id[12] = '\0';
	ok(get(&ann, id) != NULL, "twelve are one");
	back.bank = "Work";
	change_fact(&ann, STEP_EDIT, &back);
	is_str(get(&ann, f.head.id)->bank, "Work", "a change");
	is_int(get(&ann, f.head.id)->head.n_sources, 2, "leaves the rest");
}

static void
test_refused(void)
{
	char *longest = xcalloc(1, 70000);
	struct fact f = fact("");
	struct step step;
	enum put_did did;

	memset(longest, 'k', 69999);
	step_begin(&step, STEP_STORE);
	is_int(records_put(st, &ann, &step, &f, &did, &err), -1,
	    "a fact without content is refused");
	f = fact("x");
	f.key = longest;
	is_int(records_put(st, &ann, &step, &f, &did, &err), -1,
	    "a key of 70,000 bytes is refused");
	f = fact("x");
	f.head.row = 77;
	is_int(records_change(st, &ann, &step, &f, &err), -1,
	    "a change of what is not there is refused");
	store_rollback(st);
	is_int(step.row, 0, "and no step is made");
	free(longest);
}

static void
test_types(void)
{
	static const struct scope eve = { "eve", NULL, NULL, NULL },
				  eve_s = { "eve", NULL, NULL, "s9" };
	struct fact r = fact("reflected thing"), s = fact("summed things"),
		    f = fact("factual thing");
	const struct fact *got;

	r.head.type = RECORD_REFLECTION;
	s.head.type = RECORD_SUMMARY;
	s.head.session = "s9";
	s.summary = (struct summary_keys){ SUMMARY_CONSOLIDATION, 4, 11, "m1", "{\"facts\":[]}" };
	put_fact(&eve, &r);
	put_fact(&eve, &s);
	put_fact(&eve, &f);
	is_str(holding(&eve, RECORD_FACT), "factual", "facts");
	is_str(holding(&eve, RECORD_SUMMARY), "summed", "summaries");
	is_str(holding(&eve, RECORD_REFLECTION), "reflected", "reflections");
	is_str(holding(&eve_s, RECORD_SUMMARY), "summed", "summaries of a session");
	got = get(&eve, s.head.id);
	is_int(got->summary.kind, SUMMARY_CONSOLIDATION, "kind of a summary");
	is_int(got->summary.first, 4, "first turn");
	is_int(got->summary.last, 11, "last turn");
	is_str(got->summary.model, "m1", "model");
	is_str(got->summary.structured, "{\"facts\":[]}", "structured part");
}

static void
test_filter(void)
{
	static const struct scope joe = { "joe", NULL, NULL, NULL };
	struct record_filter any = RECORD_FILTER_ANY(RECORD_FACT), f;
	struct fact a = fact("a"), b = fact("b"), c = fact("c"), d = fact("d");

	a.bank = "Work";
	a.key = "k";
	a.valid_to_us = T0 + 10;
	b.category = ROOT_RULES;
	b.valid_from_us = T0 + 10;
	b.head.time_us = T0;
	c.head.retracted_us = T0;
	c.kind = FACT_TODO;
	d.summarized = a.head.id;
	clock_fix(T0 + 20);
	put_fact(&joe, &a);
	put_fact(&joe, &b);
	put_fact(&joe, &c);
	d.summarized = a.head.id;
	put_fact(&joe, &d);
	is_str(all_facts(&joe, &any), "b", "what holds: not ended, not retracted, not summed up");
	f = any;
	f.also = RECORDS_ALL;
	is_str(all_facts(&joe, &f), "a b c d", "all");
	f.newest_first = true;
	f.limit = 3;
	is_str(all_facts(&joe, &f), "d c b", "newest first, three");
	f = any;
	f.also = RECORDS_ENDED;
	is_str(all_facts(&joe, &f), "a b", "ended ones too");
	f = any;
	f.as_of_us = T0 + 9;
	is_str(all_facts(&joe, &f), "a",
	    "as of a time before the end of one and the beginning of the other");
	f.as_of_us = T0 + 10;
	is_str(all_facts(&joe, &f), "b", "a validity ends before its end, begins at its beginning");
	f = any;
	f.also = RECORDS_ALL;
	f.bank = "Work";
	is_str(all_facts(&joe, &f), "a", "by bank");
	f.bank = NULL;
	f.key = "k";
	is_str(all_facts(&joe, &f), "a", "by key");
	f.key = NULL;
	f.category = ROOT_RULES;
	is_str(all_facts(&joe, &f), "b", "by category");
	f.category = -1;
	f.kind = FACT_TODO;
	is_str(all_facts(&joe, &f), "c", "by kind");
	f.kind = -1;
	f.since_us = T0;
	f.until_us = T0 + 1;
	is_str(all_facts(&joe, &f), "b", "by time");
}

static void
test_match(void)
{
	static const struct scope kim = { "kim", NULL, NULL, NULL },
				  lou = { "lou", NULL, NULL, NULL };
	static const char *const said[] = { "The deploy of tern runs on Fridays",
		"Kim drinks green tea", "tern tern tern", "Kim moved to Lisbon in May",
		"她喜欢绿茶" };
	struct record_filter any = RECORD_FILTER_ANY(RECORD_FACT);
	struct record_match m[8];
	int64_t rows[NELEM(said)], first[NELEM(said)];
	size_t n;

	for (size_t i = 0; i < NELEM(said); i++) {
		struct fact f = fact(said[i]);
		put_fact(&kim, &f);
		first[i] = rows[i] = f.head.row;
	}
#define ASK(q) \
	must(records_match(st, &kim, &any, q, strlen(q), NELEM(m), m, &n, &err), "records_match")
	ASK("which tea does Kim drink");
	is_int(n, 2, "two facts have a word of the question");
	is_int(m[0].row, rows[1], "three words are better than one");
	is_int(m[1].row, rows[3], "one is found too");
	/*
	 * by hand: N 5, df 1, words 7, 4, 3, 6 and 5, mean 5: ln(1 + 4.5 / 1.5) / (1 + 1.2 (.25 +
	 * .75 6 / 5))
	 */
	ASK("Lisbon");
	is_int(n, 1, "one has it");
	ok(m[0].score > .5824 && m[0].score < .5826, "its score: %f", m[0].score);
	ASK("绿茶");
	is_int(m[0].row, rows[4], "Chinese");
	ASK("the of on");
	is_int(m[0].row, rows[0], "stop words alone count");
	for (size_t i = 0; i < 2; i++) {
		struct fact f = fact(i == 0 ? "zebras have stripes" : "zebras eat grass");
		put_fact(&kim, &f);
		rows[i] = f.head.row;
	}
	ASK("zebras");
	ok(n == 2 && m[0].score == m[1].score && m[0].row == rows[1] && m[1].row == rows[0],
	    "of equals the newer comes first");
	ASK("");
	is_int(n, 0, "no words");
	{
		static const char *const asked[] = { "which tea does Kim drink", "the of on", "",
			"tern", "Kim Kim zebras", "绿茶" };
		struct word_pool *pool = word_pool_new();
		struct record_match p[8];
		size_t n_p;

		for (size_t i = 0; i < NELEM(said); i++)
			word_pool_add(pool, first[i], said[i], strlen(said[i]));
		word_pool_add(pool, rows[0], "zebras have stripes", 19);
		word_pool_add(pool, rows[1], "zebras eat grass", 16);
		for (size_t q = 0; q < NELEM(asked); q++) {
			bool same;

			ASK(asked[q]);
			word_pool_match(pool, asked[q], strlen(asked[q]), NELEM(p), p, &n_p);
			same = n_p == n;
			for (size_t i = 0; i < n && same; i++)
				same = p[i].row == m[i].row && p[i].score >= m[i].score &&
				    p[i].score <= m[i].score && p[i].share >= m[i].share &&
				    p[i].share <= m[i].share;
			ok(same, "texts that were read once are matched as records: '%s'",
			    asked[q]);
		}
		word_pool_free(pool);
	}
	for (int i = 0; i < 600; i++) {
		struct fact f = fact(i < 599 ? "gulls fly" : "ospreys dive");
		put_fact(&lou, &f);
		rows[0] = f.head.row;
	}
	must(records_match(st, &lou, &any, "ospreys", 7, NELEM(m), m, &n, &err), "records_match");
	ok(n == 1 && m[0].row == rows[0], "the last of many");
	must(records_match(st, &bob, &any, "tea", 3, NELEM(m), m, &n, &err), "records_match");
	is_int(n, 0, "not those of others");
}

static void
test_removed(void)
{
	static const struct scope lea = { "lea", NULL, NULL, NULL };
	struct fact a = fact("a"), b = fact("b");
	struct step step, last;

	put_fact(&lea, &a);
	put_fact(&lea, &b);
	a.valid_to_us = T0;
	a.superseded_by = b.head.id;
	change_fact(&lea, STEP_SUPERSEDE, &a);
	records_touch_soon(st, &lea, &a.head.row, 1);
	records_touch_soon(st, &lea, &a.head.row, 1);
	records_touch_soon(st, &bob, &a.head.row, 1);
	is_int(get(&lea, a.head.id)->head.n_accesses, 2, "looked at twice");
	is_str(get(&lea, b.head.id)->supersedes[0], a.head.id, "the newer names the older");
	must(store_begin(st, &err), "begin");
	must(records_remove(st, &bob, &b.head.row, 1, &err), "remove");
	ok(get(&lea, b.head.id) != NULL, "another user removes nothing");
	must(records_remove(st, &lea, &b.head.row, 1, &err), "remove");
	must(store_commit(st, &err), "commit");
	ok(get(&lea, b.head.id) == NULL, "removed");
	is_str(get(&lea, a.head.id)->superseded_by, "", "nothing points at it");
	step_begin(&step, STEP_STORE);
	store_rollback(st);
	is_int(undo(&lea, 0, &last), 0, "its step is gone, the one before is taken back");
	is_int(get(&lea, a.head.id)->valid_to_us, TIME_NONE, "as it was");
}

struct texts { char text[2000]; };

static int
on_missing(void *arg, const struct vector_missing *m)
{
	struct texts *t = arg;

	snprintf(t->text + strlen(t->text), sizeof(t->text) - strlen(t->text), "%d:%.*s ",
	    m->key.kind, (int)m->len, m->text);
	return 0;
}

static void
put_vector(const struct scope *who, int64_t set, const struct vector_key *key, const float v[4])
{
	size_t n_put;

	must(store_begin(st, &err), "begin");
	must(vectors_put(st, who, set, key, v, 1, &n_put, &err), "put");
	must(store_commit(st, &err), "commit");
	is_int(n_put, 1, "a vector is put");
}

static void
test_vectors(void)
{
	static const struct scope pat = { "pat", NULL, NULL, NULL };
	static const float v[3][4] = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } };
	struct vector_model model = { .name = "m", .sha256 = { 7 }, .n_dims = 4 };
	struct fact f = fact("one"), s = fact("two"), r = fact("three");
	struct vector_key keys[3];
	struct texts t = { "" };
	struct step last;
	int64_t set;
	size_t n_put;

	s.head.type = RECORD_SUMMARY;
	s.summary.first = s.summary.last = TIME_NONE;
	r.head.type = RECORD_REFLECTION;
	put_fact(&pat, &f);
	put_fact(&pat, &s);
	put_fact(&pat, &r);
	must(store_begin(st, &err), "begin");
	must(vectors_set(st, &model, &set, &err), "set");
	must(store_commit(st, &err), "commit");
	must(vectors_missing(st, &pat, set, 10, on_missing, &t, &err), "missing");
	is_str(t.text, "1:one 2:two 3:three ", "all three types want a vector");
	for (int i = 0; i < 3; i++)
		keys[i] = (struct vector_key){ (i == 0		? &f
						       : i == 1 ? &s
								: &r)
						   ->head.row,
			0, (uint8_t)(i + 1) };
	must(store_begin(st, &err), "begin");
	must(vectors_put(st, &pat, set, keys, v[0], 3, &n_put, &err), "put");
	must(store_commit(st, &err), "commit");
	is_int(n_put, 3, "and have one");
	t.text[0] = '\0';
	must(vectors_missing(st, &pat, set, 10, on_missing, &t, &err), "missing");
	is_str(t.text, "", "nothing is missing");
	f.head.content = "four";
	f.head.content_len = 4;
	change_fact(&pat, STEP_EDIT, &f);
	must(vectors_missing(st, &pat, set, 10, on_missing, &t, &err), "missing");
	is_str(t.text, "1:four ", "a changed one is asked for again");
	put_vector(&pat, set, &keys[0], v[0]);
	undo(&pat, 0, &last);
	t.text[0] = '\0';
	must(vectors_missing(st, &pat, set, 10, on_missing, &t, &err), "missing");
	is_str(t.text, "1:one ", "and when the change is taken back as well");
	put_vector(&pat, set, &keys[0], v[0]);
	f.head.content = "one";
	f.head.content_len = 3;
	f.bank = "Work";
	change_fact(&pat, STEP_EDIT, &f);
	undo(&pat, 0, &last);
	t.text[0] = '\0';
	must(vectors_missing(st, &pat, set, 10, on_missing, &t, &err), "missing");
	is_str(t.text, "", "not where the words stay");
}

/* ---- the random script ---- */

#define N_STEPS 2000

struct model_fact {
	int64_t row;
	char id[ID_TEXT], superseded_by[ID_TEXT], content[24], key[8];
	int bank;
	int64_t valid_to;
	bool guarded, retracted, there;
	int n_sources;
};

static const char *const banks[] = { "General", "Work", "Health" };

struct model_change { int at; struct model_fact was; };
struct model_step {
	int64_t no;
	enum step_did did;
	bool undone;
	struct model_change changes[3];
	int n_changes;
};

static struct model_fact facts[N_STEPS];       /* as they are now, by order of storing */
static int n_facts;
static struct model_step steps[N_STEPS + 1];
static int n_steps;
static uint64_t digests[N_STEPS + 1];          /* of all facts after step i */
static uint64_t rng = 88172645463325252u;

static unsigned
any(unsigned n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (unsigned)(rng >> 33) % n;
}

static uint64_t
digest_of(const struct model_fact *m, uint64_t seed)
{
	char text[200];
	int n = snprintf(text, sizeof(text), "%s|%s|%s|%s|%d|%lld|%d%d|%d", m->id, m->superseded_by,
	    m->content, m->key, m->bank, (long long)m->valid_to, m->guarded, m->retracted,
	    m->n_sources);

	return hash64(text, (size_t)n, seed);
}

static uint64_t
digest_model(void)
{
	uint64_t h = 1;

	for (int i = 0; i < n_facts; i++)
		if (facts[i].there)
			h = digest_of(&facts[i], h);
	return h;
}

static int
digest_fact(void *arg, const struct fact *f)
{
	struct model_fact m = { .valid_to = f->valid_to_us,
		.guarded = f->head.guarded,
		.retracted = f->head.retracted_us != TIME_NONE,
		.n_sources = (int)f->head.n_sources };
	uint64_t *h = arg;

	memcpy(m.id, f->head.id, ID_TEXT);
	snprintf(m.superseded_by, sizeof(m.superseded_by), "%s", f->superseded_by);
	snprintf(m.content, sizeof(m.content), "%s", f->head.content);
	snprintf(m.key, sizeof(m.key), "%s", f->key);
	while (m.bank < (int)NELEM(banks) - 1 && strcmp(banks[m.bank], f->bank) != 0)
		m.bank++;
	*h = digest_of(&m, *h);
	return 0;
}

static uint64_t
digest_store(int64_t known_us)
{
	struct record_filter f = RECORD_FILTER_ANY(RECORD_FACT);
	uint64_t h = 1;

	f.also = RECORDS_ALL;
	f.known_us = known_us;
	must(records_each(st, &walker, &f, digest_fact, &h, &err), "records_each");
	return h;
}

/* The record as the store is to have it; sources are as many as the model counts. */
static struct fact
told(const struct model_fact *m)
{
	static struct record_source sources[RECORD_SOURCES_MAX];
	struct fact f = fact(m->content);

	for (int i = 0; i < m->n_sources; i++)
		sources[i] = (struct record_source){ "said-in-s1", i, 5 };
	f.head.row = m->row;
	memcpy(f.head.id, m->id, ID_TEXT);
	f.head.sources = sources;
	f.head.n_sources = (size_t)m->n_sources;
	f.head.guarded = m->guarded;
	f.head.retracted_us = m->retracted ? T0 : TIME_NONE;
	f.key = m->key;
	f.bank = banks[m->bank];
	f.valid_to_us = m->valid_to;
	f.superseded_by = m->superseded_by;
	return f;
}

static struct model_step *
next_step(enum step_did did)
{
	struct model_step *v = &steps[n_steps++];

	*v = (struct model_step){ .did = did };
	return v;
}

static void
keeps(struct model_step *v, int at)
{
	v->changes[v->n_changes++] = (struct model_change){ at, facts[at] };
}

static void
do_change(struct step *step, int at)
{
	struct fact f = told(&facts[at]);

	must(records_change(st, &walker, step, &f, &err), "records_change");
}

static int
do_store(struct step *step)
{
	struct model_fact *m = &facts[n_facts];
	struct fact f;
	enum put_did did;

	*m = (struct model_fact){ .valid_to = TIME_NONE,
		.bank = (int)any(3),
		.n_sources = (int)any(3) };
	snprintf(m->content, sizeof(m->content), "fact %d %u", n_facts, any(1000));
	snprintf(m->key, sizeof(m->key), "k%u", any(50));
	f = told(m);
	f.head.id[0] = '\0';
	must(records_put(st, &walker, step, &f, &did, &err), "records_put");
	m->row = f.head.row;
	memcpy(m->id, f.head.id, ID_TEXT);
	m->there = true;
	return n_facts++;
}

static int
pick(void)
{
	for (int i = 0; i < 100; i++) {
		int at = (int)any((unsigned)n_facts);
		if (facts[at].there)
			return at;
	}
	return -1;
}

static void
edit_any(int at)
{
	struct model_fact *m = &facts[at];

	switch (any(5)) {
	case 0: m->bank = (m->bank + 1) % 3; break;
	case 1: m->guarded = !m->guarded; break;
	case 2: m->retracted = !m->retracted; break;
	case 3: snprintf(m->content, sizeof(m->content), "edited %u", any(100000)); break;
	default: m->valid_to = m->valid_to == TIME_NONE ? T0 + any(100) : TIME_NONE;
	}
}

/* One step other than an undo, in the store and in the model. */
static void
random_change(void)
{
	enum step_did did = n_facts < 3 ? STEP_STORE : (enum step_did)any(4);
	int at = did == STEP_STORE ? 0 : pick(), made;
	struct model_step *v;
	struct step step;

	if (at < 0)
		did = STEP_STORE;
	step_begin(&step, did);
	v = next_step(did);
	if (did == STEP_STORE || did == STEP_SUPERSEDE) {
		made = do_store(&step);
		v->changes[v->n_changes++] = (struct model_change){ made, { .there = false } };
		if (did == STEP_SUPERSEDE) {
			keeps(v, at);
			facts[at].valid_to = T0 + n_steps;
			memcpy(facts[at].superseded_by, facts[made].id, ID_TEXT);
			do_change(&step, at);
		}
	} else {
		keeps(v, at);
		if (did == STEP_MERGE)
			facts[at].n_sources++;
		else
			edit_any(at);
		do_change(&step, at);
	}
	must(store_commit(st, &err), "commit");
	v->no = step.no;
}

static bool
stands_alone(int which)
{
	for (int i = which + 1; i < n_steps; i++)
		for (int a = 0;
		     steps[i].did != STEP_UNDO && !steps[i].undone && a < steps[i].n_changes; a++)
			for (int b = 0; b < steps[which].n_changes; b++)
				if (steps[i].changes[a].at == steps[which].changes[b].at)
					return false;
	return true;
}

/* 0: done; 1: refused, as it should be; -1: the store and the model differ about it. */
static int
random_undo(void)
{
	int which = n_steps - 1;
	bool last = any(2) == 0, may;
	struct step out;

	if (last)
		while (which >= 0 && (steps[which].did == STEP_UNDO || steps[which].undone))
			which--;
	else
		which = (int)any((unsigned)n_steps);
	if (which < 0)
		return 1;
	may = steps[which].did != STEP_UNDO && !steps[which].undone && stands_alone(which);
	if ((undo(&walker, last ? 0 : steps[which].no, &out) == 0) != may)
		return -1;
	if (!may)
		return 1;
	for (int i = 0; i < steps[which].n_changes; i++) {
		struct model_fact *m = &facts[steps[which].changes[i].at];
		if (steps[which].changes[i].was.there)
			*m = steps[which].changes[i].was;
		else
			m->there = false;
	}
	steps[which].undone = true;
	next_step(STEP_UNDO);
	steps[n_steps - 1].no = n_steps;
	return out.no == steps[which].no ? 0 : -1;
}

static void
test_random(void)
{
	int n_undone = 0, n_refused = 0, bad = 0, bad_known = 0;

	while (n_steps < N_STEPS && bad == 0) {
		clock_fix(T0 + n_steps * US_PER_S);
		if (n_steps > 5 && any(4) == 0) {
			int rc = random_undo();
			bad += rc < 0;
			n_undone += rc == 0;
			n_refused += rc == 1;
			if (rc != 0)
				continue;
		} else {
			random_change();
		}
		digests[n_steps] = digest_model();
		bad += digest_store(TIME_NONE) != digests[n_steps];
	}
	is_int(bad, 0,
	    "after each of %d steps (%d undone, %d undos refused) the store is what the model says",
	    n_steps, n_undone, n_refused);
	for (int i = 1; i <= n_steps && bad == 0; i += 17)
		bad_known += digest_store(T0 + (i - 1) * US_PER_S + 1) != digests[i];
	is_int(bad_known, 0, "and what was known after every seventeenth is what it was then");
	ok(n_undone > 100 && n_refused > 20, "enough of both kinds");
	reopen(STORE_WRITE);
	ok(digest_store(TIME_NONE) == digests[n_steps], "in another process too");
}

static int
see_finding(void *arg, const struct check_finding *f)
{
	(void)arg;
	if (f->level > 0)
		tap_note("%s: %s", f->what, f->message);
	n_seen += f->level > 0;
	return 0;
}

int
main(void)
{
	tmpdir_make();
	clock_fix(T0);
	must(store_open(PATH, STORE_CREATE, &st, &err), "create");
	test_fields();
	test_refused();
	test_types();
	test_filter();
	test_match();
	test_removed();
	test_vectors();
	test_random();
	see_nothing();
	must(store_check(st, CHECK_DEEP, see_finding, NULL, &err), "check");
	is_int(n_seen, 0, "mem-check finds nothing");
	arena_release(&arena);
	store_close(st);
	tmpdir_remove((const char *const[]){ PATH, PATH "-wal", PATH "-shm", PATH ".lock", NULL });
	return tap_done();
}
