#!/bin/sh
# Codex's session files: up to three logs in one that repeat each other in part; every turn once.
. "$(dirname "$0")/lib.sh"

# The lines of a log, each with a second of its own: i: an item, e: an event, c: a completed item.
n=0
line() {
	n=$((n + 1))
	printf '{"timestamp":"2026-02-03T10:%02d:%02d.500Z","type":"%s","payload":%s}\n' \
		$((n / 60)) $((n % 60)) "$1" "$(printf '%s' "$2" | tr -d '\n')"
}
meta() {
	line session_meta "{\"id\":\"$1\",\"timestamp\":\"2026-02-03T09:59:59Z\",\"cwd\":\"/w\"$2}"
}
item() {
	line response_item "{\"type\":\"message\",\"role\":\"$1\",
		\"content\":[{\"type\":\"$2\",\"text\":\"$3\"}]}"
}
iu() { item user input_text "$1"; }
ia() { item assistant output_text "$1"; }
eu() { line event_msg "{\"type\":\"user_message\",\"message\":\"$1\",\"images\":[]}"; }
ea() { line event_msg "{\"type\":\"agent_message\",\"message\":\"$1\"}"; }
completed() {
	line event_msg "{\"type\":\"item_completed\",\"item\":{\"type\":\"$1\",
		\"content\":[{\"type\":\"text\",\"text\":\"$2\"}]}}"
}
call() {
	line response_item "{\"type\":\"function_call\",\"name\":\"shell\",\"call_id\":\"$1\",
		\"arguments\":\"{}\"}"
}
result() {
	line response_item "{\"type\":\"function_call_output\",\"call_id\":\"$1\",
		\"output\":\"$2\"}"
}
context() { line turn_context "{\"cwd\":\"/w\",\"turn_id\":\"$1\"}"; }
started() { line event_msg "{\"type\":\"task_started\",\"turn_id\":\"$1\"}"; }
noise() { line event_msg '{"type":"token_count","info":null}'; }
ingest() {                       # FORMAT FILE...: what is stored, as jq prints it
	how=$1
	shift
	mem-ingest "$@" >records || return
	jq -r "$how" records
}
said() { ingest '"\(.role[0:1]) \(.content)" | rtrimstr(" ")' --from=codex "$@"; }
sessions() { ingest '"\(.session[4:8]) \(.role[0:1]) \(.content)"' --from=codex "$@"; }

# ---- the shapes in which the two logs overlap in part ----

fresh
{ meta s1; iu 'fix the parser'; ea 'Fixed.'; ia 'Fixed.'; } >a.jsonl
check_out 'a prompt that only the items have, before an event' 'u fix the parser
a Fixed.' said a.jsonl
{ meta s2; eu 'first'; ia 'one'; noise; eu 'second'; ia 'two'; } >b.jsonl
check_out 'prompts in events alone, answers in items alone' 'u first
a one
u second
a two' said b.jsonl
{ meta s3; completed UserMessage 'rename it'; completed AgentMessage 'Renamed.'
	completed Reasoning 'hm'; completed agent_message 'Done.'; } >c.jsonl
check_out 'items that were completed are read once' 'u rename it
a Renamed.
a Done.' said c.jsonl
{ meta s4; iu 'go'; eu 'go'; completed UserMessage 'go'; ea 'Gone.'; ia 'Gone.'
	completed AgentMessage 'Gone.'; } >d.jsonl
check_out 'three logs that say the same' 'u go
a Gone.' said d.jsonl
{ meta s5; iu 'one'; eu 'one'; ea 'eins'; ia 'eins'; iu 'two'; ia 'zwei'
	iu 'go on'; ia 'drei'; } >e.jsonl
check_out 'events, and only items after an update' 'u one
a eins
u two
a zwei
u go on
a drei' said e.jsonl
{ meta s6; iu 'one'; ia 'eins'; iu 'go on'; ia 'zwei'; eu 'go on'; ea 'zwei'
	eu 'go on'; iu 'go on'; } >f.jsonl
check_out 'only items, and events after an update: the same words again are another turn' 'u one
a eins
u go on
a zwei
u go on
a zwei
u go on' said f.jsonl
{ meta s7; iu 'yes'; eu 'yes'; ea 'A.'; ia 'A.'; iu 'yes'; eu 'yes'; ea 'A.'; ia 'A.'; } >g.jsonl
check_out 'two turns of the same words are two messages' 'u yes
a A.
u yes
a A.' said g.jsonl
{ meta s8; iu '# AGENTS.md instructions for /w'
	iu '<environment_context><cwd>/w</cwd></environment_context>'
	iu '<skill>\n<name>x</name>\nbody\n</skill>'; iu 'read <b>this</b>'; ea 'Read.'; } >h.jsonl
check_out 'what the program put in is not the person'\''s' 'u read <b>this</b>
a Read.' said h.jsonl
{ meta s9; iu 'run it'; call c1; result c1 'ok'; ea 'Ran.'; ia 'Ran.'; } >i.jsonl
check_out 'a prompt stands before the calls that it led to' 'u run it
a
t ok
a Ran.' said i.jsonl
{ meta s10
	line response_item '{"type":"message","role":"user","content":[{"type":"input_text",
"text":"<image name=[Image #1]>"},{"type":"input_image","image_url":"data:image/png;base64,AA"},
{"type":"input_text","text":"</image>"},{"type":"input_text","text":"what is this"}]}'
	line event_msg '{"type":"user_message","message":"what is this",
"images":["data:image/png;base64,AA"]}'
	ea 'A cat.'; } >j.jsonl
check_out 'a prompt with a picture, once' 'user
assistant' ingest '.role' --from=codex j.jsonl

