/*
 * summary.c: the extractive summary, made of sentences, and what is reported with a summary of
 * either kind: the structured part and what was left out.
 *
 *    - Caroline Ruiz: I went to a LGBTQ support group yesterday. It was so powerful.
 *    - Melanie: I met Ana there.
 *    - Caroline: She moves to Graz in May.
 *
 * A line holds what was chosen of one turn, with who said it where that changes, by the first name
 * from the second time on. Sentences are chosen whose words the session keeps coming back to, and
 * no chosen one has (rank/digest.h); those that follow each other are one source with its byte
 * span. On real histories no learnt weight of a sentence did better. A fact is a line of its own.
 */
#include "summary/summary.h"

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "json/json.h"
#include "lexicon/lex.h"
#include "statement/details.h"
#include "statement/clause.h"
#include "statement/cues.h"
#include "statement/plain.h"
#include "statement/speech.h"
#include "statement/statement.h"
#include "summary/summary_loss.h"
#include "summary/summary_parts.h"
#include "text/tokens.h"
#include "text/words.h"

#define LISTED_MOST   20               /* entries of each list of the structured part */
#define SENTENCE_MOST 300              /* bytes; of a longer one each clause is a unit */
#define UNITS_MOST    40000
#define OUT_BYTES     (1u << 20)
#define LINE_QUARTERS 3                /* "- " and the newline */
#define CUES_MOST     32
#define LEAST_WORDS   2                /* content words of a unit that says something */

/* ---- units ---- */

/*
 * What may be chosen: a sentence, with the one before it in its message where it leans on that or
 * takes it back; a clause of one that is long; a fact.
 */
struct unit {
	uint32_t said;
	size_t start, len;                     /* bytes of what was said */
	unsigned flags;                        /* of enum clause_flag, of its first clause */
};

struct units {
	const struct summary_said *said;
	size_t n_said;
	uint32_t at;
	struct unit *items;
	size_t n, cap;
};

/* Whether text [len] begins with "she", "that" and the like, which what is before explains. */
static bool
leans(const char *text, size_t len)
{
	const struct cues *words = cues_of("schema/cues/statement.txt");
	int third = cues_class(words, "third"), it = cues_class(words, "it");
	struct cue found[CUES_MOST];
	size_t n = cues_find(words, text, len, found, CUES_MOST, NULL);

	for (size_t i = 0; i < n && found[i].at == 0; i++)
		if ((int)found[i].class == third || (int)found[i].class == it)
			return true;
	return false;
}

/* Whether a name [len] is that of somebody who speaks, whole or the first part. */
static bool
is_speaker(const struct units *v, const char *name, size_t len)
{
	size_t i = 0;

	while (i < v->n_said && (strncmp(v->said[i].speaker, name, len) != 0 ||
	    strchr(" ", v->said[i].speaker[len]) == NULL))
		i++;
	return i < v->n_said;
}

/* The bytes of names that a turn is addressed to: "ida: ", "@ida, otto: ". */
static size_t
address_len(const struct units *v, const char *text)
{
	for (size_t at = 0, n;; at += strspn(text + at, " ")) {
		const char *name = text + at + (text[at] == '@');

		n = strcspn(name, ":, \n");
		if (n == 0 || (name[n] != ':' && name[n] != ',') || !is_speaker(v, name, n))
			return at;
		at = (size_t)(name - text) + n + 1;
	}
}

static int
add_unit(void *arg, const struct clause *c)
{
	struct units *v = arg;
	const char *text = v->said[v->at].text;
	bool whole = c->sentence_len <= SENTENCE_MOST;
	struct unit *last = v->n > 0 && v->items[v->n - 1].said == v->at ? &v->items[v->n - 1]
		: NULL;
	size_t start = whole ? c->sentence : c->start,
	       end = start + (whole ? c->sentence_len : c->len);

	if (last != NULL && start < last->start + last->len)
		return 0;                      /* another clause of its sentence */
	start = start > 0 ? start : MIN(address_len(v, text), end);
	if (last != NULL && end - last->start <= SENTENCE_MOST &&
	    (leans(text + start, end - start) ||
		speech_takes_back(text + start, end - start))) {
		last->len = end - last->start;
		return 0;
	}
	*xpush(v->items, v->n, v->cap) = (struct unit){ v->at, start, end - start, c->flags };
	return v->n == UNITS_MOST;
}

