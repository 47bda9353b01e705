#!/bin/sh
# llm_command as the name of an agent's own command: each is asked by its documented options, with
# no tools, no session and no hooks of ours; what it prints is read; nothing of it is stored.
. "${0%/*}/lib.sh"
unset MEM_SEED
export MEM_MODELS="$top/none"

# A fake of each command. What it knows of options is what the documentation of the real one lists;
# any other is an error, as there. It keeps what it was given in $fake, fires the hook of its host
# as the real one would, and prints $fake/prints, or runs it where it is a script.
fake=$top/fake
mkdir -p "$fake" "$top/agents"
export fake
cat >"$top/agents/fake" <<'E'
#!/bin/sh
name=${0##*/}
printf '%s\n' "$name" "$@" >"$fake/argv"
env >"$fake/env"
pwd >"$fake/cwd"
asks=$PWD model= system= session=kept
case $name in
codex) [ "$1" = exec ] || exit 2; shift ;;
ollama) [ "$1" = run ] || exit 2; shift ;;
llm) [ "$1" = prompt ] || exit 2; shift ;;
esac
while [ $# -gt 0 ]; do
	case $name:$1 in
	claude:-p | claude:--strict-mcp-config | claude:--disable-slash-commands) shift ;;
	claude:--output-format | claude:--settings) shift 2 ;;
	claude:--tools) [ -z "$2" ] || exit 2; shift 2 ;;
	claude:--model | gemini:--model | codex:-m | llm:-m) model=$2; shift 2 ;;
	claude:--system-prompt | llm:--system) system=$2; shift 2 ;;
	claude:--no-session-persistence | codex:--ephemeral | llm:--no-log) session=; shift ;;
	codex:--json | codex:--skip-git-repo-check | codex:- | llm:--no-stream) shift ;;
	codex:--sandbox | codex:--color | codex:-c) shift 2 ;;
	gemini:--output-format | gemini:--extensions | gemini:--allowed-mcp-server-names) shift 2 ;;
	ollama:--hidethinking | ollama:--nowordwrap) session=; shift ;;
	ollama:[a-z]*) model=$1; shift ;;
	*) echo "$name: unknown option '$1'" >&2; exit 2 ;;
	esac
done
[ -z "${GEMINI_SYSTEM_MD-}" ] || system=$(cat "$GEMINI_SYSTEM_MD")
printf '%s\n' "${model:-its own}" >"$fake/model"
printf '%s' "$system" >"$fake/system"
cat >"$fake/text"
case $name in codex | gemini) host=$name ;; *) host=claude-code ;; esac
jq -nc --arg c "$asks" --arg p "$(cat "$fake/text")" '{session_id: "inside", cwd: $c, prompt: $p,
	transcript_path: ($c + "/none.jsonl"), hook_event_name: "UserPromptSubmit"}' >"$fake/event"
MEM_MEMORY=${heard-$MEM_MEMORY} mem-hook $host prompt <"$fake/event" >"$fake/told" 2>&1
printf '%s' "$session" >"$fake/session"
if [ -x "$fake/prints" ]; then . "$fake/prints"; else cat "$fake/prints"; fi
E
chmod +x "$top/agents/fake"
for a in claude codex gemini llm ollama; do ln -s fake "$top/agents/$a"; done
PATH=$top/agents:$PATH

# prints AGENT TEXT: what AGENT prints whose model says TEXT.
prints() {
	rm -f "$fake/prints"
	case $1 in
	claude) jq -nc --arg t "$2" '{type: "result", subtype: "success", is_error: false, result: $t,
		session_id: "x", total_cost_usd: 0.001, usage: {input_tokens: 10,
		cache_creation_input_tokens: 200, cache_read_input_tokens: 90, output_tokens: 7},
		modelUsage: {"claude-haiku-x": {}}}' ;;
	codex) echo 'a line that is no event'
		jq -nc --arg t "$2" '{type: "thread.started", thread_id: "x"}, {type: "turn.started"},
		{type: "error", message: "Reconnecting... 1/5"},
		{type: "item.completed", item: {id: "0", type: "reasoning", text: "thinking"}},
		{type: "item.completed", item: {id: "1", type: "agent_message", text: $t}},
		{type: "turn.completed", usage: {input_tokens: 300, cached_input_tokens: 100,
			output_tokens: 7}}' ;;
	gemini) echo 'Loaded cached credentials.'
		jq -n --arg t "$2" '{response: $t, stats: {models: {"gemini-flash-lite-x":
		{tokens: {prompt: 300, candidates: 5, total: 307, thoughts: 2, tool: 0}}}}}' ;;
	*) printf '%s\n' "$2" ;;
	esac >"$fake/prints"
}

echo '{"session":"s","id":"a","role":"user","content":"We keep the gantry key in the green box."}' |
	mem-ingest -q

# ---- each of them ----

