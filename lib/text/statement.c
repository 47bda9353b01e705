/*
 * statement.c: rules are lines of words. A sentence is cut out, its words are put in lower case and
 * contractions expanded; then each rule is tried where a clause begins.
 *
 *	word            that word; "a|b" one of them
 *	?word           an optional word
 *	%adv            any number of adverbs and intensifiers
 *	%adj            up to three words of any kind
 *	%thing          a word that names what is liked: no pronoun or question word such as
 *	                "it", "that", "how"
 *	%kin %own %num  a relative or pet; something one has; a number
 *
 * The first rule that matches decides, so rules are in the order of their certainty.
 */
#include "base/ascii.h"
#include "text/statement.h"

#include "base/utf8.h"
#include "text/statement_words.h"

#define WORDS_MOST 96
#define WORD_BYTES 28

struct words { char word[WORDS_MOST][WORD_BYTES]; bool clause[WORDS_MOST]; size_t n; };

struct rule {
	const char *pattern;
	enum statement_kind kind;
	const char *about, *key;
	double importance;
};

#define LIKES \
	"like|love|enjoy|prefer|hate|dislike|detest|despise|loathe|adore|avoid|favor|favour|" \
	"appreciate|fear|distrust|value|prioritize|prioritise"

static const struct rule rules[] = {
	{ "my name is %thing", SAYS_IDENTITY, "", "name", 1 },
	{ "call me %thing", SAYS_IDENTITY, "", "name", .9 },
	{ "my ?wedding anniversary is", SAYS_IDENTITY, "events", "anniversary", .8 },
	{ "my birthday is", SAYS_IDENTITY, "events", "birthday", .9 },
	{ "i was born in|on", SAYS_IDENTITY, "events", "birth", .9 },
	{ "i am %num years|yrs ?old", SAYS_IDENTITY, "", "age", .8 },
	{ "i live|reside in|near|at", SAYS_IDENTITY, "", "home", .9 },
	{ "i moved to|into", SAYS_IDENTITY, "events", "home", .8 },
	{ "i am ?originally from %thing", SAYS_IDENTITY, "", "origin", .8 },
	{ "i come from %thing", SAYS_IDENTITY, "", "origin", .8 },
	{ "i %adv work as|at|for %thing", SAYS_IDENTITY, "work", "work", .8 },
	{ "i am employed by|at|as", SAYS_IDENTITY, "work", "work", .8 },
	{ "my job|profession|occupation is", SAYS_IDENTITY, "work", "work", .8 },
	{ "my email|address|timezone|username|nickname|hometown|age|hobby|company|employer|team|manager|boss ?address|number is", SAYS_IDENTITY, "", "my", .8 },
	{ "my pronouns are", SAYS_IDENTITY, "", "pronouns", .9 },
	{ "i %adv speak %thing", SAYS_IDENTITY, "", "", .6 },
	{ "i am fluent in", SAYS_IDENTITY, "", "", .6 },
	{ "i study|studied %thing", SAYS_IDENTITY, "", "", .6 },
	{ "i am %adv allergic|intolerant|sensitive to", SAYS_IDENTITY, "health", "", .9 },
	{ "i am %adv a|an ?strict vegan|vegetarian|pescatarian|diabetic", SAYS_IDENTITY, "health", "", .9 },
	{ "i am %adv vegan|vegetarian|pescatarian|diabetic|celiac|dyslexic|autistic|colorblind|colourblind|deaf|blind|asthmatic", SAYS_IDENTITY, "health", "", .9 },
	{ "i have ?a|an %adj allergy|allergies|phobia|phobias|disability|diabetes|asthma|epilepsy|intolerance|condition|anxiety|adhd|claustrophobia|acrophobia", SAYS_IDENTITY, "health", "", .9 },
	{ "i suffer from", SAYS_IDENTITY, "health", "", .9 },
	{ "i am %adv lactose|gluten|egg|dairy ?and intolerant|free", SAYS_IDENTITY, "health", "", .9 },
	{ "i am %adv married|single|divorced|engaged|widowed ?to", SAYS_RELATION, "relationships", "marital_status", .8 },
	{ "my %kin name|names is|are", SAYS_RELATION, "relationships", "kin_name", .8 },
	{ "my %kin ?s is|are called|named", SAYS_RELATION, "relationships", "kin_name", .8 },
	{ "my ?older|younger|little|big|best|eldest|youngest %kin is|was a|an|the|from|in|allergic|married|%num|born", SAYS_RELATION, "relationships", "", .6 },
	{ "my ?older|younger|little|big|best|eldest|youngest %kin lives|works|studies|teaches|likes|loves|plays|speaks|hates|enjoys|runs|owns|moved|graduated", SAYS_RELATION, "relationships", "", .6 },
	{ "i have ?a|an|one|two|three|four|some ?older|younger|little|big|twin %kin", SAYS_RELATION, "relationships", "", .7 },
	{ "i have %num ?older|younger|little %kin", SAYS_RELATION, "relationships", "", .7 },

	{ "my ?all ?time favorite|favourite %thing %adj %adj is|are|has", SAYS_PREFERENCE, "interests", "favorite", .7 },
	{ "i %adv can|could not stand|bear|tolerate|abide %thing", SAYS_PREFERENCE, "", "", .7 },
	{ "i %adv can not|never eat|drink|wear %thing", SAYS_PREFERENCE, "", "", .7 },
	{ "i would always|strongly prefer %thing", SAYS_PREFERENCE, "", "", .6 },
	{ "i %adv do %adv not %adv " LIKES "|trust|use|consume|own|tolerate|eat|drink|wear|watch|buy|care|listen|drive|tolerate|read ?to|for %thing", SAYS_PREFERENCE, "", "", .7 },
	{ "i %adv " LIKES " %thing", SAYS_PREFERENCE, "", "", .7 },
	{ "i %adv do not believe in", SAYS_PREFERENCE, "", "", .6 },
	{ "i %adv refuse|decline to", SAYS_PREFERENCE, "", "", .7 },
	{ "i am %adv not ?a|at|the ?all ?big|huge|great fan|fond|keen|interested|into|comfortable ?of|in|on|with %thing", SAYS_PREFERENCE, "", "", .7 },
	{ "i am %adv ?a|an ?big|huge|great|avid|die ?hard fan|lover|enthusiast|advocate|believer of|in|for", SAYS_PREFERENCE, "interests", "", .7 },
	{ "i am %adv ?a|an ?%adj environmentalist|purist|minimalist|traditionalist|pacifist|feminist|homebody|introvert|extrovert", SAYS_IDENTITY, "", "", .7 },
	{ "i am ?a|an strong|firm|vocal|passionate advocate|supporter|believer|proponent|opponent", SAYS_PREFERENCE, "", "", .7 },
	{ "i %adv never %adv wear|buy|eat|drink|watch|play|read|listen|travel|fly|drive|stay|shop|smoke ?to|by %thing", SAYS_PREFERENCE, "", "", .7 },
	{ "i can %adv only eat|drink|use|wear|have|work|travel", SAYS_PREFERENCE, "", "", .7 },
	{ "i am %adv fond|afraid|scared|terrified|wary|skeptical|critical of %thing", SAYS_PREFERENCE, "", "", .7 },
	{ "i am %adv averse|opposed|committed|partial|loyal to %thing", SAYS_PREFERENCE, "", "", .7 },
	{ "i am %adv keen|obsessed|uncomfortable|passionate on|about|with %thing", SAYS_PREFERENCE, "", "", .7 },
	{ "i am %adv against %thing", SAYS_PREFERENCE, "", "", .7 },
	{ "i have %adv ?a|an|no|some|very|any %adj aversion|preference|preferences|dislike|distaste|passion|weakness|fear|dread|interest|hatred|disdain|love|objection|objections", SAYS_PREFERENCE, "", "", .7 },
	{ "i %adv find %adj %adj difficult|hard|boring|annoying|uncomfortable|distracting|unappealing|impractical|cruel|tedious|overwhelming|unpleasant|ineffective|distasteful|disturbing|disorienting|unsettling|unengaging|exhausting|stressful|intimidating|pretentious|frustrating|repulsive|off", SAYS_PREFERENCE, "", "", .6 },
	{ "i have %adv sensitive|dry|oily skin|eyes|stomach", SAYS_IDENTITY, "health", "", .8 },
	{ "i am on a|an %adj diet", SAYS_IDENTITY, "health", "", .8 },
	{ "i %adv try to avoid|only|buy|eat|limit|minimize|support", SAYS_PREFERENCE, "", "", .6 },
	{ "i %adv get|feel %adv uncomfortable|anxious|nervous|sick|dizzy|claustrophobic", SAYS_PREFERENCE, "", "", .5 },
	{ "i firmly|strongly|truly|deeply believe", SAYS_PREFERENCE, "", "", .6 },
	{ "i find it difficult|hard|boring|tedious", SAYS_PREFERENCE, "", "", .6 },
	{ "i %adv follow|adhere|stick|subscribe ?to ?a|an|the %adj diet|lifestyle|religion|guidelines|principles|philosophy|traditions|regimen|practice|practices|brand|only", SAYS_HABIT, "", "", .7 },
	{ "i %adv only|exclusively|strictly %adv listen|read|watch|eat|drink|wear|use|buy|drive|play|follow|consume|stay|travel|date|shop|support|learn|take|fly|trust|visit|cook|keep ?to|at|with %thing", SAYS_PREFERENCE, "", "", .7 },
	{ "i learn best|better", SAYS_PREFERENCE, "", "", .7 },
	{ "i %adv steer|stay|keep clear|away of|from", SAYS_PREFERENCE, "", "", .7 },
	{ "i %adv believe in", SAYS_PREFERENCE, "", "", .6 },
	{ "i support|boycott %thing", SAYS_PREFERENCE, "", "", .5 },

	{ "my ?main|long|biggest ?term goal|aim|dream|ambition|objective|plan is", SAYS_GOAL, "", "", .7 },
	{ "i am planning|aiming|saving|training to|on|for", SAYS_GOAL, "", "", .6 },
	{ "i %adv plan|intend|aspire|aim to", SAYS_GOAL, "", "", .6 },
	{ "i am %adv learning|studying %thing", SAYS_GOAL, "", "", .6 },
	{ "i %adv want|hope|dream to|of become|becoming|learn|improve|travel|retire|quit|graduate|speak|study", SAYS_GOAL, "", "goal?", .6 },

	{ "i %adv own|drive %thing", SAYS_POSSESSION, "", "", .5 },
	{ "i have ?got ?a|an|my|some|two|three|one|%num ?own|new|old|small|big %own", SAYS_POSSESSION, "", "", .5 },
	{ "my ?new|old|main %own is a|an|the", SAYS_POSSESSION, "", "", .5 },

	{ "we|i have|had ?all decided|agreed|chosen|settled|opted %thing", SAYS_DECISION, "work", "", .7 },
	{ "we|i ?finally|just decided|agreed|chose|opted|settled to|on|that|for|against|not %thing", SAYS_DECISION, "work", "", .7 },
	{ "we|i are|am going with %thing", SAYS_DECISION, "work", "", .6 },
	{ "we|i will go|stick|stay with %thing", SAYS_DECISION, "work", "", .6 },
	{ "let us go|stick with %thing", SAYS_DECISION, "work", "", .6 },
	{ "the|our decision is|was", SAYS_DECISION, "work", "", .7 },

	{ "todo %thing", SAYS_TODO, "", "", .6 },
	{ "remind me to|about|that", SAYS_TODO, "", "", .6 },
	{ "do not let me forget", SAYS_TODO, "", "", .6 },
	{ "i must not forget to", SAYS_TODO, "", "", .6 },
	{ "i %adv need|have to %when", SAYS_TODO, "", "", .6 },
	{ "i %adv must|should not|remember|finish|send|call|write|buy|book|pay|submit|go|renew|pick|bring|prepare|return|check %when", SAYS_TODO, "", "", .6 },

	{ "i %adv %often %habit", SAYS_HABIT, "", "", .5 },
	{ "i %habit %adj %adj every|each|on day|week|morning|evening|night|month|year|weekend|weekends|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays", SAYS_HABIT, "", "", .5 },
};

