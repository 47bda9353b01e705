/*
 * profile.c: weights of the signals.
 */
#include "rank/profile.h"

const char *const session_kind_names[N_SESSION_KINDS] = { "unknown", "chat", "assistant" };

const struct profile profile_default = { {
	[SESSION_UNKNOWN] = {
		[SIGNAL_TURN] = 2.0f, [SIGNAL_WINDOW] = 1.0f, [SIGNAL_SESSION] = 0.5f, [SIGNAL_COVERAGE] = 1.0f, [SIGNAL_DATE] = 2.0f,
	},
	[SESSION_CHAT] = {
		[SIGNAL_TURN] = -1.06f, [SIGNAL_WINDOW] = 1.94f, [SIGNAL_SESSION] = 1.92f, [SIGNAL_COVERAGE] = 2.07f, [SIGNAL_PREVIOUS] = -1.90f,
		[SIGNAL_REPLY] = 6.31f, [SIGNAL_SPEAKER] = 1.41f, [SIGNAL_DATE] = 6.20f, [SIGNAL_QUESTION] = -0.63f, [SIGNAL_LENGTH] = 0.52f,
		[SIGNAL_FIRST] = 0.44f, [SIGNAL_SECOND] = -0.29f, [SIGNAL_WHEN] = 1.54f, [SIGNAL_WHO] = 1.62f,
	},
	[SESSION_ASSISTANT] = {
		[SIGNAL_TURN] = 1.12f, [SIGNAL_HEAD] = 2.61f, [SIGNAL_HEAD_PREVIOUS] = -1.03f, [SIGNAL_HEAD_NEXT] = 3.03f,
		[SIGNAL_SESSION_USER] = 0.54f, [SIGNAL_COVERAGE] = 0.5f, [SIGNAL_USER] = 1.22f, [SIGNAL_LENGTH] = -1.09f,
		[SIGNAL_STRONG] = 0.85f, [SIGNAL_STANDING] = 2.0f, [SIGNAL_NUMBERS] = 0.65f,
	},
} };

float
profile_score(const struct profile *p, unsigned kind, const float x[N_SIGNALS])
{
	float sum = 0;

	for (size_t i = 0; i < N_SIGNALS; i++)
		sum += p->weight[kind][i] * x[i];
	return sum;
}

static float *
weight_of(struct profile *p, const char *kind, const char *signal)
{
	for (size_t k = 0; k < N_SESSION_KINDS; k++)
		for (size_t i = 0; i < N_SIGNALS; i++)
			if (strcmp(session_kind_names[k], kind) == 0 && strcmp(signals[i].name, signal) == 0)
				return &p->weight[k][i];
	return NULL;
}

static int
read_line(struct profile *p, const char *line, size_t len)
{
	char copy[160], kind[32], signal[32], more;
	float weight, *to;

	if (len >= sizeof(copy))
		return -1;
	memcpy(copy, line, len);
	copy[len] = '\0';
	if (strchr(copy, '#') != NULL)
		*strchr(copy, '#') = '\0';
	if (strspn(copy, " \t\r") == strlen(copy))
		return 0;
	if (sscanf(copy, " %31s %31s %f %c", kind, signal, &weight, &more) != 3 || !(weight > -1e6f && weight < 1e6f) ||
	    (to = weight_of(p, kind, signal)) == NULL)
		return -1;
	*to = weight;
	return 0;
}

int
profile_read(struct profile *p, const char *text, size_t len, const char *name, struct err *err)
{
	const char *end = text + len;
	unsigned n = 0;

	for (const char *at = text; at < end; n++) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		if (eol == NULL)
			eol = end;
		if (read_line(p, at, (size_t)(eol - at)) < 0)
			return err_set(err, ERR_CONFIG, "%s:%u: not \"KIND SIGNAL WEIGHT\"", name, n + 1);
		at = eol + 1;
	}
	return 0;
}
