# rich.sh: a store with rows in every table, by the programs themselves, for tests that look at the
# store as a whole. After lib.sh.

# rich_store FILE: makes it, and "$top/models" with a tiny model that MEM_MODELS and MEM_MODEL name
# from then on; RICH_FACT is the id of a fact. The session that is pruned has a name that stands in
# no path: what was read of a file goes with a session that its path names.
rich_store() {
	export MEM_MODELS="$top/models" MEM_MODEL=tiny
	mkdir -p "$MEM_MODELS"
	[ -e "$MEM_MODELS/tiny.model" ] || { "$B/tests/torture/tiny_model" "$top/tiny" &&
		mem-model convert "$top/tiny" -o "$MEM_MODELS/tiny.model"; } >/dev/null
	{
		seq 60 |
			sed 's/.*/{"id":"&","session":"s","role":"user","name":"ann","time":"2024-05-01T10:00:00Z","content":"line & about the lighthouse keeper and getUserName number &"}/'
		printf '%s\n' \
			'{"session":"t","id":"c1","role":"assistant","agent":"A","project":"P","content":"Look:\n\n```c\nint cat;\n```\n\nand so on","tool_calls":[{"name":"Bash","input":{"command":"make"}}],"zz":1}' \
			'{"session":"t","id":"c2","role":"user","name":"bob","content":"I prefer tea. My favorite color is blue."}' \
			'{"session":"bygone-x7q2","id":"c3","role":"user","time":"2020-01-01","content":"long ago the canary sang"}' \
			'{"type":"session","id":"t","title":"cats","system_prompt":"be brief"}'
	} >rich.ndjson
	mem-ingest -q --from=ndjson -d "$1" rich.ndjson
	MEM_DB="$PWD/$1" "$B/tests/torture/facts" 12 >rich.facts
	mem-list messages -s t -d "$1" | mem-extract -d "$1" | mem-remember -d "$1" >rich.verdicts
	MEM_CELLS_FROM=20 mem-embed -d "$1" -q
	RICH_FACT=$(sed -n '3s/ .*//p' rich.facts)
	{
		mem-remember -d "$1" 'a reflection about the lighthouse'
		mem-edit -d "$1" --bank Work --importance .9 "$RICH_FACT" \
			"$(sed -n '1s/.*"id":"\([^"]*\)".*/\1/p' rich.verdicts)"
		mem-profile -d "$1" set languages 'C and Python'
		mem-profile -d "$1" consent yes
		mem-cluster -d "$1"
		mem-summarize -d "$1" -s s --every 1h
		# a turn of another machine, which stood first in its session there
		echo '{"session":"t","id":"c5","role":"user","content":"from the laptop"}' |
			MEM_SEED=99 mem-ingest --from=ndjson -d rich.laptop
		mem-export -d rich.laptop | mem-import -d "$1"
		# what is new there: a turn that both have read, under two ids
		echo '{"session":"t","id":"c2","role":"user","name":"bob","content":"I prefer tea. My favorite color is blue."}' |
			MEM_SEED=98 mem-ingest --from=ndjson -d rich.laptop
		mem-export -d rich.laptop --new-for - | mem-import -d "$1"
		rm -f rich.laptop*
		mem-search -d "$1" lighthouse
		mem-search -d "$1" --strategy=ladder tea
		mem-prune -d "$1" --sessions -f
		MEM_CELLS_FROM=20 mem-embed -d "$1" -q         # the cells went with what was pruned
		echo '{"session":"t","id":"c4","role":"user","content":"this one waits for its vector"}' | mem-ingest --from=ndjson -d "$1"
		echo '{"text":"My favorite color is green.","key":"favorite color"}' |
			mem-remember -d "$1"
	} >/dev/null 2>&1
	# a call of a model that failed, one that came, and a text that a model failed on
	sqlite3 "$1" "INSERT INTO guard VALUES ('chat x', x'0011223344556677', 5, 7, 9, 1); INSERT INTO ledger SELECT no, 19800, 'mem-extract', 'm', 1, 0, 0, 5, 5, 0 FROM user;
		INSERT OR IGNORE INTO vector_todo (vset, kind, row) SELECT 1, 0,
			max(id) FROM message"
}

# rich_empty FILE: tables without a row.
rich_empty() {
	sqlite3 "$1" "SELECT name FROM sqlite_schema WHERE type = 'table'" |
		while read -r rich_table; do
		[ "$(sqlite3 "$1" "SELECT count(*) FROM $rich_table")" -gt 0 ] || echo "$rich_table"
	done
}
