/*
 * classes.h: what the words of the lexicon are for. A row is a class; in schema/lang it is written
 * in small letters with "-" ("week-sign"). A class whose words have a value says what it is.
 */
#pragma once

#define LEX_CLASS_ROWS(X) \
	/* -- of a language -- */ \
	X(STOP)             /* set aside in every text: English, and scripts without spaces */ \
	X(FUNCTION)         /* a function word, set aside in a question in its language */ \
	X(FIRST)            /* of these, one that begins a question */ \
	X(ALONE)            /* a character that is a function word nearly everywhere */ \
	X(SELF)             /* the first person singular, but for "me" */ \
	X(TIED)             /* what an apostrophe ties to the next word */ \
	X(ELIDED)           /* a name: of these, what an index has tied to a word */ \
	X(SNOWBALL)         /* a name: the language's stemmer, as libstemmer calls it */ \
	X(UNSPACED)         /* a name: it is written without spaces */ \
	X(COMPOUNDS)        /* a name: the language writes compounds as one word */ \
	X(THIRD_PERSON)     /* a name: the letter that a verb has more than in the first person */ \
	X(NOUN_CAPITAL)     /* a name: it begins every noun with a capital */ \
	/* -- times (time/timewords.h) -- */ \
	/* these begin a time */ \
	X(MONTH)            /* 1-12 */ \
	X(WEEKDAY)          /* 0 for Sunday */ \
	X(DAY)              /* days from today */ \
	X(WHICH)            /* -1 last, 0 this, 1 next; -2 and 2: the past and the coming ones */ \
	X(UNIT)             /* enum time_grain, or HOUR, MINUTE, WEEKEND, QUARTER */ \
	X(NUMERAL) \
	X(HALF) \
	X(AGO_BEFORE)       /* "ago", before the number */ \
	X(DAYPART) \
	X(FEAST)            /* enum lex_feast, as the next two */ \
	X(FEAST_PLACE)      /* only beside a preposition, "last" or a year */ \
	X(FEAST_YEAR)       /* only with a year */ \
	/* these do not */ \
	X(WHICH_AFTER)      /* as WHICH, behind its unit */ \
	X(PREPOSITION)      /* what it stands before: 1 months, 2 days, 3 both, 0 neither */ \
	X(AGO) \
	X(OF) \
	X(ARTICLE) \
	X(IF_CAPITAL)       /* a time only with a capital, or beside other words of time */ \
	X(IF_BESIDE)        /* a time only beside these */ \
	X(IF_SMALL)         /* a day only without a capital */ \
	X(ON_DAY)           /* "on", before a day of any month */ \
	X(ORDINAL)          /* behind figures: "3rd" */ \
	X(AND_HALF)         /* "and a half", behind a unit */ \
	X(HALF_YEAR) \
	X(NEAR_YEAR)        /* years from this one; so weeks and months */ \
	X(NEAR_MONTH) \
	X(NEAR_WEEK) \
	X(BEFORE_LAST)      /* behind a unit: the one before the last */ \
	X(BEFORE_SEASON)    /* before such a name it is a time */ \
	X(JOINT)            /* may stand between two words of one time */ \
	X(RANGE_TO) X(RANGE_AND) X(BETWEEN) X(SINCE) X(AFTER) X(BEFORE) \
	X(WEEK_SIGN) X(WEEKDAY_SIGN) X(TEN) X(RECENT) X(EVERY) X(YEAR_SIGN) X(MONTH_SIGN) \
	X(DAY_SIGN) \
	/* -- what a question asks about time, and about what was said -- */ \
	X(DATE_QUESTION)    /* asks for a time */ \
	X(WHEN)             /* the same, but where it joins: "when we left" */ \
	X(WHEN_AUXILIARY)   /* "when" asks before these */ \
	X(WHEN_ASKER)       /* and behind these */ \
	X(LOOKS_BACK)       /* refers to earlier sessions */ \
	X(BEFORE_END)       /* the same at the end of its clause */ \
	X(THAN)             /* not before this: "earlier than" */ \
	X(NOW)              /* asks for what holds at present */ \
	X(TALKER) X(OUR) X(DID) X(HAVE) X(SAID) X(ACROSS) X(TALK) X(RECALL) \
	X(WHATEVER)         /* asks for whatever was said or done */ \
	X(NEWEST)           /* the last that was said: beside SAYING, or so many words from it */ \
	X(SAYING)           /* says, said; 1: a message */ \
	/* -- the shape of prompts (rank/prompt.c) -- */ \
	X(GREETING)         /* begins the line in which a letter names its reader */ \
	X(QUESTION_WORD) X(AUXILIARY) X(ASKED_OF) X(OPENER) X(MANNER) X(COURTESY) X(SPEAKER) \
	X(TITLE_POINT)      /* behind which a full stop ends no sentence */ \
	/* -- clauses that do not stand alone (statement/speech.c) -- */ \
	X(LEANS)            /* begins one that speaks of what stands before it */ \
	X(TORN)             /* ends one that something is missing of */ \
	/* -- kinds of things that are asked for and said (rank/things.c) -- */ \
	X(ASK_NUMBER) X(ASK_SPAN) X(ASK_PERSON) X(TITLED) X(PLAN_ASKED) X(PAST_ASKED) \
	X(SOME_NUMBER) X(SPAN) X(PLACE_WORD) X(BEFORE_PLACE) X(PEOPLE) X(PLAN_SAID) \
	X(PLAN_OPENS)       /* the first word of a phrase of PLAN_SAID */ \
	X(IF_TICK)          /* is meant only with its apostrophe: "I'll" */ \
	X(DOER)             /* I, we: what was done stands behind */ \
	X(PAST) \
	/* -- follow-up questions (lib/followup); those up to THEN point back to what was said */ \
	X(IT) X(THEY) X(PERSON) X(THIS) X(THAT) X(ONE) X(THERE) X(SAME) X(OTHER) X(MORE) X(BOTH) \
	X(ORDER) X(THEN) X(ITEM_1) X(ITEM_2) X(ITEM_3) X(ITEM_4) X(ITEM_5) X(ITEM_LAST) \
	X(ASIDE)            /* a function word, besides those of the index */ \
	X(FOREIGN)          /* the same in a talk in another language than English */ \
	X(SUBJECT)          /* behind it stands a verb */ \
	X(DETERMINER)       /* behind it stands a thing */ \
	X(PLACE)            /* behind it may stand a place */ \
	X(AND)              /* joins the items of a list */ \
	X(KIN) X(MAN) X(WOMAN) X(NAME_MAN) X(NAME_WOMAN) X(TITLE) X(NAME_END) X(PLACE_END) \
	X(SURNAME) \
	X(CUT)              /* Chinese text is cut here */ \
	X(KEEP)             /* and not there */ \
	X(JOIN) X(WHY) X(TELL) X(ME) X(YOU) X(POLITE) X(REPLY) X(WEATHER) X(CLIMATE) X(CLOCK) \
	X(DUMMY)            /* beside it "it" stands for nothing */ \
	X(ACT)              /* begins a command */ \
	/* these are stems */ \
	X(LIGHT)            /* says nothing of what a talk is about */ \
	X(VERB) X(RELATION) X(A_DAY) X(A_MONTH) \
	/* and how such a question is built */ \
	X(ABOUT_PHRASE) X(ABOUT_END) X(WHAT_IS) X(POSSESSOR) X(OWNER) \
	X(MAY) X(BE) X(MOMENT) X(OUTSIDE) X(CLAUSE_START) X(YOU_DATIVE) \
	X(PHRASE_PREPOSITION) X(PHRASE_LAST) X(DOES) X(ASKED_NOUN) X(LINK) X(AN_ARTICLE) X(DO_IT) \
	X(OWNS) X(OWNS_BEFORE) X(THING_WORD) X(ABOUT_NOUN) X(BE_OR_DO) X(COUNT_NUMERAL) \
	X(POINTER) X(CLASSIFIER) \
	/* -- features of a turn (index/turn_features.h), questions for who or which -- */ \
	X(TURN_SECOND) X(TURN_WHEN) X(TURN_STRONG) X(TURN_ALWAYS) X(TURN_ASK) \
	X(TURN_NOW) X(TURN_ON) X(ASK_WHO) \
	/* -- topics (lib/cluster) -- */ \
	X(TALK_WORD)        /* belongs to no topic: thanks, wow */ \
	X(VAGUE)            /* fits any: today, make */ \
	X(GRAMMAR_SIGN)     /* a character of grammar: a pair with it is no word */ \
	X(NOUN_LINK)        /* between two nouns, of which it makes one: of */ \
	X(TOPIC_STOP)       /* a function word, whatever the language of its text */

