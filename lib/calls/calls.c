/*
 * calls.c: hosts differ in the names of tools and of their arguments, and agree on what an argument
 * with a certain name means. So it is the names that are read, by tables: where a path may stand,
 * where a command, and what in a tool's name says that it changes a file.
 */
#include "calls/calls.h"

#include "base/ascii.h"
#include "calls/calls_parts.h"
#include "gen/calls_rows.h"
#include "json/json.h"

static const char *const path_keys[] = { CALLS_PATH_KEYS NULL };
static const char *const command_keys[] = { CALLS_COMMAND_KEYS NULL };
static const char *const dir_keys[] = { CALLS_DIR_KEYS NULL };
/* In a tool's name, in lower case. */
static const char *const changing[] = { CALLS_CHANGING NULL };
static const char *const reading[] = { "read", "view", "open", "cat", "get", NULL };
static const char *const shells[] = { "bash", "shell", "exec", "command", "terminal", "run", NULL };
/* Among the arguments: a file gets a new content. */
static const char *const contents[] = { "old_string", "new_string", "old_str", "new_str",
	"file_text", "diff", "edits", "new_source", "code_edit", "CodeContent", NULL };
/* What a "command" beside a path may be: of an editor, not of a shell. */
static const struct { const char *name; enum file_did did; } verbs[] = {
	{ "view", FILE_READ }, { "read", FILE_READ }, { "create", FILE_CHANGED },
	{ "str_replace", FILE_CHANGED }, { "insert", FILE_CHANGED }, { "write", FILE_CHANGED },
	{ "undo_edit", FILE_CHANGED }, { "delete", FILE_CHANGED }, { "rename", FILE_CHANGED },
};

/* ---- what is gathered ---- */

void
call_file_add(struct call_reader *r, const char *path, size_t len, enum file_did did)
{
	if (len == 0 || len > 4096)
		return;
	const char *clean = path_join(r->dir, path, len, r->arena);
	if (*path_base(clean) == '\0')
		return;
	for (size_t i = 0; i < r->n_files; i++)
		if (strcmp(r->files[i].path, clean) == 0) {
			r->files[i].did = MAX(r->files[i].did, did);
			return;
		}
	if (r->n_files < CALL_FILES)
		r->files[r->n_files++] = (struct call_file){ clean, did, -1 };
}

bool
call_program_add(struct call_reader *r, const char *word)
{
	const char *name = path_base(word);
	size_t n = strlen(name);

	if (n == 0 || n > 64 || !(ascii_is_alnum(*name) || *name == '_' || *name == '.' ||
	    *name == '[') || strpbrk(name, " $=\"'{}") != NULL)
		return false;
	for (size_t i = 0; i < r->n_programs; i++)
		if (strcmp(r->programs[i], name) == 0)
			return true;
	if (r->n_programs < CALL_PROGRAMS)
		r->programs[r->n_programs++] = name;
	return true;
}

/* The paths that a patch names in lines such as "*** Update File: lib/x.c". */
static void
patch_read(struct call_reader *r, const char *text, size_t len)
{
	static const char *const marks[] = { "*** Update File: ", "*** Add File: ",
		"*** Delete File: ", "*** Move to: " };

	for (const char *p = text, *end = text + len, *nl; p < end; p = nl + 1) {
		const char *stop = nl = ascii_line_end(p, end);

		for (size_t i = 0; i < NELEM(marks) && *p == '*'; i++) {
			size_t n = strlen(marks[i]);

			if ((size_t)(stop - p) <= n || memcmp(p, marks[i], n) != 0)
				continue;
			while (stop > p + n && ascii_is_space(stop[-1]))
				stop--;
			call_file_add(r, p + n, (size_t)(stop - p) - n, FILE_CHANGED);
		}
	}
}

/* ---- one call ---- */

static bool
has_any(const char *text, const char *const *list)
{
	for (; *list != NULL; list++)
		if (strstr(text, *list) != NULL)
			return true;
	return false;
}

static bool
is_patch(const char *text)
{
	return strstr(text, "*** Begin Patch") != NULL;
}

static const struct json *
first_of(const struct json *v, const char *const *keys)
{
	const struct json *found = NULL;

	for (; *keys != NULL && (found == NULL || found->kind == JSON_NULL); keys++)
		found = json_get(v, *keys);
	return found;
}

static void
run_line(struct call_reader *r, struct call *c, const char *line, size_t len)
{
	c->command = line;
	if (is_patch(line))
		patch_read(r, line, len);
	shell_read(r, line, len);
}

