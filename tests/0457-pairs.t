#!/bin/sh
# What each program prints goes into each program: it is used, or refused aloud with its status.
. "${0%/*}/lib.sh"
unset MEM_SEED
export MEM_NOW=2024-06-20T12:00:00Z

# ---- a store with a record of each type; the word Lund is of one session alone ----

printf '%s\n' \
	'{"session":"yard","id":"y1","time":"2024-05-01T10:00:00Z","role":"user","content":"We keep the gantry key in the green box. I prefer the gantry greased in May."}' \
	'{"session":"yard","id":"y2","role":"assistant","content":"The gantry key, in the green box. Run `make gantry` first."}' \
	'{"session":"home","id":"h1","role":"user","content":"I live in Lund and bake on Sundays."}' |
	mem-ingest -q
mem-search -q gantry >/dev/null
id=$(mem-list -j | jq -r 'select(.source_id == "y1") | .id')
mem-remember -q --source "$id" --fact --key gantry 'The gantry is greased in May'
mem-remember -q 'a note on the gantry'
mem-summarize -q -s yard --messages 1 >/dev/null
mem-cluster -q --least 1
mkdir whole && cp mem.db* whole

# What a program prints: a command a line. A program that is not named here runs as it is.
producers() {
	case $1 in
	mem | mem-browse | mem-mcp | mem-llm | mem-setup) ;;
	mem-audit) echo 'mem-audit -j' ;;
	mem-check) echo 'mem-check -j' ;;
	mem-cluster) printf '%s\n' 'mem-cluster --list' \
		'mem-list -j | mem-cluster -k 2 --words -' ;;
	mem-context) printf '%s\n' 'mem-context -j gantry' 'mem-context gantry' ;;
	mem-edit) printf '%s\n' 'mem-edit --steps -j' \
		'mem-list facts | jq -r .id | mem-edit -j --protect -' ;;
	mem-embed) echo 'mem-list -j -s yard | mem-embed --filter' ;;
	mem-eval) echo 'echo "{\"query\":\"gantry\",\"relevant\":[\"y1\"]}" | mem-eval' ;;
	mem-resume) echo 'mem-resume -j gantry' ;;
	mem-export) printf '%s\n' 'mem-export </dev/null' 'mem-export --format pam </dev/null' \
		'mem-list -j -s yard | mem-export -' 'mem-export --format markdown -s yard' ;;
	mem-extract) echo 'mem-list -j -s yard | mem-extract' ;;
	mem-forget) echo 'mem-forget -j -s yard' ;;
	mem-hook) echo 'echo gantry | mem-hook --gate' ;;
	mem-import) echo 'mem-export -s yard | mem-import -d other.db' ;;
	mem-ingest) echo 'mem-list -j -s yard | mem-ingest -d other.db' ;;
	mem-list) for what in messages sessions chunks facts summaries topics people \
			projects users agents conflicts; do
			echo "mem-list -j $what -s yard 2>/dev/null || mem-list -j $what"; done
		printf '%s\n' true 'mem-list -j reflections' 'mem-list -j -s yard | jq -r .id' ;;
	mem-profile) echo 'mem-profile --set goals=gantry -q; mem-profile -j' ;;
	mem-prune) echo 'mem-prune -j --max 0' ;;
	mem-remember) printf '%s\n' 'mem-remember -j -d other.db --fact gantries are green' \
		'mem-list facts -j | mem-remember -j' ;;
	mem-rewrite) echo 'mem-rewrite "where is the gantry key?"' ;;
	mem-search) printf '%s\n' 'mem-search -j "gantry key"' 'mem-search -j --ends -n 1 gantry' \
		'mem-search -j zeppelin' 'mem-search -j --strategy progressive gantry' ;;
	mem-show) echo "mem-show -j $id" ;;
	mem-stats) printf '%s\n' 'mem-stats -j' 'mem-stats --report -j' 'mem-stats --triggers -j' ;;
	mem-summarize) printf '%s\n' 'mem-summarize --list' 'mem-summarize --list -q' ;;
	mem-sync) echo true ;;
	*) echo "$1 -j" ;;
	esac
}

# How a program reads, a command a line. What prints no more than what it is told, "!" before it.
consumers() {
	case $1 in
	mem | mem-browse | mem-mcp | mem-setup) ;;
	mem-audit) printf '%s\n' 'mem-audit' '!mem-audit -' ;;
	mem-cluster) printf '%s\n' 'mem-cluster' '!mem-cluster -k 2 --words -' ;;
	mem-edit) printf '%s\n' 'mem-edit --protect -' 'mem-edit --undo -' ;;
	mem-embed) printf '%s\n' 'mem-embed' 'mem-embed -' '!mem-embed --filter' ;;
	mem-export) printf '%s\n' 'mem-export' '!mem-export -' '!mem-export --format markdown -' ;;
	mem-forget) printf '%s\n' '!mem-forget -' '!mem-forget -f -' ;;
	mem-hook) printf '%s\n' '!mem-hook --gate' 'mem-hook claude-code prompt' ;;
	mem-import) printf '%s\n' 'mem-import -d other.db' 'mem-import --part -d other.db' ;;
	mem-ingest) echo '!mem-ingest -d other.db' ;;
	mem-remember) printf '%s\n' '!mem-remember' '!mem-remember -d other.db' ;;
	mem-summarize) printf '%s\n' 'mem-summarize' '!mem-summarize -' ;;
	mem-llm) echo 'MEM_CHAT_URL= mem-llm' ;;
	mem-sync) ;;
	*) printf '%s\n' "$1" "$1 -" ;;
	esac
}

programs=$(cd "$B" && for p in mem mem-*; do [ -f "$p" ] && [ -x "$p" ] && echo "$p"; done)
n=0
for p in $programs; do producers "$p"; done >all-producers
while read -r line; do
	n=$((n + 1))
	cp whole/* .
	rm -f other.db*
	sh -c "$line" >"in$n" 2>/dev/null </dev/null
done <all-producers
n_producers=$n
cat $(for n in $(seq $n_producers); do echo in$n; done) >/dev/null || exit 1
for p in $programs; do consumers "$p"; done >all-consumers

# ---- each into each ----

# Prints what is wrong with the status $1 of a program that printed to "got" and "said".
judge() {
	case $1 in
	0)	[ "$left" -eq 0 ] || echo "status 0, and $left bytes are not read" ;;
	64 | 65 | 66 | 69 | 78) [ -s said ] || grep -q '"ok":false' got ||
		echo "status $1 without a word" ;;
	*)	echo "status $1" ;;
	esac
	if [ "$only" = yes ] && grep -q Lund got && ! grep -q Lund "in$n"; then
		echo 'it tells of what it was not given'
	fi
}

while read -r line; do
	only=no
	case $line in !*) only=yes line=${line#!} ;; esac
	n=0 >faults
	while read -r producer <&3; do
		n=$((n + 1))
		rm -f mem.db* other.db*
		cp whole/* .
		left=$(cat "in$n" | {
			timeout 60 sh -c "$line" >got 2>said
			echo $? >status
			wc -c
		})
		wrong=$(judge "$(cat status)")
		[ -z "$wrong" ] || printf '# %s | %s: %s\n#   %s\n' "$producer" "$line" "$wrong" "$(head -n 1 said)" >>faults
	done 3<all-producers
	check "$line takes or refuses what others print" sh -c 'cat faults >&2; ! [ -s faults ]'
	[ -s faults ] && cat faults >&2
done <all-consumers
done_testing
