/*
 * page_read.c: reads what the page shows. Days and people come from the cards of turns, which are
 * 32 bytes each, so no turn is read; agents, projects and the list from the rows of sessions;
 * recalls from the metric rows and from the log of mem-hook.
 */
#include "report/page.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/order.h"
#include "hook/hook_log.h"
#include "json/json.h"
#include "records/people.h"
#include "records/title.h"
#include "store/categories.h"
#include "store/guard.h"
#include "store/index.h"

#define BLOCK_TURNS    4096
#define SPEAKERS       65536
#define HOOK_LINES     100000      /* the log is far shorter */
#define SESSION_SHIFT  20          /* in the row of a message its turn is below */

/* ---- figures ---- */

static int
add_line(void *arg, const struct stats_line *v)
{
	struct page *p = arg;

	for (size_t i = 0; i < p->n_lines; i++)
		if (strcmp(p->lines[i].name, v->name) == 0)
			return 0;              /* those of the memory and of the report overlap */
	*xpush(p->lines, p->n_lines, p->cap_lines) =
	    (struct stats_line){ arena_strdup(&p->arena, v->name),
		v->value, v->time_us, arena_strdup(&p->arena, v->unit) };
	return 0;
}

double
page_figure(const struct page *p, const char *name)
{
	for (size_t i = 0; i < p->n_lines; i++)
		if (strcmp(p->lines[i].name, name) == 0)
			return p->lines[i].value;
	return 0;
}

int
page_row(const struct shares *t, const char *name)
{
	for (size_t i = 0; i < MIN(t->n, (size_t)PAGE_NAMES); i++)
		if (strcmp(t->rows[i].name, name) == 0)
			return (int)i;
	return -1;
}

/* ---- days of searches and calls ---- */

/* The day of the person's zone. */
static int64_t
day_of(int64_t time_us)
{
	return time_midnight(time_to_local(time_us)) / US_PER_DAY;
}

/* Finds or adds a day. Rows come in order of time, but from several sources. */
static struct page_day *
find_day(struct page *p, int64_t day)
{
	size_t at = p->n_days;

	while (at > 0 && p->days[at - 1].day >= day)
		if (p->days[--at].day == day)
			return &p->days[at];
	xgrow(&p->days, &p->cap_days, p->n_days + 1, sizeof(*p->days));
	memmove(p->days + at + 1, p->days + at, (p->n_days - at) * sizeof(*p->days));
	p->n_days++;
	p->days[at] = (struct page_day){ .day = day };
	return &p->days[at];
}

static void
add_recall(struct page *p, int64_t time_us, int64_t tokens)
{
	struct page_day *d = find_day(p, day_of(time_us));

	d->recalls++;
	d->tokens += tokens;
	p->n_recalls++;
	p->recall_tokens += tokens;
}

static int
add_metric(void *arg, const struct metric *m)
{
	struct page *p = arg;
	const char *tokens = strstr(m->flags, "tokens=");

	if (strcmp(m->path, METRIC_JOB) == 0)
		return 0;
	if (tokens != NULL)
		add_recall(p, m->time_us, MAX(strtoll(tokens + 7, NULL, 10), 0));
	find_day(p, day_of(m->time_us))->searches++;
	return 0;
}

static int
add_calls(void *arg, const struct ledger_row *r)
{
	find_day(arg, r->day)->calls += r->n_calls;
	return 0;
}

/* ---- what hooks told ---- */

struct hook_walk { struct page *page; int64_t since_us; struct arena arena; };

static void
keep_told(struct page *p, const struct json *v, int64_t time_us, int64_t tokens)
{
	const struct json *given = json_get(v, "given");
	const char *id;
	struct page_told t = { .time_us = time_us, .tokens = tokens };

	if (given == NULL || given->kind != JSON_ARRAY)
		return;
	t.ids = arena_alloc(&p->arena, given->len * sizeof(*t.ids));
	for (size_t i = 0; i < given->len; i++)
		if ((id = json_get_string(&given->u.items[i], "id", NULL)) != NULL)
			t.ids[t.n++] = arena_strdup(&p->arena, id);
	t.host = arena_strdup(&p->arena, json_text(v, "host"));
	t.project = arena_strdup(&p->arena, json_text(v, "project"));
	*xpush(p->told, p->n_told, p->cap_told) = t;
}

