#!/bin/sh
# mem-show: ids of every kind, records on stdin, neighbours, what is not there, layout.
. "${0%/*}/lib.sh"
unset MEM_SEED    # it would give two runs of mem-ingest the same ids

cat >in.ndjson <<'EOT'
{"session":"s","id":"m1","time":"2024-05-18T09:00:00Z","role":"user","name":"Mara","content":"first"}
{"session":"s","id":"m2","time":"2024-05-18T09:01:00Z","role":"assistant","content":"A long line of prose that has to be wrapped on a narrow terminal.\n\n```c\nif (x)\n\treturn a_very_long_name_that_is_not_to_be_wrapped(by, anybody, whatever, the, width);\n```"}
{"session":"s","id":"m3","time":"2024-05-18T09:02:00Z","role":"user","name":"Mara","content":"third"}
{"session":"s","id":"m4","role":"user","name":"Jonas","content":"fourth"}
{"session":"t","id":"m1","role":"user","content":"the same source id in another session"}
{"session":"t","id":"t2","role":"user","content":"t2"}
EOT
echo '{"session":"s","id":"canary","role":"user","content":"of another user"}' >other.ndjson

# shown NAME WANT FILTER CMD...: what jq makes of the records, on one line.
shown() {
	name=$1 want=$2 filter=$3
	shift 3
	run "$@"
	got=$(jq -r "$filter" "$out" | tr '\n' ' ')
	if ! status_is 0; then fail "$name" "$why" "$@"
	elif [ "${got% }" = "$want" ]; then pass "$name"
	else fail "$name" "got '${got% }', not '$want'" "$@"
	fi
}

check_err 'no store: nothing is there' 66 "^mem-show: no record 'source:m2'$" mem-show source:m2
check_out 'no store and no ids' '' mem-show

check 'messages of one user are stored' mem-ingest -q --from=ndjson in.ndjson
check 'messages of another user are stored' mem-ingest -q -u other --from=ndjson other.ndjson
mem-list >all
id() { jq -r --arg s "$1" 'select(.source_id == $s and .session == "s") | .id' all; }
m2=$(id m2) m3=$(id m3)

# ---- ids ----

shown 'by id' m2 .source_id mem-show "$m2"
shown 'an id in small letters' m2 .source_id mem-show "$(echo "$m2" | tr A-Z a-z)"
last() { echo "$1" | cut -c $((27 - $2))-; }
shown 'by its last characters' m2 .source_id mem-show "$(last "$m2" 5)"
shown '  in small letters' m2 .source_id mem-show "$(last "$m2" 4 | tr A-Z a-z)"
check_err 'three characters of an id are not enough' 66 'no record .* .of an id, .*' \
	mem-show "$(echo "$m2" | cut -c 1-3)"
check_err "the last characters of another user's id name nothing" 66 'no record' \
	mem-show -u other "$(last "$m2" 5)"
mem-list -d twins.db -j >/dev/null 2>&1
for n in 1 2; do
	echo "{\"id\":\"w$n\",\"session\":\"w\",\"content\":\"twin $n\"}" |
		MEM_SEED=3 MEM_NOW=2024-05-2${n}T12:00:00Z mem-ingest -q -d twins.db >/dev/null
done
mem-list -d twins.db -j | jq -r .id >twins
check_err 'what ends two ids is told with their words' 65 \
	"more than one id ends in '.{6}': $(sed -n 1p twins) .twin 1., $(sed -n 2p twins) .twin 2." \
	mem-show -d twins.db "$(last "$(sed -n 1p twins)" 6)"
check_out 'a list shows as much of an id as tells it apart' "$(sort -u twins | wc -l)" sh -c \
	'COLUMNS=120 mem-list -d twins.db --format text | awk "{ print \$2 }" |
		while read -r end; do mem-show -d twins.db -j $end; done | sort -u | wc -l'
shown 'by source id' m2 .source_id mem-show source:m2
shown 'several, in the order asked for' 'm3 m2 m3' .source_id mem-show source:m3 "$m2" source:m3
shown 'a chunk stands for its message' m2 .source_id mem-show "$m2.1"
shown 'a session' 's 4' '.id, .messages' mem-show s
check_out 'the record is that of mem-list' "$(sed -n 2p all)" mem-show source:m2
check_err 'a source id of two sessions' 65 'source:m1' mem-show source:m1
shown 'in one of the sessions' 't' .session mem-show -s t source:m1
shown 'in the other' 's' .session mem-show -s s source:m1
check_err 'in a session that does not have it' 66 'no record' mem-show -s t source:m2
check_err 'by id, in another session' 66 'no record' mem-show -s t "$m2"
check_err 'a prefix of all ids' 65 . mem-show "$(echo "$m2" | cut -c1-8)"
check_err 'a short prefix is none' 66 \
	"no record '.{7}' .of an id, at least the first 8 characters or the last 4 are needed.$" mem-show \
	"$(echo "$m2" | cut -c1-7)"
