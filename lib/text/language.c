/*
 * language.c: tells languages by their function words, and stems by libstemmer.
 *
 * The tables have the closed classes of each language (articles, pronouns, prepositions,
 * conjunctions, auxiliary verbs) and the words that begin questions, folded as the tokenizer folds
 * them; they are sorted by bytes. In Russian, folding turns the short i into i.
 */
#include "text/language.h"

#include <libstemmer.h>

#include "base/alloc.h"

/* Padded with zeros: pointers would have to be relocated at each start of a program. */
#define WORD_BYTES   16

static const char german[][WORD_BYTES] = {
	"aber", "alle", "allem", "allen", "aller", "alles", "als", "also", "am", "an", "andere",
	"anderen", "anderer", "anderes", "auch", "auf", "aus", "bei", "beim", "bin", "bis",
	"bist", "da", "dabei", "dadurch", "dafur", "daher", "damit", "danach", "daran", "darauf",
	"daraus", "darin", "daruber", "darum", "das", "dass", "dazu", "dein", "deine", "deinem",
	"deinen", "deiner", "dem", "den", "denen", "denn", "der", "deren", "des", "dessen",
	"dich", "die", "dies", "diese", "diesem", "diesen", "dieser", "dieses", "dir", "doch",
	"dort", "du", "durch", "ein", "eine", "einem", "einen", "einer", "eines", "einige", "er",
	"es", "etwa", "etwas", "euch", "euer", "eure", "fur", "gab", "gegen", "gibt", "habe",
	"haben", "habt", "haette", "hast", "hat", "hatte", "hatten", "hier", "hin", "hinter",
	"ich", "ihm", "ihn", "ihnen", "ihr", "ihre", "ihrem", "ihren", "ihrer", "im", "immer",
	"in", "indem", "ins", "ist", "ja", "jede", "jedem", "jeden", "jeder", "jedes", "jene",
	"jetzt", "kann", "kannst", "kein", "keine", "keinem", "keinen", "keiner", "konnen",
	"konnte", "machen", "man", "manche", "mehr", "mein", "meine", "meinem", "meinen",
	"meiner", "mich", "mir", "mit", "muss", "mussen", "musste", "nach", "nachdem", "nein",
	"nicht", "nichts", "noch", "nun", "nur", "ob", "oder", "ohne", "schon", "sehr", "sein",
	"seine", "seinem", "seinen", "seiner", "seit", "sich", "sie", "sind", "so", "solche",
	"soll", "sollen", "sollte", "sondern", "sonst", "uber", "um", "und", "uns", "unser",
	"unsere", "unserem", "unseren", "unserer", "unter", "viel", "viele", "vom", "von", "vor",
	"wahrend", "wann", "war", "ware", "waren", "warst", "warum", "was", "wegen", "weil",
	"welche", "welchem", "welchen", "welcher", "welches", "wem", "wen", "wenn", "wer",
	"werde", "werden", "wessen", "wie", "wieder", "wieso", "wieviel", "will", "wir", "wird",
	"wirst", "wo", "wofur", "woher", "wohin", "wollen", "womit", "woran", "worauf",
	"woruber", "wovon", "wozu", "wurde", "wurden", "zu", "zum", "zur", "zwar", "zwischen",
};
static const char german_first[][WORD_BYTES] = {
	"gibt", "habe", "haben", "hat", "hatte", "ist", "kann", "sind", "wann", "war", "warum",
	"was", "welche", "welchem", "welchen", "welcher", "welches", "wem", "wen", "wer",
	"wessen", "wie", "wieso", "wieviel", "wo", "wofur", "woher", "wohin", "womit", "woran",
	"worauf", "woruber", "wovon", "wozu",
};
static const char french[][WORD_BYTES] = {
	"a", "ai", "aie", "ainsi", "alors", "apres", "as", "au", "aucun", "aucune", "aussi",
	"autre", "autres", "aux", "avaient", "avais", "avait", "avant", "avec", "avez", "avons",
	"ayant", "beaucoup", "car", "ce", "ceci", "cela", "celle", "celles", "celui", "ces",
	"cet", "cette", "ceux", "chaque", "chez", "combien", "comme", "comment", "contre", "d",
	"dans", "de", "depuis", "des", "deux", "donc", "dont", "du", "elle", "elles", "en",
	"encore", "entre", "est", "et", "etaient", "etais", "etait", "etant", "ete", "etes",
	"etions", "etre", "eu", "fait", "faut", "furent", "hier", "ici", "il", "ils", "j", "je",
	"jusque", "l", "la", "laquelle", "le", "lequel", "les", "lesquelles", "lesquels", "leur",
	"leurs", "lui", "m", "ma", "mais", "me", "meme", "memes", "mes", "moi", "moins", "mon",
	"n", "ne", "nos", "notre", "nous", "on", "ont", "ou", "par", "parce", "pas", "pendant",
	"peu", "peut", "peux", "plus", "pour", "pourquoi", "puis", "qu", "quand", "que", "quel",
	"quelle", "quelles", "quels", "qui", "quoi", "s", "sa", "sans", "se", "sera", "serai",
	"serons", "ses", "si", "sommes", "son", "sont", "sous", "soyez", "suis", "sur", "t",
	"ta", "tandis", "te", "tes", "toi", "ton", "tous", "tout", "toute", "toutes", "tres",
	"tu", "un", "une", "vers", "voici", "voila", "vont", "vos", "votre", "vous", "y",
};
static const char french_first[][WORD_BYTES] = {
	"avez", "avons", "combien", "comment", "est", "laquelle", "lequel", "ont", "ou",
	"pourquoi", "qu", "quand", "que", "quel", "quelle", "quelles", "quels", "qui", "quoi",
	"sont",
};
static const char spanish[][WORD_BYTES] = {
	"a", "adonde", "al", "algo", "alguien", "alguna", "algunas", "alguno", "algunos", "ante",
	"antes", "aquel", "aquella", "aquellas", "aquellos", "aqui", "asi", "aun", "aunque",
	"cada", "como", "con", "contra", "cual", "cuales", "cualquier", "cuando", "cuanta",
	"cuantas", "cuanto", "cuantos", "de", "del", "desde", "donde", "dos", "durante", "e",
	"el", "ella", "ellas", "ellos", "en", "entonces", "entre", "era", "eran", "eras", "es",
	"esa", "esas", "ese", "eso", "esos", "esta", "estaba", "estaban", "estado", "estan",
	"estar", "estas", "este", "esto", "estos", "estoy", "estuve", "estuvo", "fue", "fueron",
	"ha", "habia", "habian", "han", "has", "hasta", "hay", "he", "hemos", "la", "las", "le",
	"les", "lo", "los", "mas", "me", "mi", "mia", "mias", "mio", "mios", "mis", "mucha",
	"muchas", "mucho", "muchos", "muy", "nada", "ni", "no", "nos", "nosotras", "nosotros",
	"nuestra", "nuestras", "nuestro", "nuestros", "o", "os", "otra", "otras", "otro",
	"otros", "para", "pero", "poco", "por", "porque", "pues", "que", "quien", "quienes",
	"se", "sea", "segun", "ser", "si", "sido", "sin", "sobre", "sois", "somos", "son", "soy",
	"su", "sus", "suya", "suyas", "suyo", "suyos", "tal", "tambien", "tampoco", "tan",
	"tanto", "te", "tenemos", "tengo", "ti", "tiene", "tienen", "toda", "todas", "todo",
	"todos", "tu", "tus", "tuve", "tuvo", "un", "una", "unas", "uno", "unos", "usted",
	"ustedes", "vosotras", "vosotros", "vuestra", "vuestro", "y", "ya", "yo",
};
static const char spanish_first[][WORD_BYTES] = {
	"adonde", "como", "cual", "cuales", "cuando", "cuanta", "cuantas", "cuanto", "cuantos",
	"donde", "era", "es", "esta", "ha", "han", "hay", "hemos", "que", "quien", "quienes",
	"son", "tengo", "tiene",
};
static const char italian[][WORD_BYTES] = {
	"a", "abbiamo", "ad", "adesso", "agli", "ai", "al", "alcuni", "alcuno", "alla", "alle",
	"allo", "altra", "altre", "altri", "altro", "anche", "ancora", "avere", "avete", "aveva",
	"avevano", "avevo", "c", "che", "chi", "ci", "cio", "com", "come", "con", "contro",
	"cos", "cosa", "cui", "da", "dagli", "dai", "dal", "dalla", "dalle", "dallo", "de",
	"degli", "dei", "del", "dell", "della", "delle", "dello", "dentro", "di", "dopo", "dov",
	"dove", "due", "durante", "e", "ed", "era", "erano", "eravamo", "ero", "essere", "fa",
	"fino", "fra", "gia", "gli", "ha", "hai", "hanno", "ho", "i", "il", "in", "invece", "io",
	"l", "la", "le", "lei", "li", "lo", "loro", "lui", "ma", "me", "mentre", "mi", "mia",
	"mie", "miei", "mio", "molta", "molte", "molti", "molto", "ne", "negli", "nei", "nel",
	"nella", "nelle", "nello", "no", "noi", "non", "nostra", "nostre", "nostri", "nostro",
	"o", "ogni", "perche", "pero", "piu", "poco", "poi", "prima", "qua", "qual", "qualche",
	"quale", "quali", "quando", "quant", "quanta", "quante", "quanti", "quanto", "quasi",
	"quel", "quella", "quelle", "quelli", "quello", "questa", "queste", "questi", "questo",
	"qui", "quindi", "sara", "se", "sei", "senza", "si", "sia", "siamo", "siete", "sono",
	"sopra", "sotto", "sta", "stata", "state", "stati", "stato", "sto", "su", "sua", "sue",
	"sugli", "sui", "sul", "sulla", "sulle", "suo", "suoi", "tra", "tu", "tua", "tue", "tuo",
	"tuoi", "tutta", "tutte", "tutti", "tutto", "un", "una", "uno", "vi", "voi", "vostra",
	"vostro",
};
static const char italian_first[][WORD_BYTES] = {
	"abbiamo", "avete", "che", "chi", "come", "cosa", "dov", "dove", "ha", "perche", "qual",
	"quale", "quali", "quando", "quant", "quanta", "quante", "quanti", "quanto", "sono",
};
static const char portuguese[][WORD_BYTES] = {
	"a", "ainda", "alem", "algo", "alguem", "algum", "alguma", "algumas", "alguns", "ante",
	"antes", "ao", "aonde", "aos", "apos", "aquela", "aquelas", "aquele", "aqueles", "aqui",
	"aquilo", "as", "ate", "cada", "com", "como", "contra", "cuja", "cujo", "da", "daquele",
	"das", "de", "dela", "delas", "dele", "deles", "depois", "desde", "dessa", "desse",
	"desta", "deste", "do", "dos", "durante", "e", "ela", "elas", "ele", "eles", "em",
	"enquanto", "entao", "entre", "era", "eram", "essa", "essas", "esse", "esses", "esta",
	"estamos", "estao", "estar", "estas", "estava", "estavam", "este", "estes", "esteve",
	"estive", "estou", "eu", "foi", "fomos", "for", "foram", "fosse", "fui", "ha", "haver",
	"isso", "isto", "ja", "la", "lhe", "lhes", "lo", "mais", "mas", "me", "mesmo", "meu",
	"meus", "mim", "minha", "minhas", "muita", "muitas", "muito", "muitos", "na", "nada",
	"nao", "nas", "nem", "nenhum", "nenhuma", "no", "nos", "nossa", "nossas", "nosso",
	"nossos", "num", "numa", "o", "onde", "os", "ou", "outra", "outras", "outro", "outros",
	"para", "pela", "pelas", "pelo", "pelos", "per", "pois", "por", "porque", "pouco",
	"quais", "qual", "qualquer", "quando", "quanta", "quantas", "quanto", "quantos", "que",
	"quem", "sao", "se", "seja", "sem", "sempre", "ser", "sera", "seu", "seus", "si", "sido",
	"so", "sob", "sobre", "somos", "sou", "sua", "suas", "tal", "tambem", "tanto", "te",
	"tem", "temos", "tenho", "ter", "teu", "teus", "teve", "tinha", "toda", "todas", "todo",
	"todos", "tu", "tua", "tuas", "um", "uma", "umas", "uns", "vai", "voce", "voces", "vos",
	"vosso",
};
static const char portuguese_first[][WORD_BYTES] = {
	"aonde", "como", "esta", "foi", "ha", "onde", "porque", "quais", "qual", "quando",
	"quanta", "quantas", "quanto", "quantos", "que", "quem", "sao", "tem", "tenho",
};
static const char dutch[][WORD_BYTES] = {
	"aan", "aangezien", "al", "alle", "alles", "als", "altijd", "andere", "ben", "bent",
	"bij", "daar", "daarom", "dan", "dat", "de", "deze", "die", "dit", "doch", "doen",
	"door", "dus", "een", "eens", "en", "er", "ervan", "even", "ga", "gaan", "geen",
	"geweest", "haar", "had", "hadden", "heb", "hebben", "hebt", "heeft", "hem", "hen",
	"het", "hier", "hij", "hoe", "hoeveel", "hun", "iemand", "iets", "ik", "in", "is", "ja",
	"je", "jij", "jou", "jouw", "jullie", "kan", "kon", "konden", "kunnen", "maar", "me",
	"meer", "men", "met", "mij", "mijn", "moet", "moeten", "na", "naar", "niemand", "niet",
	"niets", "nog", "nu", "of", "om", "omdat", "onder", "ons", "onze", "ook", "op", "over",
	"reeds", "s", "sinds", "t", "te", "tegen", "tijdens", "toch", "toen", "tot", "tussen",
	"u", "uit", "uw", "van", "vanaf", "veel", "voor", "vroeger", "waar", "waarmee", "waarom",
	"waarover", "wanneer", "want", "waren", "was", "wat", "we", "weer", "wel", "welk",
	"welke", "werd", "werden", "wie", "wij", "wil", "willen", "worden", "wordt", "zal",
	"zat", "ze", "zei", "zelf", "zich", "zij", "zijn", "zo", "zonder", "zou", "zouden",
};
static const char dutch_first[][WORD_BYTES] = {
	"heb", "hebben", "heeft", "hoe", "hoeveel", "kan", "waar", "waarmee", "waarom",
	"waarover", "wanneer", "wat", "welk", "welke", "wie", "zijn",
};
static const char swedish[][WORD_BYTES] = {
	"aldrig", "all", "alla", "allt", "alltid", "an", "andra", "annan", "annat", "ar", "at",
	"att", "av", "bara", "bland", "blev", "bli", "blir", "borde", "da", "dar", "darfor",
	"de", "deg", "dem", "den", "denna", "deras", "dess", "dessa", "det", "detta", "dig",
	"din", "dina", "ditt", "du", "e", "efter", "eftersom", "ej", "eller", "emot", "en", "er",
	"era", "ert", "ett", "fick", "finns", "for", "fore", "fran", "gor", "ha", "hade", "han",
	"hans", "har", "hela", "henne", "hennes", "hit", "hon", "honom", "hos", "hur", "hurdan",
	"i", "icke", "igen", "in", "inte", "ja", "jag", "kan", "kommer", "kunde", "man", "med",
	"medan", "mellan", "men", "mer", "mig", "min", "mina", "mitt", "mot", "mycket", "na",
	"nagon", "nagot", "nagra", "nar", "nej", "ni", "nu", "och", "ocksa", "om", "oss", "over",
	"pa", "redan", "sa", "sadan", "sedan", "ser", "sig", "sin", "sina", "sitt", "ska",
	"skall", "skulle", "som", "somliga", "tid", "till", "under", "upp", "ut", "utan", "vad",
	"var", "vara", "vare", "varfor", "varit", "varje", "vars", "varst", "vart", "vem",
	"vems", "vi", "vid", "vilka", "vilkas", "vilken", "vilket", "vill", "ville", "visst",
};
static const char swedish_first[][WORD_BYTES] = {
	"ar", "finns", "hade", "har", "hur", "kan", "nar", "ska", "vad", "var", "varfor", "vart",
	"vem", "vems", "vilka", "vilken", "vilket",
};
static const char russian[][WORD_BYTES] = {
	"а", "без", "более", "бы", "был", "была", "были", "было", "быть", "в", "вам", "вас",
	"ваш", "ваша", "ваше", "ваши", "весь", "во", "вот", "все", "всегда", "всего", "всех",
	"всю", "вы", "где", "да", "даже", "для", "до", "его", "ее", "если", "есть", "еще", "же",
	"за", "зачем", "здесь", "и", "из", "или", "им", "ими", "их", "к", "каждыи", "как",
	"какая", "какие", "каким", "каких", "какого", "какое", "какои", "каком", "какую", "ко",
	"когда", "кого", "кому", "которая", "которые", "которыи", "кто", "куда", "ли", "либо",
	"лишь", "между", "меня", "мне", "много", "мнои", "мною", "мое", "моего", "моеи", "моем",
	"может", "можно", "мои", "мою", "моя", "мы", "на", "над", "надо", "нам", "нами", "нас",
	"наш", "наша", "наше", "нашеи", "наши", "нашу", "не", "него", "нее", "неи", "нем", "нет",
	"ни", "них", "но", "ну", "о", "об", "однако", "он", "она", "они", "оно", "от", "откуда",
	"очень", "перед", "по", "под", "после", "потом", "потому", "почему", "при", "про", "с",
	"сам", "свое", "свои", "своя", "себя", "сеичас", "сколько", "со", "так", "также",
	"такои", "там", "твои", "твоя", "тебе", "тебя", "тем", "теперь", "то", "тобои", "того",
	"тоже", "только", "том", "тому", "тот", "ту", "тут", "ты", "у", "уже", "хотя", "чего",
	"чеи", "чем", "через", "что", "чтобы", "чье", "чьи", "чья", "эта", "эти", "это", "этого",
	"этои", "этом", "этот", "эту", "я",
};
static const char russian_first[][WORD_BYTES] = {
	"был", "была", "были", "где", "есть", "зачем", "какая", "какие", "каким", "каких",
	"какого", "какое", "какои", "каком", "какую", "когда", "кого", "кому", "кто", "куда",
	"ли", "откуда", "почему", "сколько", "чего", "чеи", "чем", "что", "чье", "чьи", "чья",
};

