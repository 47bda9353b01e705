/*
 * store_index_test.c: what the store derives: lists, cards, a corpus, against the messages that
 * they are of; and all of it made anew after damage. SQLite itself takes away rows of derived
 * tables, and prepares each statement.
 */
#include "storing.h"

#include "index/turn_features_pages.h"
#include "store/index.h"
#include "store/sql/stmt.h"

struct counted { const char *term; size_t len; unsigned tf; };

static int
tally_word(void *arg, const struct word *w)
{
	struct counted *t = arg;

	t->tf += w->len == t->len && memcmp(w->term, t->term, w->len) == 0;
	return 0;
}

struct asked { char term[WORDS_TERM_BYTES]; size_t len; };
static struct asked terms[400];
static size_t n_terms;

static int
collect_word(void *arg, const struct word *w)
{
	(void)arg;
	for (size_t i = 0; i < n_terms; i++)
		if (terms[i].len == w->len && memcmp(terms[i].term, w->term, w->len) == 0)
			return 0;
	if (n_terms < NELEM(terms)) {
		memcpy(terms[n_terms].term, w->term, w->len);
		terms[n_terms++].len = w->len;
	}
	return 0;
}

static int
collect_message(void *arg, const struct message *m)
{
	(void)arg;
	return words_each(m->content, m->content_len, collect_word, NULL);
}

struct vocabulary { const char *term; size_t len, df; };

static void
tally_term(void *arg, const char *term, size_t len, uint32_t df)
{
	struct vocabulary *v = arg;

	if (v->len == len && memcmp(v->term, term, len) == 0)
		v->df += df;
}

/*
 * The list of each word of the user's messages, against the messages themselves. Turns are
 * ascending rows, system messages are not among them.
 */
static bool
index_is_right(const struct scope *who, unsigned n_turns)
{
	struct message_filter f = MESSAGE_FILTER_ANY;
	struct posting_list l = { NULL, 0, 0 };
	struct index *x = NULL;
	const struct corpus *c;
	bool same;

	n_terms = 0;
	must(messages_each(st, who, &f, collect_message, NULL, &err), "each");
	must(begin_index(who, &x), "index");
	c = index_corpus(x);
	same = c->n == n_turns && n_terms > 5;
	for (size_t t = 0; same && t < n_terms; t++) {
		size_t found = 0;
		l.n = 0;
		must(index_list(x, terms[t].term, terms[t].len, &l, &err), "list");
		struct vocabulary few = { terms[t].term, terms[t].len, 0 }, all = few;
		must(index_terms(x, terms[t].term, 1, tally_term, &few, &err),
		    "terms of a letter");
		must(index_terms(x, NULL, 0, tally_term, &all, &err), "all terms");
		same &= few.df == l.n && all.df == l.n;
		for (uint32_t i = 0; i < c->n; i++) {
			struct counted tally = { terms[t].term, terms[t].len, 0 };
			const struct message *m;
			must(messages_by_rows(st, who, &(int64_t){ corpus_row(c, i) }, 1, &arena,
			    &m, &err), "by row");
			same &= m != NULL && m->role != ROLE_SYSTEM;
			if (m == NULL)
				break;
			words_each(m->content, m->content_len, tally_word, &tally);
			for (size_t k = 0; tally.tf > 0 && k < l.n; k++)
				found += l.items[k].doc == i && l.items[k].tf == tally.tf;
			same &= corpus_turn(c, m->row) == i;
			found += tally.tf == 0;
			for (size_t k = 0; tally.tf == 0 && k < l.n; k++)
				same &= l.items[k].doc != i;
		}
		same &= found == c->n;
	}
	index_end(x);
	index_free(x);
	posting_list_release(&l);
	return same;
}

