/*
 * forget_scan.c: the bytes of the files, where a word may be left that no row owns.
 */
#define _DEFAULT_SOURCE                    /* madvise */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "facts/forget_parts.h"

#define SCAN_LEAST 6       /* bytes of a word: shorter ones come by chance */
#define SCAN_WINDOW ((size_t)8 << 20)      /* bytes of a file that are looked at at once */
#define HEADS (1u << 16)

/* Words by a hash of their first four bytes, vectors by one of their keys. */
struct heads {
	/* of a head: words [first[head]] to [first[head + 1]], by their places in bytes */
	uint32_t first[HEADS + 1], *words;
	char *bytes;
	const struct forget_vector *vectors;           /* [n_vectors], by key */
	size_t n_vectors;
	uint64_t keys[HEADS / 64];                     /* a bit for each that a vector has */
	bool told_vector, told_page;
	forget_left_fn *fn;
	void *arg;
};

static uint32_t
head_of(const unsigned char *p)
{
	uint32_t v = 0;

	for (int i = 0; i < 4; i++)
		v = v << 8 | (unsigned char)ascii_lower((char)p[i]);
	return (uint32_t)(hash64_mix(v) & (HEADS - 1));
}

static bool
is_word_byte(unsigned char c)
{
	return c < 0x80 && ascii_is_alnum((char)c);
}

static bool
word_is_at(const struct forget_word *w, const unsigned char *bytes, size_t n, size_t at)
{
	size_t len = w->last + 1u;

	if (n - at < len || (at > 0 && is_word_byte(bytes[at - 1])) ||
	    (at + len < n && is_word_byte(bytes[at + len])))
		return false;
	for (size_t i = 0; i < len; i++)
		if (ascii_lower((char)bytes[at + i]) != w->text[i])
			return false;
	return true;
}

static uint32_t
head_of_key(uint64_t key)
{
	return (uint32_t)(hash64_mix(key) & (HEADS - 1));
}

static int
by_key(const void *x, const void *y)
{
	const uint64_t key = *(const uint64_t *)x;
	const struct forget_vector *v = y;

	return (key > v->key) - (key < v->key);
}

/* A vector that begins at p, with left bytes: of one key there are some, of each model and sort. */
static const struct forget_vector *
vector_at(const struct heads *h, const unsigned char *p, size_t left)
{
	const struct forget_vector *v, *end = h->vectors + h->n_vectors;
	uint64_t key = 0;
	uint32_t head;

	for (int i = 7; i >= 0; i--)
		key = key << 8 | p[i];
	head = head_of_key(key);
	if ((h->keys[head / 64] >> (head & 63) & 1) == 0 ||
	    (v = bsearch(&key, h->vectors, h->n_vectors, sizeof(*v), by_key)) == NULL)
		return NULL;
	while (v > h->vectors && v[-1].key == key)
		v--;
	for (; v < end && v->key == key; v++)
		if (left >= 8 + (size_t)v->len && hash64(p + 8, v->len, 0) == v->hash)
			return v;
	return NULL;
}

/* Of the file [n], the bytes from lo to hi. */
static void
scan_vectors(struct heads *h, const unsigned char *bytes, size_t n, size_t lo, size_t hi,
	const char *name)
{
	char where[400];

	for (size_t at = lo; at < hi && at + 8 <= n && h->n_vectors > 0 && !h->told_vector; at++) {
		if (vector_at(h, bytes + at, n - at) == NULL)
			continue;
		snprintf(where, sizeof(where), "file %.300s, byte %zu", name, at);
		h->told_vector = true;
		h->fn(h->arg, "a vector", where);
	}
}

static void
put_free_page(void *arg, int64_t at)
{
	struct heads *h = arg;
	char where[64];

	if (h->told_page)
		return;
	snprintf(where, sizeof(where), "page at byte %lld", (long long)at);
	h->told_page = true;
	h->fn(h->arg, "a free page that is not empty", where);
}

static void
scan_words(const struct heads *h, const unsigned char *bytes, size_t n, size_t lo, size_t hi,
	const char *name)
{
	for (size_t at = lo; at < hi && at + SCAN_LEAST <= n; at++) {
		uint32_t head = head_of(bytes + at);

		for (uint32_t i = h->first[head]; i < h->first[head + 1]; i++) {
			char *place = h->bytes + (size_t)h->words[i] * FORGET_ALIGN, where[400];
			struct forget_word *w = (struct forget_word *)(void *)place;

			if ((w->told & FORGET_BIT(FORGET_WORD)) != 0 ||
			    !word_is_at(w, bytes, n, at))
				continue;
			snprintf(where, sizeof(where), "file %.300s, byte %zu", name, at);
			forget_word_tell(w, FORGET_WORD, where, h->fn, h->arg);
		}
	}
}

