#!/bin/sh
# Questions in other languages than English find words in other forms, also where the question's own
# form was said elsewhere; and English questions are searched as before.
. "${0%/*}/lib.sh"

# What people said, and, each in a session of its own, lines with the very words of the questions.
lines() { # m or q, prefix of ids
	awk -F'\t' -v kind="$1" -v id="$2" '$2 == kind {
		gsub(/"/, "\\\"", $4)
		session = kind == "q" ? "other" $3 : "said"
		printf "{\"user\":\"%s\",\"session\":\"%s\",", $1, session
		printf "\"source_id\":\"%s%s\",\"content\":\"%s%s\"}\n", id, $3, $4,
			kind == "q" ? " Bla bla." : ""
	}' "$ROOT/tests/fixtures/languages.txt"
}
{ lines m ''; lines q other; } >said.ndjson
awk -F'\t' '$2 == "q" { gsub(/"/, "\\\"", $4)
	printf "{\"user\":\"%s\",\"category\":\"%s\",\"query\":\"%s\",\"relevant\":[\"%s\"]}\n",
		$1, $1, $4, $5 }' "$ROOT/tests/fixtures/languages.txt" >asked.ndjson

check 'turns of all languages are stored' sh -c 'mem-ingest -q --multi-user said.ndjson'
mem-eval --multi-user --strategy fused asked.ndjson >scores.ndjson
for l in de es fr it nl pt ru sv; do
	check "$l: other forms are found" jq -es --arg l $l \
		'.[] | select(.category == $l) | ."any@5" >= 0.85' \
		scores.ndjson
done

# ---- one word at a time ----

# The lines that have a word of the question, by its user.
said() {
	mem-search -q -u "$1" "$2" | jq -r 'select(.bm25 > 0).content' | sort
}
printf '%s\n' '{"user":"a","content":"Der Schlüssel der Häuser hängt am Brett."}' \
	'{"user":"a","content":"Ein Haus steht am See."}' \
	'{"user":"a","content":"They die of thirst in the desert."}' \
	'{"user":"b","content":"Les appartements donnent sur la cour."}' \
	'{"user":"b","content":"L’appartement est froid."}' \
	'{"user":"b","content":"Un appartement est cher."}' |
	mem-ingest -q --multi-user -
said a 'Wo sind die Häuser?' >got
check_out 'singular and plural, with its mark' 'Der Schlüssel der Häuser hängt am Brett.
Ein Haus steht am See.' cat got
said a 'Wo ist die Leiter?' >got
check_out 'function words of the language are no content' '' cat got
said b "Où est l'appartement ?" >got
check_out 'an article that is tied to the word' 3 grep -c appartement got
said a 'What is the Haus like?' >got
check_out 'in English, German forms do not count' 'Ein Haus steht am See.' cat got
printf '%s\n' '{"user":"c","name":"Jos","content":"ich koch am Samstag Linsen"}' \
	'{"user":"c","name":"Jos","content":"arbeite bis vier"}' \
	'{"user":"c","name":"Eva","content":"Ida kocht nie, sie arbeitet"}' \
	'{"user":"c","name":"Jos","content":"ik kom vrijdag met de boot"}' |
	mem-ingest -q --multi-user -
said c 'Wann kocht Jos?' >got
check_out 'a verb as the one who is asked about says it of himself' \
	'Ida kocht nie, sie arbeitet ich koch am Samstag Linsen' paste -sd' ' got
said c 'Bis wann arbeitet Jos?' >got
check_out 'a verb with a vowel before its ending is found as said of oneself' 1 grep -c '^arbeite bis' got
said c 'wanneer komt Jos?' >got
check_out 'a Dutch verb is found as it is said of oneself' 1 grep -c '^ik kom' got
said c 'Wann kocht er?' >got
check_out 'not where nobody is named' 'Ida kocht nie, sie arbeitet' cat got
done_testing