for a in claude codex gemini llm ollama; do
	: >config
	check "$a: its name is a value of llm_command" mem config set llm_command $a
	[ $a != ollama ] || mem config set chat_model tiny
	prints $a '{"n": 1}'
	check_out "$a: it answers a question that has a schema" '{"n":1}' sh -c \
		'echo "{\"system\":\"Count the words.\",\"text\":\"where is the gantry key?\",
			\"schema\":{\"type\":\"object\",\"required\":[\"n\"]}}" | tr -d "\n" |
			mem-llm | jq -c .json'
	cp "$out" got
	check "$a: it got the text and what to do with it" sh -c '
		cat "$fake/system" "$fake/text" >all
		grep -q "Count the words" all && grep -q "JSON schema" all &&
			grep -q "where is the gantry key" "$fake/text"'
	case $a in
	claude) model=haiku ;;
	gemini) model=flash-lite ;;
	ollama) model=tiny ;;
	*) model='its own' ;;
	esac
	check_out "$a: the cheapest model with a name is asked" "$model" cat "$fake/model"
	check_out "$a: the tokens are those that it counted" "$(case $a in
		llm | ollama) echo estimated ;; *) echo 300 7 ;; esac)" sh -c 'mem-llm hello |
		jq -r "if .tokens_in == 300 then \"300 \(.tokens_out)\" else \"estimated\" end"'
	check "$a: it runs in a directory that is marked off" test -e "$(cat "$fake/cwd")/.mem-off"
	check "$a: nothing but the mark is left in there" sh -c \
		'test "$(ls -A "$(cat "$fake/cwd")")" = .mem-off'
	nothing=; [ $a != gemini ] || nothing='{}'
	check_out "$a: the hook inside tells it nothing" "$nothing" cat "$fake/told"
	heard=on prints $a x
	check_out "$a: nor where the host gives hooks no environment" "$nothing" sh -c \
		'heard=on mem-llm "where is the gantry key?" >said; cat "$fake/told"'
	check_out "$a: the answer is that of the model" x jq -r .text said
	check "$a: no key of ours is handed on" sh -c \
		'MEM_CHAT_KEY=secret7 MEM_EMBED_KEY=secret8 CLAUDECODE=1 mem-llm hello >said
		! grep -q "secret[78]\|^CLAUDECODE=" "$fake/env"'
	check_like "$a: no model is asked from inside of a call" 'memory is off' sh -c \
		'MEM_MEMORY=off mem-llm hello || test $? = 78'
	check_like "$a: nor where the environment is lost on the way" 'memory is off in this' \
		sh -c 'cd "$(cat "$fake/cwd")" && mem-llm hello || test $? = 78'
done
check_like 'where no call of ours runs the same hook tells it' 'green box' sh -c \
	'jq -c ".session_id = \"out\" | .cwd = \"/\" | .prompt = \"where is the gantry key?\"" "$fake/event" |
		mem-hook claude-code prompt'
check_out 'nothing of all that was said is stored' 'We keep the gantry key in the green box.' \
	sh -c 'mem-list -j | jq -r .content'
check_status 'no hook of the child is in the log with a session' 1 \
	sh -c 'mem-hook --log | grep inside'

# ---- what an agent keeps all the same stays away ----

place=$(cat "$fake/cwd")
mkdir -p .gemini/tmp/asking/chats
printf '%s' "$place" >.gemini/tmp/asking/.project_root
jq -nc '{sessionId: "g1", projectHash: "x", startTime: "2024-05-20T10:00:00Z",
	lastUpdated: "2024-05-20T10:00:00Z", messages: [{id: "1", timestamp: "2024-05-20T10:00:00Z",
	type: "user", content: "Message: I live in Lisbon."}]}' \
	>.gemini/tmp/asking/chats/session-2024-05-20T10-00-g1.json
jq -nc --arg c "$place" '{type: "user", sessionId: "c1", cwd: $c, uuid: "u1",
	timestamp: "2024-05-20T10:00:00Z", message: {role: "user", content: "I live in Lisbon."}}' \
	>c1.jsonl
check 'histories in which a question of ours stands are read' mem-ingest -q .gemini c1.jsonl
check_out 'the question that was asked is not stored' 0 sh -c \
	'mem-list messages -j | jq -s "map(select(.content | test(\"Lisbon\"))) | length"'

# ---- what goes wrong ----

: >config
mem config set llm_command claude
told() { # the reply's error and message; without a store nothing is counted
	MEM_DB=none mem-llm hello 2>/dev/null | jq -r '"\(.error): \(.message)"'
}
jq -nc '{type: "result", subtype: "success", is_error: true, result: "Invalid API key"}' \
	>"$fake/prints"
check_out 'an error that it prints is told' 'server: claude: Invalid API key' told
printf '%s\n' 'echo "error: unknown option --tools" >&2; exit 1' >"$fake/prints"
chmod +x "$fake/prints"
check_out 'a fault of its options is told with its words' \
	'server: claude ended with status 1: error: unknown option --tools' told
printf 'exit 255\n' >"$fake/prints"
check_like 'a status that no signal gives is told as a status' \
	'server: claude ended with status 255' told
