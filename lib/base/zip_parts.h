/* zip_parts.h: an archive: zip_members.c finds its members, zip.c opens them by their paths. */
#pragma once

#include "base/arena.h"
#include "base/zip.h"

#define ZIP_ENTRIES_MOST 1000000u

struct zip {
	int fd;
	uint64_t base, size;       /* where it begins in fd: an archive in an archive does later */
	struct arena arena;        /* names */
	struct zip_entry *entries; /* [n], by name */
	size_t n, cap;
	bool cut;
	struct zip **inner;        /* [n_inner], archives in it */
	size_t n_inner, cap_inner;
	int unpacked;              /* a file of those that were packed in it; -1: none was */
	bool unopened;             /* there is one that is not read */
	/* which file it was, for the one that is kept */
	char *path;
	struct stat st;
};

/* Reads which members lie in these bytes of a file into a new z. ERR_DATA: it is damaged. */
int zip_members(struct zip *z, int fd, uint64_t base, uint64_t length, struct err *err);

/* Where the bytes of a member begin; 0: its header is not there. */
uint64_t zip_data_at(const struct zip *z, const struct zip_entry *e);

/* ---- zip_unpack.c ---- */
/*
 * Appends the e->packed bytes of fd from at on to the file to, unpacked where unpack says so.
 * false: they are not what e says, or there is no room.
 */
bool zip_copy(int fd, uint64_t at, const struct zip_entry *e, bool unpack, int to);
