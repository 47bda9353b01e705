/*
 * whatsapp.c: the words of a line of WhatsApp's export, behind its time. On an iPhone a mark of
 * direction stands before what nobody wrote: pictures and files, which are shown, and notices.
 */
#include "base/buf.h"
#include "formats/whatsapp.h"

/* Whether the text has one of the words, between bars in the list. */
static bool
has_one(const char *text, size_t len, const char *list)
{
	for (const char *p = list, *end; *p != '\0'; p = end + 1) {
		end = strchr(p, '|');
		size_t n = (size_t)(end - p);
		for (size_t i = 0; n > 0 && i + n <= len; i++)
			if (memcmp(text + i, p, n) == 0)
				return true;
	}
	return false;
}

/* Whether a line that WhatsApp marks stands for a picture, a file or a place, in any language. */
static bool
is_attachment(const char *text, size_t len)
{
	static const char left_out[] =
	    "omitted|weggelassen|ausgelassen|ausgeschlossen|não revelado|omis|omit|ocult|omess"
	    "|weggelaten|пропущен|опущен"
	    "|отсутству|без медиа|dahil edilmedi|atlandı|pominięt|省略|含まれて|생략|忽略|未附"
	    "|تم حذف|لم يتم|استبعاد|हटाया|छोड़|disertakan|dihilangkan|utelämn|uteslut|udeladt"
	    "|utelat|uteluk|jätetty pois|vynechán|упущен|παραλείφ|הושמט|kihagy|ละเว้น|bị bỏ qua"
	    "|nicht eingeschlossen|sin incluir|.jpg|.jpeg|.png|.webp|.mp4"
	    "|.opus|.pdf|.vcf|.docx|.heic|";

	return has_one(text, len, left_out);
}

/* Whether the words of a line of WhatsApp begin with the mark that it puts before its own. */
static bool
is_marked(const char *text, size_t len)
{
	return len >= 3 && memcmp(text, "\xe2\x80\x8e", 3) == 0;
}

void
whatsapp_count_marks(const char *line, size_t len, unsigned *marked, unsigned *plain)
{
	for (size_t i = 0; i + 2 < len; i++) {
		if (line[i] != ':' || line[i + 1] != ' ')
			continue;
		if (!is_marked(line + i + 2, len - i - 2))
			++*plain;
		else if (!is_attachment(line + i + 5, len - i - 5))
			++*marked;
		return;
	}
}

/* Whether the text, but for a full stop, is one of the sentences between bars in the list. */
static bool
is_one(const char *text, size_t len, const char *list)
{
	len -= len > 0 && text[len - 1] == '.';
	for (const char *p = list, *end; *p != '\0'; p = end + 1) {
		end = strchr(p, '|');
		if ((size_t)(end - p) == len && memcmp(p, text, len) == 0)
			return true;
	}
	return false;
}

/* Whether WhatsApp says, where somebody's words were, that they were deleted. */
static bool
is_deleted(const char *text, size_t len)
{
	static const char deleted[] =
	    "This message was deleted|You deleted this message|Diese Nachricht wurde gelöscht"
	    "|Du hast diese Nachricht gelöscht|Dit bericht is verwijderd"
	    "|Dit bericht werd verwijderd|Je hebt dit bericht verwijderd"
	    "|U hebt dit bericht verwijderd|Ce message a été supprimé"
	    "|Vous avez supprimé ce message|Se eliminó este mensaje|Este mensaje fue eliminado"
	    "|Eliminaste este mensaje|Questo messaggio è stato eliminato"
	    "|Hai eliminato questo messaggio|Mensagem apagada|Esta mensagem foi apagada"
	    "|Você apagou esta mensagem|Esta mensagem foi eliminada|Eliminou esta mensagem"
	    "|Det här meddelandet raderades|Du raderade det här meddelandet"
	    "|Данное сообщение удалено|Вы удалили данное сообщение"
	    "|このメッセージは削除されました|このメッセージを削除しました"
	    "|삭제된 메시지입니다|메시지를 삭제했습니다|此消息已被删除|你已删除此消息|此訊息已刪除|";

	return is_one(text, len, deleted);
}

