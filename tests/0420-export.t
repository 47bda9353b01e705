#!/bin/sh
# mem-export and mem-import: what goes out comes in as it was, byte for byte, and beside what is
# there; a part of it; faults.
. "${0%/*}/lib.sh"
. "$ROOT/tests/rich.sh"
command -v sqlite3 >/dev/null 2>&1 || skip_all 'no sqlite3 to make a rich store with'

# round FROM TO [OPTION ...]: the export of FROM, imported into TO and exported again, is the same.
round() {
	from=$1 to=$2
	shift 2
	mem-export --profile "$@" -d "$from" >"$from.out" &&
		mem-import -q "$@" -d "$to" "$from.out" &&
		mem-export --profile "$@" -d "$to" >"$to.out" && cmp "$from.out" "$to.out" &&
		mem-check -q --deep -d "$to"
}
count() { grep -c "^{\"type\":\"$1\"" "${2:-mem.db.out}"; }

# ---- all kinds of record ----

rich_store mem.db
check 'a store with rows in every table comes out of another one the same' round mem.db b.db
for type in export consent profile session message step fact reflection summary access category \
	member tombstone exported; do
	check "a record of each kind is in an export: $type" count $type
done
mem-list messages -j | sed 's/"turn":[0-9]*,//' | sort >was
mem-list messages -j -d b.db | sed 's/"turn":[0-9]*,//' | sort >is
check 'messages come out of another store as they were' cmp was is
mem-list facts --all -j | sort >was
check_out 'facts come out of another store as they were' "$(sort was)" \
	sh -c 'mem-list facts --all -j -d b.db | sort'
mem-edit --steps -j >was
check_out 'steps come out of another store as they were' "$(cat was)" mem-edit --steps -j -d b.db
mem-search --no-touch -j -n 100 --strategy=lexical lighthouse |
	sed 's/.*"id":"\([^"]*\)".*/\1/' >was
check 'a search finds messages before they are exported' test -s was
check_out 'a search of the other store finds the same messages' "$(sort was)" sh -c \
	'mem-search --no-touch -j -n 100 -d b.db --strategy=lexical lighthouse |
	sed "s/.*\"id\":\"\([^\"]*\)\".*/\1/" | sort'
check_out 'an export that is imported twice adds nothing' \
	"{\"type\":\"imported\",\"stored\":0,\"same\":$(($(wc -l <mem.db.out) - 2)),\"different\":0,\"forgotten\":0,\"bad\":0,\"messages\":0,\"changes\":0,\"removed\":0}" \
	mem-import -d b.db mem.db.out
mem-export --profile -d b.db >b2.out
check 'an export that is imported twice changes nothing' cmp mem.db.out b2.out
check_out 'a profile stays where it is' 0 sh -c 'mem-export | grep -c "\"type\":\"profile\"" || :'
MEM_CHUNKS=no mem-import -q -d n.db mem.db.out
check_like 'with the setting chunks at no an import cuts no message' 'cut [1-9][0-9]* messages' \
	sh -c 'mem-ingest --backfill-chunks -v -d n.db 2>&1'
check 'a transcript that was read there adds nothing here' sh -c \
	'[ "$(mem-ingest --from=ndjson -d b.db rich.ndjson | wc -l)" = 0 ]'

# ---- vectors ----

vectors() { mem-export --profile --vectors -d "$1"; }
vectors mem.db >v.out
check_out 'with --vectors the model is named' tiny sh -c \
	'jq -r "select(.type == \"vector_set\").model" v.out'
check_out 'a record has as many vectors as parts' "$(sqlite3 mem.db \
	'SELECT slots - dead - (SELECT count(*) FROM profile) FROM vector_user')" sh -c \
	'jq -r "select(.type == \"vectors\").parts[]" v.out | wc -l'
check_out 'vectors of every kind of record are exported' 'fact message reflection summary' sh -c \
	'jq -r "select(.type == \"vectors\").kind" v.out | sort -u | paste -sd " "'
check_out 'all but its vectors is exported as without --vectors' '' sh -c \
	'grep -v "^{\"type\":\"vector" v.out | sed "\$d" >w; sed "\$d" mem.db.out | cmp - w'
mem-import -q -d v.db v.out
vectors v.db >v2.out
check 'vectors come in as they were' cmp v.out v2.out
check 'the store is whole with vectors of an export' mem-check -q --deep -d v.db
# a removal in the midst of a batch finds the pages of vectors that the batch has begun
seq 400 | sed 's/.*/{"role":"user","session":"tide","content":"the tide is & metres high"}/' |
	mem-ingest -q -d undone.db --from=ndjson
