#!/bin/sh
# As tests/0812-checks.t, with 500 rounds.
: "${ROUNDS:=500}"
export ROUNDS
exec sh "${0%/*}/../0812-checks.t"
