/* mem-search: find what was said */
#include <math.h>
#include <unistd.h>

#include "base/conf.h"
#include "cli/prog.h"
#include "facts/fact_filter.h"
#include "people/hits.h"
#include "records/people.h"
#include "search/answer.h"
#include "search/ask.h"
#include "search/hit.h"
#include "search/rerank_hits.h"
#include "search/rewriter.h"
#include "work/work.h"
#include "gen/programs.h"

static struct filter_words words;
static struct fact_words facts;
static const char *context, *tier;
static const char *file, *command, *error, *blame;
static bool explain, status_if_none, no_touch, exact, by_model, ends, current;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 'n', "limit", "N", OPT_CONF, NULL, "limit", 0, 0, "at most N hits (default 10)" },
	{ 0, "strategy", "NAME", OPT_CONF, NULL, "strategy", 0, 0, "fused (default), lexical, bm25, dense, hybrid, rrf, max, recent, ladder, progressive" },
	{ 0, "alpha", "X", OPT_CONF, NULL, "alpha", 0, 0, "hybrid: weight of the similarity (0.6)" },
	{ 0, "beta", "X", OPT_CONF, NULL, "beta", 0, 0, "hybrid: weight of BM25 (0.3)" },
	{ 0, "gamma", "X", OPT_CONF, NULL, "gamma", 0, 0, "hybrid: weight of an identifier (0.1)" },
	{ 0, "scope", "WHERE", OPT_CONF, NULL, "scope", 0, 0, "session, user or auto: the session first, then everything" },
	PROG_OPTS_FILTER(words),
	{ 0, "now", "TIME", OPT_TEXT, &words.now, NULL, 0, 0, "when it is asked: what 'last week' is counted from" },
	{ 0, "tier", "LIST", OPT_TEXT, &tier, NULL, 0, 0, "insights (facts), reflections, conversations, stored, or all but stored (default stored,conversations)" },
	PROG_OPTS_FACTS(facts),
	{ 0, "file", "PATH", OPT_TEXT, &file, NULL, 0, 0, "no question: sessions that read or changed this file" },
	{ 0, "blame", "FILE:LINE", OPT_TEXT, &blame, NULL, 0, 0, "no question: the session that wrote this line, by git" },
	{ 0, "command", "NAME", OPT_TEXT, &command, NULL, 0, 0, "no question: how this command was called, what worked first" },
	{ 0, "error", "TEXT", OPT_TEXT, &error, NULL, 0, 0, "no question: what was done after this error; - for stdin" },
	{ 0, "min-score", "X", OPT_CONF, NULL, "min_score", 0, 0, "leave out hits that answer with a probability below X" },
	{ 0, "llm-rerank", NULL, OPT_FLAG, &by_model, NULL, 0, 0, "let the language model order what was found" },
	{ 0, "context", "FILE", OPT_TEXT, &context, NULL, 0, 0, "what was said before a follow-up question; - for stdin" },
	{ 'e', "exit-status", NULL, OPT_FLAG, &status_if_none, NULL, 0, 0, "exit 1 when nothing likely was found" },
	{ 0, "explain", NULL, OPT_FLAG, &explain, NULL, 0, 0, "show every signal of each hit" },
	{ 0, "current", NULL, OPT_FLAG, &current, NULL, 0, 0, "what holds now: of what answers alike the newer first" },
	{ 0, "exact", NULL, OPT_FLAG, &exact, NULL, 0, 0, "no shortcut in large stores" },
	{ 0, "ends", NULL, OPT_FLAG, &ends, NULL, 0, 0, "an end record after each question's hits" },
	{ 0, "no-touch", NULL, OPT_FLAG, &no_touch, NULL, 0, 0, "write nothing, no metric either" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_SEARCH };

enum { FROM_SAID, FROM_OUTSIDE, FROM_DOCUMENTS, FROM_FACTS, FROM_NOTES, FROM_SUMMARIES,
	FROM_CATEGORIES, N_FROM };
static const char *const from_names[N_FROM] = { "conversations", "outside", "documents", "facts",
	"notes", "summaries", "categories" };

