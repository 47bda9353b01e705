/*
 * cells_test.c: vectors in cells: what is found through them against plain sums, the tail, what
 * goes, the wall between users, damage, a kill at any moment, and that more vectors get more cells.
 */
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "storing.h"

#include "base/conf.h"
#include "math/topk.h"
#include "math/vec.h"
#include "store/vectors.h"
#include "store/vectors/cells.h"
#include "nearest.h"

#define DIMS     48
#define CLUSTERS 60

static struct vector_model model = { .name = "model",
	.sha256 = { 1 },
	.n_dims = DIMS,
	.unrelated = 0.125f };
static float centre[DIMS];
static int64_t set;

static float
noise(uint64_t *x)
{
	double sum = 0;

	for (int k = 0; k < 4; k++) {
		*x = *x * 6364136223846793005u + 1442695040888963407u;
		sum += (double)(*x >> 40) / (1 << 24) - .5;
	}
	return (float)sum;
}

/* One of CLUSTERS directions and as much of its own. */
static void
vector_of(int64_t row, unsigned part, float *v)
{
	uint64_t own = (uint64_t)row * 1000003 + part * 7919 + 99,
		 of = ((uint64_t)row * 2654435761u >> 7) % CLUSTERS + 5;

	for (uint32_t i = 0; i < DIMS; i++)
		v[i] = noise(&of) + 0.7f * noise(&own) +
		    (model.centre != NULL ? centre[i] * sqrtf(DIMS) : 0);
	vec_unit(v, DIMS);
}

static struct vector_key got[20000];
static size_t n_got;

static int
collect(void *arg, const struct vector_missing *m)
{
	(void)arg;
	got[n_got++] = m->key;
	return 0;
}

static size_t
embed(const struct scope *who)
{
	static float v[5000 * DIMS];
	size_t all = 0, n_put;

	for (;;) {
		n_got = 0;
		must(vectors_missing(st, who, set, 4000, collect, NULL, &err), "missing");
		if (n_got == 0)
			return all;
		for (size_t i = 0; i < n_got; i++)
			vector_of(got[i].row, got[i].part, v + i * DIMS);
		must(store_begin(st, &err), "begin");
		must(vectors_put(st, who, set, got, v, n_got, &n_put, &err), "put");
		must(store_commit(st, &err), "commit");
		all += n_put;
	}
}

static void
say(const struct scope *who, const char *session, int n)
{
	static int no;
	char text[40];

	must(store_begin(st, &err), "begin");
	for (int i = 0; i < n; i++) {
		struct message m;
		snprintf(text, sizeof(text), "line %d of %s", no++, who->user);
		m = message(session, text);
		m.position = (uint64_t)no;
		put(who, &m);
	}
	must(store_commit(st, &err), "commit");
}

/* Steps until there is no more to do; how many. */
static int
sort(const struct scope *who)
{
	bool more = true;
	int n = 0;

	for (; more; n++)
		must(vectors_sort(st, who, set, 2, &more, &err), "sort");
	return n;
}

static void
use_set(void)
{
	must(store_begin(st, &err), "begin");
	must(vectors_set(st, &model, &set, &err), "set");
	must(store_commit(st, &err), "commit");
}

static void
fresh_set(bool centred)
{
	fresh();
	model.centre = centred ? centre : NULL;
	use_set();
}

static void
setting(const char *name, const char *value)
{
	must(conf_set(name, value, &err), name);
}

static char findings[2000];
static int worst_level;

static int
see_finding(void *arg, const struct check_finding *f)
{
	(void)arg;
	worst_level = MAX(worst_level, f->level);
	if (f->level > 0)
		snprintf(findings + strlen(findings), sizeof(findings) - strlen(findings),
		    "%s: %s\n", f->what, f->message);
	return 0;
}

static int
check(void)
{
	findings[0] = '\0';
	worst_level = 0;
	must(store_check(st, CHECK_FULL, see_finding, NULL, &err), "check");
	return worst_level;
}

