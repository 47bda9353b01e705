#!/bin/sh
# mem-ingest: every format, what is cleaned, what is known already, files that grow, and all that
# can go wrong.
. "${0%/*}/lib.sh"
from=$ROOT/tests/fixtures/from
unset MEM_SEED    # it would give two runs the same ids

# said WANT-FILE CMD...: what was stored, in short; a dry run tells of titles, too.
said() {
	want=$1
	shift
	"$@" >t || return
	jq -c 'select(.role) | [.session, .role, .name, .content, .tool_calls]' t | diff "$want" -
}
# short CMD...: the words of each record.
short() {
	"$@" >t
	st=$?
	jq -r .content t
	return $st
}
n() {
	"$@" >t
	st=$?
	grep -c '"type":"message"' t
	return $st
}

# ---- formats, told and found ----

for f in claude-code.jsonl codex.jsonl codex-items.jsonl:codex codex-noevents.jsonl:codex \
	chatgpt.json claude.json gemini.jsonl \
	gemini-old.json:gemini openai.jsonl openai-array.json:openai openai-items.jsonl:openai \
		ndjson.ndjson openwebui.json sharegpt.json llm.json \
	slack/general/2024-05-01.json:slack text.txt json.jsonl \
		cline/task-7/ui_messages.json:cline \
	cline/task-7/api_conversation_history.json:cline copilot.json copilot-cli.jsonl \
		opencode.json continue.json goose.jsonl kiro.jsonl pi.jsonl \
	qwen.jsonl cursor.jsonl kimi/s-4/context.jsonl:kimi openhands.json telegram.json \
		discord.json matrix.json messenger.json deepseek.json takeout.json zulip.json \
	grok.json locomo.json longmemeval.json gemini/checkpoint-work.json:gemini \
		gemini/logs.json:gemini codex-exec.jsonl:codex \
	claude-stream.jsonl:claude-code whatsapp.txt whatsapp-us.txt:whatsapp irc.log aider.md \
		dialog.md dialog-names.txt:dialog csv.csv captions.vtt \
	captions-zoom.vtt:captions captions-film.srt:captions chatml.txt claude-text.txt; do
	file=${f%:*} format=${f##*:}
	[ "$format" != "$file" ] || format=${file%.*}
	want=$from/${file%.*}.want
	check "$file is read as $format, and says the same" \
		said "$want" mem-ingest -d a.db --from="$format" "$from/$file"
	case $file in text.txt | dialog-names.txt) ;; *) false ;; esac || \
		check "$file is read the same when its format is found out" \
		said "$want" mem-ingest -n "$from/$file"
	check_out "$file given again as $format stores nothing" 0 \
		n mem-ingest -d a.db --from="$format" "$from/$file"
	check_out "$file from a pipe, then: nothing" 0 n sh -c \
		"mem-ingest -d a.db --from=$format -s $(basename "${file%.*}") <$from/$file |
			{ case $format in slack | cline | kimi) true ;; *) false ;; esac &&
			head -c 0 || cat; }"
done
# what tools write besides plain words: pictures, files, refusals, calls, parts that are null;
# nothing lost and nothing twice
for f in claude-code.jsonl codex.jsonl chatgpt.json claude.json gemini.jsonl openai.jsonl \
	openwebui.json sharegpt.json llm.json slack.json; do
	format=${f%.*}
	check "the parts of a $format export are read" \
		said "$from/parts/$format.want" mem-ingest -d parts.db "$from/parts/$f"
	check_out "parts of $format again: nothing" 0 n mem-ingest -d parts.db "$from/parts/$f"
done
check_out 'a refusal, a message a line' "I can't. null" sh -c \
	"echo '{\"role\":\"assistant\",\"content\":null,\"refusal\":\"I can'\\''t.\"}' |
		mem-ingest -n >t; jq -r '.content + \" \" + (.refusal | tostring)' t"
printf '%s\n' '[{"id":"c","current_node":"a","mapping":{"a":{"id":"a","message":{"id":"a","author":{"role":"assistant"},"content":{"content_type":"text","parts":[
"In \ue200entity\ue202[\"city\",\"Lisbon\",\"capital\"]\ue201, 6 pm. \ue200cite\ue202turn0search0\ue201 Yes \ue200x."]}}}}}]' >marks.json
check_out "ChatGPT's marks for the screen" "In Lisbon, 6 pm. Yes $(printf '\356\210\200')x." sh -c \
	'mem-ingest -n --from=chatgpt marks.json >t; jq -r .content t'
for form in '{input: .}' '{instructions: "Be brief.", input: "hi", output: .[1:]}' \
	'{id: "resp_1", object: "response", output: .}' .; do
	for f in openai auto; do check_out "items of a response as $form, $f" 5 sh -c \
		"jq -sc '$form' $from/openai-items.jsonl >i.json; mem-ingest -n --from=$f i.json |
			jq -s '[.[] | select(.role != \"system\")] | length + (if .[0].content == \"hi\" then 0 else -5 end)'"; done
done
check_out 'an item that is none' 'stdin:1: openai: neither "messages" nor "role"' sh -c \
	'echo "{\"type\":\"weather\",\"x\":1}" | mem-ingest -n --from=openai 2>&1 |
		sed "s/^mem-ingest: //"'
check_out 'HTML in a map' '"a < b\n\n- one\n- two\n\nthe end & <so" {"html":"x"}' sh -c \
	'echo "{\"h\":\"<p class=a>a &lt; b<></p><ul><li>one</li><li>two</ul><div>the end &amp; <so\"}" | mem-ingest -n --map "{content: .h, role: \"user\", html: true}, {content: \"<p>\", role: \"user\", html: \"x\"}" >t
	jq -rs "(.[0].content | tojson) + \" \" + (.[1] | {html} | tojson)" t'
# who said what, when, and nothing lost without a word: role, name, time and words of what is made
# up here as others write it
reads() { name=$1 want=$2; printf '%s\n' "$3" >reads.json; run mem-ingest -n reads.json;
	cp "$out" t; check_out "$name" "$want" jq \
	-r 'select(.role) | [.role, .name, .time, .content, (.tool_calls | if . then .[0] | .function.name // .name else null end)] | map(select(. != null and . != "")) | join(" ")' \
	t; }
reads "a tool's results beside words are not the user's words" 'user q
assistant f
tool res
user and?' '{"role":"user","content":"q"}
{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"res"},{"type":"text","text":"and?"}]}'
check_out 'in a request, too, with the call they answer' 'user:q tool:res:t1 user:and?' sh -c \
	'jq -sc "{model: \"m\", messages: [.[0, 2]]}" reads.json | mem-ingest -n |
		jq -r "[.role, .content, .tool_call_id // empty] | join(\":\")" | paste -sd " "'
reads "an agent's events: a call, what it gave" 'user plan
assistant f
tool res
assistant ok' '[{"type":"TextMessage","source":"user","content":"plan"},{"type":"ToolCallRequestEvent","source":"assistant","content":[{"id":"c1","name":"f","arguments":"{}"}]},
{"type":"ToolCallExecutionEvent","source":"assistant","content":[{"content":"res","call_id":"c1"}]},{"type":"TextMessage","source":"assistant","content":"ok"}]'
reads 'a trace, whose input and output are messages' 'user q
assistant a' '{"id":"tr1","timestamp":"2026-01-01T00:00:00Z","name":"chat","input":{"messages":[{"role":"user","content":"q"}]},"output":{"role":"assistant","content":"a"},"sessionId":"s9"}'
check_out 'it is one session' s9 sh -c 'jq -r .session t | uniq'
reads 'bodies of a call' 'user q
assistant a' '{"request_id":"r","request_body":{"messages":[{"role":"user","content":"q"}]},"response_body":{"choices":[{"message":{"role":"assistant","content":"a"}}]}}'
check_out 'they are one session' 1 sh -c 'jq -r .session t | uniq | wc -l'
reads 'posts, and the replies below them' 'user ann 2026-01-01T00:00:00Z hi all
user bob 2026-01-01T00:00:01Z hey
user bob 2026-01-01T00:00:02Z psst' '{"type":"post","post":{"team":"t","channel":"town","user":"ann","message":"hi all","create_at":1767225600000,"replies":[{"user":"bob","message":"hey","create_at":1767225601000}]}}
{"type":"direct_post","direct_post":{"channel_members":["ann","bob"],"user":"bob","message":"psst","create_at":1767225602000}}'
reads 'times by unusual names, newest first' 'user ann 2026-01-01T10:00:00Z first
user bob 2026-01-01T10:00:05Z later' '{"conversations":[{"id":"bob","displayName":"Bob","MessageList":[{"id":"2","originalarrivaltime":"2026-01-01T10:00:05Z","content":"later","from":"bob"},{"id":"1","originalarrivaltime":"2026-01-01T10:00:00Z","content":"first","from":"ann"}]}]}'
reads 'a time by another name' 'user 2023-02-05T14:23:50Z Why?' \
	'{"message_id":"a","created_date":"2023-02-05T14:23:50+00:00","text":"Why?","role":"prompter"}'