struct asked {
	/* NULL: there is no store yet, which means an empty memory */
	struct store *store;
	struct answer *answer;             /* NULL in that case too */
	const struct answer_fn *put;
	struct arena *arena;               /* of the process */
	struct answer_want want;
	struct rewriter rewriter;
	/* keys of the question's record that are copied to its hits */
	struct buf rest;
	/* the question at hand, borrowed; NULL: it could not be read */
	const char *query;
	size_t query_len;
	int64_t n_put;                     /* hits written for the question */
	int64_t n_from[N_FROM];            /* and where they come from */
	/* it has been said that the model failed to order hits */
	bool told_rerank;
	bool bad;                          /* some line of standard input was no question */
	bool found;                        /* some hit was found, however improbable */
	struct shown_hits shown;           /* for people */
};

/* ---- printing ---- */


/* Adds the copied keys to the record just written. */
static void
put_rest(const struct asked *a)
{
	if (!prog_for_people())
		hit_add(prog_out(), &a->rest);
}

static int
put_said(void *arg, const struct search_hit *h, const struct question *asked, size_t rank,
	const struct rewritten *q, struct err *err)
{
	struct asked *a = arg;
	struct hit_view view;

	if (hit_look(a->store, &a->want.who, asked, h, &view, err) < 0)
		return -1;
	if (prog_for_people())
		shown_said(&a->shown, h, &view);
	else
		hit_record(prog_out(), &a->want.who, h, &view, rank, a->want.query.strategy,
		    explain, q);
	a->n_put++;
	a->n_from[h->message->role == ROLE_DOCUMENT ? FROM_DOCUMENTS
	    : h->outside			    ? FROM_OUTSIDE
						    : FROM_SAID]++;
	a->found = true;
	put_rest(a);
	prog_flush_soon();
	return 0;
}

static void
put_known(void *arg, enum tier in, const struct tier_hit *h, size_t rank)
{
	struct asked *a = arg;
	const struct record_head *r = &h->record->head;

	if (prog_for_people())
		shown_record(&a->shown, h);
	else
		facts_search_record(prog_out(), a->want.who.user, in, h, rank);
	a->n_put++;
	a->n_from[r->type == RECORD_FACT	? FROM_FACTS
		: r->type == RECORD_SUMMARY ? FROM_SUMMARIES
					    : FROM_NOTES]++;
	a->found = true;
	put_rest(a);
	prog_flush_soon();
}

static void
put_category(void *arg, const struct step_hit *h, size_t rank)
{
	struct asked *a = arg;

	a->n_put++;
	a->n_from[FROM_CATEGORIES]++;
	a->found = true;
	if (prog_for_people()) {
		shown_category(h->category, rank);
		return;
	}
	steps_category_record(prog_out(), a->want.who.user, h, rank);
	put_rest(a);
}

/* Writes the last line of an explained search. */
static void
put_steps(void *arg, const struct steps_result *r)
{
	const struct asked *a = arg;

	if (explain && !prog_for_people()) {
		steps_record(prog_out(), a->want.who.user, a->want.query.strategy, r);
		put_rest(a);
	}
	if (!(prog_common.verbose || explain) || !prog_for_people())
		return;
	for (size_t i = 0; i < r->n_tiers; i++)
		prog_note("%s: %zu, %.1f ms", r->tiers[i].name, r->tiers[i].n,
		    (double)r->tiers[i].us / 1000);
	prog_note("stopped: %s", r->stopped);
}

/* For people only; in a pipe each hit has a note. */
static void
put_reranked(void *arg, const struct reranked *r, enum rerank_did did)
{
	struct asked *a = arg;

	if (did == RERANK_FAILED && prog_for_people() && !a->told_rerank)
		prog_caution("not ordered by the model: %s", r->note);
	else if (did == RERANK_SPARED && prog_for_people() && prog_common.verbose)
		prog_note("%s", r->note);
	a->told_rerank |= did == RERANK_FAILED;
}

static int
put_out(void *arg)
{
	(void)arg;
	return prog_flush() != PROG_OUT_OK;
}

/*
 * A program that asks line by line and waits for the answer reads up to this record; without it, a
 * question without hits would look like a search that takes long. why: why there is no answer;
 * NULL: there is one.
 */
