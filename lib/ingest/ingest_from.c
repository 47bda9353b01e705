/*
 * ingest_from.c: a table of what the program must know of each format, and the running of maps.
 * State, file and line reach a map as one array, [state, file, line], so that nothing is compiled
 * or bound anew for each line.
 */
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/embedded.h"
#include "base/gz.h"
#include "base/hash.h"
#include "base/order.h"
#include "base/span.h"
#include "formats/turns.h"
#include "ingest/beside.h"
#include "ingest/ingest_db.h"
#include "ingest/ingest_from.h"
#include "gen/formats_rows.h"

#define MAP_BYTES_MOST (1u << 20)          /* the longest map */

enum { UNITS, LINES, REPEATED_LINES };     /* of lines and repeats of struct from */

/* Text formats have no row here: format_find makes theirs of the table of readers. */
static const struct format {
	const char *name;
	enum from_kind kind;
	uint8_t lines;
	struct from_names names;
} formats[] = { FORMATS_NAMES };

/* The format of this name; the last row for a name that C knows nothing of. */
static struct format
format_find(const char *name)
{
	const struct turns_form *text;
	size_t i;

	for (i = 0; (text = turns_form(i)) != NULL; i++)
		if (strcmp(text->name, name) == 0) {
			struct format format = { .name = text->name, .kind = FROM_TURNS };

			memcpy(format.names.ends, text->ends, sizeof(text->ends));
			return format;
		}
	for (i = 0; i + 1 < NELEM(formats); i++)
		if (strcmp(formats[i].name, name) == 0)
			break;
	return formats[i];
}

/* ---- opening ---- */

/*
 * What all maps have: records of what is not stored (ingest_from.h), and of a list of parts those
 * with words in them whose type is no key of known, and those of text without any.
 */
static const char given[] =
	"def aside: {type: \"aside\"}; def unread($kind): {type: \"unread\", kind: $kind}; "
	"def unread_parts(known): if type == \"string\" then empty else .[]? end"
	" | objects | (.type // .kind) as $type"
	" | if $type == \"text\" then"
	"   if has(\"text\") or has(\"data\") or has(\"content\") then empty"
	"   else unread(\"text without words\") end"
	" elif known[\"\\($type)\"] then empty"
	" else select([.. | strings | select(test(\"\\\\S\\\\s+\\\\S\"))] != [])"
	"   | unread(\"part \\($type)\") end; ";

/*
 * Compiles the map at its first line: a run that finds nothing new in its files should not pay for
 * it.
 */
static int
compile_map(struct from *f, struct err *err)
{
	if (f->program != NULL)
		return 0;
	/*
	 * the closing parenthesis stands on a line of its own, because the map may end with a
	 * comment
	 */
	LOCAL(buf) b = buf_of(MAP_BYTES_MOST + 4096);
	buf_adds(&b, given);
	buf_adds(&b,
	    "if length != 3 then error(\"more than one JSON value\") else .[0] as $state | .[1] as "
	    "$file | .[2] | (\n");
	buf_add(&b, f->text, f->text_len);
	buf_adds(&b, "\n) end");
	return jq_compile_text(b.data, f->name, NULL, &f->program, err);
}

static int
set_map(struct from *f, const char *text, size_t len, struct err *err)
{
	if (len > MAP_BYTES_MOST)
		return err_set(err, ERR_CONFIG, "%s: a map of more than %u bytes", f->name,
		    MAP_BYTES_MOST);
	f->kind = FROM_MAP;
	f->text = xstrndup(text, len);
	f->text_len = len;
	f->plan = json_plan_read(f->text);
	f->kinds = json_plan_line(f->text, "# kind:");
	f->hash = hash64(text, len, 1);
	return 0;
}

/* Reads the user's own NAME.jq into text. Returns as gz_add_if_there. */
static int
read_own_map(const char *name, struct buf *text, struct err *err)
{
	const char *home = getenv("XDG_CONFIG_HOME");
	int rc = 0;
	LOCAL(buf) path = buf_of(1u << 16);

	if (home != NULL && home[0] == '/')
		buf_addf(&path, "%s/mem/from/%s.jq", home, name);
	else if ((home = getenv("HOME")) != NULL && home[0] == '/')
		buf_addf(&path, "%s/.config/mem/from/%s.jq", home, name);
	if (path.len > 0)
		rc = gz_add_if_there(path.data, text, err);
	return rc;
}

