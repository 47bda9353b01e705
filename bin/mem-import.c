/* mem-import: store what mem-export wrote, as it was, or what other programs remember */
#include <sys/stat.h>
#include <unistd.h>

#include "audit/memories.h"
#include "clean/speaker.h"
#include "cli/prog.h"
#include "cli/progress.h"
#include "facts/remember.h"
#include "formats/turns.h"
#include "hook/hook_forget.h"
#include "json/json.h"
#include "native/native.h"
#include "store/foreign.h"
#include "transfer/import.h"
#include "transfer/lines.h"
#include "gen/programs.h"

static bool multi_user, allow, partly;

static const struct prog_opt opts[] = {
	{ 0, "multi-user", NULL, OPT_FLAG, &multi_user, NULL, 0, 0, "each record's own user counts" },
	{ 0, "allow", NULL, OPT_FLAG, &allow, NULL, 0, 0, "what was forgotten or pruned here may come back" },
	{ 0, "part", NULL, OPT_FLAG, &partly, NULL, 0, 0, "lines were taken out on the way" },
	PROG_OPTS_SCOPE,
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_IMPORT };

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

static void
left_section(const char *path, const char *why)
{
	prog_warn("what was removed may be left in a section of '%s': %s", path, why);
}

/*
 * Its bytes leave the file, also those of what an earlier run removed that was killed; the log of
 * mem-hook does not name it any more, and no section in an agent's file tells it.
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
	else if (hook_forget(s, NULL, NULL, err) == 0 && n->n_gone > 0)
		native_sections_forget(s, conf_text("user"), left_section, err);
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
	json_record(out, "imported");
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
	json_end(out);
}

/* ---- other memories ---- */

/* Whether it is an export of ours, or what is no memory either: import_file says what is wrong. */
static bool
is_ours(const char *path, struct ndjson *in)
{
	const char *bytes, *end, *type, *dot = strrchr(path, '.');
	LOCAL(arena) a = ARENA_INIT;
	const struct json *v;
	struct err err = ERR_INIT;
	bool ours = true, named;
	size_t len;

	if (ndjson_peek(in, &bytes, &len, &err) != 0)
		return true;                   /* it is told when it is read */
	for (; len > 0 && strchr(" \t\r\n", *bytes) != NULL; len--)
		bytes++;
	named = dot != NULL && (strcmp(dot, ".md") == 0 || strcmp(dot, ".txt") == 0);
	if (len > 0 && *bytes != '{')
		ours = *bytes != '[' && !named && !foreign_is(bytes, len);
	else if (len > 0 && json_parse(bytes, (end = memchr(bytes, '\n', len)) != NULL
		? (size_t)(end - bytes) : len, &a, &v, NULL) == 0)
		ours = (type = json_get_string(v, "type", NULL)) != NULL &&
		    strcmp(type, "entity") != 0 && strcmp(type, "relation") != 0;
	else if (len > 0)
		ours = len > 8 && memcmp(bytes, "{\"type\":", 8) == 0;
	return ours;
}

/* What another program remembers: each item is a fact, compared with what is known. */
static int
import_memories(struct store *s, const char *path, struct ndjson *in, struct import_counts *counts,
	struct err *err)
{
	const struct scope who = { conf_text("user"), prog_common.agent, prog_common.project,
		NULL };
	const struct memories_input how = { NULL, prog_warning_at, NULL };
	const struct memories_sink sink = { .bad = prog_warning_at,
		.without = prog_without_vectors, .stop = &prog_stop };
	LOCAL(memories) m = { .n = 0 };
	struct remember_counts n = { .stored = 0 };
	int rc = in != NULL ? memories_read_open(&m, path, in, &how, err)
			    : memories_read(&m, path, &how, err);

	if (rc == 0)
		rc = memories_remember(s, &who, m.items, m.n, &sink, &n, err);
	counts->n_stored += (int64_t)(n.stored + n.superseded + n.conflicts);
	counts->n_same += (int64_t)n.duplicates;
	counts->n_bad += (int64_t)(m.n_bad + n.refused);
	counts->n_removed += (int64_t)n.forgotten;
	counts->n_changes += (int64_t)(n.stored + n.superseded + n.conflicts);
	return rc;
}

/*
 * Refuses what certainly is a conversation, of which each line would be a fact: a chat, mail,
 * captions, an archive. A memory may look like a dialog or a table, one in Markdown like any of
 * them ("[2025-01-03 10:00:00] - Decision: ..."), as none but aider writes a history so, and a list
 * of "[2025-01-03 10:00] Ann: prefers tea" like a chat in which nobody asks or says I or you.
 */
static int
refuse_said(const char *path, struct ndjson *in, struct err *err)
{
	size_t n = strlen(path), len;
	bool markdown = n > 3 && strcmp(path + n - 3, ".md") == 0;
	const char *bytes, *form = NULL;

	if (ndjson_peek(in, &bytes, &len, NULL) != 0)
		return 0;                      /* it is told when it is read */
	if (len >= 4 && memcmp(bytes, "PK\3\4", 4) == 0)
		form = "a zip archive";
	else if (len > 0 && *bytes != '{')
		form = turns_detect(bytes, len);
	if (form == NULL || strcmp(form, "dialog") == 0 || strcmp(form, "csv") == 0 ||
	    strcmp(form, "copied") == 0 || (markdown && strcmp(form, "aider") != 0) ||
	    (strcmp(form, "whatsapp") == 0 && memchr(bytes, '?', len) == NULL &&
		!speaker_addresses(bytes, len)))
		return 0;
	return err_set(err, ERR_DATA,
	    "'%s' is a conversation (%s), not a memory: mem-ingest stores it", path, form);
}

static int
import_one(struct store *s, struct import *im, const char *path, const struct import_fn *fn,
	struct import_counts *of_others, struct err *err)
{
	struct ndjson *in;
	struct stat st;

	if (strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return import_memories(s, path, NULL, of_others, err);
	if (import_open(path, &in, err) != 0)
		return -1;
	if (refuse_said(path, in, err) != 0) {
		ndjson_close(in);
		return -1;
	}
	return is_ours(path, in) ? import_file(im, in, path, fn, err)
				 : import_memories(s, path, in, of_others, err);
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
	struct import_counts others = { .n_stored = 0 }, all;
	struct err one = ERR_INIT;
	int worst = 0;

	hook_forget_with(s, NULL);
	if (n == 0 && isatty(STDIN_FILENO))
		prog_note("reading the terminal; end with Control-D");
	for (int i = 0; i < MAX(n, 1) && prog_stop == 0; i++) {
		if (import_one(s, im, n == 0 ? only_stdin[0] : paths[i], &fn, &others, &one) == 0)
			continue;
		if (one.code != ERR_DATA && one.code != ERR_NOINPUT && one.code != ERR_PERM) {
			*err = one;
			break;
		}
		prog_warn("%s", one.msg);
		worst = one.code;
		err_clear(&one);
	}
	all = *counts;
	all.n_stored += others.n_stored;
	all.n_same += others.n_same;
	all.n_removed += others.n_removed;
	all.n_changes += others.n_changes;
	all.n_bad += others.n_bad;
	put_summary(&all, import_head(im));
	if (err->code == 0)
		finish_gone(s, counts, err);
	if (err->code == 0)
		err->code = worst != 0 ? worst
		    : all.n_bad > 0 || counts->n_differ > 0 ? ERR_DATA : 0;
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
