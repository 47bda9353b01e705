/*
 * mail_text.h: what stands in a mail, as UTF-8: transfer codings (RFC 2045), charsets, words of
 * headers (RFC 2047), HTML as plain text, and what a reply says itself.
 */
#ifndef FORMATS_MAIL_TEXT_H
#define FORMATS_MAIL_TEXT_H

#include "base/buf.h"

/* coding: "base64", "quoted-printable", in any case; all else is taken as it is. Appends. */
void mail_decode(struct buf *out, const char *coding, const char *s, size_t len);

/*
 * From a charset, "" for what is not said: UTF-8 when it is that, else Windows-1252. Appends; what
 * is no text in it becomes U+FFFD.
 */
void mail_to_utf8(struct buf *out, const char *charset, const char *s, size_t len);

/* A header's words, "=?utf-8?q?...?=" as what they mean, without NULs. Appends. */
void mail_header_words(struct buf *out, const char *s, size_t len);

void mail_html_text(struct buf *out, const char *s, size_t len);

/*
 * Without ">" lines and the line that leads to them, when it is a reply; without a signature behind
 * "-- ". Appends.
 */
void mail_own_words(struct buf *out, const char *s, size_t len, bool reply);

#endif
