#!/bin/sh
# mem-setup: a made home with thirteen agents is found, stored, wired, checked and given back, byte
# for byte; what others change meanwhile stays; what it cannot read it leaves alone.
. "${0%/*}/lib.sh"
. "$ROOT/tests/agents.sh"
unset MEM_NOW MEM_SEED
export MEM_HOOK_MS=60000 MEM_MODEL=none
fake_timers "$top/fake"
home() { fresh; agents_home; rm -f "$FAKE_CRONTAB"; tree . >"$top/before"; }
unchanged() { tree . >"$top/now"; diff "$top/${1:-before}" "$top/now"; }
said() { jq -r "$1" "$out"; }

# ---- looking ----

home
check 'mem-setup alone only looks around' mem-setup
cp "$out" found
check_out 'mem-setup says which agents there are' \
	'claude-code codex gemini cursor copilot vscode opencode goose qwen kimi cline hermes zed' \
	jq -rs '[.[] | select(.type == "agent") | .name] | join(" ")' found
check_out 'what each has written down, and when' 'claude-code true 1 1 8 2025-11-03
codex true 1 1 6 2025-10-01
gemini true 1 1 4 2025-12-01
qwen true 1 1 4 2026-03-01' \
	jq -r 'select(.messages > 0) | "\(.name) \(.installed) \(.files) \(.sessions) \(.messages) \(.from[:10])"' found
check_out 'mem-setup says what would be written' 19 \
	jq -s 'map(select(.type == "wire" and .did == "would")) | length' found
rm found
check 'mem-setup writes nothing where it only looks' unchanged
printf '[core]\n\tname = no\n[User]\n\tName = "Lena Vogt" ; it is\n\temail=lena@immo.example\n' >git
mkdir -p .config/git && mv git .config/git/config
tree . >"$top/before"
check_err 'who the owner is is proposed, from what git knows' 0 \
	'mem config set me "Lena Vogt,lena@immo.example"$' mem-setup -v
check 'the owner that is proposed is not written' unchanged
while IFS='|' read -r text told; do
	# shellcheck disable=SC2059  # its lines are written as \n
	printf "$text" >"$top/git" && mkdir -p "$top/xdg/git" && cp "$top/git" "$top/xdg/git/config"
	check_err "of git's $text it proposes $told" 0 "mem config set me \"$told\"\$" \
		env XDG_CONFIG_HOME="$top/xdg" mem-setup -v
done <<'END'
[user]\n name = Lena, V\n email = lena@x|lena@x
[user]\nname Lena\nemail=lena@x \r\n|lena@x
\t[user]\n\tNAME = "Lena V" # she\n[core]\n\temail = no@x|Lena V
[user]\nname=Lena|Lena
END
echo '{"session":"s","role":"user","name":"LENA","content":"hi"}' |
	mem-ingest -q -d "$top/people.db" --from=ndjson
check_err 'a name in the store that is as the address begins is proposed, too' 0 \
	'mem config set me "Lena Vogt,lena@immo.example,LENA"$' mem-setup -v -d "$top/people.db"
check_status 'it is proposed where nothing is said alone' 1 sh -c \
	'MEM_ME=Len mem-setup -v 2>&1 | grep "set me"'
check_err 'without a terminal and --yes nothing is written' 64 'takes --yes' mem-setup \
	--from-build --auto
check_err '--auto without --yes writes nothing in silence' 64 'nothing was written' \
	mem-setup -q --from-build --auto
check 'not a byte was written without --yes' unchanged
check_out 'no store was made without --yes' 0 sh -c 'ls | grep -c mem.db || :'

# ---- what would not last ----

check_err 'programs that were built and not installed are not wired' 64 \
	"^mem-setup: these programs are in a build .* empties: 'make install' first; --from-build" \
	mem-setup --auto --yes