static bool
name_is_plain(const char *name)
{
	return name[0] != '\0' && name[0] != '-' && strlen(name) < 64 &&
	    strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
	    strlen(name);
}

void
from_names(struct buf *out, const char *between)
{
	static const char head[] = "schema/from/";
	const struct turns_form *text;

	buf_adds(out, "auto");
	for (size_t i = 0; i < NELEM(formats); i++)
		if (formats[i].kind != FROM_MAP)
			buf_addf(out, "%s%s", between, formats[i].name);
	for (size_t i = 0; (text = turns_form(i)) != NULL; i++)
		buf_addf(out, "%s%s", between, text->name);
	for (const struct embedded *e = embedded_files; e->name != NULL; e++) {
		const char *name = e->name + sizeof(head) - 1;

		/* a database has a file of statements besides */
		if (strncmp(e->name, head, sizeof(head) - 1) == 0 &&
		    strcmp(name + strcspn(name, "."), ".jq") == 0)
			buf_addf(out, "%s%.*s", between, (int)strcspn(name, "."), name);
	}
}

static int
set_no_format(const char *name, struct err *err)
{
	LOCAL(buf) b = buf_of(sizeof(err->msg));

	from_names(&b, ", ");
	return err_set(err, ERR_USAGE,
	    "no format '%s': there are %s, and NAME.jq files of your own", name, b.data);
}

static struct from *
from_new(const char *name, struct format format)
{
	struct from *f = xcalloc(1, sizeof(*f));

	f->name = xstrdup(name);
	f->kind = format.kind;
	f->lines = format.lines != UNITS;
	f->repeats = format.lines == REPEATED_LINES;
	f->names = format.names;
	return f;
}

int
from_open(const char *name, struct from **out, struct err *err)
{
	struct format format = format_find(name);
	const struct embedded *built_in;
	struct from *f = NULL;
	char path[128];
	int got, rc = -1;

	if (!name_is_plain(name))
		return set_no_format(name, err);
	LOCAL(buf) text = buf_of(MAP_BYTES_MOST + 8192);
	if ((got = read_own_map(name, &text, err)) < 0)
		goto out;
	f = from_new(name, format);
	snprintf(path, sizeof(path), "schema/from/%s.jq", name);
	if (got > 0) {
		rc = set_map(f, text.data, text.len, err);
	} else if (format.kind != FROM_MAP) {
		rc = 0;
	} else if ((built_in = embedded_find(path)) != NULL) {
		rc = set_map(f, built_in->text, built_in->len, err);
	} else {
		rc = set_no_format(name, err);
	}
out:
	if (rc != 0)
		from_close(f);
	else
		*out = f;
	return rc;
}

int
from_open_map(const char *map, struct from **out, struct err *err)
{
	struct stat st;
	int rc = 0;
	LOCAL(buf) text = buf_of(MAP_BYTES_MOST + 8192);

	if (stat(map, &st) == 0 && !S_ISDIR(st.st_mode))
		rc = gz_add_file(map, &text, err);
	else
		buf_adds(&text, map);
	if (rc == 0) {
		struct from *f = from_new("map", format_find(""));
		rc = set_map(f, text.data, text.len, err) == 0 ? compile_map(f, err) : -1;
		if (rc != 0)
			from_close(f);
		else
			*out = f;
	}
	return rc;
}

void
from_close(struct from *f)
{
	if (f == NULL)
		return;
	jq_free(f->program);
	json_plan_free(f->plan);
	free(f->kinds);
	free(f->text);
	free(f->name);
	free(f);
}

/* ---- files of a format ---- */

/*
 * Whether a file is one that agents keep beside their conversations: it repeats them, or holds
 * none.
 */
static bool
is_side_file(const char *file_name)
{
	static const char *const names[] = { "api_conversation_history.json", "task_metadata.json",
		"taskHistory.json", "sessions.json", "settings.json", "package.json",
		"package-lock.json", "tsconfig.json" };

	return text_index(file_name, names, NELEM(names)) >= 0;
}

/* OpenClaw's copies of what the model saw, beside the session that says it all. */
static bool
is_checkpoint(const char *file_name)
{
	return strstr(file_name, ".checkpoint.") != NULL;
}

