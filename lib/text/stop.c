/*
 * stop.c: our own list of stop words: the closed classes of English (articles, determiners,
 * pronouns, prepositions, conjunctions, be, have and do, modals, question words, a few adverbs,
 * contractions typed without their apostrophe); particles, pronouns and question words of Chinese;
 * and the words that form questions in Japanese and Korean.
 *
 * "may" is missing because it is a month. "id", "ill", "well", "wed" and the like are missing
 * because without the apostrophe they are words. The tables are sorted by bytes for binary search,
 * and the scanner caches the answer for frequent words.
 */
#include "text/words.h"

static const char *const english[] = {
	"a", "about", "above", "across", "after", "again", "against", "aint", "all", "along",
	"already", "also", "although", "am", "among", "an", "and", "another", "any", "are", "arent",
	"around", "as", "at", "be", "because", "been", "before", "being", "below", "between",
	"both", "but", "by", "can", "cannot", "cant", "could", "couldnt", "did", "didnt", "do",
	"does", "doesnt", "doing", "done", "dont", "down", "during", "each", "eg", "either", "else",
	"etc", "even", "ever", "every", "few", "for", "from", "had", "hadnt", "has", "hasnt",
	"have", "havent", "having", "he", "hence", "her", "here", "heres", "hers", "herself", "hes",
	"him", "himself", "his", "how", "however", "hows", "i", "ie", "if", "im", "in", "into",
	"is", "isnt", "it", "itd", "itll", "its", "itself", "ive", "just", "least", "less", "lets",
	"many", "me", "might", "mightnt", "mine", "more", "most", "much", "must", "mustnt", "my",
	"myself", "neednt", "neither", "no", "nor", "not", "now", "of", "off", "on", "only", "onto",
	"or", "other", "our", "ours", "ourselves", "out", "over", "own", "per", "please", "quite",
	"rather", "same", "shall", "shant", "she", "shes", "should", "shouldnt", "since", "so",
	"some", "still", "such", "than", "that", "thats", "the", "their", "theirs", "them",
	"themselves", "then", "there", "therefore", "theres", "these", "they", "theyll", "theyre",
	"theyve", "this", "those", "though", "through", "thus", "till", "to", "too", "toward",
	"towards", "under", "unless", "until", "up", "upon", "us", "very", "via", "was", "wasnt",
	"we", "were", "werent", "weve", "what", "whats", "when", "where", "whereas", "wheres",
	"whether", "which", "while", "whilst", "who", "whom", "whos", "whose", "why", "will",
	"with", "within", "without", "wont", "would", "wouldnt", "yet", "you", "youll", "your",
	"youre", "yours", "yourself", "yourselves", "youve",
};

static const char *const unspaced[] = {
	"いくつ", "いくら", "いつ", "でした", "でしょう", "です", "ですか", "という", "どこ", "どの", "どれ", "どんな",
	"なぜ", "について", "ました", "ます", "ますか", "一下", "一个", "一些", "一個", "不是", "不过", "与", "个",
	"为什么", "为何", "么", "之", "也", "了", "了吗", "了吧", "了呢", "于", "什么", "什么时候", "什么样", "什麼",
	"什麼時候", "什麼樣", "从", "他", "他们", "他們", "以", "以及", "们", "会不会", "但", "但是", "何", "你", "你们",
	"你們", "個", "們", "关于", "其", "其实", "几", "几个", "又", "及", "另外", "只是", "可以", "向", "吗", "吧", "呀",
	"告訴", "告诉", "呢", "和", "咱", "咱们", "咱們", "哇", "哎", "哦", "哪", "哪个", "哪些", "哪個", "哪儿", "哪兒",
	"哪裏", "哪裡", "哪里", "唉", "啊", "啦", "喔", "嗎", "嗯", "嘛", "因为", "因為", "在", "地", "多久", "多大",
	"多少", "多長", "多长", "大家", "太", "她", "她们", "她們", "好不好", "如何", "如果", "它", "它们", "它們", "对",
	"对于", "對", "對於", "就", "就是", "已經", "已经", "幾個", "应该", "很", "得", "怎么", "怎么办", "怎么样", "怎样",
	"怎樣", "怎麼", "怎麼樣", "您", "應該", "我", "我们", "我們", "或", "或者", "所以", "把", "於", "时候", "是",
	"是不", "是不是", "是什么", "是什麼", "是否", "是的", "時候", "更", "最", "會不會", "有", "有沒有", "有没有",
	"来着", "沒", "沒有", "没有", "為什麼", "為何", "然后", "现在", "的", "的吗", "的呢", "的是", "的话", "真的", "着",
	"知不知道", "知道", "给", "而", "而且", "能不能", "自己", "與", "虽然", "被", "覺得", "觉得", "誰", "請問", "让",
	"记得", "请问", "谁", "过", "还", "还是", "还有", "这", "这个", "这么", "这些", "这样", "这里", "這", "這些",
	"這個", "這樣", "這裡", "這麼", "過", "還", "還是", "還有", "那", "那个", "那么", "那些", "那個", "那样", "那樣",
	"那裡", "那里", "那麼", "都", "關於", "雖然", "非常", "麼", "누구", "무엇", "습니까", "어디", "어떤", "어떻게",
	"언제", "얼마", "얼마나", "인가요", "입니까",
};

/* Compares like strcmp with a word that is not NUL-terminated. */
static int
compare(const char *listed, const char *word, size_t len)
{
	size_t i = 0;

	while (i < len && listed[i] == word[i])
		i++;
	return (unsigned char)listed[i] - (i < len ? (unsigned char)word[i] : 0);
}

bool
words_is_listed(const char *const *list, size_t n, const char *word, size_t len)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = compare(list[mid], word, len);

		if (order == 0)
			return true;
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

bool
words_is_stop(const char *word, size_t len)
{
	if (len == 0 || len > 12 || memchr(word, '\0', len) != NULL)
		return false;
	if ((unsigned char)word[0] >= 0x80)
		return words_is_listed(unspaced, NELEM(unspaced), word, len);
	return words_is_listed(english, NELEM(english), word, len);
}
