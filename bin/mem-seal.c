/* mem-seal: seal an export or a backup to a key, or open it */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/run.h"
#include "base/system.h"
#include "cli/prog.h"
#include "seal/seal.h"
#include "gen/programs.h"

#define KEY_FILE_BYTES 65536
#define COMMAND_MS     60000

static bool opens, makes, shows;
static struct prog_list recipients;
static const char *out_path;

static const struct prog_opt opts[] = {
	{ 'r', "recipient", "KEY", OPT_LIST, &recipients, NULL, 0, 0, "seal to this public key, or to that in a file; may be repeated" },
	{ 0, "open", NULL, OPT_FLAG, &opens, NULL, 0, 0, "open what is sealed" },
	{ 'k', "key-file", "FILE", OPT_CONF, NULL, "key_file", 0, 0, "the secret key" },
	{ 0, "key-command", "COMMAND", OPT_CONF, NULL, "key_command", 0, 0, "a command that prints it, as of a keyring" },
	{ 0, "new-key", NULL, OPT_FLAG, &makes, NULL, 0, 0, "make a secret key in the key file, and print its public key" },
	{ 0, "public-key", NULL, OPT_FLAG, &shows, NULL, 0, 0, "print the public key" },
	{ 'o', "output", "FILE", OPT_TEXT, &out_path, NULL, 0, 0, "write to FILE, which is there when it is whole" },
	PROG_OPTS_COMMON,
	PROG_OPTS_END
};

static const struct prog prog = { opts, PROG_MEM_SEAL };

/* ---- keys ---- */

static const char *
key_path(void)
{
	const char *path = conf_text("key_file");

	return *path != '\0' ? path : conf_data_path("mem/seal.key");
}

/* Reads a file, up to its end or to many more bytes than a key has. */
static int
read_file(const char *path, struct buf *out, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char piece[4096];
	ssize_t n = 0;

	if (fd < 0)
		return errno == ENOENT
		    ? err_set(err, ERR_NOINPUT, "there is no key '%s': --new-key makes one", path)
		    : err_set_errno(err, ERR_PERM, "cannot open the key '%s'", path);
	while (!out->full && (n = read(fd, piece, sizeof(piece))) > 0)
		buf_add(out, piece, (size_t)n);
	close(fd);
	return n >= 0 ? 0 : err_set_errno(err, ERR_IO, "cannot read the key '%s'", path);
}

static int
read_recipient(const char *text, struct seal_public *out, struct err *err)
{
	if (strncmp(text, "mem-public-", 11) == 0)
		return seal_read_public(text, strlen(text), "-r", out, err);
	LOCAL(buf) b = buf_of(KEY_FILE_BYTES);
	int rc = read_file(text, &b, err);
	if (rc == 0)
		rc = seal_read_public(b.data, b.len, text, out, err);
	return rc;
}

/* The secret key: of the command, where there is one, else of the file. */
static int
read_secret(struct seal_secret *out, struct err *err)
{
	const char *command = conf_text("key_command"), *path = key_path();
	const char *const args[] = { "sh", "-c", command, NULL };
	LOCAL(ran) r = { 0 };
	int rc;

	if (*command == '\0') {
		LOCAL(buf) b = buf_of(KEY_FILE_BYTES);
		rc = read_file(path, &b, err);
		if (rc == 0)
			rc = seal_read_secret(b.data, b.len, path, out, err);
		seal_wipe(b.data, b.len);
		return rc;
	}
	rc = run(args, "", 0, COMMAND_MS, &r, err);
	if (rc == 0 && r.status != 0)
		rc = err_set(err, ERR_UNAVAILABLE, "key_command ended with status %d: %s", r.status,
		    ran_line(&r));
	if (rc == 0)
		rc = seal_read_secret(r.out.data, r.out.len, "key_command", out, err);
	seal_wipe(r.out.data, r.out.len);
	return rc;
}

static int
print_public(const struct seal_secret *secret, struct err *err)
{
	struct seal_public public;

	if (seal_public_of(secret, &public, err) != 0)
		return -1;
	seal_write_public(prog_out(), &public);
	buf_addc(prog_out(), '\n');
	return 0;
}

