/*
 * gz_test.c: plain and packed files, pipes, damage of each byte, caps. The packed bytes were made
 * by Python's gzip module.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/conf.h"
#include "base/gz.h"

#include "tap.h"
#include "tmpdir.h"

/* gzip.compress(b"hello\n" * 5, mtime=0) and of b"world\n" */
static const unsigned char hello_gz[] = {
	0x1f,
	0x8b,
	0x08,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x02,
	0x03,
	0xcb,
	0x48,
	0xcd,
	0xc9,
	0xc9,
	0xe7,
	0xca,
	0xc0,
	0x41,
	0x02,
	0x00,
	0x3f,
	0xdf,
	0x0f,
	0xd3,
	0x1e,
	0x00,
	0x00,
	0x00,
};
static const unsigned char world_gz[] = {
	0x1f,
	0x8b,
	0x08,
	0x00,
	0x00,
	0x00,
	0x00,
	0x00,
	0x02,
	0x03,
	0x2b,
	0xcf,
	0x2f,
	0xca,
	0x49,
	0xe1,
	0x02,
	0x00,
	0xa8,
	0x61,
	0x38,
	0xdd,
	0x06,
	0x00,
	0x00,
	0x00,
};
static const char hello[] = "hello\nhello\nhello\nhello\nhello\n";

/* The whole of a file in steps of n bytes; or "!code message". */
static const char *
slurp(const char *path, size_t step)
{
	static struct buf b;
	struct err e = ERR_INIT;
	char piece[5000];
	struct gz *g;
	ptrdiff_t n;

	if (b.data == NULL)
		buf_init(&b, 1 << 24);
	buf_reset(&b);
	if (gz_open(path, &g, &e) != 0) {
		buf_addf(&b, "!%d %s", e.code, e.msg);
		return b.data;
	}
	while ((n = gz_read(g, piece, step, &e)) > 0)
		buf_add(&b, piece, (size_t)n);
	if (n < 0) {
		buf_reset(&b);
		buf_addf(&b, "!%d %s", e.code, e.msg);
	} else if (gz_read(g, piece, step, &e) != 0) {
		buf_addf(&b, " and more after the end");
	}
	gz_close(g);
	return b.data;
}

static void
test_read(void)
{
	char two[sizeof(hello_gz) + sizeof(world_gz) + 1];
	static const size_t steps[] = { 1, 2, 7, 5000 };

	tmpdir_write("plain", hello, strlen(hello));
	tmpdir_write("one.gz", hello_gz, sizeof(hello_gz));
	memcpy(two, hello_gz, sizeof(hello_gz));
	memcpy(two + sizeof(hello_gz), world_gz, sizeof(world_gz));
	tmpdir_write("two.gz", two, sizeof(two) - 1);
	tmpdir_write("empty", "", 0);
	for (size_t i = 0; i < NELEM(steps); i++) {
		is_str(slurp("plain", steps[i]), hello, "a plain file by %zu", steps[i]);
		is_str(slurp("one.gz", steps[i]), hello, "a packed one");
		is_str(slurp("two.gz", steps[i]), "hello\nhello\nhello\nhello\nhello\nworld\n",
		    "two members");
		is_str(slurp("empty", steps[i]), "", "an empty file");
	}
	tmpdir_write("f", "\x1f", 1);
	is_str(slurp("f", 10), "\x1f", "one byte that could begin gzip");
	tmpdir_write("f", "\x1f\x8c", 2);
	is_str(slurp("f", 10), "\x1f\x8c", "two that do not");
	is_str(slurp("/dev/null", 10), "", "/dev/null is empty");
}

