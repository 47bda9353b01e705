#!/bin/sh
# mem-ingest: what a walk finds by what is in a file, exports as the zip archives they come as, and
# what lies beside conversations.
. "${0%/*}/lib.sh"

from=$ROOT/tests/fixtures/from
# pack FILE MEMBER...: a zip archive of these files, read from under the directory $dir. MODE is
# stored, stream (sizes behind the bytes), wide (64 bits), or nothing.
pack() {
	perl -MIO::Compress::Zip=:all -e '
		my ($to, $mode, $dir, @names) = @ARGV;
		my %o = (Method => $mode eq "stored" ? ZIP_CM_STORE : ZIP_CM_DEFLATE,
			Stream => $mode eq "stream" ? 1 : 0, Zip64 => $mode eq "wide" ? 1 : 0,
			Minimal => $mode eq "wide" ? 0 : 1);
		my $z;
		for my $n (@names) {
			open my $in, "<", "$dir/$n" or die "$dir/$n: $!";
			if ($z) { $z->newStream(%o, Name => $n) or die }
			else { $z = IO::Compress::Zip->new($to, %o, Name => $n) or die }
			local $/;
			$z->print(scalar <$in>);
		}
		$z->close' "$1" "${mode-}" "${dir:-.}" $(shift; echo "$@")
}
# said: who said what where, of the records in $out.
said() { jq -r 'select(.type == "message") | [.session, .source_id, .role, .content] | tojson' "$@"; }

# ---- by what is in a file ----

fresh() { rm -f mem.db*; }
mkdir -p tree/chats tree/irc tree/.specstory/history tree/node_modules/x tree/src tree/film
{ printf '\357\273\277'; cat "$from/whatsapp.txt"; } >tree/chats/_chat.txt
cp "$from/irc.log" tree/irc/2024-05-01.log
cp "$from/captions.vtt" tree/film/a.VTT
gzip -c "$from/whatsapp-us.txt" >tree/chats/us.txt.gz
cp "$from/claude.json" tree/claude.json
cp "$from/dialog.md" tree/src/talk.md
cp "$from/dialog.md" tree/.specstory/history/2024.md
cp "$from/chatgpt.json" tree/node_modules/x/chatgpt.json
printf '# How to build\n\nRun make. Note: it takes long.\n' >tree/src/README.md
echo 'INFO started: no user' >tree/src/run.log
printf '\0\1\2 **User:** a' >tree/src/a.md
head -c 100000 /dev/zero >tree/src/core.txt
echo '{"name":"x","version":"1.0.0"}' >tree/src/package.json
echo '{"settings":{"message":"Welcome"},"mode":1}' >tree/src/app.json
check 'a tree of all kinds' mem-ingest tree
cp "$out" walked
for f in chats/_chat.txt irc/2024-05-01.log film/a.VTT chats/us.txt.gz claude.json src/talk.md; do
	mem-ingest -n -d none.db "tree/$f" | said >alone
	said walked >all
	check "found by the walk as by its name: $f" sh -c \
		'[ -s alone ] && [ "$(grep -Fxc -f all alone)" -eq "$(wc -l <alone)" ]'
done
check_out 'nothing but transcripts is read of an archive' '' \
	sh -c 'for f in chats/_chat.txt irc/2024-05-01.log film/a.VTT \
	chats/us.txt.gz claude.json src/talk.md; do mem-ingest -n -d none.db tree/$f; done |
	jq -r "select(.type == \"message\") | .content" | sort -u >alone
	jq -r "select(.type == \"message\") | .content" walked | sort -u | comm -23 - alone'
check_like 'what is passed over is named, with why' \
	'^mem-ingest: tree/src/README.md: passed over, it may be a document, and lies beside conversations$' \
	sh -c 'mem-ingest -v tree 2>&1'
check 'a hidden directory that is named is read' sh -c \
	'mem-ingest -n -d none.db tree/.specstory/history | jq -r .content >t
	mem-ingest -n -d none.db tree/src/talk.md | jq -r .content | cmp - t'
check_err 'a transcript that is damaged is told' 65 'tree2/conversations.json' sh -c \
	'mkdir tree2; printf "[{\"title" | tr t "\000" >tree2/conversations.json; cp tree/claude.json tree2
	mem-ingest -n tree2'
