/*
 * search_service.c: the query vector in a store whose vectors were made by a service. The service
 * is asked before the search proper begins, so that no snapshot stays open while waiting for it.
 */
#include "base/conf.h"
#include "llm/llm.h"
#include "search/search_run.h"

static int
model_of(struct search *s, const struct scope *who, struct vector_model *of, bool *any,
	struct err *err)
{
	struct vectors *v;

	if (vectors_open(s->store, who, &v, err) < 0)
		return -1;
	*any = vectors_info(v)->n > 0;
	*of = vectors_info(v)->model;
	of->centre = NULL;
	vectors_close(v);
	return 0;
}

static int
read_text(struct run *r, const struct scope *who,
	int (*read)(struct run *r, struct buf *text, struct err *err), struct buf *text,
	struct err *err)
{
	int rc = index_enter(r->s->store, who, &r->s->index, err);

	if (rc == 0)
		rc = read(r, text, err);
	index_end(r->s->index);
	return rc;
}

/* Whether the service gave the vector of this text at the question before. */
static bool
is_answered(const struct asked_service *a, const struct vector_model *of, const struct buf *text)
{
	return a->q != NULL && memcmp(a->sha256, of->sha256, SHA256_BYTES) == 0 &&
	    strlen(a->text) == text->len && memcmp(a->text, text->data, text->len) == 0;
}

int
search_ask_service(struct run *r, const struct scope *who,
	int (*read)(struct run *r, struct buf *text, struct err *err), struct err *err)
{
	struct asked_service *a = &r->s->service;
	struct model_text question = { .role = TEXT_QUERY };
	struct service_vectors got;
	struct vector_model of;
	bool any;
	int rc = 0;

	a->note[0] = '\0';
	if (!llm_embeds()) {
		/*
		 * no service is set: whose vectors they are is looked at in the search's own
		 * snapshot
		 */
		a->q = NULL;
		return 0;
	}
	if (model_of(r->s, who, &of, &any, err) < 0)
		return -1;
	if (!any || !service_made(&of) || !service_is(&of)) {
		a->q = NULL;
		return 0;
	}
	if (a->service == NULL)
		a->service = service_new(r->s->store, conf_text("user"), NULL);
	LOCAL(buf) text = buf_of(conf_caps.output_bytes);
	rc = read_text(r, who, read, &text, err);
	if (rc == 0 && is_answered(a, &of, &text))
		return 0;
	a->q = NULL;
	arena_reset(&a->arena);
	memcpy(a->sha256, of.sha256, sizeof(a->sha256));
	a->text = arena_strndup(&a->arena, text.data, text.len);
	question.text = text.data;
	question.len = text.len;
	if (rc == 0 && text.len > 0) {
		if (service_embed(a->service, &of, &question, 1, service_patience(), &a->arena,
			&got) == SERVICE_OK &&
		    got.vecs[0] != NULL)
			a->q = got.vecs[0];
		else
			snprintf(a->note, sizeof(a->note), "%s",
			    *got.note != '\0' ? got.note : got.refused[0]);
	}
	return rc;
}

bool
search_without(const struct search_result *r, char *out, size_t size)
{
	if (r->words_down != NULL) {
		snprintf(out, size, "%s: searching by meaning alone", r->words_down);
		return true;
	}
	if (r->missing_model == NULL)
		return false;
	if (r->missing_why != NULL)
		snprintf(out, size, "no vectors of '%s': %s; searching by words alone",
		    r->missing_model, r->missing_why);
	else if (model_has_namesake(r->missing_model))
		snprintf(out, size,
		    "the vectors are of another model '%s' than the one that is here: searching by "
		    "words alone, until they are made anew (mem-embed --all-users)",
		    r->missing_model);
	else
		snprintf(out, size,
		    "the model of the vectors, '%s', is not to be found: searching by words alone "
		    "(mem-model list)",
		    r->missing_model);
	return true;
}

bool
search_of_service(struct search *s, const struct vectors_info *v, const float **q)
{
	struct asked_service *a = &s->service;

	*q = a->q != NULL && memcmp(a->sha256, v->model.sha256, SHA256_BYTES) == 0 ? a->q : NULL;
	if (!service_made(&v->model))
		return false;
	if (*q == NULL) {
		if (a->note[0] == '\0')
			snprintf(a->note, sizeof(a->note), "%s", service_why_not());
		snprintf(s->missing, sizeof(s->missing), "%s", v->model.name);
	}
	return true;
}