static void
test_index(void)
{
	struct index *x = NULL;
	struct store *other = NULL;
	struct card cards[2];
	enum put_did did;
	uint32_t turns[] = { 0, 3 }, from, to;
	struct message m;
	uint64_t stamp;
	int64_t no;

	ok(index_is_right(&ann, 3), "lists of one user are the words of the messages");
	ok(index_is_right(&walker, 6), "of another, without system messages");
	must(begin_index(&walker, &x), "index");
	must(index_cards(x, turns, 2, cards, &err), "cards");
	ok(cards[0].time_us == 3 * US_PER_DAY && cards[0].trust == 3 && cards[0].n_words == 1 &&
		cards[1].time_us == 9 * US_PER_DAY,
	    "cards");
	must(index_label(x, 's', "Ann", &no, &err), "label");
	ok(no > 0 && cards[0].speaker == no && cards[1].speaker == no, "a speaker by number");
	must(index_label(x, 's', "Zoe", &no, &err), "label");
	is_int(no, 0, "one who is not known");
	must(index_session(x, "b", &from, &to, &err), "session");
	ok(from == 3 && to == 5, "a session's turns");
	must(index_session(x, "zz", &from, &to, &err), "session");
	ok(from == to, "of none");
	stamp = index_stamp(x);
	index_end(x);
	must(begin_index(&walker, &x), "index");
	ok(index_stamp(x) == stamp, "nothing is new: the same corpus");
	index_end(x);
	must(store_open(PATH, STORE_WRITE, &other, &err), "open");
	must(store_begin(other, &err), "begin");
	m = message("zz", "ten of late");
	must(messages_put(other, &walker, &m, &did, &err), "put");
	must(store_commit(other, &err), "commit");
	store_close(other);
	must(begin_index(&walker, &x), "index");
	ok(index_stamp(x) != stamp && index_corpus(x)->n == 7,
	    "after another's message the corpus is another");
	index_end(x);
	stamp = index_stamp(x);
	must(store_begin(st, &err), "begin");
	m = message("zz", "eleven by ourselves");
	put(&walker, &m);
	must(store_commit(st, &err), "commit");
	must(begin_index(&walker, &x), "index");
	ok(index_stamp(x) != stamp && index_corpus(x)->n == 8, "after one of our own too");
	index_end(x);
	index_free(x);
	x = NULL;
	must(begin_index(&walker, &x), "index");
	stamp = index_stamp(x);
	index_end(x);
	must(begin_index(&ann, &x), "index");
	ok(index_stamp(x) != stamp && index_corpus(x)->n == 3 &&
		corpus_row(index_corpus(x), 0) >> 44 == 1,
	    "asked for another user it is of that one");
	index_end(x);
	must(begin_index(&nobody, &x), "index");
	is_int(index_corpus(x)->n, 0, "nobody has nothing");
	index_end(x);
	index_free(x);
}

static int worst;

static int
see_finding(void *arg, const struct check_finding *f)
{
	(void)arg;
	worst = MAX(worst, f->level);
	return 0;
}

static int
check_deep(void)
{
	worst = 0;
	must(store_check(st, CHECK_DEEP, see_finding, NULL, &err), "check");
	return worst;
}

/* Cards of all turns of the walker, one after another. */
static size_t
all_cards(struct card out[20])
{
	struct index *x = NULL;
	uint32_t turns[20];
	size_t n;

	memset(out, 0, 20 * sizeof(*out));
	must(begin_index(&walker, &x), "index");
	n = MIN(index_corpus(x)->n, (uint32_t)20);
	for (uint32_t i = 0; i < n; i++)
		turns[i] = i;
	must(index_cards(x, turns, n, out, &err), "cards");
	index_end(x);
	index_free(x);
	return n;
}

