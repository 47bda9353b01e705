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
printf '%s\n' '--- Log opened Tue Apr 07 09:00:00 2026' \
	'09:04 < tval> the bastion is on port 2201' \
	'09:05 < cardim> ok' '09:06 < jpx> thanks' >sre.log
TZ=Europe/Lisbon mem-ingest -q sre.log
TZ=America/Sao_Paulo mem-ingest -q -d desk.db sre.log
check_status 'a log that was read in two time zones is told' 65 mem-sync -q ./desk.db
check_out 'it is told once a way, and why' 2 grep -c 'the same is stored with another time' "$err"
check_status 'nothing is called something else' 1 grep -q 'something else' "$err"
check_out 'its turns are there once' 3 sh -c 'mem-list messages | wc -l'
check 'the next sync says nothing of it' mem-sync -q ./desk.db

machines
say lap s 1 'from the laptop'
say desk s 2 'from the desk'
mem-remember -q 'a note of the laptop'
mem-remember -q -d desk.db --fact --key home 'I live in Rome'
cp lap.db lap.was && cp desk.db desk.was
check_out '-n says what would come and go' 'in 1 1 0,out 1 1 0' counts mem-sync -j -n desk
check '-n of mem-sync changes neither store' \
	sh -c 'mem-export >now && mem-export -d lap.was | cmp - now &&
	mem-export -d desk.db >now && mem-export -d desk.was | cmp - now'
check_out 'both ways in one run' 'in 1 1 0,out 1 1 0' counts mem-sync -j desk
check 'after a sync both stores export the same' same desk
check_out 'a second sync finds nothing new' 'in 0 0 0,out 0 0 0' counts mem-sync -j desk
check_out 'a sync of two machines makes one connection' 1 \
	sh -c 'printf "#!/bin/sh\necho x >>calls\nexec ./ssh \"\$@\"\n" >count &&
	chmod +x count && mem-sync -q -e ./count desk && wc -l <calls'
say lap t 3 'one more'
check_out 'only what is new goes' 'in 0 0 0,out 1 0 0' counts mem-sync -j desk
check_like 'a sync that brings nothing takes under a thousand bytes' \
	'"way":"in".*"bytes":[0-9]{3}}' mem-sync -j desk
check_out 'what came is not sent back' 'in 0 0 0,out 0 0 0' counts env MEM_DB="$PWD/desk.db" \
	MEM_STORE_NAME=desk mem-sync -j lap
check_out '-q says nothing of a sync' '' mem-sync -q desk
check_out '-q says nothing of a store that is made by the sync' '' \
	sh -c 'mem-sync -q attic 2>&1 && test -e attic.db'
rm attic.db*
check 'a sync with a file needs no ssh' mem-sync -q ./stick.db
check 'a new file gets everything with its first sync' same stick
check_like 'a sync is told to people as text' '^desk: came: 0 messages' mem-sync --format text desk
check_out 'the store of the other machine is listed as known' desk \
	sh -c 'mem-sync -j --peers | jq -r .name'

# Edits on both sides: the later holds, and the other is in the history.
fact=$(ids lap facts)
mem-edit -q --content 'I live in Oslo' "$fact"
mem-edit -q -d desk.db --content 'I live in Paris' "$fact"
mem-sync -q desk
check_out 'of two edits the later holds' 'I live in Paris' sh -c \
	'mem-list -j facts | jq -r .content'
check 'of two edits both stores keep the same one' same desk
check_like 'the earlier of two edits stays in the history' 'Oslo' mem-export
mem-edit -q --retract "$fact"
mem-edit -q -d desk.db --bank Work "$fact"
mem-sync -q desk
check 'a retraction here and an edit there end alike in both stores' same desk
mem-edit -q -t tagged "$(ids lap reflections)"
mem-sync -q desk
step=$(mem-edit -j --steps | tail -n 1 | jq -r .step)
there=$(mem-edit -j --steps -d desk.db | tail -n 1 | jq -r .step)
check 'both stores take the same step back' sh -c \
	'mem-edit -q --undo "$1" && mem-edit -q -d desk.db --undo "$2"' sh "$step" "$there"
mem-sync -q desk
check 'a step taken back in both stores leaves them the same' same desk
printf '%s\n' '{"type":"session","id":"s","title":"an early title"}' | mem-ingest -q --from=ndjson
printf '%s\n' '{"type":"session","id":"s","title":"a late one"}' |
	mem-ingest -q --from=ndjson -d desk.db
