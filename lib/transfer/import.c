/*
 * import.c: lines are read and prepared here, and stored by a thread, a load of them in one
 * transaction while the next load is read. What a load could not store is told when it is done, so
 * faults come in the order of the lines.
 */
#include "transfer/import.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "base/handover.h"
#include "index/prepare.h"
#include "json/ndjson.h"
#include "transfer/export.h"
#include "transfer/import_parts.h"

#define LOAD_BYTES   (4u << 20)
#define LOAD_TERMS   65536
#define PARSE_FACTOR 4                         /* memory of a line that is parsed, about */
/*
 * A content of line_bytes may be stored, beside other keys of a line of that length, and as JSON
 * each of its bytes may have six.
 */
#define LINE_FACTOR  8

struct item { struct given given; uint64_t line; const char *fault; };

struct load {
	struct arena arena;
	struct preparer *preparer;
	struct item *items;
	size_t n, cap, n_bytes;
	bool bare;                             /* a message is not prepared */
	struct import_counts counts;
	int rc;
	struct err err;
};

struct import {
	struct store *s;
	const struct import_options *o;
	struct giver giver;
	size_t batch;                          /* lines of a load, at most */
	struct load loads[2], *filling;
	struct import_counts counts;
	struct handover thread;                /* has at most one load, and the store with it */
	/* of the input at hand */
	const struct import_fn *fn;
	const char *name;
	bool has_line, has_head, has_end, told_user, told_time;
	bool failed;                           /* a load was not stored: none behind it is */
	int64_t n_lines, n_told;               /* of the export, and as its end tells */
	int64_t n_bad_before;                  /* lines of exports before it */
	struct sha256 sum;
	uint8_t end_sum[SHA256_BYTES];
	struct err refused;                    /* the whole input, and why */
	struct arrival arrival;
};

static const char other_time[] =
	"the same is stored with another time, which stays, as of a log without time zones that "
	"was read in two of them (TZ); others like it are only counted";

/* ---- one transaction ---- */

static void
count(struct import_counts *n, enum given_kind kind, enum give_did did)
{
	n->n_stored += did == GIVEN_STORED;
	n->n_messages += did == GIVEN_STORED && kind == GIVEN_MESSAGE;
	n->n_changes += did == GIVEN_STORED && (kind == GIVEN_RECORD || kind == GIVEN_GONE);
	n->n_same += did == GIVEN_SAME;
	n->n_differ += did == GIVEN_DIFFERS;
	n->n_removed += did == GIVEN_BURIED;
}

static int
put_item(struct import *im, struct load *l, struct item *it)
{
	struct err *err = &l->err;
	enum give_did did;

	if (giver_put(&im->giver, &it->given, &did, err) == 0) {
		count(&l->counts, it->given.kind, did);
		if (did == GIVEN_DIFFERS)
			it->fault = it->given.kind == GIVEN_MESSAGE &&
				it->given.message.differs_in_time
			    ? other_time
			    : "something else is stored under its id, and stays";
		return 0;
	}
	if (err->code != ERR_DATA)
		return -1;
	l->counts.n_bad++;
	it->fault = arena_strdup(&l->arena, err->msg);
	err_clear(err);
	return 0;
}

/* NULL: records are of several users, or of all. */
static const char *
only_user(const struct import *im, const struct load *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i].given.kind == GIVEN_MODEL)
			return NULL;
	return im->o->all_users ? NULL : im->o->user;
}

static void
put_load(void *arg, void *job)
{
	struct import *im = arg;
	struct load *l = job;

	if ((l->rc = store_begin_user(im->s, only_user(im, l), &l->err)) != 0)
		return;
	for (size_t i = 0; i < l->n && l->rc == 0; i++)
		l->rc = put_item(im, l, &l->items[i]);
	if (giver_end(&im->giver, l->rc == 0, &l->err) != 0)
		l->rc = -1;
	l->rc = store_end(im->s, l->rc, &l->err);
}

/* ---- loads ---- */

static void
empty(struct load *l)
{
	arena_reset(&l->arena);
	if (l->preparer != NULL)
		preparer_clear(l->preparer);
	l->n = l->n_bytes = 0;
	l->bare = false;
	l->counts = (struct import_counts){ 0 };
	l->rc = 0;
	err_clear(&l->err);
}

static void
fault(struct import *im, const char *name, uint64_t line, const char *why)
{
	if (im->fn->fault != NULL)
		im->fn->fault(im->fn->arg, name, line, why);
}

