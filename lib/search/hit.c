/*
 * hit.c: the index keeps no positions, so the few messages that are shown are tokenized again to
 * find the question's terms in them.
 */
#include "base/ascii.h"
#include "search/hit.h"

#include <math.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/order.h"
#include "base/utf8.h"
#include "records/record.h"

#define PLACES_MAX 512

/* An occurrence of a term of the question in the message. */
struct place { uint32_t start, end; uint16_t term; };

struct hit_terms {
	const struct question *q;
	struct hit_view *view;
	const char *text;
	size_t len;
	struct place places[PLACES_MAX];
	size_t n_places;
	bool seen[QUESTION_TERMS];
	/* best: most terms in a chunk so far; index: number of the chunk at hand */
	size_t best;
	unsigned index;
};

/*
 * Adds a spelling once: an identifier is indexed both as written and with its joints removed, and
 * both terms have the same place.
 */
static void
add_found(struct hit_view *v, const char *text, uint16_t len)
{
	for (size_t i = 0; i < v->n_found; i++)
		if (v->found[i] == text && v->found_len[i] == len)
			return;
	v->found[v->n_found] = text;
	v->found_len[v->n_found++] = len;
}

static int
mark_term(void *arg, const struct word *w)
{
	struct hit_terms *l = arg;
	size_t i = question_term_of(l->q, w->term, w->len);

	if (i == l->q->n_terms)
		return 0;
	if (l->n_places < PLACES_MAX) {
		size_t at = l->n_places++;

		/* an identifier comes before its parts, and then what its last parts make */
		for (; at > 0 && l->places[at - 1].start > w->start; at--)
			l->places[at] = l->places[at - 1];
		l->places[at] = (struct place){ w->start, w->end, (uint16_t)i };
	}
	if (!l->seen[i]) {
		l->seen[i] = true;
		add_found(l->view, l->text + w->start,
		    (uint16_t)MIN(w->end - w->start, UINT16_MAX));
		l->view->code |= w->kind == WORD_WHOLE;
	}
	return 0;
}

/* How many different terms occur in [start, end), from a place on that is not behind start. */
static size_t
terms_within(const struct hit_terms *l, size_t from, size_t start, size_t end)
{
	bool seen[QUESTION_TERMS];
	size_t n = 0;

	memset(seen, 0, l->q->n_terms);
	for (size_t i = from; i < l->n_places && l->places[i].start < end; i++) {
		const struct place *p = &l->places[i];
		if (p->start < start || p->end > end || seen[p->term])
			continue;
		seen[p->term] = true;
		n++;
	}
	return n;
}

static int
on_chunk(void *arg, const struct chunk *c)
{
	struct hit_terms *l = arg;
	size_t n = terms_within(l, 0, c->start, c->start + c->len);

	if (l->view->chunk.len == 0 || n > l->best) {
		l->view->chunk = *c;
		l->view->chunk_index = l->index;
		l->best = n;
	}
	l->index++;
	return 0;
}

/*
 * Chooses the stretch with most different terms. It begins a little before the first of them and is
 * cut at words.
 */
static void
choose_snippet(struct hit_terms *l)
{
	size_t best = 0, best_start = 0, start, end;

	for (size_t i = 0; i < l->n_places; i++) {
		size_t from = l->places[i].start,
		       n = terms_within(l, i, from, from + HIT_SNIPPET_BYTES * 3 / 4);
		if (n > best) {
			best = n;
			best_start = from;
		}
	}
	start = best_start > HIT_SNIPPET_BYTES / 4 ? best_start - HIT_SNIPPET_BYTES / 4 : 0;
	if (l->len <= HIT_SNIPPET_BYTES)
		start = 0;
	if (start > 0) {
		size_t at = start;
		while (at < best_start && !ascii_is_space(l->text[at]))
			at++;
		start = at < best_start ? at + 1 : best_start;
	}
	while (start < l->len && ((unsigned char)l->text[start] & 0xc0) == 0x80)
		start++;
	end = start + utf8_clip(l->text + start, l->len - start, HIT_SNIPPET_BYTES);
	if (end < l->len)
		for (size_t at = end; at > start + HIT_SNIPPET_BYTES / 2; at--)
			if (ascii_is_space(l->text[at])) {
				end = at;
				break;
			}
	l->view->snippet_start = start;
	l->view->snippet_len = end - start;
}

/*
 * Sets the marks. Occurrences come in the order of the text, and those of an identifier and of its
 * parts overlap.
 */
static void
mark_snippet(struct hit_terms *l)
{
	struct hit_view *v = l->view;

	for (size_t i = 0; i < l->n_places && v->n_marks < NELEM(v->marks); i++) {
		size_t start = l->places[i].start, end = l->places[i].end;

		if (start < v->snippet_start || end > v->snippet_start + v->snippet_len)
			continue;
		start -= v->snippet_start;
		end -= v->snippet_start;
		if (v->n_marks == 0 || start > v->marks[v->n_marks - 1][1])
			v->marks[v->n_marks++][0] = (uint16_t)start;
		v->marks[v->n_marks - 1][1] = (uint16_t)MAX(end, v->marks[v->n_marks - 1][1]);
	}
}

