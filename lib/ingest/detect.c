/*
 * detect.c: names the format of an input from its first bytes. It does not parse JSON, because the
 * bytes may end inside the first value: a scanner notes the keys at the top of each object, the
 * keys below, and the values of "type" and the like, and a table of rules, the most specific first,
 * says which format has them.
 */
#include "base/ascii.h"
#include "base/span.h"
#include "formats/turns.h"
#include "ingest/detect.h"
#include "gen/formats_rows.h"

/* values that are looked at; some formats begin with lines of other kinds */
#define VALUES_MOST 64
#define SHOWN_KEYS  8
/* an input of brackets and blanks only is empty up to this size */
#define BARE_BYTES  256
/* keys that are noted of an object: at its top, and below */
#define TOP_MOST    48
#define BELOW_MOST  192

static const struct { const char *format, *wants, *what; } rules[] = { FORMATS_RULES };

/*
 * Keys that may hold words. An object of no known format that has one of them is searched for
 * conversations.
 */
static const char *const word_keys[] = {
	"content", "text", "message", "messages", "body", "utterance", "msg", "mes", "parts",
	"value", "prompt", "question", "query", "answer", "response", "completion", "output",
	"assistant", "bot", "internal",
};

struct key { const char *s; size_t len; };

struct seen {
	struct key top[TOP_MOST], below[BELOW_MOST];
	size_t n_top, n_below;
	struct key told[12];       /* a key that tells, such as "type", then its value, and so on */
	size_t n_told;
	bool object, ended;        /* the value is an object; its end was seen */
	bool in_array;             /* the value is an element of an array, not a line */
	const char *name;          /* of the file */
	char shown[256];           /* its first keys, for messages */
	int n_shown;
};

static bool
starts_with(const char *bytes, size_t len, const char *what, size_t n)
{
	return len >= n && memcmp(bytes, what, n) == 0;
}

static bool
key_is(const struct key *k, const char *s, size_t len)
{
	return k->len == len && memcmp(k->s, s, len) == 0;
}

static bool
has_key(const struct key *keys, size_t n, const char *s, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (key_is(&keys[i], s, len))
			return true;
	return false;
}

static void
note_key(struct seen *s, const char *key, size_t len, int depth)
{
	size_t at = strlen(s->shown);

	if (depth > 1) {
		if (s->n_below < BELOW_MOST && !has_key(s->below, s->n_below, key, len))
			s->below[s->n_below++] = (struct key){ key, len };
		return;
	}
	if (s->n_top < TOP_MOST)
		s->top[s->n_top++] = (struct key){ key, len };
	if (s->n_shown < SHOWN_KEYS && len < 40 && at + len + 5 < sizeof(s->shown)) {
		snprintf(s->shown + at, sizeof(s->shown) - at, "%s'%.*s'",
		    s->n_shown == 0 ? "" : ", ", (int)len, key);
		s->n_shown++;
	}
}

/* Notes the string value of a key such as "type" that tells the format. */
static void
note_string(struct seen *s, const char *value, size_t len)
{
	static const char *const tell[] = { "type", "subtype", "object", "role", "source", "kind" };
	const struct key *key = s->n_top > 0 ? &s->top[s->n_top - 1] : NULL;

	for (size_t i = 0; key != NULL && i < NELEM(tell) && s->n_told + 2 <= NELEM(s->told); i++) {
		if (key_is(key, tell[i], strlen(tell[i]))) {
			s->told[s->n_told++] = *key;
			s->told[s->n_told++] = (struct key){ value, len };
		}
	}
}

/* Some types of parts tell the format, so they are noted as if they were keys. */
static void
note_part(struct seen *s, const char *value, size_t len)
{
	static const char *const tell[] = { "input_text", "output_text" };

	for (size_t i = 0; i < NELEM(tell); i++)
		if (len == strlen(tell[i]) && memcmp(value, tell[i], len) == 0)
			note_key(s, value, len, 2);
	/* Cline begins a task with this tag */
	if (starts_with(value, len, "<task>\\n", 8))
		note_key(s, value, 6, 2);
}

struct cursor {
	/* the start of the string that the cursor is in; NULL: in none */
	const char *string;
	int depth;
	uint64_t objects;          /* one bit for each depth: an object, not an array */
	bool at_key;
};

