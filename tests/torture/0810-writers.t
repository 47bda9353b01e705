#!/bin/sh
# As tests/0810-writers.t, with 1,000 messages a writer.
: "${WRITES:=1000}"
export WRITES
exec sh "${0%/*}/../0810-writers.t"
