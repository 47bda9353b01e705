#!/bin/sh
# mem-show --why and --seen: what searches and blocks handed out, what they left out and why.
. "${0%/*}/lib.sh"
command -v sqlite3 >/dev/null 2>&1 || skip_all 'no sqlite3'

said() { # SESSION ID TIME CONTENT
	jq -cn --arg s "$1" --arg i "$2" --arg t "$3" --arg c "$4" \
		'{session: $s, id: $i, role: "user", name: "Ann", time: $t, content: $c}'
}
{
	said a m2 2024-05-01T10:00:00Z 'The lighthouse keeper paints the tower white every spring!'
	said a m1 2024-05-01T10:01:00Z 'The lighthouse keeper paints the tower white every spring.'
	said b m3 2024-05-02T10:00:00Z 'A lighthouse stands on the cliff above the old harbour town.'
	said c m4 2024-05-03T10:00:00Z 'Quinces want a warm wall and much patience.'
} >in.ndjson
id() { mem-show "source:$1" | jq -r .id; }
why() { mem-show --why "$1" >why && jq -r "$2" why; }

check_err 'no store: nothing is there' 66 'no record' mem-show --why source:m1
check 'messages that are searched for are stored' mem-ingest -q in.ndjson
check_err 'nothing was asked yet' 66 "no search that is kept found '$(id m1)'" \
	mem-show --why source:m1
check_err 'what was not handed out is told as that' 66 \
	"no search that is kept handed out '$(id m1)'" mem-show --seen source:m1

# ---- a search ----

mem-search -j --explain lighthouse keeper >hits
check_out 'a hit: program, strategy, what became of it, rank' 'mem-search fused out 1' sh -c \
	'head -1 hits | mem-show --why >why && jq -r "\"\(.program) \(.strategy) \(.did) \(.rank)\"" why'
check_out 'why tells by which words it was found' '["bm25"]' sh -c 'jq -c .lists why'
check 'why tells the score, p and BM25 of the hit' sh -c 'head -1 hits | jq -e --slurpfile w why \
	"(.score - \$w[0].score | fabs) < .001 and (.p - \$w[0].p | fabs) < .001 and
	(.bm25 - \$w[0].bm25 | fabs) < .001"'
check 'why tells the signals, too, to three digits, and no other' sh -c 'head -1 hits |
	jq -e --slurpfile w why "(.signals | with_entries(select(.value != 0))) as \$s |
	(\$s | keys) == (\$w[0].signals | keys) and
	all(\$s | keys[]; (\$s[.] - \$w[0].signals[.] | fabs) <= (\$s[.] | fabs) / 100)"'
check_out 'why tells all hits of that search in their order' "$(jq -r .id hits)" \
	jq -r '.items[].id' why
check_out '--seen tells the search in which it was handed out' 'mem-search 1' sh -c \
	'mem-show --seen source:m1 >seen && jq -r "\"\(.program) \(.rank)\"" seen'
check_err 'what the search did not find' 66 'no search that is kept' mem-show --why source:m4
check_err 'another user sees nothing of it' 66 'no record' mem-show --why -u other source:m1
mem-search -n 1 --no-touch quinces patience >none
check_err 'a search that writes nothing leaves none' 66 'no search that is kept' \
	mem-show --why source:m4
check_out 'no word of a question is kept' 0 sh -c \
	'mem-search -q zzunheard of lighthouse >none; cat mem.db* | grep -ac zzunheard || true'

# ---- a block ----

mem-context --budget 70 --max-turns 1 lighthouse keeper >block
check_out 'why tells of a turn in the block' 'mem-context out true' why source:m1 \
	'"\(.program) \(.did) \(.tokens > 0)"'
check_out 'when the block is full' 'no room' why source:m3 .did
mem-context lighthouse keeper >block
check_out 'nearly the same text is a twin' twin why source:m2 .did
check_out 'the items of the block say what is a twin' "$(id m2) twin
$(id m1) out
$(id m3) out" sh -c 'jq -r ".items[] | \"\(.id) \(.did)\"" why | sort'
check_out 'newest first, and only where it was handed out' 'mem-search
mem-search' sh -c 'mem-show --seen source:m2 >seen && jq -r .program seen'
check_out 'the other twin is in both blocks' 'mem-context
mem-context
mem-search
mem-search' sh -c 'mem-show --seen source:m1 >seen && jq -r .program seen'
MEM_LIKELY=1 mem-context --likely cliff >block
check_out 'no hit is likely: none is in, and that is why' unlikely why source:m3 .did
mem-remember -q --fact 'The lighthouse keeper is called Ottokar' >fact
mem-context who is the lighthouse keeper >block
check_out 'why tells of a fact in the block' 'out true ["bm25"]' \
	why "$(mem-list facts -j | jq -r .id)" '"\(.did) \(.tokens > 0) \(.lists)"'
