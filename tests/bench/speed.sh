#!/bin/sh
# speed.sh: whole processes, page cache warm, in turns with the peer: ingest, search, start to exit;
# and whether shortcuts change the ranking.

count_of() { case $1 in *k) echo "${1%k}000" ;; *m) echo "${1%m}000000" ;; *) echo "$1" ;; esac; }

# The generated input is the same every time, so it may stay from an earlier run.
records() { # lines|pieces SIZE
	[ -s "$work/$1.$2.ndjson" ] && return
	n=$(count_of "$2")
	case $1 in
	lines)	"$tools/workload" lines "$n" "$load/irc-ubuntu/messages.ndjson.gz" ;;
	pieces)	"$tools/workload" pieces "$n" 540 "$data/beam-100k/messages.ndjson.gz" ;;
	spread)	"$tools/workload" spread "$n" 540 50 "$data/beam-100k/messages.ndjson.gz" ;;
	esac >"$work/part" && mv "$work/part" "$work/$1.$2.ndjson"
}

drop() { for f; do rm -f "$f" "$f-wal" "$f-shm" "$f.lock" "$f.embed"; done; }

# ingest KIND SIZE: 3 runs, 1 of a million, in turns with the bare program; the last store stays as
# $work/KIND.SIZE.db.
ingest() {
	kind=$1 size=$2 n=$(count_of "$2")
	db=$work/$kind.$size.db
	runs='1 2 3'
	[ "$n" -le 100000 ] || runs=1
	: >"$work/ingest.times"
	: >"$work/bare.times"
	: >"$work/fts5.times"
	for run in $runs; do
		drop "$db" "$work/bare.db"
		printf 'ingest\tmem-ingest\t-d\t%s\t--from=ndjson\t%s\n' "$db" \
			"$work/$kind.$size.ndjson" |
			"$tools/timeit" >>"$work/ingest.times"
		"$tools/bare_insert" -f "$db" "$work/bare.db" "$n" >>"$work/fts5.times" ||
			n_bad=$((n_bad + 1))
		drop "$work/bare.db"
		"$tools/bare_insert" "$db" "$work/bare.db" "$n" >>"$work/bare.times" ||
			n_bad=$((n_bad + 1))
	done
	drop "$work/bare.db"
	rate "$n" "$work/ingest.times"
	fts5=$(median per_second "$work/fts5.times")
	bare=$(median per_second "$work/bare.times")
	printf '  %-14s %6s  %9s /s  %9s /s  %5s  %9s /s  %5s  %8s KB\n' "$kind" "$size" "$rate" \
		"$fts5" "$(calc %.2f "$rate / $fts5")" \
		"$bare" "$(calc %.2f "$rate / $bare")" "$(field max_rss_kb <"$work/ingest.times")"
}

# Sets rate to the messages a second of what timeit measured; 0 when a run failed.
rate() { # N FILE
	rate=0
	if grep -q '"failures":[1-9]' "$2"; then
		n_bad=$((n_bad + 1))
	else
		rate=$(calc %.0f "$1 / ($(median p50_ms "$2") / 1000)")
	fi
}

median() { sed -n 's/.*"'"$1"'":\([0-9.]*\).*/\1/p' "$2" | sort -n |
	awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'; }

# Two other ways in, by the median of three: through a --map, and 50 sessions whose turns come
# mixed.
ingest_other() {
	records spread "$1"
	for way in map spread; do
		: >"$work/ingest.times"
		for run in 1 2 3; do
			drop "$work/other.db"
			case $way in
			map)	printf \
				'x\tmem-ingest\t-d\t%s\t--map\t{session, source_id, role, content}\t%s\n' \
				"$work/other.db" \
					"$work/pieces.$1.ndjson" ;;
			spread)	printf 'x\tmem-ingest\t-d\t%s\t--from=ndjson\t%s\n' \
				"$work/other.db" "$work/spread.$1.ndjson" ;;
			esac | "$tools/timeit" >>"$work/ingest.times"
		done
		rate "$(count_of "$1")" "$work/ingest.times"
		printf '  %-14s %6s  %9s /s\n' \
			"$([ $way = map ] && echo 'pieces, --map' || echo '50 sessions')" "$1" \
			"$rate"
	done
	drop "$work/other.db"
}

search() { # KIND SIZE
	db=$work/$1.$2.db
	peer=$work/$1.$2.fts5
	rm -f "$peer"
	"$tools/workload" table "$peer" "$work/$1.$2.ndjson" &&
		"$tools/workload" questions "$n_questions" \
			"$work/lines.$2.ndjson" >"$work/questions" &&
		"$tools/workload" commands mem-search "$db" sqlite3 "$peer" \
			"$work/questions" >"$work/commands" || { n_bad=$((n_bad + 1)); return; }
	"$tools/timeit" -w "$work/commands" >"$work/search.times"
	grep -q '"failures":[1-9]' "$work/search.times" && n_bad=$((n_bad + 1))
	m=$(of mem-search p50_ms <"$work/search.times") p=$(of fts5 p50_ms <"$work/search.times")
	printf '  %-8s %6s  %8.2f %8.2f   %9.2f %9.2f   %6sx   %8s KB  %s\n' "$1" "$2" "$m" \
		"$(of mem-search p95_ms <"$work/search.times")" \
		"$p" "$(of fts5 p95_ms <"$work/search.times")" "$(calc %.1f "$p / $m")" \
			"$(of mem-search max_rss_kb <"$work/search.times")" \
		"$(agreement "$db")"
}

