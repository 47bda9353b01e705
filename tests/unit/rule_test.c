/* rule_test.c: which clauses are rules by their form. */
#include "statement/rule.h"

#include "tap.h"

static const char *const orders[] = { "Never commit directly to main", "Always use tabs",
	"Please never use mocks", "From now on, answer in German", "Benutze nie Emojis",
	"Don't use emojis in replies", "and always run the tests", "Usa siempre pnpm",
	"N'utilise jamais npm", "总是使用 pnpm", "NEVER force push on main!",
	"zawsze odpalaj testy", "we don't deploy on Fridays", NULL };

static const char *const works[] = { "hands off gen/", "we don't subclass reactors here",
	"no lodash in this codebase", "no default exports in this repo, named ones only",
	"in dbt staging models no select *", "barge_id is always text, never int",
	"UTC everywhere in storage", "never subclass the reactor", "on ne touche pas à gen/",
	"on ne pousse jamais sur main",
	"exports must go to the lake, not the swamp any more", "pas de déploiement le vendredi",
	"nigdy nie używamy tu pandas", "żadnych ORM-ów w tym projekcie",
	"nada de jQuery en este proyecto", NULL };

static const char *const stays[] = { "we stay on REST, no GraphQL",
	"wir bleiben bei REST, kein SOAP",
	"on reste sur Postgres, pas de Mongo", "zostajemy przy REST, bez GraphQL", NULL };

static const char *const others[] = { "I always use tabs", "Never mind", "Don't push yet",
	"Never heard of it", "Tests never run here", "Use tabs", "Don't use that one",
	"You never answer", "no problem here", "no errors in this project", "no lint in the log",
	"no restarts ever since", "no you pick please", "nobody works here", "we stay in Porto",
	"we stay on it until Monday", "it is always late, never early", "we don't know it here",
	"we never found the reason", "on ne sait pas pourquoi ici", "on n'a jamais su",
	"nie wiemy czemu", "nigdy tego nie widziałem", "pas de souci ici", "geen idee",
	"no one deploys on Fridays", "Errors everywhere today", "never again", NULL };

static void
test_all(const char *const *texts, enum rule want)
{
	for (size_t i = 0; texts[i] != NULL; i++)
		is_int((int)rule_of(texts[i], strlen(texts[i])), (int)want, "%s", texts[i]);
}

int
main(void)
{
	test_all(orders, RULE_ORDER);
	test_all(works, RULE_WORK);
	test_all(stays, RULE_STAYS);
	test_all(others, RULE_NOT);
	return tap_done();
}
