/*
 * people.c: names are compared as words_fold leaves them.
 */
#include "records/people.h"

#include "base/conf.h"
#include "base/me.h"
#include "text/words.h"

#define TOLD 10                            /* people who are named where nobody fits */

struct people { const char **names; size_t n; };

enum fit { FITS_NOT, FITS_PART, FITS_FOLDED, FITS_EXACTLY };

static const char *
folded(const char *name, struct arena *a)
{
	size_t len = strlen(name);
	char *out = arena_alloc(a, 3 * len + 1);

	out[words_fold(name, len, out)] = '\0';
	return out;
}

/* part: folded as it is. */
static enum fit
fit_of(const char *name, const char *given, const char *part, struct arena *a)
{
	const char *whole = folded(name, a), *at = whole;

	if (strcmp(name, given) == 0)
		return FITS_EXACTLY;
	if (strcmp(whole, part) == 0)
		return FITS_FOLDED;
	for (; *part != '\0' && (at = strstr(at, part)) != NULL; at++)
		if (at == whole || strchr(" .,_-<@(/", at[-1]) != NULL)
			return FITS_PART;
	return FITS_NOT;
}

/* Keeps those of all whom the name fits best. */
static struct people
called(const struct people *all, const char *given, struct arena *a)
{
	struct people out = { arena_alloc(a, (all->n + 1) * sizeof(*out.names)), 0 };
	const char *part = folded(given, a);
	enum fit best = FITS_PART;

	for (size_t i = 0; i < all->n; i++) {
		enum fit fit = fit_of(all->names[i], given, part, a);

		if (fit > best)
			out.n = 0;
		if (fit >= best && fit != FITS_NOT) {
			best = fit;
			out.names[out.n++] = all->names[i];
		}
	}
	return out;
}

/* Adds the other names of those who are meant. */
static int
add_others(struct store *s, const struct scope *who, const struct people *all,
	struct people *meant, struct arena *a, struct err *err)
{
	LOCAL(same_people) same = { 0 };
	size_t n = meant->n;
	int rc = same_people_read(s, who, &same, a, err);

	for (size_t i = 0; i < all->n && rc == 0 && same.n > 0; i++) {
		bool is = false, has = false;

		for (size_t k = 0; k < n; k++) {
			is |= same_person(&same, meant->names[k], all->names[i]);
			has |= strcmp(meant->names[k], all->names[i]) == 0;
		}
		if (is && !has)
			meant->names[meant->n++] = all->names[i];
	}
	return rc;
}

static struct people
owners(const struct people *all, struct arena *a)
{
	struct people out = { arena_alloc(a, (all->n + 1) * sizeof(*out.names)), 0 };

	for (size_t i = 0; i < all->n; i++)
		if (me_is(all->names[i]))
			out.names[out.n++] = all->names[i];
	return out;
}

static bool
is_owner(const struct people *p, const char *given)
{
	bool is = p->n > 0 || me_is(given);

	for (size_t i = 0; i < p->n; i++)
		is &= me_is(p->names[i]);
	return is;
}

/* Appends who has said most. */
static int
tell_people(struct store *s, const struct scope *who, const char *given, scope_told_fn *tell,
	struct arena *a, struct err *err)
{
	FREED struct name_count *all = NULL;
	size_t n;
	int rc = names_counted(s, who, NAME_PERSON, a, &all, &n, err);
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);

	for (size_t i = n; rc == 0 && i > 0 && n - i < TOLD; i--)
		buf_addf(&b, "%s%.100s", i < n ? ", " : "", all[i - 1].name);
	if (n > TOLD)
		buf_addf(&b, " and %zu more (mem-list people)", n - TOLD);
	if (rc == 0)
		tell(NULL, arena_printf(a, "nobody is called '%.100s': there %s %s", given,
		    n == 1 ? "is" : "are", n > 0 ? b.data : "no names of people"));
	return rc;
}

static void
tell_meant(const struct people *p, const char *given, scope_told_fn *note, struct arena *a)
{
	if (p->n == 1 && strcmp(p->names[0], given) == 0)
		return;
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);
	for (size_t i = 0; i < p->n && i < TOLD; i++)
		buf_addf(&b, "%s%.100s", i > 0 ? ", " : "", p->names[i]);
	if (p->n > TOLD)
		buf_addf(&b, " and %zu more", p->n - TOLD);
	if (p->n > 0)
		note(NULL, arena_printf(a, "'%.100s' is %s", given, b.data));
}

