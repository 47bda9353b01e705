/*
 * forget_names.c: what stays and names a speaker who is forgotten. It is others', so it is only
 * told. People are called by the first word of their names.
 */
#include "base/ascii.h"
#include "facts/forget_parts.h"
#include "store/records.h"

#define NAME_LEAST 2       /* letters: a shorter name is any text's */

struct namers {
	const struct forget *f;
	const char *name;                  /* [len] */
	size_t len;
	forget_fn *fn;
	void *arg;
};

static bool
is_inside_word(char c)
{
	return ascii_is_alnum(c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool
names_it(const struct namers *n, const char *text, size_t len)
{
	for (size_t at = 0; at + n->len <= len; at++) {
		size_t i = 0;

		if (at > 0 && is_inside_word(text[at - 1]))
			continue;
		while (i < n->len && ascii_lower(text[at + i]) == ascii_lower(n->name[i]))
			i++;
		if (i == n->len && (at + i == len || !is_inside_word(text[at + i])))
			return true;
	}
	return false;
}

static int
look_at_message(void *arg, const struct message *m)
{
	const struct namers *n = arg;

	if (names_it(n, m->content, m->content_len) && !forget_takes_message(n->f, m->row))
		n->fn(n->arg, FORGET_MESSAGE, m->id, m->session);
	return 0;
}

static int
look_at_record(void *arg, const struct fact *r)
{
	const struct namers *n = arg;

	if (names_it(n, r->head.content, r->head.content_len) &&
	    !forget_takes_record(n->f, r->head.row))
		n->fn(n->arg, FORGET_RECORD, r->head.id, NULL);
	return 0;
}

int
forget_namers(struct store *s, const struct forget *f, const char *name, forget_fn *fn, void *arg,
	struct err *err)
{
	const struct scope who = { f->who.user, NULL, NULL, NULL };
	const struct message_filter any = MESSAGE_FILTER_ANY;
	struct namers n = { f, name, strcspn(name, " \t"), fn, arg };
	int rc;

	if (n.len < NAME_LEAST)
		return 0;
	rc = messages_each(s, &who, &any, look_at_message, &n, err);
	for (int type = RECORD_FACT; type <= RECORD_REFLECTION && rc == 0; type++) {
		struct record_filter of = RECORD_FILTER_ANY((enum record_type)type);

		rc = records_each(s, &who, &of, look_at_record, &n, err);
	}
	return rc;
}
