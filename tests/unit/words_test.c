/*
 * words_test.c: what the tokenizer makes of texts. Terms are written as POSITION:KINDterm, the kind
 * one of plain "", number "n:", whole "w:", part "p:", character "c:", pair "cc:", symbol "s:"; a
 * stop word has a star behind it.
 */
#include "tap.h"

#include "base/alloc.h"
#include "base/utf8.h"
#include "text/particles.h"
#include "text/words.h"

struct list {
	char text[4000];
	size_t len;
	uint32_t position;
	const char *from;
	size_t from_len;
	bool sane;
};

static int
list_word(void *arg, const struct word *w)
{
	static const char *const kinds[] = { "", "n:", "w:", "p:", "c:", "cc:", "s:" };
	struct list *l = arg;

	if (w->len == 0 || w->len > WORDS_TERM_BYTES || w->start >= w->end ||
	    w->end > l->from_len || w->position < l->position || w->position > l->position + 1 ||
	    !utf8_valid(w->term, w->len))
		l->sane = false;
	l->position = w->position;
	if (l->len < sizeof(l->text) - 100)
		l->len += (size_t)snprintf(l->text + l->len, sizeof(l->text) - l->len,
		    "%s%u:%s%.*s%s", l->len > 0 ? " " : "", w->position, kinds[w->kind],
		    (int)w->len, w->term, w->stop ? "*" : "");
	return 0;
}

static void
list_make(struct list *l, const char *text, size_t len)
{
	/* exact size: a read past the end is an error under ASan */
	char *copy = xmemdup(text, len);

	memset(l, 0, sizeof(*l));
	l->from = copy;
	l->from_len = len;
	l->sane = true;
	words_each(copy, len, list_word, l);
	free(copy);
}

