#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A branch that the formula takes for refuted, because another run compared another string behind it,
# is turned by a run of its own.  A look-up that ends at the mark of a deleted entry goes on then.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/slots.c" <<'C'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 8

enum state { EMPTY, USED, DELETED };

struct slot {
    enum state state;
    const char *key;
    int value;
};

struct table {
    struct slot slots[SLOTS];
    int used;
};

static unsigned hash(const char *s)
{
    unsigned h = 0;
    while (*s)
        h = h * 31 + *s++;
    return h;
}

static struct slot *find(struct table *t, const char *key)
{
    unsigned i = hash(key) % SLOTS;
    for (int n = 0; n < SLOTS; n++) {
        struct slot *s = &t->slots[(i + n) % SLOTS];
        if (s->state != USED)
            return NULL;
        if (strcmp(s->key, key) == 0)
            return s;
    }
    return NULL;
}

static void insert(struct table *t, const char *key, int value)
{
    struct slot *s = find(t, key);
    if (s) {
        s->value = value;
        return;
    }
    unsigned i = hash(key) % SLOTS;
    while (t->slots[i].state == USED)
        i = (i + 1) % SLOTS;
    t->slots[i].state = USED;
    t->slots[i].key = key;
    t->slots[i].value = value;
    t->used++;
}

static void erase(struct table *t, const char *key)
{
    struct slot *s = find(t, key);
    if (!s)
        return;
    s->state = DELETED;
    t->used--;
}

int main(void)
{
    struct table t = {0};
    insert(&t, "a", 1);
    insert(&t, "i", 2);
    insert(&t, "q", 3);
    erase(&t, "i");
    struct slot *s = find(&t, "q");
    assert(s != NULL);
    assert(s->value == 3);
    printf("ok %d\n", t.used);
    return 0;
}
C
build "$dir/slots.c" "$dir/slots"
"$WHY_BIN" explain --format json --max-suspects 0 -- "$dir/slots" >"$dir/answer"
line=$(grep -n 's->state != USED' "$dir/slots.c" | cut -d: -f1)
jq -e --argjson line "$line" 'any(.suspects[]; .replay == "passes" and .size == 1 and
	.statements[0].line == $line and .statements[0].kind == "condition")' "$dir/answer" >/dev/null || {
	complain "the condition of line $line is not turned"
	jq -c '.suspects[] | [.rank, .statements[0].line, .statements[0].kind, .replay]' "$dir/answer"
}
"$WHY_BIN" try --flip "$dir/slots.c:$line" -- "$dir/slots" >"$dir/tried" 2>&1
grep -q 'it passes' "$dir/tried" || complain "turned by hand, it does not pass: $(cat "$dir/tried")"
finish
