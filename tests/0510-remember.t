#!/bin/sh
# mem-remember: what is stored, what is the same, what ends what; quotes that must hold; bad input;
# what is valid and what was known when.
. "${0%/*}/lib.sh"
unset MEM_SEED    # it would give two runs the same ids
export MEM_MODELS="$top/none"

# did WANT [jq arguments]: the verdicts, one word each.
did() { name=$1 want=$2; shift 2; run "$@"; got=$(jq -r .did "$out" | tr '\n' ' ');
	if [ "$status" = 0 ] && [ "$got" = "$want " ]; then pass "$name"; else
	fail "$name" "got '$got'" "$@"; fi; }
facts() { name=$1 want=$2; shift 2; check_out "$name" "$want" sh -c 'mem-list facts "$@" |
	jq -r .content' sh "$@"; }

# ---- text and records ----

did 'a note' stored mem-remember the staging cluster is rebuilt on the first
check_out 'a text without more is remembered as a reflection' \
	'reflection the staging cluster is rebuilt on the first' sh -c \
	'mem-list reflections | jq -r "[.type, .content] | join(\" \")"'
did 'again: stored as it is' stored mem-remember the staging cluster is rebuilt on the first
did 'a weight, which only facts have' stored mem-remember --importance .9 'the roof leaks'
did 'so has this' stored mem-remember --confidence .4 'the cellar too'
check_out 'an array of texts and objects is remembered as facts' \
	'["the roof leaks",0.9,1] ["the cellar too",0.5,0.4]' sh -c \
	'mem-list facts | jq -c "[.content, .importance, .confidence]" | paste -sd " " -'
mem-edit --undo >/dev/null
mem-edit --undo >/dev/null
did 'a fact' stored mem-remember --fact 'Ann keeps bees'
check_out 'a fact without more has the defaults' 'General facts fact 0.5 1 user 3' \
	sh -c 'mem-list facts |
	jq -r "[.bank, .category, .kind, .importance, .confidence, .origin, .trust] | map(tostring) | join(\" \")"'
did 'lines of stdin' 'stored stored stored' mem-remember <<'EOT'
a plain line

{"type":"reflection","content":"a record","tags":["x","y"]}
{"content":"Ann sells honey","bank":"work","kind":"decision","importance":0.9,"mood":"good"}
EOT
check_out 'bank by its name, category by kind, own keys kept' 'Work context good' sh -c \
	'mem-list facts --bank Work | jq -r "[.bank, .category, .mood] | join(\" \")"'
check_out 'tags of a note are kept' '["x","y"]' \
	sh -c 'mem-list reflections | jq -c "select(.tags).tags"'
did 'a bank that is none becomes the default' stored mem-remember <<'EOT'
{"content":"Ann paints hives","bank":"Nonsense","category":"nonsense"}
EOT
facts 'of that bank' 'Ann keeps bees
Ann paints hives' --bank General

# ---- the same ----

did 'the same words' duplicate mem-remember --fact 'ANN keeps   bees.'
did 'with merge_facts at no each fact is stored for itself' \
	'stored stored superseded' sh -c '
	export MEM_DB=each.db MEM_MERGE_FACTS=no; for t in "Ann keeps bees" "Ann keeps bees"; do
		mem-remember -j --fact "$t"; done
	mem-remember -j --fact "Ann sold the bees, Ann keeps no bees any more"'
did 'almost the same letters' duplicate mem-remember --fact 'Ann  keeps bees!'
did 'a slip' 'stored duplicate' mem-remember <<'EOT'
{"type":"fact","content":"the review of the quarterly figures takes place in the large meeting room upstairs"}
{"type":"fact","content":"the review of the quarterly figures takes place in the large meeting rooms upstairs"}
EOT
did 'a long text is a duplicate only of its own words' 'stored duplicate stored' sh -c '
	long=$(printf "the kiln log of shift %s was read and filed by the crew, " $(seq 30))
	for t in "$long" "$long" "${long}once"; do
		mem-remember -j --fact "$t"
	done'
for pair in 'PR #260 fixes the login page of the web client for good|PR #480 fixes the login page of the web client for good' \
	'the call getUserName is slow on the old cluster we have|the call getUserNames is slow on the old cluster we have' \
	'the long and winding report about the results was sent to Carla by post|the long and winding report about the results was sent to Carlo by post' \
	'the long and winding report about the results was sent to them before the freeze|the long and winding report about the results was sent to them after the freeze'; do
	did "differ in one thing: ${pair#*|}" 'stored stored' sh -c \
		'printf "{\"type\":\"fact\",\"content\":\"%s\"}\n" "${1%|*}" "${1#*|}" |
			mem-remember' \
		sh "$pair"
done
did 'statements about the same few things are not one fact' 'stored stored stored stored' \
	mem-remember -u talk <<'EOT'
{"type":"fact","content":"Nora was at the harbour choir last week and found the songs moving."}
{"type":"fact","content":"Nora gave a talk at the school about the harbour choir and its songs."}
{"type":"fact","content":"Emil enjoys walks in the hills with his dogs and the quiet there."}
{"type":"fact","content":"Emil took his dogs to the hills and loved to see them run and play."}
EOT
did 'what the speaker and another love are two facts' 'stored stored duplicate' \
	mem-remember -u persons <<'EOT'
{"type":"fact","content":"I love tea"}
{"type":"fact","content":"Ann loves tea"}
{"type":"fact","content":"I really love tea"}
EOT
did 'of short preferences similar letters are no proof' 'stored stored duplicate' \
	mem-remember <<'EOT'
{"content":"I love tea","kind":"preference"}
{"content":"I love tears","kind":"preference"}
{"content":"i really love tea","kind":"preference"}
EOT
did 'the same in other words, seen from the other side' 'stored duplicate stored' \
	mem-remember <<'EOT'
{"type":"fact","content":"Emil sold the red canoe to Nora."}
{"type":"fact","content":"Nora bought the red canoe from Emil."}
{"type":"fact","content":"Emil bought the red canoe from Nora."}
EOT
did 'a slip of another key, and of none' 'stored stored duplicate' mem-remember <<'EOT'
{"content":"the lift of the old building on the harbour is inspected in the second week of May","key":"lift"}
{"content":"the lift of the old building on the harbour is inspected in the second weeks of May","key":"crane"}
{"type":"fact","content":"the lift of the old building on the harbour is inspected in the second weeks of  May!"}
EOT
did 'the same source id' 'stored duplicate' mem-remember <<'EOT'
{"source_id":"n-1","content":"first words"}
{"source_id":"n-1","content":"other words"}
EOT
did 'the same source id, of what would end another' 'stored stored duplicate' mem-remember <<'EOT'
{"type":"fact","source_id":"n-2","content":"the raft is painted green"}
{"content":"the kiosk opens at nine","key":"kiosk"}
{"content":"the kiosk opens at ten now","key":"kiosk","source_id":"n-2"}
EOT
facts 'what is not stored ends nothing' 'the kiosk opens at nine' -k kiosk

# ---- keys ----

did 'on a key' 'stored superseded duplicate' mem-remember <<'EOT'
{"content":"I live in Porto","key":"Home Town","time":"2024-01-10"}
{"content":"I live in Lisbon","key":"home_town","time":"2024-03-10"}
{"content":"I live in Porto","key":"home town","time":"2024-02-01"}
EOT
check_err 'each that is kept counts as stored' 0 \
	'^mem-remember: 1 stored, 1 of them in place of others$' sh -c \
	'mem-remember -v -d other.db -k a "the roof is red" &&
		mem-remember -v -d other.db -k a "the roof is blue"'
facts 'holds now' 'I live in Lisbon' -k home_town
facts 'held then' 'I live in Porto' -k home_town --as-of 2024-02-01
facts 'not yet' '' -k home_town --as-of 2023-12-31
check 'two facts on one key are linked both ways' sh -c 'mem-list facts -k home_town --all |
	jq -se ".[0].superseded_by == .[1].id and .[1].supersedes == [.[0].id] and .[0].valid_to == .[1].valid_from"'
did 'an older statement that comes later' stored mem-remember --key home_town \
	--valid-from 2023-05-01 'I live in Faro'
facts 'is ended by what came after it' 'I live in Faro' -k home_town --as-of 2023-06-01
facts 'and nothing else changes' 'I live in Lisbon' -k home_town
did 'true again' superseded mem-remember --key home_town --valid-from 2024-05-01 'I live in Porto'
facts 'it is' 'I live in Porto' -k home_town
begins() { # text: when it begins, of a key on which something holds, said on 30 November 2026
	rm -f ahead.db
	MEM_NOW=2026-11-30T12:00 mem-remember -q -d ahead.db -k den 'I live in Faro'
	MEM_NOW=2026-11-30T12:00 mem-remember -q -d ahead.db -k den "$1"
	mem-list facts -d ahead.db -k den --all | jq -sr 'if .[0].valid_to == .[1].valid_from
		then .[1].valid_from[:10] else "apart" end'
}
check_out 'what begins ahead ends what holds when it begins' 2026-12-18 \
	begins 'I live in Porto from 18 December'
check_out 'what begins ahead in German, too' 2026-12-18 \
	begins 'Ab dem 18. Dezember wohne ich in Porto'
check_out 'what begins ahead in French, too' 2026-12-18 \
	begins "j'habite Porto à partir du 18 décembre"
check_out 'what begins on a weekday to come' 2026-12-07 \
	begins 'I live in Porto starting next Monday'
check_out 'a month that has just begun is none ahead' 2026-11-30 \
	begins 'I live in Porto from September'
did 'a protected one' 'stored conflict' mem-remember <<'EOT'
{"content":"my name is Ann","key":"name","protected":true}
{"content":"my name is Anna","key":"name"}
EOT
facts 'both stand' 'my name is Ann
my name is Anna' -k name
did 'one of less trust' 'stored conflict' mem-remember <<'EOT'
{"content":"the office is in Rome","key":"office","origin":"user"}
{"content":"the office is in Milan","key":"office","origin":"web"}
EOT

# ---- without a key ----

did 'says that it holds no more' 'stored stored superseded' mem-remember <<'EOT'
{"type":"fact","content":"The brass band rehearses in the chapel.","time":"2024-01-10"}
{"type":"fact","content":"The brass band wears green.","time":"2024-01-10"}
{"type":"fact","content":"The brass band no longer rehearses in the chapel.","time":"2024-03-10"}
EOT
check_out 'the fact about the chapel has ended' '2024-03-10' sh -c \
	'mem-list facts --all | jq -r "select(.content | test(\"^The brass.*chapel\")).valid_to // empty" |
		cut -c 1-10'
did 'the opposite, which names no end' 'stored conflict' mem-remember <<'EOT'
{"type":"fact","content":"The ferry takes bicycles."}
{"type":"fact","content":"The ferry does not take bicycles."}
EOT
did 'said before: it ends nothing, and hardly both hold' 'stored conflict' mem-remember <<'EOT'
{"type":"fact","content":"The lift is open.","time":"2024-03-10"}
{"type":"fact","content":"The lift is not open.","time":"2024-01-10"}
EOT
did 'of another key' 'stored stored' mem-remember <<'EOT'
{"content":"The kiln is hot.","key":"kiln"}
{"content":"The kiln is not hot.","key":"oven"}
EOT
did 'protected' 'stored conflict' mem-remember <<'EOT'
{"type":"fact","content":"The vault is locked.","protected":true}
{"type":"fact","content":"The vault is not locked."}
EOT

# ---- whose ----

echo '{"session":"w","id":"w1","role":"user","name":"Nora","content":"I live in Bergen"}
{"session":"w","id":"w2","role":"user","name":"Emil","content":"I live in Turku"}
{"session":"w","id":"w3","role":"user","name":"nora","content":"I live in Narvik"}' >in.ndjson
check 'messages of user two are stored' mem-ingest -q -u two in.ndjson
did 'what one says ends nothing that the other said' 'stored stored superseded' \
	mem-remember -u two <<'EOT'
{"content":"I live in Bergen","key":"home","sources":["source:w1"]}
{"content":"I live in Turku","key":"home","sources":["source:w2"]}
{"content":"I live in Narvik","key":"home","sources":["source:w3"]}
EOT
did 'nor what one says of somebody' 'stored superseded' mem-remember -u two <<'EOT'
{"content":"She lives in Odda","key":"home","about":"other:Ida","sources":["source:w1"]}
{"content":"Ida lives in Voss","key":"home","about":"other:ida","sources":["source:w2"]}
EOT
did 'unless the key names whom it is about' 'stored superseded' mem-remember -u two <<'EOT'
{"content":"Ann looks after the pumps","key":"heron:owner_pumps","sources":["source:w1"]}
{"content":"Ben looks after the pumps","key":"heron:owner_pumps","sources":["source:w2"]}
EOT
did 'an end ends nothing that was said beside it' 'stored stored' mem-remember -u two <<'EOT'
{"content":"I start at Vik","key":"employer","sources":["source:w3"]}
{"content":"Friday is my last day at Lund","key":"employer","sources":["source:w3"]}
EOT

# ---- plain text ----

did 'what the user prefers, or is, is a fact; what is guessed ends nothing' \
	'stored stored stored stored' \
	mem-remember -u own <<'EOT'
I prefer the window seat
I live in Bergen
I moved to Narvik
the boat is painted every spring
EOT
check_out 'with kind and key' 'preference - fact home fact home' sh -c 'mem-list facts -u own |
	jq -r ".kind, (.key // \"-\")" | paste -sd " " -'
check_out 'anything else is a note' 'the boat is painted every spring' sh -c \
	'mem-list reflections -u own | jq -r .content'

# ---- quotes ----

echo '{"session":"s","id":"m1","role":"user","time":"2024-05-01T10:00:00Z","content":"Ünlü: I prefer tea. I prefer tea."}
{"session":"s","id":"m2","role":"tool","content":"the disk has 3 TB"}' >in.ndjson
check 'messages to rest on are stored' mem-ingest -q in.ndjson
did 'a quote that holds' stored mem-remember <<'EOT'
{"type":"fact","content":"Ann prefers tea to all else there is","sources":[{"id":"source:m1","quote":"I prefer tea."}]}
EOT
check_out 'where it stands; session and time are those of the message' \
	's 2024-05-01T10:00:00Z derived 8 13' sh -c \
	'mem-list facts | jq -r "select(.sources) | [.session, .time, .origin, .sources[0].start, .sources[0].length] | map(tostring) | join(\" \")"'
check_out 'mem-show gives the words back' 'I prefer tea.' sh -c 'mem-list facts |
	jq -c "select(.sources)" | mem-show | jq -r ".sources[0].quote"'
did 'at the place that it says' stored mem-remember <<'EOT'
{"type":"fact","content":"Ann said so twice","sources":[{"id":"source:m1","start":22,"length":13,"quote":"I prefer tea."}]}
EOT
check_out 'a source with a place keeps that place' 22 sh -c 'mem-list facts |
	jq -r "select(.content == \"Ann said so twice\").sources[0].start"'
did 'trust is that of the source' stored mem-remember --fact --source source:m2 'the disk is large'
check_out 'what rests on a tool is trusted less' 1 sh -c 'mem-list facts |
	jq -r "select(.content == \"the disk is large\").trust"'
for bad in '{"id":"source:m1","quote":"I prefer teas."}' \
	'{"id":"source:m1","quote":"i prefer tea."}' '{"id":"source:m1","quote":""}' \
	'{"id":"source:m1","start":0,"length":999}' '{"id":"source:m1","start":1,"length":3}' \
		'{"id":"nobody","quote":"I prefer tea."}' '{"id":""}' '{"quote":"x"}' '7'; do
	check_err "what is no record is refused: $bad" 65 'stdin:1: ' sh -c \
		'printf "{\"type\":\"fact\",\"content\":\"made up\",\"sources\":[%s]}\n" "$1" |
			mem-remember' \
		sh "$bad"
done
facts 'none of them is there' '' -k nothing
check_status 'no fact without its quote' 1 sh -c 'mem-list facts --all | grep -q "made up"'

# ---- what was known when ----

fresh
export MEM_NOW=2024-07-01T12:00:00Z
at() { t=$1; shift; env MEM_NOW="2024-06-$t" "$@"; }
check 'a home is told on the first' at 01 mem-remember -q --key home 'I live in Porto'
check 'another home is told on the tenth' at 10 mem-remember -q --key home 'I live in Lisbon'
id=$(mem-list facts -k home | jq -r .id)
check 'edited on the twentieth' at 20 mem-edit -q --content 'I live in Sintra' "$id"
facts 'known on the 5th' 'I live in Porto' --known-at 2024-06-05
facts 'on the 15th' 'I live in Lisbon' --known-at 2024-06-15
facts 'on the 25th' 'I live in Sintra' --known-at 2024-06-25
facts 'in May nothing' '' --known-at 2024-05-31
facts 'on the 15th, of the 5th' 'I live in Porto' --known-at 2024-06-15 --as-of 2024-06-05

# ---- bad input ----

for bad in '{"content":7}' '{"content":""}' '{"content":"  "}' '{}' '{"content":"x"' \
	'{"type":"message","content":"x"}' '{"content":"x","user":"eve"}' \
	'{"content":"x","importance":2}' '{"content":"x","importance":"a"}' \
		'{"content":"x","kind":"mood"}' '{"content":"x","valid_from":"soon"}' \
	'{"content":"x","valid_from":"2024-02","valid_to":"2024-01"}' '{"content":"x","tags":"a"}' \
		'{"content":"x","tags":[1]}' '{"content":"x","sources":7}' \
	'{"content":"x","key":7}' '{"content":"x","trust":9}' \
		'{"content":"<private>all of it</private>"}'; do
	check_err "a bad line is told with its number: $bad" 65 'stdin:1: ' \
		sh -c 'printf "%s\n" "$1" | mem-remember' sh "$bad"
done
check_err 'bytes that are no UTF-8 are refused' 65 'not UTF-8' \
	sh -c 'printf "a\377b\n" | mem-remember'
check_err 'the good ones go in' 65 'stdin:2: ' sh -c \
	'printf "{\"content\":\"good\"}\n{\"content\":\n{\"content\":\"good too\"}\n" |
		mem-remember'
check_out 'the good lines beside a bad one are remembered' 'good
good too' sh -c 'mem-list reflections | jq -r .content'
check_out 'secrets in a text are taken out' 'the key is [REDACTED:aws-key]' sh -c \
	'echo "the key is AKIAIOSFODNN7EXAMPLF" | mem-remember -q >/dev/null; mem-list reflections |
		tail -n 1 | jq -r .content'
check_err 'a bank that is none, as an option, is told' 0 "unknown bank 'Nope': the default" \
	mem-remember --bank Nope 'Nobody keeps wasps'
check_out 'an unknown bank is replaced by the default' General sh -c \
	'mem-list facts -j | jq -r "select(.content | test(\"wasps\")).bank"'
check_err 'a category that nobody knows is refused' 64 "unknown category 'x'" \
	mem-remember --category x y
check_err 'a kind that nobody knows is refused' 64 "unknown kind 'x'" mem-remember --kind x y
check_out 'a time in words' '2024-06-30T00:00:00Z' sh -c \
	'mem-remember --key boat --valid-from yesterday "I sail a dinghy" >t;
		mem-list facts -k boat | jq -r .valid_from; mem-edit -q --undo >t'
check_err 'a time that is none is refused' 64 'takes a time' mem-remember --valid-from soon y
check_err 'an importance above one is refused' 64 'importance' mem-remember --importance 2 y
check_err 'blanks alone are nothing to remember' 65 'nothing to remember' mem-remember '   '
check_err 'a source that is not there' 65 "rests on 'elsewhere'" mem-remember \
	--fact --source elsewhere 'kept by its name'
check_err 'a note that rests on nothing there is refused' 65 "rests on 'source:none'" \
	mem-remember --source source:none 'kept by its name'
check_status 'it is not kept' 1 sh -c 'mem-list reflections --all | grep "kept by";
	mem-list facts --all | grep "kept by"'
did 'derived, from nothing that is named' stored mem-remember <<'EOT'
{"content":"the moon is near","kind":"fact","origin":"derived","trust":3}
EOT
check_out 'trust that a line claims is not believed' 0 sh -c 'mem-list facts |
	jq -r "select(.content == \"the moon is near\").trust"'
id=$(mem-list facts | jq -r 'select(.content == "the moon is near").id')
printf '%s\n' '{"content":"on what is there","sources":["'"$id"'"]}' \
	'{"content":"on what is not","sources":["'"$id"'","gone"]}' 'text' '{"content":7}' \
	'{"content":"another"}' >some
check_err 'those that rest on what is not there' 65 "stdin:2: it rests on 'gone'" sh -c \
	'mem-remember --rejects bad <some >ids'
check_out 'other bad lines are among the rejects as they were' \
	"$(sed -n '2p;4p' some | LC_ALL=C sort)" sh -c 'LC_ALL=C sort bad'
check_out 'the others are stored' '3' sh -c 'wc -l <ids'
check_err 'rejects that cannot be written' 74 "cannot write 'none/bad'" mem-remember \
	--rejects none/bad x
check 'a stdout that cannot be written' sh -c 'echo full | mem-remember >/dev/full; test $? = 74'
check_like 'what could not be printed is stored' full mem-list reflections
check_err 'lists: options of others' 64 'are of facts' mem-list messages --bank Work
check_err 'a list of a bank that is none is of the default' 0 'unknown bank' \
	mem-list facts --bank Nope
check_err 'lists: a kind that is none' 64 'unknown kind' mem-list summaries --kind todo
check_err 'lists: a time that is none' 64 'takes a time' mem-list facts --as-of soon
check 'the store is whole' mem-check --deep -q
check 'other users see nothing' test "$(mem-list facts -u eve --all | wc -l)" = 0
check 'agents see what is shared and their own' sh -c \
	'mem-remember -q -a bot --fact "only the bot knows" && mem-list facts -a bot |
		grep -q "only the bot" && ! mem-list facts -a cat | grep -q "only the bot"'

# ---- news that has the words of an older fact, but says something else ----

fresh
# news WANT OLDER NEWER: what becomes of the newer
news() {
	fresh
	did "before: $2" stored mem-remember --fact "$2"
	did "$1: $3" "$1" mem-remember --fact "$3"
}
news superseded 'I have a red car' 'I sold the red car'
news superseded 'I have a dog' 'I lost my dog'
news superseded 'I have a dog' 'I gave away my dog'
news stored 'I have a dog' 'I found a dog'
# short, with another verb: it does not say the same
news stored 'We use Postfix' 'We fear Postfix'
news stored '我吃花生' '我对花生过敏'
news stored 'I have a loom' 'I need a loom'
news stored 'I have a cat' 'I want a cat'
news stored 'I have a red car' 'I crashed a red car'
news stored 'I have a red car' 'I had a red car'
news stored 'I have a red car' 'My brother has a red car'
news superseded 'We use Redis' 'We removed Redis'
news superseded 'We use Redis' 'We dropped Redis'
news stored 'We use Redis' 'We tried Redis'
news stored 'Tess is pregnant' 'Tess was pregnant'
news stored 'I am married' 'I was married'
news stored 'I live in Lisbon' 'I lived in Lisbon'
news stored 'I work at Siemens' 'I worked at Siemens'
news superseded 'I work at Siemens' 'I used to work at Siemens'
news stored 'Tess lives in Rome' 'Tess will live in Rome'
news stored 'Tess lives in Rome' 'Does Tess live in Rome?'
news stored 'Ich habe einen Hund' 'Ich hatte einen Hund'
news stored 'Anna likes Peter' 'Anna liked Peter'
news superseded 'Ich besitze ein Boot' 'Ich habe das Boot verkauft'
news superseded '我有红色的车' '我卖了红色的车'
news duplicate 'I have a red car' 'I really have a red car'
news duplicate 'Nora moved to Oslo' 'Nora has moved to Oslo'
news duplicate 'I moved to Oslo' 'I have moved to Oslo'

# ---- with vectors: likeness alone is no proof. Everything is near here, so it is the words that
# decide. ----

fresh
export MEM_MODELS="$top/models"
mkdir "$MEM_MODELS"
check 'makes a tiny model' sh -c '"$B/tests/torture/tiny_model" "$top/tiny" &&
	mem-model convert "$top/tiny" -o "$MEM_MODELS/tiny.model"'
export MEM_DUPLICATE_SIM=0
check_out 'without vectors words alone decide, however little likeness is enough' 'stored stored' sh -c \
	'{ mem-remember -j --fact "By noon the kiln at the mill gets far too hot."
		mem-remember -j --fact "Heat builds up inside of the kiln long before lunch."; } |
		jq -r .did | paste -sd " " -'
