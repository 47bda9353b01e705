/*
 * ingest_paths.c: what the user names, a file, a directory or an archive: which files of it are
 * read, each as a transcript or as a document. A faulty file is reported, and the next one is read.
 */
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/off.h"
#include "ingest/documents.h"
#include "ingest/ingest_parts.h"
#include "ingest/walk.h"

void
ingest_passed(void *arg, const char *path, const char *why)
{
	struct ingest *g = arg;
	char text[1200];

	g->counts->passed++;
	if (g->out->note == NULL)
		return;
	snprintf(text, sizeof(text), "%.1000s: passed over, %.100s", path, why);
	g->out->note(g->out->arg, text);
}

/* Notes a file that was read, and in which nobody says anything. */
static void
note_empty(struct ingest *g, const char *path)
{
	char text[1200];

	g->counts->files_empty++;
	if (g->out->note == NULL)
		return;
	snprintf(text, sizeof(text), "%.1000s: of a known form, with nothing that was said in it",
	    path);
	g->out->note(g->out->arg, text);
}

/* Whether the fault ends all; one of the input at hand alone is told, and the others are read. */
static bool
ends_all(struct ingest *g, int rc, struct err *err)
{
	if (rc == 0)
		return false;
	if (g->fatal || err->code == ERR_USAGE || err->code == ERR_BUG)
		return true;
	ingest_bad_input(g, err);
	err_clear(err);
	return false;
}

/* Whether the user has said what files are: 1: documents; 0: none is; -1: he has not. */
static int
says_documents(const struct ingest *g)
{
	if (g->map == NULL && g->o->from != NULL && strcmp(g->o->from, "document") == 0)
		return 1;
	return ingest_is_auto(g) ? g->o->documents : 0;
}

/* Why a file is not read, as memory is off where it lies, or was; NULL: it is. */
static const char *
why_off(struct ingest *g, const char *path)
{
	const char *real = file_real(&g->real, path);
	size_t n = real != NULL ? (size_t)MAX(strrchr(real, '/') - real, 1) : 0;

	if (n > 0 && (g->off_directory.len != n || memcmp(g->off_directory.data, real, n) != 0)) {
		buf_reset(&g->off_directory);
		buf_add(&g->off_directory, real, n);
		g->off_why = off_why(g->off_directory.data);
	}
	if (n > 0 && g->off_why != NULL)
		return g->off_why;
	return off_has_file(path) ? "it grew while memory was off" : NULL;
}

static bool
is_passed_as_off(struct ingest *g, const char *path)
{
	const char *why = why_off(g, path);

	if (why != NULL)
		ingest_passed(g, path, why);
	return why != NULL;
}

static int
take_document(struct ingest *g, const char *path, struct err *err)
{
	if (*g->o->stop || g->stopped)
		return 0;
	g->n_taken++;
	if (is_passed_as_off(g, path))
		return 0;
	int rc = documents_take(g->documents, path, err);
	g->counts->files += rc == 0;
	g->counts->files_bad += rc != 0;
	return ends_all(g, rc, err) ? -1 : 0;
}

/* Whether the file was read as a transcript before. */
static int
was_read(struct ingest *g, const char *path, bool *was, struct err *err)
{
	struct scope who = { g->o->user, NULL, NULL, NULL };
	const char *real = file_real(&g->real, path);
	const struct input_state *state = NULL;

	arena_reset(&g->arena);
	if (g->s != NULL && real != NULL &&
	    (batch_settle(g->batch, err) != 0 ||
		inputs_get(g->s, &who, real, &g->arena, &state, err) != 0))
		return ingest_fatal(g);
	*was = state != NULL;
	return 0;
}

/*
 * A file in a directory is kept until it is known what else lies there. Notes lie in directories:
 * what looks like a dialog is a note there, too, as what the user is told to have said is believed.
 */
static int
on_document(void *arg, const char *path, bool *taken, struct err *err)
{
	struct ingest *g = arg;
	bool was = false;

	if (documents_knows(g->documents, path, taken, err) != 0)
		return -1;
	if (!*taken && ingest_is_auto(g)) {
		enum document_is is = documents_has(path);
		if (is == DOCUMENT_DIALOG && was_read(g, path, &was, err) != 0)
			return -1;
		*taken = is == DOCUMENT_IS || (is == DOCUMENT_DIALOG && !was);
	} else {
		*taken = true;
	}
	if (*taken)
		names_add(&g->maybe, path);
	return 0;
}

static int on_file(void *arg, const char *path, struct err *err);

