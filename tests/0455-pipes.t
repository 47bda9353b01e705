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
	'mem-audit | jq -c "select(.kind == \"unsupported\")" | mem-show | jq -r .id'
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
check_err 'a session has no text for a block' 65 \
	"stdin:1: a record of type 'session' has no text" sh -c 'mem-list sessions -j | mem-context'

# ---- a part of a memory ----

check_out 'hits that are exported, and no more' 'y1 y2' sh -c \
	'mem-search -j "gantry key" | jq -c "select(.source_id)" | mem-export - |
	jq -r "select(.type == \"message\" or .type == \"fact\") | .source_id" | sort | xargs'
check_out 'a session is all of its messages' 'h1' sh -c \
	'mem-list sessions -j | jq -c "select(.id == \"home\")" | mem-export - |
	jq -r "select(.type == \"message\") | .source_id"'
check_out 'a fact alone' "$(mem-list facts -j | jq -r .id)" sh -c \
	'mem-list facts -j | mem-export - |
	jq -r "select(.type == \"message\" or .type == \"fact\") | .id"'
check_out 'it comes in elsewhere' 2 sh -c \
	'mem-list -j | jq -c "select(.session == \"yard\")" | mem-export - | mem-import -q -d other.db && mem-list -j -d other.db | wc -l'
check_like 'as a text' 'Lund' sh -c 'mem-search -j Lund | mem-export --format markdown -'
check_status 'and nothing else' 1 sh -c \
	'mem-search -j Lund | mem-export --format markdown - | grep gantry'
check_out 'nothing found is nothing' 0 sh -c \
	'mem-search -j zeppelin | mem-export - | jq -c "select(.type == \"message\")" | wc -l'
mkfifo lines
exec 3<>lines
echo home >&3
check_err 'hits without the operand give not the whole memory' 64 'standard input is not read' \
	sh -c 'mem-export <&3'
check_out 'nor a line of it' 0 sh -c 'mem-export <&3 2>/dev/null | wc -l'
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
check_status 'nor one beside a part that is named' 0 sh -c \
	'echo home | mem-export -s home >/dev/null'
check_err 'an id of nothing is told' 66 "'nobody' is nothing that is stored here" sh -c \
	'printf "nobody\nsource:h1\n" | mem-export - >part'
check_out 'and the others go out' h1 jq -r 'select(.type == "message") | .source_id' part
check_err 'pam has no messages' 64 "'-' is of ndjson and markdown" sh -c \
	'true | mem-export --format pam -'
done_testing
