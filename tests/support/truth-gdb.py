# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs inside GDB; truth-driver.py starts it.  TRUTH_MODE=find: runs the program and lists stops,
# FILE:LINE:COUNT, with the names of variables there.  TRUTH_MODE=check: judges all claims of
# TRUTH_CLAIMS in one run (and one more for those about the failure).  Writes JSON to TRUTH_OUT.
#
# A claim says: at this execution of this instruction, NAME got VALUE (what: value), the condition
# NAME went VALUE (condition), NAME was VALUE before it (before), the function returned VALUE
# (return), or the call that follows passes VALUE as NAME (call).
import json
import os
import re
import sys

import gdb

exec(open(os.path.join(os.path.dirname(os.path.abspath(
    os.environ["TRUTH_SCRIPT"])), "truth-compare.py")).read())

MOST_STEPS = 60
LATER = 40
OPTIMIZED = os.environ.get("TRUTH_OPTIMIZED")
EFFECTS = re.compile(r"\+\+|--|[^=!<>]=[^=]|\w\s*\(")


def run_again():
    """From the beginning of its input, too, which runs of one GDB would share."""
    try:
        os.lseek(0, 0, os.SEEK_SET)
    except OSError:
        pass  # no file
    gdb.execute("run", to_string=True)


def is_foreign(name):
    """Is it a variable of a library's own?  GDB finds libc's static ones when it has their symbols."""
    for word in re.findall(r"(?<![\w.>])[A-Za-z_]\w*", name):
        symbol = gdb.lookup_symbol(word)[0] or gdb.lookup_static_symbol(word)
        if symbol and symbol.symtab and \
                symbol.symtab.objfile.filename != gdb.current_progspace().filename:
            return True
    return False


def evaluate(name):
    """GDB's value; not of what would change the program.  gdb-why tells the variables of the
    functions around an inlined one, too, because they share its frame."""
    if EFFECTS.search(name):
        raise Unknown()
    here = frame = gdb.selected_frame()
    try:
        while True:
            try:
                if not is_foreign(name):
                    return gdb.parse_and_eval(name)
            except gdb.error:
                if frame.type() != gdb.INLINE_FRAME:
                    raise
            if frame.type() != gdb.INLINE_FRAME:
                raise Unknown()
            frame = frame.older()
            frame.select()
    finally:
        here.select()


class Judge:
    def __init__(self):
        self.out = {"unknown": 0, "false": [], "doors": {}, "agreed": []}

    def agrees(self, claim, n):
        """n values of the claim are GDB's."""
        if n:
            doors = self.out["doors"]
            doors[claim["door"]] = doors.get(claim["door"], 0) + n
            self.out["agreed"].append((claim["name"], claim["value"]))

    def agree(self, claim, value):
        """Compares, and takes note when it agrees; ValueError when it does not."""
        if not value.is_optimized_out:
            value.fetch_lazy()
        self.agrees(claim, compare(claim["value"], value))

    def give_up(self, claim):
        self.out["unknown"] += 1

    def is_false(self, claim, wrong):
        self.out["false"].append("%s %s: %s of `%s' = %s: %s" % (
            claim["door"], claim["at"], claim["what"], claim["name"], claim["value"], wrong))

    def named(self, claim):
        """Judges the claim by its name, now.  Says what is wrong, or None."""
        try:
            self.agree(claim, evaluate(claim["name"]))
        except (Unknown, gdb.error, KeyError):
            self.give_up(claim)
        except ValueError as wrong:
            return str(wrong)
        return None


class Counted(gdb.Breakpoint):
    """Stops at those executions of an instruction that somebody asks about."""

    def __init__(self, spec, wanted, arrived):
        super().__init__(spec, internal=True)
        self.silent = True
        self.wanted, self.arrived, self.count = wanted, arrived, 0

    def stop(self):
        self.count += 1
        if self.count not in self.wanted:
            return False
        self.arrived.append((self, self.count))
        return True


class Returned(gdb.FinishBreakpoint):
    def __init__(self, claims, arrived):
        super().__init__(gdb.newest_frame(), internal=True)
        self.silent = True
        self.claims, self.arrived = claims, arrived

    def stop(self):
        self.arrived.append((self, 0))
        return True