static void
test_repair(void)
{
	static const char *const losses[] = { "DELETE FROM card", "DELETE FROM fts_page",
		"DELETE FROM fts_segment", "DELETE FROM fts_leaf", "DELETE FROM chunk",
		"UPDATE session SET turns = 0, assistants = 7",
		"DELETE FROM fts_page WHERE id % 2 = 0; DELETE FROM card WHERE id % 2 = 0" };
	struct card was[20], now[20];
	char messages[sizeof(seen)];
	struct message m = { .session = NULL };
	size_t n = all_cards(was);

	snprintf(messages, sizeof(messages), "%s", all_of(&walker));
	is_int(check_deep(), 0, "a deep check finds nothing");
	for (size_t i = 0; i < NELEM(losses); i++) {
		sql(losses[i]);
		reopen(STORE_REPAIR);
		if (i < 4)
			ok(check_deep() >= 1, "%s: found", losses[i]);
		is_int(store_repair(st, NULL, NULL, &err), 0, "%s: repaired", losses[i]);
		reopen(STORE_WRITE);
		is_int(check_deep(), 0, "%s: a deep check finds nothing", losses[i]);
		ok(all_cards(now) == n && memcmp(was, now, sizeof(was)) == 0, "%s: cards",
		    losses[i]);
		ok(index_is_right(&walker, 8) && index_is_right(&ann, 3), "%s: lists", losses[i]);
		is_str(all_of(&walker), messages, "%s: messages as they were", losses[i]);
	}
	must(store_begin(st, &err), "begin");
	m = message("s1", "eleven after repair");
	put(&ann, &m);
	is_int(m.turn, 3, "turns go on where they were");
	must(store_commit(st, &err), "commit");
	ok(index_is_right(&ann, 4), "and lists too");
	is_int(check_deep(), 0, "and a deep check finds nothing");
}

/*
 * How many pages of cards there are, and how many of these are packed; unpack: behind the store's
 * back they become what they were before version 10.
 */
static void
look_at_pages(bool unpack, int *n, int *n_packed)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *rows = NULL, *to = NULL;
	struct cards page;
	struct card c;

	*n = *n_packed = 0;
	if (sqlite3_open_v2(PATH, &db, SQLITE_OPEN_READWRITE, "mem") != SQLITE_OK ||
	    sqlite3_prepare_v2(db, "SELECT id, cards FROM card", -1, &rows, NULL) != SQLITE_OK ||
	    sqlite3_prepare_v2(db, "UPDATE card SET cards = ?2 WHERE id = ?1", -1, &to, NULL) !=
		SQLITE_OK)
		must(-1, "sqlite");
	for (; sqlite3_step(rows) == SQLITE_ROW; ++*n) {
		uint8_t loose[CARDS_ROOM];
		int len = sqlite3_column_bytes(rows, 1);
		*n_packed += len % CARD_BYTES != 0;
		cards_open(&page, sqlite3_column_blob(rows, 1), (size_t)len);
		for (size_t i = 0; i < page.n; i++) {
			cards_get(&page, i, &c);
			card_pack(&c, loose + i * CARD_BYTES);
		}
		if (!unpack || len % CARD_BYTES == 0)
			continue;
		sqlite3_bind_int64(to, 1, sqlite3_column_int64(rows, 0));
		sqlite3_bind_blob(to, 2, loose, (int)(page.n * CARD_BYTES), SQLITE_TRANSIENT);
		if (sqlite3_step(to) != SQLITE_DONE)
			must(-1, "update");
		sqlite3_reset(to);
	}
	sqlite3_finalize(rows);
	sqlite3_finalize(to);
	sqlite3_close(db);
}

/*
 * Cards of a store of version 9: as they are they can be read and checked, and who brings the store
 * up to date packs them.
 */
