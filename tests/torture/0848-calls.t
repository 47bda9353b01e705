#!/bin/sh
# As tests/0848-calls.t, by each way in every program.
: "${ALL:=1}"
export ALL
exec sh "${0%/*}/../0848-calls.t"
