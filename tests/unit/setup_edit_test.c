/*
 * setup_edit_test.c: what is added to a configuration file and taken out again: nothing else in it
 * changes, whatever it looks like; what cannot be given back is refused.
 */
#include "base/buf.h"
#include "setup/edit.h"
#include "tap.h"

static const struct commands commands = { "/opt/mem-hook", "/opt/mem-mcp",
	{ "--db=/m.db", NULL } };
static const char hooks[] = "{\"version\": 1, \"hooks\": "
	"{\"stop\": [{\"command\": \"mem-hook c stop\"}], "
	"\"prompt\": [{\"command\": \"mem-hook c prompt\", \"timeout\": 5}]}}";
static const char server[] = "{\"servers\": {\"mem\": {\"command\": \"mem-mcp\", \"args\": []}}}";
static const char tables[] = "{\"hooks\": [{\"event\": \"Prompt\", "
	"\"command\": \"mem-hook c prompt\"}]}";
static struct arena arena = ARENA_INIT;
static struct buf out, again;
static struct err err;

static struct pieces
pieces_of(const char *a, const char *b)
{
	struct pieces p = { NULL, 0, 0 };

	if (pieces_add(&p, a, &commands, &arena, &err) != 0 ||
	    (b != NULL && pieces_add(&p, b, &commands, &arena, &err) != 0))
		tap_note("%s", err.msg);
	return p;
}

static int
add(enum wire_form form, const char *text, const struct pieces *p)
{
	struct edit_original o = { text, strlen(text) };

	err = (struct err)ERR_INIT;
	return edit_add(form, text, o.len, &o, p, &out, &err);
}

static bool
removes(enum wire_form form, const char *text, const char *original, const struct pieces *p,
	const char *want)
{
	struct edit_original o = { original, strlen(original) };

	err = (struct err)ERR_INIT;
	if (edit_remove(form, text, strlen(text), &o, p, &again, &err) != 0) {
		tap_note("%s", err.msg);
		return false;
	}
	if (strcmp(again.data, want) != 0)
		tap_note("want:\n%s\ngot:\n%s\nfrom:\n%s", want, again.data, text);
	return strcmp(again.data, want) == 0;
}

static void
replace(const char *text, const char *what, const char *by, struct buf *to)
{
	const char *at = strstr(text, what);

	buf_reset(to);
	if (at != NULL) {
		buf_add(to, text, (size_t)(at - text));
		buf_adds(to, by);
		text = at + strlen(what);
	}
	buf_adds(to, text);
}

/* For each text: all in, again nothing, all out; and so with what the user changes in between. */
static void
there_and_back(enum wire_form form, const char *const *texts, size_t n, const struct pieces *p)
{
	struct buf changed, want;

	buf_init(&changed, 1 << 20);
	buf_init(&want, 1 << 20);
	for (size_t i = 0; i < n; i++) {
		struct edit_original o = { texts[i], strlen(texts[i]) };
		size_t has = 0;
		char *first;

		if (!ok(add(form, texts[i], p) == 0, "%d.%zu: is added: %s", form, i, err.msg))
			continue;
		first = strdup(out.data);
		ok(edit_count(form, first, strlen(first), &o, p, &has, &err) == 0 && has == p->n,
		    "%d.%zu: all of it", form, i);
		ok(edit_add(form, first, strlen(first), &o, p, &again, &err) == 0 &&
			strcmp(first, again.data) == 0,
		    "%d.%zu: a second time changes nothing", form, i);
		ok(removes(form, first, texts[i], p, texts[i]), "%d.%zu: is given back", form, i);
		replace(first, "dark", "light", &changed);
		replace(texts[i], "dark", "light", &want);
		ok(removes(form, changed.data, texts[i], p, want.data),
		    "%d.%zu: without what was changed elsewhere", form, i);
		free(first);
	}
	buf_release(&changed);
	buf_release(&want);
}

