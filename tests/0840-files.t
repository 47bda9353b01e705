#!/bin/sh
# Files that are no store, or cannot be used: exit status, one line that names the program, nothing
# touched. Full and read-only file systems. Damaged files.
# MUTANTS=30 damaged stores, SEED=1.
if [ -z "${MEM_TEST_MOUNTS-}" ]; then
	# in a mount namespace of its own, where that is allowed
	for how in 'unshare -m' 'unshare -rm'; do
		$how true 2>/dev/null && $how sh -c 'mount -t tmpfs none /mnt' 2>/dev/null &&
			MEM_TEST_MOUNTS=yes exec $how sh "$0"
	done
fi
mounts=${MEM_TEST_MOUNTS-no}
. "${0%/*}/lib.sh"
unset MEM_SEED

line='{"session":"s","id":"m1","role":"user","content":"about the lighthouse"}'
echo "$line" >in.ndjson
mem-ingest -q --from=ndjson in.ndjson
mem-check -q --checkpoint
cp mem.db good.db
sum() { cat "$@" 2>/dev/null | sha256sum; ls -A "$(dirname "$1")"; }

programs='mem-ingest mem-search mem-list mem-show mem-stats mem-check mem-context mem-eval mem-check:--repair mem-check:--checkpoint mem-check:--backup=copy mem-ingest:--backfill-chunks'

# try PROGRAM FILE: runs it on a store, with what it needs.
try() {
	p=${1%%:*} more=''
	case $1 in *:*) more=${1#*:} ;; esac
	[ -x "$B/$p" ] || return 1
	case $1 in
	*backfill*)	run "$p" $more -d "$2"; return ;;
	esac
	case $p in
	mem-ingest)	run "$p" $more --from=ndjson -d "$2" in.ndjson ;;
	mem-search|mem-context) run "$p" -d "$2" lighthouse ;;
	mem-show)	run "$p" -d "$2" source:m1 ;;
	mem-eval)	run "$p" -d "$2" queries ;;
	*)		run "$p" $more -d "$2" ;;
	esac
}
echo '{"query":"lighthouse","relevant":["m1"]}' >queries

# refused NAME STATUS FILE [OTHER FILES]: by every program, with one line, and nothing has changed.
refused() {
	name=$1 want=$2 file=$3
	shift 2
	before=$(sum "$@")
	for call in $programs; do
		try "$call" "$file" || continue
		if ! status_is "$want"; then fail "$name is refused by $call" "$why" "$call"
		elif [ "$(wc -l <"$err")" -ne 1 ] ||
			! grep -q "^${call%%:*}: .*$(basename "$file")" "$err"; then
			fail "$name is refused by $call" \
				'not one line that names program and file' "$call"
		elif [ "$(sum "$@")" != "$before" ]; then fail "$name is refused by $call" \
			'something has changed' "$call"
		else continue
		fi
		return
	done
	pass "$name is refused by every program"
}

mkdir directory other
refused 'a directory' 78 directory
echo 'These are the notes of a text file, which nobody wants to lose.' >text
refused 'a text file' 78 text
printf 'x' >byte
refused 'a file of one byte' 78 byte
head -c 5000 /dev/zero >zeros
refused 'a file of zeros' 78 zeros
(echo SQLite format 3; head -c 8192 /dev/zero) >fake
refused 'a file that begins like a database' 78 fake
sqlite3 foreign 'CREATE TABLE t (x); INSERT INTO t VALUES (1)'
refused 'a database of another program' 78 foreign
cp foreign foreign2
sqlite3 foreign2 'PRAGMA application_id = 252006673' # of GeoPackage or the like
refused 'a database with an application_id' 78 foreign2
# with a log that has not been copied: its writer was killed
sqlite3 logged 'PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)' >/dev/null
sqlite3 logged 'INSERT INTO t VALUES (2)' '.shell cp logged-wal saved-wal; cp logged saved'
mv saved logged; mv saved-wal logged-wal; rm -f logged-shm
refused 'a database with a log' 78 logged logged-wal
cp good.db newer
sqlite3 newer 'PRAGMA user_version = 99'
refused 'a store of a newer version' 78 newer
cp good.db real.db
ln -s real.db link.db
refused 'a symbolic link' 78 link.db real.db
ln -s nowhere dangling
refused 'a link to nothing' 78 dangling
rm dangling
cp good.db one; ln one two
refused 'a file with two names' 78 one
if command -v mkfifo >/dev/null 2>&1; then
	mkfifo fifo
	before=$(ls)
	for call in $programs; do try "$call" fifo && { status_is 78 || break; }; done
	if status_is 78; then pass 'a pipe is refused by every program'; else
		fail 'a pipe is refused by every program' "$why" "$call"; fi
	rm fifo
