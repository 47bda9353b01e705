#!/usr/bin/perl
# power: the power fails N times during what power.c wrote down. usage: power LOG BASE N SEED CHECK
#
# BASE is a directory with the files as they were before. For each failure there is a moment, and
# the directory "disk" gets what a disk may have then: all that was written before a file's last
# sync, and of what was written later a part by chance, in any order, some of it torn at a sector.
# What was made, removed and renamed keeps its order, but the last of it may be missing where
# nothing was synced since. Then CHECK is run beside two files: disk.said, what was printed before
# that moment, a line "PROGRAM<tab>LINE" each, and disk.began, the programs that had begun, in order.
use strict;
use warnings;

my ($log, $base, $n, $state, @check) = @ARGV;
sub chance {
	my ($m) = @_;
	$state = ($state * 1103515245 + 12345) & 0x7fffffff;
	return ($state >> 8) % $m;
}
sub slurp { my ($f) = @_; open my $h, '<:raw', $f or return undef; local $/; return <$h> // '' }

my (@ops, $program);
{
	my $t = slurp($log);
	my $at = 0;
	while ($at < length $t) {
		my $nl = index $t, "\n", $at;
		my @f = split / /, substr($t, $at, $nl - $at);
		$at = $nl + 1;
		my $len = $f[0] eq 'w' ? $f[3] : $f[0] eq 'a' ? $f[1] : 0;
		$program = $f[1] if $f[0] eq 'p';
		push @ops, { do => $f[0], name => $f[1], arg => $f[2], program => $program,
			data => substr($t, $at, $len) };
		$at += $len;
	}
}
opendir my $d, $base or die;
my %before = map { $_ => slurp("$base/$_") } grep { -f "$base/$_" } readdir $d;

sub put {
	my ($file, $at, $data) = @_;
	$$file .= "\0" x ($at - length $$file) if length $$file < $at;
	substr($$file, $at, length $data) = $data;
}

# The files when the power fails before operation $end.
sub disk {
	my ($end) = @_;
	my (%synced, %file, $any);
	for my $i (0 .. $end - 1) {
		my $o = $ops[$i];
		# a file's sync brings its name to the disk, and all that came before it
		$any = $i if $o->{do} eq 's';
		$synced{$o->{name}} = $i if $o->{do} eq 's';
	}
	my $names_end = defined $any ? $any + 1 + chance($end - $any) : chance($end + 1);
	my $lucky = chance(4);                    # nothing that was not synced, or all, or some
	%file = map { $_ => \(my $copy = $before{$_}) } keys %before;
	for my $i (0 .. $end - 1) {
		my ($do, $name, $arg, $data) = @{ $ops[$i] }{qw(do name arg data)};
		if ($do eq 'c') { $file{$name} = \(my $t = '') if $i < $names_end }
		elsif ($do eq 'u') {
			if ($i < $names_end) { delete $file{$name} }
		} elsif ($do eq 'r') {
			if ($i < $names_end && $file{$name}) {
				$file{$arg} = delete $file{$name};
				$synced{$arg} = $i if ($synced{$name} // -1) > $i;
			}
		} elsif ($do eq 'w' || $do eq 't') {
			next if !$file{$name};
			if ($i > ($synced{$name} // -1)) {
				next if $lucky == 0 || ($lucky > 1 && chance(2));
				# torn: some of its sectors
				if ($do eq 'w' && $lucky == 3 && length $data > 512) {
					for my $s (0 .. (length($data) - 1) / 512) {
						put($file{$name}, $arg + $s * 512,
							substr($data, $s * 512, 512)) if chance(2);
					}
					next;
				}
			}
			if ($do eq 'w') { put($file{$name}, $arg, $data) }
			elsif (length ${ $file{$name} } > $arg) {
				substr(${ $file{$name} }, $arg) = '';
			}
			else { put($file{$name}, $arg, '') }
		}
	}
	return \%file;
}

my $bad = 0;
for my $case (1 .. $n) {
	my $end = 1 + chance(scalar @ops);
	my $file = disk($end);
	system('rm -rf disk'); mkdir 'disk' or die;
	for my $name (keys %$file) {
		# the memory that programs share is no file of the disk
		next if $name =~ /-shm$/;
		open my $h, '>:raw', "disk/$name" or die; print $h ${ $file->{$name} }; close $h;
		chmod 0600, "disk/$name";
	}
	open my $said, '>:raw', 'disk.said' or die;
	open my $began, '>:raw', 'disk.began' or die;
	my %open;
	for my $o (@ops[0 .. $end - 1]) {
		print $began "$o->{program}\n" if $o->{do} eq 'p';
		next if $o->{do} ne 'a';
		$open{$o->{program}} .= $o->{data};
		print $said "$o->{program}\t$1\n" while $open{$o->{program}} =~ s/^(.*)\n//;
	}
	close $said;
	close $began;
	my $told = `@check 2>&1`;
	next if $? == 0;
	print "power fails before operation $end of ", scalar @ops, ": $told\n" if $bad++ < 10;
}
print scalar(@ops), " operations, $n failures of the power, $bad bad\n";
exit($bad > 0);
