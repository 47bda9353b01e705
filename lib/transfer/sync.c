/*
 * sync.c: starts the programs, passes the lines from one to the other, and reads the first line to
 * know who is there. All that is known of the other store is kept by mem-import; nothing is kept
 * here, so that the same can be done with pipes at a shell.
 */
#include "transfer/sync.h"

#include <errno.h>
#include <unistd.h>

#include "base/alloc.h"
#include "json/json.h"
#include "transfer/given.h"
#include "transfer/news.h"
#include "transfer/sync_parts.h"

#define PIECE_BYTES  65536
#define HEAD_BYTES   65536                 /* of the first line, at most */
#define REPLY_BYTES  65536

/* ---- lines on their way ---- */

/* Types of what is counted when dry: 'm' a message, 'c' a change, 'r' what was removed. */
static char
kind_of(const char *line, size_t len)
{
	static const struct { const char *begin; char kind; } kinds[] = {
		{ "{\"type\":\"message\"", 'm' }, { "{\"type\":\"fact\"", 'c' }, { "{\"type\":\"summary\"", 'c' }, { "{\"type\":\"reflection\"", 'c' }, { "{\"type\":\"gone\"", 'c' }, { "{\"type\":\"tombstone\"", 'r' },
	};

	for (size_t i = 0; i < NELEM(kinds); i++)
		if (len >= strlen(kinds[i].begin) &&
		    memcmp(line, kinds[i].begin, strlen(kinds[i].begin)) == 0)
			return kinds[i].kind;
	return '\0';
}

static int
not_ours(const struct way *w, const char *other, struct err *err)
{
	return err_set(err, ERR_DATA,
	    "%s: what comes is not what mem-export writes (does a login print it?): '%.60s'", other,
	    w->line.data);
}

static int
read_head(struct way *w, const char *other, struct err *err)
{
	const struct json *v;
	struct given g;
	struct err why = ERR_INIT;

	if (json_parse(w->line.data, w->line.len, &w->arena, &v, &why) != 0 ||
	    given_read(v, &w->arena, &g, &why) != 0 || g.kind != GIVEN_HEAD)
		return not_ours(w, other, err);
	if (*g.news.store == '\0')
		return err_set(err, ERR_CONFIG, "%s: the mem there is of another version", other);
	w->head = g.news;
	w->has_head = true;
	return 0;
}

/* Looks at what passes: the first line, and, when dry, what each line is. */
static int
look(struct way *w, const char *other, const char *p, size_t n, struct sync_way *count,
	struct err *err)
{
	while (n > 0) {
		const char *end = memchr(p, '\n', n);
		size_t len = end != NULL ? (size_t)(end - p) : n;

		if (w->line.len < HEAD_BYTES)
			buf_add(&w->line, p, MIN(len, HEAD_BYTES - w->line.len));
		if (end == NULL)
			break;
		if (!w->has_head && other != NULL && read_head(w, other, err) != 0)
			return -1;
		switch (w->o->dry ? kind_of(w->line.data, w->line.len) : '\0') {
		case 'm': count->n_messages++; break;
		case 'c': count->n_changes++; break;
		case 'r': count->n_removed++; break;
		default: break;
		}
		buf_reset(&w->line);
		p = end + 1;
		n -= len + 1;
	}
	return 0;
}

/* From one program to the other, to NULL: nowhere. 1: nobody takes it any more. */
static int
pass(struct way *w, struct side *from, struct side *to, const char *other,
	struct sync_way *count, struct err *err)
{
	FREED char *piece = xreallocarray(NULL, PIECE_BYTES, 1);
	ptrdiff_t n;
	int rc = 0;

	while (rc == 0 && (n = side_read(from, piece, PIECE_BYTES, err)) != 0) {
		if (n < 0 || look(w, other, piece, (size_t)n, count, err) != 0)
			rc = -1;
		else
			count->n_bytes += n;
		if (rc == 0 && to != NULL)
			rc = side_write(to, piece, (size_t)n, err);
	}
	return rc;
}

/* A count, as another program says it. */
static int64_t
number(const struct json *v, const char *key)
{
	double n = json_get_number(v, key, 0);

	return n > 0 && n < 1e15 ? (int64_t)n : 0;
}

/* What mem-import says at its end: its last line. */
static int
read_reply(struct way *w, struct side *from, struct sync_way *count, struct err *err)
{
	char piece[4096], *last;
	const struct json *v = NULL;
	struct err why = ERR_INIT;
	ptrdiff_t n;
	LOCAL(buf) b = buf_of(REPLY_BYTES);

	while ((n = side_read(from, piece, sizeof(piece), err)) > 0)
		buf_add(&b, piece, (size_t)n);
	while (b.len > 0 && b.data[b.len - 1] == '\n')
		b.data[--b.len] = '\0';
	last = b.len > 0 ? strrchr(b.data, '\n') : NULL;
	last = last != NULL ? last + 1 : b.data;
	if (n == 0 && b.len > 0 && json_parse(last, strlen(last), &w->arena, &v, &why) == 0) {
		count->n_messages = number(v, "messages");
		count->n_changes = number(v, "changes");
		count->n_removed = number(v, "removed");
		count->n_same = number(v, "same");
		count->n_differ = number(v, "different");
		count->n_forgotten = number(v, "forgotten");
		count->n_bad = number(v, "bad");
	}
	return n < 0 ? -1 : 0;
}