static int
put_end(struct asked *a, const char *why)
{
	struct buf *out = prog_out();

	if (prog_for_people())
		shown_end(&a->shown, (size_t)a->n_put);
	if (!ends || prog_for_people())
		return 0;
	json_record(out, "end");
	if (a->query != NULL)
		json_strn(out, "query", a->query, a->query_len);
	json_int(out, "hits", a->n_put);
	if (a->n_put > 0)
		json_object_open(out, "sources");
	for (size_t i = 0; i < N_FROM; i++)
		if (a->n_from[i] > 0)
			json_int(out, from_names[i], a->n_from[i]);
	if (a->n_put > 0)
		json_close(out);
	if (why != NULL)
		json_str(out, "error", why);
	json_end(out);
	put_rest(a);
	return put_out(a);
}

/* ---- what is wanted ---- */

/* Reads the options that concern facts. */
static int
read_known(struct answer_want *a, struct arena *arena, struct err *err)
{
	struct record_filter f = RECORD_FILTER_ANY(RECORD_FACT);
	bool of_facts = facts.bank != NULL || facts.category != NULL ||
	     facts.subcategory != NULL || facts.importance > 0 || facts.as_of != NULL ||
	     facts.known_at != NULL,
	     of_known = of_facts || facts.tag != NULL;
	bool steps = search_in_steps(a->query.strategy) && !filter_is_of_people(&words);

	a->in = tier != NULL ? tiers_parse(tier)
	    : steps	     ? TIERS_ALL
	    : of_known	     ? 1u << TIER_INSIGHTS
	    : filter_is_of_people(&words)
	    ? 1u << TIER_CONVERSATIONS
	    : 1u << TIER_CONVERSATIONS | 1u << TIER_STORED;
	if (a->in == 0)
		return err_set(err, ERR_USAGE,
		    "unknown tier '%s': insights, reflections, conversations, stored, with commas "
		    "between them, or all",
		    tier);
	if (of_facts && !(a->in & 1u << TIER_INSIGHTS))
		return err_set(err, ERR_USAGE,
		    "--bank, --category, --subcategory, --importance, --as-of and --known-at are "
		    "of facts: --tier insights");
	if (facts.tag != NULL && a->in & 1u << TIER_CONVERSATIONS && !steps)
		return err_set(err, ERR_USAGE,
		    "--tag is of facts and notes: --tier insights,reflections");
	if (filter_is_of_people(&words) && a->in != 1u << TIER_CONVERSATIONS)
		return err_set(err, ERR_USAGE, "--role, --name and --mine are of conversations");
	if (fact_filter(&facts, prog_warning, arena, &f, err) != 0)
		return -1;
	f.since_us = a->query.filter.since_us;
	f.until_us = a->query.filter.until_us;
	f.min_trust = a->query.filter.min_trust;
	a->known = f;
	a->shown = (size_t)a->query.limit;
	if (by_model)
		a->query.limit = rerank_limit(a->query.limit);
	return 0;
}

/* ---- the store ---- */

/* Opens the store, where there is one, and what answers questions of it. */
static int
open_answer(struct asked *a, struct err *err)
{
	int64_t start = clock_mono_us();

	if (ask_open(&a->store, err) != 0)
		return -1;
	a->want.us_open = clock_mono_us() - start;
	if (scope_in(a->store, &a->want.who, prog_cautioned, prog_noted, a->arena, err) != 0 ||
	    filter_people(a->store, &a->want.who, &words, &a->want.query.filter, prog_noted,
		prog_noted, a->arena, err) != 0)
		return -1;
	if (a->store == NULL)
		return 0;
	a->shown.store = a->store;
	if (prog_for_people())
		shown_model(&a->shown);
	return answer_open(a->store, &a->want, a->put, &a->answer, err);
}

/* ---- one question ---- */

/* Searches for query; q: what it was rewritten from, NULL: it was not rewritten. */
static int
search(struct asked *a, const struct search_query *query, const struct rewritten *q,
	struct err *err)
{
	/* who asks line by line may have begun before anything was stored */
	if (a->answer == NULL && open_answer(a, err) != 0)
		return -1;
	return a->answer == NULL ? 0 : answer_question(a->answer, query, q, err);
}