static bool
is_in_object(const struct cursor *c)
{
	return c->depth > 0 && c->depth < 64 && (c->objects >> c->depth & 1);
}

/* Advances over a byte outside strings. */
static void
scan_byte(struct cursor *c, const char *p)
{
	if (*p == '"') {
		c->string = p + 1;
	} else if (*p == '{' || *p == '[') {
		if (++c->depth < 64)
			c->objects =
			    (c->objects & ~(1ull << c->depth)) | (uint64_t)(*p == '{') << c->depth;
		c->at_key = *p == '{';
	} else if (*p == '}' || *p == ']') {
		c->depth--;
	} else if (*p == ',') {
		c->at_key = is_in_object(c);
	}
}

static void
end_string(struct cursor *c, const char *end, struct seen *s)
{
	if (c->at_key)
		note_key(s, c->string, (size_t)(end - c->string), c->depth);
	else if (c->depth == 1)
		note_string(s, c->string, (size_t)(end - c->string));
	else
		note_part(s, c->string, (size_t)(end - c->string));
	c->at_key = false;
	c->string = NULL;
}

/*
 * Scans one value at p, which may be cut short, and returns where it ends. The end of a line inside
 * a string ends the value, since JSON has no such string.
 */
static const char *
note_value(const char *p, const char *end, struct seen *s)
{
	struct cursor c = { 0 };

	memset(s, 0, sizeof(*s));
	s->object = p < end && *p == '{';
	for (; p < end; p++) {
		if (c.string == NULL) {
			scan_byte(&c, p);
		} else if (*p == '\\') {
			p++;
		} else if (*p == '\n') {
			return p;
		} else if (*p == '"') {
			end_string(&c, p, s);
		}
		if (c.depth <= 0 && c.string == NULL &&
		    (*p == '}' || *p == ']' || *p == '"' || *p == '\n')) {
			s->ended = true;
			return p + 1;
		}
	}
	return end;
}

static bool
is_in_name(const char *name, const char *want, size_t len)
{
	for (; *name != '\0'; name++)
		if (strncmp(name, want, len) == 0)
			return true;
	return false;
}

static bool
has(const struct seen *s, const char *want, size_t len)
{
	const char *equals = memchr(want, '=', len);

	if (*want == '[')
		return s->in_array;
	if (*want == '@')
		return is_in_name(s->name, want + 1, len - 1);
	if (*want == '/')
		return has_key(s->below, s->n_below, want + 1, len - 1);
	if (equals == NULL)
		return has_key(s->top, s->n_top, want, len);
	for (size_t i = 0; i < s->n_told; i += 2)
		if (key_is(&s->told[i], want, (size_t)(equals - want)) &&
		    key_is(&s->told[i + 1], equals + 1, len - (size_t)(equals + 1 - want)))
			return true;
	return false;
}

static bool
fits(const struct seen *s, const char *wants)
{
	bool all = true;

	for (;; wants++) {
		bool not = *wants == '!';
		size_t len = strcspn(wants += not, " ;");

		all = all && has(s, wants, len) != not;
		wants += len;
		if (*wants == ' ')
			continue;
		if (all || *wants == '\0')
			return all;
		all = true;
		wants++;                       /* the next way, behind "; " */
	}
}

static const char *
skip_space(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n' || *p == 0x1e))
		p++;
	return p;
}

static const char *
format_of(const struct seen *s)
{
	for (size_t i = 0; i < NELEM(rules); i++)
		if (rules[i].what == NULL && fits(s, rules[i].wants))
			return rules[i].format;
	return NULL;
}

static bool
may_have_words(const struct seen *s)
{
	for (size_t i = 0; i < NELEM(word_keys); i++)
		if (has_key(s->top, s->n_top, word_keys[i], strlen(word_keys[i])) ||
		    has_key(s->below, s->n_below, word_keys[i], strlen(word_keys[i])))
			return true;
	return false;
}

bool
detect_is_json_like(const char *bytes, size_t len)
{
	const char *end = bytes + len, *p = skip_space(bytes, end);

	if (p == end || (*p != '{' && *p != '['))
		return false;
	p = skip_space(p + 1, end);
	while (p < end && ascii_is_digit(*p))
		p++;
	return p == end || strchr("{[]}\".,-+eEtfn\n", *p) != NULL;
}

