/*
 * likeness_words.c: the lists are phrases of terms, so that they are found however a word is
 * inflected; they are read once and sorted by their first term. Of phrases that begin at a word,
 * the longest that stands for something is taken as one word.
 */
#include "statement/likeness_words.h"

#include <strings.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/embedded.h"
#include "base/hash.h"
#include "statement/said_numbers.h"
#include "statement/stance.h"
#include "lexicon/unicode.h"
#include "text/words.h"

#define PHRASE_WORDS 4
#define UNITS_MOST   9999          /* more weeks are no span of time */

enum list { EMPTY, EMPTY_GERMAN, GERMAN, ME, US, MINE, NUMBER, SPAN, SINGLE, NOT, OPPOSITE,
	CONVERSE, SAME, MARKS, LISTS = MARKS + 8 };
static const char *const list_names[] = { "empty", "german-empty", "german", "me", "us", "mine",
	"number", "span", "single", "not", "opposite", "converse", "same",
	/* by enum said_mark */
	"copula", "article", "helper", "passive", "silent", "light", "unit", "always" };

struct phrase {
	uint64_t terms[PHRASE_WORDS];
	uint8_t endings[PHRASE_WORDS];
	uint64_t id;                           /* what it stands for */
	uint32_t value;                        /* of a number, or of one unit of time */
	uint8_t n, list;
	int8_t side;
};

struct phrases { struct phrase *items; size_t n, cap; };

static struct phrases lists;

/* ---- the lists ---- */

/*
 * The number of the ending by which a word is another than those with the same stem: "positive",
 * "position"; 0: it has none.
 */
static uint8_t
ending_of(const char *p, size_t len)
{
	static const char *const ends[] = { "ive", "ion", "ity", "itie", "ment", "ence", "ance",
		"ous", "ism", "ist" };

	len -= len > 3 && p[len - 1] == 's' && p[len - 2] != 'u' && p[len - 2] != 's';
	for (size_t i = 0; i < NELEM(ends); i++) {
		size_t n = strlen(ends[i]);

		if (len > n + 2 && strncasecmp(p + len - n, ends[i], n) == 0)
			return (uint8_t)(strcmp(ends[i], "itie") == 0 ? i : i + 1);
	}
	return 0;
}

struct adding { struct phrase *to; const char *text; };

static int
add_term(void *arg, const struct word *w)
{
	struct adding *a = arg;
	struct phrase *p = a->to;

	if (w->kind != WORD_PAIR && w->kind != WORD_PART && p->n < PHRASE_WORDS) {
		p->endings[p->n] = ending_of(a->text + w->start, w->end - w->start);
		p->terms[p->n++] = w->hash;
	}
	return 0;
}

/* Adds a phrase; one of numbers or spans is "DIGITS WORD ...", and each word is a phrase. */
static void
add_phrase(const char *p, size_t len, enum list list, uint64_t group, int8_t side)
{
	bool counts = list == NUMBER || list == SPAN;
	size_t digits = counts ? strcspn(p, " ") : len, at = counts ? digits : 0;

	while (at < len) {
		struct phrase v = { .id = group, .list = (uint8_t)list, .side = side };
		size_t n;
		at += strspn(p + at, " ");
		n = counts ? strcspn(p + at, " ,\n") : len - at;
		n = MIN(n, len - at);
		if (list == NUMBER)
			v.id = said_number_id(p, digits);
		if (counts)
			v.value = *p == '.' ? SAID_NO_VALUE : (uint32_t)strtoul(p, NULL, 10);
		words_each(p + at, n, add_term, &(struct adding){ &v, p + at });
		at += n;
		if (v.n == 0)
			continue;
		*xpush(lists.items, lists.n, lists.cap) = v;
	}
}

