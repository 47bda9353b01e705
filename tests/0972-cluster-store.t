#!/bin/sh
# mem-cluster over a store: subcategories that stay, new records that join, new ones, runs that are
# overtaken or killed, what is removed. The model is a tiny one.
. "${0%/*}/lib.sh"
unset MEM_SEED

check_out 'without a store mem-cluster has nothing to do' '' mem-cluster
check 'mem-cluster makes no store where there is none' test ! -e mem.db
check 'a store with 240 facts is made' sh -c '"$B/tests/torture/facts" 240 >facts'
check_out 'before any run there are no subcategories' '' mem-cluster --list
check 'listing subcategories writes nothing into the store' mem-check
run mem-cluster
cp "$out" first
check_out 'facts are sorted by what they are about' true sh -c \
	'jq -s "length >= 6 and length <= 10 and all(.[]; .root == \"facts\" and .count >= 5) and (map(.count) | add) >= 230" first'
check_out 'names of subcategories say what their facts are about' true sh -c \
	'jq -s "map(.name) | join(\" \") | contains(\"chess\") and contains(\"bicycle\")" first'
check_out 'a subcategory has all its keys' 'count created id keywords name root time type user' \
	sh -c 'head -n 1 first |
	jq -r "keys | join(\" \")"'
check_out '--list says what the run has said' same \
	sh -c 'mem-cluster --list | cmp - first && echo same'
check_out 'a second run over the same facts changes nothing' same \
	sh -c 'mem-cluster | cmp - first && echo same'
check_out 'a run on one thread finds the same' same \
	sh -c 'mem-cluster -J 1 | cmp - first && echo same'
if has_terminal; then
	check_like 'subcategories are listed for people' '^ +[0-9]+  facts/.*chess' sh -c \
		'script -qec "mem-cluster --list" /dev/null | tr -d "\r"'
else
	skip 'subcategories are listed for people' 'script(1) gives no terminal'
fi

# ---- one root ----

cp mem.db whole.db
mem-remember -q -d whole.db --fact --category skills 'I juggle six torches'
check_out 'a run under another root leaves these as they are' same sh -c \
	'mem-cluster -d whole.db -q --recluster --root preferences &&
	mem-cluster -d whole.db --list | cmp - first && echo same'
check_out 'a run under a root prints its own alone' '' mem-cluster -d whole.db --root preferences
check_out 'a root is divided afresh by its name' 'true false' sh -c \
	'mem-cluster -d whole.db --recluster --root facts | jq -r .id | sort >new
	jq -r .id first | sort | comm -12 - new >both
	echo "$(test -s new && echo true) $(test -s both && echo true || echo false)"'
check_err 'an unknown root is refused' 64 "unknown root 'things'" mem-cluster --root things
check_err '--root is not of records on stdin' 64 'are of the store' mem-cluster --root facts -

# ---- what comes later ----

for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	echo "{\"session\":\"s\",\"id\":\"a$i\",\"role\":\"user\",\"content\":\"where does the lighthouse keeper sleep, night $i\"}"
	echo "{\"session\":\"s\",\"id\":\"b$i\",\"role\":\"assistant\",\"content\":\"bake bread with rye flour, loaf $i\"}"
	echo "{\"session\":\"s\",\"id\":\"c$i\",\"role\":\"tool\",\"content\":\"bake bread with rye flour\"}"
done >said.ndjson
check 'turns are stored beside the facts' mem-ingest -q --from=ndjson said.ndjson
run mem-cluster
cp "$out" second
check_out 'what was said goes under context, but not what tools said' '24' sh -c \
	'jq -s "map(select(.root == \"context\").count) | add" second'
check_out 'subcategories of facts are as they were after turns came' same \
	sh -c 'grep "\"root\":\"facts\"" second |
	cmp - first && echo same'
check_out 'turns of two subjects make two subcategories' '12 12' sh -c \
	'jq -s -r "map(select(.root == \"context\").count) | join(\" \")" second'
