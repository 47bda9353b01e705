/*
 * question_test.c: what a question says. Terms are written one after another: w: before a whole
 * identifier, p: a part, c: a character, cc: a pair, n: a number, a star behind a function word;
 * joined words after a bar.
 */
#include "tap.h"

#include <math.h>

#include "base/base.h"
#include "rank/question.h"

static struct question q;
static char said[20000];

static const char *
ask_capped(const char *text, size_t max)
{
	static const char *const kinds[] = { "", "n:", "w:", "p:", "c:", "cc:", "s:" };
	size_t n = 0;

	question_read(&q, text, strlen(text), TIME_NONE, max);
	said[0] = '\0';
	for (size_t i = 0; i < q.n_terms; i++)
		n += (size_t)snprintf(said + n, sizeof(said) - n, "%s%s%.*s%s", i ? " " : "",
		    kinds[q.terms[i].kind], q.terms[i].len, q.terms[i].text,
		    q.terms[i].stop ? "*" : "");
	return said;
}

static const char *ask(const char *text) { return ask_capped(text, CAP_QUERY_TERMS); }

static const char *
joined(const char *text)
{
	size_t n = 0;

	ask(text);
	said[0] = '\0';
	for (size_t i = 0; i < q.n_joined; i++)
		n += (size_t)snprintf(said + n, sizeof(said) - n, "%s%.*s %u-%u", i ? ", " : "",
		    q.joined[i].len, q.joined[i].text, q.joined[i].start, q.joined[i].end);
	return said;
}

static const struct question_term *
term(const char *text)
{
	for (size_t i = 0; i < q.n_terms; i++)
		if (q.terms[i].len == strlen(text) &&
		    memcmp(q.terms[i].text, text, q.terms[i].len) == 0)
			return &q.terms[i];
	return NULL;
}

static void
test_terms(void)
{
	is_str(ask("Which file has the parsers?"), "file parser",
	    "function words are left out, words are stemmed");
	is_str(ask("the Running of the runs, run!"), "run", "each once");
	is_str(ask("what was it"), "what* wa* it*", "nothing but function words: they stay");
	is_str(ask("red-green tests"), "red green test", "words with a hyphen");
	is_str(ask(""), "", "nothing asked");
	is_str(ask(" ?! ,"), "", "nothing but signs");
	is_str(ask("\xe5\x8c\x97\xe4\xba\xac"),
	    "c:\xe5\x8c\x97 cc:\xe5\x8c\x97\xe4\xba\xac c:\xe4\xba\xac",
	    "Han: characters and their pair");
	ask("where is src/main.c kept");
	ok(term("srcmainc") && term("srcmainc")->kind == WORD_WHOLE &&
		term("srcmainc")->weight == 1,
	    "a whole identifier");
	ok(term("main") && term("main")->kind == WORD_PART && term("main")->weight > 0.69f &&
		term("main")->weight < 0.71f,
	    "its parts weigh .7");
	ok(term("kept") && term("kept")->weight == 1 && !term("kept")->name &&
		term("where") == NULL,
	    "a word");
	ok(q.has_code, "has an identifier");
	ask("where is the main file kept");
	ok(!q.has_code, "has none");
}

/* Scripts without spaces: function words longer than a character, and pairs that reach into one. */
static void
test_unspaced(void)
{
	is_str(ask("地址是什么"), "cc:地址 c:址 cc:址是", "what is the address");
	ok(term("地址")->weight == 1, "a word weighs 1");
	ok(term("址是")->weight > 0.29f && term("址是")->weight < 0.31f,
	    "half of a word and a particle: little");
	is_str(ask("什么时候开会"), "cc:候开 c:开 cc:开会 c:会",
	    "the longest function word, and no pair across its middle");
	ok(term("候开")->weight < 0.31f, "nor much of what it ends with");
	is_str(ask("什么时候"), "c:什* cc:什么* c:么* cc:么时* c:时* cc:时候* c:候*",
	    "nothing but a function word: it stays");
	is_str(ask("時間是多少"), "c:時 cc:時間 c:間 cc:間是", "written the old way");
	is_str(ask("时候。时间"), "c:时 cc:时间 c:间",
	    "a character of a function word that is content elsewhere");
	ok(term("时")->weight == 1 && !term("时")->stop, "and counts whole");
	is_str(ask("了谈。谈了谈谈"), "cc:了谈 c:谈 cc:谈了 cc:谈谈", "a pair again");
	is_str(ask("会議はいつですか"), "c:会 cc:会議 c:議 cc:議は c:は cc:はい", "Japanese");
	is_str(ask("회의 언제"), "c:회 cc:회의 c:의", "Korean");
	question_add(&q, "地址是什么，电话", strlen("地址是什么，电话"), 0.5f);
	ok(term("址是") && term("址是")->weight > 0.14f && term("址是")->weight < 0.16f &&
		term("电话")->weight == 0.5f,
	    "words that are added, alike");
	ok(term("是") == NULL && term("什") == NULL, "without the particles");
}