static void
read_line(const char *p, const char *end, uint64_t group)
{
	size_t name = strcspn(p, ":");
	int8_t side = -1;
	enum list list = 0;

	while (list < LISTS &&
	    (strlen(list_names[list]) != name || memcmp(list_names[list], p, name) != 0))
		list++;
	if (list == LISTS)                     /* a comment */
		return;
	for (p += name + 1; p < end;) {
		size_t n = strcspn(p, ",|\n"), skip = strspn(p, " "), len = n;
		while (len > skip && p[len - 1] == ' ')
			len--;
		add_phrase(p + skip, len - skip, list, group, side);
		if (p[n] == '|')
			side = 1;
		p += n + 1;
	}
}

static int
by_first(const void *a, const void *b)
{
	const struct phrase *x = a, *y = b;

	if (x->terms[0] != y->terms[0])
		return x->terms[0] < y->terms[0] ? -1 : 1;
	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return (int)x->list - (int)y->list;
}

static void
read_lists(void)
{
	const struct embedded *f = embedded_find("schema/likeness.txt");
	const char *end = f->text + f->len;
	uint64_t group = 1;

	lists.n = 0;
	for (const char *p = f->text; p < end; group++) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		read_line(p, nl, hash64_mix(group));
		p = nl + 1;
	}
	qsort(lists.items, lists.n, sizeof(*lists.items), by_first);
}

static struct alloc_once lists_once = ALLOC_ONCE(read_lists);

/* The first phrase that begins with the term; lists.n: none. */
static size_t
first_phrase(uint64_t term)
{
	size_t lo = 0, hi = lists.n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (lists.items[mid].terms[0] < term)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* ---- words of a statement ---- */

struct term { uint64_t hash; bool stop; };

struct reading {
	struct said *s;
	const char *text;
	struct term terms[SAID_WORDS];
	uint32_t values[SAID_WORDS];           /* of numbers, else SAID_NO_VALUE */
	const struct phrase *unit;             /* the unit of time at hand, or NULL */
	bool single;                           /* the word at hand stands for 1 before a unit */
	size_t behind;                         /* the last number with a unit, which has parts */
};

static bool
is_term(const struct said_word *v, const char *term)
{
	return strlen(term) == v->len && memcmp(v->term, term, v->len) == 0;
}

static bool
begins_sentence(const char *text, size_t at)
{
	while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '"' || text[at - 1] == '\''))
		at--;
	return at == 0 || strchr(".!?\n:", text[at - 1]) != NULL;
}

static bool
ends_past(const char *p, size_t len)
{
	return len > 4 && p[len - 1] == 'd' && p[len - 2] == 'e' && p[len - 3] != 'e';
}

/* The bytes of a word up to an apostrophe, 255 at most. */
static uint8_t
letters_of(const char *p, size_t len)
{
	size_t n = 0;

	while (n < MIN(len, UINT8_MAX) && p[n] != '\'' && (unsigned char)p[n] != 0xe2)
		n++;
	return (uint8_t)n;
}

/* Adds the unit of "60cm" as a word of its own, as it is in "60 cm". */
static void
add_unit(struct reading *r, const char *unit, size_t len)
{
	struct said *s = r->s;
	struct said_word *v = &s->w[s->n];

	len -= len > 2 && ascii_lower(unit[len - 1]) == 's';
	if (s->n == SAID_WORDS)
		return;
	*v = (struct said_word){ .len = (uint8_t)len, .content = true, .plain = true };
	for (size_t i = 0; i < len; i++)
		v->term[i] = ascii_lower(unit[i]);
	v->id = hash64(v->term, len, 0);
	r->terms[s->n] = (struct term){ v->id, false };
	r->values[s->n++] = SAID_NO_VALUE;
}

