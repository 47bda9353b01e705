/*
 * captions.c: a cue is a number or a name, a line with two times, and lines of words. Cues are as
 * long as fits on a screen, so those of one speaker make one turn, as long as it is a paragraph. A
 * turn begins at the words of a cue, since they say whose it is: what stands before them, the cue's
 * times, ends the turn before, and is passed over there.
 *
 *	WEBVTT                                          head: nobody says it
 *
 *	1
 *	00:00:01.000 --> 00:00:04.000
 *	Mara Klein: Good morning.                       a turn begins: Mara Klein
 *
 *	2
 *	00:00:04.500 --> 00:00:06.000
 *	<v Jonas>Yes, let us.</v>                       a turn begins: Jonas
 */
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/hash.h"
#include "clean/speaker.h"
#include "formats/reader.h"

/* bytes after which a turn ends with a sentence; three times as many where somebody is named */
#define PARAGRAPH   800
/* turns that have begun and are not read yet are fewer */
#define STARTS      4

/*
 * How speakers are named where no tag does it: "NAME: words", "[NAME] words", or in the first line
 * of a cue, alone.
 */
enum naming { NO_NAMES, COLON, BRACKETS, LINE };

struct captions {
	enum naming named;
	bool fresh;                        /* the line before had the times of a cue */
	char speaker[SPEAKER_BYTES + 1];
	bool sentence;                     /* the last line ended one */
	size_t n_bytes;                    /* of the turn at hand */
	int64_t recorded_us, cue_us;       /* TIME_NONE: not known */
	struct { int64_t start_us; char name[SPEAKER_BYTES + 1]; } turns[STARTS];
	unsigned n_begun, n_read;
};

/* "01:02:03.456", "02:03,4": bytes that it takes; 0: none. */
static size_t
clock_of(const char *s, size_t len, int64_t *us)
{
	int64_t parts[3] = { 0, 0, 0 }, fraction = 0, unit = US_PER_S;
	size_t i = 0;
	int n = 0;

	for (;;) {
		size_t from = i;

		while (i < len && i - from < 4 && ascii_is_digit(s[i]))
			parts[n] = parts[n] * 10 + (s[i++] - '0');
		if (i == from)
			return 0;
		if (n == 2 || i == len || s[i] != ':')
			break;
		n++;
		i++;
	}
	if (n == 0)
		return 0;
	if (i < len && (s[i] == '.' || s[i] == ','))
		for (i++; i < len && ascii_is_digit(s[i]); i++)
			fraction += (s[i] - '0') * (unit /= 10);
	*us = (n == 2 ? parts[0] * 3600 + parts[1] * 60 + parts[2] : parts[0] * 60 + parts[1]) *
		US_PER_S +
	    fraction;
	return i;
}

/* "00:00:01.000 --> 00:00:04.000 align:start" */
static bool
times_of(const char *s, size_t len, int64_t *us)
{
	size_t n = clock_of(s, len, us);
	int64_t end;

	/* YouTube's and Meet's .sbv */
	if (n > 0 && len - n > 3 && s[n] == ',')
		return clock_of(s + n + 1, len - n - 1, &end) == len - n - 1;
	return n > 0 && len - n > 5 && memcmp(s + n, " --> ", 5) == 0 &&
	    clock_of(s + n + 5, len - n - 5, &end) > 0;
}

/* What stands above a cue's times, such as "7" or "3ab1/12-0": no words end there. */
static bool
is_number(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (strchr("0123456789abcdef-/", s[i]) == NULL)
			return false;
	return true;
}

/* ---- who ---- */

static bool
set_name(const char *s, size_t len, char out[SPEAKER_BYTES + 1])
{
	while (len > 0 && ascii_is_space(*s)) {
		s++;
		len--;
	}
	while (len > 0 && ascii_is_space(s[len - 1]))
		len--;
	if (len == 0 || len > SPEAKER_BYTES)
		return false;
	memcpy(out, s, len);
	out[len] = '\0';
	return true;
}

/*
 * "Mara Klein: words", "[SPEAKER_00]: words", ">> MARA: words": where the words begin; 0: nobody is
 * named.
 */
