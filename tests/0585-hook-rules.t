#!/bin/sh
# mem-hook: what an edit or command is told that goes against a rule of the user.
. "${0%/*}/lib.sh"
unset MEM_SEED

mkdir -p repo/.git other/.git
# said SESSION ROLE TEXT [DAY]; where: the project.
said() {
	jq -cn --arg s "$1" --arg r "$2" --arg c "$3" --arg p "$PWD/${where:-repo}" \
		--arg t "2024-05-${4:-10}T09:00:00Z" \
		'{session: $s, role: $r, content: $c, project: $p, time: $t}'
}
store() { mem-ingest -q ${user:+-u "$user"} -; }

# hook HOST SESSION TOOL INPUT: the sentence that the model gets; the answer is in answer.
hook() {
	jq -cn --arg s "$2" --arg d "$PWD/${where:-repo}" --arg n "$3" --argjson i "$4" \
		'{session_id: $s, cwd: $d, tool_name: $n, tool_input: $i}' |
		mem-hook ${user:+-u "$user"} "$1" pretool >answer || return
	jq -r '.hookSpecificOutput.additionalContext // empty' answer |
		sed -n 's/^\[\([-0-9]*\)\] decided by the user: \(.*\) \[[0-9A-Z]*\]$/\1 \2/p'
}
edit() { jq -cn --arg f "$PWD/${where:-repo}/$1" --arg o "$2" --arg n "$3" \
	'{file_path: $f, old_string: $o, new_string: $n}'; }
whole() { jq -cn --arg f "$PWD/${where:-repo}/$1" --arg c "$2" '{file_path: $f, content: $c}'; }
line() { jq -cn --arg c "$1" '{command: $c}'; }
# told NAME SENTENCE TOOL INPUT; quiet NAME TOOL INPUT: in a session of its own
told() { k=$((k + 1)); check_out "$1" "$2" hook claude-code "t$k" "$3" "$4"; }
quiet() { told "$1" '' "$2" "$3"; }
k=0

{
	said one user 'the crane gateway is slow. Keep the lock timeout at 45 seconds, the crew relies on it.'
	said one assistant 'I will. From now on we never use curl.'
	said two user 'We use pnpm in this repo, never npm. Which version is it?'
	said three user 'hands off third_party/ please, patches go to patches/'
	said four user 'at most 6 workers, the box has no more cores'
	said five user 'From now on fees are stored as Decimal, not as float.'
	said six user 'rule: no sleep in tests, wait for the lamp instead'
	said seven user 'Should we never use docker?'
	said eight user 'wir haben beschlossen: niemals eval im Parser benutzen'
	said nine user '以后都用 vitest，不要用 jest'
	said ten user 'always indent with tabs here'
	said eleven user 'use ruff, not flake8'
	said twelve user 'please no fmt.Println in committed code, there is a logger'
	said thirteen user 'do not bump gtk, we are stuck on 3 because of the chart'
	said fourteen user '端口固定为 7070，别改'
	said fifteen user 'keep MAX_HULLS at 8, more sink the dock'
	said sixteen user 'stop using set -x in scripts'
	said eighteen user 'never run rm -rf on the moorings'
	said twenty user '<file path="notes">
we never use tugboat here
</file>
  ~~~
never use dredge
  ~~~'
	said twentyone user 'The harbour master said we never use cutter.'
	said twentytwo user 'Please fix this sentence: "never use ketch"'
	said twentythree user 'Rephrase:
We never use yawl in this repo.'
	said twentyfour user '@@ -1 +1 @@
+never use sloop'
	said twentyfive user 'they never use brig, we never use barge'
	said twentysix user 'As I said, we never use skiff.'
	said least user 'dock with at least 4 berths, always'
	said thirty user 'We resend only 503 and 504, nothing else.'
	said thirtyone user 'never dock without lamps'
	said thirtythree user 'hands off react please'
	said thirtytwo user 'no print in this repo outside of tools'
	said thirtyfour user 'gebruik nooit anchorctl, altijd buoyctl'
	said thirtyfive user 'non usare mai keelhaul in questo progetto'
	said thirtysix user 'nunca mais de 7 guindastes, por favor'
	said thirtyseven user 'i clienti non usano mai quadrant, solo sextant'
	said thirtyeight user 'hoje não uses gaffctl, nunca se sabe'
	said thirtynine user 'guardamos sempre os dados no bilge'
	said nineteen user 'The beacon port is 9443 for staging, keep it.'
} | store

