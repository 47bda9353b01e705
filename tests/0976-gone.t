#!/bin/sh
# What was told to go leaves no word of it in the files of the store: each place where one could
# stay has a canary of its own, beside the like that stay.
. "${0%/*}/lib.sh"
unset MEM_SEED
need() { command -v "$1" >/dev/null || skip_all "needs $1"; }
need sqlite3

# left WORD...: which of the words stand in the store's files, in any of them
left() { for w in "$@"; do ! grep -aqiF -e "$w" mem.db* || echo "$w"; done; }
# there WORD...: nothing when all of them do
there() { for w in "$@"; do grep -aqiF -e "$w" mem.db* || echo "$w"; done; }

# ---- a session that is old, beside one that is new ----

old='zzsession zztitle zzprompt zzmeta zzcontent zzcode zzlanguage zzspeaker zzagent zzproject zztool zzcallid zzextra zzsource zzunique'
new='yysession yytitle yyprompt yymeta yycontent yycode yylanguage yyspeaker yyagent yyproject yytool yycallid yyextra yysource yyunique'
talk() {
	jq -cn --arg p "$1" --arg t "$2" \
		'{type: "session", session: "\($p)session", title: "about \($p)title", system_prompt: "be \($p)prompt", metadata: {a: "\($p)meta"}},
	{session: "\($p)session", id: "\($p)source", role: "user", name: "\($p)speaker", agent: "\($p)agent", project: "\($p)project", time: $t,
	 content: "some \($p)content here\n\n```\($p)language\nint \($p)code;\n```\n\nand more, getUser\($p)Unique", extra: "\($p)extra"},
	{session: "\($p)session", role: "assistant", time: $t, content: "done", tool_calls: [{id: "\($p)callid", type: "function", function: {name: "\($p)tool", arguments: "{}"}}]},
	{session: "\($p)session", role: "tool", time: $t, content: "the \($p)content", tool_call_id: "\($p)callid"}'
}
talk zz 2023-01-01T00:00:00Z >zzfile.ndjson
talk yy 2024-05-19T00:00:00Z >yyfile.ndjson
check 'an old session and a new one are stored' mem-ingest -q zzfile.ndjson yyfile.ndjson
check 'both sessions are found by a search' mem-search zzcontent yycontent
check_out 'every canary of both sessions is in the files' '' there $old $new zzfile yyfile
check_out 'a session that is old is pruned' zzsession \
	sh -c 'mem-prune -f --sessions | jq -r .session'
check_out 'no word of the old session is in the files' '' left $old
check_out 'every canary of the new session is still there' '' there $new
check 'the store is in order after the old session went' mem-check --deep -q
check_out 'the name of the file goes with its last session' '' sh -c \
	'MEM_NOW=2025-01-01T00:00:00Z mem-prune -qf --sessions;
		! grep -ai -e zzfile -e yyfile mem.db*'
check_out 'no word of either session is left' '' left $new
check_out 'only the user, searches and marks without words are left' \
	'change meta metric peer tombstone user' sh -c \
	'for t in $(sqlite3 mem.db "SELECT name FROM sqlite_schema WHERE type = '"'table'"' AND name NOT LIKE '"'sqlite%'"' ORDER BY 1"); do
	[ "$(sqlite3 mem.db "SELECT count(*) FROM $t")" = 0 ] || echo $t; done | paste -sd " "'
check_out 'neither session comes back from its file' '' mem-ingest zzfile.ndjson yyfile.ndjson

# ---- what was made of a session ----

fresh
for i in 1 2 3 4 5 6 7 8; do
	echo "{\"session\":\"old\",\"id\":\"o$i\",\"role\":\"user\",\"time\":\"2023-01-01T00:0$i:00Z\",\"content\":\"The zzboiler number $i of the house was bought for 4$i euros in the town of Zzville.\"}"
done >made.ndjson
echo '{"session":"new","id":"n1","role":"user","time":"2024-05-19T00:00:00Z","content":"The yyroof is red."}' >>made.ndjson
mem-ingest -q --from=ndjson made.ndjson
check_like 'the old session has a summary' '"summary"' sh -c 'mem-summarize --messages 2 -s old'
id() { mem-show "source:$1" | jq -r .id; }
from() { # content, key, protected, id ...
	jq -cn --arg c "$1" --arg k "$2" --argjson p "$3" \
		'{type: "fact", content: $c, key: $k, protected: $p, sources: [$ARGS.positional[] |
			{id: .}]}' \
		--args $(shift 3; for m; do id $m; done)
}
{ from 'The user bought a zzboiler' one false o1; from 'The yyroof is red' two false n1;
	from 'The yyhouse has a roof' three false o1 n1; from 'Never turn off yyheating' four true \
	o2
} | mem-remember >stored
check_out 'four facts rest on turns or are protected' 4 sh -c 'mem-list facts | wc -l'
jq -c '{type: "fact", content: "Zzsum of what is known", key: "five", sources: [{id: .id}]}' \
	stored | head -n 1 | mem-remember -q
