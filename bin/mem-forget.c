/* mem-forget: delete messages, sessions and facts for good, with all that was made of them */
#include <unistd.h>

#include "base/alloc.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "facts/fact_record.h"
#include "facts/forget.h"
#include "facts/forgotten.h"
#include "hook/hook_forget.h"
#include "native/native.h"
#include "records/filter.h"
#include "records/ids.h"
#include "records/named.h"
#include "records/people.h"
#include "records/project_name.h"
#include "records/title.h"
#include "report/stats.h"
#include "search/about.h"
#include "gen/programs.h"

static bool force, verify, all, backups, yes;
static bool asking;                        /* what would go is told, and then it is asked */
static const char *query, *as;
static struct filter_words words;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 'f', "force", NULL, OPT_FLAG, &force, NULL, 0, 0, "do it; without, only say what would go" },
	{ 0, "since", "TIME", OPT_TEXT, &words.since, NULL, 0, 0, "messages from then on" },
	{ 0, "until", "TIME", OPT_TEXT, &words.until, NULL, 0, 0, "messages up to then" },
	{ 0, "name", "NAME", OPT_TEXT, &words.name, NULL, 0, 0, "messages by this speaker" },
	{ 0, "query", "TEXT", OPT_TEXT, &query, NULL, 0, 0, "what a search for TEXT finds that is likely about it" },
	{ 'n', "limit", "N", OPT_CONF, NULL, "limit", 0, 0, "with --query, at most N (default 10)" },
	{ 'y', "yes", NULL, OPT_FLAG, &yes, NULL, 0, 0, "with -f --query, do not ask" },
	{ 0, "as", "FILE", OPT_TEXT, &as, NULL, 0, 0, "what was forgotten in this store" },
	{ 0, "user-all", NULL, OPT_FLAG, &all, NULL, 0, 0, "all that is kept of the user" },
	{ 0, "verify", NULL, OPT_FLAG, &verify, NULL, 0, 0, "prove that no word of it is left" },
	{ 0, "backups", NULL, OPT_FLAG, &backups, NULL, 0, 0, "copies of the store beside it go, too" },
	PROG_OPTS_OUTPUT,
	PROG_OPTS_QUIET("no records and no count, only errors"),
	PROG_OPTS_END
};

static const struct prog prog = { opts, PROG_MEM_FORGET };

/* ---- output ---- */

/* Where the words are of what would go; once it has gone there are none. */
struct preview { struct store *s; const struct scope *who; struct id_ends ends; };

/* Appends how the session, message or record begins, behind a mark; not what was taken back. */
static void
put_words(const struct preview *p, const char *id, const char *session, const char *mark)
{
	const struct session *v = NULL;
	const struct message *m = NULL;
	const struct fact *f = NULL;
	LOCAL(arena) a = ARENA_INIT;
	const char *text = "";

	if (id == NULL && sessions_find(p->s, p->who, session, &a, &v, NULL) == 0 && v != NULL)
		session_title(p->s, p->who, v, &a, &text, NULL);
	if (id != NULL && messages_find(p->s, p->who, id, &a, &m, NULL) == 0 && m == NULL)
		records_find(p->s, p->who, id, &a, &f, NULL);
	text = m != NULL ? m->content : f != NULL ? f->head.content : text;
	if (*text != '\0') {
		buf_adds(prog_out(), mark);
		print_line(prog_out(), text, strlen(text), MAX(prog_columns() - 40, 20));
	}
}

/* One that goes, or, where p is NULL, stays. */
static void
put_one(struct preview *p, enum forget_what what, const char *id, const char *session,
	const char *why)
{
	struct buf *out = prog_out();

	if (prog_common.quiet)
		return;
	if (prog_for_people()) {
		const char *name = id == NULL	   ? session
		    : force || p == NULL ? id
					 : id_end(&p->ends, p->s, p->who, id);

		buf_adds(out, p == NULL ? "stays       " : force ? "forgotten   " : "would go    ");
		buf_adds(out, what == FORGET_SESSION ? "session  "
		    : what == FORGET_MESSAGE ? "message  " : "record   ");
		print_line(out, name, strlen(name), 60);
		if (p == NULL || what == FORGET_MADE)
			buf_addf(out, "  %s", why);
		if (p != NULL && !force)
			put_words(p, id, session, what == FORGET_MADE ? ":  " : "  ");
	} else {
		record_verdict(out, conf_text("user"), &(struct verdict){ .id = id,
			.session = session, .did = p == NULL ? "kept" : "removed", .of = "",
			.why = why, .dry = !force });
	}
	buf_addc(out, '\n');
	prog_flush_soon();
}

