/*
 * open_todo.c: a todo is closed by a clause that says plainly that it is done: its author vouches
 * for it, nothing before it only supposes, hopes or denies it, and it is about the same. A turn of
 * the same session may be about half of the todo's words, as it stands in its talk; one of another
 * session, and a note, must be about nearly all of them. An assistant that calls tools and speaks
 * of the todo does it, and so closes it, but not with its first reply.
 */
#include "hook/open_todo.h"

#include "base/me.h"
#include "base/utf8.h"
#include "search/ask.h"
#include "statement/cues.h"
#include "statement/ended.h"
#include "statement/likeness_words.h"
#include "statement/stance.h"
#include "statement/statement.h"
#include "statement/values.h"
#include "statement/vouch.h"
#include "text/words.h"

#define TABLE       "schema/cues/todo.txt"
#define HEDGES      "schema/cues/ends.txt"
#define LATER       20         /* turns, and as many records, that are looked at */
#define SHARED      0.5        /* of the todo's words, in what speaks of the same behind it */
#define SHARED_FAR  0.75       /* in another session, a note or a fact */
#define REPLY       2          /* turns behind it in which a reply repeats it */
#define TODO_BYTES  2000

static bool
has_class(const char *text, size_t len, const char *name)
{
	return cues_has(TABLE, name, text, len);
}

/* ---- what a later text says of it ---- */

struct todo {
	const char *text;
	size_t len;
	struct said words;
	struct todo_turn said;
};

/* Reads words of a text without the cues of a class and times: those say nothing of what it is. */
static void
read_without(const char *text, size_t len, const char *table, const char *class, struct said *s)
{
	static _Thread_local struct cue_text found;
	char bare[TODO_BYTES];

	len = utf8_clip(text, len, sizeof(bare));
	memcpy(bare, text, len);
	cue_text_read(&found, table, text, len);
	for (size_t i = 0; i < found.n; i++)
		if (cue_text_is(&found, &found.cues[i], class))
			memset(bare + found.cues[i].start, ' ', found.cues[i].len);
	values_read_untimed(s, bare, len);
}

/* The words of what is to be done; "once the new one runs" says when. */
static void
read_todo(struct todo *t)
{
	static _Thread_local struct cue_text found;
	const struct cue *when;

	cue_text_read(&found, TABLE, t->text, t->len);
	when = cue_text_find(&found, "when", 0);
	read_without(t->text, when != NULL && when->start > 0 ? when->start : t->len, TABLE, "todo",
	    &t->words);
}

/*
 * Whether the word may be what is to be done, and not with what: the first in most languages, an
 * infinitive at the end in some. It is told in another form, or not: "the tax return is in".
 */
static bool
may_be_verb(const struct said *s, size_t i, size_t n_before, size_t n_behind)
{
	const struct said_word *w = &s->w[i];

	return n_before == 0 ||
	    (n_behind == 0 && w->len > 4 && memcmp(w->term + w->len - 2, "en", 2) == 0);
}

/* Whether a text has such a share of the todo's content words; its verb may be another. */
static bool
shares(const struct todo *t, const char *text, size_t len, double share)
{
	static _Thread_local struct said later;
	size_t n = 0, all = 0, shared = 0, verb = 0;

	said_read(&later, text, len);
	for (size_t i = 0; i < t->words.n; i++)
		all += t->words.w[i].content;
	for (size_t i = 0; i < t->words.n; i++) {
		const struct said_word *w = &t->words.w[i];

		if (!w->content)
			continue;
		if (said_has(&later, w))
			shared++;
		else if (may_be_verb(&t->words, i, n, all - n - 1))
			verb = 1;
		n++;
	}
	return shared > 0 && (double)(shared + verb) >= share * (double)n;
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

		end = nl != NULL ? (size_t)(nl - text) : len;
		if (is_ticked(text + at, end - at) && shares(t, text + at, end - at, SHARED))
			return true;
	}
	return false;
}

/* ---- a clause that says that it is done ---- */

struct doing {
	const struct todo *of;
	const char *text;
	struct voucher voucher;
	bool note, done;
};

struct past { const struct said *of; const char *text; size_t at; };

/* Finds a word of the todo as what has been done: "ported", of "port the importer". */
static int
on_past(void *arg, const struct word *w)
{
	struct past *v = arg;

	if (w->kind != WORD_PLAIN || w->end - w->start < 4 ||
	    memcmp(v->text + w->end - 2, "ed", 2) != 0)
		return 0;
	for (size_t i = 0; i < v->of->n; i++)
		if (v->of->w[i].content && v->of->w[i].len == w->len &&
		    memcmp(v->of->w[i].term, w->term, w->len) == 0) {
			v->at = w->start;
			return 1;
		}
	return 0;
}