/* Tells of a load that was put, and empties it. */
static int
tell(struct import *im, struct load *l, struct err *err)
{
	int rc = 0;

	if (l->rc != 0) {
		*err = l->err;
		im->failed = true;
		rc = -1;
	}
	for (size_t i = 0; i < l->n && rc == 0; i++)
		if (l->items[i].fault != NULL &&
		    !(im->told_time && l->items[i].fault == other_time)) {
			im->told_time |= l->items[i].fault == other_time;
			fault(im, im->name, l->items[i].line, l->items[i].fault);
		}
	if (rc == 0) {
		im->counts.n_stored += l->counts.n_stored;
		im->counts.n_same += l->counts.n_same;
		im->counts.n_differ += l->counts.n_differ;
		im->counts.n_removed += l->counts.n_removed;
		im->counts.n_bad += l->counts.n_bad;
		im->counts.n_messages += l->counts.n_messages;
		im->counts.n_changes += l->counts.n_changes;
		if (l->n > 0 && im->fn->stored != NULL)
			im->fn->stored(im->fn->arg, &im->counts);
	}
	empty(l);
	return rc;
}

/* Waits for the load that the thread has, if any, and tells of it. */
static int
settle(struct import *im, struct err *err)
{
	struct load *l = handover_take(&im->thread, true);

	return l == NULL ? 0 : tell(im, l, err);
}

/* Gives what was read to the thread when it has stored the load before; or stores it here. */
static int
hand_over(struct import *im, struct err *err)
{
	struct load *now = im->filling;

	if (now->n == 0)
		return 0;
	/* messages come session by session, so the lists of the index can be made ahead */
	if (now->preparer != NULL && !now->bare)
		preparer_pack(now->preparer);
	if (settle(im, err) != 0)
		return -1;
	if (!handover_start(&im->thread)) {
		put_load(im, now);
		return tell(im, now, err);
	}
	handover_give(&im->thread, now);
	im->filling = &im->loads[now == &im->loads[0]];
	return 0;
}

/*
 * All that was read is stored, but for what rests on what was removed here, and the store is the
 * caller's, with the signal that ends a wait for its lock.
 */
static int
drain(struct import *im, struct err *err)
{
	int rc = hand_over(im, err) != 0 ? -1 : settle(im, err);

	handover_stop(&im->thread);
	return rc != 0 ? rc
	    : bereft_remove(&im->giver.bereft, &im->arrival, &im->counts.n_gone, err);
}

/* ---- what is new in another store ---- */

static int
bury(struct import *im, struct err *err)
{
	if (im->arrival.n_keys == 0)
		return 0;
	return drain(im, err) != 0
	    ? -1
	    : arrival_bury(&im->arrival, &im->counts.n_gone, err);
}

/*
 * 1: it was a tombstone, which waits for the others; 0; -1. They come first: of those that come
 * behind other lines the load, of which this is one, is not given away here.
 */
static int
take_news(struct import *im, const struct given *g, struct err *err)
{
	if (!im->arrival.on)
		return 0;
	if (g->kind != GIVEN_TOMBSTONE)
		return im->filling->n == 0 ? bury(im, err) : 0;
	if (!im->o->allow)
		memcpy(*xpush(im->arrival.keys, im->arrival.n_keys, im->arrival.cap), g->key,
		    TOMBSTONE_BYTES);
	return 1;
}

/* ---- the end of an export ---- */

/* Whether all came that was sent. */
static int
check_end(const struct import *im, struct err *err)
{
	struct sha256 sum = im->sum;
	uint8_t bytes[SHA256_BYTES];

	if (im->o->partly)
		return 0;
	if (!im->has_line)
		return err_set(err, ERR_DATA, "it is empty: an export has two lines at least");
	if (!im->has_head)
		return 0;
	if (!im->has_end)
		return err_set(err, ERR_DATA,
		    "the export is cut off: its last line is not there; %lld lines came",
		    (long long)im->n_lines);
	sha256_end(&sum, bytes);
	if (im->n_lines == im->n_told && memcmp(bytes, im->end_sum, sizeof(bytes)) == 0)
		return 0;
	if (im->n_lines == im->n_told)
		return err_set(err, ERR_DATA,
		    "its %lld lines came, but not as they were exported: something was damaged or "
		    "edited, and is stored as it came; import a good copy into a new store "
		    "(--part: that is meant to be so)",
		    (long long)im->n_lines);
	return err_set(err, ERR_DATA,
	    "not all came as it was sent: %lld lines of %lld (--part: that is meant to be so)",
	    (long long)im->n_lines, (long long)im->n_told);
}

static int
end_news(struct import *im, struct err *err)
{
	if (bury(im, err) != 0)
		return -1;
	/* of what was allowed in all the same the tombstones are still to come */
	return im->o->partly || im->o->allow
	    ? 0
	    : arrival_end(&im->arrival, im->counts.n_bad == im->n_bad_before, err);
}

