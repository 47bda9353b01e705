#!/bin/sh
# mem-search with vectors: similarities as the model gives them, each strategy, names, what has no
# vector, a model that is gone. The model is a tiny one of random weights, made here: what it finds
# alike is not what we would, but it is always the same.
. "${0%/*}/lib.sh"
unset MEM_SEED

export MEM_MODELS="$top/models"
mkdir "$MEM_MODELS"
check 'a tiny model is made to search with' "$B/tests/torture/tiny_model" "$top/tiny"
check 'the tiny model is converted to search with' \
	mem-model convert "$top/tiny" -o "$MEM_MODELS/tiny.model"
unrelated=$(mem-model show -j tiny | jq .unrelated)

cat >in.ndjson <<'EOF'
{"session":"a","id":"1","role":"user","name":"Ann","content":"the cat and the dog","time":"2024-02-01T10:00:00Z"}
{"session":"a","id":"2","role":"user","name":"Bob","content":"a house by the sea","time":"2024-02-01T10:01:00Z"}
{"session":"a","id":"3","role":"user","name":"Ann","content":"I run the kettleTimer twice","time":"2024-02-01T10:02:00Z"}
{"session":"b","id":"4","role":"user","name":"Bob","content":"the dog ran after the cat","time":"2024-02-02T10:00:00Z"}
{"session":"b","id":"5","role":"user","name":"Ann","content":"nothing of note today","time":"2024-02-02T10:01:00Z"}
{"session":"b","id":"6","role":"user","name":"Bob","content":"bread and water","time":"2024-02-02T10:02:00Z"}
EOF
check 'messages of one user are stored' mem-ingest -q --from=ndjson in.ndjson
check 'a message of another user is stored' sh -c \
	'echo "{\"id\":\"x\",\"content\":\"the cat and the dog of another\"}" |
		mem-ingest -q -u other'
check_out 'without vectors --strategy dense finds nothing' '' mem-search --strategy dense cat
check_out 'without vectors fused finds what lexical does' \
	"$(mem-search --strategy lexical cat | jq -c '[.source_id, .score]')" sh -c \
	'mem-search cat | jq -c "[.source_id, .score]"'
check 'messages of all users are embedded' mem-embed --all-users --model tiny

# ---- similarities ----

# sims QUESTION: [id, similarity] of each message by the filter's vectors, best first: the same as a
# search should say, by another way.
sims() {
	jq -nc --arg q "$1" '{query: $q}' | mem-embed --filter --query --model tiny |
		jq -c .vec >q.json
	mem-embed --filter --model tiny <in.ndjson 2>/dev/null |
		jq -sc --slurpfile q q.json --argjson u "$unrelated" \
			'map([.id, ((([.vec, $q[0]] | transpose | map(.[0] * .[1]) | add) - $u) / (1 - $u))]) | sort_by(-.[1])[]'
}
# near NAME WANT GOT: the same ids in the same order, numbers within .02 (vectors are kept in
# bytes).
near() {
	if paste "$2" "$3" |
		jq -en '[inputs] | (length >= 6) and ([range(0; length; 2) as $i |
			.[$i][0] == .[$i + 1][0] and (.[$i][1] - .[$i + 1][1] | fabs) < 0.02] |
			all)' >/dev/null
	then pass "$1"; else fail "$1" "$(paste "$2" "$3")"; fi
}
dense() { mem-search --strategy dense -n 6 "$@" | jq -c '[.source_id, .sim]'; }
sims 'cat and bread' >want
dense 'cat and bread' >got
near 'dense: the order and the similarities are those of the vectors' want got
sims 'What did say of the house?' >want
dense 'What did Ann say of the house?' >got
near 'the name of a speaker is not embedded' want got
sims "What of house?" >want
dense "What of Ann's house?" >got
near 'the name of a speaker with an s is not embedded' want got
sims Ann | grep -E '"(1|3|5)"' >want
dense Ann >got
near 'a name alone is embedded, and only what she said is looked at' want got
check_out 'the score of --strategy dense is the similarity' true \
	sh -c 'mem-search --strategy dense -n 6 cat |
	jq -s "all(.score == .sim)"'
