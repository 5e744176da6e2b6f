/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/formulas.h"

static struct ratio naish1(const struct tally *t)
{
	return ratio_of(t->nf > 0 ? -1 : t->np, 1);
}

static struct ratio naish2(const struct tally *t)
{
	return ratio_of(t->ef * (t->passed + 1) - t->ep, t->passed + 1);
}

static struct ratio jaccard(const struct tally *t)
{
	return ratio_of(t->ef, t->failed + t->ep);
}

static struct ratio anderberg(const struct tally *t)
{
	return ratio_of(t->ef, t->ef + 2 * (t->nf + t->ep));
}

static struct ratio sorensen_dice(const struct tally *t)
{
	return ratio_of(2 * t->ef, 2 * t->ef + t->nf + t->ep);
}

static struct ratio dice(const struct tally *t)
{
	return ratio_of(2 * t->ef, t->failed + t->ep);
}

static struct ratio goodman(const struct tally *t)
{
	return ratio_of(2 * t->ef - t->nf - t->ep, 2 * t->ef + t->nf + t->ep);
}

/* Without passed tests the passed share is 0. */
static struct ratio tarantula(const struct tally *t)
{
	if (!t->passed)
		return ratio_of(t->ef, t->ef);
	return ratio_of(t->ef * t->passed, t->ef * t->passed + t->ep * t->failed);
}

static struct ratio qe(const struct tally *t)
{
	return ratio_of(t->ef, t->covering);
}

static struct ratio cbi_inc(const struct tally *t)
{
	return ratio_subtract(qe(t), ratio_of(t->failed, t->all));
}

static struct ratio wong2(const struct tally *t)
{
	return ratio_of(t->ef - t->ep, 1);
}

static struct ratio hamann(const struct tally *t)
{
	return ratio_of(t->ef + t->np - t->nf - t->ep, t->all);
}

static struct ratio simple_matching(const struct tally *t)
{
	return ratio_of(t->ef + t->np, t->all);
}

static struct ratio sokal(const struct tally *t)
{
	wide agree = 2 * (t->ef + t->np);

	return ratio_of(agree, agree + t->nf + t->ep);
}

static struct ratio rogers_tanimoto(const struct tally *t)
{
	wide agree = t->ef + t->np;

	return ratio_of(agree, agree + 2 * (t->nf + t->ep));
}

static struct ratio hamming(const struct tally *t)
{
	return ratio_of(t->ef + t->np, 1);
}

static struct ratio euclid(const struct tally *t)
{
	return ratio_root(t->ef + t->np, 1);
}

static struct ratio wong1(const struct tally *t)
{
	return ratio_of(t->ef, 1);
}

static struct ratio russell_rao(const struct tally *t)
{
	return ratio_of(t->ef, t->all);
}

static struct ratio binary_formula(const struct tally *t)
{
	return ratio_of(t->nf == 0, 1);
}

static wide scott_above(const struct tally *t)
{
	return 4 * t->cross - (t->nf - t->ep) * (t->nf - t->ep);
}

static struct ratio scott(const struct tally *t)
{
	wide differ = t->nf + t->ep;

	return ratio_of(scott_above(t), (2 * t->ef + differ) * (2 * t->np + differ));
}

static struct ratio rogot1(const struct tally *t)
{
	wide differ = t->nf + t->ep;

	return ratio_add(ratio_of(t->ef, 2 * (2 * t->ef + differ)),
			 ratio_of(t->np, 2 * (2 * t->np + differ)));
}

static struct ratio ample2(const struct tally *t)
{
	return ratio_subtract(ratio_of(t->ef, t->failed), ratio_of(t->ep, t->passed));
}

static struct ratio ample(const struct tally *t)
{
	struct ratio r = ample2(t);

	r.num = r.num < 0 ? -r.num : r.num;
	return r;
}

static struct ratio arithmetic_mean(const struct tally *t)
{
	return ratio_of(2 * t->cross, t->covering * t->other + t->failed * t->passed);
}

static struct ratio cohen(const struct tally *t)
{
	return ratio_of(2 * t->cross, t->covering * t->passed + t->failed * t->other);
}

static struct ratio fleiss(const struct tally *t)
{
	return ratio_of(scott_above(t), 2 * t->all);
}

static wide margins(const struct tally *t)
{
	return t->covering * t->other * t->failed * t->passed;
}

/* D*D with the sign of D over the product of the margins. */
static struct ratio crosstab(const struct tally *t)
{
	return ratio_of(t->cross < 0 ? -t->cross * t->cross : t->cross * t->cross, margins(t));
}

static struct ratio geometric_mean(const struct tally *t)
{
	struct ratio r = crosstab(t);

	r.root = true;
	return r;
}

static struct ratio harmonic_mean(const struct tally *t)
{
	return ratio_of(t->cross * (t->covering * t->other + t->failed * t->passed), margins(t));
}

