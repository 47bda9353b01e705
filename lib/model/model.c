/*
 * model.c: texts to unit vectors. A text becomes one or more windows of token ids, windows fill a
 * batch, and the encoder runs batches.
 *
 * Most texts are one window, and their vector is the encoder's, bit for bit. A longer one:
 *
 *	tokens:   [head | body ................................................ ]
 *	windows:  [first head body/3 last] [first head body/3 last] [first head body/3 last]
 *	head: the prefix and, where the model wants it, the speaker
 *
 * There are as few windows as possible, of about equal length, so that none is a mere remnant;
 * their vectors are weighted by the tokens of the body in them. A text longer than SEGMENT_BYTES is
 * tokenized in parts, so that memory is bounded.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/conf.h"
#include "base/utf8.h"
#include "model/adapter.h"
#include "model/encoder.h"
#include "model/model.h"
#include "model/model_path.h"

#define SEGMENT_BYTES (64u << 10)
/* a segment ends at a blank if there is one within so many bytes of its end */
#define SEAM_BYTES    256
#define SPEAKER_BYTES 128                  /* of a longer name only the beginning is used */
/*
 * A longer word is no identifier; the tokenizer does not divide it either, and encoded data costs
 * nothing.
 */
#define IDENTIFIER_BYTES 100
#define AROUND        2                    /* special tokens around every window */

struct model {
	struct modelfile file;
	struct adapter *adapter;           /* NULL: none */
	char path[MODEL_PATH_BYTES];
};

struct window {
	size_t text;                       /* index into the caller's texts */
	uint32_t n_own;                    /* tokens of the body, without the head */
	bool alone;                        /* the only window of its text */
};

struct model_worker {
	const struct model *m;
	const volatile sig_atomic_t *stop;
	struct encoder *encoder[TEXT_ROLES]; /* by role; NULL: not needed yet */
	struct buf text;                   /* the text as it goes to the tokenizer */
	struct token_list tokens, head;

	/* the current batch */
	uint32_t *ids, *lengths;
	struct window *windows;
	float *vectors;
	size_t n_ids, cap_ids, n_windows, cap_windows;
	enum text_role role;               /* of the batch's texts */
};

int
model_open(struct model **out, const char *name, struct err *err)
{
	struct model *m = xcalloc(1, sizeof(*m));

	if (model_find(name, m->path, sizeof(m->path), err) != 0 ||
	    modelfile_open(&m->file, m->path, err) != 0) {
		free(m);
		return -1;
	}
	m->adapter = adapter_new(&m->file);
	if (m->adapter != NULL)
		adapter_identify(m->adapter, &m->file);
	*out = m;
	return 0;
}

static bool
open_if_same(struct model **out, const char *name, const uint8_t sha256[SHA256_BYTES])
{
	struct err ignored = ERR_INIT;

	if (model_open(out, name, &ignored) < 0)
		return false;
	if (memcmp(model_info(*out)->sha256, sha256, SHA256_BYTES) == 0)
		return true;
	model_close(*out);
	*out = NULL;
	return false;
}

bool
model_open_same(struct model **out, const char *name, const uint8_t sha256[SHA256_BYTES])
{
	const char *set = conf_text("model");

	*out = NULL;
	return (*name != '\0' && open_if_same(out, name, sha256)) ||
	    (*set != '\0' && open_if_same(out, set, sha256));
}

bool
model_has_namesake(const char *name)
{
	struct err ignored = ERR_INIT;
	struct model *m;

	if (model_open(&m, name, &ignored) < 0)
		return false;
	model_close(m);
	return true;
}

void
model_close(struct model *m)
{
	if (m == NULL)
		return;
	adapter_free(m->adapter);
	modelfile_close(&m->file);
	free(m);
}

const struct model_info *
model_info(const struct model *m)
{
	return &m->file.info;
}

const struct modelfile *
model_file(const struct model *m)
{
	return &m->file;
}

const float *
model_centre(const struct model *m)
{
	return m->file.centre;
}

struct model_line
model_query_line(const struct model *m)
{
	return m->adapter != NULL ? adapter_line(m->adapter) : (struct model_line){ 1, 0 };
}

const char *
model_path(const struct model *m)
{
	return m->path;
}

float
model_calibrate(const struct model_info *info, float cosine)
{
	return (cosine - info->unrelated) / (1 - info->unrelated);
}

