#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Questions at stops of each kind, at the session's prompt and in a plain GDB: both find
# the same stop again, and give the same answer; every second question is asked in both,
# with THOROUGH=1 each.  timeout: 120
set -u
. tests/support/samples-lib.sh
. tests/support/watch.sh
need_tool
export HOME=$dir DEBUGINFOD_URLS=

cat >"$dir/stops.c" <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int total, calls;
static int weigh(int x, int y)
{
	int w = x * 2;
	if (y > x)
		w += y;
	calls++;
	return w;
}
static void handler(int sig)
{
	(void)sig;
	calls += 100;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[argc - 1]);
	signal(SIGUSR1, handler);
	for (int i = 0; i < n; i++) {
		int part = weigh(i, n - i);
		total += part;
	}
	raise(SIGUSR1);
	if (write(1, "x\n", 2) < 0)
		return 2;
	return total > 20;
}
C
build "$dir/stops.c" "$dir/stops" || complain "stops.c does not compile"

# What is said after the last of the commands.
run() { # door, commands
	door=$1
	shift
	if [ "$door" = session ]; then
		set -- 'set width 0' "$@"
		printf '%s\n' "$@" | "$within" 60 "$WHY_BIN" -nx -q --args "$dir/stops" 5 2>&1
	else
		set -- 'set width 0' 'set confirm off' "$@"
		printf '%s\n' "$@" | "$within" 60 gdb -nx -q -ex "source ${WHY_BIN%/*}/why.gdb" --args "$dir/stops" 5 2>&1
	fi | tr -s ' \n' '  ' | sed 's/(gdb) $//; s/.*(gdb) //; s/A debugging session is active.*//'
}

questions=0
both() { # text in the answer, commands; with THOROUGH=1 each at both doors, else every second one at one
	text=$1
	shift
	questions=$((questions + 1))
	for door in session plain; do
		[ $door = session ] || [ $((questions % 2)) = 1 ] || [ "${THOROUGH:-}" ] || continue
		said=$(run $door "$@")
		case $said in
		*"$text"*) ;;
		*) complain "$door: $*: no \`$text' in: $said" ;;
		esac
	done
}

both 'total = 18 at ' 'break main' run "$watching" 'watch total' c c c 'why total'
both 'total = 18 -> 3' 'break main' run "$watching" 'watch total' c c c 'why not total == 3'
both 'y = 5 at ' 'break 23' run step step step 'why y'
both 'i = 2 at ' 'break weigh if x == 2' run finish 'why i'
both 'part = 5 at ' 'break 24' run 'until 25' 'why part'
both 'w = 0 at ' 'tbreak weigh' run next 'why w'
both 'it holds' 'break 25 if i == 3' run 'why not part < 5'
both 'calls = 5 at ' 'break handler' 'handle SIGUSR1 nostop' run 'why calls'
both 'total = 32 at ' 'catch syscall write' 'handle SIGUSR1 nostop' run up 'up' 'why total'
both '$_exitcode = 1 at ' 'handle SIGUSR1 nostop' run 'why $_exitcode'
both 'exit status 1 at ' 'handle SIGUSR1 nostop' run 'why not $_exitcode == 0'
both 'calls = 105 at ' 'handle SIGUSR1 nostop' run 'why calls'
both 'exit status 1 at ' 'handle SIGUSR1 nostop' run why

# In a library: the program's own frame around, which a plain GDB has to be taken to.
said=$(run session run 'why total')
case $said in
*'total = 32 at '*) ;;
*) complain "session: in a library: $said" ;;
esac
said=$(run plain run 'why total')
case $said in
*'stands in a library'* | *'no line information'*) ;;
*) complain "plain: in a library: $said" ;;
esac

# A stop that no breakpoint tells: what a library function gave to a variable is in no record, but
# the members of an object are.
cat >"$dir/lines.c" <<'C'
#include <stdio.h>
struct bag { int n; const char *name; struct { int deep; } in; };
static void put(struct bag *b, int v)
{
	b->n += v > 0;
}
int main(void)
{
	struct bag b = { 0, "{n = 9}, ", { 1 } };
	char text[] = "5 6 0 7", *at = text;
	int v, used;
	while (sscanf(at, "%d%n", &v, &used) == 1) {
		put(&b, v);
		at += used;
	}
	return b.n != 4;
}
C
gcc -g -O0 -o "$dir/stops" "$dir/lines.c" || complain "lines.c does not compile"
for door in session plain; do
	said=$(run $door 'break put if v == 7' run finish next 'why b.n')
	case $said in
	*'b.n = 3 at '*'lines.c:12 in main'*) ;;
	*) complain "$door: behind what a library function gave: $said" ;;
	esac
done

# A member function of C++ has no plain name.
if command -v "${CXX:-g++}" >"$dir/found"; then
	cat >"$dir/bag.cc" <<'C'
namespace shop {
class bag {
public:
	int take(int n)
	{
		int left = most - n;
		held += n;
		return left;
	}
	int most = 9, held = 1;
};
}
int main()
{
	shop::bag b;
	b.take(2);
	b.take(3);
	return b.held != 5;
}
C
	"${CXX:-g++}" -g -O0 -w -o "$dir/stops" "$dir/bag.cc" || complain "bag.cc does not compile"
	for door in session plain; do
		said=$(run $door 'break 17' run step next next 'why held')
		case $said in
		*'held = 6 at '*'bag.cc:8 in take'*) ;;
		*) complain "$door: in a member function: $said" ;;
		esac
	done
fi

# In an inlined function the names are its own; those of the function around it are there after `up'.
cat >"$dir/around.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
static int total;
static inline __attribute__((always_inline)) void weigh(int n)
{
	for (int i = 0; i < n; i++)
		total += i;
}
int main(int argc, char **argv)
{
	int own = atoi(argv[argc - 1]);
	weigh(own + 1);
	printf("%d\n", own);
	return total > 3;
}
C
gcc -g -Og -o "$dir/stops" "$dir/around.c" || complain "around.c does not compile"
for door in session plain; do
	said=$(run $door 'break 7' run 'why n')
	case $said in
	*'n = 6 at '*'around.c:7 in weigh'*) ;;
	*) complain "$door: in an inlined function: $said" ;;
	esac
	said=$(run $door 'break 7' run 'why own')
	case $said in
	*'no variable `own'"'"' in sight'*) ;;
	*) complain "$door: a name of the function around: $said" ;;
	esac
	said=$(run $door 'break 7' run up 'why own')
	case $said in
	*'own = 5 at '*'around.c:12 in main'*) ;;
	*) complain "$door: after up: $said" ;;
	esac
done

[ $failures -eq 0 ]
