#!/bin/sh
# As tests/0805-together.t, with 500 kills.
: "${KILLS:=500}"
export KILLS
exec sh "${0%/*}/../0805-together.t"
