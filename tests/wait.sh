# wait.sh: waiting for what must happen, however slow the machine is. lib.sh reads it; a command for
# "sh -c" begins with '. "$ROOT/tests/wait.sh"; '.
#
#	wait_for COMMAND...      runs it, as eval does, until it succeeds
#
# It gives up when even a test's program would be thought to hang (MEM_TEST_SECONDS), with 1.
wait_for() {
	wait_until=$(($(date +%s) + ${MEM_TEST_SECONDS:-1800}))
	until eval "$@" >/dev/null 2>&1; do
		[ "$(date +%s)" -lt $wait_until ] || return 1
		sleep .05
	done
}
