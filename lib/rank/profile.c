/* profile.c: the weights, and sums by them. */
#include "rank/profile.h"

#include "gen/profile_weights.h"

const char *const profile_kind_names[N_PROFILE_KINDS] = {
	"unknown", "chat", "assistant", "unknown+dense", "chat+dense", "assistant+dense",
	"matter", "matter+dense",
};

/* schema/heads/profile.txt says where they are from. */
const struct profile profile_default = { {
	[SESSION_UNKNOWN] = { PROFILE_UNKNOWN_WEIGHTS },
	[SESSION_CHAT] = { PROFILE_CHAT_WEIGHTS },
	[SESSION_ASSISTANT] = { PROFILE_ASSISTANT_WEIGHTS },
	[N_SESSION_KINDS + SESSION_UNKNOWN] = { PROFILE_UNKNOWN_DENSE_WEIGHTS },
	[N_SESSION_KINDS + SESSION_CHAT] = { PROFILE_CHAT_DENSE_WEIGHTS },
	[N_SESSION_KINDS + SESSION_ASSISTANT] = { PROFILE_ASSISTANT_DENSE_WEIGHTS },
	[PROFILE_MATTER] = { PROFILE_MATTER_WEIGHTS },
	[PROFILE_MATTER + 1] = { PROFILE_MATTER_DENSE_WEIGHTS },
}, {
	[SESSION_UNKNOWN] = { PROFILE_UNKNOWN_MEAN, PROFILE_UNKNOWN_SD },
	[SESSION_CHAT] = { PROFILE_CHAT_MEAN, PROFILE_CHAT_SD },
	[SESSION_ASSISTANT] = { PROFILE_ASSISTANT_MEAN, PROFILE_ASSISTANT_SD },
	[N_SESSION_KINDS + SESSION_UNKNOWN] = { PROFILE_UNKNOWN_DENSE_MEAN, PROFILE_UNKNOWN_DENSE_SD },
	[N_SESSION_KINDS + SESSION_CHAT] = { PROFILE_CHAT_DENSE_MEAN, PROFILE_CHAT_DENSE_SD },
	[N_SESSION_KINDS + SESSION_ASSISTANT] = { PROFILE_ASSISTANT_DENSE_MEAN, PROFILE_ASSISTANT_DENSE_SD },
	[PROFILE_MATTER] = { PROFILE_MATTER_MEAN, PROFILE_MATTER_SD },
	[PROFILE_MATTER + 1] = { PROFILE_MATTER_DENSE_MEAN, PROFILE_MATTER_DENSE_SD },
} };

/* Turns a sum of signals into a z-score. */
static float
among_others(const struct profile *p, unsigned kind, float sum)
{
	return (sum - p->others[kind].mean) / p->others[kind].sd;
}

float
profile_score(const struct profile *p, unsigned kind, const float x[N_SIGNALS])
{
	float sum = 0;

	for (size_t i = 0; i < N_SIGNALS; i++)
		sum += p->weight[kind][i] * x[i];
	return among_others(p, kind, sum);
}

/*
 * It is computed for thousands of candidates, so which signals are known is settled at compile
 * time: a loop over all costs a third more.
 */
float
profile_score_of(const struct profile *p, unsigned kind, const struct candidate *c)
{
	const float *w = p->weight[kind];
	float x[N_SIGNALS], sum = 0;

	signals_of(c, x);
#define NOT_YET(id, ...)
#define KNOWN(id, ...) sum += w[id] * x[id];
	SIGNAL_ROWS(KNOWN, NOT_YET, KNOWN, NOT_YET)
	return among_others(p, kind, sum);
}

static float *
weight_of(struct profile *p, const char *kind, const char *signal)
{
	for (size_t k = 0; k < N_PROFILE_KINDS; k++)
		for (size_t i = 0; i < N_SIGNALS; i++)
			if (strcmp(profile_kind_names[k], kind) == 0 &&
			    strcmp(signals[i].name, signal) == 0)
				return &p->weight[k][i];
	return NULL;
}

static int
read_line(struct profile *p, const char *line, size_t len)
{
	const char *comment = memchr(line, '#', len);
	char copy[160], kind[32], signal[32], more;
	float weight, *to;

	if (comment != NULL)
		len = (size_t)(comment - line);
	if (len >= sizeof(copy))
		return -1;
	memcpy(copy, line, len);
	copy[len] = '\0';
	if (strspn(copy, " \t\r") == strlen(copy))
		return 0;
	if (sscanf(copy, " %31s %31s %f %c", kind, signal, &weight, &more) != 3 ||
	    !(weight > -1e6f && weight < 1e6f) || (to = weight_of(p, kind, signal)) == NULL)
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
			return err_set(err, ERR_CONFIG, "%s:%u: not \"KIND SIGNAL WEIGHT\"", name,
			    n + 1);
		at = eol + 1;
	}
	return 0;
}
