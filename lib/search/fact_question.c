/* fact_question.c: reads a question as statements are read, and compares it with facts. */
#include "search/fact_question.h"

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/span.h"
#include "statement/cues.h"
#include "text/words.h"
#include "time/timewords.h"
#include "gen/question_rows.h"

#define SPANS_MOST 4
#define CUES_MOST  16

/* Behind one of these a time is the beginning of what holds now. */
static const char *const since[] = { "since ", "from ", "after ", "seit ", "ab ", "自", "从" };
/* What asks for what held once, as words are folded. */
static const char *const once[] = { QUESTION_ONCE };
static const char *const of_users[] = { "the user", "用户", "der nutzer", "der user" };

static bool
has(const char *text, size_t len, const char *what)
{
	size_t n = strlen(what);

	for (size_t i = 0; i + n <= len; i++)
		if (memcmp(text + i, what, n) == 0 &&
		    (i == 0 || (unsigned char)*what >= 0x80 || !ascii_is_alnum(text[i - 1])))
			return true;
	return false;
}

/* The question in lower case; the caller frees it. */
static char *
fold(const char *text, size_t len, size_t *n)
{
	char *out = xmalloc(3 * len + 1);

	*n = words_fold(text, len, out);
	return out;
}

static bool
ends_with_any(const char *text, size_t len, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (span_ends(text, len, list[i]))
			return true;
	return false;
}

/* Spans of time: one that is to come; one that is over, and not the beginning of what holds now. */
static void
read_time(struct fact_question *q, int64_t now_us)
{
	struct time_span spans[SPANS_MOST];
	size_t n = timewords_find(q->text, q->len, now_us, spans, SPANS_MOST);

	for (size_t i = 0; i < n && q->from_us == TIME_NONE; i++) {
		const struct time_span *t = &spans[i];
		q->ahead |= t->from_us == TIME_NONE || t->from_us > now_us;
		if (t->from_us == TIME_NONE || t->to_us > now_us ||
		    ends_with_any(q->text, t->start, since, NELEM(since)))
			continue;
		q->from_us = t->from_us;
		q->to_us = t->to_us;
		q->past = true;
	}
}

static void
add_slot(struct fact_question *q, const char *slot)
{
	for (size_t i = 0; i < q->n_slots; i++)
		if (strcmp(q->slots[i], slot) == 0)
			return;
	if (*slot != '\0' && q->n_slots < FACT_SLOTS)
		q->slots[q->n_slots++] = slot;
}

static void
read_slots(struct fact_question *q)
{
	const struct cues *asks = cues_of("schema/cues/asks.txt");
	struct cue found[CUES_MOST];
	size_t n_classes, n = cues_find(asks, q->text, q->len, found, CUES_MOST, NULL);
	const struct cue_class *classes = cues_classes(asks, &n_classes);

	add_slot(q, q->reading.slot);
	for (size_t i = 0; i < n; i++)
		add_slot(q, classes[found[i].class].name);
}

void
fact_question_read(struct fact_question *q, const char *text, size_t len, int64_t now_us)
{
	size_t n;
	FREED char *folded = fold(text, len, &n);

	*q = (struct fact_question){ .text = text, .len = len, .from_us = TIME_NONE,
		.to_us = TIME_NONE };
	said_read(&q->words, text, len);
	reading_of(text, len, NULL, &q->reading);
	read_slots(q);
	for (size_t i = 0; i < NELEM(once); i++)
		q->past |= has(folded, n, once[i]);
	q->past |= timewords_looks_back(text, len);
	for (size_t i = 0; i < NELEM(of_users); i++)
		q->of_user |= has(folded, n, of_users[i]);
	for (size_t i = 0; i < q->words.n; i++)
		q->of_user |= q->words.w[i].person || q->words.w[i].mine;
	q->ahead = timewords_asks_when(text, len) ||
	    cues_has("schema/cues/statement.txt", "plan", text, len);
	read_time(q, now_us);
}

bool
fact_question_names(const struct fact_question *q, const char *subject)
{
	static _Thread_local struct said name;
	size_t n_found = 0;

	if (subject == NULL)
		return false;
	if (*subject == '\0')
		return q->of_user;
	said_read(&name, subject, strlen(subject));
	for (size_t i = 0; i < name.n; i++)
		for (size_t k = 0; k < q->words.n; k++)
			if (q->words.w[k].content && q->words.w[k].id == name.w[i].id) {
				n_found++;
				break;
			}
	return n_found > 0 && (n_found == name.n || !name.w[0].half);
}

static bool
stands_in(const struct said_word *w, const struct said *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (said_same(w, &s->w[i]))
			return true;
	return false;
}

void
fact_question_match(const struct fact_question *q, const char *subject, const struct fact *f,
	const char *said, size_t said_len, uint8_t *match)
{
	static _Thread_local struct said of_fact, of_said, name;

	said_read(&of_fact, f->head.content, f->head.content_len);
	said_read(&of_said, said, said != NULL ? said_len : 0);
	said_read(&name, subject, subject != NULL ? strlen(subject) : 0);
	for (size_t i = 0; i < q->words.n; i++) {
		const struct said_word *w = &q->words.w[i];
		match[i] = !w->content || stands_in(w, &name) ? 0
		    : stands_in(w, &of_fact)		      ? 2
		    : stands_in(w, &of_said)		      ? 1
							      : 0;
	}
}

bool
fact_question_keyed(const struct fact_question *q, const struct fact *f)
{
	const char *colon = strrchr(f->key, ':'), *key = colon != NULL ? colon + 1 : f->key;
	struct reading r;

	if (q->n_slots == 0)
		return false;
	reading_of(f->head.content, f->head.content_len, NULL, &r);
	for (size_t i = 0; i < q->n_slots; i++) {
		size_t n = strlen(q->slots[i]);
		if (strcmp(q->slots[i], r.slot) == 0 ||
		    (strncmp(key, q->slots[i], n) == 0 && (key[n] == '\0' || key[n] == '_')))
			return true;
	}
	return false;
}

bool
fact_question_held(const struct fact_question *q, const struct fact *f)
{
	if (q->from_us == TIME_NONE)
		return true;
	return (f->valid_from_us == TIME_NONE || f->valid_from_us < q->to_us) &&
	    (f->valid_to_us == TIME_NONE || f->valid_to_us > q->from_us);
}
