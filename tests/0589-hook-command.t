#!/bin/sh
# mem-hook: what a command is told before it is run and after it failed, and when it is not.
. "${0%/*}/lib.sh"
unset MEM_SEED

mkdir -p repo/.git other/.git
# past SESSION PROJECT: what follows belongs to it. ran LINE STATUS [OUTPUT]; edited; asked.
past() { n=0 session=$1 project=$PWD/$2; }
say() {
	n=$((n + 1))
	jq -cn --arg s "$session" --arg p "$project" --arg r "$1" --arg c "$2" --argjson k "$3" \
		--arg t "2024-05-1${day:-1}T09:00:$(printf %02d "$n")Z" \
		'{session: $s, project: $p, id: "\($s)-\($t)", time: $t, role: $r, content: $c} + $k'
}
tool() {
	say assistant '' "$(jq -cn --arg n "$1" --argjson a "$2" --arg i "c$n" \
		'{tool_calls: [{id: $i, type: "function", function: {name: $n, arguments: $a}}]}')"
}
ran() {
	tool Bash "$(jq -cn --arg c "$1" '{command: $c}')"
	say tool "${3-done}" "$(jq -cn --arg i "c$((n - 1))" --argjson st "$2" \
		'{tool_call_id: $i, is_error: ($st != 0)}')"
}
edited() { tool Edit '{"file_path":"src/a.c","old_string":"a","new_string":"b"}'; }
asked() { say user 'I have mended that.' '{}'; }
store() { mem-ingest -q -; }

none='bash: line 1: python: command not found'
flag='error: unexpected argument --fast found'
{
	past one repo
	ran 'python tool.py' 127 "$none"
	ran 'ls' 0
	ran 'python3 tool.py' 0
	ran 'heron build --fast' 2 "$flag"
	ran 'heron build --quick' 0
	ran 'make pond' 1 'error: cannot find the library libpond'
	ran 'cat Makefile' 0
	ran 'apt-get install -y libpond-dev' 0
	ran 'make pond' 0
	ran 'ansible-playbook site.yml' 1 "ERROR! the role 'common' was not found in roles"
	ran 'ansible-galaxy install -r roles.yml' 0
	ran 'ansible-playbook site.yml' 0
} | store

