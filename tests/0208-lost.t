#!/bin/sh
# mem-ingest: histories of which something was lost without a word. What is not read is named, and
# what was refused is read when it can be.
. "${0%/*}/lib.sh"

# n CMD...: how many records it prints; its status.
n() {
	"$@" >t
	st=$?
	echo $(wc -l <t)
	return $st
}

# ---- a line that a cap refused is read when the cap is raised ----

# turns SESSION: three with ids, as a file that is read on where reading ended; the second is what
# $1 says of it.
turns() {
	jq -cn '{session: "s", id: "a1", role: "user", content: "first"}'
	printf '%s\n' "$1"
	jq -cn '{session: "s", id: "a3", role: "user", content: "third"}'
}

deep=$(jq -cn 'reduce range(40) as $i (1; [.]) | {session: "s", id: "a2", role: "user",
	content: "second", more: .}')
long=$(jq -cn '{session: "s", id: "a2", role: "user", content: ("second " * 400)}')
wide=$(jq -cn '{session: "s", id: "a2", role: "user", content: "second", more: [range(200)]}')
named=$(jq -cn '{session: ("s" * 90), id: "a2", role: "user", content: "second"}')
for cap in MEM_LINE_BYTES:2000:"$long" MEM_DEPTH:20:"$deep" MEM_JSON_VALUES:100:"$wide" \
	MEM_ID_BYTES:80:"$named"; do
	setting=${cap%%:*} rest=${cap#*:}
	low=$setting=${rest%%:*} line=${rest#*:}
	fresh
	turns "$line" >s.ndjson
	check_err "$setting: the line is named" 65 's.ndjson:2: ' env "$low" mem-ingest s.ndjson
	check_out "$setting: under the same cap it is told once" '' sh -c \
		"$low mem-ingest s.ndjson 2>&1"
	echo '{"session":"s","id":"a4","role":"user","content":"fourth"}' >>s.ndjson
	check_out "$setting: nor when the file has grown" 1 n env "$low" mem-ingest s.ndjson
	check_out "$setting: with the cap raised it is read, and it alone" second sh -c \
		'mem-ingest s.ndjson >t && jq -r ".content[:6]" t'
	check_out "$setting: then nothing is left to read" 0 n mem-ingest s.ndjson
done

fresh
jq -cn '{session: "s", id: "a1", role: "user", content: "first"}' >s.ndjson
printf '%s' "$long" | head -c 2500 >>s.ndjson
check_err 'a line that is too long and not whole' 65 's.ndjson:2: the line is too long' env \
	MEM_LINE_BYTES=2000 mem-ingest s.ndjson
printf '%s' "$long" | tail -c +2501 >>s.ndjson
echo >>s.ndjson
jq -cn '{session: "s", id: "a3", role: "user", content: "third"}' >>s.ndjson
check_err 'its rest is no line of its own' 65 's.ndjson:2: the line is too long' env \
	MEM_LINE_BYTES=2000 mem-ingest s.ndjson
check_out 'a line that is too long is the one thing told' 1 sh -c "wc -l <$err"
check_out 'raised: all of it' 1 n mem-ingest s.ndjson

fresh
jq -cn 'range(50) | {session: "s", id: "b\(.)", role: "user", content: "more"}' >s.ndjson
check_err 'a file over file_bytes' 65 'over file_bytes' env MEM_FILE_BYTES=1K mem-ingest -q s.ndjson
check_err 'a file over file_bytes is named each time' 65 'over file_bytes' \
	env MEM_FILE_BYTES=1K mem-ingest -q s.ndjson
check 'a file is read to its end when file_bytes is raised' mem-ingest -q s.ndjson
check_out 'no line of a file is missing when file_bytes is raised' 50 \
	sh -c 'mem-list messages | wc -l'

fresh
jq -cn '{session: "s", id: "a", role: "user",
	content: ("password: \"Xk9$mmP2qLw8zz\" " + "word " * 20000)},
	(range(40) | {session: "s", id: "b\(.)", role: "user",
		content: ("and more " * 300)})' >s.ndjson
check_err 'what output_bytes would cut is refused' 65 \
	's.ndjson:1: a text is over 65536 bytes \(setting output_bytes\)' env MEM_OUTPUT_BYTES=64K \
	mem-ingest s.ndjson
check_out 'what is printed is whole all the same' 40 sh -c "jq -r .id <'$out' | wc -l"
check_out 'raised: it is read' 100037 sh -c 'mem-ingest s.ndjson >t; jq .content t | wc -c'

# ---- what was pruned, in a file that holds what was not ----

fresh
jq -cn '(range(3) | {session: "old", id: "o\(.)", role: "user", time: "2023-01-01T00:00:00Z", content: "zebra \(.)"}),
	{session: "new", id: "n", role: "user", time: "2024-05-19T00:00:00Z", content: "new here"}' >mixed.ndjson
mem-ingest -q mixed.ndjson && mem-prune -q -f --sessions
check_out 'pruned, it stays away' 0 n mem-ingest mixed.ndjson
check_out 'unless it is wanted, though the file was read to its end' 3 n mem-ingest \
	--pruned mixed.ndjson
check_out 'what --pruned brought back is stored once' 0 n mem-ingest --pruned mixed.ndjson
check_out 'what was brought back is not stored again without --pruned' 0 n mem-ingest mixed.ndjson

# ---- a turn whose time cannot be read is kept without one ----

# spoil: every value under a key that has times in some format becomes what is none; of two that
# differ, not the same, as some are ids besides.
spoil() {
	jq -c 'walk(if type == "object" then with_entries(if (.key |
		test("^(time|timestamp|ts|date|datetime|datetime_utc|created|created_at|create_time|createdAt|created_date|inserted_at|creationDate|lastMessageDate|startTime|lastUpdated|updated_at|update_time|date_unixtime|origin_server_ts|timestamp_ms|timestampUsec)$"))
		and (.value | type == "string" or
		type == "number") then .value |= "noon " + (tostring | explode | map(if . >= 48 and
		. <= 57 then . + 49 else . end) | implode) else . end) else . end)'
}
words() { jq -c '[.role, .content, .tool_calls]' "$1" | sort; }
fresh
from=$ROOT/tests/fixtures/from
for f in claude-code.jsonl codex.jsonl codex-items.jsonl:codex codex-noevents.jsonl:codex \
	chatgpt.json claude.json gemini.jsonl gemini-old.json:gemini \
	openai.jsonl ndjson.ndjson openwebui.json sharegpt.json llm.json \
		cline/task-7/ui_messages.json:cline copilot.json copilot-cli.jsonl \
	opencode.json continue.json goose.jsonl pi.jsonl qwen.jsonl telegram.json discord.json \
		matrix.json messenger.json \
	deepseek.json grok.json takeout.json openhands.json json.jsonl slack.json; do
	file=${f%:*} format=${f##*:}
	[ "$format" != "$file" ] || format=${file%.*}
	[ -e "$from/$file" ] || file=parts/$file
	spoil <"$from/$file" >"spoilt.${file##*.}"
	mem-ingest -n --from=$format "$from/$file" >whole 2>whole.err
	words whole >whole.words
	check "$file, without a time that can be read" mem-ingest \
		-n --from=$format "spoilt.${file##*.}"
	cp "$out" spoilt
	check_out "$file: all that was said" "$(cat whole.words)" words spoilt
	grep -q '"time":"' spoilt || check_like "$file: and that is said once" \
		"(is no date|have a date that is none)" sh -c \
		"cat '$err'; jq -e 'any(.time)' whole >/dev/null || echo is no date"
done

printf '%s\n' '{"type":"session","session":"s","created":"some day"}' \
	'{"session":"s","content":"a","time":"noon"}' \
	'{"session":"s","content":"b","time":{"at":1}}' \
	'{"session":"s","content":"c","time":"noon","timestamp":"2024-01-01"}' \
		'{"session":"s","content":"d","time":""}' \
		'{"session":"s","content":"e","time":true,"by":"x"}' >s.ndjson
check_out 'a time that is none is null in a line of our own' 'a null
b null
c 2024-01-01T00:00:00Z
d null
e null' sh -c 'mem-ingest s.ndjson | jq -r "[.content, .time | tostring] | join(\" \")"'
check_out 'told once for the file, and counted' \
	"mem-ingest: s.ndjson:2: 'noon' is no date, or may be two days: it has no time (2026-05-12 is understood)
mem-ingest: s.ndjson: 3 messages have a date that is none, or may be two days: they have no time: lines 2, 3, 6" \
	cat "$err"
check_out 'no key is there twice' '5
1' sh -c 'mem-list messages -j | grep -o "\"time\":" | wc -l; mem-list messages -j |
	grep -c "\"by\""'
check_out 'a message of mail' 'null hi' sh -c \
	'printf "From: a@b\nSubject: s\nDate: soon\nMessage-ID: <x@y>\nIn-Reply-To: <w@y>\n\nhi\n" |
		mem-ingest -n | jq -r "\"\(.time) \(.content)\""'
check_like 'the date of a mail that is none is told' "'soon' is no date" cat "$err"
check_out 'a log of Aider without a date has no times' null sh -c \
	'printf "# aider chat started at about noon\n\n#### hi\n\nHello.\n" |
		mem-ingest -n --from=aider | jq -c .time | uniq'
check_like 'the date of a log of Aider that is none is told' "'about noon' is no date" cat "$err"
check_out 'a chat with a month that is none has no time there' '"one" false "two" true' sh -c \
	'printf "03/04/2024, 10:00 - Ann: one\n15/14/2024, 10:01 - Ann: two\n" |
		mem-ingest -n --from=whatsapp | jq -c ".content, .time == null" | paste -sd " "'
check_like 'the date of a chat that is none is told' "'15/14/2024' is no date" cat "$err"
check_out 'Google Chat, without a time at all' 'hi null' sh -c \
	'echo "{\"messages\":[{\"creator\":{\"name\":\"Mara\"},\"text\":\"hi\",\"message_id\":\"g/t/m\"}]}" | mem-ingest -n --from=google-chat |
	jq -r "[.content, .time | tostring] | join(\" \")"'

# ---- what tools give may be anything ----

fresh
jq -cn '{type: "user", uuid: "u1", sessionId: "session-1", timestamp: "2026-02-27T09:11:31.532Z",
	message: {role: "user", content: "Look."}, cwd: "/p", version: "1.0.0"},
	({a: {callId: "c", responseParts: {functionResponse: {id: "c", name: "read_file",
		response: {output: "line one"}}}, resultDisplay: "1 line"},
	  b: {functionResponse: {id: "c", name: "ls", response: {output: "file.c"}}},
	  c: {responseParts: [{functionResponse: {response: {error: "no such file"}}}]},
	  d: {rows: 7}, e: "plain", f: [{type: "text", text: "part"}], g: 7, h: true} | to_entries[]
	 | {type: "user", uuid: "t\(.key)", sessionId: "session-1",
	    timestamp: "2026-02-27T09:11:32Z", message: {role: "user", content: [
	    {type: "tool_result", tool_use_id: "c", content: .value}]},
	    toolUseResult: {status: "success"}})' >iflow.jsonl
