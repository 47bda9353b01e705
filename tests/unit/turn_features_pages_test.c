/*
 * turn_features_pages_test.c: pages of cards come back as they were, whatever is in them; bytes by
 * hand; and what is no page is none.
 */
#include "tap.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/hash.h"
#include "index/turn_features_pages.h"

static uint64_t state = 20261122;

static uint64_t
any(uint64_t below)
{
	state = hash64_mix(state + 1);
	return below == 0 ? state : state % below;
}

static bool
are_same(const struct card *a, const struct card *b)
{
	uint8_t x[CARD_BYTES], y[CARD_BYTES];

	card_pack(a, x);
	card_pack(b, y);
	return memcmp(x, y, CARD_BYTES) == 0;
}

/* Whether the cards come back; *len: of the page. */
static bool
goes_round(const struct card *c, size_t n, size_t *len)
{
	uint8_t bytes[CARDS_ROOM];
	struct cards page;
	struct card got;
	struct card_said said[CARDS_A_PAGE];

	*len = cards_pack(c, n, bytes);
	cards_open(&page, bytes, *len);
	if (page.n != n || *len > n * CARD_BYTES)
		return false;
	cards_said(&page, n / 3, n - n / 3, said);
	for (size_t i = 0; i < n; i++) {
		cards_get(&page, i, &got);
		if (!are_same(&got, &c[i]) ||
		    (i >= n / 3 &&
			(said[i - n / 3].time_us != c[i].time_us ||
			    said[i - n / 3].speaker != c[i].speaker)))
			return false;
	}
	return true;
}

/* Fields are made of a base and so many bits of anything, each page's of its own. */
static void
test_round(void)
{
	static const uint64_t times[] = { 1, 1000, US_PER_S, 60 * US_PER_S, 7 };
	struct card c[CARDS_A_PAGE];
	size_t len, wrong = 0, packed = 0;

	for (size_t round = 0; round < 20000; round++) {
		size_t n = 1 + any(CARDS_A_PAGE);
		uint64_t unit = times[any(5)], span = (uint64_t)1 << any(62), bits[12];
		int64_t base = (int64_t)any(0) / 4;
		for (size_t k = 0; k < 12; k++)
			bits[k] = (uint64_t)1 << any(17);
		for (size_t i = 0; i < n; i++) {
			c[i] = (struct card){ .time_us = any(9) == 0
				    ? TIME_NONE
				    : (int64_t)((uint64_t)base + any(span) * unit),
				.n_words = (uint16_t)any(bits[0]),
				.n_chars = (uint16_t)any(bits[1]),
				.speaker = (uint16_t)any(bits[2]),
				.agent = (uint16_t)any(bits[3]),
				.project = (uint16_t)(65535 - any(bits[4])),
				.role = (uint8_t)any(bits[5]),
				.trust = (uint8_t)any(bits[6]),
				.flags = (uint16_t)any(bits[7]),
				.second = (uint8_t)any(bits[9]),
				.capitals = (uint8_t)any(bits[10]),
				.numbers = (uint8_t)any(bits[11]) };
		}
		wrong += !goes_round(c, n, &len);
		packed += len < n * CARD_BYTES;
	}
	is_int(wrong, 0, "20,000 pages of anything come back, none is larger than its cards");
	ok(packed > 10000 && packed < 20000, "most are smaller, not all");
}

static void
test_sizes(void)
{
	struct card c[CARDS_A_PAGE] = { { .time_us = TIME_NONE } };
	size_t len;

	ok(goes_round(c, 1, &len) && len == 32, "one card is itself");
	for (size_t i = 0; i < CARDS_A_PAGE; i++)
		c[i] = (struct card){ .time_us = TIME_NONE, .n_words = 12, .role = 1, .trust = 3 };
	ok(goes_round(c, CARDS_A_PAGE, &len) && len == 47 + 8,
	    "cards that are the same take nothing");
	for (size_t i = 0; i < CARDS_A_PAGE; i++)
		c[i].time_us = (1600000000 + 60 * (int64_t)i) * US_PER_S;
	ok(goes_round(c, CARDS_A_PAGE, &len) && len == 47 + 120 + 8,
	    "a minute apart: seven bits, in whole bytes");
	c[7].time_us += US_PER_S;
	ok(goes_round(c, CARDS_A_PAGE, &len) && len == 47 + 240 + 8,
	    "one of them by the second: 13 bits");
	c[7].time_us = INT64_MAX;
	ok(goes_round(c, CARDS_A_PAGE, &len) && len == 120 * 32,
	    "a time out of all reach: as they are");
	for (size_t i = 0; i < CARDS_A_PAGE; i++)
		c[i] = (struct card){ .time_us = TIME_NONE, .n_words = (uint16_t)i };
	ok(goes_round(c, 9, &len) && len == 47 + 9 + 8 + 1,
	    "never 32 times something: a byte more");
}

/* Two cards by hand: one second and three words, two seconds and five words, all else 0. */
static void
test_bytes(void)
{
	static const struct card c[] = { { .time_us = 3600000000, .n_words = 3 },
		{ .time_us = 3601000000, .n_words = 5 }, { .time_us = TIME_NONE, .n_words = 4 } };
	static const uint8_t head[] = { 3, 0x00, 0xa4, 0x93, 0xd6, 0, 0, 0, 0, 2, 2, 3, 0, 2 };
	uint8_t bytes[CARDS_ROOM], want[47 + 3 + 8] = { 0 };

	memcpy(want, head, sizeof(head));
	want[47] = 1;                          /* the least time, the least words */
	want[48] = 2 | 2 << 2;
	want[49] = 1 << 2;                     /* no time */
	is_int(cards_pack(c, 3, bytes), sizeof(want), "by hand: the length");
	ok(memcmp(bytes, want, sizeof(want)) == 0, "by hand: the bytes");
}

/*
 * Every byte of a page changed, and every length: what is read stays inside the page (a sanitizer
 * sees the rest).
 */
static void
test_damage(void)
{
	struct card c[40], got;
	uint8_t bytes[CARDS_ROOM], *copy;
	struct cards page;
	size_t len, none = 0, read = 0;

	for (size_t i = 0; i < 40; i++)
		c[i] = (struct card){ .time_us = (int64_t)any(1u << 30),
			.n_words = (uint16_t)any(90),
			.n_chars = (uint16_t)any(900),
			.flags = (uint16_t)any(64) };
	len = cards_pack(c, 40, bytes);
	for (size_t cut = 0; cut <= len; cut++)
		for (size_t at = 0; at < MIN(cut, 60u); at++)
			for (unsigned bit = 0; bit < 8; bit++) {
				copy = xmemdup(bytes, cut);
				copy[at] ^= (uint8_t)(1u << bit);
				cards_open(&page, copy, cut);
				none += page.n == 0;
				for (size_t i = 0; i < page.n; i++, read++)
					cards_get(&page, i, &got);
				free(copy);
			}
	ok(none > 0 && read > 0, "damaged pages are read without harm");
	cards_open(&page, bytes, len - 9);
	is_int(page.n, 0, "a page that was cut is none");
	bytes[0] = CARDS_A_PAGE + 1;
	cards_open(&page, bytes, len);
	is_int(page.n, 0, "nor one of too many cards");
	cards_open(&page, bytes, 0);
	is_int(page.n, 0, "nor nothing");
}

int
main(void)
{
	test_round();
	test_sizes();
	test_bytes();
	test_damage();
	return tap_done();
}
