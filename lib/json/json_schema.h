/*
 * json_schema.h: does a value have the shape that was asked for? A part of JSON Schema
 * (json-schema.org, draft 2020-12), and the JSON in a text that has more around it, as models write
 * it.
 *
 * Known: type (a name or an array of them), enum, const, properties, required,
 * additionalProperties, items, minItems, maxItems, minimum, maximum, minLength, maxLength
 * (characters), anyOf. Passed over, as they ask for nothing here: $schema, $id, $comment, title,
 * description, default, examples, format. Any other keyword is refused rather than not checked.
 */
#ifndef JSON_JSON_SCHEMA_H
#define JSON_JSON_SCHEMA_H

#include "json/json.h"

/*
 * Is it a schema that json_schema_check can check? ERR_CONFIG with the place ("schema:
 * $.properties.a: unknown keyword 'pattern'").
 */
int json_schema_known(const struct json *schema, struct err *err);

/*
 * ERR_DATA with the first place that does not fit ("$.facts[3].bank: not one of the values
 * allowed"). schema is one that json_schema_known passed.
 */
int json_schema_check(const struct json *schema, const struct json *value, struct err *err);

/*
 * The JSON object or array in a model's words: after <think>...</think> at the start, inside a
 * fence of three backquotes, or between the first "{" or "[" and the last "}" or "]". The whole
 * text when it is JSON as it stands. ERR_DATA when there is none.
 */
int
json_in_text(const char *s, size_t len, struct arena *a, const struct json **out, struct err *err);

/*
 * s without the <think>...</think> at its start and the blanks around it; *len is the length before
 * and after.
 */
const char *json_after_thoughts(const char *s, size_t *len);

#endif