sed 's/"id":"\([ab]\)/"id":"\1z/; s/, night/ at night/' said.ndjson | head -n 6 >more.ndjson
check 'more turns of two subjects are stored' mem-ingest -q --from=ndjson more.ndjson
run mem-cluster --assign
cp "$out" joined
check_out '--assign says who joined what' 'message lighthouse
message rye' sh -c 'jq -r "select(.type == \"member\") | \"\(.kind) \(.name)\"" joined |
	grep -o "^message.*" | sed "s/ .*lighthouse.*/ lighthouse/; s/ .*rye.*/ rye/" | sort -u'
check '--assign says how near it is, and by which keywords' jq -se \
	'all(.sim > .2 and .sim <= 1) and all(.matched | length > 0 and all(test("rye|lighthouse")))' joined
check_out '--assign names four turns that joined' 4 sh -c 'wc -l <joined'
check_out '--assign changes no id and no name' same sh -c 'jq -c "[.id, .name]" second >a;
	mem-cluster --list | jq -c "[.id, .name]" | cmp - a && echo same'
check_out '--assign once more has nobody to join' '' mem-cluster --assign
check_out '--every passes over a run that is not due' '' mem-cluster --every 6h
check_like '--every says that the last run is too young' 'the last run is younger than 6h' \
	sh -c 'mem-cluster -v --every 6h 2>&1'
check_out '--every runs when the time has come' 10 \
	sh -c 'MEM_NOW=2024-05-21 mem-cluster --every 6h | wc -l |
	sed "s/^[0-9]*$/10/"'
check 'the clock set back does not stop it for good' sh -c \
	'test -n "$(MEM_NOW=2024-05-19 mem-cluster --every 6h)"'
check 'the store is in order after runs and joins' mem-check --deep

# ---- all afresh ----

cp mem.db fresh.db
check_err '--assign and --recluster exclude each other' 64 'exclude each other' \
	mem-cluster --assign --recluster
check_err '--recluster is of the store' 64 'of the store' mem-cluster --recluster -
mem-cluster --list -d fresh.db | jq -r .id | sort >a
run mem-cluster --recluster -d fresh.db
cp "$out" fresh
check_out '--recluster: no id is as it was' '' sh -c 'jq -r .id fresh | sort | comm -12 a -'
check_out 'after --recluster nobody is counted twice' true sh -c \
	'jq -s "(map(select(.root == \"context\").count) | add) <= 28 and (map(.count) | add) >= 230" fresh'
check 'the store is in order after --recluster' mem-check --deep -d fresh.db

# ---- what no word names ----

for i in 1 2 3 4 5 6 7 8; do
	echo "{\"session\":\"n\",\"role\":\"user\",\"content\":\"tested, asked, looked, walked $i$i\"}"
done >nameless.ndjson
cp fresh.db bare.db
check 'turns of verbs and numbers alone are stored' mem-ingest -q -d bare.db nameless.ndjson
for how in '' --recluster --assign; do
	check_out "verbs and numbers make no category without a name: ${how:-a run}" true \
		sh -c "mem-cluster -q $how \
		-d bare.db && mem-cluster --list -d bare.db | jq -s 'length > 2 and
		all(.[]; .name != null and .count > 0)'"
done
check 'the store is in order with turns that no word names' mem-check --deep -d bare.db

# ---- the subcategory of a fact ----

check_out 'each fact tells its subcategory' same sh -c 'mem-list facts | jq -r .subcategory |
	sort | uniq -c | sed "s/^ *//" | sort >a;
	mem-cluster --list | jq -r "select(.root == \"facts\") | \"\(.count) \(.name)\"" | sort |
	cmp - a && echo same'
sub=$(jq -r 'select(.root == "facts").name' first | head -n 1)
check_out 'mem-show tells it, too' "$sub" sh -c 'mem-list facts --subcategory "$1" -n 1 |
	mem-show | jq -r .subcategory' sh "$sub"
check_out '--subcategory lists the facts of that name' "$sub" \
	sh -c 'mem-list facts --subcategory "$1" |
	jq -r .subcategory | sort -u' sh "$sub"
