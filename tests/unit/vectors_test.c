/*
 * vectors_test.c: vectors in the store: the queue of what is missing, sets and their switch, slots
 * over page borders, the wall between users, what goes, and scans against plain sums over the
 * vectors that were put.
 */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "storing.h"
#include "nearest.h"

#include "math/vec.h"
#include "store/vectors.h"
#include "store/vectors/cells.h"

#define DIMS_MAX 1024

/* ---- a model: a vector of a row, a part and a seed ---- */

static struct vector_model model;
static float centre[DIMS_MAX];
static int64_t set;

static void
make_model(unsigned no, uint32_t n_dims, bool centred)
{
	memset(&model, 0, sizeof(model));
	snprintf(model.name, sizeof(model.name), "model-%u", no);
	model.sha256[0] = (uint8_t)no;
	model.n_dims = n_dims;
	model.unrelated = 0.125f;
	for (uint32_t i = 0; i < n_dims; i++)
		centre[i] = (float)(i % 7) * 0.2f / sqrtf((float)n_dims);
	model.centre = centred ? centre : NULL;
}

static void
vector_of(int64_t row, unsigned part, float *v)
{
	uint64_t x = (uint64_t)row * 1000003 + part * 7919 + model.sha256[0] * 131071u;

	for (uint32_t i = 0; i < model.n_dims; i++) {
		double sum = 0;
		for (int k = 0; k < 4; k++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			sum += (double)(x >> 40) / (1 << 24) - .5;
		}
		v[i] = (float)sum +
		    (model.centre != NULL ? 3 * centre[i] * sqrtf((float)model.n_dims) : 0);
	}
	vec_unit(v, model.n_dims);
}

/* ---- what is missing ---- */

static struct vector_key got[5000];
static char texts[5000][24];
static char speakers[64][16];
static size_t n_got;

static int
collect(void *arg, const struct vector_missing *m)
{
	(void)arg;
	got[n_got] = m->key;
	snprintf(texts[n_got], sizeof(texts[0]), "%.*s", (int)MIN(m->len, 23), m->text);
	if (n_got < NELEM(speakers))
		snprintf(speakers[n_got], sizeof(speakers[0]), "%s", m->speaker);
	n_got++;
	return 0;
}

static size_t
missing(const struct scope *who, size_t limit)
{
	n_got = 0;
	must(vectors_missing(st, who, set, limit, collect, NULL, &err), "missing");
	return n_got;
}

static int64_t
n_missing(const struct scope *who)
{
	struct vectors_look look;

	must(vectors_look(st, who, model.sha256, &look, &err), "count");
	return look.n_missing;
}

static void
use_set(void)
{
	must(store_begin(st, &err), "begin");
	must(vectors_set(st, &model, &set, &err), "set");
	must(store_commit(st, &err), "commit");
}

static size_t
put_keys(const struct scope *who, const struct vector_key *keys, size_t n)
{
	float *v = xmalloc((n + 1) * model.n_dims * sizeof(*v));
	size_t n_put;

	for (size_t i = 0; i < n; i++)
		vector_of(keys[i].row, keys[i].part, v + i * model.n_dims);
	must(store_begin(st, &err), "begin");
	must(vectors_put(st, who, set, keys, v, n, &n_put, &err), "put");
	must(store_commit(st, &err), "commit");
	free(v);
	return n_put;
}

/* As mem-embed does it. */
static size_t
embed(const struct scope *who, size_t batch)
{
	size_t all = 0;

	while (missing(who, batch) > 0)
		all += put_keys(who, got, n_got);
	return all;
}

static void
say(const struct scope *who, const char *session, int n)
{
	char text[40];

	must(store_begin(st, &err), "begin");
	for (int i = 0; i < n; i++) {
		static int no;
		struct message m;
		snprintf(text, sizeof(text), "line %d of %s", no++, who->user);
		m = message(session, text);
		m.position = (uint64_t)no;
		put(who, &m);
	}
	must(store_commit(st, &err), "commit");
}

/*
 * ---- what is found, against sums over the vectors themselves; the question has half the length
 * of a unit vector, and an offset is added ----
 */

#define LENGTH .5
#define OFFSET .25

static double worst_exact, worst_estimate;

