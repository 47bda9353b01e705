/*
 * finding.c: a finding as a record.
 */
#include "audit/audit.h"
#include "json/json.h"

static void
record_place(struct buf *out, const struct memory_item *r)
{
	json_open(out);
	json_str(out, "form", r->form);
	if (*r->file != '\0')
		json_str(out, "file", r->file);
	if (r->line > 0)
		json_int(out, "line", (int64_t)r->line);
	if (*r->id != '\0')
		json_str(out, "id", r->id);
	json_time(out, "time", r->time_us);
	json_strn(out, "content", r->content, r->len);
	json_close(out);
}

static void
record_evidence(struct buf *out, const struct evidence *e)
{
	json_open(out);
	json_str(out, "id", e->id);
	if (e->turn >= 0) {                    /* a fact or a note has none */
		json_str(out, "session", e->session);
		json_int(out, "turn", e->turn);
	}
	json_time(out, "time", e->time_us);
	json_strn(out, "quote", e->quote, e->len);
	json_close(out);
}

void
finding_record(struct buf *out, const struct finding *f)
{
	json_record(out, "finding");
	json_str(out, "kind", finding_kind_names[f->kind]);
	json_str(out, "why", f->why);
	json_array_open(out, "records");
	for (size_t i = 0; i < f->n_records; i++) {
		json_next(out);
		record_place(out, f->records[i]);
	}
	json_array_close(out);
	if (f->newer != NULL)
		json_int(out, "newer", f->newer == f->records[1]);
	json_array_open(out, "evidence");
	for (size_t i = 0; i < f->n_evidence; i++) {
		json_next(out);
		record_evidence(out, &f->evidence[i]);
	}
	json_array_close(out);
	json_end(out);
}
