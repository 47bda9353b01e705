/* gate_tool.c: reads prompts, a line each, and prints the features of mem-hook's gate as JSON. */
#include <stdio.h>

#include "base/arena.h"
#include "hook/gate.h"

int
main(void)
{
	static char line[1 << 16];
	const struct cues *c = cues_of("schema/cues/gate.txt");
	const char *names[GATE_FEATURES];
	struct arena arena = ARENA_INIT;
	float x[GATE_FEATURES];
	size_t n;

	n = gate_names(c, names, &arena);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		gate_features(c, line, strlen(line), x);
		putchar('{');
		for (size_t i = 0, any = 0; i < n; i++)
			if (x[i] != 0)
				printf("%s\"%s\":%g", any++ > 0 ? "," : "", names[i], (double)x[i]);
		puts("}");
	}
	return 0;
}