/* ---- probing ---- */

struct probed {
	const float *q;
	int64_t base;
	uint64_t *keys;
	size_t n, n_twice, n_foreign;
	double worst;
	bool *by_slot;
	uint32_t n_slots;
};

static void
see_found(void *arg, uint32_t n, const uint64_t *keys, const float *cosines, const uint32_t *slots)
{
	struct probed *s = arg;
	float d[DIMS];

	for (uint32_t i = 0; i < n; i++) {
		struct vector_key k;
		vector_key_unpack(keys[i], s->base, &k);
		vector_of(k.row, k.part, d);
		s->worst = fmax(s->worst, fabs((double)cosines[i] - vec_dot(s->q, d, DIMS)));
		s->n++;
		if (slots[i] >= s->n_slots)
			s->n_foreign++;
		else if (s->by_slot[slots[i]])
			s->n_twice++;
		else
			s->by_slot[slots[i]] = true;
	}
}

static struct probed
probe(const struct scope *who, const float *q, struct vectors_info *info)
{
	struct probed s = { .q = q };
	struct vectors *v;

	must(vectors_open(st, who, &v, &err), "open");
	*info = *vectors_info(v);
	s.base = info->user_base;
	s.n_slots = info->n;
	s.by_slot = xcalloc(info->n + 1u, sizeof(*s.by_slot));
	must(vectors_estimate(v, q, &(struct vectors_some){ .which = VECTORS_NEAR }, see_found, &s,
	    &err), "probe");
	free(s.by_slot);
	vectors_close(v);
	return s;
}

/* The share of the ten nearest by plain sums that a search finds, over some questions. */
static double
recall(const struct scope *who, int64_t first_row, uint32_t n_rows)
{
	enum { K = 10, QUESTIONS = 20 };
	struct topk best;
	struct vectors *v;
	size_t n_found = 0;

	must(vectors_open(st, who, &v, &err), "open");
	for (int i = 0; i < QUESTIONS; i++) {
		struct vector_hit hits[K];
		float q[DIMS], d[DIMS];
		size_t n;
		vector_of(first_row + i * 7, 1, q);
		topk_init(&best, K);
		for (uint32_t r = 0; r < n_rows; r++) {
			vector_of(first_row + r, 0, d);
			topk_add(&best, (float)vec_dot(q, d, DIMS), r);
		}
		must(nearest(v, q, K, hits, &n, &err), "nearest");
		for (size_t h = 0; h < n; h++)
			for (size_t k = 0; k < best.n; k++)
				n_found += (int64_t)(hits[h].key & 0xfffff) ==
				    best.items[k].id + (first_row & 0xfffff);
		topk_release(&best);
	}
	vectors_close(v);
	return (double)n_found / K / QUESTIONS;
}

static const int64_t anns = 1ll << 44 | 1ll << 20;     /* ann's first row */

