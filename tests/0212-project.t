#!/bin/sh
# The project of an agent's session: the repository of the directory in which the agent ran.
. "${0%/*}/lib.sh"

# said ID DIRECTORY TEXT: a line of Claude Code
n=0
said() {
	n=$((n + 1))
	printf '{"type":"user","sessionId":"%s","uuid":"u%d","timestamp":"2024-05-01T10:00:00Z",' \
		"$1" $n
	printf '"cwd":"%s","message":{"role":"user","content":"%s"}}\n' "$2" "$3"
}
projects() { mem-ingest "$@" >records && jq -r '"\(.content) \(.project // "-")"' records; }
found() { mem-search -n 1 "$@" >hits && jq -r .content hits; }
fresh
here=$(pwd -P)
mkdir -p repo/.git repo/src/deep plain tree
: >tree/.git
said s1 "$here/repo/src/deep" deep >a.jsonl
said s2 "$here/plain/" plain >b.jsonl
said s3 "$here/tree" tree >c.jsonl
said s4 /gone/for/ever gone >d.jsonl
said s5 relative relative >e.jsonl
check_out 'the root of the repository, else the directory itself' "deep $here/repo
plain $here/plain
tree $here/tree
gone /gone/for/ever
relative -" projects a.jsonl b.jsonl c.jsonl d.jsonl e.jsonl
said s1 "$here/repo" later >>a.jsonl
check_out 'a file that has grown is of the same project' "later $here/repo" projects a.jsonl
check_out 'the session says so' "$here/repo" sh -c \
	"mem-list sessions -j >all && jq -r 'select(.session == \"s1\").project' all"
check_out 'a project that is given goes first' 'deep mine
later mine' projects -d 2.db -p mine a.jsonl
check_out 'a search in the project finds what is in it' 'deep' found -p "$here/repo" deep
check_out 'a search in another project finds nothing of it' '' found -p "$here/plain" deep
cd repo/src || exit 1
check_out '-p . is the project of the directory at hand' 'deep' found -p . deep
cd .. || exit 1
check_out '-p with a path is the project of that directory' 'plain' found -p ../plain plain
cd .. || exit 1
# its name in a question tells of which project it is asked, though nobody says it there
for p in billing gallery depot; do
	mkdir -p $p/.git
	said "x-$p" "$here/$p" "Orientation: Rotate 90 CW"
done >g.jsonl
mem-ingest -q g.jsonl
for p in gallery depot billing; do
	check_out "a project that the question names: $p" "$here/$p" sh -c \
		"mem-search -j -n 1 'Rotate 90 CW in $p' >hits && jq -r .project hits"
done
check_out 'a name that only looks like a directory' '' found -p .config deep
said s6 "$here/sk-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH" secret >f.jsonl
check 'a secret in the path' mem-ingest f.jsonl
check_status 'a path with a secret is no project' 1 grep -q sk-abcdefghijklm "$out"

# ---- work trees, and paths of Windows ----

fresh
here=$(pwd -P)
mkdir -p mill/.git/worktrees/sail mill/.git/worktrees/near mill/.claude/worktrees/near/src \
	trees/sail/src mill/.git/modules/dam mill/dam bare/.bare/worktrees/main bare/main
