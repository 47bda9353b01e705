/*
 * shell.c: enough of a shell's grammar to tell which programs a line runs and which files it names:
 * words with their quotes, what ends a command, redirections, here-documents. What a variable or a
 * pattern stands for is not known here, so such a word is no file.
 */
#include "base/ascii.h"
#include "base/order.h"
#include "calls/calls_parts.h"
#include "gen/calls_rows.h"

#define WORDS_MOST 64              /* of one command */
#define DEPTH_MOST 4

/* ---- files among the words of a command ---- */

/* Programs whose operands are files that they read, or change. */
static const char *const readers[] = { CALLS_READERS NULL };
static const char *const changers[] = { CALLS_CHANGERS NULL };
/* Of these the first operand is no file, unless an option gave what it would be. */
static const char *const matchers[] = { CALLS_MATCHERS NULL };

/* Whether it may be a file at all: no variable, no pattern, no address of the web. */
static bool
may_be_file(const char *w)
{
	return *w != '\0' && *w != '-' && strpbrk(w, "$*?`<>|{}[]()=@!,;\"'\n") == NULL &&
	    strstr(w, "://") == NULL && strcmp(path_base(w), "") != 0 &&
	    strcmp(w, ".") != 0 && strcmp(w, "..") != 0 && strncmp(w, "/dev/", 5) != 0 &&
	    strlen(w) < 4096;
}