reads 'speech of several, behind all of it' 'user SPEAKER_00 hello
user SPEAKER_01 world' '{"text":"hello world","segments":[{"id":0,"start":0.0,"text":"hello","speaker":"SPEAKER_00"},{"id":1,"start":1.5,"text":"world","speaker":"SPEAKER_01"}]}'
reads 'whom the profile of an earlier message names' 'user Ann Lee 2026-01-01T00:00:00Z hello
user Bob 2026-01-01T00:00:02Z hi
user Ann Lee 2026-01-01T00:00:04Z [file: a.png]' '[{"type":"message","text":"hello","user":"U01","ts":"1767225600.0","user_profile":{"real_name":"Ann Lee","name":"ann"}},
{"type":"message","text":"hi","user":"U02","ts":"1767225602.0","user_profile":{"real_name":"Bob"}},{"type":"message","text":"","user":"U01","ts":"1767225604.0","files":[{"name":"a.png"}]}]'
check 'a fact and a message of a store' sh -c \
	'mem-remember -q -d own.db --fact "Ann keeps bees" &&
		echo "{\"role\":\"user\",\"content\":\"about bees\"}" |
		mem-ingest -q -d own.db --from=ndjson && { mem-list facts -d own.db;
		mem-list messages -d own.db; } >own.ndjson'
check_err 'a fact does not become what somebody said' 65 "own.ndjson:1: .*fact" sh -c \
	'mem-ingest -n own.ndjson >t'
check_out 'the message is read' 'about bees' jq -r .content t
printf 'user: see\n\nassistant: ```\nuser: in the code\n```\nso\nuser: thanks, ```x```\nassistant: bye\n' >fence.md
check_out 'a block of code that begins behind the name' \
	'user:see|assistant:```.user: in the code.```.so|user:thanks, ```x```|assistant:bye' sh -c \
	'mem-ingest -n fence.md | jq -r "\"\(.role):\(.content | gsub(\"\n\"; \".\"))\"" |
		paste -sd "|"'
printf '[01.03.26, 15:30:01] Ann: hi\n[13.03.26, 15:31:02] \342\200\252+49 171 1\342\200\254: yo\n' >wa.txt
check_out 'a number between marks of direction is a name without them' '+49 171 1' sh -c \
	'mem-ingest -n wa.txt | jq -r .name | tail -n 1'
echo '{"level":"info","message":"started","timestamp":"2026-03-01T10:00:00Z"}' >app.jsonl
check_err "a program's log is no conversation" 65 "a program's log" mem-ingest -n app.jsonl
printf 'date,sender,body\n02/01/2026 10:00,Ann,hi\n02/13/2026 10:00,Bob,yo\n03/01/2026 10:00,Ann,so\n' >days.csv
check_err 'a date that may be two days is told' 0 \
	"days.csv:2: '02/01/2026 10:00' is no date, or may be two days" mem-ingest days.csv
check 'messages with a date that is none are counted' \
	grep -q 'days.csv: 2 messages have a date that is none' "$err"
check_out 'the time is null' 'hi so' sh -c 'mem-list -s days |
	jq -r "select(.time == null).content" | paste -sd " "'
run mem-ingest days.csv
check_out 'what is known is not told again' '' cat "$err"
printf '[10:00 AM]Ann: hello\n[10:01 AM]Bob: hi\n' >clock.txt
check_err 'text that begins with a bracket is no JSON' 65 'unknown format: plain text' mem-ingest \
	-n --no-documents clock.txt
check_out 'one-line JSON is the same as laid out' '' sh -c \
	"jq -c . $from/claude.json | mem-ingest -d a.db; jq . $from/chatgpt.json |
		mem-ingest -d a.db"
check_out 'shards one after the other' 9 n sh -c \
	"jq -c '.[:1]' $from/chatgpt.json >s; jq '.[1:]' $from/chatgpt.json >>s; mem-ingest -n <s"
check_out 'times as the source says them' '2024-05-01T10:40:01.125Z null' sh -c \
	"mem-ingest -n $from/chatgpt.json >t &&
		jq -rs 'map(select(.role)) | [.[0, 1].time] | join(\" \") + (if .[1] == null then \"null\" else \"\" end)' t"
title="mem-ingest -n -d titles.db $from/chatgpt.json >t && jq -r 'select(.title) | .title' t"
check_out 'a dry run prints the titles that sessions would get' \
	'Sourdough timing|Sourdough timing|No times, no current node' sh -c \
	"$title | paste -sd '|' -; mem-ingest -q -d titles.db $from/chatgpt.json"
check_out 'a dry run does not print a title that is stored' '' sh -c "$title"
check_out 'what is not known is kept' '{"mood":"cross"}' sh -c \
	"mem-ingest -n $from/ndjson.ndjson >t && jq -c 'select(.mood) | {mood}' t"
for t in 5f0c2d1e-0001-4000-8000-000000000001:'Login form' \
	c1000000-0000-4000-8000-000000000001:'Garden plan' conv-bread:'Sourdough timing' \
	kitchen:Oven; do
	check_out "the title of ${t%%:*}" "${t#*:}" sh -c \
		"mem-list -d a.db sessions -s ${t%%:*} >t && jq -r .title t"
done
check_out 'a conversation a line' 'stdin:1 stdin:2' sh -c \
	'printf "[{\"role\":\"user\",\"content\":\"a\"}]\n[{\"role\":\"user\",\"content\":\"b\"}]\n" >l; mem-ingest -n --from=openai -s stdin l >t && jq -r .session t | paste -sd " " -'
check_out 'an export that is packed is read' 9 n sh -c "gzip <$from/chatgpt.json | mem-ingest -n"
check_out 'packed, on a tape with zeros behind' 9 n sh -c \
	"{ gzip <$from/chatgpt.json; head -c 512 /dev/zero; } | mem-ingest -n"
check_err 'packed, with junk behind' 65 'not gzip after the gzip data' sh -c \
	"{ gzip <$from/chatgpt.json; echo junk; } >j.gz; mem-ingest -n j.gz"
check_out 'all before the junk is taken' 9 n cat "$out"
check_err 'packed and cut short' 65 'unexpected end of gzip data' sh -c \
	'yes "{\"content\":\"a\"}" | head -n 9000 | gzip | head -c 150 >k.gz; mem-ingest -n k.gz'
check_like 'the lines before the cut are taken' '"content":"a"' cat "$out"
check_out 'a BOM, CRLF, blank lines' 'a b' sh -c \
	"printf '\357\273\277{\"content\":\"a\"}\r\n\r\n{\"content\":\"b\"}\r\n' | mem-ingest -n >t;
		jq -r .content t | paste -sd ' ' -"

# logs: forms of several countries, and the order of day and month
wa() { mem-ingest -n --from=whatsapp - >t; st=$?; jq -r '[.time, .name, .content] | join(" ")' t;
	return $st; }
check_out 'WhatsApp in many countries' '2026-03-28T10:01:00Z Mara eins
2026-03-28T14:02:05Z Bo deux
2026-03-28T14:02:00Z Bo tres
2026-03-28T10:01:00Z Mara um
2026-03-28T14:01:00Z 小王 四
2026-03-28T14:01:05Z 小王 五
2026-03-28T10:01:00Z Ann six' wa <<'EOF'
28.03.26, 10:01 - Mara: eins
[28/03/2026, 14:02:05] Bo: deux
28/3/26, 2:02 p. m. - Bo: tres
28/03/2026 10:01 - Mara: um
2026/3/28 下午2:01 - 小王: 四
[2026/3/28 下午2:01:05] 小王: 五
2026-03-28, 10:01 - Ann: six
EOF
check_out 'the days go up: the month is first' '2026-01-02T10:00:00Z 2026-02-01T10:00:00Z' sh -c \
	'printf "%s\n" "1/2/26, 10:00 - A: x" "2/1/26, 10:00 - A: y" | mem-ingest -n >t;
		jq -r .time t | paste -sd " " -'
