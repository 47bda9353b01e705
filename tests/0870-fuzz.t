#!/bin/sh
# The fuzz targets on their corpora, and on CHANGES=300 changes of each file. SEED=1. 'make fuzz'
# looks for more with libFuzzer.
. "${0%/*}/lib.sh"

: "${CHANGES:=300}"
for corpus in "$ROOT"/tests/fuzz/corpus/*; do
	t=${corpus##*/}
	check "$t" "$B/tests/fuzz/$t" "$CHANGES" "$corpus"/*
	echo "# $(cat "$out")"
done
check 'every target has a corpus' sh -c 'cd "$1/tests/fuzz" && for f in *.c;
	do test "$f" = replay.c || test -d "corpus/${f%.c}" || exit 1; done' sh "$ROOT"

done_testing
