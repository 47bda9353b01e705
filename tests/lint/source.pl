# source.pl: what the lints over C share. require it after chdir to the root of a source tree.
use strict;
use warnings;

our $n_found = 0;

sub found { # file, line, what
	my ($file, $line, $what) = @_;
	print "$file:$line: $what\n";
	$n_found++;
}

sub slurp {
	my ($file) = @_;
	open my $in, '<:raw', $file or die "cannot read '$file': $!\n";
	local $/;
	my $text = <$in>;
	return defined $text ? $text : '';
}

# All files below the given folders whose names match.
sub files {
	my ($re, @dirs) = @_;
	my @got;
	for my $dir (@dirs) {
		for my $entry (glob "$dir/*") {
			if (-d $entry) { push @got, files($re, $entry) }
			elsif ($entry =~ $re) { push @got, $entry }
		}
	}
	return @got;
}

# C taken apart: a list of [kind, text, line], kind being code, comment, string or char; the texts
# together are the file.
sub pieces {
	my ($text) = @_;
	my @pieces;
	my $line = 1;
	while ($text =~ m{\G(?:
		(?<comment>/\*.*?(?:\*/|\z)|//[^\n]*)|
		(?<string>"(?:[^"\\\n]|\\.)*"?)|
		(?<char>'(?:[^'\\\n]|\\.)*'?)|
		(?<code>(?:[^/"']|/(?![*/]))+))}gsx) {
		my ($kind) = keys %+;
		push @pieces, [$kind, $+{$kind}, $line];
		$line += ($+{$kind} =~ tr/\n//);
	}
	return @pieces;
}

# The file with comments, strings and characters blanked, lines kept.
sub code_only {
	my ($text) = @_;
	return join '', map {
		my ($kind, $t) = @$_;
		$t =~ s/[^\n]/ /g if $kind ne 'code';
		$t;
	} pieces($text);
}

1;
