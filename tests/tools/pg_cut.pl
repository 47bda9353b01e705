#!/usr/bin/perl
# pg_cut.pl: a proxy between a client and a PostgreSQL server, both on Unix sockets, that cuts the
# connection at a COMMIT: the first time as it is sent, so that the server never hears of it; the
# second time behind it, so that it is carried out and nobody is told; the third it lets through.
# A command is run after the first cut, before anybody can connect again. With CUT_AT in the
# environment the connection is cut once, in place of so many'th message of the client.
# usage: pg_cut.pl DIRECTORY-OF-ITS-SOCKET SOCKET-OF-THE-SERVER [COMMAND]
use strict;
use warnings;
use IO::Select;
use IO::Socket::UNIX;

my ($dir, $server, $command) = @ARGV;
my $path = "$dir/.s.PGSQL.5432";
my ($n, $n_sent) = (0, 0);
my $cut_at = $ENV{CUT_AT};
unlink $path;
my $listen = IO::Socket::UNIX->new(Local => $path, Listen => 16) or die "$path: $!";
chmod 0777, $path;
$SIG{PIPE} = 'IGNORE';

# Copies between the two until one ends; false: it was cut.
sub serve {
	my ($client, $there) = @_;
	my $both = IO::Select->new($client, $there);
	while (1) {
		for my $from ($both->can_read) {
			my $to = $from == $client ? $there : $client;
			return if !sysread($from, my $bytes, 65536);
			my $is_commit = $from == $client && $bytes =~ /COMMIT\0/ &&
				$bytes !~ /READ ONLY|SET jit/;
			my $how = $is_commit && !$cut_at ? $n++ % 3 : 2;
			$how = 0 if $cut_at && $from == $client && ++$n_sent == $cut_at;
			return if $how == 0;
			for (my $at = 0; $at < length $bytes; ) {
				my $put = syswrite($to, $bytes, length($bytes) - $at, $at);
				return if !defined $put;
				$at += $put;
			}
			if ($how == 1) {
				# it is carried out before the server sees that nobody listens
				my $answer = IO::Select->new($there);
				$answer->can_read(5);
				return;
			}
		}
	}
}

while (my $client = $listen->accept) {
	my $there = IO::Socket::UNIX->new(Peer => $server) or next;
	serve($client, $there);
	close $client;
	close $there;
	if (defined $command && $n > 0) {
		system $command;
		undef $command;
	}
}
