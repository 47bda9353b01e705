/*
 * tree.c: a conversation as a tree: each message names the one that it answers. What the person
 * went on with is the way from the first to the last; an edited question or an answer that was made
 * anew leaves a branch beside it, and each branch is given behind, with all that hangs below it.
 */
#include "base/alloc.h"
#include "base/conf.h"
#include "base/hash.h"
#include "base/keyed.h"
#include "ingest/json/cut_parts.h"

#define NONE UINT32_MAX

struct node {
	struct json_span span;                 /* with its key */
	uint64_t id, parent_id;                /* hashes; 0: it has no parent */
	double time;                           /* -1: it is no message */
	uint32_t parent, child, next;          /* the first child; the next one of the parent's */
	uint32_t key_len;
	bool given;
};

struct tree {
	struct node *nodes;
	size_t n, cap;
	struct keyed places;                   /* in nodes, from 1, by the hash of an id */
	uint32_t *order;                       /* scratch */
};

static uint64_t
hash_of(const char *s, size_t len)
{
	uint64_t h = hash64(s, len, 0);

	return h != 0 ? h : 1;
}

/* The string at a span, as it is written, in out; "": there is none. */
static int
read_string(struct cut *c, struct json_span v, struct buf *out, struct err *err)
{
	buf_reset(out);
	if (long_text_copy(c->t, v.start, MIN(v.end, v.start + out->max), out, err) != 0)
		return -1;
	if (out->len < 2 || out->data[0] != '"' || out->data[out->len - 1] != '"') {
		buf_reset(out);
		return 0;
	}
	out->len--;
	out->data[out->len] = '\0';
	memmove(out->data, out->data + 1, out->len);
	out->len--;
	return 0;
}

/* Reads what the tree needs of the node whose value is at v. */
static int
read_node(struct cut *c, struct json_span v, struct node *n, struct buf *text, struct err *err)
{
	const char *dot = strrchr(c->plan->time, '.');
	struct json_span at;
	int got;

	if ((got = cut_find(c, v, c->plan->parent, &at, err)) < 0 ||
	    (got > 0 && read_string(c, at, text, err) != 0))
		return -1;
	n->parent_id = got > 0 && text->len > 0 ? hash_of(text->data, text->len) : 0;
	n->time = -1;
	buf_reset(text);
	buf_add(text, c->plan->time, dot != NULL ? (size_t)(dot - c->plan->time) : 0);
	if ((got = cut_find(c, v, text->data, &at, err)) > 0 && at.end - at.start > 4) {
		n->time = 0;                           /* it is there, and not null */
		got = cut_find(c, at, dot != NULL ? dot + 1 : c->plan->time, &at, err);
		buf_reset(text);
		if (got > 0)
			got = long_text_copy(c->t, at.start, MIN(at.end, at.start + 32), text, err);
		n->time = MAX(strtod(text->data, NULL), 0);
	}
	return got < 0 ? -1 : 0;
}

/* The node whose id has this hash. */
static uint32_t
node_of(const struct tree *t, uint64_t id)
{
	uint64_t place = keyed_value(&t->places, id);

	return place > 0 ? (uint32_t)place - 1 : NONE;
}

/* Links each node with its parent and its children, which stand in the order of the text. */
static void
link_nodes(struct tree *t)
{
	t->order = xmalloc((t->n + 1) * sizeof(*t->order));
	for (size_t i = 0; i < t->n; i++)
		keyed_at(&t->places, t->nodes[i].id)->value = i + 1;
	for (size_t i = t->n; i-- > 0;) {
		struct node *n = &t->nodes[i];

		n->parent = n->parent_id != 0 ? node_of(t, n->parent_id) : NONE;
		if (n->parent == NONE || n->parent == i)
			continue;
		n->next = t->nodes[n->parent].child;
		t->nodes[n->parent].child = (uint32_t)i;
	}
}