# The ids of the first ten hits, a line a question.
answers() { # DB OPTION...
	answers_db=$1
	shift
	while IFS= read -r question; do
		mem-search -j --no-touch -n 10 -d "$answers_db" "$@" -- "$question" </dev/null |
			sed -n 's/^{"type":"hit","rank":[0-9]*,"id":"\([^"]*\)".*/\1/p' |
				tr '\n' ' '
		echo
	done <"$work/questions"
}

# overlap@10: the share of the full computation's first ten that are among the default's, mean over
# the questions that have hits.
agreement() {
	answers "$1" >"$work/answers.default"
	answers "$1" --exact >"$work/answers.exact"
	paste -d'|' "$work/answers.default" "$work/answers.exact" | awk -F'|' '
		{ n = split($2, exact, " "); m = split($1, mine, " "); delete in_mine
		  for (i = 1; i <= m; i++) in_mine[mine[i]] = 1
		  hits = 0; for (i = 1; i <= n; i++) hits += (exact[i] in in_mine)
		  if (n) { sum += hits / n; asked++ } }
		END { if (asked) printf "%.4f (%d)\n", sum / asked, asked; else print "no hits" }'
}

# All chat lines there are, once, with vectors: $work/lines.once.MODEL.db.
embed_once() { # MODEL
	[ ! -s "$work/lines.once.$1.db" ] || return 0
	lines=$(gzip -dc "$load/irc-ubuntu/messages.ndjson.gz" | wc -l)
	drop "$work/once.db"
	"$tools/workload" lines "$lines" "$load/irc-ubuntu/messages.ndjson.gz" |
		mem-ingest -q -d "$work/once.db" --from=ndjson - &&
		mem-embed -q -d "$work/once.db" --model "$1" &&
			mem-check -q --checkpoint -d "$work/once.db" && mv "$work/once.db" \
			"$work/lines.once.$1.db"
}

# A copy of the chat lines with vectors, $work/lines.SIZE.MODEL.db: of up to 100,000 those of the
# model; of more, which are copies, drawn like those of their lines.
embed() { # MODEL SIZE
	with=$work/lines.$2.$1.db
	drop "$with"
	cp "$work/lines.$2.db" "$with" || return
	case $2 in
	*m)	embed_once "$1" && "$tools/vectors_tool" like "$work/lines.once.$1.db" "$with" ;;
	*)	mem-embed -q -d "$with" --model "$1" ;;
	esac
}

search_by_meaning() { # MODEL SIZE
	embed "$1" "$2" || { say "  $1 $2: left out: no model"; return; }
	"$tools/workload" questions "$n_questions" "$work/lines.$2.ndjson" >"$work/questions" || {
		n_bad=$((n_bad + 1)); return; }
	while IFS= read -r question; do
		for strategy in fused lexical; do
			printf '%s\tmem-search\t-d\t%s\t--no-touch\t--strategy\t%s\t--\t%s\n' \
				$strategy "$with" $strategy "$question"
		done
	done <"$work/questions" >"$work/commands"
	"$tools/timeit" -w "$work/commands" >"$work/search.times"
	grep -q '"failures":[1-9]' "$work/search.times" && n_bad=$((n_bad + 1))
	f=$(of fused p50_ms <"$work/search.times") w=$(of lexical p50_ms <"$work/search.times")
	printf '  %-22s %6s  %8.2f %8.2f   %9.2f %9.2f   %6s ms  %8s KB  %s\n' "$1" "$2" "$f" \
		"$(of fused p95_ms <"$work/search.times")" \
		"$w" "$(of lexical p95_ms <"$work/search.times")" "$(calc %.1f "$f - $w")" \
			"$(of fused max_rss_kb <"$work/search.times")" "$(agreement "$with")"
	reads fused "$with"
	reads lexical "$with"
}

# What a question reads of the store, and how many rounds that would be for a database far away.
reads() { # STRATEGY DB
	"$tools/rounds_tool" "$2" "$1" "$work/questions" >"$work/reads" || { n_bad=$((n_bad + 1));
		return; }
	printf '  %-22s %s\n' "$1, reads" "$(tr '\n' ';' <"$work/reads")"
}

