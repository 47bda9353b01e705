/*
 * summary_loss.c: a detail counts as kept when all its words are in the summary, in any order.
 */
#include "summary/summary_loss.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "json/json.h"
#include "statement/details.h"
#include "text/words.h"

#define DECISION_BYTES 240
#define DETAIL_BYTES   80
#define REPORT_BYTES   (64u << 10)

enum { N_KINDS = DETAIL_DATE + 2, DECISIONS = N_KINDS - 1 };

static const char *const kinds[N_KINDS] = { "names", "numbers", "dates", "decisions" };

struct summary_loss {
	struct term_set kept, seen;
	struct buf lists[N_KINDS];
	size_t n[N_KINDS];
	const char *text;                      /* the current sentence */
};

struct summary_loss *
summary_loss_new(const char *summary, size_t len)
{
	struct summary_loss *l = xcalloc(1, sizeof(*l));

	term_set_add(&l->kept, summary, len);
	for (size_t i = 0; i < N_KINDS; i++)
		buf_init(&l->lists[i], REPORT_BYTES);
	return l;
}

void
summary_loss_free(struct summary_loss *l)
{
	if (l == NULL)
		return;
	for (size_t i = 0; i < N_KINDS; i++)
		buf_release(&l->lists[i]);
	term_set_release(&l->kept);
	term_set_release(&l->seen);
	free(l);
}

static void
note_if_lost(struct summary_loss *l, size_t kind, const char *text, size_t len, size_t max)
{
	FREED char *folded = xmalloc(3 * len + 1);
	uint64_t hash = hash64(folded, words_fold(text, len, folded), kind);

	if (!term_set_first(&l->seen, hash) || term_set_has(&l->kept, text, len))
		return;
	if (l->n[kind]++ >= SUMMARY_LOSS_MOST)
		return;
	json_item(&l->lists[kind], text, utf8_clip(text, len, max));
}

static int
check_detail(void *arg, const struct detail *d)
{
	struct summary_loss *l = arg;

	note_if_lost(l, d->kind, l->text + d->start, d->len, DETAIL_BYTES);
	return 0;
}

void
summary_loss_add(struct summary_loss *l, const char *text, size_t len)
{
	l->text = text;
	details_each(text, len, check_detail, l);
}

void
summary_loss_decision(struct summary_loss *l, const char *text, size_t len)
{
	note_if_lost(l, DECISIONS, text, len, DECISION_BYTES);
}

size_t
summary_loss_report(const struct summary_loss *l, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < N_KINDS; i++)
		n += l->n[i];
	if (n == 0)
		return 0;
	json_open(out);
	for (size_t i = 0; i < N_KINDS; i++)
		if (l->n[i] > 0)
			json_array(out, kinds[i], &l->lists[i]);
	json_object_open(out, "left_out");
	for (size_t i = 0; i < N_KINDS; i++)
		json_int(out, kinds[i], (int64_t)l->n[i]);
	json_close(out);
	json_close(out);
	return n;
}
