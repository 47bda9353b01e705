#!/bin/sh
# mem-hook over a made month of five projects: prompts in four languages that ask, whose answers
# must be in the blocks, and prompts that ask for nothing, which must be told nothing.
. "${0%/*}/lib.sh"
unset MEM_SEED

mkdir -p garten/.git kiosk/.git thesis/.git choir/.git band/.git tienda/.git

# turns PROJECT SESSION DAY: lines "u: text" and "a: text" on stdin become turns a minute apart.
turns() {
	jq -Rnc --arg s "$1-$2" --arg d "$3" '[inputs] | to_entries[] | {session: $s,
		time: ($d + "T09:" + (100 + .key | tostring | .[1:]) + ":00Z"),
		role: {u: "user", a: "assistant", t: "tool"}[.value[0:1]], content: .value[3:]}' |
		mem-ingest -q -p "$PWD/$1" -
}

turns kiosk receipts 2024-04-22 <<'END'
u: Which printer driver did we settle on for the receipts?
a: You have not told me that in this session, and nothing in the repository names one.
u: Then escpos-lite, because the shop's printers know nothing else.
a: Noted. I wire it up behind the Printer interface.
u: Thanks
END
turns kiosk hotline 2024-04-23 <<'END'
u: What is the number of the hotline for broken terminals?
a: I don't have it in this repository, and the wiki page is empty.
u: Found it: +49 30 555 0147, ask for Herr Lindqvist.
a: Good, I put it into the README.
END
turns kiosk timeout 2024-04-24 <<'END'
u: The card reader times out after 30 seconds, please make that a constant.
a: The timeout of the card reader is now READER_TIMEOUT_S = 30 in config.toml.
END
turns kiosk raise 2024-05-07 <<'END'
u: Raise the timeout of the card reader from 30 to 45 seconds, we changed our mind.
a: READER_TIMEOUT_S is 45 now.
END
turns kiosk browser 2024-05-10 <<'END'
u: Let's write the browser tests for the checkout page.
a: I begin with a fixture that fills the basket.
u: The fixture should use the small catalogue.
a: Done, the fixture loads catalogue-small.json and takes two seconds.
u: Now the test for a voucher.
a: The voucher test is written; it fails as the discount is rounded up.
u: Stop here for today, we look at the rounding tomorrow.
a: The voucher test stays red until the rounding in price.ts is settled; all others pass.
END
turns kiosk logs 2024-05-12 <<'END'
u: Wie lange heben wir die Protokolle der Kassen auf?
a: Das steht nirgends, soweit ich sehe.
u: Neunzig Tage, das hat die Steuerberaterin so verlangt.
END

turns thesis cites 2024-04-25 <<'END'
u: In welchem Stil soll ich die Zitate in der Arbeit setzen?
a: Das hängt vom Institut ab, hast du eine Vorgabe?
u: Ja, nach DIN ISO 690, mit Fussnoten.
END
turns thesis date 2024-04-26 <<'END'
u: Die Arbeit ist am 14. Juni abzugeben, gedruckt und zweifach.
a: Ich trage den 14. Juni ein.
END
turns thesis survey 2024-04-27 <<'END'
u: We have 212 valid answers in the survey after removing the doubles.
a: Then the margin of error is about 6.7 points.
END

turns choir hall 2024-04-28 <<'END'
u: 我们的排练改在周四晚上七点，在老图书馆。
a: 好的，周四晚上七点，老图书馆。
END
turns choir score 2024-04-29 <<'END'
u: 合唱团的乐谱用哪个软件来排？
a: 你还没有告诉过我。
u: 用 MuseScore，因为大家都能免费打开。
END

turns band van 2024-05-01 <<'END'
u: We rented the van for the tour at Brenner & Sons, 480 euros for four days.
a: I note 480 euros for the van.
END
turns band setlist 2024-05-02 <<'END'
u: Should the encore be the slow song or the fast one?
a: Both would work. Which one do you prefer?
u: The slow one, Marta's voice needs the rest.
END

turns tienda pagos 2024-05-03 <<'END'
u: ¿Qué pasarela de pago elegimos para la tienda?
a: No me lo has dicho en esta sesión.
u: Elegimos Redsys, porque el banco no cobra comisión.
END
turns tienda copias 2024-05-04 <<'END'
u: Las copias de seguridad de la tienda se hacen los domingos a las tres de la madrugada.
a: De acuerdo, los domingos a las tres.
END

