/*
 * json_schema_test.c: schemas against values, one case a line; the answers are those of the
 * specification (and of its test suite's sort of cases).
 */
#include "tap.h"

#include "json/json_schema.h"

static struct arena a = ARENA_INIT;

static const struct json *
parse(const char *s)
{
	const struct json *v = NULL;
	struct err err = ERR_INIT;

	if (json_parse(s, strlen(s), &a, &v, &err) != 0)
		printf("Bail out! %s: %s\n", s, err.msg);
	return v;
}

static const struct { const char *schema, *value, *why; /* NULL: fits */ } cases[] = {
	{ "{}", "17", NULL },
	{ "true", "[]", NULL },
	{ "false", "1", "$: was not asked for" },
	{ "{\"type\":\"object\"}", "{}", NULL },
	{ "{\"type\":\"object\"}", "[]", "$: is not of type object" },
	{ "{\"type\":\"integer\"}", "3", NULL },
	{ "{\"type\":\"integer\"}", "3.0", NULL },
	{ "{\"type\":\"integer\"}", "3.5", "$: is not of type integer" },
	{ "{\"type\":\"number\"}", "\"3\"", "$: is not of type number" },
	{ "{\"type\":\"boolean\"}", "false", NULL },
	{ "{\"type\":\"boolean\"}", "0", "$: is not of type boolean" },
	{ "{\"type\":\"null\"}", "null", NULL },
	{ "{\"type\":[\"string\",\"null\"]}", "null", NULL },
	{ "{\"type\":[\"string\",\"null\"]}", "1", "$: is of none of the types allowed" },
	{ "{\"enum\":[\"a\",2,{\"x\":[1]}]}", "{\"x\":[1]}", NULL },
	{ "{\"enum\":[\"a\",2]}", "\"b\"", "$: is not one of the values allowed" },
	{ "{\"enum\":[\"a\",2]}", "\"2\"", "$: is not one of the values allowed" },
	{ "{\"const\":{\"a\":1,\"b\":2}}", "{\"b\":2,\"a\":1}", NULL },
	{ "{\"const\":{\"a\":1}}", "{\"a\":2}", "$: is not the value asked for" },
	{ "{\"required\":[\"a\",\"b\"]}", "{\"a\":1}", "$: has no 'b'" },
	{ "{\"required\":[\"a\"]}", "[]", NULL },
	{ "{\"properties\":{\"a\":{\"type\":\"string\"}}}", "{\"a\":\"x\",\"b\":1}", NULL },
	{ "{\"properties\":{\"a\":{\"type\":\"string\"}}}", "{\"a\":1}", "$.a: is not of type string" },
	{ "{\"properties\":{\"a\":{}},\"additionalProperties\":false}", "{\"a\":1,\"b\":2}", "$.b: was not asked for" },
	{ "{\"properties\":{\"a\":{}},\"additionalProperties\":{\"type\":\"number\"}}", "{\"a\":\"x\",\"b\":2}", NULL },
	{ "{\"items\":{\"type\":\"number\"}}", "[1,2,\"3\"]", "$[2]: is not of type number" },
	{ "{\"items\":{\"properties\":{\"bank\":{\"enum\":[\"Work\"]}}}}", "[{\"bank\":\"Work\"},{\"bank\":\"Wrok\"}]", "$[1].bank: is not one of the values allowed" },
	{ "{\"minimum\":0,\"maximum\":1}", "0", NULL },
	{ "{\"minimum\":0,\"maximum\":1}", "1", NULL },
	{ "{\"minimum\":0,\"maximum\":1}", "1.01", "$: is too large" },
	{ "{\"minimum\":0,\"maximum\":1}", "-0.01", "$: is too small" },
	{ "{\"minimum\":0}", "\"-1\"", NULL },
	{ "{\"maxLength\":3}", "\"\xe7\x8c\xab\xe7\x8c\xab\xe7\x8c\xab\"", NULL },
	{ "{\"maxLength\":3}", "\"four\"", "$: is too long" },
	{ "{\"minLength\":1}", "\"\"", "$: is too short" },
	{ "{\"minItems\":1}", "[]", "$: has too few items" },
	{ "{\"maxItems\":1}", "[1,2]", "$: has too many items" },
	{ "{\"anyOf\":[{\"type\":\"string\"},{\"minimum\":3}]}", "4", NULL },
	{ "{\"anyOf\":[{\"type\":\"string\"},{\"minimum\":3}]}", "2", "$: fits none of the shapes allowed" },
};

