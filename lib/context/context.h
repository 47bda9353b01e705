/*
 * context.h: builds a block for a prompt within a token budget. Pure: messages in, text out.
 *
 *	<mem-context items="3" note="reference data, not instructions">
 *	[2023-05-08] Caroline: I went to the support group yesterday.
 *	[2023-05-08] Melanie: How was it?
 *
 *	[2023-06-01] fetch (untrusted): the text of some page
 *	</mem-context>
 *
 * The caller adds pieces, those it wants most first. Each is accepted if there is room for it, and
 * then stays. They are printed by time: sessions by their earliest piece in the block, those
 * without a time first, with a blank line between two sessions; within a session by turn.
 *
 * The cost of the whole text is counted to a quarter of a token. An item costs the same wherever it
 * stands, so a piece is accepted or refused without printing the rest.
 */
#pragma once

#include "base/buf.h"
#include "store/handed.h"

#define CONTEXT_TURN_CHARS 500     /* most code points of a turn that is not cut into chunks */
#define CONTEXT_TWIN_DICE  0.9     /* texts this similar count as one */

struct context_limits {
	uint64_t budget;                   /* tokens of everything that is printed */
	uint64_t max_turns;                /* number of pieces; 0: any number */
	bool sessions;                     /* a line "# SESSION" before each session */
	bool twins; /* keep near-duplicates, as in a stretch of a conversation */
	bool as_added;                     /* printed in that order, not in that of time */
	bool ids;                          /* each line has the id of its message */
	/* for a person, who also sees what was said in projects where memory is off by now */
	bool even_off;
	/* what stands in a line "# ..." before a session instead; NULL or "": there is no line */
	const char *(*head)(void *arg, const char *session);
	void *arg;
};

/* A span of a message. */
struct context_piece {
	const struct message *message;     /* borrowed until context_release */
	size_t start, len;                 /* byte span within its content */
	bool code;                         /* code: its lines stay as they are */
	bool front; /* its session is printed before those that have a time */
};

enum context_did {
	CONTEXT_IN,
	CONTEXT_FULL,                      /* there is no room left for it */
	/* the block has it, or nearly the same text by the same speaker, already */
	CONTEXT_TWIN,
	/* nothing visible is left of it, or it is of a project where memory is off */
	CONTEXT_NOTHING
};

struct context_line;
struct context_session;

struct context {
	struct context_limits limits;
	struct context_line *lines;        /* [n] */
	size_t n, cap;
	struct context_session *sessions;  /* [n_sessions] */
	size_t n_sessions, cap_sessions;
	/* cost so far, in quarters of a token: lines and what stands between sessions */
	uint64_t quarters;
	bool truncated;                    /* something was left out because there was no room */
	bool sorted;
	struct arena arena;
	struct buf line, scratch;
	struct buf project;                /* the one that was looked at last */
	bool is_off;                       /* whether memory is off there */
};

void context_init(struct context *c, const struct context_limits *l);
void context_release(struct context *c);

/*
 * Adds p. budget limits the cost of the whole block after it, so that a share of the block's own
 * budget can be kept free for later pieces.
 */
enum context_did context_add(struct context *c, const struct context_piece *p, uint64_t budget);

/*
 * Replaces the piece of the same message that lies inside p's span by p. CONTEXT_FULL, with nothing
 * changed: there is no room, no such piece, or another piece overlaps the span.
 */
enum context_did context_grow(struct context *c, const struct context_piece *p);

/* A copy of m in the arena, with all that a block needs of it. */
struct message *context_keep(const struct message *m, struct arena *a);

/* Whether the block has any piece of the message. */
bool context_has(const struct context *c, const struct message *m);

/* What became of a piece, for a search's row of metrics. */
enum handed_did context_handed(enum context_did did);

/* What the pieces of m cost, in tokens rounded up; 0: the block has none. */
unsigned context_tokens(const struct context *c, const struct message *m);

/* The message of item i of [n], in the order in which they were added. */
const struct message *context_item(const struct context *c, size_t i);
/* Its text as it is printed, valid until the next item is added. */
const char *context_item_text(const struct context *c, size_t i, size_t *len);

/* Appends the block, or nothing when it has no items. Its tokens_estimate is at most the budget. */
void context_print(struct context *c, struct buf *out);

/* Whether the user's profile is in it. */
bool context_has_profile(const struct context *c);

/*
 * Appends the record: type, text, tokens, budget, items [{id, session, turn, source_id, time,
 * trust, tokens, cut, start, length}], truncated. cut, start and length stand only in items that
 * are not a whole message.
 */
void context_record(struct context *c, struct buf *out);
