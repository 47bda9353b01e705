/*
 * documents.c: reads documents. What goes is gathered until the end of the run, and goes in one
 * transaction in which it is noted, too, what the files have now: a run that is killed before has
 * added sections, and the next one removes what it would have.
 */
#define _XOPEN_SOURCE 700                  /* realpath */

#include "ingest/documents.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/off.h"
#include "base/project.h"
#include "formats/document.h"
#include "ingest/document_known.h"
#include "store/prune.h"

#define READER  1                  /* counts up when sections are cut in another way */

struct documents {
	struct ingest *g;
	bool loaded;
	struct known_files files;
	struct names stale;                  /* ids that are no more in any file */
	struct buf text, json, place;
	struct arena arena;
};

static int
load(struct documents *d, struct err *err)
{
	struct scope who = { d->g->o->user, NULL, NULL, NULL };

	if (d->loaded || d->g->s == NULL)
		return 0;
	d->loaded = true;
	/* the store is read, so its writing thread must be idle */
	return batch_settle(d->g->batch, err) == 0 &&
	    known_load(d->g->s, &who, &d->files, err) == 0 ? 0 : ingest_fatal(d->g);
}

int
documents_knows(struct documents *d, const char *path, bool *knows, struct err *err)
{
	const struct known *k = NULL;
	char *real;

	*knows = false;
	if (load(d, err) != 0)
		return -1;
	if (d->files.n > 0 && (real = realpath(path, NULL)) != NULL) {
		k = known_find(&d->files, real);
		free(real);
	}
	*knows = k != NULL && !k->gone;
	return 0;
}

struct documents *
documents_new(struct ingest *g)
{
	struct documents *d = xcalloc(1, sizeof(*d));

	d->g = g;
	buf_init(&d->text, 0);
	buf_init(&d->json, SIZE_MAX / 4);
	buf_init(&d->place, conf_caps.output_bytes);
	return d;
}

void
documents_free(struct documents *d)
{
	if (d == NULL)
		return;
	known_release(&d->files);
	names_release(&d->stale);
	buf_release(&d->text);
	buf_release(&d->json);
	buf_release(&d->place);
	arena_release(&d->arena);
	free(d);
}

/* Signs all that sections depend on besides the file. */
static void
sign_of(const struct ingest_options *o, char sign[17])
{
	const char *const texts[] = { o->agent, o->project };
	uint64_t h = READER * 2 + o->keep_secrets;

	for (size_t i = 0; i < NELEM(texts); i++)
		h = hash64(texts[i], strlen(texts[i]), h);
	snprintf(sign, 17, "%016llx", (unsigned long long)h);
}

/* ---- sections ---- */

struct taker {
	struct documents *d;
	struct known *k;
	struct names now;
	struct buf title;                  /* of the document */
	struct err *err;
};

#define HASH_CHARS 24

static void
section_hash(const char *session, const struct section *s, char out[HASH_CHARS + 8])
{
	uint8_t sum[SHA256_BYTES];
	struct sha256 h;

	sha256_init(&h);
	sha256_add(&h, session, strlen(session) + 1);
	sha256_add(&h, s->path, strlen(s->path) + 1);
	sha256_add(&h, s->text, s->len);
	sha256_end(&h, sum);
	memcpy(out, "doc:", 5);
	for (size_t i = 0; i < HASH_CHARS / 2; i++)
		snprintf(out + 4 + 2 * i, 3, "%02x", sum[i]);
}

/* The id of the section: that which it has, or the next of one that was there before. */
static const char *
section_id(const struct known *k, const char *hash, char id[HASH_CHARS + 32])
{
	const char *had = names_find(&k->now, hash);

	if (had != NULL)
		return had;
	had = names_find(&k->was, hash);
	if (had == NULL) {
		snprintf(id, HASH_CHARS + 32, "%s", hash);
	} else {
		const char *dot = strchr(had, '.');

		snprintf(id, HASH_CHARS + 32, "%s.%ld", hash,
		    dot != NULL ? strtol(dot + 1, NULL, 10) + 1 : 2L);
	}
	return id;
}

static int
add_record(struct documents *d, const struct json *v, uint64_t line, struct err *err)
{
	struct ingest *g = d->g;
	struct record r;

	if (record_read(g->reader, v, false, &g->rules, &g->arena, &r, err) != 0)
		return -1;
	if (r.kind == RECORD_MESSAGE || r.kind == RECORD_SESSION)
		batch_add(g->batch, &r, line);
	return batch_is_full(g->batch) ? ingest_hand_over(g, err) : 0;
}

static struct json_member
text_member(const char *key, const char *text, size_t len)
{
	return (struct json_member){ key, strlen(key),
		{ JSON_STRING, len, { .string = text } } };
}

