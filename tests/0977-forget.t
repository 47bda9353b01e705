#!/bin/sh
# mem-forget: messages, sessions, facts and users go for good, with what was made of them, and the
# proof that they are gone finds each word that is left.
. "${0%/*}/lib.sh"
command -v sqlite3 >/dev/null 2>&1 || skip_all 'no sqlite3'

left() { for w in "$@"; do ! grep -aqiF -e "$w" mem.db* || echo "$w"; done; }
contents() { mem-list messages -j >all && jq -r .content all; }
id() { mem-show "source:$1" >shown && jq -r .id shown; }
say() { # SESSION ID NAME TIME CONTENT [KEYS]
	jq -cn --arg s "$1" --arg i "$2" --arg n "$3" --arg t "$4" --arg c "$5" \
		--argjson k "${6-{\}}" '{session: $s, id: $i, role: "user", name: $n, time: $t, content: $c} + $k'
}
fill() {
	{
		jq -cn '{type: "session", session: "house", title: "The zzboiler and the roof"}'
		say house m1 Nora 2024-05-01T10:00:00Z \
			'The zzboiler stands in Kastanienallee 99887766.'
		say house m2 Tom 2024-05-01T10:01:00Z 'The roof is red.'
		say house m3 Nora 2024-05-01T10:02:00Z 'Quinces and yylemons grow there.' \
			'{"extra": "zzextra"}'
		jq -cn '{type: "session", session: "car", title: "zzgarage"}'
		say car m4 Zzoltan 2024-05-02T10:00:00Z 'My zzengine needs oil.' \
			'{"project": "zzproject"}'
		say boat m5 Tom 2024-05-03T10:00:00Z 'The boat has yylemons on board.'
	} >all.ndjson
	mem-ingest -q all.ndjson || return
	{
		jq -cn --arg i "$(id m1)" '{type: "fact", content: "Nora has a zzboilerfact",
			key: "zzkey", tags: ["zztag"], sources: [{id: $i}]}'
		jq -cn --arg i "$(id m1)" --arg k "$(id m2)" '{type: "fact",
			content: "The house has a yyroof", key: "two",
			sources: [{id: $i}, {id: $k}]}'
	} | mem-remember -q
}

# ---- messages ----

fresh
check 'a memory of two people is filled' fill
check 'another user has what the first one has' mem-ingest -q -u other all.ndjson
check_out 'without -f it says what would go' 'the message true
rests on what goes true' sh -c 'mem-forget source:m1 >v && jq -r "\"\(.why) \(.dry)\"" v'
check_out 'without -f nothing has gone' 5 sh -c 'mem-list messages >all && wc -l <all'
check_like 'a message goes, and it is proved' 'verified: of [1-9][0-9]* words' sh -c \
	'mem-forget -fv --verify source:m1 2>&1'
check_out 'messages that were not chosen stay' 'The roof is red.
Quinces and yylemons grow there.
My zzengine needs oil.
The boat has yylemons on board.' contents
check_out 'the turns that stay have the numbers they had' '1 2' sh -c \
	"mem-list messages -j -s house >all && jq -r .turn all | paste -sd ' ' -"
n_house=$(mem-list -j messages -s house | wc -l | tr -d ' ')
check_out 'the list of sessions counts what a session still has' "$n_house" sh -c \
	'mem-list -j sessions -s house | jq .messages'
check_out 'a session shown alone counts what it still has' "$n_house" \
	sh -c 'mem-show -j house | jq .messages'
check_out 'a fact that rested on it alone is gone, one with another source is not' \
	'The house has a yyroof' sh -c 'mem-list facts -j >all && jq -r .content all'
check_out 'a title with words of the message is gone' null sh -c \
	"mem-list sessions -j >all && jq -r 'select(.session == \"house\").title' all"
check_out 'another user still has all of it' 5 sh -c 'mem-list messages -u other >all && wc -l <all'
check_out 'no search finds what was forgotten' '' mem-search Kastanienallee zzboiler
check 'a search still finds what stays' sh -c 'mem-search -e yylemons'
check 'the store is in order after a message went' mem-check -q --deep
check_out 'a forgotten message does not come back by ingest' '' mem-ingest all.ndjson
check_out '--pruned brings back a forgotten message' \
	'The zzboiler stands in Kastanienallee 99887766.' sh -c \
	'mem-ingest --pruned all.ndjson >all && jq -r .content all'
check 'a message that came back is forgotten once more' mem-forget -qf source:m1
check 'the other user forgets the message, too' mem-forget -qf -u other source:m1
check_out 'no word of what two users forgot is in the files' '' \
	left zzboiler kastanienallee 99887766 zzkey zztag

# ---- what is chosen ----

check_out 'what a search finds is forgotten by a pipe' '1' sh -c \
	'mem-search -j -n 1 "zzengine oil" | mem-forget -f - >v; jq -r .session v | grep -c car'
check_out 'the last message of a session takes it along' 'house boat' sh -c \
	"mem-list sessions -j >all && jq -r .session all | paste -sd ' ' -"
check 'the other user forgets the session, too' mem-forget -qf -u other -s car
check_out 'a session goes with its title, names and project' '' \
	left zzengine zzgarage zzoltan zzproject
check_out 'a message is chosen by name and time' 'The roof is red.' sh -c \
	'mem-forget -f --name Tom --until 2024-05-02 >v && mem-list messages -j >all &&
	jq -r .content all >now && printf "The roof is red.\n"; ! grep -q roof now'
check 'the other user keeps what the first one forgot' sh -c 'mem-search -e -u other roof'
check 'a project that is not there is forgotten without a fault' mem-forget -f -p nowhere
mem-ingest -q -d ends.db -s pump -p /srv/zzshop/zzapi <<'EOF'
{"role":"user","content":"The pump hums."}
EOF
mem-ingest -q -d ends.db -s lamp -a zzbob <<'EOF'
{"role":"user","content":"The lamp is lit."}
EOF
check_like 'what would go of a project is told by the last part of its path' '"session":"pump"' \
	mem-forget -d ends.db -p zzapi
