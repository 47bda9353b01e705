/*
 * statement_features.c: the names are made once, of the table's classes and the list of forms.
 */
#include "statement/statement_features.h"

#include "base/alloc.h"
#include "base/ascii.h"
#include "statement/cues.h"

enum { CUES_MOST = 256 };

enum form {
	QUESTION, EXCLAIM, QUOTED, ASIDE, LISTED, HALF, COLON, PROJECT, ASKED, WORDS_3, WORDS_6,
	WORDS_15, WORDS_30, WORDS_MORE, DIGITS, NAME, CODE, HAN, OPENS_TURN, ENDS_TURN,
	SHORT_TURN, LONG_TURN,
	OWN_HAVE, OWN_KIN, OTHER_BE, OWN_NOT, OWN_BE,
	OWN_CHANGE, OWN_PLAN, OWN_HABIT, OWN_LIKE, OWN_FEEL, OTHER_LIFE, PLAN_DATE, PROJECT_OWN,
	PROJECT_SYSTEM, SLOT, OWN_SLOT, OPENS_SLOT, AFTER_OWN, OPENS_CODE, OPENS_NAME,
	TOLD, TOLD_CAUSE, TOLD_FIXED, TOLD_CODE, TOLD_DIGITS, TOLD_NAME, TOLD_LIST, TOLD_TODO,
	TOLD_OWN, N_FORMS
};

static const char *const form_names[N_FORMS] = { "question", "exclaim", "quoted", "aside",
	"listed", "half", "colon", "project", "asked", "words_3", "words_6", "words_15", "words_30",
	"words_more", "digits", "name", "code", "han", "opens_turn", "ends_turn", "short_turn",
	"long_turn", "own_have", "own_kin", "other_be", "own_not", "own_be", "own_change",
	"own_plan", "own_habit", "own_like", "own_feel", "other_life", "plan_date", "project_own",
	"project_system", "slot", "own_slot",
	"opens_slot", "after_own", "opens_code", "opens_name", "told", "told_cause", "told_fixed",
	"told_code", "told_digits", "told_name", "told_list", "told_todo", "told_own" };

static const struct cues *
table(void)
{
	return cues_of("schema/cues/statement.txt");
}

const char *const *
statement_feature_names(size_t *n)
{
	static const char *names[STATEMENT_FEATURES_MAX];
	static size_t n_names;
	const struct cue_class *classes;
	size_t n_classes;

	if (n_names == 0) {
		classes = cues_classes(table(), &n_classes);
		n_classes = MIN(n_classes, (STATEMENT_FEATURES_MAX - N_FORMS) / 2);
		for (size_t i = 0; i < n_classes; i++) {
			size_t len = strlen(classes[i].name) + 2;
			char *first = xmalloc(len);
			snprintf(first, len, "^%s", classes[i].name);
			names[2 * i] = classes[i].name;
			names[2 * i + 1] = first;
		}
		for (size_t i = 0; i < N_FORMS; i++)
			names[2 * n_classes + i] = form_names[i];
		n_names = 2 * n_classes + N_FORMS;
	}
	*n = n_names;
	return names;
}

static bool
has(const float *x, const char *class)
{
	int c = cues_class(table(), class);

	return c >= 0 && x[2 * c] > 0;
}

/* Whether a capital begins a word that is not the first. */
static bool
has_name(const char *p, size_t len)
{
	for (size_t i = 1; i + 2 < len; i++)
		if (p[i - 1] == ' ' && p[i] >= 'A' && p[i] <= 'Z' && p[i + 1] >= 'a' &&
		    p[i + 1] <= 'z')
			return true;
	return false;
}

static bool
has_code(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (p[i] == '`' || p[i] == '_' || p[i] == '{' || p[i] == '=' || p[i] == '<' ||
		    (p[i] == '/' && i > 0 && i + 1 < len && ascii_is_letter(p[i + 1])) ||
		    (p[i] == '.' && i > 0 && i + 1 < len && ascii_is_alnum(p[i - 1]) &&
			ascii_is_letter(p[i + 1])) ||
		    (p[i] == '(' && i > 0 && i + 1 < len && p[i + 1] == ')'))
			return true;
	return false;
}

/*
 * Whether the clause begins with a name that a verb follows: "Nia's a vet", "Ann owns the tests".
 * cues [n]: those of the clause.
 */
static bool
opens_with_name(const char *p, size_t len, const struct cue *cues, size_t n)
{
	int verb = cues_class(table(), "finite"), be = cues_class(table(), "be");
	size_t end = 0;

	while (end < len && p[end] != ' ' && p[end] != '\'')
		end++;
	if (len < 3 || *p < 'A' || *p > 'Z' || p[1] < 'a' || end == len)
		return false;
	for (size_t i = 0; i < n && cues[i].at == 0; i++)
		if (cues[i].len >= end)
			return false;          /* a word that the table knows */
	if (end + 1 < len && p[end] == '\'')
		return p[end + 1] == 's';
	for (size_t i = 0; i < n && cues[i].at < 3; i++)
		if (cues[i].at > 0 && ((int)cues[i].class == verb || (int)cues[i].class == be))
			return true;
	return false;
}

