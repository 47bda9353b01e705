#!/usr/bin/perl
# sync.pl: stores of one person on which anything is done at random, and which are brought together
# now and then, in any order: in the end all export the same bytes, what was said and not forgotten
# is there once, and what was forgotten is nowhere.
# usage: sync.pl OPS SEED STORES chain|ring|any [CUTS], in an empty directory with the programs in
# PATH. OPS on each store; the line is cut in CUTS of the syncs. Prints what is wrong, and a count.
use strict;
use warnings;
use POSIX ();

my ($ops, $seed, $n_stores, $shape, $cuts) = @ARGV;
$cuts //= 0;
srand $seed;
my @names = ('a' .. 'z')[0 .. $n_stores - 1];
my ($clock, $serial, $n_syncs, $n_cut, %said, %forgotten) = (1_700_000_000, 0, 0, 0);
my %n_done;
$ENV{MEM_SYNC} = 'normal';

sub pick { $_[rand @_] }
sub wrong { print join(' ', "seed $seed:", @_), "\n" }
sub run {        # DB COMMAND...: what it prints; its status is in $?
	my ($db, $program, @args) = @_;
	$clock += rand 3;
	local $ENV{MEM_NOW} = do {         # clocks differ
		my @t = gmtime $clock + (ord($db) - ord 'a') * 2;
		sprintf '%04d-%02d-%02dT%02d:%02d:%02d.%03dZ', $t[5] + 1900, $t[4] + 1,
			@t[3, 2, 1, 0], rand 1000;
	};
	local $ENV{MEM_SEED} = $seed * 1000003 + ++$serial;
	local $ENV{MEM_STORE_NAME} = $db;
	my $pid = open my $out, '-|';
	if (!$pid) {
		open STDERR, '>>', 'errors';
		{ exec $program, '-d', "$db.db", @args }
		POSIX::_exit(127);
	}
	my @lines = <$out>;
	close $out;
	return @lines;
}
sub ids { map { /"id":"(\w+)"/ } run($_[0], 'mem-list', '-j', $_[1], '-n', 1000) }

# What was said in this line is to be there in the end, unless it is forgotten somewhere.
my @shared = map { ["t" . $_ % 3, "shared$_"] } 1 .. 40;
my %do = (
	say => sub {
		my ($db) = @_;
		open my $f, '>', 'in' or die;
		for (1 .. 1 + rand 4) {
			my $s = 's' . int rand 6;
			my $text = "$db says number " . ++$serial;
			my $source = rand() < .5 ? "$db$serial" : '';
			my ($role, $name) = (pick('user', 'assistant'), pick('ann', 'bob'));
			if (rand() < .2) {
				($s, $source) = @{ pick(@shared) };
				$text = "the transcript has $source";
				($role, $name) = ('user', 'ann');
			}
			$said{"$s $text"} = 1;
			my $day = 1 + length($text) % 28;
			$source &&= qq("source_id":"$source",);
			printf $f qq({"session":"%s",%s"time":"2024-05-%02dT10:00:00Z",) .
				qq("role":"%s","name":"%s","content":"%s"}\n),
				$s, $source, $day, $role, $name, $text;
		}
		printf $f qq({"type":"session","id":"s%d","title":"title %d"}\n), rand 6, $serial
			if rand() < .2;
		close $f;
		run($db, 'mem-ingest', '-q', '--from=ndjson', 'in');
	},
	remember => sub {
		my ($db) = @_;
		my @how = rand() < .5 ? ('--fact', '--key', 'key' . int rand 8) : ();
		my $source = rand() < .5 ? pick(ids($db, 'messages')) : undef;
		push @how, '--source', $source if defined $source;
		run($db, 'mem-remember', '-q', @how,
			"$db knows number " . ++$serial . ' about ' . pick(qw(tea boats Rome)));
	},
	edit => sub {
		my ($db) = @_;
		my $id = pick(ids($db, rand() < .7 ? 'facts' : 'reflections')) // return;
		run($db, 'mem-edit', '-q', pick(['--importance', '.' . int rand 10], ['--retract'],
			['--content', "$db changed it to number " . ++$serial], ['--restore'],
			['--protect'])->@*, $id);
	},
	undo => sub { run($_[0], 'mem-edit', '-q', '--undo') },
	forget => sub {
		my ($db) = @_;
		my %content = map { /"id":"(\w+)".*"session":"(\w+)".*"content":"([^"]*)"/ ?
			($1, "$2 $3") : () } run($db, 'mem-list', '-j', 'messages', '-n', 10000);
		if (rand() < .15) {
			my $s = 's' . int rand 6;
			run($db, 'mem-forget', '-qf', '-s', $s);
			$forgotten{$_} = 1 for grep { /^$s / } values %content;
		} elsif (rand() < .5) {
			my $id = pick(sort keys %content) // return;
			run($db, 'mem-forget', '-qf', $id);
			$forgotten{ $content{$id} } = 1;
		} else {
			my $id = pick(ids($db, 'facts')) // return;
			run($db, 'mem-forget', '-qf', $id);
		}
	},
	prune => sub { run($_[0], 'mem-prune', '-qf', '--max', 12 + int rand 10) },
	sum => sub { run($_[0], 'mem-summarize', '-q', '--rules', '-s', 's' . int rand 6) },
	look => sub { run($_[0], 'mem-search', '-j', pick(qw(tea boats chess number))) },
	consent => sub { run($_[0], 'mem-profile', 'consent', pick('yes', 'no')) },
);
my @weighted = map { my ($w, $k) = @$_; ($k) x $w } [8, 'say'], [6, 'remember'], [6, 'edit'],
	[3, 'undo'], [2, 'forget'], [1, 'prune'], [1, 'sum'], [2, 'look'], [1, 'consent'];

