/*
 * ingest.c: reads inputs one after the other. For each it finds the format and where reading goes
 * on, then takes it unit by unit, by the format's map or directly, into the batch. A faulty line is
 * reported, counted and skipped; a faulty input ends that input; a fault of the store ends
 * everything.
 */
#define _XOPEN_SOURCE 700                  /* realpath */

#include <sys/stat.h>
#include <unistd.h>

#include "base/conf.h"
#include "base/off.h"
#include "base/project.h"
#include "base/utf8.h"
#include "ingest/change_log.h"
#include "ingest/detect.h"
#include "ingest/ingest_db.h"
#include "ingest/host_name.h"
#include "ingest/ingest_parts.h"
#include "ingest/opencode_storage.h"
#include "ingest/walk.h"
#include "store/foreign.h"

/* ---- what is said ---- */

static void
warn(struct ingest *g, const char *text)
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
	warn(g, text);
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
		warn(g, b.data);
	buf_release(&b);
	return rc;
}

/* Reports an input that cannot be read, or not to its end. */
static void
bad_input(struct ingest *g, const struct err *err)
{
	warn(g, err->msg);
	if (*g->worst == 0)
		*g->worst = err->code;
}

/* Notes that the fault is not of one input, so that all inputs end here. */
static int
fatal(struct ingest *g)
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
	    : fatal(g);
}

static int
commit(struct ingest *g, struct err *err)
{
	return batch_commit(g->batch, err) == 0 ? 0 : fatal(g);
}

