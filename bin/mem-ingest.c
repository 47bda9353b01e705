/* mem-ingest: store conversations, from transcripts of many forms, and documents */
#include <fcntl.h>
#include <unistd.h>

#include "base/off.h"
#include "cli/complete.h"
#include "cli/prog.h"
#include "cli/progress.h"
#include "hook/capture.h"
#include "ingest/documents.h"
#include "ingest/ingest.h"
#include "ingest/ingest_from.h"
#include "records/project_name.h"
#include "gen/programs.h"

#define BACKFILL_BATCH 1000
/* output is written in pieces of this size, the least that output_bytes may be */
#define PIECE_BYTES    65536

static const char *from, *map, *rejects;
static bool keep_secrets, multi_user, no_chunks, backfill, pruned, dry_run, strict;
static bool documents, no_documents, watch, unwatch, watched;

static const struct prog_opt opts[] = {
	{ 0, "from", "FORMAT", OPT_TEXT, &from, NULL, 0, 0, "auto, ndjson, openai, chatgpt, claude, claude-code, codex, text ..." },
	{ 0, "map", "FILE|EXPR", OPT_TEXT, &map, NULL, 0, 0, "a jq program that makes records of lines" },
	{ 0, "rejects", "FILE", OPT_TEXT, &rejects, NULL, 0, 0, "add lines that could not be stored to FILE" },
	{ 0, "strict", NULL, OPT_FLAG, &strict, NULL, 0, 0, "stop at the first bad line" },
	{ 'n', "dry-run", NULL, OPT_FLAG, &dry_run, NULL, 0, 0, "print what is new and would be stored, store nothing" },
	{ 0, "batch", "N", OPT_CONF, NULL, "batch", 0, 0, "messages in one transaction, at most" },
	{ 0, "multi-user", NULL, OPT_FLAG, &multi_user, NULL, 0, 0, "each record's own user counts" },
	{ 0, "keep-secrets", NULL, OPT_FLAG, &keep_secrets, NULL, 0, 0, "store keys and passwords as they are" },
	{ 0, "no-chunks", NULL, OPT_FLAG, &no_chunks, NULL, 0, 0, "do not cut messages into chunks" },
	{ 0, "allow", NULL, OPT_FLAG, &pruned, NULL, 0, 0, "store what was forgotten or pruned again, too" },
	{ 0, "pruned", NULL, OPT_FLAG, &pruned, NULL, 0, 0, "the same" },
	{ 0, "documents", NULL, OPT_FLAG, &documents, NULL, 0, 0, "read documents also where conversations lie" },
	{ 0, "no-documents", NULL, OPT_FLAG, &no_documents, NULL, 0, 0, "read conversations alone" },
	{ 0, "watch", NULL, OPT_FLAG, &watch, NULL, 0, 0, "read the directories now, and again whenever mem-upkeep runs" },
	{ 0, "unwatch", NULL, OPT_FLAG, &unwatch, NULL, 0, 0, "no more; what was read of them stays" },
	{ 0, "watched", NULL, OPT_FLAG, &watched, NULL, 0, 0, "read all directories that are watched" },
	{ 0, "backfill-chunks", NULL, OPT_FLAG, &backfill, NULL, 0, 0, "cut the messages that are not yet, and read nothing" },
	PROG_OPTS_SCOPE,
	PROG_OPTS_OUTPUT,
	PROG_OPTS_QUIET("no records and no count, only errors"),
	PROG_OPTS_END
};

static const struct prog prog = { opts, PROG_MEM_INGEST };

/* ---- output ---- */

static void
put_records(void *arg, const char *ndjson, size_t len)
{
	(void)arg;
	for (size_t n; len > 0; ndjson += n, len -= n) {
		n = MIN(len, PIECE_BYTES);
		buf_add(prog_out(), ndjson, n);
		/* a closed or full stdout ends nothing: what is read is still stored */
		prog_flush();
	}
}

static void
put_note(void *arg, const char *text)
{
	(void)arg;
	if (prog_common.verbose)
		prog_note("%s", text);
}

static void
put_progress(void *arg, const struct ingest_counts *c)
{
	(void)arg;
	progress_show((int64_t)(c->messages + c->duplicates), 0, "messages");
}

