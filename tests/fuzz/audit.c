/*
 * audit: any bytes as another program's memory: read as files of several kinds, also as an agent's
 * own, and audited by words.
 */
#include "fuzz.h"

#include "audit/audit.h"

static int
on_finding(void *arg, const struct finding *f)
{
	(void)arg;
	PROMISE(f->n_records >= 1 && f->n_records <= 2 && f->n_evidence <= FINDING_EVIDENCE);
	for (size_t i = 0; i < f->n_records; i++)
		PROMISE(f->records[i]->content != NULL);
	return 0;
}

static void
on_bad(const char *where, const char *why)
{
	(void)where;
	PROMISE(*why != '\0');
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "fuzz-in.json", "fuzz-in.md", "fuzz-in.txt",
		"fuzz-in.jsonl" };
	unsigned which = (unsigned)(number_of(data, size) % 5);
	const char *name = names[which % 4];
	struct memories m = { .n = 0 };
	struct memories_input in = { NULL, on_bad, which == 4 ? "codex" : NULL };
	struct scope who = { "default", "", "", "" };
	struct audit_want want = { .who = &who, .owner = "", .words = true,
		.kinds = (1u << N_FINDING_KINDS) - 1, .now_us = 1764000000000000 };
	struct audit_counts counts;
	struct err err = ERR_INIT;
	int rc;

	memset(&counts, 0, sizeof(counts));
	file_of(name, data, size);
	rc = memories_read(&m, name, &in, &err);
	PROMISE(rc == 0 || *err.msg != '\0');
	PROMISE(err.code != ERR_BUG);
	/* every record is compared with all others */
	if (rc == 0 && m.n < 200) {
		err_clear(&err);
		PROMISE(audit_run(&m, &want, on_finding, NULL, &counts, &err) == 0);
		PROMISE(counts.records <= m.n);
	}
	memories_release(&m);
	remove(name);
	return 0;
}
