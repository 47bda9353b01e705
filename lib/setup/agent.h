/*
 * agent.h: the agents that mem-setup knows: where each keeps its histories, which of its files tell
 * it of hooks and servers, and what goes in there. schema/agents.txt has them, and says how a place
 * is written; adding an agent is one row of it.
 */
#pragma once

#include "base/arena.h"

enum wire_form { WIRE_JSON, WIRE_TOML, WIRE_YAML, WIRE_FILE };

/* Something that is added to a file of an agent. */
struct wire {
	const char *file;          /* a place */
	enum wire_form form;
	const char *adds;          /* JSON text, or a file of schema/ */
	bool server;               /* it names our server; else it calls our hooks */
};

struct agent {
	const char *name;          /* as mem-hook and mem-ingest call it */
	const char *title;
	const char *home;          /* a place: where it is, the agent is installed */
	const char *histories[4];  /* places of files and directories for mem-ingest */
	const char *format;        /* as mem-ingest calls theirs; NULL: it looks itself */
	struct wire wires[3];
	const char *memory, *rules;            /* places, "; " between them; NULL: none */
	const char *note;          /* what is left to the user; NULL: nothing */
};

const struct agent *agents(void);              /* the last has no name */
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

/*
 * Adds the files in which an agent keeps what it remembers by itself, or its rules: of the project
 * with that root, "" for none, and of all projects. Only what is there.
 */
void agent_memories(const struct agent *a, bool rules, const char *project, struct places *out);
/*
 * The file of the project, in the arena, in which the agent looks for rules: one that is there,
 * else the first it would read. NULL: there is none.
 */
const char *agent_rules_file(const struct agent *a, const char *project, struct arena *arena);

/* Adds "NAME=value" for each variable of the environment that a place of the table depends on. */
void agent_variables(struct places *out);