static void
add_figure(struct buf *b, uint64_t n, const char *one, const char *many)
{
	if (n == 0 && b->len > 0)
		return;
	buf_adds(b, b->len > 0 ? ", " : "ingested ");
	buf_add_count(b, (int64_t)n);
	buf_addf(b, " %s", n == 1 ? one : many);
}

static uint64_t
n_documents(const struct ingest_counts *c)
{
	return c->documents_new + c->documents_changed + c->documents_known + c->documents_gone;
}

static void
put_summary(const struct ingest_counts *c)
{
	LOCAL(buf) b = buf_of(1024);

	if (c->messages + c->duplicates > 0 || n_documents(c) == 0)
		add_figure(&b, c->messages, "message", "messages");
	add_figure(&b, c->documents_new + c->documents_changed, "document", "documents");
	add_figure(&b, c->sections, "section", "sections");
	add_figure(&b, c->duplicates, "duplicate", "duplicates");
	add_figure(&b, c->differing, "of them with other words", "of them with other words");
	if (c->pruned > 0)
		add_figure(&b, c->pruned, "that was forgotten or pruned, and stays away",
		    "that were forgotten or pruned, and stay away");
	if (c->off > 0)
		add_figure(&b, c->off, "where memory is off", "where memory is off");
	add_figure(&b, c->rejected, "rejected", "rejected");
	add_figure(&b, c->empty, "empty", "empty");
	add_figure(&b, c->redacted, "secret redacted", "secrets redacted");
	add_figure(&b, c->sessions, "session", "sessions");
	add_figure(&b, c->passed, "file passed over", "files passed over");
	/* what stays away is said in a script, too: it was asked for, and is not there */
	(c->pruned > 0 && !prog_common.quiet ? prog_warn : prog_note)("%s%s%s", b.data,
	    c->pruned > 0 ? " (--allow brings them)" : "",
	    dry_run ? " (nothing was stored)" : "");
}

/* What became of the files of a directory, a line each. */
static void
put_files(const struct ingest_counts *c)
{
	const struct { uint64_t n; const char *what; } lines[] = {
		{ c->documents_new, "read as documents" },
		{ c->documents_changed, "read again as documents, as they have changed: what they "
			"said before is gone" },
		{ c->documents_known, "known already as documents, with nothing new" },
		{ c->documents_gone, "there no more: their documents are gone" },
		{ c->files_new, dry_run ? "with new messages" : "with new messages, which are stored" },
		{ c->files_known, "known already" },
		{ c->files_empty, "of a known form, with nothing that was said in them" },
		{ c->files_bad, "not read, for the reasons above" },
		{ c->beside, "beside conversations, and not read as documents (--documents "
			"reads them, too)" },
		{ c->passed, "passed over: no transcript" },
	};

	LOCAL(buf) b = buf_of(1024);
	for (size_t i = 0; i < NELEM(lines); i++) {
		if (lines[i].n == 0)
			continue;
		buf_reset(&b);
		buf_add_count(&b, (int64_t)lines[i].n);
		prog_note("%s %s %s", b.data, lines[i].n == 1 ? "file" : "files", lines[i].what);
	}
}

/* ---- the two jobs ---- */

static int
backfill_chunks(struct store *s, struct err *err)
{
	struct scope who = { conf_text("user"), NULL, NULL, NULL };
	uint64_t all = 0;
	unsigned n;

	do {
		if (store_begin_user(s, who.user, err) != 0)
			return -1;
		if (store_end(s, chunks_backfill(s, &who, BACKFILL_BATCH, &n, err), err) != 0)
			return -1;
		all += n;
	} while (n > 0 && prog_stop == 0);
	prog_note("cut %llu messages into chunks", (unsigned long long)all);
	return 0;
}

static uint64_t n_stored;                  /* new messages, of whichever input */

