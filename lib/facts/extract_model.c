/*
 * extract_model.c: one question is about many turns, numbered, so that the rules of the question
 * and the start of a command are paid once. Each fact of the answer names its turn; where it names
 * another than the one that has its quote, the only turn that has it is meant.
 */
#include "base/conf.h"
#include "base/embedded.h"
#include "facts/extract_parts.h"
#include "statement/merge_guard.h"
#include "statement/reading.h"
#include "statement/vouch.h"
#include "text/tokens.h"

#define ANSWER_LEAST 1024      /* tokens of an answer */
#define ANSWER_MOST  4096
#define FACTS_MOST   "64"
#define HALVINGS     2         /* of the turns of a question that has no answer: 7 calls at most */

/*
 * Puts the speaker in front of a key where several people share a memory, so that their facts do
 * not end each other: "ann:home".
 */
static const char *
own_key(struct extract *e, const struct extract_turn *t, const char *key)
{
	if (*key == '\0' || *t->name == '\0')
		return fact_key_clean(key, &e->arena);
	return arena_printf(&e->arena, "%s:%s", fact_key_clean(t->name, &e->arena),
	    fact_key_clean(key, &e->arena));
}

static const char answer_schema[] =
	"{\"type\":\"object\",\"required\":[\"facts\"],\"properties\":{\"facts\":{"
	"\"type\":\"array\",\"maxItems\":" FACTS_MOST ",\"items\":{\"type\":\"object\","
	"\"required\":[\"fact\",\"quote\"],\"properties\":{\"turn\":{\"type\":\"integer\"},"
	"\"fact\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":600},"
	"\"quote\":{\"type\":\"string\",\"minLength\":1},\"key\":{\"type\":\"string\"},"
	"\"kind\":{\"type\":\"string\"},\"category\":{\"type\":\"string\"},"
	"\"bank\":{\"type\":\"string\"},\"importance\":{\"type\":\"number\"}}}}}}";

static bool
has_quote(const struct extract_turn *t, const char *quote, size_t len)
{
	return extract_find(t->said, t->said_len, quote, len) != NULL;
}

/* ---- what a quote stands in ---- */

/* What a quote is of, since half of "never push" says something else; end 0: of nothing. */
struct quoted {
	size_t from, to;                       /* the quote */
	size_t start, end;                     /* its clauses */
	size_t sentence, sentence_end;
	bool own;                              /* its author vouches for them, and does not ask */
	struct voucher v;
};

static int
see_clause(void *arg, const struct clause *c)
{
	struct quoted *q = arg;
	enum vouch by = vouch_next(&q->v, c);

	if (c->start >= q->to || c->start + c->len <= q->from)
		return 0;
	if (q->end == 0) {
		q->start = c->start;
		q->sentence = c->sentence;
	}
	q->end = c->start + c->len;
	q->sentence_end = c->sentence + c->sentence_len;
	q->own &= (by == VOUCH_OWN || by == VOUCH_CONDITION) &&
	    (c->flags & (CLAUSE_QUOTED | CLAUSE_QUESTION)) == 0;
	return 0;
}

/* Finds it; false: the quote is of no statement of the author's, but of code or a question. */
static bool
find_quoted(const struct extract_turn *t, const char *quote, size_t len, struct quoted *q)
{
	const char *found = extract_find(t->said, t->said_len, quote, len);
	size_t at;

	if (found == NULL)
		return false;
	at = (size_t)(found - t->said);
	*q = (struct quoted){ .from = at, .to = at + len, .own = true };
	vouch_begin(&q->v, t->said, t->said_len, t->name, false);
	q->v.taken_back = t->taken_back;
	clauses_each(t->said, t->said_len, see_clause, q);
	while (q->sentence_end > q->end && strchr(" .\r\n", t->said[q->sentence_end - 1]) != NULL)
		q->sentence_end--;
	return q->end > 0 && q->own && q->sentence_end - q->sentence <= STATEMENT_BYTES;
}

/* Whether a sentence says what is claimed, as far as words tell it. */
static bool
bears_out(const struct extract_turn *t, const struct quoted *q, const char *claim, size_t len)
{
	const char *said = t->said + q->sentence;
	size_t n = q->sentence_end - q->sentence;
	struct reading of_said, of_claim;

	reading_of(t->said + q->start, q->end - q->start, NULL, &of_said);
	reading_of(claim, len, NULL, &of_claim);
	return merge_guard_claim(claim, len, said, n, t->said, t->said_len, t->name) == NULL &&
	    (strncmp(of_said.about, "other:", 6) != 0 ||
		strncmp(of_claim.about, "other:", 6) == 0);
}

void
extract_claim(struct extract *e, struct extract_turn *t, const struct json *v, const char *made)
{
	size_t fact_len, quote_len;
	const char *fact = json_get_string(v, "fact", &fact_len),
		   *quote = json_get_string(v, "quote", &quote_len), *bank;
	double importance = json_get_number(v, "importance", .5);
	const char *key = json_text(v, "key");
	struct quoted q;
	struct fact f = t->base;
	int kind = fact_kind_parse(json_text(v, "kind")),
	    root = fact_root_parse(json_text(v, "category"));

	if (fact == NULL || quote == NULL || !find_quoted(t, quote, quote_len, &q)) {
		e->counts.unquoted++;
		return;
	}
	quote = t->said + q.start;
	quote_len = q.end - q.start;
	if (!bears_out(t, &q, quote, quote_len)) {
		quote = t->said + q.sentence;
		quote_len = q.sentence_end - q.sentence;
	}
	if (!bears_out(t, &q, fact, fact_len)) {
		e->counts.reworded++;
		fact = extract_plain(e, quote, quote_len);
		fact_len = strlen(fact);
		key = "";
	}
	f.kind = kind >= 0 ? (enum fact_kind)kind : FACT_FACT;
	f.category = root >= 0 ? (enum fact_root)root : fact_kind_root(f.kind);
	bank = fact_bank_named(json_text(v, "bank"), &e->arena);
	f.bank = bank != NULL ? bank : fact_bank_named("", &e->arena);
	f.key = own_key(e, t, key);
	f.importance = MIN(MAX(importance, 0), 1);
	f.confidence = .9;
	f.head.extra = extract_extra(e, t, "", made);
	f.head.content = fact;
	f.head.content_len = fact_len;
	extract_hand_out(e, t, &f, quote, quote_len);
}