# ask N PROJECT PROMPT: the block that a fresh session is told.
ask() {
	jq -nc --arg s "ask$1" --arg c "$PWD/$2" --arg p "$3" \
		'{session_id: $s, cwd: $c, prompt: $p}' >call.json
	mem-hook claude-code prompt <call.json >said
	jq -r '.hookSpecificOutput.additionalContext // ""' said
}

# PROJECT|what the block must hold|the prompt
cat >asking <<'END'
kiosk|escpos-lite|Which printer driver did we settle on for the receipts?
kiosk|555 0147|what was the number of the hotline for broken terminals again?
kiosk|45|what timeout did we agree on for the card reader?
kiosk|rounding in price.ts|pick up where we left off with the browser tests for the checkout
kiosk|Neunzig Tage|Wie lange heben wir die Protokolle der Kassen auf?
thesis|DIN ISO 690|Welchen Zitierstil nehmen wir in meiner Arbeit?
thesis|14. Juni|Wann war noch mal die Abgabe meiner Arbeit?
thesis|212|how many valid answers did we have in our survey?
choir|老图书馆|我们的排练改在什么时候，在哪里？
choir|MuseScore|我们之前说好用哪个软件排乐谱？
band|480|what did we pay for the van on our tour?
band|slow one|which song did we choose for the encore?
tienda|Redsys|¿Qué pasarela de pago elegimos para nuestra tienda?
tienda|domingos|¿Cuándo dijimos que se hacen las copias de seguridad de la tienda?
tienda|Redsys|¿Cuál es nuestra pasarela?
kiosk|480|what did we pay for the van on the band's tour?
kiosk|rounding in price.ts|where were we with the voucher test?
END
nn=0 recalled=0 answered=0
: >missed
while IFS='|' read -r project want prompt; do
	n=$((n + 1))
	ask $n "$project" "$prompt" >block
	grep -q . block && recalled=$((recalled + 1))
	if grep -qF "$want" block; then
		answered=$((answered + 1))
	else
		{
			echo "# $prompt"
			sed 's/^/#   /' block
			mem-hook --log -n 1 | jq -r '"#   \(.why), gate \(.gate), p \(.p)"'
		} >>missed
	fi
done <asking
cat missed
echo "# of $n prompts that ask $recalled were recalled, $answered with the answer"
check 'nearly all that ask are recalled' [ $recalled -ge 15 ]
check 'with the answer in the block' [ $answered -ge 15 ]

# ---- German compounds, and words that only ask ----

turns garten laube 2024-05-06 <<'END'
u: Die Tür der Laube wird in der Farbe Ochsenblut gestrichen.
a: Gut, ich schreibe es auf.
END
turns garten brunnen 2024-05-07 <<'END'
u: Der Brunnen ist vierzehn Meter tief.
a: Das Wasser steht noch drei Meter unter dem Rand.
END
turns garten kurz 2024-05-08 <<'END'
u: Den Zaun liefert Frau Kurz.
a: Danke.
END
check_like 'a compound is found by its parts' Ochsenblut \
	ask k1 garten 'Welche Türfarbe haben wir vereinbart?'
check_like 'a word behind "wie" asks only' vierzehn ask k2 garten 'Wie tief ist unser Brunnen?'
check_out 'of a compound one part of two does not answer' '' \
	ask k3 garten 'Welche Türklinke haben wir ausgesucht?'

# ---- questions that do not say that they ask for the past ----

plain='does the voucher test of the checkout page fail?'
check_out 'a plain question is not taken for one that recalls' false \
	sh -c "echo '$plain' | mem-hook --gate | jq .recalls"
check_like 'a plain question is told what surely answers it' 'the discount is rounded up' \
	ask p1 kiosk "$plain"
check_out 'a question about what is at hand is told nothing' '' \
	ask p2 kiosk 'does that test fail?'
check_out 'words of a plain question as a command are told nothing' '' \
	ask p3 kiosk 'let the voucher test of the checkout page fail'

# ---- what comes with what was found ----

