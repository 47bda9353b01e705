/*
 * llm_server.c: a model's server that behaves badly, for mem-llm and all that ask it. On 127.0.0.1,
 * a process a connection.
 *
 *	llm_server PORT_FILE LOG_FILE [ANSWER_FILE]
 *
 * writes its port into PORT_FILE once it listens, and a line into LOG_FILE for each request: its
 * behaviour, the path, and the Authorization header. How it behaves is the first part of the path:
 * http://127.0.0.1:PORT/drip/v1 has chat_url behave as the row "drip" of the table below says. A
 * well-behaved answer of a chat has ANSWER_FILE's content ({"n":1} without one) as its text; a
 * vector has 8 numbers made of its text. Ends with the process that started it.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/base.h"
#include "base/hash.h"
#include "json/json.h"

#define BIG      (128u << 20)
#define N_DIMS   8
#define BODY_MAX (64u << 20)

struct asked {
	int fd;
	char path[300], auth[300];
	struct buf body;
	const struct json *json;
	unsigned nth;                          /* of this behaviour: 1, 2 ... */
};

static struct arena arena = ARENA_INIT;
static const char *answer = "{\"n\":1}";
static char *answer_file;

static void
send_all(int fd, const void *p, size_t n)
{
	const char *s = p;
	ssize_t got;

	for (; n > 0; s += got, n -= (size_t)got)
		if ((got = send(fd, s, n, MSG_NOSIGNAL)) <= 0)
			_exit(0);
}

static void
sends(int fd, const char *s)
{
	send_all(fd, s, strlen(s));
}

static void
reply(const struct asked *q, const char *status, const char *headers, const char *type,
	const char *body, size_t len)
{
	char head[1000];

	snprintf(head, sizeof(head),
	    "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n%s\r\n",
	    status, type, len, headers);
	sends(q->fd, head);
	send_all(q->fd, body, len);
}

static void
reply_json(const struct asked *q, const char *status, const char *headers, const char *body)
{
	reply(q, status, headers, "application/json", body, strlen(body));
}

static void
pause_ms(int ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000L }, NULL);
}

/* ---- bodies of good answers ---- */

static bool
is_ollama(const struct asked *q)
{
	return strstr(q->path, "/api/") != NULL;
}

static bool
is_embed(const struct asked *q)
{
	return strstr(q->path, "/embed") != NULL;
}

/* A chat's answer: text (NULL: null), other members of the message, why it ended. */
static char *
chat_body(const struct asked *q, const char *text, const char *more, const char *finish)
{
	struct buf b;

	buf_init(&b, BODY_MAX);
	buf_adds(&b,
	    is_ollama(q) ? "{\"model\":\"fake\",\"message\":{\"role\":\"assistant\",\"content\":"
			 : "{\"id\":\"x\",\"model\":\"fake\",\"choices\":[{\"index\":0,\"message\":"
			   "{\"role\":\"assistant\",\"content\":");
	if (text == NULL)
		buf_adds(&b, "null");
	else
		json_write_string(&b, text, strlen(text));
	buf_adds(&b, more);
	if (is_ollama(q))
		buf_addf(&b,
		    "},\"done\":true,\"done_reason\":\"%s\",\"prompt_eval_count\":20,"
		    "\"eval_count\":5}",
		    finish);
	else
		buf_addf(&b,
		    "},\"finish_reason\":\"%s\"}],\"usage\":{\"prompt_tokens\":20,"
		    "\"completion_tokens\":5,\"total_tokens\":25}}",
		    finish);
	return buf_detach(&b);
}

static const struct json *
input(const struct asked *q, size_t i)
{
	const struct json *list = json_get(q->json, "input");

	return list != NULL && list->kind == JSON_ARRAY && i < list->len ? &list->u.items[i] : NULL;
}

static double
number_of(const struct json *text, unsigned k)
{
	return (double)(hash64(text->u.string, text->len, k) % 2000) / 1000 - 1;
}

enum spoilt { GOOD, NARROW, NOT_A_NUMBER, ZEROS, BASE64, ONE_SHORT, SHUFFLED, HUGE_NUMBER };

