/*
 * known.c: reads schema/models.txt, the table of models known by name.
 */
#include <fnmatch.h>

#include "base/embedded.h"
#include "model/known.h"

/* Copies a value, without its quotes if it has them, to out [size]. */
static int
set_text(char *out, size_t size, const char *value)
{
	size_t len = strlen(value);

	if (len >= 2 && value[0] == '"' && value[len - 1] == '"') {
		value++;
		len -= 2;
	}
	if (len >= size)
		return -1;
	memcpy(out, value, len);
	memset(out + len, 0, size - len);
	return 0;
}

static int
set_key(struct model_info *info, const char *key, const char *value)
{
	if (strcmp(key, "licence") == 0)
		return set_text(info->licence, sizeof(info->licence), value);
	if (strcmp(key, "query") == 0)
		return set_text(info->query_prefix, sizeof(info->query_prefix), value);
	if (strcmp(key, "passage") == 0)
		return set_text(info->passage_prefix, sizeof(info->passage_prefix), value);
	if (strcmp(key, "speaker") != 0 ||
	    (strcmp(value, "said") != 0 && strcmp(value, "none") != 0))
		return -1;
	info->speaker = strcmp(value, "said") == 0 ? SPEAKER_SAID : SPEAKER_NONE;
	return 0;
}

int
known_fill_from(struct model_info *info, const char *text, struct err *err)
{
	bool ours = false, found = false;

	for (unsigned n = 1; *text != '\0'; n++) {
		size_t len = strcspn(text, "\n");
		char line[256], key[32], value[160];

		snprintf(line, sizeof(line), "%.*s", (int)MIN(len, sizeof(line) - 1), text);
		text += len + (text[len] == '\n');
		int fields = sscanf(line, " %31s %159[^\n]", key, value);
		if (fields < 1 || key[0] == '#')
			continue;
		if (fields == 2 && strcmp(key, "model") == 0) {
			ours = !found && fnmatch(value, info->name, 0) == 0;
			found |= ours;
		} else if (fields != 2 || (ours && set_key(info, key, value) != 0)) {
			return err_set(err, ERR_CONFIG, "models.txt:%u: not \"KEY VALUE\"", n);
		}
	}
	return 0;
}

void
known_fill(struct model_info *info)
{
	known_fill_from(info, embedded_find("schema/models.txt")->text, NULL);
}
