/*
 * timeasks.c: whether a question asks when, refers to earlier sessions, or asks what was said, in
 * English and Chinese. Phrases are searched at the starts of words; for "when" and "before" their
 * neighbours decide.
 */
#include "base/ascii.h"
#include "time/timewords.h"

static const char *const date_questions[] = {
	"what date", "which date", "what day", "which day", "what year", "which year", "what month",
	"which month", "what week", "which week", "what time", "how long ago", "how recently",
	"since when", "was the date", "is the date", "what's the date", "the date of",
	"the date when", "how many days ago", "how many weeks ago", "how many months ago",
	"how many years ago", "什么时候", "啥时候", "其时间是什么", "的时间是什么", "什么时间", "什么日期", "何时", "哪天", "哪一天",
	"哪年", "哪一年", "哪个月", "几月", "几号", "几点", "星期几", "周几", "多久以前", "多久之前", "多久前",
	NULL,
};

/* "When" asks in front of these ... */
static const char *const auxiliaries[] = {
	"did", "do", "does", "was", "were", "is", "are", "am", "will", "would", "has", "have",
	"had", "should", "can", "could", "shall", "might", "didn't", "doesn't", "don't", "exactly",
	"approximately", "roughly",
	NULL,
};

/* ... and behind these. */
static const char *const askers[] = { "know", "recall", "tell me", "remind me", "sure", "idea",
	"figure out", "find out", "wonder", "wondering", NULL };

static const char *const back_phrases[] = {
	"last time", "last session", "last chat", "last conversation", "previously", "earlier",
	"in the past", "the other day", "a while ago", "a while back", "previous session",
	"previous sessions", "previous chat", "previous chats", "previous conversation",
	"previous conversations", "past session", "past sessions", "past chats",
	"past conversation", "past conversations", "prior conversation", "prior conversations",
	"之前", "以前", "上次", "上回", "先前", "前几天", "早些时候",
	NULL,
};

static const char *const now_phrases[] = {
	"now", "currently", "still", "these days", "nowadays", "at the moment", "at present",
	"presently", "at this point", "any more", "anymore", "latest", "up to date", "jetzt",
	"derzeit", "aktuell", "momentan", "zurzeit", "heutzutage", "immer noch", "mittlerweile",
	"现在", "目前", "如今", "当前", "眼下", "現在", "當前", NULL,
};

/*
 * Words from which a question about earlier conversations is built, by their part in it;
 * combinations that stand side by side decide.
 */
enum part {
	PERSON = 1,
	OURS = 2,
	DID = 4,
	HAVE = 8,
	SAID = 16,
	WHERE = 32,
	TALK = 64,
	RECALL = 128
};

static const struct { enum part part; const char *const *words; } parts[] = {
	{ PERSON, (const char *const []){ "i", "we", "you", NULL } },
	{ OURS, (const char *const []){ "our", "my", NULL } },
	{ DID, (const char *const []){ "did", "was", "were", NULL } },
	{ HAVE, (const char *const []){ "have", "had", "ve", NULL } },
	{ SAID, (const char *const []){ "mentioned", "said", "told", "discussed", "talked", "brought", "described", "shared", "asked", "decided", "chose", "chosen", "agreed",
		"recommended", "suggested", NULL } },
	{ WHERE, (const char *const []){ "all", "across", "throughout", NULL } },
	{ TALK, (const char *const []){ "conversations", "chats", "sessions", "discussions", NULL } },
	{ RECALL, (const char *const []){ "remember", "recall", "so far", "didn't i", "didn't we", "didn't you", "haven't i", "haven't we", "our conversation", "our chat", "our discussion",
		"我说过", "我提过", "我提到", "我们聊", "我们讨论", "你说过", "你建议过", "你推荐过", "你告诉过", "记得", NULL } },
};

/*
 * Returns the length in bytes of the phrase if it is at text[at], in any case and ending with a
 * word, else 0.
 */
static size_t
phrase_at(const char *text, size_t len, size_t at, const char *phrase)
{
	size_t n = strlen(phrase);

	if (len - at < n)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (ascii_lower(text[at + i]) != phrase[i])
			return 0;
	if (ascii_is_alnum(phrase[n - 1]) && at + n < len && ascii_is_alnum(text[at + n]))
		return 0;
	return n;
}

