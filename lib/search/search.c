/*
 * search.c: runs one search: the default strategy, and single sources beside it for comparison.
 *
 * The posting lists of the question's terms are read once and scored for every turn (rank/bm25.h);
 * candidates.c decides which turns are ranked by all signals. The texts of the hits are fetched
 * after the snapshot has ended.
 */
#include "search/search.h"

#include <math.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/conf.h"
#include "json/ndjson.h"
#include "search/search_run.h"
#include "statement/cues.h"
#include "store/vectors.h"

/* with fewer likely hits in the session, the whole memory is searched */
#define ALWAYS_SHOWN 3
#define FEW_HITS     3
/* calibrated similarity that counts as likely where there is no probability */
#define LIKELY_SIM   0.5f
/* the most p of what another says of himself, in so many bytes */
#define HIMSELF_P     0.1f
#define HIMSELF_BYTES 300

const char *const search_strategies[] = { "fused", "lexical", "bm25", "dense", "hybrid", "rrf",
	"max", "recent", "ladder", "progressive", NULL };

int
search_strategy(const char *name)
{
	for (int i = 0; search_strategies[i] != NULL; i++)
		if (strcmp(search_strategies[i], name) == 0)
			return i;
	return -1;
}

bool
search_knows(const char *strategy)
{
	return search_strategy(strategy) >= 0;
}

bool
search_has_p(const char *strategy)
{
	int s = search_strategy(strategy);

	return s == FUSED || s == LEXICAL;
}

bool
search_hit_is_likely(const struct search_hit *h)
{
	if (!isnan(h->p))
		return (double)h->p >= conf_real("likely");
	return h->bm25 > 0 || isnan(h->sim) || h->sim >= LIKELY_SIM;
}

bool
search_hit_is_shown(const struct search_hit *h, size_t rank)
{
	return rank <= ALWAYS_SHOWN || isnan(h->p) || (double)h->p >= conf_real("unlikely");
}

size_t
search_n_likely(const struct search_result *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += search_hit_is_likely(&r->hits[i]);
	return n;
}

static int
read_weights(struct profile *p, const char *path, struct err *err)
{
	struct ndjson *file;
	const char *text;
	size_t len;
	int rc;

	if (ndjson_open(path, 0, &file, err) < 0)
		return -1;
	rc = ndjson_rest(file, CAP_CONFIG_BYTES, &text, &len, err);
	if (rc >= 0)
		rc = profile_read(p, text, len, path, err);
	ndjson_close(file);
	return rc;
}

int
search_open(struct store *st, struct search **out, struct err *err)
{
	struct search *s = xcalloc(1, sizeof(*s));
	const char *path = conf_text("weights");

	*out = NULL;
	s->store = st;
	s->profile = profile_default;
	s->stage = "text";
	if (*path && read_weights(&s->profile, path, err) < 0) {
		search_close(s);
		return -1;
	}
	*out = s;
	return 0;
}

void
search_close(struct search *s)
{
	if (s == NULL)
		return;
	if (s->scored != NULL)
		bm25_close(&s->bm25);
	dense_close(&s->dense);
	query_vector_free(s->query_vector);
	service_free(s->service.service);
	arena_release(&s->service.arena);
	index_free(s->index);
	arena_release(&s->arena);
	free(s->hits);
	free(s->x);
	free(s->sides);
	free(s->rows);
	free(s->kinds);
	free(s);
}

/* ---- which turns ---- */

static void
mark_outside(const struct run *r, uint32_t from, uint32_t to, struct search_result *out)
{
	for (size_t i = 0; i < out->n; i++) {
		uint32_t turn = corpus_turn(r->corpus, out->hits[i].row);
		out->hits[i].outside = turn < from || turn >= to;
	}
}

/* Removes the hits that are not likely to answer; the others keep their order. */
static void
keep_likely(struct search_result *out)
{
	size_t n = 0;

	for (size_t i = 0; i < out->n; i++)
		if (search_hit_is_likely(&out->hits[i]))
			out->hits[n++] = out->hits[i];
	out->n = n;
}

static bool
has_row(const struct search_hit *hits, size_t n, int64_t row)
{
	for (size_t i = 0; i < n; i++)
		if (hits[i].row == row)
			return true;
	return false;
}

/*
 * Ranks the candidates. Where nothing was said at the time that the question asks for, its words
 * are searched after all.
 */
static int
rank_times_first(struct run *r, struct search_result *out, struct err *err)
{
	if (search_rank(r, r->q->limit, out, err) < 0)
		return -1;
	if (r->n_times == 0 || out->n > 0)
		return 0;
	r->n_times = 0;
	r->times_missed = true;
	if (search_terms(r, false, err) < 0)
		return -1;
	return search_rank(r, r->q->limit, out, err);
}

/*
 * Searches the whole memory too. The likely hits of the session stay in front; its other hits, of
 * which there may be as many as it has turns, stand where they rank in the whole memory.
 */
