#!/bin/sh
# mem-cluster over records: by vectors, by a model, by words; kept clusters; labels to compare with;
# bad lines. The model is a tiny one, made here.
. "${0%/*}/lib.sh"

export MEM_MODELS="$top/models"
mkdir "$MEM_MODELS"

# ---- vectors that come in ----

# vecs N [EXTRA]: N records around each of three directions, in turn.
vecs() {
	awk -v n="$1" -v extra="$2" \
		'BEGIN { srand(7); split("cat dog fish", word, " "); split("fur bark swim", more, " ")
		for (i = 0; i < 3 * n; i++) { c = i % 3
			printf "{\"text\":\"the %s can %s\",\"truth\":\"%s\"%s,\"vec\":[",
				word[c + 1], more[c + 1], word[c + 1], extra
			for (d = 0; d < 12; d++) printf "%s%.6f", d ? "," : "",
				(int(d / 4) == c) + .3 * (rand() - .5)
			print "]}" } }'
}
vecs 30 >vecs.ndjson
run mem-cluster - <vecs.ndjson
cp "$out" sorted
check 'every record of vectors comes out' test "$(wc -l <sorted)" -eq 90
check 'records come out byte for byte, but for the new keys' \
	sh -c 'sed "s/,\"cluster\":.*/}/" sorted |
	cmp - vecs.ndjson'
check_out 'there are as many pairs as clusters' 3 sh -c 'jq -r "[.truth, .cluster] | @tsv" sorted |
	sort -u | wc -l'
check_out 'clusters are numbered from one to three' '1
2
3' sh -c 'jq .cluster sorted | sort -un'
check_out 'names say what sets apart' true sh -c \
	'jq -s "all(.[]; .truth as \$t | .cluster_name | contains(\$t))" sorted'
check_out 'one thread makes the same clusters' same sh -c 'mem-cluster -J 1 --filter <vecs.ndjson |
	cmp - sorted && echo same'
check_out '-k makes as many clusters as are asked for' 7 \
	sh -c 'mem-cluster -k 7 - <vecs.ndjson | jq .cluster |
	sort -u | wc -l'
check_out '--max makes at most so many clusters' 2 \
	sh -c 'mem-cluster --max 2 - <vecs.ndjson | jq .cluster | sort -u |
	wc -l'
check_like '--compare tells how clusters fit the labels' \
	'"type":"score","strategy":"clusters","category":"truth","n":90,"labels":3,"clusters":3,"homogeneity":1,"completeness":1,"v_measure":1}' \
	mem-cluster --compare truth - <vecs.ndjson
check_out 'a vec that is not the last key is one, too' same sh -c \
	'jq -c "{vec, truth, text}" vecs.ndjson | mem-cluster --compare truth - |
		grep -c "v_measure\":1}" | sed s/1/same/'
check_out 'a vector without a text has a cluster without a name' '1 null' \
	sh -c 'echo "{\"vec\":[1,0]}" | mem-cluster - |
	jq -r "\"\(.cluster) \(.cluster_name)\""'
check_out 'nothing comes of nothing' '' mem-cluster -
check_out 'old keys of clusters give way to the new ones' '{"text":"x","vec":[1,0],"cluster":1}' \
	sh -c 'echo "{\"text\":\"x\",\"cluster\":\"old\",\"cluster_name\":\"y\",\"vec\":[1,0]}" |
		mem-cluster -'
check_out 'what only looks like a key stays' \
	'{"text":"the \"cluster\":7","vec":[1,0],"cluster":1}' \
	sh -c 'echo "{\"text\":\"the \\\"cluster\\\":7\",\"vec\":[1,0]}" | mem-cluster -'

check_out 'no name is made of the endings of Japanese' false sh -c '
	for n in 水位計 電池 楽譜 船 頁 時計 鍵 灯台; do
		printf "%s\n" "{\"text\":\"${n}をしてくださいました\"}" \
			"{\"text\":\"the $n harbour pump broke\"}"
	done | mem-cluster -k 2 --words - |
	jq -s "any(.[].cluster_name; test(\"(^|, )[\\u3041-\\u309f]+(,|$)\"))"'

# ---- what is kept ----

vecs 33 | sed 's/the/then/' | tail -n 9 >new.ndjson
awk 'BEGIN { for (i = 0; i < 6; i++) printf "{\"text\":\"bird sings\",\"truth\":\"bird\",\"vec\":[-1,-%f,-1,-1,0,0,0,0,0,0,0,0]}\n", 1 + i / 50
	print "{\"text\":\"stone\",\"truth\":\"stone\",\"vec\":[0,0,0,0,-1,1,-1,1,-1,1,-1,1]}" }' >>new.ndjson
