/*
 * check.c: what mem-check does, in the order that makes each step trust the one before: check, repair, check again, checkpoint, back up.
 */
#include "records/check.h"

enum { FOUND_OK, FOUND_WARNING, FOUND_DERIVED, FOUND_BASE };

const char *
check_level_name(int level)
{
	static const char *const names[] = { "ok", "warning", "derived", "base" };

	return names[MAX(0, MIN(level, (int)NELEM(names) - 1))];
}

struct relay { check_fn *fn; void *arg; int worst; bool pages; };     /* pages: of the file are damaged */

static int
relay_finding(void *arg, const struct check_finding *f)
{
	struct relay *r = arg;

	r->worst = MAX(r->worst, f->level);
	r->pages |= f->level > FOUND_WARNING && strcmp(f->what, "file") == 0;
	return r->fn(r->arg, f);
}

static int
say(struct relay *r, int level, const char *what, const char *message)
{
	const struct check_finding f = { level, what, message };

	return relay_finding(r, &f);
}

/*
 * Where pages of base tables are damaged the store itself finds out whether it was an index that can be made from them, and changes nothing when it was not.
 * Where they are in order and what they say is wrong, there is nothing to find out.
 */
static int
repair(struct store *s, const struct check_want *want, struct relay *r, check_progress_fn *progress, struct err *err)
{
	bool base = r->worst >= FOUND_BASE;
	int rc = base && !r->pages ? -1 : store_repair(s, progress, r->arg, err);

	if (rc != 0 && base && (!r->pages || err->code == ERR_IO)) {
		err_clear(err);
		return say(r, FOUND_BASE, "repair", "not done: messages or sessions are damaged; go back to a backup");
	}
	if (rc != 0)
		return -1;
	r->worst = FOUND_OK;
	r->pages = false;
	if (say(r, FOUND_OK, "repair", "what is derived was rebuilt; checked again") != 0)
		return -1;
	return store_check(s, want->level, relay_finding, r, err);
}

int
check_store(struct store *s, const struct check_want *want, check_fn *fn, check_progress_fn *progress, void *arg, int *worst,
	struct err *err)
{
	struct relay r = { fn, arg, FOUND_OK, false };

	*worst = FOUND_OK;
	/* a copy that nobody looks at until it is needed must hold what was stored */
	enum check_level level = want->backup != NULL ? MAX(want->level, CHECK_FULL) : want->level;

	if (store_check(s, level, relay_finding, &r, err) != 0)
		return -1;
	if (want->repair && repair(s, want, &r, progress, err) != 0)
		return -1;
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