static size_t
named_before(const char *s, size_t len, char name[SPEAKER_BYTES + 1])
{
	size_t start = 0, end, n;

	while (start < len && strchr(">-[ ", s[start]) != NULL)
		start++;
	for (end = start; end < len && end - start <= SPEAKER_BYTES && s[end] != ':'; end++)
		;
	if (end == len || s[end] != ':' || (end + 1 < len && s[end + 1] != ' '))
		return 0;
	n = end - start - (end > start && s[end - 1] == ']');
	return speaker_is_name(s + start, n, SPEAKER_CUE) && set_name(s + start, n, name) ? end + 1
											  : 0;
}

/* "[Mara Klein] words": where these begin; 0: nobody is named. */
static size_t
named_in_brackets(const char *s, size_t len, char name[SPEAKER_BYTES + 1])
{
	const char *close =
	    len > 0 && *s == '[' ? memchr(s, ']', MIN(len, SPEAKER_BYTES + 2)) : NULL;

	if (close == NULL || (size_t)(close - s) + 2 >= len || close[1] != ' ' ||
	    !speaker_is_name(s + 1, (size_t)(close - s) - 1, SPEAKER_CUE_LINE))
		return 0;
	return set_name(s + 1, (size_t)(close - s) - 1, name) ? (size_t)(close + 1 - s) : 0;
}

/* As naming says; where the words begin, 0: nobody is named. */
static size_t
named_as(enum naming naming, const char *s, size_t len, char name[SPEAKER_BYTES + 1])
{
	if (naming == LINE)
		return speaker_is_name(s, len, SPEAKER_CUE_LINE) && set_name(s, len, name) ? len
											   : 0;
	return naming == COLON	 ? named_before(s, len, name)
	    : naming == BRACKETS ? named_in_brackets(s, len, name)
				 : 0;
}

/* "<v Mara Klein>", "<v.loud Mara>" */
static bool
named_in_tag(const char *s, size_t len, char name[SPEAKER_BYTES + 1])
{
	const char *close, *space;

	if (len < 4 || memcmp(s, "<v", 2) != 0 || (s[2] != ' ' && s[2] != '.') ||
	    (close = memchr(s, '>', len)) == NULL ||
	    (space = memchr(s, ' ', (size_t)(close - s))) == NULL)
		return false;
	return set_name(space, (size_t)(close - space), name);
}

/*
 * Whether a line of words says whose they are, with a name before a colon only in the first line of
 * a cue; *words where they begin.
 */
static bool
speaker_of(const struct captions *c, bool first, const char *s, size_t len,
	char name[SPEAKER_BYTES + 1], size_t *words)
{
	*words = 0;
	return named_in_tag(s, len, name) ||
	    (first && (*words = named_as(c->named, s, len, name)) > 0);
}

/*
 * Whether the cues are named so: half of them before a colon, since a film has "Note: ..." now and
 * then; in the other forms by names that come back.
 */
static bool
has_names(enum naming naming, const char *bytes, size_t len)
{
	const char *p = bytes, *line;
	char name[SPEAKER_BYTES + 1];
	uint64_t known[32];
	size_t n, cues = 0, named = 0, n_known = 0;
	bool fresh = false;
	int64_t us;

	while ((line = turns_line(&p, bytes + len, &n)) != NULL) {
		const char *behind = p;
		size_t k = 0, next;

		if (times_of(line, n, &us)) {
			fresh = true;
			cues++;
			continue;
		}
		/* a line alone names nobody without words below it */
		if (fresh && named_as(naming, line, n, name) > 0 &&
		    (naming != LINE ||
			(turns_line(&behind, bytes + len, &next) != NULL && next > 0))) {
			named++;
			while (k < n_known && known[k] != hash64(name, strlen(name), 0))
				k++;
			if (k == n_known && k < NELEM(known))
				known[n_known++] = hash64(name, strlen(name), 0);
		}
		fresh = false;
	}
	if (naming == LINE)
		return named >= 4 && named == cues && n_known * 2 <= named;
	return named > 0 && named * 2 >= cues && (naming == COLON || n_known < named);
}

/*
 * "GMT20260301-100000_Recording.vtt", "Weekly-20260301_100000.vtt": the second is of this machine's
 * zone.
 */
