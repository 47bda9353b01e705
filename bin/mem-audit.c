/* mem-audit: say what is wrong with what a memory holds */
#include <sys/stat.h>

#include "audit/audit.h"
#include "base/conf.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "json/json.h"
#include "records/named.h"
#include "search/ask.h"
#include "gen/programs.h"

static const char *answer, *map, *name = "", *only;
static bool words;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 0, "name", "NAME", OPT_TEXT, &name, NULL, 0, 0, "what the user is called in the memory" },
	{ 0, "answer", "FILE", OPT_TEXT, &answer, NULL, 0, 0, "check the sentences of an answer" },
	{ 0, "map", "FILE", OPT_TEXT, &map, NULL, 0, 0, "a jq program that reads another form" },
	{ 0, "only", "KINDS", OPT_TEXT, &only, NULL, 0, 0, "secret, duplicate, contradiction, stale, unsupported, supported, doubtful" },
	{ 0, "words", NULL, OPT_FLAG, &words, NULL, 0, 0, "by words alone, also where an embedding model is found" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_AUDIT };

/* ---- output ---- */

/* A place as editors know it, FILE:LINE, or the record's id. */
static void
text_place(struct buf *out, const struct memory_item *r)
{
	LOCAL(buf) place = buf_of(8192);

	if (r->line > 0)
		buf_addf(&place, "%s:%llu", r->file, (unsigned long long)r->line);
	else if (*r->file != '\0')
		buf_addf(&place, "%s: %s", r->file, r->id);
	else
		buf_adds(&place, r->id);
	print_line(out, place.data, place.len, 60);
}

/* Where evidence is, for ends of ids by which it is shown. */
struct shown { struct store *store; const struct scope *who; struct id_ends ends; };

static void
text_finding(struct buf *out, const struct finding *f, struct shown *v)
{
	const char *kind = finding_kind_names[f->kind];
	char day[TIME_TEXT];
	int columns = MAX(prog_columns(), 40);

	buf_addf(out, prog_color() ? "\x1b[1m%s\x1b[0m: %s\n" : "%s: %s\n", kind, f->why);
	for (size_t i = 0; i < f->n_records; i++) {
		buf_adds(out, "  ");
		text_place(out, f->records[i]);
		buf_adds(out, f->newer == f->records[i] ? " (newer)\n    " : "\n    ");
		print_line(out, f->records[i]->content, f->records[i]->len, columns - 4);
		buf_addc(out, '\n');
	}
	for (size_t i = 0; i < f->n_evidence; i++) {
		const struct evidence *e = &f->evidence[i];

		time_format_day(e->time_us, day);
		buf_addf(out, "  %s %s%s", id_end(&v->ends, v->store, v->who, e->id), day,
		    *day != '\0' ? " " : "");
		print_line(out, e->quote, e->len, columns - 24);
		buf_addc(out, '\n');
	}
}

static int
put_finding(void *arg, const struct finding *f)
{
	if (prog_for_people())
		text_finding(prog_out(), f, arg);
	else
		finding_record(prog_out(), f);
	return prog_flush() != PROG_OUT_OK;
}

static void
put_counts(const struct audit_counts *c)
{
	LOCAL(buf) found = buf_of(conf_caps.output_bytes);

	for (size_t i = 0; i < N_FINDING_KINDS; i++)
		if (c->found[i] > 0)
			buf_addf(&found, "%s%zu %s", found.len > 0 ? ", " : "", c->found[i],
			    finding_kind_names[i]);
	prog_note("%zu record%s: %s%s", c->records, PLURAL(c->records),
	    found.len > 0 ? found.data : "nothing found",
	    c->vectors || !c->transcripts ? "" : "; sought among the turns by their words alone");
	if (!c->transcripts)
		prog_caution("no transcripts are stored: what they support was not looked at");
}

/* ---- input ---- */

/* Reads the words of --only into bits of enum finding_kind. */
static int
read_kinds(unsigned *kinds, struct err *err)
{
	const char *p = only;

	*kinds = only == NULL ? (1u << N_FINDING_KINDS) - 1 : 0;
	while (p != NULL && *p != '\0') {
		size_t len = strcspn(p, ", "), i = 0;

		while (i < N_FINDING_KINDS && (strlen(finding_kind_names[i]) != len ||
		    strncmp(finding_kind_names[i], p, len) != 0))
			i++;
		if (i == N_FINDING_KINDS)
			return err_set(err, ERR_USAGE, "no kind '%.*s': secret, duplicate, "
			    "contradiction, stale, unsupported, supported and doubtful",
			    (int)len, p);
		*kinds |= 1u << i;
		p += len + strspn(p + len, ", ");
	}
	return 0;
}

static int
read_memory(struct memories *m, char **files, int n, struct store *s, const struct scope *who,
	struct err *err)
{
	struct memories_input in = { map, prog_warning_at, answer != NULL ? "answer" : NULL };
	struct stat st;

	if (answer != NULL && n > 0)
		return err_set(err, ERR_USAGE, "--answer takes no other file");
	if (answer != NULL && stat(answer, &st) == 0 && S_ISDIR(st.st_mode))
		return err_set(err, ERR_USAGE, "--answer takes no directory: '%s'", answer);
	/* that nothing contradicts it would be no more than that nothing was looked at */
	if (answer != NULL && s == NULL)
		return err_set(err, ERR_NOINPUT, "there is no store at '%s' to check it by",
		    conf_db());
	if (answer != NULL)
		return memories_read(m, answer, &in, err);
	if (n == 0)
		return s != NULL ? memories_of_store(m, s, who, err) : 0;
	for (int i = 0; i < n; i++)
		if (memories_read(m, files[i], &in, err) != 0)
			return -1;
	return 0;
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct store *s = NULL;
	LOCAL(memories) m = { .n = 0 };
	struct audit_counts counts = { .records = 0 };
	struct audit_want want = { .now_us = clock_now_us() };
	LOCAL(arena) a = ARENA_INIT;
	bool contradicted = false;
	int i = prog_start(&prog, argc, argv);
	struct scope who = PROG_SCOPE;
	struct shown shown = { .who = &who };

	want.who = &who;
	want.owner = name;
	want.words = words;
	if (read_kinds(&want.kinds, &err) == 0 &&
	    (i < argc || answer != NULL || prog_unread(PROG_UNREAD_MS, &err) == 0) &&
	    ask_open(&s, &err) == 0 &&
	    scope_in(s, &who, prog_cautioned, prog_cautioned, &a, &err) == 0 &&
	    read_memory(&m, argv + i, argc - i, s, &who, &err) == 0) {
		want.store = shown.store = s;
		if ((answer != NULL ? audit_answer : audit_run)(&m, &want, put_finding, &shown,
			&counts, &err) == 0) {
			put_counts(&counts);
			contradicted = answer != NULL && counts.found[FINDING_CONTRADICTION] +
			    counts.found[FINDING_STALE] > 0;
		}
	}
	if (err.code == 0 && m.n_bad > 0)
		err.code = ERR_DATA;           /* each one was reported */
	id_ends_free(&shown.ends);
	store_close(s);
	if (err.code == 0 && contradicted)
		err.code = ERR_NOTFOUND;
	return prog_end(&err);
}