check_out 'vectors bring nothing of another user' '' sh -c \
	'mem-search --strategy dense -n 50 "the cat and the dog of another" |
		jq -r "select(.user == \"other\")"'
check_out 'another user finds their own by its vector' x \
	sh -c 'mem-search -u other --strategy dense cat | jq -r .source_id'

# ---- the strategies ----

ids() { jq -r .source_id; }
mem-search --strategy dense -n 6 'dog and water' >dense.out
mem-search --strategy bm25 -n 6 'dog and water' >bm25.out
check_out 'hybrid with alpha alone has the order of dense' "$(ids <dense.out)" sh -c \
	'mem-search --strategy hybrid --alpha 1 --beta 0 --gamma 0 -n 6 "dog and water" |
		jq -r .source_id'
check_out 'hybrid with beta alone has first the hits of bm25' "$(ids <bm25.out)" sh -c \
	"mem-search --strategy hybrid --alpha 0 --beta 1 --gamma 0 -n $(wc -l <bm25.out) 'dog and water' | jq -r .source_id"
check_out 'the score of hybrid is the sum of its three terms' true \
	sh -c 'mem-search --strategy hybrid -n 6 "kettleTimer and dog" >h
	jq -s "(map(.bm25) | max) as \$b | all((.score - (.6 * .sim + .3 * .bm25 / \$b + .1 * .code)) | fabs < .001) and any(.code == 1)" h'
check_out 'the score of max is the larger of two terms' true \
	sh -c 'mem-search --strategy max -n 6 "dog and water" >h
	jq -s "(map(.bm25) | max) as \$b | all(.score - ([.sim, .bm25 / \$b] | max) | fabs < .001)" h'
check_out 'the score of rrf is the sum of reciprocal ranks' true \
	sh -c 'mem-search --strategy rrf -n 6 "dog and water" >h
	jq -s --slurpfile d dense.out --slurpfile b bm25.out "
		def rank(\$l; \$id): [\$l[] | select(.id == \$id) | 1 / (60 + .rank)] | add // 0;
		all(.id as \$i | .score - (rank(\$d; \$i) + rank(\$b; \$i)) | fabs < 1e-5)" h'
check_err 'an alpha that is no number is refused' 64 "alpha" mem-search --alpha much cat
check_err 'an unknown strategy is refused with those there are' 64 \
	"'x': fused, lexical, bm25, dense, hybrid, rrf, max, recent, ladder or progressive" \
	mem-search --strategy x cat

# ---- fused ----

check_out 'no word is shared, and the nearest is found' 1 sh -c 'mem-search -n 50 "zebra quagga" |
	jq -s "min_by(.rank) == max_by(.sim) and length > 0" | grep -c true'
check_like 'a hit by its vector says that it is near in meaning' '"why":\["near in meaning"\]' \
	mem-search 'zebra quagga'
check_like '--explain tells the weights with vectors' '"session_kind":"[a-z]*\+dense".*"dense":' \
	mem-search --explain 'zebra cat'
check_out '--strategy lexical finds nothing by vectors' '' \
	mem-search --strategy lexical 'zebra quagga'
check_out '--strategy lexical tells no similarity' null \
	sh -c 'mem-search --strategy lexical -n 1 bread | jq .sim'
check_out 'a filter holds for hits by vectors' 'Ann' \
	sh -c 'mem-search --name Ann -n 50 "zebra quagga" | jq -r .name |
	sort -u'
check_out '--scope session holds for hits by vectors' 'b' \
	sh -c 'mem-search -s b --scope session -n 50 "zebra quagga" |
	jq -r .session | sort -u'

# ---- sessions: with vectors every message is a hit, so what counts is how likely it is ----

check_out 'a session with fewer than three likely hits is widened' true sh -c \
	'mem-search -s b --explain kettleTimer | jq -s "any(.outside and .source_id == \"3\")"'
check_out '--scope session does not widen a session with vectors' false sh -c \
	'mem-search -s b --scope session --explain kettleTimer | jq -s "any(.outside)"'
check_out 'a session is widened for a block, too' 1 \
	sh -c 'mem-context -s b kettleTimer | grep -c kettleTimer'
check_out 'the likely one of the session stays before likelier ones' '["4","1"]' sh -c \
	'mem-search -s b -n 2 "the cat and the dog" | jq -c .source_id | jq -sc .'