static const char *const french_elided[] = { "d", "l" };
static const char *const italian_elided[] = { "all", "dell", "l", "un" };

struct table { const char (*words)[WORD_BYTES]; size_t n; };
#define TABLE(t) { t, NELEM(t) }

static const struct {
	const char *stemmer;               /* as libstemmer names it */
	struct table stop, first;
	const char *const *elided;
	size_t n_elided;
} languages[N_LANGUAGES] = {
	[LANGUAGE_GERMAN] = { "german", TABLE(german), TABLE(german_first),
		NULL, 0 },
	[LANGUAGE_FRENCH] = { "french", TABLE(french), TABLE(french_first),
		french_elided, NELEM(french_elided) },
	[LANGUAGE_SPANISH] = { "spanish", TABLE(spanish), TABLE(spanish_first),
		NULL, 0 },
	[LANGUAGE_ITALIAN] = { "italian", TABLE(italian), TABLE(italian_first),
		italian_elided, NELEM(italian_elided) },
	[LANGUAGE_PORTUGUESE] = { "portuguese", TABLE(portuguese), TABLE(portuguese_first),
		NULL, 0 },
	[LANGUAGE_DUTCH] = { "dutch", TABLE(dutch), TABLE(dutch_first),
		NULL, 0 },
	[LANGUAGE_SWEDISH] = { "swedish", TABLE(swedish), TABLE(swedish_first),
		NULL, 0 },
	[LANGUAGE_RUSSIAN] = { "russian", TABLE(russian), TABLE(russian_first),
		NULL, 0 },
};

