#!/bin/sh
# mem-ingest of mail: mboxes and single messages, what is in them and how it is written down, and
# what is broken.
. "${0%/*}/lib.sh"

# said CMD...: name, time, session, id and words of each message.
said() {
	"$@" >t || return
	jq -r '[.name, .time, .session, .source_id, .content] | map(. // "-") | join("|")' t
}

sed 's, @$, ,' >in.mbox <<'EOF2'
From mara@example.org Sun Mar  1 10:00:00 2026
Return-Path: <mara@example.org>
From: =?iso-8859-1?Q?Mara_Kl=F6n?= <mara@example.org>
To: Jonas <jonas@example.org>
Subject: =?utf-8?B?R3LDtsOf?=
 =?utf-8?Q?e_der_Zelle?= for the box
Date: Sun, 1 Mar 2026 11:00:00 +0100 (CET)
Message-ID: <1@example.org>

How big is it?
From now on I ask you.
>From here, too.

-- @
Mara

From jonas@example.org Sun Mar  1 11:00:00 2026
From: "Jonas, of the club" <jonas@example.org>
Subject: Re: cell
Date: Sun, 1 Mar 2026 11:00:00 +0000
Message-ID: <2@example.org>
In-Reply-To: <1@example.org>
References: <1@example.org>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="out;er"

Not for people.
--out;er
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset="iso-8859-1"; format=flowed
Content-Transfer-Encoding: quoted-printable

6 Ah, gr=F6=DFer=
 not.

On Sunday, 1 March 2026, at 11:00,
Mara <mara@example.org> wrote:
> How big is it?
>
> From here

And 12 V.
--inner
Content-Type: text/html; charset=utf-8

<p>6 Ah</p>
--inner--

--out;er
Content-Type: image/png; name="=?utf-8?Q?Bild_=C3=A4.png?="
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--out;er--
EOF2
check_out 'an mbox is read as mails of threads' \
	'Mara Klön|2026-03-01T10:00:00Z|1@example.org|1@example.org|Größe der Zelle for the box

How big is it?
From now on I ask you.
From here, too.
Jonas, of the club|2026-03-01T11:00:00Z|1@example.org|2@example.org|6 Ah, größer not.

And 12 V.
[file: Bild ä.png]' said mem-ingest in.mbox
check_out 'what else is known of it' \
	'["Größe der Zelle for the box","Jonas <jonas@example.org>","import",1]' sh -c \
	'mem-list -n 1 >t; jq -c "[.subject, .to, .origin, .trust]" t'
check_out 'an mbox given again stores nothing' '' mem-ingest in.mbox
check_out 'one of them as a file of its own: nothing' '' sh -c 'sed 1d in.mbox |
	sed "/^From jonas/,\$d" >one.eml; mem-ingest one.eml'
check_out 'lines end as in mail' \
	'Mara Klön|2026-03-01T10:00:00Z|1@example.org|1@example.org|Größe der Zelle for the box

How big is it?
From now on I ask you.
From here, too.' said sh -c 'sed "s/\$/\r/" one.eml | mem-ingest -d none.db -n'

# mail NAME EXPECTED HEADERS BODY: the words of a message with these lines.
mail() {
	printf 'From: Bo <bo@example.org>\nDate: Sun, 1 Mar 2026 10:00:00 +0000\n%b\n%b' "$3" \
		"$4" >m.eml
	check_out "$1" "$2" \
		sh -c 'mem-ingest -n m.eml >t; jq -r .content t'
}
plain='Content-Type: text/plain; charset'
mail 'without an id' 'hi' '' 'hi\n'
mail 'UTF-8 that nobody told of' 'größer' '' 'gr\303\266\303\237er'
mail 'nor of Windows letters' '“größer”' '' '\223gr\366\337er\224'
mail 'Latin-1' 'größer' "$plain=ISO-8859-1\n" 'gr\366\337er'
mail 'another charset' 'да' "$plain=koi8-r\n" '\304\301'
mail 'a charset that nobody knows' 'ok �' "$plain=x-none\n" 'ok \377'
mail 'bytes that are none in UTF-8' 'a�b' "$plain=utf-8\n" 'a\377b'
mail 'Base64 over lines' 'Was it größer?' "$plain=utf-8\nContent-Transfer-Encoding: BASE64\n" \
	'V2FzIGl0IGdy\nw7bDn2VyPw=='
