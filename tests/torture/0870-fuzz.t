#!/bin/sh
# As tests/0870-fuzz.t, with 20,000 changes of each file.
: "${CHANGES:=20000}" "${SEED:=2}" "${MEM_TEST_SECONDS:=1800}"
export CHANGES SEED MEM_TEST_SECONDS
exec sh "${0%/*}/../0870-fuzz.t"