#define TIED_MOST    5             /* letters that an apostrophe ties to a word: dell, jusqu */
#define WORDS_READ   64            /* words of a text that tell its language */
#define HITS_LEAST   2             /* function words that a language needs */

static int
compare(const void *a, const void *b)
{
	return memcmp(a, b, WORD_BYTES);
}

static bool
is_in(struct table t, const char *word, size_t len)
{
	char key[WORD_BYTES] = "";

	if (len == 0 || len > sizeof(key))
		return false;
	memcpy(key, word, len);
	return bsearch(key, t.words, t.n, WORD_BYTES, compare) != NULL;
}

bool
language_is_stop(enum language l, const char *word, size_t len)
{
	return l == LANGUAGE_ENGLISH ? words_is_stop(word, len) :
	    is_in(languages[l].stop, word, len);
}

const char *const *
language_elided(enum language l, size_t *n)
{
	*n = languages[l].n_elided;
	return languages[l].elided;
}

/* ---- folding ---- */

/* Returns the bytes of an apostrophe at p; 0: there is none. */
static size_t
apostrophe_at(const char *p, const char *end)
{
	if (*p == '\'')
		return 1;
	return end - p >= 3 && memcmp(p, "\xe2\x80\x99", 3) == 0 ? 3 : 0;
}

