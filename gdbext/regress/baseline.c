/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is it a regression at all?  And proofs, which are questions of the same kind. */
#include "gdbext/regress/flow-private.h"
#include "gdbext/replay/interrupt.h"
#include "gdbext/replay/replay.h"
#include "solver/regress/set.h"
#include "solver/regress/units.h"

struct side {
	struct regression *r;
	const GArray *reverted;
	enum regress_verdict verdict;
};

static bool judge_version(void *item)
{
	struct side *s = item;

	s->verdict = workshop_test_twice(s->r->workshop, s->reverted);
	return false;
}

static int say_status(GError **error, int status, const char *format, ...) G_GNUC_PRINTF(3, 4);
static int say_status(GError **error, int status, const char *format, ...)
{
	va_list args;
	g_autofree char *text = NULL;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error_literal(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE, text);
	return status;
}

/* One of them was not judged at all. */
static int say_stopped(struct regression *r, GError **error)
{
	const GError *e = workshop_error(r->workshop);

	if (!replay_check_interrupt(error))
		return OPTIONS_EXIT_INTERRUPTED;
	if (e) {
		g_propagate_error(error, g_error_copy(e));
		return OPTIONS_EXIT_USAGE;
	}
	return say_status(
		error, OPTIONS_EXIT_UNEXPLAINED,
		"The time was up after %g s, before both versions were built and tested; allow "
		"more with --timeout.",
		r->o->timeout);
}

static int say_broken(struct regression *r, const char *name, const char *version,
		      const GArray *reverted, GError **error)
{
	g_autofree char *first = workshop_first_error(r->workshop, reverted);
	g_autofree char *left_out = workshop_left_out(r->workshop);

	if (!replay_check_interrupt(NULL) || g_get_monotonic_time() >= r->deadline)
		return say_stopped(r, error); /* the build was ended, too */
	if (left_out)
		return say_status(
			error, OPTIONS_EXIT_USAGE,
			"The %s version, %s, does not build with `%s': %s.  Files of the build "
			"(%s ...) name the folder %s and cannot be used elsewhere, and mount "
			"namespaces, in which they could, are not allowed here; let --build "
			"configure anew, as in './configure && make'.",
			name, version, r->w.build, first ? first : "it fails without a word",
			left_out, r->versions->new_folder);
	return say_status(
		error, OPTIONS_EXIT_USAGE,
		"The %s version, %s, does not build with `%s': %s; name a command that builds it "
		"(--build).",
		name, version, r->w.build, first ? first : "it fails without a word");
}

static int say_unknown(struct regression *r, const char *name, const GArray *reverted,
		       GError **error)
{
	g_autofree char *ending = workshop_ending(r->workshop, reverted);

	if (workshop_is_flaky(r->workshop))
		return say_status(error, OPTIONS_EXIT_UNEXPLAINED,
				  "The test passes and fails in turn with the same build of the %s "
				  "version; make it do the same each time.",
				  name);
	return say_status(error, OPTIONS_EXIT_UNEXPLAINED,
			  "The test cannot judge the %s version (%s); make it exit with 0 where it "
			  "passes.",
			  name, ending ? ending : "it was not run");
}

static int say_both_fail(struct regression *r, const struct side *old, const struct side *newer,
			 GError **error)
{
	g_autofree char *then = workshop_ending(r->workshop, old->reverted);
	g_autofree char *now = workshop_ending(r->workshop, newer->reverted);
	bool missing = g_strcmp0(then, "exit status 127") == 0 && g_strcmp0(then, now) == 0;

	if (missing && !r->o->test)
		return say_status(
			error, OPTIONS_EXIT_USAGE,
			"No version has a program %s that can be started after `%s'; name one "
			"that is built, by its path in the version (--run).",
			r->w.program[0], r->w.build);
	return say_status(
		error, OPTIONS_EXIT_USAGE,
		"The test fails with both versions (with the old one: %s%s), so no change "
		"between them is to blame; name an older version that passes, or check that "
		"the test can run in the folder that was built.",
		then, missing ? ", which a shell means by `command not found'" : "");
}

static int check_verdicts(struct regression *r, const struct side *old, const struct side *newer,
			  GError **error)
{
	const struct regress_versions *v = r->versions;

	if (old->verdict == REGRESS_STOPPED || newer->verdict == REGRESS_STOPPED)
		return say_stopped(r, error);
	if (newer->verdict == REGRESS_BROKEN)
		return say_broken(r, "new", v->new_name, newer->reverted, error);
	if (old->verdict == REGRESS_BROKEN)
		return say_broken(r, "old", v->old_name, old->reverted, error);
	if (newer->verdict == REGRESS_UNKNOWN)
		return say_unknown(r, "new", newer->reverted, error);
	if (old->verdict == REGRESS_UNKNOWN)
		return say_unknown(r, "old", old->reverted, error);
	if (newer->verdict == REGRESS_PASSES)
		return say_status(
			error, OPTIONS_EXIT_PASSED,
			old->verdict == REGRESS_PASSES
				? "The test passes with both versions, so there is nothing to "
				  "explain; check that it runs the program that was built."
				: "The test passes with the new version and fails with the old "
				  "one: exchange --old and --new.");
	return old->verdict == REGRESS_PASSES ? 0 : say_both_fail(r, old, newer, error);
}

