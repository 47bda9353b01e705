/*
 * store_test.c: the store by its own door: what is put is found, by its user and nobody else.
 * store_index_test.c has what is derived from it.
 */
#include "storing.h"

#include "store/index.h"
#include "index/prepare.h"
#include "store/sqlite/sqlite.h"

/* ---- putting ---- */

static char made_id[ID_TEXT];

static void
knows(const struct scope *who, const char *session, const char *source_id, const char *content,
	bool want, bool differs)
{
	struct message m = message(session, content);
	bool known = !want;

	m.source_id = source_id;
	must(messages_known(st, who, &m, &known, &err), "known");
	ok(known == want && m.differs == differs, "%s of %s in %s, '%s': %s", source_id, who->user,
	    session, content, want ? "known" : "new");
}

static void
test_put(void)
{
	struct message m = message("s1", "one first words"), again, other;

	must(store_begin(st, &err), "begin");
	is_int(put(&ann, &m), PUT_STORED, "a message");
	ok(strlen(m.id) == 26 && m.turn == 0 && m.n_tokens > 0 && m.trust == 3,
	    "has an id, turn 0, tokens, the trust of its origin");
	memcpy(made_id, m.id, sizeof(made_id));
	again = message("s1", "one first words");
	is_int(put(&ann, &again), PUT_DUPLICATE, "the same again");
	ok(strcmp(again.id, m.id) == 0 && again.row == m.row && again.turn == 0 &&
		again.n_tokens == m.n_tokens,
	    "carries what is stored");
	ok(!again.differs, "in the same words");
	again = message("s1", "one first words");
	again.position = 1;
	again.content = "two first words";
	is_int(put(&ann, &again), PUT_STORED, "another place");
	is_int(again.turn, 1, "is the next turn");
	is_int(again.row, m.row + 1, "and the next row");

	other = message("s1", "three by source");
	other.source_id = "x-1";
	other.name = "Ann Lee";
	other.role = ROLE_ASSISTANT;
	other.origin = ORIGIN_ASSISTANT;
	other.time_us = 1000000;
	is_int(put(&ann, &other), PUT_STORED, "with an id of where it came from");
	other = message("s1", "another text");
	other.source_id = "x-1";
	is_int(put(&ann, &other), PUT_DUPLICATE, "which alone decides");
	is_int(other.turn, 2, "the turn of the first");
	ok(other.differs, "in other words");
	knows(&ann, "s1", "x-1", "three by source", 1, 0);
	knows(&ann, "s1", "x-1", "other words", 1, 1);
	knows(&ann, "s1", "x-2", "three by source", 0, 0);
	knows(&ann, "s1", "", "one first words", 1, 0);
	knows(&ann, "s1", "", "two first words", 0, 0);
	knows(&ann, "s9", "x-1", "three by source", 0, 0);
	knows(&bob, "s1", "x-1", "three by source", 0, 0);
	knows(&nobody, "s1", "x-1", "three by source", 0, 0);
	other = message("s2", "four in another session");
	other.source_id = "x-1";
	is_int(put(&ann, &other), PUT_STORED, "in another session it is another");
	is_int(other.turn, 0, "each session counts for itself");
	other = message("s1", "one first words");
	is_int(put(&bob, &other), PUT_STORED, "another user's is another");
	other = message("", "x");
	is_int(messages_put(st, &ann, &other, &(enum put_did){ 0 }, &err), -1, "no session");
	is_int(err.code, ERR_DATA, "is bad input");
	must(store_commit(st, &err), "commit");
}