mkdir -p "$top/prefix/bin" "$top/clone/build/demo"
for p in setup upkeep hook mcp summarize prune check; do
	cp "$B/mem-$p" "$top/prefix/bin/"
done
: >"$top/clone/build/libmem.a"
check_err 'installed programs are not set up for a store of the demonstration' 64 \
	"the store '$top/clone/build/demo/mem.db' is in a build .*unset MEM_DB or give another --db" \
	env MEM_DB="$top/clone/build/demo/mem.db" "$top/prefix/bin/mem-setup" --auto --yes
check_err 'wherever the path begins' 64 "the store '$top/clone/build/demo/mem.db' is in a build" \
	sh -c 'cd "$0/clone/build" && "$0/prefix/bin/mem-setup" -d demo/mem.db --auto --yes' "$top"
check_err 'both are said at once' 64 "the store '.*' and these programs are in a build" \
	mem-setup -d "$top/clone/build/mem.db" --auto --yes
check_err 'looking says that --auto would refuse these programs' 0 \
	'^mem-setup: --auto would refuse: these programs are in' mem-setup
check 'not a byte was written by the refusal' unchanged
check_out 'what is installed is not refused' claude-code sh -c '
	"$0/prefix/bin/mem-setup" --auto --yes --only claude-code 2>&1 |
	jq -rs "[.[] | select(.did == \"wired\").agent] | unique[]"' "$top"
"$top/prefix/bin/mem-setup" -q --undo --yes >/dev/null
rm -f mem.db*
check 'what installed programs set up is given back' unchanged

# ---- all of it ----

check '--auto --yes sets up what there is' mem-setup --from-build --auto --yes
cp "$out" "$top/wired"
check_out 'all turns of the histories are stored' 22 sh -c 'mem-list -j messages | wc -l'
check_out 'each agent that was found is wired' '{"known":0,"wired":20}' jq -cs \
	'{known: map(select(.did == "known")) | length, wired: map(select(.did == "wired")) | length}' \
	"$top/wired"
tree . >"$top/after"
check 'setting up again ends with 0' mem-setup --from-build --auto --yes
check 'changes not a byte' unchanged after
check_out 'setting up again stores nothing twice' 22 sh -c 'mem-list -j messages | wc -l'
for f in .claude.json .claude/settings.json .codex/hooks.json .cursor/hooks.json .cursor/mcp.json \
	.copilot/hooks/mem.json .copilot/mcp-config.json .qwen/settings.json .kimi-code/mcp.json \
	.config/Code/User/mcp.json; do
	check "a file that was edited is JSON: $f" jq -e . $f