static bool
scan_is_right(const struct scope *who, uint32_t n_slots, uint32_t n_dead)
{
	struct vectors *v;
	uint64_t *keys;
	float *cosines, *again, *back, q[DIMS_MAX], d[DIMS_MAX];
	uint32_t *slots, dead = 0;
	const struct vectors_info *info;
	bool right;

	must(vectors_open(st, who, &v, &err), "open");
	info = vectors_info(v);
	right = info->n == n_slots && info->model.n_dims == model.n_dims &&
	    strcmp(info->model.name, model.name) == 0 &&
	    memcmp(info->model.sha256, model.sha256, SHA256_BYTES) == 0 &&
	    !(fabsf(info->model.unrelated - 0.125f) > 0);
	if (!right) {
		tap_note("%u slots of %s, not %u", info->n, info->model.name, n_slots);
		vectors_close(v);
		return false;
	}
	keys = xcalloc(n_slots + 1, sizeof(*keys));
	cosines = xcalloc(n_slots + 1, sizeof(*cosines));
	again = xcalloc(n_slots + 1, sizeof(*again));
	slots = xcalloc(n_slots + 1, sizeof(*slots));
	back = xcalloc((size_t)n_slots * model.n_dims + 1, sizeof(*back));
	vector_of(12345, 0, q);
	for (size_t i = 0; i < model.n_dims; i++)
		q[i] *= (float)LENGTH;
	vectors_offset(v, OFFSET);
	must(vectors_cosines(v, q, keys, cosines, &err), "cosines");
	for (uint32_t i = 0; i < n_slots; i++)
		slots[i] = i;
	must(vectors_rescore(v, q, slots, n_slots, again, &err), "rescore");
	must(vectors_get(v, slots, n_slots, back, &err), "get");
	worst_exact = worst_estimate = 0;
	for (uint32_t i = 0; i < n_slots; i++) {
		struct vector_key k;
		double want;
		if (keys[i] == VECTOR_DEAD) {
			right &= cosines[i] < -1.5f && again[i] < -1.5f;
			dead++;
			continue;
		}
		vector_key_unpack(keys[i], info->user_base, &k);
		vector_of(k.row, k.part, d);
		want = OFFSET + vec_dot(q, d, model.n_dims);
		worst_exact = fmax(worst_exact, fabs((double)again[i] - want) / LENGTH);
		worst_estimate = fmax(worst_estimate, fabs((double)cosines[i] - want) / LENGTH);
		right &= vec_dot(d, back + (size_t)i * model.n_dims, model.n_dims) > 0.9995;
		for (uint32_t e = 0; e < i; e += 1 + i / 50)
			right &= keys[e] != keys[i];
	}
	right &= dead == n_dead;
	free(keys);
	free(cosines);
	free(again);
	free(slots);
	free(back);
	vectors_close(v);
	return right;
}

static char findings[2000];
static int worst_level;

