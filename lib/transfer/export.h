/*
 * export.h: a memory, or a part of it, as lines that import.h stores again: the records of
 * mem-records(5) in an order that depends on nothing but them.
 *
 *	export                            what this is, and the version of the grammar
 *	vector_set                        with vectors: what they were made by
 *	of each user, by name:
 *	  consent, profile                when asked for
 *	  session, its messages ...       sessions as they began, each message with its vectors
 *	  step, what it left ...          facts, summaries and reflections: a line each time that one
 *	                                  changed, the last of an id is what holds; "gone" takes it away
 *	  vectors                         of these
 *	  access, category, member
 *	  tombstone
 *	exported                          how many lines, and their hash: without it the rest is missing
 */
#pragma once

#include "base/buf.h"
#include "store/records.h"
#include "store/store.h"

#define EXPORT_VERSION 1

/*
 * Puts what the user said later of a decision behind *text, in the arena, and where member is not
 * NULL there, as a member of its record.
 */
typedef int export_later_fn(void *arg, const struct scope *who, const struct fact *f,
	struct arena *a, const char **text, struct buf *member, struct err *err);

struct export_options {
	struct scope who;
	bool all_users;                    /* then who.user is not looked at */
	/*
	 * limit and newest_first are not used. With a filter, or more than a user in the scope,
	 * only messages, their sessions and records of that part go out
	 */
	struct message_filter filter;
	/*
	 * [n_ids], in the order of strcmp, NULL: all. Only messages and records of these ids go
	 * out, and all messages of sessions of these ids
	 */
	const char *const *ids;
	size_t n_ids;
	bool profile;                      /* what the users wrote about themselves, too */
	bool now_only;                     /* records as they are, without their history */
	bool vectors;                      /* not with redact: they tell what was taken out */
	bool news;                         /* only what is new: news.h */
	/* secrets of a known form are replaced in texts and in what calls of tools say */
	bool redact;
	/* what is told as it is now, and not what is stored again, goes out with it; NULL: bare */
	export_later_fn *later;
	void *later_arg;
};

/*
 * Appends lines to out and calls ended after each, which may empty it; a value other than 0 stops
 * (a negative one gives -1). Nothing is locked meanwhile: what others store while it runs is in it
 * or not. Cost: memory of 8 bytes a session.
 */
int export_lines(struct store *s, const struct export_options *o, struct buf *out,
	int (*ended)(void *arg), void *arg, struct err *err);

/*
 * To be read by people, of one user; for mem-import it is nothing: a heading for each session, who
 * spoke, when, and what was said as a quotation; then the facts, notes and summaries that hold now,
 * a line each.
 */
int export_markdown(struct store *s, const struct export_options *o, struct buf *out,
	int (*ended)(void *arg), void *arg, struct err *err);

/*
 * What is known, of one user, for programs that read Portable AI Memory 1.0 (portable-ai-memory on
 * PyPI), one JSON document: facts, notes and summaries as they are, those that hold no more too,
 * and with o->profile the profile; then the sessions that they come from. For mem-import it is
 * nothing: there is no place in it for messages, or for a history. Cost: memory of 60 bytes a
 * record.
 */
int export_pam(struct store *s, const struct export_options *o, struct buf *out,
	int (*ended)(void *arg), void *arg, struct err *err);
