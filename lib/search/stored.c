/*
 * stored.c: each record is judged as a turn is (rank/answer_probability.h): by the share of the
 * question's idf, as the conversations have it, that stands in one place of it, and by the
 * similarity of its vector. What stands beside a turn counts, too; a record stands alone and says
 * all of it. It has no score by signals; that share, or the mean of both, takes its place where
 * records are compared. As evidence of its own a score and a length of a sentence or two are left
 * out: they weigh the same, with opposite signs.
 */
#include "search/stored.h"

#include <math.h>

#include "base/conf.h"
#include "base/order.h"
#include "facts/subject.h"
#include "rank/answer_probability.h"
#include "search/fact_rank.h"
#include "records/people.h"
#include "search/search_run.h"

#define FOUND      30                  /* records that are judged */
#define SCORE_MOST 5                   /* of a turn with all words of a question, about */
/* the calibrated similarity of a record that is not near enough for a search of records to tell */
#define FAR_SIM    .2f
/* the highest z4 of turns that answer_probability was learnt on: a few turns may be all alike */
#define MOST_Z4    1

/* The idf that is expected of a record: of the question's own words, without guesses for these. */
static float
expected(const struct search *s)
{
	float sum = 0;

	for (size_t i = 0; i < s->question.n_terms; i++)
		sum += s->question.terms[i].guessed ? 0 : s->idf[i];
	return search_expected_near(s, sum);
}

/* What a record says, behind the words of its key: who named that said what it is about. */
static const char *
said_of(const struct fact *f, struct arena *a)
{
	char *key = arena_strdup(a, f->key != NULL ? f->key : "");

	for (char *p = key; *p != '\0'; p++)
		if (*p == '_' || *p == ':')
			*p = ' ';
	return arena_printf(a, "%s%s%.*s", key, *key != '\0' ? " " : "",
	    (int)f->head.content_len, f->head.content);
}

/*
 * p, but for what a better record takes from it; score: what records are compared by. dense: the
 * question has a vector, so that a record which is not near is judged as far.
 */
static float
judge(struct search *s, const struct tier_hit *h, const char *text, bool dense, float behind,
	float *score)
{
	const struct passage_signals at = passage_look(&s->passage, text, strlen(text));
	const struct dense *d = &s->dense;
	struct answer_evidence by = { .dense = dense,
		.prompt = s->question.prompt.n > 0,
		.near = MIN(at.passage * s->passage.all_idf / expected(s), 1),
		.sim = !dense ? 0 : isnan(h->sim) ? FAR_SIM : MAX((float)h->sim, 0),
		.behind = behind };

	if (dense && d->n_known > 0 && d->turns.sd > 0)
		by.z4 = MIN((by.sim * (1 - d->unrelated) + d->unrelated - d->turns.mean) /
		    d->turns.sd / 4, MOST_Z4);
	*score = SCORE_MOST * (dense ? (by.near + by.sim) / 2 : by.near);
	return answer_probability(&by);
}

/* Sets p, and the score to it. */
static void
judge_all(struct search *s, struct tier_hit *hits, size_t n, bool dense, struct arena *a)
{
	const char **texts = arena_alloc(a, (n + 1) * sizeof(*texts));
	float best = 0, score;

	passage_open(&s->passage, &s->question, s->idf);
	for (size_t i = 0; i < n; i++) {
		texts[i] = said_of(hits[i].record, a);
		judge(s, &hits[i], texts[i], dense, 0, &score);
		hits[i].score = (double)score;
		best = MAX(best, score);
	}
	for (size_t i = 0; i < n; i++)
		hits[i].score = hits[i].p =
		    (double)judge(s, &hits[i], texts[i], dense, best - (float)hits[i].score,
			&score);
}

/*
 * Whether the question asks about the user or somebody who speaks in the memory, and the fact is
 * about somebody else: where Tess lives is no answer to where Ann does, though all other words
 * agree.
 */
static bool
is_of_another(const struct question *q, const struct fact_question *asked, const struct fact *f,
	struct arena *a)
{
	static _Thread_local struct said words;
	const char *whose = fact_whose(f, a), *text = fact_shown(f, a);
	struct reading r;
	bool mine = false;

	if (!asked->of_user && q->n_speakers == 0)
		return false;
	said_read(&words, text, strlen(text));
	for (size_t i = 0; i < words.n && *whose == '\0'; i++)
		mine |= words.w[i].person || words.w[i].mine;
	if ((mine && asked->of_user) || question_has_name(q, text, strlen(text)))
		return false;
	reading_of(text, strlen(text), NULL, &r);
	return mine || (strncmp(r.about, "other:", 6) == 0 && !r.unknown);
}

/* Whether it only says which names are one person's, which the search of speakers knows. */
static bool
joins_names(const struct record_head *h)
{
	return h->tags != NULL && strstr(h->tags, "\"" SAME_PERSON_TAG "\"") != NULL;
}

/* Whether it keeps the words of a turn that was found: a message marked as important. */
static bool
repeats(const struct record_head *h, const struct search_result *r)
{
	for (size_t i = 0; i < h->n_sources; i++)
		for (size_t k = 0; k < r->n; k++) {
			const struct message *m = r->hits[k].message;
			if (strcmp(h->sources[i].id, m->id) == 0 &&
			    m->content_len >= h->content_len &&
			    memcmp(m->content, h->content, h->content_len) == 0)
				return true;
		}
	return false;
}

ORDER_OF(best_first, struct tier_hit,
	a->p != b->p ? -ORDER_UP(p) : -ORDER_UP(record->head.row))

int
stored_find(struct facts_search *t, struct search *s, const struct scope *who,
	const struct search_query *q, const struct search_result *r,
	const struct record_filter *known, struct arena *a, struct tier_hit **out, size_t *n,
	struct err *err)
{
	struct tier_query of = { .text = q->text, .len = q->len, .limit = FOUND, .filter = *known };
	struct fact_question asked;
	struct scope all = *who;
	double least = conf_real("likely") / 2;
	size_t found;
	bool any;

	*n = 0;
	if (records_given(s->store, who, &any, err) < 0)
		return -1;
	if (!any)
		return 0;
	if (q->scope != SEARCH_SESSION)
		all.session = NULL;
	if (facts_search_run(t, &all, TIER_STORED, &of, a, out, &found, err) < 0)
		return -1;
	for (size_t i = 0; i < r->n; i++)
		if (!isnan(r->hits[i].p))
			least = MAX(least, (double)r->hits[i].p);
	least = MIN(least, STORED_SURE);
	/* a model that cannot read the question's script finds all that is in it near */
	judge_all(s, *out, found, r->dense && facts_search_dense(t), a);
	fact_question_read(&asked, q->text, q->len, clock_now_us());
	fact_rank_not_yet(&asked, *out, found);
	for (size_t i = 0; i < found; i++)
		if ((*out)[i].p >= MAX(least, q->min_score) &&
		    !repeats(&(*out)[i].record->head, r) &&
		    !joins_names(&(*out)[i].record->head) &&
		    !is_of_another(&s->question, &asked, (*out)[i].record, a))
			(*out)[(*n)++] = (*out)[i];
	if (*n > 0)
		qsort(*out, *n, sizeof(**out), best_first);
	*n = MIN(*n, STORED_MOST);
	return 0;
}
