#!/bin/sh
# Stale records: 50 facts and summaries that would come out otherwise today are listed and no other,
# made again and then none is left; what is derived is made again and compared.
. "${0%/*}/lib.sh"
export MEM_MODEL=absent

# said SESSION N TEXT...: messages of a session, N the number of the first.
said() {
	session=$1 no=$2
	shift 2
	for text; do
		jq -cn --arg s "$session" --arg t "$text" --argjson n "$no" '{type: "message",
			session: $s, source_id: "\($s)-\($n)", time: "2024-01-02T10:\($n + 10):00Z",
			role: "user", content: $t}'
		no=$((no + 1))
	done
}
boats=$(i=1; while [ $i -le 38 ]; do echo "I own boat number $i."; i=$((i + 1)); done)
skies=$(i=1; while [ $i -le 10 ]; do echo "The sky number $i was grey."; i=$((i + 1)); done)
IFS='
'
said boats 1 $boats | mem-ingest -q - >/dev/null
said skies 1 $skies | mem-ingest -q - >/dev/null
unset IFS
mem-list messages -j -s boats | mem-extract --rules >facts

# 25 facts of earlier rules, each with another field than today's; 7 the same as today's
jq -c 'input_line_number as $i | .made = "rules:0-00000000" |
	if $i <= 10 then .content += "!" elif $i <= 14 then .key = "old\($i)"
	elif $i <= 18 then .bank = "Work"
	elif $i <= 22 then .kind = "entity" elif $i <= 25 then .importance = 0.1 else . end |
	select($i <= 32)' facts >old
mem-remember -j <old | jq -r .id >old.ids
# 5 of today's rules; of these 3 do not say so, as those of a store of before
jq -c 'input_line_number as $i | select($i > 32 and $i < 38) | if $i > 34 then del(.made) else . end' \
	facts | mem-remember -q >/dev/null
# 10 that today's rules do not find
mem-list messages -j -s skies | jq -c '{type: "fact", content: ("Sky: " + .content), origin: "derived",
	made: "rules:0-0", sources: [{id, start: 0, length: (.content | length)}]}' |
	mem-remember -j | jq -r .id >lost.ids
# one of earlier rules that somebody has changed by hand
hand=$(sed -n 26p old.ids)
mem-edit -q "$hand" --content 'I do own that boat' >/dev/null
# 5 sessions that went on behind their summary, one of them summed up twice, and one that did not
for s in a b c d e f; do
	said $s 1 'We decided to sail on Monday.' 'The boat is in the harbour of Ystad.' \
		'I have to buy a new rope.' 'My brother comes along.' 'We sleep on board.' |
		mem-ingest -q - >/dev/null
done
mem-summarize -q --rules
said a 6 'It rains.' 'The mast is new.' 'We row.' 'I like the sea.' 'I have a map.' |
	mem-ingest -q - >/dev/null
mem-summarize -q --rules
for s in a b c d e; do said $s 11 'We decided to take the train instead.'; done |
	mem-ingest -q - >/dev/null
# 10 summaries of facts, of which one fact was changed, and one where none was
for g in 1 2 3 4 5 6 7 8 9 10 11; do
	for what in 'a mast of pine' 'two sails of cotton' 'an anchor of iron'; do
		jq -cn --arg g $g --arg w "$what" '{type: "fact",
			content: "The dinghy \($g) has \($w)", time: "2024-01-02T10:00:00Z",
			tags: ["dinghy\($g)"]}'
	done
done | mem-remember -q >/dev/null
mem-summarize -q --rules --facts --by tags --days 1
mem-list facts -j --all |
	jq -r 'select(.content | test("^The dinghy ([1-9]|10) has an anchor")) | .id' >anchors
mem-edit -q $(cat anchors) --content 'It has an anchor of bronze' >/dev/null

check 'there are 11 summaries of facts' [ "$(mem-summarize --list --facts -j | wc -l)" = 11 ]
mem-list facts -j >before
run mem-list stale -j
cp "$out" stale
check 'facts of old rules are made' [ $status = 0 ]
check_out 'fifty stale records are listed' 50 sh -c 'wc -l <stale | tr -d " "'
(head -n 25 old.ids; cat lost.ids) | sort >want
check_out 'the facts of other rules and those that are lost, and no other' "$(cat want)" \
	sh -c 'jq -r "select(.of == \"fact\") | .id" stale | sort'
check_out 'the summaries of sessions that went on, and of facts that changed' '5 10' sh -c \
	'jq -rs "map(select(.of == \"summary\") | .session) |
		\"\(map(select(.)) | length) \(map(select(. | not)) | length)\"" stale'