check_out "iFlow's results are objects" 'user Look.
tool line one
tool file.c
tool no such file
tool {"rows":7}
tool plain
tool part
tool 7
tool true' sh -c 'mem-ingest iflow.jsonl | jq -r "[.role, .content] | join(\" \")"'
check_out 'as any may be' '{"rows":[1,2]} 7' sh -c \
	'printf "%s\n" "{\"role\":\"tool\",\"content\":{\"rows\":[1,2]}}" "{\"role\":\"tool\",\"content\":7}" | mem-ingest -n --from=ndjson | jq -r .content | paste -sd " "'
check_err 'nobody speaks in objects' 65 '"content" is not text' sh -c \
	'echo "{\"role\":\"user\",\"content\":{\"rows\":[1,2]}}" | mem-ingest -n --from=ndjson'

# ---- a file of a known format with nothing in it is quiet ----

fresh
printf '# aider chat started at 2024-05-01 10:00:00\n\n> aider --model x\n' >.aider.chat.history.md
echo '[{"type":"message","subtype":"channel_join","user":"U1","text":"<@U1> has joined","ts":"1714550400.000100"}]' >2024-05-01.json
printf 'WEBVTT\n\nNOTE nobody spoke\n' >film.vtt
echo '{"name":"Mara","type":"personal_chat","id":1,"messages":[{"id":1,"type":"service","date":"2024-05-01T10:00:00","actor":"Mara","actor_id":"user1","action":"phone_call","text":""}]}' >telegram.json
printf -- '--- Log opened Wed May 01 10:00:00 2024\n10:00 -!- Mara [m@h] has joined #c\n10:01 -!- Bo [b@h] has joined #c\n' >irc.log
echo '[]' >conversations.json
printf '[\n]\n' >laid-out.json
for f in .aider.chat.history.md:aider 2024-05-01.json:slack film.vtt:captions \
	telegram.json:telegram irc.log:irc conversations.json:chatgpt laid-out.json:claude; do
	check_out "${f%:*}: nothing, and no words about it" '' sh -c "mem-ingest ${f%:*} 2>&1"
	check_out "nothing is read or told when the format is given: ${f%:*}" '' \
		sh -c "mem-ingest --from=${f#*:} ${f%:*} 2>&1"