mem-remember -q -d undone.db 'I live in Lisbon' && mem-edit -q -d undone.db --undo
mem-embed -q -d undone.db
vectors undone.db >undone.out
for n in 500 700; do
	MEM_BATCH=$n mem-import -q -d "redone$n.db" undone.out
	vectors "redone$n.db" >redone.out
	check "an export with vectors and an undone fact comes in by batches of $n" \
		cmp undone.out redone.out
	check "the store is whole when it came in by batches of $n" \
		mem-check -q --deep -d "redone$n.db"
done
check_out 'a search uses the vectors of an export' \
	"$(mem-search --no-touch -j -n 3 lighthouse | jq -r .sim)" sh -c \
	'mem-search --no-touch -j -n 3 -d v.db lighthouse | jq -r .sim'
mem-import -q -d late.db mem.db.out
check_out 'vectors can come later than their records' "$(grep -c '^{"type":"vector' v.out)" sh -c \
	'mem-import -d late.db v.out | jq .stored'
vectors late.db >v2.out
check 'vectors that came later are the same' cmp v.out v2.out
check_out 'vectors that came later come once' 0 sh -c 'mem-import -d late.db v.out | jq .stored'
m=$(jq -r 'select(.type == "vectors" and .kind == "message").id' v.out | sed -n 2p)
grep -v '^{"type":"exported"' v.out >v.cut
# change FILTER: v.cut with what the filter makes of the vectors of that message.
change() { jq -c "if .id == \"$m\" and .type == \"vectors\" then $1 else . end" v.cut; }
change ".of = \"$(printf %064d 0)\"" >v.of
check_err 'vectors of another text are left out' 65 'v.of:[0-9]*: something else is stored' \
	mem-import --part -d of.db v.of
check_out 'vectors beside those of another text are stored' $(($(count vectors v.out) - 1)) sh -c \
	'mem-export --vectors -d of.db | grep -c "^{\"type\":\"vectors\""'
sed '/vector_set/d' v.cut >v.no
check_err 'vectors without their model before them are refused' 65 \
	'the model of the vectors is not before them' mem-import --part -d no.db v.no
change '.parts += .parts' >v.two
check_err 'vectors of a text that is cut otherwise are refused' 65 \
	'cut otherwise here: mem-embed makes' mem-import --part -d two.db v.two
change '.parts = ["AAAA"]' >v.bad
check_err 'vectors of another length are refused' 65 'no vectors of .tiny.' \
	mem-import --part -d bad.db v.bad
change '.parts = ["?"]' >v.bad
check_err 'vectors that are no base64 are refused' 65 '"parts" is not bytes in base64' \
	mem-import --part -d bad.db v.bad
check 'stores are whole after vectors that were refused' \
	sh -c 'for s in of no two bad; do mem-check -q --deep -d $s.db; done'
mem-import -q -d f.db v.out
mem-forget -qf -d f.db "$m"
check_out 'vectors of what was forgotten stay away' '' sh -c \
	'mem-import -q -d f.db v.out; mem-export --vectors -d f.db | grep "$1" || :' sh "$m"
check 'vectors of what was forgotten leave no byte' mem-check -q --deep -d f.db
check_out 'a session is exported with its vectors' 'message vectors' \
	sh -c 'mem-export --vectors -s s |
	jq -r .type | grep -E "^(message|vectors)$" | sort -u | paste -sd " "'
check_err '--vectors is refused beside --redact' 64 'not with --redact' \
	mem-export --vectors --redact
check_err '--vectors is refused in a form to be read' 64 'is of ndjson' \
	mem-export --vectors --format markdown

# ---- the ways in and out ----

check 'a packed export is read as it is' \
	sh -c 'gzip -c mem.db.out >x.gz && mem-import -q -d gz.db x.gz &&
	mem-export --profile -d gz.db | cmp - mem.db.out'
check 'an export goes through a pipe into another store' \
	sh -c 'mem-export | mem-import -q -d pipe.db'
check 'several files make one store of all their messages' \
	sh -c 'mem-export -s s >1; mem-export -s t >2; mem-import -q -d two.db 1 2 &&
	[ "$(mem-list -j -d two.db | wc -l)" = "$(mem-list -j | wc -l)" ]'

# ---- 200 changes of facts, a third of them taken back ----

fresh
unset MEM_SEED
MEM_DB="$PWD/mem.db" "$B/tests/torture/facts" 12 >facts
ids=$(cut -d' ' -f1 facts)
i=0
: >wrong
while [ $i -lt 20 ]; do
	for id in $(echo "$ids" | head -n 10); do
		i=$((i + 1))
		case $((i % 5)) in
		0 | 3) mem-edit --undo ;;
		1) mem-edit --importance .$((i % 9 + 1)) "$id" ;;
		2) mem-edit --bank Health "$id" ;;
		4) mem-edit --retract "$id" ;;
		esac >/dev/null 2>>wrong
	done
