/*
 * kill: mem-ingest is killed at random moments; what it said it stored must be there, byte for
 * byte, and nothing twice.
 *
 * usage: SEED=n kill KILLS, in an empty directory, with MEM_DB set and the programs in PATH.
 *
 * Inputs are made from the seed: line k of input i always has the same content, beginning "i.k ",
 * so whatever a program prints can be compared with what was sent. An input is a pipe with ids of
 * its own, a pipe without (known by place), or a file that grows between runs and may end inside a
 * line. Each round runs mem-ingest on a new input or again on one that was cut off, and kills it
 * 1-40 ms after its start or after its first line. Now and then mem-check --checkpoint or --repair
 * is what dies. At the end every input is read to its end, and the store must hold each line of
 * each of them once, those that had been printed unchanged.
 */
#include <sys/select.h>

#include "drive.h"

enum kind { WITH_IDS, BY_PLACE, FILE_THAT_GROWS, N_KINDS };

struct input {
	enum kind kind;
	int n;                     /* lines */
	int written;               /* of a file: lines that are whole */
	int torn;                  /* bytes of the line after them */
	uint64_t *acked;           /* [n] hash of the line that was printed, 0: none */
	unsigned char *seen;       /* [n] in the listing at hand */
};

struct text { char *s; size_t len, cap; };

static struct input *inputs;
static int n_inputs;
static uint64_t rng;
static int64_t n_acked;

static void
add(struct text *t, const char *s, size_t len)
{
	if (t->len + len + 1 > t->cap) {
		t->cap = 2 * (t->len + len + 1);
		if ((t->s = realloc(t->s, t->cap)) == NULL)
			die("out of memory");
	}
	memcpy(t->s + t->len, s, len);
	t->len += len;
	t->s[t->len] = '\0';
}

static void
adds(struct text *t, const char *s)
{
	add(t, s, strlen(s));
}

/*
 * The content of line k of input i, as JSON text without its quotes: written the way mem writes it,
 * so that bytes can be compared.
 */
static void
add_content(struct text *t, int i, int k)
{
	static const char *const words[] = { "the", "lighthouse", "keeper", "said", "caf\xc3\xa9",
		"\xe6\xb8\xaf\xe5\x8f\xa3", "\xf0\x9f\x9a\xa2", "\\\"quoted\\\"", "\\n", "\\t",
		"back\\\\slash", "getUserName", "foo_bar", "42", "```c\\nint x;\\n```", "storm",
		"a/b", "\\u001b[31m" };
	uint64_t r = seed() ^ ((uint64_t)i << 32 | (uint64_t)k);
	int n = (int)between(&r, 1, chance(&r) % 20 == 0 ? 2000 : 40);
	char tag[32];

	snprintf(tag, sizeof(tag), "%d.%d", i, k);
	adds(t, tag);
	while (n-- > 0) {
		adds(t, " ");
		adds(t, words[chance(&r) % (sizeof(words) / sizeof(words[0]))]);
	}
}

static void
add_line(struct text *t, int i, int k)
{
	char head[200], id[64] = "";

	if (inputs[i].kind != BY_PLACE)
		snprintf(id, sizeof(id), "\"id\":\"%d.%d\",", i, k);
	snprintf(head, sizeof(head),
	    "{\"session\":\"k%d\",%s\"role\":\"%s\",\"time\":%d,\"content\":\"", i % 7, id,
	    k % 2 ? "assistant" : "user", 1700000000 + k);
	adds(t, head);
	add_content(t, i, k);
	adds(t, "\"}\n");
}

static uint64_t
hash(const char *s, size_t len)
{
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * 1099511628211u;
	return h == 0 ? 1 : h;
}

/* Which line a printed record is; dies unless its content is what was sent. */
static void
identify(const char *line, size_t len, int *i, int *k)
{
	static const char key[] = "\"content\":\"";
	static struct text want;
	const char *p = strstr(line, key);

	if (p == NULL || sscanf(p + sizeof(key) - 1, "%d.%d ", i, k) != 2 || *i < 0 ||
	    *i >= n_inputs || *k < 0 || *k >= inputs[*i].n)
		die("a record of no input: %.200s", line);
	want.len = 0;
	adds(&want, key);
	add_content(&want, *i, *k);
	adds(&want, "\"");
	if ((size_t)(line + len - p) < want.len || memcmp(p, want.s, want.len) != 0)
		die("line %d.%d is not what was sent:\nsent %s\ngot  %s", *i, *k, want.s, p);
}

static void
on_ack(const char *line, size_t len)
{
	int i, k;

	identify(line, len, &i, &k);
	if (inputs[i].acked[k] != 0)
		die("line %d.%d was stored twice", i, k);
	inputs[i].acked[k] = hash(line, len);
	n_acked++;
}