check_out '--subcategory lists all facts of that name' \
	"$(mem-cluster --list | jq -c --arg n "$sub" 'select(.name == $n).count')" \
	sh -c 'mem-list facts --subcategory "$1" | wc -l' sh "$sub"
check_out '--subcategory takes its root before the name, and no other root' same sh -c '
	mem-list facts --subcategory "$0" >a; mem-list facts --subcategory "facts/$0" | cmp - a &&
	test -s a && test -z "$(mem-list facts --subcategory "rules/$0")" && echo same' "$sub"
check_out 'a subcategory is meant by its root and name' same sh -c '
	mem-cluster --list "$0" >a
	mem-cluster --list "facts/$0" | cmp - a && test -s a && echo same' "$sub"
check_out '--subcategory lists nothing of a name that is not there' '' \
	mem-list facts --subcategory none
check_err '--subcategory of messages is refused' 64 'are of facts' \
	mem-list messages --subcategory "$sub"
check 'a fact is remembered after the run' mem-remember -q --fact 'fact 777 is about chess'
check_out 'a new fact has no subcategory before a run' null \
	sh -c 'mem-list facts --reverse -n 1 | jq -r .subcategory'
check 'a new fact joins by --assign' mem-cluster -q --assign
check_like 'a fact that joined has its subcategory' chess \
	sh -c 'mem-list facts --reverse -n 1 | jq -r .subcategory'
mem-list facts --reverse -n 1 | jq -r .id >joined
check 'a fact is given another subcategory by hand' mem-edit -q --subcategory games "$(cat joined)"
check_out 'a subcategory given by hand is the one of its fact' games \
	sh -c 'mem-show "$(cat joined)" | jq -r .subcategory'
check_out 'a subcategory given by hand lists its fact' 1 \
	sh -c 'mem-list facts --subcategory games | wc -l'
check 'a subcategory given by hand is taken away again' \
	mem-edit -q --subcategory '' --importance .9 "$(cat joined)"
check_like 'without one given by hand a fact has what was found' chess \
	sh -c 'mem-show "$(cat joined)" |
	jq -r .subcategory'

# ---- by hand ----

cp mem.db hand.db
MEM_DB=hand.db
light=$(mem-cluster --list | jq -r 'select(.name // "" | test("lighthouse")) | .id')
rye=$(mem-cluster --list | jq -r 'select(.name // "" | test("rye")) | .id')
one=$(mem-cluster --list "$light" | jq -r .id | sed -n 1p)
check_out 'the members of a topic are listed' 14 sh -c 'mem-cluster --list lighthouse | wc -l'
check_out 'listed members of a topic are shown' 'lighthouse' sh -c \
	'mem-cluster --list lighthouse | mem-show | jq -r .content | grep -o lighthouse | sort -u'
check_out 'a topic is given a name by hand' 'Night watch named' sh -c \
	'mem-cluster --rename lighthouse "Night watch" | jq -r "\"\(.name) \(.hand)\""'
check_out 'a record is moved into another topic by hand' "kept 15" sh -c \
	'mem-cluster --move "$1" rye | jq -r "\"\(.hand) \(.count)\""' sh "$one"
mem-cluster --list | jq -r 'select(.hand).id' | sort >by-hand
for how in '' --assign --recluster; do
	check_out "what was done to topics by hand survives a run: mem-cluster $how" same sh -c '
		mem-cluster -q $1; mem-cluster --list >after
		jq -r "select(.hand).id" after | sort | cmp - by-hand &&
		grep -q "Night watch.*named" after && echo same' sh "$how"
	check_out "a moved record stays where it was put: mem-cluster $how" "$rye" sh -c \
		'mem-cluster --list "$2" | jq -r --arg i "$1" "select(.id == \$i).category"' \
		sh "$one" "$rye"
done
mem-export >exported
check_out 'topics changed by hand go through an export' same sh -c 'rm -f in.db*
	mem-import -q -d in.db exported && mem-export -d in.db | cmp - exported && echo same'
