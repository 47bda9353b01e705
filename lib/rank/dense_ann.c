/*
 * dense_ann.c: the known cosines of a large memory. Those that a search reads at once are in a list
 * in the order of turns, found by counting bits; a few thousand that are looked up later are in a
 * hash table:
 *
 *	known   one bit a turn                      first  one bit a turn that is in the list
 *	list    turn | cosine | slot, [first bits]  rank   for each 64 turns: how many are in
 *	                                                   the list before them
 *
 * A sample gives mean and deviation of turns and windows. The best window of a session is computed
 * where one of its turns is known. For another session it is estimated: the maximum to be expected
 * of as many windows of the sample.
 */
#include "rank/dense_ann.h"

#include <math.h>

#include "base/alloc.h"
#include "base/hash.h"

#define LEAST_TABLE 4096
/*
 * The histogram of windows has STEPS steps and spans REACH standard deviations, half of them below
 * the mean.
 */
#define STEPS       512
#define REACH       8.0f
#define LEAST_LINE  16                 /* fewer points give no slope */
#define NO_TURN     UINT32_MAX

struct known { uint32_t turn; float cosine; uint32_t slot; };

struct dense_ann {
	uint64_t *known, *first;           /* one bit a turn */
	size_t n_words;
	/* NULL: the list is still being filled, in no order, with repeated turns */
	uint32_t *rank;
	struct known *list;
	size_t n, cap;
	struct known *table;               /* open addressing; at least half of it is empty */
	uint32_t mask, n_late;
	uint64_t *marked;                  /* one bit a turn, those above mark; NULL: not wanted */
	float mark;
	double sum[2], squares[2];         /* of the sample's turns [0] and windows [1] */
	uint32_t n_sampled[2];
	float *windows;                    /* [n_sampled[1]] cosines of the sample's windows */
	size_t cap_windows;
};

struct dense_ann *
dense_ann_new(uint32_t n_turns, const uint64_t **known)
{
	struct dense_ann *f = xcalloc(1, sizeof(*f));

	f->n_words = (size_t)n_turns / 64 + 1;
	*known = f->known = xbig(f->n_words * sizeof(*f->known));
	f->first = xbig(f->n_words * sizeof(*f->first));
	return f;
}

void
dense_ann_free(struct dense_ann *f)
{
	if (f == NULL)
		return;
	xbig_free(f->known, f->n_words * sizeof(*f->known));
	xbig_free(f->first, f->n_words * sizeof(*f->first));
	if (f->marked != NULL)
		xbig_free(f->marked, f->n_words * sizeof(*f->marked));
	free(f->rank);
	free(f->list);
	free(f->table);
	free(f->windows);
	free(f);
}

/* ---- one turn ---- */

static inline bool
has(const uint64_t *bits, uint32_t turn)
{
	return bits[turn / 64] >> turn % 64 & 1;
}

static inline struct known *
in_list(const struct dense_ann *f, uint32_t turn)
{
	uint64_t before = f->first[turn / 64] & (((uint64_t)1 << turn % 64) - 1);

	return &f->list[f->rank[turn / 64] + bits_count(before)];
}

/* Returns the turn's place in the table, or the empty place where it belongs. */
static struct known *
in_table(const struct dense_ann *f, uint32_t turn)
{
	uint32_t at = (uint32_t)hash64_mix(turn) & f->mask;

	while (f->table[at].turn != NO_TURN && f->table[at].turn != turn)
		at = (at + 1) & f->mask;
	return &f->table[at];
}

/* Returns NULL when the turn's cosine is unknown. */
static inline struct known *
find(const struct dense_ann *f, uint32_t turn)
{
	return has(f->first, turn) ? in_list(f, turn)
	    : has(f->known, turn)  ? in_table(f, turn)
				   : NULL;
}

static void
grow_table(struct dense_ann *f)
{
	FREED struct known *old = f->table;
	uint32_t size = old == NULL ? 0 : f->mask + 1, new_size = MAX(LEAST_TABLE, 4 * size);

	f->table = xreallocarray(NULL, new_size, sizeof(*f->table));
	f->mask = new_size - 1;
	for (uint32_t i = 0; i < new_size; i++)
		f->table[i].turn = NO_TURN;
	for (uint32_t i = 0; i < size; i++)
		if (old[i].turn != NO_TURN)
			*in_table(f, old[i].turn) = old[i];
}