class Called(gdb.Breakpoint):
    """The function's body, as it is called from this frame."""

    def __init__(self, function, claims, arrived):
        super().__init__(function, internal=True)
        self.silent = True
        self.claims, self.arrived, self.caller = claims, arrived, gdb.newest_frame()

    def stop(self):
        try:
            mine = gdb.newest_frame().older() == self.caller
        except gdb.error:
            mine = False
        if mine:
            self.arrived.append((self, 0))
        return mine


def alive():
    return gdb.selected_inferior().pid != 0


def judge_condition(judge, claim):
    if EFFECTS.search(claim["name"]) or claim["value"] not in ("true", "false"):
        judge.give_up(claim)
        return
    wrong = judge.named(claim)
    if wrong and OPTIMIZED and any(is_static(n) for n in re.findall(r"[A-Za-z_]\w*", claim["name"])):
        judge.give_up(claim)  # the optimizer stores it behind the loop, so GDB has an old value
    elif wrong:
        judge.is_false(claim, wrong)


def is_static(name):
    try:
        return gdb.lookup_symbol(name)[0].addr_class == gdb.SYMBOL_LOC_STATIC
    except (AttributeError, TypeError, gdb.error):
        return False


def in_sight(claim):
    """The claim with a number for `&x', which may be out of sight behind the instruction."""
    try:
        if re.match(r"&\w+[\w\[\].]*$", claim["value"]):
            return dict(claim, value="&=%#x" % int(gdb.parse_and_eval(claim["value"])))
    except gdb.error:
        pass
    return claim


def judge_after(judge, claims, arrived):
    """Behind the instruction; where it says otherwise, behind the line as well."""
    if gdb.selected_frame().read_register("rip") is None:
        return
    frame, line = gdb.newest_frame(), gdb.newest_frame().find_sal().line
    claims = [in_sight(c) for c in claims]
    gdb.execute("nexti" if callee_at(frame) else "stepi", to_string=True)
    if arrived or not alive() or gdb.newest_frame() != frame:
        for claim in claims:  # another stop came in the function that is called
            judge.give_up(claim)
        return
    wrong = [(c, judge.named(c)) for c in claims]
    wrong = [(c, w) for c, w in wrong if w]
    # the optimizer's variable may move to the register some instructions later
    for _ in range(LATER if wrong and OPTIMIZED else 0):
        if arrived or not alive():
            break
        gdb.execute("nexti", to_string=True)
        if alive():
            wrong = [(c, w) for c, w in [(c, judge.named(c)) for c, _ in wrong] if w]
        if not wrong:
            return
    if wrong and not arrived and frame.is_valid() and gdb.newest_frame() == frame:
        gdb.execute("next", to_string=True)
        if alive() and frame.is_valid() and gdb.newest_frame() == frame:
            wrong = [(c, judge.named(c)) for c, _ in wrong]
        elif any(c.get("row") for c, _ in wrong):
            arrived = True
    for claim, what in wrong:
        # another stop came between, so the line's end was not seen
        if what and arrived and (claim.get("row") or OPTIMIZED):
            judge.give_up(claim)
        elif what:
            judge.is_false(claim, what)


def judge_result(judge, claims, arrived):
    """What a call of the library returned, in %rax."""
    gdb.execute("nexti", to_string=True)
    for claim in claims:
        try:
            rax = gdb.parse_and_eval("$rax")
            if arrived or not claim["value"].lstrip("-").isdigit():
                raise Unknown()
            texts = {str(int(rax.cast(gdb.lookup_type(t)))) for t in ("int", "long", "unsigned int")}
            if claim["value"] not in texts:
                raise ValueError("%s, but GDB says %s" % (claim["value"], rax))
            judge.agrees(claim, 1)
        except (Unknown, gdb.error):
            judge.give_up(claim)
        except ValueError as wrong:
            judge.is_false(claim, wrong)


def callee_at(frame):
    text = frame.architecture().disassemble(frame.pc())[0]["asm"]
    found = re.match(r"call\w*\s+0x[0-9a-f]+ <([\w.]+)>", text)
    return found.group(1) if found else None


def calls_by_pointer(frame):
    return re.match(r"call\w*\s+\*", frame.architecture().disassemble(frame.pc())[0]["asm"])


