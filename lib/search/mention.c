/* mention.c: turns are weighed by what their words tell; their cards say when and where. */
#include "search/mention.h"

#include "base/alloc.h"
#include "base/me.h"
#include "base/order.h"
#include "math/real.h"
#include "math/topk.h"
#include "statement/speech.h"
#include "store/index.h"

#define FEW          100.0f        /* turns, of which each word is held to be rare */
#define NEWER        1e-3f         /* of turns that weigh the same, the newer */
#define COMMON       20            /* a word that more turns, and one in so many, have is common */
#define STEP         160           /* turns that are looked at together */
#define NEXT         6             /* turns behind one among which the user's next is */
#define ANY          -1            /* project */
#define SPEAKERS     1000          /* whose names are read */

struct mentioned {
	struct index *x;
	const struct mention_want *want;
	struct posting_list list;              /* of one word after another */
	size_t *ends;                          /* [want->n] where each word's end */
	float *weights;                        /* of turns */
	struct topk best;
	int64_t project;                       /* of which turns are kept; ANY: all */
	int64_t home;                          /* of which others' turns are; 0: of none */
	uint32_t from, to;                     /* turns of the session of want->after */
	bool others[SPEAKERS];                 /* by their numbers: they are not the owner */
};

static size_t
begin_of(const struct mentioned *v, size_t word)
{
	return word > 0 ? v->ends[word - 1] : 0;
}

static int
read_lists(struct mentioned *v, struct err *err)
{
	for (size_t i = 0; i < v->want->n; i++) {
		if (index_list(v->x, v->want->words[i].text, v->want->words[i].len, &v->list,
		    err) < 0)
			return -1;
		v->ends[i] = v->list.n;
	}
	return 0;
}

/* Whether few enough of the others are rarer, and the word is not everywhere. */
static bool
is_rare(const struct mentioned *v, size_t word)
{
	size_t n = v->ends[word] - begin_of(v, word), rarer = 0;

	if (v->want->rarest == 0)
		return true;
	for (size_t i = 0; i < v->want->n; i++) {
		size_t other = v->ends[i] - begin_of(v, i);

		/* one that only the turn itself has tells nothing of others */
		rarer += other > 1 && (other < n || (other == n && i < word));
	}
	return rarer < v->want->rarest && (n <= COMMON || n < index_corpus(v->x)->n / COMMON);
}

/* Weighs each turn of a user by the words that it has. */
static void
weigh(struct mentioned *v)
{
	const struct corpus *c = index_corpus(v->x);
	float n = MAX((float)c->n, FEW);

	for (size_t i = 0; i < v->want->n; i++) {
		size_t at = begin_of(v, i);
		float rarity = real_logf(1 + n / (float)(v->ends[i] - at + 1)) /
		    real_logf(1 + n / 2);

		if (v->want->rarity != NULL)
			v->want->rarity[i] = rarity;
		for (bool rare = is_rare(v, i); rare && at < v->ends[i]; at++) {
			uint32_t turn = v->list.items[at].doc;

			if (corpus_role(c, turn) == CORPUS_USER && (v->want->words_most == 0 ||
			    corpus_words(c, turn) <= v->want->words_most))
				v->weights[turn] += rarity * rarity;
		}
	}
	for (size_t i = 0; i < v->list.n; i++) {
		uint32_t turn = v->list.items[i].doc;

		if (v->weights[turn] > 0)
			topk_add(&v->best, v->weights[turn] + NEWER * (float)turn / (float)c->n,
			    turn);
		v->weights[turn] = 0;
	}
}

/* Compares places of the best by their turns. */
ORDER_BY(by_turn, struct topk_item, id)

