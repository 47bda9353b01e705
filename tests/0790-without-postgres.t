#!/bin/sh
# A build with POSTGRES=no: a store is a file, and a name of a server is refused as that.
. "${0%/*}/lib.sh"

grep -q WITHOUT_POSTGRES "$B/flags" || skip_all 'this build has PostgreSQL'
says='this mem was built without PostgreSQL'
for url in postgres://ann:hush@host/memory postgresql:///memory service=memory; do
	check_err "$url is refused with a word why" 78 "$says" mem-search -d $url lamp
	check_err "$url is no copy of a file either" 78 "$says" mem-check --copy mem.db $url
done
check 'a password in the name is not shown' sh -c '! mem-list -d "$1" 2>&1 | grep hush' sh \
	postgres://ann:hush@host/memory
check 'the programs have nothing that speaks to a server' \
	sh -c '! grep -l "conninfoParse" "$1"/mem-*' sh "$B"
echo '{"role":"user","content":"the lamp is in the shed"}' >said
check 'a file is a store' mem-ingest -q said
check_like 'a store without PostgreSQL is searched' 'in the shed' mem-search -j lamp

done_testing
