#!/bin/sh
# mem-extract: facts in three languages, what is passed over, quotes and where they stand, a model
# that makes things up, bad input.
. "${0%/*}/lib.sh"
. "$ROOT/tests/llm.sh"
unset MEM_SEED
export MEM_MODELS="$top/none"

# says WANT TEXT: the kind of each fact that is found in a user's message, or nothing.
says() {
	want=$1 text=$2
	jq -cn --arg t "$text" '{type: "message", id: "m", role: "user", content: $t}' >in
	run mem-extract --rules <in
	got=$(jq -r '.kind' "$out" | tr '\n' ',')
	if [ "$status" = 0 ] && [ "${got%,}" = "$want" ]; then pass "$want: $text"; else
		fail "$want: $text" "got '${got%,}'"; fi
}

says 'fact' 'My name is Ann Lee.'
says 'fact' 'Hi! I live in Lisbon now.'
says 'fact' 'I am 34 years old.'
says 'fact' 'I work as a nurse.'
says 'fact' "My birthday is on May 5."
says 'fact' "I'm allergic to peanuts."
says 'preference' 'I prefer dark mode.'
says 'preference' "I don't like coffee."
says 'preference' 'I can’t stand loud music.'
says 'preference' 'My favorite color is green.'
says '' 'love hiking in the hills'
says 'fact' 'My sister lives in Rome.'
says 'fact' 'My dog is called Rex.'
says 'fact' 'I have two cats.'
says 'fact' 'I own a small boat.'
says 'decision' 'We decided to use PostgreSQL for the archive.'
says 'todo' 'Remind me to call the dentist.'
says 'todo' 'Please remind me to renew the passport.'
says '' 'Remind me how this function works.'
says 'todo' 'I need to send the report soon.'
says '' 'I need to understand the report.'
says 'preference' 'Never send me tables.'
says 'fact' 'Ich heiße Jürgen.'
says 'fact' 'Wir sind im Mai nach Linz gezogen.'
says 'fact' 'Ich bin gegen Pollen allergisch.'
says 'fact' '我叫李雷。'
says 'fact' '我住在上海。'
says 'preference' '我喜欢绿茶。'
says 'preference' '其实，我不喜欢咖啡。'
says 'fact' '我的妹妹住在北京。'
says 'decision' '我们决定用新的系统。'
says 'todo' '提醒我明天给妈妈打电话。'
says 'preference,fact' 'I love tea. The sky is blue. I live in Porto.'
# What is pasted in quotation marks or out of a log is somebody else's.
for t in '«Decidimos usar o Vault em todos os servidores.»' \
	'"decided: the keys go on the wiki"' \
	'„Wir haben beschlossen, alles in Rust zu schreiben.“' \
	'<bo> decided: the keys go on the wiki' \
	'[10:32] < bo> we decided to write the keys on the wiki' '"never push to the main branch"' \
	'2026-04-07 10:32 <@bo> we decided to write the keys on the wiki' \
	'“Hello,
we decided to write the keys on the wiki.
Bo”'; do
	says '' "$t"
done
says 'decision' 'decidido: o canal chama-se «sala de máquinas»'
says 'decision' 'We decided to use "Fluent Bit" on all hosts.'
says 'fact,fact' 'I live in Porto and my wife Joan is a nurse.'
says 'fact,fact' '我住在北京,我老婆是护士。'
for t in 'Do I like tea?' 'I like it.' 'What is my name' 'If I lived in Rome I would eat pizza.' \
	'The cat sat on the mat.' 'I want to install Skype' 'I need help' '我喜欢什么？' '你喜欢绿茶吗？' \
	'I hate to ask' 'Write a poem about someone who says hello' '> I live in Rome' \
		'	I live in Rome' 'ok' '' 'looks like rain' \
		'I appreciate your help a lot today'; do
	says '' "$t"
done

# ---- what its author takes back in the next turn ----

# back WANT FIRST NEXT: the facts of both turns of a user, with an assistant's between.
back() {
	printf '%s\n' "$2" Noted. "$3" | jq -Rc '{type: "message", id: "m\(input_line_number)",
		session: "s", role: (if input_line_number == 2 then "assistant" else "user" end),
		content: .}' >in
	check_out "what '$3' leaves of '$2'" "$1" sh -c 'mem-extract --rules <in | jq -r .content'
}
while IFS='|' read -r first next; do
	back '' "$first" "$next"
