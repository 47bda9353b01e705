/* important.c: looks whether a message has such a note, and remembers one if not. */
#include "facts/important.h"

#include "base/alloc.h"
#include "base/utf8.h"
#include "facts/remember.h"

#define TAGS       "[\"" IMPORTANT_TAG "\"]"
#define NOTE_BYTES 600                 /* of a long message the note has so many bytes */

struct marking {
	struct store *store;
	const struct scope *who;
	bool keep_secrets;
	fact_fn *fn;
	void *arg;
	bool marked;
};

bool
important_is_mark(const struct fact *f)
{
	return f->head.type == RECORD_REFLECTION &&
	    strstr(f->head.tags, "\"" IMPORTANT_TAG "\"") != NULL;
}

static int
on_record(void *arg, size_t i, const struct fact *f)
{
	struct marking *m = arg;

	(void)i;
	if (f->head.retracted_us != TIME_NONE || !important_is_mark(f))
		return 0;
	m->marked = true;
	m->fn(m->arg, f);
	return 1;
}

static void
on_verdict(void *arg, const struct verdict *v, const struct fact *f)
{
	struct marking *m = arg;

	(void)v;
	m->fn(m->arg, f);
}

static int
mark(struct marking *m, const struct message *v, struct err *err)
{
	struct record_source source = { v->id, 0, 0 };
	const struct scope of = { .user = m->who->user, .agent = v->agent, .project = v->project };
	struct fact_rules rules = fact_rules_of(&of, RECORD_REFLECTION);
	const struct remember_fn fn = { .verdict = on_verdict, .arg = m };
	size_t len = utf8_clip(v->content, v->content_len, NOTE_BYTES);
	FREED char *text = xmalloc(len + 2);
	struct remember *r = NULL;
	int rc = -1;

	rules.session = v->session;
	rules.sources = &source;
	rules.n_sources = 1;
	rules.tags = TAGS;
	rules.guarded = rules.as_note = rules.even_off = true;
	rules.keep_secrets = m->keep_secrets;
	if (v->time_us != TIME_NONE)
		rules.now_us = v->time_us;
	/* a blank in front: what begins with "{" would be a record */
	text[0] = ' ';
	memcpy(text + 1, v->content, len);
	if (remember_open(m->store, m->who, &rules, &fn, &r, err) == 0 &&
	    remember_add(r, text, len + 1, 1, err) == 0 && remember_commit(r, err) == 0)
		rc = remember_counts(r)->refused == 0
		    ? 0 : err_set(err, ERR_DATA, "nothing is left of message '%s' to keep", v->id);
	remember_close(r);
	return rc;
}

int
important_mark(struct store *s, const struct scope *who, const char *const *ids, size_t n,
	bool keep_secrets, fact_fn *fn, void *arg, struct err *err)
{
	struct marking m = { s, who, keep_secrets, fn, arg, false };
	FREED const struct message **found = xcalloc(n + 1, sizeof(*found));
	LOCAL(arena) a = ARENA_INIT;
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++) {
		rc = messages_find(s, who, ids[i], &a, &found[i], err);
		if (rc == 0 && found[i] == NULL)
			rc = err_set(err, ERR_NOINPUT, "no message '%.100s'", ids[i]);
	}
	for (size_t i = 0; i < n && rc == 0; i++) {
		m.marked = false;
		rc = records_of_messages(s, who, &found[i]->row, 1, on_record, &m, err);
		if (rc == 0 && !m.marked)
			rc = mark(&m, found[i], err);
	}
	return rc;
}
