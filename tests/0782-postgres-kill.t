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

# behind NAME [COMMAND]: a proxy to database NAME that cuts at commits; its URL is in $cut.
behind() {
	mkdir -p -m 755 proxy
	rm -f proxy/.s.PGSQL.5432
	perl "$tests/tools/pg_cut.pl" "$PWD/proxy" "$pg_dir/.s.PGSQL.5432" ${2+"$2"} 2>proxy.err &
	proxy=$!
	wait_for [ -S proxy/.s.PGSQL.5432 ]
	cut="postgres://mem@/$1?host=$PWD/proxy"
}
in_front() {
	kill $proxy
	wait $proxy 2>/dev/null
}

: "${PG_CUTS:=20}"
pg_new cut
direct=$url
check 'a store is made' eval 'lines 1 1 | mem-ingest -q --from=ndjson -d "$direct"'
behind cut
# of each three commits, one is not sent, and one is carried out without an answer
lines 10 $((PG_CUTS * 5)) | MEM_BATCH=5 mem-ingest --from=ndjson -d "$cut" \
	>cut.out 2>cut.err
check_out 'cut at its commits, a program goes on' '0' sh -c "echo $?; cat cut.err"
in_front
compare cut.out cut
check 'all that was told is there, once' eval '[ ! -s lost ] && [ ! -s twice ]'
check_out 'lines printed before a cut are all there is' $((PG_CUTS * 5)) sh -c 'wc -l <printed'

# ---- and somebody else comes in between ----

pg_new between
direct=$url
lines 1 1 | mem-ingest -q --from=ndjson -d "$direct"
lines 100 5 >others
behind between "mem-ingest -q --from=ndjson -d '$direct' -u somebody $PWD/others"
lines 10 5 | mem-ingest -q --from=ndjson -d "$cut" >/dev/null 2>err
check_out 'who wrote for another user is no hindrance' '0' sh -c "echo $?; cat err"
in_front
behind between "mem-ingest -q --from=ndjson -d '$direct' $PWD/others"
lines 20 5 | mem-ingest --from=ndjson -d "$cut" >out 2>err
check_out 'who wrote for this one is: it is told to try again' '75' sh -c "echo $?; cat out"
check 'a conflict of writers says why it failed' grep -q 'others have written since, try again' err
in_front
check_out 'nothing of it is stored, and all of the other' \
	'm1 m10 m100 m101 m102 m103 m104 m11 m12 m13 m14' pg_sql between \
	"SELECT string_agg(s, ' ' ORDER BY s) FROM (SELECT convert_from(source, 'UTF8')
		COLLATE \"C\" AS s FROM message WHERE id >> 44 = 1) m"
check 'it can be stored again' eval 'lines 20 5 | mem-ingest -q --from=ndjson -d "$direct"'

# ---- a process that is asked on, cut at each of its messages in turn ----

pg_new asked
direct=$url
# enough that what one question has read is kept for the next
awk 'BEGIN { for (i = 1; i <= 6000; i++) {
	said = ""
	for (k = 0; k < 12; k++)
		said = said " w" int(exp(rand() * 7))
	printf "{\"id\":\"m%d\",\"session\":\"s%d\",\"role\":\"user\",\"content\":\"%s\"}\n", i,
		i / 50, said
} }' | mem-ingest -q --from=ndjson -d "$direct"
ask() {
	printf '{"query":"%s"}\n' 'w7 w30 w812' 'w30 w5 w99 w400' 'w1 w2 w7 w77 w650' |
		MALLOC_PERTURB_=85 mem-search -j --no-touch --strategy=fused -d "$1" -
}                                          # what is freed is overwritten
ask "$direct" >whole
check_out 'it is asked three questions' 30 sh -c 'grep -c "\"type\":\"hit\"" whole'
: >wrong
at=2                                       # 1: there is no connection yet
while [ $at -le 40 ]; do
	export CUT_AT=$at
	behind asked
	ask "$cut" >out 2>err || echo "at $at: status $?" >>wrong
	cmp -s whole out || echo "at $at: $(head -n 1 err)" >>wrong
	in_front
	at=$((at + 1))
done
unset CUT_AT
check_out 'wherever it is cut, it answers them all' '' cat wrong

# ---- a server that dies, and one that ends the connection ----

pg_new killed
: >all.out
i=0
while [ $i -lt "$PG_KILLS" ]; do
	lines $((i * 1000)) 1000 | MEM_BATCH=5 mem-ingest --from=ndjson -d "$url" \
		>>all.out 2>>all.err &
	writer=$!
	sleep .$(((i * 37 + 11) % 80 + 10))
	if [ $((i % 2)) = 0 ]; then
		pg_do pg_ctl -D "$pg_dir/data" -m immediate -s stop >/dev/null 2>&1
		pg_run
	else
		pg_sql killed "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \
			application_name = 'mem'" >/dev/null
	fi
	wait $writer
	echo $? >>statuses
	i=$((i + 1))
done
compare all.out killed
check 'what was printed before a kill is there, once' eval '[ ! -s lost ] && [ ! -s twice ]'
check_out 'no program ends by it' "$PG_KILLS" sh -c 'cat all.err; grep -cx 0 statuses'
i=0
while [ $i -lt "$PG_KILLS" ]; do
	lines $((i * 1000)) 1000
	i=$((i + 1))
done >whole
check 'what is stored again afterwards completes it' \
	eval 'mem-ingest -q --from=ndjson -d "$url" whole'
compare whole killed
check 'with each message once' eval '[ "$(wc -l <stored)" = $((PG_KILLS * 1000)) ] && [ ! -s twice ]'
check 'the store is whole after all cuts' \
	eval 'mem-check --deep -d "$url" >checked; ! grep -q "\"ok\":false" checked'

# ---- a connection that breaks more often than a transaction takes ----

pg_new often
mem-ingest -q --from=ndjson -d "$url" </dev/null
pg_sql often "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
		'BEGIN PERFORM pg_sleep(.3); RETURN NULL; END';
	CREATE TRIGGER slow AFTER INSERT ON message EXECUTE FUNCTION slow()" >/dev/null
lines 0 20 | mem-ingest --from=ndjson -d "$url" >out 2>err &
writer=$!
n=0 i=0
while [ $n -lt 8 ] && [ $i -lt 1000 ]; do
	n=$((n + $(pg_sql often "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE
		application_name = 'mem' AND wait_event = 'PgSleep'")))
	sleep .02
	i=$((i + 1))
done
wait $writer
check_out 'it is tried for as long as the setting wait says' '0 20 8' \
	sh -c "cat err; echo $? \$(wc -l <out) $n"
pg_sql often 'CREATE OR REPLACE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
	$$BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END$$' >/dev/null
check_err 'a lock is waited for no longer than set' 75 'try again' sh -c \
	'echo "{\"session\":\"s\",\"content\":\"an otter\"}" |
		MEM_WAIT=.5 mem-ingest --from=ndjson -d "$1"' sh "$url"
done_testing