done
i=0
while [ $i -lt 180 ]; do
	id=$(echo "$ids" | sed -n "$((i % 12 + 1))p")
	i=$((i + 1))
	case $((i % 3)) in
	0) mem-edit --undo ;;
	1) mem-edit --importance .$((i % 9 + 1)) "$id" ;;
	2) mem-edit --tag "t$i" "$id" ;;
	esac >/dev/null 2>>wrong
done
check '200 edits and undos come out the same' round mem.db b.db
check '200 edits and undos leave 150 steps or more' test "$(count step)" -ge 150
check 'some of 200 edits and undos took others back' grep -q '"undoes":' mem.db.out
id=$(echo "$ids" | head -n 1)
mem-show -j "$id" >was
check_out 'a fact has its history in the copy' "$(cat was)" mem-show -j -d b.db "$id"
check 'the last step is taken back in the copy, too' sh -c \
	'mem-edit --undo -d b.db >/dev/null && mem-edit --undo >/dev/null'
mem-export | grep -v '"type":"export' | grep -v '"did":"undo"' | sed 's/,"by_step":.*//' >was
mem-export -d b.db | grep -v '"type":"export' | grep -v '"did":"undo"' |
	sed 's/,"by_step":.*//' >is
check 'the last step taken back ends alike in the copy' cmp was is
check_out '--now exports facts without their history' 12 \
	sh -c 'mem-export --now | grep -c "\"type\":\"fact\""'
check 'facts without their history are stored as one step' \
	sh -c 'mem-export --now | mem-import -q -d now.db &&
	[ "$(mem-edit --steps -j -d now.db | wc -l)" = 1 ] && mem-export --now | mem-import -q -d now.db &&
	[ "$(mem-edit --steps -j -d now.db | wc -l)" = 1 ]'

# ---- edits on both sides ----

fresh
unset MEM_SEED
export MEM_NOW=2024-05-20T12:00:00Z
mem-remember 'my favorite color is blue' >/dev/null
id=$(mem-list -j facts | sed 's/.*"id":"\([^"]*\)".*/\1/')
mem-export | mem-import -q -d b.db
MEM_NOW=2024-05-21 mem-edit --bank Health "$id" >/dev/null
MEM_NOW=2024-05-22 mem-edit --bank Work -d b.db "$id" >/dev/null
mem-export >a.out
mem-import -q -d b.db a.out
mem-export -d b.db >b.out
mem-import -q b.out
check_like 'of two edits the later stands' '"bank":"Work"' mem-list -j facts
check_like 'the earlier of two edits is in the history' '"bank":"Health"' mem-list -j facts \
	--known-at 2024-05-21T12:00:00Z
mem-export >a.out
check 'edits on both sides end in the same bytes' cmp a.out b.out
check 'the store is whole after edits on both sides' mem-check -q --deep

# ---- users ----

fresh
for u in ann bob cy; do
	echo '{"session":"s","id":"1","content":"words of '$u'"}' |
		mem-ingest -q --from=ndjson -u $u
	mem-remember -q -u $u "my favorite color is $u" >/dev/null
done
check 'three users come out of another store the same' round mem.db b.db --multi-user
check_out 'each user of an export has what is theirs' 'words of bob' sh -c \
	'mem-list -j -u bob -d b.db | sed "s/.*\"content\":\"\([^\"]*\)\".*/\1/"'
check 'one of three users is exported alone' \
	sh -c 'mem-export -u bob | mem-import -q -u bob -d bob.db &&
	mem-export -u bob | cmp - bob.out || mem-export -u bob -d bob.db >bob.out &&
	mem-export -u bob | cmp - bob.out'
check_err 'another user is told once' 65 "stdin:2: a record of user 'bob', not 'default'" sh -c \
	'mem-export -u bob | mem-import -d none.db'
check_out 'another user in an export is told once only' 1 sh -c "grep -c 'of user' $err"
check_out 'nothing of another user in an export is stored' '' mem-list -j -d none.db
mem-export -u bob | sed 's/"user":"bob"/"user":"cy"/' >stolen
check_err "an id of another user's record is told" 65 'is of another user here|under its id' \
	mem-import -u cy --part stolen

# ---- gaps, parts and the two stores of one person ----

fresh
seq 300 | sed 's/.*/{"session":"s","source_id":"&","role":"user","time":"2024-05-01T10:00:00Z","content":"line &"}/' |
	mem-ingest -q --from=ndjson
mem-list -j | sed -n 's/.*"id":"\([^"]*\)".*/\1/p' >ids
check 'three turns of a session are forgotten' \
	mem-forget -q -f "$(sed -n 1p ids)" "$(sed -n 77p ids)" "$(sed -n 300p ids)"
check 'gaps between turns stay gaps in another store' round mem.db b.db
seq 300 | sed 's/.*/{"session":"s","source_id":"&","role":"user","time":"2024-05-01T10:00:00Z","content":"line &"}/' |
	mem-ingest -q --from=ndjson -d all.db
