/*
 * followup_need.c: decides whether a question needs the turns before it, by a logistic regression
 * on its form and on how its words relate to the conversation.
 *
 * A reply before the question ("Interesting. And what does it cost?") is skipped. A question that
 * corrects the one before ("no, I meant ...") always needs it.
 */

#include "base/ascii.h"
#include "followup/followup_parts.h"
#include "math/real.h"

/* Features of a question's first words; longer ones stand first. */
static const struct { const char *words; uint8_t feature; } starts[] = {
	{ "how about ", NEED_ABOUT }, { "what about ", NEED_ABOUT }, { "and ", NEED_JOINED }, { "or ", NEED_JOINED }, { "but ", NEED_JOINED }, { "so ", NEED_JOINED },
	{ "why ", NEED_WHY }, { "how ", NEED_HOW }, { "what is ", NEED_WHAT_IS }, { "what are ", NEED_WHAT_IS }, { "what s ", NEED_WHAT_IS }, { "what ", NEED_WHAT },
	{ "which ", NEED_WHAT }, { "who ", NEED_WHO }, { "whose ", NEED_WHO }, { "when ", NEED_WHEN }, { "where ", NEED_WHEN }, { "yes ", NEED_YES }, { "no ", NEED_YES },
	{ "ok ", NEED_YES }, { "okay ", NEED_YES }, { "yeah ", NEED_YES }, { "sure ", NEED_YES }, { "oh ", NEED_YES }, { "is ", NEED_AUX }, { "are ", NEED_AUX },
	{ "was ", NEED_AUX }, { "were ", NEED_AUX }, { "did ", NEED_AUX }, { "do ", NEED_AUX }, { "does ", NEED_AUX }, { "can ", NEED_AUX }, { "could ", NEED_AUX },
	{ "has ", NEED_AUX }, { "have ", NEED_AUX }, { "had ", NEED_AUX }, { "will ", NEED_AUX }, { "would ", NEED_AUX }, { "should ", NEED_AUX }, { "tell ", NEED_TELL },
	{ "describe ", NEED_TELL }, { "explain ", NEED_TELL }, { "give ", NEED_TELL }, { "show ", NEED_TELL }, { "list ", NEED_TELL }, { "find ", NEED_TELL },
};

/* Features of any word. */
static const struct { const char *word; uint8_t feature; } says[] = {
	{ "why", NEED_WHY }, { "i", NEED_I }, { "me", NEED_I }, { "my", NEED_MY }, { "our", NEED_MY }, { "you", NEED_YOU }, { "your", NEED_YOU }, { "thank", NEED_THANKS },
	{ "thanks", NEED_THANKS }, { "bye", NEED_THANKS }, { "goodbye", NEED_THANKS }, { "a", NEED_A }, { "an", NEED_A }, { "some", NEED_A }, { "any", NEED_A },
};

static const char *const places[] = { "in", "on", "at", "from", "for", "with", "about", "between",
	"during", "by", "to", "than", "like", "near", "against" };

/* Returns the word in lower case, cut to size; "" when it is not an ASCII word. */
static const char *
lower_word(const struct conversation_turn *turn, const struct conversation_word *w, char *out,
	size_t size)
{
	size_t n = 0;

	for (uint32_t i = w->start; i < w->end && n + 1 < size; i++, n++) {
		char c = turn->text[i];
		out[n] = ascii_lower(c);
	}
	out[n] = '\0';
	return out;
}

/* Writes the first bytes in lower case, one blank between words and one at the end. */
static void
fold_start(const char *text, size_t len, char *out, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < len && n + 2 < size; i++) {
		char c = text[i];
		/* a typographic apostrophe */
		if (len - i >= 3 && memcmp(text + i, "\xe2\x80\x99", 3) == 0) {
			c = '\'';
			i += 2;
		}
		bool letter = ascii_is_alnum(c) || (unsigned char)c >= 0x80;
		if (letter)
			out[n++] = ascii_lower(c);
		else if (n > 0 && out[n - 1] != ' ')
			out[n++] = ' ';
	}
	if (n > 0 && out[n - 1] != ' ')
		out[n++] = ' ';
	out[n] = '\0';
}

/*
 * Beginnings of replies: a sentence, or what stands before a comma, that begins so and has hardly
 * any content word is no part of the question.
 */