check_out 'the days go up: the day is first' '2026-01-02T10:00:00Z 2026-02-01T10:00:00Z' sh -c \
	'printf "%s\n" "2/1/26, 10:00 - A: x" "1/2/26, 10:00 - A: y" | mem-ingest -n >t;
		jq -r .time t | paste -sd " " -'
check_out 'times of a log are of this zone' '2026-03-28T09:01:00Z 2026-07-01T08:01:00Z' sh -c \
	'printf "%s\n" "28.03.26, 10:01 - M: x" "01.07.26, 10:01 - M: y" |
		TZ=CET-1CEST,M3.5.0,M10.5.0/3 mem-ingest -n >t; jq -r .time t | paste -sd " " -'
check_out 'an export that begins later adds what is new' 1 sh -c \
	'mem-ingest -q -d wa.db -s g '"$from"'/whatsapp.txt; { sed 1,6d '"$from"'/whatsapp.txt; echo "[29.03.26, 08:00:00] Bo: neu"; } | mem-ingest -d wa.db -s g | wc -l'
check_out 'an export in which somebody is called otherwise adds nothing' 0 sh -c \
	'sed "s/ Bo: / Bo B.: /; s/^Bo\$/Bo B./" '"$from"'/whatsapp.txt |
	mem-ingest -d wa.db -s g | wc -l'
check_out 'of WhatsApp no notice of what was deleted, and no mark of what was edited' \
	'2026-03-28T10:02:00Z Bo neu' wa <<'EOF'
28.03.26, 10:01 - Mara: Diese Nachricht wurde gelöscht.
28.03.26, 10:01 - Bo: Dit bericht is verwijderd.
28.03.26, 10:01 - Bo: This message was deleted
28.03.26, 10:02 - Bo: neu <Diese Nachricht wurde bearbeitet.>
EOF
check_out 'a dialogue that grows' 1 sh -c \
	'cp '"$from"'/dialog.md d.md; mem-ingest -q -d wa.db d.md; printf "\n**Assistant:** more\n" >>d.md; mem-ingest -d wa.db d.md | wc -l'
check_out 'the last turn of a dialogue that grows: only the rest' 'one|two|three' sh -c \
	'printf "User: hi\n\nAssistant: one" >t.md; mem-ingest -q -d wa.db t.md;
		printf " two\n\n" >>t.md; mem-ingest -q -d wa.db t.md; mem-ingest -q -d wa.db t.md
	printf "three\n\nUser: so\n" >>t.md; mem-ingest -q -d wa.db t.md; mem-ingest -d wa.db t.md;
	mem-list -d wa.db -s t --role assistant | jq -r .content | paste -sd "|" -'
check_out 'of WhatsApp, and nothing is said to differ' 'Mara one|Mara two|Bo x' sh -c \
	'printf "28.03.26, 10:01 - Mara: one\n" >w.txt; mem-ingest -q -d wa.db w.txt;
		printf "two\n" >>w.txt; mem-ingest -q -d wa.db w.txt
	printf "28.03.26, 10:02 - Bo: x\n" >>w.txt; mem-ingest -q -d wa.db w.txt 2>&1;
	mem-ingest -d wa.db w.txt 2>&1; mem-list -d wa.db -s w | jq -r ".name + \" \" + .content" |
	paste -sd "|" -'
check_out 'paragraphs of one speaker are one turn' 'a b|c' sh -c \
	'printf "a b\n" >p.txt; mem-ingest -q -d wa.db --from=text p.txt; printf "c\n" >>p.txt;
		mem-ingest -q -d wa.db --from=text p.txt; mem-ingest -d wa.db --from=text p.txt
	mem-list -d wa.db -s p | jq -r .content | paste -sd "|" -'
check_out 'of Aider; what was rewritten is another turn' 'all|of it|none' sh -c \
	'printf "# aider chat started at 2026-03-01 10:00:00\n\n#### q\n\nall\n" >a.md;
		mem-ingest -q -d wa.db a.md; printf "of it\n" >>a.md; mem-ingest -n -d wa.db a.md >n
	mem-ingest -q -d wa.db a.md; mem-ingest -q -d wa.db a.md;
	sed -i "s/^all/none/; /of it/d" a.md; mem-ingest -q -d wa.db a.md
	[ "$(jq -r .content n)" = "of it" ] &&
	mem-list -d wa.db -s "a:2026-03-01 10:00:00" --role assistant | jq -r .content |
	paste -sd "|" -; mem-check --deep -q -d wa.db'
check_out 'captions: the time in the name of the file is when it began' \
	'2026-03-01T10:00:01Z 2026-03-01T10:00:04.5Z 2026-03-01T11:00:10Z' sh -c \
	'cp '"$from"'/captions-zoom.vtt GMT20260301-100000_Recording.vtt; mem-ingest -n GMT20260301-100000_Recording.vtt >t; jq -r .time t | paste -sd " " -'
check_out 'without GMT it is of this zone; a name that is no time tells none' \
	'2026-03-01T09:00:01Z null' sh -c \
	'cp '"$from"'/captions-zoom.vtt x-20260301_100000.vtt;
		cp '"$from"'/captions-zoom.vtt x-20261301_100000.vtt
	for f in x-20260301_100000.vtt x-20261301_100000.vtt; do
		TZ=CET-1CEST,M3.5.0,M10.5.0/3 mem-ingest -n $f >t; head -n 1 t | jq -r .time
	done | paste -sd " " -'
for m in '\342\200\216 before' '\342\200\217 behind' '\342\201\250 before' '\342\200\253 behind'; do
	check "captions with marks of direction ${m#* } each line: $(printf '%s' "${m% *}" | tr -d '\\')" \
		said "$from/captions-zoom.want" sh -c 'm=$(printf "$1")
		case $2 in before) s="s/^/$m/" ;; *) s="s/.\$/$m&/" ;; esac
		sed "$s" '"$from"'/captions-zoom.vtt >captions-zoom.vtt; mem-ingest -n captions-zoom.vtt' \
		sh "${m% *}" "${m#* }"
done
check_out 'cues that no blank line parts keep their words' 'a 7 b c' sh -c \
	'printf "%s\n" 1 "00:00:01,000 --> 00:00:02,000" a 7 2 "00:00:03,000 --> 00:00:04,000" b "00:00:05,000 --> 00:00:06,000" c |
		mem-ingest -n >t; jq -r .content t'
check_out 'captions without names: a turn a paragraph, at the end of a sentence' '2 true' sh -c \
	'perl -e '"'"'for my $i (0 .. 59) { printf "%d\n00:%02d:00,000 --> 00:%02d:59,000\nThis is line %d of them all%s\n\n", $i + 1, $i, $i, $i, $i % 4 == 3 ? "." : "," }'"'"' >film.srt
	mem-ingest -n film.srt >t;
		jq -s -r "\"\(length) \([.[].content | endswith(\".\")] | all)\"" t'
check_out 'captions that stop in the middle of a cue' 'a' sh -c \
	'printf "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n00:03.000 --> 00:" | mem-ingest -n >t;
		jq -r .content t'
check_out 'captions in which nothing was said give nothing' '' \
	sh -c 'printf "WEBVTT\n\nNOTE x\n" | mem-ingest -n 2>&1'
check_out 'marks of the other kind' 'hi yes' sh -c \
	'printf "<|system|>\n</s>\n<|user|>\nhi</s>\n<|assistant|>\nyes</s>\n" | mem-ingest -n >t;
		jq -r .content t | paste -sd " " -'
check_out 'times before the sides of a chat' \
	'user 2026-03-01T10:00:00Z Why: because? assistant 2026-03-01T10:01:00Z So.' sh -c \
	'printf "[2026-03-01 10:00] User: Why: because?\n[2026-03-01 10:01] Assistant: So.\n" |
		mem-ingest -n >t; jq -r "[.role, .time, .content] | join(\" \")" t |
		paste -sd " " -'