static void
on_listed(const char *line, size_t len)
{
	int i, k;

	identify(line, len, &i, &k);
	if (inputs[i].seen[k]++)
		die("line %d.%d is in the store twice", i, k);
	if (inputs[i].acked[k] != 0 && inputs[i].acked[k] != hash(line, len))
		die("line %d.%d is not what was printed: %s", i, k, line);
}

/* Reads once; hands out whole lines. 0 at the end. */
static int
read_lines(int fd, struct text *have, void (*fn)(const char *, size_t))
{
	char chunk[65536];
	ssize_t n = read(fd, chunk, sizeof(chunk));
	size_t from = 0;

	if (n < 0 && errno == EINTR)
		return 1;
	if (n <= 0)
		return 0;
	add(have, chunk, (size_t)n);
	for (char *stop; (stop = memchr(have->s + from, '\n', have->len - from)) != NULL;
	     from = (size_t)(stop - have->s) + 1) {
		*stop = '\0';
		fn(have->s + from, (size_t)(stop - have->s) - from);
	}
	memmove(have->s, have->s + from, have->len - from + 1);
	have->len -= from;
	return 1;
}

/* ---- one run ---- */

static int
new_input(void)
{
	struct input *in;

	if ((inputs = realloc(inputs, (size_t)(n_inputs + 1) * sizeof(*inputs))) == NULL)
		die("out of memory");
	in = &inputs[n_inputs];
	memset(in, 0, sizeof(*in));
	in->kind = (enum kind)(chance(&rng) % N_KINDS);
	in->n = (int)between(&rng, 5, chance(&rng) % 4 == 0 ? 2500 : 300);
	in->acked = calloc((size_t)in->n, sizeof(*in->acked));
	in->seen = calloc((size_t)in->n, 1);
	return n_inputs++;
}

/* Lets a file grow by some lines and, unless all, a part of another. */
static void
grow(int i, int all)
{
	struct input *in = &inputs[i];
	struct text t = { NULL, 0, 0 };
	int to = all ? in->n : (int)between(&rng, in->written, in->n), torn = 0;
	size_t skip = (size_t)in->torn, whole;
	char name[32];
	FILE *f;

	for (int k = in->written; k < to; k++)
		add_line(&t, i, k);
	whole = t.len;
	if (to < in->n && chance(&rng) % 2) {
		add_line(&t, i, to);
		torn = (int)between(&rng, 0, (int64_t)(t.len - whole) - 1);
		t.len = whole + (size_t)torn;
	}
	if (to == in->written && torn < in->torn) {    /* a file does not shrink */
		free(t.s);
		return;
	}
	snprintf(name, sizeof(name), "%d.jsonl", i);
	if ((f = fopen(name, "ab")) == NULL ||
	    (t.len > skip && fwrite(t.s + skip, 1, t.len - skip, f) != t.len - skip) ||
	    fclose(f) != 0)
		die("cannot write %s", name);
	in->written = to;
	in->torn = torn;
	free(t.s);
}

struct run {
	struct child c;
	struct text input, have;
	void (*line)(const char *, size_t);
	size_t sent;
	/* after_ack: deadline counts from the first line */
	int64_t next_write, deadline, after_ack;
};

/* Sends a burst, then pauses, so that batches of all sizes come about. */
static void
feed(struct run *r)
{
	size_t want = (size_t)between(&rng, 1, 20000), left = r->input.len - r->sent;
	ssize_t n = left > 0 ? write(r->c.in, r->input.s + r->sent, want < left ? want : left) : 0;

	if (n > 0)
		r->sent += (size_t)n;
	if (r->sent == r->input.len || (n < 0 && errno == EPIPE)) {
		close(r->c.in);
		r->c.in = -1;
	}
	r->next_write = now_us() + (chance(&rng) % 3 == 0 ? between(&rng, 0, 5000) : 0);
}

/* Until it ends or is killed: 1 when killed. deadline 0: it may live. */
static int
drive(struct run *r)
{
	int64_t acked = n_acked;
	int open = 1;

	while (open) {
		int64_t now = now_us(), wait = r->deadline ? r->deadline - now : 1000000;
		int writes = r->c.in >= 0 && now >= r->next_write;
		fd_set in, out;
		struct timespec t;

		if (r->deadline && now >= r->deadline) {
			kill(r->c.pid, SIGKILL);
			while (read_lines(r->c.out, &r->have, r->line))
				;
			break;
		}
		if (r->c.in >= 0 && !writes && r->next_write - now < wait)
			wait = r->next_write - now;
		t = (struct timespec){ wait / 1000000, wait % 1000000 * 1000 };
		FD_ZERO(&in);
		FD_ZERO(&out);
		FD_SET(r->c.out, &in);
		if (writes)
			FD_SET(r->c.in, &out);
		if (pselect((r->c.in > r->c.out ? r->c.in : r->c.out) + 1, &in, &out, NULL, &t,
			NULL) <= 0)
			continue;
		if (FD_ISSET(r->c.out, &in))
			open = read_lines(r->c.out, &r->have, r->line);
		if (writes && FD_ISSET(r->c.in, &out))
			feed(r);
		if (r->after_ack && n_acked > acked) {
			r->deadline = now_us() + r->after_ack;
			r->after_ack = 0;
		}
	}
	int status = child_end(&r->c);
	free(r->input.s);
	free(r->have.s);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		return 1;
	if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 65))
		die("status %x", (unsigned)status);
	if (r->deadline == 0 && WEXITSTATUS(status) != 0)
		die("status %d", WEXITSTATUS(status));
	return 0;
}

