#!/bin/sh
# As tests/0847-memory.t, at 50 moments a program, and by each way in every program.
: "${TRIES:=50}" "${SEED:=2}" "${ALL:=1}"
export TRIES SEED ALL
exec sh "${0%/*}/../0847-memory.t"
