/*
 * open_todo.c: in doubt a todo is not open. A later turn that speaks of the same thing closes it
 * when it says that something is done, and when an assistant says it at all, as it seldom speaks of
 * work but to do it; its reply to the todo itself does not.
 */
#include "hook/open_todo.h"

#include "base/ascii.h"
#include "base/me.h"
#include "search/ask.h"
#include "statement/cues.h"
#include "statement/ended.h"
#include "statement/likeness_words.h"
#include "statement/sentence.h"
#include "statement/vouch.h"
#include "text/words.h"

#define LATER     20           /* turns, and as many records, that are looked at */
#define SHARED    0.5          /* of the todo's words, in what speaks of the same */
#define SHARED_DONE 2          /* words, where it says that something is done */
#define SHARED_NOTE 0.75       /* of the words, in a note or fact: it was not said behind it */
#define REPLY     2            /* turns behind it in which a reply repeats it */

static bool
has_class(const char *text, size_t len, const char *name)
{
	return cues_has("schema/cues/todo.txt", name, text, len);
}

/* ---- what a later text says of it ---- */

struct todo {
	const char *text;
	size_t len;
	struct said words;
	struct todo_turn said;
};

/* The words of a todo; that it is one says nothing of what it is about. */
static void
read_words(struct todo *t)
{
	said_read(&t->words, t->text, t->len);
	for (size_t i = 0; i < t->words.n; i++)
		t->words.w[i].content &=
		    !has_class(t->words.w[i].term, t->words.w[i].len, "todo");
}

struct past { const struct said *of; const char *text; };

/* Whether the word is one of the todo's as what has been done: "ported", of "port the importer". */
static int
is_past(void *arg, const struct word *w)
{
	const struct past *v = arg;

	if (w->kind != WORD_PLAIN || w->end - w->start < 4 ||
	    memcmp(v->text + w->end - 2, "ed", 2) != 0)
		return 0;
	for (size_t i = 0; i < v->of->n; i++)
		if (v->of->w[i].content && v->of->w[i].len == w->len &&
		    memcmp(v->of->w[i].term, w->term, w->len) == 0)
			return 1;
	return 0;
}

/* How many of the todo's content words a text has; *n: how many there are. */
static size_t
words_shared(const struct todo *t, const char *text, size_t len, size_t *n)
{
	struct said later;
	size_t shared = 0;

	*n = 0;
	said_read(&later, text, len);
	for (size_t i = 0; i < t->words.n; i++) {
		const struct said_word *w = &t->words.w[i];

		if (w->content) {
			++*n;
			shared += said_has(&later, w);
		}
	}
	return shared;
}

static bool
is_ticked(const char *line, size_t len)
{
	while (len > 0 && strchr(" \t-*+", *line) != NULL) {
		line++;
		len--;
	}
	return len > 4 && (memcmp(line, "[x] ", 4) == 0 || memcmp(line, "[X] ", 4) == 0);
}

/* Whether a task of a list in the text is ticked and is about the same. */
static bool
ticks(const struct todo *t, const char *text, size_t len)
{
	for (size_t at = 0, end; at < len; at = end + 1) {
		const char *nl = memchr(text + at, '\n', len - at);
		size_t n, shared;

		end = nl != NULL ? (size_t)(nl - text) : len;
		if (!is_ticked(text + at, end - at))
			continue;
		shared = words_shared(t, text + at, end - at, &n);
		if (n > 0 && (double)shared >= SHARED * (double)n)
			return true;
	}
	return false;
}

/* Whether all of it is one question: "Has the mast been painted?" */
static bool
only_asks(const char *text, size_t len)
{
	while (len > 0 && ascii_is_space(text[len - 1]))
		len--;
	return sentence_asks(text, len) && memchr(text, '\n', len) == NULL &&
	    sentence_end(text, 0, len) == len;
}

/* Whether the text is about the same, and *done: it says that it is done. */
static bool
speaks_of(const struct todo *t, const char *text, size_t len, bool *done)
{
	size_t n, shared = words_shared(t, text, len, &n);

	if (n == 0 || (shared < SHARED_DONE && (double)shared < SHARED * (double)n))
		return false;
	*done = !only_asks(text, len) &&
	    (has_class(text, len, "done") || ticks(t, text, len) ||
		ended_text(t->text, t->len, text, len) ||
		words_each(text, len, is_past, &(struct past){ &t->words, text }) != 0);
	return *done || (double)shared >= SHARED * (double)n;
}

