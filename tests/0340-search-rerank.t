#!/bin/sh
# mem-search --llm-rerank: the order of a model, when it is not asked, and what happens when it has
# no answer.
. "${0%/*}/lib.sh"
. "$ROOT/tests/llm.sh"
MEM_MODELS=$PWD/none
export MEM_MODELS

# hits NAME WANT ARGS...: rank, rank before, content of each hit.
hits() { name=$1 want=$2; shift 2; check_out "$name" "$want" sh -c 'mem-search "$@" |
	jq -r "\"\(.rank) \(.was // \"-\") \(.content)\""' sh "$@"; }

check_out 'without a store --llm-rerank finds nothing' '' mem-search --llm-rerank kettle
mem-ingest -q --from=ndjson >stored <<'E'
{"session":"s","id":"m1","role":"user","name":"Mara","time":"2024-05-01T10:00:00Z","content":"The kettle whistles when the kettle boils, kettle talk."}
{"session":"s","id":"m2","role":"user","name":"Mara","time":"2024-05-02T10:00:00Z","content":"We bought the red kettle for 20 euros."}
{"session":"s","id":"m3","role":"assistant","time":"2024-05-03T10:00:00Z","content":"A kettle is a metal pot with a lid and a spout, used for boiling water."}
{"session":"t","id":"m4","role":"user","time":"2024-05-04T10:00:00Z","content":"The blue one cost more than the kettle."}
E
mem-search kettle price >own
check 'a question has four hits in their own order' test "$(wc -l <own)" -eq 4
jq -r .content own >contents
first=$(sed -n 1p contents) second=$(sed -n 2p contents) third=$(sed -n 3p contents) \
	fourth=$(sed -n 4p contents)

# ---- without a model ----

check 'without a model hits stay in their own order' \
	sh -c 'mem-search --llm-rerank kettle price | jq -c "del(.note)" >a;
	jq -c . own | cmp - a'
check_out 'without a model each hit says why it was not ordered' 'no model is configured' sh -c \
	'mem-search --llm-rerank kettle price | jq -r .note | uniq'
check_out 'a single hit is not given to a model' null sh -c \
	'mem-search --llm-rerank -s s --scope session --role assistant kettle | jq .note'
if has_terminal; then
	check_like 'people are told once that no model ordered the hits' \
		'not ordered by the model: no model is configured' sh -c \
		'script -qc "mem-search --llm-rerank kettle price" /dev/null </dev/null'
else
	skip 'people are told once that no model ordered the hits' 'script(1) gives no terminal'
fi

# ---- with one ----

serve '{"order":[3,1]}'
at ok
hits 'hits that the model names come first, the others as they were' "1 3 $third
2 1 $first
3 2 $second
4 4 $fourth" --llm-rerank kettle price
check 'one question asks the model once' test "$(n_asked)" -eq 1
check_out 'a hit tells which model ordered it' '["fake",null]' \
	sh -c 'mem-search --llm-rerank kettle price |
	jq -c "[.model, .note]" | uniq'
check 'a model changes the order of hits and nothing else' \
	sh -c 'mem-search --llm-rerank kettle price |
	jq -cS "del(.was, .model, .rank)" | sort >a; jq -cS "del(.rank)" own | sort | cmp - a'
hits 'a model chooses among more hits than are shown' "1 3 $third" --llm-rerank -n 1 kettle price
echo '{"order":[2,2,2,1]}' >"$answer"
hits 'a hit that the model names twice counts once' "1 2 $second
2 1 $first" --llm-rerank -n 2 kettle price
check_out 'calls to order hits are in the ledger' '["mem-search",true]' sh -c 'mem-stats --calls |
	jq -c "[.program, .calls >= 5]"'
check_out 'without --llm-rerank no model orders the hits' null \
	sh -c 'mem-search kettle price | jq .was | uniq'
n=$(n_asked)
check 'one candidate is searched with --llm-rerank' mem-search --llm-rerank -s s --scope session \
	--role assistant kettle
check_out '--llm-rerank of nothing found finds nothing' '' mem-search --llm-rerank zeppelin
check 'one candidate and none ask no model' test "$(n_asked)" -eq "$n"
check_out 'questions on stdin are ordered one by one' '1 2 1 2' sh -c \
	'printf "{\"query\":\"kettle\"}\n{\"query\":\"kettle price\"}\n" |
		mem-search --llm-rerank -n 2 | jq .rank | paste -sd" "'
check 'two questions on stdin ask the model twice' test "$(n_asked)" -eq $((n + 2))

# what it is told: the question, who and when, and passages as data
cat >spy <<'E'
#!/bin/sh
while read -r line; do
	printf '%s\n' "$line" >>asked
	echo '{"ok":true,"text":"{\"order\":[4,3,2,1]}","model":"spy"}'
done
E
chmod +x spy
check_out 'a command of your own orders the hits' "$fourth" sh -c \
	'MEM_LLM_COMMAND=./spy mem-search -n 1 --llm-rerank kettle price | jq -r .content'
check_out 'the model is given the question and its day' \
	'{"question":"kettle price","asked":"2024-05-20"}' sh -c \
	'jq -c ".text | fromjson | del(.passages)" asked'
check_out 'the model is given who said a passage and when' \
	'{"n":1,"by":"Mara","said":"2024-05-02","text":"We bought the red kettle for 20 euros."}' \
	sh -c \
	'jq -c ".text | fromjson | .passages[] | select(.text | test(\"red\")) | .n = 1" asked'
check_out 'the model may answer with the numbers that are there' '[1,4]' sh -c \
	'jq -c ".schema.properties.order.items | [.minimum, .maximum]" asked'
check_out 'the model is given as many candidates as are set' 2 sh -c 'rm asked;
	MEM_LLM_COMMAND=./spy MEM_RERANK_CANDIDATES=2 \
		mem-search --llm-rerank kettle price >/dev/null;
	jq ".text | fromjson | .passages | length" asked'
check_out 'hits that are no candidates stay behind them' '2 1 0 0' \
	sh -c 'printf "{\"order\":[2,1]}" >"$1";
	MEM_RERANK_CANDIDATES=2 mem-search --llm-rerank kettle price | jq ".was // 0" |
		paste -sd" "' \
	sh "$answer"
long=$(printf 'All work and no play. %.0s' $(seq 200))
jq -cn --arg c "$long Then the samovar broke. $long" \
	'{session: "u", id: "m5", role: "user", content: $c}' >said
echo '{"session":"u","id":"m6","role":"user","content":"A samovar is large."}' >>said
check 'two messages of a samovar are stored, one of them long' mem-ingest -q --from=ndjson said
MEM_LLM_COMMAND='tee asked | while read -r line; do echo "{\"ok\":true,\"text\":\"{\\\"order\\\":[1]}\"}"; done' \
	run mem-search --llm-rerank samovar
check 'the model is given the part of a long message that answers' jq \
	-e '.text | fromjson | .passages | length == 2 and all(.text | test("samovar") and length <= 800)' \
	asked

# ---- not asked ----

mem-ingest -q -u twin --from=ndjson >stored <<'E'
{"session":"s","id":"t1","role":"user","content":"The boiler is in the cellar."}
{"session":"t","id":"t2","role":"user","content":"The boiler is in the cellar."}
E
n=$(n_asked)
check_out 'hits that are all near enough are not ordered by a model' \
	'the model was not asked: each is near enough' sh -c \
	'mem-search -u twin --llm-rerank boiler in the cellar | jq -r .note | uniq'
check 'hits that are all near enough ask no model' test "$(n_asked)" -eq "$n"
check 'a model that reads questions in another way is made' sh -c '
	"$B/tests/torture/tiny_model" "$0" && mkdir models && mem-model convert "$0" \
		--query-prefix "the dog ran after " --passage-prefix "" \
		-o models/tiny.model' "$top/tiny"
export MEM_MODELS=$PWD/models
check 'what that model embeds is stored' mem-embed -q -u twin --model tiny
mem-search -u twin --llm-rerank 'The boiler is in the cellar.' >near
check 'that model puts a text that says the question itself further off than the bar' \
	jq -se 'length == 2 and all(.sim < 0.93)' near
check_out 'near enough is what is as near as the question itself would be' \
	'the model was not asked: each is near enough' sh -c 'jq -r .note near | uniq'
MEM_MODELS=$PWD/none
n=$(n_asked)
check 'hits are ordered by a model where the bar is higher' \
	env MEM_RERANK_ENOUGH=1 mem-search --llm-rerank kettle price
check 'a higher bar asks the model once' test "$(n_asked)" -eq $((n + 1))

# ---- tiers, and searches in steps ----

mem-remember >stored <<'E'
{"type":"fact","content":"Mara's kettle is red","kind":"fact","time":"2024-03-01"}
{"type":"fact","content":"The kettle of the office is blue","kind":"fact","time":"2024-03-01"}
{"type":"fact","content":"Ann wants no kettle, kettle or not","kind":"fact","time":"2024-03-01"}
E
mem-search --tier insights kettle | jq -r .content >facts
echo '{"order":[3,2,1]}' >"$answer"
export MEM_RERANK_ENOUGH=1
check_out 'facts are ordered by a model, too' "$(sed -n 3p facts)" sh -c \
	'mem-search --tier insights -n 1 --llm-rerank kettle | jq -r .content'
check_out 'each tier is ordered by itself' '3 2 1 3 2 1' sh -c \
	'mem-search --tier all --llm-rerank -n 3 kettle | jq ".was" | paste -sd" "'
mem-search --strategy progressive kettle | jq -r .id >steps
check_out 'hits of a progressive search are ordered as a whole' "$(sed -n 3p steps)" sh -c \
	'mem-search --strategy progressive --llm-rerank -n 1 kettle | jq -r .id'
for s in ladder lexical bm25 recent hybrid rrf max; do
	check_out "hits of --strategy $s are ordered by a model" 3 sh -c \
		'mem-search --strategy '$s' --llm-rerank -n 1 kettle pot price | jq .was'
done

unset MEM_RERANK_ENOUGH

# ---- bad answers ----

mem-search kettle price | jq -c . >own
after_bad() {
	if jq -c 'del(.note)' "$out" | cmp -s - own; then pass "$1: the order is its own"; else
		fail "$1: not its own order" "$(cat own)"; fi
	if [ "$(jq -r '.note // empty' "$out" | sort -u | grep -c .)" -eq 1 ]; then
		pass "$1: and it says why"; else fail "$1: no word of it" ''; fi
}
bad_answers mem-search mem-search --llm-rerank kettle price
at ok
for bad in '{"order":[]}' '{"order":[0,1]}' '{"order":[99]}' '{"order":[1.5]}' '{"order":["1"]}' \
	'{"order":3}' '{}' '[1,2]' 'best is the second' ''; do
	sqlite3 "$MEM_DB" 'DELETE FROM guard'
	printf '%s' "$bad" >"$answer"
	check "an answer of the model that fits nothing is no fault: $bad" \
		mem-search --llm-rerank kettle price
	after_bad "$bad"
done
check_err 'rerank_enough over 1 is refused' 78 'rerank_enough' \
	env MEM_RERANK_ENOUGH=2 mem-search --llm-rerank kettle
check_err 'rerank_candidates of one is refused' 78 'rerank_candidates' \
	env MEM_RERANK_CANDIDATES=1 mem-search --llm-rerank kettle

# ---- budget and guard ----

echo '{"order":[2,1]}' >"$answer"
sqlite3 "$MEM_DB" 'DELETE FROM guard'
n=$(n_asked)
check_like 'hits over the budget say that it is used up' 'budget of the day' \
	env MEM_LLM_BUDGET=1 mem-search --llm-rerank kettle price
check 'hits over the budget ask no model' test "$(n_asked)" -eq "$n"
at 500final
for i in 1 2 3 4 5 6 7; do mem-search --llm-rerank kettle price >/dev/null; done
check 'after five failures the model is left alone' test "$(n_asked)" -eq $((n + 5))
check_like 'hits say that the model is left alone' 'left alone' mem-search --llm-rerank kettle price
done_testing
