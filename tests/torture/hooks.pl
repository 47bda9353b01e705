#!/usr/bin/perl
# hooks.pl: runs mem-hook N times while something is wrong, a different thing each time, and checks
# that the host never hears of it: status 0, nothing on stderr, and on stdout what this host takes
# for nothing, or an answer in its form where there can be one.
# usage: hooks.pl N SEED, in an empty directory; prints what was wrong, and a count.
use strict;
use warnings;
use Fcntl qw(:flock);
use IO::Handle;
use IPC::Open3;
use POSIX ();
use Symbol 'gensym';

my ($n_cases, $seed) = @ARGV;
srand $seed;
my $dir = POSIX::getcwd();
my %events = (
	'claude-code' => [qw(start prompt stop end compact pretool posttool)],
	codex => [qw(SessionStart UserPromptSubmit Stop PreCompact PreToolUse PostToolUse)],
	gemini => [qw(start prompt AfterAgent end PreCompress AfterTool)],
	cursor => [qw(sessionStart beforeSubmitPrompt stop end compact postToolUseFailure)],
	copilot => [qw(start userPromptSubmitted agentStop sessionEnd compact)],
	opencode => [qw(start prompt stop compact)],
);
my @hosts = sort keys %events;
my ($n_wrong, %seen) = 0;

sub pick { $_[rand @_] }
sub put {
	my ($name, $text) = @_;
	open my $f, '>:raw', $name or die "$name: $!";
	print $f $text;
	close $f;
}
sub noise { join '', map { chr rand 256 } 1 .. $_[0] }
sub nothing {
	my ($host, $event) = @_;
	return '' if $host eq 'claude-code' || $host eq 'codex';
	return qq({"continue":true}\n) if $host eq 'cursor' && $event =~ /^(prompt|beforeSubmitPrompt)$/;
	return "{}\n";
}

# A store that answers the prompt, to be spoilt.
my $prompt = 'what did we decide about the heron queue?';
mkdir 'repo';
mkdir 'repo/.git';
my $line = '{"session":"old","role":"assistant","content":"We decided that the heron queue is PostgreSQL."}';
my $failed = 'error: the crane cannot be found here';
put('in.ndjson', join "\n", $line, (map {
	my ($n, $run, $bad, $text) = @$_;
	my $turn = qq({"session":"ran","time":"2024-05-01T10:00:0${n}Z");
	my $call = qq({"name":"Bash","arguments":{"command":"$run"}});
	qq($turn,"role":"assistant","content":"","tool_calls":[{"id":"c$n","function":$call}]}\n) .
		qq($turn,"role":"tool","tool_call_id":"c$n","is_error":$bad,"content":"$text"});
} [1, 'crane up', 'true', $failed], [2, 'crane -v up', 'false', 'up']), '');
system('mem-ingest', '-q', '-p', "$dir/repo", 'in.ndjson') == 0 or die 'mem-ingest';
put('turn.ndjson', '{"type":"message","session":"run","role":"user","content":"more"}' . "\n");
my $good = do { local (@ARGV, $/) = 'mem.db'; <> };
sub renew {
	unlink glob('mem.db-*'), 'mem.db.lock', 'mem.db.hooks', 'mem.db.hooks.old';
	chmod 0755, $dir;
	put('mem.db', $good);
}

sub call {
	my ($session) = @_;
	return qq({"session_id":"$session","cwd":"$dir/repo",) .
		qq("transcript_path":"$dir/turn.ndjson","prompt":"$prompt",) .
		qq("tool_name":"Bash","tool_input":{"command":"crane up"},) .
		qq("tool_response":"error: the crane cannot be found here"});
}

