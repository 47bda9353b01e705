#!/bin/sh
# The Makefile: the same bytes come out wherever the sources lie and whenever they are built; musl's
# headers are understood; an SQLite that is too old is named.
. "${0%/*}/lib.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL
few='lib/base/err.c lib/base/buf.c lib/base/clock.c lib/math/real.c'

# build FOLDER: a few objects and their archive, with what is generated, from a copy of the sources
# in FOLDER
build() {
	mkdir -p "$1"
	(cd "$ROOT" && cp -R Makefile bin lib man schema tests "$top/$1") &&
	    make -s -C "$top/$1" B=build LIB_C="$few" build/libmem.a build/bin/mem.o
}

cd "$top" || exit 1
check 'built in one folder' build one
sleep 1
check 'it builds in another place, a second later' build a/longer/name
check 'the archives are the same bytes' cmp one/build/libmem.a a/longer/name/build/libmem.a
check 'objects built in two places are the same' \
	cmp one/build/bin/mem.o a/longer/name/build/bin/mem.o
names_folder() { ! grep -q "$top" one/build/libmem.a one/build/bin/mem.o; }
check 'neither says where it was built' names_folder

# <time.h> declares without "extern" there: behind the macros of banned.h that would be a
# definition.
if command -v musl-gcc >/dev/null 2>&1; then
	cat >time.c <<'C'
#include "base/base.h"
#include <time.h>
#include <stdio.h>
int main(void) { return time(NULL) == 0; }
C
	check 'musl: time.h after base.h' musl-gcc \
		-std=c11 -D_XOPEN_SOURCE=700 -I"$ROOT/lib" -c -o time.o time.c
	check_out 'musl: and nothing is defined by it' '' sh -c 'nm time.o | grep sorry_ || :'
else
	skip 'musl: time.h after base.h' 'no musl-gcc'
fi

# A library older than its header, as a package with too low a dependency brings it.
cat >old.c <<'C'
int sqlite3_libversion_number(void) { return 3024000; }
const char *sqlite3_libversion(void) { return "3.24.0"; }
C
shim=$PWD/old.so
if grep -q __asan_init "$B/mem-ingest"; then
	shim="$(${CC:-cc} -print-file-name=libasan.so) $shim"    # the sanitizer has to come first
fi
if ldd "$B/mem-ingest" 2>/dev/null | grep -q libsqlite3 && cc -shared -fPIC -o old.so old.c; then
	check_err 'an older SQLite: 78, and says which' 78 \
		'SQLite 3.38 or later is needed: the library here is 3.24.0' \
		env LD_PRELOAD="$shim" mem-ingest <<'J'
{"role": "user", "content": "a word"}
J
else
	skip 'an older SQLite: 78, and says which' 'SQLite is not a shared library here'
fi
sed 's/^#define SQLITE_VERSION_NUMBER.*/#define SQLITE_VERSION_NUMBER 3024000/' \
	/usr/include/sqlite3.h >sqlite3.h 2>/dev/null
echo '#include "store/sqlite/sqlite.h"' >db.c
if [ -s sqlite3.h ]; then
	check_err 'an older header does not compile' 1 'SQLite 3.38 or later is needed' cc \
		-std=c11 -I. -I"$ROOT/lib" -I"$B" -fsyntax-only db.c
else
	skip 'an older header does not compile' 'no /usr/include/sqlite3.h'
fi
done_testing
