/*
 * profile_test.c: the file of weights, line by line, and the sum that they make.
 */
#include "tap.h"

#include "rank/profile.h"

static struct profile p;
static struct err err;

static int
read_text(const char *text)
{
	memset(&p, 0, sizeof(p));
	err_clear(&err);
	return profile_read(&p, text, strlen(text), "my weights", &err);
}

static bool
is_near(float a, double b)
{
	return (double)a > b - 1e-5 && (double)a < b + 1e-5;
}

static void
test_good(void)
{
	struct profile was;
	char text[1000];

	is_int(read_text("# mine\n\nchat turn 1.5\n  assistant\tcode   -2e-1 # less\r\nunknown "
			 "capitals 0\nchat turn 2.5"),
	    0, "a good file");
	ok(is_near(p.weight[SESSION_CHAT][SIGNAL_TURN], 2.5),
	    "the last line of a signal is kept, without a line's end too");
	ok(is_near(p.weight[SESSION_ASSISTANT][SIGNAL_CODE], -0.2),
	    "a comment, tabs and a carriage return");
	ok(is_near(p.weight[SESSION_UNKNOWN][SIGNAL_TURN], 0), "other kinds are left alone");
	is_int(read_text(""), 0, "an empty file");
	is_int(read_text("\n \n\t#\n"), 0, "a file of blanks");
	memset(text, '#', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	is_int(read_text(text), 0, "a long comment");

	was = p = profile_default;
	err_clear(&err);
	is_int(profile_read(&p, "chat date 9\n", 12, "x", &err), 0,
	    "over the weights that there are");
	was.weight[SESSION_CHAT][SIGNAL_DATE] = 9;
	ok(memcmp(&p, &was, sizeof(p)) == 0, "just that one is another");
	is_int(profile_read(&p, "chat date 9\nrubbish", 12, "x", &err), 0,
	    "what is behind the length is not read");
}

/* Every signal of every kind can be named, by a name of its own. */
static void
test_names(void)
{
	char text[200];
	unsigned bad = 0;

	for (unsigned k = 0; k < N_PROFILE_KINDS; k++)
		for (unsigned i = 0; i < N_SIGNALS; i++) {
			snprintf(text, sizeof(text), "%s %s 3\n", profile_kind_names[k],
			    signals[i].name);
			bad += read_text(text) != 0 || !is_near(p.weight[k][i], 3) ||
			    signals[i].help == NULL || signals[i].value == NULL;
		}
	is_int(bad, 0, "each signal of each kind");
}

static void
test_bad(void)
{
	static const struct { const char *text, *line; } bad[] = {
		{ "chat turn", "1" }, { "chat turn x\n", "1" }, { "\nchat turn 1 2\n", "2" }, { "# a\n\nchats turn 1\n", "3" }, { "chat turns 1\n", "1" },
		{ "chat turn 1\nchat turn nan\n", "2" }, { "chat turn inf", "1" }, { "chat turn 1e7\n", "1" }, { "chat turn -1e30\n", "1" }, { "turn 1\n", "1" },
		{ "chat averyveryveryverylongnameofasignalthatisnone 1\n", "1" }, { "Chat turn 1\n", "1" }, { "chat, turn, 1\n", "1" },
		{ "chat turn 1                                                                                                              "
			"                                                               \n", "1" },
	};
	char want[100];

	for (size_t i = 0; i < NELEM(bad); i++) {
		int rc = read_text(bad[i].text);
		ok(rc == -1 && err.code == ERR_CONFIG, "refused: %.*s",
		    (int)strcspn(bad[i].text, "\n"), bad[i].text);
		snprintf(want, sizeof(want), "my weights:%s: not \"KIND SIGNAL WEIGHT\"",
		    bad[i].line);
		is_str(err.msg, want, "and its line named");
	}
}

static void
test_score(void)
{
	float x[N_SIGNALS] = { 0 };

	memset(&p, 0, sizeof(p));
	for (unsigned k = 0; k < N_PROFILE_KINDS; k++)
		p.others[k].sd = 1;
	p.weight[SESSION_CHAT][SIGNAL_TURN] = 2;
	p.weight[SESSION_CHAT][N_SIGNALS - 1] = -3;
	p.weight[SESSION_ASSISTANT][SIGNAL_TURN] = 10;
	x[SIGNAL_TURN] = 0.5f;
	x[SIGNAL_WINDOW] = 100;
	x[N_SIGNALS - 1] = 0.25f;
	ok(is_near(profile_score(&p, SESSION_CHAT, x), 0.25), "2 * .5 - 3 * .25");
	ok(is_near(profile_score(&p, SESSION_ASSISTANT, x), 5), "of another kind");
	ok(is_near(profile_score(&p, SESSION_UNKNOWN, x), 0), "of a kind without weights");
	p.others[SESSION_CHAT] = (struct profile_others){ 1.25f, 4 };
	ok(is_near(profile_score(&p, SESSION_CHAT, x), -0.25),
	    "(.25 - 1.25) / 4: among turns that do not answer");
	ok(is_near(profile_mix(1, 3, 0), 1) && is_near(profile_mix(1, 3, 1), 3) &&
		is_near(profile_mix(1, 3, 0.25f), 1.5),
	    "a mix");
	for (unsigned k = 0; k < N_PROFILE_KINDS; k++) {
		double named = (double)(profile_default.weight[k][SIGNAL_NAMED] /
		    profile_default.others[k].sd);
		ok(profile_default.others[k].sd > 0, "%s has a deviation", profile_kind_names[k]);
		ok(k % N_SESSION_KINDS == SESSION_CHAT || k >= PROFILE_MATTER
			? named == 0
			: named > -1.6 && named < -1.4,
		    "%s: 1.5 less where somebody is named, of a chat nothing",
		    profile_kind_names[k]);
	}
}

int
main(void)
{
	test_good();
	test_names();
	test_bad();
	test_score();
	return tap_done();
}