static void
test_json(void)
{
	static const char *const texts[] = { "", "\n", "{}", "{}\n", "{ }\n", "{\n}\n", "// none\n",
		"// none", "{\"theme\": \"dark\"}", "{ \"theme\": \"dark\" }\n",
		"{\n  \"theme\": \"dark\"\n}\n", "{\n\t\"theme\": \"dark\",\n}\n",
		"{\n    \"theme\": \"dark\", // why\n    /* end */\n}\n",
		"{\r\n  \"theme\": \"dark\"\r\n}\r\n", "\xef\xbb\xbf{\"hooks\": {}}",
		"{\n  \"hooks\": {},\n  \"theme\": \"dark\"\n}\n",
		"{\n  \"hooks\": {\n    \"stop\": []\n  },\n  \"theme\": \"dark\"\n}\n",
		"{\"hooks\":{\"stop\":[{\"command\":\"x\"}]},\"servers\":{\"a\":{\"b\":\"c\"}}}",
		"{\n \"hooks\": {\n  \"stop\": [ // 1\n   {\n   } // 2\n ]\n },\n \"b\": 2 // 3\n}",
		"{ \"version\": 1,\n  \"hooks\": { \"prompt\": [ { \"command\": \"y\" } ]\n} }",
		"{\"servers\": { /* none yet */ }, \"theme\": \"dark\"}",
		"{\"a\": [1, 2, {\"hooks\": \"\\\"// }\"}],\n \"theme\": \"dark\"}",
		"{\n  \"version\": 2, \"hooks\": {\n  }\n}" };
	static const char *const refused[] = { "[]", "{\"hooks\": []}",
		"{\"hooks\": {\"stop\": {}}}",
		"{\"servers\": {\"mem\": {\"command\": \"other\"}}}", "{\"a\": 1",
		"{\"a\": 1} x", "{'a': 1}", "{\"a\" 1}", "{\"a\": 1 \"b\": 2}", "/* no end",
		"{\"a\": tru}", "{,}" };
	struct pieces p = pieces_of(hooks, server), one = pieces_of(server, NULL);
	struct buf kept;

	there_and_back(WIRE_JSON, texts, sizeof(texts) / sizeof(*texts), &p);
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		ok(add(WIRE_JSON, refused[i], &p) != 0 && err.code == ERR_DATA,
		    "refused: %s (%s)", refused[i], err.msg);
	add(WIRE_JSON, "{\n  \"theme\": \"dark\" // why\n}\n", &one);
	is_str(out.data,
	    "{\n  \"theme\": \"dark\", // why\n  \"servers\": {\n    \"mem\": {\n"
	    "      \"command\": \"/opt/mem-mcp\",\n      \"args\": [\"--db=/m.db\"]\n"
	    "    }\n  }\n}\n",
	    "is laid out as the text around it");
	add(WIRE_JSON, "{\"a\":1}", &one);
	is_str(out.data,
	    "{\"a\":1, \"servers\": {\"mem\": {\"command\": \"/opt/mem-mcp\", \"args\": "
	    "[\"--db=/m.db\"]}}}",
	    "a file of one line stays one");
	buf_init(&kept, 1 << 20);
	replace(out.data, "{\"mem\"", "{\"new\": {\"command\": \"y\"}, \"mem\"", &kept);
	ok(removes(WIRE_JSON, kept.data, "{\"a\":1}", &one,
		"{\"a\":1, \"servers\": {\"new\": {\"command\": \"y\"}}}"),
	    "what others added beside it stays, before it");
	replace(out.data, "}}}", "}, \"new\": 2}}", &kept);
	ok(removes(WIRE_JSON, kept.data, "{\"a\":1}", &one,
		"{\"a\":1, \"servers\": { \"new\": 2}}"),
	    "and behind it");
	replace(out.data, "/opt/", "/usr/", &kept);
	ok(edit_add(WIRE_JSON, kept.data, kept.len, &(struct edit_original){ "{\"a\":1}", 7 }, &one,
		&again, &err) == 0 && strcmp(again.data, out.data) == 0,
	    "another path takes the place of the old one");
	add(WIRE_JSON, "{\"servers\": {\"mem\": {\"command\": \"mem-mcp\"}}}", &one);
	is_str(out.data, "{\"servers\": {\"mem\": {\"command\": \"mem-mcp\"}}}",
	    "what the user wired by hand is left");
	buf_release(&kept);
	free(p.list);
	free(one.list);
}

