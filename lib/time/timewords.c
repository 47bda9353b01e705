/*
 * timewords.c: times that a text names, by hand-written rules over words of the lexicon. What a
 * question asks about time is in timeasks.c.
 *
 * A rule starts at a word, looks at what follows in the same clause, and takes the longest match;
 * all its words are of one language, first that of the text. Words that also mean something else
 * (may, march, sun, mar) count only beside a preposition or a number, or with a capital inside a
 * sentence.
 */
#include "base/ascii.h"
#include "time/timespan.h"

/* A word, and what stands before it. */
struct place {
	struct lex_token t, before;        /* before: its start is its end where there is none */
	bool first;                        /* t begins its sentence */
};

static bool
done(struct time_span *s, const struct lex_token *first, size_t end)
{
	s->start = first->start;
	s->end = end;
	return true;
}

/* ---- dates ---- */

static size_t
figures(const struct time_reader *r, size_t at, int *number)
{
	size_t n = 0;

	for (*number = 0; at + n < r->len && ascii_is_digit(r->text[at + n]); n++)
		*number = MIN(*number * 10 + (r->text[at + n] - '0'), 9999);
	return n;
}

static bool
is_year(int number, size_t n_digits)
{
	return n_digits == 4 && number >= MIN_YEAR && number <= MAX_YEAR;
}

/*
 * Reads "2024-05-01", "2024-05", "2024/5/1", "5/1/2024" (the month first, unless it is over 12),
 * "1.5.2024" (the day first).
 */
static bool
read_numeric(const struct time_reader *r, const struct lex_token *t, struct time_span *s)
{
	int part[3] = { t->number, 0, 0 };
	size_t n_digits[3] = { t->n_digits, 0, 0 }, n = 1, at = t->start + t->n_digits;
	char sign = at < r->len ? r->text[at] : ' ';

	if ((sign != '-' && sign != '/' && sign != '.') ||
	    (t->start > 0 &&
		(r->text[t->start - 1] == sign || r->text[t->start - 1] == '.' ||
		    ascii_is_letter(r->text[t->start - 1]))))
		return false;
	while (n < 3 && at + 1 < r->len && r->text[at] == sign && ascii_is_digit(r->text[at + 1])) {
		n_digits[n] = figures(r, at + 1, &part[n]);
		at += 1 + n_digits[n++];
	}
	if (at < r->len &&
	    ((r->text[at] == sign &&
		 (sign != '.' || (at + 1 < r->len && ascii_is_digit(r->text[at + 1])))) ||
		(ascii_is_letter(r->text[at]) && r->text[at] != 'T')))
		return false;
	s->start = t->start;
	s->end = at;
	if (is_year(part[0], n_digits[0]) && n >= 2 && sign != '.')
		return part[1] > 0 && (n == 2 || part[2] > 0) &&
		    (n == 3 || (sign == '-' && n_digits[1] == 2)) &&
		    timespan_date(s, part[0], part[1], part[2]);
	if (n == 3 && is_year(part[2], n_digits[2]) && part[0] > 0 && part[1] > 0)
		return part[0] > 12 || sign == '.' ? timespan_date(s, part[2], part[1], part[0])
						   : timespan_date(s, part[2], part[0], part[1]);
	return false;
}

/* Reads a year behind t, with "of" before it or without. */
static bool
year_behind(const struct time_reader *r, const struct lex_token *t, struct lex_token *year)
{
	return timetoken_next(r, t, year) &&
	    (timetoken_is_year(r, year) ||
		(timetoken_is(r, year, LEX_OF, NULL) && timetoken_next(r, year, year) &&
		    timetoken_is_year(r, year)));
}

/* Reads "June", "June 2023", "June 3", "June 3rd, 2023", "June the 3rd". */
static bool
read_month(const struct time_reader *r, const struct lex_token *t, int month, bool sure,
	struct time_span *s)
{
	struct lex_token a, b, c;
	bool ordinal;

