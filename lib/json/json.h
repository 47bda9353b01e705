/*
 * json.h: reads and writes JSON; jq.c alone calls libjq.
 *
 * A parsed value is a tree of const nodes in the caller's arena, so it lives as long as the record
 * and is freed with it. Text is checked before it is read (UTF-8, no NUL and no \u0000, depth,
 * numbers that a double can hold, no lone surrogate), so all versions of libjq behave alike, and
 * the error text is ours and never quotes the data. Integers beyond 2^53 become strings of their
 * digits.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

enum json_kind {
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT
};

struct json_member;

struct json {
	enum json_kind kind;
	/* how many bytes of a string, items of an array, members of an object */
	size_t len;
	union {
		double number;
		const char *string;            /* with a NUL after it */
		const struct json *items;      /* [len] */
		const struct json_member *members;   /* [len], in the order of the text */
	} u;
};

struct json_member {
	const char *key;                       /* with a NUL after it */
	size_t key_len;
	struct json value;
};

/*
 * Parses exactly one value, with white space around it allowed. ERR_DATA has a reason such as
 * "invalid JSON at byte 17", counted from 1.
 */
int
json_parse(const char *s, size_t len, struct arena *a, const struct json **out, struct err *err);

/*
 * The same for what must be answered, however it was cut: where the text cannot be taken for what
 * its characters are (half of a surrogate pair, \u0000, NUL, bytes that are no UTF-8), each of
 * these becomes U+FFFD. The error is that of the text as it came.
 */
int json_parse_mended(const char *s, size_t len, struct arena *a, const struct json **out,
	struct err *err);

/* Appends the text, mended in this way, and returns how many characters were replaced. */
size_t json_mend(const char *s, size_t len, struct buf *out);

/*
 * Follows a string, an object or an array by its quotes and brackets alone; whether it is JSON the
 * parser tells. Zeroed before its first byte.
 */
struct json_scan { unsigned depth; bool in_string, escaped; };
/* Goes on with n bytes. Returns how many of them belong to the value; *ended: it ends with them. */
size_t json_scan(struct json_scan *s, const char *p, size_t n, bool *ended);

/*
 * The member named key; NULL: v is no object, or has none. Of members of one name the last counts.
 */
const struct json *json_get(const struct json *v, const char *key);

/* The same if it is a string; len may be NULL. */
const char *json_get_string(const struct json *v, const char *key, size_t *len);
/* The same, and "" if there is none. */
const char *json_text(const struct json *v, const char *key);
/* Whether the member is this text. */
bool json_is(const struct json *v, const char *key, const char *text);
/* Whether they are the same value, members in whatever order. */
bool json_same(const struct json *a, const struct json *b);
double json_get_number(const struct json *v, const char *key, double otherwise);
/*
 * Adds a text to an object that is being made, whose members have room for it; nothing where it is
 * empty.
 */
void json_put_text(struct json *object, const char *key, const char *s, size_t len);

/*
 * ---- writing: compact, controls escaped (also U+007F and U+0080-U+009F), "/" as it is, floats as
 * %.9g, integers whole ----
 */
/* writes numbers with as many digits as they need to be read back the same */
void json_write(struct buf *b, const struct json *v);
/* writes the quotes, too; bad UTF-8 becomes U+FFFD */
void json_write_string(struct buf *b, const char *s, size_t len);
void json_write_number(struct buf *b, double v);                     /* null if it is not finite */

/*
 * Write an object: json_open, then its members, then json_close, or json_end where a line ends with
 * it. Whether a comma is needed shows in the last byte. A member whose value is NULL is left out.
 */
void json_open(struct buf *b);
void json_record(struct buf *b, const char *type);                   /* with its member "type" */
void json_close(struct buf *b);                                      /* "}" */
void json_end(struct buf *b);                                        /* "}\n" */
/* writes "," when needed, then "key": */
void json_key(struct buf *b, const char *key);
/* a member's value; key NULL: a value by itself, or an array's item */
void json_object_open(struct buf *b, const char *key);
void json_array_open(struct buf *b, const char *key);
void json_array_close(struct buf *b);
/* an array of the items in a buffer */
void json_array(struct buf *b, const char *key, const struct buf *items);
/* writes "," when needed: what follows is an array's item */
void json_next(struct buf *b);
void json_item(struct buf *b, const char *s, size_t len);
void json_strings(struct buf *b, const char *key, const char *const *items, size_t n);
/* the members of the object whose text is given; NULL, or one without any: nothing */
void json_members(struct buf *b, const char *object);
void json_str(struct buf *b, const char *key, const char *s);
void json_strn(struct buf *b, const char *key, const char *s, size_t len);
void json_int(struct buf *b, const char *key, int64_t v);
void json_num(struct buf *b, const char *key, double v);
void json_bool(struct buf *b, const char *key, bool v);
/* json is JSON text */
void json_raw(struct buf *b, const char *key, const char *json, size_t len);
/* ISO 8601; TIME_NONE becomes null */
void json_time(struct buf *b, const char *key, int64_t us);

/*
 * ---- jq programs: import maps, --map, --where. Compiling costs about 30 ms; never on a hot path.
 * ----
 */
struct jq_program;

/* The version of libjq, as far as what it can do tells: "1.6 or earlier", "1.7", "1.8 or later". */
const char *jq_version(void);


/*
 * Compiles source; name is for messages. args, if not NULL, is an object whose members the program
 * sees as $KEY. Programs have no modules and no environment: $ENV and env are empty. ERR_CONFIG
 * with jq's own words: it does not compile.
 */
int jq_compile_text(const char *source, const char *name, const struct json *args,
	struct jq_program **out, struct err *err);

/*
 * Runs the program on the JSON text s and hands each result to fn, which returns 0 to go on and
 * anything else to stop. A jq error(), a result with U+0000 in it, and a text that is not JSON are
 * ERR_DATA. The tree of each result is in a. Returns 0, also when fn stopped it with a positive
 * number; -1 when fn returned a negative one, for which fn fills err.
 */
typedef int jq_fn(void *arg, const struct json *value);
int jq_run(struct jq_program *p, const char *s, size_t len, struct arena *a, jq_fn *fn, void *arg,
	struct err *err);
/* The same of a text that is not needed any more: where it is long, its memory is freed first. */
int jq_run_buf(struct jq_program *p, struct buf *text, struct arena *a, jq_fn *fn, void *arg,
	struct err *err);
void jq_free(struct jq_program *p);