fi
ln -s other dirlink
check 'a directory that is a link is nothing special' sh -c \
	'mem-ingest -q --from=ndjson -d dirlink/x.db in.ndjson &&
		test "$(mem-list -d other/x.db | wc -l)" -eq 1'
for odd in ':memory:' 'file:odd?mode=memory' 'a%20b?c#d' 'with space' "quote'\"" '-dash' 'new
line'; do
	check "a store named '$(echo "$odd" | tr '\n' ' ')' is on the disk" sh -c \
		'mem-ingest -q --from=ndjson --db="$1" in.ndjson && test -s "./$1" &&
			test "$(mem-list --db="$1" | wc -l)" -eq 1' \
		sh "$odd"
done

for odd in 'file:odd?mode=memory' 'file:copy' ':memory:' 'a%20b?c#d' "quote'\""; do
	check "a copy of a store named '$odd' is on the disk" \
		sh -c 'mem-check -q --db="$1" --backup="$1.copy" &&
		test "$(mem-list --db="$1.copy" | wc -l)" -eq 1 &&
			test "$(stat -c %a "./$1.copy")" = 600' \
		sh "$([ -e "./$odd" ] || mem-ingest -q --from=ndjson --db="$odd" in.ndjson
			echo "$odd")"
done
check_status 'nothing of a copy is left elsewhere' 1 sh -c 'ls | grep -e tmp -e "^copy"'

# ---- missing and empty ----

# empty NAME FILE: an empty memory to those who only read.
empty() {
	for call in mem-search:0 mem-list:0 mem-stats:0 mem-context:0 mem-show:66 mem-check:66 \
		mem-eval:66; do
		try "${call%%:*}" "$2" || continue
		if ! status_is "${call#*:}"; then
			fail "$1 is an empty memory to $call" "$why" "$call"; return; fi
		if [ -s "$out" ] && [ "${call%%:*}" != mem-stats ]; then
			fail "$1: $call" 'it has output' "$call"; return; fi
	done
	check "$1 is an empty memory to those who read" sh -c 'test ! -s "$1"' sh "$2"
}
empty 'a missing file' none
check 'a missing file is made by nobody who reads' test ! -e none
empty 'a missing directory' nodir/none
check 'a missing directory is made by nobody who reads' test ! -e nodir
: >zero
empty 'an empty file' zero
check 'an empty file becomes a store' mem-ingest -q --from=ndjson -d zero in.ndjson
check_out 'a new store and its lock have mode 600' '600 600' \
	sh -c 'mem-ingest -q --from=ndjson -d new/dir/x.db in.ndjson;
	stat -c %a new/dir/x.db new/dir/x.db.lock | paste -sd " "'
check_out 'a new directory of a store has mode 700' '700 700' \
	sh -c 'stat -c %a new new/dir | paste -sd " "'
check_err 'a store below a file is refused' 66 '^mem-ingest: .*text/x.db' mem-ingest \
	--from=ndjson -d text/x.db in.ndjson
check_err 'a name of a store that is too long is refused' 74 '^mem-ingest: ' mem-ingest \
	--from=ndjson -d "$(printf '%0300d' 1)" in.ndjson

# logged DIRECTORY: a store in it whose last message is in a log that a killed writer has left,
# without the log's index.
logged() {
	mkdir "$1"
	cp good.db "$1/m.db"
	perl -MIPC::Open2 -e '$p = open2($o, $i, qw(mem-ingest --from=ndjson -d), $ARGV[0]); print $i "{\"session\":\"l\",\"id\":\"l\",\"content\":\"this is in the log\"}\n";
		$i->flush; <$o>; kill KILL => $p; waitpid $p, 0' "$1/m.db"
	rm "$1/m.db-shm" "$1/m.db.lock"
}

# ---- permissions ----

