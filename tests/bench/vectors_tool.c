/*
 * vectors_tool.c: nearest neighbours by mem and by sqlite-vec, on the same vectors; a file of
 * vectors is float32, D a vector, those that are asked for behind the N that are stored.
 *
 *	vectors_tool data N DIMS N_QUESTIONS FILE              made up: unit vectors in clusters, whose dimensions weigh less and less
 *	vectors_tool truth N DIMS FILE OUT                     the ten nearest of each question by float products: a line of numbers each
 *	vectors_tool store N DIMS FILE DB [CENTRE]             into a store, each with a message; CENTRE: a file of one vector
 *	vectors_tool ask N DIMS FILE DB QUESTION               one question, as a program of its own would ask it
 *	vectors_tool recall N DIMS FILE DB TRUTH               all questions: their share of TRUTH, and of the estimates how far they are off
 *	vectors_tool like FROM DB                              what has no vector in DB gets that of the same line of FROM, and a copy of the line that and some noise; then cells
 *	vectors_tool peer-store N DIMS FILE DB TYPE SO         sqlite-vec's table; TYPE float, int8 or bit; SO: its shared library
 *	vectors_tool peer-ask N DIMS FILE DB QUESTION TYPE SO
 *	vectors_tool peer-recall N DIMS FILE DB TRUTH TYPE SO
 *
 * ask and peer-ask are to be timed from outside; they check that ten came.
 */
#include <sqlite3.h>

#include <errno.h>
#include <math.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "math/topk.h"
#include "math/vec.h"
#include "store/vectors.h"
#include "store/vectors/cells.h"
#include "../unit/nearest.h"

#define K 10

static size_t n, dims;
static const struct scope who = { "bench", NULL, NULL, NULL };
static struct err err;

static void
die(const char *what, const char *why)
{
	fprintf(stderr, "vectors_tool: %s: %s\n", what, why);
	exit(1);
}

static void
must(int rc, const char *what)
{
	if (rc != 0)
		die(what, err.msg);
}

/* Vectors from .. of the file, at most want of them; *got that many. */
static float *
read_vectors(const char *path, size_t from, size_t want, size_t *got)
{
	FILE *f = fopen(path, "rb");
	float *v;

	if (f == NULL || fseek(f, (long)(from * dims * sizeof(*v)), SEEK_SET) != 0)
		die(path, strerror(errno));
	v = xreallocarray(NULL, want * dims + 1, sizeof(*v));
	*got = fread(v, dims * sizeof(*v), want, f);
	fclose(f);
	return v;
}

/* ---- made-up vectors ---- */

static uint64_t seed = 1;

static double
uniform(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(seed >> 11) / 9007199254740992.0;
}

static double
normal(void)
{
	return sqrt(-2 * log(uniform() + 1e-300)) * cos(6.283185307179586 * uniform());
}

static void
make_data(size_t n_questions, const char *path)
{
	enum { CLUSTERS = 2000 };
	float *centres = xreallocarray(NULL, CLUSTERS * dims, sizeof(*centres)), v[VEC_MAX_DIMS];
	FILE *f = fopen(path, "wb");

	if (f == NULL)
		die(path, strerror(errno));
	for (size_t i = 0; i < CLUSTERS * dims; i++)
		centres[i] = (float)(normal() * pow((double)(i % dims) + 1, -.4));
	for (size_t i = 0; i < n + n_questions; i++) {
		size_t c = (size_t)(CLUSTERS * uniform() * uniform());
		for (size_t k = 0; k < dims; k++)
			v[k] = centres[c * dims + k] +
			    (float)(.8 * normal() * pow((double)k + 1, -.4));
		vec_unit(v, dims);
		if (fwrite(v, sizeof(*v), dims, f) != dims)
			die(path, strerror(errno));
	}
	if (fclose(f) != 0)
		die(path, strerror(errno));
	free(centres);
}

static void
make_truth(const char *path, const char *out)
{
	size_t n_read, n_questions;
	float *v = read_vectors(path, 0, n, &n_read),
	      *q = read_vectors(path, n, 100000, &n_questions);
	FILE *f = fopen(out, "w");
	struct topk best;

	if (f == NULL || n_read != n)
		die(path, "cannot be read or written");
	for (size_t i = 0; i < n_questions; i++) {
		topk_init(&best, K);
		for (size_t k = 0; k < n; k++) {
			float sum[8] = { 0 };
			for (size_t d = 0; d + 8 <= dims; d += 8)
				for (size_t j = 0; j < 8; j++)
					sum[j] += v[k * dims + d + j] * q[i * dims + d + j];
			topk_add(&best,
			    sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7],
			    (int64_t)k);
		}
		topk_sort(&best);
		for (size_t k = 0; k < best.n; k++)
			fprintf(f, "%lld%c", (long long)best.items[k].id,
			    k + 1 < best.n ? ' ' : '\n');
		topk_release(&best);
	}
	fclose(f);
	free(v);
	free(q);
}