check_err 'an id that is not there is told' 66 "^mem-show: no record 'nothing'$" mem-show nothing
check_err 'records beside an unknown id are shown all the same' 66 "no record 'nothing'" \
	mem-show source:m2 nothing source:m3
cp "$out" saved
check_out 'the records beside an unknown id are the ones asked for' 'm2
m3' jq -r .source_id saved
check_err 'the first trouble counts' 65 . mem-show source:m1 nothing
check_err 'an id of a chunk that has no number' 66 'no record' mem-show "$m2.x"
check_err 'an empty id is told as unknown' 66 "no record ''" mem-show ''

# ---- stdin ----

check_out 'an empty input shows nothing' '' mem-show -
cases <<EOT
mem-show - >o; jq -r .source_id o
source:m2
m2

mem-show >o; jq -r .source_id o
	 $m3
m3

mem-show >o; jq -r .source_id o
{"type":"hit","rank":1,"id":"$m3","score":1}
m3

mem-show >o; jq -r .source_id o
{"type":"chunk","id":"x","message":"$m2"}
m2

mem-show >o; jq -r .source_id o
"$m2"
m2

mem-show source:m3 - source:t2 >o; jq -r .source_id o
$m2
m3
m2
t2
EOT
printf ' %s \r\n\n{"rank":1}\n{"id":\nsource:nothing\n{"id":"%s"}\n' "$m2" "$m3" >ids
check_err 'a record without an id' 65 "^mem-show: stdin:3: a record without 'id'$" sh -c \
	'exec mem-show <ids'
cp "$out" saved
check_out 'good lines beside bad ones are shown' 'm2
m3' jq -r .source_id saved
check_err 'a line that is no JSON is told' 65 '^mem-show: stdin:4: ' sh -c 'exec mem-show <ids'
check_err 'what is not there, and where it was asked for' 65 \
	"^mem-show: stdin:5: no record 'source:nothing'$" sh -c 'exec mem-show <ids'
printf 'a\0b\n' >nul
check_err 'a line with a NUL byte is told' 65 '^mem-show: stdin:1: ' sh -c 'exec mem-show <nul'
head -c 2000 /dev/zero | tr '\0' x >long
check_err 'an id of 2000 bytes is told' 65 'stdin:1: an id of 2000 bytes' \
	sh -c 'exec mem-show <long'

# ---- neighbours ----

shown 'one before and after' 'm1 m2 m3' .source_id mem-show -C 1 source:m2
shown 'they say whose they are' "$m2 - $m2" '.near // "-"' mem-show -C 1 source:m2
shown 'not over the end of the session' 'm2 m3 m4' .source_id mem-show -C 1 source:m3
shown 'all there are' 'm1 m2 m3 m4' .source_id mem-show --context 1000 source:m4
shown 'of each' 'm1 m2 m3 m3 m4' .source_id mem-show -C 1 source:m2 source:m4
check_err 'more than 1000 turns around are refused' 64 'from 0 to 1000' mem-show -C 1001 source:m2
check_err 'fewer than no turns around are refused' 64 'from 0 to 1000' mem-show -C -1 source:m2

# ---- the wall ----

check_err 'another user, by source id' 66 'no record' mem-show source:canary
check_err 'another user, by id' 66 'no record' mem-show -u other "$m2"
shown 'his own session of the same name' 1 .messages mem-show -u other s

cut=$(mem-list messages | jq -r .id | cut -c 1-8 | sort | uniq -d | head -n 1)
check_err 'what fits more than one message names two' 65 \
	"more than one message is '$cut', such as $cut[0-9A-Z]{18} and $cut[0-9A-Z]{18}$" mem-show "$cut"

# ---- streams ----

[ -w /dev/full ] && check_err 'a full disk is told by what is shown' 74 'cannot write to stdout' sh -c \
	'exec mem-show s >/dev/full'

