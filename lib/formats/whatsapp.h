/* whatsapp.h: the words of a line of WhatsApp's export. Private to chatlog.c. */
#pragma once

#include "formats/turns.h"

/* Counts the line as one whose words have WhatsApp's mark, and are no attachment, or as another. */
void
whatsapp_count_marks(const char *line, size_t len, unsigned *marked, unsigned *plain);

/*
 * Makes of t, which has what stands behind the name, the words that were said. Of edited ones the
 * mark behind them goes. Pictures and files, such as "<Media omitted>", "\u200eimage omitted" or
 * "\u200e<attached: 1.jpg>", become "[...]". false: the line is a notice of the program: somebody
 * was added, the description changed, a call was missed, a message was deleted. With marks, the
 * file has them before what people wrote as well, and they tell nothing.
 */
bool whatsapp_words(struct turn *t, bool marks, struct arena *a);

/* Reads "Mara: words", which stands after the time. false: the line is a notice, said by nobody. */
bool whatsapp_name(const char *rest, size_t len, struct arena *a, struct turn *out);
