#!/bin/sh
# mem-hook after a conversation was shortened: what the host's summary left out is given back, and
# what the session itself said before is recalled.
. "${0%/*}/lib.sh"
unset MEM_SEED

mkdir -p yard/.git
# said SESSION: lines "u: text", "a: text", "$  command" and "> output" ("! output" of one that
# failed) on stdin become a transcript, as Claude Code writes it.
said() {
	jq -Rc --arg s "$1" '[., input_line_number] | . as [$l, $n] | $l[3:] as $t
		| {uuid: "\($s)-\($n)", sessionId: $s,
			timestamp: ("2024-05-20T09:" + (100 + $n | tostring | .[1:]) + ":00Z")}
		+ if $l[0:1] == "u" then {type: "user", message: {role: "user", content: $t}}
		elif $l[0:1] == "a" then {type: "assistant",
			message: {role: "assistant", content: [{type: "text", text: $t}]}}
		elif $l[0:1] == "$" then {type: "assistant", message: {role: "assistant",
			content: [{type: "tool_use", id: "c\($n)", name: "Bash",
				input: {command: $t}}]}}
		else {type: "user", message: {role: "user", content: [{type: "tool_result",
			tool_use_id: "c\($n - 1)", content: $t,
			is_error: ($l[0:1] == "!")}]}} end' >>"$1.jsonl"
}
# summary SESSION TEXT: what the host makes of it.
summary() {
	jq -nc --arg s "$1" --arg t "$2" '{type: "user", uuid: "\($s)-sum", sessionId: $s,
		isCompactSummary: true, timestamp: "2024-05-20T10:30:00Z",
		message: {role: "user", content: $t}}' >>"$1.jsonl"
}
call() { # SESSION EVENT SOURCE PROMPT
	jq -nc --arg s "$1" --arg c "$PWD/yard" --arg t "$PWD/$1.jsonl" --arg o "$3" \
		--arg p "${4-}" '{session_id: $s, cwd: $c, transcript_path: $t, source: $o, prompt: $p}' |
		mem-hook claude-code "$2" | jq -r '.hookSpecificOutput.additionalContext // ""'
}

said one <<'END'
u: Let's get the importer of the yard ready for the new scale.
a: I look at the code of the importer first.
$  git log --oneline -n 3
>  a1b2c3d Read the old scale
u: We decided to read weights in grams, not in pounds.
a: Fine, grams it is.
u: Let's use a ring buffer of 512 samples instead of the list.
a: The ring buffer holds 512 samples now.
$  make -C importer test
!  Error: ring.c:44: index 512 out of range
a: The index ran over by one; I mend the comparison.
$  make -C importer test
>  48 tests passed
u: Use the serial port at 19200 baud, never the USB adapter.
a: The port is opened at 19200 baud.
$  ./importer --probe /dev/ttyS1
>  scale found, firmware 3.7
u: Don't touch calibrate.c, Ottilie is working on it.
a: I leave calibrate.c alone.
$  git commit -m 'Read the new scale through a ring buffer'
>  1 file changed
u: We go with CSV for the export, the office cannot open Parquet.
a: The export writes CSV with a header line.
$  ./importer --export csv --day 2024-05-19
>  1204 rows
u: We agreed that a failed reading is retried 3 times, then skipped.
a: Three tries are in place.
$  python3 tools/compare.py old.csv new.csv
!  ValueError: column weight_g missing in old.csv
a: The comparison still has to learn the old column name.
u: Labels leave from the second printer while the first one is away.
u: The old file calls it weight_lb; convert it there tomorrow.
END
: >nothing
mem-ingest -q -p "$PWD/yard" one.jsonl
check_out 'a session is told nothing of itself' '' call one UserPromptSubmit '' \
	'in which unit did we decide to read the weights of the scale?'