/* Where both pass by their status and print something else, what the old version prints is right.
 */
static bool expect_old_output(struct regression *r)
{
	GBytes *text = workshop_expect_output(r->workshop, r->all, r->none);
	const char *data;
	gsize size;

	if (!text)
		return false;
	data = g_bytes_get_data(text, &size);
	g_free(r->expected_file);
	r->expected_file = g_build_filename(r->place, "expected.out", NULL);
	/* without it there are no causes, and all else goes on */
	g_file_set_contents(r->expected_file, size ? data : "", (gssize)size, NULL);
	regress_answer_note(r->answer,
			    "The test exits with status 0 in both versions, but prints something "
			    "else: what the old version prints is taken for right.");
	return true;
}

int regression_check_both(struct regression *r, GError **error)
{
	struct side sides[] = { { r, r->none, REGRESS_STOPPED }, { r, r->all, REGRESS_STOPPED } };
	struct regress_oracle *o = workshop_oracle(r->workshop);
	void *items[] = { &sides[0], &sides[1] };

	if (!regress_changes_count(r->versions->changes))
		return say_status(
			error, OPTIONS_EXIT_PASSED,
			"There is no difference between the versions%s, so there is nothing to "
			"explain.",
			r->versions->built ? " but files that a compiler made" : "");
	o->each(o, judge_version, items, G_N_ELEMENTS(items));
	if (sides[0].verdict == REGRESS_PASSES && sides[1].verdict == REGRESS_PASSES &&
	    expect_old_output(r))
		sides[0].verdict = REGRESS_FAILS;
	return check_verdicts(r, &sides[1], &sides[0], error);
}

static void prove_without(struct regression *r)
{
	struct regress_answer *a = r->answer;
	g_autoptr(GArray) reverted = regress_set_union(a->root, a->auxiliary);

	a->proof.without = workshop_test_twice(r->workshop, reverted);
	a->proof.without_ending = a->proof.without == REGRESS_BROKEN
					  ? workshop_first_error(r->workshop, reverted)
					  : workshop_ending(r->workshop, reverted);
}

/* The same questions about the old version: a set of changes is applied to it. */
struct applied {
	struct regress_oracle oracle; /* first */
	struct regression *r;
};

static GArray *other_changes(struct regress_oracle *o, const GArray *applied)
{
	return regress_set_minus(((struct applied *)o)->r->all, applied);
}

static enum regress_verdict build_applied(struct regress_oracle *o, const GArray *applied)
{
	struct regress_oracle *inner = workshop_oracle(((struct applied *)o)->r->workshop);
	g_autoptr(GArray) reverted = other_changes(o, applied);

	return inner->build(inner, reverted);
}

static enum regress_verdict test_applied_twice(struct regress_oracle *o, const GArray *applied)
{
	g_autoptr(GArray) reverted = other_changes(o, applied);

	return workshop_test_twice(((struct applied *)o)->r->workshop, reverted);
}

static char *complaint_applied(struct regress_oracle *o, const GArray *applied)
{
	struct regress_oracle *inner = workshop_oracle(((struct applied *)o)->r->workshop);
	g_autoptr(GArray) reverted = other_changes(o, applied);

	return inner->complaint(inner, reverted);
}

/* What has to be applied with the root so that it compiles; NULL = nothing helps.  What declares
 * its words is tried first: without it, a build would mostly be in vain. */
static GArray *needed_with(struct regression *r, struct regress_search *s,
			   struct regress_oracle *oracle)
{
	const GArray *root = r->answer->root;
	g_autoptr(GArray) named = regress_changes_declaring(r->versions->changes, root);
	g_autoptr(GArray) some = regress_set_union(root, named);
	g_autoptr(GArray) both = regress_units_close(r->versions->changes, some);
	GArray *declaring = regress_set_minus(both, root);

	if (declaring->len && oracle->build(oracle, both) == REGRESS_PASSES)
		return declaring;
	g_array_unref(declaring);
	return regress_auxiliary_applied(s, root);
}

/* The old version with the root alone, or with the fewest others that let it compile. */
static void prove_with(struct regression *r)
{
	struct applied a = {
		{ build_applied, test_applied_twice, complaint_applied, regress_each_in_turn }, r
	};
	struct regress_search *s =
		regress_search_new(r->versions->changes, &a.oracle, &r->o->limits);
	struct regress_proof *p = &r->answer->proof;
	g_autoptr(GArray) needed = needed_with(r, s, &a.oracle);
	g_autoptr(GArray) applied = NULL, reverted = NULL;

	applied = needed ? regress_set_union(r->answer->root, needed)
			 : regress_set_copy(r->answer->root);
	reverted = regress_set_minus(r->all, applied);
	p->with = test_applied_twice(&a.oracle, applied);
	p->with_auxiliary = needed && needed->len;
	p->with_ending = p->with == REGRESS_BROKEN ? workshop_first_error(r->workshop, reverted)
						   : workshop_ending(r->workshop, reverted);
	regress_search_free(s);
}

void regression_prove(struct regression *r)
{
	struct regress_answer *a = r->answer;

	if (!a->root->len)
		return;
	prove_without(r);
	prove_with(r);
	if (a->proof.with == REGRESS_PASSES)
		regress_answer_note(a, "The old version passes with these changes alone: the "
				       "failure needs other changes, too.");
}
