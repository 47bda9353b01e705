#!/bin/sh
# mem-search: what is found and what is not, walls, scope, filters, streams, what it writes. How
# well it ranks is for mem-eval; here only orders that no weights should turn round.
. "${0%/*}/lib.sh"
unset MEM_SEED    # it would give two runs of mem-ingest the same ids

cat >in.ndjson <<'EOT'
{"session":"kitchen","id":"k1","time":"2024-02-01T10:00:00Z","role":"user","name":"Mara","content":"Where did we buy the kettle?"}
{"session":"kitchen","id":"k2","time":"2024-02-01T10:01:00Z","role":"user","name":"Jonas","content":"At the ironmonger's by the bridge."}
{"session":"kitchen","id":"k3","time":"2024-02-01T10:02:00Z","role":"user","name":"Mara","content":"Thanks, it shuts at noon."}
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

check_out 'without a store nothing is found' '' mem-search kettle
check_err '-e ends with 1 where there is no store' 1 '' sh -c 'mem-search -e kettle; st=$?;
	echo >&2; exit $st'
check_err '-v says where no store is' 0 'no store at' mem-search -v kettle
if [ -e mem.db ]; then fail 'looking makes no store' 'there is one now'; else
	pass 'looking makes no store'; fi

check 'messages of one user are stored' mem-ingest -q --from=ndjson in.ndjson
check 'messages of another user are stored' mem-ingest -q -u other --from=ndjson other.ndjson

# ---- words ----

first 'a word finds the message that has it' k1 kettle
first 'a word is found whatever its case' k1 KETTLE
first 'several operands are one question' k1 buy the kettle
like 'one operand of several words is the same question' 'map(.why) | .[0] == ["buy", "kettle"]' \
	'buy the kettle'
first 'a word is found by its stem' k1 'buying kettles'
first 'a word is found with or without the apostrophe' k2 ironmongers
found 'a word that nobody said finds nothing' '' zeppelins
found 'a question without text finds nothing' '' ''
found 'a question without words finds nothing' '' '?! ... --'
found 'nothing in a question is an operator' 'k1 k2 k3' 'kettle" AND NOT ( NEAR/2 *'
first 'bytes that are no text are no words' k1 "$(printf '\377\300 kettle \355\240\200')"
first 'behind -- everything is the question' k1 -q -- kettle -n

# ---- identifiers ----

first 'an identifier is found as it stands' c1 getUserName
first 'an identifier is found in other joints' c1 get_user_name
first 'an identifier is found closed up' c1 getusername
first 'an identifier is found by its words' c1 'get user name'
first 'an identifier is found by one of its words' c1 user
like 'an identifier that stands as asked is a hit of code' '.[0].code == 1' getUserName
like 'the words of an identifier alone are no hit of code' '.[0].code == 0' 'get user name'
like 'the words that were found are told, each place once' \
	'.[0].why == ["getUserName", "get", "User", "Name"]' getUserName
first 'C++ is found by its name' l1 'C++'
first 'C# is found by its name' l2 'C#'
first 'C is found by its name' l3 C

# ---- Chinese ----

first 'two characters of Chinese find their message' z1 电缆
found 'one character of Chinese finds its message' z2 茶
found 'one character finds both messages that have it' 'z1 z3' 电
first 'a question in Chinese finds its message' z2 '你喜欢喝茶吗?'
like 'a pair of characters counts more than each of them' \
	'.[0].source_id == "z1" and .[0].score > .[1].score' 电缆

# ---- neighbours and sessions ----

like 'a reply comes up beside its question' \
	'.[] | select(.source_id == "k2") | .bm25 == 0 and .why == ["beside a match"]' kettle
like 'the match is why the other is found' \
	'.[] | select(.source_id == "k1") | .bm25 > 0 and .bm25 <= 1 and .why == ["kettle"]' kettle
has 'a turn of a matching session, far from the match' w6 heron -n 50
like 'a turn far from the match comes after all that match' \
	'(map(select(.source_id == "w6"))[0].rank) > (map(select(.bm25 > 0).rank) | max)' heron \
	-n 50
found 'bm25 finds only what has the words' 'n1 p1 r1 w1' heron --strategy bm25

# ---- who ----

first 'the speaker named in the question' k2 'what did Jonas say about the kettle'
lacks 'a name is no word of the text' g3 'what did Jonas say about the kettle'

# ---- system prompts ----

found 'a system prompt is not found' '' zeppelin
found 'a system prompt is not found by its role either' '' zeppelin --role system
found 'the turn after a system prompt is found' s2 fly
lacks 'recent leaves out a system prompt' s1 --strategy recent -n 100 anything

# ---- scope ----

found 'a session that has enough is not left' 'o3 o4 o5' -s three otter
found 'one that has one likely hit and others beside it is widened' 'n1 p1 r1 w1 w2 w3 w4 w5 w6' \
	-s walk heron
first 'a session that is widened stays first' w1 -s walk heron
found 'a session with fewer than three hits is widened' 'n1 p1 r1 w1 w2 w3 w4 w5 w6' -s pond heron
first 'the hits of the session stay first when it is widened' p1 -s pond heron
found 'a session with two hits is widened' 'o1 o2 o3 o4 o5' -s two otter
like 'a session that is widened has each hit once' '(map(.id) | unique | length) == length' \
	-s pond heron
like 'hits of other sessions are said to be from outside' \
	'all(.[]; .outside == (.source_id != "p1"))' -s pond --explain heron
order 'a session is not widened beyond -n' p1 -s pond -n 1 heron
like 'a session is widened within -n' 'length == 2 and .[0].source_id == "p1"' -s pond -n 2 heron
found '--scope session finds what the session has alone' p1 -s pond --scope session heron
found '--scope user finds what all sessions have' 'n1 p1 r1 w1 w2 w3 w4 w5 w6' \
	-s pond --scope user heron
first '--scope user has the best of all sessions first' n1 \
	-s pond --scope user heron --strategy bm25
found '--scope auto does as without it' 'o3 o4 o5' -s three --scope auto otter
first 'a question that looks back is widened at once' n1 \
	-s walk --strategy bm25 'the heron, as before'
