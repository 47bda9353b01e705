#!/bin/sh
# As tests/0846-statements.t, every statement.
: "${STEP:=1}"
export STEP
exec sh "${0%/*}/../0846-statements.t"