/* The bytes of a path that lead into an archive; 0: it lies in none. */
static size_t
archive_of(const char *path)
{
	struct stat st;

	for (const char *p = path; (p = strchr(p + 1, '/')) != NULL;) {
		char *name = xstrndup(path, (size_t)(p - path));
		bool file = stat(name, &st) == 0 && S_ISREG(st.st_mode);

		free(name);
		if (file)
			return (size_t)(p + 1 - path);
	}
	return 0;
}

/* Notes a file as programs write them: what is theirs beside it lies in its archive, or around. */
static void
note_log(struct ingest *g, const char *path)
{
	size_t n = archive_of(path), k = g->exports.n;

	if (n == 0)
		g->beside_logs = true;
	else if (k == 0 || strncmp(g->exports.at[k - 1], path, n) != 0)
		names_add(&g->exports, arena_strndup(&g->arena, path, n));
}

static bool
is_in_export(const struct ingest *g, const char *path)
{
	bool in = false;

	for (size_t i = 0; i < g->exports.n && !in; i++)
		in = strncmp(path, g->exports.at[i], strlen(g->exports.at[i])) == 0;
	return in;
}

/*
 * Reads the documents of a directory that was walked. Where programs keep conversations, other
 * texts are theirs: they are passed over, unless some were read before, or are asked for.
 */
static int
take_documents(struct ingest *g, const char *path, struct err *err)
{
	bool known = false, before;
	int rc = 0;

	if (g->maybe.n > 0 && g->beside_logs && says_documents(g) < 1 &&
	    documents_below(g->documents, path, &known, err) != 0)
		return -1;
	for (size_t i = 0; i < g->maybe.n && rc == 0; i++) {
		const char *at = g->maybe.at[i];

		before = known || !g->beside_logs;
		if (is_in_export(g, at) && documents_knows(g->documents, at, &before, err) != 0)
			return -1;
		if (before || says_documents(g) == 1) {
			rc = take_document(g, at, err);
			continue;
		}
		if (documents_has(at) == DOCUMENT_DIALOG) {
			rc = on_file(g, at, err);
			continue;
		}
		g->counts->beside++;
		ingest_passed(g, at, "it may be a document, and lies beside conversations");
	}
	names_release(&g->maybe);
	return rc == 0 ? documents_walked(g->documents, path, err) : -1;
}

static int
on_file(void *arg, const char *path, struct err *err)
{
	struct ingest *g = arg;
	const char *base = path_base(path);
	bool known;

	if (*g->o->stop || g->stopped)
		return 0;
	if (!g->walking && says_documents(g) != 0) {
		if (documents_knows(g->documents, path, &known, err) != 0)
			return -1;
		if (known || !ingest_is_auto(g) || documents_has(path) == DOCUMENT_IS)
			return take_document(g, path, err);
	}
	g->n_taken++;
	if (from_takes(NULL, base))
		note_log(g, path);
	if (slack_is_aside(path)) {
		note_empty(g, path);
		return 0;
	}
	if (is_passed_as_off(g, path))
		return 0;
	g->some = g->some_bad = g->aside = false;
	g->unsure = g->walking;
	int rc = ingest_input(g, path, false, err);
	g->unsure = false;
	if (rc == 0 && g->restart)
		rc = ingest_input(g, path, true, err);
	if (rc == 0 && g->aside)
		ingest_passed(g, path, "it lies beside conversations, and holds none");
	else if (rc == 0 && !g->some && !g->some_bad)
		note_empty(g, path);
	g->counts->files_bad += rc != 0 || (g->some_bad && !g->some);
	return rc != 0 && (err->code == ERR_CONFIG || ends_all(g, rc, err)) ? -1 : 0;
}

static void
on_walk_fault(void *arg, const struct err *err)
{
	ingest_bad_input(arg, err);
}

/*
 * Reads a path given by the user. A directory with files of which none is read is reported, as it
 * cannot be what was meant.
 */
int
ingest_path(struct ingest *g, const char *path, const struct from *wanted, struct err *err)
{
	struct walk_calls calls = { on_file, says_documents(g) != 0 ? on_document : NULL,
	    ingest_passed, on_walk_fault, g, &g->walking };
	uint64_t passed = g->counts->passed, taken = g->n_taken;
	struct err none = ERR_INIT;

	g->beside_logs = false;
	names_release(&g->exports);
	int rc = walk_each(path, wanted, &calls, err);
	g->counts->walked |= g->walking;
	if (rc != 0 || (says_documents(g) != 0 && g->walking && take_documents(g, path, err) != 0))
		return -1;
	passed = g->counts->passed - passed;
	if (g->n_taken == taken && passed > 0 && !*g->o->stop) {
		err_set(&none, ERR_DATA,
		    "%s: none of its %llu files is read, as none is a transcript of a known form",
		    path, (unsigned long long)passed);
		ingest_bad_input(g, &none);
	}
	return 0;
}
