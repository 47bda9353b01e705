#!/bin/sh
# mem-import killed at random moments: nothing is lost, nothing is there twice, and the next run
# goes on; a pipe that breaks at any byte; as many lines as there may be take little memory.
# KILLS=5 rounds of five kills; 'make torture' does 300 kills.
. "${0%/*}/lib.sh"
unset MEM_NOW MEM_SEED
export MEM_BATCH=40

: "${KILLS:=5}"
seq 1200 | sed 's/.*/{"session":"s&","source_id":"&","role":"user","content":"line & of the log"}/;
	s/"s[0-9]*\([0-9]\)"/"s\1"/' | mem-ingest -q --from=ndjson
MEM_DB="$PWD/mem.db" "$B/tests/torture/facts" 100 >facts
i=0
while [ $i -lt 10 ]; do
	i=$((i + 1))
	mem-edit --importance .$((i % 9)) "$(sed -n "${i}s/ .*//p" facts)" >/dev/null
done
mem-edit --undo >/dev/null
mem-export >all

# Killed so early that there is no store, or late enough that it was done; always the same in the
# end.
i=0 n_killed=0
: >wrong
while [ $i -lt "$KILLS" ]; do
	i=$((i + 1))
	rm -f k.db*
	tries=0
	while tries=$((tries + 1)) && [ $tries -lt 6 ]; do
		mem-import -q -d k.db all 2>/dev/null &
		perl -e 'select(undef, undef, undef, rand(.08))'
		kill -9 $! 2>/dev/null && n_killed=$((n_killed + 1))
		wait $! 2>/dev/null
	done
	mem-import -q -d k.db all 2>>wrong || echo "$i: the last run failed" >>wrong
	mem-export -d k.db >is 2>>wrong
	cmp all is >>wrong
	[ $((i % 5)) -ne 0 ] || mem-check -q --deep -d k.db >>wrong
done
check_out "killed $KILLS times five times: it goes on, nothing is lost, nothing is there twice" '' \
	cat wrong
check '  some of them were at work' test "$n_killed" -gt 0

# The line breaks at any byte: what came is stored, and the rest comes with the next try.
size=$(wc -c <all)
i=0
: >wrong
rm -f p.db*
while [ $i -lt 10 ]; do
	i=$((i + 1))
	head -c $((size * i / 10 - i * 37)) all | mem-import -q -d p.db >/dev/null 2>told
	[ $? -eq 65 ] || echo "$i: not told" >>wrong
	mem-check -q -d p.db >>wrong
done
mem-import -q -d p.db all 2>>wrong || echo 'the last one failed' >>wrong
mem-export -d p.db | cmp all - >>wrong
check_out 'a line that breaks at ten places' '' cat wrong

# A key that two machines set.
mem-remember -q -d k1.db --fact --key home 'I live in Rome'
mem-remember -q -d k2.db --fact --key home 'I live in Paris'
mem-export -d k1.db >k1
mem-export -d k2.db | mem-import -q -d k1.db
mem-import -q -d k2.db k1
check_out 'both facts on one key hold' 2 sh -c 'mem-list -j facts -d k1.db | wc -l'
mem-export -d k1.db >k1
mem-export -d k2.db >k2
check '  and are the same on both' cmp k1 k2
mem-remember -q -d k1.db --fact --key home 'I live in Oslo'
check_out '  until it is set again' 'I live in Oslo' sh -c \
	'mem-list -j facts -d k1.db | jq -r .content'

# Two that import the same at once.
rm -f q.db*
mem-import -q -d q.db all &
mem-import -q -d q.db all
one=$?
wait $!
check_out 'two at once' '0 0' echo $one $?
mem-export -d q.db >is
check '  store it once' cmp all is

# Memory does not grow with what comes.
if [ -x "$B/tests/torture/peak" ] && ! grep -q fsanitize "$B/flags" &&
	[ -z "${MEM_TEST_WRAP-}" ]; then
	unset MEM_BATCH
	seq 40000 | sed 's/.*/{"session":"s&","source_id":"&","content":"line & of a longer log"}/;
		s/"s\([0-9]*\)[0-9][0-9]"/"s\1"/' | mem-ingest -q --from=ndjson -d big.db
	mem-export -d big.db >big
	check_out 'many lines go out and in within 64 MB' '' sh -c \
		'for c in "mem-export -d big.db" "mem-import -q -d in.db big"; do
			"$B/tests/torture/peak" kb $c >/dev/null
			[ "$(cat kb)" -lt 65536 ] || echo "$c: $(cat kb) KB"
		done'
else
	skip 'many lines go out and in within 64 MB' 'sanitizers take more, or nothing measures it'
fi

done_testing
