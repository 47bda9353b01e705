#!/bin/sh
# mem-rewrite: questions and what was said before them, from files, records and pipes; a model, and
# one that errs.
. "${0%/*}/lib.sh"

{
	echo '{"role":"system","content":"You are the Tower of Babel."}'
	echo '{"role":"user","content":"What is throat cancer?"}'
	echo '{"role":"assistant","content":[{"type":"text","text":"A disease."},{"type":"image"}]}'
	echo '{"type":"query","query":"Tell me about lung cancer."}'
} >chat.ndjson

check_out 'a question is made whole' "What are lung cancer's symptoms?" sh -c \
	'mem-rewrite --context chat.ndjson What are "its symptoms?" | jq -r .rewritten'
run mem-rewrite --context chat.ndjson 'What are its symptoms?'
check_out 'a question made whole is a query record with what was added' \
	'query resolved 1 lung,cancer true' jq \
	-r '[.type, .reason, .confidence, (.added | map(.text) | join(",")), (.added | all(.weight > 0.75 and .weight < 1.5))] | join(" ")' \
	"$out"
check_out 'how much of what was said before was read is told' '3 null' \
	sh -c '{ mem-rewrite --context chat.ndjson "What are its symptoms?"; mem-rewrite "Is it so?"; } |
	jq .turns | xargs'
check_out 'expanded has all words of the question' 'What are its symptoms? lung cancer' sh -c \
	'mem-rewrite --context chat.ndjson "What are its symptoms?" | jq -r .expanded'
check_out 'a question without context stays as it is' 'Is it true?' \
	sh -c 'mem-rewrite "Is it true?" | jq -r .rewritten'
check_out 'a question without context tells why it stays' 'no_context 1 0' \
	sh -c 'mem-rewrite "Is it true?" |
	jq -r "[.reason, .confidence, (.added | length)] | join(\" \")"'
check_out 'a whole question tells that it is whole' 'whole' sh -c \
	'mem-rewrite --context chat.ndjson "How do I install Debian on a Raspberry Pi?" |
		jq -r .reason'
check_like 'a whole question that is forced gets what was said before' \
	'^How do I install Debian on a Raspberry Pi \([a-z]* cancer\)\? resolved$' sh -c \
	'mem-rewrite --force --context chat.ndjson "How do I install Debian on a Raspberry Pi?" |
		jq -r "[.rewritten, .reason] | join(\" \")"'
check_out 'without context nothing is forced' no_context \
	sh -c 'mem-rewrite --force "Is it true?" | jq -r .reason'
check_out 'with the setting rewrite at no a question stays' 'Is it bad? off 1' sh -c \
	'MEM_REWRITE=no mem-rewrite --context chat.ndjson "Is it bad?" |
		jq -r "[.rewritten, .reason, .confidence] | join(\" \")"'
check_out 'one that is forced is made whole for all that' 'Is lung cancer bad?' sh -c \
	'MEM_REWRITE=no mem-rewrite --force --context chat.ndjson "Is it bad?" | jq -r .rewritten'
shown() { MEM_LLM_COMMAND='head -n 1 >asked' mem-rewrite --context chat.ndjson "$1" >/dev/null 2>&1
	grep -c "$2" asked; }
check_out 'a model is shown the turns that were said' 1 shown 'Is it bad?' 'throat cancer'
export MEM_REWRITE_TURNS=1
check_out 'with the setting rewrite_turns at 1 it is not shown older ones' 0 \
	sh -c 'MEM_LLM_COMMAND="head -n 1 >asked" mem-rewrite --context chat.ndjson "Is it bad?" >/dev/null 2>&1
	grep -c "throat cancer" asked; :'
check_out 'it is shown the newest' 1 shown 'Is it bad?' 'lung cancer'
unset MEM_REWRITE_TURNS
check_out 'what was said before comes from the standard input' "Is lung cancer bad?" sh -c \
	'mem-rewrite --context - "Is it bad?" <chat.ndjson | jq -r .rewritten'
check_out 'what was said before may be an array in a line' "Is lung cancer bad?" \
	sh -c 'jq -sc . chat.ndjson |
	mem-rewrite --context - "Is it bad?" | jq -r .rewritten'
check_out 'what was said before may be an object with messages' "Is lung cancer bad?" sh -c \
	'jq -sc "{messages: .}" chat.ndjson | mem-rewrite --context - "Is it bad?" |
		jq -r .rewritten'