ask a1 kiosk 'Which printer driver did we settle on for the receipts?' >block
check_like 'an answer that the user gave later comes' 'user: Then escpos' cat block
turns kiosk two 2024-05-13 <<'END'
u: Who supplies the paper rolls for our kiosks?
a: No file says so.
u: And what about coffee?
a: The machine is broken.
END
ask a3 kiosk 'who did we say supplies the paper rolls for our kiosks?' >block
check 'the next question is no answer to the one before' sh -c \
	'grep -q "No file says so" block && ! grep -q coffee block'

# ---- what was changed later ----

turns tienda limit 2024-04-20 <<'END'
u: What rate limit do we give the public API?
a: Clients of the public API get 100 requests a minute by default.
u: Good.
END
turns tienda pages 2024-04-25 <<'END'
u: The size of a page of the list goes from 100 to 250 rows.
a: Changed.
END
turns tienda before 2024-04-10 <<'END'
u: The default for requests goes from 100 to 80 in the sandbox.
END
turns tienda raise 2024-05-03 <<'END'
u: Make the CI cache the modules.
a: Done, builds take half the time.
u: Also raise the default from 100 to 120 requests, we changed our mind.
a: The default is 120 now.
END
ask c1 tienda 'what rate limit did we give clients of the public API?' >block
check_like 'a value that was changed later comes with its change' 'from 100 to 120' cat block
check 'a change is not told of another value, or of one before' sh -c \
	'grep -q "100 requests a minute" block && ! grep -q "250 rows\|sandbox" block'
turns band fee 2024-04-20 <<'END'
u: Der Beitrag im Chor beträgt 15 Euro im Monat.
END
turns band fees 2024-05-04 <<'END'
u: Ab Juni wird der Beitrag von 15 auf 18 Euro erhöht.
END
ask c2 band 'Wie hoch war noch mal unser Beitrag im Chor?' >block
check_like 'a change is told in German as well' 'von 15 auf 18' cat block

turns band rehearse 2024-04-22 <<'END'
u: Which evening do we take for rehearsals in the cellar?
a: Tuesday is free for all five of you.
u: Good, agreed: rehearsals in the cellar are on Tuesdays.
END
turns band evening 2024-05-06 <<'END'
u: The drummer works late now.
a: That makes it hard.
u: We changed our mind about the cellar: rehearsals move to Sundays.
END
ask c3 band 'which evening did we agree on for our rehearsals in the cellar?' >block
check 'a decision comes with what was decided later' sh -c \
	'grep -q "agreed: rehearsals" block && grep -q "rehearsals move to Sundays" block'

jq -cn '{session: "chat", role: "user", content: "no cellar for rehearsals any more, the school has us",
	time: "2024-05-07T10:00:00Z"}' | mem-ingest -q -
ask c4 band 'which evening did we agree on for our rehearsals in the cellar?' >block
check_like 'a decision comes with what was said later in no project' 'the school has us' cat block

# Of a chat what others say later is told, of another chat what the owner says alone.
jq -cn '("2024-04-0\(1, 2, 3)T10:00:00Z" | [., "wharf", "Rae", "morning"]),
	["2024-04-07T10:00:00Z", "wharf", "mara", "the lock of the wharf is a padlock now, code 8822"],
	["2024-04-19T10:00:00Z", "family", "Mum", "my bank wants a padlock with code 8822 on its papers"],
	["2024-04-20T10:00:00Z", "wharf", "Rae", "the padlock with 8822 froze, we took a bolt"],
	["2024-04-21T10:00:00Z", "boats", "mara", "padlock 8822 is on my bike now"] |
	{time: .[0], session: .[1], role: "user", name: .[2], content: .[3]}' | mem-ingest -q -
MEM_ME=mara ask c6 empty 'what is the code of the padlock at the wharf?' >block
check 'what others said in another chat is not told as said later' sh -c \
	'grep -q "froze" block && grep -q "on my bike" block && ! grep -q Mum block'

# Where one of two people of a name lives is not where the other does, in any language.
for said in 'João Cardim|e eu moro em Gaia há dez anos' 'João Peixoto|bom dia a todos' 'Rae|hm' \
	'Ann Mill|I live in Ulm' 'Ann Lee|good morning to all of you'; do
	jq -cn --arg n "${said%|*}" --arg c "${said#*|}" \
		'{session: "homes", role: "user", name: $n, content: $c, time: "2024-05-03T10:00:00Z"}'
