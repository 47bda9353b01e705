#!/usr/bin/perl
# together.pl: hooks, mem-ingest, mem-sync, mem-import and mem-forget on three stores of one person,
# as mem-agents(7), mem-sync(1) and mem-forget(1) set them up, killed at random moments and calls.
# In the end the stores export the same bytes, what was acknowledged and not forgotten is there
# once, and of what was forgotten no byte is left in any file beside any store: neither its words,
# nor names of its sessions, nor its ids in the logs of hooks.
# usage: together.pl KILLS SEED [SHIM], in an empty directory with the programs in PATH; SHIM is
# fault.so, by which a program dies at a call that changes a file. Prints what is wrong, and how
# much was done.
use strict;
use warnings;
use JSON::PP ();
use POSIX ();
use Time::HiRes qw(sleep time);

my ($kills, $seed, $shim) = @ARGV;
srand $seed;
my @names = qw(a b c);
my @pairs = (['a', 'b'], ['b', 'c'], ['a', 'c']);
my $dir = POSIX::getcwd();
my ($n_killed, $serial, %n_done) = (0, 0);
my (%said, %gone, %gone_ids, %gone_sessions, %session);     # by content, id and name
@ENV{qw(MEM_SYNC MEM_MODEL MEM_HOOK_MS)} = ('normal', 'none', 20000);
my $mine = $ENV{MEM_TOGETHER} = "$seed.$$";                 # by which what goes on behind is known

sub pick { $_[rand @_] }
sub wrong { print join(' ', "seed $seed:", @_), "\n" }
sub text { my ($name) = @_; local $/; open my $f, '<:raw', $name or return ''; <$f> }
sub put { my ($name, $text) = @_; open my $f, '>:raw', $name or die "$name: $!"; print $f $text }

# Processes that hooks have left behind, and that those killed have started.
sub behind {
	grep { $_ != $$ && text("/proc/$_/environ") =~ /(?:^|\0)MEM_TOGETHER=\Q$mine\E(?:\0|$)/ }
		map { m{(\d+)$} } glob '/proc/[0-9]*';
}
sub settle { sleep .01 while behind(); 1 while waitpid(-1, POSIX::WNOHANG) > 0 }

# Starts a program with INPUT; what it prints goes to the file "said".
sub start {
	my ($db, $input, $kill, @command) = @_;
	put("in$db", $input);
	my $pid = fork // die;
	return $pid if $pid;
	setpgrp;
	@ENV{qw(MEM_DB MEM_STORE_NAME MEM_SSH)} = ("$dir/$db.db", $db, "$dir/ssh");
	@ENV{qw(LD_PRELOAD FAULT_MODE FAULT_AT FAULT_PATH)} = ($shim, 'kill', $kill, '.db')
		if $kill;
	open STDIN, '<', "in$db";
	open STDOUT, '>', "said$db";
	open STDERR, '>>', 'errors';
	exec @command or POSIX::_exit(127);
}
# Runs it to its end; its status.
sub run {
	my ($db, $input, @command) = @_;
	waitpid start($db, $input, 0, @command), 0;
	return $?;
}
# In some runs a hook is at work meanwhile, on the store and session; true if it is.
sub beside {
	my ($db, $s) = @_;
	return 0 if rand() < .7;
	start('x', call($s, prompt => 'what did we decide about the heron?'), 0, 'mem-hook', '-d',
		"$dir/$db.db", 'claude-code', pick('prompt', 'start'));
	return 1;
}
# Runs it, and mostly kills it: at a call, after a time, alone or with what it has started.
sub risk {
	my ($db, $input, @command) = @_;
	my $how = rand;
	my $at = $shim && $how < .5 ? 1 + int rand(rand() < .5 ? 20 : 90) : 0;
	my $pid = start($db, $input, $at, @command);
	if ($how >= .5 && $how < .95) {
		sleep exp(rand 4.4) / 1000;
		kill 9, $how < .75 ? $pid : -$pid;
	}
	waitpid $pid, 0;
	my $status = $?;
	my ($code, $signal) = ($status >> 8, $status & 127);
	wrong("@command in $db: status", $code, $signal)
		if $signal % 9 || $code == 70 || ($code > 128 && $code != 137);
	$n_killed++ if $signal == 9 || $code == 137 || $code == 69;
	kill 9, behind() if $how >= .5 && $how < .6;
	settle();
	return $status;
}
sub records { map { JSON::PP::decode_json($_) } grep { /\}$/ } split /\n/, text("said$_[0]") }
sub messages {
	my ($db) = @_;
	return () if run($db, '', 'mem-list', '-j', 'messages', '-n', 100000) != 0;
	return records($db);
}