fresh
check 'a fact to compare with is remembered' mem-remember --fact 'Nora reports to Emil.'
check 'vectors are made by the tiny model' mem-embed --model tiny
# says WANT TEXT [OPTION ...]
says() {
	want=$1 text=$2
	shift 2
	check_out "mem-remember says '$want' of: $text" "$want" \
		sh -c 'mem-remember -j --fact "$@" | jq -r .did' sh "$@" "$text"
}
says duplicate 'Nora really reports to Emil.'
says stored 'Emil reports to Nora.'
says stored 'We moved from Oslo to Rome.'
says superseded 'We moved from Rome to Oslo.'
says stored 'Use yarn instead of npm.'
says stored 'Use npm instead of yarn.'
says stored 'Wash the cup before you paint the cup.'
says stored 'Paint the cup before you wash the cup.'
says stored 'The gate opens at 8 a.m.'
says stored 'The gate opens at 8 p.m.'
says stored 'On Sundays the shop is shut.'
says duplicate 'The shop is shut on Sundays.'
says superseded 'I moved from Rome to Oslo.' --key home
says superseded 'I moved from Oslo to Rome.' --key home
check_out 'what holds under the key is the later one' 'I moved from Oslo to Rome.' sh -c \
	'mem-list facts | jq -r "select(.key == \"home\").content"'