done
check_err 'another format is named' 65 'a conversation without "chat_messages"' mem-ingest \
	--from=claude 2024-05-01.json
echo '{"some":{"text":"what is this"}}' >any.json
check_err 'JSON of no known form is told' 65 'any.json:1: json: no message can be made out' \
	mem-ingest any.json
check_out 'an array that comes slowly is read' 'late' sh -c '(echo "["; sleep .3;
	echo "{\"role\":\"user\",\"content\":\"late\"}]") | mem-ingest -n --from=openai |
		jq -r .content'

# ---- Slack's export: names, days without words, what lies beside the channels ----

fresh
mkdir -p export/general export/D024BE91L
jq -cn '[{id: "U061A5N1G", name: "mara", profile: {real_name: "Mara Klein", display_name: "mk"}},
	{id: "U0FOX", name: "short"},
	{id: "W12345678", name: "bo", real_name: "Bo Dahl"}]' >export/users.json
for f in channels dms groups mpims; do
	echo '[{"id":"C1","name":"general","members":["U061A5N1G"],"topic":{"value":"text"}}]' >export/$f.json; done
echo '[{"service_id":"1","user_id":"U061A5N1G","reason":"added","content":"Jira"}]' >export/integration_logs.json
echo '[{"id":"F1","title":"Plan","text":"x"}]' >export/canvases.json
echo '{"title":"Plan","text":"x"}' >export/general/canvas_in_the_conversation.json
jq -cn '[{type: "message", subtype: "bot_message", text: "Build 7 failed", ts: "1714550400.000100",
	bot_id: "B1", username: "ci"},
	{type: "message", user: "U061A5N1G",
	text: "<@W12345678|bo> and <@U0NOBODY0|x>: look &lt;here&gt;",
	ts: "1714550401.000100"}]' >export/general/2024-05-01.json