static int64_t
recorded_at(const char *name)
{
	const char *base = strrchr(name, '/');

	base = base != NULL ? base + 1 : name;
	for (const char *p = base; *p != '\0'; p++) {
		int y, m, d, h, min, s, n = 0;
		int64_t us;

		if (!ascii_is_digit(*p) || (p > base && ascii_is_digit(p[-1])))
			continue;
		if (sscanf(p, "%4d%2d%2d%*1[-_T]%2d%2d%2d%n", &y, &m, &d, &h, &min, &s, &n) != 6 ||
		    n != 15 || y < 1970 || m < 1 || m > 12 || d < 1 || d > 31 || h > 23 ||
		    min > 59 || s > 60)
			continue;
		us = time_from_civil(y, m, d) + ((int64_t)h * 3600 + min * 60 + s) * US_PER_S;
		return p - base >= 3 && memcmp(p - 3, "GMT", 3) == 0 ? us : turns_local_time(us);
	}
	return TIME_NONE;
}

/* ---- turns ---- */

static const char *
captions_detect(const char *bytes, size_t len)
{
	const char *p = bytes, *line;
	size_t n;
	int64_t us;

	if (len >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
		p += 3;
	for (int i = 0; i < 4 && (line = turns_line(&p, bytes + len, &n)) != NULL; i++) {
		if (i == 0 && n >= 6 && memcmp(line, "WEBVTT", 6) == 0)
			return "captions";
		if (times_of(line, n, &us))
			return "captions";
		for (size_t k = 0; k < n; k++)
			if (!ascii_is_digit(line[k]))
				return NULL;
	}
	return NULL;
}

static void *
captions_open(const char *form, const char *bytes, size_t len, const char *name)
{
	struct captions *c = xcalloc(1, sizeof(*c));

	(void)form;
	for (enum naming naming = COLON; naming <= LINE && c->named == NO_NAMES; naming++)
		if (has_names(naming, bytes, len))
			c->named = naming;
	c->recorded_us = recorded_at(name);
	return c;
}

static bool
captions_begins(void *state, const char *line, size_t len)
{
	struct captions *c = state;
	char name[SPEAKER_BYTES + 1];
	bool begins, named;
	size_t words, most;

	if (times_of(line, len, &c->cue_us)) {
		c->fresh = true;
		return false;
	}
	named = speaker_of(c, c->fresh, line, len, name, &words);
	begins = named && strcmp(name, c->speaker) != 0;
	most = *c->speaker == '\0' ? PARAGRAPH : PARAGRAPH * 3;
	if (c->fresh && !begins)
		begins = c->n_begun == 0 ||
		    (c->n_bytes >= most && (c->sentence || c->n_bytes >= most * 2));
	/* what stands before the first cue is nobody's */
	begins &= c->fresh || c->n_begun > 0;
	c->fresh = false;
	if (begins) {
		c->n_bytes = 0;
		if (named)
			memcpy(c->speaker, name, sizeof(name));
		memcpy(c->turns[c->n_begun % STARTS].name, c->speaker, sizeof(c->speaker));
		c->turns[c->n_begun++ % STARTS].start_us = c->cue_us;
	}
	if (is_number(line, len))
		return begins;
	c->n_bytes += len;
	c->sentence = len > 0 && strchr(".?!", line[len - 1]) != NULL;
	return begins;
}

/* Words without tags, entities as what they mean. */
static void
add_words(struct buf *b, const char *s, size_t len)
{
	static const struct { const char *from, *to; } entities[] = {
		{ "&amp;", "&" }, { "&lt;", "<" }, { "&gt;", ">" }, { "&nbsp;", " " }, { "&quot;", "\"" }, { "&#39;", "'" }, { "&lrm;", "" }, { "&rlm;", "" },
	};

	size_t tags_end = len;                 /* behind the last ">": a "<" there begins nothing */

	while (tags_end > 0 && s[tags_end - 1] != '>')
		tags_end--;
	for (size_t i = 0; i < len; ) {
		const char *close =
		    s[i] == '<' && i < tags_end ? memchr(s + i, '>', len - i) : NULL;
		size_t k = 0;

		if (close != NULL && i + 1 < len && (s[i + 1] == '/' || ascii_is_alnum(s[i + 1]))) {
			i = (size_t)(close + 1 - s);
			continue;
		}
		while (s[i] == '&' && k < NELEM(entities) &&
		    (strlen(entities[k].from) > len - i ||
			memcmp(s + i, entities[k].from, strlen(entities[k].from)) != 0))
			k++;
		if (s[i] == '&' && k < NELEM(entities)) {
			buf_adds(b, entities[k].to);
			i += strlen(entities[k].from);
		} else {
			buf_addc(b, s[i++]);
		}
	}
}

struct said {
	struct buf words, line, last;      /* of the turn; of a line, and of the one before it */
};

/* A line of words behind the others. Films' captions that roll show each line twice. */
static void
add_line(const struct captions *c, struct said *w, bool first, const char *s, size_t len)
{
	char name[SPEAKER_BYTES + 1];
	size_t start, from, end;
	int64_t us;

	/* times that the end of the file cut off */
	if ((start = clock_of(s, len, &us)) > 0 && len - start >= 3 &&
	    memcmp(s + start, " --", 3) == 0)
		return;
	speaker_of(c, first, s, len, name, &start);
	buf_reset(&w->line);
	add_words(&w->line, s + start, len - start);
	for (from = 0; from < w->line.len && ascii_is_space(w->line.data[from]); from++)
		;
	for (end = w->line.len; end > from && ascii_is_space(w->line.data[end - 1]); end--)
		;
	if (end == from ||
	    (end - from == w->last.len &&
		memcmp(w->line.data + from, w->last.data, w->last.len) == 0))
		return;
	if (w->words.len > 0)
		buf_addc(&w->words, ' ');
	buf_add(&w->words, w->line.data + from, end - from);
	buf_reset(&w->last);
	buf_add(&w->last, w->line.data + from, end - from);
}

/*
 * Lines up to a blank one: those behind the times are words, and those of a block that has none,
 * but for remarks.
 */
static void
add_block(const struct captions *c, struct said *w, const char *block, size_t len)
{
	static const char *const remarks[] = { "NOTE", "STYLE", "REGION", "WEBVTT" };
	const char *p = block, *line, *words = block;
	size_t n;
	int64_t us;

	while ((line = turns_line(&p, block + len, &n)) != NULL)
		if (times_of(line, n, &us))
			words = p;
	for (size_t i = 0; words == block && i < NELEM(remarks); i++)
		if (len >= strlen(remarks[i]) && memcmp(block, remarks[i], strlen(remarks[i])) == 0)
			return;
	for (p = words; (line = turns_line(&p, block + len, &n)) != NULL; )
		add_line(c, w, line == words, line, n);
}

static int
captions_read(void *state, const char *unit, size_t len, struct arena *a, struct turn *out,
	struct err *err)
{
	struct captions *c = state;
	const char *p = unit, *block = unit, *line;
	const char *name;
	struct said w;
	unsigned no = c->n_read++;
	size_t n;

	(void)err;
	/* what comes before the first words */
	if (no == 0)
		return 0;
	buf_init(&w.words, 2 * len + 16);
	buf_init(&w.line, 2 * len + 16);
	buf_init(&w.last, 2 * len + 16);
	while ((line = turns_line(&p, unit + len, &n)) != NULL) {
		if (n > 0)
			continue;
		add_block(c, &w, block, (size_t)(line - block));
		block = p;
	}
	add_block(c, &w, block, (size_t)(unit + len - block));
	out->text = arena_strndup(a, w.words.data, w.words.len);
	out->len = w.words.len;
	buf_release(&w.words);
	buf_release(&w.line);
	buf_release(&w.last);
	name = c->turns[(no - 1) % STARTS].name;
	out->role = *name != '\0' ? "user" : "other";
	out->name = arena_strndup(a, name, strlen(name));
	if (c->recorded_us != TIME_NONE)
		out->time_us = c->recorded_us + c->turns[(no - 1) % STARTS].start_us;
	return out->len > 0;
}

const struct reader captions_reader = {
	.forms = { { "captions", { ".vtt", ".srt", ".sbv" } } },
	.detect = captions_detect,
	.open = captions_open,
	.close = free,
	.begins = captions_begins,
	.read = captions_read,
};
