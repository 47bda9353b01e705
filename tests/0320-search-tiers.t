#!/bin/sh
# mem-search --tier: facts, reflections and conversations; what was valid, what was known; by words
# and by meaning.
. "${0%/*}/lib.sh"
unset MEM_SEED
export MEM_MODELS="$top/none"

hits() { name=$1 want=$2; shift 2; check_out "$name" "$want" sh -c 'mem-search "$@" |
	jq -r "[.rank, .tier, .kind, .content] | map(tostring) | join(\" \")"' sh "$@"; }

hits 'no store' '' --tier all tea
mem-ingest -q >/dev/null <<'EOT'
{"session":"s","id":"m1","role":"user","time":"2024-05-01T10:00:00Z","content":"we talked about tea for hours"}
EOT
mem-remember -q >/dev/null <<'EOT'
{"type":"fact","content":"Ann drinks green tea","kind":"preference","bank":"Interests","time":"2024-03-01"}
{"type":"fact","content":"Ann sells honey and tea at the market","bank":"Work","time":"2024-04-01"}
{"type":"fact","content":"the office is in Porto","key":"office","time":"2024-01-01"}
{"type":"fact","content":"the office is in Lisbon","key":"office","time":"2024-04-01"}
{"type":"reflection","content":"tea breaks help the team"}
EOT
hits 'conversations alone' '1 conversations message we talked about tea for hours' \
	--tier conversations tea
hits 'facts' '1 insights fact Ann drinks green tea
2 insights fact Ann sells honey and tea at the market' --tier insights green tea
hits 'notes' '1 reflections reflection tea breaks help the team' --tier reflections tea
hits 'all, one rank after another' '1 insights fact Ann drinks green tea
2 reflections reflection tea breaks help the team
3 conversations message we talked about tea for hours' --tier all -n 1 green tea
hits 'two of three' '1 insights fact Ann drinks green tea
2 conversations message we talked about tea for hours' --tier insights,conversations -n 1 green tea
hits 'of a bank' '1 insights fact Ann sells honey and tea at the market' --bank work tea
hits 'of a category' '1 insights fact Ann drinks green tea' --category preferences tea
mem-remember -q -u slots >/dev/null <<'EOT'
{"type":"fact","content":"Postgres it is then","key":"heron:database","about":"project:heron","time":"2024-03-01"}
{"type":"fact","content":"the stork one uses SQLite","key":"stork:database","about":"project:stork","time":"2024-03-03"}
EOT
hits 'by its key alone' '1 insights fact Postgres it is then' -u slots --tier insights -n 1 \
	'Which database does heron have?'
hits 'now' '1 insights fact the office is in Lisbon' --tier insights office
hits 'as of February' '1 insights fact the office is in Porto' --as-of 2024-02 office
hits 'as of that day' '1 insights fact the office is in Lisbon' --as-of 2024-04-01 office
hits 'as of the day before' '1 insights fact the office is in Porto' --as-of 2024-03-31 office
hits 'as of last year' '' --as-of 2023 office
hits 'said since' '1 insights fact Ann sells honey and tea at the market' --tier insights \
	--since 2024-03-15 tea
mem-remember -q -u mover -k home 'I live in Porto'
mem-remember -q -u mover -k home --valid-from 2024-08-01 'I live in Faro'
hits 'what does not hold yet comes behind what does' '1 insights fact I live in Porto
2 insights fact I live in Faro' -u mover --tier insights 'where do I live now'
hits 'among conversations, too' '1 stored fact I live in Porto
2 stored fact I live in Faro' -u mover 'where do I live now'
hits 'but not where that is asked for' '1 insights fact I live in Faro' -u mover -n 1 \
	--tier insights 'where will I live in August'
if has_terminal; then
	check_like 'people see from when it holds' 'from 2024-08-01' sh -c \
		'script -qc "mem-search -u mover --tier insights where do I live" /dev/null </dev/null'
fi
hits 'of somebody else' '' -u eve --tier all tea
check_out 'a fact that is found is printed as a hit' \
	'{"type":"hit","rank":1,"user":"default","time":"2024-04-01T00:00:00Z","origin":"user","trust":3,"score":1,"bm25":1,"tier":"insights","kind":"fact","content":"the office is in Lisbon","key":"office","bank":"General","valid_from":"2024-04-01T00:00:00Z"}' \
	sh -c 'mem-search --no-touch --tier insights office | jq -c "del(.id)"'
check_out 'a fact that is found is counted as accessed' 1 \
	sh -c 'before=$(mem-list facts -k office | jq .accesses);
	mem-search --tier insights office >/dev/null;
	after=$(mem-list facts -k office | jq .accesses); echo $((after - before))'
check_out '--no-touch counts no access to a fact' 0 \
	sh -c 'before=$(mem-list facts -k office | jq .accesses);
	mem-search --no-touch --tier insights office >/dev/null;
	after=$(mem-list facts -k office | jq .accesses); echo $((after - before))'
check_status '-e ends with 1 when no fact is found' 1 mem-search -e --tier insights zeppelin
check_status '-e ends with 0 when a fact is found' 0 mem-search -e --tier insights honey
check_out 'questions on the standard input are answered one by one' '1 1' sh -c \
	'printf "{\"query\":\"honey\"}\n{\"query\":\"green\"}\n" | mem-search --tier insights |
		jq .rank | tr "\n" " " | sed "s/ $/\n/"'
if has_terminal; then
	check_like 'a fact that is found is shown to people' 'fact' sh -c \
		'script -qc "mem-search --tier insights honey" /dev/null </dev/null'
else
	skip 'for people' 'script(1) gives no terminal'
fi

# ---- what was stored on purpose ----

stored() { name=$1 want=$2; shift 2; hits "$name" "$want" -u depot "$@"; }
mem-ingest -q -u depot <<'EOT'
{"session":"d1","id":"w1","role":"user","time":"2024-05-01","content":"The forklift of the depot wants a new battery."}
{"session":"d1","id":"w2","role":"assistant","time":"2024-05-01","content":"I wrote that down. Which gate will the new battery come through?"}
{"session":"d2","id":"w3","role":"user","time":"2024-05-03","content":"Lorries queue at the gate whenever the barrier is stuck."}
EOT
mem-remember -q -u depot 'The barrier of the north gate opens with the code 4418'
mem-remember -q -u depot 'Pallets for Ghent are wrapped twice'
mem-remember -q -u depot -p /depot/office 'Printer paper is kept in the blue cupboard'
mem-remember -q -u depot <<'EOT'
{"type":"fact","content":"The forklift needs a battery","origin":"derived","source":["w1"]}
EOT
stored 'it comes first where it answers' \
	'1 stored reflection The barrier of the north gate opens with the code 4418' \
	-n 1 --tier stored 'with which code does the barrier of the north gate open?'
check_out 'insights are searched by default where they answer' 'stored 1' \
	sh -c "mem-search -u depot --no-touch \
	'with which code does the barrier of the north gate open?' | jq -r '\"\(.tier) \(.rank)\"' |
	head -n 1"
check_like 'a reflection has its p and id' '^[0-9A-Z]{26} reflection 0\.[6-9]' sh -c \
	"mem-search -u depot \
	--no-touch 'how often are pallets for Ghent wrapped?' |
	jq -r '\"\(.id) \(.kind) \(.p)\"' | head -n 1"
check_out 'it is absent where it does not answer' conversations sh -c "mem-search -u depot \
	--no-touch 'what does the forklift want?' | jq -r .tier | sort -u"
stored 'what was distilled is no part of it' '' --tier stored 'forklift battery'
stored 'of this project' '1 stored reflection Printer paper is kept in the blue cupboard' \
	-p /depot/office 'where is the printer paper kept?'
stored 'nor of another' '' -p /depot/yard 'where is the printer paper kept?'
check_out 'not with a role' conversations sh -c "mem-search -u depot --role user --no-touch \
	'the barrier of the north gate' | jq -r .tier | sort -u"
mem-edit -q -u depot --important source:w3
check_out 'a turn that was marked as important is found once' 1 sh -c "mem-search -u depot \
	--no-touch 'lorries queue at the gate when the barrier is stuck' | grep -c Lorries"
check_status '-e counts facts that were found by default' 0 \
	mem-search -u depot -e 'how often are pallets for Ghent wrapped?'
check_like 'mem-context has it in front' \
	'^\[[0-9-]*\] reflection: Pallets for Ghent are wrapped twice' sh -c \
	"mem-context -u depot 'how often are pallets for Ghent wrapped?' | sed -n 2p"

# ---- the present and the past ----

cat >in.ndjson <<'EOT'
{"session":"s1","id":"p1","role":"user","name":"Nora","time":"2024-01-10","content":"Guess what, I found a flat. Bergen, near the quay."}
{"session":"s1","id":"p2","role":"user","name":"Emil","time":"2024-01-10","content":"I live in Turku, as ever."}
{"session":"s2","id":"p3","role":"user","name":"Nora","time":"2024-05-10","content":"I live in Narvik now, the boxes are all unpacked."}
EOT
check 'what two people say' mem-ingest -q -u two in.ndjson
check 'facts of the other user are remembered' mem-remember -q -u two <<'EOT'
{"content":"I found a flat. Bergen, near the quay","key":"home","sources":["source:p1"]}
{"content":"I live in Turku","key":"home","sources":["source:p2"]}
{"content":"I live in Narvik now","key":"home","sources":["source:p3"]}
EOT
first() { name=$1 want=$2; shift 2; check_out "$name" "$want" sh -c \
	'mem-search --no-touch -u two --tier insights -n 1 "$@" | jq -r .content' sh "$@"; }
first 'whom the question names' 'I live in Turku' 'Where does Emil live?'
first 'what holds now' 'I live in Narvik now' 'Where does Nora live now?'
first 'what held once' 'I found a flat. Bergen, near the quay' 'Where did Nora live before?'
first 'what held in a month' 'I found a flat. Bergen, near the quay' \
	'Where did Nora live in March 2024?'
first 'as of a day' 'I found a flat. Bergen, near the quay' --as-of 2024-02-01 \
	'Where does Nora live?'
check_out 'nothing that has ended, unless the past is meant' 2 sh -c \
	'mem-search --no-touch -u two --tier insights "Where does Nora live?" | wc -l'
check_like 'one that has ended says until when' 'fact .*  until 2024-05-10$' \
	mem-search --format text -u two --tier insights 'Where did Nora live before?'
check_like 'in a context, too' 'fact until 2024-05-10: I found a flat' \
	mem-context -u two 'Where did Nora live before?'
said() { name=$1 want=$2; shift 2; check_out "$name" "$want" sh -c \
	'mem-search --no-touch -u "${who:-three}" -n 1 "$@" | jq -r .content' sh "$@"; }
printf '%s\n' '{"session":"a","time":"2023-01-10","content":"The printer stands in the red room."}' \
	'{"session":"b","time":"2024-05-10","content":"The printer stands in the tiny room."}' |
	mem-ingest -q -u three
said 'of two turns that answer alike the newer, when the question asks for now' \
	'The printer stands in the tiny room.' 'in which room is the printer now'
said 'in other words' 'The printer stands in the tiny room.' \
	'where does the printer currently stand'
printf '%s\n' '{"session":"b","time":"2024-05-10","content":"The printer stands in the tiny room."}' \
	'{"session":"a","time":"2023-01-10","content":"The printer stands in the red room."}' |
	mem-ingest -q -u four
who=four
said 'the newer is the one that was said later, also when it was stored first' \
	'The printer stands in the tiny room.' 'in which room is the printer now'
unset who

# ---- what was known ----

edit=$(mem-list facts -k office | jq -r .id)
check 'a fact is corrected in June' env MEM_NOW=2024-06-01 mem-edit \
	--content 'the office is in Braga' "$edit"
export MEM_NOW=2024-07-01
hits 'now' '1 insights fact the office is in Braga' --tier insights office
hits 'known in May' '1 insights fact the office is in Lisbon' --known-at 2024-05-25 office
hits 'known in May, by its words of then' '1 insights fact the office is in Lisbon' \
	--known-at 2024-05-25 lisbon
hits 'by those of now: nothing' '' --known-at 2024-05-25 braga
check 'the last edit is taken back' mem-edit --undo
hits 'as it was' '1 insights fact the office is in Lisbon' --tier insights office
check 'the edited fact can be retracted' mem-edit --retract "$edit"
hits 'retracted: the older one has ended all the same' '' --tier insights office

# ---- by meaning ----

export MEM_MODELS="$top/models"
mkdir "$MEM_MODELS"
check 'a tiny model is made for vectors' sh -c '"$B/tests/torture/tiny_model" "$1/tiny" &&
	mem-model convert "$1/tiny" -o "$1/models/tiny.model"' sh "$top"
export MEM_MODEL=tiny
check 'vectors of facts are made by the model' mem-embed
check_like 'a fact has a similarity' '"sim":' mem-search --tier insights 'Ann drinks green tea'
check 'facts with the same words are most alike' \
	sh -c 'mem-search --tier insights "Ann drinks green tea" |
	head -n 1 | jq -e ".content == \"Ann drinks green tea\" and .sim > .9"'
check_like 'what is remembered has its vector at once' '"missing":0' sh -c \
	'mem-remember --fact "Ann drinks black coffee" >/dev/null && mem-embed --info'
remembers() { MEM_DUPLICATE_SIM=.5 mem-remember --fact "$1" | jq -r .did; }
check_out 'a fact is stored' stored remembers 'Ann drinks green tea on Sundays'
check_out 'one in which a part has moved is the same' duplicate remembers \
	'on Sundays Ann drinks green tea'
check_out 'one in which the words change places is another' stored remembers \
	'green tea drinks Ann on Sundays'
check 'the store is whole' mem-check --full -q

# ---- bad input ----

check_err 'a tier that is none' 64 "unknown tier 'x'" mem-search --tier x tea
check_err 'a tier among others that is unknown is refused' 64 "unknown tier" \
	mem-search --tier insights,x tea
check_err 'a tier without a name is refused' 64 "unknown tier" mem-search --tier '' tea
check_err 'facts, where none are asked for' 64 'are of facts' mem-search --tier conversations \
	--as-of 2024 tea
check_err 'roles are refused in a search of facts' 64 'are of conversations' \
	mem-search --tier insights --role user tea
check_err 'a bank that nobody knows becomes the default, which is told' 0 'unknown bank' \
	mem-search --bank Nope tea
check_err 'a category that nobody knows is refused' 64 'unknown category' \
	mem-search --category Nope tea
check_err 'an --as-of that is no time is refused' 64 'takes a time' mem-search --as-of soon tea
check_err 'a --known-at that is no time is refused' 64 'takes a time' mem-search --known-at soon tea

# ---- what was stored with a key says by it what it is about ----

fresh
mem-remember -q -k night_temperature 'At night the heating keeps 18.5 degrees'
mem-ingest -q --from=ndjson - <<'EOT'
{"session":"a","role":"user","content":"Read the flow temperature from the boiler over Modbus."}
{"session":"a","role":"assistant","content":"It is 41.5 C, read every night."}
EOT
check_out 'a question with the words of the key finds it first' \
	'At night the heating keeps 18.5 degrees' sh -c \
	'mem-search -n 3 what is the night temperature >o && jq -r .content o | head -n 1'

# ---- what was stored of one person is no answer about another ----

fresh
mem-ingest -q --from=ndjson - <<'EOT'
{"session":"f","role":"user","name":"Olek","content":"the keys are in the blue pot"}
{"session":"f","role":"user","name":"Bea","content":"thanks"}
{"session":"g","role":"user","name":"Bea","content":"the lease of the flat"}
EOT
for f in 'I live at 9 Quay Street' 'Olek lives at 41 Weir Road' 'Tess lives at 4 Mill Lane' \
	'Packages go to the shed behind the house'; do
	mem-remember -q --fact "$f"
done
whose() { mem-search --tier stored --no-touch "$1" | jq -r .content; }
check_out 'a fact about a speaker answers a question about that speaker alone' \
	'Olek lives at 41 Weir Road' whose 'where does Olek live'
check_out 'a fact in the first person answers a question in the first person alone' \
	'I live at 9 Quay Street' whose 'where do I live'
check_out 'a fact about somebody who never speaks is found by the name' \
	'Tess lives at 4 Mill Lane' whose 'where does Tess live'
check_out 'a fact about a thing answers who asks in the first person' \
	'Packages go to the shed behind the house' whose 'where do packages for my house go'
for i in 1 2 3; do echo '{"session":"t","role":"user","content":"thanks"}'; done |
	mem-ingest -q -u alike --from=ndjson -
mem-remember -q -u alike --fact 'The kiln wants cone seven and eleven hours'
mem-embed -q -u alike >/dev/null
check_out 'a fact is likely beside turns that are all alike' true sh -c \
	'mem-search -u alike --tier stored --no-touch "cone of the kiln" | jq ".p >= 0.6"'
done_testing
