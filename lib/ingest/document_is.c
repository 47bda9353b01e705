/*
 * document_is.c: what is a document, and what a transcript: notes and chats have the same endings,
 * and a page about chats may quote one.
 */
#include "base/ascii.h"
#include "base/gz.h"
#include "formats/document.h"
#include "formats/turns.h"
#include "ingest/detect.h"
#include "ingest/documents.h"

#define LOOK_BYTES (32u << 10)
#define LEAD_BYTES 240             /* as much prose stands above no conversation */

/* Whether the name is that of a page that tells about the files beside it, or to agents. */
static bool
is_page_name(const char *path)
{
	static const char *const names[] = { "README", "CLAUDE", "AGENTS", "GEMINI", "CONTRIBUTING",
		"CHANGELOG", "NEWS", "LICENSE", "SECURITY", "INSTALL", "HACKING", "COPYING" };
	const char *base = strrchr(path, '/');

	base = base != NULL ? base + 1 : path;
	for (size_t i = 0; i < NELEM(names); i++) {
		size_t n = strlen(names[i]);

		if (strncmp(base, names[i], n) == 0 && (base[n] == '.' || base[n] == '\0'))
			return true;
	}
	return false;
}

/* Counts the words of a line that are prose: no heading, no key with its value, no mark alone. */
static size_t
prose_words(const char *line, size_t len, bool *leads)
{
	const char *colon = memchr(line, ':', len);
	size_t words = 0;

	while (len > 0 && ascii_is_space(line[len - 1]))
		len--;
	if (len == 0 || !ascii_is_letter(*line))
		return 0;
	for (size_t i = 0; i < len; i++)
		words += !ascii_is_space(line[i]) && (i == 0 || ascii_is_space(line[i - 1]));
	*leads = line[len - 1] == ':' && words >= 3;
	return colon != NULL && colon < line + len - 1 && colon - line < 30 ? 0 : words;
}

/*
 * Whether there is prose above the first turn that leads to it, as "Use it like this:", or more of
 * it than stands above a conversation.
 */
static bool
quotes_dialog(const char *bytes, size_t len, const char *path)
{
	struct turns *t = turns_open("dialog", bytes, len, path);
	struct turns_around around = { .after_blank = true };
	const char *p = bytes, *line;
	size_t n, n_bytes = 0;
	bool leads = false, line_leads;

	while (t != NULL && (line = turns_line(&p, bytes + len, &n)) != NULL) {
		line_leads = false;
		if (n == 0) {
			around.after_blank = true;
			continue;
		}
		if (turns_begins(t, line, n, &around))
			break;
		around.after_blank = false;
		if (prose_words(line, n, &line_leads) > 3)
			n_bytes += n;
		leads |= line_leads;
	}
	turns_close(t);
	return leads || n_bytes >= LEAD_BYTES;
}

/* Whether the bytes are text and no transcript. Nothing is text. */
static bool
is_prose(const char *bytes, size_t len, const char *path)
{
	struct err ignored = ERR_INIT;
	const char *turns;

	if (memchr(bytes, '\0', len) != NULL || detect_has_other_ends(bytes, len))
		return false;
	/* "[ ] to do" begins as JSON may */
	if (detect_is_json_like(bytes, len))
		return detect_format(bytes, len, path, &ignored) == NULL &&
		    !detect_is_aside(bytes, len);
	if ((turns = turns_detect(bytes, len)) == NULL || is_page_name(path))
		return true;
	return strcmp(turns, "dialog") == 0 && quotes_dialog(bytes, len, path);
}

bool
documents_has(const char *path, bool all)
{
	enum document_form form = document_form(path);
	struct err ignored = ERR_INIT;
	char head[LOOK_BYTES];
	size_t len = 0;
	struct gz *g;
	ptrdiff_t n;

	if (form == DOCUMENT_NONE || form == DOCUMENT_PDF || all)
		return form != DOCUMENT_NONE || all;
	if (gz_open(path, &g, &ignored) != 0)
		return false;
	while (len < sizeof(head) && (n = gz_read(g, head + len, sizeof(head) - len, &ignored)) > 0)
		len += (size_t)n;
	gz_close(g);
	return is_prose(head, len, path);
}

