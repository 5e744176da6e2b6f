# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs inside GDB (values-gdb-test.sh starts it).  With VALUES_MODE=find it runs the program and
# lists stops, FILE:LINE:COUNT, with the names of variables that are visible there.  With
# VALUES_MODE=check it stops where each claim of VALUES_CLAIMS was made, and compares the claim's
# text with the value that GDB has.  It writes one JSON document to VALUES_OUT.
import json
import os
import gdb

LONGEST, MOST = 32, 6
KIND = {getattr(gdb, n): n for n in dir(gdb) if n.startswith("TYPE_CODE_")}


class Unknown(Exception):
    """GDB cannot tell the value either."""


def kind(value):
    return KIND[value.type.strip_typedefs().code][len("TYPE_CODE_"):]


def char_text(v):
    v &= 0xff
    if v in (39, 92):
        return "'\\%c'" % v
    return "'%c'" % v if 32 <= v < 127 else "'\\n'" if v == 10 else None


def string_at(address):
    """How gdb-why writes the string at an address; None when it is none."""
    out = ""
    escapes = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 11: "\\v", 34: '\\"', 92: "\\\\"}
    for i in range(LONGEST + 1):
        c = bytes(gdb.selected_inferior().read_memory(address + i, 1))[0]
        if c == 0:
            return '"%s"' % out
        if i == LONGEST:
            return '"%s..."' % out
        if not (32 <= c < 127 or c in (9, 10)):
            return None
        out += escapes.get(c, chr(c))
    return None


def plain_texts(value):
    """What gdb-why may write for a value that is no aggregate."""
    what = kind(value)
    number = None if what == "FLT" else int(value)
    if what == "FLT":
        return [repr(float(value))]
    if what == "BOOL":
        return ["true" if number else "false"] if number < 2 else [str(number)]
    if what == "ENUM":
        return [str(value), str(number)]
    if what == "CHAR" or (what == "INT" and value.type.sizeof == 1):
        return [t for t in (char_text(number), str(number)) if t]
    return [str(number)]


def pointer_matches(text, value):
    number = int(value)
    if text == "NULL" or number == 0:
        return text == "NULL" and number == 0
    if text.startswith("&"):
        try:
            return int(gdb.parse_and_eval(text).cast(gdb.lookup_type("long"))) == number
        except gdb.error:
            raise Unknown()
    if text.startswith('"'):
        return text == string_at(number)
    if text.startswith("the "):
        target = value.dereference()
        for field in target.type.strip_typedefs().fields():
            if text == "the %s with %s %s" % (target.type.strip_typedefs().tag or "object",
                                              field.name, scalar_text(target[field])):
                return True
        return False
    if text.startswith("0x"):
        raise Unknown()  # the runs do not share their addresses
    return text in str(value)  # the name of a function


def scalar_text(value):
    try:
        return plain_texts(value)[0]
    except (KeyError, gdb.error):
        return None


def split(text):
    """The elements of {a, {b, c}, "d, e"}."""
    out, depth, quote, start, i = [], 0, None, 1, 1
    while i < len(text) - 1:
        c = text[i]
        if quote:
            if c == "\\":
                i += 1
            elif c == quote:
                quote = None
        elif c in "\"'":
            quote = c
        elif c in "{}":
            depth += 1 if c == "{" else -1
        elif c == "," and depth == 0:
            out.append(text[start:i].strip())
            start = i + 1
        i += 1
    return out + [text[start:len(text) - 1].strip()]


def parts(value):
    if kind(value) == "ARRAY":
        first, last = value.type.strip_typedefs().range()
        return [value[i] for i in range(first, min(last, first + MOST) + 1)]
    return [value[f] for f in value.type.strip_typedefs().fields()]


def compare(text, value):
    """How many plain values agree; raises ValueError where one does not."""
    what = kind(value)
    if text in ("{...}", "...", "?", "one address", "another address"):
        return 0
    if value.is_optimized_out:
        raise ValueError("%s, but GDB says <optimized out>" % text)
    if what in ("STRUCT", "ARRAY", "UNION"):
        if not text.startswith("{"):
            raise ValueError("%s for an aggregate" % text)
        found, all_parts = split(text), parts(value)
        if found != ["..."] and len(found) > len(all_parts) + 1:
            raise ValueError("%s has too many parts" % text)
        return sum(compare(t, v) for t, v in zip(found, all_parts) if t != "...")
    if what in ("PTR", "REF"):
        same = pointer_matches(text, value)
    elif what == "FLT":
        import struct
        code = {4: "f", 8: "d"}.get(value.type.sizeof)
        same = code and struct.pack(code, float(text)) == struct.pack(code, float(value))
    else:
        texts = plain_texts(value)
        same = text in texts or (text in ("true", "false") and
                                 (text == "true") == (int(value) != 0))
    if not same:
        raise ValueError("%s, but GDB says %s" % (text, value))
    return 1



