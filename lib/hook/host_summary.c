/*
 * host_summary.c: hosts write the summary as a line of its own, which Claude Code and Codex mark.
 */
#include "hook/host_summary.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/order.h"
#include "json/json.h"
#include "text/words.h"

#define TAIL  (1u << 20)       /* bytes of the transcript that are looked at */
#define SAID  0.75             /* of a text's words, in a summary that says the same */

static const char *const marks[] = { "\"isCompactSummary\":true", "\"type\":\"compacted\"" };

/* ---- reading ---- */

struct words { uint64_t *hash; size_t n, cap; };

static int
add_word(void *arg, const struct word *w)
{
	struct words *v = arg;

	*xpush(v->hash, v->n, v->cap) = w->hash;
	return 0;
}

/* Adds the words of all texts in the value. */
static void
add_texts(const struct json *j, struct words *v)
{
	if (j->kind == JSON_STRING)
		words_each(j->u.string, j->len, add_word, v);
	for (size_t i = 0; i < j->len && j->kind == JSON_ARRAY; i++)
		add_texts(&j->u.items[i], v);
	for (size_t i = 0; i < j->len && j->kind == JSON_OBJECT; i++)
		add_texts(&j->u.members[i].value, v);
}

static bool
is_marked(const char *line)
{
	for (size_t i = 0; i < NELEM(marks); i++)
		if (strstr(line, marks[i]) != NULL)
			return true;
	return false;
}

/* The end of a file, with a NUL after it; NULL: it is no file, or cannot be read. */
static char *
read_tail(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	char *text = NULL;
	ssize_t n;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		text = xmalloc(TAIL + 1);
		n = pread(fd, text, TAIL, st.st_size > (off_t)TAIL ? st.st_size - (off_t)TAIL : 0);
		text[n > 0 ? n : 0] = '\0';
	}
	if (fd >= 0)
		close(fd);
	return text;
}

void
host_summary_read(const char *transcript, struct host_summary *out, struct arena *a)
{
	FREED char *text = *transcript == '\0' ? NULL : read_tail(transcript);
	char *last = NULL, *next;
	struct words v = { .n = 0 };
	const struct json *j;
	uint64_t *words;

	*out = (struct host_summary){ .n = 0 };
	for (char *line = text; line != NULL && *line != '\0'; line = next) {
		next = line + strcspn(line, "\n");
		if (*next != '\0')
			*next++ = '\0';
		if (is_marked(line))
			last = line;
	}
	if (last != NULL && json_parse_mended(last, strlen(last), a, &j, NULL) == 0) {
		add_texts(j, &v);
		words = arena_alloc(a, (v.n + 1) * sizeof(*words));
		for (size_t i = 0; i < v.n; i++)
			words[i] = v.hash[i];
		qsort(words, v.n, sizeof(*words), by_uint64);
		*out = (struct host_summary){ words, v.n };
	}
	free(v.hash);
}

/* ---- comparing ---- */

struct compared { const struct host_summary *s; size_t n, said; bool number_lacks; };

static int
on_word(void *arg, const struct word *w)
{
	struct compared *v = arg;
	bool said = bsearch(&w->hash, v->s->words, v->s->n, sizeof(w->hash), by_uint64) != NULL;

	if (w->stop || w->kind == WORD_PART || w->kind == WORD_CHAR)
		return 0;
	v->n++;
	v->said += said;
	v->number_lacks |= w->kind == WORD_NUMBER && !said;
	return 0;
}

bool
host_summary_says(const struct host_summary *s, const char *text, size_t len)
{
	struct compared v = { .s = s };

	if (s->n == 0)
		return false;
	words_each(text, len, on_word, &v);
	return !v.number_lacks && (double)v.said >= SAID * (double)v.n;
}
