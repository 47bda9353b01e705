#!/bin/sh
# mem-sync: two stores brought together through what stands in for ssh, and by pipes; what is said
# when something is wrong there, and that nothing is changed then; stores on which anything is done
# at random export the same bytes in the end, however often the line was cut.
# OPS, SEEDS, CUTS: 'make torture' does more of each.
. "${0%/*}/lib.sh"
unset MEM_NOW MEM_SEED
: "${OPS:=40}" "${SEEDS:=1}" "${CUTS:=20}"

# machines: an empty directory in which "lap" is this machine and any other name a store beside it.
machines() {
	fresh
	cp "$ROOT/tests/torture/ssh.sh" ssh
	export MEM_SSH="$PWD/ssh" MEM_DB="$PWD/lap.db" MEM_STORE_NAME=lap
}
# say DB SESSION SOURCE TEXT
say() {
	printf '{"session":"%s","source_id":"%s","content":"%s"}\n' "$2" "$3" "$4" |
		mem-ingest -q --from=ndjson -d "$1.db"
}
# same DB...: each exports what lap does.
same() {
	mem-export >lap.out
	for same_db; do mem-export -d "$same_db.db" | cmp lap.out - || return; done
}
# texts DB: contents of messages, sorted.
texts() { mem-list -j messages -d "$1.db" | jq -r .content | sort | paste -sd ,; }
# counts: "in 1 0 0, out 0 0 0" of messages, changes, removed.
counts() {
	"$@" | jq -r '"\(.way) \(.messages) \(.changes) \(.removed)"' | paste -sd ,
}
ids() { mem-list -j "$2" -d "$1.db" | jq -r .id; }

# ---- two machines ----

machines
say lap s 1 'from the laptop'
say desk s 2 'from the desk'
mem-remember -q 'a note of the laptop'
mem-remember -q -d desk.db --fact --key home 'I live in Rome'
cp lap.db lap.was && cp desk.db desk.was
check_out '-n says what would come and go' 'in 1 1 0,out 1 1 0' counts mem-sync -j -n desk
check '  and changes neither store' sh -c 'mem-export >now && mem-export -d lap.was | cmp - now &&
	mem-export -d desk.db >now && mem-export -d desk.was | cmp - now'
check_out 'both ways in one run' 'in 1 1 0,out 1 1 0' counts mem-sync -j desk
check '  both export the same' same desk
check_out '  nothing is new then' 'in 0 0 0,out 0 0 0' counts mem-sync -j desk
check_out '  and one connection is made' 1 sh -c 'printf "#!/bin/sh\necho x >>calls\nexec ./ssh \"\$@\"\n" >count &&
	chmod +x count && mem-sync -q -e ./count desk && wc -l <calls'
say lap t 3 'one more'
check_out 'only what is new goes' 'in 0 0 0,out 1 0 0' counts mem-sync -j desk
check_like '  in few bytes, when nothing does' '"way":"in".*"bytes":[0-9]{3}}' mem-sync -j desk
check_out 'what came is not sent back' 'in 0 0 0,out 0 0 0' counts env MEM_DB="$PWD/desk.db" \
	MEM_STORE_NAME=desk mem-sync -j lap
check_out '-q says nothing' '' mem-sync -q desk
check_out '  nor where there is no store yet' '' sh -c 'mem-sync -q attic 2>&1 && test -e attic.db'
rm attic.db*
check '  and the stick has what it is told' mem-sync -q ./stick.db
check '  which is all' same stick
check_like 'as text' '^desk: came: 0 messages' mem-sync --format text desk
check_out 'the store there is known' desk sh -c 'mem-sync -j --peers | jq -r .name'

# Edits on both sides: the later holds, and the other is in the history.
fact=$(ids lap facts)
mem-edit -q --content 'I live in Oslo' "$fact"
mem-edit -q -d desk.db --content 'I live in Paris' "$fact"
mem-sync -q desk
check_out 'of two edits the later holds' 'I live in Paris' sh -c \
	'mem-list -j facts | jq -r .content'
check '  on both' same desk
check_like '  the other is in the history' 'Oslo' mem-export
mem-edit -q --retract "$fact"
mem-edit -q -d desk.db --bank Work "$fact"
mem-sync -q desk
check 'a retraction here, an edit there' same desk
mem-edit -q -t tagged "$(ids lap reflections)"
mem-sync -q desk
step=$(mem-edit -j --steps | tail -n 1 | jq -r .step)
there=$(mem-edit -j --steps -d desk.db | tail -n 1 | jq -r .step)
check 'both take the same step back' sh -c \
	'mem-edit -q --undo "$1" && mem-edit -q -d desk.db --undo "$2"' sh "$step" "$there"
