/*
 * against_change.c: a change as words: what it brings in, what it takes away, what was there, and
 * by which words turns are found that speak of it.
 */
#include "base/ascii.h"
#include "base/order.h"
#include "calls/calls.h"
#include "text/words.h"
#include "work/against_parts.h"
#include "work/work.h"

#define NAMES_MOST 32               /* terms beside those that the change has itself */

/* ---- reading ---- */

/* How the lines begin that are gained, where no line that was there begins so. */
static void
read_indents(const struct change *c, struct against_change *out)
{
	bool was[2] = { false, false }, is[2] = { false, false };
	const char *base = path_base(c->path);
	size_t n = strlen(base);

	for (size_t i = 0; i < c->n; i++) {
		const struct change_line *l = &c->lines[i];
		bool *has = l->side == CHANGE_GAINED ? is : was;

		has[0] |= l->text[0] == '\t';
		has[1] |= l->len > 2 && memcmp(l->text, "  ", 2) == 0;
	}
	/* these files leave no choice */
	if (c->command != NULL || strstr(base, "akefile") != NULL || strstr(base, ".y") != NULL ||
	    strstr(base, ".md") != NULL || (n > 3 && strcmp(base + n - 3, ".go") == 0))
		return;
	out->tabs = is[0] && !was[0];
	out->spaces = is[1] && !was[1];
}

/* Whether a line of code is said to its reader. */
static bool
is_comment(const char *p, size_t len)
{
	p = ascii_trim(p, &len);
	return len > 1 && (*p == '*' || (*p == '#' && !ascii_is_letter(p[1])) ||
	    memcmp(p, "//", 2) == 0 || memcmp(p, "/*", 2) == 0 || memcmp(p, "--", 2) == 0 ||
	    memcmp(p, "<!", 2) == 0);
}

/* Where a comment begins behind code: "run()  # not lodash"; len: nowhere. */
static size_t
comment_at(const char *p, size_t len)
{
	char quote = '\0';

	for (size_t i = 0; i + 3 < len; i++)
		if (quote != '\0' || strchr("\"'`", p[i]) != NULL)
			quote = quote == '\0' ? p[i] : quote == p[i] ? '\0' : quote;
		else if (p[i] == ' ' && (memcmp(p + i + 1, "# ", 2) == 0 ||
		    memcmp(p + i + 1, "//", 2) == 0))
			return i;
	return len;
}

/* Marks words within quotation marks that hold several: a message to people. */
static void
mark_prose(const char *p, size_t len, struct against_words *v)
{
	size_t from = is_comment(p, len) ? 0 : comment_at(p, len);

	for (size_t i = 0; i < v->n; i++)
		v->w[i].prose = v->w[i].start >= from;
	for (size_t i = 0, close; i < len; i = close + 1) {
		bool blank = false;

		for (close = len; i < len && strchr("\"'`", p[i]) == NULL; i++)
			continue;
		for (size_t k = i + 1; k < len && close == len; k++) {
			if (p[k] == p[i])
				close = k;
			else
				blank |= p[k] == ' ';
		}
		for (size_t k = 0; k < v->n && blank; k++)
			v->w[k].prose |= v->w[k].start > i && v->w[k].start < close;
	}
}

static bool
is_for_readers(const char *path)
{
	static const char *const ends[] = { ".md", ".txt", ".rst", ".adoc", ".org", ".mdx" };
	size_t n = strlen(path);

	for (size_t i = 0; i < NELEM(ends); i++)
		if (n > strlen(ends[i]) && strcmp(path + n - strlen(ends[i]), ends[i]) == 0)
			return true;
	return false;
}

/* Verbs that take something out, and such that only ask what is there. */
static const char *const out_verbs[] = { "uninstall", "remove", "rm", "rmi", "rmdir", "unlink",
	"purge", "prune", NULL };
static const char *const look_verbs[] = { "why", "ls", "list", "outdated", "info", "view", "show",
	"ps", "images", "help", "search", "version", "whoami", "freeze", "docs", "inspect", "logs",
	"history", "status", "explain", "audit", NULL };