check_out 'each record may bring what was said before it' "Is lung cancer bad?
Who wrote Hamlet?
Is Hamlet long?" sh -c '{
	jq -sc "{query: \"Is it bad?\", history: .}" chat.ndjson
	echo "{\"query\":\"Who wrote Hamlet?\"}"
	echo "{\"query\":\"Is it long?\",\"context\":[{\"role\":\"user\",\"text\":\"Tell me about Hamlet\"}]}"
} | mem-rewrite | jq -r .rewritten'
check_out 'a title counts as what was said before' 'When was Frank Zappa born?' sh -c \
	'echo "{\"query\":\"When was he born?\",\"history\":[{\"title\":\"Frank Zappa\"}]}" |
		mem-rewrite | jq -r .rewritten'
check 'mem-rewrite makes no store where there is none' test ! -e mem.db
check_status '-e ends with 0 when the question was changed' 0 \
	mem-rewrite -e --context chat.ndjson 'Is it bad?'
check_status '-e ends with 1 when the question was not changed' 1 mem-rewrite -e 'Is it bad?'
check_out 'a question is left alone where more confidence is asked for' 'Why?' sh -c \
	'MEM_REWRITE_CONFIDENCE=1 mem-rewrite --context chat.ndjson "Why?" | jq -r .rewritten'
check_out 'a question left alone tells that it is unsure' 'unsure' sh -c \
	'MEM_REWRITE_CONFIDENCE=1 mem-rewrite --context chat.ndjson "Why?" | jq -r .reason'

# ---- what needs nothing, whatever was said ----

{
	echo '{"role":"user","content":"My sister Tess moved into a flat in Leith last week."}'
	echo '{"role":"assistant","content":"How nice! Does she like it there?"}'
	echo '{"role":"user","content":"She does. Her landlord is called Graham."}'
	echo '{"role":"assistant","content":"Good to know."}'
} >tess.ndjson
{
	echo '{"role":"user","content":"我同事李娜下个月去成都出差。"}'
	echo '{"role":"assistant","content":"她去多久？"}'
	echo '{"role":"user","content":"两周，住在春熙路。"}'
	echo '{"role":"assistant","content":"那边很热闹。"}'
} >lina.ndjson
# alone CONTEXT <QUESTIONS: prints those that are changed.
alone() { jq -Rc --slurpfile c "$1" '{query: ., context: $c}' |
	mem-rewrite | jq -r 'select(.query != .rewritten) | "\(.query) -> \(.rewritten)"'; }
alone tess.ndjson >changed <<'E'
What time is it?
Is it raining in Paris?
Is it cold in Oslo?
Is it safe to eat raw salmon?
How long does it take to boil an egg?
How far is it from Rome to Milan?
Where do I live?
When is my birthday?
run the tests
commit and push
When is Easter this year?
ok
Wie spät ist es?
Regnet es in Graz?
Wie geht es dir?
It is 2025 and nobody has fixed the lift, right?
Ist es erlaubt, auf dem Gehweg zu parken?
Wann habe ich Geburtstag?
E
check_out 'questions of nobody, of oneself and commands are left alone' '' cat changed
alone lina.ndjson >changed <<'E'
现在几点？
我住在哪里？
挪威有多少人口？
明天会下雪吗？
煮鸡蛋要多久？
谁发明了电话？
帮我列出所有分支
据说青岛地铁停了，这是真的吗？
E
check_out 'questions of nobody in Chinese are left alone, where a person was named' '' cat changed
check_status 'a question about something that was named is made whole' 0 \
	mem-rewrite -e --context tess.ndjson 'Is it cold in winter?'

# ---- who and what is meant ----

whole() { mem-rewrite --context "$1" "$2" | jq -r .rewritten; }
printf '{"role":"%s","content":"%s"}\n' user 'Marta and Ingrid both want the room.' \
	assistant 'Who are they?' \
	user 'Marta is a florist, Ingrid works at the hospital in town.' \
	assistant 'Both sound nice.' >room.ndjson
check_like 'who is described is found in what was said' '^When can the florist move in .*Marta' \
	whole room.ndjson 'When can the florist move in?'
check_like 'who is described by where they work is found in what was said' 'does Ingrid have a cat' \
	whole room.ndjson 'The one from the hospital, does she have a cat?'
printf '{"role":"%s","content":"%s"}\n' user "C'est quoi le numéro de vol pour Lisbonne ?" \
	assistant 'Le numéro de vol pour Lisbonne est TP431.' >vol.ndjson
for tick in "'" '’'; do
	sed -i "s/C.*est quoi/C${tick}est quoi/" vol.ndjson
	check_out "what is a function word behind c$tick is not taken over" \
		'et pour Porto (numéro) ?' whole vol.ndjson 'et pour Porto ?'
