/*
 * documents.c: reads documents. A section is known by its headings and words, so of a file that has
 * changed only what is new is stored; what is no more in it is gathered (documents_gone.c).
 */
#include "ingest/documents.h"

#include <sys/stat.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/hash.h"
#include "base/project.h"
#include "base/system.h"
#include "base/zip.h"
#include "clean/html.h"
#include "formats/document.h"
#include "formats/turns.h"
#include "ingest/document_known.h"
#include "store/prune.h"

#define READER  2                  /* counts up when sections are cut in another way */

int
documents_load(struct documents *d, struct err *err)
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
	const char *real;

	*knows = false;
	if (documents_load(d, err) != 0)
		return -1;
	if (d->files.n > 0 && (real = file_real(&d->g->real, path)) != NULL)
		k = known_find(&d->files, real);
	*knows = k != NULL && !k->gone;
	return 0;
}

struct documents *
documents_new(struct ingest *g)
{
	struct documents *d = xcalloc(1, sizeof(*d));

	d->g = g;
	buf_init(&d->text, 0);
	buf_init(&d->html, 0);
	buf_init(&d->root, conf_caps.output_bytes);
	buf_init(&d->json, SIZE_MAX / 4);
	buf_init(&d->place, conf_caps.output_bytes);
	buf_init(&d->directory, conf_caps.output_bytes);
	return d;
}

