#!/bin/sh
# mem: the dispatcher, help, config; and what all programs share: options, streams, exit status.
. "${0%/*}/lib.sh"

# ---- verbs ----

mkdir extra
cat >extra/mem-echo <<'EOF'
#!/bin/sh
printf '<%s>' "$@"
echo
EOF
cat >extra/mem-seven <<'EOF'
#!/bin/sh
exit 7
EOF
cp extra/mem-echo extra/mem-old.sh
cp extra/mem-echo extra/mem-closed
chmod 755 extra/mem-echo extra/mem-seven extra/mem-old.sh
chmod 644 extra/mem-closed
PATH=$PATH:$PWD/extra

if has_terminal; then
	check_like 'on a terminal, mem alone says what to do where there is no store' \
		"^mem-stats: there is no store at .* 'mem-setup' finds" script -qec mem /dev/null
	mem-ingest -q "$ROOT/tests/demo/conversation.ndjson"
	check_like 'with a store mem says what is new there' '^sessions +1 today, 2 in seven days' \
		env MEM_NOW=2026-05-12T20:00:00Z script -qec mem /dev/null
	rm -f mem.db*
else
	skip 'on a terminal, mem alone says what to do' 'script(1) gives none'
fi
check_err 'mem without a verb asks which one' 64 "^mem: which verb\\? 'mem help' lists them$" mem
check_out 'a verb is a program in PATH, its words untouched' '<-j><--nonsense><a  b><>' mem echo \
	-j --nonsense 'a  b' ''
check_status 'the exit status is that of the program' 7 mem seven
check_err 'a wrong verb is told with one like it' 64 \
	"^mem: unknown verb 'ehco', did you mean 'echo'\\?$" mem ehco
check_err 'a verb of help that is mistyped is told' 64 "did you mean 'help'" mem hepl
check_err 'a verb near to nothing' 64 "^mem: unknown verb 'zzzzzz' \\('mem help' lists them\\)$" \
	mem zzzzzz
check_err 'a verb of no letters is unknown' 64 "unknown verb ''" mem ''
check_err 'a verb is no path' 64 "unknown verb '../extra/mem-echo'" mem ../extra/mem-echo
check_err 'a verb is no path, 2' 64 "unknown verb 'x/../echo'" mem x/../echo
check_err 'a file that may not run' 77 "^mem: cannot run 'mem-closed': Permission denied$" mem \
	closed
check_err 'control characters of a verb are shown' 64 'x\\x1b\[31my' mem "$(printf 'x\033[31my')"
check_err 'a newline in it makes no second line' 64 "unknown verb 'a b'" mem 'a
b'
check_err 'options go after the verb' 64 "options go after the verb 'echo'" mem -j echo

# The program beside mem comes before one in PATH.
mkdir beside
cp "$B/mem" beside/
printf '#!/bin/sh\necho beside\n' >beside/mem-echo
chmod 755 beside/mem-echo
check_out 'the program beside mem comes first' beside beside/mem echo
ln -s beside/mem linked
check_out 'also when mem is a link' beside ./linked echo

# ---- options that all have ----

check_like 'the version, of records, store and libraries too' \
	'^mem [0-9.]+ records 1 store [0-9]+ SQLite 3[.][0-9.]+ libjq [0-9.]+( or .*)?$' \
	sh -c 'mem --version | paste -sd " "'
check_like 'mem -h explains the options of mem' '^  -j, --json +NDJSON' mem -h
check_out 'the table as JSON' '["mem","json,format,help,version"]' sh -c \
	"mem --help-json >t && jq -c '[.name, ([.options[].name] | join(\",\"))]' t"
check_err 'a long option that is unknown is told with one like it' 64 \
	"^mem: unknown option '--jsno', did you mean '--json'\\?" mem --jsno
check_err 'unknown short option after a long one' 64 "unknown option '-x'" mem --json -x
check_err 'unknown short option in a cluster' 64 "unknown option '-x'" mem -jx
check_err 'a value where none goes' 64 "option '--json' takes no value" mem --json=1

# ---- streams ----

if [ -w /dev/full ]; then
	check_err 'a full disk is status 74' 74 'cannot write to stdout: No space left' sh -c \
		'exec mem config >/dev/full'
else
	skip 'a full disk is status 74' 'no /dev/full'
fi
check_err 'a closed stdout is status 74' 74 'cannot write to stdout' sh -c 'exec mem config >&-'
check_status 'mem ends with 74 when all streams are closed' 74 sh -c 'exec mem config <&- >&- 2>&-'
mkfifo pipe
# The reader is gone before anything is written.
check_status 'a reader that left is status 0' 0 sh -c '(: <pipe) & exec 3>pipe; wait;
	exec mem config >&3 3>&-'

