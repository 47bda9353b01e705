#!/bin/sh
# As tests/0978-canaries.t, with 1,015 canaries.
: "${N_GROUPS:=29}"
export N_GROUPS
exec sh "${0%/*}/../0978-canaries.t"
