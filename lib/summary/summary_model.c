/*
 * summary_model.c: summaries by a language model. The model is shown the newest messages that fit;
 * each line that it writes is checked against them, and a line with a name, number or date that
 * nobody said is dropped. When no line is left, or the model does not answer, the caller falls back
 * on the rules.
 */
#include "summary/summary_parts.h"

#include "base/embedded.h"
#include "base/utf8.h"
#include "json/json.h"
#include "statement/details.h"
#include "text/tokens.h"

#define SHOWN_TOKENS 6000              /* tokens of the messages shown */
#define SAID_BYTES   2000              /* bytes shown of one message */
#define ROOM         512 /* tokens of the answer for all that is not the summary itself */
#define ITEMS_MOST   20

#define LIST "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}"
static const char session_schema[] =
	"{\"type\":\"object\",\"required\":[\"summary\"],\"properties\":{\"summary\":{\"type\":"
	"\"string\",\"minLength\":1},\"facts\":" LIST ",\"preferences\":" LIST ","
	"\"decisions\":" LIST
	",\"todos\":" LIST ",\"entities\":" LIST "}}";
static const char facts_schema[] = "{\"type\":\"object\",\"required\":[\"summary\"],\"properties\":"
				   "{\"summary\":{\"type\":\"string\",\"minLength\":1}}}";

struct checker { const struct term_set *said; const char *text; bool made_up; };

static int
check_detail(void *arg, const struct detail *d)
{
	struct checker *c = arg;

	c->made_up = !term_set_has(c->said, c->text + d->start, d->len);
	return c->made_up;
}

static bool
was_said(const struct term_set *said, const char *text, size_t len)
{
	struct checker c = { said, text, false };

	details_each(text, len, check_detail, &c);
	return !c.made_up;
}

static void
show_one(struct buf *b, const struct summary_said *v)
{
	char day[TIME_TEXT];

	if (v->speaker[0] != '\0')
		buf_adds(b, v->speaker);
	else
		buf_adds(b, "fact");
	if (v->time_us != TIME_NONE)
		buf_addf(b, " (%s)", time_format_day(v->time_us, day));
	buf_adds(b, ": ");
	buf_add(b, v->text, utf8_clip(v->text, v->len, SAID_BYTES));
	buf_addc(b, '\n');
}

/*
 * Returns the index of the oldest message that is shown: those from it to the newest fit into
 * SHOWN_TOKENS.
 */
static size_t
first_shown(const struct summary_said *said, size_t n)
{
	uint64_t left = SHOWN_TOKENS * 4ull;

	while (n > 0) {
		uint64_t cost =
		    tokens_quarters(said[n - 1].text, MIN(said[n - 1].len, SAID_BYTES)) + 48;
		if (cost > left)
			break;
		left -= cost;
		n--;
	}
	return n;
}

/* Appends the lines of text whose details were said, as far as they fit into room. */
static void
keep_said_lines(const struct term_set *said, const char *text, struct summary_room room,
	struct buf *out, struct summary_made *made)
{
	uint64_t left = (uint64_t)room.tokens * 4;
	size_t words = room.words;

	for (const char *p = text; *p != '\0';) {
		size_t len = strcspn(p, "\n"), n = len;
		const char *line = p;
		while (n > 0 && (*line == ' ' || *line == '-' || *line == '*'))
			line++, n--;
		uint64_t cost = tokens_quarters(line, n) + 3;
		if (n > 0 && !was_said(said, line, n)) {
			made->n_dropped++;
		} else if (n > 0 && cost <= left && summary_words(line, n) <= words) {
			buf_adds(out, out->len > 0 ? "\n- " : "- ");
			buf_add(out, line, n);
			left -= cost;
			words -= summary_words(line, n);
		}
		p += len + (p[len] == '\n');
	}
}

static const char *
keep_said_lists(const struct term_set *said, const struct json *v, struct arena *a,
	struct summary_made *made)
{
	LOCAL(buf) b = buf_of(1u << 20);

	json_open(&b);
	for (size_t i = 0; i < SUMMARY_PARTS; i++) {
		const struct json *items = json_get(v, summary_part_names[i]);
		size_t n = 0;
		json_array_open(&b, summary_part_names[i]);
		for (size_t k = 0; items != NULL && k < items->len && n < ITEMS_MOST; k++) {
			const struct json *item = &items->u.items[k];
			if (item->len == 0 || !was_said(said, item->u.string, item->len)) {
				made->n_dropped += item->len > 0;
				continue;
			}
			n++;
			json_item(&b, item->u.string, item->len);
		}
		json_array_close(&b);
	}
	json_close(&b);
	return arena_strndup(a, b.data, b.len);
}

static void
cite(const struct summary_said *said, size_t n, struct arena *a, struct summary_made *out)
{
	size_t from = n > RECORD_SOURCES_MAX ? n - RECORD_SOURCES_MAX : 0;
	struct record_source *sources = arena_alloc(a, (n + 1) * sizeof(*sources));

	out->trust = 3;
	for (size_t i = from; i < n; i++) {
		sources[i - from] = (struct record_source){ said[i].id, 0, 0 };
		out->trust = MIN(out->trust, said[i].trust);
	}
	out->sources = sources;
	out->n_sources = n - from;
}

bool
summary_by_model(enum summary_of of, const struct summary_said *said, size_t n,
	struct summary_room room, struct llm *l, struct arena *a, struct summary_made *out)
{
	bool session = of == SUMMARY_OF_SESSION;
	const struct embedded *rules = embedded_find(
	    session ? "schema/prompts/summary.txt" : "schema/prompts/consolidation.txt");
	struct llm_question q = { .system = rules->text,
		.schema = session ? session_schema : facts_schema,
		.max_tokens = room.tokens * 2 + ROOM };
	size_t from = session ? first_shown(said, n) : 0;
	LOCAL(term_set) known = { NULL, 0, 0 };
	struct llm_answer got;

	if (from == n)
		from = n - 1;                  /* a single message that is too long is shown cut */
	LOCAL(buf) shown = buf_of(1u << 20), b = buf_of(1u << 20);
	for (size_t i = from; i < n; i++)
		show_one(&shown, &said[i]);
	q.text = shown.data;
	if (llm_ask(l, &q, a, &got) == 0) {
		term_set_add(&known, shown.data, shown.len);
		keep_said_lines(&known, json_get_string(got.json, "summary", NULL), room, &b, out);
		if (b.len == 0)
			out->note = "the model said nothing that holds";
		out->structured = session ? keep_said_lists(&known, got.json, a, out) : "";
		out->model = arena_strdup(a, got.model[0] != '\0' ? got.model : "a model");
	} else if (got.why != LLM_OFF) {
		out->note = arena_strdup(a, got.note);
	}
	out->content = arena_strndup(a, b.data, b.len);
	out->len = b.len;
	if (b.len > 0) {
		cite(said + from, n - from, a, out);
	} else {
		out->model = "";
		out->n_dropped = 0;
	}
	return out->len > 0;
}