static const struct { const char *text, *want; } cases[] = {
	{ "The quick foxes jumped.", "0:the* 1:quick 2:fox 3:jump" },
	{ "HELLO Hello hello", "0:hello 1:hello 2:hello" },
	{ "", "" },
	/* a mark of its own makes the same letter */
	{ "\xe3\x83\x9b\xe3\x82\x99 \xe3\x83\x9c \xe3\x81\xbb\xe3\x82\x9a \xe3\x81\xbd", "0:c:\xe3\x83\x9c 1:c:\xe3\x83\x9c 2:c:\xe3\x81\xbd 3:c:\xe3\x81\xbd" },
	{ " ... -- ' _ # / . ", "" },
	/* apostrophes */
	{ "don't can\xe2\x80\x99t John's dogs' O'Brien", "0:dont* 1:cant* 2:john 3:dog 4:obrien" },
	{ "she'll we're I'd I'm they've", "0:she* 1:we* 2:i* 3:i* 4:thei*" },
	{ "'quoted' rock'n'roll the 90's", "0:quot 1:rocknrol 2:the* 3:n:90" },
	/* numbers */
	{ "2,000 $1,234,567.89 3.5 1,2,3 12,34", "0:n:2000 1:n:1234567.89 2:n:3.5 3:n:1 4:n:2 5:n:3 6:n:12 7:n:34" },
	{ "10:30 2024-05-01 1/2", "0:n:10:30 0:p:10 0:p:30 1:n:2024-05-01 1:p:2024 1:p:05 1:p:01 2:n:1/2 2:p:1 2:p:2" },
	{ "3rd 21st 10am", "0:w:3rd 0:p:3 1:w:21st 1:p:21 2:w:10am 2:p:10 2:p:am*" },
	/* hyphens and slashes between plain words */
	{ "long-term and/or e-mail", "0:long 1:term 2:and* 3:or* 4:e 4:p:email 5:mail" },
	{ "TCP/IP", "0:w:tcpip 0:p:tcp 0:p:ip" },
	{ "--dry-run `flask-login`", "0:w:dryrun 0:p:dry 0:p:run 1:w:flasklogin 1:p:flask 1:p:login" },
	{ "U.S.A. e.g. p.m. U.S.", "0:usa 1:eg* 2:pm 3:us" },
	/* identifiers */
	{ "getUserName", "0:w:getusername 0:p:getusernam 0:p:get 0:p:user 0:p:name" },
	{ "get_user_name", "0:w:getusername 0:p:get 0:p:user 0:p:name" },
	{ "see client.put.", "0:see 1:w:clientput 1:p:client 1:p:put" },
	{ "gitlab.com/pycqa/flake8", "0:w:gitlabcompycqaflake8 0:w:pycqaflake8 0:w:gitlabcom 0:p:gitlab 0:p:com 0:p:pycqa 0:w:flake8 0:p:flake 0:p:8" },
	{ "C++ C# .NET node.js g++ c++17", "0:w:c++ 0:p:c 1:w:c# 1:p:c 2:w:.net 2:p:net 3:w:nodejs 3:p:node 3:p:js 4:w:g++ 4:p:g 5:w:c++17 5:p:c 5:p:17" },
	{ "issue #480, #tag", "0:issu 1:w:#480 1:p:480 2:tag" },
	{ "user@example.com @user", "0:w:userexamplecom 0:p:user 0:w:examplecom 0:p:exampl 0:p:com 1:user" },
	{ "getUserName (1) (2) (3) (4)", "0:w:getusername 0:p:getusernam 0:p:get 0:p:user 0:p:name 1:n:1 2:n:2 3:n:3 4:n:4" },
	{ "HTTPServer2Go XMLHttpRequest", "0:w:httpserver2go 0:p:http 0:p:server 0:p:2 0:p:server2 0:p:go 1:w:xmlhttprequest 1:p:xml 1:p:http 1:p:request" },
	{ "APIs URLs iPhone", "0:api 1:url 2:w:iphone 2:p:iphon 2:p:i* 2:p:phone" },
	{ "v1.2.3", "0:w:v1.2.3 0:w:v1 0:p:v 0:p:1 0:p:2 0:p:3" },
	{ "__init__ _private _emphasis_", "0:w:__init__ 0:p:init 1:privat 2:emphasi" },
	{ "self.a_file.exists()", "0:w:selfafileexists 0:w:afileexists 0:p:self 0:w:afile 0:p:a* 0:p:file 0:p:exist" },
	{ "/usr/bin/env ~/.ssh/config", "0:w:usrbinenv 0:w:binenv 0:p:usr 0:p:bin 0:p:env 1:w:.sshconfig 1:w:.ssh 1:p:ssh 1:p:config" },
	{ "Chart.js-compatible", "0:w:chartjscompatible 0:w:chartjs 0:p:chart 0:p:js 0:p:compat" },
	{ "std::vector key:value", "0:w:stdvector 0:p:std 0:p:vector 1:kei 2:valu" },
	{ "https://example.org/a_b?x=1", "0:w:exampleorgab 0:w:exampleorg 0:p:exampl 0:p:org 0:w:ab 0:p:a* 0:p:b 1:x 2:n:1" },
	{ "a.b_c a.b_c", "0:w:abc 0:p:a* 0:w:bc 0:p:b 0:p:c 1:w:abc 1:p:a* 1:w:bc 1:p:b 1:p:c" },
	{ "da39a3ee5e6b4b0d3255", "0:w:da39a3ee5e6b4b0d3255" },
	/* folding */
	{ "caf\xc3\xa9 Stra\xc3\x9f" "e \xef\xac\x81ne \xef\xbc\xa1\xef\xbc\xa2", "0:cafe 1:strass 2:fine 3:ab" },
	{ "\xd0\x9f\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82 \xd1\x91", "0:\xd0\xbf\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82 1:\xd0\xb5" },
	{ "cafe\xcc\x81 na\xc3\xafve_bayes", "0:cafe 1:w:naivebayes 1:p:naiv 1:p:bay" },
	{ "\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8\xe0\xa5\x8d\xe0\xa4\xa6\xe0\xa5\x80", "0:\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8\xe0\xa5\x8d\xe0\xa4\xa6\xe0\xa5\x80" },
	/* scripts without spaces */
	{ "\xe5\x8c\x97\xe4\xba\xac\xe7\x9a\x84", "0:c:\xe5\x8c\x97 0:cc:\xe5\x8c\x97\xe4\xba\xac 1:c:\xe4\xba\xac 1:cc:\xe4\xba\xac\xe7\x9a\x84 2:c:\xe7\x9a\x84*" },
	{ "A\xe8\x82\xa1", "0:a* 1:c:\xe8\x82\xa1" },
	{ "\xef\xbd\xb6\xef\xbe\x9e\xef\xbe\x97", "0:c:\xe3\x82\xac 0:cc:\xe3\x82\xac\xe3\x83\xa9 1:c:\xe3\x83\xa9" },
	{ "\xed\x95\x9c\xea\xb5\xad", "0:c:\xed\x95\x9c 0:cc:\xed\x95\x9c\xea\xb5\xad 1:c:\xea\xb5\xad" },
	{ "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", "0:c:\xed\x95\x9c" },
	{ "\xe4\xbb\x80\xe4\xb9\x88", "0:c:\xe4\xbb\x80 0:cc:\xe4\xbb\x80\xe4\xb9\x88* 1:c:\xe4\xb9\x88*" },
	/*
	 * emoji: a skin tone and a variation selector are dropped, two regional indicators are one
	 * flag
	 */
	{ "ok\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd \xe2\x9d\xa4\xef\xb8\x8f", "0:ok 1:s:\xf0\x9f\x91\x8d 2:s:\xe2\x9d\xa4" },
	{ "\xf0\x9f\x87\xa8\xf0\x9f\x87\xb3", "0:s:\xf0\x9f\x87\xa8\xf0\x9f\x87\xb3" },
	/* what is no UTF-8 parts words */
	{ "ab\xff" "cd \xe4\xb8", "0:ab 1:cd" },
};