static int
search_text(struct asked *a, const char *text, size_t len, int64_t now_us, struct err *err)
{
	struct search_query query = a->want.query;

	query.text = text;
	query.len = len;
	query.now_us = now_us;
	return search(a, &query, NULL, err);
}

static int
search_whole(struct asked *a, const struct rewritten *q, int64_t now_us, struct err *err)
{
	struct search_query query = a->want.query;
	struct search_word added[FOLLOWUP_WORDS];

	query.now_us = now_us;
	rewriter_query(q, &query, added);
	return search(a, &query, q, err);
}

static int
ask(void *arg, const char *text, size_t len, struct err *err)
{
	struct asked *a = arg;
	struct rewritten q;
	int rc;

	a->query = text;
	a->query_len = len;
	if (context == NULL) {
		rc = search_text(a, text, len, a->want.query.now_us, err);
	} else {
		rewriter_text(&a->rewriter, text, len, &q);
		rc = search_whole(a, &q, a->want.query.now_us, err);
	}
	return rc != 0 ? rc : put_end(a, NULL);
}

static void
forget_question(struct asked *a)
{
	a->query = NULL;
	a->n_put = 0;
	memset(a->n_from, 0, sizeof(a->n_from));
	buf_reset(&a->rest);
}

/* Reads a query record, or any object with the key "query". */
static int
ask_record(void *arg, const struct json *v, struct err *err)
{
	struct asked *a = arg;
	int64_t now_us = a->want.query.now_us;
	struct rewritten q;

	forget_question(a);
	int rc = rewriter_record(&a->rewriter, v, false, &q, err);
	if (v->kind == JSON_OBJECT)
		hit_rest(&a->rest, v);
	a->query = json_get_string(v, "query", &a->query_len);
	if (a->query == NULL) {
		/* a record from mem-rewrite may have only the rewritten question */
		a->query = q.query;
		a->query_len = q.query_len;
	}
	if (rc < 0 || ask_moment(v, &now_us, err) != 0)
		return -1;
	if (rc == 1 || context != NULL)
		rc = search_whole(a, &q, now_us, err);
	else
		rc = search_text(a, q.query, q.query_len, now_us, err);
	if (rc == 0 && (rc = put_end(a, NULL)) == 0)
		forget_question(a);
	return rc;
}

/* Reports a line of --context that is malformed. */
static void
put_bad_talk(void *arg, const char *why)
{
	struct asked *a = arg;

	prog_warn("%s", why);
	a->bad = true;
}

/* Called for a line that is no question and for one that could not be answered. */
static void
put_bad(void *arg, const char *why)
{
	put_bad_talk(arg, why);
	put_end(arg, why);
	forget_question(arg);
}

static int
read_want(struct answer_want *w, struct arena *arena, struct err *err)
{
	w->who = (struct scope)PROG_SCOPE;
	w->by_model = by_model;
	w->touch = !no_touch && conf_bool("touch");
	w->program = prog.name;
	if (ask_options(&w->who, NULL, &words, &w->query, err) != 0)
		return -1;
	w->query.exact = exact;
	w->query.current = current;
	return read_known(w, arena, err);
}

/* Tells people that nothing was found; an empty screen would make them wonder. */
static void
tell_nothing(const struct asked *a)
{
	if (a->store == NULL || a->found)
		return;
	if (words.name != NULL)
		prog_note("nothing was found that '%s' said", words.name);
	else
		prog_note("nothing was found");
}

/* ---- work ---- */

static void
put_work(struct asked *a, const struct work *w, size_t rank)
{
	if (prog_for_people()) {
		shown_work(&a->shown, w, rank);
		return;
	}
	work_record(prog_out(), conf_text("user"), w, rank);
	buf_addc(prog_out(), '\n');
}

