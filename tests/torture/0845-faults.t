#!/bin/sh
# As tests/0845-faults.t, every call.
: "${STEP:=1}"
export STEP
exec sh "${0%/*}/../0845-faults.t"
