#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --help of all commands, the man page and README.md name the same options with
# the same arguments, choices and defaults, and the same exit statuses; the man
# page names every environment variable that is read.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
failed=0

for command in explain record ask rank panel try; do
	"$WHY_BIN" help $command >"$tmp/$command" || exit 1
	"$WHY_BIN" $command --help | cmp - "$tmp/$command" || exit 1
done
cat "$tmp/explain" "$tmp/record" "$tmp/ask" "$tmp/rank" "$tmp/panel" "$tmp/try" >"$tmp/help"

# Each list as lines of "-C --directory DIR" and "status N".
sed -nE 's/^ +(-[A-Za-z], )?(--[a-z-]+)( [A-Z=]+)? .*/\1\2\3/p; s/^  ([0-9]+) .*/status \1/p' "$tmp/help" |
	tr -d , | sort -u >"$tmp/options.help"
sed -nE 's/\\f[BIR]//g; s/\\-/-/g; s/^((-[A-Za-z], )?--[a-z-]+( [A-Z=]+)?)$/\1/p; s/^\.B ([0-9]+)$/status \1/p' \
	gdbext/doc/gdb-why.1 | tr -d , | sort -u >"$tmp/options.man"
sed -nE 's/^\| (`-[A-Za-z]`, )?`(--[a-z-]+( [A-Z=]+)?)` \|.*/\1\2/p; s/^\| ([0-9]+) \|.*/status \1/p' README.md |
	tr -d ',`' | sort -u >"$tmp/options.readme"

for f in man readme; do
	if ! diff "$tmp/options.help" "$tmp/options.$f" >"$tmp/diff"; then
		echo "--help (<) and $f (>) differ:"
		cat "$tmp/diff"
		failed=1
	fi
done
n=$(wc -l <"$tmp/options.help")
[ "$n" -ge 40 ] || { echo "only $n options and statuses were found in --help"; failed=1; }

python3 - "$tmp/help" <<'PY' || failed=1
import re, sys

def gathered(pairs):
    """Several commands may have an option of the same name."""
    all = {}
    for name, said in pairs:
        all[name] = all.get(name, "") + " " + " ".join(said.split())
    return all

def options(text, start):
    """Option -> what is said of it, in one line."""
    parts = re.split(start, text, flags=re.M)
    return gathered(zip(parts[1::2], parts[2::2]))

help_text = open(sys.argv[1]).read().split("Exit status:")[0]
man = re.sub(r"\\f[BIR]|^\.(BR?|IR?|RB) ", "", open("gdbext/doc/gdb-why.1").read(), flags=re.M)
man = man.split(".SH EXIT")[0].replace("\\-", "-")
said = options(help_text, r"^ +(?:-\w, )?(--[a-z-]+)")
manual = options(man, r"^\.TP\n(?:-\w, )?(--[a-z-]+)")
readme = gathered((m[1], m[0]) for m in re.finditer(r"^\| (?:`-\w`, )?`(--[a-z-]+).*\|$", open("README.md").read(), re.M))
wrong = facts = 0
for name, what in said.items():
    defaults = re.findall(r"\(default: ([^)]+)\)", what)
    choices = re.findall(r": ([\w]+(?:\|[\w]+)*) \(default", what)
    for word in [w for c in choices for w in c.split("|")] + defaults:
        facts += 1
        for where, of in ("the man page", manual), ("README.md", readme):
            if not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", of.get(name, "")):
                print(f"{where} does not say `{word}' of {name}")
                wrong = 1
if facts < 20:
    print(f"only {facts} choices and defaults were found in --help")
    wrong = 1
sys.exit(wrong)
PY

# The panel's keys, as the panel says them.
sed -n '/^Keys:/,/^$/{s/^  \(..................\) \(.*\)/\2/p}' "$tmp/panel" >"$tmp/keys"
[ "$(wc -l <"$tmp/keys")" -ge 20 ] || { echo "few keys in help panel"; failed=1; }
grep -vxFf gdbext/doc/gdb-why.1 "$tmp/keys" && { echo "the man page does not say these keys"; failed=1; }

# What is ours, and what changes the answer's looks.
for name in $(grep -rhoE 'getenv\("(GDB_WHY_[A-Z_]+|NO_COLOR|G_MESSAGES_DEBUG)"\)' --include=*.c gdbext mi solver tui |
	grep -oE '[A-Z_]{4,}' | sort -u); do
	sed -n '/^\.SH ENVIRONMENT/,/^\.SH FILES/p' gdbext/doc/gdb-why.1 | grep -qw "$name" || {
		echo "the man page says nothing of $name"
		failed=1
	}
done
exit $failed