mem-profile -q consent yes >/dev/null
mem-profile -q -d desk.db consent no >/dev/null
mem-sync -q desk
check_like 'of two titles the later stands' '"title":"a late one"' mem-list -j sessions -s s
check 'titles and consent are the same in both stores after a sync' same desk
mem-search -j laptop >/dev/null && mem-search -j -d desk.db Rome >/dev/null
mem-sync -q desk
check 'the times at which records were found are the same in both stores' same desk

# ---- what was forgotten ----

said=$(mem-list -j -s s | jq -r 'select(.content == "from the laptop").id')
mem-remember -q -d desk.db --source "$said" 'made of what the laptop said'
n_notes=$(ids desk reflections | wc -l)
mem-forget -qf source:1
check_like 'what is forgotten here goes there, with what was made of it there' \
	'"way":"out".*"removed":2,' mem-sync -j desk
check_out 'what is forgotten here is gone there after a sync' 'from the desk,one more' texts desk
check_out 'no file there holds a word of what was forgotten here' '' \
	sh -c 'grep -l "from the laptop" desk.db* || :'
check_out 'a note made there of what was forgotten here is gone' $((n_notes - 1)) \
	sh -c 'mem-list -j reflections -d desk.db | wc -l'
mem-sync -q desk
check 'stores are the same after one was told what to forget' same desk
say desk s 1 'from the laptop'
check_out 'what was forgotten stays away when it is stored again' 'from the desk,one more' \
	texts desk
say phone s 1 'from the laptop'
check_like 'a third store that has it is told that it was forgotten' \
	'"way":"in".*"forgotten":1' mem-sync -j phone
check_out 'a third store loses what the first has forgotten' 'from the desk,one more' texts phone
say far s 1 'from the laptop'
check '--allow brings it back' mem-sync -q --allow far
check_out '--allow brings back what was forgotten here' 'from the desk,from the laptop,one more' \
	texts lap
check 'a sync after --allow goes through as any other' mem-sync -q far
check 'the store it came back from keeps what --allow brought' same far
mem-forget -qf source:1
say desk u 4 'a secret' && say desk u 5 'another'
mem-sync -q desk
mem-forget -qf -s u
say desk u 6 'added meanwhile'
mem-sync -q desk && mem-sync -q desk
check_out 'what was added to a session that was forgotten stays' \
	'added meanwhile,from the desk,one more' texts desk
check 'what is added to a forgotten session is in both stores' same desk
printf '%s\n' '{"type":"session","id":"u","title":"a new title"}' |
	mem-ingest -q --from=ndjson -d desk.db
mem-sync -q desk
check_like 'a forgotten session that goes on takes a new title' '"title":"a new title"' \
	mem-list -j sessions -s u
check 'the new title of a forgotten session is in both stores' same desk
printf '%s\n' '{"type":"session","id":"v","title":"nothing said yet"}' | mem-ingest -q --from=ndjson
mem-sync -q desk
mem-forget -qf -s v
check 'a session without turns comes back by --allow' mem-sync -q --allow desk
mem-sync -q desk
check_like 'a session that came back by --allow stays with the next run' nothing.said \
	mem-list -j sessions -s v
check 'a session that came back by --allow is in both stores' same desk
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
check_out 'a forgotten session and what was given of it leave both logs' 'stays stays' sh -c \
	'jq -r .session lap.db.hooks desk.db.hooks | paste -sd " "'
say lap zzone 4 'zzone four' && mem-sync -q desk
told desk zzone && mem-forget -qf -s zzone
check 'what is forgotten by a pipe leaves the log of hooks' \
	sh -c 'mem-export --new-for "$(mem-sync --mark -d desk.db)" |
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
check 'a transcript that both machines read makes stores that are the same' same desk
check_out 'a transcript that both machines read is stored once' 30 \
	sh -c 'mem-list -j messages | wc -l'
for db in lap desk; do
	mem-list -j messages -d $db.db | jq -r .id >known
	mem-export -d $db.db | jq -r 'select(.type == "reflection").sources[].id' >of
	grep -xcFf known of
done >n_known
check_out 'the turns that notes of both machines rest on are known in both stores' '2 2' \
	xargs <n_known
