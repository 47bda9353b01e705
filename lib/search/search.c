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
#include "base/buf.h"
#include "base/clock.h"
#include "base/conf.h"
#include "json/ndjson.h"
#include "search/search_run.h"
#include "statement/changed.h"
#include "store/vectors.h"

/* with fewer likely hits in the session, the whole memory is searched */
#define ALWAYS_SHOWN 3
#define FEW_HITS     3
#define CHANGES_AMONG 20                   /* hits that may change one another */
/*
 * Among the first so many a newer turn that is so many times as likely to answer, and has this
 * share of what the other has of the question, stands before it where now is asked for. Of 34
 * updates of longmem that are found with what they update, 23 then lead, and 16 without; of 37
 * questions 25 have either of them first, and 26.
 */
#define ALIKE_AMONG 10
#define ALIKE_P     0.6f
#define ALIKE_COVERAGE 0.9f
#define PROJECTS_MOST 1000                 /* projects that a question is compared with */
/* calibrated similarity that counts as likely where there is no probability */
#define LIKELY_SIM   0.5f

const char *const search_strategies[] = { "fused", "lexical", "bm25", "dense", "hybrid", "rrf",
	"max", "recent", "ladder", "progressive", NULL };

static int
strategy_of(const char *name)
{
	for (int i = 0; search_strategies[i] != NULL; i++)
		if (strcmp(search_strategies[i], name) == 0)
			return i;
	return -1;
}

bool
search_knows(const char *strategy)
{
	return strategy_of(strategy) >= 0;
}

bool
search_has_p(const char *strategy)
{
	int s = strategy_of(strategy);

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
	topk_init(&s->top, 1);
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
	topk_release(&s->top);
	arena_release(&s->arena);
	free(s->hits);
	free(s->found);
	free(s->cards);
	feedback_close(&s->feedback);
	free(s->read);
	free(s->is_read);
	free(s->around);
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
	uint32_t *turns = xreallocarray(NULL, r->n + 1, sizeof(*turns));
	struct index_wants wants = { .named = turns, .n_named = r->n };
	int rc;

	for (size_t i = 0; i < r->n; i++)
		turns[i] = corpus_turn(index_corpus(s->index), r->hits[i].row);
	rc = index_want(s->index, &wants, err);
	free(turns);
	return rc;
}

int
search_fetch(struct search *s, const struct scope *who, struct search_result *r, struct err *err)
{
	struct scope all = { .user = who->user, .agent = who->agent, .project = who->project };
	const struct message **found = xreallocarray(NULL, r->n + 1, sizeof(*found));
	int64_t *rows = xreallocarray(NULL, r->n + 1, sizeof(*rows));
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
	free(found);
	free(rows);
	return rc;
}

/* ---- what holds now ---- */

bool
search_is_earlier(const struct message *a, const struct message *b)
{
	return a->time_us != TIME_NONE && b->time_us != TIME_NONE && a->time_us != b->time_us
	    ? a->time_us < b->time_us
	    : a->row > 0 && strcmp(a->session, b->session) == 0 && a->row < b->row;
}

/* Whether both hits answer about alike, as far as is known. */
static bool
answers_alike(const struct search_hit *h, const struct search_hit *other)
{
	return h->p >= ALIKE_P * other->p && h->coverage >= ALIKE_COVERAGE * other->coverage;
}

/* Before which of the first n hits, said earlier, hit n is to stand; n: before none. */
static size_t
stands_before(const struct search_result *r, size_t n)
{
	const struct search_hit *hit = &r->hits[n];
	struct changed_text earlier[CHANGES_AMONG];
	size_t of[CHANGES_AMONG + 1], n_earlier = 0, which, start, len, alike = n;

	if (hit->message->role != ROLE_USER)
		return n;
	for (size_t i = 0; i < n; i++) {
		const struct message *m = r->hits[i].message;

		if (m->role == ROLE_TOOL || !search_is_earlier(m, hit->message))
			continue;
		if (n < ALIKE_AMONG && alike == n && m->role == ROLE_USER &&
		    answers_alike(hit, &r->hits[i]))
			alike = i;
		earlier[n_earlier] = (struct changed_text){ m->content, m->content_len };
		of[n_earlier++] = i;
	}
	of[n_earlier] = n;
	which = changed_which(earlier, n_earlier, hit->message->content,
	    hit->message->content_len, &start, &len);
	return MIN(alike, of[which]);
}

/* Moves each hit that changes one before it, or answers alike, to the place before that. */
static void
newer_first(struct search_result *r)
{
	for (size_t i = 1; i < MIN(r->n, (size_t)CHANGES_AMONG); i++) {
		struct search_hit hit = r->hits[i];
		size_t to = stands_before(r, i);

		hit.score = r->hits[to].score;
		memmove(r->hits + to + 1, r->hits + to, (i - to) * sizeof(*r->hits));
		r->hits[to] = hit;
	}
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
	return search_fetch(s, who, r, err);
}