struct model_worker *
model_worker_new(const struct model *m)
{
	struct model_worker *w = xcalloc(1, sizeof(*w));

	w->m = m;
	w->cap_ids = MAX(ENCODER_TOKENS, m->file.info.max_tokens);
	w->cap_windows = w->cap_ids / AROUND;
	w->ids = xreallocarray(NULL, w->cap_ids, sizeof(*w->ids));
	w->lengths = xreallocarray(NULL, w->cap_windows, sizeof(*w->lengths));
	w->windows = xreallocarray(NULL, w->cap_windows, sizeof(*w->windows));
	w->vectors = xreallocarray(NULL, w->cap_windows * m->file.info.n_dims, sizeof(*w->vectors));
	buf_init(&w->text, SEGMENT_BYTES + MODEL_PREFIX_BYTES + SPEAKER_BYTES + 64);
	return w;
}

void
model_worker_free(struct model_worker *w)
{
	if (w == NULL)
		return;
	for (size_t i = 0; i < TEXT_ROLES; i++)
		encoder_free(w->encoder[i]);
	buf_release(&w->text);
	free(w->tokens.ids);
	free(w->head.ids);
	free(w->ids);
	free(w->lengths);
	free(w->windows);
	free(w->vectors);
	free(w);
}

void
model_worker_stop(struct model_worker *w, const volatile sig_atomic_t *stop)
{
	w->stop = stop;
}

static bool
is_stopped(const struct model_worker *w)
{
	return w->stop != NULL && *w->stop != 0;
}

/* ---- batches ---- */

static struct encoder *
encoder_of_batch(struct model_worker *w)
{
	struct encoder **e = &w->encoder[w->role];

	if (*e == NULL)
		*e = encoder_new(w->m->adapter == NULL || w->role == TEXT_PLAIN
			? &w->m->file.weights
			: adapter_weights(w->m->adapter, w->role));
	return *e;
}

static void
run_batch(struct model_worker *w, float *out)
{
	size_t n_dims = w->m->file.info.n_dims;

	if (w->n_windows > 0 && !is_stopped(w))
		encoder_run(encoder_of_batch(w), w->ids, w->lengths, w->n_windows, w->vectors);
	for (size_t i = 0; i < w->n_windows && !is_stopped(w); i++) {
		const struct window *at = &w->windows[i];
		const float *from = w->vectors + i * n_dims;
		float *to = out + at->text * n_dims, n = (float)at->n_own;

		for (size_t d = 0; d < n_dims; d++)
			to[d] = at->alone ? from[d] : to[d] + n * from[d];
	}
	w->n_windows = w->n_ids = 0;
}

/*
 * Adds a window of head and body, with the special tokens around it, to the batch. n_head + n_body
 * + AROUND is at most the model's longest input.
 */
static void
add_window(struct model_worker *w, const struct window *at, const uint32_t *head, size_t n_head,
	const uint32_t *body, float *out)
{
	size_t n = AROUND + n_head + at->n_own;

	if (w->n_ids + n > w->cap_ids || w->n_windows == w->cap_windows ||
	    (w->n_ids > 0 && w->n_ids + n > ENCODER_TOKENS))
		run_batch(w, out);
	uint32_t *to = w->ids + w->n_ids;
	*to++ = w->m->file.tokenizer.first;
	if (n_head > 0)
		memcpy(to, head, n_head * sizeof(*to));
	if (at->n_own > 0)
		memcpy(to + n_head, body, at->n_own * sizeof(*to));
	to[n_head + at->n_own] = w->m->file.tokenizer.last;
	w->lengths[w->n_windows] = (uint32_t)n;
	w->windows[w->n_windows++] = *at;
	w->n_ids += n;
}

/* ---- texts ---- */

/*
 * Writes what comes before the text itself; returns true when a closing quote has to follow the
 * text.
 */
static bool
write_head(struct buf *b, const struct model_info *info, const struct model_text *t)
{
	const char *name = t->speaker != NULL ? t->speaker : "";

	buf_reset(b);
	buf_adds(b, t->role == TEXT_PASSAGE ? info->passage_prefix : info->query_prefix);
	if (t->role != TEXT_PASSAGE || info->speaker != SPEAKER_SAID || name[0] == '\0')
		return false;
	buf_add(b, name, utf8_clip(name, strlen(name), SPEAKER_BYTES));
	buf_adds(b, " said, \"");
	return true;
}

static bool is_capital(char c) { return ascii_lower(c) != c; }
static bool is_small(char c) { return ascii_upper(c) != c; }

