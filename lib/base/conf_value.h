/*
 * conf_value.h: reads the value of one setting. Private to conf.c.
 */
#pragma once

#include "base/arena.h"
#include "base/conf.h"

#define CONF_WHOLE_MOST 9007199254740992.0 /* whole numbers up to this are exact as doubles */

struct conf_value {
	const char *text;
	double number;             /* bool: 0 or 1 */
	enum conf_from from;
	const char *where;
};

/*
 * Parses text as a value of the setting into *v, with what it points at in a. where names the place
 * in messages: "MEM_LIMIT", "/home/u/.config/mem/config:3", "limit". ERR_CONFIG: it is not of the
 * setting's kind, range or words.
 */
int conf_value_parse(const struct conf_setting *s, const char *text, const char *where,
	struct arena *a, struct conf_value *v, struct err *err);

/* Replaces the "~" of "~/x" by the home directory; in a. */
const char *conf_expand_home(const char *s, struct arena *a);