/* All that was read is stored. ERR_DATA: not all came, or there is a gap before it. */
static int
end_export(struct import *im, struct err *err)
{
	int rc = check_end(im, err);

	if (rc == 0 && im->arrival.on)
		rc = end_news(im, err);
	arrival_leave(&im->arrival);
	return rc;
}

/* One export ends where the next one begins: what is wrong with it is told with that line. */
static int
end_export_before(struct import *im, uint64_t line, struct err *err)
{
	struct err why = ERR_INIT;

	if (drain(im, err) != 0)
		return -1;
	if (end_export(im, err) == 0)
		return 0;
	if (err->code != ERR_DATA)
		return -1;
	err_set(&why, ERR_DATA, "of the export before this line: %s", err->msg);
	err_clear(err);
	im->counts.n_bad++;
	fault(im, im->name, line, why.msg);
	return 0;
}

/* ---- lines ---- */

static void
prepare_message(struct load *l, struct message *m)
{
	struct prepared *d;

	if (l->preparer == NULL)
		l->preparer = preparer_new();
	if (preparer_n_terms(l->preparer) > LOAD_TERMS) {
		l->bare = true;
		return;
	}
	m->prepared = d = prepare(l->preparer, m->content, m->content_len, NULL, &l->arena);
	if (role_is_indexed(m->role))
		preparer_index(l->preparer, d);
}

static int
check_content(const struct given *g, struct err *err)
{
	uint8_t sum[SHA256_BYTES];

	if (!g->has_sha256)
		return 0;
	if (g->message.prepared == NULL)
		sha256(g->message.content, g->message.content_len, sum);
	else
		memcpy(sum, g->message.prepared->sha256, sizeof(sum));
	return memcmp(sum, g->sha256, sizeof(sum)) == 0
	    ? 0
	    : err_set(err, ERR_DATA, "the content is not what its sha256 says");
}

static int
check_user(const struct import *im, const struct given *g, struct err *err)
{
	if (im->o->all_users || strcmp(g->user, im->o->user) == 0)
		return *g->user != '\0' ? 0 : err_set(err, ERR_DATA, "no \"user\"");
	return err_set(err, ERR_DATA, ERR_OTHER_USER " (--multi-user takes all)", g->user,
	    im->o->user);
}

/* What is removed is removed of the head's user. */
static int
check_wall(const struct import *im, const struct given *g, struct err *err)
{
	return !im->arrival.on || strcmp(g->user, im->arrival.user) == 0
	    ? 0
	    : err_set(err, ERR_DATA, "it is of user '%s', and what is new is of '%s'", g->user,
		  im->arrival.user);
}

static int
begin_news(struct import *im, const struct news_head *h, struct err *err)
{
	int rc;

	if (!im->o->all_users && strcmp(h->user, im->o->user) != 0)
		rc = err_set(err, ERR_DATA, "it is of user '%s', not '%s'", h->user, im->o->user);
	else if ((rc = drain(im, err)) == 0)
		rc = arrival_begin(&im->arrival, h, err);
	if (rc != 0 && err->code == ERR_DATA)
		im->refused = *err;
	return rc;
}

static int
begin_export(struct import *im, const struct given *g, uint64_t line, struct err *err)
{
	struct news_head head = g->news;
	/* what was read is gone with its load */
	FREED char *name = xstrdup(*head.store != '\0' ? head.name : "");
	FREED char *user = xstrdup(*head.store != '\0' ? head.user : "");
	int64_t version = g->number;
	int rc = im->has_head ? end_export_before(im, line, err) : 0;

	if (rc == 0 && version > EXPORT_VERSION)
		rc = err_set(&im->refused, ERR_DATA,
		    "an export of version %lld, which this program does not know",
		    (long long)version);
	if (rc == 0) {
		im->has_head = true;
		im->has_end = false;
		im->n_lines = 0;
		im->n_bad_before = im->counts.n_bad;
		sha256_init(&im->sum);
		im->giver.step.id[0] = '\0';
		head.name = name;
		head.user = user;
		rc = *head.store != '\0' ? begin_news(im, &head, err) : 0;
	}
	return rc;
}

static void
note_end(struct import *im, const struct given *g)
{
	im->has_end = true;
	im->n_told = g->number;
	memcpy(im->end_sum, g->sha256, sizeof(im->end_sum));
}

static int
read_given(struct import *im, const struct ndjson_line *line, struct load *l, struct given *g,
	struct err *err)
{
	const struct json *v;