call one PreCompact auto >nothing
summary one 'This session is being continued. The importer of the yard was made ready for the new
scale. The user decided to read weights in grams, not in pounds. A ring buffer of 512 samples is
used instead of the list. The export writes CSV. make -C importer test was run: 48 tests passed.'
call one SessionStart compact >block
check_out 'a compacted session is told within 300 tokens' true \
	sh -c 'mem-hook --log -n 1 | jq ".tokens <= 300 and .compacted"'
check_like 'the log says so' 'what the summary left out' mem-hook --log -n 1
check 'not what the summary has' sh -c '! grep -q "in grams\|ring buffer of 512" block'
cat >dropped <<'END'
19200 baud
Don't touch calibrate.c
cannot open Parquet
retried 3 times
--probe /dev/ttyS1: worked
git commit -m
--export csv --day 2024-05-19: worked
compare.py old.csv new.csv: failed, ValueError: column weight_g missing
still has to learn the old column
weight_lb
user: Labels leave from the second printer
END
n=0 back=0
while read -r want; do
	n=$((n + 1))
	if grep -qF -e "$want" block; then back=$((back + 1)); else echo "# lacks: $want"; fi
done <dropped
echo "# of $n that the summary dropped $back are given back"
check 'most decisions and commands that it dropped are given back' [ $back -ge 8 ]

asked='in which unit did we decide to read the weights of the scale?'
check_like 'then the session may be told what it said before' 'grams, not in pounds' \
	call one UserPromptSubmit '' "$asked"
check_out 'a compacted session is told of once' '' call one UserPromptSubmit '' "$asked"
check_out 'a prompt after it gets nothing that was just told' '' call one UserPromptSubmit '' \
	'which baud rate did we agree on for the serial port of the scale?'
# Without a summary in its transcript.
sed 's/"one/"two/g' one.jsonl | grep -v isCompactSummary >two.jsonl
mem-ingest -q -p "$PWD/yard" two.jsonl
check_like 'without a summary all of it counts' 'decided: .*CSV' call two SessionStart compact
# What is told as decided or open is so.
said three <<'END'
u: Todo: order a new cable for the scale.
u: Don't forget to put a lamp on the roof of the yard.
u: Write a mail to the office, so that they can decide if the lamp may burn at night.
u: Don't forget to oil the hinge of the gate.
u: Mañana tengo reuniones en la oficina todo el día.
u: 以后用哪个端口？
a: The tests of the port still fail; instead of the cable I look at the clock next.
a: I ordered the new cable for the scale.
END
mem-ingest -q -p "$PWD/yard" three.jsonl
call three SessionStart compact >block
check_like 'a todo of the user is open' '^open: .*hinge' cat block
check_like 'one of whose thing he spoke later is only what he said' '^user: .*forget.* lamp' \
	cat block
check 'one that was done since is not' sh -c 'grep -q "^user: .*new cable" block &&
	! grep -q "^open: .*cable" block'
check_like 'what only has a word of a todo, in whatever language, is none' '^user: Mañana' cat block
check_like 'what an assistant says of its work is neither' '^assistant: The tests of the port' \
	cat block
check 'a question or what others may decide is no decision' sh -c '! grep -q "^decided" block'
# A short message is told whole, and all in the order in which it was said.
said four <<'END'
u: the belt is a Lindt, 40 mm
a: The belt is in the list with 40 mm.
u: Lindt tore twice. 900 lost, they pay 200. never again. back to Horn
a: Horn it is. Is the width 40 again?
u: 45, horn has no 40
a: The list says Horn, 45 mm.
END
mem-ingest -q -p "$PWD/yard" four.jsonl
call four SessionStart compact >block
check_out 'a short message is told whole, and who said what in order' \
	'user: the belt is a Lindt, 40 mm
assistant: The belt is in the list with 40 mm.
decided: Lindt tore twice. 900 lost, they pay 200. never again. back to Horn
user: 45, horn has no 40
assistant: The list says Horn, 45 mm.' grep ': ' block
check_out 'a transcript that is missing is no harm' '' sh -c 'echo "{\"session_id\":\"none\",
	\"source\":\"compact\",\"transcript_path\":\"/none\"}" | mem-hook claude-code start'
done_testing