static int
ingest(int i, int kills)
{
	static const char *const batches[] = { "1", "10", "100", "1000" };
	struct input *in = &inputs[i];
	struct run r;
	char name[32];
	char *argv[] = { "mem-ingest", "--from=ndjson", "--batch",
		(char *)batches[chance(&rng) % 4], NULL, NULL };

	memset(&r, 0, sizeof(r));
	r.line = on_ack;
	if (in->kind == FILE_THAT_GROWS) {
		grow(i, !kills);
		snprintf(name, sizeof(name), "%d.jsonl", i);
		argv[4] = name;
	} else {
		for (int k = 0; k < in->n; k++)
			add_line(&r.input, i, k);
	}
	if (kills) {
		int64_t after = between(&rng, 1000, 40000);
		if (chance(&rng) % 2)
			r.after_ack = after;
		r.deadline = now_us() + after + (r.after_ack ? 500000 : 0);
	}
	child_start(&r.c, argv, in->kind == FILE_THAT_GROWS);
	if (r.c.in >= 0)
		fcntl(r.c.in, F_SETFL, O_NONBLOCK);
	return drive(&r);
}

static void
on_nothing(const char *line, size_t len)
{
	(void)line;
	(void)len;
}

/* A program whose output says nothing of messages. */
static int
other(char *const argv[], int kills)
{
	struct run r;

	memset(&r, 0, sizeof(r));
	r.line = on_nothing;
	if (kills)
		r.deadline = now_us() + between(&rng, 1000, 40000);
	child_start(&r.c, argv, 1);
	return drive(&r);
}

/* ---- what must hold ---- */

static void
verify(int complete)
{
	char *list[] = { "mem-list", "-j", NULL }, *check[] = { "mem-check", "-q", "--deep", NULL };
	struct text have = { NULL, 0, 0 };
	struct child c;
	int status;

	child_start(&c, check, 1);
	if ((status = child_end(&c)) != 0 && system("mem-check --deep >&2") != 0)
		die("mem-check --deep: status %x", (unsigned)status);
	for (int i = 0; i < n_inputs; i++)
		memset(inputs[i].seen, 0, (size_t)inputs[i].n);
	child_start(&c, list, 1);
	while (read_lines(c.out, &have, on_listed))
		;
	free(have.s);
	if ((status = child_end(&c)) != 0)
		die("mem-list: status %x", (unsigned)status);
	for (int i = 0; i < n_inputs; i++)
		for (int k = 0; k < inputs[i].n; k++)
			if (!inputs[i].seen[k] && (complete || inputs[i].acked[k] != 0))
				die("line %d.%d was %s and is not there", i, k,
				    inputs[i].acked[k] ? "printed" : "sent");
}

int
main(int argc, char **argv)
{
	int want = (int)argument(argc, argv, 1, 50), kills = 0, runs = 0, cut = 0;
	char *checkpoint[] = { "mem-check", "-q", "--checkpoint", NULL },
	     *repair[] = { "mem-check", "-q", "--repair", NULL };

	unsetenv("MEM_SEED");                          /* two runs must not make the same ids */
	unsetenv("MEM_NOW");
	signal(SIGPIPE, SIG_IGN);
	rng = seed();
	while (kills < want) {
		int64_t before = n_acked;
		int what = (int)between(&rng, 0, 39), i;

		if (runs++ > 20 * want + 100)
			die("%d runs, only %d kills", runs, kills);
		if (n_acked > 0 && what == 0) {
			kills += other(repair, 1);     /* and whoever writes next goes on */
		} else if (n_acked > 0 && what < 3) {
			kills += other(checkpoint, 1);
		} else {
			i = n_inputs == 0 || chance(&rng) % 2 ? new_input()
							      : (int)between(&rng, 0, n_inputs - 1);
			if (ingest(i, 1)) {
				kills++;
				cut += n_acked > before;
			}
		}
		if (kills % 250 == 249)
			verify(0);
	}
	verify(0);
	for (int i = 0; i < n_inputs; i++)
		ingest(i, 0);
	verify(1);
	printf("%d kills in %d runs, %d of them after the first line; %d inputs, %lld lines "
	       "printed, none lost, none twice\n",
	    kills, runs, cut, n_inputs, (long long)n_acked);
	/* the moments must be such that something was going on */
	return cut * 5 < kills;
}
