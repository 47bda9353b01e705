/*
 * remember_tool.c: stores what a client says, as an assistant's words and no person's. It goes a
 * few texts at a time, so that the client can be told how far it is and may call it off; what was
 * stored until then stays.
 */
#include <strings.h>

#include "base/conf.h"
#include "facts/remember.h"
#include "mcp/memory_parts.h"
#include "records/filter.h"

#define AT_ONCE 20                         /* texts in a transaction */

static void
put_verdict(void *arg, const struct verdict *v, const struct fact *f)
{
	struct memory_told *t = arg;

	(void)f;
	json_next(&t->records);
	record_verdict(&t->records, conf_text("user"), v);
	buf_adds(t->text, v->did);
	if (*v->id != '\0')
		buf_addf(t->text, " %s", v->id);
	if (*v->why != '\0')
		buf_addf(t->text, *v->of != '\0' ? ", %s: %s" : ", %s", v->why, v->of);
	buf_addc(t->text, '\n');
}

void
memory_refuse(struct memory_told *t, const char *why)
{
	json_item(&t->refused, why, strlen(why));
	buf_addf(t->text, "refused: %s\n", why);
}

static void
put_bad(void *arg, uint64_t line, const char *text, size_t len, const char *why)
{
	struct memory_told *t = arg;

	(void)line;
	(void)text;
	(void)len;
	memory_refuse(t, why);
}

static void
put_without(void *arg, const char *why)
{
	struct memory_told *t = arg;

	snprintf(t->without, sizeof(t->without), "%s", why);
}

/* Reads a time as people write it into the form that records have. */
static int
read_time(const struct json *args, const char *key, struct arena *a, const char **out,
	struct err *err)
{
	const char *text = memory_text(args, key);
	char *iso = arena_alloc(a, TIME_TEXT);
	int64_t us, end_us;

	*out = "";
	if (text == NULL)
		return 0;
	if (filter_time(key, text, clock_now_us(), &us, &end_us, err) != 0)
		return -1;
	*out = time_format(us, iso);
	return 0;
}

static void
read_sources(const struct json *list, struct fact_rules *k, struct arena *a)
{
	struct record_source *all;

	if (list == NULL || list->len == 0)
		return;
	all = arena_zalloc(a, list->len * sizeof(*all));
	for (size_t i = 0; i < list->len; i++)
		all[i].id = list->u.items[i].u.string;
	k->sources = all;
	k->n_sources = list->len;
}

static int
read_rules(const struct scope *who, const struct json *args, struct fact_rules *k,
	struct arena *a, struct err *err)
{
	const char *type = memory_text(args, "type"), *bank = json_text(args, "bank");
	const struct json *tags = json_get(args, "tags");

	*k = fact_rules_of(who,
	    type == NULL || strcmp(type, "fact") == 0 ? RECORD_FACT : RECORD_REFLECTION);
	k->session = who->session;
	k->key = json_text(args, "key");
	k->bank = bank;
	k->category = json_text(args, "category");
	k->kind = json_text(args, "kind");
	k->importance = json_get_number(args, "importance", -1);
	k->confidence = json_get_number(args, "confidence", -1);
	k->keep_secrets = conf_bool("keep_secrets");
	if (*k->key != '\0' && json_get(args, "texts")->len > 1)
		return err_set(err, ERR_DATA, "a key is of one text: of two, the later would hold");
	if (*bank != '\0' && fact_bank_named(bank, a) == NULL)
		return err_set(err, ERR_DATA, "unknown bank '%.100s': %s", bank,
		    conf_text("banks"));
	if (tags != NULL) {
		LOCAL(buf) b = buf_of(conf_caps.line_bytes);
		json_write(&b, tags);
		k->tags = arena_strndup(a, b.data, b.len);
	}
	read_sources(json_get(args, "sources"), k, a);
	return read_time(args, "valid_from", a, &k->valid_from, err) != 0
	    ? -1
	    : read_time(args, "valid_to", a, &k->valid_to, err);
}