void
documents_free(struct documents *d)
{
	if (d == NULL)
		return;
	known_release(&d->files);
	buf_release(&d->text);
	buf_release(&d->html);
	buf_release(&d->root);
	buf_release(&d->json);
	buf_release(&d->place);
	buf_release(&d->directory);
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

#define ID_BYTES_MOST (sizeof(SECTION_ID) + SECTION_PLACE + 1 + SECTION_WORDS)

struct piece {
	const char *path, *text, *id;
	size_t len;
	uint64_t line;
};

/* The sections of a document, in the arena of documents. */
struct taker {
	struct documents *d;
	struct known *k;
	struct piece *pieces;
	size_t n, cap;
	struct names ids;
	struct keyed seen;
	const char *title;                 /* of the document */
};

static void
add_digits(char *to, const char *a, const void *b, size_t len, size_t n)
{
	uint8_t sum[SHA256_BYTES];
	struct sha256 h;

	sha256_init(&h);
	sha256_add(&h, a, strlen(a) + 1);
	sha256_add(&h, b, len);
	sha256_end(&h, sum);
	hex_format(sum, n / 2, to);
}

/* A heading without text is its own words. */
static void
section_id(const char *session, const struct section *s, char out[ID_BYTES_MOST])
{
	char *to = out + strlen(SECTION_ID);
	bool any = s->len > 0;

	memcpy(out, SECTION_ID, sizeof(SECTION_ID));
	add_digits(to, session, s->path, strlen(s->path), SECTION_PLACE);
	to += SECTION_PLACE;
	*to++ = ':';
	add_digits(to, "", any ? s->text : s->path, any ? s->len : strlen(s->path),
	    SECTION_WORDS);
}

static int
take_section(void *arg, const struct section *s)
{
	struct taker *t = arg;
	struct arena *a = &t->d->arena;
	char id[ID_BYTES_MOST];

	section_id(t->k->session, s, id);
	struct keyed_slot *seen = keyed_at(&t->seen, hash64(id, strlen(id), 0));
	if (seen->counted)                     /* the same words stand there twice */
		return 0;
	seen->counted = true;
	if (t->n == 0)
		t->title = arena_strdup(a, s->title);
	names_add(&t->ids, id);
	*xpush(t->pieces, t->n, t->cap) = (struct piece){ arena_strdup(a, s->path),
		arena_strndup(a, s->text, s->len), arena_strdup(a, id), s->len, s->line };
	return 0;
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

/* What is stored of a section: where it stands, and below that its words. */
static int
add_section(struct documents *d, const struct piece *s, struct err *err)
{
	struct json_member members[5];
	struct json v = { JSON_OBJECT, 0, { .members = members } };
	size_t path = strlen(s->path), gap = s->len > 0 ? 2 : 0;

	arena_reset(&d->g->arena);
	char *text = arena_alloc(&d->g->arena, path + gap + s->len + 1);
	memcpy(text, s->path, path);
	memcpy(text + path, "\n\n", gap);
	memcpy(text + path + gap, s->text, s->len);
	text[path + gap + s->len] = '\0';
	json_put_text(&v, "role", "document", 8);
	json_put_text(&v, "content", text, path + gap + s->len);
	json_put_text(&v, "source_id", s->id, strlen(s->id));
	json_put_text(&v, "heading", s->path, path);
	members[v.len++] = (struct json_member){ "trust", 5, { JSON_NUMBER, 0, { .number = 1 } } };
	batch_unit(d->g->batch, text, path + gap + s->len, false);
	return add_record(d, &v, s->line, err);
}

/* Adds what is told of the document as a whole. */
static int
add_session(struct taker *t, const char *path, struct err *err)
{
	struct documents *d = t->d;
	char written[TIME_TEXT];
	const struct json *v;

	buf_reset(&d->json);
	json_record(&d->json, "session");
	json_str(&d->json, "session", t->k->session);
	json_str(&d->json, "title", t->title);
	json_object_open(&d->json, "metadata");
	json_str(&d->json, "document", path);
	json_str(&d->json, "written", time_format_second(t->k->time_us, written));
	json_close(&d->json);
	json_close(&d->json);
	arena_reset(&d->g->arena);
	if (json_parse(d->json.data, d->json.len, &d->g->arena, &v, err) != 0)
		return -1;
	return add_record(d, v, 0, err);
}

/* ---- one document ---- */

char *
directory_of(const char *path, struct arena *a)
{
	char *directory = arena_strdup(a, path), *slash = strrchr(directory, '/');

	slash[slash == directory] = '\0';
	return directory;
}

void
documents_say(struct documents *d, const char *path, const char *what)
{
	char text[1200];

	snprintf(text, sizeof(text), "%.1000s: %s", path, what);
	ingest_warn(d->g, text);
}

static int
note_id(void *arg, const struct message *m)
{
	struct names *ids = arg;

	if (m->role == ROLE_DOCUMENT && strncmp(m->source_id, SECTION_ID,
	    strlen(SECTION_ID)) == 0)
		names_add(ids, m->source_id);
	return 0;
}

/* What was imported, and was read from the same path elsewhere, is of the file. */
static int
adopt(struct documents *d, struct known *k, struct err *err)
{
	struct scope who = { d->g->o->user, NULL, NULL, k->session };
	struct message_filter f = MESSAGE_FILTER_ANY;
	struct names ids = { NULL, 0, 0 };
	const struct session *v = NULL;
	const struct json *about;
	const char *path;
	int rc = 0;

	if (d->g->s == NULL)
		return 0;
	if (sessions_find(d->g->s, &who, k->session, &d->arena, &v, err) != 0)
		return ingest_fatal(d->g);
	if (v != NULL && session_is_document(v) &&
	    json_parse(v->metadata, strlen(v->metadata), &d->arena, &about, NULL) == 0 &&
	    (path = json_get_string(about, "document", NULL)) != NULL &&
	    strcmp(path, k->path) == 0) {
		f.role = ROLE_DOCUMENT;
		rc = messages_each(d->g->s, &who, &f, note_id, &ids, err);
	}
	known_settle(k, &ids);
	return rc == 0 ? 0 : ingest_fatal(d->g);
}

/* Finds, or makes, what is known of the file at the absolute path real. */
static int
known_of(struct documents *d, const char *path, const char *real, struct known **out,
	struct err *err)
{
	struct known *k;
	const char *name;

	if ((*out = known_find(&d->files, real)) != NULL) {
		source_names_pass(d->g->naming, real);
		return 0;
	}
	if (batch_settle(d->g->batch, err) != 0 ||
	    source_names_of(d->g->naming, path, real, true, &name, err) != 0)
		return ingest_fatal(d->g);
	if ((k = known_of_session(&d->files, name)) == NULL) {
		*out = known_add(&d->files, real, name);
		return adopt(d, *out, err);
	}
	/* a file that was moved goes on with what it had; it may have seemed to be gone */
	struct names now = k->now;
	struct names stale = k->stale;
	k->now = k->stale = (struct names){ NULL, 0, 0 };
	k->moved = true;
	if (k->gone)
		d->g->counts->documents_gone--;
	*out = known_add(&d->files, real, name);
	(*out)->now = now;
	(*out)->stale = stale;
	return 0;
}

/* The project of a document: that of the repository that it lies in; "": none. */
static const char *
project_for(struct documents *d, const char *real)
{
	const char *directory = directory_of(real, &d->arena);
	struct stat st;

	if (d->g->o->project[0] != '\0')
		return d->g->o->project;
	if (strcmp(directory, d->directory.data) != 0) {
		buf_reset(&d->directory);
		buf_adds(&d->directory, directory);
		project_of(directory, &d->place);
		if (lstat(arena_printf(&d->arena, "%s/.git", d->place.data), &st) != 0)
			buf_reset(&d->place);
	}
	return d->place.data;
}

static int
is_forgotten(struct documents *d, const struct known *k, bool *is, struct err *err)
{
	struct scope who = { d->g->o->user, NULL, NULL, NULL };

	*is = false;
	if (d->g->s == NULL || d->g->o->pruned || k->gone || k->now.n > 0)
		return 0;
	if (batch_settle(d->g->batch, err) != 0)
		return ingest_fatal(d->g);
	return session_is_gone(d->g->s, &who, k->session, is, err) == 0 ? 0 : ingest_fatal(d->g);
}

/*
 * Makes a page Markdown, and takes out what is not to be stored: of the whole, as a span may go on
 * behind a heading. In a page it may stand as tags, or as text.
 */
static int
clean_document(struct documents *d, const char *real, bool *titled, struct err *err)
{
	struct ingest *g = d->g;
	const char *name = strrchr(real, '/') + 1, *dot = strrchr(name, '.');

	buf_reset(&d->root);
	file_text(&d->root, name, dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name));
	*titled = false;
	g->rules.keep_secrets = g->o->keep_secrets;
	if (record_clean(g->reader, &d->text, &g->rules, err) != 0)
		return -1;
	if (document_form(real) != DOCUMENT_HTML)
		return 0;
	buf_release(&d->html);
	buf_init(&d->html, 3 * d->text.len + 64);
	*titled = html_page(&d->html, d->text.data, d->text.len, &d->root);
	buf_release(&d->text);
	d->text = d->html;
	buf_init(&d->html, 0);
	return record_clean(g->reader, &d->text, &g->rules, err);
}

/* Gives the sections to the batch, behind the note that they come. */
static int
add_sections(struct taker *t, const char *real, struct err *err)
{
	struct documents *d = t->d;
	int rc = 0;

	if (!d->g->o->dry_run)
		known_begin(d->g->batch, t->k, &t->ids);
	for (size_t i = 0; i < t->n && rc == 0; i++)
		rc = add_section(d, &t->pieces[i], err);
	if (rc == 0 && t->n > 0)
		rc = add_session(t, real, err);
	return rc;
}

static int
cut_document(struct documents *d, struct known *k, const char *real, struct err *err)
{
	struct taker t = { .d = d, .k = k };
	struct ingest_counts *c = d->g->counts;
	size_t n_before = k->now.n, n_stale = k->stale.n;
	bool titled;
	int rc = clean_document(d, real, &titled, err);

	if (rc == 0)
		rc = document_sections(document_form(real), d->root.data, titled, d->text.data,
		    d->text.len, take_section, &t);
	if (rc == 0)
		rc = add_sections(&t, real, err);
	if (rc == 0) {
		source_names_claim(d->g->naming, d->g->batch);
		known_settle(k, &t.ids);
		k->gone = false;
		k->dirty = true;
		*(n_before == 0		     ? &c->documents_new
		    : k->stale.n > n_stale || k->now.n != n_before ? &c->documents_changed
					     : &c->documents_known) += 1;
	}
	names_release(&t.ids);
	keyed_release(&t.seen);
	free(t.pieces);
	return rc == 0 ? 0 : -1;
}

/*
 * Reads the text of the file, and notes how it is now. One that cannot be read is noted, too, as
 * asking pdftotext(1) again takes long and gives the same.
 */
static int
read_file(struct documents *d, struct known *k, const char *path, const struct stat *st,
	bool *same, struct err *err)
{
	uint8_t sum[SHA256_BYTES] = { 0 };
	uint64_t n_mended = 0;

	buf_release(&d->text);
	int rc = document_text(path, &d->text, sum, &n_mended, err);
	if (rc != 0 && err->code != ERR_DATA)
		return -1;
	if (n_mended > 0)
		documents_say(d, path, "has bytes that are no UTF-8, which are read as U+FFFD");
	k->size = (uint64_t)st->st_size;
	k->device = (uint64_t)st->st_dev;
	k->time_us = system_written_us(st);
	*same = *same && k->bad == NULL && memcmp(sum, k->sha256, sizeof(sum)) == 0;
	memcpy(k->sha256, sum, sizeof(sum));
	sign_of(d->g->o, k->sign);
	free(k->bad);
	k->bad = rc != 0 ? xstrdup(err->msg) : NULL;
	k->dirty = true;
	return rc;
}

static int
take_file(struct documents *d, const char *path, const char *real, const struct stat *st,
	struct err *err)
{
	struct ingest *g = d->g;
	char sign[17];
	struct known *k;
	bool forgotten, same;

	if (known_of(d, path, real, &k, err) != 0)
		return -1;
	sign_of(g->o, sign);
	same = !g->o->pruned && !k->gone && strcmp(k->sign, sign) == 0;
	k->seen = true;
	if (same && k->size == (uint64_t)st->st_size && k->time_us == system_written_us(st)) {
		k->dirty |= k->device != (uint64_t)st->st_dev;
		k->device = (uint64_t)st->st_dev;
		if (k->bad != NULL)
			return err_set(err, ERR_DATA, "%s", k->bad);
		g->counts->documents_known++;
		return 0;
	}
	if (is_forgotten(d, k, &forgotten, err) != 0)
		return -1;
	if (forgotten) {
		g->counts->pruned++;
		if (!g->o->quiet)
			documents_say(d, path, "was forgotten, and stays away (--allow brings it)");
		return 0;
	}
	if (read_file(d, k, path, st, &same, err) != 0)
		return -1;
	if (!same && !g->o->quiet && ingest_is_auto(g) && g->o->documents != 1 &&
	    turns_may_be_talk(d->text.data, d->text.len))
		documents_say(d, path, "is read as a document (--from=dialog where it is a talk, "
		    "and each turn begins with NAME:)");
	if (same) {
		g->counts->documents_known++;
		return 0;
	}
	g->rules.session = k->session;
	g->rules.project = project_for(d, real);
	return cut_document(d, k, real, err);
}

int
documents_take(struct documents *d, const char *path, struct err *err)
{
	struct ingest *g = d->g;
	const char *real;
	struct stat st;

	if (strcmp(path, "-") == 0)
		return err_set(err, ERR_USAGE,
		    "a document is a file: the standard input has no name by which it is known");
	if (documents_load(d, err) != 0)
		return -1;
	if (!zip_stat(path, &st) || (real = file_real(&g->real, path)) == NULL)
		return err_set_errno(err, ERR_NOINPUT, "cannot open '%s'", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_DATA, "a document is a file, and '%s' is none", path);
	ingest_rules(g, path);
	batch_input(g->batch, path);
	arena_reset(&d->arena);
	return take_file(d, path, arena_strdup(&d->arena, real), &st, err);
}