mem-export -d all.db >all.out
check_out 'what a tombstone names is refused' 3 sh -c 'mem-import -d b.db all.out |
	sed "s/.*\"forgotten\":\([0-9]*\).*/\1/"'
check_out 'what a tombstone names comes with --allow' 3 sh -c 'mem-import --allow -d b.db all.out |
	sed "s/.*\"stored\":\([0-9]*\).*/\1/"'
check 'the store is whole after --allow' mem-check -q --deep -d b.db

fresh
unset MEM_SEED
id=$(mem-remember -j 'my favorite color is blue' | sed 's/.*"id":"\([^"]*\)".*/\1/')
mem-remember -q 'my dog is called Rex' >/dev/null
mem-edit --importance .9 "$id" >/dev/null
mem-export >old
mem-forget -q -f "$id"
mem-export >new
check_out 'a fact that was forgotten stays away' 2 sh -c 'mem-import old |
	sed "s/.*\"forgotten\":\([0-9]*\).*/\1/"'
mem-export >is
check 'a fact that was forgotten leaves no trace by an import' cmp new is
check_out 'a tombstone keeps a fact from another store' '' sh -c 'mem-import -q -d o.db new &&
	mem-import -q -d o.db old; mem-list facts --all -j -d o.db | grep blue || :'
check '--allow brings back a fact that was forgotten' \
	sh -c 'mem-import --allow -q old && mem-list facts -j | grep -q blue'
export MEM_SEED=1

fresh
for d in a b; do
	seq 40 | sed 's/.*/{"session":"both","source_id":"'$d'&","content":"'$d' &"}/' |
		MEM_SEED=$(($(printf %d "'$d"))) mem-ingest -q --from=ndjson -d $d.db
done
mem-export -d a.db | mem-import -q -d b.db
mem-export -d b.db >b.out
mem-import -q -d a.db b.out
mem-export -d a.db >a.out
check 'two stores that added to one session have the same then' cmp a.out b.out
check_out 'two stores that added to one session have all of it' 80 \
	sh -c 'mem-list -j -s both -d a.db | wc -l'
check 'a third store has the same of the session, too' round a.db c.db

rm -f torn.db*
mem-remember -q -d c.db 'a note' >/dev/null
mem-check -q --checkpoint -d c.db && cp c.db torn.db
sqlite3 torn.db 'DELETE FROM step_id; UPDATE message_turn SET row = row + 1000'
check_status 'a store without names of steps is found to be damaged' 74 mem-check -d torn.db
check_like 'a step that has lost its name is found' 'names? without a step' cat "$out"
check_like 'a noted turn of a message that is not there is found' \
	'noted turns of messages that are not there' cat "$out"

# ---- a part ----

fresh
{
	echo '{"session":"x","id":"1","project":"shop","content":"the till"}'
	echo '{"session":"y","id":"2","project":"garden","content":"the pond"}'
	echo '{"session":"z","id":"3","time":"2024-05-02","name":"eve","content":"late"}'
} | mem-ingest -q --from=ndjson
mem-remember -q -p shop 'the till is at the door' >/dev/null
mem-remember -q -p garden 'the pond has fish' >/dev/null
check_out 'an export of a project has what belongs to it' \
	'export session message step reflection exported' sh -c \
	'mem-export -p shop | sed "s/{\"type\":\"\([a-z]*\)\".*/\1/" | xargs'
check_out 'an export of a project has nothing of another' '' \
	sh -c 'mem-export -p shop | grep pond || :'
check_out 'an export until a day has what was said by then' late \
	sh -c 'mem-export --until 2024-05-02 |
	sed -n "s/.*\"content\":\"\([^\"]*\)\".*/\1/p"'
check_out 'an export of a speaker has what they said' 1 \
	sh -c 'mem-export --name eve | grep -c content'
check_out 'an export of a project that is not there is empty' 2 sh -c 'mem-export -p nobody | wc -l'
printf '%s\n' '{"session":"k","id":"1","content":"key ghp_16C7e42F292c6912E7710c838347Ae178B4a end"}' |
	mem-ingest -q --from=ndjson --keep-secrets -d k.db
check_like 'a secret that was stored is exported' 'ghp_16' mem-export -d k.db
check_out '--redact leaves secrets out of an export' '' \
	sh -c 'mem-export --redact -d k.db | grep ghp_16 || :'
check 'an export with --redact can be imported' \
	sh -c 'mem-export --redact -d k.db | mem-import -q -d k2.db'

# ---- to be read ----

fresh
printf '%s\n' '{"type":"session","id":"x","title":"A <b>bold</b> title"}' \
	'{"session":"x","id":"1","name":"ann","time":"2024-05-01T10:00:00Z","content":"# no heading\n<i>x</i>\n```\na < b\n```\nend"}' \
	'{"session":"y","id":"2","role":"assistant","content":"open\n```\ncode","tool_calls":[{"a":1}]}' |
	mem-ingest -q --from=ndjson
