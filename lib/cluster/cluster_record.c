/*
 * cluster_record.c: categories and their members as records.
 */
#include "cluster/cluster_parts.h"

#include "json/json.h"

void
record_category(struct buf *out, const char *user, const struct category *c)
{
	json_record(out, "category");
	json_str(out, "id", c->id);
	json_str(out, "user", user);
	json_time(out, "time", c->updated_us);
	json_str(out, "root", fact_root_names[c->root]);
	json_str(out, "name", *c->name != '\0' ? c->name : NULL);
	json_raw(out, "keywords", c->keywords, strlen(c->keywords));
	json_str(out, "hand", c->hand != HAND_NONE ? category_hands[c->hand] : NULL);
	json_int(out, "count", c->n_members);
	json_time(out, "created", c->created_us);
	json_end(out);
}

/* The keywords of its subcategory that a member has, all words of each. */
static void
write_matched(struct buf *out, const struct cluster_member *m)
{
	LOCAL(arena) a = ARENA_INIT;
	const struct json *all;

	if (m->text != NULL && json_parse(m->category->keywords, strlen(m->category->keywords), &a,
	    &all, NULL) == 0 && all->kind == JSON_ARRAY) {
		json_array_open(out, "matched");
		for (size_t i = 0; i < all->len; i++) {
			const struct json *word = &all->u.items[i];

			if (word->kind == JSON_STRING &&
			    cluster_has_words(m->text, m->text_len, word->u.string))
				json_item(out, word->u.string, word->len);
		}
		json_array_close(out);
	}
}

void
record_member(struct buf *out, const char *user, const struct cluster_member *m)
{
	static const char *const kinds[] = { "message", "fact", "summary", "reflection" };

	json_record(out, "member");
	json_str(out, "id", m->id);
	json_str(out, "user", user);
	json_str(out, "kind", kinds[m->kind]);
	json_str(out, "category", m->category->id);
	json_str(out, "root", fact_root_names[m->category->root]);
	json_str(out, "name", *m->category->name != '\0' ? m->category->name : NULL);
	if (m->sim > 0)
		json_num(out, "sim", m->sim);
	write_matched(out, m);
	json_end(out);
}