echo "gitdir: $here/mill/.git/worktrees/sail" >trees/sail/.git
echo 'gitdir: ../../../.git/worktrees/near' >mill/.claude/worktrees/near/.git
echo 'gitdir: ../.git/modules/dam' >mill/dam/.git
echo "gitdir: $here/bare/.bare/worktrees/main" >bare/main/.git
said t1 "$here/trees/sail/src" beside >a.jsonl
said t2 "$here/mill/.claude/worktrees/near/src" inside >b.jsonl
said t3 "$here/mill/dam" submodule >c.jsonl
said t4 "$here/bare/main" bare >d.jsonl
check_out 'a work tree is of its repository, a submodule one of its own' "beside $here/mill
inside $here/mill
submodule $here/mill/dam
bare $here/bare" projects a.jsonl b.jsonl c.jsonl d.jsonl
cd trees/sail || exit 1
check_out '-p . in a worktree is the project of its repository' beside found -p . beside
cd "$here" || exit 1
rm -r trees mill/.claude
said t5 "$here/trees/sail/src" later >e.jsonl
said t6 "$here/mill/.claude/worktrees/near" gone >f.jsonl
said t7 "$here/trees/other" strange >g.jsonl
check_out 'messages of a worktree that is gone are in its project' "later $here/mill
gone $here/mill
strange $here/trees/other" projects e.jsonl f.jsonl g.jsonl
said t1 "$here/trees/sail/src" more >>a.jsonl
cp a.jsonl again.jsonl
check_out 'also where its file is read again' "more $here/mill" projects again.jsonl
check_out 'the session stays there' "$here/mill" sh -c \
	"mem-list sessions -j | jq -r 'select(.session == \"t1\").project'"
said w1 'c:\\Users\\ana\\mill\\' windows >w.jsonl
check_out 'a path of Windows' 'windows C:/Users/ana/mill' projects w.jsonl
for p in 'C:\Users\ana\mill' c:/Users/ana/mill; do
	check_out "asked for as $p" windows found -p "$p" windows
done

# ---- agents that say it in a file beside the conversation ----

fresh
here=$(pwd -P)
k=sessions/wd/session_k
mkdir -p $k/agents/main repo/.git repo/src
# kimi STATE: the project of a session of Kimi Code with that file beside it
kimi() {
	printf '%s' "$1" >$k/state.json
	echo '{"type":"metadata","protocol_version":"1.4","created_at":1772359200000}' >$k/agents/main/wire.jsonl
	echo '{"type":"context.append_message","message":{"role":"user","content":"hi"},"time":1772359201000}' >>$k/agents/main/wire.jsonl
	rm -f k.db
	mem-ingest -d k.db $k/agents/main/wire.jsonl >records &&
		jq -r '"\(.content) \(.project)"' records
}
state="{\"title\":\"T\",\"workDir\":\"$here/repo/src\",\"agents\":{}}"
check_out 'where it is said' "hi $here/repo" kimi "$state"
check_out 'from the directory itself' "hi $here/repo" sh -c "cd $k/agents/main &&
	mem-ingest -n wire.jsonl >r && jq -r 'select(.role) | \"\(.content) \(.project)\"' r"
check_out 'of a file that is damaged' 'hi null' kimi '{"workDir":'
check_out 'of one that is no object' 'hi null' kimi '["/srv"]'
check_out 'of one with another kind of value' 'hi null' kimi '{"workDir":7}'
check_out 'a state of Kimi that is too large is not read' 'hi null' \
	kimi "$(printf '%070000d' 0 | tr 0 ' ')$state"
rm $k/state.json
check_out 'a state of Kimi that is missing is no fault' 'hi null' \
	sh -c "mem-ingest -n $k >r && jq -r '\"\(.content) \(.project)\"' r"
mkfifo $k/state.json
check_out 'of a pipe, that nobody waits for' 'hi null' sh -c \
	"mem-ingest -n $k/agents/main/wire.jsonl >r && jq -r '\"\(.content) \(.project)\"' r"
rm $k/state.json
kimi "$state" >records
echo '{"type":"context.append_message","message":{"role":"user","content":"more"},"time":1772359202000}' >>$k/agents/main/wire.jsonl
check_out 'what is written later belongs there, too' "more $here/repo" sh -c \
	"mem-ingest -d k.db $k/agents/main/wire.jsonl >r && jq -r '\"\(.content) \(.project)\"' r"
check_out 'the file itself is known, and empty' '' sh -c \
	"mem-ingest -n -d none.db $k/state.json 2>&1"

# Cline says it in its first request, behind the words of the person
mkdir -p tasks/1 tasks/2
echo '[{"ts":1772359201000,"type":"say","say":"text","text":"alone"}]' >tasks/1/ui_messages.json
check_out 'a task of which there is no request yet' 'alone null' sh -c \
	"mem-ingest -n tasks/1/ui_messages.json >r && jq -r '\"\(.content) \(.project)\"' r"