static void
test_joined(void)
{
	is_str(joined("user name of the parser"), "username 0-9, nameoftheparser 5-23",
	    "neighbours, function words within, and where they stand");
	is_str(joined("Parse JSON files"), "parsejson 0-10, parsejsonfiles 0-16, jsonfiles 6-16",
	    "two and three, as they are written, in lower case");
	is_str(joined("the user"), "", "a function word does not begin one");
	is_str(joined("one"), "", "one word");
	is_str(joined("Ann's cat"), "", "only of letters and digits");
	is_str(joined("\xc3\xa9tude plan"), "", "only of ASCII");
	is_str(joined("aaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbb"),
	    "aaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbb 0-41", "40 bytes");
	is_str(joined("aaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbb"), "", "41 bytes");
	ask("where is the user name kept");
	ok(q.n_terms == 3 && q.n_joined == 3, "three words, three ways to close them up");
	ok(fabs((double)question_share(&q, (const float[]){ 1, 2, 5 }, 13, 22) - 0.375) < 1e-6,
	    "user name: (1 + 2) / 8 of what the words are worth");
	ok(fabs((double)question_share(&q, (const float[]){ 1, 2, 5 }, 13, 21) - 0.125) < 1e-6,
	    "a word that is cut does not count");
	ok(question_share(&q, (const float[]){ 0, 0, 0 }, 0, 27) == 0, "nothing of nothing");
	joined("red green blue cyan pink gold gray teal navy plum rose rust ruby jade onyx opal");
	is_int(q.n_joined, QUESTION_JOINED, "no more than fit");
}

static void
test_asks(void)
{
	ask("When did we meet?");
	ok(q.asks_when && !q.asks_who, "when");
	ask("Where did we meet?");
	ok(!q.asks_when && q.asks_who, "where");
	ask("Who met?");
	ok(q.asks_who, "who");
	ask("What is the name of it");
	ok(q.asks_who, "what name");
	ask("How did it end?");
	ok(!q.asks_when && !q.asks_who, "how");
	ask("\xe8\xb0\x81\xe6\x9d\xa5\xe4\xba\x86");
	ok(q.asks_who, "who, in Chinese");
}

static void
test_cap(void)
{
	char text[8000];
	size_t n = 0;

	is_str(ask_capped("alpha beta gamma delta", 2), "alpha beta", "two terms");
	ok(q.cut, "the others are cut");
	is_str(ask_capped("alpha beta alpha the of beta", 2), "alpha beta",
	    "repeated and function words do not count");
	ok(!q.cut, "nothing is cut");
	is_str(ask_capped("alpha beta", 2), "alpha beta", "as many as may be");
	ok(!q.cut, "nothing is cut");
	ask_capped("\xe4\xba\xac\xe5\x8c\x97\xe5\xb1\xb1\xe6\xb0\xb4", 2);
	ok(!q.cut && term("\xe6\xb0\xb4") != NULL, "four Han characters are two words");
	ask_capped("\xe4\xba\xac\xe5\x8c\x97\xe5\xb1\xb1\xe6\xb0\xb4\xe5\xb2\xad", 2);
	ok(q.cut, "five are more");
	for (int i = 0; i < 1000; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "w%dx ", i);
	ask_capped(text, 100000);
	ok(q.cut && q.n_terms <= QUESTION_TERMS, "a thousand identifiers: %zu terms", q.n_terms);
	n = 0;
	for (int i = 0; i < 1000; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%c%c%c ", 'b' + i / 100,
		    'b' + i / 10 % 10, 'b' + i % 10);
	ask_capped(text, 100000);
	ok(q.cut && q.n_terms <= CAP_QUERY_TERMS, "a thousand words: %zu terms", q.n_terms);
}