check_out 'both ids that a turn had name it, on both' 'line 1 of the chat 4' sh -c \
	'for db in lap desk; do for id in first.*; do mem-show -j -d $db.db $(cat $id); done; done |
	jq -r "select(.type == \"message\").content" | sort | uniq -c |
	sed -E "s/ *([0-9]+) (.*)/\\2 \\1/"'
check 'what is forgotten by either goes' sh -c 'mem-forget -qf --verify $(cat second.lap) &&
	mem-forget -qf --verify -d desk.db $(cat second.desk)'
check_out 'what either machine forgets of a shared transcript goes from both' '' \
	sh -c 'for db in lap desk; do mem-list -j messages -d $db.db; done |
	jq -r "select(.source_id == \"2\").content"'
check_status 'the id of a forgotten turn names nothing here' 66 mem-show "$(cat second.lap)"
check_status 'the id of a forgotten turn names nothing there' 66 \
	mem-show -d desk.db "$(cat second.lap)"
mem-sync -q desk
check 'stores that share a transcript are the same after both forgot a turn' same desk
say phone chat 7 'something else'
check_err 'another text under an id is told' 65 'something else is stored under its id' \
	mem-sync phone
check_out 'each store keeps its own text under an id that both have' \
	'line 7 of the chat,something else' sh -c \
	'for db in lap phone; do mem-list -j messages -d $db.db | jq -r "select(.source_id == \"7\").content"; done | paste -sd ,'
check 'two texts under one id are told once' mem-sync -q phone

# ---- what is not taken ----

machines
for time in 0001-01-01T00:00:00+02:00 2024-05-01T10:00:00Z 9999-12-31T23:59:59-01:00; do
	printf '{"session":"%.4s","source_id":"%s","time":"%s","content":"at %.4s"}\n' $time $time \
		$time $time
done | mem-ingest -q --from=ndjson 2>told
check_like 'a time that its zone moves out of the years 1 to 9999 is told' \
	"0001-01-01T00:00:00.02:00' is no date" cat told
check_out 'a time that its zone moves out of the years 1 to 9999 is not stored' \
	'null "2024-05-01T10:00:00Z" null' sh -c \
	'mem-list messages -j | jq -c .time | paste -sd " "'
check 'messages whose time was refused go to the other store' mem-sync -q desk
check_out 'messages whose time was refused are in both stores' 'at 0001,at 2024,at 9999' texts desk
check 'messages whose time was refused go by an export, too' \
	sh -c 'mem-export | mem-import -q -d third.db'
check 'a store filled by an export is the same as those synced' same third
if command -v sqlite3 >/dev/null 2>&1; then
	say lap old 1 'a time that is none'
	sqlite3 lap.db "UPDATE session SET created = -62135604000000000, updated = 253402304399000000
		WHERE name = 'old'" &&
		sqlite3 lap.db "UPDATE message SET time = 253402304399000000
			WHERE session = (SELECT id FROM session WHERE name = 'old')"
	check_like 'a store that has such a time exports none' '"time":null,"session":"old"' \
		mem-export
	check 'a store with an impossible time comes together with others' mem-sync -q desk
	check_like 'a message with an impossible time is in the other store' 'a time that is none' \
		texts desk
else
	skip 'a store that has such a time exports none' 'no sqlite3'
fi
machines
say lap s 1 'good' && say lap s 2 "$(printf %09000d 7)" && say lap t 3 'behind it'
small() { MEM_LINE_BYTES=1K mem-sync -q "$@"; }
check_err 'what is too long for a store is told' 65 'mem-import failed there, status 65' small desk
check_out 'what is not too long is stored there all the same' 'behind it,good' texts desk
check_err 'what is too long for a store is told each time' 65 'mem-import failed there, status 65' \
	small desk
check_err 'what is too long is told by the store that fetches it' 65 'what came is not all stored' \
	env MEM_DB="$PWD/desk.db" MEM_STORE_NAME=desk MEM_LINE_BYTES=1K mem-sync -q lap
say lap u 4 'more'
check_err 'what is too long is told when there is news behind it' 65 \
	'mem-import failed there, status 65' small desk
check_like 'what is too long holds back nothing that is new behind it' 'more' texts desk
check 'a store that takes longer lines gets what was too long before' mem-sync -q desk
check 'stores are the same once the long line was taken' same desk
check_out 'nothing is new once the long line was taken' 'in 0 0 0,out 0 0 0' counts mem-sync -j desk
say lap s 5 "$(perl -e 'print "a\\n" x 450')" && say lap s 6 "$(perl -e 'print "word " x 190')"
check 'what could be stored is taken, however long its line is' small desk
check 'long lines that could be stored are in both stores' same desk

