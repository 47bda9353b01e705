/*
 * ingest.c: reads inputs one after the other. For each it finds the format and where reading goes
 * on, then takes it unit by unit, by the format's map or directly, into the batch. A faulty line is
 * reported, counted and skipped; a faulty input ends that input; a fault of the store ends
 * everything.
 */
#include "base/conf.h"
#include "base/off.h"
#include "ingest/documents.h"
#include "ingest/ingest_db.h"
#include "ingest/ingest_parts.h"
#include "ingest/opencode_storage.h"
#include "ingest/walk.h"

/* ---- what is said ---- */

void
ingest_warn(struct ingest *g, const char *text)
{
	if (g->out->warn != NULL)
		g->out->warn(g->out->arg, text);
}

void
ingest_bad_line(struct ingest *g, const char *why)
{
	char text[1200];

	g->unit_bad = g->some_bad = true;
	g->stopped |= g->o->strict;
	snprintf(text, sizeof(text), "%s:%s%llu: %s", input_name(g->in),
	    g->mode == INPUT_ELEMENTS ? " item " : "", (unsigned long long)input_number(g->in),
	    why);
	ingest_warn(g, text);
}

void
ingest_not_read(struct ingest *g)
{
	g->unit_bad = g->some_bad = true;
	g->stopped |= g->o->strict;
}

/*
 * Tells what of the input is not read, by its kinds. When that is more than is read, the input is
 * not what it was taken for, and that is a fault of it.
 */
static int
tell_unread(struct ingest *g, struct err *err)
{
	uint64_t n = unread_units(g->unread), of = MAX(g->n_pieces, g->n_units);
	struct buf b;
	int rc = 0;

	if (n == 0)
		return 0;
	buf_init(&b, 4096);
	buf_addf(&b, "%.1000s: %s: ", input_name(g->in), from_name(g->from));
	unread_tell(g->unread, of, g->rows != NULL ? "rows" : g->mode == INPUT_LINES ? "lines"
										     : "items", &b);
	if (2 * n > of)
		rc = err_set(err, ERR_DATA, "%s", b.data);
	else
		ingest_warn(g, b.data);
	buf_release(&b);
	return rc;
}

void
ingest_bad_input(struct ingest *g, const struct err *err)
{
	ingest_warn(g, err->msg);
	if (*g->worst == 0)
		*g->worst = err->code;
}

int
ingest_fatal(struct ingest *g)
{
	g->fatal = true;
	return -1;
}

int
ingest_reject(struct ingest *g, const char *unit, size_t len, struct err *err)
{
	g->counts->rejected++;
	if (!batch_unit_rejected(g->batch))
		return 0;
	return rejects_add(g->rejects, unit, len, g->mode != INPUT_LINES, &g->arena, err) == 0
	    ? 0
	    : ingest_fatal(g);
}

static int
commit(struct ingest *g, struct err *err)
{
	return batch_commit(g->batch, err) == 0 ? 0 : ingest_fatal(g);
}

int
ingest_hand_over(struct ingest *g, struct err *err)
{
	return batch_send(g->batch, err) == 0 ? 0 : ingest_fatal(g);
}

/* ---- one input ---- */

static int
on_idle(void *arg, struct err *err)
{
	struct ingest *g = arg;

	return batch_is_empty(g->batch) ? 0 : commit(g, err);
}

static int64_t
on_wait(void *arg)
{
	struct ingest *g = arg;

	return batch_ms_left(g->batch);
}

/*
 * Whether the line at hand, which is too long, may be a document of one line, of which the format
 * takes pieces: the file is then read again.
 */
static bool
may_be_document(const struct ingest *g)
{
	return g->mode == INPUT_LINES && input_number(g->in) == 1 && from_plan(g->from) != NULL &&
	    g->rows == NULL && strcmp(g->place.name, "-") != 0;
}

/*
 * Reads one unit. *consumed: reading never needs to come back to it. Returns 1 to go on, 0 when the
 * input ends here, -1.
 */