/* Whether a note or fact says for sure that all of it is done: "if it is painted" does not. */
static bool
is_done_by(const struct todo *t, const char *text, size_t len)
{
	size_t n, shared = words_shared(t, text, len, &n);
	bool done;

	return (double)shared >= SHARED_NOTE * (double)n && speaks_of(t, text, len, &done) &&
	    done && vouch_is_own(text, len);
}

static bool
is_later(const struct todo *t, const struct message *m)
{
	return m->row != t->said.row &&
	    (t->said.row > 0 && strcmp(m->session, t->said.session) == 0
		    ? m->turn > t->said.turn
		    : m->time_us == TIME_NONE || m->time_us >= t->said.time_us);
}

static bool
closes(const struct todo *t, const struct message *m)
{
	bool done = false,
	     reply = t->said.row > 0 && strcmp(m->session, t->said.session) == 0 &&
	    m->turn <= t->said.turn + REPLY;

	if (!is_later(t, m) || !speaks_of(t, m->content, m->content_len, &done))
		return false;
	return done || (m->role != ROLE_USER && !reply);
}

bool
todo_said(const char *text, size_t len)
{
	return has_class(text, len, "todo") && !has_class(text, len, "not");
}

/* Whether what begins at a byte of the message is a task of a list that is not ticked. */
static bool
is_in_box(const struct message *m, int64_t start)
{
	return start >= 4 && (size_t)start <= m->content_len &&
	    memcmp(m->content + start - 4, "[ ] ", 4) == 0;
}

/* ---- what was said and stored later ---- */

static int
any_turn(struct store *s, struct search **search, const struct scope *who, const struct todo *t,
	bool *closed, struct err *err)
{
	struct search_result r;

	if (ask_words(s, search, who, t->text, t->len, LATER, &r, err) < 0)
		return -1;
	*closed = false;
	for (size_t i = 0; i < r.n && !*closed; i++)
		*closed = closes(t, r.hits[i].message);
	return 0;
}

int
todo_closed(struct store *s, struct search **search, const struct scope *who, const char *text,
	size_t len, const struct todo_turn *said, bool *closed, struct err *err)
{
	struct todo t = { .text = text, .len = len, .said = *said };

	read_words(&t);
	return any_turn(s, search, who, &t, closed, err);
}

static int
any_record(struct store *s, const struct scope *who, const struct fact *f, const struct todo *t,
	enum record_type type, bool *closed, struct err *err)
{
	struct record_filter filter = RECORD_FILTER_ANY(type);
	struct record_match found[LATER];
	struct arena a = ARENA_INIT;
	const struct fact *x = NULL;
	size_t n = 0;
	int rc = records_match(s, who, &filter, t->text, t->len, LATER, found, &n, err);

	for (size_t i = 0; i < n && rc == 0 && !*closed; i++) {
		rc = records_by_row(s, who, found[i].row, TIME_NONE, &a, &x, err);
		*closed = rc == 0 && x != NULL && x->head.row != f->head.row &&
		    (type != RECORD_FACT || x->kind != FACT_TODO) &&
		    (x->head.time_us == TIME_NONE ? x->head.stored_us : x->head.time_us) >=
			t->said.time_us &&
		    is_done_by(t, x->head.content, x->head.content_len);
	}
	arena_release(&a);
	return rc;
}

int
open_todo(struct store *s, struct search **search, const struct scope *who, const struct fact *f,
	bool *open, struct err *err)
{
	const struct record_head *h = &f->head;
	struct scope all = { .user = who->user, .agent = who->agent };
	struct todo t = { .text = h->content, .len = h->content_len,
		.said = { .time_us = h->time_us } };
	const struct message *m = NULL;
	struct arena a = ARENA_INIT;
	bool closed = false;
	int rc = 0;

	/* what rests on no turn the user has stored as a todo himself */
	*open = *f->summarized == '\0' && (h->n_sources > 0 || h->origin == ORIGIN_USER);
	if (*open && h->n_sources > 0) {
		rc = messages_find(s, &all, h->sources[0].id, &a, &m, err);
		*open = m != NULL && m->role == ROLE_USER && me_speaks(m->name) &&
		    (todo_said(t.text, t.len) || is_in_box(m, h->sources[0].start));
	}
	if (m != NULL)
		t.said = (struct todo_turn){ m->row, m->turn, h->time_us, m->session };
	if (rc == 0 && *open) {
		read_words(&t);
		rc = any_turn(s, search, &all, &t, &closed, err);
		if (rc == 0 && !closed)
			rc = any_record(s, &all, f, &t, RECORD_FACT, &closed, err);
		if (rc == 0 && !closed)
			rc = any_record(s, &all, f, &t, RECORD_REFLECTION, &closed, err);
		*open = !closed;
	}
	arena_release(&a);
	return rc < 0 ? -1 : 0;
}
