/*
 * capture.c: what mem-ingest does, for one file. Hosts call at every stop, and only what is new is
 * read (ingest/ingest_files.h).
 */
#include "hook/capture.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/conf.h"

int
capture(const char *store, const struct scope *who, const char *path, uint64_t *n, struct err *err)
{
	static const volatile sig_atomic_t never;
	struct ingest_options o = {
		.user = who->user,
		.agent = who->agent,
		.project = who->project,
		.session = "",
		.keep_secrets = conf_bool("keep_secrets"),
		.batch = conf_int("batch"),
		.batch_ms = conf_int("batch_ms"),
		.stop = &never,
	};
	char *paths[] = { (char *)(uintptr_t)path };
	struct ingest_out none = { .records = NULL };
	struct ingest_counts counts = { .messages = 0 };
	struct store *s;
	struct stat st;
	int worst = 0, rc;

	*n = 0;
	/* a pipe that nobody writes to would be waited for without end */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(err, ERR_NOINPUT, "the transcript is no file: '%s'", path);
	if (store_open(store, STORE_CREATE, &s, err) != 0)
		return -1;
	rc = ingest(s, &o, &none, paths, 1, &counts, &worst, err);
	*n = counts.messages;
	store_close(s);
	if (rc == 0 && counts.messages + counts.duplicates == 0 && worst != 0)
		rc = err_set(err, worst, "the transcript could not be read");
	return rc;
}

void
capture_then(const char *command, const char *store, const char *user)
{
	/* what it stores itself runs it no second time; an empty setting would be none */
	if (setenv("MEM_DB", store, 1) != 0 || setenv("MEM_USER", user, 1) != 0 ||
	    setenv("MEM_HOOK_THEN", ":", 1) != 0)
		return;
	signal(SIGPIPE, SIG_DFL);              /* what is ignored stays so in another program */
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
}