/* What was scanned is given back, so that a large file does not fill the memory. */
static void
scan_bytes(struct heads *h, unsigned char *bytes, size_t n, const char *name)
{
	for (size_t lo = 0, hi; lo < n; lo = hi) {
		hi = MIN(lo + SCAN_WINDOW, n);
		scan_words(h, bytes, n, lo, hi, name);
		scan_vectors(h, bytes, n, lo, hi, name);
		madvise(bytes + lo, hi - lo, MADV_DONTNEED);
	}
}

static int
scan_file(struct heads *h, const char *path, struct err *err)
{
	/* it may be a pipe, or a socket (ENXIO) */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), rc = 0;
	struct stat st;
	void *bytes;

	if (fd < 0 && (errno == ENOENT || errno == ENXIO))
		return 0;
	if (fd < 0)
		return err_set_errno(err, ERR_IO, "cannot read '%s'", path);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (bytes == MAP_FAILED) {
			rc = err_set_errno(err, ERR_IO, "cannot read '%s'", path);
		} else {
			scan_bytes(h, bytes, (size_t)st.st_size, path);
			munmap(bytes, (size_t)st.st_size);
		}
	}
	close(fd);
	return rc;
}

/* Whether a word is looked for in files. */
static bool
is_looked_for(const struct forget_word *w)
{
	return (w->is & ~w->also & FORGET_BIT(FORGET_WORD)) != 0 && w->last + 1u >= SCAN_LEAST;
}

/* Sorts the words by their heads: how many there are of each, where each begins, and each there. */
static void
sort_words(struct heads *h, const struct forget_words *words)
{
	struct forget_word *w = NULL;
	uint32_t n = 0;

	while ((w = forget_words_next(words, w)) != NULL)
		if (is_looked_for(w))
			h->first[head_of((const unsigned char *)w->text)]++;
	for (size_t i = 0; i <= HEADS; i++) {
		n += h->first[i];
		h->first[i] = n;           /* the end, which goes down to where it begins */
	}
	h->words = xreallocarray(NULL, (size_t)n + 1, sizeof(*h->words));
	h->bytes = words->bytes;
	while ((w = forget_words_next(words, w)) != NULL)
		if (is_looked_for(w))
			h->words[--h->first[head_of((const unsigned char *)w->text)]] =
			    (uint32_t)((size_t)((char *)w - h->bytes) / FORGET_ALIGN);
}

static struct heads *
heads_of(const struct forget *f, forget_left_fn *fn, void *arg)
{
	struct heads *h = xcalloc(1, sizeof(*h));

	h->fn = fn;
	h->arg = arg;
	sort_words(h, &f->words);
	h->vectors = f->vectors;
	h->n_vectors = f->n_vectors;
	for (size_t i = 0; i < f->n_vectors; i++) {
		uint32_t head = head_of_key(f->vectors[i].key);

		h->keys[head / 64] |= (uint64_t)1 << (head & 63);
	}
	return h;
}

/* The store's file, and all beside it whose names begin with its name: log, copies, backups. */
int
forget_scan(const char *path, struct forget *f, forget_left_fn *fn, void *arg, struct err *err)
{
	FREED struct heads *h = heads_of(f, fn, arg);
	const char *base = strrchr(path, '/');
	LOCAL(arena) a = ARENA_INIT;
	const char *dir = base != NULL ? arena_strndup(&a, path, (size_t)(base - path) + 1) : "./";
	struct dirent *e;
	DIR *d = opendir(dir);
	int rc = 0;

	base = base != NULL ? base + 1 : path;
	if (d == NULL)
		rc = err_set_errno(err, ERR_IO, "cannot read '%s'", dir);
	while (rc == 0 && (errno = 0, e = readdir(d)) != NULL)
		if (strncmp(e->d_name, base, strlen(base)) == 0)
			rc = scan_file(h, arena_printf(&a, "%s%s", dir, e->d_name), err);
	if (rc == 0 && errno != 0)
		rc = err_set_errno(err, ERR_IO, "cannot read '%s'", dir);
	if (d != NULL)
		closedir(d);
	if (rc == 0)
		rc = store_free_pages_left(path, put_free_page, h, err);
	free(h->words);
	return rc;
}
