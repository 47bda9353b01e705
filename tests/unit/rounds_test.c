/*
 * Declared reads: what a question reads of the store is declared before it is read, so that a
 * database far away would answer it in a few rounds; and what is found is the same whether it
 * gathers or not.
 */
#include "storing.h"
#include "far.h"

#include "base/clock.h"
#include "base/conf.h"
#include "search/facts_search.h"
#include "search/search.h"
#include "store/sql/handle.h"

#define N_MESSAGES 3000
#define BATCH      500                         /* a segment of the full text each */
#define N_ALIKE    60
#define N_FACTS    150
#define ROUNDS     10
#define FACT_ROUNDS 24                         /* of a search of turns too, and by many keys */

static const char *const subjects[] = { "printer", "kitchen", "train", "garden", "server", "piano",
	"budget", "weather" };
static const char *const verbs[] = { "repaired", "painted", "missed", "watered", "restarted",
	"tuned", "planned", "watched" };
static const char *const names[] = { "Alice", "Robert", "Carmen" };

static void
fill(void)
{
	char text[200], session[20], source[20];

	for (int i = 0; i < N_MESSAGES; i++) {
		struct message m;
		if (i % BATCH == 0)
			must(store_begin(st, &err), "begin");
		snprintf(session, sizeof(session), "talk-%d", i / 100);
		snprintf(source, sizeof(source), "m%d", i);
		snprintf(text, sizeof(text),
		    "the %s number %d was %s because of the %s, said somebody", subjects[i % 8], i,
		    verbs[i / 8 % 8],
			 subjects[i / 64 % 8]);
		/* two of three ask in other words what another turn has asked */
		if (i >= N_MESSAGES - N_ALIKE)
			snprintf(text, sizeof(text), "who has watered the old lemon tree%s",
			    i % 3 == 0 ? " of late?" : "?");
		m = message(session, text);
		m.name = names[i % 3];
		m.source_id = source;
		m.time_us = 1700000000000000 + i * US_PER_S;
		put(&ann, &m);
		if (i % BATCH == BATCH - 1)
			must(store_commit(st, &err), "commit");
	}
}

struct turns { char ids[N_MESSAGES][ID_TEXT]; size_t n; };

static int
on_turn(void *arg, const struct message *m)
{
	struct turns *t = arg;

	if (t->n < N_MESSAGES)
		memcpy(t->ids[t->n++], m->id, ID_TEXT);
	return 0;
}

/* The hits as text, and what was read for them; a handle that remembers nothing. */
static void
ask(const char *text, bool gather, struct far_reads *reads, char *hits, size_t size)
{
	struct search_query q = { .text = text, .len = strlen(text), .strategy = "lexical",
	    .limit = 10, .filter = MESSAGE_FILTER_ANY,
		.now_us = 1800000000000000 };
	struct search_result r;
	struct search *search;
	size_t at = 0;

	reopen(STORE_READ);
	far_count(st, gather, reads);
	must(search_open(st, &search, &err), "search");
	must(search_run(search, &ann, &q, &r, &err), text);
	*hits = '\0';
	for (size_t i = 0; i < r.n; i++)
		at += (size_t)snprintf(hits + at, size - at, "%lld %.9g %s %s;",
		    (long long)r.hits[i].row, (double)r.hits[i].score,
				       r.hits[i].message->session, r.hits[i].message->name);
	search_close(search);
}

static void
test_questions(void)
{
	static const struct { const char *what, *text; } questions[] = {
		{ "words", "which server was restarted" },
		{ "a speaker", "what did Carmen say of the garden" },
		{ "a misspelt word", "which pianno was tuned" },
		{ "a speaker alone", "Robert" },
		{ "no word of the store", "zeppelin" },
		{ "asked before", "has he watered the old lemon tree?" },
	};
	char hits[2][4096];
	struct far_reads there, here;

	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		ask(questions[i].text, true, &there, hits[0], sizeof(hits[0]));
		ask(questions[i].text, false, &here, hits[1], sizeof(hits[1]));
		is_str(hits[0], hits[1], "%s: the same is found when reads are declared",
		    questions[i].what);
		ok(there.n_rounds > 0 && there.n_rounds <= ROUNDS, "%s: at most %d rounds",
		    questions[i].what, ROUNDS);
		tap_note("%s: %lld statements, %lld rounds, %lld declared and not read",
		    questions[i].what, (long long)here.n_statements,
			 (long long)there.n_rounds, (long long)there.n_unused);
	}
}

