#!/bin/sh
# As tests/0430-sync.t, with 5,000 operations on each store and the line cut 300 times.
: "${OPS:=5000}" "${SEEDS:=1}" "${CUTS:=300}"
export OPS SEEDS CUTS MEM_TEST_SECONDS=7200
exec sh "${0%/*}/../0430-sync.t"