/* "sed -i '/lodash/d'" */
static bool
deletes_lines(const struct call_command *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_words; i++) {
		size_t len = strlen(c->words[i]);

		n += len > 2 && *c->words[i] == '/' && strcmp(c->words[i] + len - 2, "/d") == 0;
	}
	return n > 0 && strcmp(c->program, "sed") == 0;
}

/* Whether it looks by its verb, or by an option at its end: "npm --version", "npm ci --help". */
static bool
asks(const struct call_command *c, const char *verb)
{
	const char *last = c->n_words > 0 ? c->words[c->n_words - 1] : "";

	return work_only_looks(c->text) || text_in(verb, look_verbs) ||
	    strcmp(last, "--help") == 0 || strcmp(last, "--version") == 0 ||
	    (c->n_words == 1 && (strcmp(last, "-v") == 0 || strcmp(last, "-V") == 0));
}

/* Whether all that the line does is to look; drops: or to take something out. */
static bool
only_looks(const char *line, bool drops, struct arena *a)
{
	/* what may stand before the verb: "docker image rm", "uv pip uninstall" */
	static const char *const of[] = { "image", "container", "volume", "network", "system",
		"compose", "pip", "tool", NULL };
	const struct call_command *all;
	size_t n = calls_commands(line, a, &all);

	for (size_t i = 0; i < n; i++) {
		const struct call_command *c = &all[i];
		const char *verb;
		size_t k = 0;

		while (k < c->n_words && (*c->words[k] == '-' || text_in(c->words[k], of)))
			k++;
		verb = k < c->n_words ? c->words[k] : "";
		if (!asks(c, verb) && !(drops && (text_in(c->program, out_verbs) ||
		    deletes_lines(c) || text_in(verb, out_verbs))))
			return false;
	}
	return n > 0;
}

/* Whether a command has that verb and behind it an option of one letter, maybe among others. */
static bool
has_option(const struct call_command *c, const char *verb, char letter)
{
	bool has = false;

	for (size_t w = 1; w < c->n_words && strcmp(c->words[0], verb) == 0; w++)
		has |= c->words[w][0] == '-' && c->words[w][1] != '-' &&
		    strchr(c->words[w], letter) != NULL;
	return has;
}

/*
 * The line of a command, with the long names of its options of one letter behind it: what is said
 * of "--force" is said of "-f".
 */
static const char *
with_names(const char *line, size_t len, struct arena *a)
{
	static const struct {
		const char *program, *verb;
		char letter;
		const char *name;
	} rows[] = {
		{ "git", "push", 'f', "force" }, { "git", "push", 'd', "delete" },
		{ "git", "commit", 'n', "no-verify" }, { "git", "add", 'f', "force" },
		{ "git", "clean", 'f', "force" }, { "git", "checkout", 'f', "force" },
		{ "git", "branch", 'D', "delete --force" }, { "npm", "install", 'g', "global" },
		{ "npm", "i", 'g', "global" }, { "pnpm", "add", 'g', "global" },
		{ "pip", "install", 'U', "upgrade" } };
	const char *out = arena_strndup(a, line, len);
	const struct call_command *all;
	size_t n = calls_commands(out, a, &all);

	for (size_t i = 0; i < n; i++)
		for (size_t r = 0; r < NELEM(rows); r++)
			if (strcmp(all[i].program, rows[r].program) == 0 &&
			    has_option(&all[i], rows[r].verb, rows[r].letter))
				out = arena_printf(a, "%s --%s", out, rows[r].name);
	return out;
}

bool
against_takes_out(const char *program)
{
	return text_in(program, out_verbs);
}

const struct against_change *
against_read(const struct change *c, const char *dir, struct arena *a)
{
	struct against_change *out = arena_zalloc(a, sizeof(*out));
	size_t n = strlen(dir);

	out->path = c->path;
	if (n > 0 && strncmp(out->path, dir, n) == 0 && out->path[n] == '/')
		out->path += n + 1;
	out->command = c->command;
	out->looks = c->command != NULL && strchr(c->command, '>') == NULL &&
	    only_looks(c->command, false, a);
	read_indents(c, out);
	out->prose = is_for_readers(out->path);
	against_words_read(out->path, strlen(out->path), true, a, &out->path_words);
	out->drops = c->command != NULL && only_looks(c->command, true, a);
	if (c->command != NULL)
		out->n_programs = calls_programs(c->command, a, &out->programs);
	out->lines = arena_alloc(a, (c->n + 1) * sizeof(*out->lines));
	for (size_t i = 0; i < c->n; i++) {
		struct against_line *l = &out->lines[out->n++];

		l->side = c->lines[i].side;
		l->text = c->lines[i].text;
		l->len = MIN(c->lines[i].len, LINE_BYTES);
		if (c->command != NULL) {
			l->text = with_names(l->text, l->len, a);
			l->len = strlen(l->text);
		}
		against_words_read(l->text, l->len, true, a, &l->words);
		mark_prose(l->text, l->len, &l->words);
	}
	return out;
}