static void
find_units(struct units *v, enum summary_of of)
{
	for (v->at = 0; v->at < v->n_said && v->n < UNITS_MOST; v->at++) {
		const struct summary_said *t = &v->said[v->at];
		if (of == SUMMARY_OF_SESSION) {
			clauses_each(t->text, t->len, add_unit, v);
			continue;
		}
		*xpush(v->items, v->n, v->cap) = (struct unit){ v->at, 0, t->len, 0 };
	}
}

static int
count_word(void *arg, const struct word *w)
{
	*(size_t *)arg += w->kind != WORD_PAIR && w->kind != WORD_PART;
	return 0;
}

size_t
summary_words(const char *text, size_t len)
{
	size_t n = 0;

	words_each(text, len, count_word, &n);
	return n;
}

/* ---- the text ---- */

/* Whether a stop ends the text, perhaps in quotation marks or parentheses. */
static bool
is_stopped(const char *text, size_t len)
{
	static const char *const marks[] = { "。", "！", "？", "…", "”", "」" };
	size_t k = 4;

	if (len > 1 && strchr("\"')*", text[len - 1]) != NULL)
		len--;
	else if (len > 3 &&
	    (memcmp(text + len - 3, marks[4], 3) == 0 || memcmp(text + len - 3, marks[5], 3) == 0))
		len -= 3;
	while (k > 0 && (len < 3 || memcmp(text + len - 3, marks[k - 1], 3) != 0))
		k--;
	return k > 0 || (len > 0 && strchr(".!?", text[len - 1]) != NULL);
}

static bool
has_han(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] >= 0xe3 && (unsigned char)text[i] <= 0xe9)
			return true;
	return false;
}

/* Writes a sentence in one line, in its own letters, and with a stop. */
static void
write_sentence(struct buf *b, enum summary_of of, const char *text, size_t len, bool asks)
{
	while (of == SUMMARY_OF_SESSION && len > 0 && strchr(",;:", text[len - 1]) != NULL)
		len--;
	plain_add(b, text, len);
	if (of == SUMMARY_OF_FACTS || len == 0 || is_stopped(text, len))
		return;
	if (has_han(text, len))
		buf_adds(b, asks ? "？" : "。");
	else
		buf_addc(b, asks ? '?' : '.');
}

/* Units that follow each other with but blanks between them, as bytes of what was said. */
struct run { uint32_t said; size_t start, len; bool asks; };

static size_t
make_runs(const struct units *v, const uint32_t *picked, size_t n, struct run *out)
{
	size_t n_runs = 0;

	for (size_t i = 0; i < n; i++) {
		const struct unit *u = &v->items[picked[i]];
		struct run *last = n_runs > 0 ? &out[n_runs - 1] : NULL;
		size_t end = last == NULL ? 0 : last->start + last->len;
		if (last != NULL && last->said == u->said && u->start >= end &&
		    strspn(v->said[u->said].text + end, " ") >= u->start - end)
			last->len = u->start + u->len - last->start;
		else
			out[n_runs++] = (struct run){ u->said, u->start, u->len, false };
		out[n_runs - 1].asks = (u->flags & CLAUSE_QUESTION) != 0;
	}
	return n_runs;
}

/*
 * The bytes of the first name of a speaker, if nobody else has it and it is a name: "Aunt" of "Aunt
 * Rose" is none. Else of the whole name.
 */
static size_t
first_name(const struct units *v, const char *name)
{
	size_t n = strcspn(name, " ");
	struct lex_token t;

	if (lex_next(name, n, 0, &t) && (lex_is(&t, LEX_KIN, LEX_ANY, NULL) ||
	    lex_is(&t, LEX_TITLE, LEX_ANY, NULL)))
		return strlen(name);
	for (size_t i = 0; i < v->n_said; i++)
		if (strncmp(v->said[i].speaker, name, n) == 0 &&
		    strcmp(v->said[i].speaker, name) != 0)
			return strlen(name);
	return n;
}

static void
write_text(const struct units *v, enum summary_of of, const struct run *runs, size_t n,
	struct buf *b)
{
	const char *speaker = "";

	for (size_t i = 0; i < n; i++) {
		const struct summary_said *t = &v->said[runs[i].said];
		bool named = false;
		if (i > 0 && runs[i - 1].said == runs[i].said) {
			buf_addc(b, ' ');
		} else {
			for (size_t k = 0; k < i && !named; k++)
				named = strcmp(v->said[runs[k].said].speaker, t->speaker) == 0;
			buf_adds(b, i > 0 ? "\n- " : "- ");
			if (strcmp(t->speaker, speaker) != 0)
				buf_addf(b, "%.*s: ",
				    (int)(named ? first_name(v, t->speaker) : strlen(t->speaker)),
				    t->speaker);
			speaker = t->speaker;
		}
		write_sentence(b, of, t->text + runs[i].start, runs[i].len, runs[i].asks);
	}
}

