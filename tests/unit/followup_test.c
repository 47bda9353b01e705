/*
 * followup_test.c: talks as words, and questions made whole. What is expected was written down by
 * hand; talks of the writer's own.
 */
#include "tap.h"

#include <math.h>

#include "base/base.h"
#include "followup/followup_parts.h"

static struct arena arena;
static struct followup_said said[64];
static size_t n_said;

static void
say(enum conversation_role role, const char *text)
{
	said[n_said++] = (struct followup_said){ role, text, strlen(text) };
}

static const char *
resolve(const char *question, struct followup *f)
{
	followup_resolve(&arena, said, n_said, question, strlen(question), 0.7, false, f);
	return arena_strndup(&arena, f->text, f->len);
}

static bool
contains(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

/*
 * The words of a turn: stems, * behind function words, ^ behind capitals inside a sentence, | where
 * a run begins.
 */
static const char *
words_of(const char *text)
{
	static char out[500];
	struct conversation t;
	struct conversation_turn *turn;
	size_t n = 0;

	conversation_start(&t, &arena);
	turn = conversation_add(&t, CONVERSATION_USER, text, strlen(text));
	out[0] = '\0';
	for (size_t i = 0; i < turn->n; i++) {
		const struct conversation_word *w = &turn->words[i];
		n += (size_t)snprintf(out + n, sizeof(out) - n, "%s%.*s%s%s",
		    i == 0				   ? ""
			: w->run == turn->words[i - 1].run ? " "
							   : " | ",
		    (int)t.terms[w->term].len, t.terms[w->term].text,
		    w->flags & CONVERSATION_STOP ? "*" : "",
		    w->flags & CONVERSATION_CAPITAL ? "^" : "");
	}
	return out;
}

static void
test_words(void)
{
	is_str(words_of("Tell me about throat cancer"), "tell me* about* | throat cancer",
	    "words side by side share a run");
	is_str(words_of("I met Ann. Bob left"), "i* | met ann^ | bob left",
	    "a sentence ends a run, and its first word has no capital inside");
	is_str(words_of("1. Air 2. Dell"), "1* | air 2* | dell", "numbers that count items");
	is_str(words_of("Lee's car"), "lee | car",
	    "a possessive is not of the name, and ends its run");
	is_str(words_of("\xe4\xbd\xa0\xe7\x9f\xa5\xe9\x81\x93\xe7\x99\xbd\xe5\xa4\x9c\xe8\xa1\x8c"
			"\xe5\x90\x97"),
	    "\xe4\xbd\xa0* \xe7\x9f\xa5\xe9\x81\x93* | \xe7\x99\xbd\xe5\xa4\x9c\xe8\xa1\x8c "
	    "\xe5\x90\x97*",
	    "Chinese is cut at particles and frequent verbs");
	is_str(words_of(""), "", "nothing");
	is_str(words_of("\xff\xfe"), "", "no UTF-8");
}

static void
test_pronouns(void)
{
	struct followup f;
	const char *text;

	n_said = 0;
	is_str(resolve("Is it treatable?", &f), "Is it treatable?", "no talk: as it was");
	is_str(f.reason, "no_context", "and why");
	ok(f.confidence == 1 && !f.changed && f.n_added == 0, "with confidence 1");
	say(CONVERSATION_USER, "Tell me about lung cancer.");
	is_str(resolve("Is it treatable?", &f), "Is lung cancer treatable?",
	    "the phrase takes the pronoun's place");
	is_str(f.reason, "resolved", "and why");
	ok(f.confidence == 1, "with confidence 1: all resolved, not too long");
	is_int(f.n_added, 2, "two words were added");
	ok(f.added[0].len == 4 && memcmp(f.added[0].text, "lung", 4) == 0 && f.added[0].p > 0.3f &&
		f.added[0].p <= 1,
	    "lung, with its likelihood");
	is_str(resolve("What are its symptoms?", &f), "What are lung cancer's symptoms?",
	    "with a possessive");
	is_str(resolve("What are the symptoms?", &f), "What are the symptoms of lung cancer?",
	    "or behind an of that is wanted");
	text = resolve("How do I install Debian on a Raspberry Pi?", &f);
	is_str(text, "How do I install Debian on a Raspberry Pi?", "a whole question stays");
	is_str(f.reason, "whole", "and why");
	say(CONVERSATION_OTHER, "It is a disease of the lungs.");
	is_str(resolve("Thanks, bye.", &f), "Thanks, bye.", "good-bye stays");
}

static float
need_of(const char *question)
{
	struct followup f;

	resolve(question, &f);
	return f.need;
}

/* What is said before the question proper does not count. */
static void
test_replies(void)
{
	struct followup f;
	const char *text;
	float need;

	n_said = 0;
	say(CONVERSATION_USER, "Tell me about the Eddystone lighthouse.");
	say(CONVERSATION_OTHER,
	    "It stands on a rock off the coast of Cornwall, and storms took two towers before it.");
	need = need_of("How is it heated?");
	ok(need > 0.5f, "a question with a pronoun: %g", (double)need);
	ok(fabsf(need_of("What\xe2\x80\x99s the height of the tower?") -
	       need_of("What's the height of the tower?")) < 1e-6f,
	    "either apostrophe");
	ok(need_of("Does Cornwall keep lib/i.meant.cornwall, Eddystone?") < 0.5f,
	    "what stands in a path is said by nobody, and a sign behind it is not before it: %g",
	    (double)need_of("Does Cornwall keep lib/i.meant.cornwall, Eddystone?"));
	text = resolve("Why?", &f);
	ok(strncmp(text, "Why (Eddystone lighthouse", 25) == 0 &&
		strcmp(text + strlen(text) - 2, ")?") == 0,
	    "what has no place in the question stands behind it: %s", text);
	need = need_of("How is v1.2.3 of it heated?");
	ok(need > 0.4f, "words that lie in each other: %g", (double)need);
	need = need_of("How is it heated at 2023-07-12T10:00 by etc/heatPlan.d/x-y.conf?");
	ok(need > 0, "in a time and a path: %g", (double)need);
}

static void
test_topics(void)
{
	struct followup f;

	n_said = 0;
	say(CONVERSATION_USER, "What is throat cancer?");
	say(CONVERSATION_USER, "Is it treatable?");
	say(CONVERSATION_USER, "Tell me about Mako sharks.");
	ok(contains(resolve("What do they eat?", &f), "sharks"),
	    "the last whole question is the topic: %s", resolve("What do they eat?", &f));
	n_said = 0;
	say(CONVERSATION_USER, "Is the plumber coming on Tuesday?");
	say(CONVERSATION_OTHER, "Yes, at nine.");
	ok(!contains(resolve("Has he got a key?", &f), "Tuesday"), "a day is nobody: %s",
	    resolve("Has he got a key?", &f));
	ok(contains(resolve("Has he got a key?", &f), "plumber"), "the plumber is");
	n_said = 0;
	say(CONVERSATION_TITLE, "Frank Zappa");
	say(CONVERSATION_USER, "What group disbanded?");
	say(CONVERSATION_OTHER, "I do not know.");
	ok(contains(resolve("When was he born?", &f), "Frank Zappa"), "a title is a topic: %s",
	    resolve("When was he born?", &f));
}

/* Other languages: what points back is known, and what a thing or a person is by its place. */
static void
test_languages(void)
{
	static const struct { const char *said, *asked, *want; } rows[] = {
		{ "Marie habite à Lyon depuis trois ans.", "Où est-ce qu'elle travaille ?", "Marie" },
		{ "Quel est le prix d'un appartement à Lyon ?", "Et à Paris ?",
			"Quel est le prix d'un appartement à Paris ?" },
		{ "Mi hermana Lucía vive en Sevilla.", "¿Dónde trabaja ella?", "Lucía" },
		{ "Il mio amico Luca ha una macchina nuova.", "E lui dove abita?", "Luca" },
		{ "O meu amigo João tem um carro novo.", "E onde ele mora?", "João" },
		{ "Mijn broer Pieter heeft een nieuwe baan.", "Waar woont hij?", "Pieter" },
	};
	static const char *const whole[] = { "Quelle est la capitale de l'Italie ?",
		"¿Cuál es la capital de Italia?", "Wat is de hoofdstad van Italië?" };
	struct followup f;

	for (size_t i = 0; i < NELEM(rows); i++) {
		n_said = 0;
		say(CONVERSATION_USER, rows[i].said);
		ok(contains(resolve(rows[i].asked, &f), rows[i].want), "%s: %s", rows[i].asked,
		    resolve(rows[i].asked, &f));
	}
	for (size_t i = 0; i < NELEM(whole); i++) {
		n_said = 0;
		say(CONVERSATION_USER, rows[i].said);
		is_str(resolve(whole[i], &f), whole[i], "whole: %s", whole[i]);
	}
}

static void
test_lists(void)
{
	struct followup f;

	n_said = 0;
	say(CONVERSATION_USER, "Which laptop should I buy?");
	say(CONVERSATION_OTHER,
	    "1. MacBook Air: light. 2. ThinkPad: a sturdy keyboard. 3. Dell: cheap.");
	ok(contains(resolve("What about the second one?", &f), "ThinkPad"), "an item of a list: %s",
	    resolve("What about the second one?", &f));
	ok(!contains(resolve("What about the second one?", &f), "MacBook"), "and no other");
	ok(contains(resolve("And the last one?", &f), "Dell"), "the last: %s",
	    resolve("And the last one?", &f));
	ok(contains(resolve("How much is the first one?", &f), "MacBook Air"), "the first: %s",
	    resolve("How much is the first one?", &f));
	n_said = 0;
	say(CONVERSATION_USER,
	    "Plan: first the session cache, then the rate limiter, then the audit log.");
	say(CONVERSATION_OTHER, "Fine.");
	is_str(resolve("How long is the second one?", &f), "How long is the rate limiter?",
	    "what comes then is an item");
	n_said = 0;
	say(CONVERSATION_USER, "We see Rome, Siena and the old Florence.");
	say(CONVERSATION_OTHER, "Fine.");
	is_str(resolve("How big is the first one?", &f), "How big is Rome?",
	    "items between commas");
	ok(contains(resolve("How big is the second one?", &f), "Siena"), "the second: %s",
	    resolve("How big is the second one?", &f));
}

static void
test_chinese(void)
{
	static const struct { const char *said, *asked, *whole, *what; } things[] = {
		{ "我买了一台液位传感器。", "它多少钱", "液位传感器多少钱", "what is counted, and bought, is the thing" },
		{ "昨天我看了那部电影", "它好看吗", "电影好看吗", "and what is pointed at" },
		{ "我昨天買了兩本小說", "它多少钱", "小說多少钱", "in the other way of writing" },
		{ "张部长来了", "他住在哪里", "张部长住在哪里", "a classifier alone is part of a word" },
	};
	struct followup f;

	n_said = 0;
	/* 你知道白夜行吗 */
	say(CONVERSATION_USER,
	    "\xe4\xbd\xa0\xe7\x9f\xa5\xe9\x81\x93\xe7\x99\xbd\xe5\xa4\x9c\xe8\xa1\x8c\xe5\x90\x97");
	/* 知道的 */
	say(CONVERSATION_OTHER, "\xe7\x9f\xa5\xe9\x81\x93\xe7\x9a\x84");
	/* 它好看吗 */
	is_str(resolve("\xe5\xae\x83\xe5\xa5\xbd\xe7\x9c\x8b\xe5\x90\x97", &f),
	    "\xe7\x99\xbd\xe5\xa4\x9c\xe8\xa1\x8c\xe5\xa5\xbd\xe7\x9c\x8b\xe5\x90\x97",
	    "a Chinese pronoun");
	/* 作者是谁 */
	is_str(resolve("\xe4\xbd\x9c\xe8\x80\x85\xe6\x98\xaf\xe8\xb0\x81", &f),
	    "\xe7\x99\xbd\xe5\xa4\x9c\xe8\xa1\x8c\xe4\xbd\x9c\xe8\x80\x85\xe6\x98\xaf\xe8\xb0\x81",
	    "and none: what is meant goes before");
	for (size_t i = 0; i < NELEM(things); i++) {
		n_said = 0;
		say(CONVERSATION_USER, things[i].said);
		is_str(resolve(things[i].asked, &f), things[i].whole, "%s", things[i].what);
	}
	ok(need_of("珠穆朗玛峰有多高") < 0.5f && need_of("为什么天空是蓝色的") < 0.5f,
	    "questions about something else are whole: %g, %g", (double)need_of("珠穆朗玛峰有多高"),
	    (double)need_of("为什么天空是蓝色的"));
	ok(need_of("导演是谁") > 0.5f, "that wants to be told of what is not: %g",
	    (double)need_of("导演是谁"));
}

static void
test_confidence(void)
{
	struct followup f;

	ok(fabs(followup_length_score(10, 10) - 1) < 1e-9 &&
		fabs(followup_length_score(10, 30) - 1) < 1e-9,
	    "one to three times as long: 1");
	ok(fabs(followup_length_score(10, 45) - 0.5) < 1e-9, "four and a half times: a half");
	ok(followup_length_score(10, 60) == 0 && followup_length_score(10, 100) == 0,
	    "six times and more: 0");
	ok(fabs(followup_length_score(100, 75) - 0.5) < 1e-9 && followup_length_score(100, 50) == 0,
	    "shorter");
	ok(followup_length_score(0, 5) == 0, "of nothing");
	n_said = 0;
	say(CONVERSATION_USER, "Tell me about lung cancer.");
	followup_resolve(&arena, said, n_said, "Is it treatable?", 16, 1.01, false, &f);
	ok(!f.changed && strcmp(f.reason, "unsure") == 0 && f.len == 16 && f.n_added == 0,
	    "below the confidence that is asked for it stays");
}

static void
test_odd(void)
{
	static char large[200000], nul[] = "what\0it?";
	struct followup f;

	memset(large, 'x', sizeof(large));
	for (size_t i = 7; i < sizeof(large); i += 8)
		large[i] = ' ';
	n_said = 0;
	for (size_t i = 0; i < 60; i++)
		say(i % 2 ? CONVERSATION_OTHER : CONVERSATION_USER,
		    "words about the lighthouse keeper of Skagen");
	ok(contains(resolve("Where does he live?", &f), "keeper"), "more turns than are read");
	n_said = 0;
	said[n_said++] = (struct followup_said){ CONVERSATION_USER, large, sizeof(large) };
	followup_resolve(&arena, said, n_said, large, sizeof(large), 0.7, false, &f);
	ok(f.len >= sizeof(large), "a long question keeps all of it");
	followup_resolve(&arena, said, n_said, nul, sizeof(nul) - 1, 0.7, false, &f);
	ok(f.len >= 8, "a NUL");
	followup_resolve(&arena, said, n_said, "", 0, 0.7, false, &f);
	ok(f.text != NULL, "nothing");
	say(CONVERSATION_TITLE, "");
	say(CONVERSATION_OTHER, "\xff\xfe\xe4");
	followup_resolve(&arena, said, n_said, "\xff it\xe4\xbb", 6, 0.7, false, &f);
	ok(f.len > 0, "no UTF-8");
	n_said = 0;
	for (size_t i = 0; i < 64; i++)
		say(CONVERSATION_TITLE, "title");
	followup_resolve(&arena, said, n_said, "what is it?", 11, 0.7, false, &f);
	ok(f.len > 0, "titles without end");
}

/* Of several persons, places and items one is meant; a question between them does not hide it. */
static void
test_chats(void)
{
	struct followup f;

	n_said = 0;
	say(CONVERSATION_USER, "Nora moved to Aachen. Mr. Ott helps her with the boxes.");
	say(CONVERSATION_OTHER, "How kind of him. When is the party in Bremen?");
	ok(contains(resolve("Where does she live?", &f), "Where does Nora live"), "a woman: %s",
	    resolve("Where does she live?", &f));
	ok(contains(resolve("Is he strong?", &f), "Is Mr. Ott strong"), "a man: %s",
	    resolve("Is he strong?", &f));
	ok(contains(resolve("How far is it from there?", &f), "from Bremen"), "the last place: %s",
	    resolve("How far is it from there?", &f));
	n_said = 0;
	say(CONVERSATION_USER, "I could buy the Zelter 20 or a bike from Kanto.");
	say(CONVERSATION_OTHER, "The Kanto has more gears.");
	is_str(resolve("How heavy is the first one?", &f), "How heavy is the Zelter 20?",
	    "the first of two");
	is_str(resolve("How heavy is the other one?", &f), "How heavy is the Zelter 20?",
	    "not the one that was spoken of last");
	say(CONVERSATION_USER, "How heavy is the other one?");
	say(CONVERSATION_OTHER, "Twelve kilos.");
	ok(contains(resolve("And the other one?", &f), "Kanto"), "nor the one asked for: %s",
	    resolve("And the other one?", &f));
	is_str(resolve("Which river flows through Prague?", &f),
	    "Which river flows through Prague?",
	    "another topic stays as it is");
	n_said = 0;
	say(CONVERSATION_USER, "Am Montag kommt Jutta mit dem neuen Hund.");
	say(CONVERSATION_OTHER, "Wie sch\xc3\xb6n.");
	ok(contains(resolve("Was trinkt sie gern?", &f), "Was trinkt Jutta gern"), "in German: %s",
	    resolve("Was trinkt sie gern?", &f));
	is_str(resolve("Wie hoch ist der Turm von Pisa?", &f), "Wie hoch ist der Turm von Pisa?",
	    "and what is whole stays");
}

/* A question asked again with another phrase in it. */
static void
test_ellipsis(void)
{
	static const struct { const char *said, *asked, *whole; } cases[] = {
		{ "What is the weather in Paris tomorrow?", "and Berlin?",
			"What is the weather in Berlin tomorrow?" },
		{ "What is the weather in Paris tomorrow?", "What about Sunday?",
			"What is the weather in Paris Sunday?" },
		{ "What does a cargo ship burn in a day?", "and a ferry?",
			"What does a ferry burn in a day?" },
		{ "Which herbs are in pesto?", "And in salsa verde?",
			"Which herbs are in salsa verde?" },
		{ "How much is a ticket to Oslo?", "and for children?",
			"How much is a ticket to Oslo for children?" },
		{ "I want a cheap restaurant that serves Thai food.", "How about Italian food?",
			"I want a cheap restaurant that serves Italian food." },
		{ "Was kostet ein Visum für Nepal?", "und für Bhutan?",
			"Was kostet ein Visum für Bhutan?" },
		{ "从北京到西安的高铁要多久？", "那到成都呢？", "从北京到成都的高铁要多久？" },
	};
	struct followup f;

	for (size_t i = 0; i < NELEM(cases); i++) {
		n_said = 0;
		say(CONVERSATION_USER, cases[i].said);
		say(CONVERSATION_OTHER, "42.");
		is_str(resolve(cases[i].asked, &f), cases[i].whole, "%s", cases[i].asked);
	}
	n_said = 0;
	say(CONVERSATION_USER, "What is the tallest building in Chicago?");
	say(CONVERSATION_OTHER, "The Willis Tower.");
	say(CONVERSATION_USER, "When was it finished?");
	say(CONVERSATION_OTHER, "In 1974.");
	is_str(resolve("and in Boston?", &f), "What is the tallest building in Boston?",
	    "not the last question, but the one that has a place");
	ok(f.n_added == 2 && f.added[0].len == 7 && memcmp(f.added[0].text, "tallest", 7) == 0,
	    "what was added is what stayed of it");
	n_said = 0;
	say(CONVERSATION_USER, "Letztes Jahr haben wir dort Maronen gefunden.");
	ok(!contains(resolve("und Pfifferlinge?", &f), "gefunden"),
	    "what was told is not asked: %s", resolve("und Pfifferlinge?", &f));
	resolve("and", &f);
	resolve("and in", &f);
	ok(strcmp(resolve("and ?", &f), "and ?") == 0 || f.len > 0, "an opener alone");
}

int
main(void)
{
	test_words();
	test_pronouns();
	test_replies();
	test_topics();
	test_languages();
	test_lists();
	test_chinese();
	test_confidence();
	test_chats();
	test_ellipsis();
	test_odd();
	arena_release(&arena);
	return tap_done();
}