/* What is stored of a section: where it stands, and below that its words. */
static int
take_section(void *arg, const struct section *s)
{
	struct taker *t = arg;
	struct documents *d = t->d;
	char hash[HASH_CHARS + 8], id[HASH_CHARS + 32];
	const char *source;
	struct json_member members[5];
	struct json v = { JSON_OBJECT, NELEM(members), { .members = members } };
	struct buf content;
	char *text;
	size_t len;

	if (t->title.len == 0)
		buf_add(&t->title, s->path, strcspn(s->path, ">") -
		    (strchr(s->path, '>') != NULL));
	section_hash(t->k->session, s, hash);
	if (names_find(&t->now, hash) != NULL)           /* the same words stand there twice */
		return 0;
	source = section_id(t->k, hash, id);
	names_add(&t->now, source);
	arena_reset(&d->g->arena);
	buf_init(&content, s->len + 32768);
	buf_addf(&content, "%s%s", s->path, s->len > 0 ? "\n\n" : "");
	buf_add(&content, s->text, s->len);
	len = content.len;
	text = arena_strndup(&d->g->arena, content.data, len);
	buf_release(&content);
	members[0] = text_member("role", role_names[ROLE_DOCUMENT], 8);
	members[1] = text_member("content", text, len);
	members[2] = text_member("source_id", source, strlen(source));
	members[3] = text_member("heading", s->path, strlen(s->path));
	members[4] = (struct json_member){ "trust", 5, { JSON_NUMBER, 0, { .number = 1 } } };
	batch_unit(d->g->batch, text, len, false);
	return add_record(d, &v, s->line, t->err);
}

/* Adds what is told of the document as a whole. */
static int
add_session(struct taker *t, const char *path)
{
	struct documents *d = t->d;
	char written[TIME_TEXT];
	const struct json *v;

	buf_reset(&d->json);
	json_record(&d->json, "session");
	json_str(&d->json, "session", t->k->session);
	json_str(&d->json, "title", t->title.data);
	json_object_open(&d->json, "metadata");
	json_str(&d->json, "document", path);
	json_str(&d->json, "written", time_format_second(t->k->time_us, written));
	json_close(&d->json);
	json_close(&d->json);
	arena_reset(&d->g->arena);
	if (json_parse(d->json.data, d->json.len, &d->g->arena, &v, t->err) != 0)
		return -1;
	return add_record(d, v, 0, t->err);
}

/* ---- one document ---- */

static void
say(struct documents *d, const char *path, const char *what)
{
	char text[1200];

	snprintf(text, sizeof(text), "%.1000s: %s", path, what);
	ingest_warn(d->g, text);
}

/* Finds, or makes, what is known of the file at the absolute path real. */
static int
known_of(struct documents *d, const char *path, const char *real, struct known **out,
	struct err *err)
{
	const char *name;

	if ((*out = known_find(&d->files, real)) != NULL)
		return 0;
	if (batch_settle(d->g->batch, err) != 0)
		return ingest_fatal(d->g);
	if (source_names_of(d->g->naming, path, true, &name, err) != 0)
		return ingest_fatal(d->g);
	/* a file that was moved goes on with what it had */
	for (size_t i = 0; i < d->files.n; i++) {
		struct known *k = &d->files.at[i], *new;

		if (k->moved || strcmp(k->session, name) != 0)
			continue;
		k->moved = true;
		new = known_add(&d->files, real);
		k = &d->files.at[i];
		new->session = xstrdup(name);
		new->now = k->now;
		new->was = k->was;
		k->now = k->was = (struct names){ NULL, 0, 0 };
		*out = new;
		return 0;
	}
	*out = known_add(&d->files, real);
	(*out)->session = xstrdup(name);
	return 0;
}

/* The project of a document: that of the repository that it lies in. */
static const char *
project_for(struct documents *d, const char *real)
{
	struct stat st;
	char *directory, *slash;

	if (d->g->o->project[0] != '\0')
		return d->g->o->project;
	directory = xstrdup(real);
	if ((slash = strrchr(directory, '/')) != NULL)
		slash[slash == directory] = '\0';
	project_of(directory, &d->place);
	free(directory);
	directory = arena_printf(&d->arena, "%s/.git", d->place.data);
	return lstat(directory, &st) == 0 ? d->place.data : "";
}

static int
is_forgotten(struct documents *d, const struct known *k, bool *is, struct err *err)
{
	struct scope who = { d->g->o->user, NULL, NULL, NULL };

	*is = false;
	if (d->g->s == NULL || d->g->o->pruned || k->gone || k->now.n + k->was.n > 0)
		return 0;
	if (batch_settle(d->g->batch, err) != 0)
		return ingest_fatal(d->g);
	return session_is_gone(d->g->s, &who, k->session, is, err) == 0 ? 0 : ingest_fatal(d->g);
}

