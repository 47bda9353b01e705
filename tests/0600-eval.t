#!/bin/sh
# mem-eval: measures against figures worked out by hand, what is relevant and who is asked, bad
# input.
. "${0%/*}/lib.sh"

cat >messages.ndjson <<'EOF2'
{"session":"s","source_id":"m1","role":"user","content":"the spare keys are under the blue flowerpot"}
{"session":"s","source_id":"m2","role":"user","content":"we drove to Lisbon in the rain"}
{"session":"s","source_id":"m3","role":"user","content":"nothing much happened on Sunday"}
{"session":"s","source_id":"m4","role":"user","content":"the dentist moved the appointment"}
{"session":"s","source_id":"m5","role":"user","content":"a bicycle hangs in the hall"}
{"session":"t","source_id":"twice","role":"user","content":"a tent for two"}
{"session":"u","source_id":"twice","role":"user","content":"a tent for four"}
EOF2
mem-ingest --from=ndjson messages.ndjson >stored || exit 1
id=$(jq -r 'select(.source_id == "m4") | .id' stored)

cat >questions.ndjson <<EOF2
{"query":"flowerpot","relevant":["m1"],"category":"a"}
{"query":"dentist","relevant":["$id"],"category":"a"}
{"query":"submarine","relevant":["m2"],"category":"a"}
{"query":"bicycle","relevant":["m5","never stored"],"category":"b"}
{"query":"what is this?","relevant":[],"category":"b"}
{"query":"what is that?","category":"c"}
EOF2
without_ms() { "$@" >with_ms; st=$?; jq -c 'del(.ms_p50, .ms_p95)' with_ms; return $st; }

# recall@1 of "bicycle" is 1/2, its nDCG@2 1 / (1 + 1/log2 3) = .613147; "submarine" finds nothing
check_out 'figures of categories, all and macro' \
'{"type":"score","strategy":"bm25","category":"a","n":3,"recall@1":0.666666667,"recall@2":0.666666667,"any@1":0.666666667,"any@2":0.666666667,"all@1":0.666666667,"all@2":0.666666667,"ndcg@1":0.666666667,"ndcg@2":0.666666667,"mrr@2":0.666666667}
{"type":"score","strategy":"bm25","category":"b","n":1,"recall@1":0.5,"recall@2":0.5,"any@1":1,"any@2":1,"all@1":0,"all@2":0,"ndcg@1":1,"ndcg@2":0.613147193,"mrr@2":1}
{"type":"score","strategy":"bm25","category":"all","n":4,"recall@1":0.625,"recall@2":0.625,"any@1":0.75,"any@2":0.75,"all@1":0.5,"all@2":0.5,"ndcg@1":0.75,"ndcg@2":0.653286798,"mrr@2":0.75}
{"type":"score","strategy":"bm25","category":"macro","n":4,"recall@1":0.583333333,"recall@2":0.583333333,"any@1":0.833333333,"any@2":0.833333333,"all@1":0.333333333,"all@2":0.333333333,"ndcg@1":0.833333333,"ndcg@2":0.63990693,"mrr@2":0.833333333}' \
	without_ms mem-eval --strategy bm25 -k 1,2 questions.ndjson
check_like 'questions without relevant are counted' \
	'2 questions with nothing relevant left out of the figures' sh -c \
	'mem-eval questions.ndjson 2>&1'
check_like 'ids that are not stored are counted' '1 relevant id is not in the store' sh -c \
	'mem-eval questions.ndjson 2>&1'
check_out '-q says nothing of ids that are not stored' '' \
	sh -c 'mem-eval -q questions.ndjson 2>&1 >/dev/null'

