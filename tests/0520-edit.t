#!/bin/sh
# mem-edit: fields, retraction, restoration, steps, the way back; bad input.
. "${0%/*}/lib.sh"
unset MEM_SEED
export MEM_MODELS="$top/none"

check_err 'an edit where there is no store fails' 66 '' \
	mem-edit --bank Work 01HF7YAT00AR8ZTGRP18V2BRNY
check_out 'no store: no steps' '' mem-edit --steps
mem-remember --fact 'Ann keeps bees' >v1
mem-remember --fact 'Bob keeps goats' >v2
mem-remember 'a note' >v3
a=$(jq -r .id v1) b=$(jq -r .id v2) n=$(jq -r .id v3)
state() { mem-list facts --all; mem-list reflections --all; }
state >s0

check_like 'a bank is set, whatever its case' '"bank":"Work"' mem-edit --bank work "$a"
check_like 'all other fields can be set at once' \
	'"key":"live_stock".*"category":"skills".*"subcategory":"bees".*"kind":"entity","importance":0.25,"confidence":0.75,"valid_from":"2024-01-01T00:00:00Z","valid_to":"2024-02-01T00:00:00Z".*"tags":\["x","y"\],"protected":true' \
	mem-edit --key 'Live Stock' --category skills --subcategory bees --kind entity \
		--importance .25 --confidence .75 --valid-from 2024-01-01 --valid-to 2024-02-01 \
		-t x -t y --protect "$a"
check_like 'a field that was set can be cleared' \
	'"content":"Ann keeps bees","bank":"Work","category":"skills","kind":"entity","importance":0.25,"confidence":0.75,"stored"' \
	mem-edit --key '' --subcategory '' --valid-from none --valid-to none -t '' --unprotect "$a"
check_like 'other words, by the first letters of an id' '"content":"Ann keeps wasps"' mem-edit \
	--content 'Ann keeps wasps' "$(echo "$a" | cut -c1-26)"
check_like 'a fact that was edited is shown with its former words' 'said before: Ann keeps bees' \
	sh -c 'mem-show --format text "$1" | grep said' sh "$a"
check_out 'former words are shown where they were others' 1 \
	sh -c 'mem-show --format text "$1" | grep -c said' sh "$a"
check_out 'two records are edited in one run' '2' \
	sh -c 'mem-edit --bank Health "$1" "$2" | wc -l' sh "$a" "$b"
check_out 'each run makes one step of its own' 'store store store edit edit edit edit edit' \
	sh -c 'mem-edit --steps |
	jq -r .did | tr "\n" " " | sed "s/ $/\\n/"'
check_out 'those of one record' '2 8' sh -c 'mem-edit --steps "$1" | jq -r .step | tr "\n" " " |
	sed "s/ $/\\n/"' sh "$b"
check 'a fact can be retracted by hand' mem-edit --retract "$b"
check_out 'a retracted fact is no longer listed' 'Ann keeps wasps' \
	sh -c 'mem-list facts | jq -r .content'
check_like 'a retracted fact is kept with its time' '"retracted":"2024-05-20T12:00:00Z"' \
	mem-list facts --all
check 'a retracted fact can be restored' mem-edit --restore "$b"
check_out 'a restored fact is listed like others' 2 sh -c 'mem-list facts | wc -l'
check_like 'tags of a note can be set' '"tags":\["t"\]' mem-edit -t t "$n"

# ---- the way back ----

check_out 'the last step is taken back by --undo' "restored $n" \
	sh -c 'mem-edit --undo | jq -r "[.did, .id] | join(\" \")"'
check_err 'one that was taken back' 65 'taken back already' mem-edit --undo 11
check_err 'one on which others stand' 65 'a later step stands on this one' mem-edit --undo 1
check_err 'one that took back' 65 'took another one back' mem-edit --undo 12
check_out 'one in the middle that nothing stands on' 'restored' sh -c 'mem-edit --undo 10 9 |
	jq -r .did | sort -u'
check 'five more steps are taken back' \
	sh -c 'for i in 1 2 3 4 5; do mem-edit --undo || exit 1; done'
check 'all is as it was' sh -c 'mem-list facts --all; mem-list reflections --all' && {
	cp "$out" now; check 'all is as it was, byte for byte' cmp s0 now; }
