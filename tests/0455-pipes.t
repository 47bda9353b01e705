#!/bin/sh
# What programs print goes into the others: records of every type, plain lines, and nothing at all.
. "${0%/*}/lib.sh"
unset MEM_SEED

printf '%s\n' \
	'{"session":"yard","id":"y1","role":"user","content":"We keep the gantry key in the green box."}' \
	'{"session":"yard","id":"y2","role":"assistant","content":"The gantry key, in the green box."}' \
	'{"session":"home","id":"h1","role":"user","content":"I live in Lund and bake on Sundays."}' |
	mem-ingest -q
mem-remember -q --kind fact 'The gantry is greased in May'
mem-list facts -j | jq -r .id >fact

# ---- questions ----

for program in mem-search mem-rewrite mem-context 'mem-hook --gate'; do
	check_status "a plain line is a question of $program" 0 sh -c \
		'echo "where is the gantry key?" | '"$program | grep -q 'gantry key'"
done
check_out 'a number and a word of JSON are text, too' 2 sh -c \
	'printf "42\ntrue\n" | mem-rewrite | jq -r .query | wc -l'
check_err 'what begins as a record must be one' 65 '^mem-search: stdin:2: ' sh -c \
	'printf "gantry\n{gantry\n" | mem-search >/dev/null'
check_like 'what a record says is looked for' green sh -c \
	'mem-list -j | jq -c "select(.source_id == \"y1\")" | mem-search -n 1 | jq -r .content'

# ---- ids ----

check_out 'a block stands for its items' 'y1 y2' sh -c \
	'mem-context -j "gantry key green box" | jq -c ".items |= map(select(.source_id))" |
	mem-show | jq -r .source_id | sort | xargs'
