#!/bin/sh
# mem-hook at a start: what is told as open is open, and the last session's outcome.
. "${0%/*}/lib.sh"
unset MEM_SEED

mkdir -p mill/.git barn/.git
# turns PROJECT SESSION DAY: lines "u: text", "a: text" and "t: text" on stdin become turns.
turns() {
	jq -Rnc --arg s "$1-$2" --arg d "$3" '[inputs] | to_entries[] | {session: $s,
		time: ($d + "T09:" + (100 + .key | tostring | .[1:]) + ":00Z"),
		role: {u: "user", a: "assistant", t: "tool"}[.value[0:1]], content: .value[3:]}' |
		mem-ingest -q -p "$PWD/$1" -
}
turns mill one 2024-04-20 <<'END'
u: We decided: all stock locks are taken in the order of their ids, and each must be released by its owner.
a: Understood. I'll add weasyprint==62.3 to the requirements and I need to bump the image.
u: The label printer crashes on an empty address; we need to fix that crash.
a: I fixed it: an empty address prints the customer number, the crash of the label printer is gone.
u: Todo: delete the flag old_checkout once the new one has run for a month.
a: Noted, delete the flag old_checkout.
u: Don't forget: the watchdog still needs a second alarm address.
a: I keep that in mind.
u: We still have to move the nightly backup to the other rack.
END
turns mill two 2024-05-09 <<'END'
u: Did you get anywhere with the requirements?
a: weasyprint==62.3 is in the requirements.
u: The nightly backup runs on the other rack since Tuesday, I moved it.
a: Good to know. Shall I change the page about it?
END
turns mill three 2024-05-10 <<'END'
u: Make the invoice test pass.
a: I look at it.
t: 1 failed
a: The invoice test passes: the VAT was rounded before the sum.
u: Now have a look at the log.
a: Let me look at the log:
u: Thanks.
a: Ok.
END
mem-list -j | mem-extract | mem-remember -q

# start SESSION [PROJECT]: what it is told.
start() {
	jq -nc --arg s "$1" --arg c "$PWD/${2-mill}" '{session_id: $s, cwd: $c}' |
		mem-hook claude-code start | jq -r '.hookSpecificOutput.additionalContext // ""'
}
start s1 >block
grep 'open todo:' block >todos
check_like 'a todo of the user is told' 'flag old_checkout' cat todos
check_like 'the other open todo is listed, too' 'second alarm' cat todos
check 'a decision is not listed among todos' sh -c '! grep -q "stock locks" todos'
check 'nothing that an assistant will do' sh -c '! grep -q -i weasyprint todos'
check 'nothing that was mended the same day' sh -c '! grep -q crash todos'
check 'nothing that the user did later' sh -c '! grep -q backup todos'
check_like 'what came of the last session' \
	'last outcome: The invoice test passes: the VAT was rounded before the sum.$' cat block

# A prompt that asks what is open is told the same, and nothing of another project.
# asks SESSION PROJECT PROMPT: what it is told.
asks() {
	jq -nc --arg s "$1" --arg c "$PWD/$2" --arg p "$3" \
		'{session_id: $s, cwd: $c, prompt: $p}' |
		mem-hook claude-code prompt | jq -r '.hookSpecificOutput.additionalContext // ""'
}
nn=0
for prompt in 'what is still open?' 'what is still to do?' 'wat moet er nog gebeuren?' \
	'any open todos here?' "what's left to do here?" \
	'was ist noch offen?' '还有什么没做？' '¿qué queda por hacer?' "qu'est-ce qui reste à faire ?"; do
	nn=$((nn + 1))
	asks "open$nn" mill "$prompt" | grep 'open todo:' >asked
	check "'$prompt' is told what a start is told" cmp todos asked
	check_out "'$prompt' is told nothing of another project" '' asks "else$nn" barn "$prompt"
done
for prompt in 'what do I still have to do for the invoices?' 'what is still open in the parser?' \
	'was müssen wir noch beim Parser machen?' 'co zostało do zrobienia w sklepie?'; do
	asks "of$prompt" mill "$prompt" | grep 'open todo:' >asked
	check "'$prompt', which names work, is told the todos" cmp todos asked
