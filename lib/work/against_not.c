/*
 * against_not.c: what is not to be: "never npm", "no sleep in tests", "bcrypt is out", "hands off
 * vendor/". A change does it where it brings in all that is named, in the place that is named.
 */
#include "base/ascii.h"
#include "work/against_parts.h"

#define OBJECT_WORDS 5
#define OBJECTS_MOST 4             /* "npm and yarn" */

struct object { const struct against_word *w[OBJECT_WORDS]; size_t n; };

struct forbidden {
	struct object of[OBJECTS_MOST];
	size_t n;
	struct object where, about;
	bool too_long;
};

static void
add(struct object *o, const struct against_word *w, bool *too_long)
{
	/* of a single letter nobody knows where it is meant */
	if (o->n < OBJECT_WORDS && w->n > 1)
		o->w[o->n++] = w;
	else
		*too_long = true;
}

/* Reads words [from, to) as what is named; "npm or yarn" names two. */
static void
read_objects(const struct against_sentence *j, size_t from, size_t to, struct forbidden *f)
{
	struct object *at = &f->of[0];
	bool where = false, ignored;
	struct object *behind = NULL;          /* NULL: it says why */

	*f = (struct forbidden){ .n = 1 };
	for (size_t i = from; i < to; i++) {
		const struct against_word *w = &j->words.w[i];

		if (w->begins & (SAYS(WHERE) | SAYS(ASIDE) | SAYS(WHY))) {
			behind = w->begins & SAYS(WHERE) ? &f->where
			    : w->begins & SAYS(ASIDE)	 ? &f->about : NULL;
			where |= f->of[0].n > 0;
		} else if (against_says(w, SAYS(OR)) && at->n > 0 && !where &&
		    f->n < OBJECTS_MOST) {
			at = &f->of[f->n++];
		} else if (against_is_content(w)) {
			if (!where)
				add(at, w, &f->too_long);
			else if (behind != NULL && !against_says(w, SAYS(ALL)))
				add(behind, w, behind == &f->about ? &ignored : &f->too_long);
		}
	}
	while (f->n > 0 && f->of[f->n - 1].n == 0)
		f->n--;
}

/* Whether the word stands in the path or a line that stays: where something is done. */
static bool
is_place(const struct against_change *c, const struct against_word *w)
{
	if (against_word_of(&c->path_words, w, true) != NULL)
		return true;
	for (size_t i = 0; i < c->n; i++)
		if (c->command != NULL && against_word_of(&c->lines[i].words, w, true) != NULL)
			return true;
	return false;
}

/* One word is enough where it is a name: of a program, of what is imported, called or installed. */
static bool
is_named_alone(const struct against_change *c, const struct against_word *w, bool drops)
{
	for (size_t i = 0; i < c->n_programs; i++)
		if (strlen(c->programs[i]) == w->end - w->start &&
		    memcmp(c->programs[i], w->term, w->n) == 0)
			return !drops || against_takes_out(c->programs[i]);
	for (size_t i = 0; i < c->n; i++) {
		const struct against_line *l = &c->lines[i];

		if (l->side != CHANGE_GAINED || c->prose)
			continue;
		/* of what is taken out only the first word does something: "sudo rm" */
		for (size_t k = 0; k < (drops ? MIN(l->words.n, (size_t)1) : l->words.n); k++)
			if (against_same(&l->words.w[k], w, false) && !l->words.w[k].prose &&
			    (w->sign ||
			     !(l->words.w[k].says & (SAYS(LOG) | SAYS(TEST) | SAYS(EDIT)))))
				return true;
	}
	return false;
}

/* Whether one gained line has all of the object, of which the place may hold some. */
static bool
brings_in(const struct against_change *c, const struct object *o, bool drops)
{
	if (o->n == 0)
		return false;
	if (o->n == 1)
		return !against_was_there(c, o->w[0]) && is_named_alone(c, o->w[0], drops);
	for (size_t i = 0; i < c->n; i++) {
		const struct against_line *l = &c->lines[i];
		size_t has = 0, own = 0;

		if (l->side != CHANGE_GAINED)
			continue;
		for (size_t k = 0; k < o->n; k++) {
			bool here = against_word_of(&l->words, o->w[k], true) != NULL;

			own += here && !against_was_there(c, o->w[k]);
			has += here || against_word_of(&c->path_words, o->w[k], true) != NULL;
		}
		if (own > 0 && has == o->n)
			return true;
	}
	return false;
}

/* "migrate.py", ".env": a name with an ending. */
static bool
is_file(const char *p, size_t len)
{
	for (size_t i = 0; i + 2 < len; i++)
		if (p[i] == '.' && ascii_is_letter(p[i + 1]) && ascii_is_alnum(p[i + 2]))
			return true;
	return false;
}