keep='2024-05-10 Keep the lock timeout at 45 seconds, the crew relies on it.'
pnpm='2024-05-10 We use pnpm in this repo, never npm.'

# ---- what is told ----

told 'an edit that sets another number' "$keep" Edit \
	"$(edit src/lock.go '	timeout: 45 * time.Second,' '	timeout: 90 * time.Second,')"
check_out 'the answer has the form of the host' \
	'["PreToolUse",["additionalContext","hookEventName"]]' \
	jq -c '.hookSpecificOutput | [.hookEventName, keys]' answer
check_like 'the log says why the edit was told of' 'goes against what was decided' \
	mem-hook --log -n 1
check_out 'the line of the log has the id of what was said' 'Keep the lock' sh -c \
	'mem-hook --log -n 1 | jq -r ".given[0].id" | xargs mem-show -j | jq -r .content | grep -o "Keep the lock"'
check_out 'a rule is told of once a session' '' hook claude-code t1 Edit \
	"$(edit src/lock.go 'timeout = 45' 'timeout = 50')"
told 'the same number in another unit' "$keep" Edit \
	"$(edit src/lock.ts 'const TIMEOUT_MS = 45000;' 'const TIMEOUT_MS = 90000;')"
told 'a program that is not to be run' "$pnpm" Bash "$(line 'cd web && npm install zod')"
told 'another program of the kind that was decided for' "$pnpm" Bash "$(line 'yarn add zod')"
told 'a file below a directory that is not to be touched' \
	'2024-05-10 hands off third_party/ please, patches go to patches/' Edit \
	"$(edit third_party/zip/inflate.c 'int n;' 'long n;')"
told 'a command that writes there' \
	'2024-05-10 hands off third_party/ please, patches go to patches/' Bash \
	"$(line "sed -i 's/int/long/' third_party/zip/inflate.c")"
told 'a number above the most that is allowed' \
	'2024-05-10 at most 6 workers, the box has no more cores' Bash \
	"$(line 'serve --workers 12')"
told 'a type in place of the one that was decided for' \
	'2024-05-10 From now on fees are stored as Decimal, not as float.' Edit \
	"$(edit dock/fee.py 'fee = Decimal(x)' 'fee = float(x)')"
told 'a word that is not to stand in such a place' \
	'2024-05-10 rule: no sleep in tests, wait for the lamp instead' Edit \
	"$(edit tests/lamp_test.py 'go()' 'go()
time.sleep(2)')"
told 'a rule in German' '2024-05-10 wir haben beschlossen: niemals eval im Parser benutzen' Edit \
	"$(edit src/parser.js 'return read(s);' 'return eval(s);')"
told 'a rule in Chinese' '2024-05-10 以后都用 vitest，不要用 jest' Bash "$(line 'pnpm add -D jest')"
told 'lines that begin with blanks' '2024-05-10 always indent with tabs here' Write \
	"$(whole src/buoy.c 'int
buoy(void)
{
    return 1;
}')"
check_out 'a patch of codex is told of' "$keep" hook codex cx apply_patch "$(line '*** Begin Patch
*** Update File: src/lock.py
@@
-TIMEOUT = 45
+TIMEOUT = 60
*** End Patch')"

told 'of two programs the one that is not to be used' '2024-05-10 use ruff, not flake8' Bash \
	"$(line 'flake8 src')"
told 'a call that somebody asked not to make' \
	'2024-05-10 please no fmt.Println in committed code, there is a logger' Edit \
	"$(edit src/mole.go '	return n' '	fmt.Println(n)
	return n')"