# ---- config ----

cat >config <<'EOF'
# a comment
limit = 25
user=ann
EOF
asked() { # the setting, the keys of it that count
	mem config "$1" >t && jq -c "[.name, .value, .from, .where]" t
}
check_out 'mem config tells a setting from the file' '["limit","25","file","'"$PWD"'/config:2"]' \
	asked limit
check_out 'a setting without blanks is read as well' '["user","ann","file","'"$PWD"'/config:3"]' \
	asked user
export MEM_USER=bob
check_out 'mem config tells a setting from the environment' \
	'["user","bob","environment","MEM_USER"]' asked user
unset MEM_USER
check_out 'mem config tells a setting that is the default' '["batch","1000","default",null]' \
	asked batch
check_out 'the database is the one that is used' "$MEM_DB" sh -c 'mem config db >t &&
	jq -r .value t'
check_out 'without MEM_DB it is under XDG_DATA_HOME' "$XDG_DATA_HOME/mem/mem.db" env -u MEM_DB \
	sh -c 'mem config db >t && jq -r .value t'
check_out 'several, in the order asked for' 'user limit' sh -c \
	"mem config user limit >t && jq -r .name t | paste -sd ' ' -"
check 'mem config tells all settings once' \
	sh -c 'mem config >t && test -z "$(jq -r .name t | sort | uniq -d)" &&
	test "$(wc -l <t)" -gt 20'
check_err 'help, as an option, mistyped' 64 "unknown option '--hlep', did you mean '--help'" \
	mem-list --hlep
check_err 'settings are not set so' 64 \
	"^mem: 'limit=3': to set a setting: mem config set NAME VALUE$" mem config limit=3
check_err 'mem config NAME VALUE is told how to set' 64 'mem config set NAME VALUE$' \
	mem config limit 3
check_err 'a word of three letters is near to few' 64 "^mem: no page about 'foo'" mem help foo
check_status 'a setting to be set is not said to be another' 1 grep -q 'did you mean' "$err"
check_out 'mem config get NAME tells one setting' limit sh -c 'mem config get limit | jq -r .name'
check_err 'a setting that is unknown is told with one like it' 64 \
	"^mem: unknown setting 'limitt', did you mean 'limit'\\?$" mem config limitt
echo 'nonsense = 1' >>config
echo 'chunk_tokens = 300' >older
check 'a setting of an earlier version is no fault' env MEM_CONFIG=older mem config
check_err 'a wrong line in the file' 78 "^mem: .*/config:4: unknown setting 'nonsense'$" mem config
check_like 'mem -h helps where the settings are broken' '^usage: mem' mem -h
check_out 'programs run where the settings of mem are broken' '<x>' mem echo x
: >config
check_err 'a wrong value in the environment' 78 "MEM_LIMIT: 'limit' must be" env MEM_LIMIT=many \
	mem config

# ---- nobody is no user: one answer of every program, with a store and without ----

: >wrong
n_users=0
for p in $(ls "$B" | grep '^mem-[a-z]*$'); do
	$p --help-json | jq -e '.options[] | select(.name == "user")' >/dev/null || continue
	for db in none.db "$MEM_DB"; do
		n_users=$((n_users + 1))
		timeout "$MEM_TEST_SECONDS" $p -d $db -u '' </dev/null >said 2>told
		got=$?
		[ $got -eq 64 ] && [ ! -s said ] && grep -q -e '--user must not be empty' told ||
			echo "$p -d $db: $got" >>wrong
		[ -e "$MEM_DB" ] || echo '{"content":"a"}' | mem-ingest -q
	done
