#!/bin/sh
# make lint: small trees with one thing wrong each, and the lint that says so.
. "${0%/*}/lib.sh"

command -v perl >/dev/null 2>&1 || skip_all 'no perl'
L=$ROOT/tests/lint

# tree: an empty source tree here. put FILE: stdin, with directories made.
tree() {
	fresh
	mkdir -p lib/base lib/text lib/rank lib/records lib/search lib/json lib/cli lib/net \
		lib/store/sqlite bin man tests schema
	for room in base/err text/words rank/fuse store/store store/sqlite/db records/list \
		cli/prog net/http; do : >"lib/$room.h"; done
}
put() { mkdir -p "$(dirname "$1")" && cat >"$1"; }
refuses() { check_status "$1" 1 perl "$L/$2"; check "$1: where" grep -qE -e "$3" "$out"; }
accepts() { check "$1" perl "$L/$2"; }

# ---- floors ----

tree
put lib/rank/fuse.c <<'E'
#include <stdio.h>
#include "base/err.h"
#include "rank/fuse.h"
/* #include "records/list.h" */
E
accepts 'a room includes what is below' floors
echo '#include "records/list.h"' | put lib/rank/up.c
refuses 'a room includes what is above' floors '^lib/rank/up.c:1: rank may not include from records'
tree; echo '#include "words.h"' | put lib/text/x.c
refuses 'an include without its room' floors '^lib/text/x.c:1: include "room/name.h", not "words.h"'
tree; echo '#include "base/nothing.h"' | put lib/text/x.c
refuses 'an include that is not there' floors '^lib/text/x.c:1: '
tree; echo '#include "store/sqlite/db.h"' | put lib/search/x.c
refuses 'the inside of the store' floors '^lib/search/x.c:1: the inside of the store'
tree; : | put lib/store/records/rows.h; : | put lib/store/write/writer_parts.h
echo '#include "store/records/rows.h"' | put lib/store/index/x.c
refuses 'a room of the store that includes what is above it' floors \
	'^lib/store/index/x.c:1: store/index may not include from store/records'
rm lib/store/index/x.c; echo '#include "store/write/writer_parts.h"' | put lib/store/records/x.c
refuses 'the private header of another room of the store' floors \
	'^lib/store/records/x.c:1: store/write/writer_parts.h is private to lib/store/write'
tree; : >lib/rank/bm25_parts.h; echo '#include "rank/bm25_parts.h"' | put lib/search/x.c
refuses 'the private header of another room' floors \
	'^lib/search/x.c:1: rank/bm25_parts.h is private to lib/rank'
echo '#include "rank/bm25_parts.h"' | put lib/rank/x.c; rm lib/search/x.c
accepts 'the private header of its own room' floors
tree; echo '#include "net/http.h"' | put bin/mem-search.c
refuses 'a program that includes from net is refused' floors \
	'^bin/mem-search.c:1: bin may not include from net'
tree; echo '#include "net/http.h"' | put bin/mem-llm.c
accepts 'the network, by its one program' floors
for h in sqlite3.h jv.h jq.h zlib.h curl/curl.h; do
	tree; echo "# include <$h>" | put lib/base/x.c
	refuses "a header that has one door is refused: $h" floors \
		"^lib/base/x.c:1: <$h> has one door"
done
tree; echo '#include <sqlite3.h>' | put lib/store/sqlite/x.c
echo '#include <jv.h>' | put lib/json/jq.c
echo '#include <zlib.h>' | put lib/base/gz.c
accepts 'each by its door' floors
tree; echo 'int x;' | put lib/attic/x.c
refuses 'a room that is none' floors '^lib/attic/x.c:1: lib/attic is not a room'
tree; echo '#include "base/err.h"' | put lib/store/attic/x.c
refuses 'a room of the store that is none' floors '^lib/store/attic/x.c:1: .* is not a room'

# ---- includes ----

tree
echo 'enum err_code { ERR_NONE };' | put lib/base/err.h
echo 'int words_of(const char *s);' | put lib/text/words.h
put lib/text/x.c <<'E'
#include "base/err.h"
#include "text/words.h"

/* ERR_NONE */
int x(void) { return words_of("ERR_NONE"); }
E
refuses 'an include of which nothing is used' includes \
	'^lib/text/x.c:1: base/err.h declares nothing that is used here'
echo 'int y = ERR_NONE;' >>lib/text/x.c
accepts 'one that is used' includes

# ---- words ----

tree
put lib/text/x.c <<'E'
/* printf and SELECT x FROM y in a comment */
#include "base/err.h"