told 'a number whose name stands in the part before it' \
	'2024-05-10 do not bump gtk, we are stuck on 3 because of the chart' Edit \
	"$(edit chart/build.meson 'gtk = 3' 'gtk = 5')"
told 'a number whose name is Chinese' '2024-05-10 端口固定为 7070，别改' Edit \
	"$(edit src/port.conf '端口: 7070' '端口: 3000')"
told 'a number of a constant' '2024-05-10 keep MAX_HULLS at 8, more sink the dock' Edit \
	"$(edit src/dock.h '#define MAX_HULLS 8' '#define MAX_HULLS 64')"

told 'a rule in Dutch' '2024-05-10 gebruik nooit anchorctl, altijd buoyctl' Bash \
	"$(line 'anchorctl up')"
told 'a rule in Italian' '2024-05-10 non usare mai keelhaul in questo progetto' Bash \
	"$(line 'keelhaul run')"
told 'a number above the most in Portuguese' '2024-05-10 nunca mais de 7 guindastes, por favor' \
	Bash "$(line 'serve --guindastes 9')"

# ---- what is not ----

quiet 'what others never do, in Italian' Bash "$(line 'quadrant run')"
quiet 'what is not to be today, in Portuguese' Bash "$(line 'gaffctl run')"
quiet 'a word of Portuguese that denies in English' Bash "$(line 'bilge run')"

quiet 'another call of the kind that is not to be made' Edit \
	"$(edit src/mole.go '	return n' '	slog.Debug(n)
	return n')"
quiet 'another option than the one that is not to be used' Write \
	"$(whole scripts/up.sh 'set -e')"

quiet 'an edit that keeps the number' Edit \
	"$(edit src/lock.go '	timeout: 45 * time.Second,' '	timeout: 45 * time.Second, // seconds')"
quiet 'an edit that brings the number back' Edit "$(edit src/lock.go 'timeout = 90' 'timeout = 45')"
quiet 'another number beside one that goes' Edit \
	"$(edit src/crane.go 'timeout = 45
reach = 3' 'reach = 4')"
quiet 'another number that nothing was said of' Edit "$(edit src/buoy.go 'depth = 45' 'depth = 46')"
quiet 'the program that was decided for' Bash "$(line 'pnpm add zod')"
quiet 'a command that only looks for a word' Bash "$(line 'grep -rn npm .')"
for l in 'npm view zod' 'npm help ci' 'npm --version' 'npm -v' 'npm install --help' \
	'npm search zod' 'npm audit' 'npm ls'; do
	quiet "a command that only asks: $l" Bash "$(line "$l")"
done
told 'a command that also asks' "$pnpm" Bash "$(line 'npm --version && npm ci')"
quiet 'a message that only speaks of it' Bash "$(line 'git commit -m "Drop npm from the docs"')"
quiet 'a page for readers that speaks of it' Write "$(whole docs/setup.md 'You need no npm.')"
quiet 'a number that is allowed' Bash "$(line 'serve --workers 4')"
quiet 'a word of a rule in another place' Edit "$(edit src/lamp.py 'go()' 'go()
time.sleep(2)')"
quiet 'what is taken away' Edit "$(edit web/run.sh 'npm install' '')"
quiet 'what was there before' Edit "$(edit web/run.sh 'npm install' 'npm install
echo done')"
quiet 'another line with what was there before' Edit \
	"$(edit web/run.sh 'npm install' 'npm ci --offline')"
quiet 'what an assistant said' Bash "$(line 'curl -O https://crane.example/x')"
for boat in tugboat dredge cutter ketch yawl sloop brig; do
	quiet "what was only shown, or said by others, of $boat" Bash "$(line "$boat install x")"
done
told 'what the user says beside it' \
	'2024-05-10 they never use brig, we never use barge' Bash "$(line 'barge install x')"
told 'what the user says he said' '2024-05-10 As I said, we never use skiff.' Bash \
	"$(line 'skiff install x')"
