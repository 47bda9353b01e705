/*
 * unigram.c: SentencePiece's unigram tokenizer as XLM-R and multilingual-e5 use it: the text is
 * normalised by the nmt_nfkc rules, divided at white space into words that begin with U+2581, and
 * each word divided into the pieces with the highest sum of log probabilities.
 *
 * Normalisation is SentencePiece's, not Unicode's NFKC: a rule replaces the longest match at a
 * place and goes on after it, so a character that was already composed takes no further mark. The
 * result is appended to the word; its last character is remembered while a mark may still join it.
 * White space and zero-width characters become one space; spaces at both ends of the text are
 * dropped.
 *
 * Division is by the Viterbi algorithm: best[i] is the best division of the word's first i bytes.
 * From each character the trie is walked along the word, and every piece found is a candidate for
 * the place where it ends. A character that is no piece is unknown, with a score 10 below the
 * lowest; neighbouring unknown characters become one token. Of equal sums the longer last piece
 * wins, as in the Python package tokenizers; sums are doubles of float32 scores and thus exact.
 */
#include <math.h>

#include "model/tokenizer_parts.h"
#include "gen/unigram.h"

/* Of a code point: it may compose with the one before it; its text, from 1. */
#define JOINS  1u
#define OUTPUT 4
/*
 * In the sorted pairs: first has to be composed itself; a character that came as one composes no
 * more.
 */
#define MADE   0x80000000u


enum { SHORT_BYTES = 512 };
#define UNKNOWN_PENALTY 10.0
#define NOT_YET         UINT32_MAX
#define UNKNOWN         (UINT32_MAX - 1)

struct cut { double score; uint32_t id, from; };

struct run {
	const struct tokenizer *t;
	struct trie trie;
	const float *scores;
	double unknown_score;
	struct token_list *out;
	uint8_t *word; /* points to near_word, or is owned once it has grown */
	size_t n, cap;
	struct cut *best;                      /* [cap + 1], points to near_best or is owned */
	/*
	 * The word's last character while a mark may join it, with MADE when it was
	 * composed here; else 0.
	 */
	uint32_t open;
	size_t open_at;                        /* where that character begins */
	uint8_t near_word[SHORT_BYTES];
	struct cut near_best[SHORT_BYTES + 1];
};

/* ---- dividing a word ---- */

