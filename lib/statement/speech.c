/*
 * speech.c: goes by form alone: how a line begins and ends, how many of its bytes are marks that
 * words do not have, what the first and the last word of a clause are.
 */
#include "statement/speech.h"

#include "base/ascii.h"
#include "base/span.h"
#include "lexicon/lex.h"
#include "statement/cues.h"
#include "statement/rule.h"
#include "statement/vouch.h"

#define WRAP_LEAST  50                 /* bytes of a line that was cut at a width */
#define HEADS_NEAR  4                  /* lines in which a mail has two of its headers */
#define MARKS_SHARE 9                  /* one of so many bytes is a mark: no words */
#define LINK_SHARE  3                  /* one of so many bytes belongs to an address: no words */
#define SIGNED_MOST 400                /* bytes of a signature */
#define GREET_MOST  5                  /* words of a line that greets its reader */
#define OPENING     200                /* bytes that a text begins with */
#define HANGS_WORDS 2                  /* words that say something beside "it" */
#define HANGS_BEFORE 1                 /* of these before it, as a verb */

static bool
begins_any(const char *p, size_t len, const char *const what[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ascii_begins(p, len, what[i]))
			return true;
	return false;
}

static bool
has(const char *p, size_t len, const char *what)
{
	return span_find(p, len, what) < len;
}

/* ---- lines ---- */

static bool
is_header(const char *p, size_t len)
{
	static const char *const names[] = { "From: ", "Sent: ", "To: ", "Cc: ", "Subject: ",
		"Date: ", "Reply-To: ", "Von: ", "Gesendet: ", "An: ", "Betreff: ", "Datum: ",
		"*From:", "*Sent:", "*To:", "*Subject:", "*Date:", "De: ", "Para: ", "Asunto: ",
		"Objet: ", "差出人: ", "宛先: ", "件名: ", "发件人", "收件人", "主题：" };

	return begins_any(p, len, names, NELEM(names));
}

/* How many of the lines from `at` on are headers of a mail. */
static unsigned
headers_near(const char *text, size_t len, size_t at)
{
	unsigned n = 0;

	for (unsigned i = 0; i < HEADS_NEAR && at < len; i++) {
		size_t end = span_line_end(text, len, at);

		n += is_header(text + at, end - at);
		at = end + 1;
	}
	return n;
}

/* "On Tue Ann wrote:", in one line or two: who wrote the mail that is answered below. */
static bool
is_wrote(const char *p, size_t len)
{
	static const char *const words[] = { "wrote:", "schrieb:", "escribió:", "a écrit :",
		"ha scritto:", "写道：", "写道:" };

	len = ascii_end(p, len);
	for (size_t i = 0; i < NELEM(words); i++)
		if (span_ends(p, len, words[i]))
			return true;
	return false;
}

/* Whether what is quoted from `at` on has no mark before its lines. */
static bool
is_unmarked(const char *text, size_t len, size_t at)
{
	while (at < len && ascii_is_space(text[at]))
		at++;
	return at < len && text[at] != '>';
}