check_out 'times stand before names in a log' \
	'Mara 2026-03-01T10:00:00Z Why? Bo 2026-03-01T10:01:05Z At 10:00: so.' sh -c \
	'printf "2026-03-01 10:00:00 Mara: Why?\n2026-03-01 10:01:05 Bo: At 10:00: so.\n" |
		mem-ingest -n --from=dialog >t; jq -r "[.name, .time, .content] | join(\" \")" t |
		paste -sd " " -'
check_out 'a time of day alone tells no time' 'Mara null Why?' sh -c 'echo "[10:00] Mara: Why?" |
	mem-ingest -n --from=dialog >t;
		jq -r ".name + \" \" + (.time | tostring) + \" \" + .content" t'
check_out 'a time beside the name' '2026-03-01T10:05:00Z' sh -c \
	'mem-ingest -n '"$from"'/dialog.md >t; jq -r "select(.time) | .time" t'
for f in '2026-03-01 10:01:00	@mara	hi' '[10:01:00] <mara> hi' \
	'[2026-03-01 10:01:00] <mara> hi' '2026-03-01T10:01:00+0000 <mara> hi' \
	'**** BEGIN LOGGING AT Sun Mar  1 10:00:00 2026\nMar 01 10:01:00 <mara>	hi'; do
	check_out "a line of IRC is read: $f" '2026-03-01T10:01:00Z mara hi' sh -c \
		'printf "$1\n" >znc-20260301.log; mem-ingest -n znc-20260301.log >t;
			jq -r "[.time, .name, .content] | join(\" \")" t' \
			sh "$f"
done
check_out 'without a day there is no time' 'null mara' sh -c 'echo "10:01 <mara> hi" |
	mem-ingest -n >t; jq -r "(.time | tostring) + \" \" + .name" t'
check_err 'a line that is none' 65 'stdin:2: no line of a log' sh -c \
	'printf "10:01 <mara> hi\nwhat\n10:02 <bo> ho\n" | mem-ingest -n --from=irc'
check_out 'other messages beside a bad one are taken' 2 n cat "$out"
check_err 'a letter of an old encoding is told' 0 \
	'stdin: 1 character that is none is read as U.FFFD' sh -c \
	'printf "10:01 <mara> gie\337t\n" | mem-ingest -n --from=irc'
check_err 'a file of old letters' 65 'stdin:1: not UTF-8' sh -c \
	'printf "10:01 <mara> gie\337t \374ber \344\n" | mem-ingest -n --from=irc'
check_err 'words before anybody speaks' 65 'stdin:1: words before anybody speaks' sh -c \
	'printf "It rained.\n\nUser: yes\nAssistant: no\n" | mem-ingest -n'
check_out 'a table of another kind' 'user|x; y|Mara|2026-03-28T10:01:00Z' sh -c \
	'printf "date;author;message\r\n28.3.2026 10:01;Mara;\"x; y\"\r\n" | mem-ingest -n >t;
		jq -r "[.role, .content, .name, .time] | join(\"|\")" t'
check_out 'a table with tabs is read as one with commas' 'assistant|a, b' \
	sh -c 'printf "role\tcontent\nassistant\ta, b\n" |
	mem-ingest -n >t; jq -r "[.role, .content] | join(\"|\")" t'
check_err 'a row that is too long' 65 'stdin:2: a row of more than 2 columns' sh -c \
	'printf "role,content\nuser,a,b\nuser,c\n" | mem-ingest -n'
check_out 'the others are taken' c short cat "$out"
check_err 'a quote that is never closed' 65 'stdin:2: a quote that is not closed' sh -c \
	'printf "role,content,x,y\nuser,\"a,b,c\nuser,c,d,e,f\n" | mem-ingest -n --strict'

cases <<'EOF'
[65] mem-ingest 2>&1
hello there
mem-ingest: stdin: unknown format: plain text (--from=dialog where turns begin with NAME:, --from=text takes a turn a paragraph)

[65] mem-ingest 2>&1
{"foo":1,"bar":{"content":2}}
mem-ingest: stdin: unknown format: no conversation is found in it (name the format with --from, or see --map)

[65] mem-ingest 2>&1
{"foo":1,"bar":{"baz":2}}
mem-ingest: stdin: unknown format: an object with the keys 'foo', 'bar' (name it with --from, or see --map)

# what stands in a list of messages and is none is told, not passed over
[65] mem-ingest -n 2>&1 >t; st=$?; jq -r .content t; exit $st
{"items":[{"speaker":"a","utterance":"one"},{"utterance":"whose?"},{"speaker":"b","utterance":"two"},{"pause":3}]}
mem-ingest: stdin:1: no key 'content' with a text
one
two

# a first line that is broken hides nothing
[65] printf '{"role":"user","cont\n{"content":"good"}\n' | mem-ingest -n 2>/dev/null
-
{"type":"message","user":"default","time":null,"session":"default","origin":"user","trust":3,"role":"user","content":"good"}

# an empty input is no fault
mem-ingest </dev/null
-
EOF
check_err 'a zip archive on the standard input is refused' 65 'unzip -p' \
	sh -c 'printf "PK\003\004rest" | mem-ingest'
check_err 'a database that nobody knows is refused' 65 'tables no format knows' \
	mem-ingest -d b.db a.db
check_err 'bytes that are no text are refused' 65 'binary data' mem-ingest -d b.db "$B/mem-ingest"
check_err 'a format that nobody knows is refused' 64 "no format 'nope'.*claude-code" \
	mem-ingest --from=nope
check_err 'a format is no path' 64 'no format' mem-ingest --from=../../etc/x
check_err 'a map and a format' 64 'exclude' mem-ingest --from=text --map .
check_err 'a map that gives no record' 65 '^mem-ingest: stdin:1: what the map gives is no object$' \
	sh -c 'echo "{\"content\":\"x\"}" | mem-ingest -n --map .nothing'

# ---- a record, whole ----

fresh
id='"id":"[0-9A-HJKMNP-TV-Z]{26}"'
sha=$(printf 'The oven clock is wrong.' | sha256sum | cut -d' ' -f1)
check_like 'all keys, in order' \
	'^\{"type":"message",'"$id"',"user":"default","time":"2024-03-01T08:00:00Z","agent":"cook","project":"home","session":"kitchen","origin":"user","trust":3,"source_id":"k1","turn":0,"role":"user","name":"Mara","content":"The oven clock is wrong.","tokens":6,"sha256":"'"$sha"'","stored":"2024-05-20T12:00:00Z","mood":"cross"\}$' \
	mem-ingest -a cook -p home "$from/ndjson.ndjson"
check_out 'turns count up by session' '0 0 1 0 2' sh -c "jq -r .turn $out | paste -sd ' ' -"

# ---- what must not be stored ----

fresh
cases <<'EOF'
mem-ingest -n >t && jq -c .content t
{"content":"before\n<mem-context budget=\"100\">\n[1] old words\n</mem-context>\nafter"}
"before\nafter"

mem-ingest -n >t && jq -c .content t
{"content":"<mem-context>only this</mem-context>"}

# somebody's words about it
mem-ingest -n >t && jq -c .content t
{"content":"why does it print <mem-context> here?\n<mem-context>\nnever closed"}
"why does it print <mem-context> here?\n<mem-context>\nnever closed"

mem-ingest -n >t && jq -c .content t
{"content":"the code is <private>1234</private>, ok"}
"the code is , ok"

mem-ingest -n >t && jq -c '[.content, .tool_calls, .note]' t
{"content":"use ghp_16C7e42F292c6912E7710c838347Ae178B4a now","tool_calls":[{"arguments":"ghp_16C7e42F292c6912E7710c838347Ae178B4a"}],"note":"ghp_16C7e42F292c6912E7710c838347Ae178B4a"}
["use [REDACTED:github-token] now",[{"arguments":"[REDACTED:github-token]"}],"[REDACTED:github-token]"]

# in a name and in keys, too
mem-ingest -n >t && jq -c '[.name, .tool_calls, .about]' t
{"name":"Bo <private>(the spy)</private> ghp_16C7e42F292c6912E7710c838347Ae178B4a","content":"x","tool_calls":[{"ghp_16C7e42F292c6912E7710c838347Ae178B4a":1}],"about":{"ghp_16C7e42F292c6912E7710c838347Ae178B4a":2}}
["Bo  [REDACTED:github-token]",[{"[REDACTED:github-token]":1}],{"[REDACTED:github-token]":2}]

