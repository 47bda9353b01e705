/*
 * skills.c: a routine is a deed and those that stand near it, within NEAR deeds, in more sessions
 * than by chance: a binomial tail, with how common each is. A step may be left out now and then,
 * and others may stand between.
 */
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/conf.h"
#include "base/order.h"
#include "math/real.h"
#include "work/skills_parts.h"

#define NEAR        5              /* deeds between two of a routine, at most */
#define CHANCE      .05            /* that it would be near in as many, at most */
#define AGAIN       3              /* deeds within which a failed one is done again */
#define STEPS_LEAST 3
#define NAME_BYTES  48
#define NONE        UINT32_MAX

/* What deeds are known by, by their keys; part: the token that it belongs to. */
struct token { uint64_t key; uint32_t n_sessions, n, part, seen; };

/* One time that a routine was done, or tried: deeds [from, to). */
struct time_done { size_t from, to, n_steps; bool worked; int64_t us; };

struct mine {
	struct arena *arena;
	struct deed *deeds;                /* [n] */
	struct token *tokens;              /* [n_tokens], by key */
	uint32_t *near;                    /* [n_tokens]: in how many sessions */
	struct time_done *times;           /* [n_times], of one routine */
	size_t n, n_tokens, n_times, cap_times;
	uint32_t stamp;                    /* of token.seen */
};

/* ---- what deeds are compared by ---- */

struct known { uint64_t key; uint32_t session; };

ORDER_BY_TWO(by_known, struct known, key, session)

static struct token *
token_of(const struct mine *m, uint64_t key)
{
	return bsearch(&key, m->tokens, m->n_tokens, sizeof(*m->tokens), by_uint64);
}

/* Makes tokens of the keys [n], and counts the sessions that each is in. */
static void
count_tokens(struct mine *m, struct known *k, size_t n)
{
	free(m->tokens);
	m->tokens = xcalloc(n + 1, sizeof(*m->tokens));
	m->n_tokens = 0;
	if (n > 0)
		qsort(k, n, sizeof(*k), by_known);
	for (size_t i = 0; i < n; i++) {
		bool same = i > 0 && k[i].key == k[i - 1].key;

		if (!same)
			m->tokens[m->n_tokens++] = (struct token){ k[i].key, 0, 0, NONE, 0 };
		m->tokens[m->n_tokens - 1].n_sessions += !same || k[i].session != k[i - 1].session;
		m->tokens[m->n_tokens - 1].n++;
	}
}

/* Gives each deed the most special of its keys that two sessions have; others go. */
static void
choose_keys(struct mine *m)
{
	FREED struct known *k = xcalloc(DEED_KEYS * m->n + 1, sizeof(*k));
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < m->n; i++)
		for (unsigned j = 0; j < m->deeds[i].n_keys; j++)
			k[n++] = (struct known){ m->deeds[i].keys[j], m->deeds[i].session };
	count_tokens(m, k, n);
	for (size_t i = 0; i < m->n; i++) {
		struct deed *d = &m->deeds[i];
		unsigned j = 0;

		while (j < d->n_keys && token_of(m, d->keys[j])->n_sessions < 2)
			j++;
		if (j == d->n_keys)
			continue;
		d->keys[0] = d->keys[j];
		m->deeds[kept++] = *d;
	}
	m->n = kept;
}

static bool
is_same(const struct deed *a, const struct deed *b)
{
	return a->session == b->session && a->keys[0] == b->keys[0];
}

/* Takes out what failed and was done again at once, and what was done twice. */
static void
drop_repeats(struct mine *m)
{
	FREED struct known *k = xcalloc(m->n + 1, sizeof(*k));
	size_t kept = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct deed *d = &m->deeds[i];
		bool again = kept > 0 && is_same(&m->deeds[kept - 1], d) &&
		    m->deeds[kept - 1].failed == d->failed;

		for (size_t j = i + 1; d->failed && j < m->n && j <= i + AGAIN; j++)
			again |= is_same(d, &m->deeds[j]) && !m->deeds[j].failed;
		if (!again)
			m->deeds[kept++] = *d;
	}
	m->n = kept;
	for (size_t i = 0; i < kept; i++)
		k[i] = (struct known){ m->deeds[i].keys[0], m->deeds[i].session };
	count_tokens(m, k, kept);
	for (size_t i = 0; i < kept; i++)
		m->deeds[i].token = (uint32_t)(token_of(m, m->deeds[i].keys[0]) - m->tokens);
}

