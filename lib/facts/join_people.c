/* join_people.c: the note is a sentence, so that a search for one of the names finds the others. */
#include "facts/join_people.h"

#include "base/alloc.h"
#include "base/caps.h"
#include "json/json.h"
#include "records/people.h"

struct told { fact_fn *fn; void *arg; };

static void
on_verdict(void *arg, const struct verdict *v, const struct fact *f)
{
	const struct told *t = arg;

	(void)v;
	t->fn(t->arg, f);
}

int
join_people(struct store *s, const struct scope *who, const char *const *names, size_t n,
	fact_fn *fn, void *arg, struct err *err)
{
	const struct scope of = { .user = who->user, .agent = "", .project = "" };
	struct fact_rules rules = fact_rules_of(&of, RECORD_REFLECTION);
	struct told told = { fn, arg };
	const struct remember_fn calls = { .verdict = on_verdict, .arg = &told };
	struct remember *r = NULL;
	LOCAL(arena) a = ARENA_INIT;
	FREED const char **all = xcalloc(n + 1, sizeof(*all));
	LOCAL(buf) text = buf_of(CAP_LINE_BYTES), tags = buf_of(CAP_LINE_BYTES);
	int rc = 0;

	all[0] = SAME_PERSON_TAG;
	for (size_t i = 0; i < n; i++) {
		rc = rc == 0 ? person_named(s, &of, names[i], &a, err) : rc;
		all[i + 1] = names[i];
		buf_addf(&text, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " and ", names[i]);
	}
	buf_adds(&text, " are the same person.");
	json_strings(&tags, NULL, all, n + 1);
	rules.tags = tags.data;
	rules.guarded = rules.as_note = rules.even_off = true;
	if (rc == 0 && (rc = remember_open(s, who, &rules, &calls, &r, err)) == 0 &&
	    (rc = remember_add(r, text.data, text.len, 1, err)) == 0)
		rc = remember_commit(r, err);
	remember_close(r);
	return rc;
}
