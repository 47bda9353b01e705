/*
 * storing.h: a store in a directory of its own, messages put into it, and walks over them written
 * down as text. For the tests of the store.
 */
#pragma once

#include <sqlite3.h>
#include <unistd.h>

#include "tap.h"
#include "tmpdir.h"

#include "base/alloc.h"
#include "base/base.h"
#include "store/index.h"
#include "store/store.h"

#define PATH "s.db"

static struct store *st;
static struct err err;
static struct arena arena = ARENA_INIT;

static const struct scope ann = { "ann", NULL, NULL, NULL }, bob = { "bob", NULL, NULL, NULL },
			  nobody = { "nobody", NULL, NULL, NULL };

static inline void
must(int rc, const char *what)
{
	if (rc == 0)
		return;
	printf("Bail out! %s: %s\n", what, err.msg);
	exit(1);
}

static inline int
begin_index(const struct scope *who, struct index **x)
{
	return index_enter(st, who, x, &err) < 0 ? -1 : index_load(*x, NULL, 0, &err);
}

static inline struct message
message(const char *session, const char *content)
{
	return (struct message){ .session = session,
		.role = ROLE_USER,
		.name = "",
		.content = content,
		.content_len = strlen(content),
		.time_us = TIME_NONE,
		.stored_us = 5000000,
		.agent = "",
		.project = "",
		.origin = ORIGIN_USER,
		.trust = -1,
		.source_id = "",
		.tool_calls = "",
		.tool_call_id = "",
		.extra = "" };
}

static inline enum put_did
put(const struct scope *who, struct message *m)
{
	enum put_did did;

	must(messages_put(st, who, m, &did, &err), "put");
	return did;
}

static inline void
reopen(enum store_mode mode)
{
	store_close(st);
	st = NULL;
	must(store_open(PATH, mode, &st, &err), "open");
}

/* Behind the store's back; it must not be open, or be opened again. */
static inline void
sql(const char *text)
{
	sqlite3 *db = NULL;

	if (sqlite3_open_v2(PATH, &db, SQLITE_OPEN_READWRITE, "mem") != SQLITE_OK ||
	    sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK) {
		printf("Bail out! %s: %s\n", text, sqlite3_errmsg(db));
		exit(1);
	}
	sqlite3_close(db);
}

static inline void
sql_and_reopen(const char *text)
{
	store_close(st);
	st = NULL;
	sql(text);
	reopen(STORE_REPAIR);
}

/* An empty store. */
static inline void
fresh(void)
{
	store_close(st);
	st = NULL;
	unlink(PATH);
	unlink(PATH "-wal");
	unlink(PATH "-shm");
	must(store_open(PATH, STORE_CREATE, &st, &err), "create");
}

/* ---- walks: what was seen, one after another ---- */

static char seen[4000];
static size_t seen_len, n_seen, stop_after;

static inline void
see(const char *text, size_t len)
{
	seen_len += (size_t)snprintf(seen + seen_len, sizeof(seen) - seen_len, "%s%.*s",
	    n_seen ? " " : "", (int)len, text);
	n_seen++;
}

static inline int
see_message(void *arg, const struct message *m)
{
	(void)arg;
	see(m->content, strcspn(m->content, " "));
	return n_seen == stop_after;
}

static inline int
see_session(void *arg, const struct session *v)
{
	(void)arg;
	see(v->id, strlen(v->id));
	return n_seen == stop_after;
}

static inline void
see_nothing(void)
{
	seen[0] = '\0';
	seen_len = n_seen = stop_after = 0;
}

static inline const char *
each(const struct scope *who, const struct message_filter *f)
{
	see_nothing();
	if (messages_each(st, who, f, see_message, NULL, &err) < 0)
		return err.msg;
	return seen;
}

static inline const char *
all_of(const struct scope *who)
{
	struct message_filter f = MESSAGE_FILTER_ANY;

	return each(who, &f);
}

static inline const struct message *
find(const struct scope *who, const char *id)
{
	const struct message *m;

	err_clear(&err);
	return messages_find(st, who, id, &arena, &m, &err) < 0 ? NULL : m;
}

static const struct scope walker = { "walker", NULL, NULL, NULL };

static inline void
fill_walker(void)
{
	static const struct {
		const char *session, *content, *name, *agent, *project;
		enum role role;
		int64_t day;
		int trust;
	} rows[] = {
		{ "a", "a0", "Ann", "", "", ROLE_USER, 3, 3 },
		{ "a", "a1", "Bob", "", "", ROLE_USER, 4, 2 },
		{ "a", "a2", "", "bot", "", ROLE_ASSISTANT, 5, 1 },
		{ "b", "b0", "Ann", "", "p", ROLE_USER, 9, 3 },
		{ "b", "b1", "", "bot", "p", ROLE_ASSISTANT, 0, 0 },
		{ "c", "c0", "", "", "", ROLE_SYSTEM, 0, 3 },
		{ "c", "c1", "Bob", "cat", "q", ROLE_TOOL, 1, 3 },
	};

	must(store_begin(st, &err), "begin");
	for (size_t i = 0; i < NELEM(rows); i++) {
		struct message m = message(rows[i].session, rows[i].content);
		m.name = rows[i].name;
		m.agent = rows[i].agent;
		m.project = rows[i].project;
		m.role = rows[i].role;
		m.trust = rows[i].trust;
		m.time_us = rows[i].day ? rows[i].day * US_PER_DAY : TIME_NONE;
		put(&walker, &m);
	}
	must(store_commit(st, &err), "commit");
}