mem-sync -q desk
check '  and are the same' same desk
printf '%s\n' '{"type":"session","id":"s","title":"an early title"}' | mem-ingest -q --from=ndjson
printf '%s\n' '{"type":"session","id":"s","title":"a late one"}' |
	mem-ingest -q --from=ndjson -d desk.db
mem-profile -q consent yes >/dev/null
mem-profile -q -d desk.db consent no >/dev/null
mem-sync -q desk
check_like 'of two titles the later stands' '"title":"a late one"' mem-list -j sessions -s s
check '  on both, as with consent' same desk
mem-search -j laptop >/dev/null && mem-search -j -d desk.db Rome >/dev/null
mem-sync -q desk
check 'and with when records were found' same desk

# ---- what was forgotten ----

said=$(mem-list -j -s s | jq -r 'select(.content == "from the laptop").id')
mem-remember -q -d desk.db --source "$said" 'made of what the laptop said'
n_notes=$(ids desk reflections | wc -l)
mem-forget -qf source:1
check_like 'what is forgotten here goes there, with what was made of it there' \
	'"way":"out".*"removed":2,' mem-sync -j desk
check_out '  it is gone there' 'from the desk,one more' texts desk
check_out '  its words are in no file there' '' sh -c 'grep -l "from the laptop" desk.db* || :'
check_out '  and so is the note' $((n_notes - 1)) sh -c 'mem-list -j reflections -d desk.db | wc -l'
mem-sync -q desk
check '  both are the same' same desk
say desk s 1 'from the laptop'
check_out '  it stays away' 'from the desk,one more' texts desk
say phone s 1 'from the laptop'
check_like '  a third store that has it is told that it was forgotten' \
	'"way":"in".*"forgotten":1' mem-sync -j phone
check_out '  and loses it' 'from the desk,one more' texts phone
say far s 1 'from the laptop'
check '--allow brings it back' mem-sync -q --allow far
check_out '  here' 'from the desk,from the laptop,one more' texts lap
check '  and there, with the next run' mem-sync -q far
check '  which stays so' same far
mem-forget -qf source:1
say desk u 4 'a secret' && say desk u 5 'another'
mem-sync -q desk
mem-forget -qf -s u
say desk u 6 'added meanwhile'
mem-sync -q desk && mem-sync -q desk
check_out 'what was added to a session that was forgotten stays' \
	'added meanwhile,from the desk,one more' texts desk
check '  on both' same desk
printf '%s\n' '{"type":"session","id":"u","title":"a new title"}' |
	mem-ingest -q --from=ndjson -d desk.db
mem-sync -q desk
check_like '  with what is said of it from now on' '"title":"a new title"' mem-list -j sessions -s u
check '  on both, too' same desk
printf '%s\n' '{"type":"session","id":"v","title":"nothing said yet"}' | mem-ingest -q --from=ndjson
mem-sync -q desk
mem-forget -qf -s v
check 'a session without turns comes back by --allow' mem-sync -q --allow desk
mem-sync -q desk
check_like '  and stays with the next run' nothing.said mem-list -j sessions -s v
check '  on both' same desk
mem-prune -qf --max 0
mem-sync -q phone
check_out 'what was pruned goes, too' 0 sh -c 'mem-list -j facts -d phone.db | wc -l'

# ---- the log of hooks ----