static int
see_finding(void *arg, const struct check_finding *f)
{
	(void)arg;
	worst_level = MAX(worst_level, f->level);
	if (f->level > 0 || strcmp(f->what, "vectors") == 0)
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

/* ---- tests ---- */

static void
test_none(void)
{
	struct vectors *v;
	size_t n;
	struct vector_hit hit;
	float q[DIMS_MAX] = { 1 };

	must(vectors_open(st, &ann, &v, &err), "open");
	ok(vectors_info(v)->n == 0 && vectors_info(v)->model.name[0] == '\0' &&
		vectors_info(v)->exact,
	    "no set, no user: nothing");
	vectors_close(v);
	make_model(1, 384, false);
	use_set();
	is_int(missing(&nobody, 10), 0, "nobody has nothing missing");
	is_int(put_keys(&nobody, &(struct vector_key){ 1ll << 44, 0, 0 }, 1), 0,
	    "and takes nothing");
	must(vectors_open(st, &nobody, &v, &err), "open");
	must(nearest(v, q, 1, &hit, &n, &err), "nearest");
	ok(vectors_info(v)->n == 0 && n == 0 && strcmp(vectors_info(v)->model.name, "model-1") == 0,
	    "a set, and nothing near in it");
	vectors_close(v);
	model.n_dims = 5000;
	model.sha256[1] = 1;
	must(store_begin(st, &err), "begin");
	ok(vectors_set(st, &model, &set, &err) < 0 && err.code == ERR_DATA, "too many dimensions");
	make_model(1, 100, false);
	ok(vectors_set(st, &model, &set, &err) < 0 && err.code == ERR_DATA,
	    "the same model with other dimensions");
	store_rollback(st);
}

static void
test_queue(void)
{
	struct message m;
	static const char code[] = "one paragraph here\n\n```c\nint x;\n```\n\nanother one";
	int64_t first;

	fresh();
	make_model(1, 384, false);
	use_set();
	must(store_begin(st, &err), "begin");
	m = message("s", "first words");
	m.name = "Mara";
	put(&ann, &m);
	first = m.row;
	m = message("s", "be nice");
	m.role = ROLE_SYSTEM;
	put(&ann, &m);
	m = message("s", "");
	put(&ann, &m);
	m = message("s", code);
	put(&ann, &m);
	m = message("t", "last words");
	m.role = ROLE_ASSISTANT;
	put(&ann, &m);
	must(store_commit(st, &err), "commit");
	is_int(n_missing(&ann), 5, "missing: one of each message, three of that with code");
	is_int(missing(&ann, 100), 5, "all are given");
	ok(got[0].row == first && got[1].row == first + 3 && got[1].part == 0 && got[2].part == 1 &&
		got[3].part == 2 && got[4].part == 0,
	    "oldest first, parts in order");
	is_str(texts[0], "first words", "text");
	is_str(texts[2], "```c\nint x;\n```", "a chunk");
	is_str(texts[4], "last words", "text of the next session");
	ok(strcmp(speakers[0], "Mara") == 0 && speakers[4][0] == '\0', "speakers");
	is_int(missing(&ann, 2), 4, "a message is not split");
	is_int(put_keys(&ann, got, 3), 1, "nor stored without all its parts");
	is_int(n_missing(&ann), 4, "it stays missing");
	is_int(put_keys(&ann, got, 4), 3, "what is there is passed over");
	is_int(put_keys(&ann, got, 4), 0, "and again");
	is_int(missing(&ann, 100), 1, "one is left");
	is_int(put_keys(&ann, (struct vector_key[]){ { got[0].row, 0, 0 }, { got[0].row, 0, 0 } },
		   2),
	    1, "the same key twice is one");
	is_int(missing(&ann, 100) + (size_t)n_missing(&ann), 0, "none is left");
	ok(scan_is_right(&ann, 5, 0), "what is stored is what was put");
	is_int(put_keys(&ann,
		   (struct vector_key[]){ { first + 999, 0, 0 }, { first + 1, 0, 0 },
		       { first + 2, 0, 0 }, { first, 7, 0 }, { first, 0, 5 } },
		   5),
	    0,
	    "no vector of what is not there, of a system message, of an empty one, of a part or a "
	    "kind that is not there");
	say(&ann, "s", 3);
	is_int(missing(&ann, 100), 3, "what came after is missing");
	ok(check() == 0, "the store is whole, and unfinished");
}

static void
test_order(void)
{
	struct vector_key k[3];
	float bad[384] = { NAN };
	size_t n_put;

	fresh();
	make_model(1, 384, true);
	use_set();
	say(&ann, "s", 40);
	is_int(missing(&ann, 100), 40, "forty");
	k[0] = got[30];
	k[1] = got[5];
	k[2] = got[20];
	is_int(put_keys(&ann, k, 3), 3, "three from the middle, in any order");
	is_int(n_missing(&ann), 37, "the others are missing still");
	is_int(put_keys(&ann, k, 3), 0, "the three are there");
	is_int(missing(&ann, 1000), 37, "each once");
	must(store_begin(st, &err), "begin");
	ok(vectors_put(st, &ann, set, got, bad, 1, &n_put, &err) < 0 && err.code == ERR_DATA,
	    "a vector that is not finite");
	store_rollback(st);
	must(store_begin(st, &err), "begin");
	must(vectors_put(st, &ann, set, got, NULL, 2, NULL, &err), "failed");
	must(vectors_put(st, &ann, set, got + 36, NULL, 1, NULL, &err), "failed");
	must(vectors_put(st, &ann, set, k, NULL, 1, NULL, &err), "failed, and is there");
	must(store_commit(st, &err), "commit");
	is_int(missing(&ann, 1000), 34, "what failed waits");
	is_int(n_missing(&ann), 37, "and is missing");
	is_int(embed(&ann, 7), 34, "the others are made");
	clock_fix(clock_now_us() + 61 * US_PER_S);
	is_int(missing(&ann, 1000), 3, "after a minute they are asked for again");
	must(store_begin(st, &err), "begin");
	must(vectors_put(st, &ann, set, got, NULL, 1, NULL, &err), "failed");
	must(store_commit(st, &err), "commit");
	clock_fix(clock_now_us() + 119 * US_PER_S);
	is_int(missing(&ann, 1000), 2, "the second time it is two");
	clock_fix(clock_now_us() + 2 * US_PER_S);
	is_int(missing(&ann, 1000), 3, "then it is asked for");
	is_int(embed(&ann, 7), 3, "and made");
	clock_fix(TIME_NONE);
	is_int(n_missing(&ann), 0, "nothing is missing");
	ok(scan_is_right(&ann, 40, 0), "all are there");
	is_int(check(), 0, "whole");
}

/* Slots that fill pages exactly, one less and one more, of several widths. */
static void
test_pages(void)
{
	static const struct {
		uint32_t dims;
		bool centred;
		double estimate;
	} widths[] = { { 384, true, .25 }, { 768, false, .2 }, { 100, false, .45 }, { 1, false, 2 },
		{ 1024, true, .2 } };

	for (size_t w = 0; w < NELEM(widths); w++) {
		uint32_t dims = widths[w].dims, per_code = 4030 / (12 + (dims + 63) / 64 * 8),
			 per_byte = 4030 / (12 + dims), n = 0;
		uint32_t stops[] = { 1, per_byte - 1, per_byte, per_byte + 1, per_code - 1,
			per_code, per_code + 1, per_code * 2,
			per_code * per_byte > 400 ? per_code * 2 + 1 : per_code * per_byte };
		bool right = true;
		double exact = 0, estimate = 0;
		fresh();
		make_model(3, dims, widths[w].centred);
		use_set();
		for (size_t i = 0; i < NELEM(stops); i++) {
			if (stops[i] <= n)
				continue;
			say(&ann, "s", (int)(stops[i] - n));
			right &= embed(&ann, 1000) == stops[i] - n;
			n = stops[i];
			right &= scan_is_right(&ann, n, 0);
			exact = fmax(exact, worst_exact);
			estimate = fmax(estimate, worst_estimate);
		}
		ok(right, "%u dimensions: %u vectors over the borders of pages", dims, n);
		ok(exact < (dims >= 100 ? 2e-3 : 1e-2), "cosines are off by %.5f at most", exact);
		is_int(check(), 0, "whole");
		if (worst_level)
			tap_note("%s", findings);
	}
}

static void
test_wall(void)
{
	struct vector_key anns, bobs[2];
	int64_t old;
	bool switched;

	fresh();
	make_model(1, 384, false);
	use_set();
	say(&ann, "s", 30);
	say(&bob, "s", 20);
	missing(&bob, 2);
	bobs[0] = got[0];
	bobs[1] = got[1];
	missing(&ann, 1);
	anns = got[0];
	is_int(put_keys(&ann, bobs, 2), 0, "nothing of one user by way of another");
	is_int(embed(&ann, 100), 30, "ann's");
	ok(scan_is_right(&ann, 30, 0), "ann has hers");
	ok(scan_is_right(&bob, 0, 0), "bob has none");
	is_int(n_missing(&bob), 20, "all his are missing");
	must(store_begin(st, &err), "begin");
	must(vectors_remove(st, &bob, VECTOR_MESSAGE, &anns.row, 1, &err), "remove");
	must(vectors_put(st, &bob, set, &anns, NULL, 1, NULL, &err), "failed");
	must(store_commit(st, &err), "commit");
	ok(scan_is_right(&ann, 30, 0) && n_missing(&ann) == 0, "bob takes nothing of hers away");
	embed(&bob, 3);
	ok(scan_is_right(&bob, 20, 0) && scan_is_right(&ann, 30, 0), "each has theirs");

	/* another model, one user after the other */
	old = set;
	make_model(2, 100, true);
	use_set();
	ok(set != old, "another set");
	embed(&ann, 100);
	must(store_begin(st, &err), "begin");
	must(vectors_switch(st, set, &switched, &err), "switch");
	must(store_commit(st, &err), "commit");
	ok(!switched, "no switch while a user's are missing");
	make_model(1, 384, false);
	ok(scan_is_right(&ann, 30, 0), "searches use the old ones");
	make_model(2, 100, true);
	embed(&bob, 100);
	must(store_begin(st, &err), "begin");
	must(vectors_switch(st, set, &switched, &err), "switch");
	must(store_commit(st, &err), "commit");
	ok(switched && scan_is_right(&ann, 30, 0) && scan_is_right(&bob, 20, 0),
	    "then both are switched");
	must(store_begin(st, &err), "begin");
	must(vectors_switch(st, set, &switched, &err), "switch");
	store_rollback(st);
	ok(!switched, "once");
	is_int(check(), 0, "whole, nothing is left of the old ones");
	must(store_begin(st, &err), "begin");
	size_t n_put;
	float v[384] = { 1 };
	ok(vectors_put(st, &ann, old, &anns, v, 1, &n_put, &err) < 0 && err.code == ERR_BUSY,
	    "nothing is put into a set that is gone");
	store_rollback(st);
	make_model(1, 384, false);
	use_set();
	ok(set > 2, "its number does not come again");
}

static void
test_removal(void)
{
	int64_t rows[6];
	struct vector_key keep;
	struct store *other;

	fresh();
	make_model(1, 384, true);
	use_set();
	say(&ann, "s", 100);
	embed(&ann, 33);
	missing(&ann, 1);
	for (size_t i = 0; i < 6; i++)
		rows[i] = (1ll << 44 | 1ll << 20) + (int64_t)(i * 19 + 2);
	must(store_begin(st, &err), "begin");
	must(vectors_remove(st, &ann, VECTOR_MESSAGE, rows, 6, &err), "remove");
	must(vectors_remove(st, &ann, VECTOR_FACT, rows, 6, &err),
	    "remove of a kind that has none");
	must(store_commit(st, &err), "commit");
	ok(scan_is_right(&ann, 100, 6), "dead slots");
	is_int(n_missing(&ann), 6, "records that are still there are missing again");
	is_int(check(), 0, "whole");
	is_int(embed(&ann, 4), 6, "and are made");
	ok(scan_is_right(&ann, 106, 6), "at the end");
	is_int(check(), 0, "whole");

	/* two that do the same work at once */
	say(&ann, "t", 10);
	missing(&ann, 100);
	keep = got[0];
	must(store_open(PATH, STORE_WRITE, &other, &err), "open");
	struct store *mine = st;
	st = other;
	is_int(put_keys(&ann, got, 6), 6, "another process was faster");
	st = mine;
	is_int(put_keys(&ann, got, 10), 4, "the rest is ours");
	is_int(put_keys(&ann, &keep, 1), 0, "nothing twice");
	store_close(other);
	ok(scan_is_right(&ann, 116, 6), "each once");

	/* a record that vanished between being asked for and being put */
	say(&ann, "u", 3);
	missing(&ann, 100);
	keep = got[1];
	sql_and_reopen("DELETE FROM message WHERE id = (SELECT max(id) - 1 FROM message)");
	is_int(put_keys(&ann, got, 3), 2, "a record that is gone is passed over");
	is_int(n_missing(&ann), 0, "and is not missing");
	ok(scan_is_right(&ann, 118, 6), "the others are there");

	must(store_repair(st, NULL, NULL, &err), "repair");
	ok(scan_is_right(&ann, 112, 0), "a repair closes up dead slots");
	is_int(check(), 0, "whole");
	if (worst_level)
		tap_note("%s", findings);
}

static void
test_damage(void)
{
	static const struct { const char *sql; int64_t n, again;
	} damages[] = {
		{ "UPDATE vector_code SET slots = zeroblob(length(slots))", 150, 0 },
		{ "DELETE FROM vector_code", 150, 0 },
		{ "DELETE FROM vector_user", 150, 0 },
		{ "UPDATE vector_user SET slots = slots + 1", 150, 0 },
		{ "UPDATE vector_user SET dead = 3", 150, 0 },
		{ "DELETE FROM vector_byte WHERE id = (SELECT min(id) + 2 FROM vector_byte)", 140,
		    10 },
		{ "UPDATE vector_byte SET slots = zeroblob(7) WHERE id = (SELECT min(id) FROM "
		  "vector_byte)",
		    140, 10 },
		{ "UPDATE vector_byte SET slots = randomblob(3960) WHERE id = (SELECT min(id) + 1 "
		  "FROM vector_byte)",
		    140, 10 },
		{ "UPDATE vector_byte SET slots = (SELECT slots FROM vector_byte LIMIT 1) WHERE id "
		  "= (SELECT min(id) + 3 FROM vector_byte)",
		    130, 20 },
		{ "UPDATE vector_byte SET slots = CAST(substr(slots, 1, 8) || x'0000c07f' || "
		  "substr(slots, 13) AS BLOB) WHERE id = (SELECT min(id) + 1 FROM vector_byte)",
		    149, 1 },
		{ "UPDATE vector_byte SET slots = CAST(substr(slots, 1, 8) || x'000080bf' || "
		  "substr(slots, 13) AS BLOB) WHERE id = (SELECT min(id) + 1 FROM vector_byte)",
		    149, 1 },
		{ "DELETE FROM vector_done", 0, 150 },
		{ "INSERT INTO vector_todo SELECT 1, 0, min(id), 0, 0 FROM message", 149, 1 },
		{ "INSERT INTO vector_code VALUES (99 << 44, zeroblob(10)); INSERT INTO "
		  "vector_user VALUES (9, 1, 4, 0)",
		    150, 0 },
		{ "UPDATE vector_done SET done = done + 5; INSERT INTO message SELECT id + 1, "
		  "session, randomblob(16), randomblob(9), role, speaker, agent, project, time, "
		  "stored, "
		  "origin, trust, tokens, chunks, sha256, content, tool_calls, tool_call_id, extra "
		  "FROM message ORDER BY id DESC LIMIT 1; UPDATE session SET turns = 151",
		    150, 1 },
		{ "UPDATE vector_set SET centre = zeroblob(5)", 0, 0 },
	};

	fresh();
	make_model(1, 384, true);
	use_set();
	say(&ann, "s", 150);
	embed(&ann, 1000);
	store_close(st);
	st = NULL;
	if (system("cp " PATH " whole.db") != 0)
		printf("Bail out! cp\n");
	for (size_t i = 0; i < NELEM(damages); i++) {
		struct vectors *v = NULL;
		float q[DIMS_MAX], cosines[200];
		uint64_t keys[200];
		if (system("cp whole.db " PATH) != 0)
			printf("Bail out! cp\n");
		must(store_open(PATH, STORE_WRITE, &st, &err), "open");
		sql_and_reopen(damages[i].sql);
		is_int(check(), 2, "found: %s", damages[i].sql);
		vector_of(1, 0, q);
		/* an error or an answer, never more slots than there are */
		if (vectors_open(st, &ann, &v, &err) == 0 && vectors_info(v)->n <= 200)
			vectors_cosines(v, q, keys, cosines, &err);
		vectors_close(v);
		must(store_repair(st, NULL, NULL, &err), "repair");
		is_int(check(), 0, "repaired");
		if (worst_level)
			tap_note("%s", findings);
		if (strstr(damages[i].sql, "vector_set") != NULL) {
			use_set();
			is_int(n_missing(&ann), 150, "a set without a centre starts anew");
			continue;
		}
		ok(scan_is_right(&ann, (uint32_t)damages[i].n, 0), "what was right is there");
		is_int(n_missing(&ann), damages[i].again, "the rest is missing");
		embed(&ann, 1000);
		ok(scan_is_right(&ann, (uint32_t)(damages[i].n + damages[i].again), 0),
		    "and made again");
		is_int(check(), 0, "whole");
		store_close(st);
		st = NULL;
	}
	unlink("whole.db");
}

/* Beyond VECTORS_EXACT slots: estimates of all, and the nearest. */
static void
test_many(void)
{
	enum { N = VECTORS_EXACT + 500, K = 10 };
	struct vectors *v;
	struct vector_hit hits[K];
	uint64_t *keys = xcalloc(N, sizeof(*keys));
	float *cosines = xcalloc(N, sizeof(*cosines)), q[DIMS_MAX], d[DIMS_MAX];
	double off = 0, square = 0;
	size_t n;
	bool sorted = true;

	fresh();
	make_model(4, 64, true);
	use_set();
	for (int i = 0; i < 10; i++)
		say(&ann, "s", N / 10);
	is_int(embed(&ann, 4000), N, "many");
	must(vectors_open(st, &ann, &v, &err), "open");
	ok(vectors_info(v)->n == N && !vectors_info(v)->exact, "they are estimated");
	vector_of((1ll << 44 | 1ll << 20) + 777, 0, q);
	must(vectors_cosines(v, q, keys, cosines, &err), "cosines");
	for (uint32_t i = 0; i < N; i += 50) {
		struct vector_key k;
		vector_key_unpack(keys[i], vectors_info(v)->user_base, &k);
		vector_of(k.row, 0, d);
		off += (double)cosines[i] - vec_dot(q, d, 64);
		square += pow((double)cosines[i] - vec_dot(q, d, 64), 2);
	}
	ok(fabs(off * 50 / N) < .005 && sqrt(square * 50 / N) < .08,
	    "estimates are off by %.4f on average, %.4f in the square mean", off * 50 / N,
	    sqrt(square * 50 / N));
	must(nearest(v, q, K, hits, &n, &err), "nearest");
	for (size_t i = 1; i < n; i++)
		sorted &= hits[i].cosine <= hits[i - 1].cosine;
	ok(n == K && sorted && hits[0].slot == 777 && hits[0].cosine > .999f &&
		(hits[0].key & 0xfffff) == 777,
	    "the nearest is itself");
	vectors_close(v);
	free(keys);
	free(cosines);
}

/* ---- threads: a store of its own in each ---- */

static void *
thread(void *arg)
{
	struct store *s;
	struct vectors *v;
	struct err e = ERR_INIT;
	float q[DIMS_MAX] = { 1 };
	struct vector_hit hit;
	size_t n;

	for (int i = 0; i < 30; i++) {
		if (store_open(PATH, STORE_READ, &s, &e) < 0)
			return arg;
		if (vectors_open(s, &ann, &v, &e) < 0 || nearest(v, q, 1, &hit, &n, &e) < 0)
			return arg;
		vectors_close(v);
		store_close(s);
	}
	return NULL;
}

static void
test_threads(void)
{
	pthread_t t[4];
	void *bad[4];

	for (size_t i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, thread, st);
	for (int i = 0; i < 20; i++) {
		say(&ann, "z", 3);
		embed(&ann, 100);
	}
	for (size_t i = 0; i < 4; i++)
		pthread_join(t[i], &bad[i]);
	ok(!bad[0] && !bad[1] && !bad[2] && !bad[3],
	    "threads with stores of their own read while one writes");
	is_int(check(), 0, "whole");
}

/* Killed at any moment: what is there is whole, and embedding goes on from there. */
static void
test_kill(void)
{
	int whole = 0;

	fresh();
	make_model(1, 384, false);
	use_set();
	say(&ann, "s", 400);
	store_close(st);
	st = NULL;
	for (int i = 0; i < 12; i++) {
		pid_t pid = fork();
		int status;
		if (pid == 0) {
			must(store_open(PATH, STORE_WRITE, &st, &err), "open");
			missing(&ann, 1000);
			for (size_t k = 0; k + 3 < n_got; k += 3)
				put_keys(&ann, got + k, 3);
			_exit(0);
		}
		nanosleep(&(struct timespec){ 0, 2000000 + i * 1500000 }, NULL);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		must(store_open(PATH, STORE_WRITE, &st, &err), "open");
		whole += check() == 0;
		store_close(st);
		st = NULL;
	}
	is_int(whole, 12, "whole after each of twelve kills");
	must(store_open(PATH, STORE_WRITE, &st, &err), "open");
	embed(&ann, 100);
	ok(scan_is_right(&ann, 400, 0) && n_missing(&ann) == 0, "in the end each has one");
}

static void
test_two_at_once(void)
{
	pid_t pids[2];
	int status, n_well = 0;

	fresh();
	make_model(1, 384, true);
	use_set();
	say(&ann, "s", 300);
	say(&ann, "t", 100);
	store_close(st);
	st = NULL;
	for (size_t i = 0; i < 2; i++)
		if ((pids[i] = fork()) == 0) {
			must(store_open(PATH, STORE_WRITE, &st, &err), "open");
			embed(&ann, 17 + 6 * i);
			_exit(0);
		}
	for (size_t i = 0; i < 2; i++) {
		waitpid(pids[i], &status, 0);
		n_well += WIFEXITED(status) && WEXITSTATUS(status) == 0;
	}
	must(store_open(PATH, STORE_WRITE, &st, &err), "open");
	is_int(n_well, 2, "two processes embed at once");
	ok(scan_is_right(&ann, 400, 0) && n_missing(&ann) == 0, "each vector is there once");
	is_int(check(), 0, "whole");
}

/* A file that may not grow stands for a full disk. */
static void
test_full(void)
{
	int status;
	pid_t pid;

	fresh();
	make_model(1, 384, false);
	use_set();
	say(&ann, "s", 500);
	missing(&ann, 1);
	put_keys(&ann, got, 1);
	store_close(st);
	st = NULL;
	if ((pid = fork()) == 0) {
		struct rlimit most = { 60000, 60000 };        /* of the log, which is empty */
		float *v = xcalloc(500, 384 * sizeof(*v));
		size_t n_put;
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &most);
		must(store_open(PATH, STORE_WRITE, &st, &err), "open");
		missing(&ann, 500);
		for (size_t i = 0; i < n_got; i++)
			vector_of(got[i].row, 0, v + i * 384);
		if (store_begin(st, &err) == 0 &&
		    vectors_put(st, &ann, set, got, v, n_got, &n_put, &err) == 0 &&
		    store_commit(st, &err) == 0)
			_exit(1);
		_exit(err.code == ERR_IO ? 0 : 2);
	}
	waitpid(pid, &status, 0);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "no room: an error");
	must(store_open(PATH, STORE_WRITE, &st, &err), "open");
	is_int(n_missing(&ann), 499, "and nothing of it is stored");
	is_int(check(), 0, "whole");
	embed(&ann, 500);
	ok(scan_is_right(&ann, 500, 0), "with room again all are made");
}

