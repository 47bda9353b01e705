/*
 * seal.c: what is sealed is
 *
 *	"mem sealed 1\n"         and a byte, the number of recipients
 *	80 bytes a recipient     the key of the stream, in a sealed box (crypto_box_seal)
 *	24 bytes                 the header of the stream
 *	pieces of 64 KB + 17     crypto_secretstream_xchacha20poly1305; the last is shorter, may be
 *	                         empty, and is tagged as the last
 *
 * All before the first piece is authenticated with it. A piece is written only when it was found
 * whole, and as the last one is tagged, a file that is cut short is known as that.
 */
#include "seal/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/base64.h"
#include "base/write.h"

#define PIECE   65536
#define MAGIC   "mem sealed 1\n"
#define N_MAGIC (sizeof(MAGIC) - 1)
#define HEAD_MOST (N_MAGIC + 1 + SEAL_RECIPIENTS_MOST * SODIUM_SEALED_BYTES)

#define PUBLIC "mem-public-"
#define SECRET "mem-secret-"

/* ---- keys ---- */

int
seal_keys_new(struct seal_public *public, struct seal_secret *secret, struct err *err)
{
	const struct sodium *so = sodium_load(err);

	if (so == NULL)
		return -1;
	return so->crypto_box_keypair(public->bytes, secret->bytes) == 0
	    ? 0 : err_set(err, ERR_BUG, "no key could be made");
}

int
seal_public_of(const struct seal_secret *secret, struct seal_public *out, struct err *err)
{
	const struct sodium *so = sodium_load(err);

	if (so == NULL)
		return -1;
	return so->crypto_scalarmult_base(out->bytes, secret->bytes) == 0
	    ? 0 : err_set(err, ERR_DATA, "the secret key is none");
}

static void
write_key(struct buf *out, const char *kind, const uint8_t *bytes)
{
	buf_adds(out, kind);
	base64_encode(out, bytes, SODIUM_KEY_BYTES);
}

void
seal_write_public(struct buf *out, const struct seal_public *public)
{
	write_key(out, PUBLIC, public->bytes);
}

void
seal_write_secret(struct buf *out, const struct seal_secret *secret)
{
	write_key(out, SECRET, secret->bytes);
}

static int
read_key(const char *text, size_t len, const char *kind, const char *name, uint8_t *out,
	struct err *err)
{
	const char *end = text + len, *line = text, *next;
	size_t n_kind = strlen(kind);

	for (; line < end; line = next) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));

		stop = stop != NULL ? stop : end;
		next = stop < end ? stop + 1 : end;
		while (stop > line && ascii_is_space(stop[-1]))
			stop--;
		size_t n = (size_t)(stop - line);
		if (n > n_kind && memcmp(line, kind, n_kind) == 0 &&
		    base64_bytes(line + n_kind, n - n_kind) == SODIUM_KEY_BYTES &&
		    base64_decode(line + n_kind, n - n_kind, out))
			return 0;
		if (n > 0 && *line != '#')
			break;
	}
	return err_set(err, ERR_DATA, "%s: no key that begins with '%s'", name, kind);
}

int
seal_read_public(const char *text, size_t len, const char *name, struct seal_public *out,
	struct err *err)
{
	return read_key(text, len, PUBLIC, name, out->bytes, err);
}

int
seal_read_secret(const char *text, size_t len, const char *name, struct seal_secret *out,
	struct err *err)
{
	return read_key(text, len, SECRET, name, out->bytes, err);
}

void
seal_wipe(void *p, size_t n)
{
	for (volatile uint8_t *b = p; n > 0; n--)
		*b++ = 0;
}

/* ---- streams ---- */

bool
seal_is(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char head[N_MAGIC];
	ssize_t n = fd < 0 ? 0 : read(fd, head, N_MAGIC);

	if (fd >= 0)
		close(fd);
	return n == (ssize_t)N_MAGIC && memcmp(head, MAGIC, N_MAGIC) == 0;
}

/* Reads n bytes, or all up to the end; -1. */
static ptrdiff_t
read_whole(int fd, uint8_t *p, size_t n, struct err *err)
{
	size_t have = 0;

	while (have < n) {
		ssize_t got = read(fd, p + have, n - have);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_set_errno(err, ERR_IO, "cannot read the input");
		if (got == 0)
			break;
		have += (size_t)got;
	}
	return (ptrdiff_t)have;
}

static int
put_whole(int fd, const uint8_t *p, size_t n, struct err *err)
{
	return write_whole(fd, p, n) == 0 ? 0 : err_set_errno(err, ERR_IO, "cannot write");
}

struct stream {
	const struct sodium *so;
	struct sodium_state state;
	uint8_t key[SODIUM_KEY_BYTES];
	uint8_t head[HEAD_MOST + SODIUM_HEADER_BYTES];
	size_t n_head;
	uint8_t plain[PIECE], sealed[PIECE + SODIUM_EXTRA_BYTES];
};

static struct stream *
stream_new(struct err *err)
{
	const struct sodium *so = sodium_load(err);
	struct stream *s;

	if (so == NULL)
		return NULL;
	s = xcalloc(1, sizeof(*s));
	s->so = so;
	return s;
}

static void
stream_free(struct stream *s)
{
	seal_wipe(s, sizeof(*s));
	free(s);
}