static size_t
char_bytes(uint8_t first)
{
	return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

static void
offer(struct cut *to, double score, uint32_t id, size_t from)
{
	if (to->id == NOT_YET || score > to->score)
		*to = (struct cut){ score, id, (uint32_t)from };
}

/* Offers all pieces that begin at byte i to best. */
static void
extend(struct run *r, size_t i)
{
	const uint8_t *word = r->word;
	size_t n = r->n, next = MIN(i + char_bytes(word[i]), n);
	double score = r->best[i].score;
	uint32_t at = trie_root(&r->trie);
	bool known = false;

	for (size_t j = i; j < n && trie_step(&r->trie, &at, word[j]); ) {
		j++;
		if ((at & (TRIE_LEAF | TRIE_VALUE)) == 0)
			continue;
		uint32_t id = trie_number(&r->trie, at);
		if (id >= r->t->n_ids)
			continue;
		offer(&r->best[j], score + (double)r->scores[id], id, i);
		known = known || j == next;
	}
	if (!known)
		offer(&r->best[next], score + r->unknown_score, UNKNOWN, i);
}

/* Appends the ids of the best division, which is followed from last to first and then reversed. */
static void
add_best(struct run *r)
{
	struct token_list *out = r->out;
	size_t first = out->n;
	uint32_t before = NOT_YET;

	token_room(out, r->n);
	for (size_t i = r->n; i > 0; i = r->best[i].from) {
		uint32_t id = r->best[i].id;

		if (id != UNKNOWN || before != UNKNOWN)
			out->ids[out->n++] = id == UNKNOWN ? r->t->unknown : id;
		before = id;
	}
	for (size_t a = first, b = out->n - 1; a < b; a++, b--) {
		uint32_t id = out->ids[a];

		out->ids[a] = out->ids[b];
		out->ids[b] = id;
	}
}

static void
end_word(struct run *r)
{
	if (r->n == 0)
		return;
	r->best[0].score = 0;
	for (size_t i = 1; i <= r->n; i++)
		r->best[i].id = NOT_YET;
	for (size_t i = 0; i < r->n; i += char_bytes(r->word[i]))
		extend(r, i);
	add_best(r);
	r->n = 0;
}

/* ---- normalisation ---- */

static void
word_room(struct run *r, size_t more)
{
	size_t want = r->n + more;

	if (want <= r->cap)
		return;
	if (r->word == r->near_word) {
		r->word = xmalloc(2 * want);
		memcpy(r->word, r->near_word, r->n);
		r->best = NULL;
		r->cap = 2 * want;
	} else {
		xgrow(&r->word, &r->cap, want, 1);
	}
	free(r->best);
	r->best = xreallocarray(NULL, r->cap + 1, sizeof(*r->best));
}

/* Appends n bytes of whole characters, none of them a space. */
static void
append_bytes(struct run *r, const void *s, size_t n)
{
	word_room(r, n + 3);
	if (r->n == 0) {
		memcpy(r->word, "\xe2\x96\x81", 3);
		r->n = 3;
	}
	memcpy(r->word + r->n, s, n);
	r->n += n;
}

/* Returns the composition of a pair; 0: there is none. */
static uint32_t
compose(uint32_t first, uint32_t second)
{
	uint32_t a = first & ~MADE;
	size_t low = 0, high = NELEM(unigram_pairs);

	if (second - 0x1161 < 21 && first - 0x1100 < 19)
		return 0xac00 + ((a - 0x1100) * 21 + (second - 0x1161)) * 28;
	if (second - 0x11a8 < 27 && first >= MADE && a - 0xac00 < 11172 &&
	    (a - 0xac00) % 28 == 0)
		return a + (second - 0x11a7);
	while (low < high) {
		size_t mid = (low + high) / 2;

		if (unigram_pairs[mid].first < first ||
		    (unigram_pairs[mid].first == first && unigram_pairs[mid].second < second))
			low = mid + 1;
		else
			high = mid;
	}
	return low < NELEM(unigram_pairs) && unigram_pairs[low].first == first &&
		unigram_pairs[low].second == second
	    ? unigram_pairs[low].composed
	    : 0;
}

/*
 * Appends one character, cp, which is the n bytes at s. joins: it may compose with the one before
 * it.
 */
static void
append_char(struct run *r, uint32_t cp, const void *s, size_t n, bool joins)
{
	uint32_t made = joins && r->open != 0 ? compose(r->open, cp) : 0;
	char bytes[4];

	if (made != 0) {
		r->n = r->open_at;
		cp = made | MADE;
		n = utf8_encode(made, bytes);
		s = bytes;
	}
	append_bytes(r, s, n);
	r->open = cp;
	r->open_at = r->n - n;
}

/*
 * Appends what the table gives for a code point: nothing, a character, or several, possibly with
 * spaces.
 */
static void
append_output(struct run *r, uint32_t number, bool joins)
{
	const char *s = (const char *)unigram_pool + unigram_at[number],
		   *end = (const char *)unigram_pool + unigram_at[number + 1];
	uint32_t cp;

	if (s < end && *s != ' ' && s + utf8_decode(s, end, &cp) == end) {
		append_char(r, cp, s, (size_t)(end - s), joins);
		return;
	}
	r->open = 0;
	for (const char *p = s; p < end; p = s) {
		if (*p == ' ') {
			end_word(r);
			s++;
			continue;
		}
		while (s < end && *s != ' ')
			s++;
		append_bytes(r, p, (size_t)(s - p));
	}
}

/*
 * Appends ASCII letters, digits and punctuation, which stand for themselves; returns what follows
 * them.
 */
static const char *
append_ascii(struct run *r, const char *p, const char *end)
{
	const char *s = p;

	while (s < end && *s > ' ' && *s < 0x7f)
		s++;
	if (s > p) {
		append_bytes(r, p, (size_t)(s - p));
		r->open = (uint8_t)s[-1];
		r->open_at = r->n - 1;
	}
	return s;
}

void
unigram_encode(const struct tokenizer *t, const char *text, size_t len, struct token_list *out)
{
	struct tokenizer_head head;
	struct run r;

	memcpy(&head, t->data, sizeof(head));
	r.t = t;
	r.trie = tokenizer_trie(t);
	r.scores = t->part[PART_SCORES];
	r.unknown_score = (double)head.lowest - UNKNOWN_PENALTY;
	r.out = out;
	r.word = r.near_word;
	r.best = r.near_best;
	r.n = 0;
	r.cap = SHORT_BYTES;
	r.open = 0;
	r.open_at = 0;
	for (const char *p = text, *end = text + len, *raw;
	    (p = append_ascii(&r, p, end)) < end; ) {
		uint32_t cp, value;

		if (*p == ' ') {
			end_word(&r);
			r.open = 0;
			p++;
			continue;
		}
		raw = p;
		p = read_utf8(p, end, &cp);
		value = two_stage(unigram_index, unigram_value, cp);
		if (value >> OUTPUT != 0)
			append_output(&r, value >> OUTPUT, (value & JOINS) != 0);
		else
			append_char(&r, cp, raw, (size_t)(p - raw), (value & JOINS) != 0);
	}
	end_word(&r);
	if (r.word != r.near_word) {
		free(r.word);
		free(r.best);
	}
}

/* ---- at conversion ---- */

/*
 * Control symbols have the score 0, a probability of 1 that no learnt piece has; their names in a
 * text are treated as text.
 */
static bool
is_control(const struct unigram_source *from, uint32_t id)
{
	return id == from->first || id == from->last || id == from->unknown || id == from->pad ||
	    from->scores[id] >= 0;
}

int
unigram_build(const struct unigram_source *from, struct buf *out, struct err *err)
{
	struct tokenizer_head head = { .magic = TOKENIZER_MAGIC,
		.kind = TOKENIZER_UNIGRAM,
		.n_ids = from->n_pieces,
		.first = from->first,
		.last = from->last,
		.unknown = from->unknown };
	size_t start = out->len;
	uint32_t n = 0;

	if (MAX(MAX(from->first, from->last), MAX(from->unknown, from->pad)) >= from->n_pieces)
		return err_set(err, ERR_DATA, "a control symbol is not among the %u pieces",
		    from->n_pieces);
	FREED struct trie_key *keys = xreallocarray(NULL, from->n_pieces, sizeof(*keys));
	for (uint32_t i = 0; i < from->n_pieces; i++) {
		if (!isfinite(from->scores[i]))
			return err_set(err, ERR_DATA, "piece %u has no score", i);
		head.lowest = MIN(head.lowest, from->scores[i]);
		if (!is_control(from, i))
			keys[n++] = (struct trie_key){ from->pieces[i],
				(uint32_t)strnlen(from->pieces[i], TRIE_KEY_BYTES + 1), i };
	}
	tokenizer_head_add(out, &head);
	if (trie_build(keys, n, out, &head.n_units, err) != 0)
		return -1;
	buf_add(out, from->scores, from->n_pieces * sizeof(*from->scores));
	if (out->full)
		return err_set(err, ERR_DATA, "the pieces are too many");
	memcpy(out->data + start, &head, sizeof(head));
	return 0;
}
