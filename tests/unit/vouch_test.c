/*
 * vouch_test.c: for which clauses their author vouches, and what is said of the time in which they
 * hold, in six languages.
 */
#include "tap.h"

#include "statement/polarity.h"
#include "statement/vouch.h"

struct letters { struct voucher v; char got[64]; };

static int
judge(void *arg, const struct clause *c)
{
	struct letters *l = arg;
	size_t n = strlen(l->got);

	l->got[n] = "ocslri"[vouch_next(&l->v, c)];
	l->got[n + 1] = '\0';
	return 0;
}

/* Of each clause: own, condition behind it, supposed, labelled, reported, invented. */
static void
test_vouch(void)
{
	static const struct { const char *text, *want; } cases[] = {
		{ "I live in Rome", "o" },
		{ "I'd rather live by the sea and I do live in Ostia", "oo" },
		/* asked or wanted by others, taken back, imagined */
		{ "Jonas asked whether we use sqlite from now on", "r" },
		{ "The customer wants from now on only DHL, I said no", "rr" },
		{ "I asked whether we use sqlite", "o" },
		{ "We always use uv. Just kidding!", "ii" },
		{ "I live in Paris, haha no", "i" },
		{ "We always use uv. No kidding!", "oo" },
		{ "My daughter, if I had one, would play the cello", "s" },
		/* supposed */
		{ "If I win I live in Monaco", "s" },
		{ "I live in Monaco if I win", "c" },
		{ "If I live in Oslo, I need skis", "ss" },
		{ "Suppose I live in Oslo. I drive a van.", "ss" },
		{ "I suppose I live well", "o" },
		{ "Imagine that!\nI live in Rome", "oo" },
		{ "Provided that I work at Bosch, I live in Graz", "ss" },
		{ "If I had money I'd move, but I live in Rome", "ss" },
		{ "Wenn ich gewinne, wohne ich in Monaco", "s" },
		{ "Angenommen, ich wohne in Ulm", "ss" },
		{ "Ich habe die Stelle angenommen", "o" },
		{ "如果我住在上海", "s" },
		{ "要是中奖，我就住在摩纳哥", "ss" },
		{ "Si gano, yo vivo en Madrid", "ss" },
		{ "Sí, yo vivo en Madrid", "o" },
		{ "What if I live in Oslo", "s" },
		/* reported */
		{ "My boss says I live in the office", "r" },
		{ "I said I live in Rome", "o" },
		{ "Er sagt, er wohne in Ulm", "rr" },
		{ "老板说我住在办公室", "r" },
		{ "我说我住在上海", "o" },
		{ "说实话，我住在上海", "oo" },
		{ "Tom: I live in Berlin", "ll" },
		{ "Bio: I live in Berlin", "oo" }, { "Intro: I live in Berlin", "oo" },
		{ "Métier : je suis boulanger", "o" }, { "Tom's bio: I live in Ulm", "ii" },
		{ "Shorten this:\nBio: I live in Ulm", "iii" },
		{ "[10:32] Tom: I live in Ulm. I row.\n[10:33] Ann: I work here", "llloo" },
		{ "Update: I live in Berlin", "oo" },
		{ "小王：我住在北京", "ll" },
		{ "备注：我住在北京", "oo" },
		{ "Next step: I live in Berlin", "oo" },
		{ "He always says: \"I hate my life in Ulm\"", "r" },
		/* made up */
		{ "Translate: I live in Paris", "ii" },
		{ "Translate to French:\nI am a nurse.\nI live in Ulm.\n\nI live in Rome.", "iiio" },
		{ "I translate novels: I live on that", "oo" },
		/* handed over */
		{ "fwd from ida: I live in Ulm", "ii" },
		{ "[forwarded] I row and I live in Ulm", "ii" },
		{ "Shorten this for me:\nI row.\n\nI live in Ulm.", "iii" },
		{ "I live in Rome. Shorten this:\nI live in Ulm.", "oii" },
		{ "got this from Ida\nI live in Ulm", "ii" },
		{ "doorgestuurd van Piet: ik woon in Gent", "ii" },
		{ "riassumi questo testo: lavoro a Pisa", "i" },
		{ "转发：我住在上海", "ii" },
		{ "Lyrics: I live in Ulm\n\nI live in Rome", "iio" },
		{ "ida on whatsapp: my wife rows", "ii" },
		{ "Todo: shorten this text: it is long", "oo" },
		{ "I'll shorten the hem. I live in Rome", "oo" },
		{ "Ida's sister here, I live in Ulm", "ii" },
		{ "my sister here lives in Ulm", "o" },
		{ "Job interview: none. I live in Rome", "oo" },
		/* no fact in its words, or taken back */
		{ "I live in Spain in my head", "i" },
		{ "Ich bin mit meinem Job verheiratet", "i" },
		{ "I row since May\nnah kidding", "ii" },
		{ "last year we decided to use Vue but that was last year", "ii" },
		{ "Write a story: I am a pilot and I live in Dubai", "iii" },
		{ "In my novel I am a pilot", "i" },
		{ "I dreamt I lived in a tree", "i" },
		{ "En mi novela vivo en Marte", "i" },
		{ "游戏里我住在火星", "i" },
		{ "我的梦是住在上海", "o" },
		{ "Angeblich wohnt er in Ulm", "i" },
		{ "I am writing a novel", "o" },
		{ "Übersetze: Ich wohne in Ulm", "ii" },
		{ "翻译：我住在巴黎", "ii" },
		{ "I'm the patient, you're the nurse: I smoke. Stop. I live in Rome", "iiiio" },
	};

	for (size_t i = 0; i < NELEM(cases); i++) {
		struct letters l = { .got = "" };
		vouch_begin(&l.v, cases[i].text, strlen(cases[i].text), "Ann", false);
		clauses_each(cases[i].text, strlen(cases[i].text), judge, &l);
		is_str(l.got, cases[i].want, "%s", cases[i].text);
	}
	ok(vouch_is_own("Ann: I live in Rome", 19), "a label counts for nothing in a fact");
	ok(!vouch_is_own("If I win I live in Rome", 23), "a condition does");
}