static void
test_loose_cards(void)
{
	struct card was[20], now[20];
	int n, n_packed, n_loose, n_left;
	size_t n_cards = all_cards(was);

	store_close(st);
	st = NULL;
	look_at_pages(true, &n, &n_packed);
	look_at_pages(false, &n_loose, &n_left);
	ok(n_packed > 0 && n_left == 0, "pages of cards are packed, and now none is");
	reopen(STORE_WRITE);
	is_int(check_deep(), 0, "loose cards: a deep check finds nothing");
	ok(all_cards(now) == n_cards && memcmp(was, now, sizeof(was)) == 0,
	    "loose cards: read as ever");
	store_close(st);
	st = NULL;
	sql("DROP INDEX session_time; DROP TABLE step_id; DROP TABLE message_turn; "
	    "DROP TABLE work; ALTER TABLE metric DROP COLUMN handed; "
	    "DROP INDEX step_time; DROP INDEX step_undone; DROP INDEX record_was_ulid; "
	    "DROP TABLE change; DROP TABLE peer; DROP TABLE message_alias; "
	    "DROP INDEX record_source_was_of; ALTER TABLE session DROP COLUMN told; "
	    "ALTER TABLE record_access DROP COLUMN change; "
	    "PRAGMA user_version = 9");
	reopen(STORE_WRITE);
	look_at_pages(false, &n_loose, &n_left);
	ok(n_loose == n && n_left == n_packed, "a store of version 9 gets them packed");
	is_int(check_deep(), 0, "a deep check finds nothing");
	ok(all_cards(now) == n_cards && memcmp(was, now, sizeof(was)) == 0, "the same cards");
	sql("DELETE FROM card WHERE id = (SELECT min(id) FROM card WHERE length(cards) % 32 <> 0)");
	ok(check_deep() > 0, "a packed page that is gone is missed");
	reopen(STORE_REPAIR);
	is_int(store_repair(st, NULL, NULL, &err), 0, "repaired");
	sql("UPDATE card SET cards = CAST(x'01' || substr(cards, 2) AS BLOB) WHERE id = (SELECT "
	    "max(id) FROM card WHERE length(cards) % 32 <> 0)");
	ok(check_deep() > 0, "and one that says it has fewer cards");
	is_int(store_repair(st, NULL, NULL, &err), 0, "repaired");
	is_int(check_deep(), 0, "nothing");
}

/*
 * Two segments that say of themselves, and in their first page, that they are of 2^31 turns each:
 * together none, to who counts with 32 bits.
 */
static void
test_sizes(void)
{
	static const char sizes[] =
	    "DELETE FROM fts_page; DELETE FROM fts_leaf; DELETE FROM fts_segment;"
	    "INSERT INTO fts_page SELECT (no << 44) + 1, CAST(x'00808080800800' || zeroblob(3993) "
	    "AS BLOB) FROM user;"
	    "INSERT INTO fts_page SELECT (no << 44) + 2, CAST(x'8080808010808080800800' || "
	    "zeroblob(3989) AS BLOB) FROM user;"
	    "INSERT INTO fts_segment SELECT no, 1, 2147483648, 1, 1, 1, 9, (no << 44) + 1 FROM "
	    "user;"
	    "INSERT INTO fts_segment SELECT no, 2, 2147483648, 1, 1, 1, 9, (no << 44) + 2 FROM "
	    "user";
	static const char *const sets[] = { "docs = 4294967295", "docs = -1", "runs = 4294967295",
		"runs = docs + 1", "doc_pages = 4294967295, pages = 4294967295, docs = 4294967295",
		"pages = -1", "doc_pages = pages + 1", "first = 0", "first = 9223372036854775807" };
	struct index *x = NULL;
	struct message m = message("s1", "one more");
	enum put_did did;
	char text[200];

	sql("INSERT INTO fts_segment SELECT user, no + 1000, docs, runs, doc_pages, pages, words, "
	    "first FROM fts_segment");
	reopen(STORE_WRITE);
	is_int(begin_index(&ann, &x), -1, "the same turns in two segments: refused");
	is_int(err.code, ERR_IO, "as damage");
	index_free(x);
	x = NULL;
	err_clear(&err);
	sql(sizes);
	for (size_t i = 0; i <= NELEM(sets); i++) {
		const char *set = i == 0 ? "as said" : sets[i - 1];
		snprintf(text, sizeof(text),
		    "UPDATE fts_segment SET docs = 3, runs = 1, doc_pages = 1, pages = 1, first = "
		    "(user << 44) + 1; UPDATE fts_segment SET %s",
		    i == 0 ? "no = no" : set);
		if (i > 0)
			sql(text);
		reopen(STORE_WRITE);
		is_int(begin_index(&ann, &x), -1, "size of a segment, %s: refused", set);
		is_int(err.code, ERR_IO, "as damage");
		index_free(x);
		x = NULL;
		err_clear(&err);
		must(store_begin(st, &err), "begin");
		must(messages_put(st, &ann, &m, &did, &err), "put");
		is_int(store_commit(st, &err), -1, "and not added to");
		err_clear(&err);
	}
	reopen(STORE_REPAIR);
	is_int(store_repair(st, NULL, NULL, &err), 0, "repaired");
	is_int(check_deep(), 0, "a deep check finds nothing");
}

