#!/bin/sh
# A store of each older version, with rows in every table that it had: refused by who only reads,
# backed up, brought up to date, nothing lost, and used.
. "${0%/*}/lib.sh"
command -v sqlite3 >/dev/null 2>&1 || skip_all 'no sqlite3 to make an old store with'
unset MEM_SEED

now=$(ls "$ROOT"/schema/store-*.sql | wc -l)
. "$ROOT/tests/rich.sh"
rich_store mem.db
mem-check -q --checkpoint
check 'a store with rows in every table' test -z "$(rich_empty mem.db)"
mv mem.db now.db

# old VERSION FILE [FROM]: the tables of that version, with what a store of today has in them; large
# ones of version 11 or later with room for the sums of pages, as these were made.
old() {
	{
		[ -z "${3-}" ] || [ "$1" -lt 11 ] || echo '.filectrl reserve_bytes 8'
		echo 'PRAGMA application_id = 0x6d656d31; PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF;'
		i=1
		while [ $i -le "$1" ]; do cat "$ROOT/schema/store-$i.sql"; i=$((i + 1)); done
	} >make.sql
	sqlite3 "$2" <make.sql >/dev/null
	sqlite3 -separator ' ' "$2" "SELECT name, (SELECT group_concat(name) FROM pragma_table_info(s.name)) \
		FROM sqlite_schema s WHERE type = 'table' AND name NOT LIKE 'sqlite%'" >tables
	while read -r t columns; do
		case $t in vector_set) ;; vector_*) [ "$1" -ge 6 ] || continue ;; esac \
			# of records that the version did not have
		sqlite3 "$2" \
			"ATTACH '${3:-now.db}' AS now; PRAGMA foreign_keys = OFF; INSERT INTO $t ($columns) SELECT $columns FROM now.$t"
	done <tables
	sqlite3 "$2" "PRAGMA user_version = $1"
	chmod 600 "$2"
}
# rows FILE: the rows of the tables and columns listed in tables.
rows() {
	while read -r t columns; do
		sqlite3 "$1" "SELECT '$t', $columns FROM $t ORDER BY 2, 3"
	done <tables
}

v=1
while [ $v -lt "$now" ]; do
	old $v $v.db
	rows $v.db >before
	check_err "version $v: who reads says what to do" 78 \
		"version $v, which mem-check --migrate" mem-list -d $v.db
	if [ $((v % 2)) -eq 1 ]; then
		check "version $v: --migrate brings it up to date" mem-check --migrate -d $v.db
	else
		check "version $v: who writes brings it up to date" sh -c \
			"echo '{\"session\":\"s\",\"id\":\"1\",\"content\":\"x\"}' | mem-ingest -q --from=ndjson --pruned -d $v.db"
	fi
	check_out 'a store brought up to date is of this version' "$now" \
		sqlite3 $v.db 'PRAGMA user_version'
	check_out 'the backup of an upgrade is of the old version' $v \
		sqlite3 $v.db.v$v.backup 'PRAGMA user_version'
	rows $v.db.v$v.backup >copied
	check 'the backup of an upgrade has all its rows' cmp before copied
	rows $v.db >after
	check 'a store brought up to date has all its rows' cmp before after
	check 'a store brought up to date is whole' mem-check -q --deep -d $v.db
	check_like 'pages of a store brought up to date have sums' \
		'every page is as it was written' mem-check --full -d $v.db
	check 'a store brought up to date has the tables of a new one' sh -c 'for f in now.db "$1";
		do sqlite3 "$f" "SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2" \
			>"$f.schema";
		done; cmp now.db.schema "$1.schema"' \
		sh $v.db
	check 'a store brought up to date is used as before' sh -c \
		"echo '{\"session\":\"new\",\"id\":\"n\",\"content\":\"something about zeppelins\"}' | mem-ingest -q --from=ndjson -d $v.db && mem-search -e -d $v.db zeppelins && mem-remember -d $v.db 'zeppelins are large'"
	mem-export --profile -d $v.db >out
	check 'what came from an old store goes through an export' sh -c 'rm -f new.db*;
		mem-import -q -d new.db out && mem-export --profile -d new.db | cmp - out'

	# three write while a fourth brings it up to date
	rm -f w.db* acked.*
	old $v w.db
	rows w.db | grep -E '^(message|record|fact|tombstone|profile)\|' | sort >before
	: >wrong
	for w in 1 2 3; do
		(
			for i in 1 2 3; do
				printf '{"id":"%s","session":"w","content":"by %s"}\n' $w$i $w |
					mem-ingest --from=ndjson --pruned -d w.db \
						>>acked.$w 2>said.$w || cat said.$w >>wrong
			done
		) &
	done
	mem-check -q --migrate -d w.db || echo 'not brought up to date' >>wrong
	wait
	mem-list -d w.db -j -n 100000 | jq -r .id | sort >there
	cat acked.* | jq -r .id | sort >acked
	rows w.db | sort | comm -23 before - >>wrong
	[ "$(wc -l <acked)" -eq 9 ] || echo 'fewer than nine are stored' >>wrong
	comm -23 acked there >>wrong
	mem-check -q --deep -d w.db >>wrong
	check_out 'others that write meanwhile succeed, and nothing is lost' '' cat wrong
	v=$((v + 1))