/* ---- mem ---- */

static void
put_messages(struct store *s)
{
	char text[32], id[16];

	for (size_t i = 0; i < n; i++) {
		struct message m = { .session = "s",
			.role = ROLE_USER,
			.name = "",
			.content = text,
			.time_us = TIME_NONE,
			.agent = "",
			.project = "",
			.origin = ORIGIN_USER,
			.trust = -1,
			.source_id = id,
			.tool_calls = "",
			.tool_call_id = "",
			.extra = "" };
		enum put_did did;
		snprintf(text, sizeof(text), "message %zu", i);
		snprintf(id, sizeof(id), "%zu", i);
		m.content_len = strlen(text);
		if (i % 5000 == 0)
			must(store_begin(s, &err), "begin");
		must(messages_put(s, &who, &m, &did, &err), "put");
		if (i % 5000 == 4999 || i + 1 == n)
			must(store_commit(s, &err), "commit");
	}
}

struct filling { struct vector_key keys[2000]; size_t n; };

static int
collect(void *arg, const struct vector_missing *m)
{
	struct filling *f = arg;

	f->keys[f->n++] = m->key;
	return 0;
}

static void
make_store(const char *path, const char *db, const char *centre)
{
	struct vector_model model = { .name = "bench", .n_dims = (uint32_t)dims };
	struct filling *f = xcalloc(1, sizeof(*f));
	struct store *s;
	int64_t set, us;
	size_t at = 0, got;

	if (centre != NULL)
		model.centre = read_vectors(centre, 0, 1, &got);
	must(store_open(db, STORE_CREATE, &s, &err), "open");
	put_messages(s);
	must(store_begin(s, &err), "begin");
	must(vectors_set(s, &model, &set, &err), "set");
	must(store_commit(s, &err), "commit");
	us = clock_mono_us();
	for (;;) {
		size_t n_put;
		f->n = 0;
		must(vectors_missing(s, &who, set, NELEM(f->keys), collect, f, &err), "missing");
		if (f->n == 0)
			break;
		float *v = read_vectors(path, at, f->n, &got);
		must(store_begin(s, &err), "begin");
		must(vectors_put(s, &who, set, f->keys, v, f->n, &n_put, &err), "put");
		must(store_commit(s, &err), "commit");
		at += n_put;
		free(v);
	}
	must(store_checkpoint(s, &err), "checkpoint");
	printf("{\"stored\":%zu,\"per_second\":%.0f}\n", at,
	    (double)at * 1e6 / (double)(clock_mono_us() - us));
	store_close(s);
	free((float *)model.centre);
	free(f);
}

/*
 * ---- vectors like others ----
 *
 * FROM has each line of the workload once, DB goes on in copies: their sessions come in the same
 * order, so the session and the turn of a message tell which line it is a copy of. A vector then
 * stands with the words that it is of, and what is near in one is near in the other.
 */

/* cosine of a copy, a tenth of whose words are others, with its line, about */
#define LIKE  0.9
#define TURNS 2048                 /* of a session, at most */

static const struct scope one = { "default", NULL, NULL, NULL };

/* slot [n_sessions + 1][TURNS], UINT32_MAX: it has no vector */
struct lines { float *v; uint32_t *slot; uint32_t n_sessions; };

/* Which slot each line of FROM has. */
static void
find_lines(struct vectors *v, struct lines *l)
{
	uint64_t *keys = xreallocarray(NULL, n, sizeof(*keys));
	float *cosines = xreallocarray(NULL, n, sizeof(*cosines)), *q = xcalloc(dims, sizeof(*q));
	struct vector_key key;

	q[0] = 1;
	must(vectors_cosines(v, q, keys, cosines, &err), "cosines");
	l->n_sessions = 0;
	for (size_t i = 0; i < n; i++) {
		vector_key_unpack(keys[i], vectors_info(v)->user_base, &key);
		l->n_sessions = MAX(l->n_sessions, (uint32_t)(key.row >> 20 & 0xffffff));
	}
	l->slot = xreallocarray(NULL, (l->n_sessions + 1u) * TURNS, sizeof(*l->slot));
	memset(l->slot, 0xff, (l->n_sessions + 1u) * TURNS * sizeof(*l->slot));
	for (size_t i = 0; i < n; i++) {
		vector_key_unpack(keys[i], vectors_info(v)->user_base, &key);
		if ((key.row & 0xfffff) < TURNS)
			l->slot[(key.row >> 20 & 0xffffff) * TURNS + (key.row & 0xfffff)] =
			    (uint32_t)i;
	}
	free(keys);
	free(cosines);
	free(q);
}

