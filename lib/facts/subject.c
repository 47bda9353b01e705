/*
 * subject.c: "about" and "name" are keys that a fact keeps beside ours. A label is what stands in
 * front of a colon, when it is one of the names that the record gives, or a path.
 */
#include "facts/subject.h"

#include <strings.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/me.h"
#include "json/json.h"
#include "statement/statement.h"

#define LABEL_BYTES 400                    /* a longer one is a statement */
#define VALUE_WORDS 3                      /* of a value: "600 s", "5 days a week" is more */

/* What a fact's keys say of whom it is, "" what they do not say. */
struct named { const char *about, *name; };

static struct named
read_named(const struct fact *f, struct arena *a)
{
	struct named out = { "", "" };
	const struct json *v;
	struct err none = ERR_INIT;
	const char *about, *name;

	if (f->head.extra == NULL || (strstr(f->head.extra, "\"about\"") == NULL &&
	    strstr(f->head.extra, "\"name\"") == NULL) ||
	    json_parse(f->head.extra, strlen(f->head.extra), a, &v, &none) < 0)
		return out;
	about = json_get_string(v, "about", NULL);
	name = json_get_string(v, "name", NULL);
	if (about != NULL && (about = strchr(about, ':')) != NULL)
		out.about = about + 1;
	if (name != NULL)
		out.name = me_is_known() && me_is(name) ? "" : name;
	return out;
}

/* ---- labels ---- */

static bool
is_text(const char *text, size_t len, const char *name)
{
	return *name != '\0' && ascii_is(text, len, name);
}

/* Whether it names a place in a file system: what stands behind one is of that place. */
static bool
is_path(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (ascii_is_space(s[i]))
			return false;
	return len > 1 && (*s == '/' || memcmp(s, "~/", 2) == 0 ||
	    (len > 2 && ascii_is_letter(*s) && s[1] == ':' && (s[2] == '\\' || s[2] == '/')));
}

/* Whether text is the project, or the last part of its path. */
static bool
is_project(const char *text, size_t len, const char *project)
{
	const char *last = strrchr(project, '/');

	if (last == NULL)
		last = strrchr(project, '\\');
	return is_text(text, len, project) || (last != NULL && is_text(text, len, last + 1));
}

/* The bytes up to the first colon with a blank behind it; 0: there is none. */
static size_t
colon_at(const char *s, size_t len)
{
	for (size_t i = 1; i + 2 < len && i < LABEL_BYTES && s[i] != '\n'; i++)
		if (s[i] == ':' && s[i + 1] == ' ')
			return i;
	return 0;
}

static size_t
label_of(const struct fact *f, const struct named *n, const char *speaker)
{
	static const char of[] = ", of ";
	const char *s = f->head.content, *project = f->head.project;
	size_t len = colon_at(s, f->head.content_len), who = len, end = len + 2;

	if (len == 0)
		return 0;
	for (size_t i = 0; i + sizeof(of) - 1 < len; i++)
		if (memcmp(s + i, of, sizeof(of) - 1) == 0)
			who = i;
	if (is_path(s, len) || is_project(s, len, project) || is_project(s, len, n->about) ||
	    is_text(s, who, n->name) || (speaker != NULL && is_text(s, who, speaker)))
		return end;
	return 0;
}

size_t
fact_label(const struct fact *f, const char *speaker, struct arena *a)
{
	struct named n = read_named(f, a);

	return label_of(f, &n, speaker);
}

bool
fact_label_is_path(const char *text, size_t label)
{
	return label > 2 && is_path(text, label - 2);
}

/* Whether what stands behind a colon is the value of what stands before: "cache TTL: 600 s". */
static bool
is_value(const char *s, size_t len)
{
	size_t blanks = 0;

	for (size_t i = 0; i < len; i++)
		blanks += s[i] == ' ';
	return len > 0 && ascii_is_digit(*s) && blanks < VALUE_WORDS;
}

size_t
fact_label_maybe(const char *text, size_t len)
{
	size_t n = colon_at(text, len);

	return n > 0 && statement_label(text, len, NULL) == 0 &&
	    !is_value(text + n + 2, len - n - 2) ? n + 2 : 0;
}