machines
# told DB SESSION [ID]: the log says that the session was called, and given that id.
told() {
	jq -cn --arg s "$2" --arg i "${3-}" '{type: "hook", user: "default", session: $s} +
		if $i == "" then {} else {given: [{id: $i, text: "00ff"}]} end' >>"$1.db.hooks"
}
of_text() { mem-list -j messages | jq -r --arg t "$1" 'select(.content == $t).id'; }
for said in 'zzone one' 'zztwo two' 'stays three'; do say lap ${said% *} ${said#* } "$said"; done
mem-sync -q desk
for db in lap desk; do
	told $db zzone; told $db zztwo; told $db stays "$(of_text 'stays three')"
	told $db given "$(of_text "$([ $db = lap ] && echo zztwo two || echo zzone one)")"
done
mem-forget -qf -s zzone
mem-forget -qf -s zztwo -d desk.db
check 'what was forgotten elsewhere leaves the log of hooks' mem-sync -q desk
check_out '  of both stores, and that it was given' 'stays stays' sh -c \
	'jq -r .session lap.db.hooks desk.db.hooks | paste -sd " "'
say lap zzone 4 'zzone four' && mem-sync -q desk
told desk zzone && mem-forget -qf -s zzone
check '  with a pipe, too' sh -c 'mem-export --new-for "$(mem-sync --mark -d desk.db)" |
	mem-import -q -d desk.db && ! grep zzone desk.db.hooks'

# ---- one transcript, read on both machines ----

machines
for db in lap desk; do
	seq 30 | sed 's/.*/{"session":"chat","source_id":"&","content":"line & of the chat"}/' |
		mem-ingest -q --from=ndjson -d $db.db
	mem-list -j -n 1 -d $db.db | jq -r .id >first
	cp first first.$db
	mem-list -j messages -d $db.db | jq -r 'select(.source_id == "2").id' >second.$db
	mem-remember -q -d $db.db --source "$(cat first)" "a note of $db"
done
check 'a transcript that both have read' mem-sync -q desk
check '  is one' same desk
check_out '  and there once' 30 sh -c 'mem-list -j messages | wc -l'
for db in lap desk; do
	mem-list -j messages -d $db.db | jq -r .id >known
	mem-export -d $db.db | jq -r 'select(.type == "reflection").sources[].id' >of
	grep -xcFf known of
done >n_known
check_out '  what both notes rest on is known on both' '2 2' xargs <n_known
check_out 'both ids that a turn had name it, on both' 'line 1 of the chat 4' sh -c \
	'for db in lap desk; do for id in first.*; do mem-show -j -d $db.db $(cat $id); done; done |
	jq -r "select(.type == \"message\").content" | sort | uniq -c |
	sed -E "s/ *([0-9]+) (.*)/\\2 \\1/"'
check 'what is forgotten by either goes' sh -c 'mem-forget -qf --verify $(cat second.lap) &&
	mem-forget -qf --verify -d desk.db $(cat second.desk)'
check_out '  on both' '' sh -c 'for db in lap desk; do mem-list -j messages -d $db.db; done |
	jq -r "select(.source_id == \"2\").content"'
check_status '  and neither names anything then' 66 mem-show "$(cat second.lap)"
check_status '  there' 66 mem-show -d desk.db "$(cat second.lap)"
mem-sync -q desk
check '  both are the same' same desk
say phone chat 7 'something else'
check_err 'another text under an id is told' 65 'something else is stored under its id' \
	mem-sync phone
check_out '  both stay as they are' 'line 7 of the chat,something else' sh -c \
	'for db in lap phone; do mem-list -j messages -d $db.db | jq -r "select(.source_id == \"7\").content"; done | paste -sd ,'
check '  the rest came, and it is told once' mem-sync -q phone

# ---- what is not taken ----

machines
for time in 0001-01-01T00:00:00+02:00 2024-05-01T10:00:00Z 9999-12-31T23:59:59-01:00; do
	printf '{"session":"%.4s","source_id":"%s","time":"%s","content":"at %.4s"}\n' $time $time \
		$time $time
done | mem-ingest -q --from=ndjson 2>told
check_like 'a time that its zone moves out of the years 1 to 9999 is told' \
	"0001-01-01T00:00:00.02:00' is no date" cat told
check_out '  and there is none' 'null "2024-05-01T10:00:00Z" null' sh -c \
	'mem-list messages -j | jq -c .time | paste -sd " "'
check '  all of it goes' mem-sync -q desk
check_out '  in all stores' 'at 0001,at 2024,at 9999' texts desk
check '  as an export, too' sh -c 'mem-export | mem-import -q -d third.db'
check '  which is the same' same third
if command -v sqlite3 >/dev/null 2>&1; then
	say lap old 1 'a time that is none'
	sqlite3 lap.db "UPDATE session SET created = -62135604000000000, updated = 253402304399000000
		WHERE name = 'old'" &&
		sqlite3 lap.db "UPDATE message SET time = 253402304399000000
			WHERE session = (SELECT id FROM session WHERE name = 'old')"
	check_like 'a store that has such a time exports none' '"time":null,"session":"old"' \
		mem-export
	check '  and comes together with others' mem-sync -q desk
	check_like '  with all its messages' 'a time that is none' texts desk
else
	skip 'a store that has such a time' 'no sqlite3'
fi
machines
say lap s 1 'good' && say lap s 2 "$(printf %09000d 7)" && say lap t 3 'behind it'
small() { MEM_LINE_BYTES=1K mem-sync -q "$@"; }
check_err 'what is too long for a store is told' 65 'mem-import failed there, status 65' small desk
check_out '  and the rest is there' 'behind it,good' texts desk
check_err '  it is told each time' 65 'mem-import failed there, status 65' small desk
check_err '  as it is when it is fetched' 65 'what came is not all stored' env \
	MEM_DB="$PWD/desk.db" MEM_STORE_NAME=desk MEM_LINE_BYTES=1K mem-sync -q lap
say lap u 4 'more'
check_err '  and holds nothing back' 65 'mem-import failed there, status 65' small desk
check_like '  of what is new behind it' 'more' texts desk
check 'until the store takes it' mem-sync -q desk
check '  then all are the same' same desk
check_out '  and nothing is new any more' 'in 0 0 0,out 0 0 0' counts mem-sync -j desk
say lap s 5 "$(perl -e 'print "a\\n" x 450')" && say lap s 6 "$(perl -e 'print "word " x 190')"
check 'what could be stored is taken, however long its line is' small desk
check '  all of it' same desk

# ---- pipes ----

machines
say lap s 1 'from the laptop'
say desk s 2 'from the desk'
news() { MEM_STORE_NAME=$1 mem-export -d "$1.db" --new-for "$2"; }
news desk - | mem-import -q
news lap desk | mem-import -q -d desk.db
news desk lap | mem-import -q
check 'by two pipes' same desk
check_out '  what is new is nothing then' 'export exported' sh -c \
	'mem-export --new-for desk | jq -r .type | paste -sd " "'
check_err 'a store that is not known gets nothing' 66 \
	"no store is known here as 'dsek'" mem-export --new-for dsek
check '  not a line' test ! -s "$out"
say desk s 3 'later'
mark=$(mem-sync --mark)
check_out 'one pipe alone, with a mark' 'export session message exported' sh -c \
	'mem-export -d desk.db --new-for "$1" >one; jq -r .type one | paste -sd " "' sh "$mark"
mem-import -q one
say wall s 1 'of the first'
printf '%s\n' '{"session":"s","source_id":"1","content":"of bob"}' |
	mem-ingest -q --from=ndjson -u bob -d wall.db
cp wall.db walls.db
mem-forget -qf -d wall.db source:1
mem-export -d wall.db --new-for - | sed -e '1s/"user":"default"/"user":"bob"/' \
	-e '1s/"store":"../"store":"00/' >crossed
check_err 'a line of another user than its first line says' 65 "it is of user 'default'" \
	mem-import --part --multi-user -d walls.db crossed
check_out '  removes nothing' 'of bob' sh -c \
	'mem-list -j messages -u bob -d walls.db | jq -r .content'
check_err 'what is for another store' 65 'it is what is new for another store' \
	mem-import -d other.db one
mem-export -d desk.db --new-for - | sed -e '$d' -e '1s/"since":0/"since":3/' >late
printf '{"type":"exported","records":%d,"sha256":"%s"}\n' "$(wc -l <late)" \
	"$(sha256sum <late | cut -d ' ' -f 1)" >end
cat end >>late
check_err 'what begins too late' 65 'the next run brings all' mem-import -d new.db late
check_out '  what came is stored, and the next run brings all' 3 sh -c \
	'mem-export -d desk.db --new-for "$(mem-sync --mark -d new.db)" | mem-import -q -d new.db &&
	mem-list -j -d new.db | wc -l'
check_err 'a mark that is none' 64 'not what .mem-sync --mark. says' \
	mem-export --new-for "-,x"
check_err '--new-for is of a whole memory' 64 'takes a whole memory' mem-export --new-for desk -s s

# ---- backups and copies ----

machines
say lap s 1 one
say desk s 2 two
mem-sync -q desk
mem-check -q --backup old.db -d desk.db
say desk s 3 three
say lap s 4 four
mem-sync -q desk
rm -f desk.db* && mv old.db desk.db
say desk s 5 five
check 'a store that was brought back from a backup' mem-sync -q desk
check_out '  gets what it has lost' four,five,one,three,two sh -c \
	'mem-list -j -d desk.db | jq -r .content | sort | paste -sd , | sed "s/five,four/four,five/"'
check '  and nothing is lost' same desk
mem-check -q --backup copy.db
check_err 'a copy' 65 'from this very store, or from a copy|for this very store, or for a copy' \
	mem-sync ./copy.db
check '  becomes one of its own' mem-sync --new-id -d copy.db
say copy s 6 six
check '  and is brought together' mem-sync -q ./copy.db
check_out '  with what is new in it' 6 sh -c 'mem-list -j | wc -l'
mem-check -q --backup torn.db
sqlite3 torn.db "DELETE FROM peer; INSERT INTO message_alias VALUES (x'00', 1)"
check_status 'damage' 74 mem-check -d torn.db
check_like '  a store that has lost its id is found' 'a store without an id' cat "$out"
check_like '  and ids of messages that are not there' 'other ids of messages' cat "$out"
check_err '  it is not brought together' 74 'store has no id' mem-sync ./torn.db
check_err 'the same file' 65 'this very store' mem-sync ./lap.db
machines
say lap s 1 one
mem-check -q --backup bk.db
say desk s 2 two
mem-sync -q desk && mem-sync -q desk
rm -f lap.db* && mv bk.db lap.db
check 'a backup from before the other store was met' mem-sync -q desk
check_out '  gets all' one,two texts lap
check '  and both are the same' same desk
machines
say lap s 1 'secret zanzibar'
say lap s 2 two
say desk s 3 three
mem-sync -q desk
mem-check -q --backup bk.db
mem-forget -qf source:1
say lap s 4 four
mem-sync -q desk
rm -f lap.db* && mv bk.db lap.db
check 'a store that was brought back asks itself' mem-sync -q desk
check_out '  it gets what it had sent, and loses what it had forgotten' four,three,two texts lap
check '  both are the same' same desk
check_out '  and nothing is new then' 'in 0 0 0,out 0 0 0' counts mem-sync -j desk
# Clocks that are days apart: who takes consent back has seen that it was given.
machines
for how in 'consent no' revoke; do
	MEM_NOW=2030-01-02T10:00:00Z mem-profile -q consent yes >/dev/null
	MEM_NOW=2030-01-02T10:00:00Z mem-sync -q desk
	MEM_NOW=2024-05-01T10:00:00Z mem-profile -q -d desk.db $how >/dev/null
	MEM_NOW=2024-05-01T10:00:00Z mem-sync -q desk
	check_out "a consent that is taken back by a slow clock ($how)" 'false false' sh -c \
		'for db in lap desk; do mem-export -d $db.db |
			jq "select(.type == \"consent\").consent"; done | paste -sd " "'
	check '  both are the same' same desk
done

# By names, in whichever direction the first pipe goes.
for first in lap desk; do
	machines
	say lap s 1 one
	say desk s 2 two
	news desk - | mem-import -q
	news lap desk | mem-import -q -d desk.db
	news desk lap | mem-import -q
	mem-check -q --backup bk.db
	say lap s 3 three
	say lap s 4 four
	news lap desk | mem-import -q -d desk.db
	news desk lap | mem-import -q
	rm -f lap.db* && mv bk.db lap.db
	say lap s 5 five
	[ $first = desk ] || news lap desk | mem-import -q -d desk.db 2>/dev/null
	for i in 1 2 3; do
		news desk lap | mem-import -q 2>/dev/null
		news lap desk | mem-import -q -d desk.db
	done
	check_out "by pipes, $first first: a store that was brought back gets what it had sent" \
		five,four,one,three,two texts lap
	check '  and both are the same' same desk
done
machines
mem-sync --mark >mark && mem-check -q --backup none.db
say lap s 1 one
mem-sync -q desk
rm -f lap.db* && mv none.db lap.db
check 'one that is empty' mem-sync -q desk
check_out '  gets all, too' one texts lap

# ---- something is wrong ----

machines
say lap s 1 one
say desk s 2 two
mem-export >lap.out && mem-export -d desk.db >desk.out
# unchanged: neither store has anything new.
unchanged() { mem-export | cmp lap.out - && mem-export -d desk.db | cmp desk.out -; }
# there NAME LINES: a machine whose ssh runs LINES, with the command in $c.
there() {
	printf '#!/bin/sh\nh=$1; shift; c=$*\nexport MEM_DB=desk.db MEM_STORE_NAME=desk\n%s\n' "$2" >"$1"
	chmod +x "$1"
}
check_err 'no ssh' 69 'no ssh is found here' mem-sync -e ./nowhere desk
check_err 'a host that is not known' 69 'nowhere: no way there' mem-sync nowhere
for host in -x -oProxyCommand=x me@-x me@ '' ':f.db'; do
	check_err "no name of a host: '$host'" 64 'no name of a host|with which' mem-sync -- "$host"
done
check_err 'a store on a server' 64 'store on a server' mem-sync 'postgres://ann@desk/mem'
check_err 'no host' 64 'with which store' mem-sync
check_err 'two' 64 'with which store' mem-sync a b
there banner 'echo "Welcome to desk!"; sh -c "$c"'
check_err 'a login that prints something' 65 "not what mem-export writes.*'Welcome to desk!'" \
	mem-sync -e ./banner desk
check '  nothing is changed' unchanged
there foreign 'echo "{\"role\":\"user\",\"content\":\"hi\"}"'
check_err 'foreign JSON' 65 'not what mem-export writes' mem-sync -e ./foreign desk
there long 'head -c 1000000 /dev/zero | tr "\0" x'
check_err 'a line without an end' 65 'not what mem-export writes' mem-sync -e ./long desk
there silent :
check_err 'nothing at all' 69 'nothing came' mem-sync -e ./silent desk
there old 'echo "mem-export: unknown option" >&2; exit 64'
check_err 'a mem that is older' 78 'of another version' mem-sync -e ./old desk
there older 'echo "{\"type\":\"export\",\"v\":1}"'
check_err 'or writes all' 78 'of another version' mem-sync -e ./older desk
there newer 'sh -c "$c" | sed "1s/\"v\":1/\"v\":9/"'
check_err 'a mem that is newer' 65 'an export of version 9' mem-sync -e ./newer desk
there user 'sh -c "$c" | sed "s/\"user\":\"default\"/\"user\":\"eve\"/"'
check_err 'another user' 65 "it is of user 'eve', not 'default'" mem-sync -e ./user desk
there gone 'exec sh -c "nowhere/$c"'
check_err 'no mem there' 69 'no mem-export there, whose folder --programs names' \
	mem-sync -e ./gone desk
cp desk.db newer.db
sqlite3 newer.db 'PRAGMA user_version = 99'
check_err 'a store of another version there' 78 'mem-export failed there, status 78' \
	mem-sync ./newer.db
check '  nothing is changed' unchanged
there crash 'case $c in *mem-import*) kill -SEGV $$ ;; esac; sh -c "$c"'
check_err 'a program there that dies is a fault of it' 70 'mem-import was stopped by signal 11' \
	mem-sync -e ./crash desk
there ended 'kill -KILL $$'
check_err '  unless somebody ended it' 69 'mem-export was stopped by signal 9' \
	mem-sync -e ./ended desk
mkdir ours && for p in "$bin"/mem-*; do ln -s "$p" ours; done
rm ours/mem-import && printf '#!/bin/sh\nkill -SEGV $$\n' >ours/mem-import
cp "$(command -v mem-sync)" ours/sync && mv ours/sync ours/mem-sync && chmod +x ours/mem-import
check_err '  and one here' 70 'what came is not all stored' ours/mem-sync desk
there late 'case $c in *mem-import*) exit 255 ;; esac; sh -c "$c"'
check_err 'the line breaks on the way back' 69 'no way there, or it broke' mem-sync -e ./late desk
check_out '  what came is here' one,two texts lap
check 'and the next run completes' mem-sync -q desk
check '  both are the same' same desk
say lap s 3 three
mem-export >lap.out && mem-export -d desk.db >desk.out
perl -MFcntl=:flock -e 'open my $l, ">>", "desk.db.lock" or die; flock $l, LOCK_EX;
	$ENV{MEM_WAIT} = ".2"; exit(system(@ARGV) >> 8)' mem-sync desk >told 2>&1
check_out 'a store that is busy there' 75 echo $?
check_like '  which is said' 'mem-import failed there, status 75' cat told
check '  nothing is changed' unchanged
if [ -f "$B/tests/torture/fault.so" ] && [ -z "${MEM_TEST_WRAP-}" ] &&
	! grep -q fsanitize "$B/flags"; then
	check_err 'no space there' 74 'mem-import failed there, status 74' env \
		FAULT_PATH="$PWD/desk.db" FAULT_AT=1 FAULT_MODE=full \
		LD_PRELOAD="$B/tests/torture/fault.so" mem-sync desk
	check '  nothing is changed' unchanged
	check '  with space it goes on' sh -c 'mem-sync -q desk && mem-check -q --deep -d desk.db'
	check '  and both are the same' same desk
else
	skip 'no space there' 'no fault.so that could be loaded here'
fi
there slow 'trap "kill \$!; echo told >over; exit 1" TERM; sleep 3600 & echo $$ >pid; wait'
perl -e '$p = fork // die; if (!$p) { exec @ARGV or die } until (-s "pid" || waitpid($p,
	1) == $p) { select undef, undef, undef, .05 } kill TERM => $p;
	waitpid $p, 0; print $? & 127, "\n"' \
	mem-sync -e ./slow desk >told 2>&1
