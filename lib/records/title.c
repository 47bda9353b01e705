/*
 * title.c: agents name few of their sessions, so the first words that say something must do. Of a
 * mail that is its subject.
 */
#include "records/title.h"

#include <strings.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "calls/calls.h"
#include "json/json.h"
#include "statement/plain.h"
#include "statement/sentence.h"
#include "statement/speech.h"
#include "store/records.h"
#include "text/words.h"

#define TURNS_READ 20              /* of a session whose user said nothing until then */
#define WORD_BYTES 3               /* letters of a line that has a word */
#define FEW_BYTES  6               /* a line of less, such as "hi", says nothing */
/* words of content: a line with less, "git commit", tells little */
#define FEW_WORDS  3
#define FEW_ASKED  2               /* the same of a question */

struct opening {
	struct arena *arena;
	/* NULL: none yet */
	const char *own, *summary, *topics, *user, *any, *called;
	bool by_model;                         /* summary is a model's */
	bool subject;                          /* user is the subject of a mail */
};

/* Whether all words of a line call somebody: "@ann @ben". */
static bool
only_calls(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!ascii_is_space(p[i]) && (i == 0 || ascii_is_space(p[i - 1])) && p[i] != '@')
			return false;
	return true;
}

/* Whether it is a number or a time, "9:10 am". */
static bool
is_number(const char *p, size_t len)
{
	size_t n = 0, n_digits = 0;

	for (size_t i = 0; i < len; i++) {
		n += ascii_is_letter((unsigned char)p[i]) || (unsigned char)p[i] >= 0x80;
		n_digits += ascii_is_digit((unsigned char)p[i]);
	}
	return n_digits > 0 && n < WORD_BYTES;
}

/*
 * Whether a line of a turn is a command, "/status", a picture, a tag, an address, a sign, ":tada:",
 * a number, or calls somebody, and says no more.
 */
static bool
says_nothing(const char *p, size_t len)
{
	bool word = memchr(p, ' ', len) == NULL;
	char last = p[len - 1];

	return is_number(p, len) || only_calls(p, len) || (*p == '[' && last == ']') ||
	    (*p == '<' && last == '>') ||
	    (word && (*p == '/' || (*p == ':' && last == ':') || strncmp(p, "http", 4) == 0));
}

static const char *
plain_title(const char *p, size_t len, struct arena *a)
{
	LOCAL(buf) b = buf_of(2 * len + 1);

	plain_add(&b, p, len);
	return arena_strndup(a, b.data, utf8_clip(b.data, b.len, TITLE_BYTES));
}

/* Behind the words that stand before what a mail is about: "Subject: Re: ". */
static const char *
behind_subject(const char *p, const char *stop)
{
	static const char *const heads[] = { "Subject:", "Re:", "Fwd:", "Fw:", "AW:", "WG:" };

	for (size_t i = 0; i < NELEM(heads);) {
		size_t n = strlen(heads[i]);

		if ((size_t)(stop - p) > n && strncasecmp(p, heads[i], n) == 0) {
			for (p += n; p < stop && ascii_is_space(*p); p++)
				;
			i = 0;
		} else {
			i++;
		}
	}
	return p;
}

/*
 * The first line of least bytes or more, without the marks of Markdown before it; of a turn one
 * that says something. NULL: there is none.
 */
static const char *
first_line(const char *p, size_t len, size_t least, bool of_turn, struct arena *a)
{
	const char *text = p, *end = p + len;

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p)), *stop = nl != NULL ? nl : end;
		const char *about = of_turn ? behind_subject(p, stop) : p;

		if (of_turn && about == p &&
		    speech_of_line(text, len, (size_t)(p - text), (size_t)(stop - text)) ==
			SPEECH_NONE)
			about = stop;
		p = about;
		while (p < stop && (ascii_is_space(*p) || strchr("#>*-=_`~|", *p) != NULL))
			p++;
		if ((size_t)(stop - p) >= least &&
		    !(of_turn && says_nothing(p, (size_t)(stop - p))))
			return plain_title(p, (size_t)(stop - p), a);
		p = stop + 1;
	}
	return NULL;
}

/* The subject of a mail, which may be as short as "btw"; NULL: it is none. */
static const char *
subject_of(const struct message *m, struct arena *a)
{
	struct err ignored = ERR_INIT;
	const struct json *extra;
	const char *subject = NULL;
	size_t len;

	if (*m->extra != '\0' && json_parse(m->extra, strlen(m->extra), a, &extra, &ignored) == 0)
		subject = json_get_string(extra, "subject", &len);
	return subject != NULL ? first_line(subject, len, 1, true, a) : NULL;
}

