/*
 * secrets.h: removes what must not be stored: keys and tokens of known forms, and spans marked
 * <private>...</private>.
 *
 * Some 200 forms are described by prefix, alphabet, length and entropy: those of GitHub, OpenAI,
 * Anthropic, AWS, Slack, Stripe, Mollie, Google, GitLab, npm, PyPI, Hugging Face, Telegram,
 * SendGrid, Twilio, DigitalOcean and Azure, JWT, PEM private keys, passwords inside URLs,
 * Authorization headers and NAME_KEY=value assignments. So are values that somebody calls a
 * password, in options of commands, headers, addresses and sentences of eleven languages, and cards
 * and accounts that have their checksum. A secret is replaced by "[REDACTED:form]".
 */
#pragma once

#include "base/buf.h"

/*
 * Writes text with its secrets replaced to out, which is reset first. Returns how many there were;
 * at 0 out is left empty, and text can be used as it is.
 */
unsigned secrets_redact(const char *text, size_t len, struct buf *out);

/*
 * Writes text without its <private> spans (in any case; an unclosed one extends to the end).
 * Returns how many there were; at 0 out is left empty.
 */
unsigned secrets_drop_private(const char *text, size_t len, struct buf *out);
