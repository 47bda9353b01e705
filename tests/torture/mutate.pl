#!/usr/bin/perl
# mutate: damages copies of a store and runs every program on each. usage: mutate STORE N SEED WANT
#
# Clean is: a documented status in time, no signal, no sanitizer's finding; and when
# mem-check --deep finds nothing, the listing has no content that is not in WANT, and all of it.
use strict;
use warnings;

my ($store, $n, $state, $want) = @ARGV;
sub chance {
	my ($m) = @_;
	$state = ($state * 1103515245 + 12345) & 0x7fffffff;
	return ($state >> 8) % $m;
}

sub slurp { my ($f) = @_; open my $h, '<:raw', $f or die "$f: $!"; local $/; return <$h> }
my $whole = slurp($store);
sub contents { my ($t) = @_; return join "\n", $t =~ /"content":("(?:[^"\\]|\\.)*")/g }
my $right = contents(slurp($want));
my @calls = grep { -x "$ENV{B}/" . (split)[0] } ('mem-check --deep', 'mem-list -j',
	'mem-search -j lighthouse keeper 7', 'mem-search -j --strategy=recent',
	'mem-context lighthouse',
	'mem-show source:7', 'mem-stats -j', 'mem-list -j chunks', 'mem-list -j sessions',
		'mem-check --quick', 'mem-check --backup mutant.copy',
	'mem-ingest --from=ndjson in.ndjson', 'mem-check --repair', 'mem-check --checkpoint',
		'mem-eval queries');
my %ends;
my $bad = 0;

for my $i (1 .. $n) {
	my $t = $whole;
	my $pages = length($t) / 4096;
	my $what = chance(6);
	for (1 .. 1 + chance(20)) {
		# few bytes anywhere, the beginnings of pages, a page of another place, a run of one
		# byte, a cut
		if ($what <= 1) { substr($t, chance(length $t), 1) = chr chance(256) }
		elsif ($what == 2) {
			substr($t, 4096 * chance($pages) + chance(16), 1) = chr chance(256);
		} elsif ($what == 3) {
			substr($t, 4096 * chance($pages), 4096) =
				substr($t, 4096 * chance($pages), 4096);
		} elsif ($what == 4) {
			my $at = chance(length($t) - 300);
			my $k = 1 + chance(300);
			substr($t, $at, $k) = chr(chance(256)) x $k;
		}
		else { substr($t, chance(100), 1) = chr chance(256) }
	}
	$t = substr($t, 0, chance(length $t)) if chance(10) == 0;
	my $sound = 0;
	for my $call (@calls) {
		# those that write get a copy of their own
		unlink map { ("mutant.db$_", "mutant.copy$_") } '', '-wal', '-shm', '.lock',
			'-journal';
		open my $h, '>:raw', 'mutant.db' or die; print $h $t; close $h;
		my $status = system("timeout $ENV{MEM_TEST_SECONDS} $call -d mutant.db >said 2>told");
		$status = $status & 127 ? 128 + ($status & 127) : $status >> 8;
		$ends{$status}++;
		my $why;
		if ($status == 124) { $why = 'too long' }
		elsif ($status > 128 || $status == 99) { $why = 'a signal' }
		elsif ($status !~ /^(?:0|1|65|66|74|77|78)$/) { $why = 'no status of ours' }
		elsif ($call eq 'mem-list -j' && $sound) {
			$why = 'another listing'
				if $status != 0 || contents(slurp('said')) ne $right;
		}
		$sound = $status == 0 if $call eq 'mem-check --deep';
		next unless $why;
		if ($bad++ < 10) {
			print STDERR "mutant $i, $call: $why: status $status\n",
				substr(slurp('told'), 0, 300);
			rename 'mutant.db', "kept.$i.db";
			system("cp kept.$i.db $ENV{MUTANTS_KEEP}/") if $ENV{MUTANTS_KEEP};
		}
	}
}
print "$n mutants: ", join(', ', map { "$ends{$_} x $_" } sort { $a <=> $b } keys %ends), "\n";
exit($bad > 0);
