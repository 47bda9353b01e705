#!/usr/bin/perl
# values: stores whose rows hold what no program of ours would write. usage: values STORE EVERY SEED
# [RE]; FACT is the id of a fact in it
#
# Without the schema's constraints, one column of one table, in all rows or in the last, gets a
# value of another kind: NULL, a number out of range, a text without length, bytes that are no text.
# Every program runs on a copy of each. One pair of column and value in so many (EVERY) is tried;
# all those whose "table.column = value" matches RE. Clean is: a documented status in time,
# no signal, no sanitizer's finding; and who only reads changes no byte of the file.
use strict;
use warnings;

my ($store, $every, $state, $always) = @ARGV;
$every = 0 if !defined $every;
sub chance {
	my ($m) = @_;
	$state = ($state * 1103515245 + 12345) & 0x7fffffff;
	return ($state >> 8) % $m;
}
sub slurp { my ($f) = @_; open my $h, '<:raw', $f or return ''; local $/; return <$h> }
sub sql {
	my ($db, $text) = @_;
	open my $h, '|-', "sqlite3 $db >sql.out 2>sql.err" or die;
	print $h $text;
	close $h;
	return slurp('sql.out');
}

my @values = ('NULL', '-1', '0', '7', '65536', '9223372036854775807', '-9223372036854775808', "''",
	"'x'", "x''", "x'00'", 'zeroblob(16)', 'zeroblob(5000)', "printf('%.*c', 9000, 'y')",
	'1e300', "x'ffffffffffffffffffffffffffffffffff'");
my @reads = ('mem-check --deep', 'mem-list -j', 'mem-list -j --all facts', 'mem-list -j facts',
	'mem-list -j summaries', 'mem-list -j reflections', 'mem-list -j sessions',
	'mem-list -j chunks',
	'mem-search -j --no-touch lighthouse keeper ann',
		'mem-search -j --no-touch --strategy=ladder tea',
		'mem-search -j --no-touch --strategy=progressive -a A tea',
		'mem-search -j --no-touch --strategy=dense tea',
		'mem-search -j --no-touch --strategy=recent',
	'mem-context --recent', 'mem-context --strategy=hybrid lighthouse', 'mem-show source:7',
		"mem-show $ENV{FACT}", 'mem-stats -j', 'mem-stats --report', 'mem-stats --triggers',
		'mem-embed --info', 'mem-profile', 'mem-prune', 'mem-prune --sessions',
		'mem-cluster --list', 'mem-eval queries');
my @writes = ('mem-search -j lighthouse', 'mem-ingest --from=ndjson again.ndjson',
	'mem-ingest --backfill-chunks', 'mem-check --repair', 'mem-embed', 'mem-cluster',
	'mem-remember facts.ndjson', 'mem-edit --undo', 'mem-prune -f',
	'mem-prune --sessions --days=0 -f', 'mem-summarize -s s', 'mem-summarize --facts',
	'mem-profile revoke', 'mem-profile consent yes', 'mem-check --backup=values.copy');
@reads = grep { -x "$ENV{B}/" . (split)[0] } @reads;
@writes = grep { -x "$ENV{B}/" . (split)[0] } @writes;

system("cp $store plain.db");
sql('plain.db', <<'END');
.dbconfig defensive off
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(replace(sql, ' NOT NULL', ''), 'STRICT, WITHOUT',
	'WITHOUT'), ') STRICT', ')') WHERE type = 'table';
PRAGMA writable_schema = RESET;
PRAGMA journal_mode = DELETE;
PRAGMA wal_checkpoint(TRUNCATE);
END
my @pairs;
for my $table (split /\n/, sql('plain.db',
	"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%';")) {
	next if sql('plain.db', "SELECT count(*) FROM \"$table\";") == 0;
	for my $column (split /\n/,
		sql('plain.db', "SELECT name FROM pragma_table_info('$table');")) {
		push @pairs, [$table, $column, $_] for @values;
	}
}
my (%ends, $bad, $made);
$bad = $made = 0;
for my $pair (@pairs) {
	my ($table, $column, $value) = @$pair;
	my $named = defined $always && "$table.$column = $value" =~ /$always/;
	next unless $named || ($every > 0 && chance($every) == 0);
	my $where = $named || chance(2) ? '' : "WHERE rowid = (SELECT max(rowid) FROM \"$table\")";
	# a table without row numbers
	$where = ''
		if $where ne '' && sql('plain.db', "SELECT count(*) FROM \"$table\" $where;") eq '';
	unlink map { "base.db$_" } '', '-wal', '-shm', '.lock', '-journal';
	system('cp plain.db base.db');
	sql('base.db', "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;
		UPDATE OR REPLACE \"$table\" SET \"$column\" = $value $where;
		PRAGMA journal_mode = WAL;");
	my $t = slurp('base.db');
	$made++;
	for my $call (@reads, @writes) {
		my $reads = grep { $_ eq $call } @reads;
		unlink map { ("mutant.db$_", "values.copy$_") } '', '-wal', '-shm', '.lock',
			'-journal';
		open my $h, '>:raw', 'mutant.db' or die; print $h $t; close $h;
		my $status = system(($reads ? 'MEM_TOUCH=no ' : '') .
			"timeout $ENV{MEM_TEST_SECONDS} $call -d mutant.db >said 2>told </dev/null");
		$status = $status & 127 ? 128 + ($status & 127) : $status >> 8;
		$ends{$status}++;
		my $why;
		if ($status == 124) { $why = 'too long' }
		elsif ($status > 128 || $status == 99) { $why = 'a signal' }
		elsif ($status !~ /^(?:0|1|65|66|69|74|75|77|78)$/) { $why = 'no status of ours' }
		elsif ($reads && slurp('mutant.db') ne $t) { $why = 'the file changed' }
		next unless $why;
		if ($bad++ < 20) {
			print "$table.$column = $value $where: $call: $why: status $status\n",
				substr(slurp('told'), 0, 1200), "\n";
		}
	}
}
print "$made stores, $bad bad: ", join(', ', map { "$ends{$_} x $_" }
	sort { $a <=> $b } keys %ends), "\n";
exit($bad > 0);
