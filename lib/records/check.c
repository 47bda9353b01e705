/*
 * check.c: the steps of mem-check, in an order in which each can rely on the one before: check,
 * repair, check again and back up, checkpoint.
 */
#include "records/check.h"

#include "base/alloc.h"

enum { FOUND_OK, FOUND_WARNING, FOUND_DERIVED, FOUND_BASE };

const char *
check_level_name(int level)
{
	static const char *const names[] = { "ok", "warning", "derived", "base" };

	return names[MAX(0, MIN(level, (int)NELEM(names) - 1))];
}

/*
 * A finding that is reported later: a snapshot is open, and whoever gets the report may wait for a
 * pipe.
 */
struct kept { int level; const char *what; char *message; };

struct relay {
	check_fn *fn;
	void *arg;
	int worst;
	bool pages;                        /* pages of the file are damaged */
	struct kept *kept;
	size_t n, cap;
};

/* Keeps a finding; f->what is one of a few constant texts, so it is not copied. */
static int
keep_finding(void *arg, const struct check_finding *f)
{
	struct relay *r = arg;

	r->worst = MAX(r->worst, f->level);
	r->pages |= f->level > FOUND_WARNING && strcmp(f->what, "file") == 0;
	*xpush(r->kept, r->n, r->cap) = (struct kept){ f->level, f->what, xstrdup(f->message) };
	return 0;
}

static int
add_finding(struct relay *r, int level, const char *what, const char *message)
{
	const struct check_finding f = { level, what, message };

	return keep_finding(r, &f);
}

/* Reports what is kept, as long as the receiver wants it, and forgets it. */
static int
report_kept(struct relay *r)
{
	int rc = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct kept *k = &r->kept[i];
		const struct check_finding f = { k->level, k->what, k->message };
		if (rc == 0)
			rc = r->fn(r->arg, &f);
		free(k->message);
	}
	r->n = 0;
	return rc;
}

/*
 * Rebuilds what is derived. Where pages of base tables are damaged, the store finds out whether
 * only an index is, which can be made anew, and changes nothing if not. Where the pages are sound
 * but base data in them is wrong, nothing can be repaired. 0: done, 1: not done, -1.
 */
static int
repair(struct store *s, struct relay *r, check_progress_fn *progress, struct err *err)
{
	bool base = r->worst >= FOUND_BASE;
	int rc = base && !r->pages ? -1 : store_repair(s, progress, r->arg, err);

	if (rc != 0 && base && (!r->pages || err->code == ERR_IO)) {
		err_clear(err);
		add_finding(r, FOUND_BASE, "repair",
		    "not done: messages or sessions are damaged; go back to a backup");
		return 1;
	}
	if (rc != 0)
		return -1;
	r->worst = FOUND_OK;
	r->pages = false;
	return add_finding(r, FOUND_OK, "repair", "what is derived was rebuilt; checked again");
}

static void
add_not_written(struct relay *r)
{
	add_finding(r, FOUND_BASE, "backup", "not written, because the store is damaged");
}

/*
 * Checks, and when backup names a file, writes a copy of what was checked, from the same snapshot.
 */
static int
check_and_copy(struct store *s, enum check_level level, const char *backup, struct relay *r,
	struct err *err)
{
	int rc = -1;

	if (store_snapshot(s, err) < 0)
		return -1;
	if (store_check(s, level, keep_finding, r, err) < 0)
		goto out;
	if (backup != NULL && r->worst >= FOUND_BASE)
		add_not_written(r);
	else if (backup != NULL && store_backup(s, backup, err) < 0)
		goto out;
	else if (backup != NULL)
		add_finding(r, FOUND_OK, "backup", "written and checked");
	rc = 0;
out:
	store_snapshot_end(s);
	return report_kept(r) != 0 ? -1 : rc;
}

int
check_store(struct store *s, const struct check_want *want, check_fn *fn,
	check_progress_fn *progress, void *arg, int *worst, struct err *err)
{
	struct relay r = { .fn = fn, .arg = arg };
	/* nobody looks at a copy until it is needed, so it must be known to hold what was stored */
	enum check_level level = want->backup != NULL ? MAX(want->level, CHECK_FULL) : want->level;
	int rc = -1, left = 1;             /* left is 0 after a repair */

	*worst = FOUND_OK;
	if (check_and_copy(s, level, want->repair ? NULL : want->backup, &r, err) < 0)
		goto out;
	if (want->repair && (left = repair(s, &r, progress, err)) < 0)
		goto out;
	if (left == 0 && check_and_copy(s, level, want->backup, &r, err) < 0)
		goto out;
	if (left > 0 && want->repair && want->backup != NULL)
		add_not_written(&r);
	if (want->checkpoint) {
		if (store_checkpoint(s, err) < 0)
			goto out;
		add_finding(&r, FOUND_OK, "checkpoint", "the log is in the file, and empty");
	}
	*worst = r.worst;
	rc = report_kept(&r) != 0 ? -1 : 0;
out:
	report_kept(&r);
	free(r.kept);
	return rc;
}
