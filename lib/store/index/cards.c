/*
 * cards.c: pages of cards, the features of CARDS_A_PAGE turns each. A page's id is the first row of
 * the session + the number of the page in it.
 */
#include "store/sql/handle.h"
#include "store/index/segments.h"

/*
 * rows to step over before searching from the tree's root again, which takes as long as ten steps
 */
#define STEPS 4

int
cards_page(struct store *s, int64_t id, struct cards *out, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_CARD_GET, ARGS(id), err);
	int got;

	out->n = 0;
	if ((got = db_row(q, err)) > 0)
		cards_open(out, db_column_blob(q, 0), (size_t)db_column_bytes(q, 0));
	return got < 0 ? -1 : 0;
}

void
cards_done(struct store *s)
{
	db_reset(s->stmts[STMT_CARD_GET]);
}

/* Goes to the next row and notes its id, or that there is none. */
static int
step(struct cards_walk *w, struct err *err)
{
	int got = db_row(w->rows, err);

	if (got > 0)
		w->id = db_column_int(w->rows, 0);
	else
		w->rows = NULL;
	return got < 0 ? -1 : 0;
}

int
cards_next(struct cards_walk *w, int64_t id, struct cards *out, struct err *err)
{
	/* single pages were declared */
	if (db_gathers(w->store->db))
		return cards_page(w->store, id, out, err);
	out->n = 0;
	if (id < w->asked)
		w->rows = NULL;
	w->asked = id;
	for (unsigned i = 0; i < STEPS && w->rows != NULL && w->id < id; i++)
		if (step(w, err) < 0)
			return -1;
	if (w->rows == NULL || w->id < id) {
		w->rows = stmt_start(w->store, STMT_CARDS_FROM, ARGS(id, w->hi), err);
		if (step(w, err) < 0)
			return -1;
	}
	if (w->rows != NULL && w->id == id)
		cards_open(out, db_column_blob(w->rows, 1), (size_t)db_column_bytes(w->rows, 1));
	return 0;
}

void
cards_end(struct cards_walk *w)
{
	db_reset(w->store->stmts[STMT_CARDS_FROM]);
}

int
cards_put(struct store *s, int64_t id, const struct card *c, size_t n, struct err *err)
{
	uint8_t bytes[CARDS_ROOM];

	return stmt_run(s, STMT_CARD_PUT, ARGS(id, BLOB(bytes, cards_pack(c, n, bytes))), err);
}

int
cards_pack_all(struct store *s, struct err *err)
{
	struct card cards[CARDS_A_PAGE];
	struct cards page;
	int64_t id = -1;
	int got;

	for (;;) {
		if ((got = stmt_number(s, STMT_CARDS_LOOSE, ARGS(id), &id, err)) <= 0)
			return got;
		if (cards_page(s, id, &page, err) < 0)
			return -1;
		for (size_t i = 0; i < page.n; i++)
			cards_get(&page, i, &cards[i]);
		cards_done(s);
		/*
		 * a row that gets shorter keeps its page of the file; one that goes gives it back,
		 * and then several share one
		 */
		if (stmt_run(s, STMT_CARDS_DELETE, ARGS(id, id), err) < 0 ||
		    (page.n > 0 && cards_put(s, id, cards, page.n, err) < 0))
			return -1;
	}
}
