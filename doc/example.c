/* example.c: stores two turns and a fact, and asks. cc example.c $(pkg-config --cflags --libs mem) */
#include <mem.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	const char *const settings[] = { "user", "ann", NULL };
	struct mem_message said[] = {
		{ .session = "monday", .role = "user", .source_id = "1",
			.content = "Where do we keep the backups?" },
		{ .session = "monday", .role = "assistant", .source_id = "2",
			.content = "On the disk in the cellar." },
	};
	const struct mem_hit *hits;
	struct mem_error err = { 0 };
	struct mem *m = NULL;
	char id[MEM_ID];
	size_t n = 0;
	int rc = -1;

	if (argc == 3 && mem_open(argv[1], settings, &m, &err) == 0 &&
	    mem_put(m, said, 2, &err) == 0 &&
	    mem_remember(m, "The cellar is locked at night.", "cellar", id, &err) == 0)
		rc = mem_search(m, argv[2], 3, &hits, &n, &err);
	for (size_t i = 0; i < n; i++)
		printf("%.2f %s: %s\n", hits[i].p, hits[i].kind, hits[i].message.content);
	if (rc != 0)
		fprintf(stderr, "example: %s\n", argc == 3 ? err.text : "STORE QUESTION");
	mem_close(m);
	return rc != 0;
}
