#!/usr/bin/perl
# hostile: questions that try to be something else. usage: hostile SEED N [PROGRAM ARGUMENT ...]
#
# Without a program they are printed, a query record each. With one it is run for each, the question
# behind its arguments: it has to end with 0 or 1, to say nothing on stderr, and to print no control
# character.
use strict;
use warnings;

my ($state, $n, @call) = @ARGV;
sub chance {
	my ($m) = @_;
	$state = ($state * 1103515245 + 12345) & 0x7fffffff;
	return ($state >> 8) % $m;
}
sub pick { return $_[chance(scalar @_)] }
binmode STDOUT, ':raw';

my @fixed = (
	'', ' ', "\t\n", '"', '""', '"""', "'", "''", '"lighthouse', 'lighthouse"',
		'""lighthouse""', 'C#', 'c++', 'C++11', '.NET', 'F#', 'a*', '*', '**', '* *',
	'lighthouse*', '^lighthouse', 'AND', 'OR', 'NOT', 'AND OR NOT', 'lighthouse AND',
		'NOT lighthouse', 'lighthouse NOT', 'AND AND AND', 'OR lighthouse',
	'NEAR', 'NEAR(', 'NEAR(a b, 5)', 'NEAR(a b', 'content: lighthouse', 'content:lighthouse',
		'role:user', '{content} : x', '-content : x', 'a + b', 'a - b', 'a : b',
	'(', ')', '()', '(()', '((((((((((', 'lighthouse)', '(lighthouse', '{', '}', '[', ']',
		'{a b}:c', '--', '-- comment', '/* comment */', ';', "'; DROP TABLE message; --",
	"' OR '1'='1", "1' UNION SELECT 1 --", '%', '%%', '_', '\\', '\\\\', "\\0", '\\x00',
		'%s%s%s%n', '%99999999d', '$(reboot)', '`reboot`', '${HOME}', '$HOME', '|', '||',
		'&&', '>', '< /etc/passwd',
	'../../../etc/passwd', '--help', '-h', '-e', '--', '-', '- -', 'e-mail', "what's up?",
		"don't", "rock'n'roll", '2024-01-01', '1e1000', '-0', '0x10', 'NaN', 'null', 'true',
	'1/0', '::', '::1', 'a::b::c', 'a.b.c', '...', '....', 'a....b', '@', '@@', '#', '##', '#1',
		'~', '~/', '!', '!!', '?', '???', '=', '==', ',', ',,,', 'a,b,c', '<b>x</b>',
		'<script>',
	"\x01", "\x07\x08", "\x1b[31m", "\x1b]0;x\x07", "\x7f", "a\nb", "a\r\nb", "a\tb",
		"\xc2\x85", "\xc2\x9b", "\xc2\xad", "\xc2\xa0",
	"\xe2\x80\xae", "\xe2\x80\xaeevil", "\xe2\x81\xa6x\xe2\x81\xa9", "\xe2\x80\x8b",
		"a\xe2\x80\x8bb", "\xef\xbb\xbf", "\xef\xbf\xbd", "\xef\xbf\xbf",
		"\xf3\xa0\x81\x81",
	"\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", "\xd9\x85\xd8\xb1\xd8\xad\xd8\xa8\xd8\xa7", "e\xcc\x81",
		"\xcc\x81", "a" . "\xcc\x81" x 1000,
		"Z\xcc\xb7\xcc\x8d\xcc\xbea\xcd\x9d\xcc\x95l\xcc\x93",
	"\xf0\x9f\x9a\xa2",
	"\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7",
	"\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa", "\xf0\x9f\x8f\xb4\xf3\xa0\x81\xa7\xf3\xa0\x81\xa2",
	"\xe2\x9c\x88\xef\xb8\x8f",
	"\xe6\xb8\xaf", "\xe6\xb8\xaf\xe5\x8f\xa3",
		"\xe7\x81\xaf\xe5\xa1\x94\xe5\x9c\xa8\xe5\x93\xaa\xe9\x87\x8c", "\xea\xb0\x80",
		"\xe3\x81\x8b\xe3\x82\x99", "\xf0\xa0\x80\x80", "\xe0\xb8\xaa\xe0\xb8\xa7",
		"\xef\xbd\x86\xef\xbd\x95\xef\xbd\x8c\xef\xbd\x8c",
	"\xc4\xb0\xc4\xb1", "\xc3\x9f", "\xef\xac\x83", "\xf0\x9d\x94\x98", 'x' x 64, 'x' x 65,
		'x' x 5000, 'x ' x 5000, join(' ', map { "word$_" } 1 .. 500), '"' x 5000,
		'(' x 5000, '*' x 60000,
	'a.' x 5000, 'aB' x 5000, '_' x 5000, "\xf0\x9f\x9a\xa2" x 5000, "\xe6\xb8\xaf" x 5000,
		'last week ' x 500, 'in May ' x 1000, '9' x 1000, '2024-' x 1000,
	map({ chr } 0x21 .. 0x2f, 0x3a .. 0x40, 0x5b .. 0x60, 0x7b .. 0x7e), join('',
		map { chr } 0x21 .. 0x7e), join('', map { chr } 0x01 .. 0x7f),
);

sub quoted {
	my ($t) = @_;
	$t =~ s/([\x00-\x1f"\\\x7f])/sprintf '\\u%04x', ord $1/ge;
	return qq("$t");
}

sub ask {
	my ($q) = @_;
	my $pid = fork;
	if ($pid == 0) {
		open STDIN, '<', '/dev/null';
		open STDOUT, '>', 'said';
		open STDERR, '>', 'told';
		exec @call, '--', $q or exit 127;
	}
	waitpid $pid, 0;
	my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
	open my $h, '<:raw', 'said' or die; local $/; my $said = <$h> // '';
	my $why = $status > 1 ? "status $status" : -s 'told' ? 'it said something' :
		$said =~ /[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]/ ? 'a control character' :
		return 0;
	print STDERR quoted(substr $q, 0, 100), ": $why\n", `head -c 300 told`, "\n";
	return 1;
}

my $bad = 0;
my @parts = grep { length $_ < 20 } @fixed;
for my $i (0 .. $n - 1) {
	my $q = $i < @fixed ? $fixed[$i] : join pick('', ' ', '"', ' AND ', '*', "\xe6\xb8\xaf"),
		map { pick(@parts, 'lighthouse', 'keeper', 'getUserName') } 1 .. 1 + chance(8);
	if (@call) { $bad += ask($q) } else { print '{"query":', quoted($q), "}\n" }
}
exit($bad > 0);
