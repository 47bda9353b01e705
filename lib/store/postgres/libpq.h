/*
 * libpq.h: the functions of libpq, PostgreSQL's client library, that are used. The library is
 * loaded when the first store on a server is opened, so nobody else needs it or waits for it. Its
 * interface has been the same since PostgreSQL 14 (libpq.so.5). Private to lib/store/postgres.
 */
#pragma once

#include "base/err.h"

struct pg_conn;
struct pg_result;

/* As libpq lays it out. */
struct pg_option {
	char *keyword, *envvar, *compiled, *val, *label, *dispchar;
	int dispsize;
};

enum { PG_CONNECTION_OK = 0 };
enum pg_status {
	PG_COMMAND_OK = 1,
	PG_TUPLES_OK = 2,
	PG_FATAL_ERROR = 7,
	PG_PIPELINE_SYNC = 10,
	PG_PIPELINE_ABORTED = 11
};
#define PG_SQLSTATE 'C'

/* Types of values, as the table pg_type of every database numbers them. */
enum {
	PG_BOOL = 16,
	PG_BYTEA = 17,
	PG_INT8 = 20,
	PG_INT2 = 21,
	PG_INT4 = 23,
	PG_TEXT = 25,
	PG_FLOAT8 = 701,
	PG_BYTEA_ARRAY = 1001,
	PG_TEXT_ARRAY = 1009,
	PG_INT8_ARRAY = 1016,
	PG_FLOAT8_ARRAY = 1022,
	PG_NUMERIC = 1700
};

typedef void pg_notice_fn(void *arg, const char *text);

/* result, name, arguments */
#define PG_FUNCTIONS(F) \
	F(int, libVersion, (void)) \
	F(struct pg_conn *, connectdbParams, (const char *const *, const char *const *, int)) \
	F(struct pg_option *, conninfoParse, (const char *, char **)) \
	F(void, conninfoFree, (struct pg_option *)) \
	F(void, freemem, (void *)) \
	F(void, finish, (struct pg_conn *)) \
	F(int, status, (const struct pg_conn *)) \
	F(char *, errorMessage, (const struct pg_conn *)) \
	F(int, connectionNeedsPassword, (const struct pg_conn *)) \
	F(int, serverVersion, (const struct pg_conn *)) \
	F(const char *, parameterStatus, (const struct pg_conn *, const char *)) \
	F(int, backendPID, (const struct pg_conn *)) \
	F(pg_notice_fn *, setNoticeProcessor, (struct pg_conn *, pg_notice_fn *, void *)) \
	F(int, enterPipelineMode, (struct pg_conn *)) \
	F(int, pipelineSync, (struct pg_conn *)) \
	F(int, sendPrepare, (struct pg_conn *, const char *, const char *, int, const unsigned *)) \
	F(int, sendQueryParams, (struct pg_conn *, const char *, int, const unsigned *, \
		const char *const *, const int *, const int *, int)) \
	F(int, sendQueryPrepared, (struct pg_conn *, const char *, int, const char *const *, \
		const int *, const int *, int)) \
	F(struct pg_result *, getResult, (struct pg_conn *)) \
	F(enum pg_status, resultStatus, (const struct pg_result *)) \
	F(char *, resultErrorField, (const struct pg_result *, int)) \
	F(char *, resultErrorMessage, (const struct pg_result *)) \
	F(void, clear, (struct pg_result *)) \
	F(int, ntuples, (const struct pg_result *)) \
	F(int, nfields, (const struct pg_result *)) \
	F(char *, fname, (const struct pg_result *, int)) \
	F(unsigned, ftype, (const struct pg_result *, int)) \
	F(char *, getvalue, (const struct pg_result *, int, int)) \
	F(int, getlength, (const struct pg_result *, int, int)) \
	F(int, getisnull, (const struct pg_result *, int, int)) \
	F(char *, cmdTuples, (struct pg_result *)) \
	F(char *, cmdStatus, (struct pg_result *)) \
	F(int, flush, (struct pg_conn *))

#define PG_POINTER(result, name, arguments) result (*name) arguments;
struct libpq { PG_FUNCTIONS(PG_POINTER) };
#undef PG_POINTER

extern struct libpq pq;

/* ERR_CONFIG where there is no libpq, or one that is too old. */
int libpq_load(struct err *err);
