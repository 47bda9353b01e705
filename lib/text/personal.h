/*
 * personal.h: addresses of mail and numbers of telephones, which are no secrets, but which not
 * everybody wants to keep.
 */
#pragma once

#include "base/buf.h"

enum { PERSONAL_MAIL = 1, PERSONAL_PHONE = 2 };

/* The bits of "secrets,mail,phone,card"; the other words mean nothing here. */
unsigned personal_parse(const char *words);

/*
 * Writes text with what is wanted of them replaced by "[REDACTED:mail]" or "[REDACTED:phone]" to
 * out, which is reset first. Returns how many there were; at 0 out is left empty. A number is one
 * of a telephone by its "+", or by its form: (030) 1234567, 030-123 45 67, 555-123-4567.
 */
unsigned personal_redact(const char *text, size_t len, unsigned which, struct buf *out);