static int
cut_document(struct documents *d, struct known *k, const char *real, struct err *err)
{
	struct taker t = { .d = d, .k = k, .err = err };
	struct ingest_counts *c = d->g->counts;
	size_t n_before = k->now.n, n_stale = d->stale.n;
	const char *name, *dot;
	struct buf base;
	int rc;

	buf_init(&base, conf_caps.output_bytes);
	buf_init(&t.title, 4096);
	dot = strrchr(real, '.');
	name = strrchr(real, '/') + 1;
	file_text(&base, name, dot > name ? (size_t)(dot - name) : strlen(name));
	rc = document_sections(document_form(real), base.data, d->text.data, d->text.len,
	    take_section, &t);
	if (rc == 0 && t.now.n > 0)
		rc = add_session(&t, real);
	if (rc == 0) {
		source_names_claim(d->g->naming, d->g->batch);
		known_settle(k, &t.now, &d->stale);
		k->gone = false;
		k->dirty = true;
		*(n_before == 0		     ? &c->documents_new
		    : d->stale.n > n_stale || k->now.n != n_before ? &c->documents_changed
					     : &c->documents_known) += 1;
	}
	names_release(&t.now);
	buf_release(&t.title);
	buf_release(&base);
	return rc == 0 ? 0 : -1;
}

static int
take_file(struct documents *d, const char *path, const char *real, const struct stat *st,
	struct err *err)
{
	struct ingest *g = d->g;
	int64_t time_us = (int64_t)st->st_mtim.tv_sec * US_PER_S + st->st_mtim.tv_nsec / 1000;
	uint8_t sum[SHA256_BYTES];
	uint64_t n_mended;
	char sign[17];
	struct known *k;
	bool forgotten, same;

	if (known_of(d, path, real, &k, err) != 0)
		return -1;
	sign_of(g->o, sign);
	same = !g->o->pruned && !k->gone && strcmp(k->sign, sign) == 0;
	k->seen = true;
	if (same && k->size == (uint64_t)st->st_size && k->time_us == time_us) {
		g->counts->documents_known++;
		return 0;
	}
	if (is_forgotten(d, k, &forgotten, err) != 0)
		return -1;
	if (forgotten) {
		g->counts->pruned++;
		say(d, path, "was forgotten, and stays away (--allow brings it)");
		return 0;
	}
	buf_release(&d->text);
	if (document_text(path, &d->text, sum, &n_mended, err) != 0)
		return -1;
	if (n_mended > 0)
		say(d, path, "has bytes that are no UTF-8, which are read as U+FFFD");
	k->size = (uint64_t)st->st_size;
	k->device = (uint64_t)st->st_dev;
	k->time_us = time_us;
	same = same && memcmp(sum, k->sha256, sizeof(sum)) == 0;
	memcpy(k->sha256, sum, sizeof(sum));
	memcpy(k->sign, sign, sizeof(sign));
	k->dirty = true;
	if (same) {
		g->counts->documents_known++;
		return 0;
	}
	g->rules.session = k->session;
	g->rules.project = project_for(d, real);
	if (*g->rules.project != '\0' && off_why(g->rules.project) != NULL) {
		g->counts->off++;
		k->dirty = false;
		return 0;
	}
	return cut_document(d, k, real, err);
}

int
documents_take(struct documents *d, const char *path, struct err *err)
{
	struct ingest *g = d->g;
	struct stat st;
	char *real;
	int rc;

	if (strcmp(path, "-") == 0)
		return err_set(err, ERR_USAGE,
		    "a document is a file: the standard input has no name by which it is known");
	if (load(d, err) != 0)
		return -1;
	if (stat(path, &st) != 0 || (real = realpath(path, NULL)) == NULL)
		return err_set_errno(err, ERR_NOINPUT, "cannot open '%s'", path);
	ingest_rules(g, path);
	batch_input(g->batch, path);
	arena_reset(&d->arena);
	rc = take_file(d, path, real, &st, err);
	free(real);
	return rc;
}

/* ---- what is there no more ---- */

/* Whether there is anything in the directory. */
static bool
has_files(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	bool any = false;

	while (dir != NULL && !any && (e = readdir(dir)) != NULL)
		any = strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	if (dir != NULL)
		closedir(dir);
	return any;
}

static bool
is_below(const char *path, const char *directory)
{
	size_t len = strlen(directory);

	return strncmp(path, directory, len) == 0 && (path[len] == '/' || len == 1);
}

