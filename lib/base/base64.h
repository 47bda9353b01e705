/*
 * base64.h: bytes as text (RFC 4648), with "=" at the end.
 */
#pragma once

#include "base/buf.h"

void base64_encode(struct buf *out, const uint8_t *bytes, size_t n);
/* Bytes that a text of so many characters is, when it is one; 0: it is none by its length. */
size_t base64_bytes(const char *text, size_t len);
/* out [base64_bytes]. False: it has other characters, or bits behind its end. */
bool base64_decode(const char *text, size_t len, uint8_t *out);