static int
add_hook(void *arg, const char *line, size_t len, struct err *err)
{
	struct hook_walk *w = arg;
	const struct json *v;
	const char *time;
	double tokens;
	int64_t us, end_us;
	size_t n;

	(void)err;
	arena_reset(&w->arena);
	if (json_parse(line, len, &w->arena, &v, NULL) == 0 &&
	    (tokens = json_get_number(v, "tokens", 0)) > 0 && tokens < 1e9 &&
	    (time = json_get_string(v, "time", &n)) != NULL &&
	    time_parse(time, n, &us, &end_us) == 0 &&
	    (w->since_us == TIME_NONE || us >= w->since_us)) {
		add_recall(w->page, us, (int64_t)tokens);
		keep_told(w->page, v, us, (int64_t)tokens);
	}
	return 0;
}

static int
read_hooks(struct page *p, struct store *s, const struct scope *who, int64_t since_us,
	struct err *err)
{
	struct hook_walk w = { p, since_us, ARENA_INIT };
	int rc = hook_log_last(hook_log_path(store_path(s), &p->arena), who->user, "", HOOK_LINES,
	    add_hook, &w, err);

	arena_release(&w.arena);
	return rc;
}

/* ---- counts by name ---- */

static void
shares_add(struct page *p, struct shares *t, const char *name, int64_t n, int64_t key)
{
	if (name == NULL || *name == '\0')
		return;
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->rows[i].name, name) == 0) {
			t->rows[i].n += n;
			return;
		}
	*xpush(t->rows, t->n, t->cap) = (struct share){ arena_strdup(&p->arena, name), n, key };
}

ORDER_DOWN_TEXT(compare_shares, struct share, n, name)

static void
shares_sort(struct shares *t)
{
	if (t->n > 0)
		qsort(t->rows, t->n, sizeof(*t->rows), compare_shares);
}

static int
add_topic(void *arg, const struct category *c)
{
	struct page *p = arg;

	if (c->hand != HAND_DROPPED)
		shares_add(p, &p->topics, c->name, c->n_members, c->row);
	return 0;
}

/* ---- sessions ---- */

struct session_walk {
	struct page *page;
	struct store *s;
	const struct scope *who;
	bool titled;
	struct err *err;
};

/* In which program it was held; "": that is not known. */
static const char *
host_of(struct page *p, const struct session *v)
{
	const struct json *about;
	const char *host;

	if (v->metadata == NULL || *v->metadata == '\0' ||
	    json_parse(v->metadata, strlen(v->metadata), &p->arena, &about, NULL) != 0 ||
	    (host = json_get_string(about, "host", NULL)) == NULL)
		return "";
	return host;
}

static int
keep_number(void *arg, const struct message *m)
{
	*(int64_t *)arg = m->row >> SESSION_SHIFT;
	return 0;
}

static int
add_session(void *arg, const struct session *v)
{
	struct session_walk *w = arg;
	struct page *p = w->page;
	struct message_filter first = MESSAGE_FILTER_ANY;
	struct scope in = *w->who;
	const char *host = host_of(p, v);
	/* the agent whose rows they are, else the one in which it was held */
	const char *agent = v->agent != NULL && *v->agent != '\0' ? v->agent : host;
	struct page_session out = { .n = v->n_messages,
		.time_us = v->updated_us != TIME_NONE ? v->updated_us : v->created_us };

	shares_add(p, &p->agents, agent, v->n_messages, 0);
	shares_add(p, &p->programs, host, v->n_messages, 0);
	shares_add(p, &p->projects, v->project, v->n_messages, 0);
	p->n_sessions_all++;
	if (v->n_messages > p->longest) {
		p->longest = v->n_messages;
		p->longest_us = out.time_us;
	}
	if (!w->titled || p->n_sessions == PAGE_SESSIONS) {
		p->n_turns_rest += v->n_messages;
		return 0;
	}
	out.id = arena_strdup(&p->arena, v->id);
	out.agent = arena_strdup(&p->arena, agent);
	out.project = arena_strdup(&p->arena, v->project != NULL ? v->project : "");
	first.limit = 1;
	in.session = out.id;
	if (session_title(w->s, w->who, v, &p->arena, &out.title, w->err) < 0 ||
	    messages_each(w->s, &in, &first, keep_number, &out.number, w->err) < 0)
		return -1;
	*xpush(p->sessions, p->n_sessions, p->cap_sessions) = out;
	return 0;
}