static void
put(void *arg, enum forget_what what, const char *id, const char *session)
{
	static const char *const whys[] = { "the session", "the message", "the record",
		"rests on what goes" };

	put_one(arg, what, id, session, whys[what]);
}

/* What stays: it names a speaker who goes, or rests on what goes and is protected. */
struct stays { const char *why; size_t n; };

static void
put_kept(void *arg, enum forget_what what, const char *id, const char *session)
{
	struct stays *stays = arg;

	stays->n++;
	put_one(NULL, what, id, session, stays->why);
}

/* Only the name that was given goes; other names of the same person are told. */
static int
tell_other_names(struct store *s, const struct scope *who, struct err *err)
{
	LOCAL(same_people) same = { .n = 0 };
	LOCAL(arena) a = ARENA_INIT;
	int rc = same_people_read(s, who, &same, &a, err);

	for (size_t i = 0; i < same.n && rc == 0; i++)
		if (strcmp(same.names[i].name, words.name) != 0 &&
		    same_person(&same, same.names[i].name, words.name))
			prog_caution("'%.100s' is also '%.100s', which stays: forget that by its "
			    "name, too", words.name, same.names[i].name);
	return rc;
}

static size_t n_named;                     /* what stays and names who goes */

static int
put_namers(struct store *s, const struct forget *f, struct err *err)
{
	struct stays stays = { "it names who goes", 0 };

	if (words.name == NULL)
		return 0;
	if (tell_other_names(s, &(struct scope){ .user = conf_text("user") }, err) != 0 ||
	    forget_namers(s, f, words.name, put_kept, &stays, err) < 0)
		return -1;
	n_named = stays.n;
	if (stays.n > 0)
		prog_note("%zu that have a part of '%.100s' stay: others said them, or they rest "
			  "on more; decide for each", stays.n, words.name);
	return 0;
}

static void
put_protected(const struct forget *f)
{
	struct stays stays = { "it is protected", 0 };

	forget_protected(f, put_kept, &stays);
	if (stays.n > 0)
		prog_note("%zu that rest on what goes stay, as they are protected; "
			  "forget each by its id, or not", stays.n);
}

static void
put_count(const struct forget_counts *n)
{
	LOCAL(buf) b = buf_of(1024);

	buf_adds(&b, force ? "forgot " : "would forget ");
	buf_add_count(&b, n->n_messages);
	buf_addf(&b, " message%s, of these %lld whole session%s; ", PLURAL(n->n_messages),
	    (long long)n->n_sessions, PLURAL(n->n_sessions));
	buf_add_count(&b, n->n_records);
	buf_addf(&b, " record%s, and %lld made of %s", PLURAL(n->n_records), (long long)n->n_made,
	    n->n_messages + n->n_records == 1 ? "it" : "them");
	if (!force && !asking)
		buf_adds(&b, "; -f does it");
	prog_note("%s", b.data);
}

/* ---- the proof ---- */

static void
put_left(void *n, const char *word, const char *where)
{
	++*(size_t *)n;
	prog_warn("left: '%.100s': %s", word, where);
}

static void
prove(struct store **s, struct forget *f, struct err *err)
{
	char named[80] = "";
	size_t n_words = 0, n_left = 0, n_in_rows;

	if ((*s == NULL && store_open(conf_db(), STORE_READ, s, err) < 0) ||
	    forget_verify(*s, f, put_left, &n_left, &n_words, err) < 0)
		return;
	/* its files are read when nothing has them open any more */
	store_close(*s);
	*s = NULL;
	n_in_rows = n_left;
	if (store_is_file(conf_db()) && forget_scan(conf_db(), f, put_left, &n_left, err) < 0)
		return;
	if (n_left > 0) {
		err_set(err, ERR_NOTFOUND, "%zu words of what is forgotten are left%s", n_left,
		    n_left > n_in_rows ? "; 'mem-check --repair' clears the bytes of the store "
					 "that no row has" : "");
		return;
	}
	if (n_named > 0)
		snprintf(named, sizeof(named), "; the name is still said in the %zu that stay",
		    n_named);
	prog_note("verified: of %zu words that only this had, none is left%s%s", n_words, named,
	    store_is_file(conf_db()) ? ""
				     : " in the tables; the server's log, its replicas and its "
				       "backups may have them, which is not seen from here");
}

/* ---- copies of the store ---- */

