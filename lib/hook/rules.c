/*
 * rules.c: what a person says is looked for by the words of the change, then each of these turns is
 * read, the newest first. Only a user's own words make a rule, and only one of which nothing that
 * was said later leaves a doubt.
 */
#include "hook/rules.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/conf.h"
#include "search/mention.h"
#include "statement/speech.h"
#include "store/records.h"
#include "time/timewords.h"
#include "work/against.h"

#define TIMES        4             /* words of time in a sentence */
#define TURN_WORDS   250           /* of a longer turn the rules are not its user's */

struct rules {
	struct store *store;
	const struct recall_want *want;
	struct recalled *r;
	struct index *index;
	const struct against_change *change;
	const struct message **of;         /* [n] what the user said and stored */
	size_t n;
};

/* A record as what its user said. */
static const struct message *
message_of(struct rules *g, const struct record_head *h)
{
	struct message *m = arena_zalloc(&g->r->arena, sizeof(*m));

	*m = (struct message){ .session = h->session, .role = ROLE_USER, .name = "",
		.content = h->content, .content_len = h->content_len, .time_us = h->time_us,
		.trust = h->trust };
	memcpy(m->id, h->id, sizeof(m->id));
	return m;
}

/* Adds what the user stored on purpose, for this project or for all, of one type. */
static int
find_records(struct rules *g, enum record_type type, const struct buf *text, struct err *err)
{
	struct record_filter filter = RECORD_FILTER_ANY(type);
	const struct scope who = { g->want->who.user, g->want->who.agent, NULL, NULL };
	struct record_match found[RULES_RECORDS];
	const struct fact *f = NULL;
	size_t n = 0;
	int rc;

	filter.made = MADE_GIVEN;
	filter.as_of_us = clock_now_us();
	rc = records_match(g->store, &who, &filter, text->data, text->len, RULES_RECORDS, found,
	    &n, err);
	for (size_t i = 0; i < n && rc == 0; i++) {
		rc = records_by_row(g->store, &who, found[i].row, TIME_NONE, &g->r->arena, &f, err);
		if (rc == 0 && f != NULL && f->head.origin == ORIGIN_USER &&
		    (*f->head.project == '\0' ||
		     strcmp(f->head.project, g->want->who.project) == 0))
			g->of[g->n++] = message_of(g, &f->head);
	}
	return rc;
}

static int
find_stored(struct rules *g, const struct index_word *words, size_t n, struct err *err)
{
	const struct scope who = { g->want->who.user, g->want->who.agent, NULL, NULL };
	struct buf text;
	bool any;
	int rc = records_given(g->store, &who, &any, err);

	if (rc != 0 || !any)
		return rc;
	buf_init(&text, conf_caps.output_bytes);
	for (size_t i = 0; i < n; i++)
		buf_addf(&text, "%.*s ", (int)words[i].len, words[i].text);
	rc = find_records(g, RECORD_FACT, &text, err);
	if (rc == 0)
		rc = find_records(g, RECORD_REFLECTION, &text, err);
	buf_release(&text);
	return rc;
}

static int
newest_first(const void *x, const void *y)
{
	const struct message *const *p = x, *const *q = y;
	const struct message *a = *p, *b = *q;

	if (a->time_us != b->time_us)
		return a->time_us < b->time_us ? 1 : -1;
	return (a->row < b->row) - (a->row > b->row);
}

/* Whether what a user said later leaves what the change goes against in doubt. */
static bool
doubts(const struct rules *g, const struct against_things *things, const struct message *later)
{
	struct against_said ignored;
	return against_names(things, later->content, later->content_len) &&
	    against(g->change, later->content, later->content_len, &ignored) != AGAINST_GOES;
}

/* Whether the turn itself takes the sentence back: "we use pnpm. no wait, npm". */
static bool
doubts_itself(const struct rules *g, const struct against_things *things, const struct message *m,
	const struct against_said *said)
{
	size_t at = said->start + said->len;
	struct message rest = *m;

	while (at < m->content_len && ascii_is_space(m->content[at]))
		at++;
	rest.content += at;
	rest.content_len -= at;
	return against_swerves(things, m->content, said) || doubts(g, things, &rest) ||
	    speech_takes_back(rest.content, rest.content_len);
}

/*
 * Whether anything that the user said behind m names what it is about without saying it again. No
 * list of words knows how people take a rule back, so in doubt it holds no more. *in_doubt.
 */
