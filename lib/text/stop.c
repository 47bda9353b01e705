/*
 * stop.c: stop words of our own choosing: the closed classes of English (articles, determiners, pronouns, prepositions, conjunctions, be, have and do,
 * modals, question words, a few adverbs, contractions typed without their apostrophe) and Chinese particles, pronouns and question words.
 *
 * "may" is missing: it is a month. "id", "ill", "well", "wed" and their like are missing: without the apostrophe they are words.
 * The tables are in byte order: a look-up is a binary search, and the scanner remembers the answer for frequent words.
 */
#include "text/words.h"

static const char *const english[] = {
	"a", "about", "above", "across", "after", "again", "against", "aint", "all", "along", "already", "also",
	"although", "am", "among", "an", "and", "another", "any", "are", "arent", "around", "as", "at", "be",
	"because", "been", "before", "being", "below", "between", "both", "but", "by", "can", "cannot", "cant",
	"could", "couldnt", "did", "didnt", "do", "does", "doesnt", "doing", "done", "dont", "down", "during",
	"each", "eg", "either", "else", "etc", "even", "ever", "every", "few", "for", "from", "had", "hadnt", "has",
	"hasnt", "have", "havent", "having", "he", "hence", "her", "here", "heres", "hers", "herself", "hes", "him",
	"himself", "his", "how", "however", "hows", "i", "ie", "if", "im", "in", "into", "is", "isnt", "it", "itd",
	"itll", "its", "itself", "ive", "just", "least", "less", "lets", "many", "me", "might", "mightnt", "mine",
	"more", "most", "much", "must", "mustnt", "my", "myself", "neednt", "neither", "no", "nor", "not", "now",
	"of", "off", "on", "only", "onto", "or", "other", "our", "ours", "ourselves", "out", "over", "own", "per",
	"please", "quite", "rather", "same", "shall", "shant", "she", "shes", "should", "shouldnt", "since", "so",
	"some", "still", "such", "than", "that", "thats", "the", "their", "theirs", "them", "themselves", "then",
	"there", "therefore", "theres", "these", "they", "theyll", "theyre", "theyve", "this", "those", "though",
	"through", "thus", "till", "to", "too", "toward", "towards", "under", "unless", "until", "up", "upon", "us",
	"very", "via", "was", "wasnt", "we", "were", "werent", "weve", "what", "whats", "when", "where", "whereas",
	"wheres", "whether", "which", "while", "whilst", "who", "whom", "whos", "whose", "why", "will", "with",
	"within", "without", "wont", "would", "wouldnt", "yet", "you", "youll", "your", "youre", "yours",
	"yourself", "yourselves", "youve",
};

static const char *const chinese[] = {
	"一下", "不是", "不过", "与", "个", "为何", "么", "之", "也", "了", "了吗", "了吧", "了呢", "于", "什么", "从", "他", "他们", "以",
	"以及", "们", "但", "但是", "何", "你", "你们", "关于", "其", "几", "又", "及", "只是", "可以", "向", "吗", "吧", "呀", "呢", "和",
	"咱", "咱们", "哇", "哎", "哦", "哪", "哪个", "哪些", "哪儿", "哪里", "唉", "啊", "啦", "喔", "嗯", "嘛", "因为", "在", "地", "多少",
	"大家", "太", "她", "她们", "如果", "它", "它们", "对", "对于", "就", "就是", "已经", "很", "得", "怎么", "您", "我", "我们", "或",
	"或者", "所以", "把", "是", "是不", "是否", "是的", "更", "最", "有", "没有", "的", "的吗", "的呢", "的是", "着", "给", "而", "而且",
	"自己", "虽然", "被", "让", "请问", "谁", "过", "还", "还是", "这", "这个", "这些", "这样", "这里", "那", "那个", "那些", "那样", "那里",
	"都",
};

/* Bytes, as strcmp, of a word that has no NUL at its end. */
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
		return words_is_listed(chinese, NELEM(chinese), word, len);
	return words_is_listed(english, NELEM(english), word, len);
}
