#!/bin/sh
# mem-ingest: documents that are larger than memory is meant to be. They are cut into pieces, and
# what comes out is what would come out of the whole.
. "${0%/*}/lib.sh"
fresh
here=$PWD

# Turns of about 10 kB each, numbered, so that what is lost, doubled or moved shows.
defs='def text($i): "turn \($i) " + ([range($i; $i + 1700) | "w\(. * 7919 % 4001)"] | join(" "));
def turns($n): [range($n) | {i: ., text: text(.)}];
def at($i): 1714550400 + $i;
def iso($i): at($i) | todate;
def role($i): if $i % 2 == 0 then "user" else "assistant" end;'
jq -nc "$defs turns(300)" >turns.json
make() { jq "${2:--c}" "$defs . as \$t | $1" "$here/turns.json"; }
jq -c '.[].text' turns.json >want

# whole NAME FORMAT PROGRAM [JQ-OPTION]: the document gives all turns, in order.
whole() {
	make "$3" "${4-}" >"$1.json"
	check "$1: a large document" sh -c \
		"mem-ingest -n --from=$2 $1.json >all && jq -c 'select(.role)' all >t"
	check "$1: every turn once, in order" sh -c 'jq -c .content t | cmp - want'
}
whole claude claude '[{uuid: "u", name: "n", chat_messages: map({uuid: "m\(.i)", sender: role(.i),
	content: [{type: "text", text}], created_at: iso(.i)})}]'
whole gemini gemini '{sessionId: "s", projectHash: "p", messages: map({id: "m\(.i)",
	type: (if .i % 2 == 0 then "user" else "gemini" end), content: .text, timestamp: iso(.i)})}'
whole copilot copilot '{requesterUsername: "", responderUsername: "C", requests: [range(0; 300; 2)
	as $i | {message: {text: $t[$i].text}, timestamp: (at($i) * 1000),
	response: [{value: $t[$i + 1].text}]}]}' --tab
whole continue continue '{sessionId: "s", history: map({message: {role: role(.i), content:
	.text}})}'
check_out 'continue: ids tell the places in the whole' 's:299' sh -c \
	'tail -n 1 t | jq -r .source_id'
whole opencode opencode '{info: {id: "ses", title: "t"}, messages: map({info: {id: "m\(.i)", role:
	role(.i)}, parts: [{id: "p\(.i)", type: "text", text}]})}'
whole discord discord '{guild: {name: "g"}, channel: {id: "1", name: "c"}, messages:
	map({id: "\(.i)", type: "Default", timestamp: iso(.i), content: .text,
	author: {name: "Ann", isBot: false}})}' --tab
whole telegram telegram '{about: "x", chats: {list: [{id: 1, name: "a", messages: $t[:10]},
	{id: 2, name: "b", messages: $t[10:290]}, {id: 3, name: "c", messages: $t[290:295]}]},
	left_chats: {list: [{id: 4, name: "d", messages: $t[295:]}]}} | (.chats.list[],
	.left_chats.list[]).messages |= map({id: .i, type: "message", date: iso(.i), from: "Ann",
	from_id: "u", text})'
check_out 'telegram: each in its chat' '1 10
2 280
3 5
4 5' sh -c 'jq -r .session t | uniq -c | while read -r c s; do echo "$s $c"; done'
whole google-chat google-chat '{messages: map({creator: {name: "Ann"}, created_date: iso(.i), text,
	message_id: "g/t/\(.i)"})}'
whole messenger messenger '{participants: [], thread_path: "inbox/x", messages: (reverse |
	map({sender_name: "Ann", timestamp_ms: (at(.i) * 1000), content: .text}))}'
whole grok grok '{conversations: [[1, 0, 5], [2, 5, 250], [3, 250, 300]] | map({conversation:
	{id: "c\(.[0])"}, responses: ($t[.[1]:.[2]] | map({response: {_id: "r\(.i)",
	message: .text, sender: "human", create_time: iso(.i)}}))})}'
whole goose goose '{id: "g", working_dir: "/x", messages: map({id: "m\(.i)", role: role(.i),
	created: at(.i), content: [{type: "text", text}]})}'
whole sharegpt sharegpt '{id: "s", conversations: map({from: "human", value: .text})}'
whole longmemeval longmemeval '{question_id: "q", haystack_session_ids: [range(30) | "x\(.)"],
	haystack_dates: [range(30) | "2023/05/20 (Sat) 02:21"], haystack_sessions: [range(30) |
	[$t[. * 10:. * 10 + 10][] | {role: role(.i), content: .text}]]}'
