/*
 * statement_test.c: what is taken of a text by its words.
 */
#include "tap.h"

#include "base/base.h"
#include "statement/statement.h"

static char got[500];

static int
join(void *arg, const struct statement *s)
{
	const char *text = arg;
	size_t n = strlen(got);

	snprintf(got + n, sizeof(got) - n, "%s%.*s", n > 0 ? "|" : "", (int)s->len,
	    text + s->start);
	return 0;
}

static const char *
found(const char *text)
{
	got[0] = '\0';
	statements_each(text, strlen(text), join, (void *)text);
	return got;
}

static void
test_words(void)
{
	is_str(found("Hi there! I live in Lisbon, and my sister lives in Rome. Is it far?"),
	    "I live in Lisbon|my sister lives in Rome", "two statements and a question");
	is_str(found("If I lived in Rome I would eat pizza."), "", "a condition");
	is_str(found("I no longer live in Rome, I live in Linz instead."),
	    "I no longer live in Rome|I live in Linz instead", "two statements of oneself");
	is_str(found("我住在北京,我老婆是护士。你呢？"), "我住在北京|我老婆是护士", "half-width commas");
	is_str(found("I have to say, it was great. I have to call the bank before Friday. You have "
	    "to call it, too."), "I have to call the bank before Friday", "an errand is a todo");
	is_str(found("Wir m\xc3\xbcssen noch die Miete \xc3\xbc" "berweisen. Ich muss noch kurz "
	    "schauen."), "Wir m\xc3\xbcssen noch die Miete \xc3\xbc" "berweisen",
	    "an errand of us in German");
	is_str(found("Ich muss sagen, das war gut. Ich muss noch die Miete zahlen. Tengo que decir "
	    "algo. Tengo que llamar al banco. \xc2\xbfTengo que pagar el pan?"),
	    "Ich muss noch die Miete zahlen|Tengo que llamar al banco",
	    "so is one in German and Spanish");
	is_str(found("todo: insure the boat (done already)\nmy todo: call Sandro. edit: done\n"
	    "note to self: never buy spruce unseen\ntodo: nothing today\n"
	    "todo: call Ann (mornings)\nnote to self: order the varnish"),
	    "todo: call Ann (mornings)|note to self: order the varnish",
	    "what is done, a rule and nothing are no todos");
	is_str(found("Ich wohne in Ulm. Kannst du mir helfen?"), "Ich wohne in Ulm", "German");
	is_str(found("We decided to drop it. I don't like doing them. Wir haben beschlossen, das "
	    "zu lassen. I have to sign the form for the bank and return it."),
	    "I have to sign the form for the bank and return it",
	    "what hangs on words of another sentence does not stand");
}

static void
test_told(void)
{
	is_str(found("After that we decided:\n\nThe kiln stays. It is old."), "",
	    "what a colon leads to below its line is not known to be all of it");
	is_str(found("At last we decided: we sell it all."), "At last we decided: we sell it all",
	    "the rest of its line is part of it");
	is_str(found("We decided on three things:"), "", "what leads to nothing is none");
	is_str(found("We decided to call it so:\nfire({ kiln: 1 });\n"), "",
	    "what leads to a line of code is none");
	is_str(found("Don't forget this:\n- [ ] Sell the kiln"), "Sell the kiln",
	    "a heading of tasks is none, and its tasks are");
	is_str(found("(always late): the kiln"), "",
	    "a remark in brackets says nothing of the rest");
	is_str(found("We decided to call scale((w, h)) before drawing."),
	    "We decided to call scale((w, h)) before drawing", "brackets in brackets tear nothing");
	is_str(found("[ERROR] 10:02 tunnel not supported"), "", "a line of a log is none");
}

/* What is taken of a text: in a project or not, of people who talk with each other or not. */
static void
takes(bool project, bool talk, const char *text, const char *want)
{
	const struct statement_turn t = { .text = text, .len = strlen(text), .project = project,
		.talk = talk };

	got[0] = '\0';
	statements_of(&t, NULL, join, (void *)text);
	is_str(got, want, "%s, %s: %s", project ? "a project" : "life",
	    talk ? "among people" : "to an assistant", text);
}

