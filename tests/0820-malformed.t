#!/bin/sh
# Malformed input of every kind between good lines: each bad line told with its file and number, all
# good lines stored. N=500 SEED=1.
. "${0%/*}/lib.sh"

: "${N:=500}" "${SEED:=1}"
check 'good and malformed lines are made' \
	perl "$ROOT/tests/torture/malformed.pl" "$SEED" "$N" in.ndjson bad good
sed 's/^/# /' "$out"

check_status 'malformed lines end with 65, and the good are stored' 65 \
	"$B/tests/torture/rss" kb mem-ingest -v --from=ndjson --rejects rejects in.ndjson
cp "$out" printed; grep ': in.ndjson:' "$err" >told
check 'each bad line is told once, with file and number, and no other' sh -c \
	"sed -n 's/^mem-ingest: in.ndjson:\([0-9]*\): .*/\1/p' told | diff bad - >&2"
check 'nothing but the bad lines is told' sh -c 'test $(wc -l <told) -eq $(wc -l <bad)'
check 'no word of it is the data' sh -c '! grep -e "bad\b" -e "[^ -~]" told >&2'
check 'the good lines are stored, unchanged, in order' sh -c \
	'mem-list -j -s s | sed "s/.*\"content\":\(\"\([^\"\\\\]\|\\\\.\)*\"\).*/\1/" |
		diff good - >&2'
check 'what is stored is what was printed' sh -c 'mem-list -j | cmp - printed'
check 'the rejects are the bad lines but two, which are over the cap' sh -c \
	'test $(wc -l <rejects) -eq $(($(wc -l <bad) - 2))'
check 'no control character is printed' sh -c \
	'! LC_ALL=C grep -q "[^[:print:][:space:]]" printed ||
		! LC_ALL=C tr -d "\200-\377\n" <printed | grep -q "[[:cntrl:]]"'
check 'the store is whole' mem-check --deep
if [ -n "${MEM_TEST_WRAP-}" ] || grep -q fsanitize "$B/flags" 2>/dev/null; then
	skip 'memory below 128 MB' 'memory of a sanitizer or valgrind says nothing'
else
	check 'memory below 128 MB' test "$(cat kb)" -lt 131072
fi
echo "# $(wc -l <good) good, $(wc -l <bad) bad, $(cat kb) KB"

check_out 'a file that was read to its end gives nothing' '' mem-ingest --from=ndjson in.ndjson
check_status 'by a pipe: adds nothing' 65 sh -c \
	'mem-ingest -v --from=ndjson <in.ndjson >again 2>told; st=$?; test ! -s again || st=1;
		exit $st'
check 'a bad line of the standard input is told as that' sh -c \
	"sed -n 's/^mem-ingest: stdin:\([0-9]*\): .*/\1/p' told | diff bad - >&2"

# The same lines to the programs that read records: no crash, and each says which line.
for p in mem-search mem-show mem-context; do
	[ -x "$B/$p" ] || continue
	head -n 120 in.ndjson >some
	run sh -c "exec $p <some"
	if [ "$status" -eq 65 -o "$p $status" = 'mem-show 66' ] && grep -q "^$p: stdin:[0-9]*: " \
		"$err"; then pass "$p: 65"; else fail "$p: 65" "status $status" "$p <some"; fi
done

done_testing
