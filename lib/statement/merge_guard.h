/*
 * merge_guard.h: guards against a fact that says something else than the message that it rests on:
 * another number, name, identifier or negation.
 */
#pragma once

#include "base/base.h"

/*
 * Returns NULL when the source supports the claim as far as this can be checked: it has every
 * number, identifier and capitalised word of the claim, except those of who ("" or a name), and
 * half of its content words, and the claim has as many negations as the quote. Else what differs:
 * "numbers", "identifiers", "negations", "names" or "words".
 */
const char *merge_guard_claim(const char *claim, size_t claim_len, const char *quote,
	size_t quote_len, const char *source, size_t source_len, const char *who);

/*
 * Returns the text in the form used for keys and for comparing: folded, with single spaces, without
 * white space or sentence end around it. The caller frees it.
 */
char *merge_guard_plain(const char *text, size_t len, size_t *out_len);