done

# Stores that SQLite's page cache (2,000 KB) does not hold, so that pages are written in another
# order than they are read in. Killed at any call that changes a file, the store is whole: the old
# one, or that of today.
cp now.db large.db
seq 7500 | sed 's/.*/{"id":"large&","session":"large&","role":"user","content":"& kettles and & lanterns of the keeper, number &&"}/' |
	sed 's/"large\([0-9]*\)[0-9][0-9]",/"large\1",/2' | mem-ingest -q --from=ndjson -d large.db
mem-check -q --checkpoint -d large.db
check 'a large store of an old version is made' test "$(wc -c <large.db)" -gt 2200000
shim=$B/tests/torture/fault.so
[ -f "$shim" ] && [ -z "${MEM_TEST_WRAP-}" ] && ! grep -q fsanitize=address "$B/flags" 2>/dev/null ||
	shim=
# seen FILE: the version and the rows of the store that a killed program has left, read from a copy.
seen() {
	rm -f seen.db*
	for end in '' -wal -journal; do
		[ ! -e "$1$end" ] || cp "$1$end" "seen.db$end"
	done
	sqlite3 seen.db 'PRAGMA user_version; PRAGMA quick_check'
	rows seen.db | cmp - before
}
v=1
while [ $v -lt "$now" ]; do
	old $v large-old.db large.db
	[ $((v % 3)) -ne 1 ] || sqlite3 large-old.db 'PRAGMA journal_mode = DELETE' >/dev/null
	rows large-old.db >before
	rm -f k.db*
	cp large-old.db k.db
	check "a large store of version $v: --migrate" env ${shim:+LD_PRELOAD=$shim} FAULT_AT=0 \
		FAULT_PATH=k.db FAULT_COUNT="$PWD/count" mem-check -q --migrate -d k.db
	check_out 'all rows of the large store are there and in the backup' "$now
ok
$v
ok" sh -c "$(cat <<'EOF'
		for f in k.db k.db.v"$1".backup; do
			sqlite3 $f 'PRAGMA user_version; PRAGMA integrity_check'
		done
EOF
	)" sh $v
	rows k.db >after
	check 'rows of the large store are as they were' cmp before after
	rows k.db.v$v.backup >after
	check 'rows of the large store are in both' cmp before after
	check_like 'every page of the large store has a sum' 'every page is as it was written' \
		mem-check --full -d k.db
	: >wrong
	for i in ${shim:+1 2}; do
		at=$(($(cat count) * i / 3 + v))
		rm -f k.db*
		cp large-old.db k.db
		FAULT_AT=$at FAULT_MODE=kill FAULT_PATH=k.db LD_PRELOAD=$shim \
			mem-check -q --migrate -d k.db >said 2>&1
		[ $? -eq 137 ] || echo "call $at: it was not killed" >>wrong
		case $(seen k.db 2>&1) in "$v
