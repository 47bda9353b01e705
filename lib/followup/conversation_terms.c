/*
 * conversation_terms.c: cuts turns into words, whose stems are numbered over all turns.
 *
 * Words are those of the search (text/words.h); of an identifier the whole, of a hyphened word each
 * part. Chinese has no spaces: a run of characters is cut at particles, pronouns, question words
 * and frequent verbs, and what lies between is taken as a word. That is often two words together,
 * which is good enough, as the run is carried over unchanged.
 */
#include "followup/conversation_terms.h"

#include "base/hash.h"
#include "base/utf8.h"

#define SLOTS (2 * CONVERSATION_TERMS)

/* Stems in byte order of words that tell nothing about the topic. */
static const char *const light[] = {
	"actual", "anyon", "anyth", "articl", "ask", "aspect", "awai", "bad", "becom", "began",
	"begin", "best", "better", "big", "bye", "call", "came", "care", "chang", "come", "could",
	"dai", "describ", "detail", "differ", "els", "end", "everyon", "everyth", "exampl",
	"explain", "fact", "famou", "feel", "find", "first", "found", "fun", "gave", "get", "give",
	"go", "gone", "good", "goodby", "got", "great", "happen", "hear", "heard", "help", "import",
	"inform", "interest", "keep", "kind", "know", "known", "larg", "later", "learn", "let",
	"like", "list", "littl", "long", "look", "lot", "love", "made", "main", "major", "make",
	"mean", "mention", "most", "much", "name", "need", "new", "nice", "notabl", "noth", "ok",
	"okai", "old", "part", "peopl", "person", "pleas", "put", "real", "reason", "right", "sai",
	"said", "saw", "second", "see", "seem", "set", "show", "signific", "small", "someon",
	"someth", "sort", "start", "stop", "success", "suggest", "sure", "take", "talk", "tell",
	"thank", "thing", "think", "third", "thought", "time", "told", "took", "true", "try",
	"turn", "type", "us", "wai", "want", "well", "went", "win", "wonder", "word", "work",
	"world", "wrong", "ye", "yeah", "year",
};

/*
 * Stems in byte order of relational words, which are incomplete without an "of": "the symptoms" (of
 * what?), "the price", "did they retire".
 */
