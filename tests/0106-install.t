#!/bin/sh
# 'make install': the units of systemd, and the word about another program called mem.
. "${0%/*}/lib.sh"

make_to() { make -s -C "$ROOT" B="$B" DESTDIR="$PWD/to" PREFIX=/usr "$1"; }
check 'the units are installed' make_to install-units
units=to/usr/share/systemd/user
check_out 'the service runs the installed program' 'ExecStart=/usr/bin/mem-upkeep -q' \
	grep Exec $units/mem-setup.service
if command -v systemd-analyze >/dev/null 2>&1; then
	sed 's,/usr/bin/mem-upkeep,/bin/true,' $units/mem-setup.service >mem-setup.service
	cp $units/mem-setup.timer .
	check 'systemd understands the files of its timer' \
		env XDG_RUNTIME_DIR="$PWD" systemd-analyze --user verify ./mem-setup.timer
else
	skip 'systemd understands them' 'there is no systemd-analyze'
fi
check 'uninstalling removes what was installed' make_to uninstall
check_out 'all of them, and no empty directory is left' '' sh -c 'find to -mindepth 3'

# clash PATH: what the installation says of other programs
clash() { sed "s,@MEM@,$PWD/ours/mem," "$ROOT/packaging/clash.sh" | PATH=$1 /bin/sh 2>&1; }
mkdir ours other link none
for d in ours other; do printf '#!/bin/sh\n' >$d/mem && chmod +x $d/mem; done
ln -s ../ours/mem link/mem
: >none/mem
check_out 'no other program is called mem: nothing is said' '' clash "link:ours:none"
check_out 'another one behind ours' \
	"mem: another program is called mem, too: 'other/mem', behind '$PWD/ours/mem'" \
	clash "ours:other"
check_out 'another one before ours' \
	"mem: another program is called mem, too: 'other/mem', and is found before '$PWD/ours/mem'" \
	clash "other:ours"
check 'it is said, and no failure' clash "other:ours"

done_testing
