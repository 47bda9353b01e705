/* gate_tool.c: reads prompts, a line each, and prints the features of mem-hook's gate as JSON. */
#include <stdio.h>

#include "base/arena.h"
#include "hook/gate.h"

int
main(int argc, char **argv)
{
	static char text[1 << 20], line[1 << 16];
	const char *names[GATE_FEATURES];
	struct err err = ERR_INIT;
	struct arena arena = ARENA_INIT;
	float x[GATE_FEATURES];
	FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
	size_t len = f == NULL ? 0 : fread(text, 1, sizeof(text), f), n;
	struct cues *c = cues_new(text, len, &err);

	if (f == NULL || c == NULL) {
		fprintf(stderr, "gate_tool: %s\n", f == NULL ? "usage: gate_tool CUES" : err.msg);
		return 1;
	}
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