# ---- filters by tag and importance ----

fresh
check 'facts with tags are remembered' \
	sh -c \
	'{ echo "{\"content\":\"the boat needs paint\",\"tags\":[\"boat\",\"to do\"],\"importance\":0.3}"
	echo "{\"content\":\"the boat lies in Kiel\",\"tags\":[\"boat\"],\"importance\":0.7}"
	echo "{\"content\":\"the boathouse is locked\",\"tags\":[\"boathouse\"],\"importance\":0.9}"; } |
	sed "s/^{/&\"type\":\"fact\",/" | mem-remember -q'
facts 'with a tag' 'the boat needs paint
the boat lies in Kiel' --tag boat
facts 'of two words' 'the boat needs paint' --tag 'to do'
facts 'as important as that' 'the boat lies in Kiel
the boathouse is locked' --importance .7
facts 'both' 'the boat lies in Kiel' --tag boat --importance 0.7
check_out 'a search finds facts by their tag' 'the boat needs paint' sh -c \
	'mem-search --tag "to do" boat paint lies | jq -r .content'
check_out 'a search finds facts by their importance' 'the boat lies in Kiel' sh -c \
	'mem-search --importance .7 the boat lies | jq -r .content | grep -v locked'
check_err 'a tag of messages' 64 'are of facts' mem-list messages --tag boat
check_err 'a search of conversations takes no tag' 64 'of facts and notes' \
	mem-search --tag boat --tier all x
