/*
 * open.c: a store is opened and closed, by the driver that its name tells; and its transactions.
 */
#include "base/alloc.h"
#include "base/conf.h"
#include "store/messages/stored.h"
#include "store/write/writer.h"

bool
store_is_file(const char *path)
{
	static const char *const servers[] = { "postgres://", "postgresql://", "service=" };

	for (size_t i = 0; i < NELEM(servers); i++)
		if (strncmp(path, servers[i], strlen(servers[i])) == 0)
			return false;
	return true;
}

const struct db_driver *
store_driver(const char *path, struct err *err)
{
#ifdef WITHOUT_POSTGRES
	static const struct db_driver *const server;
#else
	static const struct db_driver *const server = &server_driver;
#endif

	if (store_is_file(path))
		return &file_driver;
	if (server == NULL)                    /* the name is not shown: it may have a password */
		err_set(err, ERR_CONFIG, "the store is a PostgreSQL database, and this mem was "
		    "built without PostgreSQL (make POSTGRES=no)");
	return server;
}

int
store_open(const char *path, enum store_mode mode, struct store **out, struct err *err)
{
	const struct db_driver *driver = store_driver(path, err);
	struct store *s;

	*out = NULL;
	if (driver == NULL)
		return -1;
	s = xcalloc(1, sizeof(*s));
	s->put.no_chunks = !conf_bool("chunks");
	s->mode = mode;
	if (driver->open(s, path, err) == 0) {
		*out = s;
		return 0;
	}
	store_close(s);
	return -1;
}

void
store_close(struct store *s)
{
	if (s == NULL)
		return;
	store_rollback(s);
	db_driver_of(s->db)->close(s);
	chunks_forget(s);
	free(s->user);
	free(s);
}

/*
 * ERR_CONFIG: the index of the store was made by other rules than this program's (allowed for a
 * repair).
 */
static int
check_features(struct store *s, struct err *err)
{
	char have[64], want[64];

	store_features(want, sizeof(want));
	if (store_meta_get(s, "features", have, sizeof(have), err) < 0)
		return -1;
	if (strcmp(have, want) != 0 && s->mode != STORE_REPAIR)
		return err_set(err, ERR_CONFIG,
		    "index was made by another version (%s, now %s): run mem-check --repair: '%s'",
			       have, want, store_path(s));
	return 0;
}

/* ---- transactions ---- */

static void
end_writing(struct store *s)
{
	writer_close(s);
	s->writing = s->buried = false;
	free(s->writes_for);
	s->writes_for = NULL;
}

static int
begin(struct store *s, const char *user, struct err *err)
{
	if (db_begin(s->db, user, err) < 0)
		return -1;
	s->writing = true;
	s->writes_for = user == NULL ? NULL : xstrdup(user);
	s->logged_step = s->logged_access_user = 0;
	memset(s->next_label, 0, sizeof(s->next_label));
	chunks_forget(s);
	if (check_features(s, err) < 0 || writer_open(s, err) < 0) {
		store_rollback(s);
		return -1;
	}
	return 0;
}

int
store_begin(struct store *s, struct err *err)
{
	return begin(s, NULL, err);
}

int
store_begin_user(struct store *s, const char *user, struct err *err)
{
	return begin(s, user, err);
}

void
store_leaving(struct store *s, store_leaving_fn *fn, void *arg)
{
	s->leaving = fn;
	s->leaving_arg = arg;
}

static int
commit(struct store *s, struct err *err)
{
	if (writer_flush(s, err) < 0)
		return -1;
	if (s->buried && s->leaving != NULL)
		s->leaving(s->leaving_arg, s);
	return db_commit(s->db, err);
}

int
store_commit(struct store *s, struct err *err)
{
	if (commit(s, err) < 0) {
		store_rollback(s);
		return -1;
	}
	end_writing(s);
	s->n_commits++;
	return 0;
}

void
store_rollback(struct store *s)
{
	if (!s->writing)
		return;
	db_rollback(s->db);
	end_writing(s);
}

int
store_end(struct store *s, int rc, struct err *err)
{
	if (rc == 0)
		return store_commit(s, err);
	store_rollback(s);
	return rc;
}
