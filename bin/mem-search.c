/*
 * mem-search: find what was said
 */
#include "base/conf.h"
#include "base/hash.h"
#include "base/json.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "verb/ask.h"
#include "verb/hit.h"
#include "verb/known.h"
#include "verb/rerank_hits.h"
#include "verb/rewriter.h"
#include "verb/search_steps.h"
#include "verb/tier.h"

#include <math.h>

static struct filter_words words;
static const char *context, *tier, *as_of, *known_at, *bank, *category;
static bool explain, status_if_none, no_touch, exact, by_model;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 'n', "limit", "N", OPT_CONF, NULL, "limit", 0, 0, "at most N hits (default 10)" },
	{ 0, "strategy", "NAME", OPT_CONF, NULL, "strategy", 0, 0, "fused (default), lexical, bm25, dense, hybrid, rrf, max, recent, ladder, progressive" },
	{ 0, "alpha", "X", OPT_CONF, NULL, "alpha", 0, 0, "hybrid: weight of the similarity (0.6)" },
	{ 0, "beta", "X", OPT_CONF, NULL, "beta", 0, 0, "hybrid: weight of BM25 (0.3)" },
	{ 0, "gamma", "X", OPT_CONF, NULL, "gamma", 0, 0, "hybrid: weight of an identifier (0.1)" },
	{ 0, "scope", "WHERE", OPT_CONF, NULL, "scope", 0, 0, "session, user or auto: the session first, then everything" },
	PROG_OPTS_FILTER(words),
	{ 0, "tier", "LIST", OPT_TEXT, &tier, NULL, 0, 0, "insights (facts), reflections, conversations (default) or all" },
	{ 0, "bank", "NAME", OPT_TEXT, &bank, NULL, 0, 0, "facts of this bank" },
	{ 0, "category", "ROOT", OPT_TEXT, &category, NULL, 0, 0, "facts of this category" },
	{ 0, "as-of", "TIME", OPT_TEXT, &as_of, NULL, 0, 0, "facts that were valid then" },
	{ 0, "known-at", "TIME", OPT_TEXT, &known_at, NULL, 0, 0, "facts as the store knew them then" },
	{ 0, "min-score", "X", OPT_CONF, NULL, "min_score", 0, 0, "leave out hits that answer with a probability below X" },
	{ 0, "llm-rerank", NULL, OPT_FLAG, &by_model, NULL, 0, 0, "let the language model order what was found" },
	{ 0, "context", "FILE", OPT_TEXT, &context, NULL, 0, 0, "what was said before a follow-up question; - for stdin" },
	{ 'e', "exit-status", NULL, OPT_FLAG, &status_if_none, NULL, 0, 0, "exit 1 when nothing likely was found" },
	{ 0, "explain", NULL, OPT_FLAG, &explain, NULL, 0, 0, "show every signal of each hit" },
	{ 0, "exact", NULL, OPT_FLAG, &exact, NULL, 0, 0, "no shortcut in large stores" },
	{ 0, "no-touch", NULL, OPT_FLAG, &no_touch, NULL, 0, 0, "write nothing, no metric either" },
	PROG_OPTS_OUTPUT,
	PROG_OPTS_COMMON,
	PROG_OPTS_END
};

static const struct prog prog = {
	"mem-search", "find what was said", "[QUESTION ...]", opts,
	"  mem-search what did we decide about the login flow\n"
	"  mem-search -n 3 --since 2024-05 backup | jq -r .snippet\n"
	"  jq -c '{query: .q}' questions.ndjson | mem-search\n"
};

struct asked {
	struct store *store;               /* NULL: there is none yet, an empty memory */
	struct search *search;
	struct scope who;
	struct search_query query;
	unsigned in;                       /* tiers, by enum tier */
	struct tier_query known;           /* of the tiers other than conversations */
	struct tiers *tiers;
	struct rewriter rewriter;
	size_t n_distilled;                /* hits of the question at hand that are summaries or reflections */
	size_t n_likely;                   /* hits that are likely enough to count as found */
	bool told;                         /* that the model is missing */
	struct arena arena;                /* of what it says of one question */
	struct llm *llm;                   /* that orders what was found; NULL: nobody asked for it */
	size_t shown;                      /* hits of a question */
	enum rerank_did reranked;          /* the last of what it did for the question at hand */
	bool told_rerank;                  /* that it ordered nothing */
	bool bad;                          /* some line of stdin was no question */
	int64_t us_open;
};

/* ---- printing ---- */