done | mem-ingest -q -
p() { mem-search "$1" | jq -r "select(.content | test(\"$2\")) | .p < .2"; }
check_out 'of another of that name p is low' 'true true' sh -c 'echo "$1" $2' - \
	"$(p 'onde mora o João Peixoto?' Gaia)" "$(p 'where does Ann Lee live?' Ulm)"
check_out 'of the one himself it is not' 'false false' sh -c 'echo "$1" $2' - \
	"$(p 'onde mora o João Cardim?' Gaia)" "$(p 'where does Ann Mill live?' Ulm)"
mem-edit -q --same-person 'Ann Lee' Rae
check 'that two names are one person is no answer about him' sh -c \
	'! mem-search "which person is Rae?" | grep -q "same person"'

# The one word that others have names the thing, however many the item has beside it.
turns skiff tiles 2024-04-20 <<'END'
u: the chart tiles are served by MapTide with the topo style
a: Good.
END
turns skiff later 2024-05-03 <<'END'
u: rename the helper in utils
a: Done.
u: MapTide asks for a card now. a file in the bucket
a: Understood.
END
ask c5 skiff 'by what did we decide the chart tiles are served?' >block
check 'a turn comes with a later one that names the one thing others name' sh -c \
	'grep -q "asks for a card" block && ! grep -q "rename the helper" block'

# What another person says next is a reply.
for said in 'Rae|next call on thursday' 'Mo|thursday is full, can we take friday?' 'Rae|ok'; do
	jq -cn --arg n "${said%|*}" --arg c "${said#*|}" \
		'{session: "talk", role: "user", name: $n, content: $c, time: "2024-05-03T10:00:00Z"}'
done | mem-ingest -q -
ask c6 skiff 'when did we say is the next call?' >block
check_like 'a turn of a chat comes with what another says next' 'Mo: thursday is full' cat block

# What was open once is not told as open now.
turns jetty old 2024-04-20 <<'END'
u: the jetty importer
a: Written. Still open: the quota check and the retry.
END
turns jetty new 2024-05-03 <<'END'
u: quota check and retry are in
a: See you. Left to do: images in mails.
END
ask o1 jetty 'what is still open?' >block
check_out 'what was open in an older session is not told' '' cat block
ask o2 jetty 'is the quota check still open?' >block
check_like 'it is where the prompt names it' 'Still open: the quota check' cat block
ask o3 jetty "what's left to do here?" >block
check_like 'what the last session left open is told' 'Left to do: images' cat block

# ---- where work was left ----

ask l1 kiosk 'pick up where we left off with the browser tests for the checkout' >block
check 'the last turns of the session that is named' sh -c \
	'grep -q "assistant: The voucher test stays red" block && grep -q "Stop here for today" block'
check 'the last turns begin not with its first' \
	sh -c '! grep -q "begin with a fixture" block'
ask l7 kiosk 'let us pick up where we left off with the voucher problem' >block
check_like 'work is found by a word that no turn answers' 'The voucher test stays red' cat block
turns band amp 2024-05-03 <<'END'
u: The old amplifier hums since the concert.
a: I would look at the cable first.
END
turns band amp2 2024-05-04 <<'END'
u: It is the fuse of the amplifier that is gone.
a: Then it wants a slow one.
END
ask l8 band 'pick up where we left off with the amplifier' >block
check 'of two sessions that name the work the newer is told' sh -c \
	'grep -q "wants a slow one" block && ! grep -q "cable first" block'
ask l2 kiosk 'where were we?' >block
check_out 'without a name those of the last session of the project' 4 grep -c '^.2024-05-13' block
ask l3 thesis 'wo waren wir stehen geblieben?' >block
check_like 'where work was left is told in German' 'margin of error' cat block
ask l4 choir '我们上次做到哪了？' >block
check_like 'where work was left is told in Chinese' MuseScore cat block
ask l5 tienda '¿dónde nos quedamos?' >block
check_like 'where work was left is told in Spanish' domingos cat block
turns loom weft 2024-05-04 <<'END'
u: The selvedge frays where the second shuttle turns.
a: Then the tension of that shuttle is too low.
u: git status
a: Two files changed.
u: push
a: Pushed.
END
ask l9 loom 'where were we?' >block
check_out 'of exchanges that say little only the last is told beside what was worked on' '0 1 1' \
	sh -c 'echo "$(grep -c "git status" block) $(grep -c selvedge block) $(grep -c Pushed block)"'