/* ---- what belongs together ---- */

/* How likely it is that at least k of n are so, when each is with this chance, 0 < chance < 1. */
static double
tail(uint32_t k, uint32_t n, double chance)
{
	const double is = real_log(chance), is_not = real_log(1 - chance);
	double sum = 0, ways = 0;              /* a logarithm: there are more than a double holds */

	for (uint32_t i = 0; i <= n; i++) {
		if (i >= k)
			sum += real_exp(ways + is * i + is_not * (n - i));
		ways += real_log((double)(n - i) / (i + 1));
	}
	return sum;
}

/* The chance that a deed stands near another. */
static double
chance(const struct mine *m, const struct token *t)
{
	return 1 - real_pow(1 - (double)t->n / (double)m->n, 2 * NEAR);
}

/* Counts the sessions in which each token is near t. */
static void
count_near(struct mine *m, uint32_t t)
{
	memset(m->near, 0, m->n_tokens * sizeof(*m->near));
	for (size_t i = 0; i < m->n; i++) {
		m->stamp += i == 0 || m->deeds[i].session != m->deeds[i - 1].session;
		for (size_t k = i > NEAR ? i - NEAR : 0; m->deeds[i].token == t && k < m->n &&
		    k <= i + NEAR; k++) {
			struct token *of = &m->tokens[m->deeds[k].token];

			if (m->deeds[k].session == m->deeds[i].session && of->seen != m->stamp) {
				of->seen = m->stamp;
				m->near[m->deeds[k].token]++;
			}
		}
	}
}

/* Gives those that belong to token t its number; how many, t among them. */
static size_t
gather(struct mine *m, uint32_t t)
{
	const uint32_t all = m->tokens[t].n_sessions;
	size_t n = 1;

	count_near(m, t);
	for (uint32_t u = 0; u < m->n_tokens; u++)
		if (u != t && m->tokens[u].part == NONE && m->near[u] >= 2 &&
		    tail(m->near[u], all, chance(m, &m->tokens[u])) < CHANCE) {
			m->tokens[u].part = t;
			n++;
		}
	m->tokens[t].part = t;
	return n;
}

/* ---- when a routine was done ---- */

/* How many different steps of the routine deeds [from, to) have; *worked: each did in the end. */
static size_t
n_steps_of(struct mine *m, uint32_t part, size_t from, size_t to, bool *worked)
{
	size_t n = 0;

	m->stamp++;
	*worked = true;
	for (size_t i = to; i-- > from; ) {
		struct token *t = &m->tokens[m->deeds[i].token];

		if (t->part != part || t->seen == m->stamp)
			continue;
		t->seen = m->stamp;
		*worked &= !m->deeds[i].failed;
		n++;
	}
	return n;
}

/* The next stretch of a routine's deeds at or behind `at` with few others between. */
static bool
next_stretch(const struct mine *m, uint32_t part, size_t at, size_t *from, size_t *to)
{
	while (at < m->n && m->tokens[m->deeds[at].token].part != part)
		at++;
	*from = at;
	*to = at + 1;
	for (size_t i = at + 1; i < m->n && i < *to + NEAR &&
	    m->deeds[i].session == m->deeds[at].session; i++)
		if (m->tokens[m->deeds[i].token].part == part)
			*to = i + 1;
	return at < m->n;
}

ORDER_BY_TWO(by_us, struct time_done, us, from)

/* Finds each session's fullest stretch that has half of the steps of a routine of so many. */
static void
find_times(struct mine *m, uint32_t part, size_t n_steps)
{
	m->n_times = 0;
	for (size_t at = 0, from, to; next_stretch(m, part, at, &from, &to); at = to) {
		bool worked, same = m->n_times > 0 &&
		    m->deeds[m->times[m->n_times - 1].from].session == m->deeds[from].session;
		size_t n = n_steps_of(m, part, from, to, &worked);
		struct time_done t = { from, to, n, worked && 3 * n >= 2 * n_steps,
			m->deeds[from].time_us };

		if (n < 2 || 2 * n < n_steps || (same && n <= m->times[m->n_times - 1].n_steps))
			continue;
		if (same)
			m->times[m->n_times - 1] = t;
		else
			*xpush(m->times, m->n_times, m->cap_times) = t;
	}
	if (m->n_times > 0)
		qsort(m->times, m->n_times, sizeof(*m->times), by_us);
}