static void
print_hit(const struct search_hit *h, const struct hit_view *v, size_t rank)
{
	struct buf *out = prog_out();
	const struct message *m = h->message;
	char day[TIME_TEXT];

	buf_addf(out, "%2zu  %-10s  ", rank, time_format_day(m->time_us, day));
	print_line(out, *m->name ? m->name : role_names[m->role], *m->name ? strlen(m->name) : strlen(role_names[m->role]), 20);
	buf_adds(out, "  ");
	print_line(out, m->session, strlen(m->session), 36);
	buf_addf(out, "  %s\n", m->id);
	print_wrapped(out, m->content + v->snippet_start, v->snippet_len, MIN(prog_columns(), 100), 4);
	buf_addc(out, '\n');
	if (!explain)
		return;
	buf_addf(out, "    score %.3f  bm25 %.3f  coverage %.2f ", (double)h->score, (double)h->bm25, (double)h->coverage);
	if (!isnan(h->p))
		buf_addf(out, " p %.2f ", (double)h->p);
	if (!isnan(h->sim))
		buf_addf(out, " sim %.3f ", (double)h->sim);
	for (size_t i = 0; i < N_SIGNALS; i++)
		if (h->x[i] != 0)
			buf_addf(out, " %s %.2f", signals[i].name, (double)h->x[i]);
	buf_adds(out, "\n");
}

static int
print_said(struct asked *a, const struct search_hit *h, const struct question *asked, size_t rank, const struct rewritten *q, struct err *err)
{
	struct hit_view view;

	if (hit_look(a->store, &a->who, asked, h, &view, err) < 0)
		return -1;
	if (prog_for_people())
		print_hit(h, &view, rank);
	else
		hit_record(prog_out(), &a->who, h, &view, rank, a->query.strategy, explain, q);
	prog_flush_soon();
	return 0;
}

static int
print_result(struct asked *a, const struct search_result *r, size_t rank, const struct rewritten *q, struct err *err)
{
	for (size_t i = 0; i < r->n; i++)
		if (print_said(a, &r->hits[i], r->question, rank + i + 1, q, err) < 0)
			return -1;
	return 0;
}

/* ---- what is known beside what was said ---- */

static void
print_known(const struct asked *a, enum tier in, const struct tier_hit *h, size_t rank)
{
	const struct record_head *r = &h->record->head;
	char day[TIME_TEXT];

	if (!prog_for_people()) {
		tier_record(prog_out(), a->who.user, in, h, rank);
		return;
	}
	buf_addf(prog_out(), "%2zu  %-10s  %s  %s\n", rank, time_format_day(r->time_us, day),
		 r->type == RECORD_FACT ? "fact" : r->type == RECORD_SUMMARY ? "summary" : "reflection", r->id);
	print_wrapped(prog_out(), r->content, r->content_len, MIN(prog_columns(), 100), 4);
	buf_addc(prog_out(), '\n');
}

/* ---- the order of a model ---- */

static struct rerank_hits
rerank_of(const struct asked *a, struct arena *arena)
{
	return (struct rerank_hits){ a->llm, a->store, &a->who, &a->query, a->shown, arena };
}

/* To people; in a pipe each hit says it. */
static void
tell_reranked(struct asked *a, const struct reranked *r, enum rerank_did did)
{
	a->reranked = MAX(a->reranked, did);
	if (did == RERANK_FAILED && prog_for_people() && !a->told_rerank)
		prog_caution("not ordered by the model: %s", r->note);
	else if (did == RERANK_SPARED && prog_for_people() && prog_common.verbose)
		prog_note("%s", r->note);
	a->told_rerank |= did == RERANK_FAILED;
}

/* Hits of the tiers above the conversations, ranked on from *rank. */
static int
search_known(struct asked *a, const char *text, size_t len, size_t *rank, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct tier_hit *hits;
	size_t n = 0;
	int rc = 0;

	a->known.text = text;
	a->known.len = len;
	for (enum tier t = TIER_INSIGHTS; t < TIER_CONVERSATIONS && rc == 0; t++) {
		int64_t *rows;
		if (!(a->in & 1u << t) || (rc = tiers_search(a->tiers, &a->who, t, &a->known, &arena, &hits, &n, err)) < 0)
			continue;
		if (a->llm != NULL && n > 0) {
			const struct rerank_hits by = rerank_of(a, &arena);
			enum rerank_did did;
			rerank_known(&by, hits, &n, &did);
			tell_reranked(a, &hits[0].again, did);
		}
		a->n_distilled += t != TIER_INSIGHTS ? n : 0;
		rows = arena_alloc(&arena, (n + 1) * sizeof(*rows));
		for (size_t i = 0; i < n; i++) {
			rows[i] = hits[i].record->head.row;
			print_known(a, t, &hits[i], ++*rank);
		}
		if (prog_flush() != PROG_OUT_OK)
			rc = 1;
		else if (!no_touch && conf_bool("touch"))
			records_touch_soon(a->store, &a->who, rows, n);
	}
	arena_release(&arena);
	return rc;
}

