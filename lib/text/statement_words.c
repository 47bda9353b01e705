/* statement_words.c: word classes; and Chinese sentences, which are matched by their beginnings. */
#include "text/statement_words.h"

static const struct { const char *name, *words;
} classes[] = {
	{ "adv",
	    " also always really truly strongly absolutely strictly generally usually typically "
	    "still just particularly especially personally actually much very "
	    "only never often mostly rather definitely honestly currently deeply highly simply "
	    "greatly extremely completely totally fully actively "
	    "intensely thoroughly vehemently passionately firmly consciously purposely "
	    "intentionally specifically primarily exclusively utterly so quite all "
	    "now adamantly vehemently wholeheartedly ethically severely morally fundamentally "
	    "philosophically politically religiously genuinely exceptionally tend to " },
	{ "not", " not never n't " },
	{ "pronoun",
	    " being getting it that this these those them him her you he she they how when what "
	    "why where who which your yours u ya one if seeing "
	    "someone somebody anyone nothing something there so too as because but and or for with "
	    "at on in about either both everything anything its "
	    "know see be say yours neither no yes me mine from still myself " },
	{ "num",
	    " one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
	    "fifteen sixteen seventeen eighteen nineteen twenty thirty "
	    "forty fifty sixty seventy eighty ninety " },
	{ "kin",
	    " wife husband spouse partner fiance fiancee girlfriend boyfriend son sons daughter "
	    "daughters kid kids child children baby brother brothers "
	    "sister sisters sibling siblings mother father mom mum dad parents grandmother "
	    "grandfather grandma grandpa uncle aunt cousin nephew niece "
	    "family friend roommate flatmate neighbor neighbour colleague coworker mentor dog dogs "
	    "cat cats puppy kitten pet pets parrot rabbit " },
	{ "own",
	    " dog cat puppy kitten car truck motorcycle bike bicycle house apartment flat condo "
	    "garden boat guitar piano violin camera macbook thinkpad "
	    "iphone ipad laptop desktop netbook chromebook farm cabin yard pool greenhouse "
	    "telescope " },
	{ "often",
	    " usually always often never sometimes regularly rarely typically normally tend " },
	{ "habit",
	    " eat drink wake run jog walk exercise swim cycle bike cook bake read meditate pray "
	    "wear watch listen play practice practise drive commute "
	    "sleep nap garden paint draw knit hike climb ski surf dance sing travel camp shop "
	    "volunteer journal stretch work study train skip fast " },
	{ "when",
	    " tomorrow tonight monday tuesday wednesday thursday friday saturday sunday deadline "
	    "january february march april june july august "
	    "september october november december " },
	{ "asks",
	    " who what when where why how which whose do does did is are am was were can could "
	    "would will should shall may anyone anybody has have " },
	{ "if",
	    " if unless suppose imagine assuming whether when said says say told asked might maybe "
	    "perhaps could would thought dreamed wish " },
	{ "lead",
	    " and but so because since as well ok okay hi hello hey yes yeah no oh also then plus "
	    "though although however btw fyi actually honestly "
	    "personally basically usually generally sorry thanks that and while or " },
	{ "liking",
	    " favorite favourite love loves like likes enjoy enjoys prefer prefers hate hates "
	    "dislike dislikes " },
	{ "health",
	    " allergy allergies allergic diet vegan vegetarian diabetes asthma phobia anxiety "
	    "doctor medication gluten lactose disability health exercise "
	    "workout sleep pain injury " },
	{ "relationships",
	    " wife husband girlfriend boyfriend son daughter brother sister mother father mom dad "
	    "friend friends parents kids children family " },
	{ "events",
	    " birthday wedding anniversary graduation funeral concert festival conference holiday "
	    "vacation party " },
	{ "work",
	    " work job office team project boss manager colleague client deploy deployment release "
	    "code code-review meeting meetings company career "
	    "employer salary remote " },
	{ "interests",
	    " music movie movies film films book books game games gaming sport sports travel hotel "
	    "hotels food restaurant restaurants cuisine hobby "
	    "reading hiking cooking art theater theatre show shows tv podcast podcasts photography "
	    "fashion novel novels anime band genre trip trips " },
};

static bool
in_list(const char *list, const char *word, size_t len)
{
	for (const char *p = list; (p = strstr(p, " ")) != NULL && p[1] != '\0'; p++)
		if (strncmp(p + 1, word, len) == 0 && p[1 + len] == ' ')
			return true;
	return false;
}

static bool
is_digits(const char *word)
{
	return *word != '\0' && word[strspn(word, "0123456789")] == '\0';
}