/* Makes the head, and the key of the stream in it. */
static int
begin_seal(struct stream *s, const struct seal_public *to, size_t n, struct err *err)
{
	memcpy(s->head, MAGIC, N_MAGIC);
	s->head[N_MAGIC] = (uint8_t)n;
	s->n_head = N_MAGIC + 1;
	s->so->crypto_secretstream_xchacha20poly1305_keygen(s->key);
	for (size_t i = 0; i < n; i++, s->n_head += SODIUM_SEALED_BYTES)
		if (s->so->crypto_box_seal(s->head + s->n_head, s->key, SODIUM_KEY_BYTES,
			to[i].bytes) != 0)
			return err_set(err, ERR_DATA, "a recipient's key is none");
	if (s->so->crypto_secretstream_xchacha20poly1305_init_push(&s->state,
		s->head + s->n_head, s->key) != 0)
		return err_set(err, ERR_BUG, "cannot begin to seal");
	s->n_head += SODIUM_HEADER_BYTES;
	return 0;
}

int
seal_stream(int in, int out, const struct seal_public *to, size_t n, struct err *err)
{
	struct stream *s = stream_new(err);
	unsigned long long n_sealed;
	ptrdiff_t got = PIECE;

	if (s == NULL)
		return -1;
	int rc = begin_seal(s, to, n, err);
	if (rc == 0)
		rc = put_whole(out, s->head, s->n_head, err);
	for (size_t n_ad = s->n_head; rc == 0 && got == PIECE; n_ad = 0) {
		if ((got = read_whole(in, s->plain, PIECE, err)) < 0)
			rc = -1;
		else if (s->so->crypto_secretstream_xchacha20poly1305_push(&s->state, s->sealed,
			     &n_sealed, s->plain, (unsigned long long)got, s->head, n_ad,
			     got < PIECE ? SODIUM_LAST : 0) != 0)
			rc = err_set(err, ERR_BUG, "cannot seal");
		else
			rc = put_whole(out, s->sealed, (size_t)n_sealed, err);
	}
	stream_free(s);
	return rc;
}

/* Reads the head, and finds the key of the stream. */
static int
begin_open(struct stream *s, int in, const struct seal_secret *secret, struct err *err)
{
	struct seal_public own;
	ptrdiff_t got = read_whole(in, s->head, N_MAGIC + 1, err);
	bool found = false;

	if (got < 0 || seal_public_of(secret, &own, err) != 0)
		return -1;
	size_t n = s->head[N_MAGIC];
	if ((size_t)got < N_MAGIC + 1 || memcmp(s->head, MAGIC, N_MAGIC) != 0 || n == 0 ||
	    n > SEAL_RECIPIENTS_MOST)
		return err_set(err, ERR_DATA, "this is not sealed by mem-seal");
	s->n_head = N_MAGIC + 1 + n * SODIUM_SEALED_BYTES + SODIUM_HEADER_BYTES;
	got = read_whole(in, s->head + N_MAGIC + 1, s->n_head - N_MAGIC - 1, err);
	if (got < 0)
		return -1;
	if ((size_t)got < s->n_head - N_MAGIC - 1)
		return err_set(err, ERR_DATA, "what is sealed is cut short");
	for (size_t i = 0; i < n && !found; i++)
		found = s->so->crypto_box_seal_open(s->key,
		    s->head + N_MAGIC + 1 + i * SODIUM_SEALED_BYTES, SODIUM_SEALED_BYTES,
		    own.bytes, secret->bytes) == 0;
	if (!found)
		return err_set(err, ERR_PERM,
		    "it is sealed to another key: this one opens nothing of it");
	return s->so->crypto_secretstream_xchacha20poly1305_init_pull(&s->state,
	    s->head + s->n_head - SODIUM_HEADER_BYTES, s->key) == 0
	    ? 0 : err_set(err, ERR_DATA, "what is sealed was changed");
}

int
seal_open(int in, int out, const struct seal_secret *secret, struct err *err)
{
	struct stream *s = stream_new(err);
	unsigned long long n_plain;
	unsigned char tag = 0;
	uint8_t more;
	ptrdiff_t got;

	if (s == NULL)
		return -1;
	int rc = begin_open(s, in, secret, err);
	for (size_t n_ad = s->n_head; rc == 0 && tag != SODIUM_LAST; n_ad = 0) {
		if ((got = read_whole(in, s->sealed, sizeof(s->sealed), err)) < 0)
			rc = -1;
		else if (got < SODIUM_EXTRA_BYTES)
			rc = err_set(err, ERR_DATA, "what is sealed is cut short");
		else if (s->so->crypto_secretstream_xchacha20poly1305_pull(&s->state, s->plain,
			     &n_plain, &tag, s->sealed, (unsigned long long)got, s->head,
			     n_ad) != 0)
			rc = err_set(err, ERR_DATA, got < (ptrdiff_t)sizeof(s->sealed)
				? "what is sealed is cut short, or was changed"
				: "what is sealed was changed");
		else
			rc = put_whole(out, s->plain, (size_t)n_plain, err);
	}
	if (rc == 0 && read_whole(in, &more, 1, err) != 0)
		rc = err_set(err, ERR_DATA, "something stands behind what is sealed");
	stream_free(s);
	return rc;
}
