#!/bin/sh
# The fuzz targets on their corpora and on the fixtures of whole readers, and on CHANGES=300 changes
# of each file; of those that read a file or have a store, a tenth as many. SEED=1. 'make fuzz'
# looks for more with libFuzzer.
. "${0%/*}/lib.sh"

: "${CHANGES:=300}"
# A model that is whole; the corpus has the beginning of one.
"$B/tests/torture/tiny_model" tiny >/dev/null &&
	mem-model convert -o whole.model tiny >/dev/null || exit 1
from=$ROOT/tests/fixtures/from audit=$ROOT/tests/fixtures/audit/held
for corpus in "$ROOT"/tests/fuzz/corpus/*; do
	t=${corpus##*/} n=$CHANGES
	set -- "$corpus"/*
	case $t in
	audit)	set -- "$@" "$audit"/*.json "$audit"/*.jsonl "$audit"/notes/* ;;
	ingest)	set -- "$@" $(find "$from" -type f ! -name '*.want' | LC_ALL=C sort) ;;
	model)	set -- "$@" whole.model ;;
	esac
	case $t in audit | import | ingest | mcp | model | net | search)
		n=$((CHANGES / 10 / (1 + $# / 20) + 1)) ;;
	esac
	check "$t" "$B/tests/fuzz/$t" "$n" "$@"
	echo "# $(tail -n 1 "$out")"
done
check 'every target has a corpus' sh -c 'cd "$1/tests/fuzz" && for f in *.c;
	do test "$f" = replay.c || test -d "corpus/${f%.c}" || exit 1; done' sh "$ROOT"

done_testing