static void
test_polarity(void)
{
	static const struct { const char *text, *word; int want; } cases[] = {
		{ "I live in Rome", "live", POLARITY_HOLDS },
		{ "I don't live in Rome", "live", POLARITY_DENIED },
		{ "I don't think I live in Rome", "I live", POLARITY_DENIED },
		{ "I live not far from Rome", "live", POLARITY_HOLDS },
		{ "Ich wohne nicht in Ulm", "wohne", POLARITY_DENIED },
		{ "我不住在北京", "住在", POLARITY_DENIED },
		{ "我不得不搬到北京", "搬到", POLARITY_HOLDS },
		{ "No vivo en Madrid", "vivo", POLARITY_DENIED },
		{ "I no longer live in Rome", "live", POLARITY_ENDED },
		{ "I don't live in Rome any more", "live", POLARITY_ENDED },
		{ "Ich wohne nicht mehr in Ulm", "wohne", POLARITY_ENDED },
		{ "I no longer mind living in Rome", "living", POLARITY_DENIED },
		{ "I almost moved to Rome", "moved", POLARITY_WISHED },
		{ "我不再住在北京", "住在", POLARITY_ENDED },
		{ "我不住在北京了", "住在", POLARITY_ENDED },
		{ "Ya no vivo en Madrid", "vivo", POLARITY_ENDED },
		{ "I used to live in Rome", "live", POLARITY_PAST },
		{ "I'm used to living in Rome", "living", POLARITY_HOLDS },
		{ "I lived in Rome for a year", "lived", POLARITY_PAST },
		{ "I've lived in Rome since 2010", "lived", POLARITY_HOLDS },
		{ "I was a nurse", "nurse", POLARITY_PAST },
		{ "I was promoted to manager", "manager", POLARITY_HOLDS },
		{ "Ich habe früher in Rom gewohnt", "gewohnt", POLARITY_PAST },
		{ "Ich habe schon immer in Rom gewohnt", "gewohnt", POLARITY_HOLDS },
		{ "我以前住在上海", "住在", POLARITY_PAST },
		{ "I want to live in Rome", "live", POLARITY_WISHED },
		{ "Ich möchte in Rom wohnen", "wohnen", POLARITY_WISHED },
		{ "我想住在上海", "住在", POLARITY_WISHED },
	};

	for (size_t i = 0; i < NELEM(cases); i++) {
		const char *text = cases[i].text;
		size_t at = (size_t)(strstr(text, cases[i].word) - text);
		is_int((int)polarity_of(text, strlen(text), at, at + strlen(cases[i].word)),
		    cases[i].want, "%s", text);
	}
}

int
main(void)
{
	test_vouch();
	test_polarity();
	return tap_done();
}