mem-ingest -q && mem-list sessions >t && jq -c '[.title, .system_prompt, .metadata]' t
{"type":"session","session":"s","title":"ghp_16C7e42F292c6912E7710c838347Ae178B4a<private>x</private>","system_prompt":"be <private>x</private>good\n<mem-context>old</mem-context>","metadata":{"k":"<private>x</private>y"}}
["[REDACTED:github-token]","be good",{"k":"y"}]

mem-ingest -n --keep-secrets >t && jq -c .content t
{"content":"use ghp_16C7e42F292c6912E7710c838347Ae178B4a now"}
"use ghp_16C7e42F292c6912E7710c838347Ae178B4a now"

# reminders stay in what a person gives as records, and go where a map says so
mem-ingest -n >t && jq -c .content t
{"content":"a\n<system-reminder>x</system-reminder>","strip":true}
"a\n<system-reminder>x</system-reminder>"

mem-ingest -n --map '. + {strip: true}' >t && jq -c .content t
{"content":"a\n<system-reminder>x</system-reminder>\nin `<system-reminder>` b"}
"a\nin `<system-reminder>` b"

mem-ingest -n --map '. + {strip: true}' >t && jq -c .content t
{"content":"so <system-reminder>x\ny</system-reminder> it is <system-reminder>z</system-reminder>\nand <command-name>n</command-name>"}
"so it is\nand <command-name>n</command-name>"

mem-ingest -n --map '. + {strip: true}' >t && jq -c .content t
{"content":"a `<system-reminder>` and `</system-reminder>`, <system-reminder> alone and a real <system-reminder>x</system-reminder> one"}
"a `<system-reminder>` and `</system-reminder>`, <system-reminder> alone and a real one"

# mem's own block, inside a line
mem-ingest -n >t && jq -c .content t
{"content":"ask <mem-context items=\"1\">\n[1] old words\n</mem-context> this<mem-context>x</mem-context>?"}
"ask this?"

mem-ingest -n >t && jq -c .content t
{"content":"an open <mem-context> here\n<mem-context>\nold\n</mem-context>\nafter"}
"an open <mem-context> here\nafter"

mem-ingest -n >t && jq -c .content t
{"content":"not <mem-contexts>x</mem-context> nor </mem-context>"}
"not <mem-contexts>x</mem-context> nor </mem-context>"

# who it is from, where nothing else says who speaks
mem-ingest -n >t && jq -c '[.role, .source, .project]' t
{"source":"assistant","content":"x","project":"p"}
["assistant","assistant","p"]

mem-ingest -n >t && jq -c '[.role, .source]' t
{"source":"web","content":"x"}
["user","web"]

mem-ingest -n >t && jq -c '[.role, .project, .origin, .trust]' t
{"type":"model_response","content":"x","project":"p","origin":"web"}
["assistant","p","web",0]

# trust is never more than the origin is worth
mem-ingest -n >t && jq -c '[.origin, .trust]' t
{"role":"tool","content":"x","trust":3}
["tool",1]

mem-ingest -n >t && jq -c '[.origin, .trust]' t
{"role":"user","content":"x","trust":1}
["user",1]
EOF

# ---- bad lines ----

fresh
printf '%s\n' '{"content":"a"}' 'no JSON' '{"content":42}' '[]' '{"content":"b"}' \
	'{"type":"fact","content":"c"}' '{"content":"d","user":"eve"}' \
	'{"content":"e","time":"soonish"}' '{"content":"f","role":7}' '{}' 'null' \
		'{"content":"g\q"}' '{"content":"h"}' >mixed.ndjson
check_status 'bad lines are 65' 65 mem-ingest --from=ndjson --rejects bad mixed.ndjson
cp "$err" told
check_out 'the good ones are stored, and one whose time is none' 'a b e h' sh -c \
	"mem-list >t; jq -r .content t | paste -sd ' ' -"
check_out 'each is told with its line' '2 3 4 6 7 9 10 11 12' sh -c \
	"sed -n '/:8: .* is no date/d; s/^mem-ingest: mixed.ndjson:\([0-9]*\): .*/\1/p' told |
		paste -sd ' ' -"
check_out 'rejects are as they were' "$(sed -n '2,4p;6,7p;9,12p' mixed.ndjson)" cat bad
check_out 'a file of rejects is private to its owner' 600 stat -c %a bad
# what the store refuses (here an agent's name from the command line, which no line can show) goes
# there as well, and each line once
fresh
long=an-agent-of-more-than-26-bytes
printf '%s\n' '{"content":"a","agent":"x"}' '{"content":"b"}' '{"content":42}' \
	'{"content":"c","agent":"y"}' '{"content":"d"  }' >agents.ndjson
check_status 'the store refuses lines' 65 env MEM_ID_BYTES=26 mem-ingest --from=ndjson -a $long \
	--rejects bad agents.ndjson
check_out 'they are told with file, line and reason' '2 5' sh -c \
	"sed -n 's/^mem-ingest: agents.ndjson:\([0-9]*\): name is over 26 bytes\$/\1/p' $err |
		paste -sd ' ' -"
check_out 'bad lines are among the rejects as they were' \
	"$(sed -n '2p;3p;5p' agents.ndjson | LC_ALL=C sort)" sort bad
check 'which can be given again' mem-ingest -q --from=ndjson -a z - <<E
$(grep -v 42 bad)
E
check_out 'now all are there' 'a b c d' sh -c "mem-list | jq -r .content | sort | paste -sd ' ' -"
printf '{"messages":[{"role":"user","content":"one"},{"role":"user","content":7},{"role":"user","content":"two"}]}\n' >doc.json
jq -c . doc.json >doc
check_status 'a document of which the reader and the store refuse a part' 65 env MEM_ID_BYTES=26 \
	mem-ingest --from=openai -a $long --batch 1 --rejects bad2 doc.json
check_out 'a reject that comes twice is there once' "$(cat doc)" cat bad2
for n in 1 2; do printf '{"content":"%s"}\n' one two three; done >many.ndjson
check_status 'batches of one line refuse as larger ones do' 65 \
	env MEM_ID_BYTES=26 mem-ingest --from=ndjson -a $long --batch 1 --rejects bad3 many.ndjson
check 'all of them, each once' cmp many.ndjson bad3
check_status 'rejects that cannot be written are a fault' 74 env MEM_ID_BYTES=26 mem-ingest \
	--from=ndjson -a $long --rejects /dev/full many.ndjson
fresh
printf '%s\n' '{"content":"a"}' 'no JSON' '{"content":42}' '[]' '{"content":"b"}' \
	'{"type":"fact","content":"c"}' '{"content":"d","user":"eve"}' >mixed.ndjson
check_status '--strict stops at the first bad line' 65 \
	mem-ingest --strict -d s.db --from=ndjson mixed.ndjson
check_out 'what came before it is stored' a short mem-list -d s.db
check_out 'of many the first hundred are told, then how many more' '101 1 1' sh -c \
	"yes bad | head -n 1000 | mem-ingest --from=ndjson 2>e;
		echo \$(wc -l <e) \$(grep -c 'stdin:100: ' e) \$(grep -c '900' e)"
check_out 'each of many is told with -v' '1000 1' sh -c \
	"yes bad | head -n 1000 | mem-ingest -v --from=ndjson 2>&1 | grep 'stdin:[0-9]*: ' >e;
		echo \$(wc -l <e) \$(grep -c 'stdin:1000: ' e)"
check_out 'a line that is too long ends nothing' 'a b' sh -c \
	"{ echo '{\"content\":\"a\"}'; printf '{\"content\":\"%02000d\"}\n' 1;
		echo '{\"content\":\"b\"}'; } | MEM_LINE_BYTES=1024 mem-ingest -n 2>e >t;
		grep -q 'stdin:2:.*too long' e && jq -r .content t | paste -sd ' ' -"