check_out 'a finding for what it is about' "$(cat fact)" sh -c \
	'jq -nc --arg id "$(cat fact)" "{type: \"finding\", kind: \"unsupported\",
		records: [{form: \"mem\", id: \$id}]}" | mem-show | jq -r .id'
check_err 'a finding about a memory of another form is refused' 65 \
	"^mem-forget: stdin:1: it is about a memory of the form 'claude'" \
	sh -c 'echo "{\"type\":\"finding\",\"records\":[{\"form\":\"claude\",\"id\":\"$(cat fact)\"}]}" |
	mem-forget -'
check_out 'a verdict that stored nothing for what there was' "$(cat fact)" sh -c \
	'mem-list facts -j | mem-remember -j | mem-show | jq -r .id'
check_out 'the end of an answer for nothing' 2 sh -c \
	'mem-search --ends -j "gantry key" -n 2 | mem-show | wc -l'
check_out 'a step for its number' 0 sh -c \
	'mem-edit --steps -j | tail -n 1 | mem-edit -q --undo - >/dev/null && mem-list facts | wc -l'
check_status 'no step is no fault' 0 sh -c 'true | mem-edit --undo -'
mem-remember -q --kind fact 'The gantry is greased in May'

# ---- messages and records ----

check_like 'hits are read for facts' Lund sh -c \
	'mem-search -j Lund | mem-extract | jq -r .content'
for kind in facts chunks; do
	check_like "$kind go into a block" gantry sh -c "mem-list $kind -j | mem-context"
done
printf '%s\n' '{"session":"w","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"pytest -q"}}]}' \
	'{"session":"w","role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ModuleNotFoundError: No module named winch","is_error":true}]}' |
	mem-ingest -q
check_like 'the turn of an error that was found goes into a block' 'module named winch' sh -c \
	'mem-search -j --error "No module named winch" | mem-context'
check_err 'a session has no text for a block' 65 \
	"stdin:1: a record of type 'session' has no text" sh -c 'mem-list sessions -j | mem-context'

for what in mem-stats 'mem config' mem-check; do
	check_err "what $what says is no conversation" 65 "a record of type '.*' is no message" \
		sh -c "$what -j </dev/null | mem-ingest -n"
done

# ---- a part of a memory ----

check_out 'hits that are exported, and no more' 'y1 y2' sh -c \
	'mem-search -j "gantry key" | jq -c "select(.source_id)" | mem-export - |
	jq -r "select(.type == \"message\" or .type == \"fact\") | .source_id" | sort | xargs'
check_out 'a session is all of its messages' 'h1' sh -c \
	'mem-list sessions -j | jq -c "select(.id == \"home\")" | mem-export - |
	jq -r "select(.type == \"message\") | .source_id"'
check_out 'a fact alone is exported from a pipe' "$(mem-list facts -j | jq -r .id)" sh -c \
	'mem-list facts -j | mem-export - |
	jq -r "select(.type == \"message\" or .type == \"fact\") | .id"'
check_out 'what is exported from a pipe is imported elsewhere' 2 sh -c \
	'mem-list -j | jq -c "select(.session == \"yard\")" | mem-export - | mem-import -q -d other.db && mem-list -j -d other.db | wc -l'
check_like 'hits from a pipe are exported as Markdown' 'Lund' \
	sh -c 'mem-search -j Lund | mem-export --format markdown -'
check_status 'hits from a pipe are exported without anything else' 1 sh -c \
	'mem-search -j Lund | mem-export --format markdown - | grep gantry'
check_out 'nothing found is nothing' 0 sh -c \
	'mem-search -j zeppelin | mem-export - | jq -c "select(.type == \"message\")" | wc -l'
mkfifo lines
exec 3<>lines
echo home >&3
check_err 'hits without the operand give not the whole memory' 64 'standard input is not read' \
	sh -c 'mem-export <&3'
check_out 'hits without the operand export not a line' 0 sh -c 'mem-export <&3 2>/dev/null | wc -l'
read -r got <&3
# The export waits for its reader, who writes the line then.
head -c 300000 /dev/zero | tr '\0' x | jq -Rc '{session: "long", role: "user", content: .}' |
	mem-ingest -q -d long.db
check_err 'lines that come later are told' 64 'standard input is not read' sh -c \
	'{ mem-export -d long.db <&3; echo $? >st; } | { head -c 1 >/dev/null; echo home >&3; cat; } \
	>/dev/null; exit $(cat st)'
exec 3<&-
check_status 'an input without lines is no matter' 0 sh -c \
	'true | mem-export >whole && test $(wc -l <whole) -gt 5'
check_status 'an input beside a part that is named is no matter' 0 sh -c \
	'echo home | mem-export -s home >/dev/null'
check_err 'an unknown id is told by mem-export' 66 "'nobody' is nothing that is stored here" sh -c \
	'printf "nobody\nsource:h1\n" | mem-export - >part'
check_out 'records beside an unknown id are exported' h1 \
	jq -r 'select(.type == "message") | .source_id' part
check_err 'pam has no messages' 64 "'-' is of ndjson and markdown" sh -c \
	'true | mem-export --format pam -'

# ---- what is not read ----

for program in mem-export mem-list mem-stats mem-summarize mem-cluster mem-audit mem-prune \
		mem-check mem-profile mem-embed; do
	check_err "$program does not pass its input over" 64 'standard input is not read' \
		sh -c "mem-list -j | $program"
	check "$program has nothing to say of an empty one" sh -c \
		"true | $program >/dev/null 2>err; ! grep 'is not read' err"
done
check_err 'options that name no part do not help' 64 'standard input is not read' \
	sh -c 'mem-list -j | mem-export --redact'
check_status 'a loop that says what it wants may leave its own input' 0 sh -c \
	'mem-list sessions -j | jq -r .id | while read -r s; do mem-summarize -s "$s"; cat; done'

# ---- summaries of what was found ----

fresh
printf '%s\n' \
	'{"session":"yard","id":"y1","role":"user","content":"We keep the gantry key in the green box."}' \
	'{"session":"home","id":"h1","role":"user","content":"I live in Lund and bake on Sundays."}' |
	mem-ingest -q
check_out 'the session of a hit is summed up' yard sh -c \
	'mem-search -j "gantry key" | mem-summarize - | jq -r .session'
check_out 'a summary that is up to date is printed again, each once' 'home yard' sh -c \
	'mem-list -j | cat - - | mem-summarize - | jq -r .session | sort | xargs'
check_out 'sessions from a pipe are summed up' home sh -c \
	'mem-list sessions -j | grep home | mem-summarize - | jq -r .session'
check_err 'an unknown id is told by mem-summarize' 66 "'nobody' is nothing" \
	sh -c 'echo nobody | mem-summarize -'
check_status 'an empty pipe has nothing to sum up' 0 sh -c 'true | mem-summarize -'
check_err 'facts are another matter' 64 'names sessions' sh -c 'true | mem-summarize --facts -'

# ---- forgetting ----

check_out 'an empty list forgets nothing' '' sh -c 'true | mem-forget -f -'
check_like 'a session goes whole' '"session":"home"' sh -c \
	'mem-list sessions -j | grep home | mem-forget -'
check 'what was only said to go is forgotten from a pipe' \
	sh -c 'mem-forget -j -s home | mem-forget -f -'
check_out 'sessions that were not in the pipe stay' yard sh -c 'mem-list sessions -j | jq -r .id'
check_status 'an operand is an id, and no session' 66 mem-forget -f yard

# ---- facts of others ----

mem-remember -q --fact --source source:y1 'The gantry key is green'
check_err 'facts go into another store, without what they rest on' 0 \
	'1 of another store, without sources' sh -c \
	'mem-list facts -j | mem-remember -d other.db >/dev/null'
check_out 'facts of another store are remembered from a pipe' 'The gantry key is green' sh -c \
	'mem-list facts -j -d other.db | jq -r .content'
check_err 'a new fact rests on what is here' 65 'there is no such message' sh -c \
	'echo "{\"type\":\"fact\",\"content\":\"It rains\",\"sources\":[\"y9\"]}" | mem-remember -d other.db'
check_out 'facts are looked at as those of any memory' secret sh -c \
	'{ mem-list facts -j; echo "{\"type\":\"fact\",\"user\":\"default\",\"content\":\"the PIN is 9912\"}"; } |
	mem-audit --only secret -j - | jq -r .kind'
check_status 'an export is audited from a pipe' 0 sh -c 'mem-export -u default | mem-audit -j -'
check_err 'messages from a pipe are not audited' 65 'holds no memory that is known' \
	sh -c 'mem-list -j | mem-audit -'
check_err 'hits that are no messages are passed over' 0 'hits are no messages' sh -c \
	'{ mem-search -j "gantry key green"; echo "{\"type\":\"hit\",\"kind\":\"fact\"}"; } | mem-extract'
check_err 'none of them is none' 65 'no hit is a message' sh -c \
	'echo "{\"type\":\"hit\",\"kind\":\"fact\"}" | mem-extract'

# ---- memories of other programs ----

cat >mcp.jsonl <<'E'
{"type":"entity","name":"Ann","entityType":"person","observations":["has a dog named Rex"]}
{"type":"relation","from":"Ann","to":"Bob","relationType":"knows"}
E
cat >chatgpt.json <<'E'
{"memories":[{"id":"m1","content":"Prefers tea over coffee","updated_at":"2024-01-02T00:00:00Z"}]}
E
cat >mem0.json <<'E'
{"results":[{"id":"x1","memory":"Plays the violin","created_at":"2024-02-02T10:00:00Z"}]}
E
cat >claude.json <<'E'
[{"conversations_memory":"The user is a baker.\nThe password is hunter22xyz."}]
E
printf '# Me\n- The build uses meson\n' >MEMORY.md
for file in mcp.jsonl chatgpt.json mem0.json claude.json; do
	check_like "memories in $file are imported" '"stored":[12],' \
		sh -c "mem-import -d new.db <$file"
	check_like 'a second time there is nothing new' '"stored":0,"same":[12],' \
		mem-import -d new.db $file
done
check_like 'notes are imported by the name of their file' '"stored":1,' \
	mem-import -d new.db MEMORY.md
check_err 'notes without a name are not imported' 65 'stdin:1: invalid JSON' sh -c \
	'mem-import -d new.db <MEMORY.md'
check_out 'each a fact, with its source and time' \
	'Prefers tea over coffee 2024-01-02T00:00:00Z import m1
Plays the violin 2024-02-02T10:00:00Z import x1
Ann: has a dog named Rex null import Ann:1
The user is a baker. null import conversations_memory:1
The build uses meson null import null' sh -c 'mem-list facts -j -d new.db | grep -v password |
	jq -r "[.content, .time, .origin, .source_id] | map(. // \"null\") | join(\" \")"'
check_status 'imported memories are without their secrets' 1 \
	sh -c 'mem-list facts -j -d new.db | grep hunter22'
check_like 'a view of a memory comes in elsewhere' '"stored":6,' sh -c \
	'mem-export -u default -d new.db --format pam | mem-import -d third.db'
check_err 'transcripts are not imported as memories' 65 'its keys are role' sh -c \
	'echo "{\"role\":\"user\",\"content\":\"x\"}" | mem-import -d third.db'
done_testing
