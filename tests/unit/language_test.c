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
	static const struct { enum language l; const char *text; } golden[] = {
		{ LANGUAGE_ENGLISH, "Where does Nora live now?" },
		{ LANGUAGE_ENGLISH, "When is Melanie's daughter's birthday?" },
		{ LANGUAGE_ENGLISH, "Was Anna in Las Vegas?" },
		{ LANGUAGE_ENGLISH, "getUserName" }, { LANGUAGE_ENGLISH, "" },
		{ LANGUAGE_ENGLISH, "诺拉现在住在哪里？" },
		{ LANGUAGE_GERMAN, "Wo wohnt Nora?" },
		{ LANGUAGE_GERMAN, "Hat Nora die Wohnung bekommen?" },
		{ LANGUAGE_FRENCH, "Où est l’appartement ?" },
		{ LANGUAGE_FRENCH, "Qu'est-ce que Nora a dit de la voiture ?" },
		{ LANGUAGE_SPANISH, "¿Dónde vive Nora ahora?" },
		{ LANGUAGE_ITALIAN, "Dov'è la casa di Nora?" },
		{ LANGUAGE_PORTUGUESE, "Onde mora a Nora agora?" },
		{ LANGUAGE_DUTCH, "Waar woont Nora nu?" },
		{ LANGUAGE_SWEDISH, "Är räkningen betald?" },
		{ LANGUAGE_RUSSIAN, "Где живёт Нора?" },
	};

	for (size_t i = 0; i < NELEM(golden); i++)
		is_int((int)language_of(golden[i].text, strlen(golden[i].text)),
		    (int)golden[i].l, "the language of \"%s\"", golden[i].text);
}

static void
test_fold(void)
{
	static const struct { enum language l; const char *word, *folded; } golden[] = {
		{ LANGUAGE_GERMAN, "Häuser", "hauser" },
		{ LANGUAGE_FRENCH, "L'Été", "ete" }, { LANGUAGE_FRENCH, "jusqu’ici", "ici" },
		{ LANGUAGE_FRENCH, "aujourd'hui", "aujourdhui" }, { LANGUAGE_FRENCH, "Nora's", "noras" },
		{ LANGUAGE_ITALIAN, "dell'esame", "esame" },
		{ LANGUAGE_DUTCH, "collega's", "collegas" },
	};
	char long_word[WORDS_TERM_BYTES + 2], out[WORDS_TERM_BYTES];

	for (size_t i = 0; i < NELEM(golden); i++) {
		size_t n = language_fold(golden[i].l, golden[i].word, strlen(golden[i].word), out);
		is_text(out, n, golden[i].folded, "%s is folded",
		    golden[i].word);
	}
	memset(long_word, 'a', sizeof(long_word));
	is_int((int)language_fold(LANGUAGE_GERMAN, long_word, sizeof(long_word), out), 0,
	    "a word that is too long is none");
	is_int((int)language_fold(LANGUAGE_GERMAN, long_word, WORDS_TERM_BYTES, out),
	    WORDS_TERM_BYTES, "the longest word is one");
}

/* Words of a table that is not in order would not be found. */
static void
test_stop(void)
{
	static const struct { enum language l; const char *words[6]; } some[] = {
		{ LANGUAGE_GERMAN, { "aber", "der", "ich", "uber", "wo", "zwischen" } },
		{ LANGUAGE_FRENCH, { "a", "dans", "est", "meme", "que", "y" } },
		{ LANGUAGE_SPANISH, { "a", "donde", "fue", "mas", "que", "yo" } },
		{ LANGUAGE_ITALIAN, { "a", "come", "gli", "piu", "sono", "vostro" } },
		{ LANGUAGE_PORTUGUESE, { "a", "onde", "nao", "voce", "um", "vosso" } },
		{ LANGUAGE_DUTCH, { "aan", "de", "het", "van", "wie", "zou" } },
		{ LANGUAGE_SWEDISH, { "aldrig", "det", "ja", "och", "var", "vill" } },
		{ LANGUAGE_RUSSIAN, { "а", "где", "или", "мне", "что", "я" } },
	};

	for (size_t i = 0; i < NELEM(some); i++)
		for (size_t k = 0; k < NELEM(some[i].words); k++)
			ok(language_is_stop(some[i].l, some[i].words[k], strlen(some[i].words[k])),
			    "%s is a function word", some[i].words[k]);
	ok(!language_is_stop(LANGUAGE_GERMAN, "haus", 4), "a house is none");
	ok(language_is_stop(LANGUAGE_ENGLISH, "the", 3), "those of English are the tokenizer's");
}

static void
test_stems(void)
{
	static const struct { enum language l; const char *word, *stem; } golden[] = {
		{ LANGUAGE_GERMAN, "katzen", "katz" }, { LANGUAGE_GERMAN, "hauser", "haus" },
		{ LANGUAGE_FRENCH, "chats", "chat" }, { LANGUAGE_FRENCH, "maisons", "maison" },
		{ LANGUAGE_SPANISH, "casas", "cas" }, { LANGUAGE_SPANISH, "canciones", "cancion" },
		{ LANGUAGE_ITALIAN, "gatti", "gatt" }, { LANGUAGE_PORTUGUESE, "gatos", "gat" },
		{ LANGUAGE_DUTCH, "katten", "kat" }, { LANGUAGE_SWEDISH, "katterna", "katt" },
		{ LANGUAGE_RUSSIAN, "квартиру", "квартир" }, { LANGUAGE_RUSSIAN, "новыи", "нов" },
		{ LANGUAGE_RUSSIAN, "станции", "станц" },
	};
	struct stemmer *none = stemmer_new(LANGUAGE_ENGLISH);

	for (size_t i = 0; i < NELEM(golden); i++) {
		struct stemmer *s = stemmer_new(golden[i].l);
		size_t n;
		const char *stem;
		if (s == NULL) {
			ok(false, "libstemmer has the stemmer of language %d", (int)golden[i].l);
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
	test_fold();
	test_stop();
	test_stems();
	return tap_done();
}