static void
test_sorted(void)
{
	struct vectors_info info;
	struct probed s;
	float q[DIMS], between[DIMS];
	size_t few;

	setting("cells_from", "3000");
	setting("cells_probed", "16");
	fresh_set(true);
	say(&ann, "s", 2999);
	embed(&ann);
	is_int(sort(&ann), 1, "too few: nothing is done");
	vector_of(5, 1, q);
	s = probe(&ann, q, &info);
	ok(info.n_cells == 0 && s.n == 2999 && s.n_twice == 0, "without cells all are looked at");
	say(&ann, "s", 1001);
	embed(&ann);
	ok(sort(&ann) == 3, "centroids, members, the end");
	is_int(check(), 0, "whole");
	s = probe(&ann, q, &info);
	is_int(info.n_cells, 252, "four times the root of 4,000");
	ok(s.n > 30 && s.n < 2000, "some are looked at: %zu", s.n);
	ok(s.n_twice + s.n_foreign == 0 && s.worst < .5,
	    "each once, estimates are off by %.3f at most", s.worst);
	for (size_t i = 0; i < DIMS; i++)
		between[i] = i % 3 == 0 ? 1 / sqrtf(DIMS) : -.5f / sqrtf(DIMS);
	vec_unit(between, DIMS);
	few = probe(&ann, between, &info).n;
	ok(few > 2 * s.n && few > 300 && few < 2000,
	    "more of a question that is in the midst of none: %zu", few);
	double r = recall(&ann, anns, 4000);
	ok(r > .93, "recall@10 is %.3f", r);
	setting("cells_probed", "1");
	ok(recall(&ann, anns, 4000) < r, "less with fewer cells");
	setting("cells_probed", "100000");
	s = probe(&ann, q, &info);
	is_int(s.n, 4000, "all cells: all vectors");
	ok(recall(&ann, anns, 4000) > .97, "and nearly all of the nearest");
	setting("cells_probed", "16");

	/* the tail */
	say(&ann, "s", 300);
	embed(&ann);
	is_int(sort(&ann), 1, "a short tail is left");
	setting("cells_probed", "1");
	s = probe(&ann, q, &info);
	ok(s.n >= 300 && s.n < 600 && s.n_twice == 0, "and looked at whole: %zu", s.n);
	setting("cells_probed", "16");
	ok(recall(&ann, anns, 4300) > .93, "what it has is found");
	say(&ann, "s", 400);
	embed(&ann);
	is_int(sort(&ann), 2, "a longer one is sorted in");
	setting("cells_probed", "100000");
	s = probe(&ann, q, &info);
	ok(s.n == 4700 && s.n_twice == 0, "all are there");
	is_int(check(), 0, "whole");
	setting("cells_probed", "16");
}

static size_t n_sampled;
static double sum_sampled;

static void
see_sample(void *arg, uint32_t n, const uint64_t *keys, const float *cosines, const uint32_t *slots)
{
	(void)arg;
	(void)keys;
	for (uint32_t i = 0; i < n; i++) {
		sum_sampled += (double)cosines[i];
		n_sampled++;
		if (i > 0 && slots[i] <= slots[i - 1])
			printf("Bail out! a sample in no order\n");
	}
}

static uint32_t around[3];

static void
see_around(void *arg, uint32_t n, const uint64_t *keys, const float *cosines, const uint32_t *slots)
{
	size_t *at = arg;

	(void)keys;
	(void)cosines;
	for (uint32_t i = 0; i < n && *at < 3; i++)
		around[(*at)++] = slots[i];
}