static bool
has_any(const char *p, size_t len, const char *const what[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (has(p, len, what[i]))
			return true;
	return false;
}

/*
 * Whether a service says with its mark who comes and goes: "*** Joins ann", "-!- ann has quit". One
 * star begins what somebody does, too: "* Ann has quit (finally) smoking".
 */
static bool
is_coming(const char *p, size_t len)
{
	static const char *const marks[] = { "*** ", "-!- ", "--> ", "<-- " };
	static const char *const comes[] = { " has joined #", " has left #", " has quit IRC" };
	static const char *const words[] = { "* Joins ", "* Parts ", "* Quits ", "* Server sets ",
		" has quit", " is now known as ", " sets mode" };
	bool marked = begins_any(p, len, marks, NELEM(marks));

	return ((marked || ascii_begins(p, len, "* ") || has(p, len, "!~")) &&
		   (has_any(p, len, comes, NELEM(comes)) ||
		       (has(p, len, " has quit (") && span_ends(p, len, ")")))) ||
	    (marked && has_any(p, len, words, NELEM(words))) ||
	    span_ends(p, len, " has joined the channel") ||
	    span_ends(p, len, " has left the channel");
}

/* Whether it is of what a list or a program adds below a mail. */
static bool
is_footer(const char *p, size_t len)
{
	static const char *const words[] = { "To unsubscribe from this ", "To unsubscribe send an",
		"Sent from my ", "You received this message because you are sub" };

	return begins_any(p, len, words, NELEM(words));
}

size_t
speech_own(const char *text, size_t len)
{
	size_t own = 0;

	for (size_t at = 0, end; at < len; at = end + 1) {
		const char *p = text + at;
		size_t n = (end = span_line_end(text, len, at)) - at;

		if (own > 0 && len - at <= SIGNED_MOST &&
		    ((n == 3 && memcmp(p, "-- ", 3) == 0) ||
			(ascii_begins(p, n, "__________") && has(p, len - at, "mailing list"))))
			break;
		if (!ascii_is_blank(p, n) && !is_coming(p, n) && (own == 0 || !is_footer(p, n)))
			own = end;
	}
	return own;
}

/* What a service says of who comes and goes, and of what it did not keep. */
static bool
is_service(const char *p, size_t len)
{
	static const char *const words[] = { "!~", " has quit IRC", ") Quit (", " has joined #",
		" has left #", " joined the channel", " left the channel",
		" has joined the channel", " has left the channel", " left the group",
		" is now known as ", " set the channel ",
		" hat die Gruppe verlassen", " ist der Gruppe beigetreten",
		"[Media omitted]", "This message was deleted",
		"Messages and calls are end-to-end encrypted", "task-notification>",
		"attachment was scrubbed", "ed-by: ",
		"Signed-off-by: ", " file changed, ", " files changed, ", "<summary>", "</", "/>" };

	return has_any(p, len, words, NELEM(words)) || is_coming(p, len) || is_footer(p, len);
}

/* Whether the line is a log's that is shown: "<bo> we take tar", "[10:32] < bo> tar it is". */
static bool
is_of_log(const char *p, size_t len)
{
	size_t at = 0, nick;

	while (at < len && (ascii_is_digit(p[at]) || strchr("[]():.-/ ", p[at]) != NULL))
		at++;
	if (at >= len || p[at] != '<')
		return false;
	at += at + 1 < len && strchr(" @+%&~", p[at + 1]) != NULL ? 2 : 1;
	for (nick = at; at < len && !ascii_is_space(p[at]) && strchr("<>/=", p[at]) == NULL;)
		at++;
	return at > nick && at + 2 < len && p[at] == '>' && p[at + 1] == ' ';
}

/* Whether the line has the marks of code, of a table or of a program's output. */
static bool
is_output(const char *p, size_t len)
{
	static const char *const levels[] = { "[ERROR]", "[WARN", "[INFO]", "[DEBUG]", "[TRACE]" };
	size_t marks = 0, at = 0;

	for (size_t i = 0; i < len; i++)
		marks += strchr("{}[]<>=|\\$^~", p[i]) != NULL && p[i] != '\0';
	len = ascii_end(p, len);
	while (at < len && ascii_is_digit(p[at]))
		at++;
	return marks * MARKS_SHARE > len || span_ends(p, len, ");") || span_ends(p, len, "};") ||
	    span_ends(p, len, " {") || ascii_begins(p, len, "// ") || has(p, len, "\":") ||
	    has(p, len, "{\"") || has(p, len, "{'") || has(p, len, "(f\"") || has(p, len, "=> ") ||
	    begins_any(p, len, levels, NELEM(levels)) ||
	    (at > 0 && ascii_begins(p + at, len - at, " | "));
}

/* Whether the line greets its reader and says no more: "Dear Ms Sommer,", "Hola a todos:". */
static bool
is_greeting(const char *p, size_t len)
{
	struct lex_token t;
	size_t at, n = 1;

	len = ascii_end(p, len);
	if (len == 0 || !lex_next(p, len, 0, &t) ||
	    (at = lex_phrase(p, len, &t, LEX_GREETING, LEX_ANY, NULL)) == 0)
		return false;
	if (strchr(",:!", p[len - 1]) == NULL && !span_ends(p, len, "，") &&
	    !span_ends(p, len, "：") && !span_ends(p, len, "！") && at < len)
		return false;
	if (memchr(p, ',', len - 1) != NULL)
		return false;
	for (; lex_next(p, len, at, &t); at = t.end)
		n += !t.unspaced;
	return n <= GREET_MOST && (p[len - 1] != '!' || n <= GREET_MOST - 2);
}

enum speech
speech_of_line(const char *text, size_t len, size_t start, size_t end)
{
	const char *p = text + start;
	size_t n = end - start, next = span_line_end(text, len, end + 1);

	if ((n == 3 && memcmp(p, "-- ", 3) == 0) || (ascii_begins(p, n, "-----Orig")) ||
	    (ascii_begins(p, n, "-----Urspr")) || ascii_begins(p, n, "diff --git a/") ||
	    ascii_begins(p, n, "@@ -") ||
	    (is_header(p, n) && headers_near(text, len, start) > 1 && start > 0))
		return SPEECH_OVER;
	if (is_wrote(p, n))
		return is_unmarked(text, len, end) ? SPEECH_OVER : SPEECH_NONE;
	if (ascii_begins(p, n, "On ") && end < len &&
	    is_wrote(text + end + 1, next - MIN(end + 1, next)))
		return SPEECH_NONE;
	return is_header(p, n) || is_service(p, n) || is_of_log(p, n) || is_output(p, n) ||
		is_greeting(p, n)
	    ? SPEECH_NONE
	    : SPEECH_OWN;
}

/* ---- lines that are cut at a width ---- */

bool
speech_goes_on(const char *text, size_t len, size_t start, size_t end)
{
	const char *next = text + end + 1;

	return end + 2 < len && end - start >= WRAP_LEAST &&
	    strchr(".!?:", text[end - 1]) == NULL && *next >= 'a' && *next <= 'z' &&
	    !ascii_is_space(next[1]) && next[1] != ')' && next[1] != '.';
}

/* ---- clauses ---- */

/* Whether it begins with a word for what stands before it; "no ORMs in this project" does not. */
static bool
leans_back(const char *p, size_t len)
{
	struct lex_token t;

	return lex_next(p, len, 0, &t) && lex_phrase(p, len, &t, LEX_LEANS, LEX_ANY, NULL) > 0 &&
	    rule_of(p, len) < RULE_WORK;
}

/* Whether it ends with a word of what is to be so: "from now on" lacks nothing behind it. */
static bool
ends_henceforth(const char *p, size_t len)
{
	static _Thread_local struct cue_text t;
	const struct cue *cue;

	cue_text_read(&t, "schema/cues/lasting.txt", p, len);
	cue = cue_text_find(&t, "henceforth", 0);
	return cue != NULL && cue_end(cue) == len;
}

/* Whether it ends with a word behind which something is missing. */
static bool
is_torn(const char *p, size_t len)
{
	struct lex_token t;
	size_t at = len;

	if (len == 0 || strchr(":,(=\\", p[len - 1]) != NULL || span_ends(p, len, "...") ||
	    (p[len - 1] == '/' && rule_of(p, len) == RULE_NOT))        /* "hands off gen/" */
		return true;
	while (at > 0 && ascii_is_letter(p[at - 1]))
		at--;
	return at < len && (at == 0 || p[at - 1] == ' ') && lex_next(p, len, at, &t) &&
	    lex_is(&t, LEX_TORN, LEX_IN(lex_language_of(p, len)), NULL) && !ends_henceforth(p, len);
}

/* Whether much of it is addresses. */
static bool
is_link(const char *p, size_t len)
{
	size_t in = 0;

	for (size_t at = 0, end; (end = span_find(p + at, len - at, "://")) < len - at; at = end) {
		end = at += end;
		while (at > 0 && ascii_is_letter(p[at - 1]))
			at--;
		while (end < len && !ascii_is_space(p[end]))
			end++;
		if (at == 0)
			return true;
		in += end - at;
	}
	return in * LINK_SHARE > len;
}

bool
speech_hangs(const char *p, size_t len)
{
	static _Thread_local struct cue_text t;
	unsigned in = LEX_IN(lex_language_of(p, len));
	struct lex_token w;
	bool stands_for = false, open = false;
	size_t n_content = 0;

	cue_text_read(&t, "schema/cues/lasting.txt", p, len);
	for (size_t at = 0; lex_next(p, len, at, &w); at = w.end) {
		bool content = !lex_is(&w, LEX_FUNCTION, in, NULL) &&
		    !lex_is(&w, LEX_VAGUE, in, NULL);

		stands_for |= open && !content;        /* "that song" is named */
		open = n_content <= HANGS_BEFORE &&
		    (lex_is(&w, LEX_IT, in, NULL) || lex_is(&w, LEX_THEY, in, NULL) ||
		    lex_is(&w, LEX_THIS, in, NULL) || lex_is(&w, LEX_THAT, in, NULL));
		for (size_t i = 0; i < t.n && content; i++)
			content = w.start < t.cues[i].start || w.start >= cue_end(&t.cues[i]);
		n_content += content;
	}
	return (stands_for || open) && n_content <= HANGS_WORDS;
}

bool
speech_stands(const char *clause, size_t len)
{
	return !leans_back(clause, len) && !is_torn(clause, len) && !is_link(clause, len) &&
	    !is_output(clause, len) && !is_service(clause, len);
}

bool
speech_takes_back(const char *text, size_t len)
{
	static const char *const table = "schema/cues/against.txt";
	static _Thread_local struct cue_text found;
	size_t end;

	if (vouch_takes_back(text, len))
		return true;
	cue_text_read(&found, table, text, MIN(len, (size_t)OPENING));
	/* behind one word, too: "hm, no, ..." */
	for (size_t i = 0; i < found.n && found.cues[i].at <= 1; i++) {
		end = cue_end(&found.cues[i]);
		/* "no exceptions" takes nothing back, and "No, wait" does */
		if (cue_text_is(&found, &found.cues[i], "void") ||
		    (cue_text_is(&found, &found.cues[i], "bare") &&
			(end == len || strchr(",.;:!-", text[end]) != NULL)))
			return true;
	}
	return false;
}
