#!/bin/sh
# mem-ingest: histories of which something was lost without a word. What is not read is named, and what was refused is read when it can be.
. "${0%/*}/lib.sh"

# n CMD...: how many records it prints; its status.
n() {
	"$@" >t
	st=$?
	echo $(wc -l <t)
	return $st
}

# ---- a line that a cap refused is read when the cap is raised ----

# turns SESSION: three with ids, as a file that is read on where reading ended; the second is what $1 says of it.
turns() {
	jq -cn '{session: "s", id: "a1", role: "user", content: "first"}'
	printf '%s\n' "$1"
	jq -cn '{session: "s", id: "a3", role: "user", content: "third"}'
}

deep=$(jq -cn 'reduce range(40) as $i (1; [.]) | {session: "s", id: "a2", role: "user", content: "second", more: .}')
long=$(jq -cn '{session: "s", id: "a2", role: "user", content: ("second " * 400)}')
wide=$(jq -cn '{session: "s", id: "a2", role: "user", content: "second", more: [range(200)]}')
named=$(jq -cn '{session: ("s" * 90), id: "a2", role: "user", content: "second"}')
for cap in MEM_LINE_BYTES:2000:"$long" MEM_DEPTH:20:"$deep" MEM_JSON_VALUES:100:"$wide" MEM_ID_BYTES:80:"$named"; do
	setting=${cap%%:*} rest=${cap#*:}
	low=$setting=${rest%%:*} line=${rest#*:}
	fresh
	turns "$line" >s.ndjson
	check_err "$setting: the line is named" 65 's.ndjson:2: ' env "$low" mem-ingest s.ndjson
	check_out "$setting: under the same cap it is told once" '' sh -c "$low mem-ingest s.ndjson 2>&1"
	echo '{"session":"s","id":"a4","role":"user","content":"fourth"}' >>s.ndjson
	check_out "$setting: nor when the file has grown" 1 n env "$low" mem-ingest s.ndjson
	check_out "$setting: with the cap raised it is read, and it alone" second sh -c 'mem-ingest s.ndjson >t && jq -r ".content[:6]" t'
	check_out "$setting: then nothing is left to read" 0 n mem-ingest s.ndjson
done

fresh
jq -cn '{session: "s", id: "a1", role: "user", content: "first"}' >s.ndjson
printf '%s' "$long" | head -c 2500 >>s.ndjson
check_err 'a line that is too long and not whole' 65 's.ndjson:2: the line is too long' env MEM_LINE_BYTES=2000 mem-ingest s.ndjson
printf '%s' "$long" | tail -c +2501 >>s.ndjson
echo >>s.ndjson
jq -cn '{session: "s", id: "a3", role: "user", content: "third"}' >>s.ndjson
check_err 'its rest is no line of its own' 65 's.ndjson:2: the line is too long' env MEM_LINE_BYTES=2000 mem-ingest s.ndjson
check_out 'and that alone was wrong' 1 sh -c "wc -l <$err"
check_out 'raised: all of it' 1 n mem-ingest s.ndjson

fresh
jq -cn 'range(50) | {session: "s", id: "b\(.)", role: "user", content: "more"}' >s.ndjson
check_err 'a file over file_bytes' 65 'over file_bytes' env MEM_FILE_BYTES=1K mem-ingest -q s.ndjson
check_err 'is named each time' 65 'over file_bytes' env MEM_FILE_BYTES=1K mem-ingest -q s.ndjson
check 'raised: the rest' mem-ingest -q s.ndjson
check_out 'none is missing' 50 sh -c 'mem-list messages | wc -l'

fresh
jq -cn '{session: "s", id: "a", role: "user", content: ("password: \"Xk9$mmP2qLw8zz\" " + "word " * 20000)},
	(range(40) | {session: "s", id: "b\(.)", role: "user", content: ("and more " * 300)})' >s.ndjson
check_err 'what output_bytes would cut is refused' 65 's.ndjson:1: a text is over 65536 bytes \(setting output_bytes\)' env MEM_OUTPUT_BYTES=64K mem-ingest s.ndjson
check_out 'what is printed is whole all the same' 40 sh -c "jq -r .id <'$out' | wc -l"
check_out 'raised: it is read' 100037 sh -c 'mem-ingest s.ndjson >t; jq .content t | wc -c'

# ---- what was pruned, in a file that holds what was not ----

fresh
jq -cn '(range(3) | {session: "old", id: "o\(.)", role: "user", time: "2023-01-01T00:00:00Z", content: "zebra \(.)"}),
	{session: "new", id: "n", role: "user", time: "2024-05-19T00:00:00Z", content: "new here"}' >mixed.ndjson
mem-ingest -q mixed.ndjson && mem-prune -q -f --sessions
check_out 'pruned, it stays away' 0 n mem-ingest mixed.ndjson
check_out 'unless it is wanted, though the file was read to its end' 3 n mem-ingest --pruned mixed.ndjson
check_out 'once' 0 n mem-ingest --pruned mixed.ndjson
check_out 'no more without' 0 n mem-ingest mixed.ndjson

done_testing
