#!/bin/sh
# mem-resume: which session is found, the command of its agent, and what another agent is told.
. "${0%/*}/lib.sh"
unset MEM_SEED

mkdir -p shop/.git 'a barn/.git' fake
# session ID HOST DIR TITLE; said ID ROLE TIME TEXT [KEYS]
session() {
	jq -cn --arg s "$1" --arg h "$2" --arg d "$3" --arg t "$4" \
		'{type: "session", session: $s, title: $t, metadata: {host: $h, cwd: $d}}'
}
said() {
	jq -cn --arg s "$1" --arg r "$2" --arg t "2024-05-$3:00Z" --arg c "$4" \
		--argjson k "${5-{\}}" \
		'{session: $s, role: $r, time: $t, content: $c} + $k'
}
ran() {
	said "$1" assistant "$2" '' "$(jq -cn --arg i "c$2" --arg n "$3" --argjson a "$4" \
		'{tool_calls: [{id: $i, type: "function", function: {name: $n, arguments: $a}}]}')"
	said "$1" tool "$2" "${5-done}" "{\"tool_call_id\":\"c$2\",\"is_error\":${6-false}}"
}
{
	session aaaa-1 claude-code "$PWD/shop" 'The cart'
	said aaaa-1 user 01T09:00 'Make the cart remember its items over night.'
	said aaaa-1 assistant 01T09:01 'I look at the cart first.'
	ran aaaa-1 01T09:02 Bash '{"command":"ls -la"}'
	ran aaaa-1 01T09:03 Edit "{\"file_path\":\"$PWD/shop/src/cart.c\",\"old_string\":\"a\"}"
	ran aaaa-1 01T09:04 Bash '{"command":"make check"}' 'error: the cart is empty' true
	said aaaa-1 user 01T09:05 'We decided: the cart lives for 12 hours.'
	said aaaa-1 user 01T09:06 'We still have to add the coupon field.'
	said aaaa-1 assistant 01T09:06 'I note that.'
	said aaaa-1 user 01T09:07 'And is the cart saved now?'
	said aaaa-1 assistant 01T09:07 'The cart keeps its items now.'
} | mem-ingest -q -p "$PWD/shop" -
{
	session bbbb-2 codex "$PWD/a barn" 'The barn'
	said bbbb-2 user 02T09:00 'Why does the barn door squeak at noon?'
	said bbbb-2 assistant 02T09:01 'Its hinges want oil.'
} | mem-ingest -q -p "$PWD/a barn" -
for host in gemini qwen copilot-cli opencode kimi goose aider; do
	session "$host-3" "$host" '' "Of $host"
	said "$host-3" user 03T09:00 "The $host session is about otters of kind $host."
done | mem-ingest -q -
session 'x; rm -rf y' codex '' 'Bad' >bad.ndjson
said 'x; rm -rf y' user 03T10:00 'A session with a name that is no id.' >>bad.ndjson
session dash-4 codex -barn Dash >>bad.ndjson
said dash-4 user 02T10:00 'Held in a directory that is no whole path.' >>bad.ndjson
mem-ingest -q bad.ndjson

one() { f=$1; shift; mem-resume -j "$@" >got && jq -r "$f" got; }

# ---- which, and how ----

check_out 'a session is resumed by its words' \
	"aaaa-1 claude-code cd $PWD/shop && claude --resume aaaa-1" \
	one '"\(.session) \(.host) \(.command)"' the cart over night
check_out 'a directory with a blank' "cd '$PWD/a barn' && codex resume bbbb-2" \
	one .command squeak
check_out 'by the end of its project alone' aaaa-1 one .session shop items
mkdir -p other/.git
check_like 'in a directory without a memory it is told that the newest session is of another' \
	"no session is of '.*/other': this is the newest of all" sh -c 'cd other && mem-resume 2>&1'
check_out 'where the directory has a session nothing is told' '' \
	sh -c 'cd shop && mem-resume 2>&1 >/dev/null'
check_out 'a session is resumed by its name' bbbb-2 one .session -s bbbb-2
check_out 'by how it begins' aaaa-1 one .session -s aaaa
check_out 'without words the last of the project' aaaa-1 sh -c \
	'cd shop && mem-resume -j | jq -r .session'
check_out 'without words the last session is resumed' 'x; rm -rf y' one .session
said family user 04T09:00 'Who fetches Lina from the gym tomorrow?' | mem-ingest -q -
check_out 'what people said to each other is no work to go on with' 'x; rm -rf y' one .session
check_out 'where nothing else is there it is' family sh -c \
	'mem-export -s family | mem-import -q -d people.db; mem-resume -j -d people.db | jq -r .session'
