#!/bin/sh
# mem-check: levels, repair of what is derived, base data left alone, backups, checkpoints, files
# that are not ours.
. "${0%/*}/lib.sh"
unset MEM_SEED    # it would give two runs of mem-ingest the same ids

cat >in.ndjson <<'EOT'
{"session":"s","id":"m1","time":"2024-05-18T09:00:00Z","role":"user","name":"Mara","content":"the kettle is broken"}
{"session":"s","id":"m2","time":"2024-05-18T09:01:00Z","role":"assistant","content":"Look:\n\n```c\nint kettle;\n```"}
{"session":"t","id":"m3","role":"user","content":"übrigens, 水壶坏了"}
EOT

# levels CMD...: the levels of the findings, each once; status in $status.
levels() {
	run "$@"
	jq -r .level "$out" | sort -u | tr '\n' ' '
}
is() { # what, got, want
	if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "got '$2', not '$3'"; fi
}

check_err 'a store that is not there is told' 66 'mem.db' mem-check
if [ -e mem.db ]; then fail 'looking makes no store' 'there is one now'; else
	pass 'looking makes no store'; fi
check 'messages are stored for the checks' mem-ingest -q --from=ndjson in.ndjson
cp -p mem.db first.db

# ---- levels ----

for level in '' --quick --full --deep; do
	check "nothing is wrong with a store in order $level" mem-check $level
	is "all findings of a store in order are ok $level" \
		"$(jq -c '[.type, .level, .ok]' "$out" | sort -u)" '["check","ok",true]'
done
check_like 'a deep check says how much it looked at' 'lists are the words of 3 turns' \
	mem-check --deep
check_out '-q says nothing of a store in order' '' mem-check -q --deep
check_err 'two levels at once are refused' 64 'one of' mem-check --full --deep
check_err 'mem-check takes no operand' 64 "takes no operand, not 'mem.db'" mem-check mem.db
[ -w /dev/full ] && check_err 'a full disk under stdout is told' 74 'cannot write to stdout' sh -c \
	'exec mem-check >/dev/full'

# ---- backups ----

mem-list >before
check_like 'a backup is told as a finding' '"name":"backup"' mem-check --backup copy.db
is 'a backup is readable by nobody else' "$(ls -l copy.db | cut -c1-10)" -rw-------
check_out 'a backup has every message' "$(cat before)" mem-list -d copy.db
check_out 'a backup is whole by itself' '' mem-check -q --deep -d copy.db
cp copy.db restored.db
check 'a copy of a backup can be read' mem-list -d restored.db
echo '{"session":"later","id":"later","content":"after the fire"}' >later.ndjson
check 'a copy that is written to gets a log: readers and writers do not wait for each other' \
	mem-ingest -q --from=ndjson -d restored.db later.ndjson
is 'the header of a copy that was written to tells of its log' \
	"$(perl -e 'open F, "restored.db"; read F, $h, 20; print join " ", unpack "x18CC", $h')" \
	'2 2'
check_out 'a copy that was written to is whole' '' mem-check -q --deep -d restored.db
sum=$(cksum copy.db)
run mem-check --backup copy.db
is 'a backup goes over no other file' "$(cksum copy.db)" "$sum"
name='a backup over another file is told as a fault'
case $status in 0|1) fail "$name" "status $status" ;; *) pass "$name" ;; esac
run mem-check --backup nowhere/copy.db
name='a backup into no directory is told as a fault'
case $status in 0|1) fail "$name" "status $status" ;; *) pass "$name" ;; esac
run mem-check --backup mem.db
check_out 'a backup over the store itself costs no message' "$(cat before)" mem-list

# a file system without hard links, such as FAT
shim=$B/tests/torture/fault.so
if [ -f "$shim" ] && [ -z "${MEM_TEST_WRAP-}" ] && ! grep -q fsanitize=address \
	"$B/flags" 2>/dev/null; then
	nolink() { env LD_PRELOAD="$shim" FAULT_MODE=nolink "$@"; }
	check_like 'a backup is made where there are no hard links' '"name":"backup"' \
		nolink mem-check --backup flat.db
	is 'a backup without hard links is readable by nobody else' \
		"$(ls -l flat.db | cut -c1-10)" -rw-------
	check_out 'a backup without hard links has every message' "$(cat before)" \
		mem-list -d flat.db
	check_out 'a backup without hard links leaves nothing else' flat.db sh -c 'ls -d flat.db*'
	check_err 'a backup without hard links goes over no other file' 64 \
		"is there already: 'flat.db'" nolink mem-check --backup flat.db
	check_err 'a backup without hard links is refused where it cannot be made' 74 \
		'cannot create' nolink mem-check --backup nowhere/flat.db