	if (year_behind(r, t, &a) && timespan_date(s, a.number, month, 0))
		return done(s, t, a.end);
	if (timetoken_next(r, t, &a)) {
		if (timetoken_is(r, &a, LEX_ARTICLE, NULL) && timetoken_next(r, &a, &b) &&
		    timetoken_number(r, &b, &ordinal) > 0 && ordinal)
			a = b;
		if (timetoken_is_day(r, &a) && timespan_date(s, 0, month, a.number)) {
			if (timetoken_next(r, &a, &c) && timetoken_is_year(r, &c) &&
			    timespan_date(s, c.number, month, a.number))
				return done(s, t, c.end);
			return done(s, t, a.end);
		}
	}
	return sure && timespan_date(s, 0, month, 0) && done(s, t, t->end);
}

/* Reads "3 June 2023", "3rd of June", "3. Juni". */
static bool
read_day_month(const struct time_reader *r, const struct lex_token *t, struct time_span *s)
{
	struct lex_token a, b;
	int month;

	if (!timetoken_is_day(r, t) || !timetoken_next(r, t, &a) ||
	    (timetoken_is(r, &a, LEX_OF, NULL) && !timetoken_next(r, &a, &a)) ||
	    !timetoken_is(r, &a, LEX_MONTH, &month))
		return false;
	if (year_behind(r, &a, &b) && timespan_date(s, b.number, month, t->number))
		return done(s, t, b.end);
	return timespan_date(s, 0, month, t->number) && done(s, t, a.end);
}

/* ---- relative ---- */

/* "Two weeks", "a couple of months", "half a year", "a year and a half", "3 derniers mois". */
struct count { int n, unit, which; bool half; struct lex_token last; };

static bool
read_count(const struct time_reader *r, struct lex_token a, struct count *c)
{
	bool ordinal, any = false;
	size_t end;

	*c = (struct count){ .n = 0 };
	if (timetoken_is(r, &a, LEX_HALF, NULL)) {
		c->half = any = true;
		if (!timetoken_next(r, &a, &a) ||
		    (timetoken_is(r, &a, LEX_NUMERAL, NULL) && !timetoken_next(r, &a, &a)))
			return false;
	} else if ((c->n = timetoken_number(r, &a, &ordinal)) > 0 && !ordinal) {
		if (c->n > 1000 || !timetoken_next(r, &a, &a))
			return false;
		any = true;
	}
	for (; !c->half && timetoken_is(r, &a, LEX_NUMERAL, &c->n); any = true)
		if (!timetoken_next(r, &a, &a))
			return false;
	if (any && !c->half && timetoken_is(r, &a, LEX_HALF, NULL)) {
		c->half = true;
		c->n = 0;
		if (!timetoken_next(r, &a, &a))
			return false;
	}
	if (!any || (timetoken_is(r, &a, LEX_OF, NULL) && !timetoken_next(r, &a, &a)))
		return false;
	if (timetoken_is(r, &a, LEX_WHICH, &c->which) && !timetoken_next(r, &a, &a))
		return false;
	if ((end = timetoken_phrase(r, &a, LEX_UNIT, &c->unit)) == 0)
		return false;
	a.end = (uint32_t)end;
	c->last = a;
	if (timetoken_next(r, &c->last, &a) &&
	    (end = timetoken_phrase(r, &a, LEX_AND_HALF, NULL)) > 0) {
		c->half = true;
		c->last.end = (uint32_t)end;
	}
	return !c->half || c->unit == GRAIN_YEAR;
}

