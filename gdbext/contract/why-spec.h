/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What must hold in a C program, written in C beside it, for `gdb-why specs':
 *
 *     #include "why-spec.h"
 *     #include "list.h"
 *
 *     static int acyclic(const struct list *l) { … }
 *     static int removed(const struct list *was, const struct list *is, int key) { … }
 *
 *     WHY_INVARIANT(acyclic, struct list *)
 *     WHY_PRE(list_remove, acyclic, l)
 *     WHY_POST(list_remove, removed, before(l), l, key)
 *
 *     gdb-why specs --spec list-spec.c --check -- ./program ARGS
 *
 * The file may also be compiled before, `cc -g -shared -fPIC -o list-spec.so list-spec.c', and
 * list-spec.so be given.
 *
 * A predicate is a function that returns a number: not 0 = it holds.  It only looks: it writes
 * nothing that the program can see, and it ends.  The arguments of WHY_PRE and WHY_POST are C
 * expressions in which the parameters of the checked function have their names, and
 *
 *     before(x)   the parameter x as it was when the function was called; what it points to is
 *                 copied as deep as its types say, with cycles and sharing as they were
 *     result      what the function returned
 *
 * Only the outermost call of a function is checked; within it the structure may be in between.
 */
#ifndef WHY_SPEC_H
#define WHY_SPEC_H

/* Where the rules of a shared object lie: the mark, and behind it the texts of a rule. */
#define WHY_RULES_SECTION "why_rules"
#define WHY_RULE_MARK "@why"
#define WHY_GIVEN_SECTION "why_given"

#ifdef WHY_SPEC_SCAN /* gdb-why reads these lines of the preprocessed file */
#define WHY_INVARIANT(predicate, type) @why invariant "" #predicate #type __LINE__ __FILE__
#define WHY_PRE(function, predicate, ...) \
	@why pre #function #predicate #__VA_ARGS__ __LINE__ __FILE__
#define WHY_POST(function, predicate, ...) \
	@why post #function #predicate #__VA_ARGS__ __LINE__ __FILE__
#elif defined WHY_SPEC_WITHIN /* included by the code that checks calls */
#define WHY_INVARIANT(predicate, type) _Static_assert(sizeof(type), "a type");
#define WHY_PRE(function, predicate, ...) _Static_assert(1, #function);
#define WHY_POST(function, predicate, ...) _Static_assert(1, #function);
#else
/* The predicate holds for each parameter of this type when a checked function is called, and for
 * each of them and for a result of this type when it returns. */
#define WHY_INVARIANT(predicate, type)          \
	_Static_assert(sizeof(type), "a type"); \
	WHY_RULE(invariant, "", predicate, #predicate, #type, __LINE__, __COUNTER__)
/* The predicate holds for these arguments when the function is called. */
#define WHY_PRE(function, predicate, ...) \
	WHY_RULE(pre, #function, predicate, #predicate, #__VA_ARGS__, __LINE__, __COUNTER__)
/* The predicate holds for these arguments when the function has returned. */
#define WHY_POST(function, predicate, ...) \
	WHY_RULE(post, #function, predicate, #predicate, #__VA_ARGS__, __LINE__, __COUNTER__)

/* The rule as texts, its predicate by a name that is the rule's alone, and the file's name, which
 * tells gdb-why that nothing in it is what is tested. */
#define WHY_RULE(kind, function, predicate, name, arguments, line, n) \
	WHY_RULE_AT(kind, function, predicate, name, arguments, line, n)
#define WHY_RULE_AT(kind, function, predicate, name, arguments, line, n)                           \
	static const char why_rule_##line##_##n[]                                                  \
		__attribute__((section(WHY_RULES_SECTION), used, aligned(1))) =                    \
			WHY_RULE_MARK "\0" #kind "\0" function "\0" name "\0" arguments "\0" #line \
				      "\0" __FILE__ "\0why_at_" #line "_" #n "_" name;             \
	static const char why_given_##line##_##n[]                                                 \
		__attribute__((section(WHY_GIVEN_SECTION), used, aligned(1))) = __FILE__;          \
	extern __typeof__(predicate) *const why_at_##line##_##n##_##predicate;                     \
	__typeof__(predicate) *const why_at_##line##_##n##_##predicate                             \
		__attribute__((weak, used, visibility("default"))) = predicate;
#endif

#define before(parameter) why_before_##parameter

#endif