static char *
embed_body(const struct asked *q, enum spoilt spoilt)
{
	const struct json *text;
	struct buf b;
	size_t n;

	for (n = 0; input(q, n) != NULL; n++)
		continue;
	n -= spoilt == ONE_SHORT && n > 0;
	buf_init(&b, BODY_MAX);
	buf_adds(&b,
	    is_ollama(q) ? "{\"model\":\"fake\",\"embeddings\":["
			 : "{\"model\":\"fake\",\"data\":[");
	for (size_t i = 0; i < n; i++) {
		size_t at = spoilt == SHUFFLED ? n - 1 - i : i;
		text = input(q, at);
		buf_adds(&b, i > 0 ? "," : "");
		if (!is_ollama(q))
			buf_addf(&b, "{\"index\":%zu,\"embedding\":", at);
		if (spoilt == BASE64)
			buf_adds(&b, "\"AACAPwAAgD8=\"");
		for (unsigned k = 0;
		     spoilt != BASE64 && k < (spoilt == NARROW && i == n - 1 ? N_DIMS - 1 : N_DIMS);
		     k++) {
			buf_adds(&b, k == 0 ? "[" : ",");
			if (k == 3 && spoilt == NOT_A_NUMBER)
				buf_adds(&b, "NaN");
			else if (k == 3 && spoilt == HUGE_NUMBER)
				buf_adds(&b, "1e300");
			else
				buf_addf(&b, "%.6f", spoilt == ZEROS ? 0 : number_of(text, k));
		}
		buf_adds(&b, spoilt == BASE64 ? "" : "]");
		buf_adds(&b, is_ollama(q) ? "" : "}");
	}
	buf_adds(&b,
	    is_ollama(q) ? "],\"prompt_eval_count\":7}" : "],\"usage\":{\"prompt_tokens\":7}}");
	return buf_detach(&b);
}

static char *
good_body(const struct asked *q)
{
	return is_embed(q) ? embed_body(q, GOOD) : chat_body(q, answer, "", "stop");
}

static void
ok(const struct asked *q)
{
	reply_json(q, "200 OK", "", good_body(q));
}

static void
chat(const struct asked *q, const char *text, const char *more, const char *finish)
{
	if (is_embed(q))
		ok(q);
	else
		reply_json(q, "200 OK", "", chat_body(q, text, more, finish));
}

/* ---- bad ones ---- */

