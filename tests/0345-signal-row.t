#!/bin/sh
# A ranking signal is one row, its function and its weights: two rows are added to a copy of the
# table, whatever includes it is compiled again under the sanitizers, and search works with them.
. "${0%/*}/lib.sh"

[ -z "${MEM_TEST_WRAP-}" ] || skip_all \
	'compiles programs, which is not to be run through the wrapper'
# clang's sanitizer also finds a null pointer that 0 is added to. A build that is under a sanitizer
# has one compiler's already, and cannot have both.
cc=${CC:-cc}
grep -q fsanitize "$B/flags" 2>/dev/null || ! command -v clang >/dev/null || cc=clang
sanitize='-fsanitize=address,undefined -fno-sanitize-recover=all'
! grep -q -e --coverage "$B/flags" 2>/dev/null || cc="gcc --coverage"  # as the library is
echo 'int main(void) { return 0; }' >try.c
$cc $sanitize -o try try.c 2>try.err && ./try || skip_all 'the compiler has no sanitizers'

# One of the lists, before all others; one of the cards, behind its neighbours.
mkdir rank
sed -e '/LISTS(SIGNAL_TURN,/i\
	LISTS(SIGNAL_EXTRA, "extra", turn, "added by a test") \\' -e '/CARDS(SIGNAL_CAPITALS,/a\
	CARDS(SIGNAL_EXTRA_CARD, "extra_card", capitals, "so is this") \\' \
	"$ROOT/lib/rank/signal_rows.h" >rank/signal_rows.h
check_out 'two rows are added' 2 grep -c SIGNAL_EXTRA rank/signal_rows.h

# again SOURCE...: compiles them with the longer table.
again() {
	mkdir -p objects
	for source; do
		[ -f "$ROOT/$source" ] || continue             # of a build before it was renamed
		name=$(echo "${source%.c}" | tr / _)
		$cc -std=c11 -D_XOPEN_SOURCE=700 -I. -I"$ROOT/lib" -I"$B" \
			-I"$ROOT/tests/unit" -O0 $sanitize \
			-c -o "objects/$name.o" "$ROOT/$source" || return
	done
}
sources=$(cd "$B" && find lib -name '*.d' -exec grep -l 'rank/signal_rows\.h' {} + |
	sed 's/\.d$/.c/' | grep -v ^lib/rank/)
check 'what includes the table compiles' again $sources $(cd "$ROOT" && echo lib/rank/*.c) \
	bin/mem-search.c tests/unit/signals_test.c tests/unit/profile_test.c
libs='-lsqlite3 -ljq -lstemmer -lz -lm -lpthread'
link() {
	$cc $sanitize -o "$1" "objects/$2.o" objects/lib_*.o "$B/libmem.a" $libs
}
check 'mem-search links with the new signal' link search bin_mem-search
check 'the tests of the signals link' link signals_test tests_unit_signals_test
check 'the tests of the weights link' link profile_test tests_unit_profile_test
check 'the tests of the signals hold for the added rows' ./signals_test
check 'tests of the weights pass with the new signal' ./profile_test

mem-ingest -q --from=ndjson - <<'EOF' || exit 1
{"id":"1","session":"a","role":"user","name":"Anna","content":"The lighthouse of Lisbon is white."}
{"id":"2","session":"a","role":"assistant","content":"It was painted in May. What else?"}
{"id":"3","session":"b","role":"user","content":"the lighthouse keeper has a boat"}
EOF
check_out 'without weights the hits are those of mem-search' \
	"$(mem-search -j 'lighthouse of Lisbon' | sed 's/"score":[^,]*,//; s/"signals".*//')" \
	sh -c './search -j "lighthouse of Lisbon" | sed '\''s/"score":[^,]*,//; s/"signals".*//'\'
for kind in unknown chat assistant matter; do echo "$kind extra 50";
	echo "$kind extra_card 2"; done >weights
echo "weights = $PWD/weights" >config
check_like 'with weights its rows are summed' '"extra":1[,}]' ./search \
	-j --explain 'lighthouse of Lisbon'
check_like 'that of the cards, too' '"extra_card":[0-9.]*[1-9]' ./search \
	-j --explain 'lighthouse of Lisbon'
check 'the score shows the new signal' sh -c \
	'[ "$(./search -j "lighthouse of Lisbon" | sed -n "1s/.*\"score\":\([0-9]*\).*/\1/p")" -gt 20 ]'
check_err 'mem-search itself knows no such row' 78 'weights:1: not "KIND SIGNAL WEIGHT"' \
	mem-search lighthouse
check 'a word that no turn has: nothing is found, and nothing undefined is done' ./search xyzzy

done_testing
