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
check 'two sessions' mem-ingest -q zzfile.ndjson yyfile.ndjson
check 'searched for' mem-search zzcontent yycontent
check_out 'all of it is there' '' there $old $new zzfile yyfile
check_out 'the old one goes' zzsession sh -c 'mem-prune -f --sessions | jq -r .session'
check_out 'and no word of it is in the files' '' left $old
check_out 'what stays is whole' '' there $new
check 'the store is in order' mem-check --deep -q
check_out 'the file was another name than the session, and goes with the last session' '' sh -c \
	'MEM_NOW=2025-01-01T00:00:00Z mem-prune -qf --sessions;
		! grep -ai -e zzfile -e yyfile mem.db*'
check_out 'nothing is left of either' '' left $new
check_out 'but for who the user is, what was searched, and marks without words' \
	'change meta metric peer tombstone user' sh -c \
	'for t in $(sqlite3 mem.db "SELECT name FROM sqlite_schema WHERE type = '"'table'"' AND name NOT LIKE '"'sqlite%'"' ORDER BY 1"); do
	[ "$(sqlite3 mem.db "SELECT count(*) FROM $t")" = 0 ] || echo $t; done | paste -sd " "'
check_out 'and none comes back' '' mem-ingest zzfile.ndjson yyfile.ndjson

# ---- what was made of a session ----

fresh
for i in 1 2 3 4 5 6 7 8; do
	echo "{\"session\":\"old\",\"id\":\"o$i\",\"role\":\"user\",\"time\":\"2023-01-01T00:0$i:00Z\",\"content\":\"The zzboiler number $i of the house was bought for 4$i euros in the town of Zzville.\"}"
done >made.ndjson
echo '{"session":"new","id":"n1","role":"user","time":"2024-05-19T00:00:00Z","content":"The yyroof is red."}' >>made.ndjson
mem-ingest -q --from=ndjson made.ndjson
check_like 'a summary of the old one' '"summary"' sh -c 'mem-summarize --messages 2 -s old'
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
check_out 'four facts' 4 sh -c 'mem-list facts | wc -l'
jq -c '{type: "fact", content: "Zzsum of what is known", key: "five", sources: [{id: .id}]}' \
	stored | head -n 1 | mem-remember -q
check_out 'and one that rests on another' 5 sh -c 'mem-list facts | wc -l'
cp mem.db before.db
check_out 'a dry run names them' '3 true' sh -c 'mem-prune --sessions |
	jq -s "[.[] | select(.id)] | \"\(length) \(all(.dry))\"" -r'
check_out 'and does nothing' '' sh -c 'mem-list facts >a; mem-list facts -d before.db | cmp - a'
check_out 'they go with it' '["old",3]' sh -c 'mem-prune -f --sessions |
	jq -sc "[(.[].session | values), ([.[] | select(.id)] | length)]"'
check_out 'what rests on another session, and what is protected, stays' \
	'Never turn off yyheating;The yyhouse has a roof;The yyroof is red' sh -c \
	'mem-list facts | jq -r .content | sort | paste -sd ";" -'
check_out 'no summary' 0 sh -c 'mem-list summaries | wc -l'
check_out 'and no word of them is in the files' '' left zzboiler zzville zzsum
check 'the store is in order' mem-check --deep -q
check_out 'again: nothing' '' mem-prune -f --sessions

# ---- a session that has its name from its file ----

fresh
mkdir -p zzdir other
echo '{"role":"user","content":"first","time":"2023-01-01T00:00:00Z"}' >zzdir/zzchat.ndjson
echo '{"role":"user","content":"second","time":"2024-05-19T00:00:00Z"}' >other/zzchat.ndjson
check 'two files of one name' mem-ingest -q zzdir/zzchat.ndjson other/zzchat.ndjson
check_out 'by names of their own' 'zzchat other/zzchat' sh -c 'mem-list sessions | jq -r .id |
	paste -sd " "'
check 'the first goes' mem-prune -qf --sessions
check_out 'with its directory' '' left zzdir
check_out 'the name stays, for the other has it' '' there other/zzchat
check_out 'read again, it goes by its name still, so that nothing comes back' '' mem-ingest \
	zzdir/zzchat.ndjson
check_out 'nor from another place' '' sh -c 'mv zzdir moved; mem-ingest moved/zzchat.ndjson'
check_out 'what is added to it is stored under that name' 'zzchat third' sh -c \
	'echo "{\"role\":\"user\",\"content\":\"third\",\"time\":\"2024-05-19T00:00:00Z\"}" >>moved/zzchat.ndjson; mem-ingest moved/zzchat.ndjson | jq -r "\"\(.session) \(.content)\""'
check_out 'another file of the name has another' 'third/zzchat' sh -c 'mkdir third;
	echo "{\"role\":\"user\",\"content\":\"x\"}" >third/zzchat.ndjson;
	mem-ingest third/zzchat.ndjson | jq -r .session'
check 'the store is in order' mem-check --deep -q

# a file of several sessions keeps its name while one of them is there
fresh
for d in 2023-01-01 2024-05-19; do
	echo "{\"session\":\"zzlog:$d\",\"role\":\"user\",\"content\":\"on $d\",\"time\":\"$d\"}"; done >zzlog.ndjson
check 'two parts' mem-ingest -q --from=ndjson zzlog.ndjson
check_out 'the name is the file'"'"'s' 1 sqlite3 mem.db \
	"SELECT count(*) FROM input WHERE path = 'session:zzlog'"
