/* told.c: a bold line, fields of a name and a value under it, and text that is wrapped. */
#include "base/ascii.h"
#include "people/told.h"

#include <math.h>

#include "calls/calls.h"
#include "cli/print.h"
#include "cli/prog.h"

/* text is wrapped at this width, as longer lines are hard to read */
#define TEXT_COLUMNS 100
#define INDENT       4
#define CALLS_BYTES  2000              /* of what the calls of a turn did */

static void
bold(const char *text, const char *before)
{
	struct buf *out = prog_out();

	buf_adds(out, before);
	buf_adds(out, prog_color() ? "\x1b[1m" : "");
	print_line(out, text, strlen(text), prog_columns());
	buf_adds(out, prog_color() ? "\x1b[0m" : "");
}

static void
field(const char *key, const char *value)
{
	if (value == NULL || value[0] == '\0')
		return;
	buf_adds(prog_out(), "  ");
	print_line(prog_out(), key, strlen(key), TEXT_COLUMNS);
	buf_addc(prog_out(), ' ');
	print_line(prog_out(), value, strlen(value), TEXT_COLUMNS);
}

static const char *
time_or(int64_t us, const char *otherwise, char text[TIME_TEXT])
{
	return us == TIME_NONE ? otherwise : time_format_local(us, text);
}

/* Prints code as it was written, and wraps prose. */
static int
text_chunk(void *arg, const struct chunk *c)
{
	const struct message *m = arg;
	const char *p = m->content + c->start, *end = p + c->len;
	int columns = MIN(prog_columns(), TEXT_COLUMNS);

	buf_addc(prog_out(), '\n');
	if (c->kind == CHUNK_PROSE) {
		print_wrapped(prog_out(), p, c->len, columns, INDENT);
		return 0;
	}
	while (p < end) {
		const char *stop = ascii_line_end(p, end);

		if (stop > p)
			buf_addf(prog_out(), "%*s", INDENT, "");
		print_safe(prog_out(), p, (size_t)(stop - p));
		buf_addc(prog_out(), '\n');
		p = stop + 1;
	}
	return 0;
}

/* Prints what the calls of tools did. */
static void
text_calls(const char *tool_calls)
{
	LOCAL(arena) a = ARENA_INIT;
	const char *did = calls_said(tool_calls, CALLS_BYTES, &a);

	if (*did != '\0') {
		buf_addc(prog_out(), '\n');
		print_wrapped(prog_out(), did, strlen(did), MIN(prog_columns(), TEXT_COLUMNS),
		    INDENT);
	}
}

void
told_message(const struct message *m, bool asked, double importance, const char *because)
{
	struct message shown = *m;
	struct buf *out = prog_out();
	char text[TIME_TEXT], number[32];

	bold(message_by(m), asked ? "" : "  ");
	buf_addf(out, "  %s", time_or(m->time_us, "no time", text));
	field("in", m->session);
	buf_addf(out, ", turn %lld\n", (long long)m->turn);
	if (asked) {
		snprintf(number, sizeof(number), "%d", m->trust);
		field("id", m->id);
		field("source", m->source_id);
		buf_adds(out, "\n");
		field("role", role_names[m->role]);
		field("origin", origin_names[m->origin]);
		field("trust", number);
		field("agent", m->agent);
		field("project", m->project);
		field("stored", time_or(m->stored_us, "", text));
		snprintf(number, sizeof(number), "%u", m->n_tokens);
		field("tokens", number);
		buf_addc(out, '\n');
	}
	if (importance > 0) {
		buf_addf(out, "  importance %.1f: ", importance);
		print_line(out, because, strlen(because), MAX(prog_columns() - 20, 20));
		buf_addc(out, '\n');
	}
	chunk_each(m->content, m->content_len, text_chunk, &shown);
	text_calls(m->tool_calls);
	buf_addc(out, '\n');
}

void
told_session(const struct session *v, const char *title)
{
	struct buf *out = prog_out();
	char text[TIME_TEXT];

	bold(v->id, "");
	field("title", title);
	buf_addf(out, "\n  %lld message%s", (long long)v->n_messages, PLURAL(v->n_messages));
	field("from", time_or(v->created_us, "", text));
	field("to", time_or(v->updated_us, "", text));
	field("agent", v->agent);
	field("project", v->project);
	buf_adds(out, "\n\n");
}

static void
number(const char *key, float v)
{
	if (!isnan(v))
		buf_addf(prog_out(), "  %s %.3f", key, (double)v);
}

/* "mem-search fused  2026-01-01T00:00:00Z  out, rank 2, 31 tokens" */
void
told_answer(const struct why *w)
{
	struct buf *out = prog_out();
	char text[TIME_TEXT];

	bold(w->program, "");
	buf_addf(out, " %s  %s  %s", w->path, time_or(w->time_us, "", text),
	    handed_names[w->at.did]);
	if (w->at.rank > 0)
		buf_addf(out, ", rank %u", w->at.rank);
	if (w->at.tokens > 0)
		buf_addf(out, ", %u tokens", w->at.tokens);
	buf_addc(out, '\n');
}