printf '[{"role":"user","content":"one"}, {"role":"user","content":5}, {"role":"user","content":"two"}, {"role":"us' >cut.json
check_err 'items are told by number' 65 'cut.json: item 2: ' mem-ingest -n cut.json
check 'an array that is cut short is told' grep -q 'cut.json: item 4: the file ends inside' "$err"
check_err 'a file that is not there is told' 66 "nowhere" mem-ingest nowhere "$from/llm.json"
check_out 'the others are read' 2 n cat "$out"

# ---- known already ----

fresh
printf '{"content":"a"}\nbroken\n{"content":"a"}\n' >p.ndjson
check_out 'two lines of the same words are two messages' 2 \
	n sh -c 'mem-ingest p.ndjson 2>/dev/null || [ $? = 65 ]'
printf '{"content":"a"}\n{"content":"b"}\n{"content":"a"}\n' >p.ndjson
check_out 'a mended line moves nothing' b short mem-ingest p.ndjson
check_out 'the key is user, session and id' '1 0 1 1' sh -c \
	'for a in "-s x" "-s x" "-s y" "-s x -u other"; do echo "{\"id\":\"7\",\"content\":\"q\"}" |
		mem-ingest $a | wc -l; done | paste -sd " " -'
check_out 'our own records come home' 0 n sh -c 'mem-list >all && mem-ingest all'
check_out 'a list that is read again finds what is new' 5 \
	n sh -c 'mem-list >all; mem-ingest -d copy.db all &&
	mem-list -d copy.db | cmp - all >&2'
check_out 'a list that was read gives nothing again' 0 n mem-ingest -d copy.db all
check_status 'another user has to be asked for' 65 mem-ingest -u third all
check_out "a list can be taken without its user's name" 5 n sh -c \
	"mem-list -s p >p; mem-list -s x >>p; mem-list -s y >>p; jq -c 'del(.user)' p |
		mem-ingest -u third -"
check_out "--multi-user takes each user's messages for them" 'ann bob' sh -c \
	'printf "{\"user\":\"ann\",\"content\":\"1\"}\n{\"user\":\"bob\",\"content\":\"2\"}\n" |
		mem-ingest --multi-user >t; jq -r .user t | paste -sd " " -'

fresh
printf '%s\n' '{"id":"1","content":"as it was"}' '{"id":"2","content":"second"}' \
	'{"id":"3","content":"third"}' >w.ndjson
mem-ingest -q w.ndjson
printf '%s\n' '{"id":"1","content":"as it was"}' '{"id":"2","content":"other"}' \
	'{"id":"3","content":"other, too"}' '{"id":"4","content":"new"}' >w.ndjson
check_like 'a dry run tells what is new' \
	'1 message, 3 duplicates, 2 of them with other words, 1 session .nothing was stored' sh -c \
	'mem-ingest -n -v w.ndjson 2>&1 >t'
check_out 'what is new of a file is printed' new jq -r .content t
check_out 'other words under a known id are told once' \
	'mem-ingest: w.ndjson:2: '"'2'"' is stored with other words, which stay
mem-ingest: w.ndjson: 2 messages are stored with other words, which stay: lines 2, 3' \
	sh -c 'mem-ingest w.ndjson 2>&1 >t'
printf '%s\n' '{"id":"5","content":"one"}' '{"id":"6","content":"two"}' \
	'{"id":"5","content":"one, too"}' '{"id":"6","content":"two, too"}' >x.ndjson
check_out 'two texts under one id in one file: which is not stored' \
	'mem-ingest: x.ndjson:3: '"'5'"' is stored with other words, which stay
mem-ingest: x.ndjson: 2 messages are stored with other words, which stay: lines 3, 4' \
	sh -c 'mem-ingest -n -d x.db x.ndjson 2>&1 >/dev/null'
check_out 'a run that stores says the same of two texts under one id' "$(cat "$out")" \
	sh -c 'mem-ingest -d x.db x.ndjson 2>&1 >/dev/null'
check_out 'what is new is stored' new jq -r .content t
check_out 'what was stored stays' 'as it was second third new' sh -c 'mem-list -s w >t;
	jq -r .content t | paste -sd " " -'
printf '%s\n' '{"id":"1","content":"changed"}' >v.ndjson
check_out 'messages of each file are counted by file' '2' \
	sh -c 'mem-ingest -s w v.ndjson w.ndjson 2>&1 |
	grep -c ":[12]: .* is stored with other words"'
check_out 'a dry run knows its own' '2 x y' sh -c \
	'printf "{\"id\":\"8\",\"content\":\"x\"}\n{\"id\":\"8\",\"content\":\"x\"}\n{\"content\":\"y\"}\n" | mem-ingest -n -d none.db --batch 1 >t; echo $(wc -l <t) $(jq -r .content t)'
printf '{"session":"c","role":"assistant","content":"%s","tool_calls":[{"function":{"name":"%s"}}]}\n' \
	'' read '' write 'I look.' read 'I look.' write >calls
check_out 'turns that differ in their calls alone are stored, each in a run of its own' '1 1 1 1' \
	sh -c 'for i in 1 2 3 4; do sed -n ${i}p calls | mem-ingest | wc -l; done | paste -sd " " -'
check_out 'they are known when they come again, in a dry run, too' 0 sh -c 'for i in 1 2 3 4; do
	sed -n ${i}p calls | mem-ingest -n && sed -n ${i}p calls | mem-ingest; done >t
	echo $(wc -l <t)'
check_out 'a dry run tells turns of two files apart by their calls' 2 sh -c 'for i in 1 2; do
	sed -n ${i}p calls >call.$i; done; mem-ingest -n -d none.db call.1 call.2 >t
	echo $(wc -l <t)'
check_out 'our own records with other words' 1 sh -c \
	'mem-list -s w | head -n 1 | sed s/as.it.was/forged/ | mem-ingest -v 2>&1 |
		grep -c "stdin:1: .1. is stored with other words"'

# ---- two files of one name ----

fresh
mkdir -p a b x/b
printf '{"content":"same words"}\n{"content":"of a"}\n' >a/chat.ndjson
printf '{"content":"same words"}\n{"content":"of b"}\n' >b/chat.ndjson
printf '{"content":"same words"}\n' >x/b/chat.ndjson
printf '[{"content":"same words","role":"user"}]' >a/chat.json
in_order() { "$@" >t; st=$?; jq -r '"\(.session) \(.content)"' t |
	sed "s|$PWD|...|; s|${PWD#/}|...|"; return $st; }
check_out 'two files of one name are two sessions' "chat same words
chat of a
b/chat same words
b/chat of b" in_order mem-ingest a/chat.ndjson b/chat.ndjson
check_out 'each is known again, from anywhere' 0 n sh -c 'cd b &&
	mem-ingest chat.ndjson ../a/chat.ndjson "$PWD/chat.ndjson"'
echo '{"content":"more"}' >>b/chat.ndjson
check_out 'a file that grew goes on where it ended' 'b/chat more' in_order mem-ingest b
check_out 'three files of one name are three sessions' 'x/b/chat same words' \
	in_order mem-ingest -d mem.db x
check_out 'another ending is another file' 'a/chat same words' in_order mem-ingest a/chat.json
check_out 'three files read again give nothing' 0 n mem-ingest a b x
check_out 'with a session given they are one' 'one same words
one of a
one of b
one more' in_order mem-ingest -s one -d s.db a/chat.ndjson b/chat.ndjson x
mv a/chat.ndjson a/old.ndjson
mv a/old.ndjson x/chat.ndjson
check_out 'a file that was moved keeps its name' 0 n mem-ingest x
gzip b/chat.ndjson
check_out 'a file that was packed gives nothing again' 0 n mem-ingest b
printf '{"messages":[{"role":"user","content":"1"}]}\n' >a/log.jsonl
cp a/log.jsonl b/log.jsonl
check_out 'conversations without an id' 'log:1 1
b/log:1 1' in_order mem-ingest a/log.jsonl b/log.jsonl
printf '[{"role":"user","content":"A list."},{"role":"user","content":"No ids."}]\n' >list.json
cp list.json copy.json
check_out 'a list without ids is stored' 2 n mem-ingest list.json
check_out "a copy of it in the first one's session gives nothing" 0 n mem-ingest -s list copy.json
check_out 'a copy under its own name is another session' 'copy A list.
copy No ids.' in_order mem-ingest copy.json

# ---- files that grow ----