mem-ingest -q -u crowd --from=ndjson - <<'EOT'
{"session":"a","id":"1","role":"user","name":"Bea","content":"Olek cannot have peanuts, mind the cake"}
{"session":"a","id":"2","role":"user","name":"Cyd","content":"which port has the staging database?"}
{"session":"a","id":"3","role":"user","name":"Bea","content":"5433, the other one is local"}
{"session":"b","id":"4","role":"user","name":"Olek","content":"I am coming, too"}
{"session":"b","id":"5","role":"user","name":"Cyd","content":"the coffee is cold"}
{"session":"b","id":"6","role":"user","name":"Bea","content":"our staging has no database port of its own yet"}
EOT
found 'who is asked for by the name alone is found as speaker and as word' '1 2 3 4' \
	-u crowd Olek
first 'what is said about somebody comes before what stands beside it' 1 -u crowd Olek
found 'a name is a word, too, where the memory knows no other' '1 2 3 4' -u crowd \
	'what does Olek dislike'
check_out 'a reply comes right behind the question of a chat that asks the same' \
	'["2","3","6"]' sh -c 'mem-search -u crowd --no-touch -n 3 "port of the staging database" |
		jq -r .source_id | jq -sc "map(tostring)"'
check_out 'a reply is about as likely as the question of a chat that asks the same' true \
	sh -c 'mem-search -u crowd --no-touch -n 2 "port of the staging database" |
		jq -s ".[1].p > .[0].p * 0.8"'