mail 'HTML only' 'A & B’s, C&D & all;
list
• one
end' 'Content-Type: text/html; charset=utf-8\n' '<html><head><style>p {x}</style></head><p>A &amp;\n <b>B</b>&#8217;s, C&D & all;</p><div>list<ul><li>&#x2022; one</ul>end</div>'
head -c 3000 "$ROOT/LICENSE" | tr a-m '\200-\214' >none.bin
check_err 'what has no headers is no mail' 65 'no mail: it has no headers' mem-ingest \
	-n --from=mail none.bin
check_out 'nothing of a mail that is refused is taken' '' cat "$out"
mail 'no text at all' '[file: a.pdf]' \
	'Content-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: base64\n' 'AAAA'
mail 'a boundary that never comes' '' 'Content-Type: multipart/mixed; boundary=b\n' 'text\n'
mail 'a part that never ends' 'so' 'Content-Type: multipart/mixed; boundary=b\n' '--b\n\nso'
mail 'no reply: what is quoted belongs to it' 'He said:
> yes' '' 'He said:\n> yes\n'
mail 'a reply: it is of another mail' 'Fine.

So be it.' 'References: <9@x>\n' 'Fine.\n\nBo wrote:\n> yes\n> no\n\nSo be it.\n'
mail 'quoted without a word before' 'ok' 'In-Reply-To: <9@x>\n' '> yes\n\nok\n'
mail 'the words before are no introduction' 'I agree.
ok' 'References: <9@x>\n' 'I agree.\n> yes\nok\n'
mail "what Outlook quotes, under a rule" 'Great.' 'References: <9@x>\n' \
	'Great.\n\n________________________________\nFrom: Tom <t@x>\nSent: Sunday\n\nYes.\n'
mail 'with its headers only, in German' 'Gut.' 'References: <9@x>\n' \
	'Gut.\n\nVon: Tom <t@x>\nGesendet: Sonntag\n\nJa.\n'
mail 'and as others say it' 'Good.' 'References: <9@x>\n' \
	'Good.\n\n-----Original Message-----\nFrom: Tom\n\nYes.\n'
mail 'a way from here to there is none' 'From: Rome
To: Bern' 'References: <9@x>\n' 'From: Rome\nTo: Bern\n'
check_out 'a thread whose beginning is not there' '9@x' sh -c 'jq -r .session t'
check_out 'a time that is none' null sh -c \
	'printf "From: a@b\nSubject: s\nDate: soon\nMessage-ID: <x@y>\n\nhi\n" | mem-ingest -n >t;
		jq -r .time t'
check_out 'an address is a name, too' 'a@b' sh -c 'jq -r .name t'
check_like 'headers and nothing else' 'ingested 0 messages, 1 empty' sh -c \
	'printf "From: a@b\nDate: x\nMessage-ID: <x@y>\n" | mem-ingest -nv 2>&1'
check_err 'a log of headers is no mail' 65 'unknown format' sh -c \
	'printf "Date: x\nAgent: y\n\nz\n" | mem-ingest -n'
check_out 'parts within parts, very deep' '' sh -c \
	'perl -e '"'"'print "From: a\@b\nSubject: s\nDate: x\n"; printf "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", $_, $_ for 1 .. 20000; print "\ndeep\n"'"'"' >deep.eml
	mem-ingest -n deep.eml >t 2>e; [ $? -lt 70 ] && jq -r ".content | select(. != \"s\")" t'
check 'a mail is read wherever it is cut off' sh -c \
	'for n in 1 7 50 51 99 200 333 400 480 555 700 801 900 1000 1100 1200 1300 1380; do head -c $n in.mbox | mem-ingest -n >t 2>e; [ $? -lt 70 ] || exit; done'

