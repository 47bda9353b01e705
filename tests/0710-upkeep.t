#!/bin/sh
# mem-upkeep: what is due, and why; each step once; a kill, two at once, a store that is read-only.
. "${0%/*}/lib.sh"
unset MEM_SEED
unset MEM_DB
export MEM_MODEL=none                      # make demo leaves one beside the programs

mkdir -p .claude/projects/x
talk() { # N WORDS: turns of a session of Claude Code
	jq -nc --argjson n "$1" --arg w "$2" 'range($n) | {type: "user", sessionId: "s",
		cwd: "/yard", uuid: "\(.) \($w)", timestamp: "2024-05-20T10:00:00Z",
		message: {role: "user", content: "We decided to paint gantry \(.) \($w)"}}' \
		>>.claude/projects/x/s.jsonl
}
plan() { mem-upkeep --plan "$@" | jq -r .step | xargs; }
did() { mem-upkeep "$@" | jq -rs 'map("\(.step) \(.status)") | join(" ") | select(. != "")'; }

talk 7 one
check_out 'without a store there are histories' histories plan
check_like 'for people it is a line' '^histories +agents have' mem-upkeep --plan --format text
check_status 'a plan makes no store' 1 test -e .local/share/mem/mem.db
check_out 'histories come first, and make the others due' \
	'histories 0 summaries 0 figures 0 check 0' did
check_out 'the session is summed up' 1 sh -c 'mem-list summaries | wc -l'
check_out 'no fact is made' 0 sh -c 'mem-list facts | wc -l'
check_out 'then nothing is due, and nothing is told' '' did
check_out 'with -v it is, what was looked at' 'histories 0' did -v
check_out 'mem-stats tells when each was done' \
	'upkeep.histories upkeep.summaries upkeep.figures upkeep.check' sh -c \
	'mem-stats -j | jq -r "select(.unit == \"time\") | .name" | grep upkeep | xargs'
check_out 'a plan names no histories in which nothing is new' '' mem-upkeep --plan
check_out 'a week later it is' 'figures check' env MEM_NOW=2024-05-28T12:00:00Z \
	sh -c 'mem-upkeep --plan | jq -r .step | xargs'
talk 6 two
check_like 'a plan says why' '"step":"summaries","why":"sessions have no .*"limit":0' sh -c \
	'mem-upkeep -q --skip summaries; mem-upkeep --plan'
check_out 'a step may be left out' '' did --skip summaries
check_out 'nothing is printed with -q' '' mem-upkeep -q

# ---- limits ----

for i in 1 2 3; do mem-remember -q --fact "Gantry $i belongs to crew $i"; done
check_out 'facts go by no limit but one that was set' '' did
check_out 'by that they do' 'facts 0' env MEM_FACTS_MAX=2 sh -c \
	'mem-upkeep | jq -r "\"\(.step) \(.status)\"" | xargs'
check_out 'facts are pruned down to the limit' 2 sh -c 'mem-list facts | wc -l'

# ---- backups ----

check_like 'the first backup is told as that' '"why":"no backup was made yet"' \
	mem-upkeep --plan --backup copy.db
check_out 'a backup, where one is asked for' 'backup 0' did --backup copy.db
check_out 'it is a store' 13 sh -c 'mem-list -d copy.db | wc -l'
check_out 'a backup is made once a day' '' did --backup copy.db
check_out 'the next replaces it' 'backup 0' env MEM_NOW=2024-05-21T12:00:00Z sh -c \
	'mem-upkeep --backup copy.db | jq -r "\"\(.step) \(.status)\"" | xargs'
check_status 'nothing is left beside it' 1 test -e copy.db.new
check_out 'one that fails is told, and tried again' 'backup 1' \
	env MEM_NOW=2024-05-23T12:00:00Z sh -c 'mem-upkeep --backup /nowhere/copy.db 2>said |
	jq -r "\"\(.step) \(if .status > 0 then 1 else 0 end)\"" | xargs; mem-upkeep --plan \
	--backup /nowhere/copy.db | grep -q backup && grep -q nowhere said'

