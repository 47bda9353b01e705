/*
 * page_draw.c: text made safe, numbers, days, and the year as squares: what the page and the card
 * share.
 */
#include "report/page.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/utf8.h"

static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug",
	"Sep", "Oct", "Nov", "Dec" };

static void
put_text(struct buf *out, const char *s, size_t len)
{
	const char *end = s + len;

	while (s < end) {
		uint32_t cp;
		size_t n = MAX(utf8_decode(s, end, &cp), 1);

		switch (*s) {
		case '&': buf_adds(out, "&amp;"); break;
		case '<': buf_adds(out, "&lt;"); break;
		case '>': buf_adds(out, "&gt;"); break;
		case '"': buf_adds(out, "&quot;"); break;
		case '\'': buf_adds(out, "&#39;"); break;
		case '\n':
		case '\t': buf_addc(out, *s); break;
		default:
			if (cp >= 0x20 && !utf8_unsafe(cp))
				buf_add(out, s, n);
		}
		s += n;
	}
}

void
page_text(struct buf *out, const char *s)
{
	put_text(out, s, strlen(s));
}

void
page_clip(struct buf *out, const char *s, size_t len, size_t most)
{
	put_text(out, s, utf8_clip(s, len, most));
	if (len > most)
		buf_adds(out, "\u2026");
}

void
page_some(struct buf *out, int64_t n, const char *one)
{
	buf_add_count(out, n);
	buf_addf(out, " %s%s", one, n == 1 ? "" : "s");
}

void
page_month(struct buf *out, int64_t time_us)
{
	struct civil c;

	time_civil(time_to_local(time_us), &c);
	buf_addf(out, "%s %d", months[c.month - 1], c.year);
}

void
page_date(struct buf *out, int64_t time_us)
{
	struct civil c;

	time_civil(time_to_local(time_us), &c);
	buf_addf(out, "%d ", c.day);
	page_month(out, time_us);
}

/* ---- names of paths ---- */

/* The part of name that begins before the last n slashes; name itself where there are fewer. */
static const char *
last_parts(const char *name, size_t n)
{
	const char *p = name + strlen(name);

	for (; p > name; p--)
		if (p[-1] == '/' && n-- == 0)
			return p;
	return name;
}

const char *
page_name(const struct shares *t, size_t i)
{
	const char *name = t->rows[i].name, *shown = name;
	bool alone = *name != '/';

	for (size_t n = 0; !alone && (n == 0 || shown > name); n++) {
		shown = last_parts(name, n);
		alone = *shown != '\0';
		for (size_t k = 0; k < MIN(t->n, (size_t)PAGE_NAMES); k++)
			alone &= k == i || strcmp(shown, last_parts(t->rows[k].name, n)) != 0;
	}
	return shown;
}

/* ---- the year ---- */

/* The counts from which on a day has the next shade: quarters of the days that have any. */
static void
shades(const struct page *p, uint32_t at[3])
{
	uint32_t sorted[PAGE_DAYS];
	size_t n = 0;

	for (size_t i = 0; i < PAGE_DAYS; i++)
		if (p->year[i] > 0)
			sorted[n++] = p->year[i];
	qsort(sorted, n, sizeof(*sorted), by_uint32);
	for (size_t i = 0; i < 3; i++)
		at[i] = n > 0 ? sorted[n * (i + 1) / 4] : 1;
}

static void
put_months(struct buf *out, const struct page *p, double step)
{
	int month = 0;
	struct civil day;

	for (int week = 0; week < PAGE_WEEKS - 1; week++) {
		time_civil((p->year_from + 7 * week + 6) * US_PER_DAY, &day);
		if (day.month != month && day.day <= 7)
			buf_addf(out, "<text x=\"%.1f\" y=\"-6\">%s</text>", week * step,
			    months[day.month - 1]);
		month = day.month;
	}
	buf_addc(out, '\n');
}

void
page_year(struct buf *out, const struct page *p, double step, bool with_titles)
{
	uint32_t at[3];
	char day[TIME_TEXT];

	put_months(out, p, step);
	shades(p, at);
	for (int i = 0; i < PAGE_DAYS && p->year_from + i <= p->today; i++) {
		uint32_t n = p->year[i];
		int shade = n == 0 ? 0 : 1 + (n >= at[0]) + (n >= at[1]) + (n >= at[2]);

		buf_addf(out,
		    "<rect class=\"l%d\" x=\"%.4g\" y=\"%.4g\" width=\"%.4g\" height=\"%.4g\" "
		    "rx=\"2\"", shade, (double)(i / 7) * step, (double)(i % 7) * step, step - 2,
		    step - 2);
		if (n == 0 || !with_titles) {
			buf_adds(out, "/>");
			continue;
		}
		buf_addf(out, "><title>%s: ",
		    time_format_day((p->year_from + i) * US_PER_DAY, day));
		buf_add_count(out, n);
		buf_adds(out, "</title></rect>\n");
	}
	buf_addc(out, '\n');
}