static void
test_toml(void)
{
	static const char *const texts[] = { "", "\n", "# none", "theme = \"dark\"",
		"theme = \"dark\"\n", "theme = \"dark\"\r\n[a]\r\nb = 1\r\n",
		"[a.b] # x\nc = [\n  1, # one ]\n  { d = \"]\" },\n]\ntheme = 'dark'\n\n\n",
		"s = \"\"\"\n[servers.mem]\n\\\"\"\"\"\nt = '''\n'x''''\ntheme = \"dark\"",
		"[servers.\"b\"]\ncommand = 'x'\n[[hooks]]\nevent = 'A'\ncommand = 'b'\n# dark\n",
		"\"quoted key\" = 1 # dark\n[ servers . a ]\ncommand='x'\n" };
	static const char *const refused[] = { "servers = {}", "servers.mem = 1",
		"servers.mem.command = 'x'", "[servers]\nmem = {}",
		"[servers.mem]\ncommand = \"x\"\n",
		"[[servers.mem]]\na = 1", "hooks = []", "[hooks]\na = 1", "a = \"", "a = [1", "a",
		"[a\nb = 1", "a = 1 ]", "= 1", "s = '''\n[servers.mem]\n" };
	struct pieces p = pieces_of(tables, server);
	struct buf kept;

	there_and_back(WIRE_TOML, texts, sizeof(texts) / sizeof(*texts), &p);
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		ok(add(WIRE_TOML, refused[i], &p) != 0 && err.code == ERR_DATA,
		    "refused: %s (%s)", refused[i], err.msg);
	add(WIRE_TOML, "a = 1\n", &p);
	is_str(out.data,
	    "a = 1\n\n[[hooks]]\nevent = \"Prompt\"\n"
	    "command = \"/opt/mem-hook --db=/m.db c prompt\"\n"
	    "\n[servers.mem]\ncommand = \"/opt/mem-mcp\"\nargs = [\"--db=/m.db\"]\n",
	    "tables at the end");
	buf_init(&kept, 1 << 20);
	buf_adds(&kept, out.data);
	buf_adds(&kept, "[servers.mem.tools]\nrecall = \"yes\"\n\n[new]\nb = 2\n");
	ok(removes(WIRE_TOML, kept.data, "a = 1\n", &p, "a = 1\n\n[new]\nb = 2\n"),
	    "what others added behind it stays, but for what hangs on it");
	buf_release(&kept);
	free(p.list);
}

static void
test_yaml(void)
{
	static const char *const texts[] = { "", "\n", "# none", "theme: dark", "theme: dark\n",
		"---\ntheme: dark\r\n", "theme: dark\nservers:\n  a:\n    command: x\nlast: 1\n",
		"servers:\n    # dark\n    a: {command: x}\n    b:\n        args:\n        - y\n",
		"servers: {}\ntheme: dark\n", "servers: {}", "servers:\ntheme: dark", "servers:",
		"a: |\n  servers:\n    mem: dark\n'servers': # here\n  \"a\":\n    b: 1\n",
		"list:\n- one\n- two: dark\nservers:\n\n  a: 1\n\n" };
	static const char *const refused[] = { "servers: x", "servers: {a: 1}", "servers:\n- a\n",
		"{servers: {}}", "- a\nb", "servers:\n  a: 1\nservers:\n  b: 1\n", "a: 1\n...\n",
		"a: 1\n---\nb: 1\n", "servers:\n  mem:\n    command: x\n", "word\n",
		"servers: &a\n  b: 1\n", "  theme: dark\n  last: 1\n", "- a\n- b\n",
		"---\n  servers:\n    a: 1\n" };
	struct pieces p = pieces_of(server, NULL);
	struct buf kept;

	there_and_back(WIRE_YAML, texts, sizeof(texts) / sizeof(*texts), &p);
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		ok(add(WIRE_YAML, refused[i], &p) != 0 && err.code == ERR_DATA,
		    "refused: %s (%s)", refused[i], err.msg);
	add(WIRE_YAML, "servers:\n    a: 1\n", &p);
	is_str(out.data,
	    "servers:\n    mem:\n        command: \"/opt/mem-mcp\"\n"
	    "        args: [\"--db=/m.db\"]\n    a: 1\n",
	    "indented as the others");
	buf_init(&kept, 1 << 20);
	replace(out.data, "    a: 1", "    new: 2\n    a: 1", &kept);
	ok(removes(WIRE_YAML, kept.data, "servers:\n    a: 1\n", &p,
		"servers:\n    new: 2\n    a: 1\n"),
	    "what others added stays");
	buf_release(&kept);
	free(p.list);
}

static void
test_commands(void)
{
	static const struct commands spaced = { "/my bin/it's", "/my bin/mem-mcp", { NULL } };
	struct pieces p = { NULL, 0, 0 };

	pieces_add(&p, tables, &spaced, &arena, &err);
	is_str(json_get_string(p.list[0].value, "command", NULL), "'/my bin/it'\\''s' c prompt",
	    "a command with blanks is quoted");
	free(p.list);
}

int
main(void)
{
	buf_init(&out, 1 << 20);
	buf_init(&again, 1 << 20);
	test_json();
	test_toml();
	test_yaml();
	test_commands();
	buf_release(&out);
	buf_release(&again);
	arena_release(&arena);
	return tap_done();
}