static int
see_turn(void *arg, const struct message *m)
{
	struct opening *o = arg;
	const char *said = m->role == ROLE_USER ? subject_of(m, o->arena) : NULL;
	bool tells = said != NULL;

	o->subject = tells || (m->role == ROLE_USER &&
	    behind_subject(m->content, m->content + m->content_len) != m->content);
	if (m->role == ROLE_USER && !tells &&
	    (said = first_line(m->content, m->content_len, FEW_BYTES, true, o->arena)) != NULL)
		tells = words_say(said, strlen(said),
		    sentence_asks(said, strlen(said)) ? FEW_ASKED : FEW_WORDS);
	if (said != NULL && (tells || o->user == NULL))
		o->user = said;
	if (o->any == NULL && m->role != ROLE_TOOL && m->role != ROLE_SYSTEM)
		o->any = first_line(m->content, m->content_len, 1, true, o->arena);
	if (o->called == NULL && *m->tool_calls != '\0')
		o->called = calls_said(m->tool_calls, TITLE_BYTES, o->arena);
	return tells;
}

/* What a talk of several people is about (summary/summary_topics.h); NULL: it is not known. */
static const char *
topics_of(const struct record_head *h, struct arena *a)
{
	const struct json *extra, *list = NULL;
	struct err ignored = ERR_INIT;
	const char *all = NULL;

	if (json_parse(h->extra, strlen(h->extra), a, &extra, &ignored) == 0)
		list = json_get(extra, "topics");
	for (size_t i = 0; list != NULL && list->kind == JSON_ARRAY && i < list->len; i++)
		if (list->u.items[i].kind == JSON_STRING)
			all = arena_printf(a, "%s%s%s", all != NULL ? all : "",
			    all != NULL ? ", " : "", list->u.items[i].u.string);
	return all == NULL ? NULL : plain_title(all, strlen(all), a);
}

static int
see_summary(void *arg, const struct fact *f)
{
	struct opening *o = arg;

	o->topics = topics_of(&f->head, o->arena);
	o->summary = first_line(f->head.content, f->head.content_len, 1, false, o->arena);
	o->by_model = f->summary.model[0] != '\0';
	/* who said it is not what it is about, where that is only a role */
	for (size_t i = ROLE_USER; i <= ROLE_ASSISTANT && o->summary != NULL; i++) {
		size_t n = strlen(role_names[i]);

		if (strncmp(o->summary, role_names[i], n) == 0 &&
		    strncmp(o->summary + n, ": ", 2) == 0 && o->summary[n + 2] != '\0')
			o->summary += n + 2;
	}
	return 1;
}

/* Reads how a session begins; whole: also what no title needs, as there is a better one. */
static int
read_opening(struct store *s, const struct scope *who, const struct session *v, bool whole,
	struct opening *o, struct err *err)
{
	struct record_filter summaries = RECORD_FILTER_ANY(RECORD_SUMMARY);
	struct message_filter first = MESSAGE_FILTER_ANY;
	struct scope in = *who;

	if (v->title != NULL)
		o->own = first_line(v->title, strlen(v->title), 1, false, o->arena);
	if (o->own != NULL && !whole)
		return 0;
	in.session = v->id;
	summaries.kind = SUMMARY_SESSION;
	summaries.newest_first = true;
	summaries.limit = 1;
	first.limit = TURNS_READ;
	return records_each(s, &in, &summaries, see_summary, o, err) != 0 ||
	    ((whole || !o->by_model || o->summary == NULL) &&
		messages_each(s, &in, &first, see_turn, o, err) != 0)
	    ? -1
	    : 0;
}

int
session_title(struct store *s, const struct scope *who, const struct session *v,
	struct arena *a, const char **title, struct err *err)
{
	struct opening o = { .arena = a };

	if (read_opening(s, who, v, false, &o, err) != 0)
		return -1;
	/* a name with a blank is one that people gave it, as a chat's */
	*title = o.own != NULL			   ? o.own
	    : strchr(v->id, ' ') != NULL	   ? arena_strdup(a, v->id)
	    : o.summary != NULL && o.by_model	   ? o.summary
	    : o.topics != NULL && !o.subject	   ? o.topics
	    : o.user != NULL			   ? o.user
	    : o.any != NULL			   ? o.any
	    : o.called != NULL			   ? o.called
						   : arena_strdup(a, v->id);
	return 0;
}

int
session_words(struct store *s, const struct scope *who, const struct session *v,
	struct arena *a, const char **words, struct err *err)
{
	struct opening o = { .arena = a };

	if (read_opening(s, who, v, true, &o, err) != 0)
		return -1;
	*words = "";
	const char *const said[] = { o.own, o.summary, o.topics, o.user, o.any, o.called };

	for (size_t i = 0; i < NELEM(said); i++)
		if (said[i] != NULL)
			*words = arena_printf(a, "%s%s\n", *words, said[i]);
	return 0;
}
