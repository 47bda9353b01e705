/*
 * cut.c: the arrays of a plan are found, and their items gathered into pieces. An item that is
 * larger than a piece, such as a whole chat, is cut in turn; what stands before and behind it is
 * then part of what each of its pieces begins and ends with.
 */
#include "base/alloc.h"
#include "ingest/json/cut_parts.h"

#define PIECE_BYTES (1u << 20)
#define DEPTH_MOST  8
/* an object with more members is a table of what it holds, and can be cut between them */
#define TABLE_LEAST 32

const size_t json_piece_bytes = PIECE_BYTES;

/* ---- plans ---- */

char *
json_plan_line(const char *map, const char *head)
{
	size_t n = strlen(head);

	for (; *map == '#'; map += strcspn(map, "\n"), map += *map == '\n')
		if (strncmp(map, head, n) == 0)
			return xstrndup(map + n, strcspn(map + n, "\n"));
	return NULL;
}

struct json_plan *
json_plan_read(const char *map)
{
	struct json_plan *p = xcalloc(1, sizeof(*p));
	char *words[PLAN_PATHS] = { NULL };
	char *save;
	size_t n = 0;

	if ((p->text = json_plan_line(map, "# pieces:")) == NULL) {
		p->backward = (p->text = json_plan_line(map, "# pieces backward:")) != NULL;
		p->tree = !p->backward && (p->text = json_plan_line(map, "# tree:")) != NULL;
	}
	if (p->text == NULL) {
		free(p);
		return NULL;
	}
	for (char *w = strtok_r(p->text, " ", &save); w != NULL && n < PLAN_PATHS;
	     w = strtok_r(NULL, " ", &save))
		words[n++] = w;
	if (p->tree) {
		p->parent = words[1];
		p->current = words[2];
		p->time = words[3];
		p->without = words[4];
		n = 0;
		for (char *w = p->time != NULL ? strtok_r(words[0], "|", &save)
					       : NULL;
		     w != NULL && n < PLAN_PATHS; w = strtok_r(NULL, "|", &save))
			p->paths[n++] = w;
	} else {
		for (size_t i = 0; i < n; i++)
			p->paths[i] = words[i];
	}
	p->n_paths = n;
	return p;
}

void
json_plan_free(struct json_plan *p)
{
	if (p == NULL)
		return;
	free(p->text);
	free(p);
}

bool
json_plan_is_tree(const struct json_plan *p)
{
	return p->tree;
}

/* ---- finding ---- */

static uint64_t
length(struct json_span v)
{
	return v.end - v.start;
}

/* The value of the member whose key is key [len]. 1; 0: none; -1. */
static int
find_member(struct cut *c, struct json_span span, const char *key, size_t len,
	struct json_span *out, struct err *err)
{
	struct json_steps s;
	int got = json_steps_begin(&s, c->t, span, err), found = 0;

	if (got <= 0 || s.closing != '}')
		return got < 0 ? -1 : 0;
	while ((got = json_steps_next(&s, err)) > 0)
		if (strlen(s.key) == len && memcmp(s.key, key, len) == 0) {
			*out = s.value;
			found = 1;                     /* of members of one name the last counts */
		}
	return got < 0 ? -1 : found;
}

int
cut_find(struct cut *c, struct json_span span, const char *path, struct json_span *out,
	struct err *err)
{
	int got = 1;

	while (got > 0 && *path != '\0' && *path != '[') {
		size_t len = strcspn(path, ".[");

		got = find_member(c, span, path, len, &span, err);
		path += len;
		path += *path == '.';
	}
	*out = span;
	return got;
}

void
containers_add(struct containers *v, struct json_span span, const char *rest, bool whole)
{
	size_t i;

	if (v->n == NELEM(v->all))
		return;
	for (i = v->n++; i > 0 && v->all[i - 1].span.start > span.start; i--)
		v->all[i] = v->all[i - 1];
	v->all[i] = (struct container){ span, rest, whole };
}

/* Whether there may be an array in a value that is not large. */
static int
holds_array(struct cut *c, struct json_span v, bool *holds, struct err *err)
{
	buf_reset(&c->piece);
	if (long_text_copy(c->t, v.start, v.end, &c->piece, err) != 0)
		return -1;
	*holds = memchr(c->piece.data, '[', c->piece.len) != NULL;
	return 0;
}