/* They hold what is forgotten; here they are named, or removed. */
static int
take_copy(void *arg, const char *path)
{
	struct err *err = arg;

	if (!backups || !force) {
		prog_warn("%s '%s', a copy of the store%s", backups ? "would go:" : "left:", path,
		    backups ? "" : ", which --backups removes");
		return 0;
	}
	if (store_copy_remove(path, err) != 0)
		return -1;
	prog_note("removed '%s', a copy of the store", path);
	return 0;
}

static void
left_section(const char *path, const char *why)
{
	prog_warn("left: a section of '%s': %s", path, why);
}

/* What is left when it has gone from the memory: the files, the log, the proof. */
static void
finish(struct store **s, struct forget *f, const struct hook_besides *besides, struct err *err)
{
	bool settled = store_settle(*s, err) == 0;

	if (!settled) {
		struct err why = *err;
		err_clear(err);
		err_set(err, why.code, "it is gone from the memory, but its bytes are in the file "
		    "until 'mem-forget -f' or the like succeeds: %s", why.msg);
	}
	if (hook_forget(*s, besides, NULL, err) == 0 &&
	    put_namers(*s, f, err) == 0 &&
	    native_sections_forget(*s, conf_text("user"), left_section, err) == 0 &&
	    store_copies_each(conf_db(), take_copy, err, err) == 0 && settled && verify)
		prove(s, f, err);
}

/* ---- what is about something ---- */

/* The ids of what a search finds, in the arena, and the first few sessions that it is in. */
#define SESSIONS_TOLD 3
struct about {
	struct arena *arena;
	const char **ids;
	size_t n, cap;
	struct { const char *id; long long n; } in[SESSIONS_TOLD];
};

static void
add_found(void *arg, const struct about_found *f)
{
	struct about *a = arg;
	struct buf *out = prog_out();
	char day[TIME_TEXT];

	*xpush(a->ids, a->n, a->cap) = arena_strdup(a->arena, f->id);
	for (size_t i = 0; i < SESSIONS_TOLD && f->session != NULL; i++) {
		if (a->in[i].id == NULL)
			a->in[i].id = arena_strdup(a->arena, f->session);
		if (strcmp(a->in[i].id, f->session) == 0) {
			a->in[i].n++;
			break;
		}
	}
	if (prog_common.quiet || !prog_for_people())
		return;
	buf_addf(out, "%-10s  %s  %s\n    ", time_format_day_local(f->time_us, day),
	    f->is_record ? "record" : "message", f->id);
	print_line(out, f->text, f->len, MIN(prog_columns(), 100) - 4);
	buf_adds(out, "\n\n");
}

/* Of a talk a search finds the words, and not what was answered: the whole can go, too. */
static void
tell_sessions(struct store *s, const struct scope *who, const struct about *found)
{
	for (size_t i = 0; i < SESSIONS_TOLD && found->in[i].id != NULL; i++) {
		const struct session *v = NULL;

		if (sessions_find(s, who, found->in[i].id, found->arena, &v, NULL) == 0 &&
		    v != NULL && v->n_messages > found->in[i].n)
			prog_note("this is %lld of the %lld messages of '%.100s': -s %.100s takes "
			    "it whole", found->in[i].n, (long long)v->n_messages, v->id, v->id);
	}
}

static void
run(struct store **s, const struct scope *who, const struct forget_want *want, struct err *err)
{
	/* a project that was chosen alone goes from the log with all that was told in it */
	bool whole = want->by_filter && words.since == NULL && words.until == NULL &&
	    words.name == NULL && *who->agent == '\0' && who->session == NULL;
	struct hook_besides besides = { who->user, NULL, 0, all };
	LOCAL(arena) a = ARENA_INIT;
	struct preview preview = { *s, who, { NULL, 0, false } };
	struct err later = ERR_INIT;
	struct forget_counts n;
	struct forget *f = forget_new(who, want);

	if (whole && *who->project != '\0' &&
	    project_names(*s, who, who->project, &a, &besides.names, &besides.n, err) != 0)
		goto out;
	if (force)
		hook_forget_with(*s, &besides);
	if ((force ? forget_do(*s, f, err) : forget_plan(*s, f, err)) == 0) {
		forget_tell(f, put, &preview, &n);
		put_protected(f);
		put_count(&n);
		if (force)
			finish(s, f, &besides, err);
		else if (put_namers(*s, f, err) == 0)
			store_copies_each(conf_db(), take_copy, err, err);
	} else if (force && hook_forget(*s, NULL, NULL, &later) == 0) {
		store_settle(*s, &later);      /* an earlier run may have been killed */
	}
	if (*s != NULL)
		store_leaving(*s, NULL, NULL);
out:
	id_ends_free(&preview.ends);
	forget_free(f);
}