static int
ingest_paths(struct store *s, char **paths, size_t n, struct err *err)
{
	static char stdin_name[] = "-", *only_stdin[] = { stdin_name };
	struct ingest_options o = {
		.user = conf_text("user"),
		.agent = prog_common.agent,
		.project = prog_common.project,
		.session = prog_common.session,
		.from = from,
		.map = map,
		.rejects = rejects,
		.multi_user = multi_user,
		.keep_secrets = keep_secrets || conf_bool("keep_secrets"),
		.pruned = pruned,
		.quiet = prog_common.quiet,
		.strict = strict,
		.dry_run = dry_run,
		.documents = no_documents ? 0 : documents ? 1 : -1,
		.batch = conf_int("batch"),
		.batch_ms = conf_int("batch_ms"),
		.stop = &prog_stop,
	};
	bool records = !prog_common.quiet && !prog_for_people();
	struct ingest_out out = { records ? put_records : NULL, prog_warning, put_note,
	    put_progress, NULL };
	struct ingest_counts counts;
	struct scope who = { o.user, NULL, o.project, NULL };
	LOCAL(arena) a = ARENA_INIT;
	int worst, rc;

	if (project_of_new(s, &who, &a, err) != 0)
		return -1;
	o.project = who.project;

	if (n == 0 && isatty(STDIN_FILENO))
		prog_note("reading the terminal; end with Control-D");
	rc = ingest(s, &o, &out, n > 0 ? paths : only_stdin, n > 0 ? n : 1, &counts, &worst, err);
	n_stored += dry_run ? 0 : counts.messages;
	put_summary(&counts);
	if (counts.walked || n_documents(&counts) > 0)
		put_files(&counts);
	if (rc == 0 && (worst != 0 || counts.rejected > 0))
		err->code = worst != 0 ? worst : ERR_DATA;     /* every fault was reported */
	return rc;
}

/* What is done with directories that are, or are to be, watched. */
static int
ingest_watched(struct store *s, char **paths, size_t n, struct err *err)
{
	struct scope who = { conf_text("user"), NULL, NULL, NULL };
	LOCAL(arena) a = ARENA_INIT;
	int rc = 0;

	if (watched)
		rc = documents_watched(s, &who, &a, &paths, &n, err);
	for (size_t i = 0; i < n && rc == 0 && !watched; i++)
		if ((rc = documents_watch(s, &who, paths[i], watch, err)) == 0 && unwatch)
			prog_note("'%s' is no longer watched; what was read of it stays", paths[i]);
	if (rc == 0 && !unwatch && n > 0)
		rc = ingest_paths(s, paths, n, err);
	return rc;
}

static void
put_formats(struct buf *out)
{
	from_names(out, "\n");
}

/* Runs the setting hook_then in a process of its own, without streams. */
static void
run_behind(void)
{
	if (n_stored == 0 || *conf_text("hook_then") == '\0' || fork() != 0)
		return;
	setsid();
	int null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd <= 2 && null >= 0; fd++)
		dup2(null, fd);
	capture_then(conf_text("hook_then"), conf_db(), conf_text("user"));
	_exit(ERR_UNAVAILABLE);
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct store *s = NULL;

	complete_option("from", put_formats);
	int i = prog_start(&prog, argc, argv);

	if (from != NULL && map != NULL)
		err_set(&err, ERR_USAGE, "--from and --map exclude each other");
	else if (backfill && (i < argc || dry_run))
		err_set(&err, ERR_USAGE, "--backfill-chunks reads nothing and takes no other job");
	else if (watched && (watch || unwatch || i < argc))
		err_set(&err, ERR_USAGE, "--watched takes no directory: it reads all that are");
	else if ((watch || unwatch) && (watch == unwatch || i == argc))
		err_set(&err, ERR_USAGE,
		    "--watch and --unwatch take directories, one or the other");
	else if (dry_run && (watch || unwatch))
		err_set(&err, ERR_USAGE, "a dry run watches nothing");
	else if (off_why("") != NULL)
		err_set(&err, ERR_CONFIG, "%s", off_why(""));
	if (err.code != 0)
		return prog_end(&err);
	prog_catch_signals();
	if (store_open(conf_db(), dry_run ? STORE_READ : STORE_CREATE, &s, &err) != 0 && dry_run &&
	    err.code == ERR_NOINPUT)
		err_clear(&err);               /* without a store all is new */
	if (err.code == 0) {
		if (s != NULL)
			messages_set_options(s, (struct put_options){
				no_chunks || (!backfill && !conf_bool("chunks")),
				pruned });
		if (backfill)
			backfill_chunks(s, &err);
		else if (watch || unwatch || watched)
			ingest_watched(s, argv + i, (size_t)(argc - i), &err);
		else
			ingest_paths(s, argv + i, (size_t)(argc - i), &err);
	}
	store_close(s);
	int status = prog_end(&err);
	run_behind();
	return status;
}
