/*
 * same_person.c: each note makes its names one person; what an earlier one has joined goes along.
 */
#include "records/people.h"

#include "base/alloc.h"
#include "json/json.h"
#include "store/records.h"

struct reading { struct same_people *p; struct arena *a; };

static const struct same_name *
find(const struct same_people *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->names[i].name, name) == 0)
			return &p->names[i];
	return NULL;
}

static int
on_note(void *arg, const struct fact *f)
{
	const struct reading *r = arg;
	struct same_people *p = r->p;
	size_t of = p->n_main;
	const char *main = NULL;
	const struct json *tags;

	if (json_parse(f->head.tags, strlen(f->head.tags), r->a, &tags, NULL) != 0 ||
	    tags->kind != JSON_ARRAY)
		return 0;
	for (size_t i = 0; i < tags->len; i++) {
		const struct json *tag = &tags->u.items[i];

		if (tag->kind != JSON_STRING || strcmp(tag->u.string, SAME_PERSON_TAG) == 0)
			continue;
		main = arena_strdup(r->a, tag->u.string);
		const struct same_name *known = find(p, main);
		if (known == NULL) {
			*xpush(p->names, p->n, p->cap) = (struct same_name){ main, of };
			continue;
		}
		for (size_t was = known->of, k = 0; k < p->n; k++)
			if (p->names[k].of == was)
				p->names[k].of = of;
	}
	if (main != NULL)
		*xpush(p->main, p->n_main, p->cap_main) = main;
	return 0;
}

int
same_people_read(struct store *s, const struct scope *who, struct same_people *out,
	struct arena *a, struct err *err)
{
	const struct scope all = { who->user, NULL, NULL, NULL };
	struct record_filter notes = RECORD_FILTER_ANY(RECORD_REFLECTION);
	struct reading r = { out, a };

	*out = (struct same_people){ .n = 0 };
	notes.tag = "\"" SAME_PERSON_TAG "\"";
	return records_each(s, &all, &notes, on_note, &r, err) < 0 ? -1 : 0;
}

void
same_people_release(struct same_people *p)
{
	free(p->names);
	free(p->main);
	*p = (struct same_people){ .n = 0 };
}

bool
same_person(const struct same_people *p, const char *one, const char *other)
{
	const struct same_name *x = find(p, one), *y = x != NULL ? find(p, other) : NULL;

	return strcmp(one, other) == 0 || (y != NULL && x->of == y->of);
}

const char *
same_people_main(const struct same_people *p, const char *name)
{
	const struct same_name *x = find(p, name);

	return x != NULL ? p->main[x->of] : name;
}

void
same_people_join(const struct same_people *p, struct name_count *all, size_t *n)
{
	size_t kept = 0;

	/* the newest is the last, and all that are of its person go into it */
	for (size_t i = 0; i < *n; i++) {
		const struct same_name *x = find(p, all[i].name);
		size_t k = i + 1;

		while (k < *n && !(x != NULL && same_person(p, all[i].name, all[k].name)))
			k++;
		if (k < *n) {
			all[k].sessions += all[i].sessions;
			all[k].messages += all[i].messages;
			all[k].records += all[i].records;
			continue;
		}
		all[i].name = same_people_main(p, all[i].name);
		all[kept++] = all[i];
	}
	*n = kept;
}