fresh
head -n 5 "$from/claude-code.jsonl" >g.jsonl
check_out 'a session begins with its first lines' 2 n mem-ingest g.jsonl
sed -n '6,7p' "$from/claude-code.jsonl" >>g.jsonl
check_out 'a session goes on with what came since' 2 n mem-ingest g.jsonl
check_out 'reading on, not again' 'ingested 2 messages, 1 session' sh -c \
	"sed -n 14p $from/claude-code.jsonl >>g.jsonl; sed -n 15p $from/claude-code.jsonl >>g.jsonl;
		mem-ingest -v g.jsonl 2>e >t; sed -n 's/^mem-ingest: //p' e"
sed -n 18p "$from/claude-code.jsonl" | head -c 60 >>g.jsonl
check_err 'half a line is told' 65 'g.jsonl:10: .*no newline' mem-ingest --rejects r g.jsonl
check_out 'it is no reject' '' cat r
sed -n 18p "$from/claude-code.jsonl" | tail -c +61 >>g.jsonl
check_out 'a line is read once it is whole' 1 n mem-ingest g.jsonl
sed -n 19p "$from/claude-code.jsonl" | head -c -1 >>g.jsonl
check_out 'a whole line without a newline is taken' 1 n mem-ingest g.jsonl
check_out 'a file without new lines gives nothing' 0 n mem-ingest g.jsonl
cp "$from/codex.jsonl" g.jsonl
check_out 'another file under its name is read whole' 6 n mem-ingest g.jsonl
head -n 2 "$from/codex.jsonl" >c.jsonl
mem-ingest -d c.db -q c.jsonl
sed -n '3,$p' "$from/codex.jsonl" >>c.jsonl
check 'a map goes on with its state' said "$from/codex.want" mem-ingest -d c.db c.jsonl
printf '{"id":"1","session":"m","content":"a"}\n' >m.ndjson
mem-ingest -q m.ndjson
printf '{"session":"m","content":"b"}\n' >>m.ndjson
check_out 'lines without ids are added' b short mem-ingest m.ndjson
printf '{"session":"m","content":"c"}\n' >>m.ndjson
check_out 'a line that was short is not read twice' c short mem-ingest m.ndjson
check_out 'other options, read again' 5 n mem-ingest -d c.db \
	--map 'if .type == "event_msg" then {content: .payload.type, session: "other"} else empty end' c.jsonl

# ---- directories ----

fresh
mkdir -p d/b/subagents d/a/tool-results d/.hidden
cp "$from/codex.jsonl" d/b/2.jsonl
gzip <"$from/claude-code.jsonl" >d/a/1.jsonl.gz
cp "$from/gemini.jsonl" d/b/subagents/x.jsonl
cp "$from/gemini.jsonl" d/.hidden/x.jsonl
echo 'no transcript' >d/a/notes.txt
ln -s ../.. d/a/loop
ln -s "$from/llm.json" d/a/llm.json
check_out 'a directory is walked in order' \
	'5f0c2d1e-0001-4000-8000-000000000001 0199a000-0000-7000-8000-00000000c0de' sh -c \
	"mem-ingest d >t; jq -r .session t | uniq | paste -sd ' ' -"
check_like 'what is passed over is counted' \
	'^mem-ingest: ingested 0 messages, 3 files passed over$' sh -c 'mem-ingest -v d 2>&1'
check_err 'of a format its files only' 65 'd: none of its 4 files is read' mem-ingest \
	-n --from=chatgpt d
check_out 'an unreadable format in it ends nothing' 14 n sh -c 'echo "{\"k" >d/a/0.json;
	mem-ingest -n -d none.db d 2>e; [ $? = 65 ] && grep -q d/a/0.json e'

# ---- maps ----

fresh
mkdir -p .config/mem/from
echo '{role: .who, content: .said}' >.config/mem/from/mine.jq
echo '{role: "user", content: "taken over"}' >.config/mem/from/text.jq
echo '# of a file
{role: .who, content: (.said | ascii_upcase)} # the end' >map.jq
cases <<'EOF'
mem-ingest -n --from=mine >t && jq -c '[.role, .content]' t
{"who":"bot","said":"hi"}
["assistant","hi"]

mem-ingest -n --from=text >t && jq -c .content t
{"a":1}
"taken over"

env -u XDG_CONFIG_HOME mem-ingest -n --from=text >t && jq -c .content t
{"a":1}
"taken over"

env XDG_CONFIG_HOME="$PWD/elsewhere" mem-ingest -n --from=text >t && jq -c .content t
{"a":1}
"{\"a\":1}"

mem-ingest -n --map map.jq >t && jq -c .content t
{"who":"bot","said":"hi"}
"HI"

mem-ingest -n --map '{content: "\($file.name) \($file.line) \($file.session)", n}' >t && jq -c '[.content, .n]' t
{"n":12345678901234567890}
["- 1 default","12345678901234567890"]

printf '{"h":"S"}\n{"t":"x"}\n{"t":"y"}\n' | mem-ingest -n --map 'if .h then {type: "state", s: .h} else {content: .t, session: $state.s} end' >t && jq -c '[.session, .content]' t
-
["S","x"]
["S","y"]

[65] mem-ingest -n --map 'error("not this one")' 2>&1
{}
mem-ingest: stdin:1: map: not this one

# what could not be read back
[65] printf '{"a":1}\n{"a":2}\n' | mem-ingest -n --map 'if .a == 1 then {content: "x\u0000y"} else {content: "good"} end' 2>&1 >t; st=$?; jq -r .content t; exit $st
-
mem-ingest: stdin:1: map: a result is a text with a NUL character in it
good

[65] mem-ingest -n --map '{content: "x", "k\u0000": 1}' 2>&1
{}
mem-ingest: stdin:1: map: a result is a text with a NUL character in it

[65] mem-ingest -n --map '{content: "x"}' 2>/dev/null
1],[2

# keys that are not there
[65] mem-ingest -n --map '{role: .speaker, content: .line}' 2>&1
{"who":"bot","said":"hi"}
mem-ingest: stdin: no record of the map has words in "content"

# what a map passes over it passes over
mem-ingest -n --map 'select(.said) | {content: .said}' 2>&1
{"who":"bot"}

# what a tool gave, in parts
mem-ingest -n | jq -c '[.role, .content]'
{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}]}
["tool","one\n\ntwo"]

[78] mem-ingest --map '.a |' 2>/dev/null
{}
EOF

# ---- streams ----

fresh
check_out 'a pipe that is silent is stored meanwhile' 'one two' sh -c \
	'. "$ROOT/tests/wait.sh"
	{ echo "{\"content\":\"one\"}"; wait_for "mem-list | grep -q ." && mem-list >l1; echo "{\"content\":\"two\"}"; } |
		mem-ingest -q; mem-list >l2; echo $(jq -r .content l1) $(jq -r .content l2 |
		tail -n 1)'
check_status 'a full disk on stdout is 74' 74 sh -c 'echo "{\"content\":\"f\"}" |
	mem-ingest -s full >/dev/full'
check_out "all of a full disk's input is stored later" f short mem-list -s full
check_out 'stdout closed early: all is stored' 3000 sh -c \
	'yes "{\"content\":\"c\"}" | head -n 3000 | mem-ingest -s closed | head -n 1 >/dev/null;
		mem-list -s closed | wc -l'
check_out '-q prints none of what is stored' '' mem-ingest -q "$from/llm.json"
check_like '-v counts what was ingested and what was known' \
	'^mem-ingest: ingested 0 messages, 2 duplicates$' sh -c "mem-ingest -v $from/llm.json 2>&1"
check_out 'a dry run makes no store' 'no' sh -c \
	"mem-ingest -q -n -d none.db $from/llm.json; [ -e none.db ] && echo yes || echo no"
# On a busy machine it may not have read the line after a tenth of a second, nor after ten.
check_out 'a signal: what was read is stored' '143 1' sh -c \
	'mkfifo f
	for wait_s in .1 1 10 100; do
		mem-ingest -q -s sig <f & exec 3>f; echo "{\"content\":\"z\"}" >&3
		sleep $wait_s; kill -TERM $!; wait $!; said="$? $(mem-list -s sig | wc -l)"
		[ "$said" = "143 1" ] && break
	done; echo $said'
