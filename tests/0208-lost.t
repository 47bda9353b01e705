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

# ---- a turn whose time cannot be read is kept without one ----

# spoil: every value under a key that has times in some format becomes what is none; of two that differ, not the same, as some are ids besides.
spoil() {
	jq -c 'walk(if type == "object" then with_entries(if (.key | test("^(time|timestamp|ts|date|datetime|datetime_utc|created|created_at|create_time|createdAt|created_date|inserted_at|creationDate|lastMessageDate|startTime|lastUpdated|updated_at|update_time|date_unixtime|origin_server_ts|timestamp_ms|timestampUsec)$"))
		and (.value | type == "string" or type == "number") then .value |= "noon " + (tostring | explode | map(if . >= 48 and . <= 57 then . + 49 else . end) | implode) else . end) else . end)'
}
words() { jq -c '[.role, .content, .tool_calls]' "$1" | sort; }
fresh
from=$ROOT/tests/fixtures/from
for f in claude-code.jsonl codex.jsonl codex-items.jsonl:codex codex-noevents.jsonl:codex chatgpt.json claude.json gemini.jsonl gemini-old.json:gemini \
	openai.jsonl ndjson.ndjson openwebui.json sharegpt.json llm.json cline/task-7/ui_messages.json:cline copilot.json copilot-cli.jsonl \
	opencode.json continue.json goose.jsonl pi.jsonl qwen.jsonl telegram.json discord.json matrix.json messenger.json \
	deepseek.json grok.json takeout.json openhands.json json.jsonl slack.json; do
	file=${f%:*} format=${f##*:}
	[ "$format" != "$file" ] || format=${file%.*}
	[ -e "$from/$file" ] || file=parts/$file
	spoil <"$from/$file" >"spoilt.${file##*.}"
	mem-ingest -n --from=$format "$from/$file" >whole 2>whole.err
	words whole >whole.words
	check "$file, without a time that can be read" mem-ingest -n --from=$format "spoilt.${file##*.}"
	cp "$out" spoilt
	check_out "$file: all that was said" "$(cat whole.words)" words spoilt
	grep -q '"time":"' spoilt || check_like "$file: and that is said once" "(is no date|have a date that is none)" sh -c "cat '$err'; jq -e 'any(.time)' whole >/dev/null || echo is no date"
done

printf '%s\n' '{"type":"session","session":"s","created":"some day"}' '{"session":"s","content":"a","time":"noon"}' '{"session":"s","content":"b","time":{"at":1}}' \
	'{"session":"s","content":"c","time":"noon","timestamp":"2024-01-01"}' '{"session":"s","content":"d","time":""}' '{"session":"s","content":"e","time":true,"by":"x"}' >s.ndjson
check_out 'ours' 'a null
b null
c 2024-01-01T00:00:00Z
d null
e null' sh -c 'mem-ingest s.ndjson | jq -r "[.content, .time | tostring] | join(\" \")"'
check_out 'told once for the file, and counted' "mem-ingest: s.ndjson:2: 'noon' is no date, or may be two days: it has no time (2026-05-12 is understood)
mem-ingest: s.ndjson: 3 messages have a date that is none, or may be two days: they have no time" cat "$err"
check_out 'no key is there twice' '5
1' sh -c 'mem-list messages -j | grep -o "\"time\":" | wc -l; mem-list messages -j | grep -c "\"by\""'
check_out 'a message of mail' 'null hi' sh -c 'printf "From: a@b\nSubject: s\nDate: soon\nMessage-ID: <x@y>\nIn-Reply-To: <w@y>\n\nhi\n" | mem-ingest -n | jq -r "\"\(.time) \(.content)\""'
check_like 'and that is said' "'soon' is no date" cat "$err"
check_out 'a log of Aider' null sh -c 'printf "# aider chat started at about noon\n\n#### hi\n\nHello.\n" | mem-ingest -n --from=aider | jq -c .time | uniq'
check_like 'and that is said too' "'about noon' is no date" cat "$err"
check_out 'a log of a chat' '"one" false "two" true' sh -c 'printf "03/04/2024, 10:00 - Ann: one\n15/14/2024, 10:01 - Ann: two\n" | mem-ingest -n --from=whatsapp | jq -c ".content, .time == null" | paste -sd " "'
check_like 'and that is said as well' "'15/14/2024' is no date" cat "$err"
check_out 'Google Chat, without a time at all' 'hi null' sh -c 'echo "{\"messages\":[{\"creator\":{\"name\":\"Mara\"},\"text\":\"hi\",\"message_id\":\"g/t/m\"}]}" | mem-ingest -n --from=google-chat |
	jq -r "[.content, .time | tostring] | join(\" \")"'

# ---- what tools give may be anything ----

fresh
jq -cn '{type: "user", uuid: "u1", sessionId: "session-1", timestamp: "2026-02-27T09:11:31.532Z", message: {role: "user", content: "Look."}, cwd: "/p", version: "1.0.0"},
	({a: {callId: "c", responseParts: {functionResponse: {id: "c", name: "read_file", response: {output: "line one"}}}, resultDisplay: "1 line"},
	  b: {functionResponse: {id: "c", name: "ls", response: {output: "file.c"}}},
	  c: {responseParts: [{functionResponse: {response: {error: "no such file"}}}]},
	  d: {rows: 7}, e: "plain", f: [{type: "text", text: "part"}], g: 7, h: true} | to_entries[]
	 | {type: "user", uuid: "t\(.key)", sessionId: "session-1", timestamp: "2026-02-27T09:11:32Z",
	    message: {role: "user", content: [{type: "tool_result", tool_use_id: "c", content: .value}]}, toolUseResult: {status: "success"}})' >iflow.jsonl
check_out "iFlow's results are objects" 'user Look.
tool line one
tool file.c
tool no such file
tool {"rows":7}
tool plain
tool part
tool 7
tool true' sh -c 'mem-ingest iflow.jsonl | jq -r "[.role, .content] | join(\" \")"'
check_out 'as any may be' '{"rows":[1,2]} 7' sh -c 'printf "%s\n" "{\"role\":\"tool\",\"content\":{\"rows\":[1,2]}}" "{\"role\":\"tool\",\"content\":7}" | mem-ingest -n --from=ndjson | jq -r .content | paste -sd " "'
check_err 'nobody speaks in objects' 65 '"content" is not text' sh -c 'echo "{\"role\":\"user\",\"content\":{\"rows\":[1,2]}}" | mem-ingest -n --from=ndjson'

# ---- a file of a known format with nothing in it is quiet ----

fresh
printf '# aider chat started at 2024-05-01 10:00:00\n\n> aider --model x\n' >.aider.chat.history.md
echo '[{"type":"message","subtype":"channel_join","user":"U1","text":"<@U1> has joined","ts":"1714550400.000100"}]' >2024-05-01.json
printf 'WEBVTT\n\nNOTE nobody spoke\n' >film.vtt
echo '{"name":"Mara","type":"personal_chat","id":1,"messages":[{"id":1,"type":"service","date":"2024-05-01T10:00:00","actor":"Mara","actor_id":"user1","action":"phone_call","text":""}]}' >telegram.json
printf -- '--- Log opened Wed May 01 10:00:00 2024\n10:00 -!- Mara [m@h] has joined #c\n10:01 -!- Bo [b@h] has joined #c\n' >irc.log
echo '[]' >conversations.json
printf '[\n]\n' >laid-out.json
for f in .aider.chat.history.md:aider 2024-05-01.json:slack film.vtt:captions telegram.json:telegram irc.log:irc conversations.json:chatgpt laid-out.json:claude; do
	check_out "${f%:*}: nothing, and no words about it" '' sh -c "mem-ingest ${f%:*} 2>&1"
	check_out "nor when its format is given" '' sh -c "mem-ingest --from=${f#*:} ${f%:*} 2>&1"
done
check_err 'another format is named' 65 'a conversation without "chat_messages"' mem-ingest --from=claude 2024-05-01.json
echo '{"some":{"text":"what is this"}}' >any.json
check_err 'and so is what is of none' 65 'any.json:1: json: no message can be made out' mem-ingest any.json
check_out 'an array that comes slowly is read' 'late' sh -c '(echo "["; sleep .3; echo "{\"role\":\"user\",\"content\":\"late\"}]") | mem-ingest -n --from=openai | jq -r .content'

done_testing