check_err 'the last part of a path is not enough to forget a project' 64 \
	"no project 'zzapi', but '/srv/zzshop/zzapi': -f takes the whole name" \
	mem-forget -d ends.db -f -p zzapi
check_out 'what is of no agent does not go with that of an agent' 'The pump hums.' sh -c \
	'mem-forget -d ends.db -qf -a zzbob && mem-list messages -d ends.db | jq -r .content'
check_out 'the messages of an agent that is not there are none' 'The pump hums.' sh -c \
	'mem-forget -d ends.db -qf -a zzeve && mem-list messages -d ends.db | jq -r .content'
check_out '--user-all leaves nothing of a user' '' sh -c 'mem-forget -qf --user-all --verify &&
	for t in messages sessions facts reflections summaries; do mem-list $t; done'
check_out 'the other user has what that one did not forget' 3 sh -c \
	'mem-list messages -u other >all && wc -l <all'
check 'the store is in order after a user went' mem-check -q --deep

# ---- bad input ----

check_err 'mem-forget without a choice is refused' 64 'what is to be forgotten' mem-forget -f
check_err 'an id that is not there is told' 66 'no message, fact' mem-forget -f source:nope
check_err 'a session that is not there is told' 66 "no session 'nope'" mem-forget -f -s nope
check_err 'a time that is none is refused' 64 'until' mem-forget -f --until someday-or-other
check_out 'who was forgotten whole is no user any more' 0 \
	sh -c 'mem-list users | jq -s "map(select(.messages + .records == 0)) | length"'
check_err '--user-all is refused beside another choice' 64 'stands alone' \
	mem-forget -f --user-all -s boat
check_err '--verify without -f is refused' 64 'goes with -f' mem-forget --verify -s boat
check_out 'a pipe without ids forgets nothing' '' sh -c ': | mem-forget -f -'
check_err 'a line of the pipe without an id is named' 65 'stdin:1' \
	sh -c 'echo "{}" | mem-forget -f -'
check_err 'a store that is not there is named' 66 'none.db' mem-forget -f -s a -d none.db
check_err 'of several ids one is not there: none goes' 66 'nope' \
	mem-forget -f -u other source:m2 nope
check 'what was named beside an unknown id is still there' mem-show -u other source:m2

# ---- the log of mem-hook ----

export MEM_HOOK_MS=60000   # what a hook would store is stored on a slow machine, too

fresh
hook() { # SESSION EVENT PROJECT
	jq -cn --arg s "$1" --arg p "$PWD/$3" '{session_id: $s, cwd: $p, prompt: "thanks"}' |
		mem-hook claude-code "$2"
}
logged() { cat mem.db.hooks.old mem.db.hooks 2>/dev/null | grep -v '^ *$' |
	jq -r '"\(.user) \(.session)"' | sort -u | paste -sd , -; }
mkdir -p zzshed/.git barn/.git
say zzkeys m1 '' 2024-05-01T10:00:00Z 'The key is under the mat.' \
	'{"project": "'"$PWD"'/zzshed"}' >all.ndjson
say other m2 '' 2024-05-01T10:00:00Z 'The barn is locked.' >>all.ndjson
hooks() {
	rm -f mem.db*
	mem-ingest -q all.ndjson && hook old prompt barn && mv mem.db.hooks mem.db.hooks.old &&
		hook zzkeys prompt zzshed && hook zzempty prompt zzshed && hook other prompt barn &&
		echo '{"session_id":"own"}' | mem-hook -u tom claude-code prompt
}
check 'two sessions and one without turns are in the log of hooks' hooks
check 'a session goes from the log of hooks, and it is proved' mem-forget -qf --verify -s zzkeys
check_out 'the lines of other sessions stay in the log' \
	'default old,default other,default zzempty,tom own' logged
check 'the log of hooks is filled again for a project' hooks
check 'a project goes, with sessions in which nothing was said' sh -c \
	'mem-forget -qf --verify -p "$PWD/zzshed" && ! grep -q zzshed mem.db.hooks'
check 'the log of hooks is filled again for a project that is moved' hooks
check 'a project goes also by the names that it had before it was moved' sh -c 'mv zzshed zzmoved &&
	mem-edit -q --move "$PWD/zzshed" "$PWD/zzmoved" &&
	mem-forget -qf --verify -p "$PWD/zzmoved" && ! grep -q zzshed mem.db.hooks'
check 'the directory of a moved project comes back' mv zzmoved zzshed
check 'the log of hooks is filled again for a name with two projects' hooks
check 'a moved project leaves in the log what has its old name since' sh -c 'mem-edit -q \
	--move "$PWD/zzshed" "$PWD/zzmoved" && mem-forget -qf -p "$PWD/zzmoved" &&
	grep -q zzempty mem.db.hooks'
check 'the log of hooks is filled again for a user' hooks
check 'the lines of one user go from the log, and no other' \
	sh -c 'mem-forget -qf --verify --user-all &&
	mem-hook --log -n 9 >log && [ ! -s log ] && mem-hook --log -u tom | grep -q own'
check 'what is logged after a user went is read' sh -c 'echo "{}" | mem-hook codex prompt &&
	mem-hook --log | grep -q codex'

# what the log says was given has the hash of its text
hooks_gave() {
	hooks && jq -cn --arg i "$(id m2)" '{type: "hook", user: "default", session: "last", did: "recalled",
		given: [{id: $i, text: "0011223344556677"}]}' >>mem.db.hooks
}
check 'the log of hooks tells what a session was given' hooks_gave
check 'a message that was given to a session is forgotten' mem-forget -qf --verify source:m2
check_status 'the line that told what was given is gone, with the hash' 1 \
	grep -q 0011223344556677 mem.db.hooks