check_out 'under nohup a hang-up ends nothing' '0 2' sh -c \
	'. "$ROOT/tests/wait.sh"
	rm -f f; mkfifo f; (trap "" HUP; exec mem-ingest -q -s hup) <f & exec 3>f;
		echo "{\"content\":\"z\"}" >&3; wait_for "mem-list -s hup | grep -q ."; kill -HUP $!
		echo "{\"content\":\"y\"}" >&3; exec 3>&-; wait $!
	echo $? $(mem-list -s hup | wc -l)'

check_out 'four writers at once: none is turned away' '0 0 0 0 12000' sh -c \
	'for k in 1 2 3 4; do (yes "{\"content\":\"some words to be found\"}" | head -n 3000 |
		mem-ingest -q --batch 100 -s w$k; echo $? >st$k) & done; wait
	echo $(cat st1 st2 st3 st4) $(for k in 1 2 3 4; do mem-list -s w$k; done | wc -l)'

# ---- sessions ----

fresh
printf '%s\n' '{"type":"session","session":"s","created":"2020-01-02T03:04:05Z"}' \
	'{"session":"s","role":"user","content":"x","created":"2021-01-01T00:00:00Z"}' |
	mem-ingest -q --from=ndjson
check_out 'created is when a session was, and when a message was' \
	'2020-01-02T03:04:05Z 2021-01-01T00:00:00Z' sh -c \
	'echo $(mem-list -j sessions | jq -r .created) $(mem-list -j | jq -r .time)'

# ---- chunks ----

fresh
printf '%s\n' '{"content":"words\n\n```c\nint x;\n```\n"}' | mem-ingest -q --no-chunks
check_like 'chunks made up for' 'cut 1 message' sh -c 'mem-ingest --backfill-chunks -v 2>&1'
check_like 'chunks that were made are not made again' 'cut 0 messages' \
	sh -c 'mem-ingest --backfill-chunks -v 2>&1'
check_out 'chunks that were filled in are there' 'prose code' \
	sh -c "mem-list chunks >t; jq -r .kind t | paste -sd ' ' -"
fresh
printf '%s\n' '{"content":"words\n\n```c\nint x;\n```\n"}' | MEM_CHUNKS=no mem-ingest -q
check_like 'chunks that the setting chunks left out are made up for with it, too' 'cut 1 message' \
	sh -c 'MEM_CHUNKS=no mem-ingest --backfill-chunks -v 2>&1'
check_err '--backfill-chunks reads no input of its own' 64 . \
	mem-ingest --backfill-chunks "$from/llm.json"

# memory grows with the distinct words of one message, and not with those of many
cat >distinct.pl <<'EOF'
srand 4;
binmode STDOUT, ':utf8';
for (1 .. $ARGV[0]) {
	my $text = join '', map { chr(0x4e00 + int rand 20_000) } 1 .. $ARGV[1];
	print qq({"session":"s","role":"user","content":"$text"}\n);
}
EOF
peak_below() {
	"$B"/tests/torture/peak kb mem-ingest -q -d many.db - || return 1
	grep -q __asan_init "$B/mem-ingest" || [ "$(cat kb)" -lt "$1" ]
}
perl distinct.pl 1 1_400_000 >large.jsonl
check 'a message of 4 MB that has a million distinct terms takes less than 280 MB' \
	peak_below 280000 <large.jsonl
perl distinct.pl 2000 1000 >small.jsonl
check 'messages of 3 KB that have as many together take less than 80 MB' \
	peak_below 80000 <small.jsonl
# Nor does it grow where the disk is slower than who reads, and loads wait.
if [ -z "${MEM_TEST_WRAP-}" ] && ! grep -q fsanitize "$B/flags"; then
	peak_slow() {
		head -n 900 small.jsonl | env MEM_BATCH=150 FAULT_MODE=slow FAULT_PATH=slow.db \
			"$B/tests/torture/peak" kb env LD_PRELOAD="$B/tests/torture/fault.so" \
			mem-ingest -q -d slow.db - && [ "$(cat kb)" -lt "$1" ]
	}
	check 'a slow disk takes no more memory' peak_slow 63000
else
	skip 'nor does a slow disk make it more' 'no fault.so that could be loaded here'
fi
check_out 'whose lists are their words' ok sh -c 'mem-check --deep -d many.db |
	jq -r "select(.name == \"full text\") | .level"'

# ---- what is taken out by choice ----

fresh
jq -nc '{session: "p", role: "user", content: "Write to ann.b+x@mail.example.org, or call +49 30 1234567 or (030) 123-4567 or 555-123-4567. Fax: 030/12 34 56 78, card 4111 1111 1111 1111."}' >reach
cat >other <<'E'
{"session":"q","role":"user","content":"On 2024-05-06 10:11:12 192.168.100.200 git@github.com:x/y.git 1234567890123 id 550e8400-e29b-41d4-a716-446655440000 100 200 300 400 3 + 12345678 @decorator a@b 2024-05-06 2024-05-07 0001 0002 0003"}
E
check 'addresses and numbers stay' sh -c 'mem-ingest -q -d a.db reach'
check_like 'mail and phone stay without the setting redact' \
	'ann.b.x@mail.example.org, or call .49 30 1234567' mem-list -j -d a.db
check 'they go where that is wanted' env MEM_REDACT=secrets,mail,phone mem-ingest -q reach other
check_out 'redact takes mail and phone and no more' \
	'Write to [REDACTED:mail], or call [REDACTED:phone] or [REDACTED:phone] or [REDACTED:phone]. Fax: [REDACTED:phone], card [REDACTED:card-number].' \
	sh -c 'mem-list -j -s p | jq -r .content'
check_out 'what only looks so stays' "$(jq -r .content other)" sh -c \
	'mem-list -j -s q | jq -r .content'
jq -nc '{command: "to\nann@example.org\n+49301234567"} | {session: "t", role: "assistant",
	tool_calls: [{id: "1", function: {name: "Bash", arguments: .}},
		{id: "2", function: {name: "Bash", arguments: tojson}}]}' |
	MEM_REDACT=mail,phone mem-ingest -q -
check_out 'in calls, too, which are still JSON' 'to
[REDACTED:mail]
[REDACTED:phone]
to
[REDACTED:mail]
[REDACTED:phone]' sh -c 'mem-list -j -s t | jq -r ".tool_calls[].function.arguments |
	if type == \"string\" then fromjson else . end | .command"'
dates='On 05/06/2024 (1234 of them), 05-06-2024 1430 h, (100 200 300), 0 100 200 300.'
jq -nc --arg d "$dates" '{session: "u", role: "user", content: "\($d) tel:+14155552671"}' |
	MEM_REDACT=phone mem-ingest -q -
check_out 'dates and rows of numbers are none' "$dates tel:[REDACTED:phone]" \
	sh -c 'mem-list -j -s u | jq -r .content'
check_out 'in what is remembered, too' 'Bob has [REDACTED:phone]' sh -c \
	'MEM_REDACT="mail, phone" mem-remember -q --fact "Bob has +1 415 555 2671"
	mem-list facts -j | jq -r .content'
check_out 'a command may be run behind what was stored, for the same memory' "$PWD/then.db tom 1" \
	sh -c '. "$ROOT/tests/wait.sh"
	export MEM_HOOK_THEN="echo \$MEM_DB \$MEM_USER \$(mem-list messages | wc -l) >then.new
		mv then.new then"
	echo "{\"content\":\"kept\"}" | mem-ingest -q -d "$PWD/then.db" -u tom
	wait_for [ -e then ]
	cat then'
check_out 'what a command behind stores runs it no second time' 'once' \
	sh -c '. "$ROOT/tests/wait.sh"
	export MEM_HOOK_THEN="echo once >>ran; wc -l <ran | sed \"s/.*/{\\\"content\\\":\\\"&\\\"}/\" |
		mem-ingest -q; touch over"
	echo "{\"content\":\"first\"}" | mem-ingest -q -d "$PWD/loop.db"
	wait_for [ -e over ]
	sleep 0.3
	head -n 3 ran'
check 'nothing is run behind a dry run' sh -c 'rm then
	echo "{\"content\":\"more\"}" | MEM_HOOK_THEN="touch then" mem-ingest -q -n -d then.db
	sleep 0.2
	[ ! -e then ]'
check_err 'another word is none' 78 "must be one of secrets mail phone card" \
	env MEM_REDACT=mial mem-list
done_testing