done <<'END'
I live in Porto.|just kidding
I live in Porto. Is that far?|haha, jk
We decided to use tabs in all files.|Scratch that, spaces
We decided to move the mails to Linz.|never mind - they stay
From now on always run the linter first.|actually, ignore that
Remember: the port is 8081.|sorry, I meant 8082
Wir haben uns für MariaDB entschieden.|Quatsch, PostgreSQL
Nous avons décidé d'utiliser Vue.|oublie ça
Hemos decidido usar MongoDB.|no, espera, Postgres
We hebben besloten om Angular te gebruiken.|nee wacht, React
Abbiamo deciso di usare Redis.|anzi no, Memcached
Decidimos usar o Django.|esquece isso, o Flask
END
back 'I live in Porto' 'I live in Porto. The sky is red.' 'just kidding'
for t in "don't forget that" 'not kidding' 'never mind the spelling' 'no lo olvides' \
	'ignore that warning for now' 'wait, no errors in the log?' 'no, do not delete it'; do
	back 'I am allergic to peanuts' 'I am allergic to peanuts.' "$t"
done
check_out 'the turn of another speaker takes nothing back' 'I live in Porto' sh -c \
	'jq -c ".name = [\"Ann\", \"Bo\", \"Cy\"][input_line_number - 1] |
		.role = \"user\" | .content = [\"I live in Porto\", \"ok\",
			\"just kidding\"][input_line_number - 1]" in |
		mem-extract --rules | jq -r .content'

for t in 'fwd: x. ' 'bio: x. ' 'translate: x. '; do
	yes "$t" | head -n 130000 | tr -d '\n' | jq -Rsc '{role: "user", content: .}' >in
	check "many sentences on one line take no minute: $t" sh -c \
		'ulimit -t 20; mem-extract --rules <in'
done

# ---- what its author does not vouch for, or not for now ----

says '' "I don't live in Berlin"
says 'fact' '我不住在北京'
says 'fact,fact' "I don't live in Berlin any more, I live in Rome"
says 'fact' "I'd rather live by the sea and I do live in Ostia"
says '' 'Tom: I live in Berlin'
says '' 'Tom says he lives in Ulm'
says 'fact' 'My wife (Marta) works at Google'
says 'fact' 'Meine Schwester arbeitet bei SAP'
says 'fact' '我妹妹小红是老师'
says 'fact' '我是医生'
says 'preference' 'Die Hard is my favorite movie'
says 'preference' 'Meine Lieblingsfarbe ist Blau'
says '' 'Er ist Vegetarier'
for t in 'Er sagt, er wohne in Ulm' 'My boss says I live in the office' \
	'Translate: I live in Paris' 'Write a story: I am a pilot and I live in Dubai.' \
	'I live in a castle, says the hero of my novel' 'Suppose I live in Oslo' \
	'Imagine I live in Oslo' \
	'Provided that I work at Google, I live in Zurich' 'What if I live in Oslo' \
	'If I win I live in Monaco' 'Wenn ich gewinne, wohne ich in Monaco' \
	'Angenommen, ich wohne in Ulm' '如果我住在上海' '要是我住在上海就好了'; do
	says '' "$t"
done

# ---- rules for the assistant, ends that are none, days ----

