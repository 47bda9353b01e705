/*
 * summary_topics.c: the messages of all talks that were named in this run, and the newest of the
 * store, are what a talk is told from. They are forgotten when there are too many to be fast.
 */
#include "summary/summary_topics.h"

#include "base/alloc.h"
#include "base/span.h"
#include "cluster/cluster_phrases.h"
#include "json/json.h"
#include "math/kmeans.h"

#define OTHERS  2000               /* messages of the store */
#define TEXTS   6000
#define PHRASES 3                  /* of a talk, at most */
#define LEAST   2

struct text { const char *session; int64_t turn; };

struct summary_topics {
	struct store *store;
	struct scope who;
	struct cluster_phrases *phrases;       /* NULL: nothing was read yet */
	struct text *texts;                    /* [n] those of phrases */
	size_t n, cap;
	struct arena arena;
};

struct summary_topics *
summary_topics_new(struct store *s, const struct scope *who)
{
	struct summary_topics *v = xcalloc(1, sizeof(*v));

	v->store = s;
	v->who = (struct scope){ .user = who->user, .agent = who->agent };
	return v;
}

static void
forget_texts(struct summary_topics *v)
{
	cluster_phrases_free(v->phrases);
	v->phrases = NULL;
	v->n = 0;
	arena_reset(&v->arena);
}

void
summary_topics_free(struct summary_topics *v)
{
	if (v == NULL)
		return;
	forget_texts(v);
	free(v->texts);
	arena_release(&v->arena);
	free(v);
}

/* session lives as long as the texts. */
static void
add_text(struct summary_topics *v, const char *session, int64_t turn, const char *text, size_t len,
	const char *speaker)
{
	cluster_phrases_add(v->phrases, text, len, speaker, 0);
	*xpush(v->texts, v->n, v->cap) = (struct text){ session, turn };
}

static int
add_message(void *arg, const struct message *m)
{
	struct summary_topics *v = arg;

	if (m->role == ROLE_USER || m->role == ROLE_ASSISTANT)
		add_text(v, arena_strdup(&v->arena, m->session), m->turn, m->content,
		    m->content_len, m->name);
	return 0;
}

static bool
is_named(const struct summary_said *said)
{
	return *said->speaker != '\0' && role_parse(said->speaker) == ROLE_OTHER;
}

/* Whether two people or more speak by their names. */
static bool
is_of_people(const struct summary_said *said, size_t n)
{
	const char *one = NULL;

	for (size_t i = 0; i < n; i++) {
		if (!is_named(&said[i]))
			continue;
		if (one != NULL && strcmp(one, said[i].speaker) != 0)
			return true;
		one = said[i].speaker;
	}
	return false;
}

/* Adds the messages of a talk that are not there; of [v->n]: 0 for each of its own. */
static uint32_t *
add_talk(struct summary_topics *v, const char *session, const struct summary_said *said, size_t n)
{
	uint32_t *of = xreallocarray(NULL, v->n + n + 1, sizeof(*of));
	size_t n_before = v->n, n_own = 0;
	const char *name = arena_strdup(&v->arena, session);

	for (size_t i = 0; i < n_before; i++) {
		bool own = strcmp(v->texts[i].session, session) == 0;

		of[i] = own ? 0 : KMEANS_NONE;
		n_own += own;
	}
	for (size_t i = 0; i < n; i++) {
		bool known = false;

		for (size_t k = 0; k < n_before && n_own > 0 && !known; k++)
			known = of[k] == 0 && v->texts[k].turn == said[i].turn;
		if (known)
			continue;
		of[v->n] = 0;
		add_text(v, name, said[i].turn, said[i].text, said[i].len,
		    is_named(&said[i]) ? said[i].speaker : NULL);
	}
	return of;
}

static void
add_topics(struct summary_made *made, const char *const *topics, size_t n, struct arena *a)
{
	LOCAL(buf) b = buf_of(SIZE_MAX);

	json_open(&b);
	json_strings(&b, "topics", topics, n);
	json_members(&b, made->extra);
	json_close(&b);
	made->extra = arena_strndup(a, b.data, b.len);
}

int
summary_topics_find(struct summary_topics *v, const char *session,
	const struct summary_said *said, size_t n, struct arena *a, struct summary_made *made,
	struct err *err)
{
	struct message_filter newest = MESSAGE_FILTER_ANY;
	struct cluster_phrases_best best;
	FREED uint32_t *of = NULL;

	if (!is_of_people(said, n))
		return 0;
	if (v->n + n > TEXTS)
		forget_texts(v);
	if (v->phrases == NULL) {
		v->phrases = cluster_phrases_new();
		newest.newest_first = true;
		newest.limit = OTHERS;
		if (messages_each(v->store, &v->who, &newest, add_message, v, err) < 0)
			return -1;
	}
	of = add_talk(v, session, said, n);
	cluster_phrases_choose(v->phrases, of, 1, &best);
	best.n_telling = MIN(best.n_telling, (size_t)PHRASES);
	if (best.n_telling >= LEAST)
		add_topics(made, best.phrases, best.n_telling, a);
	return 0;
}

static bool
has_text(const struct summary_said *said, size_t n, const char *text)
{
	size_t i = 0;

	while (i < n && span_find(said[i].text, said[i].len, text) == said[i].len)
		i++;
	return i < n;
}

void
summary_topics_keep(const char *older_extra, const struct summary_said *said, size_t n,
	struct arena *a, struct summary_made *made)
{
	const char *kept[PHRASES];
	const struct json *extra, *list;
	struct err ignored = ERR_INIT;
	size_t n_kept = 0;

	if (json_parse(older_extra, strlen(older_extra), a, &extra, &ignored) != 0)
		return;
	list = json_get(extra, "topics");
	for (size_t i = 0; list != NULL && list->kind == JSON_ARRAY && i < list->len &&
	    n_kept < PHRASES; i++)
		if (list->u.items[i].kind == JSON_STRING &&
		    has_text(said, n, list->u.items[i].u.string))
			kept[n_kept++] = list->u.items[i].u.string;
	if (n_kept >= LEAST)
		add_topics(made, kept, n_kept, a);
}
