/*
 * forget_traces.c: what the proof looks for, noted before it goes: words, ids, as a log has them,
 * and vectors.
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "facts/forget_parts.h"
#include "store/records.h"

static void
add_words(void *arg, const char *text, size_t len)
{
	struct forget *f = arg;

	forget_words_add(&f->words, text, len);
}

static void
add_text(struct forget *f, const char *text)
{
	if (text != NULL)
		add_words(f, text, strlen(text));
}

static int
add_record_words(void *arg, const struct fact *r)
{
	struct forget *f = arg;

	forget_words_add(&f->words, r->head.content, r->head.content_len);
	add_text(f, r->head.tags);
	add_text(f, r->head.extra);
	add_text(f, r->head.source_id);
	add_text(f, r->key);
	add_text(f, r->subcategory);
	add_text(f, r->summary.structured);
	return 0;
}

static int
add_words_of_records(struct forget *f, struct store *s, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < f->n_records && rc == 0; i++)
		rc = forget_versions_each(f, s, f->records[i].row, add_record_words, f, err);
	for (size_t i = 0; i < f->n_made && rc == 0; i++)
		rc = forget_versions_each(f, s, f->made[i].row, add_record_words, f, err);
	return rc;
}

/* ---- vectors ---- */

static void
note_vector(void *arg, uint64_t key, const uint8_t *bytes, size_t len)
{
	struct forget *f = arg;

	xgrow(&f->vectors, &f->cap_vectors, f->n_vectors + 1, sizeof(*f->vectors));
	f->vectors[f->n_vectors++] =
	    (struct forget_vector){ key, hash64(bytes, len, 0), (uint32_t)len };
}

static int
by_number(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

static int
by_key(const void *x, const void *y)
{
	const struct forget_vector *a = x, *b = y;

	return (a->key > b->key) - (a->key < b->key);
}

/* All that is stored of them, of every model. */
static int
note_vectors(struct forget *f, struct store *s, struct err *err)
{
	static const enum vector_kind kinds[] = { VECTOR_MESSAGE, VECTOR_FACT, VECTOR_SUMMARY,
		VECTOR_REFLECTION };
	size_t n_records = f->n_records + f->n_made, n = f->n_messages;
	int64_t *rows;
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

		qsort(rows, n, sizeof(*rows), by_number);
		rc = vectors_bytes_each(s, &f->who, &of, note_vector, f, err);
		if (k > 0)
			continue;
		for (n = 0; n < n_records; n++)
			rows[n] = n < f->n_records ? f->records[n].row
						   : f->made[n - f->n_records].row;
	}
	free(rows);
	if (f->n_vectors > 0)
		qsort(f->vectors, f->n_vectors, sizeof(*f->vectors), by_key);
	return rc;
}

int
forget_note_traces(struct forget *f, struct store *s, struct err *err)
{
	if (forget_texts_each(f, s, true, add_words, f, err) < 0 ||
	    add_words_of_records(f, s, err) < 0)
		return -1;
	for (size_t i = 0; i < f->n_records; i++)
		add_text(f, f->records[i].id);
	for (size_t i = 0; i < f->n_made; i++)
		add_text(f, f->made[i].id);
	return note_vectors(f, s, err);
}
