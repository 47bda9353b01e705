/*
 * beside.h: the small files that an agent keeps beside a conversation and in which stands what the
 * conversation itself does not say, such as the directory in which it worked. A map names them in
 * the comment that it begins with, as seen from the conversation's file:
 *
 *	# beside: ../../state.json %.json
 *
 * where "%" is the name of the directory that the file lies in.
 */
#pragma once

#include "base/buf.h"

/*
 * Sets out to a JSON object with what the files that the map names hold, as JSON where they are
 * JSON and else as a string without white space at its ends. A key is the file's name, as the map
 * writes it but without directories. A file that is not there, cannot be read, is no text or has
 * more than 64 KB is left out; out is empty where none is left.
 */
void beside_read(const char *map, const char *path, const char *directory, struct buf *out);

/*
 * For a map with a line "# parents: KEY": sets out to a JSON array of the first lines of the files
 * that the one at path was forked from, the youngest first. The key of a file's first line names
 * the next, by its path or by an id; where that file is gone, what its name tells is {"id": ID}.
 * Empty: there is none.
 */
void beside_parents(const char *map, const char *path, struct buf *out);
