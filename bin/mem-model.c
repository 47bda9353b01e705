/* mem-model: get published weights, make models of them, list, show and verify models */
#include <unistd.h>

#include "base/alloc.h"
#include "base/embedded.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "cli/programs.h"
#include "embed/model_record.h"
#include "json/json.h"
#include "model/convert.h"
#include "model/model_path.h"
#include "gen/programs.h"

#define NAME_COLUMNS 25
#define KEY_COLUMNS  14

static const char *out_path, *from_dir, *speaker, *identifiers;
static struct convert_options options = { .speaker = -1, .identifiers = -1 };
static int64_t max_tokens;

static const struct prog_opt opts[] = {
	{ 'o', "output", "FILE", OPT_TEXT, &out_path, NULL, 0, 0, "where the model goes: convert FILE, get DIR" },
	{ 0, "from", "DIR", OPT_TEXT, &from_dir, NULL, 0, 0, "get: the weights are in DIR already" },
	{ 0, "float32", NULL, OPT_FLAG, &options.float32, NULL, 0, 0, "the reference form: large and slow, for tests" },
	{ 0, "name", "NAME", OPT_TEXT, &options.name, NULL, 0, 0, "the model's name (default: the file's)" },
	{ 0, "licence", "TEXT", OPT_TEXT, &options.licence, NULL, 0, 0, "of the weights" },
	{ 0, "query-prefix", "TEXT", OPT_TEXT, &options.query_prefix, NULL, 0, 0, "what goes before a question" },
	{ 0, "passage-prefix", "TEXT", OPT_TEXT, &options.passage_prefix, NULL, 0, 0, "what goes before any other text" },
	{ 0, "speaker", "HOW", OPT_TEXT, &speaker, NULL, 0, 0, "none, or said: who spoke goes before what was said" },
	{ 0, "identifiers", "HOW", OPT_TEXT, &identifiers, NULL, 0, 0, "whole, or words: getUserName is read as get User Name" },
	{ 0, "max-tokens", "N", OPT_INT, &max_tokens, NULL, 3, 1 << 16, "longest input" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_MODEL };

/* ---- one model, for programs and for people ---- */

static void
record_model(struct buf *out, const struct modelfile *f, const char *path)
{
	json_open(out);
	model_record_keys(out, f, path);
	json_end(out);
}

static void
text_key(struct buf *out, const char *key)
{
	buf_addf(out, "%-*s", KEY_COLUMNS, key);
}

static void
text_value(struct buf *out, const char *key, const char *value)
{
	if (*value == '\0')
		return;
	text_key(out, key);
	print_line(out, value, strlen(value), 1000);
	buf_addc(out, '\n');
}

static void
text_model(struct buf *out, const struct modelfile *f, const char *path)
{
	const struct model_info *i = &f->info;
	char hex[SHA256_TEXT];

	text_value(out, "name", i->name);
	text_value(out, "path", path);
	text_value(out, "licence", i->licence);
	text_key(out, "size");
	buf_add_size(out, (int64_t)i->n_bytes);
	buf_addf(out, ", %s\n", i->quantised ? "8-bit weights" : "float32");
	text_key(out, "encoder");
	buf_addf(out, "%u dimensions, %u layers, %u heads, %u inner\n", i->n_dims, i->n_layers,
	    i->n_heads, i->n_inner);
	text_key(out, "input");
	buf_addf(out, "%u tokens, of ", i->max_tokens);
	buf_add_count(out, i->n_vocab);
	buf_adds(out,
	    f->tokenizer.kind == TOKENIZER_WORDPIECE ? ", WordPiece\n"
						     : ", SentencePiece unigram\n");
	text_value(out, "question", i->query_prefix);
	text_value(out, "passage", i->passage_prefix);
	text_value(out, "speaker", model_speaker_name(i->speaker));
	text_value(out, "identifiers", model_identifiers_name(i->identifiers));
	text_key(out, "unrelated");
	buf_addf(out, "%.3f%s\n", (double)i->unrelated,
	    f->centre != NULL ? ", codes are centred" : "");
	text_value(out, "identity", hex_format(i->sha256, SHA256_BYTES, hex));
	text_value(out, "made from", hex_format(i->source_sha256, SHA256_BYTES, hex));
}

static void
put_model(const struct modelfile *f, const char *path)
{
	if (prog_for_people())
		text_model(prog_out(), f, path);
	else
		record_model(prog_out(), f, path);
	prog_flush_soon();
}

/* ---- list ---- */

static void
text_row(struct buf *out, const struct modelfile *f, const char *path)
{
	print_cell(out, f->info.name, strlen(f->info.name),
	    MAX(NAME_COLUMNS, (int)strlen(f->info.name)), 1);
	buf_add_size(out, (int64_t)f->info.n_bytes);
	buf_adds(out, "  ");
	print_line(out, path, strlen(path), 1000);
	buf_addc(out, '\n');
}

/* A file that is no model is reported, and the listing goes on. */
static int
list_one(void *arg, const char *name, const char *path)
{
	struct err err = ERR_INIT;
	struct modelfile f;

	(void)name;
	*(bool *)arg = true;
	if (modelfile_open(&f, path, &err) != 0) {
		prog_warn("%s", err.msg);
		return 0;
	}
	if (prog_for_people())
		text_row(prog_out(), &f, path);
	else
		record_model(prog_out(), &f, path);
	modelfile_close(&f);
	return 0;
}

static void
list_all(void)
{
	bool any = false;

	model_each(list_one, &any);
	if (!any)
		prog_note("there is none: 'mem model get' gets one");
}

/* ---- show, verify ---- */

static int
show_one(const char *name, bool verify, struct err *err)
{
	char path[MODEL_PATH_BYTES], here[MODEL_PATH_BYTES];
	struct modelfile f;

	/*
	 * A file in this directory whose name has a dot is preferred to a model of that name:
	 * 'mem-model show *.model'.
	 */
	snprintf(here, sizeof(here), "./%s", name);
	if ((strchr(name, '.') == NULL || strchr(name, '/') != NULL ||
		model_find(here, path, sizeof(path), NULL) != 0) &&
	    model_find(name, path, sizeof(path), err) != 0)
		return -1;
	if (modelfile_open(&f, path, err) != 0)
		return -1;
	int rc = verify ? modelfile_verify(&f, err) : 0;
	if (rc == 0)
		put_model(&f, path);
	modelfile_close(&f);
	return rc;
}

/*
 * Without names, shows the model that would be used. Goes on after a bad one; the exit status is
 * that of the first error.
 */
static void
show_all(char **names, int n, bool verify, struct err *err)
{
	if (n == 0)
		show_one(conf_text("model"), verify, err);
	for (int i = 0; i < n; i++) {
		struct err one = ERR_INIT;

		if (show_one(names[i], verify, &one) == 0)
			continue;
		if (err->code == 0)
			*err = one;
		else
			prog_warn("%s", one.msg);
	}
}

/* ---- convert ---- */

static int
convert(char **from, int n, struct err *err)
{
	struct modelfile f;

	if (n != 1)
		return err_set(err, ERR_USAGE, "convert: one directory or file of weights");
	if (out_path == NULL)
		return err_set(err, ERR_USAGE, "convert: where to? -o FILE");
	if (speaker != NULL && strcmp(speaker, "none") != 0 && strcmp(speaker, "said") != 0)
		return err_set(err, ERR_USAGE, "--speaker: none or said, not '%s'", speaker);
	if (speaker != NULL)
		options.speaker = strcmp(speaker, "said") == 0 ? SPEAKER_SAID : SPEAKER_NONE;
	if (identifiers != NULL && strcmp(identifiers, "whole") != 0 &&
	    strcmp(identifiers, "words") != 0)
		return err_set(err, ERR_USAGE, "--identifiers: whole or words, not '%s'",
		    identifiers);
	if (identifiers != NULL)
		options.identifiers =
		    strcmp(identifiers, "words") == 0 ? IDENTIFIERS_WORDS : IDENTIFIERS_WHOLE;
	options.max_tokens = (uint32_t)max_tokens;
	/* the vocabulary of a multilingual model is a JSON text of 750,000 values */
	if (conf_int("json_values") < 8000000 && conf_set("json_values", "8000000", err) != 0)
		return -1;
	if (convert_model(from[0], out_path, &options, err) != 0 ||
	    modelfile_open(&f, out_path, err) != 0)
		return -1;
	put_model(&f, out_path);
	modelfile_close(&f);
	return 0;
}

/* ---- get ---- */

/* Where the models go: into -o, else where model_find looks first. */
static const char *
models_dir(struct err *err)
{
	const char *dir = out_path != NULL ? out_path : conf_text("models");

	if (*dir == '\0')
		dir = conf_data_path("mem/models");
	if (*dir == '\0')
		err_set(err, ERR_CONFIG, "get: where to? -o DIR, or set HOME");
	return *dir == '\0' ? NULL : dir;
}

/*
 * Runs the script that fetches, in place of this program; it runs this program again to convert.
 * Returns only when that fails.
 */
static int
get(char **names, int n, struct err *err)
{
	const char *script = embedded_find("schema/get-model.sh")->text, *dir = models_dir(err);
	char converter[16], dir_of_ours[MODEL_PATH_BYTES], self[MODEL_PATH_BYTES + 16];
	FREED char **args = xcalloc((size_t)n + 10, sizeof(*args));
	size_t k;

	if (dir == NULL)
		return -1;
	/* not its own file, which may hold all programs */
	snprintf(self, sizeof(self), "%s/mem-model",
	    programs_dir(dir_of_ours, sizeof(dir_of_ours), ""));
	snprintf(converter, sizeof(converter), "%d", CONVERT_VERSION);
	const char *const first[] = { "sh", "-c", script, "get-model",
		self, dir, converter, from_dir != NULL ? from_dir : "",
		prog_for_people() ? "" : "-j" };
	for (k = 0; k < NELEM(first); k++)
		args[k] = (char *)(uintptr_t)first[k];
	memcpy(args + k, names, (size_t)n * sizeof(*names));
	execv("/bin/sh", args);
	return err_set_errno(err, ERR_IO, "cannot run /bin/sh");
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	int i = prog_start(&prog, argc, argv), n = argc - i - 1;
	const char *verb = i < argc ? argv[i] : "";

	if (strcmp(verb, "convert") == 0)
		convert(argv + i + 1, n, &err);
	else if (strcmp(verb, "get") == 0)
		get(argv + i + 1, n, &err);
	else if (out_path != NULL || speaker != NULL || identifiers != NULL || max_tokens != 0 ||
	    options.float32 || options.name != NULL || options.licence != NULL ||
	    options.query_prefix != NULL || options.passage_prefix != NULL)
		err_set(&err, ERR_USAGE, "these options are for convert and get");
	else if (strcmp(verb, "list") == 0 && n == 0)
		list_all();
	else if (strcmp(verb, "show") == 0 || strcmp(verb, "verify") == 0)
		show_all(argv + i + 1, n, strcmp(verb, "verify") == 0, &err);
	else
		err_set(&err, ERR_USAGE,
		    "one of: get [NAME ...], convert DIR|FILE -o OUT, list, "
		    "show [NAME|FILE ...], verify [NAME|FILE ...]");
	return prog_end(&err);
}
