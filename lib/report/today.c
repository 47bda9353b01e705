/* today.c: counts sessions by the time of their newest message, and recalls by the log of hooks. */
#include "report/today.h"

#include "base/clock.h"
#include "base/conf.h"
#include "hook/hook_log.h"
#include "json/json.h"
#include "records/title.h"

#define LOG_LINES 100000

struct reader {
	struct today *v;
	struct arena *a, line;
	struct store *s;
	const struct scope *who;
	int64_t since_us[2];
	struct err *err;
};

static void
count(const struct reader *r, int64_t us, int64_t n[2])
{
	for (size_t i = 0; i < 2; i++)
		n[i] += us != TIME_NONE && us >= r->since_us[i];
}

static int
see_session(void *arg, const struct session *v)
{
	struct reader *r = arg;
	struct today *t = r->v;
	int64_t us = v->updated_us != TIME_NONE ? v->updated_us : v->created_us;

	if (session_is_document(v))
		return 0;
	count(r, us, t->n_sessions);
	if (t->n < NELEM(t->newest)) {
		t->newest[t->n].time_us = us;
		t->newest[t->n].project =
		    arena_strdup(r->a, v->project != NULL ? v->project : "");
		if (session_title(r->s, r->who, v, r->a, &t->newest[t->n].title, r->err) != 0)
			return -1;
		t->n++;
	}
	return t->n == NELEM(t->newest) && (us == TIME_NONE || us < r->since_us[1]);
}

static int
see_line(void *arg, const char *line, size_t len, struct err *err)
{
	struct reader *r = arg;
	const struct json *v;
	const char *time;
	int64_t us;

	(void)err;
	arena_reset(&r->line);
	if (json_parse(line, len, &r->line, &v, NULL) == 0 &&
	    json_is(v, "did", "recalled") &&
	    (time = json_get_string(v, "time", NULL)) != NULL &&
	    time_parse(time, strlen(time), &us, NULL) == 0)
		count(r, us, r->v->n_recalls);
	return 0;
}

int
today_read(struct store *s, const struct scope *who, struct today *v, struct arena *a,
	struct err *err)
{
	int64_t midnight = time_midnight(time_to_local(clock_now_us()));
	struct reader r = { v, a, ARENA_INIT, s, who,
		{ time_from_local(midnight), time_from_local(midnight - 6 * US_PER_DAY) }, err };

	*v = (struct today){ .n = 0 };
	int rc = sessions_by_time(s, who, true, TIME_NONE, see_session, &r, err);
	if (rc == 0)
		rc = hook_log_last(hook_log_path(conf_db(), a), who->user, "", LOG_LINES, see_line,
		    &r, err);
	arena_release(&r.line);
	return rc;
}