/* Sets the time that lies so many units before now; "hours ago" means the day on which that was. */
static bool
set_ago(const struct time_reader *r, const struct count *c, struct time_span *s)
{
	if (c->half)
		timespan_unit(s, r->now_us, GRAIN_MONTH, -(12 * c->n + 6));
	else if (c->unit == HOUR || c->unit == MINUTE)
		timespan_unit(s,
		    r->now_us - (c->unit == MINUTE ? 60 : 3600) * US_PER_S * c->n, GRAIN_DAY, 0);
	else if (c->unit == WEEKEND)
		timespan_weekend(s, r->now_us, -c->n);
	else if (c->unit > (int)GRAIN_YEAR)
		return false;
	else
		timespan_unit(s, r->now_us, (enum time_grain)c->unit, -c->n);
	return true;
}

/*
 * Reads "two weeks ago", "3 days back", "vor zwei Wochen", "il y a trois jours" and "les trois
 * derniers mois" from the number on, or from the word for "ago".
 */
static bool
read_ago(const struct time_reader *r, const struct lex_token *t, struct time_span *s)
{
	size_t before = timetoken_phrase(r, t, LEX_AGO_BEFORE, NULL), end;
	struct lex_token a = *t, b;
	struct count c;

	if ((before > 0 && !timetoken_behind(r, before, &a)) || !read_count(r, a, &c))
		return false;
	if (c.which != 0) {
		if (c.unit > (int)GRAIN_YEAR)
			return false;
		timespan_rolling(s, r->now_us, (enum time_grain)c.unit, c.which < 0 ? c.n : -c.n);
		return done(s, t, c.last.end);
	}
	end = c.last.end;
	if (before == 0 && (!timetoken_next(r, &c.last, &b) ||
	    (end = timetoken_phrase(r, &b, LEX_AGO, NULL)) == 0))
		return false;
	return set_ago(r, &c, s) && done(s, t, end);
}

/* Sets the month in the year before, in this year, or in the next, relative to now. */
static bool
month_near(const struct time_reader *r, int month, int which, struct time_span *s)
{
	struct civil now;

	time_civil(r->now_us, &now);
	int year = now.year;
	if (which < 0 && month >= now.month)
		year--;
	else if (which > 0 && month <= now.month)
		year++;
	return timespan_date(s, year, month, 0);
}

/* How "last", "this", "next" or the like count: -1, 0, 1; -2: the one before the last. */
static int
side_of(int value)
{
	return value == -3 ? -2 : value < 0 ? -1 : value > 0;
}

/* Sets the unit that is meant by "last week", "past week". value: as of LEX_WHICH. */
static bool
unit_which(const struct time_reader *r, int unit, int value, struct time_span *s)
{
	int which = side_of(value);

	if (unit == WEEKEND)
		timespan_weekend(s, r->now_us, value == 2 ? 0 : which);
	else if (unit == QUARTER_OF_YEAR)
		timespan_quarter(s, r->now_us, which);
	/* "the last day" and "next day" do not say of what */
	else if (unit > (int)GRAIN_YEAR || (unit == GRAIN_DAY && which != 0))
		return false;
	else if (value == 2 || value == -2)
		timespan_rolling(s, r->now_us, (enum time_grain)unit, -1 * which);
	else
		timespan_unit(s, r->now_us, (enum time_grain)unit, which);
	return true;
}

/*
 * Sets what is meant when a word for last, this or next stands beside the word a: "last week",
 * "lunes pasado", "this morning". Returns where a, or its phrase, ends; 0: it is no such word.
 */
static size_t
thing_which(const struct time_reader *r, const struct lex_token *a, int value, struct time_span *s)
{
	int which = side_of(value), of;
	bool doubt = timetoken_is(r, a, LEX_IF_CAPITAL, NULL) ||
	    timetoken_is(r, a, LEX_IF_BESIDE, NULL);
	size_t end;

	if (which > -2 && (end = timespan_name(r, a, which, s)) > 0)
		return end;
	if ((end = timetoken_phrase(r, a, LEX_UNIT, &of)) > 0)
		return unit_which(r, of, value, s) ? end : 0;
	if ((end = timetoken_phrase(r, a, LEX_WEEKDAY, &of)) > 0) {
		if (which == 0)
			timespan_weekday_of(s, r->now_us, of, 0);
		else
			timespan_weekday(s, r->now_us, of, which);
		if (which == -2)
			timespan_unit(s, s->from_us, GRAIN_DAY, -7);
		return end;
	}
	if (timetoken_is(r, a, LEX_DAYPART, NULL)) {
		timespan_unit(s, r->now_us, GRAIN_DAY, which);
		return a->end;
	}
	/* "this may be" */
	return timetoken_is(r, a, LEX_MONTH, &of) && !(which == 0 && doubt && !a->capital) &&
	    month_near(r, of, which, s) ? a->end : 0;
}

