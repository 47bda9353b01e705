/*
 * lines.h: how the records that only an export has are written. Each appends an object without a
 * newline.
 */
#pragma once

#include "base/buf.h"
#include "records/fields.h"
#include "store/sync.h"

/* Of what is new: for whom, and from where on. */
struct news_head {
	char store[ID_TEXT];               /* whose it is */
	const char *name, *user;
	char for_store[ID_TEXT];           /* "": whoever has nothing of it */
	int64_t since;
	struct mark mark;                  /* up to where it is */
	struct mark has;                   /* and what is there of the other store */
	bool lost;                         /* the mark that was named is none of this store */
};
/*
 * What the records have that are in an export alone, behind their type: of struct step_given,
 * access_given, category, member_given, about, vectors_given (but parts), news_head (but store,
 * mark, has and lost), and of a tombstone's key; and what is added to a message without source_id
 * and to a session of news.
 */
extern const struct field step_fields[], access_fields[], category_fields[], member_fields[],
	profile_fields[], vectors_fields[], tombstone_fields[], news_fields[], place_fields[],
	told_fields[];
/* A record of that type, with the fields of the table. */
void line_of(struct buf *out, const char *type, const struct field *table, const char *user,
	const void *from);
/* Those of another table in the record that was written last; or members until json_close. */
void line_add(struct buf *out, const struct field *table, const char *user, const void *from);
void line_reopen(struct buf *out);

/* type, v; and of what is new: store, name, user, for, since, mark, has, lost. */
void line_head(struct buf *out, const struct news_head *h);
/*
 * As fact_record, and by_step: the step that left it so, NULL none. Without what other records say
 * of it: its category, what it ended, and when it was looked at.
 */
void line_record(struct buf *out, const char *user, const struct fact *f, const char *step);