printf '[{"ts":1,"type":"say","say":"text","text":"first"},{"ts":2,"type":"say","say":"api_req_started","text":"{\\"request\\":\\"# Current Workspace Directory (%s) Files\\"}"},{"ts":3,"type":"say","say":"text","text":"second"}]' \
	"$here/repo/src" >tasks/2/ui_messages.json
check_out 'a task of Cline with a directory has its project' "first $here/repo
second $here/repo" sh -c "mem-ingest -n tasks/2/ui_messages.json >r && jq -r '\"\(.content) \(.project)\"' r"

# of a task both files are not needed
for t in both one; do
	mkdir -p dir/$t/tasks/3
	printf '%s\n' '[{"role":"user","content":[{"type":"text","text":"<task>\nsent\n</task>"}]}]' \
		>dir/$t/tasks/3/api_conversation_history.json
done
echo '[{"ts":1,"type":"say","say":"text","text":"shown"}]' >dir/both/tasks/3/ui_messages.json
check_out 'what was sent is read where nothing was shown' 'shown sent sent' sh -c \
	'for d in "dir/both" "dir/one" "--from=cline dir/one"; do
		mem-ingest -n $d >r && jq -r .content r; done | paste -sd " "'

# and what Aider and SpecStory write lies where they worked
mkdir -p repo/.specstory/history
printf '\n# aider chat started at 2026-03-01 10:00:00\n\n#### hello\n\nworld\n' >repo/src/.aider.chat.history.md
printf '<!-- Generated by SpecStory -->\n\n_**User (2026-03-01 10:32:11Z)**_\n\nhello\n\n---\n\n_**Agent (claude-5) (2026-03-01 10:32:21Z)**_\n\nworld\n' >repo/.specstory/history/a.md
for f in repo/src/.aider.chat.history.md repo/.specstory/history/a.md; do
	check_out "$f is read into the project of its directory" "hello $here/repo
world $here/repo" sh -c "mem-ingest -n $f >r && jq -r '\"\(.content) \(.project)\"' r"
done
check_out 'unless a project is named' 'hello mine' sh -c \
	"mem-ingest -n -p mine repo/src/.aider.chat.history.md >r && jq -r '\"\(.content) \(.project)\"' r | head -n 1"

# ---- a directory that is moved ----

fresh
here=$(pwd -P)
mkdir -p old/shop/.git old/shop2/.git new
for k in 1 2 3; do
	said m$k "$here/old/shop" "invoice number $k" >m$k.jsonl
done
said m4 "$here/old/shop2" 'invoice of another' >m4.jsonl
mem-ingest -q m?.jsonl
mem-remember -q --fact -p "$here/old/shop" 'The shop keeps its invoices for ten years'
MEM_SEED=9 mem-ingest -q -d peer.db m?.jsonl
mv old/shop new/shop
told="there is nothing of '$here/new/shop', but of '$here/old/shop', which is gone"
for c in 'mem-search invoice' 'mem-list sessions' 'mem-context invoice'; do
	check_like "$c -p DIRECTORY tells whence it came" "$told.*mem-edit --move OLD NEW" \
		sh -c "$c -p new/shop/ 2>&1 >out; $c -p ./new/shop 2>&1 >out"
done
check_like 'mem-setup --check tells of a project that was moved' "$told" sh -c \
	'HOME=$PWD/none; export HOME; mkdir none; cd new/shop && { mem-setup --check 2>&1 >/dev/null || :; }'
check_out 'of a directory that is new nothing is told' '' sh -c \
	'mkdir -p new/mill && mem-list sessions -p ./new/mill 2>&1'
check_status 'nothing is told of a moved project where no directory is' 0 sh -c \
	'! mem-list sessions -p /nowhere/shop 2>&1 | grep gone'