else
	skip 'a backup is made where there are no hard links' 'no fault.so that can be loaded'
fi

# ---- the log ----

check 'a checkpoint writes the log into the store' mem-check --checkpoint
name='the log is empty after a checkpoint'
if [ -s mem.db-wal ]; then fail "$name" 'it is not'; else pass "$name"; fi
check_out 'a checkpoint costs no message' "$(cat before)" mem-list

# ---- damage ----

# damage SQL: a store with that done to it behind our back.
damage() {
	rm -f mem.db mem.db-wal mem.db-shm
	cp first.db mem.db
	sqlite3 mem.db "$1" >/dev/null 2>"$top/sql" || fail "damage: $1" "$(cat "$top/sql")"
}

if command -v sqlite3 >/dev/null 2>&1; then
	for sql in 'DELETE FROM card' "DELETE FROM fts_page" \
		"DELETE FROM fts_segment; DELETE FROM fts_leaf; DELETE FROM fts_page"; do
		damage "$sql"
		check_status "derived data is damaged: $sql" 74 mem-check --deep
		is "derived data that is damaged can be rebuilt: $sql" \
			"$(jq -r 'select(.ok | not) | .level' "$out" | sort -u)" derived
		check "derived data is rebuilt by --repair: $sql" mem-check --deep --repair
		check_out "the store is whole after its repair: $sql" '' mem-check -q --deep
		check_out "a repair changes no message: $sql" "$(cat before)" mem-list
	done

	damage "UPDATE message SET content = 'the kettle works' WHERE content LIKE '%broken'"
	check_status 'a message that was changed behind our back is found' 74 mem-check --full
	is 'a changed message is a finding of base data' \
		"$(jq -r 'select(.ok | not) | .level' "$out" | sort -u)" base
	check_status '--repair does not make base data good' 74 mem-check --full --repair
	check_like '--repair does not change a damaged message' 'kettle works' mem-list
	check_status 'no backup is made of a damaged store' 74 mem-check --full --backup bad.db
	is 'a backup that is not written is told' \
		"$(jq -r 'select(.name == "backup") | "\(.level) \(.message[0:11])"' "$out")" \
		'base not written'
	check_status 'a backup of a damaged store leaves no file' 1 test -e bad.db
	check_status 'no backup is made after a repair that is not done' 74 \
		mem-check --repair --backup bad.db
	is 'a repair not done and a backup not written are both told' \
		"$(jq -r 'select(.name == "repair" or .name == "backup") |
		"\(.name) \(.level) \(.message[0:8])"' "$out" | xargs)" \
		'repair base not done backup base not writ'
	check_status 'a backup after a repair not done leaves no file' 1 test -e bad.db

	damage 'PRAGMA user_version = 99'
	sum=$(cksum mem.db)
	check_err 'a store of a later version is refused' 78 'mem.db' mem-check
	is 'a store of a later version is not touched' "$(cksum mem.db)" "$sum"
	rm -f mem.db*
	sqlite3 mem.db 'CREATE TABLE t (x)'
	sum=$(cksum mem.db)
	check_err 'a file of another program is refused' 78 'mem.db' mem-check --repair
	is 'a file of another program is not touched' "$(cksum mem.db)" "$sum"
else
	skip 'a message that was changed behind our back is found' 'there is no sqlite3(1)'
fi

rm -f mem.db*
head -c 20000 first.db >mem.db
run mem-check --full
name='half of a file is told as damaged'
case $status in 74|78) pass "$name" ;; *) fail "$name" "status $status" mem-check --full ;; esac

# ---- back to a copy ----

rm -f mem.db*
cp first.db mem.db
mem-list -j >before
# new: the store has grown since the copy was made.
new() {
	rm -f mem.db*
	cp first.db mem.db
	mem-ingest -q --from=ndjson later.ndjson
	mem-list -j >later
}
mem-ingest -q --from=ndjson later.ndjson
mem-list -j >later
check_like 'a copy becomes the store, and what the store was is kept' \
	"'copy.db' was; what it was itself is in '.*/mem.db.replaced'" mem-check --restore copy.db