static void
test_backfill(void)
{
	struct message m;
	unsigned n;

	fresh();
	make_model(1, 384, false);
	use_set();
	messages_set_options(st, (struct put_options){ .no_chunks = true });
	must(store_begin(st, &err), "begin");
	m = message("s", "prose\n\n```\ncode\n```");
	put(&ann, &m);
	m = message("s", "only prose");
	put(&ann, &m);
	must(store_commit(st, &err), "commit");
	is_int(embed(&ann, 10), 2, "not cut: a vector each");
	must(store_begin(st, &err), "begin");
	must(chunks_backfill(st, &ann, 10, &n, &err), "backfill");
	must(store_commit(st, &err), "commit");
	is_int(n_missing(&ann), 2, "cut: its pieces are missing");
	is_int(embed(&ann, 10), 2, "and made");
	ok(scan_is_right(&ann, 4, 1), "the whole's is gone");
	is_int(check(), 0, "whole");
}

/* A store of version 1, which is this one without what came after. */
static void
test_migration(void)
{
	static const char back_to_1[] =
	    "DROP TABLE vector_set; DROP TABLE vector_user; DROP TABLE vector_code; DROP TABLE "
	    "vector_byte; "
	    "DROP TABLE vector_done; DROP TABLE vector_todo; DROP TABLE vector_cells; DROP TABLE "
	    "vector_centroid; DROP TABLE vector_cell; DROP TABLE vector_place; DROP TABLE guard; "
	    "DROP TABLE ledger; "
	    "DROP TABLE fact; DROP TABLE record_source; DROP TABLE record; DROP TABLE record_next; "
	    "DROP TABLE step; DROP TABLE step_change; DROP TABLE step_id; "
	    "DROP TABLE message_turn; DROP TABLE work; "
	    "ALTER TABLE metric DROP COLUMN handed; "
	    "DROP TABLE change; DROP TABLE peer; DROP TABLE message_alias; "
	    "ALTER TABLE session DROP COLUMN told; "
	    "DROP TABLE record_was; DROP TABLE fact_was; DROP TABLE record_source_was; DROP TABLE "
	    "record_access; "
	    "DROP TABLE category; DROP TABLE category_member; DROP TABLE category_run; DROP TABLE "
	    "job; DROP TABLE profile; DROP TABLE profile_user; DROP TABLE tombstone; DROP INDEX "
	    "session_time; PRAGMA user_version = 1";
	struct arena a = ARENA_INIT;
	const char **users;
	size_t n_users;

	fresh();
	say(&ann, "s", 5);
	say(&bob, "s", 5);
	see_nothing();
	must(users_all(st, &a, &users, &n_users, &err), "users");
	for (size_t i = 0; i < n_users; i++)
		see(users[i], strlen(users[i]));
	free(users);
	arena_release(&a);
	is_str(seen, "ann bob", "users");
	sql_and_reopen(back_to_1);
	ok(access(PATH ".v1.backup", F_OK) == 0, "a copy was made before");
	make_model(1, 384, false);
	use_set();
	is_int(embed(&ann, 10) + embed(&bob, 10), 10, "and it is as a new one");
	is_int(check(), 0, "whole");
	sql_and_reopen(back_to_1);
	ok(access(PATH ".v1.backup2", F_OK) == 0,
	    "once more: another copy, the first is not touched");
	store_close(st);
	st = NULL;
	rename(PATH ".v1.backup", PATH);
	unlink(PATH "-wal");
	ok(store_open(PATH, STORE_READ, &st, &err) < 0 && err.code == ERR_CONFIG &&
		strstr(err.msg, "--migrate") != NULL,
	    "a reader says what to do");
	must(store_open(PATH, STORE_WRITE, &st, &err), "open");
	is_int(n_seen, 2, "two users");
}

int
main(void)
{
	static const char *const left[] = { PATH, PATH "-wal", PATH "-shm", PATH ".lock",
		PATH ".v1.backup", PATH ".v1.backup2", NULL };

	tmpdir_make();
	must(store_open(PATH, STORE_CREATE, &st, &err), "create");
	test_none();
	test_queue();
	test_order();
	test_pages();
	test_wall();
	test_removal();
	test_damage();
	test_many();
	test_threads();
	test_kill();
	test_two_at_once();
	test_full();
	test_backfill();
	test_migration();
	store_close(st);
	arena_release(&arena);
	tmpdir_remove(left);
	return tap_done();
}