/*
 * Whether a capital at at, inside the word start .. end - 1, begins another word, as in getUserName
 * and parseHTMLPage; never in URLs.
 */
static bool
is_seam(const char *text, size_t start, size_t at, size_t end)
{
	size_t small = at + 1;

	if (at == start || !is_capital(text[at]))
		return false;
	while (small < end && is_small(text[small]))
		small++;
	return is_small(text[at - 1]) || small > at + 2 || (small == at + 2 && text[at + 1] != 's');
}

/*
 * Whether what surrounds the word start .. end - 1 of text [len] is code: list.HashMap, HashMap(,
 * HashMap<, HashMap[, HashMap::, HashMap.of, or parts joined by underscores.
 */
static bool
is_in_code(const char *text, size_t len, size_t start, size_t end)
{
	char before = start > 0 ? text[start - 1] : ' ', after = end < len ? text[end] : ' ',
	     next = end + 1 < len ? text[end + 1] : ' ';

	return before == '_' || (before == '.' && start > 1 && ascii_is_alnum(text[start - 2])) ||
	    strchr("([<_", after) != NULL || (after == ':' && next == ':') ||
	    (after == '.' && ascii_is_letter(next));
}

/*
 * Whether the word is an identifier: it begins in lower case with at least two letters before its
 * first seam, or has two seams after its second letter, or stands in code. PayPal and GitHub have
 * one seam, LaTeX its first after the second letter, eBay and iCloud one letter before it: people
 * often write these in lower case, and divided they mean something else.
 */
static bool
is_identifier(const char *text, size_t len, size_t start, size_t end)
{
	size_t n = 0, first = end;

	for (size_t at = end; at-- > start;)
		if (is_seam(text, start, at, end)) {
			first = at;
			n++;
		}
	if (is_capital(text[start]) && first == start + 2)
		n--;
	return n > 1 ||
	    (n == 1 &&
		((is_small(text[start]) && first > start + 1) ||
		    is_in_code(text, len, start, end)));
}

/*
 * Writes text [len] with blanks at the seams of its identifiers: a tokenizer that ignores case
 * reads getUserName as getusername and divides that where its vocabulary happens to. A word that
 * the model knows (JavaScript, YouTube) stays whole. nDCG@10 of the vectors of all-MiniLM-L6-v2
 * alone, for code found by its description: Java .546 to .591, Python's library .513 to .520,
 * MATLAB .459 to .467, conala .282 to .288, mbpp .745 to .747, cosqa .606 to .605, shell commands
 * .580 to .576 (400 to 500 questions each).
 */
static void
add_words(struct model_worker *w, const char *text, size_t len)
{
	size_t done = 0;

	for (size_t i = 0, end; i < len; i = end) {
		for (end = i; end < len && ascii_is_alnum(text[end]);)
			end++;
		if (end - i <= IDENTIFIER_BYTES && is_identifier(text, len, i, end) &&
		    !model_is_word(w->m, text + i, end - i))
			for (size_t at = i + 1; at < end; at++) {
				if (!is_seam(text, i, at, end))
					continue;
				buf_add(&w->text, text + done, at - done);
				buf_addc(&w->text, ' ');
				done = at;
			}
		end += end == i;
	}
	buf_add(&w->text, text + done, len - done);
}

static void
tokenize(struct model_worker *w, const struct model_text *t, const char *text, size_t len)
{
	bool said = write_head(&w->text, &w->m->file.info, t);

	if (w->m->file.info.identifiers == IDENTIFIERS_WORDS)
		add_words(w, text, len);
	else
		buf_add(&w->text, text, len);
	if (said)
		buf_addc(&w->text, '"');
	w->tokens.n = 0;
	tokenizer_encode(&w->m->file.tokenizer, w->text.data, w->text.len, &w->tokens);
}

/*
 * Returns how many of the current tokens belong to the head: as many as tokenizing the head alone
 * gives alike; at most half of a window.
 */
static size_t
count_head(struct model_worker *w, const struct model_text *t, size_t room)
{
	size_t n = 0, most;

	write_head(&w->text, &w->m->file.info, t);
	w->head.n = 0;
	tokenizer_encode(&w->m->file.tokenizer, w->text.data, w->text.len, &w->head);
	most = MIN(MIN(w->head.n, w->tokens.n), room / 2);
	while (n < most && w->head.ids[n] == w->tokens.ids[n])
		n++;
	return n;
}

