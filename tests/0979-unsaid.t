#!/bin/sh
# What mem-forget leaves ranks, and is listed, as if the forgotten had never been said: a store that
# forgot is compared with a new one that was given the rest.
. "${0%/*}/lib.sh"

say() { # SESSION ID ROLE NAME TIME CONTENT [KEYS]
	jq -cn --arg s "$1" --arg i "$2" --arg r "$3" --arg n "$4" --arg t "$5" --arg c "$6" \
		--argjson k "${7-{\}}" \
		'{session: $s, id: $i, role: $r, name: $n, time: $t, content: $c} + $k'
}
# seen FILE: what searches and lists show of it, but for ids and places, which are of each store
seen() {
	for strategy in fused lexical bm25 dense hybrid rrf max recent ladder progressive; do
		mem-search -d "$1" -j --explain --no-touch -n 30 --strategy $strategy - \
			<questions.ndjson || [ $? -eq 1 ] || return
	done >hits 2>hits.err || return
	mem-list messages -d "$1" -j >>hits && mem-list sessions -d "$1" -j >>hits &&
		mem-list sessions -d "$1" -j -a ada >>hits &&
		jq -c 'del(.id, .turn, .turns, .stored, .tiers)' hits
}
same() { seen "${1:-mem.db}" >one && seen rest.db >two && [ -s one ] && diff one two; }
rest() { # IDS... that are left out
	jq -c --args 'select(.id as $i | $ARGS.positional | index($i) | not)' "$@" <all.ndjson \
		>rest.ndjson && rm -f rest.db* && mem-ingest -q -d rest.db --from=ndjson rest.ndjson
}

# ---- who talks in a session, when it was, and whose it is ----

fresh
{
	say trip t1 user Nora 2024-05-01T10:00:00Z 'The ferry to the island leaves at nine.'
	say trip t2 user Tom 2024-05-09T10:00:00Z 'Does the ferry take dogs to the island?'
	say trip t3 user Nora 2024-05-03T10:00:00Z 'Yes, the ferry takes dogs and bicycles.'
	say notes n1 user '' 2024-05-04T10:00:00Z 'The ferry ticket costs nine euros.'
	say notes n2 assistant '' 2024-05-04T11:00:00Z 'I noted what the ferry costs.'
	say notes n3 user '' 2024-05-04T12:00:00Z 'The island has one road and a lighthouse.'
	say work w1 user '' 2024-05-02T10:00:00Z 'The boat needs paint.' '{"agent": "ada"}'
	say work w2 user '' 2024-05-08T10:00:00Z 'And an anchor.' '{"agent": "bob"}'
} >all.ndjson
printf '%s\n' '{"query":"when does the ferry to the island leave"}' '{"query":"dogs"}' \
	'{"query":"what does Nora say of bicycles"}' '{"query":"lighthouse ticket"}' \
	'{"query":"the boat"}' >questions.ndjson
fill() { rm -f mem.db* && mem-ingest -q --from=ndjson all.ndjson; }
# the turns of a session in several parts of the index
fill_singly() {
	rm -f mem.db*
	while read -r line; do
		printf '%s\n' "$line" >line.ndjson
		mem-ingest -q --from=ndjson line.ndjson || return
	done <all.ndjson
}
for by in fill fill_singly; do
	check "a memory of three sessions is made ($by)" $by
	check 'the only other speaker goes' mem-forget -qf source:t2
	check 'the rest is stored without the only other speaker' rest t2
	check 'what is left ranks and stands as a memory in which nobody else spoke' same
	check "the memory is made a second time ($by)" $by
	check 'the only turn of an assistant goes' mem-forget -qf source:n2
	check 'the rest is stored without the only turn of an assistant' rest n2
	check 'what is left ranks and stands as notes' same
	check "the memory is made a third time ($by)" $by
	check 'the only turn of another agent goes' mem-forget -qf source:w2
	check 'the rest is stored without the only turn of another agent' rest w2
	check 'what is left belongs to the agent who is left' same
	check 'the store is in order' mem-check -q --deep
