/*
 * memories.h: what another memory holds, or this one, as records that can be compared: exports of
 * ChatGPT, Claude, mem0 and claude-mem, the databases of the last two, Portable AI Memory, the
 * knowledge graph of MCP's memory server, and notes in Markdown, as basic-memory keeps them.
 *
 * JSON is read by schema/memory/forms.jq, or by a jq program of the user's that gives the same
 * records; databases by the statements of schema/memory. Of Markdown each item of a list is a
 * record, and each line between them, of plain text each line.
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "json/ndjson.h"
#include "store/records.h"

struct memory_item {
	const char *form;          /* "mem0", "notes"; "mem" for ours */
	const char *file;          /* "" for ours */
	uint64_t line;             /* from 1; 0: its file has no lines that mean something */
	/* where the next lines of it begin [n_breaks]: so many bytes before its end */
	const size_t *breaks;
	size_t n_breaks;
	const char *id;            /* "": it has none */
	const char *content;
	size_t len;
	const char *about;         /* the entity or note that it is listed under, or "" */
	/*
	 * whose it is, where that is not who keeps the memory, and of which project, or "": as the
	 * record says, or what stands before its words, which are those behind the label
	 */
	const char *whose, *project;
	size_t label;              /* bytes of the content */
	/*
	 * the agent whose own file has it, or NULL, and whether that is a file of rules; about is
	 * then what stands above it there, without which it may say something else, and is_part: it
	 * is the rest of that
	 */
	const char *host;
	bool is_rule, is_part;
	/* when it was written last, and until when it says it holds; TIME_NONE: not known */
	int64_t time_us, until_us;
	/* of ours: what it rests on [n_sources] */
	const struct record_source *sources;
	size_t n_sources;
	bool given;                /* of ours: the user stored it himself, and so says it */
};

struct memories {
	struct memory_item *items;          /* [n] */
	size_t n, cap;
	size_t n_bad;                          /* lines and files that were not read */
	struct arena arena;                    /* of their texts */
};

/* All zeros: an empty memory. */
void memories_release(struct memories *m);
/* r's texts must live as long as m. */
void memories_add(struct memories *m, const struct memory_item *r);

struct memories_input {
	/* jq: the program of --map, or the file that has it; NULL: what is built in */
	const char *map;
	/* called for a line, or with where NULL for a file of a directory, that could not be
	 * read; the rest is read all the same */
	void (*bad)(const char *where, const char *why);
	/*
	 * NULL, or the agent whose own file it is: of its Markdown each item and each paragraph is
	 * a record, with the line or heading above it
	 */
	const char *host;
};

/*
 * Adds what the file at path holds, "-": the standard input, or all files of a directory that can
 * hold memories. ERR_NOINPUT; ERR_DATA: there is nothing in it that is known, or it breaks off.
 */
int memories_read(struct memories *m, const char *path, const struct memories_input *in,
	struct err *err);

/* The same of an input that is open at path, and closed then. */
int memories_read_open(struct memories *m, const char *path, struct ndjson *file,
	const struct memories_input *in, struct err *err);

/*
 * Stores items [n] as facts, each compared with what is known; one without a project of its own
 * gets that of who. bad may be called with what is no fact; it is counted as refused.
 */
struct memories_sink {
	void (*bad)(const char *where, const char *why);
	void (*without)(void *arg, const char *why);   /* as of remember_fn; arg is nothing */
	const volatile sig_atomic_t *stop;
	/* the item of that number says what the record `of` says, or was forgotten; may be NULL */
	void (*known)(void *arg, size_t number, const char *of);
	void *arg;                                     /* of known */
	bool only_judges;                              /* nothing is stored */
};
struct remember_counts;
int memories_remember(struct store *s, const struct scope *who, const struct memory_item *items,
	size_t n, const struct memories_sink *sink, struct remember_counts *counts,
	struct err *err);

/* Adds the facts and notes of the store that hold now. */
int memories_of_store(struct memories *m, struct store *s, const struct scope *who,
	struct err *err);