/*
 * Adds the windows of a part of text t, number i, to the batch. whole: the text has no other part.
 */
static void
add_segment(struct model_worker *w, const struct model_text *t, size_t i, const char *text,
	size_t len, bool whole, float *out)
{
	size_t room = w->m->file.info.max_tokens - AROUND, n_head, n_body, n_windows;

	tokenize(w, t, text, len);
	if (w->tokens.n <= room) {
		add_window(w, &(struct window){ i, (uint32_t)w->tokens.n, whole }, NULL, 0,
		    w->tokens.ids, out);
		return;
	}
	n_head = count_head(w, t, room);
	n_body = w->tokens.n - n_head;
	room -= n_head;
	n_windows = (n_body + room - 1) / room;
	for (size_t k = 0; k < n_windows && !is_stopped(w); k++) {
		size_t from = k * n_body / n_windows, to = (k + 1) * n_body / n_windows;

		add_window(w, &(struct window){ i, (uint32_t)(to - from), false }, w->tokens.ids,
		    n_head, w->tokens.ids + n_head + from, out);
	}
}

/*
 * Returns the length of the next segment: segments of about equal length, cut at a blank if one is
 * near, never inside a character.
 */
static size_t
next_segment(const char *text, size_t len)
{
	size_t n_left = (len + SEGMENT_BYTES - SEAM_BYTES - 1) / (SEGMENT_BYTES - SEAM_BYTES), n,
	       seam;

	if (n_left <= 1)
		return len;
	n = utf8_clip(text, len, len / n_left);
	for (seam = n; seam > n - MIN(n, SEAM_BYTES); seam--)
		if (text[seam - 1] == ' ' || text[seam - 1] == '\n')
			return seam;
	return n > 0 ? n : len / n_left;
}

/* Scales a sum of windows to length 1; a sum of zero becomes a unit axis. */
static void
make_unit(float *v, size_t n_dims)
{
	double sum = 0;

	for (size_t d = 0; d < n_dims; d++)
		sum += (double)v[d] * (double)v[d];
	if (!(sum > 0)) {
		v[0] = 1;
		return;
	}
	float scale = (float)(1 / sqrt(sum));
	for (size_t d = 0; d < n_dims; d++)
		v[d] *= scale;
}

void
model_embed(struct model_worker *w, const struct model_text *texts, size_t n, float *out)
{
	size_t n_dims = w->m->file.info.n_dims, room = w->m->file.info.max_tokens - AROUND;

	for (size_t i = 0; i < n && !is_stopped(w); i++) {
		const char *text = texts[i].text;
		size_t left = texts[i].len, part = next_segment(text, left);
		bool whole = part == left;

		if (texts[i].role != w->role)
			run_batch(w, out);
		w->role = texts[i].role;
		memset(out + i * n_dims, 0, n_dims * sizeof(*out));
		do {
			add_segment(w, &texts[i], i, text, part, whole, out);
			text += part;
			left -= part;
			part = next_segment(text, left);
		} while (left > 0 && !is_stopped(w));
		/* the windows of one text must be summed up before the sum is scaled to length 1 */
		if (!whole || w->tokens.n > room) {
			run_batch(w, out);
			make_unit(out + i * n_dims, n_dims);
		}
	}
	run_batch(w, out);
}

/* Counts the tokens of a text, and how many of them are the unknown token. */
static size_t
count_tokens(struct model_worker *w, const struct model_text *text, size_t *n_unknown)
{
	uint32_t unknown = w->m->file.tokenizer.unknown;
	size_t done = 0, n = 0;

	*n_unknown = 0;
	do {
		size_t part = next_segment(text->text + done, text->len - done);

		tokenize(w, text, text->text + done, part);
		n += w->tokens.n;
		for (size_t i = 0; i < w->tokens.n; i++)
			*n_unknown += w->tokens.ids[i] == unknown;
		done += part;
	} while (done < text->len);
	return n;
}

float
model_unknown_share(struct model_worker *w, const struct model_text *text)
{
	size_t n_unknown, n = count_tokens(w, text, &n_unknown);

	return n == 0 ? 0 : (float)n_unknown / (float)n;
}

bool
model_is_word(const struct model *m, const char *word, size_t len)
{
	struct token_list tokens = { NULL, 0, 0 };

	tokenizer_encode(&m->file.tokenizer, word, len, &tokens);
	bool is = tokens.n == 1 && tokens.ids[0] != m->file.tokenizer.unknown;
	free(tokens.ids);
	return is;
}