done
check_out 'what was there is there' 'opus say done gh-mcp 17' sh -c 'jq -r "[.model,
	.hooks.Stop[0].hooks[0].command] | join(\" \")" .claude/settings.json | tr "\n" " "
	jq -r "\"\(.mcpServers.github.command) \(.numStartups)\"" .claude.json'
if python3 -c 'import tomllib' 2>/dev/null; then
	check_out 'TOML is read by another reader' "gh-mcp $B/mem-mcp dark $B/mem-hook" python3 -c '
import tomllib
c = tomllib.load(open(".codex/config.toml", "rb"))
k = tomllib.load(open(".kimi-code/config.toml", "rb"))
print(c["mcp_servers"]["github"]["command"], c["mcp_servers"]["mem"]["command"], c["tui"]["theme"],
	k["hooks"][1]["command"].split()[0])'
else
	skip 'TOML is read by another reader' 'python3 has no tomllib'
fi
if python3 -c 'import yaml' 2>/dev/null; then
	check_out 'a file of YAML that was edited is YAML' "$B/mem-mcp builtin x $B/mem-mcp" \
		python3 -c '
import yaml
g = yaml.safe_load(open(".config/goose/config.yaml"))
h = yaml.safe_load(open(".hermes/config.yaml"))
print(g["extensions"]["mem"]["cmd"], g["extensions"]["developer"]["type"], h["model"]["default"],
	h["mcp_servers"]["mem"]["command"])'
else
	skip 'YAML is, too' 'python3 has no yaml'
fi
check_out 'the plugin calls our program' 1 grep -c "spawn(\"$B/mem-hook\", \[\"--db=" \
	.config/opencode/plugin/mem.js
check_out 'a line of the crontab' 1 grep -c "^7 .* $B/mem-upkeep .*-q # mem-setup\$" \
	"$FAKE_CRONTAB"
check_out 'a link stays a link' ../dotfiles/qwen.json readlink .qwen/settings.json

# ---- it works ----

check '--check finds all in order after setting up' mem-setup --check
check_out 'each hook and each server' 'claude-code.hooks claude-code.server cline.server codex.hooks codex.server copilot.hooks copilot.server cursor.hooks cursor.server gemini.hooks gemini.server goose.server hermes.server kimi.hooks kimi.server mem opencode.hooks opencode.server qwen.hooks qwen.server store timer vscode.server zed.server' \
	jq -rs '[.[] | select(.ok).name] | sort | join(" ")' "$out"
check_out 'the hooks were called' 'claude-code codex copilot cursor gemini kimi opencode qwen' \
	sh -c 'mem-hook --log -n 50 -s mem-setup | jq -rs "[.[].host] | unique | join(\" \")"'
check_like 'a prompt is answered' 'gauge|mem-context' sh -c '
	jq -r ".hooks.UserPromptSubmit[].hooks[].command" .claude/settings.json >cmd
	q=$(mem-list -j messages | jq -r "select(.role == \"user\").content" | head -n 1)
	jq -nc --arg q "what did we say about: $q" \
		"{session_id: \"new\", cwd: \"/srv/gauge\", prompt: \$q}" | sh cmd'
rm cmd

# another program that is called mem, of which one may be installed here
mkdir "$top/other" && printf '#!/bin/sh\n' >"$top/other/mem" && chmod +x "$top/other/mem"
named() { PATH=$1 mem-setup --check | jq -r 'select(.name == "mem") | "\(.ok) \(.message)"'; }
check_out 'there is no other mem' 'true no other program in PATH has this name' named "$bin"
check_out 'one that comes later is told' \
	"true another program has this name, '$top/other/mem', later in PATH" named "$bin:$top/other"
check_out 'one that comes first is a fault' "false another program has this name, '$top/other/mem', and is found first: write mem-VERB, not 'mem VERB'" \
	named "$top/other:$bin"
check_status 'what is amiss is told by the exit status' 69 \
	env PATH="$top/other:$PATH" mem-setup --check
mkdir "$top/link" && ln -s "$B/mem" "$top/link/mem"
check_out 'a link to ours is ours' 'true no other program in PATH has this name' \
	named "$top/link:$bin"
chmod -x "$top/other/mem"
check_out 'a file that cannot be run is no program' 'true no other program in PATH has this name' \
	named "$top/other:$bin"

# ---- and is given back ----

check_err 'undoing without --yes is refused' 64 'takes --yes' mem-setup --undo
check 'undoing without --yes does nothing' unchanged after
check '--undo --yes undoes what was set up' mem-setup --undo --yes
check 'every byte, mode, link and directory is as before' unchanged
check_out 'no crontab is left' no sh -c '[ -e "$FAKE_CRONTAB" ] || echo no'
check_out 'the memory stays when all is undone' 22 sh -c 'mem-list -j messages | wc -l'
check 'undoing nothing is well' mem-setup --undo --yes
check 'undoing what is undone changes nothing' unchanged
check_status 'checking says what is not wired' 69 mem-setup --check
check_out 'undoing again tells of each that it is not wired' 'not wired' \
	jq -rs '[.[] | select(.name == "codex.hooks")][0].message' "$out"

# ---- what others change meanwhile ----

home
printf '0 5 * * * backup\n# theirs' >"$FAKE_CRONTAB"
cp "$FAKE_CRONTAB" cron.was
cp .claude.json claude.json.was
cp .gemini/settings.json gemini.was
cp .codex/config.toml codex.was
cp .config/goose/config.yaml goose.was
cp .config/zed/settings.json zed.was
mem-setup -q --from-build --auto --yes >/dev/null
# a host that writes its file anew; editors
jq '.numStartups = 18' .claude.json >x && cat x >.claude.json
printf '\n[projects."/srv"]\ntrust_level = "trusted"\n' >>.codex/config.toml
sed -i 's/GOOSE_MODE: auto/GOOSE_MODE: chat/; s/^  developer:/  fetch:\n    cmd: x\n  developer:/' \
	.config/goose/config.yaml
sed -i 's/"One"/"Two"/; s/^  "context_servers": {/&\n    "other": {"command": "x"},/' \
	.config/zed/settings.json
jq '.hooks.stop += [{command: "say done"}]' .cursor/hooks.json >x && cat x >.cursor/hooks.json
sed -i 's/^/# /; s/^# \(.*mem-setup\)$/\1/' "$FAKE_CRONTAB"
rm x
check 'a run in between' mem-setup -q --from-build --auto --yes
check 'undoes what is ours' mem-setup --undo --yes
check_out 'a file that its host wrote anew' '' sh -c \
	'jq ".numStartups = 18" claude.json.was | diff - .claude.json'
check_out 'undoing leaves what others added to TOML' '' \
	sh -c '{ cat codex.was; printf "\n\n[projects.\"/srv\"]\ntrust_level = \"trusted\"\n"; } |
	diff -B - .codex/config.toml'
check_out 'undoing leaves what others changed in YAML' '' \
	sh -c \
	'sed "s/GOOSE_MODE: auto/GOOSE_MODE: chat/; s/^  developer:/  fetch:\n    cmd: x\n  developer:/" \
	goose.was | diff - .config/goose/config.yaml'
check_out 'undoing leaves comments and changes in JSON' '' \
	sh -c \
	'sed "s/\"One\"/\"Two\"/; s/^  \"context_servers\": {/&\n    \"other\": {\"command\": \"x\"}/" \
	zed.was | diff - .config/zed/settings.json'
check_out 'a file that was ours, and is others now' \
	'{"version":1,"hooks":{"stop":[{"command":"say done"}]}}' \
	jq -c . .cursor/hooks.json
check_out 'a file that nobody changed' '' cmp gemini.was .gemini/settings.json
check_out 'undoing leaves what others did to the crontab' '' \
	sh -c '{ sed "s/^/# /" cron.was; echo; } | diff - "$FAKE_CRONTAB"'
check_out 'nothing is noted any more' '' sh -c 'ls .local/state 2>/dev/null || :'

# a file that its owner removes, and one that is made anew
home
mem-setup -q --from-build --auto --yes >/dev/null
rm .claude.json .copilot/hooks/mem.json
check_out 'what was removed is wired anew' '.claude.json .copilot/hooks/mem.json' sh -c '
	mem-setup --from-build --auto --yes | jq -r "select(.did == \"wired\").path" |
	sed "s|^$PWD/||" | xargs'
check 'what was wired behind a link goes when undone' mem-setup --undo --yes
check_out 'as if it had stayed away' no sh -c '[ -e .claude.json ] || echo no'
check_out 'all else is as before' '' sh -c 'grep -v "/\.claude\.json" "$0" >want
	. "$ROOT/tests/agents.sh"; tree . | grep -v -e " ./want" -e "^./want" | diff want -' \
	"$top/before"

# a file that its owner moves, to lead there by a link
home
cp .claude/settings.json "$top/settings.was"
mem-setup -q --from-build --auto --yes >/dev/null
mkdir moved && mv .claude/settings.json moved/ && ln -s ../moved/settings.json .claude
check 'what was moved behind a link is undone' mem-setup --undo --yes
check 'what a link leads to is given back' cmp "$top/settings.was" moved/settings.json
check 'the link to the settings stays a link' test -L .claude/settings.json

# ---- what is left alone ----

home
echo '{"hooks": {' >.claude/settings.json
printf '[mcp_servers]\nmem = { command = "theirs" }\n' >.codex/config.toml
echo '{"mcpServers": {"mem": {"command": "theirs"}}}' >.gemini/settings.json
echo 'extensions: [a, b]' >.config/goose/config.yaml
echo 'theirs' >x && mkdir -p .config/opencode/plugin && mv x .config/opencode/plugin/mem.js
ln -s nowhere .kimi-code/mcp.json
tree . >"$top/before"
check_status 'files that cannot be read or take it are named' 65 mem-setup --from-build --auto --yes
cp "$out" "$top/wired"
check_out 'each file is told with the reason' '~/.claude/settings.json: invalid JSON at byte 13
~/.codex/config.toml: its '"'mcp_servers' is in another form"'
~/.gemini/settings.json: its '"'mcpServers' has another 'mem'"'
~/.config/opencode/plugin/mem.js: is there already, and is not ours
~/.config/goose/config.yaml: line 1 is no plain mapping in YAML
~/.kimi-code/mcp.json: is a link that leads nowhere' \
	sh -c 'jq -r "select(.did == \"refused\") | \"\(.path): \(.message)\"" "$0" | sed "s|$PWD|~|"' "$top/wired"
check_out 'the others are wired' 14 jq -s 'map(select(.did == "wired")) | length' "$top/wired"
check_status '--check names the files that were refused' 69 mem-setup --check
mem-setup -q --undo --yes >/dev/null
check 'all is given back beside what was refused' unchanged

# ---- by hand, before ----

home
mem-hook --wiring cursor >.cursor/hooks.json
echo '{"mcpServers": {"mem": {"command": "mem-mcp"}}}' >.cursor/mcp.json
tree . >"$top/before"
check_out 'what was wired by hand is known' 'known known' sh -c \
	'mem-setup --from-build --auto --yes --only cursor | jq -rs "[.[] | select(.type == \"wire\").did] | join(\" \")"'
check 'what was wired by hand is not touched' unchanged
check 'undoing leaves what was wired by hand' mem-setup --undo --yes
check 'not a byte of what was wired by hand is changed' unchanged

# ---- one agent; other places; other ways ----

home
check_out 'one agent alone is set up where it is named' 'codex' sh -c \
	'mem-setup --from-build --auto --yes --only codex | jq -rs "[.[] | .agent // .name] | unique | join(\" \")"'
check_out 'setting up one agent makes no timer' no sh -c '[ -e "$FAKE_CRONTAB" ] || echo no'
mem-setup -q --from-build --auto --yes >/dev/null
check_out 'one is given back alone' '2 17' sh -c 'mem-setup --undo --yes --only codex |
	jq -s length | tr "\n" " "; mem-setup | jq -s "map(select(.did == \"known\")) | length - 0"'
check_err 'an agent that there is not' 64 "unknown agent 'x'" mem-setup --only x
check_err 'one job at a time' 64 'one of' mem-setup --from-build --auto --undo
mem-setup -q --undo --yes >/dev/null

fresh
odd="$PWD/an odd [place]*"
mkdir -p "$odd/claude/projects/p" "$odd/codex" "$odd/config/zed"
cp "$from/claude-code.jsonl" "$odd/claude/projects/p/a.jsonl"
check_out 'where the environment says, whatever it is called' \
	"claude/settings.json
claude/.claude.json
codex/hooks.json
codex/config.toml
config/zed/settings.json" \
	sh -c 'CLAUDE_CONFIG_DIR="$0/claude" CODEX_HOME="$0/codex" XDG_CONFIG_HOME="$0/config" \
	mem-setup --from-build --auto --yes | jq -r --arg d "$0/" "select(.did == \"wired\" and .agent != \"\").path | ltrimstr(\$d)"' "$odd"
check_out 'its turns are stored' 8 sh -c 'mem-list -j messages | wc -l'
check 'given back without the environment' mem-setup --undo --yes
check_out 'no file is left' '' find "$odd" -name '*.json' -o -name '*.toml'

home
mem-setup -q --from-build --auto --yes >/dev/null
cp "$from/claude-code.jsonl" .claude/projects/-srv-gauge/b.jsonl
sed -i 's/"sessionId":"[^"]*"/"sessionId":"later"/; s/"uuid":"a0/"uuid":"b0/' .claude/projects/-srv-gauge/b.jsonl
sh -c "$(sed 's/^7 [* ]*//; s/#.*//' "$FAKE_CRONTAB")" >"$top/timer.out" 2>&1
check_out 'the timer stores what is new' 30 sh -c 'mem-list -j messages | wc -l'
check_out "the timer's command says nothing when all is well" '' cat "$top/timer.out"

# a systemd that takes what it is given
home
cat >"$top/fake/systemctl" <<'END'
#!/bin/sh
case $2 in
is-enabled) [ -e "$HOME/enabled" ] ;;
enable) : >"$HOME/enabled" ;;
disable) rm -f "$HOME/enabled" ;;
esac
END
check_like 'a timer of systemd where there is one' '"path":"systemd".*"did":"wired"' \
	mem-setup --from-build --auto --yes
