/*
 * secrets: any text without its secrets and private spans; taking them out again changes nothing.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "text/secrets.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = text_of(data, size, 0);
	/* as all that is stored */
	bool sound = utf8_valid(text, size) && memchr(text, '\0', size) == NULL;
	struct buf one, two;

	buf_init(&one, 1 << 24);
	buf_init(&two, 1 << 24);
	if (secrets_redact(text, size, &one) > 0) {
		PROMISE(!sound || utf8_valid(one.data, one.len));
		PROMISE(secrets_redact(one.data, one.len, &two) == 0 || !sound);
	}
	if (secrets_drop_private(text, size, &one) > 0) {
		PROMISE(one.len < size);
		PROMISE(!sound || utf8_valid(one.data, one.len));
		PROMISE(secrets_drop_private(one.data, one.len, &two) == 0);
	}
	buf_release(&one);
	buf_release(&two);
	free(text);
	return 0;
}
