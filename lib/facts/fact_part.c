/* fact_part.c: the first source is where it was said first, and stays with that. */
#include "facts/fact_part.h"

#include "facts/made.h"
#include "statement/plain.h"

/* What rules made has the words that it rests on, which may be others than those of before. */
static void
take_words(struct record_head *h, const struct record_source *at, const struct message *m,
	struct arena *a)
{
	struct buf b;

	if (!made_is_rules(made_of(h, a)) || at->length <= 0 ||
	    at->start + at->length > (int64_t)m->content_len)
		return;
	buf_init(&b, 2 * (size_t)at->length + 1);
	plain_add(&b, m->content + at->start, (size_t)at->length);
	h->content = arena_strndup(a, b.data, b.len);
	h->content_len = b.len;
	buf_release(&b);
}

/* What ended by f where it was said once more ends by that, the rest. */
static int
turn_ends(struct store *s, const struct scope *who, struct step *step, int64_t cut_us,
	const struct fact *f, const struct fact *rest, struct arena *a, struct err *err)
{
	for (size_t i = 0; i < f->n_supersedes; i++) {
		const struct fact *was;
		struct fact now;

		if (records_find(s, who, f->supersedes[i], a, &was, err) < 0)
			return -1;
		if (was == NULL || was->valid_to_us <= cut_us)
			continue;
		now = *was;
		now.superseded_by = rest->head.id;
		if (records_change(s, who, step, &now, err) < 0)
			return -1;
	}
	return 0;
}

int
fact_part(struct store *s, const struct scope *who, struct step *step, int64_t cut_us,
	struct fact *f, struct fact *rest, struct arena *a, struct err *err)
{
	struct record_head *h = &f->head, *to = &rest->head;
	struct record_source *before = arena_alloc(a, (h->n_sources + 1) * sizeof(*before)),
			     *behind = arena_alloc(a, (h->n_sources + 1) * sizeof(*behind));
	const struct message *m;
	enum put_did did;
	size_t n = 0;

	*rest = *f;
	to->n_sources = 0;
	for (size_t i = 0; i < h->n_sources; i++) {
		m = NULL;
		if (i > 0 && messages_find(s, who, h->sources[i].id, a, &m, err) < 0)
			return -1;
		if (m == NULL || m->time_us == TIME_NONE || m->time_us <= cut_us) {
			before[n++] = h->sources[i];
			continue;
		}
		behind[to->n_sources] = h->sources[i];
		if (to->n_sources == 0 || m->time_us < to->time_us) {
			behind[to->n_sources] = behind[0];
			behind[0] = h->sources[i];
			to->time_us = m->time_us;
			to->session = m->session;
			take_words(to, &h->sources[i], m, a);
		}
		to->n_sources++;
	}
	h->sources = before;
	h->n_sources = n;
	if (to->n_sources == 0)
		return 0;
	rest->valid_from_us = to->time_us;
	to->sources = behind;
	to->source_id = "";
	to->id[0] = '\0';
	to->stored_us = 0;
	return records_put(s, who, step, rest, &did, err) < 0
	    ? -1
	    : turn_ends(s, who, step, cut_us, f, rest, a, err);
}