/* Cuts off the mark behind words that were edited. */
static void
cut_edited(struct turn *t)
{
	static const char edited[] =
	    "This message was edited|Diese Nachricht wurde bearbeitet|Dit bericht is bewerkt"
	    "|Dit bericht werd bewerkt|Ce message a été modifié|Se editó este mensaje"
	    "|Este mensaje fue editado|Questo messaggio è stato modificato"
	    "|Esta mensagem foi editada|Mensagem editada|Det här meddelandet redigerades"
	    "|Данное сообщение изменено|このメッセージは編集されました|편집된 메시지입니다"
	    "|此消息已编辑|此訊息已編輯|";
	size_t at = t->len;

	while (at > 0 && t->text[at - 1] != '<' && t->text[at - 1] != '\n')
		at--;
	if (at == 0 || t->text[at - 1] != '<' || t->text[t->len - 1] != '>' ||
	    !is_one(t->text + at, t->len - at - 1, edited))
		return;
	at--;
	at -= at >= 3 && is_marked(t->text + at - 3, 3) ? 3 : 0;
	while (at > 0 && (t->text[at - 1] == ' ' || t->text[at - 1] == '\n'))
		at--;
	t->len = at;
}

static bool
take_attachment(const char *text, size_t len, bool marks, struct arena *a, struct turn *out)
{
	static const char omitted[] = "Media omitted";
	bool marked = is_marked(text, len);
	struct buf b;

	if (memchr(text, '\n', len) != NULL)
		return true;
	if (has_one(text, len, "http://|https://|")) {
		out->text += marked ? 3 : 0;
		out->len -= marked ? 3 : 0;
		return true;
	}
	text += marked ? 3 : 0;
	len -= marked ? 3 : 0;
	if (len > 2 && text[0] == '<' && text[len - 1] == '>') {
		text++;
		len -= 2;
		const char *colon = memchr(text, ':', len);
		bool omits = is_attachment(text, len);
		buf_init(&b, 1u << 16);
		if (colon != NULL)
			buf_addf(&b, "[file:%.*s]", (int)(len - (size_t)(colon + 1 - text)),
			    colon + 1);
		else
			buf_addf(&b, "[%.*s]", (int)(omits ? strlen(omitted) : len),
			    omits ? omitted : text);
	} else if (marked && is_attachment(text, len)) {
		buf_init(&b, 1u << 16);
		buf_addf(&b, "[%.*s]", (int)len, text);
	} else {
		return !marked || marks;
	}
	out->text = arena_strndup(a, b.data, b.len);
	out->len = b.len;
	buf_release(&b);
	return true;
}

bool
whatsapp_words(struct turn *t, bool marks, struct arena *a)
{
	size_t mark = is_marked(t->text, t->len) ? 3 : 0;

	cut_edited(t);
	return !is_deleted(t->text + mark, t->len - mark) &&
	    take_attachment(t->text, t->len, marks, a, t);
}

bool
whatsapp_name(const char *rest, size_t len, struct arena *a, struct turn *out)
{
	const char *colon = memchr(rest, ':', MIN(len, 100));
	bool quoted = false;

	while (colon != NULL && colon + 1 < rest + len && colon[1] != ' ' && colon[1] != '\n')
		colon = memchr(colon + 1, ':', (size_t)(rest + len - colon - 1));
	if (colon == NULL || colon - rest > 100)
		return false;
	/*
	 * a notice may have a colon in quotes: 'Ann changed the subject to "roof: done"'; in 'Bob
	 * "Bo" Cee: done' the colon is outside
	 */
	for (const char *p = rest; p < colon; p++)
		quoted = *p == '"' ? !quoted
		    : turns_starts(p, (size_t)(colon - p), "“") ||
			turns_starts(p, (size_t)(colon - p), "„") ||
			turns_starts(p, (size_t)(colon - p), "«")
		    ? true
		    : (turns_starts(p, (size_t)(colon - p), "”") ||
			  turns_starts(p, (size_t)(colon - p), "»")) ? false : quoted;
	if (quoted)
		return false;
	/* skips marks of direction, and the "~" before names that are in no address book */
	while (rest < colon &&
	    (*rest == '~' || *rest == ' ' ||
		(colon - rest >= 3 && memcmp(rest, "\xe2\x80", 2) == 0)))
		rest += *rest == '\xe2' ? 3 : 1;
	size_t n = (size_t)(colon - rest);
	while (n > 0 &&
	    (rest[n - 1] == ' ' || (n >= 2 && memcmp(rest + n - 2, "\xc2\xa0", 2) == 0) ||
		(n >= 3 && memcmp(rest + n - 3, "\xe2\x80", 2) == 0)))
		n -= rest[n - 1] == ' ' ? 1 : rest[n - 2] == '\xc2' ? 2 : 3;
	out->name = arena_strndup(a, rest, n);
	out->text = colon + 1;
	out->len -= (size_t)(colon + 1 - rest);
	return true;
}
