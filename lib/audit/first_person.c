/*
 * first_person.c: the user is named at the start of a statement, in the possessive, or further
 * behind. The verb behind the name keeps its ending, as words are compared without theirs.
 */
#include "audit/first_person.h"

#include <ctype.h>
#include <strings.h>

#include "base/ascii.h"
#include "base/buf.h"

#define SAID_BYTES  4096                   /* of a longer sentence, the end is left as it is */
#define OWNER_LEAST 3                      /* statements that must begin with a name */

/* ---- words ---- */

static size_t
word_at(const char *s, size_t len, size_t at)
{
	size_t n = 0;

	while (at + n < len && ((unsigned char)s[at + n] >= 0x80 ||
	    isalnum((unsigned char)s[at + n]) || s[at + n] == '\'' || s[at + n] == '_'))
		n++;
	return n;
}

/* ---- the first person ---- */

/* Whether s begins with a name, whose words an entity of a graph joins: "Ann_Lee". */
static bool
begins_with(const char *s, const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strncasecmp(s + i, name + i, 1) != 0 && !(s[i] == '_' && name[i] == ' '))
			return false;
	return true;
}

/* The bytes at the start of s that name the user, or 0; *owns: what follows is the user's. */
static size_t
user_at(const char *s, size_t len, const char *owner, bool *owns)
{
	static const char *const names[] = { "The user", "User", "default_user", "Der Nutzer",
		"Die Nutzerin", "Der Benutzer", "Die Benutzerin", "用户" };
	size_t best = 0;

	for (size_t i = 0; i <= NELEM(names) + 1; i++) {
		/* a full name, then the first of it */
		const char *name = i < NELEM(names) ? names[i] : owner;
		size_t n = i <= NELEM(names) ? strlen(name) : strcspn(name, " ");

		if (n > best && len > n && begins_with(s, name, n) &&
		    ((unsigned char)name[0] >= 0xe3 || s[n] == ' ' || s[n] == '\'' ||
			(unsigned char)s[n] == 0xe2))
			best = n;
	}
	*owns = false;
	if (best > 0 && strncmp(s + best, "的", strlen("的")) == 0) {
		*owns = true;
		best += strlen("的");
	} else if (best > 0 &&
	    (strncmp(s + best, "'s ", 3) == 0 || strncmp(s + best, "’s ", 5) == 0)) {
		*owns = true;
		best += s[best] == '\'' ? 2 : 4;
	} else if (best > 0 && (s[best] == '\'' || (unsigned char)s[best] == 0xe2)) {
		best = 0;
	}
	return best;
}

/* Copies the rest of a statement; user: "their" means the user, too. */
static void
add_rest(struct buf *out, const char *s, size_t len, const char *owner, bool user)
{
	static const char *const own[] = { "their", "his", "her" };
	size_t at = 0, n;
	bool owns;

	while (at < len) {
		n = word_at(s, len, at);
		if (n > 0 && (at == 0 || s[at - 1] == ' ') &&
		    (n = user_at(s + at, len - at, owner, &owns)) > 0) {
			buf_adds(out, owns ? "my" : "me");
			at += n;
			continue;
		}
		n = word_at(s, len, at);
		if (n == 0)
			buf_addc(out, s[at++]);
		else if (user && ascii_is_any(s + at, n, own, NELEM(own)))
			buf_adds(out, "my");
		else
			buf_add(out, s + at, n);
		at += n;
	}
}

/*
 * The bytes of a pronoun at the start, which goes on about the one that was named before: "She
 * lives ..."; *owns: "Her rent is ...".
 */
static size_t
pronoun_at(const char *s, size_t len, bool *owns)
{
	static const char *const words[] = { "He", "She", "They", "His", "Her", "Their" };
	size_t n = word_at(s, len, 0);

	*owns = ascii_is_any(s, n, words + 3, 3);
	return ascii_is_any(s, n, words, NELEM(words)) ? n : 0;
}

/* Whether the user was named with a German article. */
static bool
is_german(const char *name, size_t len)
{
	return len > 4 && (strncasecmp(name, "der ", 4) == 0 || strncasecmp(name, "die ", 4) == 0);
}

bool
first_person(const struct first_person *how, const char *text, size_t len, struct arena *a,
	const char **said, size_t *said_len)
{
	size_t n, most = MIN(len, SAID_BYTES);
	bool owns, user;

	n = user_at(text, most, how->owner, &owns);
	if (n == 0 && how->goes_on)
		n = pronoun_at(text, most, &owns);
	user = n > 0;
	LOCAL(buf) out = buf_of(4 * SAID_BYTES);
	if (n > 0 && (unsigned char)text[0] >= 0xe3)
		buf_adds(&out, owns ? "我的" : "我");
	else if (n > 0)
		buf_adds(&out, owns ? "My" : is_german(text, n) ? "Ich" : "I");
	add_rest(&out, text + n, most - n, how->owner, user);
	buf_add(&out, text + most, len - most);
	*said = arena_strndup(a, out.data, out.len);
	*said_len = out.len;
	return user;
}

/* ---- the owner ---- */

/* The name at the start of s: capitalised words, two at most; 0: there is none. */
static size_t
name_at(const char *s, size_t len)
{
	static const char *const no_names[] = { "The", "This", "That", "These", "He", "She", "They",
		"I", "We", "My", "It", "User", "A", "An", "In", "On", "At", "For", "Has", "Is" };
	size_t n = word_at(s, len, 0);

	if (n < 2 || !isupper((unsigned char)s[0]) ||
	    ascii_is_any(s, n, no_names, NELEM(no_names)))
		return 0;
	return s[n] == ' ' && n + 1 < len && islower((unsigned char)s[n + 1]) ? n : 0;
}

/* "(My) name is Ann Lee": the name. */
static size_t
said_name(const char *s, size_t len, size_t *start)
{
	static const char *const heads[] = { "name is ", "My name is ", "User's name is ",
		"The user's name is ", "User is called " };

	for (size_t i = 0; i < NELEM(heads); i++) {
		size_t at = strlen(heads[i]), n;

		if (len <= at || strncasecmp(s, heads[i], at) != 0)
			continue;
		*start = at;
		n = word_at(s, len, at);
		if (at + n + 1 < len && s[at + n] == ' ' && isupper((unsigned char)s[at + n + 1]))
			n += 1 + word_at(s, len, at + n + 1);
		return n;
	}
	return 0;
}

const char *
first_person_owner(struct memories *m)
{
	const char *best = "";
	size_t best_len = 0, most = 0, start;

	for (size_t i = 0; i < m->n; i++) {
		const struct memory_item *r = &m->items[i];
		size_t n = said_name(r->content, r->len, &start), times = 0;

		if (n > 0)
			return arena_strndup(&m->arena, r->content + start, n);
		/* names of files and projects begin sentences as well, in memories of these */
		if (strcmp(r->form, "claude") != 0 || (n = name_at(r->content, r->len)) == 0)
			continue;
		for (size_t j = i; j < m->n; j++)
			times += m->items[j].len > n &&
			    name_at(m->items[j].content, m->items[j].len) == n &&
			    memcmp(m->items[j].content, r->content, n) == 0;
		if (times > most) {
			most = times;
			best = r->content;
			best_len = n;
		}
	}
	return most >= OWNER_LEAST ? arena_strndup(&m->arena, best, best_len) : "";
}