	if (json_parse(line->text, line->len, &l->arena, &v, err) != 0 ||
	    given_read(v, &l->arena, g, err) != 0)
		return -1;
	if (g->kind == GIVEN_HEAD)
		return begin_export(im, g, line->number, err);
	if (g->kind == GIVEN_END) {
		note_end(im, g);
		return 0;
	}
	if (g->kind == GIVEN_MODEL)
		return 0;
	if (check_user(im, g, err) != 0 || check_wall(im, g, err) != 0)
		return -1;
	if (g->kind != GIVEN_MESSAGE)
		return 0;
	prepare_message(l, &g->message);
	return check_content(g, err);
}

static int
read_line(void *arg, const struct ndjson_line *line, struct err *err)
{
	struct import *im = arg;
	struct load *l = im->filling;

	im->has_line = true;
	xgrow(&l->items, &l->cap, l->n + 1, sizeof(*l->items));
	struct item *it = &l->items[l->n];
	it->line = line->number;
	it->fault = NULL;
	int rc = read_given(im, line, l, &it->given, err);
	if (im->has_head && (rc != 0 || it->given.kind != GIVEN_END)) {
		im->n_lines++;
		sha256_add(&im->sum, line->text, line->len);
		sha256_add(&im->sum, "\n", 1);
	}
	if (im->refused.code != 0)
		return 1;
	if (rc != 0) {
		if (err->code != ERR_DATA)
			return -1;
		if (strncmp(err->msg, ERR_OF_USER, strlen(ERR_OF_USER)) == 0) {
			im->counts.n_bad += im->told_user;
			if (im->told_user) {
				err_clear(err);
				return 0;
			}
			im->told_user = true;
		}
		return -1;
	}
	if (it->given.kind == GIVEN_HEAD || it->given.kind == GIVEN_END)
		return 0;
	if ((rc = take_news(im, &it->given, err)) != 0)
		return rc < 0 ? -1 : 0;
	l->n++;
	l->n_bytes += line->len * PARSE_FACTOR;
	return l->n >= im->batch || l->n_bytes >= LOAD_BYTES ? hand_over(im, err) : 0;
}

static void
bad_line(void *arg, const struct ndjson_line *l, const char *why)
{
	struct import *im = arg;

	im->counts.n_bad++;
	fault(im, l->name, l->number, why);
}

/* ---- entry points ---- */

struct import *
import_new(struct store *s, const struct import_options *o)
{
	struct import *im = xcalloc(1, sizeof(*im));

	im->s = s;
	im->o = o;
	im->batch = (size_t)conf_int("batch");
	im->filling = &im->loads[0];
	giver_init(&im->giver, s);
	im->arrival.s = s;
	handover_init(&im->thread, put_load, im);
	messages_set_options(s, (struct put_options){ !conf_bool("chunks"), o->allow });
	return im;
}

void
import_free(struct import *im)
{
	if (im == NULL)
		return;
	handover_release(&im->thread);
	for (size_t i = 0; i < NELEM(im->loads); i++) {
		arena_release(&im->loads[i].arena);
		preparer_free(im->loads[i].preparer);
		free(im->loads[i].items);
	}
	giver_release(&im->giver);
	arrival_release(&im->arrival);
	free(im);
}

int
import_open(const char *path, struct ndjson **in, struct err *err)
{
	return ndjson_open(path, LINE_FACTOR * conf_caps.line_bytes, in, err);
}

int
import_file(struct import *im, struct ndjson *in, const char *path, const struct import_fn *fn,
	struct err *err)
{
	const struct ndjson_fn lines = { im, read_line, bad_line, NULL };
	struct err later = ERR_INIT, why = ERR_INIT;

	im->fn = fn;
	im->name = strcmp(path, "-") == 0 ? "stdin" : path;
	im->has_line = im->has_head = im->has_end = im->told_user = im->told_time =
	    im->failed = false;
	err_clear(&im->refused);
	im->giver.step.id[0] = '\0';
	int rc = ndjson_each_of(in, &lines, err);
	/* what was good before a fault of the input is stored */
	if (!im->failed && drain(im, &later) != 0) {
		*err = later;
		rc = -1;
	} else if (!im->failed && im->refused.code != 0) {
		rc = err_set(err, im->refused.code, "%s: %s", im->name, im->refused.msg);
	} else if (rc == 0 && end_export(im, &why) != 0) {
		rc = err_set(err, why.code, "%s: %s", im->name, why.msg);
	}
	arrival_leave(&im->arrival);
	return rc;
}

const struct news_head *
import_head(const struct import *im)
{
	return im->arrival.name != NULL ? &im->arrival.head : NULL;
}

const struct import_counts *
import_counts(const struct import *im)
{
	return &im->counts;
}
