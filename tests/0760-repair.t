#!/bin/sh
# mem-check on damaged pages: which table they are of, what is derived made anew with no message
# changed, base data left alone; writers meanwhile.
. "${0%/*}/lib.sh"
unset MEM_SEED MEM_NOW
command -v sqlite3 >/dev/null 2>&1 || skip_all 'there is no sqlite3(1)'

is() { # what, got, want
	if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "got '$2', not '$3'"; fi
}

perl -e 'for my $i (0 .. 2999) {
	printf "{\"id\":\"m%d\",\"session\":\"s%d\",\"role\":\"%s\",\"content\":\"line %d about kettle%d, %s\\n\\n```c\\nint x%d;\\n```\\n\"}\n",
		$i, $i / 50, $i % 2 ? "assistant" : "user", $i, $i % 977,
		join(" ", map { "word" . ($i * 7 + $_ * 13) % 1999 } 1 .. 40), $i }' >in.ndjson
check '3,000 messages are stored to be damaged' mem-ingest -q --from=ndjson in.ndjson
check 'a search leaves a metric in the store' sh -c 'mem-search kettle17 >found'
check 'everything is in the file of the store' mem-check -q --checkpoint
mem-list -j >before
mem-search --no-touch -j 'kettle17 word5' >found
check 'there is something to find' test -s found
cp mem.db good.db

# broken NAME [SEEK]: the first page of the table or index is overwritten from that byte on. too
# NAME: another one besides.
broken() {
	rm -f mem.db*
	cp good.db mem.db
	too "$@"
}
too() {
	page=$(sqlite3 good.db "SELECT pageno FROM dbstat WHERE name = '$1' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1")
	perl -e 'print "\xa5" x 2000' | dd of=mem.db bs=1 seek=$(((page - 1) * 4096 + ${2-0})) \
		conv=notrunc 2>/dev/null
}
levels() { jq -r 'select(.ok | not) | .level' "$out" | sort -u; }

for table in card chunk fts_page fts_leaf fts_segment metric metric_time meta input guard; do
	broken $table
	check_status "$table: the damaged table is found" 74 mem-check
	is "$table: the damage can be rebuilt" "$(levels)" derived
	check "$table: the damaged table is named" grep -q "table ${table%_time}: " "$out"
	check_status "$table: a backup of the damage is made" 74 mem-check --backup copy.db
	check_out "$table: the backup of the damage is whole" '' mem-check -q --deep -d copy.db
	check "$table: the backup of the damage has every message" \
		sh -c 'mem-list -j -d copy.db | cmp - before'
	check "$table: nothing is left beside the backup" sh -c '! ls | grep "\.tmp\|\.repair"'
	check "$table: the damage is repaired" mem-check --repair
	check_out "$table: the store is whole after the repair" '' mem-check -q --deep
	check "$table: no message has changed by the repair" sh -c 'mem-list -j | cmp - before'
	check "$table: a message is found after the repair" \
		sh -c 'mem-search --no-touch -j "kettle17 word5" | cmp - found'
	check "$table: nothing is left beside the store" sh -c '! ls | grep "\.tmp\|\.repair"'
	is "$table: the repaired store is readable by nobody else" "$(ls -l mem.db | cut -c1-10)" \
		-rw-------
	check "$table: the messages are read again after the repair" \
		mem-ingest -q --from=ndjson in.ndjson
	check "$table: messages that are read again are not added" \
		sh -c 'mem-list -j | cmp - before'
	rm -f copy.db*
done

