#!/bin/sh
# mem-ingest: the histories of agents, each whole, and directories of all kinds, of which no file
# ends neither stored nor named.
. "${0%/*}/lib.sh"
from=$ROOT/tests/fixtures/from
unset MEM_SEED    # it would give two runs the same ids

n() {
	"$@" >t
	st=$?
	echo $(wc -l <t)
	return $st
}

# ---- each turn once; counted by what the format says, not by mem ----

# whole FORMAT FILE COUNT...: what the jq program COUNT counts in the file's lines.
whole() {
	format=$1 file=$2
	count=$(jq -s "$3" "$from/$file")
	check_out "$format: as many as there are" "$count" n mem-ingest -d a.db "$from/$file"
	check_out "$format: what they are" "$(cat "$from/${file%.*}.want")" jq -c \
		'[.session, .role, .name, .content, .tool_calls]' t
	check_out "a file of $format given again stores nothing" 0 \
		n mem-ingest -d a.db --from="$format" "$from/$file"
	check_out "$format: all have times" 0 sh -c \
		'jq -r "select(.time == null).content" t | wc -l'
}
whole dsh dsh.jsonl '[.[] | select(.type | IN("assistant/message", "tool/call", "tool/result")),
	(select(.type == "user/message" and .data.source.kind == "user"))] | length'
whole droid droid.jsonl '[.[] | select(.type | IN("message", "tool_call", "tool_result"))] | length'
whole kimi kimi-code/session_9/agents/main/wire.jsonl '[.[] | select(.type ==
	"context.append_message" or (.event.type // "" | IN("tool.call", "tool.result")))] +
	[.[].event | select(.type == "content.part" and .part.type == "text").stepUuid] |
	unique | length'
brain=antigravity/brain/7c1e/.system_generated/logs
whole antigravity $brain/transcript.jsonl '[.[] |
	select(.content) | if .source == "MODEL" and .type != "PLANNER_RESPONSE" then ., .
	else . end] | length'
whole grok-build grok-build/%2Fsrv%2Fshop/0199-aa/updates.jsonl '[.[].params.update |
	.sessionUpdate | select(. != "agent_thought_chunk")] | [range(length) as $i | select($i == 0
	or .[$i] != .[$i - 1])] | length'
check_out 'each is of the project of its directory' 5 sh -c \
	"mem-list sessions -d a.db -j | jq -r 'select(.project == \"/srv/shop\").session // .id' |
		wc -l"
check_out 'models of agents are kept with their words' 'deepseek-v4 glm-4.6 kimi-k2' sh -c \
	"mem-list messages -d a.db -j | jq -r '.model // empty' | sort -u | paste -sd ' '"
check_out 'a final answer of Droid that was no message' 'Done.' sh -c \
	"{ head -n 2 $from/droid.jsonl; echo '{\"type\":\"completion\",\"finalText\":\"Done.\",\"session_id\":\"d-3\"}'; } |
		mem-ingest -n | jq -r 'select(.role == \"assistant\").content'"
check_out 'formats are told by their directories' 5 \
	sh -c "mkdir h && cp -r $from/dsh.jsonl $from/droid.jsonl \
	$from/kimi-code $from/antigravity $from/grok-build h && find h -name '*.want' -delete &&
	mem-ingest -d b.db h | jq -r .session | sort -u | wc -l"
cp "$from/kimi-code/session_9/agents/main/wire.jsonl" h/kimi-code/session_9/wire.jsonl
cp "$from/kimi/s-4/context.jsonl" h/kimi-code/session_9/context.jsonl
check_out "Kimi's log beside the conversation is passed over" 'h/kimi-code/session_9/wire.jsonl' \
	sh -c "mem-ingest -v -n h 2>&1 >/dev/null | sed -n 's/^mem-ingest: \\(.*wire.jsonl\\): passed.*/\\1/p'"
check_out 'items of Codex without a type' 'user one assistant two' sh -c \
	'printf "%s\n" "{\"type\":\"session_meta\",\"payload\":{\"session_id\":\"x\"}}" \
	"{\"type\":\"response_item\",\"payload\":{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"one\"}]}}" \
	"{\"type\":\"response_item\",\"payload\":{\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"two\"}]}}" |
	mem-ingest -n | jq -r ".role + \" \" + .content" | paste -sd " "'

# ---- OpenCode's storage: a file for each session, message and part ----

fresh
put() { mkdir -p "$(dirname "$1")" && printf '%s\n' "$2" >"$1"; }
s=data/opencode/storage
put $s/session/global/ses_2.json '{"id":"ses_2","title":"Cart","directory":"/srv/shop",
	"version":"0.9","time":{"created":1714550400000,"updated":1714550409000}}'
put $s/message/ses_2/msg_a.json '{"id":"msg_a","sessionID":"ses_2","role":"user",
	"time":{"created":1714550401000}}'
