/*
 * fact_part.h: parts what was said of a fact once more from what was said of it before.
 */
#pragma once

#include "store/records.h"

/*
 * In the open transaction: of the messages that f rests on, those behind cut_us become what a fact
 * of its own, *rest, rests on, which is stored; f, which is not, keeps the others. rest without
 * sources: there is none. Both in a.
 */
int fact_part(struct store *s, const struct scope *who, struct step *step, int64_t cut_us,
	struct fact *f, struct fact *rest, struct arena *a, struct err *err);
