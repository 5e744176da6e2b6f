# SPDX-License-Identifier: GPL-3.0-or-later
#
# Compares a value as gdb-why writes it with one that GDB has.  truth-gdb.py reads it, inside GDB.
import re
import struct

import gdb

LONGEST, MOST = 32, 6
KIND = {getattr(gdb, n): n for n in dir(gdb) if n.startswith("TYPE_CODE_")}
# words that claim nothing
NOTHING = ("{...}", "...", "?", "one address", "another address", "one way", "one case", "its own place")


class Unknown(Exception):
    """GDB cannot tell the value either."""


def kind(value):
    return KIND[value.type.strip_typedefs().code][len("TYPE_CODE_"):]


def char_text(v):
    v &= 0xff
    if v in (39, 92):
        return "'\\%c'" % v
    return "'%c'" % v if 32 <= v < 127 else "'\\n'" if v == 10 else None


def string_at(address, most=LONGEST + 1):
    """How gdb-why writes the string at an address, of at most so many bytes; None when it is none."""
    out = ""
    escapes = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 11: "\\v", 34: '\\"', 92: "\\\\"}
    for i in range(LONGEST + 1):
        if i == most:  # an array that is full
            return '"%s"' % out
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
        return ["%g" % float(value), repr(float(value)), "%.17g" % float(value)]
    if what == "BOOL":
        return ["true" if number else "false", str(number)] if number < 2 else [str(number)]
    if what == "ENUM":
        return [str(value), str(value).rsplit("::", 1)[-1], str(number)]
    if what == "CHAR" or (what == "INT" and value.type.sizeof == 1):
        return [t for t in (char_text(number), str(number)) if t]
    return [str(number)]


def scalar_texts(value):
    try:
        return plain_texts(value)
    except (KeyError, gdb.error, ValueError):
        return []


def string_texts(value):
    """The string in an array of characters, or where a pointer leads, as it is quoted."""
    kind = value.type.strip_typedefs()
    if kind.code not in (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_PTR) or \
            kind.target().strip_typedefs().sizeof != 1:
        return []
    try:
        return ['"%s"' % value.string().split("\0")[0].replace("\\", "\\\\").replace('"', '\\"')]
    except (gdb.error, UnicodeDecodeError):
        return []


def members_of(target):
    """Its plain members and the inherited ones, as (name, value)."""
    for field in target.type.strip_typedefs().fields():
        if getattr(field, "is_base_class", False):
            yield from members_of(target[field])
        elif not getattr(field, "bitsize", 0) and field.name:
            yield field.name, target[field]


def object_texts(target):
    """Every name that an object may have by one of its members."""
    kind_of = target.type.strip_typedefs()
    if kind(target) not in ("STRUCT", "UNION"):
        return
    tags = {kind_of.tag, kind_of.name, target.type.name, "object"}
    # a name without its namespaces, too, but "<" belongs to arguments of a template
    tags |= {re.sub(r"^(\w+::)+", "", tag) for tag in tags if tag}
    for name, value in members_of(target):
        for tag in tags:
            for text in scalar_texts(value) + string_texts(value):
                yield "the %s with %s %s" % (tag, name, text)


def is_address_of(text, number):
    """In this frame or, because the name is that of the argument's giver, in its caller's."""
    here, known = gdb.selected_frame(), False
    for frame in (here, here.older()):
        try:
            if frame:
                frame.select()
                known = True
                if int(gdb.parse_and_eval(text).cast(gdb.lookup_type("long"))) == number:
                    return True
        except gdb.error:
            known = frame != here
        finally:
            here.select()
    if not known:
        raise Unknown()
    return False


def pointer_matches(text, value):
    number = int(value)
    if text == "NULL" or number == 0:
        return text in ("NULL", "0") and number == 0
    if text.startswith("&="):
        return number == int(text[2:], 16)  # what `&x' was when x was in sight
    if text.startswith("&"):
        return is_address_of(text, number)
    if text.startswith('"'):
        return text == string_at(number)
    if text.startswith("the "):
        text = re.sub(r", made at \S+:\d+(, the \d+\w\w)?$", "", text)
        return text in object_texts(value.dereference())
    if text.startswith("0x"):
        raise Unknown()  # the runs do not share their addresses
    return text in str(value)  # the name of a function


def both_on_stack(text, value):
    return value.type.sizeof == 8 and text.isdigit() and \
        all(0x7ff000000000 <= n < 0x800000000000 for n in (int(text), int(value)))


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
        # a vector is of length 2, capacity 4 = {1, 2}
        elif c == "," and depth == 0 and not text.startswith(" capacity ", i + 1):
            out.append(text[start:i].strip())
            start = i + 1
        i += 1
    return out + [text[start:len(text) - 1].strip()]


