/*
 * mem-import: store what mem-export wrote, as it was
 */
#include <unistd.h>

#include "cli/prog.h"
#include "cli/progress.h"
#include "hook/hook_forget.h"
#include "json/json.h"
#include "transfer/import.h"
#include "transfer/lines.h"

static bool multi_user, allow, partly;

static const struct prog_opt opts[] = {
	{ 0, "multi-user", NULL, OPT_FLAG, &multi_user, NULL, 0, 0, "each record's own user counts" },
	{ 0, "allow", NULL, OPT_FLAG, &allow, NULL, 0, 0, "what was forgotten or pruned here may come back" },
	{ 0, "part", NULL, OPT_FLAG, &partly, NULL, 0, 0, "lines were taken out on the way" },
	PROG_OPTS_SCOPE,
	PROG_OPTS_OUTPUT,
	PROG_OPTS_COMMON,
	PROG_OPTS_END
};

static const struct prog prog = { "mem-import", "store what mem-export wrote, as it was",
	"[FILE ...]", opts,
	"  mem-import /media/stick/mem.ndjson.gz\n"
	"  ssh laptop mem-export | mem-import\n" };

static void
put_fault(void *arg, const char *name, uint64_t line, const char *why)
{
	(void)arg;
	prog_warn("%s:%llu: %s", name, (unsigned long long)line, why);
}

static void
put_progress(void *arg, const struct import_counts *n)
{
	(void)arg;
	progress_show(n->n_stored + n->n_same, 0, "records");
}

/*
 * Its bytes leave the file, also those of what an earlier run removed that was killed, and the log
 * of mem-hook does not name it any more.
 */
static void
finish_gone(struct store *s, const struct import_counts *n, struct err *err)
{
	struct err later = ERR_INIT;

	if (n->n_gone == 0)
		store_checkpoint(s, &later);
	if (n->n_gone > 0 && store_settle(s, err) != 0)
		prog_warn("what was removed elsewhere is gone here, but its bytes are in the file "
			  "until 'mem-forget -f' or the like succeeds");
	else
		hook_forget(s, NULL, NULL, err);
}

/* What became of all lines: a record into a pipe, a sentence on a terminal. */
static void
put_summary(const struct import_counts *n, const struct news_head *news)
{
	struct buf *out = prog_out();

	if (prog_common.quiet)
		return;
	if (prog_for_people()) {
		prog_note("stored %lld, there already %lld, something else there %lld, forgotten "
			  "here %lld, bad %lld, removed %lld", (long long)n->n_stored,
		    (long long)n->n_same, (long long)n->n_differ, (long long)n->n_removed,
		    (long long)n->n_bad, (long long)n->n_gone);
		return;
	}
	json_open(out);
	json_str(out, "type", "imported");
	json_int(out, "stored", n->n_stored);
	json_int(out, "same", n->n_same);
	json_int(out, "different", n->n_differ);
	json_int(out, "forgotten", n->n_removed);
	json_int(out, "bad", n->n_bad);
	json_int(out, "messages", n->n_messages);
	json_int(out, "changes", n->n_changes);
	json_int(out, "removed", n->n_gone);
	if (news != NULL) {
		json_str(out, "store", news->store);
		json_str(out, "name", news->name);
	}
	json_close(out);
	buf_addc(out, '\n');
}

/* An input that cannot be read keeps none of the others from being stored. */
static void
import_all(struct store *s, char **paths, int n, struct err *err)
{
	const struct import_options o = { conf_text("user"), multi_user, allow, partly };
	static char stdin_name[] = "-", *only_stdin[] = { stdin_name };
	struct import *im = import_new(s, &o);
	const struct import_fn fn = { im, put_fault, put_progress };
	const struct import_counts *counts = import_counts(im);
	struct err one = ERR_INIT;
	int worst = 0;

	hook_forget_with(s, NULL);
	if (n == 0 && isatty(STDIN_FILENO))
		prog_note("reading the terminal; end with Control-D");
	for (int i = 0; i < MAX(n, 1) && prog_stop == 0; i++) {
		if (import_file(im, n == 0 ? only_stdin[0] : paths[i], &fn, &one) == 0)
			continue;
		if (one.code != ERR_DATA && one.code != ERR_NOINPUT && one.code != ERR_PERM) {
			*err = one;
			break;
		}
		prog_warn("%s", one.msg);
		worst = one.code;
		err_clear(&one);
	}
	put_summary(counts, import_head(im));
	if (err->code == 0)
		finish_gone(s, counts, err);
	if (err->code == 0)
		err->code = worst != 0 ? worst
		    : counts->n_bad > 0 || counts->n_differ > 0 ? ERR_DATA : 0;
	import_free(im);
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct store *s = NULL;
	int i = prog_start(&prog, argc, argv);

	prog_catch_signals();
	if (store_open(conf_db(), STORE_CREATE, &s, &err) == 0)
		import_all(s, argv + i, argc - i, &err);
	store_close(s);
	return prog_end(&err);
}