int
x(char *s, int n)
{
	return snprintf(s, n, "update the index, select one from many, exit");
}
E
accepts 'a file that breaks no rule is accepted' words
tree; printf 'const char *s = "SELECT a, " COLUMNS\n\t"b FROM message";\n' | put lib/search/x.c
refuses 'SQL outside the store' words '^lib/search/x.c:1: SQL'
tree; printf 'const char *s = "PRAGMA user_version";\n' | put bin/x.c
refuses 'PRAGMA outside the store' words '^bin/x.c:1: SQL'
for w in 'printf("x");' 'fputs(s, stderr);' 'exit(1);' 'abort();' 'fflush(stdout);'; do
	tree; printf '\n\t%s\n' "$w" | put lib/search/x.c
	refuses "a word of printing below lib/cli is refused: $w" words \
		'^lib/search/x.c:2: .* below lib/cli'
done
tree; printf '\texit(1);\n' | put lib/cli/x.c; accepts 'exit in cli is accepted' words
tree; printf 'typedef struct { int a; } thing;\n' | put lib/text/x.h
refuses 'a typedef of a struct is refused' words '^lib/text/x.h:1: .*typedef'
tree; printf '/* *p >= %s0%s && *p <= %s9%s */\nint d(int c) { return (c >= %s0%s && c <= %s9%s); }\n' "'" "'" "'" "'" "'" "'" "'" "'" | put lib/text/x.c
refuses 'a class of bytes by hand' words '^lib/text/x.c:2: a class of bytes'
tree; printf 'int x;\n    int y;\n' | put lib/text/x.c
refuses 'spaces for a tab' words '^lib/text/x.c:2: indented by spaces'
tree; printf 'int x; \n' | put lib/text/x.c
refuses 'a blank at the end' words '^lib/text/x.c:1: blanks'
tree; printf '\n# TO''DO: all\n' | put tests/x.t
refuses 'a note to self' words '^tests/x.t:2: a note to self'

# ---- scope ----

sql() { printf '%s\n' "$1" | put lib/store/sqlite/x.c; }
tree; sql 'const char *s[] = { [A] = "SELECT x FROM message WHERE user = ?1", [B] = "DELETE FROM session WHERE id BETWEEN ?1 AND ?2",
	[C] = "UPDATE card SET x = 1 WHERE id >= :lo", [D] = "SELECT v FROM meta", [E] = "CREATE TABLE message (x)" };'
accepts 'statements with a scope' scope
printf '%s\n' '-- all users: a check' 'A: SELECT x' '	FROM message' 'let B: id = 1' \
	'C: SELECT x FROM card WHERE user = 1' | put schema/statements/x.sql
accepts 'listed statements with a scope' scope
printf '%s\n' '-- all users: a check' 'A: SELECT x FROM card' 'B: SELECT x' '	FROM message' |
	put schema/statements/x.sql
refuses 'a listed statement without a scope is refused' scope \
	'^schema/statements/x.sql:3: no scope: SELECT x FROM message'
tree; sql 'const char *s = "SELECT x FROM message WHERE id = ?1";'
refuses 'a statement without a scope is refused' scope \
	'^lib/store/sqlite/x.c:1: no scope: SELECT x FROM message'
tree; sql 'const char *s[] = { "SELECT 1 FROM meta",
	"SELECT " COLS
	"FROM meta, session s " "WHERE 1" };'
refuses 'a statement in pieces without a scope is refused' scope '^lib/store/sqlite/x.c:2: no scope'
for s in 'INSERT INTO fts_turn(x) VALUES (1)' 'UPDATE session SET x = 1' 'DELETE FROM card' \
	'SELECT a FROM label JOIN message ON 1' 'WITH t AS (SELECT 1 FROM message) SELECT 2'; do
	tree; sql "const char *s = \"$s\";"
	refuses "this statement without a scope is refused: $s" scope \
		'^lib/store/sqlite/x.c:1: no scope'
done
tree; sql '/* all users: counts of the whole file */
const char *s = "SELECT count(*) FROM message";'
accepts 'an exception with its reason' scope
tree; sql '/* all users: counts of the whole file */
const char *s = "SELECT count(*) FROM message", *t = "DELETE FROM message";'
refuses 'a note of all users covers one statement' scope 'no scope: DELETE'
tree; sql '/* all users: */
const char *s = "SELECT count(*) FROM message";'
refuses 'an exception without a reason' scope 'no scope'

# ---- programs, options, settings: a fake program beside its page ----

