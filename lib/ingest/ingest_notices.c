/*
 * ingest_notices.c: of many messages of one input that are noticed alike the first is told alone,
 * and the lines of the others together, when the input or all ends.
 */
#include "ingest/ingest_notices.h"

#include "base/conf.h"

#define LINES_NAMED 20                     /* of one input, in a notice */

void
notices_init(struct notices *n, const struct ingest_out *out)
{
	struct buf *all[] = { &n->differing.input, &n->differing.lines, &n->timeless.input,
		&n->timeless.lines };

	n->out = out;
	for (size_t i = 0; i < NELEM(all); i++)
		buf_init(all[i], conf_caps.output_bytes);
}

void
notices_release(struct notices *n)
{
	buf_release(&n->differing.input);
	buf_release(&n->differing.lines);
	buf_release(&n->timeless.input);
	buf_release(&n->timeless.lines);
}

void
notice_of(const struct ingest_out *out, const struct item *it, const char *why)
{
	char text[1200];

	if (out->warn == NULL)
		return;
	snprintf(text, sizeof(text), "%s:%llu: %s", it->name, (unsigned long long)it->line, why);
	out->warn(out->arg, text);
}

static void
end_notice(const struct ingest_out *out, struct notice *v, const char *what)
{
	char text[1200];

	if (v->n > 1 && out->warn != NULL) {
		snprintf(text, sizeof(text), "%.700s: %llu messages %s: lines%s%s", v->input.data,
		    (unsigned long long)v->n, what, v->lines.data,
		    v->n > LINES_NAMED ? " and others" : "");
		out->warn(out->arg, text);
	}
	v->n = 0;
}

void
notices_end(struct notices *n)
{
	end_notice(n->out, &n->differing, "are stored with other words, which stay");
	end_notice(n->out, &n->timeless,
	    "have a date that is none, or may be two days: they have no time");
}

/* Whether this is the first such message of its input; of the others the lines are told. */
static bool
is_first(struct notices *n, struct notice *v, const struct item *it)
{
	if (v->n > 0 && strcmp(v->input.data, it->name) != 0)
		notices_end(n);
	if (v->n == 0) {
		buf_reset(&v->lines);
		buf_reset(&v->input);
		buf_adds(&v->input, it->name);
	}
	if (v->n < LINES_NAMED)
		buf_addf(&v->lines, "%s %llu", v->n > 0 ? "," : "", (unsigned long long)it->line);
	return v->n++ == 0;
}

void
notices_differ(struct notices *n, const struct item *it)
{
	const char *id = it->message.source_id;
	char text[200];

	if (!is_first(n, &n->differing, it))
		return;
	snprintf(text, sizeof(text), "'%.100s' is stored with other words, which stay",
	    id[0] != '\0' ? id : it->message.id);
	notice_of(n->out, it, text);
}

void
notices_timeless(struct notices *n, const struct item *it)
{
	char text[200];

	if (!is_first(n, &n->timeless, it))
		return;
	snprintf(text, sizeof(text),
	    "'%.60s' is no date, or may be two days: it has no time (2026-05-12 is understood)",
	    it->no_time);
	notice_of(n->out, it, text);
}
