/*
 * speaker.c: a table of bytes and numbers of words that names do not have. Rows add up from the
 * first to the last, because the places tell less and less that a name stands there: beside a time
 * it may be "klein, mara / sales", in a caption still "Mara #2 (off screen)", before any colon in a
 * text only "Mara Klein-Berg".
 */
#include "base/ascii.h"
#include "clean/speaker.h"
#include "lexicon/lex.h"
#include "text/normal.h"

/*
 * The words of a row are in small letters, with a bar before and behind each. What ChatGPT writes
 * above turns in each language stands with the side that it names.
 */
static const struct {
	const char *role;
	enum speaker_sure sure;
	bool nick;                         /* nobody would choose one of these for a nickname */
	const char *words;
} sides[] = {
	{ "user", SPEAKER_SIDE, true, "|user|human|" },
	{ "assistant", SPEAKER_SIDE, true, "|assistant|" },
	{ "assistant", SPEAKER_PROGRAM, true, "|chatgpt|ai|bot|" },
	{ "system", SPEAKER_MAYBE, true, "|system|" },
	{ "user", SPEAKER_SIDE, false,
	    "|you said|user said|benutzer|benutzerin|nutzer|du hast gesagt|sie haben gesagt"
	    "|utilisateur|utilisatrice|vous avez dit|usuario|usuaria|has dicho|dijiste|tú dijiste"
	    "|usuário|usuária|utilizador|utilizadora|você disse|utente|hai detto|gebruiker|je zei"
	    "|użytkownik|użytkowniczka|powiedziałeś|powiedziałaś|uživatel|uživatelka|používateľ"
	    "|användare|användaren|du sa|bruger|brugeren|bruker|brukeren|du sagde|käyttäjä|sanoit"
	    "|felhasználó|ezt mondtad|utilizator|utilizatorul|ai spus|korisnik|корисник|uporabnik"
	    "|kasutaja|lietotājs|vartotojas|kullanıcı|şunu dediniz|χρήστης|εσύ είπες"
	    "|пользователь|пользовательница|вы сказали|ты сказал|користувач|ви сказали|потребител"
	    "|карыстальнік|пайдаланушы|משתמש|אמרת|المستخدم|مستخدم|قلت|کاربر|شما گفتید|صارف"
	    "|उपयोगकर्ता|यूज़र|आपने कहा|ব্যবহারকারী|பயனர்|వినియోగదారు|ผู้ใช้|คุณพูดว่า|người dùng"
	    "|bạn đã nói|pengguna|anda berkata|mtumiaji|用户|用戶|使用者|你说|你說|您说|您說"
	    "|ユーザー|ユーザ|あなたの発言|あなた|사용자|유저|나의 말|사용자의 말|" },
	{ "assistant", SPEAKER_SIDE, false,
	    "|ai assistant|assistent|assistentin|ki-assistent|assistant ia|asistente|asistente ia"
	    "|assistente|assistente de ia|assistente ia|asystent|asystentka|asystent ai"
	    "|asistent|asistentka|asistentul|assistenten|avustaja|tekoälyavustaja|asszisztens"
	    "|pomoćnik|pomočnik|asystent si|assistents|asistentas|asistan|yapay zeka asistanı"
	    "|βοηθός|ассистент|помощник|ии-ассистент|асистент|помічник|помощникът"
	    "|помагач|памочнік|көмекші|עוזר|המסייע|المساعد|مساعد|دستیار|معاون|सहायक"
	    "|সহকারী|உதவியாளர்"
	    "|సహాయకుడు|ผู้ช่วย|trợ lý|asisten|pembantu|msaidizi|助手|助理|ai助手|ai 助手|人工智能助手"
	    "|アシスタント|aiアシスタント|어시스턴트|ai 어시스턴트|도우미|비서|" },
	{ "assistant", SPEAKER_PROGRAM, false,
	    "|chatgpt said|chatgpt hat gesagt|chatgpt a dit|chatgpt ha dicho|chatgpt dijo"
	    "|chatgpt disse|o chatgpt disse|chatgpt ha detto|chatgpt zei|chatgpt powiedział"
	    "|chatgpt sa|chatgpt sagde|chatgpt sanoi|chatgpt şunu dedi|chatgpt сказал"
	    "|chatgpt 说|chatgpt说|chatgpt 說|chatgpt說|chatgptの発言|chatgpt の発言|chatgpt의 말"
	    "|chatgpt đã nói|chatgpt berkata|قال chatgpt|gpt|claude|claude said|claude code"
	    "|gemini|gemini said|gemini cli|copilot|copilot said|github copilot|grok|deepseek"
	    "|perplexity|mistral|le chat|codex|opencode|chatbot|qwen|kimi|ии|" },
	{ "user", SPEAKER_MAYBE, false,
	    "|me|you|prompt|customer|du|ich|moi|vous|tú|você|я|вы|ты|나|我|你|私|client|kunde"
	    "|cliente|клиент|" },
	{ "assistant", SPEAKER_MAYBE, false,
	    "|model|agent|response|cursor|cline|amp|antwort|réponse|respuesta|resposta|risposta"
	    "|ответ|модель|агент|cevap|yanıt|답변|回答|" },
	{ "tool", SPEAKER_MAYBE, false, "|tool|tool result|" },
};
static const char nobody[] = ""
	"|note|notes|warning|error|example|examples|output|input|result|results|step|summary"
	"|answer|question|frage|pregunta|pergunta|domanda|вопрос|问题"
	"|todo|tip|hint|usage|see|date|time|title|subject|to|from|cc|re|http"
	"|https|file|code|source|important|conclusion|total|pros|cons|fix|cause|problem"
	"|solution|topic|created|exported|updated|model|link|tags|tool use|tool call"
	"|expected|received|actual|parameters|parameter|arguments|argument|params|args"
	"|command|called tool|tool name|tool output|tool input|tool calls|stack trace"
	"|traceback|stdout|stderr|exit code|status|reason|message|details|url|version|path"
	"|line|description|name|type|value|default|returns|throws|raises|steps|environment"
	"|context|response time|assertion|diff|thinking|thoughts|reasoning|plan|action"
	"|observation|final answer|thought|";

