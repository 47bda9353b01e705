/* mem-check: check, repair and back up the store */
#include "base/embedded.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "cli/progress.h"
#include "facts/forgotten.h"
#include "hook/hook_forget.h"
#include "json/json.h"
#include "records/check.h"
#include "records/chunks_again.h"
#include "setup/pieces.h"
#include "store/copy.h"
#include "summary/stale.h"
#include "gen/programs.h"

#define LEVEL_COLUMNS 9

static bool quick, full, deep, repair, checkpoint, migrate, stale, rebuild, copy;
static const char *backup, *restore;

static const struct prog_opt opts[] = {
	{ 'd', "db", "FILE", OPT_CONF, NULL, "db", 0, 0, "the database file" },
	{ 0, "quick", NULL, OPT_FLAG, &quick, NULL, 0, 0, "versions, pages, counts (default)" },
	{ 0, "full", NULL, OPT_FLAG, &full, NULL, 0, 0, "every page and every message against its hash" },
	{ 0, "deep", NULL, OPT_FLAG, &deep, NULL, 0, 0, "the full text against the words of every message, too" },
	{ 0, "repair", NULL, OPT_FLAG, &repair, NULL, 0, 0, "rebuild what is derived, then check again" },
	{ 0, "rebuild", NULL, OPT_FLAG, &rebuild, NULL, 0, 0, "make again what is derived, and compare" },
	{ 0, "stale", NULL, OPT_FLAG, &stale, NULL, 0, 0, "what would come out otherwise today; with --repair that alone is made again" },
	{ 0, "migrate", NULL, OPT_FLAG, &migrate, NULL, 0, 0, "bring a store of an earlier version up to date" },
	{ 0, "checkpoint", NULL, OPT_FLAG, &checkpoint, NULL, 0, 0, "move the write-ahead log into the file" },
	{ 0, "backup", "FILE", OPT_TEXT, &backup, NULL, 0, 0, "write a checked copy, which must not exist" },
	{ 0, "restore", "FILE", OPT_TEXT, &restore, NULL, 0, 0, "make a copy of the store the store again, and keep what it was" },
	{ 0, "copy", NULL, OPT_FLAG, &copy, NULL, 0, 0, "copy the store FROM to a server or a file, TO, which must not exist" },
	PROG_OPTS_OUTPUT,
	PROG_OPTS_QUIET("only what is not in order"),
	PROG_OPTS_END
};

static const struct prog prog = { opts, PROG_MEM_CHECK };

