/*
 * reading_who.c: whom a statement is about: the one who "my wife" or "she" is, a name that begins
 * it, a project, or the user.
 */
#include "statement/reading_parts.h"

#include "base/utf8.h"
#include "lexicon/lex.h"
#include "lexicon/unicode.h"
#include "text/words.h"

/* ---- words ---- */

/* The bytes of the character at `at`; *letter: whether it belongs to a word. */
static size_t
character(const struct reader *r, size_t at, bool *letter)
{
	enum unicode_class cls;
	uint32_t cp;
	size_t n = unicode_next(r->text + at, r->text + r->len, &cp, &cls);

	*letter = (cls != UNICODE_SEP && cls != UNICODE_EMOJI) || cp == '-' || cp == '\'' ||
	    cp == '_' || cp == 0x2019;
	return n;
}

static size_t
word_end(const struct reader *r, size_t at)
{
	bool letter;

	while (at < r->len) {
		size_t n = character(r, at, &letter);
		if (!letter)
			break;
		at += n;
	}
	return at;
}

static size_t
next_word(const struct reader *r, size_t at)
{
	bool letter;

	while (at < r->len) {
		size_t n = character(r, at, &letter);
		if (letter)
			break;
		at += n;
	}
	return at;
}

static bool
is_stop(const struct reader *r, size_t start, size_t end)
{
	char folded[3 * READING_NAME + 1];
	const char *word = r->text + start;

	return words_is_stop(folded,
	    words_fold(word, utf8_clip(word, end - start, READING_NAME), folded));
}

/* Whether some cue stands exactly on these bytes: then the word is no name. */
static bool
is_cue(const struct reader *r, size_t start, size_t end)
{
	for (size_t i = 0; i < r->says.n; i++)
		if (r->says.cues[i].start == start && cue_end(&r->says.cues[i]) == end)
			return true;
	return false;
}

/* Whether a name begins at `at`: a capital, and no word that the tables know. */
static bool
is_name(const struct reader *r, size_t at, size_t end)
{
	const unsigned char *p = (const unsigned char *)r->text + at;
	bool upper = at < r->len && ((*p >= 'A' && *p <= 'Z') || (*p == 0xc3 && p[1] < 0xa0));

	return upper && end - at >= 2 && !is_cue(r, at, end) && !is_stop(r, at, end);
}

/* Whether the word is a verb of the third person, as far as its ending tells. */
static bool
is_verb(const struct reader *r, size_t start, size_t end)
{
	const char *last = r->text + end;

	return end - start > 3 && !is_name(r, start, end) &&
	    (last[-1] == 's' || memcmp(last - 2, "ed", 2) == 0);
}

static void
copy_name(const struct reader *r, size_t start, size_t end, char out[READING_NAME])
{
	size_t n = end - start;

	if (n > 2 && memcmp(r->text + end - 2, "'s", 2) == 0)
		n -= 2;
	else if (n > 4 && memcmp(r->text + end - 4, "\xe2\x80\x99s", 4) == 0)
		n -= 4;
	snprintf(out, READING_NAME, "%.*s", (int)utf8_clip(r->text + start, n, READING_NAME - 1),
	    r->text + start);
}

/* ---- who ---- */

/* The end of a Chinese name at `at`: two or three characters up to a verb; `at`: there is none. */
static size_t
han_name_end(const struct reader *r, size_t at)
{
	static const char *const verbs[] = { "是", "在", "住", "有", "对", "叫", "养", "吃", "不", "也",
		"已", "刚", "去", "会", "说", "喜", "最", "今", "现", "从", "怀", "结", "得", "要", "的", "和" };
	size_t end = at;

	while (end + 3 <= r->len && (unsigned char)r->text[end] >= 0xe3 && end - at <= 9) {
		for (size_t i = 0; i < NELEM(verbs); i++)
			if (memcmp(r->text + end, verbs[i], 3) == 0)
				return end - at >= 6 && !is_cue(r, at, end) ? end : at;
		end += 3;
	}
	return at;
}

/* The person behind "my wife", "my wife (Marta)", 我妹妹小红: the name, else the word itself. */
static void
read_kin(const struct reader *r, const struct cue *kin, char out[READING_NAME])
{
	size_t behind = kin->start + kin->len, start = next_word(r, behind),
	       end = word_end(r, start), named = han_name_end(r, behind);

	if (named > behind)
		copy_name(r, behind, named, out);
	else if (start < r->len && start - behind <= 2 && is_name(r, start, end))
		copy_name(r, start, end, out);
	else if (strncmp(r->text + kin->start, "我", 3) == 0)          /* 我哥 */
		copy_name(r, kin->start + 3, behind, out);
	else
		copy_name(r, kin->start, behind, out);
}

static void
set_person(const struct reader *r, const char *name)
{
	if (r->by->person != NULL)
		snprintf(r->by->person, READING_NAME, "%s", name);
}

/* Says that it is about that person or project. */
static void
set_about(const struct reader *r, const char *what, const char *name)
{
	snprintf(r->out->about, sizeof(r->out->about), "%s%.*s", what,
	    (int)utf8_clip(name, strlen(name), READING_NAME - 1), name);
}

/* The first word for a relation; of 我妹 and 妹妹 the second. */
static const struct cue *
kin_of(const struct reader *r)
{
	const struct cue *kin = reader_cue(r, "kin");

	for (size_t i = 0; kin != NULL && i < r->says.n; i++) {
		const struct cue *next = &r->says.cues[i];
		if (next->class == kin->class && next->start == kin->start + 3 &&
		    strncmp(r->text + kin->start, "我", 3) == 0)
			return next;
	}
	return kin;
}