/* Whether it looks like one: a slash, or an ending such as ".c". */
static bool
looks_like_file(const char *w)
{
	const char *dot = strrchr(path_base(w), '.');
	size_t n = dot != NULL ? strlen(dot + 1) : 0;

	if (!may_be_file(w))
		return false;
	if (strchr(w, '/') != NULL)
		return true;
	if (dot == NULL || dot == w || n == 0 || n > 8 || !ascii_is_letter(dot[1]))
		return false;
	return strspn(dot + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") ==
	    n;
}

static void
add_file(struct call_reader *r, const char *w, enum file_did did)
{
	call_file_add(r, w, strlen(w), did);
}

/* Whether sed or perl changes the files that it is given. */
static bool
is_in_place(const char *const *words, size_t n)
{
	if (strcmp(path_base(words[0]), "sed") != 0 && strcmp(path_base(words[0]), "perl") != 0)
		return false;
	for (size_t i = 1; i < n; i++)
		if (strncmp(words[i], "--in-place", 10) == 0 || (words[i][0] == '-' &&
		    words[i][1] != '-' && strlen(words[i]) < 8 && strchr(words[i], 'i') != NULL))
			return true;
	return false;
}

/* Whether an option says what the first operand would. */
static bool
has_script_option(const char *const *words, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (strcmp(words[i], "-e") == 0 || strcmp(words[i], "-f") == 0 ||
		    strcmp(words[i], "--files") == 0)
			return true;
	return false;
}

static void
read_operands(struct call_reader *r, const char *const *words, size_t n)
{
	const char *program = path_base(words[0]);
	bool in_place = is_in_place(words, n), known = true;
	enum file_did did = FILE_NAMED;
	size_t at = 1, last = 0;

	if (in_place || text_in(program, changers))
		did = FILE_CHANGED;
	else if (text_in(program, readers))
		did = FILE_READ;
	else
		known = false;
	if (strcmp(program, "git") == 0 && n > 2) {
		at = 2;
		known = text_in(words[1], (const char *const[]){ "mv", "rm", NULL });
		did = known ? FILE_CHANGED : FILE_NAMED;
	}
	for (size_t i = at; i < n; i++)
		last = words[i][0] != '-' ? i : last;
	if ((in_place || text_in(program, matchers)) && !has_script_option(words, n)) {
		while (at < n && words[at][0] == '-')
			at++;
		at++;
	} else if (strcmp(program, "sed") == 0 || strcmp(program, "perl") == 0) {
		known = false;                 /* what stands behind -e is no file */
	}
	for (size_t i = at; i < n; i++)
		if (known ? may_be_file(words[i]) && strspn(words[i], "0123456789") !=
		    strlen(words[i]) : looks_like_file(words[i]))
			add_file(r, words[i], strcmp(program, "cp") == 0 && i != last ? FILE_READ
			    : did);
}

/* ---- a command ---- */

/* The word behind -c, however it is combined; of Windows' shells that behind /c or -Command. */
const char *
shell_script(const char *const *words, size_t n)
{
	static const char *const shells[] = { "sh", "bash", "zsh", "dash", "ksh", "fish", "pwsh",
		"powershell", "powershell.exe", "cmd", "cmd.exe", NULL };

	if (n < 3 || !text_in(path_base(words[0]), shells))
		return NULL;
	for (size_t i = 1; i + 1 < n; i++) {
		const char *w = words[i];

		if (strcmp(w, "/c") == 0 || strcmp(w, "-Command") == 0 ||
		    (w[0] == '-' && w[1] != '-' && strchr(w, 'c') != NULL))
			return words[i + 1];
		if (w[0] != '-')
			return NULL;
	}
	return NULL;
}

/* Whether the word sets a variable of the command behind it. */
static bool
is_assignment(const char *w)
{
	size_t n = strspn(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

	return n > 0 && w[n] == '=' && !ascii_is_digit(w[0]);
}

/* How many words before the program there are. */
static size_t
skip_wrappers(const char *const *words, size_t n)
{
	static const char *const wrappers[] = { CALLS_WRAPPERS NULL };
	size_t i = 0;

	while (i < n) {
		if (is_assignment(words[i])) {
			i++;
		} else if (text_in(words[i], wrappers)) {
			bool has_options = strcmp(words[i], "!") != 0 && strcmp(words[i], "{") != 0;

			for (i++; has_options && i < n && (words[i][0] == '-' ||
			     ascii_is_digit(words[i][0])); i++)
				;
		} else {
			break;
		}
	}
	return i;
}

size_t
shell_words(struct call_reader *r, const char *const *words, size_t n)
{
	static const char *const not_run[] = { "for", "case", "select", "function", "fi", "done",
		"esac", "}", "in", "export", "local", "return", NULL };
	size_t at = skip_wrappers(words, n);

	words += at;
	n -= at;
	if (n == 0 || text_in(words[0], not_run))
		return at + n;
	const char *script = shell_script(words, n);
	if (script != NULL && r->depth < DEPTH_MOST) {
		r->depth++;
		shell_read(r, script, strlen(script));
		r->depth--;
		return at + n;
	}
	bool is = call_program_add(r, words[0]);
	if (strcmp(words[0], "cd") == 0 || strcmp(words[0], "pushd") == 0) {
		if (n > 1 && may_be_file(words[1]))
			r->dir = path_join(r->dir, words[1], strlen(words[1]), r->arena);
	} else if (strcmp(words[0], "echo") != 0 && strcmp(words[0], "printf") != 0) {
		read_operands(r, words, n);
	}
	return is ? at : at + n;
}

/* ---- a line ---- */

struct scan {
	struct call_reader *r;
	const char *p, *end;
	const char *words[WORDS_MOST];
	/* where they begin and end in the line, with their quotes */
	const char *starts[WORDS_MOST], *ends[WORDS_MOST];
	size_t n;
	const char *word_end;              /* of the last word */
	const char *here;                  /* the word that ends a here-document; NULL: none */
};

static void
end_command(struct scan *s)
{
	struct call_reader *r = s->r;
	size_t at = shell_words(r, s->words, s->n), n = s->n - at;
	const char **words;

	s->n = 0;
	if (n == 0 || r->commands == NULL || r->n_commands == CALL_PROGRAMS)
		return;
	words = arena_alloc(r->arena, n * sizeof(*words));
	memcpy(words, s->words + at, n * sizeof(*words));
	r->commands[r->n_commands++] = (struct call_command){
		.program = path_base(words[0]),
		.text = arena_strndup(r->arena, s->starts[at],
		    (size_t)(s->ends[at + n - 1] - s->starts[at])),
		.words = words + 1, .n_words = n - 1 };
}

/* Passes over a here-document, whose first line begins at p. */
static void
skip_here(struct scan *s)
{
	size_t n = strlen(s->here);

	while (s->p < s->end) {
		const char *start = s->p, *stop = ascii_line_end(start, s->end);

		while (start < stop && *start == '\t')
			start++;
		s->p = stop + (stop < s->end);
		if ((size_t)(stop - start) == n && memcmp(start, s->here, n) == 0)
			break;
	}
	s->here = NULL;
}

static bool
ends_word(char c)
{
	return ascii_is_space(c) || strchr(";|&()<>", c) != NULL;
}

/* Reads a word, its quotes taken away. */
static const char *
read_word(struct scan *s)
{
	const char *start = s->p, *p;
	char quote = '\0', *out;
	size_t n = 0;

	for (; s->p < s->end && (quote != '\0' || !ends_word(*s->p)); s->p++) {
		if (*s->p == '\\' && quote != '\'' && s->p + 1 < s->end)
			s->p++;
		else if (*s->p == quote)
			quote = '\0';
		else if (quote == '\0' && (*s->p == '"' || *s->p == '\''))
			quote = *s->p;
	}
	s->word_end = s->p;
	quote = '\0';                          /* one that is not ended goes to the end */
	out = arena_alloc(s->r->arena, (size_t)(s->p - start) + 1);
	for (p = start; p < s->word_end; p++) {
		if (*p == '\\' && quote != '\'' && p + 1 < s->word_end) {
			if (*++p != '\n')
				out[n++] = *p;
		} else if (quote == '\0' && (*p == '"' || *p == '\'')) {
			quote = *p;
		} else if (*p == quote) {
			quote = '\0';
		} else {
			out[n++] = *p;
		}
	}
	out[n] = '\0';
	return out;
}

static void
skip_blanks(struct scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t'))
		s->p++;
}

/* Whether the last word is the number of the stream that a redirection at hand is of. */
static bool
is_stream(const struct scan *s)
{
	return s->n > 0 && s->word_end == s->p &&
	    strspn(s->words[s->n - 1], "0123456789") == strlen(s->words[s->n - 1]);
}

/* At "<" or ">": the file behind it, or the word that ends a here-document. */
static void
read_redirection(struct scan *s)
{
	char c = *s->p;
	size_t n = 0;

	s->n -= is_stream(s);
	for (; s->p < s->end && *s->p == c; s->p++)
		n++;
	if (s->p < s->end && (*s->p == '&' || *s->p == '|' || (n == 2 && *s->p == '-')))
		s->p++;
	else
		c = s->p < s->end && n == 1 && *s->p == '(' ? '\0' : c;       /* <(command) */
	skip_blanks(s);
	if (c == '\0' || s->p >= s->end || ends_word(*s->p))
		return;
	const char *w = read_word(s);
	if (c == '<' && n == 2)
		s->here = w;
	else if (n < 3 && may_be_file(w) && strspn(w, "0123456789") != strlen(w))
		add_file(s->r, w, c == '>' ? FILE_CHANGED : FILE_READ);
}

void
shell_read(struct call_reader *r, const char *text, size_t len)
{
	struct scan s = { .r = r, .p = text, .end = text + len };

	while (s.p < s.end) {
		char c = *s.p;

		if (c == '\n' || strchr(";|&()", c) != NULL) {
			s.p++;
			if (c == '&' && s.p < s.end && *s.p == '>')    /* &> FILE */
				continue;
			end_command(&s);
			if (c == '\n' && s.here != NULL)
				skip_here(&s);
		} else if (ascii_is_space(c)) {
			s.p++;
		} else if (c == '#') {
			s.p = ascii_line_end(s.p, s.end);
		} else if (c == '<' || c == '>') {
			read_redirection(&s);
		} else {
			const char *start = s.p, *w = read_word(&s);

			if (s.n < WORDS_MOST) {
				s.starts[s.n] = start;
				s.ends[s.n] = s.word_end;
				s.words[s.n++] = w;
			}
		}
	}
	end_command(&s);
}
