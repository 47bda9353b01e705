/*
 * speaker.c: a table of bytes and numbers of words that names do not have. Rows add up from the
 * first to the last, because the places tell less and less that a name stands there: beside a time
 * it may be "klein, mara / sales", in a caption still "Mara #2 (off screen)", before any colon in a
 * text only "Mara Klein-Berg".
 */
#include "base/ascii.h"
#include "clean/speaker.h"

/* the first rows of sides, which nobody uses as a nickname */
#define SURE 7

static const struct { const char *word, *role; } sides[] = {
	{ "user", "user" }, { "human", "user" }, { "assistant", "assistant" }, { "ai", "assistant" }, { "bot", "assistant" },
	{ "chatgpt", "assistant" }, { "system", "system" },
	{ "me", "user" }, { "you", "user" }, { "prompt", "user" }, { "you said", "user" }, { "user said", "user" }, { "customer", "user" },
	{ "model", "assistant" }, { "chatgpt said", "assistant" }, { "gpt", "assistant" }, { "claude", "assistant" }, { "gemini", "assistant" },
	{ "copilot", "assistant" }, { "github copilot", "assistant" }, { "cursor", "assistant" }, { "grok", "assistant" },
	{ "deepseek", "assistant" }, { "agent", "assistant" }, { "chatbot", "assistant" }, { "response", "assistant" },
	{ "perplexity", "assistant" }, { "mistral", "assistant" }, { "ai assistant", "assistant" }, { "claude said", "assistant" },
	{ "claude code", "assistant" }, { "gemini said", "assistant" }, { "gemini cli", "assistant" }, { "copilot said", "assistant" },
	{ "codex", "assistant" }, { "opencode", "assistant" }, { "cline", "assistant" }, { "amp", "assistant" }, { "du hast gesagt", "user" },
	{ "chatgpt hat gesagt", "assistant" }, { "vous avez dit", "user" }, { "chatgpt a dit", "assistant" }, { "has dicho", "user" },
	{ "dijiste", "user" }, { "chatgpt ha dicho", "assistant" }, { "chatgpt dijo", "assistant" }, { "benutzer", "user" },
	{ "assistent", "assistant" }, { "utilisateur", "user" }, { "usuario", "user" }, { "asistente", "assistant" },
	{ "\xe7\x94\xa8\xe6\x88\xb7", "user" }, { "\xe5\x8a\xa9\xe6\x89\x8b", "assistant" },
	{ "\xe3\x83\xa6\xe3\x83\xbc\xe3\x82\xb6\xe3\x83\xbc", "user" },
	{ "\xe3\x82\xa2\xe3\x82\xb7\xe3\x82\xb9\xe3\x82\xbf\xe3\x83\xb3\xe3\x83\x88", "assistant" }, { "tool", "tool" },
	{ "tool result", "tool" },
};
static const char *const nobody[] = {
	"note", "notes", "warning", "error", "example", "examples", "output", "input", "result",
	"results", "step", "summary", "answer", "question", "todo", "tip", "hint", "usage", "see",
	"date", "time", "title", "subject", "to", "from", "cc", "re", "http", "https", "file",
	"code", "source", "important", "conclusion", "total", "pros", "cons", "fix", "cause",
	"problem", "solution", "topic", "created", "exported", "updated", "model", "link", "tags",
	"tool use", "tool call",
};

static const struct {
	/* bytes that it does not have, besides those of the rows above */
	const char *never;
	/* the most words; the most when it ends with a point, as a sentence does */
	unsigned words, words_with_point;
	/* it begins with a capital, or with a letter that is not Latin */
	bool capital;
} looks[] = {
	[SPEAKER_STAMP] = { "\"<>[]{}|=;?!*`\t\n", 6, 2, false },
	[SPEAKER_CUE] = { "/,:", 6, 6, true },
	[SPEAKER_CUE_LINE] = { "", 4, 0, true },
	[SPEAKER_HEAD] = { "#$%&@\\^~", 4, 4, true },
	[SPEAKER_PARAGRAPH] = { "()+", 3, 3, true },
};

static bool
is_word(const char *s, size_t len, const char *word)
{
	for (size_t i = 0; i < len; i++)
		if (word[i] == '\0' || ascii_lower(s[i]) != word[i])
			return false;
	return word[len] == '\0';
}

static bool
may_begin(unsigned char c, bool capital)
{
	return (c >= 'A' && c <= 'Z') ||
	    (capital ? c >= 0xc3 : ascii_is_alnum(c) || c >= 0x80 || c == '_' || c == '+');
}

bool
speaker_is_name(const char *s, size_t len, enum speaker_by by)
{
	unsigned words = 1;

	if (len == 0 || len > SPEAKER_BYTES || !may_begin((unsigned char)*s, looks[by].capital))
		return false;
	for (size_t i = 0; i < len; i++) {
		words += s[i] == ' ';
		for (size_t row = 0; row <= by; row++)
			if (strchr(looks[row].never, s[i]) != NULL)
				return false;
		/* text that a colon or a dash divides is more than a name */
		if ((s[i] == ':' && (i + 1 == len || s[i + 1] == ' ')) ||
		    (len - i >= 3 && memcmp(s + i, "\xe2\x80\x94", 3) == 0))
			return false;
	}
	return words <= (s[len - 1] == '.' ? looks[by].words_with_point : looks[by].words);
}

const char *
speaker_side(const char *name, size_t len, bool nicks)
{
	for (size_t i = 0; i < (nicks ? SURE : NELEM(sides)); i++)
		if (is_word(name, len, sides[i].word))
			return sides[i].role;
	return NULL;
}

bool
speaker_is_nobody(const char *name, size_t len)
{
	for (size_t i = 0; i < NELEM(nobody); i++)
		if (is_word(name, len, nobody[i]))
			return true;
	return false;
}