# ---- syncs ----

my @pairs;
for my $i (0 .. $n_stores - 1) {
	for my $j ($i + 1 .. $n_stores - 1) {
		push @pairs, [$names[$i], $names[$j]] if $j == $i + 1 || $shape eq 'any' ||
			($shape eq 'ring' && $i == 0 && $j == $n_stores - 1);
	}
}
# Returns what it prints.
sub sync {
	my ($from, $to, $cut) = @_;
	local $ENV{MEM_SSH} = "$ENV{PWD}/ssh";
	local $ENV{CUT} = $cut // '';
	my @out = run($from, 'mem-sync', '-j', "$to");
	$n_syncs++;
	wrong("sync $from $to: status", $? >> 8, $? & 127) if !$cut && $?;
	return join '', @out;
}
sub any_sync {
	my ($from, $to) = @{ pick(@pairs) };
	($from, $to) = ($to, $from) if rand() < .5;
	if ($n_cut < $cuts) {
		$n_cut++;
		sync($from, $to, pick(qw(down up kill parent)) . ':' . int exp rand log 40000);
		for my $db ($from, $to) {
			run($db, 'mem-check', '-q') if -e "$db.db";
			wrong("after a cut, check of $db: status", $? >> 8) if $?;
		}
	} else {
		sync($from, $to);
	}
}

$do{say}->($_) for @names;
for (1 .. $ops * $n_stores) {
	my ($db, $what) = (pick(@names), pick(@weighted));
	$n_done{$what}++;
	$do{$what}->($db);
	wrong("$what in $db: signal", $? & 127) if $? & 127;
	any_sync() if rand() < .06;
}
any_sync() while $n_cut < $cuts;
# As often as news of news need: what was made of what was forgotten elsewhere goes, too.
for my $round (1 .. 2 * $n_stores + 2) {
	my @came = map { sync(@$_) } @pairs;
	last if $round > 1 && !grep { /"(?:messages|changes|removed)":[1-9]/ } @came;
	wrong('it never ends') if $round == 2 * $n_stores + 2;
}

# ---- what must hold ----

my @exports = map { join '', run($_, 'mem-export') } @names;
for my $i (1 .. $#names) {
	next if $exports[$i] eq $exports[0];
	wrong("$names[0] and $names[$i] differ");
	for my $j (0, $i) {
		open my $f, '>', "$names[$j].$seed.export" or die;
		print $f $exports[$j];
	}
}
my %there;
for (run($names[0], 'mem-list', '-j', 'messages', '-n', 100000)) {
	/"session":"(\w+)".*"content":"([^"]*)"/ or next;
	wrong("twice: $1 $2") if $there{"$1 $2"}++;
}
for (sort keys %said) {
	wrong("lost: $_") if !$there{$_} && !$forgotten{$_};
	wrong("is back: $_") if $there{$_} && $forgotten{$_};
}
for my $db (@names) {
	run($db, 'mem-check', '-q', '--deep');
	wrong("deep check of $db: status", $? >> 8) if $?;
}
printf "%d syncs, %d cut, %d messages, %d forgotten, %s\n", $n_syncs, $n_cut, scalar keys %there,
	scalar keys %forgotten, join(' ', map { "$_ $n_done{$_}" } sort keys %n_done);