check_out 'the way back of storing' "removed $n" sh -c 'mem-edit --undo |
	jq -r "[.did, .id] | join(\" \")"'
check_out 'secrets go from other words, too' 'the key is [REDACTED:aws-key]' sh -c \
	'mem-edit --content " the key is AKIAIOSFODNN7EXAMPLF" "$1" | jq -r .content' sh "$a"
check_out 'unless they are to stay' 'the key is AKIAIOSFODNN7EXAMPLF' sh -c \
	'mem-edit --keep-secrets --content "the key is AKIAIOSFODNN7EXAMPLF" "$1" |
		jq -r .content' \
	sh "$a"
check_err 'nothing but what is private' 64 'nothing is left' mem-edit \
	--content '<private>x</private>' "$a"
mem-edit --undo >/dev/null
mem-edit --undo >/dev/null
check_out 'several: all or none' 'restored' sh -c 'mem-edit -q --bank Work "$1" >/dev/null &&
	mem-edit --undo 999 2>/dev/null; mem-edit --undo | jq -r .did' sh "$a"
check_status 'an edit of several changes all or none' 66 \
	sh -c 'mem-edit -q --bank Work "$1" >/dev/null;
	s=$(mem-edit --steps | tail -n 1 | jq -r .step); mem-edit --undo $s 999' sh "$a"
check_out 'none was changed where one was missing' Work \
	sh -c 'mem-list facts | head -n 1 | jq -r .bank'
check_out 'two steps of one fact are told once' 1 sh -c '
	id=$(mem-remember --fact "The rope is of hemp" | jq -r .id)
	mem-edit -q --importance .3 "$id" && mem-edit -q --importance .4 "$id"
	mem-edit --undo $(mem-edit --steps | jq .step | sort -n | tail -n 2 | sort -rn) | wc -l'
check 'steps are taken back to the beginning' \
	sh -c 'while mem-edit -q --undo >/dev/null 2>last; do :; done;
	grep -q "no step to take back" last'
check_out 'nothing is left when all steps are taken back' '' \
	sh -c 'mem-list facts --all; mem-list reflections --all'
check 'the store is whole' mem-check --full -q

# ---- what ended others ----

mem-remember -q --key home 'I live in Porto' >/dev/null
mem-list facts >s1
mem-remember -q --key home 'I live in Lisbon' >/dev/null
check 'a step that was made is taken back' mem-edit --undo
check_out 'the older one holds again, as it was' "$(cat s1)" mem-list facts

# ---- bad input ----

a=$(jq -r .id s1)
check_like 'what stands behind an id are its other words' '"content":"Ann keeps bees and hens"' \
	mem-edit "$(echo "$a" | cut -c 22-)" Ann keeps 'bees and' hens
check 'which is taken back' mem-edit -q --undo
check_err "an id beside another record's id is no text" 64 'nothing to change' mem-edit "$a" "$b"
c=$(mem-remember --fact 'Cy keeps cats' | jq -r .id)
check_err 'an id beside the end of another is no text' 64 'nothing to change' \
	mem-edit "$a" "$(echo "$c" | cut -c 22-)"
mem-edit -q --undo >/dev/null
check_err 'an edit without a change is refused' 64 'nothing to change' mem-edit "$a"
check_err 'an edit without an id is refused' 64 'which record' mem-edit --bank Work
check_err 'an id that is none' 66 "no fact, summary or reflection 'nobody'" mem-edit --bank Work \
	nobody
check_err 'one of two: nothing is changed' 66 'no fact' mem-edit --bank Work "$a" nobody
check_out 'nothing was changed by what was refused' General sh -c 'mem-list facts | jq -r .bank'
check_err 'a bank that nobody knows is refused' 64 "unknown bank 'Nope'" mem-edit --bank Nope "$a"
check_err 'a category that nobody knows is refused' 64 'unknown category' mem-edit --category x "$a"
check_err 'a kind that nobody knows is refused' 64 'unknown kind' mem-edit --kind x "$a"
check_err 'a time that is none is refused' 64 'a time such as' mem-edit --valid-to soon "$a"
check_out 'a time in words' '2024-05-13T00:00:00Z' sh -c \
	'mem-edit --valid-from "last week" "$1" >t; jq -r .valid_from t; mem-edit -q --undo >t' - \
	"$a"