static int
read_nodes(struct cut *c, struct json_span span, struct tree *t, struct err *err)
{
	struct json_steps s;
	int got = json_steps_begin(&s, c->t, span, err);
	LOCAL(buf) text = buf_of(JSON_STEPS_KEY);

	while (got > 0 && (got = json_steps_next(&s, err)) > 0) {
		if (t->n == conf_caps.json_values) {
			got = err_set(err, ERR_DATA,
			    "more messages than the setting json_values allows");
			break;
		}
		xgrow(&t->nodes, &t->cap, t->n + 1, sizeof(*t->nodes));
		t->nodes[t->n] = (struct node){ .span = s.whole, .child = NONE, .next = NONE,
			.id = hash_of(s.key, strlen(s.key)), .key_len = (uint32_t)strlen(s.key) };
		if (read_node(c, s.value, &t->nodes[t->n++], &text, err) != 0)
			got = -1;
		s.n = 0;                               /* something else was read */
	}
	if (got == 0)
		link_nodes(t);
	return got;
}

/* The last node of the conversation: as it is named, or the newest that nothing answers. */
static uint32_t
last_node(struct tree *t, const struct buf *named)
{
	uint32_t at = named->len > 0 ? node_of(t, hash_of(named->data, named->len)) : NONE;
	double time = -1;

	for (size_t i = 0; i < t->n && (at == NONE || time >= 0); i++)
		if (t->nodes[i].child == NONE && t->nodes[i].time >= MAX(time, 0)) {
			time = t->nodes[i].time;
			at = (uint32_t)i;
		}
	return at;
}

/* Gives the nodes of t->order [n], gathered into pieces. */
static int
give_nodes(struct cut *c, struct tree *t, size_t n, const struct buf *head, const struct buf *tail,
	bool is_last, const char *branch, struct err *err)
{
	uint64_t first = 0;
	int rc = 0;

	buf_reset(&c->piece);
	for (size_t i = 0; i < n && rc == 0; i++) {
		struct json_span span = t->nodes[t->order[i]].span;

		if (i > first &&
		    c->piece.len + (span.end - span.start) > head->len + json_piece_bytes) {
			buf_add(&c->piece, tail->data, tail->len);
			if ((rc = cut_give(c, first, false, branch, err)) != 0)
				break;
			buf_reset(&c->piece);
			first = i;
		}
		if (i == first)
			buf_add(&c->piece, head->data, head->len);
		else
			buf_addc(&c->piece, ',');
		rc = long_text_copy(c->t, span.start, span.end, &c->piece, err);
	}
	if (rc != 0 || n == 0)
		return rc;
	buf_add(&c->piece, tail->data, tail->len);
	return cut_give(c, first, is_last, branch, err);
}

/* Puts the way to the last node into the order. */
static size_t
order_way(struct tree *t, uint32_t last)
{
	size_t n = 0;

	for (uint32_t at = last; at != NONE && !t->nodes[at].given; at = t->nodes[at].parent) {
		t->nodes[at].given = true;
		t->order[n++] = at;
	}
	for (size_t i = 0; i < n / 2; i++) {
		uint32_t swap = t->order[i];

		t->order[i] = t->order[n - 1 - i];
		t->order[n - 1 - i] = swap;
	}
	return n;
}

/* Puts a branch into the order: its first node, then each child with all below it. */
static size_t
order_branch(struct tree *t, uint32_t root)
{
	uint32_t at = root;
	size_t n = 0;

	for (;;) {
		if (!t->nodes[at].given) {
			t->nodes[at].given = true;
			t->order[n++] = at;
			if (t->nodes[at].child != NONE && !t->nodes[t->nodes[at].child].given) {
				at = t->nodes[at].child;
				continue;
			}
		}
		while (at != root && t->nodes[at].next == NONE)
			at = t->nodes[at].parent;
		if (at == root)
			return n;
		at = t->nodes[at].next;
	}
}

/* Whether a branch begins here: the node is in none, and what it answers is not, or is unknown. */
static bool
begins_branch(const struct tree *t, const struct node *n)
{
	return !n->given && (n->parent == NONE || t->nodes[n->parent].given);
}

