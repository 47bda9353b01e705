#!/bin/sh
# mem-search: what is found and what is not, walls, scope, filters, streams, what it writes. How
# well it ranks is for mem-eval; here only orders that no weights should turn round.
. "${0%/*}/lib.sh"
unset MEM_SEED    # it would give two runs of mem-ingest the same ids

cat >in.ndjson <<'EOT'
{"session":"kitchen","id":"k1","time":"2024-02-01T10:00:00Z","role":"user","name":"Mara","content":"Where did we buy the kettle?"}
{"session":"kitchen","id":"k2","time":"2024-02-01T10:01:00Z","role":"user","name":"Jonas","content":"At the ironmonger's by the bridge."}
{"session":"kitchen","id":"k3","time":"2024-02-01T10:02:00Z","role":"user","name":"Mara","content":"Thanks, good to know."}
{"session":"code","id":"c1","time":"2024-03-01T10:00:00Z","role":"user","content":"The handler calls getUserName twice."}
{"session":"code2","id":"c2","time":"2024-03-01T11:00:00Z","role":"user","content":"Somebody has a name for it."}
{"session":"plus","id":"l1","time":"2024-03-05T10:00:00Z","role":"user","content":"I wrote it in C++ first."}
{"session":"sharp","id":"l2","time":"2024-03-06T10:00:00Z","role":"user","content":"Then a port to C# followed."}
{"session":"lemon","id":"l3","time":"2024-03-07T10:00:00Z","role":"user","content":"Vitamin C is in lemons."}
{"session":"zh1","id":"z1","time":"2024-04-01T10:00:00Z","role":"user","content":"传感器的电缆坏了"}
{"session":"zh2","id":"z2","time":"2024-04-02T10:00:00Z","role":"user","content":"我喜欢喝茶"}
{"session":"zh3","id":"z3","time":"2024-04-03T10:00:00Z","role":"user","content":"电话里说缆车停了"}
{"session":"sys","id":"s1","time":"2024-04-05T10:00:00Z","role":"system","content":"You are a zeppelin pilot."}
{"session":"sys","id":"s2","time":"2024-04-05T10:01:00Z","role":"user","content":"How high can it fly?"}
{"session":"jan","id":"g1","time":"2024-01-31T23:59:59Z","role":"user","name":"Mara","content":"The gasket is red."}
{"session":"feb","id":"g2","time":"2024-02-01T00:00:00Z","role":"assistant","content":"The gasket is green."}
{"session":"may","id":"g3","time":"2024-05-19T09:00:00Z","role":"user","name":"Jonas","content":"The gasket is blue.","project":"pump"}
{"session":"never","id":"g4","role":"tool","content":"The gasket is grey."}
{"session":"shared","id":"a0","time":"2024-05-01T09:00:00Z","role":"user","content":"The turnstile is shared."}
{"session":"ofA","id":"aA","time":"2024-05-01T09:00:00Z","role":"user","agent":"A","content":"The turnstile is A's."}
{"session":"ofB","id":"aB","time":"2024-05-01T09:00:00Z","role":"user","agent":"B","content":"The turnstile is B's."}
{"session":"walk","id":"w1","time":"2024-05-02T09:00:00Z","role":"user","content":"We saw a heron."}
{"session":"walk","id":"w2","time":"2024-05-02T09:01:00Z","role":"user","content":"It stood on one leg."}
{"session":"walk","id":"w3","time":"2024-05-02T09:02:00Z","role":"user","content":"Then clouds came up."}
{"session":"walk","id":"w4","time":"2024-05-02T09:03:00Z","role":"user","content":"We had bread with us."}
{"session":"walk","id":"w5","time":"2024-05-02T09:04:00Z","role":"user","content":"Nobody else was about."}
{"session":"walk","id":"w6","time":"2024-05-02T09:05:00Z","role":"user","content":"At six the lamps went on."}
{"session":"nest","id":"n1","time":"2024-05-03T09:00:00Z","role":"user","content":"A heron and a heron."}
{"session":"pond","id":"p1","time":"2024-05-04T09:00:00Z","role":"user","content":"The heron ate a frog."}
{"session":"two","id":"o1","time":"2024-05-04T10:00:00Z","role":"user","content":"An otter."}
{"session":"two","id":"o2","time":"2024-05-04T10:01:00Z","role":"user","content":"One more otter."}
{"session":"three","id":"o3","time":"2024-05-04T11:00:00Z","role":"user","content":"Otter tracks."}
{"session":"three","id":"o4","time":"2024-05-04T11:01:00Z","role":"user","content":"The otter again."}
{"session":"three","id":"o5","time":"2024-05-04T11:02:00Z","role":"user","content":"A third otter."}
{"session":"reeds","id":"r1","time":"2024-05-05T09:00:00Z","role":"user","content":"No heron this time."}
EOT
echo '{"session":"kitchen","id":"canary","time":"2024-01-01","role":"user","name":"Mara","content":"The canary has a kettle, a gasket and a heron."}' >other.ndjson

# ids FILE: source ids, best first; sorted FILE: in alphabetical order.
ids() { jq -r .source_id "$1" | tr '\n' ' ' | sed 's/ $//'; }

# found NAME WANT ARGS...: these source ids, in whatever order. first: the best is this one. has,
# lacks: this one is, is not among them.
found() { name=$1 want=$2; shift 2; run mem-search "$@"; got=$(jq -r .source_id "$out" | sort |
	tr '\n' ' ' | sed 's/ $//'); verdict [ "$got" = "$want" ]; }
first() { name=$1 want=$2; shift 2; run mem-search "$@"; got=$(jq -r .source_id "$out" |
	head -n 1); verdict [ "$got" = "$want" ]; }
order() { name=$1 want=$2; shift 2; run mem-search "$@"; got=$(ids "$out");
	verdict [ "$got" = "$want" ]; }
has() { name=$1 want=$2; shift 2; run mem-search "$@"; got=$(ids "$out"); verdict among; }
lacks() { name=$1 want=$2; shift 2; run mem-search "$@"; got=$(ids "$out"); verdict not_among; }
among() { case " $got " in *" $want "*) ;; *) false ;; esac; }
not_among() { ! among; }
verdict() {
	if ! status_is 0; then fail "$name" "$why"
	elif [ -s "$err" ]; then fail "$name" 'a message'
	elif "$@"; then pass "$name"
	else fail "$name" "got '$got', '$want' is wanted (or, with lacks, is not)"
	fi
}
# like NAME FILTER ARGS...: what jq makes of all the hits is true.
like() {
	name=$1 filter=$2
	shift 2
	run mem-search "$@"
	if ! status_is 0; then fail "$name" "$why"
	elif jq -es "$filter" "$out" >/dev/null; then pass "$name"
	else fail "$name" "not true: $filter"
	fi
}

# ---- no store yet ----

check_out 'no store: nothing is found' '' mem-search kettle
check_err 'and that is a status only when asked for' 1 '' sh -c 'mem-search -e kettle; st=$?;
	echo >&2; exit $st'
check_err 'and is said only when asked for' 0 'no store at' mem-search -v kettle
if [ -e mem.db ]; then fail 'looking makes no store' 'there is one now'; else
	pass 'looking makes no store'; fi

check 'stores' mem-ingest -q --from=ndjson in.ndjson
check 'stores for another user' mem-ingest -q -u other --from=ndjson other.ndjson

# ---- words ----

