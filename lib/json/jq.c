/*
 * jq.c: runs jq programs that users write. json.c reads a text, libjq runs the program on a
 * copy of its tree, and each result is copied into the caller's arena. JSON that no program works
 * on is read without libjq, so a command without programs does not even load it.
 *
 * Members keep the order of the text: libjq fills the slots of an object one after the other, keeps
 * that order when the object grows, and jv_object_iter() walks the slots.
 */
#include <jv.h>
#include <jq.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "json/json.h"
#include "json/json_check.h"

/* a text beyond this is freed before a program runs on it */
#define LONG_TEXT (1u << 20)

/* Without this, libjq 1.6 calls what stands in memory by chance. */
static void
no_memory(void *arg)
{
	(void)arg;
	free(xreallocarray(NULL, SIZE_MAX, 2));        /* never comes back */
}

/* ---- trees and jv ---- */

static const char *
copy_string(jv s, struct arena *a, size_t *len)
{
	*len = (size_t)jv_string_length_bytes(jv_copy(s));
	return arena_strndup(a, jv_string_value(s), *len);
}

static const char too_deep[] = "nested too deep", with_nul[] = "a text with a NUL character in it";

static const char *
has_nul(const char *s, size_t len)
{
	return memchr(s, '\0', len) != NULL ? with_nul : NULL;
}

static const char *tree_from_jv(jv v, struct arena *a, unsigned depth, struct json *out);

static const char *
tree_from_array(jv v, struct arena *a, unsigned depth, struct json *out)
{
	size_t n = (size_t)jv_array_length(jv_copy(v));
	struct json *items = arena_alloc(a, n * sizeof(*items));
	const char *wrong = NULL;

	out->kind = JSON_ARRAY;
	out->len = n;
	out->u.items = items;
	for (size_t i = 0; i < n && wrong == NULL; i++) {
		jv item = jv_array_get(jv_copy(v), (int)i);
		wrong = tree_from_jv(item, a, depth, &items[i]);
		jv_free(item);
	}
	return wrong;
}

static const char *
tree_from_object(jv v, struct arena *a, unsigned depth, struct json *out)
{
	size_t n = (size_t)jv_object_length(jv_copy(v)), i = 0;
	struct json_member *members = arena_alloc(a, n * sizeof(*members));
	const char *wrong = NULL;

	out->kind = JSON_OBJECT;
	out->len = n;
	out->u.members = members;
	for (int it = jv_object_iter(v); jv_object_iter_valid(v, it) && i < n && wrong == NULL;
	     it = jv_object_iter_next(v, it), i++) {
		jv key = jv_object_iter_key(v, it);
		jv value = jv_object_iter_value(v, it);

		members[i].key = copy_string(key, a, &members[i].key_len);
		wrong = has_nul(members[i].key, members[i].key_len);
		if (wrong == NULL)
			wrong = tree_from_jv(value, a, depth, &members[i].value);
		jv_free(key);
		jv_free(value);
	}
	return wrong;
}

/*
 * Copies v into the tree out. Returns NULL, or what is wrong with it: a jq program can make values
 * that no text may hold. Borrows v.
 */
static const char *
tree_from_jv(jv v, struct arena *a, unsigned depth, struct json *out)
{
	out->len = 0;
	switch (jv_get_kind(v)) {
	case JV_KIND_FALSE:
		out->kind = JSON_FALSE;
		return NULL;
	case JV_KIND_TRUE:
		out->kind = JSON_TRUE;
		return NULL;
	case JV_KIND_NUMBER:
		out->kind = JSON_NUMBER;
		out->u.number = jv_number_value(v);
		return NULL;
	case JV_KIND_STRING:
		out->kind = JSON_STRING;
		out->u.string = copy_string(v, a, &out->len);
		return has_nul(out->u.string, out->len);
	case JV_KIND_ARRAY:
		return depth > 0 ? tree_from_array(v, a, depth - 1, out) : too_deep;
	case JV_KIND_OBJECT:
		return depth > 0 ? tree_from_object(v, a, depth - 1, out) : too_deep;
	default:
		out->kind = JSON_NULL;
		return NULL;
	}
}