done
check_out "-u '' is wrong usage of every program that takes it" '' cat wrong
check 'there are such programs' test $n_users -ge 30
: >wrong
for p in $(ls "$B" | grep '^mem-[a-z]*$'); do
	for o in $($p --help-json | jq -r '.options[].name |
		select(IN("agent", "project", "session", "since", "until", "role", "name"))'); do
		timeout "$MEM_TEST_SECONDS" $p --$o '' </dev/null >said 2>told
		got=$?
		[ $got -eq 64 ] && [ ! -s said ] && grep -q -e "--$o must not be empty" told ||
			echo "$p --$o: $got" >>wrong
	done
done
check_out 'a part of a memory that is not named is not all of it, in any program' '' cat wrong
check 'no store is made by asking about settings' test ! -e none.db
check_err 'in a file it is a wrong setting' 78 "conf:1: 'user' must not be empty" sh -c \
	"echo 'user =' >conf; MEM_CONFIG=conf mem-list"
check 'an empty variable is none' env MEM_USER= mem-list

# ---- config set and unset ----

fresh
unset MEM_CONFIG
check 'a setting is set where there is neither file nor directory' mem config set limit 20
check_out 'mem config set says nothing when it succeeds' '' cat "$out" "$err"
check_out 'a setting that was set holds from then on' \
	'["limit","20","file","'"$PWD"'/.config/mem/config:1"]' asked limit
check_out 'the file is its owner'"'"'s' '-rw-------' sh -c 'ls -l .config/mem/config | cut -c-10'
printf '# mine\nlimit=20\n\n  user = ann  # no comment\r\n# limit = 7\nlimit_x' >kept
sed 's/_x/ = 30/' kept >.config/mem/config
cp .config/mem/config was
mem config set limit 40
check_out 'the line that counts is changed' 'limit = 40' sh -c 'diff was .config/mem/config |
	sed -n "s/^> //p"'
mem config set user bob
check_out 'a line keeps its line end, comments their place' '# mine
limit=20

user = bob\r
# limit = 7
limit = 40' sh -c "sed 's/\r/\\\\r/' .config/mem/config"
check 'unset takes all its lines' mem config unset limit user
check_out 'unsetting takes out no other lines' '# mine

# limit = 7' cat .config/mem/config
check 'what is not there is unset' mem config unset limit
printf '# no end' >.config/mem/config
mem config set chat_model 'a b = c'
check_out 'a line without an end gets one; a value may hold blanks and =' '# no end
chat_model = a b = c' cat .config/mem/config
check_out 'a value that was set is what is read' 'a b = c' \
	sh -c 'mem config chat_model >t && jq -r .value t'
cp .config/mem/config was
check_err 'a value that is none' 64 "'limit' must be a whole number: 'many'" mem config set \
	limit many
check_err 'one out of range' 64 "'limit' must be from 1 to" mem config set limit 0
check_err 'none of its words' 64 "'color' must be one of" mem config set color red
check_err 'a setting that nobody knows cannot be set' 64 \
	"unknown setting 'limitt', did you mean 'limit'" mem config set limitt 3
check_err 'a setting that nobody knows cannot be unset' 64 "unknown setting 'nope'" \
	mem config unset limit nope
check_err 'a newline would be another setting' 64 'cannot hold this value' mem config set agent 'a
user = b'
check_err 'a blank would be lost' 64 'cannot hold this value' mem config set agent 'a '
check_err 'a cap of the file itself' 64 'from the environment only' mem config set config_bytes 1M
check_err 'set without a value is refused' 64 "'set' takes a setting and its value" \
	mem config set limit
for v in -1 0 .5; do
	check_err "no number of hits: $v" 64 "'limit' must be .*: '$v'" mem config set limit $v
done
check_err 'unset without a name is refused' 64 "'unset' takes the names" mem config unset
check 'after all these the file is as it was' cmp was .config/mem/config
check_err 'the environment goes before it' 0 'MEM_LIMIT is set in the environment' env MEM_LIMIT=3 \
	mem config set limit 50
mkdir dotfiles && mv .config/mem/config dotfiles/ && ln -s ../../dotfiles/config .config/mem/config
check 'a file behind a link can be changed' mem config set limit 60
check 'the link to the settings stays a link' test -L .config/mem/config
check_out 'the file behind the link has the new value' 1 grep -c '^limit = 60$' dotfiles/config
check 'many processes can set values at once' \
	sh -c 'for n in alpha beta gamma; do for i in 1 2 3 4 5; do
	mem config set $n .$i & done; done; wait'
check_out 'each value that was set at once is there once' 'alpha beta gamma' sh -c \
	'sed -n "s/ = [.][1-5]$//p" dotfiles/config | sort | xargs'
chmod 500 dotfiles
[ -w dotfiles ] || check_err 'a directory that may not be written' 77 'config. cannot be written' \
	mem config set limit 70
chmod 700 dotfiles
printf '\357\273\277limit = many\nnonsense = 1\nno sign\n' >dotfiles/config
check_err 'a bad line does not keep from mending it' 0 \
	"config:2: unknown setting 'nonsense': other programs end here" mem config set limit 70
check_err 'a setting of others is no cause for a warning' 0 \
	"config:2: no '=' in the line: other" mem config unset nonsense
printf '\357\273\277limit = 70\nno sign\n' >want
check 'a mark of an editor stays in the file' cmp want dotfiles/config
sed -i 2d dotfiles/config
check_out 'a mark of an editor is no part of a name' '"70"' \
	sh -c 'mem config limit >t && jq .value t'
fresh

if has_terminal; then
	check_like 'columns on a terminal' '^limit +7 +MEM_LIMIT' env MEM_LIMIT=7 script \
		-qec 'mem config' /dev/null
	check_like 'mem config -j prints settings as NDJSON' \
		'^\{"type":"setting","name":"limit","value":"7"' env \
		MEM_LIMIT=7 script -qec 'mem config limit -j' /dev/null
	check_like 'control characters of a value are shown' 'a\\x1b\[31mb' env \
		MEM_AGENT="$(printf 'a\033[31mb')" script -qec 'mem config agent' /dev/null
else
	skip 'columns on a terminal' 'script(1) gives none'
	skip 'NDJSON with -j' 'script(1) gives none'
	skip 'control characters of a value are shown' 'script(1) gives none'
fi

# ---- help ----

check_like 'the programs, one a line' '^mem-search +[a-z]' mem help
check_out 'in groups, by what they are for' 'mem-hook mem-mcp mem-resume mem-setup' sh -c \
	"mem help | sed -n '/^agents/,/^\$/s/ .*//p' | sort | xargs"
check_out 'each of them in one' "$(sed -n '/^PROGS = /,/[^\\]$/p' "$ROOT/Makefile" |
	tr -d '\\' | sed 's/^PROGS = //' | xargs -n 1 | grep -- - | sort | xargs)" sh -c \
	"PATH=$B:/usr/bin:/bin mem help | sed '/^mem  /,\$d' | sed -n 's/^\(mem-[a-z]*\) .*/\1/p' |
	sort | xargs"