mem-remember 'my favorite color is blue' >/dev/null
cat >want <<'EOT'
# A \<b\>bold\</b\> title

Session x, from 2024-05-01T10:00:00Z to 2024-05-01T10:00:00Z

**ann**, 2024-05-01T10:00:00Z

> # no heading
> \<i>x\</i>
> ```
> a < b
> ```
> end

EOT
check_out 'a session is exported as Markdown' "$(cat want)" sh -c \
	'mem-export --format markdown -s x | sed "\$d"'
printf '%s\n' '{"session":"t","id":"3","role":"assistant","content":"","tool_calls":[{"id":"1","function":{"name":"Bash","arguments":"{\"command\":\"make check\"}"}}]}' |
	mem-ingest -q --from=ndjson
check_out 'a call of a tool is told by what it did' '> ``` > $ make check > ```' \
	sh -c 'mem-export --format markdown -s t | grep "^>" | xargs -d "\n"'
check_out 'a block of code that is left open ends with its message' \
	'> open > ``` > code > ``` > > ``` > called a tool > ```' \
	sh -c 'mem-export --format markdown -s y | grep "^>" | xargs -d "\n"'
printf '%s\n' '{"type":"session","id":"z\u202e","title":"t\u009b31m\u2066 e\u001b[1mnd"}' \
	'{"session":"z\u202e","id":"1","name":"\u202eann\u200b","content":"a\u009b2J \u202eb\u2069\n```\n\u009b\u2066c"}' |
	mem-ingest -q --from=ndjson -d odd.db
mem-remember -q -d odd.db --fact "$(printf 'Ann lives \342\200\256in Rome\302\233')"
check_out 'nothing drives the terminal that it is read on, or turns the text around' \
	'# t31m e \[1mnd  Session z  **ann**  > a2J b > ``` > c > ``` ' sh -c \
	'mem-export --format markdown -d odd.db -s "$(mem-list sessions -j -d odd.db | jq -r .session)" |
		xargs -d "\n"'
check_like 'a fact in Markdown drives no terminal' '[*] Ann lives in Rome(,|$)' \
	mem-export --format markdown -d odd.db
check_like 'facts are exported as Markdown, too' '^- \*\*[A-Z][a-z]*\*\* .*blue' \
	mem-export --format markdown
check_err 'an export in an unknown format is refused' 64 \
	"unknown format 'html': ndjson, markdown or pam" mem-export --format html

# ---- for other memories ----

rich_store pam.db
mem-remember -q -d pam.db --keep-secrets 'the key is ghp_16C7e42F292c6912E7710c838347Ae178B4a'
printf '%s\n' '  ΟΔΟΣ  Σ ΤΗΣ ΠΟΛΗΣ ÅÉ ﬀ İstanbul\u00a0 Ǆ 가각 q\u0307\u0323 Ω ' \
	'İ Ä A\u0308 a\u0323\u0307 \u1100\u1161\u11a8' |
	jq -R '"\"\(.)\"" | fromjson' | while read -r text; do
		printf '{"type":"fact","content":%s}\n' "$text"; done | mem-remember -q -d pam.db
check 'a memory is exported as Portable AI Memory' mem-export --format pam --profile -d pam.db
cp "$out" pam.json
check_out 'Portable AI Memory has a record for each fact, note, summary and field' "$(
	{ mem-list facts --all -j -d pam.db; mem-list reflections --all -j -d pam.db
		mem-list summaries --all -j -d pam.db; mem-profile -j show -d pam.db |
		jq -c 'select(.type == "profile")'; } | wc -l | tr -d ' ')" \
	jq '.memories | length' pam.json
check_out 'Portable AI Memory hashes content in small letters, composed, with single blanks' \
	'sha256:c4c41a674073abf384b9388a4a1d843cb285f67926d4b7bb88600cbf3c09f7f3
sha256:5f5c15d5f966c750d728945f193a45d181b6a65b79f4770bfbd60171d52e60c7' jq -r '.memories[] | select(.content | test("ΟΔΟΣ|^İ Ä")) | .content_hash' pam.json
check 'Portable AI Memory has every session that it names' \
	jq -e '[.conversations_index[].id] as $c |
	all(.memories[].provenance.conversation_ref | values; IN($c[]))' pam.json
check_out 'Portable AI Memory has no secrets with --redact' '' sh -c \
	'mem-export --format pam --redact -d pam.db | grep ghp_16 || :'
check_out 'Portable AI Memory of another user has nothing' '[]' sh -c \
	'mem-export --format pam -u nobody -d pam.db | jq -c .memories'