first 'a word' k1 kettle
first 'whatever its case' k1 KETTLE
first 'several operands are one question' k1 buy the kettle
like 'the same as one operand' 'map(.why) | .[0] == ["buy", "kettle"]' 'buy the kettle'
first 'by its stem' k1 'buying kettles'
first 'with or without the apostrophe' k2 ironmongers
found 'a word that nobody said' '' zeppelins
found 'no question' '' ''
found 'no words' '' '?! ... --'
found 'nothing in a question is an operator' 'k1 k2 k3' 'kettle" AND NOT ( NEAR/2 *'
first 'bytes that are no text are no words' k1 "$(printf '\377\300 kettle \355\240\200')"
first 'after -- all is question' k1 -q -- kettle -n

# ---- identifiers ----

first 'an identifier as it stands' c1 getUserName
first 'in other joints' c1 get_user_name
first 'closed up' c1 getusername
first 'by its words' c1 'get user name'
first 'by one of its words' c1 user
like 'one is a hit of code' '.[0].code == 1' getUserName
like 'its words are not' '.[0].code == 0' 'get user name'
like 'why: each place once' '.[0].why == ["getUserName", "get", "User", "Name"]' getUserName
first 'C++' l1 'C++'
first 'C#' l2 'C#'
first 'C' l3 C

# ---- Chinese ----

first 'two characters' z1 电缆
found 'one character' z2 茶
found 'one that stands in two' 'z1 z3' 电
first 'a question' z2 '你喜欢喝茶吗?'
like 'the pair counts more than its characters' \
	'.[0].source_id == "z1" and .[0].score > .[1].score' 电缆

# ---- neighbours and sessions ----

like 'a reply comes up beside its question' \
	'.[] | select(.source_id == "k2") | .bm25 == 0 and .why == ["beside a match"]' kettle
like 'the match is why the other is found' \
	'.[] | select(.source_id == "k1") | .bm25 > 0 and .bm25 <= 1 and .why == ["kettle"]' kettle
has 'a turn of a matching session, far from the match' w6 heron -n 50
like 'comes after all that match' \
	'(map(select(.source_id == "w6"))[0].rank) > (map(select(.bm25 > 0).rank) | max)' heron \
	-n 50
found 'bm25 finds only what has the words' 'n1 p1 r1 w1' heron --strategy bm25

# ---- who ----

first 'the speaker named in the question' k2 'what did Jonas say about the kettle'
lacks 'a name is no word of the text' g3 'what did Jonas say about the kettle'

# ---- system prompts ----

found 'a system prompt is not found' '' zeppelin
found 'not by its role either' '' zeppelin --role system
found 'the turn after it is' s2 fly
lacks 'recent leaves it out' s1 --strategy recent -n 100 anything

# ---- scope ----

found 'the session that has enough' 'o3 o4 o5' -s three otter
found 'one that has one likely hit and others beside it is widened' 'n1 p1 r1 w1 w2 w3 w4 w5 w6' \
	-s walk heron
first 'and that one stays first' w1 -s walk heron
found 'one with fewer than three is widened' 'n1 p1 r1 w1 w2 w3 w4 w5 w6' -s pond heron
first 'its own hits stay first' p1 -s pond heron
found 'two are too few' 'o1 o2 o3 o4 o5' -s two otter
like 'each once' '(map(.id) | unique | length) == length' -s pond heron
like 'the others are said to be from outside' 'all(.[]; .outside == (.source_id != "p1"))' -s pond \
	--explain heron
order 'but not beyond -n' p1 -s pond -n 1 heron
like 'within -n' 'length == 2 and .[0].source_id == "p1"' -s pond -n 2 heron
found 'only the session' p1 -s pond --scope session heron
found 'everything' 'n1 p1 r1 w1 w2 w3 w4 w5 w6' -s pond --scope user heron
first 'everything, the best first' n1 -s pond --scope user heron --strategy bm25
found 'auto by its name' 'o3 o4 o5' -s three --scope auto otter
first 'a question that looks back' n1 -s walk --strategy bm25 'the heron, as before'
check_out 'a name spelt otherwise is that of the speaker who nearly has it' '["k2",1]' sh -c \
	'mem-search --explain -n 1 -j "the ironmonger of Jonnas" |
		jq -c "[.source_id, .signals.speaker]"'
check_out 'another name is not' 0 sh -c \
	'mem-search --explain -n 1 -j "the ironmonger of Xavier" | jq ".signals.speaker // 0"'
check_out 'a question in a prompt is nearly as probably answered as a bare one' true sh -c \
	'p() { mem-search -n 1 -j "$1" | jq -c .p; }
	p "Did anybody buy a kettle in the shop?" >bare
	p "My sister fell off a ladder while painting. Did anybody buy a kettle in the shop? Please answer in one short line, thanks." |
		jq -c --slurpfile bare bare ". > .75 * \$bare[0]"'
mem-ingest -q -d copy.db --map . - >"$out" <<'EOT'
{"session":"a","id":"q1","role":"user","content":"Where did we leave the spare key of the boathouse?"}
{"session":"a","id":"q2","role":"assistant","content":"Behind the door, with the oars."}
{"session":"b","id":"q3","role":"user","content":"where did we leave the spare key of the boathouse"}
{"session":"c","id":"q4","role":"user","content":"Where did we leave the spare key of the shed and the boathouse boat?"}
EOT
found 'a prompt that is stored is no answer to itself, nor is a copy' 'q2 q4' -d copy.db \
	'Where did we leave the spare key of the boathouse?'
has 'but is found by its words' q1 -d copy.db 'leave the spare key of the boathouse'
mem-ingest -q -d harbour.db --map . - >"$out" <<'EOT'
{"session":"a","id":"h1","role":"user","name":"Ida","content":"The boats in the harbour are all old."}
{"session":"a","id":"h2","role":"user","name":"Nils","content":"The boats in the harbour are for sale."}
{"session":"b","id":"h3","role":"user","name":"Ida","content":"The boats in the harbour are three now."}
{"session":"b","id":"h4","role":"user","name":"Nils","content":"Boats? I went to the harbour in March."}
EOT
signal() { mem-search -d harbour.db --explain -j "$2" | jq -s -c \
	"map(select(.signals.$1 > 0) | .source_id) | sort"; }
check_out 'a number is what is asked for: it is a signal' '["h3"]' signal things \
	'How many boats are in the harbour?'
first 'and comes first' h3 -d harbour.db 'How many boats are in the harbour?'
check_out 'what somebody did' '["h4"]' signal things 'What did they see in the harbour?'
check_out 'in a question for several things it counts who says it' '["h1","h3"]' \
	signal several_speaker 'Which boats has Ida seen in the harbour?'
check_out 'for one thing that is counted otherwise' '[]' signal several_speaker \
	'Where has Ida seen the harbour?'
check_out 'in a prompt it counts otherwise, too' '["h1","h3"]' signal prompt_speaker \
	'I walked past there today. Where has Ida seen the harbour? Thanks a lot.'
check_out 'but not in a bare question' '[]' signal prompt_speaker \
	'Where has Ida seen the harbour?'
found 'all of a time that is asked for alone' 'g2 k1 k2 k3' --now 2024-06-01 \
	'what happened in February?'
found 'of a speaker' 'k1 k3' --now 2024-06-01 'What did Mara say in February'
check_out 'is likely, and says why' '["said then"]' sh -c \
	'mem-search -n 1 --min-score .35 --now 2024-06-01 "anything from April 2024?" | jq -c .why'
found 'a session first' 'k1 k2 k3' --now 2024-06-01 -s kitchen 'what happened in February?'
has 'of a time without anything the words, none of them likely' p1 --now 2023-06-01 \
	'what happened to the heron last week'
found 'not even' '' --min-score .35 --now 2023-06-01 'what happened this time last week'
has 'looks beyond a session that has enough' p1 -s walk 'what did I say of the heron last time'
lacks 'unless that is the scope' p1 -s walk --scope session 'what did I say of the heron last time'
first 'in Chinese too' z2 -s zh1 '上次说的茶'
found 'a session that is not there is widened' 'n1 p1 r1 w1' -s nowhere heron --strategy bm25
found 'or empty' '' -s nowhere --scope session heron
check_out 'the setting says the same' '"p1"' sh -c 'MEM_SCOPE=session mem-search -s pond heron |
	jq .source_id'