/* Whether text [len] is no figures, no code and no address. */
static bool
is_prose(const char *text, size_t len)
{
	size_t n = 0, n_apart = 0;             /* blanks, and bytes of scripts without them */

	for (size_t i = 0; i < len; i++) {
		bool apart = text[i] == ' ' || (unsigned char)text[i] >= 0xe3;
		n_apart += apart;
		n += apart || ascii_is_letter((unsigned char)text[i]) ||
		    (unsigned char)text[i] >= 0x80;
	}
	return n_apart > 0 && n * 10 >= len * 6;
}

/*
 * Words that say something: no function words, no courtesies, no small talk. Two Chinese
 * characters are one.
 */
static size_t
content_words(const char *text, size_t len)
{
	size_t halves = 0;
	unsigned in = LEX_IN(lex_language_of(text, len));
	struct lex_token t;

	for (size_t at = 0; lex_next(text, len, at, &t); at = t.end)
		if (!lex_is(&t, LEX_STOP, LEX_ANY, NULL) &&
		    !lex_is(&t, LEX_FUNCTION, in, NULL) &&
		    !lex_is(&t, LEX_TALK_WORD, LEX_ANY, NULL) &&
		    !lex_is(&t, LEX_COURTESY, LEX_ANY, NULL))
			halves += t.unspaced ? 1 : 2;
	return halves / 2;
}

/*
 * What a unit is worth beside its words: the user's tell what was wanted and what holds, what only
 * leads over to what follows, or has but two words, says little, and what is no prose, what
 * somebody else is quoted with or what an assistant asks nothing.
 */
static float
value_of(const struct units *v, const struct unit *u, size_t least)
{
	const struct summary_said *t = &v->said[u->said];
	const char *text = t->text + u->start;
	size_t n_words = content_words(text, u->len);

	if (n_words < least || !is_prose(text, u->len) ||
	    (u->flags & CLAUSE_QUOTED) != 0 ||
	    (!t->is_user && (u->flags & CLAUSE_QUESTION) != 0))
		return 0;
	return (t->is_user ? 2 : 1) * (n_words > LEAST_WORDS ? 1 : .5F) *
	    (text[u->len - 1] == ':' || text[u->len] == ':' ? .5F : 1);
}

/* What the digest is to choose from. */
static struct digest_unit *
make_units(const struct units *v)
{
	struct digest_unit *out = xcalloc(v->n + 1, sizeof(*out));
	LOCAL(term_set) seen = { NULL, 0, 0 };
	bool any = false;

	/* a summary is never empty: where all is short, less is asked of a unit */
	for (size_t least = LEAST_WORDS + 1; !any && least-- > 0;)
		for (size_t i = 0; i < v->n; i++) {
			const struct unit *u = &v->items[i];
			out[i] = (struct digest_unit){ v->said[u->said].text + u->start, u->len,
				u->said, LINE_QUARTERS, value_of(v, u, least), 0 };
			any |= out[i].value > 0;
		}
	/* what is said again, by whom ever, says nothing more */
	for (size_t i = 0; i < v->n; i++) {
		bool first = term_set_first(&seen, hash64(out[i].text, out[i].len, 0));

		out[i].value = !first ? 0 : any ? out[i].value : 1;
	}
	if (v->n > 0)
		summary_later(out, v->n, v->said);
	return out;
}

/* Makes content and sources by choosing units; false: there are none. */
static bool
by_rules(enum summary_of of, const struct units *v, struct summary_room room, struct arena *a,
	struct summary_made *out)
{
	FREED struct digest_unit *units = make_units(v);
	FREED uint32_t *picked = xreallocarray(NULL, v->n + 1, sizeof(*picked));
	FREED struct run *runs = xcalloc(v->n + 1, sizeof(*runs));
	struct record_source *sources;
	size_t n;
	LOCAL(buf) b = buf_of(OUT_BYTES), speakers = buf_of(OUT_BYTES);

