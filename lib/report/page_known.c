/*
 * page_known.c: what is known and what was told, as a person reads it: what is open, what
 * contradicts, the facts that hold by bank, and what agents were given.
 */
#include "audit/audit.h"
#include "base/alloc.h"
#include "base/conf.h"
#include "facts/subject.h"
#include "hook/open_todo.h"
#include "records/named.h"
#include "report/page.h"
#include "search/decided.h"

#define OPEN_MOST   20             /* todos that are shown */
#define OPEN_LOOKED 60             /* the newest, of which is asked whether they are open */
#define PAIRS_MOST  12             /* contradictions that are shown */
#define PAIRS_OF    200            /* the newest facts, which are compared with each other */
#define FACTS_MOST  200            /* that are shown */
#define TOLD_MOST   40
#define FACT_BYTES  240
#define WORDS_BYTES 700            /* of a turn that was told */

struct known {
	struct store *s;
	const struct scope *who;
	struct buf *out;
	struct search *search;
	struct index *index;
	struct arena arena;
	struct id_ends ends;
	size_t n, looked;
	struct { const char *bank; struct buf items; size_t n; } *banks;
	size_t n_banks, cap_banks;
	struct err *err;
};

/* The end of an id that no other one has: what mem-edit takes. */
static void
put_id(struct known *k, struct buf *out, const char *id)
{
	buf_adds(out, " <code>");
	page_text(out, id_end(&k->ends, k->s, k->who, id));
	buf_adds(out, "</code>");
}

static int
put_fact(struct known *k, struct buf *out, const struct fact *f, struct arena *a)
{
	const char *shown = fact_brief(f, a);
	int64_t us = f->head.time_us != TIME_NONE ? f->head.time_us : f->head.stored_us;
	const char *later = "";

	if (decided_add(k->s, &k->index, k->who, f, a, &later, k->err) != 0)
		return -1;
	buf_adds(out, "<li class=\"i\">");
	page_clip(out, shown, strlen(shown), FACT_BYTES);
	page_clip(out, later, strlen(later), 2 * FACT_BYTES);
	buf_adds(out, " <small>");
	page_date(out, us);
	put_id(k, out, f->head.id);
	buf_adds(out, "</small></li>\n");
	return 0;
}

/* ---- what is open ---- */

static int
see_todo(void *arg, const struct fact *f)
{
	struct known *k = arg;
	enum todo_state state;

	arena_reset(&k->arena);
	if (todo_ended(f))
		return 0;
	if (open_todo(k->s, &k->search, k->who, f, &state, NULL, k->err) != 0)
		return -1;
	if (state != TODO_CLOSED) {
		if (put_fact(k, k->out, f, &k->arena) != 0)
			return -1;
		k->n++;
	}
	return k->n == OPEN_MOST || ++k->looked == OPEN_LOOKED;
}

static int
put_open(struct known *k)
{
	struct record_filter todos = RECORD_FILTER_ANY(RECORD_FACT);
	size_t start = k->out->len;

	todos.kind = FACT_TODO;
	todos.newest_first = true;
	todos.also = RECORDS_ENDED;
	todos.as_of_us = clock_now_us();
	buf_adds(k->out, "<section class=\"g\" id=\"open\">\n<h2>Open</h2>\n<ul>\n");
	if (records_each(k->s, k->who, &todos, see_todo, k, k->err) != 0)
		return -1;
	buf_adds(k->out,
	    "</ul>\n<p class=\"soft\">Done: <code>mem edit ID --valid-to today</code>, and when it "
	    "never was to be done, <code>--retract</code></p>\n</section>\n");
	if (k->n == 0)
		k->out->len = start;
	return 0;
}

/* ---- what is to be decided ---- */

static void
put_side(struct known *k, struct buf *out, const struct memory_item *m, bool newer)
{
	buf_adds(out, newer ? "<p><b class=\"tag\">later</b> " : "<p>");
	page_clip(out, m->content, m->len, FACT_BYTES);
	buf_adds(out, " <small>");
	if (m->time_us != TIME_NONE)
		page_date(out, m->time_us);
	put_id(k, out, m->id);
	buf_adds(out, "</small></p>\n");
}

