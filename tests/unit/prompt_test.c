/* prompt_test.c: which part of a prompt asks: what counts fully, what counts little, and where. */
#include "tap.h"

#include "base/base.h"
#include "rank/prompt.h"

static struct prompt p;

/* The weight of the first occurrence of word. */
static float
weight(const char *text, const char *word)
{
	prompt_read(&p, text, strlen(text));
	return prompt_weight(&p, (size_t)(strstr(text, word) - text));
}

static void
test_bare(void)
{
	static const char *const bare[] = { "", "kettle", "Where did we buy the kettle?",
		"After the road trip, what did Ana do to relax?",
		"Which boats, kayaks, rafts or canoes does Tom own?",
		"Would Ana have read the books of Dr. Seuss to Mrs. Pike?", "我们在哪里买了水壶？", NULL };

	for (size_t i = 0; bare[i] != NULL; i++) {
		prompt_read(&p, bare[i], strlen(bare[i]));
		ok(p.n == 0 && prompt_clause_at(&p, 0) == NULL, "asks as a whole: %s", bare[i]);
	}
}

static void
test_wrapped(void)
{
	const char *text = "I came home late and the lamp is broken. Where did we buy the "
			   "kettle? Please answer in two short sentences.";

	ok(weight(text, "kettle") > 0.999f, "the question counts fully");
	ok(weight(text, "lamp") < 0.4f, "what leads to it less");
	ok(weight(text, "sentences") < 0.15f, "how to answer hardly at all");
	ok(prompt_clause_at(&p, 0)->sentence < 0.4f, "nor does its sentence");
	ok(weight("i was cleaning the lamp, where did ana put the fuse?", "fuse") > 0.999f,
	    "a question behind a statement");
	ok(weight("i was cleaning the lamp, where did ana put the fuse?", "lamp") < 0.5f,
	    "is all that asks");
	ok(weight("typed in a hurry. where is the fuse? thx", "fuse") > 0.999f,
	    "sentences that begin in lower case");
	ok(weight("typed in a hurry. where is the fuse? thx", "thx") < 0.15f, "thanks");
	ok(weight("台灯坏了。我们在哪里买了水壶？", "台") < 0.5f, "in Chinese");
	ok(weight("Ich kam spät nach Hause und die Lampe ist kaputt. Wo haben wir den Kessel "
		  "gekauft? Bitte antworte in zwei kurzen Sätzen.", "Sätzen") < 0.2f,
	    "how to answer in German hardly counts");
	ok(weight("Ich habe die Lampe geputzt, wo hat Ana die Sicherung", "Sicherung") > 0.999f &&
		weight("Ich habe die Lampe geputzt, wo hat Ana die Sicherung", "Lampe") < 0.6f,
	    "a question in German behind a statement");
	ok(weight("Merci beaucoup ! Où avons-nous acheté la bouilloire ?", "Merci") < 0.3f,
	    "thanks in French");
	ok(weight("Estaba limpiando la lámpara, ¿dónde puso Ana el fusible?", "lámpara") < 0.9f,
	    "a statement in Spanish before a question");
	ok(prompt_asks("我们上周去了哪里", strlen("我们上周去了哪里")) &&
		!prompt_asks("我们上周去了山里", strlen("我们上周去了山里")),
	    "a question in Chinese without a mark");
}

/* Words before a question that names nothing tell what is meant: they count, and ask nothing. */
static void
test_told(void)
{
	const char *told = "Ana was at the fair on Sunday. What was it that she bought there?",
		   *named = "Ana was at the fair on Sunday. What was it that Ana bought there?";
	float asks = weight(told, "fair"), words = prompt_words(&p, strlen("Ana was at the ")),
	      beside = (weight(named, "fair"), prompt_words(&p, strlen("Ana was at the ")));

	ok(asks < words && words < 1, "what tells what is meant counts more than it asks");
	ok(words > 1.2f * beside, "and more than before a question with a name");
	ok(prompt_weight(&p, 0) <= prompt_words(&p, 0) && prompt_words(&p, 0) < 0.5f,
	    "where it counts little");
	weight(told, "bought");
	ok(prompt_words(&p, (size_t)(strstr(told, "bought") - told)) > 0.999f,
	    "the question counts fully");
	weight("Where is the fair? Where is the kettle?", "fair");
	ok(prompt_words(&p, 13) <= 1 && prompt_words(&p, 13) >= prompt_weight(&p, 13),
	    "a question tells nothing");
}

static void
test_long(void)
{
	static char text[9000];
	size_t n = 0;

	for (unsigned i = 0; i < 400; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "Line %u is long. ", i);
	prompt_read(&p, text, n);
	is_int((int)p.n, PROMPT_CLAUSES, "a prompt of many clauses");
	is_int((int)p.clauses[p.n - 1].end, (int)n, "the last one takes the rest");
}

/* Anything at all: clauses cover the text in order, the best has 1, none is out of bounds. */
static void
test_noise(void)
{
	static const char *const bits[] = { "? ", ". ", ", ", "why ", "did you ", "\n", "- ",
		" -- ", "\xef\xbc\x9f", "\xe2\x80\x99", "'", "please ", "A", "7", "\xff", "{}",
		": ", "so " };
	uint32_t seed = 5;
	unsigned bad = 0;

	for (unsigned round = 0; round < 5000; round++) {
		size_t len = 0, end = 0;
		char text[200], *copy;
		float most = 0;

		while (len < 150) {
			const char *bit = bits[(seed = seed * 1664525u + 1013904223u) / 65536 %
			    NELEM(bits)];
			memcpy(text + len, bit, strlen(bit));
			len += strlen(bit);
		}
		copy = malloc(len);
		memcpy(copy, text, len);
		prompt_read(&p, copy, len);
		for (size_t i = 0; i < p.n; i++) {
			const struct prompt_clause *c = &p.clauses[i];
			bad += c->start < end || c->end <= c->start || !(c->weight >= 0) ||
			    c->weight > 1 || c->sentence < c->weight || !(c->words >= 0) ||
			    c->words > 1;
			end = c->end;
			most = most > c->weight ? most : c->weight;
		}
		bad += p.n > 0 && (end > len || !(most > 0.999f));
		free(copy);
	}
	is_int((int)bad, 0, "5,000 jumbled prompts");
}

int
main(void)
{
	test_bare();
	test_wrapped();
	test_told();
	test_long();
	test_noise();
	return tap_done();
}
