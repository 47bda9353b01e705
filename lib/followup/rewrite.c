/*
 * rewrite.c: completes a question by rules, and by a language model when one is configured and the
 * rules find that something is missing.
 *
 * A model's question is accepted only if it adds no word that was not said, is at most about six
 * times as long as the original, and reaches the setting rewrite_confidence by the formula in
 * followup.h; otherwise the rules' own result counts. The model's answers are kept in the store for
 * a while (rewrite_keep), because most questions come in a process of their own; where the store
 * cannot be written, is busy or does not exist, they are kept in the process alone. Their key is a
 * hash of the model and of all that it was told. An answer with a secret in it is not kept.
 */
#include "followup/rewrite.h"
#include "followup/references.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/embedded.h"
#include "base/hash.h"
#include "base/order.h"
#include "base/utf8.h"
#include "text/secrets.h"
#include "text/tokens.h"
#include "time/timewords.h"

#define TOLD_CHARS 500                     /* characters shown of each */
#define ANSWER_TOKENS 200
#define WEIGHT_MOST 10                     /* the upper bound of the setting rewrite_weight */

static const char answer_schema[] =
	"{\"type\":\"object\",\"required\":[\"question\"],\"properties\":{\"question\":{\"type\":"
	"\"string\",\"minLength\":1}}}";

#define KEPT 64 /* answers kept in the process, in slots by a hash of their key */

struct kept {
	char key[SHA256_TEXT];
	int64_t until_us;                  /* 0: empty */
	char *text, *model;
};

struct rewrite {
	struct llm *llm;
	struct store *store;               /* NULL: answers are kept in the process alone */
	struct scope who;
	struct kept kept[KEPT];
	bool force;
};

void
rewrite_force(struct rewrite *r)
{
	r->force = true;
}

struct rewrite *
rewrite_new(struct llm *l, struct store *s, const char *user)
{
	struct rewrite *r = xcalloc(1, sizeof(*r));

	r->llm = l;
	r->store = s;
	r->who.user = user;
	return r;
}

void
rewrite_free(struct rewrite *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < KEPT; i++) {
		free(r->kept[i].text);
		free(r->kept[i].model);
	}
	free(r);
}

/* ---- kept answers ---- */

static size_t
slot_of(const char *key)
{
	return (size_t)hash64(key, strlen(key), 0) % KEPT;
}

static const char *
key_of(const char *prompt, size_t len, char hex[SHA256_TEXT])
{
	static const char *const settings[] = { "llm_command", "chat_url", "chat_model" };
	uint8_t sum[SHA256_BYTES];
	struct sha256 h;

	sha256_init(&h);
	for (size_t i = 0; i < NELEM(settings); i++)
		sha256_add(&h, conf_text(settings[i]), strlen(conf_text(settings[i])) + 1);
	sha256_add(&h, prompt, len);
	sha256_end(&h, sum);
	return hex_format(sum, sizeof(sum), hex);
}

/* Finds a kept answer: the question and the model's name; false when the model has to be asked. */
static bool
find_kept(const struct rewrite *r, const char *key, struct arena *a, const char **text,
	const char **model)
{
	struct err ignored = ERR_INIT;
	const struct kept *k = &r->kept[slot_of(key)];
	const struct json *v;
	const char *kept;

	if (k->until_us > clock_mono_us() && strcmp(k->key, key) == 0) {
		*text = k->text;
		*model = k->model;
		return true;
	}
	if (r->store == NULL || answers_get(r->store, &r->who, key, a, &kept, &ignored) < 0 ||
	    kept == NULL || json_parse(kept, strlen(kept), a, &v, &ignored) < 0)
		return false;
	*text = json_get_string(v, "question", NULL);
	*model = json_get_string(v, "model", NULL);
	return *text != NULL && *model != NULL;
}

