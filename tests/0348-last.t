#!/bin/sh
# Questions for the last that somebody said, in eight languages; and those with a word for "last"
# that mean something else, which are searched as if the word were any other.
. "${0%/*}/lib.sh"

while IFS='|' read -r id session role name time text; do
	printf '{"session":"%s","id":"%s","role":"%s","name":"%s",' "$session" "$id" "$role" "$name"
	printf '"time":"2024-%sT10:00:00Z","content":"%s"}\n' "$time" "$text"
done >said.ndjson <<'EOF'
1|s1|user|Oona|03-01|The kiln needs a new thermocouple before we fire again.
2|s1|user|Bob|03-01|I will order the thermocouple for the kiln at the shop.
3|s1|user|Ida|03-01|Can we move the release to Friday?
4|s1|user|Oona|03-02|The release is blocked by the tests of the parser.
5|s1|user|Bob|03-03|The kiln reached 1240 degrees and held it for an hour.
6|s2|user|Ida|04-10|The last release broke the import of tables.
7|s2|user|Oona|04-11|I fixed the import, the parser dropped empty cells.
8|s2|user|Bob|04-12|The door of the kiln does not close any more, the hinge is bent.
9|s2|user|Oona|04-13|The budget for glazes is 300 euros.
10|s3|user|Bob|05-20|I bought two bags of clay yesterday.
11|s3|user|Ida|05-21|The message queue is full again.
12|s3|user|Bob|05-22|The hinge of the kiln is mended, it closes.
13|s3|user|Oona|05-24|The glazes arrived, all but the blue one.
14|s3|user|Bob|05-25|See you at the fair.
15|s0|user|Oona|02-01|An older history that was stored later.
EOF
cat >>said.ndjson <<'EOF'
{"session":"a1","id":"u1","role":"user","time":"2024-06-01T10:00:00Z","content":"Which clay is best for a kiln at 1240 degrees?"}
{"session":"a1","id":"a1","role":"assistant","time":"2024-06-01T10:00:05Z","content":"Stoneware. It is dense at 1240 degrees and does not slump."}
{"session":"a1","id":"u2","role":"user","time":"2024-06-01T10:01:00Z","content":"Please keep a list of my glazes."}
{"session":"a1","id":"a2","role":"assistant","time":"2024-06-01T10:01:05Z","content":"I keep it: celadon, tenmoku and a white."}
EOF
check 'what people said is stored' mem-ingest -q --from=ndjson said.ndjson

first() { mem-search -q -n 1 -j "$1" | jq -r .source_id; }
while IFS='|' read -r want text; do
	check_out "newest said comes first: $text" "$want" first "$text"
done <<'EOF'
13|What did Oona say last?
13|Oona's latest message
13|What was the last thing that Oona wrote?
13|What did Oona say most recently?
13|Was hat Oona zuletzt gesagt?
13|die letzte Nachricht von Oona
13|Qu'est-ce que Oona a dit en dernier ?
13|Quelle est la dernière chose que Oona a dite ?
13|¿Qué fue lo último que dijo Oona?
13|¿Cuál es el último mensaje de Oona?
13|Qual è l'ultima cosa che ha detto Oona?
13|Qual foi a última coisa que a Oona disse?
13|Wat heeft Oona het laatst gezegd?
13|Oona最后说了什么？
12|What was the last thing Bob wrote about the kiln?
12|What did Bob last say about the kiln?
12|When did Bob last mention the kiln?
12|What did Bob say last about the kiln?
12|Was hat Bob zuletzt über den kiln geschrieben?
7|What was the last thing Oona said about the parser?
u2|What did I say last?
a2|What was the last thing you said?
u1|What was the last thing I wrote about the kiln?
EOF
check_out 'the others that she said follow' '13 9 7 4 1 15' sh -c \
	'mem-search -q -n 6 -j "What did Oona say last?" | jq -r .source_id | paste -sd " "'
check_out 'what was said last is likely to answer' true sh -c \
	'mem-search -q -n 3 -j "What did Oona say last?" | jq -s "map(.p >= .35) | all"'

# Where the words mean something else, the newest has no place of its own: its words are searched.
found() { mem-search -q -j "$1" | jq -rs 'map(.why[]) | any(test("^last"))'; }
for text in 'What did Ida write about the last release?' 'Who said that the last release broke?' \
	'What was it about the last release that Ida mentioned?'; do
	check_out "last is searched as a word: $text" true found "$text"
done
same() { # QUESTION: whether the newest of a speaker is not put first
	test "$(first "$1")" != 13 && test "$(first "$1")" != 14
}
while read -r text; do
	check "the newest has no place of its own: $text" same "$text"
done <<'EOF'
What did Oona say about the last release?
Was hat Oona über das letzte release gesagt?
the last message queue that Oona mentioned
Which clay did Bob buy last?
What is the last thing to do before Bob orders the thermocouple and posts the release?
Did Oona say that the last mail about the parser was wrong?
Qu'est-ce que Oona a dit du dernier import ?
¿Qué dijo Oona del último import?
Oona说过最新的parser吗？
EOF
done_testing
