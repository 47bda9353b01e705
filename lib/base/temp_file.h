/*
 * temp_file.h: a file without a name, for what is too much to be held in memory. Its bytes are gone
 * when it is closed, or when the process ends.
 */
#ifndef BASE_TEMP_FILE_H
#define BASE_TEMP_FILE_H

/* A new file in TMPDIR, or else in /tmp, open for reading and writing; -1 with errno. */
int temp_file(void);

#endif
