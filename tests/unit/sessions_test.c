/*
 * sessions_test.c: sessions as the store keeps them: many in one transaction, one that goes on in a
 * second part, and whose they are.
 */
#include "storing.h"

#define TURNS_MOST (1 << 20)                   /* of one part */

static const struct scope agent_a = { "ann", "A", NULL, NULL },
			  agent_b = { "ann", "B", NULL, NULL };

static const struct session *
session_of(const struct scope *who, const char *name)
{
	const struct session *v;

	must(sessions_find(st, who, name, &arena, &v, &err), "find");
	return v;
}

/*
 * More sessions than a transaction holds at hand, each coming again: what was counted of one that
 * had to make room is not lost.
 */
static void
test_many(void)
{
	enum { N = 3000 };
	const struct session *v;
	int bad = 0;
	char name[32];

	must(store_begin(st, &err), "begin");
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < N; i++) {
			struct message m = message(name, round == 1 ? "and so on" : "hello");
			snprintf(name, sizeof(name), "many%d", i);
			m.source_id = round == 0 ? "first" : round == 1 ? "second" : "third";
			m.role = round == 1 ? ROLE_ASSISTANT : ROLE_USER;
			m.time_us = (round == 1 ? 9 : 5 + round) * US_PER_DAY;
			bad += put(&bob, &m) != PUT_STORED || m.turn != round;
		}
	must(store_commit(st, &err), "commit");
	is_int(bad, 0, "%d sessions, three turns each", N);
	for (int i = 0; i < N; i += 7) {
		snprintf(name, sizeof(name), "many%d", i);
		v = session_of(&bob, name);
		bad += v == NULL || v->n_messages != 3 || v->created_us != 5 * US_PER_DAY ||
		    v->updated_us != 9 * US_PER_DAY;
		arena_reset(&arena);
	}
	is_int(bad, 0, "are as they were counted");
}

static int
see_turn(void *arg, const struct message *m)
{
	char text[40];

	(void)arg;
	see(text, (size_t)snprintf(text, sizeof(text), "%lld:%s", (long long)m->turn, m->content));
	return 0;
}

/* A session that is full goes on in another part, also in the middle of a transaction. */
/* Name, turns, and the days of its first and last. */
static int
see_whole(void *arg, const struct session *v)
{
	char text[100];

	(void)arg;
	snprintf(text, sizeof(text), "%s:%lld:%lld:%lld", v->id, (long long)v->n_messages,
	    (long long)(v->created_us / US_PER_DAY), (long long)(v->updated_us / US_PER_DAY));
	if (strcmp(v->id, "long") == 0)
		see(text, strlen(text));
	return 0;
}

static void
test_parts(void)
{
	static const char *const texts[] = { "last", "over", "and", "out" };
	struct message_filter f = MESSAGE_FILTER_ANY;
	struct scope who = ann;
	const struct session *v;
	struct message m = message("long", "one");
	int64_t over = 0;

	who.session = "long";
	m.time_us = 20 * US_PER_DAY;
	must(store_begin(st, &err), "begin");
	put(&ann, &m);
	must(store_commit(st, &err), "commit");
	store_close(st);
	sql("UPDATE session SET turns = 1048575 WHERE name = 'long'");
	st = NULL;
	must(store_open(PATH, STORE_WRITE, &st, &err), "open");
	must(store_begin(st, &err), "begin");
	for (size_t i = 0; i < NELEM(texts); i++) {
		m = message("long", texts[i]);
		m.time_us = (int64_t)(10 + 7 * i) * US_PER_DAY;
		put(&ann, &m);
		is_int(m.turn, TURNS_MOST - 1 + (int64_t)i, "turn of '%s'", texts[i]);
		over = i == 1 ? m.row : over;
	}
	must(store_commit(st, &err), "commit");
	see_nothing();
	must(messages_each(st, &who, &f, see_turn, NULL, &err), "each");
	is_str(seen, "0:one 1048575:last 1048576:over 1048577:and 1048578:out",
	    "in order, over both parts");
	f.newest_first = true;
	f.limit = 3;
	see_nothing();
	must(messages_each(st, &who, &f, see_turn, NULL, &err), "each");
	is_str(seen, "1048578:out 1048577:and 1048576:over", "backwards");
	see_nothing();
	must(messages_around(st, &ann, over, 1, 1, see_turn, NULL, &err), "around");
	is_str(seen, "1048575:last 1048576:over 1048577:and",
	    "neighbours are found in the other part");
	v = session_of(&ann, "long");
	ok(v != NULL && v->updated_us == 31 * US_PER_DAY && v->created_us == 10 * US_PER_DAY,
	    "one session, with the times of both");
	see_nothing();
	must(sessions_each(st, &ann, see_whole, NULL, &err), "each");
	ok(strstr(seen, "long:1048579:10:31") != NULL,
	    "in the list of all too, with the turns of both: %s", seen);
	m = message("long", "over");
	m.time_us = 17 * US_PER_DAY;
	must(store_begin(st, &err), "begin");
	is_int(put(&ann, &m), PUT_DUPLICATE, "what is in one part is known in the other");
	must(store_commit(st, &err), "commit");
}

static void
say(const char *session, const char *agent, const char *text)
{
	struct message m = message(session, text);

	m.agent = agent;
	put(&ann, &m);
}

/* A session is an agent's while all its turns are. */
static void
test_agents(void)
{
	const struct session *v;

	must(store_begin(st, &err), "begin");
	say("own", "A", "one");
	say("own", "A", "two");
	say("mixed", "A", "one");
	say("mixed", "B", "two");
	say("mixed", "B", "three");
	say("shared", "", "one");
	say("joined", "", "one");
	say("joined", "A", "two");
	must(store_commit(st, &err), "commit");
	v = session_of(&agent_a, "own");
	ok(v != NULL && strcmp(v->agent, "A") == 0, "an agent's own session");
	ok(session_of(&agent_b, "own") == NULL, "is no other agent's");
	v = session_of(&agent_a, "mixed");
	ok(v != NULL && strcmp(v->agent, "") == 0, "one of two agents is neither's");
	ok(session_of(&agent_a, "shared") != NULL && session_of(&agent_b, "shared") != NULL,
	    "a shared one is seen by all");
	v = session_of(&agent_b, "joined");
	ok(v != NULL && strcmp(v->agent, "") == 0, "and stays so when an agent joins in");
}

static void
test_full(void)
{
	struct message m = message("one too many", "x");
	enum put_did did;

	store_close(st);
	sql("INSERT INTO session (id, user, name) SELECT ((no + 1) << 24) - 1, no, 'the last "
	    "number' FROM user WHERE name = 'ann'");
	st = NULL;
	must(store_open(PATH, STORE_WRITE, &st, &err), "open");
	must(store_begin(st, &err), "begin");
	is_int(messages_put(st, &ann, &m, &did, &err), -1, "a session beyond the last number");
	is_int(err.code, ERR_DATA, "is refused, and nobody else's rows are touched");
	store_rollback(st);
}

int
main(void)
{
	static const char *const files[] = { PATH, PATH "-wal", PATH "-shm", PATH ".lock", NULL };

	tmpdir_make();
	must(store_open(PATH, STORE_CREATE, &st, &err), "create");
	test_many();
	test_parts();
	test_agents();
	test_full();
	store_close(st);
	arena_release(&arena);
	tmpdir_remove(files);
	return tap_done();
}