check 'a damaged index is repaired beside topics changed by hand' mem-check -q --repair
check_out 'a name given by hand survives a repair' 'Night watch named' sh -c \
	'mem-cluster --list | jq -r "select(.hand == \"named\") | \"\(.name) \(.hand)\""'
check_out 'a topic is dropped without a word' '' mem-cluster --drop rye
check 'a dropped topic is not listed' sh -c '! mem-cluster --list | grep -q "$1"' sh "$rye"
sed 's/"id":"b/"id":"bb/; s/loaf /&1/' said.ndjson | grep '"bb' >more-rye.ndjson
check 'more turns about a dropped topic are stored' mem-ingest -q --from=ndjson more-rye.ndjson
check 'what is like a dropped topic makes no new one' sh -c \
	'! mem-cluster | jq -r .name | grep rye'
check_out 'a dropped topic takes in what is like it' '27' sh -c 'mem-cluster --list "$1" | wc -l' \
	sh "$rye"
check_out 'a dropped topic is seen again under a new name' 'Bread' sh -c \
	'mem-cluster --rename "$1" Bread | jq -r .name' sh "$rye"
check_out 'one topic is put into another' '40 Night watch' sh -c \
	'mem-cluster --merge bread night | jq -r "\"\(.count) \(.name)\""'
check 'a topic that was put into another is gone' sh -c '! mem-cluster | grep Bread'
check 'a store with topics changed by hand is whole' mem-check --deep
check_err 'a topic that is not there is told with those that are' 66 \
	"no subcategory 'zeppelin', but '" mem-cluster --rename zeppelin Air
check_err 'words of two topics name neither of them' 64 "more than one subcategory is" \
	sh -c 'mem-cluster -q --rename "$1" "Night shift"; mem-cluster --drop night' sh "$(mem-cluster \
	--list | jq -r 'select(.root == "facts").id' | sed -n 1p)"
check_err 'a name that another topic has is refused' 64 'there is a subcategory' sh -c \
	'mem-cluster --rename "$(mem-cluster --list | jq -r "select(.root == \"facts\").id" |
	sed -n 2p)" "night SHIFT"'
check_err 'an empty name for a topic is refused' 64 'a name is one line' \
	mem-cluster --rename 'night watch' ''
for name in '  ' "$(printf 'night\033[31mwatch')" "$(printf '\342\200\256night')"; do
	check_err "a name of what nobody sees is refused: $(printf %s "$name" | cat -v)" \
		64 'a name is one line' mem-cluster --rename 'night watch' "$name"
done
check_err 'a topic cannot be put into itself' 64 'one subcategory' \
	mem-cluster --merge watch 'Night watch'
check_err 'topics of two roots cannot be one' 64 'not of one root' \
	mem-cluster --merge watch 'Night shift'
check_err 'a message cannot be among facts' 64 'is of facts' mem-cluster --move "$one" shift
check_err 'a record that is not there cannot be moved' 66 "no record 'nobody'" mem-cluster \
	--move nobody night\ watch
check_err 'the new name of a topic has to follow' 64 'followed by the new name' mem-cluster \
	--rename night\ watch
check_err 'two changes of topics at once are refused' 64 'exclude each other' mem-cluster \
	--drop a --rename b c
check_out 'a name given by hand stays while one member is there' 'Night watch' sh -c \
	'mem-forget -qf -- "$(mem-cluster --list night\ watch | jq -r .id | sed -n 2p)" &&
	mem-cluster --list | jq -r "select(.name == \"Night watch\").name"'
if command -v sqlite3 >/dev/null 2>&1; then
	rm -f cut.db*
	check 'a copy for damage' mem-import -q -d cut.db exported
	sqlite3 cut.db "UPDATE category SET keywords = '{\"named\":' WHERE keywords LIKE '{%'"
	check_out 'of keywords that were cut none are read' '[]' sh -c \
		'mem-cluster --list -d cut.db | jq -c "select(.name == \"Night watch\").keywords"'
else
	skip 'of keywords that were cut none are read' 'no sqlite3'
fi
check 'a name given by hand goes with the last member' sh -c \
	'mem-forget -qf --session s && ! mem-export | grep "Night watch"'