def watch_call(judge, claim, arrived, watched):
    """argument N of FUNCTION, or a parameter of the function that is called next."""
    numbered = re.match(r"argument (\d+) of (\w+)$", claim["name"])
    try:
        if numbered:
            watched.append(Called(numbered.group(2), [claim], arrived))
            return
        frame = gdb.newest_frame()
        for _ in range(MOST_STEPS):
            callee = callee_at(frame)
            symbol = gdb.lookup_global_symbol(callee) or gdb.lookup_static_symbol(callee) \
                if callee else None
            if symbol and symbol.symtab and claim["name"] in parameters_of(block_of(callee)):
                watched.append(Called(callee, [claim], arrived))
                return
            if calls_by_pointer(frame):
                break  # nobody knows whose parameter it is
            gdb.execute("nexti", to_string=True)
            if arrived or not alive() or not frame.is_valid() or gdb.newest_frame() != frame:
                break
    except (gdb.error, RuntimeError):
        pass
    judge.give_up(claim)


def block_of(function):
    return gdb.block_for_pc(int(gdb.parse_and_eval("(long)&%s" % function)))


def parameters_of(block):
    while block and not block.function:
        block = block.superblock
    # a copy of the function that the compiler made for its calls may describe one of them twice
    return list(dict.fromkeys(s.name for s in block if s.is_argument)) if block else []


def judge_argument(judge, point):
    for claim in point.claims:
        numbered = re.match(r"argument (\d+) of", claim["name"])
        names = parameters_of(gdb.newest_frame().block())
        given = [n for n in names if n != "this"]  # the source does not count the object
        name = claim["name"] if not numbered else \
            given[int(numbered.group(1)) - 1] if int(numbered.group(1)) <= len(given) else None
        if not name or name not in names:
            judge.give_up(claim)
            continue
        wrong = judge.named(dict(claim, name=name))
        if wrong:
            judge.is_false(claim, wrong)
    point.enabled = False


def judge_return(judge, point):
    value = point.return_value
    for claim in point.claims:
        try:
            if value is None:
                raise Unknown()
            judge.agree(claim, value)
        except (Unknown, gdb.error, KeyError):
            judge.give_up(claim)
        except ValueError as wrong:
            judge.is_false(claim, wrong)


def plain_name(function):
    return re.sub(r"[<(].*", "", function or "").rsplit("::", 1)[-1]


def select_frame_of(claim):
    """The frame of the function that the answer names, or the innermost one: of those that are inlined
    at the stop GDB may stand in another one.  False: the answer's is none of them."""
    newest = frame = gdb.newest_frame()
    told = plain_name(claim.get("function"))
    while told and plain_name(frame.name()) != told:
        if frame.type() != gdb.INLINE_FRAME:
            newest.select()
            return False
        frame = frame.older()
    frame.select()
    return True


def judge_stop(judge, claims, arrived, watched):
    by_what = {}
    for claim in claims:
        by_what.setdefault(claim["what"], []).append(claim)
    for claim in by_what.get("before", []):
        # the answer may be about an inlined call that begins there, in which GDB does not stand
        elsewhere = not select_frame_of(claim) and OPTIMIZED
        wrong = judge.named(claim)
        # what a run leaves on the stack is not what GDB's run leaves there
        if wrong and (elsewhere or claim.get("leftover")):
            judge.give_up(claim)
        elif wrong:
            judge.is_false(claim, wrong)
    gdb.newest_frame().select()
    for claim in by_what.get("either", []):  # a condition, or a bool that got a value
        try:
            judge.agree(claim, evaluate(claim["name"]))
        except (Unknown, ValueError, gdb.error, KeyError):
            by_what.setdefault("value", []).append(claim)
    for claim in by_what.get("condition", []):
        judge_condition(judge, claim)
    if "return" in by_what:
        try:
            watched.append(Returned(by_what["return"], arrived))
        except (ValueError, gdb.error):
            for claim in by_what["return"]:
                judge.give_up(claim)
    calls = [c for c in by_what.get("call", [])]
    numbered = [c for c in calls if c["name"].startswith("argument ")]
    for claim in numbered:
        watch_call(judge, claim, arrived, watched)
    if "result" in by_what:
        judge_result(judge, by_what["result"], arrived)
    elif "value" in by_what:
        judge_after(judge, by_what["value"], arrived)
    for claim in calls:
        if claim not in numbered:
            if alive() and not arrived:
                watch_call(judge, claim, arrived, watched)
            else:
                judge.give_up(claim)


