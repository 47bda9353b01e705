/*
 * skills.h: routines: commands and edits that were done together, in much the same order, in
 * several sessions, and worked. They are mined from the calls that are stored; no model is asked.
 */
#pragma once

#include "base/buf.h"
#include "store/store.h"

#define SKILL_TIMES 3              /* sessions in which it worked, at least */
#define SKILL_STEPS 12
#define SKILL_TOLD  5              /* sessions and requests that are named: the newest */

struct skill {
	const char *name;                      /* of its programs: "buf-generate-go-test" */
	const char *steps[SKILL_STEPS];        /* [n_steps], as they were last done */
	const char *asked[SKILL_TOLD];         /* [n_asked], what a user had said before it */
	const char *sources[SKILL_TOLD];       /* [n_sources], ids: where it began */
	size_t n_steps, n_asked, n_sources;
	int64_t n_tried, n_worked;             /* sessions */
	int64_t time_us;                       /* of the last one in which it worked */
};

/*
 * Those that worked at least SKILL_TIMES and did not fail the last two times, in which steps that
 * only look at something, and those of git that end all work, do not count. Most often worked
 * first: *out [*n], in the arena. Cost: all messages of the scope are read, and what they did is
 * passed over once for each command and file that SKILL_TIMES sessions have.
 */
int skills_find(struct store *s, const struct scope *who, struct arena *a, struct skill **out,
	size_t *n, struct err *err);

/* As a file SKILL.md, and as the skill record, without a newline. */
void skill_text(struct buf *out, const struct skill *k);
void skill_record(struct buf *out, const char *user, const struct skill *k);