/* Sorts the list by turns and keeps each turn once, with its best cosine. */
static void
sort_list(struct dense_ann *f)
{
	FREED struct known *from = f->list;
	uint32_t n = 0;

	f->rank = xreallocarray(NULL, f->n_words, sizeof(*f->rank));
	for (size_t i = 0; i < f->n_words; i++) {
		f->rank[i] = n;
		n += bits_count(f->first[i] = f->known[i]);
	}
	f->list = xreallocarray(NULL, n + 1u, sizeof(*f->list));
	for (uint32_t i = 0; i < n; i++)
		f->list[i].cosine = DENSE_FAR;
	for (size_t i = 0; i < f->n; i++) {
		struct known *k = in_list(f, from[i].turn);
		if (k->cosine < from[i].cosine)
			*k = (struct known){ from[i].turn, from[i].cosine, from[i].slot };
	}
	f->n = n;
}

float
dense_ann_cosine(const struct dense_ann *f, uint32_t turn)
{
	const struct known *k = find(f, turn);

	return k == NULL ? DENSE_FAR : k->cosine;
}

uint32_t
dense_ann_slot(const struct dense_ann *f, uint32_t turn)
{
	const struct known *k = find(f, turn);

	return k == NULL ? 0 : k->slot;
}

static inline void
mark_turn(struct dense_ann *f, const struct known *k)
{
	uint64_t bit = (uint64_t)1 << k->turn % 64, *word = f->marked + k->turn / 64;

	*word = k->cosine > f->mark ? *word | bit : *word & ~bit;
}

void
dense_ann_mark(struct dense *d, float above)
{
	struct dense_ann *f = d->few;

	if (f->rank == NULL)
		sort_list(f);
	if (f->marked == NULL)
		f->marked = xbig(f->n_words * sizeof(*f->marked));
	f->mark = above;
	for (size_t i = 0; i < f->n; i++)
		mark_turn(f, &f->list[i]);
	for (uint32_t i = 0; f->table != NULL && i <= f->mask; i++)
		if (f->table[i].turn != NO_TURN)
			mark_turn(f, &f->table[i]);
}

void
dense_ann_put(struct dense *d, uint32_t turn, float cosine, uint32_t slot)
{
	struct dense_ann *f = d->few;
	struct known *k;

	if (f->rank == NULL)
		sort_list(f);
	if ((k = find(f, turn)) == NULL) {
		if (f->table == NULL || 2 * ++f->n_late > f->mask)
			grow_table(f);
		f->known[turn / 64] |= (uint64_t)1 << turn % 64;
		k = in_table(f, turn);
		k->turn = turn;
	}
	k->cosine = cosine;
	k->slot = slot;
	if (f->marked != NULL)
		mark_turn(f, k);
}

void
dense_ann_set(struct dense *d, uint32_t turn, float cosine, uint32_t slot)
{
	struct dense_ann *f = d->few;
	const struct known *k;

	if (f->rank == NULL) {
		*xpush(f->list, f->n, f->cap) = (struct known){ turn, cosine, slot };
		f->known[turn / 64] |= (uint64_t)1 << turn % 64;
	} else if ((k = find(f, turn)) == NULL || k->cosine < cosine) {
		dense_ann_put(d, turn, cosine, slot);
	}
}

/* Returns the first turn from `turn` on whose bit is set; end when there is none before end. */
static inline uint32_t
next_of(const uint64_t *bits, uint32_t turn, uint32_t end)
{
	while (turn < end) {
		uint64_t rest = bits[turn / 64] >> turn % 64;
		if (rest != 0)
			return MIN(turn + (uint32_t)__builtin_ctzll(rest), end);
		turn = (turn / 64 + 1) * 64;
	}
	return end;
}

static inline uint32_t
next_known(const struct dense_ann *f, uint32_t turn, uint32_t end)
{
	return next_of(f->known, turn, end);
}

uint32_t
dense_ann_next(const struct dense_ann *f, uint32_t turn, uint32_t end, float above)
{
	if (f->marked != NULL && f->mark == above)
		return next_of(f->marked, turn, end);
	for (turn = next_known(f, turn, end); turn < end; turn = next_known(f, turn + 1, end))
		if (find(f, turn)->cosine > above)
			break;
	return turn;
}

