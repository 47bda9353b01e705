/*
 * base64_test.c: the vectors of RFC 4648, all lengths there and back, what is none.
 */
#include "base/base64.h"

#include "tap.h"

static const struct { const char *bytes, *text; } rfc[] = { { "f", "Zg==" }, { "fo", "Zm8=" },
	{ "foo", "Zm9v" }, { "foob", "Zm9vYg==" }, { "fooba", "Zm9vYmE=" },
	{ "foobar", "Zm9vYmFy" } };
static const char *const bad[] = { "", "Zg", "Zg=", "Zg==Zg==", "Z===", "====", "Zh==", "Zm9=",
	"Zm8 ", "Zm\xc3\xa9", "=Zg=", "Zg=A" };

int
main(void)
{
	struct buf b;
	uint8_t bytes[64], back[64];
	size_t wrong = 0;

	buf_init(&b, 1024);
	for (size_t i = 0; i < NELEM(rfc); i++) {
		buf_reset(&b);
		base64_encode(&b, (const uint8_t *)rfc[i].bytes, strlen(rfc[i].bytes));
		ok(strcmp(b.data, rfc[i].text) == 0, "'%s' is '%s'", rfc[i].bytes, rfc[i].text);
	}
	for (size_t n = 1; n <= sizeof(bytes); n++) {
		for (size_t i = 0; i < n; i++)
			bytes[i] = (uint8_t)(i * 37 + n * 101);
		buf_reset(&b);
		base64_encode(&b, bytes, n);
		wrong += base64_bytes(b.data, b.len) != n ||
		    !base64_decode(b.data, b.len, back) || memcmp(bytes, back, n) != 0;
	}
	ok(wrong == 0, "all lengths come back");
	for (size_t i = 0; i < NELEM(bad); i++)
		ok(!base64_decode(bad[i], strlen(bad[i]), back), "'%s' is none", bad[i]);
	buf_release(&b);
	return tap_done();
}