/* ---- what stands where ---- */

const struct against_word *
against_word_of(const struct against_words *v, const struct against_word *w, bool loosely)
{
	for (size_t i = 0; i < v->n; i++)
		if (against_same(&v->w[i], w, loosely))
			return &v->w[i];
	return NULL;
}

bool
against_was_there(const struct against_change *c, const struct against_word *w)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->lines[i].side != CHANGE_GAINED &&
		    against_word_of(&c->lines[i].words, w, false) != NULL)
			return true;
	return false;
}

bool
against_has(const struct against_change *c, const struct against_word *w)
{
	for (size_t i = 0; i < c->n; i++)
		if (against_word_of(&c->lines[i].words, w, true) != NULL)
			return true;
	return against_word_of(&c->path_words, w, true) != NULL;
}

const char *
against_written(const struct against_change *c)
{
	static const char *const by[] = { "rm", "mv", "tee", "patch", "truncate", "unlink" },
				 *const parts[] = { "sed -i", "git rm ", "git mv " };

	if (c->command == NULL)
		return *c->path != '\0' ? c->path : NULL;
	for (size_t i = 0; i < c->n_programs; i++)
		for (size_t k = 0; k < NELEM(by); k++)
			if (strcmp(c->programs[i], by[k]) == 0)
				return c->command;
	for (size_t i = 0; i < NELEM(parts); i++)
		if (strstr(c->command, parts[i]) != NULL)
			return c->command;
	return strstr(c->command, "> ");
}

/* ---- terms ---- */

static int
on_term(void *arg, const struct word *w)
{
	return w->kind != WORD_CHAR && w->kind != WORD_PAIR && w->kind != WORD_SYMBOL && !w->stop &&
	    w->len >= 2 && !index_words_add(arg, w->term, w->len);
}

/* What a rule may name the change by: other words for what it does, the rivals of its things. */
static void
add_others(const struct against_change *c, struct index_words *t)
{
	const struct cues *things = AGAINST_THINGS;
	size_t n;
	const struct cue_class *says = cues_classes(cues_of("schema/cues/against.txt"), &n);
	unsigned has = *c->path != '\0' ? SAYS(EDIT) : 0, last = 0;
	const char *word;

	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < c->lines[i].words.n; k++) {
			const struct against_word *w = &c->lines[i].words.w[k];

			has |= w->says;
			for (size_t x = 0; w->kind != last && w->kind != 0 &&
			    (word = cues_word(things, w->kind - 1, x)) != NULL; x++)
				words_each(word, strlen(word), on_term, t);
			last = w->kind;
		}
	for (size_t i = 0; i < n; i++)
		if (has & 1u << i)
			words_each(says[i].rest, strlen(says[i].rest), on_term, t);
	if (c->tabs || c->spaces)
		words_each("tabs spaces", 11, on_term, t);
}

const struct index_word *
against_terms(const struct against_change *c, size_t most, struct arena *a, size_t *n)
{
	struct index_words t = { arena_alloc(a, most * sizeof(*t.of)), 0, most, a };

	words_each(c->path, strlen(c->path), on_term, &t);
	for (int side = CHANGE_LOST; side <= CHANGE_KEPT; side++)
		for (size_t i = 0; i < c->n; i++)
			if ((int)c->lines[i].side == side)
				words_each(c->lines[i].text, c->lines[i].len, on_term, &t);
	t.most = MIN(most, t.n + NAMES_MOST);
	add_others(c, &t);
	*n = t.n;
	return t.of;
}
