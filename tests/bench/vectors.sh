#!/bin/sh
# vectors.sh: the ten nearest of many vectors, by whole processes in turns with sqlite-vec; how many
# of the ten are those that float products find; speed of storing, size of the file.
#
#	MEM_BENCH_VECTORS=FILE:N:DIMS[:CENTRE]     float32 vectors, N to store and questions behind
#	                                           them, in place of made-up ones; CENTRE a file of
#	                                           one vector
#	MEM_BENCH_SQLITE_VEC=FILE                  its shared library; else pip brings it
. "$here/speed.sh"                             # for count_of and drop

sqlite_vec() {
	[ -z "${MEM_BENCH_SQLITE_VEC-}" ] || { echo "$MEM_BENCH_SQLITE_VEC"; return; }
	if [ ! -s "$work/vec0.so" ]; then
		python3 -m pip download -q --no-deps -d "$work" sqlite-vec >/dev/null 2>&1 &&
			python3 -c 'import sys, zipfile; open(sys.argv[2], "wb").write(zipfile.ZipFile(sys.argv[1]).read("sqlite_vec/vec0.so"))' \
				"$work"/sqlite_vec-*.whl "$work/vec0.so" 2>/dev/null
	fi
	[ ! -s "$work/vec0.so" ] || echo "$work/vec0.so"
}

# vectors_row NAME N DIMS FILE CENTRE
vectors_row() {
	name=$1 n=$2 dims=$3 file=$4 centre=$5
	tool=$tools/vectors_tool
	db=$work/vectors.db
	drop "$db"
	"$tool" truth "$n" "$dims" "$file" "$work/vectors.truth" &&
		"$tool" store "$n" "$dims" "$file" "$db" $centre >"$work/vectors.store" &&
		"$tool" recall "$n" "$dims" "$file" "$db" "$work/vectors.truth" \
			>"$work/vectors.recall" || { n_bad=$((n_bad + 1)); return; }
	if [ -n "$so" ]; then
		for type in float int8 bit; do
			peer=$work/vectors.$type
			rm -f "$peer.sqlite"
			"$tool" peer-store "$n" "$dims" "$file" "$peer.sqlite" $type "$so" \
				>"$peer.store" || { n_bad=$((n_bad + 1)); return; }
			"$tool" peer-recall "$n" "$dims" "$file" "$peer.sqlite" \
				"$work/vectors.truth" $type "$so" >"$peer.recall" ||
				n_bad=$((n_bad + 1))
		done
	fi
	i=0
	while [ $i -lt 100 ]; do
		printf 'mem\t%s\task\t%s\t%s\t%s\t%s\t%s\n' "$tool" "$n" "$dims" "$file" "$db" $i
		[ -z "$so" ] || for type in float int8 bit; do
			printf '%s\t%s\tpeer-ask\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' $type "$tool" \
				"$n" "$dims" "$file" "$work/vectors.$type.sqlite" $i $type "$so"
		done
		i=$((i + 1))
	done | "$tools/timeit" -w >"$work/vectors.times"
	! grep -q '"failures":[1-9]' "$work/vectors.times" || n_bad=$((n_bad + 1))
	vectors_line mem "$db" "$work/vectors.store" "$work/vectors.recall"
	[ -z "$so" ] || for type in float int8 bit; do
		peer=$work/vectors.$type
		vectors_line $type "$peer.sqlite" "$peer.store" "$peer.recall"
	done
	drop "$db"
	rm -f "$work"/vectors.*.sqlite
}

vectors_line() { # LABEL DB STORE RECALL
	printf '  %-10s %8s %5s  %-16s %7.1f %7.1f  %6.3f  %8s /s  %6.1f MB\n' \
		"$name" "$n" "$dims" "$([ $1 = mem ] && echo mem || echo "sqlite-vec $1")" \
		"$(of $1 p50_ms <"$work/vectors.times")" "$(of $1 p95_ms <"$work/vectors.times")" \
		"$(field recall <"$4")" "$(field per_second <"$3")" \
		"$(calc %.1f "$(wc -c <"$2") / 1e6")"
}

vectors() {
	say
	say 'Nearest ten, whole processes, page cache warm: ms, share of the ten that float products find, vectors stored a second, file (that of mem with a message each)'
	so=$(sqlite_vec)
	[ -n "$so" ] || say '  sqlite-vec is left out: pip does not bring it'
	if [ -n "${MEM_BENCH_VECTORS-}" ]; then
		IFS=: read -r file n dims centre <<EOT
$MEM_BENCH_VECTORS
EOT
		vectors_row given "$n" "$dims" "$file" "$centre"
		return
	fi
	for size in $(echo "$BENCH" | tr , ' '); do
		n=$(count_of "$size")
		"$tools/vectors_tool" data "$n" 384 100 "$work/vectors.f32" &&
			vectors_row made-up "$n" 384 "$work/vectors.f32" ''
		rm -f "$work/vectors.f32"
	done
}
