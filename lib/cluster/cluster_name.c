/*
 * cluster_name.c: names of subcategories: their phrases, or what a model makes of them. The model
 * gets the words that set a subcategory apart and how some of its records begin, as one JSON text,
 * so that nothing in them can pass for the frame around them. What it answers is shown to people
 * and to other models, so it must be short, plain, and about these texts: a name that shares no
 * word with them is made up.
 */
#include "cluster/cluster_parts.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "base/embedded.h"
#include "base/utf8.h"
#include "llm/llm.h"
#include "text/words.h"

#define TEXT_BYTES   240                           /* of each record */
#define NAME_TOKENS  60
#define NAME_CHARS   60
#define SAMPLES      5

struct sample { const char *text; size_t len; };

static const char answer_schema[] =
	"{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}},"
	"\"required\":[\"name\"]}";

/* Whole characters only. */
static size_t
cut(const char *text, size_t len)
{
	size_t n = MIN(len, TEXT_BYTES);

	while (n < len && n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	return n;
}

static void
write_question(struct buf *b, const char *keywords, const struct sample *texts, size_t n)
{
	json_open(b);
	json_raw(b, "words", keywords, strlen(keywords));
	json_array_open(b, "records");
	for (size_t i = 0; i < n; i++)
		json_item(b, texts[i].text, cut(texts[i].text, texts[i].len));
	json_array_close(b);
	json_close(b);
}

/* ---- is it a name, and of these? ---- */

/* How many words of one text another one has. */
struct search { const char *text; size_t len; const char *term; size_t term_len, n, n_found; };

static int
is_term(void *arg, const struct word *w)
{
	struct search *s = arg;
	bool found = !w->stop && w->len == s->term_len && memcmp(w->term, s->term, w->len) == 0;

	s->n_found += found;
	return found;
}

static int
is_in_text(void *arg, const struct word *w)
{
	struct search *s = arg;

	if (w->stop)
		return 0;
	s->term = w->term;
	s->term_len = w->len;
	s->n++;
	words_each(s->text, s->len, is_term, s);
	return 0;
}

static bool
is_about(const char *name, size_t len, const char *text, size_t text_len)
{
	struct search s = { .text = text, .len = text_len };

	words_each(name, len, is_in_text, &s);
	return s.n_found > 0;
}

bool
cluster_has_words(const char *text, size_t len, const char *words)
{
	struct search s = { .text = text, .len = len };

	words_each(words, strlen(words), is_in_text, &s);
	return s.n > 0 && s.n_found == s.n;
}

static const char *
why_not(const char *name, size_t len, const char *question, size_t question_len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f)
			return "the model's name is no plain line";
	if (len == 0 || utf8_count(name, len) > NAME_CHARS)
		return "the model's name is too long, or empty";
	if (!is_about(name, len, question, question_len))
		return "the model's name has no word of the records";
	return NULL;
}

/*
 * A name, in the arena, for what the texts [n] have in common; keywords is a JSON array. NULL: none
 * that can be used, and *why says so ("" when no model is configured). *again: it makes sense to
 * ask for another one.
 */
static const char *
ask_name(struct llm *l, const char *keywords, const struct sample *texts, size_t n, struct arena *a,
	const char **why, bool *again)
{
	struct llm_question q = { .system = embedded_find("schema/prompts/category.txt")->text,
		.schema = answer_schema,
		.max_tokens = NAME_TOKENS };
	struct llm_answer got;
	const char *name = NULL;
	size_t len;

	LOCAL(buf) question = buf_of(conf_caps.output_bytes);
	write_question(&question, keywords, texts, n);
	q.text = question.data;
	if (llm_ask(l, &q, a, &got) == 0) {
		name = json_get_string(got.json, "name", &len);
		while (len > 0 && name[len - 1] == ' ')
			len--;
		while (len > 0 && *name == ' ') {
			name++;
			len--;
		}
		*why = why_not(name, len, question.data, question.len);
		name = *why == NULL ? arena_strndup(a, name, len) : NULL;
		*again = true;
	} else {
		*why = got.why == LLM_OFF ? "" : got.note;
		*again = got.why == LLM_MISFIT || got.why == LLM_REFUSED;
	}
	return name;
}

/* ---- of a store ---- */

/* Some of a category's records, evenly spread: *n of them, at most SAMPLES. */
static int
read_samples(struct clustering *x, uint32_t plan, struct arena *a, struct sample *out, size_t *n,
	struct err *err)
{
	size_t n_members = 0, at = 0;