int
filter_people(struct store *s, const struct scope *who, const struct filter_words *w,
	struct message_filter *f, scope_told_fn *no_person, scope_told_fn *note, struct arena *a,
	struct err *err)
{
	bool owner = w->mine || (w->name == NULL && f->role == ROLE_USER && me_is_known());
	struct people all = { NULL, 0 }, meant = all;
	int rc = 0;

	if (w->mine && w->name != NULL)
		return err_set(err, ERR_USAGE, "--mine and --name exclude each other");
	if (w->mine && !me_is_known())
		return err_set(err, ERR_USAGE, "--mine: who are you? 'mem config set me "
		    "NAME,ADDRESS,HANDLE' says it");
	if (s == NULL || (!owner && w->name == NULL))
		return 0;
	if (names_of_people(s, who, a, &all.names, &all.n, err) != 0)
		return -1;
	if (!owner) {
		meant = called(&all, w->name, a);
		rc = add_others(s, who, &all, &meant, a, err);
		owner = me_is_known() && is_owner(&meant, w->name);
	}
	if (owner)
		meant = owners(&all, a);
	if (rc == 0 && !owner && meant.n == 0)
		rc = tell_people(s, who, w->name, no_person, a, err);
	else if (rc == 0 && !owner)
		tell_meant(&meant, w->name, note, a);
	f->said_by = (struct said_by){ meant.names, meant.n, owner };
	free(all.names);
	return rc;
}

int
person_named(struct store *s, const struct scope *who, const char *name, struct arena *a,
	struct err *err)
{
	struct people all = { NULL, 0 }, meant;
	int rc = names_of_people(s, who, a, &all.names, &all.n, err);

	if (rc != 0)
		return -1;
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);
	meant = called(&all, name, a);
	for (size_t i = 0; i < meant.n && i < TOLD; i++)
		buf_addf(&b, "%s%.100s", i > 0 ? ", " : ": ", meant.names[i]);
	if (meant.n == 0 || strcmp(meant.names[0], name) != 0)
		rc = err_set(err, ERR_NOINPUT, "nobody is called exactly '%.100s'%s%s", name,
		    meant.n > 0 ? b.data : "", meant.n > 0 ? "?" : "");
	free(all.names);
	return rc;
}

/* ---- the parts of a name ---- */

static void
add_part(struct person_parts *p, const char *text, size_t len)
{
	if (p->n == PERSON_PARTS || len == 0 || len > LEX_BYTES)
		return;
	memcpy(p->text[p->n], text, len);
	p->len[p->n++] = (uint8_t)len;
}

static bool
is_common(const struct lex_token *t)
{
	return lex_is(t, LEX_KIN, LEX_ANY, NULL) || lex_is(t, LEX_TITLE, LEX_ANY, NULL) ||
	    lex_is(t, LEX_TITLE_POINT, LEX_ANY, NULL) || lex_is(t, LEX_STOP, LEX_ANY, NULL) ||
	    lex_is(t, LEX_FUNCTION, LEX_ANY, NULL);
}

void
person_parts_of(const char *name, struct person_parts *out)
{
	size_t len = strcspn(name, "@");
	struct lex_token t;

	len = len > 0 ? len : strlen(name);
	*out = (struct person_parts){ .n = 0 };
	for (int common = 0; common < 2 && out->n == 0; common++)
		for (size_t at = 0; lex_next(name, len, at, &t); at = t.end) {
			if (t.unspaced) {
				*out = (struct person_parts){ .whole = true };
				add_part(out, name, len);
				return;
			}
			if (t.len > 1 && t.len > t.n_digits && (common || !is_common(&t)))
				add_part(out, t.folded, t.len);
		}
}

/* Whether a word is the part, or has only an "s" behind it. */
static bool
is_part(const struct lex_token *t, const char *part, size_t len)
{
	return (t->len == len || (t->len == len + 1 && t->folded[len] == 's')) &&
	    memcmp(t->folded, part, len) == 0;
}

bool
person_parts_in(const struct person_parts *p, const char *text, size_t len)
{
	struct lex_token t;

	for (size_t at = 0; lex_next(text, len, at, &t); at = t.end)
		for (size_t i = 0; i < p->n; i++)
			if (p->whole ? len - t.start >= p->len[i] &&
				    memcmp(text + t.start, p->text[i], p->len[i]) == 0
				     : is_part(&t, p->text[i], p->len[i]))
				return true;
	return false;
}