int
documents_below(struct documents *d, const char *path, bool *any, struct err *err)
{
	char *real = realpath(path, NULL);

	*any = false;
	if (load(d, err) != 0) {
		free(real);
		return -1;
	}
	for (size_t i = 0; real != NULL && i < d->files.n && !*any; i++)
		*any = is_below(d->files.at[i].path, real);
	free(real);
	return 0;
}

int
documents_walked(struct documents *d, const char *path, struct err *err)
{
	struct stat st;
	char *real, text[100];
	size_t n_kept = 0;
	bool there;

	if (d->g->s == NULL || *d->g->o->stop || d->g->stopped || stat(path, &st) != 0 ||
	    !S_ISDIR(st.st_mode) || (real = realpath(path, NULL)) == NULL)
		return 0;
	if (load(d, err) != 0) {
		free(real);
		return -1;
	}
	there = has_files(path);
	for (size_t i = 0; i < d->files.n_loaded; i++) {
		struct known *k = &d->files.at[i];
		struct names none = { NULL, 0, 0 };

		if (k->seen || k->gone || k->moved || !is_below(k->path, real) ||
		    access(k->path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR))
			continue;
		if (!there && k->device != (uint64_t)st.st_dev) {
			n_kept++;
			continue;
		}
		k->n_went = k->now.n;
		known_settle(k, &none, &d->stale);
		k->gone = k->dirty = true;
		d->g->counts->documents_gone++;
	}
	if (n_kept > 0) {
		snprintf(text, sizeof(text), "is empty, and may not be mounted: %zu documents that "
		    "were read from it stay", n_kept);
		say(d, path, text);
	}
	free(real);
	return 0;
}

/* ---- the end ---- */

/* The rows of the sections that go. */
static int
stale_rows(struct documents *d, const struct scope *who, int64_t **rows, size_t *n,
	struct err *err)
{
	const struct message *m;

	*rows = xreallocarray(NULL, d->stale.n + 1, sizeof(**rows));
	for (size_t i = 0; i < d->stale.n; i++) {
		arena_reset(&d->arena);
		if (messages_find(d->g->s, who, arena_printf(&d->arena, "source:%s",
		    d->stale.at[i]), &d->arena, &m, err) != 0)
			return -1;
		if (m != NULL)
			(*rows)[(*n)++] = m->row;
	}
	return 0;
}

/* Sessions of files that are gone: those in which nobody else has put anything go as a whole. */
static int
gone_sessions(struct documents *d, const struct scope *who, const char **names, size_t *n,
	struct err *err)
{
	for (size_t i = 0; i < d->files.n; i++) {
		struct known *k = &d->files.at[i];
		int64_t turns;

		if (k->n_went == 0)
			continue;
		if (sessions_count(d->g->s, who, k->session, &turns, err) != 0)
			return -1;
		if (turns > 0 && (size_t)turns <= k->n_went)
			names[(*n)++] = k->session;
	}
	return 0;
}

static int
write_all(struct documents *d, const struct scope *who, const struct going *going,
	struct err *err)
{
	int64_t n_messages;

	if (store_begin_user(d->g->s, who->user, err) != 0)
		return -1;
	if (going->n_rows + going->n_sessions > 0 &&
	    going_remove(d->g->s, who, going, &n_messages, err) != 0)
		goto fail;
	for (size_t i = 0; i < d->files.n; i++)
		if ((d->files.at[i].dirty || d->files.at[i].moved) &&
		    known_put(d->g->s, who, &d->files.at[i], err) != 0)
			goto fail;
	return store_commit(d->g->s, err);
fail:
	store_rollback(d->g->s);
	return -1;
}

int
documents_end(struct documents *d, struct err *err)
{
	struct scope who = { d->g->o->user, NULL, NULL, NULL };
	const char **names;
	struct going going = { .n_rows = 0 };
	int64_t *rows = NULL;
	size_t n_dirty = 0;
	int rc = -1;

	for (size_t i = 0; i < d->files.n; i++)
		n_dirty += d->files.at[i].dirty || d->files.at[i].moved;
	if (n_dirty == 0 || d->g->s == NULL || d->g->o->dry_run)
		return 0;
	if (batch_commit(d->g->batch, err) != 0)
		return ingest_fatal(d->g);
	names = xreallocarray(NULL, d->files.n + 1, sizeof(*names));
	if (stale_rows(d, &who, &rows, &going.n_rows, err) == 0 &&
	    gone_sessions(d, &who, names, &going.n_sessions, err) == 0) {
		going.rows = rows;
		going.sessions = names;
		rc = write_all(d, &who, &going, err);
	}
	free(rows);
	free(names);
	return rc == 0 ? 0 : ingest_fatal(d->g);
}