check_out 'a signal ends it' 15 cat told
check_out '  and what it called is told, too' told perl -e \
	'until (-s "over") { select undef, undef, undef, .05 } exec "cat over"'
check_err 'options that stand alone' 64 'stand alone' mem-sync --mark --peers

# ---- what is made there of what was forgotten here ----

# made JSON: a fact, note or summary of the desk, which gives its id
made() { printf '%s\n' "$1" | mem-remember -d desk.db | jq -r .id; }
known() { for t in facts reflections summaries; do mem-list -j $t -d "$1.db"; done |
	jq -r .content | sort; }
left() { cat "$1".db* | grep -aciE "$2" || :; }
# split: a turn is forgotten here, of which the desk has made things meanwhile
split() {
	machines
	say lap s 1 'Nora keeps zzquince jam in the cellar.'
	say lap s 2 'Tom repairs the boat.'
	mem-sync -q desk && turn=$(mem-show source:1 | jq -r .id) &&
		other=$(mem-show source:2 | jq -r .id) || return
	mem-forget -qf source:1
}
check 'a turn is forgotten' split
fact=$(made "{\"type\":\"fact\",\"content\":\"Nora has zzquince jam\",\"sources\":[{\"id\":\"$turn\"}]}")
made "{\"type\":\"reflection\",\"content\":\"she likes zzquinces\",\"sources\":[{\"id\":\"$fact\"}]}" >note
made "{\"type\":\"fact\",\"content\":\"Tom repairs the boat\",\"sources\":[{\"id\":\"$turn\"},{\"id\":\"$other\"}]}" >both
mem-edit -q -d desk.db --content 'Nora has much zzquince jam' "$fact"
check_out 'a store that was told of nothing made of it what it would' 4 sh -c \
	'mem-list -j facts -d desk.db >v && mem-list -j reflections -d desk.db >>v && mem-list -j messages -d desk.db | head -n 1 >>v && wc -l <v'