/*
 * Of a document that may be cut anywhere: itself if it is an array or a table; else what is large
 * in it, and what has arrays beside that, so that no message in one of them is given twice.
 */
static int
find_large(struct cut *c, struct json_span span, struct containers *v, struct err *err)
{
	struct containers beside = { .n = 0 };
	struct json_steps s;
	int got = json_steps_begin(&s, c->t, span, err);
	size_t n = 0;

	if (got > 0 && s.closing == ']')
		containers_add(v, span, "*", false);
	if (got <= 0 || s.closing == ']')
		return got < 0 ? -1 : 0;
	for (; (got = json_steps_next(&s, err)) > 0; n++) {
		bool large = length(s.value) > PIECE_BYTES, holds = false;

		if (!large && holds_array(c, s.value, &holds, err) != 0)
			return -1;
		if (large || holds)
			containers_add(large ? v : &beside, s.value, "*", true);
		s.n = 0;                               /* something else was read */
	}
	if (n > TABLE_LEAST) {
		v->n = 0;
		containers_add(v, span, "", false);
	} else {
		for (size_t i = 0; i < beside.n; i++)
			containers_add(v, beside.all[i].span, "*", true);
	}
	return got;
}

static int
find_containers(struct cut *c, struct json_span span, const char *const *paths, size_t n_paths,
	struct containers *v, struct err *err)
{
	struct json_span at;
	struct json_steps s;
	int got;

	v->n = 0;
	if (n_paths == 1 && strcmp(paths[0], "*") == 0)
		return find_large(c, span, v, err);
	for (size_t i = 0; i < n_paths; i++) {
		const char *rest = strchr(paths[i], '[');

		if (rest == NULL)
			continue;
		if ((got = cut_find(c, span, paths[i], &at, err)) > 0)
			got = json_steps_begin(&s, c->t, at, err);
		if (got < 0)
			return -1;
		rest += 2;
		if (got > 0 && s.closing == ']')
			containers_add(v, at, rest + (*rest == '.'), false);
	}
	return 0;
}

/* ---- pieces ---- */

struct slice { struct json_span span; uint64_t first; bool large; };
struct slices { struct slice *all; size_t n, cap; };

static int cut_span(struct cut *c, struct json_span span, const char *const *paths, size_t n_paths,
	const struct buf *before, const struct buf *behind, bool is_last, unsigned depth,
	struct err *err);

int
cut_give(struct cut *c, uint64_t first, bool is_last, const char *branch, struct err *err)
{
	struct json_piece piece = { c->piece.data, c->piece.len, first, is_last, branch };

	c->n_given++;
	if (c->piece.full)
		return err_set(err, ERR_DATA, "a message is too long (setting line_bytes)");
	return c->fn(c->arg, &piece, err);
}

/* Gathers the items of a container into slices. */
static int
gather(struct cut *c, struct json_span span, struct slices *out, struct err *err)
{
	struct json_steps s;
	uint64_t place = 0;
	int got = json_steps_begin(&s, c->t, span, err);

	if (got <= 0)
		return got;
	for (; (got = json_steps_next(&s, err)) > 0; place++) {
		struct slice *last = out->n > 0 ? &out->all[out->n - 1] : NULL;
		bool large = length(s.whole) > PIECE_BYTES;

		if (last != NULL && !large && !last->large &&
		    s.whole.end - last->span.start <= PIECE_BYTES) {
			last->span.end = s.whole.end;
			continue;
		}
		*xpush(out->all, out->n, out->cap) = (struct slice){ s.whole, place, large };
	}
	return got;
}

int
cut_add_without(struct cut *c, struct json_span span, const struct containers *v,
	struct buf *out, struct err *err)
{
	uint64_t at = span.start;

	for (size_t i = 0; i < v->n; i++) {
		const char *p;
		size_t n;

		if (v->all[i].span.start < at || v->all[i].span.end > span.end)
			continue;
		if (long_text_copy(c->t, at, v->all[i].span.start, out, err) != 0 ||
		    long_text_at(c->t, v->all[i].span.start, &p, &n, err) != 0)
			return -1;
		buf_adds(out, *p == '{' ? "{}" : "[]");
		at = v->all[i].span.end;
	}
	return long_text_copy(c->t, at, span.end, out, err);
}