/* Reads "last week", "this Monday", "next May", "the past three months", "last night". */
static bool
read_which(const struct time_reader *r, const struct lex_token *t, int value, struct time_span *s)
{
	struct lex_token a, b;
	struct count c;

	if (!timetoken_next(r, t, &a))
		return false;
	if (!timetoken_is_year(r, &a) && read_count(r, a, &c)) {
		if (c.half || c.unit > (int)GRAIN_YEAR || value == 0)
			return false;
		timespan_rolling(s, r->now_us, (enum time_grain)c.unit, value < 0 ? c.n : -c.n);
		return done(s, t, c.last.end);
	}
	size_t end = thing_which(r, &a, value, s);
	/* "the last week of May" is not last week */
	return end > 0 &&
	    (s->name_end > s->name_start || !timetoken_behind(r, end, &b) ||
		!timetoken_is(r, &b, LEX_OF, NULL)) &&
	    done(s, t, end);
}

/* Reads "le mois dernier", "lunes pasado" from the thing on. */
static bool
read_which_after(const struct time_reader *r, const struct lex_token *t, struct time_span *s)
{
	static const enum lex things[] = { LEX_UNIT, LEX_WEEKDAY, LEX_MONTH, LEX_DAYPART, LEX_FEAST,
		LEX_FEAST_PLACE };
	size_t end = 0;
	struct lex_token a;
	int value, of;

	for (size_t i = 0; i < NELEM(things) && end == 0; i++)
		end = timetoken_phrase(r, t, things[i], &of);
	if (end == 0 || !timetoken_behind(r, end, &a) ||
	    (end = timetoken_phrase(r, &a, LEX_WHICH_AFTER, &value)) == 0)
		return false;
	return thing_which(r, t, value, s) > 0 && done(s, t, end);
}

/* Reads "the week before last" and "the Friday before last" from "week" on. */
static bool
read_before_last(const struct time_reader *r, const struct lex_token *t, struct time_span *s)
{
	struct lex_token a, b;
	int value;
	size_t end;

	if (!timetoken_next(r, t, &a) ||
	    (end = timetoken_phrase(r, &a, LEX_BEFORE_LAST, NULL)) == 0)
		return false;
	if (timetoken_behind(r, end, &b) &&
	    (timetoken_is(r, &b, LEX_UNIT, &value) || timetoken_is(r, &b, LEX_WEEKDAY, &value) ||
		timetoken_is(r, &b, LEX_MONTH, &value) || timespan_name(r, &b, -1, s) > 0))
		/* "the week before last Christmas" is something else */
		return false;
	return thing_which(r, t, -3, s) > 0 && done(s, t, end);
}

/* Reads "on the 5th": the latest such day. */
static bool
read_day_alone(const struct time_reader *r, const struct place *p, struct time_span *s)
{
	struct civil now;
	struct lex_token a;
	bool ordinal;

	if (timetoken_number(r, &p->t, &ordinal) < 0 || !ordinal ||
	    !timetoken_is(r, &p->before, LEX_ARTICLE, NULL) ||
	    !timetoken_ends_in(r->text, p->t.start, LEX_ON_DAY, r->lang) ||
	    timetoken_next(r, &p->t, &a))
		return false;
	time_civil(r->now_us, &now);
	for (int back = p->t.number > now.day; back <= 2; back++) {
		int month = (now.month + 11 - back) % 12 + 1;

		if (timespan_date(s, month > now.month ? now.year - 1 : now.year, month,
			p->t.number))
			return done(s, &p->t, p->t.end);
	}
	return false;
}

