/*
 * context_fences.h: what stored text must not bring into a prompt: the fences by which mem, agents
 * and the chat templates of models say who speaks.
 */
#pragma once

#include "base/buf.h"

/*
 * Appends text with the first sign of each fence as an entity ("&lt;", "&#91;", "&#93;"), so that
 * it is read, and means nothing: <mem-context, </system-reminder>, <function_calls>,
 * <|im_start|>, [INST] and the like, opening and closing, in any case and in look-alike characters;
 * names of several words also with blanks or signs between the letters. Text without "<", "[" or
 * "]" and their look-alikes is appended as it is.
 */
void context_fences(struct buf *out, const char *text, size_t len);
