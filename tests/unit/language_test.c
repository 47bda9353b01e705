/*
 * language_test.c: languages told by function words, folding, and stems by libstemmer, which are
 * what Snowball's own vocabularies say (folded).
 */
#include "tap.h"

#include "text/language.h"

#define is_text(got, n, want, ...) \
	ok((n) == strlen(want) && memcmp(got, want, n) == 0, __VA_ARGS__)

static void
test_language(void)
{
	static const struct { const char *l; const char *text; } golden[] = {
		{ "en", "Where does Nora live now?" },
		{ "en", "When is Melanie's daughter's birthday?" },
		{ "en", "Was Anna in Las Vegas?" },
		{ "en", "getUserName" }, { "en", "" },
		{ "en", "诺拉现在住在哪里？" },
		{ "de", "Wo wohnt Nora?" },
		{ "de", "Hat Nora die Wohnung bekommen?" },
		{ "fr", "Où est l’appartement ?" },
		{ "fr", "Qu'est-ce que Nora a dit de la voiture ?" },
		{ "es", "¿Dónde vive Nora ahora?" },
		{ "it", "Dov'è la casa di Nora?" },
		{ "pt", "Onde mora a Nora agora?" },
		{ "nl", "Waar woont Nora nu?" },
		{ "sv", "Är räkningen betald?" },
		{ "ru", "Где живёт Нора?" },
		{ "pl", "Gdzie teraz mieszka Nora?" },
	};

	for (size_t i = 0; i < NELEM(golden); i++)
		is_int((int)lex_language_of(golden[i].text, strlen(golden[i].text)),
		    (int)lex_language(golden[i].l), "the language of \"%s\"", golden[i].text);
}

static void
test_written_in(void)
{
	/* in: the languages that it may be in; "": it does not tell */
	static const struct { const char *in[2]; const char *text; } golden[] = {
		{ { "en" }, "Which database shall we use for the shop?" },
		{ { "de" }, "Welche Datenbank nehmen wir für den Laden?" },
		{ { "zh" }, "商店我们用哪个数据库" }, { { "zh" }, "mypy和specs的事我们是怎么决定的" },
		{ { "ja" }, "お店のデータベースはどれを使う？" }, { { "ko" }, "우리 가게는 어떤 데이터베이스를 쓰나요" },
		{ { "ru" }, "Какую базу данных мы возьмём для магазина?" },
		{ { "pl" }, "Której bazy danych użyjemy dla naszego sklepu?" },
		{ { "es", "pt" }, "Para que antes de" },
		{ { NULL }, "" }, { { NULL }, "ok" }, { { NULL }, "getUserName(int id)" },
		{ { NULL }, "what do 初老师 and 小六 each do" },
	};

	for (size_t i = 0; i < NELEM(golden); i++) {
		unsigned want = golden[i].in[0] == NULL ? LEX_ANY : 0;
		for (size_t k = 0; k < 2 && golden[i].in[k] != NULL; k++)
			want |= LEX_IN(lex_language(golden[i].in[k]));
		is_int((int)lex_written_in(golden[i].text, strlen(golden[i].text), 1), (int)want,
		    "what \"%s\" is written in", golden[i].text);
	}
	ok(lex_written_in("C/C++ tips", 10, 2.1f) == LEX_ANY, "so many words of it are wanted");
}

static void
test_fold(void)
{
	static const struct { const char *l; const char *word, *folded; } golden[] = {
		{ "de", "Häuser", "hauser" },
		{ "fr", "L'Été", "ete" }, { "fr", "jusqu’ici", "ici" },
		{ "fr", "lorsqu'il", "il" }, { "fr", "prud'homme", "prudhomme" },
		{ "fr", "aujourd'hui", "aujourdhui" }, { "fr", "Nora's", "noras" },
		{ "it", "dell'esame", "esame" },
		{ "nl", "collega's", "collegas" },
	};
	char long_word[WORDS_TERM_BYTES + 2], out[WORDS_TERM_BYTES];

	for (size_t i = 0; i < NELEM(golden); i++) {
		size_t n = language_fold(lex_language(golden[i].l), golden[i].word,
		    strlen(golden[i].word), out);
		is_text(out, n, golden[i].folded, "%s is folded",
		    golden[i].word);
	}
	memset(long_word, 'a', sizeof(long_word));
	is_int((int)language_fold(lex_language("de"), long_word, sizeof(long_word), out), 0,
	    "a word that is too long is none");
	is_int((int)language_fold(lex_language("de"), long_word, WORDS_TERM_BYTES, out),
	    WORDS_TERM_BYTES, "the longest word is one");
}

/* Words of a table that is not in order would not be found. */
static void
test_stop(void)
{
	static const struct { const char *l; const char *words[6]; } some[] = {
		{ "de", { "aber", "der", "ich", "uber", "wo", "zwischen" } },
		{ "fr", { "a", "dans", "est", "meme", "que", "y" } },
		{ "es", { "a", "donde", "fue", "mas", "que", "yo" } },
		{ "it", { "a", "come", "gli", "piu", "sono", "vostro" } },
		{ "pt", { "a", "onde", "nao", "voce", "um", "vosso" } },
		{ "nl", { "aan", "de", "het", "van", "wie", "zou" } },
		{ "sv", { "aldrig", "det", "ja", "och", "var", "vill" } },
		{ "ru", { "а", "где", "или", "мне", "что", "я" } },
		{ "pl", { "a", "bylo", "gdzie", "ktory", "moja", "ze" } },
	};

	for (size_t i = 0; i < NELEM(some); i++)
		for (size_t k = 0; k < NELEM(some[i].words); k++)
			ok(language_is_stop(lex_language(some[i].l), some[i].words[k],
				strlen(some[i].words[k])),
			    "%s is a function word", some[i].words[k]);
	ok(!language_is_stop(lex_language("de"), "haus", 4), "a house is none");
	ok(language_is_stop(LEX_EN, "the", 3), "those of English are the tokenizer's");
}

static void
test_stems(void)
{
	static const struct { const char *l; const char *word, *stem; } golden[] = {
		{ "de", "katzen", "katz" }, { "de", "hauser", "haus" },
		{ "fr", "chats", "chat" }, { "fr", "maisons", "maison" },
		{ "es", "casas", "cas" }, { "es", "canciones", "cancion" },
		{ "it", "gatti", "gatt" }, { "pt", "gatos", "gat" },
		{ "nl", "katten", "kat" }, { "sv", "katterna", "katt" },
		{ "ru", "квартиру", "квартир" }, { "ru", "новыи", "нов" },
		{ "ru", "станции", "станц" },
	};
	struct stemmer *none = stemmer_new(LEX_EN);

	for (size_t i = 0; i < NELEM(golden); i++) {
		struct stemmer *s = stemmer_new(lex_language(golden[i].l));
		size_t n;
		const char *stem;
		if (s == NULL) {
			ok(false, "libstemmer has the stemmer of language %s", golden[i].l);
			continue;
		}
		stem = stemmer_stem(s, golden[i].word, strlen(golden[i].word), &n);
		is_text(stem, n, golden[i].stem, "the stem of %s",
		    golden[i].word);
		stemmer_free(s);
	}
	ok(none == NULL, "English has none: its stems are in the index");
	stemmer_free(none);
}

int
main(void)
{
	test_language();
	test_written_in();
	test_fold();
	test_stop();
	test_stems();
	return tap_done();
}
