/*
 * ways.h: for the shims that make a call fail: by which way a program comes to a call. A way is the
 * calls of the program that lead there, each an address in its file; ways.pl chooses among them.
 */
#pragma once

#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unwind.h>

enum { WAY_CALLS = 64, WAYS = 1 << 14 };

static struct way {
	uint64_t hash;                     /* 0: an empty place */
	const char *kind, *what;
	int n;
	uintptr_t at[WAY_CALLS];
} ways[WAYS];
static uintptr_t way_base, way_from, way_to;

static int
way_find_program(struct dl_phdr_info *p, size_t size, void *arg)
{
	(void)size;
	(void)arg;
	way_base = p->dlpi_addr;
	for (int i = 0; i < p->dlpi_phnum; i++)
		if (p->dlpi_phdr[i].p_type == PT_LOAD && p->dlpi_phdr[i].p_flags & PF_X) {
			way_from = way_base + p->dlpi_phdr[i].p_vaddr;
			way_to = way_from + p->dlpi_phdr[i].p_memsz;
		}
	return 1;                          /* the first is the program itself */
}

/* Adds a call of the program itself to the way. */
static _Unwind_Reason_Code
way_call(struct _Unwind_Context *c, void *arg)
{
	struct way *w = arg;
	uintptr_t at = _Unwind_GetIP(c);

	if (at - way_from < way_to - way_from && w->n < WAY_CALLS)
		w->at[w->n++] = at - way_base;
	return _URC_NO_REASON;
}

/* Before any call may fail, as the first walk up loads what it needs. */
static void
way_start(void)
{
	struct way w = { .n = 0 };

	_Unwind_Backtrace(way_call, &w);
	dl_iterate_phdr(way_find_program, NULL);
}

/* Notes the way to here with what is done there, and gives its number. */
static uint64_t
way_here(const char *kind, const char *what)
{
	uint64_t hash = 1469598103934665603u;
	struct way w, *to;

	w.n = 0;
	_Unwind_Backtrace(way_call, &w);
	for (int i = 0; i < w.n; i++)
		hash = (hash ^ w.at[i]) * 1099511628211u;
	for (const char *p = what; *p != '\0'; p++)
		hash = (hash ^ (unsigned char)*p) * 1099511628211u;
	w.hash = hash = ((hash ^ (unsigned char)*kind) * 1099511628211u) | 1;
	w.kind = kind;
	w.what = "";
	for (int i = 0; i < WAYS; i++) {
		to = &ways[(hash + (uint64_t)i) % WAYS];
		if (to->hash == 0) {
			*to = w;
			if (*what != '\0')
				to->what = strdup(what);
		}
		if (to->hash == hash)
			break;
	}
	return hash;
}

/* A line for each way: number, addresses, kind and what; line breaks are blanks. */
static void
way_tell(FILE *f)
{
	for (const struct way *w = ways; w < ways + WAYS; w++) {
		if (w->hash == 0)
			continue;
		fprintf(f, "%llx\t", (unsigned long long)w->hash);
		for (int i = 0; i < w->n; i++)
			fprintf(f, "%s%llx", i > 0 ? " " : "", (unsigned long long)w->at[i]);
		fprintf(f, "\t%s%s", w->kind, *w->what != '\0' ? " " : "");
		for (const char *p = w->what; *p != '\0'; p++)
			putc(*p == '\n' ? ' ' : *p, f);
		putc('\n', f);
	}
}