static int
on_word(void *arg, const struct word *w)
{
	struct reading *r = arg;
	struct said *s = r->s;
	struct said_word *v = &s->w[s->n];
	const char *p = r->text + w->start, *end = r->text + w->end;
	enum unicode_class cls;
	uint32_t cp;
	size_t size = w->end - w->start, unit;

	if (w->kind == WORD_PAIR || w->kind == WORD_PART || s->n == SAID_WORDS ||
	    w->start < r->behind)
		return 0;
	r->terms[s->n] = (struct term){ w->hash, w->stop };
	*v = (struct said_word){ .id = w->hash,
		.len = (uint8_t)MIN(w->len, SAID_TERM),
		.letters = letters_of(p, size),
		.ending = ending_of(p, size),
		.content = !w->stop,
		.lead = w->stop,
		.whole = w->kind == WORD_WHOLE,
		.plain = w->kind == WORD_PLAIN,
		.half = w->kind == WORD_CHAR };
	memcpy(v->term, w->term, v->len);
	v->past = ends_past(p, size) && (w->start == 0 || p[-1] != '-');
	unicode_next(p, end, &cp, &cls);
	if (cls == UNICODE_UPPER) {
		v->first = begins_sentence(r->text, w->start);
		v->name = !v->first && !w->stop;
	}
	for (size_t i = 0; i < w->len; i++)
		v->number |= ascii_is_digit(w->term[i]);
	r->values[s->n] = SAID_NO_VALUE;
	unit = v->number && size <= WORDS_TERM_BYTES ? said_unit_len(p, size) : 0;
	r->behind = unit > 0 ? w->end : 0;
	if (unit == 1 && ascii_lower(end[-1]) == 'k') {
		v->whole = v->plain = false;
		v->id = said_thousands_id(p, size - 1, &r->values[s->n]);
		unit = 0;
	} else if (unit > 0 && (v->id = said_digits_id(p, size - unit)) != 0) {
		v->whole = v->plain = false;
		r->values[s->n] = said_digits_value(p, size - unit);
	} else if (v->number && (v->id = said_digits_id(w->term, w->len)) != 0) {
		v->whole = false;
		r->values[s->n] = said_digits_value(w->term, w->len);
	} else {
		v->id = w->hash;
		unit = 0;
	}
	s->n++;
	if (unit > 0)
		add_unit(r, end - unit, unit);
	return 0;
}

static bool
differ(uint8_t ending, uint8_t other)
{
	return ending != 0 && other != 0 && ending != other;
}

/* Whether the phrase stands at word i. */
static bool
stands_at(const struct phrase *p, const struct reading *r, size_t i)
{
	if (i + p->n > r->s->n)
		return false;
	for (size_t k = 0; k < p->n; k++)
		if (p->terms[k] != r->terms[i + k].hash ||
		    differ(p->endings[k], r->s->w[i + k].ending))
			return false;
	return true;
}

/* What the lists say of the word at i. Returns how many words are one with it. */
static size_t
look_up(struct reading *r, size_t i, unsigned *n_german)
{
	struct said_word *v = &r->s->w[i];
	uint64_t term = r->terms[i].hash;
	bool known = false;
	size_t taken = 0;

	for (size_t k = first_phrase(term); k < lists.n && lists.items[k].terms[0] == term; k++) {
		const struct phrase *p = &lists.items[k];
		if (!stands_at(p, r, i))
			continue;
		if (p->list >= MARKS) {
			v->marks |= 1u << (p->list - MARKS);
			continue;
		}
		switch ((enum list)p->list) {
		case GERMAN:
			++*n_german;
			break;
		case NOT:
			/* "no longer than" denies nothing */
			v->negates |= p->n >= taken;
			taken = MAX(taken, p->n);
			break;
		case EMPTY:
			v->empty = p->n == 1;
			break;
		case EMPTY_GERMAN:
			v->empty_german = true;
			break;
		case ME:
		case US:
			if (v->letters > v->len + 1)   /* "uses" is not "us" */
				break;
			v->person = true;
			v->content = false;
			v->id = p->id;
			break;
		case MINE:
			v->mine = true;
			break;
		case SPAN:
			r->unit = p;
			break;
		case SINGLE:
			r->single = true;
			break;
		default:
			if (known)
				break;
			known = true;
			taken = MAX(taken, p->n);
			v->id = p->id;
			v->number |= p->list == NUMBER;
			if (p->list == NUMBER)
				r->values[i] = p->value;
			v->pole = p->list == OPPOSITE ? p->side : 0;
			v->turn = p->list == CONVERSE ? p->side : 0;
		}
	}
	return MAX(taken, 1);
}

