/*
 * zip_unpack.h: the bytes of a member of an archive, in a file where they can be read.
 */
#ifndef BASE_ZIP_UNPACK_H
#define BASE_ZIP_UNPACK_H

#include "base/zip.h"

/*
 * Appends the e->packed bytes of fd from at on to the file to, unpacked where unpack says so.
 * false: they are not what e says, or there is no room.
 */
bool zip_copy(int fd, uint64_t at, const struct zip_entry *e, bool unpack, int to);

#endif