# ---- pipes ----

machines
say lap s 1 'from the laptop'
say desk s 2 'from the desk'
news() { MEM_STORE_NAME=$1 mem-export -d "$1.db" --new-for "$2"; }
news desk - | mem-import -q
news lap desk | mem-import -q -d desk.db
news desk lap | mem-import -q
check 'two stores become the same by pipes both ways' same desk
check_out 'after pipes both ways nothing is new for the other' 'export exported' sh -c \
	'mem-export --new-for desk | jq -r .type | paste -sd " "'
check_err 'a store that is not known gets nothing' 66 \
	"no store is known here as 'dsek'" mem-export --new-for dsek
check 'an export for an unknown store writes not a line' test ! -s "$out"
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
check_out 'a line of another user removes nothing of that user' 'of bob' sh -c \
	'mem-list -j messages -u bob -d walls.db | jq -r .content'
check_err 'an export for another store is refused by this one' 65 \
	'it is what is new for another store' \
	mem-import -d other.db one
mem-export -d desk.db --new-for - | sed -e '$d' -e '1s/"since":0/"since":3/' >late
printf '{"type":"exported","records":%d,"sha256":"%s"}\n' "$(wc -l <late)" \
	"$(sha256sum <late | cut -d ' ' -f 1)" >end
cat end >>late
check_err 'an export that begins too late asks for one of all' 65 'the next run brings all' \
	mem-import -d new.db late
check_out 'what came too late is stored, and the next run brings all' 3 sh -c \
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
check_out 'a store brought back from a backup gets what it has lost' four,five,one,three,two sh -c \
	'mem-list -j -d desk.db | jq -r .content | sort | paste -sd , | sed "s/five,four/four,five/"'
check 'a store brought back from a backup costs the others nothing' same desk
mem-check -q --backup copy.db
check_err 'a copy of a store is not synced with that store' 65 \
	'from this very store, or from a copy|for this very store, or for a copy' \
	mem-sync ./copy.db
check '--new-id makes a copy a store of its own' mem-sync --new-id -d copy.db
say copy s 6 six
check 'a copy with an id of its own is synced' mem-sync -q ./copy.db
check_out 'what is new in a copy comes with the sync' 6 sh -c 'mem-list -j | wc -l'
mem-check -q --backup torn.db
sqlite3 torn.db "DELETE FROM peer; INSERT INTO message_alias VALUES (x'00', 1)"
check_status 'a store without an id is found to be damaged' 74 mem-check -d torn.db
check_like 'a store that has lost its id is named by mem-check' 'a store without an id' cat "$out"
check_like 'ids of messages that are not there are named by mem-check' 'other ids of messages' \
	cat "$out"
check_err 'a store that has lost its id is not synced' 74 'store has no id' mem-sync ./torn.db
check_err 'a store is not synced with its own file' 65 'this very store' mem-sync ./lap.db
machines
say lap s 1 one
mem-check -q --backup bk.db
say desk s 2 two
mem-sync -q desk && mem-sync -q desk
rm -f lap.db* && mv bk.db lap.db
check 'a backup from before the other store was met is synced' mem-sync -q desk
check_out 'a backup from before the other store was met gets all' one,two texts lap
check 'stores are the same after a backup from before they met' same desk
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
check 'a store brought back from a backup asks for what it had sent' mem-sync -q desk
check_out 'a store brought back gets what it had sent, and loses what it had forgotten' \
	four,three,two texts lap
check 'stores are the same after one had forgotten and was brought back' same desk
check_out 'nothing is new after a store was brought back and synced' 'in 0 0 0,out 0 0 0' \
	counts mem-sync -j desk
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
	check "both stores have a consent taken back by a slow clock ($how)" same desk
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
	check "by pipes, $first first: both stores are the same after one was brought back" \
		same desk
done
machines
mem-sync --mark >mark && mem-check -q --backup none.db
say lap s 1 one
mem-sync -q desk
rm -f lap.db* && mv none.db lap.db
check 'an empty store that was brought back is synced' mem-sync -q desk
check_out 'an empty store that was brought back gets what it had sent' one texts lap

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
check_err 'a missing ssh is told as a service that is away' 69 'no ssh is found here' \
	mem-sync -e ./nowhere desk