check_err 'a list takes no importance above one' 64 'importance' mem-list facts --importance 2

fresh
check 'where I live is remembered by its words' mem-remember -q 'I live in Lisbon'
for question in 'Do I live in Rome?' 'Wohne ich in Rom?' '我住在罗马吗？'; do
	check "a question is a note: $question" mem-remember -q "$question"
done
check_out 'a question that was remembered changes no fact' 'I live in Lisbon' \
	sh -c 'mem-list facts | jq -r .content'

# ---- what is denied, past, supposed, or of somebody else ends nothing that holds ----

export MEM_MODELS="$top/none"
unset MEM_DUPLICATE_SIM

# after WANT TEXT ...: the facts that hold when each text was remembered.
after() {
	want=$1; shift; fresh
	for t; do mem-remember -q "$t" || fail "remembered: $t"; done
	check_out "what is told is stored so: $*: $want" "$want" sh -c \
		'mem-list facts | jq -r .content | sort | paste -sd "|" -'
}
after 'I live in Rome' 'I live in Rome' "I don't live in Berlin"
after 'I live in Rome' 'I live in Rome' 'I used to live in Oslo'
after 'Ich wohne in Ulm' 'Ich wohne in Ulm' 'Ich habe früher in Rom gewohnt'
after '我住在北京' '我住在北京' '我以前住在上海'
after 'I live in Rome' 'I live in Rome' 'If I win I live in Monaco'
after 'Ich wohne in Ulm' 'Ich wohne in Ulm' 'Angenommen, ich wohne in Rom'
after '我住在北京' '我住在北京' '如果我住在上海'
after 'I no longer live in Rome' 'I live in Rome' 'I no longer live in Rome'
after 'I live in Rome' 'I live in Rome' 'I want to live in Oslo'
after '我不再住在北京了' '我住在北京' '我不再住在北京了'
after "I don't smoke|I smoke" 'I smoke' "I don't smoke"
after 'Meine Lieblingsfarbe ist Blau|Meine Lieblingsfarbe ist jetzt Grün' \
	'Meine Lieblingsfarbe ist Blau' \
	'Meine Lieblingsfarbe ist jetzt Grün'