# ---- filters ----

found 'gaskets' 'g1 g2 g3 g4' gasket
found 'since a day' 'g2 g3' gasket --since 2024-02-01
found 'until a month, all of it' g1 gasket --until 2024-01
found 'between' g2 gasket --since 2024-02 --until 2024-04
found 'so long ago' g3 gasket --since 3d
found 'yesterday' g3 gasket --since yesterday --until yesterday
found 'by role' g4 gasket --role tool
found 'by speaker' g1 gasket --name Mara
found 'by nobody' '' gasket --name Nobody
found 'by two' '' gasket --name Mara --since 2024-02
found 'trusted' 'g1 g3' gasket --min-trust 3
found 'a little trusted' 'g1 g2 g3 g4' gasket --min-trust 1
found 'in a project' g3 gasket -p pump
check_err 'in a project that is not there' 0 "there is no project 'other': there is pump" \
	mem-search -p other gasket
found 'nor is there one of that path' '' gasket -p /srv/other
found 'filters of bm25' g2 gasket --strategy bm25 --role assistant
found 'filters of recent' g4 x --strategy recent --role tool
like 'a filter is of the hit, its neighbour may speak for it' 'map(.source_id) == ["k2"]' kettle \
	--name Jonas

# ---- agents ----

found 'no agent sees all' 'a0 aA aB' turnstile
found 'an agent: shared, and its own' 'a0 aA' -a A turnstile
found 'another agent' 'a0 aB' -a B turnstile
found 'an agent with nothing of its own' a0 -a C turnstile
found 'recent as an agent' 'a0 aA' -a A --strategy recent --since 2024-05-01 --until 2024-05-01 x

# ---- the wall ----

found 'another user' canary -u other kettle
lacks 'does not see it' canary 'canary kettle gasket heron' -n 100
found 'not even by a word of its own' '' canary
found 'not by session' '' -u other -s code getUserName
found 'nor recently' canary -u other --strategy recent x
found 'nobody' '' -u nobody kettle

# ---- how many ----

like 'ten by default' 'length == 10' --strategy recent x
like 'at most so many' 'length == 2' -n 2 gasket
like 'ranks count from 1' 'map(.rank) == [range(1; length + 1)]' heron
like 'best first' 'map(.score) == (map(.score) | sort | reverse)' heron
like 'a score to reach' 'length > 0 and all(.[]; .score >= 0.9)' heron -n 50 --min-score 0.9
check_out 'it leaves out the others, and only these' '' sh -c \
	"mem-search -n 50 heron | jq -c 'select(.p >= 0.9) | .id' >all;
		mem-search -n 50 --min-score 0.9 heron | jq -c .id | diff all -"
check_status 'status 0 when found' 0 mem-search -e kettle
check_status 'status 1 when not' 1 mem-search -e zeppelin
check_out 'a probability' true sh -c 'mem-search kettle |
	jq -s "all(.p > 0 and .p < 1) and .[0].p > .5"'
check_out 'less of a long question that the memory knows little of' true sh -c \
	'mem-search "which colour had the kettle of the lighthouse in Reykjavik before the zeppelin came" | jq -s "all(.p < .3)"'
check_out 'those that are less likely can be left out' true sh -c 'mem-search -n 100 kettle >all;
	jq -c "select(.p >= .8)" all | jq -r .id >want
	mem-search -n 100 --min-score .8 kettle | jq -r .id | cmp -s - want && test -s want &&
		test $(wc -l <want) -lt $(wc -l <all) && echo true'
check_status 'status 1 when none is likely enough' 1 env MEM_LIKELY=1 mem-search -e kettle
check_out 'no probability with another strategy' null sh -c \
	'mem-search --strategy bm25 -n 1 kettle | jq .p'
check_status 'not unless asked for' 0 mem-search zeppelin

# ---- strategies ----

order 'recent: the newest first' 'g3 r1 o5' --strategy recent -n 3 x
like 'is no search' 'all(.[]; .why == ["recent"] and .score == 0)' --strategy recent x
order 'recent in a session' 'k3 k2 k1' --strategy recent -s kitchen x
first 'lexical' k1 --strategy lexical kettle
found 'bm25' k1 --strategy bm25 kettle
first 'bm25 by frequency' n1 --strategy bm25 heron
like 'fused is the default' '.[0].strategy == "fused"' --explain kettle
check_out 'twice the same' '' sh -c 'mem-search -n 50 the heron in C >one;
	mem-search -n 50 the heron in C | cmp one -'
check_out 'exact is the same where nothing is cut short' '' sh -c 'mem-search -n 50 heron >one;
	mem-search --exact -n 50 heron | cmp one -'

# ---- the record ----

like 'a hit has its keys' \
	'.[0] | keys_unsorted == ["type", "rank", "id", "user", "time", "session", "origin", "trust", "source_id", "score", "p", "bm25",
	"code", "tier", "kind", "turn", "role", "name", "content", "snippet", "chunk",
	"why"]' kettle
like 'explained, five more' \
	'.[0] | keys_unsorted[-5:] == ["strategy", "session_kind", "coverage", "outside", "signals"]' \
	--explain kettle
like 'no signal is 0' '.[0].signals | length > 3 and .turn == 1 and .coverage == 1 and all(.[]; . != 0)' --explain kettle
like 'bm25 has no signals' '.[0].signals == {}' --explain --strategy bm25 kettle
check_out 'the id is a message' true sh -c 'mem-search -n 1 kettle >h; mem-show "$(jq -r .id h)" |
	jq --slurpfile h h ".content == \$h[0].content"'
awk 'BEGIN { printf "{\"session\":\"long\",\"role\":\"user\",\"content\":\""; for (i = 0; i < 300; i++) printf "filler é%d ", i
	printf "the marmot whistles "; for (i = 0; i < 300; i++) printf "padding %d ", i;
		print "\"}" }' >long.ndjson
check 'stores a long turn' mem-ingest -q --from=ndjson long.ndjson
like 'the snippet is the part that answers' \
	'.[0] | (.snippet | utf8bytelength) <= 240 and (.snippet | contains("marmot whistles")) and
	(. as $h | .content | contains($h.snippet))' 'marmot whistles'
check_out 'the chunk is the one with it' 1 sh -c "mem-search -n 1 'marmot whistles' >h
	jq -j .content h | tail -c +\$((\$(jq .chunk.start h) + 1)) |
		head -c \"\$(jq .chunk.length h)\" | grep -c 'marmot whistles'"

# ---- the texts of the best, and what stands near a better hit ----

{
	echo '{"session":"n1","id":"far","role":"user","content":"Sour milk for the cat, and after that we had some of the cherries."}'
	echo '{"session":"n2","id":"near","role":"user","content":"For the cat some milk, and after that we had of the sour cherries."}'
	for i in 1 2 3 4; do
		printf '{"session":"log","id":"u%d","role":"user","content":"%s"}\n' $i \
			"The otter number $i likes to swim."
		echo '{"session":"log","id":"x'$i'","role":"assistant","content":"Fine."}'
	done
} | mem-ingest -q -d near.db --from=ndjson >/dev/null
first 'neighbours in the question are neighbours in the text' near -d near.db 'sour cherries'
like 'explained: close, and all of it in one place' \
	'map({(.source_id): .signals.close}) | add | .near == 1 and .far < .2' -d near.db \
	--explain 'sour cherries'
like 'in a log each hit loses by better ones near it' \
	'map(select(.source_id | startswith("u"))) | .[0].signals.spread == null and all(.[1:][]; .signals.spread > 0)' \
	-d near.db --explain 'my otter'
