/*
 * cluster_words.c: words that say what nothing is about. The tables are in byte order, as texts are
 * folded: lower case, without accents. Chinese is in pairs of characters, as it is searched.
 */
#include "cluster/cluster_words.h"

#include "base/utf8.h"
#include "text/words.h"

/* Greetings, thanks, praise, assent. */
static const char *const talk[] = {
	"absolutely", "afternoon", "ah", "aha", "alright", "amazing", "anytime", "aw", "awesome",
	"aww", "bitte", "btw", "bye", "cheers", "congrats", "congratulations", "cool", "course",
	"damn", "danke", "definitely", "evening", "exactly", "excellent", "fantastic", "fine",
	"fun", "genau", "glad", "good", "goodbye", "gosh", "great", "gruse", "gruss", "gut",
	"haha", "hahaha", "hallo", "hehe", "hello", "hey", "hi", "hiya", "hm", "hmm", "hope",
	"howdy", "huh", "indeed", "ja", "klar", "kudos", "lol", "lovely", "luck", "moin",
	"morning", "nah", "nein", "nice", "night", "no", "nope", "oh", "ok", "okay", "okey",
	"omg", "ooh", "perfect", "please", "prima", "problem", "really", "right", "schon",
	"servus", "sorry", "super", "sure", "thank", "thanks", "thx", "toll", "totally",
	"tschuss", "uh", "um", "welcome", "well", "wonderful", "worries", "wow", "yay", "yeah",
	"yep", "yes", "yup", "上好", "不客", "不起", "不错", "你好", "再见", "加油",
	"可以", "哈哈", "嗯嗯", "多谢", "大家", "好吧", "好的", "客气", "对不",
	"您好", "感谢", "早上", "早安", "是的", "晚上", "晚安", "没事", "谢谢"
};

/* Times, numbers, and the verbs and adjectives that go with everything. */
static const char *const vague[] = {
	"able", "acht", "actually", "add", "added", "afternoon", "afternoons", "again", "ago",
	"almost", "already", "also", "alt", "alte", "although", "always", "anybody", "anyone",
	"anything", "april", "ask", "asked", "asks", "assistant", "august", "autumn", "away",
	"back", "bad", "began", "begin", "besser", "best", "better", "big", "bin", "bisschen",
	"bit", "both", "bought", "bring", "brings", "brought", "buy", "call", "called", "calls",
	"came", "change", "changed", "changes", "check", "checked", "come", "comes", "coming",
	"couple", "day", "days", "december", "degree", "degrees", "dezember", "dienstag",
	"different", "dinge", "dollar", "dollars", "donnerstag", "dozen", "dr", "drei", "dritte",
	"dritten", "each", "earlier", "early", "eight", "eins", "either", "eleven", "else", "end",
	"enough", "erste", "ersten", "etwas", "euro", "euros", "even", "evening", "evenings",
	"every", "everybody", "everyone", "everything", "except", "februar", "february", "feel",
	"feels", "felt", "few", "fifty", "find", "finds", "first", "five", "forty", "found",
	"four", "frau", "freitag", "friday", "fridays", "full", "funf", "fur", "ganz", "ganze",
	"ganzen", "gave", "gehen", "geht", "gestern", "get", "gets", "getting", "gibt", "give",
	"given", "gives", "giving", "go", "goes", "going", "gone", "good", "got", "gotten",
	"gram", "grams", "gross", "grosse", "gut", "guy", "half", "happen", "happened", "happens",
	"hat", "hate", "hates", "help", "helped", "helps", "here", "herr", "heute", "high",
	"hour", "hours", "however", "hundred", "if", "including", "instead", "jahr", "jahre",
	"januar", "january", "juli", "july", "june", "juni", "just", "keep", "keeping", "keeps",
	"kept", "kilo", "kilos", "kind", "klein", "kleine", "knew", "know", "known", "knows",
	"kommt", "large", "last", "late", "later", "latest", "leave", "leaves", "left", "let",
	"lets", "leute", "like", "liked", "likes", "little", "long", "look", "looked", "looking",
	"looks", "lot", "lots", "love", "loved", "loves", "low", "machen", "macht", "made", "mai",
	"make", "makes", "making", "man", "many", "march", "marz", "maybe", "mean", "means",
	"meant", "meter", "meters", "million", "minute", "minutes", "mittwoch", "monat", "monate",
	"monday", "mondays", "montag", "month", "months", "morgen", "morning", "mornings", "move",
	"moves", "mr", "mrs", "ms", "much", "need", "needed", "needs", "neither", "neu", "neue",
	"neuen", "neuer", "neun", "never", "new", "next", "nichts", "night", "nights", "nine",
	"nobody", "noon", "nothing", "november", "now", "october", "often", "oktober", "old",
	"once", "one", "only", "other", "others", "own", "paid", "part", "passing", "pay",
	"people", "per", "percent", "perhaps", "person", "place", "plus", "prefer", "preferred",
	"prefers", "pretty", "put", "puts", "putting", "quartal", "quite", "ran", "rather",
	"real", "really", "run", "running", "runs", "sache", "said", "same", "samstag",
	"saturday", "saturdays", "saw", "say", "saying", "says", "sechs", "second", "seconds",
	"see", "seem", "seems", "seen", "sees", "september", "set", "sets", "seven", "several",
	"short", "show", "shows", "side", "sieben", "since", "six", "small", "so", "somebody",
	"someone", "something", "sometimes", "sonntag", "soon", "sort", "spring", "start",
	"started", "starts", "stay", "stayed", "stays", "still", "stop", "stopped", "stops",
	"stuff", "stunde", "stunden", "summer", "sunday", "sundays", "sure", "tag", "tage",
	"tagen", "take", "taken", "takes", "taking", "talk", "talked", "talks", "tell", "tells",
	"ten", "then", "there", "thing", "things", "think", "thinks", "third", "thirty", "though",
	"thought", "thousand", "three", "thursday", "thursdays", "time", "times", "today", "told",
	"tomorrow", "tonight", "too", "took", "tried", "tries", "try", "trying", "tuesday",
	"tuesdays", "turn", "turned", "turns", "twelve", "twenty", "twice", "two", "uhr", "until",
	"use", "used", "user", "uses", "using", "usually", "very", "via", "viel", "viele", "vier",
	"wait", "waiting", "want", "wanted", "wants", "war", "ware", "way", "ways", "wednesday",
	"wednesdays", "week", "weekend", "weekends", "weeks", "wenig", "went", "whole", "wieder",
	"winter", "within", "without", "woche", "wochen", "woman", "work", "works", "worse",
	"worst", "year", "years", "yesterday", "yet", "zehn", "zwei", "zweite", "zweiten",
	"一万", "一个", "一二", "一千", "一次", "一百", "七十", "三个", "三十",
	"上午", "上周", "下午", "下周", "不能", "不要", "东西", "两个", "之前",
	"九十", "事情", "二十", "五十", "今天", "今年", "他们", "以后", "你们",
	"八十", "六十", "分钟", "十二", "去年", "周末", "喜欢", "四十", "大家",
	"小时", "已经", "年底", "开始", "我们", "早上", "时候", "明天", "明年",
	"星期", "昨天", "晚上", "月底", "每周", "每天", "每月", "没有", "现在",
	"知道", "自己", "觉得", "还有", "需要"
};

