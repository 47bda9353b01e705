/*
 * mail_text.h: the text of a mail, as UTF-8: transfer codings (RFC 2045), charsets, encoded words
 * of headers (RFC 2047), HTML as plain text, and a reply without what it quotes.
 */
#pragma once

#include "base/buf.h"

/*
 * Decodes by coding, which is "base64" or "quoted-printable" in any case; bytes in another coding
 * are copied. Appends.
 */
void mail_decode(struct buf *out, const char *coding, const char *s, size_t len);

/*
 * Converts from a charset; "": the mail names none, and bytes that are not valid UTF-8 are taken as
 * Windows-1252. Bytes that have no meaning in the charset become U+FFFD. Appends.
 */
void mail_to_utf8(struct buf *out, const char *charset, const char *s, size_t len);

/* The text of a header, with encoded words ("=?utf-8?q?...?=") decoded, without NULs. Appends. */
void mail_header_words(struct buf *out, const char *s, size_t len);

/* A line of text from HTML, from which on all is quoted. */
#define MAIL_QUOTED "\x1f"

/*
 * HTML as plain text, a line for each block of it. In a reply, what mailers mark as quoted has "> "
 * before each line, or MAIL_QUOTED above it. Appends.
 */
void mail_html_text(struct buf *out, const char *s, size_t len, bool reply);

/*
 * The author's own words: without the signature behind "-- " and, in a reply, without the quoted
 * lines and the line that introduces them, which may be two where lines are wrapped. Appends.
 */
void mail_own_words(struct buf *out, const char *s, size_t len, bool reply, bool wrapped);
