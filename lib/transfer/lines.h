/*
 * lines.h: how the records that only an export has are written. Each appends an object without a
 * newline.
 */
#ifndef TRANSFER_LINES_H
#define TRANSFER_LINES_H

#include "base/buf.h"
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
/* type, v; and of what is new: store, name, user, for, since, mark, has, lost. */
void line_head(struct buf *out, const struct news_head *h);
/* type, records, sha256: of so many lines, with their ends. */
void line_end(struct buf *out, int64_t n_lines, const uint8_t sha256[SHA256_BYTES]);
/* As record_session, without the number of messages: these follow. And told and again, of news. */
void line_session(struct buf *out, const char *user, const struct session *v);
/* As record_message, and place_hash where there is no source_id. */
void line_message(struct buf *out, const char *user, const struct message *m);
/* type, id, user, time, agent, did, why, undoes. */
void line_step(struct buf *out, const char *user, const struct step_given *st);
/*
 * As fact_record, and by_step: the step that left it so, NULL none. Without what other records say
 * of it: its category, what it ended, and when it was looked at.
 */
void line_record(struct buf *out, const char *user, const struct fact *f, const char *step);
/* type, id, user, by_step. */
void line_gone(struct buf *out, const char *user, const char *id, const char *step);
/* type, id, user, accessed, accesses. */
void line_access(struct buf *out, const char *user, const struct access_given *v);
/* type, id, user, time, root, name, keywords, created. */
void line_category(struct buf *out, const char *user, const struct category *c);
/* type, id, user, kind, category. */
void line_member(struct buf *out, const char *user, const struct member_given *v);
/* type, user, time, field, value. */
void line_profile(struct buf *out, const char *user, const struct about *v);
/* type, user, time, consent. */
void line_consent(struct buf *out, const char *user, bool yes, int64_t since_us);
/* type, model, sha256, dims, unrelated, centre. */
void line_model(struct buf *out, const struct vector_model *m);
/* type, id, user, kind, model, of, parts. */
void line_vectors(struct buf *out, const char *user, const struct vectors_given *v);
/* type, user, key. */
void line_tombstone(struct buf *out, const char *user, const uint8_t key[TOMBSTONE_BYTES]);

#endif
