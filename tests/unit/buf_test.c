/*
 * buf_test.c: err, alloc, buf and arena: growing, the sticky maximum, varints, pieces that outlive
 * a reset's other pieces.
 */
#include <errno.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

#include "tap.h"

static void
test_err(void)
{
	struct err e = ERR_INIT;
	char big[4000];

	is_int(err_set(&e, ERR_DATA, "bad '%s'", "x"), -1, "err_set returns -1");
	is_int(e.code, 65, "code");
	is_str(e.msg, "bad 'x'", "message");
	errno = ENOENT;
	err_set_errno(&e, ERR_NOINPUT, "cannot open '%s'", "y");
	is_str(e.msg, "cannot open 'y': No such file or directory", "message with errno");
	is_int(errno, ENOENT, "errno is kept");
	err_clear(&e);
	is_int(e.code, 0, "cleared");
	is_str(e.msg, "", "cleared message");
	is_int(err_set(NULL, ERR_DATA, "x"), -1, "no one listens");

	/* two-byte characters at odd offsets: the cut at 1023 bytes falls into one */
	memset(big, 0, sizeof(big));
	big[0] = 'x';
	for (size_t i = 1; i + 2 < sizeof(big); i += 2)
		memcpy(big + i, "\xc3\xa9", 2);
	err_set(&e, ERR_DATA, "%s", big);
	is_int(strlen(e.msg), 1023, "cut at the size when a character ends there");
	err_set(&e, ERR_DATA, "%s", big + 1);
	is_int(strlen(e.msg), 1022, "cut before a character that does not fit");
}

static void
test_buf(void)
{
	struct buf b;
	char *p;

	buf_init(&b, 1000);
	is_str(b.data, "", "empty from the start");
	buf_adds(&b, "one ");
	buf_addc(&b, '2');
	buf_addf(&b, " %d %s", 3, "four");
	is_str(b.data, "one 2 3 four", "text");
	is_int(b.len, 12, "length");
	buf_addf(&b, "%0500d", 7);
	is_int(b.len, 512, "a format longer than the small buffer");
	is_int(b.data[511], '7', "its last digit");
	ok(!b.full, "not full");
	p = buf_reserve(&b, 488);
	ok(p == b.data + 512, "reserve up to the maximum");
	ok(buf_reserve(&b, 489) == NULL && b.full, "reserve over it");
	buf_addc(&b, 'x');
	is_int(b.len, 512, "nothing is taken once full");
	buf_reset(&b);
	ok(b.len == 0 && !b.full && b.data[0] == '\0', "reset");
	for (int i = 0; i < 1000; i++)
		buf_addc(&b, 'a');
	ok(!b.full && b.len == 1000, "exactly the maximum");
	buf_add(&b, "", 0);
	ok(!b.full, "adding nothing to it");
	buf_addc(&b, 'b');
	ok(b.full && b.len == 1000 && b.data[1000] == '\0', "one more is dropped");
	p = buf_detach(&b);
	is_int(strlen(p), 1000, "detached");
	free(p);
	ok(b.len == 0 && b.data != NULL && b.max == 1000, "as after buf_init");
	buf_add(&b, "x\0y", 3);
	ok(b.len == 3 && memcmp(b.data, "x\0y", 4) == 0, "NUL bytes are bytes");
	buf_release(&b);

	buf_init(&b, 5);
	buf_adds(&b, "12345678");
	is_str(b.data, "12345", "a prefix of what was written");
	ok(b.full, "and the flag");
	buf_release(&b);
}

static void
test_varint(void)
{
	static const struct { uint64_t v; const char *bytes; size_t n; } cases[] = {
		{ 0, "\x00", 1 }, { 1, "\x01", 1 }, { 127, "\x7f", 1 }, { 128, "\x80\x01", 2 }, { 300, "\xac\x02", 2 },
		{ 16384, "\x80\x80\x01", 3 }, { UINT64_MAX, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10 },
	};
	const uint8_t bad[] = { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02 };
	const uint8_t long_one[] = { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
		0x00 };
	struct buf b;
	uint64_t v;

	buf_init(&b, 100);
	for (size_t i = 0; i < NELEM(cases); i++) {
		buf_reset(&b);
		buf_varint(&b, cases[i].v);
		ok(b.len == cases[i].n && memcmp(b.data, cases[i].bytes, b.len) == 0,
		    "varint %" PRIu64 " written", cases[i].v);
		const uint8_t *p = (const uint8_t *)b.data;
		ok(varint_get(p, p + b.len, &v) == p + b.len && v == cases[i].v, "and read");
		ok(varint_get(p, p + b.len - 1, &v) == NULL, "cut short");
	}
	ok(varint_get(bad, bad + sizeof(bad), &v) == NULL, "over 64 bits");
	ok(varint_get(long_one, long_one + sizeof(long_one), &v) == NULL, "eleven bytes");
	buf_release(&b);
}

static void
test_arena(void)
{
	struct arena a = ARENA_INIT;
	bool aligned = true, same = true;
	char *p[1000];

	for (int i = 0; i < 1000; i++) {
		p[i] = arena_printf(&a, "piece %d", i);
		aligned = aligned && (uintptr_t)p[i] % 16 == 0;
	}
	for (int i = 0; i < 1000; i++) {
		char want[30];
		snprintf(want, sizeof(want), "piece %d", i);
		same = same && strcmp(p[i], want) == 0;
	}
	ok(aligned, "all pieces are aligned");
	ok(same, "no piece overlaps another");
	char *big = arena_zalloc(&a, 3 << 20);
	ok(big[0] == 0 && big[(3 << 20) - 1] == 0, "a piece larger than any block");
	is_str(arena_strndup(&a, "abcdef", 3), "abc", "strndup");
	is_str(arena_strdup(&a, ""), "", "strdup of nothing");
	arena_reset(&a);
	ok(a.block != NULL, "a reset keeps one block");
	is_str(arena_strdup(&a, "again"), "again", "and goes on");
	arena_alloc(&a, 20 << 20);
	arena_reset(&a);
	ok(a.block == NULL, "a giant block is not kept");
	arena_release(&a);
	arena_release(&a);
	ok(a.block == NULL, "released twice");
}

static void
test_alloc(void)
{
	int *numbers = NULL;
	size_t cap = 0, first;

	xgrow(&numbers, &cap, 1, sizeof(*numbers));
	ok(numbers != NULL && cap >= 1, "grown from nothing");
	numbers[0] = 42;
	first = cap;
	xgrow(&numbers, &cap, cap + 1, sizeof(*numbers));
	ok(cap >= 2 * first && numbers[0] == 42, "doubled, contents kept");
	xgrow(&numbers, &cap, 3, sizeof(*numbers));
	ok(cap >= 2 * first, "never shrinks");
	free(numbers);
	char *s = xstrndup("abc", 10);
	is_str(s, "abc", "xstrndup stops at the NUL");
	free(s);
	s = xmemdup("a\0b", 3);
	ok(memcmp(s, "a\0b", 3) == 0, "xmemdup");
	free(s);
	free(xmalloc(0));
	free(xcalloc(0, 5));
	ok(true, "nothing can be asked for");
}

int
main(void)
{
	test_err();
	test_buf();
	test_varint();
	test_arena();
	test_alloc();
	return tap_done();
}