# hook HOST EVENT SESSION LINE [KEYS]: the text that the model gets; the answer is in answer.
hook() {
	jq -cn --arg s "$3" --arg d "$PWD/${dir:-repo}" --arg c "$4" --argjson k "${5-{\}}" \
		'{session_id: $s, cwd: $d, tool_name: "Bash", tool_input: {command: $c}} + $k' |
		mem-hook ${user:+-u "$user"} "$1" "$2" >answer || return
	jq -r '(.hookSpecificOutput // .) | .additionalContext // .additional_context // empty' answer |
		sed -n '3,$s/^ //p' | sed '/^<.mem/d'
}
failed() { jq -cn --arg e "Exit code ${2-1}
$1" '{error: $e}'; }

python='python was not found here on 2024-05-11; what worked: python3 tool.py'
heron="this failed on 2024-05-11: $flag; what worked: heron build --quick"
pond='this failed on 2024-05-11: error: cannot find the library libpond; '
pond=$pond'what cured it: apt-get install -y libpond-dev'

# ---- what is told ----

check_out 'a line that failed' "$heron" hook claude-code pretool a1 'heron build --fast'
check_out 'in the form of the host' '["PreToolUse",["additionalContext","hookEventName"]]' \
	jq -c '.hookSpecificOutput | [.hookEventName, keys]' answer
check_out 'a failed command is told of once a session' '' \
	hook claude-code PreToolUse a1 'heron build --fast'
check_like 'which the log says' 'told before' mem-hook --log -n 1
check_out 'a command is not told of again when it has failed' '' \
	hook claude-code posttool a1 'heron build --fast' "$(failed "$flag" 2)"
check_out 'a failed command is told of in another session' "$heron" \
	hook codex pretool a2 'heron build --fast'
check_out 'a program that is not there, whatever it is to do' "$python" \
	hook claude-code pretool a3 'python -m pytest -q'
check_out 'also in the middle of a line' "$python" \
	hook claude-code pretool a4 'cd src && python x.py'
check_out 'the cure of an error' "$pond" hook claude-code posttool a5 'make pond' \
	"$(failed 'error: cannot find the library libpond')"
check_like 'the cure of an error that is shouted, without a colon' \
	"^this failed .*: ERROR! the role .*; what cured it: ansible-galaxy install -r roles.yml\$" \
	hook claude-code posttool a5 'ansible-playbook site.yml' \
	"$(failed "ERROR! the role 'common' was not found in roles")"
check_out 'under the name of the event that it came with' PostToolUseFailure \
	jq -r .hookSpecificOutput.hookEventName answer
check_out 'of one that another command gave' "$pond" \
	hook claude-code posttool a6 'make all' "$(failed 'error: cannot find the library libpond')"
# What prints nothing has no result that is stored.
mute() { tool Bash "$(jq -cn --arg c "$1" '{command: $c}')"; }
{
	past silent repo
	ran 'make kiln' 1 'error: cannot write the directory kiln/out'
	mute 'install -d kiln/out'
	mute 'make kiln'
	say assistant 'It burns.' '{}'
	ran 'make oven' 1 'error: cannot open the recipe of bread'
	mute 'install -d oven'
	mute 'make oven'
	asked
} | store
check_like 'a command that prints nothing is a cure where its agent goes on' \
	'cannot write the directory kiln/out; what cured it: install -d kiln/out$' \
	hook claude-code posttool a5 'make kiln' \
	"$(failed 'error: cannot write the directory kiln/out')"
check_out 'one that may have been broken off is none' '' \
	hook claude-code posttool a5 'make oven' \
	"$(failed 'error: cannot open the recipe of bread')"
check_out 'a hook of codex is told after an error' "$pond" hook codex PostToolUse a7 'make pond' \
	'{"tool_response":"Exit code: 2\nerror: cannot find the library libpond"}'
check_out 'a hook of gemini is told after an error' "$pond" hook gemini AfterTool a8 'make pond' \
	'{"tool_response":{"llmContent":"error: cannot find the library libpond\nExit Code: 2"}}'
check_out 'a hook of cursor is told after an error' "$pond" \
	hook cursor postToolUseFailure a9 'make pond' \
	'{"error_message":"error: cannot find the library libpond"}'
check_out 'a hook of qwen is told after an error' "$pond" \
	hook qwen PostToolUseFailure b1 'make pond' \
	'{"error":"error: cannot find the library libpond"}'
check_out 'a hook of opencode is told after an error' "$pond" \
	hook opencode posttool b2 'make pond' \
	'{"tool_response":{"output":"error: cannot find the library libpond","exit":2}}'
check_out 'what was told is known by its id' true sh -c \
	'mem-hook --log -n 1 | jq -r ".given[0].id" | xargs mem-show -j | jq "[.] | length > 0"'

# what the user names, what is done first, and an option that leaves nothing out that guards
{
	past cures repo
	ran 'osprey ship' 1 'osprey: port 22 of the host refuses'
	say user 'they moved ssh to 2222 in summer' '{}'
	ran 'osprey ship SSH_PORT=2222' 0
	ran 'egret test' 1 'egret: no module named feathers is here'
	ran 'cd nest && . env/bin/activate && egret test' 0
	ran 'plover build .' 1 'plover: a layer of the cache is torn'
	ran 'plover build --no-cache .' 0
	ran 'dunlin push' 1 'dunlin: the host does not answer at all'
	say user 'started it, go on' '{}'
	ran 'dunlin push --all' 0
	ran 'knot save' 1 'knot: the hook of the nest failed'
	ran 'knot save --no-verify' 0
} | store
check_like 'a cure that the user named' 'what worked: osprey ship SSH_PORT=2222$' \
	hook claude-code pretool d1 'osprey ship'
check_like 'a cure that something is done before' \
	'what worked: cd nest && . env/bin/activate && egr' \
	hook claude-code pretool d2 'egret test'
check_like 'a cure that leaves out what guards nothing' 'what worked: plover build --no-cache' \
	hook claude-code pretool d3 'plover build .'

# ---- what is not ----

check_out 'nothing is told where the user did something in between' '' \
	hook claude-code pretool d4 'dunlin push'
check_out 'no cure is told that leaves out a guard' '' hook claude-code pretool d5 'knot save'
# quiet NAME LINE: neither before it, nor when it gives the error.
quiet() {
	check_out "nothing is told before this command: $1" '' hook claude-code pretool "q$1" "$2"
	check_out "nothing is told after this command: $1" '' \
		hook claude-code posttool "q$1" "$2" "$(failed "$3" "${4-1}")"
}
check_out 'nothing is told before a command that worked' '' \
	hook claude-code pretool c1 'python3 tool.py'
check_out 'what worked in the end' '' hook claude-code pretool c2 'make pond'
check_out 'nothing is told where there is no command' '' hook claude-code pretool c3 'x' \
	'{"tool_name":"Read","tool_input":{"file_path":"a"}}'
check_like 'as the log says' 'changes no file and runs no command' mem-hook --log -n 1
check_out 'nothing is told where there is no directory' '' \
	hook claude-code pretool c4 'heron build --fast' '{"cwd":null}'
check_out 'a command that worked' '' hook codex PostToolUse c5 'make pond' \
	'{"tool_response":"Exit code: 0\nerror: cannot find the library libpond"}'
dir=other
quiet 'in another project' 'heron build --fast' "$flag" 2
dir=
user=tom
quiet 'to another user' 'heron build --fast' "$flag" 2
user=

# lost NAME: a call of otter that failed
lost() { ran "otter $1" 1 "error: one of the otters of $1 is missing"; }
{
	past t1 repo; lost a; edited; ran 'otter a' 0
	past t2 repo; lost b; ran 'ls' 0; ran 'git status' 0; ran 'otter b' 0
	past t3 repo; lost c; asked; ran 'otter c -v' 0
	past t4 repo; lost d; ran 'otter d | tail -1' 0
	past t5 repo; lost e; ran 'otter e -v' 0 'error: one of the otters of e is missing'
	past t6 repo; lost 'lake'; ran 'otter river' 0
	past t7 repo; lost g; edited; ran 'otter g -v' 0
	past u1 repo; lost i; ran 'otter i --force' 0
	past u2 repo; lost j; ran 'rm -rf den' 0; ran 'otter j' 0
	past t8 repo; lost h; ran 'otter h -v' 0
	ran 'badger h' 127 'bash: badger: command not found'; ran 'badger2 h' 0
	day=2
	past t9 repo; ran 'otter h' 0; ran 'badger k' 0
} | store
day=
otters() { quiet "$1" "otter $2" "error: one of the otters of $2 is missing"; }
otters 'a failure that an edit mended' a
otters 'one that went by itself' b
otters 'one that the user mended' c
otters 'one that a pipe hides' d
otters 'one that is still shown' e
otters 'one of another operand' lake
otters 'one that an edit may have mended' g
otters 'one that force overcame' i
otters 'one that a removal cured' j
check_out 'a line that worked since' '' hook claude-code pretool d1 'otter h'
check_out 'a program that is there now' '' hook claude-code pretool d2 'badger h'
check_out 'nothing is told of the session itself' '' \
	hook claude-code pretool one 'heron build --fast'
check_out 'a line of the log for each' true sh -c \
	'mem-hook --log -n 100 | jq -s "map(select(.event | endswith(\"tool\"))) | length > 30"'
check 'no word of them in it' sh -c '! grep -i -e otter -e heron mem.db.hooks'

# ---- hosts that read no answer ----

check_out 'gemini before a call' '{}' sh -c 'echo "{}" | mem-hook gemini pretool'
check_out 'cursor is answered with an object where nothing is told' '{}' \
	sh -c 'echo "{}" | mem-hook cursor pretool'
check_out 'qwen is answered with an object where nothing is told' '{}' \
	sh -c 'echo "{}" | mem-hook qwen pretool'
check_out 'kimi is answered with nothing before and after' '' \
	sh -c 'echo "{}" | mem-hook kimi pretool; echo "{}" | mem-hook kimi posttool'
check_out 'copilot after a call' '{}' sh -c 'echo "{}" | mem-hook copilot posttool'
check_like 'as the log says' 'reads no answer' mem-hook --log -n 1

# ---- the plugin ----

if command -v node >/dev/null; then
	mem-hook --wiring opencode >mem.mjs
	cat >try.mjs <<'EOT'
import { Mem } from "./mem.mjs"
const plugin = await Mem({ client: {}, directory: process.cwd() + "/repo" })
const call = { sessionID: "o", args: { command: "make pond" } }
const gave = { output: "error: cannot find the library libpond", metadata: { exit: 2 } }
await plugin["tool.execute.after"]({ tool: "read", ...call }, gave)
await plugin["tool.execute.after"]({ tool: "bash", ...call }, gave)
const system = ["You are an agent."]
await plugin["experimental.chat.system.transform"]({ sessionID: "o" }, { system })
console.log(system[0].includes("libpond-dev"))
process.exit(0)
EOT
	check_out 'the plugin tells the next request' true node try.mjs
else
	skip 'the plugin tells the next request' 'no node'
fi

# ---- forgetting ----

mem-forget -q -f -s one
mem-forget -q -f -s cures
mem-forget -q -f -s silent
quiet 'of a session that was forgotten' 'heron build --fast' "$flag" 2
quiet 'and its programs' 'python x.py' "$none" 127
check_out 'the log does not know that it was told' 0 sh -c \
	'mem-hook --log -n 200 | jq -s "map(select(.did == \"recalled\")) | length"'

# ---- lines that many errors end with ----

shut='kiln: the door of the kiln stands open'
end='make: *** [Makefile:7: all] Error 2'
{
	past z1 repo
	ran 'kiln all' 1 "$shut
$end"
	ran 'kiln all --shut' 0
} | store
check_out 'another error with the same last line has another cure' '' \
	hook claude-code posttool y1 'kiln x' "$(failed "error: the clay of the pot is wet
$end")"
check_out 'the last line alone tells no cure' '' \
	hook claude-code posttool y2 'kiln x' "$(failed "$end")"
check_out 'what the program says by its name is the error' \
	"this failed on 2024-05-11: $shut; what worked: kiln all --shut" \
	hook claude-code posttool y3 'kiln x' "$(failed "$shut
$end")"
check_out 'an error is found by what the program says by its name' 'kiln all --shut' sh -c \
	'mem-search -j --error "$1" >f && jq -r .instead f' sh "$shut"
check_out 'an error is found by its last line where no other is known' 'kiln all' sh -c \
	'mem-search -j --error "make: *** [Makefile:9: all] Error 2" >f && jq -r .of f'
{
	past z0 repo
	ran 'glaze' 1 'error: the first coat is missing
error: see the manual of the glaze'
	ran 'glaze --coat' 0
} | store
check_out 'errors that share one later line of two are not the same' '' \
	hook claude-code posttool v1 'glaze x' "$(failed 'error: the brush is dry as dust
error: see the manual of the glaze')"
done_testing