static int
next_unit(struct ingest *g, bool *consumed, struct err *err)
{
	const struct json *v;
	const char *unit;
	size_t len;
	bool json = true;
	char why[80];
	int torn = 0, got = input_next(g->in, &unit, &len, err);

	*consumed = true;
	if (got <= 0)
		return got;
	g->unit_bad = false;
	g->n_units++;
	arena_reset(&g->arena);
	batch_unit(g->batch, unit, len, g->mode != INPUT_LINES);
	if (got == INPUT_TOO_LONG && may_be_document(g)) {
		g->restart = g->is_document = true;
		return 0;
	}
	if (got == INPUT_TOO_LONG) {
		snprintf(why, sizeof(why), "%s is too long (setting line_bytes)",
		    g->mode == INPUT_ELEMENTS ? "an item" : "the line");
		ingest_bad_line(g, why);
		batch_add_bad(g->batch);
		g->counts->rejected++;
		/*
		 * a file that grows would later give the rest of this line as a line of its own, so
		 * the line is read again then
		 */
		*consumed = !input_is_unended(g->in);
		return !g->stopped;
	}
	if (got == INPUT_CUT) {
		ingest_bad_line(g,
		    len > 0 ? "the file ends inside this item"
			    : "the file ends before its array is closed");
		if (len > 0)
			return ingest_reject(g, unit, len, err);
		g->counts->rejected++;
		return 0;
	}
	/* a power cut leaves NULs where a record was not written, around others that were */
	if (g->mode == INPUT_LINES) {
		while (len > 0 && unit[len - 1] == '\0')
			len--;
		for (; len > 0 && *unit == '\0'; unit++)
			len--;
		if (len == 0)
			return 1;
	}
	if ((got == INPUT_LONG ? ingest_long_unit(g, input_long(g->in), &json, err)
			       : ingest_unit(g, unit, len, &json, err)) != 0)
		return -1;
	if (!json && g->unsure && g->n_records == 0 &&
	    json_parse(unit, len, &g->arena, &v, NULL) == 0) {
		g->held = true;
		err_clear(err);
		return 1;
	}
	if (!json && g->mode == INPUT_LINES && (got != INPUT_PARTIAL || !growing_is_on(g->grown)) &&
	    (torn = ingest_torn_line(g, unit, len, err)) < 0)
		return -1;
	if (!json && torn == 0) {
		/*
		 * a last line without a newline may be half written: it is not consumed, and read
		 * again when the file has grown
		 */
		*consumed = got != INPUT_PARTIAL;
		if (*consumed) {
			ingest_bad_line(g, err->msg);
		} else {
			char cut[1100];

			snprintf(cut, sizeof(cut), "%s; the last line has no newline", err->msg);
			ingest_bad_line(g, cut);
		}
		err_clear(err);
		batch_add_bad(g->batch);
		g->n_records++;
	}
	/* a line that will be read again is counted, but is no reject */
	if (!*consumed && growing_is_on(g->grown))
		g->counts->rejected++;
	else if (g->unit_bad && got == INPUT_LONG)
		g->counts->rejected++;
	else if (g->unit_bad && ingest_reject(g, unit, len, err) != 0)
		return -1;
	return !g->stopped && !g->restart;
}

static void
note_read(struct ingest *g)
{
	growing_note(g->grown, g->batch, g->positional,
	    &(struct growing_place){ g->place.state.data, g->cwd_session.data,
		g->cwd_project.data });
}

/* Tells how many characters of the input were replaced. */
static void
tell_mended(struct ingest *g)
{
	uint64_t n = g->n_mended + input_mended(g->in);
	char text[1200];

	if (n == 0)
		return;
	snprintf(text, sizeof(text),
	    "%.1000s: %llu %s read as U+FFFD (half of a pair, a NUL, or no UTF-8)",
	    input_name(g->in), (unsigned long long)n,
	    n == 1 ? "character that is none is" : "characters that are none are");
	ingest_warn(g, text);
}

int
ingest_units(struct ingest *g, struct err *err)
{
	bool consumed, all = true;
	int got;

	while ((got = next_unit(g, &consumed, err)) > 0) {
		all &= consumed;
		if (consumed)
			growing_saw(g->grown, input_offset(g->in), input_line(g->in));
		if (batch_is_full(g->batch)) {
			note_read(g);
			if (ingest_hand_over(g, err) != 0)
				return -1;
		}
		if (*g->o->stop)
			break;
	}
	if (got < 0)
		return -1;
	/* blank lines at the end were read as well, so they count as seen */
	if (got == 0 && all && consumed && !g->stopped && !g->restart)
		growing_saw(g->grown, input_offset(g->in), input_line(g->in));
	if (got == 0 && !g->stopped && !g->restart && !*g->o->stop) {
		if (ingest_unit_end(g, err) != 0)
			return -1;
		if (all && input_is_packed(g->in))
			growing_saw_packed(g->grown, g->from);
	}
	tell_mended(g);
	note_read(g);
	return tell_unread(g, err);
}

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