check_like 'why tells people the rank and the tokens' \
	'mem-context fused .*out, rank [0-9]+, [0-9]+ tokens$' \
	mem-show --format text --why source:m1
check_like 'why tells people what each signal is' 'BM25 of the turn$' \
	mem-show --format text --why source:m1
check_like 'why tells people how each item begins' \
	'^  [0-9A-Z]{26}  out       The lighthouse keeper paints ' \
	mem-show --format text --why source:m1
check_like '--seen tells people where it was handed out' '^mem-search fused ' \
	mem-show --format text --seen source:m1
check_out '--seen tells each that was looked at, and what became of it' "$(why source:m1 \
	'.items[] | "\(.id) \(.did)"')" sh -c 'mem-show --format text --why source:m1 |
	grep -oE "^  [0-9A-Z]{26}  [a-z]+" | tr -s " " | sed "s/^ //"'

# ---- what goes, and what is damaged ----

check_err 'a session is not handed out' 65 'no message and no record' mem-show --why a
check_err 'why and seen exclude each other' 64 'exclude each other' mem-show --why --seen source:m1
check 'it is not exported' sh -c 'mem-export >out && ! grep -e handed -e mem-context out'
sqlite3 mem.db "UPDATE metric SET handed = x'00' WHERE id = 1; UPDATE metric SET handed =
	substr(handed, 1, 40) WHERE id = 2"
check 'notes that are cut tell what they have' mem-show --why source:m1
gone=$(id m3)
check 'a message that was handed out is forgotten' mem-forget -qf --verify source:m3
check_out 'what is kept of others does not tell of it' 0 sh -c \
	'for i in m1 m2; do mem-show --why source:$i; done >why; grep -c "$0" why || true' "$gone"
check 'a session that was handed out is forgotten' mem-forget -qf --verify -s a
check 'a fact that was handed out is forgotten' \
	mem-forget -qf --verify "$(mem-list facts -j | jq -r .id)"
check_out 'nothing is left of any' 0 sqlite3 mem.db \
	'SELECT count(*) FROM metric WHERE length(handed) > 4'
check 'the store is in order' mem-check -q --deep

# ---- one fact goes, and others that were handed out stay ----

fresh
mem-ingest -q --from=ndjson <<'EOF'
{"session":"a","id":"k1","role":"user","content":"The ferry to Hiiumaa leaves at nine."}
EOF
first=$(mem-remember -j --fact 'The ferry of the north is slow' | jq -r .id)
second=$(mem-remember -j --fact 'The ferry of the south carries lorries' | jq -r .id)
mem-search -j --tier=insights,conversations ferry north south >hits
handed() { for i in "$first" "$second" source:k1; do
	mem-show --seen "$i" >seen 2>/dev/null && echo handed || echo none; done | xargs; }
check_out 'two facts and a message are handed out' 'handed handed handed' handed
check 'one of the facts handed out is forgotten' mem-forget -qf --verify "$first"
check_out 'of the others it is still told' 'none handed handed' handed


# ---- told by hooks ----

unset MEM_SEED

export MEM_DB="$PWD/hooked.db"
echo '{"session":"s","id":"h1","role":"user","content":"We keep the gantry key in the green box."}' |
	mem-ingest -q --from=ndjson
echo '{"session_id":"other","cwd":"/srv/yard","prompt":"where did we keep the gantry key?"}' |
	mem-hook claude-code UserPromptSubmit >told
check_like 'a hook tells it' 'green box' cat told
check_out '--seen knows what a hook told' 'mem-hook prompt' sh -c \
	'mem-show --seen source:h1 | jq -r "select(.program == \"mem-hook\") | \"\(.program) \(.strategy)\""'
check_like '--seen tells people of hooks' '^mem-hook prompt ' \
	mem-show --format text --seen source:h1
done_testing
