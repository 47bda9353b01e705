/* agent.c: how the table of schema/agents.txt and its places are read. */
#include "setup/agent.h"

#include <glob.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/conf.h"
#include "base/embedded.h"
#include "base/order.h"
#include "json/json.h"
#include "json/ndjson.h"

/* Ends the cell at *at where sep stands, and moves *at behind it. */
static char *
cell(char **at, char sep)
{
	char *s = *at + (**at == ' '), *end = strchr(s, sep);

	*at = end != NULL ? end + 1 : s + strlen(s);
	if (end != NULL)
		*end = '\0';
	return s;
}

static char *
cell_or_none(char **at)
{
	char *s = cell(at, '\t');

	return strcmp(s, "-") == 0 ? NULL : s;
}

static void
read_row(char *line, struct agent *a)
{
	*a = (struct agent){ .name = cell(&line, '\t') };
	a->title = cell(&line, '\t');
	a->format = cell_or_none(&line);
	a->home = cell(&line, '\t');
	char *histories = cell_or_none(&line);
	for (size_t i = 0; histories != NULL && *histories != '\0' && i < NELEM(a->histories); i++)
		a->histories[i] = cell(&histories, ';');
}

static void
read_below(char *line, struct agent *a)
{
	static const char *const forms[] = { "json", "toml", "yaml", "file" };
	const char *what = cell(&line, '\t');
	struct wire *w = a->wires;

	if (strcmp(what, "note") == 0) {
		a->note = line;
		return;
	}
	if (strcmp(what, "memory") == 0 || strcmp(what, "rules") == 0) {
		*(*what == 'm' ? &a->memory : &a->rules) = line;
		return;
	}
	while (w->file != NULL)
		w++;
	w->server = strcmp(what, "server") == 0;
	w->form = (enum wire_form)text_index(cell(&line, '\t'), forms, NELEM(forms));
	w->file = cell(&line, '\t');
	w->adds = line;
}

const struct agent *
agents(void)
{
	static struct agent *all;
	size_t n = 0, cap = 0;

	if (all != NULL)
		return all;
	char *at = xstrdup(embedded_find("schema/agents.txt")->text);
	while (*at != '\0') {
		char *line = cell(&at, '\n');
		xgrow(&all, &cap, n + 2, sizeof(*all));
		if (*line == '\t')
			read_below(line + 1, &all[n - 1]);
		else if (*line != '#' && *line != '\0')
			read_row(line, &all[n++]);
	}
	all[n] = (struct agent){ .name = NULL };
	return all;
}

const struct agent *
agent_find(const char *name)
{
	for (const struct agent *a = agents(); a->name != NULL; a++)
		if (strcmp(a->name, name) == 0)
			return a;
	return NULL;
}

void
places_release(struct places *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->paths[i]);
	free(p->paths);
	*p = (struct places){ NULL, 0, 0 };
}

void
places_add(struct places *p, const char *path)
{
	if (text_index(path, (const char *const *)p->paths, p->n) < 0)
		*xpush(p->paths, p->n, p->cap) = xstrdup(path);
}

/*
 * Appends a place with its variables and ~ replaced, and what they stand for hidden from glob(3).
 * false: a variable is not set and has no default.
 */
static bool
expand(const char *s, size_t len, struct buf *out)
{
	const char *end = s + len, *value = NULL, *close, *colon;
	char name[64];
	int depth = 0;

	if (len > 1 && s[0] == '$' && s[1] == '{') {
		for (close = s + 1; close < end && (*close != '}' || --depth > 0); close++)
			depth += *close == '{';
		colon = memchr(s, ':', (size_t)(close - s));
		size_t name_len = (size_t)((colon != NULL ? colon : close) - s) - 2;
		snprintf(name, sizeof(name), "%.*s", (int)name_len, s + 2);
		value = getenv(name);
		if (value == NULL || *value != '/') {
			if (colon == NULL ||
			    !expand(colon + 2, (size_t)(close - colon) - 2, out))
				return false;
			value = "";
		}
		s = close + 1;
	} else if (len > 0 && s[0] == '~') {
		if ((value = getenv("HOME")) == NULL || *value != '/')
			return false;
		s++;
	}
	for (; value != NULL && *value != '\0'; value++) {
		if (strchr("*?[\\", *value) != NULL)
			buf_addc(out, '\\');
		buf_addc(out, *value);
	}
	buf_add(out, s, (size_t)(end - s));
	return true;
}

/* Adds what there is for the pattern; missing: or else what it names, if it has no *. */
static size_t
match(const char *pattern, bool missing, struct places *out)
{
	bool any = false;
	glob_t g;
	size_t n = 0;

	if (glob(pattern, 0, NULL, &g) == 0) {
		for (; n < g.gl_pathc; n++)
			places_add(out, g.gl_pathv[n]);
		globfree(&g);
	} else if (missing) {
		LOCAL(buf) name = buf_of(conf_caps.output_bytes);
		for (; *pattern != '\0'; pattern++) {
			any |= *pattern == '*';
			pattern += *pattern == '\\';
			buf_addc(&name, *pattern);
		}
		if (!any)
			places_add(out, name.data);
		n = !any;
	}
	return n;
}

