/*
 * unread.c: a short list of kinds, as an input has few that are new, and a look at the texts of a
 * unit that gave nothing.
 */
#include "ingest/unread.h"

#include "base/ascii.h"

#define DEPTH_MOST  24                     /* of a unit that is looked at */

void
unread_add(struct unread *u, const char *kind, uint64_t number)
{
	char name[UNREAD_BYTES];
	size_t i;

	snprintf(name, sizeof(name), "%s", kind);
	for (char *p = name; *p != '\0'; p++)
		if ((unsigned char)*p < 0x20 || (unsigned char)*p >= 0x7f)
			*p = '?';
	for (i = 0; i < u->n_kinds; i++)
		if (strcmp(u->kinds[i].name, name) == 0)
			break;
	if (i == UNREAD_KINDS)
		i--;
	if (i == u->n_kinds) {
		snprintf(u->kinds[i].name, UNREAD_BYTES, "%s",
		    i + 1 < UNREAD_KINDS ? name : "and others");
		u->kinds[i].first = number;
		u->n_kinds++;
	}
	u->kinds[i].n++;
	u->units++;
}

/* Appends the text or number at a place, "payload.type", behind a slash. */
static void
add_value(struct buf *b, const struct json *v, const char *place, size_t len)
{
	while (v != NULL && len > 0) {
		size_t n = strcspn(place, ". ");
		char key[64];

		if (n == 0 || n >= sizeof(key) || v->kind != JSON_OBJECT)
			return;
		memcpy(key, place, n);
		key[n] = '\0';
		v = json_get(v, key);
		n += n < len;
		place += n;
		len -= n;
	}
	if (v != NULL && v->kind == JSON_STRING && v->len > 0)
		buf_addf(b, "%s%s", b->len > 0 ? "/" : "", v->u.string);
}

/* Whether the object says of itself that it is what a model thought, which is left out anywhere. */
static bool
is_thought(const struct json *v)
{
	static const char *const keys[] = { "type", "kind", "role", "event" };
	static const char *const words[] = { "think", "thought", "reasoning" };

	for (size_t i = 0; i < NELEM(keys); i++) {
		const char *s = json_get_string(v, keys[i], NULL);

		for (size_t j = 0; s != NULL && j < NELEM(words); j++)
			if (strstr(s, words[j]) != NULL)
				return true;
	}
	return false;
}

/*
 * Whether a text may have been said: two words at least, of which one has three letters, or letters
 * of a script that may write without blanks. A path or an address is none.
 */
static bool
is_said(const char *s, size_t len)
{
	size_t letters = 0, longest = 0, words = 0;

	if (len > 0 && (*s == '/' || *s == '{' || *s == '['))
		return false;
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)s[i] >= 0xe3)
			return true;
		letters = ascii_is_letter(s[i]) || (unsigned char)s[i] >= 0x80 ? letters + 1 : 0;
		longest = MAX(longest, letters);
		words += ascii_is_space(s[i]) && i > 0 && !ascii_is_space(s[i - 1]);
	}
	return words > 0 && longest >= 3;
}

/* What stands under such a key was thought, or sums up what was said. */
static bool
is_aside_key(const char *key)
{
	static const char *const words[] = { "eason", "hink", "hought", "ummar", "ignature",
		"oolUseResult" };

	for (size_t i = 0; i < NELEM(words); i++)
		if (strstr(key, words[i]) != NULL)
			return true;
	return false;
}

static bool
has_words(const struct json *v, const char *key, unsigned depth)
{
	static const char *const said[] = { "content", "text", "message", "prompt", NULL };

	if (v->kind == JSON_STRING) {
		for (size_t i = 0; said[i] != NULL; i++)
			if (strcmp(key, said[i]) == 0 && v->len > 0)
				return true;
		return is_said(v->u.string, v->len);
	}
	if (depth > DEPTH_MOST || (v->kind == JSON_OBJECT && is_thought(v)))
		return false;
	for (size_t i = 0; i < v->len && v->kind == JSON_ARRAY; i++)
		if (has_words(&v->u.items[i], key, depth + 1))
			return true;
	for (size_t i = 0; i < v->len && v->kind == JSON_OBJECT; i++)
		if (!is_aside_key(v->u.members[i].key) &&
		    has_words(&v->u.members[i].value, v->u.members[i].key, depth + 1))
			return true;
	return false;
}

bool
unread_has_words(const struct json *unit)
{
	return has_words(unit, "", 0);
}

bool
unread_judge(struct unread *u, const struct json *unit, const char *places, uint64_t number)
{
	bool words = has_words(unit, "", 0);
	LOCAL(buf) kind = buf_of(4096);

	for (const char *p = places; p != NULL && *p != '\0';) {
		size_t len = strcspn(p, " ");

		add_value(&kind, unit, p, len);
		p += len;
		p += *p == ' ';
	}
	unread_add(u, kind.len > 0 ? kind.data : "none", number);
	return words;
}

void
unread_tell(const struct unread *u, uint64_t of, const char *units, struct buf *out)
{
	buf_addf(out, "%llu of %llu %s not read:", (unsigned long long)u->units,
	    (unsigned long long)of, units);
	for (size_t i = 0; i < u->n_kinds; i++)
		buf_addf(out, "%s %llu of kind '%s' (the first: %llu)", i > 0 ? "," : "",
		    (unsigned long long)u->kinds[i].n, u->kinds[i].name,
		    (unsigned long long)u->kinds[i].first);
}