# What is not there any more was forgotten, whether its end was heard of or not; and the log of
# hooks does not name it, unless one is at work.
sub note_gone {
	my ($before, $db, $what) = @_;
	my @now = messages($db);
	my %now = map { ($_->{id} => 1, $_->{session} => 1) } @now;
	my $log = text("$db.db.hooks") . text("$db.db.hooks.old");
	for (grep { !$now{ $_->{id} } } @$before) {
		my ($id, $s) = @$_{qw(id session)};
		$gone{ $_->{content} } = $gone_ids{$id} = 1;
		next if !$what;
		wrong("$what in $db: the log names $s") if !$now{$s} && $log =~ /"session":"$s"/;
		wrong("$what in $db: the log names $id") if $log =~ /"$id"/;
	}
}

# ---- what is done ----

sub turn {
	my ($s) = @_;
	my $word = 'zz' . ++$serial . 'q';
	return sprintf 'We decided that the %s heron of %s is stored in %s.', $word, $s,
		pick('PostgreSQL', 'a drawer', 'Rome');
}
sub call {
	my ($s, %more) = @_;
	return JSON::PP::encode_json({ session_id => $s, cwd => "$dir/p" . $serial % 3, %more });
}
sub any_session { pick(grep { !$gone_sessions{$_} } keys %session) // new_session() }
sub new_session { my $s = 'ses' . ++$serial . 'x'; $session{$s} = pick(@names); $s }
my %do = (
	ingest => sub {
		my ($db) = @_;
		my $s = rand() < .4 ? new_session() : any_session();
		my @lines = map { JSON::PP::encode_json({ type => 'message', session => $s,
			source_id => "i" . ++$serial, role => pick('user', 'assistant'),
			content => turn($s) }) . "\n" } 1 .. 1 + rand 5;
		risk($db, join('', @lines), 'mem-ingest', '--from=ndjson', '-');
		$said{ $_->{content} } = 1 for grep { defined $_->{content} } records($db);
	},
	stop => sub {                      # of a session of this machine, whose transcript grows
		my ($db) = @_;
		my $s = pick(grep { !$gone_sessions{$_} && $session{$_} eq $db } keys %session);
		return if !defined $s;
		open my $f, '>>', "$s.jsonl" or die;
		print $f JSON::PP::encode_json({ type => pick('user', 'assistant'), sessionId => $s,
			uuid => "u" . ++$serial, timestamp => sprintf('2026-05-01T10:00:00.%03dZ',
			$serial % 1000), cwd => "$dir/p", message => { role => 'user',
			content => turn($s) } }) . "\n" for 1 .. 1 + rand 3;
		close $f;
		risk($db, call($s, transcript_path => "$dir/$s.jsonl"), 'mem-hook', 'claude-code',
			pick('stop', 'end', 'compact'));
		if (rand() < .5) {
			run($db, call($s, transcript_path => "$dir/$s.jsonl"), 'mem-hook',
				'claude-code', 'stop');
			settle();
			$said{$_} = 1 for map { /"content":"(We decided[^"]*)"/g } text("$s.jsonl");
		}
	},
	prompt => sub {
		my ($db) = @_;
		risk($db, call(any_session(), prompt => 'what did we decide about the heron?'),
			'mem-hook', 'claude-code', pick('prompt', 'prompt', 'start'));
	},
	remember => sub {
		my ($db) = @_;
		my $m = pick(messages($db)) // return;
		risk($db, '', 'mem-remember', '-q', '--source', $m->{id}, "So: $m->{content}");
	},
	forget => sub {
		my ($db) = @_;
		my @before = messages($db);
		my $m = pick(@before) // return;
		my @what = rand() < .6 ? ('-s', $m->{session}) : ($m->{id});
		$gone_sessions{ $m->{session} } = 1 if @what == 2;
		my $beside = beside($db, $m->{session});
		risk($db, '', 'mem-forget', '-qf', @what);
		note_gone(\@before, $db, $beside ? '' : 'forget');
		# what was not begun is done
		run($db, '', 'mem-forget', '-qf', @what) if rand() < .5;
		note_gone(\@before, $db, 'forget');
	},
	prune => sub {                     # sessions that transcripts alone tell of are months old
		my ($db) = @_;
		my @before = messages($db);
		risk($db, '', 'mem-prune', '-qf', '--sessions', '--days', 30);
		note_gone(\@before, $db, 'prune');
	},
	sync => sub {
		my ($from, $to) = @{ pick(@pairs) };
		($from, $to) = ($to, $from) if rand() < .5;
		my @before = map { [$_, messages($_)] } $from, $to;
		my $beside = beside($to, any_session());
		risk($from, '', 'mem-sync', '-q', rand() < .5 ? $to : "./$to.db");
		for (@before) {
			my ($db, @had) = @$_;
			note_gone(\@had, $db, $beside ? '' : 'sync');
		}
	},
	import => sub {
		my ($from, $to) = @{ pick(@pairs) };
		my @before = messages($to);
		run($to, '', 'mem-sync', '--mark') == 0 or return;
		my ($mark) = text("said$to") =~ /^(\S+)/ or return;
		run($from, '', 'mem-export', '--new-for', $mark) == 0 or return;
		my $beside = beside($to, any_session());
		risk($to, text("said$from"), 'mem-import', '-q');
		note_gone(\@before, $to, $beside ? '' : 'import');
	},
	check => sub { risk($_[0], '', 'mem-check', '-q', pick('--checkpoint', '--full')) },
);
my @weighted = map { my ($w, $k) = @$_; ($k) x $w } [4, 'ingest'], [4, 'stop'], [4, 'prompt'],
	[1, 'remember'], [4, 'forget'], [1, 'prune'], [5, 'sync'], [2, 'import'], [1, 'check'];