/* All vectors of the store's user, [n][dims], which line each is of, and their model. */
static struct lines
all_lines(const char *db, struct vector_model *model)
{
	struct lines l;
	struct vectors *v;
	struct store *s;
	uint32_t *slots;

	must(store_open(db, STORE_READ, &s, &err), "open");
	must(vectors_open(s, &one, &v, &err), "vectors");
	*model = vectors_info(v)->model;
	n = vectors_info(v)->n;
	dims = model->n_dims;
	if (n == 0)
		die(db, "no vectors");
	if (model->centre != NULL)
		model->centre = xmemdup(model->centre, dims * sizeof(float));
	slots = xreallocarray(NULL, n, sizeof(*slots));
	for (size_t i = 0; i < n; i++)
		slots[i] = (uint32_t)i;
	l.v = xreallocarray(NULL, n * dims, sizeof(*l.v));
	must(vectors_get(v, slots, n, l.v, &err), "get");
	find_lines(v, &l);
	vectors_close(v);
	store_close(s);
	free(slots);
	return l;
}

static void
draw(const struct lines *from, int64_t row, float *out)
{
	uint32_t session = (uint32_t)(row >> 20 & 0xffffff), turn = (uint32_t)(row & 0xfffff),
		 slot = UINT32_MAX;
	bool copy = session > from->n_sessions;
	double noise = copy ? sqrt((1 / (LIKE * LIKE) - 1) / (double)dims) : 0;

	if (turn < TURNS)
		slot = from->slot[((session - 1) % from->n_sessions + 1) * TURNS + turn];
	/* a copy of a line that says nothing may say something */
	if (slot == UINT32_MAX)
		slot = (uint32_t)((double)n * uniform());
	for (size_t d = 0; d < dims; d++)
		out[d] = from->v[slot * dims + d] + (float)(noise * normal());
	vec_unit(out, dims);
}

static void
make_like(const char *from, const char *db)
{
	struct filling *f = xcalloc(1, sizeof(*f));
	struct vector_model model;
	struct lines all = all_lines(from, &model);
	float *v = xreallocarray(NULL, NELEM(f->keys) * dims, sizeof(*v));
	struct store *s;
	size_t n_put = 1;
	int64_t set;
	bool more = true;

	must(store_open(db, STORE_WRITE, &s, &err), "open");
	must(store_begin(s, &err), "begin");
	must(vectors_set(s, &model, &set, &err), "set");
	must(store_commit(s, &err), "commit");
	while (n_put > 0) {
		f->n = 0;
		must(vectors_missing(s, &one, set, NELEM(f->keys) / 2, collect, f, &err),
		    "missing");
		for (size_t i = 0; i < f->n; i++)
			draw(&all, f->keys[i].row, v + i * dims);
		must(store_begin(s, &err), "begin");
		must(vectors_put(s, &one, set, f->keys, v, f->n, &n_put, &err), "put");
		must(store_commit(s, &err), "commit");
	}
	while (more)
		must(vectors_sort(s, &one, set, 2, &more, &err), "sort");
	must(store_checkpoint(s, &err), "checkpoint");
	store_close(s);
	free((float *)model.centre);
	free(all.v);
	free(all.slot);
	free(v);
	free(f);
}

static void
ask(const char *path, const char *db, size_t question)
{
	size_t got, n_hits;
	float *q = read_vectors(path, n + question, 1, &got);
	struct vector_hit hits[K];
	struct vectors *v;
	struct store *s;
	int64_t t[4];

	t[0] = clock_mono_us();
	must(store_open(db, STORE_READ, &s, &err), "open");
	t[1] = clock_mono_us();
	must(vectors_open(s, &who, &v, &err), "vectors");
	t[2] = clock_mono_us();
	must(nearest(v, q, K, hits, &n_hits, &err), "nearest");
	t[3] = clock_mono_us();
	if (n_hits != K)
		die(db, "not ten");
	printf("{\"open_us\":%lld,\"vectors_us\":%lld,\"nearest_us\":%lld}\n",
	    (long long)(t[1] - t[0]), (long long)(t[2] - t[1]), (long long)(t[3] - t[2]));
	vectors_close(v);
	store_close(s);
	free(q);
}

