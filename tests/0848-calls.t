#!/bin/sh
# Calls of the system on files, directories and pipes fail in turn, each call of the sources that
# leads to one. ALL=1, as in 'make torture': in every program that comes by, not in the first alone.
. "${0%/*}/lib.sh"
. "$ROOT/tests/faults.sh"

fault_shim=$B/tests/torture/calls.so fault_ways=CALL_WAYS fault_way=CALL_FAILS
fault_may='65 66 69 70 73 74 75 77 78'
[ -f "$fault_shim" ] || skip_all 'no calls.so'
[ -z "${MEM_TEST_WRAP-}" ] || skip_all 'the shim would be loaded into the wrapper'
! grep -q fsanitize "$B/flags" 2>/dev/null || skip_all "a sanitizer's library wants to be the first"
faults

# ---- mem-setup, which writes the files of others ----
# Each is the old or the new one, and undoing gives them all back.

. "$ROOT/tests/agents.sh"
tried=$PWD/tried
fresh
unset MEM_SEED MEM_NOW
export MEM_MODEL=none MEM_DB="$top/memory.db"
fake_timers "$top/fake"
agents_home
rm -r .gemini .copilot .config/opencode .qwen .hermes .config/zed dotfiles .config/Code \
	.claude/projects/* .codex/sessions/*
# which timer is taken hangs on what answers; where a directory cannot be read an empty one may stay
sums() {
	tree . | grep -E '^[0-9]+ [0-9]+ ' |
		grep -v -e '\.local/state' -e '\.mem-setup' -e '/systemd/' | sort
}
given_back() { tree . | grep -v '^\./\.local' | cmp -s - "$top/before"; }
setup_wrong() {
	echo "$1: mem-setup --$job: status $status: $try $calls $what" >>wrong
	head -n 3 told | sed 's/^/  /' >>wrong
}
# put_back: the home as it was before the job.
put_back() (
	cd "$HOME" && rm -rf .[a-z]* "$FAKE_CRONTAB" && cp -a "$top/$job/." . || exit
	[ $job = auto ] || cp "$top/crontab.undo" "$FAKE_CRONTAB"
)
cp -a . "$top/auto"
tree . | grep -v '^\./\.local' >"$top/before"
sums >"$top/old"
cd "$top" && mkdir setup && cd setup && cp "$tried" tried || exit 1
: >wrong
n_runs=0
for job in auto undo; do
	put_back
	env CALL_WAYS="$PWD/ways" LD_PRELOAD="$fault_shim" \
		mem-setup -q --from-build --$job --yes >/dev/null 2>&1
	[ $job = undo ] || {
		(cd "$HOME" && sums) | sort -u "$top/old" - >"$top/either"
		cp -a "$HOME" "$top/undo" && cp "$FAKE_CRONTAB" "$top/crontab.undo"
	}
	"$ROOT/tests/torture/ways.pl" "$(command -v mem-setup)" tried <ways >tries
	while IFS='	' read -r try calls what; do
		n_runs=$((n_runs + 1))
		put_back
		env CALL_FAILS="$try" LD_PRELOAD="$fault_shim" \
			mem-setup -q --from-build --$job --yes >said 2>told
		status=$?
		case " 0 $fault_may " in *" $status "*) ;; *) setup_wrong status ;; esac
		[ $status -eq 0 ] || [ -s told ] || grep -q '"message":' said ||
			setup_wrong 'without a word'
		(cd "$HOME" && sums) | comm -23 - "$top/either" >neither
		[ ! -s neither ] || setup_wrong "neither old nor new: $(cat neither)"
		mem-setup -q --undo --yes >/dev/null 2>&1
		(cd "$HOME" && given_back) || setup_wrong 'not given back'
	done <tries
	rm ways
done
check_out "mem-setup: $n_runs calls failed, no file is half, and all is given back" '' cat wrong
check 'many calls of mem-setup were made to fail' test $n_runs -gt 20
done_testing