static void
test_spans(void)
{
	static const char text[] = "What did we do in May 2023, and last week?";

	/* 2023-11-14 */
	question_read(&q, text, sizeof(text) - 1, 1700000000000000, CAP_QUERY_TERMS);
	is_int(q.n_spans, 2, "two spans");
	ok(q.spans[0].year == 2023 && q.spans[0].month == 5, "May 2023");
	is_int(q.spans[1].from_us, 1699228800000000, "from Monday, 6 November");
	is_int(q.spans[1].to_us, 1699833600000000, "to Monday, 13 November");
	question_read(&q, text, sizeof(text) - 1, TIME_NONE, CAP_QUERY_TERMS);
	is_int(q.n_spans, 0, "none when they are not looked for");
}

static void
test_speakers(void)
{
	ask("What did Ann Lee tell Bob about the trip?");
	is_int(q.n_speakers, 0, "no speaker is known yet");
	question_add_speaker(&q, 7, "Ann Lee");
	question_add_speaker(&q, 9, "bob");
	ok(q.n_speakers == 2 && q.speakers[0] == 7 && q.speakers[1] == 9, "speakers by number");
	ok(term("ann")->name && term("lee")->name && term("bob")->name, "words of names");
	ok(!term("trip")->name, "another word");
	for (uint16_t i = 0; i < 20; i++)
		question_add_speaker(&q, i, "trip");
	ok(q.n_speakers == QUESTION_SPEAKERS && term("trip")->name, "no more than fit");
	ask("Ann");
	ok(q.n_speakers == 0 && !term("ann")->name, "the next question knows none of it");
}

static void
test_projects(void)
{
	ask("Which rate limit has the Gallery, and which my-shop?");
	ok(question_names_project(&q, "/srv/gallery"), "a directory by its last part");
	ok(question_names_project(&q, "/srv/gallery/"), "with a slash behind it");
	ok(question_names_project(&q, "gallery"), "a name");
	ok(question_names_project(&q, "/srv/my-shop"), "with a hyphen");
	ok(!question_names_project(&q, "/gallery/srv"), "not by another part");
	ok(!question_names_project(&q, "/srv/gallery-old"), "not by half a name");
	ok(!question_names_project(&q, "/srv/the") && !question_names_project(&q, "/") &&
	    !question_names_project(&q, ""), "not by a function word, nor by nothing");
	question_add_project(&q, 4, "/srv/gallery");
	ok(q.n_projects == 1 && q.projects[0] == 4, "by its number");
	ok(term("galleri")->weight < term("limit")->weight && !term("galleri")->name,
	    "its words weigh less, and are words all the same");
	for (uint16_t i = 0; i < 20; i++)
		question_add_project(&q, i, "x");
	is_int(q.n_projects, QUESTION_PROJECTS, "no more than fit");
	ask("gallery");
	ok(q.n_projects == 0, "the next question knows none of it");
}

static void
is_without_names(const char *text, const char *want)
{
	struct buf out;

	buf_init(&out, 200);
	buf_adds(&out, "<");
	ask(text);
	question_add_speaker(&q, 7, "Ann Lee");
	question_without_names(&q, text, strlen(text), &out);
	is_str(out.data, want, "without names: %s", text);
	buf_release(&out);
}

static void
test_without_names(void)
{
	is_without_names("What did Ann Lee say of Ann's trip?", "<What did   say of  trip?");
	is_without_names("nobody's trip", "<nobody's trip");
	is_without_names("Ann Lee?", "<Ann Lee?");
	is_without_names("ANN'S 旅行", "< 旅行");
	is_without_names("Annex, Leeds", "<Annex, Leeds");
	is_without_names("Ann'", "<Ann'");
}

/* Terms with their weights. */
static const char *
weights(void)
{
	size_t n = 0;

	said[0] = '\0';
	for (size_t i = 0; i < q.n_terms; i++)
		n += (size_t)snprintf(said + n, sizeof(said) - n, "%s%.*s %.2g", i ? ", " : "",
		    q.terms[i].len, q.terms[i].text, (double)q.terms[i].weight);
	return said;
}

static void
test_asking(void)
{
	ask("What did we mention about the heron in our last conversation?");
	is_str(weights(), "mention 0.4, heron 1, last 1, convers 0.4",
	    "words of asking count for less");
	ask("papers that explain herons");
	is_str(weights(), "paper 0.4, explain 0.4, heron 1", "and what it is looked for in");
	ask("Conversion of Converse shoes");
	is_str(weights(), "convers 1, shoe 1", "what has the same stem does not");
	ask("Conversations of conversion");
	is_str(weights(), "convers 1", "where it is worth most decides");
}