/* Facts that rest on every tenth turn. */
static void
fill_facts(void)
{
	struct step step = { .did = STEP_STORE, .why = "" };
	struct message_filter all = MESSAGE_FILTER_ANY;
	struct turns turns = { .n = 0 };
	enum put_did did;

	must(messages_each(st, &ann, &all, on_turn, &turns, &err), "messages");
	must(store_begin(st, &err), "begin");
	for (size_t i = 0; i < N_FACTS; i++) {
		struct record_source source = { turns.ids[i * 10], 0, 4 };
		char content[100];
		struct fact f = { .head = { .type = RECORD_FACT, .source_id = "", .agent = "",
			.project = "", .session = "", .time_us = TIME_NONE,
			.stored_us = 1700000000000000, .origin = ORIGIN_USER, .trust = 3,
			.content = content, .tags = "", .extra = "", .retracted_us = TIME_NONE,
			.sources = &source, .n_sources = 1 },
			.key = i % 5 == 0 ? "home" : "", .bank = "General", .subcategory = "",
			.importance = .5, .confidence = 1, .valid_from_us = TIME_NONE,
			.valid_to_us = TIME_NONE, .superseded_by = "", .summarized = "" };

		snprintf(content, sizeof(content), "fact %zu tells of the %s in the %s", i,
		    subjects[i % 8], subjects[(i + 3) % 8]);
		f.head.content_len = strlen(content);
		must(records_put(st, &ann, &step, &f, &did, &err), "put");
	}
	must(store_commit(st, &err), "commit");
}

/* The facts that are found, as text. */
static void
ask_facts(bool gather, struct far_reads *reads, char *hits, size_t size)
{
	static const char text[] = "where do I live, and who has repaired the server of my home?";
	struct tier_query q = { .text = text, .len = strlen(text), .limit = 20,
		.filter = RECORD_FILTER_ANY(RECORD_FACT) };
	struct facts_search *t;
	struct tier_hit *found;
	size_t n, at = 0;

	reopen(STORE_READ);
	far_count(st, gather, reads);
	t = facts_search_new(st);
	must(db_snapshot(st->db, &err), "snapshot");
	must(facts_search_run(t, &ann, TIER_INSIGHTS, &q, &arena, &found, &n, &err), text);
	db_snapshot_end(st->db);
	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(hits + at, size - at, "%s %.9g %zu;",
		    found[i].record->head.content, found[i].score,
		    found[i].record->head.n_sources);
	facts_search_free(t);
}

static void
test_facts(void)
{
	char hits[2][4096];
	struct far_reads there, here;

	ask_facts(true, &there, hits[0], sizeof(hits[0]));
	ask_facts(false, &here, hits[1], sizeof(hits[1]));
	ok(*hits[0] != '\0', "facts are found");
	is_str(hits[0], hits[1], "and the same when reads are declared");
	ok(there.n_rounds <= FACT_ROUNDS, "facts: at most %d rounds", FACT_ROUNDS);
	tap_note("facts: %lld statements, %lld rounds, %lld declared and not read",
	    (long long)here.n_statements, (long long)there.n_rounds, (long long)there.n_unused);
}

static int
on_around(void *arg, const struct message *m)
{
	*(int64_t *)arg = *(int64_t *)arg % INT32_MAX * 31 + m->row;
	return 0;
}