jq -cn '[{type: "message", subtype: "channel_join", user: "U061A5N1G",
	text: "<@U061A5N1G> has joined the channel",
	ts: "1714636800.000100"}]' >export/general/2024-05-02.json
echo '[]' >export/general/2024-05-03.json
jq -cn '[{type: "message", user: "W12345678", text: "Lunch?",
	ts: "1714723200.000100"}]' >export/D024BE91L/2024-05-03.json
check_out 'the whole of it' 'D024BE91L|Bo Dahl|Lunch?
general|ci|Build 7 failed
general|Mara Klein|@Bo Dahl and <@U0NOBODY0|x>: look <here>' sh -c 'mem-ingest export |
	jq -r "[.session, .name, .content] | join(\"|\")"'
check_out 'an export of Slack is read without a word' '' cat "$err"
check_out 'an export of Slack that is read again has nothing new' '' sh -c 'mem-ingest export 2>&1'
check_out 'one day, from where it lies: the same' '' sh -c 'cd export/general &&
	mem-ingest 2024-05-01.json 2>&1'
check_out 'a day of Slack that is named in another way has nothing new' '' \
	sh -c 'cd export/general &&
	mem-ingest ./2024-05-01.json ../general/2024-05-01.json "$PWD/2024-05-01.json" 2>&1'
