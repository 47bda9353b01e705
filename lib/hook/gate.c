/*
 * gate.c: a class of words counts where one of its words stands in the prompt, and more where the
 * prompt begins with it. Some classes mean something else together: "run", and "the way we always
 * do".
 */
#include "hook/gate.h"

#include "base/conf.h"
#include "base/embedded.h"
#include "hook/resume.h"
#include "json/json.h"
#include "json/ndjson.h"
#include "math/head.h"
#include "model/model.h"
#include "rank/prompt.h"
#include "text/words.h"

#define QUESTION_WORDS 3       /* of content: "what could this error be?" asks of what is at hand */
#define CUES_MOST  400         /* cues of a prompt that are looked at */
#define FIRST      2           /* words that a prompt begins with */
/*
 * Surer than this by words, no vector is asked: of labelled prompts that is so for three of four,
 * and asking for the others' alone decides them all as well as asking for all.
 */
#define SURE       0.85
#define CUES_TEXT  "schema/cues/gate.txt"
#define HEAD_TEXT  "schema/heads/gate.txt"

/* Classes that are features together: the prompt has both. */
static const char *const pairs[][2] = { { "ask", "mine" }, { "ask", "we" }, { "ask", "me" },
	{ "ask", "did" }, { "ask", "person" }, { "ask", "own_data" }, { "do", "usual" },
	{ "do", "here" }, { "do", "we" }, { "do", "mine" }, { "do", "before" }, { "ask", "here" },
	{ "known", "mine" }, { "known", "we" }, { "known", "me" }, { "again", "ask" } };

enum { SHORT, BRIEF, LONG, MARK, SYMBOLS, N_SHAPES };
static const char *const shapes[N_SHAPES] = { "words<3", "words<5", "words>24", "?", "symbols" };

/* ---- features ---- */

size_t
gate_names(const struct cues *c, const char *names[GATE_FEATURES], struct arena *a)
{
	const struct cue_class *classes;
	size_t n_classes, n = 0;

	classes = cues_classes(c, &n_classes);
	for (size_t i = 0; i < n_classes; i++) {
		names[n++] = classes[i].name;
		names[n++] = arena_printf(a, "%s:first", classes[i].name);
	}
	for (size_t i = 0; i < NELEM(pairs); i++)
		names[n++] = arena_printf(a, "%s+%s", pairs[i][0], pairs[i][1]);
	for (size_t i = 0; i < N_SHAPES; i++)
		names[n++] = shapes[i];
	return n;
}

/* Whether much of the text is neither word nor blank, as in code and messages of programs. */
static bool
has_symbols(const char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += text[i] != '\0' && strchr("{}()[]<>=;:/\\_|&*#@$%^~`\"", text[i]) != NULL;
	return n >= 3 && n * 20 > len;
}

/* "?", or the wide one of Chinese and Japanese. */
static bool
has_mark(const char *text, size_t len)
{
	static const char wide[] = "\xef\xbc\x9f";
	const size_t n = sizeof(wide) - 1;

	for (size_t i = 0; i < len; i++)
		if (text[i] == '?' || (len - i >= n && memcmp(text + i, wide, n) == 0))
			return true;
	return false;
}

void
gate_features(const struct cues *c, const char *prompt, size_t len, float x[GATE_FEATURES])
{
	struct cue found[CUES_MOST];
	size_t n_classes, at, n;
	unsigned n_words;

	cues_classes(c, &n_classes);
	memset(x, 0, GATE_FEATURES * sizeof(*x));
	n = cues_find(c, prompt, len, found, NELEM(found), &n_words);
	for (size_t i = 0; i < n; i++) {
		x[2 * found[i].class] = 1;
		if (found[i].at < FIRST)
			x[2 * found[i].class + 1] = 1;
	}
	at = 2 * n_classes;
	for (size_t i = 0; i < NELEM(pairs); i++) {
		int a = cues_class(c, pairs[i][0]), b = cues_class(c, pairs[i][1]);
		x[at++] = a >= 0 && b >= 0 ? x[2 * a] * x[2 * b] : 0;
	}
	x[at + SHORT] = n_words < 3;
	x[at + BRIEF] = n_words < 5;
	x[at + LONG] = n_words > 24;
	x[at + MARK] = has_mark(prompt, len);
	x[at + SYMBOLS] = has_symbols(prompt, len);
}

/* ---- the head ---- */

