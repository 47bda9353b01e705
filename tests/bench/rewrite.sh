#!/bin/sh
# rewrite.sh: follow-up questions: which need what was said before, the words they lack, and the
# answers found with them; beside a list of pronouns and what is simply added.

rewrite() {
	say
	say "REWRITE: follow-up questions against what people made of them; items with a history. P, R: new words over those that need it. changed: share of them"
	say "  a list of pronouns tells cast19 .74, cast20 .70, gecor .67; the previous question added has P .28 R .36 (cast19), the first one P .38 R .59"
	own=$top/tests/fixtures/followups/held-out.txt
	if have python3; then
		python3 "$here/followup_learn.py" judge "$own" || n_bad=$((n_bad + 1))
	fi
	set --
	for s in cast19 cast20 gecor canard-dev rewrite-zh; do
		[ ! -f "$data/rewrite/$s.ndjson.gz" ] || set -- "$@" "$data/rewrite/$s.ndjson.gz"
	done
	if [ $# -eq 0 ] || [ ! -f "$stop" ]; then
		say "left out: no $data/rewrite or no $stop (MEM_BENCH_DATA)"
		return
	fi
	printf '  %-26s %5s %5s  %5s  %5s  %5s  %5s  %5s  %s\n' '' needs whole found kept bal. P R \
		changed
	"$tools/followup_tool" measure "$stop" "$@" || n_bad=$((n_bad + 1))
}