	for (size_t i = 0; i < x->n; i++)
		n_members += x->items[i].is == plan;
	*n = 0;
	for (size_t i = 0; i < x->n && *n < SAMPLES; i++) {
		const struct cluster_item *v = &x->items[i];
		const struct message *m = NULL;
		const struct fact *f = NULL;
		if (v->is != plan || at++ * SAMPLES < *n * n_members)
			continue;
		if ((v->kind == VECTOR_MESSAGE
			    ? messages_by_rows(x->s, x->who, &v->row, 1, a, &m, err)
			    : records_by_row(x->s, x->who, v->row, TIME_NONE, a, &f, err)) != 0)
			return -1;
		size_t label = f != NULL ? cluster_label(x, f) : 0;
		if (m != NULL || f != NULL)
			out[(*n)++] = (struct sample){
				m != NULL ? m->content : f->head.content + label,
				m != NULL ? m->content_len : f->head.content_len - label };
	}
	return 0;
}

static bool
is_taken(const struct clustering *x, enum fact_root root, const char *name)
{
	for (size_t j = 0; j < x->n_plans; j++)
		if (x->plans[j].c.root == root && !x->plans[j].gone &&
		    strcmp(x->plans[j].c.name, name) == 0)
			return true;
	return false;
}

int
cluster_ask_names(struct clustering *x, struct err *err)
{
	struct llm *l = NULL;
	LOCAL(arena) a = ARENA_INIT;
	bool again = llm_is_on() && !x->o->rules;
	int rc = 0;

	for (uint32_t j = 0; j < x->n_plans && again && rc == 0; j++) {
		struct cluster_plan *p = &x->plans[j];
		struct sample texts[SAMPLES];
		const char *name = NULL, *why = "";
		size_t n;
		if (!p->unnamed || p->gone)
			continue;
		if (l == NULL)
			l = llm_new(x->s, x->who->user, "mem-cluster", NULL);
		arena_reset(&a);
		if ((rc = read_samples(x, j, &a, texts, &n, err)) == 0)
			name = ask_name(l, p->c.keywords, texts, n, &a, &why, &again);
		if (name != NULL && is_taken(x, p->c.root, name)) {
			name = NULL;
			why = "the model gave two the same name";
		}
		if (name != NULL)
			p->c.name = arena_strdup(&x->arena, name);
		else if (x->counts->why_not[0] == '\0')
			snprintf(x->counts->why_not, sizeof(x->counts->why_not), "%s", why);
		x->counts->n_named += name != NULL;
		x->counts->n_not_named += name == NULL && rc == 0;
	}
	llm_free(l);
	return rc;
}

/* ---- by phrases ---- */

void
cluster_name_all(struct clustering *x)
{
	FREED uint32_t *of = xreallocarray(NULL, x->n_phrases + 1, sizeof(*of));
	FREED struct cluster_phrases_best *best = xcalloc(x->n_plans + 1, sizeof(*best));
	char name[CLUSTER_NAME_BYTES];

	for (size_t i = 0; i < x->n; i++)
		of[x->items[i].phrases] = x->items[i].is;
	cluster_phrases_choose(x->phrases, of, x->n_plans, best);
	for (size_t j = 0; j < x->n_plans; j++) {
		struct cluster_plan *p = &x->plans[j];
		if (p->gone || p->c.hand == HAND_DROPPED)
			continue;
		json_array_open(&p->keywords, NULL);
		for (size_t i = 0; i < best[j].n; i++)
			json_item(&p->keywords, best[j].phrases[i], strlen(best[j].phrases[i]));
		json_array_close(&p->keywords);
		cluster_phrases_name(&best[j], CLUSTER_NAME_PHRASES, name);
		for (size_t i = 0; i < x->n_plans && best[j].n_telling == 1; i++)
			if (i != j && !x->plans[i].gone && x->plans[i].c.root == p->c.root &&
			    strcmp(x->plans[i].c.name, name) == 0) {
				/* two of one name are told apart */
				best[j].n_telling = MIN(best[j].n, (size_t)CLUSTER_NAME_PHRASES);
				cluster_phrases_name(&best[j], CLUSTER_NAME_PHRASES, name);
			}
		if (x->o->assign && !p->is_new && p->c.name[0] != '\0')
			continue;
		p->changed = p->is_new || strcmp(p->c.keywords, p->keywords.data) != 0 ||
		    (p->c.name[0] == '\0' && name[0] != '\0');
		p->c.keywords = p->keywords.data;
		p->unnamed = p->c.name[0] == '\0';
		if (p->unnamed)
			p->c.name = arena_strdup(&x->arena, name);
	}
}
