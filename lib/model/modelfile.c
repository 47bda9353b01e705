/*
 * modelfile.c: a model as one file that is used where it is mapped.
 *
 *	byte 0     header, a page: magic "memmodel", byte order, version, size of the file, shapes,
 *	           kind of tokenizer, names, prefixes, hash of the published weights,
 *	           table of sections {kind, index, offset, bytes, SHA-256};
 *	           its last 32 bytes: SHA-256 of those before them
 *	           tokenizer      tables of tokenizer.h
 *	           embeddings     type [D], norm weight [D] and bias [D], positions [P][D]
 *	           layer 0        qkv, attention, norm, in, out, norm;
 *	                          a matrix is packed int8, scale [N], bias [N]
 *	           ...
 *	           words          scale [vocab], int8 [vocab][D]
 *	           centre         [D]; left out where it is zero
 *
 * Numbers are in the byte order of the machine that wrote the file, and float32 unless stated
 * otherwise. Every tensor and section starts at a multiple of 64 bytes, with zeros in between. The
 * reference form has float32 [N][K] for packed and scale, and float32 [vocab][D] for words.
 * Sections stand in the order of first use, so that the kernel's read-ahead helps.
 *
 * Sections must follow each other without a gap and have exactly the sizes that the shapes give, so
 * no table can point outside the file. The header's hash is checked on opening; as the header holds
 * the hashes of all sections, its hash identifies the whole file.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/format.h"

/* Maps the whole file; *map is NULL when that fails. */
static int
map_file(const char *path, const void **map, size_t *n, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	int rc = 0;

	if (fd < 0)
		return err_set_errno(err, ERR_NOINPUT, "cannot open the model '%s'", path);
	if (fstat(fd, &st) != 0) {
		rc = err_set_errno(err, ERR_NOINPUT, "cannot open the model '%s'", path);
	} else if (!S_ISREG(st.st_mode) || st.st_size < FORMAT_HEADER_BYTES ||
	    (uint64_t)st.st_size > SIZE_MAX) {
		rc = err_set(err, ERR_DATA, "'%s' is not a model file", path);
	} else {
		void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);

		if (p == MAP_FAILED) {
			rc = err_set_errno(err, ERR_NOINPUT, "cannot map the model '%s'", path);
		} else {
			*map = p;
			*n = (size_t)st.st_size;
		}
	}
	close(fd);
	return rc;
}

static int
check_header(const struct format_header *h, size_t n_map, uint8_t hash[SHA256_BYTES],
	const char *path, struct err *err)
{
	struct err why = ERR_INIT;

	if (memcmp(h->magic, FORMAT_MAGIC, sizeof(h->magic)) != 0)
		return err_set(err, ERR_DATA, "'%s' is not a model file", path);
	if (h->byte_order != FORMAT_BYTE_ORDER)
		return err_set(err, ERR_DATA,
		    "the model '%s' is of a machine of another byte order", path);
	if (h->version != FORMAT_VERSION)
		return err_set(err, ERR_DATA,
		    "the model '%s' is of format %u, not %d: convert it again", path, h->version,
		    FORMAT_VERSION);
	if (h->n_bytes != n_map)
		return err_set(err, ERR_DATA, "the model '%s' is damaged: %zu bytes, not %llu",
		    path, n_map, (unsigned long long)h->n_bytes);
	sha256(h, FORMAT_HASHED_BYTES, hash);
	if (memcmp(hash, (const uint8_t *)h + FORMAT_HASHED_BYTES, SHA256_BYTES) != 0)
		return err_set(err, ERR_DATA, "the model '%s' is damaged: its header", path);
	if (format_check(h, &why) != 0)
		return err_set(err, ERR_DATA, "the model '%s' cannot be used: %s", path, why.msg);
	return 0;
}

