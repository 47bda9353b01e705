/*
 * forget_traces.c: what the proof looks for, noted before it goes: words, ids, as a log has them,
 * and vectors. Of both some stay in memory; if there are more, all are put into files and looked
 * for a part at a time.
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "base/order.h"
#include "facts/forget_parts.h"
#include "store/records.h"

#define MOST_BYTES ((size_t)12 << 20)      /* of words in memory, and of vectors */

struct tracing { struct forget *f; struct err *err; int rc; };

static void
add_words(void *arg, const char *text, size_t len)
{
	struct tracing *t = arg;
	struct forget *f = t->f;

	forget_words_add(&f->words, text, len);
	if (f->words.len > MOST_BYTES && t->rc == 0)
		t->rc = forget_words_spill(&f->words, &f->spilt_words, t->err);
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
	return t->rc;
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
	struct tracing t = { f, err, 0 };
	int rc = forget_texts_each(f, s, true, add_words, &t, err);

	for (size_t i = 0; i < f->n_records && rc == 0; i++)
		rc = add_words_of_record(&t, s, &f->records[i]);
	for (size_t i = 0; i < f->n_made && rc == 0; i++)
		rc = add_words_of_record(&t, s, &f->made[i]);
	return rc < 0 ? rc : t.rc;
}

/* ---- vectors ---- */

static int
spill_vectors(struct forget *f, struct err *err)
{
	size_t n = f->n_vectors;

	f->n_vectors = 0;
	return n == 0 ? 0
		      : forget_spill_put(&f->spilt_vectors, f->vectors, n * sizeof(*f->vectors),
			    err);
}

static void
add_vector(struct forget *f, struct forget_vector v)
{
	*xpush(f->vectors, f->n_vectors, f->cap_vectors) = v;
}

static void
note_vector(void *arg, uint64_t key, const uint8_t *bytes, size_t len)
{
	struct tracing *t = arg;

	if (t->rc == 0 && (t->f->n_vectors + 1) * sizeof(*t->f->vectors) > MOST_BYTES)
		t->rc = spill_vectors(t->f, t->err);
	add_vector(t->f, (struct forget_vector){ key, hash64(bytes, len, 0), (uint32_t)len });
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
	struct tracing t = { f, err, 0 };
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

		qsort(rows, n, sizeof(*rows), by_int64);
		rc = vectors_bytes_each(s, &f->who, &of, note_vector, &t, err);
		if (k > 0)
			continue;
		for (n = 0; n < n_records; n++)
			rows[n] = n < f->n_records ? f->records[n].row
						   : f->made[n - f->n_records].row;
	}
	free(rows);
	return rc < 0 ? rc : t.rc;
}

static int
unspill_vectors(struct forget *f, struct err *err)
{
	struct forget_vector v;
	int got;

	f->n_vectors = 0;
	while ((got = forget_spill_get(&f->spilt_vectors, &v, sizeof(v), err)) > 0)
		if (hash64_mix(v.key) % f->n_parts_sought == f->part)
			add_vector(f, v);
	return got;
}

/* ---- parts ---- */

static int
spill(struct forget *f, struct err *err)
{
	return forget_words_spill(&f->words, &f->spilt_words, err) < 0 ? -1
								       : spill_vectors(f, err);
}

int
forget_note_traces(struct forget *f, struct store *s, struct err *err)
{
	if (note_words(f, s, err) < 0 || note_vectors(f, s, err) < 0)
		return -1;
	f->n_parts_sought = 1;
	if (f->spilt_words.len + f->spilt_vectors.len == 0)
		return 0;
	f->n_parts_sought += (size_t)(MAX(f->spilt_words.len, f->spilt_vectors.len) / MOST_BYTES);
	return spill(f, err);
}

int
forget_proof_next(struct forget *f, struct err *err)
{
	if (f->part == f->n_parts_sought)
		return 0;
	if (f->spilt_words.len + f->spilt_vectors.len > 0 &&
	    (forget_spill_rewind(&f->spilt_words, err) < 0 ||
		forget_spill_rewind(&f->spilt_vectors, err) < 0 ||
		forget_words_unspill(&f->words, &f->spilt_words, f->part, f->n_parts_sought,
		    err) < 0 ||
		unspill_vectors(f, err) < 0))
		return -1;
	if (f->n_vectors > 0)
		qsort(f->vectors, f->n_vectors, sizeof(*f->vectors), by_key);
	f->part++;
	return 1;
}
