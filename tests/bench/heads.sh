#!/bin/sh
# heads.sh: schema/heads/fact.txt learnt again from the labelled sets: heads.sh [--write FILE]
#
# Needs the labelled sets and both models. A quarter of an hour, most of it embedding. PYTHON: an
# interpreter that has numpy and scipy (python3).
set -eu
here=$(cd "${0%/*}" && pwd) && top=${here%/tests/bench}
B=${B:-$top/build}
data=${MEM_BENCH_DATA:-$top/../shared/data/dev}
mkdir -p "$B/bench"
${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -I"$top/lib" ${CFLAGS-} \
	-o "$B/bench/facts_tool" "$here/facts_tool.c" "$B/libmem.a" ${LDFLAGS-} \
	-ljq -lstemmer -lz -lm -lpthread
PATH=$B:$B/bench:$PATH
export PATH LC_ALL=C.UTF-8 MEM_CONFIG=/dev/null
exec "${PYTHON:-python3}" "$here/heads.py" --model all-MiniLM-L6-v2 \
	--model multilingual-e5-small "$@" "$data"