static void
test_ids(void)
{
	struct message m = message("ids", "five with an id");

	must(store_begin(st, &err), "begin");
	memcpy(m.id, "01ARZ3NDEKTSV4RRFFQ69G5FAV", ID_TEXT);
	put(&ann, &m);
	is_str(m.id, "01ARZ3NDEKTSV4RRFFQ69G5FAV", "an id of its own is kept");
	m = message("ids", "six with an id");
	memcpy(m.id, "01ARZ3NDEKTSV4RRFFQ69G5FAW", ID_TEXT);
	put(&ann, &m);
	m = message("bobs", "seven with an id");
	memcpy(m.id, "01ARZ3NDEKTSV4RRFFQ69G5FAV", ID_TEXT);
	put(&bob, &m);
	ok(strlen(m.id) == 26 && strcmp(m.id, "01ARZ3NDEKTSV4RRFFQ69G5FAV") != 0,
	    "one that another user has is made anew");
	must(store_commit(st, &err), "commit");

	ok(find(&ann, "01ARZ3NDEKTSV4RRFFQ69G5FAV") &&
		strcmp(find(&ann, "01ARZ3NDEKTSV4RRFFQ69G5FAV")->content, "five with an id") == 0,
	    "found by id");
	ok(find(&ann, "01arz3ndektsv4rrffq69g5faw") != NULL, "in lower case");
	ok(find(&ann, "01ARZ3NDEKT") == NULL && err.code == ERR_DATA, "a prefix of two is refused");
	ok(find(&ann, "01ARZ3N") == NULL && err.code == 0, "one of seven characters is none");
	ok(find(&ann, "01ARZ3NDEKTSV4RRFFQ69G5FAVX") == NULL && err.code == 0,
	    "nor is one too long");
	ok(find(&ann, "01ARZ3NDE'T!") == NULL && err.code == 0, "nor one of other characters");
	ok(find(&ann, made_id) && find(&ann, made_id)->turn == 0, "one that was made");
	ok(find(&ann, "source:x-1") == NULL && err.code == ERR_DATA,
	    "a source id of two sessions is refused");
	ok(find(&ann, "source:x-2") == NULL && err.code == 0, "one that is not there");
}

static void
test_fields(void)
{
	struct message m = message("full", "eight of everything");
	const struct message *got;
	uint8_t hash[SHA256_BYTES];

	m.role = ROLE_TOOL;
	m.name = "calc";
	m.time_us = 1700000000123456;
	m.stored_us = 1700000001000000;
	m.agent = "bot";
	m.project = "plan";
	m.origin = ORIGIN_WEB;
	m.source_id = "full-1";
	m.tool_calls = "[1]";
	m.tool_call_id = "call";
	m.extra = "{\"a\":1}";
	must(store_begin(st, &err), "begin");
	put(&ann, &m);
	must(store_commit(st, &err), "commit");
	got = find(&ann, "source:full-1");
	if (!ok(got != NULL, "found by its source id"))
		return;
	sha256(m.content, m.content_len, hash);
	is_str(got->id, m.id, "id");
	is_str(got->session, "full", "session");
	is_str(got->content, m.content, "content");
	ok(got->role == ROLE_TOOL && got->origin == ORIGIN_WEB && got->trust == 0,
	    "role, origin, trust of the web");
	ok(strcmp(got->name, "calc") == 0 && strcmp(got->agent, "bot") == 0 &&
		strcmp(got->project, "plan") == 0,
	    "names");
	ok(got->time_us == m.time_us && got->stored_us == m.stored_us, "times");
	ok(strcmp(got->tool_calls, "[1]") == 0 && strcmp(got->tool_call_id, "call") == 0 &&
		strcmp(got->extra, "{\"a\":1}") == 0,
	    "the rest as it came");
	ok(memcmp(got->sha256, hash, sizeof(hash)) == 0 && got->content_len == m.content_len &&
		got->row == m.row,
	    "hash, length, row");
}

static void
test_roles(void)
{
	ok(role_parse("human") == ROLE_USER && role_parse("gpt") == ROLE_ASSISTANT &&
		role_parse("developer") == ROLE_SYSTEM && role_parse("function") == ROLE_TOOL &&
		role_parse("chair") == ROLE_OTHER && role_parse("") == ROLE_OTHER,
	    "roles by name");
	for (int i = 0; i <= ROLE_OTHER; i++)
		ok((int)role_parse(role_names[i]) == i, "role %s", role_names[i]);
	for (int i = 0; i <= ORIGIN_DERIVED; i++)
		is_int(origin_parse(origin_names[i]), i, "origin %s", origin_names[i]);
	is_int(origin_parse("mars"), -1, "none");
}

/* ---- reading, of a user of its own ---- */