check_out 'one day alone, into a store that is empty' 'general|ci
general|Mara Klein' sh -c 'cd export/general && mem-ingest -d ../../other.db 2024-05-01.json |
	jq -r "[.session, .name] | join(\"|\")"'
check_out 'what lies beside the channels, by name' '' sh -c 'mem-ingest export/*.json 2>&1'
echo '[{"id":' >export/users.json
check_err 'a list of people that is damaged is named, and all is read' 65 'users.json' mem-ingest \
	-d third.db export
check_out 'all but the names' 3 sh -c "wc -l <'$out'"
echo 'no list' >export/users.json
check_err 'a list of people that is no JSON is named in the message' 65 'users.json: invalid' \
	mem-ingest -d fourth.db export
rm export/users.json export/channels.json
check_out 'where there is no export nothing is passed over' x sh -c \
	'mem-ingest export/canvases.json | jq -r .content'
mkdir -p tasks/77 && cp "$from/cline/task-7/ui_messages.json" tasks/77
check_out 'a task of Cline, from where it lies' 77 sh -c 'cd tasks/77 &&
	mem-ingest -n ui_messages.json | jq -r .session | uniq'

# ---- mail ----

fresh
mail() { printf 'From: Mara <a@b>\nSubject: %s\nDate: Wed, 1 May 2024 10:00:00 +0000\nMessage-ID: <%s@y>\n%b\n%b' "$1" "$1" "$2" "$3"; }
mail m1 'In-Reply-To: <w@y>\n' 'From: Tom <t@x>\nDate: Sunday\n\nThe pump is due.\n' >m1.eml
mail m2 'In-Reply-To: <w@y>\n' \
	'-----Original Message-----\nFrom: Tom <t@x>\nSent: Sunday\n\nThe valve is due.\n' >m2.eml
mail m3 'In-Reply-To: <w@y>\n' '> only this\n' >m3.eml
mail m4 'In-Reply-To: <w@y>\n' 'Yes.\n\nFrom: Tom <t@x>\nSent: Sunday\n\nNo.\n' >m4.eml
mem-ingest -v m1.eml m2.eml m3.eml m4.eml >t 2>told
check_out 'a reply that begins as a quote without marks is stored' \
	'From: Tom <t@x> Date: Sunday  The pump is due.
-----Original Message----- From: Tom <t@x> Sent: Sunday  The valve is due.
Yes.' jq -r '.content | gsub("\n"; " ")' t
check_like 'mail of which nothing is left is counted as empty' 'ingested 3 messages.* 1 empty' \
	cat told

mkdir -p Mail/cur Mail/new Mail/tmp Mail/.Sent/cur Mail/.Sent/new Mail/.Sent/tmp Mail/.git/cur
mail a '' 'In cur.\n' >'Mail/cur/1714550400.M1P2.host,S=12:2,S'
mail b '' 'In new.\n' >Mail/new/1714550401.M1P2.host
mail c '' 'Half writ' >Mail/tmp/1714550402.M1P2.host
mail d '' 'In Sent.\n' >'Mail/.Sent/cur/1714550403.M1P2.host:2,RS'
printf 'From: a@b\nSubject: s\n\nNo id.\n' >Mail/new/1714550404.M1P2.host
mail e '' 'No Maildir.\n' >Mail/.git/cur/x
echo 'V 1' >Mail/dovecot-uidlist
check_out 'a Maildir is read from its three directories' 'In Sent.
In cur.
In new.
No id.' sh -c 'mem-ingest Mail | jq -r ".content | split(\"\n\")[-1]" | LC_ALL=C sort'
check_out 'a Maildir is read without a word' '' cat "$err"
mv Mail/new/1714550404.M1P2.host Mail/cur/1714550404.M1P2.host:2,S
check_out 'a message that was read since is the same' '' sh -c 'mem-ingest --from=mail Mail 2>&1'
check_out 'one of its directories' 2 sh -c 'mem-ingest -n -d none.db Mail/cur | wc -l'
check_like 'what is passed over is named to who asks' \
	'^mem-ingest: Mail/dovecot-uidlist: passed over' sh -c 'mem-ingest -v Mail 2>&1'