static void
test_words_from_elsewhere(void)
{
	ask("What are lung cancer's symptoms of lungs?");
	question_weigh(&q, "lung", 4, "What are its symptoms?", 22, 0.5f);
	is_str(weights(), "lung 0.5, cancer 1, symptom 1", "a word that was added");
	question_weigh(&q, "symptoms", 8, "What are its symptoms?", 22, 0.5f);
	is_str(weights(), "lung 0.5, cancer 1, symptom 1", "one that was there before");
	question_weigh(&q, "none", 4, "", 0, 0.5f);
	is_str(weights(), "lung 0.5, cancer 1, symptom 1", "one that is not in it");
	question_add(&q, "What is its cough? A symptom", 28, 1);
	is_str(weights(), "lung 0.5, cancer 1, symptom 1, cough 1",
	    "a word that it lacks, no function word");
	ok(q.terms[3].start == 0 && q.terms[3].end == 0, "stands nowhere in it");
	for (int i = 0; i < 2 * QUESTION_TERMS; i++) {
		char word[24];
		question_add(&q, word, (size_t)snprintf(word, sizeof(word), "word%d", i), 1);
	}
	ok(q.n_terms <= QUESTION_TERMS, "no more than there is room for");
}

/* Each term with the parts that it stands in, as bits; how many parts in front. */
static const char *
parts(const char *text)
{
	size_t n;

	question_read(&q, text, strlen(text), TIME_NONE, CAP_QUERY_TERMS);
	n = (size_t)snprintf(said, sizeof(said), "%zu", q.n_parts);
	for (size_t i = 0; i < q.n_terms; i++)
		n += (size_t)snprintf(said + n, sizeof(said) - n, " %.*s=%u", q.terms[i].len,
		    q.terms[i].text, q.terms[i].parts);
	return said;
}

static void
test_parts(void)
{
	is_str(parts("Where is the red cat? And who has the dog?"), "2 red=1 cat=1 dog=2",
	    "two sentences that ask");
	is_str(parts("where is the red cat? and the red dog?"), "2 red=3 cat=1 dog=2",
	    "small letters; a word in both");
	is_str(parts("Where is the red cat?"), "0 red=0 cat=0", "one");
	is_str(parts("Where is the cat? It was red."), "0 cat=0 red=0", "one of two");
	is_str(parts("It rained. Where is the cat? Milk is out! Is there any bread?"),
	    "2 rain=0 cat=1 milk=0 bread=2", "what is told is in none");
	is_str(parts("cat? dog? "), "2 cat=1 dog=2", "a blank at the end");
	parts("see example.org/a?cat=red for cats?");
	is_int((int)q.n_parts, 0, "its question mark is none");
	is_str(parts("\xe7\x8c\xab\xef\xbc\x9f\xe7\x8b\x97\xef\xbc\x9f"),
	    "2 \xe7\x8c\xab=1 \xe7\x8b\x97=2", "full-width marks, no blank");
	is_str(parts("\xe7\x8c\xab?\xe7\x8b\x97?"), "2 \xe7\x8c\xab=1 \xe7\x8b\x97=2",
	    "ASCII marks between characters");
	parts("a1? a2? a3? a4? a5? a6? a7? a8? a9? a10?");
	is_int((int)q.n_parts, QUESTION_PARTS, "no more than there is room for");
	is_str(parts("?"), "0", "a mark alone");
}

/* Other forms with the term that they are of. */
static const char *
forms(const char *text)
{
	size_t n = 0;

	ask(text);
	said[0] = '\0';
	for (size_t i = 0; i < q.n_forms; i++)
		n += (size_t)snprintf(said + n, sizeof(said) - n, "%s%.*s=%.*s", i ? " " : "",
		    q.forms[i].len, q.forms[i].text, q.terms[q.forms[i].term].len,
		    q.terms[q.forms[i].term].text);
	return said;
}

