/*
 * slack_export.c: the list of people is read element by element, because that of a large company is
 * longer than a line may be. People are sorted by id, and the ids in each message are looked up, so
 * that a message costs the same however many people there are.
 */
#include "base/alloc.h"
#include "base/arena.h"
#include "base/ascii.h"
#include "base/conf.h"
#include "base/order.h"
#include "base/zip.h"
#include "ingest/json/stream.h"
#include "ingest/slack_export.h"
#include "json/json.h"
#include "json/ndjson.h"

/* the shortest id: U or W, then digits and capitals */
#define ID_LEAST 3
#define IDS_MOST 64                        /* ids that are looked up in one message */

struct person { const char *id, *name; };

struct slack_people {
	/* the export whose people are loaded; NULL: none was asked for */
	char *export;
	struct arena arena;        /* holds the names */
	struct person *all;        /* sorted by id */
	size_t n, cap;
	char space[64];            /* the id of its workspace, or of a channel there */
};

/*
 * The directory k levels above the file, as an absolute path without its last slash, which the
 * caller frees. NULL: there is none.
 */
static char *
directory_above(const char *path, int k)
{
	char *real = zip_realpath(path), *slash;

	while (real != NULL && k-- > 0) {
		if ((slash = strrchr(real, '/')) == NULL) {
			free(real);
			return NULL;
		}
		*slash = '\0';
	}
	return real;
}

static bool
has_any(const char *dir, const char *const *names)
{
	bool any = false;
	LOCAL(buf) path = buf_of(1u << 16);

	for (; *names != NULL && !any; names++) {
		buf_reset(&path);
		buf_addf(&path, "%s/%s", dir, *names);
		any = zip_has(path.data);
	}
	return any;
}

static const char *const people_files[] = { "users.json", "org_users.json", NULL };

static bool
is_export(const char *dir)
{
	static const char *const lists[] = { "channels.json", "groups.json", "dms.json",
	    "mpims.json", NULL };

	return has_any(dir, people_files) && has_any(dir, lists);
}

bool
slack_is_aside(const char *path)
{
	static const struct { const char *name; int depth; } names[] = {
		{ "users.json", 1 }, { "org_users.json", 1 }, { "channels.json", 1 },
		{ "groups.json", 1 }, { "dms.json", 1 }, { "mpims.json", 1 },
		{ "integration_logs.json", 1 }, { "canvases.json", 1 }, { "lists.json", 1 },
		{ "file_conversations.json", 1 },
		{ "canvas_in_the_conversation.json", 2 }, { "list_in_the_conversation.json", 2 },
	};
	const char *base = path_base(path);

	for (size_t i = 0; i < NELEM(names); i++) {
		char *dir;

		if (strcmp(base, names[i].name) != 0 ||
		    (dir = directory_above(path, names[i].depth)) == NULL)
			continue;
		bool is = is_export(dir);
		free(dir);
		return is;
	}
	return false;
}

/* ---- people ---- */

struct slack_people *
slack_people_new(void)
{
	return xcalloc(1, sizeof(struct slack_people));
}

static void
clear_people(struct slack_people *p)
{
	arena_reset(&p->arena);
	p->n = 0;
	p->space[0] = '\0';
	free(p->export);
	p->export = NULL;
}

void
slack_people_free(struct slack_people *p)
{
	if (p == NULL)
		return;
	clear_people(p);
	arena_release(&p->arena);
	free(p->all);
	free(p);
}

/* The name of a person: the real name first, as in messages that bring a profile of their own. */
static const char *
name_of(const struct json *user)
{
	const struct json *profile = json_get(user, "profile");
	const char *names[] = {
		profile != NULL ? json_get_string(profile, "real_name", NULL) : NULL,
		    json_get_string(user, "real_name", NULL),
		profile != NULL ? json_get_string(profile, "display_name", NULL) : NULL,
		    json_get_string(user, "name", NULL),
	};

	for (size_t i = 0; i < NELEM(names); i++)
		if (names[i] != NULL && names[i][0] != '\0')
			return names[i];
	return NULL;
}

static void
put_person(struct slack_people *p, const char *id, const char *name)
{
	if (id != NULL && name != NULL && strlen(name) <= conf_caps.id_bytes)
		*xpush(p->all, p->n, p->cap) = (struct person){ arena_strdup(&p->arena, id),
			arena_strdup(&p->arena, name) };
}

static void
add_person(struct slack_people *p, const struct json *user)
{
	const char *id = json_get_string(user, "id", NULL), *name = name_of(user);
	const char *team = json_get_string(user, "team_id", NULL);

	if (p->space[0] == '\0' && team != NULL)
		snprintf(p->space, sizeof(p->space), "%s", team);
	put_person(p, id, name);
}

/* The first channel stands for the workspace where nobody's team is told; that of all stays it. */
static void
add_channel(struct slack_people *p, const struct json *channel)
{
	const char *id = json_get_string(channel, "id", NULL);
	const struct json *general = json_get(channel, "is_general");

	if (id != NULL && (p->space[0] == '\0' || (general != NULL && general->kind == JSON_TRUE)))
		snprintf(p->space, sizeof(p->space), "%s", id);
}