/* Sentences that match a rule without being statements. */
static const char *const others[] = {
	"i %adv hate to ask|be|bother|say|go|interrupt|sound|do|admit|tell|see|break|disappoint",
	"hate|love|like|prefer is|are|it|to",
	"i %adv hate|love|like|prefer|dislike have|is|are|was|been",
	"i %adv speak the|for|of|to|about",
	"i would ?much prefer",
	"i ?have ?finally|just decided|chose|opted|chosen to|that ?just|i "
	"reboot|reformat|take|try|run|check|look|install|reinstall|insult|ask|come|restart|remove|"
	"delete",
	"i ?have decided ?not to blame",
	"my name is derived|based|taken|on|in|not",
	"i find it hard|difficult to accept|believe|apply|grab|understand",
	"my ?new|old|main %own is a mess|problem|bit|little|pain|disaster|joke|total|complete",
	"i am ?still learning tons|lots|so|more|much|a",
	"i %adv like|love|enjoy|hate|appreciate|dislike the|your|my|all|any|such|fact "
	"?fact|answer|answers|way|ring|result|results|look|sound|idea|help|input|support|problems|"
	"work that|you|of|of|but|and",
	"i %adv appreciate %adj help|input|support|it|leads|advice|that|this|your",
	"i %adv like|love to be|make|know|see|keep|think",
	"i %adv prefer|like|love doing|asking|hearing|using|typing this|that|it|you|from",
	"i %adv am learning|studying from|still|about",
	"i drive me|you|myself|it",
};