static void
test_damage(void)
{
	char bytes[200];
	size_t n = sizeof(hello_gz);
	bool noticed = true, named = true;
	int same = 0;

	for (size_t cut = 2; cut < n; cut++) {
		tmpdir_write("f", hello_gz, cut);
		const char *got = slurp("f", 5000);
		named = named && strcmp(got, "!65 unexpected end of gzip data: 'f'") == 0;
	}
	ok(named, "cut short after each byte");
	/* bytes 4-9 are time, level and system: nothing checks them */
	for (size_t i = 10; i < n; i++) {
		memcpy(bytes, hello_gz, n);
		bytes[i] = (char)(bytes[i] ^ 0x10);
		tmpdir_write("f", bytes, n);
		const char *got = slurp("f", 5000);
		same += strcmp(got, hello) == 0;
		noticed = noticed && (got[0] == '!' || strcmp(got, hello) == 0);
	}
	/* one of these bits is padding after the last code */
	ok(noticed && same <= 1, "each byte of the data and the trailer changed");
	memcpy(bytes, hello_gz, n);
	bytes[n - 8] = (char)(bytes[n - 8] ^ 1);
	tmpdir_write("f", bytes, n);
	is_str(slurp("f", 5000), "!65 damaged gzip data: 'f'", "checksum");
	memcpy(bytes, hello_gz, n);
	memcpy(bytes + n, "junk", 4);
	tmpdir_write("f", bytes, n + 4);
	is_str(slurp("f", 5000), "!65 bytes that are not gzip after the gzip data: 'f'",
	    "junk at the end");
	memset(bytes + n, 0, 100);
	tmpdir_write("f", bytes, n + 100);
	is_str(slurp("f", 5000), hello, "zeros at the end, as of a tape");
	is_str(slurp("f", 1), hello, "the same by bytes");
	bytes[n + 99] = 'j';
	tmpdir_write("f", bytes, n + 100);
	is_str(slurp("f", 5000), "!65 bytes that are not gzip after the gzip data: 'f'",
	    "zeros, then junk");
	memcpy(bytes + n, "\0\x1f\x8b", 3);
	tmpdir_write("f", bytes, n + 3);
	is_str(slurp("f", 5000), "!65 bytes that are not gzip after the gzip data: 'f'",
	    "no member begins behind zeros");
	memcpy(bytes + n, "\x1fjunk", 5);
	tmpdir_write("f", bytes, n + 5);
	is_str(slurp("f", 5000), "!65 damaged gzip data: 'f'", "junk that begins as gzip does");
	memcpy(bytes + n, "\x1f", 1);
	tmpdir_write("f", bytes, n + 1);
	is_str(slurp("f", 5000), "!65 unexpected end of gzip data: 'f'",
	    "a second member of one byte");
}

static void
test_open(void)
{
	is_str(slurp("none", 10), "!66 cannot open 'none': No such file or directory", "missing");
	is_str(slurp("plain/x", 10), "!66 cannot open 'plain/x': Not a directory", "below a file");
	is_str(slurp(".", 10), "!65 is a directory: '.'", "a directory");
	is_str(slurp("/dev/zero", 10), "!65 not a file, a pipe or a terminal: '/dev/zero'",
	    "a device without end");
	chmod("plain", 0);
	if (geteuid() == 0)
		skip("root may read all");
	else
		is_str(slurp("plain", 10), "!77 cannot open 'plain': Permission denied",
		    "not permitted");
	chmod("plain", 0600);
}

static void
test_skip(void)
{
	static const char *const files[] = { "plain", "one.gz" };
	struct err e = ERR_INIT;
	char piece[100];
	struct gz *g;

	for (size_t i = 0; i < NELEM(files); i++) {
		gz_open(files[i], &g, &e);
		ok(gz_is_packed(g) == (i == 1), "%s: packed or not", files[i]);
		is_int(gz_skip(g, 8, &e), 0, "skip");
		is_int(gz_read(g, piece, 4, &e), 4, "read after it");
		ok(memcmp(piece, "llo\n", 4) == 0, "the right bytes");
		is_int(gz_skip(g, 18, &e), 0, "skip to the end");
		is_int(gz_read(g, piece, 4, &e), 0, "nothing there");
		is_int(gz_skip(g, 1, &e), -1, "skip past the end");
		is_int(e.code, ERR_DATA, "is bad data");
		gz_close(g);
	}
	/* beyond the first piece, where a plain file is seeked */
	FILE *f = fopen("large", "w");
	for (int i = 0; i < 100000; i++)
		fprintf(f, "%09d\n", i);
	fclose(f);
	gz_open("large", &g, &e);
	is_int(gz_skip(g, 777770, &e), 0, "skip far");
	is_int(gz_read(g, piece, 10, &e), 10, "read");
	ok(memcmp(piece, "000077777\n", 10) == 0, "the right bytes");
	is_int(gz_skip(g, 222220, &e), 0, "to the end");
	is_int(gz_read(g, piece, 10, &e), 0, "nothing there");
	gz_close(g);
	gz_open("large", &g, &e);
	is_int(gz_skip(g, 1000001, &e), -1, "past the end");
	is_str(e.msg, "shorter than 1000001 bytes: 'large'", "why");
	gz_close(g);
}

