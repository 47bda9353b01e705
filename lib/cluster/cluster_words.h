/*
 * cluster_words.h: words that name no topic, and texts that have no other words.
 */
#pragma once

#include "base/base.h"

enum cluster_word {
	CLUSTER_WORD_PLAIN,
	CLUSTER_WORD_VAGUE,                /* it fits any topic: today, two, new, make */
	CLUSTER_WORD_TALK,                 /* it belongs to none: thanks, hey, wow */
	CLUSTER_WORD_STOP                  /* a function word that words_is_stop does not know */
};

/* Of a word as words_fold gives it, not stemmed, in a text of the language. Cost: 100 ns. */
enum cluster_word cluster_word_of(const char *folded, size_t len, unsigned lang);

/* Whether a text has no words but talk and function words, or none at all. */
bool cluster_is_talk(const char *text, size_t len);
