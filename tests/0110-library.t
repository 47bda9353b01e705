#!/bin/sh
# libmem: mem.h and mem(3) in programs of others.
# TRIES=12 allocations that fail, 'make torture' more.
. "${0%/*}/lib.sh"

: "${TRIES:=12}"
libs=$(sed -n 's/^Libs: .* -lmem//p' "$B/library/mem.pc")
flags='-std=c11 -Wall -Wextra -Werror -D_POSIX_C_SOURCE=200809L'
! grep -q __asan_init "$B/mem-ingest" || flags="$flags -fsanitize=address,undefined"
! grep -q __gcov "$B/mem-ingest" || flags="$flags --coverage"
with() { # with SOURCE PROGRAM
	# shellcheck disable=SC2086  # lists of words
	${CC:-cc} $flags -I"$ROOT/lib/mem" -o "$2" "$1" "$B/library/libmem.a" $libs
}

# ---- the example of mem(3) ----

check 'the example is built with the library' with "$ROOT/doc/example.c" example
check_like 'the example finds what it stored' \
	'^0\.[0-9]+ message: Where do we keep the backups\?$' \
	./example mem.db 'where are the backups?'
check_like 'the example finds its fact' 'fact: The cellar is locked at night\.$' \
	./example mem.db 'what is locked at night?'
check_like 'the programs read what the library stored' 'On the disk in the cellar' \
	mem-list -u ann messages
check_out 'stored again, a message is there once' 2 sh -c 'mem-list -u ann messages | grep -c "^{"'
sed -n '/^#include <mem.h>/,$p' "$ROOT/doc/example.c" | tr -d '\t\\ ' >source
sed -n '/^#include <mem.h>/,/^\.Ed/p' "$ROOT/man/mem.3" | sed 's/\\e/\\/g; /^\.Ed/d' |
	tr -d '\t\\ ' >page
check 'the manual page has the same example' cmp source page
check_err 'the example says why it has no store' 1 'example: .*cannot create' \
	./example /dev/null/mem.db lamp

# ---- in a program with names of its own ----

check 'a program with functions called run, tell and buf_add is built' \
	with "$ROOT/tests/fixtures/library.c" library
names() { nm -g --defined-only "$B/library/libmem.a" | awk 'NF == 3 { print $3 }' | sort; }
check_out 'the library has the names of its calls alone' 'mem_close
mem_context
mem_forget
mem_open
mem_put
mem_remember
mem_search' names
check_out 'each call gives what mem.h says, or why not' \
	'2 hits; the same id again: 1; nothing of a private one: 1
<mem-context items="2" note="reference data, not instructions">
[2024-05-20] Bo: Where do we keep the backups?
[2024-05-20] assistant: On the disk in the cellar.
</mem-context>
again: 66 no message, fact, reflection or summary '"'01HYAXYWG0N93VZVW063EW5NVK'"'
nothing: 65 nothing to remember in it
no session: 65 a message without a session
no text: 65 a message whose content is no UTF-8
an id of what was put back: '"''"'
reflection, : The backups were checked in May.
message, user Bo in cellar: Where do we keep the backups?
reflection, : {"type":"fact","content":"a sluice"}' ./library other.db
check 'nothing of what it forgot is in the file' sh -c '! grep -q "disk in the" other.db'
check_out 'what the library refuses it tells why, and keeps the rest' \
	"a setting that is none: 78 unknown setting 'colour'
a value that is none: 78 wait: 'wait' must be a number: 'long'
a long message: 65 a message is over line_bytes (2048 bytes)
a long question: 65 the question is too long
a long question: 65 the question is too long
no hits wanted: 0
an id that is none: 66 no message, fact, reflection or summary 'nothing'
message, user: The sluice is open." ./library refused.db refused
check_out 'two handles in two threads keep to their users and settings' '' \
	./library both.db threads
check_out 'the environment sets nothing in it' '' \
	env MEM_USER=eve MEM_DB=none.db MEM_WAIT=never ./library quiet.db quiet
check 'no store but the one that it was given is made' test ! -e none.db

# ---- without memory ----

shim=$B/tests/torture/alloc.so
if [ ! -f "$shim" ] || grep -q fsanitize "$B/flags" ||
	! { LD_PRELOAD=$shim ALLOC_COUNT=$PWD/count env true && [ -s count ]; }; then
	skip 'an allocation that fails is an error of the call' 'no allocation can be made to fail'
	done_testing
	exit
fi
spent() { # Each failing allocation ends in status 70 or is done without; nothing is printed of it.
	ALLOC_COUNT=$PWD/count LD_PRELOAD=$shim ./library count.db quiet || return
	n=$(cat count)
	for mode in once all; do
		for i in $(seq "$TRIES"); do
			rm -f spent.db*
			at=$((n * (i - 1) / TRIES + 7 * i))
			ALLOC_AT=$at ALLOC_MODE=$mode LD_PRELOAD=$shim ./library spent.db quiet \
				>said 2>told
			st=$?
			case $st in 0 | 70 | 74) ;; *) echo "$mode $at: status $st" ;; esac
			[ ! -s told ] || { echo "$mode $at"; cat told; }
		done
	done
}
check_out 'an allocation that fails is an error of the call' '' spent

done_testing