if python3 -c 'import portable_ai_memory' 2>"$top/none"; then
	check 'the validator of Portable AI Memory takes an export' python3 -c '
import sys
from portable_ai_memory.core.io import load_memory_store
from portable_ai_memory.core.validator import validate
r = validate(load_memory_store("pam.json"))
print(r)
sys.exit(0 if r.is_valid and not r.warnings else 1)'
else
	skip 'the validator of Portable AI Memory takes an export' \
		'python3 has no portable-ai-memory from PyPI'
fi

# ---- each field wrong once ----

# TYPE@CHANGE@WHAT IS TOLD: a line of each type that there is, changed so that it cannot be.
mem-export --vectors --profile -d pam.db >kept
{ cat kept; mem-export --new-for - -d pam.db | head -n 1; } >all
grep -v '^#' >wrong.want <<'END'
message@.id = 7@"id" is not a string
message@.id = "x"@"id" is not an id
message@del(.id)@no "id"
message@.time = "soon"@"time" is not a time
message@.trust = 4@"trust" is not a number that it may be
message@.trust = "3"@"trust" is not a number that it may be
message@.origin = "moon"@unknown origin 'moon'
message@.role = "king"@unknown role 'king'
message@.sha256 = "50e2"@"sha256" is not so many hexadecimal digits
message@.sha256 |= gsub("^.";"g")@"sha256" is not hexadecimal digits
message@.agent = ("a" * 3000)@"agent" is over [0-9]* bytes
message@.place_hash = "5"@"place_hash" is not so many hexadecimal digits
message@.tool_call_id = 5@"tool_call_id" is not a string
session@.metadata = []@"metadata" is not an object
session@.told = "never"@"told" is not a time
step@.did = "sing"@unknown did 'sing'
step@.undoes = "x"@"undoes" is not an id
fact@.importance = 2@"importance" is not a number from 0 to 1
fact@.importance = "much"@"importance" is not a number from 0 to 1
fact@del(.confidence)@"confidence" is not a number from 0 to 1
fact@.tags = "a"@"tags" is not an array
fact@.sources = {}@"sources" is not an array
fact@.sources = [range(5000)]@"sources" is not an array, or has too many
fact@.sources = [{}]@a source without an id or with no span
fact@.sources = [{"id": "a", "start": -1}]@a source without an id or with no span
fact@.by_step = "x"@"by_step" is not an id
fact@.superseded_by = 1@"superseded_by" is not a string
fact@.kind = "rumour"@unknown kind 'rumour'
fact@.by_step = "01HYAXYWG0N93VZZZ063EW5NVJ"@the step that made it is not before it
summary@.kind = "song"@unknown kind 'song'
summary@.structured = "a"@"structured" is not an object
summary@.first = -1@"first" is not a number that it may be
reflection@.stored = "then"@"stored" is not a time
access@del(.accessed)@no "accessed"
access@.accesses = -1@"accesses" is not a number that it may be
category@.keywords = "a"@"keywords" is not an array
category@.root = "shed"@unknown root 'shed'
member@.category = 1@"category" is not a string
profile@.field = "shoes"@unknown field 'shoes'
consent@.consent = "yes"@"consent" is not true or false
consent@del(.consent)@"consent" is not true or false
vector_set@.model = 1@"model" is not a string
vector_set@.model = ("m" * 500)@"model" is not one that a model may have
vector_set@del(.dims)@"dims" is not one that a model may have
vector_set@.dims = 0@"dims" is not a number that it may be
vector_set@.unrelated = 1@"unrelated" is not a number from -1 to 1
vector_set@del(.unrelated)@"unrelated" is not a number from -1 to 1
vector_set@.unrelated = "0"@"unrelated" is not a number from -1 to 1
vector_set@.centre = 1@"centre" is not bytes in base64
vector_set@.centre = "?"@"centre" is not bytes in base64
vector_set@.centre = "AAAA"@"centre" is not of so many dimensions
vectors@.parts = []@"parts" is not an array of vectors
vectors@.parts = "AAAA"@"parts" is not an array of vectors
vectors@.parts = ["AAAA", "AAAAAAAA"]@"parts" is not vectors of one length
vectors@.parts = ["AAA?"]@"parts" is not bytes in base64
tombstone@.key = "f2"@"key" is not so many hexadecimal digits
tombstone@.user = 1@"user" is not a string
export@.mark = "x"@"mark" is not a mark
export@.has = 1@"has" is not a string
export@.since = -1@"since" is not a number that it may be
END
while IFS='@' read -r type change told; do
	grep "^{\"type\":\"$type\"" all | tail -n 1 | jq -c "$change"
done <wrong.want >wrong
check_status 'lines that cannot be are told by the status' 65 mem-import --part -d pam.db wrong
cp "$err" told
n=0
while IFS='@' read -r type change want; do
	n=$((n + 1))
	check "$type with $change is told with its line" grep -q "wrong:$n: .*$want" told