check_out 'a fifth fact rests on another fact' 5 sh -c 'mem-list facts | wc -l'
cp mem.db before.db
check_out 'a dry run names the facts that would go' '3 true' sh -c 'mem-prune --sessions |
	jq -s "[.[] | select(.id)] | \"\(length) \(all(.dry))\"" -r'
check_out 'a dry run changes no fact' '' \
	sh -c 'mem-list facts >a; mem-list facts -d before.db | cmp - a'
check_out 'facts go with the session they rest on' '["old",3]' sh -c 'mem-prune -f --sessions |
	jq -sc "[(.[].session | values), ([.[] | select(.id)] | length)]"'
check_out 'what rests on another session, and what is protected, stays' \
	'Never turn off yyheating;The yyhouse has a roof;The yyroof is red' sh -c \
	'mem-list facts | jq -r .content | sort | paste -sd ";" -'
check_out 'the summary goes with its session' 0 sh -c 'mem-list summaries | wc -l'
check_out 'no word of the facts and the summary is in the files' '' left zzboiler zzville zzsum
check 'the store is in order after facts went with their session' mem-check --deep -q
check_out 'a second prune finds no old session' '' mem-prune -f --sessions

# ---- a session that has its name from its file ----

fresh
mkdir -p zzdir other
echo '{"role":"user","content":"first","time":"2023-01-01T00:00:00Z"}' >zzdir/zzchat.ndjson
echo '{"role":"user","content":"second","time":"2024-05-19T00:00:00Z"}' >other/zzchat.ndjson
check 'two files of one name are stored' mem-ingest -q zzdir/zzchat.ndjson other/zzchat.ndjson
check_out 'two files of one name make sessions of two names' 'zzchat other/zzchat' \
	sh -c 'mem-list sessions | jq -r .id |
	paste -sd " "'
check 'the session of the first file is pruned' mem-prune -qf --sessions
check_out 'the directory of a pruned file is in no file' '' left zzdir
check_out 'the name stays while another file has it' '' there other/zzchat
check_out 'a pruned session does not come back by its name' '' mem-ingest \
	zzdir/zzchat.ndjson
check_out 'a pruned session does not come back from another place' '' \
	sh -c 'mv zzdir moved; mem-ingest moved/zzchat.ndjson'
check_out 'what is added to a pruned file is stored under its name' 'zzchat third' sh -c \
	'echo "{\"role\":\"user\",\"content\":\"third\",\"time\":\"2024-05-19T00:00:00Z\"}" >>moved/zzchat.ndjson; mem-ingest moved/zzchat.ndjson | jq -r "\"\(.session) \(.content)\""'
check_out 'a third file of the name makes a session of its own' 'third/zzchat' sh -c 'mkdir third;
	echo "{\"role\":\"user\",\"content\":\"x\"}" >third/zzchat.ndjson;
	mem-ingest third/zzchat.ndjson | jq -r .session'
check 'the store is in order with files of one name' mem-check --deep -q

# a file of several sessions keeps its name while one of them is there
fresh
for d in 2023-01-01 2024-05-19; do
	echo "{\"session\":\"zzlog:$d\",\"role\":\"user\",\"content\":\"on $d\",\"time\":\"$d\"}"; done >zzlog.ndjson
check 'one file gives two sessions' mem-ingest -q --from=ndjson zzlog.ndjson
check_out 'the name of a file with two sessions is kept'"'"'s' 1 sqlite3 mem.db \
	"SELECT count(*) FROM input WHERE path = 'session:zzlog'"
check 'one of two sessions of a file is pruned' mem-prune -qf --sessions
check_out 'the name of a file stays with its other session' 1 sqlite3 mem.db \
	"SELECT count(*) FROM input WHERE path = 'session:zzlog'"
check 'the other session of the file is pruned' \
	env MEM_NOW=2025-01-01T00:00:00Z mem-prune -qf --sessions
check_out 'the name of a file goes with its last session of two' '' left zzlog

