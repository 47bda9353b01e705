/*
 * tokenizer.c: opens a tokenizer's section, and passes texts to the tokenizer of its kind.
 *
 * Opening checks the head and the section's length only, as walking half a million units would take
 * longer than the query that waits. Instead, what a unit says is bounded at every step (trie.h),
 * and every id is compared with n_ids before it is used.
 */
#include "model/tokenizer_parts.h"

int
tokenizer_open(struct tokenizer *t, enum tokenizer_kind kind, const void *data, size_t n_bytes,
	uint32_t vocab, struct err *err)
{
	struct tokenizer_head head;
	uint64_t need = sizeof(head);

	memset(t, 0, sizeof(*t));
	if (n_bytes < sizeof(head) || (uintptr_t)data % sizeof(uint32_t) != 0)
		return err_set(err, ERR_DATA, "the tokenizer is cut short");
	memcpy(&head, data, sizeof(head));
	if (head.magic != TOKENIZER_MAGIC || head.kind != (uint32_t)kind ||
	    (kind != TOKENIZER_WORDPIECE && kind != TOKENIZER_UNIGRAM))
		return err_set(err, ERR_DATA, "not the tokenizer that is asked for");
	if (head.n_ids > vocab || head.first >= head.n_ids || head.last >= head.n_ids ||
	    head.unknown >= head.n_ids)
		return err_set(err, ERR_DATA, "the tokenizer has ids beyond its %u words",
		    (unsigned)vocab);
	need += ((uint64_t)head.n_units + (kind == TOKENIZER_UNIGRAM ? head.n_ids : 0)) *
	    sizeof(uint32_t);
	if (need != n_bytes || head.n_units > TRIE_NUMBERS)
		return err_set(err, ERR_DATA,
		    "the tokenizer's tables are not as long as they should be");
	t->kind = kind;
	t->n_ids = head.n_ids;
	t->first = head.first;
	t->last = head.last;
	t->unknown = head.unknown;
	t->data = data;
	t->n_bytes = n_bytes;
	t->part[PART_UNITS] = t->data + sizeof(head);
	t->part[PART_SCORES] = t->data + sizeof(head) + head.n_units * sizeof(uint32_t);
	t->count[COUNT_UNITS] = head.n_units;
	if (kind == TOKENIZER_WORDPIECE)
		wordpiece_open(t);
	return 0;
}

void
tokenizer_encode(const struct tokenizer *t, const char *text, size_t len, struct token_list *out)
{
	if (t->kind == TOKENIZER_WORDPIECE)
		wordpiece_encode(t, text, len, out);
	else
		unigram_encode(t, text, len, out);
}

void
tokenizer_head_add(struct buf *out, const struct tokenizer_head *head)
{
	buf_add(out, head, sizeof(*head));
}