/* Reads what --file, --blame, --command or --error is about; 0: none of them is given. */
static int
read_work(struct work_want *w, struct arena *arena, int n_operands, struct err *err)
{
	const char *texts[] = { blame, [WORK_FILE] = file, [WORK_COMMAND] = command,
		[WORK_ERROR] = error };
	static char here[4096];
	int n = 0;

	for (size_t i = 0; i < NELEM(texts); i++)
		if (texts[i] != NULL) {
			w->kind = (enum work_kind)i;
			w->text = texts[i];
			n++;
		}
	if (n == 0)
		return 0;
	if (n > 1 || n_operands > 0 || context != NULL)
		return err_set(err, ERR_USAGE,
		    "--file, --blame, --command and --error stand alone, without a question");
	w->dir = getcwd(here, sizeof(here)) != NULL ? here : "";
	if (w->kind != WORK_ERROR || strcmp(w->text, "-") != 0)
		return 1;
	LOCAL(buf) in = buf_of(conf_caps.query_bytes);
	while (buf_reserve(&in, 4096) != NULL) {
		size_t got = fread(in.data + in.len, 1, 4096, stdin);

		if (got == 0)
			break;
		in.len += got;
	}
	w->text = arena_strndup(arena, in.data, in.len);
	return 1;
}

static int
find_work(struct asked *a, struct work_want *w, struct arena *arena, struct err *err)
{
	const struct work *items;
	size_t n;

	w->who = a->want.who;
	w->since_us = a->want.query.filter.since_us;
	w->until_us = a->want.query.filter.until_us;
	w->limit = (size_t)a->want.query.limit;
	if (ask_open(&a->store, err) != 0 ||
	    scope_in(a->store, &w->who, prog_cautioned, prog_noted, arena, err) != 0)
		return -1;
	if (a->store == NULL)
		return 0;
	a->shown.store = a->store;
	if ((blame != NULL ? work_blame(a->store, w, arena, &items, err)
		: work_find(a->store, w, arena, &items, &n, err)) < 0)
		return -1;
	n = blame != NULL ? items != NULL : n;
	for (size_t i = 0; i < n; i++)
		put_work(a, &items[i], i + 1);
	a->found = n > 0;
	if (prog_for_people())
		shown_end(&a->shown, n);
	return 0;
}

static int
open_store(struct asked *a, bool piped, struct err *err)
{
	if (piped)
		ask_wait();
	if (open_answer(a, err) != 0)
		return -1;
	if (a->store == NULL)
		prog_no_store();
	return 0;
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	static struct asked a;
	LOCAL(arena) arena = ARENA_INIT;
	const struct ask_fn fn = { ask, ask_record, put_bad, &a };
	const struct answer_fn put = { put_said, put_known, put_category, put_steps, prog_cautioned,
		put_reranked, put_out, &a };
	struct work_want work = { .text = NULL };
	int i = prog_start(&prog, argc, argv), is_work;

	buf_init(&a.rest, conf_caps.output_bytes);
	shown_init(&a.shown, &a.want.who, explain);
	if (context != NULL && strcmp(context, "-") == 0 && ask_is_piped(argv + i, argc - i)) {
		err_set(&err, ERR_USAGE,
		    "--context - takes the standard input: give the question as an operand");
		return prog_end(&err);
	}
	if (rewriter_open(&a.rewriter, context, put_bad_talk, &a, &err) != 0 ||
	    read_want(&a.want, &arena, &err) != 0 ||
	    (is_work = read_work(&work, &arena, argc - i, &err)) < 0)
		goto out;
	if (is_work) {
		find_work(&a, &work, &arena, &err);
		goto told;
	}
	a.put = &put;
	a.arena = &arena;
	if (open_store(&a, ask_is_piped(argv + i, argc - i), &err) != 0)
		goto out;
	if (llm_is_on())
		rewriter_use_model(&a.rewriter, a.store, a.want.who.user, prog.name);
	ask_each(&fn, argv + i, argc - i, &err);
told:
	if (err.code == 0)
		tell_nothing(&a);
	if (err.code == 0 && a.bad)
		err.code = ERR_DATA;
	else if (err.code == 0 && status_if_none &&
	    (is_work ? !a.found : a.answer == NULL || answer_n_likely(a.answer) == 0))
		err.code = ERR_NOTFOUND;
out:
	rewriter_close(&a.rewriter);
	/*
	 * What a question allocated is left to the end of the process: freeing it piece by piece,
	 * and the model's pages together with the other thread's, takes half a millisecond.
	 */
	if (by_model)
		answer_close(a.answer);
	shown_release(&a.shown);
	buf_release(&a.rest);
	store_close(a.store);
	return prog_end(&err);
}