check_err 'a host that is not known is told as away' 69 'nowhere: no way there' mem-sync nowhere
for host in -x -oProxyCommand=x me@-x me@ '' ':f.db'; do
	check_err "'$host' is refused as no name of a host" 64 'no name of a host|with which' \
		mem-sync -- "$host"
done
check_err 'a store on a server is not synced' 64 'store on a server' \
	mem-sync 'postgres://ann@desk/mem'
check_err 'mem-sync without a host is refused' 64 'with which store' mem-sync
check_err 'mem-sync with two hosts is refused' 64 'with which store' mem-sync a b
there banner 'echo "Welcome to desk!"; sh -c "$c"'
check_err 'a login that prints something is told with its words' 65 \
	"not what mem-export writes.*'Welcome to desk!'" \
	mem-sync -e ./banner desk
check 'a login that prints something changes neither store' unchanged
there foreign 'echo "{\"role\":\"user\",\"content\":\"hi\"}"'
check_err 'JSON that is no export is refused' 65 'not what mem-export writes' \
	mem-sync -e ./foreign desk
there long 'head -c 1000000 /dev/zero | tr "\0" x'
check_err 'a line without an end is refused' 65 'not what mem-export writes' mem-sync -e ./long desk
there silent :
check_err 'a machine that sends nothing is told as away' 69 'nothing came' mem-sync -e ./silent desk
there old 'echo "mem-export: unknown option" >&2; exit 64'
check_err 'a mem that does not know the option is told as older' 78 'of another version' \
	mem-sync -e ./old desk
there older 'echo "{\"type\":\"export\",\"v\":1}"'
check_err 'a mem that writes all there is is told as older' 78 'of another version' \
	mem-sync -e ./older desk
there newer 'sh -c "$c" | sed "1s/\"v\":1/\"v\":9/"'
check_err 'a mem of a newer version is refused' 65 'an export of version 9' mem-sync -e ./newer desk
there user 'sh -c "$c" | sed "s/\"user\":\"default\"/\"user\":\"eve\"/"'
check_err 'an export of another user is refused' 65 "it is of user 'eve', not 'default'" \
	mem-sync -e ./user desk
there gone 'exec sh -c "nowhere/$c"'
check_err 'a machine without mem is told as one' 69 \
	'no mem-export there, whose folder --programs names' \
	mem-sync -e ./gone desk
cp desk.db newer.db
sqlite3 newer.db 'PRAGMA user_version = 99'
check_err 'a store of another version there is refused' 78 'mem-export failed there, status 78' \
	mem-sync ./newer.db
check 'what was refused of another machine changes neither store' unchanged
there crash 'case $c in *mem-import*) kill -SEGV $$ ;; esac; sh -c "$c"'
check_err 'a program there that dies is a fault of it' 70 'mem-import was stopped by signal 11' \
	mem-sync -e ./crash desk
there ended 'kill -KILL $$'
check_err 'a program there that somebody ended is told as away' 69 \
	'mem-export was stopped by signal 9' \
	mem-sync -e ./ended desk
mkdir ours && for p in "$bin"/mem-*; do ln -s "$p" ours; done
rm ours/mem-import && printf '#!/bin/sh\nkill -SEGV $$\n' >ours/mem-import
cp "$(command -v mem-sync)" ours/sync && mv ours/sync ours/mem-sync && chmod +x ours/mem-import
check_err 'a program here that dies is a fault of it' 70 'what came is not all stored' \
	ours/mem-sync desk
there late 'case $c in *mem-import*) exit 255 ;; esac; sh -c "$c"'
check_err 'a line that breaks on the way back is told' 69 'no way there, or it broke' \
	mem-sync -e ./late desk
check_out 'what came before the line broke is stored here' one,two texts lap
check 'the run after a broken line completes it' mem-sync -q desk
check 'stores are the same after a line that broke was taken up again' same desk
say lap s 3 three
mem-export >lap.out && mem-export -d desk.db >desk.out
perl -MFcntl=:flock -e 'open my $l, ">>", "desk.db.lock" or die; flock $l, LOCK_EX;
	$ENV{MEM_WAIT} = ".2"; exit(system(@ARGV) >> 8)' mem-sync desk >told 2>&1