/* ---- Chinese numbers ---- */

static const char zh_digits[] = "零一二三四五六七八九";
static const char zh_units[] = "十百千万亿";

static int
place_in(const char *list, const struct said_word *v)
{
	for (int i = 0; v->len == 3 && list[3 * i] != '\0'; i++)
		if (memcmp(list + 3 * i, v->term, 3) == 0)
			return i;
	return -1;
}

/*
 * Reads the number whose first character is word i; returns its words, 0: it is none. A lone 一 is
 * mostly part of a word.
 */
static size_t
read_chinese(const struct said *s, size_t i, uint64_t *id)
{
	static const int64_t units[] = { 10, 100, 1000, 10000, 100000000 };
	int64_t all = 0, part = 0, digit = -1;
	char text[24];
	size_t n = 0;

	for (; i + n < s->n; n++) {
		const struct said_word *v = &s->w[i + n];
		int d = place_in(zh_digits, v), u = place_in(zh_units, v);
		if (v->len == 3 && memcmp(v->term, "两", 3) == 0)
			d = 2;
		if (d >= 0) {
			digit = d;
		} else if (u > 2) {
			all = (all + part + MAX(digit, 0)) * units[u];
			part = 0;
			digit = -1;
		} else if (u >= 0) {
			part += (digit < 0 ? 1 : digit) * units[u];
			digit = -1;
		} else {
			break;
		}
	}
	if (n == 0 || (n == 1 && digit == 1))
		return 0;
	all += part + MAX(digit, 0);
	*id = said_number_id(text, (size_t)snprintf(text, sizeof(text), "%lld", (long long)all));
	return n;
}

/* ---- English numbers ---- */

/* The value of two numbers beside each other, "two hundred"; SAID_NO_VALUE: of none. */
static uint32_t
multiple_of(uint32_t value, uint32_t by)
{
	bool is = (by == 100 || by == 1000 || by == 1000000) && value > 0 && value < by &&
	    value != SAID_NO_VALUE && (uint64_t)value * by < SAID_NO_VALUE;

	return is ? value * by : SAID_NO_VALUE;
}

/*
 * Takes word n, which was read last, together with those before it where they are one number: "two
 * hundred", "half past nine". *last: the value of word n - 1, and then of the last. Returns how
 * many words there are.
 */
static size_t
join_number(struct said *s, size_t n, uint32_t value, uint32_t *last)
{
	uint32_t all = s->w[n].number ? multiple_of(*last, value) : SAID_NO_VALUE;
	char text[24];

	*last = s->w[n].number ? value : SAID_NO_VALUE;
	if (all != SAID_NO_VALUE) {
		*last = s->w[n - 1].value = all;
		s->w[n - 1].id = said_number_id(text,
		    (size_t)snprintf(text, sizeof(text), "%u", all));
		return n;
	}
	if (value <= 24 && n >= 2 && is_term(&s->w[n - 2], "half") &&
	    is_term(&s->w[n - 1], "past")) {
		s->w[n - 2] = s->w[n];
		s->w[n - 2].id = said_number_id(text,
		    (size_t)snprintf(text, sizeof(text), "%u:30", value));
		return n - 1;
	}
	return n + 1;
}

/* ---- spans of time ---- */

/*
 * "two weeks" are as long as "14 days": tells the number and the unit of both by their length.
 * n_units: of the number that stands before the unit.
 */
static void
set_span(const struct phrase *unit, uint32_t n_units, struct said_word *number,
	struct said_word *v)
{
	if (n_units == 0 || n_units > UNITS_MOST)
		return;
	v->span = hash64_mix(unit->id + 2 * (uint64_t)n_units * unit->value);
	number->span = hash64_mix(v->span);
}