static void
test_each(void)
{
	struct message_filter f = MESSAGE_FILTER_ANY;
	struct scope who = walker;

	fill_walker();
	is_str(all_of(&walker), "a0 a1 a2 b0 b1 c0 c1", "by session and turn");
	f.newest_first = true;
	is_str(each(&walker, &f), "b1 b0 a2 a1 a0 c1 c0",
	    "sessions by their newest message, and newest first");
	f.limit = 3;
	is_str(each(&walker, &f), "b1 b0 a2", "three of them");
	f = (struct message_filter)MESSAGE_FILTER_ANY;
	f.limit = 4;
	is_str(each(&walker, &f), "a0 a1 a2 b0", "a limit");
	f = (struct message_filter)MESSAGE_FILTER_ANY;
	f.role = ROLE_ASSISTANT;
	is_str(each(&walker, &f), "a2 b1", "a role");
	f.limit = 1;
	is_str(each(&walker, &f), "a2", "with a limit");
	f = (struct message_filter)MESSAGE_FILTER_ANY;
	static const char *const spoke[] = { "Zoe", "Ann" };
	f.said_by = (struct said_by){ spoke + 1, 1, false };
	is_str(each(&walker, &f), "a0 b0", "a speaker");
	f.said_by.names = spoke;
	f.said_by.n = 2;
	f.limit = 1;
	is_str(each(&walker, &f), "a0", "one of two, with a limit");
	f.limit = 0;
	f.said_by.n = 1;
	is_str(each(&walker, &f), "", "one who never spoke");
	f = (struct message_filter)MESSAGE_FILTER_ANY;
	f.since_us = 4 * US_PER_DAY;
	is_str(each(&walker, &f), "a1 a2 b0", "since");
	f.until_us = 5 * US_PER_DAY;
	is_str(each(&walker, &f), "a1", "since and until, which is not in it");
	f.since_us = TIME_NONE;
	is_str(each(&walker, &f), "a0 a1 c1", "until: those without time are left out");
	f = (struct message_filter)MESSAGE_FILTER_ANY;
	f.min_trust = 2;
	is_str(each(&walker, &f), "a0 a1 b0 c0 c1", "trust");

	who.session = "b";
	is_str(all_of(&who), "b0 b1", "a session");
	who.session = "z";
	is_str(all_of(&who), "", "one that is not there");
	who = walker;
	who.agent = "bot";
	is_str(all_of(&who), "a0 a1 a2 b0 b1 c0", "an agent: its own and the shared");
	who.agent = "dog";
	is_str(all_of(&who), "a0 a1 b0 c0", "an agent without any: the shared");
	who = walker;
	who.project = "p";
	is_str(all_of(&who), "b0 b1", "a project");
	who.project = "none";
	is_str(all_of(&who), "", "one that is not there");

	see_nothing();
	stop_after = 2;
	f = (struct message_filter)MESSAGE_FILTER_ANY;
	is_int(messages_each(st, &walker, &f, see_message, NULL, &err), 0, "a walk may be stopped");
	is_str(seen, "a0 a1", "there");
}

static void
test_around(void)
{
	const struct message *m;
	struct index *x = NULL;
	int64_t row;

	must(begin_index(&walker, &x), "index");
	row = corpus_row(index_corpus(x), 1);
	index_end(x);
	index_free(x);
	must(messages_by_rows(st, &walker, &(int64_t){ row + 3 }, 1, &arena, &m, &err), "by row");
	ok(m == NULL, "a row that is not there");
	must(messages_by_rows(st, &walker, &row, 1, &arena, &m, &err), "by row");
	is_str(m ? m->content : NULL, "a1", "by row");
	see_nothing();
	is_int(messages_around(st, &walker, row, 1, 1, see_message, NULL, &err), 0, "around");
	is_str(seen, "a0 a1 a2", "one before, one after");
	see_nothing();
	messages_around(st, &walker, row, 50, 50, see_message, NULL, &err);
	is_str(seen, "a0 a1 a2", "not beyond the session");
	see_nothing();
	messages_around(st, &walker, row, 0, 1, see_message, NULL, &err);
	is_str(seen, "a1 a2", "none before");
	see_nothing();
	messages_around(st, &ann, row, 5, 5, see_message, NULL, &err);
	is_str(seen, "", "nothing of another user's");
	must(messages_by_rows(st, &ann, &row, 1, &arena, &m, &err), "by row");
	ok(m == NULL, "by row neither");
}