/* ---- words ---- */

static void
add_word(struct words *w, const char *text, size_t len, bool clause)
{
	if (w->n == WORDS_MOST || len == 0)
		return;
	len = MIN(len, WORD_BYTES - 1);
	memcpy(w->word[w->n], text, len);
	w->word[w->n][len] = '\0';
	w->clause[w->n++] = clause;
}

/* Adds one word as typed, in lower case, with "’" as "'"; a contraction becomes two words. */
static void
add_typed(struct words *w, char *text, size_t len, bool clause)
{
	static const struct { const char *tail, *more; size_t keep; } tails[] = {
		{ "n't", "not", 0 }, { "'m", "am", 0 }, { "'ve", "have", 0 }, { "'re", "are", 0 }, { "'ll", "will", 0 }, { "'d", "would", 0 }, { "'s", "s", 0 } };
	static const struct { const char *word, *one, *two; } joined[] = {
		{ "im", "i", "am" }, { "ive", "i", "have" }, { "dont", "do", "not" }, { "cant", "can", "not" }, { "cannot", "can", "not" }, { "can't", "can", "not" },
		{ "won't", "will", "not" }, { "let's", "let", "us" }, { "lets", "let", "us" }, { "todo", "todo", NULL }, { "fav", "favorite", NULL } };

	for (size_t i = 0; i < NELEM(joined); i++)
		if (strlen(joined[i].word) == len && memcmp(joined[i].word, text, len) == 0) {
			add_word(w, joined[i].one, strlen(joined[i].one), clause);
			if (joined[i].two != NULL)
				add_word(w, joined[i].two, strlen(joined[i].two), false);
			return;
		}
	for (size_t i = 0; i < NELEM(tails); i++) {
		size_t n = strlen(tails[i].tail);
		if (len > n && memcmp(text + len - n, tails[i].tail, n) == 0) {
			add_word(w, text, len - n, clause);
			add_word(w, tails[i].more, strlen(tails[i].more), false);
			return;
		}
	}
	add_word(w, text, len, clause);
}

