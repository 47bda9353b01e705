/*
 * forget_mutate STORE OLD PLACE ID|-s SESSION|--user-all: forgets in STORE, then puts back what
 * OLD, a copy of STORE, has in the place, as if its deletes were missing, and runs the proof of
 * mem-forget. A place is tables, with commas between them; "file:-wal", all bytes of OLD in the
 * file STORE-wal; or "free", a page of OLD in a free one of STORE. Prints what it finds left; exits
 * 1 when that is something.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/conf.h"
#include "facts/forget.h"

static int n_left;

static void
print_left(void *arg, const char *word, const char *where)
{
	(void)arg;
	printf("%s: %s\n", word, where);
	n_left++;
}

static void
must(int rc, const struct err *err)
{
	if (rc >= 0)
		return;
	fprintf(stderr, "forget_mutate: %s\n", err->msg);
	exit(70);
}

/* The tables' rows as OLD has them, without the layer that checks pages. */
static void
put_back(const char *path, const char *old, char *tables)
{
	sqlite3 *db;
	char *sql = sqlite3_mprintf("ATTACH %Q AS old", old), *why = NULL;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, "unix") != SQLITE_OK ||
	    sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) {
		fprintf(stderr, "forget_mutate: cannot open: %s\n", why);
		exit(70);
	}
	sqlite3_free(sql);
	for (char *table = tables; *table != '\0'; table += strlen(table) + 1) {
		char *comma = strchr(table, ',');

		if (comma != NULL)
			*comma = '\0';
		sql = sqlite3_mprintf("DELETE FROM main.%w; INSERT INTO main.%w SELECT * FROM "
				      "old.%w", table, table, table);
		if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) {
			fprintf(stderr, "forget_mutate: %s: %s\n", table, why);
			exit(70);
		}
		sqlite3_free(sql);
		if (comma == NULL)
			break;
	}
	sqlite3_close(db);
}

static uint32_t
number_at(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* What no table has, when nobody has the store open: see above. */
static void
put_bytes(const char *path, const char *old, const char *place)
{
	char *name = sqlite3_mprintf("%s%s", path, place + strlen("file:"));
	bool is_free = strcmp(place, "free") == 0;
	FILE *from = fopen(old, "rb"), *to = fopen(is_free ? path : name, is_free ? "r+b" : "wb");
	unsigned char page[4096], trunk[12] = { 0 };
	size_t n;

	if (from == NULL || to == NULL)
		exit(66);
	if (is_free) {
		/* the first leaf of the first trunk gets the third page */
		if (fseek(to, 32, SEEK_SET) != 0 || fread(trunk, 1, 4, to) != 4 ||
		    fseek(to, ((long)number_at(trunk) - 1) * 4096, SEEK_SET) != 0 ||
		    fread(trunk, 1, 12, to) != 12 || number_at(trunk + 4) == 0 ||
		    fseek(to, ((long)number_at(trunk + 8) - 1) * 4096, SEEK_SET) != 0 ||
		    fseek(from, 2 * 4096, SEEK_SET) != 0 ||
		    fread(page, 1, sizeof(page), from) != sizeof(page) ||
		    fwrite(page, 1, sizeof(page), to) != sizeof(page)) {
			fprintf(stderr, "forget_mutate: no free page\n");
			exit(70);
		}
	} else {
		while ((n = fread(page, 1, sizeof(page), from)) > 0)
			if (fwrite(page, 1, n, to) != n)
				exit(70);
	}
	fclose(from);
	fclose(to);
	sqlite3_free(name);
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct scope who = { "default", NULL, NULL, NULL };
	struct forget_want want = { .filter = MESSAGE_FILTER_ANY };
	struct store *s = NULL;
	struct forget *f = NULL;
	const char *chosen, *places;
	size_t n_words = 0;
	bool is_bytes;

	if (argc < 5)
		return 64;
	must(conf_load(&err), &err);
	chosen = argv[argc - 1];
	places = argv[3];
	is_bytes = strcmp(places, "free") == 0 || strncmp(places, "file:", 5) == 0;
	want.proof = true;
	if (strcmp(argv[4], "--user-all") == 0) {
		want.all = true;
	} else if (strcmp(argv[4], "-s") == 0) {
		want.sessions = &chosen;
		want.n_sessions = 1;
	} else {
		want.ids = &chosen;
		want.n_ids = 1;
	}
	must(store_open(argv[1], STORE_WRITE, &s, &err), &err);
	f = forget_new(&who, &want);
	must(forget_do(s, f, &err), &err);
	must(store_settle(s, &err), &err);
	store_close(s);
	if (!is_bytes)
		put_back(argv[1], argv[2], argv[3]);
	must(store_open(argv[1], STORE_READ, &s, &err), &err);
	must(forget_verify(s, f, print_left, NULL, &n_words, &err), &err);
	store_close(s);
	if (is_bytes)
		put_bytes(argv[1], argv[2], places);
	if (n_left == 0)
		must(forget_scan(argv[1], f, print_left, NULL, &err), &err);
	forget_free(f);
	return n_left > 0;
}
