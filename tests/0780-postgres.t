#!/bin/sh
# A memory on PostgreSQL is the one in a file: the same programs, given the same, print the same,
# and the exports have the same bytes. PG_STEPS says how many random steps are tried (60), PG_SEEDS
# with which seeds ("1 2").
. "${0%/*}/lib.sh"
. "$tests/postgres.sh"
pg_start -c fsync=off

fresh
"$B/tests/torture/tiny_model" "$top/tiny" >/dev/null &&
	mkdir models && mem-model convert -o models/tiny.model "$top/tiny" >/dev/null || exit 1
export MEM_MODELS="$PWD/models" MEM_MODEL=tiny
file=$PWD/mem.db

# both COMMAND: runs it on the file, then on the database; what it prints is in one.*, other.*.
both() {
	for store in one other; do
		[ $store = one ] && MEM_DB=$file || MEM_DB=$url
		timeout "$MEM_TEST_SECONDS" sh -c "$1" >$store.out 2>$store.err
		echo "status $?" >>$store.out
		sed -i "s|$MEM_DB|DB|g" $store.out $store.err
	done
	cat one.out one.err >"$out"
	diff one.out other.out >differ && diff one.err other.err >>differ
}

same() { # name, command
	if both "$2"; then pass "$1"; else
		cp differ "$out"
		fail "$1" 'the two differ' "$2"
	fi
}

# ---- a project that is moved ----

pg_new projects
for k in 1 2 3 4 5 6 7 8; do
	printf '{"session":"%s","id":"p%d","project":"%s","time":"2024-05-01T10:00:0%dZ","content":"mill stone %d"}\n' \
		$((k % 5)) $k "/gone/$((k % 3))" $k $k
done >projects.ndjson
same 'projects' 'mem-ingest --from=ndjson projects.ndjson'
same 'one that is moved' 'mem-edit -v --move /gone/0 /gone/9'
same 'two that become one' 'mem-edit -v --move /gone/1 /gone/9'
same '  and of another name' 'mem-edit -v --move /gone/9 /gone/there'
for name in /gone/0 /gone/1 /gone/9 /gone/there /gone/2; do
	same "  $name" "mem-search -p $name -j mill; mem-list sessions -j -p $name"
done
same 'what comes under an old name' \
	'sed "s/p\([0-9]\)/q\1/" projects.ndjson | mem-ingest -q --from=ndjson; mem-list sessions -p /gone/there'
same '  is stored whole' 'mem-check -q --deep'
same '  and goes out under the new one' 'mem-export | grep -c gone/there'
same 'the names go with it' 'mem-forget -q -f -s 0; mem-forget -q -f -s 1; mem-forget -q -f -s 2;
	mem-forget -q -f -s 3; mem-forget -q -f -s 4; mem-edit --move /gone/1 /gone/2; mem-list -j'
rm -f "$file"

# ---- sessions that go on with others, and do not say so ----