static int
put_pair(void *arg, const struct finding *f)
{
	struct known *k = arg;

	if (f->n_records != 2)
		return 0;
	buf_addf(k->out, "<li class=\"i\"><small>%s</small>", f->why);
	put_side(k, k->out, f->records[0], f->newer == f->records[0]);
	put_side(k, k->out, f->records[1], f->newer == f->records[1]);
	buf_adds(k->out, "</li>\n");
	return ++k->n == PAIRS_MOST;
}

static int
put_contradictions(struct known *k)
{
	LOCAL(memories) m = { .n = 0 };
	size_t start = k->out->len;
	int rc = memories_of_store(&m, k->s, k->who, k->err);

	if (m.n > PAIRS_OF) {
		memmove(m.items, m.items + m.n - PAIRS_OF, PAIRS_OF * sizeof(*m.items));
		m.n = PAIRS_OF;
	}
	buf_adds(k->out, "<section class=\"g\" id=\"decide\">\n<h2>To decide</h2>\n<ul>\n");
	if (rc == 0)
		rc = audit_contradictions(&m, k->who, put_pair, k, k->err);
	buf_addf(k->out,
	    "</ul>\n<p class=\"soft\">Of the newest %d facts. What is not true: <code>mem edit ID "
	    "--retract</code>; all: <code>mem list conflicts</code></p>\n</section>\n", PAIRS_OF);
	if (k->n == 0)
		k->out->len = start;
	return rc;
}

int
page_known(struct store *s, const struct scope *who, struct buf *out,
	struct page_counts *counts, struct err *err)
{
	struct known k = { s, who, out, .arena = ARENA_INIT, .err = err };
	size_t start = out->len;

	buf_adds(out, "<div class=\"two\">\n");
	int rc = put_open(&k);
	counts->n_open = k.n;
	k.n = 0;
	if (rc == 0)
		rc = put_contradictions(&k);
	counts->n_decide = k.n;
	if (counts->n_open + counts->n_decide > 0)
		buf_adds(out, "</div>\n");
	else
		out->len = start;
	search_close(k.search);
	index_free(k.index);
	id_ends_free(&k.ends);
	arena_release(&k.arena);
	return rc;
}

/* ---- facts ---- */

static int
see_fact(void *arg, const struct fact *f)
{
	struct known *k = arg;
	bool done = false;
	size_t i = 0;

	if (k->n < FACTS_MOST && todo_done(k->s, &k->search, k->who, f, &done, k->err) != 0)
		return -1;
	if (*f->summarized != '\0' || done)
		return 0;
	while (i < k->n_banks && strcmp(k->banks[i].bank, f->bank) != 0)
		i++;
	if (i == k->n_banks) {
		xgrow(&k->banks, &k->cap_banks, i + 1, sizeof(*k->banks));
		k->banks[i].bank = arena_strdup(&k->arena, f->bank);
		k->banks[i].n = 0;
		buf_init(&k->banks[i].items, conf_caps.output_bytes);
		k->n_banks++;
	}
	k->banks[i].n++;
	return k->n++ < FACTS_MOST ? put_fact(k, &k->banks[i].items, f, &k->arena) : 0;
}

int
page_facts(struct store *s, const struct scope *who, struct buf *out, struct err *err)
{
	struct record_filter facts = RECORD_FILTER_ANY(RECORD_FACT);
	struct known k = { s, who, out, .arena = ARENA_INIT, .err = err };

	facts.newest_first = true;
	facts.as_of_us = clock_now_us();
	int rc = records_each(s, who, &facts, see_fact, &k, err);
	if (k.n > 0)
		buf_adds(out, "<section class=\"g\" id=\"facts\">\n<h2>Facts</h2>\n");
	for (size_t i = 0; i < k.n_banks; i++) {
		buf_adds(out, "<details class=\"g\"><summary>");
		page_text(out, k.banks[i].bank);
		buf_adds(out, " <small>");
		buf_add_count(out, (int64_t)k.banks[i].n);
		buf_adds(out, "</small></summary>\n<ul>\n");
		buf_add(out, k.banks[i].items.data, k.banks[i].items.len);
		buf_adds(out, "</ul>\n</details>\n");
		buf_release(&k.banks[i].items);
	}
	if (k.n > FACTS_MOST)
		buf_addf(out, "<p class=\"soft\">The newest %d are shown; all: <code>mem list facts"
		    "</code></p>\n", FACTS_MOST);
	if (k.n > 0)
		buf_adds(out, "</section>\n");
	free(k.banks);
	search_close(k.search);
	index_free(k.index);
	id_ends_free(&k.ends);
	arena_release(&k.arena);
	return rc;
}