mem-ingest -q -u aided --from=ndjson - <<'EOT'
{"session":"a","id":"1","role":"user","content":"which port has the staging database?"}
{"session":"a","id":"2","role":"assistant","content":"I do not know; let me look around a little."}
{"session":"b","id":"3","role":"user","content":"our staging has no database port of its own yet"}
{"session":"b","id":"4","role":"assistant","content":"Noted."}
EOT
check_out 'the reply of an assistant keeps its place, and is about as likely' '[1,3,true]' \
	sh -c 'mem-search -u aided --no-touch "port of the staging database" |
		jq -sc "[(.[0, 1].source_id | tonumber),
			(map(select(.source_id == \"2\"))[0].p > .[0].p * 0.8)]"'
check_out 'a name spelt otherwise is that of the speaker who nearly has it' '["k2",1]' sh -c \
	'mem-search --explain -n 1 -j "the ironmonger of Jonnas" |
		jq -c "[.source_id, .signals.speaker]"'
check_out 'a name spelt too differently is that of no speaker' 0 sh -c \
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
has 'a prompt that is stored is found by its words' q1 \
	-d copy.db 'leave the spare key of the boathouse'
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
first 'a number that is asked for comes first' h3 -d harbour.db 'How many boats are in the harbour?'
check_out 'what somebody did is a signal where it is asked for' '["h4"]' \
	signal things 'What did they see in the harbour?'
check_out 'a speaker in a prompt counts by a weight of its own' '["h1","h3"]' \
	signal prompt_speaker \
	'I walked past there today. Where has Ida seen the harbour? Thanks a lot.'
check_out 'a speaker in a bare question does not count as in a prompt' '[]' signal prompt_speaker \
	'Where has Ida seen the harbour?'
found 'all of a time that is asked for alone' 'g2 k1 k2 k3' --now 2024-06-01 \
	'what happened in February?'
found 'all of a time and of a speaker is found' 'k1 k3' \
	--now 2024-06-01 'What did Mara say in February'
check_out 'what is found by its time alone is likely, and says why' '["said then"]' sh -c \
	'mem-search -n 1 --min-score .35 --now 2024-06-01 "anything from April 2024?" | jq -c .why'
found 'a session comes first for a time that is asked for alone' 'k1 k2 k3' \
	--now 2024-06-01 -s kitchen 'what happened in February?'
has 'of a time without anything the words, none of them likely' p1 --now 2023-06-01 \
	'what happened to the heron last week'
found 'a time without anything said finds nothing likely' '' \
	--min-score .35 --now 2023-06-01 'what happened this time last week'
has 'looks beyond a session that has enough' p1 -s walk 'what did I say of the heron last time'
lacks '--scope session stays where a question looks back' p1 \
	-s walk --scope session 'what did I say of the heron last time'
first 'a question in Chinese looks back, too' z2 -s zh1 '上次说的茶'
found 'a session that is not there is widened' 'n1 p1 r1 w1' -s nowhere heron --strategy bm25
found '--scope session of no session finds nothing' '' -s nowhere --scope session heron
check_out 'MEM_SCOPE says the same as --scope' '"p1"' \
	sh -c 'MEM_SCOPE=session mem-search -s pond heron |
	jq .source_id'

# ---- filters ----

found 'a word finds all four that have it' 'g1 g2 g3 g4' gasket
found '--since takes a day and what comes behind it' 'g2 g3' gasket --since 2024-02-01
found '--until takes a month, all of it' g1 gasket --until 2024-01
found '--since and --until take what is between' g2 gasket --since 2024-02 --until 2024-04
found '--since takes a number of days' g3 gasket --since 3d
found '--since and --until take the word yesterday' g3 gasket --since yesterday --until yesterday
found '--role finds what that role said' g4 gasket --role tool
found '--name finds what that speaker said' g1 gasket --name Mara
found '--name of nobody finds nothing' '' gasket --name Nobody
found '--name and --since are both kept to' '' gasket --name Mara --since 2024-02
found '--min-trust 3 finds what people said' 'g1 g3' gasket --min-trust 3
found '--min-trust 1 finds what tools said, too' 'g1 g2 g3 g4' gasket --min-trust 1
found '-p finds what belongs to the project' g3 gasket -p pump
check_err 'a project that is not there is told with those there are' 0 \
	"there is no project 'other': there is pump" mem-search -p other gasket
found 'a project of an unknown path finds nothing' '' gasket -p /srv/other
found '--strategy bm25 keeps to a filter' g2 gasket --strategy bm25 --role assistant
found '--strategy recent keeps to a filter' g4 x --strategy recent --role tool
like 'a filter is of the hit, its neighbour may speak for it' 'map(.source_id) == ["k2"]' kettle \
	--name Jonas

# ---- agents ----

found 'without an agent all is found' 'a0 aA aB' turnstile
found 'an agent finds what is shared and its own' 'a0 aA' -a A turnstile
found 'another agent finds what is shared and its own' 'a0 aB' -a B turnstile
found 'an agent with nothing of its own finds what is shared' a0 -a C turnstile
found '--strategy recent keeps to the agent' 'a0 aA' \
	-a A --strategy recent --since 2024-05-01 --until 2024-05-01 x

# ---- the wall ----

found 'another user finds their own message' canary -u other kettle
lacks 'what another user has stored is not found' canary 'canary kettle gasket heron' -n 100
found 'a word of another user finds nothing' '' canary
found 'a session of one user is closed to another' '' -u other -s code getUserName
found '--strategy recent keeps to the user' canary -u other --strategy recent x
check_err 'an unknown user finds nothing, and that is said' 0 \
	"there is nothing of user 'nobody'" mem-search -u nobody kettle

# ---- how many ----

like 'ten hits come by default' 'length == 10' --strategy recent x
like '-n limits the number of hits' 'length == 2' -n 2 gasket
like 'ranks of hits count from 1' 'map(.rank) == [range(1; length + 1)]' heron
like 'the best hit comes first' 'map(.score) == (map(.score) | sort | reverse)' heron
like '--min-score leaves no hit below it' 'length > 0 and all(.[]; .score >= 0.9)' \
	heron -n 50 --min-score 0.9
check_out '--min-score leaves out the others, and only these' '' sh -c \
	"mem-search -n 50 heron | jq -c 'select(.p >= 0.9) | .id' >all;
		mem-search -n 50 --min-score 0.9 heron | jq -c .id | diff all -"
check_status '-e ends with 0 when something is found' 0 mem-search -e kettle
check_status '-e ends with 1 when nothing is found' 1 mem-search -e zeppelin
check_out 'each hit has a probability' true sh -c 'mem-search kettle |
	jq -s "all(.p > 0 and .p < 1) and .[0].p > .5"'
check_out 'a long question of unknown things has a small probability' true sh -c \
	'mem-search "which colour had the kettle of the lighthouse in Reykjavik before the zeppelin came" | jq -s "all(.p < .3)"'
check_out '--min-score leaves out what is less likely' true sh -c 'mem-search -n 100 kettle >all;
	jq -c "select(.p >= .8)" all | jq -r .id >want
	mem-search -n 100 --min-score .8 kettle | jq -r .id | cmp -s - want && test -s want &&
		test $(wc -l <want) -lt $(wc -l <all) && echo true'
check_status '-e ends with 1 when nothing is likely enough' 1 env MEM_LIKELY=1 mem-search -e kettle
check_out 'no probability with another strategy' null sh -c \
	'mem-search --strategy bm25 -n 1 kettle | jq .p'
check_status 'without -e nothing found ends with 0' 0 mem-search zeppelin

# ---- strategies ----

order '--strategy recent has the newest first' 'g3 r1 o5' --strategy recent -n 3 x
like '--strategy recent is no search' 'all(.[]; .why == ["recent"] and .score == 0)' \
	--strategy recent x
order '--strategy recent takes a session' 'k3 k2 k1' --strategy recent -s kitchen x
first '--strategy lexical finds a word' k1 --strategy lexical kettle
found '--strategy bm25 finds a word' k1 --strategy bm25 kettle
first '--strategy bm25 counts how often a word stands' n1 --strategy bm25 heron
like 'the default strategy is fused' '.[0].strategy == "fused"' --explain kettle
check_out 'a question asked twice finds the same' '' sh -c 'mem-search -n 50 the heron in C >one;
	mem-search -n 50 the heron in C | cmp one -'
check_out '--exact finds the same where nothing is cut short' '' sh -c 'mem-search -n 50 heron >one;
	mem-search --exact -n 50 heron | cmp one -'

# ---- the record ----

like 'a hit has its keys in their order' \
	'.[0] | keys_unsorted == ["type", "rank", "id", "user", "time", "session", "origin", "trust", "source_id", "score", "p", "bm25",
	"code", "tier", "kind", "turn", "role", "name", "content", "snippet", "chunk",
	"why"]' kettle
like '--explain adds five keys to a hit' \
	'.[0] | keys_unsorted[-5:] == ["strategy", "session_kind", "coverage", "outside", "signals"]' \
	--explain kettle
like '--explain tells no signal that is 0' \
	'.[0].signals | length > 3 and .turn == 1 and .coverage == 1 and all(.[]; . != 0)' \
	--explain kettle
like '--strategy bm25 has no signals to explain' '.[0].signals == {}' \
	--explain --strategy bm25 kettle
check_out 'the id of a hit is that of a message' true \
	sh -c 'mem-search -n 1 kettle >h; mem-show "$(jq -r .id h)" |
	jq --slurpfile h h ".content == \$h[0].content"'
awk 'BEGIN { printf "{\"session\":\"long\",\"role\":\"user\",\"content\":\""; for (i = 0; i < 300; i++) printf "filler é%d ", i
	printf "the marmot whistles "; for (i = 0; i < 300; i++) printf "padding %d ", i;
		print "\"}" }' >long.ndjson
check 'a turn longer than a snippet is stored' mem-ingest -q --from=ndjson long.ndjson
like 'the snippet is the part that answers' \
	'.[0] | (.snippet | utf8bytelength) <= 240 and (.snippet | contains("marmot whistles")) and
	(. as $h | .content | contains($h.snippet))' 'marmot whistles'
check_out 'the chunk of a hit is the one with the words' 1 \
	sh -c "mem-search -n 1 'marmot whistles' >h
	jq -j .content h | tail -c +\$((\$(jq .chunk.start h) + 1)) |
		head -c \"\$(jq .chunk.length h)\" | grep -c 'marmot whistles'"

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
check '20,500 turns are stored to be searched' mem-ingest -q -d many.db --from=ndjson many.ndjson
first 'the best of 20,500 turns comes first' m7777 -d many.db gravel basalt
first '--exact finds the best of 20,500 turns' m7777 -d many.db --exact gravel basalt
lacks 'a turn far from the match is left out of 20,500' m99 -d many.db -n 1000 \
	quarry
has 'a turn beside the match is found among 20,500' m51 -d many.db -n 1000 quarry
check_out 'turns that are much alike come in the same order twice' '' sh -c \
	'mem-search -d many.db -n 500 gravel >one; mem-search -d many.db -n 500 gravel | cmp one -'

# ---- questions on the standard input ----

cat >q.ndjson <<'EOT'
{"query":"kettle"}
{"type":"query","query":"nothing of it","rewritten":"茶"}

{"query":"zeppelin"}
EOT
check_out 'each question on stdin is answered, one after the other' '"k1" "z2"' \
	sh -c 'mem-search -n 1 <q.ndjson |
	jq .source_id | tr "\n" " " | sed "s/ $//"; echo'
check_out 'questions on stdin are answered for -, too' '"k1" "z2"' \
	sh -c 'mem-search -n 1 - <q.ndjson | jq .source_id |
	tr "\n" " " | sed "s/ $//"; echo'
check_out 'operands leave questions on stdin alone' '"g3"' \
	sh -c '{ mem-search -n 1 blue gasket; cat;
	} <q.ndjson | head -n 1 | jq .source_id'