check_out 'a store that is busy there ends with the status to try again' 75 echo $?
check_like 'a store that is busy there is told' 'mem-import failed there, status 75' cat told
check 'a store that is busy there changes neither store' unchanged
if [ -f "$B/tests/torture/fault.so" ] && [ -z "${MEM_TEST_WRAP-}" ] &&
	! grep -q fsanitize "$B/flags"; then
	check_err 'a full disk there is told' 74 'mem-import failed there, status 74' env \
		FAULT_PATH="$PWD/desk.db" FAULT_AT=1 FAULT_MODE=full \
		LD_PRELOAD="$B/tests/torture/fault.so" mem-sync desk
	check 'a full disk there changes neither store' unchanged
	check 'a sync goes on when the disk there has space again' \
		sh -c 'mem-sync -q desk && mem-check -q --deep -d desk.db'
	check 'stores are the same when the full disk has space again' same desk
else
	skip 'a full disk there is told' 'no fault.so that could be loaded here'
fi
there slow 'trap "kill \$!; echo told >over; exit 1" TERM; sleep 3600 & echo $$ >pid; wait'
perl -e '$p = fork // die; if (!$p) { exec @ARGV or die } until (-s "pid" || waitpid($p,
	1) == $p) { select undef, undef, undef, .05 } kill TERM => $p;
	waitpid $p, 0; print $? & 127, "\n"' \
	mem-sync -e ./slow desk >told 2>&1
check_out 'a signal ends a sync that waits' 15 cat told
check_out 'what a sync has called is told of the signal, too' told perl -e \
	'until (-s "over") { select undef, undef, undef, .05 } exec "cat over"'
check_err 'options of mem-sync that stand alone are not mixed' 64 'stand alone' \
	mem-sync --mark --peers

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
check 'a turn that both stores have is forgotten in one' split
fact=$(made "{\"type\":\"fact\",\"content\":\"Nora has zzquince jam\",\"sources\":[{\"id\":\"$turn\"}]}")
made "{\"type\":\"reflection\",\"content\":\"she likes zzquinces\",\"sources\":[{\"id\":\"$fact\"}]}" >note
made "{\"type\":\"fact\",\"content\":\"Tom repairs the boat\",\"sources\":[{\"id\":\"$turn\"},{\"id\":\"$other\"}]}" >both
mem-edit -q -d desk.db --content 'Nora has much zzquince jam' "$fact"
check_out 'a store that was told of nothing made of it what it would' 4 sh -c \
	'mem-list -j facts -d desk.db >v && mem-list -j reflections -d desk.db >>v && mem-list -j messages -d desk.db | head -n 1 >>v && wc -l <v'
check 'what the other store made of the forgotten turn comes as an export' \
	sh -c 'mem-export -q -d desk.db --new-for lap >news && grep -q zzquince news &&
	mem-import -q news'
check_out 'what rests on the forgotten turn alone is not taken in' 'Tom repairs the boat' known lap
check_out 'no byte of what rested on the forgotten turn is here' 0 left lap zzquince
check 'a sync tells the other store what was forgotten here' mem-sync -q desk
check 'stores are the same after the other heard what was forgotten' same desk
check_out 'no byte of what rested on the forgotten turn is there' 0 left desk zzquince
check_out 'nothing is new once both stores have forgotten the turn' 'in 0 0 0,out 0 0 0' \
	counts mem-sync -j desk

check 'a turn is forgotten here, and a fact on it is to be protected there' split
fact=$(made "{\"type\":\"fact\",\"content\":\"Nora has zzquince jam\",\"sources\":[{\"id\":\"$turn\"}]}")
mem-edit -q -d desk.db --protect "$fact"
check 'a fact that is protected there is synced' mem-sync -q desk
check_out 'a fact that is protected there stays though its turn went' 'Nora has zzquince jam' \
	known lap
check 'a protected fact without its turn is in both stores' same desk

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
check 'an export with what was made of a turn under another id is read' mem-import -q news
check_out 'what was made of a forgotten turn under another id is not taken in' '' known lap
check 'a sync tells what was forgotten to a store with another id for it' mem-sync -q desk
check 'stores with other ids for a forgotten turn are the same' same desk