static const char *const *
import_args(const struct way *w)
{
	static const char *const plain[] = { "-j", NULL }, *const all[] = { "-j", "--allow", NULL };

	return w->o->allow ? all : plain;
}

/* ---- what comes ---- */

/* What is asked for there: all that is new since what is here. */
static int
own_marks(struct way *w, struct buf *out, struct err *err)
{
	const struct scope who = { w->o->user, NULL, NULL, NULL };
	enum store_mode mode = w->o->dry ? STORE_READ : STORE_CREATE;
	struct store *s = NULL;
	int rc = store_open(w->o->db, mode, &s, err);

	if (rc == 0) {
		rc = news_marks(s, &who, out, err);
	} else if (w->o->dry && err->code == ERR_NOINPUT) {
		err_clear(err);
		buf_addc(out, '-');
		rc = 0;
	}
	store_close(s);
	if (w->o->allow)
		buf_adds(out, ",all");
	return rc;
}

/* The import is started when the first line says that it is one: else nothing is touched. */
static int
take_in(struct way *w, struct side *from, struct sync_way *count, struct err *err)
{
	struct side to = SIDE_NONE;
	FREED char *piece = xreallocarray(NULL, PIECE_BYTES, 1);
	ptrdiff_t n = 1;
	int rc = 0, status;
	LOCAL(buf) first = buf_of(SIZE_MAX);

	while (rc == 0 && !w->has_head && first.len < HEAD_BYTES &&
	    (n = side_read(from, piece, PIECE_BYTES, err)) > 0) {
		buf_add(&first, piece, (size_t)n);
		rc = look(w, w->o->other, piece, (size_t)n, count, err);
	}
	count->n_bytes = (int64_t)first.len;
	if (n < 0 || rc != 0) {
		rc = -1;
	} else if (!w->has_head && first.len >= HEAD_BYTES) {
		rc = not_ours(w, w->o->other, err);
	} else if (!w->has_head) {
		rc = 0;                        /* the end of the program there says why */
	} else if (w->o->dry) {
		rc = pass(w, from, NULL, w->o->other, count, err);
	} else if ((rc = sync_start_own(w, "mem-import", w->o->db, import_args(w), true,
			false, &to, err)) == 0) {
		rc = side_write(&to, first.data, first.len, err);
		if (rc == 0)
			rc = pass(w, from, &to, w->o->other, count, err);
		side_close(&to);
		if (rc >= 0)
			rc = read_reply(w, &to, count, err);
		status = side_wait(&to);
		if (rc == 0 && status != 0)
			rc = err_set(err, side_code(status), "%s: what came is not all stored",
			    w->o->other);
	}
	return rc;
}

static int
pull(struct way *w, struct sync_result *r, struct err *err)
{
	struct side from = SIDE_NONE;
	struct err why = ERR_INIT;
	/* that there is no store yet is told by its status alone */
	const char *args[] = { "--new-for", NULL, "-q", NULL };
	int rc, status;

	LOCAL(buf) marks = buf_of(PIECE_BYTES);
	if ((rc = own_marks(w, &marks, err)) != 0)
		return rc;
	if (!w->remote && access(w->file, F_OK) != 0 && errno == ENOENT) {
		r->was_none = true;
		return rc;
	}
	args[1] = marks.data;
	if ((rc = sync_start_other(w, "mem-export", args, false, &from, err)) != 0)
		return rc;
	rc = take_in(w, &from, &r->in, err);
	if (rc != 0)
		side_stop(&from);
	status = side_wait(&from);
	if (status == ERR_NOINPUT && !w->has_head) {
		r->was_none = true;
		err_clear(err);
		rc = 0;
	} else if (sync_explain(w, "mem-export", status, &why) != 0 &&
	    (rc == 0 || (err->code == ERR_DATA && w->has_head))) {
		/* the cause, and not that what came was cut off */
		*err = why;
		rc = -1;
	} else if (rc == 0 && !w->has_head) {
		rc = err_set(err, ERR_UNAVAILABLE, "%s: nothing came", w->o->other);
	}
	return rc;
}

/* ---- what goes ---- */

/* Whom it is for: the store that is there, and what it has of this one. */
static int
want_there(struct way *w, struct buf *out, struct err *err)
{
	const struct scope who = { w->o->user, NULL, NULL, NULL };
	struct store *s = NULL;
	struct news_want own = { .peer = 0 };
	bool known = true;
	char text[MARK_TEXT];
	int rc = store_open(w->o->db, STORE_READ, &s, err);

	if (rc == 0)
		rc = news_want(s, &who, "-", &own, err);
	if (rc == 0 && w->has_head) {
		rc = marks_known(s, &who, &w->head.has, &known, err);
		w->has_lost = !known;
	}
	store_close(s);
	buf_adds(out, w->has_head ? w->head.store : "-");
	if (rc == 0 && w->has_head && w->head.has.no > 0)
		buf_addf(out, ",%s:%s", own.head.store, mark_format(&w->head.has, text));
	if (w->o->allow)
		buf_adds(out, ",all");
	arena_release(&own.arena);
	return rc;
}

