#!/bin/sh
# asked.sh: the questions of two labelled sets as people ask them: in a sentence or two of talk
# (asked/SET-wrapped), in a prompt of up to 180 words and as that asks when it is bare (asked/long),
# and those that have two or more pieces of evidence. Functions are those of quality.sh.
#
#	BENCH_MODELS=all-MiniLM-L6-v2,multilingual-e5-small      with vectors of these, too

# asked_row WHO FIELD FILTER FILE: those of the questions that the filter of jq lets through
asked_row() {
	gzip -dc "$4" | jq -c "select($3)" >"$work/asked.ndjson"
	field=$2
	eval_row "$1" fused "$work/asked.ndjson"
}

asked() {
	say
	say "ASKED: questions as people ask them, one conversation a user"
	[ -f "$data/asked/long.ndjson.gz" ] || {
		say "left out: no $data/asked/long.ndjson.gz (MEM_BENCH_DATA)"; return; }
	have jq || { say 'left out: jq is missing'; return; }
	printf '  %-22s %5s  %-5s  %-5s  %-5s  %-5s  %-5s  %-5s  %7s %7s\n' '' n any@1 R@5 R@10 \
		nDCG10 macro MRR10 'ms p50' p95
	for set in locomo beam-100k; do
		db=$work/asked.db
		rm -f "$db"*
		mem-ingest -q -d "$db" --multi-user --map "$map" "$data/$set/messages.ndjson.gz" \
			>/dev/null || { n_bad=$((n_bad + 1)); continue; }
		for model in words $(echo "${BENCH_MODELS-}" | tr , ' '); do
			say "$set, $model"
			embedded "$db" $model || { n_bad=$((n_bad + 1)); continue; }
			asked_row bare query true "$data/$set/queries.ndjson.gz"
			asked_row '  two or more evidence' query \
				'(.evidence | unique | length) > 1' "$data/$set/queries.ndjson.gz"
			asked_row wrapped query true "$data/asked/$set-wrapped.ndjson.gz"
			of_set=".conv | startswith(\"$(gzip -dc "$data/$set/queries.ndjson.gz" |
				sed -n '1s/.*"conv": *"\([a-z]*-\).*/\1/p')\")"
			asked_row 'long' query "$of_set" "$data/asked/long.ndjson.gz"
			asked_row '  the same, bare' bare "$of_set" "$data/asked/long.ndjson.gz"
		done
	done
	rm -f "$work"/asked.*
}
