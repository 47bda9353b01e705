/*
 * cluster_filter.c: records are read for their words and vectors and kept, divided, and go out with
 * the number of their cluster. Vectors are those that came in; where some are missing they are made
 * (cluster_filter_vectors.c).
 */
#include "cluster/cluster_filter_parts.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "base/hash.h"
#include "cluster/assign.h"
#include "cluster/cluster_points.h"
#include "embed/embed.h"
#include "embed/vec_record.h"
#include "json/json.h"
#include "json/ndjson.h"
#include "math/partition.h"

#define PRINT_BYTES (256u << 10)

/* ---- in ---- */

static void
bad_line(void *arg, const struct ndjson_line *l, const char *why)
{
	struct sorter *s = arg;
	char text[1200];

	snprintf(text, sizeof(text), "%s:%llu: %s", l->name, (unsigned long long)l->number, why);
	s->out->warn(s->out->arg, text);
	++*s->n_bad;
}

/* Labels are told apart by a hash of their JSON. */
static uint32_t
label_of(const struct sorter *s, const struct json *v)
{
	const struct json *label = s->o->compare != NULL ? json_get(v, s->o->compare) : NULL;

	if (label == NULL)
		return 0;
	LOCAL(buf) b = buf_of(conf_caps.line_bytes);
	json_write(&b, label);
	return (uint32_t)hash64(b.data, b.len, 0);
}

static const char *
why_not(const struct sorter *s, const struct vec_record *r)
{
	double kept = json_get_number(r->v, "cluster", 0);

	if (r->has_vec && r->n_dims == 0)
		return "vec is no vector";
	if (r->has_vec && s->n_vecs > 0 && r->n_dims != s->n_dims)
		return "vec is not as long as those before it";
	if (r->text == NULL && !r->has_vec)
		return "no text, content or query, and no vec";
	if (s->o->keep && (kept < 0 || kept > INT32_MAX || kept != (double)(uint32_t)kept))
		return "cluster is no number of a cluster";
	if (s->o->compare != NULL && json_get(r->v, s->o->compare) == NULL)
		return "no label to compare with";
	return NULL;
}

static void
keep_name(struct sorter *s, uint32_t number, const char *name)
{
	for (size_t i = 0; i < s->n_kept; i++)
		if (s->kept[i].number == number)
			return;
	if (name == NULL)
		return;
	*xpush(s->kept, s->n_kept, s->cap_kept) =
	    (struct kept){ number, arena_strdup(&s->name_texts, name) };
}

static int
take_line(void *arg, const struct ndjson_line *l, struct err *err)
{
	struct sorter *s = arg;
	struct vec_record r;
	const char *line = l->text, *why;
	size_t len = l->len;

	while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t' || line[len - 1] == '\r'))
		len--;
	if (vec_record_read(line, len, l->arena, &r, s->vec, err) != 0)
		return -1;
	if ((why = s->n == UINT32_MAX - 2 ? "too many records" : why_not(s, &r)) != NULL)
		return err_set(err, ERR_DATA, "%s", why);
	if (r.has_vec && s->n_vecs++ == 0) {
		s->n_dims = r.n_dims;
		s->cap_v = 0;
		xgrow(&s->v, &s->cap_v, (s->n + 1) * s->n_dims, sizeof(*s->v));
		memset(s->v, 0, s->n * s->n_dims * sizeof(*s->v));
	}
	if (s->n_vecs > 0) {
		xgrow(&s->v, &s->cap_v, (s->n + 1) * s->n_dims, sizeof(*s->v));
		int16_t *to = s->v + s->n * s->n_dims;
		if (r.has_vec)
			kmeans_fix(s->vec, s->n_dims, to);
		else
			memset(to, 0, s->n_dims * sizeof(*to));
	}
	uint32_t kept = s->o->keep ? (uint32_t)json_get_number(r.v, "cluster", 0) : 0;
	if (kept > 0)
		keep_name(s, kept, json_get_string(r.v, "cluster_name", NULL));
	*xpush(s->items, s->n, s->cap_items) =
	    (struct sorted){ kept > 0 ? kept : KMEANS_NONE, label_of(s, r.v), r.has_vec,
		    json_get(r.v, "cluster") != NULL || json_get(r.v, "cluster_name") != NULL,
		    arena_strndup(&s->lines, line, len), len };
	cluster_terms_add(s->terms, r.text != NULL ? r.text : "", r.text != NULL ? r.text_len : 0,
	    r.speaker);
	cluster_phrases_add(s->phrases, r.text != NULL ? r.text : "",
	    r.text != NULL ? r.text_len : 0, r.speaker, 0);
	return 0;
}

/* ---- out ---- */

/* What the record had of these keys is left out. */
static int
print_others(struct sorter *s, const struct sorted *of, struct err *err)
{
	struct buf *b = &s->printed;
	const struct json *v;

	arena_reset(&s->arena);
	if (json_parse(of->line, of->len, &s->arena, &v, err) != 0)
		return -1;
	json_open(b);
	for (size_t i = 0; i < v->len; i++) {
		const struct json_member *m = &v->u.members[i];
		if (strcmp(m->key, "cluster") == 0 || strcmp(m->key, "cluster_name") == 0)
			continue;
		json_key(b, m->key);
		json_write(b, &m->value);
	}
	return 0;
}