static void
test_sessions(void)
{
	const struct session *v;
	struct session more = { .id = "a",
		.title = "Trip",
		.metadata = "{}",
		.created_us = 1,
		.updated_us = TIME_NONE,
		.agent = "",
		.project = "" };
	struct scope who = walker;

	see_nothing();
	must(sessions_each(st, &walker, see_session, NULL, &err), "sessions");
	is_str(seen, "a b c", "sessions");
	see_nothing();
	stop_after = 1;
	must(sessions_each(st, &walker, see_session, NULL, &err), "sessions");
	is_str(seen, "a", "until stopped");
	must(sessions_find(st, &walker, "a", &arena, &v, &err), "find");
	ok(v && v->n_messages == 3 && v->created_us == 3 * US_PER_DAY &&
		v->updated_us == 5 * US_PER_DAY,
	    "a session's messages and times");
	must(store_begin(st, &err), "begin");
	must(sessions_put(st, &walker, &more, &err), "put");
	more = (struct session){ .id = "a",
		.system_prompt = "Be brief",
		.created_us = TIME_NONE,
		.updated_us = 7 * US_PER_DAY };
	must(sessions_put(st, &walker, &more, &err), "put");
	must(store_commit(st, &err), "commit");
	must(sessions_find(st, &walker, "a", &arena, &v, &err), "find");
	ok(v && strcmp(v->title, "Trip") == 0 && strcmp(v->system_prompt, "Be brief") == 0 &&
		strcmp(v->metadata, "{}") == 0,
	    "what is not said leaves what is stored");
	ok(v && v->n_messages == 3 && v->created_us == 1 && v->updated_us == 7 * US_PER_DAY,
	    "earlier and later times");
	must(sessions_find(st, &walker, "none", &arena, &v, &err), "find");
	ok(v == NULL, "one that is not there");
	must(sessions_find(st, &nobody, "a", &arena, &v, &err), "find");
	ok(v == NULL, "nor one of nobody's");
	see_nothing();
	who.user = "nobody";
	must(sessions_each(st, &who, see_session, NULL, &err), "sessions");
	is_str(seen, "", "who has none");
}

static int
see_chunk(void *arg, const struct chunk *c)
{
	char text[60];

	see(text,
	    (size_t)snprintf(text, sizeof(text), "%s%s@%zu",
		c->kind == CHUNK_CODE ? "code:" : "prose", c->language, c->start));
	(void)arg;
	return 0;
}

static void
test_chunks(void)
{
	static const char text[] = "Look:\n\n```c\nint x;\n```\n\nDone.";
	struct message m = message("chunks", text), plain;
	unsigned n;

	must(store_begin(st, &err), "begin");
	put(&walker, &m);
	messages_set_options(st, (struct put_options){ .no_chunks = true });
	plain = message("chunks", text);
	plain.position = 1;
	put(&walker, &plain);
	messages_set_options(st, (struct put_options){ .no_chunks = false });
	must(store_commit(st, &err), "commit");
	see_nothing();
	must(chunks_of(st, &walker, &m, see_chunk, NULL, &err), "chunks");
	is_str(seen, "prose@0 code:c@7 prose@24", "chunks");
	must(store_begin(st, &err), "begin");
	must(chunks_backfill(st, &walker, 10, &n, &err), "backfill");
	is_int(n, 1, "one message had none");
	must(chunks_backfill(st, &walker, 10, &n, &err), "backfill");
	is_int(n, 0, "none is left");
	must(store_commit(st, &err), "commit");
	see_nothing();
	must(chunks_of(st, &walker, &plain, see_chunk, NULL, &err), "chunks");
	is_str(seen, "prose@0 code:c@7 prose@24", "the same chunks");
}

static void
test_inputs(void)
{
	struct input_state v = { .path = "/a/b",
		.device = 3,
		.inode = UINT64_C(1) << 62,
		.offset = 4000,
		.line = 17,
		.positional = true,
		.state = "{}" };
	const struct input_state *got;

	v.head_sha256[31] = 9;
	must(inputs_get(st, &walker, "/a/b", &arena, &got, &err), "get");
	ok(got == NULL, "an input that was not read");
	must(store_begin(st, &err), "begin");
	must(inputs_put(st, &walker, &v, &err), "put");
	v.offset = 5000;
	must(inputs_put(st, &walker, &v, &err), "put");
	must(store_commit(st, &err), "commit");
	must(inputs_get(st, &walker, "/a/b", &arena, &got, &err), "get");
	ok(got && got->offset == 5000 && got->line == 17 && got->device == 3 &&
		got->inode == UINT64_C(1) << 62 && got->positional &&
		strcmp(got->state, "{}") == 0 &&
		memcmp(got->head_sha256, v.head_sha256, SHA256_BYTES) == 0,
	    "where reading ended");
	must(inputs_get(st, &ann, "/a/b", &arena, &got, &err), "get");
	ok(got == NULL, "is the user's own");
}

