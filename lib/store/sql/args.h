/*
 * args.h: the parameters of a statement: stmt_run(s, STMT_X, ARGS(row, name, BLOB(bytes, n)), err).
 * Numbers, reals and texts stand as they are; a text that is NULL is NULL. Nothing is copied.
 * Private to lib/store.
 */
#pragma once

#include "base/clock.h"
#include "store/db.h"

static inline struct db_value value_same(struct db_value v) { return v; }
static inline struct db_value
value_number(int64_t v)
{
	return (struct db_value){ DB_NUMBER, 0, { .number = v } };
}
static inline struct db_value
value_real(double v)
{
	return (struct db_value){ DB_REAL, 0, { .real = v } };
}
static inline struct db_value
value_bytes(enum db_type type, const void *bytes, size_t n)
{
	return (struct db_value){ bytes == NULL ? DB_NULL : type, (int)n, { .bytes = bytes } };
}
static inline struct db_value
value_text(const char *text)
{
	return (struct db_value){ text == NULL ? DB_NULL : DB_TEXT, -1, { .bytes = text } };
}

#define NONE        ((struct db_value){ .type = DB_NULL })
#define TEXT(p, n)  value_bytes(DB_TEXT, p, n)
#define BLOB(p, n)  value_bytes(DB_BLOB, p, n)
/* "", TIME_NONE, and the number 0 of no name are NULL */
static inline struct db_value
SOME(const char *text)
{
	return value_text(text == NULL || *text == '\0' ? NULL : text);
}
static inline struct db_value
TIME(int64_t us)
{
	return us == TIME_NONE ? NONE : value_number(us);
}
static inline struct db_value LABEL(int64_t no) { return no == 0 ? NONE : value_number(no); }

#define VALUE(x) _Generic((x), struct db_value: value_same, double: value_real, \
	float: value_real, char *: value_text, const char *: value_text, default: value_number)(x)

#define VALUES_1(x) VALUE(x)
#define VALUES_2(x, ...) VALUE(x), VALUES_1(__VA_ARGS__)
#define VALUES_3(x, ...) VALUE(x), VALUES_2(__VA_ARGS__)
#define VALUES_4(x, ...) VALUE(x), VALUES_3(__VA_ARGS__)
#define VALUES_5(x, ...) VALUE(x), VALUES_4(__VA_ARGS__)
#define VALUES_6(x, ...) VALUE(x), VALUES_5(__VA_ARGS__)
#define VALUES_7(x, ...) VALUE(x), VALUES_6(__VA_ARGS__)
#define VALUES_8(x, ...) VALUE(x), VALUES_7(__VA_ARGS__)
#define VALUES_9(x, ...) VALUE(x), VALUES_8(__VA_ARGS__)
#define VALUES_10(x, ...) VALUE(x), VALUES_9(__VA_ARGS__)
#define VALUES_11(x, ...) VALUE(x), VALUES_10(__VA_ARGS__)
#define VALUES_12(x, ...) VALUE(x), VALUES_11(__VA_ARGS__)
#define VALUES_13(x, ...) VALUE(x), VALUES_12(__VA_ARGS__)
#define VALUES_14(x, ...) VALUE(x), VALUES_13(__VA_ARGS__)
#define VALUES_15(x, ...) VALUE(x), VALUES_14(__VA_ARGS__)
#define VALUES_16(x, ...) VALUE(x), VALUES_15(__VA_ARGS__)
#define VALUES_17(x, ...) VALUE(x), VALUES_16(__VA_ARGS__)
#define VALUES_18(x, ...) VALUE(x), VALUES_17(__VA_ARGS__)
#define VALUES_19(x, ...) VALUE(x), VALUES_18(__VA_ARGS__)
#define VALUES_20(x, ...) VALUE(x), VALUES_19(__VA_ARGS__)
#define VALUES_21(x, ...) VALUE(x), VALUES_20(__VA_ARGS__)
#define VALUES_22(x, ...) VALUE(x), VALUES_21(__VA_ARGS__)
#define VALUES_23(x, ...) VALUE(x), VALUES_22(__VA_ARGS__)
#define VALUES_24(x, ...) VALUE(x), VALUES_23(__VA_ARGS__)
#define VALUES_25(x, ...) VALUE(x), VALUES_24(__VA_ARGS__)
#define VALUES_TOLD(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, \
	how_many, ...) VALUES_##how_many
#define VALUES_OF(...) VALUES_TOLD(__VA_ARGS__, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, \
	14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)

#define ARRAY_OF(...) (const struct db_value[]){ __VA_ARGS__ }, \
	sizeof((const struct db_value[]){ __VA_ARGS__ }) / sizeof(struct db_value)
#define VALUES(...) VALUES_OF(__VA_ARGS__)(__VA_ARGS__)
#define ARGS(...) ARRAY_OF(VALUES(__VA_ARGS__))
#define NO_ARGS NULL, 0

/* The rows of a user, and what is seen of them by whom. */
#define ROWS_OF(user) user_lo(user), user_hi(user)
#define SCOPE(n)      ROWS_OF((n)->user), (n)->agent, (n)->project
