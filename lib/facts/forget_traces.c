/*
 * forget_traces.c: what the proof looks for, noted before it goes: words, ids, as a log has them,
 * and vectors.
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "base/order.h"
#include "facts/forget_parts.h"
#include "store/records.h"

struct tracing { struct forget *f; struct err *err; };

static void
add_words(void *arg, const char *text, size_t len)
{
	const struct tracing *t = arg;

	forget_words_add(&t->f->words, text, len);
}

static void
add_text(struct tracing *t, const char *text)
{
	if (text != NULL)
		add_words(t, text, strlen(text));
}

static int
add_record_words(void *arg, const struct fact *r)
{
	struct tracing *t = arg;

	add_words(t, r->head.content, r->head.content_len);
	add_text(t, r->head.tags);
	add_text(t, r->head.extra);
	add_text(t, r->head.source_id);
	add_text(t, r->key);
	add_text(t, r->subcategory);
	add_text(t, r->summary.structured);
	return 0;
}

static int
add_words_of_record(struct tracing *t, struct store *s, const struct made_record *r)
{
	add_text(t, r->id);
	return forget_versions_each(t->f, s, r->row, add_record_words, t, t->err);
}

static int
note_words(struct forget *f, struct store *s, struct err *err)
{
	struct tracing t = { f, err };
	int rc = forget_texts_each(f, s, true, add_words, &t, err);

	for (size_t i = 0; i < f->n_records && rc == 0; i++)
		rc = add_words_of_record(&t, s, &f->records[i]);
	for (size_t i = 0; i < f->n_made && rc == 0; i++)
		rc = add_words_of_record(&t, s, &f->made[i]);
	return rc;
}

/* ---- vectors ---- */

static void
note_vector(void *arg, uint64_t key, const uint8_t *bytes, size_t len)
{
	struct forget *f = arg;

	*xpush(f->vectors, f->n_vectors, f->cap_vectors) =
	    (struct forget_vector){ key, hash64(bytes, len, 0), (uint32_t)len };
}

ORDER_BY(by_key, struct forget_vector, key)

/* All that is stored of them, of every model. */
static int
note_vectors(struct forget *f, struct store *s, struct err *err)
{
	static const enum vector_kind kinds[] = { VECTOR_MESSAGE, VECTOR_FACT, VECTOR_SUMMARY,
		VECTOR_REFLECTION };
	size_t n_records = f->n_records + f->n_made, n = f->n_messages;
	FREED int64_t *rows = NULL;
	int rc = 0;

	for (size_t i = 0; i < f->n_ranges; i++)
		n += (size_t)(f->ranges[i].hi - f->ranges[i].lo) + 1;
	rows = xreallocarray(NULL, MAX(n, n_records) + 1, sizeof(*rows));
	for (n = 0; n < f->n_messages; n++)
		rows[n] = f->messages[n].row;
	for (size_t i = 0; i < f->n_ranges; i++)
		for (int64_t row = f->ranges[i].lo; row <= f->ranges[i].hi; row++)
			rows[n++] = row;
	for (size_t k = 0; k < NELEM(kinds) && rc == 0; k++) {
		struct vector_rows of = { kinds[k], rows, n };

		qsort(rows, n, sizeof(*rows), by_int64);
		rc = vectors_bytes_each(s, &f->who, &of, note_vector, f, err);
		if (k > 0)
			continue;
		for (n = 0; n < n_records; n++)
			rows[n] = n < f->n_records ? f->records[n].row
						   : f->made[n - f->n_records].row;
	}
	if (f->n_vectors > 0)
		qsort(f->vectors, f->n_vectors, sizeof(*f->vectors), by_key);
	return rc;
}

int
forget_note_traces(struct forget *f, struct store *s, struct err *err)
{
	return note_words(f, s, err) < 0 ? -1 : note_vectors(f, s, err);
}