/* The listed session of that number, or NULL. */
static struct page_session *
listed(struct page *p, int64_t number)
{
	for (size_t i = 0; i < p->n_sessions; i++)
		if (p->sessions[i].number == number)
			return &p->sessions[i];
	return NULL;
}

/* ---- turns: days and people ---- */

struct speaker { uint32_t n, turn; };

/* day_of, asked once for turns of one day that stand together. */
static int64_t
day_of_turn(struct page *p, int64_t us)
{
	if (us < p->day_from_us || us >= p->day_end_us) {
		p->day = day_of(us);
		p->day_from_us = time_from_local(p->day * US_PER_DAY);
		p->day_end_us = time_from_local((p->day + 1) * US_PER_DAY);
	}
	return p->day;
}

static void
see_said(struct page *p, const struct card_said *v, uint32_t turn, struct speaker *speakers)
{
	int64_t day = v->time_us == TIME_NONE ? -1 : day_of_turn(p, v->time_us) - p->year_from;
	struct speaker *who = &speakers[v->speaker];

	if (day >= 0 && day < PAGE_DAYS)
		p->year[day]++;
	if (who->n++ == 0)
		who->turn = turn;
}

/*
 * Notes which of the people that are named spoke in the session that the turn is of, and whether
 * others did: the bit behind these.
 */
static void
see_speaker(struct page *p, const struct card_said *v, int64_t number, struct page_session **at)
{
	size_t i = 0, n = MIN(p->people.n, (size_t)PAGE_NAMES);
	int64_t who = p->person != NULL ? p->person[v->speaker] : v->speaker;

	if (*at == NULL || (*at)->number != number)
		*at = listed(p, number);
	while (i < n && p->people.rows[i].key != who)
		i++;
	if (*at != NULL)
		(*at)->people |= 1u << (i < n ? i : PAGE_NAMES);
}

/* Goes through all turns; speakers NULL: for the people of each session, else for all else. */
static int
read_turns(struct page *p, struct index *x, struct speaker *speakers, struct err *err)
{
	const struct corpus *c = index_corpus(x);
	struct page_session *at = NULL;
	struct card_said said[BLOCK_TURNS];
	uint32_t run = 0;

	for (uint32_t from = 0; from < c->n; from += BLOCK_TURNS) {
		uint32_t n = MIN(c->n - from, (uint32_t)BLOCK_TURNS);

		if (index_said(x, from, n, said, err) < 0)
			return -1;
		for (uint32_t i = 0; i < n; i++) {
			if (said[i].role == ROLE_TOOL)
				said[i].speaker = 0;       /* its name is no person's */
			if (speakers != NULL)
				see_said(p, &said[i], from + i, speakers);
			else if (said[i].speaker != 0)
				see_speaker(p, &said[i],
				    corpus_row_near(c, from + i, &run) >> SESSION_SHIFT, &at);
		}
	}
	return 0;
}

/* The name of a speaker, as it stands at each of their turns. */
static int
name_of(struct page *p, struct store *s, const struct scope *who, const struct corpus *c,
	const struct speaker *v, const char **name, struct err *err)
{
	const struct message *m;
	int64_t row = corpus_row(c, v->turn);
	int rc = messages_by_rows(s, who, &row, 1, &p->arena, &m, err);

	*name = rc >= 0 && m != NULL ? m->name : NULL;
	return rc < 0 ? -1 : 0;
}

/* Makes one speaker of those that are names of one person. */
static int
join_people(struct page *p, struct store *s, const struct scope *who, const struct corpus *c,
	struct speaker *speakers, const struct same_people *same, struct err *err)
{
	const char *name;
	FREED const char **names = xcalloc(SPEAKERS, sizeof(*names));
	int rc = 0;

	p->person = xcalloc(SPEAKERS, sizeof(*p->person));
	for (size_t i = 1; i < SPEAKERS && rc == 0; i++) {
		size_t k = 1;

		p->person[i] = (uint16_t)i;
		if (speakers[i].n == 0 ||
		    (rc = name_of(p, s, who, c, &speakers[i], &name, err)) != 0 || name == NULL ||
		    same_people_main(same, name) == name)
			continue;
		names[i] = name;
		while (k < i && (names[k] == NULL || !same_person(same, names[k], name)))
			k++;
		if (k == i)
			continue;
		speakers[k].n += speakers[i].n;
		speakers[i].n = 0;
		p->person[i] = (uint16_t)k;
	}
	return rc;
}