like 'and the scores still fall' '[.[].score] | . == (sort | reverse)' -d near.db 'my otter'
like 'elsewhere none does' 'all(.[]; .signals.spread == null or .session == "log")' -d near.db \
	--explain 'sour otter'

# ---- what is said before ----

cat <<'EOT' | mem-ingest -q -d before.db --from=ndjson >/dev/null
{"session":"trip","id":"t1","role":"user","name":"Mara","content":"We saw the lighthouse of Porto."}
{"session":"trip","id":"t2","role":"user","name":"Jonas","content":"Oh, how was it?"}
{"session":"trip","id":"t3","role":"user","name":"Mara","content":"Windy, and the keeper gave us soup."}
{"session":"trip","id":"t4","role":"user","name":"Jonas","content":"Windy, and you are still hungry."}
{"session":"home","id":"h1","role":"user","name":"Mara","content":"Our lighthouse lamp is broken."}
{"session":"home","id":"h2","role":"user","name":"Jonas","content":"Windy, and nobody gave us soup."}
EOT
like 'in a chat the words of the two messages before count' \
	'map({(.source_id): .signals.coverage_before}) | add | .t1 == 1 and .t3 == 1 and
	.t4 == null and .h2 < 1 and .h2 > 0' -d before.db --explain 'the lighthouse of Porto'
like 'so what goes on about the subject is before what is said later' \
	'map(.source_id) | index("t1") == 0 and index("t3") < index("t4")' -d before.db \
	'the lighthouse of Porto'

# ---- more than 20,000 turns ----

awk 'BEGIN { for (i = 0; i < 20500; i++)
	printf "{\"session\":\"s%d\",\"id\":\"m%d\",\"role\":\"user\",\"content\":\"%s\"}\n",
		i / 100, i,
		i == 7777 ? "gravel and basalt" : i % 1000 == 50 ? "a quarry" : \
		i % 100 == 99 ? "sand" : "gravel " i }' >many.ndjson
check 'stores many' mem-ingest -q -d many.db --from=ndjson many.ndjson
first 'the best of many' m7777 -d many.db gravel basalt
first 'and with every candidate looked at' m7777 -d many.db --exact gravel basalt
lacks 'a turn of a matching session, far from the match, is left out here' m99 -d many.db -n 1000 \
	quarry
has 'but not one beside a match' m51 -d many.db -n 1000 quarry
check_out 'the same twice, though many are alike' '' sh -c \
	'mem-search -d many.db -n 500 gravel >one; mem-search -d many.db -n 500 gravel | cmp one -'

# ---- questions on the standard input ----

cat >q.ndjson <<'EOT'
{"query":"kettle"}
{"type":"query","query":"nothing of it","rewritten":"茶"}

{"query":"zeppelin"}
EOT
check_out 'each question, one after the other' '"k1" "z2"' sh -c 'mem-search -n 1 <q.ndjson |
	jq .source_id | tr "\n" " " | sed "s/ $//"; echo'
check_out 'the same for -' '"k1" "z2"' sh -c 'mem-search -n 1 - <q.ndjson | jq .source_id |
	tr "\n" " " | sed "s/ $//"; echo'
check_out 'operands leave it alone' '"g3"' sh -c '{ mem-search -n 1 blue gasket; cat;
	} <q.ndjson | head -n 1 | jq .source_id'
check_out 'no questions' '' mem-search
check_out 'nothing found, and not a word in a pipe' '' sh -c 'mem-search --since 2031 kettle 2>&1'
printf '%s\n' '{"query":"kettle"}' '{junk' '{"q":"x"}' '{"query":7}' '[1]' \
	'{"query":"茶"}' >bad.ndjson
check_out 'what else a question says comes out with its hits' \
	'[{"n":[1,{"a":"b"}],"no":"eins","rank":1},{"n":null,"no":2,"rank":1}]' sh -c '
	printf "%s\n" "{\"no\":\"eins\",\"query\":\"kettle\",\"id\":\"x\",\"n\":[1,{\"a\":\"b\"}],\"now\":\"2026-05-13\",\"vec\":[0.5]}" "{\"query\":\"茶\",\"no\":2}" |
	mem-search -n 1 | jq -Sc "select(.id != \"x\" and (has(\"now\") or has(\"vec\") | not)) | {rank, no, n}" | jq -sc .'
# Each key of these records in the question, too: those that mem gives a meaning do not come out
# again.
sed -n '/^record \(hit\|steps\|end\) /,/^$/s/^\t\([a-z_]*\) .*/\1/p' "$ROOT/schema/records.txt" |
	sort -u >keys
check_out 'of a hit each key is there once, and those of records that mem knows come from it' '' \
	sh -c '
	jq -Rnc "reduce inputs as \$k ({query: \"kettle\"}; if \$k == \"query\" then . else .[\$k] = null end)" <keys |
	mem-search -n 1 --explain | jq -c --stream "select(length == 2 and (.[0] | length) == 1) | .[0][0], select(.[1] == null)[0][0]" | sort | uniq -d'
check_err 'a bad line is named' 65 '^mem-search: stdin:2: ' sh -c 'exec mem-search -n 1 <bad.ndjson'
check_out 'the others are answered' 'k1 z2 ' sh -c 'jq -r .source_id "$0" | tr "\n" " "; echo' \
	"$out"
run sh -c 'exec mem-search -n 1 <bad.ndjson'
check_out 'all of them' '2 3 4 5 ' sh -c 'sed "s/^mem-search: stdin:\([0-9]*\): .*/\1/" "$0" |
	tr "\n" " "; echo' "$err"
check_status 'status 1 when no line finds anything' 1 sh -c 'echo "{\"query\":\"zeppelin\"}" |
	mem-search -e'
check_status 'status 0 when one does' 0 sh -c 'exec mem-search -e <q.ndjson'
check_status 'a bad line goes before that' 65 sh -c 'echo "{junk" | mem-search -e'

# ---- --ends: a program asks and waits ----

check_out 'each question and each bad line has an end' \
	'[[2,"kettle",2,null],[null,null,0,"stdin:2"],[null,null,0,"stdin:3"],[null,null,0,"stdin:4"],[null,null,0,"stdin:5"],[1,"茶",1,null]]' \
	sh -c '
	mem-search -n 2 --ends <bad.ndjson 2>/dev/null |
	jq -sc "reduce .[] as \$r ({n: null, all: []}; if \$r.type == \"hit\" then .n += 1
		else .all += [[.n, \$r.query, \$r.hits, (\$r.error // null |
			if . then .[:7] else . end)]] | .n = null end) | .all"'
check_out 'nothing found: an end alone, with what else the question says' \
	'{"type":"end","query":"zeppelin","hits":0,"no":7}' sh -c '
	echo "{\"query\":\"zeppelin\",\"no\":7,\"hits\":5,\"error\":\"mine\"}" | mem-search --ends'
check_out 'one that cannot be answered' \
	'{"type":"end","query":"tea","hits":0,"error":"stdin:1: '"'now'"' is no text","no":8}' \
	sh -c '
	echo "{\"query\":\"tea\",\"now\":7,\"no\":8}" | mem-search --ends 2>/dev/null || :'
check_out 'the line behind it has nothing of it' '{"type":"end","hits":0}' sh -c '
	printf "%s\n" "{\"query\":\"tea\",\"now\":7,\"no\":8}" "{junk" |
		mem-search --ends 2>/dev/null | sed -n "2s/,\"error.*/}/p"'
check_out 'of a question made whole: as it was asked' 'nothing of it' sh -c 'sed -n 2p q.ndjson |
	mem-search --ends | jq -r "select(.type == \"end\").query"'
