/* skills_text.c: a routine as it is handed out. */
#include "base/clock.h"
#include "base/conf.h"
#include "json/json.h"
#include "work/skills.h"

static void
add_marks(struct buf *out, size_t n)
{
	while (n-- > 0)
		buf_addc(out, '`');
}

/*
 * A step as code, of several lines as a block within its point of the list. It stands between more
 * backticks than it has in a row, so that nothing of it is read as text of the file.
 */
static void
add_step(struct buf *out, const char *step)
{
	const char *gap = strchr(step, '\n') != NULL ? "\n    " : " ";
	bool block = *gap == '\n';
	size_t n = 0;

	for (const char *p = step; (p = strchr(p, '`')) != NULL; p += strspn(p, "`"))
		n = MAX(n, strspn(p, "`"));
	buf_adds(out, gap);
	add_marks(out, block ? MAX(n + 1, (size_t)3) : n + 1);
	buf_adds(out, block || n > 0 ? gap : "");
	for (const char *p = step; *p != '\0'; p++) {
		buf_addc(out, *p);
		buf_adds(out, *p == '\n' ? "    " : "");
	}
	buf_adds(out, block || n > 0 ? gap : "");
	add_marks(out, block ? MAX(n + 1, (size_t)3) : n + 1);
	buf_addc(out, '\n');
}

void
skill_text(struct buf *out, const struct skill *k)
{
	char day[TIME_TEXT];

	time_format_day(k->time_us, day);
	LOCAL(buf) about = buf_of(conf_caps.output_bytes);
	buf_addf(&about, "%zu steps that worked %lld times", k->n_steps, (long long)k->n_worked);
	if (k->n_asked > 0)
		buf_addf(&about, ", when asked: %s", k->asked[0]);
	buf_addf(out, "---\nname: %s\ndescription: ", k->name);
	json_write_string(out, about.data, about.len);
	buf_adds(out, "\n---\n\n");
	for (size_t i = 0; i < k->n_asked; i++)
		buf_addf(out, "%s- %s\n", i == 0 ? "Asked before it:\n\n" : "", k->asked[i]);
	buf_adds(out, k->n_asked > 0 ? "\nSteps, as they were last done:\n\n"
	    : "Steps, as they were last done:\n\n");
	for (size_t i = 0; i < k->n_steps; i++) {
		buf_addf(out, "%zu.", i + 1);
		add_step(out, k->steps[i]);
	}
	buf_addf(out, "\nWorked in %lld of %lld sessions, last on %s. Evidence:",
	    (long long)k->n_worked, (long long)k->n_tried, day);
	for (size_t i = 0; i < k->n_sources; i++)
		buf_addf(out, " %s", k->sources[i]);
	buf_addc(out, '\n');
}

void
skill_record(struct buf *out, const char *user, const struct skill *k)
{
	LOCAL(buf) text = buf_of(conf_caps.output_bytes);

	skill_text(&text, k);
	json_record(out, "skill");
	json_str(out, "name", k->name);
	json_str(out, "user", user);
	json_strings(out, "steps", k->steps, k->n_steps);
	json_strings(out, "asked", k->asked, k->n_asked);
	json_int(out, "n_worked", k->n_worked);
	json_int(out, "n_tried", k->n_tried);
	json_time(out, "time", k->time_us);
	json_strings(out, "sources", k->sources, k->n_sources);
	json_str(out, "text", text.data);
	json_close(out);
}