static jv
jv_from_tree(const struct json *v)
{
	jv out;

	switch (v->kind) {
	case JSON_FALSE:
		return jv_false();
	case JSON_TRUE:
		return jv_true();
	case JSON_NUMBER:
		return jv_number(v->u.number);
	case JSON_STRING:
		return jv_string_sized(v->u.string, (int)v->len);
	case JSON_ARRAY:
		out = jv_array_sized((int)v->len);
		for (size_t i = 0; i < v->len; i++)
			out = jv_array_append(out, jv_from_tree(&v->u.items[i]));
		return out;
	case JSON_OBJECT:
		out = jv_object();
		for (size_t i = 0; i < v->len; i++) {
			const struct json_member *m = &v->u.members[i];
			out = jv_object_set(out, jv_string_sized(m->key, (int)m->key_len),
			    jv_from_tree(&m->value));
		}
		return out;
	default:
		return jv_null();
	}
}

/*
 * Parses s into *out, which the caller frees when 0 is returned. Our own reader is twice as fast as
 * libjq's. Its tree of a long text is freed before a program runs, and so is text, if not NULL,
 * before it is copied.
 */
static int
parse_jv(const char *s, size_t len, struct buf *text, struct arena *a, jv *out, struct err *err)
{
	LOCAL(arena) own = ARENA_INIT;
	const struct json *tree;
	bool is_long = len > LONG_TEXT;
	int rc;

	if ((rc = json_parse(s, len, is_long ? &own : a, &tree, err)) == 0) {
		if (is_long && text != NULL)
			free(buf_detach(text));
		*out = jv_from_tree(tree);
	}
	return rc;
}

/* ---- jq programs ---- */

extern char **environ;

struct jq_program {
	jq_state *jq;
	char *name;
	struct buf said;           /* the messages of the compiler */
};

/*
 * Takes the environment away while libjq runs, as it reads that itself: $ENV, env, and HOME for
 * ~/.jq.
 */
static char **
hide_environment(void)
{
	static char *none[] = { NULL };
	char **saved = environ;

	environ = none;
	return saved;
}

/* Adds a text of libjq to a message: on one line, without control characters, not too long. */
static void
add_words(struct buf *b, const char *s, size_t len)
{
	bool blank = b->len == 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c <= 0x20 || c == 0x7f) {
			if (!blank)
				buf_addc(b, ' ');
			blank = true;
		} else {
			buf_addc(b, s[i]);
			blank = false;
		}
	}
	if (b->len > 0 && blank)
		b->data[--b->len] = '\0';
}

static void
add_compiler_message(void *arg, jv message)
{
	struct buf *said = arg;

	message = jq_format_error(message);
	if (jv_get_kind(message) == JV_KIND_STRING) {
		const char *s = jv_string_value(message);
		static const char head[] = "jq: error: ";

		if (strncmp(s, head, sizeof(head) - 1) == 0)
			s += sizeof(head) - 1;
		/* the last message only counts the others, so it is left out */
		if (strncmp(s, "jq: ", 4) != 0) {
			if (said->len > 0)
				buf_adds(said, "; ");
			add_words(said, s, strlen(s));
		}
	}
	jv_free(message);
}

static void
ignore(void *arg, jv message)
{
	(void)arg;
	jv_free(message);
}

/*
 * Answers the functions input and inputs: there is none. libjq 1.6 does not clear this callback, so
 * it must be set.
 */
static jv
no_input(jq_state *jq, void *arg)
{
	(void)jq;
	(void)arg;
	return jv_invalid_with_msg(jv_string("there is no other input"));
}

/*
 * Finds "import", "include" or "module", which can only stand first in a program; NULL: none does.
 */
static const char *
module_word(const char *s)
{
	static const char *const words[] = { "import", "include", "module" };

	for (;;) {
		s += strspn(s, " \t\r\n");
		if (*s != '#')
			break;
		s += strcspn(s, "\n");
	}
	for (size_t i = 0; i < NELEM(words); i++) {
		size_t n = strlen(words[i]);
		if (strncmp(s, words[i], n) == 0 && strchr(" \t\r\n\"#{", s[n]) != NULL)
			return words[i];
	}
	return NULL;
}

int
jq_compile_text(const char *source, const char *name, const struct json *args,
	struct jq_program **out, struct err *err)
{
	const char *word = module_word(source);
	struct jq_program *p;