/* A project that is not known yet is a new one, but by its last parts no other may be meant. */
static int
find_scope(struct memory *m, const struct json *args, struct arena *a, struct scope *who,
	struct err *err)
{
	struct err none = ERR_INIT;

	if (memory_here(m, args, a, who, &none) == 0 || none.code == ERR_NOINPUT)
		return 0;
	*err = none;
	return -1;
}

/* A text that begins with a brace would be taken for a record: each becomes one. */
static void
add_line(struct remember *r, const char *text, size_t len, struct memory_told *t)
{
	struct err bad = ERR_INIT;
	LOCAL(buf) b = buf_of(conf_caps.line_bytes);

	json_open(&b);
	json_str(&b, "origin", origin_names[ORIGIN_ASSISTANT]);
	json_time(&b, "time", clock_now_us());
	json_strn(&b, "content", text, len);
	json_close(&b);
	if (remember_add(r, b.data, b.len, 0, &bad) != 0)
		memory_refuse(t, bad.msg);
}

static int
add_text(struct remember *r, const struct json *text, struct memory_told *t, struct err *err)
{
	size_t at = 0, n;

	do {
		if (remember_is_full(r) && remember_commit(r, err) != 0)
			return -1;
		n = remember_one(r, text->u.string + at, text->len - at);
		add_line(r, text->u.string + at, n, t);
		at += n;
	} while (at < text->len);
	return 0;
}

static int
add_texts(void *arg, const struct mcp_call *call, struct remember *r, struct memory_told *t,
	struct err *err)
{
	const struct json *texts = json_get(call->args, "texts");

	(void)arg;
	for (size_t i = 0; i < texts->len; i++) {
		bool last = i + 1 == texts->len;

		if (add_text(r, &texts->u.items[i], t, err) != 0)
			return -1;
		if (!last && (i + 1) % AT_ONCE != 0 && !remember_is_full(r))
			continue;
		if (remember_commit(r, err) != 0)
			return -1;
		if (mcp_progress(call, (int64_t)i + 1, (int64_t)texts->len, "texts stored"))
			return 0;
	}
	return 0;
}

static void
write_result(const struct remember_counts *n, const struct memory_told *t, struct buf *out)
{
	json_open(out);
	json_int(out, "stored", (int64_t)(n->stored + n->superseded + n->conflicts));
	json_int(out, "known", (int64_t)n->duplicates);
	json_int(out, "superseded", (int64_t)n->superseded);
	json_int(out, "conflicts", (int64_t)n->conflicts);
	json_array(out, "refused", &t->refused);
	json_array(out, "records", &t->records);
	if (t->without[0] != '\0')
		json_str(out, "without", t->without);
	json_close(out);
}

int
memory_remember(struct memory *m, const struct fact_rules *rules, const struct mcp_call *call,
	memory_adds_fn *add, void *arg, struct err *err)
{
	const struct scope who = { rules->user, rules->agent, rules->project, NULL };
	struct memory_told t = { .text = call->text };
	const struct remember_fn fn = { put_verdict, put_bad, put_without, &t };
	struct remember *r = NULL;
	int rc = -1;

	buf_init(&t.records, conf_caps.output_bytes);
	buf_init(&t.refused, conf_caps.output_bytes);
	if (memory_open(m, true, err) == 0 &&
	    remember_open(m->store, &who, rules, &fn, &r, err) == 0)
		rc = add(arg, call, r, &t, err);
	if (rc == 0)
		write_result(remember_counts(r), &t, call->structured);
	remember_close(r);
	buf_release(&t.records);
	buf_release(&t.refused);
	return rc;
}

int
remember_tool(void *arg, const struct mcp_call *call, struct err *err)
{
	struct memory *m = arg;
	struct scope who;
	struct fact_rules rules;

	return find_scope(m, call->args, call->arena, &who, err) == 0 &&
		read_rules(&who, call->args, &rules, call->arena, err) == 0
	    ? memory_remember(m, &rules, call, add_texts, NULL, err)
	    : -1;
}
