/*
 * outcome.c: results are texts for a model, written by hosts and by the programs that they ran.
 * Tables of cues find the exit status and the lines with errors in them.
 */
#include <pthread.h>
#include <stdlib.h>
#include <strings.h>

#include "base/ascii.h"
#include "calls/outcome.h"
#include "gen/outcome_rows.h"
#include "json/json.h"

/*
 * Looked at for errors at both ends of a result: of one that failed, and of one of which that is
 * not known
 */
#define FAILED_BYTES 8192
#define ENDS_BYTES   1024
#define EXIT_BYTES   200           /* looked at for the exit status */
#define LINE_BYTES 400             /* of an error */
#define LEAST_LETTERS 6            /* of one */

/* ---- whether it worked ---- */

/* The number behind a cue such as "exit code: " between p and end; EXIT_UNKNOWN: there is none. */
static int
find_exit(const char *p, const char *end)
{
	static const char *const cues[] = { "exit code", "exit status", "exited with code",
		"exit_code", "exited with status", "returncode>", "return code" };

	for (; p + 8 < end; p++) {
		if ((*p | 32) != 'e' && *p != 'r')
			continue;
		for (size_t i = 0; ((p[1] | 32) == 'x' || p[1] == 'e') && i < NELEM(cues); i++) {
			size_t n = strlen(cues[i]);
			const char *v = p + n;

			if (v >= end || strncasecmp(p, cues[i], n) != 0)
				continue;
			while (v < end && (*v == ' ' || *v == ':' || *v == '=' || *v == '"'))
				v++;
			if (v < end && (ascii_is_digit(*v) ||
			    (*v == '-' && v + 1 < end && ascii_is_digit(v[1]))))
				return (int)strtol(v, NULL, 10);
		}
	}
	return EXIT_UNKNOWN;
}

static bool
read_flag(const struct json *v, const char *key, bool *out)
{
	const struct json *flag = json_get(v, key);

	if (flag == NULL || (flag->kind != JSON_TRUE && flag->kind != JSON_FALSE))
		return false;
	*out = flag->kind == JSON_TRUE;
	return true;
}

/* What hosts say beside the text. */
static void
read_extra(const char *extra, struct outcome *out)
{
	static const char *const exits[] = { "exit_code", "exitCode", "exit" };
	LOCAL(arena) a = ARENA_INIT;
	struct err err = ERR_INIT;
	const struct json *v;
	bool flag;

	if (json_parse(extra, strlen(extra), &a, &v, &err) == 0) {
		for (size_t i = 0; i < NELEM(exits) && out->status == EXIT_UNKNOWN; i++)
			out->status = (int)json_get_number(v, exits[i], EXIT_UNKNOWN);
		if (read_flag(v, "is_error", &flag) || read_flag(v, "isError", &flag))
			out->worked = flag ? WORKED_NO : WORKED_YES;
	}
}

void
outcome_read(const char *text, size_t len, const char *extra, struct outcome *out)
{
	const char *end = text + len;

	*out = (struct outcome){ WORKED_UNKNOWN, EXIT_UNKNOWN };
	if (extra != NULL && (strstr(extra, "rror\"") != NULL || strstr(extra, "\"exit") != NULL))
		read_extra(extra, out);
	if (out->worked == WORKED_YES)
		return;
	if (out->status == EXIT_UNKNOWN)
		out->status = find_exit(text, text + MIN(len, EXIT_BYTES));
	if (out->status == EXIT_UNKNOWN && len > EXIT_BYTES)
		out->status = find_exit(end - MIN(len - EXIT_BYTES, EXIT_BYTES), end);
	if (out->worked == WORKED_UNKNOWN && out->status != EXIT_UNKNOWN)
		out->worked = out->status == 0 ? WORKED_YES : WORKED_NO;
}

/* ---- lines with errors ---- */

static const char *const cues[] = { "error", "fatal", "panic", "exception", "failed", "failure",
	 "cannot ", "can't ", "could not", "no such file", "not found", "undefined ",
	"denied", "refused", "timed out", "unable to", "segmentation fault", "assertion",
	"unexpected ", "unresolved", "unknown ", "no module named", "missing ", "conflict (" };

/*
 * Which letters a cue with this first byte has in the second and in the third place: two looks at
 * nearly every byte tell that no cue begins there.
 */
struct starts { uint32_t second[256], third[256]; };
static struct starts starts;
static pthread_once_t starts_once = PTHREAD_ONCE_INIT;

static void
make_starts(void)
{
	for (size_t i = 0; i < NELEM(cues); i++)
		for (int upper = 0; upper < 2; upper++) {
			char c = upper ? ascii_upper(cues[i][0]) : cues[i][0];

			starts.second[(unsigned char)c] |= 1u << (cues[i][1] & 31);
			starts.third[(unsigned char)c] |= 1u << (cues[i][2] & 31);
		}
}