static void
check_cases(void)
{
	struct list l;

	for (size_t i = 0; i < NELEM(cases); i++) {
		list_make(&l, cases[i].text, strlen(cases[i].text));
		is_str(l.text, cases[i].want, "\"%s\"", cases[i].text);
	}
}

/* Offsets of a term's source, exact. */
static int
keep_last(void *arg, const struct word *w)
{
	*(struct word *)arg = *w;
	return 0;
}

static int
stop_second(void *arg, const struct word *w)
{
	return ++*(int *)arg == 2 ? (int)w->len : 0;
}

static void
check_offsets(void)
{
	struct word w;
	int n = 0;

	words_each("it's John's", 11, keep_last, &w);
	is_int(w.start, 5, "a word starts where it stands");
	is_int(w.end, 11, "and ends with its apostrophe");
	words_each("x get_name", 10, keep_last, &w);
	is_int(w.start, 6, "a part starts where it stands in the whole");
	is_int(words_each("one three five", 14, stop_second, &n), 5,
	    "a callback's value is handed on");
	is_int(n, 2, "and no term follows it");
}

/*
 * A word is the same term whatever its length is and however much text follows it, which is how it
 * is read: at once or letter by letter.
 */
static void
check_lengths(void)
{
	static const char *const shapes[] = { "abcdefghijklmnopqrstuvw", "Abcdefghijklmnopqrstuvw",
		"ABCDEFGHIJKLMNOPQRSTUVW" };
	static const char tail[] = " (1) [2] {3} <4> ; 5 ~ \"6\"";
	bool same = true;

	for (size_t i = 0; i < NELEM(shapes); i++)
		for (size_t n = 1; n < 24; n++)
			for (size_t after = 0; after < sizeof(tail); after++) {
				char text[64], want[64], stem[24];
				struct list l;

				memcpy(stem, shapes[0], n);
				snprintf(text, sizeof(text), "%.*s%.*s", (int)n, shapes[i],
				    (int)after, tail);
				snprintf(want, sizeof(want), "0:%.*s%s", (int)words_stem(stem, n),
				    stem, n == 1 ? "*" : "");
				list_make(&l, text, strlen(text));
				same = same && strncmp(l.text, want, strlen(want)) == 0 &&
				    (l.text[strlen(want)] == '\0' || l.text[strlen(want)] == ' ');
			}
	ok(same, "words of 1 to 23 letters in three cases, with 0 to %zu bytes behind them",
	    sizeof(tail) - 1);
}

static void
check_long(void)
{
	static char text[70000];
	struct list l;

	memset(text, 'a', sizeof(text));
	list_make(&l, text, sizeof(text));
	ok(l.sane && l.len == 66, "a word of 70,000 letters is one term of %d bytes",
	    WORDS_TERM_BYTES);
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = i % 2 ? '.' : 'b';
	list_make(&l, text, sizeof(text));
	ok(l.sane, "35,000 dotted letters");
	for (size_t i = 0; i + 2 < sizeof(text); i += 3)
		memcpy(text + i, "\xe4\xb8\x80", 3);
	list_make(&l, text, sizeof(text));
	ok(l.sane, "23,000 Han characters");
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = "aB9_/-.:'#+@, \xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80\xcc\x81"
		    [(i * 2654435761u >> 7) % 25];
	list_make(&l, text, sizeof(text));
	ok(l.sane, "70,000 bytes of everything: terms valid and in order");
}