MEM_DB=mem.db

# ---- what goes ----

check 'facts of several subcategories are pruned' mem-prune -qf --max 60
check_out 'pruned facts are out of their subcategories, whose names go too' true \
	sh -c 'mem-cluster --list |
	jq -s "(map(select(.root == \"facts\").count) | add) == 60 and all(.[]; .root == \"context\" or .name == null)"'
run mem-cluster
cp "$out" third
check_out 'subcategories of what is left are named again, under their ids' true \
	sh -c 'jq -s "all(.[]; .name != null)" third'
check_out 'subcategories of what is left were there before' '' sh -c 'jq -r .id third | sort >a;
	jq -r .id second | sort >b; comm -23 a b'

cp mem.db whole.db
check_out 'facts without a name of their subcategory have none' null sh -c \
	'mem-prune -qf -d whole.db --max 59; mem-list facts -d whole.db | jq -r .subcategory | grep -x null | sort -u'
check_out 'a subcategory whose members are all gone goes, too' 'none
0' sh -c 'for i in 1 2 3 4 5 6; do echo "{\"session\":\"old\",\"role\":\"user\",\"time\":\"2020-01-0$i\",\"content\":\"the telescope shows Saturn, view $i\"}"; done >old.ndjson
	mem-ingest -q -d old.db --from=ndjson old.ndjson && mem-cluster -q -d old.db &&
	mem-prune -qf -d old.db --sessions && mem-cluster -d old.db | sed "s/^$/none/"
	echo none; mem-cluster -d old.db --list | wc -l'
check_out 'small talk is no topic of its own' '24 true' sh -c '{ cat said.ndjson;
	for i in 1 2 3 4 5 6 7 8; do echo "{\"session\":\"s\",\"id\":\"t$i\",\"role\":\"user\",\"content\":\"Hey, thanks! Wow. ACK. Regards\"}"; done; } | mem-ingest -q -d talk.db --from=ndjson -
	mem-cluster -d talk.db | jq -r -s "\"\(map(.count) | add) \(all(.[]; .name | test(\"hey|thanks|wow|ack|regards\"; \"i\") | not))\""'

# ---- what stands around ----

# Answers of a few words are about what their session is about.
for i in a b c d e f g h; do
	echo "{\"session\":\"tide\",\"id\":\"t$i\",\"role\":\"user\",\"content\":\"the tide gauge at pier $i lost its float\"}"
	echo "{\"session\":\"tide\",\"id\":\"u$i\",\"role\":\"user\",\"content\":\"that broken one, number $i\"}"
	echo "{\"session\":\"oven\",\"id\":\"o$i\",\"role\":\"user\",\"content\":\"the oven door of stove $i has a crack\"}"
	echo "{\"session\":\"oven\",\"id\":\"p$i\",\"role\":\"user\",\"content\":\"that broken one, number $i\"}"
done >around.ndjson
check 'turns of two sessions are stored' mem-ingest -q -d around.db --from=ndjson around.ndjson
check_out 'short answers are sorted with their session' '16 16' sh -c \
	'mem-cluster -d around.db | jq -s -r "map(.count) | join(\" \")"'

# ---- vectors ----

export MEM_MODELS="$top/models"
mkdir "$MEM_MODELS"
check 'a tiny model is made for the clusters' "$B/tests/torture/tiny_model" "$top/tiny"
check 'the tiny model is converted for the clusters' \
	mem-model convert "$top/tiny" -o "$MEM_MODELS/tiny.model"
check 'facts and turns get vectors by the tiny model' mem-embed -q --model tiny
run mem-cluster
check_out 'with vectors the same subcategories go on' '' sh -c 'jq -r .id "$1" | sort >a;
	jq -r .id third | sort >b; comm -13 a b | head -n 0' sh "$out"
check_like 'every fact and turn has a vector' ' 0 have no vector' \
	sh -c 'mem-cluster -v 2>&1 >/dev/null'