static int
look_later(struct rules *g, size_t at, const struct against_said *said, bool *in_doubt,
	struct err *err)
{
	const struct message *m = g->of[at], *next, *later[RULES_LATER];
	const struct against_things *things = against_things(g->change, m->content, said,
	    &g->r->arena);
	struct mention_want want = { .store = g->store, .index = &g->index,
		.who = g->want->who, .own = true, .anywhere = true, .after = m,
		.most = RULES_LATER };
	size_t n;

	want.words = against_things_terms(things, &want.n);
	*in_doubt = doubts_itself(g, things, m, said);
	for (size_t i = 0; i < at && !*in_doubt; i++)
		*in_doubt = doubts(g, things, g->of[i]);
	if (*in_doubt)
		return 0;
	if (mention_next(g->store, &g->want->who, m, &g->r->arena, &next, err) != 0 ||
	    mentions_find(&want, &g->r->arena, later, &n, in_doubt, err) != 0)
		return -1;
	*in_doubt |= next != NULL;
	for (size_t i = 0; i < n && !*in_doubt; i++)
		*in_doubt = doubts(g, things, later[i]);
	return 0;
}

static void
tell_it(struct rules *g, const struct message *m, const struct against_said *said)
{
	struct message *told = arena_zalloc(&g->r->arena, sizeof(*told));

	*told = *m;
	told->name = "decided by the user";
	told->content = arena_printf(&g->r->arena, "%.*s [%.26s]", (int)said->len,
	    m->content + said->start, m->id);
	told->content_len = strlen(told->content);
	if (!hook_given_has(g->want->given, g->want->session, told))
		context_add(&g->r->block,
		    &(struct context_piece){ told, 0, told->content_len, false, false },
		    UINT64_MAX);
	g->r->why = g->r->block.n > 0 ? "it goes against what was decided" : "it was told before";
}

/* Whether the sentence says until when it holds, "for today", "until Friday", and that is over. */
static bool
is_over(const struct message *m, const struct against_said *said)
{
	const char *text = m->content + said->start;
	struct time_span spans[TIMES];
	struct time_range in;
	int64_t at = m->time_us == TIME_NONE ? clock_now_us() : m->time_us, end;
	size_t n = timewords_find(text, said->len, at, spans, TIMES);

	for (size_t i = 0; i < n; i++) {
		if (timewords_ranges(text, said->len, &spans[i], 1, at, &in) != 1)
			continue;
		/* "until Friday" is until the next one */
		end = in.from_us == TIME_NONE && in.to_us <= at ? in.to_us + 7 * US_PER_DAY
								: in.to_us;
		if ((in.from_us == TIME_NONE || in.from_us <= at) && end > at &&
		    end <= clock_now_us())
			return true;
	}
	return false;
}

/* Finds what the user said and stored, the newest first. */
static int
find_all(struct rules *g, const struct index_word *words, size_t n, struct err *err)
{
	const struct mention_want want = { .store = g->store, .index = &g->index,
		.who = g->want->who, .words = words, .n = n, .words_most = TURN_WORDS,
		.own = true, .most = RULES_TURNS };

	g->of = arena_alloc(&g->r->arena, RULES_MOST * sizeof(*g->of));
	if (mentions_find(&want, &g->r->arena, g->of, &g->n, NULL, err) != 0 ||
	    find_stored(g, words, n, err) != 0)
		return -1;
	if (g->n > 0)
		qsort(g->of, g->n, sizeof(*g->of), newest_first);
	return 0;
}

/* Tells the newest sentence that the change goes against, where nothing leaves it in doubt. */
static int
look(struct rules *g, struct err *err)
{
	bool in_doubt = false;

	for (size_t i = 0; i < g->n && !in_doubt; i++) {
		const struct message *m = g->of[i];
		struct against_said at;

		if (against(g->change, m->content, m->content_len, &at) != AGAINST_GOES ||
		    is_over(m, &at))
			continue;
		if (look_later(g, i, &at, &in_doubt, err) != 0)
			return -1;
		/* the session knows what was said in it */
		if (in_doubt || recall_is_running(g->want, m->session))
			continue;
		tell_it(g, m, &at);
		break;
	}
	return 0;
}

int
rules_call(struct store *s, const struct recall_want *want, const struct hook_call *said,
	struct recalled *r, struct err *err)
{
	struct rules g = { .store = s, .want = want, .r = r };
	const struct index_word *terms;
	size_t n;
	int rc = 0;

	g.change = against_read(&said->change, want->who.project, &r->arena);
	terms = against_terms(g.change, RULES_TERMS, &r->arena, &n);
	if (n > 0 && (rc = find_all(&g, terms, n, err)) == 0)
		rc = look(&g, err);
	index_free(g.index);
	return rc;
}