check_err 'lines with words of which nothing is made are told' 65 'odd.jsonl' sh -c \
	'mkdir tree3; cp tree/claude.json tree3; echo "{\"body\":{\"x\":1}}" >tree3/odd.jsonl
	mem-ingest -n tree3'
check_err 'JSON that gives a message after all: all is told' 65 'late.json: item 1: ' sh -c \
	'mkdir tree4; echo "[{\"set\":{\"message\":\"Hi\"}},{\"body\":\"hello\",\"who\":\"ann\"}]" >tree4/late.json
	mem-ingest -n tree4 >t; st=$?; [ "$(jq -r .content t)" = hello ] && exit $st'

# ---- beside conversations ----

mkdir -p gpt claude/projects
cp "$from/chatgpt.json" gpt/conversations.json
echo '{"id":"user-1","email":"ann@example.com","name":"Ann"}' >gpt/user.json
echo '[{"id":"m1","conversation_id":"c","rating":"good","content":"{\"text\":\"thanks\"}"}]' \
	>gpt/message_feedback.json
echo '[{"id":"s","conversation_id":"c","title":"Roof"}]' >gpt/shared_conversations.json
echo '{"user":{"model":"x"},"message":"hello"}' >gpt/model_comparisons.json
cp "$from/claude.json" claude/conversations.json
echo '[{"uuid":"u","full_name":"Ann","email_address":"ann@example.com"}]' >claude/users.json
echo '[{"uuid":"p","name":"Roof","docs":[{"filename":"a","content":"Slates"}]}]' >claude/projects.json
echo '{"uuid":"p","name":"Roof","docs":[{"role":"user","content":"Slates"}]}' >claude/projects/p.json
echo '[{"conversations_memory":"Ann mends roofs","account_uuid":"u"}]' >claude/memories.json
for d in gpt claude; do
	fresh
	check "$d: an export as a directory" mem-ingest "$d"
	said "$out" >folder
	mem-ingest -n -d none.db $d/conversations.json | said >alone
	check "$d: its conversations, and no more" cmp folder alone
done

# ---- archives ----

for mode in deflated stored stream wide; do
	fresh
	dir=gpt pack gpt.zip user.json conversations.json message_feedback.json
	check "an archive is read as its files are: $mode" mem-ingest gpt.zip
	said "$out" >zipped
	mem-ingest -n -d none.db gpt/conversations.json | said >alone
	check "$mode: the same as the file in it" cmp zipped alone
	check_out "$mode: the same again as a directory: nothing" '' mem-ingest gpt
	rm -f gpt.zip
done
fresh
mode='' dir=gpt pack gpt.zip conversations.json user.json
cp gpt.zip dated-2024.zip
perl -MIO::Compress::Zip=:all -e 'zip(["gpt/conversations.json"] => "win.zip",
	FilterName => sub { $_ = "export\\conversations.json" }) or die' || exit 1
check_out 'the separators of Windows are read' true sh -c \
	'test "$(mem-ingest -n -d none.db win.zip | wc -l)" -gt 0 && echo true'
check_out 'under another name: nothing new' '' \
	sh -c 'mem-ingest -q gpt.zip; mem-ingest dated-2024.zip'
check 'in a directory, by the walk' sh -c 'mkdir down; cp gpt.zip down/x.ZIP; mem-ingest -n -d none.db down >t &&
	[ -s t ]'

# an export as it came, among notes
fresh
mode=''
echo '<html><body>all of it again</body></html>' >gpt/chat.html
dir=gpt pack gpt.zip conversations.json chat.html
mkdir home && mv gpt.zip home && rm gpt/chat.html
echo 'The hull is grey.' >home/boat.md
for time in first second; do
	check_err "the $time time, what lies in the archive is passed over" 0 \
		'gpt.zip/chat.html: passed over' mem-ingest -v home
done
check_out 'notes beside the archive are documents' home/boat.md sh -c \
	'mem-list -j sessions | jq -r .session | grep -E "md|html"'
check_like 'conversations in it are read' '"role":"assistant"' mem-list -j messages
rm -r home