done
check 'the memory is made once more' fill
check 'all three turns go in one run' mem-forget -qf source:t2 source:n2 source:w2
check 'the rest is stored without all three turns' rest t2 n2 w2
check 'what is left is as if the three had never been' same
check 'what is added then' say trip t4 user Tom 2024-05-05T10:00:00Z 'The ferry was late.'
cp "$out" more.ndjson
check 'what is added then counts in both' \
	sh -c \
	'for d in mem.db rest.db; do mem-ingest -q --from=ndjson -d $d more.ndjson || exit; done'
check 'what was added stands as if nothing had been there' same

# ---- at random: with vectors, in several runs, by session, by turn and by speaker ----

export MEM_MODELS="$top/models" MEM_MODEL=tiny
mkdir "$MEM_MODELS"
check 'a model for vectors is made' \
	sh -c '"$B/tests/torture/tiny_model" "$1/tiny" && mem-model convert "$1/tiny" \
	-o "$MEM_MODELS/tiny.model"' - "$top"
chats() { # SEED
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		split("ferry island boat anchor lantern harbour kettle garden window letter winter bread violin mountain river", word)
		split("Nora Tom Ann", name)
		for (i = 1; i <= 60; i++) {
			s = int(4 * rand())
			role = s == 1 && rand() < .2 ? "assistant" : "user"
			c = ""
			for (n = 2 + int(7 * rand()); n > 0; n--)
				c = c word[1 + int(15 * rand()^2)] (rand() < .05 ? "? " : " ")
			printf "{\"session\":\"s%d\",\"id\":\"m%d\",\"role\":\"%s\",\"name\":\"%s\",\"time\":\"2024-04-%02dT%02d:00:00Z\",\"content\":\"%s\"}\n", s, i, role, s == 0 ? name[1 + int(3 * rand() * rand())] : "", 1 + int(28 * rand()), i % 24, c
		}
	}' >all.ndjson
}
kept() { mem-list messages -j >left && jq -r .source_id left | sort >ids; }
leave() { # the rest, session by session, as the numbers of sessions are kept
	kept && jq -r .id all.ndjson | sort | comm -23 - ids >gone && [ -s gone ] || return
	# shellcheck disable=SC2046
	rest $(cat gone) && jq -r .session all.ndjson | awk '!had[$0]++' | while read -r s; do
		jq -c --arg s "$s" 'select(.session == $s)' rest.ndjson
	done >sorted && rm -f rest.db* && mem-ingest -q -d rest.db --from=ndjson sorted &&
		mem-embed -q -d rest.db
}
for seed in 1 2 3; do
	fresh
	check "chats at random are made by seed $seed" chats $seed
	head -n 25 all.ndjson >first.ndjson
	jq -c '{query: .content}' all.ndjson | sed -n '3~9p' >questions.ndjson
	check 'chats at random are stored in two runs, with vectors' sh -c \
		'mem-ingest -q --from=ndjson first.ndjson && mem-ingest -q --from=ndjson all.ndjson && mem-embed -q'
	case $seed in
	1)	check 'a speaker and single turns go' sh -c \
			'mem-forget -qf --name Tom && mem-forget -qf source:m3 source:m7 source:m30 source:m58' ;;
	2)	check 'what an assistant said goes' sh -c \
			'jq -r "select(.role == \"assistant\") | \"source:\(.id)\"" all.ndjson >ids && mem-forget -qf - <ids' ;;
	3)	check 'a session and a week go' sh -c \
			'mem-forget -qf -s s2 && mem-forget -qf --since 2024-04-10 --until 2024-04-16' ;;
	esac
	check 'the rest of the chats is stored by itself' leave
	check 'what is left of the chats is the same as the rest' same
done
done_testing