static size_t
any_at(const char *text, size_t len, size_t at, const char *const *list)
{
	for (; *list != NULL; list++) {
		size_t n =
		    (*list)[0] == ascii_lower(text[at]) ? phrase_at(text, len, at, *list) : 0;

		if (n > 0)
			return n;
	}
	return 0;
}

/* Whether a phrase of the list ends exactly before end, which is the start of a character. */
static bool
any_before(const char *text, size_t end, const char *const *list)
{
	for (; *list != NULL; list++) {
		size_t n = strlen(*list);

		if (end >= n && (end == n || !ascii_is_alnum(text[end - n - 1])) &&
		    phrase_at(text, end, end - n, *list) == n)
			return true;
	}
	return false;
}

/* Returns the next place, from `at` on, where a word or a character begins; len at the end. */
static size_t
next_start(const char *text, size_t len, size_t at, bool first)
{
	if (!first) {
		if (at < len && ascii_is_alnum(text[at]))
			while (at < len && ascii_is_alnum(text[at]))
				at++;
		else
			at++;
	}
	while (at < len && !ascii_is_alnum(text[at]) && ((unsigned char)text[at] & 0xc0) != 0xc0)
		at++;
	return MIN(at, len);
}

/* Whether the "when" at `at` asks for a time. */
static bool
when_asks(const char *text, size_t len, size_t at)
{
	size_t next = at + 4;

	if (next + 1 < len && text[next] == '\'' && ascii_lower(text[next + 1]) == 's')
		return true;
	while (next < len && text[next] == ' ')
		next++;
	if (next == len || text[next] == '?')
		return true;
	if (any_at(text, len, next, auxiliaries) > 0)
		return true;
	/* "When John has met Jane?" */
	if (at == 0 && text[len - 1] == '?' && memchr(text, ',', len) == NULL)
		return true;
	while (at > 0 && text[at - 1] == ' ')
		at--;
	return any_before(text, at, askers);
}

bool
timewords_asks_when(const char *text, size_t len)
{
	for (size_t at = next_start(text, len, 0, true); at < len;
	     at = next_start(text, len, at, false))
		if (any_at(text, len, at, date_questions) > 0 ||
		    (phrase_at(text, len, at, "when") > 0 && when_asks(text, len, at)))
			return true;
	return false;
}

/*
 * Whether the "before" at `at` looks back: at the end of its clause, as in "Did I mention it
 * before?", but not in "before we left".
 */
static bool
before_looks_back(const char *text, size_t len, size_t at)
{
	size_t next = at + strlen("before");

	while (next < len && text[next] == ' ')
		next++;
	return next == len ||
	    (!ascii_is_alnum(text[next]) && (unsigned char)text[next] < 0x80 && text[next] != '"' &&
		text[next] != '(');
}

bool
timewords_looks_back(const char *text, size_t len)
{
	for (size_t at = next_start(text, len, 0, true); at < len;
	     at = next_start(text, len, at, false)) {
		size_t n = any_at(text, len, at, back_phrases);

		if (n > 0 &&
		    !(phrase_at(text, len, at, "earlier") > 0 &&
			phrase_at(text, len, MIN(at + n + 1, len), "than") > 0))
			return true;
		if (phrase_at(text, len, at, "before") > 0 && before_looks_back(text, len, at))
			return true;
	}
	return false;
}

static unsigned
part_at(const char *text, size_t len, size_t at)
{
	for (size_t i = 0; i < NELEM(parts); i++)
		if (any_at(text, len, at, parts[i].words) > 0)
			return parts[i].part;
	return 0;
}

bool
timewords_recalls(const char *text, size_t len)
{
	unsigned part, last = 0, before = 0;

	for (size_t at = next_start(text, len, 0, true); at < len;
	     at = next_start(text, len, at, false), before = last, last = part) {
		part = part_at(text, len, at);
		if (part == RECALL)
			return true;
		if ((part == PERSON && (last & (DID | HAVE))) || (part == OURS && last == DID))
			return true;
		if (part == SAID && (last == PERSON || (last == HAVE && before == PERSON)))
			return true;
		if (part == TALK && (last & (OURS | WHERE)))
			return true;
	}
	return timewords_looks_back(text, len);
}

bool
timewords_asks_now(const char *text, size_t len)
{
	for (size_t at = next_start(text, len, 0, true); at < len;
	     at = next_start(text, len, at, false)) {
		size_t n = any_at(text, len, at, now_phrases);
		if (n > 0 && (at + n == len || !ascii_is_alnum(text[at + n])))
			return true;
	}
	return false;
}