static void
test_asked(void)
{
	enum { N = 6 };
	const int64_t rows[N] = { anns, anns + 17, anns + 18, anns + 2500, anns + 4699,
		anns + 9999 };
	float cosines[N], q[DIMS], d[DIMS];
	uint32_t slots[N];
	struct vectors *v;
	double worst = 0, sum = 0;
	size_t n_around = 0;

	vector_of(31, 1, q);
	must(vectors_open(st, &ann, &v, &err), "open");
	must(vectors_of_messages(v, q, rows, N, cosines, slots, &err), "messages");
	for (int i = 0; i < N - 1; i++) {
		vector_of(rows[i], 0, d);
		worst = fmax(worst, fabs((double)cosines[i] - vec_dot(q, d, DIMS)));
	}
	ok(worst < 5e-3 && slots[1] == 17 && slots[3] == 2500,
	    "messages by their rows, exactly: %.4f", worst);
	ok(cosines[N - 1] < -1.5f, "one that is not there has none");
	must(vectors_estimate(v, q, &(struct vectors_some){ .which = VECTORS_SAMPLE }, see_sample,
	    NULL, &err), "sample");
	for (uint32_t i = 0; i < 4700; i++) {
		vector_of(anns + i, 0, d);
		sum += vec_dot(q, d, DIMS);
	}
	ok(n_sampled > 1000 && fabs(sum / 4700 - sum_sampled / (double)n_sampled) < .02,
	    "a sample of %zu has the mean of all", n_sampled);
	must(vectors_estimate(v, q, &(struct vectors_some){ .which = VECTORS_AROUND,
	    .slots = (uint32_t[]){ 2500 }, .n = 1 }, see_around, &n_around, &err), "around");
	ok(n_around == 3 && around[0] == 2499 && around[1] == 2500 && around[2] == 2501,
	    "a slot and those beside it");
	/* messages 1000 to 1099 and one of another user, one in the tail: whole pages */
	int64_t some[102];
	for (int i = 0; i < 100; i++)
		some[i] = anns + 1000 + i;
	some[100] = anns + 9999;
	some[101] = anns + (1ll << 44);
	struct probed s = { .q = q,
		.base = vectors_info(v)->user_base,
		.n_slots = vectors_info(v)->n };
	s.by_slot = xcalloc(s.n_slots + 1u, sizeof(*s.by_slot));
	must(vectors_estimate(v, q, &(struct vectors_some){ .which = VECTORS_BESIDE, .rows = some,
	    .n = NELEM(some) }, see_found, &s, &err), "beside");
	int n_there = 0;
	for (int i = 1000; i < 1100; i++)
		n_there += s.by_slot[i];
	ok(n_there == 100 && s.n < 100 + 2 * VECTORS_PER_PAGE && s.n_twice + s.n_foreign == 0,
	    "messages with what stands beside them: %zu", s.n);
	ok(s.worst < .5, "by estimate: off by %.3f at most", s.worst);
	s.n = 0;
	must(vectors_estimate(v, q, &(struct vectors_some){ .which = VECTORS_BESIDE, .rows = some,
	    .n = 0 }, see_found, &s, &err), "none");
	is_int((int64_t)s.n, 0, "none of none");
	free(s.by_slot);
	vectors_close(v);
}

static void
test_removal(void)
{
	struct vectors_info info;
	struct probed s;
	int64_t rows[50];
	float q[DIMS], cosine;
	uint32_t slot;
	struct vectors *v;

	for (int i = 0; i < 50; i++)
		rows[i] = anns + i * 80;
	must(store_begin(st, &err), "begin");
	must(vectors_remove(st, &ann, VECTOR_MESSAGE, rows, 50, &err), "remove");
	must(store_commit(st, &err), "commit");
	is_int(check(), 0, "what goes leaves nothing in cells");
	setting("cells_probed", "100000");
	vector_of(rows[3], 0, q);
	s = probe(&ann, q, &info);
	is_int(s.n, 4650, "it is not found");
	must(vectors_open(st, &ann, &v, &err), "open");
	must(vectors_of_messages(v, q, rows + 3, 1, &cosine, &slot, &err), "messages");
	ok(cosine < -1.5f, "nor by its row");
	vectors_close(v);
	is_int(embed(&ann), 50, "made again");
	s = probe(&ann, q, &info);
	is_int(s.n, 4700, "it is");
	setting("cells_probed", "16");
}

/* Chunks: the best of a message counts; and two users, each with their own cells. */
static void
test_wall(void)
{
	struct vectors_info info;
	struct probed s;
	float q[DIMS];

	fresh_set(false);
	say(&ann, "s", 3500);
	embed(&ann);
	say(&bob, "s", 3100);
	embed(&bob);
	is_int(sort(&ann), 3, "ann's");
	vector_of(31, 0, q);
	s = probe(&bob, q, &info);
	ok(info.n_cells == 0 && s.n == 3100, "bob's are in no cells");
	is_int(sort(&bob), 3, "bob's");
	setting("cells_probed", "100000");
	s = probe(&ann, q, &info);
	ok(s.n == 3500 && s.n_foreign == 0 && s.worst < .6, "ann finds hers");
	s = probe(&bob, q, &info);
	ok(s.n == 3100 && s.n_foreign == 0 && s.worst < .6, "bob finds his");
	is_int(sort(&nobody), 1, "nobody has none");
	is_int(check(), 0, "whole");
	setting("cells_probed", "16");
}

