#!/bin/sh
# Memory that is off: by the setting, for a session, in a project: nothing is stored, nothing told.
. "${0%/*}/lib.sh"
unset MEM_SEED

mkdir -p repo/.git repo/deep open/.git .claude/projects/x
talk() { # FILE SESSION DIRECTORY WORDS: a transcript of Claude Code
	jq -nc --arg s "$2" --arg c "$PWD/$3" --arg w "$4" '{type: "user", sessionId: $s, cwd: $c,
		uuid: ($s + $w), timestamp: "2024-05-20T10:00:00Z",
		message: {role: "user", content: $w}}' >>"$1"
}
event() { # EVENT SESSION DIRECTORY FILE [PROMPT]
	jq -nc --arg s "$2" --arg c "$PWD/$3" --arg t "$PWD/$4" --arg p "${5-}" \
		'{session_id: $s, cwd: $c, transcript_path: $t, prompt: $p}' |
		mem-hook claude-code "$1"
}
stored() { mem-list -j 2>/dev/null | jq -r .content | sort | xargs; }
asks='where did we keep the gantry key?'

talk .claude/projects/x/old.jsonl old open 'We keep the gantry key in the green box.'
mem-ingest -q .claude/projects

# ---- by the setting, in the environment as for one session ----

check_like 'where memory is on, a prompt is answered' 'green box' \
	event UserPromptSubmit s1 open none "$asks"
talk .claude/projects/x/s2.jsonl s2 open 'The spare key is under the mat.'
export MEM_MEMORY=off
check_out 'off: it is told nothing' '' event UserPromptSubmit s2 open .claude/projects/x/s2.jsonl \
	"$asks"
check 'a session that ends with memory off ends well' event Stop s2 open .claude/projects/x/s2.jsonl
check_like 'the log says why, and not where' 'did":"nothing","why":"memory is off' \
	mem-hook --log -n 1
check_status 'it names no session' 1 sh -c 'mem-hook --log | grep s2'
check_err 'mem-ingest stores nothing while memory is off' 78 'memory is off (.setting memory.)' \
	mem-ingest .claude/projects
check_err 'mem-remember stores nothing while memory is off' 78 'memory is off' \
	mem-remember 'the sky is green'
check_out 'the timer stores nothing, which is no fault' 0 sh -c \
	'mem-setup --ingest >/dev/null; echo $?'
check_like 'an agent is told so' 'memory is off' sh -c "printf '%s\n' \
	'{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}' \
	'{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"recall\",\"arguments\":{\"question\":\"key\"}}}' |
	mem-mcp | grep -v 'green box'"
check_like 'a person may still look' 'green box' mem-search -j 'gantry key'
unset MEM_MEMORY
check_out 'what was said meanwhile stays away afterwards' \
	'We keep the gantry key in the green box.' \
	sh -c 'mem-ingest -q .claude/projects; mem-list -j | jq -r .content'
talk .claude/projects/x/s2.jsonl s2 open 'And the code is on the door.'
check 'a session that was off stays off when it goes on' \
	event Stop s2 open .claude/projects/x/s2.jsonl
check_status 'it is away for good' 1 sh -c 'mem-list -j | grep door'

# the session is away wherever its transcript goes, and of hosts that name none
keeps() { # NAME COMMAND: what becomes of the transcript of a session that was off
	n=$((n + 1))
	talk .claude/projects/x/k$n.jsonl k$n open "The kept key no. $n is in the vase."
	MEM_MEMORY=off event Stop k$n open .claude/projects/x/k$n.jsonl
	(cd .claude/projects/x && eval "$2")
	check_status "a session that was off stays away, its transcript $1" 1 sh -c \
		'mem-ingest -q .claude/projects; mem-list -j | grep vase'
}
keeps 'moved' 'mkdir ../archive && mv k$n.jsonl ../archive'
keeps 'copied' 'cp k$n.jsonl copy.jsonl'
keeps 'packed' 'gzip k$n.jsonl'
echo '{"session_id":"k9","prompt":"x"}' | MEM_MEMORY=off mem-hook kimi UserPromptSubmit
talk .claude/projects/x/k9.jsonl k9 open 'The ninth key is in the vase.'
check_status 'so does one whose host names no transcript' 1 sh -c \
	'mem-ingest -q .claude/projects; mem-list -j | grep vase'
ln -s . home
MEM_MEMORY=off event UserPromptSubmit '' open home/.claude/projects/x/k10.jsonl
talk .claude/projects/x/k10.jsonl k10 open 'The tenth key is in the vase.'
check_status 'so does a transcript that was named through a link before it was there' 1 sh -c \
	'mem-ingest -q .claude/projects; mem-list -j | grep vase'

# ---- for a time ----

export MEM_OFF_UNTIL=2999-01-01T00:00Z
check_out 'off until a time to come: nothing is told' '' event UserPromptSubmit s4 open none "$asks"
check_err 'off until a time to come: nothing is stored' 78 \
	'memory is off for now .setting off_until.' mem-remember 'a note'