check_out 'longmemeval: each in its session' 'q:x29:30' sh -c 'tail -n 1 t | jq -r .session'
whole matrix matrix '{room_name: "r", messages: ([{type: "m.room.member", sender: "@a:x",
	content: {displayname: "Ann Lee"}}] + map({type: "m.room.message", sender: "@a:x",
	room_id: "!r", event_id: "e\(.i)", origin_server_ts: (at(.i) * 1000), content:
	{body: .text}}))}'
check_out 'matrix: names are known in all pieces' 'Ann Lee' sh -c 'jq -r .name t | uniq'
whole openai openai '{id: "c", messages: (.[:299] | map({role: role(.i), content: .text})),
	choices: [{message: {role: "assistant", content: .[299].text}}]}'
whole array openai 'map({role: role(.i), content: .text})'
whole items openai '{id: "c", input: .[0].text, output: (.[1:] | map({type: "message",
	role: "assistant", content: [{type: "output_text", text}]}))}'
whole openwebui openwebui '[{id: "w", chat: {title: "t", history: {currentId: "n299", messages:
	($t | map({key: "n\(.i)", value: {id: "n\(.i)", parentId: (if .i == 0 then null else
	"n\(.i - 1)" end), role: role(.i), content: .text}}) | from_entries)},
	messages: ($t | map({content: .text}))}}]'
# a tree whose nodes stand in any order
whole chatgpt chatgpt 'map({id: "n\(.i)", parent: (if .i == 0 then null else "n\(.i - 1)" end),
	children: ["n\(.i + 1)"], message: {id: "n\(.i)", author: {role: role(.i)},
	create_time: at(.i), content: {content_type: "text", parts: [.text]}}}) |
	sort_by(.id[-1:]) | [{title: "t", mapping: (map({key: .id, value: .}) | from_entries),
	current_node: "n299", conversation_id: "c"}]'
whole json json '{title: "t", thread: {id: "x"}, log: map({speaker: "Ann", utterance: .text})}'
whole table json '[range(60) | {key: "k\(.)", value: {id: "c\(.)", said:
	[$t[. * 5:. * 5 + 5][] | {sender: role(.i), text}]}}] | from_entries'
