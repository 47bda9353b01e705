#!/bin/sh
# As tests/0846-statements.t, every statement in every program.
: "${MOST:=99}"
export MOST
exec sh "${0%/*}/../0846-statements.t"
