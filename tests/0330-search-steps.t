#!/bin/sh
# mem-search --strategy ladder and progressive: which steps are taken, why they stop, what they
# report; both in mem-eval.
. "${0%/*}/lib.sh"
export MEM_MODELS="$top/none"

# tiers with their results, and why it stopped
steps() { name=$1 want=$2; shift 2; check_out "$name" "$want" sh -c 'mem-search --explain "$@" |
	jq -r "select(.type == \"steps\") | (.tiers | map(\"\(.name) \(.results)\") | join(\", \")) + \": \" + .stopped"' \
	sh "$@"; }
hits() { name=$1 want=$2; shift 2; check_out "$name" "$want" sh -c 'mem-search "$@" |
	jq -r "[.rank, .tier, .kind, .content] | map(tostring) | join(\" \")"' sh "$@"; }

steps 'no store' '' --strategy ladder tea
mem-ingest -q >/dev/null <<'EOT'
{"session":"a","source_id":"m1","role":"user","time":"2024-05-01T10:00:00Z","content":"the kettle is in the shed"}
{"session":"a","source_id":"m2","role":"user","time":"2024-05-01T10:01:00Z","content":"a red kettle"}
{"session":"b","source_id":"m3","role":"user","time":"2024-05-02T10:00:00Z","content":"a red kettle"}
{"session":"b","source_id":"m4","role":"user","time":"2024-05-02T10:01:00Z","content":"Sunday was quiet"}
EOT

# ---- ladder ----

steps 'words are enough; with so few summaries vectors are asked' \
	'summaries 0, fulltext 3, vectors 0: enough' --strategy ladder kettle
hits 'of equals the newer one first' '1 conversations message a red kettle
2 conversations message a red kettle
3 conversations message the kettle is in the shed' --strategy ladder -n 3 red kettle
check_out 'that is the one of session b' '["b","a"]' sh -c \
	'mem-search --strategy ladder -n 2 red kettle | jq -sc "map(.session)"'
steps 'a misspelt word' 'summaries 0, fulltext 0, trigrams 3, vectors 0, recent 1: end' \
	--strategy ladder kettel
steps 'words nobody said' 'summaries 0, fulltext 0, trigrams 0, vectors 0, recent 4: end' \
	--strategy ladder zeppelin
steps 'too short for words like it' 'summaries 0, fulltext 0, vectors 0, recent 4: end' \
	--strategy ladder qq
check_out 'a ladder that finds nothing ends with the newest' 'Sunday was quiet' \
	sh -c 'mem-search --strategy ladder zeppelin |
	head -n 1 | jq -r .content'
check_status 'a ladder that ends with the newest has found nothing' 1 \
	mem-search -e --strategy ladder zeppelin
check_status 'a ladder that finds a word has found something' 0 mem-search -e --strategy ladder shed
check_status 'a word that is misspelt is found' 0 mem-search -e kettel
check_status 'a word that is misspelt is not enough beside one that nobody said' 1 \
	mem-search -e kettel zeppelin
check_out 'beside a word that is known, all of what the other weighs is in doubt' true sh -c \
	'mem-search --explain -n 1 red kettel | jq ".coverage < .5"'
steps 'one found, the newest with it' \
	'summaries 0, fulltext 1, trigrams 0, vectors 0, recent 3: end' --strategy ladder shed
check_out 'with the setting at 1 it is enough' 'fulltext 1: enough' sh -c \
	'MEM_LADDER_FEW=1 mem-search --tier conversations --explain --strategy ladder shed |
		jq -r "select(.type == \"steps\") | (.tiers | map(select(.results > 0) | \"\(.name) \(.results)\") | join(\", \")) + \": \" + .stopped"'
steps 'somebody else has nothing' 'summaries 0, fulltext 0, trigrams 0, vectors 0, recent 0: end' \
	-u eve --strategy ladder kettle
steps 'only reflections' 'summaries 0: end' --tier reflections --strategy ladder kettle
steps 'roles are of conversations' 'fulltext 3, vectors 0: enough' --role user --strategy ladder \
	kettle
check 'a summary of each session' sh -c 'MEM_SUMMARIZE_MESSAGES=1 mem-summarize -q >/dev/null'
steps 'two summaries are too few' 'summaries 2, fulltext 3, vectors 0: enough' --strategy ladder \
	kettle
echo '{"session":"c","source_id":"m5","role":"user","time":"2024-05-03T10:00:00Z","content":"my kettle has no lid"}' | mem-ingest -q >/dev/null
echo '{"session":"b","source_id":"m6","role":"user","time":"2024-05-03T11:00:00Z","content":"we sold the old kettle to Omar"}' |
	mem-ingest -q >/dev/null
check 'two more sessions are summed up' sh -c 'MEM_SUMMARIZE_MESSAGES=1 mem-summarize -q >/dev/null'
steps 'three summaries are enough' 'summaries 3: enough' --strategy ladder kettle
steps 'of a session its own alone' 'summaries 1, fulltext 5, vectors 0: enough' -s c \
	--strategy ladder kettle

# ---- progressive ----

hits 'what was said' '1 conversations message Sunday was quiet' --strategy progressive \
	--tier conversations -n 1 quiet Sunday
mem-remember -q >/dev/null <<'EOT'
{"type":"fact","content":"Ann likes green tea","kind":"preference","time":"2024-03-01"}
{"type":"fact","content":"Bob likes green tea","kind":"preference","time":"2024-03-02"}
{"type":"fact","content":"Eve likes green tea","kind":"preference","time":"2024-03-03"}
{"type":"reflection","content":"green tea is what they all drink"}
EOT
steps 'three facts with all the words are enough' 'categories 0, insights 3: enough' \
	--strategy progressive green tea
hits 'and they are the hits' '1 insights fact Eve likes green tea
2 insights fact Bob likes green tea' --strategy progressive -n 2 green tea
setting() { name=$1 want=$2 set=$3; shift 3; check_out "$name" "$want" sh -c 'export "$1"; shift;
	mem-search --explain --strategy progressive "$@" |
	jq -r "select(.type == \"steps\") | (.tiers | map(\"\(.name) \(.results)\") | join(\", \")) + \": \" + .stopped"' \
	sh "$set" "$@"; }
setting 'four results: notes too' 'categories 0, insights 3, reflections 1: enough' \
	MEM_PROGRESSIVE_RESULTS=4 green tea
setting 'with no number of results that suffices all tiers are searched' \
	'categories 0, insights 3, reflections 1, summaries 0, conversations 0: end' \
	MEM_PROGRESSIVE_RESULTS=0 green tea
setting 'two tiers: notes too' 'categories 0, insights 3, reflections 1: enough' \
	MEM_PROGRESSIVE_TIERS=2 green tea
setting 'one of a tier' 'categories 0, insights 1, reflections 1, summaries 0, conversations 0: end' MEM_PROGRESSIVE_TIER=1 green tea
setting 'two in all' 'categories 0, insights 2: limit' MEM_PROGRESSIVE_TOTAL=2 green tea
setting 'half the words are too little' \
	'categories 0, insights 0, conversations 6: end' MEM_PROGRESSIVE_LEAST=0.9 tea kettle
steps 'nothing' 'categories 0, insights 0, reflections 0, summaries 0, conversations 0: end' \
	--strategy progressive zeppelin
check_status '-e ends with 1 where no step finds anything' 1 \
	mem-search -e --strategy progressive zeppelin
steps 'of a bank: facts' 'insights 3: enough' --bank General --tier insights \
	--strategy progressive green tea
check_out 'each step tells how long it took' true \
	sh -c 'mem-search --explain --strategy progressive green tea |
	jq -s "last.tiers | all(.ms >= 0)"'
check_out 'without --explain hits alone' '["hit"]' sh -c \
	'mem-search --strategy progressive green tea | jq -sc "map(.type) | unique"'
check_out 'hits of a progressive search are counted as accesses' 1 \
	sh -c 'a=$(mem-list facts | jq -s "map(.accesses // 0) | max");
	mem-search -n 1 --strategy progressive green tea >/dev/null;
	b=$(mem-list facts | jq -s "map(.accesses // 0) | max"); echo $((b - a))'
if has_terminal; then
	check_like 'people see it with -v' 'stopped: enough' sh -c \
		'script -qc "mem-search -v --strategy progressive green tea" /dev/null </dev/null'
else
	skip 'people see it with -v' 'script(1) gives no terminal'
fi
check_out 'questions on stdin are searched in steps' 2 sh -c \
	'printf "{\"query\":\"green tea\"}\n{\"query\":\"kettle\"}\n" |
		mem-search --explain --strategy progressive |
		jq -s "map(select(.type == \"steps\")) | length"'

# ---- categories ----

kept=$MEM_DB
export MEM_DB="$top/topics.db"
check 'facts are sorted into categories' sh -c '"$B/tests/torture/facts" 240 >/dev/null &&
	mem-cluster -q >/dev/null'
check_out 'a category that the question is about' '[1,"categories","category",1]' sh -c \
	'mem-search --strategy progressive chess | head -n 1 |
		jq -c "[.rank, .tier, .kind, .score]"'
check_out 'a category is found by its id' facts \
	sh -c 'id=$(mem-search --strategy progressive chess | head -n 1 |
	jq -r .id); mem-cluster --list | grep "$id" | jq -r .root'
check_out 'none where a time is asked for' insights sh -c \
	'mem-search --strategy progressive --since 1970 --explain chess |
		jq -r "select(.type == \"steps\") | .tiers[0].name"'
check_out 'a category of another user is not found' '' \
	mem-search --strategy progressive -u eve chess
if has_terminal; then
	check_like 'a category is shown to people' 'category' sh -c \
		'script -qc "mem-search --strategy progressive chess" /dev/null </dev/null'
else
	skip 'for people' 'script(1) gives no terminal'
fi
export MEM_DB="$kept"

# ---- facts are found through the turns that they rest on ----

export MEM_DB="$top/turns.db"
mem-ingest -q >/dev/null <<'EOT'
{"session":"a","source_id":"n1","role":"user","name":"Nora","content":"I started as a midwife at the hospital in Ghent"}
{"session":"a","source_id":"n2","role":"user","name":"Nora","content":"the hospital in Ghent gave every midwife a locker"}
{"session":"a","source_id":"n3","role":"user","name":"Nora","content":"each midwife at the Ghent hospital has Mondays off"}
{"session":"b","source_id":"n4","role":"user","name":"Nora","content":"my canoe is painted in a loud orange"}
{"session":"b","source_id":"n5","role":"user","name":"Nora","content":"the plumber comes on Friday"}
EOT
mem-list messages | jq -c '{n1: "her work", n2: "somewhere to put her things", n3: "no work on Mondays"} as $f |
	select($f[.source_id]) | {type: "fact", content: $f[.source_id], sources: [{id}]}' |
	mem-remember -q >/dev/null
echo '{"type":"reflection","content":"painted canoe, loud orange"}' | mem-remember -q >/dev/null
steps 'facts that rest on the likely turns are enough' 'categories 0, insights 3: enough' \
	--strategy progressive midwife hospital Ghent
setting 'not when the setting wants more results than there are facts' \
	'categories 0, insights 3, conversations 3: enough' \
	MEM_PROGRESSIVE_RESULTS=4 midwife hospital Ghent
check_out 'a fact has the probability of its turn, though it has none of the words' true sh -c \
	'mem-search --strategy progressive midwife hospital Ghent | head -n 1 |
		jq ".tier == \"insights\" and .bm25 == 0"'
steps 'a likely turn without a fact: on to the turns, past the notes' \
	'categories 0, insights 0, conversations 2: end' --strategy progressive painted canoe
check_out 'of a fact whose turn is not meant nothing is said' '["conversations"]' sh -c \
	'mem-search --strategy progressive plumber Friday | jq -sc "map(.tier) | unique"'
export MEM_DB="$kept"

# ---- mem-eval: a fact counts for its sources ----

id=$(mem-list messages | jq -r 'select(.source_id == "m4") | .id')
echo "{\"type\":\"fact\",\"content\":\"lazy weekends\",\"sources\":[{\"id\":\"$id\"}]}" |
	mem-remember -q >/dev/null
echo '{"query":"lazy weekends","relevant":["m4"]}' >q.ndjson
check_out 'a turn is found by its fact' '["bm25",0]
["progressive",1]
["ladder",0]' sh -c 'mem-eval -q -k 1 --strategy bm25,progressive,ladder q.ndjson |
	jq -c "select(.category == \"all\") | [.strategy, .\"recall@1\"]"'
check 'mem-context takes the strategy for fused' sh -c \
	'test "$(MEM_STRATEGY=ladder mem-context kettle)" = "$(mem-context kettle)"'
check 'the store is whole' mem-check --full -q

# ---- bad input ----

check_err 'an unknown strategy is refused' 64 "unknown strategy 'ladders'" \
	mem-search --strategy ladders tea
check_err '--role with facts is refused' 64 'are of conversations' \
	mem-search --strategy ladder --tier insights --role user tea
MEM_PROGRESSIVE_MOST=1
export MEM_PROGRESSIVE_MOST
steps 'one tier is looked into where the setting says so' \
	'insights 0: limit' --strategy progressive --tier insights,conversations zeppelin
unset MEM_PROGRESSIVE_MOST
steps 'without the setting the next tier is looked into' \
	'insights 0, conversations 0: end' --strategy progressive --tier insights,conversations zeppelin
check_err 'progressive_results below none is refused' 78 'progressive_results' \
	env MEM_PROGRESSIVE_RESULTS=-1 mem-search --strategy progressive tea
check_err 'progressive_score over 1 is refused' 78 'progressive_score' \
	env MEM_PROGRESSIVE_SCORE=1.5 mem-search --strategy progressive tea
check_err 'too long a question' 65 'query_bytes' sh -c 'head -c 70000 /dev/zero | tr "\0" x |
	jq -Rc "{query: .}" | mem-search --strategy progressive'
check_out 'control characters, none of them text' '' sh -c \
	'printf "{\"query\":\"\\\\u0001\\\\u0002\"}\n" | mem-search --strategy progressive'
done_testing
