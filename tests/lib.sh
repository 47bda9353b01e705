# lib.sh: TAP for shell tests. A test file starts with
#
#	#!/bin/sh
#	. "${0%/*}/lib.sh"
#
# and is then in an empty directory of its own, with no settings but these: database, configuration
# and XDG directories inside it, a fixed clock and seed, the built programs first in PATH
# (B=build/asan picks another build), stdin empty. It ends with done_testing.
#
#	check NAME CMD...                status 0
#	check_out NAME EXPECTED CMD...   status 0 and exactly these lines
#	check_like NAME ERE CMD...       status 0 and a line that matches
#	check_status NAME N CMD...       status N
#	check_err NAME N ERE CMD...      status N, and a line on stderr that matches
#	cases <<'EOF'                    see below
#	skip NAME WHY; skip_all WHY; fresh (an empty directory again); done_testing
#
# A command reads stdin where it has one: check_out 'x' '{"a":1}' mem-x <<EOF. After each, $out,
# $err (files) and $status are there to look at, also by the next one: check 'and says so' grep -q
# done "$err". Death by a signal, 99 (a sanitizer's or valgrind's finding) and 124 (over time) fail
# whatever status was hoped for. wait_for: see wait.sh. No test may depend on how fast the machine
# is: what a program waits for it waits for long here, unless a check sets another time.

case $0 in */*) tests=$(cd "${0%/*}" && pwd) ;; *) tests=$PWD ;; esac
while [ ! -f "$tests/lib.sh" ]; do tests=${tests%/*}; done
ROOT=${tests%/*}
: "${B:=$ROOT/build}"
case $B in /*) ;; *) B=$ROOT/$B ;; esac

n_tests=0 n_failed=0 n_dirs=0

top=$(mktemp -d "${TMPDIR:-/tmp}/mem-test.XXXXXX") || exit 1
trap 'st=$?; cd /; rm -rf "$top"; exit $st' EXIT
trap 'exit 1' HUP INT TERM
out=$top/out0 err=$top/err0 status=0 flip=0

for v in $(env | sed -n 's/^\(MEM_[A-Z0-9_]*\)=.*/\1/p'); do
	case $v in MEM_TEST_WRAP | MEM_TEST_SECONDS | MEM_TEST_STOP) ;; *) unset "$v" ;; esac
done
unset COLUMNS NO_COLOR CLICOLOR_FORCE POSIXLY_CORRECT MANPATH MANPAGER
export LC_ALL=C TZ=UTC TERM=dumb
export MEM_NOW=2024-05-20T12:00:00Z MEM_SEED=1
# Seconds after which a program is thought to hang, and the times that users would not wait.
: "${MEM_TEST_SECONDS:=1800}"
export MEM_TEST_SECONDS MEM_WAIT=1800 MEM_HOOK_MS=60000 MEM_LLM_TIMEOUT=1800 MEM_EMBED_TIMEOUT=600
. "$ROOT/tests/wait.sh"

