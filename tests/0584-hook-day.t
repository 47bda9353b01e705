#!/bin/sh
# mem-hook over a made day: 60 prompts in 5 sessions of 2 projects, each session stored as it goes.
# No block is shown twice, none comes from the running session, none from the other project when
# this one has the answer.
. "${0%/*}/lib.sh"
unset MEM_SEED

mkdir -p mill/.git barn/.git
# What was said before in both projects: the same matters, decided otherwise.
past() { # PROJECT PORT QUEUE TOKEN OWNER FORMAT
	cat <<EOT
{"session":"$1-old1","time":"2024-05-02T09:00:00Z","role":"user","content":"Which port does the staging gateway of ours use?"}
{"session":"$1-old1","time":"2024-05-02T09:01:00Z","role":"assistant","content":"The staging gateway uses port $2."}
{"session":"$1-old1","time":"2024-05-02T09:05:00Z","role":"assistant","content":"We decided to keep jobs in $3, because the old queue lost jobs at a restart."}
{"session":"$1-old1","time":"2024-05-02T09:06:00Z","role":"tool","name":"shell","content":"gateway: staging port $2, queue $3, tokens $4"}
{"session":"$1-old2","time":"2024-05-03T09:00:00Z","role":"assistant","content":"Access tokens expire after $4 minutes; that was agreed with the security team."}
{"session":"$1-old2","time":"2024-05-03T09:02:00Z","role":"user","content":"The importer belongs to $5, ask $5 about broken imports."}
{"session":"$1-old2","time":"2024-05-03T09:04:00Z","role":"assistant","content":"Release notes are written as $6, one file a release."}
EOT
}
past mill 8443 PostgreSQL fifteen Ottilie Markdown >mill.ndjson
past barn 9443 SQLite forty Bartholomew AsciiDoc >barn.ndjson
cat >>barn.ndjson <<'EOT'
{"session":"barn-old2","time":"2024-05-03T09:06:00Z","role":"user","content":"The dentist moved my appointment to the ninth of June."}
EOT
check 'turns of one project are stored' mem-ingest -q -p "$PWD/mill" mill.ndjson
check 'turns of the other project are stored' mem-ingest -q -p "$PWD/barn" barn.ndjson

# A session's prompts: "?" wants what this project has, "!" what only the other has, "-" nothing.
cat >day <<'EOT'
? which port does our staging gateway use
- ok
- run the tests
? why did we decide to keep jobs where they are
- thanks
- rename the variable in line 4
? which port was our staging gateway on again
- what is a mutex
? who owns the importer, who do we ask about it
- yes, go on
- commit this
- explain this function
EOT
cat >day2 <<'EOT'
- good morning
? when do our access tokens expire, what was agreed
- fix the typo in the header
? in which format do we write release notes
- add a test for the empty list
! when is my dentist appointment
- make it shorter
? what did the security team agree on for tokens
- push it
- how do i exit vim
? how do we usually write release notes
- ok cool
EOT

# mem-hook's call in session $1 of project $2; the prompt joins the transcript, as hosts write it.
turn=0
prompt() {
	turn=$((turn + 1))
	jq -nc --arg s "$1" --arg c "$PWD/$2" --arg p "$3" --arg t "$PWD/$1.jsonl" \
		'{session_id: $s, cwd: $c, prompt: $p, transcript_path: $t}' >call.json
	jq -nc --arg s "$1" --arg p "$3" --arg i "$1-$turn" '{type: "user", uuid: $i, sessionId: $s,
		timestamp: "2024-05-20T10:00:00Z", message: {role: "user", content: $p}},
		{type: "assistant", uuid: "\($i)a", sessionId: $s, timestamp: "2024-05-20T10:00:01Z",
		message: {role: "assistant", content: [{type: "text",
			text: "That is done now, have a look at it."}]}}' \
		>>"$1.jsonl"
	mem-hook claude-code prompt <call.json >answer
	mem-hook claude-code stop <call.json >nothing
}
: >answers
day() { # SESSION PROJECT FILE
	while read -r want text; do
		prompt "$1" "$2" "$text"
		jq -nc --arg s "$1" --arg w "$want" --arg p "$2" --arg q "$text" \
			--rawfile a answer '{session: $s, want: $w, project: $p, q: $q, text:
			(if $a == "" then "" else $a | fromjson | .hookSpecificOutput.additionalContext end)}' \
			>>answers
	done <"$3"
}
day one mill day
day two barn day
day three mill day2
day four barn day2
day five mill day

check_out '60 prompts were answered' 60 jq -s length answers
check_out 'nothing was said to those that want nothing' 0 \
	jq -s 'map(select(.want == "-" and .text != "")) | length' answers

# The items of the blocks: lines that begin with a date.
jq -c '. as $x | .text | split("\n")[] | select(startswith("[20")) | $x + {text: .}' answers >items
check_out 'no item was shown twice in a session' '' sh -c \
	'jq -c "[.session, .text]" items | sort | uniq -d'
check_out 'no block was shown twice' '' sh -c \
	'jq -c "select(.text != \"\") | [.session, .text]" answers | sort | uniq -d'
check_out 'none of the running session, and nothing of the tools' '' sh -c \
	'for s in one two three four five; do
		mem-list -j -s $s | jq -r .id
		done | sort >running
	for s in one two three four five; do
		mem-hook --log -n 1000 -s $s | jq -r ".given[]?.id" >given
		mem-list -j -s $s | jq -r .id | grep -F -f - given
	done
	jq -r .text items | grep "gateway: staging"
	true'
check_out 'none of the other project where this one has the answer' '' sh -c \
	'jq -r "select(.want == \"?\" and .project == \"mill\") | .text" items |
		grep -E "9443|SQLite|forty|Bartholomew|AsciiDoc"
	jq -r "select(.want == \"?\" and .project == \"barn\") | .text" items |
		grep -E "8443|PostgreSQL|fifteen|Ottilie|Markdown"
	true'
check_out 'what the project knows was told' 'true true true true true true' sh -c '
	for text in "one.*8443" "one.*Ottilie" "two.*9443" "two.*Bartholomew" "three.*fifteen" \
		"four.*AsciiDoc"; do
		jq -r "\"\(.session) \(.text)\"" items | grep -q "$text" && echo true ||
			echo "$text"
	done | xargs'
check_out 'what only the other project knows, too' true sh -c \
	'jq -r "select(.want == \"!\" and .project == \"mill\") | .text" items | grep -q "ninth of June" &&
		echo true'
done_testing
