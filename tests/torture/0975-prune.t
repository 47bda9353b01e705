#!/bin/sh
# As tests/0975-prune.t, with 200 kills.
: "${KILLS:=200}"
export KILLS
exec sh "${0%/*}/../0975-prune.t"