check 'what it made comes' sh -c 'mem-export -q -d desk.db --new-for lap >news && grep -q zzquince news &&
	mem-import -q news'
check_out '  without what rests on the forgotten alone' 'Tom repairs the boat' known lap
check_out '  of which no byte is left' 0 left lap zzquince
check 'the other store hears of it' mem-sync -q desk
check '  and is the same' same desk
check_out '  without a byte of it' 0 left desk zzquince
check_out 'nothing is new then' 'in 0 0 0,out 0 0 0' counts mem-sync -j desk

check 'again' split
fact=$(made "{\"type\":\"fact\",\"content\":\"Nora has zzquince jam\",\"sources\":[{\"id\":\"$turn\"}]}")
mem-edit -q -d desk.db --protect "$fact"
check 'what is protected there' mem-sync -q desk
check_out '  stays' 'Nora has zzquince jam' known lap
check '  in both' same desk

# The desk has read the same transcript for itself: the turn has another id there.
machines
say lap s 1 'Nora keeps zzquince jam in the cellar.'
say lap s 2 'Tom repairs the boat.'
say desk s 1 'Nora keeps zzquince jam in the cellar.'
say desk s 2 'Tom repairs the boat.'
mem-forget -qf source:1
turn=$(mem-show -d desk.db source:1 | jq -r .id)
made "{\"type\":\"fact\",\"content\":\"Nora has zzquince jam\",\"sources\":[{\"id\":\"$turn\"}]}" >fact
mem-export -q -d desk.db --new-for - >news
check 'what it made of a turn with another id' mem-import -q news
check_out '  does not come either' '' known lap
check 'and goes there' mem-sync -q desk
check '  so that both are the same' same desk