done <wrong.want
check_out 'lines that cannot be leave the store as it was' '' sh -c \
	'mem-export --vectors --profile -d pam.db | cmp - kept'

fresh
printf '%s\n' \
	'{"session":"one","time":"2024-01-01T10:00:00Z","role":"user","content":"I live in Rome."}' \
	'{"session":"two","time":"2024-02-01T10:00:00Z","role":"user","content":"Call the master."}' |
	mem-ingest -q --from=ndjson
jq -nc '{content: "I live in Rome.", key: "home", project: "P", agent: "A", session: "one",
		time: "2024-01-01T10:00:00Z", tags: ["city", "Two Words", "-x", "a_b-3", ""]},
	{content: "I live in Oslo.", key: "home", session: "one", time: "2024-03-01T10:00:00Z"},
	{content: "Call the master.", kind: "todo", session: "two"},
	{content: "I know Ada.", session: "none", tags: []}' | mem-remember -q
mem-edit --retract "$(mem-list facts -j | jq -r 'select(.content | test("master")) | .id')" >told
memories() { mem-export --format pam "$@" | jq -r "$memory"; }
memory='.memories | (map({(.id): .content}) | add) as $of | .[] |
	"\(.status) \(.type) \(.content) \($of[.temporal.superseded_by // ""] // "-")"'
check_out 'Portable AI Memory tells which fact ended another, and what was retracted' \
	'superseded fact I live in Rome. I live in Oslo.
active fact I live in Oslo. -
retracted goal Call the master. -
active custom I know Ada. -' memories
check_out 'a fact whose successor is not in the part is told as one that ended' \
	'active fact I live in Rome. -' memories -p P
memory='.memories[0] | [.tags, .metadata.agent, .metadata.project, .temporal.valid_until] | tojson'
check_out 'Portable AI Memory has the tags that its grammar takes, agent, project and end' \
	'[["city","a_b-3"],"A","P","2024-03-01T10:00:00Z"]' memories
memory='.conversations_index[] | "\(.id) \(.derived_memories | length)"'
check_out 'Portable AI Memory lists with each session what came of it' 'one 2
two 1' memories

# ---- faults ----

fresh
seq 30 | sed 's/.*/{"session":"s","source_id":"&","content":"line &"}/' |
	mem-ingest -q --from=ndjson
mem-export >all
check_err 'an export of a store that is not there is refused' 66 'nowhere.db' \
	mem-export -d nowhere.db
check_err 'an import of a file that is not there is refused' 66 'nowhere' mem-import -d x.db nowhere
check_err 'mem-export with an operand is refused' 64 "'x'" mem-export x
check_err 'nothing comes, as from a machine that is not there' 65 'stdin: it is empty' \
	mem-import -d x.db
head -n 20 all >cut
check_err 'an export that was cut after a line is told' 65 'cut: the export is cut off' \
	mem-import -d c.db cut
check_out 'what came before the cut is stored' 18 sh -c 'mem-list -j -d c.db | wc -l'
head -c 3000 all >cut
check_err 'an export that was cut in a line is told' 65 'cut:[0-9]+: invalid JSON' \
	mem-import -d c2.db cut
check 'a whole import goes on where a cut one ended' sh -c 'mem-import -q -d c2.db all &&
	mem-export -d c2.db | cmp - all'
sed 1s/1/9/ all >newer
check_err 'an export of a newer version is refused' 65 'newer: an export of version 9' \
	mem-import -d n.db newer
check_out 'nothing of an export of a newer version is stored' '' mem-list -j -d n.db
sed '7s/line/LINE/' all >changed
check_err 'a content that was changed on the way is told' 65 \
	'changed:7: the content is not what its sha256 says' mem-import -d ch.db changed
check_out 'lines beside the changed one are stored' 29 sh -c 'mem-list -j -d ch.db | wc -l'
sed -e '7s/"sha256":"[^"]*"/"sha256":"'"$(printf LINE | sha256sum | cut -d' ' -f1)"'"/' \
	-e '7s/"content":"[^"]*"/"content":"LINE"/' all >other
check_err 'another content under a known id is told' 65 \
	'other:7: something else is stored under its id' mem-import --part other
mem-export >again
check 'another content under a known id is not written over' cmp all again
sed '7s/"stored":"2/"stored":"1/' all >changed
check_err 'a line changed beside its content is told' 65 \
	'its 32 lines came, but not as they were exported: .* a good copy into a new store' \
	mem-import -d cs.db changed
sed 7d all >gone
check_err 'an export without one of its lines is told' 65 \
	'not all came as it was sent: 31 lines of 32' mem-import -d g.db gone
check '--part takes an export without one of its lines' mem-import -q --part -d g.db gone
echo '{"role":"user","content":"hi"}' >foreign
check_err 'JSON of something else is refused' 65 \
	'foreign:1: .*no record of a memory that is known' mem-import -d f.db foreign
