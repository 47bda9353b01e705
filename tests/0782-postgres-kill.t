#!/bin/sh
# What a program has printed as stored is in PostgreSQL, and nothing is in it twice, whoever cut the
# connection or killed the server. PG_KILLS says how often it is killed (8).
. "${0%/*}/lib.sh"
. "$tests/postgres.sh"
pg_start

fresh
: "${PG_KILLS:=8}"
# ids are not made of a seed: so a message is put as users have it put
unset MEM_SEED

# lines FROM N: messages with ids of their own.
lines() {
	seq "$1" $(($1 + $2 - 1)) |
		sed 's/.*/{"id":"m&","session":"s","role":"user","content":"message number &"}/'
}

# The ids that are printed and those that are stored; what is missing in the second, and what is
# there twice.
compare() {
	sed -n 's/.*"source_id":"\(m[0-9]*\)".*/\1/p' "$1" | sort -u >printed
	pg_sql "$2" "SELECT convert_from(source, 'UTF8') FROM message" | sort >stored
	sort -u stored | comm -23 printed - >lost
	uniq -d stored >twice
}

# ---- an answer that never comes ----

pg_new cut
direct=$url
check 'a store is made' eval 'lines 1 1 | mem-ingest -q --from=ndjson -d "$direct"'
mkdir -m 755 proxy
perl "$tests/tools/pg_cut.pl" "$PWD/proxy" "$pg_dir/.s.PGSQL.5432" 2>proxy.err &
proxy=$!
n=0
while [ ! -S proxy/.s.PGSQL.5432 ] && [ $n -lt 100 ]; do
	sleep .05
	n=$((n + 1))
done
cut="postgres://mem@/cut?host=$PWD/proxy"
for n in 1 2 3; do
	lines $((n * 10)) 5 | MEM_WAIT=5 mem-ingest --from=ndjson -d "$cut" >out.$n 2>err.$n
	echo $? >status.$n
done
check 'a commit that was not sent is told as not stored' \
	eval '[ "$(cat status.1)" = 75 ] && [ ! -s out.1 ] && grep -q "nothing was stored" err.1'
check 'one that was carried out without an answer is told as stored' \
	eval '[ "$(cat status.2)" = 0 ] && [ "$(grep -c source_id out.2)" = 5 ]'
check 'one that was answered is' eval '[ "$(cat status.3)" = 0 ] && [ "$(grep -c source_id out.3)" = 5 ]'
kill $proxy
wait $proxy 2>/dev/null
cat out.* >all.out
compare all.out cut
check 'all that was told is there, once' eval '[ ! -s lost ] && [ ! -s twice ]'
check 'what was told as not stored is not there' eval '! grep -q "^m1[0-4]$" stored'

# ---- a server that dies, and one that ends the connection ----

pg_new killed
: >all.out
i=0
while [ $i -lt "$PG_KILLS" ]; do
	lines $((i * 1000)) 1000 | MEM_BATCH=20 MEM_WAIT=5 mem-ingest --from=ndjson -d "$url" \
		>>all.out 2>>all.err &
	writer=$!
	sleep .$(((i * 37 + 11) % 80 + 10))
	if [ $((i % 2)) = 0 ]; then
		pg_do pg_ctl -D "$pg_dir/data" -m immediate -s stop >/dev/null 2>&1
		wait $writer
		echo $? >>statuses
		pg_run
	else
		pg_sql killed "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \
			application_name = 'mem'" >/dev/null
		wait $writer
		echo $? >>statuses
	fi
	i=$((i + 1))
done
compare all.out killed
check 'what was printed before a kill is there, once' eval '[ ! -s lost ] && [ ! -s twice ]'
check 'a program says when it lost the server' \
	eval '[ -z "$(grep -vx "0\|69\|75" statuses)" ]'
i=0
while [ $i -lt "$PG_KILLS" ]; do
	lines $((i * 1000)) 1000
	i=$((i + 1))
done >whole
check 'what is stored again afterwards completes it' \
	eval 'mem-ingest -q --from=ndjson -d "$url" whole'
compare whole killed
check 'with each message once' eval '[ "$(wc -l <stored)" = $((PG_KILLS * 1000)) ] && [ ! -s twice ]'
check 'and the store is whole' eval 'mem-check --deep -d "$url" >checked; ! grep -q "\"ok\":false" checked'
done_testing
