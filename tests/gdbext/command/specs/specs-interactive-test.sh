#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# gdb-why specs --interactive: what is said between rounds counts at once and in later runs, from a
# pipe and at a terminal; wrong words, Ctrl-D and Ctrl-C.  A violation is told before its cause is known.
set -u
. tests/support/specs-lib.sh
talk() { # STATUS LINES OPTIONS...
	local want=$1 lines=$2
	shift 2
	printf "$lines" | "$WHY_BIN" specs --no-evidence --spec list-spec.c "$@" -- ./size 1 1 2 >out 2>&1
	local got=${PIPESTATUS[1]}
	[ "$got" = "$want" ] || complain "status $got instead of $want: $*"
}
cp "$samples/list-spec.c" "$samples/list.c" .
$CC -g -O0 -DSIZE_ERR -o size list.c || exit 1

# Lines of a pipe.  Wrong ones are answered, and ask again; the end of them ends the rounds.
talk 0 'foo\nright\nright 9999\nhelp\n' --interactive
says "^.specs. foo$"
says "^.foo' is no word here; say continue"
says '^Which statement is right\?'
says '^No statement that is rated stands in line 9999'
says '^  pass  '
[ "$(grep -c '^next test: 2 1 2: violates size_ok$' out)" = 1 ] || complain "not one round"
says_not '^tests, and'
says_not '^kept in'
[ -e list-spec.c.said ] && complain "a file without a word"
# A statement that is right is one no more; the next test is another round's.
talk 0 'r list.c:43\ns\n' --interactive
says '^ +3  2.000 1.000  list.c:29 '
says '^ +12  0.000 0.000  list.c:43  l->size = 0;    \(right, as you said\)$'
says '^kept in list-spec.c.said'
grep -qxF 'right list.c:43: l->size = 0;' list-spec.c.said || complain "it is not kept"
# Without --interactive it counts where the file is named, and nowhere else.
talk 0 '' --said list-spec.c.said
says_not '^ +[0-9]  [0-9.]+ [0-9.]+  list.c:43 '
talk 0 ''
says '^ +1  2.000 1.000  list.c:43 '
says_not 'as you said'
# Another line in that place was not spoken of.
sed -i 's/^right list.c:43: .*/right list.c:43: l->size = 1;/' list-spec.c.said
talk 0 '' --said list-spec.c.said
says '^ +1  2.000 1.000  list.c:43 '
# A test that passes, as the user says, tells line 43 from the rest; one that fails does not.
talk 0 'continue\nfail\nstop\n' --interactive --said other
says '^next test: .* 1 2: passes$'
says '^  2: . 1 2 +passes, but you said that it fails; line [0-9]+ was '
says '^ +[2-9]  1.000 [0-9.]+  list.c:43 '
grep -qE '^fail . 1 2, call 1$' other || complain "the test is not kept"
talk 0 'pass\nstop\n' --interactive --said third
says '^  1: 2 1 2 +violates size_ok, but you said that it passes; line [0-9]+ was executed'
# A wrong file; what cannot be asked at all.
echo 'perhaps' >third
talk 2 '' --said third
says 'Line 1 of third cannot be understood'
talk 2 '' --interactive --format json
says 'leave out --check and --format'
talk 2 '' --interactive --check
# As JSON, what the user said stands beside what happened.
talk 0 '' --said other --format json
grep -q '"said" : "fails"' out || complain "JSON does not tell"

# At a terminal: editing, completion, Ctrl-C in the prompt, Ctrl-D.
cat >terminal.py <<'P'
import os, pty, select, signal, sys, time
def run(steps):
    pid, fd = pty.fork()
    if pid == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.environ["TERM"] = "xterm"
        os.execv(sys.argv[1], sys.argv[1:])
    seen = b""
    for wanted, keys in steps:
        end = time.time() + 60
        while wanted not in seen and time.time() < end:
            if select.select([fd], [], [], 1)[0]:
                try:
                    seen += os.read(fd, 4096)
                except OSError:
                    break
        if wanted not in seen:
            print("not seen:", wanted, seen.decode(errors="replace"))
        seen = seen[seen.find(wanted) + len(wanted):]
        if keys:
            os.write(fd, keys)
    rest = seen
    while True:
        try:
            more = os.read(fd, 4096)
        except OSError:
            break
        if not more:
            break
        rest += more
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), rest.decode(errors="replace")
prompt = b"(specs) "
status, rest = run([(prompt, b"rig\t43\r"), (b"right, as you said", b""), (prompt, b"\x04")])
print("ctrl-d", status, "kept in" in rest)
status, rest = run([(prompt, b"half a li"), (b"half a li", b"\x03")])
print("ctrl-c", status, rest.count("Interrupted by SIGINT"), "half" in rest)
P
python3 terminal.py "$WHY_BIN" specs --no-evidence --interactive --said fourth --spec list-spec.c -- ./size 1 1 2 >out 2>&1
says '^ctrl-d 0 True$'
says '^ctrl-c 130 1 False$'
grep -qxF 'right list.c:43: l->size = 0;' fourth || complain "what was typed is not kept"

# Answers in a pipe or a file are not the test's input.
printf 'stop\n' >answers
printf 'stop\n' | "$WHY_BIN" specs --no-evidence --interactive --said fifth --spec list-spec.c -- ./size 1 1 2 >out 2>&1
says_not 'standard input'
says '^\(specs\) stop$'
"$WHY_BIN" specs --no-evidence --interactive --said fifth --spec list-spec.c -- ./size 1 1 2 <answers >out 2>&1
says '^\(specs\) stop$'

# The violation is told at once: what comes later takes until the reader of the first line has gone on.
for how in --check --no-evidence; do
	mkfifo "said$how"
	"$WHY_BIN" specs $how --spec list-spec.c -- ./size 1 1 2 >"said$how" 2>err &
	child=$!
	exec 3<"said$how"
	read -r line <&3
	cat <&3 >/dev/null
	exec 3<&-
	wait $child
	[ "${line#size_ok}" != "$line" ] || { echo "$line" >out; complain "$how: another first line"; }
done
done_testing
