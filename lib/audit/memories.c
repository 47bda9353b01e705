/*
 * memories.c: a file is told by its first bytes: a database, JSON, or else text. Each JSON value
 * goes through the map, which gives records with our keys.
 */
#include "audit/memories.h"

#include <dirent.h>
#include <sys/stat.h>

#include "audit/memories_parts.h"
#include "base/alloc.h"
#include "base/embedded.h"
#include "facts/subject.h"
#include "ingest/detect.h"
#include "ingest/json/stream.h"
#include "json/json.h"
#include "json/ndjson.h"
#include "store/foreign.h"
#include "text/secrets.h"

#define DOCUMENT_BYTES (256u << 20)        /* the longest JSON document or text */
#define MAP_BYTES      (1u << 20)
#define DEPTH_MOST     32                  /* of directories */

struct input {
	struct memories *m;
	const struct memories_input *how;
	const char *file;                  /* lives as long as m */
	struct jq_program *map;            /* NULL until a value needs it */
	struct arena arena;                /* emptied after each value */
	uint64_t line;                     /* of the value; 0: it has none */
	size_t n_bad;
	size_t n_other;                    /* records of ours that are no memory by themselves */
};

void
memories_release(struct memories *m)
{
	free(m->items);
	arena_release(&m->arena);
}

void
memories_add(struct memories *m, const struct memory_item *r)
{
	xgrow(&m->items, &m->cap, m->n + 1, sizeof(*m->items));
	m->items[m->n] = *r;
	if (r->whose == NULL)
		m->items[m->n].whose = m->items[m->n].project = "";
	m->n++;
}

/* ---- JSON ---- */

static int
read_map(const char *map, struct buf *text, struct err *err)
{
	struct ndjson *file;
	const char *bytes;
	size_t len;
	struct stat st;
	int rc;

	if (stat(map, &st) != 0 || !S_ISREG(st.st_mode)) {
		buf_adds(text, map);
		return 0;
	}
	if (ndjson_open(map, 0, &file, err) != 0)
		return -1;
	if ((rc = ndjson_rest(file, MAP_BYTES, &bytes, &len, err)) >= 0)
		buf_add(text, bytes, len);
	ndjson_close(file);
	return rc < 0 ? -1 : 0;
}

static int
open_map(struct input *in, struct err *err)
{
	const struct embedded *built_in = embedded_find("schema/memory/forms.jq");
	int rc = 0;

	if (in->map != NULL)
		return 0;
	LOCAL(buf) text = buf_of(2 * MAP_BYTES);
	if (in->how->map != NULL)
		rc = read_map(in->how->map, &text, err);
	else
		buf_add(&text, built_in->text, built_in->len);
	if (rc == 0)
		rc = jq_compile_text(text.data, "map", NULL, &in->map, err);
	return rc;
}

static int64_t
read_time(const struct json *v, const char *key)
{
	const struct json *t = json_get(v, key);
	char digits[40];
	int64_t us;

	if (t == NULL)
		return TIME_NONE;
	if (t->kind == JSON_STRING)
		return time_parse(t->u.string, t->len, &us, NULL) == 0 ? us : TIME_NONE;
	if (t->kind != JSON_NUMBER)
		return TIME_NONE;
	snprintf(digits, sizeof(digits), "%.3f", t->u.number);
	return time_parse(digits, strlen(digits), &us, NULL) == 0 ? us : TIME_NONE;
}

static const char *
keep_string(struct input *in, const struct json *v, const char *key)
{
	size_t len;
	const char *s = json_get_string(v, key, &len);

	return s != NULL ? arena_strndup(&in->m->arena, s, len) : "";
}

/* Takes a record that the map gives. */
static int
take_record(void *arg, const struct json *v)
{
	struct input *in = arg;
	const struct json *lines = json_get(v, "lines");
	struct memory_item r = {
		.form = keep_string(in, v, "form"),
		.file = in->file,
		.line = in->line,
		.id = keep_string(in, v, "id"),
		.content = keep_string(in, v, "content"),
		.about = keep_string(in, v, "about"),
		.whose = "",
		.project = "",
		.time_us = read_time(v, "time"),
		.until_us = read_time(v, "until"),
	};

	r.len = strlen(r.content);
	if (strcmp(r.form, "other") == 0)
		in->n_other++;
	else if (lines != NULL && lines->kind == JSON_TRUE)
		memories_lines(in->m, &r);
	else if (r.len > 0)
		memories_add(in->m, &r);
	return 0;
}

static int
take_value(struct input *in, const char *text, size_t len, struct err *err)
{
	if (open_map(in, err) != 0)
		return -1;
	int rc = jq_run(in->map, text, len, &in->arena, take_record, in, err);
	arena_reset(&in->arena);
	return rc;
}

/* Says that a value is not read, and goes on; -1 for an error of another kind. */
static int
pass_over(struct input *in, uint64_t number, struct err *err)
{
	char where[32];

	if (err->code != ERR_DATA)
		return -1;
	snprintf(where, sizeof(where), "%llu", (unsigned long long)number);
	in->how->bad(arena_printf(&in->arena, "%s:%s", in->file, where), err->msg);
	in->m->n_bad++;
	arena_reset(&in->arena);
	in->n_bad++;
	*err = (struct err)ERR_INIT;
	return 0;
}