static void
set_info(struct model_info *info, const struct format_header *h, const uint8_t hash[SHA256_BYTES])
{
	memcpy(info->name, h->name, sizeof(info->name));
	memcpy(info->licence, h->licence, sizeof(info->licence));
	memcpy(info->query_prefix, h->query_prefix, sizeof(info->query_prefix));
	memcpy(info->passage_prefix, h->passage_prefix, sizeof(info->passage_prefix));
	info->speaker = (enum model_speaker)h->speaker;
	info->identifiers = (enum model_identifiers)h->identifiers;
	info->n_dims = h->n_dims;
	info->n_layers = h->n_layers;
	info->n_heads = h->n_heads;
	info->n_inner = h->n_inner;
	info->n_vocab = h->n_vocab;
	info->max_tokens = h->max_tokens;
	info->quantised = h->quantised != 0;
	info->unrelated = h->unrelated;
	memcpy(info->source_sha256, h->source_sha256, SHA256_BYTES);
	memcpy(info->sha256, hash, SHA256_BYTES);
	info->n_bytes = h->n_bytes;
}

static void
set_weights(struct modelfile *f, const struct format_header *h)
{
	const uint8_t *base = f->map;

	format_shapes(h, &f->weights);
	for (unsigned i = 1; i < h->n_sections; i++) {
		const struct format_section *s = &h->sections[i];
		const uint8_t *p = base + s->offset;

		if (s->kind == FORMAT_EMBEDDINGS)
			format_place_embeddings(&f->weights, p);
		else if (s->kind == FORMAT_LAYER)
			format_place_layer(&f->weights, h->quantised != 0, s->index, p);
		else if (s->kind == FORMAT_WORDS)
			format_place_words(&f->weights, h->quantised != 0, p);
		else
			f->centre = (const float *)(const void *)p;
	}
}

int
modelfile_open(struct modelfile *f, const char *path, struct err *err)
{
	uint8_t hash[SHA256_BYTES];
	struct err why = ERR_INIT;

	memset(f, 0, sizeof(*f));
	if (map_file(path, &f->map, &f->n_map, err) != 0)
		return -1;
	const struct format_header *h = f->map;
	if (check_header(h, f->n_map, hash, path, err) != 0)
		goto fail;
	set_info(&f->info, h, hash);
	set_weights(f, h);
	if (tokenizer_open(&f->tokenizer, (enum tokenizer_kind)h->tokenizer,
		(const uint8_t *)f->map + h->sections[0].offset, (size_t)h->sections[0].n_bytes,
		h->n_vocab, &why) != 0) {
		err_set(err, ERR_DATA, "the model '%s' cannot be used: %s", path, why.msg);
		goto fail;
	}
	return 0;
fail:
	modelfile_close(f);
	return -1;
}

void
modelfile_close(struct modelfile *f)
{
	if (f->map != NULL)
		munmap((void *)f->map, f->n_map);
	memset(f, 0, sizeof(*f));
}

static const char *
section_name(const struct format_section *s, char *out, size_t size)
{
	static const char *const names[] = { "", "tokenizer", "embeddings", "layer", "words",
		"centre" };

	if (s->kind == FORMAT_LAYER)
		snprintf(out, size, "layer %u", s->index);
	else
		snprintf(out, size, "%s", names[s->kind]);
	return out;
}

int
modelfile_verify(const struct modelfile *f, struct err *err)
{
	const struct format_header *h = f->map;
	const uint8_t *base = f->map;
	char name[32];

	for (unsigned i = 0; i < h->n_sections; i++) {
		const struct format_section *s = &h->sections[i];
		uint64_t end = s->offset + s->n_bytes, next = MIN(format_align(end), h->n_bytes);
		uint8_t hash[SHA256_BYTES];

		sha256(base + s->offset, (size_t)s->n_bytes, hash);
		if (memcmp(hash, s->sha256, SHA256_BYTES) != 0)
			return err_set(err, ERR_DATA, "the model '%s' is damaged: %s", f->info.name,
			    section_name(s, name, sizeof(name)));
		for (; end < next; end++)
			if (base[end] != 0)
				return err_set(err, ERR_DATA,
				    "the model '%s' is damaged: behind %s", f->info.name,
				    section_name(s, name, sizeof(name)));
	}
	return 0;
}
