#!/bin/sh
# The power fails in the middle of what programs write: a disk may have lost, torn and mixed up what
# was not synced. The store opens, what was printed before is there, what was forgotten is not, and
# the programs go on. FAILURES=30, SEED=1.
. "${0%/*}/lib.sh"

: "${FAILURES:=30}" "${SEED:=1}"
shim=$B/tests/torture/power.so
[ -f "$shim" ] || skip_all 'no power.so'
[ -z "${MEM_TEST_WRAP-}" ] || skip_all 'the shim would be loaded into the wrapper'
! grep -q fsanitize "$B/flags" 2>/dev/null || skip_all "a sanitizer's library wants to be the first"
unset MEM_NOW MEM_SEED

mkdir base work
for i in $(seq 40); do
	echo "{\"id\":\"m$i\",\"session\":\"s$((i % 4))\",\"role\":\"user\",\"content\":\"line $i of the keel$((i * 13 % 17)), and $i planks\"}"
done >in.ndjson
head -n 10 in.ndjson | mem-ingest -q -d base/mem.db && mem-check -q --checkpoint -d base/mem.db ||
	exit 1
mem-list -j -d base/mem.db | jq -r .source_id | sort >had
cp base/mem.db other.db
printf '{"id":"o%s","session":"o","role":"user","content":"from elsewhere %s"}\n' 1 1 2 2 3 3 |
	mem-ingest -q -d other.db
mem-export -d other.db >other.ndjson

# in order, on one store; -wal files live on from one to the next
export POWER_PATH=mem.db POWER_LOG="$PWD/log"
powered() { LD_PRELOAD=$shim "$@"; }
cp base/mem.db work/mem.db
export MEM_DB="$PWD/work/mem.db"
check 'what was stored survives a loss of power' \
	powered mem-ingest --from=ndjson --batch 4 in.ndjson
check 'what was remembered survives a loss of power' \
	powered mem-remember 'Planks are counted on Mondays' 'The keel is of oak'
check 'a mark survives a loss of power' powered mem-edit --important source:m7
check 'a forgetting survives a loss of power' powered mem-forget -f source:m3 source:m12
check 'an import survives a loss of power' powered mem-import other.ndjson
check 'a repair survives a loss of power' powered mem-check --repair
check 'keeps the log short' powered mem-check -q --checkpoint
export MEM_DB="$PWD/disk/mem.db"
unset POWER_LOG POWER_PATH

cat >verdict <<'E'
fail() { echo "$*"; exit 1; }
mem-check -q --full >found 2>&1 || fail "mem-check --full: $(cat found)"
mem-list -j -n 1000 >have 2>told || fail "mem-list: $(cat told)"
jq -r .source_id have | sort >ids
# what was there, and what was printed since, but for what may be forgotten
{ cat had; sed -n 's/^mem-ingest	//p' disk.said | jq -r .source_id; } | sort -u >want
grep -qx mem-forget disk.began && grep -vx -e m3 -e m12 want >left && mv left want
[ -z "$(comm -23 want ids)" ] || fail "lost: $(comm -23 want ids | tr '\n' ' ')"
[ "$(uniq -d ids)" = '' ] || fail "twice: $(uniq -d ids)"
if grep -q '^mem-forget	' disk.said || grep -qx mem-import disk.began; then
	! grep -qx -e m3 -e m12 ids || fail 'what was forgotten is there'
fi
for what in oak Mondays; do
	! grep "^mem-remember	.*$what" disk.said >made || mem-list -j reflections |
		grep -q "$what" || fail "a note is lost: $what"
done
mem-ingest -q --from=ndjson in.ndjson >found 2>&1 || fail "who writes next: $(cat found)"
mem-check -q --deep >found 2>&1 || fail "mem-check --deep: $(cat found)"
E
check 'wherever the power fails, nothing that was told is lost' \
	perl "$ROOT/tests/torture/power.pl" log base "$FAILURES" "$SEED" sh verdict
echo "# $(tail -n 1 "$out")"
done_testing