check_out 'not wider than 80 columns' '' sh -c "COLUMNS=80 mem help | awk 'length(\$0) > 80'"
for p in $(sed -n 's/^PROGS = //p' "$ROOT/Makefile"); do
	check_out "$p --help is not wider than 80 columns" '' sh -c \
		"COLUMNS=80 $p --help | awk 'length(\$0) > 80'"
done
widest() { COLUMNS=$1 mem-search --help |
	awk "/^ +-/ && length > most { most = length } END { print (most > $2 && most <= $3) }"; }
check_out 'help is no wider than 100 on a wide terminal' 1 widest 300 80 100
check_out 'help is made no narrower than 60' 1 widest 10 50 60
check_like 'what does not fit goes on below what it says' '^                          [a-z]' sh -c \
	'COLUMNS=80 mem-search --help'
check_like 'mem help lists programs that are in PATH' '^mem-echo +\(in PATH\)$' mem help
check 'mem help lists no files that are no programs' \
	sh -c 'mem help >t && ! grep -E "mem-(old|closed)" t'
check_out 'mem help lists each program once' '' \
	sh -c "mem help >t && cut -d' ' -f1 t | grep mem | sort | uniq -d"
mkdir fake
printf '#!/bin/sh\necho "man $*"\n' >fake/man
chmod 755 fake/man
fake=$PWD/fake
check_like 'a page is the one of this mem' '^man -l /.*/man/mem-search\.1$' env PATH="$fake:$PATH" \
	mem help search
check_like 'by its whole name' '^man -l /.*/man/mem\.1$' env PATH="$fake:$PATH" mem help mem
check_like 'mem help finds pages of other sections' '^man -l /.*/man/mem-config\.5$' \
	env PATH="$fake:$PATH" mem help config
check_out 'of a program from elsewhere' 'man mem-echo' env PATH="$fake:$PATH" mem help echo
check_like 'of what mem does itself' '^man -l /.*/man/mem\.1$' env PATH="$fake:$PATH" mem help help
check_err 'a page that is not there' 64 "^mem: no page about 'serach', did you mean 'search'\\?$" \
	mem help serach
check_err 'a page is no path' 64 "no page about '../x'" mem help ../x
check_err 'mem help takes one topic at a time' 64 'one topic at a time' mem help a b
printf '#!/bin/sh\necho "mandoc $*"\n' >fake/mandoc
chmod 755 fake/mandoc
rm fake/man
ln -s "$(command -v sh)" fake/sh
check_like 'mem help takes mandoc where man is missing' '^mandoc -a /.*/mem\.1$' \
	env PATH="$fake" "$B/mem" help mem
rm fake/mandoc
check_err 'mem help names the page where nothing can show it' 69 \
	"neither 'man' nor 'mandoc' can be run; the page is '/.*mem\\.1'" env \
	PATH="$fake" "$B/mem" help mem

done_testing