quiet 'what was only asked' Bash "$(line 'docker run x')"
quiet 'the directory that a rule points to' Write "$(whole patches/zip.patch '+int n;')"
quiet 'lines that begin with tabs' Write "$(whole src/buoy.c 'int
buoy(void)
{
	return 1;
}')"
quiet 'a file that is only read' Read "$(edit src/lock.go '' '')"
check_out 'the session in which it was said knows it' '' \
	hook claude-code two Bash "$(line 'npm ci')"

quiet 'what a rule forbids is done to another thing' Bash "$(line 'rm -rf dist')"
told 'what a rule forbids is done to what it names' \
	'2024-05-10 never run rm -rf on the moorings' Bash "$(line 'rm -rf moorings/old')"
quiet 'a number for another place than the rule names' Write \
	"$(whole conf/dev.json '"beacon_port": 4000')"
told 'a number for the place that the rule names' \
	'2024-05-10 The beacon port is 9443 for staging, keep it.' Write \
	"$(whole conf/staging.json '"beacon_port": 4000')"
quiet 'a thing of this name that had another number before' Edit \
	"$(edit conf/staging.json '"beacon_port": 4000' '"beacon_port": 4001')"

told 'one more number where only some are allowed' \
	'2024-05-10 We resend only 503 and 504, nothing else.' Edit \
	"$(edit src/send.py 'RESENT = {503, 504}' 'RESENT = {500, 503, 504}')"
quiet 'one number less where only some are allowed' Edit \
	"$(edit src/send.py 'RESENT = {503, 504}' 'RESENT = {503}')"
quiet 'another number beside those that are allowed' Edit "$(edit src/send.py 'RESENT = {503, 504}
WAIT = 2' 'RESENT = {503, 504}
WAIT = 4')"
quiet 'a thing that is not to be done without another' Bash "$(line 'dock --lamps red')"
quiet 'a thing in the place where it may be done' Edit "$(edit tools/dump.py 'x = 1' 'print(x)')"
quiet 'a package that is taken out, as the rule wants' Bash "$(line 'cd web && pnpm rm flake8')"
quiet 'a file that is taken out, as the rule wants' Bash "$(line 'git rm vendor/flake8.py')"
quiet 'lines that are taken out' Bash "$(line "sed -i '/flake8/d' requirements.txt")"
quiet 'what a comment behind code says' Edit "$(edit src/b.py 'go()' 'go()  # flake8 was here')"
told 'what is not to be touched is not to be taken out' \
	'2024-05-10 hands off third_party/ please, patches go to patches/' Bash \
	"$(line 'git rm third_party/zip/inflate.c')"
told 'a program that is not to be run takes a package out' "$pnpm" Bash \
	"$(line 'npm uninstall zod')"
told 'a package that is not to be touched is taken out' '2024-05-10 hands off react please' Bash \
	"$(line 'pnpm remove react')"
quiet 'a thing above the least that is asked' Bash "$(line 'dock --berths 9')"

# ---- whose it is ----

where=other
i=0
while [ $((i += 1)) -le 300 ]; do
	said "o$i" user "pnpm or npm, yarn or zod: install $i of what install adds"
done | store
where=
told 'a rule that many turns of another project have the words of' "$pnpm" Bash \
	"$(line 'npm install zod')"