/* Tells what would go, and whether a person agrees that it does. */
static bool
is_agreed(struct store **s, const struct scope *who, const struct forget_want *want,
	struct err *err)
{
	force = false;
	asking = true;
	run(s, who, want, err);
	asking = false;
	force = err->code == 0 && prog_ask("Forget all of this?") > 0;
	if (err->code == 0 && !force)
		prog_note("nothing was forgotten");
	return force;
}

/*
 * Finds what is likely about the query among what the other options take, tells it and what would
 * go with it, and forgets it with -f: when a person agrees, or with --yes.
 */
static void
run_about(struct store **s, const struct scope *who, struct arena *arena, struct forget_want *want,
	struct err *err)
{
	/* what the search was limited to does not limit what rests on what it found */
	const struct scope found_in = { who->user, who->agent, NULL, NULL };
	const struct about_want about = { *who, &words, query, prog.name, prog_cautioned };
	struct about found = { .arena = arena };
	int rc = about_find(*s, &about, add_found, &found, err);

	prog_flush_soon();
	want->ids = found.ids;
	want->n_ids = found.n;
	want->by_filter = false;
	if (rc == 0 && found.n == 0)
		prog_caution("nothing was found that is likely about '%.100s'", query);
	else if (rc == 0 && who->session == NULL)
		tell_sessions(*s, who, &found);
	if (rc == 0 && found.n > 0 && (!force || yes || is_agreed(s, &found_in, want, err))) {
		store_close(*s);
		*s = NULL;
		if (store_open(conf_db(), force ? STORE_WRITE : STORE_READ, s, err) == 0)
			run(s, &found_in, want, err);
	}
	free(found.ids);
}

/* Of a project the last parts of its path are enough, but with -f. */
static int
take_project(struct store *s, struct scope *who, struct arena *a, struct err *err)
{
	const char *name = who->project;

	if (project_find(s, who, name, a, &who->project, err) != 0 && err->code != ERR_NOINPUT)
		return -1;
	err_clear(err);
	return force && strcmp(name, who->project) != 0
	    ? err_set(err, ERR_USAGE,
		  "there is no project '%.100s', but '%.300s': -f takes the whole name", name,
		  who->project)
	    : 0;
}

/*
 * Puts ids, the session and the project in the place of what a person calls them. With -f a session
 * is forgotten by its number or its whole name alone: one that only begins so is told.
 */
static int
take_names(struct store *s, struct scope *who, struct arena *a, struct id_given *ids, size_t n,
	struct err *err)
{
	const char *name = prog_common.session;
	const struct session *v;