/* What sounds as if it lasted, and is said in passing, pasted or of something else. */
static void
test_passing(void)
{
	takes(true, false, "The glaze should only be mixed outdoors",
	    "The glaze should only be mixed outdoors");
	takes(true, false, "Each vase should be signed by hand",
	    "Each vase should be signed by hand");
	takes(true, false, "The third vase should be signed by hand", "");
	takes(true, false, "A kiln that should be warm is cold", "");
	takes(true, false, "Now the vase looks like what I want", "");
	takes(true, false, "We want a second kiln one day", "");
	takes(true, false, "print(f\"{kiln} should never be opened hot\")", "");
	takes(false, true, "{'error': 'gas is not supported by kilns'}", "");
	takes(true, false, "# Kiln\nNever use oak.\n## Tasks\n- [ ] paint the shed", "");
	takes(true, true, "# Kiln\nAgreed: we sell it.\n## Tasks\n- [ ] paint the shed",
	    "Agreed: we sell it|paint the shed");
	takes(true, false, "Agreed: we sell it.\n```sh\n# heat\nfire\n# open\n```",
	    "Agreed: we sell it");
	takes(false, false, "From now on, you read it first.", "");
	takes(false, false, "From now on, pretend to be the potter of Delft.", "");
	takes(false, true, "The lid works as expected", "");
	takes(false, false, "Soy milk gives my cat an allergy", "");
	takes(false, false, "Soy sauce is in all my favourite dishes", "");
	takes(false, false, "Soy vegana", "Soy vegana");
	takes(false, true, "I said so to my sister in the shed", "");
	takes(false, true, "My sister is a potter", "My sister is a potter");
	takes(false, true, "Het dorp waar ik woon heeft geen oven", "");
	takes(false, true, "Stel ik woon in Delft, wat dan?", "");
	takes(false, false, "We went to the pond and had coffee by a boat", "");
	takes(false, false, "I've got a small sailing boat", "I've got a small sailing boat");
	takes(false, false, "I have never seen so many people beside such a boat", "");
	takes(false, false, "Please act as a potter. I prefer short answers.",
	    "I prefer short answers");
}

