/*
 * id_test.c: ULIDs: the specification's example, order within a millisecond and when the clock goes
 * back, repeatable ids, forks.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/id.h"

#include "tap.h"

static void
test_text(void)
{
	/* the bytes worked out with Python's integers */
	static const uint8_t want[ID_BYTES] = { 0x01, 0x56, 0x3e, 0x3a, 0xb5, 0xd3, 0xd6, 0x76,
		0x4c, 0x61, 0xef, 0xb9, 0x93, 0x02, 0xbd, 0x5b };
	static const char *const bad[] = {
		"",
		"01ARZ3NDEKTSV4RRFFQ69G5FA",
		"01ARZ3NDEKTSV4RRFFQ69G5FAVX",
		"81ARZ3NDEKTSV4RRFFQ69G5FAV",
		"01ARZ3NDEKTSV4RRFFQ69G5FAU",
		"01ARZ3NDEKTSV4RRFFQ69G5FAI",
		"01ARZ3NDEKTSV4RRFFQ69G5FAL",
		"01ARZ3NDEKTSV4RRFFQ69G5FAO",
		"01ARZ3NDEKTSV4RRFFQ69G5F-V",
		"Z1ARZ3NDEKTSV4RRFFQ69G5FAV",
		"A1ARZ3NDEKTSV4RRFFQ69G5FAV",
	};
	uint8_t id[ID_BYTES], keep[ID_BYTES];
	char out[ID_TEXT];

	is_str(id_format(want, out), "01ARZ3NDEKTSV4RRFFQ69G5FAV", "bytes to text");
	ok(id_parse("01ARZ3NDEKTSV4RRFFQ69G5FAV", 26, id) == 0 && memcmp(id, want, ID_BYTES) == 0,
	    "text to bytes");
	ok(id_parse("01arz3ndektsv4rrffq69g5fav", 26, id) == 0 && memcmp(id, want, ID_BYTES) == 0,
	    "either case");
	memset(id, 0xff, sizeof(id));
	is_str(id_format(id, out), "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "the largest");
	memset(keep, 0x5a, sizeof(keep));
	memcpy(id, keep, sizeof(id));
	for (size_t i = 0; i < NELEM(bad); i++)
		is_int(id_parse(bad[i], strlen(bad[i]), id), -1, "no id: '%s'", bad[i]);
	is_int(id_parse("01ARZ3NDEKTSV4RRFFQ69G5FA\0", 26, id), -1, "no id: a NUL inside");
	ok(memcmp(id, keep, sizeof(id)) == 0, "what is no id leaves the bytes alone");
}

static int64_t
ms_of(const uint8_t id[ID_BYTES])
{
	int64_t ms = 0;

	for (int i = 0; i < 6; i++)
		ms = ms << 8 | id[i];
	return ms;
}

static void
test_order(void)
{
	uint8_t a[ID_BYTES], b[ID_BYTES];
	bool ascending = true;

	id_make(a);
	ok(ms_of(a) > 1700000000000 && ms_of(a) <= clock_now_us() / 1000, "made now");
	for (int i = 0; i < 200000; i++) {
		id_make(b);
		ascending = ascending && memcmp(a, b, ID_BYTES) < 0;
		memcpy(a, b, ID_BYTES);
	}
	ok(ascending, "200,000 ids ascend");
	clock_fix(1000000);
	id_make(b);
	ok(memcmp(a, b, ID_BYTES) < 0, "also when the clock is set back");
	clock_fix(TIME_NONE);
}

static void
test_fork(void)
{
	uint8_t ours[ID_BYTES], theirs[ID_BYTES];
	int fds[2];

	clock_fix(((int64_t)1 << 47) * 1000);
	id_make(ours);
	if (pipe(fds) != 0)
		return;
	pid_t pid = fork();
	if (pid == 0) {
		id_make(theirs);
		_exit(write(fds[1], theirs, ID_BYTES) != ID_BYTES);
	}
	id_make(ours);
	ok(read(fds[0], theirs, ID_BYTES) == ID_BYTES && memcmp(ours, theirs, ID_BYTES) != 0,
	    "a child's ids are not its parent's");
	waitpid(pid, NULL, 0);
	close(fds[0]);
	close(fds[1]);
	clock_fix(TIME_NONE);
}

static void
test_seed(void)
{
	uint8_t a[3][ID_BYTES], b[3][ID_BYTES];

	clock_fix(1714566615 * US_PER_S);
	id_seed(7);
	for (int i = 0; i < 3; i++)
		id_make(a[i]);
	id_seed(7);
	for (int i = 0; i < 3; i++)
		id_make(b[i]);
	ok(memcmp(a, b, sizeof(a)) == 0, "the same seed and time make the same ids");
	is_int(ms_of(a[0]), 1714566615000, "of that time");
	ok(memcmp(a[0], a[1], ID_BYTES) < 0 && memcmp(a[1], a[2], ID_BYTES) < 0, "and they ascend");
	id_seed(8);
	id_make(b[0]);
	ok(memcmp(a[0], b[0], ID_BYTES) != 0, "another seed makes others");
}

int
main(void)
{
	test_text();
	test_order();
	test_fork();
	test_seed();
	return tap_done();
}
