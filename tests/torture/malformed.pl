#!/usr/bin/perl
# malformed: lines that are no records, of every kind, between lines that are. usage: malformed SEED
# N OUT BAD GOOD
#
# OUT gets the lines, BAD the numbers of those that must be refused, GOOD the contents of the others
# as JSON strings, in order.
use strict;
use warnings;
use Encode qw(decode FB_CROAK);

my ($seed, $n, $out, $bad, $good) = @ARGV;
my $state = $seed;
# a generator of our own, the same on every machine
sub chance {
	my ($n) = @_;
	$state = ($state * 1103515245 + 12345) & 0x7fffffff;
	return ($state >> 8) % $n;
}
sub pick { return $_[chance(scalar @_)] }

open my $o, '>:raw', $out or die;
open my $b, '>', $bad or die;
open my $g, '>:raw', $good or die;
my ($line, $n_good) = (0, 0);

sub whole {
	my ($content, $more) = @_;
	return qq({"session":"s","id":"g$n_good","role":"user","content":"$content") .
		($more // '') . '}';
}

sub put_good {
	# what looks odd and is a record all the same; beside it its content as mem writes it, where
	# that differs
	my @forms = (
		["plain words $n_good"],
		["an escape \\u001b[31mred\\u001b[0m \\u009b2J \\u0007 bell"],
		["tab\\tnewline\\nquote\\\" back\\\\slash slash\\/ $n_good", '',
			"tab\\tnewline\\nquote\\\" back\\\\slash slash/ $n_good"],
		["caf\xc3\xa9 \xe6\xb8\xaf\xe5\x8f\xa3 \xf0\x9f\x9a\xa2 \xe2\x80\xae reversed $n_good"],
		["a pair \\ud83d\\udea2 $n_good", '', "a pair \xf0\x9f\x9a\xa2 $n_good"],
		["many keys $n_good", ',' . join(',', map { qq("k$_":$_) } 1 .. 1000)],
		["numbers $n_good", ',"x":1e308,"y":-0.0,"z":123456789012345678901234567890,"w":1e-400'],
		["deep $n_good", ',"deep":' . '[' x 100 . ']' x 100],
		["twice $n_good", ',"content":"last one"', "last one"],
		["long $n_good " . 'x' x 20000],
		["nulls $n_good", ',"name":null,"agent":null,"time":null,"trust":null'],
		["true $n_good", ',"x":[true,false,null,{}],"":""'],
		["; DROP TABLE message; -- ' OR 1=1 \$(reboot) `reboot` %s%n $n_good"],
	);
	my ($content, $more, $want) = @{pick(@forms)};
	my $text = whole($content, $more);
	$text = pick(" $text", "\t$text ", "$text\t", "$text\r", "$text\r", $text, $text, $text,
		"\x1e$text");
	print $o "$text\n";
	$line++;
	# written as mem writes it: controls escaped, all else as it is
	$want //= $content;
	print $g qq("$want"\n);
	$n_good++;
}

my $valid = qq({"session":"s","id":"b","role":"user","time":"2024-05-01T00:00:00Z",) .
	qq("content":"bad \\u00e9 \\"x\\"","tool_calls":[{"a":1.5e3}]});

# Wrong types, for every key that a message has.
my @types;
for my $key (qw(session id role name agent project origin tool_call_id source_id user content
	trust)) {
	for my $v ('{}', '[1]', 'true', '{"a":"b"}') {
		next if $key eq 'content' && $v ne 'true' && $v ne '{}';
		push @types, $key eq 'content' ? qq({"session":"s","role":"user","content":$v}) :
			qq({"session":"s","role":"user","content":"bad","$key":$v});
	}
}
push @types, map { qq({"session":"s","role":"user","content":"bad",$_}) }
	'"trust":4', '"trust":-1', '"trust":"high"', '"origin":"moon"', '"role":7',
	'"user":"somebody else"', '"session":"' . 's' x 2000 . '"', '"id":"' . 'i' x 2000 . '"',
		'"name":"' . 'n' x 2000 . '"';
push @types, '5', '"text"', 'null', 'true', '[]', '[1,2]', '{}', '{"role":"user"}',
	'{"Content":"bad"}', '{"type":"fact","content":"bad"}',
	'{"type":"session"}', '{"type":"session","session":{}}', '{"content":5}';

my @syntax = (
	map({ my $v = $_; qq({"session":"s","role":"user","content":"bad","x":$v}) }
		qw(NaN nan Infinity -Infinity inf 1e1000 -1e1000 0123 +1 .5 1. 0x10 1e 1e+ - -a
			1_000 tru True nul None undefined 'x' "x), '1' x 400 . 'e1', ''),
	map({ qq({"session":"s","role":"user","content":"bad $_"}) }
		'\ud800', '\udc00', '\ud800\u0041', '\ud800\ud800', '\udfff x', '\u12', '\u12G4',
			'\x41', '\0', '\u0000', '\\\'', '\\', "\0",
		"\x01", "\x1b[31m", "\t", "\x1f", "\xff", "\xfe\xff", "\x80", "\xc0\xaf",
			"\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc3", "\xe2\x82",
		"\xf0\x9f\x9a", "\xf8\x88\x80\x80\x80"),
	"\xef\xbb\xbf$valid", "\xff\xfe$valid", "$valid$valid", "$valid,", ",$valid", "[$valid",
		"$valid]", "$valid}", "{$valid}", "// $valid", "/* */ $valid",
	"\0", "\0$valid", "$valid\0", "garbage", "<html>", "---", "role: user", '{"a":1,}',
		'{"a" 1}', '{"a":}', '{a:1}', "{'a':1}", '{"a":1 "b":2}', '[1,]', '{,}', '{1:2}',
	'{"content":"bad" "role":"user"}', "\x0b$valid", "\x0c$valid", "$valid\xc2\xa0",
	map({ ('[' x $_, '{"a":' x $_, '{"session":"s","role":"user","content":"bad","x":' .
		'[' x $_ . ']' x $_ . '}',
		'{"session":"s","role":"user","content":"bad","x":' .
		'{"a":' x $_ . '1' . '}' x $_ . '}') } 129, 1000, 100000),
);

sub cut { return substr $valid, 0, 1 + chance(length($valid) - 1) }
sub damaged {
	my $t = $valid;
	my $at = chance(length $t);
	# a byte that no place in JSON takes
	substr($t, $at, 1) = pick("\0", "\x01", "\xff", "\xc0");
	return $t;
}

# What costs a character or nothing, and not the line (0219-dialogs.t): bytes that are no UTF-8,
# half of a surrogate pair, zeros, tabs and the like before a record, and several records in a line.
sub is_mended {
	my ($text) = @_;
	return 1 if $text =~ /\\u(?:0000|[dD][89a-fA-F])|^,\{|\},$|\0|^[\x0b\x0c]|\}\s*\{/;
	return 1 if index($text, $valid) > 0;
	return length($text) < 1 << 20 && !eval { decode('UTF-8', $text, FB_CROAK); 1 };
}

sub put_bad {
	my ($text) = @_;
	return if is_mended($text);
	print $o "$text\n";
	print $b ++$line, "\n";
}

print $o "\xef\xbb\xbf";           # at the very start it is allowed
put_good();
my @rest = (@types, @syntax);
for (my $i = 0; $i < $n || @rest; $i++) {
	put_good() while chance(3) == 0;
	# an empty line is nothing
	if (chance(20) == 0) { print $o pick("\n", "\r\n", "   \n"); $line++ }
	if (@rest && ($n - $i <= @rest || chance(2))) {
		put_bad(splice @rest, chance(scalar @rest), 1);
	}
	elsif (chance(2)) { put_bad(cut()) }
	else { put_bad(damaged()) }
	put_bad('{"session":"s","content":"' . 'y' x (64 << 20) . '"}') if $i == 100;
	put_good() if $i == 100;
	put_bad('x' x (64 << 20)) if $i == 200;
	put_bad('{"session":"s","content":"bad"' .
		join('', map { qq(,"k$_":1) } 1 .. 1000000) . '}')
		if $i == 300;
	put_bad('{"session":"s","content":"bad","x":[' . '1,' x 7000000 . '1]}') if $i == 350;
	put_good();
}
print "$line lines\n";
close $o or die;