/* The slots are those of the file: one user, one part each, in order. */
static void
recall(const char *path, const char *db, const char *truth)
{
	size_t n_questions, got, n_found = 0, n_all = 0;
	float *q = read_vectors(path, n, 100000, &n_questions),
	      *cosines = xreallocarray(NULL, n, sizeof(*cosines)), *v;
	uint64_t *keys = xreallocarray(NULL, n, sizeof(*keys));
	double off = 0, square = 0;
	FILE *f = fopen(truth, "r");
	struct vectors *vectors;
	struct store *s;

	if (f == NULL)
		die(truth, strerror(errno));
	must(store_open(db, STORE_READ, &s, &err), "open");
	must(vectors_open(s, &who, &vectors, &err), "vectors");
	v = read_vectors(path, 0, MIN(n, 20000), &got);
	for (size_t i = 0; i < n_questions; i++) {
		struct vector_hit hits[K];
		size_t n_hits;
		long long id;
		must(nearest(vectors, q + i * dims, K, hits, &n_hits, &err), "nearest");
		for (size_t k = 0; k < K && fscanf(f, "%lld", &id) == 1; k++, n_all++)
			for (size_t h = 0; h < n_hits; h++)
				n_found += hits[h].slot == (uint32_t)id;
		if (i >= 10)
			continue;
		must(vectors_cosines(vectors, q + i * dims, keys, cosines, &err), "cosines");
		for (size_t k = 0; k < got; k++) {
			double d = (double)cosines[k] - vec_dot(q + i * dims, v + k * dims, dims);
			off += d / (double)got;
			square += d * d / (double)got;
		}
	}
	n_questions = MIN(n_questions, 10);
	printf("{\"recall\":%.4f,\"questions\":%zu,\"estimate_bias\":%.5f,\"estimate_rms\":%.5f}\n",
	    (double)n_found / (double)MAX(n_all, 1), n_all / K, off / (double)n_questions,
	    sqrt(square / (double)n_questions));
	vectors_close(vectors);
	store_close(s);
	fclose(f);
	free(q);
	free(v);
	free(keys);
	free(cosines);
}

/* ---- sqlite-vec ---- */

static sqlite3 *
peer_open(const char *db, const char *so)
{
	sqlite3 *d;
	char *why = NULL;

	if (sqlite3_open(db, &d) != SQLITE_OK ||
	    sqlite3_db_config(d, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL) != SQLITE_OK ||
	    sqlite3_load_extension(d, so, "sqlite3_vec_init", &why) != SQLITE_OK)
		die(so, why == NULL ? sqlite3_errmsg(d) : why);
	return d;
}

static const char *
wrapped(const char *type)
{
	return strcmp(type, "int8") == 0 ? "vec_quantize_int8(?, 'unit')"
	    : strcmp(type, "bit") == 0	 ? "vec_quantize_binary(?)"
					 : "?";
}

static void
peer_store(const char *path, const char *db, const char *type, const char *so)
{
	sqlite3 *d = peer_open(db, so);
	sqlite3_stmt *put;
	char *sql = sqlite3_mprintf("PRAGMA journal_mode = WAL; CREATE VIRTUAL TABLE v USING "
				    "vec0(e %s[%d]); BEGIN",
	    type, (int)dims);
	int64_t us = clock_mono_us();
	size_t got;

	if (sqlite3_exec(d, sql, NULL, NULL, NULL) != SQLITE_OK)
		die(db, sqlite3_errmsg(d));
	sqlite3_free(sql);
	sql = sqlite3_mprintf("INSERT INTO v (e, rowid) VALUES (%s, ?)", wrapped(type));
	if (sqlite3_prepare_v2(d, sql, -1, &put, NULL) != SQLITE_OK)
		die(db, sqlite3_errmsg(d));
	sqlite3_free(sql);
	for (size_t i = 0; i < n; i++) {
		float *v = read_vectors(path, i, 1, &got);
		sqlite3_bind_blob(put, 1, v, (int)(dims * sizeof(*v)), SQLITE_STATIC);
		sqlite3_bind_int64(put, 2, (int64_t)i + 1);
		if (sqlite3_step(put) != SQLITE_DONE)
			die(db, sqlite3_errmsg(d));
		sqlite3_reset(put);
		free(v);
	}
	sqlite3_finalize(put);
	if (sqlite3_exec(d, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL) !=
	    SQLITE_OK)
		die(db, sqlite3_errmsg(d));
	printf("{\"stored\":%zu,\"per_second\":%.0f}\n", n,
	    (double)n * 1e6 / (double)(clock_mono_us() - us));
	sqlite3_close(d);
}

