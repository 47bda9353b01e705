/*
 * credentials.h: passwords and keys as people note them down, without a form of their own: "the
 * password of the wifi is ...", "admin / ...", "PIN ...". What has a form, text/secrets.h finds.
 *
 * It may take for a secret what is none, so that it is for what a person looks at; what is stored
 * is never changed by it.
 */
#ifndef AUDIT_CREDENTIALS_H
#define AUDIT_CREDENTIALS_H

#include "base/arena.h"
#include "base/buf.h"

/*
 * Writes text with them replaced by "[REDACTED:form]" to out, which is reset first. Returns how
 * many there were; at 0 out is left empty. Cost: linear.
 */
unsigned credentials_redact(const char *text, size_t len, struct buf *out);
/*
 * Replaces *text, if there are secrets with a form (text/secrets.h) or without in it, by a copy in
 * the arena that has none; returns what follows the first "[REDACTED:" then, else NULL.
 */
const char *credentials_hide(const char **text, size_t *len, struct arena *a);

#endif