/* That of the records is the line "v N" of their grammar. */
static void
versions(struct buf *out)
{
	const char *v = strstr(embedded_find("schema/records.txt")->text, "\nv ");

	if (v != NULL)
		buf_addf(out, "records %.*s\n", (int)strspn(v + 3, "0123456789"), v + 3);
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
	json_record(out, "check");
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

/* ---- what would come out otherwise ---- */

struct users {
	struct store *s;
	struct err *err;
	const char *user;
	bool repaired;                         /* what is told was made again */
};

static int
put_stale(void *arg, const struct stale *v)
{
	struct users *u = arg;
	bool left = !u->repaired;
	LOCAL(buf) text = buf_of(4096);

	buf_addf(&text, "%s %s of %s: %s%s",
	    v->was->head.type == RECORD_SUMMARY ? "summary" : "fact", v->was->head.id, u->user,
	    v->why, left ? "" : v->now != NULL ? ": made again" : ": retracted");
	put_finding(NULL, &(struct check_finding){ left ? 1 : 0, rebuild ? "rebuild" : "stale",
		text.data });
	return 0;
}

static int
put_recut(void *arg, const struct message *m)
{
	const struct users *u = arg;
	char text[ID_TEXT + 128];

	snprintf(text, sizeof(text), "message %s of %.64s is cut otherwise today", m->id, u->user);
	return put_finding(NULL, &(struct check_finding){ 1, "rebuild", text });
}

/* Cuts the messages again; --repair makes chunks that differ anew, with all else. */
static int
cut_again(struct users *u, const struct scope *who)
{
	char text[128];
	size_t n;

	if (chunks_again(u->s, who, put_recut, u, &n, u->err) < 0)
		return -1;
	snprintf(text, sizeof(text), "%zu messages of %.64s were cut again", n, u->user);
	return put_finding(NULL, &(struct check_finding){ 0, "rebuild", text });
}

/* Looks at each user's records; with --repair makes those that are stale again. */
static int
look_at_user(struct users *u)
{
	struct scope who = { .user = u->user };
	struct stale_counts counts;
	struct llm *l = NULL;
	char text[160];
	int rc;

	if (rebuild && cut_again(u, &who) < 0)
		return -1;
	if (stale && repair) {
		u->repaired = true;
		l = llm_is_on() ? llm_new(u->s, u->user, prog.name, NULL) : NULL;
		rc = stale_repair(u->s, &who, l, put_stale, u, &counts, u->err);
		llm_free(l);
	} else {
		rc = stale_each(u->s, &who, rebuild, put_stale, u, &counts, u->err);
	}
	if (rc < 0)
		return -1;
	if (counts.n_unknown > 0) {
		snprintf(text, sizeof(text),
		    "%zu facts of %.64s do not say what made them: not looked at",
		    counts.n_unknown, u->user);
		put_finding(NULL, &(struct check_finding){ 0, rebuild ? "rebuild" : "stale",
			text });
	}
	if (counts.n == 0)
		put_finding(NULL, &(struct check_finding){ 0, rebuild ? "rebuild" : "stale",
			"all facts and summaries come out as they are" });
	return 0;
}

/* The log of mem-hook names nothing that was removed for good, whoever was killed before that. */
static void
clear_log(struct store *s)
{
	struct err why = ERR_INIT;
	char text[128];
	size_t n;

	if (hook_forget(s, NULL, &n, &why) < 0) {
		put_finding(NULL, &(struct check_finding){ 1, "hooks", why.msg });
	} else if (n > 0) {
		snprintf(text, sizeof(text), "%zu lines of the log of mem-hook named what was "
		    "removed, or were cut short, and are blanked", n);
		put_finding(NULL, &(struct check_finding){ 0, "hooks", text });
	}
}

static int
look_at_users(struct store *s, struct err *err)
{
	struct users u = { .s = s, .err = err };
	LOCAL(arena) a = ARENA_INIT;
	FREED const char **users = NULL;
	size_t n;
	int rc = users_all(s, &a, &users, &n, err);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		u.user = users[i];
		rc = look_at_user(&u);
	}
	return rc;
}

static void
put_progress(void *arg, int64_t done, int64_t all)
{
	(void)arg;
	progress_show(done, all, "messages rebuilt");
}

/* ---- copies ---- */

static void
put_copied_rows(void *arg, int64_t n)
{
	(void)arg;
	progress_show(n, 0, "rows read");
}

static int
copy_store(const char *from, const char *to, struct err *err)
{
	struct store_copied c;
	char hash[2 * SHA256_BYTES + 1], text[256];

	if (store_copy(from, to, put_copied_rows, NULL, &c, err) < 0)
		return -1;
	snprintf(text, sizeof(text), "%lld rows, the same in both: SHA-256 %s; %lld were written",
	    (long long)c.n_rows, hex_format(c.sha256, sizeof(c.sha256), hash),
	    (long long)c.n_written);
	return put_finding(NULL, &(struct check_finding){ 0, "copy", text });
}

static int
count(void *arg, const char *id, const char *session)
{
	size_t *n = arg;

	(void)id;
	(void)session;
	++*n;
	return 0;
}

