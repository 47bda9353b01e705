/*
 * chat_window.c: chats that were marked and copied out of a window: Slack, Discord, Teams,
 * Telegram, Google Chat, Messages. A line or two above the words say who speaks and when: the head.
 * A file has heads of one form (chat_window_head.c), which is the one found most often in its first
 * bytes. A day that is only named, such as "Today" or "Monday", is counted from the day in the
 * file's name; without that the turn has no time.
 */
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "formats/chat_window_head.h"
#include "formats/logtime.h"
#include "formats/reader.h"

#define NAMES_MOST 64
#define LINES_MOST 400                     /* lines that are looked at to find the form */

struct chat_window {
	enum chat_window_form form;
	/* the day in the file's name; the day that was read last */
	struct log_day base, days;
	bool day_said;
	char who[SPEAKER_BYTES + 1];          /* "": nobody has spoken yet */
	int64_t when_us;
	/* [n_names]; in the form BELOW only these names begin a turn */
	char (*names)[SPEAKER_BYTES + 1];
	size_t n_names;
	/* in the form BELOW: the stamp of a name may still follow within so many lines */
	int awaited;
	struct keyed ids;
};

/* ---- what form a file has ---- */

struct counts {
	/* all heads; heads without words; heads whose name came before */
	unsigned heads, bare, again;
	/* the first line is a head; every name begins with a capital */
	bool first, capital;
};

static bool
is_capital(const char *name)
{
	for (const char *p = name; *p != '\0'; p++)
		if ((p == name || p[-1] == ' ') &&
		    !((*p >= 'A' && *p <= 'Z') || (unsigned char)*p >= 0x80 || *p == '('))
			return false;
	return true;
}

