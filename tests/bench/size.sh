#!/bin/sh
# size.sh: bytes of the file a 100,000 messages, beside the text alone and the peer's table; peak
# memory of each program at the largest size.

bytes() { if [ -f "$1" ]; then wc -c <"$1" | tr -d ' '; else echo 0; fi; }

file_size() { # KIND SIZE
	n=$(count_of "$2")
	db=$work/$1.$2.db
	peer=$work/$1.$2.fts5
	[ -s "$peer" ] || "$tools/workload" table "$peer" "$work/$1.$2.ndjson" || return
	{
		bytes "$db"
		mem-stats -j -d "$db" |
			sed -n 's/.*"name":"file.fulltext","value":\([0-9]*\).*/\1/p'
		"$tools/workload" bytes "$work/$1.$2.ndjson"
		bytes "$peer"
	} | awk -v kind="$1" -v size="$2" -v n="$n" '{ mb[NR] = $1 / 1e6 / (n / 100000) }
		END { printf "  %-8s %6s  %10.1f %10.1f %10.1f %10.1f\n", kind, size,
			mb[1], mb[2], mb[3], mb[4] }'
	[ "$(bytes "$db-wal")" -lt 10000000 ] || say "    and a WAL of $(bytes "$db-wal") bytes"
}

memory() { # SIZE
	db=$work/lines.$1.db
	question=$("$tools/workload" questions 1 "$work/lines.$1.ndjson")
	id=$(mem-list -d "$db" messages -n 1 | field id)
	{
		printf 'mem-ingest, the same again\tmem-ingest\t-d\t%s\t--from=ndjson\t%s\n' "$db" \
			"$work/lines.$1.ndjson"
		printf 'mem-search\tmem-search\t-d\t%s\t--\t%s\n' "$db" "$question"
		printf 'mem-search --exact\tmem-search\t-d\t%s\t--exact\t--\t%s\n' "$db" "$question"
		printf 'mem-context\tmem-context\t-d\t%s\t--\t%s\n' "$db" "$question"
		printf 'mem-list messages\tmem-list\t-d\t%s\tmessages\n' "$db"
		printf 'mem-show\tmem-show\t-d\t%s\t%s\n' "$db" "$id"
		printf 'mem-stats\tmem-stats\t-d\t%s\n' "$db"
		printf 'mem-check\tmem-check\t-d\t%s\n' "$db"
		printf 'mem-check --full\tmem-check\t-d\t%s\t--full\n' "$db"
		printf 'mem-check --deep\tmem-check\t-d\t%s\t--deep\n' "$db"
	} | while IFS= read -r line; do
		have "$(printf '%s\n' "$line" | cut -f2)" && printf '%s\n' "$line"
	done >"$work/commands"
	"$tools/timeit" "$work/commands" >"$work/memory.times"
	grep -q '"failures":[1-9]' "$work/memory.times" && n_bad=$((n_bad + 1))
	say
	say "MEMORY at $1 lines: peak resident MB, and seconds"
	while IFS= read -r line; do
		printf '  %-30s %8s %9s\n' \
			"$(printf '%s\n' "$line" | sed 's/.*"label":"\([^"]*\)".*/\1/')" \
			"$(calc %.1f "$(printf '%s\n' "$line" | field max_rss_kb) / 1024")" \
				"$(calc %.3f "$(printf '%s\n' "$line" | field p50_ms) / 1000")"
	done <"$work/memory.times"
}

size() {
	say
	say "SIZE: MB a 100,000 messages; peer: the FTS5 table with its text and nothing else"
	. "$here/speed.sh"
	speed_is_possible || return
	make_stores
	printf '  %-8s %6s  %10s %10s %10s %10s\n' '' messages file 'its index' 'text alone' peer
	for size in $(echo "$BENCH" | tr , ' '); do
		kinds_of "$size"
		for kind in $kinds; do
			file_size $kind "$size"
		done
	done
	memory "$size"
}