says 'preference' 'Never commit directly to main.'
says 'preference' 'If tests fail, never push to main.'
says 'preference' "Don't use emojis in replies."
says 'preference' 'Always use tabs.'
says 'preference' 'Benutze nie Emojis.'
says '' 'Never mind that.'
says '' "Don't push that yet."
says '' 'I almost moved to Rome.'
check_out 'a day behind "zum"' '2026-05-04T00:00:00Z' sh -c 'mem-extract --rules |
	jq -r .valid_to' <<'EOT'
{"id":"m","role":"user","time":"2026-03-10T10:00:00Z","content":"Ich wohne bis zum 3. Mai in Ulm."}
EOT
says '' '```
I live in Rome
```'

# ---- quotes and what else a fact has ----

check_like 'a fact says which rules made it' '"made":"rules:[0-9]+-[0-9a-f]{8}"' \
	mem-extract <<'EOT'
{"id":"m","role":"user","content":"I live in Lisbon."}
EOT
check_out 'a fact that is found is printed as a record' \
	'{"type":"fact","user":"default","time":"2024-05-01T10:00:00Z","session":"s","origin":"derived","trust":3,"sources":[{"id":"source:m1","start":13,"length":16,"quote":"I live in Lisbon"}],"content":"I live in Lisbon","bank":"Personal","category":"facts","kind":"fact","importance":0.9,"confidence":true,"name":"Ann"}' sh -c 'mem-extract | jq -c "del(.made) | .confidence |= (. == .8)"' <<'EOT'
{"type":"message","source_id":"m1","session":"s","role":"user","name":"Ann","time":"2024-05-01T10:00:00Z","content":"Grüß Gott. I live in Lisbon."}
EOT
check_out 'what an assistant tells is none, of a project neither' '[]' sh -c '
	for p in "" shop; do for t in "The crash was caused by the worker opening report.db twice" \
	"Shall I mend it?" "I can look at that."; do
		jq -nc --arg p "$p" --arg t "$t" "{type: \"message\", role: \"assistant\", project: \$p, content: \$t}"
	done; done | mem-extract |
		jq -s -c "map(.content)"'
check_out 'where work of a project was left is no decision' 'we stopped Tern on all hosts' \
	sh -c 'for t in "we stopped at the Alt-Svc header, it is gone" "we stopped halfway with Tern" \
	"nous avons arrêté au header Alt-Svc" "we stopped Tern for a minute" \
	"we stopped Tern on all hosts"; do
		jq -nc --arg t "$t" "{type: \"message\", session: \$t, role: \"user\", project: \"p\", content: \$t}"
	done | mem-extract --rules | jq -r .content'
check_out 'only users are listened to' 'u' sh -c 'for r in assistant system tool user;
	do echo "{\"id\":\"$(echo $r | cut -c1)\",\"role\":\"$r\",\"content\":\"I live in Lisbon.\"}"; done | mem-extract | jq -r ".sources[0].id[7:]"'
check_out 'nothing is extracted of what came from elsewhere' '' mem-extract <<'EOT'
{"id":"w","role":"user","origin":"web","content":"I live in Lisbon."}
EOT
echo '{"session":"s","id":"m1","role":"user","content":"I live in Lisbon."}' |
	mem-ingest -q >/dev/null
block=$(mem-context 'Lisbon')
check "mem's own block is there" test -n "$block"
check_out 'what stands behind the block is extracted' 'I own a boat' sh -c 'jq -cn --arg t "$1
I own a boat." "{id: \"x\", role: \"user\", content: \$t}" | mem-extract |
	jq -r .content' sh "$block"
check_out 'extracted facts go through a pipe to mem-remember' 'stored' \
	sh -c 'mem-list messages -s s | mem-extract | mem-remember |
	jq -r .did'
check_out 'facts extracted again are known as duplicates' 'duplicate' \
	sh -c 'mem-list messages -s s | mem-extract | mem-remember |
	jq -r .did'
check_out 'what is stored quotes the message' 'I live in Lisbon' sh -c 'mem-list facts |
	mem-show | jq -r ".sources[0].quote"'

# ---- a model ----

m='{"id":"m","role":"user","name":"Ann","content":"Yesterday I told Carl that my two cats do not like fish at all, as you know."}'
serve
at ok
model() { # ANSWER: content and quote of what comes out
	printf '%s' "$1" >"$answer"
	printf '%s\n' "$m" | mem-extract -v 2>told | jq -r '.content + " | " + .sources[0].quote'
}
q='my two cats do not like fish'
s='Yesterday I told Carl that my two cats do not like fish at all, as you know'
check_out 'a fact has the sentence of its quote' "Ann's two cats do not like fish | $s" model \
	"{\"facts\":[{\"fact\":\"Ann's two cats do not like fish\",\"quote\":\"$q\",\"key\":\"\",\"bank\":\"Personal\"}]}"
check_out 'no quote, no fact' '' model '{"facts":[{"fact":"Ann likes dogs","quote":"I like dogs"}]}'
check 'a fact whose quote is not there is told as dropped' \
	grep -q '1 dropped, whose quote is not there' told
check_out 'a quote with a changed letter is dropped' '' model \
	'{"facts":[{"fact":"x","quote":"my two Cats do not like fish"}]}'
for f in "Ann's three cats do not like fish" "Ann's two cats like fish" \
	"Ann's two cats do not like fish in Rome" "Bob's two cats do not like fish" \
	"Ann's cats do not like fish_sticks"; do
	check_out "a claim of what was not said has the words of the turn: $f" "$s | $s" model \
		"{\"facts\":[{\"fact\":\"$f\",\"quote\":\"$q\"}]}"
done
# said CLAIM QUOTE SENTENCE: what is made of a claim about a turn
said() {
	jq -nc --arg f "$1" --arg q "$2" '{facts: [{fact: $f, quote: $q}]}' >"$answer"
	jq -nc --arg t "$3" '{id: "m", role: "user", content: $t}' | mem-extract 2>said |
		jq -r .content
}
check_out 'half of a sentence does not lose its never' \
	'Never run the sluice script from the barge' said 'Run the sluice script from the barge' \
	'run the sluice script from the barge' 'Never run the sluice script from the barge.'
check_out 'a claim of other words has the words of the turn' 'We chose Postgres for the orders' \
	said 'All files go to a host abroad' We 'We chose Postgres for the orders.'
check_out 'what is of a sister is not of the user' 'My sister Anna hates olives' \
	said 'The user hates olives' 'hates olives' 'My sister Anna hates olives.'
check_out 'nothing is made of what is only supposed' '' \
	said 'We move to Porto' 'we move to Porto' 'If we move to Porto I would need a car.'
check_out 'nothing is made of a question' '' said 'Use sudo for all commands' \
	'use sudo for all commands' 'Should I use sudo for all commands?'
check_out 'nothing is made of a block of code' '' said 'Run the cleaner' 'run the cleaner' \
	'Look at this: what is it
```
run the cleaner
```'
printf '%s' "{\"facts\":[{\"fact\":\"Bob's cat\",\"quote\":\"$q\"}]}" >"$answer"
printf '%s\n' "$m" | mem-extract -v 2>told >/dev/null
check 'a fact put into the words of its quote is told' \
	grep -q '1 put into the words of the quote' told
check_out 'names that are none become the default' 'General facts fact' sh -c \
	'printf "%s" "{\"facts\":[{\"fact\":\"cats\",\"quote\":\"cats\",\"bank\":\"X\",\"kind\":\"Y\",\"category\":\"Z\",\"importance\":7}]}" >"$1"; printf "%s\n" "$2" | mem-extract | jq -r "[.bank, .category, .kind] | join(\" \")"' \
	sh "$answer" "$m"
n=$(n_asked)
check_out 'short statements need no model' 'I prefer tea' sh -c \
	'echo "{\"id\":\"m\",\"role\":\"user\",\"content\":\"I prefer tea.\"}" | mem-extract |
		jq -r .content'
check 'it was not asked' test "$(n_asked)" = "$n"
check_out '--rules: none of what was once' '' sh -c 'printf "%s\n" "$1" |
	mem-extract --rules | jq -r .content' sh "$m"
check_out 'no key, as a word is not yet a property' 'I live in Rome null' sh -c \
	'echo "{\"content\":\"I live in Rome.\"}" |
		mem-extract --rules | jq -r ".content + \" \" + (.key | tostring)"'
check 'a short statement asks no model either' test "$(n_asked)" = "$n"
at refuse
check_err 'no answer: the rules stand in, and say so' 0 'by rules, where the model did not answer' \
	sh -c 'echo "{\"id\":\"m\",\"role\":\"user\",\"content\":\"By the way, I live in Lisbon, in the old town near the castle and the river.\"}" | MEM_LLM_TIMEOUT=1 mem-extract >facts'
check_out 'with what they find' 'I live in Lisbon' sh -c 'jq -r .content[:16] facts'
unserve
unset MEM_CHAT_URL

# ---- many turns in a question ----

# A model that keeps what it is asked and answers with the file "answer", but nothing that fits
# where a turn says "poison".
cat >fake.sh <<'E'
while read -r line; do
	printf '%s\n' "$line" >>asked
	case $line in *poison*) echo '{"ok":true,"text":"no JSON","model":"tiny"}' ;;
	*) jq -Rsc '{ok: true, text: ., model: "tiny", tokens_in: 100, tokens_out: 10}' answer ;;
	esac
done
E
MEM_LLM_COMMAND="sh $PWD/fake.sh"
export MEM_LLM_COMMAND
turn() { # SESSION ID TEXT
	jq -nc --arg s "$1" --arg i "$2" --arg t "$3" \
		'{session: $s, id: $i, role: "user", content: $t}'
}
{
	turn s1 t1 'By the way, we moved to the house in Lund in spring, and it has a garden.'
	turn s1 t2 'I prefer tea.'
	turn s1 t3 'My brother Finn keeps bees on the roof of his shop, as you know.'
	turn s2 t4 'The deploy key is kept in the blue safe, so ask Mira for it.'
	turn s2 t5 'The deploy key is kept in the blue safe, as I said.'
} >turns
jq -nc '{facts: [
	{turn: 4, fact: "Mira has it", quote: "ask Mira for it"},
	{turn: 1, fact: "User moved to the house in Lund", quote: "we moved to the house in Lund"},
	{turn: 1, fact: "Finn keeps bees", quote: "Finn keeps bees"},
	{turn: 3, fact: "a safe", quote: "kept in the blue safe"},
	{turn: 9, fact: "none", quote: "nobody said so"}]}' >answer
check_out 'turns of two sessions are one question, and facts come in their order' \
	'source:t1 User moved to the house in Lund
source:t2 I prefer tea
source:t3 Finn keeps bees
source:t4 Mira has it' sh -c 'mem-extract -v <turns 2>told |
	jq -r ".sources[0].id + \" \" + .content"'
check_out 'the model was asked only once' 1 sh -c 'wc -l <asked'
check_out 'with the numbers of the turns, none of the short one' \
	'Turn 1: Turn 3: Turn 4: Turn 5:' sh -c 'jq -r .text asked | grep ^Turn | paste -sd " " -'
check 'a quote that two turns have and no number names is dropped' \
	grep -q '2 dropped, whose quote is not there' told
check 'what the question took is told' grep -q '1 questions, 100 tokens in, 10 out' told
check 'with the cost where prices are set' sh -c 'MEM_LLM_PRICE_IN=10 MEM_LLM_PRICE_OUT=50 \
	mem-extract -v <turns 2>&1 >/dev/null | grep -q "10 out, cost 0.0015"'
: >asked
check_out 'before that, an estimate says what it would be' 'messages 5 short 1 questions 1 cost' \
	sh -c 'MEM_LLM_PRICE_IN=10 mem-extract --estimate <turns |
		jq -r "if .name == \"cost\" then .name elif .name[:6] == \"tokens\" then
			empty else .name + \" \" + (.value | tostring) end" | paste -sd " " -'
check_out 'an estimate of the price asks no model' 0 sh -c 'wc -l <asked'
check_out 'its tokens are those of the turns and of our own rules' true sh -c \
	'mem-extract --estimate <turns | jq -s "map(select(.name == \"tokens_in\").value)[0] |
		. > 500 and . < 1500"'
perl -e 'print qq({"session":"s","id":"m$_","role":"user","content":"@{[
	q(so the ferry sails north ) x 60]}"}\n) for 1 .. 60' >long
check_out 'many long turns make several questions' '60 messages in 6 questions' sh -c \
	'mem-extract --estimate <long | jq -rs "map({(.name): .value}) | add |
		\"\(.messages) messages in \(.questions) questions\""'
if [ -n "$measured" ]; then
	perl -e 'print qq({"session":"s","id":"m$_","role":"user","content":"@{[
		q(so the ferry sails north, so it does ) x 12]}"}\n) for 1 .. 40000' >many
	timed sh -c 'mem-extract --estimate <many >/dev/null'
	check "what was asked about is kept no longer ($peak KB)" test "$peak" -lt 16384
fi
turn s2 t6 'What we say of the poison stays here. My sister Zoe lives in Oslo.' >>turns
check_out 'one turn that spoils an answer leaves the others with theirs' \
	'source:t1 source:t2 source:t3 source:t4 source:t4 source:t6' sh -c \
	'mem-extract <turns 2>told | jq -r .sources[0].id | paste -sd " " -'
check 'the rules stand in for its own part alone, and that is told' \
	grep -q 'by rules, where the model did not answer' told
check_out 'halves are asked, and no more than seven questions' true sh -c \
	'test "$(wc -l <asked)" -le 7 && echo true'
unset MEM_LLM_COMMAND

check_out 'whom it is about, where not the speaker' 'null other:mum' sh -c \
	'echo "{\"name\":\"Ann\",\"content\":\"I live in Rome. My mum lives in Oslo.\"}" |
		mem-extract | jq -r .about | paste -sd " " -'
# where people with names talk, what has none is the service's
check_out 'a service says nothing' 'We decided to fire the kiln' sh -c \
	'for n in Ann Bo ""; do jq -nc --arg n "$n" "{session: \"t\", role: \"user\", name: \$n,
		content: (if \$n == \"Ann\" then \"Hi.\" else \"We decided to fire the kiln\" end)}"
	done | mem-extract | jq -r .content'
check_out 'the minutes tell what is to be done' 'Action item: order the clay' sh -c \
	'for n in Ann Bo ""; do jq -nc --arg n "$n" "{session: \"t\", role: \"user\", name: \$n,
		content: (if \$n == \"\" then \"Action item: order the clay\" else \"Hi.\" end)}"
	done | mem-extract | jq -r .content'
check_out 'who is named by the transcript need not say so' 'I live in Ulm' sh -c \
	'for n in Ann Bo; do jq -nc --arg n "$n" "{session: \"t\", role: \"user\", name: \$n,
		content: (if \$n == \"Bo\" then \"My name is Bo. I live in Ulm.\"
			else \"Hi.\" end)}"
	done | mem-extract | jq -r .content'
# chat TEXT: what is kept of it where two people talk
chat() {
	jq -nc --arg c "$1" '{session: "c", role: "user", name: "Ann", content: $c},
		{session: "c", role: "user", name: "Bo", content: "moin"}' |
		mem-extract | jq -r .content
}
asked() {
	for t in 'Bo, would you run the mill from now on?' 'bo would you run the mill from now on' \
		'Bo, machst du ab jetzt die Protokolle?' \
		'Rita, podias tratar das contas daqui em diante?' \
		"Bo, puoi occuparti tu della posta d'ora in poi?" \
		'Luc, tu peux tenir la caisse désormais ?'; do
		chat "$t"
	done
}
check_out 'what somebody is asked to do is no rule of who asks' '' asked
check_out 'what somebody else says, a laugh, or what was so in another job is no fact' '' chat \
	'Cy jokes that we decided to sell the mill. from now on the mill runs late haha
In my old job we always signed the sacks.'
check_out 'a rule may end with a short question' 'From now on the mill rests on Mondays, ok' chat \
	'From now on the mill rests on Mondays, ok?'
# mail FROM...: what is kept of a thread of mails, each of which decides something
mail() {
	for from; do
		jq -nc --arg n "$from" '{session: "n1", role: "user", name: $n, subject: "News",
			to: "ann@mill.example", content: "We decided to close the \($n) branch."}'
	done | MEM_ME='Ann Mill,ann@mill.example' mem-extract | jq -r .content
}
check_out 'what strangers decide in mails is nothing of the owner' '' mail news@bank.example
check_out 'what they decide in a thread that he writes in is kept' \
	'We decided to close the Ann Mill branch
We decided to close the Bo branch' mail 'Ann Mill' Bo
for h in 'List-Unsubscribe: <https://mill.example/off>' 'List-Id: <news.mill.example>' \
	'Precedence: bulk' 'X-None: 1' 'List-Id: <boats.example>
List-Post: <MAILTO:boats@mill.example>' 'List-Id: <news.mill.example>
List-Post: NO'; do
	i=$((${i:-0} + 1))
	printf 'From x@y Mon Nov  2 07:00:00 2026\nFrom: Bo <bo@mill.example>\nTo: ann@mill.example\n'
	printf 'Subject: News\nDate: Mon, 02 Nov 2026 07:00:00 +0100\nMessage-ID: <n%s@x>\n%s\n\n' $i "$h"
	printf 'We decided to close branch %s.\n\n' $i
done >news.mbox
check_out 'a newsletter says nothing of the owner, who posts to a list does' \
	'We decided to close branch 4
We decided to close branch 5' sh -c 'mem-ingest -n news.mbox | mem-extract | jq -r .content'
# who and what it is about are fields, and no words of it
cat >whose.ndjson <<'EOT'
{"source_id":"w1","session":"w","project":"/srv/tide","role":"user","name":"Eli","content":"Please always run the linter before a commit."}
{"source_id":"w2","session":"w","project":"/srv/tide","role":"user","content":"The crash was caused by the worker opening report.db twice."}
{"source_id":"w3","session":"w","role":"user","name":"Eli","content":"My sister Zoe lives in Oslo. She is a baker."}
EOT
check_out 'a fact begins with neither the project nor who said it' '0' sh -c \
	'mem-extract <whose.ndjson | jq -s "map(select(.content | test(\"^(Eli|Zoe|/srv)[^ ]*: |, of \"))) | length"'
check_out 'its fields say both' '/srv/tide project:/srv/tide Eli
/srv/tide project:/srv/tide -
- other:Zoe Eli' sh -c 'mem-extract <whose.ndjson |
	jq -r "[.project, .about, .name] | map(. // \"-\") | join(\" \")"'
check 'facts are kept with their turns' sh -c 'mem-ingest -q whose.ndjson >ids &&
	mem-list messages -s w | mem-extract | mem-remember -q'
check_like 'people see whose they are in a list' ' tide: The crash was caused' \
	env COLUMNS=160 mem-list facts --format text
check_like 'what agents found is told in a block' '^fact: The crash was caused' \
	mem-context -p /srv/tide 'What caused the crash of the worker?'

# ---- bad input ----

for bad in '{"type":"session","id":"s"}' '{"role":"user"}' '7' '[]' '{"content":7}' '{' \
	'{"content":"I live in Rome.","time":"soon"}' \
	'{"content":"I live in Rome.","user":"eve"}'; do
	check_err "a bad line is told with its number: $bad" 65 'stdin:1: ' \
		sh -c 'printf "%s\n" "$1" | mem-extract' sh "$bad"
done
check_err 'the good ones are looked at' 65 'stdin:2: ' sh -c \
	'printf "{\"content\":\"I live in Rome.\"}\n{\n{\"content\":\"I own a boat.\"}\n" |
		mem-extract >good'
check_out 'both; without an id there is no source' 'I live in Rome null
I own a boat null' sh -c 'jq -r ".content + \" \" + (.sources | tostring)" good'
check_err 'mem-extract takes no operand at all' 64 'takes no operand' mem-extract x
check_out 'nothing in, nothing out' '' mem-extract
check 'a long line of words' sh -c \
	'perl -e "print qq({\"content\":\"), \"I like \" x 200000, qq(\"}\n)" | mem-extract'
check_out 'many todos in one line' 20000 timeout 60 sh -c \
	'perl -e "print qq({\"content\":\"), \"Todo: call Ann. \" x 20000, qq(\"}\n)" |
		mem-extract --rules | wc -l | tr -d " "'
check_status 'mem-extract ends well when nobody reads' 0 sh -c 'seq 20000 |
	sed "s/.*/{\"id\":\"m&\",\"content\":\"I live in Rome.\"}/" | mem-extract |
		head -n 1 >/dev/null'
check_status 'mem-extract ends with 74 on /dev/full' 74 \
	sh -c 'echo "{\"content\":\"I live in Rome.\"}" |
	mem-extract >/dev/full'
# ---- marks of Markdown ----

check_out 'a fact says it without marks, and its quote keeps the bytes of the turn' \
	'We decided: the kiln stays, see log
We decided: **the *kiln* stays**, see [log](x.md)' sh -c 'jq -cn "{id: \"m\", role: \"user\",
		content: \"We decided: **the *kiln* stays**, see [log](x.md).\"}" |
	mem-extract --rules | jq -r ".content, .sources[0].quote"'

# ---- who is told ----

minutes() { # jq of a turn: how many of five such turns of one session that want something are kept
	jq -cn "range(5) | {id: \"m\\(.)\", role: \"user\", session: \"s\", project: \"p\"} + ($1)" |
		mem-extract --rules | wc -l | tr -d ' '
}
check_out 'what an assistant is told has to be so is kept' 3 minutes 'if . % 2 == 1
	then {role: "assistant", content: "Done."}
	else {content: "Each report \(.) should be in French"} end'
check_out 'minutes that nobody answers tell nobody what to do' 3 minutes \
	'{content: "Each report \(.) should be in French"}'
check_out 'a mail tells no assistant what to do' 0 minutes \
	'{name: "Ida", content: "Each report \(.) should be in French"}'

# ---- what is labelled a decision ----

found() { jq -cn --arg t "$1" '{type: "message", id: "m", role: "user", project: "/srv/tide",
		content: $t}' | mem-extract --rules | jq -r .content | paste -sd, -; }
while IFS='|' read -r want text; do
	check_out "a decision is kept to the end of its sentence: $text" "$want" found "$text"
done <<'END'
decision: the kiln goes, we fire the tiles by hand with peat|decision: the kiln goes, we fire the tiles by hand with peat. ok?
Beschluss: Ofen fliegt raus - wir brennen von Hand|Beschluss: Ofen fliegt raus - wir brennen von Hand!
decision: the kiln goes,todo: sell the kiln to Ida|decision: the kiln goes; todo: sell the kiln to Ida
END

# ---- rules by their form ----

# rule TEXT: what is found where somebody tells it an assistant that works on a project.
rule() { jq -cn --arg t "$1" '{type: "message", id: "m", role: "user", project: "/srv/tide",
		content: $t}' | mem-extract --rules |
	jq -r '"\(.kind) \(.category): \(.content)"'; }
while IFS='|' read -r want text; do
	check_out "a rule is found by its form: $text" "$want" rule "$text"
done <<'END'
decision rules: NEVER force push on main|NEVER force push on main!
decision rules: hands off gen/|hands off gen/, those are made by the mill
decision context: we stay on REST, no GraphQL|we stay on REST, no GraphQL, I asked the crew
decision rules: berth_id is always text, never int|yes berth_id is always text, never int. same for hull_id
decision rules: rule: fees are always whole cents, never float|rule: fees are always whole cents, never float
decision rules: no lamps in this repo|no lamps in this repo
decision rules: à partir de maintenant on écrit en anglais|à partir de maintenant on écrit en anglais
decision rules: nigdy nie używamy tu gaffa|nigdy nie używamy tu gaffa
decision rules: pas de départ le vendredi|pas de départ le vendredi
END
while IFS= read -r text; do
	check_out "what is no rule is not found: $text" '' rule "$text"
done <<'END'
no lamps in this repo for now
never mind the lamps
no problem in this repo
the mate says we never use gaff
do we never use gaff?
no you pick please
we stay on it until Monday
nie wiemy czemu nie działa
END

# ---- ends ----

ends_at() { # text: the end that is read of it, said on a Wednesday
	jq -cn --arg t "$1" '{type: "message", id: "m", role: "user", time: "2026-03-04T10:00:00Z",
		content: $t}' | mem-extract --rules | jq -r '.valid_to'
}
check_out 'until a day is until the next of its name' 2026-03-07T00:00:00Z \
	ends_at 'I am on call until Friday.'
check_out 'also when it was yesterday' 2026-03-11T00:00:00Z ends_at 'I am on call until Tuesday.'
check_out 'an end is read in German as well' 2026-03-10T00:00:00Z \
	ends_at 'Ich wohne bis Montag in Ulm.'
check_out 'an end is read in Chinese as well' 2026-06-01T00:00:00Z ends_at '我住在上海到五月。'
check_out 'what was once ended by then' 2026-03-04T10:00:00Z ends_at 'I used to live in Rome.'
check_out 'what was once so is read in German' 2026-03-04T10:00:00Z \
	ends_at 'Ich habe früher in Rom gewohnt.'
check_out 'what was once so is read in Chinese' 2026-03-04T10:00:00Z ends_at '我以前住在上海。'
check_out 'a perfect tense may last' null ends_at 'I have lived in Rome since 2010.'
check_out 'an end that is over is none of what holds' null ends_at 'I work nights until Easter.'

# ---- done in the same breath ----

told() { jq -cn --arg t "$1" '{type: "message", id: "m", role: "user", content: $t}' |
	mem-extract --rules | jq -r .content; }
check_out 'what is done in parentheses is not to be done' '' \
	told 'todo: order the reeds (done yesterday)'
check_out 'what is not done in parentheses is a todo' 'todo: order the reeds (not done yet)' \
	told 'todo: order the reeds (not done yet)'
# ---- a stream that stays open ----

mkfifo stream
echo '{"role":"user","content":"I live in Graz now."}
{"role":"user","content":"The kettle hums."}' >two
check_like 'a stream gives the facts of a speaker who has gone on while it is open' \
	'I live in Graz' timeout 60 sh -c 'mem-extract --rules <stream >streamed & exec 3>stream
	cat two >&3; until [ -s streamed ]; do sleep 0.1; done; cat streamed; exec 3>&-; wait'
done_testing
