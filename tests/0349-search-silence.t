#!/bin/sh
# mem-search: turns that say nothing of any matter answer nothing.
. "${0%/*}/lib.sh"
unset MEM_SEED

{
	for turn in 'i sail on tuesdays with Rae' 'go on' 'build it' 'ok' 'jo' 'hm' \
		'the keel is oak' 'the shed is what we build' \
		'morning' 'we painted the hull blue'; do
		jq -cn --arg c "$turn" '{session: "a", role: "user", content: $c,
			time: "2024-05-07T10:00:00Z"}, {session: "a", role: "assistant",
			content: "Fine.", time: "2024-05-07T10:01:00Z"}'
	done
	jq -cn '{session: "a", role: "tool", content: "The file src/tax_rates.py has been updated.",
		time: "2024-05-07T10:02:00Z"}'
} | mem-ingest -q -
first() { mem-search -j --now 2024-05-09T10:00:00Z -n "${n:-1}" "$@" | jq -r .content; }

check_out 'what only orders to go on is no hit for a question with a word of it' \
	'i sail on tuesdays with Rae' first 'do i go sailing?'
check_out 'an order of which the question has the verb alone is none either' \
	'the shed is what we build' first 'when do we build?'
check_out 'what was said at a time is what says something' 0 sh -c '
	mem-search -j --now 2024-05-09T10:00:00Z -n 5 "what did we talk about on tuesday?" |
	jq -s "map(select(.content | test(\"^(go on|ok|jo|hm|morning|Fine.)$\"))) | length"'
check_out 'what a tool says was done is no first hit' 'the keel is oak' first \
	'which tax_rates has the keel?'
check_out 'it is where tools are asked for' 'The file src/tax_rates.py has been updated.' first \
	--role tool 'which tax rates?'
check_out 'such a turn is found by its words' 'go on' first 'go on'
check_out 'what is last is a hit still' 21 sh -c \
	'mem-search -j --now 2024-05-09T10:00:00Z -n 50 "what did we talk about on tuesday?" | wc -l'
for turn in 'the mast is ash' ok 'go on'; do
	jq -cn --arg c "$turn" \
		'{session: $c, role: "user", content: $c, time: "2024-05-07T10:00:00Z"}'
done | mem-ingest -q -u mast -
check_out 'no block has such a turn as a hit' 'user: the mast is ash' sh -c '
	mem-context -u mast --now 2024-05-09T10:00:00Z "what did we talk about on tuesday?" |
	sed -n "s/^.*\(user: .*\)/\1/p"'

# The stem of "Ines" is "in", that of "Wes" is "we", and of "use" it is "us".
for n in 1 2 3 4 5 6 7 8 9; do
	echo "{\"session\":\"b\",\"content\":\"We looked in at shop $n in the rain, it suits us.\"}"
done | mem-ingest -q -d in.db -
echo '{"session":"c","content":"Inês is a vet in Porto."}' | mem-ingest -q -d in.db -
likely() { mem-search -j -d in.db "$1" | jq -r 'select(.p > 0.3).content'; }
for ask in 'who is Ines?' 'quem é a Inês?' 'wer ist Ines?'; do
	check_out "a name with the stem of a function word is found alone: $ask" \
		'Inês is a vet in Porto.' likely "$ask"
done
check_out 'of a name that nobody said its stem as a function word is no answer' '' likely 'who is Wes?'

done_testing