/* Whether a word that may also mean something else means a time here. */
static bool
means_time(const struct time_reader *r, const struct place *p)
{
	bool capital = timetoken_is(r, &p->t, LEX_IF_CAPITAL, NULL), ordinal;
	int wants = timetoken_is(r, &p->t, LEX_MONTH, NULL) ? OF_MONTHS : OF_DAYS, value;
	struct lex_token a;

	if (!capital && !timetoken_is(r, &p->t, LEX_IF_BESIDE, NULL))
		return true;
	if (timetoken_next(r, &p->t, &a) && timetoken_number(r, &a, &ordinal) > 0 &&
	    (ordinal || timetoken_is_year(r, &a)))
		return true;
	if ((timetoken_is(r, &p->before, LEX_WHICH, &value) && value != 0) ||
	    (timetoken_is(r, &p->before, LEX_OF, NULL) && wants == OF_MONTHS) ||
	    (timetoken_is(r, &p->before, LEX_PREPOSITION, &value) && (value & wants)))
		return true;
	return capital && p->t.capital && !p->first &&
	    (r->lang == r->asked || r->lang == LEX_IN(LEX_EN));
}

/* Whether a word such as "morgen" means the next day here, and no part of a day. */
static bool
means_day(const struct time_reader *r, const struct place *p)
{
	return !timetoken_is(r, &p->t, LEX_DAYPART, NULL) ||
	    (!(p->t.capital && !p->first && timetoken_is(r, &p->t, LEX_IF_SMALL, NULL)) &&
		!timetoken_is(r, &p->before, LEX_ARTICLE, NULL) &&
		!timetoken_is(r, &p->before, LEX_WHICH, NULL) &&
		!timetoken_is(r, &p->before, LEX_PREPOSITION, NULL));
}

static bool
read_day(const struct time_reader *r, const struct place *p, struct time_span *s)
{
	struct lex_token a;
	int value;
	size_t end = timetoken_phrase(r, &p->t, LEX_DAY, &value);

	if (end == 0 || !means_day(r, p))
		return false;
	timespan_unit(s, r->now_us, GRAIN_DAY, value);
	if (timetoken_behind(r, end, &a) && timetoken_is(r, &a, LEX_DAYPART, NULL) &&
	    timetoken_is(r, &a, LEX_DAY, NULL))
		end = a.end;
	return done(s, &p->t, end);
}

static bool
read_weekday(const struct time_reader *r, const struct place *p, struct time_span *s)
{
	int value;
	size_t end = timetoken_phrase(r, &p->t, LEX_WEEKDAY, &value);

	if (end == 0 || !means_time(r, p))
		return false;
	timespan_weekday(s, r->now_us, value, 0);
	s->weekday = value + 1;
	return done(s, &p->t, end);
}

/* Whether a number of four figures behind this word is a year: "in 2023", "the year 2023". */
static bool
is_behind_year_word(const struct time_reader *r, const struct lex_token *before)
{
	int unit;

	return timetoken_is(r, before, LEX_PREPOSITION, NULL) ||
	    timetoken_is(r, before, LEX_OF, NULL) ||
	    (timetoken_is(r, before, LEX_UNIT, &unit) && unit == GRAIN_YEAR);
}

