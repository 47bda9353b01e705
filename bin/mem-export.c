/* mem-export: write a memory, or a part of it, as records that mem-import stores again */
#include "base/alloc.h"
#include "base/order.h"
#include "cli/prog.h"
#include "records/filter.h"
#include "records/ids.h"
#include "records/people.h"
#include "search/decided.h"
#include "transfer/export.h"
#include "transfer/news.h"
#include "gen/programs.h"

#define FLUSH_BYTES (32u << 10)

static struct filter_words words;
static bool multi_user, profile, now_only, redact, vectors;
static const char *format = "ndjson", *new_for;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	PROG_OPTS_FILTER(words),
	{ 0, "multi-user", NULL, OPT_FLAG, &multi_user, NULL, 0, 0, "the memories of all users" },
	{ 0, "profile", NULL, OPT_FLAG, &profile, NULL, 0, 0, "also what users wrote about themselves" },
	{ 0, "now", NULL, OPT_FLAG, &now_only, NULL, 0, 0, "facts and notes as they are, without their history" },
	{ 0, "redact", NULL, OPT_FLAG, &redact, NULL, 0, 0, "without keys, passwords and <private> spans" },
	{ 0, "vectors", NULL, OPT_FLAG, &vectors, NULL, 0, 0, "also vectors, and by which model they were made" },
	{ 0, "new-for", "STORE", OPT_TEXT, &new_for, NULL, 0, 0, "only what is new for another store" },
	{ 0, "format", "FORM", OPT_TEXT, &format, NULL, 0, 0, "ndjson, for mem-import; markdown, to be read; or pam, for other memories" },
	PROG_OPTS_COMMON,
	PROG_OPTS_END
};

static const struct prog prog = { opts, PROG_MEM_EXPORT };

/* Ends the run when nobody reads any more. */
static int
ended(void *arg)
{
	(void)arg;
	return prog_out()->len >= FLUSH_BYTES && prog_flush() != PROG_OUT_OK;
}

typedef int export_fn(struct store *s, const struct export_options *o, struct buf *out,
	int (*ended)(void *arg), void *arg, struct err *err);

/* NULL: there is none of that name. */
static export_fn *
format_named(const char *name)
{
	static const struct { const char *name; export_fn *write; } formats[] = {
		{ "ndjson", export_lines }, { "markdown", export_markdown }, { "pam", export_pam }
	};

	for (size_t i = 0; i < NELEM(formats); i++)
		if (strcmp(formats[i].name, name) == 0)
			return formats[i].write;
	return NULL;
}

static void
put_news(struct store *s, const struct scope *who, struct err *err)
{
	struct news_want want = { .peer = 0 };
	struct news_counts n;

	if (news_want(s, who, new_for, &want, err) == 0)
		news_lines(s, who, &want, &n, prog_out(), ended, NULL, err);
	arena_release(&want.arena);
}

/* ---- what was said later ---- */

struct later { struct store **s; struct index *index; char *user; };

static int
later_add(void *arg, const struct scope *who, const struct fact *f, struct arena *a,
	const char **text, struct buf *member, struct err *err)
{
	struct later *l = arg;
	struct decided d;

	if (l->user == NULL || strcmp(l->user, who->user) != 0) {
		index_free(l->index);          /* that of another user */
		l->index = NULL;
		free(l->user);
		l->user = xstrdup(who->user);
	}
	if (decided_read(*l->s, &l->index, who, f, a, &d, err) != 0)
		return -1;
	*text = decided_text(&d, *text, a);
	if (member != NULL)
		decided_write(&d, member);
	return 0;
}

/* ---- those that are named ---- */

/* Reads the ids on the standard input. What is nothing that is stored is told, and left out. */
static int
read_ids(struct store *s, const struct scope *who, struct export_options *o, const char ***ids,
	struct arena *a, bool *missed, struct err *err)
{
	FREED struct id_given *given = NULL;
	size_t n, n_found = 0;

