/*
 * memories_remember.c: what another program remembers, stored as facts of origin "import".
 */
#include "audit/memories.h"
#include "base/conf.h"
#include "facts/remember.h"

struct storing { const struct memories_sink *sink; const struct memory_item *items; };

static void
put_refused(void *arg, uint64_t number, const char *text, size_t len, const char *why)
{
	const struct storing *v = arg;
	const struct memory_item *it = &v->items[number - 1];
	char where[512];

	(void)text;
	(void)len;
	snprintf(where, sizeof(where), "%.400s:%llu", it->file,
	    (unsigned long long)(it->line > 0 ? it->line : number));
	v->sink->bad(where, why);
}

static void
note_verdict(void *arg, const struct verdict *v, const struct fact *f)
{
	const struct storing *to = arg;

	(void)f;
	if (to->sink->known != NULL &&
	    (strcmp(v->did, "duplicate") == 0 || strcmp(v->did, "forgotten") == 0))
		to->sink->known(to->sink->arg, (size_t)v->line, v->of);
}

/* The record, with what it is said of before its words. */
static void
write_line(struct buf *line, const struct memory_item *it)
{
	bool has_name = *it->about != '\0' &&
	    strncmp(it->content, it->about, strlen(it->about)) != 0;
	LOCAL(buf) text = buf_of(conf_caps.line_bytes);

	if (has_name)
		buf_addf(&text, "%s: ", it->about);
	buf_add(&text, it->content, it->len);
	json_open(line);
	json_str(line, "type", "fact");
	if (it->time_us != TIME_NONE)
		json_time(line, "time", it->time_us);
	json_str(line, "origin", "import");
	if (it->host != NULL)
		json_str(line, "id", it->id);
	else if (*it->id != '\0')
		json_str(line, "source_id", it->id);
	json_strn(line, "content", text.data, text.len);
	if (it->until_us != TIME_NONE)
		json_time(line, "valid_to", it->until_us);
	if (it->host != NULL) {
		json_str(line, "project", it->project);
		json_str(line, "category", it->is_rule ? "rules" : "facts");
		/* a file of a project may be of whoever wrote what was cloned */
		if (it->is_rule && *it->project != '\0')
			json_int(line, "trust", origin_trust(ORIGIN_TOOL));
		json_str(line, "host", it->host);
		json_str(line, "file", it->file);
	}
	json_close(line);
}

static int
remember_item(struct remember *r, const struct memory_item *it, size_t number, struct err *err)
{
	LOCAL(buf) line = buf_of(2 * conf_caps.line_bytes);

	write_line(&line, it);
	int rc = remember_add(r, line.data, line.len, number, err);
	if (rc != 0 || remember_is_full(r))
		rc = rc != 0 ? -1 : remember_commit(r, err);
	return rc;
}

int
memories_remember(struct store *s, const struct scope *who, const struct memory_item *items,
	size_t n, const struct memories_sink *sink, struct remember_counts *counts, struct err *err)
{
	struct fact_rules rules = fact_rules_of(who, RECORD_FACT);
	struct storing v = { sink, items };
	const struct remember_fn fn = { note_verdict, put_refused, sink->without, &v };
	struct remember *r = NULL;
	struct err bad = ERR_INIT;
	uint64_t n_refused = 0;

	rules.even_off = true;
	int rc = remember_open(s, who, &rules, &fn, &r, err);
	if (rc == 0 && sink->only_judges)
		remember_only_judge(r);
	for (size_t i = 0; rc == 0 && i < n && *sink->stop == 0; i++)
		if (remember_item(r, &items[i], i + 1, &bad) != 0) {
			if (bad.code != ERR_DATA)
				*err = bad, rc = -1;
			else
				put_refused(&v, i + 1, "", 0, bad.msg);
			n_refused += rc == 0;
			err_clear(&bad);
		}
	if (rc == 0)
		rc = remember_commit(r, err);
	if (r != NULL)
		*counts = *remember_counts(r);
	counts->refused += n_refused;
	remember_close(r);
	return rc;
}
