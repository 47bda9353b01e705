/* mem-remember: store facts and notes, each compared with what is known */
#include <unistd.h>

#include "base/alloc.h"
#include "base/caps.h"
#include "clean/context_guard.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "facts/prune.h"
#include "facts/remember.h"
#include "facts/subject.h"
#include "hook/hook_forget.h"
#include "ingest/rejects.h"
#include "json/ndjson.h"
#include "records/filter.h"
#include "records/named.h"
#include "records/project_name.h"
#include "report/stats.h"
#include "gen/programs.h"

static bool fact, protect, keep_secrets, missed;
static const char *key = "", *bank = "", *category = "", *kind = "", *valid_from = "",
		  *valid_to = "";
static const char *rejects;
static double importance = -1, confidence = -1;
static struct prog_list sources, tags;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 0, "fact", NULL, OPT_FLAG, &fact, NULL, 0, 0, "text is a fact, not a note (reflection)" },
	{ 'k', "key", "KEY", OPT_TEXT, &key, NULL, 0, 0, "what the fact is about: one fact on a key holds at a time" },
	{ 0, "bank", "NAME", OPT_TEXT, &bank, NULL, 0, 0, "bank of the fact (default: the first of the setting banks)" },
	{ 0, "category", "ROOT", OPT_TEXT, &category, NULL, 0, 0, "facts, preferences, skills, rules or context" },
	{ 0, "kind", "KIND", OPT_TEXT, &kind, NULL, 0, 0, FACT_KINDS },
	{ 0, "importance", "X", OPT_REAL, &importance, NULL, 0, 1, "0 to 1 (default 0.5)" },
	{ 0, "confidence", "X", OPT_REAL, &confidence, NULL, 0, 1, "0 to 1 (default 1)" },
	{ 0, "valid-from", "TIME", OPT_TEXT, &valid_from, NULL, 0, 0, "when the fact began to hold" },
	{ 0, "valid-to", "TIME", OPT_TEXT, &valid_to, NULL, 0, 0, "when it ceased to" },
	{ 0, "source", "ID", OPT_LIST, &sources, NULL, 0, 0, "a message or record that it rests on" },
	{ 't', "tag", "TAG", OPT_LIST, &tags, NULL, 0, 0, "a tag" },
	{ 0, "protect", NULL, OPT_FLAG, &protect, NULL, 0, 0, "never pruned, never ended by another fact" },
	{ 0, "missed", NULL, OPT_FLAG, &missed, NULL, 0, 0, "a complaint that this was forgotten: a note, which mem-stats counts" },
	{ 0, "rejects", "FILE", OPT_TEXT, &rejects, NULL, 0, 0, "add lines that were refused to FILE" },
	{ 0, "keep-secrets", NULL, OPT_FLAG, &keep_secrets, NULL, 0, 0, "do not redact API keys and the like" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_REMEMBER };

/* ---- output ---- */

static void
put_verdict(void *arg, const struct verdict *v, const struct fact *f)
{
	struct buf *out = prog_out();
	LOCAL(arena) a = ARENA_INIT;

	(void)arg;
	if (prog_common.quiet)
		return;
	if (!prog_for_people()) {
		record_verdict(out, conf_text("user"), v);
		buf_addc(out, '\n');
		return;
	}
	bool ends = strcmp(v->did, "superseded") == 0;
	buf_addf(out, "%-10s  ", ends ? "stored" : v->did);
	const char *shown = fact_shown(f, &a);
	print_line(out, shown, strlen(shown), MAX(prog_columns() - 12, 20));
	buf_addc(out, '\n');
	if (*v->why != '\0' && *v->of == '\0')
		buf_addf(out, "            %s\n", v->why);
	else if (*v->why != '\0')
		buf_addf(out, ends ? "            in place of %s: %s\n" : "            %s: %s\n",
		    ends ? v->of : v->why, ends ? v->why : v->of);
	if (strcmp(v->did, "conflict") == 0)
		buf_addf(out, "            that one ends by: mem edit %s --valid-to today\n",
		    v->of);
}

struct refused {
	struct rejects *kept;
	uint64_t n;
	struct err err;                        /* why refused lines are not kept any more */
};

static void
keep_bad(struct refused *r, const char *text, size_t len)
{
	r->n++;
	if (len > 0 && r->err.code == 0)
		rejects_add(r->kept, text, len, false, NULL, &r->err);
}

static void
put_bad(void *arg, uint64_t line, const char *text, size_t len, const char *why)
{
	keep_bad(arg, text, line > 0 ? len : 0);
	if (line > 0)
		prog_warn("stdin:%llu: %s", (unsigned long long)line, why);
	else
		prog_warn("%s", why);
}

