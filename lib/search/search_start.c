/*
 * search_start.c: begins a run: reads the question with the names of speakers and projects that the
 * memory has, takes a snapshot of the index, has the question's vector made meanwhile, scores its
 * words for every turn and, when they are there, takes the cosines.
 */
#include "search/search_run.h"

#include "base/clock.h"
#include "base/conf.h"
#include "records/people.h"
#include "store/vectors.h"

#define PROJECTS_MOST 1000                 /* projects that a question is compared with */

/* The words of the question that may be names. */
static size_t
possible_names(const struct question *q, struct index_word words[QUESTION_TERMS])
{
	for (size_t i = 0; i < q->n_terms; i++)
		words[i] = (struct index_word){ q->terms[i].text, q->terms[i].len };
	return q->n_terms;
}

static bool
is_named(const struct question *q, int64_t no)
{
	bool is = false;

	for (size_t i = 0; i < q->n_speakers; i++)
		is |= q->speakers[i] == no;
	return is;
}

struct named { const struct question *q; uint64_t terms; };

static int
on_name(void *arg, const struct word *w)
{
	struct named *v = arg;
	size_t i = question_term_at(v->q, w->term, w->len);

	v->terms |= i < MIN(v->q->n_terms, (size_t)64) ? UINT64_C(1) << i : 0;
	return 0;
}

/* Leaves out who has only a part of what names another: "Ann Lee" is not Ann Mill. */
static size_t
leave_out_namesakes(const struct question *q, struct index_speaker *found, size_t n,
	struct arena *a)
{
	struct named *of = arena_alloc(a, (n + 1) * sizeof(*of));
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		of[i] = (struct named){ q, 0 };
		words_each(found[i].name, strlen(found[i].name), on_name, &of[i]);
	}
	for (size_t i = 0, k; i < n; i++) {
		for (k = 0; k < n; k++)
			if (of[k].terms != of[i].terms && (of[i].terms & ~of[k].terms) == 0)
				break;
		if (k == n)
			found[kept++] = found[i];
	}
	return kept;
}

/* Adds the other names of those who are named, as the user has joined them (same_people). */
static int
add_other_names(const struct run *r, const struct index_speaker *named, size_t n, struct err *err)
{
	struct search *s = r->s;
	LOCAL(same_people) same = { .n = 0 };
	int rc = n > 0 ? same_people_read(s->store, &r->who, &same, &s->arena, err) : 0;

	for (size_t i = 0; i < same.n && rc == 0; i++) {
		const char *name = same.names[i].name;
		bool is = false;
		int64_t no;

		for (size_t k = 0; k < n; k++)
			is |= same_person(&same, named[k].name, name);
		if (is && (rc = index_label(s->index, 's', name, &no, err)) == 0 && no > 0 &&
		    !is_named(&s->question, no))
			question_add_speaker(&s->question, (uint16_t)no, name);
	}
	return rc;
}

/*
 * Finds the speakers that the question names. When it names all that there are, they tell no turn
 * from another; their names are not searched as words all the same. Among thousands of speakers
 * some name is also a common word, so a name counts as certain only if it is not in lower case.
 */
static int
find_speakers(const struct run *r, const char *text, size_t len, struct err *err)
{
	struct search *s = r->s;
	struct question *q = &s->question;
	struct index_word words[QUESTION_TERMS];
	struct index_speaker *found;
	size_t n_terms = possible_names(q, words), n;
	int64_t n_all;

	if (index_speakers(s->index, words, n_terms, &s->arena, &found, &n, &n_all, err) < 0)
		return -1;
	n = leave_out_namesakes(q, found, n, &s->arena);
	for (size_t k = 0; k < n; k++) {
		const struct question_term *t = &q->terms[found[k].word];
		question_add_speaker(q, found[k].no, found[k].name);
		q->names |= t->end > 0 && !(text[t->start] >= 'a' && text[t->start] <= 'z');
	}
	if (add_other_names(r, found, n, err) < 0)
		return -1;
	q->about_person |= q->n_speakers > 0;
	if (candidates_by_signals(r))
		question_find_last(q, text, len);
	if (q->n_speakers > 0 && (int64_t)q->n_speakers >= n_all && !q->asks_last) {
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

	if (find_speakers(r, q->text, q->len, err) < 0)
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
	if (!r->embeds)
		return read_question(r, NULL, err);
	LOCAL(buf) text = buf_of(r->q->len + 1);
	return read_question(r, &text, err) != 0
	    ? -1 : query_vector_ask(r->s->query_vector, text.data, text.len, err);
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
	r->bm25->list.n = 0;
	return 0;
}

int
run_start(struct run *r, struct search *s, const struct scope *who, const struct search_query *q,
	struct err *err)
{
	const struct corpus *before;
	int strategy = search_strategy(q->strategy);
	uint64_t stamp;
	bool renewed;

	*r = (struct run){ .s = s,
		.bm25 = &s->bm25,
		.q = q,
		.who = { .user = who->user },
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

void
run_end(struct run *r)
{
	index_end(r->s->index);
	if (r->s->query_vector != NULL)
		query_vector_done(r->s->query_vector);
	candidates_release(&r->found);
}