put $s/part/msg_a/prt_1.json '{"id":"prt_1","type":"text","text":"Why twice?"}'
put $s/part/msg_a/prt_2.json '{"id":"prt_2","type":"text","synthetic":true,"text":"a file"}'
put $s/message/ses_2/msg_b.json '{"id":"msg_b","sessionID":"ses_2","role":"assistant",
	"modelID":"claude-5","time":{"created":1714550402000}}'
put $s/part/msg_b/prt_3.json '{"id":"prt_3","type":"tool","callID":"c1","tool":"read",
	"state":{"input":{"filePath":"/srv/shop/cart.py"},"output":"def total():"}}'
put $s/part/msg_b/prt_4.json '{"id":"prt_4","type":"text","text":"A loop in a loop."}'
put $s/message/ses_1/msg_0.json '{"id":"msg_0","sessionID":"ses_1","role":"user","time":{}}'
put $s/part/msg_0/prt_0.json '{"id":"prt_0","type":"text","text":"Of a session without a file."}'
put $s/todo/ses_2.json '[]'
check_out 'OpenCode: each message with its parts' 'ses_1 user Of a session without a file.
ses_2 user Why twice?
ses_2 assistant A loop in a loop. read
ses_2 tool def total():' sh -c 'mem-ingest data | jq -r "[.session, .role, .content,
	(.tool_calls // [] | .[].function.name)] | join(\" \")"'
check_out 'a session is named by its agent' 'Cart /srv/shop' sh -c \
	"mem-list sessions -s ses_2 -j | jq -r '.title + \" \" + .project'"
check_out 'the directory of sessions given again stores nothing' '' mem-ingest $s
# a fork: a younger session, which sorts before its parent, with copies of its messages
put $s/session/global/ses_0.json '{"id":"ses_0","title":"Cart (fork)","directory":"/srv/shop",
	"version":"0.9","time":{"created":1714550500000,"updated":1714550509000}}'
put $s/message/ses_0/msg_c.json '{"id":"msg_c","sessionID":"ses_0","role":"user",
	"time":{"created":1714550401000}}'
put $s/part/msg_c/prt_6.json '{"id":"prt_6","messageID":"msg_c","type":"text","text":"Why twice?"}'
put $s/part/msg_c/prt_7.json '{"id":"prt_7","type":"text","synthetic":true,"text":"a file"}'
put $s/message/ses_0/msg_d.json '{"id":"msg_d","sessionID":"ses_0","role":"user",
	"time":{"created":1714550501000}}'
put $s/part/msg_d/prt_8.json '{"id":"prt_8","type":"text","text":"Why twice?"}'
check_out 'what a fork repeats is stored once, and what it adds is its own' 'ses_0 1714550501' sh -c \
	"mem-ingest $s | jq -r '\"\(.session) \(.time | fromdate)\"'"
check_out 'also where both are new' 'ses_0 1
ses_1 1
ses_2 3' sh -c "mem-ingest -d fork.db $s | jq -r .session | sort | uniq -c | awk '{ print \$2, \$1 }'"
put $s/part/msg_b/prt_5.json 'cut'
check_err 'a piece that is damaged is named' 65 'storage:3: invalid JSON' mem-ingest $s

# ---- a session that goes on with another one, and does not say so ----

# turns SESSION FROM TO: turn n has an id that ends in n and says "words n", in whichever session
uuid=7b3f9c10-52d4-4e1a-9f0e-0000000000
turns() {
	for n in $(seq "$2" "$3"); do
		jq -cn --arg s "$1" --arg n "$n" --arg u "$uuid$(printf %02d "$n")" \
			'{sessionId: $s, uuid: $u, type: "user",
			timestamp: "2025-07-02T10:00:\($n | tonumber + 10)Z", cwd: "/srv/shop",
			message: {role: "user", content: "words \($n)"}}'
	done
}
mkdir goes
turns a 0 5 >goes/a.jsonl
{ turns b 0 5; turns b 20 23; } >goes/b.jsonl
{ turns c 0 5; turns c 20 23; turns c 40 41; } >goes/c.jsonl
turns d 0 5 >goes/d.jsonl
on() {
	mem-ingest "$@" | jq -r .session | uniq -c |
		awk '{ printf "%s%s %s", sep, $2, $1; sep = " " } END { if (NR > 0) print "" }'
}
for order in 'a b c d=a 6 b 4 c 2' 'c b a d=c 12' 'd a c b=d 6 c 6' 'b a c=b 10 c 2'; do
	files=$(for x in ${order%=*}; do echo "goes/$x.jsonl"; done)
	check_out "${order%=*}: each turn once, and so in a dry run" 12 sh -c \
		"mem-ingest -n -d none.db $(echo $files) | wc -l"
	check_out 'a copied session is of the first file that has it' "${order#*=}" \
		on -d "$order.db" $files
	check_out 'copied sessions given again store nothing' '' on -d "$order.db" $files