ORDER_OF(by_id, struct person, strcmp(a->id, b->id))

static ptrdiff_t
read_bytes(void *arg, void *p, size_t n, struct err *err)
{
	return ndjson_read(arg, p, n, err);
}

/* Gives each element of the list to add. */
static int
read_list(struct slack_people *p, const char *path,
	void (*add)(struct slack_people *p, const struct json *v), struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	struct err bad = ERR_INIT;
	struct json_stream *e;
	const struct json *v;
	struct ndjson *r;
	const char *text;
	size_t len;
	int got;

	if (ndjson_open(path, 0, &r, err) != 0)
		return -1;
	e = json_stream_open(read_bytes, r, conf_caps.line_bytes, conf_caps.line_bytes);
	while ((got = json_stream_next(e, &text, &len, &bad)) > 0) {
		arena_reset(&a);
		if (got == JSON_STREAM_CUT)
			got = err_set(&bad, ERR_DATA, "the file ends before its array is closed");
		else if (got == JSON_STREAM_ONE)
			got = json_parse(text, len, &a, &v, &bad);
		if (got < 0)
			break;
		if (got != JSON_STREAM_TOO_LONG)
			add(p, v);
	}
	json_stream_close(e);
	ndjson_close(r);
	return got < 0 ? err_set(err, bad.code, "%s: %s", path, bad.msg) : 0;
}

int
slack_people_of(struct slack_people *p, const char *path, struct err *err)
{
	char *dir = strcmp(path, "-") == 0 ? NULL : directory_above(path, 2);
	int rc = 0;

	if (dir != NULL && p->export != NULL && strcmp(dir, p->export) == 0) {
		free(dir);
		return 0;
	}
	clear_people(p);
	p->export = dir;
	if (dir == NULL)
		return 0;
	LOCAL(buf) list = buf_of(1u << 16);
	for (const char *const *name = people_files; *name != NULL && rc == 0; name++) {
		const char *const one[] = { *name, NULL };

		buf_reset(&list);
		buf_addf(&list, "%s/%s", dir, *name);
		if (has_any(dir, one))
			rc = read_list(p, list.data, add_person, err);
	}
	buf_reset(&list);
	buf_addf(&list, "%s/channels.json", dir);
	if (rc == 0 && p->space[0] == '\0' && zip_has(list.data))
		rc = read_list(p, list.data, add_channel, err);
	if (p->n > 1)
		qsort(p->all, p->n, sizeof(*p->all), by_id);
	return rc;
}

const char *
slack_space(const struct slack_people *p)
{
	return p->space;
}

static bool
is_id_byte(char c)
{
	return ascii_is_digit(c) || (c >= 'A' && c <= 'Z');
}

static const struct person *
find_person(const struct slack_people *p, const char *id)
{
	struct person key = { id, NULL };

	return p->n > 0 ? bsearch(&key, p->all, p->n, sizeof(*p->all), by_id) : NULL;
}

/* A message may bring the profile of who says it, who is put among those that are sorted. */
static void
learn_person(struct slack_people *p, const char *text, size_t len)
{
	LOCAL(arena) a = ARENA_INIT;
	const struct json *v, *profile;
	const char *id;
	size_t n = p->n;

	if (json_parse(text, len, &a, &v, NULL) == 0 &&
	    (id = json_get_string(v, "user", NULL)) != NULL && find_person(p, id) == NULL &&
	    (profile = json_get(v, "user_profile")) != NULL)
		put_person(p, id, name_of(profile));
	if (p->n == n)
		return;
	struct person one = p->all[n];
	size_t lo = order_place(&one, p->all, n, sizeof(one), by_id);
	memmove(p->all + lo + 1, p->all + lo, (n - lo) * sizeof(*p->all));
	p->all[lo] = one;
}

void
slack_people_in(struct slack_people *p, const char *text, size_t len, struct buf *out)
{
	const struct person *known[IDS_MOST];
	size_t n_known = 0, end;

	learn_person(p, text, len);
	for (size_t at = 0; p->n > 0 && at < len && n_known < IDS_MOST; at = end + 1) {
		const struct person *found;
		char id[32];
		size_t k = 0;

		for (end = at; end < len && is_id_byte(text[end]); end++)
			;
		if (end - at < ID_LEAST || end - at >= sizeof(id) ||
		    (text[at] != 'U' && text[at] != 'W'))
			continue;
		memcpy(id, text + at, end - at);
		id[end - at] = '\0';
		if ((found = find_person(p, id)) == NULL)
			continue;
		while (k < n_known && known[k] != found)
			k++;
		if (k == n_known)
			known[n_known++] = found;
	}
	if (n_known == 0)
		return;
	json_open(out);
	for (size_t i = 0; i < n_known; i++)
		json_str(out, known[i]->id, known[i]->name);
	json_close(out);
}
