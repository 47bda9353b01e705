/*
 * http.c: uses libcurl's easy interface, one transfer at a time, without streaming.
 * CURLOPT_MAXFILESIZE of libcurl 7.88 stops neither chunked nor packed answers, so bytes are
 * counted in the write callback, after unpacking. Headers have a limit of their own. libcurl does
 * not follow redirects: we check first where they lead.
 */
#include <curl/curl.h>
#include <stdarg.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "net/http.h"

#define HEADER_BYTES_MOST (64u << 10)
#define REDIRECTS_MOST    3
#define CONNECT_MS        5000
#define RETRY_AFTER_MOST_MS (120 * 1000)
#define KEY_PIECE         8

const char *const net_fault_names[N_NET_FAULTS] = { "ok", "config", "request", "connect", "tls",
	"timeout", "redirect", "auth", "rate", "server", "rejected", "too_long", "reply", "length",
	"refused", "schema" };

struct http {
	CURL *curl;
	struct http_limits limits;
	struct http_reply *reply;              /* for the transfer that runs */
	size_t n_header_bytes;
	bool too_long;
};

int
net_fail(struct net_err *e, enum net_fault fault, bool retryable, const char *fmt, ...)
{
	va_list ap;

	e->fault = fault;
	e->retryable = retryable;
	va_start(ap, fmt);
	vsnprintf(e->msg, sizeof(e->msg), fmt, ap);
	va_end(ap);
	e->msg[utf8_clip(e->msg, strlen(e->msg), sizeof(e->msg) - 1)] = '\0';
	return -1;
}

/* ---- URLs ---- */

/* A part of a URL, to be freed with curl_free; NULL: it has none. */
static char *
url_part(const char *url, CURLUPart part)
{
	CURLU *u = curl_url();
	char *s = NULL;

	if (u != NULL && curl_url_set(u, CURLUPART_URL, url, 0) == CURLUE_OK)
		curl_url_get(u, part, &s, part == CURLUPART_PORT ? CURLU_DEFAULT_PORT : 0);
	curl_url_cleanup(u);
	return s;
}

static bool
part_is(const char *url, CURLUPart part, const char *want)
{
	char *s = url_part(url, part);
	bool is = s != NULL && strcasecmp(s, want) == 0;

	curl_free(s);
	return is;
}

bool
http_host_is(const char *url, const char *name)
{
	return part_is(url, CURLUPART_HOST, name);
}

int
http_port(const char *url)
{
	char *s = url_part(url, CURLUPART_PORT);
	int port = s == NULL ? 0 : (int)strtol(s, NULL, 10);

	curl_free(s);
	return port;
}

/* Whether scheme, host and port are the same. */
static bool
is_same_place(const char *a, const char *b)
{
	static const CURLUPart parts[] = { CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_PORT };

	for (size_t i = 0; i < NELEM(parts); i++) {
		char *s = url_part(b, parts[i]);
		bool same = s != NULL && part_is(a, parts[i], s);
		curl_free(s);
		if (!same)
			return false;
	}
	return true;
}

static bool
is_loopback(const char *url)
{
	char *host = url_part(url, CURLUPART_HOST);
	bool is = false;
	unsigned a, b, c, d;
	char end;

	if (host != NULL)
		is = strcasecmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0 ||
			(sscanf(host, "%3u.%3u.%3u.%3u%c", &a, &b, &c, &d, &end) == 4 && a == 127);
	curl_free(host);
	return is;
}

int
http_check_url(const char *url, bool insecure, struct net_err *e)
{
	static const CURLUPart none[] = { CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY,
		CURLUPART_FRAGMENT };
	char *host = url_part(url, CURLUPART_HOST);
	bool ok = host != NULL;

	curl_free(host);
	for (size_t i = 0; ok && i < NELEM(none); i++) {
		char *s = url_part(url, none[i]);
		curl_free(s);
		/* that part may be a secret, so the URL is not shown */
		if (s != NULL)
			return net_fail(e, NET_CONFIG, false,
			    "a URL must have no user, password, query or fragment");
	}
	if (!ok ||
	    (!part_is(url, CURLUPART_SCHEME, "http") && !part_is(url, CURLUPART_SCHEME, "https")))
		return net_fail(e, NET_CONFIG, false, "not an http or https URL");
	if (part_is(url, CURLUPART_SCHEME, "http") && !insecure && !is_loopback(url))
		return net_fail(e, NET_CONFIG, false,
		    "plain http leaves this machine: use https, or set llm_insecure: '%.200s'",
		    url);
	return 0;
}