done
for prompt in 'grep for todos' 'any open todos in the parser code?' 'open main.c' \
	'is the door still open?' 'add a todo list to the page'; do
	check_out "'$prompt' asks for no todos of the project" '' asks "none$prompt" mill "$prompt"
done

# One answer for all who list what is open; what is told elsewhere counts, too.
mem-list todos -p "$PWD/mill" >listed
jq -r .content listed | sed 's/^Todo: //' | sort >wanted
sed -n 's|.*open todo: ||p' block | sort >told
check 'mem-list lists the todos that are told' sh -c 'diff wanted told >&2 && [ -s told ]'
check_out 'so many todos are listed as were asked for' 1 sh -c 'mem-list todos -n 1 | wc -l'
mem-stats --html page.html
check_out 'the page shows as many open todos' "$(mem-list todos | wc -l)" sh -c \
	'sed -n "/id=\"open\"/,/<\/ul>/p" page.html | grep -c "<li"'
check_err 'decisions are of one kind' 64 'no --kind' mem-list decisions --kind todo

# A decision is told with what was decided later.
turns barn hay 2024-05-02 <<'END'
u: The hay is no longer stored in the loft.
END
MEM_NOW=2024-04-01T12:00:00Z mem-remember -q -p "$PWD/barn" --kind decision \
	'The hay is stored in the loft'
start b1 barn >block
check 'of a decision that a later turn ends that is told alone' sh -c \
	'! grep -q "decision: The hay" block && grep -q "user: .*no longer stored" block'

# A name that is dropped suffices; what took its place is told alone where that was decided, too.
turns cove sail 2024-05-02 <<'END'
u: We drop hemp and take nylon.
END
mem-remember -q -p "$PWD/cove" --kind decision 'Hemp for the sheets' 'Tar for the deck'
start c1 cove >block
check 'a decision comes with what drops its thing by name' sh -c \
	'grep -q "decision: Hemp" block && grep -q "user: We drop hemp" block'
mem-remember -q -p "$PWD/cove" --kind decision 'Decision: oil instead of tar'
start c2 cove >block
check 'a decision that a newer one replaces is not told' sh -c \
	'grep -q "decision: oil instead" block && ! grep -q "decision: Tar" block'

# So is what others refuse, with what is done in its place, and whatever else names the thing.
n=0
while IFS='|' read -r decided later; do
	n=$((n + 1))
	mkdir -p "bay$n/.git"
	echo "u: $later" | turns "bay$n" row 2024-05-02
	MEM_NOW=2024-04-01T12:00:00Z mem-remember -q -p "$PWD/bay$n" --kind decision "$decided"
	start "bay$n" "bay$n" >block
	check "told with it: $later" grep -qF "$later" block
done <<'END'
We decided to use brass for the cleats|The yard says brass is out, we use bronze.
Decision: rum for the crew|The doctor says no to rum, so tea it is.
Entscheidung: Hanf für die Schoten|Die Werft sagt, Hanf ist raus, wir nehmen Nylon.
Décision : le goudron pour le pont|Le chantier a dit non au goudron, donc on prend la résine.
Decisión: pino para el mástil|El taller dice que pino queda fuera, usamos aluminio.
We decided to use brass for the cleats|The yard says brass is fine, we use bronze for the bell.
Entscheidung: Hanf für die Schoten|Die Werft sagt nein zu Hanf für die Fender, also nehmen wir Gummi.
Decisión: pino para el mástil|Si el taller dice no a pino, usamos aluminio.
END

# What ends a decision is told, whatever else is said of its thing behind it.
MEM_NOW=2024-04-01T12:00:00Z mem-remember -q -p "$PWD/dock" --kind decision \
	'We rent the crane from Otto in Emden' 'on Mondays'