# tty COMMAND: its output on a terminal of 60 columns.
tty() {
	COLUMNS=60 script -qec "$1" /dev/null </dev/null >"$top/tty" 2>&1
	tr -d '\r' <"$top/tty"
}
if has_terminal; then
	tty 'mem-show source:m2' >text
	check_out 'where it came from' "  id $m2  source m2" sed -n 2p text
	check_like 'role, origin and trust stand below a record' \
		'^  role assistant  origin assistant  trust 2  stored 20' \
		cat text
	check_out 'prose is wrapped on a narrow terminal' \
		'    A long line of prose that has to be wrapped on a narrow' sed -n 5p text
	check_like 'code is not wrapped on a narrow terminal' \
		'by, anybody, whatever, the, width\);$' cat text
	tty 'mem-show s' >text
	echo '{"session":"calls","id":"c1","role":"assistant","content":"","tool_calls":[{"id":"c1","name":"Bash","input":{"command":"make check"}}]}' |
		mem-ingest -q --from=ndjson -
	# one terminal session: what was searched for in it, and shown by number
	cat >go <<'EOT'
mem-search third wrapped prose
mem-show -j 1 | jq -r .source_id >first
mem-show -j 2 | jq -r .source_id >second
mem-show -j 3333 >none 2>&1
echo $? >>none
mem-show -u other 1 >wall 2>&1
echo $? >>wall
EOT
	tty 'sh go' >shown
	check_out 'a hit of the last search by its number' "$(mem-search -j third wrapped prose |
		jq -rs '.[0].source_id')" cat first
	check_out 'the number of the second hit shows it' \
		"$(mem-search -j third wrapped prose | jq -rs '.[1].source_id')" cat second
	check_out 'a number that no hit had shows nothing' 66 sed -n '$p' none
	check_out 'a number shows another user nothing' 66 sed -n '$p' wall
	check_out 'no words are kept for numbers of hits' 0 sh -c \
		'cat .local/state/mem/hits/* | grep -c third || :'
	cat >go <<'EOT'
mem-list -n 3
mem-show -j @2 | jq -r .source_id >second
mem-list -j -s @2 | jq -r .session >in
mem-forget -j @2 >forget
mem-remember -q --fact --source @2 'It rests on the second one'
mem-list sessions
mem-list -j -s @1 | jq -r .session | sort -u >session
mem-show @77 2>no
mem-list facts >/dev/tty
mem-list -s @1 2>none
EOT
	tty 'sh go' >shown
	check_out 'a line of a list by its number' "$(mem-list -n 3 --reverse |
		jq -rs '.[1].source_id')" cat second
	check_out 'a number stands for its session after -s' \
		"$(mem-show -j "source:$(cat second)" -s "$(sed -n 1p in)" | jq -r .session)" \
		sed -n 1p in
	check_out 'mem-forget takes the number of a hit' \
		"$(mem-show -j "$(jq -r .id forget)" | jq -r .source_id)" cat second
	check_out 'mem-remember takes the number of a hit' "$(jq -r .id forget)" sh -c \
		'mem-list facts -j | jq -r "select(.content | test(\"second one\")).sources[0].id"'
	check_out 'a number of a list of sessions shows its session' \
		"$(mem-list sessions -j | jq -r .id | sed -n 1p)" cat session
	check_like 'a number behind the last list is told' \
		"'@77': the last list on this terminal has no such line" \
		cat no
	mem-forget -qf "$(mem-list facts | jq -r 'select(.content | test("second one")).id')"
	check_out 'a number means nothing on another terminal' 66 \
		sh -c 'setsid -w mem-show 1 2>/dev/null; echo $?'
	seq 2600 | sed 's/.*/{"session":"shelf","id":"b&","content":"paint & stands on the shelf"}/' |
		mem-ingest -q --from=ndjson -
	cat >go <<'EOT'