/* ---- a question ---- */

/* The turns that need a model, with their numbers; sessions are told apart. */
static void
write_question(struct buf *b, const struct extract_turn *turns, size_t n)
{
	const char *session = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct extract_turn *t = &turns[i];

		if (t->is_short)
			continue;
		if (session != NULL && strcmp(session, t->base.head.session) != 0)
			buf_adds(b, "(another conversation)\n\n");
		session = t->base.head.session;
		buf_addf(b, "Turn %zu", i + 1);
		if (*t->name != '\0')
			buf_addf(b, ", speaker %s", t->name);
		buf_adds(b, ":\n");
		buf_add(b, t->said, t->said_len);
		buf_adds(b, "\n\n");
	}
}

/* The turn that a fact of the answer is in; n: none, or more than one may be meant. */
static size_t
turn_of(const struct json *v, const struct extract_turn *turns, size_t n)
{
	double number = json_get_number(v, "turn", 0);
	size_t len, only = n;
	const char *quote = json_get_string(v, "quote", &len);

	if (number >= 1 && number <= (double)n && has_quote(&turns[(size_t)number - 1], quote, len))
		return (size_t)number - 1;
	for (size_t i = 0; i < n; i++) {
		if (turns[i].is_short || !has_quote(&turns[i], quote, len))
			continue;
		if (only != n)
			return n;
		only = i;
	}
	return only;
}

/* Hands out the facts of the answer in the order of their turns. */
static void
take_answer(struct extract *e, struct extract_turn *turns, size_t n, const struct llm_answer *got)
{
	const struct json *facts = json_get(got->json, "facts");
	const char *made = arena_printf(&e->arena, "model:%s", got->model);
	size_t *of = arena_alloc(&e->arena, facts->len * sizeof(*of) + 1);

	for (size_t i = 0; i < facts->len; i++) {
		of[i] = turn_of(&facts->u.items[i], turns, n);
		e->counts.unquoted += of[i] == n;
	}
	for (size_t t = 0; t < n && !e->stop; t++) {
		if (turns[t].is_short)
			extract_by_rules(e, &turns[t]);
		for (size_t i = 0; i < facts->len && !e->stop; i++)
			if (of[i] == t)
				extract_claim(e, &turns[t], &facts->u.items[i], made);
	}
}

/* Asks; -1 with why and, in the arena, what to tell of it. */
static int
ask(struct extract *e, struct extract_turn *turns, size_t n, enum llm_why *why,
	const char **note)
{
	const struct embedded *rules = embedded_find("schema/prompts/extract.txt");
	struct llm_question q = { .system = rules->text, .schema = answer_schema };
	struct llm_answer got;
	struct buf b;
	int64_t tokens;
	int rc = 0;

	buf_init(&b, conf_caps.output_bytes);
	write_question(&b, turns, n);
	q.text = arena_strndup(&e->arena, b.data, b.len);
	tokens = tokens_estimate(b.data, b.len);
	buf_release(&b);
	q.max_tokens = MIN(ANSWER_LEAST + tokens / 2, ANSWER_MOST);
	e->counts.asked++;
	if (e->estimates) {
		e->counts.tokens_in += tokens + tokens_estimate(rules->text, rules->len) +
		    tokens_estimate(answer_schema, sizeof(answer_schema));
		e->counts.tokens_out += q.max_tokens;
		return 0;
	}
	rc = llm_ask(e->llm, &q, &e->arena, &got);
	e->counts.tokens_in += got.tokens_in;
	e->counts.tokens_out += got.tokens_out;
	*why = got.why;
	*note = got.note;
	if (rc == 0) {
		e->counts.answered++;
		take_answer(e, turns, n, &got);
	}
	return rc;
}

/* One turn may spoil the answer for all, or there is too much to say of them: halves are tried. */
static void
ask_in_parts(struct extract *e, struct extract_turn *turns, size_t n, unsigned halvings)
{
	enum llm_why why = LLM_OK;
	const char *note;
	size_t n_asked = 0;

	for (size_t i = 0; i < n; i++)
		n_asked += !turns[i].is_short;
	if (n_asked == 0 && e->estimates)
		return;
	if (n_asked > 0 && ask(e, turns, n, &why, &note) == 0)
		return;
	if (n_asked > 1 && halvings > 0 && (why == LLM_REFUSED || why == LLM_MISFIT)) {
		ask_in_parts(e, turns, n / 2, halvings - 1);
		if (!e->stop)
			ask_in_parts(e, turns + n / 2, n - n / 2, halvings - 1);
		return;
	}
	if (n_asked > 0 && e->note[0] == '\0' && why != LLM_OFF)
		snprintf(e->note, sizeof(e->note), "%s", note);
	for (size_t i = 0; i < n && !e->stop; i++)
		extract_by_rules(e, &turns[i]);
}

void
extract_by_model(struct extract *e, struct extract_turn *turns, size_t n)
{
	ask_in_parts(e, turns, n, HALVINGS);
}