	if (ids_read("-", a, &given, &n, err) != 0)
		return -1;
	*ids = xreallocarray(*ids, n + 1, sizeof(**ids));
	for (size_t i = 0; i < n; i++) {
		struct id_found found;
		if (ids_find(s, who, given[i], a, &found, err) != 0)
			return -1;
		if (found.id == NULL) {
			prog_warn("'%s' is nothing that is stored here", given[i].text);
			*missed = true;
		} else {
			(*ids)[n_found++] = found.id;
		}
	}
	qsort(*ids, n_found, sizeof(**ids), by_text);
	o->ids = *ids;
	o->n_ids = n_found;
	return 0;
}

int
main(int argc, char **argv)
{
	struct export_options o = { .filter = MESSAGE_FILTER_ANY };
	LOCAL(arena) arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct store *s = NULL;
	struct later later = { .s = &s };
	int i = prog_start(&prog, argc, argv);
	export_fn *write = format_named(format);
	bool named = i + 1 == argc && strcmp(argv[i], "-") == 0, missed = false;
	bool chosen = named || *prog_common.session != '\0' || words.since != NULL ||
	    words.until != NULL || filter_is_of_people(&words) || words.min_trust > 0;
	bool is_part = chosen || profile || now_only || redact || vectors ||
	    *prog_common.agent != '\0' || *prog_common.project != '\0';
	FREED const char **ids = NULL;

	if (i < argc && !named)
		err_set(&err, ERR_USAGE, "no operand is taken but '-': '%s' (a session is named by "
		    "-s)", argv[i]);
	else if (named && (write == export_pam || multi_user || profile || new_for != NULL))
		err_set(&err, ERR_USAGE, "'-' is of ndjson and markdown, and of messages and "
		    "records of one user");
	else if (write == NULL)
		err_set(&err, ERR_USAGE, "unknown format '%s': ndjson, markdown or pam", format);
	else if (write != export_lines && (multi_user || now_only))
		err_set(&err, ERR_USAGE, "--multi-user and --now are of ndjson");
	else if (write == export_markdown && profile)
		err_set(&err, ERR_USAGE, "--profile is of ndjson and pam");
	else if (vectors && (write != export_lines || redact))
		err_set(&err, ERR_USAGE, "--vectors is of ndjson, and of texts as they are: not "
		    "with --redact");
	else if (multi_user && conf_origin("user", NULL) == CONF_OPTION)
		err_set(&err, ERR_USAGE, "one of -u and --multi-user");
	else if (new_for != NULL && (write != export_lines || multi_user || is_part))
		err_set(&err, ERR_USAGE,
		    "--new-for takes a whole memory: -d and -u alone go with it");
	else if (!named)
		prog_unread(PROG_UNREAD_MS, &err);
	o.who = (struct scope)PROG_SCOPE;
	o.all_users = multi_user;
	o.profile = profile;
	o.now_only = now_only;
	o.redact = redact;
	o.vectors = vectors;
	/* of some turns alone, no others are told */
	o.later = chosen ? NULL : later_add;
	o.later_arg = &later;
	if (err.code == 0 && filter_parse(&words, clock_now_us(), &o.filter, &err) == 0 &&
	    store_open(conf_db(), STORE_READ, &s, &err) == 0 &&
	    scope_in(s, &o.who, prog_cautioned, prog_cautioned, &arena, &err) == 0 &&
	    filter_people(s, &o.who, &words, &o.filter, prog_warning, prog_noted, &arena,
		&err) == 0 &&
	    (!named || read_ids(s, &o.who, &o, &ids, &arena, &missed, &err) == 0) &&
	    new_for != NULL)
		put_news(s, &o.who, &err);
	else if (err.code == 0 && write(s, &o, prog_out(), ended, NULL, &err) == 0 && !named)
		prog_unread(0, &err);          /* what comes later is told, too */
	if (err.code == ERR_NOINPUT && new_for != NULL && prog_common.quiet) {
		err_clear(&err);
		err.code = ERR_NOINPUT;        /* the status tells it */
	}
	index_free(later.index);
	free(later.user);
	store_close(s);
	if (err.code == 0 && missed)
		err.code = ERR_NOINPUT;        /* told already */
	return prog_end(&err);
}
