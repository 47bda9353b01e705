/* setup.h: the jobs of mem-setup. */
#pragma once

#include "setup/histories.h"
#include "setup/pieces.h"

/* What is told, and asked. */
struct setup_out {
	/* the store, and a program of those that will be wired, which stand in one directory */
	void (*places)(const char *db, const char *program);
	void (*history)(const struct agent *a, bool installed, const struct history *h);
	/*
	 * a file: what is in it ("hooks", "server", "hooks, server", "timer"), and what was done:
	 * "would", "wired", "known", "refused", "restored" or "left"; why may be ""
	 */
	void (*wire)(const char *agent, const char *path, const char *what, const char *did,
		const char *why);
	/*
	 * whether a part ("hooks", "server", "file") of an agent works; of none ("") the store, the
	 * timer, and the name "mem"
	 */
	void (*check)(const char *agent, const char *part, bool ok, const char *message);
	void (*note)(void *arg, const char *text);         /* arg: NULL */
	void (*caution)(void *arg, const char *text);     /* what was not done */
	bool (*agreed)(const char *question);
	void (*done)(void);                    /* all is stored and wired */
	void (*progress)(void *arg, const struct ingest_counts *c);
};

struct setup {
	struct commands commands;
	const char *program, *upkeep, *mem;    /* paths of mem-setup, mem-upkeep and mem */
	const char *const *only;               /* [n_only] names of agents; none: all */
	size_t n_only;
	const struct setup_out *out;
	const volatile sig_atomic_t *stop;
};

/*
 * Finds the programs in dir, and what they are to be called with; the texts live as long as the
 * arena. ERR_CONFIG: they are not there.
 */
int setup_init(struct setup *s, const char *dir, struct arena *a, struct err *err);

/* Says what there is and would be done. */
int setup_look(const struct setup *s, struct err *err);
/*
 * Stores, wires, sets up the timer, makes vectors. look: says first what there is, and asks.
 * ERR_DATA, with all else done: a file could not be wired.
 */
int setup_all(const struct setup *s, bool look, struct err *err);
/* Stores what is new: *n_new messages; n_new may be NULL. */
int setup_store(const struct setup *s, uint64_t *n_new, struct err *err);
/* How many it would find new. */
int setup_new(const struct setup *s, uint64_t *n_new, struct err *err);
/* The same, and then runs mem-upkeep for the rest. */
int setup_ingest(const struct setup *s, struct err *err);
/* ERR_UNAVAILABLE: something does not work, or is not wired. */
int setup_check(const struct setup *s, struct err *err);
/* list: says first what would be given back, and asks. ERR_DATA: a file was left. */
int setup_undo(const struct setup *s, bool list, struct err *err);