# A whole memory, as a backup is.
check 'again' split
made "{\"type\":\"fact\",\"content\":\"Nora has zzquince jam\",\"sources\":[{\"id\":\"$turn\"}]}" >fact
mem-export -d desk.db >whole
check 'a whole memory with it' mem-import -q whole
check_out '  brings it as little' '' known lap
check_out '  and no byte of it' 0 left lap zzquince
check 'where that is allowed' mem-import -q --allow whole
check_out '  it comes' 'Nora has zzquince jam' known lap
check_out '  with the turn' 1 sh -c 'mem-list -j messages | grep -c zzquince'

# Two clocks that are behind the newest step: each step has a name of its own.
machines
unset MEM_SEED
MEM_NOW=2030-01-01 mem-remember -q --fact 'Ann has a boat'
mem-sync -q desk
MEM_NOW=2029-12-31T23:59:50Z mem-remember -q --fact 'Bob has a dog'
MEM_NOW=2029-12-31T23:59:50Z mem-remember -q -d desk.db --fact 'Carl has a car'
mem-sync -q desk
check 'the last step is taken back' sh -c 'mem-edit -q --undo && mem-sync -q desk && mem-list -j facts >v'
check_out '  alone' 2 sh -c 'wc -l <v'
check '  in both' same desk
export MEM_SEED=1

