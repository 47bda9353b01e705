#!/bin/sh
# ssh.sh: what mem-sync takes for ssh in tests: "machine" HOST is the store HOST.db in this folder.
# CUT=down:N what comes ends after N bytes; up:N what goes; kill:N the program there is killed
# then; parent:N mem-sync is.
dir=$(dirname "$0")
host=$1
shift
[ "$host" != nowhere ] || {
	echo "ssh: Could not resolve hostname $host: Name or service not known" >&2
	exit 255
}
export MEM_DB="$dir/$host.db" MEM_STORE_NAME="$host"
n=${CUT#*:}
case $CUT in
down:*)
	sh -c "exec $*" | head -c "$n"
	exit 255 ;;
up:*)
	head -c "$n" | sh -c "exec $*"
	exit 255 ;;
kill:*)
	fifo=$dir/fifo.$$
	mkfifo "$fifo"
	sh -c "exec $*" <"$fifo" &
	exec 9>"$fifo"
	rm -f "$fifo"
	head -c "$n" >&9
	kill -9 $!
	exit 255 ;;
parent:*)
	sh -c "exec $*" | {
		head -c "$n"
		kill -9 $PPID
	}
	exit 255 ;;
esac
exec sh -c "exec $*"