	if (take_project(s, who, a, err) != 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (!ids[i].of_session &&
		    id_named(s, who, ids[i].text, a, &ids[i].text, err) != 0)
			return -1;
	if (*name == '\0' || session_named(s, who, name, a, &v, err) != 0)
		return *name == '\0' ? 0 : -1;
	if (v != NULL && force && *name != '@' && strcmp(name, v->id) != 0)
		return err_set(err, ERR_USAGE,
		    "there is no session '%.100s', but '%.200s': -f takes the whole name", name,
		    v->id);
	if (v != NULL)
		prog_common.session = v->id;
	return 0;
}

/* Fills in what is to go: of what the standard input named, sessions go whole. */
static int
take_ids(struct store *s, const struct scope *who, struct arena *a, const struct id_given *given,
	bool piped, struct forget_want *want, struct err *err)
{
	size_t n = 0, n_sessions = want->n_sessions, most = want->n_ids + n_sessions;
	const char **sessions = arena_alloc(a, (most + 1) * sizeof(*sessions));
	const char **ids = arena_alloc(a, (want->n_ids + 1) * sizeof(*ids));
	struct id_found found = { NULL, NULL };

	if (n_sessions > 0)
		memcpy(sessions, want->sessions, n_sessions * sizeof(*sessions));
	for (size_t i = 0; i < want->n_ids; i++) {
		if (piped && ids_find(s, who, given[i], a, &found, err) != 0)
			return -1;
		if (given[i].of_session ||
		    (found.id != NULL && strcmp(found.id, found.session) == 0))
			sessions[n_sessions++] = given[i].text;
		else
			ids[n++] = given[i].text;
	}
	want->ids = ids;
	want->n_ids = n;
	want->sessions = sessions;
	want->n_sessions = n_sessions;
	return 0;
}

/* What is here again of what was forgotten in another store: messages, and sessions. */
struct again { struct arena *a; const char **ids[2]; size_t n[2], cap[2]; };

static int
take_again(void *arg, const char *id, const char *session)
{
	struct again *v = arg;
	size_t k = id == NULL;

	*xpush(v->ids[k], v->n[k], v->cap[k]) = arena_strdup(v->a, k == 0 ? id : session);
	return 0;
}

static void
run_again(struct store **s, const struct scope *who, struct arena *a, struct err *err)
{
	struct again v = { .a = a };
	int rc = forgotten_each(*s, who, as, take_again, &v, err);
	const struct forget_want want = { .ids = v.ids[0], .n_ids = v.n[0], .sessions = v.ids[1],
		.n_sessions = v.n[1], .filter = MESSAGE_FILTER_ANY, .proof = verify };

	if (rc == 0 && v.n[0] + v.n[1] > 0)
		run(s, who, &want, err);
	else if (rc == 0)
		prog_note("nothing is here of what was forgotten in '%s'", as);
	free(v.ids[0]);
	free(v.ids[1]);
}

/* ---- options ---- */

static int
check(const struct forget_want *want, struct err *err)
{
	bool chosen = want->n_ids + want->n_sessions > 0 || want->by_filter || query != NULL,
	     scoped = *prog_common.agent != '\0' || *prog_common.project != '\0',
	     asks = query != NULL && force && !yes;
	const struct { bool is; const char *why; } faults[] = {
		{ as != NULL && (chosen || all || scoped), "--as stands alone" },
		{ all && (chosen || scoped), "--user-all stands alone" },
		{ !all && !chosen && as == NULL, "what is to be forgotten? Give ids, -s, -p, -a, "
		    "--name, --since, --until or --query" },
		{ query != NULL && want->n_ids > 0, "--query stands without ids" },
		{ query != NULL && query[strspn(query, " \t\r\n\f\v")] == '\0',
		    "--query has no words" },
		{ yes && query == NULL, "--yes goes with --query" },
		{ asks && !(prog_for_people() && isatty(STDIN_FILENO) && isatty(STDERR_FILENO)),
		    "nothing was forgotten: --query asks first; where nobody can be asked, that "
		    "takes --yes" },
		{ verify && !force, "--verify goes with -f" },
	};

	for (size_t i = 0; i < NELEM(faults); i++)
		if (faults[i].is)
			return err_set(err, ERR_USAGE, "%s", faults[i].why);
	return 0;
}

int
main(int argc, char **argv)
{
	int i = prog_start(&prog, argc, argv);
	bool scoped = *prog_common.agent != '\0' || *prog_common.project != '\0';
	bool filtered = words.since != NULL || words.until != NULL || words.name != NULL;
	struct scope who = { conf_text("user"), prog_common.agent, prog_common.project, NULL };
	struct scope in = who;
	/* a session alone goes whole; with a filter, those of its messages that it takes */
	struct forget_want want = { .filter = MESSAGE_FILTER_ANY, .all = all, .proof = verify,
		.by_filter = filtered || (scoped && i == argc && *prog_common.session == '\0') };
	struct err err = ERR_INIT;
	LOCAL(arena) a = ARENA_INIT;
	FREED struct id_given *ids = NULL;
	struct store *s = NULL;

	if (*prog_common.session != '\0' && (filtered || query != NULL)) {
		who.session = prog_common.session;
	} else if (*prog_common.session != '\0') {
		want.sessions = &prog_common.session;
		want.n_sessions = 1;
	}
	if (filter_parse(&words, clock_now_us(), &want.filter, &err) != 0 ||
	    ids_given(argv + i, argc - i, &a, &ids, &want.n_ids, &err) != 0)
		goto out;
	if (i < argc && want.n_ids == 0) {
		prog_note("no id on the standard input: nothing is forgotten");
		goto out;
	}
	if (check(&want, &err) != 0)
		goto out;
	if (store_open(conf_db(), force && query == NULL ? STORE_WRITE : STORE_READ, &s,
		&err) != 0) {
		if (err.code == ERR_NOINPUT)
			prog_no_store();
		goto out;
	}
	if (take_names(s, &in, &a, ids, want.n_ids, &err) != 0 ||
	    (words.name != NULL && person_named(s, &in, words.name, &a, &err) != 0) ||
	    take_ids(s, &in, &a, ids, strcmp(i < argc ? argv[i] : "", "-") == 0, &want, &err) != 0)
		goto out;
	who.project = in.project;
	if (who.session != NULL)
		who.session = prog_common.session;
	if (as != NULL)
		run_again(&s, &who, &a, &err);
	else if (query != NULL)
		run_about(&s, &who, &a, &want, &err);
	else
		run(&s, &who, &want, &err);
out:
	store_close(s);
	return prog_end(&err);
}