# chats that have no ids: a session by the file's name
fresh
mkdir -p ann bob
printf '[01.03.26, 14:05:11] Ann: The roof leaks\n[01.03.26, 14:06:00] Me: Where?\n' >ann/_chat.txt
printf '[02.03.26, 14:05:11] Bob: The boat floats\n[02.03.26, 14:06:00] Me: Still?\n' >bob/_chat.txt
dir=ann pack 'Chat-Ann.zip' _chat.txt
dir=bob pack 'Chat-Bob.zip' _chat.txt
check_out 'two chats are two sessions' '_chat Ann
Chat-Bob/_chat Bob' sh -c 'mem-ingest Chat-Ann.zip Chat-Bob.zip |
	jq -r "select(.role == \"user\" and .name != \"Me\") | .session + \" \" + .name"'
mkdir un
cp -r ann un/Chat-Ann
cp -r bob un/Chat-Bob
check_out 'an archive unpacked elsewhere stores nothing' '' mem-ingest un
check_out 'archives given again store nothing more' '' mem-ingest Chat-Bob.zip Chat-Ann.zip
printf '[03.03.26, 09:00:00] Ann: At the chimney\n' >>ann/_chat.txt
dir=ann pack 'Chat-Ann-2.zip' _chat.txt
check_out 'a later export adds to the session' '_chat At the chimney' sh -c \
	'mem-ingest Chat-Ann-2.zip | jq -r ".session + \" \" + .content"'
fresh
check_out 'directories first, then archives: nothing new' '' sh -c \
	'mem-ingest -q un/Chat-Ann un/Chat-Bob; mem-ingest Chat-Ann.zip Chat-Bob.zip'

# ---- Slack: whose channel ----

# space DIR TEAM WORD [DAY]
space() {
	mkdir -p "$1/general"
	echo "[{\"id\":\"U$2AAAA\",\"team_id\":\"$2\",\"name\":\"ann\",\"real_name\":\"Ann $3\"}]" >"$1/users.json"
	echo "[{\"id\":\"C$2\",\"name\":\"general\",\"is_general\":true}]" >"$1/channels.json"
	day=${4:-2024-05-01}
	echo "[{\"type\":\"message\",\"user\":\"U$2AAAA\",\"text\":\"$3 $day\",\"ts\":\"17$(echo "$day" | tr -cd 0-9).00$3\"}]" \
		>"$1/general/$day.json"
}
space acme T11111 10
space beta T22222 20
fresh
check_out 'two workspaces, two sessions' 'general Ann 10
T22222/general Ann 20' sh -c 'mem-ingest acme beta | jq -r "select(.type == \"message\") | .session + \" \" + .name"'
check_out 'archives in the other order store nothing' '' mem-ingest beta acme
space beta T22222 20 2024-05-02
space acme T11111 10 2024-05-02
(cd acme && mode='' pack ../acme.zip users.json channels.json general/2024-05-01.json general/2024-05-02.json)
(cd beta && mode='' pack ../beta.zip users.json channels.json general/2024-05-02.json)
check_out 'later days, from archives' 'T22222/general 20 2024-05-02
general 10 2024-05-02' sh -c 'mem-ingest beta.zip acme.zip |
	jq -r "select(.type == \"message\") | .session + \" \" + .content"'
for d in acme beta; do echo '[{"id":"U1AAAAAA","name":"x"}]' >$d/users.json; done
fresh
check_out 'no team is told: the channels tell' 'T22222 general' sh -c 'mem-ingest acme beta |
	jq -r "select(.type == \"message\") | .session" | uniq |
	sed "s/CT22222/T22222/; s|/| |" | tail -n 1'
# a store of before, in which both are one
fresh
check 'both in one session' sh -c 'for d in acme beta; do mkdir -p old/$d/general
	cp $d/general/2024-05-01.json old/$d/general; done; mem-ingest -q old/acme old/beta'
check_out 'nothing is stored twice, and all goes on there' 'general' sh -c \
	'mem-ingest acme beta | jq -r "select(.type == \"message\") | .session" | sort -u'
# parts of an export
fresh
mkdir -p part/boats part/D02AAAAAA bare/boats
echo '[{"id":"U1AAAAAA","real_name":"Ann Reed"}]' >part/users.json
echo '[{"type":"message","user":"U1AAAAAA","text":"ask <@U1AAAAAA>","ts":"1740501.1"}]' |
	tee part/boats/2024-05-01.json part/D02AAAAAA/2024-05-01.json >/dev/null