printf 'kill -9 $$\n' >"$fake/prints"
check_like 'an agent that a signal ends is told' 'server: claude ended with signal 9' told
printf 'exit 0\n' >"$fake/prints"
check_like 'an agent that says nothing is told as that' 'reply: claude gives no answer' told
for left in 'setsid sleep 30 & cat "$fake/prints.json"' \
	'cat "$fake/prints.json"; exec >&- 2>&-; sleep 2'; do
	prints claude answered
	mv "$fake/prints" "$fake/prints.json"
	printf '%s\n' "$left" >"$fake/prints"
	chmod +x "$fake/prints"
	check_out "the answer counts of a command that leaves something running: $left" answered \
		sh -c 'MEM_LLM_COMMAND=claude MEM_LLM_TIMEOUT=20 mem-llm hello | jq -r .text'
done
printf 'sleep 600 & echo $! >"$fake/pid"; wait\n' >"$fake/prints"
rm -f "$fake/pid"
check 'a question that is interrupted ends' sh -c '
	echo "{\"role\":\"user\",\"content\":\"We talked about the boat for an hour and more.\"}" |
		MEM_LLM_COMMAND=claude mem-extract &
	p=$!
	while [ ! -s "$fake/pid" ]; do sleep .1; done
	kill -TERM $p; wait $p; test $? -ge 128'
check 'what the command that it asked had started is ended, too' sh -c '
	for i in $(seq 100); do kill -0 "$1" 2>/dev/null || exit 0; sleep .1; done; exit 1' \
	sh "$(cat "$fake/pid")"
check_out 'what hangs is ended when the time is over' 'timeout: no answer in time' \
	env MEM_LLM_TIMEOUT=1 sh -c "$(printf '%s' 'mem-llm hello 2>/dev/null |
		jq -r "\"\(.error): \(.message)\""')"
check 'nothing of its question is left where gemini was ended' sh -c '
	MEM_LLM_TIMEOUT=1 MEM_LLM_COMMAND=gemini mem-llm --system "Say no word." hello >told 2>&1
	test -s "$fake/system" && ! ls "$1" | grep system-' sh "$place"
printf 'head -c 9000000 /dev/zero | tr "\\0" x\n' >"$fake/prints"
check_like 'an answer without end is cut off' 'reply: answer is over' told
rm "$top/agents/claude"
check_like 'one that is not installed is told by its name' \
	'config: llm_command is claude, which is not installed' env PATH="$bin:/usr/bin:/bin" \
	sh -c 'MEM_DB=none mem-llm hello 2>/dev/null | jq -r "\"\(.error): \(.message)\""'
ln -s fake "$top/agents/claude"
mem config set llm_command ollama
check_like 'ollama needs a model' 'ollama needs a model: chat_model' told
mem config set llm_command codex
jq -nc '{type: "turn.failed", error: {message: "usage limit reached"}}' >"$fake/prints"
chmod -x "$fake/prints"
check_out 'a turn of codex that failed is an error' 'server: codex: usage limit reached' told

# ---- by those who ask ----

mem config set llm_command claude
q='my two cats do not like fish'
prints claude "{\"facts\":[{\"turn\":1,\"fact\":\"Ann's two cats do not like fish\",\"quote\":\"$q\"}]}"
m='{"id":"m","role":"user","name":"Ann","content":"Yesterday I told Carl that my two cats do not like fish at all, as you know."}'
check_out 'facts are found by it' "Ann's two cats do not like fish | model:claude-haiku-x" sh -c \
	'printf "%s\n" "$1" | mem-extract | jq -r "\"\(.content) | \(.made)\""' sh "$m"
check_like 'the ledger names the model and counts its tokens' \
	'mem-extract haiku 300' sh -c 'mem-stats --calls |
		jq -r "select(.program == \"mem-extract\") | \"\(.program) \(.model) \(.tokens_in)\""'
check_like 'an estimate names the model' 'the model is haiku' sh -c \
	'printf "%s\n" "$1" | mem-extract -v --estimate 2>&1' sh "$m"
: >config
check_like 'where none is set it names a command that has one' \
	'no model is set, but claude has one: mem config set llm_command claude' sh -c \
	'printf "%s\n" "$1" | mem-extract -v --estimate 2>&1' sh "$m"
check_out 'an address that is given by hand comes first' 'connect' sh -c \
	'mem-llm --url http://127.0.0.1:9 --timeout 1 hello | jq -r .error'

# ---- a service of vectors beside it ----

. "$ROOT/tests/llm.sh"
serve
prints claude x
check_out 'the key of a service of vectors is still its own after a call of the command' \
	'/ok/v1/embeddings Bearer k7' sh -c 'printf "%s\n" "{\"text\":\"hello\"}" \
	"{\"kind\":\"embed\",\"text\":\"a boat\"}" | env MEM_EMBED_KEY=k7 MEM_LLM_COMMAND=claude \
		MEM_EMBED_URL="$1/ok/v1" MEM_EMBED_API=openai mem-llm >/dev/null
		tail -n 1 "$2" | cut -d " " -f 2-' sh "$url" "$log"
unserve
done_testing
