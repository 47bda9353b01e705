#!/bin/sh
# mem-sync and a session that has lost turns: when it was and whose it is stays what its turns say,
# whatever another store has heard.
. "${0%/*}/lib.sh"

say() { # SESSION ID ROLE NAME TIME CONTENT [KEYS]
	jq -cn --arg s "$1" --arg i "$2" --arg r "$3" --arg n "$4" --arg t "$5" --arg c "$6" \
		--argjson k "${7-{\}}" \
		'{session: $s, id: $i, role: $r, name: $n, time: $t, content: $c} + $k'
}
fresh
{
	say trip t1 user Nora 2024-05-01T10:00:00Z 'The ferry leaves at nine.'
	say trip t2 user Nora 2024-05-09T10:00:00Z 'It takes dogs.' '{"agent": "bob"}'
	say trip t3 user Nora 2024-05-03T10:00:00Z 'It takes bicycles.'
} >all.ndjson
when() {
	for d in "$@"; do mem-list sessions -j -d "$d"; done >list &&
		jq -r '"\(.created) \(.updated) \(.agent) \(.title)"' list | sort -u
}
news() { # FROM TO
	mem-export -q -d "$1" --new-for "$(mem-sync -d "$2" --mark)" >news &&
		mem-import -q -d "$2" news
}
check 'a memory to be synced is made' mem-ingest -q --from=ndjson all.ndjson
check 'a session of it has a title and was told when it was' sh -c \
	'echo "{\"type\": \"session\", \"session\": \"trip\", \"title\": \"To the island\",
		\"created\": \"2024-04-01T10:00:00Z\"}" | mem-ingest -q'
for d in laptop.db desk.db; do
	check "another store has it: $d" env MEM_SEED=${#d} sh -c \
		"mem-export >export && mem-import -q -d $d export"
done
check 'a turn of that session is forgotten' mem-forget -qf source:t2
told='2024-05-01T10:00:00Z 2024-05-03T10:00:00Z null To the island'
check_out 'the session has lost when it was, with the turn' "$told" when mem.db
check 'another store hears of that' news mem.db laptop.db
check_out 'the laptop has the same time of the session' "$told" when laptop.db
check 'a third one adds a turn, and tells what it has heard' sh -c \
	'MEM_SEED=31 mem-ingest -q --from=ndjson -d desk.db' <<-END
	$(say trip t4 user Nora 2024-05-06T10:00:00Z 'It was late.')
END
check 'news of the desk go to the one that forgot' news desk.db mem.db
told='2024-05-01T10:00:00Z 2024-05-06T10:00:00Z null To the island'
check_out 'the session is as its turns say there' "$told" when mem.db
check 'the desk hears of it in return' news mem.db desk.db
check_out 'the desk has the same time of the session' "$told" when desk.db mem.db
check 'a store that had nothing' news mem.db new.db
check_out 'a new store has the time of the session, too' "$told" when new.db
check 'what was forgotten may come back' sh -c 'mem-import -q --allow -d new.db export'
check_out 'a new store has all that was told of the session' \
	'2024-04-01T10:00:00Z 2024-05-09T10:00:00Z null To the island' when new.db

done_testing
