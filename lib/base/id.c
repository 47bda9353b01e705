/*
 * id.c: an id is 16 bytes, big-endian: 48 bits of milliseconds, 80 random bits. Its text is these
 * 128 bits as 26 digits of base 32, the first of which holds only 3 bits.
 *
 * Ids made in the same millisecond count up from the first one's random bits, so that they ascend;
 * so do ids made after the clock was set back, which go on in the last millisecond. A forked child
 * draws anew: it would count through its parent's ids.
 */
#include <pthread.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/id.h"

static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

static struct {
	bool asked, seeded;
	/* a handler for forks is set; this process is a fork that has drawn nothing yet */
	bool watched, forked;
	uint64_t stream;           /* the state of the repeatable random numbers */
	/* the milliseconds of the last id; random_hi and random_lo are its 80 bits */
	int64_t ms;
	uint16_t random_hi;
	uint64_t random_lo;
} state;

void
id_seed(uint64_t seed)
{
	state.asked = state.seeded = true;
	state.stream = hash64_mix(seed);
	state.ms = -1;
}

static void
note_fork(void)
{
	state.forked = true;
}

static void
ask_environment(void)
{
	const char *s = getenv("MEM_SEED");
	char *end;

	state.asked = true;
	state.ms = -1;
	if (s == NULL || *s < '0' || *s > '9')
		return;
	unsigned long long seed = strtoull(s, &end, 10);
	if (*end == '\0')
		id_seed(seed);
}

bool
id_is_seeded(void)
{
	if (!state.asked)
		ask_environment();
	return state.seeded;
}

static void
draw(void)
{
	uint64_t words[2];

	if (!state.watched)
		state.watched = pthread_atfork(NULL, NULL, note_fork) == 0;
	if (state.seeded || getentropy(words, sizeof(words)) != 0) {
		/*
		 * on a system without randomness the clocks and the process number keep ids apart
		 * as well as they can
		 */
		if (!state.seeded)
			state.stream ^=
			    hash64_mix((uint64_t)clock_mono_us() + ((uint64_t)getpid() << 40));
		words[0] = hash64_mix(state.stream += 0x9e3779b97f4a7c15u);
		words[1] = hash64_mix(state.stream += 0x9e3779b97f4a7c15u);
	}
	state.random_lo = words[0];
	state.random_hi = (uint16_t)words[1];
}

void
id_make(uint8_t id[ID_BYTES])
{
	if (!state.asked)
		ask_environment();
	int64_t ms = clock_now_us() / 1000;
	ms = MIN(MAX(ms, 0), (1ll << 48) - 1);
	if (ms > state.ms || state.forked) {
		state.ms = MAX(ms, state.ms);
		state.forked = false;
		draw();
	} else if (++state.random_lo == 0 && ++state.random_hi == 0) {
		/* all 2^80 were counted through: take the next millisecond */
		state.ms++;
	}
	for (int i = 0; i < 6; i++)
		id[i] = (uint8_t)((uint64_t)state.ms >> (40 - 8 * i));
	id[6] = (uint8_t)(state.random_hi >> 8);
	id[7] = (uint8_t)state.random_hi;
	for (int i = 0; i < 8; i++)
		id[8 + i] = (uint8_t)(state.random_lo >> (56 - 8 * i));
}

void
id_noise(uint8_t *p, size_t n)
{
	if (getentropy(p, n) == 0)
		return;
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)hash64_mix((uint64_t)clock_mono_us() * 256 + i +
		    ((uint64_t)getpid() << 40));
}

char *
id_format(const uint8_t id[ID_BYTES], char out[ID_TEXT])
{
	unsigned bits = 0, n_bits = 2;     /* the text has 130 bits, so two zeros come first */
	char *o = out;

	for (int i = 0; i < ID_BYTES; i++) {
		bits = bits << 8 | id[i];
		n_bits += 8;
		while (n_bits >= 5) {
			n_bits -= 5;
			*o++ = digits[bits >> n_bits & 31];
		}
		bits &= (1u << n_bits) - 1;
	}
	*o = '\0';
	return out;
}

int
id_parse(const char *s, size_t len, uint8_t id[ID_BYTES])
{
	unsigned bits = 0, n_bits = 0;
	uint8_t parsed[ID_BYTES];
	size_t n = 0;

	/* a first digit over 7 would need more than 128 bits */
	if (len != ID_TEXT - 1 || s[0] < '0' || s[0] > '7')
		return -1;
	for (size_t i = 0; i < len; i++) {
		char c = s[i];
		const char *d;

		if (c >= 'a' && c <= 'z')
			c = (char)(c - 32);
		if (c == '\0' || (d = strchr(digits, c)) == NULL)
			return -1;
		bits = bits << 5 | (unsigned)(d - digits);
		n_bits += i == 0 ? 3 : 5;
		if (n_bits >= 8) {
			n_bits -= 8;
			parsed[n++] = (uint8_t)(bits >> n_bits);
			bits &= (1u << n_bits) - 1;
		}
	}
	memcpy(id, parsed, ID_BYTES);
	return 0;
}

bool
id_is_uuid(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (i == 8 || i == 13 || i == 18 || i == 23
			? s[i] != '-'
			: !ascii_is_alnum(s[i]) || (s[i] | 0x20) > 'f')
			return false;
	return len == UUID_BYTES;
}