/* Neighbours, and all messages in pages. */
static void
test_walks(void)
{
	struct message_filter all = MESSAGE_FILTER_ANY;
	int64_t row = user_lo(1) + (1ll << TURN_BITS) + 50, sums[2] = { 0, 0 };
	struct turns turns = { .n = 0 };
	struct far_reads reads;

	for (int gather = 0; gather < 2; gather++) {
		reopen(STORE_READ);
		far_count(st, gather, &reads);
		must(db_snapshot(st->db, &err), "snapshot");
		must(messages_around(st, &ann, row, 20, 40, on_around, &sums[gather], &err),
		    "around");
		db_snapshot_end(st->db);
	}
	ok(sums[0] != 0 && sums[0] == sums[1], "the same neighbours when reads are declared");
	ok(reads.n_rounds <= ROUNDS, "60 neighbours: at most %d rounds", ROUNDS);
	tap_note("neighbours: %lld rounds", (long long)reads.n_rounds);
	reopen(STORE_READ);
	far_count(st, true, &reads);
	must(db_snapshot(st->db, &err), "snapshot");
	must(messages_each(st, &ann, &all, on_turn, &turns, &err), "messages");
	db_snapshot_end(st->db);
	ok(reads.n_rounds <= 2 * N_MESSAGES / 100, "a walk: two rounds for each page");
	tap_note("%zu messages: %lld rounds", turns.n, (long long)reads.n_rounds);
}

static int
on_held(void *arg, const struct message *m)
{
	(void)m;
	*(bool *)arg |= db_has_snapshot(st->db);
	return 0;
}

static int
on_held_fact(void *arg, const struct fact *f)
{
	(void)f;
	*(bool *)arg |= db_has_snapshot(st->db);
	return 0;
}

/* Whoever is called may have to wait, for a pager or a pipe: no snapshot is open meanwhile. */
static void
test_callbacks(void)
{
	struct message_filter all = MESSAGE_FILTER_ANY;
	struct record_filter facts = RECORD_FILTER_ANY(RECORD_FACT);
	int64_t row = user_lo(1) + (1ll << TURN_BITS) + 50;
	bool held = false, own;

	reopen(STORE_READ);
	must(messages_each(st, &ann, &all, on_held, &held, &err), "messages");
	ok(!held, "no snapshot is open while messages are told");
	must(messages_around(st, &ann, row, 20, 40, on_held, &held, &err), "around");
	ok(!held, "nor neighbours");
	must(records_each(st, &ann, &facts, on_held_fact, &held, &err), "facts");
	ok(!held, "nor facts");
	must(store_gather(st, &own, &err), "gather");
	ok(own && db_has_snapshot(st->db), "one is open between store_gather and its end");
	store_gather_end(st, own);
}

/* The end of a snapshot resets all statements: none begins while one stands on a row. */
static void
test_row_by_row(void)
{
	struct db_stmt *q = stmt_start(st, STMT_SEGMENTS, ARGS(1), &err);
	int64_t sum = 0;
	int n = 0;

	while (n < 2 * N_MESSAGES / BATCH && db_row(q, &err) > 0) {
		must(messages_around(st, &ann, user_lo(1) + (1ll << TURN_BITS), 0, 2, on_around,
		    &sum, &err), "around");
		n++;
	}
	db_reset(q);
	is_int(n, N_MESSAGES / BATCH, "rows between which a page is read come once each");
}

static void
test_places(void)
{
	const struct message *m[3];
	int64_t user = user_number(st, "ann", false, &err);

	must(messages_by_rows(st, &ann, (const int64_t[]){ user_lo(user) + (1 << TURN_BITS),
	    user_lo(user), user_lo(user) + (1 << TURN_BITS) + 1 }, 3, &arena,
			      m, &err), "rows");
	ok(m[0] != NULL && m[1] == NULL && m[2] != NULL,
	    "messages are in the places of their rows");
}

int
main(void)
{
	static const char *const files[] = { PATH, PATH "-wal", PATH "-shm", PATH ".lock", NULL };

	tmpdir_make();
	must(conf_load(&err), "settings");
	must(store_open(PATH, STORE_CREATE, &st, &err), "create");
	fill();
	test_questions();
	reopen(STORE_CREATE);
	fill_facts();
	test_facts();
	test_walks();
	test_callbacks();
	test_row_by_row();
	test_places();
	store_close(st);
	arena_release(&arena);
	tmpdir_remove(files);
	return tap_done();
}