mkdir -p dock/.git
turns dock one 2024-05-02 <<'END'
u: We no longer rent the crane from Otto in Emden on Mondays.
u: The crane of Otto in Emden was on TV on Monday, rent or not.
END
start d1 dock >block
check 'of turns that name a thing the one that ends the decision is told alone' sh -c \
	'grep -q "user: We no longer rent" block && ! grep -q "user: The crane\|decision:" block'

# Words of scripts without spaces name a thing, too, and of a long turn the sentence that has it.
mkdir -p wharf/.git
MEM_NOW=2024-04-01T12:00:00Z mem-remember -q -p "$PWD/wharf" --kind decision '决定：码头用松木铺'
MEM_NOW=2024-04-01T12:00:00Z mem-remember -q -p "$PWD/wharf" --kind decision 'Lamps with kerosene'
turns wharf one 2024-05-02 <<'END'
u: 松木太贵了
u: The pump is loud and the rope is old, and there are gulls on the roof of the shed every morning. Nobody sells kerosene now. We look at it next week, when the crew is back.
END
start w1 wharf >block
check_like 'a decision in Chinese comes with what was said of its thing' '松木铺 \[said .*松木太贵了\]' \
	cat block
check_like 'of a long turn what names the thing is told' \
	'Lamps with kerosene \[said on 2024-05-02: Nobody sells kerosene now\.' cat block

# A decision of whose thing more was said comes with that, in whatever words, and others alone.
turns lock gate 2024-05-02 <<'END'
u: decided: the gates are painted with Bitumol
u: We decided on a winch. no, on a crank
u: decided: the bell hangs at the pier
u: decided: the lamps are green
u: no, not the lamps
u: decided: the walls are red
u: no, forget that
u: decided: the floats are cork
u: no. forget cork, foam
END
turns lock later 2024-05-04 <<'END'
u: Bitumol stinks for weeks, tar again
u: the keeper wants a new chair
END
mem-list -j -p "$PWD/lock" | mem-extract | mem-remember -q
start l1 lock >block
check_like 'a decision comes with what was said of its thing later' \
	'painted with Bitumol \[said on 2024-05-04: Bitumol stinks for weeks, tar again\]$' cat block
check_like 'a decision is told with the rest of its turn' \
	'decision: We decided on a winch \[said on 2024-05-02: no, on a crank\]$' cat block
check_like 'a decision of whose thing no more was said is told alone' \
	'decision: the bell hangs at the pier$' cat block
check_like 'a decision comes with the next turn where that takes it back' \
	'lamps are green \[said on 2024-05-02: no, not the lamps\]$' cat block
check_status 'a decision that the next turn takes back is none' 1 grep red block
check_like 'the next turn that names the thing is told once' \
	'floats are cork \[said on 2024-05-02: no\. forget cork, foam\]$' cat block

# What was said in no project is of each, and a word like "on" names no thing.
turns sluice ladder 2024-05-02 <<'END'
u: decided: no ladder on the pontoon
u: decided: no nails on the deck
END
jq -cn '{session: "chat", role: "user", content: "the ladder is back, the boss wants it on friday",
	time: "2024-05-05T10:00:00Z"}' | mem-ingest -q -
mem-list -j -p "$PWD/sluice" | mem-extract | mem-remember -q
start l2 sluice >block
check_like 'a decision comes with what was said of its thing in a chat' \
	'pontoon \[said on 2024-05-05: the ladder is back, the boss wants it on friday\]$' cat block
check_like 'a function word names no thing' 'no nails on the deck$' cat block