check_out 'a timer of systemd is enabled' 2 \
	sh -c 'ls enabled .config/systemd/user/mem-setup.timer | wc -l'
check_like 'the timer of systemd calls mem-upkeep' \
	"^ExecStart=\"/usr/bin/env\" .*\"$B/mem-upkeep\" .*\"-q\"\$" \
	cat .config/systemd/user/mem-setup.service
check_out 'the crontab is left alone where systemd is' no sh -c '[ -e "$FAKE_CRONTAB" ] || echo no'
check_like '--check tells of the timer of systemd' '"name":"timer","message":"systemd"' \
	mem-setup --check
rm .config/systemd/user/mem-setup.service
check_like 'half of it is none' '^false none: ' sh -c \
	'mem-setup --check | jq -r "select(.name == \"timer\") | \"\(.ok) \(.message)\""'
rm .config/systemd/user/mem-setup.timer
check_like 'one that a package brought is one' '"name":"timer","message":"systemd"' \
	mem-setup --check
mem-setup -q --undo --yes >/dev/null
check 'the timer of systemd goes when undone' unchanged
mem-setup -q --from-build --auto --yes >/dev/null
echo '# mine' >>.config/systemd/user/mem-setup.timer
check_err 'undoing names the file of the timer that was changed since' 65 \
	'/\.config/systemd/user/mem-setup\.timer: was changed since it was made, and is left$' \
	mem-setup --undo --yes