static const char *const relations[] = {
	"accomplish", "accus", "achiev", "act", "actor", "address", "adult", "advantag", "affect",
	"ag", "agreement", "album", "alli", "altern", "amount", "anim", "answer", "applic",
	"architectur", "area", "argument", "armi", "arrest", "artist", "attack", "attend",
	"attract", "audienc", "author", "avail", "averag", "award", "babi", "band", "battl", "beat",
	"behavior", "benefit", "biggest", "birth", "blood", "bodi", "book", "border", "born",
	"brain", "brand", "break", "breed", "brother", "budget", "bug", "bui", "build", "buri",
	"calori", "capit", "career", "caus", "cell", "centr", "centuri", "challeng", "championship",
	"charact", "characterist", "charg", "chart", "cheap", "child", "children", "choic", "citi",
	"class", "climat", "close", "coach", "code", "colleg", "color", "common", "compani",
	"compar", "compon", "comput", "con", "concert", "condit", "conflict", "consequ",
	"construct", "contract", "contribut", "controversi", "convict", "cook", "cost", "countri",
	"cours", "creat", "creator", "crime", "critic", "crowd", "cultur", "cure", "custom", "cycl",
	"danger", "data", "date", "daughter", "deadlin", "deal", "death", "debt", "debut", "decad",
	"decis", "defeat", "definit", "degre", "design", "develop", "devic", "die", "diet",
	"difficult", "direct", "director", "disadvantag", "discov", "discoveri", "diseas", "dish",
	"divorc", "doctor", "dose", "drink", "drug", "duti", "earn", "easi", "east", "eat", "educ",
	"effect", "egg", "elect", "element", "enemi", "energi", "engin", "era", "error", "even",
	"event", "evid", "exam", "exercis", "expens", "experi", "ey", "fame", "famili", "fan",
	"fat", "father", "featur", "fee", "femal", "festiv", "field", "fight", "file", "film",
	"fix", "flavor", "flower", "food", "form", "founder", "friend", "fruit", "function", "fund",
	"futur", "game", "gene", "goal", "govern", "graduat", "group", "grow", "habitat", "hard",
	"head", "health", "healthi", "heart", "height", "highest", "histori", "hit", "holidai",
	"home", "hotel", "hour", "hous", "hunt", "husband", "idea", "impact", "incom", "influenc",
	"ingredi", "injuri", "invas", "invent", "inventor", "invest", "island", "issu", "job",
	"join", "kill", "king", "label", "land", "languag", "largest", "last", "law", "leader",
	"leagu", "leav", "legaci", "length", "level", "life", "limit", "live", "locat", "lose",
	"loss", "machin", "male", "market", "marri", "marriag", "match", "materi", "meal", "measur",
	"medal", "medic", "member", "method", "model", "moder", "moment", "monei", "month", "morn",
	"mother", "mountain", "move", "movi", "museum", "musician", "natur", "network", "night",
	"nomin", "north", "number", "nutrient", "object", "oldest", "open", "opinion", "oppon",
	"option", "origin", "outcom", "owner", "pai", "pain", "painter", "parent", "park", "parti",
	"partner", "past", "pattern", "percentag", "perform", "period", "phone", "place", "plai",
	"plan", "plant", "player", "plot", "poet", "point", "polici", "popul", "popular", "posit",
	"possibl", "postal", "postcod", "power", "predat", "present", "presid", "pressur",
	"prevent", "price", "pro", "problem", "procedur", "process", "produc", "product", "profit",
	"program", "project", "properti", "publish", "purpos", "qualif", "qualiti", "quantiti",
	"queen", "question", "race", "rang", "rate", "reaction", "receiv", "recip", "record",
	"recoveri", "region", "relat", "relationship", "releas", "religion", "reput", "requir",
	"research", "reserv", "respons", "restaur", "result", "retir", "return", "review", "risk",
	"rival", "river", "role", "rule", "safe", "salari", "schedul", "school", "scientist",
	"score", "sea", "season", "seed", "sell", "sentenc", "serv", "servic", "shape", "share",
	"side", "sign", "similar", "singer", "singl", "sister", "size", "skill", "skin", "sleep",
	"smallest", "smell", "softwar", "soldier", "solut", "son", "song", "sound", "sourc",
	"south", "speci", "special", "speed", "spread", "stadium", "stage", "standard", "state",
	"step", "stock", "store", "stori", "strategi", "structur", "student", "studi", "style",
	"subject", "surviv", "suspect", "symptom", "system", "tast", "tax", "teach", "teacher",
	"team", "techniqu", "technolog", "temperatur", "term", "test", "textur", "theme", "theori",
	"therapi", "threat", "ticket", "titl", "tool", "topic", "tour", "tournament", "town",
	"track", "tradit", "travel", "treat", "treati", "treatment", "tree", "trial", "trip",
	"typic", "uniqu", "univers", "usag", "user", "valu", "varieti", "version", "victim",
	"victori", "view", "visit", "vitamin", "vote", "war", "weapon", "weather", "week", "weight",
	"west", "wife", "worker", "write", "writer",
};

/*
 * Stems in byte order of days and months; "March" and "May" are left out, as they have other
 * meanings.
 */
static const char *const days[] = {
	"april", "decemb", "februari", "fridai", "januari", "juli", "june", "mondai", "novemb",
	"octob", "saturdai", "septemb", "sundai", "thursdai", "todai", "tomorrow", "tonight",
	"tuesdai", "wednesdai", "yesterdai",
};

/* Where a run of Chinese is cut; longer ones stand first. */
static const char *const cuts[] = {
	"为什么", "怎么样", "是不是", "有没有", "能不能", "会不会", "好不好", "可不可以", "什么时候", "知不知道", "是什么", "怎么", "什么",
	"多少", "哪里", "哪个", "哪些", "哪儿", "知道", "觉得", "喜欢", "听说", "可以", "应该", "没有", "不是", "不会", "不能",
	"不知", "告诉", "介绍", "一下", "看看", "这个", "那个", "这么", "那么", "这样", "那样", "这里", "那里", "我们", "你们",
	"他们", "她们", "它们", "自己", "今天", "明天", "昨天", "现在", "最近", "真的", "非常", "比较", "就是", "还是", "但是",
	"因为", "所以", "如果", "的", "了", "吗", "呢", "吧", "啊", "呀", "哦", "嘛", "么", "是", "在", "有", "和", "与",
	"跟", "我", "你", "您", "他", "她", "它", "这", "那", "谁", "几", "不", "没", "就", "都", "也", "还", "很",
	"太", "会", "能", "要", "想", "说", "看", "听", "吃", "给", "让", "把", "被", "对", "从", "到", "去", "来",
	"着", "过", "得", "地", "个", "哈", "嗯", "买", "買", "叫", "等", "或", "而", "又", "再", "才", "只", "最",
	"更", "好", "请", "问", "做", "用", "写", "人家",
};

