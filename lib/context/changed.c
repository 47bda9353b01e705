/* changed.c: an item and the later turn are both told, and who reads them sees which is newer. */
#include "context/changed.h"

#include "context/context_text.h"
#include "context/excerpt.h"
#include "search/later.h"
#include "search/search.h"
#include "statement/sentence.h"

#define ITEMS   3              /* of a block that are looked at */
#define MOST    2              /* turns behind an item */
#define BEFORE  6              /* turns among which the question of an answer is sought */

#define NEAR    0.4f           /* of two turns, the share of the first one's */

struct item {
	const struct message *m, *before;
	const char *text;          /* NULL: it says nothing that may be changed */
	struct arena *a;
};

/* ---- turns ---- */

/* Adds a short turn whole, of a long one what is around the words. */
static void
tell(struct context *block, const struct message *m, const struct later *l)
{
	struct excerpt e = excerpt_opening(m);

	if (context_has(block, m))
		return;
	if (!e.code)
		context_excerpt(m->content, m->content_len, l->places, l->n_places,
		    CONTEXT_TURN_CHARS, &e.start, &e.len);
	context_add(block, &(struct context_piece){ m, e.start, e.len,
		e.code, false }, UINT64_MAX);
}

/* Adds the turn behind an item that has most of it, and the next one that has nearly as much. */
static int
add_later(const struct changes_want *w, struct context *block, const struct item *of,
	struct err *err)
{
	const struct later_want want = { .store = w->store, .index = search_index(w->search),
		.who = w->who, .after = of->m, .text = of->text, .len = strlen(of->text),
		.arena = w->arena };
	struct later found[LATER_MOST];
	size_t n, told = 0;
	float least = 0;

	if (later_find(&want, found, &n, err) != 0)
		return -1;
	for (size_t i = 0; i < n && told < MOST; i++) {
		const struct message *m = found[i].m;

		if (found[i].sum < least || (w->leaves_out != NULL && w->leaves_out(w->arg, m)))
			continue;
		tell(block, m, &found[i]);
		told++;
		least = NEAR * found[i].sum;
	}
	return 0;
}

/* ---- items ---- */

/* The callback of messages_around: what a user said last before the item. */
static int
on_before(void *arg, const struct message *m)
{
	struct item *of = arg;

	if (m->role == ROLE_USER && m->row < of->m->row)
		of->before = context_keep(m, of->a);
	return 0;
}

static bool
is_hit(const struct changes_hits *hits, const struct message *m)
{
	size_t i = 0;

	while (hits != NULL && i < hits->n && hits->of[i] != m)
		i++;
	return hits == NULL || i < hits->n;
}

/*
 * The text of the item that may be changed: where an assistant answers to what a user said, that;
 * where it answers a question, what it says.
 */
static int
read_item(const struct changes_want *w, const struct context *block, size_t i, struct item *of,
	struct err *err)
{
	size_t len;
	const char *text = context_item_text(block, i, &len);

	*of = (struct item){ .m = context_item(block, i), .a = w->arena };
	if (of->m->role == ROLE_TOOL || of->m->role == ROLE_DOCUMENT || sentence_asks(text, len) ||
	    !is_hit(w->hits, of->m))
		return 0;
	if (of->m->role == ROLE_ASSISTANT && of->m->row > 0 &&
	    messages_around(w->store, &w->who, of->m->row, BEFORE, 0, on_before, of, err) < 0)
		return -1;
	const struct message *u = of->before;
	if (u == NULL || sentence_asks(u->content, u->content_len))
		of->text = arena_strndup(w->arena, text, len);
	else if (!context_has(block, u))
		of->text = u->content;
	return 0;
}

int
changes_add(const struct changes_want *w, struct context *block, size_t from, struct err *err)
{
	size_t n = w->search != NULL ? block->n : from, looked = 0;
	struct item of;
	int rc = 0;

	for (size_t i = from; i < n && looked < ITEMS && rc == 0; i++) {
		rc = read_item(w, block, i, &of, err);
		if (rc == 0 && of.text != NULL)
			rc = add_later(w, block, &of, err);
		looked += of.text != NULL;
	}
	return rc;
}

void
changes_hit(struct changes_hits *hits, const struct message *m)
{
	if (hits->n < NELEM(hits->of) && m->role != ROLE_TOOL)
		hits->of[hits->n++] = m;
}