# A whole memory, as a backup is.
check 'a turn is forgotten here that a whole memory still has' split
made "{\"type\":\"fact\",\"content\":\"Nora has zzquince jam\",\"sources\":[{\"id\":\"$turn\"}]}" >fact
mem-export -d desk.db >whole
check 'a whole memory with a forgotten turn is imported' mem-import -q whole
check_out 'a whole memory brings nothing that rests on a forgotten turn' '' known lap
check_out 'a whole memory leaves no byte of what was forgotten' 0 left lap zzquince
check 'a whole memory is imported with --allow' mem-import -q --allow whole
check_out '--allow brings back what rests on the forgotten turn' 'Nora has zzquince jam' known lap
check_out '--allow brings back the forgotten turn itself' 1 \
	sh -c 'mem-list -j messages | grep -c zzquince'

# Two clocks that are behind the newest step: each step has a name of its own.
machines
unset MEM_SEED
MEM_NOW=2030-01-01 mem-remember -q --fact 'Ann has a boat'
mem-sync -q desk
MEM_NOW=2029-12-31T23:59:50Z mem-remember -q --fact 'Bob has a dog'
MEM_NOW=2029-12-31T23:59:50Z mem-remember -q -d desk.db --fact 'Carl has a car'
mem-sync -q desk
check 'the last step is taken back where clocks are behind' \
	sh -c 'mem-edit -q --undo && mem-sync -q desk && mem-list -j facts >v'
check_out 'only the last step is taken back where clocks are behind' 2 sh -c 'wc -l <v'
check 'both stores took the same step back where clocks are behind' same desk
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
check 'a turn and old facts go of a store' \
	sh -c 'mem-forget -qf source:1 && mem-edit -q --protect "$(cat fact)" &&
	mem-prune -qf --max 0 && mem-edit -q --unprotect "$(cat fact)"'
stayed='Somebody lives in Berlin
she has flour'
check_out 'what rests on something else, too, stays, and a note of what was pruned' "$stayed" known lap
check 'a store imports its own export after something went' \
	sh -c 'mem-export >whole && mem-import -q whole'
check_out 'its own export costs a store nothing that stayed' "$stayed" known lap
check 'an export from before something went is imported' mem-import -q before
check_out 'an export from before costs a store nothing that stayed' "$stayed" known lap
check 'a new machine is told what went, and tells it back' \
	sh -c 'mem-sync -q desk && mem-sync -q desk'
check_out 'what a new machine tells costs nothing that stayed here' "$stayed" known lap
check_out 'a new machine has what stayed here' "$stayed" known desk

# ---- how the other machine is called ----

printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>args\nexit 255\n' >show
chmod +x show
shows() { rm -f args; mem-sync -e ./show "$@" 2>/dev/null; sed -E 's/--new-for.*/--new-for X/' args | paste -sd '|'; }
check_out 'ssh is given the host and the command of mem-export' \
	"desk|mem-export -u 'default' '--new-for X" shows desk
check_out 'a file and a user that need quotes reach the command for ssh' \
	"me@desk|mem-export -u 'o'\\''x' -d '/srv/a b.db' '--new-for X" \
	shows -u "o'x" 'me@desk:/srv/a b.db'
check_out '--programs names the folder of the command for ssh' \
	"::1|~/'.local/bin'/mem-export -u 'default' -d ~/'x.db' '--new-for X" \
	shows --programs '~/.local/bin' '[::1]:~/x.db'

# ---- anything, at random ----

seed=0
while [ $seed -lt "$SEEDS" ]; do
	seed=$((seed + 1))
	for shape in '2 chain 0' '3 chain 0' '3 ring 0' "2 any $CUTS"; do
		fresh
		unset MEM_DB MEM_SSH MEM_STORE_NAME
		cp "$ROOT/tests/torture/ssh.sh" ssh
		check "stores of seed $seed, $shape, are brought together" \
			perl "$ROOT/tests/torture/sync.pl" "$OPS" \
			$((seed * 7)) $shape
		check_out "seed $seed, $shape: all are the same, nothing lost, nothing twice" '' \
			sh -c \
			'grep "^seed" "$1" | cut -c 1-200 || :' sh "$out"
	done
done

# a stick that is not mounted
fresh
jq -nc '{session: "s", role: "user", content: "gauge"}' | mem-ingest -q
check_err 'a store in no directory is refused' 66 "no directory './nodir/'" mem-sync -q ./nodir/x.db
check_status 'no directory is made for a store' 1 test -e nodir

done_testing