static bool
is_letter(unsigned char c)
{
	return ascii_is_alnum(c) || c >= 0x80;
}

static void
read_words(const char *p, size_t len, struct words *w)
{
	const char *end = p + len;
	bool clause = true;

	w->n = 0;
	while (p < end) {
		char word[64];
		size_t n = 0;
		while (p < end && (is_letter((unsigned char)*p) || *p == '\'')) {
			if (end - p >= 3 && memcmp(p, "\xe2\x80\x99", 3) == 0) {
				if (n < sizeof(word))
					word[n++] = '\'';
				p += 3;
				continue;
			}
			if (n < sizeof(word))
				word[n++] = ascii_lower(*p);
			p++;
		}
		if (n > 0) {
			add_typed(w, word, n, clause);
			clause = is_lead_in(word, n);
		} else {
			clause |= *p == ',' || *p == ':' || *p == ';' || *p == '(' || *p == '-' ||
			    *p == '.' || *p == '!' || *p == '"';
			p++;
		}
	}
}

/* ---- matching ---- */

static bool
among(const char *word, const char *list, size_t len)
{
	size_t n = strlen(word);

	for (const char *p = list, *end = list + len; p < end;) {
		const char *bar = memchr(p, '|', (size_t)(end - p));
		size_t k = (size_t)((bar == NULL ? end : bar) - p);
		if (k == n && memcmp(p, word, n) == 0)
			return true;
		if (k == 4 && memcmp(p, "%num", 4) == 0 && is_class("num", word))
			return true;
		p += k + 1;
	}
	return false;
}

static bool
is_when(const struct words *w, size_t at)
{
	for (size_t i = at; i < w->n; i++)
		if (is_class("when", w->word[i]))
			return true;
	return false;
}