/* A directory or file that the part of the sentence names: "gen/", "build/generated", "a.py". */
static size_t
named_path(const char *text, size_t from, size_t to, const char **path)
{
	for (size_t i = from; i < to; ) {
		size_t len = 0, slashes = 0;

		while (i + len < to && (ascii_is_alnum(text[i + len]) ||
		    strchr("/._-", text[i + len]) != NULL)) {
			slashes += text[i + len] == '/';
			len++;
		}
		size_t all = len;
		while (len > 0 && strchr("./", text[i + len - 1]) != NULL)
			len--;
		if ((slashes > 0 || is_file(text + i, len)) && all > 2 && text[i] != '/') {
			*path = text + i;
			return len;
		}
		i += all + 1;
	}
	return 0;
}

/* Whether a line has a path that is, or is below, the directory or file. */
static bool
is_under(const char *line, const char *named, size_t len)
{
	const char *behind = is_file(named, len) ? "/ '\"" : "/";

	for (const char *p = line; *p != '\0'; p++)
		if ((p == line || strchr("/ '\"", p[-1]) != NULL) && strncmp(p, named, len) == 0 &&
		    (p[len] == '\0' || strchr(behind, p[len]) != NULL))
			return true;
	return false;
}

/* The part of the command that puts files into the repository; NULL: none does. */
static const char *
committed(const struct against_change *c)
{
	return c->command != NULL ? strstr(c->command, "git add ") : NULL;
}

/*
 * "Never edit files under gen/", "never commit gen/": the part of a sentence from word `from` to
 * `to`.
 */
static bool
changes_path(const struct against_sentence *j, size_t from, size_t to)
{
	const char *path = NULL, *written = NULL;
	size_t len;

	for (size_t i = from; i < to && written == NULL; i++)
		written = against_says(&j->words.w[i], SAYS(EDIT)) ? against_written(j->c)
		    : against_says(&j->words.w[i], SAYS(COMMIT)) ? committed(j->c) : NULL;
	if (written == NULL)
		return false;
	len = named_path(j->text, j->words.w[from].start, j->words.w[to - 1].end + 1, &path);
	return len > 0 && is_under(written, path, len);
}

/* "uv pip install" is of uv, which is to be used in the place of pip. */
static bool
has_instead(const struct against_sentence *j, size_t at, const struct object *o)
{
	for (size_t i = 0; i < at; i++)
		for (size_t k = 0; k < o->n; k++)
			for (size_t x = 0; x < j->c->n &&
			    against_rivals(&j->words.w[i], o->w[k]); x++)
				if (j->c->lines[x].side == CHANGE_GAINED && against_word_of(
				    &j->c->lines[x].words, &j->words.w[i], false) != NULL)
					return true;
	return false;
}

/* What stands right behind "do not" is done with something: not that of "do not use it". */
static bool
is_verb(const struct against_sentence *j, size_t at, const struct against_word *w)
{
	for (const struct against_word *p = &j->words.w[at]; p < w; p++)
		if (!against_says(p, SAYS(DONT)) && against_says(p, SAYS(LIGHT)))
			return false;
	return true;
}

/*
 * Whether it is not of what the sentence names behind "on" or "for": "no rm -rf on the data". Where
 * the thing is one of a kind, that says what everybody uses it for: "no axios for requests".
 */
static bool
is_of_other(const struct against_change *c, const struct forbidden *f)
{
	for (size_t i = 0; i < f->about.n; i++)
		if (against_has(c, f->about.w[i]))
			return false;
	return f->about.n > 0;
}

bool
against_forbidden(const struct against_sentence *j, size_t from, size_t to, size_t at, bool before,
	bool several)
{
	struct forbidden f;
	bool does = false, drops = j->c->drops;

	if (changes_path(j, from, to))
		return true;
	if (!before) {
		read_objects(j, at + 1, to, &f);
		before = f.n == 0;
	}
	if (before)
		read_objects(j, from, at, &f);
	else if (against_says(&j->words.w[at], SAYS(DONT)) && f.of[0].n == 1 &&
	    is_verb(j, at, f.of[0].w[0]))
		return false;
	if (f.too_long || j->c->looks || is_of_other(j->c, &f) ||
	    (several && f.of[0].n < 2 && !f.of[0].w[0]->sign))
		return false;
	for (size_t i = 0; i < f.where.n; i++)
		if (!is_place(j->c, f.where.w[i]))
			return false;
	/* what is not to be touched is not to be taken out, either */
	for (size_t i = from; i < to; i++)
		drops &= !((j->words.w[i].says | j->words.w[i].begins) & SAYS(EDIT));
	for (size_t i = 0; i < f.n; i++)
		does |= brings_in(j->c, &f.of[i], drops) && !has_instead(j, at, &f.of[i]);
	return does;
}
