/*
 * turn_features_pages.c: packs and reads a page of cards. A field is read as the eight bytes from
 * where it begins, which is why eight bytes of 0 follow the last record.
 */
#include "index/turn_features_pages.h"

#include "base/bytes.h"
#include "base/clock.h"

#define HEAD_BYTES 47
#define TAIL_BYTES 8
/* the widest field that lies in eight bytes wherever in a byte it begins */
#define MOST_BITS  57
#define WIDE       65              /* a number of bits that no field has */

enum { SPEAKER = 2, ROLE = 5 };    /* indexes among the fields */

static const uint64_t units[] = { 1, 1000, US_PER_S, 60 * US_PER_S };

static unsigned
bits_of(uint64_t v)
{
	unsigned n = 0;

	for (; v != 0; v >>= 1)
		n++;
	return n;
}

static void
fields_of(const struct card *c, uint16_t v[CARDS_FIELDS])
{
	const uint16_t all[CARDS_FIELDS] = { c->n_words, c->n_chars, c->speaker, c->agent,
		c->project, c->role, c->trust, c->flags, 0, c->second, c->capitals, c->numbers };

	memcpy(v, all, sizeof(all));
}

/* ---- making ---- */

struct shape {
	int64_t time;                      /* the least time */
	unsigned unit, time_bits;
	uint16_t least[CARDS_FIELDS];
	unsigned bits[CARDS_FIELDS];
	size_t stride;
};

/* Finds the largest unit of which all times are a whole number behind the least one. */
static void
shape_times(const struct card *c, size_t n, struct shape *s)
{
	uint64_t span = 0;
	bool any = false, whole;

	s->time = 0;
	for (size_t i = 0; i < n; i++)
		if (c[i].time_us != TIME_NONE && (!any || c[i].time_us < s->time)) {
			s->time = c[i].time_us;
			any = true;
		}
	for (s->unit = NELEM(units) - 1; ; s->unit--) {
		whole = true;
		for (size_t i = 0; i < n && whole; i++)
			if (c[i].time_us != TIME_NONE) {
				uint64_t behind = (uint64_t)c[i].time_us - (uint64_t)s->time;
				whole = behind % units[s->unit] == 0;
				span = MAX(span, behind);
			}
		if (whole)
			break;
	}
	span /= units[s->unit];
	s->time_bits = !any ? 0 : span == UINT64_MAX ? WIDE : bits_of(span + 1);
}

static void
shape_of(const struct card *c, size_t n, struct shape *s)
{
	uint16_t v[CARDS_FIELDS], most[CARDS_FIELDS];

	shape_times(c, n, s);
	fields_of(&c[0], s->least);
	fields_of(&c[0], most);
	for (size_t i = 1; i < n; i++) {
		fields_of(&c[i], v);
		for (size_t k = 0; k < CARDS_FIELDS; k++) {
			s->least[k] = MIN(s->least[k], v[k]);
			most[k] = MAX(most[k], v[k]);
		}
	}
	size_t bits = s->time_bits;
	for (size_t k = 0; k < CARDS_FIELDS; k++)
		bits += s->bits[k] = bits_of((uint64_t)(most[k] - s->least[k]));
	s->stride = (bits + 7) / 8;
}

/* Stores v in `bits` bits from bit `at` on, which must be 0. */
static void
put_bits(uint8_t *record, size_t at, unsigned bits, uint64_t v)
{
	for (unsigned done = 0; done < bits; done += 8 - (unsigned)((at + done) % 8))
		record[(at + done) / 8] |= (uint8_t)(v >> done << (at + done) % 8);
}

static void
put_record(const struct card *c, const struct shape *s, uint8_t *record)
{
	uint16_t v[CARDS_FIELDS];
	size_t at = s->time_bits;

	if (c->time_us != TIME_NONE)
		put_bits(record, 0, s->time_bits,
		    ((uint64_t)c->time_us - (uint64_t)s->time) / units[s->unit] + 1);
	fields_of(c, v);
	for (size_t k = 0; k < CARDS_FIELDS; at += s->bits[k++])
		put_bits(record, at, s->bits[k], (uint64_t)(v[k] - s->least[k]));
}

