/* mem-summarize: sum up what was said in sessions, and old facts that belong together */
#include "cli/print.h"
#include "cli/prog.h"
#include "records/ids.h"
#include "records/named.h"
#include "store/store.h"
#include "summary/summarize.h"
#include "gen/programs.h"

static bool facts, rules, list;
static const char *every;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 0, "facts", NULL, OPT_FLAG, &facts, NULL, 0, 0, "old facts that belong together, in place of sessions" },
	{ 'l', "list", NULL, OPT_FLAG, &list, NULL, 0, 0, "print the summaries that there are, and how stale they are" },
	{ 0, "every", "TIME", OPT_TEXT, &every, NULL, 0, 0, "do nothing when the last run is younger: 30m, 1h, 2d" },
	{ 0, "messages", "N", OPT_CONF, NULL, "summarize_messages", 0, 0, "sessions with so many new messages (default: 5)" },
	{ 0, "tokens", "N", OPT_CONF, NULL, "summarize_tokens", 0, 0, "tokens of a session's summary, at most (default: 600)" },
	{ 0, "words", "N", OPT_CONF, NULL, "summarize_words", 0, 0, "words of what facts are summed up in, at most (default: 100)" },
	{ 0, "days", "N", OPT_CONF, NULL, "summarize_days", 0, 0, "facts older than so many days (default: 7)" },
	{ 0, "by", "WHAT", OPT_CONF, NULL, "summarize_by", 0, 0, "what facts must share: embeddings, tags or hybrid (default: hybrid)" },
	{ 0, "rules", NULL, OPT_FLAG, &rules, NULL, 0, 0, "ask no language model" },
	PROG_OPTS_OUTPUT,
	PROG_OPTS_QUIET("no records and no count, only errors"),
	PROG_OPTS_END
};

static const struct prog prog = { opts, PROG_MEM_SUMMARIZE };

struct summarizer {
	struct store *s;
	struct scope who;
	struct err *err;
	int64_t n_stale;                       /* of the current record; 0 when it was just made */
	size_t n_fallen_back;
	struct id_given *ids;                  /* on stdin [n_ids], where they are meant */
	bool named;
	size_t n_ids;
	size_t n_put;                          /* records that were printed */
	bool unknown;                          /* what was named is not stored here: told */
	bool without;                          /* or is of no session: told */
	char note[128]; /* why the rules stood in for the model, the last time */
};

/* ---- output ---- */

static void
put_record(struct summarizer *v, const struct fact *f)
{
	struct buf *out = prog_out();

	v->n_put++;
	if (!prog_for_people()) {
		record_summary(out, v->who.user, f, v->n_stale, NULL);
		buf_addc(out, '\n');
		return;
	}
	print_line(out, f->head.session[0] != '\0' ? f->head.session : "facts",
	    strlen(f->head.session[0] != '\0' ? f->head.session : "facts"), 60);
	if (v->n_stale > 0)
		buf_addf(out, "  (stale: %lld %s since)", (long long)v->n_stale,
		    f->summary.kind == SUMMARY_SESSION ? "messages" : "facts changed");
	buf_addc(out, '\n');
	print_safe(out, f->head.content, f->head.content_len);
	buf_adds(out, "\n\n");
}

static void
put_made(void *arg, const struct fact *f, const struct summary_made *made)
{
	struct summarizer *v = arg;

	if (made->note[0] != '\0') {
		v->n_fallen_back++;
		snprintf(v->note, sizeof(v->note), "%s", made->note);
	}
	if (!prog_common.quiet)
		put_record(v, f);
	prog_flush_soon();
}

static int
put_listed(void *arg, const struct fact *f)
{
	struct summarizer *v = arg;

	if (summary_stale(v->s, &v->who, f, &v->n_stale, v->err) < 0)
		return -1;
	put_record(v, f);
	prog_flush_soon();
	return 0;
}

static void
put_counts(const struct summarizer *v, const struct summarize_counts *c, bool meaning)
{
	if (v->n_fallen_back > 0)
		prog_caution("%zu of %zu by rules alone: %s", v->n_fallen_back, c->n_made, v->note);
	if (facts && !meaning && strcmp(conf_text("summarize_by"), "tags") != 0)
		prog_note("there are no vectors: by keys and tags alone");
	if (facts)
		prog_note("%zu fact%s became %zu summar%s, %zu by a model", c->n_facts,
		    PLURAL(c->n_facts), c->n_made, c->n_made == 1 ? "y" : "ies",
		    c->n_by_model);
	else
		prog_note("%zu session%s summed up, %zu by a model", c->n_made,
		    c->n_made == 1 ? "" : "s", c->n_by_model);
}

/* ---- options and jobs ---- */

static enum summarize_by
by_what(void)
{
	const char *by = conf_text("summarize_by");

	return strcmp(by, "embeddings") == 0 ? BY_EMBEDDINGS
	    : strcmp(by, "tags") == 0	     ? BY_TAGS
					     : BY_HYBRID;
}

