/*
 * mem-check: check, repair and back up the store
 */
#include "cli/print.h"
#include "cli/prog.h"
#include "cli/progress.h"
#include "json/json.h"
#include "records/check.h"

#define LEVEL_COLUMNS 9

static bool quick, full, deep, repair, checkpoint, migrate;
static const char *backup;

static const struct prog_opt opts[] = {
	{ 'd', "db", "FILE", OPT_CONF, NULL, "db", 0, 0, "the database file" },
	{ 0, "quick", NULL, OPT_FLAG, &quick, NULL, 0, 0, "versions, pages, counts (default)" },
	{ 0, "full", NULL, OPT_FLAG, &full, NULL, 0, 0, "every page and every message against its hash" },
	{ 0, "deep", NULL, OPT_FLAG, &deep, NULL, 0, 0, "the full text against the words of every message, too" },
	{ 0, "repair", NULL, OPT_FLAG, &repair, NULL, 0, 0, "rebuild what is derived, then check again" },
	{ 0, "migrate", NULL, OPT_FLAG, &migrate, NULL, 0, 0, "bring a store of an earlier version up to date" },
	{ 0, "checkpoint", NULL, OPT_FLAG, &checkpoint, NULL, 0, 0, "move the write-ahead log into the file" },
	{ 0, "backup", "FILE", OPT_TEXT, &backup, NULL, 0, 0, "write a checked copy, which must not exist" },
	PROG_OPTS_OUTPUT,
	PROG_OPTS_QUIET("only what is not in order"),
	PROG_OPTS_END
};

static const struct prog prog = {
	"mem-check", "check, repair and back up the store", "", opts,
	"  mem-check\n"
	"  mem-check -q --full --backup ~/backup/mem.db\n"
	"  mem-check --repair\n"
};

static void
versions(struct buf *out)
{
	store_versions(out);
	buf_addf(out, "libjq %s\n", jq_version());
}

static void
text_finding(struct buf *out, const struct check_finding *f)
{
	/* green, yellow, red, red, by level */
	static const char *const colors[] = { "32", "33", "31", "31" };
	const char *level = check_level_name(f->level);
	int pad = LEVEL_COLUMNS - (int)strlen(level);

	if (prog_color())
		buf_addf(out, "\x1b[%sm%s\x1b[0m", colors[MAX(0, MIN(f->level, 3))], level);
	else
		buf_adds(out, level);
	buf_addf(out, "%*s%s: ", MAX(pad, 1), "", f->what);
	print_line(out, f->message, strlen(f->message), 1000);
}

static void
record_check(struct buf *out, const struct check_finding *f)
{
	json_open(out);
	json_str(out, "type", "check");
	json_str(out, "level", check_level_name(f->level));
	json_bool(out, "ok", f->level == 0);
	json_str(out, "name", f->what);
	json_str(out, "message", f->message);
	json_close(out);
}

/* Prints a finding. The check goes on when nobody reads, because of its exit status. */
static int
put_finding(void *arg, const struct check_finding *f)
{
	(void)arg;
	if (prog_common.quiet && f->level == 0)
		return 0;
	if (prog_for_people())
		text_finding(prog_out(), f);
	else
		record_check(prog_out(), f);
	buf_addc(prog_out(), '\n');
	prog_flush();
	return 0;
}

static void
put_progress(void *arg, int64_t done, int64_t all)
{
	(void)arg;
	progress_show(done, all, "messages rebuilt");
}

int
main(int argc, char **argv)
{
	struct check_want want = { .level = CHECK_QUICK };
	struct err err = ERR_INIT;
	struct store *s = NULL;
	int i, worst = 0;

	prog_versions(versions);
	i = prog_start(&prog, argc, argv);

	if (i < argc)
		err_set(&err, ERR_USAGE, "takes no operand, not '%s'", argv[i]);
	else if (quick + full + deep > 1)
		err_set(&err, ERR_USAGE, "one of --quick, --full and --deep");
	if (err.code != 0)
		return prog_end(&err);
	want.level = deep ? CHECK_DEEP : full ? CHECK_FULL : CHECK_QUICK;
	want.repair = repair;
	want.checkpoint = checkpoint;
	want.backup = backup;
	/*
	 * STORE_REPAIR opens a store whose index is of another version: none of these needs that
	 * index.
	 */
	if (store_open(conf_db(),
		repair || checkpoint || migrate || backup != NULL ? STORE_REPAIR : STORE_READ, &s,
		&err) == 0 &&
	    check_store(s, &want, put_finding, put_progress, NULL, &worst, &err) == 0 && worst >= 2)
		err.code = ERR_IO;             /* the findings have said why */
	store_close(s);
	return prog_end(&err);
}