bool
detect_has_other_ends(const char *bytes, size_t len)
{
	static const char *const ends[] = { "\r", "\xc2\x85", "\xe2\x80\xa8" };
	const char *p = bytes, *end = bytes + len;
	unsigned n = 0;

	if (len > 0 && memchr(p, '\n', (size_t)(end - p)) != NULL)
		return false;
	for (; p + 1 < end; p++)
		for (size_t i = 0; i < NELEM(ends); i++)
			n += span_begins(p, (size_t)(end - p), ends[i]);
	return n >= 2;
}

static const char *
set_other_ends(const char *name, struct err *err)
{
	err_set(err, ERR_DATA, "%s: its lines do not end in newlines: try perl -C -pe "
	    "'s/\\r|\\x85|\\x{2028}/\\n/g' FILE | mem-ingest", name);
	return NULL;
}

static const char utf_32[] = "text in UTF-32: try iconv -f UTF-32 -t UTF-8 FILE | mem-ingest";

static int
set_unknown(const char *bytes, size_t len, const struct seen *first, const char *name,
	struct err *err)
{
	static const struct { const char *starts; size_t len; const char *what; } others[] = {
		{ "PK\3\4", 4, "a zip archive, which is read as a file of its own, not packed or "
		    "from a pipe (or try unzip -p FILE 'conversations*.json' | mem-ingest)" },
		{ "SQLite format 3", 16, "an SQLite database, which is read as a file of its own, "
		    "not packed or from a pipe" },
		{ "\xff\xfe\0\0", 4, utf_32 }, { "\0\0\xfe\xff", 4, utf_32 },
	};
	const char *p = skip_space(bytes, bytes + len);
	size_t n_binary = 0;

	for (size_t i = 0; i < NELEM(others); i++)
		if (starts_with(bytes, len, others[i].starts, others[i].len))
			return err_set(err, ERR_DATA, "%s: %s", name, others[i].what);
	if (first->object && first->n_shown > 0)
		return err_set(err, ERR_DATA,
		    "%s: unknown format: an object with the keys %s (name it with --from, or see "
		    "--map)",
		    name, first->shown);
	if (detect_is_json_like(p, (size_t)(bytes + len - p)))
		return err_set(err, ERR_DATA,
		    "%s: unknown format: JSON without any key that a transcript has (see --from "
		    "and --map)",
		    name);
	for (size_t i = 0; i < len; i++)
		n_binary += bytes[i] == '\0' ||
		    ((unsigned char)bytes[i] < 0x20 && strchr("\t\n\r\f\x1b", bytes[i]) == NULL);
	if (n_binary > 0)
		return err_set(err, ERR_DATA,
		    "%s: unknown format: binary data, or text in UTF-16 without its mark "
		    "(try iconv -f UTF-16LE -t UTF-8 FILE | mem-ingest)",
		    name);
	return err_set(err, ERR_DATA,
	    "%s: unknown format: plain text (--from=dialog where turns begin with NAME:, "
	    "--from=text "
	    "takes a turn a paragraph)",
	    name);
}

/*
 * The format of a value. NULL: no rule fits (*known is false), or it is a file that is no
 * transcript (*known is true, with an error that says what to do).
 */
static const char *
format_or_advice(const struct seen *s, const char *name, bool *known, struct err *err)
{
	for (size_t i = 0; i < NELEM(rules); i++) {
		if (rules[i].what == NULL || !fits(s, rules[i].wants))
			continue;
		*known = true;
		err_set(err, ERR_DATA, "%s: %s", name, rules[i].what);
		return NULL;
	}
	const char *format = format_of(s);
	*known = format != NULL;
	return format;
}

bool
detect_is_beside(const char *bytes, size_t len, const char *name)
{
	const char *p = skip_space(bytes, bytes + len);
	struct seen s;

	if (p == bytes + len || *p != '{')
		return false;
	note_value(p, bytes + len, &s);
	s.name = name;
	for (size_t i = 0; i < NELEM(rules); i++)
		if (*rules[i].format == '~' && fits(&s, rules[i].wants))
			return true;
	return false;
}