/* ---- what was told ---- */

static void
put_words(struct buf *out, const struct page *p, const char *session, int64_t time_us,
	const char *who, const char *text, size_t len)
{
	buf_adds(out, "<blockquote><small>");
	page_text(out, who);
	if (time_us != TIME_NONE) {
		buf_adds(out, ", ");
		page_date(out, time_us);
	}
	for (size_t i = 0; session != NULL && i < p->n_sessions; i++)
		if (strcmp(p->sessions[i].id, session) == 0) {
			buf_addf(out, ", <a href=\"#s%zu\">", i);
			page_text(out, p->sessions[i].title);
			buf_adds(out, "</a>");
		}
	buf_adds(out, "</small>");
	page_clip(out, text, len, WORDS_BYTES);
	buf_adds(out, "</blockquote>\n");
}

/* Prints a message or fact that was told, as far as it is still there. */
static int
put_given(const struct page *p, struct store *s, const struct scope *who, const char *id,
	struct buf *out, struct arena *a, struct err *err)
{
	const struct message *m;
	const struct fact *f = NULL;

	if (messages_find(s, who, id, a, &m, err) < 0 ||
	    (m == NULL && records_find(s, who, id, a, &f, err) < 0))
		return -1;
	if (m != NULL) {
		put_words(out, p, m->session, m->time_us,
		    message_by(m), m->content, m->content_len);
	} else if (f != NULL) {
		const char *shown = fact_brief(f, a);
		put_words(out, p, NULL, f->head.time_us, "fact", shown, strlen(shown));
	} else {
		buf_adds(out, "<blockquote><small>removed since</small></blockquote>\n");
	}
	return 0;
}

int
page_told(const struct page *p, struct store *s, const struct scope *who, bool with_text,
	struct buf *out, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	const char *tag = with_text ? "details" : "div";
	char time[TIME_TEXT];
	int rc = 0;

	if (p->n_recalls == 0)
		return 0;
	buf_adds(out, "<section class=\"g\" id=\"told\">\n<h2>What agents were told</h2>\n"
		      "<p class=\"soft\">");
	page_some(out, p->n_recalls, "time");
	buf_adds(out, ", ");
	page_some(out, p->recall_tokens, "token");
	buf_adds(out, " in all</p>\n");
	page_days(out, p, "Tokens a day", PAGE_TOKENS);
	for (size_t i = 0; i < MIN(p->n_told, (size_t)TOLD_MOST) && rc == 0; i++) {
		const struct page_told *t = &p->told[p->n_told - 1 - i];
		const char *project = path_base(t->project);

		time_format_local(t->time_us, time);
		buf_addf(out, "<%s class=\"i told\">%s%.10s %.5s <b>", tag,
		    with_text ? "<summary>" : "", time, time + 11);
		page_text(out, t->host);
		buf_adds(out, "</b> ");
		page_text(out, project);
		buf_adds(out, " <small>");
		page_some(out, t->tokens, "token");
		buf_adds(out, ", ");
		page_some(out, (int64_t)t->n, "record");
		buf_addf(out, "</small>%s\n", with_text ? "</summary>" : "");
		for (size_t n = 0; with_text && n < t->n && rc == 0; n++) {
			rc = put_given(p, s, who, t->ids[n], out, &a, err);
			arena_reset(&a);
		}
		buf_addf(out, "</%s>\n", tag);
	}
	buf_adds(out, "</section>\n");
	return rc;
}