static int
read_lines(struct input *in, struct ndjson *file, struct err *err)
{
	const char *line;
	size_t len;
	int got;

	while ((got = ndjson_next(file, &line, &len, err)) > 0) {
		in->line = ndjson_line(file);
		if (got == NDJSON_TOO_LONG)
			err_set(err, ERR_DATA, "a line that is too long");
		if ((got == NDJSON_TOO_LONG || take_value(in, line, len, err) != 0) &&
		    pass_over(in, in->line, err) != 0)
			return -1;
	}
	return got;
}

static ptrdiff_t
read_bytes(void *arg, void *p, size_t n, struct err *err)
{
	return ndjson_read(arg, p, n, err);
}

/* Reads a document: its values, or the elements of an array, one by one. */
static int
read_document(struct input *in, struct ndjson *file, struct err *err)
{
	struct json_stream *e = json_stream_open(read_bytes, file, DOCUMENT_BYTES,
	    DOCUMENT_BYTES);
	const char *text;
	size_t len;
	int got;

	in->line = 0;
	while ((got = json_stream_next(e, &text, &len, err)) > 0) {
		if (got == JSON_STREAM_CUT) {
			got = err_set(err, ERR_DATA, "%s: it breaks off", in->file);
			break;
		}
		if (got == JSON_STREAM_TOO_LONG)
			err_set(err, ERR_DATA, "a value that is too long");
		if ((got == JSON_STREAM_TOO_LONG || take_value(in, text, len, err) != 0) &&
		    (got = pass_over(in, json_stream_number(e), err)) != 0)
			break;
	}
	json_stream_close(e);
	return got;
}

/* ---- databases ---- */

static int
take_row(void *arg, const char *row, size_t len)
{
	struct input *in = arg;
	struct err err = ERR_INIT;

	if (take_value(in, row, len, &err) == 0)
		return 0;
	return pass_over(in, in->m->n + 1, &err);
}

/* Runs the first of the statements whose tables are there. */
static int
read_database(struct input *in, const char *path, struct err *err)
{
	struct foreign *f;
	const char *p, *stop, *found = NULL;
	size_t len = 0;

	if (foreign_open(path, &f, err) != 0)
		return -1;
	in->line = 0;
	for (const struct embedded *e = embedded_files; e->name != NULL && found == NULL; e++) {
		if (strncmp(e->name, "schema/memory/", 14) != 0 ||
		    strcmp(e->name + strlen(e->name) - 4, ".sql") != 0)
			continue;
		for (p = e->text; found == NULL && (stop = strstr(p, ";\n")) != NULL; p = stop + 2)
			if (foreign_takes(f, p, (size_t)(stop - p))) {
				found = p;
				len = (size_t)(stop - p);
			}
	}
	int rc = found == NULL
	    ? err_set(err, ERR_DATA, "'%s': a database of no memory that is known", path)
	    : foreign_each(f, found, len, take_row, in, err);
	foreign_close(f);
	return rc;
}

/* ---- files ---- */

static bool
ends(const char *name, const char *with)
{
	size_t n = strlen(name), w = strlen(with);

	return n > w && strcmp(name + n - w, with) == 0;
}

/* Reads the text of a note; what is neither text nor named as one is ERR_DATA. */
static int
read_text(struct input *in, struct ndjson *file, struct err *err)
{
	const char *bytes;
	size_t len;

	if (ndjson_rest(file, DOCUMENT_BYTES, &bytes, &len, err) < 0)
		return -1;
	if (memchr(bytes, '\0', len) != NULL)
		return err_set(err, ERR_DATA, "'%s' is no memory that is known: it is no text",
		    in->file);
	/* of the whole text: a span may go over several lines */
	LOCAL(buf) shown = buf_of(len + 1);
	if (secrets_drop_private(bytes, len, &shown) > 0) {
		bytes = shown.data;
		len = shown.len;
	}
	memories_notes(in->m, in->how->host, in->file, bytes, len);
	return 0;
}

static int
read_open(struct input *in, const char *path, struct ndjson *file, struct err *err)
{
	const char *bytes;
	size_t len, n = in->m->n, bad = in->n_bad, other = in->n_other;
	bool database = false;
	int rc = -1;

	in->file = arena_strdup(&in->m->arena, ndjson_name(file));
	if (ndjson_peek(file, &bytes, &len, err) == 0) {
		size_t blank = 0;

		while (blank < len && strchr(" \t\r\n", bytes[blank]) != NULL)
			blank++;
		if ((database = foreign_is(bytes, len)))
			rc = 0;
		else if (blank == len)
			rc = 0;
		else if (in->how->host != NULL || ends(path_base(path), ".md") ||
		    ends(path_base(path), ".txt") ||
		    (bytes[blank] != '{' && bytes[blank] != '['))
			rc = read_text(in, file, err);
		else if (detect_is_document(bytes, len))
			rc = read_document(in, file, err);
		else
			rc = read_lines(in, file, err);
	}
	ndjson_close(file);
	if (rc == 0 && database)
		rc = read_database(in, path, err);
	if (rc == 0 && in->m->n == n && (in->n_bad > bad || in->n_other > other))
		rc = err_set(err, ERR_DATA, "'%s' holds no memory that is known", in->file);
	return rc;
}