rm -f mem.db*
check 'messages are stored without chunks' mem-ingest -q --from=ndjson --no-chunks in.ndjson
mem-check -q --checkpoint
# the number of a row in the first page becomes one behind all others, where nobody would look for
# it in that page
page=$(sqlite3 mem.db "SELECT min(pageno) FROM dbstat WHERE name = 'message' AND pagetype = 'leaf'")
perl -e 'sub varint { my ($v) = @_; my @b = ($v & 127); unshift @b, ($v & 127) | 128 while $v >>= 7;
	pack "C*", @b }
	open my $f, "+<", "mem.db" or die; binmode $f; seek $f, ($ARGV[0] - 1) * 4096, 0;
	read $f, my $p, 4096;
	my ($from, $to) = map { varint $_ } @ARGV[1, 2]; $p =~ s/\Q$from\E/$to/ or die;
	seek $f, ($ARGV[0] - 1) * 4096, 0; print $f $p' \
	"$page" $(sqlite3 mem.db 'SELECT min(id) + 2, max(id) + 5 FROM message' | tr '|' ' ')
check_err 'a row that is not where its number says: no endless search for it' 74 'out of order' \
	mem-ingest --backfill-chunks

rm -f mem.db*
cp good.db mem.db
sqlite3 mem.db 'PRAGMA ignore_check_constraints = ON; UPDATE message SET role = -5, origin = -7, trust = 99 WHERE rowid = (SELECT max(rowid) FROM message)'
check 'numbers in a damaged row that stand for nothing are listed' mem-list -j -n 3000
check 'numbers in a damaged row that stand for nothing are searched' \
	mem-search --no-touch -j 'kettle68'
check_status 'a damaged row is told as a page that is not as it was written' 74 mem-check --full
check_err 'a damaged row of which nobody knows the right is not repaired' 74 'nothing was changed' \
	mem-check --repair

rm -f mem.db*
cp good.db mem.db
page=$(sqlite3 good.db "SELECT pageno FROM dbstat WHERE name = 'record' LIMIT 1")
printf '\000\346' | dd of=mem.db bs=1 seek=$(((page - 1) * 4096 + 3)) conv=notrunc 2>/dev/null
check_status 'a page that has the same row 230 times is not read for ever' 74 mem-check --deep

# ---- what was said is whole, and an index of it is not ----
for index in message_ulid message_source label_word sqlite_autoindex_session_1 \
	sqlite_autoindex_user_1 record_ulid record_size fact_key; do
	broken $index
	check_status "$index: the index is damaged" 74 mem-check
	check "$index: the index is repaired" mem-check --repair
	check_out "$index: the store is whole after the repair" '' mem-check -q --deep
	check "$index: no message has changed" sh -c 'mem-list -j | cmp - before'
	check "$index: a message is found after the repair" \
		sh -c 'mem-search --no-touch -j "kettle17 word5" | cmp - found'
	check "$index: nothing is left beside the store" sh -c '! ls | grep "\.tmp\|\.repair"'
	check "$index: the messages are read again after the repair" \
		mem-ingest -q --from=ndjson in.ndjson
	check "$index: messages that are read again are not added" \
		sh -c 'mem-list -j | cmp - before'
done
broken message_ulid
too message_source
too label_word
too card
check 'several indexes and what is derived are repaired at once' mem-check --repair
check_out 'the store is whole after several repairs at once' '' mem-check -q --deep
check 'several at once: no message has changed' sh -c 'mem-list -j | cmp - before'

refused() { # what
	sum=$(cksum mem.db)
	check_status "$1: a repair is tried" 74 mem-check --repair
	check "$1: the repair is not done" grep -q 'not done' "$out"
	is "$1: the store is not touched" "$(cksum mem.db)" "$sum"
	check "$1: nothing is left beside the store" sh -c '! ls | grep "\.tmp\|\.repair"'
}
broken message
too message_ulid
refused 'a table and its index'

# An id that is another one in the table than in its index: nobody knows which was right.
otherwise() {
	id=$(sqlite3 good.db 'SELECT hex(ulid) FROM message WHERE rowid = (SELECT max(rowid) FROM message)')
	perl -e 'local $/; open(F, "+<", "mem.db"); binmode F; my $d = <F>;
		my $id = pack("H*", $ARGV[0]); my $at = -1;
		while (($at = index($d, $id, $at + 1)) >= 0) {
			next if ord(substr($d, $at & ~4095, 1)) != 13;
			seek(F, $at + 15, 0); print F chr(ord(substr($id, 15, 1)) ^ 1); exit 0
		} exit 1' "$id"
}
broken card
check 'an id is changed in the table' otherwise
refused 'a changed id'
broken message_source
check 'an id is changed in the table, and another index is damaged' otherwise
refused 'a changed id beside a damaged index'