int
hit_look(struct store *s, const struct scope *who, const struct question *q,
	const struct search_hit *h, struct hit_view *view, struct err *err)
{
	FREED struct hit_terms *l = xcalloc(1, sizeof(*l));
	int rc;

	memset(view, 0, sizeof(*view));
	l->q = q;
	l->view = view;
	l->text = h->message->content;
	l->len = h->message->content_len;
	words_each(l->text, l->len, mark_term, l);
	rc = chunks_of(s, who, h->message, on_chunk, l, err);
	choose_snippet(l);
	mark_snippet(l);
	return rc;
}

static void
write_why(struct buf *out, const struct search_hit *h, const struct hit_view *view)
{
	json_array_open(out, "why");
	for (size_t i = 0; i < view->n_found; i++)
		json_item(out, view->found[i], view->found_len[i]);
	if (view->n_found == 0)
		buf_adds(out,
		    !isnan(h->sim) && h->sim > 0       ? "\"near in meaning\""
			: h->x[SIGNAL_DATE] > 0	       ? "\"said then\""
			: h->bm25 > 0 || h->score != 0 ? "\"beside a match\""
						       : "\"recent\"");
	json_array_close(out);
}

static void
write_signals(struct buf *out, const struct search_hit *h)
{
	json_object_open(out, "signals");
	for (size_t i = 0; i < N_SIGNALS; i++)
		if (h->x[i] != 0)
			json_num(out, signals[i].name, h->x[i]);
	json_close(out);
}

static void
write_chunk(struct buf *out, const struct hit_view *view)
{
	json_object_open(out, "chunk");
	json_int(out, "index", view->chunk_index);
	json_str(out, "kind", view->chunk.kind == CHUNK_CODE ? "code" : "prose");
	if (*view->chunk.language)
		json_str(out, "language", view->chunk.language);
	json_int(out, "start", (int64_t)view->chunk.start);
	json_int(out, "length", (int64_t)view->chunk.len);
	json_close(out);
}

static void
write_asked(struct buf *out, const struct rewritten *asked)
{
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);

	rewrite_expanded(&b, asked);
	json_strn(out, "original", asked->query, asked->query_len);
	json_strn(out, "expanded", b.data, b.len);
	json_num(out, "confidence", asked->f.confidence);
}

void
hit_record(struct buf *out, const struct scope *who, const struct search_hit *h,
	const struct hit_view *view, size_t rank, const char *strategy, bool explain,
	const struct rewritten *asked)
{
	const struct message *m = h->message;

	json_record(out, "hit");
	json_int(out, "rank", (int64_t)rank);
	json_str(out, "id", m->id);
	json_str(out, "user", who->user);
	json_time(out, "time", m->time_us);
	record_text(out, "agent", m->agent);
	record_text(out, "project", m->project);
	json_str(out, "session", m->session);
	json_str(out, "origin", origin_names[m->origin]);
	json_int(out, "trust", m->trust);
	record_text(out, "source_id", m->source_id);
	json_num(out, "score", h->score);
	if (!isnan(h->p))
		json_num(out, "p", h->p);
	if (!isnan(h->sim))
		json_num(out, "sim", h->sim);
	json_num(out, "bm25", h->bm25);
	json_int(out, "code", view->code);
	json_str(out, "tier", "conversations");
	json_str(out, "kind", "message");
	json_int(out, "turn", m->turn);
	json_str(out, "role", role_names[m->role]);
	record_text(out, "name", m->name);
	json_strn(out, "content", m->content, m->content_len);
	json_strn(out, "snippet", m->content + view->snippet_start, view->snippet_len);
	if (view->chunk.len > 0)
		write_chunk(out, view);
	write_why(out, h, view);
	if (asked != NULL)
		write_asked(out, asked);
	reranked_write(out, &h->again);
	if (explain) {
		json_str(out, "strategy", strategy);
		json_str(out, "session_kind", profile_kind_names[h->kind]);
		if (h->talk > 0)
			json_num(out, "talk", h->talk);
		json_num(out, "coverage", h->coverage);
		json_bool(out, "outside", h->outside);
		write_signals(out, h);
	}
	json_end(out);
}

/*
 * Whether the key is one of mem's own, in query, hit or end records. Such keys are not copied,
 * because a key may stand only once in an object.
 */
static bool
is_known(const char *key)
{
	static const char *const keys[] = { "type", "query", "now", "expanded", "rewritten",
		"added", "confidence", "tokens", "reason", "model", "note", "ms", "context",
		"history", "messages", "rank", "id", "user", "time", "agent", "project", "session",
		"origin", "trust", "sources", "source_id", "score", "p", "sim", "bm25", "code",
		"tier", "kind", "turn", "role", "name", "content", "snippet", "chunk", "why",
		"original", "was", "strategy", "session_kind", "talk", "coverage",
		"outside", "signals", "key", "bank", "valid_from", "valid_to", "tiers", "stopped",
		"hits", "error", "vec" };

	return text_index(key, keys, NELEM(keys)) >= 0;
}

void
hit_rest(struct buf *out, const struct json *question)
{
	for (size_t i = 0; i < question->len; i++) {
		const struct json_member *m = &question->u.members[i];

		if (is_known(m->key))
			continue;
		json_key(out, m->key);
		json_write(out, &m->value);
	}
}

void
hit_add(struct buf *out, const struct buf *rest)
{
	if (rest->len == 0)
		return;
	out->len -= strlen("}\n");
	json_next(out);
	buf_add(out, rest->data, rest->len);
	json_end(out);
}