talk .claude/projects/x/s6.jsonl s6 open 'The attic key is in the blue jar.'
check 'a session that ends within that time ends well' \
	event Stop s6 open .claude/projects/x/s6.jsonl
check_err 'mem-ingest stores nothing within that time' 78 'memory is off for now' \
	mem-ingest .claude/projects
check_err 'the upkeep stores nothing within that time' 0 'memory is off for now' mem-upkeep -v
check_like 'no language model is asked within that time' '"type":"fact"' sh -c '
	echo "{\"role\":\"user\",\"session\":\"a\",\"content\":\"From now on we use pnpm.\"}" |
	MEM_LLM_COMMAND="touch asked" mem-extract -q && [ ! -e asked ]'
export MEM_OFF_UNTIL=2001-01-01T00:00Z
check_like 'when it has come memory is on' 'green box' event UserPromptSubmit s5 open none "$asks"
check_status 'what was said within that time stays away' 1 sh -c \
	'mem-ingest -q .claude/projects; mem-list -j | grep attic'
export MEM_OFF_UNTIL=soon
check_err 'what is no time is refused' 78 "'off_until' is not a time: 'soon', as 2026" mem-list
unset MEM_OFF_UNTIL

# ---- by project ----

ln -s repo link
for how in 'a file .mem-off' 'a file above' 'the setting' 'the setting, with others and ~' \
	'a setting that names a link' 'a setting, and a link to it' \
	'a name, as -p takes it' 'the last parts of the path' 'a name, of a directory in it'; do
	rm -f repo/.mem-off .mem-off
	: >config
	dir=repo
	case $how in
	'a file .mem-off') touch repo/deep/.mem-off; dir=repo/deep ;;
	'a file above') touch repo/.mem-off; dir=repo/deep ;;
	'the setting') echo "off_projects = $PWD/repo" >config ;;
	*names*) echo "off_projects = $PWD/link" >config ;;
	'a name, as'*) echo 'off_projects = other, Repo' >config ;;
	'the last'*) echo "off_projects = ${PWD##*/}/repo/" >config ;;
	*'directory in'*) echo 'off_projects = repo' >config; dir=repo/deep ;;
	*'link to'*) echo "off_projects = $PWD/repo" >config; dir=link ;;
	*) echo "off_projects = /nowhere, ~/repo/ ,other" >config ;;
	esac
	n=$((n + 1))
	file=.claude/projects/x/p$n.jsonl
	talk $file p$n $dir "The safe opens with $n."
	check_out "off by $how: nothing is told" '' event UserPromptSubmit p$n $dir none "$asks"
	check_like 'memory is on in another place' 'green box' \
		event UserPromptSubmit p$n open none "$asks"
	check "off by $how: nothing is stored" mem-ingest -q $file
	talk $file p$n $dir "And closes with $n."
	check 'also of what is added' mem-ingest -q $file
	check_status 'not a word of it' 1 sh -c 'mem-list -j | grep -E "safe|closes"'
	rm -f repo/deep/.mem-off
done
rm -f repo/.mem-off
echo 'off_projects = /' >config
check_err 'all is off where the root is' 78 'off in this project' \
	mem-remember -p "$PWD/open" 'a note'
echo "off_projects = $PWD/link" >config
check_err 'a directory that is gone is off by the link above it' 78 'off in this project' \
	mem-remember -p "$PWD/link/gone" 'a note'
echo "off_projects = secret" >config
check_err 'mem-ingest says how many it left out' 0 '1 where memory is off' sh -c \
	'echo "{\"role\":\"user\",\"content\":\"x y\"}" | mem-ingest -v -p secret'
check_err 'a note is refused' 78 'off in this project' mem-remember -p secret 'a note'
check_status 'a project whose name begins so is another' 0 mem-remember -q -p secrets 'a note'
printf 'off_projects = Bu\314\210cher\n' >config
check_err 'a name with letters taken apart, or in capitals, is the same' 78 'off in this project' \
	mem-remember -p "$(printf 'B\303\234CHER')" 'a note'
check_status 'a name without its accent is another' 0 mem-remember -q -p bucher 'a note'
echo 'off_projects = repo, deep' >config
check_status 'a project whose name ends so is another' 0 \
	mem-remember -q -p /srv/my-repo 'a note of it'
tools() { # ROOT NAME ARGUMENTS: what a tool of an agent that works in ROOT answers
	(cd "$1" && printf '%s\n' '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}' \
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"$2\",\"arguments\":$3}}" |
		mem-mcp | tail -n 1)
}
check_like 'an agent in a project that is off by its name is told so' \
	'memory is off in this project' tools repo recall '{"question":"gantry key"}'
check_like 'it keeps nothing of such a project from elsewhere, either' \
	'memory is off in this project' tools open remember '{"texts":["x"],"project":"repo"}'
