/*
 * tables.c: what is copied from a store to another: all tables and columns that both kinds of
 * database have. Left out are the log of changes and the other stores that mem-sync knows, as a
 * store on a server has none, and so is the column of an access that names a change.
 *
 * tables_test compares this with the schema.
 */
#include "store/transfer/tables.h"

#include <stdio.h>
#include <string.h>

#define RECORD \
	"type:i ulid:b source:t agent:i project:i session:t time:i stored:i origin:i trust:i " \
	"size:i sha256:b content:t tags:t extra:t protected:i retracted:i sort:i first:i last:i " \
	"model:t structured:t"
#define FACT \
	"key:t bank:t category:i subcategory:t kind:i importance:r confidence:r valid_from:i " \
	"valid_to:i superseded_by:b summarized:b"

const struct copy_table copy_tables[] = {
	/* each kind of database notes its version in a way of its own */
	{ "meta", 1, "name:t value:t", "name NOT IN ('version', 'copying')" },
	{ "user", 1, "no:i name:t", NULL },
	{ "label", 3, "user:i kind:i no:i text:t word:b", NULL },
	{ "session", 1,
	    "id:i user:i name:t part:i title:t system_prompt:t metadata:t agent:i project:i "
	    "created:i updated:i turns:i assistants:i speaker:i speakers:i told:i", NULL },
	{ "message", 1,
	    "id:i session:i ulid:b source:a role:i speaker:i agent:i project:i time:i stored:i "
	    "origin:i trust:i tokens:i chunks:i sha256:b content:t tool_calls:t tool_call_id:t "
	    "extra:t", NULL },
	{ "message_turn", 1, "row:i turn:i", NULL },
	{ "message_alias", 1, "ulid:b row:i", NULL },
	{ "input", 2,
	    "user:i path:t device:i inode:i offset:i line:i head:b positional:i state:t", NULL },
	{ "chunk", 2, "message:i no:i kind:i language:t start:i length:i tokens:i", NULL },
	{ "card", 1, "id:i cards:b", NULL },
	{ "work", 1, "id:i items:b", NULL },
	{ "fts_segment", 2,
	    "user:i no:i docs:i runs:i doc_pages:i pages:i words:i first:i", NULL },
	{ "fts_page", 1, "id:i data:b", NULL },
	{ "fts_leaf", 3, "user:i segment:i term:b page:i", NULL },
	{ "metric", 1,
	    "id:i user:i time:i program:t path:t query_hash:i query_bytes:i hits:i candidates:i "
	    "top:r us_open:i us_text:i us_vectors:i us_rank:i us_fetch:i us_all:i flags:t handed:b",
	    NULL },
	{ "vector_set", 1, "no:i name:t sha256:b dims:i unrelated:r centre:b current:i", NULL },
	{ "vector_user", 2, "vset:i user:i slots:i dead:i", NULL },
	{ "vector_code", 1, "id:i slots:b", NULL },
	{ "vector_byte", 1, "id:i slots:b", NULL },
	{ "vector_done", 3, "vset:i kind:i box:i done:i", NULL },
	{ "vector_todo", 3, "vset:i kind:i row:i tries:i due:i", NULL },
	{ "vector_cells", 2, "vset:i user:i made:i cells:i trained:i slots:i", NULL },
	{ "vector_centroid", 1, "id:i slots:b", NULL },
	{ "vector_cell", 1, "id:i slots:b", NULL },
	{ "vector_place", 2, "vset:i box:i slots:b", NULL },
	{ "guard", 1, "service:t failed:b opened:i probe:i lease:i opens:i", NULL },
	{ "ledger", 4,
	    "user:i day:i program:t model:t calls:i failed:i stopped:i tokens_in:i tokens_out:i "
	    "micros:i", NULL },
	{ "record", 1, "id:i " RECORD, NULL },
	{ "record_next", 1, "user:i next:i", NULL },
	{ "fact", 1, "id:i " FACT, NULL },
	{ "record_source", 2, "record:i no:i of:a start:i length:i", NULL },
	{ "step", 1, "id:i time:i did:i agent:i why:t undone:i", NULL },
	{ "step_id", 1, "step:i ulid:b", NULL },
	{ "step_change", 2, "record:i step:i existed:i", NULL },
	{ "record_was", 2, "id:i step:i " RECORD, NULL },
	{ "fact_was", 2, "id:i step:i " FACT, NULL },
	{ "record_source_was", 3, "record:i step:i no:i of:a start:i length:i", NULL },
	{ "record_access", 1, "id:i accessed:i accesses:i", NULL },
	{ "category", 1, "id:i root:i ulid:b name:t keywords:t created:i updated:i", NULL },
	{ "category_member", 2, "row:i kind:i category:i", NULL },
	{ "category_run", 1, "user:i time:i runs:i next:i", NULL },
	{ "job", 2, "user:i name:t time:i", NULL },
	{ "profile", 1, "id:i field:t value:t updated:i", NULL },
	{ "profile_user", 1, "user:i consent:i time:i next:i", NULL },
	{ "tombstone", 2, "user:i key:b", NULL },
	{ NULL, 0, NULL, NULL },
};

void
copy_columns(const struct copy_table *t, struct copy_columns *out)
{
	out->n = 0;
	for (const char *p = t->columns; *p != '\0' && out->n < COPY_COLUMNS; out->n++) {
		size_t n = strcspn(p, ":");

		snprintf(out->names[out->n], COPY_NAME, "%.*s", (int)n, p);
		out->types[out->n] = p[n + 1];
		p += n + 2;
		p += strspn(p, " ");
	}
	out->types[out->n] = '\0';
}

void
copy_add_names(struct buf *sql, const struct copy_columns *c, int n)
{
	for (int i = 0; i < n; i++)
		buf_addf(sql, "%s%s", i > 0 ? ", " : "", c->names[i]);
}