check_out 'a list of people is enough, and a channel gives the title' 'Ann Reed: ask @Ann Reed
Ann Reed: ask @Ann Reed
boats' sh -c 'mem-ingest -n part | jq -r ".title // .name + \": \" + .content" | sort'
echo '[{"type":"message","user":"U1AAAAAA","user_profile":{"real_name":"Ann Reed"},"text":"row","ts":"1740502.1"},
{"type":"message","user":"U2BBBBBB","text":"ask <@U1AAAAAA>","ts":"1740503.1"}]' >bare/boats/2024-05-01.json
echo '[{"type":"message","user":"U1AAAAAA","text":"again","ts":"1740504.1"},
{"type":"message","user":"U0CCCCCC","user_profile":{"real_name":"Cy Dow"},"text":"<@U0CCCCCC> and <@U1AAAAAA>","ts":"1740505.1"}]' >bare/boats/2024-05-02.json
check_out 'without one, messages tell who is who from there on' 'Ann Reed: row
U2BBBBBB: ask @Ann Reed
Ann Reed: again
Cy Dow: @Cy Dow and @Ann Reed' sh -c 'mem-ingest -n bare |
	jq -r "select(.type == \"message\") | .name + \": \" + .content"'

# ---- archives that are wrong ----

dir=gpt pack whole.zip conversations.json user.json
head -c -30 whole.zip >cut.zip
check_err 'without its directory: read, and told' 65 'cut.zip: a zip archive that is cut short' \
	mem-ingest -n -d none.db cut.zip
check 'all that is in it' sh -c "mem-ingest -n -d none.db cut.zip 2>/dev/null | jq -r .content >t
	mem-ingest -n -d none.db gpt/conversations.json | jq -r .content | cmp - t"
mkdir -p long
seq 3000 | jq -c '{session: "s", id: "x\(.)", role: "user", content: "turn \(.) \(. * 7919)"}' >long/chat.jsonl
for mode in stream deflated; do
	dir=long pack long.zip chat.jsonl
	head -c 20000 long.zip >half.zip
	check_err "$mode: half of a member is told" 65 'ends inside it' \
		mem-ingest -n -d none.db half.zip
	check "$mode: and what is there is read" sh -c \
		'[ "$(mem-ingest -n -d none.db half.zip 2>/dev/null | wc -l)" -gt 500 ]'
done
# sizes that stand behind the bytes, of 32 bits with and without a mark, and of 64
perl -MIO::Compress::Zip=:all -e '
	my $z = IO::Compress::Zip->new("marked.zip", Stream => 1, Name => "./one.jsonl");
	$z->print("{\"content\":\"one\"}\n");
	for my $n ("dir/", "two.jsonl") {
		$z->newStream(Stream => 1, Name => $n);
		$z->print("{\"content\":\"two\"}\n") if $n ne "dir/";
	}
	$z->close'
perl -0777 -pi -e '$_ = substr $_, 0, index $_, "PK\1\2"' marked.zip
perl -0777 -pe 's/PK\x07\x08//g' marked.zip >bare.zip
perl -0777 -pe 's/(PK\x07\x08.{4})(.{4})(.{4})/$1$2\0\0\0\0$3\0\0\0\0/gs' marked.zip >wide.zip
for kind in marked bare wide; do
	check_out "without its directory, sizes behind the bytes: $kind" 'one two' sh -c \
		"mem-ingest -n -d none.db $kind.zip 2>/dev/null | jq -r .content | paste -sd ' '"
	head -c -3 $kind.zip >cut.zip
	check_err "an archive that ends in sizes is told: $kind" 65 'cut short' \
		mem-ingest -n -d none.db cut.zip
done
mode=stored dir=gpt pack bad.zip conversations.json
perl -0777 -pi -e 's/roof|title/XXXXX/' bad.zip
check_err 'other bytes than were packed' 65 'damaged in its zip archive' \
	mem-ingest -n -d none.db bad.zip