/* ---- runs ---- */

/* The words of the question that may be names. */
static size_t
possible_names(const struct question *q, struct index_word words[QUESTION_TERMS])
{
	for (size_t i = 0; i < q->n_terms; i++)
		words[i] = (struct index_word){ q->terms[i].text, q->terms[i].len };
	return q->n_terms;
}

/*
 * Finds the speakers that the question names. When it names all that there are, they tell no turn
 * from another; their names are not searched as words all the same. Among thousands of speakers
 * some name is also a common word, so a name counts as certain only if it is not in lower case.
 */
static int
find_speakers(struct search *s, const char *text, struct err *err)
{
	struct question *q = &s->question;
	struct index_word words[QUESTION_TERMS];
	struct index_speaker *found;
	size_t n_terms = possible_names(q, words), n;
	int64_t n_all;

	if (index_speakers(s->index, words, n_terms, &s->arena, &found, &n, &n_all, err) < 0)
		return -1;
	for (size_t k = 0; k < n; k++) {
		const struct question_term *t = &q->terms[found[k].word];
		question_add_speaker(q, found[k].no, found[k].name);
		q->names |= t->end > 0 && !(text[t->start] >= 'a' && text[t->start] <= 'z');
	}
	q->about_person |= q->n_speakers > 0;
	if (q->n_speakers > 0 && (int64_t)q->n_speakers >= n_all) {
		q->n_speakers = 0;
		q->names = false;
	}
	return 0;
}

/*
 * Finds the projects that the question names by the last part of their directory: "the tests of
 * shop" are those of /srv/shop. Where it names all that there are, they tell no turn from another.
 */
