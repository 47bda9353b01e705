/* classes.c: a hash table of words, open addressing; stems stand in it under another seed. */
#include "followup/classes.h"

#include "base/embedded.h"
#include "base/hash.h"

#define SLOTS 8192

struct class_table { uint64_t hashes[SLOTS]; classes found[SLOTS]; };

static const char *const names[N_CLASSES] = {
#define X(id, name) name,
	CLASSES(X)
#undef X
};

static size_t
slot_of(const struct class_table *t, uint64_t hash)
{
	size_t i = hash % SLOTS;

	while (t->hashes[i] != 0 && t->hashes[i] != hash)
		i = (i + 1) % SLOTS;
	return i;
}

/* Stands behind the next word of the line; NULL: there is none. */
static const char *
next_word(const char *p, const char **word, size_t *len)
{
	p += strspn(p, " \t");
	*word = p;
	*len = strcspn(p, " \t\n");
	return *len > 0 ? p + *len : NULL;
}

static void
read_line(struct class_table *t, const char *line)
{
	const char *word;
	size_t len, class = 0, n = 0;

	line = next_word(line, &word, &len);
	while (class < N_CLASSES &&
	    (strlen(names[class]) != len || memcmp(names[class], word, len) != 0))
		class++;
	if (class == N_CLASSES)
		return;
	while ((line = next_word(line, &word, &len)) != NULL && n++ < SLOTS / 2) {
		uint64_t hash = hash64(word, len, names[class][0] == '~');
		size_t i = slot_of(t, hash);

		t->hashes[i] = hash;
		t->found[i] |= (classes)1 << class;
	}
}

const struct class_table *
classes_read(struct arena *a)
{
	struct class_table *t = arena_zalloc(a, sizeof(*t));
	const char *line = embedded_find("schema/followup.txt")->text;

	for (; *line != '\0'; line += line[0] == '\n') {
		if (*line != '#' && *line != '\n')
			read_line(t, line);
		line += strcspn(line, "\n");
	}
	return t;
}

classes
classes_of(const struct class_table *t, const char *word, size_t len)
{
	return t->found[slot_of(t, hash64(word, len, 0))];
}

classes
classes_of_stem(const struct class_table *t, const char *stem, size_t len)
{
	return t->found[slot_of(t, hash64(stem, len, 1))];
}