check_out 'a session with as many hits as are asked for is not widened' '["4"]' sh -c \
	'mem-search -s b -n 1 "the cat and the dog" | jq -c .source_id | jq -sc .'
check_out 'a strategy without p goes by words and similarity' true sh -c \
	'mem-search -s b --strategy dense --explain -n 6 "I run the kettleTimer twice" |
		jq -s "any(.outside and .source_id == \"3\")"'
check_status '--strategy dense -e ends with 1 where words and similarity are small' 1 mem-search \
	-e -q --strategy dense "zebra quagga"
check 'six searches find nothing that is likely' \
	env MEM_NOW=2024-06-10T12:00:00Z MEM_LIKELY=0.99 sh -c '
	for q in zebra quagga okapi; do mem-search -q "$q" && mem-context -q "$q" || exit; done'
check_out 'searches that find nothing likely count without hits' '[6,0,0]' \
	sh -c 'mem-stats --since 2024-06-10 |
	jq -sc "map({(.name): .value}) | add | [.searches, .[\"searches.with_hits\"], .[\"searches.hits_mean\"]]"'
check_out 'searches that find nothing likely are in the report' 1 \
	sh -c 'mem-stats --report --since 2024-06-10 |
	jq "select(.name == \"searches.none\").value"'

check 'a memory without a cat has its vectors' sh -c \
	'echo "{\"id\":\"c\",\"content\":\"a catalogue by the sea\"}" | mem-ingest -q -u carts;
		mem-embed -u carts --model tiny'
check_out 'a word that nobody has said may be misspelt' '["catalogue"]' sh -c \
	'mem-search -u carts --strategy lexical cat | jq -c .why'
check_out 'a word that the model knows is not taken as misspelt' false \
	sh -c 'mem-search -u carts cat |
	jq -c ".why == [\"catalogue\"]"'
check_out 'writing that the model cannot read: words alone, and nothing is said of it' '' sh -c \
	'mem-search 雨雪山水 2>&1'

check 'a message is stored that has no vector yet' sh -c \
	'echo "{\"session\":\"b\",\"id\":\"7\",\"role\":\"user\",\"content\":\"a walrus in the harbour\"}" | mem-ingest -q'
check_out 'a message without a vector is found by its words' '["7",null]' \
	sh -c 'mem-search -n 1 walrus |
	jq -c "[.source_id, .sim]"'
check_out 'a message without a vector is about as likely as by its words' true sh -c \
	'mem-search -n 1 walrus | jq .p >p; mem-search --strategy lexical -n 1 walrus |
		jq --slurpfile p p ".p - \$p[0] | fabs < 0.25"'
check 'a message is stored that is only a call of 400 bytes' sh -c \
	'jq -nc "{session: \"b\", id: \"8\", role: \"assistant\", content: \"\",
	tool_calls: [{function: {name: \"write\", arguments: (\"abcd efgh \" * 40)}}]}" |
	mem-ingest -q --from=ndjson'
check_out 'a message that is only a call has the tokens of the call' true sh -c 'mem-list messages |
	jq "select(.source_id == \"8\") | .tokens > 80"'
check_out 'a message that is only a call is missing no vector' 1 sh -c 'mem-stats |
	jq "select(.name == \"vectors.missing\").value"'
check 'mem-eval measures every strategy with vectors' \
	sh -c 'echo "{\"query\":\"bread\",\"relevant\":[\"source:6\"]}" >q;
	mem-eval --strategy fused,lexical,dense,hybrid,rrf,max q |
		jq -s -e "map(.strategy) | unique | length == 6"'
check 'vectors of facts or of messages that are gone disturb nothing' mem-check --deep

# ---- code ----

# Where the best texts are code meaning weighs more; the same question among notes, or with a chat
# beside it, is asked as before.
jq -nc 'range(20) | {session: "f\(.)", id: "f\(.)", content: "def walk_\(.)(path):\n\tfor dog in load(path):\n\t\tyield dog.cat[\(.)]"}' >code.ndjson
jq -nc 'range(20) | {session: "n\(.)", id: "n\(.)", content: "On day \(.) the dog and the cat (both of them) walk by the sea; bread and water, see page [2]."}' >notes.ndjson
head -n 10 notes.ndjson >half.ndjson
head -n 10 code.ndjson >>half.ndjson
jq -nc '(["Ann", "Bob"] | range(2) as $i | {session: "c",
	id: "c\($i)", name: .[$i], content: "the dog and the cat walk"})' >chat.ndjson
weighs() { # NAME FILE ...: of how many of the ten best hits dense_code is a signal, and whether
	# it is what dense is there
	db=$1.db
	shift
	cat "$@" | mem-ingest -q -d "$db" -
	mem-embed -q -d "$db" --model tiny
	mem-search -d "$db" --explain -n 10 -j 'walk the dog and the cat' |
		jq -sc '[map(select(.signals.dense_code != null)) | length, (map(.signals |
			.dense_code == null or .dense_code == .dense) | all)]'
}
check_out 'code among the best hits is told as code' '[10,true]' weighs code code.ndjson
check_out 'notes among the best hits are no code' '[0,true]' weighs notes notes.ndjson
check_out 'a memory of code and notes is not told as code' '[0,true]' weighs half half.ndjson
check_out 'with a chat among the best it is not code alone that may answer' '[0,true]' weighs chat \
	code.ndjson chat.ndjson