/* Named parts of the year: the values of FEAST, FEAST_PLACE and FEAST_YEAR. */
#define LEX_FEASTS(X) \
	X(SPRING) X(SUMMER) X(AUTUMN) X(WINTER) X(QUARTER_1) X(QUARTER_2) X(QUARTER_3) \
	X(QUARTER_4) X(NEW_YEAR) X(VALENTINE) X(PATRICK) X(HALLOWEEN) X(CHRISTMAS_EVE) \
	X(CHRISTMAS) X(BOXING) X(NEW_YEARS_EVE) X(THANKSGIVING) X(BLACK_FRIDAY) X(MOTHERS) \
	X(FATHERS) X(GOOD_FRIDAY) X(EASTER_SUNDAY) X(SPRING_FESTIVAL) X(SPRING_EVE) X(LANTERNS) \
	X(DRAGON_BOAT) X(MID_AUTUMN) X(TOMBS) X(NATIONAL) X(LABOUR) X(SINGLES) X(YEAR_END) \
	X(YEAR_START) X(HALF_1) X(HALF_2) X(LONG_HOLIDAYS) X(SHORT_HOLIDAYS) X(FOURTH_OF_JULY)

enum lex {
#define X(id) LEX_##id,
	LEX_CLASS_ROWS(X)
#undef X
	LEX_CLASSES_N
};

enum lex_feast {
#define X(id) LEX_FEAST_##id, LEX_FEAST_PLACE_##id = LEX_FEAST_##id, \
	LEX_FEAST_YEAR_##id = LEX_FEAST_##id,
	LEX_FEASTS(X)
#undef X
	LEX_FEASTS_N
};