check_out 'the store is as its copy was' "$(cat before)" mem-list -j
check_out 'what the store was before the copy is kept whole' "$(cat later)" \
	mem-list -j -d mem.db.replaced
is 'what the store was is readable by nobody else' "$(ls -l mem.db.replaced | cut -c1-10)" \
	-rw-------
check_out 'the copy and what the store was are both whole' '' \
	sh -c 'mem-check -q --deep && mem-check -q --deep -d mem.db.replaced'
check_like 'what the store was becomes the store again' 'mem.db.replaced2' \
	mem-check --restore mem.db.replaced
check_out 'the store is as it was before the copy' "$(cat later)" mem-list -j
gzip -c copy.db >copy.db.gz
check 'a packed copy becomes the store' mem-check -q --restore copy.db.gz
check_out 'the store is as its packed copy was' "$(cat before)" mem-list -j
check_out 'copies that became the store leave nothing else beside it' \
	'mem.db mem.db.lock mem.db.replaced mem.db.replaced2 mem.db.replaced3' \
	sh -c 'ls -d mem.db* | grep -v -e -wal -e -shm | xargs'
check 'a copy becomes a store where there was none' \
	mem-check -q --restore copy.db -d there/too/mem.db
check_out 'a store made of a copy has every message' "$(cat before)" mem-list -j -d there/too/mem.db
is 'nothing is kept where there was no store before' "$(ls there/too/*replaced* 2>/dev/null)" ''

# what was forgotten since the copy was made comes back with it, and that is told
new
mem-remember -q 'The raft leaks.'
mem-check -q --backup raft.db
gone=$(mem-list -j -n 1 messages | jq -r .id)
mem-forget -fq "$gone" "$(mem-list -j reflections | jq -r .id)"
rm -f mem.db.replaced*
check_like 'a restore warns of what had been forgotten and says what forgets it again' \
	"2 messages or facts that had been forgotten .*: mem-forget -f -d .*mem.db.replaced" \
	mem-check -q --restore raft.db
check_out 'what would be forgotten again is listed' "message record" sh -c \
	'mem-forget --as mem.db.replaced | jq -r .why | sed "s/the //" | xargs'
check 'what had been forgotten is forgotten again' mem-forget -f --as mem.db.replaced
check_out 'what was forgotten again is gone' '0 0' sh -c \
	'echo "$(mem-list -j messages | grep -c "$1") $(mem-list -j reflections | wc -l)"' _ "$gone"
check_err '--as stands without ids' 64 '--as stands alone' mem-forget --as raft.db "$gone"
check_like 'a restore over a store in which nothing was forgotten warns of nothing' '^$' sh -c \
	'mem-check -q --restore raft.db -d raft2.db; mem-check -q --restore raft.db -d raft2.db; echo'
rm -f mem.db.replaced*

# what cannot be read is kept with its log, and under no name beside which an older log stands
new
mem-check -q --checkpoint
perl -e 'open(my $f, "+<", "mem.db"); seek($f, 100, 0); print $f "x" x 9000'
cp later.ndjson mem.db-wal
echo older >mem.db.replaced-wal
check_like 'a damaged store is kept under a name without an older log' \
	"is in '.*/mem.db.replaced2'" mem-check --restore copy.db
check 'the log of a damaged store is kept, too' cmp later.ndjson mem.db.replaced2-wal
check_out 'a copy in place of a damaged store is as it was' "$(cat before)" mem-list -j

# refused COPY STATUS LIKE FILE
new
refused() {
	copy=$1
	shift
	check_err "a restore is refused: $copy" "$1" "$2" mem-check -q --restore "$3"
	check_out "nothing is changed or left where a copy is refused: $copy" "$(cat later)" sh -c \
		'mem-list -j; ! ls -d mem.db.* | grep -v lock'
}
refused 'the store itself' 64 'the store itself' mem.db
refused 'no copy' 66 "no copy 'nothing.db'" nothing.db
refused 'another file' 78 'not a mem store' in.ndjson
refused 'a directory' 78 'directory' there
gzip -c in.ndjson >other.gz
refused 'another file, packed' 78 "'other.gz' cannot be used: not a mem store" other.gz
head -c 700 copy.db.gz >half.gz
refused 'half of a packed one' 65 'half.gz' half.gz
head -c 40960 copy.db >half.db
refused 'half a copy' 74 'half.db' half.db
cp copy.db bad.db
perl -e 'open(my $f, "+<", "bad.db"); seek($f, -3000, 2); read($f, $c, 1); seek($f, -3000, 2); print $f chr(ord($c) ^ 4)'
refused 'one bit has changed' 74 "copy is damaged, nothing was changed: 'bad.db'" bad.db
cp copy.db newer.db
perl -e 'open(my $f, "+<", "newer.db"); seek($f, 60, 0); print $f pack "N", 99'
refused 'a copy of a later version' 78 'newer.db' newer.db
check_err '--restore is refused beside --backup' 64 'restore goes with' \
	mem-check --restore copy.db --backup b.db
