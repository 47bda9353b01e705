/*
 * json_schema.h: checks whether a value has the shape that a schema asks for (a part of JSON
 * Schema, json-schema.org, draft 2020-12), and finds the JSON in a text with more around it, as
 * models write it.
 *
 * Known: type (a name or an array of them), enum, const, properties, required,
 * additionalProperties, items, minItems, maxItems, minimum, maximum, minLength, maxLength
 * (characters), anyOf. Ignored, as they demand nothing here: $schema, $id, $comment, title,
 * description, default, examples, format. Any other keyword is refused, because it would not be
 * checked.
 */
#pragma once

#include "json/json.h"

/*
 * Whether json_schema_check can check this schema. ERR_CONFIG names the place ("schema:
 * $.properties.a: unknown keyword 'pattern'").
 */
int json_schema_known(const struct json *schema, struct err *err);

/*
 * Checks value against schema, which json_schema_known has passed. ERR_DATA names the first place
 * that does not fit ("$.facts[3].bank: not one of the values allowed").
 */
int json_schema_check(const struct json *schema, const struct json *value, struct err *err);

/*
 * Finds the JSON object or array in what a model wrote: the whole text if it is JSON; after
 * <think>...</think> at the start; inside a fence of three backquotes; or from the first "{" or "["
 * to the last "}" or "]". ERR_DATA: there is none.
 */
int
json_in_text(const char *s, size_t len, struct arena *a, const struct json **out, struct err *err);

/*
 * s without the <think>...</think> at its start and the blanks around it; *len is the length before
 * and after.
 */
const char *json_after_thoughts(const char *s, size_t *len);