	for (size_t i = 0; i < v->n_said; i++)
		if (i < 2 || strcmp(v->said[i].speaker, v->said[i - 1].speaker) != 0)
			buf_addf(&speakers, "%s\n", v->said[i].speaker);
	/*
	 * How often the speaker changes, and the number of words, is known only after writing, so
	 * the room shrinks until it fits.
	 */
	for (uint64_t most = (uint64_t)room.tokens * 4, quarters = most;;) {
		buf_reset(&b);
		n = digest_pick(units, v->n, speakers.data, speakers.len, quarters, picked);
		n = MIN(make_runs(v, picked, n, runs), RECORD_SOURCES_MAX);
		write_text(v, of, runs, n, &b);
		uint64_t took = tokens_quarters(b.data, b.len);
		if (n == 0 || (took <= most && summary_words(b.data, b.len) <= room.words))
			break;
		quarters = took > most ? quarters - MIN(took - most, quarters) : quarters * 7 / 8;
	}
	sources = arena_alloc(a, (n + 1) * sizeof(*sources));
	out->trust = 3;
	for (size_t i = 0; i < n; i++) {
		const struct summary_said *t = &v->said[runs[i].said];
		sources[i] = (struct record_source){ t->id, (int64_t)runs[i].start,
			(int64_t)runs[i].len };
		out->trust = MIN(out->trust, t->trust);
	}
	out->content = arena_strndup(a, b.data, b.len);
	out->len = b.len;
	out->sources = sources;
	out->n_sources = n;
	return n > 0;
}

/* ---- the structured part ---- */

enum { FACTS, PREFERENCES, DECISIONS, TODOS, ENTITIES, N_PARTS = SUMMARY_PARTS };
const char *const summary_part_names[N_PARTS] = { "facts", "preferences", "decisions", "todos",
	"entities" };
static const int part_of[] = { [READ_FACT] = FACTS, [READ_PREFERENCE] = PREFERENCES,
	[READ_DECISION] = DECISIONS, [READ_TODO] = TODOS, [READ_RULE] = PREFERENCES };

struct structure {
	struct buf parts[N_PARTS];
	size_t n[N_PARTS];
	struct term_set seen;
	const struct units *said;
	const char *text;                      /* of the current message or sentence */
	bool noun_capital;                     /* in its language a capital makes no name */
};

static void
add_entry(struct structure *v, int part, const char *text, size_t len)
{
	if (v->n[part] == LISTED_MOST ||
	    !term_set_first(&v->seen, hash64(text, len, (uint64_t)part)))
		return;
	v->n[part]++;
	json_item(&v->parts[part], text, len);
}

/*
 * Whether a word that may be any noun is a name: that of somebody who speaks, or one of several
 * parts with a capital each.
 */
static bool
is_sure_name(const struct structure *v, const char *name, size_t len)
{
	size_t n_capitals = 0;

	for (size_t i = 0; i < len; i++)
		n_capitals += ascii_is_upper(name[i]) || name[i] == '_';
	for (size_t i = 0; i < v->said->n_said; i++)
		for (const char *p = v->said->said[i].speaker; *p != '\0'; p += strcspn(p, " ")) {
			p += strspn(p, " ");
			if (strcspn(p, " ") == len && memcmp(p, name, len) == 0)
				return true;
		}
	return n_capitals > 1;
}

/* The language that most of what was said is of, where it tells. */
static unsigned
language_of(const struct units *v)
{
	unsigned n[LEX_LANGS + 1] = { 0 }, best = LEX_EN;

	for (size_t i = 0; i < v->n_said; i++)
		n[lex_language_or(v->said[i].text, v->said[i].len, LEX_LANGS)]++;
	for (unsigned l = 0; l < LEX_LANGS; l++)
		best = n[l] > n[best] ? l : best;
	return best;
}

/* Adds a name: a letter or two are none, and ".Err" is a word of some notation. */
static int
add_name(void *arg, const struct detail *d)
{
	struct structure *v = arg;
	const char *name = v->text + d->start;

	if (d->kind == DETAIL_NAME && d->len > 2 &&
	    ((unsigned char)name[0] >= 0x80 || ascii_is_letter(name[0])) &&
	    (d->start == 0 || strchr(" \n(\"*", name[-1]) != NULL) &&
	    (!v->noun_capital || is_sure_name(v, name, d->len)))
		add_entry(v, ENTITIES, name, d->len);
	return 0;
}

