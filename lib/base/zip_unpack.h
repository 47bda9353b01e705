/*
 * zip_unpack.h: a member of an archive as a file of its own, so that an archive in an archive can
 * be read as one.
 */
#ifndef BASE_ZIP_UNPACK_H
#define BASE_ZIP_UNPACK_H

#include "base/zip.h"

/*
 * The e->packed bytes of fd from at on, unpacked where unpack says so, in a file without a name
 * (temp_file.h), read from its start. -1: they are not what e says, or there is no room.
 */
int zip_unpack(int fd, uint64_t at, const struct zip_entry *e, bool unpack);

#endif