/* ---- keys ---- */

static size_t
common(const char *a, const char *a_end, const char *b)
{
	size_t n = 0;

	while (a + n < a_end && b[n] != '\0' && a[n] == b[n])
		n++;
	return n;
}

void
net_hide_key(char *s, size_t len, const char *key)
{
	const char *end = s + len;
	size_t n_key = key == NULL ? 0 : strlen(key);
	size_t least = MAX(n_key - n_key / 2, MIN(n_key, KEY_PIECE));

	if (n_key == 0)
		return;
	for (char *p = s; p < end; p++) {
		size_t longest = 0;
		for (size_t k = 0; k + least <= n_key && longest < n_key; k++)
			longest = *p == key[k] ? MAX(longest, common(p, end, key + k)) : longest;
		if (longest >= least) {
			memset(p, '*', longest);
			p += longest - 1;
		}
	}
}

/* ---- what libcurl hands us ---- */

static size_t
on_body(char *p, size_t size, size_t n, void *arg)
{
	struct http *h = arg;

	(void)size;
	if (h->reply->body.len + n > h->limits.max_reply_bytes) {
		h->too_long = true;
		return 0;
	}
	buf_add(&h->reply->body, p, n);
	return n;
}

/* Copies the value of a header; false: the line is another header. */
static bool
header_value(const char *p, size_t n, const char *name, char *out, size_t size)
{
	size_t len = strlen(name);

	if (n <= len || strncasecmp(p, name, len) != 0 || p[len] != ':')
		return false;
	for (p += len + 1, n -= len + 1; n > 0 && (*p == ' ' || *p == '\t'); p++)
		n--;
	while (n > 0 && (unsigned char)p[n - 1] <= ' ')
		n--;
	n = MIN(n, size - 1);
	memcpy(out, p, n);
	out[n] = '\0';
	return true;
}

/* Reads Retry-After, which is seconds or a date, within bounds; -1: it is neither. */
static int64_t
retry_after(const char *s)
{
	char *end;
	double seconds = strtod(s, &end);
	int64_t us;

	if (*s < '0' || *s > '9' || *end != '\0') {
		if (time_parse(s, strlen(s), &us, NULL) != 0)
			return -1;
		seconds = (double)(us - clock_now_us()) / 1e6;
	}
	return (int64_t)(1000 * MAX(0, MIN(seconds, RETRY_AFTER_MOST_MS / 1000)));
}

static size_t
on_header(char *p, size_t size, size_t n, void *arg)
{
	struct http *h = arg;
	struct http_reply *r = h->reply;
	char v[100], *end;

	(void)size;
	h->n_header_bytes += n;
	if (h->n_header_bytes > HEADER_BYTES_MOST) {
		h->too_long = true;
		return 0;
	}
	if (header_value(p, n, "retry-after-ms", v, sizeof(v))) {
		double ms = strtod(v, &end);
		if (ascii_is_digit(*v) && *end == '\0')
			r->retry_after_ms = (int64_t)MIN(ms, RETRY_AFTER_MOST_MS);
	} else if (header_value(p, n, "retry-after", v, sizeof(v))) {
		if (r->retry_after_ms < 0)
			r->retry_after_ms = retry_after(v);
	} else if (header_value(p, n, "x-should-retry", v, sizeof(v))) {
		r->should_retry = strcasecmp(v, "true") == 0 ? 1
		    : strcasecmp(v, "false") == 0	     ? 0
							     : -1;
	}
	return n;
}

