/*
 * walk.c: a name alone says little: chats, logs and notes are all called *.txt, *.md or *.log, and
 * every program has *.json. So of what may be a transcript by its name the first bytes are looked
 * at; of all else only the name is read, as most of a large tree is not worth a system call.
 */
#include <dirent.h>
#include <errno.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/gz.h"
#include "base/order.h"
#include "base/utf8.h"
#include "base/zip.h"
#include "formats/document.h"
#include "formats/turns.h"
#include "ingest/detect.h"
#include "ingest/ingest_db.h"
#include "ingest/opencode_storage.h"
#include "ingest/walk.h"

#define PATH_BYTES (64u << 10)
#define DEPTH_MOST 64
#define LOOK_BYTES (32u << 10)             /* of a file, to tell its format */

struct walk {
	const struct from *from;
	const struct walk_calls *calls;
	struct buf path;
	int depth;
	struct buf look;                   /* the first bytes of the file at hand */
};

/*
 * A Maildir is a directory with three directories: "cur" and "new" hold a message in each file, of
 * any name; messages in "tmp" are not complete yet. Its folders are Maildirs inside it whose names
 * begin with a dot.
 */
enum place { PLAIN, MAILDIR, MESSAGES };

static bool
has_directory(struct buf *path, const char *name)
{
	size_t len = path->len;
	struct stat st;

	buf_addf(path, "/%s", name);
	bool is = !path->full && lstat(path->data, &st) == 0 && S_ISDIR(st.st_mode);
	path->len = len;
	path->data[len] = '\0';
	return is;
}

static bool
is_maildir(struct buf *path)
{
	return has_directory(path, "cur") && has_directory(path, "new") &&
	    has_directory(path, "tmp");
}

static bool
holds_messages(const char *name)
{
	return strcmp(name, "cur") == 0 || strcmp(name, "new") == 0;
}

/* What the walk's directory is; the user may also name a directory within a Maildir. */
static enum place
place_of(struct walk *w)
{
	FREED char *real = realpath(w->path.data, NULL);
	char *slash = real != NULL ? strrchr(real, '/') : NULL;
	enum place place = PLAIN;

	if (w->from != NULL && strcmp(w->from->name, "mail") != 0)
		return PLAIN;
	if (is_maildir(&w->path)) {
		place = MAILDIR;
	} else if (slash != NULL && holds_messages(slash + 1)) {
		LOCAL(buf) parent = buf_of(PATH_BYTES);
		buf_add(&parent, real, (size_t)(slash - real));
		place = is_maildir(&parent) ? MESSAGES : PLAIN;
	}
	return place;
}

/* Antigravity keeps its conversations in a directory with such a name. */
static bool
is_hidden(const char *name)
{
	return name[0] == '.' && strcmp(name, ".system_generated") != 0;
}

static void
fault(struct walk *w, const char *what)
{
	struct err err = ERR_INIT;

	err_set(&err, ERR_DATA, "%s: %s", w->path.data, what);
	w->calls->fault(w->calls->arg, &err);
}

/*
 * The sorted names in a directory, with hidden also those that begin with a dot. NULL after a
 * fault, which is reported.
 */
static char **
names_in(struct walk *w, bool hidden, size_t *n)
{
	DIR *dir = opendir(w->path.data);
	char **names = NULL;
	struct err err = ERR_INIT;
	size_t cap = 0;
	struct dirent *d;

	*n = 0;
	if (dir == NULL) {
		err_set_errno(&err, errno == EACCES ? ERR_PERM : ERR_NOINPUT,
		    "cannot read directory '%s'", w->path.data);
		w->calls->fault(w->calls->arg, &err);
		return NULL;
	}
	for (errno = 0; (d = readdir(dir)) != NULL; errno = 0) {
		if (is_hidden(d->d_name) &&
		    (!hidden || strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0))
			continue;
		xgrow(&names, &cap, *n + 1, sizeof(*names));
		names[(*n)++] = xstrdup(d->d_name);
	}
	if (errno != 0)
		fault(w, strerror(errno));     /* what comes behind is not read */
	closedir(dir);
	if (*n > 1)
		qsort(names, *n, sizeof(*names), by_text);
	return names;
}

static void
pass(struct walk *w, const char *why)
{
	w->calls->passed(w->calls->arg, w->path.data, why);
}