int
ingest_hand_over(struct ingest *g, struct err *err)
{
	return batch_send(g->batch, err) == 0 ? 0 : fatal(g);
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

/*
 * Whether text is in UTF-8 but for some characters, and not in a charset of single bytes: there
 * nothing is in UTF-8.
 */
static bool
is_mostly_utf8(const char *bytes, size_t len)
{
	size_t bad = 0, good = 0;

	for (size_t i = 0, n; i < len; i += n) {
		uint32_t cp;

		n = utf8_decode(bytes + i, bytes + len, &cp);
		bad += n == 0;
		good += n > 1;
		n = n > 0 ? n : utf8_bad_len(bytes + i, bytes + len);
	}
	return bad <= good || bad < 3;
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
	warn(g, text);
}

static int
read_units(struct ingest *g, struct err *err)
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

static int
format_by_name(struct ingest *g, const char *name, struct from **out, struct err *err)
{
	for (size_t i = 0; i < g->n_formats; i++) {
		if (strcmp(from_name(g->formats[i]), name) == 0) {
			*out = g->formats[i];
			return 0;
		}
	}
	if (g->n_formats == NELEM(g->formats))
		return err_set(err, ERR_BUG, "more formats than there are");
	if (from_open(name, &g->formats[g->n_formats], err) != 0)
		return -1;
	*out = g->formats[g->n_formats++];
	return 0;
}

static bool
is_auto(const struct ingest *g)
{
	return g->map == NULL && (g->o->from == NULL || strcmp(g->o->from, "auto") == 0);
}

/*
 * Finds the format of the input. 1: found; 0: the input is empty; -1: ERR_DATA, it has no known
 * format.
 */
static int
find_format(struct ingest *g, const char *bytes, size_t len, struct err *err)
{
	const char *name = g->o->from;

	if (g->map != NULL) {
		g->from = g->map;
		return 1;
	}
	if (is_auto(g)) {
		if (len == 0)
			return 0;
		g->aside = g->walking && detect_is_beside(bytes, len, input_name(g->in));
		if (g->aside)
			return 0;
		if ((name = detect_format(bytes, len, input_name(g->in), err)) == NULL)
			return -1;
	}
	return format_by_name(g, name, &g->from, err) == 0 ? 1 : -1;
}

/* Sets what records of this input have when they do not say otherwise. */
static void
set_rules(struct ingest *g, const char *path)
{
	g->rules = (struct record_rules){ g->o->user, g->o->agent, g->o->project, g->o->session,
		g->o->multi_user, g->o->keep_secrets };
	if (g->o->session[0] == '\0')
		g->rules.session = strcmp(path, "-") == 0 ? "default" : file_base(path, &g->base);
	file_directory(path, &g->directory);
	g->place.name = path;
	g->place.directory = g->directory.data;
	g->place.session = g->rules.session;
	buf_reset(&g->place.state);
	buf_adds(&g->place.state, "null");
	buf_reset(&g->cwd_session);
	buf_reset(&g->cwd_project);
}

/*
 * What Aider, SpecStory and Crush write lies in the directory that it is about, so a record of it
 * belongs to the project of that, unless an option names another.
 */
static void
set_own_project(struct ingest *g)
{
	static const char *const own[] = { "/.specstory/history/", "/.aider.chat.history.md",
		"/.crush/crush.db" };
	char *real, *end = NULL;

	if (g->o->project[0] != '\0' ||
	    (from_kind_of(g->from) != FROM_TURNS && strcmp(from_name(g->from), "crush") != 0) ||
	    (real = realpath(g->place.name, NULL)) == NULL)
		return;
	for (size_t i = 0; i < NELEM(own) && end == NULL; i++)
		end = strstr(real, own[i]);
	if (end != NULL) {
		*end = '\0';
		project_of(end > real ? real : "/", &g->cwd_project);
		g->rules.project = g->cwd_project.data;
	}
	free(real);
}

static void
set_host(struct ingest *g)
{
	g->host = g->map != NULL ? NULL : host_name(from_name(g->from), g->place.name);
}

/*
 * Names the session after the file. Programs that write one event a line name the session in each,
 * and a file's name would only separate what belongs together.
 */
static int
name_session(struct ingest *g, struct err *err)
{
	if (g->o->session[0] != '\0' || strcmp(g->place.name, "-") == 0 || from_is_lines(g->from))
		return 0;
	if (source_names_of(g->naming, g->place.name, &g->rules.session, err) != 0)
		return fatal(g);
	g->place.session = g->rules.session;
	return 0;
}

static bool
line_begins_turn(void *arg, const char *line, size_t len, const struct turns_around *around)
{
	return turns_begins(arg, line, len, around);
}

static enum input_mode
start_turns(struct ingest *g, const char *bytes, size_t len)
{
	char text[1200];

	turns_close(g->turns);
	g->turns = turns_open(from_name(g->from), bytes, len, input_name(g->in));
	if (g->turns != NULL && turns_in_doubt(g->turns)) {
		snprintf(text, sizeof(text),
		    "%.1000s: its days are taken to begin with the day, as 3/1/26 for the third of "
		    "January: nothing in it tells",
		    input_name(g->in));
		warn(g, text);
	}
	input_set_turns(g->in, line_begins_turn, g->turns);
	return INPUT_TURNS;
}

/*
 * Whether the bytes certainly have the input's format. Such an input may hold no message: a day on
 * which people only joined a chat, or a log that has just begun.
 */
static bool
is_certain(const struct ingest *g, const char *bytes, size_t len)
{
	struct err ignored = ERR_INIT;
	const char *name;

	if (g->map != NULL || strcmp(from_name(g->from), "json") == 0)
		return false;
	name = detect_format(bytes, len, input_name(g->in), &ignored);
	return name != NULL && strcmp(name, from_name(g->from)) == 0;
}

/*
 * Reads the names of people in a Slack export, and names the session of the file's channel.
 * Messages are worth reading without names of people, too, so a fault there ends nothing.
 */
static int
look_at_export(struct ingest *g, const char *bytes, size_t len, struct err *err)
{
	struct err fault = ERR_INIT;

	if (slack_people_of(g->people, g->place.name, &fault) != 0)
		bad_input(g, &fault);
	if (*g->place.directory != '\0' &&
	    slack_channels_of(g->channels, slack_space(g->people), g->place.directory, bytes, len,
		g->batch, &g->place.directory, err) != 0)
		return fatal(g);
	return 0;
}

/* Reads a database, or a log, instead of its file: from here on the input gives rows. 1, or -1. */
static int
open_rows(struct ingest *g, bool is_log, struct err *err)
{
	const char *format = is_auto(g) ? NULL : g->o->from;
	char found[64], path[32];
	int fd, rc;

	if (db_rows_begin(g->place.name, format, is_log, &g->rows, &fd, found, err) != 0)
		return -1;
	input_close(g->in);
	g->in = NULL;
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	rc = input_open(path, &g->idle, &g->in, err);
	close(fd);
	if (rc != 0)
		return -1;
	input_set_name(g->in, g->place.name);
	g->is_document |= is_log;
	return format_by_name(g, found, &g->from, err) == 0 ? 1 : -1;
}

static void
on_passed(void *arg, const char *path, const char *why)
{
	struct ingest *g = arg;
	char text[1200];

	g->counts->passed++;
	if (g->out->note == NULL)
		return;
	snprintf(text, sizeof(text), "%.1000s: passed over, %.100s", path, why);
	g->out->note(g->out->arg, text);
}

/* Whether the input is JSON of no form of its own, as a directory has it of all kinds. */
static bool
is_any_json(const struct ingest *g)
{
	size_t len = strlen(g->place.name);

	return is_auto(g) && strcmp(from_name(g->from), "json") == 0 && len > 5 &&
	    strcmp(g->place.name + len - 5, ".json") == 0;
}

/* Whether the input is a log of changes, and of a format that is read so. */
static bool
is_change_log(const struct ingest *g, const char *bytes, size_t len)
{
	return g->map == NULL && (is_auto(g) || strcmp(g->o->from, "copilot") == 0) &&
	    change_log_is(bytes, len);
}

/* Reads an input from its start. */
static int
start_input(struct ingest *g, struct err *err)
{
	const char *bytes = "";
	size_t len = 0;
	bool turns, certain;
	int got;

	if (g->in != NULL && input_peek(g->in, &bytes, &len, err) != 0)
		return -1;
	if (*g->o->stop || (g->in != NULL && g->map == NULL && detect_is_bare(bytes, len) &&
	    input_is_read(g->in)))
		return 0;
	if (g->in == NULL)
		got = open_rows(g, false, err);
	else if (is_change_log(g, bytes, len) && strcmp(g->place.name, "-") != 0)
		got = open_rows(g, true, err);
	else if (foreign_is(bytes, len) && g->map == NULL && strcmp(g->place.name, "-") != 0 &&
	    !input_is_packed(g->in))
		got = open_rows(g, false, err);
	else if ((got = find_format(g, bytes, len, err)) == 0)
		return 0;
	if (got < 0 || name_session(g, err) != 0 ||
	    begun_session(g, bytes, len, g->in != NULL && input_is_read(g->in), err) != 0)
		return -1;
	batch_repeats(g->batch, from_repeats(g->from));
	from_look_beside(g->from, &g->place);
	set_own_project(g);
	set_host(g);
	if (from_kind_of(g->from) == FROM_TEXT)
		g->mode = INPUT_PARAGRAPHS;
	else if (from_kind_of(g->from) == FROM_TURNS)
		g->mode = start_turns(g, bytes, len);
	else if (g->is_document ||
	    (g->rows == NULL && !from_is_lines(g->from) && detect_is_document(bytes, len)))
		g->mode = INPUT_ELEMENTS;
	else
		g->mode = INPUT_LINES;
	certain = g->rows != NULL || is_certain(g, bytes, len);
	if (strcmp(from_name(g->from), "slack") == 0 && look_at_export(g, bytes, len, err) != 0)
		return -1;
	turns = g->mode == INPUT_TURNS || g->mode == INPUT_PARAGRAPHS;
	if (turns && memchr(bytes, '\n', len) == NULL && memchr(bytes, '\r', len - 1) != NULL)
		return err_set(err, ERR_DATA,
		    "%s: its lines end with CR alone: try tr '\\r' '\\n' <FILE | mem-ingest",
		    input_name(g->in));
	if (turns && is_mostly_utf8(bytes, len) &&
	    (g->mode == INPUT_PARAGRAPHS || !turns_any_charset(g->turns)))
		input_mend(g->in);
	growing_start(g->grown, g->from,
	    (g->mode == INPUT_LINES || turns) && !input_is_packed(g->in) && g->rows == NULL, turns);
	if (from_plan(g->from) != NULL)
		input_take_long(g->in, json_piece_bytes);
	input_set_mode(g->in, g->mode);
	g->n_records = g->n_units = g->n_empty = g->n_pieces = 0;
	g->unsure = g->unsure && is_any_json(g);
	if (read_units(g, err) != 0)
		return -1;
	/*
	 * a log may hold no message yet; but a document that gives none is not what it was taken
	 * for
	 */
	if (g->n_records == 0 && g->n_units > 0 && g->map == NULL && !from_is_lines(g->from) &&
	    !certain && !*g->o->stop) {
		if (g->unsure) {
			on_passed(g, input_name(g->in), "no conversation is found in it");
			g->some = true;
			return 0;
		}
		return err_set(err, ERR_DATA,
		    "%s: %s: no conversation is found in it (name the format with --from, or see "
		    "--map)",
		    input_name(g->in),
		    strcmp(from_name(g->from), "json") == 0 ? "unknown format"
							    : from_name(g->from));
	}
	if (g->n_records == 0 && g->n_empty > 0 && g->map != NULL)
		return err_set(err, ERR_DATA, "%s: no record of the map has words in \"content\"",
		    input_name(g->in));
	return 0;
}

static int
resume_input(struct ingest *g, struct err *err)
{
	struct growing_place was;

	g->mode = INPUT_LINES;
	buf_reset(&g->place.state);
	buf_reset(&g->place.beside);
	buf_reset(&g->place.parents);
	growing_was(g->grown, &was);
	buf_adds(&g->place.state, was.map);
	buf_adds(&g->cwd_session, was.session);
	buf_adds(&g->cwd_project, was.project);
	set_host(g);
	if (name_session(g, err) != 0 ||
	    input_resume(g->in, growing_offset(g->grown), growing_line(g->grown), err) != 0)
		return -1;
	input_set_mode(g->in, g->mode);
	return read_units(g, err);
}

/*
 * Looks up whether reading can go on where it ended the last time. That needs the same format and
 * options as then.
 */
static int
look_up_progress(struct ingest *g, const char *path, struct err *err)
{
	const char *known;

	if (growing_open(g->s, g->o, path, &g->grown, err) != 0)
		return fatal(g);
	if ((known = growing_format(g->grown)) == NULL)
		return 0;
	if (g->map != NULL)
		g->from = g->map;
	else if (format_by_name(g, is_auto(g) ? known : g->o->from, &g->from, err) != 0)
		return -1;
	growing_match(g->grown, g->from);
	return 0;
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
	set_rules(g, path);
	batch_input(g->batch, strcmp(path, "-") == 0 ? "stdin" : path);
	/* the store is read from here to the first unit, so its writing thread must be idle */
	rc = batch_settle(g->batch, err) == 0 ? look_up_progress(g, path, err) : fatal(g);
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
	rc = !whole && growing_resumes(g->grown) ? resume_input(g, err) : start_input(g, err);
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

static int
on_file(void *arg, const char *path, struct err *err)
{
	struct ingest *g = arg;

	int rc;

	if (*g->o->stop || g->stopped)
		return 0;
	g->n_taken++;
	if (slack_is_aside(path)) {
		note_empty(g, path);
		return 0;
	}
	if (off_has(path)) {
		on_passed(g, path, "it grew while memory was off");
		return 0;
	}
	g->some = g->some_bad = g->aside = false;
	g->unsure = g->walking;
	rc = read_input(g, path, false, err);
	g->unsure = false;
	if (rc == 0 && g->restart)
		rc = read_input(g, path, true, err);
	if (rc == 0 && g->aside)
		on_passed(g, path, "it lies beside conversations, and holds none");
	else if (rc == 0 && !g->some && !g->some_bad)
		note_empty(g, path);
	g->counts->files_bad += rc != 0 || (g->some_bad && !g->some);
	if (rc == 0 || g->fatal || err->code == ERR_CONFIG || err->code == ERR_USAGE ||
	    err->code == ERR_BUG)
		return rc;
	/* the fault is of this input alone: the others are still read */
	bad_input(g, err);
	err_clear(err);
	return 0;
}

static void
on_walk_fault(void *arg, const struct err *err)
{
	bad_input(arg, err);
}

/*
 * Reads a path given by the user. A directory with files of which none is read is reported, as it
 * cannot be what was meant.
 */
static int
read_path(struct ingest *g, const char *path, const struct from *wanted, struct err *err)
{
	struct walk_calls calls = { on_file, on_passed, on_walk_fault, g };
	uint64_t passed = g->counts->passed, taken = g->n_taken;
	struct err none = ERR_INIT;

	g->walking = walk_is_wanted(path);
	g->counts->walked |= g->walking;
	if (walk_each(path, wanted, &calls, err) != 0)
		return -1;
	passed = g->counts->passed - passed;
	if (g->n_taken == taken && passed > 0) {
		err_set(&none, ERR_DATA,
		    "%s: none of its %llu files is read, as none is a transcript of a known form",
		    path, (unsigned long long)passed);
		bad_input(g, &none);
	}
	return 0;
}

static int
open_outputs(struct ingest *g, struct err *err)
{
	if (g->o->map != NULL && from_open_map(g->o->map, &g->map, err) != 0)
		return -1;
	if (!is_auto(g) && g->map == NULL && format_by_name(g, g->o->from, &g->from, err) != 0)
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
	from_place_init(&g.place);
	g.reader = record_reader_new();
	g.batch = batch_new(s, o, out, counts);
	g.naming = source_names_new(s, o);
	g.unread = unread_new();
	if (open_outputs(&g, err) != 0)
		goto out;
	wanted = is_auto(&g) ? NULL : g.map != NULL ? g.map : g.from;
	for (size_t i = 0; i < n; i++)
		if (read_path(&g, paths[i], wanted, err) != 0)
			goto out;
	rc = commit(&g, err);
	if (rc == 0)
		batch_end(g.batch);
out:
	if (rc != 0)
		batch_settle(g.batch, &late);
	counts->redacted = record_reader_redacted(g.reader);
	rejects_close(g.rejects);
	for (size_t i = 0; i < g.n_formats; i++)
		from_close(g.formats[i]);
	from_close(g.map);
	source_names_free(g.naming);
	unread_free(g.unread);
	known_projects_free(g.known);
	batch_free(g.batch);
	record_reader_free(g.reader);
	buf_release(&g.cwd_session);
	buf_release(&g.cwd_project);
	buf_release(&g.off_place);
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
