/*
 * open.c: how a store on PostgreSQL is reached, known, and made.
 *
 * Where it is, who asks and how the line is kept safe is said as libpq has it: in the URL, a
 * service file, the PG* variables. A password stands in none of these: it would be seen in the list
 * of processes. libpq reads it from PGPASSFILE.
 */
#include "store/postgres/postgres.h"

#include <math.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/embedded.h"

#define SERVER_LEAST 150000
#define WORD_BYTES   128

/* ---- the connection ---- */

/* Refuses a URL with a password, since URLs are shown. */
static int
check_path(const char *path, struct err *err)
{
	char *why = NULL;
	struct pg_option *options = pq.conninfoParse(path, &why);
	bool password = false;

	if (options == NULL) {
		/* libpq's message repeats what is between the slashes, which may be a password */
		pq.freemem(why);
		return err_set(err, ERR_CONFIG, "not an address of a store on PostgreSQL: it "
		    "begins postgres://HOST/DATABASE or service=NAME");
	}
	for (const struct pg_option *o = options; o->keyword != NULL; o++)
		password |= strcmp(o->keyword, "password") == 0 && o->val != NULL;
	pq.conninfoFree(options);
	return password ? err_set(err, ERR_CONFIG, "the address of a store must not have a "
	    "password in it: put it into the file ~/.pgpass (PGPASSFILE)") : 0;
}

/* Fills err with libpq's message, on one line. */
static void
one_line(const char *text, char *out, size_t size)
{
	size_t n = 0;

	for (; *text != '\0' && n + 2 < size; text++) {
		if (*text != '\n')
			out[n++] = *text == '\t' ? ' ' : *text;
		else if (text[1] != '\0')
			out[n++] = ';', out[n++] = ' ';
	}
	out[n] = '\0';
}

/*
 * Statements are short, and one plan is good for few rows and for many; but Citus must see in the
 * parameters to whom a statement goes.
 */
static const char *
plan_of(const struct db *d)
{
	return d->spread ? "force_custom_plan" : "force_generic_plan";
}

/*
 * A name without a schema means a temporary table first, which another program may have left on a
 * pooler's connection: unless the path says that these come last.
 */
#define TEMPORARY_LAST(is_local) "set_config('search_path', concat_ws(', ', " \
	"nullif(current_setting('search_path'), ''), 'pg_temp'), " is_local ")"

/*
 * Queues the settings for all that is asked on the connection, in a transaction of their own, as
 * they would be taken back with another. SET looks up nothing in the server's catalogs, of which a
 * new connection knows nothing yet.
 */
static void
order_settings(struct db *d)
{
	char plan[64];

	snprintf(plan, sizeof(plan), "SET plan_cache_mode = %s", plan_of(d));
	pg_order(d, "open", "BEGIN", 0, NULL);
	pg_order(d, "open", "SELECT " TEMPORARY_LAST("false"), 0, NULL);
	pg_order(d, "open", "SET jit = off", 0, NULL);
	pg_order(d, "open", "SET enable_seqscan = off", 0, NULL);
	pg_order(d, "open", plan, 0, NULL);
	pg_order(d, "open", "COMMIT", 0, NULL);
}

/* What the server remarks is not said: an error says it, too. */
static void
no_notice(void *arg, const char *text)
{
	(void)arg;
	(void)text;
}

int
pg_connect(struct db *d, struct err *err)
{
	char timeout[32], why[512];
	const char *keys[] = { "connect_timeout", "fallback_application_name", "dbname",
		"client_encoding", NULL };
	const char *values[] = { timeout, "mem", d->path, "UTF8", NULL };

	snprintf(timeout, sizeof(timeout), "%.0f", MAX(ceil(conf_real("wait")), 2));
	if (d->conn != NULL)
		pq.finish(d->conn);
	d->n_sent = 0;
	d->connection++;
	*d->last_seen = '\0';
	d->conn = pq.connectdbParams(keys, values, 1);
	d->lost = d->conn == NULL || pq.status(d->conn) != PG_CONNECTION_OK;
	if (d->conn == NULL)
		return err_set(err, ERR_BUG, "out of memory");
	if (d->lost) {
		one_line(pq.errorMessage(d->conn), why, sizeof(why));
		return err_set(err, pq.connectionNeedsPassword(d->conn) ? ERR_PERM
		    : ERR_UNAVAILABLE, "cannot connect: %s: '%s'", why, d->path);
	}
	if (pq.serverVersion(d->conn) < SERVER_LEAST)
		return err_set(err, ERR_CONFIG,
		    "PostgreSQL 15 or later is needed: the server is %d: '%s'",
		    pq.serverVersion(d->conn) / 10000, d->path);
	pq.setNoticeProcessor(d->conn, no_notice, NULL);
	if (!pq.enterPipelineMode(d->conn))
		return pg_fail(d, NULL, "open", err);
	if (!d->pooled)
		order_settings(d);
	return 0;
}