static struct ratio kulczynski1(const struct tally *t)
{
	return ratio_of(t->ef, t->nf + t->ep);
}

static struct ratio kulczynski2(const struct tally *t)
{
	return ratio_add(ratio_of(t->ef, 2 * t->failed), ratio_of(t->ef, 2 * t->covering));
}

static struct ratio m1(const struct tally *t)
{
	return ratio_of(t->ef + t->np, t->nf + t->ep);
}

static struct ratio m2(const struct tally *t)
{
	return ratio_of(t->ef, t->ef + t->np + 2 * (t->nf + t->ep));
}

static struct ratio ochiai(const struct tally *t)
{
	return ratio_root(t->ef * t->ef, t->failed * t->covering);
}

static struct ratio ochiai2(const struct tally *t)
{
	return ratio_root(t->ef * t->np * t->ef * t->np, margins(t));
}

static struct ratio overlap_coefficient(const struct tally *t)
{
	wide least = t->ef < t->ep ? t->ef : t->ep;

	return ratio_of(t->ef, least < t->nf ? least : t->nf);
}

static struct ratio rogot2(const struct tally *t)
{
	struct ratio executed = ratio_add(ratio_of(t->ef, t->covering), ratio_of(t->ef, t->failed));
	struct ratio missed = ratio_add(ratio_of(t->np, t->passed), ratio_of(t->np, t->other));
	struct ratio r = ratio_add(executed, missed);

	r.den *= 4;
	return r;
}

static struct ratio wong3(const struct tally *t)
{
	wide thousandths = t->ep <= 2	 ? 1000 * t->ep
			   : t->ep <= 10 ? 2000 + 100 * (t->ep - 2)
					 : 2800 + (t->ep - 10);

	return ratio_of(1000 * t->ef - thousandths, 1000);
}

static struct ratio zoltar(const struct tally *t)
{
	return ratio_of(t->ef * t->ef, t->ef * (t->failed + t->ep) + 10000 * t->nf * t->ep);
}

static struct ratio d2(const struct tally *t)
{
	return ratio_of(t->ef * t->ef, t->ep + t->nf);
}

static struct ratio d3(const struct tally *t)
{
	return ratio_of(t->ef * t->ef * t->ef, t->ep + t->nf);
}

#define MAY_BE_INFINITE "ef > 0 over 0 is +infinity"

