/* mem-sync: bring two stores of one person together, or a store and the memories of agents */
#include <signal.h>

#include "base/hash.h"
#include "base/off.h"
#include "cli/complete.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "cli/programs.h"
#include "hook/hook_forget.h"
#include "json/json.h"
#include "native/native.h"
#include "search/ask.h"
#include "setup/wiring.h"
#include "store/sync.h"
#include "transfer/news.h"
#include "transfer/side.h"
#include "transfer/sync.h"
#include "gen/programs.h"

#define PATH_BYTES     4096
#define SECTION_TOKENS 1000            /* of a section, at most */
#define SECTION_BYTES  65536

static bool dry, allow, mark, peers, new_id, native, undo;
static struct prog_list sections;
static const char *programs = "";

static const struct prog_opt opts[] = {
	{ 'd', "db", "FILE", OPT_CONF, NULL, "db", 0, 0, "the database file" },
	{ 'e', "ssh", "COMMAND", OPT_CONF, NULL, "ssh", 0, 0, "what reaches the other machine, in place of ssh" },
	{ 'n', "dry-run", NULL, OPT_FLAG, &dry, NULL, 0, 0, "only say what would come and go" },
	{ 'u', "user", "NAME", OPT_CONF, NULL, "user", 0, 0, "whose memory (default: default)" },
	{ 0, "allow", NULL, OPT_FLAG, &allow, NULL, 0, 0, "what was forgotten or pruned may come back, on both sides" },
	{ 0, "mark", NULL, OPT_FLAG, &mark, NULL, 0, 0, "what is here of other stores, for mem-export --new-for" },
	{ 0, "native", NULL, OPT_FLAG, &native, NULL, 0, 0, "what agents keep themselves, of this project" },
	{ 0, "new-id", NULL, OPT_FLAG, &new_id, NULL, 0, 0, "a store that is a copy becomes one of its own" },
	{ 0, "peers", NULL, OPT_FLAG, &peers, NULL, 0, 0, "list the stores that are known here" },
	{ 0, "programs", "DIR", OPT_TEXT, &programs, NULL, 0, 0, "where mem's programs are on the other machine" },
	{ 0, "section", "FILE", OPT_LIST, &sections, NULL, 0, 0, "a section in FILE, or for this agent (--native)" },
	{ 0, "undo", NULL, OPT_FLAG, &undo, NULL, 0, 0, "take sections out again (--native)" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_SYNC };

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
	buf_add_count(b, v->n_messages);
	/* what passes are marks of what was removed, some of which a message has two of */
	buf_addf(b, " messages, %lld changes of facts and notes, %s%lld removals",
	    (long long)v->n_changes, dry && v->n_removed > 0 ? "up to " : "",
	    (long long)v->n_removed);
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
	if (store_begin(s, err) == 0)
		store_end(s, store_new_id(s, err), err);
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

/* ---- memories of agents ---- */

/* text: in a dry run, the lines that would be stored or written. */
static void
put_native(const char *host, const char *path, const char *did, const char *why,
	const struct native_file *f, const struct buf *text)
{
	struct buf *out = prog_out();

	if (!prog_for_people()) {
		json_record(out, "native");
		json_str(out, "host", *host != '\0' ? host : NULL);
		json_str(out, "file", path);
		json_str(out, "did", did);
		if (dry)
			json_bool(out, "dry", true);
		if (f != NULL) {
			json_int(out, "items", (int64_t)f->n);
			json_int(out, "new", (int64_t)f->n_new);
			json_int(out, "ended", (int64_t)f->n_ended);
		}
		json_str(out, "message", *why != '\0' ? why : NULL);
		json_strn(out, "text", dry && text->len > 0 ? text->data : NULL, text->len);
		json_end(out);
		return;
	}
	buf_addf(out, "%-8s ", did);
	print_line(out, path, strlen(path), 60);
	if (f != NULL)
		buf_addf(out, "  %s: %zu, new %zu, gone %zu", host, f->n, f->n_new, f->n_ended);
	if (*why != '\0') {
		buf_adds(out, ": ");
		print_line(out, why, strlen(why), 200);
	}
	buf_addc(out, '\n');
	if (dry)
		print_safe(out, text->data, text->len);
}

static void
put_file(const struct native *v, const struct native_file *f)
{
	LOCAL(buf) text = buf_of(conf_caps.output_bytes);

	for (size_t i = f->from; dry && i < f->from + f->n; i++)
		if (v->is_new[i])
			buf_addf(&text, "  %s%s%s\n", v->memories.items[i].about,
			    *v->memories.items[i].about != '\0' ? ": " : "",
			    v->memories.items[i].content);
	put_native(f->host, f->path, "read", "", f, &text);
}

static int
put_difference(void *arg, const struct finding *f)
{
	struct buf *out = prog_out();

	(void)arg;
	if (!prog_for_people()) {
		finding_record(out, f);
		return 0;
	}
	buf_adds(out, "differ:\n");
	for (size_t i = 0; i < f->n_records; i++) {
		buf_addf(out, "  %s:%llu: ", f->records[i]->file,
		    (unsigned long long)f->records[i]->line);
		print_line(out, f->records[i]->content, f->records[i]->len, prog_columns());
		buf_addc(out, '\n');
	}
	return 0;
}

/* Reads what the agents keep, tells what differs, and stores what is new. */
static int
take_native(struct native *v, struct store *s, char **paths, int n, struct err *err)
{
	const struct memories_input how = { NULL, prog_warning_at, NULL };
	const struct memories_sink sink = { .bad = prog_warning_at,
		.without = prog_without_vectors, .stop = &prog_stop };

	if (native_read(v, (const char *const *)paths, (size_t)n, &how, err) != 0 ||
	    native_compare(v, s, err) != 0 || native_store(v, s, dry, &sink, err) != 0)
		return -1;
	if (v->n == 0)
		prog_note("no agent here keeps anything of %s", v->project);
	for (size_t i = 0; i < v->n && !prog_common.quiet; i++)
		put_file(v, &v->files[i]);
	return prog_common.quiet ? 0 : native_differences(v, put_difference, NULL, err);
}

/* What is said beside what was done with a section; people were warned of a fault already. */
static const char *
section_note(const char *did, const struct err *why)
{
	if (why->msg[0] != '\0')
		return prog_for_people() ? "" : why->msg;
	return undo || strcmp(did, "none") != 0
	    ? "" : "no fact is stored on purpose for it: mem remember --fact -p . TEXT";
}

/* Writes, or takes out, one section. only: where it stands already. */
static int
put_section(struct native *v, struct store *s, const char *path, bool only, struct journal *j,
	struct err *err)
{
	const char *owner = native_owner(path, &v->arena), *did = "none";
	struct section_want want = { .body = "", .only = only, .take = undo, .dry = dry,
		.of = hash64(owner, strlen(owner), hash64(v->user, strlen(v->user), 0)) };
	struct err why = ERR_INIT;
	size_t n_left = 0;
	int rc = 0;

	LOCAL(buf) body = buf_of(SECTION_BYTES);
	if (!undo && s != NULL)
		rc = native_section(v, s, owner, SECTION_TOKENS, &body, &n_left, err);
	if (rc == 0 && body.len > 0)
		want.body = body.data;
	if (rc == 0 && wiring_section(path, &want, j, &did, &why) != 0) {
		did = "left";
		prog_warn("%s: %s", path, why.msg);
	}
	/* of those that stand already it is told only what changes */
	bool told = !only || (strcmp(did, "none") != 0 && strcmp(did, "same") != 0);
	if (rc == 0 && told && !prog_common.quiet)
		put_native("", path, did, section_note(did, &why), NULL, &body);
	if (n_left > 0 && strcmp(did, "none") != 0)
		prog_note("%s: %zu facts left out, for room or as they contradict each other", path,
		    n_left);
	if (rc == 0 && why.code != 0 && err->code == 0)
		err->code = why.code;          /* it was told */
	return rc;
}

/* A file, as a whole path: of an agent's name, the file of the project that it reads. */
static const char *
section_file(struct native *v, const char *name, struct err *err)
{
	const struct agent *a = agent_find(name);
	const char *path = a != NULL ? agent_rules_file(a, v->project, &v->arena) : name;

	if (path == NULL)
		err_set(err, ERR_USAGE, "of '%s' no such file is known: name one", name);
	return path != NULL && native_path(path, &v->arena, &path, err) == 0 ? path : NULL;
}

/* The sections that are named, and those that stand in files of this project. */
static int
put_sections(struct native *v, struct store *s, struct err *err)
{
	LOCAL(places) named = { NULL, 0, 0 };
	struct journal j;
	int rc = journal_open(&j, err);

	if (rc == 0 && !dry && (sections.n > 0 || j.n > 0))
		rc = journal_lock(&j, !undo, err);
	for (size_t i = 0; rc == 0 && i < sections.n; i++) {
		const char *path = section_file(v, sections.items[i], err), *real = path;

		rc = path == NULL ? -1 : put_section(v, s, path, false, &j, err);
		if (rc == 0 && file_resolve(path, &v->arena, &real, NULL) == 0)
			places_add(&named, real);
	}
	for (size_t i = undo && sections.n > 0 ? 0 : j.n; rc == 0 && i-- > 0;) {
		const char *path = arena_strdup(&v->arena, j.list[i].path), *owner;
		size_t n = named.n;

		if (strcmp(j.list[i].agent, SECTION_AGENT) != 0)
			continue;              /* it may be no file at all, as the crontab */
		places_add(&named, path);
		owner = native_owner(path, &v->arena);
		if (named.n > n && (undo || *owner == '\0' || strcmp(owner, v->project) == 0))
			rc = put_section(v, s, path, !undo, &j, err);
	}
	if (rc == 0 && !dry && j.n == 0 && j.lock >= 0)
		journal_remove(&j);
	journal_close(&j);
	return rc;
}

static void
put_agents(struct buf *out)
{
	for (const struct agent *a = agents(); a->name != NULL; a++)
		if (a->rules != NULL)
			buf_addf(out, "%s\n", a->name);
}

static void
run_native(char **paths, int n, struct err *err)
{
	LOCAL(native) v = { .user = conf_text("user"), .project = prog_project(".") };
	struct store *s = NULL;
	int rc = 0;

	if (!undo && off_why(v.project) != NULL)
		rc = err_set(err, ERR_CONFIG, "%s", off_why(v.project));
	else if (!undo)
		rc = dry ? ask_open(&s, err) : store_open(conf_db(), STORE_CREATE, &s, err);
	if (rc == 0 && !undo)
		rc = take_native(&v, s, paths, n, err);
	if (rc == 0)
		put_sections(&v, s, err);
	if (v.memories.n_bad > 0 && err->code == 0)
		err->code = ERR_DATA;          /* each was told */
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
	struct sync_options o;

	complete_option("section", put_agents);
	int i = prog_start(&prog, argc, argv);
	int n_alone = mark + peers + new_id;
	o = (struct sync_options){ .user = conf_text("user"), .db = conf_db(), .bin = programs,
		.allow = allow, .dry = dry };
	o.own_bin = programs_dir(dir, sizeof(dir), argv[0]);
	if ((undo || sections.n > 0) && !native)
		err_set(&err, ERR_USAGE, "--section and --undo go with --native");
	else if (native && (n_alone > 0 || (undo && i < argc)))
		err_set(&err, ERR_USAGE, "--native stands alone, and --undo takes no memories");
	else if (native)
		run_native(argv + i, argc - i, &err);
	else if (n_alone > 1 || (n_alone == 1 && i < argc))
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