/* Words as one line that a person could type. */
static const char *
join_words(const char *const *words, size_t n, struct arena *a)
{
	const char *line = "";

	for (size_t i = 0; i < n; i++) {
		const char *quote = words[i][strcspn(words[i], " \t\n\"$&|;<>()*?")] == '\0' ? "" :
		    "'";
		line = arena_printf(a, "%s%s%s%s%s", line, i > 0 ? " " : "", quote, words[i],
		    quote);
	}
	return line;
}

static void
read_command(struct call_reader *r, struct call *c, const struct json *v)
{
	const char *words[64], *script;
	size_t n = 0;

	if (v->kind == JSON_STRING) {
		run_line(r, c, v->u.string, v->len);
		return;
	}
	for (size_t i = 0; v->kind == JSON_ARRAY && i < v->len && n < NELEM(words); i++)
		if (v->u.items[i].kind == JSON_STRING)
			words[n++] = v->u.items[i].u.string;
	if (n == 0)
		return;
	if ((script = shell_script(words, n)) != NULL) {
		run_line(r, c, script, strlen(script));
		return;
	}
	c->command = join_words(words, n, r->arena);
	if (is_patch(c->command))
		patch_read(r, c->command, strlen(c->command));
	shell_words(r, words, n);
}

/* Paths under the keys of v, or, in a list, those of its items. */
static void
read_paths(struct call_reader *r, const struct json *v, enum file_did did)
{
	static const char *const lists[] = { "paths", "files", "file_paths", "changes", "targets",
		NULL };

	if (v->kind == JSON_STRING)
		call_file_add(r, v->u.string, v->len, did);
	for (size_t i = 0; v->kind == JSON_ARRAY && i < v->len; i++)
		read_paths(r, &v->u.items[i], did);
	if (v->kind != JSON_OBJECT)
		return;
	for (size_t i = 0; path_keys[i] != NULL; i++) {
		const struct json *path = json_get(v, path_keys[i]);

		if (path != NULL && path->kind == JSON_STRING)
			call_file_add(r, path->u.string, path->len, did);
	}
	for (size_t i = 0; lists[i] != NULL; i++) {
		const struct json *list = json_get(v, lists[i]);

		if (list != NULL && list->kind == JSON_ARRAY)
			read_paths(r, list, did);
		/* Codex: {"PATH": {"type": "update"}} */
		for (size_t j = 0; list != NULL && list->kind == JSON_OBJECT && j < list->len; j++)
			call_file_add(r, list->u.members[j].key, list->u.members[j].key_len, did);
	}
}

/* A file that gets its whole content by the call. */
static void
note_size(struct call_reader *r, const struct json *args)
{
	static const char *const wholes[] = { "content", "contents", "file_text", NULL };
	const struct json *whole = first_of(args, wholes);

	if (whole != NULL && whole->kind == JSON_STRING && r->n_files == 1 &&
	    r->files[0].did == FILE_CHANGED && first_of(args, (const char *const[]){
	    "old_string", "old_str", "diff", "insert_line", NULL }) == NULL)
		r->files[0].written = (int64_t)whole->len;
}

/* What the call does to its paths, by the tool's name, else by what it is given. */
static enum file_did
what_it_does(const char *tool, const struct json *args, const struct json *command)
{
	char low[64];
	size_t n = 0;

	for (size_t i = 0; command != NULL && command->kind == JSON_STRING && i < NELEM(verbs); i++)
		if (strcmp(command->u.string, verbs[i].name) == 0)
			return verbs[i].did;
	for (; tool[n] != '\0' && n < sizeof(low) - 1; n++)
		low[n] = ascii_lower(tool[n]);
	low[n] = '\0';
	if (has_any(low, changing))
		return FILE_CHANGED;
	if (has_any(low, reading))
		return FILE_READ;
	return first_of(args, contents) != NULL ? FILE_CHANGED : FILE_NAMED;
}

static bool
is_verb(const struct json *args, const struct json *command)
{
	if (command->kind != JSON_STRING || first_of(args, path_keys) == NULL)
		return false;
	for (size_t i = 0; i < NELEM(verbs); i++)
		if (strcmp(command->u.string, verbs[i].name) == 0)
			return true;
	return false;
}

static bool
is_shell(const char *tool)
{
	char low[64];
	size_t n = 0;

	for (; tool[n] != '\0' && n < sizeof(low) - 1; n++)
		low[n] = ascii_lower(tool[n]);
	low[n] = '\0';
	return has_any(low, shells);
}