static void
put_summary(const struct remember_counts *c)
{
	const struct { uint64_t n; const char *what; } figures[] = {
		{ c->stored + c->superseded + c->conflicts, "stored" }, { c->superseded, "of them in place of others" }, { c->conflicts, "of them in conflict" }, { c->duplicates, "known" },
		{ c->forgotten, "forgotten before" },
		{ c->refused, "refused" }, { c->redacted, "secrets redacted" } };

	LOCAL(buf) b = buf_of(1024);
	for (size_t i = 0; i < NELEM(figures); i++)
		if (figures[i].n > 0 || i == 0) {
			buf_adds(&b, b.len > 0 ? ", " : "");
			buf_add_count(&b, (int64_t)figures[i].n);
			buf_addf(&b, " %s", figures[i].what);
		}
	prog_note("%s", b.data);
	if (c->bereft > 0)
		prog_caution("%llu of another store, without sources that are not here",
		    (unsigned long long)c->bereft);
}

/* ---- input ---- */

static int
commit(struct remember *r, struct err *err)
{
	int rc = remember_commit(r, err);

	/* A closed or full stdout stops nothing: what was read is still stored. */
	prog_flush();
	return rc;
}

struct input {
	struct remember *r;
	struct refused *refused;
	bool failed;                           /* what was read could not be stored */
	bool in_block;                         /* see is_of_block */
};

/*
 * Whether a line is of a block that mem-context made. What it tells is stored already, and its
 * lines alone are no notes: they are refused, with one message. A block within one line is taken
 * out of that by whoever reads it.
 */
static bool
is_of_block(struct input *in, const struct ndjson_line *l)
{
	const size_t n = strlen(MEM_FENCE_OPEN);
	bool was_in = in->in_block, closes = strstr(l->text, MEM_FENCE_CLOSE) != NULL;

	if (!was_in && l->len > n && memcmp(l->text, MEM_FENCE_OPEN, n) == 0 &&
	    (l->text[n] == ' ' || l->text[n] == '>') && !closes) {
		prog_warn("stdin:%llu: a block of mem-context: what it tells is stored already",
		    (unsigned long long)l->number);
		in->in_block = true;
	}
	if (!was_in && !in->in_block)
		return false;
	in->in_block &= !closes;
	return true;
}

static int
commit_some(void *arg, struct err *err)
{
	struct input *in = arg;

	in->failed = commit(in->r, err) != 0;
	return in->failed ? -1 : 0;
}

static int
add_line(void *arg, const struct ndjson_line *l, struct err *err)
{
	struct input *in = arg;
	struct err bad = ERR_INIT;

	if (prog_stop != 0)
		return 1;
	if (is_of_block(in, l)) {
		keep_bad(in->refused, l->text, l->len);
		return 0;
	}
	if (remember_add(in->r, l->text, l->len, l->number, &bad) != 0)
		put_bad(in->refused, l->number, l->text, l->len, bad.msg);
	return remember_is_full(in->r) ? commit_some(in, err) : 0;
}

static void
too_long(void *arg, const struct ndjson_line *l, const char *why)
{
	struct input *in = arg;

	put_bad(in->refused, l->number, "", 0, why);
}

static int
read_stdin(struct remember *r, struct refused *refused, struct err *err)
{
	struct input in = { r, refused, false, false };
	struct err of_rest = ERR_INIT;

	if (isatty(STDIN_FILENO))
		prog_note("reading the terminal, a note or record a line; end with Control-D");
	int rc = ndjson_each("-", &(struct ndjson_fn){ &in, add_line, too_long, commit_some }, err);
	/* What was read is stored even when the rest of the input could not be read. */
	if (!in.failed && commit(r, &of_rest) != 0 && rc == 0) {
		*err = of_rest;
		rc = -1;
	}
	return rc;
}

static int
add_operands(struct remember *r, char **args, int n, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	const char *text = arena_join(&a, args, n);
	size_t len = strlen(text), at = 0, one;
	int rc;

	do {
		one = remember_one(r, text + at, len - at);
		rc = remember_is_full(r) ? commit(r, err) : 0;
		rc = rc == 0 ? remember_add(r, text + at, one, 0, err) : rc;
		at += one;
	} while (rc == 0 && at < len);
	return rc < 0 ? -1 : commit(r, err);
}

/* ---- options ---- */

/* Turns times as people type them into the form that records have. */
static int
check_times(struct err *err)
{
	static char texts[2][TIME_TEXT];
	const struct {
		const char *name, **text;
	} times[] = { { "--valid-from", &valid_from }, { "--valid-to", &valid_to } };
	int64_t us, end;

	for (size_t i = 0; i < NELEM(times); i++) {
		if (**times[i].text == '\0')
			continue;
		if (filter_time(times[i].name, *times[i].text, clock_now_us(), &us, &end, err) != 0)
			return -1;
		*times[i].text = time_format(us, texts[i]);
	}
	return 0;
}

static int
check_names(struct arena *a, struct err *err)
{
	if (*bank != '\0')
		bank = fact_bank_or_default(bank, prog_warning, a);
	if (*category != '\0' && fact_root_parse(category) < 0)
		return err_set(err, ERR_USAGE,
		    "unknown category '%s': facts, preferences, skills, rules or context",
		    category);
	if (*kind != '\0' && fact_kind_parse(kind) < 0)
		return err_set(err, ERR_USAGE,
		    "unknown kind '%s': " FACT_KINDS, kind);
	return check_times(err);
}