done
printf '{"role":"%s","content":"%s"}\n' \
	user 'First the cache, then the limiter, then the audit log.' \
	assistant 'I will begin with the cache.' user 'Good.' \
	assistant 'The cache is done.' >plan.ndjson
check_out 'the last of a list of three is found in what was said' \
	'the audit log, who needs to read it?' whole plan.ndjson \
	'the last one, who needs to read it?'
printf '{"role":"%s","content":"%s"}\n' user 'I read a book about the Franklin expedition.' \
	assistant 'The ship was found off King William Island.' >island.ndjson
check_like 'an island with a king in its name is no king' 'King William Island' \
	whole island.ndjson 'who lives there today?'

# ---- in a pipe ----

check 'messages are stored to be asked in a pipe' \
	sh -c 'jq -c "select(.role == \"user\")" chat.ndjson |
	mem-ingest -q --from=ndjson - && echo "{\"session\":\"old\",\"role\":\"user\",\"content\":\"Lung cancer often begins with a cough.\"}" | mem-ingest -q --from=ndjson -'
check_like 'a follow-up goes through a search into a block' 'often begins with a cough' sh -c \
	'mem-rewrite --context chat.ndjson "how does it begin?" | mem-search | mem-context'
check_like 'a follow-up goes straight into a block' 'often begins with a cough' sh -c \
	'mem-rewrite --context chat.ndjson "how does it begin?" | mem-context'
check_like 'what was said in a session goes before a question' 'how does [A-Za-z]* cancer begin' \
	sh -c 'mem-list messages |
	mem-rewrite --context - "how does it begin?"'
rm -f mem.db*

check_out 'when it was asked stays with it, and what else it says; not the talk' \
	'2024-02-20 [7] q1 null' sh -c \
	'echo "{\"qid\":\"q1\",\"query\":\"Is it bad?\",\"now\":\"2024-02-20\",\"relevant\":[7],\"history\":[{\"content\":\"Tell me about lung cancer.\"}],\"ms\":\"x\"}" |
	mem-rewrite | jq -r "[.now, (.relevant | tojson), .qid, (.history | tojson)] | join(\" \")"'
check 'messages of two months are stored' \
	sh -c \
	'printf "{\"session\":\"%s\",\"role\":\"user\",\"time\":\"%s\",\"content\":\"A cough, %s.\"}\n" a 2024-01-10 first b 2024-02-10 dry c 2024-04-10 wet | mem-ingest -q --from=ndjson -'
check_out 'last month is counted from when it was asked' 'A cough, dry.' sh -c \
	'echo "{\"query\":\"and the cough last month?\",\"now\":\"2024-03-05\"}" |
		mem-rewrite --context chat.ndjson | mem-search -n 1 | jq -r .content'
check_out 'last month is counted from when it was asked in a block, too' 'A cough, dry.' sh -c \
	'echo "{\"query\":\"and the cough last month?\",\"now\":\"2024-03-05\"}" |
		mem-rewrite --context chat.ndjson | mem-context -j | jq -r .text |
		grep -o "A cough, dry."'
rm -f mem.db*

# ---- what cannot be read ----

check_err 'a file that is not there is told' 66 'none.ndjson' mem-rewrite --context none.ndjson x
check_err 'a question and its talk cannot both be stdin' 64 'takes the standard input' \
	mem-rewrite --context -
check_err 'a bad line of what was said is told' 65 'bad.ndjson:1: invalid JSON' \
	sh -c '{ echo "{"; cat chat.ndjson;
	} >bad.ndjson; mem-rewrite --context bad.ndjson "Is it bad?" >out'
check_out 'the lines beside a bad one count' 'Is lung cancer bad?' jq -r .rewritten out
check_err 'a record that is no message is told' 65 "bad.ndjson:1: no message" sh -c \
	'echo "{\"role\":\"user\"}" >bad.ndjson; mem-rewrite --context bad.ndjson x'
check_err 'a number in place of a message is told' 65 "bad.ndjson:1: no message" \
	sh -c 'echo 7 >bad.ndjson;
	mem-rewrite --context bad.ndjson x'
check_err 'messages deep inside messages are told' 65 'inside messages' sh -c \
	'echo "[[[[[[{\"content\":\"x\"}]]]]]]" >bad.ndjson; mem-rewrite --context bad.ndjson x'
check_err 'a record without a question is told' 65 "stdin:1: no key 'query'" \
	sh -c 'echo "{\"q\":1}" | mem-rewrite'
check_err 'a question over the cap is told' 65 'question is over 64 bytes' env MEM_QUERY_BYTES=64 \
	mem-rewrite "$(seq 100 | tr '\n' ' ')"