echo kept >notes.txt
for file in notes.txt .local/share/mem/mem.db; do
	before=$(ls -i "$file")
	check_err "no backup in place of ${file##*/}" 78 'replace what is no backup' \
		env MEM_NOW=2024-05-25T12:00:00Z mem-upkeep -q --backup "$file"
	check_out 'which is still what it was' "$before" ls -i "$file"
done

# ---- models ----

check_out 'without a budget no model is asked' 0 env MEM_CHAT_URL=http://127.0.0.1:9 \
	MEM_LLM_COMMAND="touch asked; false" MEM_SUMMARIZE_MESSAGES=1 sh -c \
	'mem-upkeep -q; ls asked 2>/dev/null | wc -l'
if "$B/tests/torture/tiny_model" tiny; then
	mkdir models
	mem-model convert tiny -o models/tiny.model >/dev/null
	export MEM_MODEL=tiny MEM_MODELS="$PWD/models"
	check_out 'vectors are made where there is a model' 'vectors 0' did
	talk 1 three
	check_out '--skip skips what comes later, too' 'histories 0 vectors 0' did --skip summaries
	talk 6 more
	check_out 'a new summary has a vector at once' 'histories 0 summaries 0 vectors 0 0' sh -c '
		echo $(mem-upkeep | jq -r "\"\(.step) \(.status)\"") \
		$(mem-stats -j | jq "select(.name == \"vectors.missing\").value")'
	jq -nc '{session: "z", role: "user", content: "one more"}' | mem-ingest -q
	if [ -e "$B/models" ]; then
		skip 'without it, it is said what is missing' "there are models in $B/models"
	else
		check_like 'without it, it is said what is missing' 'mem-model get' \
			env MEM_MODEL= MEM_MODELS=/nowhere mem-upkeep --plan
	fi
	export MEM_MODEL=none
	unset MEM_MODELS
fi

# ---- topics ----

jq -nc 'range(150) | {session: "t", id: "t\(.)", role: "user", time: "2024-05-20T11:00:00Z",
	content: "The crane \(.) lifts steel and the ferry \(. * 7 % 31) carries grain"}' | mem-ingest -q
check_like 'topics are sorted by upkeep' 'topics 0' did
jq -nc 'range(150) | {session: "t", id: "u\(.)", role: "user", time: "2024-05-20T11:30:00Z",
	content: "The lock \(.) lets barges and the dredger \(. * 7 % 31) moves gravel"}' | MEM_NOW=2024-05-20T12:30:00Z mem-ingest -q
topics() { MEM_NOW=2024-05-20T$1:00Z mem-upkeep --plan | jq -r 'select(.step == "topics").step'; }
check_out 'topics are not sorted again within six hours' '' topics 17:30
check_out 'topics are sorted again after six hours' topics topics 18:01

# ---- two at once, a kill, a store that cannot be written ----

talk 3000 four
mem-upkeep -q & first=$!
mem-upkeep -q & second=$!
wait $first; a=$?
wait $second; b=$?
check_out 'two at once do no harm' '0 0' echo $a $b
check_out 'each message is there once' '' sh -c 'mem-list -j | jq -r .source_id | sort | uniq -d'
talk 2000 five
mem-upkeep -q & first=$!
sleep .2
kill -9 $first
wait $first 2>/dev/null
check 'a killed one is followed by another' mem-upkeep -q
check_out 'all that was ingested is there' 5020 sh -c 'mem-list -j -s s | wc -l'
check_out 'a store of a newer version is left alone' 78 sh -c 'sqlite3 .local/share/mem/mem.db \
	"PRAGMA user_version = 9999"; mem-upkeep -q 2>/dev/null; echo $?'

# ---- off ----

fresh
unset MEM_DB
check_out 'where memory is off nothing is done' '' env MEM_MEMORY=off mem-upkeep
check_status 'not even a store' 1 test -e .local/share/mem/mem.db
check_err 'mem-upkeep takes no operand at all' 64 'takes no operand' mem-upkeep now
done_testing