check_out 'the cuts are 5 and 10, the strategy fused' '["fused","all",1,1,1,1]' sh -c \
	'echo "{\"query\":\"flowerpot\",\"relevant\":[\"m1\"]}" | mem-eval |
		jq -c "select(.category == \"all\") |
	[.strategy, .category, .\"recall@5\", .\"ndcg@10\", .\"mrr@10\", .n]"'
check_out 'questions that have no answer, told from those that have' '[2,1,0,null]' sh -c \
	'printf "%s\n" "{\"query\":\"flowerpot\",\"relevant\":[\"m1\"]}" \
	"{\"query\":\"zeppelin gondola\",\"relevant\":[]}" "{\"query\":\"which zeppelin of the gondola was behind some flowerpot of theirs\"}" >none.ndjson
	mem-eval -q --strategy fused,bm25 none.ndjson |
	jq -sc "map(select(.category == \"all\")) | [.[0].unanswerable, .[0].auc, .[0].false_recalls, .[1].auc]"'
check_out 'without categories: all and macro' 'all
macro' sh -c 'jq -c "del(.category)" questions.ndjson | mem-eval -q | jq -r .category'
check_out 'strategies side by side' 'bm25 a
bm25 b
bm25 all
bm25 macro
recent a
recent b
recent all
recent macro' sh -c 'mem-eval -q --strategy bm25,recent questions.ndjson |
	jq -r ".strategy + \" \" + .category"'
check_out 'times of searches are measured, too' true sh -c 'mem-eval -q questions.ndjson |
	jq -s "all(.ms_p50 > 0 and .ms_p95 >= .ms_p50)"'
check_out 'without questions there is nothing to measure' '' sh -c 'mem-eval </dev/null'
gzip -k questions.ndjson
check_out 'gzip, several files, and stdin as -' 8 sh -c \
	'mem-eval -q questions.ndjson.gz - <questions.ndjson |
		jq "select(.category == \"all\") | .n"'
check_out 'an id that stands twice counts once' 1 sh -c \
	'echo "{\"query\":\"flowerpot\",\"relevant\":[\"m1\",\"m1\",\"source:m1\"]}" | mem-eval |
		jq "select(.category == \"all\") | .\"all@5\""'
check_out 'a category may be a number' 7 sh -c \
	'echo "{\"query\":\"flowerpot\",\"relevant\":[\"m1\"],\"category\":7}" | mem-eval |
		jq -r .category | head -n 1'

# ---- the search is the real one, and writes nothing ----

before=$(cksum <"$MEM_DB")
check 'questions are measured a second time' mem-eval -q questions.ndjson
check_out 'measuring leaves the store as it was' "$before" sh -c 'cksum <"$MEM_DB"'

# ---- maps and users ----

cat >raw.ndjson <<'EOF2'
{"q":"flowerpot","gold":["m1"],"kind":"x"}
EOF2
check_out 'a map makes questions of other records' '["x","all","macro"]' sh -c \
	"mem-eval --map '{query: .q, relevant: .gold, category: .kind}' raw.ndjson |
		jq -cs 'map(.category)'"
echo '{query: .q, relevant: .gold}' >map.jq
check_out 'a map is read from a file' 1 sh -c \
	"mem-eval --map map.jq raw.ndjson | jq 'select(.category == \"all\") | .\"recall@5\"'"
check_err 'a map that does not compile is told' 78 'map' mem-eval --map '{' raw.ndjson
check_err 'a map that fails on a line is told with the line' 65 '^mem-eval: raw.ndjson:1: ' \
	mem-eval --map 'error("no")' raw.ndjson

fresh
for u in ann bob; do
	echo '{"user":"'$u'","session":"s","source_id":"1","role":"user","content":"the canary of '$u'"}'
	echo '{"user":"'$u'","session":"s","source_id":"2","role":"user","content":"something else"}'
done | mem-ingest -q --from=ndjson --multi-user >/dev/null || exit 1
cat >users.ndjson <<'EOF2'
{"user":"ann","query":"canary of ann","relevant":["1"],"category":"own"}
{"user":"bob","query":"canary of bob","relevant":["1"],"category":"own"}
EOF2
check_out 'each user is asked about their own' '{"n":2,"r":1}' sh -c \
	'mem-eval --multi-user --strategy bm25 -k 1 users.ndjson |
		jq -c "select(.category == \"own\") | {n, r: .\"recall@1\"}"'
check_err 'without --multi-user another user is an error' 65 "^mem-eval: users.ndjson:2: .*'bob'" \
	mem-eval -u ann users.ndjson
check_out 'the questions of the user itself are measured' 1 \
	sh -c 'mem-eval -u ann users.ndjson 2>/dev/null |
	jq "select(.category == \"all\") | .n"'

# ---- learning ----

# Four users; the answer holds the word that was asked for and ends in a number, what else holds the
# word does not.
fresh
said() { # NUMBER NAME TEXT
	printf '{"user":"%s","session":"s","source_id":"%s","role":"user",' $u $w$1
	printf '"name":"%s","content":"%s"}\n' "$2" "$3"
}
for u in ann bob cyd dan; do
	for w in apple banana cherry dates elder figs; do
		said 1 $u "about the $w, and no more of it"
		said 2 Eve "the $w are in box 17, next to 4 others"
		said 3 $u "so it is the $w, and nothing else then"
		echo '{"user":"'$u'","query":"'$w'","relevant":["'$w'2"]}' >>learn.ndjson
	done
done | mem-ingest -q --from=ndjson --multi-user >/dev/null || exit 1
check_err 'mem-eval learns, and says that few questions teach little' 0 \
	'learnt from 24 questions hold for little else: 100 are few' \
	mem-eval --multi-user --grid learn.ndjson
cp "$out" learnt
check_out 'what it learnt ranks what was left out' '[24,1]' sh -c \
	'jq -c "select(.strategy == \"grid\" and .category == \"all\") | [.n, .\"recall@5\"]" learnt'
check_out 'numbers tell the answer' true sh -c \
	'jq -s "map(select(.signal == \"numbers\" and .kind == \"matter\")) | length == 1 and .[0].low > 0 and .[0].high >= .[0].low" learnt'
check 'weights are learnt a second time' mem-eval --multi-user --grid learn.ndjson
check_out 'weights learnt twice are the same to the last digit' \
	"$(jq -c 'select(.type == "weight")' learnt)" jq -c 'select(.type == "weight")' "$out"
jq -r 'select(.type == "weight") | "\(.kind) \(.signal) \(.weight)"' learnt >weights
check_out 'the weights make a file for searches' 1 sh -c \
	'MEM_WEIGHTS=weights mem-eval --multi-user -k 1 learn.ndjson |
		jq "select(.category == \"all\") | .\"recall@1\""'
check_out 'one signal is learnt when one is named' window sh -c \
	'mem-eval --multi-user --grid --signals window learn.ndjson |
		jq -r "select(.type == \"weight\") | .signal"'
check_out 'one kind is learnt when one is named' unknown sh -c \
	'mem-eval --multi-user --grid --kind unknown learn.ndjson |
		jq -r "select(.type == \"weight\") | .kind" | sort -u'
check_err 'an unknown kind of session is refused' 64 "unknown kind 'cat'" \
	mem-eval --grid --kind cat learn.ndjson
check_err 'an unknown signal is refused by --grid' 64 "unknown signal 'wind'" \
	mem-eval --grid --signals wind learn.ndjson
check_err '--signals without --grid is refused' 64 '--signals goes with --grid' \
	mem-eval --signals window learn.ndjson
check_out 'questions are measured as of another kind of session' 24 sh -c \
	'mem-eval --multi-user --kind assistant learn.ndjson |
		jq "select(.category == \"all\") | .n"'
check_err 'an unknown kind without --grid is refused' 64 "unknown kind 'cat'" \
	mem-eval --kind cat learn.ndjson
# ---- the weights of hybrid ----

fresh
for i in a b c d e f g h i j k l; do
	jq -nc --arg i "$i" '{session: $i, source_id: "r\($i)", role: "user",
		content: "we call load_shop_\($i)x() once, when the shop opens in the early morning"}'
	for j in 1 2 3 4 5 6; do jq -nc --arg i "$i" --arg j "$j" '
		{session: "\($i)\($j)", source_id: "w\($i).\($j)",
		role: "user", content: "load shop \($i)x, load shop \($i)x"}'; done
	jq -nc --arg i "$i" '{query: "what is load_shop_\($i)x() for", relevant: ["r\($i)"], category: (if $i == "a" then "a" else "b" end)}' >>hybrid.ndjson