	if (word != NULL)
		return err_set(err, ERR_CONFIG, "%s: no modules: '%s'", name, word);
	p = xcalloc(1, sizeof(*p));
	p->name = xstrdup(name);
	buf_init(&p->said, sizeof(err->msg));
	char **saved = hide_environment();
	jv_nomem_handler(no_memory, NULL);
	p->jq = jq_init();
	if (p->jq == NULL) {
		environ = saved;
		jq_free(p);
		return err_set(err, ERR_BUG, "%s: cannot start libjq", name);
	}
	jq_set_nomem_handler(p->jq, no_memory, NULL);
	jq_set_error_cb(p->jq, add_compiler_message, &p->said);
	jq_set_debug_cb(p->jq, ignore, NULL);
	jq_set_input_cb(p->jq, no_input, NULL);
	jq_set_attr(p->jq, jv_string("JQ_LIBRARY_PATH"), jv_array());
	jv named = args != NULL && args->kind == JSON_OBJECT ? jv_from_tree(args) : jv_object();
	int compiled = jq_compile_args(p->jq, source, named);
	environ = saved;
	if (!compiled) {
		err_set(err, ERR_CONFIG, "%s: %s", name,
		    p->said.len > 0 ? p->said.data : "does not compile");
		jq_free(p);
		return -1;
	}
	*out = p;
	return 0;
}

/* libjq has no function that tells its version, so functions are tried that one of them brought. */
static bool
knows(const char *source)
{
	struct err err = ERR_INIT;
	struct jq_program *p;

	if (jq_compile_text(source, "version", NULL, &p, &err) != 0)
		return false;
	jq_free(p);
	return true;
}

const char *
jq_version(void)
{
	return knows("trimstr(\"\")") ? "1.8 or later" : knows("pick(.a)") ? "1.7"
									  : "1.6 or earlier";
}

/* Tells what ended the run: v is invalid, and has a message if there was an error. Frees v. */
static int
run_ended(struct jq_program *p, jv v, struct err *err)
{
	bool failed = jv_invalid_has_msg(jv_copy(v)) != 0;
	jv message = jv_invalid_get_msg(v);

	if (jq_halted(p->jq)) {
		jv_free(message);
		message = jq_get_error_message(p->jq);
		jv status = jq_get_exit_code(p->jq);
		/* halt is a normal end; halt_error has a status */
		failed = jv_get_kind(status) == JV_KIND_NUMBER && jv_number_value(status) != 0;
		jv_free(status);
	}
	if (!failed) {
		jv_free(message);
		return 0;
	}
	if (!jv_is_valid(message)) {
		jv_free(message);
		message = jv_null();
	}
	if (jv_get_kind(message) != JV_KIND_STRING)
		message = jv_dump_string(message, 0);
	buf_reset(&p->said);
	add_words(&p->said, jv_string_value(message),
	    (size_t)jv_string_length_bytes(jv_copy(message)));
	jv_free(message);
	size_t len = utf8_clip(p->said.data, p->said.len, 300);
	return err_set(err, ERR_DATA, "%s: %.*s", p->name, (int)len, p->said.data);
}

/* Runs the program on v, which it frees. */
static int
run(struct jq_program *p, jv v, struct arena *a, jq_fn *fn, void *arg, struct err *err)
{
	int rc = 0;

	char **saved = hide_environment();
	jq_start(p->jq, v, 0);
	for (;;) {
		v = jq_next(p->jq);
		if (!jv_is_valid(v)) {
			rc = run_ended(p, v, err);
			break;
		}
		struct json *tree = arena_alloc(a, sizeof(*tree));
		const char *wrong = tree_from_jv(v, a, JSON_DEPTH_MOST, tree);
		jv_free(v);
		if (wrong != NULL) {
			rc = err_set(err, ERR_DATA, "%s: a result is %s", p->name, wrong);
			break;
		}
		environ = saved;
		rc = fn(arg, tree);
		saved = hide_environment();
		if (rc != 0) {
			rc = rc < 0 ? -1 : 0;
			break;
		}
	}
	environ = saved;
	return rc;
}

int
jq_run(struct jq_program *p, const char *s, size_t len, struct arena *a, jq_fn *fn, void *arg,
	struct err *err)
{
	jv v;

	return parse_jv(s, len, NULL, a, &v, err) == 0 ? run(p, v, a, fn, arg, err) : -1;
}

int
jq_run_buf(struct jq_program *p, struct buf *text, struct arena *a, jq_fn *fn, void *arg,
	struct err *err)
{
	jv v;

	if (parse_jv(text->data, text->len, text, a, &v, err) != 0)
		return -1;
	return run(p, v, a, fn, arg, err);
}

void
jq_free(struct jq_program *p)
{
	if (p == NULL)
		return;
	if (p->jq != NULL)
		jq_teardown(&p->jq);
	free(p->name);
	buf_release(&p->said);
	free(p);
}
