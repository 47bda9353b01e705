/* todo_done.c: what the user has stored as a todo rests on no turn, and is open or done. */
#include "hook/todo_done.h"

#include "hook/open_todo.h"

int
todo_done(struct store *s, struct search **search, const struct scope *who, const struct fact *f,
	bool *done, struct err *err)
{
	const struct record_head *h = &f->head;
	const struct scope all = { .user = who->user, .agent = who->agent };
	const struct message *m = NULL;
	struct arena a = ARENA_INIT;
	bool open = true;
	int rc = 0;

	*done = false;
	if (f->kind != FACT_TODO)
		return 0;
	if (h->n_sources == 0 && h->origin == ORIGIN_USER) {
		rc = open_todo(s, search, who, f, &open, err);
		*done = rc == 0 && !open;
	} else if (h->n_sources > 0) {
		rc = messages_find(s, &all, h->sources[0].id, &a, &m, err);
	}
	if (rc == 0 && m != NULL)
		rc = todo_closed(s, search, &all, h->content, h->content_len,
		    &(struct todo_turn){ m->row, m->turn, h->time_us, m->session }, done, err);
	arena_release(&a);
	return rc < 0 ? -1 : 0;
}
