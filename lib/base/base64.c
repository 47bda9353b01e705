/*
 * base64.c: three bytes are four characters; of one or two at the end the rest is "=".
 */
#include "base/base64.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void
base64_encode(struct buf *out, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i += 3) {
		size_t here = MIN(n - i, (size_t)3);
		uint32_t v = (uint32_t)bytes[i] << 16;
		char four[4];

		if (here > 1)
			v |= (uint32_t)bytes[i + 1] << 8;
		if (here > 2)
			v |= bytes[i + 2];
		for (size_t k = 0; k < 4; k++)
			four[k] = k <= here ? digits[v >> (18 - 6 * k) & 63] : '=';
		buf_add(out, four, sizeof(four));
	}
}

size_t
base64_bytes(const char *text, size_t len)
{
	if (len == 0 || len % 4 != 0)
		return 0;
	return len / 4 * 3 - (text[len - 1] == '=') - (text[len - 2] == '=');
}

bool
base64_decode(const char *text, size_t len, uint8_t *out)
{
	size_t n = base64_bytes(text, len);

	for (size_t i = 0; i < len; i += 4) {
		size_t here = MIN(n - i / 4 * 3, (size_t)3);
		uint32_t v = 0;

		for (size_t k = 0; k < 4; k++) {
			const char *p = text[i + k] != '\0' ? strchr(digits, text[i + k]) : NULL;

			if (k <= here ? p == NULL : text[i + k] != '=')
				return false;
			v = v << 6 | (k <= here ? (uint32_t)(p - digits) : 0);
		}
		if ((v & (((uint32_t)1 << 8 * (3 - here)) - 1)) != 0)
			return false;
		for (size_t k = 0; k < here; k++)
			*out++ = (uint8_t)(v >> (16 - 8 * k));
	}
	return n > 0;
}