check_out 'an empty stdin has no questions' '' mem-search
check_out 'nothing found is not told in a pipe' '' sh -c 'mem-search --since 2031 kettle 2>&1'
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
check_out 'questions beside a bad line are answered' 'k1 z2 ' \
	sh -c 'jq -r .source_id "$0" | tr "\n" " "; echo' "$out"
run sh -c 'exec mem-search -n 1 <bad.ndjson'
check_out 'each of four bad lines is named' '2 3 4 5 ' \
	sh -c 'sed "s/^mem-search: stdin:\([0-9]*\): .*/\1/" "$0" |
	tr "\n" " "; echo' "$err"
check_status '-e ends with 1 when no line finds anything' 1 sh -c 'echo "{\"query\":\"zeppelin\"}" |
	mem-search -e'
check_status '-e ends with 0 when one line finds something' 0 sh -c 'exec mem-search -e <q.ndjson'
check_status '-e ends with 65 where a line is bad' 65 sh -c 'echo "{junk" | mem-search -e'

# ---- --ends: a program asks and waits ----

check_out 'each question and each bad line has an end' \
	'[[2,"kettle",2,null],[null,null,0,"stdin:2"],[null,null,0,"stdin:3"],[null,null,0,"stdin:4"],[null,null,0,"stdin:5"],[1,"茶",1,null]]' \
	sh -c '
	mem-search -n 2 --ends <bad.ndjson 2>/dev/null |
	jq -sc "reduce .[] as \$r ({n: null, all: []}; if \$r.type == \"hit\" then .n += 1
		else .all += [[.n, \$r.query, \$r.hits, (\$r.error // null |
			if . then .[:7] else . end)]] | .n = null end) | .all"'
check_out '--ends tells what found nothing, with what else the question says' \
	'{"type":"end","query":"zeppelin","hits":0,"no":7}' sh -c '
	echo "{\"query\":\"zeppelin\",\"no\":7,\"hits\":5,\"error\":\"mine\"}" | mem-search --ends'
check_out '--ends tells of a question that cannot be answered' \
	'{"type":"end","query":"tea","hits":0,"error":"stdin:1: '"'now'"' is no text","no":8}' \
	sh -c '
	echo "{\"query\":\"tea\",\"now\":7,\"no\":8}" | mem-search --ends 2>/dev/null || :'
check_out 'the end of a bad line has nothing of the line before it' '{"type":"end","hits":0}' \
	sh -c '
	printf "%s\n" "{\"query\":\"tea\",\"now\":7,\"no\":8}" "{junk" |
		mem-search --ends 2>/dev/null | sed -n "2s/,\"error.*/}/p"'
check_out 'the end of a question made whole has it as it was asked' 'nothing of it' \
	sh -c 'sed -n 2p q.ndjson |
	mem-search --ends | jq -r "select(.type == \"end\").query"'
check_out 'who asked before anything was stored is answered when something is' '0 1' sh -c '
	mkfifo ask; mem-search --ends -d later.db <ask 2>/dev/null >hits & exec 3>ask
	echo "tin" >&3; while [ ! -s hits ]; do sleep .01; done
	echo "{\"role\":\"user\",\"content\":\"The tea is in the tin.\"}" |
		mem-ingest -q -d later.db
	echo "tin" >&3; exec 3>&-; wait
	jq -r "select(.type == \"end\").hits" hits | paste -sd " " -'
check_out '--ends tells the end of operands, too' '{"type":"end","query":"zeppelin","hits":0}' \
	mem-search --ends zeppelin
check_out 'the end of a question counts where hits come from' '{"conversations":1,"facts":1}' \
	sh -c \
	'echo "{\"role\":\"user\",\"content\":\"The tea is in the tin.\"}" | mem-ingest -q -d ends.db
	mem-remember -q -d ends.db --fact "Tea is kept in the tin"
	mem-search --ends -d ends.db "tea tin" | jq -c "select(.type == \"end\").sources"'
check_out '--ends tells the end where there is no store yet' \
	'{"type":"end","query":"zeppelin","hits":0}' sh -c \
	'echo "{\"query\":\"zeppelin\"}" | mem-search -q -d none.db --ends'
check_out '--ends tells people no end' '' mem-search --ends -q --format text zeppelin
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
check_like '64 KiB are one question' '"source_id":"k1"' sh -c \
	'exec mem-search "$(sed "s/ *$//" full)"'
check_err 'more than 64 KiB are no question' 65 'over 65536 bytes \(setting query_bytes\)' sh -c \
	'exec mem-search "$(cat full)" kettle'
{ printf '{"query":"'; cat full; printf 'x"}\n{"query":"kettle"}\n'; } >big.ndjson
check_err 'more than 64 KiB on stdin are no question' 65 'stdin:1: question is over' sh -c \
	'exec mem-search -n 1 <big.ndjson'
check_like 'the question behind one that is too long is answered' '"source_id":"k1"' cat "$out"
check_err 'the length of a question is limited by its setting' 65 'over 64 bytes' \
	env MEM_QUERY_BYTES=64 mem-search \
	'a question of more than sixty-four bytes, and these are more than that'
check_like 'a question may have thousands of words' '"source_id":"k1"' \
	sh -c 'exec mem-search kettle $(seq 1 5000)'

# ---- wrong usage ----

check_err 'an unknown strategy is refused' 64 \
	"^mem-search: unknown strategy 'best': fused, lexical, bm25, dense, hybrid, rrf, max, recent, ladder or progressive$" \
	mem-search --strategy best x
