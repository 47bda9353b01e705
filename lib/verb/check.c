/*
 * check.c: what mem-check does, in the order that makes each step trust the one before: check, repair, check again, checkpoint, back up.
 */
#include "verb/check.h"

enum { FOUND_OK, FOUND_WARNING, FOUND_DERIVED, FOUND_BASE };

const char *
check_level_name(int level)
{
	static const char *const names[] = { "ok", "warning", "derived", "base" };

	return names[MAX(0, MIN(level, (int)NELEM(names) - 1))];
}

struct relay { check_fn *fn; void *arg; int worst; };

static int
relay_finding(void *arg, const struct check_finding *f)
{
	struct relay *r = arg;

	r->worst = MAX(r->worst, f->level);
	return r->fn(r->arg, f);
}

static int
say(struct relay *r, int level, const char *what, const char *message)
{
	const struct check_finding f = { level, what, message };

	return relay_finding(r, &f);
}

int
check_store(struct store *s, const struct check_want *want, check_fn *fn, check_progress_fn *progress, void *arg, int *worst,
	struct err *err)
{
	struct relay r = { fn, arg, FOUND_OK };

	*worst = FOUND_OK;
	/* a copy that nobody looks at until it is needed must hold what was stored */
	enum check_level level = want->backup != NULL ? MAX(want->level, CHECK_FULL) : want->level;

	if (store_check(s, level, relay_finding, &r, err) != 0)
		return -1;
	if (want->repair && r.worst >= FOUND_BASE) {
		say(&r, FOUND_BASE, "repair", "not done: messages or sessions are damaged; go back to a backup");
	} else if (want->repair) {
		if (store_repair(s, progress, arg, err) != 0)
			return -1;
		r.worst = FOUND_OK;
		say(&r, FOUND_OK, "repair", "what is derived was rebuilt; checked again");
		if (store_check(s, want->level, relay_finding, &r, err) != 0)
			return -1;
	}
	if (want->checkpoint) {
		if (store_checkpoint(s, err) != 0)
			return -1;
		say(&r, FOUND_OK, "checkpoint", "the log is in the file, and empty");
	}
	if (want->backup != NULL && r.worst < FOUND_BASE) {
		if (store_backup(s, want->backup, err) != 0)
			return -1;
		say(&r, FOUND_OK, "backup", "written and checked");
	} else if (want->backup != NULL) {
		say(&r, FOUND_BASE, "backup", "not written, because the store is damaged");
	}
	*worst = r.worst;
	return 0;
}