check_out 'the other file of the timer goes all the same' mem-setup.timer ls .config/systemd/user
rm .config/systemd/user/mem-setup.timer
mem-setup -q --undo --yes >/dev/null
check 'undoing goes on when the file that was changed is gone' unchanged
printf '#!/bin/sh\nexit 1\n' >"$top/fake/systemctl"

# launchd, which knows its agents by label
home
cat >"$top/fake/launchctl" <<'END'
#!/bin/sh
case $1 in
print) [ "${2#gui/*/}" = "$2" ] || [ -e "$HOME/loaded" ] ;;
bootstrap) cp "$3" "$HOME/loaded" ;;
bootout) rm "$HOME/loaded" ;;
esac
END
chmod +x "$top/fake/launchctl"
check_like 'a timer of launchd where there is one' '"path":"launchd".*"did":"wired"' \
	mem-setup -d 'a & b<.db' --from-build --auto --yes
check_like 'the timer of launchd calls mem-upkeep' \
	"<string>$B/mem-upkeep</string>.*<string>-q</string></array>\$" cat loaded
check 'the file of launchd is one of XML' /usr/bin/env perl -0ne \
	's/<!.*?>|<\?.*?\?>//g; 1 while s/<(\w+)[^<>]*>[^<>]*<\/\1>//; exit !/^\s*$/' loaded