static int
find_projects(struct search *s, struct err *err)
{
	struct question *q = &s->question;
	struct index_speaker *all;
	size_t n, n_named = 0;

	if (index_labels(s->index, 'p', PROJECTS_MOST, &s->arena, &all, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (question_names_project(q, all[i].name))
			all[n_named++] = all[i];
	for (size_t i = 0; n_named < n && i < n_named; i++)
		question_add_project(q, all[i].no, all[i].name);
	return 0;
}

/* ---- vectors ---- */

/*
 * Whether cosines near the question are enough. Not with a filter, which may let through only turns
 * far from the question, nor for strategies that rank or sum cosines alone. Turns found by words
 * have their cosines looked up.
 */
static bool
near_cosines_suffice(const struct run *r)
{
	return (r->strategy == FUSED || r->strategy == DENSE) && !r->q->exact &&
	    !candidates_filtered(r);
}

/* Whether all cosines of the question before are there: it may have been the same question. */
static bool
has_cosines(const struct search *s)
{
	return s->dense.cosine != NULL && s->dense.few == NULL;
}

/* Opens the vectors and starts their thread when there are any. */
static int
begin_vectors(struct run *r, const struct scope *who, struct err *err)
{
	struct search *s = r->s;
	struct vectors *v;
	const float *q;
	bool again = has_cosines(s);

	s->missing[0] = '\0';
	if (r->strategy == LEXICAL || r->strategy == BM25)
		return 0;
	if (vectors_open(s->store, who, &v, err) < 0)
		return -1;
	if (vectors_info(v)->n == 0) {
		vectors_close(v);
		return 0;
	}
	if (s->query_vector == NULL)
		s->query_vector = query_vector_new();
	if (search_of_service(s, vectors_info(v), &q)) {
		if (q == NULL) {
			vectors_close(v);
			return 0;
		}
		if (query_vector_begin_given(s->query_vector, v, q, again, err) < 0)
			return -1;
	} else {
		query_vector_begin(s->query_vector, v, again);
		r->embeds = true;
	}
	r->asked = true;
	return 0;
}

/* Sets *of to the turns whose cosines the run needs. */
static int
wanted_cosines(const struct run *r, const struct scope *who, struct query_vector_of *of,
	struct err *err)
{
	*of = (struct query_vector_of){ !near_cosines_suffice(r), 0, 0 };
	if (of->all || who->session == NULL || *who->session == '\0' || r->q->scope == SEARCH_USER)
		return 0;
	return index_session(r->s->index, who->session, &of->from, &of->to, err);
}

static int
end_vectors(struct run *r, const struct scope *who, bool renewed, struct err *err)
{
	struct search *s = r->s;
	struct query_vector_of of;
	bool known;

	if (!r->asked) {
		dense_close(&s->dense);
		return 0;
	}
	if (wanted_cosines(r, who, &of, err) < 0 ||
	    query_vector_end(s->query_vector, r->corpus, &of, !renewed, &s->dense, &known, err) < 0)
		return -1;
	if (known)
		r->dense = &s->dense;
	else
		snprintf(s->missing, sizeof(s->missing), "%s",
		    query_vector_missing(s->query_vector));
	return 0;
}

static void
read_words(struct run *r)
{
	struct search *s = r->s;
	const struct search_query *q = r->q;

	question_read(&s->question, q->text, q->len, q->now_us, (size_t)conf_int("query_terms"));
	s->question.asks_now |= q->current;
	if (q->asked != NULL) {
		for (size_t i = 0; i < q->n_added; i++)
			question_weigh(&s->question, q->added[i].text, q->added[i].len, q->asked,
			    q->asked_len, q->added[i].weight);
		question_add(&s->question, q->asked, q->asked_len, 1);
	}
	if (r->strategy == BM25 || q->as_written)
		s->question.n_forms = 0;
}

/* Reads the names and times; text gets what is to be embedded, NULL: nothing is. */
static int
read_question(struct run *r, struct buf *text, struct err *err)
{
	struct search *s = r->s;
	const struct search_query *q = r->q;

	if (find_speakers(s, q->text, err) < 0)
		return -1;
	if (candidates_by_signals(r))
		r->n_times =
		    question_time_alone(&s->question, q->text, q->len, q->now_us, r->times);
	/* a time alone has no meaning that a vector could find */
	if (text != NULL && r->n_times == 0)
		question_without_names(&s->question, q->text, q->len, text);
	return 0;
}

/* The same, and the words, for a service that embeds. */
static int
read_all(struct run *r, struct buf *text, struct err *err)
{
	read_words(r);
	return read_question(r, text, err);
}

/* Begins to read the store, and declares the question's names, which the vectors come with. */
static int
enter(struct run *r, const struct scope *who, struct err *err)
{
	struct index_word words[QUESTION_TERMS];
	struct search *s = r->s;

	if (index_enter(s->store, who, &s->index, err) < 0)
		return -1;
	read_words(r);
	return index_want_speakers(s->index, words, possible_names(&s->question, words), err);
}

static int
read_and_embed(struct run *r, struct err *err)
{
	struct buf text;
	int rc;

	if (!r->embeds)
		return read_question(r, NULL, err);
	buf_init(&text, r->q->len + 1);
	if ((rc = read_question(r, &text, err)) == 0)
		rc = query_vector_ask(r->s->query_vector, text.data, text.len, err);
	buf_release(&text);
	return rc;
}

/* The corpus, and that the lists of all words of the question will be read. */
static int
load_index(struct run *r, struct err *err)
{
	const struct question *q = &r->s->question;
	struct index_word words[QUESTION_TERMS + QUESTION_FORMS + QUESTION_JOINED];
	size_t n = 0;

	for (size_t i = 0; i < q->n_terms; i++)
		words[n++] = (struct index_word){ q->terms[i].text, q->terms[i].len };
	for (size_t i = 0; i < q->n_forms; i++)
		words[n++] = (struct index_word){ q->forms[i].text, q->forms[i].len };
	for (size_t i = 0; i < q->n_joined && r->strategy != BM25; i++)
		words[n++] = (struct index_word){ q->joined[i].text, q->joined[i].len };
	return index_load(r->s->index, words, n, err);
}

/* The numbers of who may have spoken; those whom the store does not know have said nothing. */
static int
find_said_by(struct run *r, const struct said_by *by, struct err *err)
{
	struct search *s = r->s;

	if (by->names == NULL)
		return 0;
	r->speakers = arena_zalloc(&s->arena, (by->n + 1) * sizeof(*r->speakers));
	if (by->nameless)
		r->speakers[r->n_speakers++] = 0;
	for (size_t i = 0; i < by->n; i++) {
		if (index_label(s->index, 's', by->names[i], &r->speakers[r->n_speakers], err) < 0)
			return -1;
		r->n_speakers += r->speakers[r->n_speakers] > 0;
	}
	return 0;
}

/*
 * Goes on without words where the full text cannot be read, but vectors are on their way; what is
 * wrong is told with the answer.
 */
static int
without_words(struct run *r, struct err *err)
{
	struct question *q = &r->s->question;

	if (err->code != ERR_IO || !r->asked)
		return -1;
	snprintf(r->s->words_down, sizeof(r->s->words_down), "%.250s", err->msg);
	err_clear(err);
	q->n_terms = q->n_forms = q->n_joined = 0;
	r->s->bm25.list.n = 0;
	return 0;
}

static int
start_run(struct run *r, struct search *s, const struct scope *who, const struct search_query *q,
	struct err *err)
{
	const struct corpus *before;
	int strategy = strategy_of(q->strategy);
	uint64_t stamp;
	bool renewed;

	*r = (struct run){ .s = s,
		.q = q,
		.strategy = (enum strategy)strategy,
		.filter = q->filter,
		.agent = -1,
		.project = -1 };
	s->words_down[0] = '\0';
	stamp = s->index == NULL ? 0 : index_stamp(s->index);
	before = s->scored;
	if (r->strategy == LADDER || r->strategy == PROGRESSIVE)
		r->strategy = FUSED;
	if (r->strategy != LEXICAL && r->strategy != BM25 &&
	    search_ask_service(r, who, read_all, err) < 0)
		return -1;
	/* the thread is started early, since it has most to do */
	if (enter(r, who, err) < 0 || begin_vectors(r, who, err) < 0 ||
	    read_and_embed(r, err) < 0 ||
	    (load_index(r, err) < 0 && (without_words(r, err) < 0 || load_index(r, err) < 0)))
		return -1;
	if (q->as_kind)
		index_take_as(s->index, q->kind);
	r->corpus = index_corpus(s->index);
	r->to = r->corpus->n;
	if (who->agent != NULL && *who->agent) {
		if (index_label(s->index, 'a', who->agent, &r->agent, err) < 0)
			return -1;
		if (r->agent == 0)
			/* an unknown agent still sees what is shared */
			r->agent = UINT16_MAX + 1;
	}
	if (who->project != NULL && *who->project &&
	    index_label(s->index, 'p', who->project, &r->project, err) < 0)
		return -1;
	if (r->project < 0 && find_projects(s, err) < 0)
		return -1;
	if (find_said_by(r, &q->filter.said_by, err) < 0)
		return -1;
	if (r->project == 0 || (r->speakers != NULL && r->n_speakers == 0))
		r->to = 0;                             /* no turn can match */
	renewed = before == NULL || stamp != index_stamp(s->index);
	if (search_terms(r, renewed, err) < 0 &&
	    (without_words(r, err) < 0 || search_terms(r, true, err) < 0))
		return -1;
	r->us_waiting = clock_mono_us();
	if (end_vectors(r, who, renewed, err) < 0)
		return -1;
	r->us_waiting = clock_mono_us() - r->us_waiting;
	return 0;
}

/* Ends the snapshots, whether the run succeeded or not. */
static void
end_run(struct search *s)
{
	index_end(s->index);
	if (s->query_vector != NULL)
		query_vector_done(s->query_vector);
}

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
	int64_t t0 = clock_mono_us(), t1, t2;
	int rc = -1;

	memset(out, 0, sizeof(*out));
	out->question = &s->question;
	out->stage = "text";
	arena_reset(&s->arena);
	if (check_query(q, err) < 0)
		return -1;
	if (strategy_of(q->strategy) == RECENT) {
		rc = run_recent(s, who, q, out, err);
		out->us_fetch = clock_mono_us() - t0;
		return rc;
	}
	if (start_run(&r, s, who, q, err) < 0)
		goto out;
	t1 = clock_mono_us();
	out->stage = "rank";
	if (r.to > 0 && rank_scoped(&r, who, out, err) < 0)
		goto out;
	t2 = clock_mono_us();
	out->stage = "fetch";
	if (candidates_by_signals(&r) && want_names(s, out, err) < 0)
		goto out;
	if ((rc = search_fetch(s, who, out, err)) == 0 && s->question.asks_now &&
	    candidates_by_signals(&r))
		newer_first(out);
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
	end_run(s);
	return rc;
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
	if (start_run(&r, s, who, q, err) < 0 || candidates_find(&r, &n_all, err) < 0 ||
	    candidates_cards(&r, err) < 0)
		goto out;
	if (search_read(&r, err) < 0)
		goto out;
	s->x = xreallocarray(s->x, s->n_found * N_SIGNALS + 1, sizeof(*s->x));
	s->sides = xreallocarray(s->sides, s->n_found + 1, sizeof(*s->sides));
	s->rows = xreallocarray(s->rows, s->n_found + 1, sizeof(*s->rows));
	s->kinds = xreallocarray(s->kinds, s->n_found + 1, 1);
	for (size_t i = 0; i < s->n_found; i++) {
		candidates_signals(&r, i, 0, s->x + i * N_SIGNALS);
		candidates_sides(&r, &s->found[i], s->sides[i]);
		s->rows[i] = corpus_row(r.corpus, s->found[i].turn);
		s->kinds[i] = (uint8_t)candidates_profile(&r, i);
	}
	*f = (struct search_features){ s->n_found, s->x, (const float(*)[SEARCH_SIDES])s->sides,
		s->rows, s->kinds };
	rc = 0;
out:
	end_run(s);
	return rc;
}
