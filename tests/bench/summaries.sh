#!/bin/sh
# summaries.sh: summaries of sessions without a model against those that people wrote; beside the
# first, the last and random turns of the same length. And what they leave out.

summaries() {
	say
	say "SUMMARIES: ROUGE-1 recall of summaries by rules, and of as many tokens of turns. ahead: share of sessions ahead of all three"
	if [ ! -f "$data/locomo/summaries.ndjson.gz" ]; then
		say "left out: no $data/locomo/summaries.ndjson.gz (MEM_BENCH_DATA)"
		return
	fi
	s=$work/summaries
	rm -f "$s".*
	gzip -dc "$data/locomo/summaries.ndjson.gz" >"$s.refs"
	gzip -dc "$data/locomo/messages.ndjson.gz" | mem-ingest -q -d "$s.db" \
		--multi-user \
		--map '{user: .conv, session: .session, source_id: .id, time: .ts, name: .speaker,
		role: "user", content: (.text +
			(if .caption then " [shared: " + .caption + "]" else "" end))}' \
		- >/dev/null || { n_bad=$((n_bad + 1)); return; }
	users=$(jq -r .conv "$s.refs" | sort -u)
	for u in $users; do mem-list -d "$s.db" -u "$u"; done >"$s.messages"
	mem-check -q -d "$s.db" --backup "$s.v0.db" || { n_bad=$((n_bad + 1)); return; }
	for u in $users; do mem-summarize -d "$s.db" -u "$u" --rules; done >"$s.words"
	set -- "by words=$s.words"
	for model in $(ls "$B/models/" 2>/dev/null | sed -n 's/\.model$//p'); do
		cp "$s.v0.db" "$s.v.db"
		for u in $users; do mem-embed -q -d "$s.v.db" -u "$u" \
			--model "$model" >/dev/null; done
		for u in $users; do mem-summarize -d "$s.v.db" -u "$u" --rules; done >"$s.$model"
		[ ! -s "$s.$model" ] || set -- "$@" "and $model=$s.$model"
		rm -f "$s.v.db"*
	done
	printf '  %-26s %5s  %6s  %6s  %6s  %6s  %s\n' '' n ours first last random ahead
	"$tools/summaries_tool" "$s.refs" "$s.messages" "$@" || n_bad=$((n_bad + 1))
	say "  left out of a summary by words, on average: $(jq -rs 'def mean(f): (map(f // 0) | add) / length * 100 | round / 100;
		"\(mean(.lost.left_out.names)) names, \(mean(.lost.left_out.numbers)) numbers, \(mean(.lost.left_out.dates)) dates, \(mean(.lost.left_out.decisions)) decisions"' "$s.words")"
}
