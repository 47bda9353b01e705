/*
 * rerank.c: question and passages are sent as one JSON text, so that nothing in a passage can be
 * mistaken for the frame around it:
 *
 *	{"question":"...","asked":"2024-05-20","passages":[{"n":1,"by":"Mara","said":"2024-05-01",
 *	 "text":"..."}, ...]}
 *
 * The answer is a list of numbers between 1 and n; the JSON schema permits nothing else. A number
 * that is repeated counts where it came first.
 */
#include "search/rerank.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/embedded.h"
#include "base/utf8.h"

/* tokens of the answer to allow for each passage */
#define NUMBER_TOKENS 4
#define SPARE_TOKENS  40

static void
write_day(struct buf *b, const char *key, int64_t time_us)
{
	char day[TIME_TEXT];

	if (time_us != TIME_NONE)
		json_str(b, key, time_format_day(time_us, day));
}

static void
write_question(struct buf *b, const char *question, size_t len, const struct rerank_text *texts,
	size_t n)
{
	json_open(b);
	json_strn(b, "question", question, len);
	write_day(b, "asked", clock_now_us());
	json_array_open(b, "passages");
	for (size_t i = 0; i < n; i++) {
		json_object_open(b, NULL);
		json_int(b, "n", (int64_t)i + 1);
		if (texts[i].by_len > 0)
			json_strn(b, "by", texts[i].by, texts[i].by_len);
		write_day(b, "said", texts[i].time_us);
		json_strn(b, "text", texts[i].text,
		    utf8_clip(texts[i].text, texts[i].len, RERANK_TEXT_BYTES));
		json_close(b);
	}
	json_array_close(b);
	json_close(b);
}

static void
write_schema(struct buf *b, size_t n)
{
	buf_addf(b,
	    "{\"type\":\"object\",\"required\":[\"order\"],\"properties\":{\"order\":{\"type\":"
	    "\"array\",\"minItems\":1,\"items\":"
	    "{\"type\":\"integer\",\"minimum\":1,\"maximum\":%zu}}}}",
	    n);
}

/* Fills order with the numbers that were named, then with the others. */
static void
fill_order(const struct json *named, size_t n, uint32_t *order)
{
	FREED bool *taken = xcalloc(n, sizeof(*taken));
	size_t n_taken = 0;

	for (size_t i = 0; i < named->len; i++) {
		uint32_t at = (uint32_t)named->u.items[i].u.number - 1;
		if (!taken[at])
			order[n_taken++] = at;
		taken[at] = true;
	}
	for (uint32_t i = 0; i < n; i++)
		if (!taken[i])
			order[n_taken++] = i;
}

static bool
is_enough(const struct rerank_text *texts, size_t n)
{
	size_t i = 0;

	while (i < n && texts[i].score >= conf_real("rerank_enough"))
		i++;
	return i == n;
}

enum rerank_did
rerank(struct llm *l, const char *question, size_t len, const struct rerank_text *texts, size_t n,
	struct arena *a, uint32_t *order, struct reranked *out)
{
	struct llm_question q = { .system = embedded_find("schema/prompts/rerank.txt")->text,
		.max_tokens = (int64_t)(NUMBER_TOKENS * n + SPARE_TOKENS) };
	struct llm_answer got;
	bool done;

	*out = (struct reranked){ .was = 0 };
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	if (n < 2)
		return RERANK_NOTHING;
	if (is_enough(texts, n)) {
		out->note = "the model was not asked: each is near enough";
		return RERANK_SPARED;
	}
	LOCAL(buf) text = buf_of(conf_caps.output_bytes);
	LOCAL(buf) schema = buf_of(conf_caps.output_bytes);
	write_question(&text, question, len, texts, n);
	write_schema(&schema, n);
	q.text = text.data;
	q.schema = schema.data;
	done = llm_ask(l, &q, a, &got) == 0;
	if (done) {
		fill_order(json_get(got.json, "order"), n, order);
		out->model = got.model;
	} else {
		out->note = got.note;
	}
	return done ? RERANK_DONE : RERANK_FAILED;
}

void
reranked_write(struct buf *out, const struct reranked *r)
{
	if (r->was > 0)
		json_int(out, "was", (int64_t)r->was);
	if (r->model != NULL && *r->model != '\0')
		json_str(out, "model", r->model);
	json_str(out, "note", r->note);
}