static const char *const replies[] = {
	"oh ", "ah ", "wow ", "cool ", "great ", "nice ", "awesome ", "amazing ", "interesting ",
	"hmm ", "hm ", "mmm ", "well ", "right ", "good ", "excellent ", "perfect ", "fine ",
	"alright ", "agreed ", "fair enough ", "really ", "i see ", "got it ", "makes sense ",
	"wait ", "hello ", "hi ", "hey ", "never mind ", "that s ", "that is a ", "that was ",
	"this is ", "sounds good ", "sounds great ", "sounds like a ", "i didn t ", "i understand ",
	"let s move on ", "who knew ",
};
#define REPLY_WORDS 2 /* content words that a reply may have, not counting light ones */
/* the least score of need for a question that corrects the one before */
#define CORRECTS    1.0f

static bool
is_reply(const struct conversation_turn *q, size_t from, size_t to)
{
	size_t n = 0;
	char start[64];

	for (size_t i = from; i < to; i++)
		n += !(q->words[i].flags & (CONVERSATION_STOP | CONVERSATION_LIGHT));
	if (n > REPLY_WORDS)
		return false;
	fold_start(q->text + q->words[from].start, q->words[to - 1].end - q->words[from].start,
	    start, sizeof(start));
	for (size_t i = 0; i < NELEM(replies); i++)
		if (strncmp(start, replies[i], strlen(replies[i])) == 0)
			return true;
	return false;
}

/*
 * Whether sign stands between word i and the word before it. Words may overlap, as a path and its
 * last part do.
 */
static bool
sign_before(const struct conversation_turn *q, size_t i, char sign)
{
	uint32_t from = q->words[i - 1].end, to = q->words[i].start;

	return from < to && memchr(q->text + from, sign, to - from) != NULL;
}

/* Returns the word at which the question begins, after replies such as "That's a great point.". */
static size_t
asked_from(const struct conversation_turn *q)
{
	size_t from = 0;

	for (size_t i = 1; i < q->n; i++) {
		bool sentence =
			 (q->words[i].flags & CONVERSATION_FIRST) != 0 && !sign_before(q, i, '?'),
		     clause = sign_before(q, i, ',');

		if ((sentence ||
			(clause && i - from <= 2 && !(q->words[i].flags & CONVERSATION_FIRST))) &&
		    is_reply(q, from, i))
			from = i;
		else if (q->words[i].flags & CONVERSATION_FIRST)
			break;
	}
	return from;
}

/* Sets the features of how each sentence begins. */
static void
look_at_starts(const struct conversation_turn *q, float x[N_NEEDS])
{
	char start[64];

	x[NEED_LETS] = 1;
	for (size_t i = 0; i < q->n; i++) {
		const char *from = q->text + q->words[i].start;

		if (!(q->words[i].flags & CONVERSATION_FIRST))
			continue;
		fold_start(from, q->len - q->words[i].start, start, sizeof(start));
		for (size_t k = 0; k < NELEM(starts); k++)
			if (strncmp(start, starts[k].words, strlen(starts[k].words)) == 0) {
				x[starts[k].feature] = 1;
				x[NEED_LETS] = 0;
				break;
			}
	}
}

static void
look_back(const struct conversation_turn *q, struct lack *l, float x[N_NEEDS])
{
	uint32_t from = q->n > 0 ? q->words[0].start : 0;
	float content_before = -1;

	l->n = ambiguity_find(q->text + from, q->len - from, l->found, NELEM(l->found));
	for (size_t i = 0; i < l->n; i++) {
		l->found[i].start += from;
		l->found[i].end += from;
		l->kinds |= 1u << l->found[i].kind;
		x[NEED_IT + l->found[i].kind] = 1;
		if (l->found[i].kind > AMBIGUITY_THERE)
			continue;
		x[NEED_ANY] = 1;
		if (content_before >= 0 || l->found[i].kind > AMBIGUITY_PERSON)
			continue;
		content_before = 0;
		for (size_t k = 0; k < q->n && q->words[k].start < l->found[i].start; k++)
			content_before +=
			    !(q->words[k].flags & (CONVERSATION_STOP | CONVERSATION_LIGHT));
	}
	x[NEED_LATE] = content_before >= 2;
	x[NEED_LATE_ANY] = content_before == 1;
}

static bool
was_said(const struct conversation *t, size_t from, size_t to, uint32_t term)
{
	for (size_t i = from; i < to; i++)
		for (size_t k = 0; k < t->turns[i].n; k++)
			if (t->turns[i].words[k].term == term)
				return true;
	return false;
}

static bool
is_place(const char *word)
{
	for (size_t i = 0; i < NELEM(places); i++)
		if (strcmp(places[i], word) == 0)
			return true;
	return false;
}