check 'control characters, halves of characters and nothing are no fault' sh -c \
	'printf "%s\n" "{\"content\":\"\"}" "{\"content\":\"\\u001b[2J\\u0001 it\"}" "[]" |
		mem-rewrite --context - "what is it"'
check_status 'a reader that goes away ends it without a fault' 0 \
	sh -c 'yes "{\"query\":\"is it\"}" | head -n 3000 |
	mem-rewrite | head -n 1 >/dev/null'

# ---- a model ----

# says TEXT: the model answers that, and notes what it was asked.
says() {
	: >asked
	printf '%s' "$1" >answer
	export MEM_LLM_COMMAND="while read -r q; do printf '%s\\n' \"\$q\" >>asked; jq -c --unbuffered -n --rawfile a answer '{ok: true, model: \"m\", json: {question: \$a}}'; done"
}
says 'What are the symptoms of lung cancer?'
check_out 'a model makes the question whole' 'What are the symptoms of lung cancer?' sh -c \
	'mem-rewrite --context chat.ndjson "What are its symptoms?" | jq -r .rewritten'
check_out 'a model is named, with what it added' 'm model 1 lung,cancer' sh -c \
	'mem-rewrite --context chat.ndjson "What are its symptoms?" |
		jq -r "[.model, .reason, .confidence, (.added | map(.text) | join(\",\"))] | join(\" \")"'
check 'a model gets the rules and the talk' sh -c 'head -n 1 asked |
	jq -e "(.system | test(\"self-contained\")) and (.text | test(\"User: Tell me about lung cancer\")) and (.text | test(\"Babel\") | not)"'
says 'What are the symptoms of lung cancer?'
check 'one question is asked twice in a run' sh -c \
	'jq -sc "{query: \"What are its symptoms?\", history: .}, {query: \"What are its symptoms?\", history: .}" chat.ndjson | mem-rewrite >two'
check_out 'a question that comes twice is asked once of the model' 1 sh -c 'wc -l <asked'
check_out 'a question that comes twice is answered twice' 2 \
	sh -c 'grep -c "symptoms of lung cancer" two'
says 'What did I ask earlier about lung cancer?'
check_out 'a question that only points back in time goes to the model' \
	'What did I ask earlier about lung cancer? model' sh -c \
	'mem-rewrite --context chat.ndjson "What did I ask earlier?" |
		jq -r "[.rewritten, .reason] | join(\" \")"'
check_out 'without a model a question that only points back in time stays as it is' \
	'What did I ask earlier? whole' sh -c \
	'mem-rewrite --rules --context chat.ndjson "What did I ask earlier?" |
		jq -r "[.rewritten, .reason] | join(\" \")"'
says x
check 'a question is read that says of what it points back in time' \
	mem-rewrite --context chat.ndjson 'What did we say earlier about the Raspberry Pi?'
check 'a question that says of what it points back in time does not go to the model' \
	test ! -s asked
check 'a whole question is read with a model set' sh -c \
	'mem-rewrite --context chat.ndjson "How do I install Debian on a Raspberry Pi?"'
check 'a whole question does not go to the model' test ! -s asked
check 'a question is read by --rules with a model set' \
	mem-rewrite --rules --context chat.ndjson 'Is it bad?'
check '--rules does not go to the model' test ! -s asked

# falls NAME ANSWER NOTE: what the model said is not taken, the rules' result is.
falls() {
	says "$2"
	run mem-rewrite --context chat.ndjson 'What are its symptoms?'
	check_out "what the model said is not taken, it goes by the rules: $1" \
		"What are lung cancer's symptoms? $3" sh -c \
		'jq -r "[.rewritten, .note] | join(\" \")" "$1"' sh "$out"
}
falls 'it named nothing' '...' 'the model named nothing'
falls 'it added words of its own' 'What are the symptoms of lung cancer in Denmark?' \
	'the model added words of its own'
falls 'it changed nothing' 'What are its symptoms?' 'the model changed nothing'
falls 'it is still unclear' 'What are its symptoms, of the cancer?' 'the model resolved too little'
falls 'it is too long' "What are the symptoms of lung cancer $(seq 100 | sed 's/.*/lung cancer/' | tr '\n' ' ')" "the model's question is too long"
MEM_LLM_COMMAND=false
check_out 'a model that fails leaves a question to the rules' \
	"What are lung cancer's symptoms? true" sh -c \
	'mem-rewrite --context chat.ndjson "What are its symptoms?" |
		jq -r "\"\(.rewritten) \(.note | length > 0)\""'

done_testing