def run_once(judge, by_stop):
    """by_stop: {"push+37": {2: [claims]}}."""
    arrived, watched, points = [], [], []
    for stop, wanted in by_stop.items():
        spec = "*(%s)" % stop if "+" in stop else stop
        try:
            point = Counted(spec, wanted, arrived)
            point.stop_name = stop
            points.append(point)
        except (gdb.error, RuntimeError):
            for claims in wanted.values():
                for claim in claims:
                    judge.give_up(claim)
    run_again()
    while alive() and arrived:
        here, claims = list(arrived), []
        arrived.clear()
        for point, count in here:
            if isinstance(point, Counted):
                claims += point.wanted.pop(count)
                if not point.wanted and point.is_valid():
                    point.enabled = False
            elif isinstance(point, Returned):
                judge_return(judge, point)
            else:
                judge_argument(judge, point)
        if claims:  # together, because some of them go on from here
            judge_stop(judge, claims, arrived, watched)
        if alive() and not arrived:
            gdb.execute("continue", to_string=True)
    for point in points:
        for claims in point.wanted.values():
            for claim in claims:
                judge.give_up(claim)


def check(path, claims):
    judge, by_stop = Judge(), {}
    for claim in claims:
        if claim["at"] != "failure":
            stop, count = claim["at"].rsplit(":", 1)
            by_stop.setdefault(stop, {}).setdefault(int(count), []).append(claim)
    if by_stop:
        run_once(judge, by_stop)
    failed = [c for c in claims if c["at"] == "failure"]
    if failed:
        for b in list(gdb.breakpoints()):
            b.delete()
        run_again()
        if alive() and own_frame(path):
            for claim in failed:
                wrong = judge.named(claim)
                if wrong:
                    judge.is_false(claim, wrong)
    return judge.out


def own_frame(path):
    """Selects the innermost frame of the program's own source after a failure."""
    frame = gdb.newest_frame()
    while frame:
        sal = frame.find_sal()
        if sal.symtab and sal.symtab.fullname() == path:
            frame.select()
            return True
        frame = frame.older()
    return False


def names_here():
    out, block = [], gdb.selected_frame().block()
    while block and not block.is_global:
        out += [s.name for s in block
                if (s.is_variable or s.is_argument) and not s.name.startswith("__")]
        block = block.superblock
    return sorted(set(out))


class Visited(gdb.Breakpoint):
    def __init__(self, spec, place, stops):
        super().__init__(spec, internal=True)
        self.silent = True
        self.place, self.stops, self.count = place, stops, 0

    def stop(self):
        self.count += 1
        if gdb.newest_frame().find_sal().line != int(self.place.rsplit(":", 1)[1]):
            return False  # GDB chose the next line, because nothing begins at this one
        if self.count <= 2 or self.count in (5, 17):
            self.stops.append({"at": "%s:%d" % (self.place, self.count), "names": names_here()})
        return False


def find(path):
    last, name, stops = len(open(path).read().splitlines()), os.path.basename(path), []
    table = gdb.lookup_global_symbol("main").symtab.linetable()
    for line in range(1, last + 1):
        if table.has_line(line):
            place = "%s:%d" % (name, line)
            try:
                Visited(place, place, stops)
            except gdb.error:
                pass
    run_again()
    return stops


for setting in ("confirm off", "pagination off", "breakpoint pending off",
                "print repeats unlimited", "print finish off", "startup-with-shell on"):
    try:
        gdb.execute("set " + setting)
    except gdb.error:
        pass
mode, source = os.environ["TRUTH_MODE"], os.environ["TRUTH_SOURCE"]
if mode == "find":
    answer = find(source)
else:
    with open(os.environ["TRUTH_CLAIMS"]) as f:
        answer = check(source, json.load(f))
with open(os.environ["TRUTH_OUT"], "w") as f:
    json.dump(answer, f)