/* clang-format off */
const struct formula formulas[] = {
	{ "F1", "Naish1", NULL, "ER1a", "nf > 0 ? -1 : np", NULL, true, naish1 },
	{ "F2", "Naish2", NULL, "ER1b", "ef - ep/(P + 1)", NULL, true, naish2 },
	{ "F3", "Jaccard", NULL, "ER2", "ef/(F + ep)", NULL, true, jaccard },
	{ "F4", "Anderberg", NULL, "ER2", "ef/(ef + 2(nf + ep))", NULL, true, anderberg },
	{ "F5", "Sorensen-Dice", NULL, "ER2", "2ef/(2ef + nf + ep)", NULL, true, sorensen_dice },
	{ "F6", "Dice", NULL, "ER2", "2ef/(F + ep)", NULL, true, dice },
	{ "F7", "Goodman", NULL, "ER2", "(2ef - nf - ep)/(2ef + nf + ep)", NULL, true, goodman },
	{ "F8", "Tarantula", NULL, "ER3", "(ef/F)/(ef/F + ep/P)", NULL, true, tarantula },
	{ "F9", "qe", NULL, "ER3", "ef/C", NULL, true, qe },
	{ "F10", "CBI Inc.", NULL, "ER3", "ef/C - F/N", "-F/N where C = 0", true, cbi_inc },
	{ "F11", "Wong2", NULL, "ER4", "ef - ep", NULL, true, wong2 },
	{ "F12", "Hamann", NULL, "ER4", "(ef + np - nf - ep)/N", NULL, true, hamann },
	{ "F13", "Simple matching", NULL, "ER4", "(ef + np)/N", NULL, true, simple_matching },
	{ "F14", "Sokal", NULL, "ER4", "2(ef + np)/(2(ef + np) + nf + ep)", NULL, true, sokal },
	{ "F15", "Rogers & Tanimoto", NULL, "ER4", "(ef + np)/(ef + np + 2(nf + ep))", NULL, true,
	  rogers_tanimoto },
	{ "F16", "Hamming", "Hamming etc.", "ER4", "ef + np", NULL, true, hamming },
	{ "F17", "Euclid", NULL, "ER4", "sqrt(ef + np)", NULL, true, euclid },
	{ "F18", "Wong1", NULL, "ER5a", "ef", NULL, true, wong1 },
	{ "F19", "Russell & Rao", NULL, "ER5a", "ef/N", NULL, true, russell_rao },
	{ "F20", "Binary", NULL, "ER5b", "nf = 0 ? 1 : 0", NULL, true, binary_formula },
	{ "F21", "Scott", NULL, "ER6",
	  "(4D - (nf - ep)^2)/((2ef + nf + ep)(2np + nf + ep))", NULL, true, scott },
	{ "F22", "Rogot1", NULL, "ER6", "1/2 (ef/(2ef + nf + ep) + np/(2np + nf + ep))",
	  "each term", true, rogot1 },
	{ "F23", "Ample", NULL, NULL, "|ef/F - ep/P|", NULL, false, ample },
	{ "F24", "Ample2", NULL, NULL, "ef/F - ep/P", NULL, true, ample2 },
	{ "F25", "Arithmetic mean", NULL, NULL, "2D/(CU + FP)", NULL, true, arithmetic_mean },
	{ "F26", "Cohen", NULL, NULL, "2D/(CP + FU)", NULL, true, cohen },
	{ "F27", "Fleiss", NULL, NULL, "(4D - (nf - ep)^2)/2N", NULL, true, fleiss },
	{ "F28", "Geometric mean", NULL, NULL, "D/sqrt(CUFP)", NULL, false, geometric_mean },
	{ "F29", "Harmonic mean", NULL, NULL, "D(CU + FP)/CUFP", NULL, false, harmonic_mean },
	{ "F30", "Kulczynski1", NULL, NULL, "ef/(nf + ep)", MAY_BE_INFINITE, false, kulczynski1 },
	{ "F31", "Kulczynski2", NULL, NULL, "1/2 (ef/F + ef/C)", "each term", true, kulczynski2 },
	{ "F32", "M1", NULL, NULL, "(ef + np)/(nf + ep)", "ef + np > 0 over 0 is +infinity", false,
	  m1 },
	{ "F33", "M2", NULL, NULL, "ef/(ef + np + 2(nf + ep))", NULL, true, m2 },
	{ "F34", "Ochiai", NULL, NULL, "ef/sqrt(FC)", NULL, true, ochiai },
	{ "F35", "Ochiai2", NULL, NULL, "ef np/sqrt(CUFP)", NULL, false, ochiai2 },
	{ "F36", "Overlap", NULL, NULL, "ef/min(ef, nf, ep)", MAY_BE_INFINITE, false, overlap_coefficient },
	{ "F37", "Rogot2", NULL, NULL, "1/4 (ef/C + ef/F + np/P + np/U)", "each term", false,
	  rogot2 },
	{ "F38", "Wong3", NULL, NULL,
	  "ef - (ep <= 2 ? ep : ep <= 10 ? 2 + 0.1(ep - 2) : 2.8 + 0.001(ep - 10))", NULL, true,
	  wong3 },
	{ "F39", "Zoltar", NULL, NULL, "ef/(F + ep + 10000 nf ep/ef)", "0 where ef = 0", false,
	  zoltar },
	{ "F40", "CBT", "Crosstab", NULL, "sign(D) D^2/CUFP", NULL, false, crosstab },
	{ "F41", "D2", "DStar", NULL, "ef^2/(ep + nf)", MAY_BE_INFINITE, false, d2 },
	{ "F42", "D3", NULL, NULL, "ef^3/(ep + nf)", MAY_BE_INFINITE, false, d3 },
	{ "SBI", "SBI", NULL, "ER3", "ef/C", NULL, false, qe },
};
/* clang-format on */
const unsigned n_formulas = G_N_ELEMENTS(formulas);

bool formula_same_name(const char *asked, const char *name)
{
	if (!name)
		return false;
	for (;; asked++, name++) {
		while (*asked && !g_ascii_isalnum(*asked))
			asked++;
		while (*name && !g_ascii_isalnum(*name))
			name++;
		if (g_ascii_tolower(*asked) != g_ascii_tolower(*name))
			return false;
		if (!*asked)
			return true;
	}
}

const struct formula *formula_find(const char *name)
{
	for (unsigned i = 0; i < n_formulas; i++) {
		const struct formula *f = &formulas[i];
		if (formula_same_name(name, f->id) || formula_same_name(name, f->name) ||
		    formula_same_name(name, f->other_name))
			return f;
	}
	return NULL;
}

static struct tally tally_of_counts(const struct spectrum_counts *c)
{
	struct tally t = { .ef = c->ef, .ep = c->ep, .nf = c->nf, .np = c->np };

	t.failed = t.ef + t.nf;
	t.passed = t.ep + t.np;
	t.covering = t.ef + t.ep;
	t.other = t.nf + t.np;
	t.all = t.failed + t.passed;
	t.cross = t.ef * t.np - t.nf * t.ep;
	g_assert(t.all < (wide)1 << 30);
	return t;
}

double formula_score(const struct formula *f, const struct spectrum_counts *counts)
{
	struct tally t = tally_of_counts(counts);

	return ratio_value(f->value(&t));
}

double formula_confidence(const struct spectrum_counts *counts)
{
	struct tally t = tally_of_counts(counts);

	return MAX(ratio_value(ratio_of(t.ef, t.failed)), ratio_value(ratio_of(t.ep, t.passed)));
}