static int
give_slice(struct cut *c, const struct slice *v, const char *rest, const struct buf *before,
	const struct buf *behind, bool is_last, unsigned depth, struct err *err)
{
	if (v->large && *rest != '\0' && depth < DEPTH_MOST)
		return cut_span(c, v->span, &rest, 1, before, behind, is_last, depth + 1, err);
	buf_reset(&c->piece);
	buf_add(&c->piece, before->data, before->len);
	if (long_text_copy(c->t, v->span.start, v->span.end, &c->piece, err) != 0)
		return -1;
	buf_add(&c->piece, behind->data, behind->len);
	return cut_give(c, v->first, is_last, NULL, err);
}

/* Gives the items of the container number k of span. */
static int
give_container(struct cut *c, struct json_span span, const struct containers *v, size_t k,
	const struct buf *before, const struct buf *behind, bool is_last, unsigned depth,
	struct err *err)
{
	const struct container *at = &v->all[k];
	struct slices slices = { NULL, 0, 0 };
	const char *p;
	size_t n;
	int rc = -1;
	LOCAL(buf) head = buf_of(c->most);
	LOCAL(buf) tail = buf_of(c->most);

	buf_add(&head, before->data, before->len);
	if (cut_add_without(c, (struct json_span){ span.start, at->span.start }, v, &head, err) !=
	    0 ||
	    long_text_at(c->t, at->span.start, &p, &n, err) != 0)
		goto out;
	if (at->whole) {
		xgrow(&slices.all, &slices.cap, 1, sizeof(*slices.all));
		slices.all[slices.n++] = (struct slice){ at->span, 0, true };
	} else {
		buf_addc(&head, *p);
		buf_addc(&tail, *p == '{' ? '}' : ']');
		if (gather(c, at->span, &slices, err) != 0)
			goto out;
	}
	if (cut_add_without(c, (struct json_span){ at->span.end, span.end }, v, &tail, err) != 0)
		goto out;
	buf_add(&tail, behind->data, behind->len);
	if (head.full || tail.full) {
		err_set(err, ERR_DATA, "what stands around the messages is too long (setting "
			"line_bytes)");
		goto out;
	}
	rc = 0;
	for (size_t i = 0; i < slices.n && rc == 0; i++)
		rc = give_slice(c, &slices.all[c->plan->backward ? slices.n - 1 - i : i], at->rest,
		    &head, &tail, is_last && i + 1 == slices.n, depth, err);
out:
	free(slices.all);
	return rc;
}

static int
cut_span(struct cut *c, struct json_span span, const char *const *paths, size_t n_paths,
	const struct buf *before, const struct buf *behind, bool is_last, unsigned depth,
	struct err *err)
{
	uint64_t n_given = c->n_given;
	struct containers v;
	int rc = find_containers(c, span, paths, n_paths, &v, err);

	for (size_t k = 0; k < v.n && rc == 0; k++)
		rc = give_container(c, span, &v, k, before, behind, is_last && k + 1 == v.n, depth,
		    err);
	if (rc != 0 || c->n_given > n_given || depth == 0)
		return rc;
	/* nothing in it where the plan says, or nothing at all: it is one piece */
	return give_slice(c, &(struct slice){ span, 0, true }, "", before, behind, is_last, depth,
	    err);
}

int
json_cut(const struct json_plan *p, struct long_text *t, size_t most, json_piece_fn *fn, void *arg,
	struct err *err)
{
	struct cut c = { .plan = p, .t = t, .most = most, .fn = fn, .arg = arg };

	buf_init(&c.piece, most);
	LOCAL(buf) none = buf_of(1);
	int rc = p->tree ? cut_tree(&c, err)
		     : cut_span(&c, (struct json_span){ 0, t->len }, p->paths, p->n_paths, &none,
			 &none, true, 0, err);
	buf_release(&c.piece);
	return rc != 0 ? rc : c.n_given > 0;
}
