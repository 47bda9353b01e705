/*
 * rewriter.c: turns a program's input into questions that can be understood without their
 * conversation.
 */
#include "search/rewriter.h"

#include "base/conf.h"

int
rewriter_open(struct rewriter *w, const char *context, void (*bad)(void *arg, const char *why),
	void *arg, struct err *err)
{
	*w = (struct rewriter){ .talk = REWRITE_TALK_INIT,
		.own = REWRITE_TALK_INIT,
		.has_talk = context != NULL };
	w->rewrite = rewrite_new(NULL, NULL, NULL);
	return context == NULL ? 0 : rewrite_talk_read(&w->talk, context, bad, arg, err);
}

void
rewriter_use_model(struct rewriter *w, struct store *s, const char *user, const char *program)
{
	rewrite_free(w->rewrite);
	w->llm = llm_new(s, user, program, NULL);
	w->rewrite = rewrite_new(w->llm, s, user);
}

void
rewriter_close(struct rewriter *w)
{
	rewrite_free(w->rewrite);
	llm_free(w->llm);
	rewrite_talk_release(&w->talk);
	rewrite_talk_release(&w->own);
	arena_release(&w->arena);
}

void
rewriter_text(struct rewriter *w, const char *text, size_t len, struct rewritten *out)
{
	arena_reset(&w->arena);
	rewrite_ask(w->rewrite, &w->talk, text, len, &w->arena, out);
}

static bool
has_list(const struct json *v, const char *key)
{
	const struct json *list = json_get(v, key);

	return list != NULL && list->kind == JSON_ARRAY;
}

int
rewriter_record(struct rewriter *w, const struct json *v, bool again, struct rewritten *out,
	struct err *err)
{
	int rc = rewrite_from_record(v, out, err);
	const char *text;
	size_t len;

	if (rc < 0 || (rc == 1 && !again))
		return rc;
	text = json_get_string(v, again ? "query" : "rewritten", &len);
	if (text == NULL) {
		text = out->query;
		len = out->query_len;
	}
	if (len > conf_caps.query_bytes)
		return err_set(err, ERR_DATA, "question is over %zu bytes (setting query_bytes)",
		    conf_caps.query_bytes);
	if (!has_list(v, "context") && !has_list(v, "history") && !has_list(v, "messages")) {
		rewriter_text(w, text, len, out);
		return 0;
	}
	rewrite_talk_reset(&w->own);
	for (size_t i = 0; i < w->talk.n; i++)
		rewrite_talk_text(&w->own, w->talk.said[i].role, w->talk.said[i].text,
		    w->talk.said[i].len);
	if (rewrite_talk_add(&w->own, v, err) < 0)
		return -1;
	arena_reset(&w->arena);
	rewrite_ask(w->rewrite, &w->own, text, len, &w->arena, out);
	return 1;
}

void
rewriter_query(const struct rewritten *q, struct search_query *to,
	struct search_word words[FOLLOWUP_WORDS])
{
	for (size_t i = 0; i < q->f.n_added; i++)
		words[i] =
		    (struct search_word){ q->f.added[i].text, q->f.added[i].len, q->weight[i] };
	to->text = q->f.text;
	to->len = q->f.len;
	to->asked = q->query;
	to->asked_len = q->query_len;
	to->added = words;
	to->n_added = q->f.n_added;
}
