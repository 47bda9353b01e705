/*
 * zip.h: archives whose members are read as they lie there, as if the archive were a directory:
 * "export.zip/users.json" is the path of a member (PKWARE's APPNOTE: stored and deflated, ZIP64,
 * data descriptors). Nothing is unpacked by name, so no name can lead out of it. Where the
 * directory at the end is missing, as in half a download, members are found from the start.
 *
 * Members of an archive in an archive stand in the list, too ("export.zip/chat.zip/chat.txt"), but
 * not those of archives in that one. If it is packed it lies in a file without a name meanwhile.
 */
#pragma once

#include <sys/stat.h>

#include "base/err.h"

struct zip;

struct zip_entry {
	const char *name;          /* as the archive has it */
	uint64_t at;               /* of its header */
	uint64_t packed, size;     /* bytes in the archive, and unpacked */
	uint32_t crc;
	unsigned method;           /* 0 stored, 8 deflated; others are not read */
	bool encrypted;
	bool cut;                  /* the archive ends inside it: size and crc are not known */
	bool opened;               /* an archive itself, whose members are in the list */
	const struct zip *in;      /* the archive in the archive that it lies in; NULL: in none */
};

/* Whether path is a file that begins as an archive does. */
bool zip_is(const char *path);

/* Reads which members there are; directories and links are none. ERR_DATA: it is no archive. */
int zip_open(const char *path, struct zip **out, struct err *err);
void zip_close(struct zip *z);
const struct zip_entry *zip_entries(const struct zip *z, size_t *n);   /* by name */
bool zip_is_cut(const struct zip *z);      /* its directory is missing */

/* Whether path is a file, or a member of an archive. */
bool zip_has(const char *path);
/* As stat(2); a member is what its archive is, with its own size, 0 where that is not known. */
bool zip_stat(const char *path, struct stat *st);
/* Whether path leads into an archive that is whole, and has no such member. */
bool zip_lacks(const char *path);
/* realpath, also of a member; the caller frees it. NULL: there is nothing there. */
char *zip_realpath(const char *path);

/* A member's bytes: packed of them from where fd stands. */
struct zip_member { int fd; struct zip_entry entry; };
/*
 * Opens the member at path; *out's entry has no name. 1: done; 0: path leads to none; -1: ERR_DATA,
 * it cannot be read.
 */
int zip_member_open(const char *path, struct zip_member *out, struct err *err);

/* Forgets the archive whose members were opened last, which is kept meanwhile. */
void zip_forget(void);