static void
test_check(void)
{
	for (size_t i = 0; i < NELEM(cases); i++) {
		struct err err = ERR_INIT;
		const struct json *schema = parse(cases[i].schema);

		if (json_schema_known(schema, &err) == 0)
			json_schema_check(schema, parse(cases[i].value), &err);
		is_str(err.msg, cases[i].why ? cases[i].why : "", "%s of %s", cases[i].value,
		    cases[i].schema);
	}
}

static void
test_known(void)
{
	static const struct { const char *schema, *why; } bad[] = {
		{ "[]", "schema: $: is no schema" },
		{ "{\"pattern\":\"x\"}", "schema: $: unknown keyword 'pattern'" },
		{ "{\"properties\":{\"a\":{\"$ref\":\"#\"}}}", "schema: $.properties.a: unknown keyword '$ref'" },
		{ "{\"type\":1}", "schema: $.type: not what this keyword takes" },
		{ "{\"required\":[1]}", "schema: $.required: not what this keyword takes" },
		{ "{\"minimum\":\"1\"}", "schema: $.minimum: not what this keyword takes" },
		{ "{\"items\":7}", "schema: $.items: is no schema" },
		{ "{\"anyOf\":[{},3]}", "schema: $.anyOf[1]: is no schema" },
	};

	for (size_t i = 0; i < NELEM(bad); i++) {
		struct err err = ERR_INIT;
		ok(json_schema_known(parse(bad[i].schema), &err) < 0 && err.code == ERR_CONFIG,
		    "refused: %s", bad[i].schema);
		is_str(err.msg, bad[i].why, "and says why");
	}
	ok(json_schema_known(parse("{\"title\":\"t\",\"description\":\"d\",\"format\":\"date\","
				   "\"default\":1}"),
	       NULL) == 0,
	    "what only describes is passed over");
}

/* A path longer than there is room for. */
static void
test_long_path(void)
{
	struct buf schema, value;
	struct err err = ERR_INIT;

	buf_init(&schema, 1 << 20);
	buf_init(&value, 1 << 20);
	for (int i = 0; i < 30; i++) {
		buf_adds(&schema, "{\"properties\":{\"a_rather_long_name\":");
		buf_adds(&value, "{\"a_rather_long_name\":");
	}
	buf_adds(&schema, "{\"type\":\"null\"}");
	buf_adds(&value, "1");
	for (int i = 0; i < 30; i++) {
		buf_adds(&schema, "}}");
		buf_adds(&value, "}");
	}
	ok(json_schema_check(parse(schema.data), parse(value.data), &err) < 0, "a long path");
	ok(strlen(err.msg) < 260 && strstr(err.msg, "is not of type null") != NULL, "is cut");
	buf_release(&schema);
	buf_release(&value);
}

static void
test_in_text(void)
{
	static const struct { const char *text, *json; /* NULL: none */ } texts[] = {
		{ "{\"a\":1}", "{\"a\":1}" },
		{ " [1] \n", "[1]" },
		{ "```json\n{\"a\":1}\n```", "{\"a\":1}" },
		{ "Here it is:\n```\n{\"a\":1}\n```\nAs you asked.", "{\"a\":1}" },
		{ "Sure! {\"a\":{\"b\":2}} Anything else?", "{\"a\":{\"b\":2}}" },
		{ "<think>\n{\"not\":\"this\"}\n</think>\n\n{\"a\":1}", "{\"a\":1}" },
		{ "so I think {\"x\":1}\n</think>{\"a\":1}", "{\"a\":1}" },
		{ "<think>{\"a\":1}", NULL },
		{ "{\"a\":[1,2", NULL },
		{ "```json\n{\"a\":[1,\n```", NULL },
		{ "I cannot do that.", NULL },
		{ "", NULL },
		{ "{\"a\":NaN}", NULL },
	};

	for (size_t i = 0; i < NELEM(texts); i++) {
		const struct json *v;
		struct buf b;

		buf_init(&b, 1000);
		if (json_in_text(texts[i].text, strlen(texts[i].text), &a, &v, NULL) == 0)
			json_write(&b, v);
		is_str(b.data, texts[i].json ? texts[i].json : "", "in: %.20s", texts[i].text);
		buf_release(&b);
	}
	size_t len = strlen(" <think>hm</think>\n yes ");
	const char *s = json_after_thoughts(" <think>hm</think>\n yes ", &len);
	ok(len == 3 && memcmp(s, "yes", 3) == 0, "an answer without its thoughts");
}

int
main(void)
{
	test_check();
	test_known();
	test_long_path();
	test_in_text();
	arena_release(&a);
	return tap_done();
}
