/*
 * me.h: who the owner of a memory is among those who speak in it: the setting "me", names,
 * addresses and handles with commas between.
 */
#pragma once

#include "base/base.h"

/* Whether the setting says anything. */
bool me_is_known(void);

/*
 * Whether a speaker of that name is the owner: it is one of those of the setting, letters of either
 * case and an "@" in front count as the same, or has one of them between "<" and ">".
 */
bool me_is(const char *name);

/* Whether who speaks as user is the owner: no other is named, or nobody knows who the owner is. */
static inline bool
me_speaks(const char *name)
{
	return *name == '\0' || !me_is_known() || me_is(name);
}
