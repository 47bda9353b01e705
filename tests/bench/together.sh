#!/bin/sh
# together.sh: what else an answer has to stand: a question that has none, and many others' words in
# the same store.

# abstention: each question of locomo, and the same one asked of another conversation with the names
# of that one's speakers in it, so that nothing there answers it; and the questions of beam-100k
# whose subject is there and whose answer is not. How well the p of the best hit tells them apart:
# mem-eval's auc; false: the share of the latter taken for answered where nine of ten of the former
# are.
swapped='(reduce $m[] as $x ({}; if (.[$x.conv] // []) | index($x.speaker) then . else .[$x.conv] += [$x.speaker] end)) as $names |
 range($q | length) as $i | $q[$i] | select(.evidence | length > 0) |
 ($names | keys - [$q[$i].conv]) as $others | $others[$i % ($others | length)] as $other |
 [$names[.conv], $names[$other]] as [$mine, $theirs] |
 { query, user: .conv, relevant: .evidence },
 { query: (reduce range([$mine, $theirs | length] | min) as $k (.query; split($mine[$k]) | join("\u0001" + $theirs[$k])) | gsub("\u0001"; "")),
   user: $other, relevant: [] }'

abstention_row() { # who, set, its score records
	line=$(grep '"category":"all"' "$3")
	printf '  %-12s %-24s %5s + %5s  %s  %s  %s\n' "$2" "$1" \
		"$(printf '%s' "$line" | field n)" "$(printf '%s' "$line" | field unanswerable)" \
		"$(calc %.3f "$(printf '%s' "$line" | field auc)")" \
			"$(calc %.3f "$(printf '%s' "$line" | field false_recalls)")" \
		"$(calc %.3f "$(printf '%s' "$line" | field 'recall@10')")"
}

abstention() {
	say
	say 'ABSTENTION: questions with an answer + without one, one conversation a user; AUC of the best hit'"'"'s p, false recalls at 90 % kept, R@10 of the former'
	have jq || { say 'left out: jq is missing'; return; }
	printf '  %-12s %-24s %5s   %5s  %-5s  %-5s  %-5s\n' '' '' with '  w/o' AUC false R@10
	for set in locomo beam-100k; do
		messages=$data/$set/messages.ndjson.gz queries=$data/$set/queries.ndjson.gz \
			db=$work/abstention.db
		[ -f "$messages" ] && [ -f "$queries" ] || {
			say "  $set: left out, no $messages or $queries"; continue; }
		rm -f "$db"*
		gzip -dc "$messages" >"$work/abstention.m" &&
			gzip -dc "$queries" >"$work/abstention.q"
		if [ $set = locomo ]; then
			jq -n -c --slurpfile m "$work/abstention.m" --slurpfile q \
				"$work/abstention.q" "$swapped"
		else
			jq -c "$(query_map query)" "$work/abstention.q"
		fi >"$work/abstention.asked"
		mem-ingest -q -d "$db" --multi-user --map "$map" "$messages" >/dev/null || {
			n_bad=$((n_bad + 1)); continue; }
		for model in words $(echo "${BENCH_MODELS-}" | tr , ' '); do
			embedded "$db" $model && mem-eval -q -j -d "$db" \
				--multi-user "$work/abstention.asked" >"$work/mem.scores" ||
				{ n_bad=$((n_bad + 1)); continue; }
			abstention_row $model $set "$work/mem.scores"
		done
	done
	rm -f "$work"/abstention.*
}

# together: every conversation of the sets and 100,000 chat lines in one store of one user; the
# questions do not say which conversation they are about. kept: the share of R@10 that is left of
# what one conversation a user gives, in the same run.
together_map='{session: (.conv + "/" + (.session // .id)), source_id: (.conv + "/" + .id), time: .ts, name: .speaker, role: (.role // "user"),
 content: (.text + (if .caption then " [shared: " + .caption + "]" else "" end))}'
together_asked='{qid: .qid, category: .category, query: .query, relevant: (.conv as $c | .evidence | map($c + "/" + .))}'

together() {
	say
	say 'TOGETHER: all conversations and 100,000 chat lines in one store of one user; kept: share of the R@10 of one conversation a user'
	set --
	for set in locomo beam-100k memdaily-zh; do
		[ ! -f "$data/$set/messages.ndjson.gz" ] || set -- "$@" $set
	done
	[ $# -gt 0 ] && [ -f "$load/irc-ubuntu/messages.ndjson.gz" ] || {
		say "left out: no sets at $data or no chat lines at $load"; return; }
	db=$work/together.db
	rm -f "$db"* "$work"/apart.*
	for set do
		mem-ingest -q -d "$db" --map "$together_map" \
			"$data/$set/messages.ndjson.gz" >/dev/null &&
			mem-ingest -q -d "$work/apart.$set.db" --multi-user --map "$map" \
				"$data/$set/messages.ndjson.gz" >/dev/null || {
				n_bad=$((n_bad + 1)); return; }
	done
	gzip -dc "$load/irc-ubuntu/messages.ndjson.gz" | head -n 100000 >"$work/together.noise" &&
		mem-ingest -q -d "$db" --map "$together_map" "$work/together.noise" >/dev/null ||
			{ n_bad=$((n_bad + 1)); return; }
	printf '  %-12s %-24s %5s  %-5s  %-5s  %-5s  %-5s\n' '' '' n nDCG10 R@10 apart kept
	for model in words $(echo "${BENCH_MODELS-}" | tr , ' '); do
		embedded "$db" $model || { n_bad=$((n_bad + 1)); continue; }
		for set do
			embedded "$work/apart.$set.db" $model &&
				mem-eval -q -j -d "$db" --map "$together_asked" -k 10 \
					"$data/$set/queries.ndjson.gz" >"$work/mem.scores" &&
				mem-eval -q -j -d "$work/apart.$set.db" \
					--multi-user --map "$(query_map query)" -k 10 \
					"$data/$set/queries.ndjson.gz" >"$work/apart.scores" ||
				{ n_bad=$((n_bad + 1)); continue; }
			r=$(grep '"category":"all"' "$work/mem.scores" | field 'recall@10') \
				a=$(grep '"category":"all"' "$work/apart.scores" |
				field 'recall@10')
			printf '  %-12s %-24s %5s  %.3f  %.3f  %.3f  %.3f\n' $set $model \
				"$(grep '"category":"all"' "$work/mem.scores" | field n)" \
				"$(grep '"category":"all"' "$work/mem.scores" | field 'ndcg@10')" \
					"$r" "$a" "$(calc %.4f "$r / $a")"
		done
	done
	rm -f "$db"* "$work"/apart.* "$work/together.noise"
}
