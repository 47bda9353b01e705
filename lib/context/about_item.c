/*
 * about_item.c: one line a field of the profile; when they do not all fit, the last ones are left
 * out.
 */
#include "context/about_item.h"

#include "base/conf.h"
#include "store/about.h"

#define SHARE 10               /* it takes at most a tenth of the budget */

struct text { struct buf b; size_t ends[N_ABOUT_FIELDS]; size_t n; };

static int
add_field(void *arg, const struct about *v)
{
	struct text *t = arg;

	buf_addf(&t->b, "%s%s: %s", t->n > 0 ? "\n" : "", about_meanings[v->field], v->value);
	t->ends[t->n++] = t->b.len;
	return 0;
}

int
about_item(struct store *s, const struct scope *who, struct context *c, struct arena *a,
	struct err *err)
{
	struct text t = { .n = 0 };
	struct message *m = arena_zalloc(a, sizeof(*m));
	int64_t since_us;
	bool yes;

	if (about_consent(s, who, &yes, &since_us, err) < 0)
		return -1;
	if (!yes)
		return 0;
	buf_init(&t.b, conf_caps.output_bytes);
	int rc = about_each(s, who, add_field, &t, err);
	while (rc == 0 && t.n > 0) {
		enum context_did did;
		size_t len = t.ends[--t.n];
		*m = (struct message){ .session = "profile",
			.role = ROLE_USER,
			.name = "profile",
			.content = arena_strndup(a, t.b.data, len),
			.content_len = len,
			.time_us = TIME_NONE,
			.trust = 3 };
		did = context_add(c, &(struct context_piece){ m, 0, len, false, true },
		    c->limits.budget / SHARE);
		if (did == CONTEXT_IN && c->limits.max_turns > 0)
			c->limits.max_turns++;         /* it does not count as a turn */
		if (did != CONTEXT_FULL)
			break;
	}
	buf_release(&t.b);
	return rc;
}