/* Notes who is not the owner, so that what others said takes no room from what he did. */
static int
read_others(struct mentioned *v, struct arena *a, struct err *err)
{
	struct index_speaker *all;
	size_t n = 0;

	if ((v->want->own || v->want->anywhere) &&
	    index_labels(v->x, 's', SPEAKERS, a, &all, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (all[i].no < SPEAKERS)
			v->others[all[i].no] = !me_speaks(all[i].name);
	return 0;
}

/*
 * Reads where others than the owner are heard: in the project, and in the session of what their
 * turns have to be behind. What they say in another chat is of a matter of its own.
 */
static int
read_home(struct mentioned *v, struct err *err)
{
	const struct message *after = v->want->after;
	const char *project = after != NULL && after->project != NULL ? after->project : "";

	v->home = v->project == ANY ? 0 : v->project;
	if (after == NULL || v->want->own)
		return 0;
	if (v->project == ANY && *project != '\0' &&
	    index_label(v->x, 'p', project, &v->home, err) < 0)
		return -1;
	return index_session(v->x, after->session, &v->from, &v->to, err);
}

/* Whether a turn was said behind what it has to be, where and by whom it has to be. */
static bool
is_wanted(const struct mentioned *v, uint32_t turn, const struct card *c)
{
	const struct mention_want *w = v->want;
	bool in_project = v->project == ANY || c->project == v->project,
	     at_home = (v->home != 0 && c->project == v->home) || (turn >= v->from && turn < v->to);

	if (w->after != NULL && w->after->time_us != TIME_NONE && c->time_us != TIME_NONE &&
	    c->time_us < w->after->time_us)
		return false;
	return (in_project || (w->anywhere && c->project == 0)) &&
	    ((at_home && !w->own) || c->speaker >= SPEAKERS || !v->others[c->speaker]);
}

/*
 * Keeps those of the best turns that are wanted, as others may have the same words. Their cards are
 * read a step at a time.
 */
static int
keep_wanted(struct mentioned *v, struct topk *kept, struct err *err)
{
	struct card cards[STEP];
	uint32_t turns[STEP];

	topk_sort(&v->best);
	for (size_t at = 0, n; at < v->best.n && kept->n < v->want->most; at += n) {
		struct topk_item *of = v->best.items + at;

		n = MIN(v->best.n - at, (size_t)STEP);
		qsort(of, n, sizeof(*of), by_turn);
		for (size_t i = 0; i < n; i++)
			turns[i] = (uint32_t)of[i].id;
		if (index_cards(v->x, turns, n, cards, err) < 0)
			return -1;
		for (size_t i = 0; i < n; i++)
			if (is_wanted(v, turns[i], &cards[i]))
				topk_add(kept, of[i].score, of[i].id);
	}
	return 0;
}

bool
mention_is_later(const struct message *a, const struct message *b)
{
	if (a->row > 0 && b->row > 0 &&
	    (a->time_us == b->time_us || strcmp(a->session, b->session) == 0))
		return a->row < b->row;
	return a->time_us == TIME_NONE || b->time_us == TIME_NONE || a->time_us <= b->time_us;
}

/* What is behind what it has to be behind stays, and of whom it has to be. */
static size_t
keep_later(const struct mention_want *want, const struct message **of, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (of[i] != NULL && (!want->own || me_speaks(of[i]->name)) &&
		    (want->after == NULL || mention_is_later(want->after, of[i])))
			of[kept++] = of[i];
	return kept;
}

int
mentions_find(const struct mention_want *want, struct arena *a, const struct message **out,
	size_t *n, bool *more, struct err *err)
{
	const char *project = want->who.project;
	const struct scope all = { want->who.user, want->who.agent, NULL, NULL };
	struct mentioned v = { .want = want, .project = ANY,
		.ends = arena_alloc(a, (want->n + 1) * sizeof(*v.ends)) };
	LOCAL(topk) kept = { 0 };
	int64_t *rows = arena_alloc(a, want->most * sizeof(*rows));
	int rc = index_enter(want->store, &all, want->index, err);

	*n = 0;
	v.x = *want->index;
	topk_init(&v.best, MENTION_LOOKED);
	topk_init(&kept, want->most);
	if (rc == 0 && project != NULL && *project != '\0')
		rc = index_label(v.x, 'p', project, &v.project, err);
	if (rc == 0 && (v.project != 0 || want->anywhere) &&
	    (rc = index_load(v.x, want->words, want->n, err)) == 0 &&
	    (rc = read_home(&v, err)) == 0 && (rc = read_others(&v, a, err)) == 0 &&
	    (rc = read_lists(&v, err)) == 0) {
		v.weights = xcalloc(index_corpus(v.x)->n + 1u, sizeof(*v.weights));
		weigh(&v);
		rc = keep_wanted(&v, &kept, err);
	}
	topk_sort(&kept);
	for (size_t i = 0; i < kept.n; i++)
		rows[i] = corpus_row(index_corpus(v.x), (uint32_t)kept.items[i].id);
	/* within the snapshot, so that the lock is taken once */
	if (rc == 0 && kept.n > 0)
		rc = messages_by_rows(want->store, &all, rows, kept.n, a, out, err);
	if (rc == 0)
		*n = keep_later(want, out, kept.n);
	if (more != NULL)
		*more = kept.n == want->most || v.best.n == MENTION_LOOKED;
	topk_release(&v.best);
	free(v.weights);
	posting_list_release(&v.list);
	index_end(v.x);
	return rc;
}

int
mention_next(struct store *s, const struct scope *who, const struct message *m,
	struct arena *a, const struct message **out, struct err *err)
{
	const struct message *next[NEXT];
	int64_t rows[NEXT];

	*out = NULL;
	for (size_t i = 0; i < NEXT; i++)
		rows[i] = m->row + 1 + (int64_t)i;
	if (m->row <= 0)
		return 0;
	if (messages_by_rows(s, who, rows, NEXT, a, next, err) != 0)
		return -1;
	for (size_t i = 0; i < NEXT && next[i] != NULL; i++)
		if (next[i]->role == ROLE_USER && strcmp(next[i]->session, m->session) == 0) {
			if (speech_takes_back(next[i]->content, next[i]->content_len))
				*out = next[i];
			break;
		}
	return 0;
}