pg_new goes
for x in a:5 b:9 c:12; do
	for n in $(seq 0 ${x#*:}); do
		printf '{"type":"user","sessionId":"%s","uuid":"7b3f9c10-52d4-4e1a-9f0e-0000000000%02d","timestamp":"2025-07-02T10:00:%dZ","message":{"role":"user","content":"words %d"}}\n' \
			${x%:*} $n $((n + 10)) $n
	done >goes-${x%:*}.jsonl
done
same 'one that goes on is read first' 'mem-ingest goes-b.jsonl'
same '  then that with which it does, and one that goes on with it' \
	'mem-ingest -v goes-a.jsonl goes-c.jsonl'
same '  and all again' 'mem-ingest -v goes-*.jsonl; mem-list sessions -j'
sed 's/"c"/"d"/; s/T10:00:1[1-9]/T11:00:11/' goes-c.jsonl >goes-d.jsonl
sed 's/"c"/"e"/; s/"uuid":"[^"]*\(..\)"/"uuid":"\1"/' goes-c.jsonl >goes-e.jsonl
sed 's/"e"/"f"/' goes-e.jsonl >goes-f.jsonl
same '  and turns that are no copies' 'mem-ingest -v goes-[def].jsonl; mem-list sessions -j'
rm -f "$file"

# ---- programs, one after the other ----

pg_new programs
{
	seq 60 | sed 's/.*/{"id":"&","session":"s","role":"user","name":"ann","time":"2024-05-01T10:00:00Z",'\
'"content":"line & about the lighthouse keeper and getUserName number &"}/'
	printf '%s\n' \
		'{"session":"t","id":"c1","role":"assistant","agent":"A","project":"P","content":"Look:\n\n```c\nint cat;\n```\n","tool_calls":[{"name":"Bash","input":{"command":"make"}}],"zz":1}' \
		'{"session":"t","id":"c2","role":"user","name":"bob","content":"I prefer tea. My favorite color is blue."}' \
		'{"session":"old","id":"c3","role":"user","time":"2020-01-01","content":"long ago the canary sang"}' \
		'{"session":"u","role":"user","content":"no id of its own, naïve 日本語"}' \
		'{"type":"session","id":"t","title":"cats","system_prompt":"be brief"}'
} >rich.ndjson
same 'stores' 'mem-ingest --from=ndjson rich.ndjson'
same 'stores nothing twice' 'mem-ingest --from=ndjson rich.ndjson'
same 'stores the good lines of bad ones' \
	'printf "%s\n" "{" "{\"session\":\"t\",\"id\":\"c9\",\"content\":\"good\"}" | mem-ingest --from=ndjson -'
for what in '' sessions 'messages -s t' 'messages -n 3' chunks; do
	same "lists ${what:-all}" "mem-list $what"
done
same 'finds by words' 'mem-search lighthouse keeper'
same 'finds an identifier' 'mem-search get user name'
same 'corrects a word' 'mem-search lighthuose'
same 'finds by steps' 'mem-search --strategy=ladder tea'
same 'extracts and remembers' 'mem-list messages -s t | mem-extract | mem-remember'
same 'makes vectors' 'MEM_CELLS_FROM=20 mem-embed'
for strategy in fused lexical bm25 dense hybrid rrf max recent ladder progressive; do
	same "finds by $strategy" "mem-search --strategy=$strategy -n 5 the keeper of color"
done
same 'remembers' \
	"mem-remember 'a reflection on lighthouses'; mem-remember --fact 'Ann lives in Rome.'"
same 'ends an older fact' \
	"echo '{\"text\":\"My favorite color is green.\",\"key\":\"favorite color\"}' | mem-remember"
same 'lists facts' 'mem-list facts --all; mem-list facts --as-of 2025-12-31'
same 'edits one' 'mem-edit --bank Work --importance .9 "$(mem-list facts | jq -r .id | head -n 1)"'
same 'tells the steps' 'mem-edit --steps'
same 'takes one back' 'mem-edit --undo'
same 'keeps a profile' "mem-profile set languages 'C and Python'; mem-profile consent yes; mem-profile"
same 'clusters' 'mem-cluster; mem-list categories'
same 'summarizes' 'mem-summarize -s s --every 1'
same 'makes a block' "mem-context 'what color do I like'"
same 'shows a fact' 'mem-show "$(mem-list facts | jq -r .id | tail -n 1)"'
same 'completes a question' "mem-rewrite -s s 'and what about it?'"
same 'prunes' 'mem-prune --sessions -f'
same 'answers a hook' \
	"echo '{\"session_id\":\"x\",\"prompt\":\"what did I say about tea?\"}' | mem-hook claude-code prompt"
same 'answers an agent' \
	"printf '%s\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"recall\",\"arguments\":{\"question\":\"tea\"}}}' | mem-mcp"
same 'exports' 'mem-export --profile'
same 'forgets' 'mem-forget -f -s u'
same 'exports what is left' 'mem-export --profile'
same 'finds what is left' 'mem-search -n 20 lighthouse color tea'

# ---- from one to the other ----

pg_new moved
check 'a memory moves into the database' sh -c '
	MEM_DB=$1 mem-export --profile | MEM_DB=$2 mem-import -q' sh "$file" "$url"
check 'what comes out of the server is the same' sh -c '
	MEM_DB=$1 mem-export --profile >a && MEM_DB=$2 mem-export --profile >b && cmp a b' \
	sh "$file" "$url"

# ---- the log of hooks, which each machine has of its own ----

machine() { # NAME COMMAND
	(export MEM_DB="$url" XDG_DATA_HOME="$PWD/$1"; shift; "$@")
}
logs() { cat "$1"/mem/server-*.hooks | tr -d ' ' | grep -v '^$' | jq -r .session | paste -sd , -; }
printf '{"session":"%s","id":"%s","role":"user","content":"about %s"}\n' zz z1 tea yy y1 boats |
	machine m1 mem-ingest -q - >/dev/null
for m in m1 m2; do for s in zz yy; do
	echo "{\"session_id\":\"$s\"}" | machine $m mem-hook claude-code prompt
done; done
run machine m1 mem-list -j messages -s zz
jq -r .id "$out" >id
jq -cn --arg i "$(cat id)" '{type: "hook", user: "default", session: "other", given: [{id: $i}]}' |
	tee -a m1/mem/server-*.hooks >>"$(ls m2/mem/server-*.hooks)"
check 'a session is forgotten on one machine' machine m1 mem-forget -qf -s zz
check_out 'a machine leaves its log on the server' yy logs m1
check_out 'the log of another machine is cleared there' 'zz,yy,other' logs m2
check 'a machine clears its log with its next check' machine m2 mem-check -q
check_out 'the log of a machine that was cleared is whole' yy logs m2

# ---- steps by lot ----

steps() { # seed, number
	awk -v seed="$1" -v n="$2" '
	function pick(list,  w) { return split(list, w, " ") ? w[1 + int(rand() * length(w))] : "" }
	function word() {
		return pick("keeper lighthouse tea coffee Rome Lisbon boat number color green cat")
	}
	function line(i) {
		return sprintf("{\"session\":\"%s\",\"id\":\"m%d\",", pick("a b c d"), i) \
			sprintf("\"role\":\"%s\",\"name\":\"%s\",", pick("user assistant"),
				pick("ann bob")) \
			sprintf("\"time\":\"2024-0%d-1%dT10:00:00Z\",", 1 + int(rand() * 5),
				int(rand() * 10)) \
			sprintf("\"content\":\"the %s of %s, %d\"}", word(), word(),
				int(rand() * 40))
	}
	BEGIN {
		srand(seed)
		for (i = 1; i <= n; i++) {
			r = i == 1 ? 2 : int(rand() * 15)      # first there is something
			if (r < 4) {
				s = ""
				for (k = r < 2 ? 1 : 12; k > 0; k--)
					s = s line(int(rand() * 500)) "\\n"
				print "printf '\''" s "'\'' | mem-ingest -j --from=ndjson -"
			} else if (r == 4)
				print "mem-remember -j --fact '\''Ann lives in " word() ".'\''"
			else if (r == 5)
				print "echo '\''{\"text\":\"My favorite thing is " word() \
					".\",\"key\":\"favorite thing\"}'\'' | mem-remember -j"
			else if (r == 6)
				print "mem-list messages -s " pick("a b c d") \
					" | mem-extract | mem-remember -j"
			else if (r == 7)
				print "mem-edit -j --undo"
			else if (r == 8)
				print "mem-prune -j --max 3 -f"
			else if (r == 9)
				print "mem-forget -j -f \"$(mem-list messages -j | jq -r .id |" \
					"sed -n " 1 + int(rand() * 9) "p)\""
			else if (r == 10)
				print "mem-embed -q; mem-embed --info -j"
			else if (r == 11)
				print "mem-cluster -j; mem-list facts -j --all"
			else if (r == 12)
				print "mem-summarize -j -s " pick("a b c d") " --every 3"
			else
				print "mem-search -j -n 8 --strategy=" pick("fused lexical bm25 " \
					"dense hybrid rrf max recent ladder progressive") \
					" " word() " " word()
		}
	}'
}

for seed in ${PG_SEEDS-1 2}; do
	pg_new "steps$seed"
	file=$PWD/steps$seed.db n=0 bad=''
	# a store that is spread was made by pg_new
	[ -z "${PG_SPREAD-}" ] || mem-ingest -q --from=ndjson -d "$file" </dev/null
	steps "$seed" "${PG_STEPS:-60}" >steps
	while IFS= read -r step && [ -z "$bad" ]; do
		n=$((n + 1))
		export MEM_SEED=$((seed * 10000 + n))          # ids of its own
		both "$step" || bad="step $n: $step"
		[ -n "$bad" ] || [ $((n % 50)) != 0 ] || both 'mem-export --profile | sha256sum' ||
			bad="export after step $n"
	done <steps
	if [ -z "$bad" ]; then pass "$n steps of seed $seed print the same"; else
		cp differ "$out"
		fail "steps of seed $seed print the same" 'the two differ' "$bad"
	fi
	same "seed $seed: they export the same" 'mem-export'
	same "seed $seed: both are in order" "mem-check -q --full && mem-check -q --deep"
done

# ---- the quick way in, which puts rows together: only where ids are not made of a seed ----

pg_new quick
awk 'BEGIN { for (i = 1; i <= 3000; i++) {
	printf "{\"session\":\"s%d\",\"id\":\"m%d\",\"role\":\"user\",", i % 7, i % 2900
	printf "\"name\":\"n%d\",\"agent\":\"a%d\",\"project\":\"p%d\",", i % 700, i % 3, i % 11
	printf "\"content\":\"turn %d: read the keeper\\n\\n```c\\nint x%d;\\n```\\n\"}\n", i, i
} }' >many.ndjson
check_out 'many names, pieces and repeated lines are stored alike' 'the same' sh -c '
	unset MEM_SEED MEM_NOW
	for MEM_DB in "$1" "$2"; do
		export MEM_DB
		mem-ingest -q --from=ndjson many.ndjson many.ndjson
		for what in messages chunks sessions; do
			mem-list $what | jq -c "del(.id, .message, .stored)"
		done >quick.$((n += 1))
		mem-check --deep >quick.checked.$n
	done
	[ "$(wc -l <quick.1)" -gt 8000 ] && cmp quick.1 quick.2 &&
		! grep -q "\"ok\":false" quick.checked.2 && echo the same' sh "$PWD/quick.db" "$url"

