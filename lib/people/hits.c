/*
 * hits.c: hits of conversations are kept until the question's end: those of a session stand
 * together, where its best one would, and what is unlikely is shown only where all is.
 */
#include "people/hits.h"

#include <math.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "facts/subject.h"
#include "records/handles.h"
#include "records/title.h"
#include "store/vectors.h"

#define VERY_LIKELY 0.7
#define UUID_BYTES  36             /* of the names that agents give to sessions ... */
#define UUID_FIRST  8              /* ... of which so many say which it is */

/* A hit for people. hidden: printed only where all are unlikely. */
struct shown {
	char *session, id[ID_TEXT];
	bool unlikely, hidden, done;
	struct buf text;
};

void
shown_init(struct shown_hits *v, const struct scope *who, bool explain)
{
	*v = (struct shown_hits){ .who = who, .explain = explain };
	buf_init(&v->handles, conf_caps.output_bytes);
}

void
shown_release(struct shown_hits *v)
{
	id_ends_free(&v->ends);
	free(v->all);
	buf_release(&v->handles);
}

/* Prints why the hit has its rank. */
static void
print_reasons(const struct search_hit *h, const struct hit_view *v)
{
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);

	buf_addf(&b, "score %.3f  bm25 %.3f  coverage %.2f", (double)h->score, (double)h->bm25,
	    (double)h->coverage);
	if (!isnan(h->sim))
		buf_addf(&b, "  sim %.3f", (double)h->sim);
	for (size_t i = 0; i < v->n_found; i++) {
		buf_adds(&b, i == 0 ? "\nwords: " : ", ");
		buf_add(&b, v->found[i], v->found_len[i]);
	}
	buf_adds(&b, "\n");
	for (size_t i = 0; i < N_SIGNALS; i++)
		if (h->x[i] != 0)
			buf_addf(&b, "%s %.2f  ", signals[i].name, (double)h->x[i]);
	print_wrapped(prog_out(), b.data, b.len, MIN(prog_columns(), 100), 4);
	buf_addc(prog_out(), '\n');
}

/* The id, as short as tells it from others. */
static const char *
short_id(struct shown_hits *v, const char *id)
{
	return id_end(&v->ends, v->store, v->who, id);
}

/* How likely an answer is, in steps: percents of an estimate would look like more than it is. */
static const char *
dots_of(double p)
{
	return p >= VERY_LIKELY		   ? "\u25cf\u25cf\u25cf"
	    : p >= conf_real("likely")	   ? "\u25cf\u25cf\u25cb"
	    : p >= conf_real("unlikely") ? "\u25cf\u25cb\u25cb"
					   : "\u25cb\u25cb\u25cb";
}

/* Prints a hit but for its number, which it has when all of the question are there. */
static void
print_hit(const struct search_hit *h, const struct hit_view *v, const char *id, bool explain)
{
	struct buf *out = prog_out();
	const struct message *m = h->message;
	const char *who = message_by(m);
	char day[TIME_TEXT];

	if (!isnan(h->p))
		buf_addf(out, "%s  ", dots_of((double)h->p));
	buf_addf(out, "%-10s  ", time_format_day_local(m->time_us, day));
	print_line(out, who, strlen(who), 20);
	buf_addf(out, "  %s\n", id);
	print_marked(out, m->content + v->snippet_start, v->snippet_len, MIN(prog_columns(), 100),
	    4, v->marks, prog_color() ? v->n_marks : 0);
	buf_addc(out, '\n');
	if (explain)
		print_reasons(h, v);
}

void
shown_said(struct shown_hits *v, const struct search_hit *h, const struct hit_view *view)
{
	struct buf *out = prog_out();
	size_t start = out->len;
	struct shown *s = xpush(v->all, v->n, v->cap);

	*s = (struct shown){ .session = xstrdup(h->message->session),
		.unlikely = !isnan(h->p) && (double)h->p < conf_real("unlikely"),
		.hidden = !v->explain && !search_hit_is_shown(h, v->n) };
	memcpy(s->id, h->message->id, sizeof(s->id));
	print_hit(h, view, short_id(v, h->message->id), v->explain);
	buf_init(&s->text, conf_caps.output_bytes);
	buf_add(&s->text, out->data + start, out->len - start);
	out->len = start;
}

void
shown_record(struct shown_hits *v, const struct tier_hit *h)
{
	const struct record_head *r = &h->record->head;
	int64_t from = h->record->valid_from_us, until = h->record->valid_to_us;
	struct buf *out = prog_out();
	LOCAL(arena) whose = ARENA_INIT;
	const char *text = fact_brief(h->record, &whose);
	char day[TIME_TEXT];

	handles_add(&v->handles, ++v->n_numbers, r->id);
	buf_addf(out, "%2zu  ", v->n_numbers);
	if (!isnan(h->p))
		buf_addf(out, "%s  ", dots_of(h->p));
	buf_addf(out, "%-10s  %s  %s", time_format_day_local(r->time_us, day),
	    r->type == RECORD_FACT	    ? "fact"
		: r->type == RECORD_SUMMARY ? "summary"
					    : "reflection",
	    short_id(v, r->id));
	if (r->type == RECORD_FACT && until != TIME_NONE && until <= clock_now_us())
		buf_addf(out, "  until %s", time_format_day_local(until, day));
	if (r->type == RECORD_FACT && from > clock_now_us())
		buf_addf(out, "  from %s", time_format_day_local(from, day));
	buf_addc(out, '\n');
	print_wrapped(out, text, strlen(text), MIN(prog_columns(), 100), 4);
	buf_addc(out, '\n');
}

