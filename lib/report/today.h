/*
 * today.h: what a person is greeted with: the sessions and recalls of today and of the last seven
 * days, and the newest sessions.
 */
#pragma once

#include "base/arena.h"
#include "store/store.h"

#define TODAY_NEWEST 3

struct today {
	/* [0] of today, in the zone of the person, [1] of the seven days that end with it */
	int64_t n_sessions[2], n_recalls[2];
	struct { const char *title, *project; int64_t time_us; } newest[TODAY_NEWEST];
	size_t n;                          /* of newest */
};

/*
 * Reads it; texts are in the arena. Cost: sessions of these days and the log of hooks are read, no
 * message but the first ones of the newest sessions.
 */
int today_read(struct store *s, const struct scope *who, struct today *v, struct arena *a,
	struct err *err);