check 'the log of hooks is filled again for the server' hooks_gave
ask() { # ARGUMENTS: of the tool forget
	jq -cn '{jsonrpc: "2.0", id: 1, method: "initialize", params: {protocolVersion: "2025-06-18",
		capabilities: {}, clientInfo: {name: "t", version: "1"}}},
		{jsonrpc: "2.0", method: "notifications/initialized"}'
	jq -cn --argjson a "$1" '{jsonrpc: "2.0", id: 2, method: "tools/call",
		params: {name: "forget", arguments: $a}}'
}
ask "{\"ids\":[\"$(id m2)\"]}" >dry
ask "{\"ids\":[\"$(id m2)\"],\"dry\":false}" >wet
check_like 'the tool forget says what would go by default' 'would go' mem-mcp <dry
check 'the tool forget has removed nothing by default' \
	sh -c 'grep -q 0011223344556677 mem.db.hooks && mem-show source:m2'
check_like 'the tool forget removes what it is told to' 'forgotten' mem-mcp <wet
check_status 'the tool forget removes the line of the log, too' 1 \
	grep -q 0011223344556677 mem.db.hooks

# Killed at any call that changes a file: the session is still there, or the log does not name it.
shim=$B/tests/torture/fault.so
if [ -f "$shim" ] && [ -z "${MEM_TEST_WRAP-}" ] && ! grep -q fsanitize "$B/flags"; then
	check 'the log of hooks is filled again for programs that are killed' hooks_gave
	mkdir was && cp mem.db* was
	gone=$(id m2)
	killed() { # COMMAND: at each call, until one run comes to its end
		at=0 n_killed=0
		: >wrong
		while at=$((at + 1)) && [ $at -lt 500 ]; do
			rm -f mem.db* && cp was/* .
			FAULT_PATH=$PWD/mem.db FAULT_AT=$at FAULT_MODE=kill LD_PRELOAD=$shim "$@" \
				>said 2>told && break
			n_killed=$((n_killed + 1))
			mem-show -j "$gone" >shown 2>&1 && continue
			[ -s behind ] || echo $at >behind
			! grep -aqF -e "$gone" -e '"session":"other"' mem.db.hooks ||
				echo "call $at" >>wrong
		done
		[ $n_killed -gt 5 ] && cat wrong
	}
	check_out 'mem-forget killed at any call leaves nothing in the log' '' killed \
		mem-forget -qf -s other
	check_out 'mem-prune killed at any call leaves nothing in the log' '' \
		killed mem-prune -qf --sessions --days 1
	# Another program has the store open, so that its log stays when those who write close it.
	mkfifo talk
	rm -f mem.db* && cp was/* .
	sqlite3 mem.db <talk >answers 2>told &
	reader=$!
	exec 9>talk
	echo 'SELECT count(*) FROM message;' >&9
	for i in $(seq 200); do [ -s answers ] && break; sleep .05; done
	FAULT_PATH=$PWD/mem.db FAULT_AT=$(cat behind) FAULT_MODE=kill LD_PRELOAD=$shim \
		mem-forget -qf -s other >said 2>told
	check_err 'a mem-forget killed behind its commit is done by the next' 66 \
		'removed for good before' \
		mem-forget -qf -s other
	check_out 'no word of what a killed mem-forget removed is in a file' '' sh -c \
		'grep -alF "The barn is locked" mem.db* || :'
	exec 9>&-
	wait $reader
	rm -f mem.db* && cp was/* . && mem-sync -q ./there.db &&
		mem-forget -qf -s other -d there.db && cp mem.db* was
	mem-export -d there.db --new-for "$(mem-sync --mark)" >news
	check_out 'mem-import killed at any call leaves nothing in the log' '' \
		killed mem-import -q news
	check_status 'mem-import removes from the log what was forgotten elsewhere' 1 \
		grep -q -e 0011223344556677 -e '"other"' mem.db.hooks
else
	skip 'mem-forget killed at any call leaves nothing in the log' \
		'no fault.so that could be loaded here'
fi

# A hook may tell what it read before, behind the commit; so may have programs that were killed.
check 'the log of hooks is filled again for what is told late' hooks_gave
gone=$(id m2)
mem-forget -qf -s other
late() { # COMMAND: none of it is in the log behind it
	jq -cn --arg i "$gone" '{type: "hook", user: "default", session: "other", did: "nothing"},
		{type: "hook", user: "default", session: "old", given: [{id: $i, text: "0f"}]},
		{type: "hook", user: "tom", session: "other", did: "nothing"}' >>mem.db.hooks
	printf '{"type":"hook","user":"default","session":"other","proj' >>mem.db.hooks
	"$@" >said 2>told
	said=$?
	! grep -F -e '"user":"default","session":"other"' -e "$gone" mem.db.hooks || return
	return $said
}
check_status 'what is told late goes with the next mem-forget, also one that finds nothing' 66 \
	late mem-forget -qf -s other
check_like 'a mem-forget that finds nothing says that it was removed before' \
	'other.: it was removed for good before' cat told
mem-export >whole
check 'what is told late goes with the next import' late mem-import -q whole
check 'what is told late goes with the next sync' late mem-sync -q ./second.db
check 'what is told late goes with the next hook' \
	late sh -c 'echo "{\"role\":\"user\",\"content\":\"x\"}" >t.jsonl &&
	jq -cn --arg t "$PWD/t.jsonl" "{session_id: \"new\", transcript_path: \$t}" |
	mem-hook claude-code stop && for i in $(seq 100); do
		grep -q "\"user\":\"default\",\"session\":\"other\"" mem.db.hooks || exit 0
		sleep .1; done'
check 'what is told late goes with the next check' late mem-check
check_like 'a check tells the lines that it blanks' 'are blanked' cat said
check_like 'lines of other users stay where late ones go' '"user":"tom","session":"other"' \
	cat mem.db.hooks
check_out 'a check after that has nothing to tell' '' sh -c 'mem-check | grep hooks || :'
say other m9 '' 2024-05-01T10:00:00Z 'It is open.' >more.ndjson
mem-ingest -q more.ndjson && hook other prompt barn
check_like 'a session that goes on is named again' '"session":"other"' sh -c \
	'mem-check -q && cat mem.db.hooks'

# ---- the state of files ----

fresh
state() {
	mem-ingest -q "$ROOT/tests/fixtures/from/codex.jsonl" && say words w1 Tom 2024-05-01 \
		'The mode, the sign, an event, events, held and seen: packed, codex, from the last.' |
		mem-ingest -q && sqlite3 mem.db 'SELECT state FROM input' >kept &&
		grep -q 'sign.*mode' kept
}
check 'a file whose state is kept is read' state
check_like 'keys of the state, and words that a map alone writes, are no trace' \
	'verified: of [1-9][0-9]* words' sh -c 'mem-forget -fv --verify source:w1 2>&1'

fresh
names() { sqlite3 -readonly mem.db "SELECT path FROM input WHERE path LIKE 'session:%'"; }
mkdir -p agent talks/zzchannel
jq -n '[{id: "U1", name: "ann"}]' >talks/users.json
jq -n '[{id: "C1", name: "zzchannel"}]' >talks/channels.json
jq -n '[{type: "message", user: "U1", text: "The yyquay is closed.", ts: "1792000000.000100"}]' \
	>talks/zzchannel/2026-10-14.json
claude=$ROOT/tests/fixtures/from/claude-code.jsonl
cp "$claude" "agent/$(jq -rn 'first(inputs.sessionId | strings)' "$claude").jsonl"
check 'a channel is read, and with it the log of an agent' sh -c \
	'mem-ingest -q talks && mem-ingest -q talks agent'
check_out 'a file whose messages name their session gets none of the file before' '' names
check 'it is proved that the channel is gone' mem-forget -qf --verify -s zzchannel
mem-ingest -q --pruned talks
sqlite3 mem.db "INSERT INTO input SELECT user, 'session:2026-10-14', 0, 0, 9, 0, head, 0,
	'{\"file\":\"/talks/zzchannel/2026-10-14.json\"}' FROM input LIMIT 1"
seq 3 | jq -c '{role: "user", content: "line \(.) of the pier"}' >pier.jsonl
mem-ingest -q pier.jsonl
check 'it is proved where a name that is of no session was kept' \
	mem-forget -qf --verify -s zzchannel
check_out 'the name that a session has from its file stays' session:pier names

# ---- what was taken back ----

fresh
taken() {
	id=$(MEM_NOW=2024-05-20T12:01:00Z mem-remember --fact 'the zzcode is yyforty' |
		jq -r .id) &&
		MEM_NOW=2024-05-20T12:02:00Z mem-edit -q --undo && grep -aq zzcode mem.db
}
check 'a fact that was taken back is in the file' taken
check_like 'a fact that was taken back goes by its id, and it is proved' 'verified: of [1-9]' \
	sh -c \
	'mem-forget -fv --verify "$0" 2>&1' "$id"
check_out 'no word of a fact that was taken back is left' '' left zzcode yyforty
check_err 'a fact that was taken back and forgotten is not there any more' 66 'no message, fact' \
	mem-forget -f "$id"
check 'the store is in order after such a fact went' mem-check -q --deep
check 'a second fact is taken back' taken
check 'a note is made beside the fact that was taken back' \
	env MEM_NOW=2024-05-20T12:03:00Z mem-remember -q 'the roof is red'
check 'a fact that was taken back goes with its user' mem-forget -qf --verify --user-all
check_out 'no word of it is left when its user went' '' left zzcode yyforty

# ---- what is worded as what goes ----

fresh
two() { # CONTENT KEY: a fact that rests on both messages
	jq -cn --arg a "$(id m1)" --arg b "$(id m2)" --arg c "$1" --arg k "$2" '{type: "fact",
		content: $c, key: $k, sources: [{id: $a}, {id: $b}]}'
}
worded() {
	{ say s1 m1 '' 2024-05-01T10:00:00Z 'We sail with zzpetra on Monday.'
		say s2 m2 '' 2024-05-02T10:00:00Z 'On Monday we sail, as said.'; } |
		mem-ingest -q &&
		{ two 'They sail with zzpetra' one; two 'They sail on Monday' two; } | mem-remember -q
}
check 'two facts rest on two messages each' worded
check_like 'a fact worded as a message that goes is told by a dry run' 'rests on what goes' \
	mem-forget source:m1
check 'a message goes of which one fact has words' mem-forget -qf --verify source:m1
check_out 'the fact with words of the message goes with it, the other stays' 'They sail on Monday' \
	sh -c \
	'mem-list facts -j >all && jq -r .content all'
check_out 'no word of the message and its fact is left' '' left zzpetra
check_out 'a fact that rests on what stays is not stale' '' mem-list stale -j

# ---- a speaker: others' turns that name them are told, and stay ----

fresh
{ say a 1 'Zoltan Kiss' 2024-05-01T10:00:00Z 'I am off.'
	say a 2 Tom 2024-05-01T10:01:00Z 'zoltan has the key.'
	say a 3 Tom 2024-05-01T10:02:00Z 'Zoltana has not.'; } | mem-ingest -q
mem-remember -q 'ask Zoltan for the key'
check_err 'part of a name names nobody, and it says who may be meant' 66 \
	"nobody is called exactly 'zoltan': Zoltan Kiss" mem-forget --name zoltan
check_status 'part of a name names nobody with -f, too' 66 mem-forget -f --name Zoltan
check_out 'a dry run lists the turns of others that name the speaker' '2' sh -c \
	'mem-forget --name "Zoltan Kiss" | grep -c "it names who goes"'
check_out 'a real run lists the turns of others that name the speaker' 'zoltan has the key.' sh -c \
	'mem-forget -f --name "Zoltan Kiss" >v
	mem-show "$(jq -r "select(.did == \"kept\" and .session).id" v)" | jq -r .content'
check_out 'turns of others that name the speaker stay' 2 sh -c 'mem-list messages -j | wc -l'

fresh
{ say a 1 'Tante Birgit' 2024-05-01T10:00:00Z 'I know a dentist.'
	say a 2 Lena 2024-05-01T10:01:00Z 'Danke Birgit, ich rufe morgen an.'
	say a 3 Lena 2024-05-01T10:02:00Z 'Meine Tante kommt, und Tante Emma.'
	say a 4 Lena 2024-05-01T10:03:00Z 'Es ist Birgits Auto.'
	say b 5 'Petersen, Antje' 2024-05-01T10:00:00Z 'The table is ready.'
	say b 6 Lena 2024-05-01T10:01:00Z 'Antje sent it.'
	say b 7 Lena 2024-05-01T10:02:00Z 'I ask Frau Petersen.'
	say c 8 王小明 2024-05-01T10:00:00Z '好的。'
	say c 9 Lena 2024-05-01T10:01:00Z '我昨天见到王小明了。'; } | mem-ingest -q
named() { # NAME: what stays and names it
	mem-forget -fv --verify --name "$1" 2>told |
		jq -r 'select(.did == "kept").id' | mem-show - | jq -r .content
}
check_out 'a name is looked for by its word that is not kin, and with an s' \
	'Danke Birgit, ich rufe morgen an.
Es ist Birgits Auto.' named 'Tante Birgit'
check_like 'the proof says that others still say the name' \
	'none is left; the name is still said in the 2 that stay' cat told
check_out 'each word of a name is looked for' 'Antje sent it.
I ask Frau Petersen.' named 'Petersen, Antje'
check_out 'a Chinese name is looked for as a whole' '我昨天见到王小明了。' named 王小明

# ---- copies ----

fresh
check 'a store has two copies beside it' sh -c 'say() { :; }
	echo "{\"session\":\"s\",\"id\":\"1\",\"content\":\"zzcopied\"}" | mem-ingest -q &&
	mem-check -q --backup mem.db.v3.backup && mem-check -q --backup elsewhere.db &&
	echo x >mem.db.note && cp mem.db.v3.backup mem.db.v3.backup2 &&
	cp mem.db.v3.backup mem.db.replaced &&
	for n in mem.db-work mem.db2 mem.dbx.db mem.db.v3.backup-work; do
		echo "{\"session\":\"s\",\"content\":\"mine\"}" | mem-ingest -q -d "$n" || exit
	done'
check_err 'copies of a store that stay are named' 0 \
	"left: '.*mem.db.v3.backup', a copy of the store" \
	mem-forget -qf source:1
check 'copies of a store stay without --backups' test -e mem.db.v3.backup
check_err 'with --backups a dry run says that they would go' 0 'would go: .*v3.backup' \
	mem-forget --backups --user-all
check '--backups removes the copies of the store' mem-forget -qf --backups --user-all --verify
check '--backups removes nothing else beside the store' \
	sh -c \
	'[ ! -e mem.db.v3.backup ] && [ ! -e mem.db.v3.backup2 ] && [ ! -e mem.db.replaced ] &&
	[ -e elsewhere.db ] && [ -e mem.db.note ]'
check '--backups removes no other store whose name begins like this one' \
	ls mem.db-work mem.db2 mem.dbx.db \
	mem.db.v3.backup-work

fresh
say s m1 '' 2024-05-01T10:00:00Z 'The zzpiped is there.' | mem-ingest -q
mkfifo mem.db.pipe
check 'a pipe beside the store is passed over' mem-forget -qf --verify source:m1

# ---- marks of importance, and what is protected ----

fresh
marked() { # COMMAND...: on the id of the mark
	rm -f mem.db*
	say s m1 '' 2024-05-01T10:00:00Z 'The zzsafe is behind the mirror.' | mem-ingest -q &&
		mark=$(mem-edit --important source:m1 | jq -r .id) && "$@" "$mark" >did
}
for how in true 'mem-edit --retract' \
	'sh -c "MEM_NOW=2030-01-01 mem-edit --undo"'; do
	check "a message is marked as important, then: $how" eval "marked $how"
	check "a mark goes with its message: $how" mem-forget -qf --verify source:m1
	check_out "no word of a marked message is left: $how" '' left zzsafe mirror
done
check 'a message is marked as important' marked true
printf '{"type":"reflection","content":"a protected zzsafe","protected":true,"sources":[{"id":"%s"}]}\n' \
	"$(id m1)" | mem-remember -q
check_out 'a protected note on what goes is told' 'kept it is protected' sh -c \
	'mem-forget -f source:m1 >v && jq -r "select(.did == \"kept\") | \"\(.did) \(.why)\"" v'
check_out 'a protected note on what went stays' 'a protected zzsafe' \
	sh -c 'mem-list reflections -j | jq -r .content'

# ---- what had its words before it was edited ----

fresh
check 'two facts on two turns, one of which had words of the first' fill
both="[{\"id\":\"$(id m1)\"},{\"id\":\"$(id m2)\"}]"
for said in 'Somebody has a zzboiler' 'Somebody has a roof'; do
	echo "{\"type\":\"fact\",\"content\":\"$said\",\"sources\":$both}" | mem-remember |
		jq -r .id | xargs mem-edit -q --content "Red roof of ${said##* }s" >edited
done
mem-list facts -j | jq -r 'select(.content | test("zzboilers")).id' |
	xargs mem-edit -q --content 'Red roof'
check 'the turn goes whose words a fact had once' mem-forget -qf --verify source:m1
check_out 'a fact goes that once had words of the turn, and no byte is left' '' left zzboiler
check_out 'a fact that never had words of the turn stays' 1 \
	sh -c 'mem-list facts -j | jq -r .content | grep -c "Red roof of roofs"'

# ---- what was taken back and rested on what goes alone ----

fresh
taken_note() {
	say s m1 '' 2024-05-01T10:00:00Z 'The roof is red.' | mem-ingest -q &&
		say s m2 '' 2024-05-01T10:01:00Z 'The door is blue.' | mem-ingest -q &&
		MEM_SEED=71 mem-remember -q --source "$(id m1)" 'note zzanzibar' &&
		MEM_NOW=2030-01-01 mem-edit -q --undo &&
		MEM_SEED=72 mem-remember -q --source "$(id m2)" 'note yymombasa' &&
		MEM_NOW=2030-01-02 mem-edit -q --undo &&
		mem-export | grep -q zzanzibar
}
check 'a note that was taken back is in the export' taken_note
check_out 'of a note that was taken back no words are announced' 1 sh -c \
	'mem-forget --format text source:m1 | grep -c "rests on what goes$"'
check_out 'a dry run says that a note taken back would go' 1 sh -c \
	'mem-forget source:m1 >v && jq -r .why v | grep -c "rests on what goes"'
check 'a note that was taken back goes with its only source' mem-forget -qf --verify source:m1
check_out 'no word of a note that was taken back is left' '' left zzanzibar
check 'a note that was taken back stays with its own message' sh -c 'mem-export | grep -q yymombasa'
check 'the store is in order after such a note went' mem-check -q --deep

# ---- names that stay ----

fresh
say mill m1 '' 2024-05-01T10:00:00Z 'The wheel is new.' '{"cwd": "/srv/zzmill"}' >all.ndjson
check 'a project has messages and a fact' sh -c 'mem-ingest -q -p /srv/zzmill all.ndjson &&
	mem-remember -q -p /srv/zzmill --fact "the wheel turns left"'
check 'the name of a project stays with its fact and is no trace' \
	mem-forget -qf --verify -p /srv/zzmill

# ---- bytes that SQLite leaves between rows when it moves some to another page ----

fresh
awk 'BEGIN { for (i = 0; i < 300; i++) {
	text = sprintf("%*s", i * 7919 % 90, "")
	gsub(/ /, "filler ", text)
	printf "{\"session\":\"s%d\",\"id\":\"m%d\",\"role\":\"user\",\"content\":\"uq%dzk %s\"}\n",
	    i % 5, i, i, text
} }' >rows.ndjson
awk 'BEGIN { for (i = 0; i < 300; i++) if (i * 6007 % 41 < 11) print "source:m" i }' >ids
mem-ingest -q rows.ndjson
check 'a quarter of the rows goes, and no copy of one is left' mem-forget -fq --verify - <ids
check 'the pages are as they were written' mem-check -q --deep

# ---- the proof: one delete is taken out, and it tells ----

# mutate WORD TABLES WHAT...: forgetting WHAT leaves rows of the tables, and the proof names WORD.
mutate() {
	word=$1 tables=$2
	shift 2
	cp full.db mem.db
	"$B/tests/torture/forget_mutate" mem.db full.db "$tables" "$@" >told
	[ $? = 1 ] && grep -q "$word" told
}
[ -x "$B/tests/torture/forget_mutate" ] || { skip 'the proof finds what each delete leaves' \
	'no forget_mutate'; done_testing; }
fresh
check 'a memory is filled to try the proof on' fill
fact=$(mem-list facts -j | jq -r 'select(.key == "zzkey").id')
mem-edit -q --content 'Nora had a zzoldboiler' "$fact"
mem-edit -q --content 'Nora has a zzboilerfact' "$fact"
jq -cn '{type: "session", session: "log", metadata: {cwd: "/zzdir"}}' >log.ndjson
say log m9 Tom 2024-05-04T10:00:00Z 'The zzlog is long.' >>log.ndjson
mem-ingest -q --map '{type: (.type // "message"), session, metadata, source_id: .id, role, content}, {type: "state", held: .content}' log.ndjson
say tools m10 '' 2024-05-05T10:00:00Z 'Look at it.' >tools.ndjson
say tools m11 '' 2024-05-05T10:01:00Z '' '{"role": "assistant", "tool_calls": [{"function":
	{"name": "Read", "arguments": "{\"file_path\": \"/zzpath/zzfile.c\"}"}}]}' >>tools.ndjson
mem-ingest -q tools.ndjson
mem-search -q quinces zzboiler tools >hits
mem-context quinces zzboiler >block
# vectors, in codes, bytes and cells, a profile, categories
export MEM_MODELS="$top/models" MEM_MODEL=tiny MEM_CELLS_FROM=20
seq 400 | sed 's/.*/{"session":"fill","id":"f&","role":"user","content":"line & about the lighthouse keeper and number &"}/' |
	mem-ingest -q
mkdir "$MEM_MODELS"
"$B/tests/torture/tiny_model" "$top/tiny" && mem-model convert "$top/tiny" \
	-o "$MEM_MODELS/tiny.model" >"$top/converted" && mem-embed -q &&
	mem-profile -q set notes zznotes && mem-profile -q consent yes && mem-cluster -q
mem-check -q --checkpoint
cp mem.db full.db
check_out 'the store of the proof has cells' 1 \
	sqlite3 full.db 'SELECT count(*) > 0 FROM vector_cell'
check_out 'with every delete the proof finds nothing' '' \
	"$B/tests/torture/forget_mutate" mem.db full.db \
	meta source:m1
for what in vector_code vector_byte vector_cell; do
	check "a vector that stays in $what is found" mutate 'a vector: file' $what source:m1
done
for what in -wal .repair .repair.pages .hooks .v1.backup; do
	check "a copy in mem.db$what is found" mutate "mem.db$what" "file:$what" source:m1
	rm -f "mem.db$what"
done
check 'a free page that has what it had is found' mutate 'a free page' free -s fill
check 'a profile that stays of a user is found' mutate zznotes profile --user-all
check 'a category that stays is found' mutate 'a category of the user' category --user-all
for what in 'still there:message' 'still there:record,fact' 'record_was:record_was,fact_was' \
	'record_source:record_source' 'vocabulary:fts_segment,fts_page,fts_leaf'; do
	check "rows of ${what#*:} that stay are found" mutate "${what%%:*}" "${what#*:}" source:m1
done
for what in 'table message:message' 'table session:session' 'zzoltan:label' \
	'table message:message,session,chunk'; do
	check "rows of ${what#*:} that stay with their session are found" \
		mutate "${what%%:*}" "${what#*:}" -s car
done
for what in source:m11 '-s tools'; do
	check "an entry in the lists of work that stays is found: $what" \
		mutate 'table work' work $what
done
check 'an entry of what was handed out that stays is found' \
	mutate 'a message.*column handed' metric source:m1
check 'an entry of what was handed out of a session is found' \
	mutate 'a message.*column handed' metric -s house
check 'an entry of what was handed out of a fact is found' \
	mutate 'a record.*column handed' metric source:m1
check 'what stays of the state of a file is found' mutate zzlog input -s log
cp full.db mem.db
cp full.db mem.db.old
check_err 'a copy beside it that has the words is found' 1 'left: .*file .*mem.db.old' \
	mem-forget -qf --verify source:m1
check_like 'what clears bytes that no row has is named' 'mem-check --repair' cat "$err"
rm mem.db.old
cp full.db mem.db
check 'without the copy beside it nothing is found' mem-forget -qf --verify source:m1

check 'a word that the file begins with is no trace' sh -c \
	'echo "{\"id\":\"zzhead\",\"session\":\"f\",\"role\":\"user\",\"content\":\"format zzquay\"}" |
	mem-ingest -q - && mem-forget -qf --verify source:zzhead'

# ---- what is about something ----

fresh
check 'a memory is filled to be asked about' fill
check 'another user has what will be asked about' mem-ingest -q -u other all.ndjson
check_out 'a query finds what was said, and what was made of it' 'the message true
rests on what goes true' sh -c 'mem-forget --query "the zzboiler" >v && jq -r "\"\(.why) \(.dry)\"" v'
check_out 'a query finds what is known without a source' 'the record' sh -c \
	'echo "{\"type\": \"fact\", \"content\": \"The kiln stands in a quonset\"}" |
	MEM_SEED=7 mem-remember -q && mem-forget --query "kiln quonset" >v && jq -r .why v'
check_like 'a query shows people the words of what it finds' 'zzboiler stands in Kastanienallee' \
	mem-forget --format text --query 'the zzboiler'
check_out 'a query without -f removes nothing' 5 sh -c 'mem-list messages >all && wc -l <all'
check_err 'a query with -f takes --yes where nobody can be asked' 64 'that takes --yes' \
	mem-forget -f --query zzboiler
check_out 'a query that could not be confirmed removes nothing' 5 \
	sh -c 'mem-list messages >all && wc -l <all'
check_out 'a query finds what alone has those of its words that are said at all' 'the message' sh -c \
	'mem-forget --query "rent contract with Vandermolen for Kastanienallee" >v &&
	jq -r "select(.id != null and .why == \"the message\").why" v'
check_like 'a query tells how much of a talk it found' \
	"this is 1 of the 3 messages of 'house': -s house takes it whole" \
	sh -c 'mem-forget -v --query zzboiler 2>&1'
check_out 'a query finds nothing where nothing is about it' '' \
	mem-forget -f --yes --query 'quantum gravity'
check_err 'a query that finds nothing says so' 0 "likely about 'quantum gravity'" \
	mem-forget --query 'quantum gravity'
check_out 'a session limits where a query looks' 1 sh -c \
	'mem-forget --query yylemons -s boat >v && wc -l <v'
check_out 'a time limits where a query looks' m3 \
	sh -c 'mem-forget --query yylemons --until 2024-05-01 >v &&
	mem-show "$(jq -r .id v)" >shown && jq -r .source_id shown'
check_out 'a number limits what a query finds' 1 \
	sh -c 'mem-forget --query yylemons -n 1 >v && wc -l <v'
if command -v script >/dev/null 2>&1; then
	check_like 'a person is asked about a query, and may say no' 'nothing was forgotten' sh -c \
		'printf "n\n" | script -qec "mem-forget -f --query yylemons" /dev/null'
	check_out 'no of the person asked removes nothing' 5 \
		sh -c 'mem-list messages >all && wc -l <all'
	check_like 'a person is asked about a query, and may say yes' 'forgotten   message' sh -c \
		'printf "y\n" | script -qec "mem-forget -f --query yylemons" /dev/null'
	check_out 'yes of the person asked removes what was found' 3 \
		sh -c 'mem-list messages >all && wc -l <all'
fi
check_like 'with --yes nobody is asked, and it is proved' 'verified: of [1-9][0-9]* words' sh -c \
	'mem-forget -fv --yes --verify --query zzboiler 2>&1'
check_out 'what other users said stays where a query removes' 5 \
	sh -c 'mem-list messages -u other >all && wc -l <all'

# a summary lists names and numbers of turns that it does not rest on
fresh
{
	i=0
	while [ $((i += 1)) -le 30 ]; do
		echo "{\"session\":\"hut\",\"role\":\"user\",\"content\":\"The hut needs $i planks of larch for the hut's roof of larch.\"}"
	done
	echo '{"session":"hut","role":"user","content":"who has the key? zzmole-77 opens the shed, asks Zzebedee"}'
	echo '{"session":"dam","role":"user","content":"the dam is dry"}'
} | mem-ingest -q -
check 'a session is summed up that has a name beside its matter' sh -c '
	mem-summarize -q --rules --tokens 20 &&
	mem-list summaries >s && grep -q "lost.*zzmole" s && ! jq -r .content s | grep -q zzmole'
check 'another store sums it up on its own' sh -c 'mem-export >all &&
	mem-import -q -d there.db all && mem-forget -qf -d there.db "$(jq -r .id s)" &&
	mem-summarize -q -d there.db --rules --tokens 20 && grep -qa zzmole there.db'
check_out 'a query finds the question that is asked by its very words' 'the message' sh -c \
	'mem-forget --query "who has the key? zzmole-77 opens the shed, asks Zzebedee" >v &&
	jq -r "select(.why == \"the message\").why" v'
check 'with a turn the list of what its summary left out goes' sh -c \
	'mem-forget -fq --yes --verify --query zzmole-77 && ! grep -qai "zzmole\|zzebedee" mem.db'
check 'so it does in the store that a sync reaches' \
	sh -c 'mem-sync -q ./there.db && ! grep -qai "zzmole\|zzebedee" there.db'
check 'the summary of a session is made again without it' sh -c \
	'mem-summarize -q --rules && mem-list summaries >s && grep -q larch s && ! grep -qi zzebedee s'

check_err 'a query without words is refused' 64 'has no words' mem-forget --query ' '
check_err 'a query beside ids is refused' 64 'stands without ids' mem-forget --query roof source:m2
check_err '--yes without a query is refused' 64 'goes with --query' mem-forget --yes source:m2
check_err 'a query of a store that is not there is told' 66 'there is no store' \
	mem-forget -v -d none.db --query roof

# ---- names of sessions that are the ends of ids ----

fresh
i=0
while [ $((i += 1)) -le 60 ]; do
	echo "{\"session\":\"diary\",\"role\":\"user\",\"content\":\"entry $i of the diary\"}"
done | mem-ingest -q -
mem-list messages | jq -r .id | awk '{ print tolower(substr($0, 27 - (4 + NR % 5))) }' >names
jq -Rc '{ session: ., role: "user", content: "a talk of no worth" }' names | mem-ingest -q -
check 'sixty sessions are called as ids of a diary end' sh -c \
	'[ "$(mem-list sessions | wc -l)" = 61 ] && [ "$(sort -u names | wc -l)" = 60 ]'
called=$(head -n 1 names)
for do in 'mem-forget -f -' 'xargs mem-forget -f' 'mem-edit --retract -'; do
	check_status "'$do' takes such a word for neither" \
		"$(case $do in xargs*) echo 123 ;; *) echo 65 ;; esac)" \
		sh -c "echo $called | $do"
done
check_err 'it is told what the word may be' 65 \
	'is the name of a session.*entry 1 of the diary' mem-forget -f "$called"
check_err 'an edit is refused the same word' 65 'is the name of a session' \
	mem-edit --retract "$called"
check_err 'an edit takes a session for no record' 65 'is a session, and no record' sh -c \
	'mem-list sessions | mem-edit --retract -'
check_out 'shown is the session whose whole name it is' "session $called" sh -c \
	"mem-show -j $called | jq -r '[.type, .id] | join(\" \")'"
check_out 'of records of sessions all that is shown is sessions' '61 session' sh -c \
	'mem-list sessions | mem-show -j - | jq -r .type | uniq -c | sed "s/^ *//"'
check_out 'an export of the names has the sessions' 'a talk of no worth' sh -c \
	'mem-export - <names | jq -r "select(.type == \"message\").content" | sort -u'
check 'sessions of a list go whole and take nothing of another' sh -c \
	'mem-list sessions | grep -v "\"id\":\"diary\"" | mem-forget -qf - &&
	[ "$(mem-list sessions | wc -l)" = 1 ] && [ "$(mem-list messages -s diary | wc -l)" = 60 ]'
check_err 'a session that has gone is none whose id ends so' 66 "no session '$called'" sh -c \
	"echo '{\"type\":\"session\",\"id\":\"$called\"}' | mem-forget -f -"
check_out 'the end of an id is taken where no session is called so' 1 sh -c \
	"echo $called | mem-forget -f - | wc -l"

# ---- much at once ----

fresh
awk 'BEGIN { for (i = 0; i < 20000; i++) {
	printf "{\"session\":\"s%d\",\"role\":\"user\",", i / 500
	printf "\"content\":\"aa%dxx bb%dyy cc%dzz dd%dww\"}\n", i, i, i, i } }' >many.ndjson
check '20,000 messages of words that are all different are stored' mem-ingest -q many.ndjson
if [ -z "${MEM_TEST_WRAP-}" ] && ! grep -q fsanitize "$B/flags" 2>/dev/null &&
	(ulimit -d 16000) 2>/dev/null; then
	check_out 'what goes is not held in memory' 40 sh -c \
		'ulimit -d 16000; mem-forget --user-all >v && wc -l <v'
else
	skip 'what goes is not held in memory' 'it takes more of it here'
fi

# a section of a document, whose id is among those that the file has

fresh
mkdir n
printf '# J\n\n## one\nAlpha zzzebra lives here.\n\n## two\nBeta otter lives there.\n' >n/j.md
mem-ingest -q n
check 'of a section that goes nothing is left' mem-forget -qf --verify \
	"$(mem-list -j messages | jq -r 'select(.content | test("zzzebra")).id')"
check_out 'a section that was forgotten does not come back' 1 \
	sh -c 'mem-ingest -q n && mem-list messages | wc -l'

done_testing
