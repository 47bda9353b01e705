/*
 * walrace: SQLite's WAL-reset race (3.7.0 to 3.51.2), against a control without our lock and
 * against the store.
 *
 * usage: SEED=n walrace control|store SECONDS, in an empty directory.
 *
 * A checkpoint that reads the header of the log just before a writer starts the log anew publishes
 * a stale count of copied frames; later checkpoints skip frames, and those pages never reach the
 * file. Six writers commit small transactions, two processes checkpoint without a pause, in rounds
 * of two seconds, each on a new file; after each round the file must pass its integrity check and
 * hold every row that was committed.
 *
 * The window is a few instructions, so it is met once in minutes. A VFS of ours widens it: between
 * reading the header and looking at the count of copied frames, SQLite calls xUnfetch, and there we
 * sleep. Control and store run on the same VFS.
 *
 *	control   SQLite as it comes, wal_autocheckpoint 4, passive checkpoints: exit 0 as soon as a round is corrupt, 1 when none was
 *	store     the same load through store_begin, messages_put, store_commit and store_checkpoint: exit 0 when no round was corrupt
 */
#include <sqlite3.h>
#include <sys/mman.h>

#include "drive.h"

#include "base/conf.h"
#include "store/store.h"

#define WRITERS      6
#define CHECKPOINTERS 2
#define ROUND_US     2000000

/* [WRITERS] shared: rows that were committed; [WRITERS]: when to stop */
static volatile int64_t *acked;
static const char path[] = "race.db";

static int
time_is_up(void)
{
	return now_us() > acked[WRITERS];
}

/* ---- the window ---- */

static sqlite3_vfs vfs, *unix_vfs;
static sqlite3_io_methods methods;
static int (*unix_unfetch)(sqlite3_file *, sqlite3_int64, void *);
static const int window_us = 100;

static int
slow_unfetch(sqlite3_file *f, sqlite3_int64 at, void *p)
{
	if (p == NULL)
		sleep_us(window_us);
	return unix_unfetch(f, at, p);
}

static int
open_slow(sqlite3_vfs *v, const char *name, sqlite3_file *f, int flags, int *out)
{
	int rc = unix_vfs->xOpen(v, name, f, flags, out);

	if (rc == SQLITE_OK && flags & SQLITE_OPEN_MAIN_DB && f->pMethods->iVersion >= 3) {
		methods = *f->pMethods;
		unix_unfetch = methods.xUnfetch;
		methods.xUnfetch = slow_unfetch;
		f->pMethods = &methods;
	}
	return rc;
}

static void
widen(void)
{
	unix_vfs = sqlite3_vfs_find(NULL);
	vfs = *unix_vfs;
	vfs.pNext = NULL;
	vfs.zName = "slow";
	vfs.xOpen = open_slow;
	if (sqlite3_vfs_register(&vfs, 1) != SQLITE_OK)
		die("no VFS");
}

/* ---- the control ---- */

static sqlite3 *
control_open(void)
{
	sqlite3 *db;

	if (sqlite3_open(path, &db) != SQLITE_OK)
		die("control: %s", sqlite3_errmsg(db));
	sqlite3_busy_timeout(db, 10000);
	sqlite3_exec(db,
	    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4",
	    NULL, NULL, NULL);
	sqlite3_exec(db,
	    "CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, writer, n, text); CREATE INDEX "
	    "IF NOT EXISTS i ON t (text)",
	    NULL, NULL, NULL);
	return db;
}

static void
control_write(int no)
{
	sqlite3 *db = control_open();
	uint64_t r = seed() * 1000 + (uint64_t)no;
	char sql[200];

	for (int64_t n = 0; !time_is_up(); n++) {
		snprintf(sql, sizeof(sql),
		    "BEGIN IMMEDIATE; INSERT INTO t (writer, n, text) VALUES (%d, %lld, hex(%llu) "
		    "|| hex(zeroblob(%d))); COMMIT",
		    no, (long long)n, (unsigned long long)chance(&r), (int)between(&r, 0, 300));
		if (sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK)
			acked[no]++;
		else
			sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	}
	/* no checkpoint at the end, which would hide nothing and takes time */
	_exit(0);
}

static void
control_checkpoint(void)
{
	sqlite3 *db = control_open();

	while (!time_is_up())
		sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	_exit(0);
}

static int
control_is_whole(int64_t want)
{
	sqlite3 *db = control_open();
	sqlite3_stmt *q = NULL;
	int ok = 0;

	if (sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &q, NULL) == SQLITE_OK &&
	    sqlite3_step(q) == SQLITE_ROW)
		ok = strcmp((const char *)sqlite3_column_text(q, 0), "ok") == 0;
	if (!ok)
		printf("# %.60s\n",
		    q != NULL ? (const char *)sqlite3_column_text(q, 0) : sqlite3_errmsg(db));
	sqlite3_finalize(q);
	q = NULL;
	if (ok && sqlite3_prepare_v2(db, "SELECT count(*) FROM t", -1, &q, NULL) == SQLITE_OK &&
	    sqlite3_step(q) == SQLITE_ROW)
		ok = sqlite3_column_int64(q, 0) == want;
	sqlite3_finalize(q);
	sqlite3_close(db);
	return ok;
}

/* ---- the store ---- */

static struct store *
must_open(enum store_mode mode)
{
	struct err err = ERR_INIT;
	struct store *s;

	if (store_open(path, mode, &s, &err) != 0)
		die("store: %s", err.msg);
	return s;
}