static int
search_whole_memory(struct run *r, struct search_result *out, struct err *err)
{
	size_t n_likely, n;

	keep_likely(out);
	n = n_likely = out->n;
	out->widened = true;
	r->from = 0;
	r->to = r->corpus->n;
	if (rank_times_first(r, out, err) < 0)
		return -1;
	for (size_t i = n_likely; i < out->n && (int64_t)n < r->q->limit; i++)
		if (!has_row(out->hits, n_likely, out->hits[i].row))
			out->hits[n++] = out->hits[i];
	out->n = n;
	return 0;
}

/* Ranks the session first; then, when few of its hits are likely to answer, the whole memory. */
static int
rank_scoped(struct run *r, const struct scope *who, struct search_result *out, struct err *err)
{
	const struct search_query *q = r->q;
	uint32_t from, to;
	bool one = who->session != NULL && *who->session && q->scope != SEARCH_USER;

	if (one && q->scope == SEARCH_AUTO && timewords_looks_back(q->text, q->len)) {
		one = false;
		out->widened = true;
	}
	from = r->from = 0;
	to = r->to = r->corpus->n;
	if (who->session != NULL && *who->session &&
	    index_session(r->s->index, who->session, &from, &to, err) < 0)
		return -1;
	if (one) {
		r->from = from;
		r->to = to;
	}
	if ((one && q->scope == SEARCH_AUTO ? search_rank(r, q->limit, out, err)
					    : rank_times_first(r, out, err)) < 0)
		return -1;
	if (one && q->scope == SEARCH_AUTO &&
	    (int64_t)search_n_likely(out) < MIN(FEW_HITS, q->limit) &&
	    search_whole_memory(r, out, err) < 0)
		return -1;
	if (!one || out->widened)
		mark_outside(r, from, to, out);
	return 0;
}

/* The names in the hits are declared by their cards, to come in one round with the messages. */
static int
want_names(struct search *s, const struct search_result *r, struct err *err)
{
	FREED uint32_t *turns = xreallocarray(NULL, r->n + 1, sizeof(*turns));
	struct index_wants wants = { .named = turns, .n_named = r->n };

	for (size_t i = 0; i < r->n; i++)
		turns[i] = corpus_turn(index_corpus(s->index), r->hits[i].row);
	return index_want(s->index, &wants, err);
}

struct index **
search_index(struct search *s)
{
	return &s->index;
}

/* Reads the messages of the hits; what was forgotten meanwhile is no hit. */
static int
fetch_hits(struct search *s, const struct scope *who, struct search_result *r, struct err *err)
{
	struct scope all = { .user = who->user, .agent = who->agent, .project = who->project };
	FREED const struct message **found = xreallocarray(NULL, r->n + 1, sizeof(*found));
	FREED int64_t *rows = xreallocarray(NULL, r->n + 1, sizeof(*rows));
	size_t n = 0;
	int rc;

	for (size_t i = 0; i < r->n; i++)
		rows[i] = r->hits[i].row;
	rc = messages_by_rows(s->store, &all, rows, r->n, &s->arena, found, err);
	for (size_t i = 0; rc == 0 && i < r->n; i++) {
		if (found[i] == NULL)
			continue;              /* it was forgotten meanwhile */
		r->hits[n] = r->hits[i];
		r->hits[n++].message = found[i];
	}
	if (rc == 0)
		r->n = n;
	return rc;
}

/* ---- of whom ---- */

/*
 * Whether a turn is somebody's of himself, and the question asks about others who speak here: where
 * Tess lives is no answer to where Ann does. What he says to or of another may be of Ann.
 */
static bool
is_of_himself(const struct question *q, const struct search_hit *h)
{
	static const char *const table = "schema/cues/statement.txt";
	const struct message *m = h->message;

	return h->x[SIGNAL_SPEAKER] == 0 && m->role == ROLE_USER && *m->name != '\0' &&
	    m->content_len <= HIMSELF_BYTES &&
	    cues_has(table, "first", m->content, m->content_len) &&
	    !cues_has(table, "second", m->content, m->content_len) &&
	    !cues_has(table, "third", m->content, m->content_len) &&
	    !question_has_name(q, m->content, m->content_len);
}

/* In a prompt others are named beside whom it asks about. */
static void
doubt_others(struct search *s, const struct search_query *q, struct search_result *r)
{
	if (s->question.n_speakers == 0 || s->question.prompt.n > 0 ||
	    cues_has("schema/cues/statement.txt", "first", q->text, q->len))
		return;
	for (size_t i = 0; i < r->n; i++)
		if (!isnan(r->hits[i].p) && is_of_himself(&s->question, &r->hits[i]))
			r->hits[i].p = MIN(r->hits[i].p, HIMSELF_P);
}

/* ---- recent ---- */

struct recent { struct search *s; struct search_result *r; int64_t limit; bool documents; };

static int
on_recent(void *arg, const struct message *m)
{
	struct recent *v = arg;

	if (m->role == ROLE_SYSTEM || (m->role == ROLE_DOCUMENT && !v->documents))
		return 0;
	search_add_hit(v->s, v->r, m->row);
	return (int64_t)v->r->n >= v->limit;
}

