#!/bin/sh
# Stores of other versions: those from before the first release are refused, whoever asks, and stay
# as they are; a newer mem may bring the store up to date while programs of this version run on.
. "${0%/*}/lib.sh"
command -v sqlite3 >/dev/null 2>&1 || skip_all 'no sqlite3 to make an old store with'
unset MEM_SEED

echo '{"session":"s","id":"v1","content":"a heron on the weir"}' |
	mem-ingest -q --from=ndjson -d now.db
now=$(sqlite3 now.db 'PRAGMA user_version')
mem-check -q --checkpoint -d now.db
for v in 1 9 $((now - 1)); do
	cp now.db old.db
	sqlite3 old.db "PRAGMA user_version = $v" && rm -f old.db-*
	sum=$(cksum <old.db)
	for command in 'mem-list' 'mem-search heron' 'mem-ingest --from=ndjson x.ndjson' \
		'mem-check' 'mem-check --repair' 'mem-check --backup copy.db'; do
		echo '{"session":"s","id":"v2","content":"a second one"}' >x.ndjson
		check_err "a store from before the first release says what to do: $v, $command" 78 \
			"version $v, from before.*mem-export --multi-user --profile.*mem-import" \
			$command -d old.db
	done
	check_out "a store from before the first release stays as it is: $v" "$sum" \
		sh -c 'cksum <old.db'
	check_status 'nothing stands beside a store that was refused' 1 test -e copy.db
done
check_err 'a copy from before the first release is no store to go back to' 78 'from before' \
	mem-check --restore old.db -d now.db
check_err 'a store from before the first release is not written over' 78 'from before' \
	mem-check --restore now.db -d old.db
check_out 'the store is there after a copy was refused' v1 \
	sh -c 'mem-list -j -d now.db | jq -r .source_id'

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