/* A demonstrative or numerals with a classifier refer to a thing already named: 一台, 这部, 那两本. */
static const char numerals[] = "一二三四五六七八九十百千两几半兩幾";
static const char pointers[] = "这那哪每某這";
static const char classifiers[] =
	"个位只条张本台部件辆座家种款篇首场次份块支枝棵片颗顶双杯瓶盒碗栋间套群堆层页集期届名匹頭头幅所"
	"艘架枚粒滴袋箱包句段项类個張臺輛雙隻條種場塊顆層間項類";

void
conversation_start(struct conversation *t, struct arena *a)
{
	memset(t, 0, sizeof(*t));
	t->arena = a;
	t->terms = arena_alloc(a, CONVERSATION_TERMS * sizeof(*t->terms));
	t->slots = arena_zalloc(a, SLOTS * sizeof(*t->slots));
}

/*
 * Returns the number of a term, adding it if it is new; CONVERSATION_TERMS when there are too many.
 */
static uint32_t
number_of(struct conversation *t, const char *text, size_t len)
{
	uint64_t hash = hash64(text, len, 0);
	size_t i = (size_t)hash % SLOTS;

	for (; t->slots[i] != 0; i = (i + 1) % SLOTS) {
		const struct conversation_term *at = &t->terms[t->slots[i] - 1];
		if (at->hash == hash && at->len == len && memcmp(at->text, text, len) == 0)
			return t->slots[i] - 1;
	}
	if (t->n_terms == CONVERSATION_TERMS)
		return CONVERSATION_TERMS;
	t->terms[t->n_terms] =
	    (struct conversation_term){ arena_strndup(t->arena, text, len), (uint32_t)len, hash };
	t->slots[i] = (uint32_t)++t->n_terms;
	return t->slots[i] - 1;
}

/* ---- reading ---- */

struct reader {
	struct conversation *t;
	struct conversation_turn *turn;
	size_t cap;
	uint32_t last;             /* position of the last whole identifier or word */
	bool any;
	uint32_t han_start, han_end;
};

static void
add_word(struct reader *r, const char *term, size_t len, uint32_t start, uint32_t end,
	unsigned flags)
{
	struct conversation_turn *turn = r->turn;
	uint32_t number = number_of(r->t, term, len);

	if (turn->n == r->cap || number == CONVERSATION_TERMS)
		return;
	turn->words[turn->n++] =
	    (struct conversation_word){ number, start, end, 0, (uint16_t)flags };
}

static size_t
cut_at(const char *p, size_t len)
{
	for (size_t i = 0; i < NELEM(cuts); i++) {
		size_t n = strlen(cuts[i]);
		if (n <= len && memcmp(p, cuts[i], n) == 0)
			return n;
	}
	return 0;
}

/* Returns the length of the character at p when it is in set, else 0. */
static size_t
one_of(const char *set, const char *p, size_t len)
{
	char c[4] = { 0 };

	if (len < 3 || (unsigned char)*p < 0xe3)
		return 0;
	memcpy(c, p, 3);
	return strstr(set, c) != NULL ? 3 : 0;
}

/*
 * Returns the length of a demonstrative or numerals, or both, with a classifier; 0: there is none.
 */
static size_t
count_at(const char *p, size_t len)
{
	size_t n = one_of(pointers, p, len), step;

	while ((step = one_of(numerals, p + n, len - n)) > 0)
		n += step;
	step = n > 0 ? one_of(classifiers, p + n, len - n) : 0;
	return step > 0 ? n + step : 0;
}

/* Cuts the run of Chinese that has just ended into words. */
static void
end_han(struct reader *r)
{
	const char *text = r->turn->text;
	uint32_t from = r->han_start, at = from;

	while (at < r->han_end) {
		size_t n = count_at(text + at, r->han_end - at), step;
		uint32_t cp;

		if (n == 0)
			n = cut_at(text + at, r->han_end - at);
		if (n == 0) {
			step = utf8_decode(text + at, text + r->han_end, &cp);
			at += step > 0 ? (uint32_t)step : 1;
			continue;
		}
		if (at > from)
			add_word(r, text + from, at - from, from, at, CONVERSATION_HAN);
		add_word(r, text + at, n, at, at + (uint32_t)n,
		    CONVERSATION_HAN | CONVERSATION_STOP);
		at += (uint32_t)n;
		from = at;
	}
	if (at > from)
		add_word(r, text + from, at - from, from, at, CONVERSATION_HAN);
	r->han_start = r->han_end = 0;
}

/* Returns the end of the word without its possessive 's. */
static uint32_t
bare_end(const char *text, uint32_t start, uint32_t end)
{
	if (end - start > 2 && (text[end - 1] == 's' || text[end - 1] == 'S')) {
		if (text[end - 2] == '\'')
			return end - 2;
		if (end - start > 4 && memcmp(text + end - 4, "\xe2\x80\x99", 3) == 0)
			return end - 4;
	}
	return end;
}

