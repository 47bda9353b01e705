/*
 * lines: any bytes as an input file, packed or not, read by lines and as a whole.
 */
#include "fuzz.h"

#include <unistd.h>

#include "json/ndjson.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char name[] = "/tmp/mem-fuzz-XXXXXX";
	static FILE *f;
	struct err err = ERR_INIT;
	const char *line;
	struct ndjson *r;
	uint64_t last = 0;
	size_t len;
	int got;

	if (f == NULL) {
		int fd = mkstemp(name);
		PROMISE(fd >= 0 && (f = fdopen(fd, "w+b")) != NULL);
	}
	PROMISE(
	    freopen(name, "w+b", f) != NULL && fwrite(data, 1, size, f) == size && fflush(f) == 0);
	if (ndjson_open(name, 100, &r, &err) == 0) {
		while ((got = ndjson_next(r, &line, &len, &err)) > 0) {
			PROMISE(ndjson_line(r) > last);
			last = ndjson_line(r);
			PROMISE(got == NDJSON_TOO_LONG ||
			    (len <= 100 && line[len] == '\0' && memchr(line, '\n', len) == NULL));
		}
		PROMISE(got == 0 || err.msg[0] != '\0');
		ndjson_close(r);
	}
	if (ndjson_open(name, 0, &r, &err) == 0) {
		ndjson_peek(r, &line, &len, &err);
		ndjson_rest(r, 1 << 20, &line, &len, &err);
		ndjson_close(r);
	}
	return 0;
}