/* German function words that are no words of English. */
static const char *const german[] = {
	"aber", "alle", "allem", "allen", "aller", "alles", "als", "ander", "andere", "anderen",
	"anderer", "anderes", "auch", "auf", "aus", "bei", "beim", "bis", "bist", "da", "dabei",
	"dafur", "daher", "damit", "dann", "daran", "darauf", "daraus", "darf", "darin", "das",
	"dass", "dein", "deine", "deinen", "dem", "den", "denn", "der", "des", "deshalb",
	"dessen", "dich", "die", "dies", "diese", "diesem", "diesen", "dieser", "dieses", "dir",
	"doch", "dort", "du", "durch", "durfen", "ein", "eine", "einem", "einen", "einer",
	"eines", "einige", "er", "es", "etwa", "euch", "euer", "eure", "fur", "furs", "ganz",
	"gegen", "gewesen", "hab", "habe", "haben", "hatte", "hatten", "hier", "hinter", "ich",
	"ihm", "ihn", "ihnen", "ihr", "ihre", "ihrem", "ihren", "ihrer", "im", "immer", "ins",
	"ist", "je", "jede", "jedem", "jeden", "jeder", "jedes", "jene", "jetzt", "kann",
	"kannst", "kein", "keine", "keinem", "keinen", "keiner", "konnen", "konnte", "lassen",
	"lieber", "mal", "manche", "mehr", "mein", "meine", "meinem", "meinen", "meiner", "mich",
	"mir", "mit", "muss", "mussen", "musste", "nach", "nachdem", "nicht", "nie", "noch",
	"nun", "nur", "ob", "oder", "ohne", "sehr", "seid", "sein", "seine", "seinem", "seinen",
	"seiner", "seit", "seitdem", "selbst", "sich", "sie", "sind", "soll", "sollen", "sollte",
	"sondern", "sonst", "sowie", "um", "und", "uns", "unser", "unsere", "unserem", "unseren",
	"unserer", "unter", "vom", "von", "vor", "wann", "waren", "warum", "weil", "weiter",
	"welche", "welchem", "welchen", "welcher", "welches", "wem", "wen", "wenn", "wer",
	"werde", "werden", "wie", "wir", "wird", "wirklich", "wo", "wollen", "wollte", "wurde",
	"wurden", "zu", "zum", "zur", "zwar", "zwischen"
};

/* Japanese writes endings and particles in Hiragana, and what a text is about in other signs. */
static bool
is_hiragana(const char *text, size_t len)
{
	const char *end = text + len;
	uint32_t cp;

	while (text < end) {
		text += utf8_next(text, end, &cp);
		if (cp < 0x3041 || cp > 0x309f)
			return false;
	}
	return len > 0;
}

enum cluster_word
cluster_word_of(const char *folded, size_t len)
{
	if (is_hiragana(folded, len) || words_is_listed(german, NELEM(german), folded, len))
		return CLUSTER_WORD_STOP;
	if (words_is_listed(talk, NELEM(talk), folded, len))
		return CLUSTER_WORD_TALK;
	if (words_is_listed(vague, NELEM(vague), folded, len))
		return CLUSTER_WORD_VAGUE;
	return CLUSTER_WORD_PLAIN;
}

static int
take_word(void *arg, const struct word *w)
{
	const char *text = arg;
	char folded[3 * WORDS_TERM_BYTES + 1];
	size_t len;

	/* Single characters of Chinese and emoji tell little beside the pairs and words. */
	if (w->stop || w->kind == WORD_CHAR || w->kind == WORD_SYMBOL)
		return 0;
	len = words_fold(text + w->start, MIN(w->end - w->start, WORDS_TERM_BYTES), folded);
	return cluster_word_of(folded, len) == CLUSTER_WORD_PLAIN ||
	    cluster_word_of(folded, len) == CLUSTER_WORD_VAGUE;
}

bool
cluster_is_talk(const char *text, size_t len)
{
	return words_each(text, len, take_word, (void *)(uintptr_t)text) == 0;
}
