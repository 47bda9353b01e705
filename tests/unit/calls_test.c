/*
 * calls.c, shell.c, path.c, outcome.c and work_keys.c: calls as each agent writes them, lines of a
 * shell, results and their errors.
 */
#include "calls/calls.h"
#include "calls/change.h"
#include "calls/outcome.h"
#include "calls/work_keys.h"
#include "tap.h"

/* "changed src/a.c; read b | program program | command" of the first call; dirs behind "in". */
static const char *
summary(const char *json, const char *dir)
{
	static const char *const did[] = { "named", "read", "changed" };
	static char out[2000];
	struct arena a = ARENA_INIT;
	const struct call *c;
	size_t n, at = 0;

	calls_read(json, strlen(json), dir, &a, &c, &n);
	out[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		at += (size_t)snprintf(out + at, sizeof(out) - at, "%s", i > 0 ? " / " : "");
		for (size_t j = 0; j < c[i].n_files; j++)
			at += (size_t)snprintf(out + at, sizeof(out) - at, "%s%s %s",
			    j > 0 ? "; " : "", did[c[i].files[j].did], c[i].files[j].path);
		for (size_t j = 0; j < c[i].n_programs; j++)
			at += (size_t)snprintf(out + at, sizeof(out) - at, "%s%s",
			    j > 0 ? " " : " | ", c[i].programs[j]);
		if (c[i].command != NULL)
			at += (size_t)snprintf(out + at, sizeof(out) - at, " | %s", c[i].command);
	}
	arena_release(&a);
	return out;
}

/* A call of a shell with this line, which has no quotes of JSON in it. */
static const char *
line(const char *text)
{
	static char json[2000];
	const char *bar;
	char *s;

	snprintf(json, sizeof(json), "[{\"function\":{\"name\":\"Bash\",\"arguments\":"
	    "{\"command\":\"%s\"}}}]", text);
	s = (char *)summary(json, "/p");
	if ((bar = strrchr(s, '|')) != NULL && strstr(text, "|") == NULL)
		s[bar - s] = '\0';
	return s;
}

