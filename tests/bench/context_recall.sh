#!/bin/sh
# context_recall.sh: which share of the evidence lies inside the block that mem-context makes: of
# all evidence turns, and its mean over the questions.
# An item counts when it is there, cut or not.
# usage: context_recall.sh MESSAGES.ndjson.gz QUERIES.ndjson.gz [BUDGET ...]; B names the build,
# MEM_CONTEXT_OPTIONS is given to mem-context.
set -eu
: "${B:=$(dirname "$0")/../../build}"
messages=$1 queries=$2
shift 2
[ $# -gt 0 ] || set -- 1000 500
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export MEM_CONFIG=/dev/null MEM_DB="${MEM_RECALL_DB-$work/db}"

map='{user: (.conv // "all"), session: (.session // .id), source_id: .id, time: .ts, name: .speaker, role: (.role // "user"),
 content: (.text + (if .caption then " [shared: " + .caption + "]" else "" end))}'
[ -f "$MEM_DB" ] || "$B/mem-ingest" -q --multi-user --map "$map" "$messages" >/dev/null

gzip -dc "$queries" | jq -c 'select(.evidence | length > 0)' >"$work/queries"
printf '%7s %6s %7s %7s %7s %7s %7s %7s\n' budget n share mean all tokens most items
for budget do
	jq -r '[(.conv // "all"), .query] | @tsv' "$work/queries" | while IFS='	' read -r user \
		query; do
		"$B/mem-context" -j --budget "$budget" -u "$user" ${MEM_CONTEXT_OPTIONS-} -- \
			"$query" </dev/null
	done >"$work/blocks"
	jq -n -r --slurpfile q "$work/queries" --slurpfile b "$work/blocks" --arg budget "$budget" '
		[range($q | length) as $i | $b[$i] as $b | ($b.items | map(.source_id)) as $in | ($q[$i].evidence | unique) as $want |
			{ found: ($want | map(select(. as $x | any($in[]; . == $x))) | length), want: ($want | length), tokens: $b.tokens, items: ($b.items | length) }] |
		length as $n | def mean(f): map(f) | add / $n;
		[$budget, $n, (map(.found) | add) / (map(.want) | add), mean(.found / .want), mean(if .found == .want then 1 else 0 end), mean(.tokens), (map(.tokens) | max), mean(.items)] |
		@tsv' | awk '{ printf "%7d %6d %7.4f %7.4f %7.4f %7.1f %7d %7.1f\n", $1, $2, $3, $4, $5, $6, $7, $8 }'
done
