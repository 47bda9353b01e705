/*
 * spool.c: each piece is its length, eight bytes as the machine has them, and its bytes. What is in
 * memory goes to the file as it is when it becomes too much.
 */
#include "cluster/spool.h"

#include <errno.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/temp_file.h"

struct spool {
	struct buf pieces;                     /* while f is NULL; then the piece read last */
	size_t at;
	FILE *f;
};

struct spool *
spool_new(void)
{
	struct spool *s = xcalloc(1, sizeof(*s));

	buf_init(&s->pieces, MAX(conf_caps.output_bytes, (size_t)2 * SPOOL_MEMORY));
	return s;
}

void
spool_free(struct spool *s)
{
	if (s == NULL)
		return;
	if (s->f != NULL)
		fclose(s->f);
	buf_release(&s->pieces);
	free(s);
}

static int
failed(struct err *err)
{
	return err_set_errno(err, ERR_IO, "cannot keep the input in a temporary file");
}

static int
to_file(struct spool *s, struct err *err)
{
	int fd = temp_file();

	if (fd < 0 || (s->f = fdopen(fd, "w+")) == NULL) {
		int e = errno;
		if (fd >= 0)
			close(fd);
		errno = e;
		return failed(err);
	}
	if (fwrite(s->pieces.data, 1, s->pieces.len, s->f) != s->pieces.len)
		return failed(err);
	buf_release(&s->pieces);
	buf_init(&s->pieces, MAX(conf_caps.output_bytes, (size_t)2 * SPOOL_MEMORY));
	return 0;
}

int
spool_put(struct spool *s, const char *text, size_t len, struct err *err)
{
	uint64_t n = len;

	if (s->f == NULL && s->pieces.len + sizeof(n) + len > SPOOL_MEMORY && to_file(s, err) != 0)
		return -1;
	if (s->f == NULL) {
		buf_add(&s->pieces, &n, sizeof(n));
		buf_add(&s->pieces, text, len);
	} else if (fwrite(&n, sizeof(n), 1, s->f) != 1 || fwrite(text, 1, len, s->f) != len) {
		return failed(err);
	}
	return 0;
}

int
spool_rewind(struct spool *s, struct err *err)
{
	s->at = 0;
	if (s->f != NULL && (fflush(s->f) != 0 || fseek(s->f, 0, SEEK_SET) != 0))
		return failed(err);
	return 0;
}

int
spool_next(struct spool *s, const char **text, size_t *len, struct err *err)
{
	uint64_t n;

	if (s->f == NULL) {
		if (s->at == s->pieces.len)
			return 0;
		memcpy(&n, s->pieces.data + s->at, sizeof(n));
		*text = s->pieces.data + s->at + sizeof(n);
		s->at += sizeof(n) + n;
	} else {
		if (fread(&n, sizeof(n), 1, s->f) != 1)
			return ferror(s->f) ? failed(err) : 0;
		buf_reset(&s->pieces);
		if (buf_reserve(&s->pieces, n) == NULL || fread(s->pieces.data, 1, n, s->f) != n)
			return failed(err);
		s->pieces.len = n;
		*text = s->pieces.data;
	}
	*len = n;
	return 1;
}