static int
print_line(struct sorter *s, size_t i, struct err *err)
{
	const struct sorted *it = &s->items[i];
	struct buf *b = &s->printed;
	uint32_t of = s->division.of[i];

	if (s->o->keep && it->has_keys && (it->cluster != KMEANS_NONE || of == KMEANS_NONE)) {
		buf_add(b, it->line, it->len); /* it says already what there is to say */
		buf_addc(b, '\n');
		return 0;
	}
	if (!it->has_keys)
		buf_add(b, it->line, it->len - 1);         /* up to its brace */
	else if (print_others(s, it, err) != 0)
		return -1;
	json_key(b, "cluster");
	if (of == KMEANS_NONE)
		buf_adds(b, "null");
	else
		buf_addf(b, "%u", s->division.numbers[of]);
	json_str(b, "cluster_name",
	    of != KMEANS_NONE && *s->names[of] != '\0' ? s->names[of] : NULL);
	buf_adds(b, "}\n");
	return 0;
}

static int
print_all(struct sorter *s, struct err *err)
{
	for (size_t i = 0; i < s->n; i++) {
		if (print_line(s, i, err) != 0)
			return -1;
		if (s->printed.len < PRINT_BYTES)
			continue;
		if (s->out->records(s->out->arg, s->printed.data, s->printed.len) != 0)
			return 0;
		buf_reset(&s->printed);
	}
	if (s->printed.len > 0)
		s->out->records(s->out->arg, s->printed.data, s->printed.len);
	return 0;
}

static void
print_score(struct sorter *s)
{
	FREED uint32_t *labels = xreallocarray(NULL, s->n + 1, sizeof(*labels));
	struct buf *b = &s->printed;
	struct partition v;

	for (size_t i = 0; i < s->n; i++)
		labels[i] = s->items[i].label;
	partition_compare(labels, s->division.of, s->n, &v);
	json_record(b, "score");
	json_str(b, "strategy", "clusters");
	json_str(b, "category", s->o->compare);
	json_int(b, "n", (int64_t)s->n);
	json_int(b, "labels", (int64_t)v.n_labels);
	json_int(b, "clusters", (int64_t)v.n_clusters);
	json_num(b, "homogeneity", v.homogeneity);
	json_num(b, "completeness", v.completeness);
	json_num(b, "v_measure", v.v);
	buf_adds(b, "}\n");
	s->out->records(s->out->arg, b->data, b->len);
}

/* A kept cluster keeps the name that it came in with. */
static void
name_all(struct sorter *s)
{
	FREED struct cluster_phrases_best *best = xcalloc(s->division.k + 1, sizeof(*best));
	char name[CLUSTER_NAME_BYTES];

	s->names = xcalloc(s->division.k + 1, sizeof(*s->names));
	cluster_phrases_choose(s->phrases, s->division.of, s->division.k, best);
	for (size_t j = 0; j < s->division.k; j++)
		s->names[j] = arena_strdup(&s->name_texts,
		    cluster_phrases_name(&best[j], CLUSTER_NAME_PHRASES, name));
	for (size_t i = 0; i < s->n_kept; i++)
		for (size_t j = 0; j < s->division.k; j++)
			if (s->division.numbers[j] == s->kept[i].number)
				s->names[j] = s->kept[i].name;
}

static int
run(struct sorter *s, struct err *err)
{
	const struct assign_options d = { s->o->k, s->o->max, s->o->least, s->o->near,
		s->n_threads };
	FREED uint32_t *kept = NULL, *texts = NULL;

	if (cluster_filter_vectors(s, err) != 0)
		return -1;
	kept = xreallocarray(NULL, s->n + 1, sizeof(*kept));
	texts = xreallocarray(NULL, s->n + 1, sizeof(*texts));
	for (size_t i = 0; i < s->n; i++) {
		kept[i] = s->items[i].cluster;
		texts[i] = (uint32_t)i;
	}
	struct kmeans_points p = cluster_points(s->terms, texts, s->n, s->v, s->n_dims);
	assign_points(&p, &d, kept, &s->division);
	free((void *)(uintptr_t)p.v);
	if (s->o->compare != NULL) {
		print_score(s);
		return 0;
	}
	name_all(s);
	return print_all(s, err);
}

int
cluster_filter(const struct cluster_filter_options *o, const char *path,
	const struct cluster_filter_out *out, uint64_t *n_bad, struct err *err)
{
	FREED struct sorter *s = xcalloc(1, sizeof(*s));
	struct err of_input = ERR_INIT;

	*n_bad = 0;
	s->o = o;
	s->out = out;
	s->n_bad = n_bad;
	s->n_threads = o->n_threads > 0 ? o->n_threads : embed_processors();
	s->phrases = cluster_phrases_new();
	s->terms = cluster_terms_new();
	buf_init(&s->printed, conf_caps.output_bytes);
	int rc = ndjson_each(path, &(struct ndjson_fn){ s, take_line, bad_line, NULL }, &of_input);
	/* What came before a fault of the input counts; the fault is told at the end. */
	if ((rc == 0 || s->n > 0) && run(s, err) != 0)
		rc = -1;
	else if (rc != 0)
		*err = of_input;
	cluster_terms_free(s->terms);
	cluster_phrases_free(s->phrases);
	model_close(s->model);
	assignment_release(&s->division);
	arena_release(&s->arena);
	arena_release(&s->name_texts);
	arena_release(&s->lines);
	buf_release(&s->printed);
	free(s->items);
	free(s->v);
	free(s->kept);
	free(s->names);
	return rc;
}