/* What was forgotten since the copy was made is there again, and nobody would look for it. */
static void
tell_forgotten(const char *kept)
{
	struct check_finding finding = { 1, "forgotten", NULL };
	struct err why = ERR_INIT;
	LOCAL(arena) a = ARENA_INIT;
	struct store *s = NULL;
	FREED const char **users = NULL;
	size_t n = 0, n_users = 0;
	LOCAL(buf) text = buf_of(conf_caps.output_bytes);

	if (store_open(conf_db(), STORE_READ, &s, &why) == 0)
		users_all(s, &a, &users, &n_users, &why);
	for (size_t i = 0; i < n_users && why.code == 0; i++, n = 0) {
		const struct scope who = { .user = users[i] };

		if (forgotten_each(s, &who, kept, count, &n, &why) != 0 || n == 0)
			continue;
		buf_reset(&text);
		buf_addf(&text, "%zu message%s or fact%s that had been forgotten %s there again; "
		    "they are forgotten again by: mem-forget -f -d ", n, PLURAL(n), PLURAL(n),
		    n == 1 ? "is" : "are");
		shell_word(&text, conf_db());
		buf_adds(&text, " -u ");
		shell_word(&text, users[i]);
		buf_adds(&text, " --as ");
		shell_word(&text, kept);
		finding.message = text.data;
		put_finding(NULL, &finding);
	}
	if (why.code != 0) {
		buf_reset(&text);
		buf_addf(&text, "whether what had been forgotten is there again is not known: %s",
		    why.msg);
		finding.message = text.data;
		put_finding(NULL, &finding);
	}
	store_close(s);
}

static int
restore_store(const char *from, enum check_level level, struct err *err)
{
	char *kept, text[1024];

	if (store_restore(conf_db(), from, level, put_finding, NULL, &kept, err) < 0) {
		free(kept);
		return -1;
	}
	snprintf(text, sizeof(text), "the store is what '%.300s' was%s%.500s%s", from,
	    *kept != '\0' ? "; what it was itself is in '" : "", kept, *kept != '\0' ? "'" : "");
	put_finding(NULL, &(struct check_finding){ 0, "restore", text });
	if (*kept != '\0')
		tell_forgotten(kept);
	free(kept);
	return 0;
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

	if (copy && argc - i != 2)
		err_set(&err, ERR_USAGE, "--copy takes two stores, FROM and TO");
	else if (copy && (repair || rebuild || stale || migrate || checkpoint || backup != NULL))
		err_set(&err, ERR_USAGE, "--copy goes with --quick, --full or --deep alone");
	else if (restore != NULL &&
	    (copy || repair || rebuild || stale || migrate || checkpoint || backup != NULL))
		err_set(&err, ERR_USAGE, "--restore goes with --quick, --full or --deep alone");
	else if (!copy && i < argc)
		err_set(&err, ERR_USAGE, "takes no operand, not '%s'", argv[i]);
	else if (quick + full + deep > 1)
		err_set(&err, ERR_USAGE, "one of --quick, --full and --deep");
	else if (rebuild && (repair || stale))
		err_set(&err, ERR_USAGE, "--rebuild only compares: without --repair and --stale");
	else if (!copy && restore == NULL)
		prog_unread(PROG_UNREAD_MS, &err);
	if (err.code != 0)
		return prog_end(&err);
	want.level = deep || rebuild ? CHECK_DEEP : full ? CHECK_FULL : CHECK_QUICK;
	want.repair = repair && !stale;
	want.checkpoint = checkpoint;
	want.backup = backup;
	if ((copy && copy_store(argv[i], argv[i + 1], &err) < 0) ||
	    (restore != NULL && restore_store(restore, want.level, &err) < 0))
		return prog_end(&err);
	/*
	 * STORE_REPAIR opens a store whose index is of another version: none of these needs that
	 * index.
	 */
	if (store_open(copy ? argv[i + 1] : conf_db(),
		stale && repair ? STORE_WRITE
		: repair || checkpoint || migrate || backup != NULL ? STORE_REPAIR
								    : STORE_READ,
		&s, &err) == 0 &&
	    check_store(s, &want, put_finding, put_progress, NULL, &worst, &err) == 0 &&
	    (worst > 2 || !(stale || rebuild) || look_at_users(s, &err) == 0) && worst >= 2)
		err.code = ERR_IO;             /* the findings have said why */
	if (s != NULL && err.code == 0)
		clear_log(s);
	store_close(s);
	return prog_end(&err);
}
