#!/bin/sh
# The Makefile: the same bytes come out wherever the sources lie and whenever they are built; and musl's headers are understood.
. "${0%/*}/lib.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL
few='lib/base/err.c lib/base/buf.c lib/base/clock.c lib/math/real.c'

# build FOLDER: a few objects and their archive, with what is generated, from a copy of the sources in FOLDER
build() {
	mkdir -p "$1"
	(cd "$ROOT" && cp -R Makefile bin lib man schema tests "$top/$1") &&
	    make -s -C "$top/$1" B=build LIB_C="$few" build/libmem.a build/bin/mem.o
}

cd "$top" || exit 1
check 'built in one folder' build one
sleep 1
check 'and in another, a second later' build a/longer/name
check 'the archives are the same bytes' cmp one/build/libmem.a a/longer/name/build/libmem.a
check 'and the objects' cmp one/build/bin/mem.o a/longer/name/build/bin/mem.o
names_folder() { ! grep -q "$top" one/build/libmem.a one/build/bin/mem.o; }
check 'neither says where it was built' names_folder

# <time.h> declares without "extern" there: behind the macros of banned.h that would be a definition.
if command -v musl-gcc >/dev/null 2>&1; then
	cat >time.c <<'C'
#include "base/base.h"
#include <time.h>
#include <stdio.h>
int main(void) { return time(NULL) == 0; }
C
	check 'musl: time.h after base.h' musl-gcc -std=c11 -D_POSIX_C_SOURCE=200809L -I"$ROOT/lib" -c -o time.o time.c
	check_out 'musl: and nothing is defined by it' '' sh -c 'nm time.o | grep sorry_ || :'
else
	skip 'musl: time.h after base.h' 'no musl-gcc'
fi
done_testing
