/*
 * page_draw.c: text made safe, numbers, and the year as squares: what the page and the card share.
 */
#include "report/page.h"

#include <stdlib.h>

#include "base/utf8.h"

void
page_text(struct buf *out, const char *s)
{
	const char *end = s + strlen(s);

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
		case '\t': buf_addc(out, ' '); break;
		default:
			if (cp >= 0x20 && !utf8_unsafe(cp))
				buf_add(out, s, n);
		}
		s += n;
	}
}

void
page_count(struct buf *out, int64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%lld", (long long)n);

	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0 && digits[i - 1] != '-')
			buf_addc(out, ',');
		buf_addc(out, digits[i]);
	}
}

static int
compare_counts(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The counts from which on a day has the next shade: quarters of the days that have any. */
static void
shades(const struct page *p, uint32_t at[3])
{
	uint32_t sorted[PAGE_DAYS];
	size_t n = 0;

	for (size_t i = 0; i < PAGE_DAYS; i++)
		if (p->year[i] > 0)
			sorted[n++] = p->year[i];
	qsort(sorted, n, sizeof(*sorted), compare_counts);
	for (size_t i = 0; i < 3; i++)
		at[i] = n > 0 ? sorted[n * (i + 1) / 4] : 1;
}

void
page_year(struct buf *out, const struct page *p, int step, bool with_titles)
{
	uint32_t at[3];
	char day[TIME_TEXT];

	shades(p, at);
	for (int i = 0; i < PAGE_DAYS && p->year_from + i <= p->today; i++) {
		uint32_t n = p->year[i];
		int shade = n == 0 ? 0 : 1 + (n >= at[0]) + (n >= at[1]) + (n >= at[2]);

		buf_addf(out, "<rect class=\"l%d\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
		    "rx=\"2\"", shade, i / 7 * step, i % 7 * step, step - 2, step - 2);
		if (n == 0 || !with_titles) {
			buf_adds(out, "/>");
			continue;
		}
		buf_addf(out, "><title>%s: ",
		    time_format_day((p->year_from + i) * US_PER_DAY, day));
		page_count(out, n);
		buf_adds(out, "</title></rect>\n");
	}
	buf_addc(out, '\n');
}
