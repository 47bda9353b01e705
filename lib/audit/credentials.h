/*
 * credentials.h: passwords and keys as people note them down, without a form of their own: "the
 * password of the wifi is ...", "admin / ...", "PIN ...". What has a form, text/secrets.h finds.
 *
 * It may take for a secret what is none, so that it is for what a person looks at; what is stored
 * is never changed by it. What is shown is looked through for both kinds at once.
 */
#pragma once

#include "base/arena.h"

/*
 * Replaces *text [*len], if there are secrets with a form (text/secrets.h) or without in it, by a
 * copy in the arena that has "[REDACTED:form]" in their place; returns what follows the first
 * "[REDACTED:" then, else NULL. Cost: linear.
 */
const char *credentials_hide(const char **text, size_t *len, struct arena *a);
