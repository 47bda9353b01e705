/*
 * forget_spill.c: what is forgotten shall not stand in a file again, not even in one that has no
 * name any more. So its bytes are mixed with a stream that only this process can make: the SHA-256
 * of a key and of a number that counts.
 */
#include <errno.h>
#include <unistd.h>

#include "base/id.h"
#include "base/temp_file.h"
#include "facts/forget_parts.h"

static int
failed(struct err *err)
{
	return err_set_errno(err, ERR_IO,
	    "cannot keep what the proof looks for in a temporary file");
}

static int
begin(struct forget_spill *s, struct err *err)
{
	int fd = temp_file(), e;

	if (fd < 0 || (s->f = fdopen(fd, "w+")) == NULL) {
		e = errno;
		if (fd >= 0)
			close(fd);
		errno = e;
		return failed(err);
	}
	id_noise(s->key, sizeof(s->key));
	return 0;
}

/* The same again takes it back. */
static void
mix(struct forget_spill *s, uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++, s->at++) {
		size_t in = s->at % SHA256_BYTES;
		struct sha256 h;

		if (in == 0) {
			sha256_init(&h);
			sha256_add(&h, s->key, sizeof(s->key));
			sha256_add(&h, &s->at, sizeof(s->at));
			sha256_end(&h, s->stream);
		}
		p[i] ^= s->stream[in];
	}
}

int
forget_spill_put(struct forget_spill *s, const void *bytes, size_t n, struct err *err)
{
	const uint8_t *p = bytes;
	uint8_t mixed[512];

	if (s->f == NULL && begin(s, err) != 0)
		return -1;
	for (size_t at = 0, len; at < n; at += len) {
		len = MIN(n - at, sizeof(mixed));
		memcpy(mixed, p + at, len);
		mix(s, mixed, len);
		if (fwrite(mixed, 1, len, s->f) != len)
			return failed(err);
	}
	s->len += n;
	return 0;
}

int
forget_spill_rewind(struct forget_spill *s, struct err *err)
{
	s->at = 0;
	return s->f != NULL && (fflush(s->f) != 0 || fseek(s->f, 0, SEEK_SET) != 0) ? failed(err)
										    : 0;
}

int
forget_spill_get(struct forget_spill *s, void *bytes, size_t n, struct err *err)
{
	if (s->at == s->len)
		return 0;
	if (fread(bytes, 1, n, s->f) != n)
		return failed(err);
	mix(s, bytes, n);
	return 1;
}

void
forget_spill_free(struct forget_spill *s)
{
	if (s->f != NULL)
		fclose(s->f);
	*s = (struct forget_spill){ 0 };
}