# ---- a log that grows ----

{ meta g1; iu 'first'; eu 'first'; ea 'one'; ia 'one'; iu 'second'; } >grown.jsonl
check_out 'the last prompt is there before its event' 'u first
a one
u second' said grown.jsonl
{ eu 'second'; ea 'two'; } >>grown.jsonl
check_out 'a turn is read once when its event has come' 'a two' said grown.jsonl
check_out 'a file that was read gives nothing new' '' said grown.jsonl

# The state is read and written for every line, so it may not grow with the turn.
i=0
{
	meta g2
	while [ $((i += 1)) -le 40 ]; do iu "prompt $i"; done
} >prompts.jsonl
{
	meta g3
	eu go
	while [ $((i += 1)) -le 120 ]; do ia "step $i"; done
} >steps.jsonl
check_out 'prompts that nothing answers' 40 sh -c \
	'mem-ingest --from=codex prompts.jsonl >all && grep -c "\"prompt [0-9]" all'
check_out 'a long turn is read to its end' 79 sh -c \
	'mem-ingest --from=codex steps.jsonl >all && grep -c "\"step [0-9]" all'
if command -v sqlite3 >/dev/null 2>&1; then
	check_out 'the state of neither is long' 1 sqlite3 mem.db \
		'SELECT max(length(state)) < 6000 FROM input'
fi
{ ia 'step 120'; ea 'step 120'; ea 'step 119'; ea 'step 121'; } >>steps.jsonl
check_out 'a file that goes on knows what it has just had' 'a step 120
a step 121' said steps.jsonl

# ---- packed files ----

if command -v zstd >/dev/null 2>&1; then
	fresh
	{ meta z1; iu 'packed'; eu 'packed'; ea 'Packed.'; ia 'Packed.'; } >rollout-z.jsonl
	mkdir sessions && zstd -q rollout-z.jsonl -o sessions/rollout-z.jsonl.zst
	check_out 'a directory with a packed file' 'u packed
a Packed.' said sessions
	check_out 'the file as it was before: the same turns' '' said rollout-z.jsonl
	check_out 'what was read whole is not unpacked again' '' env PATH="$bin" mem-ingest sessions
	eu 'more' >>rollout-z.jsonl
	zstd -qf rollout-z.jsonl -o sessions/rollout-z.jsonl.zst
	check_out 'grown and packed again' 'u more' said sessions
	head -c 60 sessions/rollout-z.jsonl.zst >cut.jsonl.zst
	check_err 'a packed file that is cut' 65 'damaged zstd data' mem-ingest cut.jsonl.zst
	check_err 'it is told where the ends of programs are ignored' 65 'damaged zstd data' \
		perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV' mem-ingest cut.jsonl.zst
	check_err 'packed data in a pipe' 65 'packed by zstd' sh -c \
		'cat sessions/rollout-z.jsonl.zst | mem-ingest'
	yes '{"content":"a"}' | head -c 60000000 | zstd -q >bomb.zst
	check_err 'a file that is packed too well is refused' 65 'over gz_ratio' \
		mem-ingest -q bomb.zst
	check_err 'no program to unpack it' 78 'zstd is not installed' \
		env PATH="$bin" mem-ingest -d other.db sessions
else
	skip 'packed files' 'zstd is not installed'
fi

# ---- forks ----

planned_on() {
	mem-list messages -j >all && jq -r 'select(.content == "Planned.").time[0:10]' all
}

# UUIDs of version 7: the first 48 bits are the milliseconds; 019c234... is in February 2026
parent=019c2340-0000-7000-8000-00000000000a
fork=019c2350-0000-7000-8000-00000000000b
old=019c2341-0000-7000-8000-000000000001 new=019c2351-0000-7000-8000-000000000002
fresh
body() { started $old; iu 'plan it'; eu 'plan it'; context $old; ea 'Planned.'; ia 'Planned.'; }
n=0
{ meta $parent; body; } >1-parent.jsonl
{ meta $fork ",\"forked_from_id\":\"$parent\""; sed 's/T10:/T23:/' 1-parent.jsonl
	started $new; iu 'and now?'; eu 'and now?'; context $new
	ea 'Now this.'; ia 'Now this.'; } >2-fork.jsonl
sed '/task_started/d' 2-fork.jsonl >2-older.jsonl
turns='2340 u plan it
2340 a Planned.
2350 u and now?
2350 a Now this.'
check_out 'a fork after its parent' "$turns" sessions 1-parent.jsonl 2-fork.jsonl
MEM_DB=$PWD/2.db
check_out 'a fork whose parent is gone gives its turns as its parent'\''s' "$turns" \
	sessions 2-fork.jsonl
check_out 'they were said when the turn began, not when it was copied' '2026-02-03' planned_on
check_out 'the parent of a session brings nothing new' '' said 1-parent.jsonl
MEM_DB=$PWD/3.db
check_out 'an older fork, whose prompt comes before the turn is named' "$turns" \
	sessions 2-older.jsonl
{ meta $fork ",\"forked_from_id\":\"$parent\",\"history_base\":{\"thread_id\":\"$parent\"}"
	started $new; eu 'by reference'; ea 'Yes.'; } >3.jsonl
check_out 'a fork that names its parent and copies nothing' 'u by reference
a Yes.' said 3.jsonl

MEM_DB=$PWD/4.db
{ meta $new; started $new; eu one; ea two; eu three; ea four; } >4.jsonl
said 4.jsonl >want-4
MEM_DB=$PWD/5.db
{ tr '\n' ' ' <4.jsonl; echo; } >5.jsonl
check_out 'records in one line are as many as they are' "$(cat want-4)" said 5.jsonl

done_testing