static void
test_agents(void)
{
	static const struct { const char *who, *json, *want; } cases[] = {
		{ "Claude Code reads", "[{\"id\":\"t\",\"function\":{\"name\":\"Read\",\"arguments\":"
		    "\"{\\\"file_path\\\":\\\"/p/src/login.js\\\"}\"}}]", "read /p/src/login.js" },
		{ "Claude Code edits", "[{\"function\":{\"name\":\"Edit\",\"arguments\":"
		    "\"{\\\"file_path\\\":\\\"/p/a.c\\\",\\\"old_string\\\":\\\"x\\\"}\"}}]",
		    "changed /p/a.c" },
		{ "Codex, a shell as words", "[{\"function\":{\"name\":\"shell\",\"arguments\":"
		    "\"{\\\"command\\\":[\\\"bash\\\",\\\"-lc\\\",\\\"sed -n 1,20p lib/x.c\\\"],"
		    "\\\"workdir\\\":\\\"/w\\\"}\"}}]",
		    "read /w/lib/x.c | sed | sed -n 1,20p lib/x.c" },
		{ "Codex, words without a shell", "[{\"function\":{\"name\":\"shell\",\"arguments\":"
		    "{\"command\":[\"git\",\"commit\",\"-m\",\"a b\"]}}}]",
		    " | git | git commit -m 'a b'" },
		{ "Codex, a patch", "[{\"function\":{\"name\":\"apply_patch\",\"arguments\":"
		    "\"*** Begin Patch\\n*** Update File: lib/x.c\\n@@\\n-a\\n+b\\n"
		    "*** Add File: new.h\\n+c\\n*** End Patch\"}}]",
		    "changed /p/lib/x.c; changed /p/new.h" },
		{ "Codex, a patch in a shell", "[{\"function\":{\"name\":\"exec_command\",\"arguments\":"
		    "{\"cmd\":\"apply_patch <<'EOF'\\n*** Begin Patch\\n*** Delete File: old.c\\n"
		    "*** End Patch\\nEOF\\n\"}}}]",
		    "changed /p/old.c | apply_patch | apply_patch <<'EOF'\n*** Begin Patch\n"
		    "*** Delete File: old.c\n*** End Patch\nEOF\n" },
		{ "codex exec", "[{\"function\":{\"name\":\"file_change\",\"arguments\":"
		    "\"[{\\\"path\\\":\\\"pump.c\\\",\\\"kind\\\":\\\"update\\\"}]\"}}]",
		    "changed /p/pump.c" },
		{ "Codex, local_shell", "[{\"function\":{\"name\":\"local_shell\",\"arguments\":"
		    "{\"type\":\"exec\",\"action\":{\"command\":[\"ls\"]}}}}]", " | ls | ls" },
		{ "Gemini writes", "[{\"function\":{\"name\":\"write_file\",\"arguments\":"
		    "{\"file_path\":\"/p/a.md\",\"content\":\"hi\"}}}]", "changed /p/a.md" },
		{ "Gemini reads", "[{\"function\":{\"name\":\"read_file\",\"arguments\":"
		    "{\"absolute_path\":\"/p/a.md\"}}}]", "read /p/a.md" },
		{ "OpenCode", "[{\"function\":{\"name\":\"edit\",\"arguments\":"
		    "{\"filePath\":\"/p/b.ts\",\"oldString\":\"x\"}}}]", "changed /p/b.ts" },
		{ "an editor's view", "[{\"function\":{\"name\":\"str_replace_editor\",\"arguments\":"
		    "{\"command\":\"view\",\"path\":\"/p/v.py\"}}}]", "read /p/v.py" },
		{ "an editor's insert", "[{\"name\":\"str_replace_editor\",\"input\":"
		    "{\"command\":\"insert\",\"path\":\"/p/v.py\"}}]", "changed /p/v.py" },
		{ "Cline's words", "[{\"function\":{\"name\":\"execute_command\",\"arguments\":"
		    "\"npm test\"}}]", " | npm | npm test" },
		{ "Cursor", "[{\"function\":{\"name\":\"read_file\",\"arguments\":"
		    "{\"target_file\":\"src/q.rs\"}}}]", "read /p/src/q.rs" },
		{ "a search names its place", "[{\"function\":{\"name\":\"Grep\",\"arguments\":"
		    "{\"pattern\":\"x\",\"path\":\"lib/y.c\"}}}]", "named /p/lib/y.c" },
		{ "several files", "[{\"function\":{\"name\":\"read_files\",\"arguments\":"
		    "{\"paths\":[\"a.c\",\"b.c\"]}}}]", "read /p/a.c; read /p/b.c" },
		{ "two calls", "[{\"name\":\"Read\",\"input\":{\"file_path\":\"a.c\"}},"
		    "{\"name\":\"Read\",\"input\":{\"file_path\":\"b.c\"}}]",
		    "read /p/a.c / read /p/b.c" },
		{ "Windows", "[{\"function\":{\"name\":\"Read\",\"arguments\":"
		    "{\"file_path\":\"C:\\\\src\\\\a.c\"}}}]", "read C:/src/a.c" },
		{ "no JSON", "[{", "" },
		{ "no arguments", "[{\"function\":{\"name\":\"TodoWrite\"}}]", "" },
		{ "what is no call", "[1,\"a\",{\"a\":1}]", "" },
		{ "a path that is none", "[{\"function\":{\"name\":\"Read\",\"arguments\":"
		    "{\"file_path\":\"/\"}}}]", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_str(summary(cases[i].json, "/p"), cases[i].want, "%s", cases[i].who);
}

static void
test_lines(void)
{
	static const struct { const char *line, *want; } cases[] = {
		{ "make -j2 check", " | make " },
		{ "cd lib && cat x.c", "read /p/lib/x.c | cd cat " },
		{ "CC=gcc sudo make; echo done", " | make echo " },
		{ "echo hi > out.txt 2>/dev/null", "changed /p/out.txt | echo " },
		{ "make 2>&1 >> log.txt", "changed /p/log.txt | make " },
		{ "sed -i s/a/b/ src/x.c", "changed /p/src/x.c | sed " },
		{ "sed -n 1,5p Makefile", "read /p/Makefile | sed " },
		{ "grep -rn foo.c lib/y.c", "read /p/lib/y.c | grep " },
		{ "head -n 20 a.md", "read /p/a.md | head " },
		{ "cp a.c b.c", "read /p/a.c; changed /p/b.c | cp " },
		{ "rm -f 'my file.txt'", "changed /p/my file.txt | rm " },
		{ "python3 tools/gen.py --out x.h", "named /p/tools/gen.py; named /p/x.h | python3 " },
		{ "git add lib/a.c", "named /p/lib/a.c | git " },
		{ "git mv a.c b.c", "changed /p/a.c; changed /p/b.c | git " },
		{ "cat $FILE *.c http://a.b/c.d", " | cat " },
		{ "cat <<EOF > new.c\\nrm x.c\\nEOF\\nls", "changed /p/new.c | cat ls " },
		{ "timeout 60 bash -c 'cat q.c'", "read /p/q.c | cat " },
		{ "if [ -f a.c ]; then make a.o; fi", "named /p/a.c; named /p/a.o | [ make " },
		{ "# cat a.c\\nls", " | ls " },
		{ "(cd sub; touch n.c) &", "changed /p/sub/n.c | cd touch " },
		{ "cat a.c 'unended", "read /p/a.c; read /p/unended | cat " },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_str(line(cases[i].line), cases[i].want, "%s", cases[i].line);
}

static void
test_paths(void)
{
	struct arena a = ARENA_INIT;

	is_str(path_join("/a/b", "../c/./d//e.c", 14, &a), "/a/c/d/e.c", "a path is made clean");
	is_str(path_join("/a", "/x/y", 4, &a), "/x/y", "an absolute one needs no directory");
	is_str(path_join("", "../../x", 7, &a), "../../x", "what is above an unknown place stays");
	is_str(path_join("/a", "../../x", 7, &a), "/x", "nothing is above the root");
	is_str(path_join("/a", "~ann/../x", 9, &a), "~ann/../x", "nor above a home");
	is_str(path_join("", "a/../c\\d", 8, &a), "c/d",
	    "a backslash parts where no slash is left, as it would in what comes out");
	is_str(path_join("C:\\x", "a/b\\c", 5, &a), "C:/x/a/b/c", "and below a drive");
	ok(path_ends("/srv/u/p/src/x.c", "src/x.c"), "the end of a path finds it");
	ok(!path_ends("/srv/u/p/asrc/x.c", "src/x.c"), "but only whole parts");
	ok(!path_ends("/srv/u/src/x.c", "/src/x.c"), "an absolute one only itself");
	ok(path_ends("src/x.c", "/srv/u/src/x.c"), "a relative one that is stored may be it");
	arena_release(&a);
}

static void
test_outcomes(void)
{
	static const struct { const char *text, *extra; int worked, status; } cases[] = {
		{ "Exit code 2\nboom", "{\"is_error\":true}", WORKED_NO, 2 },
		{ "fine", "{\"is_error\":false}", WORKED_YES, EXIT_UNKNOWN },
		{ "Exit code: 0\nWall time: 1 seconds\nOutput:\nok", "", WORKED_YES, 0 },
		{ "Process exited with code 127\nsh: foo: not found", "", WORKED_NO, 127 },
		{ "Output: x\nExit Code: 1\nSignal: (none)", "", WORKED_NO, 1 },
		{ "out", "{\"exit_code\":3}", WORKED_NO, 3 },
		{ "what an exit code is", "", WORKED_UNKNOWN, EXIT_UNKNOWN },
		{ "", "", WORKED_UNKNOWN, EXIT_UNKNOWN },
	};
	struct outcome o;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		outcome_read(cases[i].text, strlen(cases[i].text), cases[i].extra, &o);
		ok((int)o.worked == cases[i].worked && o.status == cases[i].status,
		    "outcome %zu", i);
	}
}

/* The first error of a result that failed. */
static const char *
first_error(const char *text, struct arena *a)
{
	const struct outcome failed = { WORKED_NO, EXIT_UNKNOWN };
	struct error_line l[8];

	return errors_read(text, strlen(text), &failed, a, l, 8) > 0 ? l[0].norm : "";
}

static void
test_errors(void)
{
	static const struct { const char *a, *b; bool same; } cases[] = {
		{ "src/a.c:12:5: error: unknown type name 'thing'",
		    "lib/b.c:900:1: error: unknown type name 'thing'", true },
		{ "error: unknown type name 'one'", "error: unknown type name 'two'", false },
		{ "KeyError in /srv/a/x.py at 0x7ffe01", "KeyError in /tmp/x.py at 0x1", true },
		{ "error[E0382]: borrow of moved value", "error[E0499]: borrow of moved value", false },
		{ "error: thing_7 is not declared", "error: thing_21 is not declared", false },
		{ "error: it took 17 ms on line 3", "error: it took 5 ms on line 1000", true },
		{ "bash: foo: command not found", "bash: bar: command not found", false },
		{ "\x1b[31merror\x1b[0m: no such table: users", "Error: no such table: users", true },
		{ "Traceback (most recent call last):\n  File \"x\"\nKeyError: 'colour'",
		    "KeyError: 'colour'", true },
	};
	static const char *const closings[] = { "gmake[1]: *** [all] Error 1",
		"npm ERR! code ELIFECYCLE", "npm error Lifecycle script `build` failed with error:",
		"ninja: build stopped: subcommand failed.", "FAILED: obj/kiln.o",
		"error: could not compile `kiln` (bin \"kiln\") due to 1 previous error",
		"ERROR: Failed building wheel for kiln", "error: subprocess-exited-with-error",
		"FAILED tests/kiln.py::test_heat - assert 3 == 4",
		"==== 1 failed, 2 passed in 3s ====",
		"FAILURE: Build failed with an exception.", "BUILD FAILED in 12s",
		"[ERROR] Failed to execute goal x:y on project kiln: Compilation failure",
		"FAIL kiln/heat [build failed]", "error: the recipe of the kiln exited with code 4",
		"fatal: Could not read from remote repository." };
	struct arena a = ARENA_INIT;
	struct outcome worked = { WORKED_YES, 0 };
	struct error_line l[8];
	const char *text;
	size_t n;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *x = first_error(cases[i].a, &a), *y = first_error(cases[i].b, &a);

		if (!ok(*x != '\0' && (strcmp(x, y) == 0) == cases[i].same, "errors %zu", i))
			tap_note("%s\n%s", x, y);
	}
	is_str(first_error("Exit code 1\nString to replace is not there", &a),
	    "string to replace is not there", "of what failed without a cue the first line counts");
	is_int(errors_read("error: this is bad here", 23, &worked, &a, l, 8), 0,
	    "what worked has no errors");
	is_str(first_error("0 errors, 12 tests\nno errors were found\nall is well now", &a),
	    "0 errors, 0 tests", "no errors are none, but something failed");
	n = errors_read("a: fatal: the first thing\nfine\nerror: the second thing\n", 55,
	    &(struct outcome){ WORKED_UNKNOWN, EXIT_UNKNOWN }, &a, l, 8);
	is_int((int64_t)n, 2, "each line with an error");
	n = errors_read("error: disk 3 is gone\nfine\nerror: disk 3 is gone\nerror: disk 4 is "
	    "gone\nwarning: a fatal: other thing\n", 93,
	    &(struct outcome){ WORKED_UNKNOWN, EXIT_UNKNOWN }, &a, l, 8);
	is_int((int64_t)n, 2, "the same one once, also with another number in it");
	for (size_t i = 0; i < sizeof(closings) / sizeof(closings[0]); i++) {
		n = errors_read(closings[i], strlen(closings[i]),
		    &(struct outcome){ WORKED_NO, EXIT_UNKNOWN }, &a, l, 8);
		ok(n == 0 || (n == 1 && l[0].kind == ERROR_CLOSING), "closing line %zu", i);
	}
	text = "\x1b[31mmake[2]: *** [kiln.mk:7: all] Error 2\x1b[0m\n"
	    "info: it is warm today\nburner: no board answers\nburner: exit status 3\n";
	n = errors_read(text, strlen(text), &(struct outcome){ WORKED_UNKNOWN, EXIT_UNKNOWN }, &a,
	    l, 8);
	ok(n == 2 && strcmp(l[0].norm, "burner: no board answers") == 0 &&
	    l[0].kind == ERROR_TOLD && l[1].kind == ERROR_CLOSING,
	    "what a program says comes before the closing lines");
	arena_release(&a);
}

static void
test_keys(void)
{
	const char *calls = "[{\"function\":{\"name\":\"Bash\",\"arguments\":"
	    "{\"command\":\"cat /a/x.c /b/x.c | wc\"}}}]";
	const struct work_text call = { calls, "", "", 0, false };
	const struct work_text result = { NULL, "fatal: it is broken", "", 19, true };
	const struct work_text said = { NULL, "fatal: it is broken", "", 19, false };
	struct arena a = ARENA_INIT;
	uint64_t keys[WORK_KEYS_MOST];
	size_t n;

	work_keys_read(&call, &a, keys, &n);
	is_int((int64_t)n, 3, "one file of that name, two programs");
	ok(keys[0] == work_key(WORK_FILE, "x.c") && keys[1] == work_key(WORK_COMMAND, "cat"),
	    "by the name alone");
	ok(work_key_kind(keys[0]) == WORK_FILE && work_key_kind(keys[2]) == WORK_COMMAND, "kinds");
	work_keys_read(&result, &a, keys, &n);
	is_int((int64_t)n, 1, "the error of a result");
	work_keys_read(&said, &a, keys, &n);
	is_int((int64_t)n, 0, "what somebody says is none");
	arena_release(&a);
}

static void
test_sides(void)
{
	const char *edit = "[{\"function\":{\"name\":\"edit\",\"arguments\":"
	    "{\"filePath\":\"/p/b.ts\",\"oldString\":\"let a;\","
	    "\"newString\":\"let a;\\nlet b;\"}}}]";
	const char *whole = "[{\"function\":{\"name\":\"write_to_file\",\"arguments\":"
	    "{\"TargetFile\":\"/p/c.ts\",\"CodeContent\":\"let c;\\n\"}}}]";
	const char *const lines[] = { "let a;", "let b;" };
	struct arena a = ARENA_INIT;
	struct change c;

	is_int((int64_t)calls_wrote(edit, strlen(edit), lines, 2, &a), 1,
	    "an edit of opencode wrote the line that was not there");
	change_read(whole, strlen(whole), "/p", &a, &c);
	ok(c.n == 1 && c.lines[0].side == CHANGE_GAINED,
	    "a file that is written whole gains its lines, whatever they are called");
	arena_release(&a);
}

int
main(void)
{
	test_agents();
	test_lines();
	test_paths();
	test_outcomes();
	test_errors();
	test_keys();
	test_sides();
	return tap_done();
}
