#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""validate.py [--strict] SCHEMA < document

Exit status 0: the document is valid; 1: it is not (the output says where);
77: python3-jsonschema is not installed.  With --strict the schema is tried as
well: it must refuse the document without each of its fields in turn, and with
a field that it does not know at each place.
"""
import copy
import json
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)


def beyond_the_ranking_schema(document):
    counts = document["counts"]
    for line in document["lines"]:
        if len(line["scores"]) != len(document["techniques"]):
            yield f"line {line['line']}: not one score a technique"
        if line["failed"] > counts["failed"] or line["passed"] > counts["passed"]:
            yield f"line {line['line']}: executed by more tests than there are"


def beyond_the_specs_schema(document):
    for n, fault in enumerate(document["faults"]):
        ranks = [s["rank"] for s in fault["statements"]]
        if ranks and max(ranks) != len(ranks):
            yield f"fault {n}: the last rank is not the number of statements"
        if not fault["test"]["violates"] and not fault["test"]["crashes"]:
            yield f"fault {n}: its test violates nothing"


def beyond_the_schema(document):
    """What a schema cannot say: indices point into the chain, sizes are right."""
    if "causes" in document:
        for n, cause in enumerate(document["causes"]):
            if any(link["cause"] >= len(document["causes"]) for link in cause.get("because", [])):
                yield f"cause {n}: one of its causes is not there"
        return
    if "techniques" in document:
        yield from beyond_the_ranking_schema(document)
        return
    if "faults" in document:
        yield from beyond_the_specs_schema(document)
        return
    links = len(document["chain"])
    for s in document["suspects"]:
        if s["size"] > len(s["statements"]):
            yield f"suspect {s['rank']}: fewer statements than units changed"
        if any(i >= links for i in s["chain"]):
            yield f"suspect {s['rank']}: an index lies outside of the chain"
    for n, link in enumerate(document["chain"]):
        if any(i >= links for i in link["because"]):
            yield f"link {n}: a cause lies outside of the chain"


def paths_of_objects(node, path=()):
    """Where objects are; of an array, in its first element."""
    if isinstance(node, dict):
        yield path
        for name in node:
            yield from paths_of_objects(node[name], path + (name,))
    elif isinstance(node, list) and node:
        yield from paths_of_objects(node[0], path + (0,))


def at(document, path):
    for step in path:
        document = document[step]
    return document


def variants(document):
    """(what was done, document) for each change that must be refused."""
    for path in paths_of_objects(document):
        if path == ("stats", "techniques"):  # by name, as many as were tried
            continue
        for name in at(document, path):
            less = copy.deepcopy(document)
            del at(less, path)[name]
            yield f"without {path} {name}", less
        more = copy.deepcopy(document)
        at(more, path)["unknown"] = 0
        yield f"with an unknown field at {path}", more


def main(arguments):
    strict = arguments[:1] == ["--strict"]
    with open(arguments[-1], encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    document = json.load(sys.stdin)
    wrong = [f"{'/'.join(map(str, e.absolute_path)) or 'document'}: {e.message}"
             for e in validator.iter_errors(document)]
    wrong += [] if wrong else beyond_the_schema(document)
    tried = 0
    for what, variant in variants(document) if strict and not wrong else ():
        tried += 1
        if validator.is_valid(variant):
            wrong.append(f"the schema accepts the document {what}")
    if strict and not wrong and tried < (15 if "causes" in document else 30):
        wrong.append(f"only {tried} changes could be tried on this document")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


sys.exit(main(sys.argv[1:]))