/* ---- routines as they are handed out ---- */

/* Adds what is known of the times that worked, the newest first; whether it works still. */
static bool
add_times(const struct mine *m, struct skill *k)
{
	const size_t last = m->n_times;

	for (size_t i = last; i-- > 0; ) {
		const struct deed *d = &m->deeds[m->times[i].from];
		bool known = *d->asked == '\0';

		if (!m->times[i].worked)
			continue;
		k->time_us = k->n_worked++ == 0 ? m->times[i].us : k->time_us;
		if (k->n_sources < SKILL_TOLD)
			k->sources[k->n_sources++] = d->id;
		for (size_t j = 0; j < k->n_asked; j++)
			known |= strcmp(k->asked[j], d->asked) == 0;
		if (!known && k->n_asked < SKILL_TOLD)
			k->asked[k->n_asked++] = d->asked;
	}
	k->n_tried = (int64_t)last;
	return k->n_worked >= SKILL_TIMES &&
	    (m->times[last - 1].worked || m->times[last - 2].worked);
}

/* The steps of the newest of those times that have most of them, each once. */
static void
add_steps(struct mine *m, uint32_t part, struct skill *k)
{
	const struct time_done *best = NULL;

	for (size_t i = 0; i < m->n_times; i++)
		if (m->times[i].worked && (best == NULL || m->times[i].n_steps >= best->n_steps))
			best = &m->times[i];
	LOCAL(buf) name = buf_of(conf_caps.output_bytes);
	m->stamp++;
	for (size_t i = best->from; i < best->to && k->n_steps < SKILL_STEPS; i++) {
		const struct deed *d = &m->deeds[i];
		struct token *t = &m->tokens[d->token];

		if (t->part != part || t->seen == m->stamp || d->failed)
			continue;
		t->seen = m->stamp;
		k->steps[k->n_steps++] = d->text;
		if (*d->name != '\0' && name.len + strlen(d->name) < NAME_BYTES)
			buf_addf(&name, "%s%s", name.len > 0 ? "-" : "", d->name);
	}
	for (size_t i = 0; i < name.len; i++)  /* as hosts take it */
		name.data[i] = ascii_is_alnum(name.data[i]) ? ascii_lower(name.data[i]) : '-';
	k->name = name.len > 0 ? arena_strdup(m->arena, name.data) : "edits";
}

ORDER_DOWN_TEXT(by_worked, struct skill, n_worked, name)

/* Finds the routine of token t, unless another one has its deeds. */
static bool
read_routine(struct mine *m, uint32_t t, struct skill *k)
{
	*k = (struct skill){ .n_steps = 0 };
	if (m->tokens[t].n_sessions < SKILL_TIMES || m->tokens[t].part != NONE)
		return false;
	size_t n_steps = gather(m, t);
	if (n_steps < STEPS_LEAST) {
		for (uint32_t u = 0; u < m->n_tokens; u++)
			if (m->tokens[u].part == t)
				m->tokens[u].part = NONE;
		return false;
	}
	find_times(m, t, n_steps);
	if (!add_times(m, k))
		return false;
	add_steps(m, t, k);
	return true;
}

int
skills_find(struct store *s, const struct scope *who, struct arena *a, struct skill **out,
	size_t *n, struct err *err)
{
	struct mine m = { .arena = a };
	int rc = deeds_read(s, who, a, &m.deeds, &m.n, err);
	uint64_t *order;               /* [n_tokens], the rarest first: what is common is in none */

	choose_keys(&m);
	drop_repeats(&m);
	m.near = xcalloc(m.n_tokens + 1, sizeof(*m.near));
	*out = arena_alloc(a, (m.n_tokens / STEPS_LEAST + 1) * sizeof(**out));
	*n = 0;
	order = xcalloc(m.n_tokens + 1, sizeof(*order));
	for (uint32_t t = 0; t < m.n_tokens; t++)
		order[t] = (uint64_t)m.tokens[t].n << 32 | t;
	qsort(order, m.n_tokens, sizeof(*order), by_uint64);
	for (size_t i = 0; i < m.n_tokens; i++)
		*n += read_routine(&m, (uint32_t)order[i], *out + *n);
	if (*n > 0)
		qsort(*out, *n, sizeof(**out), by_worked);
	free(m.deeds);
	free(order);
	free(m.tokens);
	free(m.near);
	free(m.times);
	return rc;
}