check_out 'several sessions are listed, the best first' 'bbbb-2' \
	sh -c 'mem-resume -j -n 3 barn door | jq -r .session | head -1'
check_out 'each agent its own command' 'gemini --resume gemini-3
qwen --resume qwen-3
copilot --resume=copilot-cli-3
opencode --session opencode-3
kimi --session kimi-3
goose session --resume --session-id goose-3
null' sh -c 'for h in gemini qwen copilot-cli opencode kimi goose aider; do
	mem-resume -j -s $h-3 | jq -r .command; done'
check_out 'no command of a name that is no id' null one .command -s 'x; rm -rf y'
check_like 'what is told in its place is quoted for a shell' "mem handoff -s 'x; rm -rf y'" \
	mem-resume --format text -s 'x; rm -rf y'
check_err 'an id in a message is quoted for a shell' 69 "mem handoff -s 'x; rm -rf y'" \
	mem-resume --run -s 'x; rm -rf y'
check_out 'a directory that is an option is none' 'codex resume dash-4' one .command -s dash-4
check_err 'the session of another user is not found' 66 'no such session' mem-resume -u tom the cart
check_out 'a session to be resumed goes into mem-show by its record' aaaa-1 \
	sh -c 'mem-resume -j cart | mem-show - | jq -r .session'
check_like 'a session to be resumed is shown to people' \
	"The cart +cd $PWD/shop && claude --resume aaaa-1" mem-resume --format text the cart
check_like 'a session without a command is shown with its handoff' \
	'Of aider +mem handoff -s aider-3' mem-resume --format text -s aider-3
check_err 'a session that is not there is told' 66 'no such session' mem-resume -s none-there

# ---- run ----

printf '#!/bin/sh\necho "$PWD $*"\n' >fake/claude
chmod +x fake/claude
check_out 'it is run in its directory' "$PWD/shop --resume aaaa-1" \
	env PATH="$PWD/fake:$PATH" mem-resume --run the cart over night
printf '#!/usr/bin/env perl\nprint join(" ", map { $_ // "default" } @SIG{qw(PIPE XFSZ)}), "\\n"\n' >fake/claude
check_out 'it is run with the signals of a program that a shell starts' 'default default' \
	env PATH="$PWD/fake:$PATH" mem-resume --run the cart over night
check_err 'a program that is not there' 69 "cannot run 'kimi'" mem-resume --run -s kimi-3
check_err 'an agent that has no command' 69 "mem handoff -s aider-3" mem-resume --run -s aider-3
check_err 'running and handing off stand alone' 64 'stand alone' mem-resume --run --handoff
check_err '--to without --handoff is refused' 64 'goes with --handoff' mem-resume --to codex
check_err 'an agent that takes no first prompt is told' 64 "'aider' is no agent" \
	mem handoff --to aider the cart
mv 'a barn' barn
check_err 'a directory that is gone' 66 "cannot go to '.*a barn'" mem-resume --run squeak

# ---- handed over ----

check 'a block is handed off by words' mem handoff the cart over night
cp "$out" told
check_like 'where it was held' "^session: claude-code in $PWD/shop, until 2024-05-01" cat told
check_like 'what it was for' '^goal: Make the cart remember its items' cat told
check_like 'what was asked last' '^last request: And is the cart saved' cat told
check_like 'a handoff tells what was answered last' '^last answer: The cart keeps its items now' \
	cat told
check_like 'the files, within it' '^files changed: src/cart.c$' cat told
check_like 'a handoff tells what was decided' '^decided: We decided: the cart lives for 12 hours' \
	cat told
check_like 'a handoff tells what is still open' '^open: We still have to add the coupon field' \
	cat told
check_like 'a handoff tells what failed last' '^ran: make check: failed, error: the cart is empty' \
	cat told
check_out 'a handoff tells nothing twice over' 1 grep -c 'items over night' told
check 'not what only looked' sh -c '! grep "ls -la" told'
check_out 'a handoff keeps within a budget of tokens' true sh -c \
	'mem-resume --handoff --budget 100 -j the cart | jq ".tokens <= 100 and .tokens > 30"'
check_like 'what matters most is kept' 'goal: Make the cart' \
	mem-resume --handoff --budget 100 the cart
