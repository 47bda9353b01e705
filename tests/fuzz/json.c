/*
 * json: any bytes to json_parse; what it takes is written and read again, and must be the same.
 */
#include "fuzz.h"

#include "json/json.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena a;
	struct err err = ERR_INIT;
	const struct json *v, *w;
	struct buf one, two;
	char *text = text_of(data, size, 1);

	arena_reset(&a);
	if (json_parse(text, size, &a, &v, &err) == 0) {
		buf_init(&one, 1 << 24);
		buf_init(&two, 1 << 24);
		json_write(&one, v);
		PROMISE(json_parse(one.data, one.len, &a, &w, &err) == 0);
		json_write(&two, w);
		PROMISE(one.len == two.len && memcmp(one.data, two.data, one.len) == 0);
		for (size_t i = 0; i < one.len; i++)
			PROMISE((unsigned char)one.data[i] >= 32 && one.data[i] != 127);
		json_get(v, "content");
		buf_release(&one);
		buf_release(&two);
	} else {
		PROMISE(err.code == ERR_DATA && err.msg[0] != '\0');
	}
	free(text);
	return 0;
}
