/* subject.c: who or what a fact is about. */
#include "facts/subject.h"

#include <strings.h>

#include "base/alloc.h"
#include "json/json.h"

/* The fact's key "about"; NULL: it has none. */
static const char *
read_about(const struct fact *f, struct arena *a)
{
	const struct json *v;
	struct err none = ERR_INIT;

	if (f->head.extra == NULL || strstr(f->head.extra, "\"about\"") == NULL ||
	    json_parse(f->head.extra, strlen(f->head.extra), a, &v, &none) < 0)
		return NULL;
	return json_get_string(v, "about", NULL);
}

int
fact_subject(struct store *s, const struct scope *who, const struct fact *f, struct arena *a,
	const char **out, struct err *err)
{
	const char *about = read_about(f, a), *name = about == NULL ? NULL : strchr(about, ':');
	const struct message *m = NULL;

	*out = name != NULL ? name + 1 : NULL;
	if (name != NULL || f->head.n_sources == 0)
		return 0;
	if (messages_find(s, who, f->head.sources[0].id, a, &m, err) < 0)
		return -1;
	if (m != NULL)
		*out = m->role == ROLE_USER ? m->name : "";
	return 0;
}

int
subjects_want(struct store *s, const struct scope *who, const struct fact *const *facts,
	size_t n, struct err *err)
{
	const char **ids = xreallocarray(NULL, n + 1, sizeof(*ids));
	size_t n_ids = 0;
	int rc;

	for (size_t i = 0; i < n; i++)
		if (facts[i] != NULL && facts[i]->head.n_sources > 0)
			ids[n_ids++] = facts[i]->head.sources[0].id;
	rc = messages_want(s, who, ids, n_ids, err);
	free(ids);
	return rc;
}

bool
subjects_agree(const char *a, const char *b)
{
	return a == NULL || b == NULL || strcasecmp(a, b) == 0;
}