check_err 'an end before the beginning' 64 'would end before it begins' mem-edit \
	--valid-from 2024-05-01 --valid-to 2024-04-01 "$a"
check_err 'a content of nothing is refused' 64 'takes a text' mem-edit --content '' "$a"
check_err 'content that is no UTF-8' 64 '--content must be text in UTF-8' sh -c \
	'mem-edit --content "$(printf "a\377")" "$1"' sh "$a"
check_err 'protecting and unprotecting exclude each other' 64 'exclude each other' \
	mem-edit --protect --unprotect "$a"
check_err 'undoing and changing exclude each other' 64 'exclude each other' \
	mem-edit --undo --bank Work
check_err 'a step that is none' 64 'the number of a step' mem-edit --undo x
check_err 'a step that is not there' 66 'no step 999' mem-edit --undo 999
check_err 'records of another user cannot be edited' 66 'no fact' mem-edit -u eve --bank Work "$a"
mem-remember 'note' >v
check_out 'mem-remember -q prints no verdicts' '' mem-remember -q 'another note' --fact
check_out 'mem-edit -q prints no records' '' \
	sh -c 'mem-edit -q --tag quiet "$1" && mem-edit -q --undo &&
	mem-edit -q --undo' - "$(jq -r .id v)"
check_err 'a note has no bank' 64 'is no fact' mem-edit --bank Work "$(jq -r .id v)"

# ---- the standard input ----

fresh
mem-remember --fact 'Ann keeps bees' 'and wasps' >v1
mem-remember --fact 'Bob keeps goats' >v2
banks() { mem-list facts | jq -r .bank | paste -sd ' ' -; }
check 'records from a pipe are edited' sh -c 'mem-list facts | mem-edit -q --bank Work -'
check_out 'all records of the pipe were changed' 'Work Work' banks
check 'ids, one a line' sh -c '{ echo; jq -r .id v1; } | mem-edit -q --bank Health -'
check_out 'the record that was named was changed' 'Health Work' banks
check_err 'a line that is none: nothing is changed' 65 \
	"^mem-edit: stdin:2: a record without 'id'$" sh -c '{ cat v1; echo "{}"; } |
	mem-edit --bank General -'
check_err 'a pipe with a record that is not there is refused' 66 \
	"no fact, summary or reflection 'nobody'" sh -c \
	'{ cat v1; echo nobody; } | mem-edit --bank General -'
check_out 'records are as they were after a refusal' 'Health Work' banks
check_out 'a pipe without records changes nothing' '' sh -c 'mem-edit --bank General - </dev/null'

# ---- messages that are important ----

fresh
for i in 1 2 3; do jq -nc --arg i "$i" '{session: "s", source_id: "m\($i)", role: "user",
	time: "2024-02-0\($i)", content: "{the tide turns at \($i), says key sk-\($i)}"}'
done | mem-ingest -q - >/dev/null
mem-list messages >said
check 'a message is marked as important' mem-edit --important source:m2
cp "$out" note
check_out 'by a note of its words that rests on it' 'reflection {the tide turns at 2, says key sk-2} ["important"] true' \
	jq -r '"\(.type) \(.content) \(.tags) \(.protected)"' note
check_out 'the note of a mark rests on that message' \
	"$(jq -r 'select(.source_id == "m2").id' said)" jq -r '.sources[0].id' note
check_out 'a message marked again has the same note' "$(jq -r .id note)" sh -c \
	'mem-edit --important source:m2 | jq -r .id'
check_out 'records from a list are marked: two' 2 sh -c \
	'mem-list messages | jq -c "select(.source_id != \"m2\")" | mem-edit --important - | wc -l'
check_out 'listed by their tag' 3 sh -c 'mem-list reflections --tag important | wc -l'
check_out 'the messages are as they were' "$(cat said)" mem-list messages
check_out 'a mark is taken back by --undo' removed sh -c 'mem-edit --undo | jq -r .did'
check_out 'a mark that was taken back is no longer listed' 2 \
	sh -c 'mem-list reflections --tag important | wc -l'
