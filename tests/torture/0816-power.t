#!/bin/sh
# As tests/0816-power.t, with 1,000 failures of the power.
: "${FAILURES:=1000}" "${SEED:=2}"
export FAILURES SEED
exec sh "${0%/*}/../0816-power.t"