# ---- a process that is asked on keeps what it has read, until somebody stores something ----

pg_new asked
mkfifo questions
trap '' PIPE                              # of a program that has died
for option in -v --no-touch; do           # with a metric after each question, and without
	echo "{\"session\":\"p\",\"content\":\"a heron $option\"}" |
		mem-ingest -q -u "u$option" --from=ndjson -d "$url" -
	mem-search -j $option -u "u$option" -d "$url" <questions >answers 2>asked.err &
	asks=$!
	exec 5>questions
	for hits in 1 3 6; do
		echo '{"query":"heron"}' >&5
		wait_for '[ "$(grep -c "\"type\":\"hit\"" answers)" -ge $hits ]'
		echo "{\"session\":\"p\",\"content\":\"heron after $hits\"}" |
			mem-ingest -q -u "u$option" --from=ndjson -d "$url" -
	done
	exec 5>&-
	wait $asks
	check_out "asked again with $option: what was stored meanwhile is found" 6 \
		grep -c '"type":"hit"' answers
done
trap - PIPE

# ---- ids that are another's: where users are on several machines, an id is one user's ----

pg_new taken
[ -n "${PG_SPREAD-}" ] ||
	check_out 'records of one user are taken by another, under ids of their own' '2 4' sh -c '
	unset MEM_SEED MEM_NOW; export MEM_DB="$1"
	printf "%s\\n" "{\"session\":\"p\",\"content\":\"a heron\"}" \
		"{\"session\":\"p\",\"content\":\"a canoe\"}" | mem-ingest -q --from=ndjson - &&
	mem-list | jq -c "del(.user)" | mem-ingest -q -u other - &&
	echo $(mem-list -u other | wc -l) \
		$({ mem-list; mem-list -u other; } | jq -r .id | sort -u | wc -l)' sh "$url"

