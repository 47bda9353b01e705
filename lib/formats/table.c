/*
 * table.c: transcripts as a table (RFC 4180, with commas, semicolons or tabs): a row is a message,
 * and the first row names the columns. A row ends at a line's end outside quotes; within them a
 * quote is written twice. A field without quotes is what stands between two separators, blanks and
 * all.
 */
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/order.h"
#include "base/utf8.h"
#include "formats/reader.h"

#define COLUMNS_MOST 256

struct table {
	char separator;
	char *names[COLUMNS_MOST];
	size_t n;                  /* 0: the first row, which holds the names, has not been read */
	bool open;                 /* the line before ended inside quotes */
};

static char
separator_of(const char *line, size_t len)
{
	static const char may_be[] = ",;\t";
	size_t most = 0;
	char best = ',';

	for (const char *c = may_be; *c != '\0'; c++) {
		size_t n = 0;

		for (size_t i = 0; i < len; i++)
			n += line[i] == *c;
		if (n > most) {
			most = n;
			best = *c;
		}
	}
	return best;
}

/*
 * Reads the field at *p, and moves *p to the next field, or to NULL after the last. The text goes
 * to *room, which moves on. The row's length and one byte are enough room for all its fields, since
 * each takes no more than it took in the row, with its separator for the NUL.
 */
static char *
next_field(const char **p, const char *end, char separator, char **room, size_t *len)
{
	const char *s = *p;
	char *out = *room;
	size_t n = 0;

	if (s < end && *s == '"') {
		for (s++; s < end && !(*s == '"' && (s + 1 == end || s[1] != '"')); s++) {
			s += *s == '"';
			out[n++] = *s;
		}
		s += s < end;
	}
	while (s < end && *s != separator)
		out[n++] = *s++;
	out[n] = '\0';
	*room += n + 1;
	*len = n;
	*p = s < end ? s + 1 : NULL;
	return out;
}

/*
 * Turns a column's name into a key: "Created At" becomes created_at. Bytes that are not UTF-8
 * become "_", so that the rows below can be read all the same.
 */
static void
to_key(char *name, size_t len)
{
	bool text = utf8_valid(name, len);

	for (size_t i = 0; i < len; i++)
		name[i] = ascii_is_space(name[i]) || (!text && (unsigned char)name[i] >= 0x80)
		    ? '_'
		    : ascii_lower(name[i]);
}

static const char *
table_detect(const char *bytes, size_t len)
{
	static const char *const words[] = { "content", "text", "message", "body", "msg", NULL };
	static const char *const others[] = { "role", "name", "speaker", "author", "sender", "from",
		"user", "username", "nick", "time", "timestamp", "date", "created_at", "datetime",
		"session", "session_id", "conversation_id", NULL };
	const char *p = bytes, *end = ascii_line_end(bytes, bytes + len);
	char separator = separator_of(bytes, (size_t)(end - bytes));
	bool has_words = false, has_other = false;
	FREED char *fields = NULL;
	char *room;
	size_t n;

	if (end == bytes + len)
		return NULL;
	end -= end > bytes && end[-1] == '\r';
	room = fields = xmalloc((size_t)(end - bytes) + 1);
	while (p != NULL) {
		char *name = next_field(&p, end, separator, &room, &n);

		to_key(name, n);
		has_words |= text_in(name, words);
		has_other |= text_in(name, others);
	}
	return has_words && has_other ? "csv" : NULL;
}

static void *
table_open(const char *form, const char *bytes, size_t len, const char *name)
{
	(void)form;
	(void)bytes;
	(void)len;
	(void)name;
	return xcalloc(1, sizeof(struct table));
}

static void
table_close(void *state)
{
	struct table *t = state;

	for (size_t i = 0; i < t->n; i++)
		free(t->names[i]);
	free(t);
}

/* A row begins with a line when all quotes of the row before are closed. */
static bool
table_begins(void *state, const char *line, size_t len, const struct turns_around *around)
{
	struct table *t = state;
	bool begins = !t->open;

	(void)around;
	for (size_t i = 0; i < len; i++)
		t->open ^= line[i] == '"';
	return begins;
}

static int
read_names(struct table *t, const char *row, size_t len, struct arena *a, struct err *err)
{
	const char *p = row;
	char *room = arena_alloc(a, len + 1);

	t->separator = separator_of(row, len);
	while (p != NULL && t->n < COLUMNS_MOST) {
		size_t n;
		char *name = next_field(&p, row + len, t->separator, &room, &n);

		to_key(name, n);
		/* in such a table "user" is who speaks, not whose memory it is */
		t->names[t->n++] = xstrdup(strcmp(name, "user") == 0 ? "name" : name);
	}
	return p == NULL ? 0 : err_set(err, ERR_DATA, "more than %d columns", COLUMNS_MOST);
}

/*
 * A row as an object whose keys are the columns' names in small letters, with "_" for blanks; the
 * column "user" is the speaker's name.
 */
static int
table_read(void *state, const char *row, size_t len, struct arena *a, struct turn *out,
	struct err *err)
{
	struct table *t = state;
	const char *p = row;
	struct json *v;
	struct json_member *members;
	size_t n = 0, quotes = 0;

	for (size_t i = 0; i < len; i++)
		quotes += row[i] == '"';
	if (quotes % 2 != 0)
		return err_set(err, ERR_DATA, "a quote that is not closed");
	if (t->n == 0)
		return read_names(t, row, len, a, err);
	v = arena_alloc(a, sizeof(*v));
	members = arena_alloc(a, t->n * sizeof(*members));
	char *room = arena_alloc(a, len + 1);
	for (; p != NULL; n++) {
		size_t field_len;
		char *field = next_field(&p, row + len, t->separator, &room, &field_len);

		if (n == t->n)
			return err_set(err, ERR_DATA, "a row of more than %zu columns", t->n);
		members[n] = (struct json_member){ t->names[n], strlen(t->names[n]),
			{ field_len > 0 ? JSON_STRING : JSON_NULL, field_len,
			    { .string = field } } };
	}
	*v = (struct json){ JSON_OBJECT, n, { .members = members } };
	out->record = v;
	return 1;
}

const struct reader table_reader = {
	.forms = { { "csv", { ".csv", ".tsv" } } },
	.detect = table_detect,
	.open = table_open,
	.close = table_close,
	.begins = table_begins,
	.read = table_read,
};
