/*
 * sync_start.c: who is on the other side, and how programs are started here and there. Where a
 * shell reads a command, each argument is quoted; of the settings only names of files, of users and
 * marks go along: no password and no key.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "base/conf.h"
#include "transfer/sync_parts.h"

#define COMMAND_BYTES 65536
#define STATUS_SHELL  126                  /* found and not run; 127: not found; of any shell */
#define STATUS_SSH    255

/* ---- who is there ---- */

int
sync_read_other(struct way *w, struct err *err)
{
	const char *s = w->o->other, *slash = strchr(s, '/'), *colon = strchr(s, ':'), *at;

	if (strstr(s, "://") != NULL)
		return err_set(err, ERR_USAGE,
		    "a store on a server is not brought together with others: '%.100s'", s);
	w->remote = slash == NULL || (colon != NULL && colon < slash);
	if (!w->remote) {
		char *end = arena_strndup(&w->arena, s, strlen(s));
		struct stat st;

		w->file = arena_strdup(&w->arena, s);
		end[strrchr(s, '/') - s + 1] = '\0';
		return stat(end, &st) == 0 && S_ISDIR(st.st_mode)
		    ? 0
		    : err_set(err, ERR_NOINPUT,
			  "no directory '%s': is a stick not mounted? nothing is made there", end);
	}
	if (*s == '[' && (at = strchr(s, ']')) != NULL && (at[1] == ':' || at[1] == '\0')) {
		w->host = arena_strndup(&w->arena, s + 1, (size_t)(at - s) - 1);
		colon = at[1] == ':' ? at + 1 : NULL;
	} else {
		w->host = arena_strndup(&w->arena, s,
		    colon != NULL ? (size_t)(colon - s) : strlen(s));
	}
	w->file = arena_strdup(&w->arena, colon != NULL ? colon + 1 : "");
	at = strrchr(w->host, '@');
	/* ssh would take it for an option */
	if (*w->host == '\0' || *w->host == '-' || (at != NULL && (at[1] == '\0' || at[1] == '-')))
		return err_set(err, ERR_USAGE, "no name of a host: '%.100s'", s);
	return 0;
}

/* ---- commands ---- */

/* As a shell reads it back; "~/" at its beginning stays the home there. */
static void
add_quoted(struct buf *b, const char *s)
{
	if (strncmp(s, "~/", 2) == 0) {
		buf_adds(b, "~/");
		s += 2;
	}
	buf_addc(b, '\'');
	for (; *s != '\0'; s++)
		if (*s == '\'')
			buf_adds(b, "'\\''");
		else
			buf_addc(b, *s);
	buf_addc(b, '\'');
}

static char *
own_path(struct way *w, const char *program)
{
	LOCAL(buf) b = buf_of(COMMAND_BYTES);

	buf_addf(&b, "%s/%s", w->o->own_bin, program);
	return arena_strdup(&w->arena, access(b.data, X_OK) == 0 ? b.data : program);
}

/* args: NULL at the end. */
int
sync_start_own(struct way *w, const char *program, const char *db, const char *const *args,
	bool reads, bool other, struct side *out, struct err *err)
{
	char *argv[16];
	size_t n = 0;

	argv[n++] = own_path(w, program);
	argv[n++] = arena_strdup(&w->arena, "-d");
	argv[n++] = arena_strdup(&w->arena, db);
	argv[n++] = arena_strdup(&w->arena, "-u");
	argv[n++] = arena_strdup(&w->arena, w->o->user);
	while (*args != NULL && n < NELEM(argv) - 1)
		argv[n++] = arena_strdup(&w->arena, *args++);
	argv[n] = NULL;
	/* a store on this machine is not called as this machine */
	LOCAL(buf) name = buf_of(COMMAND_BYTES);
	buf_addf(&name, "MEM_STORE_NAME=%s", path_base(db));
	return side_start(out, argv, reads, other ? name.data : NULL, err);
}

/*
 * Whether it is one program with its arguments, which can take the place of the shell: a signal
 * for the shell is one for ssh then.
 */
static bool
is_plain(const char *command)
{
	static const char *const builtins[] = { "command", "eval", "exec" };
	size_t len = strcspn(command, " \t");

	for (size_t i = 0; i < NELEM(builtins); i++)
		if (strlen(builtins[i]) == len && memcmp(builtins[i], command, len) == 0)
			return false;
	return len > 0 && memchr(command, '=', len) == NULL &&
	    strpbrk(command, ";&|<>(){}!`\n") == NULL;
}

static int
start_remote(struct way *w, const char *program, const char *const *args, bool reads,
	struct side *out, struct err *err)
{
	char *argv[7];
	LOCAL(buf) b = buf_of(COMMAND_BYTES);

	if (*w->o->bin != '\0') {
		add_quoted(&b, w->o->bin);
		buf_addc(&b, '/');
	}
	buf_addf(&b, "%s -u ", program);
	add_quoted(&b, w->o->user);
	if (*w->file != '\0') {
		buf_adds(&b, " -d ");
		add_quoted(&b, w->file);
	}
	for (; *args != NULL; args++) {
		buf_addc(&b, ' ');
		add_quoted(&b, *args);
	}
	LOCAL(buf) run = buf_of(COMMAND_BYTES);
	buf_addf(&run, "%s%s \"$@\"", is_plain(conf_text("ssh")) ? "exec " : "", conf_text("ssh"));
	argv[0] = arena_strdup(&w->arena, "/bin/sh");
	argv[1] = arena_strdup(&w->arena, "-c");
	argv[2] = run.data;
	argv[3] = arena_strdup(&w->arena, "ssh");
	argv[4] = w->host;
	argv[5] = b.data;
	argv[6] = NULL;
	return b.full || run.full ? err_set(err, ERR_USAGE, "a command that is too long")
				  : side_start(out, argv, reads, NULL, err);
}

int
sync_start_other(struct way *w, const char *program, const char *const *args, bool reads,
	struct side *out, struct err *err)
{
	return w->remote ? start_remote(w, program, args, reads, out, err)
			 : sync_start_own(w, program, w->file, args, reads, true, out, err);
}

/* What the end of a program there means. */
int
sync_explain(const struct way *w, const char *program, int status, struct err *err)
{
	const char *other = w->o->other;

	if (status == 0)
		return 0;
	if (w->remote && status == STATUS_SSH)
		return err_set(err, ERR_UNAVAILABLE, "%s: no way there, or it broke", other);
	if (status == STATUS_SHELL || status == STATUS_SHELL + 1)
		return err_set(err, ERR_UNAVAILABLE,
		    "%s: no ssh is found here, or no %s there, whose folder --programs names",
		    other, program);
	if (status == ERR_USAGE)
		return err_set(err, ERR_CONFIG,
		    "%s: the mem there is of another version: %s does not take what is asked of it",
		    other, program);
	if (status > 128)
		return err_set(err, side_code(status), "%s: %s was stopped by signal %d", other,
		    program, status - 128);
	return err_set(err, side_code(status), "%s: %s failed there, status %d", other, program,
	    status);
}