check_like 'one elsewhere is answered' 'green box' tools open recall '{"question":"gantry key"}'
check_err 'a record that names such a project is refused' 78 'off in this project' \
	mem-remember '{"type":"fact","content":"The gate is blue.","project":"repo"}'

# what is stored of a project that is off by now is told to no agent, and to a person
: >config
mem-remember -q --fact -p "$PWD/open" 'The gantry key was moved to the green box.'
talk .claude/projects/x/o1.jsonl o1 open 'The gantry wants oil.'
mem-ingest -q .claude/projects
echo 'off_projects = open' >config
mkdir -p third/.git
id=$(mem-list messages -j | jq -r 'select(.content | test("green box")).id')
for call in 'recall {"question":"where is the gantry key?"}' 'facts {}' \
	"timeline {\"id\":\"$id\"}"; do
	check_status "an agent elsewhere is told nothing of it: ${call%% *}" 1 sh -c \
		"echo '$(tools third "${call%% *}" "${call#* }")' | grep 'green box'"
done
check_like 'one elsewhere that names it is told that it is off' 'memory is off in this project' \
	tools third recall '{"question":"gantry key","project":"open"}'
check_out 'a hook elsewhere tells nothing of it' '' event UserPromptSubmit t1 third none "$asks"
resources() {
	printf '%s\n' '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}' \
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/$1\",\"params\":$2}" |
		(cd third && mem-mcp) | tail -n 1
}
check_status 'its sessions are not listed' 1 sh -c "echo '$(resources list '{}')' | grep gantry"
check_status 'its sessions are not read' 1 sh -c \
	"echo '$(resources read '{"uri":"mem://session/old"}')' | grep gantry"
check_like 'a person is told' 'green box' mem-context 'where is the gantry key?'
check_like 'a person hands it over' 'gantry' mem-resume --handoff -s old

# a server that runs heeds what is set meanwhile
: >config
check_like 'a server that runs stops telling when memory is turned off' \
	'green box.*memory is off for now.*cannot be read.*green box' sh -c '
	mkfifo in out
	mem-mcp <in >out &
	exec 3>in 4<out
	ask() {
		echo "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":$2}" >&3
		read -r line <&4
	}
	tell() {
		ask tools/call \
			"{\"name\":\"recall\",\"arguments\":{\"question\":\"gantry key\"}}"
		printf %s "$line"
	}
	ask initialize "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}"
	tell; mem config set off_until 2999-01-01; tell
	echo nonsense >config; tell; : >config; tell; exec 3>&-'

check_status 'an endless input is not stored from then on' 1 sh -c '
	mkfifo said && { mem-ingest -q --from=ndjson - <said 2>/dev/null & } && exec 3>said
	echo "{\"session\":\"e\",\"role\":\"user\",\"content\":\"The endless one.\"}" >&3
	until mem-list -j -s e 2>/dev/null | grep -q endless; do sleep 0.05; done
	mem config set memory off
	echo "{\"session\":\"e\",\"role\":\"user\",\"content\":\"The hidden one.\"}" >&3
	exec 3>&-; wait; : >config; mem-list -j | grep hidden'

# ---- each host ----

echo 'off_projects = repo' >config
for host in codex cursor gemini copilot; do
	for dir in repo open; do
		told=$(jq -nc --arg c "$PWD/$dir" --arg p "$asks" '{session_id: "h", cwd: $c,
			conversation_id: "h", workspace_roots: [$c], prompt: $p,
			source: "startup"}' |
			mem-hook $host "$(case $host in
				codex) echo UserPromptSubmit ;; cursor) echo beforeSubmitPrompt ;;
				gemini) echo BeforeAgent ;; *) echo userPromptSubmitted ;; esac)")
		mem-hook --log -n 1 | grep -q 'memory is off' && echo "$host off" || echo "$host on"
	done
done >hosts
check_out 'each host is off in a project of that name, and on elsewhere' \
	"$(printf '%s off\n%s on\n' codex codex cursor cursor gemini gemini copilot copilot)" \
	cat hosts
: >config
mem-remember -q -p "$PWD/repo" 'a note of the repository'
echo "off_projects = $PWD/repo" >config
git init -q repo && git -C repo -c user.name=a -c user.email=a@b commit -q --allow-empty -m a &&
	git -C repo worktree add -q ../tree 2>/dev/null
check_like 'a work tree is off with its repository' 'memory is off in this project' \
	tools tree recall '{"question":"gantry key"}'
echo 'The tree is tall.' >tree/note.md
check_status 'documents of a work tree are off with its repository' 1 \
	sh -c 'mem-ingest -q tree; mem-list -j | grep tall'
check_err 'a project that is off by its path is off by its name' 78 'off in this project' \
	mem-remember -p repo 'a second note'
: >config
printf 'memory = perhaps\n' >config
check_err 'another word is none' 78 "must be yes or no" mem-list
done_testing