check_err 'what is not known cannot be moved' 66 'no project' mem-edit --move /no/where ./new/shop
mkdir -p "$here/up"
echo '{"session":"up","content":"The weir is open."}' | mem-ingest -q -p "$here/up/weir" >/dev/null
check 'a project moves to the directory above it' mem-edit -q --move "$here/up/weir" "$here/up"
check_out 'a project that moved to the directory above is there' 1 \
	sh -c 'mem-list messages -p "$0/up" | wc -l' "$here"
check 'a path is made clean, as it is stored' mem-edit -q --move "$here//up/" \
	"$here/./no/../mill//"
check_out 'a project is found by its clean name' 1 sh -c 'mem-list -p "$0/mill" | wc -l' "$here"
printf '%s\n' \
	'{"id":"r1","session":"r","content":"It is shut.","project":"/srv9/sluice"}' \
	'{"id":"r2","session":"q","content":"The race is dry.","project":"/srv9"}' |
	mem-ingest -q -d root.db >/dev/null
check 'a directory becomes the root' mem-edit -q -d root.db --move /srv9 /
check_out 'a project below the root has one slash' '/sluice /' sh -c \
	'mem-list -d root.db messages -j | jq -r .project | paste -sd " " -'
check 'the root becomes a directory again' mem-edit -q -d root.db --move / /srv8
check_out 'the root becomes a directory with all that is below it' '/srv8/sluice /srv8' sh -c \
	'mem-list -d root.db messages -j | jq -r .project | paste -sd " " -'
check_err 'a project is not moved to a name' 64 'is no path' mem-edit --move "$here/old/shop" shop
check_err 'a project is not moved to itself' 64 'already' \
	mem-edit --move "$here/old/shop2" ./old/shop2
check_err '--move with one path is refused' 64 'the old and the new' \
	mem-edit --move "$here/old/shop"
check_like 'one command brings its memory along' \
	"3 sessions and 1 record of '$here/old/shop' are now of '$here/new/shop'" \
	sh -c "mem-edit -v --move '$here/old/shop' ./new/shop 2>&1"
sessions() { mem-list sessions -j "$@" | jq -r .session | sort | paste -sd ' ' -; }
moved() {
	check_out "$1: the project has its sessions" "$2" sessions -p ./new/shop
	check_out "$1: the project has its facts" 1 sh -c 'mem-list facts -j -p ./new/shop | wc -l'
	check_like "$1: the project is searched by its name" 'number 2' \
		mem-search -p ./new/shop 'invoice number 2'
	check "$1: the store is whole" mem-check -q --deep
}
moved 'moved' 'm1 m2 m3'
check_out 'another whose name begins the same is left' m4 sessions -p ./old/shop2
check_out 'the old name finds it' 'm1 m2 m3' sessions -p "$here/old/shop"
said m5 "$here/old/shop" 'invoice number 5' >m5.jsonl
said m1 "$here/old/shop" 'more of the invoice' >>m1.jsonl
mem-ingest -q m1.jsonl m5.jsonl
check_out 'what is read later under it is of the new one' 'm1 m2 m3 m5' sessions -p ./new/shop
said m2 "$here/old/shop" 'still more' >>m2.jsonl
MEM_SEED=9 mem-ingest -q -d peer.db m2.jsonl
check 'what another store says under the old name is imported' \
	sh -c 'mem-export -q -d peer.db >peer && mem-import -q peer'
check_like 'what another store says under the old name is the same' '"same":[1-9].*"different":0' \
	mem-import -j peer
moved 'after it' 'm1 m2 m3 m5'
mkdir -p old/shop/.git
said m6 "$here/old/shop" 'another shop' >m6.jsonl
check_out 'unless it is there again' "another shop $here/old/shop" projects m6.jsonl
check_out 'a project made anew at the old name is another one' m6 sessions -p ./old/shop