const char *
detect_format(const char *bytes, size_t len, const char *name, struct err *err)
{
	const char *p = skip_space(bytes, bytes + len), *end = bytes + len, *format;
	struct seen first = { .n_shown = 0 }, s;
	/*
	 * the format of the first lines when many kinds of files begin so; a later line may tell
	 * more
	 */
	const char *plain = NULL, *begun = NULL;
	bool in_array = false, words = false, known;
	bool json_like = detect_is_json_like(bytes, len);

	if (p == end && len == 0)
		return NULL;
	if (!json_like && detect_has_other_ends(p, (size_t)(end - p)))
		return set_other_ends(name, err);
	/* text is tried first, because a conversation in text may quote JSON */
	if (!json_like && (format = turns_detect(bytes, len)) != NULL)
		return format;
	for (int i = 0; p < end && i < VALUES_MOST; i++) {
		if (*p == '[') {
			in_array = true;
			p = skip_space(p + 1, end);
			continue;
		}
		if (*p != '{') {
			/*
			 * this is not JSON, or stands between values: go on behind the comma, or at
			 * the next line
			 */
			const char *line = memchr(p, '\n', (size_t)(end - p));

			p = skip_space(*p == ',' || *p == ']' ? p + 1
				: line != NULL		      ? line
							      : end,
			    end);
			continue;
		}
		p = skip_space(note_value(p, end, &s), end);
		s.in_array = in_array;
		s.name = name;
		if (first.n_shown == 0)
			first = s;
		words |= may_have_words(&s);
		format = format_or_advice(&s, name, &known, err);
		if (known && format != NULL && format[0] == '?') {
			begun = begun != NULL ? begun : format + 1;
			continue;
		}
		if (known && plain == NULL && format != NULL && strcmp(format, "ndjson") == 0)
			plain = format;
		else if (known && plain == NULL)
			return format;
		else if (known && format != NULL && strcmp(format, "openai") == 0 &&
		    !has(&s, "messages", 8))
			return format;
		else
			err_clear(err);
	}
	if (plain != NULL)
		return plain;
	if (words || begun != NULL)
		return words ? "json" : begun;
	if (first.n_shown == 0 && (format = turns_detect(bytes, len)) != NULL)
		return detect_has_other_ends(bytes, len) ? set_other_ends(name, err) : format;
	set_unknown(bytes, len, &first, name, err);
	return NULL;
}

bool
detect_is_aside(const char *bytes, size_t len)
{
	const char *end = bytes + len, *p = skip_space(bytes, end);
	struct seen s = { .n_shown = 0 };

	if (!detect_is_json_like(p, (size_t)(end - p)) || memchr(bytes, '\0', len) != NULL)
		return false;
	if (*p == '[')
		p = skip_space(p + 1, end);
	note_value(p, end, &s);
	return s.n_shown > 0;
}

bool
detect_is_bare(const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (bytes[i] == '\0' || strchr("[]{} \t\r\n", bytes[i]) == NULL)
			return false;
	return len > 0 && len < BARE_BYTES;
}

bool
detect_is_document(const char *bytes, size_t len)
{
	const char *end = bytes + len, *p = skip_space(bytes, end), *line, *next;
	struct seen s;

	if (p == end || (*p != '{' && *p != '['))
		return false;
	line = memchr(p, '\n', (size_t)(end - p));
	if (line == NULL)
		return *p == '[';
	next = note_value(p, line, &s);
	if (s.ended && next <= line) {
		/*
		 * the line holds a whole value. An array with more lines after it is one document,
		 * unless it holds messages: then each line is a conversation
		 */
		if (*p == '{' || skip_space(next, end) == end)
			return *p == '[';
		note_value(skip_space(p + 1, line), line, &s);
		return !has_key(s.top, s.n_top, "role", 4);
	}
	/*
	 * the value goes on over lines, so it is one document, unless it is a line that is cut
	 * short and the next line is an object of its own, with neither comma nor bracket behind it
	 */
	if (*p == '[' || line + 1 == end || line[1] != '{')
		return true;
	next = skip_space(note_value(line + 1, end, &s), end);
	return next < end ? memchr(",]}", *next, 3) != NULL : memchr("[:,", line[-1], 3) != NULL;
}
