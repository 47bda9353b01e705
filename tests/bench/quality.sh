#!/bin/sh
# quality.sh: the labelled sets, each asked through mem-eval, and beside it SQLite's bm25()
# (fts5_peer.c) on the same questions.
#
#	BENCH_MODELS=all-MiniLM-L6-v2,multilingual-e5-small      with vectors of these, too, after
#	words alone; MEM_BENCH_MODELS says where they are

# One conversation a user, unless a set has none.
map='{user: (.conv // "all"), session: (.session // .id), source_id: .id, time: .ts, name: .speaker, role: (.role // "user"),
 content: (.text + (if .caption then " [shared: " + .caption + "]" else "" end))}'

# Of each question's longest word the third letter and the fourth change places.
misspelt='([.query | scan("[A-Za-z]{5,}")] | max_by(length)) as $w |
 if $w == null then . else .query |= sub($w; $w[0:2] + $w[3:4] + $w[2:3] + $w[4:]) end'

query_map() { printf '{user: (.conv // "all"), qid: .qid, category: .category, query: .%s, relevant: .evidence}' "$1"; }

row() { # who, its score records, ms or -
	awk -v who="$1" '
		function get(key) { return match($0, "\"" key "\":[^,}]*") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : "" }
		get("category") == "\"all\"" { n = get("n"); r5 = get("recall@5");
			r10 = get("recall@10"); g = get("ndcg@10"); a = get("any@1")
			m = get("mrr@10"); p50 = get("ms_p50"); p95 = get("ms_p95") }
		get("category") == "\"macro\"" { macro = get("ndcg@10") }
		END { printf "  %-22s %5d  %.3f  %.3f  %.3f  %.3f  %.3f  %.3f  %7.2f %7.2f\n", who, n, a, r5, r10, g, macro, m, p50, p95 }' "$2"
}

peer() { # variant, messages, queries, field
	"$tools/fts5_peer" -t "$1" -q "$4" -s "$stop" "$2" "$3" >"$work/peer.scores" &&
		row "bm25() $1" "$work/peer.scores"
}

# embedded DB MODEL: gives all that is in it vectors; words: none.
embedded() {
	[ "$2" = words ] || mem-embed -q -d "$1" --all-users --model "$2" >/dev/null
}

eval_row() { # who, strategy, questions
	if mem-eval -q -j -d "$db" --multi-user --map "$(query_map "$field")" --strategy "$2" \
		-k 1,5,10 "$3" >"$work/mem.scores"; then
		row "$1" "$work/mem.scores"
	else
		n_bad=$((n_bad + 1))
	fi
}

# ask NAME MESSAGES QUERIES FIELD VARIANT...
ask() {
	name=$1 messages=$2 queries=$3 field=$4
	shift 4
	if [ ! -f "$messages" ] || [ ! -f "$queries" ]; then
		say "$name: left out, no $messages or $queries"
		return
	fi
	say "$name ($field)"
	db=$work/quality.$(basename "$(dirname "$messages")").db
	if [ ! -f "$db" ]; then
		mem-ingest -q -d "$db" --multi-user --map "$map" "$messages" >/dev/null || {
			n_bad=$((n_bad + 1)); return; }
	fi
	for s in bm25 fused; do
		eval_row "mem-search $s" $s "$queries"
	done
	if [ "$name" = locomo ]; then
		gzip -dc "$queries" | jq -c "$misspelt" >"$work/misspelt.ndjson"
		eval_row 'fused, a word misspelt' fused "$work/misspelt.ndjson"
	fi
	for model in $(echo "${BENCH_MODELS-}" | tr , ' '); do
		embedded "$db" $model || { n_bad=$((n_bad + 1)); continue; }
		eval_row "$model" fused "$queries"
		[ "$name" != locomo ] || eval_row '  a word misspelt' fused "$work/misspelt.ndjson"
	done
	for variant in "$@"; do
		peer "$variant" "$messages" "$queries" "$field"
	done
}

# The documents of a set as one session, in no order: nobody who keeps notes in a file thinks of
# sessions. To $work/SET-list/messages.ndjson.gz.
in_a_list() { # SET DOCUMENTS
	mkdir -p "$work/$1-list"
	gzip -dc "$2" | jq -s -c 'sort_by(.id | explode | reverse)[] | .session = "list"' |
		gzip >"$work/$1-list/messages.ndjson.gz"
}

quality() {
	say
	say "QUALITY: evidence found, one conversation a user; peer: FTS5 and bm25() on the message, a table a conversation, stop words out"
	if [ ! -d "$data" ]; then
		say "left out: no labelled sets at $data (MEM_BENCH_DATA)"
		return
	fi
	have mem-ingest && have mem-eval || { say "left out: mem-ingest or mem-eval is not built";
		return; }
	rm -f "$work"/quality.*.db*
	printf '  %-22s %5s  %-5s  %-5s  %-5s  %-5s  %-5s  %-5s  %7s %7s\n' '' n any@1 R@5 R@10 \
		nDCG10 macro MRR10 'ms p50' p95
	sets=${BENCH_SETS:-locomo,beam-100k,memdaily-zh,code-id,cranfield,cosqa}
	for set in locomo beam-100k; do
		! has "$sets" $set || ask $set "$data/$set/messages.ndjson.gz" \
			"$data/$set/queries.ndjson.gz" query porter
	done
	! has "$sets" memdaily-zh || ask memdaily-zh "$data/memdaily-zh/messages.ndjson.gz" \
		"$data/memdaily-zh/queries.ndjson.gz" query \
		unicode61 trigram pairs chars
	if has "$sets" code-id; then
		ask code-id "$data/beam-100k/messages.ndjson.gz" "$data/code-id/queries.ndjson.gz" \
			query porter unicode61
		ask code-id "$data/beam-100k/messages.ndjson.gz" "$data/code-id/queries.ndjson.gz" \
			query_words porter unicode61
	fi
	for set in cranfield/docs cosqa/codebase; do
		name=${set%/*}
		has "$sets" $name || continue
		documents=$data/$set.ndjson.gz questions=$data/$name/queries.ndjson.gz
		ask $name "$documents" "$questions" query porter
		[ ! -f "$documents" ] || in_a_list $name "$documents"
		ask "$name in a list" "$work/$name-list/messages.ndjson.gz" "$questions" query
	done
	rm -rf "$work"/quality.*.db* "$work"/*.scores "$work"/*-list
}
