/*
 * secrets.h: finds what must not be stored: keys and tokens of known form, and spans marked
 * <private>...</private>.
 *
 * A table of some 70 forms of our own writing (prefix, alphabet, length, entropy): the forms that
 * GitHub, OpenAI, Anthropic, AWS, Slack, Stripe, Google, GitLab, npm, PyPI, Hugging Face, Telegram,
 * SendGrid, Twilio, DigitalOcean, Azure, JWT, PEM private keys, passwords inside URLs,
 * Authorization headers and NAME_KEY=value assignments have. A redacted span becomes
 * "[REDACTED:form]".
 */
#ifndef TEXT_SECRETS_H
#define TEXT_SECRETS_H

#include "base/buf.h"

/*
 * Writes text with secrets redacted to out (which is reset first). Returns how many; at 0 out is
 * left empty: use the text as it is.
 */
unsigned secrets_redact(const char *text, size_t len, struct buf *out);

/*
 * Writes text without its <private> spans (case ignored; an unclosed one runs to the end). Returns
 * how many; at 0 out is left empty.
 */
unsigned secrets_drop_private(const char *text, size_t len, struct buf *out);

#endif