mem-search third wrapped prose
mem-search -n 2600 shelf
mem-show -j 2 | jq -r .source_id >second
EOT
	tty 'sh go' >shown
	check_out 'a list of thousands takes the place of the one before' \
		"$(mem-search -n 2 shelf | jq -rs '.[1].source_id')" cat second
	printf '{"session":"boat-trip","id":"b1","role":"user","content":"We row to the island"}\n{"session":"boat-paint","id":"b2","role":"user","content":"Which varnish for the island dinghy?"}\n' |
		mem-ingest -q --from=ndjson -
	check_like 'a session by how its name begins' '^boat-trip ' mem-show --format text boat-t
	check_like 'a session is shown by words of its title' '^boat-paint ' \
		mem-show --format text 'Varnish which'
	printf '{"session":"boat-trip","id":"trip9","role":"user","content":"I said too much"}\n' |
		mem-ingest -q --from=ndjson -
	mem-forget -fq source:trip9
	check_err 'of a session the turns are told that it still has' 65 \
		'trip \(We row to the island, 1 message\)' mem-show --format text island
	check_err 'words that fit two sessions are told with both' 65 \
		'more than one session is .island.: .*trip \(We row' mem-show --format text island
	printf '{"session":"tide","time":"2024-03-12T%s:00:00Z","role":"user","content":"%s"}\n' \
		11 'When is high water?' 12 'And when low?' | mem-ingest -q --from=ndjson -
	check_like 'a session is shown by its day in words' '^tide ' \
		env MEM_NOW=2024-03-15 TZ=UTC mem-show --format text 'last tuesday'
	printf '{"session":"chain","time":"2024-03-%s:00:00Z","role":"user","content":"%s"}\n' \
		11T09 'Who brings the rope?' 13T09 'I have it.' | mem-ingest -q --from=ndjson -
	check_like 'a session without a turn on a day is not of that day' '^tide ' \
		env MEM_NOW=2024-03-15 TZ=UTC mem-show --format text 'last tuesday'
	check_out 'a session is not listed for a day that it has no turn on' tide env TZ=UTC sh -c \
		'mem-list sessions -j --since 2024-03-12 --until 2024-03-12 | jq -r .id'
	check_out 'it is listed for the days that it has turns on' 'tide chain' env TZ=UTC sh -c \
		'mem-list sessions -j --since 2024-03-12 --until 2024-03-13 | jq -r .id | xargs'
	check_err 'a day without a session is told as no record' 66 "no record 'yesterday'" \
		env MEM_NOW=2024-03-15 TZ=UTC mem-show --format text yesterday
	check_err 'a number that no hit has is told as one' 66 'no hit of that number' \
		mem-show --format text 999
	check_out 'two words of one title show it once' 1 sh -c \
		'mem-show --format text varnish dinghy | grep -c "^boat-paint "'
	printf 'mem-show island\nmem-show -j @2 | jq -r .session\n' >go
	tty 'sh go' >shown
	check_like 'sessions that fit are listed with numbers' '@1 boat-[a-z]* .*@2 boat-' cat shown
	check_like 'the number of a session that fits shows it' '^boat-' cat shown
	check_status 'in a pipe the name of a session is whole' 66 mem-show boat-t
	check_like 'calls are shown as what they did' '^    \$ make check$' tty 'mem-show calls'
	check_like 'a session of calls alone has a title' '^calls  title \$ make check$' cat "$out"
	check_like 'times are those of the zone' '2024-05-18T11:01:00[+]02:00' env TZ=CEST-2 \
		script -qec 'mem-show source:m2' /dev/null
	check_out 'a session is shown whole' 4 sh -c 'grep -c "in s, turn" text'
	check_err 'no ids on a terminal' 64 . sh -c \
		'script -qec "mem-show 2>said" /dev/null </dev/null; st=$?; cat said >&2; exit $st'
else
	skip 'a terminal' 'script(1) gives none'
fi

# ---- a session that goes on in another part: as if 2^20 turns had been stored ----

fresh
if command -v sqlite3 >/dev/null 2>&1; then
	seq 3 | sed 's/.*/{"id":"e&","session":"long","content":"&"}/' | mem-ingest -q
	echo '{"id":"x","session":"between","content":"x"}' | mem-ingest -q
	sqlite3 mem.db "UPDATE message SET id = (id & ~1048575) + 1048573 + (id & 1048575) WHERE source IN ('e1', 'e2', 'e3');
		UPDATE session SET turns = 1048576 WHERE name = 'long'" >/dev/null
	seq 4 6 | sed 's/.*/{"id":"e&","session":"long","content":"&"}/' | mem-ingest -q
	around() { mem-show -C "$1" "source:$2" >t; jq -r '"\(.content):\(.turn)"' t |
		paste -sd ' ' -; }
	check_out 'neighbours before, over the border' \
		'2:1048574 3:1048575 4:1048576 5:1048577 6:1048578' around 2 e4
	check_out 'turns are shown after the border of numbers' \
		'1:1048573 2:1048574 3:1048575 4:1048576' around 2 e2
	check_out 'all turns of a session are shown across the border' \
		'1:1048573 2:1048574 3:1048575 4:1048576 5:1048577 6:1048578' around 9 e3
	check_out 'no further than the session' 'x:0' around 9 x