static int
read_input(struct ingest *g, const char *path, bool whole, struct err *err)
{
	int rc;

	g->idle = (struct input_idle){ on_idle, on_wait, g, g->o->stop };
	g->positional = g->restart = g->held = false;
	g->n_mended = 0;
	g->n_units = g->n_pieces = 0;
	unread_reset(g->unread);
	g->is_document &= whole;
	ingest_rules(g, path);
	batch_input(g->batch, strcmp(path, "-") == 0 ? "stdin" : path);
	/* the store is read from here to the first unit, so its writing thread must be idle */
	rc = batch_settle(g->batch, err) == 0 ? ingest_look_up(g, path, err) : ingest_fatal(g);
	if (rc != 0)
		goto out;
	if (!whole && growing_is_done(g->grown)) {
		g->counts->files_known++;
		g->some = true;
		goto out;
	}
	if (!opencode_storage_is(path) && (rc = input_open(path, &g->idle, &g->in, err)) != 0)
		goto out;
	g->some |= !whole && growing_resumes(g->grown);
	rc = !whole && growing_resumes(g->grown) ? ingest_resume(g, err) : ingest_start(g, err);
out:
	g->counts->files += rc == 0 && g->in != NULL && !whole;
	input_close(g->in);
	g->in = NULL;
	if (db_rows_end(g->rows, rc == 0 ? err : NULL) != 0)
		rc = -1;
	g->rows = NULL;
	growing_close(g->grown);
	g->grown = NULL;
	return rc;
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
	return off_has(path) ? "it grew while memory was off" : NULL;
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
	int rc;

	if (*g->o->stop || g->stopped)
		return 0;
	g->n_taken++;
	if (is_passed_as_off(g, path))
		return 0;
	rc = documents_take(g->documents, path, err);
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
	enum document_is is;
	bool was = false;

	if (documents_knows(g->documents, path, taken, err) != 0)
		return -1;
	if (!*taken && ingest_is_auto(g)) {
		is = documents_has(path);
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

/*
 * Reads the documents of a directory that was walked. Where programs keep conversations, other
 * texts are theirs: they are passed over, unless some were read before, or are asked for.
 */
static int
take_documents(struct ingest *g, const char *path, struct err *err)
{
	bool known = false;
	int rc = 0;

	if (g->maybe.n > 0 && g->beside_logs && says_documents(g) < 1 &&
	    documents_below(g->documents, path, &known, err) != 0)
		return -1;
	for (size_t i = 0; i < g->maybe.n && rc == 0; i++) {
		if (!g->beside_logs || known || says_documents(g) == 1) {
			rc = take_document(g, g->maybe.at[i], err);
			continue;
		}
		if (documents_has(g->maybe.at[i]) == DOCUMENT_DIALOG) {
			rc = on_file(g, g->maybe.at[i], err);
			continue;
		}
		g->counts->beside++;
		ingest_passed(g, g->maybe.at[i],
		    "it may be a document, and lies beside conversations");
	}
	names_release(&g->maybe);
	return rc == 0 ? documents_walked(g->documents, path, err) : -1;
}

static int
on_file(void *arg, const char *path, struct err *err)
{
	struct ingest *g = arg;
	const char *base = strrchr(path, '/');
	bool known;
	int rc;

	if (*g->o->stop || g->stopped)
		return 0;
	if (!g->walking && says_documents(g) != 0) {
		if (documents_knows(g->documents, path, &known, err) != 0)
			return -1;
		if (known || !ingest_is_auto(g) || documents_has(path) == DOCUMENT_IS)
			return take_document(g, path, err);
	}
	g->n_taken++;
	g->beside_logs |= from_takes(NULL, base != NULL ? base + 1 : path);
	if (slack_is_aside(path)) {
		note_empty(g, path);
		return 0;
	}
	if (is_passed_as_off(g, path))
		return 0;
	g->some = g->some_bad = g->aside = false;
	g->unsure = g->walking;
	rc = read_input(g, path, false, err);
	g->unsure = false;
	if (rc == 0 && g->restart)
		rc = read_input(g, path, true, err);
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
static int
read_path(struct ingest *g, const char *path, const struct from *wanted, struct err *err)
{
	struct walk_calls calls = { on_file, says_documents(g) != 0 ? on_document : NULL,
	    ingest_passed, on_walk_fault, g };
	uint64_t passed = g->counts->passed, taken = g->n_taken;
	struct err none = ERR_INIT;

	g->walking = walk_is_wanted(path);
	g->counts->walked |= g->walking;
	g->beside_logs = false;
	if (walk_each(path, wanted, &calls, err) != 0 ||
	    (says_documents(g) != 0 && g->walking && take_documents(g, path, err) != 0))
		return -1;
	passed = g->counts->passed - passed;
	if (g->n_taken == taken && passed > 0) {
		err_set(&none, ERR_DATA,
		    "%s: none of its %llu files is read, as none is a transcript of a known form",
		    path, (unsigned long long)passed);
		ingest_bad_input(g, &none);
	}
	return 0;
}

static int
open_outputs(struct ingest *g, struct err *err)
{
	if (g->o->map != NULL && from_open_map(g->o->map, &g->map, err) != 0)
		return -1;
	if (!ingest_is_auto(g) && g->map == NULL &&
	    ingest_format(g, g->o->from, &g->from, err) != 0)
		return -1;
	if (rejects_open(g->o->rejects, &g->rejects, err) != 0)
		return -1;
	if (g->o->rejects != NULL)
		batch_keep_units(g->batch, g->rejects);
	return 0;
}

int
ingest(struct store *s, const struct ingest_options *o, const struct ingest_out *out,
	char *const *paths, size_t n, struct ingest_counts *counts, int *worst, struct err *err)
{
	struct ingest g = { .s = s, .o = o, .out = out, .counts = counts, .worst = worst };
	struct err late = ERR_INIT;
	const struct from *wanted;
	int rc = -1;

	memset(counts, 0, sizeof(*counts));
	*worst = 0;
	buf_init(&g.base, conf_caps.output_bytes);
	buf_init(&g.directory, conf_caps.output_bytes);
	g.people = slack_people_new();
	g.channels = slack_channels_new(s, o);
	buf_init(&g.cwd_session, conf_caps.output_bytes);
	buf_init(&g.cwd_project, conf_caps.output_bytes);
	buf_init(&g.off_place, conf_caps.output_bytes);
	buf_init(&g.off_directory, conf_caps.output_bytes);
	file_real_init(&g.real);
	from_place_init(&g.place);
	g.reader = record_reader_new();
	g.batch = batch_new(s, o, out, counts);
	g.naming = source_names_new(s, o);
	g.unread = unread_new();
	g.documents = documents_new(&g);
	if (open_outputs(&g, err) != 0)
		goto out;
	wanted = ingest_is_auto(&g) ? NULL : g.map != NULL ? g.map : g.from;
	for (size_t i = 0; i < n; i++)
		if (read_path(&g, paths[i], wanted, err) != 0)
			goto out;
	rc = commit(&g, err);
	if (rc == 0)
		batch_end(g.batch);
	if (rc == 0)
		rc = documents_end(g.documents, err);
out:
	if (rc != 0)
		batch_settle(g.batch, &late);
	counts->redacted = record_reader_redacted(g.reader);
	rejects_close(g.rejects);
	for (size_t i = 0; i < g.n_formats; i++)
		from_close(g.formats[i]);
	from_close(g.map);
	source_names_free(g.naming);
	documents_free(g.documents);
	names_release(&g.maybe);
	unread_free(g.unread);
	known_projects_free(g.known);
	batch_free(g.batch);
	record_reader_free(g.reader);
	buf_release(&g.cwd_session);
	buf_release(&g.cwd_project);
	buf_release(&g.off_place);
	buf_release(&g.off_directory);
	file_real_release(&g.real);
	from_place_release(&g.place);
	turns_close(g.turns);
	slack_people_free(g.people);
	slack_channels_free(g.channels);
	seen_release(&g.hosted);
	buf_release(&g.base);
	buf_release(&g.directory);
	arena_release(&g.arena);
	arena_release(&g.begun);
	return rc;
}