void
pg_order_settings(struct db *d)
{
	const char *values[] = { plan_of(d) };

	if (d->pooled)
		pg_order(d, "begin", "SELECT " TEMPORARY_LAST("true") ", "
		    "set_config('jit', 'off', true), set_config('plan_cache_mode', $1, true), "
		    "set_config('enable_seqscan', 'off', true)", 1, values);
}

/* ---- the schema ---- */

static int
make_schema(struct store *s, struct err *err)
{
	struct db *d = s->db;
	const struct embedded *f = embedded_find("schema/postgres.sql");
	char version[16], features[WORD_BYTES];
	const char *values[] = { version, features };
	struct pg_result *r;

	if (f == NULL)
		return err_set(err, ERR_BUG, "no 'schema/postgres.sql' in this program");
	pg_order(d, "open", "BEGIN", 0, NULL);
	pg_order(d, "open", "SELECT pg_advisory_xact_lock(1835363633, 0)", 0, NULL);
	if ((r = pg_ask(d, "open", "SELECT to_regclass('meta') IS NOT NULL, EXISTS (SELECT 1 FROM "
	    "pg_class c WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', "
	    "'p', 'v', 'f') AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = c.oid AND "
	    "deptype = 'e'))", 0, NULL, err)) == NULL)
		return -1;
	bool is_there = *pq.getvalue(r, 0, 0) != 0;
	bool is_taken = *pq.getvalue(r, 0, 1) != 0;
	pq.clear(r);
	if (!is_there && is_taken)
		return err_set(err, ERR_CONFIG, "the database has other tables: give mem one of "
		    "own: '%s'", d->path);
	if (!is_there) {
		/* a statement ends with its line */
		for (const char *p = f->text, *end; (end = strstr(p, ";")) != NULL; p = end + 1) {
			while (end[1] != '\n' && end[1] != '\0' && strncmp(end, ";   --", 6) != 0)
				end = strstr(end + 1, ";");
			char *sql = xstrndup(p, (size_t)(end - p));
			pg_order(d, "make the store", sql, 0, NULL);
			free(sql);
		}
		snprintf(version, sizeof(version), "%d", STORE_VERSION);
		store_features(features, sizeof(features));
		pg_order(d, "make the store", "INSERT INTO meta (name, value) VALUES ('version', "
		    "$1), ('features', $2)", 2, values);
		if (s->mode == STORE_COPY)
			pg_order(d, "make the store",
			    "INSERT INTO meta (name, value) VALUES ('copying', '')", 0, NULL);
	}
	pg_order(d, "open", "COMMIT", 0, NULL);
	return pg_sync(d, err);
}

/* What the server tells of itself when a connection begins, and when it changes. */
static bool
is_told(const struct db *d, const char *name, const char *value)
{
	const char *told = pq.parameterStatus(d->conn, name);

	return told != NULL && strcmp(told, value) == 0;
}

bool
pg_is_standby(const struct db *d)
{
	return is_told(d, "in_hot_standby", "on");
}

/* The value that meta has under a name, in rows (name, value, ...); NULL: none. */
static const char *
meta_value(const struct pg_result *r, const char *name)
{
	for (int i = 0; i < pq.ntuples(r); i++)
		if (strcmp(pq.getvalue(r, i, 0), name) == 0)
			return pq.getvalue(r, i, 1);
	return NULL;
}

/*
 * 1: *version is that of the store; 0: there is none in the database. It is the first statement of
 * every program, and reads no table of the server's that the others do not read, too: a new
 * process of the server knows none of them yet. Whoever only reads is told of a missing right when
 * it is used. *user: the number of the user that the settings name, for whom most is asked; 0:
 * there is none.
 */