echo '{"type":"hit","user":"default"}' >foreign
check_err 'a record of another sort is refused' 65 "foreign:1: a record of type 'hit'" \
	mem-import -d f.db foreign
echo '[1' >foreign
check_err 'a file that is no JSON is refused' 65 'foreign: it breaks off' mem-import -d f.db foreign
{ printf '{"type":"message","user":"default","content":"'; head -c 10000000 /dev/zero | tr '\0' x; echo '"}'; cat all; } >long
check_err 'a line of 10 MB that is no message' 65 'long:1: no "id"' mem-import -d l.db long
check_out 'lines behind one of 10 MB are stored' 30 sh -c 'mem-list -j -d l.db | wc -l'
check_err 'a line over the cap is told' 65 'long:1: the line is too long' \
	env MEM_LINE_BYTES=1000000 mem-import -d l2.db long
while read -r key; do
	sed "7s/$key/\"zz\":/" all >bad
	check_err "a message without $key" 65 'bad:7: ' mem-import --part -d bad.db bad
done <<'KEYS'
"id":
"user":
"session":
"role":
"origin":
"content":
"stored":
KEYS
check_err 'a full disk under an export is told' 74 'standard output|stdout|space' \
	sh -c 'mem-export >/dev/full'
check 'an export whose reader has gone ends without a fault' \
	sh -c 'mem-export | head -n 1 >/dev/null'
if [ -f "$B/tests/torture/fault.so" ] && [ -z "${MEM_TEST_WRAP-}" ] &&
	! grep -q fsanitize "$B/flags"; then
	check_err 'an import into a full disk is told' 74 'mem-import: ' \
		env FAULT_PATH="$PWD/full.db" \
		FAULT_AT=40 FAULT_MODE=full LD_PRELOAD="$B/tests/torture/fault.so" \
		mem-import -d full.db all
	check 'an import into a full disk goes on with space' \
		sh -c 'mem-import -q -d full.db all && mem-check -q --deep -d full.db &&
		mem-export -d full.db | cmp - all'
else
	skip 'an import into a full disk is told' 'no fault.so that could be loaded here'
fi

check_err '-u beside --multi-user is refused' 64 'one of -u and --multi-user' \
	mem-export -u ann --multi-user

# ---- a summary in Markdown ----

fresh
mem-ingest -q "$ROOT/tests/demo/conversation.ndjson"
mem-summarize -q -s kickoff >/dev/null
check_out 'a summary in Markdown has every line of its own' \
	"$(mem-list summaries | jq -r .content | grep -c .)" \
	sh -c 'mem-export --format markdown >md && sed "1,/^# Summaries/d" md | grep -c "^  "'
check_like 'a summary in Markdown stands below the title of its session' \
	'^- So, the harbour office .* \.\.\., said ' cat md
check_like 'a session without a title is headed as in a list' '^# So, the harbour .* \.\.\.$' cat md

# ---- what was said later of a decision ----

jq -nc '{session: "a", project: "shop", time: "2025-01-02T10:00:00Z",
		content: "We decided to use Mollie for payments."},
	{session: "b", project: "shop", time: "2025-02-02T10:00:00Z",
		content: "Mollie is out, its key is ghp_16C7e42F292c6912E7710c838347Ae178B4a"}' |
	mem-ingest -q --keep-secrets -d later.db -
mem-list -d later.db messages | mem-extract --rules -d later.db | mem-remember -q -d later.db
export MEM_DB=later.db
check_out 'with --now a decision has what was said later' 'Mollie is out' sh -c \
	'mem-export --now | jq -r "select(.type == \"fact\").said_later[].content[:13]"'
check_out 'its history has it not' null sh -c \
	'mem-export | jq -r "select(.type == \"fact\").said_later"'
check_out 'with --now a part of some sessions has no turn of others' null sh -c \
	'mem-export --now -s a | jq -r "select(.type == \"fact\").said_later"'
check 'it is stored again as it was' sh -c 'mem-export --now >one && mem-import -q -d l2.db one &&
	MEM_DB=l2.db mem-export --now >two && cmp one two'
check_like 'in Portable AI Memory it stands behind the decision' \
	'We decided to use Mollie for payments .said on 2025-02-02: Mollie is out, its key is ghp_' sh -c \
	'mem-export --format pam | jq -r ".memories[].content"'
check_like 'in Markdown it stands behind the decision, too' \
	'payments ..said on 2025-02-02: Mollie is out' mem-export --format markdown
check_out 'a secret in it is taken out like others' 0 sh -c \
	'{ mem-export --redact --now; mem-export --redact --format pam; mem-export --redact --format markdown; } |
	grep -c ghp_; :'
unset MEM_DB

done_testing
