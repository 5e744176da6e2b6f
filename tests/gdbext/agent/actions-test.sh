#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Each kind of action changes the instance that it names and nothing else: what
# tests/gdbext/agent/programs/actions.c prints then, with and without a record, in the cage and
# out of it; and the record of such a run can be re-computed.
. tests/support/patience.sh
CC=${CC:-gcc}
driver=$BUILD/tests/drivers/run-plan
[ -x "$driver" ] || { echo "$driver is not there"; exit 1; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-actions.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
failures=0
checked=0

complain() {
	echo "FAILED -O$o $*"
	failures=$((failures + 1))
}

# run WHAT OPTIONS...: what actions.c prints then, in $printed.
run() {
	what=$1
	shift
	rm -rf "$dir/record"
	mkdir "$dir/record"
	printed=$("$within" 20 "$driver" "$WHY_AGENT" "$dir/record" "$@" "$program" "$what" 2>&1 </dev/null) ||
		printed="$printed (status $?)"
}

# address NAME: of a label, link-time.
address() {
	nm "$program" | sed -n "s/^0*\([0-9a-f]*\) [a-zA-Z] $1\$/0x\1/p"
}

# acts DONE WHAT EXPECTED ACTION...: DONE of the actions take place.
acts() {
	done=$1
	what=$2
	expected=$3
	shift 3
	checked=$((checked + 1))
	for way in "--check" "--check --jit" "--check --caged --jit" "--no-record" "--no-record --jit"; do
		# shellcheck disable=SC2086
		run "$what" $way --actions-done="$done" "$@"
		[ "$printed" = "$expected" ] || complain "$what $way $*: prints '$printed', not '$expected'"
	done
}

same() {
	acts 0 "$1" "$2"
}

branches() {
	at=$(address at_branch)
	same loop nynynyny
	acts 1 loop yynynyny --force="$at,1,1"
	acts 1 loop nynnnyny --force="$at,4,0"
	acts 1 loop nynynyny --force="$at,4,1"
	acts 1 loop nynynynn --force="$at,8,0"
	acts 0 loop nynynyny --force="$at,9,1"
	acts 5 loop nnnyynnn --force="$at,5,1" --force="$at,2,0" --force="$at,6,0" --force="$at,99,0" \
		--force="$at,7,0" --force="$at,8,0"
	same tree '(((nyn)y(nyn))y((nyn)y(nyn)))'
	acts 1 tree '(((nyn)y(yyn))y((nyn)y(nyn)))' --force="$at,5,1"
	acts 1 tree '(((nyn)y(nyn))n((nyn)y(nyn)))' --force="$at,8,0"
	acts 1 tree '(((nyn)y(nyn))y((nyn)y(nyy)))' --force="$at,15,1"
	run sort
	natural=$printed
	for i in 1 2 4; do
		acts 1 sort "$(echo "$natural" | sed "s/y/n/$i")" --force="$at,$i,0"
	done
	same handler nnnn
	acts 1 handler nnyn --force="$at,3,1"
	same count '4,0 4,0 4,0 '
	acts 1 count '4,0 3,1 4,0 ' --force="$(address at_loop),7,0"
}

jumps() {
	never=$(address at_never)
	same table eoeoeo
	acts 1 table exeoeo --jump="$(address at_jump),2,$never"
	acts 2 table xoeoex --jump="$(address at_jump),1,$never" --jump="$(address at_jump),6,$never"
	third=$(address third)
	same pointers aabbaabbaabb.
	acts 1 pointers aabbcabbaabb. --jump="$(address at_memory_call),3,$third"
	acts 1 pointers aabbaabcaabb. --jump="$(address at_register_call),4,$third"
}

registers() {
	at=$(address at_set)
	a=1122334455667788 b=1122334455667789 c=112233445566778a d=112233445566778b
	same set "$a $b $c $d "
	acts 1 set "$a $b ffeeddccbbaa9988 $d " --set="$at,3,rax,8,0xffeeddccbbaa9988"
	acts 1 set "$a 1 $c $d " --set="$at,2,rax,4,1"
	acts 1 set "$a $b $c 112233445566ffff " --set="$at,4,rax,2,0xffff"
	acts 1 set "1122334455667701 $b $c $d " --set="$at,1,rax,1,1"
	same wide '2 4 8 16 '
	acts 1 wide '2 1 2 4 ' --set="$(address at_wide),2,xmm5,8,0x3ff0000000000000"
	at=$(address at_string)
	same string 'aaaaaaaa,0 bbbbbbbb,0 '
	acts 1 string 'aaaZZZZZ,0 bbbbbbbb,0 ' --set="$at,3,rax,1,0x5a"
	acts 1 string 'aaaaaaaa,0 bbbb,0 ' --set="$at,13,rcx,8,0"
}

# Eight iterations and the one that only moves on: 9 instances each.
memory() {
	at=$(address at_store)
	bias=$1
	cell=$(printf '%#x' $(($(address cell) + bias)))
	wide=$(printf '%#x' $(($(address wide_cell) + bias)))
	f=ffffffffffffffff
	same store "0,$f 1,$f 2,$f 3,$f "
	acts 1 store "0,$f 1,$f 77,$f 3,$f " --store="$at,3,$cell,4,77"
	acts 1 store "0,${f%ff}05 1,$f 2,$f 3,$f " --store="$at,1,$wide,1,5"
	acts 2 store "0,$f 1,$f 2,$f 9,8 " --store="$at,4,$wide,8,8" --store="$at,4,$cell,4,9"
}

# An action on a call of untraced code takes place when the call comes back.
natives() {
	at=$(address at_call)
	same calls '0 1 2 3 '
	acts 1 calls '0 1 42 3 ' --set="$at,3,rax,8,42"
	at=$(address at_sort)
	same nested '(((-)-)-)-(((-)-)-)-'
	acts 1 nested '(((-)-)-)S(((-)-)-)-' --set="$at,1,rax,8,4711"
	acts 1 nested '(((-)-)S)-(((-)-)-)-' --set="$at,2,rax,8,4711"
	acts 2 nested '(((S)-)-)-(((-)S)-)-' --set="$at,4,rax,8,4711" --set="$at,7,rax,8,4711"
	same left '<--'
	acts 0 left '<--' --set="$at,1,rax,8,4711"
	acts 1 left '<S-' --set="$at,2,rax,8,4711"
}

for o in 0 2; do
	program=$dir/actions-$o
	"$CC" -g -O$o -w -D_GNU_SOURCE -o "$program" tests/gdbext/agent/programs/actions.c || exit 1
	run loop
	bias=$(od -An -t d8 -j 40 -N 8 "$dir/record/trace.0")
	branches
	jumps
	registers
	memory "$bias"
	natives
done
echo "$checked checked"
echo "$failures failed"
[ "$failures" = 0 ]