size_t
language_fold(enum language l, const char *word, size_t len, char *out)
{
	char folded[3 * WORDS_TERM_BYTES + 1];
	size_t n, n_out = 0, mark;

	if (len > WORDS_TERM_BYTES)
		return 0;
	n = words_fold(word, len, folded);
	for (const char *p = folded, *end = folded + n; p < end; p += MAX(mark, 1u)) {
		mark = apostrophe_at(p, end);
		if (mark > 0 && languages[l].n_elided > 0 && n_out <= TIED_MOST &&
		    (size_t)(end - p) >= mark + 2)
			n_out = 0;
		else if (mark == 0 && n_out == WORDS_TERM_BYTES)
			return 0;
		else if (mark == 0)
			out[n_out++] = *p;
	}
	return n_out;
}

/* ---- which language ---- */

struct votes {
	const char *text;
	size_t n_words;
	float score[N_LANGUAGES];
	unsigned hits[N_LANGUAGES];
	enum language first;               /* one of its words begins the text; English: none */
};

static int
vote(void *arg, const struct word *w)
{
	struct votes *v = arg;
	char word[WORDS_TERM_BYTES], untied[WORDS_TERM_BYTES];
	size_t len = language_fold(LANGUAGE_ENGLISH, v->text + w->start, w->end - w->start, word),
	       n_untied = language_fold(LANGUAGE_FRENCH, v->text + w->start, w->end - w->start,
		   untied);
	bool has[N_LANGUAGES];
	unsigned n = 0;

	if (v->n_words == WORDS_READ)
		return 1;
	if (w->kind != WORD_PLAIN || len == 0)
		return 0;
	for (int l = 0; l < N_LANGUAGES; l++) {
		bool ties = languages[l].n_elided > 0;
		has[l] = language_is_stop((enum language)l, ties ? untied : word,
		    ties ? n_untied : len);
		n += has[l];
		if (v->n_words == 0 && has[l] && l != LANGUAGE_ENGLISH &&
		    v->first == LANGUAGE_ENGLISH &&
		    is_in(languages[l].first, ties ? untied : word, ties ? n_untied : len))
			v->first = (enum language)l;
	}
	for (int l = 0; l < N_LANGUAGES; l++) {
		v->hits[l] += has[l];
		v->score[l] += has[l] ? 1.0f / (float)n : 0;
	}
	v->n_words++;
	return 0;
}