static int
give_all(struct cut *c, struct tree *t, const struct buf *named, const struct buf *head,
	const struct buf *tail, struct err *err)
{
	int rc = give_nodes(c, t, order_way(t, last_node(t, named)), head, tail, true, NULL, err);
	LOCAL(buf) id = buf_of(JSON_STEPS_KEY);

	for (size_t i = 0; i < t->n && rc == 0; i++) {
		const struct node *v = &t->nodes[i];

		if (!begins_branch(t, v))
			continue;
		buf_reset(&id);
		if (long_text_copy(c->t, v->span.start + 1, v->span.start + 1 + v->key_len, &id,
		    err) != 0)
			rc = -1;
		size_t n = order_branch(t, (uint32_t)i);
		if (rc == 0)
			rc = give_nodes(c, t, n, head, tail, false, id.data, err);
	}
	return rc;
}

/* Finds the object that holds the nodes, and the name of the last one beside it. 1; 0: none; -1. */
static int
find_tree(struct cut *c, struct json_span *span, struct buf *named, struct err *err)
{
	struct json_span all = { 0, c->t->len }, beside = all, at;
	char path[JSON_STEPS_KEY] = "";
	struct json_steps s;
	int got = 0;

	for (size_t i = 0; i < c->plan->n_paths && got == 0; i++) {
		snprintf(path, sizeof(path), "%s", c->plan->paths[i]);
		got = cut_find(c, all, path, span, err);
	}
	if (got <= 0 || (got = json_steps_begin(&s, c->t, *span, err)) <= 0 || s.closing != '}')
		return got < 0 ? -1 : 0;
	if (strrchr(path, '.') != NULL) {
		*strrchr(path, '.') = '\0';
		got = cut_find(c, all, path, &beside, err);
	}
	if (got > 0 && (got = cut_find(c, beside, c->plan->current, &at, err)) > 0)
		got = read_string(c, at, named, err);
	return got < 0 ? -1 : 1;
}

/* Puts what stands before and behind the nodes into head and tail. */
static int
read_around(struct cut *c, struct json_span span, struct buf *head, struct buf *tail,
	struct err *err)
{
	struct containers out = { .n = 0 };
	const char *path = c->plan->without;
	struct json_span at;
	size_t len;
	int got;

	for (; path != NULL && *path != '\0'; path += len + (path[len] == '|')) {
		char one[JSON_STEPS_KEY];

		len = strcspn(path, "|");
		snprintf(one, sizeof(one), "%.*s", (int)len, path);
		if ((got = cut_find(c, (struct json_span){ 0, c->t->len }, one, &at, err)) < 0)
			return -1;
		if (got > 0)
			containers_add(&out, at, "", false);
	}
	if (cut_add_without(c, (struct json_span){ 0, span.start }, &out, head, err) != 0)
		return -1;
	buf_addc(head, '{');
	buf_addc(tail, '}');
	if (cut_add_without(c, (struct json_span){ span.end, c->t->len }, &out, tail, err) != 0)
		return -1;
	return head->full || tail->full ? err_set(err, ERR_DATA,
	    "what stands around the messages is too long (setting line_bytes)") : 0;
}

int
cut_tree(struct cut *c, struct err *err)
{
	struct tree t = { .nodes = NULL };
	struct json_span span;
	int rc = -1, got;
	LOCAL(buf) head = buf_of(c->most);
	LOCAL(buf) tail = buf_of(c->most);
	LOCAL(buf) named = buf_of(JSON_STEPS_KEY);

	if ((got = find_tree(c, &span, &named, err)) <= 0) {
		rc = got;
		goto out;
	}
	if (read_nodes(c, span, &t, err) == 0 && read_around(c, span, &head, &tail, err) == 0)
		rc = give_all(c, &t, &named, &head, &tail, err);
out:
	free(t.nodes);
	keyed_release(&t.places);
	free(t.order);
	return rc;
}