check_like 'a second run leaves the timer of launchd' '"path":"launchd".*"did":"known"' \
	mem-setup -d 'a & b<.db' --from-build --auto --yes
check_like '--check tells of the timer of launchd' '"name":"timer","message":"launchd"' \
	mem-setup -d 'a & b<.db' --check
rm Library/LaunchAgents/mem-setup.plist
check_like 'an agent of launchd without its file is none' '^false none: ' sh -c \
	'mem-setup -d "a & b<.db" --check | jq -r "select(.name == \"timer\") | \"\(.ok) \(.message)\""'
mem-setup -q --from-build --auto --yes >/dev/null
mem-setup -q --undo --yes >/dev/null
rm 'a & b<.db'*
check_out 'the timer of launchd goes when undone' no sh -c '[ -e loaded ] || echo no'
check 'nothing is left of the timer of launchd' unchanged
rm "$top/fake/launchctl"

# vectors, by a model of next to no size
home
"$B/tests/torture/tiny_model" tiny && mkdir models && mem-model convert tiny -o models/tiny.model >/dev/null
check 'with a model there are vectors' env MEM_MODEL=tiny MEM_MODELS="$PWD/models" \
	mem-setup -q --from-build --auto --yes
check_out 'of all that was said' 0 sh -c \
	'MEM_MODEL=tiny MEM_MODELS="$PWD/models" mem-embed --info -j | jq .missing'

