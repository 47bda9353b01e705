#!/bin/sh
# weights.sh: schema/heads/profile.txt learnt again from the labelled sets: weights.sh [DIR
# [OPTION ...]]
#
# Stores are made in DIR (build/bench/weights) and stay there, with vectors of each model in
# MEM_MODELS; then every question's signals are written (signals_tool.c), and weights.py learns,
# with the options that are given (--tables: what each signal is worth). Half an hour at first, most
# of it embedding; 1 GB of disk. PYTHON: an interpreter that has numpy and scipy (python3).
set -eu
here=$(cd "${0%/*}" && pwd) && top=${here%/tests/bench}
B=${B:-$top/build}
data=${MEM_BENCH_DATA:-$top/../shared/data/dev}
work=${1:-$B/bench/weights}
[ $# -eq 0 ] || shift
PATH=$B:$PATH
export PATH LC_ALL=C MEM_CONFIG=/dev/null
mkdir -p "$work" "$B/bench"
${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -I"$top/lib" ${CFLAGS-} \
	-o "$B/bench/signals_tool" "$here/signals_tool.c" "$B/libmem.a" ${LDFLAGS-} \
	-lsqlite3 -ljq -lstemmer -lz -lm -lpthread

map='{user: (.conv // "all"), session: (.session // .id), source_id: .id, time: .ts, name: .speaker, role: (.role // "user"),
 content: (.text + (if .caption then " [shared: " + .caption + "]" else "" end))}'

# The texts of a set, and its questions with KEY as their text. Of three sets they are made here:
# what is known of two people, asked as the chat it is from is; answers, asked by their questions
# made whole; what somebody prefers, asked by what depends on it.
messages() { # SET
	case $1 in
	facts)	gzip -dc "$data/locomo/facts.ndjson.gz" |
		jq -s -c \
		'to_entries[] | .value + {id: "\(.key)", text: .value.fact, speaker: null}' ;;
	answers) gzip -dc "$data/rewrite/canard-dev.ndjson.gz" |
		jq -c '{session: .dialog, id: "\(.dialog)-\(.turn)", text: .answer}' ;;
	preferences) gzip -dc "$data/prefeval/pairs.ndjson.gz" | jq -c '{id, text: .preference}' ;;
	cranfield) gzip -dc "$data/$1/docs.ndjson.gz" ;;
	cosqa)	gzip -dc "$data/$1/codebase.ndjson.gz" ;;
	*)	gzip -dc "$data/$1/messages.ndjson.gz" ;;
	esac
}

questions() { # SET KEY
	case $1 in
	facts)	gzip -dc "$data/locomo/facts.ndjson.gz" |
		jq -s -c \
		'[to_entries[] | .key as $id | .value | .conv as $conv | .evidence[] |
			{key: ($conv + "/" + .), $id}]
			| group_by(.key) | map({key: .[0].key, value: map("\(.id)")})
			| from_entries' >"$work/facts.of"
		gzip -dc "$data/locomo/queries.ndjson.gz" | jq -c --slurpfile of "$work/facts.of" \
			'.conv as $conv
			| {user: $conv, category, query, relevant:
				([.evidence[] | $of[0][$conv + "/" + .] // [] | .[]] | unique)}
			| select(.relevant != [])' ;;
	answers) gzip -dc "$data/rewrite/canard-dev.ndjson.gz" |
		jq -c '{user: "all", query: .rewrite, relevant: ["\(.dialog)-\(.turn)"]}' |
		awk 'NR % 4 == 1' ;;
	preferences) gzip -dc "$data/prefeval/pairs.ndjson.gz" |
		jq -c '{user: "all", query: .question, relevant: [.id]}' ;;
	*)	gzip -dc "$data/$1/queries.ndjson.gz" |
		jq -c "{user: (.conv // \"all\"), category, query: .$2, relevant: (.evidence |
			unique)}" ;;
	esac
}

# store SET MODEL
store() {
	db=$work/$1.$2.db
	[ ! -f "$db" ] || return 0
	messages "$1" | mem-ingest -q -d "$db.new" --multi-user --map "$map" - >/dev/null
	[ "$2" = words ] || mem-embed -q -d "$db.new" --all-users --model "$2"
	mem-check -q -d "$db.new" >/dev/null
	mv "$db.new" "$db"
}

# signals NAME SET QUESTIONS KEY MODEL KIND: the signals of those questions, asked of the store of
# SET, as of a kind or ""
signals() {
	questions "$3" "$4" | "$B/bench/signals_tool" "$work/$2.$5.db" "$6" >"$work/$1.$5"
}

for model in words ${MODELS:-all-MiniLM-L6-v2 multilingual-e5-small}; do
	for set in locomo beam-100k memdaily-zh facts answers preferences cranfield cosqa; do
		case $set.$model in cosqa.multilingual-e5-small) continue ;; esac \
			# not asked for, and the longest to embed
		store $set "$model"
		signals $set $set $set query "$model" ""
		case $set in locomo|beam-100k) signals u$set $set $set query "$model" unknown \
			;; esac
		[ $set = beam-100k ] || continue
		for key in query query_words; do
			signals code-$key $set code-id $key "$model" ""
			signals ucode-$key $set code-id $key "$model" unknown
		done
	done
done
exec "${PYTHON:-python3}" "$here/weights.py" "$@" "$work"
