/*
 * signal_rows.h: the signals that the default strategy sums, one row each. A new signal is a row
 * here, its function in signals.c and its weights in profile.c; enum, table and loops are generated
 * from the rows.
 *
 * A row begins with the stage at which the signal becomes known, and therefore is computed:
 *
 *	LISTS  from posting lists and vectors: known for every candidate. Of what is around
 *	       a turn only the turn itself counts until the search looks there, which it does
 *	       for the best candidates only.
 *	CARDS  from the turn features (struct card), which are read for fewer candidates; 0 until
 *	       then
 *	GUESS  the same, but the function gives an estimate while c->card is NULL
 *	LAST   for the best candidates only: the function gives 0 until what it needs has been
 *	       computed. NEEDS_ flags name that, so that a search can skip work for which no
 *	       signal has a weight.
 *
 * Then follow its number in enum signal, its name (in settings, --explain and mem-eval --grid), its
 * function, what it needs (LAST), and a description. Rows may stand in any order, but sums are
 * computed in it, so that another order changes the last digits of scores.
 */
#pragma once

#define SIGNAL_ROWS(LISTS, CARDS, GUESS, LAST) \
	LISTS(SIGNAL_TURN, "turn", turn, "BM25 of the turn") \
	LISTS(SIGNAL_WINDOW, "window", window, "BM25 of the turn with half its neighbours") \
	LISTS(SIGNAL_SESSION, "session", session, "BM25 of its session") \
	LISTS(SIGNAL_COVERAGE, "coverage", coverage, \
	    "share of the question's idf that the turn has") \
	LISTS(SIGNAL_COVERAGE_2, "coverage_2", coverage_2, "the square of that") \
	LISTS(SIGNAL_CODE, "code", code, \
	    "share of the question's identifiers that it has, as they stand") \
	LISTS(SIGNAL_NEXT, "next", next, "BM25 of the turn after") \
	LISTS(SIGNAL_HEAD, "head", head, "BM25 of the turn's first 60 words") \
	LISTS(SIGNAL_HEAD_NEXT, "head_next", head_next, "the same of the turn after") \
	LISTS(SIGNAL_USER, "user", user, "said by the user") \
	LISTS(SIGNAL_REPLY, "reply", reply, "BM25 of the turn before when that is a question") \
	LISTS(SIGNAL_QUESTION, "question", question, "ends in a question mark") \
	LISTS(SIGNAL_NUMBERS, "numbers", numbers, "has a number") \
	LISTS(SIGNAL_NAMED, "named", named, \
	    "the question names somebody who speaks in this memory") \
	LISTS(SIGNAL_DENSE, "dense", vector_turn, \
	    "cosine of its vector, as a z-score over the memory") \
	LISTS(SIGNAL_DENSE_WINDOW, "dense_window", vector_window, \
	    "the same of the turn with half its neighbours") \
	LISTS(SIGNAL_DENSE_SESSION, "dense_session", vector_session, \
	    "the same of the best window of its session") \
	LISTS(SIGNAL_DENSE_USER, "dense_user", vector_user, "dense of what the user said") \
	LISTS(SIGNAL_COVERAGE_BEFORE, "coverage_before", coverage_before, \
	    "share of the question's idf that it and the two turns before it have together") \
	LISTS(SIGNAL_DENSE_NEAR, "dense_near", vector_near, \
	    "the best dense of it and the five turns on either side") \
	LISTS(SIGNAL_DENSE_ALONE, "dense_alone", vector_alone, \
	    "dense and half of dense_near, as far as no turn has the question's words") \
	LISTS(SIGNAL_BOTH, "both", both, "coverage times dense") \
	LISTS(SIGNAL_BOTH_WINDOW, "both_window", both_window, "window times dense_window") \
	CARDS(SIGNAL_SPEAKER, "speaker", speaker, "said by somebody the question names") \
	CARDS(SIGNAL_SPEAKER_BEFORE, "speaker_before", speaker_before, \
	    "coverage_before of what somebody said whom the question names") \
	CARDS(SIGNAL_PROJECT, "project", project, "of a project that the question names") \
	CARDS(SIGNAL_PROMPT_SPEAKER, "prompt_speaker", prompt_speaker, \
	    "speaker where the question stands in a prompt") \
	CARDS(SIGNAL_DATE, "date", date, "said when the question means") \
	GUESS(SIGNAL_LENGTH, "length", length, "log of its characters") \
	GUESS(SIGNAL_LENGTH_2, "length_2", length_2, "the square of that") \
	CARDS(SIGNAL_SECOND, "second", second, "log of its words of the second person") \
	CARDS(SIGNAL_WHEN, "when", when, "says when, and the question asks when") \
	CARDS(SIGNAL_WHO, "who", who, "names, and the question asks who, where or which") \
	CARDS(SIGNAL_STRONG, "strong", strong, "always, never, prefer ...") \
	CARDS(SIGNAL_STANDING, "standing", standing, \
	    "a standing instruction of the user (from now on, always ... when I ask), for " \
	    "a question that is not about what was said") \
	CARDS(SIGNAL_CAPITALS, "capitals", capitals, "log of its names") \
	CARDS(SIGNAL_PROMPT_CAPITALS, "prompt_capitals", prompt_capitals, \
	    "capitals where the question stands in a prompt") \
	LAST(SIGNAL_PASSAGE, "passage", passage, NEEDS_TEXT, \
	    "share of the question's idf that its best fifty words have") \
	LAST(SIGNAL_PART, "part", part, NEEDS_PARTS, \
	    "of a question that asks several things: share of one of them that it has, " \
	    "against the best") \
	LAST(SIGNAL_THINGS, "things", things, NEEDS_THINGS, \
	    "how many of the kinds of things that the question asks for it says") \
	LAST(SIGNAL_BRIDGE, "bridge", bridge, NEEDS_TEXT | NEEDS_BRIDGE, \
	    "share of what the best hit says beyond the question that it says, too") \
	LAST(SIGNAL_DENSE_CODE, "dense_code", vector_code, NEEDS_CODE, \
	    "dense where what may answer is code") \
	LAST(SIGNAL_FOREIGN, "foreign", foreign, NEEDS_LANGUAGES, \
	    "dense of what is in another language than the question, and a little more")
