/*
 * classes.h: the classes of words by which a conversation is read: pronouns, articles, persons,
 * words that say little. The words are data: schema/followup.txt.
 */
#ifndef FOLLOWUP_CLASSES_H
#define FOLLOWUP_CLASSES_H

#include "base/arena.h"

/* Those up to CLASS_TIME point back to what was said before. */
#define CLASSES(X) \
	X(IT, "it") X(THEY, "they") X(PERSON, "person") X(THIS, "this") X(THAT, "that") \
	X(ONE, "one") X(THERE, "there") X(SAME, "same") X(OTHER, "other") X(MORE, "more") \
	X(BOTH, "both") X(ORDER, "order") X(TIME, "time") \
	X(ITEM_1, "item.1") X(ITEM_2, "item.2") X(ITEM_3, "item.3") X(ITEM_4, "item.4") \
	X(ITEM_5, "item.5") X(ITEM_LAST, "item.last") \
	X(FUNCTION, "function") X(GERMAN, "de") X(SUBJECT, "subject") X(ARTICLE, "the") \
	X(PLACE, "place") X(AND, "and") X(KIN, "kin") X(MAN, "mr") X(WOMAN, "mrs") \
	X(NAME_MAN, "name.man") X(NAME_WOMAN, "name.woman") X(TITLE, "title") \
	X(NAME_END, "name.end") X(PLACE_END, "place.end") X(SURNAME, "surname") \
	X(CUT, "cut") X(KEEP, "keep") X(JOIN, "join") X(WHY, "why") X(TELL, "tell") \
	X(ME, "me") X(YOU, "you") X(POLITE, "polite") X(REPLY, "reply") \
	X(WEATHER, "weather") X(CLIMATE, "climate") X(CLOCK, "clock") X(DUMMY, "dummy") \
	X(ACT, "act") X(LIGHT, "~light") \
	X(VERB, "~verb") X(RELATION, "~relation") X(DAY, "~day") X(MONTH, "~month")

enum class_number {
#define X(id, name) CLASS_##id,
	CLASSES(X)
#undef X
	N_CLASSES
};

typedef uint64_t classes;
#define CLASS(id)     ((classes)1 << CLASS_##id)
#define CLASSES_NAMES (CLASS(NAME_MAN) | CLASS(NAME_WOMAN))
#define CLASSES_ITEMS (CLASS(ITEM_1) | CLASS(ITEM_2) | CLASS(ITEM_3) | CLASS(ITEM_4) | \
	CLASS(ITEM_5) | CLASS(ITEM_LAST))

struct class_table;

/* Reads schema/followup.txt into the arena; about 0.1 ms. */
const struct class_table *classes_read(struct arena *a);

/* The classes of a word, folded (words_fold), or of a stem; 0: none. */
classes classes_of(const struct class_table *t, const char *word, size_t len);
classes classes_of_stem(const struct class_table *t, const char *stem, size_t len);

#endif
