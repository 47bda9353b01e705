#!/bin/sh
# As tests/0960-embed.t, with mem-embed killed 200 times.
: "${KILLS:=200}" "${SEED:=2}"
export KILLS SEED
exec sh "${0%/*}/../0960-embed.t"