static int walk_directory(struct walk *w, enum place place, struct err *err);

/* Whether the walk's directory is read as a whole. */
static bool
takes_storage(struct walk *w)
{
	return (w->from == NULL || strcmp(w->from->name, "opencode") == 0) &&
	    opencode_storage_is(w->path.data);
}

/*
 * Walks the directory called name at the walk's path, which lies in one that place describes, if it
 * is to be read.
 */
static int
walk_into(struct walk *w, const char *name, enum place place, struct err *err)
{
	enum place inner = place == MAILDIR && holds_messages(name) ? MESSAGES : place_of(w);

	if (takes_storage(w))
		return w->calls->file(w->calls->arg, w->path.data, err);
	if (!from_enters(w->from, name)) {
		pass(w, "its name is not that of a transcript");
		return 0;
	}
	if (w->depth >= DEPTH_MOST || (place == MAILDIR && strcmp(name, "tmp") == 0) ||
	    (is_hidden(name) && inner != MAILDIR))
		return 0;
	return walk_directory(w, inner, err);
}

/* ---- one file ---- */

/*
 * Whether a file of that name lies beside the file at the walk's path, whose name begins at stem.
 */
static bool
has_beside(const struct walk *w, size_t stem, const char *name)
{
	LOCAL(buf) beside = buf_of(PATH_BYTES);

	buf_addf(&beside, "%.*s/%s", (int)stem, w->path.data, name);
	return zip_has(beside.data);
}

/*
 * Whether the name of the file at the walk's path is that of a transcript. Kimi's log of events,
 * and what Cline sent to the model, repeat the conversation that lies beside them, where one does.
 */
static bool
is_named_so(struct walk *w, const char *name, size_t stem)
{
	bool is = from_takes(w->from, name);

	if (is && strcmp(name, "wire.jsonl") == 0)
		return !has_beside(w, stem, "context.jsonl");
	if (strcmp(name, "api_conversation_history.json") == 0 &&
	    (w->from == NULL || strcmp(w->from->name, "cline") == 0))
		return !has_beside(w, stem, "ui_messages.json");
	return is;
}

static bool
ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);

	return len > n && strcasecmp(name + len - n, end) == 0;
}

/* Whether transcripts in text may have such a name, packed or not. */
static bool
may_be_text(const char *name)
{
	static const char *const packed[] = { ".gz", ".zst", ".zstd" };
	const struct turns_form *form;
	char bare[256];

	snprintf(bare, sizeof(bare), "%s", name);
	for (size_t i = 0; i < NELEM(packed); i++)
		if (ends_with(bare, packed[i]))
			bare[strlen(bare) - strlen(packed[i])] = '\0';
	for (size_t i = 0; (form = turns_form(i)) != NULL; i++)
		for (size_t k = 0; k < NELEM(form->ends) && form->ends[k] != NULL; k++)
			if (ends_with(bare, form->ends[k]))
				return true;
	return false;
}

/*
 * Whether the file lies in an export of an assistant, beside its conversations or in a directory
 * there, and is none of them.
 */
static bool
is_beside_conversations(const struct walk *w, const char *name, size_t stem)
{
	size_t above = stem;

	if (strncmp(name, "conversations", 13) == 0)
		return false;
	while (above > 0 && w->path.data[above - 1] != '/')
		above--;
	for (int i = 0; i < 2; i++, stem = above > 0 ? above - 1 : 0)
		if (stem > 0 && (has_beside(w, stem, "conversations.json") ||
			has_beside(w, stem, "conversations-000.json")))
			return true;
	return false;
}

/*
 * Decides by the first bytes of a file, which named says may be a transcript by its name; only:
 * NULL, or the form that it is to have. NULL: it is read; else why it is not.
 */