check_err 'an unknown scope is refused' 64 \
	"^mem-search: --scope must be one of auto session user: 'here' " mem-search --scope here x
check_err 'an unknown role is refused' 64 \
	"unknown role 'martian': user, assistant, system, tool, document or other" mem-search --role martian x
check_err '--since without a time is refused' 64 \
	"^mem-search: --since takes a time such as .*'last week', not 'someday'$" \
	mem-search --since someday x
check_err '--since later than --until is refused' 64 \
	'^mem-search: --since 2024-03 is later than --until 2024-02$' mem-search --since 2024-03 \
	--until 2024-02 x
check_err '--scope session without a session is refused' 64 \
	'^mem-search: --scope session needs -s$' mem-search --scope session x
check_status 'MEM_SCOPE=session without a session is no error' 0 env MEM_SCOPE=session mem-search x
check_err 'a limit of 0 is refused with its bounds' 64 \
	"^mem-search: --limit must be from 1 to 1000000: '0' " mem-search -n 0 x
check_err 'an option is named as it is written, not as its setting' 64 \
	"^mem-context: --budget must be a whole number: 'x' " mem-context --budget x y
check_err '--until without a time is refused' 64 \
	"^mem-search: --until takes a time .* not '2024-13-40'$" mem-search --until 2024-13-40 x
check_err 'a limit of 0 is refused' 64 'limit' mem-search -n 0 x
check_err '--min-trust over 3 is refused' 64 'from 0 to 3' mem-search --min-trust 4 x
check_err '--min-score without a number is refused' 64 '--min-score must be a number' mem-search \
	--min-score high x
check_err '-u without a name is refused' 64 'user' mem-search -u '' x
check_err 'an option that is not there is refused' 64 'fuzzy' mem-search --fuzzy x
check_err 'a file of weights that is not there is told' 66 'weights' \
	env MEM_WEIGHTS=weights.txt mem-search x
echo 'chat turm 1' >weights.txt
check_err 'weights of an unknown signal are refused' 78 'weights.txt.*1' \
	env MEM_WEIGHTS=weights.txt mem-search x

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
check_out "answered questions make talk of a user's lines" 'unknown 1 true' talk asked
check_out 'one question in a hundred makes no talk' 'unknown null false' talk hardly
check_out 'notes of one voice make no talk' 'unknown null false' talk notes
# What somebody asked an assistant whose answers are not stored: every other question is followed by
# the next one.
seq 1 60 | jq -c '{user: "prompts", session: "s", id: "p\(.)", content: (if . % 3 == 0 then
	"The anvil is at \(.)." else "Where do I put my anvil in \(.)?" end)}' |
	mem-ingest -q -d talk.db --multi-user -
check_out 'prompts without their answers make no talk' 'unknown null' \
	eval 'talk prompts | cut -d" " -f1-2'

# In the lines of one voice the kind of thing that is asked for counts as it does in chats.
printf '%s\n' 'I fixed my old boats in the harbour.' 'The sea was grey.' 'At noon the wind rose.' \
	'I fixed three of my boats in the harbour.' |
	jq -Rc '{session: "v", id: "v\(input_line_number)", content: .}' |
	mem-ingest -q -d voice.db -
first 'a number that one voice is asked for comes first' v4 \
	-d voice.db 'how many of my boats in the harbour did I fix'

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
check_out 'who asks about himself has the weights of the session' 'assistant chat unknown' kinds \
	'did I say the kiln is hot'
check_out 'who names a speaker has the weights of the session' 'assistant chat unknown' kinds \
	'Did Ana say that the kiln is hot?'
check_out 'who names all speakers has the weights of the session' 'assistant chat unknown' kinds \
	'Did Ana, Bo or Cy say that the kiln is hot?'
check_out 'who asks about himself in German has the weights of the session' \
	'assistant chat unknown' kinds 'habe ich gesagt, dass kiln hot ist'
check_out 'who asks about himself in Chinese has the weights of the session' \
	'assistant chat unknown' kinds '我的 kiln hot 吗'
check_out 'what is said before the question does not count' 'matter' kinds \
	'I am packing my things for the trip. Is the kiln hot?'

# Who asks two things is answered by what answers one of them: it is as likely as if that had been
# asked alone, or nearly.
jq -n -c '("The kettle stands on the stove.", "Grandmother was born in Lund.",
	"Rain again, all day long.", "The train leaves at seven.", "She likes plums.") |
	{session: "two", content: .}' >two.ndjson
mem-ingest -q -d two.db two.ndjson
best_p() { mem-search -d two.db -n 1 -j "$1" | jq .p; }
check 'one of two questions is answered as likely as alone' awk \
	"BEGIN { exit !($(best_p 'Where does the kettle stand? And which colour has the bicycle of the postman?') > .7 * $(best_p 'Where does the kettle stand?')) }"
check 'a question for two things in one sentence is answered less likely' awk \
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
check_out 'a speaker who is named puts a chat before notes' 'c 1' \
	named -9 'What did Ada say of tulips in the garden?'
check_out 'a question that names nobody has no such signal' 'l null' \
	named -9 'Which tulips does the clay of a garden need?'
check_out 'what is written small is no name' 'null' sh -c \
	'mem-search -d named.db --explain -n 1 -j "What did ada say of tulips in the garden?" |
		jq .signals.named'
check_err 'a damaged file is told by its name' 78 'bad.db|foreign|not' sh -c 'echo nonsense >bad.db;
	exec mem-search -d bad.db x'

# ---- what it writes ----

searches() { mem-stats | jq -c 'select(.name == "searches") | .value'; }
sums() { for f in mem.db mem.db-wal; do [ -s $f ] && sha256sum $f; done; true; }
before=$(searches)
check 'a search is made to be counted' mem-search kettle
check_out 'one search is counted as one' $((before + 1)) searches
check 'questions on stdin are searched to be counted' sh -c 'exec mem-search <q.ndjson'
check_out 'each line of questions is counted as one' $((before + 4)) searches
check 'the log is written into the store before --no-touch' mem-check -q --checkpoint
sums >sums.before
check 'a search is made with --no-touch' mem-search --no-touch kettle
check_out '--no-touch writes nothing into the store' "$(cat sums.before)" sums
check 'a search is made with MEM_TOUCH=no' env MEM_TOUCH=no mem-search kettle
check_out 'MEM_TOUCH=no writes nothing into the store' "$(cat sums.before)" sums
check_out 'searches that leave no trace are not counted' $((before + 4)) searches
check_out 'the question itself is not kept' '' sh -c 'mem-search quagmirewort;
	cat mem.db mem.db-wal 2>/dev/null | grep -ac quagmirewort | grep -v "^0$"; true'