/* Whether the clause speaks of its author. */
static bool
is_own(const struct statement_turn *t, const struct clause *c)
{
	struct cue cues[CUES_MOST];
	size_t n = cues_find(table(), t->text + c->start, c->len, cues, CUES_MOST, NULL);
	int first = cues_class(table(), "first"), we = cues_class(table(), "first_plural");

	while (n-- > 0)
		if ((int)cues[n].class == first || (int)cues[n].class == we)
			return true;
	return false;
}

void
statement_features(const struct statement_turn *t, const struct clause *c,
	const struct clause *before, float *x)
{
	const char *p = t->text + c->start;
	struct cue cues[CUES_MOST];
	unsigned n_words;
	size_t n, n_names, k;
	float *form;
	bool own, life, han = false;

	statement_feature_names(&n_names);
	memset(x, 0, n_names * sizeof(*x));
	form = x + n_names - N_FORMS;
	n = cues_find(table(), p, c->len, cues, CUES_MOST, &n_words);
	for (size_t i = 0; i < n; i++)
		if ((k = 2 * cues[i].class) + 1 < n_names - N_FORMS) {
			x[k] = 1;
			if (cues[i].at < 2)
				x[k + 1] = 1;
		}
	for (size_t i = 0; i + 2 < c->len; i++)
		han |= (unsigned char)p[i] >= 0xe4 && (unsigned char)p[i] <= 0xe9;
	n_words = han ? n_words * 3 / 5 : n_words;
	own = has(x, "first") || has(x, "first_plural");
	form[QUESTION] = (c->flags & CLAUSE_QUESTION) != 0;
	form[EXCLAIM] = (c->flags & CLAUSE_EXCLAIM) != 0;
	form[QUOTED] = (c->flags & CLAUSE_QUOTED) != 0;
	form[ASIDE] = (c->flags & CLAUSE_ASIDE) != 0;
	form[LISTED] = (c->flags & CLAUSE_LIST) != 0;
	form[HALF] = (c->flags & CLAUSE_HALF) != 0;
	form[COLON] = (c->flags & CLAUSE_COLON) != 0;
	form[PROJECT] = t->project;
	form[ASKED] = t->asked;
	form[WORDS_3] = n_words <= 3;
	form[WORDS_6] = n_words > 3 && n_words <= 6;
	form[WORDS_15] = n_words > 6 && n_words <= 15;
	form[WORDS_30] = n_words > 15 && n_words <= 30;
	form[WORDS_MORE] = n_words > 30;
	for (size_t i = 0; i < c->len; i++)
		form[DIGITS] = form[DIGITS] > 0 || ascii_is_digit(p[i]);
	form[NAME] = has_name(p, c->len);
	form[CODE] = has_code(p, c->len);
	form[OPENS_CODE] = c->len > 2 && *p == '`';
	form[OPENS_NAME] = opens_with_name(p, c->len, cues, n);
	form[HAN] = han;
	form[OPENS_TURN] = before == NULL;
	form[ENDS_TURN] = c->start + c->len + 4 >= t->len;
	form[SHORT_TURN] = t->len < 60;
	form[LONG_TURN] = t->len > 400;
	form[OWN_HAVE] = own && has(x, "have");
	form[OWN_KIN] = own && (has(x, "kin") || has(x, "people") || has(x, "pet"));
	form[OTHER_BE] = has(x, "third") && has(x, "be");
	form[OWN_NOT] = own && has(x, "negation");
	form[OWN_BE] = own && has(x, "be");
	form[OWN_CHANGE] = own && (has(x, "began") || has(x, "ended") || has(x, "changed"));
	form[OWN_PLAN] = own && has(x, "plan");
	form[OWN_HABIT] = own && has(x, "habit");
	form[OWN_LIKE] = own && (has(x, "like") || has(x, "dislike"));
	form[OWN_FEEL] = own && has(x, "feel");
	life = has(x, "live") || has(x, "work") || has(x, "study") || has(x, "health") ||
	    has(x, "age");
	form[OTHER_LIFE] = life && (has(x, "third") || has(x, "kin") || form[NAME] > 0);
	form[PLAN_DATE] = (has(x, "plan") || has(x, "todo") || has(x, "deadline")) &&
	    (has(x, "date") || form[DIGITS] > 0);
	form[PROJECT_OWN] = t->project && own;
	form[PROJECT_SYSTEM] = t->project && has(x, "system");
	n = cues_find(cues_of("schema/cues/slots.txt"), p, c->len, cues, CUES_MOST, NULL);
	form[SLOT] = n > 0;
	form[OWN_SLOT] = n > 0 && own;
	for (size_t i = 0; i < n; i++)
		form[OPENS_SLOT] = form[OPENS_SLOT] > 0 || cues[i].at < 3;
	form[AFTER_OWN] = before != NULL && is_own(t, before);
	if (t->told) {
		form[TOLD] = 1;
		form[TOLD_CAUSE] = has(x, "cause");
		form[TOLD_FIXED] = has(x, "fixed");
		form[TOLD_CODE] = form[CODE];
		form[TOLD_DIGITS] = form[DIGITS];
		form[TOLD_NAME] = form[NAME];
		form[TOLD_LIST] = form[LISTED];
		form[TOLD_TODO] = has(x, "todo");
		form[TOLD_OWN] = own;
	}
}