static int
add_statement(void *arg, const struct statement *s)
{
	struct structure *v = arg;
	LOCAL(buf) b = buf_of(OUT_BYTES);

	plain_add(&b, v->text + s->start, s->len);
	add_entry(v, part_of[s->read.kind], b.data, b.len);
	return 0;
}

static const char *
write_structure(const struct units *u, struct arena *a)
{
	struct structure v = { .seen = { NULL, 0, 0 }, .said = u };
	unsigned lang = language_of(u), of_unit;
	LOCAL(buf) b = buf_of(OUT_BYTES);

	for (size_t i = 0; i < N_PARTS; i++)
		buf_init(&v.parts[i], OUT_BYTES);
	for (size_t i = 0; i < u->n_said; i++) {
		const struct summary_said *t = &u->said[i];
		const struct statement_turn turn = { .text = t->text, .len = t->len,
			.project = t->of_project, .told = !t->is_user };
		if (t->speaker[0] != '\0' && role_parse(t->speaker) == ROLE_OTHER)
			add_entry(&v, ENTITIES, t->speaker, strlen(t->speaker));
		v.text = t->text;
		statements_of(&turn, NULL, add_statement, &v);
	}
	for (size_t i = 0; i < u->n; i++) {
		v.text = u->said[u->items[i].said].text + u->items[i].start;
		of_unit = lex_language_or(v.text, u->items[i].len, lang);
		v.noun_capital = lex_label(LEX_NOUN_CAPITAL, of_unit, 0) != NULL;
		details_each(v.text, u->items[i].len, add_name, &v);
	}
	json_open(&b);
	for (size_t i = 0; i < N_PARTS; i++) {
		json_array(&b, summary_part_names[i], &v.parts[i]);
		buf_release(&v.parts[i]);
	}
	json_close(&b);
	term_set_release(&v.seen);
	const char *text = arena_strndup(a, b.data, b.len);
	return text;
}

/* ---- what was left out ---- */

struct decisions { struct summary_loss *loss; const char *text; };

static int
add_decision(void *arg, const struct statement *s)
{
	const struct decisions *d = arg;

	if (s->read.kind == READ_DECISION)
		summary_loss_decision(d->loss, d->text + s->start, s->len);
	return 0;
}

static void
report_loss(const struct units *v, struct arena *a, struct summary_made *out)
{
	struct summary_loss *loss = summary_loss_new(out->content, out->len);
	LOCAL(buf) lost = buf_of(OUT_BYTES), b = buf_of(OUT_BYTES);

	for (size_t i = 0; i < v->n; i++) {
		const struct unit *u = &v->items[i];
		struct decisions d = { loss, v->said[u->said].text + u->start };
		summary_loss_add(loss, d.text, u->len);
		statements_each(d.text, u->len, add_decision, &d);
	}
	out->n_lost = summary_loss_report(loss, &lost);
	json_open(&b);
	if (out->n_lost > 0)
		json_raw(&b, "lost", lost.data, lost.len);
	if (out->n_dropped > 0)
		json_int(&b, "dropped", (int64_t)out->n_dropped);
	json_str(&b, "note", out->note[0] != '\0' ? out->note : NULL);
	json_close(&b);
	out->extra = arena_strndup(a, b.data, b.len);
	summary_loss_free(loss);
}

bool
summary_make(enum summary_of of, const struct summary_said *said, size_t n,
	struct summary_room room, struct llm *l, struct arena *a, struct summary_made *out)
{
	struct units v = { .said = said, .n_said = n };

	*out = (struct summary_made){ .content = "",
		.structured = "",
		.extra = "",
		.model = "",
		.note = "",
		.trust = 3 };
	find_units(&v, of);
	bool made = n > 0 && l != NULL && summary_by_model(of, said, n, room, l, a, out);
	if (!made && (made = by_rules(of, &v, room, a, out)) && of == SUMMARY_OF_SESSION)
		out->structured = write_structure(&v, a);
	if (made)
		report_loss(&v, a, out);
	free(v.items);
	return made;
}

struct fact
summary_record(const struct summary_made *made)
{
	return (struct fact){ .head = { .type = RECORD_SUMMARY, .origin = ORIGIN_DERIVED,
		.source_id = "", .content = made->content, .content_len = made->len, .tags = "",
		.extra = made->extra, .retracted_us = TIME_NONE, .accessed_us = TIME_NONE },
		.key = "", .bank = "", .subcategory = "", .valid_from_us = TIME_NONE,
		.valid_to_us = TIME_NONE, .superseded_by = "", .summarized = "" };
}
