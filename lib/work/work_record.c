/* work_record.c: what was found as a record, and as lines for a reader. */
#include "json/json.h"
#include "records/record.h"
#include "work/work.h"

static const char *const kinds[] = { [WORK_FILE] = "file", [WORK_COMMAND] = "command",
	[WORK_ERROR] = "error" };

/* ---- JSON ---- */

static void
write_outcome(struct buf *out, const struct outcome *o)
{
	if (o->worked != WORKED_UNKNOWN)
		json_bool(out, "worked", o->worked == WORKED_YES);
	if (o->status != EXIT_UNKNOWN)
		json_int(out, "exit", o->status);
}

static bool
is_then(const struct work_note *n)
{
	return strcmp(n->what, "asked") != 0 && strcmp(n->what, "decided") != 0;
}

static void
write_note(struct buf *out, const struct work_note *n)
{
	json_open(out);
	if (is_then(n))
		json_str(out, "did", n->what);
	json_str(out, "id", n->id);
	json_str(out, "text", n->text);
	write_outcome(out, &n->outcome);
	json_close(out);
}

/* The notes of a kind as an array; none are left out. */
static void
write_notes(struct buf *out, const char *key, const struct work *w)
{
	bool some = false;

	for (size_t i = 0; i < w->n_notes; i++) {
		const struct work_note *n = &w->notes[i];

		if (strcmp(key, "then") == 0 ? !is_then(n) : strcmp(key, n->what) != 0)
			continue;
		if (!some)
			json_array_open(out, key);
		some = true;
		json_next(out);
		write_note(out, n);
	}
	if (some)
		json_array_close(out);
}

static void
write_file(struct buf *out, const struct work *w)
{
	json_str(out, "path", w->text);
	json_str(out, "did", w->did);
	if (w->n_changes > 0)
		json_int(out, "changes", w->n_changes);
	if (w->n_reads > 0)
		json_int(out, "reads", w->n_reads);
	if (w->first_us != TIME_NONE && w->first_us != w->time_us)
		json_time(out, "first", w->first_us);
	if (w->stale)
		json_bool(out, "stale", true);
	if (w->gone)
		json_bool(out, "gone", true);
	if (w->modified_us != TIME_NONE)
		json_time(out, "modified", w->modified_us);
	write_notes(out, "asked", w);
	write_notes(out, "decided", w);
	record_text(out, "commit", w->commit);
	record_text(out, "summary", w->summary);
	if (w->commit_us != TIME_NONE)
		json_time(out, "committed", w->commit_us);
	record_text(out, "by", w->by);
}

static void
write_command(struct buf *out, const struct work *w)
{
	json_str(out, "command", w->text);
	record_text(out, "dir", w->dir);
	write_outcome(out, &w->outcome);
	json_int(out, "runs", w->n_runs);
	if (w->n_failed > 0)
		json_int(out, "failed", w->n_failed);
	record_text(out, "error", w->output);
}

static void
write_error(struct buf *out, const struct work *w)
{
	json_str(out, "error", w->text);
	record_text(out, "of", w->did);
	json_int(out, "times", w->n_times);
	write_outcome(out, &w->outcome);
	record_text(out, "instead", w->instead);
	if (w->again_us != TIME_NONE)
		json_time(out, "again", w->again_us);
	write_notes(out, "then", w);
}

void
work_record(struct buf *out, const char *user, const struct work *w, size_t rank)
{
	json_record(out, "work");
	json_int(out, "rank", (int64_t)rank);
	json_str(out, "id", w->id);
	json_str(out, "user", user);
	json_time(out, "time", w->time_us);
	record_text(out, "agent", w->agent);
	record_text(out, "project", w->project);
	record_text(out, "session", w->session);
	record_text(out, "title", w->title);
	json_int(out, "trust", w->trust);
	json_str(out, "kind", kinds[w->kind]);
	if (w->kind == WORK_FILE)
		write_file(out, w);
	else if (w->kind == WORK_COMMAND)
		write_command(out, w);
	else
		write_error(out, w);
	json_close(out);
}

/* ---- lines ---- */

static void
add_outcome(struct buf *out, const struct outcome *o)
{
	if (o->status != EXIT_UNKNOWN)
		buf_addf(out, "exit %d", o->status);
	else if (o->worked != WORKED_UNKNOWN)
		buf_adds(out, o->worked == WORKED_YES ? "worked" : "failed");
}

static void
add_times(struct buf *out, int64_t n, const char *one, const char *many)
{
	if (n > 0)
		buf_addf(out, ", %lld %s", (long long)n, n == 1 ? one : many);
}

static void
add_file(struct buf *out, const struct work *w)
{
	char text[TIME_TEXT];

	if (*w->commit != '\0')
		buf_addf(out, "commit %.12s: %s\n", w->commit, w->summary);
	buf_addf(out, "%s %s", w->did, w->text);
	add_times(out, w->n_changes, "change", "changes");
	add_times(out, w->n_reads, "look", "looks");
	buf_addc(out, '\n');
	if (w->gone)
		buf_adds(out, "it is not there any more\n");
	else if (w->stale)
		buf_addf(out, "it has changed since, at %s\n", time_format(w->modified_us, text));
}

static void
add_command(struct buf *out, const struct work *w)
{
	buf_addf(out, "$ %s\n", w->text);
	if (w->outcome.worked != WORKED_UNKNOWN) {
		add_outcome(out, &w->outcome);
		buf_addf(out, ", ");
	}
	buf_addf(out, "run %lld %s", (long long)w->n_runs, w->n_runs == 1 ? "time" : "times");
	if (w->n_failed > 0)
		buf_addf(out, ", %lld failed", (long long)w->n_failed);
	if (*w->dir != '\0')
		buf_addf(out, ", in %s", w->dir);
	buf_addc(out, '\n');
	if (*w->output != '\0')
		buf_addf(out, "%s\n", w->output);
}

static void
add_error(struct buf *out, const struct work *w)
{
	char text[TIME_TEXT];

	buf_addf(out, "%s\n", w->text);
	if (*w->did != '\0')
		buf_addf(out, "from: %s\n", w->did);
	for (size_t i = 0; i < w->n_notes; i++) {
		const struct work_note *n = &w->notes[i];

		buf_addf(out, "%s: %s", strcmp(n->what, "ran") == 0 ? "then ran"
		    : strcmp(n->what, "changed") == 0 ? "then changed" : "said", n->text);
		if (n->outcome.worked != WORKED_UNKNOWN) {
			buf_adds(out, " (");
			add_outcome(out, &n->outcome);
			buf_addc(out, ')');
		}
		buf_addc(out, '\n');
	}
	if (*w->instead != '\0')
		buf_addf(out, "worked instead: %s\n", w->instead);
	if (w->again_us != TIME_NONE)
		buf_addf(out, "it came again at %s\n", time_format(w->again_us, text));
}

void
work_lines(struct buf *out, const struct work *w)
{
	if (w->kind == WORK_COMMAND)
		add_command(out, w);
	else if (w->kind == WORK_ERROR)
		add_error(out, w);
	else
		add_file(out, w);
	for (size_t i = 0; i < w->n_notes && w->kind == WORK_FILE; i++)
		buf_addf(out, "%s: %s\n", w->notes[i].what, w->notes[i].text);
}