class Judge:
    def __init__(self):
        self.out = {"compared": 0, "unknown": 0, "false": []}

    def judge(self, claim):
        try:
            # such words say which object it is, by what it holds when the test fails
            if claim["value"].startswith("the ") and claim["door"] in ("line", "suspect"):
                raise Unknown()
            value = gdb.parse_and_eval(claim["name"])
            value.fetch_lazy() if not value.is_optimized_out else None
            self.out["compared"] += compare(claim["value"], value)
        except (Unknown, gdb.MemoryError):
            self.out["unknown"] += 1
        except gdb.error:  # not C for GDB: "argument 1 of f"
            self.out["unknown"] += 1
        except ValueError as wrong:
            self.out["false"].append("%s %s: %s = %s" % (claim["door"], claim["at"],
                                                         claim["name"], wrong))


def run_to_stops(stops, arrived):
    """Runs the program; calls arrived(stop, count) each time it comes to one of the stops."""
    points = {}
    for stop in stops:
        spec = "*(%s)" % stop if "+" in stop else stop
        try:
            points[gdb.Breakpoint(spec, internal=True).number] = stop
        except gdb.error:
            pass
    counts, hit = {}, []

    def on_stop(event):
        hit.extend(points[b.number] for b in getattr(event, "breakpoints", [])
                   if b.number in points)

    gdb.events.stop.connect(on_stop)
    gdb.execute("run")
    while gdb.selected_inferior().pid and hit:
        here = list(hit)
        hit.clear()
        for stop in here:
            counts[stop] = counts.get(stop, 0) + 1
        for stop in here:
            if not arrived(stop, counts[stop]):
                hit.clear()
                return
        # what was done there may have come to the next stop already
        if gdb.selected_inferior().pid and not hit:
            gdb.execute("continue")
    gdb.events.stop.disconnect(on_stop)


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


def find(path):
    first, last = 1, len(open(path).read().splitlines())
    lines = [i for i in range(first, last + 1)]
    name, stops = os.path.basename(path), []
    spots = set()
    symtab = gdb.lookup_global_symbol("main").symtab
    table = {e.line for l in lines if symtab.linetable().has_line(l)
             for e in symtab.linetable().line(l) or []}

    def arrived(stop, count):
        if count <= 2 and (stop, count) not in spots:
            spots.add((stop, count))
            stops.append({"at": "%s:%d" % (stop, count), "names": names_here()})
        return len(stops) < 400

    run_to_stops(["%s:%d" % (name, l) for l in sorted(table)], arrived)
    return stops


def check(path, claims):
    judge, by_stop = Judge(), {}
    for claim in claims:
        if claim["at"] != "failure":
            stop, count = claim["at"].rsplit(":", 1)
            by_stop.setdefault(stop, {}).setdefault(int(count), []).append(claim)

    def arrived(stop, count):
        later = []
        for claim in by_stop.get(stop, {}).get(count, []):
            if claim.get("after"):
                later.append(claim)
            else:
                judge.judge(claim)
        if later:
            frame = gdb.selected_frame()
            line = frame.find_sal().line
            gdb.execute("next")
            # another breakpoint may have ended it within the line, or in a call
            if gdb.selected_inferior().pid and gdb.selected_frame() == frame and \
                    frame.find_sal().line != line:
                for claim in later:
                    judge.judge(claim)
        return True

    if by_stop:
        run_to_stops(sorted(by_stop), arrived)
    failed = [c for c in claims if c["at"] == "failure"]
    if failed:
        for b in list(gdb.breakpoints()):
            b.delete()
        gdb.execute("run")
        if gdb.selected_inferior().pid and own_frame(path):
            for claim in failed:
                judge.judge(claim)
    return judge.out


gdb.execute("set confirm off")
gdb.execute("set pagination off")
gdb.execute("set breakpoint pending off")
gdb.execute("set print repeats unlimited")
mode, source = os.environ["VALUES_MODE"], os.environ["VALUES_SOURCE"]
if mode == "find":
    answer = find(source)
else:
    with open(os.environ["VALUES_CLAIMS"]) as f:
        answer = check(source, json.load(f))
with open(os.environ["VALUES_OUT"], "w") as f:
    json.dump(answer, f)
