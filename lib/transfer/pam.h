/*
 * pam.h: what is known, for programs that read Portable AI Memory 1.0 (portable-ai-memory on PyPI).
 * For mem-import it is nothing: there is no place in it for messages, or for a history.
 */
#ifndef TRANSFER_PAM_H
#define TRANSFER_PAM_H

#include "transfer/export.h"

/*
 * As export_lines, of one user, one JSON document: facts, notes and summaries as they are, those
 * that hold no more too, and with o->profile the profile; then the sessions that they come from.
 * Cost: memory of 60 bytes a record.
 */
int export_pam(struct store *s, const struct export_options *o, struct buf *out,
	int (*ended)(void *arg), void *arg, struct err *err);

#endif