done | mem-ingest -q - >/dev/null || exit 1
check 'the weights of hybrid are learnt' mem-eval --grid --strategy hybrid -k 1 hybrid.ndjson
cp "$out" grid
check_out 'three weights that add up to 1' '["alpha","beta","gamma"] 1' jq -rs \
	'map(select(.type == "weight" and .kind == "hybrid")) | "\(map(.signal)) \(map(.weight) | add * 10 | round / 10)"' grid
check_out '--grid of hybrid learns nothing else' 'grid-hybrid hybrid' sh -c \
	'jq -r "select(.type == \"score\") | .strategy" grid | sort -u | xargs'
check_out 'weights of hybrid lie in the range of what the parts have' 'true' jq -s \
	'map(select(.kind == "hybrid")) | all(.low <= .weight and .weight <= .high)' grid
check_out 'weights of hybrid find what was left out' 1 jq -r \
	'select(.strategy == "grid-hybrid" and .category == "all") | ."recall@1"' grid
for w in alpha beta gamma; do
	v=$(jq -r "select(.signal == \"$w\") | .weight" grid)
	eval "MEM_$(echo $w | tr a-z A-Z)=$v" && export MEM_ALPHA MEM_BETA MEM_GAMMA
done
check_out 'a search with the weights of hybrid finds the same' 1 sh -c '
	mem-eval --strategy hybrid -k 1 hybrid.ndjson |
	jq "select(.category == \"all\") | .\"recall@1\""'
