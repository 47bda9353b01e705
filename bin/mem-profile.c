/* mem-profile: what you say about yourself, used only while you agree */
#include "base/utf8.h"
#include "clean/clean_text.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "json/json.h"
#include "store/about.h"
#include "gen/programs.h"

#define LABEL_COLUMNS 14

static const struct prog_opt opts[] = {
	{ 'd', "db", "FILE", OPT_CONF, NULL, "db", 0, 0, "the database file" },
	{ 'u', "user", "NAME", OPT_CONF, NULL, "user", 0, 0, "whose profile (default: default)" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_PROFILE };

struct person {
	struct store *s;
	struct scope who;
	bool yes;
	int64_t since_us;
	size_t n;
	struct err *err;
};

/* ---- show ---- */

static int
put_field(void *arg, const struct about *v)
{
	struct person *p = arg;
	struct buf *out = prog_out();

	p->n++;
	if (prog_for_people()) {
		buf_addf(out, "%-*s", LABEL_COLUMNS, about_meanings[v->field]);
		print_safe(out, v->value, strlen(v->value));
	} else {
		json_record(out, "profile");
		json_str(out, "user", p->who.user);
		json_time(out, "time", v->updated_us);
		json_str(out, "field", about_fields[v->field]);
		json_str(out, "value", v->value);
		json_bool(out, "consent", p->yes);
		json_close(out);
	}
	buf_addc(out, '\n');
	return 0;
}

static int
show(struct person *p)
{
	if (about_consent(p->s, &p->who, &p->yes, &p->since_us, p->err) < 0 ||
	    about_each(p->s, &p->who, put_field, p, p->err) < 0)
		return -1;
	if (prog_for_people() && p->n > 0)
		buf_addf(prog_out(), "%-*s%s\n", LABEL_COLUMNS, "consent",
		    p->yes ? "yes" : "no: it is not used");
	else if (p->n == 0)
		prog_note("there is no profile");
	return 0;
}

/* Whether it may be used: a record for scripts, also of a user without a field. */
static int
show_consent(struct person *p)
{
	struct buf *out = prog_out();
	char day[TIME_TEXT];

	if (about_consent(p->s, &p->who, &p->yes, &p->since_us, p->err) < 0)
		return -1;
	if (p->since_us == 0)
		p->since_us = TIME_NONE;       /* nobody ever said so */
	if (prog_for_people()) {
		buf_adds(out, p->yes ? "yes" : "no: it is not used");
		if (p->since_us != TIME_NONE)
			buf_addf(out, ", since %s", time_format_day_local(p->since_us, day));
	} else {
		json_record(out, "consent");
		json_str(out, "user", p->who.user);
		json_time(out, "time", p->since_us);
		json_bool(out, "consent", p->yes);
		json_close(out);
	}
	buf_addc(out, '\n');
	return 0;
}

/* ---- change ---- */

/*
 * The text goes into prompts, so secrets are redacted, as in all that is stored. An empty text
 * removes the field.
 */
static int
set_field(struct person *p, int field, const char *text)
{
	LOCAL(arena) a = ARENA_INIT;
	size_t len = strlen(text);
	return about_put(p->s, &p->who, field,
	    clean_typed(text, &len, conf_bool("keep_secrets"), &a), p->err);
}

static int
change(struct person *p, char **args)
{
	if (strcmp(args[0], "set") == 0)
		return set_field(p, about_field_parse(args[1]), args[2]);
	if (strcmp(args[0], "consent") == 0)
		return about_set_consent(p->s, &p->who, strcmp(args[1], "yes") == 0, p->err);
	return about_revoke(p->s, &p->who, &p->n, p->err);
}

static int
run(struct person *p, char **args)
{
	bool revoked = strcmp(args[0], "revoke") == 0, consent = strcmp(args[0], "consent") == 0;

	if (store_begin_user(p->s, p->who.user, p->err) < 0)
		return -1;
	if (store_end(p->s, change(p, args), p->err) < 0)
		return -1;
	/* what was removed still stands in the write-ahead log */
	if (!consent && store_settle(p->s, p->err) < 0) {
		prog_warn("it is gone from the memory, but its bytes are in the file until "
			  "'mem-profile revoke' or the like succeeds");
		return -1;
	}
	if (revoked)
		prog_note("%zu fields and their vectors are gone", p->n);
	else if (about_consent(p->s, &p->who, &p->yes, &p->since_us, p->err) < 0)
		return -1;
	else if (!p->yes && !consent)
		prog_note("it is not used before 'mem-profile consent yes'");
	return 0;
}

static int
check_operands(char **args, int n, struct err *err)
{
	static const struct {
		const char *name;
		int n, least;
	} words[] = { { "show", 0, 0 }, { "set", 2, 2 }, { "consent", 1, 0 },
		{ "revoke", 0, 0 } };
	size_t i;

	if (n == 0)
		return 0;
	for (i = 0; i < NELEM(words) && strcmp(words[i].name, args[0]) != 0; i++)
		continue;
	if (i == NELEM(words))
		return err_set(err, ERR_USAGE, "show, set, consent or revoke, not '%s'", args[0]);
	if (n - 1 > words[i].n || n - 1 < words[i].least)
		return err_set(err, ERR_USAGE, "'%s' takes %s", args[0],
		    words[i].n == 0	  ? "nothing more"
			: words[i].n == 1 ? "yes, no or nothing more"
					  : "a field and a text");
	if (words[i].n == 1 && n == 2 && strcmp(args[1], "yes") != 0 && strcmp(args[1], "no") != 0)
		return err_set(err, ERR_USAGE, "consent is yes or no, not '%s'", args[1]);
	if (words[i].n < 2)
		return 0;
	if (about_field_parse(args[1]) < 0)
		return err_set(err, ERR_USAGE,
		    "unknown field '%s': style, languages, frameworks, goals, domain, constraints "
		    "or notes",
		    args[1]);
	if (!utf8_valid(args[2], strlen(args[2])))
		return err_set(err, ERR_DATA, "a text that is not UTF-8");
	return 0;
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct person p = { .err = &err };
	int i = prog_start(&prog, argc, argv), n = argc - i;
	bool consent = n == 1 && strcmp(argv[i], "consent") == 0;
	bool reads = n == 0 || consent || strcmp(argv[i], "show") == 0;
	enum store_mode mode = reads	     ? STORE_READ
	    : strcmp(argv[i], "revoke") == 0 ? STORE_WRITE
					     : STORE_CREATE;

	p.who = (struct scope){ conf_text("user"), NULL, NULL, NULL };
	if (check_operands(argv + i, n, &err) < 0 ||
	    (n == 0 && prog_unread(PROG_UNREAD_MS, &err) < 0))
		return prog_end(&err);
	if (store_open(conf_db(), mode, &p.s, &err) == 0) {
		if (consent)
			show_consent(&p);
		else if (reads)
			show(&p);
		else
			run(&p, argv + i);
	} else {
		prog_empty(&err);
	}
	store_close(p.s);
	return prog_end(&err);
}
