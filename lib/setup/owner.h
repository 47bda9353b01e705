/* owner.h: who the owner of this account may be among those who speak in its memory. */
#pragma once

#include "base/arena.h"

/*
 * A value for the setting "me", in the arena: the name and address that git(1) is told in the home,
 * and names in the store, if there is one, that are the address's first part; "": the setting says
 * it already, or nothing is found. Runs no program.
 */
const char *owner_proposed(struct arena *a);