by_meaning() {
	say
	say "SEARCH WITH VECTORS: the same questions of the chat lines by all signals, beside words alone in the same store, in turns, ms; a million's vectors are drawn like real ones"
	[ -n "${BENCH_MODELS-}" ] || { say "left out: no model is named (BENCH_MODELS)"; return; }
	say "overlap@10: hits of --exact, which compares all vectors and takes no shortcut by words, that the default finds; a million's stand in cells"
	printf '  %-22s %6s  %8s %8s   %9s %9s   %9s  %11s  %s\n' '' messages 'mem p50' p95 \
		'words p50' p95 more 'peak RSS' 'overlap@10 with --exact'
	for model in $(echo "$BENCH_MODELS" | tr , ' '); do
		for size in $(echo "$BENCH" | tr , ' '); do
			search_by_meaning "$model" "$size"
			drop "$work/lines.$size.$model.db"
		done
		drop "$work/lines.once.$model.db"
	done
}

# Start to exit, nothing to do: an empty store, one record; beside them the shell on an empty file
# and /bin/true.
start() {
	drop "$work/empty.db"
	rm -f "$work/empty.sqlite"
	mem-ingest -q -d "$work/empty.db" --from=ndjson </dev/null >/dev/null
	sqlite3 "$work/empty.sqlite" 'CREATE TABLE t (x)' 2>/dev/null
	store=$(ls "$work"/lines.*.db | head -n 1)
	id=$(mem-list -d "$store" messages -n 1 | field id)
	i=0
	while [ $i -lt 100 ]; do
		printf 'search\tmem-search\t-d\t%s\twhere were we\n' "$work/empty.db"
		printf 'show\tmem-show\t-d\t%s\t%s\n' "$store" "$id"
		printf 'shell\tsqlite3\t%s\tSELECT * FROM t\n' "$work/empty.sqlite"
		printf 'true\ttrue\n'
		i=$((i + 1))
	done >"$work/commands"
	"$tools/timeit" -w "$work/commands" >"$work/start.times"
	grep -q '"failures":[1-9]' "$work/start.times" && n_bad=$((n_bad + 1))
	say
	say "START TO EXIT, 100 times each in turns: ms p50, p95"
	for l in search show shell true; do
		printf '  %-44s %6.2f %6.2f\n' \
			"$(case $l in search) echo 'mem-search, empty store' ;; show) echo 'mem-show, one message' ;;
			shell) echo 'sqlite3, one empty table' ;; *) echo 'true' ;; esac)" \
			"$(of $l p50_ms <"$work/start.times")" \
				"$(of $l p95_ms <"$work/start.times")"
	done
	drop "$work/empty.db"
}

# Sets kinds to what can be made here; a million only of lines.
kinds_of() {
	kinds=
	[ ! -f "$load/irc-ubuntu/messages.ndjson.gz" ] || kinds=lines
	case $1 in
	*m)	;;
	*)	[ ! -f "$data/beam-100k/messages.ndjson.gz" ] || kinds="$kinds pieces" ;;
	esac
}

# Makes the stores of all sizes, once for the speed and the size section.
: "${made_stores:=no}"
make_stores() {
	[ $made_stores = no ] || return 0
	made_stores=yes
	rm -f "$work"/lines.*.db* "$work"/pieces.*.db*
	say
	say "INGEST: mem-ingest --from=ndjson to its end (searchable, durable). Peers that only insert the same rows into the same tables, under the same"
	say "settings: with FTS5 making the full text in place of ours; and bare, the full text's rows copied as they ended up, nothing tokenised"
	printf '  %-14s %6s  %12s  %12s  %5s  %12s  %5s  %11s\n' '' messages mem-ingest \
		'with FTS5' ratio bare ratio 'peak RSS'
	for size in $(echo "$BENCH" | tr , ' '); do
		kinds_of "$size"
		for kind in $kinds; do
			records $kind "$size" && ingest $kind "$size"
		done
		case "$size $kinds" in 100k*pieces*) ingest_other 100k ;; esac
	done
}

speed_is_possible() {
	have mem-ingest && have mem-search || {
		say "left out: mem-ingest or mem-search is not built"; return 1; }
	have sqlite3 || { say "left out: the peer, the sqlite3 shell, is missing"; return 1; }
	[ -f "$load/irc-ubuntu/messages.ndjson.gz" ] || {
		say "left out: no chat lines at $load (MEM_BENCH_LOAD)"; return 1; }
}

speed() {
	say
	say "SPEED: lines are chat (56 bytes), pieces are 540 bytes of assistant logs; a size past the data goes on in copies with a tenth of the words replaced"
	speed_is_possible || return
	make_stores
	say
	say "SEARCH: $n_questions questions (lines that end in '?', 4-12 words), whole processes in turns, ms; peer: sqlite3 shell, FTS5 porter, ORDER BY rank LIMIT 10"
	printf '  %-8s %6s  %8s %8s   %9s %9s   %7s   %11s  %s\n' '' messages 'mem p50' p95 \
		'peer p50' p95 ratio 'peak RSS' 'overlap@10 with --exact'
	for size in $(echo "$BENCH" | tr , ' '); do
		kinds_of "$size"
		for kind in $kinds; do
			search $kind "$size"
		done
	done
	by_meaning
	start
}