static void
test_growth(void)
{
	struct vectors_info info;
	float q[DIMS];

	vector_of(31, 0, q);
	probe(&ann, q, &info);
	is_int(info.n_cells, 236, "four times the root of 3,500");
	say(&ann, "s", 3500 * 4);
	embed(&ann);
	ok(sort(&ann) > 3, "more than four times as many");
	struct probed s = probe(&ann, q, &info);
	is_int(info.n_cells, 529, "twice the cells and more");
	ok(s.n < 6000 && s.n_twice == 0, "%zu are looked at", s.n);
	double r = recall(&ann, anns, 17500);
	ok(r > .93, "recall@10 is %.3f", r);
	is_int(check(), 0, "whole, nothing is left of the old ones");
}

/* A number of the database. */
static int64_t
number(const char *text)
{
	sqlite3_stmt *q = NULL;
	sqlite3 *db = NULL;
	int64_t n = -1;

	if (sqlite3_open_v2(PATH, &db, SQLITE_OPEN_READWRITE, "mem") == SQLITE_OK &&
	    sqlite3_prepare_v2(db, text, -1, &q, NULL) == SQLITE_OK &&
	    sqlite3_step(q) == SQLITE_ROW)
		n = sqlite3_column_int64(q, 0);
	sqlite3_finalize(q);
	sqlite3_close(db);
	return n;
}

/* Each slot stands in two cells; cells that were made when it stood in one are made anew. */
static void
test_two_cells(void)
{
	struct vectors_info info;
	struct probed s;
	float q[DIMS];

	fresh_set(true);
	say(&ann, "s", 3300);
	embed(&ann);
	sort(&ann);
	is_int(number("SELECT trained FROM vector_cells"), -3300,
	    "the sign says that each stands in two");
	sql_and_reopen("UPDATE vector_cells SET trained = 3300");
	is_int(check(), 0, "each in one would be right as well, as it was once");
	int64_t made = number("SELECT made FROM vector_cells");
	ok(sort(&ann) == 4, "such cells go; centroids, members, the end");
	ok(number("SELECT made FROM vector_cells") != made, "they are others");
	is_int(number("SELECT trained FROM vector_cells"), -3300, "of the new sort");
	is_int(check(), 0, "whole");
	vector_of(31, 0, q);
	setting("cells_probed", "100000");
	s = probe(&ann, q, &info);
	setting("cells_probed", "16");
	ok(s.n == 3300 && s.n_twice == 0, "each is told once");
}