static void
read_args(struct call_reader *r, struct call *c, const struct json *args)
{
	const struct json *command, *dir, *patch, *inner;

	/* Codex's local_shell keeps what it runs one level deeper */
	if ((inner = json_get(args, "action")) != NULL && inner->kind == JSON_OBJECT)
		args = inner;
	command = first_of(args, command_keys);
	dir = first_of(args, dir_keys);
	if (dir != NULL && dir->kind == JSON_STRING)
		r->dir = path_join(r->dir, dir->u.string, dir->len, r->arena);
	c->dir = r->dir;
	if (command != NULL && !is_verb(args, command))
		read_command(r, c, command);
	r->dir = c->dir;
	read_paths(r, args, what_it_does(c->tool, args, command));
	note_size(r, args);
	if ((patch = json_get(args, "patch")) == NULL && (patch = json_get(args, "input")) == NULL)
		patch = json_get(args, "patchText");
	if (patch != NULL && patch->kind == JSON_STRING && is_patch(patch->u.string))
		patch_read(r, patch->u.string, patch->len);
}

static const char *const *
programs_of(const struct call_reader *r)
{
	return memcpy(arena_alloc(r->arena, sizeof(r->programs[0]) * r->n_programs + 1),
	    r->programs, sizeof(r->programs[0]) * r->n_programs);
}

size_t
calls_programs(const char *line, struct arena *a, const char *const **out)
{
	struct call_reader r = { .arena = a, .dir = "" };

	shell_read(&r, line, strlen(line));
	*out = programs_of(&r);
	return r.n_programs;
}

size_t
calls_commands(const char *line, struct arena *a, const struct call_command **out)
{
	struct call_reader r = { .arena = a, .dir = "" };

	*out = r.commands = arena_alloc(a, CALL_PROGRAMS * sizeof(*r.commands));
	shell_read(&r, line, strlen(line));
	return r.n_commands;
}

static void
read_call(const struct json *v, const char *cwd, struct arena *a, struct call *c)
{
	static const char *const argument_keys[] = { "arguments", "input", "args", "parameters",
		NULL };
	const struct json *f = json_get(v, "function"), *args;
	struct call_reader r = { .arena = a, .dir = cwd };
	const char *id = json_get_string(v, "id", NULL), *tool;
	struct err err = ERR_INIT;

	if (f == NULL || f->kind != JSON_OBJECT)
		f = v;
	tool = json_get_string(f, "name", NULL);
	args = first_of(f, argument_keys);
	*c = (struct call){ .id = id != NULL ? id : "", .tool = tool != NULL ? tool : "",
		.dir = cwd };
	if (args != NULL && args->kind == JSON_STRING) {
		const char *text = args->u.string;
		size_t len = args->len;

		if (*text != '{' && *text != '[')
			args = NULL;
		else if (json_parse(text, len, a, &args, &err) != 0)
			args = NULL;
		if (args == NULL && is_patch(text))
			patch_read(&r, text, len);
		else if (args == NULL && is_shell(c->tool))
			run_line(&r, c, text, len);
	}
	if (args != NULL && args->kind == JSON_ARRAY)
		read_paths(&r, args, what_it_does(c->tool, args, NULL));
	else if (args != NULL)
		read_args(&r, c, args);
	c->n_files = r.n_files;
	c->n_programs = r.n_programs;
	c->files = memcpy(arena_alloc(a, sizeof(r.files[0]) * r.n_files + 1), r.files,
	    sizeof(r.files[0]) * r.n_files);
	c->programs = programs_of(&r);
}

void
calls_read(const char *json, size_t len, const char *dir, struct arena *a,
	const struct call **out, size_t *n)
{
	struct err err = ERR_INIT;
	const struct json *v;
	struct call *calls;

	*out = NULL;
	*n = 0;
	if (len == 0 || json_parse(json, len, a, &v, &err) != 0)
		return;
	if (v->kind != JSON_ARRAY && v->kind != JSON_OBJECT)
		return;
	calls = arena_alloc(a, (v->kind == JSON_ARRAY ? v->len : 1) * sizeof(*calls) + 1);
	if (v->kind == JSON_OBJECT)
		read_call(v, dir, a, &calls[(*n)++]);
	for (size_t i = 0; v->kind == JSON_ARRAY && i < v->len; i++)
		if (v->u.items[i].kind == JSON_OBJECT)
			read_call(&v->u.items[i], dir, a, &calls[(*n)++]);
	*out = calls;
}
