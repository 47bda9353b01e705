#!/bin/sh
# As tests/0847-memory.t, at 400 moments a program.
: "${TRIES:=400}" "${SEED:=2}"
export TRIES SEED
exec sh "${0%/*}/../0847-memory.t"