/* What of the options is about facts. */
static int
read_known(struct asked *a, struct arena *arena, struct err *err)
{
	struct record_filter f = RECORD_FILTER_ANY(RECORD_FACT);
	bool of_facts = bank != NULL || category != NULL || as_of != NULL || known_at != NULL;

	bool steps = search_in_steps(a->query.strategy) && words.role == NULL && words.name == NULL;

	a->in = tier != NULL ? tiers_parse(tier) : steps ? TIERS_ALL : of_facts ? 1u << TIER_INSIGHTS : 1u << TIER_CONVERSATIONS;
	if (a->in == 0)
		return err_set(err, ERR_USAGE, "unknown tier '%s': insights, reflections, conversations, with commas between them, or all", tier);
	if (of_facts && !(a->in & 1u << TIER_INSIGHTS))
		return err_set(err, ERR_USAGE, "--bank, --category, --as-of and --known-at are of facts: --tier insights");
	if ((words.role != NULL || words.name != NULL) && a->in != 1u << TIER_CONVERSATIONS)
		return err_set(err, ERR_USAGE, "--role and --name are of conversations");
	if (bank != NULL && (f.bank = known_bank(bank, arena)) == NULL)
		return err_set(err, ERR_USAGE, "unknown bank '%s': %s (setting banks)", bank, conf_text("banks"));
	if (category != NULL && (f.category = fact_root_parse(category)) < 0)
		return err_set(err, ERR_USAGE, "unknown category '%s': facts, preferences, skills, rules or context", category);
	if (filter_moment("--as-of", as_of, clock_now_us(), &f.as_of_us, err) != 0 || filter_moment("--known-at", known_at, clock_now_us(), &f.known_us, err) != 0)
		return -1;
	f.since_us = a->query.filter.since_us;
	f.until_us = a->query.filter.until_us;
	f.min_trust = a->query.filter.min_trust;
	a->shown = (size_t)a->query.limit;
	if (by_model)
		a->query.limit = rerank_limit(a->query.limit);
	a->known = (struct tier_query){ .limit = (size_t)a->query.limit, .min_score = a->query.min_score, .filter = f };
	return 0;
}

/* ---- one question ---- */

/* n: hits of all tiers. */
static void
note_metric(const struct asked *a, const struct search_result *r, size_t n, double top, int64_t us_all)
{
	static const char *const by[] = { [RERANK_NOTHING] = "", [RERANK_SPARED] = ",rerank_spared", [RERANK_DONE] = ",reranked", [RERANK_FAILED] = ",rerank_failed" };
	char flags[100], near[24] = "";
	double sim = NAN;
	struct metric m = {
		.time_us = clock_now_us(), .program = prog.name, .path = a->in & 1u << TIER_CONVERSATIONS ? a->query.strategy : "known",
		.query_hash = hash64(a->query.text, a->query.len, 0) >> 1, .query_bytes = (int64_t)a->query.len,
		.n_hits = (int64_t)n, .n_candidates = (int64_t)r->n_candidates, .top_score = top,
		.us_open = a->us_open, .us_text = r->us_text, .us_vectors = r->us_vectors, .us_rank = r->us_rank, .us_fetch = r->us_fetch, .us_all = us_all,
		.flags = flags,
	};

	for (size_t i = 0; i < r->n; i++)
		sim = isnan(sim) || (double)r->hits[i].sim > sim ? (double)r->hits[i].sim : sim;
	if (!isnan(sim))
		snprintf(near, sizeof(near), ",sim=%.3f", sim);
	snprintf(flags, sizeof(flags), "%s%s%s%s%s%s", r->widened ? ",widened" : "", r->dense ? ",vectors" : "", r->missing_model != NULL ? ",fallback" : "",
		 n > 0 && a->n_distilled == n ? ",distilled" : "", by[a->reranked], near);
	m.flags += flags[0] == ',';
	metrics_put(a->store, &a->who, &m);
}

static void
tell_missing(struct asked *a, const struct search_result *r)
{
	char text[500];

	if (a->told || !search_without(r, text, sizeof(text)))
		return;
	prog_caution("%s", text);
	a->told = true;
}

