/*
 * message_columns.h: the columns of a message, a row each. The statements that store and read
 * messages, in both dialects of SQL, and the numbers of their parameters and columns are made from
 * these rows. Private to lib/store.
 *
 * F(no, name, type): no counts the columns from 1; type is i for a number, t for a text, b for
 * bytes, or for a text or bytes.
 */
#pragma once

/*
 * A text that is a member of struct message by the same name, "" for none. A row here is all that
 * such a column needs within the store, but for the schema.
 */
#define MESSAGE_TEXTS(F) \
	F(17, tool_calls, t) \
	F(18, tool_call_id, t) \
	F(19, extra, t)

/* All but the first column, "id", which is the message's row. */
#define MESSAGE_ROWS(F) \
	F(2, session, i) \
	F(3, ulid, b) \
	F(4, source, b) \
	F(5, role, i) \
	F(6, speaker, i) \
	F(7, agent, i) \
	F(8, project, i) \
	F(9, time, i) \
	F(10, stored, i) \
	F(11, origin, i) \
	F(12, trust, i) \
	F(13, tokens, i) \
	F(14, chunks, i) \
	F(15, sha256, b) \
	F(16, content, t) \
	MESSAGE_TEXTS(F)

/* "id, session, ..." */
#define MESSAGE_NAME(no, name, type) ", " #name
#define MESSAGE_COLUMNS              "id" MESSAGE_ROWS(MESSAGE_NAME) " "
/* "?1, ?2, ..." */
#define MESSAGE_PARAMETER(no, name, type) ", ?" #no
#define MESSAGE_PARAMETERS                "?1" MESSAGE_ROWS(MESSAGE_PARAMETER)

/* Columns of a row of MESSAGE_COLUMNS, counted from 0; the parameter is one more. */
#define MESSAGE_NUMBER(no, name, type) MESSAGE_##name = no - 1,
enum { MESSAGE_id, MESSAGE_ROWS(MESSAGE_NUMBER) };
