/*
 * likeness_tool.c: prints the figures by which two statements are judged (statement/likeness.h),
 * for tests/bench/likeness.py, which learns their weights. Reads lines of two statements and the
 * similarity of their vectors, with tabs between them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "statement/likeness.h"
#include "statement/reading.h"

int
main(void)
{
	static struct said a, b;
	char *line = NULL;
	size_t cap = 0;

	for (unsigned i = 0; i < LIKE_FEATURES; i++)
		printf("%s\t", likeness_names[i]);
	puts("differs");
	while (getline(&line, &cap, stdin) > 0) {
		size_t n = strcspn(line, "\t"), m = strcspn(line + n + 1, "\t");
		float x[LIKE_FEATURES];
		struct likeness l;
		struct reading r, s;
		reading_of(line, n, NULL, &r);
		reading_of(line + n + 1, m, NULL, &s);
		said_read(&a, line, n);
		said_read(&b, line + n + 1, m);
		likeness_features(&a, &b, strtod(line + n + m + 2, NULL),
		    *r.key != '\0' && strcmp(r.key, s.key) == 0 && strcmp(r.about, s.about) == 0,
		    x, &l);
		for (unsigned i = 0; i < LIKE_FEATURES; i++)
			printf("%g\t", (double)x[i]);
		printf("%s%s\n", l.differs == NULL ? "-" : l.differs, l.opposite ? "!" : "");
	}
	free(line);
	return 0;
}
