#!/bin/sh
# progressive.sh: the progressive search over memories whose five tiers are filled: categories of
# mem-cluster, facts and notes that people wrote, summaries of mem-summarize, what was said. How
# many tiers a question takes, how often it stops with enough, and recall beside that of fused.

# filled STORE USER: one conversation of LoCoMo, with what was made of it.
filled() {
	gzip -dc "$data/locomo/messages.ndjson.gz" | jq -c --arg u "$2" 'select(.conv == $u)' |
		mem-ingest -q -d "$1" --map '{session: .session, source_id: .id, time: .ts,
		name: .speaker, role: "user", content: (.text +
		(if .caption then " [shared: " + .caption + "]" else "" end))}' - >/dev/null
	mem-list -d "$1" | jq -c '{key: .source_id, value: .id}' | jq -sc from_entries >"$1.ids"
	gzip -dc "$data/locomo/facts.ndjson.gz" | jq -c --arg u "$2" --slurpfile ids "$1.ids" \
		'select(.conv == $u) | {type: "fact", content: .fact, sources: [.evidence[] |
		$ids[0][.] | select(. != null) | {id: .}]}' | mem-remember -q -d "$1" >/dev/null
	gzip -dc "$data/locomo/summaries.ndjson.gz" | jq -c --arg u "$2" 'select(.conv == $u) |
		{type: "reflection", content: .summary}' | mem-remember -q -d "$1" >/dev/null
	mem-summarize -q -d "$1" >/dev/null
}

# stepped NAME STORE QUERIES: a row.
stepped() {
	mem-search --no-touch -d "$2" --explain --strategy progressive <"$3" |
		jq -c 'select(.type == "steps")' >"$2.steps"
	mem-eval -q -d "$2" -k 5 --strategy fused,progressive "$3" |
		jq -c 'select(.category == "all")' >"$2.scores"
	printf '  %-24s %4d  %5.2f   %.2f    %.3f  %.3f\n' "$1" "$(wc -l <"$2.steps")" \
		$(jq -rs 'def mean(f): (map(f) | add) / length; "\(mean(.tiers | length)) \(mean(
			if .stopped == "enough" then 1 else 0 end))"' "$2.steps") \
		$(jq -rs 'map({(.strategy): ."recall@5"}) | add | "\(.fused) \(.progressive)"' \
			"$2.scores")
}

progressive() {
	say
	say "PROGRESSIVE: LoCoMo, five tiers filled. Tiers of a question, share that stopped with enough, recall@5 of fused and progressive"
	if [ ! -f "$data/locomo/facts.ndjson.gz" ]; then
		say "left out: no $data/locomo/facts.ndjson.gz (MEM_BENCH_DATA)"
		return
	fi
	p=$work/progressive
	printf '  %-24s %4s  %5s  %5s  %5s  %s\n' '' n tiers enough fused progressive
	for u in ${BENCH_CONVERSATIONS:-conv-26 conv-41}; do
		rm -f "$p".*
		filled "$p.words.db" "$u"
		gzip -dc "$data/locomo/queries.ndjson.gz" | jq -c --arg u "$u" \
			'select(.conv == $u) | {query, relevant: .evidence}' >"$p.queries"
		mem-check -q -d "$p.words.db" --backup "$p.db"
		mem-cluster -q -d "$p.words.db"
		stepped "$u, words" "$p.words.db" "$p.queries"
		for model in $(ls "$B/models/" 2>/dev/null | sed -n 's/\.model$//p'); do
			cp "$p.db" "$p.model.db"
			mem-embed -q -d "$p.model.db" --model "$model" >/dev/null
			mem-cluster -q -d "$p.model.db"
			MEM_MODEL=$model stepped "$u, $model" "$p.model.db" "$p.queries"
			rm -f "$p.model".*
		done
	done
	rm -f "$p".*
}