# after_facts WANT TEXT ...: the same of what is given as a fact
after_facts() {
	want=$1; shift; fresh
	for t; do mem-remember -q --fact "$t" || fail "remembered: $t"; done
	check_out "facts that stand after $*: $want" "$want" sh -c \
		'mem-list facts | jq -r .content | sort | paste -sd "|" -'
}
after_facts '我住在上海|我搬到了深圳' '我住在上海' '我搬到了深圳'
after_facts 'I live in Rome|I no longer live in Oslo' 'I live in Rome' 'I no longer live in Oslo'
after_facts 'Ich bin nach Hamburg gezogen|Ich muss bis Freitag die Steuererklärung abgeben' \
	'Ich muss bis Freitag die Steuererklärung abgeben' 'Ich bin nach Hamburg gezogen'
after_facts 'I live in Rome|If I win I live in Monaco' 'I live in Rome' \
	'If I win I live in Monaco'
after_facts 'I live in Rome|My flat has a balcony|My house is yellow' 'I live in Rome' \
	'My house is yellow' 'My flat has a balcony'

# ---- what ends, and what stands beside it ----

news conflict 'I live in Lisbon' 'I live in Porto'
news conflict 'free shipping from 80 euro' 'free shipping from 100 euro'
news conflict 'Probe ist mittwochs um 19:30' 'Probe ist jetzt donnerstags um 19:30'
news stored 'I have chosen SQLite as the database' 'I am using SQLite 3.39 as my database'
news stored 'I moved to Lisbon' 'My new address is near the harbour'
news stored 'The team unshipped the flag' 'I plan to bring the flag to the board'
news stored 'Spaces, 3 of them, in all files' 'The picker is supposed to put spaces behind it'
news stored 'I have a cat and a goat' 'I sold the goat'
news stored 'The choir meets in the chapel' 'The choir moved to the town hall'
news superseded 'Rehearsal is at 8' 'Rehearsal was moved to 9'
news superseded 'We use cvs' 'We use git instead of cvs from now on'
news superseded 'Ich esse Käse' 'Ich esse keinen Käse mehr'
news superseded '例会在周三' '例会推迟到周五'
news duplicate 'letters go into the blue box, with a stamp from the mill' \
	'From now on the letters go into the blue box'
news stored 'Tess puts letters into the blue box' 'I no longer put letters into the blue box'
news stored 'letters no longer go into the blue box' 'the letters no longer fit the blue box'

# keys: with a value of one type, or named for this one; one that rules read ends nothing
fresh
did 'on one key, but no other value of it' 'stored conflict' mem-remember <<'EOT'
{"content":"I work at the mill","key":"work"}
{"content":"I work late when there is much to do","key":"work"}
EOT
did 'a bare value' 'stored superseded' mem-remember <<'EOT'
{"content":"vim","key":"editor"}
{"content":"emacs","key":"editor"}
EOT
check 'what a key is set to' mem-remember -q -k desk 'I like it tidy'
did 'is replaced by what is set with the option, whatever it is' superseded mem-remember -k desk \
	'there are plants on it'
