/*
 * fact_record_fields.c: writes facts, summaries, reflections and verdicts as JSON.
 */
#include "facts/fact_record.h"
#include "records/record.h"

static void
add_time(struct buf *out, const char *key, int64_t us)
{
	if (us != TIME_NONE)
		json_time(out, key, us);
}

void
record_sources(struct buf *out, const struct record_head *h, const char *const *quotes)
{
	if (h->n_sources == 0)
		return;
	json_key(out, "sources");
	buf_addc(out, '[');
	for (size_t i = 0; i < h->n_sources; i++) {
		if (i > 0)
			buf_addc(out, ',');
		json_open(out);
		json_str(out, "id", h->sources[i].id);
		if (h->sources[i].length > 0) {
			json_int(out, "start", h->sources[i].start);
			json_int(out, "length", h->sources[i].length);
		}
		if (quotes != NULL && quotes[i] != NULL)
			json_str(out, "quote", quotes[i]);
		json_close(out);
	}
	buf_addc(out, ']');
}

static void
add_fact(struct buf *out, const struct fact *f)
{
	record_text(out, "key", f->key);
	json_str(out, "bank", f->bank);
	json_str(out, "category", fact_root_names[f->category]);
	record_text(out, "subcategory", *f->subcategory != '\0' ? f->subcategory : f->found_in);
	json_str(out, "kind", fact_kind_names[f->kind]);
	json_num(out, "importance", f->importance);
	json_num(out, "confidence", f->confidence);
	add_time(out, "valid_from", f->valid_from_us);
	add_time(out, "valid_to", f->valid_to_us);
	if (f->n_supersedes > 0) {
		json_key(out, "supersedes");
		for (size_t i = 0; i < f->n_supersedes; i++) {
			buf_addc(out, i == 0 ? '[' : ',');
			json_write_string(out, f->supersedes[i], strlen(f->supersedes[i]));
		}
		buf_addc(out, ']');
	}
	record_text(out, "superseded_by", f->superseded_by);
	record_text(out, "summarized", f->summarized);
}

static void
add_summary(struct buf *out, const struct summary_keys *v)
{
	json_str(out, "kind", summary_kind_names[v->kind]);
	if (v->first != TIME_NONE)
		json_int(out, "first", v->first);
	if (v->last != TIME_NONE)
		json_int(out, "last", v->last);
	record_text(out, "model", v->model);
	if (v->structured != NULL && *v->structured != '\0')
		json_raw(out, "structured", v->structured, strlen(v->structured));
}

void
fact_record(struct buf *out, const char *user, const struct fact *f, const char *const *quotes)
{
	const struct record_head *h = &f->head;
	size_t extra = h->extra != NULL ? strlen(h->extra) : 0;
	bool stored = h->id[0] != '\0';

	json_open(out);
	if (h->type == RECORD_FACT)
		json_str(out, "type", "fact");
	else if (h->type == RECORD_SUMMARY)
		json_str(out, "type", "summary");
	else
		json_str(out, "type", "reflection");
	record_text(out, "id", h->id);
	json_str(out, "user", user);
	json_time(out, "time", h->time_us);
	record_text(out, "agent", h->agent);
	record_text(out, "project", h->project);
	record_text(out, "session", h->session);
	json_str(out, "origin", origin_names[h->origin]);
	if (h->trust >= 0)
		json_int(out, "trust", h->trust);
	record_sources(out, h, quotes);
	record_text(out, "source_id", h->source_id);
	json_strn(out, "content", h->content, h->content_len);
	if (h->type == RECORD_FACT)
		add_fact(out, f);
	else if (h->type == RECORD_SUMMARY)
		add_summary(out, &f->summary);
	if (h->tags != NULL && *h->tags != '\0')
		json_raw(out, "tags", h->tags, strlen(h->tags));
	if (h->guarded)
		json_bool(out, "protected", true);
	add_time(out, "retracted", h->retracted_us);
	if (h->n_accesses > 0) {
		json_time(out, "accessed", h->accessed_us);
		json_int(out, "accesses", h->n_accesses);
	}
	if (stored)
		json_time(out, "stored", h->stored_us);
	if (extra > 2) {                   /* splices the members of {"key":...} in after ours */
		buf_addc(out, ',');
		buf_add(out, h->extra + 1, extra - 2);
	}
	json_close(out);
}

void
record_verdict(struct buf *out, const char *user, const struct verdict *v)
{
	json_open(out);
	json_str(out, "type", "verdict");
	record_text(out, "id", v->id);
	json_str(out, "user", user);
	record_text(out, "session", v->session);
	json_str(out, "did", v->did);
	record_text(out, "of", v->of);
	record_text(out, "why", v->why);
	if (v->dry)
		json_bool(out, "dry", true);
	json_close(out);
}