unset MEM_ALPHA MEM_BETA MEM_GAMMA
check_out 'weights of hybrid are learnt beside those of signals' 'grid grid-hybrid' sh -c \
	'mem-eval --grid --strategy fused,hybrid hybrid.ndjson |
		jq -r "select(.type == \"score\") | .strategy" | grep grid | sort -u | xargs'
check_err '--signals with hybrid alone is refused' 64 'not those of hybrid' \
	mem-eval --grid --strategy hybrid --signals window hybrid.ndjson
check_err 'hybrid learns nothing where nothing is found' 65 'nothing to learn from' sh -c \
	'echo "{\"query\":\"zzz\",\"relevant\":[\"1\"]}" | mem-eval --grid --strategy hybrid'

check_err 'signals are not learnt where nothing is found' 65 'nothing to learn from' sh -c \
	'echo "{\"query\":\"zzz\",\"relevant\":[\"1\"]}" | mem-eval --grid'

check_err 'nothing is learnt from no question' 65 'nothing to learn from' \
	sh -c 'mem-eval --grid </dev/null'
check 'without --grid no question is nothing to tell' sh -c 'test -z "$(mem-eval </dev/null 2>&1)"'

# ---- bad input ----

fresh
echo '{"session":"a","source_id":"x","role":"user","content":"a tent for two"}
{"session":"b","source_id":"x","role":"user","content":"a tent for four"}
{"session":"b","source_id":"y","role":"user","content":"a stove"}' | mem-ingest -q --from=ndjson >/dev/null || exit 1
printf '%s\n' 'no JSON' '[1]' '{"relevant":["y"]}' '{"query":{},"relevant":["y"]}' \
	'{"query":"stove","relevant":"y"}' \
	'{"query":"stove","relevant":[{}]}' '{"query":"tent","relevant":["x"]}' \
		'{"query":"stove","relevant":["y"]}' >bad.ndjson
check_err 'bad lines are status 65' 65 '7 bad lines' mem-eval bad.ndjson
cp "$err" said
for n in 1 2 3 4 5 6 7; do
	check_like "line $n is named" "^mem-eval: bad.ndjson:$n: " cat said
done
check_err 'a file that has no questions is told how one looks' 65 \
	'30 bad lines left out; a question is a line as {"query":' \
	sh -c 'seq -f "line %g" 30 | mem-eval'
check_out 'of its lines ten are named' 11 sh -c "wc -l <'$err'"
check_out 'the good line is measured' '[1,1]' sh -c \
	'mem-eval bad.ndjson 2>/dev/null |
		jq -c "select(.category == \"all\") | [.n, .\"recall@5\"]"'
check_err 'an unknown strategy is refused with those there are' 64 \
	"unknown strategy 'besst': fused, lexical, .* or progressive" \
	mem-eval --strategy besst bad.ndjson
check_err 'an empty name of a strategy is refused' 64 "strategy ''" \
	mem-eval --strategy bm25, bad.ndjson
for k in 0 5,5 10,5 x '5,' '' -1 1001 1,2,3,4,5,6,7,8,9; do
	check_err "cuts of '$k' are refused by -k" 64 '^mem-eval: -k' mem-eval -k "$k" bad.ndjson
done
check_err 'a file of questions that is not there is told' 66 missing.ndjson mem-eval missing.ndjson
check_err 'a store that is not there is told' 66 none.db mem-eval -d none.db bad.ndjson
printf '{"query":"stove","relevant":["y"]}' >no_newline.ndjson
check_out 'a last line without a newline' 1 sh -c 'mem-eval no_newline.ndjson |
	jq "select(.category == \"all\") | .n"'

done_testing
