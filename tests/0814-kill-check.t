#!/bin/sh
# mem-check --repair and --backup, and the upgrade of an old store, killed at any moment: who writes
# next goes on at once, nothing is lost or found incomplete, and no temporary file stays. KILLS=10
# of each, SEED=1; 'make torture' does 500.
. "${0%/*}/lib.sh"

: "${KILLS:=10}" "${SEED:=1}"
unset MEM_NOW MEM_SEED
export MEM_TEST_SECONDS=3600
command -v sqlite3 >/dev/null 2>&1 || skip_all 'there is no sqlite3(1)'

perl -e 'for my $i (0 .. 1199) { printf "{\"id\":\"m%d\",\"session\":\"s%d\",\"content\":\"line %d about kettle%d, %s\"}\n",
	$i, $i / 50, $i, $i % 977,
	join(" ", map { "word" . ($i * 7 + $_ * 13) % 1999 } 1 .. 40) }' >in.ndjson
check 'messages to be checked are stored' mem-ingest -q --from=ndjson in.ndjson
check 'messages are written into the file' mem-check -q --checkpoint
mem-search --no-touch -j 'kettle17 word5' >found
check 'there is something to find' test -s found
mv mem.db good.db
rm -f mem.db*
echo '{"session":"next","id":"next","content":"who writes next"}' >next.ndjson
{ cat in.ndjson; cat next.ndjson; } | jq -r .id | sort >ids

# the same store as version 9 wrote it
{
	echo 'PRAGMA application_id = 0x6d656d31; PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF;'
	for i in 1 2 3 4 5 6 7 8 9; do cat "$ROOT/schema/store-$i.sql"; done
} | sqlite3 old.db >/dev/null
for t in $(sqlite3 old.db "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"); do
	columns=$(sqlite3 old.db "SELECT group_concat(name) FROM pragma_table_info('$t')")
	sqlite3 old.db "ATTACH 'good.db' AS good; PRAGMA foreign_keys = OFF; INSERT INTO $t ($columns) SELECT $columns FROM good.$t"
done
sqlite3 old.db 'PRAGMA user_version = 9'
chmod 600 old.db

# took COMMAND: its time in seconds. moments SECONDS: when to kill, anywhere in that time.
took() { perl -MTime::HiRes=time -e '$t = time; system(@ARGV); printf "%.4f\n", time - $t' "$@"; }
moments() { perl -e 'srand $ARGV[0]; printf "%.4f\n", .002 + rand($ARGV[2] * 1.1) for 1 .. $ARGV[1]' "$SEED" "$KILLS" "$1"; }
# cut SECONDS COMMAND: killed then, unless it was done before; 137. It is waited for, so that the
# kernel has taken its locks back: timeout(1) does not when it kills.
cut() {
	perl -e '$t = shift; $p = fork // die;
		unless ($p) { exec @ARGV or exit 127 } $SIG{ALRM} = sub { kill KILL => $p };
		use Time::HiRes "ualarm"; ualarm $t * 1e6; 1 until waitpid($p, 0) == $p; ualarm 0;
		exit($? & 127 ? 137 : $? >> 8)' "$@"
}
wrong() { echo "killed after $at s: $1" >>wrong; }
# what stands beside the store and its copies
strays() { ls | grep -v -x -e 'mem\.db\(-wal\|-shm\|\.lock\)\?' -e 'copy\.db' \
	-e 'mem\.db\.v9\.backup[0-9]*' -e 'good\.db' -e 'old\.db' -e '[a-z]*\.ndjson' \
	-e found -e ids -e wrong -e said -e config; }
next_writer() {
	mem-ingest -q --from=ndjson next.ndjson >said 2>&1 || wrong "who writes next: $(cat said)"
	left=$(strays) && wrong "left: $left"
	mem-list -j | jq -r .source_id | sort | cmp -s - ids || wrong 'another listing'
}
verdict() {
	turn_over
	cp wrong "$err"
	: >"$out"
	if [ -s wrong ]; then fail "$1" 'see above'; else pass "$1"; fi
}
fresh() { rm -f mem.db* copy.db* wrong; cp "$1" mem.db; : >wrong; }