size_t
fact_label_both(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t n = fact_label_maybe(a, a_len);

	return n > 0 && n == fact_label_maybe(b, b_len) && strncasecmp(a, b, n) == 0 ? n : 0;
}

const char *
fact_whose(const struct fact *f, struct arena *a)
{
	struct named n = read_named(f, a);
	const char *of = n.about, *said = arena_strndup(a, f->head.content, f->head.content_len);

	if (strcasecmp(of, n.name) == 0 || strstr(said, of) != NULL)
		of = "";
	return *of == '\0'	   ? n.name
	    : *n.name == '\0' ? of
			      : arena_printf(a, "%s, of %s", n.name, of);
}

/* What stands before it: of a decision its project besides, as "we use Redis" is of no other. */
static const char *
shown_whose(const struct fact *f, struct arena *a)
{
	const char *whose = fact_whose(f, a), *project = f->head.project;

	if (f->kind != FACT_DECISION || *project == '\0' || *read_named(f, a).about != '\0' ||
	    strstr(arena_strndup(a, f->head.content, f->head.content_len), project) != NULL)
		return whose;
	return *whose == '\0' ? project : arena_printf(a, "%s, of %s", whose, project);
}

static const char *
shown(const struct fact *f, const char *whose, struct arena *a)
{
	const char *said = arena_strndup(a, f->head.content, f->head.content_len);

	return *whose == '\0' || fact_label(f, NULL, a) > 0
	    ? said
	    : arena_printf(a, "%s: %s", whose, said);
}

const char *
fact_shown(const struct fact *f, struct arena *a)
{
	return shown(f, shown_whose(f, a), a);
}

const char *
fact_shown_in(const struct fact *f, const char *project, struct arena *a)
{
	const char *whose = shown_whose(f, a), *of = strstr(whose, ", of ");
	const char *place = of != NULL ? of + strlen(", of ") : whose;

	if (is_project(place, strlen(place), project))
		whose = of != NULL ? arena_strndup(a, whose, (size_t)(of - whose)) : "";
	return shown(f, whose, a);
}

const char *
fact_brief(const struct fact *f, struct arena *a)
{
	const char *whose = shown_whose(f, a), *of = strstr(whose, ", of /"),
		   *path = of != NULL ? of + 5 : whose, *last = strrchr(path, '/');

	return *path == '/' && last[1] != '\0'
	    ? shown(f, arena_printf(a, "%.*s%s", (int)(path - whose), whose, last + 1), a)
	    : shown(f, whose, a);
}

/* ---- subjects ---- */

int
fact_subject(struct store *s, const struct scope *who, const struct fact *f, struct arena *a,
	struct fact_subject *out, struct err *err)
{
	struct named n = read_named(f, a);
	const struct message *m = NULL;
	const char *spoke = NULL;

	if (f->head.n_sources > 0 &&
	    messages_find(s, who, f->head.sources[0].id, a, &m, err) < 0)
		return -1;
	if (m != NULL)
		spoke = m->role == ROLE_USER && !(me_is_known() && me_is(m->name)) ? m->name : "";
	else if (*n.name != '\0')
		spoke = n.name;
	*out = (struct fact_subject){ *n.about != '\0' ? n.about : spoke,
		m != NULL ? m->name : n.name, 0 };
	if (f->kind == FACT_DECISION && *f->head.project != '\0' && out->of != NULL &&
	    (*out->of == '\0' || is_project(out->of, strlen(out->of), f->head.project)))
		out->of = f->head.project;     /* "we use Redis" and "Redis for the cache" */
	out->label = label_of(f, &n, out->speaker);
	return 0;
}

int
subjects_want(struct store *s, const struct scope *who, const struct fact *const *facts,
	size_t n, struct err *err)
{
	FREED const char **ids = xreallocarray(NULL, n + 1, sizeof(*ids));
	size_t n_ids = 0;

	for (size_t i = 0; i < n; i++)
		if (facts[i] != NULL && facts[i]->head.n_sources > 0)
			ids[n_ids++] = facts[i]->head.sources[0].id;
	return messages_want(s, who, ids, n_ids, err);
}

bool
subjects_agree(const char *a, const char *b)
{
	return a == NULL || b == NULL || strcasecmp(a, b) == 0;
}

bool
subjects_same(const char *a, const char *b)
{
	return strcasecmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}
