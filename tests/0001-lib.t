#!/bin/sh
# lib.sh itself: what should fail does, and says why.
. "${0%/*}/lib.sh"

# A test file in which the given lines stand alone. It lies in a tests/ of its own, as lib.sh looks
# for itself above $0.
mkdir tests
cp "$ROOT/tests/lib.sh" "$ROOT/tests/wait.sh" tests/
alone() {
	printf '. "${0%%/*}/lib.sh"\n%s\ndone_testing\n' "$1" >tests/alone.t
	sh tests/alone.t
}
good() { check_out "$1: passes" "ok 1 - n
1..1" alone "$2"; }
bad() { check_err "$1" 1 "$3" alone "$2"; check_status "$1: is counted as failed" 0 \
	grep -q '^not ok 1 - ' \
	"$out"; }

good 'check' 'check n true'
bad 'a status that is not 0' 'check n sh -c "exit 3"' '^# status 3, not 0$'
good 'check_out' 'check_out n "a  b
c" printf "a  b\nc\n"'
good 'check_out of nothing' 'check_out n "" true'
bad 'another line' 'check_out n a echo b' '^# \+b$'
bad 'a line too many' 'check_out n a printf "a\n\n"' '^# \+$'
bad 'a line without its end' 'check_out n a printf a' 'No newline'
bad 'nothing where something was wanted' 'check_out n a true' '^# -a$'
bad 'the right lines and a wrong status' 'check_out n a sh -c "echo a; exit 1"' \
	'^# status 1, not 0$'
good 'check_status' 'check_status n 65 sh -c "exit 65"'
bad 'a signal is never hoped for' 'check_status n 139 sh -c "kill -SEGV \$\$"' \
	'^# a signal: status 139$'
bad 'nor is 99' 'check_status n 99 sh -c "exit 99"' 'sanitizer'
bad 'a command that never ends' 'MEM_TEST_SECONDS=1; check_status n 124 sleep 20' 'too long'
bad 'no such command' 'check n mem-nonsense' 'status 127'
good 'check_like' 'check_like n "^b+$" printf "a\nbb\n"'
bad 'no line that matches' 'check_like n "^b+$" echo ab' '^# no line of stdout matches: \^b\+\$$'
good 'check_err' 'check_err n 64 "^oops" sh -c "echo oops >&2; exit 64"'
bad 'another message' 'check_err n 64 "^oops" sh -c "echo ouch >&2; exit 64"' '^# ouch$'
bad 'the message with another status' 'check_err n 64 "^oops" sh -c "echo oops >&2; exit 65"' \
	'status 65, not 64'
good 'stdin is empty' 'check_out n "" cat'
good 'or what is given' 'check_out n abc cat <<E
abc
E'
good 'settings are gone' 'check n test -z "${MEM_LIMIT-}"'
check_out 'cases of a test are told as TAP' 'ok 1 - cat
ok 2 - [65] cat; exit 65
ok 3 - true
1..3' alone 'cases <<E
# a remark
cat
{"a": 1}
{"a": 1}

[65] cat; exit 65
x
x


true
-
E'
bad 'a case that prints something else' 'cases <<E
cat
a
b
E' '^# \+a$'
bad 'a case that ends otherwise' 'cases <<E
[65] cat
a
a
E' 'status 0, not 65'
bad 'half a case' 'cases <<E
cat
E' 'needs a line for stdin'
check_out 'a test that is skipped says why' 'ok 1 - n # SKIP no moon
1..1' alone 'skip n "no moon"'
check_out 'a file that is skipped says why' '1..0 # SKIP no sun' alone 'skip_all "no sun"'
good 'each file has a directory of its own' 'check n test "$(ls)" = config'
good 'fresh' 'touch x; fresh; check n test ! -e x -a ! -e "$MEM_DB"'

done_testing
