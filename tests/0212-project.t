#!/bin/sh
# The project of an agent's session: the repository of the directory in which the agent ran.
. "${0%/*}/lib.sh"

# said ID DIRECTORY TEXT: a line of Claude Code
n=0
said() {
	n=$((n + 1))
	printf '{"type":"user","sessionId":"%s","uuid":"u%d","timestamp":"2024-05-01T10:00:00Z",' \
		"$1" $n
	printf '"cwd":"%s","message":{"role":"user","content":"%s"}}\n' "$2" "$3"
}
projects() { mem-ingest "$@" >records && jq -r '"\(.content) \(.project // "-")"' records; }
found() { mem-search -n 1 "$@" >hits && jq -r .content hits; }
fresh
here=$(pwd -P)
mkdir -p repo/.git repo/src/deep plain tree
: >tree/.git
said s1 "$here/repo/src/deep" deep >a.jsonl
said s2 "$here/plain/" plain >b.jsonl
said s3 "$here/tree" tree >c.jsonl
said s4 /gone/for/ever gone >d.jsonl
said s5 relative relative >e.jsonl
check_out 'the root of the repository, else the directory itself' "deep $here/repo
plain $here/plain
tree $here/tree
gone /gone/for/ever
relative -" projects a.jsonl b.jsonl c.jsonl d.jsonl e.jsonl
said s1 "$here/repo" later >>a.jsonl
check_out 'a file that has grown is of the same project' "later $here/repo" projects a.jsonl
check_out 'the session says so' "$here/repo" sh -c \
	"mem-list sessions -j >all && jq -r 'select(.session == \"s1\").project' all"
check_out 'a project that is given goes first' 'deep mine
later mine' projects -d 2.db -p mine a.jsonl
check_out 'a search in the project' 'deep' found -p "$here/repo" deep
check_out 'and in none other' '' found -p "$here/plain" deep
cd repo/src || exit 1
check_out 'the project of the directory at hand' 'deep' found -p . deep
cd .. || exit 1
check_out 'and of another' 'plain' found -p ../plain plain
cd .. || exit 1
check_out 'a name that only looks like a directory' '' found -p .config deep
said s6 "$here/sk-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH" secret >f.jsonl
check 'a secret in the path' mem-ingest f.jsonl
check_status 'is in no project' 1 grep -q sk-abcdefghijklm "$out"

done_testing