/*
 * Whether the pattern matches from word `at` on. The recursion is no deeper than the pattern is
 * long.
 */
static bool
fits(const struct words *w, size_t at, const char *p)
{
	size_t len = strcspn(p, " ");
	const char *rest = p + len + (p[len] == ' ');

	if (len == 0)
		return true;
	if (len == 4 && memcmp(p, "%adv", 4) == 0) {
		for (size_t k = at;; k++) {
			if (fits(w, k, rest))
				return true;
			if (k >= w->n || !is_class("adv", w->word[k]))
				return false;
		}
	}
	if (len == 4 && memcmp(p, "%adj", 4) == 0) {
		for (size_t k = 0; k <= 3 && at + k <= w->n; k++)
			if (fits(w, at + k, rest))
				return true;
		return false;
	}
	if (len == 5 && memcmp(p, "%when", 5) == 0)
		return is_when(w, at) && fits(w, at, rest);
	if (*p == '?' && fits(w, at, rest))
		return true;
	if (*p == '?') {
		p++;
		len--;
	}
	if (at >= w->n)
		return false;
	if (*p == '%' && memchr(p, '|', len) == NULL) {
		char name[16];
		snprintf(name, sizeof(name), "%.*s", (int)MIN(len - 1, 12), p + 1);
		if (strcmp(name, "thing") == 0)
			return !is_class("pronoun", w->word[at]) && fits(w, at + 1, rest);
		return is_class(name, w->word[at]) && fits(w, at + 1, rest);
	}
	return among(w->word[at], p, len) && fits(w, at + 1, rest);
}

static bool
is_other(const struct words *w, size_t at)
{
	for (size_t i = 0; i < NELEM(others); i++)
		if (fits(w, at, others[i]))
			return true;
	return false;
}

static const struct rule *
find_rule(const struct words *w, size_t *at)
{
	for (size_t r = 0; r < NELEM(rules); r++)
		for (size_t i = 0; i < w->n; i++)
			if (w->clause[i] && fits(w, i, rules[r].pattern)) {
				*at = i;
				return is_other(w, i) ? NULL : &rules[r];
			}
	return NULL;
}

/* ---- a sentence ---- */

/* Derives the topic from the words of the sentence when the rule does not say it. */
static const char *
topic(const struct words *w)
{
	static const char *const topics[] = { "health", "relationships", "events", "work",
		"interests" };

	for (size_t t = 0; t < NELEM(topics); t++)
		for (size_t i = 0; i < w->n; i++)
			if (is_class(topics[t], w->word[i]))
				return topics[t];
	return "";
}

static void
make_key(const struct rule *r, const struct words *w, size_t at, char out[STATEMENT_KEY])
{
	size_t i;

	out[0] = '\0';
	if (strcmp(r->key, "my") == 0) {
		snprintf(out, STATEMENT_KEY, "%s", w->word[at + 1]);
	} else if (strcmp(r->key, "kin_name") == 0) {
		snprintf(out, STATEMENT_KEY, "%s_name", w->word[at + 1]);
	} else if (strcmp(r->key, "favorite") == 0) {
		size_t n = (size_t)snprintf(out, STATEMENT_KEY, "favorite");
		for (i = at + 1; i < w->n && strncmp(w->word[i], "favo", 4) != 0; i++)
			;
		for (i++; i < w->n && n < STATEMENT_KEY - 1 && strcmp(w->word[i], "is") != 0 &&
		     strcmp(w->word[i], "are") != 0;
		     i++)
			n += (size_t)snprintf(out + n, STATEMENT_KEY - n, "_%s", w->word[i]);
		/* "my favorite place to be" says nothing about the place */
		if (i >= w->n)
			out[0] = '\0';
	} else if (strcmp(r->key, "goal?") != 0) {
		snprintf(out, STATEMENT_KEY, "%s", r->key);
	}
}

static bool
is_question(const char *p, size_t len, const struct words *w)
{
	while (len > 0 &&
	    (p[len - 1] == ' ' || p[len - 1] == '"' || p[len - 1] == ')' || p[len - 1] == '!' ||
		p[len - 1] == '.'))
		len--;
	if (len > 0 && p[len - 1] == '?')
		return true;
	if (len >= 3 && memcmp(p + len - 3, "？", 3) == 0)
		return true;
	return w->n > 0 && is_class("asks", w->word[0]);
}

static bool
is_hypothesis(const struct words *w, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (is_class("if", w->word[i]))
			return true;
	return false;
}

