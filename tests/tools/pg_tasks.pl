#!/usr/bin/perl
# pg_tasks.pl: asks Citus how it would run each statement of standard input, one a line. Prints
# "one STATEMENT" where it is one task on one machine, "untyped STATEMENT" where PREPARE cannot know
# the types of the parameters, which a program sends; else the plan's tasks or the error.
# usage: pg_tasks.pl PSQL DIRECTORY-OF-THE-SOCKET DATABASE <STATEMENTS
use strict;
use warnings;

my ($psql, $dir, $database) = @ARGV;
my %value = (bigint => '1', text => "'1'", bytea => "'\\x00'", 'double precision' => '1',
	integer => '1', json => "'[1]'", numeric => '1');

sub ask {
	my ($sql) = @_;
	open my $out, '-|', 'sh', '-c', 'exec "$0" -qAtX -h "$1" -U mem -c "$2" "$3" 2>&1', $psql,
		$dir, $sql, $database or die "$psql: $!";
	return do { local $/; <$out> } // '';
}

while (my $sql = <STDIN>) {
	chomp $sql;
	my $types = ask("PREPARE p AS $sql; SELECT array_to_string(parameter_types, ',') FROM " .
		"pg_prepared_statements WHERE name = 'p'");
	chomp $types;
	if ($types =~ /could not determine data type|operator is not unique/) {
		print "untyped $sql\n";
		next;
	}
	my $values = join ', ', map { $value{$_} // "'{}'" } split /,/, $types;
	my $plan = ask("PREPARE p AS $sql; EXPLAIN (COSTS OFF) EXECUTE p" .
		($values eq '' ? '' : "($values)"));
	my @tasks = $plan =~ /Task Count: (\d+)/g;
	if ($plan =~ /ERROR: *(.*)/) {
		print "error $1: $sql\n";
	} elsif (grep { $_ != 1 } @tasks) {
		print "many @tasks: $sql\n";
	} else {
		print "one $sql\n";
	}
}