# the new place had a memory already, and one session is of both
said m7 "$here/new/shop" 'invoice number 7' >m7.jsonl
said m7 "$here/old/shop" 'invoice number 8' >>m7.jsonl
mem-remember -q --fact -p "$here/old/shop/tools" 'The tools of the shop are written in Lua'
rm -r old/shop
mem-edit -q --move "$here/new/shop" "$here/third/shop"
mkdir -p old/shop/.git new/shop
mem-ingest -q m7.jsonl
rm -r old/shop
mem-edit -q --move "$here/old/shop" ./new/shop
mem-edit -q --move "$here/third/shop" ./new/shop
moved 'brought together' 'm1 m2 m3 m5 m6 m7'
check_like 'what is below goes with it' Lua mem-list facts -p "$here/new/shop/tools"
check_like 'mem-check makes the same of it' 'number 2' sh -c \
	'mem-check -q --repair && mem-search -p ./new/shop "invoice number 2"'
check 'it goes out under its name' sh -c \
	'mem-export -q >all && ! grep "project\":\"[^\"]*/\(old\|third\)/shop\"" all && grep -q new/shop all'
check 'the moved project is forgotten with its facts' sh -c \
	'mem-forget -q -f -p ./new/shop && mem-list facts -j | jq -r .id | xargs mem-forget -q -f'
check_out 'names of a forgotten project are forgotten, too' '' sqlite3 "$MEM_DB" \
	"SELECT text FROM label WHERE text LIKE '%/shop'"

# two machines, on both of which the directory is moved
fresh
here=$(pwd -P)
cp "$ROOT/tests/torture/ssh.sh" ssh
unset MEM_SEED MEM_NOW
export MEM_SSH="$PWD/ssh" MEM_DB="$PWD/lap.db" MEM_STORE_NAME=lap
said y1 "$here/old" one >y1.jsonl
said y2 "$here/old" two >y2.jsonl
mem-ingest -q y1.jsonl y2.jsonl
mem-sync -q desk
mem-edit -q --move "$here/old" "$here/new"
said y2 "$here/old" more >>y2.jsonl
mem-ingest -q -d desk.db y2.jsonl
said y1 "$here/new" later >>y1.jsonl
mem-ingest -q y1.jsonl
check 'a store in which it was not moved yet is brought together with one' mem-sync -q desk
check_out 'nothing of it goes back to the old name' 'y1 y2' sessions -p "$here/new"
mem-edit -q -d desk.db --move "$here/old" "$here/new"
check 'a store that has moved the project, too, is synced' mem-sync -q desk
check 'both are the same' sh -c \
	'mem-export >lap.out && mem-export -d desk.db | cmp - lap.out && ! grep "project\":\"[^\"]*/old" lap.out'

# ---- a project by the last parts of its path, where something is stored ----

fresh
of() { mem-list -j "$1" | jq -r .project | sort | uniq -c | awk '{ print $2, $1 }' | paste -sd' ' -; }
line() { echo "{\"session\":\"$1\",\"content\":\"of $1\"}"; }
line a | mem-ingest -q -p /srv/work/shop-api >/dev/null
line b | mem-ingest -q -p shop-api >/dev/null
line c | mem-ingest -q -p work/shop-api >/dev/null
check_out 'a name that is the end of one' '/srv/work/shop-api 3' of sessions
line d | mem-ingest -q -p api >/dev/null
line e | mem-ingest -q -p /srv/other/shop-api >/dev/null
line f | mem-ingest -q -p shop-api >/dev/null
check_out 'of none, or of two: as it is' \
	'/srv/other/shop-api 1 /srv/work/shop-api 3 api 1 shop-api 1' of sessions
line g | mem-ingest -q -p /srv/work/till >/dev/null
check_out 'letters of the other case name a project' 'of g' sh -c \
	'mem-list messages -p Work/TILL | jq -r .content'
mem-remember -q -p till --fact 'The cart rounds to the cent.'
mem-remember -q -p somewhere --fact 'The cellar is locked at night.'
check_out 'a fact on purpose is in the project that was named' '/srv/work/till 1 somewhere 1' \
	of facts
check_out 'a dry run says the same' /srv/work/till sh -c \
	"echo '{\"content\":\"x\"}' | mem-ingest -n -p work/till | jq -r .project"

done_testing