ok" | "$now
ok") ;; *) echo "call $at: neither the old store nor the new one: $(seen k.db 2>&1)" >>wrong ;; esac
		mem-check -q --migrate -d k.db >>wrong 2>&1 ||
			echo "call $at: not brought up to date" >>wrong
		rows k.db | cmp - before >>wrong 2>&1
		mem-check -q --full -d k.db >>wrong
	done
	check_out 'killed on the way it is the old store or the new one' '' cat wrong
	rm -f large-old.db*
	v=$((v + 1))
done

# A page of what is derived is damaged: the copy is of what is whole, and the store is repaired once
# it is of this version.
old $((now - 1)) d.db
page=$(sqlite3 d.db "SELECT rootpage FROM sqlite_schema WHERE name = 'card'")
perl -e 'open(my $f, "+<", $ARGV[0]) or die; seek($f, ($ARGV[1] - 1) * 4096, 0); print $f "x" x 4096' d.db "$page"
mem-list -j -n 1000 -d now.db >before
check_status 'damaged: --migrate tells it' 74 mem-check -q --migrate -d d.db
check_out 'a damaged store is brought to this version' "$now" sqlite3 d.db 'PRAGMA user_version'
check 'the backup of a damaged store is whole' mem-check -q --deep -d d.db.v$((now - 1)).backup
check 'a damaged store that was upgraded is repaired' mem-check --repair -d d.db
check_like 'pages of the repaired store have sums' 'every page is as it was written' \
	mem-check --full -d d.db
mem-list -j -n 1000 -d d.db >after
check 'no message of the repaired store is lost' cmp before after

# Killed at any moment it goes on where it was: with the next program that writes, and nothing is
# lost.
old $((now - 1)) old.db
rows old.db >before
i=0
: >wrong
while [ $i -lt 25 ]; do
	rm -f k.db*
	cp old.db k.db
	mem-check -q --migrate -d k.db 2>/dev/null &
	perl -e 'select(undef, undef, undef, $ARGV[0] / 2000)' $i
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
	mem-check -q --migrate -d k.db || echo "$i: not brought up to date" >>wrong
	rows k.db | cmp -s - before || echo "$i: rows differ" >>wrong
	mem-check -q --deep -d k.db >>wrong
	mem-check --full -d k.db | grep -q 'every page is as it was written' ||
		echo "$i: no sums" >>wrong
	i=$((i + 1))
done
check_out 'killed at 25 moments: brought up to date afterwards, whole, with all rows' '' cat wrong

# A newer mem brings the store up to date while programs of this version run on.
echo '{"session":"s","id":"o1","content":"an otter in the river"}' |
	mem-ingest -q --from=ndjson -d n.db
mkfifo lines questions
mem-ingest --from=ndjson -d n.db <lines >lines.out 2>lines.err &
writer=$!
exec 3>lines
mem-search -j -d n.db - <questions >questions.out 2>questions.err &
reader=$!
exec 4>questions
echo '{"session":"s","id":"o2","content":"a second otter"}' >&3
echo '{"type":"query","query":"otter"}' >&4
check 'a process that writes for long begins' wait_for '[ -s lines.out ]'
check 'a process that reads for long begins' wait_for '[ -s questions.out ]'
sqlite3 n.db "PRAGMA user_version = $((now + 1))"
echo '{"session":"s","id":"o3","content":"a third otter"}' >&3
echo '{"type":"query","query":"river"}' >&4
exec 3>&- 4>&-
wait $writer
check 'a store of a newer mem: who wrote ends' test $? -eq 78
check_like 'who writes is told to start it again' \
	"brought the store to version $((now + 1)).*start it again" cat lines.err
wait $reader
check 'who reads a newer store ends with 78' test $? -eq 78
check_like 'who reads is told to start it again' \
	"brought the store to version $((now + 1)).*start it again" cat questions.err
sqlite3 n.db "PRAGMA user_version = $now"
check_out 'nothing more was written to the newer store' 2 sh -c 'mem-list -j -d n.db | wc -l'

done_testing