/* What is read at the first prompt. */
static struct gate {
	const struct cues *cues;   /* NULL: nothing is read yet */
	struct head words, meaning;
	const char *names[GATE_FEATURES];
	size_t n;
	struct model_worker *model;/* NULL: there is none that the head was learnt for */
	bool tried;                /* to open a model */
	struct arena arena;
} gate;

static bool
read_head(struct head *h, const char *section, struct err *err)
{
	const struct embedded *e = embedded_find(HEAD_TEXT);

	return head_read(h, e->text, e->len, section, gate.names, gate.n, err);
}

static int
gate_open(struct err *err)
{
	const struct cues *cues = cues_of(CUES_TEXT);

	if (cues != NULL)
		gate.n = gate_names(cues, gate.names, &gate.arena);
	if (cues == NULL || !read_head(&gate.words, HEAD_WORDS, err))
		return err->code != 0 ? -1
				      : err_set(err, ERR_BUG, "%s or %s cannot be read", CUES_TEXT,
					    HEAD_TEXT);
	gate.cues = cues;
	return 0;
}

/* Opens the model that searches use, when the head has a section for it. */
static void
open_model(void)
{
	struct err err = ERR_INIT;
	struct model *m;

	gate.tried = true;
	if (model_open(&m, conf_text("model"), &err) != 0)
		return;
	if (read_head(&gate.meaning, model_info(m)->name, &err) &&
	    gate.meaning.n_dims == model_info(m)->n_dims)
		gate.model = model_worker_new(m);
	else
		model_close(m);
}

int
gate_ask(const char *prompt, size_t len, double *p, struct err *err)
{
	float x[GATE_FEATURES], v[HEAD_DIMS_MAX];

	if (resume_asked(prompt, len) >= RESUME_OPEN) {
		*p = 1;
		return 0;
	}
	if (gate.cues == NULL && gate_open(err) != 0)
		return -1;
	gate_features(gate.cues, prompt, len, x);
	*p = head_probability(&gate.words, x, NULL);
	if (*p > SURE || *p < 1 - SURE)
		return 0;
	if (!gate.tried)
		open_model();
	if (gate.model != NULL) {
		const struct model_text text = { prompt, len, TEXT_PLAIN, NULL };
		model_embed(gate.model, &text, 1, v);
		*p = head_probability(&gate.meaning, x, v);
	}
	return 0;
}

bool
gate_is_question(const char *prompt, size_t len)
{
	return prompt_asks(prompt, len) && words_say(prompt, len, QUESTION_WORDS);
}

/* ---- records on a pipe ---- */

struct filter { const struct gate_out *out; struct buf line; bool bad; };

static int
on_line(void *arg, const struct ndjson_line *l, struct err *err)
{
	struct filter *f = arg;
	const struct json *v;
	const char *prompt;
	size_t len;
	double p;

	if (ndjson_record(l->text, l->len, "prompt", l->arena, &v, err) != 0)
		return -1;
	if ((prompt = json_get_string(v, "prompt", &len)) == NULL)
		return err_set(err, ERR_DATA, "no key 'prompt' with a text");
	if (gate_ask(prompt, len, &p, err) != 0)
		return -1;
	buf_reset(&f->line);
	json_open(&f->line);
	for (size_t i = 0; i < v->len; i++) {
		const struct json_member *m = &v->u.members[i];
		if (strcmp(m->key, "recalls") == 0 || strcmp(m->key, "p") == 0)
			continue;
		json_key(&f->line, m->key);
		json_write(&f->line, &m->value);
	}
	json_bool(&f->line, "recalls", p >= GATE_LEAST);
	json_num(&f->line, "p", p);
	json_end(&f->line);
	return f->out->line(f->out->arg, f->line.data, f->line.len) != 0;
}

static void
on_bad(void *arg, const struct ndjson_line *l, const char *why)
{
	struct filter *f = arg;
	char text[1200];

	snprintf(text, sizeof(text), "%s:%llu: %s", l->name, (unsigned long long)l->number, why);
	f->out->warn(f->out->arg, text);
	f->bad = true;
}

int
gate_filter(const struct gate_out *out, struct err *err)
{
	struct filter f = { .out = out };
	const struct ndjson_fn fn = { &f, on_line, on_bad, NULL };
	int rc;

	buf_init(&f.line, conf_caps.output_bytes);
	rc = ndjson_each("-", &fn, err);
	buf_release(&f.line);
	if (rc == 0 && f.bad)
		err->code = ERR_DATA;
	return rc;
}