sed 's/"id":"/&late/; s/night/month/' said.ndjson | head -n 3 >late.ndjson
check 'two turns are stored that have no vector' mem-ingest -q --from=ndjson late.ndjson
check_like 'turns without a vector wait for one' ' 2 have no vector' \
	sh -c 'mem-cluster -v 2>&1 >/dev/null'

# ---- side by side, killed ----

mem-cluster --list >before
for i in 1 2 3 4; do mem-cluster >one.$i & done
wait
check 'the store is in order after four runs at once' mem-check --deep
check_out 'four runs at once put nothing there twice' same \
	sh -c 'mem-cluster --list | jq -c "[.id, .count]" >a;
	jq -c "[.id, .count]" before | cmp - a && echo same'
cp mem.db kill.db
k=0
while [ $k -lt 20 ]; do
	k=$((k + 1))
	"$B/tests/torture/facts" 240 >/dev/null 2>&1 &
	p=$!
	mem-cluster -d kill.db >/dev/null 2>&1 &
	perl -e 'select undef, undef, undef, .002 + rand .03'
	kill -9 $! $p 2>/dev/null
	wait
done
check 'the store is in order after runs that were killed' mem-check -d kill.db --deep
check 'a run after killed ones goes through' mem-cluster -d kill.db

# ---- names by a model ----

# says NAME: the model answers that, and notes what it was asked.
says() {
	: >asked
	printf '%s' "$1" >answer
	export MEM_LLM_COMMAND="while read -r q; do printf '%s\\n' \"\$q\" >>asked; jq -c --unbuffered -n --rawfile a answer '{ok: true, model: \"m\", json: {name: \$a}}'; done"
}
# new: a store with things said and no categories.
new() {
	rm -f mem.db*
	mem-ingest -q --from=ndjson said.ndjson
}
new
says 'Lighthouse Keeping'
check_like 'a model names one subcategory, and not two alike' \
	'named by their words: the model gave two the same name|has no word of the records' sh -c \
	'mem-cluster 2>&1 >named'
check_out 'one subcategory has the name of the model, the other its words' 'Lighthouse Keeping' \
	sh -c 'jq -r .name named |
	grep Light'
check_out 'the model is asked once for each subcategory' 2 sh -c 'wc -l <asked'
check 'the model is asked with words and records' grep -q 'lighthouse keeper sleep' asked
check_out 'a second run asks no model, and the names stay' same sh -c 'mem-cluster | cmp - named &&
	wc -l <asked | sed "s/^2$/same/"'
check_like 'the ledger has the calls of mem-cluster' 'mem-cluster' sh -c 'mem-stats -j | grep calls'
for bad in '' 'one
two' 'Quantum Chromodynamics' "$(seq 100 | tr '\n' ' ') lighthouse"; do
	new
	says "$bad"
	begins=$(printf %.20s "$bad" | tr '\n' ' ')
	check_like "words name what the model gave no name that can stand: '$begins'" \
		"named by their words: the model's name" sh -c 'mem-cluster 2>&1 >/dev/null'
	check_out "every subcategory has a name where the model gave: '$begins'" true sh -c 'mem-cluster --list |
		jq -s "length == 2 and all(.[]; .name != null)"'
done
new
export MEM_LLM_COMMAND=false
check_like 'a model that does not answer leaves names to the words' 'named by their words: ' sh -c \
	'mem-cluster 2>&1 >/dev/null'
check_out 'a model that does not answer costs no subcategory' 2 sh -c 'mem-cluster --list | wc -l'
new
check_out '-q says nothing of a model that does not answer' '' sh -c 'mem-cluster -q 2>&1'
check '-q lists the subcategories all the same' sh -c 'mem-cluster -q --list | grep -q category'
mem-cluster --list >listed
check_out 'mem-show has subcategories by their ids' "$(cat listed)" sh -c 'mem-show <listed'
check_out 'mem-show takes an id in small letters' "$(tail -n 1 listed)" mem-show \
	"$(tail -n 1 listed | jq -r '.id | ascii_downcase')"
check_err 'the first characters of two ids name neither' 65 "more than one record is '" mem-show \
	"$(jq -r '.id[:22]' listed | head -n 1)"