enum language
language_of(const char *text, size_t len)
{
	struct votes v = { .text = text };
	int best = 0;

	words_each(text, len, vote, &v);
	for (int l = 1; l < N_LANGUAGES; l++)
		if (v.score[l] > v.score[best])
			best = l;
	return best == LANGUAGE_ENGLISH || v.hits[best] >= HITS_LEAST ||
	    v.first == (enum language)best ? (enum language)best : LANGUAGE_ENGLISH;
}

/* ---- stems ---- */

struct stemmer {
	struct sb_stemmer *snowball;
	bool russian;
};

struct stemmer *
stemmer_new(enum language l)
{
	struct sb_stemmer *snowball;
	struct stemmer *s;

	if (l == LANGUAGE_ENGLISH ||
	    (snowball = sb_stemmer_new(languages[l].stemmer, "UTF_8")) == NULL)
		return NULL;
	s = xcalloc(1, sizeof(*s));
	s->snowball = snowball;
	s->russian = l == LANGUAGE_RUSSIAN;
	return s;
}

void
stemmer_free(struct stemmer *s)
{
	if (s == NULL)
		return;
	sb_stemmer_delete(s->snowball);
	free(s);
}

/*
 * Whether a Russian word ends in a vowel and i. Folding makes that of the short i with which
 * adjectives end, and the stemmer knows them by it.
 */
static bool
ends_in_short_i(const char *word, size_t len)
{
	static const char *const ends[] = { "аи", "еи", "ии", "ои", "ыи" };

	for (size_t i = 0; i < NELEM(ends); i++)
		if (len > 4 && memcmp(word + len - 4, ends[i], 4) == 0)
			return true;
	return false;
}

const char *
stemmer_stem(struct stemmer *s, const char *word, size_t len, size_t *n_stem)
{
	char with_short_i[WORDS_TERM_BYTES];
	const char *of = word;
	const sb_symbol *stem;

	if (s->russian && len <= sizeof(with_short_i) && ends_in_short_i(word, len)) {
		memcpy(with_short_i, word, len - 2);
		memcpy(with_short_i + len - 2, "й", 2);
		of = with_short_i;
	}
	stem = sb_stemmer_stem(s->snowball, (const sb_symbol *)of, (int)len);
	if (stem == NULL) {                    /* there is no memory for it */
		*n_stem = len;
		return word;
	}
	*n_stem = (size_t)sb_stemmer_length(s->snowball);
	return (const char *)stem;
}