def parts(value):
    first, last = value.type.strip_typedefs().range()
    return [value[i] for i in range(first, min(last, first + MOST) + 1)]


def named_parts(text, value):
    """Of {a = 1, b = {2}}: the parts of both, by the names."""
    for part in split(text):
        name, equals, rest = part.partition(" = ")
        if equals and re.match(r"\w+$", name):
            yield rest, value[name]
        elif part not in NOTHING:
            raise ValueError("%s is no member" % part)


def library_text(value):
    """What a printer of GDB writes, without addresses and scopes."""
    text = re.sub(r"@?0x[0-9a-f]+", "@", value.format_string(symbols=False, repeat_threshold=0))
    return re.sub(r"\b(std::)?(\w+::)*", "", text)


def matches_library(text, value):
    """Ours may end earlier, and has names for addresses."""
    ours = re.sub(r"\b(std::)?(\w+::)*", "", text)
    pattern = re.escape(ours).replace(re.escape("..."), ".*").replace(re.escape("?"), ".*")
    pattern = re.sub(r"get\\\(\\\)\\ =\\ .*?\\\}", r"get\\(\\) = @}", pattern)
    return re.fullmatch(pattern, library_text(value)) is not None


def compare_elements(texts, value):
    """Of a container: our elements are GDB's, or the first ones of them."""
    elements, keys = [v for _, v in gdb.default_visualizer(value).children()], []
    if gdb.default_visualizer(value).display_hint() == "map":
        keys, elements = elements[::2], elements[1::2]
    agreed = 0
    for i, text in enumerate(texts):
        if text in NOTHING:
            continue
        if i == len(elements):
            raise ValueError("%s is one element too many" % text)
        if keys:
            key, _, text = re.match(r"\[(.*?)\]( = )(.*)", text).groups()
            agreed += compare(key, keys[i])
        agreed += compare(text, elements[i])
    return agreed


def compare_library(text, value):
    """As GDB's printer has it: std::vector of length 2, capacity 4 = {1, 2}."""
    container = re.fullmatch(r"std::(\w+ (?:of length|with) \d+\b[^=]*?)(?: = (\{.*\}))?", text)
    if not container:
        if not matches_library(text, value):
            raise ValueError("%s, but GDB says %s" % (text, library_text(value)))
        return 1
    if not re.match(re.escape(container.group(1)) + r"\b", library_text(value)):
        raise ValueError("%s, but GDB says %s" % (text, library_text(value)))
    return 1 + (compare_elements(split(container.group(2)), value) if container.group(2) else 0)


def compare(text, value):
    """How many plain values agree; ValueError where one does not."""
    if text in NOTHING:
        return 0
    if value.is_optimized_out:
        raise Unknown()
    what = kind(value)
    if what == "REF":
        value = value.referenced_value()
        what = kind(value)
    if what == "STRUCT" and gdb.default_visualizer(value):
        return compare_library(text, value)
    if what == "ARRAY" and text.startswith('"'):
        if text != string_at(int(value.address), value.type.sizeof):
            raise ValueError("%s, but GDB says %s" % (text, value))
        return 1
    if what in ("STRUCT", "UNION", "ARRAY") and not text.startswith("{"):
        raise ValueError("no aggregate, but GDB says %s" % value)
    if what in ("STRUCT", "UNION"):
        return sum(compare(t, v) for t, v in named_parts(text, value))
    if what == "ARRAY":
        found, all_parts = split(text), parts(value)
        if found != ["..."] and len(found) > len(all_parts) + 1:
            raise ValueError("%s has too many parts" % text)
        return sum(compare(t, v) for t, v in zip(found, all_parts) if t != "...")
    if what == "PTR" and text in ("true", "false"):
        same = (text == "true") == (int(value) != 0)
    elif what == "PTR":
        same = pointer_matches(text, value)
    elif what == "FLT":
        code = {4: "f", 8: "d"}.get(value.type.sizeof)
        if not code:
            raise Unknown()  # long double
        same = struct.pack(code, float(text)) == struct.pack(code, float(value))
    else:
        if what == "INT" and both_on_stack(text, value):
            raise Unknown()  # a leftover in what nobody initialized; runs do not share its place
        texts = plain_texts(value)
        same = text in texts or (text in ("true", "false") and
                                 (text == "true") == (int(value) != 0))
    if not same:
        raise ValueError("%s, but GDB says %s" % (text, value))
    return 1