check 'one goes' mem-prune -qf --sessions
check_out 'the name stays' 1 sqlite3 mem.db \
	"SELECT count(*) FROM input WHERE path = 'session:zzlog'"
check 'the other goes' env MEM_NOW=2025-01-01T00:00:00Z mem-prune -qf --sessions
check_out 'and the name' '' left zzlog

# what a format's reader holds back between lines is words, too
fresh
mkdir zzdir
printf '%s\n' '{"timestamp":"2023-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"0b0b0b0b-0000-4000-8000-000000000001","timestamp":"2023-01-01T00:00:00.000Z","cwd":"/zzcwd","originator":"codex_cli_rs","cli_version":"0.1"}}' \
	'{"timestamp":"2023-01-01T00:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"zzquestion"}]}}' \
	'{"timestamp":"2023-01-01T00:00:02.000Z","type":"event_msg","payload":{"type":"user_message","message":"zzheld"}}' >zzdir/rollout-2023-01-01T00-00-00-0b0b0b0b-0000-4000-8000-000000000001.jsonl
check 'an agent'"'"'s log' mem-ingest -q zzdir
check 'goes' mem-prune -qf --sessions
check_out 'whole' '' left zz

# ---- facts: what they were before, and what they were called ----

fresh
check 'what they rest on' mem-remember -q 'said by the way'
note=$(mem-list reflections -j | jq -r .id)
fact() { jq -cn --arg p "$1" --arg note "$note" \
	'{type: "fact", content: "likes \($p)content", key: "\($p)key", subcategory: "\($p)sub", source_id: "\($p)source", agent: "\($p)agent", project: "\($p)project",
	session: "\($p)session", tags: ["\($p)tag"], extra: "\($p)extra", sources: [$note]}'; }
facts='zzcontent zzkey zzsub zzsource zzagent zzproject zzsession zztag zzextra zzbefore'
check 'two facts' sh -c '{ fact() { jq -cn "$@"; }; cat; } | mem-remember -q' <<E
$(fact zz)
$(fact yy)
E
id=$(mem-list facts -j | jq -r 'select(.key == "zzkey") | .id')
check 'edited, so that it has a history' sh -c 'mem-edit -q --content "hates zzbefore" "$1" &&
	mem-edit -q --content "likes zzcontent" "$1"' sh "$id"
check_out 'all of it is there' '' there $facts yycontent
check_out 'one goes' "$id" sh -c 'mem-prune -f --max 1 | jq -r .id'
check_out 'and no word of it is in the files' '' left $facts
check_out 'nor what it rested on' 1 sqlite3 mem.db \
	'SELECT (SELECT count(*) FROM record_source) + (SELECT count(*) FROM record_source_was)'
check_out 'what stays is whole' '' there yycontent yykey yysub yysource yyagent yyproject \
	yysession yytag yyextra
check 'the store is in order' mem-check --deep -q

# ---- what stays, as the pages say ----

fresh
talk zz 2023-01-01T00:00:00Z | mem-ingest -q --from=ndjson -u zzuser
check 'all of a user goes' mem-prune -qf --sessions -u zzuser
check_out 'but for the name' 'zzuser' left zzuser $old
check 'a fact that is taken back' sh -c 'mem-remember -q --fact "zzundone is so" &&
	mem-edit -q --undo && mem-prune -qf --max 0'
check_out 'is in the file still' zzundone left zzundone

# ---- a name that something else bears stays ----

fresh
check 'an agent that said something, and knew something' sh -c \
	'echo "{\"role\":\"user\",\"content\":\"x\",\"name\":\"zzann\",\"agent\":\"zzbot\",\"project\":\"zzhouse\"}" | mem-ingest -q
	echo "{\"type\":\"fact\",\"content\":\"y\",\"agent\":\"zzbot\",\"project\":\"zzhouse\"}" |
	mem-remember -q'
check 'the fact goes' mem-prune -qf --max 0
check_out 'it is the agent who said it still' 'zzann zzbot zzhouse' sh -c 'mem-list |
	jq -r "\"\(.name) \(.agent) \(.project)\""'
check 'the store is in order' mem-check --deep -q

# ---- a profile ----

fresh
check 'a profile' mem-profile set notes 'zznotes of mine'
check 'and another' mem-profile set goals 'zzgoals'
check_out 'is there' '' there zznotes zzgoals
check 'changed' mem-profile set goals 'others'
check_out 'what it was is not' '' left zzgoals
check 'a field that is emptied' mem-profile set notes ''
check_out 'is not, either' '' left zznotes
check 'set again' mem-profile set notes zznotes
check 'revoked' mem-profile revoke
check_out 'nothing of it' '' left zznotes others

# ---- where somebody still reads what was there ----

fresh
talk zz 2023-01-01T00:00:00Z | mem-ingest -q --from=ndjson
talk yy 2024-05-19T00:00:00Z | mem-ingest -q --from=ndjson
{ echo 'BEGIN; SELECT count(*) FROM message;'; while [ ! -e done ]; do sleep .1; done; } |
	sqlite3 mem.db >reads &
wait_for [ -s reads ]
check_err 'it is told, and is 75' 75 'its bytes are in the file' env MEM_WAIT=.3 mem-prune \
	-f --sessions
check_out 'it has gone all the same' yysession sh -c 'mem-list sessions | jq -r .id'
: >done
wait $!
check 'once more' mem-prune -f --sessions
check_out 'and the words are gone' '' left $old
done_testing