a_program() {
	tree
	mkdir -p build
	put bin/mem-x.c <<'E'
/*
 * mem-x: do nothing
 */
E
	put man/mem-x.1 <<'E'
.Nd do nothing
.Bl -tag -width Ds
.It Fl n , Fl -limit Ar N
.It Fl -all
.El
E
	put man/mem.7 <<'E'
.It Xr mem-x 1
.It Fl q , -quiet
E
	put man/mem-config.5 <<'E'
.It Ic db
.It Ic user
E
	: >tests/0700-x.t
	put build/mem-x <<'E'
#!/bin/sh
case $1 in
-h) echo "mem-x: do nothing" ;;
--help-json) cat <<'J' ;;
{"name":"mem-x","options":[{"name":"limit","letter":"n","arg":"N"},{"name":"all"},{"name":"quiet","letter":"q"}]}
J
esac
E
	put build/mem <<'E'
#!/bin/sh
echo '{"name":"db"}'
echo '{"name":"user"}'
E
	chmod 755 build/mem build/mem-x
	B=$PWD/build
}
built=$B
says() { check_status "$1" 1 perl "$L/$2" mem-x; check "$1: where" grep -qE -e "$3" "$out"; }
a_program
check 'a program that is whole' perl "$L/programs" mem-x
check 'options that agree with their page are accepted' perl "$L/options" mem-x
check 'settings that agree with their page are accepted' perl "$L/settings"
a_program; rm tests/0700-x.t; says 'without a test' programs '^tests/NNNN-x.t:1: no such file'
a_program; rm man/mem-x.1; says 'without a page' programs '^man/mem-x.1:1: no such file'
a_program; rm bin/mem-x.c; says 'without a source' programs '^bin/mem-x.c:1: no such file'
a_program; : >man/mem.7; says 'without a row' programs '^man/mem.7:1: no row for mem-x'
a_program; cp bin/mem-x.c bin/mem-y.c; says 'without a name in PROGS' programs \
	'^bin/mem-y.c:1: mem-y is not in PROGS'
a_program; sed 's/nothing/much/' bin/mem-x.c >t && mv t bin/mem-x.c; says 'another comment' \
	programs "says 'do much'"
a_program; sed 's/nothing/much/' build/mem-x >t && cat t >build/mem-x; says 'another table' \
	programs "-h 'do much'"
a_program; sed '/-all/d' man/mem-x.1 >t && mv t man/mem-x.1; says 'an option that the page lacks' \
	options 'option --all is not in the page'
a_program; echo '.It Fl -more' >>man/mem-x.1; says 'an option that the table lacks' options \
	'^man/mem-x.1:6: mem-x has no option --more'
a_program; sed 's/Fl n ,/Fl k ,/' man/mem-x.1 >t && mv t man/mem-x.1; says 'another letter' \
	options 'option --limit of mem-x has the letter n'
a_program; sed 's/ Ar N//' man/mem-x.1 >t && mv t man/mem-x.1; says 'a lost argument' options \
	'option --limit of mem-x has .* an argument'
a_program; echo '.It Ic more' >>man/mem-config.5; says 'a setting that the table lacks' settings \
	'^man/mem-config.5:3: there is no setting more'
a_program; echo '.It Ic db' >man/mem-config.5; says 'a setting that the page lacks' settings \
	'setting user is not in the page'
B=$built

# ---- map ----