/* How what was found, or left out, begins: its id says nothing to people. */
static void
first_words(struct store *s, const struct scope *who, const char *id, struct arena *a)
{
	const struct message *m = NULL;
	const struct fact *f = NULL;
	size_t room = MAX(prog_columns(), 80) - 41;

	if (messages_find(s, who, id, a, &m, NULL) == 0 && m != NULL)
		print_line(prog_out(), m->content, m->content_len, room);
	else if (records_find(s, who, id, a, &f, NULL) == 0 && f != NULL)
		print_line(prog_out(), f->head.content, f->head.content_len, room);
}

void
told_why(struct store *s, const struct scope *who, const struct why *w, struct arena *a)
{
	const struct handed *h = &w->at;
	struct buf *out = prog_out();

	told_answer(w);
	number("score", h->score);
	number("p", h->p);
	number("bm25", h->bm25);
	number("similarity", h->sim);
	buf_addc(out, '\n');
	for (size_t i = 0; h->x != NULL && i < N_SIGNALS; i++)
		if (h->x[i] != 0)
			buf_addf(out, "    %-16s %6.3f  %s\n", signals[i].name, (double)h->x[i],
			    signals[i].help);
	for (size_t i = 0; i < w->n; i++) {
		const struct handed *o = &w->items[i];

		buf_addf(out, "  %s  %-8s  ", w->ids[i], handed_names[o->did]);
		first_words(s, who, w->ids[i], a);
		buf_addc(out, '\n');
	}
	buf_addc(out, '\n');
}

/* The keys of a record that are not ours to know, such as the speaker and what found a fact. */
static void
more_fields(const struct record_head *h)
{
	LOCAL(arena) a = ARENA_INIT;
	const struct json *v;

	if (*h->extra != '\0' && json_parse(h->extra, strlen(h->extra), &a, &v, NULL) == 0 &&
	    v->kind == JSON_OBJECT && v->len > 0) {
		for (size_t i = 0; i < v->len; i++)
			if (v->u.members[i].value.kind == JSON_STRING)
				field(v->u.members[i].key, v->u.members[i].value.u.string);
		buf_addc(prog_out(), '\n');
	}
}

void
told_known(const struct fact *f, const char *later, const char *const *quotes, int64_t n_stale)
{
	const struct record_head *h = &f->head;
	struct buf *out = prog_out();
	char text[TIME_TEXT];

	bold(h->type == RECORD_FACT	    ? fact_kind_names[f->kind]
		: h->type == RECORD_SUMMARY ? "summary"
					    : "reflection",
	    "");
	buf_addf(out, "  %s", time_or(h->time_us, "no time", text));
	field("id", h->id);
	buf_addc(out, '\n');
	if (h->type == RECORD_FACT) {
		field("bank", f->bank);
		field("category", fact_root_names[f->category]);
		field("subcategory", *f->subcategory != '\0' ? f->subcategory : f->found_in);
		field("key", f->key);
		field("from", time_or(f->valid_from_us, "", text));
		field("to", time_or(f->valid_to_us, "", text));
		field("ended by", f->superseded_by);
		buf_addc(out, '\n');
	}
	more_fields(h);
	if (n_stale > 0) {
		snprintf(text, sizeof(text), "%lld since", (long long)n_stale);
		field("stale", text);
		buf_addc(out, '\n');
	}
	if (h->retracted_us != TIME_NONE) {
		field("retracted", time_format_local(h->retracted_us, text));
		buf_addc(out, '\n');
	}
	buf_addc(out, '\n');
	print_wrapped(out, h->content, h->content_len, MIN(prog_columns(), TEXT_COLUMNS), INDENT);
	if (*later != '\0')
		print_wrapped(out, later + 1, strlen(later + 1), MIN(prog_columns(), TEXT_COLUMNS),
		    INDENT);
	buf_addc(out, '\n');
	for (size_t i = 0; i < h->n_sources; i++) {
		field("source", h->sources[i].id);
		if (quotes[i] != NULL)
			field("says", quotes[i]);
		buf_addc(out, '\n');
	}
}

void
told_step(const struct step *v)
{
	char text[TIME_TEXT];

	buf_addf(prog_out(), "  %s  step %lld: %s%s%s\n", time_format_local(v->time_us, text),
	    (long long)v->no, step_names[v->did], *v->why != '\0' ? ", " : "", v->why);
}

void
told_before(const char *said)
{
	field("said before:", said);
	buf_addc(prog_out(), '\n');
}

void
told_category(const struct category *c)
{
	struct buf *out = prog_out();
	char text[TIME_TEXT];

	bold(*c->name != '\0' ? c->name : "no name yet", "");
	field("category of", fact_root_names[c->root]);
	field("id", c->id);
	buf_addf(out, "\n  %lld record%s", (long long)c->n_members, PLURAL(c->n_members));
	field("from", time_or(c->created_us, "", text));
	field("to", time_or(c->updated_us, "", text));
	buf_addc(out, '\n');
	field("words", c->keywords);
	buf_adds(out, "\n\n");
}
