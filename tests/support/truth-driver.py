# SPDX-License-Identifier: GPL-3.0-or-later
#
# truth-driver.py GDB-WHY PROGRAM SOURCE ASKS DIR ARGUMENT...: collects what `gdb-why explain' and
# `ask' show of the program, lets truth-gdb.py judge it, and prints "COMPARED UNKNOWN FALSE" and
# the false ones.  ASKS: how many questions `why VARIABLE' are asked at most.  TRUTH_STDIN: the
# program's input.
import json
import os
import subprocess
import sys

why, program, source, asks, folder = sys.argv[1:6]
arguments, asks = sys.argv[6:], int(asks)
here = os.path.dirname(os.path.abspath(__file__))
record = os.path.join(folder, "record")
stdin = os.environ.get("TRUTH_STDIN", "/dev/null")
patience = int(os.environ.get("TRUTH_SECONDS", "120"))


def said(words):
    try:
        done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=patience, errors="replace")
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout


def gdb_why(*words):
    try:
        return json.loads(said([why, *words]))
    except ValueError:
        return None


def in_gdb(mode, claims):
    paths = {k: os.path.join(folder, k + ".json") for k in ("claims", "out")}
    with open(paths["claims"], "w") as f:
        json.dump(claims, f)
    if os.path.exists(paths["out"]):
        os.unlink(paths["out"])
    script = os.path.join(here, "truth-gdb.py")
    environment = dict(os.environ, TRUTH_MODE=mode, TRUTH_SOURCE=os.path.realpath(source),
                       TRUTH_CLAIMS=paths["claims"], TRUTH_OUT=paths["out"], TRUTH_SCRIPT=script,
                       TRUTH_OPTIMIZED="" if program.endswith("-O0") else "1")
    with open(stdin) as given:
        try:
            done = subprocess.run(["gdb", "-nx", "-batch", "-x", script, "--args", program,
                                   *arguments], env=environment, text=True, errors="replace",
                                  capture_output=True, stdin=given, timeout=2 * patience)
        except subprocess.TimeoutExpired:
            print("out of time: %s" % program, file=sys.stderr)
            return None
    if not os.path.exists(paths["out"]):
        sys.exit("GDB wrote no answer for %s: %s" % (program, done.stderr[-2000:]))
    with open(paths["out"]) as f:
        return json.load(f)


WHAT = {"assignment": "value", "condition": "condition", "call": "call", "return": "return"}


def claims_of_explain(answer):
    for v in answer["failure"]["values"]:
        yield {"door": "failure", "at": "failure", "what": "before", "name": v["name"],
               "value": v["value"]}
    for suspect in answer["suspects"]:
        for one in suspect.get("instances", []):
            s = suspect["statements"][one["statement"]]
            if one["stop"] and one["actual"] and s["kind"] in WHAT:
                yield {"door": "suspect", "at": one["stop"], "what": WHAT[s["kind"]],
                       "row": True, "name": s["clause"], "value": one["actual"]}
    for link in answer["chain"]:
        for v in link["values"] if link["stop"] else []:
            actual = v["value"].split(" -> ")[0]
            what = "return" if v["name"] == "result" else \
                "either" if actual in ("true", "false") else \
                "call" if v["name"].startswith("argument ") else "value"
            if not v["name"].startswith(("place of ", "switch (")) and actual != "not run":
                yield {"door": "way", "at": link["stop"], "what": what, "row": True,
                       "name": v["name"], "value": actual}
    for v in answer["line_values"]:
        if v["stop"] and not v["value"].startswith(("case ", "default")):
            what = "either" if v["value"] in ("true", "false") else "value"
            yield {"door": "line", "at": v["stop"], "what": what, "row": True,
                   "name": v["name"], "value": v["value"]}


def claims_of_tree(tree, at):
    root = tree["causes"][0]
    if root["value"]:
        yield {"door": "why", "at": at, "what": "before", "name": root["clause"],
               "value": root["value"]}
    for c in tree["causes"][1:]:
        name, value, what = c["clause"], c["value"], WHAT.get(c["kind"])
        if not c["stop"] or not value or not name:
            continue
        if c["kind"] == "input":
            name, _, rest = name.partition(",")
            what = "result" if name.endswith(" returned") else "before" if rest else None
        if what:
            yield {"door": "cause", "at": c["stop"], "what": what, "name": name, "value": value}


def asked(stops):
    questions = [(s["at"], n) for s in stops for n in s["names"]]
    step = max(1, len(questions) / asks) if asks else 1
    for at, name in [questions[int(i * step)] for i in range(min(asks, len(questions)))]:
        tree = gdb_why("ask", "--record", record, "--at", at, "--depth", "30", "--format", "json",
                       "why", name, "--", program)
        if tree:
            yield from claims_of_tree(tree, at)


def unique(claims):
    found = {}
    for c in claims:
        found.setdefault((c["at"], c["what"], c["name"], c["value"]), c)
    return list(found.values())


stops = in_gdb("find", []) or []
given = ["--stdin", stdin] if stdin != "/dev/null" else []
said([why, "record", "-o", record, *given, "--", program, *arguments])
answer = gdb_why("explain", "--format", "json", "--timeout", "20", *given, "--", program,
                 *arguments)
claims = unique((list(claims_of_explain(answer)) if answer else []) + list(asked(stops)))
# the stops of one kind would end the steps from those of another
batches = ([c for c in claims if c.get("row") and c["door"] == "suspect"],
           [c for c in claims if c.get("row") and c["door"] != "suspect"],
           [c for c in claims if not c.get("row")])
judged = [in_gdb("check", part) for part in batches if part]
judged = [j for j in judged if j]
false = [line for j in judged for line in j["false"]]
print(sum(j["compared"] for j in judged), sum(j["unknown"] for j in judged), len(false))
for line in false:
    print("false: %s: %s" % (os.path.basename(program), line))
