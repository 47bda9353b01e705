/*
 * ingest.c: reads an input: finds the format and where reading goes on, then takes it unit by unit,
 * by the format's map or directly, into the batch. A faulty line is reported, counted and skipped;
 * a faulty input ends that input; a fault of the store ends everything.
 */
#include "base/conf.h"
#include "base/off.h"
#include "ingest/documents.h"
#include "ingest/ingest_db.h"
#include "ingest/ingest_parts.h"
#include "ingest/opencode_storage.h"

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
	snprintf(text, sizeof(text), "%s:%s%llu: %s", ndjson_name(g->in->lines),
	    g->mode == INPUT_ELEMENTS ? " item " : "", (unsigned long long)g->in->number,
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
	uint64_t n = g->unread.units, of = MAX(g->n_pieces, g->n_units);
	int rc = 0;

	if (n == 0)
		return 0;
	LOCAL(buf) b = buf_of(4096);
	buf_addf(&b, "%.1000s: %s: ", ndjson_name(g->in->lines), g->from->name);
	unread_tell(&g->unread, of, g->rows != NULL ? "rows" : g->mode == INPUT_LINES ? "lines"
										     : "items", &b);
	if (2 * n > of)
		rc = err_set(err, ERR_DATA, "%s", b.data);
	else
		ingest_warn(g, b.data);
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

/* Stores the batch by fn, unless memory was turned off since: a pipe may go on for days. */
static int
store_by(struct ingest *g, int (*fn)(struct batch *b, struct err *err), struct err *err)
{
	const char *off = off_why("");

	if (off != NULL)
		err_set(err, ERR_CONFIG, "%s", off);
	return off == NULL && fn(g->batch, err) == 0 ? 0 : ingest_fatal(g);
}

static int
commit(struct ingest *g, struct err *err)
{
	return store_by(g, batch_commit, err);
}

int
ingest_hand_over(struct ingest *g, struct err *err)
{
	return store_by(g, batch_send, err);
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
	return g->mode == INPUT_LINES && g->in->number == 1 && g->from->plan != NULL &&
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
		*consumed = !ndjson_is_unended(g->in->lines);
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
	if ((got == INPUT_LONG ? ingest_long_unit(g, json_stream_long(g->in->elements), &json, err)
			       : ingest_unit(g, unit, len, &json, err)) != 0)
		return -1;
	if (!json && g->unsure && g->n_records == 0 &&
	    json_parse(unit, len, &g->arena, &v, NULL) == 0) {
		g->held = true;
		err_clear(err);
		return 1;
	}
	if (!json && g->mode == INPUT_LINES && (got != INPUT_PARTIAL || !g->grown->on) &&
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
	if (!*consumed && g->grown->on)
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
	    &(struct growing_place){ g->place.state.data, g->belonging.session.data,
		g->belonging.project.data });
}

/* Tells how many characters of the input were replaced. */
static void
tell_mended(struct ingest *g)
{
	uint64_t n = g->n_mended + g->in->n_mended;
	char text[1200];

	if (n == 0)
		return;
	snprintf(text, sizeof(text),
	    "%.1000s: %llu %s read as U+FFFD (half of a pair, a NUL, or no UTF-8)",
	    ndjson_name(g->in->lines), (unsigned long long)n,
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
			growing_saw(g->grown, ndjson_offset(g->in->lines),
			    ndjson_line(g->in->lines));
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
		growing_saw(g->grown, ndjson_offset(g->in->lines), ndjson_line(g->in->lines));
	if (got == 0 && !g->stopped && !g->restart && !*g->o->stop) {
		if (ingest_unit_end(g, err) != 0)
			return -1;
		if (all && ndjson_is_packed(g->in->lines))
			growing_saw_packed(g->grown, g->from);
	}
	tell_mended(g);
	note_read(g);
	return tell_unread(g, err);
}

int
ingest_input(struct ingest *g, const char *path, bool whole, struct err *err)
{
	g->idle = (struct input_idle){ on_idle, on_wait, g, g->o->stop };
	g->positional = g->restart = g->held = false;
	g->n_mended = 0;
	g->n_units = g->n_pieces = 0;
	g->unread = (struct unread){ .n_kinds = 0 };
	g->is_document &= whole;
	ingest_rules(g, path);
	batch_input(g->batch, strcmp(path, "-") == 0 ? "stdin" : path);
	/* the store is read from here to the first unit, so its writing thread must be idle */
	int rc = batch_settle(g->batch, err) == 0 ? ingest_look_up(g, path, err) : ingest_fatal(g);
	if (rc != 0)
		goto out;
	/* reading goes on, but there is nothing new */
	if (!whole && g->grown->resumes && g->grown->was.offset == g->grown->size) {
		g->counts->files_known++;
		g->some = true;
		goto out;
	}
	if (!opencode_storage_is(path) && (rc = input_open(path, &g->idle, &g->in, err)) != 0)
		goto out;
	g->some |= !whole && g->grown->resumes;
	rc = !whole && g->grown->resumes ? ingest_resume(g, err) : ingest_start(g, err);
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
	struct buf *const bufs[] = { &g.base, &g.directory, &g.off_directory, &g.real.given,
		&g.real.directory, &g.real.path };
	int rc = -1;

	for (size_t i = 0; i < NELEM(bufs); i++)
		buf_init(bufs[i], conf_caps.output_bytes);
	memset(counts, 0, sizeof(*counts));
	*worst = 0;
	g.people = slack_people_new();
	g.channels = slack_channels_new(s, o);
	from_place_init(&g.place);
	g.reader = record_reader_new();
	g.batch = batch_new(s, o, out, counts);
	g.naming = source_names_new(s, o);
	belonging_init(&g.belonging, s, o, g.batch, &g.arena);
	g.documents = documents_new(&g);
	if (open_outputs(&g, err) != 0)
		goto out;
	const struct from *wanted = ingest_is_auto(&g) ? NULL : g.map != NULL ? g.map : g.from;
	for (size_t i = 0; i < n; i++)
		if (ingest_path(&g, paths[i], wanted, err) != 0)
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
	names_release(&g.exports);
	batch_free(g.batch);
	record_reader_free(g.reader);
	belonging_release(&g.belonging);
	from_place_release(&g.place);
	turns_close(g.turns);
	slack_people_free(g.people);
	slack_channels_free(g.channels);
	for (size_t i = 0; i < NELEM(bufs); i++)
		buf_release(bufs[i]);
	arena_release(&g.arena);
	arena_release(&g.begun);
	return rc;
}