for what in 'mem-check -q --repair' 'mem-check -q --backup copy.db' 'mem-check -q --migrate'; do
	from=good.db
	case $what in *migrate) from=old.db ;; esac
	fresh $from
	t=$(took $what)
	fresh $from
	n_cut=0
	for at in $(moments "$t"); do
		rm -f mem.db* copy.db
		cp $from mem.db
		cut "$at" $what >said 2>&1
		case $? in 137) n_cut=$((n_cut + 1)) ;; 0) ;; *) wrong "$(cat said)" ;; esac
		case $what in *migrate) ;; *) mem-search --no-touch -j 'kettle17 word5' |
			cmp -s - found || wrong 'a search finds something else' ;; esac
		case $what in *backup*)
			# whole or not there; the next one removes what is left
			if [ -e copy.db ]; then mem-check -q --deep -d copy.db >said 2>&1 ||
				wrong "copy: $(cat said)"; fi
			rm -f copy.db
			mem-check -q --backup copy.db >said 2>&1 ||
				wrong "the next backup: $(cat said)" ;;
		esac
		next_writer
		[ $((n_cut % 10)) -ne 0 ] || mem-check -q --deep >said 2>&1 || wrong "$(cat said)"
	done
	verdict "$what: $KILLS kills, $n_cut of them before it was done"
done

# a store whose pages are damaged, so that the repair builds another beside it
page=$(sqlite3 good.db "SELECT pageno FROM dbstat WHERE name = 'card' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1")
cp good.db bad.db
perl -e 'print "\xa5" x 2000' | dd of=bad.db bs=1 seek=$(((page - 1) * 4096)) \
	conv=notrunc 2>/dev/null
mem-list -j -d bad.db >before
fresh bad.db
t=$(took mem-check -q --repair)
fresh bad.db
n_cut=0
n_left=0
for at in $(moments "$t"); do
	rm -f mem.db*
	cp bad.db mem.db
	cut "$at" mem-check -q --repair >said 2>&1
	case $? in 137) n_cut=$((n_cut + 1)) ;; 0) ;; *) wrong "$(cat said)" ;; esac
	! ls | grep -q '\.repair' || n_left=$((n_left + 1))
	mem-list -j | cmp -s - before || wrong 'another listing'
	# its damage may stop who writes next, but not before the lock is taken
	mem-ingest -q --from=ndjson next.ndjson >said 2>&1
	! ls | grep '\.repair\|\.tmp' >said || wrong "left: $(cat said)"
done
verdict "damaged pages, --repair: $KILLS kills, $n_cut of them before it was done"
echo "# $n_left left files, which the next writer removed"
rm -f bad.db* before

# ---- while a repair goes on, and when it fails ----

fresh good.db
at=-
mem-check -q --repair >said 2>&1 &
n=0
while kill -0 $! 2>/dev/null; do
	mem-check -q >quick 2>&1 || wrong "beside a repair, --quick: $(cat quick)"
	mem-search --no-touch -j 'kettle17 word5' | cmp -s - found ||
		wrong 'beside a repair, a search finds something else'
	n=$((n + 1))
done
wait $! || wrong "repair: $(cat said)"
rm -f quick
verdict "beside a repair nothing is damaged, and a search finds the same, $n times"