check_out 'a handoff to an agent says first what to do, then tells the block' \
	'Go on with the work of the session below, which claude-code held.' sh -c \
	'mem handoff --to codex the cart over night >to; tail -n +3 to | cmp - told >&2
	head -1 to | sed "s/ It was.*//"'
printf '#!/bin/sh\nprintf "%%s." "$@"\n' >fake/gemini
printf '#!/bin/sh\necho "$PWD"; printf "%%s|" "$@" | tail -c 60; echo\n' >fake/codex
chmod +x fake/*
check_out 'the agent is begun with it in the directory of the session' "$PWD/shop
$(tail -c 59 told)
|" env PATH="$PWD/fake:$PATH" mem handoff --to codex --run the cart over night
check_like 'each agent is begun by its own option' '^-i.Go on with the work' \
	env PATH="$PWD/fake:$PATH" mem handoff --to gemini --run the cart over night
mem-forget -q -f -s aaaa-1
check_out 'nothing of one that was forgotten' '' sh -c \
	'mem-resume -j -s aaaa-1; mem handoff -s aaaa-1; true'

check_err 'words that nobody said name no session' 66 'no such session' \
	mem-resume zzqx nonsuchword
check_err 'words that nobody said begin no agent' 66 'no such session' \
	mem-resume --run zzqx nonsuchword

# ---- a session that still runs ----

export HOME="$PWD/home"
mkdir -p "home/.claude/projects/-srv-lamp"
log=home/.claude/projects/-srv-lamp/11111111-2222-4333-8444-555555555555.jsonl
line() {
	jq -cn --arg r "$1" --arg t "2024-05-19T09:0$2:00Z" --arg c "$3" '{type: $r, uuid: "u\($t)",
		sessionId: "11111111-2222-4333-8444-555555555555", cwd: "/srv/lamp",
		timestamp: $t,
		message: {role: $r, content: $c}}' >>"$log"
}
line user 1 'Let the lamp of the porch glow at dusk.'
line assistant 2 'I read the sensor first.'
mem-ingest -q "$log"
line user 3 'We decided: it glows for 3 hours.'
line assistant 4 'The porch lamp glows for three hours now.'
check_status 'what was not stored yet is not told by a plain handoff' 1 sh -c \
	'mem handoff lamp of the porch | grep -q "three hours now"'
check_like 'handed to an agent, a session that still runs is told whole' \
	'^last answer: The porch lamp glows for three hours now' \
	mem handoff --to codex lamp of the porch
check_like 'it is told until when that was' '^session: .* in /srv/lamp, until 2024-05-19T09:06' \
	sh -c 'sed "s/09:04/09:06/g; s/three hours/four hours/" "$0" | tail -1 >>"$0"
	TZ=UTC mem handoff --to codex lamp of the porch' "$log"
line user 5 'We decided: it is amber.'
check_status 'where memory is off nothing more is stored' 1 sh -c \
	'MEM_MEMORY=off mem handoff --to codex lamp of the porch | grep -q amber'

# ---- short names ----

tools='[{"id":"1","function":{"name":"Edit","arguments":{"file_path":"src/door.c","old_string":"a"}}}]'
said d assistant 04T09:00 '' "{\"tool_calls\":$tools}" | mem-ingest -q -
check_like 'mem log tells what agents did with a file' '"kind":"file".*src/door.c' \
	mem log src/door.c -j
MEM_NOW=2024-05-01T00:00:00Z mem-remember -q --fact 'The door is red'
check_like 'mem at tells what was so on a day' 'The door is red' mem at 2024-05-10
check_out 'mem at, before it' '' mem at 2024-04-01
check_like 'mem help finds the pages of these verbs' 'MEM-RESUME' mem help handoff

# ---- a channel, in which people speak ----

jq -nc '["Nadia", "the station sends every ten minutes now"],
	["Otto", "We decided: the station moves to the roof."],
	["Nadia", "the ladder is in the shed, ask me for the key"],
	["Otto", "fine, I carry it up on Saturday"] |
	{session: "channel", name: .[0], role: "user", content: .[1]}' |
	mem-ingest -q -d channel.db --from=ndjson
mem handoff -d channel.db -s channel >told
check_like 'a handoff of a channel tells who spoke' '^Nadia: the ladder is in the shed' cat told
check_like 'a handoff of a channel tells who decided' '^decided, Otto: We decided' cat told
check_out 'a handoff of a channel tells who began and ended it' 'first, Nadia
last, Otto' sh -c 'grep -o "^first, Nadia\|^last, Otto" told'
done_testing
