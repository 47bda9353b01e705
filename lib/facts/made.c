/* made.c: the stamp of today's rules, and what a record says of those that made it. */
#include "facts/made.h"

#include "json/json.h"
#include "statement/cues.h"

/* Raised when the code of lib/statement or lib/facts gives other facts for the same message. */
#define RULES_VERSION 8

static const char rules[] = "rules:";

void
made_by_rules(char out[MADE_TEXT])
{
	static const char *const files[] = { "schema/cues/statement.txt", "schema/cues/slots.txt",
		"schema/cues/vouch.txt", "schema/cues/lasting.txt" };
	uint64_t hash = 0;

	for (size_t i = 0; i < NELEM(files); i++)
		hash = cues_hash(cues_of(files[i]), hash);
	snprintf(out, MADE_TEXT, "%s%d-%08x", rules, RULES_VERSION, (unsigned)hash);
}

const char *
made_of(const struct record_head *h, struct arena *a)
{
	struct err none = ERR_INIT;
	const struct json *v;
	const char *made;

	if (h->extra == NULL || strstr(h->extra, "\"made\"") == NULL ||
	    json_parse(h->extra, strlen(h->extra), a, &v, &none) < 0)
		return "";
	made = json_get_string(v, "made", NULL);
	return made != NULL ? made : "";
}

bool
made_is_rules(const char *made)
{
	return strncmp(made, rules, sizeof(rules) - 1) == 0;
}

bool
made_key_guessed(const struct record_head *h, struct arena *a)
{
	return made_is_rules(made_of(h, a));
}