static int
see_metric(void *arg, const struct metric *m)
{
	char text[90];

	(void)arg;
	see(text,
	    (size_t)snprintf(text, sizeof(text), "%s/%s/%d/%d/%s", m->program, m->path,
		(int)m->n_hits, (int)m->us_all, m->flags));
	return 0;
}

static void
test_metrics(void)
{
	int64_t now = clock_now_us();
	struct metric m = { .time_us = now - 10,
		.program = "mem-search",
		.path = "fused",
		.query_hash = UINT64_MAX,
		.n_hits = 3,
		.us_all = 99,
		.flags = "widened" };

	metrics_put(st, &walker, &m);
	m.time_us = now;
	m.n_hits = 4;
	metrics_put(st, &walker, &m);
	metrics_put(st, &nobody, &m);
	see_nothing();
	must(metrics_each(st, &walker, 0, see_metric, NULL, &err), "metrics");
	is_str(seen, "mem-search/fused/3/99/widened mem-search/fused/4/99/widened", "metrics");
	see_nothing();
	must(metrics_each(st, &walker, now, see_metric, NULL, &err), "metrics");
	is_int(n_seen, 1, "since");
	see_nothing();
	must(metrics_each(st, &ann, 0, see_metric, NULL, &err), "metrics");
	is_int(n_seen, 0, "of nobody else's");
}

/* ---- transactions, the wall ---- */

static void
test_rollback(void)
{
	static const struct scope eve = { "eve", NULL, NULL, NULL };
	struct message m = message("s1", "lost"), late = message("new", "lost too");
	const struct session *v;
	char was[sizeof(seen)];

	snprintf(was, sizeof(was), "%s", all_of(&ann));
	must(store_begin(st, &err), "begin");
	put(&ann, &m);
	put(&ann, &late);
	m = message("x", "lost");
	put(&eve, &m);
	store_rollback(st);
	is_str(all_of(&ann), was, "after a rollback nothing is new");
	is_str(all_of(&eve), "", "nor anybody");
	must(sessions_find(st, &ann, "new", &arena, &v, &err), "find");
	ok(v == NULL, "nor a session");
	must(store_begin(st, &err), "begin");
	put(&ann, &late);
	store_close(st);
	must(store_open(PATH, STORE_WRITE, &st, &err), "open");
	is_str(all_of(&ann), was, "nor after a store that is closed within");
	must(store_begin(st, &err), "begin");
	m = message("s1", "nine after all");
	is_int(put(&ann, &m), PUT_STORED, "it may be stored then");
	is_int(m.turn, 3, "as the next turn");
	must(store_commit(st, &err), "commit");
}

static int
count_stat(void *arg, const struct store_stat *v)
{
	if (strcmp(v->name, "messages") == 0)
		*(int64_t *)arg = v->value;
	return 0;
}

/* Of one that is prepared ahead the store sees only as it puts it that it is there. */
static void
test_prepared(void)
{
	static const struct scope eve = { "eve", NULL, NULL, NULL };
	const char *text = "Look:\n\n```\nint x;\n```\n";
	struct preparer *p = preparer_new();
	struct message first = message("ahead", text), again = message("ahead", text),
		       next = message("ahead", "other words"), twin = next;

	must(store_begin(st, &err), "begin");
	first.source_id = again.source_id = "one";
	first.prepared = again.prepared = prepare(p, text, strlen(text), NULL, &arena);
	next.prepared = twin.prepared = prepare(p, next.content, next.content_len, NULL, &arena);
	next.position = twin.position = 2;
	is_int(put(&eve, &first), PUT_STORED, "prepared ahead");
	is_int(put(&eve, &again), PUT_DUPLICATE, "the same again, prepared too");
	is_str(again.id, first.id, "has the id of the one that is there");
	ok(again.row == first.row && again.turn == 0 && !again.differs, "and its place");
	is_int(put(&eve, &next), PUT_STORED, "another");
	is_int(next.turn, 1, "is the next turn: what was there already took none");
	is_int(put(&eve, &twin), PUT_DUPLICATE, "known by its place and words");
	again = message("ahead", "not what was said");
	again.source_id = "one";
	again.prepared = prepare(p, again.content, again.content_len, NULL, &arena);
	is_int(put(&eve, &again), PUT_DUPLICATE, "other words under the same id");
	ok(again.differs, "differ");
	must(store_commit(st, &err), "commit");
	preparer_free(p);
}