# at_calls COMMAND...: the numbers of some of the calls by which it changes files, the first and
# last ones among them.
at_calls() {
	FAULT_COUNT=$top/n FAULT_AT=0 LD_PRELOAD=$shim "$@" >/dev/null 2>&1
	perl -e 'srand $ARGV[0]; my ($k, $n) = @ARGV[1, 2];
		my %at = map { $_ => 1 } 1 .. 3, $n - 8 .. $n, map { 1 + int rand $n } 1 .. $k / 2;
		print "$_\n" for grep { $_ > 0 } sort { $a <=> $b } keys %at' \
		"$SEED" "$KILLS" "$(cat "$top/n")"
}
shim=$B/tests/torture/fault.so
if [ -f "$shim" ] && [ -z "${MEM_TEST_WRAP-}" ] && ! grep -q fsanitize=address \
	"$B/flags" 2>/dev/null; then
	export FAULT_PATH=mem.db
	fresh good.db
	n_cut=0
	for at in $(at_calls mem-check -q --repair); do
		for mode in full short eio; do
			rm -f mem.db*
			cp good.db mem.db
			FAULT_MODE=$mode FAULT_AT=$at LD_PRELOAD=$shim mem-check \
				-q --repair >said 2>&1
			case $? in 0) ;; 74) n_cut=$((n_cut + 1)) ;; *) wrong "$mode: $(cat said)" \
				;; esac
			mem-search --no-touch -j 'kettle17 word5' | cmp -s - found ||
				wrong "$mode: a search finds something else"
			next_writer
		done
		mem-check -q --deep >said 2>&1 || wrong "$(cat said)"
	done
	verdict "a repair that has no room, or cannot write, $n_cut times: who writes next goes on"

	# a copy takes the place of the store, or does not: of one that is whole, and of one that
	# cannot be opened
	jq -r .id in.ndjson | sort >copied
	for damage in '' 'seek $f, 100, 0; print $f "x" x 9000'; do
		fresh good.db
		mem-check -q --backup saved.copy
		mem-ingest -q --from=ndjson next.ndjson
		mem-check -q --checkpoint
		perl -e 'open($f, "+<", "mem.db"); eval $ARGV[0]' "$damage"
		mv mem.db grown.copy
		# the log of one that cannot be read, which nobody plays into it
		rm -f log.copy
		[ -z "$damage" ] || cp next.ndjson log.copy
		grown() {
			cp grown.copy mem.db
			[ ! -e log.copy ] || cp log.copy mem.db-wal
		}
		grown
		n_cut=0
		for at in $(at_calls mem-check -q --restore saved.copy); do
			for mode in kill full eio; do
				rm -f mem.db*
				grown
				FAULT_MODE=$mode FAULT_AT=$at LD_PRELOAD=$shim mem-check \
					-q --restore saved.copy >said 2>&1
				status=$?
				[ $status -eq 0 ] || n_cut=$((n_cut + 1))
				mem-list -j 2>/dev/null | jq -r .source_id | sort >have
				cmp -s have copied || { [ $status -ne 0 ] &&
					if [ -n "$damage" ]; then [ ! -s have ]
					else cmp -s have ids; fi; } ||
					wrong "call $at, $mode: status $status: neither the store nor the copy"
				mem-check -q --restore saved.copy >said 2>&1 ||
					wrong "call $at, $mode: once more: $(cat said)"
				mem-list -j | jq -r .source_id | sort | cmp -s - copied ||
					wrong "call $at, $mode: once more: another listing"
				ls | grep -e mem.tmp >left &&
					wrong "call $at, $mode: left: $(cat left)"
			done
			[ $((at % 4)) -ne 0 ] || mem-check -q --deep >said 2>&1 || wrong "$(cat said)"
		done
		verdict "a restore${damage:+ over a damaged store} killed, or refused by the file system, at a call, $n_cut times: the one or the other"
		rm -f saved.copy grown.copy log.copy
	done
	rm -f have copied left

	export FAULT_PATH=copy.db
	fresh good.db
	n_cut=0
	for at in $(at_calls mem-check -q --backup copy.db); do
		for mode in kill once eio; do
			rm -f copy.db*
			FAULT_MODE=$mode FAULT_AT=$at LD_PRELOAD=$shim mem-check \
				-q --backup copy.db >said 2>&1
			status=$?
			[ $status -eq 0 ] || n_cut=$((n_cut + 1))
			[ $status -ne 0 ] || [ -e copy.db ] || wrong "$mode: status 0 and no copy"
			if [ -e copy.db ]; then mem-check -q --deep -d copy.db >said 2>&1 ||
				wrong "$mode: status $status: copy: $(cat said)"; fi
			rm -f copy.db
			mem-check -q --backup copy.db >said 2>&1 ||
				wrong "$mode: the next backup: $(cat said)"
			left=$(strays) && wrong "$mode: left: $left"
		done
	done
	verdict "a backup killed, or refused by the file system, at a call, $n_cut times: whole or not there, by one name"
else
	skip 'calls that fail' 'no fault.so that can be loaded'
fi

done_testing
