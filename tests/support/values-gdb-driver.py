# SPDX-License-Identifier: GPL-3.0-or-later
#
# values-gdb-driver.py GDB-WHY PROGRAM SOURCE ASKS DIR ARGUMENT...: makes claims with `gdb-why
# explain' and `ask', lets values-gdb.py judge them, and prints "COMPARED UNKNOWN FALSE" and the
# false ones.  ASKS: how many questions `why VARIABLE' are asked at most.
import json
import os
import subprocess
import sys

why, program, source, asks, folder = sys.argv[1:6]
arguments, asks = sys.argv[6:], int(asks)
optimized = program.endswith("-O2")
base = os.path.basename(source)
here = os.path.dirname(os.path.abspath(__file__))
record = os.path.join(folder, "record")


def gdb_why(*words):
    done = subprocess.run([why, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return None


def in_gdb(mode, claims):
    paths = {k: os.path.join(folder, k + ".json") for k in ("claims", "out")}
    with open(paths["claims"], "w") as f:
        json.dump(claims, f)
    if os.path.exists(paths["out"]):
        os.unlink(paths["out"])
    environment = dict(os.environ, VALUES_MODE=mode, VALUES_SOURCE=os.path.realpath(source),
                       VALUES_CLAIMS=paths["claims"], VALUES_OUT=paths["out"])
    done = subprocess.run(["gdb", "-nx", "-batch", "-x", os.path.join(here, "values-gdb.py"),
                           "--args", program, *arguments], env=environment, text=True,
                          capture_output=True, stdin=subprocess.DEVNULL)
    if not os.path.exists(paths["out"]):
        sys.exit("GDB wrote no answer for %s: %s" % (program, done.stderr[-2000:]))
    with open(paths["out"]) as f:
        return json.load(f)


def claims_of_explain(answer):
    for v in answer["failure"]["values"]:
        yield {"door": "failure", "at": "failure", "name": v["name"], "value": v["value"]}
    for suspect in answer["suspects"] if not optimized else []:
        for one in suspect.get("instances", []):
            s = suspect["statements"][one["statement"]]
            if one["stop"] and one["actual"] and s["kind"] == "assignment":
                yield {"door": "suspect", "at": one["stop"], "name": s["clause"],
                       "value": one["actual"], "after": True}


def last_values(answer, stops):
    """The values of lines, where the line was reached at a stop only once (so at its last)."""
    counts = {}
    for stop in stops:
        place, count = stop["at"].rsplit(":", 1)
        counts[place] = int(count)
    for v in answer["line_values"] if not optimized else []:
        place = "%s:%d" % (base, v["line"])
        with open(v["file"]) as f:
            text = f.read().splitlines()[v["line"] - 1].strip()
        condition = text.startswith("if ")
        if text.startswith(("for ", "while ")):
            continue # it does several things, one after the other
        if counts.get(place) == 1 and os.path.basename(v["file"]) == base:
            yield {"door": "line", "at": place + ":1", "name": v["name"], "value": v["value"],
                   "after": not condition}


def asked(stops):
    questions = [(s["at"], n) for s in stops for n in s["names"]]
    step = max(1, len(questions) / asks) if asks else 1
    chosen = [questions[int(i * step)] for i in range(min(asks, len(questions)))]
    for at, name in chosen:
        tree = gdb_why("ask", "--record", record, "--at", at, "--depth", "1", "--format", "json",
                       "why", name, "--", program)
        if tree and tree["causes"][0]["value"]:
            yield {"door": "why", "at": at, "name": name, "value": tree["causes"][0]["value"]}


stops = in_gdb("find", [])
subprocess.run([why, "record", "-o", record, "--", program, *arguments], capture_output=True,
               stdin=subprocess.DEVNULL)
answer = gdb_why("explain", "--format", "json", "--timeout", "20", "--", program, *arguments)
claims = list(claims_of_explain(answer)) + list(last_values(answer, stops)) if answer else []
claims += list(asked(stops))
# the stops of one door would end the steps from those of another
judged = [in_gdb("check", [c for c in claims if c["door"] in doors])
          for doors in (("failure", "why"), ("suspect",), ("line",))
          if any(c["door"] in doors for c in claims)]
false = [line for found in judged for line in found["false"]]
print(sum(found["compared"] for found in judged), sum(found["unknown"] for found in judged),
      len(false))
for line in false:
    print("false: %s: %s" % (os.path.basename(program), line))
