#!/bin/sh
# weights.sh: the weights of lib/rank/profile.c learnt again from the labelled sets: weights.sh [DIR [OPTION ...]]
#
# Stores are made in DIR (build/bench/weights) and stay there, with vectors of each model in MEM_MODELS; then every question's signals are written (signals_tool.c), and weights.py learns, with the
# options that are given (--tables: what each signal is worth). Half an hour at first, most of it embedding; 1 GB of disk. PYTHON: an interpreter that has numpy and scipy (python3).
set -eu
here=$(cd "${0%/*}" && pwd) && top=${here%/tests/bench}
B=${B:-$top/build}
data=${MEM_BENCH_DATA:-$top/../shared/data/dev}
work=${1:-$B/bench/weights}
[ $# -eq 0 ] || shift
PATH=$B:$PATH
export PATH LC_ALL=C MEM_CONFIG=/dev/null
mkdir -p "$work" "$B/bench"
${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -I"$top/lib" ${CFLAGS-} -o "$B/bench/signals_tool" "$here/signals_tool.c" "$B/libmem.a" ${LDFLAGS-} \
	-lsqlite3 -ljq -lz -lm -lpthread

map='{user: (.conv // "all"), session: (.session // .id), source_id: .id, time: .ts, name: .speaker, role: (.role // "user"),
 content: (.text + (if .caption then " [shared: " + .caption + "]" else "" end))}'

# store SET MESSAGES MODEL
store() {
	db=$work/$1.$3.db
	[ ! -f "$db" ] || return 0
	mem-ingest -q -d "$db.new" --multi-user --map "$map" "$data/$1/$2.ndjson.gz" >/dev/null
	[ "$3" = words ] || mem-embed -q -d "$db.new" --all-users --model "$3"
	mem-check -q -d "$db.new" >/dev/null
	mv "$db.new" "$db"
}

# signals NAME SET QUESTIONS KEY MODEL KIND: the signals of those questions, asked of the store of SET, as of a kind or ""
signals() {
	gzip -dc "$data/$3/queries.ndjson.gz" | jq -c "{user: (.conv // \"all\"), category, query: .$4, relevant: (.evidence | unique)}" |
		"$B/bench/signals_tool" "$work/$2.$5.db" "$6" >"$work/$1.$5"
}

for model in words ${MODELS:-all-MiniLM-L6-v2 multilingual-e5-small}; do
	for set in locomo beam-100k memdaily-zh cranfield cosqa; do
		case $set in cranfield) file=docs ;; cosqa) file=codebase ;; *) file=messages ;; esac
		case $set.$model in cosqa.multilingual-e5-small) continue ;; esac      # not asked for, and the longest to embed
		store $set $file "$model"
		signals $set $set $set query "$model" ""
		case $set in locomo|beam-100k) signals u$set $set $set query "$model" unknown ;; esac
		[ $set = beam-100k ] || continue
		for key in query query_words; do
			signals code-$key $set code-id $key "$model" ""
			signals ucode-$key $set code-id $key "$model" unknown
		done
	done
done
exec "${PYTHON:-python3}" "$here/weights.py" "$@" "$work"