static int
look(struct db *d, int64_t *version, int64_t *user, struct err *err)
{
	bool reads = d->mode == STORE_READ, is_half;
	const char *name = conf_text("user"), *value;
	struct rows number = { .n = 0 };
	struct err why = ERR_INIT;
	int rc = 1;

	pg_order(d, "open", "SELECT " TEMPORARY_LAST("true"), 0, NULL);
	pg_order(d, "open", "SELECT no FROM usr WHERE name = $1", 1, &name)->rows = &number;
	struct pg_result *r = pg_ask(d, "open", reads
	    ? "SELECT name, value, pg_backend_pid() FROM meta"
	    : "SELECT name, value, pg_backend_pid(), has_table_privilege('metric', 'DELETE') FROM "
	      "meta", 0, NULL, &why);
	*user = number.n == 0 ? 0 : pg_get(pq.getvalue(number.result, 0, 0), 8);
	pq.clear(number.result);
	if (r == NULL && strcmp(d->state, "42P01") == 0)
		return pg_connect(d, err);
	if (r == NULL)
		return err_set(err, why.code, "%s", why.msg);
	value = meta_value(r, "version");
	*version = value == NULL ? 0 : strtoll(value, NULL, 10);
	is_half = meta_value(r, "copying") != NULL;
	if (*version > 0) {
		d->pooled = (int)pg_get(pq.getvalue(r, 0, 2), 4) != pq.backendPID(d->conn);
		d->read_only = pg_is_standby(d) ||
		    is_told(d, "default_transaction_read_only", "on") ||
		    (!reads && *pq.getvalue(r, 0, 3) == 0);
	}
	d->spread = meta_value(r, "spread") != NULL;
	if (*version > 0 && !d->pooled)
		order_settings(d);
	if (*version == 0)
		rc = err_set(err, ERR_CONFIG, "not a mem store: '%s'", d->path);
	else if (!is_told(d, "server_encoding", "UTF8"))
		rc = err_set(err, ERR_CONFIG, "the database is not in UTF-8: '%s'", d->path);
	else if (d->mode == STORE_COPY && !is_half)
		rc = err_set(err, ERR_USAGE, "there is a store already: '%s'", d->path);
	else if (d->mode != STORE_COPY && is_half)
		rc = err_set(err, ERR_CONFIG,
		    "half of a copy: mem-check --copy completes it: '%s'", d->path);
	pq.clear(r);
	return rc;
}

/* Looks, and makes the store if it may. */
static int
look_or_make(struct store *s, int64_t *version, struct err *err)
{
	int64_t user;
	int got = look(s->db, version, &user, err);

	if (got == 0 && s->mode != STORE_CREATE && s->mode != STORE_COPY)
		return err_set(err, ERR_NOINPUT, "there is no store in this database: '%s'",
		    s->db->path);
	if (got == 0 && (got = make_schema(s, err)) == 0 && (got = look(s->db, version, &user,
	    err)) == 0)
		return err_set(err, ERR_IO, "store is damaged: a table is missing: '%s'",
		    s->db->path);
	if (got > 0 && user > 0) {
		free(s->user);
		s->user = xstrdup(conf_text("user"));
		s->user_no = user;
	}
	return got > 0 ? 0 : -1;
}

int
postgres_open(struct store *s, const char *path, struct err *err)
{
	struct db *d = s->db = xcalloc(1, sizeof(*d));
	int64_t version = 0;

	d->driver = &server_driver;
	d->mode = s->mode;
	d->pooled = true;                      /* until the server's first answer */
	d->path = xstrdup(path);
	if (libpq_load(err) < 0 || check_path(path, err) < 0 || pg_connect(d, err) < 0)
		return -1;
	int rc = look_or_make(s, &version, err);
	if (rc < 0 && d->lost && pg_connect_again(d, err) == 0)
		rc = look_or_make(s, &version, err);
	if (rc < 0)
		return -1;
	if (version > STORE_VERSION)
		return err_set(err, ERR_CONFIG,
		    "store is of version %lld, this program knows %d: upgrade mem: '%s'",
		    (long long)version, STORE_VERSION, d->path);
	if (version < STORE_VERSION)
		return err_set(err, ERR_CONFIG,
		    "store is of version %lld, which this program does not know any more: '%s'",
		    (long long)version, d->path);
	if (d->read_only && s->mode != STORE_READ)
		return err_set(err, ERR_PERM, "store cannot be written: '%s'", d->path);
	return 0;
}

static void
close_db(struct db *d)
{
	if (d->beside != NULL)
		close_db(d->beside);
	pg_batch_drop(d);
	if (d->conn != NULL)
		pg_forget(d);
	for (size_t i = 0; i < d->n_stmts; i++) {
		struct db_stmt *q = d->stmts[i];

		db_bind(q, NULL, 0);
		db_reset(q);
		free(q->variants);
		dialect_release(&q->dialect);
		free(q);
	}
	if (d->conn != NULL)
		pq.clear(d->seen.result);
	if (d->conn != NULL)
		pq.finish(d->conn);
	arena_release(&d->log_texts);
	free(d->log);
	free(d->user);
	free(d->stmts);
	free(d->sent);
	free(d->wanted);
	free(d->kept);
	keyed_release(&d->wanted_keys);
	keyed_release(&d->kept_keys);
	free(d->shared);
	free(d->path);
	free(d);
}

void
postgres_close(struct store *s)
{
	close_db(s->db);
}