/* Sets the features of words: content words, words said before, articles and prepositions. */
static void
look_at_words(const struct conversation *t, size_t at, const struct conversation_turn *q,
	float x[N_NEEDS])
{
	float content = 0, old = 0, old_last = 0, weak = 0, run = 0, longest = 0;
	bool the = false;
	char word[24];

	for (size_t i = 0; i < q->n; i++) {
		const struct conversation_word *w = &q->words[i];
		bool is_content = !(w->flags & CONVERSATION_STOP),
		     next = i + 1 < q->n && !(q->words[i + 1].flags & CONVERSATION_STOP);

		lower_word(q, w, word, sizeof(word));
		for (size_t k = 0; k < NELEM(says); k++)
			if (strcmp(says[k].word, word) == 0)
				x[says[k].feature] = 1;
		if (!is_content) {
			if (strcmp(word, "the") == 0 && next) {
				the = true;
				x[NEED_THE] = 1;
				if (was_said(t, 0, at, q->words[i + 1].term))
					x[NEED_THE_OLD] = 1;
			}
			if (strcmp(word, "of") == 0 && i + 1 < q->n)
				x[NEED_OF] = 1;
			if (is_place(word) &&
			    (next ||
				(i + 2 < q->n && !(q->words[i + 2].flags & CONVERSATION_STOP))))
				x[NEED_IN] = 1;
			run = 0;
			continue;
		}
		content++;
		run = i > 0 && q->words[i - 1].run == w->run ? run + 1 : 1;
		longest = MAX(longest, run);
		weak += (w->flags & CONVERSATION_LIGHT) != 0;
		old += was_said(t, 0, at, w->term);
		old_last += at > 0 && was_said(t, at - 1, at, w->term);
		if (w->flags & CONVERSATION_CAPITAL)
			x[NEED_CAPITAL] = 1;
		if (w->flags & CONVERSATION_NUMBER)
			x[NEED_NUMBER] = 1;
	}
	x[NEED_THE_BARE] = the && x[NEED_OF] == 0 && x[NEED_IN] == 0;
	x[NEED_END] = q->n > 0 && (q->words[q->n - 1].flags & CONVERSATION_STOP);
	x[NEED_NONE] = content == 0;
	x[NEED_SINGLE] = content == 1;
	x[NEED_PAIR] = content == 2;
	x[NEED_MANY] = content >= 4;
	x[NEED_OLD] = content > 0 ? old / content : 0;
	x[NEED_OLD_LAST] = content > 0 ? old_last / content : 0;
	x[NEED_NEW] = content > 0 && old == 0;
	x[NEED_LIGHT] = content > 0 ? weak / content : 0;
	x[NEED_NO_WEIGHT] = content > 0 && weak == content;
	x[NEED_RUN] = real_logf(1 + longest);
}

/*
 * Whether the newest place of the term has a neighbour that the question lacks, so that the term is
 * only part of a name.
 */
static bool
is_part_of_name(const struct conversation *t, size_t at, const struct conversation_turn *q,
	uint32_t term)
{
	for (size_t i = at; i-- > 0; ) {
		const struct conversation_turn *turn = &t->turns[i];
		for (size_t k = 0; k < turn->n; k++) {
			bool found = false;
			if (turn->words[k].term != term)
				continue;
			for (size_t m = k > 0 ? k - 1 : 0; m < turn->n && m <= k + 1; m++) {
				bool has = turn->words[m].run != turn->words[k].run ||
				    (turn->words[m].flags &
					(CONVERSATION_STOP | CONVERSATION_LIGHT |
					    CONVERSATION_RELATION));
				for (size_t j = 0; j < q->n && !has; j++)
					has = q->words[j].term == turn->words[m].term;
				found |= !has;
			}
			return found;
		}
	}
	return false;
}

