# SPDX-License-Identifier: GPL-3.0-or-later
#
# gdb-why's questions in a plain GDB, 12 or newer, without Python or Guile:
#
#     (gdb) source @SCRIPT_FOLDER@/why.gdb
#
# Each command writes down with GDB's own commands what is asked and where, in a
# private folder that is named after this GDB's process, then runs gdb-why, which
# has a GDB of its own: this one answers nothing while it waits.  GDB prints the answer
# itself, by a file of `echo' commands, so that it comes out right in the TUI, behind a
# machine interface and in logs.

define why-gather
  dont-repeat
  pipe info files | '@SCRIPT@' put $PPID files
  pipe show args | '@SCRIPT@' put $PPID arguments
  pipe show cwd | '@SCRIPT@' put $PPID folder
  pipe info program | '@SCRIPT@' put $PPID program
  pipe info breakpoints | '@SCRIPT@' put $PPID breakpoints
  if $_thread
    pipe info line *$pc | '@SCRIPT@' put $PPID line
    pipe info symbol $pc | '@SCRIPT@' put $PPID symbol
    pipe info frame | '@SCRIPT@' put $PPID frame
    pipe info args | '@SCRIPT@' put $PPID args
    pipe info locals | '@SCRIPT@' put $PPID locals
  end
end
document why-gather
Write down where the program stands, for why, why-not and panel.
end

define why-process
  dont-repeat
  # the process of this GDB, told in three exit statuses
  pipe echo | exit $(($PPID & 255))
  set $why_pid = $_shell_exitcode
  pipe echo | exit $((($PPID >> 8) & 255))
  set $why_pid = $why_pid + ($_shell_exitcode << 8)
  pipe echo | exit $(($PPID >> 16))
  set $why_pid = $why_pid + ($_shell_exitcode << 16)
end
document why-process
Set $why_pid to the number of this GDB's process, for why, why-not and panel.
end

define why-answer
  dont-repeat
  why-process
  eval "source /tmp/gdb-why.%d/answer.gdb", $why_pid
  pipe echo | '@SCRIPT@' end $PPID
end
document why-answer
Print the answer that was written down, for why, why-not and suspects.
end

define why
  dont-repeat
  pipe echo | '@SCRIPT@' begin $PPID
  if $_shell_exitcode == 0
    set $why_word = 0
    while $why_word < $argc
      eval "pipe -d why_end echo $arg%d\\n why_end '@SCRIPT@' put $PPID words", $why_word
      set $why_word = $why_word + 1
    end
    why-gather
    pipe echo | '@SCRIPT@' ask $PPID why
    why-answer
  end
end
document why
Explain what the program did, by gdb-why.
Usage: why [EXPR | not COND | line N | not line N | --expect FILE | --golden PROG]
Without an argument: why the program fails, or will fail when it runs on:
the statements that could have been otherwise so that it would have passed;
why --all shows all of them, and the way from each to the failure.
With --expect FILE or --golden PROG: why it does not print what is in FILE, or
what PROG prints; with --memory: which access to memory is invalid.
With EXPR, in C: why EXPR has its value where the program stands.  Before EXPR,
-d N goes N hops back, --all shows all rows, --row N goes on from row N.
With not COND: which statements could have been otherwise so that COND holds.
With [not] line N: which decisions led to, or away from, that line.
The program is run again, by another GDB, with the same arguments; this one
stays where it is.  In a character constant, write \\ for \.
end

define explain
  dont-repeat
  pipe echo | '@SCRIPT@' begin $PPID
  if $_shell_exitcode == 0
    set $why_word = 0
    while $why_word < $argc
      eval "pipe -d why_end echo $arg%d\\n why_end '@SCRIPT@' put $PPID words", $why_word
      set $why_word = $why_word + 1
    end
    why-gather
    pipe echo | '@SCRIPT@' ask $PPID why
    why-answer
  end
end
document explain
Explain what the program did, by gdb-why.
As why.
end

define why-not
  dont-repeat
  pipe echo | '@SCRIPT@' begin $PPID
  if $_shell_exitcode == 0
    set $why_word = 0
    while $why_word < $argc
      eval "pipe -d why_end echo $arg%d\\n why_end '@SCRIPT@' put $PPID words", $why_word
      set $why_word = $why_word + 1
    end
    why-gather
    pipe echo | '@SCRIPT@' ask $PPID why not
    why-answer
  end
end
document why-not
Say which statements could have been otherwise so that a condition holds here.
Usage: why-not COND
As why not COND.
end

define suspects
  dont-repeat
  pipe echo | '@SCRIPT@' begin $PPID
  if $_shell_exitcode == 0
    why-gather
    pipe echo | '@SCRIPT@' ask $PPID why
    why-answer
  end
end
document suspects
List the statements that the program's failure can be blamed on, by gdb-why.
As why without an argument.
end

define panel
  dont-repeat
  pipe echo | '@SCRIPT@' begin $PPID
  if $_shell_exitcode == 0
    why-gather
    pipe echo | '@SCRIPT@' panel $PPID
    if $_shell_exitcode == 10
      why-process
      eval "source /tmp/gdb-why.%d/go-to.gdb", $why_pid
    end
    pipe echo | '@SCRIPT@' end $PPID
    # the TUI does not know that its screen was taken
    pipe info win | grep -q 'not active'
    if $_shell_exitcode == 1
      refresh
    end
  end
end
document panel
Look at why the program fails on a screen of its own, by gdb-why.
`?' lists its keys, `q' comes back here, with the breakpoints set by `b'.
`s' comes back with a temporary breakpoint at the line that was selected.
end