# A map with a row of each room, and the rest from stdin.
a_map() {
	tree
	for room in lib/*; do
		: >"$room/x.h"
		echo "| \`${room#lib/}\` | does | \`x.h\` |"
	done >map
	cat - >>map && mv map lib/README.md
}
a_map <<'E'
See `text/words.h`, `schema/`, `lib/rank/*.h`, `tests/lint/NAME.want`.
E
mkdir tests/lint && : >tests/lint/a.want
accepts 'a map of what is there' map
a_map <<'E'
See `text/gone.c`.
E
refuses 'a named file that is not there' map '^lib/README.md:[0-9]*: there is no text/gone.c'
a_map; rm lib/text/x.h
refuses 'a file in the row of its room' map '^lib/README.md:[0-9]*: there is no x.h in lib/text'
a_map <<'E'
See `word_gone`.
E
refuses 'a function that a map names and no source has' map 'no source has the name word_gone'
a_map; mkdir lib/attic
refuses 'a room without a row' map '^lib/README.md:1: no row for lib/attic'
a_map; rm -r lib/net
refuses 'a row without a room' map 'there is no lib/net$'
tree; put tests/README.md <<'E'
See `fuzz/gone.c`.
E
refuses 'a file that the map of the tests names' map '^tests/README.md:1: there is no fuzz/gone.c'
tree; put doc/style.md <<'E'
Open `lib/math/gone.h`.
E
refuses 'a file that the rules of the code name' map '^doc/style.md:1: there is no lib/math/gone.h'

# ---- names ----

tree; printf 'check "mem-search finds a turn" true\ncheck_out "$1" x y\n' | put tests/x.t
accepts 'names of checks that are statements' names
tree; echo "check_err 'no store' 66 x mem-list" | put tests/x.t
refuses 'a name of fewer than four words' names \
	"^tests/x.t:1: a name of fewer than 4 words: 'no store'"
tree; echo "[ -w x ] && check \"no store\" true" | put tests/x.sh
refuses 'a name of fewer than four words behind a condition' names '^tests/x.sh:1: a name of fewer'
tree; printf 'check "it is stored as it is" x\n\tcheck "and it is stored once" x\n' | put tests/x.t
refuses 'a name that leans on the one before' names '^tests/x.t:2: a name that leans'

# ---- columns ----

ninety=$(printf '%090d' 0)
tree; echo "int wide; /* $ninety */" | put lib/text/x.c
refuses 'a line of code that is too wide' columns '^lib/text/x.c:1: 106 columns wide'
tree; printf '\t\t%s\n' "$ninety" | tr 0 x | put lib/text/x.c
refuses 'a tab is eight columns' columns '^lib/text/x.c:1: 106 columns wide'
tree; put lib/text/x.c <<E
static const char *const rows[] = {
	{ "one", "$ninety" },
	[TWO] = "$ninety",
};
E
printf '%s\n' 'cat <<X' "a text of $ninety" X "echo '$ninety'" | put tests/x.t
accepts 'rows of a table, quoted texts and here-documents' columns
tree; echo "check $(echo "$ninety$ninety" | sed 's/00/x /g')" | put tests/x.t
refuses 'a command that is too wide' columns '^tests/x.t:1: '
tree; printf 'cat <<X\n%s\nX\n: %s\n' "a text" "$(echo "$ninety$ninety" | sed 's/00/x /g')" |
	put tests/x.t
refuses 'a command behind a here-document' columns '^tests/x.t:4: '

# ---- lexicon ----

words() { tree; printf 'month.1 januar\nnumeral.2 zwei\nstop the of and to\n' | put schema/lang/de.txt; }
words; printf '/* für */\nstatic const char s[] = "a – b";\n' | put lib/text/x.c
accepts 'words in a comment, and signs that are no letters' lexicon
words; echo 'static const char s[] = "für";' | put lib/text/x.c
refuses 'a word in C that is beyond ASCII' lexicon '^lib/text/x.c:1: letters beyond ASCII'
words; printf 'int a;\nstatic const char *const w[] = { "the", "of", "and", "to" };\n' |
	put lib/text/x.c
refuses 'a list of words of a language in C' lexicon '^lib/text/x.c:2: a list of words'
words; echo 'static const char *const w[] = { "select", "from", "where", "the" };' |
	put lib/text/x.c
accepts 'a list of other words in C' lexicon
words; echo 'stop the' >>schema/lang/de.txt
refuses 'a word that a class has twice' lexicon "^schema/lang/de.txt:4: 'the' is in stop twice"

build_words() { LC_ALL=C awk -f "$ROOT/lib/lexicon/lex.awk" schema/lang/de.txt >words.c &&
	${CC:-cc} -std=c11 -I"$ROOT/lib" -fsyntax-only words.c; }
if command -v "${CC:-cc}" >/dev/null 2>&1; then
	words
	check 'words of known classes compile' build_words
	words; echo 'mnoth.2 februar' >>schema/lang/de.txt
	check_status 'a class that is misspelt does not compile' 1 build_words
	check 'the compiler names the file and line of a class' grep -q 'de.txt:4' "$err"
	words; echo 'feast.crhistmas weihnachten' >>schema/lang/de.txt
	check_status 'a value that is misspelt does not compile' 1 build_words
fi

pack_cues() { LC_ALL=C awk -f "$ROOT/lib/statement/cues.awk" cues.txt >/dev/null; }
printf '# a comment\nclass ended rest of it\n\tno_longer wohn* 不再\n' >cues.txt
check 'a file of cues is packed' pack_cues
printf 'class ended\n\tgone\nclas home\n\tin\n' >cues.txt
check_status 'a line of cues that is no class is refused' 1 pack_cues
check 'awk names the file and line of a cue' grep -q "cues.txt:3: 'class NAME' was to follow" "$err"

done_testing