sed 's/"cluster":\([0-9]\)/"cluster":\10/; s/"cluster_name":"/&my /' sorted >known
cat known new.ndjson | mem-cluster --keep - >again
check 'who has a cluster keeps it, and its name' sh -c 'head -n 90 again | cmp - known'
check_out 'who is new joins his like' 9 sh -c 'tail -n +91 again | head -n 9 |
	jq -c "[.truth, .cluster, .cluster_name]" | while read -r l; do
	head -n 90 again | jq -c "[.truth, .cluster, .cluster_name]" | grep -qxF "$l" &&
		echo yes; done | wc -l'
check_out 'a new kind gets the next number' '31
31
31
31
31
31
null' sh -c 'tail -n 7 again | jq .cluster'
check_out 'a third run with --keep changes nothing' same sh -c 'mem-cluster --keep - <again |
	cmp - again && echo same'
check_out '--keep --least makes no cluster that is too small' 7 sh -c 'cat known new.ndjson |
	mem-cluster --keep --least 7 - | tail -n 7 | jq .cluster | grep -c null'
check_out '--keep --max makes no cluster over the number' 7 \
	sh -c 'cat known new.ndjson | mem-cluster --keep --max 3 - |
	tail -n 7 | jq .cluster | grep -c null'
check_out 'with --near 1 nobody joins but by the density of his like' true sh -c \
	'cat known new.ndjson | mem-cluster --keep --near 1 - | tail -n 1 | jq ".cluster == null"'

# ---- words, and a model ----

for i in 1 2 3 4 5 6 7 8; do
	echo "{\"text\":\"reset my password, mail $i\",\"truth\":1}"
	echo "{\"content\":\"where is my parcel number $i\",\"truth\":2}"
	echo "{\"query\":\"天气怎么样\",\"truth\":3}"
done >texts.ndjson
check_like '--words tells texts apart by their words' '"labels":3,"clusters":3,.*"v_measure":1}' \
	mem-cluster --words --compare truth - <texts.ndjson
check_out 'a text without any word in common is in none' null sh -c '(cat texts.ndjson;
	echo "{\"text\":\"zyzzyva\"}") | mem-cluster --words - | tail -n 1 | jq -c .cluster'
if [ -e "$B/models" ]; then
	skip 'without a model' "there are models in $B/models"
else
	check_like 'without a model texts are told apart by their words' '"v_measure":1}' \
		mem-cluster -v --compare truth - <texts.ndjson
	check 'without a model it is said that words are compared' \
		grep -q 'there is no model: texts are compared by their words' "$err"
fi
check 'a tiny model is made for the clusters' "$B/tests/torture/tiny_model" "$top/tiny"
check 'the tiny model is converted for the clusters' \
	mem-model convert "$top/tiny" -o "$MEM_MODELS/tiny.model"
mem-embed --filter --model tiny <texts.ndjson | mem-cluster -k 3 - | jq -c .cluster >one
mem-cluster --model tiny -k 3 - <texts.ndjson | jq -c .cluster >two
check 'what the model makes here is what mem-embed makes' cmp one two
(mem-embed --filter --model tiny <texts.ndjson | head -n 5; tail -n +6 texts.ndjson) |
	mem-cluster --model tiny -k 3 - | jq -c .cluster >three
check 'vectors are made for records that have none' cmp one three
(echo '{"text":"x","vec":[1,0]}'; cat texts.ndjson) >mixed
check_status 'vectors of another length beside texts: words, and no fault' 0 \
	mem-cluster -v --model tiny - <mixed
check 'vectors of another length are told' grep -q 'vec of another model' "$err"

# ---- names ----

check_out 'verbs and particles make no name of a cluster' true sh -c \
	'for i in 1 2 3 4 5 6; do echo "{\"text\":\"wrapped the parcel, 我的包裹 $i\"}";
		echo "{\"text\":\"polished a mirror $i\"}"; done | mem-cluster --words -k 2 - |
		jq -s "all(.[]; .cluster_name | test(\"wrapped|polished|的\") | not)"'

# ---- names are noun phrases ----

# A harbour and a garden, in turns of three people; who speaks is named by others, too.
for i in one two three four five six; do
	echo "{\"name\":\"Brovik Tarn\",\"content\":\"The tide gauge of hut $i is dry, @selkie, see docs/gauge_$i.md\"}"
	echo "{\"name\":\"selkie\",\"content\":\"Brovik, we cleaned a tide gauge, \\u0060reset_gauge --all\\u0060 on pier $i\"}"
	echo "{\"name\":\"Ondra\",\"content\":\"Selkie says la bomba de agua del huerto gotea en $i\"}"
	echo "{\"name\":\"Ondra\",\"content\":\"Brovik mira la bomba de agua en el huerto $i\"}"
done >said.ndjson
check_out 'names are phrases, not their single words' 'bomba de agua tide gauge' sh -c \
	'mem-cluster --words -k 2 - <said.ndjson | jq -r .cluster_name | sed "s/, .*//" | sort -u |
		paste -sd " " -'
check_out 'no speaker, handle, path or code names a cluster' '' sh -c \
	'mem-cluster --words -k 3 - <said.ndjson | jq -r .cluster_name |
		grep -iE "brovik|tarn|selkie|ondra|docs|reset|all" || :'