/* Sets the features of words that name a topic, and of relational words, which need one. */
static void
look_for_topic(const struct conversation *t, size_t at, const struct conversation_turn *q,
	float x[N_NEEDS])
{
	float n = 0, n_new = 0, relations = 0, longest = 0;
	bool of = false;
	char word[24];

	for (size_t i = 0; i < q->n; i++) {
		const struct conversation_word *w = &q->words[i];
		bool relation = (w->flags & CONVERSATION_RELATION) != 0;

		lower_word(q, w, word, sizeof(word));
		of |= strcmp(word, "of") == 0;
		if (strcmp(word, "the") == 0 && i + 1 < q->n &&
		    (q->words[i + 1].flags & CONVERSATION_RELATION))
			x[NEED_THE_RELATION] = 1;
		if (w->flags & CONVERSATION_STOP)
			continue;
		relations += relation;
		x[NEED_RELATION_END] = relation;
		if (relation || (w->flags & CONVERSATION_LIGHT))
			continue;
		n++;
		if (of)
			x[NEED_OF_TOPIC] = 1;
		if (is_part_of_name(t, at, q, w->term))
			x[NEED_PARTLY] = 1;
		if (!was_said(t, 0, at, w->term)) {
			n_new++;
			longest = MAX(longest, (float)(w->end - w->start));
		}
	}
	x[NEED_RELATION] = q->n_content > 0 ? relations / (float)q->n_content : 0;
	x[NEED_NO_TOPIC] = n == 0;
	x[NEED_TOPIC_1] = n == 1;
	x[NEED_TOPIC_2] = n == 2;
	x[NEED_TOPIC_MANY] = n > 2;
	x[NEED_TOPIC_NEW] = n_new > 0;
	x[NEED_TOPIC_LENGTH] = MIN(longest, 12) / 10;
	x[NEED_DEFINE] = x[NEED_WHAT_IS] > 0 && x[NEED_THE] == 0;
	x[NEED_DEFINE_NEW] = x[NEED_DEFINE] > 0 && n_new > 0 && n_new == n;
}

void
need_features(const struct conversation *t, size_t at, struct lack *l, float x[N_NEEDS])
{
	struct conversation_turn asked = t->turns[at], *q = &asked;
	size_t n_before = 0, n_asked = 0, han = 0, sentences = 0, from = asked_from(q);

	memset(x, 0, N_NEEDS * sizeof(*x));
	memset(l, 0, sizeof(*l));
	x[NEED_BIAS] = 1;
	look_at_starts(q, x);
	q->words += from;
	q->n -= from;
	look_back(q, l, x);
	look_at_words(t, at, q, x);
	look_for_topic(t, at, q, x);
	for (size_t i = 0; i < q->n; i++) {
		han += (q->words[i].flags & CONVERSATION_HAN) != 0;
		sentences += (q->words[i].flags & CONVERSATION_FIRST) != 0;
	}
	l->han = 2 * han > q->n;
	l->lengthy = at > 0 && t->turns[at - 1].role == CONVERSATION_OTHER &&
	    t->turns[at - 1].n_content >= FOLLOWUP_LONG;
	for (size_t i = 0; i < at; i++) {
		n_before += t->turns[i].role != CONVERSATION_TITLE;
		n_asked += t->turns[i].role == CONVERSATION_USER;
		if (t->turns[i].role == CONVERSATION_OTHER)
			x[NEED_ANSWERED] = 1;
	}
	x[NEED_WORDS] = real_logf(1 + (float)q->n);
	x[NEED_ASKED] =
	    at > 0 && t->turns[at - 1].role == CONVERSATION_OTHER && t->turns[at - 1].asks;
	x[NEED_TURNS] = real_logf(1 + (float)n_before);
	x[NEED_FIRST] = n_asked == 0;
	x[NEED_QUESTION] = q->asks;
	x[NEED_COMMA] = sentences > 1;
}

/* "No, I meant the second one" repeats and corrects the question before it. */
static bool
corrects(const struct conversation_turn *q)
{
	static const char *const says_so[] = { "i meant ", "i mean ", "i was asking ",
		"i m asking ", "i am asking ", "i was talking ", "i m talking ", "not what i " };
	char start[64];

	for (size_t i = 0; i < q->n; i++) {
		if (i > 0 && !(q->words[i].flags & CONVERSATION_FIRST) && !sign_before(q, i, ','))
			continue;
		fold_start(q->text + q->words[i].start, q->len - q->words[i].start, start,
		    sizeof(start));
		for (size_t k = 0; k < NELEM(says_so); k++)
			if (strncmp(start, says_so[k], strlen(says_so[k])) == 0)
				return true;
	}
	return false;
}

float
need_score(const struct conversation *t, size_t at, const struct followup_weights *w,
	struct lack *l)
{
	float x[N_NEEDS], sum = 0;

	need_features(t, at, l, x);
	if (at == 0)
		return 0;
	for (size_t i = 0; i < N_NEEDS; i++)
		sum += w->need[l->han][i] * x[i];
	if (corrects(&t->turns[at]))
		sum = MAX(sum, CORRECTS);
	return 1 / (1 + real_expf(-sum));
}
