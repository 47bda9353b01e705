#!/bin/sh
# safety.sh: the torture tests, and what they say of themselves.

safety() {
	say
	say "SAFETY: kill loops, many writers, bad input (make torture)"
	set -- "$top"/tests/torture/*.t
	[ -f "$1" ] || { say "left out: there are no torture tests"; return; }
	for t; do
		started=$(date +%s)
		if (cd "$top" && B=$B sh "$t") >"$work/torture" 2>&1; then result=passed; else
			result=FAILED n_bad=$((n_bad + 1)); fi
		printf '  %-40s %s, %d checks, %d s\n' "${t##*/}" $result \
			"$(grep -c '^ok' "$work/torture")" "$(($(date +%s) - started))"
		sed -n 's/^# */    /p' "$work/torture"
	done
}
