#!/bin/sh
# As tests/0840-files.t, with 1,000 damaged stores.
: "${MUTANTS:=1000}"
export MUTANTS
exec sh "${0%/*}/../0840-files.t"