# 2 MB of what begins and never ends: a minute and more where each beginning looks for its end in
# all the rest
endless() {
	check "2 MB of $2, in $1" sh -c 'ulimit -t 30; { printf "$0";
		perl -e '"'"'print $ARGV[0] x (2_000_000 / length $ARGV[0])'"'"' -- "$1";
			printf "\n\nok\n"; } >"$2"; mem-ingest -n "$2" >t' \
		"$3" "$2" "$1"
}
head='From: a@b\nDate: x\nMessage-ID: <x@y>\n'
endless tags.eml '<' "${head}Content-Type: text/html\n\n"
endless hidden.eml '<style ' "${head}Content-Type: text/html\n\n<p>a</p>"
endless words.eml '=?a?q?x' "${head}Subject: "
endless tags.vtt '<' 'WEBVTT\n\n00:01.000 --> 00:02.000\n'
# so for HTML that a map gives
check '2 MB of <, in HTML of a map' sh -c 'ulimit -t 30;
	perl -e "print qq({\"t\":\"), q(<) x 2_000_000, qq(>\"}\n)" >many.json;
		mem-ingest -n --map "{content: .t, html: true}" many.json >t && [ -s t ]'

cat >hebrew.eml <<'EOF'
From: =?windows-1255?Q?=F9=EC=E5=ED?= <a@example.org>
Date: Sun, 1 Mar 2026 10:00:00 +0000
Message-ID: <h@example.org>
Content-Type: text/plain; charset=windows-1255
Content-Transfer-Encoding: base64

+ezl7Q==
EOF
check_out 'a letter that iconv holds back, since a point may stand upon it' 'שלום שלום' sh -c \
	'mem-ingest -n hebrew.eml | jq -r "\"\(.name) \(.content)\""'
check 'blank lines of a reply, a million of them' sh -c 'ulimit -t 30;
	{ printf "From: a@b\nDate: x\nMessage-ID: <x@y>\nIn-Reply-To: <z@y>\nContent-Transfer-Encoding: base64\n\n"
	perl -MMIME::Base64 -e "print encode_base64(qq(hello\n) . qq( \n) x 1_000_000 . qq(end\n))"; } >blank.eml; mem-ingest -n blank.eml >t && [ -s t ]'

check_out 'NULs in words of a header, and in the body' 'a b c one two' sh -c \
	'printf "From: a@b\nSubject: a =?utf-8?Q?b=00?= c\nMessage-ID: <n@x>\n\none \0two\n" |
		mem-ingest -n --from=mail |
			jq -r "\"\(.subject) \(.content | split(\"\\n\")[-1])\""'

# ---- a reply in HTML: what it quotes ----

# html BODY: what a reply with this HTML says
html() {
	printf 'From: a@b\nDate: Sun, 1 Mar 2026 10:00:00 +0000\nMessage-ID: <1@x>\nIn-Reply-To: <0@x>\nContent-Type: text/html; charset=utf-8\n\n%s\n' "$1" >h.eml
	mem-ingest -n h.eml | jq -r '.content | gsub("\n"; "/")'
}
led='On Mon, 11 May 2026 at 10:00, Ben &lt;b@x&gt; wrote:'
for f in "Gmail <p>Twelve.</p><div class=\"gmail_quote\">$led<br><blockquote class=\"gmail_quote\"><div>How many?</div><blockquote>Hm</blockquote></blockquote></div>" \
	"Apple <div>Twelve.</div><br><div><blockquote type=\"cite\"><div>$led</div><div>How many?</div></blockquote></div>" \
	"Thunderbird <p>Twelve.</p><div class=\"moz-cite-prefix\">Am 11.05.26 um 10:00 schrieb Ben:<br></div><blockquote type=\"cite\" cite=\"mid:0@x\"><p>How many?</p></blockquote>" \
	"Outlook <div>Twelve.</div><hr><div id=\"divRplyFwdMsg\"><b>Od:</b> Ben<br><b>Wys\u0142ano:</b> 11 maja</div><div>How many?</div>" \
	"Word <p>Twelve.</p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt'><p><b>Lähettäjä:</b> Ben<br><b>Lähetetty:</b> x</p></div></div><p>How many?</p>" \
	"Yahoo <div>Twelve.</div><div id=\"yahoo_quoted_1\" class=\"yahoo_quoted\"><div><div>$led</div><div>How many?</div></div></div>" \
	"Proton <div>Twelve.</div><div class=\"protonmail_quote\">$led<br><blockquote class=\"protonmail_quote\" type=\"cite\">How many?</blockquote></div>" \
	"Zimbra <div>Twelve.</div><hr id=\"zwchr\"><div><b>From: </b>Ben<br><b>Sent: </b>x<br>How many?</div>" \
	"GMX <div>Twelve.</div><div name=\"quote\" style=\"x\"><div><b>Gesendet:</b> x</div><div>How many?</div></div>" \
	"Spark <div>Twelve.</div><div name=\"messageReplySection\">$led<div>How many?</div></div>" \
	"NetEase <div>Twelve.</div><blockquote id=\"isReplyContent\"><div>How many?</div></blockquote>" \
	"plain <div>Twelve.</div><div>$led</div><blockquote><div>How many?</div></blockquote>"; do
	check_out "a quote of ${f%% *}" Twelve. html "${f#* }"