bool
is_class(const char *name, const char *word)
{
	if (strcmp(name, "num") == 0 && is_digits(word))
		return true;
	for (size_t i = 0; i < NELEM(classes); i++)
		if (strcmp(classes[i].name, name) == 0)
			return *word != '\0' && in_list(classes[i].words, word, strlen(word));
	return false;
}

bool
is_lead_in(const char *word, size_t len)
{
	for (size_t i = 0; i < NELEM(classes); i++)
		if (strcmp(classes[i].name, "lead") == 0)
			return in_list(classes[i].words, word, len);
	return false;
}

/* ---- Chinese ---- */

/* "A*B": A, with B somewhere behind it. not: what must not follow directly. */
static const struct {
	const char *start, *not ;
	enum statement_kind kind;
	const char *about, *key;
	double importance;
} chinese[] = {
	{ "我叫", "你他她它", SAYS_IDENTITY, "", "name", 1 },
	{ "我的名字", "", SAYS_IDENTITY, "", "name", 1 },
	{ "我的生日", "", SAYS_IDENTITY, "events", "birthday", .9 },
	{ "我今年*岁", "", SAYS_IDENTITY, "", "age", .8 },
	{ "我住在", "", SAYS_IDENTITY, "", "home", .9 },
	{ "我搬到", "", SAYS_IDENTITY, "events", "home", .8 },
	{ "我来自", "", SAYS_IDENTITY, "", "origin", .8 },
	{ "我是*人", "说", SAYS_IDENTITY, "", "", .6 },
	{ "我是一名", "", SAYS_IDENTITY, "work", "work", .8 },
	{ "我是一个", "", SAYS_IDENTITY, "", "", .6 },
	{ "我是一位", "", SAYS_IDENTITY, "work", "work", .8 },
	{ "我在*工作", "", SAYS_IDENTITY, "work", "work", .8 },
	{ "我在*上班", "", SAYS_IDENTITY, "work", "work", .8 },
	{ "我的工作是", "", SAYS_IDENTITY, "work", "work", .8 },
	{ "我的职业是", "", SAYS_IDENTITY, "work", "work", .8 },
	{ "我的爱好是", "", SAYS_PREFERENCE, "interests", "", .7 },
	{ "我的邮箱是", "", SAYS_IDENTITY, "", "email", .8 },
	{ "我的电话", "", SAYS_IDENTITY, "", "phone", .8 },
	{ "我对*过敏", "", SAYS_IDENTITY, "health", "", .9 },
	{ "我有糖尿病", "", SAYS_IDENTITY, "health", "", .9 },
	{ "我结婚", "", SAYS_RELATION, "relationships", "marital_status", .8 },
	{ "我最喜欢的*是", "", SAYS_PREFERENCE, "interests", "", .7 },
	{ "我最喜欢", "你他她它这那", SAYS_PREFERENCE, "", "", .7 },
	{ "我喜欢", "你他她它这那", SAYS_PREFERENCE, "", "", .7 },
	{ "我很喜欢", "你他她它这那", SAYS_PREFERENCE, "", "", .7 },
	{ "我非常喜欢", "你他她它这那", SAYS_PREFERENCE, "", "", .7 },
	{ "我特别喜欢", "你他她它这那", SAYS_PREFERENCE, "", "", .7 },
	{ "我更喜欢", "你他她它这那", SAYS_PREFERENCE, "", "", .7 },
	{ "我也喜欢", "你他她它这那", SAYS_PREFERENCE, "", "", .7 },
	{ "我不喜欢", "你他她它这那", SAYS_PREFERENCE, "", "", .7 },
	{ "我讨厌", "你他她它这那", SAYS_PREFERENCE, "", "", .7 },
	{ "我偏好", "", SAYS_PREFERENCE, "", "", .7 },
	{ "我爱", "你他她它这那", SAYS_PREFERENCE, "", "", .7 },
	{ "我从不", "", SAYS_PREFERENCE, "", "", .6 },
	{ "我不吃", "", SAYS_PREFERENCE, "health", "", .7 },
	{ "我不喝", "", SAYS_PREFERENCE, "health", "", .7 },
	{ "我受不了", "你他她它这那", SAYS_PREFERENCE, "", "", .6 },
	{ "我的目标", "", SAYS_GOAL, "", "", .7 },
	{ "我的梦想", "", SAYS_GOAL, "", "", .7 },
	{ "我打算", "", SAYS_GOAL, "", "", .6 },
	{ "我计划", "", SAYS_GOAL, "", "", .6 },
	{ "我想学", "", SAYS_GOAL, "", "", .6 },
	{ "我正在学", "", SAYS_GOAL, "", "", .6 },
	{ "我将要参加", "", SAYS_GOAL, "events", "", .6 },
	{ "我养了", "", SAYS_POSSESSION, "", "", .6 },
	{ "我买了", "", SAYS_POSSESSION, "", "", .5 },
	{ "我每天", "", SAYS_HABIT, "", "", .5 },
	{ "我每周", "", SAYS_HABIT, "", "", .5 },
	{ "我经常", "", SAYS_HABIT, "", "", .5 },
	{ "我通常", "", SAYS_HABIT, "", "", .5 },
	{ "我习惯", "", SAYS_HABIT, "", "", .5 },
	{ "我决定", "", SAYS_DECISION, "", "", .7 },
	{ "我们决定", "", SAYS_DECISION, "work", "", .7 },
	{ "我们商定", "", SAYS_DECISION, "work", "", .7 },
	{ "提醒我", "", SAYS_TODO, "", "", .6 },
	{ "待办", "", SAYS_TODO, "", "", .6 },
};