static int
begin_job(struct summarizer *v, int64_t every_us, bool *due)
{
	*due = true;
	if (every_us == 0)
		return 0;
	if (store_begin_user(v->s, v->who.user, v->err) < 0)
		return -1;
	return store_end(v->s, job_begin(v->s, &v->who, facts ? "summarize facts" : "summarize",
	    every_us, due, v->err), v->err);
}

static void
list_all(struct summarizer *v, const struct scope *who)
{
	struct record_filter f = RECORD_FILTER_ANY(RECORD_SUMMARY);

	f.kind = facts ? SUMMARY_CONSOLIDATION : SUMMARY_SESSION;
	records_each(v->s, who, &f, put_listed, v, v->err);
}

/*
 * The sessions of the records on the standard input, each summed up as it is now: a summary that
 * is up to date is printed again.
 */
static int
sum_up_named(struct summarizer *v, struct summarize_options *o, const struct summarize_fn *fn,
	struct summarize_counts *counts)
{
	LOCAL(arena) a = ARENA_INIT;
	struct id_found found;
	struct id_given *ids = v->ids;
	size_t n_known = 0, n_put;
	int rc = 0;

	o->n_messages = 1;
	for (size_t i = 0; rc == 0 && i < v->n_ids; i++) {
		struct scope who = v->who;
		size_t k = 0;

		if ((rc = ids_find(v->s, &who, ids[i], &a, &found, v->err)) != 0)
			break;
		if (found.id == NULL)
			prog_warn("'%s' is nothing that is stored here", ids[i].text);
		else if (*found.session == '\0')
			prog_warn("'%s' is of no session", ids[i].text);
		v->unknown |= found.id == NULL;
		v->without |= found.id != NULL && *found.session == '\0';
		if (*found.session == '\0')
			continue;
		while (k < n_known && strcmp(ids[k].text, found.session) != 0)
			k++;
		if (k < n_known)
			continue;
		ids[n_known++].text = who.session = found.session;
		n_put = v->n_put;
		rc = summarize_sessions(v->s, &who, o, fn, counts, v->err);
		if (rc == 0 && n_put == v->n_put && !prog_common.quiet) {
			list_all(v, &who);
			rc = v->err->code != 0 ? -1 : 0;
		}
	}
	v->unknown |= rc == 0 && v->n_ids > 0 && n_known == 0;
	return rc;
}

static void
run(struct summarizer *v, int64_t every_us)
{
	struct summarize_options o = {
		.n_messages = conf_int("summarize_messages"),
		.session_tokens = (unsigned)conf_int("summarize_tokens"),
		.fact_words = (unsigned)conf_int("summarize_words"),
		.facts_before_us = clock_now_us() - conf_int("summarize_days") * US_PER_DAY,
		.facts_sim = conf_real("summarize_sim"),
		.by = by_what(),
	};
	const struct summarize_fn fn = { put_made, v };
	struct summarize_counts counts = { 0, 0, 0, 0 };
	bool due, meaning = true;

	if (begin_job(v, every_us, &due) < 0)
		return;
	if (!due) {
		prog_note("the last run is younger than %s", every);
		return;
	}
	o.llm = rules ? NULL : llm_new(v->s, v->who.user, prog.name, NULL);
	int rc = v->named ? sum_up_named(v, &o, &fn, &counts)
	    : facts ? summarize_facts(v->s, &v->who, &o, &fn, &counts, &meaning, v->err)
		    : summarize_sessions(v->s, &v->who, &o, &fn, &counts, v->err);
	llm_free(o.llm);
	if (rc == 0)
		put_counts(v, &counts, meaning);
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct summarizer v = { .err = &err };
	int64_t every_us = 0;
	LOCAL(arena) a = ARENA_INIT;
	int i = prog_start(&prog, argc, argv);

	v.named = argc - i == 1 && strcmp(argv[i], "-") == 0;
	v.who = (struct scope)PROG_SCOPE;
	if (i < argc && !v.named)
		err_set(&err, ERR_USAGE, "takes no operand but -, not '%s'", argv[i]);
	else if (v.named && (facts || list || every != NULL))
		err_set(&err, ERR_USAGE, "- names sessions: without --facts, --list and --every");
	else if (!v.named && prog_unread(PROG_UNREAD_MS, &err) != 0)
		;
	else if (list && every != NULL)
		err_set(&err, ERR_USAGE, "--list and --every exclude each other");
	else if (every != NULL && (every_us = time_parse_span(every)) < 0)
		err_set(&err, ERR_USAGE, "--every is a time as 30m, 6h or 2d, not '%s'", every);
	else if (v.named && ids_read("-", &a, &v.ids, &v.n_ids, &err) != 0)
		;
	else if (store_open(conf_db(), list ? STORE_READ : STORE_WRITE, &v.s, &err) < 0) {
		if (v.n_ids == 0)
			prog_empty(&err);
	} else if (scope_in(v.s, &v.who, prog_cautioned, prog_cautioned, &a, &err) != 0) {
		;
	} else if (list) {
		list_all(&v, &v.who);
	} else {
		run(&v, every_us);
	}
	store_close(v.s);
	if (err.code == 0 && (v.unknown || v.without))
		err.code = v.unknown ? ERR_NOINPUT : ERR_DATA;         /* each was told */
	free(v.ids);
	return prog_end(&err);
}