# ---- no agent ----

fresh
check_err 'where no agent is it says what stores else' 0 \
	"no coding agent is here.*'mem-ingest FILE'" \
	mem-setup -v
echo '{"session":"s","role":"user","name":"LENA","content":"hi"}' | mem-ingest -q --from=ndjson
check_err 'what waits on the input is none of upkeep' 0 'making vectors and summaries' \
	sh -c 'echo "echo the rest of a script" | mem-setup -v --from-build --auto --yes'
check 'all is made then' sh -c '! grep -q "not all was made" "$0"' "$err"

# ---- a terminal ----

home
if has_terminal; then
	check_like 'on a terminal it names the store' "^the store +~/mem\\.db" \
		script -qec mem-setup /dev/null
	check_like 'looking on a terminal says where the programs are' "^the programs +$B" \
		script -qec mem-setup /dev/null
	check_like 'on a terminal it asks' '\[y/N\]' sh -c \
		'printf "n\n" | script -qec "mem-setup --from-build --auto" /dev/null'
	check 'no: nothing is written' unchanged
	check_like 'a yes on a terminal sets up' 'wired .*settings.json' sh -c \
		'printf "y\n" | script -qec "mem-setup --from-build --auto" /dev/null'
	check_like 'in the end it says what there is' \
		'^done: 22 turns in 4 sessions are in ~/mem.db' cat "$out"
	check_like 'also what was stored before, by another run' \
		'^done: 22 turns in 4 sessions' sh -c \
		'printf "y\n" | script -qec "mem-setup --from-build --auto --only codex" /dev/null'
	check_like 'setting up ends with what to try' '^try:  mem-search' cat "$out"
	check_like 'setting up tells people what each history gave' \
		'Claude Code  *8 turns, 1 session, 1 file,' script -qec mem-setup /dev/null
	check_like 'of a history that is read whole again only what is new is told' \
		'^Gemini CLI  *nothing new' \
		script -qec 'mem-setup --from-build --auto --yes' /dev/null
else
	skip 'on a terminal it asks' 'no terminal'
fi
done_testing