void
shown_category(const struct category *c, size_t rank)
{
	const char *text = *c->name != '\0' ? c->name : c->keywords;
	struct buf *out = prog_out();

	buf_addf(out, "%2zu  category %s, %lld record%s  ", rank, c->id, (long long)c->n_members,
	    PLURAL(c->n_members));
	print_line(out, text, strlen(text), 60);
	buf_adds(out, "\n\n");
}

void
shown_work(struct shown_hits *v, const struct work *w, size_t rank)
{
	struct buf *out = prog_out();
	LOCAL(buf) lines = buf_of(conf_caps.output_bytes);
	char day[TIME_TEXT];

	work_lines(&lines, w);
	buf_addf(out, "%2zu  %-10s  ", rank, time_format_day_local(w->time_us, day));
	print_line(out, w->session, strlen(w->session), 36);
	buf_addf(out, "  %s\n", short_id(v, w->id));
	handles_add(&v->handles, rank, w->id);
	print_wrapped(out, lines.data, lines.len, MIN(prog_columns(), 100), 4);
	buf_addc(out, '\n');
}

/* Prints which session the hits below are of: its title, and its name as "-s" takes it. */
static void
print_session(const struct shown_hits *v, const char *name)
{
	struct buf *out = prog_out();
	LOCAL(arena) arena = ARENA_INIT;
	const struct session *found = NULL;
	const char *title = name;
	size_t len = strlen(name) == UUID_BYTES && name[UUID_FIRST] == '-' ? UUID_FIRST
									   : strlen(name);
	int room = MAX(MIN(prog_columns(), 100) - (int)MIN(len, (size_t)36) - 2, 20);

	if (sessions_find(v->store, v->who, name, &arena, &found, NULL) == 0 && found != NULL &&
	    session_title(v->store, v->who, found, &arena, &title, NULL) != 0)
		title = name;
	buf_adds(out, prog_color() ? "\x1b[1m" : "");
	print_line(out, title, strlen(title), room);
	buf_adds(out, prog_color() ? "\x1b[0m" : "");
	if (strcmp(title, name) != 0) {
		buf_adds(out, "  ");
		print_line(out, name, len, 36);
	}
	buf_addc(out, '\n');
}

/* Prints the kept hits, those of a session together, where its best one stands. */
static void
print_kept(struct shown_hits *v, bool all)
{
	for (size_t i = 0; i < v->n; i++) {
		bool first = true;

		if (v->all[i].done || (v->all[i].hidden && !all))
			continue;
		for (size_t k = i; k < v->n; k++) {
			struct shown *s = &v->all[k];

			if (s->done || (s->hidden && !all) ||
			    strcmp(s->session, v->all[i].session) != 0)
				continue;
			if (first)
				print_session(v, s->session);
			first = false;
			s->done = true;
			handles_add(&v->handles, ++v->n_numbers, s->id);
			buf_addf(prog_out(), "%2zu  ", v->n_numbers);
			buf_add(prog_out(), s->text.data, s->text.len);
		}
	}
}

void
shown_end(struct shown_hits *v, size_t n_put)
{
	size_t n_unlikely = 0, n_hidden = 0;

	for (size_t i = 0; i < v->n; i++) {
		n_unlikely += v->all[i].unlikely;
		n_hidden += v->all[i].hidden;
	}
	bool all = n_unlikely == n_put;
	if (n_unlikely > 0 && all && !v->explain)
		buf_adds(prog_out(), "nothing likely; what comes nearest:\n\n");
	print_kept(v, all);
	if (n_hidden > 0 && !all && prog_flush() == PROG_OUT_OK)
		prog_note("%zu unlikely %s not shown (setting unlikely)", n_hidden,
		    n_hidden == 1 ? "hit is" : "hits are");
	handles_keep(&v->handles, v->who->user);
	buf_reset(&v->handles);
	for (size_t i = 0; i < v->n; i++) {
		free(v->all[i].session);
		buf_release(&v->all[i].text);
	}
	v->n = v->n_numbers = 0;
}

/* ---- which model ---- */

struct other {
	const struct vector_model *searched;
	char name[sizeof(((struct vector_model *)NULL)->name)];
};

static int
on_model(void *arg, const struct vector_model *m)
{
	struct other *o = arg;

	if (memcmp(m->sha256, o->searched->sha256, SHA256_BYTES) == 0)
		return 0;
	snprintf(o->name, sizeof(o->name), "%s", m->name);
	return 1;
}

void
shown_model(const struct shown_hits *v)
{
	struct other o = { .name = "" };
	struct vectors *searched;

	if (vectors_open(v->store, v->who, &searched, NULL) != 0)
		return;
	o.searched = &vectors_info(searched)->model;
	if (*o.searched->name != '\0' && vectors_models(v->store, on_model, &o, NULL) == 0 &&
	    *o.name != '\0')
		prog_note("searching with the vectors of '%s': those of '%s' are not complete yet "
			  "(mem-embed --all-users)", o.searched->name, o.name);
	vectors_close(searched);
}