else
	skip 'parts of a session' 'there is no sqlite3(1)'
fi

# ---- what people read has what programs read ----

. "$ROOT/tests/rich.sh"
fresh
rich_store mem.db
mem-cluster -j | jq -c 'select(.type == "category")' >categories
# Texts of a record that people are not shown: whose it is, of which kind, hashes, long prompts.
unshown='["type", "user", "sha256", "system_prompt", "origin", "stored", "accessed"]'
# missing KIND: keys whose texts stand in a record and not in what people are shown; one record of
# each set of keys is looked at.
missing() {
	case $1 in categories) cat categories ;; *) mem-list -j "$1" ;; esac |
		jq -cs 'unique_by(keys)[]' >some
	[ -s some ] || echo "no $1"
	jq -r .id some | while read -r id; do
		mem-show -j "$id" | head -n 1 >record
		mem-show --format text "$id" | tr -s ' \n' ' ' >page
		jq -r --argjson no "$unshown" 'to_entries[] | select(.key | IN($no[]) | not) |
			select((.value | type) == "string" and .value != "") |
			"\(.key)\t\(.value | split("\n")[0][:40])"' record |
			while IFS='	' read -r key value; do
				grep -qF -- "$value" page || echo "$key"
			done
	done | sort -u
}
shown 'calls of tools, and what else a turn had' '[{"name":"Bash","input":{"command":"make"}}] 1' \
	'"\(.tool_calls | tojson) \(.extra.zz // .zz)"' mem-show -j source:c1
for kind in messages facts summaries reflections sessions categories; do
	check_out "each text of $kind" '' missing "$kind"
done

# a key that an import brought is no more to be trusted than a text
esc=$(printf '\033')
mem-remember -q 'The lamp oil is in the shed.'
mem-export --now | grep 'lamp oil\|"type":"export"' |
	sed '/lamp oil/s/"content":/"ab\\u001b[31m\\u0007cd":"ef\\u001b[32mgh","content":/' >keys
rm -f mem.db*
mem-import -q --part keys
check_out 'the key that an import brought is shown' 1 sh -c \
	'mem-list -j reflections | mem-show --format text | grep -c "ab.*31m.*cd ef.*32mgh"'
check_out 'a terminal gets no escape of a key that an import brought' '' sh -c \
	'mem-list -j reflections | mem-show --format text | grep "$1" || :' sh "$esc"

# ---- what a message weighs ----

fresh
printf '%s\n' '{"session":"a","id":"d","role":"user","content":"Hello. We decided: the database is PostgreSQL 16."}' \
	'{"session":"a","id":"n","role":"user","content":"Could you look at it?"}' \
	'{"session":"a","id":"t","role":"assistant","content":"We decided: the gate is red."}' |
	mem-ingest -q
weighs() { mem-show -jv "source:$1" | jq -c '[.importance, .because]'; }
check_like 'what was decided is important by its words' \
	'^\[0\.[7-9],"We decided: the database is PostgreSQL 16"\]$' weighs d
check_out 'what nothing lasts of is not' '[null,null]' weighs n
check_out 'what an assistant said is not' '[null,null]' weighs t
check_like 'people are told what is kept, and why' \
	'^  importance 0\.[7-9]: We decided: the database is PostgreSQL 16' mem-show --format text source:d
mem-edit -q --important source:n
check_out 'what was marked is important' '[1,"marked by hand"]' weighs n
mem-edit -q --undo
check_out 'where the mark was taken back it is not' '[null,null]' weighs n
mem-remember -q --fact -t important --source source:n 'The gate is looked at.'
check_out 'a fact with the tag of marks is no mark of what it rests on' '[null,null]' weighs n
mem-edit -q --important source:t
mem-list -j reflections | jq -r 'select(.tags == ["important"]).id' >mark
mem-edit -q -t important -t gate "$(cat mark)"
check_out 'a mark that got another tag is a mark' '[1,"marked by hand"]' weighs t
check_out 'a neighbour has nothing of it' '[null,null]' \
	sh -c 'mem-show -v -C 1 source:n | jq -c "select(.source_id == \"d\") | [.importance, .because]"'

done_testing