# The programs: as built, or each behind a wrapper.
bin=$B
if [ -n "${MEM_TEST_WRAP-}" ]; then
	bin=$top/bin
	mkdir "$bin"
	for p in "$B"/mem "$B"/mem-*; do
		[ -x "$p" ] || continue
		printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$MEM_TEST_WRAP" "$p" >"$bin/${p##*/}"
		chmod +x "$bin/${p##*/}"
	done
fi
PATH=$bin:$PATH
export PATH B ROOT
exec </dev/null

fresh() {
	n_dirs=$((n_dirs + 1))
	mkdir "$top/$n_dirs" && cd "$top/$n_dirs" || exit 1
	: >config
	export HOME="$PWD" MEM_DB="$PWD/mem.db" MEM_CONFIG="$PWD/config"
	export XDG_CONFIG_HOME="$PWD/.config" XDG_DATA_HOME="$PWD/.local/share" \
		XDG_STATE_HOME="$PWD/.local/state" XDG_CACHE_HOME="$PWD/.cache"
}

pass() {
	n_tests=$((n_tests + 1))
	printf 'ok %d - %s\n' $n_tests "$1"
}

# fail NAME WHY [CMD...]: the command, its stdout and its stderr are shown, 50 lines of each. Where
# one fault is enough (MEM_TEST_STOP=1) the test ends.
fail() {
	n_tests=$((n_tests + 1))
	n_failed=$((n_failed + 1))
	printf 'not ok %d - %s\n' $n_tests "$1"
	{
		printf 'failed %d: %s\n%s\n' $n_tests "$1" "$2"
		shift 2
		[ $# -eq 0 ] || printf 'command: %s\n' "$*"
		if [ -s "$out" ]; then echo stdout:; head -n 50 "$out" | cat -v; fi
		if [ -s "$err" ]; then echo stderr:; head -n 50 "$err" | cat -v; fi
	} | sed 's/^/# /' >&2
	[ -z "${MEM_TEST_STOP-}" ] || exit 1
}

skip() {
	n_tests=$((n_tests + 1))
	printf 'ok %d - %s # SKIP %s\n' $n_tests "$1" "$2"
}

# Can a program be run on a terminal here? A bare root may have no /dev/pts.
has_terminal() {
	script -qec true /dev/null </dev/null >/dev/null 2>&1
}

skip_all() {
	printf '1..0 # SKIP %s\n' "$1"
	exit 0
}

done_testing() {
	printf '1..%d\n' $n_tests
	[ $n_failed -eq 0 ]
	exit
}

# New files for $out and $err, so that a command may read those of the command before it.
turn_over() {
	flip=$((1 - flip))
	out=$top/out$flip err=$top/err$flip
}

# Runs a command into $out, $err, $status. Programs (not functions and builtins) may not hang.
run() {
	turn_over
	case $(command -v "$1" 2>/dev/null) in
	/*)	timeout "$MEM_TEST_SECONDS" "$@" >"$out" 2>"$err" ;;
	*)	"$@" >"$out" 2>"$err" ;;
	esac
	status=$?
}

# Says what is wrong with $status where $1 was hoped for; true when nothing is.
status_is() {
	case $status in
	99)	why="a sanitizer or valgrind found something" ;;
	124)	why="it ran too long" ;;
	*)	if [ "$status" -gt 128 ]; then why="a signal: status $status"; else
		why="status $status, not $1"; fi
		[ "$status" -eq "$1" ] && [ "$status" -le 128 ] && return 0 ;;
	esac
	return 1
}

check() {
	name=$1
	shift
	run "$@"
	if status_is 0; then pass "$name"; else fail "$name" "$why" "$@"; fi
}

check_status() {
	name=$1 want=$2
	shift 2
	run "$@"
	if status_is "$want"; then pass "$name"; else fail "$name" "$why" "$@"; fi
}

check_out() {
	name=$1
	: >"$top/want"
	[ -z "$2" ] || printf '%s\n' "$2" >"$top/want"
	shift 2
	run "$@"
	compare_out 0 "$@"
}

check_like() {
	name=$1 like=$2
	shift 2
	run "$@"
	if ! status_is 0; then fail "$name" "$why" "$@"
	elif grep -Eq -e "$like" "$out"; then pass "$name"
	else fail "$name" "no line of stdout matches: $like" "$@"
	fi
}

check_err() {
	name=$1 want=$2 like=$3
	shift 3
	run "$@"
	if ! status_is "$want"; then fail "$name" "$why" "$@"
	elif grep -Eq -e "$like" "$err"; then pass "$name"
	else fail "$name" "no line of stderr matches: $like" "$@"
	fi
}

# $name passes when $status is $1 and $out has the bytes of $top/want; the rest is the command.
compare_out() {
	want=$1
	shift
	if ! status_is "$want"; then
		fail "$name" "$why" "$@"
	elif cmp -s "$top/want" "$out"; then
		pass "$name"
	else
		fail "$name" \
			"$(diff -u "$top/want" "$out" | sed '1s/.*/--- expected/;2s/.*/+++ stdout/' | head -n 60 | cat -v)" "$@"
	fi
}

# Cases of three lines or more, a blank line between them: a command for the shell, one line for its
# stdin ("-": nothing), and all that it has to print (none: nothing). "[65] command" wants that
# status. A line that starts with # is for the reader.
#
#	mem-ingest --from ndjson
#	{"type":"message","session":"s","role":"user","content":"hi"}
#	{"type":"message",...}
cases() {
	n_lines=0
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		'#'*)	[ $n_lines -ge 2 ] || continue ;;
		'')	one_case; continue ;;
		esac
		n_lines=$((n_lines + 1))
		case $n_lines in
		1)	cmd=$line want=0
			: >"$top/in" >"$top/want" ;;
		2)	[ "$line" = - ] || printf '%s\n' "$line" >"$top/in" ;;
		*)	printf '%s\n' "$line" >>"$top/want" ;;
		esac
	done
	one_case
}

one_case() {
	[ $n_lines -gt 0 ] || return 0
	name=$cmd
	if [ $n_lines -eq 1 ]; then
		n_lines=0
		fail "$name" "a case needs a line for stdin"
		return
	fi
	n_lines=0
	case $cmd in
	\[*\]*)	want=${cmd%%\]*} want=${want#?} cmd=${cmd#*\]} cmd=${cmd# } ;;
	esac
	turn_over
	timeout "$MEM_TEST_SECONDS" sh -c "$cmd" <"$top/in" >"$out" 2>"$err"
	status=$?
	compare_out "$want" "$cmd"
}

fresh