bool
from_takes(const struct from *f, const char *file_name)
{
	const struct from_names names = f != NULL ? f->names : format_find("").names;
	size_t len = strlen(file_name);
	bool starts = names.starts[0] == NULL, ends = false;
	const char *of_database = db_rows_format(file_name);

	if (of_database != NULL)
		return f == NULL || strcmp(f->name, of_database) == 0;
	if (is_checkpoint(file_name))
		return false;
	if (span_ends(file_name, len, ".gz"))
		len -= 3;
	else if (span_ends(file_name, len, ".zst"))
		len -= 4;
	else if (span_ends(file_name, len, ".zstd"))
		len -= 5;
	for (size_t i = 0; i < NELEM(names.starts) && names.starts[i] != NULL; i++)
		starts |= strncmp(file_name, names.starts[i], strlen(names.starts[i])) == 0;
	for (size_t i = 0; i < NELEM(names.ends) && names.ends[i] != NULL; i++)
		ends |= span_ends(file_name, len, names.ends[i]);
	return starts && ends && (f != NULL || !is_side_file(file_name));
}

bool
from_enters(const struct from *f, const char *dir_name)
{
	/* without a format given, directories of side files are left out as well */
	const struct from_names names = f != NULL ? f->names : format_find("claude-code").names;

	for (size_t i = 0; i < NELEM(names.skips) && names.skips[i] != NULL; i++)
		if (strcmp(dir_name, names.skips[i]) == 0)
			return false;
	return strcmp(dir_name, "node_modules") != 0;
}

/* ---- running ---- */

void
from_place_init(struct from_place *p)
{
	*p = (struct from_place){ .name = "", .session = "", .directory = "" };
	buf_init(&p->people, SIZE_MAX / 4);
	buf_init(&p->beside, SIZE_MAX / 4);
	buf_init(&p->parents, SIZE_MAX / 4);
	buf_init(&p->state, conf_caps.output_bytes);
	buf_init(&p->input, SIZE_MAX / 4);
	buf_adds(&p->state, "null");
}

void
from_place_release(struct from_place *p)
{
	buf_release(&p->people);
	buf_release(&p->beside);
	buf_release(&p->parents);
	buf_release(&p->state);
	buf_release(&p->input);
}

void
from_look_beside(const struct from *f, struct from_place *p)
{
	buf_reset(&p->beside);
	buf_reset(&p->parents);
	if (f->text == NULL || strcmp(p->name, "-") == 0)
		return;
	beside_read(f->text, p->name, p->directory, &p->beside);
	beside_parents(f->text, p->name, &p->parents);
}

int
from_run(struct from *f, struct from_place *p, const char *line, size_t len, struct arena *a,
	jq_fn *fn, void *arg, struct err *err)
{
	struct buf *b = &p->input;
	const struct json *ignored;

	if (compile_map(f, err) != 0)
		return -1;
	buf_reset(b);
	json_array_open(b, NULL);
	buf_add(b, p->state.data, p->state.len);
	buf_addc(b, ',');
	json_open(b);
	json_str(b, "name", p->name);
	json_str(b, "session", p->session);
	json_str(b, "directory", p->directory);
	json_key(b, "line");
	/* what a map names after its line is told apart by a fraction that no map rounds */
	buf_addf(b, "%.17g", (double)p->line + p->in_line / 65536.0);
	if (p->people.len > 0)
		json_raw(b, "people", p->people.data, p->people.len);
	if (p->line <= 1 && p->beside.len > 0)
		json_raw(b, "beside", p->beside.data, p->beside.len);
	if (p->line <= 1 && p->parents.len > 0)
		json_raw(b, "parents", p->parents.data, p->parents.len);
	if (p->piece != NULL) {
		json_object_open(b, "piece");
		json_int(b, "first", (int64_t)p->piece->first);
		json_bool(b, "last", p->piece->is_last);
		json_str(b, "branch", p->piece->branch);
		json_close(b);
	}
	json_close(b);
	buf_addc(b, ',');
	buf_add(b, line, len);
	json_array_close(b);
	if (jq_run_buf(f->program, b, a, fn, arg, err) == 0)
		return 0;
	/*
	 * when the line itself is not JSON, the error should name the place of the fault in the
	 * line, not in the array
	 */
	if (err != NULL && err->code == ERR_DATA) {
		struct err own = ERR_INIT;

		if (json_parse(line, len, a, &ignored, &own) != 0)
			*err = own;
	}
	return -1;
}