static const char *
look(struct walk *w, const char *name, size_t stem, bool named, const char *only)
{
	static const char not_one[] = "it is no transcript of a form that is known";
	struct err err = ERR_INIT;

	buf_reset(&w->look);
	/* what is wrong with a file that should be read is told when it is */
	if (gz_add_file(w->path.data, &w->look, &err) != 0 && w->look.len == 0)
		return named ? NULL : "it cannot be read";
	err_clear(&err);
	size_t len = utf8_bom(w->look.data, w->look.len);
	const char *head = w->look.data + len;
	len = w->look.len - len;
	const char *format = detect_format(head, len, name, &err);
	bool any = format == NULL || strcmp(format, "json") == 0 || strcmp(format, "ndjson") == 0;
	if (!named)
		return any || (only != NULL && strcmp(format, only) != 0) ? not_one : NULL;
	if (only != NULL)
		return NULL;
	if (format == NULL && detect_is_aside(head, len))
		return not_one;
	if (any && is_beside_conversations(w, name, stem))
		return "it lies beside conversations, and is none";
	return NULL;
}

/* Why the file at the walk's path is not read; NULL: it is. */
static const char *
why_not(struct walk *w, const char *name, size_t stem)
{
	bool named = is_named_so(w, name, stem);

	if (named ? db_rows_format(name) == NULL : may_be_text(name))
		return look(w, name, stem, named, w->from != NULL ? w->from->name : NULL);
	return named ? NULL : "its name is not that of a transcript";
}

/* The file at the walk's path, whose name begins behind stem. */
static int
take_file(struct walk *w, const char *name, size_t stem, bool message, struct err *err)
{
	bool taken = false;

	if (!message && w->calls->document != NULL && document_form(name) != DOCUMENT_NONE) {
		if (w->calls->document(w->calls->arg, w->path.data, &taken, err) != 0)
			return -1;
		if (taken)
			return 0;
	}
	const char *why = message ? NULL : why_not(w, name, stem);
	if (why == NULL)
		return w->calls->file(w->calls->arg, w->path.data, err);
	if (name[0] != '.')
		pass(w, why);
	return 0;
}

/* ---- archives ---- */

/*
 * Whether the member, whose own name is that, lies where a Maildir has its messages. An archive
 * may lack the empty directories by which one is known elsewhere: what is a mail there is one.
 */
static bool
lies_in_maildir(const struct walk *w, const char *member, const char *name)
{
	char directory[4] = "";

	if (name - member < 4 || (name - member > 4 && name[-5] != '/') || name[-1] != '/')
		return false;
	memcpy(directory, name - 4, 3);
	return holds_messages(directory) && (w->from == NULL || strcmp(w->from->name, "mail") == 0);
}

/*
 * Why the member at the walk's path is not walked; NULL: it is. One that is hidden is left out as
 * in a directory, but where it is a transcript that is a fault, as is a name that leads out of the
 * archive, or would on another system: whoever packed it wants it read.
 */
static const char *
left_out(struct walk *w, const char *member, bool in_maildir, bool *is_fault)
{
	const char *part = member, *end, *why = NULL;
	char name[256];

	for (;; part = end + 1) {
		end = part + strcspn(part, "/\\");
		snprintf(name, sizeof(name), "%.*s", (int)(end - part), part);
		*is_fault = true;
		if (name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
		    (part == member && name[0] != '\0' && strcmp(name + 1, ":") == 0))
			return "its name is no path inside the archive: not read";
		/* a folder of a Maildir, of which "cur" or "new" is left, is hidden, and read */
		if (is_hidden(name) && !(in_maildir && *end != '\0' && strcspn(end + 1, "/") == 3 &&
		    strchr(end + 5, '/') == NULL))
			why = "hidden, so it is not read: unpack it, and name it";
		if (*end == '\0')
			break;
		*is_fault = false;
		if (!from_enters(w->from, name))
			return "its directory's name is not that of a transcript";
	}
	if (why != NULL && why_not(w, part, w->path.len - strlen(part) - 1) != NULL) {
		*is_fault = false;
		why = "it is hidden";
	}
	return why;
}