check_out 'of operands, too' '{"type":"end","query":"zeppelin","hits":0}' mem-search --ends zeppelin
check_out 'it counts where hits come from' '{"conversations":1,"facts":1}' sh -c \
	'echo "{\"role\":\"user\",\"content\":\"The tea is in the tin.\"}" | mem-ingest -q -d ends.db
	mem-remember -q -d ends.db --fact "Tea is kept in the tin"
	mem-search --ends -d ends.db "tea tin" | jq -c "select(.type == \"end\").sources"'
check_out 'and where there is no store yet' '{"type":"end","query":"zeppelin","hits":0}' sh -c \
	'echo "{\"query\":\"zeppelin\"}" | mem-search -q -d none.db --ends'
check_out 'no word of it to people' '' mem-search --ends -q --format text zeppelin
mkfifo asked said
cat >asks <<'EOF'
mem-search -n 1 --ends <asked >said 2>/dev/null &
exec 3>asked 4<said
for line in '{"query":"zeppelin"}' junk '{"query":"kettle"}'; do
	echo "$line" >&3
	while read -r record <&4; do
		case $record in *'"type":"end"'*) echo end; break ;; *) echo hit ;; esac
	done
done
exec 3>&-
wait
EOF
check_out 'whoever asks again when the answer is there is not kept waiting' 'end end hit end ' \
	sh -c 'sh asks | tr "\n" " "; echo'

# ---- caps ----

awk 'BEGIN { while (i++ < 65536 / 8) printf "kettle  " }' >full
check_like '64 KiB are a question' '"source_id":"k1"' sh -c \
	'exec mem-search "$(sed "s/ *$//" full)"'
check_err 'more are not' 65 'over 65536 bytes \(setting query_bytes\)' sh -c \
	'exec mem-search "$(cat full)" kettle'
{ printf '{"query":"'; cat full; printf 'x"}\n{"query":"kettle"}\n'; } >big.ndjson
check_err 'nor on the standard input' 65 'stdin:1: question is over' sh -c \
	'exec mem-search -n 1 <big.ndjson'
check_like 'where the next is answered' '"source_id":"k1"' cat "$out"
check_err 'the cap is a setting' 65 'over 64 bytes' env MEM_QUERY_BYTES=64 mem-search \
	'a question of more than sixty-four bytes, and these are more than that'
check_like 'thousands of words' '"source_id":"k1"' sh -c 'exec mem-search kettle $(seq 1 5000)'

# ---- wrong usage ----

check_err 'unknown strategy' 64 \
	"^mem-search: unknown strategy 'best': fused, lexical, bm25, dense, hybrid, rrf, max, recent, ladder or progressive$" \
	mem-search --strategy best x
check_err 'unknown scope' 64 "^mem-search: --scope must be one of auto session user: 'here' " \
	mem-search --scope here x
check_err 'unknown role' 64 "unknown role 'martian': user, assistant, system, tool or other" \
	mem-search --role martian x
check_err 'no time' 64 "^mem-search: --since takes a time such as .*'last week', not 'someday'$" \
	mem-search --since someday x
check_err 'since later than until' 64 \
	'^mem-search: --since 2024-03 is later than --until 2024-02$' mem-search --since 2024-03 \
	--until 2024-02 x
check_err 'the scope of a session, and none' 64 \
	'^mem-search: --scope session needs -s$' mem-search --scope session x
check_status 'as a setting it is no error' 0 env MEM_SCOPE=session mem-search x
check_err 'a limit, said once' 64 "^mem-search: --limit must be from 1 to 1000000: '0' " \
	mem-search -n 0 x
check_err 'an option of another name than its setting' 64 \
	"^mem-context: --budget must be a whole number: 'x' " mem-context --budget x y
check_err 'no time, until' 64 "^mem-search: --until takes a time .* not '2024-13-40'$" mem-search \
	--until 2024-13-40 x
check_err 'none at most' 64 'limit' mem-search -n 0 x
check_err 'too much trust' 64 'from 0 to 3' mem-search --min-trust 4 x
check_err 'a score that is no number' 64 '--min-score must be a number' mem-search \
	--min-score high x
check_err 'no user' 64 'user' mem-search -u '' x
check_err 'an option that is not there' 64 'fuzzy' mem-search --fuzzy x
check_err 'weights that are not there' 66 'weights' env MEM_WEIGHTS=weights.txt mem-search x
echo 'chat turm 1' >weights.txt
check_err 'weights of no signal' 78 'weights.txt.*1' env MEM_WEIGHTS=weights.txt mem-search x

# Lines without names, where questions are answered, are scored as a chat is; notes are not, and
# neither are two questions in a hundred.
for of in asked:5 hardly:50 notes:1000; do
	seq 1 100 | jq -c --arg of "${of%:*}" --argjson every "${of#*:}" \
		'{user: $of, session: "s", id: "\($of)-\(.)", content: (if . % $every == 1 and . > 1 then "Where is the anvil of \(.)?" else "The anvil is at \(.)." end)}'
done >talk.ndjson
mem-ingest -q -d talk.db --multi-user talk.ndjson
talk() { # USER: how much it is talk, and whether what chats weigh decides
	echo 'chat question 99' >weights.txt
	MEM_WEIGHTS=weights.txt mem-search -d talk.db -u "$1" --explain -n 1 -j 'my anvil' |
		jq -r '"\(.session_kind) \(.talk) \(.content | endswith("?"))"'
}
check_out 'answered questions are talk' 'unknown 1 true' talk asked
check_out 'one in a hundred is none' 'unknown null false' talk hardly
check_out 'nor are notes' 'unknown null false' talk notes
# What somebody asked an assistant whose answers are not stored: every other question is followed by
# the next one.
seq 1 60 | jq -c '{user: "prompts", session: "s", id: "p\(.)", content: (if . % 3 == 0 then
	"The anvil is at \(.)." else "Where do I put my anvil in \(.)?" end)}' |
	mem-ingest -q -d talk.db --multi-user -
check_out 'nor are prompts' 'unknown null' eval 'talk prompts | cut -d" " -f1-2'

# In the lines of one voice the kind of thing that is asked for counts as it does in chats.
printf '%s\n' 'I fixed my old boats in the harbour.' 'The sea was grey.' 'At noon the wind rose.' \
	'I fixed three of my boats in the harbour.' |
	jq -Rc '{session: "v", id: "v\(input_line_number)", content: .}' |
	mem-ingest -q -d voice.db -
first 'a number is asked for' v4 -d voice.db 'how many of my boats in the harbour did I fix'

# What a question is about chooses the weights: those of the session's kind where it is about the
# asker or about somebody who speaks here, else the same for all, whatever kind of session it is.
printf '%s\n' '{"session":"c","name":"Ana","content":"The kiln is hot."}' \
	'{"session":"c","name":"Bo","content":"Open the kiln, then."}' \
	'{"session":"d","name":"Cy","content":"No kiln here."}' |
	mem-ingest -q -d kinds.db -
printf '%s\n' '{"session":"l","role":"user","content":"Is the kiln hot?"}' \
	'{"session":"l","role":"assistant","content":"The kiln is hot."}' |
	mem-ingest -q -d kinds.db -
kinds() { mem-search -d kinds.db --explain -j "$1" | jq -r .session_kind | sort -u | paste -sd' '; }
check_out 'a matter has weights of its own' 'matter' kinds 'is the kiln hot'
check_out 'who asks about himself does not' 'assistant chat unknown' kinds \
	'did I say the kiln is hot'
check_out 'nor who names a speaker' 'assistant chat unknown' kinds \
	'Did Ana say that the kiln is hot?'
check_out 'nor who names all that there are' 'assistant chat unknown' kinds \
	'Did Ana, Bo or Cy say that the kiln is hot?'
