#!/bin/sh
# As tests/0425-import.t, with 300 kills.
: "${KILLS:=60}"        # times five
export KILLS
exec sh "${0%/*}/../0425-import.t"