static void
test_lasting(void)
{
	takes(false, false, "I own a small boat", "I own a small boat");
	takes(true, false, "I own a small boat", "I own a small boat");
	takes(false, false, "I usually swim before work", "");
	takes(false, false, "I tend to think that it rains", "");
	takes(false, false, "I'm saving for a boat", "I'm saving for a boat");
	takes(false, false, "I'm clear about what I hope to find", "");
	takes(true, true, "My sister lives in Rome", "My sister lives in Rome");
	takes(true, true, "We decided to keep the kiln logs in Postgres",
	    "We decided to keep the kiln logs in Postgres");
	takes(true, true, "The old loader doesn't support sparse files",
	    "The old loader doesn't support sparse files");
	/* an assistant may be told what is wanted; people ask each other for much */
	takes(true, false, "I want the kiln logs to be kept in Postgres",
	    "I want the kiln logs to be kept in Postgres");
	takes(true, true, "I want the kiln logs to be kept in Postgres", "");
	takes(false, false, "Don't forget to oil the kiln door",
	    "Don't forget to oil the kiln door");
	takes(false, true, "Don't forget to oil the kiln door", "");
	takes(true, false, "Never push to the kiln branch", "Never push to the kiln branch");
	takes(true, false, "Please always open the kiln before noon, never after.",
	    "Please always open the kiln before noon");
	/* what is done when the session ends, imagined or promised for the moment is nothing */
	takes(true, false, "I want to add a damper to the page", "");
	takes(true, false, "I want to use oak for the kiln", "I want to use oak for the kiln");
	takes(true, false, "I want it to be a warm red", "");
	takes(true, false, "Please make sure that the page is red", "");
	takes(true, false, "Make sure to never fire with oak", "Make sure to never fire with oak");
	takes(true, false, "I imagine the kiln should be of brick", "");
	takes(true, false, "Maybe the kiln should be of brick", "");
	takes(true, true, "I'll ask my sister about the kiln", "");
	takes(true, false, "The old kiln has never been fired", "");
	takes(true, true, "Wir heizen ab jetzt mit Öl", "Wir heizen ab jetzt mit Öl");
	takes(true, true, "Das Öl ist immer noch knapp", "");
	takes(true, false, "The plan which is caused by the kiln", "");
	takes(true, true, "I know it is not supported", "");
	takes(true, true, "We need the loader which doesn't support sparse files", "");
	takes(true, true, "We decided to fire it with gas for now", "");
	/* a word alone says nothing of what it is about */
	takes(true, true, "Root cause", "");
	takes(true, true, "Todo: Ann", "");
	takes(true, true, "Einstimmig beschlossen", "");
	takes(true, true, "Testen nicht vergessen", "");
	/* a label before a colon says what stands behind it */
	takes(true, true, "Fine, decided: we fire the kiln with oak.",
	    "Fine, decided: we fire the kiln with oak");
	takes(true, false, "Then we change our mind: fire it with gas.",
	    "we change our mind: fire it with gas");
	takes(true, true, "Entschieden: wir heizen mit Öl.", "Entschieden: wir heizen mit Öl");
	takes(true, true, "Decidido: usamos leña.", "Decidido: usamos leña");
	takes(true, true, "决定：我们烧木头。", "决定：我们烧木头");
	takes(true, false, "Todo: order oak", "Todo: order oak");
	takes(true, false, "Todo: translate the kiln page", "Todo: translate the kiln page");
	takes(true, false, "À faire : traduire la page", "À faire : traduire la page");
	takes(true, false, "待办：翻译这一页", "待办：翻译这一页");
	takes(true, false, "Todo: translate this: I live in Linz", "");
	takes(true, true, "Rule: logs are kept in Celsius", "Rule: logs are kept in Celsius");
	takes(false, false, "Règle : tout est en grammes", "Règle : tout est en grammes");
	takes(false, false, "Regel: noch offen", "");
	takes(true, false, "It is not decided: he may come.", "");
	takes(true, false, "Decided: which wood do we take?", "");
	takes(true, false, "Decided: should we fire with oak?", "");
	takes(true, false, "Not agreed: we fire with oak", "");
	takes(true, false, "We have not decided: oak or ash", "");
	takes(true, false, "Nicht beschlossen: wir heizen ab jetzt mit Öl.", "");
	takes(true, false, "Non abbiamo deciso di usare il gas.", "");
	takes(true, false, "我们还没有决定烧木头。", "");
	takes(true, false, "Decided: nothing yet.", "");
	takes(true, true, "The kiln is of brick\ndecided: we fire it with oak.",
	    "decided: we fire it with oak");
	takes(true, false, "Decision: TBD", "");
	takes(true, false, "决定：没有", "");
	takes(true, false, "Todo: none so far", "");
	takes(true, false, "Todo: open the damper", "Todo: open the damper");
	takes(true, false, "Decided: no oak in this kiln", "Decided: no oak in this kiln");
	takes(true, false, "We decided not to use gas", "We decided not to use gas");
	takes(true, true, "Never push to the kiln branch", "");
	/* what is told of oneself, in words of six languages; in a project, too */
	takes(true, false, "Ich heiße Nora", "Ich heiße Nora");
	takes(true, false, "J'habite à Brest", "J'habite à Brest");
	takes(true, false, "Abito a Udine", "Abito a Udine");
	takes(true, false, "Moro em Braga", "Moro em Braga");
	takes(true, true, "我对花粉过敏", "我对花粉过敏");
	/* what an assistant is asked to remember, or to do from now on */
	takes(true, false, "Remember that the kiln key hangs by the door",
	    "Remember that the kiln key hangs by the door");
	takes(false, false, "Merk dir, dass der Ofen links steht",
	    "Merk dir, dass der Ofen links steht");
	takes(true, true, "Remember that the kiln key hangs by the door", "");
	takes(false, false, "Désormais, réponds en breton", "Désormais, réponds en breton");
	takes(true, true, "We fire with gas from now on.", "We fire with gas from now on");
	takes(true, true, "Is the kiln to be fired with gas from now on?", "");
	takes(true, true, "Heizen wir ab jetzt mit Öl?", "");
	takes(true, false, "We never push to the kiln branch", "We never push to the kiln branch");
	takes(true, false, "We never saw the kiln branch", "");
	/* what was moved to another time */
	takes(true, false, "The firing was moved to 9 June", "The firing was moved to 9 June");
	takes(true, false, "The firing may have been moved to 9 June", "");
	takes(true, false, "The kiln was moved to the left", "");
	/* what somebody likes, in life; what they like of what they see is passing */
	takes(false, false, "I love figs", "I love figs");
	takes(false, false, "Me encanta el mar", "Me encanta el mar");
	takes(false, false, "I love the second draft", "");
	takes(false, false, "I like how it reads", "");
	takes(true, false, "I love figs", "");
	takes(true, false, "I prefer tabs", "I prefer tabs");
	takes(true, false, "I prefer the second one", "");
	/* what passes, or is asked */
	takes(true, false, "I want you to look at the kiln logs", "");
	takes(false, false, "I am looking for a boat that has two cabins", "");
	takes(true, false, "I should never have come here today", "");
	takes(true, true, "Works for me, I am in a meeting until four", "");
	/* Dutch, Italian, Portuguese, Spanish and French */
	takes(true, true, "We hebben besloten met gas te stoken",
	    "We hebben besloten met gas te stoken");
	takes(true, true, "We hebben nog niet besloten met gas te stoken", "");
	takes(true, false, "Onthoud dat de sleutel van de oven bij de deur is",
	    "Onthoud dat de sleutel van de oven bij de deur is");
	takes(true, false, "Nooit direct naar de ovenbranch pushen",
	    "Nooit direct naar de ovenbranch pushen");
	takes(true, false, "Ik wil dat je de oven schoonmaakt", "");
	takes(true, false, "Ik heb nooit geweten hoe die oven werkt", "");
	takes(true, false, "Ik moet nog de klei bestellen", "Ik moet nog de klei bestellen");
	takes(true, false, "Ze moet nog de klei bestellen", "");
	takes(false, false, "Herinner me eraan om de klei te bestellen",
	    "Herinner me eraan om de klei te bestellen");
	takes(false, false, "Ik herinner me de klei", "");
	takes(true, true, "Abbiamo deciso di cuocere con il gas",
	    "Abbiamo deciso di cuocere con il gas");
	takes(true, true, "Abbiamo deciso di cuocere con il gas?", "");
	takes(true, true, "Abbiamo quasi deciso di cuocere con il gas", "");
	takes(true, false, "Non toccare il forno senza chiedere",
	    "Non toccare il forno senza chiedere");
	takes(true, false, "Secondo il manuale il forno deve sempre raffreddarsi", "");
	takes(true, false, "Dobbiamo ancora ordinare l'argilla",
	    "Dobbiamo ancora ordinare l'argilla");
	takes(true, false, "Devo ancora capire come funziona", "");
	takes(false, false, "Mi piace questa risposta", "");
	takes(true, true, "Ficou decidido cozer com gás", "Ficou decidido cozer com gás");
	takes(true, true, "Talvez fique decidido cozer com gás", "");
	takes(true, false, "Nunca faças push para o ramo do forno",
	    "Nunca faças push para o ramo do forno");
	takes(true, false, "Quero que você limpe o forno", "");
	takes(false, false, "Tenho de pagar o barro", "Tenho de pagar o barro");
	takes(false, false, "Tenho de dizer que gostei", "");
	takes(false, false, "Ainda tenho de pagar o barro?", "");
	takes(false, false, "O meu primo disse que moro em Faro", "");
	takes(true, false, "Nunca hagas push a la rama del horno",
	    "Nunca hagas push a la rama del horno");
	takes(true, false, "Quiero que limpies el horno", "");
	takes(true, true, "Casi decidimos cocer con gas", "");
	takes(true, false, "Ne mets jamais le four sous clé", "Ne mets jamais le four sous clé");
	takes(true, false, "Je veux que tu nettoies le four", "");
	/* what is used, with what is not */
	takes(true, true, "We use gas, not oil, for the big kiln",
	    "We use gas, not oil, for the big kiln");
	takes(true, true, "We gebruiken gas in plaats van olie",
	    "We gebruiken gas in plaats van olie");
	takes(true, true, "Usiamo il gas", "");
	takes(true, true, "Usamos gás, nunca óleo", "Usamos gás, nunca óleo");
	/* what cannot be understood alone, and what is torn */
	takes(true, true, "It was solved by the new cable", "");
	takes(true, true, "The crash was caused by the", "");
	takes(true, true, "https://a.example/x was solved by https://b.example/y", "");
}