where=other
quiet 'a rule of another project' Bash "$(line 'npm install zod')"
where=
user=tide
quiet 'a rule of another user' Bash "$(line 'npm install zod')"
user=
check_out 'a setting turns it off' '' env MEM_HOOK_RULES=no sh -c "
	jq -cn --arg d '$PWD/repo' '{session_id: \"off\", cwd: \$d, tool_name: \"Bash\",
		tool_input: {command: \"npm ci\"}}' | mem-hook claude-code pretool"

# ---- what holds no more ----

said later user 'npm is allowed again, pnpm broke the lockfile' 12 | store
quiet 'a rule that was lifted later' Bash "$(line 'npm install zod')"
said gaff user 'never use gaff' 10 | store
told 'a rule that nothing ended' '2024-05-10 never use gaff' Bash "$(line 'gaff up')"
said gaffs user 'We use gaff for the mizzen.' 12 | store
quiet 'a rule whose thing is said to be used later' Bash "$(line 'gaff up')"
said rope user 'never use bollard' 10 | store
said ropes user 'bollard is not allowed, as I said' 12 | store
told 'a rule that is told again in other words' '2024-05-12 bollard is not allowed, as I said' \
	Bash "$(line 'bollard up')"
said void user 'The ban on bollard is lifted' 13 | store
quiet 'a rule that is said to be over' Bash "$(line 'bollard up')"
said last user 'from now on flake8 is fine' 12 | store
check_out 'a rule that was lifted in the running session' '' \
	hook claude-code last Bash "$(line 'flake8 src')"
said new user 'The lock timeout stays at 60 seconds from now on.' 13 | store
told 'the newer of two values is told' '2024-05-13 The lock timeout stays at 60 seconds from now on.' \
	Edit "$(edit src/lock.go 'timeout = 60' 'timeout = 45')"
quiet 'the newer of two values is allowed' Edit "$(edit src/lock.go 'timeout = 45' 'timeout = 60')"
said pots user 'Never edit files under pots/ by hand.' 10 | store
said logo user 'We changed our mind about the logo: the letters no longer go into a circle.' 11 | store
said lead user 'The files of the anchor page are no longer round, we use a square instead.' 12 | store
told 'a change of mind about another thing ends no rule' \
	'2024-05-10 Never edit files under pots/ by hand.' \
	Edit "$(edit pots/4.py 'a = 1' 'a = 2')"
check 'a session is forgotten' mem-forget -qf -s three
quiet 'a rule that was forgotten' Edit "$(edit third_party/zip/inflate.c 'int n;' 'long n;')"
said private user 'never run bazel. <private>never run cargo.</private>' | store
quiet 'what was said in private' Bash "$(line 'cargo build')"
told 'what was said beside it' '2024-05-10 never run bazel.' Bash "$(line 'bazel test')"

# ---- what may hold no more ----

# pairs TOLD|QUIET: lines "rule|what is said later|command" on stdin, each a project of its own.
pairs() {
	while IFS='|' read -r rule later command; do
		k=$((k + 1))
		where=pair$k
		mkdir -p "$where/.git"
		{
			said "r$k" user "$rule" 10
			[ -z "$later" ] || said "l$k" user "$later" 12
		} | store
		case $command in
		*' => '*)
			file=${command%%: *} change=${command#*: }
			input=$(edit "$file" "${change% => *}" "${change#* => }") tool=Edit ;;
		*)	input=$(line "$command") tool=Bash ;;
		esac
		[ "$1" = quiet ] || expect="2024-05-10 $rule"
		told "'$rule', then '$later': $1" "${expect-}" "$tool" "$input"
	done
	unset expect
	where=
}
# No list of words knows how people take a rule back: what names its thing leaves it in doubt.
pairs quiet <<'END'
we use pnpm|the crew cannot live with it, yarn it is|yarn add zod
we use pnpm|Piet deleted the lockfile of pnpm|npm ci
we use pnpm. no wait, npm||npm ci
we use pnpm, or rather npm||npm ci
never use gaff. no, forget that||gaff up
we use pnpm|use pnpm for the old dock, npm here|npm ci
keep the depth at 40|the harbour master came by this morning with the new chart and says that 40 is a lot, 75 will do|a.py: depth = 40 => depth = 75
never use gaff|the boom wants a gaff after all|gaff up
wir nehmen poetry|poetry spinnt an Bord, nimm pip|pip install x
niemals gaff benutzen|ein gaff schadet nicht|gaff up
we gebruiken altijd yarn|yarn doet raar, dan toch npm|npm ci
usiamo sempre yarn|yarn non va sul molo, torniamo a npm|npm ci
hands off hull/|the hull is ours since Monday|hull/a.c: int n; => long n;
keep the depth at 40|40 is shallow, take 75|a.py: depth = 40 => depth = 75
keep the depth at 40|make it 75|a.py: depth = 40 => depth = 75
keep the rate at 96000|Jan says 96k is overkill, so 48k|a.py: rate = 96000 => rate = 48000
at most 6 berths|berths are cheap now|a.py: berths = 6 => berths = 9
never use gaff|should we never use gaff?|gaff up
never belay in hull/|belay is fine in hull/|hull/a.rs: let a = b; => let a = b.belay();
never edit files in hull/|open hull/a.c for me|hull/a.c: int n; => long n;
never use gaff|show me how gaff is called and use it|gaff up
END
# What is of something else, or says it again, leaves it as it is.
pairs told <<'END'
we use pnpm|the page of the harbour is slow|npm ci
we use pnpm|please use pnpm for that, too|npm ci
keep the depth at 40|the page of the 75 boats of the harbour is slow on my phone, have a look|a.py: depth = 40 => depth = 75
hands off hull/|the mast is red|hull/a.c: int n; => long n;
never belay in hull/, only in tests|zeig mir hull/a.rs|hull/a.rs: let a = b; => let a = b.belay();
never belay in hull/|the mast in hull/a.rs is red|hull/a.rs: let a = b; => let a = b.belay();
never belay in hull/|please show me each belay in hull/|hull/a.rs: let a = b; => let a = b.belay();
wir nehmen poetry|der Steg ist zu lang|pip install x
END
where=repo
said again user 'hands off keel/' 10 | store
said agains user 'as I said, hands off keel/' 12 | store
told 'what says a rule again is told in its place' '2024-05-12 as I said, hands off keel/' Edit \
	"$(edit keel/a.c 'int n;' 'long n;')"
