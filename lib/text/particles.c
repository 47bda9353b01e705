/*
 * particles.c: takes the longest of stop.c's words of two to four characters, else one of the few
 * characters that are function words nearly everywhere.
 *
 * Other stop words of one character (地 得 过 对 向 几 ...) are not taken, as they are parts of too many
 * words: 地址, 得到, 过敏, 对象, 方向, 几何.
 */
#include "text/particles.h"

#include "base/utf8.h"
#include "text/words.h"

#define MOST_CHARS 4

/* Sorted by bytes, for binary search. */
static const char *const alone[] = {
	"不", "么", "也", "了", "他", "们", "你", "們", "吗", "吧", "呀", "呗", "呢", "和", "咱", "哇", "哈", "哎",
	"哦", "哪", "唉", "啊", "啦", "喔", "嗎", "嗯", "嘛", "在", "她", "它", "就", "很", "您", "我", "是", "有",
	"沒", "没", "的", "誰", "谁", "还", "这", "這", "還", "那", "都", "麼",
};

size_t
particle_at(const char *text, size_t len, size_t at)
{
	size_t ends[MOST_CHARS], n = 0, end = at;
	uint32_t cp;

	if (at >= len || (unsigned char)text[at] < 0xe3)
		return 0;
	for (; n < MOST_CHARS && end < len && (unsigned char)text[end] >= 0xe3; n++) {
		end += MAX(utf8_decode(text + end, text + len, &cp), 1u);
		ends[n] = end;
	}
	for (; n > 1; n--)
		if (words_is_stop(text + at, ends[n - 1] - at))
			return ends[n - 1] - at;
	return words_is_listed(alone, NELEM(alone), text + at, ends[0] - at) ? ends[0] - at : 0;
}