static int
run_recent(struct search *s, const struct scope *who, const struct search_query *q,
	struct search_result *r, struct err *err)
{
	struct scope where = *who;
	struct message_filter f = q->filter;
	struct recent v = { s, r, q->limit, q->filter.role == ROLE_DOCUMENT };

	if (q->scope == SEARCH_USER)
		where.session = NULL;
	f.newest_first = true;
	f.limit = 0;
	if (messages_each(s->store, &where, &f, on_recent, &v, err) < 0)
		return -1;
	return fetch_hits(s, who, r, err);
}

/* ---- runs ---- */

static int
check_query(const struct search_query *q, struct err *err)
{
	if (!search_knows(q->strategy))
		return err_set(err, ERR_USAGE, "no strategy '%s'", q->strategy);
	if (q->limit < 1)
		return err_set(err, ERR_USAGE, "limit must be 1 or more");
	if (q->len > (size_t)conf_int("query_bytes"))
		return err_set(err, ERR_DATA, "question is over %lld bytes (setting query_bytes)",
		    (long long)conf_int("query_bytes"));
	return 0;
}

int
search_run(struct search *s, const struct scope *who, const struct search_query *q,
	struct search_result *out, struct err *err)
{
	struct run r;
	struct search_query wide = *q;
	int64_t t0 = clock_mono_us(), t1, t2;
	int rc = -1;

	memset(out, 0, sizeof(*out));
	out->question = &s->question;
	s->stage = "text";
	arena_reset(&s->arena);
	if (check_query(q, err) < 0)
		return -1;
	if (search_strategy(q->strategy) == RECENT) {
		rc = run_recent(s, who, q, out, err);
		out->us_fetch = clock_mono_us() - t0;
		return rc;
	}
	if (run_start(&r, s, who, q, err) < 0)
		goto out;
	if (s->question.asks_now && candidates_by_signals(&r)) {
		/* a newer turn may stand behind what was asked for, and belongs before it */
		wide.limit = MAX(q->limit, NEWER_AMONG);
		r.q = &wide;
	}
	t1 = clock_mono_us();
	s->stage = "rank";
	if (r.to > 0 && rank_scoped(&r, who, out, err) < 0)
		goto out;
	t2 = clock_mono_us();
	s->stage = "fetch";
	if (candidates_by_signals(&r) && want_names(s, out, err) < 0)
		goto out;
	if ((rc = fetch_hits(s, who, out, err)) == 0 && candidates_by_signals(&r)) {
		doubt_others(s, q, out);
		search_newer_first(out);
		out->n = MIN(out->n, (size_t)q->limit);
	}
	out->us_text = t1 - t0 - r.us_waiting;
	out->us_vectors = r.us_waiting;
	out->dense = r.dense != NULL;
	out->words_down = s->words_down[0] != '\0' ? s->words_down : NULL;
	out->missing_model = s->missing[0] != '\0' ? s->missing : NULL;
	out->missing_why =
	    s->missing[0] != '\0' && s->service.note[0] != '\0' ? s->service.note : NULL;
	out->us_rank = t2 - t1;
	out->us_fetch = clock_mono_us() - t2;
out:
	run_end(&r);
	return rc;
}

void
search_failed(const struct search *s, const struct scope *who, const char *program,
	const struct err *err)
{
	char flags[40];
	const struct metric m = { .time_us = clock_now_us(), .program = program,
		.path = METRIC_JOB, .flags = flags };

	snprintf(flags, sizeof(flags), "stage=%s", s->stage);
	if (err->code != ERR_DATA && err->code != ERR_USAGE)
		metrics_put(s->store, who, &m);
}

int
search_signals(struct search *s, const struct scope *who, const struct search_query *q,
	struct search_features *f, struct err *err)
{
	struct run r;
	size_t n_all;
	int rc = -1;

	memset(f, 0, sizeof(*f));
	if (check_query(q, err) < 0)
		return -1;
	if (run_start(&r, s, who, q, err) < 0 || candidates_find(&r, &n_all, err) < 0 ||
	    candidates_cards(&r, err) < 0)
		goto out;
	if (search_read(&r, err) < 0)
		goto out;
	s->x = xreallocarray(s->x, r.found.n * N_SIGNALS + 1, sizeof(*s->x));
	s->sides = xreallocarray(s->sides, r.found.n + 1, sizeof(*s->sides));
	s->rows = xreallocarray(s->rows, r.found.n + 1, sizeof(*s->rows));
	s->kinds = xreallocarray(s->kinds, r.found.n + 1, 1);
	for (size_t i = 0; i < r.found.n; i++) {
		candidates_signals(&r, i, s->x + i * N_SIGNALS);
		candidates_sides(&r, &r.found.at[i], s->sides[i]);
		s->rows[i] = corpus_row(r.corpus, r.found.at[i].turn);
		s->kinds[i] = (uint8_t)candidates_profile(&r, i);
	}
	*f = (struct search_features){ r.found.n, s->x, (const float(*)[SEARCH_SIDES])s->sides,
		s->rows, s->kinds };
	rc = 0;
out:
	run_end(&r);
	return rc;
}
