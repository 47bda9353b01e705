#!/bin/sh
# As tests/0830-hostile.t, with 3,000 questions of another seed.
: "${N:=3000}" "${SEED:=2}"
export N SEED
exec sh "${0%/*}/../0830-hostile.t"