static void
drip(const struct asked *q)
{
	const char *body = good_body(q);

	sends(q->fd,
	    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n");
	for (;; pause_ms(500))
		send_all(q->fd, *body != '\0' ? body++ : " ", 1);
}

static void
slow(const struct asked *q)
{
	pause_ms(700);
	ok(q);
}

static void
half(const struct asked *q)
{
	char *body = good_body(q);

	reply(q, "200 OK", "", "application/json", body, strlen(body) / 2);
}

static void
cut(const struct asked *q)
{
	char *body = good_body(q);

	sends(q->fd,
	    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n");
	send_all(q->fd, body, strlen(body) / 2);
}

static void
big(const struct asked *q)
{
	static char piece[65536];

	memset(piece, ' ', sizeof(piece));
	sends(q->fd,
	    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: "
	    "chunked\r\n\r\n");
	for (size_t n = 0; n < BIG; n += sizeof(piece)) {
		sends(q->fd, "10000\r\n");
		send_all(q->fd, piece, sizeof(piece));
		sends(q->fd, "\r\n");
	}
	sends(q->fd, "0\r\n\r\n");
}

/*
 * Packed a megabyte at a time, each as the one before: the first is packed, the others are copies
 * of it. Its end is missing, and nobody should get there.
 */
static void
bomb(const struct asked *q)
{
	static uint8_t in[1 << 20], out[1 << 16];
	z_stream z = { .next_out = out, .avail_out = sizeof(out), .next_in = in };
	size_t n_first;
	struct buf b;

	memset(in, ' ', sizeof(in));
	deflateInit2(&z, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY);
	for (int i = 0; i < 2; i++) {
		n_first = z.total_out;
		z.next_in = in;
		z.avail_in = sizeof(in);
		deflate(&z, Z_FULL_FLUSH);
	}
	buf_init(&b, BIG);
	buf_add(&b, out, z.total_out);
	for (size_t n = 2 * sizeof(in); n < BIG; n += sizeof(in))
		buf_add(&b, out + n_first, z.total_out - n_first);
	reply(q, "200 OK", "Content-Encoding: gzip\r\n", "application/json", b.data, b.len);
}

static void
bad_gzip(const struct asked *q)
{
	reply(q, "200 OK", "Content-Encoding: gzip\r\n", "application/json", "\037\213\010nonsense",
	    11);
}

static void
headers(const struct asked *q)
{
	sends(q->fd, "HTTP/1.1 200 OK\r\n");
	for (int i = 0; i < 100000; i++)
		sends(q->fd,
		    "X-More: and more, and more, and more, and more, and more, and more\r\n");
}

/* Small in bytes, and as many values as fit. */
static void
values(const struct asked *q)
{
	struct buf b;

	buf_init(&b, BODY_MAX);
	buf_adds(&b, "{\"choices\":[");
	for (int i = 0; i < 1900000; i++)
		buf_adds(&b, "1,");
	buf_adds(&b, "1]}");
	reply_json(q, "200 OK", "", b.data);
}

static void
large(const struct asked *q)
{
	char *text = xmalloc(3900001);

	memset(text, 'a', 3900000);
	text[3900000] = '\0';
	chat(q, text, "", "stop");
}

static void
garbage(const struct asked *q)
{
	sends(q->fd, "\x15\x03\x01 this is no HTTP\r\n\r\n");
}

static void
close_at_once(const struct asked *q)
{
	(void)q;
}

static void
no_answer(const struct asked *q)
{
	char c;

	/* until the other side gives up */
	while (recv(q->fd, &c, 1, 0) > 0)
		continue;
}

static void
rate_once(const struct asked *q)
{
	if (q->nth % 2 == 1)
		reply_json(q, "429 Too Many Requests", "Retry-After: 1\r\n",
		    "{\"error\":{\"message\":\"slow down\"}}");
	else
		ok(q);
}

static void
rate(const struct asked *q)
{
	reply_json(q, "429 Too Many Requests", "",
	    "{\"error\":{\"message\":\"slow down\",\"type\":\"rate\",\"code\":\"rate_limit\"}}");
}

static void
rate_long(const struct asked *q)
{
	reply_json(q, "429 Too Many Requests", "Retry-After: 3600\r\n",
	    "{\"error\":\"come back in an hour\"}");
}

static void
rate_date(const struct asked *q)
{
	reply_json(q, "429 Too Many Requests", "Retry-After: Fri, 31 Dec 2100 23:59:59 GMT\r\n",
	    "{}");
}

static void
broken(const struct asked *q)
{
	reply_json(q, "500 Internal Server Error", "", "{\"error\":{\"message\":\"it broke\"}}");
}

static void
broken_once(const struct asked *q)
{
	if (q->nth % 2 == 1)
		reply(q, "503 Service Unavailable", "", "text/html", "<html><b>loading</b></html>",
		    27);
	else
		ok(q);
}

static void
broken_for_good(const struct asked *q)
{
	reply_json(q, "500 Internal Server Error", "x-should-retry: false\r\n",
	    "{\"detail\":[{\"msg\":\"do not ask again\"}]}");
}

static void
gateway(const struct asked *q)
{
	reply(q, "502 Bad Gateway", "", "text/html", "<html><script>alert(1)</script></html>", 38);
}

static void
denied(const struct asked *q)
{
	char body[700];

	/*
	 * as some do: the key that was wrong, whole and in pieces, and what would drive a terminal
	 */
	snprintf(body, sizeof(body),
	    "{\"error\":{\"message\":\"bad key %.250s, that is %.40s...\\u001b[2J\"}}", q->auth,
	    q->auth);
	reply_json(q, "401 Unauthorized", "", body);
}

static void
bad_request(const struct asked *q)
{
	reply_json(q, "400 Bad Request", "",
	    "{\"object\":\"error\",\"message\":\"no such model\",\"code\":404}");
}

static void
to_file(const struct asked *q)
{
	reply_json(q, "307 Temporary Redirect", "Location: file:///etc/passwd\r\n", "");
}

static void
to_ftp(const struct asked *q)
{
	reply_json(q, "302 Found", "Location: ftp://127.0.0.1/x\r\n", "");
}

static void
to_host(const struct asked *q)
{
	reply_json(q, "308 Permanent Redirect",
	    "Location: http://localhost:9/ok/v1/chat/completions\r\n", "");
}

static void
to_user(const struct asked *q)
{
	char location[400];
	const char *rest = strchr(q->path + 1, '/');
	struct sockaddr_in at;
	socklen_t len = sizeof(at);

	getsockname(q->fd, (struct sockaddr *)&at, &len);
	snprintf(location, sizeof(location), "Location: http://me:secret@127.0.0.1:%d/ok%s\r\n",
	    ntohs(at.sin_port), rest == NULL ? "" : rest);
	reply_json(q, "307 Temporary Redirect", location, "");
}

static void
to_tls(const struct asked *q)
{
	reply_json(q, "301 Moved Permanently", "Location: https://127.0.0.1:9/\r\n", "");
}

static void
to_nowhere(const struct asked *q)
{
	reply_json(q, "302 Found", "", "");
}

static void
to_self(const struct asked *q)
{
	char location[400];
	const char *rest = strchr(q->path + 1, '/');

	snprintf(location, sizeof(location), "Location: /ok%s\r\n", rest == NULL ? "" : rest);
	reply_json(q, "307 Temporary Redirect", location, "");
}

static void
in_circles(const struct asked *q)
{
	char location[400];

	snprintf(location, sizeof(location), "Location: %s\r\n", q->path);
	reply_json(q, "307 Temporary Redirect", location, "");
}

static void
fenced(const struct asked *q)
{
	struct buf b;

	buf_init(&b, BODY_MAX);
	buf_addf(&b, "Sure!\n```json\n%s\n```\nAnything else?", answer);
	chat(q, b.data, "", "stop");
}

static void
thinks(const struct asked *q)
{
	struct buf b;

	buf_init(&b, BODY_MAX);
	buf_addf(&b, "<think>{\"n\":\"not this\"}</think>\n%s", answer);
	chat(q, b.data, "", "stop");
}

static void
only_thinks(const struct asked *q)
{
	struct buf b;

	buf_init(&b, BODY_MAX);
	buf_adds(&b, is_ollama(q) ? ",\"thinking\":" : ",\"reasoning_content\":");
	json_write_string(&b, answer, strlen(answer));
	chat(q, "", b.data, "stop");
}

static void
misfit_once(const struct asked *q)
{
	chat(q, q->nth % 2 == 1 ? "{\"wrong\":1}" : answer, "", "stop");
}

static void
misfit(const struct asked *q)
{
	chat(q, "{\"wrong\":1}", "", "stop");
}

static void
words(const struct asked *q)
{
	chat(q, "I would rather talk about the weather.", "", "stop");
}

static void
too_short(const struct asked *q)
{
	chat(q, "{\"n\":[1,2,3", "", "length");
}

static void
refuses(const struct asked *q)
{
	chat(q, NULL, ",\"refusal\":\"I cannot help with that\"", "stop");
}

static void
empty(const struct asked *q)
{
	chat(q, "", "", "stop");
}

/* As newer models: the old name of a parameter, a temperature and a schema are errors. */
static void
picky(const struct asked *q)
{
	static const char *const refused[][2] = {
		{ "max_tokens",
		    "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
		    "'max_completion_tokens' instead." },
		{ "temperature",
		    "Unsupported value: 'temperature' does not support 0 with this model." },
		{ "response_format", "response_format is not supported" },
		{ "think", "think is no parameter" }, { "format", "format is no parameter" }
	};
	char body[300];

	for (size_t i = 0; i < NELEM(refused); i++)
		if (json_get(q->json, refused[i][0]) != NULL) {
			snprintf(body, sizeof(body), "{\"error\":{\"message\":\"%s\"}}",
			    refused[i][1]);
			reply_json(q, "400 Bad Request", "", body);
			return;
		}
	ok(q);
}

/*
 * As older servers of llama.cpp, that have another form of schema and take its newer one for a
 * fault of their own.
 */
static void
old_format(const struct asked *q)
{
	const struct json *format = json_get(q->json, "response_format");
	const char *type = json_get_string(format, "type", NULL);

	if (type != NULL &&
	    (strcmp(type, "json_object") != 0 || json_get(format, "schema") == NULL))
		reply_json(q, "500 Internal Server Error", "",
		    "{\"error\":{\"message\":\"1 validation error: ('body', 'response_format', "
		    "'type')\"}}");
	else if (type == NULL && !is_embed(q))
		chat(q, "no format, no JSON", "", "stop");
	else
		ok(q);
}

/* Texts of over 100 bytes are too long, and so is a batch with one in it. */
static void
long_texts(const struct asked *q)
{
	for (size_t i = 0; input(q, i) != NULL; i++)
		if (input(q, i)->len > 100) {
			reply_json(q, "400 Bad Request", "",
			    "{\"error\":\"the input length exceeds the context length\"}");
			return;
		}
	if (is_embed(q))
		ok(q);
	else
		reply_json(q, "400 Bad Request", "",
		    "{\"error\":{\"message\":\"too long\",\"code\":\"context_length_exceeded\"}}");
}

/* A text with "bad" in it fails its batch. */
static void
bad_item(const struct asked *q)
{
	for (size_t i = 0; input(q, i) != NULL; i++)
		if (strstr(input(q, i)->u.string, "bad") != NULL) {
			reply_json(q, "400 Bad Request", "",
			    "{\"error\":{\"message\":\"what is this text\"}}");
			return;
		}
	ok(q);
}

static void
spoil(const struct asked *q, enum spoilt spoilt)
{
	if (is_embed(q))
		reply_json(q, "200 OK", "", embed_body(q, spoilt));
	else
		ok(q);
}

#define SPOIL(name, how) static void name(const struct asked *q) { spoil(q, how); }
SPOIL(narrow, NARROW)
SPOIL(nan_number, NOT_A_NUMBER)
SPOIL(zeros, ZEROS)
SPOIL(base64, BASE64)
SPOIL(one_short, ONE_SHORT)
SPOIL(shuffled, SHUFFLED)
SPOIL(huge, HUGE_NUMBER)

static void
other_json(const struct asked *q)
{
	reply_json(q, "200 OK", "",
	    "{\"choices\":7,\"data\":{},\"embeddings\":\"no\",\"message\":[]}");
}

static void
no_json(const struct asked *q)
{
	reply(q, "200 OK", "", "text/html", "<html>welcome to the hotel</html>", 33);
}

static const struct behaviour {
	const char *name;
	void (*act)(const struct asked *q);
} behaviours[] = {
	{ "ok", ok },
	{ "hang", no_answer },
	{ "drip", drip },
	{ "slow", slow },
	{ "half", half },
	{ "cut", cut },
	{ "close", close_at_once },
	{ "garbage", garbage },
	{ "big", big },
	{ "bomb", bomb },
	{ "badgzip", bad_gzip },
	{ "headers", headers },
	{ "values", values },
	{ "large", large },
	{ "rateonce", rate_once },
	{ "rate", rate },
	{ "ratelong", rate_long },
	{ "ratedate", rate_date },
	{ "500", broken },
	{ "503once", broken_once },
	{ "500final", broken_for_good },
	{ "502", gateway },
	{ "401", denied },
	{ "400", bad_request },
	{ "tofile", to_file },
	{ "toftp", to_ftp },
	{ "tohost", to_host },
	{ "totls", to_tls },
	{ "touser", to_user },
	{ "tonowhere", to_nowhere },
	{ "toself", to_self },
	{ "circle", in_circles },
	{ "fenced", fenced },
	{ "thinks", thinks },
	{ "onlythinks", only_thinks },
	{ "misfitonce", misfit_once },
	{ "misfit", misfit },
	{ "words", words },
	{ "short", too_short },
	{ "refuses", refuses },
	{ "empty", empty },
	{ "picky", picky },
	{ "oldformat", old_format },
	{ "long", long_texts },
	{ "baditem", bad_item },
	{ "narrow", narrow },
	{ "nan", nan_number },
	{ "zeros", zeros },
	{ "base64", base64 },
	{ "oneshort", one_short },
	{ "shuffled", shuffled },
	{ "huge", huge },
	{ "otherjson", other_json },
	{ "nojson", no_json },
};

static atomic_uint *counts;                    /* [behaviours], shared by all processes */

/* ---- the server ---- */

static const struct behaviour *
find_behaviour(const char *path)
{
	size_t len = strcspn(path + 1, "/");

	for (size_t i = 0; i < NELEM(behaviours); i++)
		if (strlen(behaviours[i].name) == len &&
		    memcmp(behaviours[i].name, path + 1, len) == 0)
			return &behaviours[i];
	return NULL;
}

static void
header(const char *head, const char *name, char *out, size_t size)
{
	const char *p = strstr(head, name);

	*out = '\0';
	if (p != NULL)
		snprintf(out, size, "%.*s", (int)strcspn(p + strlen(name), "\r\n"),
		    p + strlen(name));
}

static void
read_request(struct asked *q)
{
	char length[30], *end = NULL;
	size_t n_head = 0, n_body = 0;
	ssize_t n;

	buf_init(&q->body, BODY_MAX);
	while (end == NULL || q->body.len < n_head + n_body) {
		if ((n = read(q->fd, buf_reserve(&q->body, 65536), 65536)) <= 0)
			_exit(0);
		q->body.len += (size_t)n;
		q->body.data[q->body.len] = '\0';
		if (end == NULL && (end = strstr(q->body.data, "\r\n\r\n")) != NULL) {
			n_head = (size_t)(end + 4 - q->body.data);
			*end = '\0';
			header(q->body.data, "Content-Length: ", length, sizeof(length));
			header(q->body.data, "Authorization: ", q->auth, sizeof(q->auth));
			n_body = (size_t)strtoul(length, NULL, 10);
			sscanf(q->body.data, "%*s %299s", q->path);
		}
	}
	json_parse(q->body.data + n_head, n_body, &arena, &q->json, NULL);
}

static void
serve(int fd, const char *log_file)
{
	struct asked q = { .fd = fd };
	const struct behaviour *b;
	char line[700];
	int log;

	read_request(&q);
	b = find_behaviour(q.path);
	q.nth = b == NULL ? 0 : atomic_fetch_add(&counts[b - behaviours], 1) + 1;
	snprintf(line, sizeof(line), "%s %s %s\n", b == NULL ? "?" : b->name, q.path, q.auth);
	if ((log = open(log_file, O_WRONLY | O_APPEND | O_CREAT, 0600)) >= 0 &&
	    write(log, line, strlen(line)) < 0)
		_exit(1);
	if (answer_file != NULL) {
		int in = open(answer_file, O_RDONLY);
		char *text = xcalloc(1, 1 << 20);
		if (in >= 0 && read(in, text, (1 << 20) - 1) > 0)
			answer = text;
	}
	if (b == NULL || q.json == NULL)
		reply_json(&q, "404 Not Found", "", "{\"error\":\"no such place\"}");
	else
		b->act(&q);
	/* what the other side still sends must not turn the answer into a reset */
	shutdown(fd, SHUT_WR);
	_exit(0);
}

int
main(int argc, char **argv)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(at);
	int s = socket(AF_INET, SOCK_STREAM, 0), zero = open("/dev/zero", O_RDWR), fd;
	pid_t parent = getppid();
	char temporary[1000];
	FILE *f;

	if (argc < 3 || argc > 4) {
		fprintf(stderr, "usage: llm_server PORT_FILE LOG_FILE [ANSWER_FILE]\n");
		return 64;
	}
	answer_file = argv[3];
	signal(SIGCHLD, SIG_IGN);
	counts = mmap(NULL, sizeof(*counts) * NELEM(behaviours), PROT_READ | PROT_WRITE, MAP_SHARED,
	    zero, 0);
	if (s < 0 || counts == MAP_FAILED || bind(s, (struct sockaddr *)&at, sizeof(at)) < 0 ||
	    listen(s, 512) < 0 || getsockname(s, (struct sockaddr *)&at, &len) < 0) {
		perror("llm_server");
		return 1;
	}
	snprintf(temporary, sizeof(temporary), "%s.new", argv[1]);
	if ((f = fopen(temporary, "w")) == NULL || fprintf(f, "%d\n", ntohs(at.sin_port)) < 0 ||
	    fclose(f) != 0 || rename(temporary, argv[1]) != 0)
		return 1;
	fcntl(s, F_SETFL, O_NONBLOCK);
	while (getppid() == parent) {
		if ((fd = accept(s, NULL, NULL)) < 0) {
			pause_ms(10);
			continue;
		}
		fcntl(fd, F_SETFL, 0);
		if (fork() == 0) {
			close(s);
			serve(fd, argv[2]);
		}
		close(fd);
	}
	return 0;
}