check_err 'another user has none of the subcategories' 66 'no record' mem-show -u other \
	"$(jq -r .id listed | head -n 1)"
has_terminal && check_like 'a subcategory is shown to people' ' category of .*  id 0' sh -c \
	'script -qec "mem-show $(jq -r .id listed | head -n 1)" /dev/null </dev/null'
unset MEM_LLM_COMMAND
if [ -x "$B/tests/torture/llm_server" ]; then
	. "$tests/llm.sh"
	serve '{"name":"Lighthouse"}'
	new
	cp mem.db kept.db
	cat >again <<-'EOF2'
		#!/bin/sh
		rm -f "$MEM_DB"* && cp kept.db "$MEM_DB" && mem-cluster >listed 2>told &&
			test "$(wc -l <listed)" -eq 2
	EOF2
	chmod +x again
	bad_answers 'a bad answer leaves names to the words' ./again
	unserve
fi

# ---- another user, wrong usage ----

check_out 'another user has no subcategories to list' '' mem-cluster -u bob --list
check_err '-k without records on stdin is refused' 64 'for records on stdin' mem-cluster -k 3
check_err '--list with records on stdin is refused' 64 'of the store' mem-cluster --list -
check_err '--assign and --list exclude each other' 64 'exclude each other' \
	mem-cluster --assign --list
check_err '--every without a time is refused' 64 "not 'soon'" mem-cluster --every soon
check_err '--every with a number alone is refused' 64 "not '6'" mem-cluster --every 6
check_err 'output that cannot be written is told' 74 '' sh -c 'mem-cluster --list >/dev/full'
chmod 400 mem.db
if [ "$(id -u)" -eq 0 ]; then
	skip 'a store that may not be written is told' 'root may write it'
else
	check_err 'a store that may not be written is told' 77 '' mem-cluster
fi

# ---- of whom ----

fresh
seq 12 | jq -c '{session: "s", id: "a\(.)", role: "user", project: "/w/tide",
	content: "The boiler number \(.) is about all of the cellar."}' | mem-ingest -q -a ann
echo '{"session":"s2","role":"user","content":"The roof is red."}' | mem-ingest -q
mem-cluster -q
check_like 'an agent lists the topics of what it has stored' boiler mem-list topics -a ann
check_out 'another one does not see them' '' mem-list topics -a ben
check_out 'they are not of another project' '' mem-list topics -p /w/shop
check_like 'they are of their own' boiler mem-list topics -p /w/tide
mem-forget -qf "$(mem-list messages -n 1 -a ann | jq -r .id)"
check_out 'a topic whose name went with a member is not listed' '' mem-list topics -a ann
mem-cluster -q
check_like 'a topic is listed again with the name that the next run gives it' boiler mem-list topics -a ann

# ---- when most came later ----

fresh
# tell N SUBJECT: turns of a subject
tell() { seq "$1" |
	jq -c --arg t "$2" '{session: $t, role: "user", content: "\($t), number \(.)"}' |
	mem-ingest -q; }
tell 12 'the boiler in the cellar leaks water'
tell 12 'bake bread with rye flour and salt'
mem-cluster -q --max 3
mem-cluster -q --rename 'rye flour' Loaves
kept=$(mem-cluster --list Loaves | jq -sc 'map(.id) | sort')
tell 40 'the harbour cranes lift heavy containers'
tell 30 'the lighthouse keeper counts ships at night'
tell 20 'three goats climb over the stone wall'
mem-cluster -q --max 3
check_out 'where there is no room, what came later takes that of weaker ones' true sh -c \
	'mem-cluster --list | jq -s "map(.count) | add > 80"'
check_out 'a topic that a person named stays, with what is in it' "$kept" sh -c \
	'mem-cluster --list Loaves | jq -sc "map(.id) | sort"'
mem-cluster --list >a
check_out 'another run changes nothing' same sh -c \
	'mem-cluster -q --max 3; mem-cluster --list | cmp - a && echo same'
check 'the store is in order when topics gave way' mem-check --deep
done_testing