if [ "$(id -u)" = 0 ] && [ -z "${MEM_TEST_WRAP-}" ] &&
	setpriv --reuid=65534 --clear-groups true 2>/dev/null; then
	chmod 711 "$top"; chmod 755 .
	nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
	if nobody test -x "$B/mem-list"; then
		cp good.db locked.db; chmod 000 locked.db
		check_err 'a file that may not be read is told' 77 '^mem-list: .*locked.db' nobody \
			mem-list -d locked.db
		check_err 'a file that may not be read is not written' 77 \
			'^mem-ingest: .*locked.db' nobody mem-ingest \
			--from=ndjson -d locked.db in.ndjson
		cp good.db public.db; chmod 444 public.db
		check 'a file in a directory that may only be read is read as it stands' nobody \
			mem-list -d public.db
		check_err 'a file that may only be read is not written' 77 \
			'^mem-ingest: .*public.db' nobody mem-ingest \
			--from=ndjson -d public.db in.ndjson
		check_err 'a store in a directory that may only be read is not made' 77 \
			'^mem-ingest: .*fresh.db' nobody mem-ingest \
			--from=ndjson -d fresh.db in.ndjson
		logged readable
		chmod 755 readable; chmod 644 readable/m.db*
		check_like 'a log that was left in a directory that may only be read is read' \
			'in the log' nobody mem-list -d readable/m.db
		check_like 'a log that was left in a directory that may only be read is searched' \
			'in the log' nobody mem-search -d readable/m.db log
		check_out 'nothing is made in a directory that may only be read' \
			"$(printf 'm.db\nm.db-wal')" ls readable
		touch readable/m.db-shm; chmod 644 readable/m.db-shm
		check_like 'a log is read beside an index that was left' 'in the log' \
			nobody mem-list -d readable/m.db

		# another user's reader leaves nothing that would shut the owner out
		for mode in 644 666; do
			rm -rf shared; mkdir shared; chmod 777 shared
			cp good.db shared/m.db; chmod $mode shared/m.db
			check_like "another user's store of mode $mode is searched" hit nobody \
				mem-search -d shared/m.db lighthouse
			check_out "a reader of mode $mode leaves nothing beside the store" m.db \
				ls shared
			rm -rf shared; logged shared
			chmod 777 shared; chmod $mode shared/m.db*
			check_like "a log of another user's store of mode $mode is read" \
				'in the log' nobody mem-list -d shared/m.db
			check "the owner of a store of mode $mode finds nothing of others" sh -c \
				'test -z "$(find shared -user 65534)"'
		done
		rm -rf shared; mkdir shared; chmod 777 shared
		cp good.db shared/m.db; chmod 666 shared/m.db
		sed s/m1/m2/ in.ndjson >more.ndjson
		check 'another user may store, where the mode says so' nobody mem-ingest \
			-q --from=ndjson -d shared/m.db more.ndjson
		check_out 'another user leaves a lock that all can take who may' '666' stat -c %a \
			shared/m.db.lock
	fi
else
	skip 'a file that may not be read is told' 'not root, or no setpriv'
fi

# ---- files may not grow (ulimit -f, in blocks of 512 bytes) ----

perl -e 'printf "{\"session\":\"s\",\"id\":\"%d\",\"role\":\"user\",\"content\":\"%s\"}\n", $_, "word$_ " x 100 for 1 .. 400' >grows
check_err 'a file that may not grow is told' 74 '^mem-ingest: ' sh -c 'ulimit -f 800;
	exec mem-ingest --from=ndjson --batch 20 -d limit.db grows'
cp "$out" said
check 'what was printed before the file could not grow is there' \
	sh -c 'test -s said && mem-list -j -d limit.db | cmp - said'
check_out 'the store is whole after its file could not grow' '' mem-check -q --deep -d limit.db
perl -e 'printf "{\"session\":\"s%d\",\"id\":\"%d\",\"role\":\"user\",\"content\":\"line %d of edge-%d and port %d\"}\n", $_ / 200, $_, $_, $_ % 97, 1000 + $_ % 7000 for 1 .. 20000' |
	mem-ingest -q --from=ndjson -d whole.db
mem-export -d whole.db >whole
rm -f limit.db*
check_err 'an import whose file could not grow says so, not that the store is damaged' 74 \
	'^mem-import: commit: disk I/O error' sh -c 'ulimit -f 3000;
	MEM_BATCH=2000 exec mem-import -q -d limit.db whole'
check_out 'the store is whole after it' '' mem-check -q --deep -d limit.db
mem-list -j -d limit.db | jq -r .source_id | sort -n >have
jq -r 'select(.type == "message").source_id' whole | head -n "$(wc -l <have)" | sort -n >first
check 'nothing is stored behind what was not' sh -c 'test -s have && cmp have first'
rm -f limit.db*

# ---- a full disk, and one that is read-only ----

