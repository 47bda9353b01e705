/*
 * stem_test.c: stems against SQLite's porter tokenizer: words of our choosing, stems read from an
 * FTS5 vocabulary (SQLite 3.40.1).
 */
#include "tap.h"

#include "base/base.h"
#include "text/words.h"

static const struct { const char *word, *stem; } golden[] = {
	{ "a", "a" }, { "be", "be" }, { "cat", "cat" }, { "cats", "cat" }, { "ponies", "poni" }, { "ties", "ti" },
	{ "dies", "di" }, { "caress", "caress" }, { "caresses", "caress" }, { "flies", "fli" }, { "dogs", "dog" }, { "gas", "ga" },
	{ "this", "thi" }, { "us", "us" }, { "use", "us" }, { "uses", "us" }, { "used", "us" }, { "using", "us" },
	{ "user", "user" }, { "users", "user" }, { "agreed", "agre" }, { "feed", "feed" }, { "need", "need" },
	{ "freed", "freed" }, { "bled", "bled" }, { "sing", "sing" }, { "sang", "sang" }, { "king", "king" },
	{ "plastered", "plaster" }, { "motoring", "motor" }, { "motor", "motor" }, { "hopping", "hop" }, { "hop", "hop" },
	{ "hoping", "hope" }, { "tanned", "tan" }, { "falling", "fall" }, { "fell", "fell" }, { "hissing", "hiss" },
	{ "fizzed", "fizz" }, { "failing", "fail" }, { "filing", "file" }, { "filed", "file" }, { "conflated", "conflat" },
	{ "troubled", "troubl" }, { "sized", "size" }, { "sizing", "size" }, { "happy", "happi" }, { "sky", "sky" },
	{ "skies", "ski" }, { "cry", "cry" }, { "crying", "cry" }, { "cried", "cri" }, { "say", "sai" }, { "says", "sai" },
	{ "relational", "relat" }, { "conditional", "condit" }, { "rational", "ration" }, { "valenci", "valenc" },
	{ "hesitanci", "hesit" }, { "digitizer", "digit" }, { "conformabli", "conform" }, { "radicalli", "radic" },
	{ "differentli", "differ" }, { "vileli", "vile" }, { "analogousli", "analog" }, { "vietnamization", "vietnam" },
	{ "predication", "predic" }, { "operator", "oper" }, { "feudalism", "feudal" }, { "decisiveness", "decis" },
	{ "hopefulness", "hope" }, { "callousness", "callous" }, { "formaliti", "formal" }, { "sensitiviti", "sensit" },
	{ "sensibiliti", "sensibl" }, { "apology", "apolog" }, { "apologi", "apolog" }, { "triplicate", "triplic" },
	{ "formative", "form" }, { "formalize", "formal" }, { "electriciti", "electr" }, { "electrical", "electr" },
	{ "hopeful", "hope" }, { "goodness", "good" }, { "revival", "reviv" }, { "allowance", "allow" }, { "inference", "infer" },
	{ "airliner", "airlin" }, { "gyroscopic", "gyroscop" }, { "adjustable", "adjust" }, { "defensible", "defens" },
	{ "irritant", "irrit" }, { "replacement", "replac" }, { "adjustment", "adjust" }, { "dependent", "depend" },
	{ "adoption", "adopt" }, { "homologou", "homolog" }, { "communism", "commun" }, { "activate", "activ" },
	{ "angulariti", "angular" }, { "homologous", "homolog" }, { "effective", "effect" }, { "bowdlerize", "bowdler" },
	{ "probate", "probat" }, { "rate", "rate" }, { "cease", "ceas" }, { "controll", "control" }, { "roll", "roll" },
	{ "rolling", "roll" }, { "controlled", "control" }, { "oscillate", "oscil" }, { "oscillators", "oscil" },
	{ "generalizations", "gener" }, { "generalization", "gener" }, { "running", "run" }, { "runner", "runner" },
	{ "runs", "run" }, { "ran", "ran" }, { "database", "databas" }, { "databases", "databas" }, { "caching", "cach" },
	{ "cached", "cach" }, { "caches", "cach" }, { "cache", "cach" }, { "token", "token" }, { "tokens", "token" },
	{ "tokenizer", "token" }, { "tokenizing", "token" }, { "index", "index" }, { "indexes", "index" }, { "indices", "indic" },
	{ "indexing", "index" }, { "query", "queri" }, { "queries", "queri" }, { "querying", "queri" }, { "querys", "queri" },
	{ "memory", "memori" }, { "memories", "memori" }, { "memorable", "memor" }, { "remembered", "rememb" },
	{ "forgetting", "forget" }, { "forgotten", "forgotten" }, { "deploy", "deploi" }, { "deployed", "deploi" },
	{ "deployment", "deploy" }, { "container", "contain" }, { "containers", "contain" }, { "connection", "connect" },
	{ "connections", "connect" }, { "connected", "connect" }, { "connecting", "connect" }, { "connect", "connect" },
	{ "configure", "configur" }, { "configuration", "configur" }, { "configured", "configur" },
	{ "authentication", "authent" }, { "authenticate", "authent" }, { "authenticated", "authent" }, { "authority", "author" },
	{ "password", "password" }, { "family", "famili" }, { "families", "famili" }, { "yearly", "yearli" },
	{ "yesterday", "yesterdai" }, { "today", "todai" }, { "tomorrow", "tomorrow" }, { "monday", "mondai" },
	{ "weekly", "weekli" }, { "weekend", "weekend" }, { "birthday", "birthdai" }, { "birthdays", "birthdai" },
	{ "holiday", "holidai" }, { "holidays", "holidai" }, { "travel", "travel" }, { "travelled", "travel" },
	{ "traveling", "travel" }, { "trip", "trip" }, { "trips", "trip" }, { "hotel", "hotel" }, { "hotels", "hotel" },
	{ "flight", "flight" }, { "flights", "flight" }, { "university", "univers" }, { "universities", "univers" },
	{ "beautiful", "beauti" }, { "beautifully", "beautifulli" }, { "nation", "nation" }, { "national", "nation" },
	{ "nationalism", "nation" }, { "possibly", "possibl" }, { "possible", "possibl" }, { "probability", "probabl" },
	{ "probable", "probabl" }, { "abilities", "abil" }, { "ability", "abil" }, { "able", "abl" }, { "stable", "stabl" },
	{ "stability", "stabil" }, { "bully", "bulli" }, { "wholly", "wholli" }, { "fully", "fulli" }, { "falls", "fall" },
	{ "fall", "fall" }, { "fallen", "fallen" }, { "smiling", "smile" }, { "smile", "smile" }, { "smiles", "smile" },
	{ "boxes", "box" }, { "box", "box" }, { "waxes", "wax" }, { "fixing", "fix" }, { "fixed", "fix" }, { "fix", "fix" },
	{ "snowed", "snow" }, { "snowing", "snow" }, { "flying", "fly" }, { "playing", "plai" }, { "played", "plai" },
	{ "player", "player" }, { "annoying", "annoi" }, { "employee", "employe" }, { "employees", "employe" },
	{ "employed", "emploi" }, { "agreeing", "agre" }, { "seeing", "see" }, { "being", "be" }, { "bees", "bee" },
	{ "trees", "tree" }, { "free", "free" }, { "freely", "freeli" }, { "freeing", "free" }, { "y", "y" }, { "yy", "yy" },
	{ "yes", "ye" }, { "eye", "ey" }, { "eyes", "ey" }, { "bye", "bye" }, { "byes", "bye" }, { "dying", "dy" },
	{ "lying", "ly" }, { "tying", "ty" }, { "tied", "ti" }, { "lie", "lie" }, { "lies", "li" }, { "die", "die" },
	{ "oxygen", "oxygen" }, { "rhythm", "rhythm" }, { "syzygy", "syzygi" }, { "xyz", "xyz" }, { "zzz", "zzz" }, { "eed", "e" },
	{ "ing", "ing" }, { "ed", "ed" }, { "ies", "ie" }, { "sses", "sse" }, { "ness", "ness" }, { "ational", "ation" },
	{ "ion", "ion" }, { "tion", "tion" }, { "mission", "mission" }, { "missions", "mission" }, { "passion", "passion" },
	{ "vision", "vision" }, { "visions", "vision" }, { "option", "option" }, { "options", "option" }, { "action", "action" },
	{ "actions", "action" }, { "session", "session" }, { "sessions", "session" }, { "lesson", "lesson" },
	{ "lessons", "lesson" }, { "hers", "her" }, { "ours", "our" }, { "theirs", "their" }, { "themselves", "themselv" },
	{ "does", "doe" }, { "goes", "goe" }, { "going", "go" }, { "gone", "gone" }, { "doing", "do" }, { "done", "done" },
	{ "abandonned", "abandon" }, { "abbeys", "abbei" }, { "abbreviations", "abbrevi" }, { "absolutely", "absolut" },
	{ "acceptable", "accept" }, { "accidentally", "accident" }, { "accommodation", "accommod" }, { "achievements", "achiev" },
	{ "acknowledgement", "acknowledg" }, { "activities", "activ" }, { "additionally", "addition" },
	{ "advertisement", "advertis" }, { "aesthetically", "aesthet" },
};

int
main(void)
{
	char word[200];

	for (size_t i = 0; i < NELEM(golden); i++) {
		size_t len = strlen(golden[i].word);

		memcpy(word, golden[i].word, len + 1);
		word[words_stem(word, len)] = '\0';
		is_str(word, golden[i].stem, "%s", golden[i].word);
	}
	memset(word, 'e', sizeof(word));
	is_int(words_stem(word, WORDS_TERM_BYTES + 1), WORDS_TERM_BYTES + 1,
	    "a word too long to be a term is left alone");
	memcpy(word, "ing", 3);
	is_int(words_stem(word, 0), 0, "an empty word");
	return tap_done();
}