done
check_out 'answers between quotes stay' 'Two things.//Yes./No.' html \
	"<p>Two things.</p><div class=\"gmail_quote\">$led<br><blockquote class=\"gmail_quote\">A?</blockquote><div>Yes.</div><blockquote class=\"gmail_quote\">B?</blockquote><div>No.</div></div>"
check_out 'what the writer quotes from elsewhere stays' 'Kant says:/Dare./Good.' html \
	'<p>Kant says:</p><blockquote>Dare.</blockquote><p>Good.</p>'
check_out 'a quote that is all there is stays' 'How many?' html \
	'<blockquote type="cite">How many?</blockquote>'

# ---- charsets that are called by the name of a part of them, and letters cut in two ----

charset() {
	printf 'From: a@b\nMessage-ID: <1@x>\nContent-Type: text/plain; charset=%s\n\n' "$1" >c.eml
	printf "$2" >>c.eml
	mem-ingest -n c.eml | jq -r .content
}
check_out 'a letter outside gb2312 is read as GBK has it' 镕 charset gb2312 '\351\106'
check_out 'GBK by another name' 镕 charset x-gbk '\351\106'
check_out 'Korean of an old code page is read' 똠 charset ks_c_5601-1987 '\214\143'
check_out 'Japanese of an old code page is read' '①髙' charset Shift_JIS '\207\100\373\374'
check_out 'Latin-1 by another name' '“a”' charset latin1 '\223a\224'
check_out 'Turkish of an old code page is read' '“ğ”' charset iso-8859-9 '\223\360\224'
check_out 'Thai of an old code page is read' '“ก' charset tis-620 '\223\241'
check_out 'ASCII that is none' 'ü' charset us-ascii '\374'
check_out 'a letter cut in two between encoded words' 'Jürgen' sh -c \
	'printf "From: =?utf-8?B?SsM=?=\n =?UTF-8?Q?=BCrgen?= <a@b>\nDate: x\n\nhi\n" |
		mem-ingest -n --from=mail | jq -r .name'


# ---- replies that name only what they answer ----

fresh
said=0
for answers in '' 1 2 3; do
	said=$((said + 1))
	printf 'From a@x Mon Mar  2 10:00:00 2026\nFrom: Ida <a@x>\nSubject: Oars\n'
	printf 'Date: Mon, 2 Mar 2026 1%d:00:00 +0000\nMessage-ID: <%d@x>\n' $said $said
	[ -z "$answers" ] || printf 'In-Reply-To: <%s@x>\n' $answers
	printf '\nNumber %d.\n\n' $said
done >oars.mbox
check_out 'replies that name only what they answer are of one thread' '4 1@x' sh -c \
	'mem-ingest -n oars.mbox >o && jq -r .session o | uniq -c | xargs'
done_testing
