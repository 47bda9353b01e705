#!/bin/sh
# As tests/0846-statements.t, by each way in every program.
: "${ALL:=1}"
export ALL
exec sh "${0%/*}/../0846-statements.t"