static void
test_forms(void)
{
	static char found[QUESTION_FORMS][8];
	int taken = 0;

	is_str(forms("Where is the database config?"),
	    "db=databas configur=config cfg=config conf=config", "other forms of words");
	is_str(forms("config or cfg"), "configur=config conf=config",
	    "what the question says itself is a term, and a form is of one");
	is_str(forms("who has a heron"), "", "none");
	is_str(forms("readDbConfig"), "databas=db configur=config cfg=config conf=config",
	    "of the parts of an identifier");
	ask("the db config");
	ok(question_term_of(&q, "databas", 7) == 0 && question_term_of(&q, "db", 2) == 0 &&
		question_term_of(&q, "cfg", 3) == 1 && question_term_of(&q, "data", 4) == 2,
	    "words of a text are terms in any form");
	question_add(&q, "the message", 11, 0.5f);
	ok(question_term_of(&q, "msg", 3) == 2, "of what is added, too");
	ask("the db config");
	question_add(&q, "the database", 12, 0.5f);
	ok(question_term_of(&q, "databas", 7) == 2 && q.n_forms == 3,
	    "a form that is added is a term, and no form any more");
	ok(question_guess(&q, 2, "cfg", 3, 1) == NULL &&
		question_guess(&q, 2, "data", 4, 1) != NULL,
	    "what is a form already is no guess");
	ask("the config that Max and Ann have");
	question_add_speaker(&q, 1, "Max");
	ok(question_term_of(&q, "maximum", 7) == q.n_terms && question_term_of(&q, "cfg", 3) == 0,
	    "a speaker's name has no other forms");
	ask("Wo ist das Haus?");
	for (int i = 0; i < QUESTION_FORMS; i++) {
		snprintf(found[i], sizeof(found[i]), "hau%d", i);
		taken += question_form(&q, 0, found[i], strlen(found[i]));
	}
	ok(!question_form(&q, 0, "hauser", 6), "there is no room for more forms");
	is_int(taken, QUESTION_FORMS, "all others are taken");
	is_int((int)question_term_of(&q, "hau7", 4), 0, "and belong to their word");
}

static void
test_prompts(void)
{
	const char *text = "I sold the lamp last year. When did Ana buy the kettle? "
			   "Please answer in two short sentences, thanks, until tomorrow please.";
	struct buf out;

	question_read(&q, text, strlen(text), INT64_C(1718150400000000), CAP_QUERY_TERMS);
	ok(q.asks_when, "a prompt asks when, in the part that asks");
	ok(q.n_spans == 0, "times elsewhere do not count");
	ok(q.terms[question_term_of(&q, "kettl", 5)].weight >
		2 * q.terms[question_term_of(&q, "lamp", 4)].weight,
	    "what leads to the question counts less");
	buf_init(&out, 1000);
	question_without_names(&q, text, strlen(text), &out);
	buf_addc(&out, '\0');
	ok(strstr(out.data, "kettle") != NULL && strstr(out.data, "sentences") == NULL,
	    "and the meaning");
	buf_release(&out);
	text = "Where is the kettle? And where does Ana live? Please, two lines, no words.";
	question_read(&q, text, strlen(text), TIME_NONE, CAP_QUERY_TERMS);
	is_int((int)q.n_parts, 2, "sentences that ask are parts");
}

/* Wednesday, 12 June 2024 */
#define NOW INT64_C(1718150400000000)

static size_t
ranges(const char *text, const char *speaker)
{
	struct time_range r[QUESTION_SPANS];

	question_read(&q, text, strlen(text), NOW, CAP_QUERY_TERMS);
	if (speaker != NULL)
		question_add_speaker(&q, 1, speaker);
	return question_time_alone(&q, text, strlen(text), NOW, r);
}

static void
test_time_alone(void)
{
	static const char *const alone[] = { "what happened in June", "what did I do yesterday?",
		"anything from last week?", "2024-05",
		"show me what was said in the summer of 2023", "上周发生了什么",
		"上个月我们聊了什么？", NULL };
	static const char *const not_alone[] = { "what happened", "when was last week?",
		"what did I eat yesterday?", "what did Ana say in June?",
		"what happened at Christmas last year", "what did get_user say last week",
		"上周吃了什么", NULL };

	for (size_t i = 0; alone[i] != NULL; i++)
		ok(ranges(alone[i], NULL) == 1, "a time alone: %s", alone[i]);
	for (size_t i = 0; not_alone[i] != NULL; i++)
		ok(ranges(not_alone[i], NULL) == 0, "more than a time: %s", not_alone[i]);
	ok(ranges("what did Ana say in June?", "Ana") == 1, "a speaker's name is no word");
	ok(ranges("what did June say", "June") == 0 && ranges("what did June say", NULL) == 1,
	    "a speaker may be called June");
}

int
main(void)
{
	test_time_alone();
	test_prompts();
	test_parts();
	test_asking();
	test_words_from_elsewhere();
	test_terms();
	test_unspaced();
	test_joined();
	test_asks();
	test_cap();
	test_spans();
	test_speakers();
	test_projects();
	test_without_names();
	test_forms();
	return tap_done();
}
