/*
 * Declared reads: what a question reads of the store is declared before it is read, so that a
 * database far away would answer it in a few rounds; and what is found is the same whether it
 * gathers or not.
 */
#include "storing.h"

#include "base/clock.h"
#include "base/conf.h"
#include "search/search.h"
#include "store/sql/store_parts.h"

#define N_MESSAGES 3000
#define BATCH      500                         /* a segment of the full text each */
#define N_ALIKE    60
#define ROUNDS     10

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

/* The hits as text, and what was read for them; a handle that remembers nothing. */
static void
ask(const char *text, bool gather, struct db_reads *reads, char *hits, size_t size)
{
	struct search_query q = { .text = text, .len = strlen(text), .strategy = "lexical",
	    .limit = 10, .filter = MESSAGE_FILTER_ANY,
		.now_us = 1800000000000000 };
	struct search_result r;
	struct search *search;
	size_t at = 0;

	reopen(STORE_READ);
	db_count_reads(st->db, gather, reads);
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
	struct db_reads far, near;

	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		ask(questions[i].text, true, &far, hits[0], sizeof(hits[0]));
		ask(questions[i].text, false, &near, hits[1], sizeof(hits[1]));
		is_str(hits[0], hits[1], "%s: the same is found when reads are declared",
		    questions[i].what);
		ok(far.n_rounds > 0 && far.n_rounds <= ROUNDS, "%s: at most %d rounds",
		    questions[i].what, ROUNDS);
		ok(near.n_rounds == near.n_statements,
		    "%s: a store at hand is told nothing beforehand", questions[i].what);
		tap_note("%s: %lld statements, %lld rounds, %lld declared and not read",
		    questions[i].what, (long long)near.n_statements,
			 (long long)far.n_rounds, (long long)far.n_unused);
	}
}

/* The rule that rounds are counted by. */
static void
test_counting(void)
{
	const struct message *m[3];
	struct db_reads reads;
	int64_t user;

	reopen(STORE_READ);
	db_count_reads(st->db, true, &reads);
	must(db_snapshot(st->db, &err), "snapshot");
	user = user_number(st, "ann", false, &err);
	is_int(reads.n_rounds, 1, "what was not declared is a round");
	user_number(st, "ann", false, &err);
	is_int(reads.n_rounds, 1, "what was declared and read is no second one");
	for (int i = 0; i < 3; i++)
		must(stmt_want(st, STMT_CARD_GET, user_lo(user) + i, 0, 0, 0, &err), "want");
	for (int i = 0; i < 2; i++)
		db_row(st->db, stmt_bound(st, STMT_CARD_GET, user_lo(user) + i, 0, 0, 0, &err),
		    &err, "read");
	is_int(reads.n_rounds, 2, "what was declared together is one round");
	db_row(st->db, stmt_bound(st, STMT_CARD_GET, user_lo(user) + 3, 0, 0, 0, &err), &err,
	    "read");
	is_int(reads.n_rounds, 3, "other numbers are another read");
	db_snapshot_end(st->db);
	is_int(reads.n_unused, 1, "what was declared and not read is counted");
	must(db_snapshot(st->db, &err), "snapshot");
	user_number(st, "ann", false, &err);
	is_int(reads.n_rounds, 4, "another snapshot reads again");
	db_snapshot_end(st->db);
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
	test_counting();
	store_close(st);
	arena_release(&arena);
	tmpdir_remove(files);
	return tap_done();
}