for table in message session user label; do
	broken $table
	sum=$(cksum mem.db)
	check_status "$table: the damaged table is found" 74 mem-check
	check "$table: the damage is one of base data" \
		sh -c 'jq -r .level "$1" | grep -q base' sh "$out"
	check_status "$table: a repair is tried" 74 mem-check --repair
	check "$table: the repair is not done" grep -q 'not done' "$out"
	check_status "$table: no backup is made of the damage" 74 mem-check --backup copy.db
	check "$table: no file of a backup is left" test ! -e copy.db
	is "$table: the store is not touched" "$(cksum mem.db)" "$sum"
done

# ---- a killed repair is done again ----

broken fts_page
mkdir mem.db.repair
check_err 'something in the way of a repair is named' 78 'mem.db.repair' mem-check --repair
rmdir mem.db.repair
echo 'half of one' >mem.db.repair
check 'what a killed repair left is removed' mem-check --repair
check_out 'a repair in place of a killed one is done' '' mem-check -q --deep
check 'a repair leaves nothing beside the store' test ! -e mem.db.repair

# A kill at any moment: the store is as it was or whole, and has every message.
broken fts_page
: >wrong
n_whole=0
for ms in 005 010 020 030 040 060 080 100 130 160 200 250 300 350 400 500; do
	timeout -s KILL 0.$ms mem-check --repair >said 2>&1
	mem-list -j | cmp -s - before || echo "killed after $ms ms: another listing" >>wrong
	mem-check -q --deep >said 2>&1
	case $? in 0) n_whole=$((n_whole + 1)); broken fts_page ;; 74) ;; *) echo \
		"killed after $ms ms: not checked" >>wrong ;; esac
done
is 'killed at any moment it loses nothing' "$(cat wrong)" ''
echo "# $n_whole of 16 were done before"
check 'a repair that was killed can be done again' mem-check --repair
check_out 'the store is whole after a repair in place of killed ones' '' mem-check -q --deep
check 'nothing is left of the killed ones' test ! -e mem.db.repair

# ---- a tree whose leaves have changed places has no end ----

cp good.db mem.db
set -- $(sqlite3 good.db "SELECT pageno FROM dbstat WHERE name = 'message' AND pagetype = 'leaf' ORDER BY path")
first=$1
shift $(($# - 1))
dd if=good.db of=mem.db bs=4096 count=1 skip=$((first - 1)) seek=$(($1 - 1)) \
	conv=notrunc 2>/dev/null
dd if=good.db of=mem.db bs=4096 count=1 skip=$(($1 - 1)) seek=$((first - 1)) \
	conv=notrunc 2>/dev/null
for cmd in 'mem-check --deep' 'mem-check --repair' 'mem-list' 'mem-list sessions'; do
	run $cmd
	case $status in 0|74) pass "$cmd comes to an end" ;; *) fail "$cmd comes to an end" \
		"status $status" $cmd ;; esac
done

# ---- writers while it lasts ----

rm -f mem.db*
cp good.db mem.db
: >mem.db.lock
mkfifo held
{ flock -x 9; printf repaired >mem.db.lock; cat held >/dev/null; } 9<>mem.db.lock &
wait_for [ -s mem.db.lock ]
check_err 'writers hear why they wait' 75 'store is being repaired, try again later' env \
	MEM_WAIT=0.2 mem-ingest -q -u other --from=ndjson in.ndjson
: >held
wait
check 'a word that was left says nothing' mem-ingest -q -u other --from=ndjson in.ndjson
check 'a word that was left in the lock is gone' test ! -s mem.db.lock

done_testing
