#!/bin/sh
# One bit of the file, whichever it is, is another than was written: mem-check --full notices, and
# so do repair and backup, which keep what is whole.
. "${0%/*}/lib.sh"
command -v sqlite3 >/dev/null 2>&1 || skip_all 'there is no sqlite3(1)'
unset MEM_SEED
. "$ROOT/tests/rich.sh"
rich_store mem.db
# rows by the sqlite3 shell are none that mem wrote: the copy of a file without sums has them
check_status 'rows that another program changed: noticed' 74 mem-check -q --full
sqlite3 mem.db VACUUM
check 'no sums, no complaint' mem-check -q --full --backup copy.db
mv copy.db mem.db
mem-check -q --checkpoint
check_out 'the store is whole before a bit changes' '' mem-check -q --deep
check_like 'every page has a sum' 'every page is as it was written' mem-check --full
check 'a table of base records has rows in it' test -z "$(rich_empty mem.db)"
mv mem.db good.db

# flip BYTE BIT: a fresh copy of the store in which that bit is the other.
flip() {
	rm -f mem.db*
	cp good.db mem.db
	perl -e 'my ($at, $bit) = @ARGV; open(my $f, "+<", "mem.db") or die; binmode $f; seek($f, $at, 0); read($f, my $c, 1);
		seek($f, $at, 0); print $f chr(ord($c) ^ 1 << $bit)' "$1" "$2"
}
# pages_of NAME ...: of tables and indexes.
pages_of() { for name; do sqlite3 good.db "SELECT pageno FROM dbstat WHERE name = '$name'"; done; }

# ---- a bit of each column, as SQLite lays its rows out, and of what stands around them ----
base='user label session message record fact record_source record_access step step_change record_was fact_was record_source_was profile profile_user tombstone ledger'
# places N SEED PAGE ...: N lines of a byte and a bit where something is stored, not in the free
# room between the pages' heads and their rows.
places() {
	perl -e 'my ($n, $seed, @pages) = @ARGV; srand($seed); open(my $f, "<", "good.db") or die; binmode $f;
		for (my $i = 0; $i < $n; ) {
			my $from = ($pages[rand @pages] - 1) * 4096; my $at = int(rand(4088));
			seek($f, $from, 0); read($f, my $page, 4096);
			my $zeros = substr($page, $at < 8 ? 0 : $at - 8, 16) =~ /^\0+$/;
			next if $from + $at < 100 || $zeros;
			printf "%d %d\n", $from + $at, int(rand(8)); $i++ }' "$@"
}
places 60 1 $(pages_of $base) >places
n=0
: >missed
while read -r at bit; do
	flip "$at" "$bit"
	mem-check -q --full >found 2>&1
	[ $? -eq 74 ] || echo "byte $at bit $bit" >>missed
	n=$((n + 1))
done <places
check 'sixty bits were changed one by one' test $n -eq 60
check_out 'in rows of base tables: all are noticed' '' cat missed

places 30 2 $(pages_of fts_page fts_leaf card vector_code vector_byte vector_cell \
	message_ulid message_source record_ulid) >places
: >missed
while read -r at bit; do
	flip "$at" "$bit"
	mem-check -q --full >found 2>&1
	[ $? -eq 74 ] || echo "byte $at bit $bit" >>missed
done <places
check_out 'in lists, vectors, cards and indexes: all are noticed' '' cat missed

# ---- and what is made of it ----
page() { echo $((($(pages_of "$1" | tail -1) - 1) * 4096)); }
flip $(($(page message) + 4080)) 3
check_status 'a bit changed in a message is noticed' 74 mem-check --full
check 'a bit changed in a message is told with its page' \
	grep -q '"base".*table message: page [0-9]* is not as it was written' "$out"
sum=$(cksum mem.db)
check_status 'a bit changed in a message is not repaired' 74 mem-check --repair
check_status 'a store with a changed bit is not backed up' 74 mem-check --backup copy.db
check 'nothing was made or changed' test ! -e copy.db -a "$(cksum mem.db)" = "$sum"
for table in fts_page message_ulid vector_byte; do
	flip $(($(page $table) + 4080)) 3
	check_status "$table: a changed bit is noticed" 74 mem-check --full
	if [ $table != message_ulid ]; then
		check "$table: a backup is made without it" sh -c 'mem-check --backup copy.db;
			mem-check -q --deep -d copy.db && rm copy.db'
	fi
	check "$table: a changed bit is repaired" mem-check --repair
	check_out "$table: the store is whole after the repair" '' mem-check -q --deep
	mem-list -j -n 1000 >have
	mem-list -j -n 1000 -d good.db | cmp - have || echo differs >>missed
done
check_out 'no message differs after the repairs' '' cat missed

# ---- another program that moves the log into the file is no damage ----
cp good.db mem.db
echo '{"session":"s","id":"late","role":"user","content":"a late line about penguins"}' |
	mem-ingest -q --from=ndjson
mem-search penguins >found
check 'a log is there' test -s mem.db-wal
sqlite3 mem.db 'SELECT count(*) FROM message; PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
check_out 'a store with pages without a sum is in order' '' mem-check -q --deep
check_like 'it is told that there are pages without a sum' 'pages have no sum' mem-check --full
rm -f mem.db*
cp good.db mem.db
sqlite3 mem.db VACUUM
check_out 'a file that another program wrote anew is in order' '' mem-check -q --deep
done_testing