/* Where the text says first that something is done; len: nowhere. */
static size_t
done_at(const struct todo *t, const char *text, size_t len)
{
	static _Thread_local struct cue_text found;
	struct past past = { &t->words, text, len };
	const struct cue *cue;

	cue_text_read(&found, TABLE, text, len);
	words_each(text, len, on_past, &past);
	cue = cue_text_find(&found, "done", 0);
	return cue != NULL ? MIN(cue->start, past.at) : past.at;
}

/* Whether the text names something that the todo does not. */
static bool
names_other(const struct todo *t, const char *text, size_t len)
{
	static _Thread_local struct said s;

	read_without(text, len, HEDGES, "aside", &s);
	for (size_t i = 0; i < s.n; i++)
		if (s.w[i].content && !said_has(&t->words, &s.w[i]))
			return true;
	return false;
}

static int
on_clause(void *arg, const struct clause *c)
{
	const unsigned open = STANCE_WANTS | STANCE_TRIES | STANCE_ASKS;
	static _Thread_local struct cue_text hedges;
	struct doing *v = arg;
	enum vouch by = vouch_next(&v->voucher, c);
	const char *sentence = v->text + c->sentence, *clause = v->text + c->start;
	size_t before = c->start - c->sentence, at = done_at(v->of, clause, c->len);
	const struct cue *hedge;

	if (at == c->len || (by != VOUCH_OWN && by != VOUCH_LABELLED) ||
	    (c->flags & (CLAUSE_QUESTION | CLAUSE_QUOTED)) != 0)
		return 0;
	cue_text_read(&hedges, HEDGES, sentence, c->sentence_len);
	hedge = cue_text_find(&hedges, "hedge", 0);
	if ((hedge != NULL && hedge->start < before + at) ||
	    has_class(sentence, c->sentence_len, "part") ||
	    (stance_of(sentence, c->sentence_len) & open) != 0)
		return 0;
	if (!v->note)
		v->done = !names_other(v->of, clause, at);
	else
		v->done = !names_other(v->of, sentence, before + at) &&
		    (shares(v->of, clause, c->len, SHARED_FAR) || (hedge == NULL &&
			shares(v->of, sentence, c->sentence_len, SHARED_FAR)));
	return v->done;
}

/* Whether the text says that it is done, or need not be. */
static bool
says_done(const struct todo *t, const char *text, size_t len, bool note)
{
	struct doing v = { .of = t, .text = text, .note = note };

	vouch_begin(&v.voucher, text, len, "", false);
	clauses_each(text, len, on_clause, &v);
	return v.done || ended_text(t->text, t->len, text, len) || ticks(t, text, len);
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
	bool near = t->said.row > 0 && strcmp(m->session, t->said.session) == 0,
	     reply = near && m->turn <= t->said.turn + REPLY;

	return is_later(t, m) &&
	    shares(t, m->content, m->content_len, near ? SHARED : SHARED_FAR) &&
	    (says_done(t, m->content, m->content_len, false) ||
		(m->role != ROLE_USER && !reply && *m->tool_calls != '\0'));
}

static int
on_statement(void *arg, const struct statement *s)
{
	*(bool *)arg = s->read.kind == READ_TODO;
	return *(bool *)arg;
}

bool
todo_said(const char *text, size_t len)
{
	bool said = false;

	if (!has_class(text, len, "not"))
		statements_each(text, len, on_statement, &said);
	return said;
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

	read_todo(&t);
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
		    says_done(t, x->head.content, x->head.content_len, true);
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
		read_todo(&t);
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

int
todo_done(struct store *s, struct search **search, const struct scope *who, const struct fact *f,
	bool *done, struct err *err)
{
	const struct record_head *h = &f->head;
	const struct scope all = { .user = who->user, .agent = who->agent };
	const struct message *m = NULL;
	struct arena a = ARENA_INIT;
	bool open = true;
	int rc = 0;

	*done = false;
	if (f->kind != FACT_TODO)
		return 0;
	if (h->n_sources == 0 && h->origin == ORIGIN_USER) {
		rc = open_todo(s, search, who, f, &open, err);
		*done = rc == 0 && !open;
	} else if (h->n_sources > 0) {
		rc = messages_find(s, &all, h->sources[0].id, &a, &m, err);
	}
	if (rc == 0 && m != NULL)
		rc = todo_closed(s, search, &all, h->content, h->content_len,
		    &(struct todo_turn){ m->row, m->turn, h->time_us, m->session }, done, err);
	arena_release(&a);
	return rc < 0 ? -1 : 0;
}