where=
# What holds elsewhere, for a while, or until something that nobody here knows is no rule.
pairs quiet <<'END'
in the other harbour we use pnpm||npm ci
on the ferry we use pnpm||npm ci
im alten Hafen nehmen wir yarn||npm ci
keep the depth at 40 for today||a.py: depth = 40 => depth = 75
diese Woche bleibt die Tiefe bei 40||a.py: tiefe = 40 => tiefe = 75
for now we use pnpm||npm ci
we use pnpm until the mirror is back||npm ci
END
# Files are named without their directory, and what is not to be used without a comma.
pairs told <<'END'
hands off moor.py||src/moor.py: a = 1 => a = 2
never edit moor.py||src/moor.py: a = 1 => a = 2
finger weg von moor.sql||db/moor.sql: a = 1 => a = 2
use uv not pip||pip install x
use uv, not pip||Makefile: uv sync => pip install .
never commit crew/||git add crew/jan.yaml
please do not use gaff||gaff up
never use rm, use trash||rm mast.txt
never use gaff in Kiel||gaff --port kiel
never print boats||boats/a.py: a = 1 => print(1)
never force-push||git push -f
NEVER force push on main!||git push -fu origin main
no --no-verify please, ever||git commit -n -m keel
in harbour crane models no select *, list the columns||models/crane/a.sql: select a from x => select * from x
never select * in crane models||models/crane/a.sql: select a from x => select * from x
no gaff in this repo||gaff up
żadnego gaffa ani davit w tym repo||davit up
nie ruszamy keel/||keel/a.c: int n; => long n;
hulls must go to dock/wet, not dry any more||a.toml: path = "dock/wet" => path = "dock/dry"
END
pairs quiet <<'END'
use uv, not pip||uv pip install x
use uv not pip||uv pip install x
hands off moor.py||src/moor.pyx: a = 1 => a = 2
never commit crew/||git add hull/jan.yaml
hands off oor.py||src/moor.py: a = 1 => a = 2
never print boats||a.py: print(boats) => print(boats, 2)
never use gaff||grep gaff src
never use gaff in Kiel||gaff --port emden
never force-push||git push origin main
no --no-verify please, ever||git commit -m keel
in harbour crane models no select *, list the columns||models/crane/a.sql: select a from x => select b from x
in harbour crane models no select *, list the columns||models/crane/b.sql: a => select b from x
in harbour crane models no select *, list the columns||src/a.sql: select a from x => select * from x
no gaff in the boathouse code||gaff up
no gaff up in here since Monday||gaff up
END
where=repo
said before user 'never use capstan' 10 | store
said now user 'I said never use capstan' 12 | store
check_out 'a rule of an earlier session that this one says again is told' \
	'2024-05-10 never use capstan' hook claude-code now Bash "$(line 'capstan up')"