static bool
read_sentence(const char *text, size_t start, size_t len, struct statement *s)
{
	struct words w;
	const struct rule *r;
	size_t at = 0;

	while (len > 0 &&
	    (text[start] == ' ' || text[start] == '\t' || text[start] == '*' ||
		text[start] == '-' || text[start] == '"')) {
		start++;
		len--;
	}
	while (len > 0 &&
	    (text[start + len - 1] == ' ' || text[start + len - 1] == '\t' ||
		text[start + len - 1] == '\r'))
		len--;
	if (len < 6 || len > STATEMENT_BYTES || text[start] == '>')
		return false;
	*s = (struct statement){ .start = start, .len = len };
	if (statement_chinese(text + start, len, s))
		return true;
	read_words(text + start, len, &w);
	if (w.n < 3 || is_question(text + start, len, &w) || (r = find_rule(&w, &at)) == NULL ||
	    is_hypothesis(&w, at))
		return false;
	s->kind = r->kind;
	s->importance = r->importance;
	s->about = r->about[0] != '\0' ? r->about : topic(&w);
	make_key(r, &w, at, s->key);
	return true;
}

/*
 * Returns the end of the sentence that begins at p: behind ". ", "! ", "? ", "。" and the like, or
 * before a line's end.
 */
static size_t
sentence_end(const char *p, size_t len)
{
	static const char *const ends[] = { "。", "！", "？", "；" };

	for (size_t i = 0; i < len; i++) {
		if (p[i] == '\n')
			return i;
		if ((p[i] == '.' || p[i] == '!' || p[i] == '?') &&
		    (i + 1 == len || p[i + 1] == ' ' || p[i + 1] == '\n' || p[i + 1] == '"'))
			return i + 1;
		for (size_t k = 0; k < NELEM(ends); k++)
			if (len - i >= 3 && memcmp(p + i, ends[k], 3) == 0)
				return i + 3;
	}
	return len;
}

void
statements_each(const char *text, size_t len, statement_fn *fn, void *arg)
{
	bool code = false, line_start = true;

	for (size_t i = 0; i < len;) {
		struct statement s;
		size_t n;
		if (text[i] == '\n') {
			line_start = true;
			i++;
			continue;
		}
		if (line_start && len - i >= 3 && memcmp(text + i, "```", 3) == 0)
			code = !code;
		n = sentence_end(text + i, len - i);
		if (code ||
		    (line_start &&
			(text[i] == '>' || text[i] == '|' || text[i] == '`' || text[i] == '\t')))
			for (n = 0; i + n < len && text[i + n] != '\n'; n++)
				;
		else if (read_sentence(text, i, n, &s) && fn(arg, &s) != 0)
			return;
		line_start = false;
		i += MAX(n, 1);
	}
}

/* ---- short ones ---- */

static bool
has_liking(const struct words *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (is_class("liking", w->word[i]))
			return true;
	return false;
}

bool
statement_is_short(const char *text, size_t len, struct statement *out)
{
	static const char *const bare = "love|prefer|hate|dislike %thing";
	struct words w;

	while (len > 0 && (*text == ' ' || *text == '\n'))
		text++, len--;
	if (utf8_count(text, len) > 60 || sentence_end(text, len) < len)
		return false;
	read_words(text, len, &w);
	if (w.n < 2 || !has_liking(&w) || is_question(text, len, &w))
		return false;
	if (read_sentence(text, 0, len, out))
		return true;
	if (!fits(&w, 0, bare))
		return false;
	*out = (struct statement){ .start = 0,
		.len = len,
		.kind = SAYS_PREFERENCE,
		.about = topic(&w),
		.importance = .6 };
	return true;
}

bool
statement_is_preference(const char *text, size_t len)
{
	static const char *const subjects = "i|user|he|she|they|we";
	struct words w;

	if (len > STATEMENT_BYTES)
		return false;
	if (statement_likes_chinese(text, len))
		return true;
	read_words(text, len, &w);
	for (size_t i = 0; i < w.n; i++)
		if (is_class("liking", w.word[i]) &&
		    (i == 0 || among(w.word[i - 1], subjects, strlen(subjects)) ||
			is_class("adv", w.word[i - 1]) || is_class("not", w.word[i - 1]) ||
			w.clause[i] || strncmp(w.word[i], "favo", 4) == 0 ||
			w.word[i][strlen(w.word[i]) - 1] == 's'))
			return true;
	return false;
}