check_out 'in other languages' 'assistant chat unknown' kinds \
	'habe ich gesagt, dass kiln hot ist'
check_out 'or without spaces' 'assistant chat unknown' kinds '我的 kiln hot 吗'
check_out 'what is said before the question does not count' 'matter' kinds \
	'I am packing my things for the trip. Is the kiln hot?'

# Who asks two things is answered by what answers one of them: it is as likely as if that had been
# asked alone, or nearly.
jq -n -c '("The kettle stands on the stove.", "Grandmother was born in Lund.",
	"Rain again, all day long.", "The train leaves at seven.", "She likes plums.") |
	{session: "two", content: .}' >two.ndjson
mem-ingest -q -d two.db two.ndjson
best_p() { mem-search -d two.db -n 1 -j "$1" | jq .p; }
check 'of two questions one is answered' awk \
	"BEGIN { exit !($(best_p 'Where does the kettle stand? And which colour has the bicycle of the postman?') > .7 * $(best_p 'Where does the kettle stand?')) }"
check 'in one sentence that is not so' awk \
	"BEGIN { exit !($(best_p 'Where does the kettle stand and which colour has the bicycle of the postman?') < .7 * $(best_p 'Where does the kettle stand?')) }"

# Where the question names somebody who speaks here, notes and logs that have its other words stand
# back; a word written small may be anybody's name.
jq -n -c '(["Ada", "Bert"] | range(12) as $i | {session: "chat",
	id: "c\($i)", name: .[$i % 2], content: ["Morning!",
		"It rained all night.", "I put the tulips into the garden at last.",
		"Finally!"][$i % 4]}),
	{session: "log", id: "l1", role: "user", content: "Which tulips fit a garden of clay?"}, {session: "log", id: "l2", role: "assistant", content: "For a garden of clay take late tulips."},
	{session: "note", id: "n1", content: "garden: tulips in the north, roses in the south"}, {session: "note", id: "n2", content: "milk, bread"}' >named.ndjson
mem-ingest -q -d named.db named.ndjson
named() { # WEIGHT QUESTION: what is first, and what the signal is there
	printf '%s named %s\n' unknown "$1" assistant "$1" >weights.txt
	MEM_WEIGHTS=weights.txt mem-search -d named.db --explain -n 1 -j "$2" |
		jq -r '"\(.source_id[0:1]) \(.signals.named)"'
}
check_out 'an Ada is named' 'c 1' named -9 'What did Ada say of tulips in the garden?'
check_out 'nobody is' 'l null' named -9 'Which tulips does the clay of a garden need?'
check_out 'what is written small is no name' 'null' sh -c \
	'mem-search -d named.db --explain -n 1 -j "What did ada say of tulips in the garden?" |
		jq .signals.named'
check_err 'a damaged file' 78 'bad.db|foreign|not' sh -c 'echo nonsense >bad.db;
	exec mem-search -d bad.db x'

# ---- what it writes ----

searches() { mem-stats | jq -c 'select(.name == "searches") | .value'; }
sums() { for f in mem.db mem.db-wal; do [ -s $f ] && sha256sum $f; done; true; }
before=$(searches)
check 'a search' mem-search kettle
check_out 'is counted' $((before + 1)) searches
check 'each line of questions' sh -c 'exec mem-search <q.ndjson'
check_out 'is one' $((before + 4)) searches
check 'checkpoint' mem-check -q --checkpoint
sums >sums.before
check 'with --no-touch' mem-search --no-touch kettle
check_out 'nothing is written' "$(cat sums.before)" sums
check 'or with the setting' env MEM_TOUCH=no mem-search kettle
check_out 'nothing either' "$(cat sums.before)" sums
check_out 'nor counted' $((before + 4)) searches
check_out 'the question itself is not kept' '' sh -c 'mem-search quagmirewort;
	cat mem.db mem.db-wal 2>/dev/null | grep -ac quagmirewort | grep -v "^0$"; true'

# ---- streams ----

[ -w /dev/full ] && check_err 'a full disk' 74 'cannot write to stdout' sh -c \
	'exec mem-search kettle >/dev/full'
check_out 'a reader that has gone' 0 sh -c '{ mem-search -n 50 heron; echo $? >st; } | :; cat st'

# ---- a terminal ----

# tty COMMAND: its output on a terminal of 60 columns.
tty() {
	COLUMNS=60 script -qec "$1" /dev/null </dev/null >"$top/tty" 2>&1
	tr -d '\r' <"$top/tty"
}
if has_terminal; then
	check_like 'a head for each hit' \
		'^ 1  (●●●|●●○|●○○)  2024-02-01  Mara  [0-9A-Z]{5}$' tty 'mem-search kettle'
	check_like 'below the title of its session, with its name' '^Where did .*  kitchen$' tty \
		'MEM_COLOR=never mem-search kettle'
	mem-search --format text --strategy bm25 otter >shown
	check_out 'those of a session stand together, below it' '1 1' sh -c \
		'echo $(grep -c "  two$" shown) $(grep -c "  three$" shown)'
	check_out 'and are numbered as they stand' '1 2 3 4 5' sh -c \
		'sed -n "s/^ \([0-9]\)  .*/\1/p" shown | xargs'
	check_like 'which is how mem-show takes them' \
		"^    $(sed -n '/^ 5  /{n;s/^ *//;p;}' shown)" \
		tty 'mem-search --strategy bm25 otter >/dev/tty; mem-show 5'
	check_like 'without what a strategy does not know' '^ 1  2024-02-01  Mara ' tty \
		'mem-search --strategy bm25 kettle'
	check_like 'and its words' '^    Where did we buy the kettle\?$' tty 'mem-search kettle'
	check_like 'the words of the question are in bold' 'buy the .\[1mkettle.\[0m\?$' tty \
		'TERM=xterm MEM_COLOR=always mem-search kettle'
	check_out 'not without colour' 0 sh -c \
		'TERM=xterm MEM_COLOR=never mem-search --format text kettle | grep -c "\[1m"; true'
	check_like 'explained' '^    turn 1\.00  ' tty 'mem-search --explain kettle'
	check_like 'with the words that were found' '^    words: kettle$' tty \
		'mem-search --explain kettle'
	check_like 'nothing found is said' '^mem-search: nothing was found.?$' tty \
		'mem-search --since 2031 kettle'
	check_like 'a name that nobody has' "^mem-search: nothing was found that 'ara' said" tty \
		'mem-search --name ara kettle'
	check_like 'NDJSON when asked' '^{"type":"hit"' tty 'mem-search -j kettle'
	check_like 'a terminal asks no questions' 'no question given' sh -c \
		'script -qec mem-search /dev/null 2>&1 </dev/null; true'
	printf '{"session":"esc","role":"user","content":"a\\u001b[31mred\\u202eb puffin"}\n' >esc.ndjson
	check 'stores control characters' mem-ingest -q --from=ndjson esc.ndjson
	check_like 'they do not reach the terminal' 'a\\x1b\[31mred' tty 'mem-search puffin'
else
	skip 'a terminal' 'script(1) gives none'
fi

# ---- a store that is being made ----

fresh
check_like 'questions that come when it is there' 'Bread needs time' sh -c \
	'{ sleep .5; echo "{\"content\":\"Bread needs time.\"}" | mem-ingest -q;
		echo "{\"query\":\"bread\"}"; } | mem-search'

# ---- words that are written in several ways ----

fresh
cat >said.ndjson <<'EOT'
{"session":"a","id":"a1","role":"user","content":"We keep the db cfg in the repo."}
{"session":"b","id":"b1","role":"user","content":"The colour of the boat is grey."}
{"session":"c","id":"c1","role":"user","content":"Nothing of the kind was said about the harvest."}
{"session":"d","id":"d1","role":"user","content":"The repository is public."}
EOT
check 'stores' mem-ingest -q --from=ndjson said.ndjson
check_out 'what is cut short is found by the whole words' a1 sh -c \
	'mem-search "database configuration" | jq -r .source_id'