/* ---- the whole ---- */

void
said_read(struct said *s, const char *text, size_t len)
{
	struct reading r = { .s = s, .text = text };
	unsigned n_german = 0;
	uint32_t last = SAID_NO_VALUE;
	bool helped = false;       /* a participle may follow: "is named", "has moved" */
	bool single = false;
	size_t n = 0;

	alloc_once(&lists_once);
	s->n = 0;
	s->german = s->passive = false;
	s->stance = stance_of(text, len);
	words_each(text, len, on_word, &r);
	for (size_t i = 0, step; i < s->n; i += step) {
		struct said_word *v = &s->w[i];
		uint64_t id;
		r.unit = NULL;
		r.single = false;
		step = look_up(&r, i, &n_german);
		if (r.unit != NULL && n > 0)
			set_span(r.unit, single ? 1 : s->w[n - 1].number ? s->w[n - 1].value : 0,
			    &s->w[n - 1], v);
		single = r.single;
		v->past &= !helped;
		s->stance |= v->past ? STANCE_MAYBE_PAST : 0;
		helped = (v->marks & SAID_HELPER) != 0;
		s->passive |= (v->marks & SAID_PASSIVE) != 0;
		if (i > 0 && s->w[n - 1].number && (is_term(v, "am") || is_term(v, "pm")))
			v->number = v->content = true;
		if (!v->number && (id = read_chinese(s, i, &id) > 0 ? id : 0) != 0) {
			step = read_chinese(s, i, &id);
			v->id = id;
			v->number = v->content = true;
		}
		v->content |= v->number || v->pole != 0 || v->turn != 0;
		v->content &= !v->negates || v->pole != 0;
		s->w[n] = *v;
		s->w[n].value = r.values[i];
		n = join_number(s, n, r.values[i], &last);
	}
	s->n = n;
	s->german = n_german >= 2 || (n_german > 0 && n <= 6);
	for (size_t i = 0; i < n; i++) {
		struct said_word *v = &s->w[i];
		v->empty |= v->empty_german && s->german;
		v->content &= !v->empty || v->number || v->pole != 0 || v->turn != 0;
	}
}

const struct said *
said_keep(const struct said *s, struct arena *a)
{
	size_t size = offsetof(struct said, w) + s->n * sizeof(*s->w);

	return memcpy(arena_alloc(a, size), s, size);
}

/*
 * Two words of five or more letters that differ by one letter more, less or replaced, but not the
 * first, are a slip of spelling.
 */
static bool
is_slip(const struct said_word *a, const struct said_word *b)
{
	const struct said_word *s = a->len <= b->len ? a : b, *l = s == a ? b : a;
	size_t head = 0, tail = 0;

	if (s->len < 5 || l->len - s->len > 1 || !s->plain || !l->plain || a->name || b->name)
		return false;
	while (head < s->len && s->term[head] == l->term[head])
		head++;
	while (tail < (size_t)(s->len - head) &&
	    s->term[s->len - 1 - tail] == l->term[l->len - 1 - tail])
		tail++;
	return head > 0 && head + tail + 1 >= l->len;
}

bool
said_endings_differ(const struct said_word *a, const struct said_word *b)
{
	return differ(a->ending, b->ending);
}

bool
said_same(const struct said_word *a, const struct said_word *b)
{
	if (said_endings_differ(a, b) && a->len == b->len && memcmp(a->term, b->term, a->len) == 0)
		return false;
	return a->id == b->id || (a->span != 0 && a->span == b->span) ||
	    (a->content && b->content && !a->number && !b->number && is_slip(a, b));
}

bool
said_has(const struct said *s, const struct said_word *w)
{
	for (size_t i = 0; i < s->n; i++)
		if (said_same(&s->w[i], w))
			return true;
	return false;
}