check_err 'a store on a server is not restored from a file' 64 'mem-check --copy' \
	mem-check -d postgres:///nothing --restore copy.db

# who has a damaged store is told what helps
new
mem-check -q --checkpoint
cp mem.db whole.db
perl -e 'open($f, "+<", "mem.db"); seek $f, 100, 0; print $f "x" x 9000'
for program in mem-list mem-check; do
	check_err "$program tells what mends a damaged store" 74 \
		'damaged \(mem-check --repair mends .* --restore FILE brings a copy back\)' $program
done
mv whole.db mem.db

# A store that cannot be opened any more, with pages that are not there or hold anything.
for damage in 'truncate $f, 30000' 'seek $f, 16, 0; print $f "x" x 40' \
	'seek $f, 100, 0; print $f "x" x 9000' \
	'seek $f, 4096, 0; print $f "x" x 60000' 'truncate $f, 0'; do
	new
	mem-check -q --checkpoint
	perl -e 'open($f, "+<", "mem.db"); eval $ARGV[0]' "$damage"
	cp mem.db damaged
	check "over a damaged store: $damage" mem-check -q --restore copy.db
	check_out "the store is as its copy was after damage: $damage" "$(cat before)" mem-list -j
	check_like "every page of the copy is as it was written after damage: $damage" \
		'as it was written' mem-check --deep
	# where the schema can be read its pages are kept, and marked as damaged
	name="what the store was is kept after damage: $damage"
	case $damage in *', 0' | *4096*) check "$name" test -e mem.db.replaced ;;
	*) check "$name" cmp damaged mem.db.replaced ;; esac
done
new
for damage in 'print $f "no store"' 'truncate $f, 50'; do
	perl -e 'open($f, "+<", "mem.db"); eval $ARGV[0]' "$damage"
	cp mem.db damaged
	check_status "not over what is no store: $damage" 78 mem-check -q --restore copy.db
	check "a file that is no store stays as it is: $damage" cmp damaged mem.db
done

# A program has it open: it goes on, and loses nothing that it says it stored. A copy that is put in
# place by hand is undone by the log.
new
mkfifo lines
mem-ingest --from=ndjson <lines >stored 2>said &
writer=$!
exec 3>lines
line() { printf '{"session":"%s","id":"%s","content":"from a pipe"}\n' "$1" "$1" >&3
	n=0; until grep -q "\"$1\"" stored || [ $n -eq 200 ]; do sleep .1; n=$((n + 1)); done; }
line p1
check 'a copy becomes the store while a program writes' mem-check -q --restore copy.db
check_out 'a copy that came while a program wrote is as it was' "$(cat before)" mem-list -j
check_out 'what a program wrote before the copy came is kept' p1 sh -c \
	'mem-list -j -d mem.db.replaced | jq -r .source_id | grep p'
line p2
line p1
exec 3>&-
wait $writer
check 'a program that writes goes on when a copy has come' test $? -eq 0
check_out 'what a program writes after the copy came is in the copy' 'm1 m2 m3 p2 p1' \
	sh -c 'mem-list -j | jq -r .source_id | xargs'
check_out 'a copy that a program went on to write is whole' '' mem-check -q --deep

tty() {
	script -qec "$1" /dev/null </dev/null >"$top/tty" 2>&1
	tr -d '\r' <"$top/tty"
}
if has_terminal; then
	check_like 'findings are told to people a line each' '^ok +[a-z]+: ' \
		tty 'mem-check -d copy.db'
else
	skip 'findings are told to people a line each' 'script(1) gives none'
fi

done_testing