did 'keys that rules read end nothing, and are ended by none' 'stored stored stored' \
	mem-remember <<'EOT'
{"content":"I rowed to Kiel","key":"home","made":"rules:3-00000000"}
{"content":"the parcel went to Bremen","key":"home","made":"rules:3-00000000"}
{"content":"they flew to Madrid","key":"home"}
EOT
did 'nor keys of other projects' 'stored stored' mem-remember <<'EOT'
{"content":"the build runs on Jenkins","key":"ci","project":"/home/ann/tide"}
{"content":"the build runs on Buildbot","key":"ci","project":"/home/ann/heron"}
EOT

# whose it is, in front of the words, is no word of them
fresh
did 'two facts of one project' 'stored stored duplicate' mem-remember <<'EOT'
{"type":"fact","content":"/home/ann/tide: Receipts carry the tax number in the footer"}
{"type":"fact","content":"/home/ann/tide: From now on every build is signed"}
{"type":"fact","content":"Every build is signed from now on","project":"/home/ann/tide"}
EOT
did 'the same of another project' 'stored stored' mem-remember <<'EOT'
{"type":"fact","content":"/home/ann/heron: From now on every build is signed"}
{"type":"fact","content":"From now on every build is signed","project":"/home/ann/plover"}
EOT
did 'two of one speaker' 'stored stored superseded' mem-remember <<'EOT'
{"type":"fact","content":"Bea: I keep the ledger in blue ink"}
{"type":"fact","content":"Bea: now the gate is locked at night"}
{"type":"fact","content":"Bea: I dropped the ledger"}
EOT
echo '{"session":"v","id":"v1","role":"user","name":"Olga","content":"I row on Tuesdays."}' |
	mem-ingest -q >/dev/null
did 'an old label, and a fact without one' 'stored duplicate superseded' mem-remember <<'EOT'
{"content":"Olga: I row on Tuesdays","kind":"fact","sources":["source:v1"]}
{"content":"I row on Tuesdays","kind":"fact","name":"Olga","sources":["source:v1"]}
{"content":"I gave up rowing","kind":"fact","name":"Olga"}
EOT
check_out 'labels are kept as they came' '1' sh -c \
	'mem-list facts --all | jq -r .content | grep -c "^Olga: I row on Tuesdays$"'
check_like 'people see who said it' 'Olga: I gave up rowing' mem-list facts --format text

# ---- a key that is named decides over what rules read ----

fresh
mem-remember -q 'I live in Delft'
mem-remember -q 'We love the home office'
check_like 'a named key ends what rules read on it' '^stored +I live in Bergen' \
	mem-remember --format text -k home 'I live in Bergen'
check_like 'a replaced fact is told with what it stands in place of' \
	'^ +in place of [0-9A-Z]{26}: a newer fact' cat "$out"
check_out 'one fact that ends another ends nothing else' '2' sh -c 'mem-list facts | wc -l'
check_like 'what is read from words decides nothing' '^conflict +I live in Malmo' \
	mem-remember --format text 'I live in Malmo'
check_like 'a conflict says how a person decides it' \
	'^ +that one ends by: mem edit [0-9A-Z]{26} --valid-to' cat "$out"

# ---- what ends nothing, whatever it says ----

fresh
did 'what is said of other projects, people and things ends nothing' \
	'stored stored stored stored stored stored stored stored stored stored stored stored stored stored' \
	mem-remember <<'EOT'
{"type":"fact","content":"We run Kafka for the queue","project":"/home/ann/tide"}
{"type":"fact","content":"We no longer run Kafka for the queue","project":"/home/ann/heron"}
{"type":"fact","content":"Barges go out on Fridays","project":"/home/ann/tide"}
{"type":"fact","content":"Barges no longer go out on Fridays","project":"/home/ann/tide/docs"}
{"type":"fact","content":"I row in a club","name":"Ida"}
{"type":"fact","content":"I no longer row in a club","name":"Tom"}
{"type":"fact","content":"eats no fish","about":"other:Tess"}
{"type":"fact","content":"eats fish from now on","about":"other:Zoe"}
{"type":"fact","content":"My sister drives a Saab"}
{"type":"fact","content":"I don't drive the Saab any more"}
{"type":"fact","content":"The server room is in Graz"}
{"type":"fact","content":"The server rack was moved to Linz"}
{"type":"fact","content":"Bea: the pier is painted in May"}
{"type":"fact","content":"Tom: the pier is no longer painted in May"}
EOT
mem-remember -q -u ida --fact 'The choir meets on Mondays'
did 'nor does another user' stored mem-remember -u tom --fact 'The choir no longer meets on Mondays'
check_out 'all of it holds' '14 1 1' sh -c 'echo $(for u in default ida tom; do
	mem-list facts -u $u | jq -r "select(.valid_to == null) | .id" | wc -l; done)'

# ---- what was forgotten ----

fresh
echo '{"session":"s","id":"t1","role":"user","content":"We decided to moor the ferry at pier nine."}' |
	mem-ingest -q
extracted() { mem-list messages | mem-extract --rules | mem-remember; }
forget_facts() { mem-list facts | jq -r .id | mem-forget -q -f -; }
did 'a decision is found in what was said' stored extracted
mem-edit -q "$(mem-list facts | jq -r .id)" --content 'The ferry moors at pier ten'
forget_facts
did 'what the user forgot is not found again' forgotten extracted
did 'nor what it was edited to, from an agent' forgotten mem-remember <<'EOT'
{"type":"fact","content":"the ferry moors at  pier ten.","origin":"assistant"}
EOT
did 'nor as what another agent keeps as a note' forgotten env MEM_AGENT=bob mem-remember <<'EOT'
{"type":"reflection","content":"The ferry moors at pier ten"}
EOT
facts 'so nothing of it is there' ''
check_err 'the pipe says how many were forgotten' 0 '0 stored, 1 forgotten before' \
	sh -c 'mem-list messages | mem-extract --rules | mem-remember -v'
did 'what says something else is stored' stored mem-remember <<'EOT'
{"type":"fact","content":"the ferry moors at pier eleven","origin":"assistant"}
EOT
check_like 'a person says it again, and is told' '^stored +The ferry moors at pier ten
 +it was forgotten before$' mem-remember --format text --fact 'The ferry moors at pier ten'
forget_facts
did 'what was forgotten of no project does not come back in one' forgotten \
	mem-remember -p /boats <<'EOT'
{"type":"fact","content":"The ferry moors at pier ten","origin":"assistant"}
EOT
did 'a person says it of a project' stored \
	mem-remember -p /boats --fact 'The ferry moors at pier ten'
