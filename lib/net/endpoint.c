/*
 * endpoint.c: addresses and keys of services. Settings give the base of an address, to which the
 * path of the API is added. A key is read once, kept in one place, and wiped at the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/preset.h"
#include "base/system.h"
#include "net/endpoint.h"

#define KEY_MOST     4096
#define OLLAMA_PORT  11434

const char *const net_kind_names[] = { "chat", "embed" };

static const struct names { const char *url, *model, *api, *key_file, *key_variable; } names[] = {
	[NET_CHAT] = { "chat_url", "chat_model", "chat_api", "chat_key_file", "MEM_CHAT_KEY" },
	[NET_EMBED] = { "embed_url", "embed_model", "embed_api", "embed_key_file", "MEM_EMBED_KEY" },
};

static const char *const paths[][2] = {
	[API_OPENAI] = { "/chat/completions", "/embeddings" },
	[API_OLLAMA] = { "/api/chat", "/api/embed" },
};

void
net_keep_to_itself(void)
{
	const struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	system_keep_private();
}

static void
wipe(char *s, size_t n)
{
	volatile char *p = s;

	while (n-- > 0)
		*p++ = '\0';
}

/*
 * Reads the key: the first line without the blanks around it, if it can stand in a header. *key is
 * NULL when it is empty.
 */
static int
read_key(const char *text, size_t len, const char *where, char **key, struct net_err *e)
{
	size_t n = 0;

	while (len > 0 && (*text == ' ' || *text == '\t')) {
		text++;
		len--;
	}
	while (n < len && text[n] != '\n' && text[n] != '\r')
		n++;
	while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		n--;
	for (size_t i = 0; i < n; i++)
		if (text[i] <= ' ' || text[i] > '~')
			return net_fail(e, NET_CONFIG, false,
			    "no key: it has blanks or other characters that none has: '%s'", where);
	*key = n == 0 ? NULL : xstrndup(text, n);
	return 0;
}

static int
key_from_file(const char *path, char **key, struct net_err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY), rc;
	char text[KEY_MOST];
	size_t len = 0;
	struct stat st;
	ssize_t n = 0;

	if (fd < 0 || fstat(fd, &st) < 0) {
		rc = net_fail(e, NET_CONFIG, false, "cannot open the key file '%.200s': %s", path,
		    strerror(errno));
	} else if (S_ISREG(st.st_mode) && (st.st_mode & 077) != 0) {
		rc = net_fail(e, NET_CONFIG, false,
		    "others can read the key file '%.200s': chmod 600", path);
	} else {
		while (len < sizeof(text) &&
		    ((n = read(fd, text + len, sizeof(text) - len)) > 0 ||
			(n < 0 && errno == EINTR)))
			len += n > 0 ? (size_t)n : 0;
		rc = n < 0 ? net_fail(e, NET_CONFIG, false, "cannot read the key file '%.200s': %s",
				 path, strerror(errno))
			   : read_key(text, len, path, key, e);
		if (rc == 0 && *key == NULL)
			rc =
			    net_fail(e, NET_CONFIG, false, "no key in the key file '%.200s'", path);
		wipe(text, sizeof(text));
	}
	if (fd >= 0)
		close(fd);
	return rc;
}

static int
find_key(const struct names *n, const char *url, char **key, struct net_err *e)
{
	const char *file = conf_text(n->key_file), *variable = n->key_variable,
		   *text = getenv(variable);

	if (*file != '\0')
		return key_from_file(file, key, e);
	/* this key belongs to that host only */
	if (text == NULL && http_host_is(url, "api.openai.com"))
		text = getenv(variable = "OPENAI_API_KEY");
	return text == NULL ? 0 : read_key(text, strlen(text), variable, key, e);
}

/* Guesses the API: Ollama's port, without a path or with one of Ollama's own, is Ollama. */
static enum net_api
guess_api(const char *url)
{
	const char *path = strstr(url, "://");

	path = path == NULL ? NULL : strchr(path + 3, '/');
	return http_port(url) == OLLAMA_PORT &&
		(path == NULL || path[1] == '\0' || strncmp(path, "/api", 4) == 0)
	    ? API_OLLAMA
	    : API_OPENAI;
}

/* Adds the API's path to the base, which may have it, or a part of it, already. */
static char *
whole_url(const char *base, const char *path)
{
	size_t len = strlen(base), n_path = strlen(path);

	while (len > 0 && base[len - 1] == '/')
		len--;
	if (len >= n_path && memcmp(base + len - n_path, path, n_path) == 0)
		len -= n_path;
	else if (strncmp(path, "/api/", 5) == 0 && len >= 4 &&
	    memcmp(base + len - 4, "/api", 4) == 0)
		len -= 4;
	LOCAL(buf) b = buf_of(65536);
	buf_add(&b, base, len);
	buf_adds(&b, path);
	return buf_detach(&b);
}

int
endpoint_open(struct endpoint *p, enum net_kind kind, struct net_err *e)
{
	const struct names *n = &names[kind];
	const char *api = conf_text(n->api);

	*p = (struct endpoint){ .kind = kind,
		.base = conf_text(n->url),
		.model = conf_text(n->model) };
	if (kind == NET_CHAT && preset_set() != NULL) {
		p->api = API_COMMAND;
		return 0;
	}
	if (*p->base == '\0')
		return net_fail(e, NET_CONFIG, false,
		    "no address is set: 'mem config set %s URL' does it%s", n->url,
		    kind == NET_CHAT && *conf_text("llm_command") != '\0'
			? " (a llm_command of your own is not for mem-llm, but in its place)" : "");
	if (http_check_url(p->base, conf_bool("llm_insecure"), e) < 0)
		return -1;
	p->api = strcmp(api, "auto") == 0 ? guess_api(p->base)
	    : strcmp(api, "ollama") == 0  ? API_OLLAMA
					  : API_OPENAI;
	p->url = whole_url(p->base, paths[p->api][kind]);
	p->quirks.no_max_tokens = http_host_is(p->base, "api.openai.com");
	return find_key(n, p->base, &p->key, e);
}

void
endpoint_close(struct endpoint *p)
{
	if (p->key != NULL)
		wipe(p->key, strlen(p->key));
	free(p->key);
	free(p->url);
	*p = (struct endpoint){ .key = NULL };
}
