/*
 * settings: any bytes as a file of weights, and as the value of a setting.
 */
#include "fuzz.h"

#include "base/conf.h"
#include "rank/profile.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile p = profile_default;
	struct err err = ERR_INIT;
	char *text = text_of(data, size, 0), *nul = text_of(data, size, 1),
	     *value = strchr(nul, '=');

	if (profile_read(&p, text, size, "weights", &err) != 0)
		PROMISE(err.code == ERR_CONFIG && err.msg[0] != '\0');
	if (value != NULL) {
		*value = '\0';
		err_clear(&err);
		if (conf_set(nul, value + 1, &err) != 0)
			PROMISE(err.msg[0] != '\0');
	}
	free(nul);
	free(text);
	return 0;
}
