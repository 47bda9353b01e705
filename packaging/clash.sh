#!/bin/sh
# clash: tells of another program in PATH that is called 'mem', too. 'make install' runs it, and the
# Debian package when it is installed or upgraded; both put the path of ours for @MEM@.
set -e
ours='@MEM@' where='and is found before'
IFS=:
for dir in $PATH; do
	other=${dir:-.}/mem
	[ -f "$other" ] && [ -x "$other" ] || continue
	if [ "$other" -ef "$ours" ]; then
		where='behind'
	else
		echo "mem: another program is called mem, too: '$other', $where '$ours'" >&2
		break
	fi
done
#DEBHELPER#