/* Whether "my" stands with the relation: "my elder sister", 我的妹妹; but not "I am a teacher". */
static bool
is_mine(const struct reader *r, const struct cue *own, const struct cue *kin)
{
	size_t end = own->start + own->len;

	if ((unsigned char)r->text[own->start] >= 0xe3)
		return own->at <= 1 && (kin->start == own->start || kin->start == end ||
		    (kin->start == end + 3 && strncmp(r->text + end, "的", 3) == 0));
	return own->at <= 1 && own->start < kin->start && kin->at <= own->at + 2 &&
	    strchr("IiWw", r->text[own->start]) == NULL;
}

/* Whether the speaker is named beside the relation: "my sister and I". */
static bool
is_with_me(const struct reader *r, const struct cue *kin)
{
	static const char *const with[] = { " and i ", " und ich ", " y yo ", " e io ", " et moi ",
		" and me ", "和我", "跟我" };
	char folded[3 * READING_NAME + 1];
	size_t from = kin->start + kin->len, n;

	n = words_fold(r->text + from, utf8_clip(r->text + from, r->len - from, READING_NAME),
	    folded);
	folded[n] = '\0';
	for (size_t i = 0; i < NELEM(with); i++)
		if (strncmp(folded, with[i], strlen(with[i])) == 0)
			return true;
	return false;
}

/* Whether the clause begins with a name and then what the person does: "Lena wohnt". */
static bool
begins_with_name(const struct reader *r, size_t start, size_t end)
{
	size_t next = next_word(r, end);

	if (!is_name(r, start, end))
		return false;
	for (size_t i = 0; i < r->slots.n; i++)
		if (r->slots.cues[i].at == 1)
			return true;
	return reader_opens(r, "finite", 3) || reader_opens(r, "be", 3) ||
	    is_verb(r, next, word_end(r, next));
}

/* Whether a Chinese name begins the clause: 小红是老师, 王芳住在上海. */
static bool
is_han_subject(const struct reader *r, size_t start, size_t end)
{
	static const char *const first = "小老阿王李张刘陈杨赵黄周吴徐孙胡朱林何郭罗梁宋郑谢韩唐冯"
	    "董程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛余潘杜戴夏钟汪任姜范方姚谭廖邹熊陆郝崔康邱秦顾侯邵孟"
	    "段钱汤尹黎乔贺赖龚";
	static const char *const verbs[] = { "是", "住", "对", "养", "吃" };

	if (end == start || end - start > 9 || is_stop(r, start, end))
		return false;
	for (size_t i = 0; i < NELEM(verbs); i++)
		if (end + 3 <= r->len && memcmp(r->text + end, verbs[i], 3) == 0)
			for (const char *p = first; *p != '\0'; p += 3)
				if (memcmp(r->text + start, p, 3) == 0)
					return true;
	return false;
}

/* The start of the first word, behind an article before a name, as Portuguese has it: "o João". */
static size_t
first_word(const struct reader *r)
{
	size_t start = next_word(r, 0), end = word_end(r, start), next = next_word(r, end);

	if (end != start + 1 || strchr("aoAO", r->text[start]) == NULL ||
	    !is_name(r, next, word_end(r, next)) ||
	    lex_language_of(r->text, r->len) != lex_language("pt"))
		return start;
	return next;
}

void
reader_about(struct reader *r)
{
	const struct cue *first = reader_cue(r, "first"), *we = reader_cue(r, "first_plural"),
			 *kin = kin_of(r), *third = reader_cue(r, "third"), *own;
	size_t start = first_word(r), end = word_end(r, start);
	size_t han = han_name_end(r, start);
	char name[READING_NAME] = "";
	const char *about = r->out->about;
	bool subject = kin != NULL && kin->at <= 2 && kin->start == start;
	bool owned = kin != NULL && kin->at == 1 && is_name(r, start, end) &&
	    end - start > 3 && memcmp(r->text + end - 2, "'s", 2) == 0;

	kin = kin != NULL ? kin : reader_cue(r, "people");
	own = first != NULL && (we == NULL || first->at <= we->at) ? first : we;
	if (kin != NULL)
		read_kin(r, kin, name);
	if (owned) {                           /* "Lena's brother" */
		copy_name(r, start, kin->start + kin->len, name);
		set_about(r, "other:", name);
	} else if (kin != NULL && own != NULL && is_mine(r, own, kin) && !is_with_me(r, kin))
		set_about(r, "other:", name);
	else if (own != NULL && own->at <= 3)
		set_about(r, "user", "");
	else if (subject)
		set_about(r, "other:", name);
	else if (third != NULL && third->at <= 1 && r->by->person != NULL && *r->by->person != '\0')
		set_about(r, "other:", r->by->person);
	else if (begins_with_name(r, start, end) || is_han_subject(r, start, han)) {
		copy_name(r, start, han > start ? han : end, name);
		if (strcmp(name, r->by->speaker) == 0)
			set_about(r, "user", "");
		else
			set_about(r, "other:", name);
	} else if ((own == NULL || own->at > 3) && *r->by->project != '\0')
		set_about(r, "project:", r->by->project);
	else if (third != NULL && third->at == 0 && own == NULL) {
		copy_name(r, third->start, third->start + third->len, name);
		set_about(r, "other:", name);  /* nobody knows who "he" is */
		r->out->unknown = true;
	}
	else
		set_about(r, "user", "");
	if (kin != NULL || (strncmp(about, "other:", 6) == 0 && !r->out->unknown))
		set_person(r, strncmp(about, "other:", 6) == 0 ? about + 6 : name);
}
