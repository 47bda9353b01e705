/*
 * record: any JSON to record_read, as a line and as what a map made.
 */
#include "fuzz.h"

#include "ingest/ingest_record.h"
#include "json/json.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct record_rules rules = { "default", "", "", "s", true, false };
	static struct record_reader *reader;
	static struct arena a;
	struct err err = ERR_INIT;
	const struct json *v;
	struct record r;
	char *text = text_of(data, size, 1);

	if (reader == NULL)
		reader = record_reader_new();
	arena_reset(&a);
	if (json_parse(text, size, &a, &v, &err) == 0) {
		for (int mapped = 0; mapped < 2; mapped++) {
			if (record_read(reader, v, mapped, &rules, &a, &r, &err) != 0) {
				PROMISE(err.code == ERR_DATA && err.msg[0] != '\0');
				continue;
			}
			PROMISE(r.kind == RECORD_STATE || (r.user != NULL && r.user[0] != '\0'));
			if (r.kind == RECORD_MESSAGE) {
				const struct message *m = &r.message;
				PROMISE(m->session[0] != '\0' && m->content != NULL &&
				    m->name != NULL && m->source_id != NULL && m->extra != NULL);
				PROMISE(m->trust >= 0 && m->trust <= 3);
				if (m->extra[0] != '\0')
					PROMISE(json_parse(m->extra, strlen(m->extra), &a, &v,
						    &err) == 0);
				if (m->tool_calls[0] != '\0')
					PROMISE(json_parse(m->tool_calls, strlen(m->tool_calls), &a,
						    &v, &err) == 0);
				json_parse(text, size, &a, &v, &err);
			}
		}
	}
	free(text);
	return 0;
}