/*
 * Adds the first alternative of a place that is there. missing: else the last one that can be
 * named, when it holds no *. below: where a place that does not begin a path lies.
 */
static void
find_place(const char *place, const char *below, bool missing, struct places *out)
{
	bool last;
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);

	for (const char *end; *place != '\0'; place = last ? end : end + 1) {
		end = place + strcspn(place, "|");
		last = *end == '\0';
		buf_reset(&b);
		if (below != NULL && strchr("$~/", *place) == NULL) {
			for (const char *p = below; *p != '\0'; p++)
				buf_addf(&b, strchr("*?[\\", *p) != NULL ? "\\%c" : "%c", *p);
			buf_addc(&b, '/');
		}
		if (expand(place, (size_t)(end - place), &b) && match(b.data, missing && last, out))
			break;
	}
}

void
agent_homes(const struct agent *a, struct places *out)
{
	find_place(a->home, NULL, false, out);
}

static void
in_homes(const struct agent *a, const char *place, bool missing, struct places *out)
{
	LOCAL(places) homes = { NULL, 0, 0 };

	agent_homes(a, &homes);
	if (strchr("$~/", *place) != NULL) {
		if (homes.n > 0 || !missing)
			find_place(place, NULL, missing, out);
	} else {
		for (size_t i = 0; i < homes.n; i++)
			find_place(place, homes.paths[i], missing, out);
	}
}

/* Adds the databases of the projects that a list names. What it does not name is not looked for. */
static void
add_listed(const char *list, struct places *out)
{
	LOCAL(arena) a = ARENA_INIT;
	struct err ignored = ERR_INIT;
	const struct json *v, *all;
	struct ndjson *in;
	const char *text, *dir;
	size_t len;

	if (ndjson_open(list, 0, &in, &ignored) != 0)
		return;
	if (ndjson_rest(in, conf_caps.line_bytes, &text, &len, &ignored) == 0 &&
	    json_parse(text, len, &a, &v, NULL) == 0 && (all = json_get(v, "projects")) != NULL &&
	    all->kind == JSON_ARRAY)
		for (size_t i = 0; i < all->len; i++)
			if ((dir = json_get_string(&all->u.items[i], "data_dir", NULL)) != NULL &&
			    access((dir = arena_printf(&a, "%s/crush.db", dir)), F_OK) == 0)
				places_add(out, dir);
	ndjson_close(in);
}

void
agent_histories(const struct agent *a, struct places *out)
{
	LOCAL(places) lists = { NULL, 0, 0 };

	for (size_t i = 0; i < NELEM(a->histories) && a->histories[i] != NULL; i++) {
		const char *place = a->histories[i];

		in_homes(a, place + (*place == '@'), false, *place == '@' ? &lists : out);
	}
	for (size_t i = 0; i < lists.n; i++)
		add_listed(lists.paths[i], out);
}

/* The next of places with "; " between them, its "%" replaced; NULL: there is none. */
static const char *
next_place(const char **list, const char *project, struct arena *a)
{
	const char *p = *list != NULL ? *list + strspn(*list, "; ") : "";
	const char *end = p + strcspn(p, ";");

	if (p == end)
		return NULL;
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);
	for (; p < end; p++) {
		if (*p != '%')
			buf_addc(&b, *p);
		for (const char *q = project; *p == '%' && *q != '\0'; q++)
			buf_addc(&b, ascii_is_alnum(*q) ? *q : '-');
	}
	*list = end;
	return arena_strndup(a, b.data, b.len);
}

void
agent_memories(const struct agent *a, bool rules, const char *project, struct places *out)
{
	const char *list = rules ? a->rules : a->memory, *place;
	LOCAL(arena) arena = ARENA_INIT;

	while ((place = next_place(&list, project, &arena)) != NULL)
		if (strncmp(place, "./", 2) != 0)
			in_homes(a, place, false, out);
		else if (*project != '\0')
			find_place(place + 2, project, false, out);
}

const char *
agent_rules_file(const struct agent *a, const char *project, struct arena *arena)
{
	const char *list = a->rules, *place, *first = NULL, *path;

	while ((place = next_place(&list, project, arena)) != NULL) {
		if (strncmp(place, "./", 2) != 0 || strchr(place, '*') != NULL)
			continue;
		path = arena_printf(arena, "%s/%s", project, place + 2);
		if (access(path, F_OK) == 0)
			return path;
		if (first == NULL)
			first = path;
	}
	return first;
}

void
agent_files(const struct agent *a, const struct wire *w, struct places *out)
{
	in_homes(a, w->file, true, out);
}

static void
add_variables(const char *place, struct places *out)
{
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);

	while (place != NULL && (place = strstr(place, "${")) != NULL) {
		size_t n = strcspn(place += 2, ":}");
		const char *value;

		buf_reset(&b);
		buf_add(&b, place, n);
		if ((value = getenv(b.data)) != NULL && *value == '/') {
			buf_addf(&b, "=%s", value);
			places_add(out, b.data);
		}
	}
}

void
agent_variables(struct places *out)
{
	for (const struct agent *a = agents(); a->name != NULL; a++) {
		add_variables(a->home, out);
		for (size_t i = 0; i < NELEM(a->histories); i++)
			add_variables(a->histories[i], out);
	}
}