/* What is in the first piece: all of it, and nothing but the first and the last line. */
static bool
is_nothing(const struct buf *first)
{
	const char *line = first->data;

	for (int i = 0; i < 2; i++)
		if ((line = strchr(line, '\n')) == NULL)
			return true;
		else
			line++;
	return *line == '\0';
}

/* The connection is made when there is something to send. */
static int
send_out(struct way *w, struct side *from, struct sync_result *r, struct err *err)
{
	struct sync_way *count = &r->out;
	struct side to = SIDE_NONE;
	struct err why = ERR_INIT;
	FREED char *piece = xreallocarray(NULL, PIECE_BYTES, 1);
	ptrdiff_t n = 1;
	int rc = 0, status;
	LOCAL(buf) first = buf_of(SIZE_MAX);

	while (rc == 0 && first.len < PIECE_BYTES &&
	    (n = side_read(from, piece, PIECE_BYTES, err)) > 0) {
		buf_add(&first, piece, (size_t)n);
		rc = look(w, NULL, piece, (size_t)n, count, err);
	}
	if (n < 0 || rc != 0) {
		rc = -1;
	} else if (n == 0 && is_nothing(&first) && !r->was_none && !w->has_lost) {
		rc = 0;
	} else if (w->o->dry) {
		count->n_bytes = (int64_t)first.len;
		rc = pass(w, from, NULL, NULL, count, err);
	} else if ((rc = sync_start_other(w, "mem-import", import_args(w), true, &to, err)) == 0) {
		count->n_bytes = (int64_t)first.len;
		rc = side_write(&to, first.data, first.len, err);
		if (rc == 0)
			rc = pass(w, from, &to, NULL, count, err);
		side_close(&to);
		if (rc >= 0)
			rc = read_reply(w, &to, count, err);
		status = side_wait(&to);
		if (sync_explain(w, "mem-import", status, &why) != 0 && rc == 0) {
			*err = why;
			rc = -1;
		}
	}
	return rc;
}

static int
push(struct way *w, struct sync_result *r, struct err *err)
{
	struct side from = SIDE_NONE;
	const char *args[] = { "--new-for", NULL, NULL };
	LOCAL(buf) want = buf_of(PIECE_BYTES);
	int rc = want_there(w, &want, err);

	if (rc != 0 && w->o->dry && err->code == ERR_NOINPUT) {
		err_clear(err);                /* there is nothing here yet */
		return 0;
	}
	args[1] = want.data;
	if (rc == 0)
		rc = sync_start_own(w, "mem-export", w->o->db, args, false, false, &from, err);
	if (rc != 0)
		return rc;
	buf_reset(&w->line);
	rc = send_out(w, &from, r, err);
	if (rc != 0)
		side_stop(&from);
	int status = side_wait(&from);
	if (rc == 0 && status != 0)
		rc = err_set(err, side_code(status), "what is new here could not be read");
	return rc;
}

/* Lines that are not stored, because something else is, keep nothing else back: *partly says so. */
static int
come(struct way *w, struct sync_result *r, struct err *partly, struct err *err)
{
	w->has_head = false;
	buf_reset(&w->line);
	int rc = pull(w, r, err);
	if (rc != 0 && err->code == ERR_DATA && w->has_head && r->in.n_differ + r->in.n_bad > 0) {
		*partly = *err;
		err_clear(err);
		rc = 0;
	}
	return rc;
}

/* The other one knows now what was lost here, and tells it. */
static int
come_again(struct way *w, struct sync_result *r, struct err *partly, struct err *err)
{
	struct sync_way first = r->in, *all = &r->in;

	*all = (struct sync_way){ 0 };
	int rc = come(w, r, partly, err);
	all->n_messages += first.n_messages;
	all->n_changes += first.n_changes;
	all->n_removed += first.n_removed;
	all->n_same += first.n_same;
	all->n_differ += first.n_differ;
	all->n_forgotten += first.n_forgotten;
	all->n_bad += first.n_bad;
	all->n_bytes += first.n_bytes;
	return rc;
}

int
sync_run(const struct sync_options *o, struct sync_result *r, struct err *err)
{
	struct way w = { .o = o };
	struct err partly = ERR_INIT;

	memset(r, 0, sizeof(*r));
	buf_init(&w.line, SIZE_MAX);
	int rc = sync_read_other(&w, err);
	if (rc == 0)
		rc = come(&w, r, &partly, err);
	if (rc == 0)
		rc = push(&w, r, err);
	if (rc == 0 && w.has_lost && !o->dry)
		rc = come_again(&w, r, &partly, err);
	if (rc == 0 && partly.code != 0) {
		*err = partly;
		rc = -1;
	}
	buf_release(&w.line);
	arena_release(&w.arena);
	return rc;
}