check 'a mark is retracted' mem-edit --retract "$(jq -r .id note)"
check 'a mark that was taken back can be made anew' \
	sh -c 'mem-edit --important source:m2 | jq -e --arg id "$0" ".id != \$id"' \
	"$(jq -r .id note)"
check_err 'none of that id: none is marked' 66 "no message 'source:m9'" mem-edit --important \
	source:m1 source:m9
check_err 'a note is no message' 66 'no message' mem-edit --important "$(jq -r .id note)"
check_err 'a message of another user cannot be marked' 66 'no message' \
	mem-edit -u eve --important source:m1
echo '{"session":"s","source_id":"m4","role":"user","content":"I live in Rome."}' | mem-ingest -q
check_out 'what reads as a fact is marked by a note' 'reflection' sh -c \
	'mem-edit --important source:m4 | jq -r .type'
check_err 'a mark goes with no other change' 64 'exclude each other' \
	mem-edit --important --bank Work source:m1

# ---- for people: what a step was about ----

fresh
mem-remember -q 'The kiln is in the shed'
mem-remember -q 'The clay is in the cellar'
check_like 'a step tells its time here' '^ *1  2024-05-20 14:00  store' env TZ=CEST-2 \
	mem-edit --steps --format text
check_like 'undoing shows the words that it was about' '^ *[0-9A-Z]{26}  The kiln is in the shed$' \
	cat "$out"
check_like 'taking one back tells what goes' \
	'^ *[0-9A-Z]{26}  removed   The clay is in the cellar$' \
	mem-edit --undo --format text
check_like 'undoing shows the words of what is gone, too' \
	'^ *[0-9A-Z]{26}  The clay is in the cellar$' mem-edit --steps --format text

# ---- one person of several names ----

export MEM_DB="$PWD/people.db"
printf '%s\n' '{"session":"a","name":"Kasia","content":"The blue door is open."}' \
	'{"session":"b","name":"K. Nowak","content":"The red door is open."}' \
	'{"session":"b","name":"Katarzyna Nowak","content":"The green door is open."}' \
	'{"session":"b","name":"Tom","content":"No door is open. The door, what a door."}' |
	mem-ingest -q --from=ndjson
doors() { # PROGRAM ...: which doors are told of
	"$@" -j | jq -r .content | sed -n 's/The \([a-z]*\) door.*/\1/p' | sort | paste -sd ' '
}
check_err 'nobody is joined who is not there' 66 "nobody is called exactly 'Kasja'" \
	mem-edit --same-person Kasja 'Katarzyna Nowak'
check_err 'one name is joined to nothing' 64 'takes two names or more' mem-edit --same-person Tom
check 'two names are joined, and one of them with a third' sh -c \
	'mem-edit -q --same-person Kasia "K. Nowak" &&
		mem-edit -q --same-person "K. Nowak" "Katarzyna Nowak"'
check_out 'each of them finds what was said under all' 'blue green red' \
	doors mem-list messages --name Kasia
check_out 'so does a question that has a name' 'blue green red' \
	doors mem-search -n 3 'what did Kasia say of doors?'
check_out 'a search by one finds it, too' 'blue green red' \
	doors mem-search --name 'Katarzyna Nowak' 'which door?'
check_out 'nobody else is meant' 1 sh -c 'mem-list messages --name Tom -j | wc -l'
people() { mem-list people -j "$@" | jq -r '"\(.name) \(.messages)"' | sort; }
check_out 'they are one among people, by the last name' 'Katarzyna Nowak 3
Tom 1' people
check_out 'another store is told so' 'Katarzyna Nowak 3
Tom 1' sh -c 'mem-export | mem-import -q -d other.db
	mem-list -d other.db people -j | jq -r "\"\(.name) \(.messages)\"" | sort'
check_err 'who is forgotten by one name has the others still, which is told' 0 \
	"'Kasia' is also 'Katarzyna Nowak', which stays" mem-forget --name Kasia
check_out 'a joining is taken back' 'K. Nowak 2
Katarzyna Nowak 1
Tom 1' sh -c 'mem-edit -q --undo && mem-list people -j | jq -r "\"\(.name) \(.messages)\"" | sort'
check_out 'then a name finds no more than before' 'blue red' doors mem-list messages --name Kasia
done_testing