/* The first cue between p and end; NULL: none. */
static const char *
find_cue(const char *p, const char *end)
{
	pthread_once(&starts_once, make_starts);
	for (; p + 5 < end; p++) {
		unsigned char c = (unsigned char)*p;

		if ((starts.second[c] >> (p[1] & 31) & starts.third[c] >> (p[2] & 31) & 1) == 0)
			continue;
		for (size_t i = 0; i < NELEM(cues); i++) {
			size_t n = (p[1] ^ cues[i][1]) & 31 ? 0 : strlen(cues[i]);

			if (n > 0 && (size_t)(end - p) >= n && strncasecmp(p, cues[i], n) == 0)
				return p;
		}
	}
	return NULL;
}

/* Whether nothing is said to be wrong: "0 errors", "no errors". */
static bool
is_denied(const char *line, const char *cue)
{
	const char *p = cue;

	while (p > line && p[-1] == ' ')
		p--;
	return (p - line >= 2 && strncasecmp(p - 2, "no", 2) == 0 &&
	    (p - line == 2 || !ascii_is_alnum(p[-3]))) ||
	    (p > line && p[-1] == '0' && (p - line == 1 || !ascii_is_digit(p[-2])));
}

/*
 * Appends what a word is compared by: of a path its last part; for a number, and an address, 0.
 * Digits behind a letter are part of a name, such as E0382.
 */
static size_t
norm_word(const char *w, size_t len, char *out)
{
	bool in_name = false;
	size_t n = 0;

	for (size_t i = len; i-- > 0; )
		if (w[i] == '/' && i + 1 < len) {
			w += i + 1;
			len -= i + 1;
			break;
		}
	for (size_t i = 0; i < len; i++) {
		char c = ascii_lower(w[i]);

		if (ascii_is_digit(c)) {
			if (c == '0' && i + 1 < len && ascii_lower(w[i + 1]) == 'x')
				while (i + 1 < len && ascii_is_alnum(w[i + 1]))
					i++;
			if (i > 0 && (ascii_is_letter(w[i - 1]) || w[i - 1] == '_'))
				in_name = true;
			if (in_name)
				out[n++] = c;
			else if (n == 0 || out[n - 1] != '0')
				out[n++] = '0';
		} else {
			in_name = false;
			out[n++] = c;
		}
	}
	return n;
}

static size_t
n_letters(const char *p, const char *end)
{
	size_t n = 0;

	for (; p < end; p++)
		n += ascii_is_letter(*p) || (unsigned char)*p >= 0x80;
	return n;
}

/* Copies a line without the escapes of colours; returns the bytes. */
static size_t
copy_plain(const char *line, size_t len, char *out)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		if (line[i] != '\x1b') {
			out[n++] = line[i];
			continue;
		}
		while (i + 1 < len && !ascii_is_letter(line[i + 1]))
			i++;
		i++;
	}
	return n;
}

const char *
error_norm(const char *text, size_t len, struct arena *a)
{
	char line[LINE_BYTES] = "", *out;
	const char *end = line + copy_plain(text, MIN(len, LINE_BYTES), line), *cue, *p = line;
	size_t n = 0;

	out = arena_alloc(a, (size_t)(end - line) + 1);

	if ((cue = find_cue(line, end)) != NULL) {
		while (cue > line && !ascii_is_space(cue[-1]))
			cue--;
		if (n_letters(cue, end) >= 16)
			p = cue;
	}
	while (p < end) {
		const char *w;

		while (p < end && ascii_is_space(*p))
			p++;
		for (w = p; p < end && !ascii_is_space(*p); p++)
			;
		if (n > 0 && p > w)
			out[n++] = ' ';
		n += norm_word(w, (size_t)(p - w), out + n);
	}
	while (n > 0 && strchr(" .:;,", out[n - 1]) != NULL)
		n--;
	out[n] = '\0';
	return out;
}

/* ---- what tells errors apart ---- */

/* Lines of programs that run others, which say that one of them failed and not why. */
static const char *const closings[] = { OUTCOME_CLOSINGS };

/* Names before a colon that are no program's. */
static const char *const kinds[] = { "warning", "note", "info", "debug", "hint", "help", "trace",
	"usage", "notice", "see", "step", "time" };

static bool
is_like(const char *p, const char *end, const char *pattern)
{
	const char *star = NULL, *back = NULL;

	while (p < end)
		if (*pattern == '%') {
			star = ++pattern;
			back = p;
		} else if (*pattern != '\0' && *pattern == ascii_lower(*p)) {
			pattern++;
			p++;
		} else if (star != NULL) {
			pattern = star;
			p = ++back;
		} else {
			return false;
		}
	return pattern[strspn(pattern, "%")] == '\0';
}

