/*
 * slack_channel.c: which workspaces a channel's plain name stands for is stored beside the state of
 * inputs, under a path that no file has:
 *
 *	path "slack#HASH"      HASH is that of the channel's name; state {"spaces": "T061 T07X"}
 *
 * Before this was so, channels of one name were one session. Where that has messages of the
 * workspace at hand, it stays so, or all of them would be stored again.
 */
#include "base/alloc.h"
#include "base/conf.h"
#include "base/hash.h"
#include "ingest/slack_channel.h"
#include "json/json.h"

#define IDS_MOST 8                         /* of messages, that are looked up */

struct slack_channels {
	struct store *s;
	const struct ingest_options *o;
	struct arena arena;
	/* the answer for the last channel, of which there may be thousands of days */
	struct buf of_space, of_channel, session;
	/* of this run: {"KEY": "SPACES"} as lines of key, a blank, and spaces with blanks behind */
	struct buf claimed;
};

struct slack_channels *
slack_channels_new(struct store *s, const struct ingest_options *o)
{
	struct slack_channels *c = xcalloc(1, sizeof(*c));

	c->s = s;
	c->o = o;
	buf_init(&c->of_space, conf_caps.output_bytes);
	buf_init(&c->of_channel, conf_caps.output_bytes);
	buf_init(&c->session, conf_caps.output_bytes);
	buf_init(&c->claimed, conf_caps.output_bytes);
	return c;
}

void
slack_channels_free(struct slack_channels *c)
{
	if (c == NULL)
		return;
	arena_release(&c->arena);
	buf_release(&c->of_space);
	buf_release(&c->of_channel);
	buf_release(&c->session);
	buf_release(&c->claimed);
	free(c);
}

static const char *
key_of(struct slack_channels *c, const char *channel)
{
	char digits[33];

	sha256_digits(channel, 32, digits);
	return arena_printf(&c->arena, "slack#%s", digits);
}

/* The workspaces that have the name, with a blank behind each: as of this run, or as stored. */
static int
owners_of(struct slack_channels *c, const char *key, const char **out, struct err *err)
{
	struct scope who = { c->o->user, NULL, NULL, NULL };
	const struct input_state *was = NULL;
	const struct json *about;
	const char *last = NULL, *p = c->claimed.data;

	*out = "";
	for (; (p = strstr(p, key)) != NULL; p++)
		last = p;
	if (last != NULL) {
		last += strlen(key) + 1;
		*out = arena_strndup(&c->arena, last, strcspn(last, "\n"));
		return 0;
	}
	if (c->s == NULL)
		return 0;
	if (inputs_get(c->s, &who, key, &c->arena, &was, err) != 0)
		return -1;
	if (was != NULL &&
	    json_parse(was->state, strlen(was->state), &c->arena, &about, NULL) == 0 &&
	    json_get_string(about, "spaces", NULL) != NULL)
		*out = json_get_string(about, "spaces", NULL);
	return 0;
}

static bool
has_space(const char *owners, const char *space)
{
	size_t n = strlen(space);

	for (const char *p = owners; (p = strstr(p, space)) != NULL; p++)
		if ((p == owners || p[-1] == ' ') && p[n] == ' ')
			return true;
	return false;
}

/* Whether the session of the plain name has a message that begins the file at hand. */
static bool
has_messages(struct slack_channels *c, const char *channel, const char *bytes, size_t len)
{
	static const char *const keys[] = { "\"client_msg_id\"", "\"ts\"" };
	struct scope who = { c->o->user, NULL, NULL, channel };
	int n = 0;

	for (const char *p = bytes, *end = bytes + len; c->s != NULL && p < end && n < IDS_MOST;
	     p++)
		for (size_t i = 0; i < NELEM(keys); i++) {
			const char *v = p + strlen(keys[i]), *stop;
			struct err ignored = ERR_INIT;

			if ((size_t)(end - p) <= strlen(keys[i]) ||
			    memcmp(p, keys[i], strlen(keys[i])) != 0)
				continue;
			while (v < end && (*v == ':' || *v == ' ' || *v == '"'))
				v++;
			if ((stop = memchr(v, '"', (size_t)(end - v))) == NULL || stop - v > 100)
				continue;
			n++;
			v = arena_printf(&c->arena, "source:%.*s", (int)(stop - v), v);
			const struct message *m = NULL;
			/* several of that id are some, too */
			if (messages_find(c->s, &who, v, &c->arena, &m, &ignored) != 0
				? ignored.code == ERR_DATA
				: m != NULL && strcmp(m->session, channel) == 0)
				return true;
		}
	return false;
}

/* From here on the plain name stands for the workspace, too. */
static void
claim(struct slack_channels *c, const char *key, const char *owners, const char *space,
	struct batch *b)
{
	struct input_state now = { .path = key };

	buf_addf(&c->claimed, "%s %s%s \n", key, owners, space);
	if (c->o->dry_run)
		return;
	LOCAL(buf) state = buf_of(conf_caps.output_bytes);
	json_open(&state);
	json_str(&state, "spaces", arena_printf(&c->arena, "%s%s ", owners, space));
	json_close(&state);
	now.state = state.data;
	batch_read(b, &now);
}

int
slack_channels_of(struct slack_channels *c, const char *space, const char *channel,
	const char *bytes, size_t len, struct batch *b, const char **session, struct err *err)
{
	const char *key, *owners;

	if (strcmp(space, c->of_space.data) == 0 && strcmp(channel, c->of_channel.data) == 0 &&
	    c->session.len > 0) {
		*session = c->session.data;
		return 0;
	}
	arena_reset(&c->arena);
	buf_reset(&c->of_space);
	buf_adds(&c->of_space, space);
	buf_reset(&c->of_channel);
	buf_adds(&c->of_channel, channel);
	buf_reset(&c->session);
	key = key_of(c, channel);
	if (*space != '\0' && owners_of(c, key, &owners, err) != 0)
		return -1;
	if (*space != '\0' && !has_space(owners, space)) {
		if (*owners == '\0' || has_messages(c, channel, bytes, len))
			claim(c, key, owners, space, b);
		else
			buf_addf(&c->session, "%s/", space);
	}
	buf_adds(&c->session, channel);
	*session = c->session.data;
	return 0;
}