# Where a decision names its thing, another word of it alone ties nothing.
turns yard moves 2024-05-02 <<'END'
u: decided: we move to Dagster in Q1
u: decided: batch stays on polars
u: décision: on passe à Airflow en mai
END
turns yard others 2024-05-04 <<'END'
u: moved the cat to another room
u: we stay on REST, no gravel
u: je passe au bureau demain
END
turns yard things 2024-05-06 <<'END'
u: dagster is dead, too many graphs
u: polars is slow
END
mem-list -j -p "$PWD/yard" | mem-extract | mem-remember -q
check_out 'no verb of a decision is its thing' 'batch stays on polars: polars is slow
we move to Dagster in Q1: dagster is dead, too many graphs' sh -c \
	'mem-list decisions -p "$PWD/yard" | jq -r "select(.said_later) |
		[(.content | sub(\"decided: \"; \"\")), .said_later[].content] | join(\": \")" | LC_ALL=C sort'

# A month names no thing; where the newest turn has most of it, the one that ended it is told, too.
turns quay logs 2024-05-02 <<'END'
u: decided: the logs go out with Vector, from May
u: decidido: os alertas vão para o PagerDuty
END
turns quay dear 2024-06-03 <<'END'
u: PagerDuty quer mais 40%, passamos tudo para o OnCall
END
turns quay after 2024-06-04 <<'END'
u: route all alerts to OnCall, remove the PagerDuty receiver
END
mem-list -j -p "$PWD/quay" | mem-extract | mem-remember -q
start l3 quay >block
check 'a turn is told under the decision that it ends' sh -c \
	'grep -q "PagerDuty \[said on 2024-06-04.*\] \[said on 2024-06-03: PagerDuty quer" block &&
		grep -q "from May$" block'

# Whatever tells a decision tells the same.
mem-list decisions -p "$PWD/lock" >listed
for by in 'mem-list decisions | mem-context' 'mem-stats --digest --since 2024-05-01' \
	'mem-stats --html -' 'mem-show "$gates"' 'mem-show "$gates" --format text' \
	'mem-context "with what are the gates painted?"'; do
	check "it is told by $by" sh -c "gates=\$1 && $by | tr -s '\\n ' ' ' |
		grep -q 'painted with Bitumol.*Bitumol stinks for weeks, tar again'" - \
		"$(jq -r 'select(.content | test("Bitumol")).id' listed)"
done
check_out 'what was said later is listed with each decision' \
	'We decided on a winch: no, on a crank
decided: the bell hangs at the pier
decided: the floats are cork: no. forget cork, foam
decided: the gates are painted with Bitumol: Bitumol stinks for weeks, tar again
decided: the lamps are green: no, not the lamps' sh -c \
	'jq -r "[.content, .said_later[]?.content] | join(\": \")" listed | LC_ALL=C sort'
check_out 'what was said later is listed by its turn' true sh -c '
	mem-show "$(jq -r "select(.content | test(\"green\")).said_later[0].id" listed)" |
	jq ".content == \"no, not the lamps\""'
check_out 'what ends a decision is marked so' true sh -c \
	'mem-list decisions -p "$PWD/barn" | jq ".said_later[0].ends"'
mem-list facts -p "$PWD/lock" | jq -c 'del(.user)' | mem-remember -q -u other
check_out 'what was said later is no part of what is remembered' '5 0' sh -c \
	'mem-list facts -u other | jq -s -r "\"\\(length) \\(map(select(.said_later)) | length)\""'

# So is plain text that is marked as one, until a note says that it is done.
mem-remember -q -p "$PWD/moor" 'Todo: call the rigger about the mast'
mem-remember -q -p "$PWD/moor" '待办：买新的船帆'
mem-remember -q -p "$PWD/moor" 'The rigger has two masts: one todo: the other'
check_out 'plain text that begins with the word todo is an open one' '待办：买新的船帆
Todo: call the rigger about the mast' sh -c \
	'mem-list todos -p "$PWD/moor" | jq -r .content | sort -r'
mem-remember -q 'Has the rigger been called about the mast?'
check_out 'a note that only asks closes no todo' 2 sh -c 'mem-list todos -p "$PWD/moor" | wc -l'
mem-remember -q 'If the rigger has called about the mast, it is finished today'
mem-remember -q 'I called the rigger about the sail'
mem-remember -q 'I almost called the rigger about the mast'
mem-remember -q 'Henk dreamed that the rigger has called about the mast'
mem-remember -q 'The rigger should be called about the mast, that is half done'
mem-remember -q '我以为新的船帆已经买好了'
check_out 'a note that supposes it, or is about half of it or of a dream, closes no todo' 2 sh -c \
	'mem-list todos -p "$PWD/moor" | wc -l'
mem-remember -q 'I called the rigger about the mast'
check_out 'a note that says what was done closes a todo' '待办：买新的船帆' sh -c \
	'mem-list todos -p "$PWD/moor" | jq -r .content'

# What is stored later may close it, too.
mem-remember -q -p "$PWD/mill" --kind fact 'The flag old_checkout is deleted'
start s2 >block
check 'a fact that says so closes a todo' sh -c '! grep "open todo:" block | grep -q old_checkout'
check_like 'the other one stays open' 'open todo: .*second alarm' cat block
turns mill nearly 2024-05-11 <<'END'
u: I nearly moved the second alarm address of the watchdog, it is still needed.
END
start s9 >block
check_like 'what was only nearly done is open' 'open todo: .*second alarm' cat block
turns mill four 2024-05-11 <<'END'
u: Forget the second alarm address of the watchdog, we cancelled the contract.
a: Fine.
END
start s3 >block
check 'what the user does away with is not open' sh -c '! grep -q "open todo:" block'
cat >calls <<END
{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"facts","arguments":{"kind":"todo"}}}
END
mem-mcp <calls | jq -r 'select(.id == 1).result.content[].text' >facts
check 'a todo that is done is no fact that holds' \
	sh -c '! grep -q "second alarm" facts && grep -q todo: facts'
mem-stats --html page.html
check 'a todo that is done is on no page of facts' sh -c '
	sed -n "/id=\"facts\"/,/<\/section>/p" page.html >facts
	! grep -q "second alarm" facts && grep -q old_checkout facts'
check_like 'what he stores as a todo himself is' 'open todo: .*zeppelin' sh -c '
	mem-remember -q -p "$PWD/barn" --kind todo "the zeppelin wants a new hull"
	jq -nc --arg c "$PWD/barn" "{session_id: \"s4\", cwd: \$c}" | mem-hook claude-code start |
		jq -r .hookSpecificOutput.additionalContext'

# ---- whose it is, where the setting me says who the user is ----

mkdir -p quay/.git
for who in Mara Tom; do
	echo "{\"session\":\"quay\",\"name\":\"$who\",\"content\":\"Todo: paint the mooring of $who.\"}"
done | mem-ingest -q -p "$PWD/quay" -
mem-list -j -s quay | mem-extract | mem-remember -q
start q1 quay >block
check_out 'without it all todos are of the user' 2 grep -c 'open todo: .*mooring' block
MEM_ME=mara start q2 quay >block
check_like 'with it what another one means to do is not' 'open todo: .*mooring of Mara' cat block
# a word of another one about its thing: in the project, and in a chat of another matter
mkdir -p berth/.git
echo '{"session":"b1","name":"Mara","time":"2024-05-02","content":"Todo: send the offer for the varnish."}' |
	mem-ingest -q -p "$PWD/berth" -
mem-list -j -s b1 | mem-extract | mem-remember -q
echo '{"session":"b2","name":"Tom","time":"2024-05-03","content":"I want the offer for the varnish in blue."}
{"session":"b3","name":"Tom","time":"2024-05-04","content":"I sent the offer for the varnish."}' |
	mem-ingest -q -
MEM_ME=mara start q3 berth >other
check_like 'what another one says in a chat of his own is no word on it' \
	'open todo: .*varnish$' cat other
check 'a todo is listed whatever another one did elsewhere' sh -c \
	'MEM_ME=mara mem-list todos | grep -q varnish'
mem-forget -qf -s b3
sed 's/b2/b4/' <<'EOT' | mem-ingest -q -p "$PWD/berth" -
{"session":"b2","name":"Tom","time":"2024-05-05","content":"I want the offer for the varnish in green."}
EOT
MEM_ME=mara start q4 berth >other
check_like 'in the project what another one says is told with it' 'varnish \[said on.*green' \
	cat other
for s in b1 b2 b4; do mem-forget -qf -s $s; done
check_out 'an open todo stands once in the block' 1 grep -c 'open todo:' block
mine() { COLUMNS=200 mem-list facts --format text | grep -c '  Mara, of quay: Todo: paint'; }
check_out 'without it a fact says who it is of' 1 mine
check_status 'todos of the user need no name with it' 1 sh -c \
	'MEM_ME=mara COLUMNS=200 mem-list facts --format text | grep "  Mara.*: Todo: paint"'
turns barn talk 2024-05-11 <<'END'
u: Done: the watchdog has its second alarm address now, I did it from here.
END
start s9 >block
check 'what was done is told in another project' sh -c '! grep "open todo:" block | grep -q alarm'
check 'a todo that is done is not listed any more' sh -c '! mem-list todos | grep -q alarm'

# In another session a turn must be about what is to be done, not do the same with something else.
fresh
far() { # far TASK TURN: how many tasks are open behind it
	mem-forget -qf --user-all 2>/dev/null
	mkdir -p far
	printf '%s\n' "{\"role\":\"user\",\"session\":\"a\",\"time\":\"2024-05-01T08:00:00Z\",\"content\":\"$1\"}" \
		"{\"role\":\"user\",\"session\":\"b\",\"time\":\"2024-06-01T08:00:00Z\",\"content\":\"$2\"}" |
		mem-ingest -p "$PWD/far" --from=ndjson 2>/dev/null | mem-extract -q |
		mem-remember -q >/dev/null
	mem-list todos | wc -l
}
check_out 'who fixes something else closes no todo to fix the tap' 1 \
	far 'Todo: fix the tap' 'We fixed the CI.'
check_out 'what is done with a part of it closes no todo' 1 \
	far 'Todo: order paint for the shed' 'The shed is done.'
check_out 'what is done in a later session closes a todo' 0 \
	far 'Todo: mend the pump' 'The pump is cleaned and mended.'
check_out 'thanks and a time by when leave a todo closed' 0 \
	far 'Todo: write a retention policy before the audit' 'Great, the retention policy is done.'
check_out 'a thing that is spoken of later leaves its todo open' 1 \
	far 'Todo: sand the bench' 'The bench creaks at night.'
start far1 far >block
check_like 'a todo whose thing was named since is told with what was said of it' \
	'open todo: sand the bench \[said on 2024-06-01: The bench creaks at night.\]' cat block
check_out 'a prompt that asks what is open is told only what surely is' '' sh -c '
	jq -nc --arg c "$PWD/far" "{session_id: \"far1b\", cwd: \$c, prompt: \"what is still open?\"}" |
		mem-hook claude-code prompt | grep "open todo"; true'
echo '{"role":"user","session":"c","time":"2024-06-02T08:00:00Z","content":"The bench still has to be sanded."}' |
	mem-ingest -q -p "$PWD/far" --from=ndjson
start far2 far >block
check_like 'until the user says that it is still to be done' 'open todo: sand the bench$' cat block
spoken() { # spoken CALLS: how many todos are open behind an assistant who speaks of one
	mem-forget -qf --user-all 2>/dev/null
	jq -nc --argjson calls "$1" '{session: "a", time: "2024-05-01T08:00:00Z", role: "user",
			content: "Todo: order the post forwarding"},
		{session: "a", time: "2024-05-01T08:01:00Z", role: "assistant", content: "I would."},
		{session: "a", time: "2024-05-01T08:02:00Z", role: "user", content: "We move in June."},
		{session: "a", time: "2024-05-01T08:03:00Z", role: "assistant",
			content: "Then order the post forwarding from June on."} + $calls' |
		mem-ingest --from=ndjson 2>/dev/null | mem-extract -q | mem-remember -q >/dev/null
	mem-list todos | wc -l
}
check_out 'an assistant that only speaks of a todo leaves it open' 1 spoken '{}'
check_out 'an assistant that speaks of a todo and calls a tool closes it' 0 \
	spoken '{"tool_calls": [{"name": "post"}]}'
check_out 'what is not to be forgotten as a fact is no todo' 0 \
	far 'Do not forget that the tap might be broken.' 'We fixed the CI.'
check_out 'a verb in another form closes a todo' 0 \
	far 'Todo: Steuererklärung machen' 'Die Steuererklärung ist gemacht.'

# A task of a list is open while its box is empty.
fresh
tasks() {
	jq -nc --arg s "$1" --arg r "$2" --arg t "$3" '{session: $s, role: $r, content: $t,
		time: ("2024-06-0" + $s + "T08:00:00Z")}' |
		mem-ingest --from=ndjson 2>/dev/null | mem-extract -q | mem-remember -q >/dev/null
	mem-list todos | jq -r .content | paste -sd'|'
}
check_out 'items of a list that are not ticked are open todos' \
	'Anna asks the roofer, before Friday|oil the gate' tasks 1 user 'For June:
- [ ] Anna asks the roofer, before Friday.
- [x] the well is covered
* [ ] oil the gate'
check_out 'a list that is told again leaves open what it does not tick' \
	'Anna asks the roofer, before Friday|oil the gate' tasks 2 user '- [ ] oil the gate
- [x] paint the fence'
check_out 'an item that is ticked later is open no more' 'Anna asks the roofer, before Friday' \
	tasks 3 user '- [x] oil the gate'
check_out 'boxes of an assistant are no todos' 'Anna asks the roofer, before Friday' \
	tasks 4 assistant '- [ ] I rewrite the parser of the almanac'

# ---- todos and decisions share the room ----

mkdir -p ferry/.git
turns ferry one 2024-04-01 <<'END'
u: Decision: the ferry never sails on Mondays.
u: Decision: tickets are sold on board alone.
u: Decision: the radio stays on channel twelve.
u: Todo: order forty life jackets for the upper deck from the chandler in Emden.
u: Todo: repaint the waterline of the hull before the inspection of the harbour.
u: Todo: translate the safety leaflet into Danish for the guests from Esbjerg.
u: Todo: replace the searchlight on the bridge and its bracket made of bronze.
END
turns ferry two 2024-04-09 <<'END'
u: The life jackets of the upper deck come in two sizes, and the chandler in Emden asks for more.
u: The waterline of the hull looks better than the harbour thought it would look after the winter.
u: The safety leaflet in Danish has a drawing on the back which the guests from Esbjerg liked best.
u: The searchlight on the bridge is of the same make as the bracket of bronze that the yard has.
END
mem-list -j -p "$PWD/ferry" | mem-extract | mem-remember -q
start f1 ferry >block
check_out 'todos with long words leave room for all decisions' 3 grep -c 'decision:' block
check 'decisions leave room for the todos that still fit' \
	[ "$(grep -c 'open todo:.*said on' block)" -ge 2 ]
check_out 'both are in the 300 tokens of a start' true \
	sh -c 'mem-hook --log -n 1 | jq ".tokens <= 300"'
i=0
while [ $((i += 1)) -le 12 ]; do
	echo "{\"content\":\"Decision: the $(echo $i | tr 0-9 k-t)$i gangway is moored by the crew of berth $i alone, and nobody else may\",\"kind\":\"decision\",\"project\":\"$PWD/ferry\"}"
done | mem-remember -q -
start f2 ferry >block
check_like 'many decisions leave room for a todo' 'open todo:' cat block

# ---- a session that ended with a call ----

mkdir -p cook
printf '%s\n' '{"role":"user","content":"Write the import of the cookbook."}' \
	'{"role":"assistant","content":"I read it as Latin-1 and write into SQLite."}' \
	'{"role":"assistant","content":"","tool_calls":[{"id":"1","function":{"name":"Bash","arguments":"{\"command\":\"make import\"}"}}]}' \
	'{"role":"tool","tool_call_id":"1","content":"214 recipes"}' |
	jq -c '. + {session: "cook", time: "2024-05-12T10:0\(input_line_number):00Z"}' |
	mem-ingest -q --from=ndjson -p "$PWD/cook"
check_like 'what was said before the last calls is no outcome' \
	'last said: I read it as Latin-1' start c1 cook
done_testing
