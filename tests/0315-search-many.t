#!/bin/sh
# mem-search in a memory of more than 50,000 vectors and 20,000 turns, where cosines are estimated
# from codes, made exact for the best alone, and only the nearest turns are looked at. The right
# answers come from the vectors of the filter, of which there are fewer. And misspelt words there.
. "${0%/*}/lib.sh"
[ -z "${MEM_TEST_WRAP-}" ] || skip_all 'takes too long under a wrapper'

export MEM_MODELS="$top/models"
mkdir "$MEM_MODELS"
check 'makes a tiny model' "$B/tests/torture/tiny_model" "$top/tiny"
check 'the tiny model is converted for use' \
	mem-model convert "$top/tiny" -o "$MEM_MODELS/tiny.model"
unrelated=$(mem-model show -j tiny | jq .unrelated)

# The letters of what is said and of what is asked are not the same: no question shares a word with
# anything.
awk 'BEGIN { a = "abcdefghijklmnopq"; for (i = 0; i < 51000; i++) {
	n = i % 5100; x = n % 17 + 1; y = int(n / 17) % 17 + 1; z = int(n / 289) + 1
	printf "{\"session\":\"s%d\",\"role\":\"user\",\"content\":\"%s%s %s%s\"}\n", i / 3000, substr(a, x, 1), substr(a, y, 1), substr(a, (z * 5 + x) % 17 + 1, 1),
		substr(a, z % 17 + 1, 1) (z > 17 ? "a" : "")
} }' >in.ndjson
check '51,000 messages are stored to be searched' sh -c 'mem-ingest -q --from=ndjson in.ndjson'
check 'vectors of 51,000 messages are made' mem-embed -q --model tiny
check_out 'all messages have a vector now' 51000 sh -c 'mem-embed --info --model tiny |
	jq -s "[.[] | .vectors // empty] | add"'
check_out 'which say 5,100 things' 5100 sh -c 'jq -r .content in.ndjson | sort -u | tee said |
	wc -l | tr -d " "'
jq -Rc '{role: "user", content: .}' said | mem-embed --filter --model tiny |
	jq -c '[.content, .vec]' >said.vec

# exact QUESTION: an object of every thing that was said with its similarity; least: that of the
# nearest fiftieth.
exact() {
	jq -nc --arg q "$1" '{query: $q}' | mem-embed --filter --query --model tiny |
		jq -c .vec >q.json
	jq -sc --slurpfile q q.json --argjson u "$unrelated" \
		'map({key: .[0], value: ((([.[1], $q[0]] | transpose | map(.[0] * .[1]) | add) - $u) / (1 - $u))}) | from_entries' \
		said.vec >want
	least=$(jq '[.[]] | sort | .[-102]' want)
}
# Within .03, as vectors are kept in bytes and the tiny model's similarities lie close together;
# estimates are off by .1 and more.
are_exact() { jq -en --slurpfile want want \
	'[inputs] | length == '"$1"' and all(.sim - $want[0][.content] | fabs < .03)' got; }

for question in 'rst uvw' 'zyx w vut' 'tttt'; do
	exact "$question"
	mem-search --strategy dense -n 10 "$question" >got
	check "$question: ten hits, of which the similarities are exact" are_exact 10
	check 'all of them of the nearest fiftieth' jq -en --argjson least "$least" \
		'[inputs] | all(.sim >= $least)' got
	mem-search -n 50 "$question" >got
	check 'by all signals, too' are_exact 50
	check_out 'found by nothing else' '"near in meaning"' sh -c 'jq ".why[]" got | sort -u'
done

# Words and meaning: what has the word comes first, and with it what is near.
exact 'aa dd'
mem-search -n 50 'aa dd' >got
check 'with a word of theirs' are_exact 50
check_like 'the message that is nearest comes first' '"why":..(aa|dd)"' head -n 1 got

# ---- misspelt, where not all of the vocabulary is looked through: the first letter right, one too
# many, exchanged with the second; another letter is not found ----

echo '{"session":"bird","role":"user","content":"heron"}' | mem-ingest -q --from=ndjson - >rest
meant() { mem-search --strategy lexical -n 1 "$1" | jq -r .content; }
for word in herno qheron ehron; do check_out "$word" heron meant "$word"; done
check_out 'a wrong first letter' '' meant beron

# ---- many that have a common word: the best by a light score, compared 64 at a time, are those
# that come first when all get all signals ----

awk 'BEGIN { r = 7; left = 0; for (i = 0; i < 60000; i++) {
	if (left-- == 0) { s++; r = (r * 75 + 74) % 65537; left = r % 131 }
	r = (r * 75 + 74) % 65537; t = ""
	for (k = r % 9; k >= 0; k--) {
		r = (r * 75 + 74) % 65537; w = int(60 * (r / 65537) ^ 2)
		t = t " " substr("bcdfghklmnprst", w % 14 + 1, 1) "o" \
			substr("bdgkmnprtz", int(w / 6) + 1, 1) "u" substr("knt", w % 3 + 1, 1)
	}
	printf "{\"session\":\"s%d\",\"role\":\"%s\",\"content\":\"%s\"}\n", s,
		i % 3 ? "user" : "assistant", t
} }' >common.ndjson
check 'stores 60,000 of few words' sh -c 'mem-ingest -q -d common.db --from=ndjson common.ndjson'
scored() { mem-search -d common.db --strategy lexical -n 20 -j "$@" | jq -c '[.id, .score]'; }
common='bobuk cobun dobut fobuk gobun hobut koduk lodun modut noduk podun rodut soguk togun bogut coguk fogut dogun gokuk hokun kokut lokuk'
# the last is of so many postings (160,000) that two threads have half of the turns each
for question in 'bobuk cobun' 'gobuk dobut hoguk' 'lokuk somut' "$common"; do
	scored --exact "$question" >want
	check "twenty hits are wanted of: $question" sh -c '[ "$(wc -l <want)" -eq 20 ]'
	scored "$question" >got
	check 'hits by cells are the same as of all' cmp want got
done

done_testing