# ---- what cannot be ----

for option in --peers --new-id --mark; do
	check_err "a store on a server is not brought together: mem-sync $option" 78 \
		'a store on a server is not brought together' mem-sync $option -d "$url"
done
check_err 'a database that is not there is told' 69 'does not exist' \
	mem-search -d "postgres://mem@/none?host=$pg_dir" x
check_err 'a server that is not there is told' 69 'no_such_socket' mem-search \
	-d 'postgres://mem@/x?host=/tmp/no_such_socket' x
check_err 'a password in the URL' 78 'password' mem-search \
	-d "postgres://mem:secret@/programs?host=$pg_dir" x
check 'the password of a server is not told' sh -c '! grep -q secret "$1"' sh "$err"
pg_sql postgres "CREATE DATABASE strange"
url="postgres://mem@/strange?host=$pg_dir"
pg_sql strange 'CREATE TABLE mine (x int)'
check_err 'a database of somebody else' 78 'other tables' mem-ingest -d "$url" rich.ndjson
check_out 'a database with tables of others is left alone' mine \
	pg_sql strange "SELECT relname FROM pg_class WHERE relkind = 'r'
	AND relnamespace = 'public'::regnamespace"
version=$(pg_sql moved "SELECT value FROM meta WHERE name = 'version'")
pg_sql moved "UPDATE meta SET value = '999' WHERE name = 'version'" >/dev/null
url="postgres://mem@/moved?host=$pg_dir"
check_err 'a store of a later version' 78 '999' mem-search -d "$url" tea