check_out 'who has the identifier that is asked for is found by it' '["f7",null]' sh -c \
	'mem-search -d code.db --explain -n 1 -j "Where is walk_7 of the dog?" |
		jq -c "[.source_id, .signals.dense_code]"'
functions() { echo "matter+dense dense_code $1" >weights.txt && MEM_WEIGHTS=weights.txt \
	mem-search -d code.db --explain -n 10 -j 'walk the dog and the cat' |
	jq -sc 'map(.score)'; }
check 'the weight of code counts where code is told' test "$(functions 0)" != "$(functions 7)"

# ---- over languages ----

while read -r id text; do
	echo '{"session":"'$id'","id":"'$id'","content":"'$text'"}'
done >two.ndjson <<'EOF'
en1 The bread that we had was on the table, and it was good with the water.
en2 We saw a boat that was red, and it was in the water by the house.
de1 Der Hund und die Katze sind in dem Haus, und ich bin nicht da.
de2 Wir haben das Boot an dem Baum, und es ist nicht rot.
short bread
EOF
check 'stores notes in two languages' sh -c \
	'mem-ingest -q -d two.db --from=ndjson two.ndjson && mem-embed -q -d two.db --model tiny'
foreign() { mem-search -d two.db --explain -j "$@" |
	jq -rs 'map(select(.signals.foreign != null).source_id) | sort | join(" ") | select(. != "")'; }
check_out 'in another language meaning counts more' 'en1 en2' \
	foreign 'Wo ist das Brot, das ich mir gestern im Laden gekauft habe?'
check_out 'that holds for any two languages' 'de1 de2' \
	foreign 'Where is the cake that you had bought for me at the market?'
check_out 'not where words find what is asked for' '' foreign 'Wo sind die Katze und der Hund?'
check_out 'a question that does not tell its language is asked as before' '' foreign 'bread water'
check_out 'without vectors words are all there is' '' foreign --strategy lexical \
	'Wo ist das Brot, das ich mir gestern im Laden gekauft habe?'

# ---- the model is gone ----

mkdir none
export MEM_MODELS="$PWD/none"
if [ -e "$B/models" ]; then
	skip 'without the model' "there are models in $B/models"
else
	check_err 'without the model a search goes by words, and that is said' 0 \
		"the model of the vectors, 'tiny', is not to be found" mem-search bread
	check_out 'without the model the hits are those of the words' \
		"$(mem-search --strategy lexical bread | jq -c '[.source_id, .score]')" sh -c \
		'mem-search -q bread 2>/dev/null | jq -c "[.source_id, .score]"'
	check 'without the model it is said once for three questions' \
		sh -c 'printf "{\"query\":\"%s\"}\n" cat dog bread |
		mem-search 2>told >/dev/null; test $(wc -l <told) -eq 1'
fi
check 'another model of the same name is made' mem-model convert "$top/tiny" -o none/tiny.model \
	--query-prefix 'and: '