cp whole.zip secret.zip
perl -0777 -pi -e 's/(PK\x01\x02.{4})./$1\x01/sg; s/(PK\x03\x04..)./$1\x01/sg' secret.zip
check_err 'encrypted: it is said' 65 'encrypted: unpack' mem-ingest -n -d none.db secret.zip
perl -MIO::Compress::Zip=:all -e '
	my $z = IO::Compress::Zip->new("names.zip", Name => "../up.jsonl");
	$z->print("{\"content\":\"up\"}\n");
	for my $n ("/abs.jsonl", "a/../../b.jsonl", "a\\..\\c.jsonl", ".hid.jsonl",
		"__MACOSX/d.jsonl", "node_modules/e.jsonl", "in/ok \xc3\xbc.jsonl",
		"x.zip", "y.exe") {
		$z->newStream(Name => $n);
		$z->print("{\"content\":\"$n\"}\n");
	}
	$z->close'
check_out 'no name leads out of it' 'in/ok ü.jsonl' sh -c \
	'mem-ingest -n -d none.db names.zip | jq -r .content'
check_err 'each name that leads out is told' 65 'names.zip/../up.jsonl.*no path inside' \
	mem-ingest -n -d none.db names.zip
check_out 'what is hidden beside a transcript is passed over' \
	'../up.jsonl,.hid.jsonl,/abs.jsonl,a/../../b.jsonl,a/../c.jsonl' sh -c \
	'mem-ingest -n -d none.db names.zip 2>&1 >/dev/null |
	sed -n "s/.*names.zip.\(.*\): .*not read.*/\1/p" | cut -d: -f1 |
	LC_ALL=C sort | paste -sd, -'
