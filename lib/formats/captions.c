/*
 * captions.c: what was said in a meeting or a film, as WebVTT (.vtt), SubRip (.srt) or .sbv. A cue
 * is a number or a name, a line with two times counted from the start, and lines of words. Cues are
 * as short as a screen asks for, so those of one speaker are joined to turns of the length of a
 * paragraph. A turn begins at the words of a cue, because only these say who speaks; the lines with
 * number and times just before it therefore end the unit of the turn before, and reading skips them
 * there.
 *
 *	WEBVTT                                          the head: no turn
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
#include "base/span.h"
#include "base/utf8.h"
#include "clean/speaker.h"
#include "formats/reader.h"

/*
 * a turn of more bytes ends with its next sentence; where speakers are named it may be three times
 * as long
 */
#define PARAGRAPH   800
/* fewer turns than this have begun and wait to be read */
#define STARTS      4

/*
 * How speakers are named where no tag does it: "NAME: words", "[NAME] words", or by the first line
 * of a cue, which then holds nothing else.
 */
enum naming { NO_NAMES, COLON, BRACKETS, LINE };

struct captions {
	enum naming named;
	bool fresh;                        /* the line before held the times of a cue */
	char speaker[SPEAKER_BYTES + 1];
	bool sentence;                     /* the last line ended with the end of a sentence */
	size_t n_bytes;                    /* in the turn so far */
	int64_t recorded_us, cue_us;       /* TIME_NONE: not known */
	struct { int64_t start_us; char name[SPEAKER_BYTES + 1]; } turns[STARTS];
	unsigned n_begun, n_read;
};

/* Reads "01:02:03.456" or "02:03,4". Returns the bytes read; 0: there is no such time. */
static size_t
read_clock(const char *s, size_t len, int64_t *us)
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

/* Whether a line holds the two times of a cue: "00:00:01.000 --> 00:00:04.000 align:start" */
static bool
cue_times(const char *s, size_t len, int64_t *us)
{
	size_t n = read_clock(s, len, us);
	int64_t end;

	/* YouTube's and Meet's .sbv */
	if (n > 0 && len - n > 3 && s[n] == ',')
		return read_clock(s + n + 1, len - n - 1, &end) == len - n - 1;
	return n > 0 && len - n > 5 && memcmp(s + n, " --> ", 5) == 0 &&
	    read_clock(s + n + 5, len - n - 5, &end) > 0;
}

/* Whether the line is the number of a cue, such as "7" or "3ab1/12-0": it is no end of words. */
static bool
is_number(const char *s, size_t len)
{
	bool digits = false;

	for (size_t i = 0; i < len; i++) {
		if (strchr("0123456789abcdef-/", s[i]) == NULL)
			return false;
		digits |= ascii_is_digit(s[i]);
	}
	return digits;
}

/*
 * Takes marks of direction and the like off both ends of a line. Programs put them before and
 * behind words in such scripts, and in the lines between; no word is lost with them.
 */
static const char *
bare(const char *s, size_t *len)
{
	size_t n = utf8_bom(s, *len), mark = 1;

	for (s += n, *len -= n; mark > 0 && *len > 0; *len -= mark)
		for (mark = MIN(*len, 3); mark > 0 && utf8_bom(s + *len - mark, mark) != mark; )
			mark--;
	return s;
}

/* As turns_line, without the marks. */
static const char *
bare_line(const char **p, const char *end, size_t *len)
{
	const char *line = turns_line(p, end, len);

	return line != NULL ? bare(line, len) : NULL;
}

/* ---- who ---- */

static bool
set_name(const char *s, size_t len, char out[SPEAKER_BYTES + 1])
{
	s = ascii_trim(s, &len);
	if (len == 0 || len > SPEAKER_BYTES)
		return false;
	memcpy(out, s, len);
	out[len] = '\0';
	return true;
}

/*
 * Reads the name in "Mara Klein: words", "[SPEAKER_00]: words" or ">> MARA: words". Returns the
 * offset of the words; 0: nobody is named.
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

/* Reads the name in "[Mara Klein] words". Returns the offset of the words; 0: nobody is named. */
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

/* Reads a name that stands as naming says. Returns the offset of the words; 0: nobody is named. */
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