ask l6 kiosk 'where were we with the zeppelin?' >block
check_out 'nothing of a work that nobody knows' '' cat block
ask l5 tienda '¿dónde nos quedamos?' >block
check_out 'a block tells nothing of that twice' '' cat block

# ---- another project ----

ask o1 kiosk 'which song did we choose for the encore of the band, the slow one or the fast one?' >block
check_like 'what comes from another project names it' '^# of another project, band:$' cat block
ask o2 band 'which song did we choose for the encore of the band, the slow one or the fast one?' >block
check 'what comes from this one does not' sh -c 'grep -q "slow one" block && ! grep -q "^#" block'

ask o3 choir 'where were we with the voucher test of the checkout, whose browser tests we wrote?' >block
check_like 'a block tells where work was left in another project' '^# of another project, kiosk:$' \
	cat block

# ---- a pasted error ----

cat >worked.ndjson <<'END'
{"session":"err1","time":"2024-05-08T10:00:00Z","role":"user","content":"Start the kiosk on the new board."}
{"session":"err1","time":"2024-05-08T10:01:00Z","role":"assistant","content":"","tool_calls":[{"id":"k1","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"npm start\"}"}}]}
{"session":"err1","time":"2024-05-08T10:02:00Z","role":"tool","tool_call_id":"k1","content":"Error: cannot open serial device /dev/ttyUSB3: permission denied","is_error":true}
{"session":"err1","time":"2024-05-08T10:03:00Z","role":"assistant","content":"The user lacks the group dialout.","tool_calls":[{"id":"k2","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"sudo usermod -aG dialout kiosk\"}"}}]}
{"session":"err1","time":"2024-05-08T10:04:00Z","role":"tool","tool_call_id":"k2","content":"Exit code: 0"}
{"session":"err1","time":"2024-05-08T10:05:00Z","role":"assistant","content":"","tool_calls":[{"id":"k3","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"npm start\"}"}}]}
{"session":"err1","time":"2024-05-08T10:06:00Z","role":"tool","tool_call_id":"k3","content":"listening on 8080\nExit code: 0"}
{"session":"err2","time":"2024-05-09T10:01:00Z","role":"assistant","content":"","tool_calls":[{"id":"k4","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"npm test\"}"}}]}
{"session":"err2","time":"2024-05-09T10:02:00Z","role":"tool","tool_call_id":"k4","content":"Error: snapshot of the basket is out of date","is_error":true}
END
mem-ingest -q -p "$PWD/kiosk" worked.ndjson
ask e1 kiosk 'Error: cannot open serial device /dev/ttyUSB3: permission denied' >block
check_like 'a pasted error comes with what cured it' 'usermod -aG dialout' cat block
check_like 'the log says that a cure of the error was told' 'a cure of the error' \
	mem-hook --log -n 1
ask e2 kiosk 'Error: snapshot of the basket is out of date' >block
check_out 'nothing of one that nobody cured' '' cat block
ask e3 kiosk 'Error: no such table: baskets' >block
check_out 'nothing of one that is new' '' cat block
ask e4 kiosk 'how did we fix the permission error of the serial device?' >block
check_like 'an error that is told as an answer is told' '^\[.*: Error: cannot open serial' cat block
check_like 'it comes with what cured it' 'usermod -aG dialout' cat block
ask e1 kiosk 'Error: cannot open serial device /dev/ttyUSB3: permission denied' >block
check_out 'a block tells no cure of it twice' '' cat block

# ---- what asks for nothing ----