/* The same of what is known beside what was said, where nothing that was said was searched. */
static void
tell_down(struct asked *a)
{
	const char *why = tiers_down(a->tiers);

	if (why != NULL && !a->told)
		prog_caution("no vectors: %s; searching by words alone", why);
	a->told |= why != NULL;
}

/* What was searched, and why no more: of an explained search its last line. */
static void
report_steps(const struct asked *a, const struct steps_result *r)
{
	if (explain && !prog_for_people())
		steps_record(prog_out(), a->who.user, a->query.strategy, r);
	for (size_t i = 0; i < r->n_tiers && (prog_common.verbose || explain) && prog_for_people(); i++)
		prog_note("%s: %zu, %.1f ms", r->tiers[i].name, r->tiers[i].n, (double)r->tiers[i].us / 1000);
	if ((prog_common.verbose || explain) && prog_for_people())
		prog_note("stopped: %s", r->stopped);
}

static void
print_category(const struct asked *a, const struct step_hit *h, size_t rank)
{
	const struct category *c = h->category;
	const char *text = *c->name != '\0' ? c->name : c->keywords;
	struct buf *out = prog_out();

	if (!prog_for_people()) {
		steps_category_record(out, a->who.user, h, rank);
		return;
	}
	buf_addf(out, "%2zu  category %s, %lld records  ", rank, c->id, (long long)c->n_members);
	print_line(out, text, strlen(text), 60);
	buf_adds(out, "\n\n");
}

/* A search that goes from tier to tier. */
static int
search_steps(struct asked *a, const struct rewritten *q, struct err *err)
{
	const struct steps_in in = { a->store, a->search, a->tiers, &a->query, &a->known.filter, a->in };
	struct arena arena = ARENA_INIT;
	struct steps_result r;
	int64_t start = clock_mono_us(), *rows;
	size_t n_known = 0;
	int rc = steps_run(&in, &a->who, &arena, &r, err);

	if (rc == 0 && a->llm != NULL && r.n > 0) {
		const struct rerank_hits by = rerank_of(a, &arena);
		enum rerank_did did;
		if ((rc = rerank_steps(&by, &r, &did, err)) == 0)
			tell_reranked(a, &r.hits[0].known.again, did);
	}
	rows = arena_alloc(&arena, (r.n + 1) * sizeof(*rows));
	for (size_t i = 0; i < r.n && rc == 0; i++) {
		const struct step_hit *h = &r.hits[i];
		if (h->known.record != NULL) {
			rows[n_known++] = h->known.record->head.row;
			a->n_distilled += h->tier == TIER_REFLECTIONS;
			print_known(a, h->tier, &h->known, i + 1);
		} else if (h->category != NULL)
			print_category(a, h, i + 1);
		else
			rc = print_said(a, &h->said, r.said.question, i + 1, q, err);
		a->n_likely += strcmp(r.tiers[r.n_tiers - 1].name, "recent") != 0 || h->score > 0;
	}
	if (rc == 0) {
		tell_missing(a, &r.said);
		tell_down(a);
		report_steps(a, &r);
		if (prog_flush() != PROG_OUT_OK)
			rc = 1;
	}
	if (rc == 0 && !no_touch && conf_bool("touch")) {
		records_touch_soon(a->store, &a->who, rows, n_known);
		note_metric(a, &r.said, r.n, r.n > 0 ? r.hits[0].score : 0, clock_mono_us() - start);
	}
	arena_release(&arena);
	return rc;
}

static int
search_rerank(struct asked *a, struct search_result *r, struct err *err)
{
	const struct rerank_hits by = rerank_of(a, &a->arena);
	enum rerank_did did;

	if (a->llm == NULL || r->n == 0)
		return 0;
	arena_reset(&a->arena);
	if (rerank_said(&by, r, &did, err) < 0)
		return -1;
	tell_reranked(a, &r->hits[0].again, did);
	return 0;
}