static void
keep_answer(struct rewrite *r, const char *key, const char *text, const char *model)
{
	struct kept *k = &r->kept[slot_of(key)];

	free(k->text);
	free(k->model);
	*k = (struct kept){ .until_us = clock_mono_us() + conf_int("rewrite_keep") * US_PER_S,
		.text = xstrdup(text),
		.model = xstrdup(model) };
	snprintf(k->key, sizeof(k->key), "%s", key);
	if (r->store == NULL)
		return;
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);
	LOCAL(buf) clean = buf_of(conf_caps.output_bytes);
	json_open(&b);
	json_str(&b, "question", text);
	json_str(&b, "model", model);
	json_close(&b);
	if (!b.full && secrets_redact(text, strlen(text), &clean) == 0)
		answers_put(r->store, &r->who, key, b.data);
}

/* ---- asking the model ---- */

static size_t
clip_chars(const char *text, size_t len, size_t n)
{
	size_t at = 0;
	uint32_t cp;

	for (; n > 0 && at < len; n--)
		at += MAX(utf8_decode(text + at, text + len, &cp), 1);
	return MIN(at, len);
}

static void
write_prompt(struct buf *b, const struct rewrite_talk *t, const char *question, size_t len)
{
	static const char *const who[] = { "Title", "User", "Assistant" };
	size_t told = (size_t)conf_int("rewrite_turns"), from = t->n > told ? t->n - told : 0;

	buf_adds(b, "Conversation:\n");
	for (size_t i = from; i < t->n; i++) {
		buf_addf(b, "%s: ", who[t->said[i].role]);
		buf_add(b, t->said[i].text,
		    clip_chars(t->said[i].text, t->said[i].len, TOLD_CHARS));
		buf_addc(b, '\n');
	}
	buf_adds(b, "\nQuestion: ");
	buf_add(b, question, len);
}

/*
 * The content words of what was said, by hashes of their stems; all: whether another text has only
 * these.
 */
struct known { uint64_t *hashes; size_t n, cap; bool all; };

static int
add_known_word(void *arg, const struct word *w)
{
	struct known *k = arg;

	*xpush(k->hashes, k->n, k->cap) = hash64(w->term, w->len, 0);
	return 0;
}

static int
check_known_word(void *arg, const struct word *w)
{
	struct known *k = arg;
	uint64_t hash = hash64(w->term, w->len, 0);

	if (w->stop || w->kind == WORD_PAIR)
		return 0;
	for (size_t i = 0; i < k->n; i++)
		if (k->hashes[i] == hash)
			return 0;
	k->all = false;
	return 1;
}

/*
 * Whether the answer has only words that were said: a model's own ideas would be searched for as if
 * the user had asked for them.
 */
static bool
is_from_talk(const struct rewrite_talk *t, const char *question, size_t len, const char *answer,
	size_t answer_len)
{
	struct known k = { .all = true };

	words_each(question, len, add_known_word, &k);
	for (size_t i = 0; i < t->n; i++)
		words_each(t->said[i].text, t->said[i].len, add_known_word, &k);
	words_each(answer, answer_len, check_known_word, &k);
	free(k.hashes);
	return k.all;
}

static double
confidence_of(const char *question, size_t len, const char *answer, size_t answer_len)
{
	size_t before = references_count(question, len),
	       after = references_count(answer, answer_len);
	double share = before == 0 ? 1 : after >= before ? 0 : 1 - (double)after / (double)before;

	return 0.7 * share +
	    0.3 * followup_length_score(utf8_count(question, len), utf8_count(answer, answer_len));
}

struct adding { struct known known; struct followup *f; const char *text; };

static int
note_added_word(void *arg, const struct word *w)
{
	struct adding *a = arg;
	uint64_t hash = hash64(w->term, w->len, 0);

	if (w->stop || w->kind == WORD_PAIR || w->kind == WORD_PART ||
	    a->f->n_added == FOLLOWUP_WORDS)
		return 0;
	for (size_t i = 0; i < a->known.n; i++)
		if (a->known.hashes[i] == hash)
			return 0;
	add_known_word(&a->known, w);
	a->f->added[a->f->n_added++] =
	    (struct followup_word){ a->text + w->start, w->end - w->start, 1 };
	return 0;
}