/* Whether a line only says that something before it failed. */
static bool
is_closing(const char *text, size_t len)
{
	char plain[LINE_BYTES] = "";
	size_t n = copy_plain(text, MIN(len, LINE_BYTES), plain);
	const char *line = ascii_trim(plain, &n), *end = line + n;

	for (size_t i = 0; i < NELEM(closings); i++)
		if (is_like(line, end, closings[i]))
			return true;
	return find_exit(line, end) != EXIT_UNKNOWN;
}

/* "esptool: no device is there": a program's name and what it says. */
static bool
is_named(const char *line, size_t len)
{
	char plain[LINE_BYTES] = "";
	size_t n = copy_plain(line, MIN(len, LINE_BYTES), plain), name = 0;

	while (name < n && (ascii_is_alnum(plain[name]) || strchr("_./+-", plain[name]) != NULL))
		name++;
	if (name + 2 >= n || plain[name] != ':' || plain[name + 1] != ' ' ||
	    ascii_is_upper(*plain) || ascii_is_digit(*plain) ||
	    memchr(plain + name + 2, ' ', n - name - 2) == NULL)
		return false;
	for (size_t i = 0; i < NELEM(kinds); i++)
		if (strlen(kinds[i]) == name && memcmp(kinds[i], plain, name) == 0)
			return false;
	return true;
}

struct error_lines {
	struct arena *arena;
	struct error_line *items;
	size_t n, max;
	bool closed;                       /* there are closing lines */
};

static void
add_line(struct error_lines *l, enum error_kind kind, const char *line, const char *end)
{
	size_t len = (size_t)(end - line);

	line = ascii_trim(line, &len);
	if (l->n == l->max || len == 0)
		return;
	const char *norm = error_norm(line, len, l->arena);
	if (n_letters(norm, norm + strlen(norm)) < LEAST_LETTERS)
		return;
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->items[i].norm, norm) == 0)
			return;
	l->items[l->n++] = (struct error_line){ line, MIN(len, LINE_BYTES), norm, kind };
}

/* The lines with a cue that begin between p and end: those that tell something, or the others. */
static void
read_lines(struct error_lines *l, enum error_kind kind, const char *text, const char *p,
	const char *end)
{
	const char *cue;

	while (l->n < l->max && (cue = find_cue(p, end)) != NULL) {
		const char *start = cue, *nl = memchr(cue, '\n', (size_t)(end - cue));

		while (start > text && start[-1] != '\n' && cue - start < LINE_BYTES)
			start--;
		if (nl == NULL)
			nl = end;
		if (!is_denied(start, cue)) {
			bool closing = is_closing(start, (size_t)(nl - start));

			l->closed |= closing;
			if (closing == (kind == ERROR_CLOSING))
				add_line(l, kind, start, nl);
		}
		p = nl;
	}
}

/*
 * Of what failed without a line with a cue: the last that a program says by its name, or, where
 * nothing else says that it failed, the first line.
 */
static void
read_uncued(struct error_lines *l, const char *text, const char *end)
{
	const char *first = NULL, *said = NULL;

	for (const char *p = text, *nl; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		nl = nl != NULL ? nl : end;
		size_t len = (size_t)(nl - p);
		if (is_closing(p, len))
			continue;
		first = first != NULL || n_letters(p, nl) < LEAST_LETTERS ? first : p;
		if (end - p <= FAILED_BYTES && is_named(p, len))
			said = p;
	}
	if (said != NULL || (first != NULL && !l->closed)) {
		const char *p = said != NULL ? said : first;
		const char *nl = memchr(p, '\n', (size_t)(end - p));

		add_line(l, said != NULL ? ERROR_TOLD : ERROR_FIRST, p, nl != NULL ? nl : end);
	}
}

size_t
errors_read(const char *text, size_t len, const struct outcome *o, struct arena *a,
	struct error_line *out, size_t max)
{
	struct error_lines l = { a, out, 0, max, false };
	size_t most = o->worked == WORKED_NO ? FAILED_BYTES : ENDS_BYTES;
	const char *end = text + len, *head = text + MIN(len, most);
	const char *rest = MAX(head, end - MIN(len, most));

	if (o->worked == WORKED_YES)
		return 0;
	read_lines(&l, ERROR_TOLD, text, text, head);
	read_lines(&l, ERROR_TOLD, text, rest, end);
	if (l.n == 0 && (o->worked == WORKED_NO || l.closed))
		read_uncued(&l, text, end);
	if (l.closed) {
		read_lines(&l, ERROR_CLOSING, text, text, head);
		read_lines(&l, ERROR_CLOSING, text, rest, end);
	}
	return l.n;
}