/* Takes the i-th member, at the walk's path; *left bytes may still be read of the archive. */
static int
take_member(struct walk *w, const struct zip_entry *e, size_t i, uint64_t *left, struct err *err)
{
	const char *name = path_base(e[i].name), *not_read;
	bool is_fault, in_maildir;

	in_maildir = lies_in_maildir(w, e[i].name, name);
	if (w->path.full)
		fault(w, "a name that is too long");
	else if ((not_read = left_out(w, e[i].name, in_maildir, &is_fault)) != NULL)
		(is_fault ? fault : pass)(w, not_read);
	else if (i > 0 && strcmp(e[i].name, e[i - 1].name) == 0)
		fault(w, "a second member of this name");
	else if (e[i].opened)
		return 0;                      /* its members are walked */
	else if (ends_with(name, ".zip"))
		fault(w, e[i].in != NULL ? "an archive in an archive in an archive: unpack it"
		    : "an archive in an archive that cannot be read: unpack the outer one");
	else if (e[i].size > *left)
		fault(w, "over file_bytes, with what was read of this archive before");
	else if (e[i].encrypted && (from_takes(w->from, name) || may_be_text(name) ||
		     document_form(name) != DOCUMENT_NONE || in_maildir))
		fault(w, "encrypted: unpack the archive with its password");
	else {
		size_t at = w->path.len - strlen(name) - 1;

		*left -= e[i].size;
		return take_file(w, name, at,
		    in_maildir && look(w, name, at, false, "mail") == NULL, err);
	}
	return 0;
}

static int
walk_archive(struct walk *w, struct err *err)
{
	size_t n, stem = w->path.len;
	uint64_t left = conf_caps.file_bytes;
	struct err why = ERR_INIT;
	char text[80];
	struct zip *z;
	int rc = 0;

	if (zip_open(w->path.data, &z, &why) != 0) {
		w->calls->fault(w->calls->arg, &why);
		return 0;
	}
	const struct zip_entry *e = zip_entries(z, &n);
	for (size_t i = 0; i < n && rc == 0; i++) {
		w->path.len = stem;
		w->path.full = false;
		buf_addf(&w->path, "/%s", e[i].name);
		/* what the Finder packs beside each file is no file of anybody's */
		if (strncmp(e[i].name, "__MACOSX/", 9) != 0 &&
		    (e[i].in == NULL || strstr(e[i].name, ".zip/__MACOSX/") == NULL))
			rc = take_member(w, e, i, &left, err);
	}
	w->path.len = stem;
	w->path.data[stem] = '\0';
	if (zip_is_cut(z)) {
		snprintf(text, sizeof(text),
		    "a zip archive that is cut short: %zu files are found in it", n);
		fault(w, text);
	}
	zip_close(z);
	zip_forget();
	return rc;
}

/* ---- directories ---- */

static int
walk_directory(struct walk *w, enum place place, struct err *err)
{
	size_t n, stem = w->path.len;
	FREED char **names = names_in(w, place == MAILDIR, &n);
	int rc = 0;

	w->depth++;
	for (size_t i = 0; i < n; i++) {
		struct stat st;

		w->path.len = stem;
		if (w->path.data[stem - 1] != '/')
			buf_addc(&w->path, '/');
		buf_adds(&w->path, names[i]);
		if (rc == 0 && lstat(w->path.data, &st) != 0) {
			if (errno != ENOENT)       /* it went meanwhile */
				fault(w, strerror(errno));
		} else if (rc == 0) {
			if (S_ISDIR(st.st_mode))
				rc = walk_into(w, names[i], place, err);
			else if (S_ISREG(st.st_mode) && ends_with(names[i], ".zip") &&
			    zip_is(w->path.data))
				rc = walk_archive(w, err);
			else if (S_ISREG(st.st_mode))
				rc = take_file(w, names[i], stem, place == MESSAGES, err);
		}
		free(names[i]);
	}
	w->depth--;
	w->path.len = stem;
	w->path.data[stem] = '\0';
	return rc;
}

int
walk_each(const char *path, const struct from *from, const struct walk_calls *calls,
	struct err *err)
{
	struct walk all = { .from = from, .calls = calls }, *w = &all;
	struct stat st;
	bool is_there = strcmp(path, "-") != 0 && stat(path, &st) == 0,
	     is_archive = is_there && S_ISREG(st.st_mode) && zip_is(path);
	int rc;

	*calls->walking = is_archive || (is_there && S_ISDIR(st.st_mode));
	if (!*calls->walking)
		return calls->file(calls->arg, path, err);
	buf_init(&w->look, LOOK_BYTES);
	buf_init(&w->path, PATH_BYTES);
	buf_adds(&w->path, path);
	if (is_archive)
		rc = walk_archive(w, err);
	else if (takes_storage(w))
		rc = calls->file(calls->arg, path, err);
	else
		rc = walk_directory(w, place_of(w), err);
	buf_release(&w->look);
	buf_release(&w->path);
	return rc;
}
