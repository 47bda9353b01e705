#!/bin/sh
# mem-search where vectors are sorted into cells: with all cells compared the hits are those of a
# memory without cells; with one cell what the words find, what a session holds and what a
# filter lets through is as it was there; what is far, by its session; two users; what has no
# vector, what is new, what goes; mem-check. The threshold is set low.
. "${0%/*}/lib.sh"

export MEM_MODELS="$top/models"
mkdir "$MEM_MODELS"
check 'a tiny model is made for the cells' "$B/tests/torture/tiny_model" "$top/tiny"
check 'the tiny model is converted for the cells' \
	mem-model convert "$top/tiny" -o "$MEM_MODELS/tiny.model"

awk 'BEGIN { a = "abcdefghijklmnopqrstuvw"; for (i = 0; i < 900; i++) {
	x = i * 7 % 23 + 1; y = i * 5 % 19 + 1; z = i * 3 % 17 + 1
	printf "{\"session\":\"s%d\",\"id\":\"%d\",\"role\":\"%s\",\"name\":\"%s\",\"time\":\"2024-%02d-%02dT10:00:00Z\",\"content\":\"%s%s %s%s %s%s\"}\n", i / 30, i,
		i % 2 ? "assistant" : "user", i % 3 ? "Ann" : "Bob", i / 75 % 12 + 1, i % 28 + 1, substr(a, x, 1), substr(a, y, 1), substr(a, z, 1), substr(a, x, 1), substr(a, y, 1), substr(a, z, 1)
} }' >in.ndjson
check '900 messages are stored for the cells' mem-ingest -q --from=ndjson in.ndjson
check '600 messages of another user are stored for the cells' \
	sh -c 'head -n 600 in.ndjson | mem-ingest -q -u other --from=ndjson -'
check 'all messages are embedded without cells' \
	env MEM_CELLS_FROM=0 mem-embed -q --all-users --model tiny
cp mem.db plain.db
check 'all messages are sorted into cells' \
	env MEM_CELLS_FROM=500 mem-embed -q --all-users --model tiny
n_cells() { sqlite3 mem.db 'SELECT count(*), min(cells) > 20 FROM vector_cells'; }
check_out 'both users have cells of their own' '2|1' n_cells
check 'the store is whole with cells' mem-check --full

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
same 'all cells give the same hits by similarity as none' --strategy dense
same 'all cells give the other user the same hits as none' -u other --strategy dense
# Of so few dimensions estimates are poor, and with them what the best of a session is.
overlap() {
	hits plain.db "$@" | awk '{ for (i = 1; i <= NF; i++) print NR, $i }' | sort >want
	hits mem.db "$@" | awk '{ for (i = 1; i <= NF; i++) print NR, $i }' | sort >got
	[ $(comm -12 want got | wc -l) -ge $(($(wc -l <want) * 7 / 10)) ]
}
check 'all cells give nearly the same hits by all signals' overlap
check 'all cells give the other user nearly the same hits by all signals' overlap -u other
export MEM_CELLS_PROBED=1
differ() {
	[ "$(hits plain.db --strategy dense -n 10)" != "$(hits mem.db --strategy dense -n 10)" ]; }
check 'one cell finds other hits by similarity than all' differ
same '--exact compares every vector where there are cells' --exact
same 'a session is searched whole where there are cells' -s s7 --scope session --strategy dense
check 'a session is searched by all signals where there are cells' overlap -s s7 --scope session
same 'a session is searched first, and then the rest, where there are cells' -s s12 --scope \
	session --strategy dense
same 'a role is searched whole where there are cells' --role assistant
same 'a name is searched whole where there are cells' --name Bob
same 'a time is searched whole where there are cells' --since 2024-03-01 --until 2024-03-20
same 'ranks of words and vectors are as without cells' --strategy rrf
same 'the sum of words and vectors is as without cells' --strategy hybrid
same 'hits by words alone are as without cells' --strategy lexical
same 'a session of the other user is searched whole where there are cells' -u other -s s7 --scope \
	session --strategy dense
check_out 'cells bring nothing of the other user' '' sh -c 'mem-search -n 50 "ab cd" |
	jq -r "select(.user == \"other\")"'
check_out 'what the words find has its similarity where there are cells' true \
	sh -c 'mem-search -n 10 "ab cd ef" |
	jq -s "all(.sim != null)"'

export MEM_CELLS_PROBED=1
sims() { mem-search -q -d "$1" -n 50 --strategy fused "ab cd" |
	jq -c '[.source_id, (.sim * 1000 | round)]' | sort; }
sims plain.db >want
sims mem.db >got
check 'similarities are exact where there are cells' \
	sh -c 'comm -12 want got | wc -l | jq -e ". >= 20"'

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

check 'a message is stored that is in no cell' sh -c \
	'echo "{\"session\":\"s900\",\"id\":\"900\",\"role\":\"user\",\"content\":\"xyxyx zz yy\"}" | mem-ingest -q'
check_out 'a message in no cell is found by its words' '["900",null]' sh -c 'mem-search -n 1 xyxyx |
	jq -c "[.source_id, .sim]"'
check 'a message in no cell gets a vector' env MEM_CELLS_FROM=500 mem-embed -q --model tiny
check_out 'a message in no cell is found by its meaning' 900 sh -c \
	'mem-search -n 3 --strategy dense "xyxyx zz yy" | jq -r .source_id | grep 900'
id=$(mem-search -q -n 1 --strategy lexical 'xyxyx' | jq -r .id)
check_like 'the message in no cell has an id' . echo "$id"
check 'old sessions are pruned with their vectors in cells' mem-prune -qf --sessions --days 60
check 'old sessions are pruned from the store without cells' \
	sh -c \
	'echo "{\"session\":\"s900\",\"id\":\"900\",\"role\":\"user\",\"content\":\"xyxyx zz yy\"}" | mem-ingest -q -d plain.db; MEM_CELLS_FROM=0 mem-embed -q -d plain.db --model tiny
	mem-prune -d plain.db -qf --sessions --days 60'
export MEM_CELLS_PROBED=1000000
same 'hits are the same when vectors of sessions went' --strategy dense
export MEM_CELLS_PROBED=1
check 'the store is whole when vectors of sessions went' mem-check --full

# ---- damage ----

damage() { sqlite3 mem.db "$1"; }
check 'a row of a cell is lost' \
	damage 'DELETE FROM vector_cell WHERE id = (SELECT min(id) FROM vector_cell)'
check_status 'a cell that lost a row is found by mem-check' 74 mem-check --full
check_like 'a cell that lost a row is told by mem-check' \
	'entries of cells that are not those of the codes' cat "$out"
check 'cells are repaired by mem-check' env MEM_CELLS_FROM=100 mem-check --repair
check 'the store is whole when cells were repaired' mem-check --full
# A damaged page takes the cells along, as they can be made again.
check 'what is left of the cells is sorted again' \
	env MEM_CELLS_FROM=100 mem-embed -q --all-users --model tiny
check_out 'both users have cells again after a repair' '2|1' n_cells
check 'a repair with MEM_CELLS_FROM=0 makes no cells' env MEM_CELLS_FROM=0 mem-check --repair
check_out 'a store repaired without cells has none' '0|' n_cells
check 'a store repaired without cells is whole' mem-check --full
done_testing