static void
test_wall(void)
{
	const struct message *m = find(&ann, made_id);
	const struct scope *others[] = { &bob, &nobody };
	int64_t n = -1;

	is_str(all_of(&bob), "one seven", "another user's messages");
	must(m ? 0 : -1, "find");
	for (size_t i = 0; i < NELEM(others); i++) {
		const struct scope *who = others[i];
		const struct message *got;
		struct index *x = NULL;
		struct posting_list l = { NULL, 0, 0 };
		ok(find(who, made_id) == NULL && err.code == 0, "%s: not by id", who->user);
		ok(find(who, "source:x-1") == NULL && err.code == 0, "%s: nor by source id",
		    who->user);
		ok(messages_by_rows(st, who, &m->row, 1, &arena, &got, &err) == 0 && got == NULL,
		    "%s: nor by row", who->user);
		must(begin_index(who, &x), "index");
		ok(index_list(x, "sourc", 5, &l, &err) == 0 && l.n == 0, "%s: nor by word",
		    who->user);
		index_end(x);
		index_free(x);
		posting_list_release(&l);
	}
	must(store_stats(st, &bob, count_stat, &n, &err), "stats");
	is_int(n, 2, "figures are the user's own");
}

static int
pragma(const char *sql)
{
	sqlite3_stmt *q = NULL;
	int value = -1;

	if (sqlite3_prepare_v2(st->db->sqlite, sql, -1, &q, NULL) == SQLITE_OK &&
	    sqlite3_step(q) == SQLITE_ROW)
		value = sqlite3_column_int(q, 0);
	sqlite3_finalize(q);
	return value;
}

static void
test_read_only(void)
{
	struct store *other = NULL;
	struct metric metric = { .program = "p", .path = "", .flags = "" };

	reopen(STORE_READ);
	ok(store_begin(st, &err) == -1 && err.code != 0, "a reader's store refuses writing");
	err_clear(&err);
	metrics_put(st, &walker, &metric);
	is_str(all_of(&bob), "one seven", "and reads on");
	is_int(pragma("PRAGMA query_only"), 1, "a metric written, it is a reader's store again");
	is_int(pragma("PRAGMA busy_timeout"), DB_BUSY_MS, "that waits for others as before");
	is_int(store_open("none.db", STORE_READ, &other, &err), -1, "no such store");
	is_int(err.code, ERR_NOINPUT, "to read");
	is_int(store_open("none.db", STORE_WRITE, &other, &err), -1, "no such store");
	is_int(err.code, ERR_NOINPUT, "to write");
	tmpdir_write("foreign.db", "not a store, but a text of some length that says nothing", 50);
	is_int(store_open("foreign.db", STORE_WRITE, &other, &err), -1, "another file");
	is_int(err.code, ERR_CONFIG, "is left alone");
	err_clear(&err);
	reopen(STORE_WRITE);
}

int
main(void)
{
	static const char *const files[] = { PATH, PATH "-wal", PATH "-shm", PATH ".lock",
		"foreign.db", "foreign.db.lock", "none.db.lock", NULL };

	tmpdir_make();
	must(store_open(PATH, STORE_CREATE, &st, &err), "create");
	is_str(all_of(&ann), "", "an empty store");
	test_put();
	test_ids();
	test_fields();
	test_roles();
	test_each();
	test_around();
	test_sessions();
	test_chunks();
	test_inputs();
	test_metrics();
	test_rollback();
	test_wall();
	test_prepared();
	test_read_only();
	store_close(st);
	arena_release(&arena);
	tmpdir_remove(files);
	return tap_done();
}