done
mem-ingest -q -d gone.db goes/a.jsonl >/dev/null
mem-forget -q -f -d gone.db "source:${uuid}03" >/dev/null
check_out 'one of them that was forgotten stays away' 'b 4 0' sh -c \
	"mem-ingest -d gone.db goes/b.jsonl | jq -r .session | uniq -c | awk '{ print \$2, \$1 }' |
	tr '\n' ' '; mem-export -d gone.db | grep -c 'words 3\"' || :"
turns e 30 31 >goes/e.jsonl
jq -c '.message.content += " other"' goes/e.jsonl | sed 's/"e"/"f"/' >goes/f.jsonl
check_out 'other words under an id are no copy' 'e 2 f 2' on goes/e.jsonl goes/f.jsonl

# each takes away one of what makes a copy
turns e 30 32 >goes/e.jsonl
two() {
	rm -f two.db*
	jq -c "$1" goes/e.jsonl >goes/1.jsonl
	jq -c "$2" goes/e.jsonl | sed 's/"e"/"f"/' >goes/2.jsonl
	on -n -d two.db goes/1.jsonl goes/2.jsonl
	on -d two.db goes/1.jsonl goes/2.jsonl
}
no_copy() {
	check_out "$1 is no copy, nor in a dry run" "e 3 f 3${NL}e 3 f 3" two "$2" "$3"
}
NL='
'
behind='if .uuid[-2:] == "30" then . else'
result='.message.content |= [{type: "tool_result", tool_use_id: "t", content: .}]'
later='.timestamp |= sub("T10"; "T11")' other='.type = "assistant" | .message.role = "assistant"'
no_copy 'what was said at another time' . "$later"
no_copy 'what another said' . "$other"
no_copy 'a turn without a time' 'del(.timestamp)' 'del(.timestamp)'
no_copy 'a turn with a short id' '.uuid |= .[-2:]' '.uuid |= .[-2:]'
no_copy 'one with the id of a message' '.uuid |= "msg_01" + .' '.uuid |= "msg_01" + .'
check_out 'behind a copy what was said at another time is no copy' "e 3 f 2${NL}e 3 f 2" \
	two . "$behind $later end"
check_out 'behind a copy what another said is no copy' "e 3 f 2${NL}e 3 f 2" \
	two . "$behind $other end"
check_out 'what a tool gave is a copy, too' "e 3${NL}e 3" two "$result" "$result"

# ---- a directory of everything ----

fresh
mkdir tree
make() { mkdir -p "tree/$(dirname "$1")" && cat >"tree/$1"; }
i=0
while [ $i -lt 30 ]; do
	# known forms; what is said is the file's name
	echo "{\"type\":\"user\",\"uuid\":\"u$i\",\"sessionId\":\"c$i\",\"message\":{\"role\":\"user\",\"content\":\"said known/$i.jsonl\"}}" |
		make known/$i.jsonl
	echo "[{\"title\":\"t\",\"conversation_id\":\"g$i\",\"mapping\":{\"a\":{\"id\":\"a\",\"parent\":null,\"message\":{\"id\":\"a$i\",\"author\":{\"role\":\"user\"},\"content\":{\"content_type\":\"text\",\"parts\":[\"said known/$i.json\"]}}}}}]" |
		make known/$i.json
	echo "{\"messages\":[{\"role\":\"user\",\"content\":\"said other/$i.json\"}]}" |
		make other/$i.json
	# empty ones
	echo "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"l$i\"}" | make empty/$i.jsonl
	echo '[]' | make empty/$i.json
	# damaged ones
	printf '{"messages":[{"role":"user","content":"cut' | make damaged/$i.json
	printf 'not JSON\n{"broken\n' | make damaged/$i.jsonl
	# foreign ones
	printf '\211PNG\r\n\032\n\0\0' | make foreign/$i.png
	echo '{"name":"x","version":"1.0.0"}' | make foreign/$i.json
	echo 'some notes' | make foreign/$i.md
	i=$((i + 1))
done
check_err 'a tree of 300 files' 65 . sh -c 'mem-ingest -v tree >stored 2>named; st=$?
	cat named >&2; exit $st'
unnamed() {
	(cd tree && find . -type f) | sed 's|^\./||' | while read -r f; do
		grep -q "\"said $f\"" stored || grep -q "tree/$f" named || echo "$f"
	done
}
check_out 'none of it is neither stored nor named' '' unnamed
check_out 'what many files became is said in one line' '90 files with new messages, which are stored
60 files of a known form, with nothing that was said in them
60 files not read, for the reasons above
30 files beside conversations, and not read as documents (--documents reads them, too)
90 files passed over: no transcript' sh -c \
	"sed -n 's/^mem-ingest: \\([0-9]* files \\)/\\1/p' named"
mem-ingest -v tree >stored 2>named
check_out 'many files given again store nothing' '' cat stored
check 'what was read is known' grep -q ': 120 files known already$' named

done_testing