check_err 'an archive with nothing in it is refused' 65 'none of its' sh -c \
	'mkdir -p gone; echo x >gone/a.png; cd gone &&
	'"$(command -v perl)"' -MIO::Compress::Zip=:all -e "
	zip([\"a.png\"] => \"a.zip\")"; mem-ingest -n a.zip'
perl -e 'print "{\"role\":\"user\",\"content\":\"", "a" x 60000000, "\"}"' >long/a.json
mode='' dir=long pack bomb.zip a.json
check_err 'an archive that is packed too well is refused' 65 'gz_ratio|too long' \
	env MEM_GZ_RATIO=100 mem-ingest -n -d none.db bomb.zip
MEM_FILE_BYTES=100000 check_err 'more than the cap in all' 65 'over file_bytes' \
	mem-ingest -n -d none.db bomb.zip
rm -f long/a.json bomb.zip
check_err 'from a pipe: what to do' 65 'zip archive' sh -c 'mem-ingest -n <whole.zip'
check 'none of two thousand that are damaged ends the program' perl -e '
	srand 7;
	local $/;
	open my $in, "<", "whole.zip"; my $whole = <$in>;
	for my $i (1 .. 200) {
		my $z = $whole;
		for (0 .. rand 6) {
			my $at = rand() < .7 ? length($z) - 1 - int rand 200 : int rand length $z;
			substr($z, $at, 1) = chr int rand 256;
		}
		$z = substr $z, 0, int rand length $z if rand() < .2;
		open my $to, ">", "w$i.zip"; print $to $z; close $to;
	}
	for my $i (0 .. 19) {
		my $all = join(" ", map { "w" . ($i * 10 + $_) . ".zip" } 1 .. 10);
		my $st = system("mem-ingest -n -d none.db $all >/dev/null 2>&1");
		exit 1 if $st & 127 || ($st >> 8) > 78 || ($st >> 8) == 70;
	}'

# ---- archives of notes ----

# sections ARCHIVE: which are new, and of which session
sections() {
	mem-ingest "$1" >t && jq -r 'select(.role == "document") |
		"\(.session)|\(.content | gsub("\n"; "/"))"' t
}
fresh
mkdir -p vault/trips shelf
printf '# Plan\n\nOak shelves.\n\n## Budget\n\nNine thousand.\n' >vault/plan.md
printf '<title>Leave</title><p>Thirty days for all.</p>' >vault/trips/leave.html
printf 'Quince and milk.\n' >vault/list.txt
dir=vault pack shelf/notes.zip plan.md trips/leave.html list.txt
check_out 'notes in an archive are read as documents' 'notes/list.txt|list//Quince and milk.
notes/plan.md|Plan//Oak shelves.
notes/plan.md|Plan > Budget//Nine thousand.
trips/leave.html|Leave//Thirty days for all.' sections shelf/notes.zip
check_out 'a document says in which archive it lies' "$PWD/shelf/notes.zip/plan.md" sh -c \
	'mem-list sessions -s notes/plan.md | jq -r .metadata.document'
check_out 'an archive of notes given twice stores nothing more' '' mem-ingest shelf/notes.zip
check_like 'an archive of notes given twice is known' '^mem-ingest: 3 files known already as doc' \
	sh -c 'mem-ingest -v shelf/notes.zip 2>&1'
mem-list messages -s notes/plan.md | jq -r '"\(.id) \(.heading)"' | sort >before
printf '# Plan\n\nAsh shelves.\n\n## Budget\n\nNine thousand.\n' >vault/plan.md
dir=vault pack shelf/notes.zip plan.md trips/leave.html
check_out 'of an archive that changed only the new words are stored' \
	'notes/plan.md|Plan//Ash shelves.' sections shelf/notes.zip
check_out 'words that left the archive are gone' 0 sh -c \
	'mem-list messages | grep -c -e Oak -e Quince; :'
check_out 'the section that stayed keeps its id' 1 sh -c \
	'mem-list messages -s notes/plan.md | jq -r "\"\(.id) \(.heading)\"" | sort |
	comm -12 before - | wc -l'
cp shelf/notes.zip whole-notes.zip
head -c -30 whole-notes.zip >shelf/notes.zip
printf '# Plan\n' >vault/plan.md
dir=vault pack less.zip plan.md
head -c -30 less.zip >shelf/notes.zip
check_out 'an archive that is cut short ends no document' 1 sh -c \
	'mem-ingest -q shelf/notes.zip 2>t; mem-list messages | grep -c Thirty'
echo 'half a download' >shelf/notes.zip
check_out 'an archive that is none any more ends no document' 1 sh -c \
	'mem-ingest -q shelf 2>t; mem-list messages | grep -c Thirty'
cp whole-notes.zip shelf/notes.zip
mv shelf in-archives
check_out 'an archive that was moved keeps its documents' '' sh -c \
	'mem-ingest in-archives | grep Thirty; mem-list sessions -s trips/leave.html >t; [ -s t ]'
check_out 'an archive that left the directory takes its documents along' 0 sh -c \
	'rm in-archives/notes.zip; echo x >in-archives/x.md; mem-ingest -q in-archives
	mem-list messages | grep -c Thirty; :'
mkdir -p both/notes
cp vault/trips/leave.html both/notes
dir=both/notes pack both/notes.zip leave.html
printf '<title>Leave</title><p>Forty days for some.</p>' >both/notes/leave.html
check_out 'a note that stands unpacked, too, loses neither words' '1 1' sh -c \
	'rm -f mem.db*; mem-ingest -q both; mem-ingest -q both; mem-list messages |
	jq -s -r "map(.content | select(. != null)) | \"\(map(select(test(\"Forty\"))) | length) \(
	map(select(test(\"Thirty\"))) | length)\""'
printf '#!/bin/sh\necho "Page of $(cat)"\n' >pdftotext
chmod +x pdftotext
printf '%%PDF larch' >vault/a.pdf
dir=vault pack pdf.zip a.pdf
check_like 'a PDF in an archive is given to pdftotext' 'Page of %PDF larch' sh -c \
	"PATH=$PWD:\$PATH mem-ingest -n -d none.db pdf.zip"
mkdir -p quiet
touch quiet/.mem-off
cp pdf.zip quiet/notes.zip
check_out 'an archive in a directory where memory is off is not read' '' sh -c \
	"PATH=$PWD:\$PATH mem-ingest -n -d none.db quiet/notes.zip 2>t"
printf '**User:** Buy oak\n\n**Assistant:** Done.\n' >vault/talk.md
dir=vault pack talk.zip talk.md
check_out 'a note with a dialog in an archive is nobody'"'s words" document sh -c \
	'mem-ingest -n -d none.db talk.zip | jq -r "select(.type == \"message\") | .role" | uniq'
dir=vault pack told.zip talk.md
check_out 'without documents a dialog in an archive is read as one' 'user assistant' sh -c \
	'mem-ingest -n -d none.db --no-documents told.zip |
	jq -r "select(.type == \"message\") | .role" | paste -sd" " -'
dir=vault pack inner.zip plan.md
dir=. pack outer.zip inner.zip
check_out 'a note of an archive in an archive is a document' \
	"$(mem-ingest -n -d none.db inner.zip | jq -r 'select(.role).content')" \
	sh -c 'mem-ingest -n -d none.db outer.zip | jq -r "select(.role).content"'
fresh
check 'an archive with an archive is stored' mem-ingest -q outer.zip
cp outer.zip good.zip
cp inner.zip kept.zip
# kept in the archive as it is, so that a byte of it can be changed
printf x | dd of=inner.zip bs=1 seek=0 conv=notrunc 2>/dev/null
mode=stored dir=. pack outer.zip inner.zip
check_err 'an archive in an archive that is damaged is told' 65 'inner.zip: .* cannot be read' \
	mem-ingest -q outer.zip
check_out 'what was stored of it stays while it cannot be read' true \
	sh -c 'test "$(mem-list -j | wc -l)" -gt 0 && echo true'
cp kept.zip inner.zip
dir=gpt pack chats.zip conversations.json
dir=. pack both.zip chats.zip inner.zip
check 'conversations of an archive in an archive are read' sh -c \
	"mem-ingest -n -d none.db chats.zip >alone; mem-ingest -n -d none.db both.zip >within"
said alone >t
said within >u
check 'they are those of the archive alone' cmp t u
fresh
mem-ingest -q chats.zip
check_out 'what is known from the inner archive is not stored again' '' \
	mem-ingest --no-documents both.zip
dir=. pack deep.zip outer.zip both.zip
check_err 'an archive three deep is told' 65 'deep.zip/both.zip/chats.zip: an archive in an arch' \
	mem-ingest -n -d none.db deep.zip
mkdir -p many
for i in $(seq 60); do cp kept.zip many/$i.zip; done
(cd many && mode=stored dir=. pack ../stored.zip *.zip && mode='' dir=. pack ../packed.zip *.zip)
for kind in stored packed; do
	check_out "many archives in an archive need no descriptor each, $kind" 60 sh -c \
		"ulimit -n 40; mem-ingest -n -d none.db $kind.zip |
		jq -r 'select(.role).session' | sort -u | wc -l"
done
perl -e 'print "[", " " x 30000000, "]"' >conversations.json
mode=stored dir=. pack inner.zip conversations.json
mode='' dir=. pack bomb.zip inner.zip
rm -f conversations.json
check_err 'an archive that packs itself far too well is not unpacked' 65 \
	'bomb.zip/inner.zip: .* cannot be read' mem-ingest -n -d none.db bomb.zip
perl -e 'srand 1; print map { chr 33 + int rand 90 } 1 .. 3000' >noise.txt
dir=. pack noise.zip noise.txt
dir=. pack large.zip noise.zip
check_err 'archives in an archive are no larger than file_bytes' 65 'cannot be read' \
	env MEM_FILE_BYTES=1024 mem-ingest -n -d none.db large.zip
mkdir -p Mail/cur Mail/new Mail/tmp Mail/.Sent/cur Mail/.Sent/new Mail/.Sent/tmp
for i in cur/1.M1P2.host new/2.M1P2.host tmp/3.M1P2.host .Sent/cur/4.M1P2.host; do
	printf 'From: a@b.example\nTo: c@d.example\nSubject: s\nDate: Mon, 05 Oct 2026 10:00:00 +0000\nMessage-ID: <%s@x>\n\nIn %s.\n' \
		"$(basename $i)" "$i" >Mail/$i
done
echo 'V 1' >Mail/dovecot-uidlist
mkdir -p Mail/cur/src && echo 'From here on' >Mail/cur/src/new
pack mails.zip $(find Mail -type f | sort)
fresh
mem-ingest -q mails.zip
check_out 'of a Maildir in an archive the mails are read, without its empty directories' \
	'In .Sent/cur/4.M1P2.host.
In cur/1.M1P2.host.
In new/2.M1P2.host.' sh -c 'mem-list -j | jq -r ".content | split(\"\n\")[-1]" | LC_ALL=C sort'
check_out 'the directory has nothing new' '' mem-ingest Mail
dir=vault pack t.zip a.pdf
perl -0777 -pi -e 's/(PK\x01\x02.{4})./$1\x01/sg; s/(PK\x03\x04..)./$1\x01/sg' t.zip
check_err 'an encrypted PDF is told' 65 'encrypted: unpack' mem-ingest -n -d none.db t.zip

done_testing
