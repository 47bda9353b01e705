/*
 * upkeep.c: a table of steps. A step is due by a rule of advice.c, or when so much time has gone
 * since it was done. Commands ask no language model that costs money, and nothing is removed but
 * by a limit that the user has set.
 */
#include "report/upkeep.h"

#include "base/conf.h"
#include "ingest/documents.h"
#include "store/store.h"
#include "store/vectors.h"
#include "gen/upkeep_rows.h"

#define HOUR_US (3600 * (int64_t)1000000)

enum { HISTORIES, DOCUMENTS, SUMMARIES, VECTORS };
static const struct rule {
	const char *name;
	const char *trigger;       /* of report.h; NULL: by time */
	int64_t every_us;          /* 0: each time; with a trigger: not before */
	const char *why, *run;
	const char *first;         /* why, where it was never done; NULL: as ever */
} rules[] = { UPKEEP_RULES };

#define N_STEPS NELEM(rules)

struct due { struct trigger trigger[N_STEPS]; bool is[N_STEPS], early[N_STEPS], first[N_STEPS]; };

static int
note_trigger(void *arg, const struct trigger *t)
{
	struct due *d = arg;

	for (size_t i = 0; i < N_STEPS; i++)
		if (rules[i].trigger != NULL && strcmp(rules[i].trigger, t->name) == 0) {
			d->trigger[i] = *t;
			d->is[i] = !d->early[i];
		}
	return 0;
}

static const char *
job_name(size_t i, char name[40])
{
	snprintf(name, 40, "upkeep %s", rules[i].name);
	return name;
}

/* Why a step that is due is not done; NULL: it is. */
static const char *
why_not(const char *name, const char *model)
{
	if (strcmp(name, "vectors") == 0 && model == NULL)
		return "there is no model: 'mem-model get' fetches one";
	if (strcmp(name, "facts") == 0 && conf_origin("facts_max", NULL) == CONF_DEFAULT)
		return "no limit is set: facts go only by a facts_max of yours";
	return NULL;
}

/* Whether directories are watched. */
static int
look_watched(struct store *s, const struct scope *who, struct due *d, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	char **paths;
	size_t n = 0;
	int rc = documents_watched(s, who, &a, &paths, &n, err);

	d->is[DOCUMENTS] = n > 0;
	return rc;
}

/* What is done by time, or too early yet. Without a store there are only histories. */
static int
look_times(struct store *s, const struct scope *who, struct due *d, struct err *err)
{
	int64_t last, now = clock_now_us();
	char name[40];

	for (size_t i = 0; i < N_STEPS; i++) {
		d->is[i] = rules[i].trigger == NULL && rules[i].every_us == 0;
		if (s == NULL || rules[i].every_us == 0 ||
		    (strcmp(rules[i].name, "backup") == 0 && *conf_text("backup") == '\0'))
			continue;
		if (job_last(s, who, job_name(i, name), &last, err) != 0)
			return -1;
		d->first[i] = last == TIME_NONE;
		d->early[i] = !d->first[i] && last <= now && now - last < rules[i].every_us;
		d->is[i] = rules[i].trigger == NULL && !d->early[i];
	}
	return 0;
}

struct sought { const char *name; bool found; };

static int
look_model(void *arg, const struct vector_model *m)
{
	struct sought *sought = arg;

	sought->found |= *sought->name == '\0' || strcmp(m->name, sought->name) == 0;
	return 0;
}

/* Vectors are made of all that is there when the first model comes, or another one. */
static int
look_models(struct store *s, const char *model, struct due *d, struct err *err)
{
	struct sought sought = { model, false };

	if (vectors_models(s, look_model, &sought, err) != 0)
		return -1;
	d->is[VECTORS] = !sought.found;
	return 0;
}

int
upkeep_plan(struct store *s, const struct scope *who, const char *model, upkeep_fn *fn,
	void *arg, struct err *err)
{
	struct due d = { .is = { false } };
	int64_t since_us = clock_now_us() - conf_int("report_days") * US_PER_DAY;
	size_t n;

	if (look_times(s, who, &d, err) != 0)
		return -1;
	d.is[DOCUMENTS] = false;               /* no time tells, but whether any is watched */
	if ((s != NULL && look_watched(s, who, &d, err) != 0) ||
	    (s != NULL && model != NULL && look_models(s, model, &d, err) != 0) ||
	    (s != NULL && triggers_each(s, who, since_us, false, note_trigger, &d, &n, err) != 0))
		return -1;
	for (size_t i = 0; i < N_STEPS; i++) {
		const struct trigger *t = d.trigger[i].why != NULL ? &d.trigger[i] : NULL;
		const struct upkeep_step step = { rules[i].name,
			t != NULL						? t->why
			    : d.first[i] && rules[i].first != NULL ? rules[i].first
								  : rules[i].why,
			rules[i].run,
			t != NULL ? t->value : 0, t != NULL ? t->limit : 0,
			t != NULL ? t->unit : NULL, why_not(rules[i].name, model) };

		if (d.is[i] && fn(arg, &step) != 0)
			break;
	}
	return 0;
}

int
upkeep_done(struct store *s, const struct scope *who, const char *name, struct err *err)
{
	char job[40];
	bool due;

	snprintf(job, sizeof(job), "upkeep %s", name);
	if (store_begin_user(s, who->user, err) != 0)
		return -1;
	return store_end(s, job_begin(s, who, job, 0, &due, err), err);
}

int
upkeep_times(struct store *s, const struct scope *who, stats_fn *fn, void *arg, struct err *err)
{
	struct stats_line l = { .unit = "time" };
	char job[40], name[40];

	for (size_t i = 0; i < N_STEPS; i++) {
		if (job_last(s, who, job_name(i, job), &l.time_us, err) != 0)
			return -1;
		snprintf(name, sizeof(name), "upkeep.%s", rules[i].name);
		l.name = name;
		if (l.time_us != TIME_NONE && fn(arg, &l) != 0)
			break;
	}
	return 0;
}