/* Accepts the model's answer and returns NULL, or returns why it is not fit. */
static const char *
accept_answer(struct rewritten *out, const struct rewrite_talk *t, const char *answer,
	const char *model, struct arena *a)
{
	size_t len = strlen(answer);
	const struct followup by_rule = out->f;
	struct adding add = { .f = &out->f };
	double confidence = confidence_of(out->query, out->query_len, answer, len);

	if (utf8_count(answer, len) > 6 * utf8_count(out->query, out->query_len) + 60)
		return "the model's question is too long";
	if (!is_from_talk(t, out->query, out->query_len, answer, len))
		return "the model added words of its own";
	if (len == out->query_len && memcmp(answer, out->query, len) == 0)
		return "the model changed nothing";
	if (confidence < conf_real("rewrite_confidence"))
		return "the model resolved too little";
	out->f = (struct followup){ .need = out->f.need,
		.changed = true,
		.text = arena_strndup(a, answer, len),
		.len = len,
		.reason = "model",
		.confidence = confidence };
	add.text = out->f.text;
	words_each(out->query, out->query_len, add_known_word, &add.known);
	words_each(out->f.text, len, note_added_word, &add);
	free(add.known.hashes);
	/* an answer such as "..." has nothing ambiguous left, but adds nothing either */
	if (out->f.n_added == 0) {
		out->f = by_rule;
		return "the model named nothing";
	}
	out->model = arena_strdup(a, model);
	return NULL;
}

static void
ask_model(struct rewrite *r, const struct rewrite_talk *t, struct arena *a, struct rewritten *out)
{
	const struct embedded *rules = embedded_find("schema/prompts/rewrite.txt");
	struct llm_question q = { .system = rules->text,
		.schema = answer_schema,
		.max_tokens = ANSWER_TOKENS };
	struct llm_answer got;
	const char *why, *answer, *model, *key;
	char hex[SHA256_TEXT];

	LOCAL(buf) prompt = buf_of(conf_caps.output_bytes);
	write_prompt(&prompt, t, out->query, out->query_len);
	q.text = prompt.data;
	key = key_of(prompt.data, prompt.len, hex);
	if (find_kept(r, key, a, &answer, &model)) {
		why = accept_answer(out, t, answer, model, a);
	} else if (llm_ask(r->llm, &q, a, &got) == 0) {
		answer = json_get_string(got.json, "question", NULL);
		why = accept_answer(out, t, answer, got.model, a);
		keep_answer(r, key, answer, got.model);
	} else {
		why = got.why == LLM_OFF ? NULL : got.note;
	}
	if (why != NULL)
		out->note = why;
}

/*
 * Whether a model may know better: something is missing, or it asks for what was before ("what did
 * we decide earlier?") and says not of what. That may mean any time, so rules leave it as it is.
 */
static bool
is_for_model(const struct followup *f, const char *question, size_t len)
{
	return f->need >= FOLLOWUP_NEEDED || (f->bare && timewords_looks_back(question, len));
}

void
rewrite_ask(struct rewrite *r, const struct rewrite_talk *t, const char *question, size_t len,
	struct arena *a, struct rewritten *out)
{
	int64_t start = clock_mono_us();

	*out = (struct rewritten){ .query = question, .query_len = len, .model = "", .note = "" };
	if (r->force || conf_bool("rewrite"))
		followup_resolve(a, t->said, t->n, question, len, conf_real("rewrite_confidence"),
		    r->force, &out->f);
	else
		out->f = (struct followup){ .text = question, .len = len, .reason = "off",
			.confidence = 1 };
	if (r->llm != NULL && t->n > 0 && is_for_model(&out->f, question, len))
		ask_model(r, t, a, out);
	if (out->note == NULL)
		out->note = "";
	for (size_t i = 0; i < out->f.n_added; i++)
		out->weight[i] =
		    (float)conf_real("rewrite_weight") * (0.5f + 0.5f * out->f.added[i].p);
	for (size_t i = 0; i < t->n; i++)
		out->n_turns += t->said[i].role != CONVERSATION_TITLE;
	out->n_turns = MIN(out->n_turns, (size_t)CONVERSATION_TURNS);
	out->us = clock_mono_us() - start;
}