check_out 'a word before a verb is no name' '' sh -c \
	'for i in 1 2 3 4 5 6; do echo "{\"text\":\"we polish the copper lamp $i\"}";
		echo "{\"text\":\"they resample an old tape $i\"}"; done |
		mem-cluster --words -k 2 - | jq -r .cluster_name | grep -E "polish|resample" || :'

# ---- bad input ----

{
	echo '{"text":"good one"}'
	echo 'no json'
	echo '[1]'
	echo '{"id":3}'
	echo '{"text":"x","vec":[]}'
	echo '{"text":"x","vec":["a"]}'
	echo '{"text":"x","vec":[0,0]}'
	echo '{"text":"x","vec":7}'
	echo '{"text":"x","vec":[1e999]}'
	echo '{"text":"x","vec":[1,-]}'
	echo '{"text":"x","vec":[01,1]}'
	echo '{"text":"x","vec":[1.,1]}'
	echo '{"text":"x","vec":[1,-.5]}'
	echo '{"text":"x","vec":[1.e3,1]}'
	echo '{"text":"good one"}'
} >bad
check_status 'bad lines end with the status of bad data' 65 mem-cluster --words - <bad
cp "$err" told
check_out 'good lines beside bad ones come out' 2 sh -c 'wc -l <"$1"' sh "$out"
check 'each bad line is told by its number' sh -c 'for n in 2 3 4 5 6 7 8 9 10 11 12 13 14;
	do grep -q "stdin:$n: " told || exit 1; done'
(head -n 1 vecs.ndjson; echo '{"text":"x","vec":[1,2,3]}') >shorter
check_err 'a vector of another length' 65 'stdin:2: vec is not as long as those before it' \
	mem-cluster - <shorter
check_out 'a long name stays whole' 400 sh -c '{ for i in 1 2 3;
	do echo "{\"vec\":[1,0],\"cluster\":1,\"cluster_name\":\"$(printf %0400d 0)\"}"; done;
	echo "{\"vec\":[1,0]}"; } | mem-cluster --keep - | tail -n 1 | jq ".cluster_name | length"'
check_err 'a cluster of the last number is refused' 65 'cluster is no number' sh -c \
	'echo "{\"text\":\"x\",\"cluster\":4294967294}" | mem-cluster --keep --words -'
check_err 'a cluster that is no number' 65 'cluster is no number' sh -c \
	'echo "{\"text\":\"x\",\"cluster\":-1}" | mem-cluster --keep --words -'
check_err 'a record without the label to compare is told' 65 'no label' \
	sh -c 'echo "{\"text\":\"x\"}" |
	mem-cluster --compare truth --words -'
check_err 'a model that is not there is told' 66 "there is no model 'none'" \
	sh -c 'echo "{\"text\":\"x\"}" |
	mem-cluster --model none -'
check_err '-k of no clusters is refused' 64 '' mem-cluster -k 0 -
check_err 'an operand other than - is refused' 64 "takes no such operand: 'x'" mem-cluster x
check_err '-k beside --max is refused' 64 'exclude each other' mem-cluster -k 2 --max 3 -
check_err '--words beside --model is refused' 64 'exclude each other' \
	mem-cluster --words --model tiny -
check_err 'output that cannot be written is told' 74 '' \
	sh -c 'mem-cluster - <vecs.ndjson >/dev/full'
check 'a reader that goes away ends it without a fault' \
	sh -c 'mem-cluster - <vecs.ndjson | head -n 1 >/dev/null'
perl -e 'for (1 .. 9000) { print "{\"text\":\"", "word$_ " x 800, "\"}\n" }' >large
check_out '9,000 long records are clustered' 9000 \
	sh -c 'mem-cluster --words -k 2 - <large | wc -l'

# ---- topics in other languages ----

fresh
cat >notes.ndjson <<'EOT'
{"id":"1","text":"J'ai pétri la pâte du pain avec du levain ce matin."}
{"id":"2","text":"La croûte du pain était dure, moins de farine demain."}
{"id":"3","text":"Une recette de pain au seigle, levure fraîche."}
{"id":"4","text":"Le dentiste a trouvé une carie sur une dent."}
{"id":"5","text":"Voir le dentiste pour la couronne d'une dent."}
{"id":"6","text":"Mal aux dents toute la nuit, appeler le dentiste."}
{"id":"7","text":"Notre vol pour Rome, passeport et valise prêts."}
{"id":"8","text":"L'hôtel à Rome pour les vacances, et le vol du retour."}
{"id":"9","text":"À l'aéroport trois heures avant le vol, bagages en soute."}
EOT
check_out 'notes in French are named in French' 'dentiste pain vol' sh -c \
	'mem-cluster --words -j - <notes.ndjson | jq -r ".cluster_name // empty" |
	sed "s/,.*//" | sort -u | paste -sd " " -'

done_testing