static int
on_progress(void *arg, curl_off_t n_to_come, curl_off_t n_came, curl_off_t n_to_go,
	curl_off_t n_went)
{
	const struct http *h = arg;

	(void)n_to_come, (void)n_came, (void)n_to_go, (void)n_went;
	return h->limits.gone != NULL && h->limits.gone();
}

/* ---- a transfer ---- */

int
http_open(const struct http_limits *limits, struct http **out, struct err *err)
{
	struct http *h = xcalloc(1, sizeof(*h));

	*out = NULL;
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK ||
	    (h->curl = curl_easy_init()) == NULL) {
		free(h);
		return err_set(err, ERR_BUG, "libcurl does not start");
	}
	h->limits = *limits;
	*out = h;
	return 0;
}

void
http_close(struct http *h)
{
	if (h == NULL)
		return;
	curl_easy_cleanup(h->curl);
	curl_global_cleanup();
	free(h);
}

static void
wipe(char *s)
{
	volatile char *p = s;

	for (size_t n = s == NULL ? 0 : strlen(s); n > 0; n--)
		*p++ = '\0';
}

/*
 * Makes the list of headers. libcurl copies each string: ours are wiped at once, its copies when
 * the list is freed.
 */
static struct curl_slist *
headers(const char *key)
{
	struct curl_slist *list = curl_slist_append(NULL, "Content-Type: application/json");

	list = curl_slist_append(list, "Accept: application/json");
	list = curl_slist_append(list, "Expect:");
	if (key != NULL && *key != '\0') {
		LOCAL(buf) line = buf_of(16384);
		buf_reserve(&line, strlen(key) + 32);
		buf_adds(&line, "Authorization: Bearer ");
		buf_adds(&line, key);
		list = curl_slist_append(list, line.data);
		wipe(line.data);
	}
	return list;
}

static void
headers_free(struct curl_slist *list)
{
	for (struct curl_slist *p = list; p != NULL; p = p->next)
		wipe(p->data);
	curl_slist_free_all(list);
}

static void
set_up(struct http *h, const char *url, struct curl_slist *list, const char *body, size_t len,
	long ms)
{
	CURL *c = h->curl;

	curl_easy_reset(c);
	curl_easy_setopt(c, CURLOPT_URL, url);
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(c, CURLOPT_SSL_VERIFYHOST, 2L);
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, ms);
	curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, MIN(ms, CONNECT_MS));
	curl_easy_setopt(c, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
	curl_easy_setopt(c, CURLOPT_USERAGENT, "mem-llm/" MEM_VERSION);
	curl_easy_setopt(c, CURLOPT_HTTPHEADER, list);
	curl_easy_setopt(c, CURLOPT_POST, 1L);
	curl_easy_setopt(c, CURLOPT_POSTFIELDS, body);
	curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)len);
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, h);
	curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(c, CURLOPT_HEADERDATA, h);
	curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, on_progress);
	curl_easy_setopt(c, CURLOPT_XFERINFODATA, h);
	if (*h->limits.ca_file != '\0')
		curl_easy_setopt(c, CURLOPT_CAINFO, h->limits.ca_file);
	if (is_loopback(url))
		curl_easy_setopt(c, CURLOPT_PROXY, "");
}

/* Says to where: the address may be one of several settings. */
static int
no_connection(const struct http *h, const char *why, struct net_err *e)
{
	const char *url = NULL;

	if (curl_easy_getinfo(h->curl, CURLINFO_EFFECTIVE_URL, &url) != CURLE_OK || url == NULL)
		url = "";
	char *host = url_part(url, CURLUPART_HOST);
	int rc = net_fail(e, NET_CONNECT, true, "no connection to %.200s, port %d: %s",
	    host != NULL ? host : "the server", http_port(url), why);
	curl_free(host);
	return rc;
}