static const struct {
	/* bytes that it does not have, besides those of the rows above */
	const char *never;
	/* the most words; the most when it ends with a point, as a sentence does */
	unsigned words, words_with_point;
	/* it begins with a capital, or with a letter that is not Latin */
	bool capital;
} looks[] = {
	[SPEAKER_STAMP] = { "\"<>[]{}|=;?!*`\t\n", 6, 2, false },
	[SPEAKER_CUE] = { "/,:", 6, 6, true },
	[SPEAKER_CUE_LINE] = { "", 4, 0, true },
	[SPEAKER_HEAD] = { "#$%&@\\^~", 4, 4, true },
	[SPEAKER_PARAGRAPH] = { "()+", 3, 3, true },
};

/* Whether a word stands in a list, between bars. */
static bool
is_among(const char *list, const char *word, size_t len)
{
	for (const char *p = strchr(list, '|'); p[1] != '\0'; p = strchr(p + 1, '|'))
		if (strncmp(p + 1, word, len) == 0 && p[1 + len] == '|')
			return true;
	return false;
}

/* The word in small letters, as the lists have it. false: it is longer than any name. */
static bool
small(const char *s, size_t len, struct buf *out)
{
	if (len == 0 || len > SPEAKER_BYTES || memchr(s, '|', len) != NULL)
		return false;
	buf_init(out, 8 * SPEAKER_BYTES);
	normal_text(out, s, len);
	return true;
}

static bool
may_begin(unsigned char c, bool capital)
{
	return (c >= 'A' && c <= 'Z') ||
	    (capital ? c >= 0xc3 : ascii_is_alnum(c) || c >= 0x80 || c == '_' || c == '+');
}

bool
speaker_is_name(const char *s, size_t len, enum speaker_by by)
{
	unsigned words = 1;

	if (len == 0 || len > SPEAKER_BYTES || !may_begin((unsigned char)*s, looks[by].capital))
		return false;
	for (size_t i = 0; i < len; i++) {
		words += s[i] == ' ';
		for (size_t row = 0; row <= by; row++)
			if (strchr(looks[row].never, s[i]) != NULL)
				return false;
		/* text that a colon or a dash divides is more than a name */
		if ((s[i] == ':' && (i + 1 == len || s[i + 1] == ' ')) ||
		    (len - i >= 3 && memcmp(s + i, "\xe2\x80\x94", 3) == 0))
			return false;
	}
	return words <= (s[len - 1] == '.' ? looks[by].words_with_point : looks[by].words);
}

static const char *
side_of(const char *name, size_t len, bool nick, enum speaker_sure *sure)
{
	const char *role = NULL;
	struct buf b;

	if (!small(name, len, &b))
		return NULL;
	for (size_t i = 0; i < NELEM(sides) && role == NULL; i++)
		if ((!nick || sides[i].nick) && is_among(sides[i].words, b.data, b.len)) {
			role = sides[i].role;
			*sure = sides[i].sure;
		}
	buf_release(&b);
	return role;
}

const char *
speaker_side(const char *name, size_t len, enum speaker_sure *sure)
{
	enum speaker_sure ignored;

	return side_of(name, len, false, sure != NULL ? sure : &ignored);
}

const char *
speaker_side_of_nick(const char *name, size_t len)
{
	enum speaker_sure ignored;

	return side_of(name, len, true, &ignored);
}

/* Whether it is what programs call a fault: "TypeError", "java.lang.NullPointerException". */
static bool
is_fault(const char *s, size_t len)
{
	static const char *const ends[] = { "error", "exception", "warning", "panic", "failure" };

	for (size_t i = 0; i < NELEM(ends); i++) {
		size_t n = strlen(ends[i]);

		if (len >= n && memcmp(s + len - n, ends[i], n) == 0)
			return true;
	}
	return false;
}

bool
speaker_is_nobody(const char *name, size_t len)
{
	struct buf b;

	if (!small(name, len, &b))
		return false;
	bool is = is_among(nobody, b.data, b.len) || is_fault(b.data, b.len);
	buf_release(&b);
	return is;
}

bool
speaker_addresses(const char *text, size_t len)
{
	struct lex_token t = { .end = 0 };

	while (lex_next(text, len, t.end, &t))
		if (lex_is(&t, LEX_ME, LEX_ANY, NULL) || lex_is(&t, LEX_YOU, LEX_ANY, NULL) ||
		    lex_is(&t, LEX_SELF, LEX_ANY, NULL))
			return true;
	return false;
}