# ---- streams ----

[ -w /dev/full ] && check_err 'a full disk under hits is told' 74 'cannot write to stdout' sh -c \
	'exec mem-search kettle >/dev/full'
check_out 'a reader that has gone ends a search without a fault' 0 \
	sh -c '{ mem-search -n 50 heron; echo $? >st; } | :; cat st'

# ---- a terminal ----

# tty COMMAND: its output on a terminal of 60 columns.
tty() {
	COLUMNS=60 script -qec "$1" /dev/null </dev/null >"$top/tty" 2>&1
	tr -d '\r' <"$top/tty"
}
if has_terminal; then
	check_like 'a hit has a head on a terminal' \
		'^ 1  (●●●|●●○|●○○)  2024-02-01  Mara  [0-9A-Z]{5}$' tty 'mem-search kettle'
	check_like 'a hit stands below the title of its session, with its name' \
		'^Where did .*  kitchen$' tty 'MEM_COLOR=never mem-search kettle'
	mem-search --format text --strategy bm25 otter >shown
	check_out 'hits of a session stand together on a terminal' '1 1' sh -c \
		'echo $(grep -c "  two$" shown) $(grep -c "  three$" shown)'
	check_out 'hits are numbered as they stand on a terminal' '1 2 3 4 5' sh -c \
		'sed -n "s/^ \([0-9]\)  .*/\1/p" shown | xargs'
	check_like 'mem-show takes hits by the number that the terminal showed' \
		"^    $(sed -n '/^ 5  /{n;s/^ *//;p;}' shown)" \
		tty 'mem-search --strategy bm25 otter >/dev/tty; mem-show 5'
	check_like 'a terminal shows no probability that a strategy does not know' \
		'^ 1  2024-02-01  Mara ' tty 'mem-search --strategy bm25 kettle'
	check_like 'a hit shows its words on a terminal' '^    Where did we buy the kettle\?$' \
		tty 'mem-search kettle'
	check_like 'the words of the question are in bold' 'buy the .\[1mkettle.\[0m\?$' tty \
		'TERM=xterm MEM_COLOR=always mem-search kettle'
	check_out 'without colour no word of the question is in bold' 0 sh -c \
		'TERM=xterm MEM_COLOR=never mem-search --format text kettle | grep -c "\[1m"; true'
	check_like '--explain shows the signals on a terminal' '^    turn 1\.00  ' \
		tty 'mem-search --explain kettle'
	check_like '--explain shows the words that were found on a terminal' '^    words: kettle$' \
		tty 'mem-search --explain kettle'
	check_like 'nothing found is said on a terminal' '^mem-search: nothing was found.?$' tty \
		'mem-search --since 2031 kettle'
	check_like 'a speaker whom nobody is called is said on a terminal' \
		"^mem-search: nothing was found that 'ara' said" tty 'mem-search --name ara kettle'
	check_like '-j prints NDJSON on a terminal' '^{"type":"hit"' tty 'mem-search -j kettle'
	check_like 'a terminal is not read for questions' 'no question given' sh -c \
		'script -qec mem-search /dev/null 2>&1 </dev/null; true'
	printf '{"session":"esc","role":"user","content":"a\\u001b[31mred\\u202eb puffin"}\n' >esc.ndjson
	check 'a message with control characters is stored' mem-ingest -q --from=ndjson esc.ndjson
	check_like 'control characters do not reach the terminal' 'a\\x1b\[31mred' \
		tty 'mem-search puffin'
else
	skip 'a hit has a head on a terminal' 'script(1) gives none'
fi

# ---- a store that is being made ----

fresh
check_like 'questions that come when a store is there are answered' 'Bread needs time' sh -c \
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
check 'messages with short forms and other spellings are stored' \
	mem-ingest -q --from=ndjson said.ndjson
check_out 'a word cut short is found by the whole words' a1 sh -c \
	'mem-search "database configuration" | jq -r .source_id'
check_out 'a whole word finds it cut short, and itself first' 'd1 a1 ' sh -c \
	'mem-search repository | jq -r .source_id | tr "\n" " "; echo'
check_out 'a word is found that is spelt in another way' b1 \
	sh -c 'mem-search "gray color" | jq -r .source_id'
check_out 'a word is found by an irregular form' c1 \
	sh -c 'mem-search "who says it" | jq -r .source_id'
check_out 'the words are told as they were written' 'db cfg' sh -c \
	'mem-search --explain "database configuration" | jq -r ".why | join(\" \")"'
check_out '--strategy bm25 takes words as they are' '' \
	mem-search --strategy bm25 'database configuration'
check_out '--strategy bm25 tells no words but those asked for' keep \
	sh -c 'mem-search --strategy bm25 "keep the repository" |
	jq -r "select(.source_id == \"a1\").why | join(\" \")"'

# ---- misspelt words, and words cut short ----