static int
read_file(struct input *in, const char *path, struct err *err)
{
	struct ndjson *file;

	return ndjson_open(path, 0, &file, err) != 0 ? -1 : read_open(in, path, file, err);
}

/* As read_file; what is no memory, or may not be read, is reported, and rc is 0. */
static int
read_one_of_many(struct input *in, const char *path, struct err *err)
{
	if (read_file(in, path, err) == 0)
		return 0;
	if (err->code != ERR_DATA && err->code != ERR_PERM)
		return -1;
	in->how->bad(NULL, err->msg);
	in->m->n_bad++;
	*err = (struct err)ERR_INIT;
	return 0;
}

/* Whether a file of a directory can hold memories, by its name. */
static bool
is_taken(const char *name)
{
	static const char *const forms[] = { ".md", ".json", ".jsonl", ".ndjson", ".txt", ".db" };

	for (size_t i = 0; i < NELEM(forms); i++)
		if (ends(name, forms[i]))
			return true;
	return false;
}

static int
is_shown(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static int
read_directory(struct input *in, const char *path, unsigned depth, struct err *err)
{
	struct dirent **names;
	int n = scandir(path, &names, is_shown, alphasort), rc = 0;
	struct stat st;

	if (n < 0)
		return err_set_errno(err, ERR_NOINPUT, "cannot read '%s'", path);
	if (depth > DEPTH_MOST)
		rc = err_set(err, ERR_DATA, "'%s': directories too deep", path);
	for (int i = 0; i < n; i++) {
		const char *file = arena_printf(&in->m->arena, "%s/%s", path, names[i]->d_name);

		if (rc == 0 && lstat(file, &st) == 0) {
			if (S_ISDIR(st.st_mode))
				rc = read_directory(in, file, depth + 1, err);
			else if (S_ISREG(st.st_mode) && is_taken(names[i]->d_name))
				rc = read_one_of_many(in, file, err);
		}
		free(names[i]);
	}
	free(names);
	return rc;
}

int
memories_read(struct memories *m, const char *path, const struct memories_input *how,
	struct err *err)
{
	struct input in = { .m = m, .how = how };
	struct stat st;
	int rc = strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode)
	    ? read_directory(&in, path, 0, err)
	    : read_file(&in, path, err);

	jq_free(in.map);
	arena_release(&in.arena);
	return rc;
}

int
memories_read_open(struct memories *m, const char *path, struct ndjson *file,
	const struct memories_input *how, struct err *err)
{
	struct input in = { .m = m, .how = how };
	int rc = read_open(&in, path, file, err);

	jq_free(in.map);
	arena_release(&in.arena);
	return rc;
}

/* ---- ours ---- */

struct own { struct memories *m; struct store *s; const struct scope *who; struct err *err; };

static int
take_fact(void *arg, const struct fact *f)
{
	struct own *o = arg;
	struct memories *m = o->m;
	const struct record_head *h = &f->head;
	struct memory_item r = { .form = "mem", .file = "", .about = "", .len = h->content_len,
		.time_us = h->time_us, .until_us = f->valid_to_us, .n_sources = h->n_sources,
		.given = h->origin == ORIGIN_USER && h->n_sources == 0 };
	struct record_source *sources =
	    arena_alloc(&m->arena, (r.n_sources + 1) * sizeof(*sources));
	struct fact_subject subject = { .of = "" };

	for (size_t i = 0; i < r.n_sources; i++) {
		sources[i] = h->sources[i];
		sources[i].id = arena_strdup(&m->arena, sources[i].id);
	}
	r.id = arena_strdup(&m->arena, h->id);
	r.content = arena_strndup(&m->arena, h->content, h->content_len);
	r.sources = sources;
	r.project = arena_strdup(&m->arena, h->project);
	if (h->type == RECORD_FACT &&
	    fact_subject(o->s, o->who, f, &m->arena, &subject, o->err) != 0)
		return -1;
	r.label = subject.label;
	if (*r.project == '\0' && r.label > 0 && fact_label_is_path(r.content, r.label))
		r.project = arena_strndup(&m->arena, r.content, r.label - 2);
	/* what is of a project is told by that */
	r.whose = subject.of != NULL && strcmp(subject.of, r.project) != 0 ? subject.of : "";
	memories_add(m, &r);
	return 0;
}

int
memories_of_store(struct memories *m, struct store *s, const struct scope *who, struct err *err)
{
	struct record_filter facts = RECORD_FILTER_ANY(RECORD_FACT);
	struct record_filter notes = RECORD_FILTER_ANY(RECORD_REFLECTION);
	struct own o = { m, s, who, err };

	if (records_each(s, who, &facts, take_fact, &o, err) != 0)
		return -1;
	return records_each(s, who, &notes, take_fact, &o, err);
}