/* Names those who spoke most, whose numbers are known. */
static int
name_people(struct page *p, struct store *s, const struct scope *who, const struct corpus *c,
	struct speaker *speakers, const struct same_people *same, struct err *err)
{
	int64_t rest = 0;

	if (same->n > 0 && join_people(p, s, who, c, speakers, same, err) != 0)
		return -1;

	for (size_t i = 1; i < SPEAKERS; i++) {        /* 0 is nobody */
		p->n_people += speakers[i].n > 0;
		rest += speakers[i].n;
	}
	for (int k = 0; k < PAGE_NAMES && rest > 0; k++) {
		const char *name;
		size_t best = 1;

		for (size_t i = 1; i < SPEAKERS; i++)
			if (speakers[i].n > speakers[best].n)
				best = i;
		if (speakers[best].n == 0)
			break;
		if (name_of(p, s, who, c, &speakers[best], &name, err) != 0)
			return -1;
		if (name != NULL)
			shares_add(p, &p->people, same_people_main(same, name), speakers[best].n,
			    (int64_t)best);
		rest -= speakers[best].n;
		speakers[best].n = 0;
	}
	if (rest > 0)
		shares_add(p, &p->people, "others", rest, -1);
	return 0;
}

static int
read_index(struct page *p, struct store *s, const struct scope *who, struct err *err)
{
	FREED struct speaker *speakers = xcalloc(SPEAKERS, sizeof(*speakers));
	LOCAL(same_people) same = { .names = NULL };
	struct index *x = NULL;
	int rc = -1;

	if (same_people_read(s, who, &same, &p->arena, err) != 0)
		goto out;
	if (index_enter(s, who, &x, err) < 0)
		goto out;
	rc = index_load(x, NULL, 0, err) < 0 || read_turns(p, x, speakers, err) < 0 ? -1 : 0;
	if (rc == 0)
		rc = name_people(p, s, who, index_corpus(x), speakers, &same, err);
	if (rc == 0 && p->n_sessions > 0 && p->people.n > 0)
		rc = read_turns(p, x, NULL, err);
	index_end(x);
out:
	index_free(x);
	return rc;
}

static int
see_member(void *arg, enum vector_kind kind, int64_t row, int64_t category)
{
	struct page *p = arg;
	struct page_session *v;

	for (size_t i = 0; kind == VECTOR_MESSAGE && i < MIN(p->topics.n, (size_t)PAGE_NAMES); i++)
		if (p->topics.rows[i].key == category &&
		    (v = listed(p, row >> SESSION_SHIFT)) != NULL)
			v->topics |= 1u << i;
	return 0;
}

/* ---- all of it ---- */

ORDER_BY(compare_told, struct page_told, time_us)

int
page_read(struct page *p, struct store *s, const struct scope *who, int64_t since_us,
	bool titled, struct err *err)
{
	struct session_walk walk = { p, s, who, titled, err };

	/* 1970-01-05 was a Monday: the last week of the year is the one that today is in. */
	p->today = day_of(clock_now_us());
	p->year_from = p->today - ((p->today - 4) % 7 + 7) % 7 - 7 * (PAGE_WEEKS - 1);
	if (report_each(s, who, since_us, add_line, p, err) < 0 ||
	    stats_each(s, who, since_us, add_line, p, err) < 0 ||
	    metrics_each(s, who, since_us, add_metric, p, err) < 0 ||
	    read_hooks(p, s, who, since_us, err) < 0 ||
	    ledger_each(s, who, since_us, add_calls, p, err) < 0 ||
	    categories_each(s, who, add_topic, p, err) < 0 ||
	    sessions_by_time(s, who, true, TIME_NONE, add_session, &walk, err) < 0 ||
	    read_index(p, s, who, err) < 0)
		return -1;
	shares_sort(&p->agents);
	shares_sort(&p->programs);
	shares_sort(&p->projects);
	shares_sort(&p->topics);
	if (p->n_told > 0)
		qsort(p->told, p->n_told, sizeof(*p->told), compare_told);
	return titled && p->topics.n > 0 ? members_each(s, who, 0, see_member, p, err) : 0;
}

void
page_release(struct page *p)
{
	free(p->days);
	free(p->lines);
	free(p->sessions);
	free(p->told);
	free(p->agents.rows);
	free(p->programs.rows);
	free(p->projects.rows);
	free(p->people.rows);
	free(p->topics.rows);
	free(p->person);
	arena_release(&p->arena);
}