# What is wrong: a function that spoils things and returns the call and settings; what it spoils
# is renewed before the next case. "may": an answer is possible all the same.
my %faults = (
	'cut JSON' => sub { substr(call('a'), 0, 1 + rand 80) },
	'mutated JSON' => sub {
		my $t = call('a');
		substr($t, rand length $t, 1 + rand 4) = noise(1 + rand 6);
		($t, may => 1);
	},
	'no object' => sub { pick('', '[]', '7', 'null', '"x"', "\0", "\xff\xfe", '{}{}', ' ') },
	'wrong types' => sub {
		pick('{"prompt":7,"cwd":[],"session_id":{},"transcript_path":true}',
			'{"prompt":null,"workspace_roots":[7]}', '{"cwd":"relative","prompt":""}');
	},
	'deep JSON' => sub { '[' x 5000 },
	'10 MB prompt' => sub {
		my $t = call('a');
		my $long = 'the queue of last week ' x 450000;
		$t =~ s/"prompt":"/"prompt":"$long/;
		($t, may => 1);
	},
	'20 MB of input' => sub { 'x' x 20e6 },
	'no store' => sub { unlink 'mem.db'; call('a') },
	'damaged store' => sub {
		my $t = $good;
		substr($t, rand length $t, 512) = noise(512) for 1 .. 40;
		put('mem.db', $t);
		(call('a'), may => 1);
	},
	'a store of noise' => sub { put('mem.db', noise(9000)); call('a') },
	'an empty store' => sub { put('mem.db', ''); call('a') },
	'a store that is a directory' => sub { unlink 'mem.db'; mkdir 'mem.db'; call('a') },
	'another database' => sub {
		my $t = $good;
		substr($t, 68, 4) = "abcd";
		put('mem.db', $t);
		call('a');
	},
	'no room for the log' => sub { symlink '/dev/full', 'mem.db.hooks'; call('a') },
	'no room for any file' => sub { (call('a'), full => 1) },
	'a log that is a directory' => sub { mkdir 'mem.db.hooks'; call('a') },
	'a log of noise' => sub {
		put('mem.db.hooks', noise(5000));
		(call('a'), may => 1);
	},
	'a busy store' => sub {
		open my $lock, '>>', 'mem.db.lock' or die;
		flock $lock, LOCK_EX;
		(call('a'), may => 1, keep => $lock, deadline => 60);
	},
	'bad settings' => sub { (call('a'), env => { MEM_CONFIG => "$dir/bad.conf" }) },
	'a bad setting' => sub { (call('a'), env => { MEM_LIKELY => 'x' }) },
	'no home' => sub { (call('a'), env => { HOME => '/nonexistent' }, may => 1) },
	'no model' => sub { (call('a'), env => { MEM_MODEL => 'gone' }, may => 1) },
	'a model of noise' => sub {
		put('noise.model', noise(9000));
		my $t = call('a');
		$t =~ s/what did we decide about/which is/;
		($t, env => { MEM_MODEL => "$dir/noise.model" }, may => 1);
	},
	'input that never ends' => sub { (call('a'), open => 1, deadline => 30) },
	'no time' => sub { (call('a'), deadline => 10, may => 1) },
	'a bad option' => sub {
		(call('a'), args => [pick('--nonsense', '--budget=x', '-n', '-q=1')]);
	},
	'an unknown event' => sub { (call('a'), event => pick('x', '', 'Prompt', "a\nb")) },
	'stdout closed' => sub { (call('a'), closed => 1, may => 1) },
	'a transcript of noise' => sub {
		put('turn.ndjson', noise(4000));
		(call('a'), may => 1);
	},
);
put('bad.conf', "nonsense = 1\n");

sub wrong {
	my ($what, $case) = @_;
	print "$case: $what\n";
	$n_wrong++;
}

my @names = sort keys %faults;
for my $i (1 .. $n_cases) {
	my $name = $names[($i - 1) % @names];
	my $host = pick(@hosts);
	my $event = pick(@{ $events{$host} });
	$event = pick(grep { /rompt/ } @{ $events{$host} }) if rand() < .4;
	rmdir 'mem.db.hooks';
	rmdir 'mem.db';
	renew();
	put('turn.ndjson', '{"type":"message","session":"run","role":"user","content":"more"}' . "\n");
	my ($input, %o) = $faults{$name}->();
	$event = $o{event} if defined $o{event};
	my $case = "case $i, $name, $host $event";
	local %ENV = (%ENV, %{ $o{env} || {} });
	my @cmd = ('mem-hook', '--deadline', $o{deadline} || 2000, $host, $event, @{ $o{args} || [] });
	@cmd = ('sh', '-c', '"$@" >&-', 'sh', @cmd) if $o{closed};
	@cmd = ('sh', '-c', 'trap "" XFSZ; ulimit -f 0; exec "$@"', 'sh', @cmd) if $o{full};
	my $err = gensym;
	$SIG{PIPE} = 'IGNORE';
	my $pid = open3(my $in, my $out, $err, @cmd);
	binmode $in;
	print $in $input;
	close $in unless $o{open};
	local $/;
	my ($said, $told) = (scalar <$out>, scalar <$err>);
	$said = '' if !defined $said;
	waitpid $pid, 0;
	close $in if $o{open};
	wrong("status $?", $case) if $?;
	wrong("on stderr: $told", $case) if defined $told && $told ne '';
	next if $o{closed};
	my $quiet = nothing($host, $event);
	next if $said eq $quiet;
	next if $o{may} && $said =~ /^\{.*additional_?[cC]ontext":"<mem-context.*\}\n\z/;
	wrong("said '$said', not '$quiet'", $case);
}
print "$n_cases cases, $n_wrong wrong\n";