size_t
cards_pack(const struct card *c, size_t n, uint8_t out[CARDS_ROOM])
{
	struct shape s;

	shape_of(c, n, &s);
	size_t len = HEAD_BYTES + n * s.stride + TAIL_BYTES;
	len += len % CARD_BYTES == 0;
	if (s.time_bits > MOST_BITS || len >= n * CARD_BYTES) {
		for (size_t i = 0; i < n; i++)
			card_pack(&c[i], out + i * CARD_BYTES);
		return n * CARD_BYTES;
	}
	memset(out, 0, len);
	out[0] = (uint8_t)n;
	put_le(out + 1, (uint64_t)s.time, 8);
	out[9] = (uint8_t)s.unit;
	out[10] = (uint8_t)s.time_bits;
	for (size_t k = 0; k < CARDS_FIELDS; k++) {
		put_le(out + 11 + 3 * k, s.least[k], 2);
		out[13 + 3 * k] = (uint8_t)s.bits[k];
	}
	for (size_t i = 0; i < n; i++)
		put_record(&c[i], &s, out + HEAD_BYTES + i * s.stride);
	return len;
}

/* ---- reading ---- */

void
cards_open(struct cards *p, const uint8_t *bytes, size_t len)
{
	memset(p, 0, sizeof(*p));
	if (len % CARD_BYTES == 0) {
		p->n = MIN(len / CARD_BYTES, (size_t)CARDS_A_PAGE);
		p->records = bytes;
		return;
	}
	if (len < HEAD_BYTES + TAIL_BYTES || bytes[0] > CARDS_A_PAGE || bytes[9] >= NELEM(units) ||
	    bytes[10] > MOST_BITS)
		return;
	p->time = (int64_t)get_le64(bytes + 1);
	p->unit = units[bytes[9]];
	p->of_time.bits = bytes[10];
	unsigned at = p->of_time.bits;
	for (size_t k = 0; k < CARDS_FIELDS; k++) {
		const uint8_t *f = bytes + 11 + 3 * k;
		if (f[2] > 16)
			return;
		p->least[k] = (uint16_t)get_le16(f);
		p->of[k].at = (uint16_t)at;
		p->of[k].bits = f[2];
		at += f[2];
	}
	p->stride = (at + 7) / 8;
	p->records = bytes + HEAD_BYTES;
	if (HEAD_BYTES + bytes[0] * p->stride + TAIL_BYTES <= len)
		p->n = bytes[0];
}

static inline uint64_t
get_bits(const uint8_t *record, unsigned at, unsigned bits)
{
	return get_le64(record + at / 8) >> at % 8 & (((uint64_t)1 << bits) - 1);
}

static inline int64_t
time_of(const struct cards *p, const uint8_t *record)
{
	uint64_t time = get_bits(record, 0, p->of_time.bits);

	return time == 0 ? TIME_NONE : (int64_t)((uint64_t)p->time + (time - 1) * p->unit);
}

void
cards_get(const struct cards *p, size_t at, struct card *out)
{
	const uint8_t *record = p->records + at * p->stride;
	uint16_t v[CARDS_FIELDS];

	if (p->unit == 0) {
		card_unpack(p->records + at * CARD_BYTES, out);
		return;
	}
	for (size_t k = 0; k < CARDS_FIELDS; k++)
		v[k] = (uint16_t)(p->least[k] + get_bits(record, p->of[k].at, p->of[k].bits));
	*out = (struct card){
		.time_us = time_of(p, record),
		.n_words = v[0],
		.n_chars = v[1],
		.speaker = v[2],
		.agent = v[3],
		.project = v[4],
		.role = (uint8_t)v[5],
		.trust = (uint8_t)v[6],
		.flags = v[7],
		.second = (uint8_t)v[9],
		.capitals = (uint8_t)v[10],
		.numbers = (uint8_t)v[11],
	};
}

void
cards_said(const struct cards *p, size_t at, size_t n, struct card_said *out)
{
	struct card c;

	for (size_t i = 0; i < n; i++) {
		const uint8_t *record = p->records + (at + i) * p->stride;
		if (p->unit == 0) {
			cards_get(p, at + i, &c);
			out[i] = (struct card_said){ c.time_us, c.speaker, c.role };
		} else {
			out[i] = (struct card_said){ time_of(p, record),
				(uint16_t)(p->least[SPEAKER] +
				    get_bits(record, p->of[SPEAKER].at, p->of[SPEAKER].bits)),
				(uint8_t)(p->least[ROLE] +
				    get_bits(record, p->of[ROLE].at, p->of[ROLE].bits)) };
		}
	}
}
