/* mem-prune: keep limits: the least useful facts go, old sessions and metrics too */
#include "cli/print.h"
#include "cli/prog.h"
#include "facts/fact_record.h"
#include "facts/prune.h"
#include "hook/hook_forget.h"
#include "records/title.h"
#include "report/stats.h"
#include "gen/programs.h"

static bool force, sessions, decay;

static const struct prog_opt opts[] = {
	PROG_OPTS_MEMORY,
	{ 'f', "force", NULL, OPT_FLAG, &force, NULL, 0, 0, "do it; without, only say what would go" },
	{ 0, "max", "N", OPT_CONF, NULL, "facts_max", 0, 0, "facts that may stay (default: 200)" },
	{ 0, "policy", "NAME", OPT_CONF, NULL, "prune_policy", 0, 0, "least-relevant, fifo or lru (default: least-relevant)" },
	{ 0, "batch", "N", OPT_CONF, NULL, "prune_batch", 0, 0, "facts in a transaction, at most (default: 10)" },
	{ 0, "decay", NULL, OPT_FLAG, &decay, NULL, 0, 0, "least-relevant: by importance too, half every 90 days without use" },
	{ 0, "sessions", NULL, OPT_FLAG, &sessions, NULL, 0, 0, "old sessions too, with their messages" },
	{ 0, "days", "N", OPT_CONF, NULL, "sessions_days", 0, 0, "with --sessions: older than so many days (default: 30)" },
	PROG_OPTS_OUTPUT,
	PROG_OPTS_QUIET("no records and no count, only errors"),
	PROG_OPTS_END
};

static const struct prog prog = { opts, PROG_MEM_PRUNE };

/* ---- output ---- */

/* Why facts go; of sessions also what they are about, as long as they are there. */
struct told { char why[96]; struct store *s; const struct scope *who; };

static void
put_verdict(const char *id, const char *session, const char *why)
{
	struct buf *out = prog_out();

	if (prog_common.quiet)
		return;
	if (prog_for_people()) {
		buf_adds(out, force ? "removed     " : "would go    ");
		buf_addf(out, "%s  ", id != NULL ? "record " : "session");
		print_line(out, id != NULL ? id : session, strlen(id != NULL ? id : session), 60);
		buf_addf(out, "  %s\n", why);
	} else {
		record_verdict(out, conf_text("user"), &(struct verdict){ .id = id,
			.session = session, .did = "removed", .of = "",
			.why = why, .dry = !force });
		buf_addc(out, '\n');
	}
	prog_flush_soon();
}

static void
put_fact(void *arg, const char *id)
{
	put_verdict(id, NULL, ((const struct told *)arg)->why);
}

static void
put_made(void *arg, const char *id)
{
	(void)arg;
	put_verdict(id, NULL, "rests on a session that is too old");
}

static void
put_session(void *arg, const char *name, int64_t n_messages, int64_t updated_us)
{
	const struct told *t = arg;
	const struct session *v;
	LOCAL(arena) a = ARENA_INIT;
	char why[96], day[TIME_TEXT];
	const char *title = name;

	snprintf(why, sizeof(why), "%lld %s, the newest of %s", (long long)n_messages,
	    n_messages == 1 ? "message" : "messages", time_format_day_local(updated_us, day));
	if (!force && prog_for_people() &&
	    (sessions_find(t->s, t->who, name, &a, &v, NULL) != 0 || v == NULL ||
		session_title(t->s, t->who, v, &a, &title, NULL) != 0))
		title = name;
	put_verdict(NULL, prog_for_people() ? title : name, why);
}

static void
put_summary(const struct prune_counts *c)
{
	LOCAL(buf) b = buf_of(1024);

	buf_adds(&b, force ? "removed " : "would remove ");
	buf_add_count(&b, c->n_removed);
	buf_adds(&b, " of ");
	buf_add_count(&b, c->n_facts);
	buf_addf(&b, " fact%s (%lld protected)", PLURAL(c->n_facts), (long long)c->n_guarded);
	if (sessions)
		buf_addf(&b, ", %lld session%s and %lld record%s made of %s",
		    (long long)c->n_sessions, PLURAL(c->n_sessions), (long long)c->n_made,
		    PLURAL(c->n_made), c->n_sessions == 1 ? "it" : "them");
	if (force)
		buf_addf(&b, ", %lld metric%s", (long long)c->n_metrics, PLURAL(c->n_metrics));
	else
		buf_adds(&b, "; -f does it");
	prog_note("%s", b.data);
}

/* What is left when it has gone from the memory: the log of mem-hook, and the files. */
static void
finish(struct store *s, struct err *err)
{
	if (hook_forget(s, NULL, NULL, err) != 0)
		return;
	/*
	 * What was removed still stands in the write-ahead log, also what an earlier run removed
	 * that was killed or could not settle; store_settle rewrites it.
	 */
	if (store_settle(s, err) < 0)
		prog_warn("it is gone from the memory, but its bytes are in the file until "
			  "'mem-prune -f' or the like succeeds");
}

static void
run(struct store *s, struct err *err)
{
	struct scope who = { conf_text("user"), NULL, NULL, NULL };
	struct prune_options o = {
		.policy = (enum prune_policy)prune_policy_parse(conf_text("prune_policy")),
		.max = conf_int("facts_max"),
		.batch = conf_int("prune_batch"),
		.decay = decay || conf_bool("decay"),
		.force = force,
		.sessions_before_us =
		    sessions ? clock_now_us() - conf_int("sessions_days") * US_PER_DAY : TIME_NONE,
		.metrics_before_us = clock_now_us() - conf_int("metrics_days") * US_PER_DAY,
	};
	struct told told = { .s = s, .who = &who };
	const struct prune_fn fn = { put_fact, put_made, put_session, &told };
	struct prune_counts counts;

	snprintf(told.why, sizeof(told.why), "%s, more than %lld fact%s", prune_policies[o.policy],
	    (long long)o.max, PLURAL(o.max));
	hook_forget_with(s, NULL);
	if (prune(s, &who, &o, &fn, &counts, err) != 0)
		return;
	put_summary(&counts);
	if (force && counts.n_removed + counts.n_sessions > 0) {
		char figures[120];
		snprintf(figures, sizeof(figures),
		    "pruned_facts=%lld,pruned_sessions=%lld,policy=%s",
		    (long long)counts.n_removed, (long long)counts.n_sessions,
		    prune_policies[o.policy]);
		stats_job(s, &who, prog.name, figures);
	}
	if (force)
		finish(s, err);
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct store *s = NULL;
	int i = prog_start(&prog, argc, argv);

	if (i < argc)
		err_set(&err, ERR_USAGE, "takes no operand, not '%s'", argv[i]);
	else if (conf_origin("sessions_days", NULL) == CONF_OPTION && !sessions)
		err_set(&err, ERR_USAGE, "--days goes with --sessions");
	else if (prog_unread(PROG_UNREAD_MS, &err) == 0 &&
	    store_open(conf_db(), force ? STORE_WRITE : STORE_READ, &s, &err) == 0)
		run(s, &err);
	else
		prog_empty(&err);
	store_close(s);
	return prog_end(&err);
}