mkdir pictures && touch pictures/a.png pictures/b.png
check_err 'a directory of which nothing is read' 65 \
	'^mem-ingest: pictures: none of its 2 files is read' mem-ingest pictures
mkdir nothing
check_out 'one that is empty' '' sh -c 'mem-ingest nothing 2>&1'

# ---- secrets in all that is stored, not in the words alone ----

fresh
gh=ghp_aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xY4
g2=ghp_zB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xY9
pw='Xk9$mmP2qLw8zz'
jq -cn --arg gh "$gh" --arg g2 "$g2" --arg pw "$pw" '
	{type: "session", session: "in \($gh)", title: "t \($gh)", metadata: {api: $gh, password: $pw}},
	({session: "in \($gh)", project: "p \($gh)", agent: "a \($gh)"} + (
		{id: "x-\($gh)", role: "user", content: "one"}, {id: "x-\($g2)", role: "user", content: "two"},
		{id: "c", role: "assistant", content: null, tool_calls: [{id: "call-\($gh)", type: "function", function: {name: "f_\($gh)", arguments: {password: $pw, path: "a"}}}]},
		{id: "r", role: "tool", tool_call_id: "call-\($gh)", name: $gh, content: {db_password: $pw}, extra: {password: $pw}}))' >s.ndjson
check 'messages with secrets in their ids, names and calls' sh -c \
	'mem-ingest s.ndjson >printed 2>said'
check_out 'nothing of them is kept' 0 sh -c \
	"cat mem.db* printed said | LC_ALL=C grep -a -c -e '$gh' -e '$g2' -e mmP2qLw8 || true"
check_out 'two ids stay two, and are not mixed up' 'one two' sh -c 'mem-list messages |
	jq -r "select(.role == \"user\").content" | paste -sd " "'
check_out 'an id that looks like a secret keeps its form' '[REDACTED:github-token]' sh -c \
	'jq -r "select(.content == \"one\").source_id | sub(\"^x-\"; \"\") | sub(\"#[0-9a-f]{8}$\"; \"\")" printed'
check_out 'a call and its result still name each other' \
	'call-[REDACTED:github-token] call-[REDACTED:github-token]' sh -c \
	'jq -r ".tool_calls[]?.id, .tool_call_id // empty" printed | paste -sd " "'
check_out 'the session of its record is that of its messages' 1 sh -c 'mem-list sessions | wc -l'
check_out 'ids that look like secrets stay the same in a second run' '' \
	sh -c 'cp s.ndjson again.ndjson; mem-ingest again.ndjson 2>&1'
check_out 'what was printed with such ids has nothing new' '' sh -c 'mem-ingest <printed 2>&1'
check_out 'names from the command line' 0 sh -c \
	"echo '{\"content\":\"x\"}' | mem-ingest -s 's $gh' -p 'p $gh' -a 'a $gh' | grep -c '$gh' ||
		true"
check_out 'unless they are to be kept' 4 sh -c \
	"mem-ingest -n -d other.db --keep-secrets s.ndjson | grep '\"role\"' | grep -c '$gh'"

for pre in '> ' '>> ' '    ' '# ' 'Mara> ' '| '; do
	printf '%s\n' '-----BEGIN RSA PRIVATE KEY-----' \
		MIIEowIBAAKCAQEAx1ndJqYh3uQvC0aRk2Wm5ZtTgLx8bVnPz4sKd7HfJ3yEoGcU \
		q9Xw2BrNtLmVhKjSyPzQaTfReUdCoIgHbWx5M6n8A4k7Z1YpJ3vD0sFlGuEiOhTc \
		xR2mK9wQ4zT7yB1nV5cJ8dL6fG3hS0pA== '-----END RSA PRIVATE KEY-----' |
			sed "s/^/$pre/" |
			jq -Rsc '{role: "user", content: ("look:\n" + . + "and so on")}' >k.ndjson
	check_out "a private key behind '$pre'" "look:
$pre[REDACTED:private-key]
and so on" sh -c 'mem-ingest -n --from=ndjson k.ndjson | jq -r .content'
done

