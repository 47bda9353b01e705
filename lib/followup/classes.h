/*
 * classes.h: the classes of the lexicon by which a conversation is read, as bits: pronouns,
 * articles, persons, words that say little.
 */
#pragma once

#include "lexicon/lex.h"

typedef uint64_t classes;
_Static_assert(LEX_A_MONTH - LEX_IT < 64, "a bit for each class");
#define CLASS_OF(class) ((classes)1 << ((class) - LEX_IT))
#define CLASS(id)       CLASS_OF(LEX_##id)
#define CLASSES_NAMES   (CLASS(NAME_MAN) | CLASS(NAME_WOMAN))
#define CLASSES_ITEMS \
	(CLASS(ITEM_1) | CLASS(ITEM_2) | CLASS(ITEM_3) | CLASS(ITEM_4) | CLASS(ITEM_5) | \
	    CLASS(ITEM_LAST))