static int
read_word(void *arg, const struct word *w)
{
	struct reader *r = arg;
	const char *text = r->turn->text;
	unsigned flags = 0;
	bool upper = text[w->start] >= 'A' && text[w->start] <= 'Z';

	if (w->kind == WORD_CHAR) {
		if (w->start != r->han_end)
			end_han(r);
		if (r->han_end == 0)
			r->han_start = w->start;
		r->han_end = w->end;
		return 0;
	}
	if (w->kind == WORD_PAIR || w->kind == WORD_SYMBOL ||
	    (w->kind == WORD_PART && r->any && w->position == r->last))
		return 0;
	end_han(r);
	r->any = true;
	r->last = w->position;
	if (w->stop)
		flags |= CONVERSATION_STOP;
	if (w->kind == WORD_NUMBER)
		flags |= CONVERSATION_NUMBER;
	if (words_is_listed(light, NELEM(light), w->term, w->len))
		flags |= CONVERSATION_LIGHT;
	if (words_is_listed(relations, NELEM(relations), w->term, w->len))
		flags |= CONVERSATION_RELATION;
	if (words_is_listed(days, NELEM(days), w->term, w->len))
		flags |= CONVERSATION_DAY;
	if (upper)
		flags |= CONVERSATION_LATIN_CAPITAL;
	add_word(r, w->term, w->len, w->start, bare_end(text, w->start, w->end), flags);
	return 0;
}

/* Whether w is a number that begins an item of a list: "2. the other", "3) the last". */
static bool
is_enumerator(const struct conversation_turn *turn, const struct conversation_word *w)
{
	return (w->flags & CONVERSATION_NUMBER) && w->end - w->start <= 2 && w->end < turn->len &&
	    strchr(".)", turn->text[w->end]) != NULL &&
	    (w->start == 0 || strchr(" \n\t(", turn->text[w->start - 1]) != NULL) &&
	    (w->end + 1 == turn->len || strchr(" \t", turn->text[w->end + 1]) != NULL);
}

/*
 * Sets flags that depend on neighbours: first words of sentences, capitals inside them, and runs of
 * words that stand side by side.
 */
static void
set_flags(struct conversation_turn *turn)
{
	bool first = true;
	uint32_t end = 0;

	for (size_t i = 0; i < turn->n; i++) {
		struct conversation_word *w = &turn->words[i];

		if (is_enumerator(turn, w))
			w->flags |= CONVERSATION_STOP | CONVERSATION_ITEM;
		bool side = i > 0 && !((turn->words[i - 1].flags | w->flags) & CONVERSATION_STOP);

		for (uint32_t k = end; k < w->start; k++) {
			char c = turn->text[k];
			if (c == '.' || c == '?' || c == '!' || c == '\n')
				first = true;
			if (c != ' ' && c != '-' && !(c == '.' && k + 1 == w->start))
				side = false;
		}
		if (first)
			w->flags |= CONVERSATION_FIRST;
		else if (w->flags & CONVERSATION_LATIN_CAPITAL)
			w->flags |= CONVERSATION_CAPITAL;
		if (!side && !(w->flags & CONVERSATION_STOP))
			turn->n_runs++;
		w->run = (uint16_t)turn->n_runs;
		turn->n_content += !(w->flags & CONVERSATION_STOP);
		first = false;
		end = w->end;
	}
}

static size_t
clip_chars(const char *text, size_t len, size_t n_chars)
{
	size_t at = 0;
	uint32_t cp;

	for (; at < len && n_chars > 0; n_chars--)
		at += MAX(utf8_decode(text + at, text + len, &cp), 1);
	return MIN(at, len);
}

struct conversation_turn *
conversation_add(struct conversation *t, enum conversation_role role, const char *text, size_t len)
{
	struct reader r = { .t = t };
	struct conversation_turn *turn;

	if (t->n == NELEM(t->turns))
		return NULL;
	turn = &t->turns[t->n++];
	*turn = (struct conversation_turn){ .role = role,
		.text = text,
		.len = clip_chars(text, len, CONVERSATION_TURN_CHARS) };
	r.turn = turn;
	r.cap = turn->len / 2 + 2;
	turn->words = arena_alloc(t->arena, r.cap * sizeof(*turn->words));
	words_each(text, turn->len, read_word, &r);
	end_han(&r);
	set_flags(turn);
	while (len > 0 && strchr(" \t\r\n\"')", text[len - 1]) != NULL)
		len--;
	turn->asks = (len > 0 && text[len - 1] == '?') ||
	    (len >= 3 && memcmp(text + len - 3, "\xef\xbc\x9f", 3) == 0);
	return turn;
}