static int
transfer_failed(const struct http *h, CURLcode rc, struct net_err *e)
{
	const char *why = curl_easy_strerror(rc);

	if (h->too_long)
		return net_fail(e, NET_REPLY, false, "answer is over the limit of %zu bytes",
		    h->limits.max_reply_bytes);
	switch (rc) {
	case CURLE_OPERATION_TIMEDOUT:
		return net_fail(e, NET_TIMEOUT, true, "no answer in time");
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
	case CURLE_SSL_ISSUER_ERROR:
		return net_fail(e, NET_TLS, false, "no trusted connection: %s", why);
	case CURLE_SSL_CACERT_BADFILE:
		return net_fail(e, NET_CONFIG, false, "cannot read the certificates of '%.200s'",
		    h->limits.ca_file);
	case CURLE_ABORTED_BY_CALLBACK:
		return net_fail(e, NET_TIMEOUT, false, "nobody waits for the answer any more");
	/* the URL was checked before, so the answer is what is not HTTP */
	case CURLE_UNSUPPORTED_PROTOCOL:
		return net_fail(e, NET_REPLY, false, "answer is not HTTP");
	case CURLE_URL_MALFORMAT:
		return net_fail(e, NET_CONFIG, false, "not an http or https URL");
	case CURLE_BAD_CONTENT_ENCODING:
	case CURLE_WEIRD_SERVER_REPLY:
		return net_fail(e, NET_REPLY, false, "answer cannot be read: %s", why);
	default:
		return no_connection(h, why, e);
	}
}

static bool
has_part(const char *url, CURLUPart part)
{
	char *s = url_part(url, part);

	curl_free(s);
	return s != NULL;
}

/* Reads a redirect. 1: go on at *next, which the caller frees; 0: the answer is no redirect. */
static int
redirect(struct http *h, const char *url, int status, char **next, struct net_err *e)
{
	const char *to = NULL;

	if (status < 300 || status > 399 || status == 304)
		return 0;
	curl_easy_getinfo(h->curl, CURLINFO_REDIRECT_URL, &to);
	if (to == NULL)
		return net_fail(e, NET_REDIRECT, false, "redirected, without saying where");
	if (status == 303 || !is_same_place(url, to)) {
		char *host = url_part(to, CURLUPART_HOST);
		net_fail(e, NET_REDIRECT, false,
		    "redirected to another place, which is not followed: '%.100s'",
		    host == NULL ? "?" : host);
		curl_free(host);
		return -1;
	}
	/* it would be sent as a name and password of ours, beside the key or in its place */
	if (has_part(to, CURLUPART_USER) || has_part(to, CURLUPART_PASSWORD))
		return net_fail(e, NET_REDIRECT, false,
		    "redirected to an address with a user or password, which is not followed");
	*next = xstrdup(to);
	return 1;
}

static int
post_once(struct http *h, const char *url, struct curl_slist *list, const char *body, size_t len,
	int64_t deadline_us, struct net_err *e)
{
	int64_t left_ms = (deadline_us - clock_mono_us()) / 1000;
	struct http_reply *r = h->reply;
	CURLcode rc;
	long status = 0;

	if (left_ms <= 0)
		return net_fail(e, NET_TIMEOUT, true, "no answer in time");
	buf_reset(&r->body);
	r->status = 0;
	r->retry_after_ms = r->should_retry = -1;
	h->n_header_bytes = 0;
	h->too_long = false;
	set_up(h, url, list, body, len, (long)left_ms);
	if ((rc = curl_easy_perform(h->curl)) != CURLE_OK)
		return transfer_failed(h, rc, e);
	curl_easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &status);
	r->status = (int)status;
	return 0;
}

int
http_post(struct http *h, const char *url, const char *key, const char *body, size_t len,
	int64_t deadline_us, struct http_reply *r, struct net_err *e)
{
	struct curl_slist *list = headers(key);
	char *at = xstrdup(url), *next = NULL;
	int rc, n = 0;

	h->reply = r;
	while ((rc = post_once(h, at, list, body, len, deadline_us, e)) == 0 &&
	    (rc = redirect(h, at, r->status, &next, e)) > 0) {
		free(at);
		at = next;
		if (++n > REDIRECTS_MOST) {
			rc = net_fail(e, NET_REDIRECT, false, "redirected in circles");
			break;
		}
	}
	curl_easy_setopt(h->curl, CURLOPT_HTTPHEADER, NULL);
	headers_free(list);
	free(at);
	return rc;
}