# What stayed here when something that it rests on went is no news that rests on it.
machines
say lap s 1 'Nora moved to Berlin in spring.'
say lap s 2 'Berlin has good bread.'
made_here() { printf '%s\n' "$1" | mem-remember | jq -r .id; }
turns=$(for n in 1 2; do mem-show source:$n | jq -c '{id}'; done | paste -sd ,)
made_here "{\"type\":\"fact\",\"content\":\"Somebody lives in Berlin\",\"sources\":[$turns]}" >fact
old=$(made_here '{"type":"fact","content":"Nora bakes"}')
made_here "{\"type\":\"reflection\",\"content\":\"she has flour\",\"sources\":[{\"id\":\"$old\"}]}" >note
mem-export >before
check 'a turn goes, and old facts' sh -c 'mem-forget -qf source:1 && mem-edit -q --protect "$(cat fact)" &&
	mem-prune -qf --max 0 && mem-edit -q --unprotect "$(cat fact)"'
stayed='Somebody lives in Berlin
she has flour'
check_out 'what rests on something else, too, stays, and a note of what was pruned' "$stayed" known lap
check 'its own export comes' sh -c 'mem-export >whole && mem-import -q whole'
check_out '  and all stays' "$stayed" known lap
check 'one from before that' mem-import -q before
check_out '  too' "$stayed" known lap
check 'a new machine hears of it, and tells' sh -c 'mem-sync -q desk && mem-sync -q desk'
check_out '  it stays here' "$stayed" known lap
check_out '  and there' "$stayed" known desk