static void
test_caps(void)
{
	struct err e = ERR_INIT;
	char cmd[] = "head -c 20000000 /dev/zero | gzip > zeros.gz";

	conf_set("file_bytes", "1024", &e);
	FILE *f = fopen("f", "w");
	for (int i = 0; i < 1024; i++)
		fputc('x', f);
	fclose(f);
	is_int(strlen(slurp("f", 5000)), 1024, "a file of exactly the cap");
	f = fopen("f", "a");
	fputc('x', f);
	fclose(f);
	is_str(slurp("f", 5000), "!65 over file_bytes (1024): 'f'", "one byte more");
	if (system(cmd) != 0) {
		skip("no gzip program");
	} else {
		is_str(slurp("zeros.gz", 5000), "!65 over file_bytes (1024): 'zeros.gz'",
		    "a packed file over it");
		conf_set("file_bytes", "1G", &e);
		conf_set("gz_ratio", "1100", &e);
		ok(slurp("zeros.gz", 5000)[0] == '\0', "20 MB of zeros pass the default ratio");
		conf_set("gz_ratio", "900", &e);
		is_str(slurp("zeros.gz", 5000),
		    "!65 packed too well, over gz_ratio (900): 'zeros.gz'",
		    "but no ratio below theirs, which is 1,029");
		conf_set("gz_ratio", "200", &e);
		is_str(slurp("zeros.gz", 5000),
		    "!65 packed too well, over gz_ratio (200): 'zeros.gz'", "a bomb");
		conf_set("gz_ratio", "1100", &e);
	}
	conf_set("file_bytes", "4G", &e);
}

/* A child writes into a named pipe, byte by byte. */
static void
test_fifo(const void *bytes, size_t n, const char *want, const char *what)
{
	unlink("fifo");
	mkfifo("fifo", 0600);
	pid_t pid = fork();
	if (pid == 0) {
		struct timespec nap = { 0, 100000000 };
		nanosleep(&nap, NULL);
		int fd = open("fifo", O_WRONLY);
		for (size_t i = 0; i < n; i++)
			if (write(fd, (const char *)bytes + i, 1) != 1)
				_exit(1);
		_exit(0);
	}
	is_str(slurp("fifo", 5000), want, "%s", what);
	waitpid(pid, NULL, 0);
	unlink("fifo");
}

static void
test_stdin(void)
{
	int saved = dup(0), fds[2];

	close(0);
	open("one.gz", O_RDONLY);
	is_str(slurp("-", 5), hello, "stdin is a packed file");
	ok(fcntl(0, F_GETFD) >= 0, "and is not closed");
	close(0);
	open("plain", O_RDONLY);
	lseek(0, 24, SEEK_SET);
	is_str(slurp("-", 5), "hello\n", "stdin in the middle of a file");
	close(0);
	open(".", O_RDONLY);
	is_str(slurp("-", 5), "!65 is a directory: stdin", "stdin is a directory");
	if (pipe(fds) == 0) {
		dup2(fds[0], 0);
		fcntl(0, F_SETFL, O_NONBLOCK);
		if (fork() == 0) {
			struct timespec nap = { 0, 50000000 };
			nanosleep(&nap, NULL);
			_exit(write(fds[1], "late\n", 5) != 5);
		}
		close(fds[1]);
		close(fds[0]);
		is_str(slurp("-", 100), "late\n", "stdin that someone made non-blocking");
		wait(NULL);
	}
	close(0);
	is_str(slurp("-", 5), "!66 cannot read stdin: Bad file descriptor", "stdin is closed");
	dup2(saved, 0);
	close(saved);
}

int
main(void)
{
	static const char *const left[] = { "plain", "one.gz", "two.gz", "empty", "f", "large",
		"zeros.gz", NULL };

	tmpdir_make();
	test_read();
	test_damage();
	test_open();
	test_skip();
	test_caps();
	test_fifo(hello, strlen(hello), hello, "a named pipe");
	test_fifo(hello_gz, sizeof(hello_gz), hello, "a packed named pipe");
	test_fifo("", 0, "", "an empty named pipe");
	test_stdin();
	tmpdir_remove(left);
	return tap_done();
}