/* What query says; q: what it was made of, NULL: it is as it was asked. */
static int
search(struct asked *a, const struct rewritten *q, struct err *err)
{
	struct search_result r = { .n = 0 };
	int64_t start = clock_mono_us();
	size_t rank = 0;
	int rc;

	if (a->store == NULL)
		return 0;
	a->n_distilled = 0;
	a->reranked = RERANK_NOTHING;
	if (search_in_steps(a->query.strategy))
		return search_steps(a, q, err);
	if (a->in != 1u << TIER_CONVERSATIONS && (rc = search_known(a, a->query.text, a->query.len, &rank, err)) != 0)
		return rc;
	a->n_likely += rank;
	if (!(a->in & 1u << TIER_CONVERSATIONS)) {
		tell_down(a);
		if (!no_touch && conf_bool("touch"))
			note_metric(a, &r, rank, 0, clock_mono_us() - start);
		return 0;
	}
	if (search_run(a->search, &a->who, &a->query, &r, err) < 0 || search_rerank(a, &r, err) < 0 || print_result(a, &r, rank, q, err) < 0)
		return -1;
	tell_missing(a, &r);
	for (size_t i = 0; i < r.n; i++)
		a->n_likely += isnan(r.hits[i].p) || (double)r.hits[i].p >= conf_real("likely");
	if (prog_flush() != PROG_OUT_OK)
		return 1;
	if (!no_touch && conf_bool("touch"))
		note_metric(a, &r, rank + r.n, r.n > 0 ? (double)r.hits[0].score : 0, clock_mono_us() - start);
	return 0;
}

static int
search_text(struct asked *a, const char *text, size_t len, struct err *err)
{
	a->query.text = text;
	a->query.len = len;
	a->query.asked = NULL;
	a->query.n_added = 0;
	return search(a, NULL, err);
}

static int
search_whole(struct asked *a, const struct rewritten *q, struct err *err)
{
	struct search_word added[FOLLOWUP_WORDS];

	rewriter_query(q, &a->query, added);
	return search(a, q, err);
}

static int
ask(void *arg, const char *text, size_t len, struct err *err)
{
	struct asked *a = arg;
	struct rewritten q;

	if (context == NULL)
		return search_text(a, text, len, err);
	rewriter_text(&a->rewriter, text, len, &q);
	return search_whole(a, &q, err);
}

/* A query record, or any object with a query. */
static int
ask_record(void *arg, const struct json *v, struct err *err)
{
	struct asked *a = arg;
	struct rewritten q;
	int rc = rewriter_record(&a->rewriter, v, false, &q, err);

	if (rc < 0)
		return -1;
	return rc == 1 || context != NULL ? search_whole(a, &q, err) : search_text(a, q.query, q.query_len, err);
}

static void
put_bad(void *arg, const char *why)
{
	struct asked *a = arg;

	prog_warn("%s", why);
	a->bad = true;
}

static int
open_store(struct asked *a, bool piped, struct err *err)
{
	int64_t start;

	if (piped)
		ask_wait();
	start = clock_mono_us();
	if (ask_open(&a->store, err) != 0)
		return -1;
	a->us_open = clock_mono_us() - start;
	if (a->store == NULL) {
		prog_note("there is no store at '%s' yet", conf_db());
		return 0;
	}
	return search_open(a->store, &a->search, err);
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct asked a = { .store = NULL };
	struct arena arena = ARENA_INIT;
	const struct ask_fn fn = { ask, ask_record, put_bad, &a };
	int i = prog_start(&prog, argc, argv);

	if (context != NULL && strcmp(context, "-") == 0 && ask_is_piped(argv + i, argc - i)) {
		err_set(&err, ERR_USAGE, "--context - takes the standard input: give the question as an operand");
		return prog_end(&err);
	}
	a.who = (struct scope){ conf_text("user"), prog_common.agent, prog_common.project, prog_common.session };
	if (rewriter_open(&a.rewriter, context, put_bad, &a, &err) != 0 || ask_options(&a.who, NULL, &words, &a.query, &err) != 0 ||
	    read_known(&a, &arena, &err) != 0 || open_store(&a, ask_is_piped(argv + i, argc - i), &err) != 0)
		goto out;
	a.query.exact = exact;
	if (a.store != NULL)
		a.tiers = tiers_new(a.store);
	if (by_model && a.store != NULL)
		a.llm = llm_new(a.store, a.who.user, prog.name, NULL);
	if (llm_is_on())
		rewriter_use_model(&a.rewriter, a.store, a.who.user, prog.name);
	ask_each(&fn, argv + i, argc - i, &err);
	if (err.code == 0 && a.bad)
		err.code = ERR_DATA;
	else if (err.code == 0 && status_if_none && a.n_likely == 0)
		err.code = ERR_NOTFOUND;
out:
	rewriter_close(&a.rewriter);
	llm_free(a.llm);
	arena_release(&a.arena);
	search_close(a.search);
	tiers_free(a.tiers);
	arena_release(&arena);
	store_close(a.store);
	return prog_end(&err);
}
