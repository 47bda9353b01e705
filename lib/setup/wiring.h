/* wiring.h: the files of agents that call our programs: looked at, written, given back. */
#pragma once

#include "setup/agent.h"
#include "setup/journal.h"
#include "setup/pieces.h"

enum wired {
	WIRED_NOT,                 /* it could be */
	WIRED_YET,                 /* it calls us, by us or by the user */
	WIRED_NEVER                /* it cannot take it; why says the reason */
};

struct wiring {
	const struct agent *agent;
	int64_t wires;             /* those of the agent that this file has, a bit each */
	enum wire_form form;
	const char *path;          /* as the agent knows it; in the caller's arena */
	bool hooks, server;        /* what is in those wires */
	enum wired state;
	char why[512];
};

struct wirings { struct wiring *list; size_t n, cap; };

/* Adds the files of an installed agent, each once, with their state. */
void wirings_find(const struct agent *a, const struct commands *c, const struct journal *j,
	struct arena *arena, struct wirings *out);

/*
 * Writes one; its state is then WIRED_YET, or WIRED_NEVER with why. The journal is locked. -1: the
 * journal could not be written, and nothing was.
 */
int wiring_put(struct wiring *w, const struct commands *c, struct journal *j, struct err *err);

/*
 * Gives the file of an entry back: as it was where nothing else changed it, else without our part,
 * and drops the entry. ERR_DATA: it cannot be read now; it and the entry stay.
 */
int wiring_undo(const struct entry *e, const struct commands *c, struct journal *j,
	struct err *err);

/*
 * Puts a section (setup/section.h) of that body into the file at path, or takes it out where the
 * body is "". only: where one of that owner stands already; take: whosever it is. *did: what was
 * done, "same" or "none"; with dry, what would be. ERR_DATA: somebody has edited it, or it is of
 * another owner; ERR_PERM.
 */
#define SECTION_AGENT "section"    /* the agent of its entry in the journal */
struct section_want { const char *body; uint64_t of; bool only, take, dry; };
int wiring_section(const char *path, const struct section_want *want, struct journal *j,
	const char **did, struct err *err);

/*
 * A file of our own that belongs to no agent, such as a unit of systemd; *changed: it was not there
 * as it is.
 */
int wiring_own(const char *path, const char *text, struct journal *j, bool *changed,
	struct err *err);