/* Many small batches: their segments are merged, so that a search opens few. */
static void
test_merging(void)
{
	static const struct scope many = { "many", NULL, NULL, NULL };
	sqlite3_stmt *q = NULL;
	sqlite3 *db = NULL;
	char text[64];
	int n = 0;

	for (int i = 0; i < 70; i++) {
		struct message m = message("s", text);
		snprintf(text, sizeof(text), "word%d of many words, in batch%d", i % 9, i);
		m.content_len = strlen(text);
		must(store_begin(st, &err), "begin");
		put(&many, &m);
		must(store_commit(st, &err), "commit");
	}
	ok(index_is_right(&many, 70), "lists of 70 batches");
	if (sqlite3_open_v2(PATH, &db, SQLITE_OPEN_READWRITE, "mem") == SQLITE_OK &&
	    sqlite3_prepare_v2(db,
		"SELECT count(*) FROM fts_segment WHERE user = (SELECT no FROM user WHERE name = "
		"'many')",
		-1, &q, NULL) == SQLITE_OK &&
	    sqlite3_step(q) == SQLITE_ROW)
		n = sqlite3_column_int(q, 0);
	sqlite3_finalize(q);
	sqlite3_close(db);
	/* 70 = 1 of 64, and 6 of 1; at most 7 of each size */
	ok(n >= 1 && n <= 14, "in %d segments", n);
	is_int(check_deep(), 0, "a deep check finds nothing");
}

/*
 * A page of a long listing is read where it stands: a sort would go over all rows with every page.
 */
static void
test_pages(void)
{
	static const enum stmt pages[] = { STMT_SESSIONS, STMT_SESSIONS_SAME_UP,
		STMT_SESSIONS_SAME_DOWN, STMT_SESSIONS_TIME_UP, STMT_SESSIONS_TIME_DOWN,
		STMT_MESSAGES_UP, STMT_MESSAGES_DOWN, STMT_RECORDS_UP, STMT_RECORDS_DOWN,
		STMT_RECORDS_KNOWN_UP, STMT_RECORDS_KNOWN_DOWN };
	sqlite3 *db;
	unsigned sorted = 0;

	must(sqlite3_open_v2(PATH, &db, SQLITE_OPEN_READWRITE, "mem") == SQLITE_OK ? 0 : -1,
	    "open");
	for (size_t i = 0; i < NELEM(pages); i++) {
		char *sql = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", stmt_sql[pages[i]]);
		sqlite3_stmt *q = NULL;
		must(sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK ? 0 : -1, "explain");
		while (sqlite3_step(q) == SQLITE_ROW)
			if (strstr((const char *)sqlite3_column_text(q, 3), "TEMP B-TREE") !=
			    NULL) {
				tap_note("%s", stmt_sql[pages[i]]);
				sorted++;
			}
		sqlite3_finalize(q);
		sqlite3_free(sql);
	}
	sqlite3_close(db);
	is_int(sorted, 0, "no page of a listing is sorted");
}