fresh
cat >said.ndjson <<'EOT'
{"session":"a","id":"a1","role":"user","content":"The photographs of the lighthouse came out well."}
{"session":"b","id":"b1","role":"user","content":"Retired keepers are painting their boats."}
{"session":"c","id":"c1","role":"user","content":"On Sunday there is soup. See parse_header in the code."}
EOT
check 'messages are stored to be found by misspelt words' mem-ingest -q --from=ndjson said.ndjson
# spelt QUESTION ID: that is found first.
spelt() {
	check_out "a misspelt word finds what was meant: '$1'" "$2" \
		sh -c 'mem-search -n 1 --strategy lexical "$1" | jq -r .source_id' sh "$1"
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
check_out 'a hit tells which word was found for a misspelt one' photographs \
	sh -c 'mem-search -n 1 photogarphs |
	jq -r ".why[0]"'
check_out 'a word like nothing there finds nothing' '' mem-search zzyzx
check_out 'three letters with an error find nothing' '' mem-search --strategy lexical sua
check_out 'a known word is not taken for a misspelt one' c1 \
	sh -c 'mem-search --strategy lexical soup |
	jq -r .source_id'
check_out 'a misspelt word finds nothing in words of another user' '' mem-search -u bob ligthhouse
check_out '--strategy bm25 corrects no misspelt word' '' mem-search --strategy bm25 ligthhouse
check 'misspelt words of all sorts end without a fault' sh -c \
	'printf "%s\n" "{\"query\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}" "{\"query\":\"\\u0444\\u043e\\u0442\\u043e\\u0440 \\u00e9\\u00e8\\u00ea x y z ab abc q1w2e3\"}" "{\"query\":\"q qq qqq qqqq qqqqq qqqqqq qqqqqqq qqqqqqqq qqqqqqqqq wwww eeee rrrr\"}" | mem-search'

# ---- the log that searches write ----

fresh
echo '{"content":"tea"}' | mem-ingest -q >/dev/null
check '140 searches are made in a row' \
	sh -c 'i=0; while [ $i -lt 140 ]; do mem-search tea >/dev/null || exit 1;
	i=$((i + 1)); done'
check_out 'each of 140 searches is counted' 140 \
	sh -c 'mem-stats | jq "select(.name == \"searches\").value"'
check_out 'the log that each search reads first stays short' short sh -c \
	'[ $(wc -c <mem.db-wal) -lt $((250 * 4120)) ] && echo short'

# ---- follow-up questions ----

fresh
check 'messages about symptoms are stored' \
	mem-ingest -q --from=ndjson "$ROOT/tests/fixtures/symptoms.ndjson"
echo '{"role":"user","content":"Tell me about lung cancer."}' >chat.ndjson
check_out 'a follow-up is answered by what was said before' a1 sh -c \
	'mem-search -n 1 --context chat.ndjson "What are its symptoms?" | jq -r .source_id'
check_out 'a follow-up takes what was said before from stdin' a1 sh -c \
	'mem-search -n 1 --context - "What are its symptoms?" <chat.ndjson | jq -r .source_id'
check_out 'a follow-up goes through mem-rewrite' a1 sh -c \
	'mem-rewrite --context chat.ndjson "What are its symptoms?" | mem-search -n 1 |
		jq -r .source_id'
check_out 'a follow-up is a record with its talk' a1 sh -c \
	'jq -c "{query: \"What are its symptoms?\", history: [.]}" chat.ndjson | mem-search -n 1 |
		jq -r .source_id'
check_out 'a hit of a follow-up tells what was asked in full' \
	'What are its symptoms? What are its symptoms? lung cancer 1' sh -c \
	'mem-search -n 1 --context chat.ndjson "What are its symptoms?" |
		jq -r "\"\(.original) \(.expanded) \(.confidence)\""'
check_out 'a hit of a whole question tells that it is whole' \
	'Is sneezing a sign of hay fever? Is sneezing a sign of hay fever? 1' sh -c \
	'mem-search -n 1 --context chat.ndjson "Is sneezing a sign of hay fever?" |
		jq -r "\"\(.original) \(.expanded) \(.confidence)\""'
check_out 'a hit tells no rewriting where nobody asked for it' null \
	sh -c 'mem-search -n 1 sneezing |
	jq -r .original'
check_out 'added words that count nothing find nothing' c1 sh -c \
	'MEM_REWRITE_WEIGHT=0 mem-search -n 1 --strategy bm25 --context chat.ndjson "What are its symptoms?" | jq -r .source_id'
check_out 'words of the question that the new one lacks still count' c1 sh -c \
	'echo "{\"query\":\"sneezing\",\"rewritten\":\"what\",\"added\":[]}" | mem-search -n 1 |
		jq -r .source_id'
check_err 'a question and its talk cannot both be stdin' 64 'takes the standard input' \
	mem-search --context -
check_err 'a talk that is not there is told' 66 'none.ndjson' mem-search --context none.ndjson x
check_err 'a bad line of a talk is told, and what it may be' 65 \
	'bad:1: invalid JSON .cut short. at byte 2: a value takes one line, as "jq -c" writes it' \
    sh -c 'echo "{" >bad; mem-search --context bad x'
check_err 'a record with a bad talk is told' 65 'stdin:1: no message' \
	sh -c 'echo "{\"query\":\"x\",\"history\":[7]}" |
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
check 'messages of three times are stored' mem-ingest -q --from=ndjson said.ndjson
first 'last week is counted from the day that is given' c1 \
	--now 2024-06-05 'where by the lake did we sleep last week'
first 'last summer is that of the year before' a1 \
	--now 2024-06-05 'where by the lake did we sleep last summer'
found '--since takes a time with its article' 'c1' --now 2024-06-05 \
	--since 'la semaine dernière' slept
found '--since takes a time behind a preposition' 'c1' --now 2024-06-05 \
	--since 'en la última semana' slept
first 'a feast of last year is found' b1 --now 2024-06-05 \
	'where by the lake did we sleep at Christmas last year'
first 'last week of another year is found' a1 \
	--now '2023-07-12' 'where by the lake did we sleep last week'
found '--since is counted from the day that is given' 'c1' --now 2024-06-05 --since 14d slept
check_out 'each line of questions may have a day of its own' 'a1 b1 c1' sh -c \
	'printf "{\"query\":\"where by the lake did we sleep last week\",\"now\":\"%s\"}\n" 2023-07-12 2024-01-02T08:00:00Z 2024-06-05 |
	mem-search -n 1 | jq -r .source_id | paste -sd " " -'
check_out 'a block is made as of the day that is given' 'a1 c1' sh -c \
	'mem-context -j --max-turns 1 --now 2023-07-12 "where by the lake did we sleep last week" |
		jq -rj ".items[].source_id"; printf " "
	echo "{\"query\":\"where by the lake did we sleep last week\",\"now\":\"2024-06-05\"}" |
	mem-context -j --max-turns 1 | jq -r ".items[].source_id"'
check_err '--now without a time is refused' 64 \
	"^mem-search: --now takes a time such as .*, not 'soon'" mem-search --now soon slept
check_err 'a record whose now is no time is refused' 65 \
	"stdin:1: 'now' takes a time such as .*, not 'soon'" sh -c \
	'echo "{\"query\":\"slept\",\"now\":\"soon\"}" | mem-search'
check_err 'a record whose now is a number is refused' 65 "stdin:1: 'now' is no text" sh -c \
	'echo "{\"query\":\"slept\",\"now\":7}" | mem-search'
check_out 'a record whose now is null is asked now' a1 \
	sh -c 'echo "{\"query\":\"tent\",\"now\":null}" | mem-search -n 1 |
	jq -r .source_id'
check_out 'mem-eval measures each question as of its day' '[1,1,1]' sh -c \
	'printf "{\"query\":\"where by the lake did we sleep last week\",\"now\":\"%s\",\"relevant\":[\"%s\"]}\n" 2023-07-12 a1 2024-01-02 b1 2024-06-05 c1 >q.ndjson
	for n in 1 2 3; do sed -n ${n}p q.ndjson | mem-eval -k 1 |
		jq "select(.category == \"all\") | .\"recall@1\""; done | jq -sc .'
check_err 'mem-eval refuses a record whose now is no time' 65 "stdin:1: 'now' takes a time" sh -c \
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
check 'messages about relatives in Chinese are stored' mem-ingest -q --from=ndjson said.ndjson
best() { # name, hits in any order, how many, question
	check_out "$1" "$2" sh -c 'mem-search -j -q -n "$0" "$1" | jq -r .source_id | sort |
		paste -sd " " -' "$3" "$4"
}
best 'what else is said of the one who is found comes with it' 'u u2 x' 3 '老家在山西太原的人生日是哪天？'
best 'each sentence of a question has its own answer' 'p u' 2 '谁的老家在山西太原？另外，我用的手机是什么？'

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
check 'messages of one, two and many turns are stored' mem-ingest -q --from=ndjson said.ndjson
p() { mem-search -j -q -n 10 "$2" | jq -r "select(.source_id == \"$1\") | .p"; }
check_out 'words of two turns that stand together are likelier than those of two sessions' true \
	sh -c 'jq -n "$0 > $1 + .2"' "$(p b1 'boathouse Ingrid')" "$(p a1 'gazebo Oskar')"
check_out 'what is behind the best is less likely' true sh -c \
	'mem-search -j -q -n 10 "boathouse painted Ingrid" |
		jq -s "[.[].p] | . == (sort | reverse) and .[0] > .[-1]"'

# ---- words of time that are no times ----

fresh
check 'messages with months in their words are stored' sh -c 'printf "%s\n" \
	"{\"session\":\"a\",\"time\":\"2026-01-10\",\"content\":\"April is my daughter.\"}" \
	"{\"session\":\"b\",\"time\":\"2026-02-10\",\"content\":\"Our wedding is in August.\"}" |
	mem-ingest -q --from=ndjson -'
check_out 'a name that is a month is taken as a name' 'April is my daughter.' sh -c \
	'mem-search "who is April" | jq -r .content'
check_out 'what was said of a month, but not in it, is found' 'Our wedding is in August.' sh -c \
	'mem-search "what happens in August" | jq -r .content'
check_out 'what was said in a month is found' 'April is my daughter.' sh -c \
	'MEM_NOW=2026-05-20T12:00:00Z mem-search "what happened in January" | jq -r .content'
# ---- commits ----

fresh
printf '%s\n' '{"role":"user","session":"a","content":"What broke the mill?"}' \
	'{"role":"assistant","session":"b","content":"It is 4f9a1d27b8e90123456789abcdef0123456789ab."}' \
	'{"role":"assistant","session":"c","content":"It came with 4f9a1c2b7d8e90123456789abcdef0123456789a."}' |
	mem-ingest -q
check_out 'seven digits of a hash find the commit, and no other' c sh -c \
	"mem-search -n 1 'what came with 4f9a1c2' >o && jq -r .session o"
check_out 'seven digits of a hash find the commit alone, too' c \
	sh -c 'mem-search -n 1 4F9A1C2 >o && jq -r .session o'

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
check_out 'in a pipe every hit is there' 5 sh -c 'MEM_UNLIKELY=.5 mem-search "$1" | wc -l' sh "$q"
check_out 'for people three hits stand, and none behind them that is not likely' 3 \
	env MEM_UNLIKELY=.5 sh -c \
	'mem-search --format text "$1" | grep -c "^ *[0-9][0-9]*  "' sh "$q"
check_out 'for people every hit stands where MEM_UNLIKELY is 0' 5 env MEM_UNLIKELY=0 sh -c \
	'mem-search --format text "$1" | grep -c "^ *[0-9][0-9]*  "' sh "$q"
check_like 'where all hits are unlikely it is said above them' '^nothing likely' \
	env MEM_UNLIKELY=1 mem-search --format text "$q"
check_like 'hits that are all unlikely are shown' 'blue shelf' cat "$out"

# ---- what holds now ----

fresh
mem-ingest -q --from=ndjson - <<'EOT'
{"session":"a","role":"user","source_id":"old","content":"Agreed: the parcels of the shop go with Blue Post, the parcels of the press too.","time":"2024-03-01T10:00:00Z"}
{"session":"b","role":"user","source_id":"other","content":"The parcels of the shop were late again.","time":"2024-03-09T10:00:00Z"}
{"session":"c","role":"user","source_id":"new","content":"We changed our mind: the parcels of the shop go with Red Van.","time":"2024-03-20T10:00:00Z"}
{"session":"d","role":"user","source_id":"late","content":"Who packs the parcels?","time":"2024-03-29T10:00:00Z"}
EOT
q='with whom do the parcels of the shop and the press go, is that Blue Post?'
check_out 'a question of no time has the decision first that fits it best' old sh -c \
	'mem-search -j "$1" | jq -r .source_id | head -n 1' sh "$q"
echo '{"session":"e","role":"user","source_id":"newest","content":"The parcels of the shop and the press go with Green Cart.","time":"2024-04-02T10:00:00Z"}' |
	mem-ingest -q --from=ndjson -
check_out 'of two that answer alike the newer one leads' newest sh -c \
	'mem-search -j --current "$1" | jq -r .source_id | head -n 1' sh \
	'with whom do the parcels of the shop and the press go?'
check_like 'a block for what holds now has both' 'Blue Post' mem-context --current "$q"

done_testing