/* ---- what all are like ---- */

static void
add_sample(struct dense_ann *f, int what, float v)
{
	f->sum[what] += (double)v;
	f->squares[what] += (double)v * (double)v;
	f->n_sampled[what]++;
}

uint32_t
dense_session_of(const struct corpus *c, uint32_t turn)
{
	uint32_t lo = 0, hi = c->n_sessions;

	while (lo + 1 < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (c->session_first[mid] <= turn)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

void
dense_ann_sample(struct dense *d, const uint32_t *turns, const float *cosines, size_t n)
{
	struct dense_ann *f = d->few;
	const uint32_t *first = d->corpus->session_first;
	uint32_t at[3];
	float c[3];
	size_t kept = 0;

	/*
	 * a turn's cosine is complete when the next turn begins, its window one turn later; the
	 * windows at either end are left out, as a neighbour may be missing
	 */
	for (size_t i = 0; i < n; i++) {
		if (kept > 0 && at[2] == turns[i]) {
			c[2] = MAX(c[2], cosines[i]);
			continue;
		}
		if (kept > 0)
			add_sample(f, 0, c[2]);
		if (kept > 2) {
			uint32_t s = dense_session_of(d->corpus, at[1]);
			bool before = at[1] > first[s], after = at[1] + 1 < first[s + 1];
			float w = dense_window_from(d, c[1],
			    before && at[0] + 1 == at[1] ? c[0] : DENSE_NONE,
			    after && at[2] == at[1] + 1 ? c[2] : DENSE_NONE);
			xgrow(&f->windows, &f->cap_windows, f->n_sampled[1] + 1u,
			    sizeof(*f->windows));
			f->windows[f->n_sampled[1]] = w;
			add_sample(f, 1, w);
		}
		memmove(at, at + 1, 2 * sizeof(*at));
		memmove(c, c + 1, 2 * sizeof(*c));
		at[2] = turns[i];
		c[2] = cosines[i];
		kept++;
	}
	if (kept > 0)
		add_sample(f, 0, c[2]);
}

/*
 * Computes the cumulative histogram of windows: count [STEPS] says how many windows are in each
 * step or above.
 */
static void
window_histogram(const struct dense *d, uint32_t *count)
{
	const struct dense_ann *f = d->few;

	memset(count, 0, STEPS * sizeof(*count));
	for (uint32_t i = 0; i < f->n_sampled[1]; i++) {
		float at =
		    ((f->windows[i] - d->windows.mean) / d->windows.sd + REACH / 2) / REACH * STEPS;
		count[at < 0 ? 0 : at < STEPS - 1 ? (int)at : STEPS - 1]++;
	}
	for (int i = STEPS - 1; i > 0; i--)
		count[i - 1] += count[i];
}

/* Estimates the best of n windows: the cosine that one in n exceeds. */
static float
expected_best(const struct dense *d, const uint32_t *count, uint32_t n)
{
	double above = (double)d->few->n_sampled[1] / ((double)n + .25) * .625;
	int lo = 0, hi = STEPS - 1;

	while (lo < hi) {
		int mid = lo + (hi - lo + 1) / 2;
		if ((double)count[mid] >= above)
			lo = mid;
		else
			hi = mid - 1;
	}
	return d->windows.mean + (((float)lo + .5f) / STEPS * REACH - REACH / 2) * d->windows.sd;
}

float
dense_ann_best(const struct dense *d, uint32_t session)
{
	uint32_t first = d->corpus->session_first[session],
		 end = d->corpus->session_first[session + 1];
	float best = DENSE_NONE;

	for (uint32_t turn = next_known(d->few, first, end); turn < end;
	     turn = next_known(d->few, turn + 1, end))
		if (find(d->few, turn)->cosine > DENSE_NONE)
			best = MAX(best, dense_window_of(d, turn, first, end));
	return best;
}

static void
measure_sessions(struct dense *d)
{
	double sum = 0, squares = 0;

	for (uint32_t s = 0; s < d->corpus->n_sessions; s++) {
		sum += (double)d->session[s];
		squares += (double)d->session[s] * (double)d->session[s];
	}
	dense_spread_of(&d->sessions, sum, squares, d->corpus->n_sessions);
}

/*
 * Computes the best window of each session from the list alone. Neighbours in the list are
 * neighbours in memory where their turns are consecutive; an unknown one counts with the mean.
 */
static void
best_windows(struct dense *d)
{
	const uint32_t *first = d->corpus->session_first;
	const struct dense_ann *f = d->few;
	float mean = d->turns.mean;
	size_t i = 0;

	for (uint32_t s = 0; s < d->corpus->n_sessions; s++) {
		uint32_t end = first[s + 1];
		d->session[s] = DENSE_NONE;
		for (; i < f->n && f->list[i].turn < end; i++) {
			uint32_t turn = f->list[i].turn;
			float before = turn == first[s]		       ? DENSE_NONE
			    : i > 0 && f->list[i - 1].turn + 1 == turn ? f->list[i - 1].cosine
								       : mean;
			float after = turn + 1 == end ? DENSE_NONE
			    : i + 1 < f->n && f->list[i + 1].turn == turn + 1
			    ? f->list[i + 1].cosine
			    : mean;
			d->session[s] = MAX(d->session[s],
			    dense_window_from(d, f->list[i].cosine, before, after));
		}
	}
}

void
dense_ann_measure(struct dense *d)
{
	const uint32_t *first = d->corpus->session_first;
	struct dense_ann *f = d->few;
	uint32_t count[STEPS];

	if (f->rank == NULL)
		sort_list(f);
	d->n_known = (uint32_t)f->n;
	dense_spread_of(&d->turns, f->sum[0], f->squares[0], f->n_sampled[0]);
	dense_spread_of(&d->windows, f->sum[1], f->squares[1], f->n_sampled[1]);
	window_histogram(d, count);
	best_windows(d);
	for (uint32_t s = 0; s < d->corpus->n_sessions; s++)
		if (d->session[s] == DENSE_NONE)
			d->session[s] = f->n_sampled[1] > 0
			    ? expected_best(d, count, first[s + 1] - first[s])
			    : d->windows.mean;
	measure_sessions(d);
}

size_t
dense_ann_nearest(const struct dense *d, uint32_t session, size_t k, uint32_t *slots)
{
	uint32_t end = d->corpus->session_first[session + 1];
	float cosines[DENSE_NEAREST];
	size_t n = 0;

	for (uint32_t turn = next_known(d->few, d->corpus->session_first[session], end); turn < end;
	     turn = next_known(d->few, turn + 1, end)) {
		const struct known *at = find(d->few, turn);
		size_t i;

		if (n == k && at->cosine <= cosines[k - 1])
			continue;
		n = MIN(n + 1, k);
		for (i = n - 1; i > 0 && cosines[i - 1] < at->cosine; i--) {
			cosines[i] = cosines[i - 1];
			slots[i] = slots[i - 1];
		}
		cosines[i] = at->cosine;
		slots[i] = at->slot;
	}
	return n;
}

/*
 * Fits a line by least squares through the points (estimated, exact), moves all estimates by it,
 * and adds the residual variance to the deviation.
 */
void
dense_ann_correct(struct dense *d, const uint32_t *sessions, const float *best, size_t n)
{
	double x = 0, y = 0, xx = 0, xy = 0, rest = 0, slope, from;

	for (size_t i = 0; i < n; i++) {
		x += (double)d->session[sessions[i]] / (double)n;
		y += (double)best[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		double dx = (double)d->session[sessions[i]] - x;
		xx += dx * dx;
		xy += dx * ((double)best[i] - y);
	}
	if (n == 0)
		return;
	slope = n >= LEAST_LINE && xx > 0 ? MAX(0.0, MIN(xy / xx, 2.0)) : 1;
	from = y - slope * x;
	for (size_t i = 0; i < n; i++) {
		double off = (double)best[i] - from - slope * (double)d->session[sessions[i]];
		rest += off * off / (double)n;
	}
	for (uint32_t s = 0; s < d->corpus->n_sessions; s++)
		d->session[s] = (float)(from + slope * (double)d->session[s]);
	measure_sessions(d);
	for (size_t i = 0; i < n; i++)
		d->session[sessions[i]] = best[i];
	d->sessions.sd = (float)sqrt((double)d->sessions.sd * (double)d->sessions.sd + rest);
}