/* Reads the time words that start with a word, in the reader's language. */
static bool
read_span(const struct time_reader *r, const struct place *p, struct time_span *s)
{
	const struct lex_token *t = &p->t;
	int value;

	if (t->n_digits > 0 &&
	    (read_day_month(r, t, s) || read_ago(r, t, s) || read_day_alone(r, p, s)))
		return true;
	if (timetoken_is_year(r, t))
		return is_behind_year_word(r, &p->before) && timespan_date(s, t->number, 0, 0) &&
		    done(s, t, t->end);
	if (t->senses == NULL && t->more < 2)
		return false;
	if (read_which_after(r, t, s) || read_before_last(r, t, s))
		return true;
	if (timespan_name(r, t, TIMESPAN_NO_WHICH, s) > 0)
		return true;
	if (timetoken_is(r, t, LEX_MONTH, &value) &&
	    read_month(r, t, value, means_time(r, p), s))
		return true;
	return read_day(r, p, s) || read_weekday(r, p, s) || read_ago(r, t, s) ||
	    (timetoken_is(r, t, LEX_WHICH, &value) && read_which(r, t, value, s));
}

/* The languages in which a word may begin a time. */
static unsigned
langs_of(const struct time_reader *r, const struct lex_token *t)
{
	unsigned langs = 0;

	if (t->n_digits > 0) {
		langs = r->asked | LEX_IN(LEX_EN);
		struct lex_token next = *t;
		for (int k = 0; k < 2 && timetoken_next(r, &next, &next); k++)
			langs |= lex_langs(r->text, r->len, &next, LEX_MONTH, LEX_FEAST_YEAR);
		return langs;
	}
	langs = lex_langs(r->text, r->len, t, LEX_MONTH, LEX_FEAST_YEAR);
	/* a function word of the text's language is no time in another */
	return lex_is(t, LEX_FUNCTION, r->asked, NULL) ? langs & r->asked : langs;
}

/* Tries the languages one after the other, the text's own and English first. */
static bool
read_any(struct time_reader *r, const struct place *p, struct time_span *s)
{
	unsigned left = langs_of(r, &p->t), next;

	if (p->t.n_digits > 0 && read_numeric(r, &p->t, s))
		return true;
	for (; left != 0; left &= ~next) {
		next = left & r->asked ? r->asked
		    : left & LEX_IN(LEX_EN) ? LEX_IN(LEX_EN)
		    : left & -left;
		r->lang = next;
		if (read_span(r, p, s))
			return true;
		*s = (struct time_span){ .grain = GRAIN_DAY };
	}
	return false;
}

/* What stands between two words: whether a sentence begins behind it, and only blanks are there. */
static void
look_between(const char *text, size_t from, size_t to, bool *first, bool *apart)
{
	for (*apart = false; from < to; from++) {
		*first |= strchr(".!?\n:\"", text[from]) != NULL;
		*apart |= text[from] != ' ' && text[from] != '\'';
	}
}

size_t
timewords_find(const char *text, size_t len, int64_t now_us, struct time_span *out, size_t max)
{
	unsigned chinese = LEX_IN(lex_language("zh"));
	struct time_reader r = { text, len, now_us, chinese,
		LEX_IN(lex_language_of(text, len)) };
	struct place p = { .first = true, .before = { .number = -1 } };
	size_t at = 0, n = 0, end;
	bool apart;

	while (n < max && lex_next(text, len, at, &p.t)) {
		look_between(text, at, p.t.start, &p.first, &apart);
		if (apart)
			p.before = (struct lex_token){ .number = -1 };
		out[n] = (struct time_span){ .grain = GRAIN_DAY };
		at = p.t.end;
		r.lang = chinese;
		end = p.t.unspaced || p.t.n_digits > 0 ? timespan_chinese(&r, &p.t, &out[n]) : 0;
		if (end > 0 && (p.t.unspaced || end > p.t.start + 3)) {
			out[n].start = p.t.start;
			out[n].end = end;
		} else if (p.t.unspaced || !read_any(&r, &p, &out[n])) {
			p.before = p.t;
			p.first = false;
			continue;
		}
		at = out[n].end;
		n += n == 0 || !timespan_join(text, &out[n - 1], &out[n]);
		p.before = (struct lex_token){ .number = -1 };
		p.first = false;
	}
	return n;
}
