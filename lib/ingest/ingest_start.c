/*
 * ingest_start.c: how an input begins: its format, what its records have when they do not say
 * otherwise, the mode in which it is cut into units, and whether reading goes on where it ended.
 */
#include <unistd.h>

#include "base/utf8.h"
#include "ingest/change_log.h"
#include "ingest/detect.h"
#include "ingest/ingest_db.h"
#include "ingest/ingest_parts.h"
#include "store/foreign.h"

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

int
ingest_format(struct ingest *g, const char *name, struct from **out, struct err *err)
{
	for (size_t i = 0; i < g->n_formats; i++) {
		if (strcmp(g->formats[i]->name, name) == 0) {
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

bool
ingest_is_auto(const struct ingest *g)
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
	if (ingest_is_auto(g)) {
		if (len == 0)
			return 0;
		g->aside = g->walking && detect_is_beside(bytes, len, ndjson_name(g->in->lines));
		if (g->aside)
			return 0;
		if ((name = detect_format(bytes, len, ndjson_name(g->in->lines), err)) == NULL)
			return -1;
	}
	return ingest_format(g, name, &g->from, err) == 0 ? 1 : -1;
}

void
ingest_rules(struct ingest *g, const char *path)
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
	buf_reset(&g->belonging.session);
	buf_reset(&g->belonging.project);
	g->may_be_copy = false;
}

/*
 * Names the session after the file. Programs that write one event a line name the session in each,
 * and a file's name would only separate what belongs together.
 */
static int
name_session(struct ingest *g, struct err *err)
{
	if (g->o->session[0] != '\0' || strcmp(g->place.name, "-") == 0 || g->from->lines) {
		source_names_pass(g->naming, NULL);
		return 0;
	}
	if (source_names_of(g->naming, g->place.name, file_real(&g->real, g->place.name), false,
	    &g->rules.session, err) != 0)
		return ingest_fatal(g);
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
	g->turns = turns_open(g->from->name, bytes, len, ndjson_name(g->in->lines));
	if (g->turns != NULL && turns_in_doubt(g->turns)) {
		snprintf(text, sizeof(text),
		    "%.1000s: its days are taken to begin with the day, as 3/1/26 for the third of "
		    "January: nothing in it tells",
		    ndjson_name(g->in->lines));
		ingest_warn(g, text);
	}
	g->in->begins = line_begins_turn;
	g->in->begins_arg = g->turns;
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

	if (g->map != NULL || strcmp(g->from->name, "json") == 0)
		return false;
	const char *name = detect_format(bytes, len, ndjson_name(g->in->lines), &ignored);
	return name != NULL && strcmp(name, g->from->name) == 0;
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
		ingest_bad_input(g, &fault);
	if (*g->place.directory != '\0' &&
	    slack_channels_of(g->channels, slack_space(g->people), g->place.directory, bytes, len,
		g->batch, &g->place.directory, err) != 0)
		return ingest_fatal(g);
	return 0;
}

/* Reads a database, or a log, instead of its file: from here on the input gives rows. 1, or -1. */
static int
open_rows(struct ingest *g, bool is_log, struct err *err)
{
	const char *format = ingest_is_auto(g) ? NULL : g->o->from;
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
	ndjson_set_name(g->in->lines, g->place.name);
	g->is_document |= is_log;
	return ingest_format(g, found, &g->from, err) == 0 ? 1 : -1;
}

/* Whether the input is JSON of no form of its own, as a directory has it of all kinds. */
static bool
is_any_json(const struct ingest *g)
{
	size_t len = strlen(g->place.name);

	return ingest_is_auto(g) && strcmp(g->from->name, "json") == 0 && len > 5 &&
	    strcmp(g->place.name + len - 5, ".json") == 0;
}

/* Whether the input is a log of changes, and of a format that is read so. */
static bool
is_change_log(const struct ingest *g, const char *bytes, size_t len)
{
	return g->map == NULL && (ingest_is_auto(g) || strcmp(g->o->from, "copilot") == 0) &&
	    change_log_is(bytes, len);
}

int
ingest_start(struct ingest *g, struct err *err)
{
	const char *bytes = "";
	size_t len = 0;
	int got;

	if (g->in != NULL && input_peek(g->in, &bytes, &len, err) != 0)
		return -1;
	if (*g->o->stop || (g->in != NULL && g->map == NULL && detect_is_bare(bytes, len) &&
	    ndjson_is_read(g->in->lines)))
		return 0;
	if (g->in == NULL)
		got = open_rows(g, false, err);
	else if (is_change_log(g, bytes, len) && strcmp(g->place.name, "-") != 0)
		got = open_rows(g, true, err);
	else if (foreign_is(bytes, len) && g->map == NULL && strcmp(g->place.name, "-") != 0 &&
	    !ndjson_is_packed(g->in->lines))
		got = open_rows(g, false, err);
	else if ((got = find_format(g, bytes, len, err)) == 0)
		return 0;
	if (got < 0 || name_session(g, err) != 0 ||
	    begun_session(g, bytes, len, g->in != NULL && ndjson_is_read(g->in->lines), err) != 0)
		return -1;
	batch_repeats(g->batch, g->from->repeats);
	from_look_beside(g->from, &g->place);
	if (belonging_own_project(&g->belonging, g->from, g->place.name))
		g->rules.project = g->belonging.project.data;
	belonging_host(&g->belonging, g->map != NULL ? NULL : g->from, g->place.name);
	if (g->from->kind == FROM_TEXT)
		g->mode = INPUT_PARAGRAPHS;
	else if (g->from->kind == FROM_TURNS)
		g->mode = start_turns(g, bytes, len);
	else if (g->is_document ||
	    (g->rows == NULL && !g->from->lines && detect_is_document(bytes, len)))
		g->mode = INPUT_ELEMENTS;
	else
		g->mode = INPUT_LINES;
	bool certain = g->rows != NULL || is_certain(g, bytes, len);
	if (strcmp(g->from->name, "slack") == 0 && look_at_export(g, bytes, len, err) != 0)
		return -1;
	bool turns = g->mode == INPUT_TURNS || g->mode == INPUT_PARAGRAPHS;
	if (turns && len > 0 && memchr(bytes, '\n', len) == NULL &&
	    memchr(bytes, '\r', len - 1) != NULL)
		return err_set(err, ERR_DATA,
		    "%s: its lines end with CR alone: try tr '\\r' '\\n' <FILE | mem-ingest",
		    ndjson_name(g->in->lines));
	if (turns && is_mostly_utf8(bytes, len) &&
	    (g->mode == INPUT_PARAGRAPHS || !turns_any_charset(g->turns)))
		g->in->mend = true;
	growing_start(g->grown, g->from,
	    (g->mode == INPUT_LINES || turns) && !ndjson_is_packed(g->in->lines) && g->rows == NULL,
	    turns);
	if (g->from->plan != NULL)
		g->in->in_memory = json_piece_bytes;
	input_set_mode(g->in, g->mode);
	g->n_records = g->n_units = g->n_empty = g->n_pieces = 0;
	g->unsure = g->unsure && is_any_json(g);
	if (ingest_units(g, err) != 0)
		return -1;
	/*
	 * a log may hold no message yet; but a document that gives none is not what it was taken
	 * for
	 */
	if (g->n_records == 0 && g->n_units > 0 && g->map == NULL && !g->from->lines &&
	    !certain && !*g->o->stop) {
		if (g->unsure) {
			ingest_passed(g, g->place.name, "no conversation is found in it");
			g->some = true;
			return 0;
		}
		return err_set(err, ERR_DATA,
		    "%s: %s: no conversation is found in it (name the format with --from, or see "
		    "--map)",
		    ndjson_name(g->in->lines),
		    strcmp(g->from->name, "json") == 0 ? "unknown format"
							    : g->from->name);
	}
	if (g->n_records == 0 && g->n_empty > 0 && g->map != NULL)
		return err_set(err, ERR_DATA, "%s: no record of the map has words in \"content\"",
		    ndjson_name(g->in->lines));
	return 0;
}

int
ingest_resume(struct ingest *g, struct err *err)
{
	struct growing_place was;

	g->mode = INPUT_LINES;
	buf_reset(&g->place.state);
	buf_reset(&g->place.beside);
	buf_reset(&g->place.parents);
	growing_was(g->grown, &was);
	buf_adds(&g->place.state, was.map);
	buf_adds(&g->belonging.session, was.session);
	buf_adds(&g->belonging.project, was.project);
	belonging_host(&g->belonging, g->map != NULL ? NULL : g->from, g->place.name);
	if (name_session(g, err) != 0 ||
	    ndjson_seek(g->in->lines, g->grown->was.offset, g->grown->was.line, err) != 0)
		return -1;
	input_set_mode(g->in, g->mode);
	return ingest_units(g, err);
}

int
ingest_look_up(struct ingest *g, const char *path, struct err *err)
{
	const char *known;

	if (growing_open(g->s, g->o, path, file_real(&g->real, path), &g->grown, err) != 0)
		return ingest_fatal(g);
	if (g->grown->was.path == NULL ||
	    (known = json_get_string(g->grown->about, "from", NULL)) == NULL)
		return 0;
	if (g->map != NULL)
		g->from = g->map;
	else if (ingest_format(g, ingest_is_auto(g) ? known : g->o->from, &g->from, err) != 0)
		return -1;
	growing_match(g->grown, g->from);
	return 0;
}
