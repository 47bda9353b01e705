/*
 * avx2_only.c: loaded into a program (LD_PRELOAD), it hides what the processor has beyond AVX2, so
 * that one with VNNI shows what peers do on one without.
 *
 * Linux can make the cpuid instruction a fault (arch_prctl ARCH_SET_CPUID, where the processor has
 * it); the handler asks in the program's stead and leaves out AVX-512, AVX-VNNI and AMX. Where it
 * cannot, that is said and nothing is hidden.
 */
#define _GNU_SOURCE                    /* REG_RIP, syscall */
#include <asm/prctl.h>
#include <cpuid.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/*
 * Bits of leaf 7: AVX-512 in ebx; in ecx VBMI, VBMI2, VNNI, BITALG, VPOPCNTDQ; in edx two of Xeon
 * Phi's, VP2INTERSECT, FP16 and AMX.
 */
#define HIDDEN_EBX \
	(1u << 16 | 1u << 17 | 1u << 21 | 1u << 26 | 1u << 27 | 1u << 28 | 1u << 30 | 1u << 31)
#define HIDDEN_ECX (1u << 1 | 1u << 6 | 1u << 11 | 1u << 12 | 1u << 14)
#define HIDDEN_EDX (1u << 2 | 1u << 3 | 1u << 8 | 1u << 22 | 1u << 23 | 1u << 24 | 1u << 25)

static void
on_fault(int number, siginfo_t *info, void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
	uint32_t leaf = (uint32_t)r[REG_RAX], part = (uint32_t)r[REG_RCX], a, b, c, d;

	(void)info;
	if (memcmp((const void *)(uintptr_t)r[REG_RIP], "\x0f\xa2", 2) != 0) {
		signal(number, SIG_DFL);               /* a fault like any other */
		return;
	}
	syscall(SYS_arch_prctl, ARCH_SET_CPUID, 1);
	__cpuid_count(leaf, part, a, b, c, d);
	syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0);
	if (leaf == 7 && part == 0)
		b &= ~HIDDEN_EBX, c &= ~HIDDEN_ECX, d &= ~HIDDEN_EDX;
	else if (leaf == 7)
		a = b = c = d = 0;
	r[REG_RAX] = a;
	r[REG_RBX] = b;
	r[REG_RCX] = c;
	r[REG_RDX] = d;
	r[REG_RIP] += 2;
}

__attribute__((constructor)) static void
start(void)
{
	struct sigaction act = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };

	sigaction(SIGSEGV, &act, NULL);
	if (syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0) != 0)
		perror("avx2_only: cpuid cannot be hidden");
}