# what a format's reader holds back between lines is words, too
fresh
mkdir zzdir
printf '%s\n' '{"timestamp":"2023-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"0b0b0b0b-0000-4000-8000-000000000001","timestamp":"2023-01-01T00:00:00.000Z","cwd":"/zzcwd","originator":"codex_cli_rs","cli_version":"0.1"}}' \
	'{"timestamp":"2023-01-01T00:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"zzquestion"}]}}' \
	'{"timestamp":"2023-01-01T00:00:02.000Z","type":"event_msg","payload":{"type":"user_message","message":"zzheld"}}' >zzdir/rollout-2023-01-01T00-00-00-0b0b0b0b-0000-4000-8000-000000000001.jsonl
check 'the log of an agent is stored with what its reader holds'"'"'s log' mem-ingest -q zzdir
check 'the session of the agent is pruned' mem-prune -qf --sessions
check_out 'no word that the reader of a log held is left' '' left zz

# ---- facts: what they were before, and what they were called ----

fresh
check 'a note is stored for facts to rest on' mem-remember -q 'said by the way'
note=$(mem-list reflections -j | jq -r .id)
fact() { jq -cn --arg p "$1" --arg note "$note" \
	'{type: "fact", content: "likes \($p)content", key: "\($p)key", subcategory: "\($p)sub", source_id: "\($p)source", agent: "\($p)agent", project: "\($p)project",
	session: "\($p)session", tags: ["\($p)tag"], extra: "\($p)extra", sources: [$note]}'; }
facts='zzcontent zzkey zzsub zzsource zzagent zzproject zzsession zztag zzextra zzbefore'
check 'two facts with every field are stored' \
	sh -c '{ fact() { jq -cn "$@"; }; cat; } | mem-remember -q' <<E
$(fact zz)
$(fact yy)
E
id=$(mem-list facts -j | jq -r 'select(.key == "zzkey") | .id')
check 'a fact is edited, so that it has a history' \
	sh -c 'mem-edit -q --content "hates zzbefore" "$1" &&
	mem-edit -q --content "likes zzcontent" "$1"' sh "$id"
check_out 'every canary of both facts is in the files' '' there $facts yycontent
check_out 'one of two facts is pruned' "$id" sh -c 'mem-prune -f --max 1 | jq -r .id'
check_out 'no word of the pruned fact is in the files' '' left $facts
check_out 'what the pruned fact rested on is noted nowhere' 1 sqlite3 mem.db \
	'SELECT (SELECT count(*) FROM record_source) + (SELECT count(*) FROM record_source_was)'
check_out 'every canary of the other fact is still there' '' \
	there yycontent yykey yysub yysource yyagent yyproject yysession yytag yyextra
check 'the store is in order after a fact was pruned' mem-check --deep -q

# ---- what stays, as the pages say ----

fresh
talk zz 2023-01-01T00:00:00Z | mem-ingest -q --from=ndjson -u zzuser
check 'every session of a user is pruned' mem-prune -qf --sessions -u zzuser
check_out 'only the name of a user stays' 'zzuser' left zzuser $old
check 'a fact that is taken back is not pruned' sh -c 'mem-remember -q --fact "zzundone is so" &&
	mem-edit -q --undo && mem-prune -qf --max 0'
check_out 'a fact that is taken back is in the file still' zzundone left zzundone

# ---- a name that something else bears stays ----

fresh
check 'an agent said something, and knew something' sh -c \
	'echo "{\"role\":\"user\",\"content\":\"x\",\"name\":\"zzann\",\"agent\":\"zzbot\",\"project\":\"zzhouse\"}" | mem-ingest -q
	echo "{\"type\":\"fact\",\"content\":\"y\",\"agent\":\"zzbot\",\"project\":\"zzhouse\"}" |
	mem-remember -q'
check 'the fact of an agent is pruned' mem-prune -qf --max 0
check_out 'the name of an agent stays with what it said' 'zzann zzbot zzhouse' sh -c 'mem-list |
	jq -r "\"\(.name) \(.agent) \(.project)\""'
check 'the store is in order after the fact of an agent went' mem-check --deep -q

# ---- a profile ----

fresh
check 'a field of a profile is set' mem-profile set notes 'zznotes of mine'
check 'a second field of a profile is set' mem-profile set goals 'zzgoals'
check_out 'both fields of the profile are in the files' '' there zznotes zzgoals
check 'a field of the profile is set to another value' mem-profile set goals 'others'
check_out 'no word of the value before is in the files' '' left zzgoals
check 'a field of the profile is emptied' mem-profile set notes ''
check_out 'no word of an emptied field is in the files' '' left zznotes
check 'an emptied field of the profile is set again' mem-profile set notes zznotes
check 'a profile that was set again is revoked' mem-profile revoke
check_out 'no word of a revoked profile is in the files' '' left zznotes others