forget_facts
did 'what was forgotten of a project may be said of another' stored mem-remember -p /cars <<'EOT'
{"type":"fact","content":"The ferry moors at pier ten","origin":"assistant"}
EOT
forget_facts
mem-remember -q --fact 'The ferry moors at pier ten'
mem-edit -q --undo
did 'from then on it may come from everybody' stored mem-remember <<'EOT'
{"type":"fact","content":"The ferry moors at pier ten","origin":"assistant"}
EOT
forget_facts
mem-remember -q -p /boats --fact 'The ferry moors at pier ten'
mem-edit -q --undo
did 'also where it was forgotten of that project and of none' stored mem-remember -p /boats <<'EOT'
{"type":"fact","content":"The ferry moors at pier ten","origin":"assistant"}
EOT
forget_facts
did 'what an assistant protects does not come back' forgotten mem-remember -p /boats <<'EOT'
{"type":"fact","content":"The ferry moors at pier ten","origin":"assistant","protected":true}
EOT

# ---- tasks ----

fresh
mem-remember -q -- '- [ ] tar the hull
  two coats
* [ ] wash the sails'
check_out 'of a list of tasks each is a todo, with the lines below it' 'tar the hull|  two coats
wash the sails' sh -c "mem-list todos | jq -r '.content | gsub(\"\\n\"; \"|\")' | sort"
mem-remember -q --key chores -- '- [ ] oil the oars
- [ ] mend the net'
check_out 'on a key a list is one' 1 sh -c 'mem-list facts | jq -r .key | grep -c chores'

# a condition in its own words is a part of it, and neither hides nor closes it
fresh
cat >when <<'EOT'
todo: alte Volumes löschen wenn alles läuft
todo: Rechnung schicken wenn der Umzug erledigt ist
todo: den Keller räumen falls der Käufer zusagt
todo: sobald die Heizung läuft den Boiler entleeren
todo: delete the backup when the move is done
todo: tell Ann if the offer is accepted
todo: après la vente, envoyer la facture dès que tout est fini
EOT
jq -Rc '{ role: "user", session: "s\(input_line_number)", time: "2024-05-14T10:00:00Z",
	content: . }' when | mem-ingest -q -
mem-list messages | mem-extract -q | mem-remember -q
check_out 'todos with a condition are listed' "$(LC_ALL=C sort when)" sh -c \
	'mem-list todos | jq -r .content | sort'
for said in 'alles läuft jetzt' 'der Umzug ist erledigt' 'the move is done' \
	'der Käufer hat zugesagt'; do
	jq -nc --arg t "$said" '{ role: "user", session: $t, time: "2024-05-15T10:00:00Z",
		content: $t }'
done | mem-ingest -q -
check_out 'that the condition came true closes none' 7 sh -c 'mem-list todos | wc -l'

# its day passes and nobody has done it: it is overdue, and open
fresh
export MEM_NOW=2024-05-20T12:00:00Z
mem-ingest -q - <<'EOT'
{"session":"a","role":"user","time":"2024-05-14T10:00:00Z","content":"todo: send the tax return until friday"}
{"session":"b","role":"user","time":"2024-05-14T11:00:00Z","content":"todo: die Kaution bis Samstag überweisen"}
{"session":"c","role":"user","time":"2024-05-14T12:00:00Z","content":"todo: renew the lease from 1 January"}
{"session":"d","role":"user","time":"2024-05-14T13:00:00Z","content":"I work in Ulm until friday."}
EOT
mem-list messages | mem-extract -q | mem-remember -q
cat >due <<'EOT'
todo: die Kaution bis Samstag überweisen
todo: renew the lease from 1 January
todo: send the tax return until friday
EOT
check_out 'a todo whose day has passed is open' "$(cat due)" sh -c \
	'mem-list todos | jq -r .content | sort'
check_out 'no day of its words begins or ends it' 'true' sh -c \
	'mem-list todos | jq ".valid_from == .time and .valid_to == null" | uniq'
check_out 'another fact ends with the day in its words' 2024-05-18T00:00:00Z sh -c \
	'mem-list facts --all | jq -r "select(.kind != \"todo\").valid_to"'
check_out 'the digest tells what is overdue as left open' "$(cat due)" sh -c \
	'mem-stats --digest | jq -r "select(.part == \"open\").text" | sort'

# earlier versions ended it with that day
mem-list facts --kind todo | jq -c 'select(.content | test("tax")) |
	.valid_to = "2024-05-18T00:00:00Z" | .project = "/tax" | del(.id)' >was
old=$PWD/was
fresh
mem-ingest -q - <<'EOT'
{"session":"a","role":"user","project":"/tax","time":"2024-05-14T10:00:00Z","content":"todo: send the tax return until friday"}
EOT
jq -c --arg id "$(mem-list messages | jq -r .id)" \
	'.sources[0].id = $id' "$old" | mem-remember -q -
check_out 'a fact that an earlier version ended so is stored' 2024-05-18T00:00:00Z sh -c \
	'mem-list facts --all | jq -r .valid_to'
check_out 'a todo that an earlier version ended with its day is open' \
	'todo: send the tax return until friday' sh -c 'mem-list todos | jq -r .content'
check_out 'the digest tells such a one as left open' 'todo: send the tax return until friday' \
	sh -c 'mem-stats --digest | jq -r "select(.part == \"open\").text"'
check_like 'the page shows such a one as open' 'send the tax return' sh -c \
	'mem-stats --html - | sed -n "/id=\"open\"/,/<\/section>/p"'
check_like 'a session is told such a one at its start' 'open todo: send the tax' sh -c \
	'echo "{\"session_id\":\"n\",\"cwd\":\"/tax\",\"source\":\"startup\"}" |
	mem-hook claude-code start | jq -r .hookSpecificOutput.additionalContext'
mem-edit -q --valid-to 2024-05-19 "$(mem-list todos | jq -r .id)"
check_out 'one that was ended by hand is not open' '' mem-list todos
check_out 'the digest tells one that was ended by hand as done' done sh -c \
	'mem-stats --digest | jq -r "select(.text // \"\" | test(\"tax\")).part" | grep done'
export MEM_NOW=2024-07-01T12:00:00Z

# ---- conflicts ----

fresh
for v in 15 16; do mem-remember -q --fact "We use PostgreSQL $v in production"; done
mem-remember -q --fact 'Tea is served at four'
check_out 'two facts that contradict each other are listed, the older first' \
	'contradiction
We use PostgreSQL 15 in production
We use PostgreSQL 16 in production' \
	sh -c 'mem-list conflicts | jq -r ".kind, .records[].content"'
mem-list conflicts --format text >list
check_out 'on a terminal each of a pair has a number' \
	'1 We use PostgreSQL 15 in production