static void
test_speech(void)
{
	static const char mail[] = "Dear all,\n"
		"We decided to keep the kiln logs of the last seven winters in the\n"
		"archive at Graz.\n\n"
		"On Mon, 4 Mar 2024 Bea wrote:\n"
		"> We decided to burn them.\n"
		"Cc: We decided to tell nobody\n"
		"From: Bea <bea@mail.example>\nSent: Monday\n\n"
		"We decided to sell the kiln.\n";

	takes(true, true, mail,
	    "We decided to keep the kiln logs of the last seven winters in the\narchive at Graz");
	takes(true, true, "bea <bea!~u@host.invalid> has joined #kiln and we decided to go\n"
		"bea (~u@host.invalid) Quit (we decided to go)\n"
		"{\"event\":\"we decided to fire the kiln\"}\n"
		" 12 | we decided to fire it = true;\n", "");
	takes(true, true, "We decided to fire the kiln\n-- \nWe decided to have a slogan",
	    "We decided to fire the kiln");
	takes(true, true, "We decided to fire the kiln\nSigned-off-by: we agreed to Bea\n"
		"diff --git a/kiln b/kiln\n We decided to burn ash\n",
	    "We decided to fire the kiln");
}

int
main(void)
{
	test_passing();
	test_lasting();
	test_speech();
	test_words();
	test_told();
	return tap_done();
}