check_out 'and the other way round; the word itself is better' 'd1 a1 ' sh -c \
	'mem-search repository | jq -r .source_id | tr "\n" " "; echo'
check_out 'spelt in another way' b1 sh -c 'mem-search "gray color" | jq -r .source_id'
check_out 'irregular forms' c1 sh -c 'mem-search "who says it" | jq -r .source_id'
check_out 'the words are told as they were written' 'db cfg' sh -c \
	'mem-search --explain "database configuration" | jq -r ".why | join(\" \")"'
check_out 'bm25 takes words as they are' '' mem-search --strategy bm25 'database configuration'
check_out 'and tells no others' keep sh -c 'mem-search --strategy bm25 "keep the repository" |
	jq -r "select(.source_id == \"a1\").why | join(\" \")"'

# ---- misspelt words, and words cut short ----

fresh
cat >said.ndjson <<'EOT'
{"session":"a","id":"a1","role":"user","content":"The photographs of the lighthouse came out well."}
{"session":"b","id":"b1","role":"user","content":"Retired keepers are painting their boats."}
{"session":"c","id":"c1","role":"user","content":"On Sunday there is soup. See parse_header in the code."}
EOT
check 'stores' mem-ingest -q --from=ndjson said.ndjson
# spelt QUESTION ID: that is found first.
spelt() {
	check_out "'$1'" "$2" sh -c 'mem-search -n 1 --strategy lexical "$1" | jq -r .source_id' \
		sh "$1"
}
spelt 'ligthhouse' a1
spelt 'photogarphs' a1
spelt 'photogr' a1
spelt 'paintign' b1
spelt 'rboats' b1
spelt 'oats' b1
spelt 'keeepers' b1
spelt 'which sopu' c1
spelt 'parse_haeder' c1
check_out 'it says which word was found' photographs sh -c 'mem-search -n 1 photogarphs |
	jq -r ".why[0]"'
check_out 'a word like nothing there finds nothing' '' mem-search zzyzx
check_out 'nor do three letters with an error' '' mem-search --strategy lexical sua
check_out 'a known word is taken as it is' c1 sh -c 'mem-search --strategy lexical soup |
	jq -r .source_id'
check_out 'another user has other words' '' mem-search -u bob ligthhouse
check_out 'not the single source for comparison' '' mem-search --strategy bm25 ligthhouse
check 'words of all sorts' sh -c \
	'printf "%s\n" "{\"query\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}" "{\"query\":\"\\u0444\\u043e\\u0442\\u043e\\u0440 \\u00e9\\u00e8\\u00ea x y z ab abc q1w2e3\"}" "{\"query\":\"q qq qqq qqqq qqqqq qqqqqq qqqqqqq qqqqqqqq qqqqqqqqq wwww eeee rrrr\"}" | mem-search'

# ---- the log that searches write ----

fresh
echo '{"content":"tea"}' | mem-ingest -q >/dev/null
check 'many searches' sh -c 'i=0; while [ $i -lt 140 ]; do mem-search tea >/dev/null || exit 1;
	i=$((i + 1)); done'
check_out 'their counts are kept' 140 sh -c 'mem-stats | jq "select(.name == \"searches\").value"'
check_out 'and the log that each search reads first stays short' short sh -c \
	'[ $(wc -c <mem.db-wal) -lt $((250 * 4120)) ] && echo short'

# ---- follow-up questions ----

fresh
check 'stores' mem-ingest -q --from=ndjson "$ROOT/tests/fixtures/symptoms.ndjson"
echo '{"role":"user","content":"Tell me about lung cancer."}' >chat.ndjson
check_out 'with what was said before' a1 sh -c \
	'mem-search -n 1 --context chat.ndjson "What are its symptoms?" | jq -r .source_id'
check_out 'from stdin' a1 sh -c \
	'mem-search -n 1 --context - "What are its symptoms?" <chat.ndjson | jq -r .source_id'
check_out 'through mem-rewrite' a1 sh -c \
	'mem-rewrite --context chat.ndjson "What are its symptoms?" | mem-search -n 1 |
		jq -r .source_id'
check_out 'a record with its talk' a1 sh -c \
	'jq -c "{query: \"What are its symptoms?\", history: [.]}" chat.ndjson | mem-search -n 1 |
		jq -r .source_id'
check_out 'a hit says so' 'What are its symptoms? What are its symptoms? lung cancer 1' sh -c \
	'mem-search -n 1 --context chat.ndjson "What are its symptoms?" |
		jq -r "\"\(.original) \(.expanded) \(.confidence)\""'
check_out 'also of a whole question' \
	'Is sneezing a sign of hay fever? Is sneezing a sign of hay fever? 1' sh -c \
	'mem-search -n 1 --context chat.ndjson "Is sneezing a sign of hay fever?" |
		jq -r "\"\(.original) \(.expanded) \(.confidence)\""'
check_out 'and says nothing where nobody asked' null sh -c 'mem-search -n 1 sneezing |
	jq -r .original'
check_out 'words that count nothing' c1 sh -c \
	'MEM_REWRITE_WEIGHT=0 mem-search -n 1 --strategy bm25 --context chat.ndjson "What are its symptoms?" | jq -r .source_id'
check_out 'words of the question that the new one lacks still count' c1 sh -c \
	'echo "{\"query\":\"sneezing\",\"rewritten\":\"what\",\"added\":[]}" | mem-search -n 1 |
		jq -r .source_id'
check_err 'both from stdin' 64 'takes the standard input' mem-search --context -
check_err 'no such file' 66 'none.ndjson' mem-search --context none.ndjson x
check_err 'a bad line, and what it may be' 65 \
	'bad:1: invalid JSON .cut short. at byte 2: a value takes one line, as "jq -c" writes it' \
    sh -c 'echo "{" >bad; mem-search --context bad x'
check_err 'a bad talk' 65 'stdin:1: no message' sh -c 'echo "{\"query\":\"x\",\"history\":[7]}" |
	mem-search'
check_out 'odd weights count as none' a1 sh -c \
	'echo "{\"query\":\"cough\",\"rewritten\":\"cough\",\"added\":[{\"text\":\"cough\",\"weight\":-1},{\"weight\":2},7,{\"text\":\"x\",\"weight\":1e300}]}" | mem-search -n 1 | jq -r .source_id'

# when it is asked
fresh
cat >said.ndjson <<'EOT'
{"session":"a","id":"a1","time":"2023-07-09T10:00:00Z","role":"user","content":"We slept in a tent by the lake."}
{"session":"b","id":"b1","time":"2023-12-26T10:00:00Z","role":"user","content":"We slept in a cabin by the lake."}
{"session":"c","id":"c1","time":"2024-05-28T10:00:00Z","role":"user","content":"We slept in a train by the lake."}
EOT
check 'stores' mem-ingest -q --from=ndjson said.ndjson
first 'last week, of a given day' c1 --now 2024-06-05 'where by the lake did we sleep last week'
first 'last summer' a1 --now 2024-06-05 'where by the lake did we sleep last summer'
first 'a feast of last year' b1 --now 2024-06-05 \
	'where by the lake did we sleep at Christmas last year'
first 'last week in another year' a1 --now '2023-07-12' 'where by the lake did we sleep last week'
found 'other options are counted from then, too' 'c1' --now 2024-06-05 --since 14d slept
check_out 'each line may have its own' 'a1 b1 c1' sh -c \
	'printf "{\"query\":\"where by the lake did we sleep last week\",\"now\":\"%s\"}\n" 2023-07-12 2024-01-02T08:00:00Z 2024-06-05 |
	mem-search -n 1 | jq -r .source_id | paste -sd " " -'