/* Reads the name in a tag: "<v Mara Klein>", "<v.loud Mara>" */
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
 * Whether a line of words names its speaker; *words is where they begin. A name without a tag
 * counts only in the first line of a cue.
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
 * Whether this file names its speakers so. Of names before a colon half of the cues must have one,
 * since a film has "Note: ..." now and then; the other forms need names that come back.
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

	while ((line = bare_line(&p, bytes + len, &n)) != NULL) {
		const char *behind = p;
		size_t k = 0, next;

		if (cue_times(line, n, &us)) {
			fresh = true;
			cues++;
			continue;
		}
		/* a line that holds only a name needs words below it */
		if (fresh && named_as(naming, line, n, name) > 0 &&
		    (naming != LINE ||
			(bare_line(&behind, bytes + len, &next) != NULL && next > 0))) {
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
 * The time of recording in a file's name: "GMT20260301-100000_Recording.vtt", or
 * "Weekly-20260301_100000.vtt", which is in the zone of this machine.
 */
static int64_t
recorded_at(const char *name)
{
	const char *base = path_base(name);

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

	for (int i = 0; i < 4 && (line = bare_line(&p, bytes + len, &n)) != NULL; i++) {
		if (i == 0 && n >= 6 && memcmp(line, "WEBVTT", 6) == 0)
			return "captions";
		if (cue_times(line, n, &us))
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
captions_begins(void *state, const char *line, size_t len, const struct turns_around *around)
{
	struct captions *c = state;
	char name[SPEAKER_BYTES + 1];
	size_t words, most;

	(void)around;
	line = bare(line, &len);
	if (cue_times(line, len, &c->cue_us)) {
		c->fresh = true;
		return false;
	}
	bool named = speaker_of(c, c->fresh, line, len, name, &words);
	bool begins = named && strcmp(name, c->speaker) != 0;
	most = *c->speaker == '\0' ? PARAGRAPH : PARAGRAPH * 3;
	if (c->fresh && !begins)
		begins = c->n_begun == 0 ||
		    (c->n_bytes >= most && (c->sentence || c->n_bytes >= most * 2));
	/* what stands before the first cue was said by nobody */
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

/* Appends words without their tags, and with entities decoded. */
static void
add_words(struct buf *b, const char *s, size_t len)
{
	static const struct { const char *from, *to; } entities[] = {
		{ "&amp;", "&" }, { "&lt;", "<" }, { "&gt;", ">" }, { "&nbsp;", " " }, { "&quot;", "\"" }, { "&#39;", "'" }, { "&lrm;", "" }, { "&rlm;", "" },
	};

	/* the offset behind the last ">": after it a "<" cannot begin a tag */
	size_t tags_end = len;

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
	/* all words of the turn; those of this line, and of the line before */
	struct buf words, line, last;
};

/*
 * Appends a line of words. Captions that roll show each line twice, so a line like the one before
 * is left out.
 */
static void
add_line(const struct captions *c, struct said *w, bool first, const char *s, size_t len)
{
	char name[SPEAKER_BYTES + 1];
	size_t start;
	int64_t us;

	/* a line of times that the end of the file cut off */
	if ((start = read_clock(s, len, &us)) > 0 && len - start >= 3 &&
	    memcmp(s + start, " --", 3) == 0)
		return;
	speaker_of(c, first, s, len, name, &start);
	buf_reset(&w->line);
	add_words(&w->line, s + start, len - start);
	len = w->line.len;
	const char *words = ascii_trim(w->line.data, &len);
	if (len == 0 || (len == w->last.len && memcmp(words, w->last.data, len) == 0))
		return;
	if (w->words.len > 0)
		buf_addc(&w->words, ' ');
	buf_add(&w->words, words, len);
	buf_reset(&w->last);
	buf_add(&w->last, words, len);
}

/*
 * Adds a block, which is the lines up to a blank one. Words are the lines behind its times, and the
 * unit begins with words; a block without times continues them, unless it is a remark. Where no
 * blank line parts cues, a number before the times of the next is none of the words.
 */
static void
add_block(const struct captions *c, struct said *w, bool begins, const char *block, size_t len)
{
	static const char *const remarks[] = { "NOTE", "STYLE", "REGION", "WEBVTT" };
	const char *p = block, *line, *words = block, *held = NULL;
	size_t n, held_len = 0;
	bool first = true;
	int64_t us;

	while (!begins && words == block && (line = bare_line(&p, block + len, &n)) != NULL)
		if (cue_times(line, n, &us))
			words = p;
	for (size_t i = 0; !begins && words == block && i < NELEM(remarks); i++)
		if (len >= strlen(remarks[i]) && memcmp(block, remarks[i], strlen(remarks[i])) == 0)
			return;
	for (p = words;; held_len = n) {
		bool times = (line = bare_line(&p, block + len, &n)) != NULL &&
		    cue_times(line, n, &us);

		if (held != NULL && !(times && is_number(held, held_len))) {
			add_line(c, w, first, held, held_len);
			first = false;
		}
		if (line == NULL)
			break;
		first |= times;
		held = times ? NULL : line;
	}
}

/*
 * Before the first words stand the head of a file, and blocks that are none of its words: in SRT
 * not even these. 0: it is so; -1: what was a cue is none.
 */
static int
check_start(const char *unit, size_t len, struct err *err)
{
	static const char *const blocks[] = { "WEBVTT", "NOTE", "STYLE", "REGION" };
	const char *p = unit, *line;
	bool known = false, words = false;
	int64_t us;
	size_t n;

	while ((line = bare_line(&p, unit + len, &n)) != NULL) {
		for (size_t i = 0; n > 0 && !known && i < NELEM(blocks); i++)
			known = span_begins(line, n, blocks[i]);
		if (n == 0 || cue_times(line, n, &us))
			known = false;
		for (size_t i = 0; i + 3 <= n && n > 0 && !cue_times(line, n, &us); i++)
			words |= memcmp(line + i, "-->", 3) == 0;
		words |= n > 0 && !known && !is_number(line, n) && !cue_times(line, n, &us);
	}
	return words ? err_set(err, ERR_DATA, "words before the time of any") : 0;
}

static int
captions_read(void *state, const char *unit, size_t len, struct arena *a, struct turn *out,
	struct err *err)
{
	struct captions *c = state;
	const char *p = unit, *block = unit, *line;
	struct said w;
	unsigned no = c->n_read++;
	size_t n;

	/* the first unit is what comes before the first words */
	if (no == 0)
		return check_start(unit, len, err);
	buf_init(&w.words, 2 * len + 16);
	buf_init(&w.line, 2 * len + 16);
	buf_init(&w.last, 2 * len + 16);
	while ((line = bare_line(&p, unit + len, &n)) != NULL) {
		if (n > 0)
			continue;
		add_block(c, &w, block == unit, block, (size_t)(line - block));
		block = p;
	}
	add_block(c, &w, block == unit, block, (size_t)(unit + len - block));
	out->text = arena_strndup(a, w.words.data, w.words.len);
	out->len = w.words.len;
	buf_release(&w.words);
	buf_release(&w.line);
	buf_release(&w.last);
	const char *name = c->turns[(no - 1) % STARTS].name;
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
