#!/bin/sh
# Kernels of other processors, run by qemu where it is installed: AVX2 and no more, none of it, and
# NEON, cross-compiled. Bits are the same everywhere.
. "${0%/*}/lib.sh"

# first NAME ...: the first of these programs that there is.
first() {
	for name in "$@"; do
		command -v "$name" && return
	done
}

export MEM_MODELS="$top/models" MEM_TEST_SECONDS=600
mkdir "$MEM_MODELS"
check 'makes a tiny model' "$B/tests/torture/tiny_model" "$top/tiny"
check 'the tiny model is converted for use' \
	mem-model convert "$top/tiny" -o "$MEM_MODELS/tiny.model"
seq 40 | sed 's/.*/{"text":"line & about the cat of number &, and a long one of many words: the cat, the cat and the &"}/' >texts
check 'texts are embedded by the kernel at hand' mem-embed --filter --model tiny <texts
cp "$out" want

x86=$(first qemu-x86_64-static qemu-x86_64)
# of this machine's kind, and without a sanitizer, whose memory is more than qemu has
if [ "$(od -An -tx1 -j18 -N1 "$B/mem-embed" | tr -d ' ')" != 3e ] || grep -q __asan_init \
	"$B/mem-embed"; then x86=''; fi
for cpu in Haswell:avx2 Nehalem:scalar; do
	if [ -z "$x86" ]; then
		skip "a processor with ${cpu#*:} alone" \
			'there is no qemu for x86-64, or the programs are not for it'
		continue
	fi
	check_out "a processor that has ${cpu#*:} alone takes it" "\"kernel\":\"${cpu#*:}\"" sh -c \
		"'$x86' -cpu ${cpu%:*} '$B/mem-embed' --info --model tiny 2>/dev/null |
			grep -o '\"kernel\":\"[a-z0-9]*\"'"
	check_out 'another kernel gives the same bits' '' sh -c \
		"'$x86' -cpu ${cpu%:*} '$B/mem-embed' --filter --model tiny <texts 2>/dev/null |
			cmp - want"
done

gcc=$(first aarch64-linux-gnu-gcc) arm=$(first qemu-aarch64-static qemu-aarch64)
# A cross compiler may come without the headers of libc.
echo "#include <math.h>" >arm.c
[ -n "$gcc" ] && "$gcc" -fsyntax-only arm.c 2>/dev/null || gcc=''
for t in gemm encoder; do
	if [ -z "$gcc" ] || [ -z "$arm" ]; then
		skip "NEON: ${t}_test" \
			'there is no cross compiler with headers, or no qemu, for aarch64'
		continue
	fi
	check "NEON: ${t}_test is compiled" "$gcc" \
		-std=c11 \
		-D_XOPEN_SOURCE=700 \
		-Wall -Wextra -Werror -O2 -ffp-contract=off -static -I"$ROOT/lib" \
		-o "$top/${t}_test" "$ROOT/tests/unit/${t}_test.c" \
			"$ROOT"/lib/model/kernels/gemm*.c "$ROOT"/lib/model/encoder*.c \
		"$ROOT"/lib/base/alloc.c "$ROOT"/lib/base/err.c "$ROOT"/lib/base/buf.c \
			"$ROOT"/lib/base/utf8.c -lm -lpthread
	check 'tests of the kernel pass under an emulator' \
		sh -c "! '$arm' '$top/${t}_test' | grep '^not ok'"
done
done_testing
