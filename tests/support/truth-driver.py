# SPDX-License-Identifier: GPL-3.0-or-later
#
# truth-driver.py GDB-WHY PROGRAM SOURCE ASKS DIR ARGUMENT...: collects what a session of gdb-why,
# its exports, the panel and `ask' show of the program, lets truth-gdb.py judge it, and prints
# "COMPARED UNKNOWN FALSE", how many each door has of the compared ones, and the false ones.
# ASKS: how many questions `why VARIABLE' are asked at most.  TRUTH_STDIN: the program's input.
# TRUTH_ASKS_ONLY: ask those alone.  TRUTH_PANEL: look at the panel, too.  TRUTH_LIE: tell a lie at each door, to see it caught.
import json
import os
import shlex
import subprocess
import sys

why, program, source, asks, folder = sys.argv[1:6]
arguments, asks = sys.argv[6:], int(asks)
here = os.path.dirname(os.path.abspath(__file__))
record = os.path.join(folder, "record")
stdin = os.environ.get("TRUTH_STDIN", "/dev/null")
patience = int(os.environ.get("TRUTH_SECONDS", "120"))
lies = os.environ.get("TRUTH_LIE")
exec(open(os.path.join(here, "truth-doors.py")).read())


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


READ = " as it is read here"


def read_before(claims):
    """What a statement reads has its value before the instruction."""
    for c in claims:
        yield dict(c, what="before", name=c["name"][:-len(READ)]) \
            if c["name"].endswith(READ) else c


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
    for link in answer["opening"]:
        for v in link["values"] if link["stop"] else []:
            if v["name"] == "result" or not v["name"].startswith("place of "):
                what = "return" if v["name"] == "result" else \
                    "either" if v["value"] in ("true", "false") else "value"
                yield {"door": "opening", "at": link["stop"], "what": what, "row": True,
                       "name": v["name"], "value": v["value"]}
    for v in answer["line_values"]:
        if v["stop"] and not v["value"].startswith(("case ", "default")):
            what = "return" if v["name"] == "result" else \
                "either" if v["value"] in ("true", "false") else "value"
            yield {"door": "line", "at": v["stop"], "what": what, "row": True,
                   "name": v["name"], "value": v["value"]}


def claims_of_tree(tree, at):
    root = tree["causes"][0]
    if root["value"]:
        yield {"door": "why", "at": at, "what": "before", "name": root["clause"],
               "value": root["value"], "function": root["function"]}
    for c in tree["causes"][1:]:
        name, value, what = c["clause"], c["value"], WHAT.get(c["kind"])
        if not c["stop"] or not value or not name:
            continue
        if name == "an intermediate result":
            continue  # nobody can ask GDB about it
        if c["kind"] == "input":
            name, _, rest = name.partition(",")
            if name == "zero":
                continue  # as calloc made it
            what = "result" if name.endswith(" returned") else "before" if rest else None
        if what:
            yield {"door": "cause", "at": c["stop"], "what": what, "name": name, "value": value,
                   "leftover": "never initialised" in c["clause"]}


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


def lied(text):
    """Another value than the text has."""
    return str(int(text) + 1) if re.match(r"-?\d+$", text) else \
        "false" if text == "true" else "true" if text == "false" else "98765"


def lie_in(claims):
    """The first claim of each door becomes false."""
    doors = set()
    for c in claims:
        if c["door"] not in doors and re.match(r"(-?\d+|true|false)$", c["value"]):
            doors.add(c["door"])
            c["value"] = lied(c["value"])


def lie_in_cells(cells):
    """One more cell with a value that nobody computed."""
    return list(cells) + (["never_there = 98765"] if lies else [])


def follow(session, answer):
    """What follows the suspects, as (door, sentence or None)."""
    script = os.path.join(here, "truth-session.py")
    session.says("python TRUTH_SCRIPT = %r; exec(open(%r).read())" % (script, script))
    for suspect in answer["suspects"][:FOLLOWED]:
        if lies:
            suspect["replay"] = {"passes": "fails", "fails": "passes"}.get(suspect["replay"])
            for one in suspect["instances"]:
                one["actual"] = one["actual"] and lied(one["actual"])
        yield from followed(session, suspect)


def live():
    """The answer of a session, what it exports, and what follows from its suspects."""
    session = Session([why, "-nx", "-q", "--args", program, *arguments], 2 * patience)
    paths = {k: os.path.join(folder, "answer." + k) for k in ("json", "txt", "html")}
    for path in paths.values():
        if os.path.exists(path):
            os.unlink(path)
    # arguments behind `run' take the place of all others
    session.says("run" if stdin == "/dev/null" else "run %s < %s" % (shlex.join(arguments), stdin))
    session.says("why")
    for path in paths.values():
        session.says("export " + path)
    texts = {k: read_file(p) for k, p in paths.items()}
    answer = json.loads(texts["json"]) if texts["json"] else None
    shown = {"text": lie_in_cells(cells_of_text(texts["txt"])),
             "page": lie_in_cells(cells_of_page(texts["html"]))} if answer else {}
    if answer and os.environ.get("TRUTH_PANEL"):
        shown["panel"] = lie_in_cells(cells_of_panel(panel_of(
            [why, "panel", "--color", "never", *given, "--", program, *arguments], folder),
            read_file(source).splitlines()))
    after = list(follow(session, json.loads(texts["json"]))) if answer else []
    session.close()
    return answer, shown, after


def count_shown(door, cells, answer, agreed):
    """What a door shows of the answer counts as compared when GDB agreed to it."""
    for pairs, wrong in look_up(door, cells, answer):
        if wrong:
            false.append(wrong)
            continue
        for pair in pairs:
            if pair in agreed:
                doors[door] = doors.get(door, 0) + 1
            else:
                unknown[0] += 1


stops = in_gdb("find", []) or []
given = ["--stdin", stdin] if stdin != "/dev/null" else []
said([why, "record", "-o", record, *given, "--", program, *arguments])
answer, shown, after = (None, {}, []) if os.environ.get("TRUTH_ASKS_ONLY") else live()
claims = unique(list(read_before(claims_of_explain(answer)) if answer else []) + list(asked(stops)))
if lies:
    lie_in(claims)
# the stops of one kind would end the steps from those of another
batches = ([c for c in claims if c.get("row") and c["door"] == "suspect"],
           [c for c in claims if c.get("row") and c["door"] != "suspect"],
           [c for c in claims if not c.get("row")])
judged = [in_gdb("check", part) for part in batches if part]
judged = [j for j in judged if j]
false = [line for j in judged for line in j["false"]]
unknown = [sum(j["unknown"] for j in judged)]
doors = {}
for j in judged:
    for door, n in j["doors"].items():
        doors[door] = doors.get(door, 0) + n
agreed = {tuple(pair) for j in judged for pair in j["agreed"]}
for door, cells in shown.items():
    count_shown(door, cells, answer, agreed)
for door, wrong in after:
    if wrong:
        false.append(wrong)
    else:
        doors[door] = doors.get(door, 0) + 1
print(sum(doors.values()), unknown[0], len(false),
      " ".join("%s:%d" % pair for pair in sorted(doors.items())))
for line in false:
    print("false: %s: %s" % (os.path.basename(program), line))