# ---- how the other machine is called ----

printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>args\nexit 255\n' >show
chmod +x show
shows() { rm -f args; mem-sync -e ./show "$@" 2>/dev/null; sed -E 's/--new-for.*/--new-for X/' args | paste -sd '|'; }
check_out 'the command for ssh' "desk|mem-export -u 'default' '--new-for X" shows desk
check_out '  with a file and a user' "me@desk|mem-export -u 'o'\\''x' -d '/srv/a b.db' '--new-for X" \
	shows -u "o'x" 'me@desk:/srv/a b.db'
check_out '  with a folder' "::1|~/'.local/bin'/mem-export -u 'default' -d ~/'x.db' '--new-for X" \
	shows --programs '~/.local/bin' '[::1]:~/x.db'

# ---- anything, at random ----

seed=0
while [ $seed -lt "$SEEDS" ]; do
	seed=$((seed + 1))
	for shape in '2 chain 0' '3 chain 0' '3 ring 0' "2 any $CUTS"; do
		fresh
		unset MEM_DB MEM_SSH MEM_STORE_NAME
		cp "$ROOT/tests/torture/ssh.sh" ssh
		check "seed $seed, $shape" perl "$ROOT/tests/torture/sync.pl" "$OPS" \
			$((seed * 7)) $shape
		check_out '  all are the same, nothing lost, nothing twice' '' sh -c \
			'grep "^seed" "$1" | cut -c 1-200 || :' sh "$out"
	done
done

done_testing
