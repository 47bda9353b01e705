#!/bin/sh
# mem-search where vectors are sorted into cells: with all cells compared the hits are those of a
# memory without cells; with one cell what the words find, what a session holds and what a
# filter lets through is as it was there; what is far, by its session; two users; what has no
# vector, what is new, what goes; mem-check. The threshold is set low.
. "${0%/*}/lib.sh"

export MEM_MODELS="$top/models"
mkdir "$MEM_MODELS"
check 'makes a tiny model' "$B/tests/torture/tiny_model" "$top/tiny"
check 'converts it' mem-model convert "$top/tiny" -o "$MEM_MODELS/tiny.model"

awk 'BEGIN { a = "abcdefghijklmnopqrstuvw"; for (i = 0; i < 900; i++) {
	x = i * 7 % 23 + 1; y = i * 5 % 19 + 1; z = i * 3 % 17 + 1
	printf "{\"session\":\"s%d\",\"id\":\"%d\",\"role\":\"%s\",\"name\":\"%s\",\"time\":\"2024-%02d-%02dT10:00:00Z\",\"content\":\"%s%s %s%s %s%s\"}\n", i / 30, i,
		i % 2 ? "assistant" : "user", i % 3 ? "Ann" : "Bob", i / 75 % 12 + 1, i % 28 + 1, substr(a, x, 1), substr(a, y, 1), substr(a, z, 1), substr(a, x, 1), substr(a, y, 1), substr(a, z, 1)
} }' >in.ndjson
check 'stores' mem-ingest -q --from=ndjson in.ndjson
check 'stores for another' sh -c 'head -n 600 in.ndjson | mem-ingest -q -u other --from=ndjson -'
check 'embeds, without cells' env MEM_CELLS_FROM=0 mem-embed -q --all-users --model tiny
cp mem.db plain.db
check 'and with' env MEM_CELLS_FROM=500 mem-embed -q --all-users --model tiny
n_cells() { sqlite3 mem.db 'SELECT count(*), min(cells) > 20 FROM vector_cells'; }
check_out 'cells of both' '2|1' n_cells
check 'the store is whole' mem-check --full

cat >questions <<'EOF'
zz yy
ab cd ef
how ah
what of it
qq
rs tu vw
EOF
# hits OPTION...: of each question the ids of ten hits; the first option names the store.
hits() {
	hits_db=$1
	shift
	while IFS= read -r question; do
		mem-search -q -d "$hits_db" -n 10 "$@" -- "$question" </dev/null |
			jq -r .source_id | tr '\n' ' '
		echo
	done <questions
}
same() {
	same_name=$1
	shift
	check_out "$same_name" "$(hits plain.db "$@")" hits mem.db "$@"
}
export MEM_CELLS_PROBED=1000000
same 'all cells: the same hits by similarity' --strategy dense
same 'of the other user' -u other --strategy dense
# Of so few dimensions estimates are poor, and with them what the best of a session is.
overlap() {
	hits plain.db "$@" | awk '{ for (i = 1; i <= NF; i++) print NR, $i }' | sort >want
	hits mem.db "$@" | awk '{ for (i = 1; i <= NF; i++) print NR, $i }' | sort >got
	[ $(comm -12 want got | wc -l) -ge $(($(wc -l <want) * 7 / 10)) ]
}
check 'nearly the same by all signals' overlap
check 'of the other user' overlap -u other
export MEM_CELLS_PROBED=1
differ() {
	[ "$(hits plain.db --strategy dense -n 10)" != "$(hits mem.db --strategy dense -n 10)" ]; }
check 'one cell: others are found by similarity' differ
same 'exactly, on request' --exact
same 'all of a session' -s s7 --scope session --strategy dense
check 'by all signals' overlap -s s7 --scope session
same 'a session, and then the rest, of what is asked of it first' -s s12 --scope session \
	--strategy dense
same 'a role' --role assistant
same 'a name' --name Bob
same 'a time' --since 2024-03-01 --until 2024-03-20
same 'ranks of both sides' --strategy rrf
same 'the sum of both' --strategy hybrid
same 'words alone' --strategy lexical
same 'of the other user a session' -u other -s s7 --scope session --strategy dense
check_out 'of the other user, nothing' '' sh -c 'mem-search -n 50 "ab cd" |
	jq -r "select(.user == \"other\")"'
check_out 'what the words find has its similarity' true sh -c 'mem-search -n 10 "ab cd ef" |
	jq -s "all(.sim != null)"'
# ---- where there are ten times as many vectors as cells begin with, a thread looks for what is
# near by itself, on a connection of its own: it finds the same ----

