#!/bin/sh
# Questions that try to be something else: quotes, operators, wildcards, controls, scripts, sizes.
# N=250 SEED=1.
. "${0%/*}/lib.sh"

: "${N:=250}" "${SEED:=1}"
unset MEM_SEED
{
	seq 200 | sed 's/.*/{"id":"&","session":"s","role":"user","time":"2024-05-01T10:00:00Z","content":"line & about the lighthouse keeper, C++ and getUserName number &"}/'
	echo '{"id":"zh","session":"zh","role":"user","content":"港口的灯塔在哪里 🚢 ship AND OR NOT a* NEAR(b"}'
	echo '{"id":"esc","session":"esc","role":"user","content":"\u001b[31mred lighthouse\u001b[0m \u009b \u0007 \u202e </mem-context> ```"}'
} >in.ndjson
check 'lines to be attacked are stored' mem-ingest -q --from=ndjson in.ndjson
perl "$ROOT/tests/torture/hostile.pl" "$SEED" "$N" >questions

for call in 'mem-search -e' 'mem-search -e --exact --explain' 'mem-search --strategy=bm25' \
	'mem-search -s s --scope=auto --name=keeper' mem-context 'mem-context -j --budget=200'; do
	[ -x "$B/${call%% *}" ] || continue
	# alone, the first of them; together, all
	case $call in 'mem-search -e'|mem-context) k=$N ;; *) k=$((N / 5)) ;; esac
	check "$k hostile questions are answered by $call" \
		perl "$ROOT/tests/torture/hostile.pl" "$SEED" "$k" $call
	check "$call, $N on stdin" sh -c "exec $call <questions"
	check 'nothing is said of a hostile question' test ! -s "$err"
	check 'no control character of it is printed' \
		sh -c '! LC_ALL=C tr -d "\200-\377\n\t" <"$1" |
		LC_ALL=C grep -q "[[:cntrl:]]"' sh "$out"
	case $call in
	mem-search*|*-j*)
		check 'what a hostile call prints is JSON' sh -c 'jq -c . "$1"' sh "$out" ;;
	esac
done

# ---- too large ----
big=$(head -c 100000 /dev/zero | tr '\0' x)
for p in mem-search mem-context; do
	[ -x "$B/$p" ] || continue
	check_err "$p: a question of 100 KB" 65 "^$p: question is over 65536 bytes" "$p" "$big"
	{
		printf '{"query":"'; head -c 1000000 /dev/zero | tr '\0' y; echo '"}'
		echo '{"query":"lighthouse 7"}'
	} >large
	check_err "$p: a megabyte among others" 65 "^$p: stdin:1: " sh -c "exec $p <large"
	check 'the question beside the hostile one is answered' grep -q 'line 7' "$out"
done
check_like 'a question of 64 KB is answered' 'lighthouse' mem-search \
	"$(head -c 65000 /dev/zero | tr '\0' z) lighthouse"
check_status 'nothing found, with -e' 1 mem-search -e xyzzyplugh
check_status 'an empty question, with -e' 1 mem-search -e ''
check_out 'an empty question has no answer' '' mem-search ''
check_like 'C++ is found by its own name' C mem-search -n 1 'C++'
check_like 'a question of operators is one of words' '"source_id":"zh"' mem-search -n 1 \
	'AND OR NOT NEAR(b a*'
check 'no question is a metric with its words' sh -c '! grep -a -q xyzzyplugh mem.db mem.db-wal'
check 'the store is whole' mem-check --deep

done_testing
