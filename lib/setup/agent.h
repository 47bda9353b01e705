/*
 * agent.h: the agents that mem-setup knows: where each keeps its histories, which of its files tell
 * it of hooks and servers, and what goes in there. Adding an agent is one row of the table.
 *
 * A place is written as a shell would: "${CODEX_HOME:-~/.codex}/sessions", with * for any name.
 * "A|B": A where it is there, else B. One with an unset variable that has no default is nowhere.
 * Where a row has a home, places that begin with neither "$", "~" nor "/" lie in it. "@A" is a list
 * that the agent keeps of its projects, {"projects": [{"data_dir": ...}]}: the databases in these.
 */
#ifndef SETUP_AGENT_H
#define SETUP_AGENT_H

#include "base/arena.h"

enum wire_form {
	WIRE_JSON,                 /* with or without comments; what is added is merged */
	WIRE_TOML,                 /* tables at the end */
	WIRE_YAML,                 /* an entry in a mapping */
	WIRE_FILE                  /* a file of its own */
};

/* Something that is added to a file of an agent. */
struct wire {
	const char *file;          /* a place */
	enum wire_form form;
	/*
	 * what: JSON text, or a file of schema/. "mem-hook ..." and "mem-mcp" in it become the
	 * commands of this installation
	 */
	const char *adds;
	bool server;               /* it names our server; else it calls our hooks */
};

struct agent {
	const char *name;          /* as mem-hook and mem-ingest call it */
	const char *title;
	const char *home;          /* a place: where it is, the agent is installed */
	const char *histories[4];  /* places of files and directories for mem-ingest */
	const char *format;        /* as mem-ingest calls theirs; NULL: it looks itself */
	struct wire wires[3];
	const char *note;          /* what is left to the user; NULL: nothing */
};

extern const struct agent agents[];            /* the last has no name */
const struct agent *agent_find(const char *name);      /* NULL: there is none */

struct places { char **paths; size_t n, cap; };
void places_release(struct places *p);
/* Adds a copy of the path, if it is not there yet. */
void places_add(struct places *p, const char *path);
/*
 * Adds the places of an agent's homes, histories (what exists) or of a wire's file (which may not
 * exist; its home does).
 */
void agent_homes(const struct agent *a, struct places *out);
void agent_histories(const struct agent *a, struct places *out);
void agent_files(const struct agent *a, const struct wire *w, struct places *out);

/* Adds "NAME=value" for each variable of the environment that a place of the table depends on. */
void agent_variables(struct places *out);

#endif