printf '%s\n' 'Bob?' 'what did Ann say?' >>questions
ahead() {
	check_out "by a thread of its own: ${*:-all signals}" "$(hits mem.db --explain "$@")" \
		env_ahead "$@"
}
env_ahead() { (export MEM_CELLS_FROM=50; hits mem.db --explain "$@"); }
for probed in 1 20; do
	export MEM_CELLS_PROBED=$probed
	ahead
	ahead --strategy dense
	ahead --role assistant
	ahead --exact
	ahead -u other -s s7
	ahead -s s12 --scope session
done
export MEM_CELLS_PROBED=1
many() { jq -Rc '{query: .}' questions | mem-search -q --user "$1" -n 5 | jq -r .source_id |
	tr '\n' ' '; echo; }
(export MEM_CELLS_FROM=50; many default >ahead1; many other >ahead2)
check_out 'many questions of one process' "$(many default)" cat ahead1
check_out 'of the other user' "$(many other)" cat ahead2

sims() { mem-search -q -d "$1" -n 50 --strategy fused "ab cd" |
	jq -c '[.source_id, (.sim * 1000 | round)]' | sort; }
sims plain.db >want
sims mem.db >got
check 'which is exact' sh -c 'comm -12 want got | wc -l | jq -e ". >= 20"'

# ---- sessions ----

# No word of these questions is in the memory. By similarity alone the cell, and what was looked up
# to know what all are like, are all there is; by all signals the sessions of the best are
# looked through as well, and some of what is found there are hits where all vectors are compared,
# too. Which, depends on the cells, and they on the order in which two threads were done.
beyond() {
	for question in zm zz yn; do
		mem-search -q -n 900 --strategy dense "$question" |
			jq -r '"\(.source_id) \(.session)"' | sort >near
		mem-search -q -n 60 "$question" | jq -r '"\(.source_id) \(.session)"' | sort >all
		mem-search -q -n 30 -d plain.db "$question" | jq -r '"\(.source_id) \(.session)"' \
			| sort >compared
		comm -13 near all >beyond
		cut -d' ' -f2 near | sort -u >sessions
		echo "$(wc -l <beyond) $(comm -12 beyond compared | wc -l) $(awk 'NR == FNR { s[$1]; next } !($2 in s)' sessions beyond | wc -l)"
	done | awk '{ found += $1; right += $2; elsewhere += $3 } END { print (found > 0), (right > 0), elsewhere }'
}
check_out 'in a cell that is far, yet in the session of what is near: found by it' '1 1 0' beyond

# ---- what is new, what has no vector, what goes ----

check 'something new' sh -c \
	'echo "{\"session\":\"s900\",\"id\":\"900\",\"role\":\"user\",\"content\":\"xyxyx zz yy\"}" | mem-ingest -q'
check_out 'is found by its words' '["900",null]' sh -c 'mem-search -n 1 xyxyx |
	jq -c "[.source_id, .sim]"'
check 'and with a vector' env MEM_CELLS_FROM=500 mem-embed -q --model tiny
check_out 'by its meaning, although it is in no cell yet' 900 sh -c \
	'mem-search -n 3 --strategy dense "xyxyx zz yy" | jq -r .source_id | grep 900'
id=$(mem-search -q -n 1 --strategy lexical 'xyxyx' | jq -r .id)
check_like 'there is one' . echo "$id"
check 'old sessions go' mem-prune -qf --sessions --days 60
check 'there' sh -c 'echo "{\"session\":\"s900\",\"id\":\"900\",\"role\":\"user\",\"content\":\"xyxyx zz yy\"}" | mem-ingest -q -d plain.db; MEM_CELLS_FROM=0 mem-embed -q -d plain.db --model tiny
	mem-prune -d plain.db -qf --sessions --days 60'
export MEM_CELLS_PROBED=1000000
same 'with their vectors: the hits are the same' --strategy dense
export MEM_CELLS_PROBED=1
check 'the store is whole' mem-check --full

# ---- damage ----

damage() { sqlite3 mem.db "$1"; }
check 'a cell is lost' damage 'DELETE FROM vector_cell WHERE id = (SELECT min(id) FROM vector_cell)'
check_status 'which is found' 74 mem-check --full
check_like 'and said' 'entries of cells that are not those of the codes' cat "$out"
check 'repaired' env MEM_CELLS_FROM=100 mem-check --repair
check 'it is whole' mem-check --full
# A damaged page takes the cells along, as they can be made again.
check 'what is left is sorted again' env MEM_CELLS_FROM=100 mem-embed -q --all-users --model tiny
check_out 'with cells' '2|1' n_cells
check 'never any' env MEM_CELLS_FROM=0 mem-check --repair
check_out 'is without' '0|' n_cells
check 'and whole' mem-check --full
done_testing
