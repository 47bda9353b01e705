#!/bin/sh
# clusters.sh: labelled texts sorted by mem-cluster, by vectors and by words, with as many clusters
# as there are labels and without being told; and what stays when a tenth is new.

# sorted NAME FILE OPTION...: a row.
sorted() {
	name=$1 file=$2
	shift 2
	began=$(date +%s%N)
	mem-cluster "$@" --compare label - <"$file" >"$work/clusters.score" || {
		n_bad=$((n_bad + 1)); return; }
	ms=$((($(date +%s%N) - began) / 1000000))
	printf '  %-30s %6d %8d  %.3f  %.3f  %.3f  %6d\n' "$name" \
		"$(field labels <"$work/clusters.score")" \
		"$(field clusters <"$work/clusters.score")" \
		"$(field homogeneity <"$work/clusters.score")" \
			"$(field completeness <"$work/clusters.score")" \
			"$(field v_measure <"$work/clusters.score")" "$ms"
}

# The share of old records whose number is the same after a tenth more has come.
kept() {
	n=$(($(wc -l <"$1") * 10 / 11))
	head -n $n "$1" | mem-cluster - >"$work/clusters.old" && { cat "$work/clusters.old";
		tail -n +$((n + 1)) "$1"; } | mem-cluster --keep - >"$work/clusters.new" ||
		{ n_bad=$((n_bad + 1)); return; }
	head -n $n "$work/clusters.new" | sed 's/.*"cluster":\([^,}]*\).*/\1/' >"$work/clusters.is"
	share=$(sed 's/.*"cluster":\([^,}]*\).*/\1/' "$work/clusters.old" |
		paste - "$work/clusters.is" | awk '$1 == $2 { n++ } END { printf "%.3f", n / NR }')
	say "  after a tenth more             $share keep their number"
}

clusters() {
	say
	say "CLUSTERS: texts with labels. Homogeneity, completeness, V-measure; k-means by another implementation: MiniLM .87 and .69, tf-idf .74 and .59 (k given)"
	printf '  %-30s %6s %8s  %5s  %5s  %5s  %6s\n' '' labels clusters hom. compl. V ms
	for set in clinc150 stackoverflow20; do
		if [ ! -f "$data/cluster/$set.ndjson.gz" ]; then
			say "$set: left out, no $data/cluster (MEM_BENCH_DATA)"
			continue
		fi
		say "$set"
		gzip -dc "$data/cluster/$set.ndjson.gz" |
			awk 'BEGIN { srand(1) } { print rand() "\t" $0 }' | sort -n |
			cut -f 2- >"$work/clusters.texts"
		k=$(sed 's/.*"label":"\([^"]*\)".*/\1/' "$work/clusters.texts" | sort -u | wc -l)
		sorted 'words, as many as labels' "$work/clusters.texts" --words -k "$k"
		sorted 'words, not told' "$work/clusters.texts" --words
		if ! mem-embed \
			-q --filter --model all-MiniLM-L6-v2 <"$work/clusters.texts" \
			>"$work/clusters.vecs" 2>/dev/null; then
			say '  MiniLM: left out, there is no model all-MiniLM-L6-v2'
			continue
		fi
		sorted 'MiniLM, as many as labels' "$work/clusters.vecs" -k "$k"
		sorted 'MiniLM, not told' "$work/clusters.vecs"
		kept "$work/clusters.vecs"
	done
	rm -f "$work"/clusters.*
}
