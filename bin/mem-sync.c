/*
 * mem-sync: bring two stores of one person together, both ways
 */
#include <signal.h>

#include "cli/print.h"
#include "cli/prog.h"
#include "cli/programs.h"
#include "hook/hook_forget.h"
#include "json/json.h"
#include "store/sync.h"
#include "transfer/news.h"
#include "transfer/side.h"
#include "transfer/sync.h"

#define PATH_BYTES 4096

static bool dry, allow, mark, peers, new_id;
static const char *programs = "";

static const struct prog_opt opts[] = {
	{ 'd', "db", "FILE", OPT_CONF, NULL, "db", 0, 0, "the database file" },
	{ 'e', "ssh", "COMMAND", OPT_CONF, NULL, "ssh", 0, 0, "what reaches the other machine, in place of ssh" },
	{ 'n', "dry-run", NULL, OPT_FLAG, &dry, NULL, 0, 0, "only say what would come and go" },
	{ 'u', "user", "NAME", OPT_CONF, NULL, "user", 0, 0, "whose memory (default: default)" },
	{ 0, "allow", NULL, OPT_FLAG, &allow, NULL, 0, 0, "what was forgotten or pruned may come back, on both sides" },
	{ 0, "mark", NULL, OPT_FLAG, &mark, NULL, 0, 0, "what is here of other stores, for mem-export --new-for" },
	{ 0, "new-id", NULL, OPT_FLAG, &new_id, NULL, 0, 0, "a store that is a copy becomes one of its own" },
	{ 0, "peers", NULL, OPT_FLAG, &peers, NULL, 0, 0, "list the stores that are known here" },
	{ 0, "programs", "DIR", OPT_TEXT, &programs, NULL, 0, 0, "where mem's programs are on the other machine" },
	PROG_OPTS_OUTPUT,
	PROG_OPTS_COMMON,
	PROG_OPTS_END
};

static const struct prog prog = { "mem-sync", "bring two stores of one person together, both ways",
	"HOST[:FILE] | FILE", opts,
	"  mem-sync desk\n"
	"  mem-sync -n me@desk:/srv/mem.db\n"
	"  mem-sync /media/stick/mem.db\n" };

/* ---- what came, what went ---- */

static void
put_way(const char *other, const char *way, const struct sync_way *v)
{
	struct buf *out = prog_out();

	json_record(out, "synced");
	json_str(out, "other", other);
	json_str(out, "way", way);
	if (dry)
		json_bool(out, "dry", true);
	json_int(out, "messages", v->n_messages);
	json_int(out, "changes", v->n_changes);
	json_int(out, "removed", v->n_removed);
	json_int(out, "same", v->n_same);
	json_int(out, "different", v->n_differ);
	json_int(out, "forgotten", v->n_forgotten);
	json_int(out, "bad", v->n_bad);
	json_int(out, "bytes", v->n_bytes);
	json_end(out);
}

static void
add_counts(struct buf *b, const char *what, const struct sync_way *v)
{
	buf_addf(b, "%s ", what);
	print_count(b, v->n_messages);
	buf_addf(b, " messages, %lld changes of facts and notes, %lld removals",
	    (long long)v->n_changes, (long long)v->n_removed);
	if (v->n_forgotten > 0)
		buf_addf(b, " (%lld stay away: forgotten there)", (long long)v->n_forgotten);
}

static void
put_result(const char *other, const struct sync_result *r)
{
	struct buf *out = prog_out();

	if (prog_common.quiet)
		return;
	if (r->was_none)
		prog_note(dry ? "%s: there is no store yet: it would be made"
			      : "%s: there was no store yet: it is made", other);
	if (!prog_for_people()) {
		put_way(other, "in", &r->in);
		put_way(other, "out", &r->out);
		return;
	}
	buf_addf(out, "%s: ", other);
	add_counts(out, dry ? "would come:" : "came:", &r->in);
	buf_addc(out, '\n');
	buf_addf(out, "%s: ", other);
	add_counts(out, dry ? "would go:" : "went:", &r->out);
	buf_addc(out, '\n');
}

/* ---- what is known of other stores ---- */

static int
put_peer(void *arg, const struct peer *v)
{
	struct buf *out = prog_out();

	(void)arg;
	if (prog_for_people()) {
		buf_addf(out, "%s  ", v->id);
		print_line(out, v->name, strlen(v->name), 40);
		buf_addc(out, '\n');
		return 0;
	}
	json_record(out, "peer");
	json_str(out, "id", v->id);
	json_str(out, "user", conf_text("user"));
	json_str(out, "name", v->name);
	json_int(out, "got", v->got.no);
	json_int(out, "sent", MAX(v->sent, 0));
	json_end(out);
	return 0;
}

static void
make_new_id(struct store *s, struct err *err)
{
	if (store_begin(s, err) != 0)
		return;
	if (store_new_id(s, err) == 0)
		store_commit(s, err);
	else
		store_rollback(s);
}

static void
run_alone(struct err *err)
{
	const struct scope who = { conf_text("user"), NULL, NULL, NULL };
	enum store_mode mode = mark ? STORE_CREATE : new_id ? STORE_WRITE : STORE_READ;
	struct store *s = NULL;

	if (store_open(conf_db(), mode, &s, err) != 0)
		return;
	if (mark && news_marks(s, &who, prog_out(), err) == 0)
		buf_addc(prog_out(), '\n');
	else if (peers)
		peers_each(s, &who, put_peer, NULL, err);
	else if (new_id)
		make_new_id(s, err);
	store_close(s);
}

/* ssh and what it runs do not go on alone; then the signal ends this program, too. */
static void
end_all(int number)
{
	side_stop_all();
	signal(number, SIG_DFL);
	raise(number);
}

static void
catch_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = end_all, .sa_flags = SA_RESTART }, was;

	sigemptyset(&act.sa_mask);
	for (size_t i = 0; i < NELEM(numbers); i++)
		if (sigaction(numbers[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN)
			sigaction(numbers[i], &act, NULL);
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct sync_result r = { .was_none = false };
	char dir[PATH_BYTES];
	int i = prog_start(&prog, argc, argv), n_alone = mark + peers + new_id;
	struct sync_options o = { .user = conf_text("user"), .db = conf_db(), .bin = programs,
		.allow = allow, .dry = dry };

	o.own_bin = programs_dir(dir, sizeof(dir), argv[0]);
	if (n_alone > 1 || (n_alone == 1 && i < argc))
		err_set(&err, ERR_USAGE, "--mark, --peers and --new-id stand alone");
	else if (n_alone == 1)
		run_alone(&err);
	else if (i + 1 != argc)
		err_set(&err, ERR_USAGE, "with which store? Name one machine, or one file");
	else {
		o.other = argv[i];
		catch_signals();
		if (sync_run(&o, &r, &err) == 0 || r.in.n_bytes > 0)
			put_result(argv[i], &r);
		if (!dry)
			hook_forget_late(conf_db());
	}
	return prog_end(&err);
}