cat >silent <<'END'
thanks
ok, go on
run the tests
commit this and push
what is a mutex?
rename the variable in line 12 to total
explain this regex
add a test for the empty list
make it shorter
how do I exit vim?
why is this loop slow?
fix the typo in the header
write a function that reverses a string
convert this to TypeScript
what does errno 13 mean?
show me the diff
translate this sentence into French
looks good, ship it
can you add a docstring to that function?
what's the difference between TCP and UDP?
danke, das passt so
lass die Tests laufen
was ist ein Mutex?
benenne die Variable in Zeile 12 um
mach weiter
erklär mir diese Funktion
schreib einen Test für den leeren Fall
übersetze diesen Satz ins Englische
warum ist diese Schleife so langsam?
formatiere die Datei neu
nein, stopp
wie funktioniert ein Bloomfilter?
füge der Klasse einen Kommentar hinzu
was bedeutet dieser Fehler?
kürze den Absatz
谢谢
好的，继续
运行测试
什么是互斥锁？
把这个变量改名
解释一下这段代码
给空列表加一个测试
提交并推送
把这句话翻译成英文
这个函数为什么这么慢？
写一个反转字符串的函数
修一下这个错字
TCP 和 UDP 有什么区别？
不对，撤销
格式化这个文件
gracias, perfecto
ejecuta las pruebas
¿qué es un mutex?
cambia el nombre de la variable en la línea 12
explica esta función
traduce esta frase al inglés
sí, continúa
añade una prueba para la lista vacía
¿cuál es la diferencia entre TCP y UDP?
borra este archivo
¿por qué es tan lento este bucle?
Kannst du den Satz kürzer machen?
haz que sea más corto
merci, parfait
lance les tests
c'est quoi un mutex ?
explique cette fonction
END
# ---- what was stored on purpose ----

mem-remember -q -p "$PWD/kiosk" 'The till of the kiosk is counted by Oswin at 18:30'
mem-remember -q 'Deliveries of ice cream reach the kiosk through the yard'
mem-remember -q -p "$PWD/tram" 'Spare brake blocks of the tram lie on shelf 12'
check_like 'what was stored on purpose is told, as what it is' \
	'^\[[0-9-]*\] reflection: The till of the kiosk is counted by Oswin' \
	ask p1 kiosk 'who counts the till of the kiosk?'
check_out 'what was stored on purpose is told once' '' \
	ask p1 kiosk 'who counts the till of the kiosk?'
check_like 'it is told where it was stored for no project' 'through the yard' \
	ask p2 kiosk 'where do deliveries of ice cream come through?'
check_out 'what was stored for another project is not told' '' \
	ask p3 kiosk 'on which shelf do the spare brake blocks of the tram lie?'
check_out 'what answers something else is not told' '' \
	ask p4 kiosk 'who paints the roof of the kiosk?'
check_out 'the log says why' 'what was stored on purpose' sh -c \
	'mem-hook --log -n 5 | jq -r "select(.session == \"askp1\" and .did == \"recalled\").why"'

# ---- what is so of the user ----

mkdir -p desk/.git flat/.git
turns desk image 2024-05-05 <<'END'
u: Does the runner need a new image?
a: No, the old one has all it needs.
u: rename it
a: Renamed.
u: plan the remaining work
a: Two steps remain: the rent of the server and the release.
END
for day in 07 08 09 10 11 12; do
	turns desk linter$day 2024-05-$day <<'END'
u: Let the linter run over the module of the parcels.
a: It finds nothing in that module.
END
done
turns flat rent 2024-05-06 <<'END'
u: My landlady Mrs Quintas raises the rent of my flat to 740 from June.
a: That is within the index.
END
check_out 'a turn that shares a word which fits any matter is not told' '' \
	ask o1 desk "what's my new address again?"
check_out 'an order of two words is no answer' '' ask o2 desk 'when did we rename it?'
check_out 'no turn is told to a plain question about oneself' '' ask o3 desk 'where do I work?'
mem-remember -q --fact 'I work at Hollis and Grant'
check_like 'a fact that was stored on purpose is' 'I work at Hollis' ask o4 desk 'where do I work?'
check_like 'what is so of the user is told from wherever it is sure' 740 \
	ask o5 desk 'how much is my rent?'
check_out 'prompts in Polish, French and Spanish ask for the past, or do not' \
	'true true true true false false' sh -c "mem-hook --gate <<'END' | jq -rs 'map(.recalls) |
	join(\" \")'
co ustaliliśmy w sprawie kolejki?
na kiedy mam wizytę u dentysty?
on avait dit quoi pour la file ?
¿qué queda pendiente de la cola?
dodaj testy do tej funkcji
co to jest kolejka?
END"

n=0
: >told
while read -r prompt; do
	n=$((n + 1))
	ask s$n kiosk "$prompt" >block
	grep -q . block && echo "$prompt" >>told
done <silent
check 'sixty prompts and more that ask for nothing' [ $n -ge 60 ]
check_out 'prompts that ask for nothing are told nothing' '' cat told
done_testing