static sqlite3_stmt *
peer_find(sqlite3 *d, const char *type)
{
	char *sql = sqlite3_mprintf("SELECT rowid, distance FROM v WHERE e MATCH %s AND k = %d",
	    wrapped(type), K);
	sqlite3_stmt *find;

	if (sqlite3_prepare_v2(d, sql, -1, &find, NULL) != SQLITE_OK)
		die("sqlite-vec", sqlite3_errmsg(d));
	sqlite3_free(sql);
	return find;
}

/* The ten nearest, by their places in the file. */
static void
peer_nearest(sqlite3 *d, sqlite3_stmt *find, const float *q, int64_t hits[K])
{
	size_t n_hits = 0;

	sqlite3_bind_blob(find, 1, q, (int)(dims * sizeof(*q)), SQLITE_STATIC);
	while (sqlite3_step(find) == SQLITE_ROW && n_hits < K)
		hits[n_hits++] = sqlite3_column_int64(find, 0) - 1;
	if (n_hits != K)
		die("sqlite-vec", sqlite3_errmsg(d));
	sqlite3_reset(find);
}

static void
peer_ask(const char *path, const char *db, size_t question, const char *type, const char *so)
{
	size_t got;
	float *q = read_vectors(path, n + question, 1, &got);
	sqlite3 *d = peer_open(db, so);
	sqlite3_stmt *find = peer_find(d, type);
	int64_t hits[K];

	peer_nearest(d, find, q, hits);
	sqlite3_finalize(find);
	sqlite3_close(d);
	free(q);
}

/* Of the first hundred questions. */
static void
peer_recall(const char *path, const char *db, const char *truth, const char *type, const char *so)
{
	size_t n_questions, n_found = 0;
	float *q = read_vectors(path, n, 100, &n_questions);
	sqlite3 *d = peer_open(db, so);
	sqlite3_stmt *find = peer_find(d, type);
	FILE *f = fopen(truth, "r");
	int64_t hits[K];
	long long id;

	if (f == NULL)
		die(truth, strerror(errno));
	for (size_t i = 0; i < n_questions; i++) {
		peer_nearest(d, find, q + i * dims, hits);
		for (size_t k = 0; k < K && fscanf(f, "%lld", &id) == 1; k++)
			for (size_t h = 0; h < K; h++)
				n_found += hits[h] == id;
	}
	printf("{\"recall\":%.4f,\"questions\":%zu}\n", (double)n_found / (double)(n_questions * K),
	    n_questions);
	sqlite3_finalize(find);
	sqlite3_close(d);
	fclose(f);
	free(q);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 4 ? argv[1] : "";

	if (argc == 4 && strcmp(argv[1], "like") == 0) {
		make_like(argv[2], argv[3]);
		return 0;
	}
	if (argc > 4) {
		n = (size_t)atol(argv[2]);
		dims = (size_t)atol(argv[3]);
	}
	if (dims < 1 || dims > VEC_MAX_DIMS)
		die("usage", "see the head of vectors_tool.c");
	if (strcmp(what, "data") == 0 && argc == 6)
		make_data((size_t)atol(argv[4]), argv[5]);
	else if (strcmp(what, "truth") == 0 && argc == 6)
		make_truth(argv[4], argv[5]);
	else if (strcmp(what, "store") == 0 && argc >= 6)
		make_store(argv[4], argv[5], argc > 6 ? argv[6] : NULL);
	else if (strcmp(what, "ask") == 0 && argc == 7)
		ask(argv[4], argv[5], (size_t)atol(argv[6]));
	else if (strcmp(what, "recall") == 0 && argc == 7)
		recall(argv[4], argv[5], argv[6]);
	else if (strcmp(what, "peer-store") == 0 && argc == 8)
		peer_store(argv[4], argv[5], argv[6], argv[7]);
	else if (strcmp(what, "peer-ask") == 0 && argc == 9)
		peer_ask(argv[4], argv[5], (size_t)atol(argv[6]), argv[7], argv[8]);
	else if (strcmp(what, "peer-recall") == 0 && argc == 9)
		peer_recall(argv[4], argv[5], argv[6], argv[7], argv[8]);
	else
		die("usage", "see the head of vectors_tool.c");
	return 0;
}
