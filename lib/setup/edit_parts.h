/* edit_parts.h: the editors of each form of file. Private to lib/setup. */
#pragma once

#include "setup/edit.h"

/* A text that is being edited; the arena is for what lives as long as the edit. */
struct edit {
	struct buf text;
	const struct edit_original *original;
	struct arena arena;
};

/*
 * has: 1 when the text has the piece as it is, 0 when not, -1 with err when it cannot be read.
 * add: adds a piece that it has not. remove: takes one of ours out that is in the place of the
 * piece; 1: it did, 0: there is none.
 */
struct editor {
	int (*has)(struct edit *e, const struct piece *p, struct err *err);
	int (*add)(struct edit *e, const struct piece *p, struct err *err);
	int (*remove)(struct edit *e, const struct piece *p, struct err *err);
};

extern const struct editor edit_json, edit_toml, edit_yaml;

/* Replaces the bytes from start to end. */
void edit_replace(struct edit *e, size_t start, size_t end, const char *by, size_t len);
/* "\n", or what the file has. */
const char *edit_newline(const struct edit *e);
/*
 * Takes whole lines out. Where the last of them had no newline, as it was added to a text without
 * one, the newline before them goes, too.
 */
void edit_cut_lines(struct edit *e, size_t start, size_t end);