static void
put(struct store *s, int no, int64_t n, uint64_t *r)
{
	static const struct scope who = { "default", "", "", "" };
	struct err err = ERR_INIT;
	char text[1000], session[16], id[40];
	struct message m = { .session = session,
		.role = ROLE_USER,
		.name = "",
		.content = text,
		.time_us = TIME_NONE,
		.stored_us = 1,
		.agent = "",
		.project = "",
		.origin = ORIGIN_USER,
		.trust = -1,
		.source_id = id,
		.tool_calls = "",
		.tool_call_id = "",
		.extra = "" };
	enum put_did did;

	snprintf(session, sizeof(session), "w%d", no);
	snprintf(id, sizeof(id), "%d.%lld", no, (long long)n);
	m.content_len = (size_t)snprintf(text, sizeof(text), "%llx lighthouse %*s",
	    (unsigned long long)chance(r), (int)between(r, 1, 300), "keeper");
	if (store_begin(s, &err) != 0 || messages_put(s, &who, &m, &did, &err) != 0 ||
	    store_commit(s, &err) != 0)
		die("store: %s", err.msg);
	if (did != PUT_STORED)
		die("store: %s was there already", id);
}

static void
store_write(int no)
{
	struct store *s = must_open(STORE_WRITE);
	uint64_t r = seed() * 1000 + (uint64_t)no;

	for (int64_t n = 0; !time_is_up(); n++) {
		put(s, no, n, &r);
		acked[no]++;
		if (n % 50 == 49 && no % 2) {          /* half of them come and go */
			store_close(s);
			s = must_open(STORE_WRITE);
		}
	}
	_exit(0);
}

static void
store_copy(void)
{
	struct store *s = must_open(STORE_WRITE);
	struct err err = ERR_INIT;

	while (!time_is_up())
		if (store_checkpoint(s, &err) != 0)
			die("store: %s", err.msg);
	_exit(0);
}

static int
on_finding(void *arg, const struct check_finding *f)
{
	int *worst = arg;

	if (f->level > 1)
		printf("# %s: %s\n", f->what, f->message);
	*worst = f->level > *worst ? f->level : *worst;
	return 0;
}

static int
on_message(void *arg, const struct message *m)
{
	(void)m;
	++*(int64_t *)arg;
	return 0;
}

static int
store_is_whole(int64_t want)
{
	static const struct scope who = { "default", "", "", "" };
	static const struct message_filter all = MESSAGE_FILTER_ANY;
	struct store *s = must_open(STORE_READ);
	struct err err = ERR_INIT;
	int64_t n = 0;
	int worst = 0;
	int ok = store_check(s, CHECK_DEEP, on_finding, &worst, &err) == 0 && worst < 2 &&
	    messages_each(s, &who, &all, on_message, &n, &err) == 0 && n == want;

	if (!ok)
		printf("# %lld messages, %lld committed %s\n", (long long)n, (long long)want,
		    err.msg);
	store_close(s);
	return ok;
}

/* ---- */

static int64_t
round_of(int store)
{
	static const char *const ends[] = { "", "-wal", "-shm", ".lock" };
	int64_t n = 0;
	int status, bad = 0;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		char name[32];
		snprintf(name, sizeof(name), "%s%s", path, ends[i]);
		unlink(name);
	}
	if (store)
		store_close(must_open(STORE_CREATE));
	else
		sqlite3_close(control_open());
	for (int i = 0; i < WRITERS; i++)
		acked[i] = 0;
	acked[WRITERS] = now_us() + ROUND_US;
	for (int i = 0; i < WRITERS + CHECKPOINTERS; i++) {
		if (fork() != 0)
			continue;
		if (store && i < WRITERS)
			store_write(i);
		else if (store)
			store_copy();
		else if (i < WRITERS)
			control_write(i);
		else
			control_checkpoint();
	}
	while (wait(&status) > 0)
		bad += status != 0;
	if (bad > 0)
		die("%d processes failed", bad);
	for (int i = 0; i < WRITERS; i++)
		n += acked[i];
	return n;
}

int
main(int argc, char **argv)
{
	int store = argc > 1 && strcmp(argv[1], "store") == 0, rounds = 0, corrupt = 0, fd;
	int64_t end = now_us() + (int64_t)argument(argc, argv, 2, 10) * 1000000, commits = 0;
	struct err err = ERR_INIT;

	unsetenv("MEM_SEED");
	/* as the control: more commits in the time there is */
	setenv("MEM_SYNC", "normal", 1);
	widen();
	if (conf_load(&err) != 0)
		die("settings: %s", err.msg);
	fd = open("acked", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || ftruncate(fd, (WRITERS + 1) * sizeof(*acked)) != 0 ||
	    (acked = mmap(NULL, (WRITERS + 1) * sizeof(*acked), PROT_READ | PROT_WRITE, MAP_SHARED,
		 fd, 0)) == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	while (now_us() < end && corrupt == 0) {
		int64_t n = round_of(store);
		rounds++;
		commits += n;
		corrupt += !(store ? store_is_whole(n) : control_is_whole(n));
	}
	printf("%s: SQLite %s, %d rounds, %lld commits, %d corrupt\n", store ? "store" : "control",
	    sqlite3_libversion(), rounds, (long long)commits, corrupt);
	if (!store && corrupt == 0 &&
	    (sqlite3_libversion_number() < 3007000 || sqlite3_libversion_number() > 3051002))
		printf("# this SQLite does not have the fault\n");
	else if (!store)
		return corrupt == 0;
	return corrupt != 0;
}