# A newer mem brings it up to date while a program of this version runs on.
pg_sql moved "UPDATE meta SET value = '$version' WHERE name = 'version'" >/dev/null
n=$(mem-list -j -d "$url" -n 100000 | wc -l)
mkfifo lines asked
mem-ingest --from=ndjson -d "$url" <lines >lines.out 2>lines.err &
writer=$!
exec 3>lines
mem-search -j -d "$url" - <asked >asked.out 2>asked.err &
reader=$!
exec 4>asked
echo '{"session":"s","content":"an otter"}' >&3
echo '{"type":"query","query":"tea"}' >&4
check 'a process that writes to the server begins' wait_for '[ -s lines.out ]'
check 'a process that reads from the server begins' wait_for '[ -s asked.out ]'
pg_sql moved "UPDATE meta SET value = '999' WHERE name = 'version'" >/dev/null
echo '{"session":"s","content":"a second otter"}' >&3
echo '{"type":"query","query":"otter"}' >&4
exec 3>&- 4>&-
wait $writer
check 'a store of a newer mem: who wrote ends' test $? -eq 78
check_like 'who writes to a newer store is told what to do' \
	'brought the store to version 999.*start it again' cat lines.err
wait $reader
check 'who reads a newer store ends with 78' test $? -eq 78
check_like 'who reads a newer store is told what to do' \
	'brought the store to version 999.*start it again' cat asked.err
pg_sql moved "UPDATE meta SET value = '$version' WHERE name = 'version'" >/dev/null
check_out 'nothing more was written to the newer store' $((n + 1)) sh -c \
	'mem-list -j -d "$1" -n 100000 | wc -l' sh "$url"
done_testing