2 We use PostgreSQL 16 in production' sed 's/^ *\([0-9]\).* W/\1 W/' list
mem-edit -q --retract "$(mem-list conflicts | jq -r '.records[0].id')"
check_out 'a pair of which one was retracted is decided' '' mem-list conflicts
mem-remember -q --fact 'The gateway listens on port 7070'
mem-remember -q --fact 'The gateway listens on port 7171'
check_out 'another value of a type is listed, and ends nothing' 'The gateway listens on port 7070
The gateway listens on port 7171
2' sh -c 'mem-list conflicts | jq -r ".records[].content"; mem-list facts | grep -c gateway'
mem-remember -q --fact 'I work at Tidewerk'
mem-remember -q --fact 'I work at Molenaar'
mem-remember -q --fact 'lamp TTL: 600 s'
mem-remember -q --fact 'lamp TTL: 120 s'
mem-remember -q --fact 'buoy keys live 30 minutes'
mem-remember -q --fact 'buoy keys live 10 minutes'
for n in Ida Jan; do mem-remember -q --fact "$n: 5 pears and a fig"; done
mem-remember -q --fact 'Ida lives at 4 Mill Lane'
mem-remember -q --fact 'Jan lives at 5 Mill Lane'
check_out 'pairs that share little but a slot, or only a label, are listed' \
	'I work at Molenaar
I work at Tidewerk
The gateway listens on port 7070
The gateway listens on port 7171
buoy keys live 10 minutes
buoy keys live 30 minutes
lamp TTL: 120 s
lamp TTL: 600 s' sh -c 'mem-list conflicts | jq -r ".records[].content" | LC_ALL=C sort'
check_out 'conflicts of another user are not listed' '' mem-list conflicts -u other
mem-remember -q --fact 'Decision: go with Zephyr for mail'
mem-remember -q --fact 'Decision: Mistral instead of Zephyr'
check_out 'what was decided ends by what is decided in its place' \
	'Decision: go with Zephyr for mail' \
	sh -c 'mem-list facts --all | jq -r "select(.valid_to).content"'

# ---- the usual bank ----

fresh
bank() { mem-list facts | jq -r 'select(.content == "'"$1"'").bank'; }
MEM_BANK=work mem-remember -q --fact 'the weir is mended'
check_out 'a fact that names no bank goes where the setting bank says' Work \
	bank 'the weir is mended'
MEM_BANK=work mem-remember -q --fact --bank Health 'the weir is cold'
check_out 'a bank that is named goes before the setting' Health bank 'the weir is cold'
MEM_BANK=zoo mem-remember -q --fact 'the weir is old'
check_out 'a setting that is no bank is as none' General bank 'the weir is old'

# ---- a subcategory ----

fresh
mem-remember -q --fact 'the weir is mended in May'
mem-remember -q --fact 'the weir is cold in May'
mem-edit -q --subcategory river "$(mem-list facts | jq -r 'select(.content | contains("cold")).id')"
check_out 'facts of a subcategory are searched alone' 'the weir is cold in May' sh -c \
	'mem-search --subcategory river weir in May | jq -r .content'
check_out 'nothing is found in a subcategory that is not there' '' \
	mem-search --subcategory hills weir
check_err 'a subcategory is of facts' 64 'are of facts' \
	mem-search --subcategory river --tier conversations weir

# ---- blocks of what is stored ----

fresh
printf '%s\n' 'The sluice is oiled in May.' '<mem-context items="1">' \
	'[2024-05-01] Bo: Oil it.' '' ' And the gate.' '</mem-context>' \
	'The gate is painted.' >lines
check_err 'a block among notes is refused with one message' 65 \
	'^mem-remember: stdin:2: a block of mem-context' mem-remember -q --rejects refused - <lines
check_out 'it is told once' 1 sh -c "wc -l <'$err'"
check_out 'what stands around a block is remembered, and no line of it' \
	'The sluice is oiled in May.
The gate is painted.' sh -c 'mem-list reflections | jq -r .content'
check_out 'the lines of a block are kept with what was refused' 4 sh -c 'wc -l <refused'
mem-remember -q 'the lock is new'
check_err 'what mem-context tells is not remembered again' 65 'a block of mem-context' \
	sh -c 'mem-context the lock is new | mem-remember'
check_out 'a tag in a note is a word' 1 sh -c \
	'echo "<mem-contexts> are told" | mem-remember -q; mem-list reflections | grep -c contexts'

# ---- complaints, and a limit ----

fresh
for i in 1 2 3 4; do mem-remember -q --missed "you forgot that house $i is sold"; done
check_out 'a complaint is a note of its own tag' 4 sh -c \
	'mem-list reflections --tag missed | wc -l'
check_like 'what was missed is counted in the statistics' '"name":"missed","value":4' \
	mem-stats --report
check_like 'more than three are worth a look' '"name":"missed","value":4,"limit":3' \
	mem-stats --triggers
check_err 'it is no fact' 64 'without --fact' mem-remember --missed --fact x
for i in 1 2 3; do mem-remember -q --fact "house $i belongs to crew $i"; done
check_out 'no fact goes by a limit that nobody set' 3 sh -c 'mem-list facts | wc -l'
check_err 'one that was set holds at once' 0 '2 facts beyond the limit' \
	env MEM_FACTS_MAX=2 mem-remember --fact 'house 4 belongs to crew 4'
check_out 'what is new stays' 'house 4 belongs to crew 4' sh -c \
	'mem-list facts -j | jq -r .content | tail -n 1'
check_out 'as many facts stay as the limit allows' 2 sh -c 'mem-list facts | wc -l'
check_like 'it is counted as by mem-prune' '"name":"pruned.facts","value":2' mem-stats --report
fresh=$PWD/missed.db
check_out 'a complaint is a note, whatever it says' 'you forgot that I like tea' sh -c \
	'mem-remember -q -d "$0" --missed you forgot that I like tea &&
		mem-list -d "$0" reflections -j | jq -r .content' "$fresh"

# ---- what is so in the old one holds beside the new one ----

fresh
held() { rm -f held.db*; for t; do mem-remember -q -d held.db --fact "$t" >/dev/null; done
	mem-list -d held.db facts -j </dev/null | jq -r .content | wc -l | tr -d ' '; }
check_out 'pnpm in the new projects ends no npm in the old one' 2 held \
	'we use npm in the old project' \
	'pnpm instead of npm from now on in the new projects'
check_out 'pnpm im neuen Projekt ends no npm in the old one' 2 held \
	'wir nutzen npm im alten Projekt' \
	'ab jetzt pnpm statt npm im neuen Projekt'
check_out 'pnpm ends npm where no place is named' 1 held 'we use npm' \
	'pnpm instead of npm from now on'
done_testing
