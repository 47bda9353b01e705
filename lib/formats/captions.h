/*
 * captions.h: what was said in a meeting or a film, as WebVTT (.vtt) or SubRip (.srt): words with
 * the time from the start. turns.h is the door to it, and says what these do.
 */
#ifndef FORMATS_CAPTIONS_H
#define FORMATS_CAPTIONS_H

#include "formats/turns.h"

struct captions;

bool captions_detect(const char *bytes, size_t len);
/* name is the file's: when it was recorded may stand there. */
struct captions *captions_new(const char *bytes, size_t len, const char *name);
void captions_free(struct captions *c);
bool captions_begins(struct captions *c, const char *line, size_t len);
int
captions_read(struct captions *c, const char *unit, size_t len, struct arena *a, struct turn *out);

#endif