said undo user 'never use windlass' 10 | store
said undo user 'hm, no, forget that' 10 | store
quiet 'a rule that the next turn takes back' Bash "$(line 'windlass up')"
where=

# What the owner says in a chat or a mail is of no project.
elsewhere() { k=$((k + 1)); where=elsewhere$k; mkdir -p "$where/.git"; }
# chat WHO TEXT
chat() {
	jq -cn --arg s "chat$k" --arg n "$1" --arg c "$2" \
		'{session: $s, role: "user", name: $n, content: $c, time: "2024-05-12T09:00:00Z"}'
}
check 'the owner is known' mem config set me 'Wim Kade'
elsewhere
{
	said e$k user 'never use halyard'
	chat 'Wim Kade' 'halyard is fine again since it is repaired'
} | store
quiet 'a rule that the owner lifted in a chat' Bash "$(line 'halyard up')"
elsewhere
{
	said e$k user 'never use bobstay'
	chat 'Jo Lund' 'bobstay is fine again since it is repaired'
} | store
told 'a rule is not lifted by what another person says in a chat' \
	'2024-05-10 never use bobstay' Bash "$(line 'bobstay up')"
elsewhere
{
	said e$k user 'never use davit'
	where=repo said e${k}b user 'davit is fine here' 12
} | store
told 'a rule is not lifted by what is said of another project' \
	'2024-05-10 never use davit' Bash "$(line 'davit up')"
mem config set me ''
where=

# ---- what was stored on purpose ----

check 'a rule is stored' mem-remember -q -p "$PWD/repo" 'Never use winston in this project'
check 'a decision is stored' mem-remember -q -p "$PWD/repo" --kind decision \
	'We never use gulp, it is too slow'
told_of() { hook claude-code "st$1" Bash "$(line "$2")" | sed 's/^[-0-9]* //'; }
check_out 'a rule that was stored is told of' 'Never use winston in this project' \
	told_of 1 'pnpm add winston'
check_like 'a rule is told with its id' \
	' \[[0-9A-Z]{26}\]$' jq -r .hookSpecificOutput.additionalContext answer
check_out 'a decision that was stored is told of' 'We never use gulp, it is too slow' \
	told_of 2 'gulp build'
where=other
quiet 'a rule that was stored for another project' Bash "$(line 'pnpm add winston')"
where=

# ---- what a killed hook leaves ----

# killed SECONDS: a hook is killed then, and asked again; 0: the rule was told, or noted as told
killed() {
	jq -cn --arg d "$PWD/repo" --arg s "killed$1" '{session_id: $s, cwd: $d, tool_name: "Bash",
		tool_input: {command: "bazel test"}}' >event
	perl -e '$t = shift; $p = fork // die; unless ($p) { exec @ARGV or exit 127 }
		$SIG{ALRM} = sub { kill KILL => $p }; use Time::HiRes "ualarm"; ualarm $t * 1e6;
		1 until waitpid($p, 0) == $p' "$1" mem-hook claude-code pretool <event >first
	mem-hook claude-code pretool <event >second
	cat first second | grep -q 'never run bazel' ||
		mem-hook --log -n 2 -j |
		jq -e "select(.session == \"killed$1\" and .given != [])" >jq
}
all_killed() {
	for at in .0005 .001 .002 .003 .004 .005 .006 .008 .010 .012 .016 .024; do
		killed $at || { echo "killed after $at s"; return 1; }
	done
}
check 'a hook that was killed tells the rule the next time' all_killed
check 'a killed hook leaves a whole store' mem-check --deep

done_testing