static void
check_particles(void)
{
	static const char text[] = "地址是什么时候，知道 is";

	is_int(particle_at(text, strlen(text), 0), 0,
	    "no particle, though a stop word: a part of too many words");
	is_int(particle_at(text, strlen(text), 6), 9, "the longest: 是什么");
	is_int(particle_at(text, strlen(text), 9), 12, "what begins inside it");
	is_int(particle_at(text, 14, 9), 0, "cut inside a character");
	is_int(particle_at(text, 15, 9), 6, "cut behind a shorter one");
	is_int(particle_at(text, strlen(text), 24), 6, "behind a comma");
	is_int(particle_at(text, strlen(text), strlen(text) - 2), 0, "nothing Latin");
	is_int(particle_at(text, strlen(text), strlen(text)), 0, "at the end");
	is_int(particle_at("\xe7\x9a\x84", 3, 0), 3, "one character");
	is_int(particle_at("\xe7\x9a", 2, 0), 0, "half a character");
	is_int(particle_at("\xff\xff\xff", 3, 0), 0, "rubbish");
}

static void
check_stop(void)
{
	static const char list[] =
	    "a an the this that i me my you he she it we us they them am is are was were be been "
	    "have has had do does did can could"
	    " will would shall should must might of in on at by for with to from into about and or "
	    "but if because who whom whose which what when where why how"
	    " not then there too also just only very dont doesnt cant wont isnt im ive youre "
	    "theyll whats etc eg ie etc";
	static const char others[] =
	    "may id ill well time year use know second march sun thx word the0 th thee";
	char word[20];
	const char *p;
	int n, bad = 0;

	for (p = list; sscanf(p, "%19s%n", word, &n) == 1; p += n)
		bad += !words_is_stop(word, strlen(word));
	is_int(bad, 0, "function words are stop words");
	for (bad = 0, p = others; sscanf(p, "%19s%n", word, &n) == 1; p += n)
		bad += words_is_stop(word, strlen(word));
	is_int(bad, 0, "others are not");
	ok(!words_is_stop("", 0) && !words_is_stop("\xff\xff", 2) && !words_is_stop("a\0b", 3),
	    "nor is rubbish");
	ok(words_is_stop("いくつ", 9) && words_is_stop("为何", 6) &&
		words_is_stop("什么时候", 12) && words_is_stop("입니까", 9),
	    "scripts without spaces, first and last of the table and between");
	ok(!words_is_stop("什么时", 9) && !words_is_stop("时间", 6), "not what a word begins with");
}

static void
check_say(void)
{
	static const struct { const char *text; unsigned n; } of[] = { { "Ok.", 1 },
		{ "It is.", 0 }, { "\xf0\x9f\x91\x8d", 0 }, { "All the tests pass", 2 }, { "It's 42", 2 },
		{ "getUserName", 2 }, { "\xe6\x9d\xb1\xe4\xba\xac", 2 } };

	for (size_t i = 0; i < NELEM(of); i++)
		ok((of[i].n == 0 || words_say(of[i].text, strlen(of[i].text), of[i].n)) &&
			!words_say(of[i].text, strlen(of[i].text), of[i].n + 1),
		    "words of content of '%s'", of[i].text);
	ok(!words_say("tests pass", 5, 2), "words of content within the length");
}

static void
check_fold(void)
{
	char out[200];

	is_int(words_fold("\xc3\x89t\xc3\xa9 \xef\xbc\xb8!", 10, out), 6, "length of a fold");
	is_str(out, "ete x!", "fold: accents, case and width go, the rest stays");
	words_fold("A\xff" "B\xe4\xb8", 5, out);
	is_str(out, "a\xff" "b\xe4\xb8", "fold keeps bytes that are no UTF-8");
	words_fold("\xe1\xba\x9e \xc7\x85 \xe2\x84\xb5", 10, out);
	is_str(out, "ss dz \xd7\x90", "fold of sharp s, a digraph, a letterlike symbol");
}

int
main(void)
{
	check_cases();
	check_offsets();
	check_lengths();
	check_long();
	check_stop();
	check_say();
	check_particles();
	check_fold();
	return tap_done();
}
