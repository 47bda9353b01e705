/*
 * news.c: asks the store's log of changes what is new, kind by kind, and writes it as export.c
 * does. Tombstones come first: what they name is removed before what rests on it comes.
 */
#include "transfer/news.h"

#include <unistd.h>

#include "base/conf.h"
#include "transfer/export_parts.h"

#define NAME_BYTES 256

/* ---- for whom ---- */

/* The setting, or what the machine is called. */
static const char *
own_name(struct arena *a)
{
	char name[NAME_BYTES] = "";

	if (*conf_text("store_name") != '\0')
		return conf_text("store_name");
	if (gethostname(name, sizeof(name) - 1) != 0 || *name == '\0')
		return "mem";
	return arena_strdup(a, name);
}

/* Of "STORE:MARK", as one of this store. */
static int
read_mark(struct store *s, const struct scope *who, const char *text, size_t len,
	struct news_want *w, struct err *err)
{
	uint8_t ulid[ID_BYTES];
	struct mark m;
	bool known;

	if (len < ID_TEXT || id_parse(text, ID_TEXT - 1, ulid) != 0 || text[ID_TEXT - 1] != ':' ||
	    mark_parse(text + ID_TEXT, len - ID_TEXT, &m) != 0)
		return err_set(err, ERR_USAGE, "not what 'mem-sync --mark' says: '%.*s'",
		    (int)MIN(len, (size_t)80), text);
	if (strncmp(text, w->head.store, ID_TEXT - 1) != 0)
		return 0;
	if (marks_known(s, who, &m, &known, err) != 0)
		return -1;
	w->head.since = known ? m.no : 0;
	w->head.lost = !known;
	return 0;
}

/* Whom it is for: a store that is known, by id or name, or an id. */
static int
read_who(struct store *s, const struct scope *who, const char *name, struct news_want *w,
	struct err *err)
{
	const struct peer *p;
	uint8_t ulid[ID_BYTES];
	bool by_id = id_parse(name, strlen(name), ulid) == 0;

	if (strcmp(name, "-") == 0)
		return 0;
	if (by_id)
		id_format(ulid, w->head.for_store);
	if (strcmp(w->head.for_store, w->head.store) == 0)
		return err_set(err, ERR_DATA,
		    "it is for this very store, or for a copy of it, which 'mem-sync --new-id' "
		    "makes one of its own");
	if (peers_find(s, who, *w->head.for_store != '\0' ? w->head.for_store : name, &w->arena,
		&p, err) != 0)
		return -1;
	if (p == NULL && !by_id)
		return err_set(err, ERR_NOINPUT,
		    "no store is known here as '%.100s': 'mem-sync --peers' lists those that are, "
		    "and '-' is one that has nothing yet", name);
	if (p == NULL)
		return 0;
	memcpy(w->head.for_store, p->id, ID_TEXT);
	w->head.has = p->got;
	/* who asks by its id tells all that it has: without a mark it has nothing */
	w->head.since = by_id ? 0 : MAX(p->sent, 0);
	w->head.lost = !by_id && p->sent == SENT_LOST;
	w->peer = p->no;
	return 0;
}

static int
read_want(struct store *s, const struct scope *who, const char *text, struct news_want *w,
	struct err *err)
{
	size_t len = strcspn(text, ",");
	bool all = false;

	if (len == 0)
		return err_set(err, ERR_USAGE, "for whom? A store is named by its name or id");
	if (read_who(s, who, arena_strndup(&w->arena, text, len), w, err) != 0)
		return -1;
	for (text += len; *text == ','; text += len) {
		len = strcspn(++text, ",");
		if (len == 3 && memcmp(text, "all", 3) == 0)
			all = true;
		else if (read_mark(s, who, text, len, w, err) != 0)
			return -1;
	}
	/* what it has lost came from it once, and is new for it again */
	if (all || w->head.lost) {
		w->head.since = 0;
		w->peer = 0;
	}
	return 0;
}

int
news_want(struct store *s, const struct scope *who, const char *text, struct news_want *out,
	struct err *err)
{
	memset(out, 0, sizeof(*out));
	out->head.name = own_name(&out->arena);
	out->head.user = arena_strdup(&out->arena, who->user);
	if (store_id(s, out->head.store, err) != 0)
		return -1;
	return read_want(s, who, text, out, err);
}

static int
add_mark(void *arg, const struct peer *v)
{
	char text[MARK_TEXT];

	if (v->got.no > 0)
		buf_addf(arg, ",%s:%s", v->id, mark_format(&v->got, text));
	return 0;
}

int
news_marks(struct store *s, const struct scope *who, struct buf *out, struct err *err)
{
	char id[ID_TEXT];

	if (store_id(s, id, err) != 0)
		return -1;
	buf_adds(out, id);
	return peers_each(s, who, add_mark, out, err);
}

/* ---- what is new ---- */

static int
tell_session(void *arg, const struct session *v)
{
	struct exporter *e = arg;

	e->session = v;
	return exporter_session(e);
}

static int
tell_all(struct exporter *e, const struct news *n)
{
	bool consent;

	if (news_tombstones(n, exporter_tombstone, e, e->err) != 0 ||
	    news_consent(n, &consent, e->err) != 0 || (consent && exporter_consent(e) != 0) ||
	    news_sessions(n, tell_session, exporter_message, e, e->err) != 0)
		return -1;
	return news_steps(n, exporter_step, exporter_change, e, e->err) != 0 ? -1
	    : news_accesses(n, exporter_access, e, e->err);
}

int
news_lines(struct store *s, const struct scope *who, const struct news_want *want,
	struct news_counts *n, struct buf *out, int (*ended)(void *arg), void *arg,
	struct err *err)
{
	const struct export_options o = { .who = *who, .filter = MESSAGE_FILTER_ANY, .news = true };
	LOCAL(exporter) e = { 0 };
	struct news_head head = want->head;
	struct news news = { s, *who, head.since, 0, want->peer };
	int rc;

	memset(n, 0, sizeof(*n));
	if (marks_last(s, who, &head.mark, err) != 0)
		return -1;
	news.until = head.mark.no;
	exporter_init(&e, s, &o, out, ended, arg, err);
	line_head(exporter_line(&e), &head);
	if ((rc = exporter_end_line(&e)) == 0 && news.until > news.since)
		rc = tell_all(&e, &news);
	if (rc == 0)
		rc = exporter_end(&e);
	*n = e.n;
	return rc < 0 ? -1 : 0;
}