check_err 'another model of the same name is not used, and that is said' 0 \
	"another model 'tiny' than the one that is here: searching by words alone, until they are made anew .mem-embed --all-users." mem-search \
	bread
check_out 'vectors of another model of the same name are to be made anew' \
	'["vectors.missing","mem-embed"]' sh -c \
	'mem-stats -j --triggers | jq -c "select(.name == \"vectors.missing\" and .value > 0) | [.name, .run]"'
check_err 'facts are not compared by another model of the same name' 0 \
	"another model 'tiny' than the one that is here .mem-embed --all-users." sh -c \
	'echo "{\"content\":\"Bread wants time.\"}" | mem-remember'
head -c 5000 "$top/models/tiny.model" >none/tiny.model
check_err 'a damaged model is not used, and that is said' 0 'is not to be found' mem-search bread

# ---- a full text that is damaged ----

if command -v sqlite3 >/dev/null 2>&1; then
	fresh
	export MEM_MODELS="$top/models"
	perl -e 'printf "{\"session\":\"s\",\"id\":\"%d\",\"content\":\"kettle%d %s\"}\n", $_, $_,
		join(" ", map { "w" . $_ } 40 * $_ .. 40 * $_ + 39) for 1 .. 300' | mem-ingest -q
	mem-embed -q --model tiny
	mem-check -q --checkpoint
	cp mem.db good.db
	# each page of the lists in turn: what has features of turns is needed, the others are not
	for page in $(sqlite3 good.db "SELECT pageno FROM dbstat WHERE name = 'fts_page' AND
			pagetype IN ('leaf', 'overflow')"); do
		rm -f mem.db*
		cp good.db mem.db
		perl -e 'print "\xa5" x 4096' |
			dd of=mem.db bs=4096 seek=$((page - 1)) conv=notrunc 2>/dev/null
		mem-search --no-touch 'kettle7 w281' >hits 2>told || continue
		test -s hits || echo $page >>empty
		if grep -q 'damaged.*: searching by meaning alone' told; then
			touch goes_on
			cp mem.db bad.db
		fi
	done
	check 'where words cannot be read it goes on by meaning, and says so' test -e goes_on
	check_status 'a page that is damaged never leaves a search without hits' 1 test -e empty
	rm -f mem.db*
	cp bad.db mem.db
	check_status '--strategy lexical fails where words cannot be read' 74 \
		mem-search --no-touch --strategy lexical 'kettle7 w281'
	mem-search --strategy lexical 'kettle7 w281' 2>told
	check_like 'it is counted where a search failed' '"searches.failed.text","value":1,' \
		mem-stats --report
	MEM_STRATEGY=lexical mem-context 'kettle7 w281' 2>told
	mem-search --strategy ladder 'kettle7 w281' 2>told
	MEM_TOUCH=no mem-context --strategy lexical 'kettle7 w281' 2>told
	check_like 'a search for a block that failed is counted, and one in steps' \
		'"searches.failed.text","value":3,' mem-stats --report
	check 'a repaired store is searched by words again' sh -c 'mem-check -q --repair
		mem-search "kettle7 w281" 2>told >hits && test -s hits && ! [ -s told ]'
else
	skip 'a full text that is damaged' 'there is no sqlite3(1)'
fi

# ---- one common word against the meaning ----

{
	echo '{"id":"near","content":"what is it and who are they, and what are we"}'
	echo '{"id":"word","content":"a cat ran to the house, bread by the sea and water"}'
	for i in $(seq 10 60); do
		echo "{\"id\":\"w$i\",\"content\":\"the cat ran to house $i, a dog by the sea and water\"}"
	done
} >far.ndjson
check 'a memory with one turn far from all others is stored' \
	mem-ingest -q -u far --from=ndjson far.ndjson
check 'a memory with one turn far from all others is embedded' mem-embed -u far --model tiny
words_of() { mem-search -u far --explain -n 60 "$1" |
	jq 'select(.source_id == "word") | .signals.turn'; }
check_out 'one word of many counts less than all where another turn is far nearer' true sh -c \
	"echo $(words_of 'what is it and who are they, and what are we, and bread, zorg') |
		jq '. > 0 and . < 0.9'"
check_out 'what has the words of the question counts whole' 1 words_of 'bread by the sea'

done_testing
