/*
 * mem.h: the memory of mem as a C library: what was said is put, searched for, made a block for a
 * prompt, and forgotten; facts and notes are remembered. mem(3) is its page.
 */
#ifndef MEM_H
#define MEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MEM_ID 27                  /* bytes of an id with its NUL */

/* A handle: one user's memory in one store, with settings of its own. */
struct mem;

/* The codes are the exit statuses of the programs. */
enum mem_code {
	MEM_OK = 0,
	MEM_USAGE = 64,            /* a call that cannot be */
	MEM_DATA = 65,             /* what was given is no message, question or fact */
	MEM_NOINPUT = 66,          /* there is none of that name */
	MEM_UNAVAILABLE = 69,      /* a server or service does not answer */
	MEM_MEMORY = 70,           /* there was no memory; only mem_close is left */
	MEM_IO = 74,               /* a full disk, a damaged store */
	MEM_BUSY = 75,             /* others wrote for longer than the setting "wait" */
	MEM_PERM = 77,
	MEM_CONFIG = 78            /* a setting, or a store that this version cannot use */
};

/* Filled by a call that returns -1. Everywhere it may be NULL. */
struct mem_error {
	int code;                  /* enum mem_code */
	char text[1024];           /* lower case, no full stop */
};

/* Texts are UTF-8. When putting, NULL is none. */
struct mem_message {
	const char *session;       /* the conversation; needed */
	const char *role;          /* "user", "assistant", "system", "tool" or another; needed */
	const char *name;          /* who speaks */
	const char *content;
	const char *project;
	const char *source_id;     /* what the caller knows it by */
	int64_t time_us;           /* microseconds since 1970, UTC; 0 when putting: now */
	char id[MEM_ID];           /* filled; "" when putting: nothing of it was stored */
};

struct mem_hit {
	const char *kind;          /* "message", "fact", "reflection" (a note) or "summary" */
	struct mem_message message; /* role and name are "" where it is none */
	double p;                  /* how probably it answers, 0 to 1; NAN: not known */
};

/*
 * Opens the store at path, a file or the URL of a PostgreSQL database, and makes the file where
 * there is none; NULL: that of the programs. settings: names and values of mem-config(5) by turns,
 * then NULL; it may be NULL. Neither the environment's nor the configuration file's are used.
 */
int mem_open(const char *path, const char *const *settings, struct mem **out,
	struct mem_error *err);
void mem_close(struct mem *m);     /* m may be NULL */

/*
 * Stores messages [n], all or none. One that is known, by its source_id or else by session, time,
 * role and content, is not stored again and gets the id that it has. Secrets are taken out, as by
 * mem-ingest(1).
 */
int mem_put(struct mem *m, struct mem_message *messages, size_t n, struct mem_error *err);

/* *hits [*n], best first, at most limit, until the next call with m. */
int mem_search(struct mem *m, const char *question, size_t limit, const struct mem_hit **hits,
	size_t *n, struct mem_error *err);

/*
 * *text, until the next call with m: what was said about the question, within so many tokens, as by
 * mem-context(1); "": nothing.
 */
int mem_context(struct mem *m, const char *question, unsigned tokens, const char **text,
	struct mem_error *err);

/*
 * Stores a text as a note, or with a key as a fact on it, of which one holds at a time; id becomes
 * that of what now says it, which may have been there.
 */
int mem_remember(struct mem *m, const char *text, const char *key, char id[MEM_ID],
	struct mem_error *err);

/*
 * Removes a message, fact, note or summary for good, with all that was made of it alone. id may
 * also be "source:" and a source_id. MEM_NOINPUT: there is none.
 */
int mem_forget(struct mem *m, const char *id, struct mem_error *err);

#ifdef __cplusplus
}
#endif

#endif