/* ---- records ---- */

int
rewrite_from_record(const struct json *v, struct rewritten *out, struct err *err)
{
	const struct json *added = json_get(v, "added");
	struct followup *f = &out->f;

	*out = (struct rewritten){ .model = "", .note = "" };
	if (v->kind != JSON_OBJECT)
		return err_set(err, ERR_DATA, "not a JSON object");
	out->query = json_get_string(v, "query", &out->query_len);
	f->text = json_get_string(v, "rewritten", &f->len);
	/* of a record that is no question, what it says is looked for */
	if (out->query == NULL && f->text == NULL)
		out->query = json_get_string(v, "content", &out->query_len);
	if (out->query == NULL && f->text == NULL)
		return err_set(err, ERR_DATA, "no key 'query' or 'content' with a text");
	if (out->query == NULL || f->text == NULL || added == NULL || added->kind != JSON_ARRAY) {
		if (f->text != NULL) {
			out->query = f->text;
			out->query_len = f->len;
		}
		return 0;
	}
	f->confidence = json_get_number(v, "confidence", 1);
	f->changed = f->len != out->query_len || memcmp(f->text, out->query, f->len) != 0;
	for (size_t i = 0; i < added->len && f->n_added < FOLLOWUP_WORDS; i++) {
		struct followup_word *w = &f->added[f->n_added];

		w->text = json_get_string(&added->u.items[i], "text", &w->len);
		out->weight[f->n_added] = (float)json_get_number(&added->u.items[i], "weight", 1);
		if (w->text != NULL && out->weight[f->n_added] >= 0 &&
		    out->weight[f->n_added] <= WEIGHT_MOST)
			f->n_added++;
	}
	return 1;
}

void
rewrite_expanded(struct buf *out, const struct rewritten *r)
{
	buf_add(out, r->query, r->query_len);
	for (size_t i = 0; i < r->f.n_added; i++) {
		buf_addc(out, ' ');
		buf_add(out, r->f.added[i].text, r->f.added[i].len);
	}
}

/* Keys that mem-rewrite writes itself, and those it has used up. */
static bool
is_ours(const char *key)
{
	static const char *const keys[] = { "type", "query", "expanded", "rewritten", "added",
		"confidence", "tokens", "turns", "reason", "model", "note", "ms", "context",
		"history", "messages" };

	return text_index(key, keys, NELEM(keys)) >= 0;
}

static void
write_rest(struct buf *out, const struct json *v)
{
	for (size_t i = 0; v != NULL && i < v->len; i++) {
		if (is_ours(v->u.members[i].key))
			continue;
		json_key(out, v->u.members[i].key);
		json_write(out, &v->u.members[i].value);
	}
}

void
rewrite_record(struct buf *out, const struct rewritten *r, const struct json *v)
{
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);

	rewrite_expanded(&b, r);
	json_record(out, "query");
	json_strn(out, "query", r->query, r->query_len);
	json_strn(out, "expanded", b.data, b.len);
	json_strn(out, "rewritten", r->f.text, r->f.len);
	json_array_open(out, "added");
	for (size_t i = 0; i < r->f.n_added; i++) {
		json_object_open(out, NULL);
		json_strn(out, "text", r->f.added[i].text, r->f.added[i].len);
		json_num(out, "weight", (double)r->weight[i]);
		json_close(out);
	}
	json_array_close(out);
	json_num(out, "confidence", r->f.confidence);
	json_int(out, "tokens", tokens_estimate(r->f.text, r->f.len));
	if (r->n_turns > 0)
		json_int(out, "turns", (int64_t)r->n_turns);
	json_str(out, "reason", r->f.reason);
	json_str(out, "model", *r->model ? r->model : NULL);
	json_str(out, "note", *r->note ? r->note : NULL);
	json_num(out, "ms", (double)r->us / 1000);
	write_rest(out, v);
	json_end(out);
}