check_out 'a block, too' 'a1 c1' sh -c \
	'mem-context -j --max-turns 1 --now 2023-07-12 "where by the lake did we sleep last week" |
		jq -rj ".items[].source_id"; printf " "
	echo "{\"query\":\"where by the lake did we sleep last week\",\"now\":\"2024-06-05\"}" |
	mem-context -j --max-turns 1 | jq -r ".items[].source_id"'
check_err 'no time' 64 "^mem-search: --now takes a time such as .*, not 'soon'" mem-search \
	--now soon slept
check_err 'no time in a line' 65 "stdin:1: 'now' takes a time such as .*, not 'soon'" sh -c \
	'echo "{\"query\":\"slept\",\"now\":\"soon\"}" | mem-search'
check_err 'a number in a line' 65 "stdin:1: 'now' is no text" sh -c \
	'echo "{\"query\":\"slept\",\"now\":7}" | mem-search'
check_out 'null is now' a1 sh -c 'echo "{\"query\":\"tent\",\"now\":null}" | mem-search -n 1 |
	jq -r .source_id'
check_out 'measured as of then' '[1,1,1]' sh -c \
	'printf "{\"query\":\"where by the lake did we sleep last week\",\"now\":\"%s\",\"relevant\":[\"%s\"]}\n" 2023-07-12 a1 2024-01-02 b1 2024-06-05 c1 >q.ndjson
	for n in 1 2 3; do sed -n ${n}p q.ndjson | mem-eval -k 1 |
		jq "select(.category == \"all\") | .\"recall@1\""; done | jq -sc .'
check_err 'and no time' 65 "stdin:1: 'now' takes a time" sh -c \
	'echo "{\"query\":\"slept\",\"now\":\"soon\",\"relevant\":[\"a1\"]}" | mem-eval'

# ---- the best texts together: a question of two sentences, and an answer that has none of the
# question's words ----

fresh
cat >said.ndjson <<'EOT'
{"session":"a","id":"u","role":"user","content":"我叔叔的老家在山西太原。"}
{"session":"a","id":"x","role":"user","content":"我婶婶的老家在山西大同。"}
{"session":"a","id":"w1","role":"user","content":"我上司的生日在九月十一号。"}
{"session":"a","id":"w2","role":"user","content":"我舅舅过生日是十一月十号。"}
{"session":"a","id":"w3","role":"user","content":"我的下属过生日是二月十八号，单位在青岛。"}
{"session":"a","id":"u2","role":"user","content":"我叔叔过生日在九月十三号。"}
{"session":"a","id":"p","role":"user","content":"手机是华为的，去年买的。"}
EOT
check 'stores' mem-ingest -q --from=ndjson said.ndjson
best() { # name, hits in any order, how many, question
	check_out "$1" "$2" sh -c 'mem-search -j -q -n "$0" "$1" | jq -r .source_id | sort |
		paste -sd " " -' "$3" "$4"
}
best 'what else is said of the one who is found' 'u u2 x' 3 '老家在山西太原的人生日是哪天？'
best 'each sentence of a question has its own' 'p u' 2 '谁的老家在山西太原？另外，我用的手机是什么？'

# ---- p: what is said where a hit stands ----

fresh
echo '{"session":"a","id":"n","role":"user","content":"Nothing of the sort happened today."}' >said.ndjson
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	echo "{\"session\":\"far\",\"id\":\"f$i\",\"role\":\"user\",\"content\":\"Nothing of the sort happened on day $i.\"}"; done >>said.ndjson
cat >>said.ndjson <<'EOT'
{"session":"beside","id":"b1","role":"user","content":"We painted the boathouse."}
{"session":"beside","id":"b2","role":"user","content":"Nothing else to do."}
{"session":"beside","id":"b3","role":"user","content":"The ladder came from Ingrid."}
{"session":"apart","id":"a1","role":"user","content":"We mended the gazebo."}
{"session":"other","id":"a2","role":"user","content":"The trailer came from Oskar."}
EOT
check 'stores' mem-ingest -q --from=ndjson said.ndjson
p() { mem-search -j -q -n 10 "$2" | jq -r "select(.source_id == \"$1\") | .p"; }
check_out 'words of two turns that stand together are likelier than those of two sessions' true \
	sh -c 'jq -n "$0 > $1 + .2"' "$(p b1 'boathouse Ingrid')" "$(p a1 'gazebo Oskar')"
check_out 'what is behind the best is less likely' true sh -c \
	'mem-search -j -q -n 10 "boathouse painted Ingrid" |
		jq -s "[.[].p] | . == (sort | reverse) and .[0] > .[-1]"'

# ---- words of time that are no times ----

fresh
check 'stores' sh -c 'printf "%s\n" \
	"{\"session\":\"a\",\"time\":\"2026-01-10\",\"content\":\"April is my daughter.\"}" \
	"{\"session\":\"b\",\"time\":\"2026-02-10\",\"content\":\"Our wedding is in August.\"}" |
	mem-ingest -q --from=ndjson -'
check_out 'a name that is a month' 'April is my daughter.' sh -c \
	'mem-search "who is April" | jq -r .content'
check_out 'what was said of a month, but not in it' 'Our wedding is in August.' sh -c \
	'mem-search "what happens in August" | jq -r .content'
check_out 'and what was said in one' 'April is my daughter.' sh -c \
	'MEM_NOW=2026-05-20T12:00:00Z mem-search "what happened in January" | jq -r .content'
# ---- commits ----

fresh
printf '%s\n' '{"role":"user","session":"a","content":"What broke the mill?"}' \
	'{"role":"assistant","session":"b","content":"It is 4f9a1d27b8e90123456789abcdef0123456789ab."}' \
	'{"role":"assistant","session":"c","content":"It came with 4f9a1c2b7d8e90123456789abcdef0123456789a."}' |
	mem-ingest -q
check_out 'seven digits of a hash find the commit, and no other' c sh -c \
	"mem-search -n 1 'what came with 4f9a1c2' >o && jq -r .session o"
check_out 'alone, too' c sh -c 'mem-search -n 1 4F9A1C2 >o && jq -r .session o'

# ---- for people: what is not likely ----

fresh
cat >in <<'EOT'
{"session":"a","id":"a1","role":"user","content":"The kettle stands on the blue shelf in the kitchen."}
{"session":"b","id":"b1","role":"user","content":"A shelf of books."}
{"session":"c","id":"c1","role":"user","content":"We saw the kitchen of the palace, and went on to the garden with roses."}
{"session":"d","id":"d1","role":"user","content":"He stands on one leg for an hour, which nobody else in the whole village can."}
{"session":"e","id":"e1","role":"user","content":"The kitchen of the new flat has no window, so we shall not take it after all."}
EOT
mem-ingest -q --from=ndjson in
q='where does the kettle stand, kitchen shelf'
check_out 'in a pipe all hits are there' 5 sh -c 'MEM_UNLIKELY=.5 mem-search "$1" | wc -l' sh "$q"
check_out 'for people three, and none behind them that is not likely' 3 env MEM_UNLIKELY=.5 sh -c \
	'mem-search --format text "$1" | grep -c "^ *[0-9][0-9]*  "' sh "$q"
check_out '  all of them where that is 0' 5 env MEM_UNLIKELY=0 sh -c \
	'mem-search --format text "$1" | grep -c "^ *[0-9][0-9]*  "' sh "$q"
check_like '  where all are unlikely, it says so above them' '^nothing likely' env MEM_UNLIKELY=1 \
	mem-search --format text "$q"
check_like '  and shows them' 'blue shelf' cat "$out"

done_testing
