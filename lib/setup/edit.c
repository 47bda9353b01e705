/* edit.c: what the editors have in common, and the proof that an edit can be taken back. */
#include "setup/edit.h"

#include "base/conf.h"
#include "setup/edit_parts.h"

static const struct editor *
editor_of(enum wire_form form)
{
	return form == WIRE_JSON ? &edit_json : form == WIRE_TOML ? &edit_toml : &edit_yaml;
}

void
edit_replace(struct edit *e, size_t start, size_t end, const char *by, size_t len)
{
	struct buf b = buf_of(conf_caps.output_bytes);

	buf_add(&b, e->text.data, start);
	buf_add(&b, by, len);
	buf_add(&b, e->text.data + end, e->text.len - end);
	buf_release(&e->text);
	e->text = b;
}

const char *
edit_newline(const struct edit *e)
{
	const char *end = memchr(e->text.data, '\n', e->text.len);

	return end != NULL && end > e->text.data && end[-1] == '\r' ? "\r\n" : "\n";
}

void
edit_cut_lines(struct edit *e, size_t start, size_t end)
{
	const char *t = e->text.data;

	if (end == e->text.len && end > start && t[end - 1] != '\n' && start > 0) {
		start--;
		start -= start > 0 && t[start - 1] == '\r';
	}
	edit_replace(e, start, end, "", 0);
}

static void
begin(struct edit *e, const char *text, size_t len, const struct edit_original *original)
{
	*e = (struct edit){ .original = original, .arena = ARENA_INIT };
	buf_init(&e->text, conf_caps.output_bytes);
	buf_add(&e->text, text, len);
}

static void
end(struct edit *e)
{
	buf_release(&e->text);
	arena_release(&e->arena);
}

int
edit_count(enum wire_form form, const char *text, size_t len,
	const struct edit_original *original, const struct pieces *p, size_t *n, struct err *err)
{
	struct edit e;
	int rc = 0;

	*n = 0;
	begin(&e, text, len, original);
	for (size_t i = 0; i < p->n && rc >= 0; i++) {
		rc = editor_of(form)->has(&e, &p->list[i], err);
		*n += rc > 0;
	}
	end(&e);
	return rc < 0 ? -1 : 0;
}

int
edit_remove(enum wire_form form, const char *text, size_t len, const struct edit_original *original,
	const struct pieces *p, struct buf *out, struct err *err)
{
	struct edit e;
	int rc = 0;

	begin(&e, text, len, original);
	/* from the last to the first, so that defaults are looked at when all else is out */
	for (size_t i = p->n; i-- > 0 && rc >= 0;)
		while ((rc = editor_of(form)->remove(&e, &p->list[i], err)) > 0)
			continue;
	if (rc == 0) {
		buf_reset(out);
		buf_add(out, e.text.data, e.text.len);
	}
	end(&e);
	return rc;
}

int
edit_add(enum wire_form form, const char *text, size_t len, const struct edit_original *original,
	const struct pieces *p, struct buf *out, struct err *err)
{
	struct edit_original was;
	struct edit e;
	size_t n;
	int rc = -1;
	LOCAL(buf) before = buf_of(conf_caps.output_bytes);
	LOCAL(buf) again = buf_of(conf_caps.output_bytes);

	begin(&e, text, len, original);
	if (edit_count(form, text, len, original, p, &n, err) != 0)
		goto out;
	if (n < p->n) {
		if (edit_remove(form, text, len, original, p, &before, err) != 0)
			goto out;
		buf_reset(&e.text);
		buf_add(&e.text, before.data, before.len);
		was = (struct edit_original){ before.data, before.len };
		e.original = &was;
		for (size_t i = 0; i < p->n; i++) {
			int has = editor_of(form)->has(&e, &p->list[i], err);

			if (has == 0)
				has = editor_of(form)->add(&e, &p->list[i], err);
			if (has < 0)
				goto out;
		}
		if (edit_remove(form, e.text.data, e.text.len, &was, p, &again, err) != 0)
			goto out;
		if (again.len != before.len || memcmp(again.data, before.data, again.len) != 0) {
			err_set(err, ERR_DATA, "is written in a way that could not be given back");
			goto out;
		}
	}
	buf_reset(out);
	buf_add(out, e.text.data, e.text.len);
	rc = 0;
out:
	end(&e);
	return rc;
}