if [ "$mounts" = yes ]; then
	mkdir small
	mount -t tmpfs -o size=1500k none small
	yes "$(printf '%0400d' 7)" | head -n 20000 | sed '=' |
		sed 'N;s/^\([0-9]*\)\n\(.*\)/{"id":"\1","session":"s","content":"line \1 \2"}/' >much
	check_err 'a full disk under a store is told' 74 '^mem-ingest: .*disk full' \
		mem-ingest --from=ndjson --batch 20 -d small/m.db much
	cp "$out" printed
	check 'a full disk is told in one line' test "$(wc -l <"$err")" -eq 1
	check 'some lines were stored before the disk was full' test -s printed
	check 'what was printed before the disk was full is there' \
		sh -c 'mem-list -j -d small/m.db >have; sort printed >a;
		sort have | comm -13 - a >lost; test ! -s lost'
	check 'a store on a full disk is searched' mem-search -d small/m.db 'line 7'
	check 'a store on a full disk is whole' mem-check --deep -d small/m.db
	check_err 'a full disk refuses more of the same' 74 '^mem-ingest: .*disk full' mem-ingest \
		--from=ndjson -d small/m.db much
	mount -o remount,size=60m none small
	check 'with room again a store on the disk goes on' \
		mem-ingest -q --from=ndjson -d small/m.db much
	check 'with room again everything is stored, nothing twice' \
		test "$(mem-list -d small/m.db | wc -l)" -eq 20000
	mem-check -q --checkpoint -d small/m.db
	mem-list -d small/m.db >want
	mount -o remount,ro none small
	check_out 'a store on a read-only disk is read' 20000 sh -c 'mem-list -d small/m.db | wc -l'
	check 'a store on a read-only disk lists the same' \
		sh -c 'mem-list -d small/m.db | cmp - want'
	check_like 'a store on a read-only disk is searched' hit mem-search -d small/m.db 'line 7'
	check_err 'a store on a read-only disk is not written' 77 '^mem-ingest: .*m.db' \
		mem-ingest --from=ndjson -d small/m.db in.ndjson
	check_err 'a store on a read-only disk is not repaired' 77 '^mem-check: .*m.db' \
		mem-check --repair -d small/m.db
	check_err 'a store on a read-only disk is not made' 77 '^mem-ingest: .*new.db' mem-ingest \
		--from=ndjson -d small/new.db in.ndjson
	check 'a store on a read-only disk is checked' mem-check --deep -d small/m.db
	umount small
	mount -t tmpfs -o size=800k none small
	cp good.db small/m.db
	logged small/log
	dd if=/dev/zero of=small/fill bs=1k 2>/dev/null
	for call in 'mem-list' 'mem-search lighthouse' 'mem-show source:m1' \
		'mem-check --deep' 'mem-stats'; do
		check "on a full disk a store at rest is read: $call" $call -d small/m.db
	done
	check_like 'a store with a log is read on a full disk' 'in the log' \
		mem-list -d small/log/m.db
	check_err 'a store at rest is not written on a full disk' 74 'disk full' \
		mem-ingest --from=ndjson -d small/m.db in.ndjson
	rm small/fill
	check 'with room again a store at rest is written' \
		mem-ingest -q --from=ndjson -d small/m.db in.ndjson
	check 'with room again a store with a log is written' \
		mem-ingest -q --from=ndjson -d small/log/m.db in.ndjson
	check_like 'a full disk costs a store with a log nothing' 'in the log' \
		mem-list -d small/log/m.db
	check_err 'a disk without room for a store at all is told' 74 '^mem-ingest: ' \
		sh -c 'mkdir tiny;
		mount -t tmpfs -o size=4k none tiny;
		mem-ingest --from=ndjson -d tiny/m.db in.ndjson; st=$?; umount tiny; exit $st'
	umount small
else
	skip 'a full disk under a store is told' 'no mounts: not root, no user namespaces'
fi

# ---- damage ----

: "${MUTANTS:=30}" "${SEED:=1}"
export MEM_TEST_SECONDS=7200        # mutate.pl has a limit of its own for each program
seq 300 | sed 's/.*/{"id":"&","session":"s","content":"line & about the lighthouse keeper and getUserName number &"}/' >some
rm -f mem.db*
mem-ingest -q --from=ndjson some
mem-check -q --checkpoint
mem-list -j >want
check "$MUTANTS damaged stores: right data or a clean status, never a signal" perl \
	"$ROOT/tests/torture/mutate.pl" mem.db "$MUTANTS" "$SEED" want
sed 's/^/# /' "$out"

# ---- text that is none ----

bad=$(printf 'x\377')
for call in 'mem-ingest -s' 'mem-ingest -a' 'mem-ingest -p' 'mem-list -s' 'mem-search -p' \
	'mem-remember -k' 'mem-remember -t' 'mem-remember --source' 'mem-context -s' \
	'mem-edit --content' 'mem-eval --strategy'; do
	check_err "$call with bytes that are no text" 64 'must be text in UTF-8' $call "$bad" x
done
mkdir names
echo '{"role":"user","content":"from afar"}' >"names/$bad.ndjson"
check 'a file whose name is no text' mem-ingest -q names
check_out 'a file whose name is no text has a session that one can type' \
	'x%FF from afar' sh -c \
	'id=$(mem-list sessions | jq -r "select(.id | startswith(\"x\")).id");
		echo "$id $(mem-list -s "$id" | jq -r .content)"'
echo '{"role":"user","content":"and more"}' >>"names/$bad.ndjson"
check_out 'a file whose name is no text goes on by its session' \
	'x%FF and more' sh -c 'mem-ingest names |
	jq -r "\"\(.session) \(.content)\""'
done_testing
