/*
 * work_lesson.c: an error that came now, and what cured it before. An error that is only like
 * another, or whose cure took more than a few steps, teaches nothing.
 */
#include "base/clock.h"
#include "base/conf.h"
#include "base/utf8.h"
#include "text/words.h"
#include "work/work_parts.h"
#include "gen/work_rows.h"

#define LINES       8          /* of a text that are looked for */
#define LEAST_WORDS 3          /* of a line, so that "error: failed" is none */
#define FOUND       8
#define STEPS_MOST  3          /* commands of a cure */
#define STEP_TEXT   120        /* bytes of each that are told */

static int
count_word(void *arg, const struct word *w)
{
	size_t *n = arg;

	*n += w->kind == WORD_PLAIN && !w->stop;
	return 0;
}

/* "ERROR! the role was not found", as Ansible prints all of its errors. */
static bool
is_shouted(const struct error_line *l)
{
	size_t i = 0;

	while (i < l->len && l->text[i] >= 'A' && l->text[i] <= 'Z')
		i++;
	return i >= 4 && i < l->len && l->text[i] == '!';
}

bool
work_is_printed(const struct error_line *l)
{
	const char *colon = memchr(l->text, ':', l->len);
	size_t n = 0;

	words_each(l->norm, strlen(l->norm), count_word, &n);
	return l->kind == ERROR_TOLD && n >= LEAST_WORDS &&
	    ((colon != NULL && colon > l->text) || is_shouted(l));
}

bool
work_error_lines(const char *text, size_t len, const struct outcome *o, struct buf *out)
{
	struct error_line lines[LINES];
	LOCAL(arena) a = ARENA_INIT;
	size_t n = errors_read(text, len, o, &a, lines, LINES);

	for (size_t i = 0; i < n; i++)
		if (work_is_printed(&lines[i])) {
			buf_add(out, lines[i].text, lines[i].len);
			buf_addc(out, '\n');
		}
	return out->len > 0;
}

bool
work_only_looks(const char *line)
{
	static const char *const lookers[] = { WORK_LOOKERS };
	static const char *const parts[] = { WORK_LOOKING_PARTS };
	LOCAL(arena) a = ARENA_INIT;
	const char *const *programs;
	size_t n = calls_programs(line, &a, &programs);
	bool all = true;

	for (size_t i = 0; i < n && all; i++) {
		all = false;
		for (size_t k = 0; k < NELEM(lookers); k++)
			all |= strcmp(programs[i], lookers[k]) == 0;
	}
	for (size_t i = 0; i < NELEM(parts) && !all; i++)
		all = strstr(line, parts[i]) != NULL;
	return all;
}

bool
work_is_step(const struct work *w, const struct work_note *n)
{
	return strcmp(n->what, "ran") == 0 && n->outcome.worked == WORKED_YES &&
	    strcmp(n->id, w->cure_id) != 0 && !work_only_looks(n->text);
}

/*
 * How many commands cured the error; 0 where files were changed, too, as what was wrong in a file
 * then is hardly what is wrong now, or where force was used.
 */
static size_t
n_steps(const struct work *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n_notes; i++) {
		if (strcmp(w->notes[i].what, "changed") == 0 ||
		    (work_is_step(w, &w->notes[i]) && work_uses_force(w->notes[i].text, "")))
			return 0;
		n += work_is_step(w, &w->notes[i]);
	}
	return n;
}

static bool
teaches(const struct work *w)
{
	if (!work_is_cured(w) || w->time_us == TIME_NONE)
		return false;
	if (*w->instead != '\0')
		return w->outcome.worked != WORKED_YES;
	size_t n = n_steps(w);
	return n > 0 && n <= STEPS_MOST;
}

int
work_after(struct store *s, const struct work_want *want, const struct outcome *o, struct arena *a,
	const struct work **out, struct err *err)
{
	struct work_want w = *want;
	const struct work *found;
	size_t n = 0;
	int rc = 0;

	*out = NULL;
	LOCAL(buf) text = buf_of(conf_caps.output_bytes);
	if (work_error_lines(want->text, strlen(want->text), o, &text)) {
		w.kind = WORK_ERROR;
		w.text = text.data;
		w.same = true;
		w.limit = FOUND;
		rc = work_find(s, &w, a, &found, &n, err);
	}
	for (size_t i = 0; i < n && *out == NULL; i++)
		if (teaches(&found[i]))
			*out = &found[i];
	return rc;
}

static void
add_step(struct buf *out, const char *text)
{
	size_t n = strcspn(text, "\n"), most = utf8_clip(text, n, STEP_TEXT);

	buf_addf(out, "%.*s%s", (int)most, text, text[most] != '\0' ? "..." : "");
}

void
work_lesson(struct buf *out, const struct work *w)
{
	char day[TIME_TEXT];
	size_t told = 0;

	time_format_day_local(w->time_us, day);
	if (*w->missing != '\0')
		buf_addf(out, "%s was not found here on %s", w->missing, day);
	else
		buf_addf(out, "this failed on %s: ", day);
	if (*w->missing == '\0')
		add_step(out, w->text);
	if (*w->instead != '\0') {
		buf_adds(out, "; what worked: ");
		add_step(out, w->instead);
		return;
	}
	buf_adds(out, "; what cured it: ");
	for (size_t i = 0; i < w->n_notes; i++)
		if (work_is_step(w, &w->notes[i])) {
			buf_adds(out, told++ > 0 ? ", then " : "");
			add_step(out, w->notes[i].text);
		}
}