# ---- where somebody still reads what was there ----

fresh
talk zz 2023-01-01T00:00:00Z | mem-ingest -q --from=ndjson
talk yy 2024-05-19T00:00:00Z | mem-ingest -q --from=ndjson
{ echo 'BEGIN; SELECT count(*) FROM message;'; while [ ! -e done ]; do sleep .1; done; } |
	sqlite3 mem.db >reads &
wait_for [ -s reads ]
check_err 'a prune says that somebody still reads its bytes' 75 'its bytes are in the file' \
	env MEM_WAIT=.3 mem-prune -f --sessions
check_out 'a session goes even if somebody reads its bytes' yysession \
	sh -c 'mem-list sessions | jq -r .id'
: >done
wait $!
check 'a second prune goes through when nobody reads' mem-prune -f --sessions
check_out 'no word is in the files when nobody reads them' '' left $old
# ---- what comes again as a copy ----

fresh
words() {
	mem-list -j messages | jq -rs 'map(.content) | join(" ") | select(. != "")'
}
forget() {
	mem-forget -qf --verify "$(mem-list -j messages |
		jq -r "select(.content == \"$1\").id")"
}
claude() { # SESSION N: a file of Claude Code; one that was resumed repeats the turns
	jq -nc --arg s "$1-0000-4000-8000-000000000000" --argjson n "$2" 'range($n) | {type: "user",
		sessionId: $s, cwd: "/yard", uuid: "aaaaaaaa-0000-4000-8000-00000000000\(.)",
		timestamp: "2024-05-01T10:0\(.):00Z",
		message: {role: "user", content: "turn \(.)"}}' >"$1.jsonl"
}
claude 11111111 3
claude 22222222 4
mem-ingest -q 11111111.jsonl && forget 'turn 0'
check_like 'a resumed session brings no turn back that was forgotten' \
	'1 message, 2 duplicates, 1 that was forgotten' sh -c 'mem-ingest -v 22222222.jsonl 2>&1'
check_out 'a resumed session doubles no turn' 'turn 1 turn 2 turn 3' words
fresh
claude 11111111 3
claude 22222222 4
mem-ingest -q 11111111.jsonl && mem-forget -qf -s 11111111-0000-4000-8000-000000000000
check_like 'a dry run knows them' '1 message, 3 duplicates' \
	sh -c 'mem-ingest -nv 22222222.jsonl 2>&1'
mem-ingest -q 22222222.jsonl
check_out 'a resumed session brings back none that was forgotten whole' 'turn 3' words
check 'what was allowed returns' mem-ingest -q --allow 22222222.jsonl
check_out 'in the copy, too' 4 sh -c 'mem-list messages | wc -l'

chat() { # N: a chat of a phone
	for i in $(seq "$1"); do echo "0$i.08.2023, 18:02 - Ana: plan $i"; done
}
for kind in whole first grown; do
	fresh
	chat 3 >'Chat with Bob.txt'
	chat 3 >'Chat with Bob (1).txt'
	[ $kind = grown ] && chat 4 >'Chat with Bob (1).txt'
	mem-ingest -q 'Chat with Bob.txt'
	if [ $kind = first ]; then forget 'plan 1'; else mem-forget -qf -s 'Chat with Bob'; fi
	mem-ingest -q 'Chat with Bob (1).txt'
	case $kind in whole) want='' ;; first) want='plan 2 plan 3' ;; grown) want='plan 4' ;; esac
	check_out "an export under another name brings nothing back: $kind" "$want" words
done
chat 5 >'Chat with Bob (1).txt'
mem-ingest -q 'Chat with Bob (1).txt'
check_out 'a grown export under another name brings nothing back' 'plan 4 plan 5' words
fresh
printf 'User: plan a?\n\nAssistant: yes.\n\nUser: good\n' | tee a.txt b.txt >c.txt
printf '\nAssistant: more of it\n' >>c.txt
printf 'User: plan a?\n\nAssistant: no.\n\nUser: then not\n' >d.txt
mem-ingest -q a.txt && mem-forget -qf -s a && mem-ingest -q b.txt c.txt
check_out 'a copy of a dialog without times brings nothing back' 'more of it' words
mem-ingest -q d.txt
check_out 'another one that begins alike is none of it' 'more of it plan a? no. then not' words

done_testing