static void
test_damage(void)
{
	static const char *const damages[] = {
		"UPDATE vector_cell SET slots = zeroblob(length(slots)) WHERE id = (SELECT min(id) "
		"FROM vector_cell)",
		"UPDATE vector_cell SET slots = randomblob(length(slots)) WHERE id = (SELECT "
		"min(id) FROM vector_cell)",
		"UPDATE vector_cell SET slots = substr(slots, 1, length(slots) - 1) WHERE id = "
		"(SELECT max(id) FROM vector_cell)",
		"UPDATE vector_cell SET slots = zeroblob(9000) WHERE id = (SELECT max(id) FROM "
		"vector_cell)",
		"DELETE FROM vector_cell WHERE id = (SELECT min(id) FROM vector_cell)",
		"INSERT INTO vector_cell SELECT max(id) + 1, slots FROM vector_cell",
		"DELETE FROM vector_cell",
		"DELETE FROM vector_centroid",
		"UPDATE vector_centroid SET slots = zeroblob(length(slots))",
		"DELETE FROM vector_place",
		"UPDATE vector_place SET slots = zeroblob(length(slots))",
		"UPDATE vector_cells SET slots = slots - 10",
		"UPDATE vector_cells SET slots = slots + 10",
		"UPDATE vector_cells SET cells = cells + 1",
		"DELETE FROM vector_cells",
	};
	struct vectors_info info;
	struct probed s;
	float q[DIMS];

	fresh_set(true);
	say(&ann, "s", 3200);
	embed(&ann);
	sort(&ann);
	store_close(st);
	st = NULL;
	if (system("cp " PATH " whole.db") != 0)
		printf("Bail out! cp\n");
	vector_of(31, 0, q);
	for (size_t i = 0; i < NELEM(damages); i++) {
		struct vectors *v = NULL;
		struct vector_hit hits[10];
		size_t n;
		if (system("cp whole.db " PATH) != 0)
			printf("Bail out! cp\n");
		must(store_open(PATH, STORE_WRITE, &st, &err), "open");
		sql_and_reopen(damages[i]);
		is_int(check(), 2, "found: %s", damages[i]);
		/* an error or an answer */
		if (vectors_open(st, &ann, &v, &err) == 0)
			nearest(v, q, 10, hits, &n, &err);
		vectors_close(v);
		err_clear(&err);
		must(store_repair(st, NULL, NULL, &err), "repair");
		is_int(check(), 0, "repaired");
		if (worst_level)
			tap_note("%s", findings);
		setting("cells_probed", "100000");
		s = probe(&ann, q, &info);
		setting("cells_probed", "16");
		ok(info.n_cells > 0 && s.n == 3200 && s.n_twice == 0, "and sorted again");
		store_close(st);
		st = NULL;
	}
	unlink("whole.db");
	must(store_open(PATH, STORE_WRITE, &st, &err), "open");
}

/* Killed at any moment: every vector is in a cell or in the tail, and the next one goes on. */
static void
test_kill(void)
{
	struct vectors_info info;
	struct probed s;
	float q[DIMS];
	int whole = 0, all = 0, some = 0;

	vector_of(31, 0, q);
	setting("cells_probed", "100000");
	fresh_set(true);
	say(&ann, "s", 4000);
	embed(&ann);
	store_close(st);
	st = NULL;
	for (int i = 0; i < 14; i++) {
		pid_t pid = fork();
		int status;
		if (pid == 0) {
			must(store_open(PATH, STORE_WRITE, &st, &err), "open");
			say(&ann, "s", 600);
			embed(&ann);
			sort(&ann);
			_exit(0);
		}
		nanosleep(&(struct timespec){ 0,
			      (i < 7 ? 10000000 : 100000000) +
				  i % 7 * (i < 7 ? 9000000 : 60000000) },
		    NULL);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		must(store_open(PATH, STORE_WRITE, &st, &err), "open");
		whole += check() == 0;
		s = probe(&ann, q, &info);
		all += s.n == info.n && s.n_twice == 0;
		some += info.n_cells > 0;
		store_close(st);
		st = NULL;
	}
	ok(whole == 14 && all == 14,
	    "killed 14 times, with cells after %d: %d whole, %d with all vectors", some, whole,
	    all);
	must(store_open(PATH, STORE_WRITE, &st, &err), "open");
	embed(&ann);
	sort(&ann);
	s = probe(&ann, q, &info);
	ok(info.n_cells > 0 && s.n == info.n, "then it goes on to the end");
	is_int(check(), 0, "whole");
}

int
main(void)
{
	static const char *const left[] = { PATH, PATH "-wal", PATH "-shm", PATH ".lock", NULL };

	for (uint32_t i = 0; i < DIMS; i++)
		centre[i] = (float)(i % 7) * 0.15f / sqrtf(DIMS);
	tmpdir_make();
	must(store_open(PATH, STORE_CREATE, &st, &err), "create");
	test_sorted();
	test_asked();
	test_removal();
	test_wall();
	test_growth();
	test_two_cells();
	test_damage();
	test_kill();
	store_close(st);
	arena_release(&arena);
	tmpdir_remove(left);
	return tap_done();
}