static const char *const kin_zh[] = { "妻子", "丈夫", "老婆", "老公", "儿子", "女儿", "哥哥",
	"弟弟", "姐姐", "妹妹", "妈妈", "爸爸", "母亲", "父亲", "爷爷", "奶奶", "男朋友", "女朋友",
	"朋友", "同事", "老板", "邻居", "室友", "狗", "猫" };
static const char *const asks_zh[] = { "吗", "什么", "怎么", "为什么", "哪", "谁", "是不是", "如果",
	"要是", "多少", "？", "呢。", "呢？" };

static bool
holds(const char *text, size_t len, const char *what)
{
	size_t n = strlen(what);

	for (size_t i = 0; i + n <= len; i++)
		if (memcmp(text + i, what, n) == 0)
			return true;
	return false;
}

static bool
begins(const char *text, size_t len, const char *what, const char **rest)
{
	size_t n = strlen(what);

	*rest = text + n;
	return len >= n && memcmp(text, what, n) == 0;
}

static bool
fits_chinese(const char *text, size_t len, const char *start, const char *not)
{
	const char *star = strchr(start, '*'), *rest;
	char head[32];

	snprintf(head, sizeof(head), "%.*s",
	    star == NULL ? (int)sizeof(head) - 1 : (int)(star - start), start);
	if (!begins(text, len, head, &rest) ||
	    (star != NULL && !holds(rest, len - (size_t)(rest - text), star + 1)))
		return false;
	for (const char *p = not; *p != '\0'; p += 3)
		if (len - (size_t)(rest - text) >= 3 && memcmp(rest, p, 3) == 0)
			return false;
	return (size_t)(rest - text) < len;
}

/* Whether a clause matches; clauses begin at the start and behind commas. */
static bool
clause_chinese(const char *text, size_t len, struct statement *s)
{
	const char *rest;

	for (size_t i = 0; i < NELEM(chinese); i++)
		if (fits_chinese(text, len, chinese[i].start, chinese[i].not)) {
			s->kind = chinese[i].kind;
			s->about = chinese[i].about;
			s->importance = chinese[i].importance;
			snprintf(s->key, sizeof(s->key), "%s", chinese[i].key);
			return true;
		}
	if (!begins(text, len, "我的", &rest) && !begins(text, len, "我", &rest))
		return false;
	for (size_t i = 0; i < NELEM(kin_zh); i++) {
		const char *after;
		if (!begins(rest, len - (size_t)(rest - text), kin_zh[i], &after))
			continue;
		s->kind = SAYS_RELATION;
		s->about = "relationships";
		s->importance = .6;
		return holds(after, len - (size_t)(after - text), "是") ||
		    holds(after, len - (size_t)(after - text), "叫") ||
		    holds(after, len - (size_t)(after - text), "住") ||
		    holds(after, len - (size_t)(after - text), "在") ||
		    holds(after, len - (size_t)(after - text), "喜欢");
	}
	return false;
}

bool
statement_chinese(const char *text, size_t len, struct statement *s)
{
	for (size_t i = 0; i < NELEM(asks_zh); i++)
		if (holds(text, len, asks_zh[i]))
			return false;
	for (size_t i = 0; i + 3 <= len; i++) {
		bool start = i == 0 || (i >= 3 && memcmp(text + i - 3, "，", 3) == 0);
		if (start && clause_chinese(text + i, len - i, s))
			return true;
	}
	return false;
}

bool
statement_likes_chinese(const char *text, size_t len)
{
	static const char *const likes[] = { "喜欢", "讨厌", "偏好", "爱吃", "爱喝", "爱好" };

	for (size_t i = 0; i < NELEM(likes); i++)
		if (holds(text, len, likes[i]))
			return true;
	return false;
}