static int
fill_rules(struct fact_rules *k, struct store *s, const struct scope *who, struct arena *a,
	struct err *err)
{
	struct record_source *all = arena_alloc(a, (sources.n + 1) * sizeof(*all));

	*k = (struct fact_rules){
		.user = conf_text("user"),
		.agent = prog_common.agent,
		.project = who->project,
		.session = prog_common.session,
		.type = fact || *key != '\0' || *bank != '\0' || *category != '\0' ||
			*kind != '\0' || *valid_from != '\0' || *valid_to != '\0' ||
			importance >= 0 || confidence >= 0
		    ? RECORD_FACT
		    : RECORD_REFLECTION,
		.key = key,
		.bank = bank,
		.category = category,
		.kind = kind,
		.valid_from = valid_from,
		.valid_to = valid_to,
		.sources = all,
		.n_sources = sources.n,
		.importance = importance,
		.confidence = confidence,
		.guarded = protect,
		.as_note = missed,
		.keep_secrets = keep_secrets || conf_bool("keep_secrets"),
		.now_us = clock_now_us(),
	};
	for (size_t i = 0; i < sources.n; i++) {
		all[i] = (struct record_source){ sources.items[i], 0, 0 };
		if (id_named(s, who, sources.items[i], a, &all[i].id, err) != 0)
			return -1;
	}
	LOCAL(buf) b = buf_of(CAP_LINE_BYTES);
	if (missed)
		*xpush(tags.items, tags.n, tags.cap) = "missed";
	if (tags.n > 0)
		json_strings(&b, NULL, tags.items, tags.n);
	k->tags = arena_strndup(a, b.len > 0 ? b.data : "", b.len);
	return 0;
}

/* What comes of it beside: complaints are counted, and a limit that the user has set holds. */
static void
after(struct store *s, const struct scope *who, const struct remember_counts *c, struct err *err)
{
	const struct scope user = { .user = who->user };
	char figures[80];
	int64_t n;

	if (missed && c->stored > 0) {
		snprintf(figures, sizeof(figures), "missed=%llu", (unsigned long long)c->stored);
		stats_job(s, &user, prog.name, figures);
	}
	if (conf_origin("facts_max", NULL) == CONF_DEFAULT)
		return;
	hook_forget_with(s, NULL);
	if (prune_to_limit(s, &user, &n, err) != 0 || n == 0)
		return;
	prog_caution("%lld fact%s beyond the limit, the setting facts_max, went", (long long)n,
	    PLURAL(n));
	snprintf(figures, sizeof(figures), "pruned_facts=%lld,policy=%s", (long long)n,
	    conf_text("prune_policy"));
	stats_job(s, &user, prog.name, figures);
	if (hook_forget(s, NULL, NULL, err) == 0)
		store_settle(s, err);
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	LOCAL(arena) a = ARENA_INIT;
	struct fact_rules rules;
	struct refused refused = { NULL, 0, ERR_INIT };
	const struct remember_fn fn = { put_verdict, put_bad, prog_without_vectors, &refused };
	struct remember *r = NULL;
	struct store *s = NULL;
	struct scope who;
	int i = prog_start(&prog, argc, argv);

	who = (struct scope){ conf_text("user"), prog_common.agent, prog_common.project, NULL };
	if (sources.n > RECORD_SOURCES_MAX)
		err_set(&err, ERR_USAGE, "more than %d sources", RECORD_SOURCES_MAX);
	else if (missed && fact)
		err_set(&err, ERR_USAGE, "--missed is of notes: without --fact");
	else
		check_names(&a, &err);
	if (err.code != 0)
		return prog_end(&err);
	prog_catch_signals();
	if (rejects_open(rejects, &refused.kept, &err) == 0 &&
	    store_open(conf_db(), STORE_CREATE, &s, &err) == 0 &&
	    project_of_new(s, &who, &a, &err) == 0 &&
	    fill_rules(&rules, s, &who, &a, &err) == 0 &&
	    remember_open(s, &who, &rules, &fn, &r, &err) == 0) {
		bool piped = i == argc || (argc - i == 1 && strcmp(argv[i], "-") == 0);
		if (piped)
			read_stdin(r, &refused, &err);
		else
			add_operands(r, argv + i, argc - i, &err);
		put_summary(remember_counts(r));
		if (err.code == 0)
			after(s, &who, remember_counts(r), &err);
		if (err.code == 0)
			err = refused.err;
		if (err.code == 0 && refused.n > 0)
			err.code = ERR_DATA;   /* each one was reported */
	}
	remember_close(r);
	store_close(s);
	rejects_close(refused.kept);
	free(sources.items);
	free(tags.items);
	return prog_end(&err);
}
