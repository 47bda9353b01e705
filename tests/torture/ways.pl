#!/usr/bin/perl
# ways.pl PROGRAM TRIED <ways: which of the ways to a failing call (ways.h) to try, so that each
# call of the sources that leads to one is on a way that is tried, and each thing done there is done
# on one. Prints the lines of these. TRIED has what is on the ways that were tried, of any program,
# and grows.
use strict;
use warnings;

my ($program, $tried) = @ARGV;
my (@from, @name, %tried);
open my $nm, '-|', 'nm', '-nS', $program or die "nm: $!\n";
while (<$nm>) {
	my @f = split;
	next unless @f == 4 && $f[2] =~ /^[tTwW]$/;
	push @from, hex $f[0];
	# functions of one name in two files have two lengths
	push @name, "$f[3]:$f[1]";
}
close $nm;
if (open my $in, '<', $tried) {
	while (<$in>) { chomp; $tried{$_} = 1 }
}

# The call as it is in every program into which the function was linked.
sub name {
	my $at = hex shift;
	my ($low, $high) = (0, scalar @from);
	while ($low < $high) {
		my $mid = int(($low + $high) / 2);
		if ($from[$mid] <= $at) { $low = $mid + 1 } else { $high = $mid }
	}
	return sprintf '%x', $at if $low == 0;
	return sprintf '%s+%x', $name[$low - 1], $at - $from[$low - 1];
}

open my $out, '>>', $tried or die "$tried: $!\n";
while (my $line = <STDIN>) {
	chomp $line;
	my ($hash, $calls, $what) = split /\t/, $line, 3;
	# where a statement has given a row, the way there is the one by which it began
	my @calls = $what =~ /^later / ? () : map { name($_) } split / /, $calls;
	my @new = grep { !$tried{$_}++ } $what, @calls;
	next unless @new;
	print "$line\n";
	print $out "$_\n" for @new;
}
