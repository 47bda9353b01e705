/*
 * forget_texts.c: the texts of what goes. They are not kept, for that may be all there is; who asks
 * whether they have a word has them read again, which is seldom needed.
 */
#include "base/order.h"
#include "facts/forget_parts.h"
#include "store/about.h"
#include "store/categories.h"
#include "store/records.h"

struct texts {
	const struct forget *f;
	bool ids, single;                  /* single: of the messages only those that go */
	forget_text_fn *fn;
	void *arg;
};

static void
put(const struct texts *t, const char *text)
{
	if (text != NULL)
		t->fn(t->arg, text, strlen(text));
}

static int
put_message(void *arg, const struct message *m)
{
	const struct texts *t = arg;

	if (t->single && !forget_takes_message(t->f, m->row))
		return 0;
	t->fn(t->arg, m->content, m->content_len);
	put(t, m->name);
	put(t, m->source_id);
	put(t, m->tool_calls);
	put(t, m->tool_call_id);
	put(t, m->extra);
	if (t->ids)
		put(t, m->id);
	return 0;
}

static int
put_field(void *arg, const struct about *v)
{
	put(arg, v->value);
	return 0;
}

static int
put_category(void *arg, const struct category *c)
{
	put(arg, c->name);
	put(arg, c->keywords);
	return 0;
}

static int
put_messages(struct texts *t, struct store *s, const char *session, struct err *err)
{
	const struct scope who = { t->f->who.user, NULL, NULL, session };
	const struct message_filter any = MESSAGE_FILTER_ANY;

	return messages_each(s, &who, &any, put_message, t, err);
}

static int
put_session(struct texts *t, struct store *s, size_t i, struct err *err)
{
	const struct scope who = { t->f->who.user, NULL, NULL, t->f->sessions[i] };
	LOCAL(arena) a = ARENA_INIT;
	const struct session *v;
	int rc = sessions_find(s, &who, t->f->sessions[i], &a, &v, err);

	if (rc == 0 && i < t->f->n_named)
		put(t, t->f->sessions[i]);
	if (rc == 0 && v != NULL) {
		put(t, v->title);
		put(t, v->system_prompt);
		put(t, v->metadata);
	}
	return rc == 0 ? put_messages(t, s, t->f->sessions[i], err) : rc;
}

int
forget_texts_each(struct forget *f, struct store *s, bool ids, forget_text_fn *fn, void *arg,
	struct err *err)
{
	struct texts t = { f, ids, false, fn, arg };
	int rc = 0;

	for (size_t i = 0; i < f->n_sessions && rc == 0; i++)
		rc = put_session(&t, s, i, err);
	t.single = true;
	for (size_t i = 0; i < f->n_parts && rc == 0; i++)
		rc = put_messages(&t, s, f->parts[i].name, err);
	if (rc == 0 && f->want->all)
		rc = about_each(s, &f->who, put_field, &t, err);
	if (rc == 0 && f->want->all)
		rc = categories_each(s, &f->who, put_category, &t, err);
	return rc;
}

/* ---- words that are sought in them ---- */

static void
is_had(void *arg, struct forget_word *w, enum forget_form form)
{
	(void)arg;
	w->also |= FORGET_BIT(form);
}

static void
look_at_text(void *arg, const char *text, size_t len)
{
	forget_words_look(arg, text, len, is_had, NULL);
}

int
forget_seek(struct forget *f, struct store *s, struct err *err)
{
	if (f->n_looked == f->sought.n)
		return 0;
	f->n_looked = f->sought.n;
	return forget_texts_each(f, s, false, look_at_text, &f->sought, err);
}

/* ---- which messages go ---- */

/* Whether any message of a whole session has a row from lo to hi. */
static bool
is_in_ranges(const struct forget *f, int64_t lo, int64_t hi)
{
	size_t at = 0, end = f->n_ranges;

	while (at < end) {
		size_t mid = (at + end) / 2;

		if (f->ranges[mid].hi < lo)
			at = mid + 1;
		else
			end = mid;
	}
	return at < f->n_ranges && f->ranges[at].lo <= hi;
}

bool
forget_takes_message(const struct forget *f, int64_t row)
{
	/* a message begins with its row */
	return (f->n_messages > 0 && bsearch(&row, f->messages, f->n_messages,
	    sizeof(*f->messages), by_int64) != NULL) || is_in_ranges(f, row, row);
}

bool
forget_takes_session(const struct forget *f, int64_t number)
{
	const int64_t turns = (int64_t)1 << FORGET_TURN_BITS;

	return is_in_ranges(f, number * turns, number * turns + turns - 1);
}