check_out 'each stale record says why it is' "10 today's rules do not find it
4 today's rules file it elsewhere
4 today's rules give another key
4 today's rules give another kind
10 today's rules give other words
3 today's rules weigh it otherwise" sh -c \
	'jq -r "select(.of == \"fact\") | .why" stale | sort | uniq -c | sed "s/^ *//" | sort -k2'
check_out 'each stale record says what would come out' 'I own boat number 1' sh -c \
	'jq -r "select(.id == \"$(head -n 1 old.ids)\") | .now" stale'
check_like 'stale records are shown to people' '  fact +today.s rules give other words' \
	mem-list stale --format text
check_like 'mem-check names the stale records' \
	"fact $(head -n 1 old.ids) of default: today's rules give other words" mem-check --stale
check_like 'those that do not say what made them are counted' '3 facts of default do not say' \
	mem-check --stale
check_err 'other filters do not apply' 64 "'stale' is of all records" mem-list stale -n 3
check_out 'another user has none' '' mem-list stale -j -u other

run mem-check --repair --stale
check_out 'all 50 are made again' '40 made again
10 retracted' sh -c "jq -r 'select(.name == \"stale\") | .message' '$out' |
	sed -n 's/.*: \\(made again\\|retracted\\)\$/\\1/p' | sort | uniq -c | sed 's/^ *//'"
check_out 'no stale record is left afterwards' '' mem-list stale -j
check_out 'a fact has its words of today, its id and its time' \
	"$(head -n 1 old.ids) I own boat number 1 2024-01-02T10:11:00Z" sh -c \
	'mem-list facts -j | jq -r "select(.id == \"$(head -n 1 old.ids)\") | \"\(.id) \(.content) \(.time)\""'
check_out 'what was lost is retracted' 10 sh -c \
	'mem-list facts -j --all | jq -r "select(.retracted) | .id" | sort | comm -12 - want |
		wc -l | tr -d " "'
check_out 'what was changed by hand stays' 'I do own that boat' sh -c \
	"mem-list facts -j | jq -r 'select(.id == \"$hand\") | .content'"
mem-list facts -j >after
check_out 'no other fact was touched' "$(jq -c . before | grep -v -F -f want)" \
	sh -c 'jq -c . after | grep -v -F -f want'
check_like 'each is a step that can be taken back' '"did":"restored"' mem-edit -j --undo
check_out 'a record is stale again when it was changed back' 1 \
	sh -c 'mem-list stale -j | wc -l | tr -d " "'
check 'until it is repaired' mem-check -q --repair --stale
check_out 'which finds no more' '' mem-list stale -j

# facts of a language model
jq -cn '{type: "fact", content: "I row", origin: "derived", made: "model:old"}' | mem-remember -q >/dev/null
check_out 'without a model nothing is known of what one made' '' mem-list stale -j
export MEM_CHAT_MODEL=new
check_out 'another model is told' 'another model is configured now' \
	sh -c 'mem-list stale -j | jq -r .why'
check 'which mem-check cannot repair' mem-check -q --repair --stale
check_out 'what mem-check cannot repair stays stale' 1 sh -c 'mem-list stale -j | wc -l | tr -d " "'
unset MEM_CHAT_MODEL

# --rebuild
said code 1 'Look:

```sh
make check
```

It fails.' | mem-ingest -q - >/dev/null
check_out 'what today gives is what is stored' '' sh -c \
	'mem-check --rebuild | jq -r "select(.ok | not) | .message"'
check_like 'the full text is compared too' 'lists are the words of' mem-check --rebuild
jq -c '.made = "rules:0-1" | .content = "Boat: " + .content' facts | sed -n 38p |
	mem-remember -d mem.db -j | jq -r .id >one
check_like 'a rule that gives something else is told with its record' \
	"fact $(cat one) of default: today's rules give other words" mem-check --rebuild
if command -v sqlite3 >/dev/null 2>&1; then
	sqlite3 mem.db 'UPDATE chunk SET length = length - 1 WHERE no = 1'
	check_status 'a chunk that is another is damage' 74 mem-check --rebuild
	check 'the message of a stale record is told' \
		grep -Eq 'message [0-9A-Z]+ of default is cut otherwise' "$out"
	mem-check -q --repair >/dev/null
	check_out 'what is cut otherwise is made anew by --repair' '' sh -c \
		'mem-check --rebuild | jq -r ".message" | grep "cut otherwise"; true'
else
	skip 'a chunk that is another' 'no sqlite3'
fi
check_err 'a comparison repairs and rebuilds nothing' 64 'only compares' \
	mem-check --rebuild --repair
done_testing