/* A key that is there is never replaced: what is sealed to it could not be opened any more. */
static int
make_key(struct err *err)
{
	const char *path = key_path();
	struct seal_public public;
	struct seal_secret secret;
	int fd, rc = -1;
	LOCAL(buf) b = buf_of(4096);

	if (seal_keys_new(&public, &secret, err) != 0)
		goto out;
	buf_adds(&b, "# the secret key of mem-seal, for ");
	seal_write_public(&b, &public);
	buf_adds(&b, "\n# who has it can open what was sealed to it; without it nobody can\n");
	seal_write_secret(&b, &secret);
	buf_addc(&b, '\n');
	conf_make_parents(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0) {
		err_set_errno(err, errno == EEXIST ? ERR_CONFIG : ERR_PERM,
		    errno == EEXIST ? "a key is never replaced: '%s'" : "cannot make '%s'", path);
		goto out;
	}
	if (write(fd, b.data, b.len) != (ssize_t)b.len || system_sync(fd) != 0) {
		err_set_errno(err, ERR_IO, "cannot write '%s'", path);
		unlink(path);
	} else {
		rc = print_public(&secret, err);
	}
	close(fd);
out:
	seal_wipe(&secret, sizeof(secret));
	seal_wipe(b.data, b.len);
	return rc;
}

/* ---- streams ---- */

static int
seal_or_open(int in, int out, struct err *err)
{
	FREED struct seal_public *to = xcalloc(recipients.n + 1, sizeof(*to));
	struct seal_secret secret = { { 0 } };
	int rc = 0;

	if (recipients.n > SEAL_RECIPIENTS_MOST)
		rc = err_set(err, ERR_USAGE, "more than %d recipients", SEAL_RECIPIENTS_MOST);
	for (size_t i = 0; i < recipients.n && rc == 0; i++)
		rc = read_recipient(recipients.items[i], &to[i], err);
	if (rc == 0 && (opens || recipients.n == 0))
		rc = read_secret(&secret, err);
	if (rc == 0 && !opens && recipients.n == 0)
		rc = seal_public_of(&secret, &to[0], err);
	if (rc == 0)
		rc = opens ? seal_open(in, out, &secret, err)
			   : seal_stream(in, out, to, MAX(recipients.n, 1), err);
	seal_wipe(&secret, sizeof(secret));
	return rc;
}

/* Writes to a file of ours beside the one that is wanted, which it becomes when it is whole. */
static int
to_file(int in, struct err *err)
{
	LOCAL(buf) path = buf_of(65536);

	buf_addf(&path, "%s.XXXXXX", out_path);
	int fd = mkstemp(path.data);
	if (fd < 0)
		return err_set_errno(err, ERR_PERM, "cannot make '%s'", path.data);
	int rc = seal_or_open(in, fd, err);
	if (rc == 0 && system_sync(fd) != 0)
		rc = err_set_errno(err, ERR_IO, "cannot write '%s'", path.data);
	close(fd);
	if (rc == 0 && rename(path.data, out_path) != 0)
		rc = err_set_errno(err, ERR_IO, "cannot make '%s'", out_path);
	if (rc != 0)
		unlink(path.data);
	return rc;
}

static void
stream(const char *path, struct err *err)
{
	int in = STDIN_FILENO;

	if (path != NULL && strcmp(path, "-") != 0 &&
	    (in = open(path, O_RDONLY | O_CLOEXEC)) < 0) {
		err_set_errno(err, errno == ENOENT ? ERR_NOINPUT : ERR_PERM,
		    "cannot open '%s'", path);
		return;
	}
	if (out_path != NULL)
		to_file(in, err);
	else if (!opens && isatty(STDOUT_FILENO))
		err_set(err, ERR_USAGE, "what is sealed is no text for a terminal: see -o");
	else
		seal_or_open(in, STDOUT_FILENO, err);
	if (in != STDIN_FILENO)
		close(in);
}

int
main(int argc, char **argv)
{
	struct seal_secret secret;
	struct err err = ERR_INIT;
	int i = prog_start(&prog, argc, argv);

	if (opens + makes + shows > 1 || ((opens || makes || shows) && recipients.n > 0))
		err_set(&err, ERR_USAGE,
		    "--open, --new-key, --public-key and -r are each for something else");
	else if (argc - i > 1 || ((makes || shows) && i < argc))
		err_set(&err, ERR_USAGE, "takes one file, or the standard input");
	else if (makes)
		make_key(&err);
	else if (shows && read_secret(&secret, &err) == 0)
		print_public(&secret, &err);
	else if (!shows)
		stream(i < argc ? argv[i] : NULL, &err);
	free(recipients.items);
	return prog_end(&err);
}