mkdir 'p';
mkdir 'p/.git';
for my $db (@names) {                  # something to begin with
	put('first', join '', map { my $s = $_ % 4 ? any_session() : new_session();
		JSON::PP::encode_json({ type => 'message', session => $s, source_id => "f$db$_",
			role => 'user', content => turn($s) }) . "\n" } 0 .. 19);
	run($db, '', 'mem-ingest', '--from=ndjson', 'first') == 0 or wrong('mem-ingest');
	$said{ $_->{content} } = 1 for records($db);
}
my $tries = 0;
while ($n_killed < $kills && ++$tries < 20 * $kills) {
	my $what = pick(@weighted);
	$n_done{$what}++;
	$do{$what}->(pick(@names));
}

# ---- what must hold ----

for my $round (1 .. 9) {
	my @came = map {
		my $status = run($_->[0], '', 'mem-sync', '-j', $_->[1]);
		wrong("sync @$_: status", $status >> 8, $status & 127) if $status;
		text("said$_->[0]");
	} @pairs;
	last if $round > 1 && !grep { /"(?:messages|changes|removed)":[1-9]/ } @came;
	wrong('it never ends') if $round == 9;
}
my @exports = map {
	run($_, '', 'mem-check', '-q', '--deep') == 0 or wrong("deep check of $_: status", $? >> 8);
	run($_, '', 'mem-check', '-q', '--checkpoint');
	run($_, '', 'mem-export');
	text("said$_");
} @names;
for (1 .. $#names) {
	wrong("$names[0] and $names[$_] differ") if $exports[$_] ne $exports[0];
}
my %there;
$there{ $_->{content} }++ for messages($names[0]);
for (sort keys %there) {
	wrong("twice: $_") if $there{$_} > 1;
	wrong("is back: $_") if $gone{$_};
}
for (sort keys %said) { wrong("lost: $_") if !$there{$_} && !$gone{$_} }
my %sessions = map { ($_->{session} => 1) } messages($names[0]);
my @needles = ((map { /(zz\d+q)/ } keys %gone), (grep { !$sessions{$_} } keys %gone_sessions),
	keys %gone_ids);
for my $file (map { glob "$_.db*" } @names) {
	my $bytes = text($file);
	for (@needles) { wrong("left in $file: $_") if $bytes =~ /\Q$_\E(?![0-9])/ }
}
printf "%d killed, %d messages, %d forgotten, %s\n", $n_killed, scalar keys %there,
	scalar keys %gone, join(' ', map { "$_ $n_done{$_}" } sort keys %n_done);