static bool
has_name(char (*names)[SPEAKER_BYTES + 1], size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static void
count_heads(enum chat_window_form form, const char *bytes, size_t len,
	char (*names)[SPEAKER_BYTES + 1], size_t *n_names, struct counts *k)
{
	const char *p = bytes, *end = bytes + len, *line;
	bool words = true, any = false;
	char day[CHAT_WINDOW_LINE_BYTES + 1];
	size_t n;

	*k = (struct counts){ .capital = true };
	*n_names = 0;
	for (int i = 0; i < LINES_MOST && (line = turns_line(&p, end, &n)) != NULL; i++) {
		struct chat_window_head h;
		const char *behind = p;

		if (n == 0 || chat_window_day(line, n, day))
			continue;
		if (!chat_window_head(form, line, n, &behind, end, &h)) {
			words = any = true;
			continue;
		}
		p = behind;
		if (h.name[0] == '\0')
			continue;
		k->first |= !any;
		any = true;
		k->heads++;
		k->bare += !words;
		words = h.words < n;
		k->capital &= is_capital(h.name);
		if (has_name(names, *n_names, h.name))
			k->again++;
		else if (*n_names < NAMES_MOST)
			memcpy(names[(*n_names)++], h.name, sizeof(h.name));
	}
}

/* Whether the file is certainly of this form. Where a head has few marks, a name must come back. */
static bool
is_sure(enum chat_window_form form, const struct counts *k)
{
	if (k->heads < 2 || !k->first || k->bare * 4 > k->heads)
		return false;
	if (form == BEFORE)
		return k->capital;
	return (!chat_window_is_below(form) && form != BESIDE) || k->again > 0;
}

static const char *
chat_window_detect(const char *bytes, size_t len)
{
	char (*names)[SPEAKER_BYTES + 1] = xcalloc(NAMES_MOST, sizeof(*names));
	struct counts k = { 0 };
	size_t n;
	bool sure = false;

	for (enum chat_window_form form = 0; form < N_FORMS && !sure; form++) {
		count_heads(form, bytes, len, names, &n, &k);
		sure = is_sure(form, &k);
	}
	free(names);
	return sure ? "copied" : NULL;
}

static void
learn_form(struct chat_window *c, const char *bytes, size_t len)
{
	struct log_order order = { .sure = false };
	const char *p = bytes, *end = bytes + len, *line;
	unsigned most = 0;
	struct counts k;
	bool sure = false;
	size_t n;

	for (enum chat_window_form form = 0; form < N_FORMS && !sure; form++) {
		count_heads(form, bytes, len, c->names, &c->n_names, &k);
		sure = is_sure(form, &k);
		if (sure || (k.heads > most && k.bare * 2 < k.heads)) {
			most = k.heads;
			c->form = form;
		}
	}
	count_heads(c->form, bytes, len, c->names, &c->n_names, &k);
	while ((line = turns_line(&p, end, &n)) != NULL) {
		struct chat_window_head h;
		const char *behind = p;

		if (chat_window_head(c->form, line, n, &behind, end, &h))
			log_order_see(&order, h.stamp.day, h.stamp.clock);
	}
	c->days.month_first = log_order_month_first(&order, false);
}

static void *
chat_window_open(const char *form, const char *bytes, size_t len, const char *name)
{
	struct chat_window *c = xcalloc(1, sizeof(*c));

	(void)form;
	c->names = xcalloc(NAMES_MOST, sizeof(*c->names));
	learn_form(c, bytes, len);
	log_day_of_name(&c->base, name);
	return c;
}

static void
chat_window_close(void *state)
{
	struct chat_window *c = state;

	keyed_release(&c->ids);
	free(c->names);
	free(c);
}

/* ---- turns ---- */

static bool
chat_window_begins(void *state, const char *line, size_t len, const struct turns_around *around)
{
	struct chat_window *c = state;
	char day[CHAT_WINDOW_LINE_BYTES + 1];
	struct chat_window_head h;
	int awaited = c->awaited > 0 ? c->awaited-- : 0;

	(void)around;
	if (chat_window_day(line, len, day))
		return true;
	if (!chat_window_head_begins(c->form, line, len, &h))
		return false;
	if (!chat_window_is_below(c->form))
		return true;
	if (h.name[0] == '\0' && h.words == len) {
		c->awaited = 0;
		return awaited == 0;
	}
	if (h.name[0] != '\0' && !has_name(c->names, c->n_names, h.name))
		return false;
	c->awaited = h.name[0] != '\0' ? 2 : 0;
	return true;
}

static int64_t
time_of(struct chat_window *c, const struct chat_window_stamp *t)
{
	struct civil day = { 0 };

	if (t->sort == WRITTEN) {
		log_day_set(&c->days, t->day);
	} else if (t->sort != NO_DAY ||
	    (c->days.year == 0 && !c->day_said && (t->half || c->form < BELOW))) {
		int64_t us = time_from_civil(c->base.year, c->base.month, c->base.day);
		int64_t back = t->sort == BEFORE_BASE ? 1
		    : t->sort == WEEKDAY ? ((us / US_PER_DAY + 4 - t->weekday - 1) % 7 + 7) % 7 + 1
					 : 0;

		time_civil(us - back * US_PER_DAY, &day);
		c->days.year = c->base.year != 0 ? day.year : 0;
		c->days.month = day.month;
		c->days.day = day.day;
	}
	c->day_said |= t->sort != NO_DAY;
	return log_day_time(&c->days, t->clock);
}

static int
chat_window_read(void *state, const char *unit, size_t len, struct arena *a, struct turn *out,
	struct err *err)
{
	struct chat_window *c = state;
	const char *p = unit, *end = unit + len;
	char day[CHAT_WINDOW_LINE_BYTES + 1];
	struct chat_window_head h;
	size_t n;

	if (turns_line(&p, end, &n) == NULL)
		return 0;
	if (chat_window_day(unit, n, day) && strspn(p, " \t\r\n") >= (size_t)(end - p)) {
		log_day_set(&c->days, day);
		c->day_said = true;
		return 0;
	}
	if (chat_window_head(c->form, unit, n, &p, end, &h)) {
		if (h.words < n)
			p = unit + h.words;
		if (h.name[0] != '\0')
			memcpy(c->who, h.name, sizeof(h.name));
		c->when_us = time_of(c, &h.stamp);
		out->text = p;
		out->len = (size_t)(end - p);
	}
	if (c->who[0] == '\0')
		return err_set(err, ERR_DATA,
		    "words before a line with a name and a time; --from=text takes a turn a "
		    "paragraph");
	out->time_us = c->when_us;
	out->local = true;
	log_id(&c->ids, unit, len, out, a);
	out->name = arena_strndup(a, c->who, strlen(c->who));
	out->text = ascii_trim(out->text, &out->len);
	return out->len > 0;
}

const struct reader chat_window_reader = {
	.forms = { { "copied", { ".txt", ".md", ".text" } } },
	.detect = chat_window_detect,
	.open = chat_window_open,
	.close = chat_window_close,
	.begins = chat_window_begins,
	.read = chat_window_read,
};