check_out 'what stands beside large parts comes once' 'hi,yes' sh -c \
	"jq -c '{request: {before: [{role: \"user\", content: \"hi\"}], log: .log}, response:
		{choices: [{message: {role: \"assistant\", content: \"yes\"}}]}}' json.json >b.json
	mem-ingest -n --from=json b.json |
		jq -r 'select(.content | test(\"^turn\") | not).content' | paste -sd ,"

# ---- branches of a tree ----

node() { printf '"%s":{"id":"%s","parent":%s,"children":[],"message":{"id":"%s","author":{"role":"%s"},"create_time":%s,"content":{"content_type":"text","parts":["%s"]}}},' \
	"$1" "$1" "$2" "$1" "$3" "$4" "$5"; }
{
	printf '[{"title":"t","conversation_id":"c","current_node":"a2","mapping":{'
	node u1 null user 1714550401 'What is it?'
	node u2 '"a1"' user 1714550403 'And an edited question?'
	node a1 '"u1"' assistant 1714550402 'A heron.'
	node v2 '"a1"' user 1714550408 'And the first question?'
	node w2 '"v2"' assistant 1714550409 'Its first answer.'
	node x2 '"v2"' assistant 1714550410 'Its second answer.'
	node b1 '"u1"' assistant 1714550411 'A stork.'
	node a2 '"u2"' assistant 1714550404 'The answer.'
	printf '"end":{"id":"end","parent":null,"children":[],"message":null}}}]'
} >branches.json
check_out 'what was edited or made anew is kept, in sessions of its own' \
	'c What is it?|A heron.|And an edited question?|The answer.
c:v2 And the first question?|Its first answer.|Its second answer.
c:b1 A stork.' sh -c 'mem-ingest -n branches.json | jq "select(.role)" | jq -rs "reduce .[] as \$m ([]; if .[-1][0] ==
	\$m.session then .[-1][1] += \"|\" + \$m.content
	else . + [[\$m.session, \$m.content]] end) | .[] | join(\" \")"'
check_out 'without a last one that is named, the newest that nothing answers is' \
	'What is it?|A stork.' sh -c 'sed s/\"current_node\":\"a2\",// branches.json |
	mem-ingest -n | jq -r "select(.session == \"c\" and .role).content" | paste -sd "|"'

# ---- stored, again, and with faults ----

fresh
make '{name: "g", id: 7, messages: map({id: .i, type: "message", date: iso(.i), from: "Ann",
	from_id: "u", text})}' --tab >telegram.json
check_out 'messages of a large export are stored' 300 sh -c 'mem-ingest telegram.json | wc -l'
check_out 'a large export given again stores nothing' 0 sh -c 'mem-ingest telegram.json | wc -l'
check_out 'a large export packed stores nothing new' 0 sh -c 'gzip -c telegram.json >t.json.gz
	mem-ingest t.json.gz | wc -l'
check_out 'from a pipe: nothing new' 0 sh -c 'mem-ingest - <telegram.json | wc -l'
make '{id: "c", messages: map({role: role(.i), content: (if .i == 150 then 7 else .text end)})}' \
	>bad.json
check_err 'a turn that is none is named' 65 'bad.json:1: .*is not text' sh -c \
	'mem-ingest -n --from=openai --rejects rejected bad.json >t'
check_out 'all other messages of the broken export are there' 299 sh -c 'wc -l <t'
check 'what is rejected is a document of its own, and small' sh -c \
	'jq -e "[.messages[].content] | any(. == 7)" rejected && [ $(wc -c <rejected) -lt 1200000 ]'
head -c 2500000 telegram.json >cut.json
check_err 'a document that is cut' 65 'the file ends inside this item' mem-ingest -n \
	--from=telegram cut.json
check_err 'no place for what is too long for memory' 74 'temporary file' env TMPDIR=/nowhere \
	mem-ingest -n telegram.json
jq -c '{messages: [.messages[:9][] | {role: "user", content: .text}]} |
	.messages[3].content *= 2000' telegram.json >long.json
check_err 'a single message over line_bytes' 65 'too long \(setting line_bytes\)' mem-ingest -n \
	--from=openai long.json
check_out 'messages before the fault are there' 3 sh -c "jq -r .role <'$out' | wc -l"

# ---- memory: at most 128 MiB, whatever comes in ----

fresh
peak() {
	"$B"/tests/torture/peak kb mem-ingest -q "$@" || return 1
	grep -q __asan_init "$B/mem-ingest" || [ "$(cat kb)" -lt 131072 ]
}
# large PATTERN: 2,000 turns of 20 KB, made without holding them; @I is the number, @P that of the
# turn before, @T the text.
large() {
	perl -e 'for my $i (0 .. 1999) {
		my $s = join " ", map { "w" . ($_ * 7919 % 4001) } $i .. $i + 3400;
		my ($m, $p) = ($ARGV[0], $i - 1);
		$m =~ s/\@I/$i/g; $m =~ s/\@P/$p/g; $m =~ s/\@T/$s/;
		print $i ? "," : "", $m }' "$1"
}
{ printf '[{"title":"t","mapping":{'
large '"n@I":{"id":"n@I","parent":"n@P","children":[],"message":{"id":"n@I","author":{"role":"user"},"create_time":17145504@I,"content":{"content_type":"text","parts":["@T"]}}}'
printf '},"current_node":"n1999","conversation_id":"c"}]'; } >chatgpt.json
check 'one conversation of 40 MB' peak -d one.db chatgpt.json
check_out 'all of one large session is stored' 2000 sh -c 'mem-list messages -d one.db | wc -l'
{ printf '{"name":"g","id":7,"messages":['
large '{"id":@I,"type":"message","date":"2024-05-01T10:00:00","from":"Ann","from_id":"u","text":"@T"}'
printf ']}'; } >telegram.json
check 'one line of 40 MB' peak -d two.db telegram.json
check_out 'all of two large sessions is stored' 2000 sh -c 'mem-list messages -d two.db | wc -l'
perl -e 'print "{\"type\":\"session_meta\",\"payload\":{\"id\":\"x\"}}\n{\"timestamp\":\"2024-01-01T00:00:00Z\",\"type\":\"response_item\",\"payload\":{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"", "abc def " x 2_000_000, "\"}]}}\n"' >codex.jsonl
check 'one turn of 16 MB' peak -d three.db codex.jsonl

done_testing
