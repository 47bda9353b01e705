#!/bin/sh
# mem-stats: counts of a user's own, searches, layout.
. "${0%/*}/lib.sh"
unset MEM_SEED    # it would give two runs of mem-ingest the same ids

cat >in.ndjson <<'EOT'
{"session":"s","id":"m1","time":"2024-05-18T09:00:00Z","role":"user","content":"the kettle is broken"}
{"session":"s","id":"m2","time":"2024-05-18T09:01:00Z","role":"assistant","content":"Look:\n\n```c\nint kettle;\n```"}
{"session":"t","id":"m3","role":"user","content":"übrigens"}
{"session":"t","id":"m4","role":"tool","content":"done"}
EOT
echo '{"session":"s","id":"o1","role":"user","content":"of another user"}' >other.ndjson

# stat NAME: its value.
stat() { jq -r --arg n "$1" 'select(.name == $n) | .value' "$out"; }
is() { # what, got, want
	if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "got '$2', not '$3'"; fi
}

check_out 'no store: no figures' '' mem-stats
check 'stores' mem-ingest -q --from=ndjson in.ndjson
check 'stores for another user' mem-ingest -q -u other --from=ndjson other.ndjson

check 'figures' mem-stats
is 'sessions' "$(stat sessions)" 2
is 'messages' "$(stat messages)" 4
is 'of users' "$(stat messages.user)" 2
is 'of the assistant' "$(stat messages.assistant)" 1
is 'of tools' "$(stat messages.tool)" 1
is 'bytes of what was said' "$(stat messages.bytes)" "$(jq -r .content in.ndjson | jq -Rs 'utf8bytelength - 4')"
is 'the oldest' "$(stat messages.oldest)" 2024-05-18T09:00:00Z
is 'the newest' "$(stat messages.newest)" 2024-05-18T09:01:00Z
is 'blocks of code' "$(stat chunks.code)" 1
is 'no searches yet' "$(stat searches)" 0
is 'no share of none' "$(stat searches.with_hits)" null
is 'every line is a stat' "$(jq -r '[.type, (.name | type), (.unit | type)] | join(" ")' "$out" | sort -u)" 'stat string string'
check 'of another user' mem-stats -u other
is 'his only' "$(stat messages)" 1
check 'of nobody' mem-stats -u nobody
is 'nothing' "$(stat messages)" 0

# ---- searches ----

hits=0
for q in kettle broken zeppelin; do
	check "asks: $q" mem-search "$q"
	hits=$((hits + $(wc -l <"$out")))
done
check 'leaves no trace' mem-search --no-touch kettle
check 'somebody else searches' mem-search -u other another
check 'figures' mem-stats
is 'searches' "$(stat searches)" 3
is 'with hits' "$(stat searches.with_hits)" 0.666666667
is 'hits on average' "$(jq '. * 3 | round' <<EOT
$(stat searches.hits_mean)
EOT
)" $hits
is 'three percentiles of the whole' "$(jq -r 'select(.name | startswith("searches.all.p")) | .unit' "$out" | tr '\n' ' ')" 'ms ms ms '
check 'since a time that has not been' mem-stats --since 2024-06
is 'none since' "$(stat searches)" 0
check 'since yesterday' mem-stats --since yesterday
is 'all since' "$(stat searches)" 3

# ---- wrong usage, streams ----

check_err 'no time' 64 "no time: 'soon'" mem-stats --since soon
check_err 'an operand' 64 "takes no operand, not 'x'" mem-stats x
[ -w /dev/full ] && check_err 'a full disk' 74 'cannot write to stdout' sh -c 'exec mem-stats >/dev/full'

tty() {
	script -qec "$1" /dev/null </dev/null >"$top/tty" 2>&1
	tr -d '\r' <"$top/tty"
}
if command -v script >/dev/null 2>&1; then
	check_like 'a table on a terminal' '^messages +4$' tty mem-stats
	check_like 'shares as percent' '^searches.with_hits +66\.7 %$' tty mem-stats
	check_like 'NDJSON when asked' '^{"type":"stat"' tty 'mem-stats -j'
else
	skip 'a terminal' 'there is no script(1)'
fi

done_testing
