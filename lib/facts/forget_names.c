/*
 * forget_names.c: what stays and names a speaker who is forgotten. It is others', so it is only
 * told.
 */
#include "facts/forget_parts.h"
#include "records/people.h"
#include "store/records.h"

struct namers {
	const struct forget *f;
	struct person_parts parts;
	forget_fn *fn;
	void *arg;
};

static int
look_at_message(void *arg, const struct message *m)
{
	const struct namers *n = arg;

	if (person_parts_in(&n->parts, m->content, m->content_len) &&
	    !forget_takes_message(n->f, m->row))
		n->fn(n->arg, FORGET_MESSAGE, m->id, m->session);
	return 0;
}

static int
look_at_record(void *arg, const struct fact *r)
{
	const struct namers *n = arg;

	if (person_parts_in(&n->parts, r->head.content, r->head.content_len) &&
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
	struct namers n = { .f = f, .fn = fn, .arg = arg };
	int rc;

	person_parts_of(name, &n.parts);
	rc = messages_each(s, &who, &any, look_at_message, &n, err);
	for (int type = RECORD_FACT; type <= RECORD_REFLECTION && rc == 0; type++) {
		struct record_filter of = RECORD_FILTER_ANY((enum record_type)type);

		rc = records_each(s, &who, &of, look_at_record, &n, err);
	}
	return rc;
}