fresh
check 'a fact with secrets in what stands beside it' sh -c \
	"echo '{\"type\":\"fact\",\"content\":\"The token is old.\",\"key\":\"k $gh\",\"subcategory\":\"s $gh\",\"tags\":[\"t $gh\"],\"source_id\":\"id $gh\",
	\"session\":\"in $gh\",\"project\":\"p $gh\",\"agent\":\"a $gh\",\"more\":{\"password\":\"$pw\"}}' | tr -d '\\n' | mem-remember"
check 'a fact from the command line has keys that look like secrets' \
	mem-remember --fact -k "k $g2" -t "t $g2" 'The other one is new.'
mem-list -j facts >printed
check_out 'nothing of them is kept, in capitals or not' 0 sh -c \
	"cat mem.db* printed | LC_ALL=C grep -a -i -c -e '$gh' -e '$g2' -e mmP2qLw8 || true"
check_out 'two keys that look like secrets stay two' 2 sh -c 'jq -r .key printed | sort -u | wc -l'
id=$(jq -r 'select(.content | test("new")).id' printed)
check 'a fact is given fields that look like secrets' \
	mem-edit -k "e $gh" --subcategory "e $gh" -t "e $gh" "$id"
mem-list -j facts >printed
mem-edit --steps >>printed
check_out 'nothing of it is kept' 0 sh -c \
	"cat mem.db* printed | LC_ALL=C grep -a -i -c -e '$gh' || true"
check_out 'fields that look like secrets are kept without them' \
	'e [REDACTED:github-token] ["e [REDACTED:github-token]"]' sh -c \
	"jq -r 'select(.id == \"$id\") | [.subcategory, (.tags | tojson)] | join(\" \")' printed"
check 'a fact is given such a field to be kept' mem-edit --keep-secrets --subcategory "e $gh" "$id"
check_out '--keep-secrets keeps a field that looks like a secret' "e $gh" sh -c \
	"mem-list -j facts | jq -r 'select(.id == \"$id\").subcategory'"

# ---- ends of lines ----

mkdir ends
ends='[01.03.26, 14:05:01] Ann: the roof leaks
[01.03.26, 14:05:02] Ben: at the chimney
[01.03.26, 14:05:03] Ann: bring slates
[01.03.26, 14:05:04] Ben: nine of them'
printf '%s\n' "$ends" | perl -pe 's/\n/\r/ if $. > 2 && $. < 4' >ends/_chat.txt
printf '%s\n' "$ends" | sed 's/^.*\] \(...\): /<\1> /; s/^/14:05:01 /' |
	perl -pe 's/\n/\r/ if $. < 4' >ends/2026-03-01.log
printf 'User: the roof leaks\rAssistant: at the chimney\n' >ends/a.txt
printf 'User: bring slates\r\nAssistant: nine\r' >>ends/a.txt
printf 'time,name,text\n2026-03-01,Ann,"the\rroof"\r2026-03-02,Ben,"slates"\n' >ends/a.csv
said() {
	mem-ingest -n "$@" | jq -r 'select(.type == "message") | .content' | tr '\r\n' '//'
	echo
}
check_out 'turns that only a carriage return parts in a chat are turns' \
	'the roof leaks/at the chimney/bring slates/nine of them/' said ends/_chat.txt
check_out 'turns that only a carriage return parts in a log are turns' \
	'the roof leaks/at the chimney/bring slates/nine of them/' said ends/2026-03-01.log
check_out 'turns that only a carriage return parts in a dialog are turns' \
	'the roof leaks/at the chimney/bring slates/nine/' said --no-documents ends/a.txt
check_out 'a carriage return within a field of a table stays' 'the/roof/slates/' said ends/a.csv
printf 'User: see\n  10%%\r  20%%\nAssistant: done\n' >ends/b.txt
check_out 'a carriage return within a turn stays' 'see/  10%/  20%/done/' \
	said --no-documents ends/b.txt
printf '%s\n' "$ends" | perl -pe 's/\n/\xc2\x85/' >ends/nel.txt
check_err 'a chat whose lines end in another mark is refused' 65 'do not end in newlines' \
	mem-ingest -n ends/nel.txt

done_testing