static void
test_statements(void)
{
	sqlite3 *db;
	unsigned bad = 0;

	store_close(st);
	st = NULL;
	must(sqlite3_open_v2(PATH, &db, SQLITE_OPEN_READWRITE, "mem") == SQLITE_OK ? 0 : -1,
	    "open");
	for (size_t i = 0; i < N_STMTS; i++) {
		sqlite3_stmt *q = NULL;
		const char *rest = "";
		if (stmt_sql[i] == NULL ||
		    sqlite3_prepare_v2(db, stmt_sql[i], -1, &q, &rest) != SQLITE_OK || q == NULL ||
		    *rest) {
			tap_note("statement %zu: %s", i, stmt_sql[i] ? sqlite3_errmsg(db) : "none");
			bad++;
		}
		sqlite3_finalize(q);
	}
	sqlite3_close(db);
	is_int(bad, 0, "each of %d statements prepares", N_STMTS);
}

static void
fill_ann(void)
{
	static const char *const texts[] = {
		"Running from getUserName to src/main.c, running again.",
		"```c\nint x;\n```\nThat is 42 of 1,000.",
		"\xe5\x8c\x97\xe4\xba\xac caf\xc3\xa9 and the runs of Ann's cat"
	};

	must(store_begin(st, &err), "begin");
	for (size_t i = 0; i < NELEM(texts); i++) {
		struct message m = message("s1", texts[i]);
		put(&ann, &m);
	}
	must(store_commit(st, &err), "commit");
}

/* What was read of an index whose pages are gone from the second on is no start of another try. */
static void
test_failed_load(void)
{
	static const struct scope long_one = { "long", NULL, NULL, NULL };
	struct index *x = NULL;
	sqlite3 *db = NULL;
	char text[64];

	must(store_open(PATH, STORE_CREATE, &st, &err), "open");
	must(store_begin(st, &err), "begin");
	for (int i = 0; i < 4000; i++) {
		struct message m = message("s", text);
		snprintf(text, sizeof(text), "turn %d of a long talk", i);
		m.content_len = strlen(text);
		put(&long_one, &m);
	}
	must(store_commit(st, &err), "commit");
	must(sqlite3_open_v2(PATH, &db, SQLITE_OPEN_READWRITE, "mem") == SQLITE_OK &&
		    sqlite3_exec(db,
			"DELETE FROM fts_page WHERE id >> 44 IN (SELECT no FROM user WHERE name = "
			"'long') AND id > (SELECT min(id) FROM "
			"fts_page WHERE id >> 44 = (SELECT no FROM user WHERE name = 'long'))",
			NULL, NULL, NULL) == SQLITE_OK
		? 0 : -1, "delete");
	tap_note("%d pages are gone", sqlite3_changes(db));
	sqlite3_close(db);
	must(index_enter(st, &long_one, &x, &err), "enter");
	for (int i = 0; i < 2; i++) {
		is_int(index_load(x, NULL, 0, &err), -1, "pages that are gone are no index");
		err_clear(&err);
	}
	is_int(index_corpus(x)->n_sessions, 0, "nothing is left of what was read");
	index_end(x);
	index_free(x);
	store_close(st);
}

int
main(void)
{
	static const char *const files[] = { PATH, PATH "-wal", PATH "-shm", PATH ".lock",
		PATH ".v9.backup", NULL };

	tmpdir_make();
	must(store_open(PATH, STORE_CREATE, &st, &err), "create");
	fill_ann();
	fill_walker();
	test_index();
	test_repair();
	test_loose_cards();
	test_merging();
	test_sizes();
	test_statements();
	test_pages();
	test_failed_load();
	arena_release(&arena);
	tmpdir_remove(files);
	return tap_done();
}
